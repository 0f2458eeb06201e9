// sum, the last block combines the partials:
// a correct kernel, whose synchronisation mutate.py takes away piece by piece.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

namespace sum_ticketed {

constexpr int threads = 128;

__global__ void ticketed(const int *__restrict__ in, long long n, int *partial, unsigned *ticket, int *out) {
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  (void)lane, (void)warp, (void)partial, (void)ticket;
  int value = 0;
  for (long long i = (long long)blockIdx.x * threads + thread; i < n; i += (long long)gridDim.x * threads)
    value += in[i];
  __shared__ int total;
  __shared__ bool last;
  if (thread == 0) total = 0;
  __syncthreads();
  atomicAdd_block(&total, value);
  __syncthreads();
  if (thread == 0) {
    partial[blockIdx.x] = total;
    __threadfence();
    last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    total = 0;
  }
  __syncthreads();
  if (!last) return;
  value = thread < gridDim.x ? partial[thread] : 0;
  atomicAdd_block(&total, value);
  __syncthreads();
  if (thread == 0) *out = total;
}

__global__ void clear(unsigned *ticket, int *out) {
  *ticket = 0;
  *out = 0;
}

cudaError_t run(void *workspace, size_t *bytes, const int *in, long long n, int *out, cudaStream_t stream) {
  const unsigned blocks = n < 1000 ? 3 : 20;
  if (workspace == nullptr) {
    *bytes = (blocks + 1) * sizeof(int);
    return cudaSuccess;
  }
  if (*bytes < (blocks + 1) * sizeof(int)) return cudaErrorInvalidValue;
  int *partial = (int *)workspace;
  unsigned *ticket = (unsigned *)workspace + blocks;
  void *clear_args[] = {&ticket, &out};
  cudaError_t error = cudaLaunchKernel(clear, dim3(1), dim3(1), clear_args, 0, stream);
  if (error != cudaSuccess) return error;
  void *args[] = {&in, &n, &partial, &ticket, &out};
  return cudaLaunchKernel(ticketed, dim3(blocks), dim3(threads), args, 0, stream);
}

} // namespace sum_ticketed

extern "C" cudaError_t sum_ticketed_int(const void *, void *workspace, size_t *bytes, const int *in, uint64_t n,
                                        int *out, cudaStream_t stream) {
  return sum_ticketed::run(workspace, bytes, in, (long long)n, out, stream);
}
