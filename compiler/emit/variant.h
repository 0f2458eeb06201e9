/* variant.h: what the texts of a variant's file have in common, whatever they are written in (variant.c). */
#ifndef TGC_EMIT_VARIANT_H
#define TGC_EMIT_VARIANT_H

#include "emit/emit.h"

/* All behind the head that says what the variant is. */
void emit_cuda_text(Buffer *to, const Output *o, const Program *p); /* host.c */
void emit_c_text(Buffer *to, const Output *o, const Program *p);    /* c_text.c */
/* What C text calls (c_support.c): for all types, and for each; the macros that load rows, of so many lanes each
 * (transpose.c). */
void emit_c_support(Buffer *to, const Output *o, const Program *p);
void emit_c_type_support(Buffer *to, const Program *p);
void emit_transposition(Buffer *to, int lanes);

/* The list of configurations, which a table or a build may replace; and a row for each, as the C interface has them,
 * with `declared' before the declaration: "extern \"C\" ". */
void emit_configurations(Buffer *to, const Output *o, const Program *p);
void emit_configuration_rows(Buffer *to, const Program *p, const char *declared);
/* "512, 2": the tunables that are fixed when the text is compiled, each as `print' has it. */
void emit_compiled(Buffer *to, const Program *p, void (*print)(Buffer *to, const ProgramConstant *c));
void constant_value(Buffer *to, const ProgramConstant *c);     /* 512 */
void constant_name(Buffer *to, const ProgramConstant *c);      /* threads */
void constant_macro(Buffer *to, const ProgramConstant *c);     /* THREADS */
void constant_parameter(Buffer *to, const ProgramConstant *c); /* int threads */
void constant_range(Buffer *to, const ProgramConstant *c);     /* lanes of a block, 32 to 1024 */
/* static_asserts that they are in their ranges. */
void emit_constant_checks(Buffer *to, const Program *p);

/* The tunable of the launch, or NULL. */
const ProgramConstant *variant_bound_at_launch(const Program *p);
/* n < 0 || rows < 0 || */
void emit_impossible_sizes(Buffer *to, const Signature *s);
/* What the workspace is an array of. */
const char *variant_partial_type(const Program *p);

/* Does the text, kernels' or host's, have that op, of positions or of a type's limits? */
bool variant_uses(const Program *p, Op op);
/* Does a kernel, or the user's operator, ask for a type's limits? */
bool variant_uses_limits(const Program *p);
/* Does some kernel have that op, whatever its type? */
bool kernels_have(const Program *p, Op op);
/* Does the text of a CPU, kernels' or host's, have that op on that type, or an atomic that is printed as one? */
bool variant_has(const Program *p, Op op, Type type);
/* Does some kernel have an array of its own; go by halves of the machine's vectors? May a launch wake threads? */
bool kernels_copy(const Program *p);
bool kernels_halve_vectors(const Program *p);
bool launches_wake_threads(const Program *p);

#endif
