/* variant.c: one variant's file: what it is, its tunables, its kernels, the host function that runs them.
 *
 * The file stands alone: it needs the CUDA toolkit and nothing of ours. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "emit/emit.h"

const char *output_source_name(const Output *o) {
  const char *slash = o->file->nparts ? NULL : strrchr(o->file->path, '/');
  return slash ? slash + 1 : o->file->path;
}

static void upper(Buffer *to, const char *s) {
  for (; *s; s++) buffer_printf(to, "%c", toupper((unsigned char)*s));
}

/* SUM_3FA9C1D2_CONFIGURATIONS: what the file is compiled for. */
void emit_configurations_macro(Buffer *to, const Program *p) {
  upper(to, p->name);
  buffer_puts(to, "_");
  upper(to, p->id);
  buffer_puts(to, "_CONFIGURATIONS");
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
    const char *path = c->where.file ? source_path(c->where.file, c->where.begin) : o->file->path;
    const char *slash = strrchr(path, '/');
    buffer_printf(to, "//   %-12s %s:%d\n", c->tag, slash ? slash + 1 : path, line);
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
  buffer_printf(to, "// Made by tgc from %s for %s; this text is yours.\n//\n", output_source_name(o),
                o->machine->name);
  buffer_printf(to, "// %s, %d kernel%s, determinism %s: %s\n", category_name(plan->category), plan->kernels,
                plan->kernels == 1 ? "" : "s", determinism_name(plan->determinism), plan->determinism_why);
  buffer_printf(to, "// %sbatch-invariant: %s\n//\n", plan->batch_invariant ? "" : "not ", plan->batch_invariant_why);
  commented(to, tree.text ? tree.text : "");
  buffer_puts(to, "//\n// codelets\n");
  const Codelet **seen = arena_many(to->arena, const Codelet *, 256);
  int nseen = 0;
  codelet_lines(to, o, plan->root, seen, &nseen);
  buffer_printf(to, "%s#include <cuda_runtime.h>\n#include <stddef.h>\n#include <stdint.h>\n",
                output_includes(to->arena, o));
}

/* ---- configurations ---- */

/* "512, 2": the tunables that are fixed when the text is compiled, each as `print' has it. */
static void compiled(Buffer *to, const Program *p, void (*print)(Buffer *to, const ProgramConstant *c)) {
  bool first = true;
  for (int i = 0; i < p->nconstants; i++) {
    if (p->constants[i].at_launch) continue;
    if (!first) buffer_puts(to, ", ");
    first = false;
    print(to, &p->constants[i]);
  }
}

static void print_own(Buffer *to, const ProgramConstant *c) { buffer_printf(to, "%" PRId64, c->value); }
static void print_name(Buffer *to, const ProgramConstant *c) { buffer_puts(to, c->symbol->name); }
static void print_upper(Buffer *to, const ProgramConstant *c) { upper(to, c->symbol->name); }
static void print_parameter(Buffer *to, const ProgramConstant *c) {
  buffer_printf(to, "%s %s", type_name(c->symbol->type), c->symbol->name);
}

static void range(Buffer *to, const ProgramConstant *c) {
  buffer_printf(to, "%s, ", c->what);
  program_print_range(to, c);
}

/* The type that a caller's configuration has, the same in every file of an output. */
void emit_configuration_type(Buffer *to, const char *name) {
  buffer_puts(to, "#ifndef ");
  upper(to, name);
  buffer_puts(to, "_CONFIGURATION\n#define ");
  upper(to, name);
  buffer_printf(to, "_CONFIGURATION\n"
                    "/* What a variant's tunables are set to; a member that is 0: the variant's own. */\n"
                    "typedef struct %s_configuration {\n  int threads, loads;\n  int64_t blocks;\n"
                    "} %s_configuration;\n#endif\n",
                name, name);
}

