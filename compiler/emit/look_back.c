/* look_back.c: the functions by which the blocks of a scan learn what stands before their tiles (MICRO VI-C).
 *
 * Each block posts its tile's total. Either it then goes back over what the blocks before it have posted (Merrill and
 * Garland, "Single-pass parallel prefix scan with decoupled look-back", 2016), or one block of the grid, the scanner,
 * reads all totals in order, its warps by turns, and posts to every block what stands before its tile: what is combined
 * with what is then the same in every run, and each word is read by one warp alone. Nobody depends on the scanner: a tile
 * that waits in vain does its work up to itself.
 *
 * 32 bits of a total lie in a word of 64, below the number of the call that posted them: a word of this call is there
 * or is not, and nothing has to be cleared. */
#include "emit/emit.h"
#include "ir/operator.h"

static const char words[] =
"\n// How many blocks have begun before this one, and above that the number of this call; the last of `blocks` goes\n"
"// on to the next one.\n"
"__device__ __forceinline__ unsigned long long take_ticket(unsigned long long *tickets, unsigned blocks) {\n"
"  const unsigned long long taken = atomicAdd(tickets, 1ull);\n"
"  if ((unsigned)taken == blocks - 1) atomicExch(tickets, ((taken >> 32) + 1) << 32);\n"
"  return taken;\n"
"}\n"
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
"\n// Of each tile two totals are posted: its own, and that of all before it (or up to it).\n"
"enum Posted { NOTHING, OWN, ALL };\n"
"template <typename T> union Total {\n"
"  T value;\n"
"  unsigned word[(sizeof(T) + sizeof(unsigned) - 1) / sizeof(unsigned)];\n"
"};\n"
"template <typename T> __host__ __device__ constexpr int words_of() {\n"
"  return 2 * (int)((sizeof(T) + sizeof(unsigned) - 1) / sizeof(unsigned));\n"
"}\n"
"template <typename T> __device__ __forceinline__\n"
"unsigned long long *place_of(unsigned long long *words, Index tiles, Index tile, Posted what) {\n"
"  return words + ((what == ALL ? tiles : 0) + tile) * (words_of<T>() / 2);\n"
"}\n"
"\n// The call's number is never 0: what was never posted is no word of any call.\n"
"__device__ __forceinline__ unsigned long long mark_of(unsigned long long taken) { return (taken >> 32) + 1; }\n"
"template <typename T> __device__ __forceinline__ void post_total(unsigned long long *to, unsigned long long taken, "
"T total) {\n"
"  Total<T> bits;\n"
"  bits.value = total;\n"
"#pragma unroll\n"
"  for (int k = 0; k < words_of<T>() / 2; k++)\n"
"    set_word(&to[k], mark_of(taken) << 32 | bits.word[k]);\n"
"}\n"
"\n// A total's words as they lie there; is it this call's, then it is in `total`.\n"
"template <typename T> struct Seen {\n"
"  unsigned long long word[words_of<T>() / 2];\n"
"};\n"
"template <typename T> __device__ __forceinline__ Seen<T> see(unsigned long long *from) {\n"
"  Seen<T> seen;\n"
"#pragma unroll\n"
"  for (int k = 0; k < words_of<T>() / 2; k++)\n"
"    seen.word[k] = see_word(&from[k]);\n"
"  return seen;\n"
"}\n"
"template <typename T> __device__ __forceinline__ bool holds_total(const Seen<T> &seen, unsigned long long taken, "
"T *total) {\n"
"  Total<T> bits;\n"
"  bool there = true;\n"
"#pragma unroll\n"
"  for (int k = 0; k < words_of<T>() / 2; k++) {\n"
"    there = there && seen.word[k] >> 32 == mark_of(taken);\n"
"    bits.word[k] = (unsigned)seen.word[k];\n"
"  }\n"
"  if (there) *total = bits.value;\n"
"  return there;\n"
"}\n"
"template <typename T> __device__ __forceinline__ bool see_total(unsigned long long *from, unsigned long long taken, "
"T *total) {\n"
"  return holds_total<T>(see<T>(from), taken, total);\n"
"}\n";

/* %1$s: the identity; %2$s: `value' of the lane that is `by' further on; %3$s: that of lane 0; %4$s: a parameter more;
 * %5$s: is the tile its container's first? */
