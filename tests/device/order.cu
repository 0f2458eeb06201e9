// Numbers as unsigned ones of the same order: neighbours in the order of each type are neighbours there, whichever bits
// say so.
//
// mutant: the sign stays: (unsigned)x ^ 0x80000000u => (unsigned)x
// mutant: numbers below 0 rise: (unsigned)((int)bits >> 31) | 0x80000000u => 0x80000000u
// mutant: nothing is turned round: (unsigned long long)(bits >> 63) | 0x8000000000000000ull => 0
// mutant: the sign of 64 bits stays: (unsigned long long)x ^ 0x8000000000000000ull => (unsigned long long)x
// mutant: one bit less: (1u << many) - 1u => (1u << (many - 1)) - 1u
// mutant: always the lowest bits: >> from => >> 0
#include <cmath>
#include <cstdint>
#include <limits>

#include "device_test.h"

#include "order.cuh"

// Of numbers in ascending order: each has a place above that of the one before, put together from `step' bits at a time.
template <typename T>
__global__ void rises(const T *x, int n, int step, unsigned *wrong) {
  unsigned long long before = 0;
  for (int i = 0; i < n; i++) {
    unsigned long long place = 0;
    for (int from = 0; from < 8 * (int)sizeof(T); from += step)
      place |= (unsigned long long)order_bits(x[i], from, step) << from;
    if (i > 0 && place <= before) atomicAdd(wrong, 1u);
    before = place;
  }
}

template <typename T> bool in_order(std::initializer_list<T> numbers) {
  T *x = zeroed<T>(numbers.size());
  unsigned *wrong = zeroed<unsigned>(1);
  int n = 0;
  for (T number : numbers) x[n++] = number;
  for (int step : {1, 4, 8, 16})
    if (!launched(rises<T>, 1, 1, (const T *)x, n, step, wrong)) return false;
  return *wrong == 0;
}

template <typename T> bool reals() {
  typedef std::numeric_limits<T> L;
  return in_order<T>({std::copysign(L::quiet_NaN(), T(-1)), -L::infinity(), L::lowest(), T(-2), std::nextafter(T(-1), T(-2)),
                      T(-1), -L::min(), -L::denorm_min(), T(-0.0), T(0), L::denorm_min(), L::min(), T(1),
                      std::nextafter(T(1), T(2)), T(2), L::max(), L::infinity(), L::quiet_NaN()});
}

int main() {
  return each_seed([] {
    return reals<float>() && reals<double>() && in_order<int>({INT32_MIN, -257, -256, -1, 0, 1, 255, 256, 65536, INT32_MAX}) &&
           in_order<unsigned>({0u, 1u, 255u, 256u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) &&
           in_order<long long>({INT64_MIN, -1ll << 33, -1ll, 0ll, 1ll, 1ll << 33, INT64_MAX}) &&
           in_order<unsigned long long>({0ull, 1ull, 1ull << 33, 1ull << 63, UINT64_MAX});
  });
}