/* The list of configurations, which a table or a build may replace. */
static void configurations(Buffer *to, const Output *o, const Program *p) {
  int64_t own[2] = {0, 0};
  bool loads = false;
  for (int i = 0; i < p->nconstants; i++) {
    const ProgramConstant *c = &p->constants[i];
    bool is_loads = strcmp(c->symbol->name, "loads") == 0;
    if (!c->at_launch) own[is_loads] = c->value;
    loads |= is_loads;
  }
  buffer_puts(to, "\n// The configurations that are compiled, C(");
  compiled(to, p, print_name);
  buffer_puts(to, "); the first is the variant's own.\n");
  for (int i = 0; i < p->nconstants; i++) {
    if (p->constants[i].at_launch) continue;
    buffer_printf(to, "//   %s: ", p->constants[i].symbol->name);
    range(to, &p->constants[i]);
    buffer_puts(to, "\n");
  }
  buffer_puts(to, "#ifndef ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "\n#define ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "(C)");
  table_print_configurations(to, &o->table, p->id, (int)own[0], (int)own[1], loads);
  buffer_puts(to, "\n#endif\n\n");
  emit_configuration_type(to, p->name);
}

/* ---- small functions ---- */

/* Does the text use that op? Of least and greatest, only the ones on positions count. */
static bool uses_op(const Tree *t, Op op) {
  if (!t) return false;
  if (t->op == op && (op == OP_LIMIT || t->type == TYPE_INDEX)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (uses_op(t->kid[i], op)) return true;
  return false;
}

static bool program_uses(const Program *p, Op op) {
  bool found = uses_op(p->sizes, op) || uses_op(p->launches, op);
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

typedef struct WideMoves { bool load, load_anywhere, store, store_anywhere; } WideMoves;

static bool note_wide(void *context, const Tree *t) {
  WideMoves *w = context;
  if (t->op == OP_LOAD_WIDE) *(t->number ? &w->load_anywhere : &w->load) = true;
  if (t->op == OP_STORE_WIDE) *(t->number ? &w->store_anywhere : &w->store) = true;
  return true;
}

/* The same for what lies anywhere. %s: its name. */
static const char move_anywhere[] =
"\n// The same, one element at a time where it lies elsewhere.\n"
"template <typename E> __device__ __forceinline__ void %1$s_anywhere(E *to, const E *from) {\n"
"  if ((uintptr_t)%2$s %% 16 == 0) {\n    %1$s(to, from);\n    return;\n  }\n"
"#pragma unroll\n"
"  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)\n"
"    to[i] = from[i];\n"
"}\n";

static void wide_moves(Buffer *to, const Program *p) {
  WideMoves w = {0};
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, note_wide, &w);
  if (w.load || w.load_anywhere || w.store || w.store_anywhere)
    buffer_puts(to, "\n// How many elements lie between this one and the next multiple of 16 bytes.\n"
                    "template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {\n"
                    "  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));\n"
                    "}\n");
  if (w.load || w.load_anywhere)
    buffer_puts(to, "\n// 16 bytes at once; `from` lies at a multiple of 16.\n"
                    "template <typename E> __device__ __forceinline__ void load_wide(E *to, const E *from) {\n"
                    "  union {\n    uint4 bits;\n    E element[16 / sizeof(E)];\n  } wide;\n"
                    "  wide.bits = *(const uint4 *)from;\n"
                    "#pragma unroll\n"
                    "  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)\n"
                    "    to[i] = wide.element[i];\n"
                    "}\n");
  if (w.load_anywhere) buffer_printf(to, move_anywhere, "load_wide", "from");
  if (w.store || w.store_anywhere)
    buffer_puts(to, "\n// 16 bytes at once; `to` lies at a multiple of 16.\n"
                    "template <typename E> __device__ __forceinline__ void store_wide(E *to, const E *from) {\n"
                    "  union {\n    uint4 bits;\n    E element[16 / sizeof(E)];\n  } wide;\n"
                    "#pragma unroll\n"
                    "  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)\n"
                    "    wide.element[i] = from[i];\n"
                    "  *(uint4 *)to = wide.bits;\n"
                    "}\n");
  if (w.store_anywhere) buffer_printf(to, move_anywhere, "store_wide", "to");
}

static void ticket(Buffer *to, const Program *p) {
  if (!kernels_have(p, OP_ARRIVE)) return;
  buffer_puts(to, "\n// Counts a block in; the last of `blocks` learns that it is, sees what the others stored, "
                  "and leaves the counter at zero.\n"
                  "__device__ __forceinline__ bool arrives_last(unsigned *arrived, unsigned blocks) {\n"
                  "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700\n"
                  "  unsigned before;\n"
                  "  asm volatile(\"atom.acq_rel.gpu.inc.u32 %0, [%1], %2;\" "
                  ": \"=r\"(before) : \"l\"(arrived), \"r\"(blocks - 1) : \"memory\");\n"
                  "#else\n"
                  "  __threadfence();\n"
                  "  const unsigned before = atomicInc(arrived, blocks - 1);\n"
                  "  __threadfence();\n"
                  "#endif\n"
                  "  return before == blocks - 1;\n"
                  "}\n");
}

static void posts(Buffer *to, const Program *p) {
  if (!kernels_have(p, OP_POST)) return;
  buffer_puts(to, "\n// Counts a block in as it begins. True for the last of `blocks`: all others run, or have run. "
                  "The counter is at zero again.\n"
                  "__device__ __forceinline__ bool begins_last(unsigned *begun, unsigned blocks) {\n"
                  "  return atomicInc(begun, blocks - 1) == blocks - 1;\n"
                  "}\n"
                  "\n// A word is there or is not, whole: loads and stores that pass the L1 cache by "
                  "and are not torn.\n"
                  "#ifdef __CUDA_ARCH__\n"
                  "__device__ __forceinline__ void put_word(unsigned long long *to, unsigned long long word) "
                  "{ *(volatile unsigned long long *)to = word; }\n"
                  "__device__ __forceinline__ unsigned long long get_word(unsigned long long *from) "
                  "{ return *(volatile unsigned long long *)from; }\n"
                  "#else\n"
                  "__device__ inline void put_word(unsigned long long *to, unsigned long long word) "
                  "{ atomicExch(to, word); }\n"
                  "__device__ inline unsigned long long get_word(unsigned long long *from) "
                  "{ return atomicCAS(from, 0ull, 0ull); }\n"
                  "#endif\n"
                  "\n// Puts a result where the collecting block looks for it: 32 bits a word, a mark above them.\n"
                  "template <typename E> __device__ __forceinline__ "
                  "void post(unsigned long long *posts, Index place, E value) {\n"
                  "  const int words = sizeof(E) / sizeof(unsigned);\n"
                  "  union {\n"
                  "    E value;\n"
                  "    unsigned word[words];\n"
                  "  } bits;\n"
                  "  bits.value = value;\n"
                  "#pragma unroll\n"
                  "  for (int k = 0; k < words; ++k)\n"
                  "    put_word(&posts[place * words + k], 1ull << 32 | bits.word[k]);\n"
                  "}\n"
                  "\n// Waits for a result, takes it, and leaves its place empty for the next call.\n"
                  "template <typename E> __device__ __forceinline__ "
                  "E collect(unsigned long long *posts, Index place) {\n"
                  "  const int words = sizeof(E) / sizeof(unsigned);\n"
                  "  union {\n"
                  "    E value;\n"
                  "    unsigned word[words];\n"
                  "  } bits;\n"
                  "#pragma unroll\n"
                  "  for (int k = 0; k < words; ++k) {\n"
                  "    unsigned long long word = get_word(&posts[place * words + k]);\n"
                  "    while (word >> 32 == 0)\n"
                  "      word = get_word(&posts[place * words + k]);\n"
                  "    put_word(&posts[place * words + k], 0);\n"
                  "    bits.word[k] = (unsigned)word;\n"
                  "  }\n"
                  "  return bits.value;\n"
                  "}\n");
}

static bool note_shuffle(void *context, const Tree *t) {
  unsigned *used = context;
  if (t->op == OP_SHUFFLE && t->number >= SHUFFLE_WORDS) *used |= 1u << (t->number - SHUFFLE_WORDS);
  /* their functions shuffle too (look_back.c) */
  if (t->op == OP_LOOK_BACK) *used |= 1u << SHUFFLE_DOWN | 1u << SHUFFLE_INDEX;
  if (t->op == OP_PRIOR_TOTAL) *used |= 1u << SHUFFLE_UP | 1u << SHUFFLE_INDEX;
  return true;
}

/* 32 bits at a time, for values that the machine's own shuffles do not take. The words are counted: nvcc keeps in
 * memory what a loop over references to them runs through. */
static void shuffles(Buffer *to, const Output *o, const Program *p) {
  static const struct { const char *name, *own, *by; } rows[] = {
      [SHUFFLE_DOWN] = {"shuffle_down", "__shfl_down_sync", "by"},
      [SHUFFLE_UP] = {"shuffle_up", "__shfl_up_sync", "by"},
      [SHUFFLE_XOR] = {"shuffle_xor", "__shfl_xor_sync", "bits"},
      [SHUFFLE_INDEX] = {"shuffle", "__shfl_sync", "lane"}};
  unsigned used = 0;
  if (output_shuffles_whole(o)) return;
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, note_shuffle, &used);
  if (!used) return;
  buffer_puts(to, "\n// A value as what a shuffle moves: 32 bits each.\n"
                  "template <typename V> union Words {\n"
                  "  V value;\n"
                  "  unsigned word[(sizeof(V) + sizeof(unsigned) - 1) / sizeof(unsigned)];\n"
                  "};\n");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!(used & 1u << i)) continue;
    buffer_printf(to, "\n// %s for values of any size.\n"
                      "template <typename V> __device__ __forceinline__ V %s(V value, int %s) {\n"
                      "  Words<V> moved;\n"
                      "  moved.value = value;\n"
                      "#pragma unroll\n"
                      "  for (int k = 0; k < (int)(sizeof moved.word / sizeof(unsigned)); k++)\n"
                      "    moved.word[k] = %s(0xffffffff, moved.word[k], %s);\n"
                      "  return moved.value;\n"
                      "}\n", rows[i].own, rows[i].name, rows[i].by, rows[i].own, rows[i].by);
  }
}

