/* support.c: what kernels and hosts in CUDA call: small functions, each only where it is called. */
#include <inttypes.h>
#include <string.h>

#include "emit/variant.h"

/* Does the text use that op? Of least and greatest, only the ones on positions count. */
static bool uses_op(const Tree *t, Op op) {
  if (!t) return false;
  if (t->op == op && (op == OP_LIMIT || t->type == TYPE_INDEX)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (uses_op(t->kid[i], op)) return true;
  return false;
}

bool variant_uses(const Program *p, Op op) {
  bool found = uses_op(p->sizes, op) || uses_op(p->launches, op);
  for (int i = 0; i < p->nkernels; i++) found |= uses_op(p->kernels[i]->body, op);
  return found;
}

static void small_functions(Buffer *to, const Program *p) {
  if (variant_uses(p, OP_MIN))
    buffer_puts(to, "\n__host__ __device__ constexpr Index least(Index x, Index y) { return x < y ? x : y; }\n");
  if (variant_uses(p, OP_MAX))
    buffer_puts(to, "\n__host__ __device__ constexpr Index greatest(Index x, Index y) { return x > y ? x : y; }\n");
}

/* Does some kernel have that op, whatever its type? */
static bool kernels_have(const Program *p, Op op) {
  for (int i = 0; i < p->nkernels; i++)
    if (tree_contains(p->kernels[i]->body, op)) return true;
  return false;
}

typedef struct WideMoves { bool load[WIDE_ONCE + 1], store[WIDE_ONCE + 1]; } WideMoves;

static bool note_wide(void *context, const Tree *t) {
  WideMoves *w = context;
  if (t->op == OP_LOAD_WIDE) w->load[t->number] = true;
  if (t->op == OP_STORE_WIDE) w->store[t->number] = true;
  return true;
}

/* Comment, name, and what reads 16 bytes. */
static const char load_16_bytes[] =
"\n// %s\n"
"template <typename E> __device__ __forceinline__ void %s(E *to, const E *from) {\n"
"  union {\n    uint4 bits;\n    E element[16 / sizeof(E)];\n  } wide;\n"
"  wide.bits = %s;\n"
"#pragma unroll\n"
"  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)\n"
"    to[i] = wide.element[i];\n"
"}\n";

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
  bool load = w.load[WIDE_ALIGNED] || w.load[WIDE_ANYWHERE], store = w.store[WIDE_ALIGNED] || w.store[WIDE_ANYWHERE];
  if (load || store || w.load[WIDE_ROW] || tree_contains(p->launches, OP_TO_ALIGNED))
    buffer_puts(to, "\n// How many elements lie between this one and the next multiple of 16 bytes.\n"
                    "template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {\n"
                    "  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));\n"
                    "}\n");
  if (load)
    buffer_printf(to, load_16_bytes, "16 bytes at once; `from` lies at a multiple of 16.", "load_wide",
                  "*(const uint4 *)from");
  if (w.load[WIDE_ANYWHERE]) buffer_printf(to, move_anywhere, "load_wide", "from");
  if (w.load[WIDE_ONCE])
    buffer_printf(to, load_16_bytes, "16 bytes at once of what nobody reads again: the first cache keeps none of it. "
                  "`from` lies at a multiple of 16.", "load_wide_once", "__ldcg((const uint4 *)from)");
  if (w.load[WIDE_ROW])
    buffer_puts(to, "\n// As many elements as 16 bytes of T's are, at once; `from` lies at a multiple of as many bytes as they are.\n"
                    "template <typename T, typename E> __device__ __forceinline__ void load_row(E *to, const E *from) {\n"
                    "  struct alignas(16 / sizeof(T) * sizeof(E)) Row {\n    E element[16 / sizeof(T)];\n  };\n"
                    "  const Row row = *(const Row *)from;\n"
                    "#pragma unroll\n"
                    "  for (int i = 0; i < (int)(16 / sizeof(T)); ++i)\n"
                    "    to[i] = row.element[i];\n"
                    "}\n");
  if (store)
    buffer_puts(to, "\n// 16 bytes at once; `to` lies at a multiple of 16. A plain store would be taken apart where single elements are\n"
                    "// stored beside it.\n"
                    "template <typename E> __device__ __forceinline__ void store_wide(E *to, const E *from) {\n"
                    "  union {\n    uint4 bits;\n    E element[16 / sizeof(E)];\n  } wide;\n"
                    "#pragma unroll\n"
                    "  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)\n"
                    "    wide.element[i] = from[i];\n"
                    "  __stwb((uint4 *)to, wide.bits);\n"
                    "}\n");
  if (w.store[WIDE_ANYWHERE]) buffer_printf(to, move_anywhere, "store_wide", "to");
}

