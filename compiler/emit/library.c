/* library.c: what a user includes and links: the header, the dispatch, the CMake file. */
#include <ctype.h>
#include <inttypes.h>
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

const char *output_result(const Output *o, const ElementType *e) {
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

/* (void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out, cudaStream_t stream) */
static void signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "void *workspace, size_t *workspace_bytes, const %s *in, uint64_t n, %s *out, cudaStream_t stream",
                output_element(o, e), output_result(o, e));
}

/* A variant's own function takes a configuration before that. */
static void variant_signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "const %s_configuration *c, ", o->spectrum->name);
  signature(to, o, e);
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
  const char *name = o->spectrum->name, *guard = upper(to->arena, name);
  buffer_printf(to, header_start, name, name, output_source_name(o), o->machine->name, guard, guard,
                output_includes(to->arena, o));
  for (int i = 0; i < o->ntypes; i++) {
    buffer_printf(to, "cudaError_t %s_%s(", name, o->types[i]->name);
    signature(to, o, o->types[i]);
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
                  o->types[i]->name, output_element(o, o->types[i]), output_result(o, o->types[i]));
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
    variant_signature(to, o, o->types[i]);
    buffer_puts(to, ");\n");
  }
  buffer_printf(to, "} %s_variant;\nextern const %s_variant %s_variants[];\nextern const int %s_variant_count;\n\n"
                    "#ifdef __cplusplus\n}\n#endif\n\n#endif\n", name, name, name, name);
}

static void entry(Buffer *to, const Output *o, const ElementType *e) {
  const char *name = o->spectrum->name, *type = e->name;
  buffer_printf(to, "\nextern \"C\" cudaError_t %s_%s(", name, type);
  signature(to, o, e);
  buffer_printf(to, ") {\n"
                    "  if (environment() != cudaSuccess) return environment();\n"
                    "  const Range<%s_function> *r = range_of(%s_in_use, n);\n"
                    "  return r->run(&r->c, workspace, workspace_bytes, in, n, out, stream);\n}\n", type, type);
  buffer_printf(to, "\nextern \"C\" cudaError_t %s_%s_async("
                    "const %s *in, uint64_t n, %s *out, cudaStream_t stream) {\n",
                name, type, output_element(o, e), output_result(o, e));
  buffer_printf(to,
    "  void *workspace = nullptr;\n  size_t bytes = 0;\n"
    "  cudaError_t error = %s_%s(nullptr, &bytes, in, n, out, stream);\n"
    "  if (error == cudaSuccess) error = cudaMallocAsync(&workspace, bytes, stream);\n"
    "  if (error != cudaSuccess) return error;\n"
    "  error = %s_workspace_init(workspace, bytes, stream);\n"
    "  if (error == cudaSuccess) error = %s_%s(workspace, &bytes, in, n, out, stream);\n"
    "  const cudaError_t freed = cudaFreeAsync(workspace, stream);\n"
    "  return error != cudaSuccess ? error : freed;\n}\n", name, type, name, name, type);
}

/* Every variant's functions, declared. */
static void declarations(Buffer *to, const Output *o) {
  const char *name = o->spectrum->name;
  buffer_puts(to, "extern \"C\" {\n");
  for (int v = 0; v < o->nvariants; v++) {
    buffer_printf(to, "extern const %s_configuration %s_%s_configurations[];\n", name, name, o->variants[v].plan->id);
    for (int i = 0; i < o->ntypes; i++) {
      buffer_printf(to, "cudaError_t %s_%s_%s(", name, o->variants[v].plan->id, o->types[i]->name);
      variant_signature(to, o, o->types[i]);
      buffer_puts(to, ");\n");
    }
  }
  buffer_puts(to, "}\n");
}

static void variants_table(Buffer *to, const Output *o) {
  const char *name = o->spectrum->name;
  buffer_printf(to, "\nextern \"C\" const %s_variant %s_variants[] = {\n", name, name);
  for (int v = 0; v < o->nvariants; v++) {
    const Plan *p = o->variants[v].plan;
    buffer_printf(to, "  {\"%s\", \"%s\", \"%s\", \"%s\", %s_%s_configurations", p->id, p->text,
                  category_name(p->category), determinism_name(p->determinism), name, p->id);
    for (int i = 0; i < o->ntypes; i++) buffer_printf(to, ", %s_%s_%s", name, p->id, o->types[i]->name);
    buffer_puts(to, "},\n");
  }
  buffer_printf(to, "};\nextern \"C\" const int %s_variant_count = %d;\n", name, o->nvariants);
}

/* ---- ranges of sizes ---- */