static const char look[] =
"\n// What stands before a tile: posts the tile's own total, and goes back over what the tiles before it have posted,\n"
"// a vector of them at a time, up to the first that knew the total of all. Those tiles' blocks have begun.\n"
"template <typename T> __device__ __forceinline__ T look_back(unsigned long long *words, Index tiles, Index tile,\n"
"                                                             unsigned long long taken, T total%4$s) {\n"
"  const int lane = threadIdx.x %% 32;\n"
"  T carry = %1$s;\n"
"  if (lane == 0) post_total<T>(place_of<T>(words, tiles, tile, %5$s ? ALL : OWN), taken, total);\n"
"  if (%5$s) return carry;\n"
"  bool found = false;\n"
"  for (Index from = tile - 1 - lane; !found; from -= 32) {\n"
"    T value = %1$s;\n"
"    Posted what = from < 0 ? ALL : NOTHING;\n"
"    while (__any_sync(0xffffffff, what == NOTHING)) {\n"
"      if (what == NOTHING && see_total<T>(place_of<T>(words, tiles, from, ALL), taken, &value)) what = ALL;\n"
"      if (what == NOTHING && see_total<T>(place_of<T>(words, tiles, from, OWN), taken, &value)) what = OWN;\n"
"    }\n"
"    const unsigned knew = __ballot_sync(0xffffffff, what == ALL);\n"
"    found = knew != 0;\n"
"    if (found && lane >= __ffs((int)knew)) value = %1$s; // what stands before that is in it already\n"
"#pragma unroll\n"
"    for (int by = 1; by < 32; by *= 2) {\n"
"      const T other = %2$s;\n"
"      if (lane + by < 32) value = combine<T>(other, value);\n"
"    }\n"
"    carry = combine<T>(%3$s, carry);\n"
"  }\n"
"  if (lane == 0) post_total<T>(place_of<T>(words, tiles, tile, ALL), taken, combine<T>(carry, total));\n"
"  return carry;\n"
"}\n";

/* %1$s: the identity; %2$s: `sum[g]' of the lane that is `by' before; %3$s: that of the lane before; %4$s: of the last;
 * %5$s: a parameter more, and %6$s: it handed on. Of the tiles of many parts: %7$s: how many of a part stand before one;
 * %8$s: is one that is `by' before of the same part? %9$s: what stands before; %10$s: what stands before the next. */