static void overlap(Buffer *to, const Program *p) {
  if (!kernels_have(p, OP_AFTER_GRIDS)) return;
  buffer_puts(to, "\n// Lets a grid be put on the machine while the one before it in the stream still runs ..\n"
                  "inline cudaLaunchAttribute may_begin_early() {\n"
                  "  cudaLaunchAttribute early = {};\n"
                  "  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;\n"
                  "  early.val.programmaticStreamSerializationAllowed = 1;\n"
                  "  return early;\n"
                  "}\n"
                  "\n// .. and here it waits for that one, and for all that was stored before. "
                  "The kernel's pointers are not __restrict__:\n"
                  "// loads from what never changes while it runs might be moved up over this.\n"
                  "__device__ __forceinline__ void after_earlier_grids() {\n"
                  "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900\n"
                  "  cudaTriggerProgrammaticLaunchCompletion();\n"
                  "  cudaGridDependencySynchronize();\n"
                  "#endif\n"
                  "}\n");
}

static void collectives(Buffer *to, const Program *p) {
  if (kernels_have(p, OP_REDUCES))
    buffer_puts(to, "\n// Has the warp an instruction that reduces T's?\n"
                    "template <typename T> constexpr bool reduces = false;\n"
                    "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800\n"
                    "template <> constexpr bool reduces<int> = true;\n"
                    "template <> constexpr bool reduces<unsigned> = true;\n"
                    "#endif\n");
  if (kernels_have(p, OP_HALF))
    buffer_puts(to, "\n// Where an exchange over so many lanes begins: with half of them, "
                    "as if they were a power of two.\n"
                    "__host__ __device__ constexpr int half_of(int lanes) {\n"
                    "  return lanes > 16 ? 16 : lanes > 8 ? 8 : lanes > 4 ? 4 : lanes > 2 ? 2 : lanes > 1 ? 1 : 0;\n"
                    "}\n");
}

