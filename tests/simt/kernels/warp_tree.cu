// sum, a tree a warp, then a tree of the warps' results:
// a correct kernel, whose synchronisation mutate.py takes away piece by piece.
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

namespace sum_warp_tree {

constexpr int threads = 128;

__global__ void warp_tree(const int *__restrict__ in, long long n, int *partial, unsigned *ticket, int *out) {
  const int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  (void)lane, (void)warp, (void)partial, (void)ticket;
  int value = 0;
  for (long long i = (long long)blockIdx.x * threads + thread; i < n; i += (long long)gridDim.x * threads)
    value += in[i];
  __shared__ int values[threads];
  __shared__ int partials[32];
  values[thread] = value;
  __syncwarp();
  for (int step = 16; step > 0; step /= 2) {
    value += values[thread / 32 * 32 + (lane + step) % 32];
    __syncwarp();
    values[thread] = value;
    __syncwarp();
  }
  if (thread < 32) partials[thread] = 0;
  __syncthreads();
  if (lane == 0) partials[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = partials[lane];
    for (int step = 16; step > 0; step /= 2) {
      const int other = lane + step < 32 ? partials[lane + step] : 0;
      __syncwarp();
      value += other;
      partials[lane] = value;
      __syncwarp();
    }
  }
  if (thread == 0) atomicAdd(out, value);
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
  return cudaLaunchKernel(warp_tree, dim3(blocks), dim3(threads), args, 0, stream);
}

} // namespace sum_warp_tree

extern "C" cudaError_t sum_warp_tree_int(const void *, void *workspace, size_t *bytes, const int *in, uint64_t n,
                                         int *out, cudaStream_t stream) {
  return sum_warp_tree::run(workspace, bytes, in, (long long)n, out, stream);
}