static void ranges(Buffer *to, const Output *o) {
  const char *name = o->spectrum->name;
  buffer_printf(to, "\nnamespace {\n\n"
                    "// Up to so many elements, that function in that configuration.\n"
                    "template <typename F> struct Range {\n"
                    "  uint64_t up_to;\n  F run;\n  %s_configuration c;\n};\n", name);
  const char **types = arena_many(to->arena, const char *, o->ntypes);
  for (int i = 0; i < o->ntypes; i++) {
    types[i] = o->types[i]->name;
    buffer_printf(to, "typedef decltype(%s_variant::run_%s) %s_function;\n", name, types[i], types[i]);
  }
  buffer_puts(to, "\n");
  table_print_ranges(to, name, types, o->ntypes, &o->table);
  buffer_puts(to, "\n// Those in use: the ranges above, or what was loaded at run time.\nenum { MOST_RANGES = 96 };\n");
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "Range<%s_function> %s_loaded[MOST_RANGES];\n"
                      "const Range<%s_function> *%s_in_use = %s_ranges;\n",
                  types[i], types[i], types[i], types[i], types[i]);
  buffer_puts(to, "\ntemplate <typename F> const Range<F> *range_of(const Range<F> *r, uint64_t n) {\n"
                  "  while (n > r->up_to) ++r;\n  return r;\n}\n");
}

/* One row of a table into the ranges of its type. %s: the spectrum, each time. */
static const char loading[] =
"\nconst %s_variant *variant_of(const char *id) {\n"
"  for (int i = 0; i < %s_variant_count; i++)\n"
"    if (std::strcmp(%s_variants[i].id, id) == 0) return &%s_variants[i];\n"
"  return nullptr;\n"
"}\n"
"\n// Adds a range to those of its type; false where sizes do not ascend, or there are too many.\n"
"template <typename F> bool add_range(Range<F> *to, int *count, uint64_t up_to, F run, const %s_configuration &c) {\n"
"  if (*count == MOST_RANGES || (*count > 0 && to[*count - 1].up_to >= up_to)) return false;\n"
"  to[(*count)++] = {up_to, run, c};\n"
"  return true;\n"
"}\n"
"\n// Does the function have that configuration?\n"
"template <typename F> bool compiled(F run, const %s_configuration &c) {\n"
"  size_t bytes = 0;\n"
"  return run(&c, nullptr, &bytes, nullptr, 0, nullptr, nullptr) == cudaSuccess;\n"
"}\n";

static void load_table(Buffer *to, const Output *o) {
  const char *name = o->spectrum->name;
  buffer_printf(to, loading, name, name, name, name, name, name);
  buffer_puts(to, "\nvoid use_compiled_ranges() {\n");
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "  %s_in_use = %s_ranges;\n", o->types[i]->name, o->types[i]->name);
  buffer_puts(to, "}\n");
  buffer_printf(to, "\n// The rest of a line that is longer than its buffer.\n"
                    "void skip_line(std::FILE *file) {\n"
                    "  for (int c; (c = std::fgetc(file)) != EOF && c != '\\n';) {}\n"
                    "}\n"
                    "\n} // namespace\n"
                    "\n// Reads `type up_to variant threads loads blocks' a line; # begins a comment.\n"
                    "extern \"C\" cudaError_t %s_load_table(const char *path) {\n"
                    "  std::FILE *file = path ? std::fopen(path, \"r\") : nullptr;\n"
                    "  if (file == nullptr) return cudaErrorInvalidValue;\n"
                    "  use_compiled_ranges();\n"
                    "  int count[%d] = {0};\n"
                    "  bool ok = true;\n"
                    "  char line[512];\n"
                    "  while (ok && std::fgets(line, sizeof line, file) != nullptr) {\n"
                    "    if (std::strchr(line, '\\n') == nullptr) skip_line(file);\n"
                    "    line[std::strcspn(line, \"#\\n\")] = 0;\n"
                    "    char type[32], up_to[32], id[32], more, *end = up_to;\n"
                    "    long long blocks = 0;\n"
                    "    %s_configuration c = {0, 0, 0};\n"
                    "    const int fields = std::sscanf(line, \"%%31s %%31s %%31s %%d %%d %%lld %%c\", "
                    "type, up_to, id,\n"
                    "                                   &c.threads, &c.loads, &blocks, &more);\n"
                    "    if (fields <= 0) continue;\n"
                    "    c.blocks = blocks;\n"
                    "    const %s_variant *v = fields == 6 ? variant_of(id) : nullptr;\n"
                    "    const bool any = std::strcmp(up_to, \"inf\") == 0;\n"
                    "    const uint64_t n = any ? UINT64_MAX : std::strtoull(up_to, &end, 10);\n"
                    "    ok = v != nullptr && (any || (up_to[0] >= '0' && up_to[0] <= '9' && *end == 0));\n",
                name, o->ntypes, name, name);
  for (int i = 0; i < o->ntypes; i++) {
    const char *t = o->types[i]->name;
    buffer_printf(to, "    if (ok && std::strcmp(type, \"%s\") == 0) "
                      "ok = add_range(%s_loaded, &count[%d], n, v->run_%s, c) && compiled(v->run_%s, c);\n",
                  t, t, i, t, t);
  }
  buffer_puts(to, "  }\n  std::fclose(file);\n");
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "  ok = ok && (count[%d] == 0 || %s_loaded[count[%d] - 1].up_to == UINT64_MAX);\n",
                  i, o->types[i]->name, i);
  buffer_puts(to, "  if (!ok) return cudaErrorInvalidConfiguration;\n");
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "  if (count[%d] > 0) %s_in_use = %s_loaded;\n", i, o->types[i]->name, o->types[i]->name);
  buffer_puts(to, "  return cudaSuccess;\n}\n");
}

