/* emit.h: printers. They write what lower/ and passes/ decided; nothing is decided here. */
#ifndef TGC_EMIT_EMIT_H
#define TGC_EMIT_EMIT_H

#include "compose/choose.h"
#include "ir/element.h"
#include "ir/monoid.h"
#include "ir/program.h"
#include "support/spool.h"
#include "table/table.h"

/* One finished variant: plan, program and text. */
typedef struct Variant {
  const Plan *plan;
  const Program *program;
  const ElementType **types; /* those that it is for: of the output's */
  int ntypes;
  Buffer text; /* what emit_variant printed */
  Spooled written, entry; /* of one of many, that text and what emit_manifest_entry printed; its program is an outline
                             (program_outline) */
} Variant;

/* Everything that one output folder is printed from. */
typedef struct Output {
  const SourceFile *file;      /* the .cdl */
  const Unit *unit;            /* all that it holds */
  const Spectrum *spectrum;
  const char *name;            /* what generated C names and files begin with: "sum" */
  const char *library;         /* the same, but where there are several machines of the whole, not of one */
  const char *usual;           /* .. without `--name': what the shipped tables are called */
  const Arch *machine;
  const ElementType **types;   /* those asked for */
  int ntypes;
  Variant *variants;           /* in listing order */
  int nvariants;
  Table table;                 /* which variant serves which size, in which configuration */
  const PlanCandidate *order;  /* --online: all plans (choose_order); NULL: the library does not select while it runs */
  const Tunables *members;     /* output_members; NULL: not found yet (output_plan_members) */
  const char *line_folder;      /* #line to codelets, of which relative names begin there; NULL: none */
} Output;

/* ---- facts of an output (output.c) ---- */

/* The last part of the source's path: generated text must not depend on where it was made. */
const char *output_source_name(const Output *o);
/* The variant that a table's row names, or NULL; the value that the row gives to a tunable. */
const Variant *output_variant(const Output *o, const char *id);
/* Is the variant for elements of the type? Is some variant not for all types of the output? */
bool variant_is_for(const Variant *v, const char *type);
bool output_is_partial(const Output *o);
/* What one variant is printed from: the output, with the types that the variant is for. */
Output output_of_variant(const Output *o, const Variant *v);
int64_t output_tunable(const TableRow *r, const Tunable *t);
/* The members of its struct of configurations: all tunables of all variants, kept or not, on all machines. The second
 * finds them once, before there are variants: they are printed as they are made, and all have the same struct. */
Tunables output_members(Arena *a, const Output *o);
void output_plan_members(Arena *a, Output *o, const Plans *plans);
/* One that sets nothing: "{0, 0, 0}". */
const char *output_no_configuration(Arena *a, const Output *o);
/* The operands, the same for all variants. */
const Signature *output_operands(const Output *o);
/* Does what this array holds before the call matter, though it is written? Else the call only fills it. */
bool output_changes(const Output *o, const Operand *x);
/* Has the type the same results in whatever order a variant combines? */
bool output_is_exact(const Output *o, const ElementType *e);
/* Are the operands in, n, out? */
bool output_is_reduction(const Output *o);
/* Does some variant refuse sizes that do not fit together? */
bool output_checks_sizes(const Output *o);
/* Reductions on GPUs: are there functions NAME_from, which start from a value, and NAME_counted, whose number of
 * elements lies in device memory? */
bool output_starts_from(const Output *o);
bool output_counts(const Output *o);
/* Are variants picked by the elements of each part and the number of parts? Else by the number of elements alone. */
bool output_by_shape(const Output *o);
/* CPUs only. A shortcut is a direct call of a variant without workspace, once its arguments are known to be valid:
 * calls of a few elements save the checks. Has this variant one; has any? */
bool variant_has_shortcut(const Output *o, const Program *p);
bool output_has_shortcuts(const Output *o);
/* How many bytes at a workspace's start are zero before and after each call; INT_MAX: all. */
int output_workspace_zero(const Output *o);
/* Do the hardware's shuffles take values of all types? */
bool output_shuffles_natively(const Output *o);
/* Is one of the types complex? Kernels compute with a type of their own then (runtime/device/complex.cuh). */
bool output_has_complex(const Output *o);
/* Is one of them tf32, which is float but in kernels (runtime/device/tf32.cuh)? */
bool output_has_tf32(const Output *o);
/* .. half16, which is half but there (runtime/device/half16.cuh)? */
bool output_has_half16(const Output *o);

