/* library.c: what a user includes: the header, NAME.h. */
#include <ctype.h>
#include <string.h>

#include "emit/emit.h"

static const char *upper(Arena *a, const char *s) {
  char *u = arena_strdup(a, s);
  for (char *c = u; *c; c++) *c = (char)toupper((unsigned char)*c);
  return u;
}

const char *output_element(const Output *o, const ElementType *e) {
  Type t = o->spectrum->codelets[0]->params[0]->type;
  return t == TYPE_ELEM ? e->c_type : type_name(t);
}

const char *output_result(Arena *a, const Output *o, const ElementType *e) {
  if (o->spectrum->monoid) return monoid_result(a, o, e);
  return o->spectrum->result == TYPE_ELEM ? element_accumulator(e)->c_type : type_name(o->spectrum->result);
}

bool output_has_complex(const Output *o) {
  for (int i = 0; i < o->ntypes; i++)
    if (o->types[i]->sort == SORT_COMPLEX) return true;
  return false;
}

const char *output_element_text(const Output *o, const ElementType *e) {
  Type t = o->spectrum->codelets[0]->params[0]->type;
  return t == TYPE_ELEM ? e->text : type_name(t);
}

const char *output_result_text(const Output *o, const ElementType *e) {
  return o->spectrum->result == TYPE_ELEM ? element_accumulator(e)->text : type_name(o->spectrum->result);
}

const char *output_in_namespace(Arena *a, const char *within, const char *type) {
  return strncmp(type, "complex<", 8) == 0 ? arena_printf(a, "%s%s", within, type) : type;
}

EntryTypes output_entry(Arena *a, const Output *o, const Program *p, const ElementType *e, const char *within) {
  if (p->monoid) return monoid_entry(a, o, p, e, within);
  const char *from = output_in_namespace(a, within, output_element_text(o, e));
  const char *in = output_in_namespace(a, within, output_result_text(o, e));
  bool same_in = strcmp(from, output_element(o, e)) == 0, same_out = strcmp(in, output_result(a, o, e)) == 0;
  return (EntryTypes){p->element == TYPE_STORED ? arena_printf(a, "%s, %s", from, in) : from, from, in, in,
                      same_in ? "" : arena_printf(a, "(const %s *)", from),
                      same_out ? "" : arena_printf(a, "(%s *)", in)};
}

const char *output_includes(Arena *a, const Output *o) {
  static const struct { const char *begins, *include; } rows[] = {
      {"__half", "#include <cuda_fp16.h>\n"}, {"__nv_bfloat16", "#include <cuda_bf16.h>\n"},
      {"cu", "#include <cuComplex.h>\n"}};
  Buffer b = buffer_new(a);
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    for (int i = 0; i < o->ntypes; i++) {
      if (strncmp(o->types[i]->c_type, rows[k].begins, strlen(rows[k].begins)) != 0) continue;
      buffer_puts(&b, rows[k].include);
      break;
    }
  return b.length ? b.text : "";
}

void emit_signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "void *workspace, size_t *workspace_bytes, const %s *in, uint64_t n, %s *out, cudaStream_t stream",
                output_element(o, e), output_result(to->arena, o, e));
}

void emit_variant_signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "const %s_configuration *c, ", o->name);
  emit_signature(to, o, e);
}

void emit_from_signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "void *workspace, size_t *workspace_bytes, const %s *in, uint64_t n, %s init,\n    %s *out, "
                    "cudaStream_t stream", output_element(o, e), output_result(to->arena, o, e),
                    output_result(to->arena, o, e));
}

void emit_counted_signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "void *workspace, size_t *workspace_bytes, const %s *in, const uint64_t *n,\n    uint64_t most, "
                    "%s *out, cudaStream_t stream", output_element(o, e), output_result(to->arena, o, e));
}

/* Of the header: its name, the spectrum, the codelets' file, the machine, its guard twice, includes. */
static const char header_start[] =
"/* %s.h: %s on a GPU. Made by tgc from %s for %s; this text is yours.\n"
" *\n"
" * Calls are asynchronous: they queue work on `stream`, synchronise nothing, copy nothing to the host, "
"and may be captured\n"
" * in a graph. `in` holds n elements in device memory at any alignment that their type allows; `out` gets one. "
"n = 0 gives\n"
" * the operator's identity. Errors come back as cudaError_t; cudaErrorInvalidValue: a workspace too small, "
"n too large.\n"
" *\n"
" * Workspace: call with workspace = NULL to learn in *workspace_bytes how many bytes a call of n needs; "
"allocate them in\n"
" * device memory (aligned as cudaMalloc does); call again. One workspace serves one call at a time: "
"calls that may overlap\n"
" * (two streams) need one each. */\n"
"#ifndef TGC_%s_H\n#define TGC_%s_H\n\n"
"%s#include <cuda_runtime_api.h>\n#include <stddef.h>\n#include <stdint.h>\n\n"
"#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";

