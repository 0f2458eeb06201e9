/* look_back.c: the functions by which the blocks of a scan learn what stands before their tiles (MICRO VI-C; Merrill and
 * Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016). */
#include "emit/emit.h"
#include "ir/operator.h"

/* A result of up to 32 bits and what it is lie in one word of 64, which is there or is not. A wider one has two records,
 * each written once, with a mark in each of its words. */
static const char words[] =
"\n// How many blocks have begun before this one; the last of `blocks` leaves the counter at zero.\n"
"__device__ __forceinline__ Index ticket(unsigned *begun, unsigned blocks) { return atomicInc(begun, blocks - 1); }\n"
"\n// A word is there or is not, whole: loads and stores that pass the L1 cache by and are not torn.\n"
"#ifdef __CUDA_ARCH__\n"
"__device__ __forceinline__ void set_word(unsigned long long *to, unsigned long long word) "
"{ *(volatile unsigned long long *)to = word; }\n"
"__device__ __forceinline__ unsigned long long see_word(unsigned long long *from) "
"{ return *(volatile unsigned long long *)from; }\n"
"#else\n"
"__device__ inline void set_word(unsigned long long *to, unsigned long long word) { atomicExch(to, word); }\n"
"__device__ inline unsigned long long see_word(unsigned long long *from) { return atomicCAS(from, 0ull, 0ull); }\n"
"#endif\n"
"\n// What a tile's words say: nothing yet, its own total, or the total of all up to it.\n"
"enum Posted { NOTHING, OWN, ALL };\n"
"\n// A result of 32 bits is one word, with what it is above it; a wider one has words for its own total, then for that\n"
"// of all, each with a mark.\n"
"template <typename V> __host__ __device__ constexpr int words_of() {\n"
"  return sizeof(V) <= sizeof(unsigned) ? 1 : 2 * (int)(sizeof(V) / sizeof(unsigned));\n"
"}\n"
"template <typename V> union Carried {\n"
"  V value;\n"
"  unsigned word[(sizeof(V) + sizeof(unsigned) - 1) / sizeof(unsigned)];\n"
"};\n"
"template <typename V> __device__ __forceinline__ void post_total(unsigned long long *words, Index tile, V total, "
"Posted what) {\n"
"  const int each = words_of<V>();\n"
"  Carried<V> bits;\n"
"  bits.word[0] = 0;\n"
"  bits.value = total;\n"
"  unsigned long long *to = words + tile * each + (each > 1 && what == ALL ? each / 2 : 0);\n"
"#pragma unroll\n"
"  for (int k = 0; k < (each > 1 ? each / 2 : 1); k++)\n"
"    set_word(&to[k], (unsigned long long)what << 32 | bits.word[k]);\n"
"}\n"
"template <typename V> __device__ __forceinline__ Posted read_total(unsigned long long *words, Index tile, V *total) {\n"
"  const int each = words_of<V>(), half = each > 1 ? each / 2 : 1;\n"
"  Carried<V> bits;\n"
"  if (each == 1) {\n"
"    const unsigned long long word = see_word(&words[tile]);\n"
"    bits.word[0] = (unsigned)word;\n"
"    *total = bits.value;\n"
"    return (Posted)(word >> 32);\n"
"  }\n"
"  for (int what = ALL; what >= OWN; what--) {\n"
"    unsigned long long *from = words + tile * each + (what == ALL ? half : 0);\n"
"    bool there = true;\n"
"#pragma unroll\n"
"    for (int k = 0; k < half; k++) {\n"
"      const unsigned long long word = see_word(&from[k]);\n"
"      there = there && word >> 32 != 0;\n"
"      bits.word[k] = (unsigned)word;\n"
"    }\n"
"    *total = bits.value;\n"
"    if (there) return (Posted)what;\n"
"  }\n"
"  return NOTHING;\n"
"}\n";

/* %1$s: the identity; %2$s: `value' of the lane that is `by' further on; %3$s: that of lane 0. */
static const char look[] =
"\n// What stands before a tile: posts the tile's own total, and goes back over what the tiles before it have posted, a\n"
"// vector of them at a time, up to the first that knew the total of all. Those tiles' blocks have begun.\n"
"template <typename T> __device__ __forceinline__ T look_back(unsigned long long *words, Index tile, T total) {\n"
"  const int lane = threadIdx.x %% 32;\n"
"  T carry = %1$s;\n"
"  if (lane == 0) post_total<T>(words, tile, total, tile == 0 ? ALL : OWN);\n"
"  if (tile == 0) return carry;\n"
"  bool found = false;\n"
"  for (Index from = tile - 1 - lane; !found; from -= 32) {\n"
"    T value = %1$s;\n"
"    Posted what = from < 0 ? ALL : read_total<T>(words, from, &value);\n"
"    while (__any_sync(0xffffffff, what == NOTHING))\n"
"      if (what == NOTHING) what = read_total<T>(words, from, &value);\n"
"    const unsigned knew = __ballot_sync(0xffffffff, what == ALL);\n"
"    found = knew != 0;\n"
"    if (from < 0 || (found && lane >= __ffs((int)knew))) value = %1$s; // what stands before that is in it already\n"
"#pragma unroll\n"
"    for (int by = 1; by < 32; by *= 2) {\n"
"      const T other = %2$s;\n"
"      if (lane + by < 32) value = combine<T>(other, value);\n"
"    }\n"
"    carry = combine<T>(%3$s, carry);\n"
"  }\n"
"  if (lane == 0) post_total<T>(words, tile, combine<T>(carry, total), ALL);\n"
"  return carry;\n"
"}\n"
"\n// Leaves the words as they were before the call.\n"
"template <typename T> __device__ __forceinline__ void clear(unsigned long long *words, Index tiles) {\n"
"  for (Index i = threadIdx.x; i < tiles * words_of<T>(); i += blockDim.x)\n"
"    set_word(&words[i], 0);\n"
"}\n";

typedef struct FindLook { const Tree *found; } FindLook;

static bool find(void *context, const Tree *t) {
  FindLook *f = context;
  if (t->op == OP_LOOK_BACK) f->found = t;
  return !f->found;
}

void emit_look_back(Buffer *to, const Output *o, const Program *p) {
  FindLook f = {NULL};
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, find, &f);
  if (!f.found) return;
  Arena *a = to->arena;
  OperatorKind op = (OperatorKind)f.found->number;
  Symbol *x = symbol_new(a, SYMBOL_LOCAL, "x", TYPE_ELEM), *y = symbol_new(a, SYMBOL_LOCAL, "y", TYPE_ELEM);
  Buffer both = buffer_new(a), none = buffer_new(a);
  cuda_expression(&both, tree_binary(a, operator_op(op), TYPE_ELEM, tree_ref(a, x), tree_ref(a, y)));
  cuda_expression(&none, operator_identity(a, op, TYPE_ELEM));
  bool whole = true;
  for (int i = 0; i < o->ntypes; i++) whole &= element_is_shuffled_whole(o->types[i]);
  buffer_puts(to, words);
  buffer_printf(to, "\ntemplate <typename T> __device__ __forceinline__ T combine(T x, T y) { return %s; }\n", both.text);
  const char *down = whole ? "__shfl_down_sync(0xffffffff, value, by)" : "shuffle_down(value, by)";
  const char *from = whole ? "__shfl_sync(0xffffffff, value, 0)" : "shuffle(value, 0)";
  buffer_printf(to, look, none.text, down, from);
}
