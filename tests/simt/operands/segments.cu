// segments: sums of the segments that offsets tell, a segment a lane; histogram-like, samples of them pick weights.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

namespace segments_right {

constexpr int lanes = 64;

__global__ void segments(const int *__restrict__ in, const long long *__restrict__ off,
                         const int *__restrict__ weight, long long many, int *__restrict__ out) {
  const long long s = (long long)blockIdx.x * lanes + threadIdx.x;
  if (s >= many) return;
  int sum = 0;
  for (long long i = off[s]; i < off[s + 1]; i++) sum += weight[in[i]];
  out[s] = sum;
}

} // namespace segments_right

extern "C" cudaError_t segments_right_int(const void *, void *workspace, size_t *bytes, const int *in, uint64_t n,
                                          const long long *off, uint64_t off_n, const int *weight, uint64_t weight_n,
                                          int *out, uint64_t out_n, cudaStream_t stream) {
  (void)n, (void)off_n, (void)weight_n;
  if (workspace == nullptr) {
    *bytes = 1;
    return cudaSuccess;
  }
  if (out_n == 0) return cudaSuccess;
  long long many = (long long)out_n;
  void *args[] = {&in, &off, &weight, &many, &out};
  return cudaLaunchKernel(segments_right::segments,
                          dim3((unsigned)((out_n + segments_right::lanes - 1) / segments_right::lanes)),
                          dim3(segments_right::lanes), args, 0, stream);
}