static void clusters(Buffer *to, const Program *p) {
  if (!kernels_have(p, OP_PUSH)) return;
  buffer_puts(to, "\n// Makes all the blocks of a grid one cluster ..\n"
                  "inline cudaLaunchAttribute as_one_cluster(Index blocks) {\n"
                  "  cudaLaunchAttribute cluster = {};\n"
                  "  cluster.id = cudaLaunchAttributeClusterDimension;\n"
                  "  cluster.val.clusterDim.x = (unsigned)blocks;\n"
                  "  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;\n"
                  "  return cluster;\n"
                  "}\n");
  buffer_puts(to, "\n// .. and this is the same place in the shared memory of its first block.\n"
                  "template <typename E> __device__ __forceinline__ E *in_first_block(E *place) {\n"
                  "  return (E *)__cluster_map_shared_rank(place, 0);\n"
                  "}\n");
}

/* Does a kernel, or the user's operator, ask for a type's limits? */
static bool uses_limits(const Program *p) {
  const char *text = p->monoid ? p->monoid->text : "";
  return program_uses(p, OP_LIMIT) || strstr(text, "lowest") || strstr(text, "highest");
}

void emit_limits(Buffer *to) {
  buffer_puts(to, "\n// The least and the greatest value of a type, infinities where it has them.\n"
                  "template <typename T> constexpr T least_value = std::numeric_limits<T>::has_infinity\n"
                  "                                                  ? -std::numeric_limits<T>::infinity()\n"
                  "                                                  : std::numeric_limits<T>::lowest();\n"
                  "template <typename T> constexpr T greatest_value = std::numeric_limits<T>::has_infinity\n"
                  "                                                     ? std::numeric_limits<T>::infinity()\n"
                  "                                                     : std::numeric_limits<T>::max();\n"
                  "template <typename T> __host__ __device__ constexpr T lowest() { return least_value<T>; }\n"
                  "template <typename T> __host__ __device__ constexpr T highest() { return greatest_value<T>; }\n");
}

