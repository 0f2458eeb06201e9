// Blocks post a result of 8 bytes each; the one that began last collects them, twice in the same words.
//
// mutant: no mark: 1ull << 32 | bits.word[k] => bits.word[k]
// mutant: the words stay: put_word(&posts[place * words + k], 0); => ;
// mutant: does not wait: while (word >> 32 == 0) => while (false)
// mutant: nobody is last: atomicInc(begun, blocks - 1) == blocks - 1 => atomicAdd(begun, 1u) == blocks - 1
#include "device_test.h"

#include "posts.cuh"

__global__ void sum(unsigned *begun, unsigned long long *words, long long step, long long *out) {
  const bool last = begins_last(begun, gridDim.x);
  post(words, blockIdx.x, ((long long)blockIdx.x + 1) * step);
  if (!last) return;
  long long total = 0;
  for (unsigned i = 0; i < gridDim.x; i++) total += collect<long long>(words, i);
  *out = total;
}

int main() {
  return each_seed([] {
    unsigned *begun = zeroed<unsigned>(1);
    unsigned long long *words = zeroed<unsigned long long>(2 * 8);
    for (long long step : {1ll, (1ll << 33) + 1}) {
      long long *out = zeroed<long long>(1);
      if (!launched(sum, 8, 1, begun, words, step, out) || *out != 36 * step) return false;
    }
    return true;
  });
}
