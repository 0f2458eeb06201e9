// Complex numbers in a kernel: the field's laws on small whole numbers, where nothing is rounded.
//
// mutant: no cross term: x.re * y.im + x.im * y.re => x.re * y.im
// mutant: conjugate: x.im * y.re - x.re * y.im => x.im * y.re + x.re * y.im
// mutant: real parts alone: x.re == y.re && x.im == y.im => x.re == y.re
#include "device_test.h"

#include "complex.cuh"

__global__ void laws(bool *right) {
  typedef complex<float> C;
  const int i = threadIdx.x;
  const C x((float)(i % 4), (float)(i / 4)), y(2, -1), i1(0, 1);
  C z = x;
  z *= y;
  z /= y;
  z += i1;
  z -= i1;
  right[i] = z == x && i1 * i1 == C(-1) && x * y == y * x && -x + x == C(0) && x != x + i1 && (C)complex<double>(3, 4) == C(3, 4);
}

int main() {
  return each_seed([] {
    bool *right = zeroed<bool>(16), all = true;
    if (!launched(laws, 1, 16, right)) return false;
    for (int i = 0; i < 16; i++) all &= right[i];
    return all;
  });
}