/* TGC_TABLE names a table; TGC_VARIANT=id[:threads[:loads[:blocks]]] has one variant serve all. */
static void environment(Buffer *to, const Output *o) {
  const char *name = o->spectrum->name;
  buffer_printf(to, "\nnamespace {\n\n"
                    "cudaError_t read_environment() {\n"
                    "  const char *table = std::getenv(\"TGC_TABLE\"), *pinned = std::getenv(\"TGC_VARIANT\");\n"
                    "  if (table != nullptr && *table && !(pinned != nullptr && *pinned)) "
                    "return %s_load_table(table);\n"
                    "  if (pinned == nullptr || *pinned == 0) return cudaSuccess;\n"
                    "  char id[32] = \"\";\n"
                    "  int end[4] = {0, 0, 0, 0};\n"
                    "  long long blocks = 0;\n"
                    "  %s_configuration c = {0, 0, 0};\n"
                    "  const int fields = std::sscanf(pinned, \"%%31[^:]%%n:%%d%%n:%%d%%n:%%lld%%n\", id, &end[0],\n"
                    "                                   &c.threads, &end[1], &c.loads, &end[2], &blocks, &end[3]);\n"
                    "  c.blocks = blocks;\n"
                    "  const %s_variant *v = fields >= 1 && pinned[end[fields - 1]] == 0 ? variant_of(id) : nullptr;\n"
                    "  if (v == nullptr) return cudaErrorInvalidConfiguration;\n", name, name, name);
  for (int i = 0; i < o->ntypes; i++) {
    const char *t = o->types[i]->name;
    buffer_printf(to, "  %s_loaded[0] = {UINT64_MAX, v->run_%s, c};\n  %s_in_use = %s_loaded;\n", t, t, t, t);
  }
  buffer_puts(to, "  return cudaSuccess;\n}\n"
                  "\n// Read once, at the first call.\n"
                  "cudaError_t environment() {\n"
                  "  static const cudaError_t result = read_environment();\n"
                  "  return result;\n}\n"
                  "\n} // namespace\n");
}

void emit_dispatch(Buffer *to, const Output *o) {
  const char *name = o->spectrum->name;
  buffer_printf(to, "// %s.cu: which variant serves which size. Made by tgc from %s for %s; this text is yours.\n"
                    "#include \"%s.h\"\n\n#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n\n",
                name, output_source_name(o), o->machine->name, name);
  declarations(to, o);
  variants_table(to, o);
  ranges(to, o);
  load_table(to, o);
  environment(to, o);
  for (int i = 0; i < o->ntypes; i++) entry(to, o, o->types[i]);
  const int head = o->variants[0].program->workspace_head;
  buffer_printf(to, "\n// A workspace starts with %s, which every call leaves at zero.\n"
                    "extern \"C\" cudaError_t %s_workspace_init("
                    "void *workspace, size_t workspace_bytes, cudaStream_t stream) {\n"
                    "  if (workspace == nullptr || workspace_bytes == 0) return cudaErrorInvalidValue;\n"
                    "  return cudaMemsetAsync(workspace, 0, workspace_bytes < %d ? workspace_bytes : %d, stream);\n}\n",
                arch_posts(o->machine) ? "a counter of blocks and places for their results" : "a counter of blocks",
                name, head, head);
}

void emit_table(Buffer *to, const Output *o) { table_print(to, &o->table); }

void emit_cmake(Buffer *to, const Output *o) {
  const char *name = o->spectrum->name;
  buffer_printf(to,
                "# Builds %s as a static library, tgc::%s. Made by tgc from %s for %s; this text is yours.\n"
                "#   add_subdirectory(out)  and then  target_link_libraries(app PRIVATE tgc::%s)\n"
                "cmake_minimum_required(VERSION 3.18)\n"
                "if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)\n  set(CMAKE_CUDA_ARCHITECTURES %d)\nendif()\n"
                "project(tgc_%s LANGUAGES CUDA)\n\n"
                "add_library(tgc_%s STATIC\n  %s.cu\n",
                name, name, output_source_name(o), o->machine->name, name, o->machine->compute, name, name,
                name);
  for (int v = 0; v < o->nvariants; v++) buffer_printf(to, "  variants/%s.cu\n", o->variants[v].plan->id);
  buffer_printf(to,
    ")\nadd_library(tgc::%s ALIAS tgc_%s)\n"
    "target_include_directories(tgc_%s PUBLIC ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})\n"
    "target_compile_features(tgc_%s PUBLIC cuda_std_17)\n"
    "target_compile_options(tgc_%s PRIVATE -lineinfo)\n"
    "set_target_properties(tgc_%s PROPERTIES POSITION_INDEPENDENT_CODE ON)\n", name, name, name, name, name, name);
}
