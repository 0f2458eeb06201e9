// The limits of types with and without infinities, in a kernel.
//
// mutant: finite: -std::numeric_limits<T>::infinity() => std::numeric_limits<T>::lowest()
// mutant: the least positive: : std::numeric_limits<T>::lowest() => : std::numeric_limits<T>::min() + 1
// mutant: exchanged: highest() { return highest_value<T> => highest() { return lowest_value<T>
#include "device_test.h"

#include "limits.cuh"

__global__ void extremes(bool *right) {
  *right = lowest<int>() == INT_MIN && highest<int>() == INT_MAX && lowest<unsigned>() == 0 &&
           lowest<float>() == -INFINITY && highest<double>() == INFINITY;
}

int main() {
  return each_seed([] {
    bool *right = zeroed<bool>(1);
    return launched(extremes, 1, 1, right) && *right;
  });
}
