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
  const Arch *machine;
  const ElementType **types;   /* those asked for */
  int ntypes;
  Variant *variants;           /* in listing order */
  int nvariants;
  Table table;                 /* which variant serves which size, in which configuration */
  bool line_directives;        /* #line to the codelets' text */
} Output;

/* The path's last part: what generated text says of its source, so that it does not depend on the machine. */
const char *output_source_name(const Output *o);

/* The variant that a table's row names; NULL: there is none. And what the row has one of its tunables be. */
const Variant *output_variant(const Output *o, const char *id);
int64_t output_number(const TableRow *r, const ProgramConstant *c);

/* ---- the language that it is written in (language.c) ---- */
typedef enum Language {
  LANGUAGE_CUDA,
  LANGUAGE_C,  /* C11 with OpenMP, for a CPU */
  LANGUAGE_CPP /* C++17 with OpenMP: a CPU, and an operator of the user's */
} Language;

Language output_language(const Output *o);
bool output_is_for_cpu(const Output *o);
/* What its files end in: "cu". */
const char *output_extension(const Output *o);
/* What the language calls a C type of the tables in ir/: "tgc_half" of "__half" on a CPU; NULL: a CPU has no such
 * type. */
const char *output_type(const Output *o, const char *c_type);
const char *language_cpu_type(const char *c_type);
/* What kernels call a type: in CUDA complex numbers are the text's own; C and C++ for a CPU know them. */
const char *output_text(const Output *o, const ElementType *e);
/* What a word is in that language: of "error", "cudaError_t" or "int". NULL: there is no such word. */
const char *output_word(const Output *o, const char *word);
/* Text that says the same in all of them: $word stands for a word of the language's, $name for the output's name, and
 * words may be given, each a pair of strings, NULL behind the last. */
void emit_worded(Buffer *to, const Output *o, const char *text, ...) __attribute__((sentinel));

/* ---- one file each, .cu for a GPU, .c or .cc for a CPU ---- */
void emit_variant(Buffer *to, const Output *o, const Variant *v); /* variants/ID.cu (variant.c) */
/* Of a variant's text: the macro that lists its configurations, and their type, the same for all of an output. */
void emit_configurations_macro(Buffer *to, const Program *p);
void emit_configuration_type(Buffer *to, const char *name);
/* How many bytes at a workspace's start are zero before and after a call; INT_MAX: all. */
int output_workspace_zero(const Output *o);
/* Do the machine's own shuffles take values of all types? */
bool output_shuffles_whole(const Output *o);
/* Of a program whose blocks look back: how they do. */
void emit_look_back(Buffer *to, const Output *o, const Program *p);
/* lowest<T>() and highest<T>(), each with `qualifiers' before it. */
void emit_limits(Buffer *to, const char *qualifiers);
void emit_header(Buffer *to, const Output *o);                    /* sum.h (library.c) */
void emit_dispatch(Buffer *to, const Output *o);                  /* sum.cu (dispatch.c) */
void emit_from(Buffer *to, const Output *o);                      /* sum_from.cu (from.c) */
void emit_counted(Buffer *to, const Output *o);                   /* sum_counted.cu (counted.c) */
void emit_table(Buffer *to, const Output *o);                     /* sum.table (dispatch.c) */
void emit_cmake(Buffer *to, const Output *o);                     /* CMakeLists.txt (cmake.c) */
/* .. and what it tells a C compiler, to use the vectors of a CPU of that name, which have so many lanes of 32 bits; the
 * machine at hand, if we do not know it. */
const char *emit_options_for(const char *machine, int lanes);
void emit_reference(Buffer *to, const Output *o);                 /* check/reference.cc (reference.c) */
/* .. which does not compile, and says so, where there is none. */
#define EMIT_NO_REFERENCE "has no sequential codelet to check against"
void emit_prepared(Buffer *to, const Output *o);                  /* check/codelets.h (reference.c) */
void emit_codelets(Buffer *to, const Output *o);                  /* check/codelets.cc (reference.c) */
/* The headers that execute it, as texts: check/language.h and those that it stands on. NULL ends them. */
extern const struct EmbeddedFile { const char *path, *text; } emit_witness_files[];
/* manifest.json (manifest.c). False, with errno, when what waits on disk cannot be read. */
bool emit_manifest(Buffer *to, const Output *o);
/* .. in pieces: what stands before the variants, a variant by its number, what stands behind them. */
void emit_manifest_begin(Buffer *to, const Output *o);
bool emit_manifest_variant(Buffer *to, const Output *o, int number);
void emit_manifest_end(Buffer *to, const Output *o);
/* What it says of a variant whose trees are there. */
void emit_manifest_entry(Buffer *to, const Output *o, const Variant *v);
void emit_listing(Buffer *to, const Output *o, int width);        /* --list; 0: lines of any width (listing.c) */

