// An exchange over any number of lanes that halves them reaches all; what a warp reduces by itself.
//
// mutant: too far: lanes > 8 ? 8 => lanes > 8 ? 16
// mutant: not at all: lanes > 1 ? 1 : 0 => 0
// mutant: no reals: reduces<int> = true => reduces<float> = true
#include "device_test.h"

#include "collectives.cuh"

static_assert(reduces<int> && reduces<unsigned> && !reduces<float>, "");

__global__ void sum(int lanes, int *out) {
  const int lane = threadIdx.x;
  int value = lane < lanes ? lane + 1 : 0;
  for (int by = half_of(lanes); by > 0; by /= 2) value += __shfl_down_sync(0xffffffff, value, by);
  if (lane == 0) *out = value;
}

int main() {
  return each_seed([] {
    for (int lanes = 1; lanes <= 32; lanes++) {
      int *out = zeroed<int>(1);
      if (!launched(sum, 1, 32, lanes, out) || *out != lanes * (lanes + 1) / 2) return false;
      int power = 1; // lanes as if they were a power of two, and no further
      while (power < lanes) power *= 2;
      if (half_of(lanes) != power / 2) return false;
    }
    return true;
  });
}
