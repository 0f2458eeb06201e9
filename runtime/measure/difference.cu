// difference.cu: two arrays compared where they are: to bring them to the host takes longer than to make them.
#include "difference.h"

static __global__ void compare(const unsigned char *x, const unsigned char *y, uint64_t bytes,
                               unsigned long long *at) {
  const uint64_t first = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x, step = (uint64_t)gridDim.x * blockDim.x;
  const uint64_t words = bytes / sizeof(uint64_t);
  for (uint64_t i = first; i < words; i += step)
    if (((const uint64_t *)x)[i] != ((const uint64_t *)y)[i]) {
      uint64_t place = i * sizeof(uint64_t);
      while (x[place] == y[place]) ++place;
      atomicMin(at, (unsigned long long)place);
    }
  for (uint64_t i = words * sizeof(uint64_t) + first; i < bytes; i += step)
    if (x[i] != y[i]) atomicMin(at, (unsigned long long)i);
}

void first_difference(const void *x, const void *y, uint64_t bytes, unsigned long long *at, cudaStream_t stream) {
  compare<<<1024, 256, 0, stream>>>((const unsigned char *)x, (const unsigned char *)y, bytes, at);
}