/* Of a program's text: the small functions that its kernels and its host call; then these. */
void emit_support(Buffer *to, const Output *o, const Program *p);
void emit_run(Buffer *to, const Output *o, const Program *p);
/* Of the arguments of the function that says how many blocks share a multiprocessor, the last: what a lane works with. */
void emit_lane_registers(Buffer *to, const Kernel *k);

/* How a failed call is told in words: declarations, and in NAME.cu what they declare (errors.c). */
void emit_error_declarations(Buffer *to, const Output *o);
void emit_errors(Buffer *to, const Output *o);
/* The operands, of that type, as NAME_arguments takes them: the sizes, then each array with the alignment of its
 * type. */
void emit_argument_checks(Buffer *to, const Output *o, const ElementType *e);
/* Of a CPU, where the number of elements says which variant serves: does a variant do its work without a workspace?
 * Then it gives NAME.c a function for each of its configurations that does nothing else, so that a call of a few
 * elements takes no longer than it must; and that function's type. */
bool output_works_alone(const Output *o, const Program *p);
/* Does any variant? Then there are shortcuts to the work alone. */
bool output_has_shortcuts(const Output *o);
void emit_work_type(Buffer *to, const Output *o, const ElementType *e);
/* In C, a function of the same arguments: is there surely nothing wrong with them? */
void emit_is_sound(Buffer *to, const Output *o);

/* C types of the spectrum's functions for one element type: of what they read, and of what they store. */
const char *output_element(const Output *o, const ElementType *e);
const char *output_result(Arena *a, const Output *o, const ElementType *e);
const char *output_includes(Arena *a, const Output *o); /* lines for what defines them, or "" (language.c) */
/* Parameters: of a function that users call (void *workspace, size_t *workspace_bytes, const float *in, uint64_t n,
 * float *out, cudaStream_t stream), of one that takes no workspace, and of a variant's own, which takes a configuration
 * before all that. */
void emit_signature(Buffer *to, const Output *o, const ElementType *e);
void emit_async_signature(Buffer *to, const Output *o, const ElementType *e);
void emit_variant_signature(Buffer *to, const Output *o, const ElementType *e);
/* Are any of the types complex? Kernels have a type of their own for these (complex.c): its text, each function with
 * `qualifiers' before it. */
bool output_has_complex(const Output *o);
void emit_complex(Buffer *to, const char *qualifiers);
/* The same types as text in the spectrum's namespace has them. */
const char *output_element_text(const Output *o, const ElementType *e);
const char *output_result_text(const Output *o, const ElementType *e);
/* How a function of C's calls a program's templates for one type: their arguments, and casts of pointers to what the
 * namespace `within' ("sum_ab12::", or "") has of its own: complex numbers, the user's structs. They are laid out as
 * C's. */
typedef struct EntryTypes {
  const char *arguments;
  const char *element, *state, *result; /* what E, T and R are; E and R may be T */
  const char *cast_in, *cast_out;       /* "(const ab12::Mat2 *)", or "" */
} EntryTypes;
EntryTypes output_entry(Arena *a, const Output *o, const Program *p, const ElementType *e, const char *within);
/* .. and of those that start from a value, or read on the device how many elements there are. */
void emit_from_signature(Buffer *to, const Output *o, const ElementType *e);
void emit_counted_signature(Buffer *to, const Output *o, const ElementType *e);
/* Is there a function that starts from a value; one that reads on the device how many elements there are? Only of
 * reductions, on GPUs. */
bool output_starts_from(const Output *o);
bool output_counts(const Output *o);

/* ---- operands (operands.c): what the functions take besides workspace and stream ---- */
const Signature *output_operands(const Output *o); /* the same for all variants */
bool output_is_reduction(const Output *o);         /* in, n, out */
bool output_compares(const Output *o);             /* some variant refuses sizes that do not fit together */
/* The C type, as callers have it, of an operand, or of its elements. */
const char *operand_type(Arena *a, const Output *o, const Signature *s, const Operand *x, const ElementType *e);
/* .. and as text in the namespace `within' has it. */
const char *operand_text(Arena *a, const Output *o, const Program *p, const Operand *x, const ElementType *e,
                         const char *within);
/* "n", "rows * columns": how many elements an array has; NULL: one. */
const char *operand_elements(Arena *a, const Signature *s, const Operand *x);
/* The first container; NULL: there is none. And how many elements that has: by it a variant is picked. */
const Operand *signature_first_array(const Signature *s);
const char *output_work(Arena *a, const Signature *s);
/* .. or, where each of many parts has a result or is scanned by itself, by how many elements each has, and by how many
 * parts there are (dispatch.c). */
