// The last block sees what the others stored, and the counter serves the next launch.
//
// mutant: no fence: __threadfence();\n  const unsigned => ;\n  const unsigned
// mutant: the counter stays: atomicInc(arrived, blocks - 1) => atomicAdd(arrived, 1u)
// mutant: the first is the last: return before == blocks - 1 => return before == 0
#include "device_test.h"

#include "ticket.cuh"

__global__ void sum(int *partial, unsigned *arrived, int *out) {
  partial[blockIdx.x] = (int)blockIdx.x + 1;
  if (!arrives_last(arrived, gridDim.x)) return;
  int total = 0;
  for (unsigned i = 0; i < gridDim.x; i++) total += partial[i];
  *out = total;
}

int main() {
  return each_seed([] {
    unsigned *arrived = zeroed<unsigned>(1);
    for (unsigned blocks : {1u, 9u, 4u}) {
      int *out = zeroed<int>(1), *partial = zeroed<int>(blocks);
      simt::poison(partial);
      if (!launched(sum, blocks, 1, partial, arrived, out) || *out != (int)(blocks * (blocks + 1) / 2)) return false;
    }
    return true;
  });
}
