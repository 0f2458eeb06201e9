// jacobi3, variant 953e99ed: grid.tiled(block.tiled/all(thread.serial))
// Made by tgc from jacobi3.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part: thread: computes by `serial' (T2)
//
// codelets
//   tiled        jacobi3.cdl:27
//   serial       jacobi3.cdl:14
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef JACOBI3_953E99ED_CONFIGURATIONS
#define JACOBI3_953E99ED_CONFIGURATIONS(C) C(256)
#endif

#ifndef JACOBI3_CONFIGURATION
#define JACOBI3_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct jacobi3_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_i, tile_j, tile_k;
} jacobi3_configuration;
#endif

namespace jacobi3_953e99ed {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Each block processes its part.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) jacobi3_blocks(Index r, Index q, Index i_tile, Index y_size0, Index j_tile, Index y_size1, Index k_tile, Index y_size2, Index stride0, Index stride1, Index y_stride0, Index y_stride1, T *__restrict__ y, const T *__restrict__ x) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  // grid > block: tiled (jacobi3.cdl:27), one part per block
  const Index i_begin = min_index((Index)((int)block / (int)r / (int)q) * i_tile, y_size0);
  const Index i_size = min_index(i_tile, y_size0 - i_begin);
  const Index j_begin = min_index((Index)((int)block / (int)r % (int)q) * j_tile, y_size1);
  const Index j_size = min_index(j_tile, y_size1 - j_begin);
  const Index k_begin = min_index((Index)((int)block % (int)r) * k_tile, y_size2);
  const Index k_size = min_index(k_tile, y_size2 - k_begin);
  const Index x_begin = i_begin * stride0 + j_begin * stride1 + k_begin;
  const Index y_begin = i_begin * y_stride0 + j_begin * y_stride1 + k_begin;
  // block > thread: tiled (jacobi3.cdl:27), one part per thread
  const Index j_tile2 = (j_size + threads / 32 - 1) / (threads / 32);
  const Index k_tile2 = (k_size + 31) / 32;
  const Index j_begin2 = min_index(thread / 32 * j_tile2, j_size);
  const Index j_size2 = min_index(j_tile2, j_size - j_begin2);
  const Index k_begin2 = min_index(thread % 32 * k_tile2, k_size);
  const Index k_size2 = min_index(k_tile2, k_size - k_begin2);
  const Index x_begin2 = x_begin + j_begin2 * stride1 + k_begin2;
  const Index y_begin2 = y_begin + j_begin2 * y_stride1 + k_begin2;
  // thread: serial (jacobi3.cdl:14)
  const T sixth = T(1) / T(6);
  for (Index i = 0; i < i_size; ++i) {
    for (Index j = 0; j < j_size2; ++j) {
      for (Index k = 0; k < k_size2; ++k)
        y[y_begin2 + (i * y_stride0 + j * y_stride1 + k)] = (x[x_begin2 + (i * stride0 + (j + 1) * stride1 + (k + 1))] + x[x_begin2 + ((i + 2) * stride0 + (j + 1) * stride1 + (k + 1))] + x[x_begin2 + ((i + 1) * stride0 + j * stride1 + (k + 1))] + x[x_begin2 + ((i + 1) * stride0 + (j + 2) * stride1 + (k + 1))] + x[x_begin2 + ((i + 1) * stride0 + (j + 1) * stride1 + k)] + x[x_begin2 + ((i + 1) * stride0 + (j + 1) * stride1 + (k + 2))]) * sixth;
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *x, Index size0, Index size1, Index size2, Index stride0, Index stride1, T *y, Index y_size0, Index y_size1, Index y_size2, Index y_stride0, Index y_stride1, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (size0 < 0 || size1 < 0 || size2 < 0 || stride0 < 0 || stride1 < 0 || y_size0 < 0 || y_size1 < 0 || y_size2 < 0 || y_stride0 < 0 || y_stride1 < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (jacobi3.cdl:27), one part per block
  const Index p = max_index(min_index(y_size0, blocks), 1);
  const Index left = max_index(blocks / p, 1);
  const Index q = max_index(min_index((y_size1 + 8 - 1) / 8, left), 1);
  const Index left2 = max_index(left / q, 1);
  const Index k_parts = max_index(min_index((y_size2 + 256 - 1) / 256, left2), 1);
  const Index k_tile = max_index((y_size2 + k_parts * 256 - 1) / (k_parts * 256), 1) * 256;
  const Index r = max_index((y_size2 + k_tile - 1) / k_tile, 1);
  const Index i_tile = (y_size0 + p - 1) / p;
  const Index j_tile = (y_size1 + q - 1) / q;
  const Index tiles = p * q * r;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {(void *)&r, (void *)&q, (void *)&i_tile, &y_size0, (void *)&j_tile, &y_size1, (void *)&k_tile, &y_size2, &stride0, &stride1, &y_stride0, &y_stride1, &y, &x};
    const cudaError_t error = cudaLaunchKernel(jacobi3_blocks<T, threads>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const jacobi3_configuration *c, void *workspace, size_t *workspace_bytes, const T *x, Index size0, Index size1, Index size2, Index stride0, Index stride1, T *y, Index y_size0, Index y_size1, Index y_size2, Index y_stride0, Index y_stride1, cudaStream_t stream) {
  const jacobi3_configuration own = {0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<T, THREADS>(blocks, workspace, workspace_bytes, x, size0, size1, size2, stride0, stride1, y, y_size0, y_size1, y_size2, y_stride0, y_stride1, stream);
  JACOBI3_953E99ED_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace jacobi3_953e99ed

#define ROW(THREADS) {THREADS, 0, 1024, 0, 0, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const jacobi3_configuration jacobi3_953e99ed_configurations[];
const jacobi3_configuration jacobi3_953e99ed_configurations[] = {JACOBI3_953E99ED_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t jacobi3_953e99ed_float(const jacobi3_configuration *c, void *workspace, size_t *workspace_bytes, const float *x, uint64_t size0, uint64_t size1, uint64_t size2, uint64_t stride0, uint64_t stride1, float *y, uint64_t y_size0, uint64_t y_size1, uint64_t y_size2, uint64_t y_stride0, uint64_t y_stride1, cudaStream_t stream) {
  return jacobi3_953e99ed::configured<float>(c, workspace, workspace_bytes, x, (jacobi3_953e99ed::Index)size0, (jacobi3_953e99ed::Index)size1, (jacobi3_953e99ed::Index)size2, (jacobi3_953e99ed::Index)stride0, (jacobi3_953e99ed::Index)stride1, y, (jacobi3_953e99ed::Index)y_size0, (jacobi3_953e99ed::Index)y_size1, (jacobi3_953e99ed::Index)y_size2, (jacobi3_953e99ed::Index)y_stride0, (jacobi3_953e99ed::Index)y_stride1, stream);
}
