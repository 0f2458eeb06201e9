/* library.c: what a user includes and links: the header, the dispatch, the CMake file. */
#include <ctype.h>
#include <inttypes.h>

#include "emit/emit.h"

static const char *upper(Arena *a, const char *s) {
  char *u = arena_strdup(a, s);
  for (char *c = u; *c; c++) *c = (char)toupper((unsigned char)*c);
  return u;
}

static const char *element_of(const Output *o, const ElementType *e) {
  Type t = o->spectrum->codelets[0]->params[0]->type;
  return t == TYPE_ELEM ? e->c_type : type_name(t);
}

static const char *result_of(const Output *o, const ElementType *e) {
  return o->spectrum->result == TYPE_ELEM ? e->c_type : type_name(o->spectrum->result);
}

/* (void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float *out, cudaStream_t stream) */
static void signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "void *workspace, size_t *workspace_bytes, const %s *in, uint64_t n, %s *out, cudaStream_t stream",
                element_of(o, e), result_of(o, e));
}

/* A variant's own function takes a configuration before that. */
static void variant_signature(Buffer *to, const Output *o, const ElementType *e) {
  buffer_printf(to, "const %s_configuration *c, ", o->spectrum->name);
  signature(to, o, e);
}

/* Of the header: its name, the spectrum, the codelets' file, the machine, its guard twice. */
static const char header_start[] =
"/* %s.h: %s on a GPU. Made by tgc from %s for %s; this text is yours.\n"
" *\n"
" * Calls are asynchronous: they queue work on `stream`, synchronise nothing, copy nothing to the host, and may be captured\n"
" * in a graph. `in` holds n elements in device memory at any alignment that their type allows; `out` gets one. n = 0 gives\n"
" * the operator's identity. Errors come back as cudaError_t; cudaErrorInvalidValue: a workspace too small, n too large.\n"
" *\n"
" * Workspace: call with workspace = NULL to learn in *workspace_bytes how many bytes a call of n needs; allocate them in\n"
" * device memory (aligned as cudaMalloc does); call again. One workspace serves one call at a time: calls that may overlap\n"
" * (two streams) need one each. */\n"
"#ifndef TGC_%s_H\n#define TGC_%s_H\n\n"
"#include <cuda_runtime_api.h>\n#include <stddef.h>\n#include <stdint.h>\n\n"
"#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";

void emit_header(Buffer *to, const Output *o) {
  const char *name = o->spectrum->name, *guard = upper(to->arena, name);
  buffer_printf(to, header_start, name, name, output_source_name(o), o->machine->name, guard, guard);
  for (int i = 0; i < o->ntypes; i++) {
    buffer_printf(to, "cudaError_t %s_%s(", name, o->types[i]->name);
    signature(to, o, o->types[i]);
    buffer_puts(to, ");\n");
  }
  buffer_printf(to, "\n/* Makes a new workspace ready; every successful call leaves it ready for the next. */\n"
                    "cudaError_t %s_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream);\n",
                name);
  buffer_puts(to, "\n/* The same without a workspace of the caller's: "
                  "it is taken from and given back to the device's memory pool,\n"
                  " * in stream order. */\n");
  for (int i = 0; i < o->ntypes; i++)
    buffer_printf(to, "cudaError_t %s_%s_async(const %s *in, uint64_t n, %s *out, cudaStream_t stream);\n", name,
                  o->types[i]->name, element_of(o, o->types[i]), result_of(o, o->types[i]));
  buffer_puts(to, "\n");
  emit_configuration_type(to, name);
  buffer_printf(to, "\n/* Every variant, for tests and tuners; each takes its own workspace. A configuration that is NULL is the variant's own;\n"
                    " * one that was not compiled gives cudaErrorInvalidConfiguration. */\n"
                    "typedef struct %s_variant {\n"
                    "  const char *id, *plan, *category, *determinism;\n"
                    "  const %s_configuration *configurations; /* those compiled, the variant's own first; zeros end them */\n", name, name);
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
  buffer_printf(to, ") {\n  return %s_variants[choose(n)].run_%s(nullptr, workspace, workspace_bytes, in, n, out, stream);\n}\n",
                name, type);
  buffer_printf(to, "\nextern \"C\" cudaError_t %s_%s_async(const %s *in, uint64_t n, %s *out, cudaStream_t stream) {\n",
                name, type, element_of(o, e), result_of(o, e));
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

void emit_dispatch(Buffer *to, const Output *o) {
  const char *name = o->spectrum->name;
  buffer_printf(to, "// %s.cu: which variant serves which size. Made by tgc from %s for %s; this text is yours.\n"
                    "#include \"%s.h\"\n\nextern \"C\" {\n", name, output_source_name(o), o->machine->name, name);
  for (int v = 0; v < o->nvariants; v++) {
    buffer_printf(to, "extern const %s_configuration %s_%s_configurations[];\n", name, name, o->variants[v].plan->id);
    for (int i = 0; i < o->ntypes; i++) {
      buffer_printf(to, "cudaError_t %s_%s_%s(", name, o->variants[v].plan->id, o->types[i]->name);
      variant_signature(to, o, o->types[i]);
      buffer_puts(to, ");\n");
    }
  }
  buffer_printf(to, "}\n\nextern \"C\" const %s_variant %s_variants[] = {\n", name, name);
  for (int v = 0; v < o->nvariants; v++) {
    const Plan *p = o->variants[v].plan;
    buffer_printf(to, "  {\"%s\", \"%s\", \"%s\", \"%s\", %s_%s_configurations", p->id, p->text, category_name(p->category),
                  determinism_name(p->determinism), name, p->id);
    for (int i = 0; i < o->ntypes; i++) buffer_printf(to, ", %s_%s_%s", name, p->id, o->types[i]->name);
    buffer_puts(to, "},\n");
  }
  buffer_printf(to, "};\nextern \"C\" const int %s_variant_count = %d;\n", name, o->nvariants);
  buffer_puts(to, "\n// Up to so many elements, that variant (its place in the table above). "
                  "A guess from the machine's figures:\n"
                  "// nothing was measured.\nstatic int choose(uint64_t n) {\n");
  for (int i = 0; i < o->choices.rows.n; i++) {
    const Choice *c = &o->choices.rows.at[i];
    if (c->limit > 0)
      buffer_printf(to, "  if (n <= %" PRId64 ") return %d; // %s\n", c->limit, c->plan,
                    o->variants[c->plan].plan->text);
    else buffer_printf(to, "  return %d; // %s\n", c->plan, o->variants[c->plan].plan->text);
  }
  buffer_puts(to, "}\n");
  for (int i = 0; i < o->ntypes; i++) entry(to, o, o->types[i]);
  buffer_printf(to, "\n// A workspace starts with a counter of blocks, which every call leaves at zero.\n"
                    "extern \"C\" cudaError_t %s_workspace_init(void *workspace, size_t workspace_bytes, cudaStream_t stream) {\n"
                    "  if (workspace == nullptr || workspace_bytes == 0) return cudaErrorInvalidValue;\n"
                    "  return cudaMemsetAsync(workspace, 0, workspace_bytes < %d ? workspace_bytes : %d, stream);\n}\n",
                name, WORKSPACE_HEAD, WORKSPACE_HEAD);
}

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