/* How many blocks: their tiles fill as much of a multiprocessor's registers as was best (kept_eighths), and
 * as many lanes share it as it holds; or, where the machine's spec says what a lane works with, as do so without spilling
 * registers. */
static void resident(Buffer *to, const Output *o, const Program *p) {
  enum { REGISTER_BYTES = 4, ROW_BYTES = 16 };
  const Arch *m = o->machine;
  const Kernel *keeps = NULL;
  for (int i = 0; i < p->nkernels; i++)
    if (p->kernels[i]->kept) keeps = p->kernels[i];
  if (!keeps) return;
  const int64_t bytes = m->registers_unit * REGISTER_BYTES / 8 * m->measured.kept_eighths, rows = bytes / ROW_BYTES;
  buffer_printf(to, "\n// How many blocks share a multiprocessor's registers, of which they keep %" PRId64
                    " KB while they wait for others. A row\n// is 16 bytes.", bytes >> 10);
  if (!keeps->lane_registers) {
    buffer_printf(to, "\nconstexpr int resident(int threads, int rows) {\n"
                      "  return rows > %1$" PRId64 " ? 1 : %1$" PRId64 " / rows < %2$" PRId64 " / threads ? %1$" PRId64
                      " / rows : %2$" PRId64 " / threads;\n}\n", rows, m->threads_unit);
    return;
  }
  buffer_printf(to, " A lane works with `registers` of %1$" PRId64 ".\n"
                    "constexpr int resident(int threads, int rows, int registers) {\n"
                    "  int blocks = %2$" PRId64 ";\n"
                    "  if (blocks > %3$" PRId64 " / threads) blocks = %3$" PRId64 " / threads;\n"
                    "  if (blocks > %4$" PRId64 " / rows) blocks = %4$" PRId64 " / rows;\n"
                    "  if (blocks > %1$" PRId64 " / (threads * registers)) blocks = %1$" PRId64
                    " / (threads * registers);\n"
                    "  return blocks > 1 ? blocks : 1;\n}\n",
                m->registers_unit, m->blocks_unit, m->threads_unit, rows);
}

/* ptxas of CUDA 13 takes 24 registers beside the elements of a lane's row, those before it and those that it passes on,
 * which come to 8 a byte of an element: 56 for float, 88 for double, 152 for complex<double>. */
void emit_lane_registers(Buffer *to, const Kernel *k) {
  enum { SPEC_BYTES = 4, A_BYTE = 8 };
  buffer_printf(to, ", %d + %d * (int)sizeof(%s)", k->lane_registers - SPEC_BYTES * A_BYTE, A_BYTE,
                type_name(k->kept_type));
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
  buffer_puts(to, "\n// Makes so many neighbouring blocks of a grid a cluster ..\n"
                  "inline cudaLaunchAttribute in_clusters(Index blocks) {\n"
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
bool variant_uses_limits(const Program *p) {
  const char *text = p->monoid ? p->monoid->text : "";
  return variant_uses(p, OP_LIMIT) || strstr(text, "lowest") || strstr(text, "highest");
}

void emit_limits(Buffer *to, const char *qualifiers) {
  buffer_puts(to, "\n// The least and the greatest value of a type, infinities where it has them.\n"
                  "template <typename T> constexpr T least_value = std::numeric_limits<T>::has_infinity\n"
                  "                                                  ? -std::numeric_limits<T>::infinity()\n"
                  "                                                  : std::numeric_limits<T>::lowest();\n"
                  "template <typename T> constexpr T greatest_value = std::numeric_limits<T>::has_infinity\n"
                  "                                                     ? std::numeric_limits<T>::infinity()\n"
                  "                                                     : std::numeric_limits<T>::max();\n");
  buffer_printf(to, "template <typename T> %1$sconstexpr T lowest() { return least_value<T>; }\n"
                    "template <typename T> %1$sconstexpr T highest() { return greatest_value<T>; }\n", qualifiers);
}

void emit_support(Buffer *to, const Output *o, const Program *p) {
  buffer_puts(to, "\ntypedef long long Index; // sizes and positions\n");
  small_functions(to, p);
  if (p->generic && output_has_complex(o)) {
    buffer_puts(to, "\n");
    emit_complex(to, "__host__ __device__ ");
  }
  if (variant_uses_limits(p)) emit_limits(to, "__host__ __device__ ");
  emit_monoid(to, o);
  wide_moves(to, p);
  resident(to, o, p);
  ticket(to, p);
  posts(to, p);
  overlap(to, p);
  shuffles(to, o, p);
  emit_look_back(to, o, p);
  collectives(to, p);
  clusters(to, p);
  emit_atomics(to, o, p);
}
