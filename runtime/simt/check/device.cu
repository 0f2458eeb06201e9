// device.cu: which GPU is there: prints "sm_80", "sm_90a", or says why none and exits with 1.
#include <cuda_runtime.h>
#include <stdio.h>

int main() {
  int count = 0;
  cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0) error = cudaGetDeviceProperties(&properties, 0);
  if (error != cudaSuccess || count == 0) {
    printf("error: %s\n", error != cudaSuccess ? cudaGetErrorString(error) : "there is no GPU");
    return 1;
  }
  const bool own = properties.major == 9 && properties.minor == 0; /* instructions that no later machine has */
  printf("sm_%d%d%s\n", properties.major, properties.minor, own ? "a" : "");
  return 0;
}
