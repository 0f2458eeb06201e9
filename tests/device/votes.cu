// Which lanes of a warp have the same lowest bits, against a comparison with each lane's number.
//
// mutant: the bit is not read: x >> k & 1) => x & 1)
// mutant: votes are not turned round: (int)(x << (31 - k)) >> 31 => 0xffffffff
// mutant: one bit less: k < bits; => k < bits - 1;
#include "device_test.h"

#include "votes.cuh"

__global__ void compare(const unsigned *x, unsigned *wrong) {
  const unsigned *mine = x + threadIdx.x / 32 * 32;
  const unsigned same[] = {alike(x[threadIdx.x], 1), alike(x[threadIdx.x], 8), alike(x[threadIdx.x], 32)};
  const unsigned masks[] = {1u, 255u, 0xffffffffu};
  for (int k = 0; k < 3; k++) {
    unsigned want = 0;
    for (int lane = 0; lane < 32; lane++)
      want |= (unsigned)((mine[lane] & masks[k]) == (x[threadIdx.x] & masks[k])) << lane;
    if (same[k] != want) atomicAdd(wrong, 1u);
  }
}

int main() {
  return each_seed([] {
    unsigned *x = zeroed<unsigned>(96), *wrong = zeroed<unsigned>(1);
    unsigned next = 12345;
    for (int i = 0; i < 96; i++) {
      next = next * 1664525u + 1013904223u;
      x[i] = i < 32 ? next >> 24 << 4 : i < 64 ? next >> 30 : next >> 28 << 28 | next >> 8 & 3; // few are the same, many
    }
    return launched(compare, 1, 96, (const unsigned *)x, wrong) && *wrong == 0;
  });
}
