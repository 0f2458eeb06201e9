// scan: one block goes over all; each lane adds up what it has, lane 0 what the lanes have.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

namespace scan_right {

constexpr int lanes = 32;

__global__ void scan(const float *__restrict__ in, long long n, float *__restrict__ out) {
  const int lane = threadIdx.x;
  const long long each = (n + lanes - 1) / lanes, begin = each * lane;
  const long long end = begin + each < n ? begin + each : n;
  __shared__ float totals[lanes];
  float total = 0;
  for (long long i = begin; i < end; i++) total += in[i];
  totals[lane] = total;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < lane; k++) sum += totals[k];
  for (long long i = begin; i < end; i++) {
    sum += in[i];
    out[i] = sum;
  }
}

} // namespace scan_right

extern "C" cudaError_t scan_right_float(const void *, void *workspace, size_t *bytes, const float *in, uint64_t n,
                                        float *out, cudaStream_t stream) {
  if (workspace == nullptr) {
    *bytes = 1;
    return cudaSuccess;
  }
  long long all = (long long)n;
  void *args[] = {&in, &all, &out};
  return cudaLaunchKernel(scan_right::scan, dim3(1), dim3(scan_right::lanes), args, 0, stream);
}
