/* library.c: NAME.h, the header that users include. */
#include <ctype.h>
#include <string.h>

#include "emit/template.h"

static const char *upper(Arena *a, const char *s) {
  char *u = arena_strdup(a, s);
  for (char *c = u; *c; c++) *c = (char)toupper((unsigned char)*c);
  return u;
}

/* ---- the comment at the header's start ---- */

static void put_filled(Buffer *to, const char *words) { buffer_put_paragraph(to, " * ", words); }

/* The names of the sizes, `last' before the last one: "n", "rows, columns, leading". */
static const char *size_names(Arena *a, const Signature *s, const char *last) {
  Buffer b = buffer_new(a);
  int left = 0;
  for (int i = 0; i < s->n; i++) left += s->at[i].kind == OPERAND_SIZE;
  for (int i = 0; i < s->n; i++) {
    if (s->at[i].kind != OPERAND_SIZE) continue;
    buffer_printf(&b, "%s%s", !b.length ? "" : left == 1 ? last : ", ", s->at[i].symbol->name);
    left--;
  }
  return b.length ? b.text : "that kind";
}

static const char in_cuda[] =
"Calls are asynchronous: they queue work on `stream`, synchronise nothing, copy nothing to the host, and may be "
"captured in a graph.";
static const char in_c[] =
"Calls are synchronous and use OpenMP's threads. Several threads may call concurrently.";

static void describe_calls(Buffer *to, const Output *o) {
  const Signature *s = output_operands(o);
  bool cpu = output_is_for_cpu(o);
  const char *how = cpu ? in_c : in_cuda, *lie = cpu ? "" : " in device memory";
  const char *errors = cpu ? "Functions return 0 or a code of errno.h. EINVAL"
                           : "Functions return a cudaError_t. cudaErrorInvalidValue";
  if (output_is_reduction(o)) {
    put_filled(to, arena_printf(to->arena,
      "%s `in` holds n elements%s, aligned to their type; `out` gets one. n = 0 gives "
      "the operator's identity. %s: a workspace too small, n too large.", how, lie, errors));
    return;
  }
  put_filled(to, how);
  buffer_puts(to, " *\n");
  emit_operand_descriptions(to, o, " *   ");
  buffer_puts(to, " *\n");
  put_filled(to, arena_printf(to->arena,
                              "Arrays are%s aligned to their element type. Outputs must not overlap inputs. %s: a "
                              "workspace too small, %s too large%s.",
                              lie, errors, size_names(to->arena, s, " or "),
                              output_checks_sizes(o) ? ", or sizes that do not fit together" : ""));
}

/* tgc tune writes this paragraph anew (tune/folder.c). */
static void describe_dispatch(Buffer *to, const Output *o) {
  if (!o->table.rows.n) return;
  table_print_origin(to, o->name, output_table_origin(to->arena, o, NULL));
  buffer_puts(to, " *\n");
}

static void describe_workspace(Buffer *to, const Output *o) {
  bool cpu = output_is_for_cpu(o);
  put_filled(to, arena_printf(to->arena,
    "Workspace: call with workspace = NULL to get in *workspace_bytes the size that a call of %s needs; allocate it "
    "%s; call again. Concurrent calls (%s) need a workspace each. */",
    size_names(to->arena, output_operands(o), " and "),
    cpu ? "(aligned as malloc does)" : "in device memory (aligned as cudaMalloc does)",
    cpu ? "of several threads" : "on several streams"));
}

/* ---- the functions ---- */

static const char tables[] =
    "\n/* Initialises a workspace. Once is enough: every successful call leaves it ready for the next. */\n"
    "ERROR NAME(workspace_init)(void *workspace, size_t workspace_bytes##ON_STREAM);\n"
    "\n/* Replaces the compiled ranges of SIZES by those of a file, such as NAME.table (columns: type, up_to, variant, "
    "threads,\n"
    " * loads, blocks##OTHERS). Do not call it concurrently with other functions. The environment does the same before "
    "the\n"
    " * first call: TGC_TABLE names a file; TGC_VARIANT=id[:threads[:loads[:blocks]]] selects one variant for every "
    "size.\n"
    " * MISSING: this library has no such variant or configuration; the compiled ranges apply again. */\n"
    "ERROR NAME(load_table)(const char *path);\n";

static const char selecting[] =
    "\n/* Online selection, which is off by default: the first calls of a class (a type, a device, a power of two of "
    "each size by\n"
    " * which variants are picked) go to up to so many candidates in turn, and are timed; then the fastest serves the "
    "class. Every\n"
    " * call's result is the caller's, and no call waits. Candidates are variants that guarantee what `determinism' "
    "says: \"not_guaranteed\",\n"
    " * \"run_to_run\", \"gpu_to_gpu\", \"sequential\". Each keeps its promise; which of them runs depends on times. "
    "0 candidates: off again.\n"
    " * Ask for a workspace's size while it is on. Do not call it concurrently with other functions. */\n"
    "ERROR NAME(select_online)(int candidates, const char *determinism);\n"
    "/* Other data of the same sizes: forgets what was decided. */\n"
    "ERROR NAME(select_forget)(void);\n"
    "/* Writes what was decided as a table, for NAME(load_table) and `tgc --table'. */\n"
    "ERROR NAME(select_save)(const char *path);\n";