bool output_by_shape(const Output *o);
/* const float *in, uint64_t n, float *out; and one of them, of that type. */
void emit_parameter(Buffer *to, const Operand *x, const char *type);
void emit_operands(Buffer *to, const Output *o, const ElementType *e);
/* const E *in, Index n, T *out; `stored': what arrays of T that are only read have in memory; NULL: what they say. */
void emit_own_operands(Buffer *to, const Signature *s, const char *stored);
/* in, n, out; and what stands for them where no work is done: nullptr, 0, nullptr. */
void emit_operand_names(Buffer *to, const Signature *s);
void emit_no_operands(Buffer *to, const Output *o);
/* The first list's as arguments for a template in the namespace `within': (const complex<float> *)in, (Index)n, ..; one
 * of them, whose types in C and there are given. */
void emit_operands_as_own(Buffer *to, const Output *o, const Program *p, const ElementType *e, const char *within);
void emit_operand_as(Buffer *to, const Operand *x, const char *type, const char *own, const char *within);
/* A line for each: its name and what it is. */
void emit_operand_words(Buffer *to, const Signature *s, const char *before);
/* complex<float> as text outside of the namespace `within' has it. */
const char *text_in_namespace(Arena *a, const char *within, const char *type);

/* ---- the folder (folder.c) ---- */

typedef struct OutputFile {
  const char *path; /* relative to the folder */
  const char *text;
  size_t length;
  Spooled spooled; /* where the text waits on disk instead */
} OutputFile;

/* Writes all files into the folder `dir`, whole or not at all: everything is written beside it first, flushed,
 * and then moved in; variants of an earlier run that are no longer made are removed. A failure (unwritable, full
 * disk, a folder that is not tgc's own) is an error in `d` and leaves what was there. The folder is locked meanwhile: of two
 * processes the one waits for the other; and of one that is killed, the folder has the old files or the new ones. */
bool folder_write(Arena *a, const char *dir, const OutputFile *files, int n, Diagnostics *d);
/* The same of some files of a folder that is known to be tgc's; all others stay. */
bool folder_replace(Arena *a, const char *dir, const OutputFile *files, int n, Diagnostics *d);

/* ---- kernel form as CUDA text (cuda.c) ---- */
void cuda_expression(Buffer *to, const Tree *t);
void cuda_statements(Buffer *to, const Tree *seq, int indent, const Program *p, bool line_directives);
void cuda_kernel(Buffer *to, const Kernel *k, const Program *p, bool line_directives);
/* .. and as C11 with OpenMP (c.c) */
/* What the least or the greatest of two is called there: "least" of positions, "least_int", "OF(min)" of T's. */
const char *c_least_of(Arena *a, Op op, Type type);
/* The least or the greatest value of a type: "INT_MIN", of T's "LOWEST". */
const char *c_limit_of(Type type, Limit limit);
void c_expression(Buffer *to, const Tree *t);
void c_statements(Buffer *to, const Tree *seq, int indent, const Program *p, bool line_directives);
void c_kernel(Buffer *to, const Kernel *k, const Program *p, bool line_directives);
/* Device functions for the atomics in Program.helpers (device_atomics.c). */
void emit_atomics(Buffer *to, const Output *o, const Program *p);
/* What a generic program is a template over, "typename E, typename T", and the same as arguments, "E, T". */
const char *cuda_generic(Arena *a, const Program *p);
/* The name of the element type in a kernel: T, or that of codelets that are not generic. */
const char *cuda_carried(const Program *p);
const char *cuda_arguments(Arena *a, const Program *p);

/* ---- operators of the user's (monoid.c) ---- */
/* The element types of a monoid, in place of those that were asked for: named for functions, spelt as the C header has
 * them. `prefix' is the output's name. */
const ElementType **monoid_elements(Arena *a, const Monoid *m, const char *prefix, const ElementType *const *asked,
                                    int *n);
/* What the monoid is for one of the output's types. */
const MonoidType *output_monoid(const Output *o, const ElementType *e);
/* The C type of its result for that type. */
const char *monoid_result(Arena *a, const Output *o, const ElementType *e);
/* .. and of its state. */
const char *monoid_state(Arena *a, const Output *o, const ElementType *e);
/* The C structs of its elements, states and results, for a header and for each variant's file. */
void emit_monoid_structs(Buffer *to, const Output *o);
/* Its own text, and the small functions that it calls. */
void emit_monoid(Buffer *to, const Output *o);
/* output_entry of a spectrum with such an operator. */
EntryTypes monoid_entry(Arena *a, const Output *o, const Program *p, const ElementType *e, const char *within);
/* check/operator.h: the operator of each type for programs in CUDA: id, op, lift, finish, example, and their types. */
void emit_monoid_operator(Buffer *to, const Output *o);
/* check/types.h: what `tgc check' has to know of them. */
void emit_monoid_layouts(Buffer *to, const Output *o);

#endif