/* ---- the host ---- */

static const ProgramConstant *bound_at_launch(const Program *p) {
  for (int i = 0; i < p->nconstants; i++)
    if (p->constants[i].at_launch) return &p->constants[i];
  return NULL;
}

static void host_parameters(Buffer *to, const Program *p) {
  buffer_puts(to, "void *workspace, size_t *workspace_bytes, ");
  emit_own_operands(to, &p->signature, NULL);
  buffer_puts(to, ", cudaStream_t stream");
}

/* Of one that reads on the device how many elements there are, whether it has a tunable of the launch or not. */
static void counted_parameters(Buffer *to, const Program *p, const ProgramConstant *launch) {
  buffer_printf(to, "Index%s%s, void *workspace, size_t *workspace_bytes, const %s *in, "
                    "const unsigned long long *count, Index n, %s *out, cudaStream_t stream",
                launch ? " " : "", launch ? launch->symbol->name : "", type_name(p->element), type_name(p->out->type));
}

/* n < 0 || rows < 0 .. */
static void impossible_sizes(Buffer *to, const Signature *s) {
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_SIZE) buffer_printf(to, "%s < 0 || ", s->at[i].symbol->name);
}

/* What the workspace is an array of. */
static const char *partial_type(const Program *p) {
  return type_name(p->result == TYPE_VOID ? p->partial->type : p->result);
}

static void checks(Buffer *to, const Program *p) {
  for (int i = 0; i < p->nconstants; i++) {
    const ProgramConstant *c = &p->constants[i];
    const char *name = c->symbol->name;
    if (c->at_launch) continue;
    buffer_printf(to, "  static_assert(%s >= %" PRId64, name, c->min);
    if (c->max > 0) buffer_printf(to, " && %s <= %" PRId64, name, c->max);
    if (c->multiple > 1) buffer_printf(to, " && %s %% %" PRId64 " == 0", name, c->multiple);
    buffer_printf(to, ", \"%s: ", name);
    range(to, c);
    buffer_puts(to, "\");\n");
  }
}

