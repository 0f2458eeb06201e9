// Tiles of one number each, several calls in one workspace: what stands before each tile, by look-back and by a scanner.
//
// variant: -DPARTS=0
// variant: -DPARTS=1
// mutant: words of an earlier call: seen.word[k] >> 32 == mark_of(taken) => seen.word[k] != 0
// mutant: a place of an earlier call: mark - mark_of(taken) < 2 => mark != 0
// mutant: its own for that of all: return mark % 2 ? ALL : OWN; => return ALL;
// mutant: all are its own: mark_of(taken) + (what == ALL) => mark_of(taken)
// mutant: another tile's place: words + tile * words_of<T>(), word => words + tile / 2 * words_of<T>(), word
// mutant: a tile's own total for that of all: tile == 0 ? ALL : OWN, total => ALL, total
// mutant: not the first of its part: tile % each == 0 ? ALL : OWN, total => tile == 0 ? ALL : OWN, total
// mutant: counted twice: if (found && lane >= __ffs((int)knew)) value = IDENTITY; =>
// mutant: forgets the groups before: carry = combine<T>(carry, all); => carry = all;
// mutant: tells before it knows: lane >= told && lane < known => lane >= told
// mutant: out of turn: begun = holds_total<T>(said, turn << 32, &carry); => begun = true;
// mutant: a ticket that does not go on: if ((unsigned)taken == blocks - 1) => if (false)
// mutant: no barrier: __syncthreads(); => ;
#include "device_test.h"

#include "look_back.cuh"

enum { EACH = 5, THREADS = 64 };

#if PARTS
#define ALSO_EACH , (Index)EACH
#else
#define ALSO_EACH
#endif

__global__ void by_look_back(unsigned long long *tickets, unsigned long long *words, Index tiles, const int *in, int *out) {
  __shared__ unsigned long long taken;
  if (threadIdx.x == 0) taken = take_ticket(tickets, (unsigned)tiles);
  __syncthreads();
  const Index tile = (unsigned)taken;
  if (threadIdx.x >= 32) return;
  const int before = look_back<int>(words, tiles, tile, taken, in[tile] ALSO_EACH);
  if (threadIdx.x == 0) out[tile] = before;
}

__global__ void by_scanner(unsigned long long *tickets, unsigned long long *words, Index tiles, const int *in, int *out) {
  __shared__ unsigned long long taken, handed[words_each<int>()];
  if (threadIdx.x == 0) taken = take_ticket(tickets, (unsigned)(tiles + 1));
  __syncthreads();
  const Index tile = (Index)(unsigned)taken - 1;
  if (tile < 0) scan_totals<int>(words, tiles, taken ALSO_EACH, handed);
  else if (threadIdx.x < 32) {
    const int before = prior_total<int>(words, tiles, tile, taken, in[tile] ALSO_EACH);
    if (threadIdx.x == 0) out[tile] = before;
  }
}

static bool calls(bool scanner, Index tiles) {
  unsigned long long *tickets = zeroed<unsigned long long>(1), *words = zeroed<unsigned long long>((size_t)tiles * words_of<int>());
  int *in = zeroed<int>((size_t)tiles), *out = zeroed<int>((size_t)tiles);
  for (int call = 0; call < 3; call++) {
    for (Index i = 0; i < tiles; i++) in[i] = (int)(i * 7 % 11) + call;
    if (!launched(scanner ? by_scanner : by_look_back, (unsigned)tiles + scanner, THREADS, tickets, words, tiles, in, out))
      return false;
    for (Index i = 0, before = 0; i < tiles; before += in[i++]) {
      if (PARTS && i % EACH == 0) before = 0;
      if (out[i] != before) return false;
    }
  }
  return true;
}

int main() {
  return each_seed([] {
    for (bool scanner : {false, true})
      for (Index tiles : {1, 3, 70, 300})
        if (!calls(scanner, tiles)) return false;
    return true;
  });
}
