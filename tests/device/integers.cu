// The lesser and the greater of two positions, beyond 32 bits, too.
//
// mutant: the other: least(Index x, Index y) { return x < y => least(Index x, Index y) { return x > y
// mutant: narrow: greatest(Index x, Index y) { return x > y ? x => greatest(Index x, Index y) { return x > y ? (int)x
#include "device_test.h"

#include "integers.cuh"

static_assert(least(1, 2) == 1 && greatest(1, 2) == 2, "");

__global__ void both(Index x, Index y, Index *out) {
  out[0] = least(x, y);
  out[1] = greatest(x, y);
}

int main() {
  return each_seed([] {
    const Index large = 1ll << 40;
    Index *out = zeroed<Index>(2);
    return launched(both, 1, 1, large, (Index)-3, out) && out[0] == -3 && out[1] == large;
  });
}