static void host(Buffer *to, const Output *o, const Program *p) {
  const ProgramConstant *launch = bound_at_launch(p);
  buffer_puts(to, "\n// With no workspace: says how many bytes one needs. With one: queues the work on the stream.\n"
                  "template <");
  if (p->generic) buffer_printf(to, "%s, ", cuda_generic(to->arena, p));
  compiled(to, p, print_parameter);
  buffer_puts(to, ">\ncudaError_t run(");
  if (p->count) counted_parameters(to, p, launch);
  else {
    if (launch) buffer_printf(to, "%s %s, ", type_name(launch->symbol->type), launch->symbol->name);
    host_parameters(to, p);
  }
  buffer_puts(to, ") {\n");
  checks(to, p);
  buffer_puts(to, "  if (");
  impossible_sizes(to, &p->signature);
  buffer_puts(to, "workspace_bytes == nullptr) return cudaErrorInvalidValue;\n");
  cuda_statements(to, p->sizes, 1, p, o->line_directives);
  if (p->workspace_tiles) {
    buffer_printf(to, "  const size_t need = %d + (size_t)", p->workspace_head);
    cuda_expression(to, p->workspace_tiles);
    buffer_puts(to, " * words_of<T>() * sizeof(unsigned long long);\n");
  } else if (p->workspace_elements) {
    buffer_printf(to, "  const size_t need = %d", p->workspace_head);
    if (p->partial) {
      buffer_puts(to, " + (size_t)");
      cuda_expression(to, p->workspace_elements);
      buffer_printf(to, " * sizeof(%s)", partial_type(p));
    }
    buffer_puts(to, ";\n");
  } else buffer_puts(to, "  const size_t need = 1; // none, but never zero\n");
  buffer_puts(to, "  if (workspace == nullptr) {\n    *workspace_bytes = need;\n    return cudaSuccess;\n  }\n"
                  "  if (*workspace_bytes < need) return cudaErrorInvalidValue;\n");
  if (p->arrived) buffer_printf(to, "  unsigned *%s = (unsigned *)workspace;\n", p->arrived->name);
  if (p->tickets) buffer_printf(to, "  unsigned long long *%s = (unsigned long long *)workspace;\n", p->tickets->name);
  if (p->words)
    buffer_printf(to, "  unsigned long long *%s = (unsigned long long *)((char *)workspace + %d);\n", p->words->name,
                  p->workspace_head);
  if (p->posts)
    buffer_printf(to, "  unsigned long long *%s = (unsigned long long *)((char *)workspace + %d);\n", p->posts->name,
                  WORKSPACE_COUNTER);
  if (p->partial)
    buffer_printf(to, "  %s *%s = (%s *)((char *)workspace + %d);\n",
                  partial_type(p), p->partial->name, partial_type(p), p->workspace_head);
  cuda_statements(to, p->launches, 1, p, o->line_directives);
  buffer_puts(to, "  return cudaSuccess;\n}\n");
}

/* From a configuration of the caller's to the text that was compiled for it. */
static void configured(Buffer *to, const Program *p) {
  const ProgramConstant *launch = bound_at_launch(p);
  buffer_puts(to, "\ninline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }\n"
                  "\n// The same in the configuration c; NULL: the variant's own.\n");
  if (p->generic) buffer_printf(to, "template <%s>\n", cuda_generic(to->arena, p));
  buffer_printf(to, "cudaError_t configured(const %s_configuration *c, ", p->name);
  host_parameters(to, p);
  buffer_printf(to, ") {\n  const %s_configuration own = {0, 0, 0};\n  if (c == nullptr) c = &own;\n", p->name);
  if (launch) {
    const char *name = launch->symbol->name;
    buffer_printf(to, "  const %s %s = c->%s ? c->%s : %" PRId64 "; // ",
                  type_name(launch->symbol->type), name, name, name, launch->value);
    range(to, launch);
    buffer_printf(to, "\n  if (%s < %" PRId64, name, launch->min);
    if (launch->max > 0) buffer_printf(to, " || %s > %" PRId64, name, launch->max);
    buffer_puts(to, ") return cudaErrorInvalidConfiguration;\n");
  }
  buffer_puts(to, "#define RUN(");
  compiled(to, p, print_upper);
  buffer_puts(to, ") if (");
  bool first = true;
  for (int i = 0; i < p->nconstants; i++) {
    const ProgramConstant *k = &p->constants[i];
    if (k->at_launch) continue;
    buffer_printf(to, "%sserves(", first ? "" : " && ");
    print_upper(to, k);
    buffer_printf(to, ", c->%s)", k->symbol->name);
    first = false;
  }
  buffer_puts(to, ") return run<");
  if (p->generic) buffer_printf(to, "%s, ", cuda_arguments(to->arena, p));
  compiled(to, p, print_upper);
  buffer_puts(to, ">(");
  if (launch) buffer_printf(to, "%s, ", launch->symbol->name);
  buffer_puts(to, "workspace, workspace_bytes, ");
  emit_operand_names(to, &p->signature);
  buffer_puts(to, ", stream);\n  ");
  emit_configurations_macro(to, p);
  buffer_puts(to, "(RUN)\n#undef RUN\n  return cudaErrorInvalidConfiguration;\n}\n");
}

