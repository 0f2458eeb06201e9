// Elements of type half16 are halves; what is made of a float is the nearest half, and so is each sum of them. Sums of other
// elements are what these are added up in.
//
// mutant: of a float one: explicit half16(float x) : value(x) => explicit half16(float x) : value(1.0f)
// mutant: a sum that stays: return *this = half_sum((float)*this + x) => return *this
#include <type_traits>

#include "device_test.h"

#include "half16.cuh"

static_assert(sizeof(half16) == 2 && sizeof(half_sum) == 2, "halves");
static_assert(std::is_same<Sum<half16, float>, half_sum>::value && std::is_same<Sum<half16, double>, double>::value &&
                  std::is_same<Sum<__half, float>, float>::value,
              "what is added up in halves");

__global__ void add(bool *right) {
  __shared__ half16 kept[16];
  kept[threadIdx.x] = half16(2048 + (float)threadIdx.x);
  Sum<half16, float> sum = (float)kept[threadIdx.x];
  sum += 1;
  const int x = 2048 + threadIdx.x, nearest = x % 4 == 3 ? x + 1 : x / 2 * 2, next = nearest + 1; // ties to even
  right[threadIdx.x] = (float)kept[threadIdx.x] == nearest && (float)sum == (next % 4 == 3 ? next + 1 : next / 2 * 2);
}

int main() {
  return each_seed([] {
    bool *right = zeroed<bool>(16), all = true;
    if (!launched(add, 1, 16, right)) return false;
    for (int i = 0; i < 16; i++) all &= right[i];
    return all;
  });
}
