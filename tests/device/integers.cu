// The lesser and the greater of two positions, beyond 32 bits, too.
//
// mutant: the other: min_index(Index x, Index y) { return x < y => min_index(Index x, Index y) { return x > y
// mutant: narrow: max_index(Index x, Index y) { return x > y ? x => max_index(Index x, Index y) { return x > y ? (int)x
#include "device_test.h"

#include "integers.cuh"

static_assert(min_index(1, 2) == 1 && max_index(1, 2) == 2, "");

__global__ void both(Index x, Index y, Index *out) {
  out[0] = min_index(x, y);
  out[1] = max_index(x, y);
}

int main() {
  return each_seed([] {
    const Index large = 1ll << 40;
    Index *out = zeroed<Index>(2);
    return launched(both, 1, 1, large, (Index)-3, out) && out[0] == -3 && out[1] == large;
  });
}