static const char scanner[] =
"\n// So often is looked in vain before it is given up: by the scanner, when there may be no room for another block\n"
"// while it waits; by a tile, when the scanner may have given up.\n"
"#ifdef __CUDA_ARCH__\n"
"enum { PATIENCE = 1 << 14 };\n"
"#else\n"
"enum { PATIENCE = 1 << 4 };\n"
"#endif\n"
"const unsigned long long GIVEN_UP = 0xfffffffeull << 32; // no turn has that number\n"
"\n// Scans the totals of tiles `from` to `upto` in order, 32 at a time, some of these groups under way at once, and\n"
"// posts what stands before each as soon as those before it are there; meanwhile it looks at the next ones. Warps take\n"
"// turns: each hands what stands before the next turn's tiles on to that turn, in shared memory. Whoever does it posts\n"
"// the same. Returns early when it looks in vain, unless it is `patient`.\n"
"template <typename T, int groups> __device__ __forceinline__\n"
"void scan_from(unsigned long long *words, Index tiles, Index from, Index upto, T carry, bool patient,\n"
"               unsigned long long taken%5$s, int warps, unsigned long long *handed) {\n"
"  const int lane = threadIdx.x %% 32;\n"
"  int vain = 0;\n"
"  unsigned long long turn = warps > 1 ? threadIdx.x / 32 : 0;\n"
"  from += 32 * groups * (Index)turn;\n"
"  Seen<T> next[groups];\n"
"#pragma unroll\n"
"  for (int g = 0; g < groups; g++)\n"
"    if (from + 32 * g + lane < upto) next[g] = see<T>(place_of<T>(words, tiles, from + 32 * g + lane, OWN));\n"
"  for (Index base = from; base < upto; base += 32 * groups * warps, turn += warps) {\n"
"    T own[groups];\n"
"    bool there[groups];\n"
"%7$s"
"#pragma unroll\n"
"    for (int g = 0; g < groups; g++) {\n"
"      own[g] = %1$s;\n"
"      there[g] = base + 32 * g + lane >= upto || holds_total<T>(next[g], taken, &own[g]);\n"
"    }\n"
"#pragma unroll\n"
"    for (int g = 0; g < groups; g++) {\n"
"      const Index tile = base + 32 * (groups * warps + g) + lane;\n"
"      if (tile < upto) next[g] = see<T>(place_of<T>(words, tiles, tile, OWN));\n"
"    }\n"
"    for (bool begun = warps == 1 || turn == 0; !begun;) { // until its turn it looks again at what was not there\n"
"      Seen<T> again[groups];\n"
"#pragma unroll\n"
"      for (int g = 0; g < groups; g++)\n"
"        if (!there[g]) again[g] = see<T>(place_of<T>(words, tiles, base + 32 * g + lane, OWN));\n"
"      bool over = false;\n"
"      for (int k = 0; k < 8 && !begun && !over; k++) { // while those are on their way\n"
"        const Seen<T> said = see<T>(handed);\n"
"        begun = holds_total<T>(said, turn << 32, &carry);\n"
"        over = said.word[0] >> 32 == mark_of(GIVEN_UP);\n"
"      }\n"
"      if (__any_sync(0xffffffff, over)) return;\n"
"      begun = __all_sync(0xffffffff, begun);\n"
"#pragma unroll\n"
"      for (int g = 0; g < groups; g++)\n"
"        if (!there[g]) there[g] = holds_total<T>(again[g], taken, &own[g]);\n"
"    }\n"
"    int told = 0; // of the tiles of `group`\n"
"    for (int group = 0; group < groups;) {\n"
"#pragma unroll\n"
"      for (int g = 0; g < groups; g++)\n"
"        if (g >= group && !there[g])\n"
"          there[g] = see_total<T>(place_of<T>(words, tiles, base + 32 * g + lane, OWN), taken, &own[g]);\n"
"      if (!patient && ++vain > PATIENCE) {\n"
"        if (warps > 1 && lane == 0) post_total<T>(handed, GIVEN_UP, carry);\n"
"        return;\n"
"      }\n"
"      T sum[groups];\n"
"#pragma unroll\n"
"      for (int g = 0; g < groups; g++)\n"
"        sum[g] = there[g] ? own[g] : %1$s;\n"
"#pragma unroll\n"
"      for (int by = 1; by < 32; by *= 2)\n"
"#pragma unroll\n"
"        for (int g = 0; g < groups; g++) {\n"
"          const T other = %2$s;\n"
"          if (lane >= by%8$s) sum[g] = combine<T>(other, sum[g]);\n"
"        }\n"
"#pragma unroll\n"
"      for (int g = 0; g < groups; g++) {\n"
"        const unsigned lacks = __ballot_sync(0xffffffff, !there[g]);\n"
"        const int known = lacks ? __ffs((int)lacks) - 1 : 32;\n"
"        if (g != group || (known == told && known < 32)) continue;\n"
"        vain = 0;\n"
"        const T before = %3$s, all = %4$s;\n"
"        const Index tile = base + 32 * g + lane;\n"
"        if (lane >= told && lane < known && tile < upto)\n"
"          post_total<T>(place_of<T>(words, tiles, tile, ALL), taken,%9$s lane == 0 ? carry : combine<T>(carry, before));\n"
"        told = known;\n"
"        if (known == 32) {\n"
"          carry = %10$scombine<T>(carry, all);\n"
"          told = 0;\n"
"          ++group;\n"
"        }\n"
"      }\n"
"    }\n"
"    if (warps > 1 && lane == 0) post_total<T>(handed, (turn + 1) << 32, carry);\n"
"  }\n"
"}\n"
"\n// The scanner: tells all tiles. A block together; `handed`: shared, as many words as a total has.\n"
"template <typename T> __device__ __forceinline__ void scan_totals(unsigned long long *words, Index tiles,\n"
"                                                                  unsigned long long taken%5$s,\n"
"                                                                  unsigned long long *handed) {\n"
"  if (threadIdx.x < words_of<T>() / 2) handed[threadIdx.x] = 0; // no turn's\n"
"  __syncthreads();\n"
"  scan_from<T, 4>(words, tiles, 0, tiles, %1$s, false, taken%6$s, blockDim.x / 32, handed);\n"
"}\n"
"\n// What stands before a tile: posts the tile's own total, and waits for the scanner's word. One that waits in vain\n"
"// scans the totals itself, from where it is known what stands before: the tiles before it have begun and wait for\n"
"// nobody before they post theirs. One warp.\n"
"template <typename T> __device__ __forceinline__ T prior_total(unsigned long long *words, Index tiles, Index tile,\n"
"                                                               unsigned long long taken, T total%5$s) {\n"
"  const int lane = threadIdx.x %% 32;\n"
"  unsigned long long *mine = place_of<T>(words, tiles, tile, ALL);\n"
"  T prior = %1$s;\n"
"  bool told = false;\n"
"  if (lane == 0) {\n"
"    post_total<T>(place_of<T>(words, tiles, tile, OWN), taken, total);\n"
"    for (int vain = 0; !told && vain < PATIENCE; vain++)\n"
"      told = see_total<T>(mine, taken, &prior);\n"
"  }\n"
"  if (__all_sync(0xffffffff, told || lane > 0)) return prior;\n"
"  Index from = tile / 32 * 32;\n"
"  T carry = %1$s;\n"
"  for (bool known = false; from > 0 && !known;) {\n"
"    known = see_total<T>(place_of<T>(words, tiles, from, ALL), taken, &carry);\n"
"    known = __all_sync(0xffffffff, known);\n"
"    if (!known) from -= 32;\n"
"  }\n"
"  if (from == 0) carry = %1$s;\n"
"  // beside what the block holds in registers\n"
"  scan_from<T, 1>(words, tiles, from, tile + 1, carry, true, taken%6$s, 1, nullptr);\n"
"  __syncwarp();\n"
"  while (lane == 0 && !told)\n"
"    told = see_total<T>(mine, taken, &prior);\n"
"  __syncwarp();\n"
"  return prior;\n"
"}\n";

