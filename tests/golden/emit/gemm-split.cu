// gemm, variant dc3522b7: grid.panels(block.tiled(warp.tiled(thread.serial)))
// Made by tgc from gemm.cdl for sm_60; this text is yours.
//
// global-atomic, 1 kernel, determinism not_guaranteed: atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)
// not batch-invariant: the result depends on the order of arrival
//
//   grid: regroups by `panels', over its blocks (G5)
//     each part: block: regroups by `tiled', over its warps (B3)
//       each part: warp: regroups by `tiled', over its threads (W3)
//         each part: thread: computes by `serial' (T2)
//
// codelets
//   panels       gemm.cdl:48
//   tiled        gemm.cdl:24
//   serial       gemm.cdl:13
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef GEMM_DC3522B7_CONFIGURATIONS
#define GEMM_DC3522B7_CONFIGURATIONS(C) C(256)
#endif

#ifndef GEMM_CONFIGURATION
#define GEMM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemm_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_k, tile_m, tile_n;
} gemm_configuration;
#endif

namespace gemm_dc3522b7 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Each block processes its part.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) gemm_blocks(Index k_tile, Index columns, Index B_leading, Index rows, Index leading, Index C_leading, Index B_columns, T *__restrict__ C, const T *__restrict__ A, const T *__restrict__ B, Index m_tile, Index n_tile) {
  const Index block = blockIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // grid > block: panels (gemm.cdl:48), one part per block
  const Index k_begin = min_index(block * k_tile, columns);
  const Index k_size = min_index(k_tile, columns - k_begin);
  const Index B_begin = k_begin * B_leading;
  // block > warp: tiled (gemm.cdl:24), one part per warp
  const Index m_begin = min_index(warp * m_tile, rows);
  const Index m_size = min_index(m_tile, rows - m_begin);
  const Index A_begin = k_begin + m_begin * leading;
  const Index C_begin = m_begin * C_leading;
  // warp > thread: tiled (gemm.cdl:24), one part per thread
  const Index m_tile2 = (m_size + 3) / 4;
  const Index m_begin2 = min_index(lane / 8 * m_tile2, m_size);
  const Index m_size2 = min_index(m_tile2, m_size - m_begin2);
  const Index A_begin2 = A_begin + m_begin2 * leading;
  const Index n_begin = min_index(lane % 8 * n_tile, B_columns);
  const Index n_size = min_index(n_tile, B_columns - n_begin);
  const Index B_begin2 = B_begin + n_begin;
  const Index C_begin2 = C_begin + m_begin2 * C_leading + n_begin;
  // thread: serial (gemm.cdl:13)
  for (Index i = 0; i < m_size2; ++i) {
    for (Index j = 0; j < n_size; ++j) {
      T own = 0;
      #pragma unroll 8
      for (Index k = 0; k < k_size; ++k)
        own += A[A_begin2 + (i * leading + k)] * B[B_begin2 + (k * B_leading + j)];
      if (0 < k_size)
        atomicAdd(&C[C_begin2 + (i * C_leading + j)], own);
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (rows < 0 || columns < 0 || leading < 0 || B_columns < 0 || B_leading < 0 || C_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: panels (gemm.cdl:48), one part per block
  const Index r = max_index(min_index((columns + 64 - 1) / 64, blocks), 1);
  const Index k_tile = (columns + r - 1) / r;
  const Index tiles = r;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    const Index m_tile = (rows + threads / 32 - 1) / (threads / 32);
    const Index n_tile = (B_columns + 7) / 8;
    void *args[] = {(void *)&k_tile, &columns, &B_leading, &rows, &leading, &C_leading, &B_columns, &C, &A, &B, (void *)&m_tile, (void *)&n_tile};
    const cudaError_t error = cudaLaunchKernel(gemm_blocks<T, threads>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  const gemm_configuration own = {0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 448; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<T, THREADS>(blocks, workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_DC3522B7_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_dc3522b7

#define ROW(THREADS) {THREADS, 0, 448, 0, 0, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_dc3522b7_configurations[];
const gemm_configuration gemm_dc3522b7_configurations[] = {GEMM_DC3522B7_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_dc3522b7_double(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const double *A, uint64_t rows, uint64_t columns, uint64_t leading, const double *B, uint64_t B_columns, uint64_t B_leading, double *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_dc3522b7::configured<double>(c, workspace, workspace_bytes, A, (gemm_dc3522b7::Index)rows, (gemm_dc3522b7::Index)columns, (gemm_dc3522b7::Index)leading, B, (gemm_dc3522b7::Index)B_columns, (gemm_dc3522b7::Index)B_leading, C, (gemm_dc3522b7::Index)C_leading, stream);
}
