/* variant.h: the parts of a variant's file, in CUDA or C (variant.c). */
#ifndef TGC_EMIT_VARIANT_H
#define TGC_EMIT_VARIANT_H

#include "emit/emit.h"

/* The file below its head comment. */
void emit_cuda_text(Buffer *to, const Output *o, const Program *p); /* host.c */
void emit_c_text(Buffer *to, const Output *o, const Program *p);    /* c_text.c */
/* The functions and macros that C text uses: for all types, and for each (c_functions.c); the macros that load and
 * transpose rows, for so many lanes (transpose.c). */
void emit_c_functions(Buffer *to, const Output *o, const Program *p);
/* Has that mathematical functions of its own, for the lanes of vectors (runtime/cpu/functions.h)? */
bool c_has_lane_functions(const Output *o, const Program *p);
void emit_c_type_functions(Buffer *to, const Program *p);
void emit_transposition(Buffer *to, int lanes);

/* Functions of the codelet file that the C compiler reads, if kernels call them, and their headers (natives.c). */
void emit_native_headers(Buffer *to, const Program *p);
void emit_natives(Buffer *to, const Output *o, const Program *p);

/* ---- configurations (configurations.c) ---- */

/* The macro that lists the configurations, which a table or a build may replace; an array of them with C linkage, with
 * `declared' before its declaration: "extern \"C\" ". */
void emit_configurations(Buffer *to, const Output *o, const Program *p);
void emit_configuration_rows(Buffer *to, const Output *o, const Program *p, const char *declared);
/* "512, 2": the tunables that are compile-time constants, each as `print' has it. */
void emit_static_tunables(Buffer *to, const Program *p, void (*print)(Buffer *to, const Tunable *t));
void tunable_default(Buffer *to, const Tunable *t);   /* 512 */
void tunable_name(Buffer *to, const Tunable *t);      /* threads */
void tunable_macro(Buffer *to, const Tunable *t);     /* THREADS */
void tunable_parameter(Buffer *to, const Tunable *t); /* int threads */
void tunable_meaning(Buffer *to, const Tunable *t);   /* lanes of a block, 32 to 1024 */
/* Those that are compile-time constants. */
Tunables variant_compiled(Arena *a, const Program *p);
/* static_asserts that they are in range. */
void emit_constant_checks(Buffer *to, const Program *p);
/* The tunable that is a launch parameter, or NULL. */
const ProgramConstant *variant_launch_tunable(const Program *p);
/* n < 0 || rows < 0 || */
void emit_impossible_sizes(Buffer *to, const Signature *s);
/* The type of the workspace's elements. */
typedef void PrintExpression(Buffer *to, const Tree *t);
/* How many bytes its workspace has, "16 + (size_t)blocks * sizeof(T)", with that cast; and declarations of the arrays
 * there, a line each. */
void variant_workspace_bytes(Buffer *to, const Program *p, const char *cast, PrintExpression *expression);
void variant_workspace_arrays(Buffer *to, const Program *p, PrintExpression *expression);

/* The finished text of a file with #line directives: behind each codelet's line comes one that leads back (lines.c). */
void emit_lines_back(Buffer *text);

/* ---- what a program uses (uses.c) ---- */

/* Is the op in a kernel, whatever its type? */
bool kernels_use(const Program *p, Op op);
/* Do kernels copy boxes, of several matrices or of one? */
bool kernels_copy_boxes(const Program *p, bool of_matrices);
/* Is it in a kernel or in the host's part, on an Index or as a type's limit? */
bool program_uses(const Program *p, Op op);
/* Is it there on that type, or an atomic that C prints as it? */
bool program_uses_typed(const Program *p, Op op, Type type);
/* .. a function of mathematics, of T? */
bool kernels_use_functions(const Program *p);
/* Does a kernel, or the user's operator, ask for a type's limits? */
bool program_uses_limits(const Program *p);
/* Of a CPU: has a kernel an array of its own; vectors of half the machine's width? May a launch start threads? */
bool kernels_have_private_arrays(const Program *p);
bool kernels_are_handed_arrays(const Program *p);
bool kernels_use_half_vectors(const Program *p);
bool launches_are_parallel(const Program *p);

#endif