enum { WORDS_TO_TOTAL = 5 }; /* what LOOK_BACK and PRIOR_TOTAL have in any case */

typedef struct Found { const Tree *look_back, *prior; } Found;

static bool find(void *context, const Tree *t) {
  Found *f = context;
  if (t->op == OP_LOOK_BACK) f->look_back = t;
  if (t->op == OP_PRIOR_TOTAL) f->prior = t;
  return true;
}

/* A shuffle as the type allows. */
static const char *exchanged(Arena *a, bool whole, const char *own, const char *by_words, const char *arguments) {
  return whole ? arena_printf(a, "%s(0xffffffff, %s)", own, arguments) : arena_printf(a, "%s(%s)", by_words, arguments);
}

bool output_shuffles_whole(const Output *o) {
  bool whole = true;
  for (int i = 0; i < o->ntypes; i++) whole &= element_is_shuffled_whole(o->types[i]);
  return whole;
}

void emit_look_back(Buffer *to, const Output *o, const Program *p) {
  Found f = {NULL, NULL};
  for (int i = 0; i < p->nkernels; i++) tree_visit(p->kernels[i]->body, find, &f);
  const Tree *either = f.look_back ? f.look_back : f.prior;
  if (!either) return;
  Arena *a = to->arena;
  OperatorKind op = (OperatorKind)either->number;
  Symbol *x = symbol_new(a, SYMBOL_LOCAL, "x", TYPE_ELEM), *y = symbol_new(a, SYMBOL_LOCAL, "y", TYPE_ELEM);
  Buffer both = buffer_new(a), none = buffer_new(a);
  cuda_expression(&both, tree_binary(a, operator_op(op), TYPE_ELEM, tree_ref(a, x), tree_ref(a, y)));
  cuda_expression(&none, operator_identity(a, op, TYPE_ELEM));
  bool whole = output_shuffles_whole(o);
  buffer_puts(to, words);
  buffer_printf(to, "\ntemplate <typename T> __device__ __forceinline__ T combine(T x, T y) { return %s; }\n",
                both.text);
  const bool parts = either->nkids > WORDS_TO_TOTAL; /* tiles of many: nothing stands before a part's first one */
  const char *each = parts ? ", Index each" : "";
  if (f.look_back)
    buffer_printf(to, look, none.text, exchanged(a, whole, "__shfl_down_sync", "shuffle_down", "value, by"),
                  exchanged(a, whole, "__shfl_sync", "shuffle", "value, 0"), each,
                  parts ? "tile % each == 0" : "tile == 0");
  if (f.prior)
    buffer_printf(to, scanner, none.text, exchanged(a, whole, "__shfl_up_sync", "shuffle_up", "sum[g], by"),
                  exchanged(a, whole, "__shfl_up_sync", "shuffle_up", "sum[g], 1"),
                  exchanged(a, whole, "__shfl_sync", "shuffle", "sum[g], 31"), each, parts ? ", each" : "",
                  parts ? "    int ahead[groups]; // tiles of each one's part before it\n"
                          "#pragma unroll\n"
                          "    for (int g = 0; g < groups; g++)\n"
                          "      ahead[g] = (int)((unsigned)(base + 32 * g + lane) % (unsigned)each);\n"
                        : "",
                  parts ? " && ahead[g] >= by" : "",
                  parts ? arena_printf(a, "\n                        ahead[g] == 0 ? %s // nothing\n"
                                       "                        : ahead[g] <= lane ? before // of these tiles alone\n"
                                       "                        :", none.text)
                        : "",
                  parts ? "__shfl_sync(0xffffffff, ahead[g], 31) < 32 ? all : " : "");
}