/* ---- languages (language.c) ---- */

typedef enum Language {
  LANGUAGE_CUDA,
  LANGUAGE_C,  /* C11 with OpenMP: CPUs */
  LANGUAGE_CPP /* C++17 with OpenMP: CPUs, and a user's operator */
} Language;

Language output_language(const Output *o);
bool output_is_for_cpu(const Output *o);
/* Where the rows of its table come from, in words (table_origin); how many types have none that was measured. */
const char *output_table_origin(Arena *a, const Output *o, int *guessed);
/* The extension of its files: "cu". */
const char *output_extension(const Output *o);
/* A word of the language: of "ERROR", "cudaError_t" or "int". NULL: there is no such word. */
const char *output_word(const Output *o, const char *word);
/* The name of one of the C types of ir/element.c: on a CPU "tgc_half" for "__half"; NULL: a CPU has no such type. */
const char *output_c_type(const Output *o, const char *c_type);
const char *language_cpu_type(const char *c_type);
/* The type that kernels compute with: complex<float> in CUDA. */
const char *output_kernel_type(const Output *o, const ElementType *e);
/* The lines that define the types, or "". */
const char *output_includes(Arena *a, const Output *o);

/* ---- types (types.c) ---- */

/* The C type of the elements that are read, and of the result. */
const char *output_element(const Output *o, const ElementType *e);
const char *output_result(Arena *a, const Output *o, const ElementType *e);
/* The same in a variant's namespace. */
const char *output_element_kernel_type(const Output *o, const ElementType *e);
const char *output_result_kernel_type(const Output *o, const ElementType *e);
/* What a function with C linkage needs to call a program's templates for one type. `within' is their namespace,
 * "sum_ab12::" or "": it has complex numbers and the user's structs, laid out as C's. */
typedef struct TemplateTypes {
  const char *arguments;
  const char *element, *state, *result; /* E, T and R; E and R may be T */
  const char *cast_in, *cast_out;       /* "(const ab12::Mat2 *)", or "" */
} TemplateTypes;
TemplateTypes output_template_types(Arena *a, const Output *o, const Program *p, const ElementType *e,
                                    const char *within);
/* The C type of an operand, or of an array's elements; and in the namespace `within'. */
const char *operand_type(Arena *a, const Output *o, const Signature *s, const Operand *x, const ElementType *e);
const char *operand_kernel_type(Arena *a, const Output *o, const Program *p, const Operand *x, const ElementType *e,
                                const char *within);
/* complex<float>, tf32 or half16, as code outside of the namespace `within' names it. */
const char *type_in_namespace(Arena *a, const char *within, const char *type);

/* ---- operands and signatures (operands.c) ---- */

/* The number of an array's elements, "n" or "rows * columns"; NULL: one. */
const char *operand_elements(Arena *a, const Signature *s, const Operand *x);
/* The first array that is not the result, or NULL. Its number of elements picks the variant. */
const Operand *signature_first_array(const Signature *s);
const char *output_element_count(Arena *a, const Signature *s);
/* One parameter of that type; const float *in, uint64_t n, float *out; const E *in, Index n, T *out. */
void emit_parameter(Buffer *to, const Operand *x, const char *type);
void emit_operands(Buffer *to, const Output *o, const ElementType *e);
void emit_kernel_operands(Buffer *to, const Signature *s);
/* in, n, out; nullptr, 0, nullptr. */
void emit_operand_names(Buffer *to, const Signature *s);
void emit_null_operands(Buffer *to, const Output *o);
/* (const complex<float> *)in, (Index)n, ..: arguments for a template in the namespace `within'; one of them, from
 * its C type and its type there. */
void emit_cast_operands(Buffer *to, const Output *o, const Program *p, const ElementType *e, const char *within);
void emit_cast_operand(Buffer *to, const Operand *x, const char *type, const char *own, const char *within);
/* A line of documentation for each. */
void emit_operand_descriptions(Buffer *to, const Output *o, const char *before);
/* The parameters of NAME_TYPE (void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out,
 * cudaStream_t stream), of NAME_TYPE_async, and of a variant's function. */