typedef void (*PrintSignature)(Buffer *to, const Output *o, const ElementType *e);

/* Declares a function for each type, with that suffix. */
static void declare_functions(Buffer *to, const Output *o, const char *suffix, PrintSignature print) {
  for (int i = 0; i < o->ntypes; i++) {
    emit_template(to, o, o->types[i], "ERROR FUNCTION##SUFFIX(", "SUFFIX", suffix, NULL);
    print(to, o, o->types[i]);
    buffer_puts(to, ");\n");
  }
}

/* Functions of GPUs alone: _async, _from and _counted. */
static void declare_cuda_functions(Buffer *to, const Output *o) {
  buffer_puts(to, "\n/* The same without a workspace of the caller's: "
                  "it is taken from and given back to the device's memory pool,\n"
                  " * in stream order. */\n");
  declare_functions(to, o, "_async", emit_async_signature);
  if (output_starts_from(o)) {
    buffer_puts(to, "\n/* Starts from a value: out = init combined with the reduction, init on the left. */\n");
    declare_functions(to, o, "_from", emit_from_signature);
  }
  if (output_counts(o)) {
    buffer_puts(to, "\n/* The number of elements is read from device memory when the work runs; above `most' it counts "
                    "as `most'. So a captured\n * graph can be replayed with other numbers. Query the workspace with "
                    "`most'. */\n");
    declare_functions(to, o, "_counted", emit_counted_signature);
  }
}

/* The table of variants. */
static void declare_variants(Buffer *to, const Output *o) {
  emit_template(to, o, NULL, "\n/* Every variant, for tests and tuners; each takes its own workspace. "
                     "A configuration that is NULL is the variant's own;\n"
                     " * one that was not compiled gives MISSING##LACKS */\n"
                     "typedef struct NAME(variant) {\n"
                     "  const char *id, *plan, *category, *determinism;\n"
                     "  const NAME(configuration) *configurations; "
                     "/* those compiled, the variant's own first; zeros end them */\n",
              "LACKS", output_is_partial(o) ? ".\n * A function is NULL where the variant is not for the type." : ".",
              NULL);
  for (int i = 0; i < o->ntypes; i++) {
    emit_template(to, o, o->types[i], "  ERROR (*RUN)(", NULL);
    emit_variant_signature(to, o, o->types[i]);
    buffer_puts(to, ");\n");
  }
  emit_template(to, o, NULL, "} NAME(variant);\nextern const NAME(variant) NAME(variants)[];\n"
                     "extern const int NAME(variant_count);\n\n", NULL);
}

void emit_header(Buffer *to, const Output *o) {
  bool cpu = output_is_for_cpu(o);
  emit_template(to, o, NULL, "/* OUTPUT.h: SPECTRUM on a DEVICE. Made by tgc from SOURCE for MACHINE; this text is "
                "yours.\n"
                     " *\n",
              "OUTPUT", o->name, "SPECTRUM", o->spectrum->name, "DEVICE", cpu ? "CPU" : "GPU",
              "SOURCE", output_source_name(o), "MACHINE", o->machine->name, NULL);
  describe_calls(to, o);
  buffer_puts(to, " *\n");
  describe_dispatch(to, o);
  describe_workspace(to, o);
  buffer_printf(to, "#ifndef TGC_%1$s_H\n#define TGC_%1$s_H\n\n", upper(to->arena, o->name));
  if (!cpu) buffer_printf(to, "%s#include <cuda_runtime_api.h>\n", output_includes(to->arena, o));
  buffer_puts(to, "#include <stddef.h>\n#include <stdint.h>\n\n");
  if (cpu && *output_includes(to->arena, o)) buffer_printf(to, "%s\n", output_includes(to->arena, o));
  buffer_puts(to, "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
  if (o->spectrum->monoid) {
    emit_monoid_structs(to, o);
    buffer_puts(to, "\n");
  }
  declare_functions(to, o, "", emit_signature);
  emit_template(to, o, NULL, tables, "SIZES", output_by_shape(o) ? "shapes" : "sizes", "OTHERS",
                output_members(to->arena, o).n > USUAL_TUNABLES ? ", name=8 of others" : "", NULL);
  if (o->order) emit_template(to, o, NULL, selecting, NULL);
  if (!cpu) declare_cuda_functions(to, o);
  emit_template(to, o, NULL, "\n/* A message for this thread's last failed call; for any other error code, WHOSE text. "
                     "Valid until\n * the thread's next call. */\n"
                     "const char *NAME(error_text)(ERROR error);\n\n",
              "WHOSE", cpu ? "strerror's" : "CUDA's", NULL);
  if (cpu)
    buffer_puts(to, "/* On a CPU: `threads' is the number of lanes of a vector, `loads' the number of vectors in "
                    "flight,\n * `blocks' the maximum number of threads, 0: one per processor. */\n");
  emit_configuration_type(to, o);
  declare_variants(to, o);
  buffer_puts(to, "#ifdef __cplusplus\n}\n#endif\n\n#endif\n");
}
