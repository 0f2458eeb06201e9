// The bits of numbers, and back, in a kernel.
//
// mutant: half a number: memcpy(&u, &x, 8) => memcpy(&u, &x, 4)
// mutant: half a number back: memcpy(&x, &u, 8) => memcpy(&x, &u, 7)
#include "device_test.h"

#include "bits.cuh"

__global__ void there_and_back(float x, double y, bool *right) {
  *right = bits_of(1.0f) == 0x3f800000 && bits_of(-2.0) == 0xc000000000000000 && float_of_bits(bits_of(x)) == x &&
           double_of_bits(bits_of(y)) == y;
}

int main() {
  return each_seed([] {
    bool *right = zeroed<bool>(1);
    return launched(there_and_back, 1, 1, 0.1f, 0.1, right) && *right;
  });
}