void emit_signature(Buffer *to, const Output *o, const ElementType *e);
void emit_async_signature(Buffer *to, const Output *o, const ElementType *e);
void emit_variant_signature(Buffer *to, const Output *o, const ElementType *e);
void emit_from_signature(Buffer *to, const Output *o, const ElementType *e);
void emit_counted_signature(Buffer *to, const Output *o, const ElementType *e);
/* The type of a shortcut's function. */
void emit_work_type(Buffer *to, const Output *o, const ElementType *e);

/* ---- one file each, .cu for a GPU, .c or .cc for a CPU ---- */

void emit_variant(Buffer *to, const Output *o, const Variant *v); /* variants/ID.cu (variant.c) */
/* Its text, with lines of at most so many columns where they can be parted (columns.c). */
void emit_in_columns(Buffer *text, int columns);
void emit_header(Buffer *to, const Output *o);                    /* sum.h (library.c) */
void emit_dispatch(Buffer *to, const Output *o);                  /* sum.cu (dispatch.c) */
void emit_from(Buffer *to, const Output *o);                      /* sum_from.cu (from.c) */
void emit_counted(Buffer *to, const Output *o);                   /* sum_counted.cu (counted.c) */
void emit_table(Buffer *to, const Output *o);                     /* sum.table (dispatch.c) */
void emit_cmake(Buffer *to, const Output *o);                     /* CMakeLists.txt (cmake.c) */
/* Inside of what installs a package: its CMake version file and its .pc. `one': a target that says whether the
 * libraries (" -ltgc_dot -ltgc_gemv") are static; o: what a static one needs beside. */
void emit_package_versions(Buffer *to, const char *name, const char *libraries, const char *one, const Output *o);
/* The C compiler's options for a CPU of that name with so many lanes of 32 bits; for the CPU at hand, if the name is
 * not known. */
const char *emit_options_for(const char *machine, int lanes);
/* .. for that machine, with what its text is tuned for. */
const char *emit_options_of(Arena *a, const Arch *machine);
void emit_reference(Buffer *to, const Output *o);                 /* check/reference.cc (reference.c) */
/* Without a sequential codelet that file is an #error that says so. */
#define EMIT_NO_REFERENCE "has no sequential codelet to check against"
void emit_prepared(Buffer *to, const Output *o);                  /* check/codelets.h (reference.c) */
void emit_codelets(Buffer *to, const Output *o);                  /* check/codelets.cc (reference.c) */
/* check/codelets.json: the codelets as they were read, and what the passes remarked on them (read.c). */
void emit_read(Buffer *to, const Output *o, const Diagnostics *said);
/* The headers that execute codelets, check/language.h and those that it includes. NULL ends them (witness.c). */
extern const struct EmbeddedFile { const char *path, *text; } emit_witness_files[];
/* manifest.json (manifest.c). False, with errno, when a spooled text cannot be read. */
bool emit_manifest(Buffer *to, const Output *o);
/* The same in pieces: what precedes the variants, a variant by its number, what follows them. */
void emit_manifest_begin(Buffer *to, const Output *o);
bool emit_manifest_variant(Buffer *to, const Output *o, int number);
void emit_manifest_end(Buffer *to, const Output *o);
/* The entry of a variant whose trees are still in memory. */
void emit_manifest_entry(Buffer *to, const Output *o, const Variant *v);
void emit_listing(Buffer *to, const Output *o, int width);        /* --list; 0: lines of any width (listing.c) */

/* ---- parts of these files ---- */

/* The macro that lists a variant's configurations; their C type, the same for all variants (configurations.c). */
void emit_configurations_macro(Buffer *to, const Program *p);
void emit_configuration_type(Buffer *to, const Output *o);
/* The device functions that a program uses (device_functions.c); its kernels, and the host function that launches them
 * (host.c). */
void emit_device_functions(Buffer *to, const Output *o, const Program *p);
void emit_most_turns(Buffer *to, const Program *p); /* of loops that have no other bound */
void emit_kernels(Buffer *to, const Output *o, const Program *p);
/* Error reporting: its declarations, and its definitions in NAME.cu (errors.c). */
void emit_error_declarations(Buffer *to, const Output *o);
void emit_errors(Buffer *to, const Output *o);
/* The arguments of NAME_arguments: the sizes, then each array with its type's alignment. */
void emit_checked_arguments(Buffer *to, const Output *o, const ElementType *e);
/* In C, the check that precedes a shortcut: true only where no argument can be wrong. */
void emit_is_sound(Buffer *to, const Output *o);

