/* variant.c: one variant's file: what it is, its tunables, its kernels, the host function that runs them.
 *
 * The file stands alone: it needs the CUDA toolkit and nothing of ours. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "emit/emit.h"

const char *output_source_name(const Output *o) {
  const char *slash = strrchr(o->file->path, '/');
  return slash ? slash + 1 : o->file->path;
}

/* SUM_3FA9C1D2_THREADS: how a tunable is set when the file is compiled. */
static void macro(Buffer *to, const Program *p, const Symbol *s) {
  const char *parts[] = {p->spectrum, p->id, s->name};
  for (int i = 0; i < 3; i++) {
    if (i) buffer_puts(to, "_");
    for (const char *c = parts[i]; *c; c++) buffer_printf(to, "%c", toupper((unsigned char)*c));
  }
}

/* ---- the head ---- */

static void codelet_lines(Buffer *to, const Output *o, const PlanNode *n, const Codelet **seen, int *nseen) {
  const Codelet *c = n->rule->codelet;
  bool known = !c;
  for (int i = 0; i < *nseen; i++) known |= seen[i] == c;
  if (!known) {
    seen[(*nseen)++] = c;
    int line = 0, column;
    if (c->where.file) source_position(c->where.file, c->where.begin, &line, &column);
    buffer_printf(to, "//   %-12s %s:%d\n", c->tag, output_source_name(o), line);
  }
  for (int i = 0; i < n->nkids; i++) codelet_lines(to, o, n->kid[i], seen, nseen);
}

static void commented(Buffer *to, const char *text) {
  while (*text) {
    size_t n = strcspn(text, "\n");
    buffer_puts(to, "//   ");
    buffer_putn(to, text, n);
    buffer_puts(to, "\n");
    text += n + (text[n] == '\n');
  }
}

static void head(Buffer *to, const Output *o, const Variant *v) {
  const Plan *plan = v->plan;
  Buffer tree = buffer_new(to->arena);
  plan_print_tree(&tree, plan);
  buffer_printf(to, "// %s, variant %s", o->spectrum->name, plan->id);
  if (plan->letter) buffer_printf(to, " (%s)", plan->letter);
  buffer_printf(to, ": %s\n", plan->text);
  buffer_printf(to, "// Made by tgc from %s for %s; this text is yours.\n//\n", output_source_name(o), o->machine->name);
  buffer_printf(to, "// %s, %d kernel%s, determinism %s: %s\n//\n", category_name(plan->category), plan->kernels,
                plan->kernels == 1 ? "" : "s", determinism_name(plan->determinism), plan->determinism_why);
  commented(to, tree.text ? tree.text : "");
  buffer_puts(to, "//\n// codelets\n");
  const Codelet **seen = arena_many(to->arena, const Codelet *, 256);
  int nseen = 0;
  codelet_lines(to, o, plan->root, seen, &nseen);
  buffer_puts(to, "#include <cuda_runtime.h>\n#include <stddef.h>\n#include <stdint.h>\n");
}

/* ---- tunables and small functions ---- */

static void constants(Buffer *to, const Program *p) {
  for (int i = 0; i < p->nconstants; i++) {
    const ProgramConstant *c = &p->constants[i];
    buffer_puts(to, "\n#ifndef ");
    macro(to, p, c->symbol);
    buffer_puts(to, "\n#define ");
    macro(to, p, c->symbol);
    buffer_printf(to, " %" PRId64 " // %s: ", c->value, c->what);
    if (c->max > 0) buffer_printf(to, "%" PRId64 " to %" PRId64, c->min, c->max);
    else buffer_printf(to, "at least %" PRId64, c->min);
    if (c->multiple > 1) buffer_printf(to, ", a multiple of %" PRId64, c->multiple);
    buffer_puts(to, "\n#endif\n");
  }
  buffer_printf(to, "\nnamespace %s_%s {\n\ntypedef long long Index; // sizes and positions\n\n", p->spectrum, p->id);
  for (int i = 0; i < p->nconstants; i++) {
    const Symbol *s = p->constants[i].symbol;
    buffer_printf(to, "constexpr %s %s = ", type_name(s->type), s->name);
    macro(to, p, s);
    buffer_puts(to, ";\n");
  }
}