static void configuration_rows(Buffer *to, const Program *p) {
  static const char *const members[] = {"threads", "loads", "blocks"};
  buffer_puts(to, "\n#define ROW(");
  compiled(to, p, print_upper);
  buffer_puts(to, ") {");
  for (int m = 0; m < 3; m++) {
    if (m) buffer_puts(to, ", ");
    const ProgramConstant *found = program_constant(p, members[m]);
    if (!found) buffer_puts(to, "0");
    else if (found->at_launch) print_own(to, found);
    else print_upper(to, found);
  }
  buffer_printf(to, "},\n// Those that were compiled; zeros end them.\n"
                    "extern \"C\" const %s_configuration %s_%s_configurations[];\n"
                    "const %s_configuration %s_%s_configurations[] = {",
                p->name, p->name, p->id, p->name, p->name, p->id);
  emit_configurations_macro(to, p);
  buffer_puts(to, "(ROW) {0, 0, 0}};\n#undef ROW\n");
}

static void entry_points(Buffer *to, const Output *o, const Program *p) {
  buffer_printf(to, "\n} // namespace %s_%s\n", p->name, p->id);
  configuration_rows(to, p);
  for (int i = 0; i < o->ntypes; i++) {
    const ElementType *e = o->types[i];
    const char *own = arena_printf(to->arena, "%s_%s", p->name, p->id);
    const EntryTypes t = output_entry(to->arena, o, p, e, arena_printf(to->arena, "%s::", own));
    buffer_printf(to, "\nextern \"C\" cudaError_t %s_%s_%s(", p->name, p->id, e->name);
    emit_variant_signature(to, o, e);
    buffer_printf(to, ") {\n  return %s::configured%s%s%s(c, workspace, workspace_bytes, ",
                  own, p->generic ? "<" : "", p->generic ? t.arguments : "", p->generic ? ">" : "");
    emit_operands_as_own(to, o, p, e, arena_printf(to->arena, "%s::", own));
    buffer_puts(to, ", stream);\n}\n");
  }
}

void emit_support(Buffer *to, const Output *o, const Program *p) {
  buffer_puts(to, "\ntypedef long long Index; // sizes and positions\n");
  small_functions(to, p);
  if (p->generic && output_has_complex(o)) {
    buffer_puts(to, "\n");
    emit_complex(to, "__host__ __device__ ");
  }
  if (uses_limits(p)) emit_limits(to);
  emit_monoid(to, o);
  wide_moves(to, p);
  ticket(to, p);
  posts(to, p);
  overlap(to, p);
  shuffles(to, o, p);
  emit_look_back(to, o, p);
  collectives(to, p);
  clusters(to, p);
  emit_atomics(to, o, p);
}

void emit_run(Buffer *to, const Output *o, const Program *p) {
  for (int i = 0; i < p->nkernels; i++) {
    buffer_puts(to, "\n");
    cuda_kernel(to, p->kernels[i], p, o->line_directives);
  }
  host(to, o, p);
}

void emit_variant(Buffer *to, const Output *o, const Variant *v) {
  const Program *p = v->program;
  head(to, o, v);
  if (uses_limits(p)) buffer_puts(to, "#include <limits>\n");
  configurations(to, o, p);
  emit_monoid_structs(to, o);
  buffer_printf(to, "\nnamespace %s_%s {\n", p->name, p->id);
  emit_support(to, o, p);
  emit_run(to, o, p);
  configured(to, p);
  entry_points(to, o, p);
}
