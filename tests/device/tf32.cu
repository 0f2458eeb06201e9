// Elements of type tf32 are floats, all of whose digits are read; what is made of a float is that float.
//
// mutant: no digits below 10: { return value; } => { return (float)(int)value; }
// mutant: not kept: value(x) => value(1)
#include "device_test.h"

#include "tf32.cuh"

__global__ void read(bool *right) {
  const float x = 1 + (float)threadIdx.x * 0x1p-23f;
  __shared__ tf32 kept[16];
  kept[threadIdx.x] = tf32(x);
  right[threadIdx.x] = (float)kept[threadIdx.x] == x && kept[threadIdx.x] * 2 == 2 * x && sizeof(tf32) == sizeof(float);
}

int main() {
  return each_seed([] {
    bool *right = zeroed<bool>(16), all = true;
    if (!launched(read, 1, 16, right)) return false;
    for (int i = 0; i < 16; i++) all &= right[i];
    return all;
  });
}
