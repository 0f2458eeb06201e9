// An exchange over any number of lanes that halves them reaches all; what a warp reduces by itself; what the lanes of
// several blocks have, added in one place, twice.
//
// mutant: too far: lanes > 8 ? 8 => lanes > 8 ? 16
// mutant: not at all: lanes > 1 ? 1 : 0 => 0
// mutant: no reals: reduces<int> = true => reduces<float> = true
// mutant: begins before the sum is 0: *sum = 0;\n  __syncthreads(); => *sum = 0;
// mutant: half a warp: int i = 16; => int i = 8;
// mutant: every lane's: if (threadIdx.x % 32 == 0 && own != 0) => if (own != 0)
// mutant: one warp's: if (threadIdx.x % 32 == 0 && own != 0) => if (threadIdx.x == 0 && own != 0)
// mutant: adds without an atomic: atomicAdd((Word *)sum, (Word)own); => *sum += own;
// mutant: goes on before all have added: (Word)own);\n  __syncthreads(); => (Word)own);
// mutant: each lane adds all: if (threadIdx.x == 0 && *sum != 0) => if (*sum != 0)
// mutant: stores the sum: atomicAdd((Word *)to, (Word)*sum); => *to = *sum;
#include "device_test.h"

#include "collectives.cuh"

static_assert(reduces<int> && reduces<unsigned> && !reduces<float>, "");

__global__ void sum(int lanes, int *out) {
  const int lane = threadIdx.x;
  int value = lane < lanes ? lane + 1 : 0;
  for (int by = half_of(lanes); by > 0; by /= 2) value += __shfl_down_sync(0xffffffff, value, by);
  if (lane == 0) *out = value;
}

template <typename T> __global__ void add(T *to) {
  __shared__ T sum[1];
  const int who = blockIdx.x * blockDim.x + threadIdx.x;
  add_of_block(&to[1], (T)(who % 5 - 1), sum);
  add_of_block(&to[0], (T)(who * 3), sum);
}

template <typename T> bool adds() {
  T *to = zeroed<T>(2), first = 0, second = 0;
  to[0] = 7;
  for (int who = 0; who < 3 * 96; who++) {
    first += (T)(who * 3);
    second += (T)(who % 5 - 1);
  }
  return launched(add<T>, 3, 96, to) && to[0] == first + 7 && to[1] == second;
}

int main() {
  return each_seed([] {
    if (!adds<int>() || !adds<unsigned>() || !adds<long long>()) return false;
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