/* Does the text use that op? Of least and greatest, only the ones on positions count. */
static bool uses_op(const Tree *t, Op op) {
  if (!t) return false;
  if (t->op == op && (op == OP_LIMIT || t->type == TYPE_INDEX)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (uses_op(t->kid[i], op)) return true;
  return false;
}

static bool program_uses(const Program *p, Op op) {
  bool found = uses_op(p->sizes, op);
  for (int i = 0; i < p->nkernels; i++) found |= uses_op(p->kernels[i]->body, op);
  return found;
}

static void small_functions(Buffer *to, const Program *p) {
  if (program_uses(p, OP_MIN))
    buffer_puts(to, "\n__host__ __device__ constexpr Index least(Index x, Index y) { return x < y ? x : y; }\n");
  if (program_uses(p, OP_MAX))
    buffer_puts(to, "\n__host__ __device__ constexpr Index greatest(Index x, Index y) { return x > y ? x : y; }\n");
}

/* Does some kernel have that op, whatever its type? */
static bool kernels_have(const Program *p, Op op) {
  for (int i = 0; i < p->nkernels; i++)
    if (tree_contains(p->kernels[i]->body, op)) return true;
  return false;
}

static void wide_loads(Buffer *to, const Program *p) {
  if (!kernels_have(p, OP_LOAD_WIDE)) return;
  buffer_puts(to, "\n// How many elements lie between this one and the next multiple of 16 bytes.\n"
                  "template <typename E> __device__ __forceinline__ Index to_aligned(const E *from) {\n"
                  "  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));\n"
                  "}\n"
                  "\n// 16 bytes at once; `from` lies at a multiple of 16.\n"
                  "template <typename E> __device__ __forceinline__ void load_wide(E *to, const E *from) {\n"
                  "  union {\n    uint4 bits;\n    E element[16 / sizeof(E)];\n  } wide;\n"
                  "  wide.bits = *(const uint4 *)from;\n"
                  "#pragma unroll\n"
                  "  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)\n"
                  "    to[i] = wide.element[i];\n"
                  "}\n");
}

static void ticket(Buffer *to, const Program *p) {
  if (!kernels_have(p, OP_ARRIVE)) return;
  buffer_puts(to, "\n// Counts a block in; the last of `blocks` learns that it is, sees what the others stored, and leaves the counter at zero.\n"
                  "__device__ __forceinline__ bool arrives_last(unsigned *arrived, unsigned blocks) {\n"
                  "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700\n"
                  "  unsigned before;\n"
                  "  asm volatile(\"atom.acq_rel.gpu.inc.u32 %0, [%1], %2;\" : \"=r\"(before) : \"l\"(arrived), \"r\"(blocks - 1) : \"memory\");\n"
                  "#else\n"
                  "  __threadfence();\n"
                  "  const unsigned before = atomicInc(arrived, blocks - 1);\n"
                  "  __threadfence();\n"
                  "#endif\n"
                  "  return before == blocks - 1;\n"
                  "}\n");
}

static void limits(Buffer *to, const Program *p) {
  if (!program_uses(p, OP_LIMIT)) return;
  buffer_puts(to, "\n// The least and the greatest value of a type, infinities where it has them.\n"
                  "template <typename T> constexpr T lowest = std::numeric_limits<T>::has_infinity\n"
                  "                                             ? -std::numeric_limits<T>::infinity()\n"
                  "                                             : std::numeric_limits<T>::lowest();\n"
                  "template <typename T> constexpr T highest = std::numeric_limits<T>::has_infinity\n"
                  "                                              ? std::numeric_limits<T>::infinity()\n"
                  "                                              : std::numeric_limits<T>::max();\n");
}

/* ---- the host ---- */

static void host_parameters(Buffer *to, const char *in, const char *n, const char *out) {
  buffer_printf(to, "void *workspace, size_t *workspace_bytes, const %s *in, %s n, %s *out, cudaStream_t stream", in, n, out);
}

static void host(Buffer *to, const Output *o, const Program *p) {
  buffer_puts(to, "\n// With no workspace: says how many bytes one needs. With one: queues the work on the stream.\n");
  if (p->generic) buffer_puts(to, "template <typename T>\n");
  buffer_puts(to, "cudaError_t run(");
  host_parameters(to, cuda_type(p, p->element), "Index", cuda_type(p, p->result));
  buffer_puts(to, ") {\n  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;\n");
  cuda_statements(to, p->sizes, 1, p, o->line_directives);
  if (p->workspace_elements) {
    buffer_printf(to, "  const size_t need = %d + (size_t)", WORKSPACE_HEAD);
    cuda_expression(to, p->workspace_elements);
    buffer_printf(to, " * sizeof(%s);\n", cuda_type(p, p->result));
  } else buffer_puts(to, "  const size_t need = 1; // none, but never zero\n");
  buffer_puts(to, "  if (workspace == nullptr) {\n    *workspace_bytes = need;\n    return cudaSuccess;\n  }\n"
                  "  if (*workspace_bytes < need) return cudaErrorInvalidValue;\n");
  if (p->arrived) buffer_printf(to, "  unsigned *%s = (unsigned *)workspace;\n", p->arrived->name);
  if (p->partial)
    buffer_printf(to, "  %s *%s = (%s *)((char *)workspace + %d);\n", cuda_type(p, p->result), p->partial->name, cuda_type(p, p->result),
                  WORKSPACE_HEAD);
  cuda_statements(to, p->launches, 1, p, o->line_directives);
  buffer_puts(to, "  return cudaSuccess;\n}\n");
}

static void entry_points(Buffer *to, const Output *o, const Program *p) {
  buffer_printf(to, "\n} // namespace %s_%s\n", p->spectrum, p->id);
  for (int i = 0; i < o->ntypes; i++) {
    const ElementType *e = o->types[i];
    const char *element = p->element == TYPE_ELEM ? e->c_type : type_name(p->element);
    const char *result = p->result == TYPE_ELEM ? e->c_type : type_name(p->result);
    buffer_printf(to, "\nextern \"C\" cudaError_t %s_%s_%s(", p->spectrum, p->id, e->name);
    host_parameters(to, element, "uint64_t", result);
    buffer_printf(to, ") {\n  return %s_%s::run%s%s%s(workspace, workspace_bytes, in, (%s_%s::Index)n, out, stream);\n}\n",
                  p->spectrum, p->id, p->generic ? "<" : "", p->generic ? e->c_type : "", p->generic ? ">" : "",
                  p->spectrum, p->id);
  }
}

void emit_variant(Buffer *to, const Output *o, const Variant *v) {
  const Program *p = v->program;
  head(to, o, v);
  if (program_uses(p, OP_LIMIT)) buffer_puts(to, "#include <limits>\n");
  constants(to, p);
  small_functions(to, p);
  limits(to, p);
  wide_loads(to, p);
  ticket(to, p);
  emit_atomics(to, o, p);
  for (int i = 0; i < p->nkernels; i++) {
    buffer_puts(to, "\n");
    cuda_kernel(to, p->kernels[i], p, o->line_directives);
  }
  host(to, o, p);
  entry_points(to, o, p);
}