/* ---- kernel form as CUDA (cuda.c) ---- */

void cuda_expression(Buffer *to, const Tree *t);
void cuda_statements(Buffer *to, const Tree *seq, int indent, const Program *p, const char *line_folder);
void cuda_kernel(Buffer *to, const Kernel *k, const Program *p, const char *line_folder);
/* The parameters of a generic program's templates, "typename E, typename T", and as arguments, "E, T". */
const char *cuda_template_parameters(Arena *a, const Program *p);
const char *cuda_template_arguments(Arena *a, const Program *p);
/* The element type in kernels: T, or the type of codelets that are not generic. */
const char *cuda_element_type(const Program *p);
/* .. and that of what a scan's tiles post: "T", or what its results are. */
const char *cuda_total_type(const Program *p);
/* Overloads for the atomics in Program.helpers (device_atomics.c). */
void emit_atomics(Buffer *to, const Output *o, const Program *p);

/* ---- kernel form as C11 with OpenMP (c.c) ---- */

void c_expression(Buffer *to, const Tree *t);
void c_statements(Buffer *to, const Tree *seq, int indent, const Program *p, const char *line_folder);
void c_kernel(Buffer *to, const Kernel *k, const Program *p, const char *line_folder);
/* Does it change by atomics what threads share? Then its text is compiled for a thread alone, too, without them. */
bool c_adds_for_all(const Kernel *k);
/* The function for the minimum or maximum of two: "min_index" of an Index, "min_int", "OF(min)" of T. */
const char *c_minmax(Arena *a, Op op, Type type);
/* The function for bits of a number in its order: "order_bits_int", a macro of the text for T. */
const char *c_order_bits(Type type);
/* Has C's text a function of its own for that, for the lanes of vectors? lane_exp. */
bool c_lane_function(Op op);
/* The lowest or highest value of a type: "INT_MIN", "LOWEST" of T. */
const char *c_limit(Type type, Limit limit);

/* ---- a user's operator (monoid.c, monoid_types.c, monoid_check.c) ---- */

/* The element types of a monoid, in place of those asked for, with names for C functions and the types of the C header.
 * `prefix' is the output's name. */
const ElementType **monoid_elements(Arena *a, const Monoid *m, const char *prefix, const ElementType *const *asked,
                                    int *n);
/* The monoid for one of the output's types; the C types of its result and of its state. */
const MonoidType *output_monoid(const Output *o, const ElementType *e);
const char *monoid_result(Arena *a, const Output *o, const ElementType *e);
const char *monoid_state(Arena *a, const Output *o, const ElementType *e);
/* output_template_types of a spectrum with such an operator. */
TemplateTypes monoid_template_types(Arena *a, const Output *o, const Program *p, const ElementType *e,
                                    const char *within);
/* C structs of its elements, states and results, for the header and for each variant's file. */
void emit_monoid_structs(Buffer *to, const Output *o);
/* Its text, and the functions of the prelude that it calls; lowest<T>() and highest<T>(). */
void emit_monoid(Buffer *to, const Output *o);
void emit_limits(Buffer *to, const Output *o);
/* check/operator.h: the operator of each type for C++ programs: id, op, lift, finish, example, and their types. */
void emit_monoid_operator(Buffer *to, const Output *o);
/* check/types.h: the layout of its structs, for `tgc check'. */
void emit_monoid_layouts(Buffer *to, const Output *o);

/* ---- the output folder (folder.c) ---- */

typedef struct OutputFile {
  const char *path; /* relative to the folder */
  const char *text;
  size_t length;
  Spooled spooled; /* the text, where it was spooled to disk */
} OutputFile;

/* Writes all files into the folder `dir`, atomically: they are staged beside it, flushed, then renamed; variants of
 * an earlier run that are no longer made are removed. A failure (unwritable, full disk, a folder that is not tgc's
 * own) is an error in `d` and leaves what was there. The folder is locked meanwhile: a second process waits. If the
 * process is killed, the folder has either the old files or the new ones. */
bool folder_write(Arena *a, const char *dir, const OutputFile *files, int n, Diagnostics *d);
/* The same for some files of a folder that is known to be tgc's; all others stay. */
bool folder_replace(Arena *a, const char *dir, const OutputFile *files, int n, Diagnostics *d);

#endif