void emit_header(Buffer *to, const Output *o) {
  const char *name = o->name, *guard = upper(to->arena, name);
  buffer_printf(to, header_start, name, o->spectrum->name, output_source_name(o), o->machine->name, guard, guard,
                output_includes(to->arena, o));
  if (o->spectrum->monoid) {
    emit_monoid_structs(to, o);
    buffer_puts(to, "\n");
  }
  for (int i = 0; i < o->ntypes; i++) {
    buffer_printf(to, "cudaError_t %s_%s(", name, o->types[i]->name);
    emit_signature(to, o, o->types[i]);
    buffer_puts(to, ");\n");
  }
  buffer_printf(to, "\n/* Makes a new workspace ready; every successful call leaves it ready for the next. */\n"
                    "cudaError_t %s_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream);\n",
                name);
  buffer_printf(to, "\n/* Takes ranges of sizes from a file (type, up_to, variant, threads, loads, blocks: "
                    "NAME.table is one) in place of those that were\n"
                    " * compiled; not while calls are made. The environment does the same before the first call: "
                    "TGC_TABLE names such a file,\n"
                    " * TGC_VARIANT=id[:threads[:loads[:blocks]]] has one variant serve every size. "
                    "What names no variant or configuration of\n"
                    " * this library gives cudaErrorInvalidConfiguration, and the compiled ranges serve again. */\n"
                    "cudaError_t %s_load_table(const char *path);\n", name);
  buffer_puts(to, "\n/* The same without a workspace of the caller's: "
                  "it is taken from and given back to the device's memory pool,\n"
                  " * in stream order. */\n");
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "cudaError_t %s_%s_async(const %s *in, uint64_t n, %s *out, cudaStream_t stream);\n", name,
                  o->types[i]->name, output_element(o, o->types[i]), output_result(to->arena, o, o->types[i]));
  if (output_starts_from(o))
    buffer_puts(to, "\n/* Starts from a value: out = init combined with the reduction, init on the left. */\n");
  for (int i = 0; i < o->ntypes && output_starts_from(o); i++) {
    buffer_printf(to, "cudaError_t %s_%s_from(", name, o->types[i]->name);
    emit_from_signature(to, o, o->types[i]);
    buffer_puts(to, ");\n");
  }
  buffer_puts(to, "\n/* The number of elements lies in device memory and is read when the work runs, at most `most': "
                  "a graph is captured\n * once and replayed with other numbers. The workspace is that of `most', "
                  "asked for with it. */\n");
  for (int i = 0; i < o->ntypes; i++) {
    buffer_printf(to, "cudaError_t %s_%s_counted(", name, o->types[i]->name);
    emit_counted_signature(to, o, o->types[i]);
    buffer_puts(to, ");\n");
  }
  buffer_printf(to, "\n/* Why this thread's last call of these functions failed, in words; of another error, CUDA's. "
                    "The text stays until the\n * thread's next call. */\n"
                    "const char *%s_error_text(cudaError_t error);\n", name);
  buffer_puts(to, "\n");
  emit_configuration_type(to, name);
  buffer_printf(to, "\n/* Every variant, for tests and tuners; each takes its own workspace. "
                    "A configuration that is NULL is the variant's own;\n"
                    " * one that was not compiled gives cudaErrorInvalidConfiguration. */\n"
                    "typedef struct %s_variant {\n"
                    "  const char *id, *plan, *category, *determinism;\n"
                    "  const %s_configuration *configurations; "
                    "/* those compiled, the variant's own first; zeros end them */\n", name, name);
  for (int i = 0; i < o->ntypes; i++) {
    buffer_printf(to, "  cudaError_t (*run_%s)(", o->types[i]->name);
    emit_variant_signature(to, o, o->types[i]);
    buffer_puts(to, ");\n");
  }
  buffer_printf(to, "} %s_variant;\nextern const %s_variant %s_variants[];\nextern const int %s_variant_count;\n\n"
                    "#ifdef __cplusplus\n}\n#endif\n\n#endif\n", name, name, name, name);
}
