// gemm, variant 76c3314a: grid.tiled(block.tiled/all(thread.panels/loop(thread.serial)))
// Made by tgc from gemm.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part: thread: regroups by `panels', over its iterations of a loop (T5s)
//         each part: thread: computes by `serial' (T2)
//
// codelets
//   tiled        gemm.cdl:24
//   panels       gemm.cdl:48
//   serial       gemm.cdl:13
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef GEMM_76C3314A_CONFIGURATIONS
#define GEMM_76C3314A_CONFIGURATIONS(C) C(256)
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

namespace gemm_76c3314a {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Each block processes its part.
template <typename E, typename T, int threads>
__global__ void __launch_bounds__(threads, 1) gemm_blocks(Index q, Index m_tile, Index rows, Index leading, Index n_tile, Index B_columns, Index C_leading, Index columns, Index B_leading, T *__restrict__ C, const E *__restrict__ A, const E *__restrict__ B, Index k_tile) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  // grid > block: tiled (gemm.cdl:24), one part per block
  const Index m_begin = min_index((Index)((int)block / (int)q) * m_tile, rows);
  const Index m_size = min_index(m_tile, rows - m_begin);
  const Index A_begin = m_begin * leading;
  const Index n_begin = min_index((Index)((int)block % (int)q) * n_tile, B_columns);
  const Index n_size = min_index(n_tile, B_columns - n_begin);
  const Index C_begin = m_begin * C_leading + n_begin;
  // block > thread: tiled (gemm.cdl:24), one part per thread
  const Index m_tile2 = (m_size + threads / 32 - 1) / (threads / 32);
  const Index n_tile2 = (n_size + 31) / 32;
  const Index m_begin2 = min_index(thread / 32 * m_tile2, m_size);
  const Index m_size2 = min_index(m_tile2, m_size - m_begin2);
  const Index A_begin2 = A_begin + m_begin2 * leading;
  const Index n_begin2 = min_index(thread % 32 * n_tile2, n_size);
  const Index n_size2 = min_index(n_tile2, n_size - n_begin2);
  const Index B_begin = n_begin + n_begin2;
  const Index C_begin2 = C_begin + m_begin2 * C_leading + n_begin2;
  // thread: panels (gemm.cdl:48), 2 parts one after another
  for (Index k = 0; k < 2; ++k) {
    const Index k_begin = min_index(k * k_tile, columns);
    const Index k_size = min_index(k_tile, columns - k_begin);
    const Index A_begin3 = A_begin2 + k_begin;
    const Index B_begin2 = B_begin + k_begin * B_leading;
    // thread: serial (gemm.cdl:13)
    for (Index i = 0; i < m_size2; ++i) {
      for (Index j = 0; j < n_size2; ++j) {
        T own = C[C_begin2 + (i * C_leading + j)];
        #pragma unroll 8
        for (Index k2 = 0; k2 < k_size; ++k2)
          own += (T)A[A_begin3 + (i * leading + k2)] * (T)B[B_begin2 + (k2 * B_leading + j)];
        C[C_begin2 + (i * C_leading + j)] = own;
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (rows < 0 || columns < 0 || leading < 0 || B_columns < 0 || B_leading < 0 || C_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (gemm.cdl:24), one part per block
  const Index q = max_index(min_index((B_columns + 64 - 1) / 64, blocks), 1);
  const Index left = max_index(blocks / q, 1);
  const Index p = max_index(min_index((rows + 64 - 1) / 64, left), 1);
  const Index m_tile = (rows + p - 1) / p;
  const Index n_tile = (B_columns + q - 1) / q;
  const Index tiles = p * q;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    const Index k_tile = (columns + 1) / 2;
    void *args[] = {(void *)&q, (void *)&m_tile, &rows, &leading, (void *)&n_tile, &B_columns, &C_leading, &columns, &B_leading, &C, &A, &B, (void *)&k_tile};
    const cudaError_t error = cudaLaunchKernel(gemm_blocks<E, T, threads>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const E *A, Index rows, Index columns, Index leading, const E *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  const gemm_configuration own = {0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<E, T, THREADS>(blocks, workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_76C3314A_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_76c3314a

#define ROW(THREADS) {THREADS, 0, 1024, 0, 0, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_76c3314a_configurations[];
const gemm_configuration gemm_76c3314a_configurations[] = {GEMM_76C3314A_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_76c3314a_float(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_76c3314a::configured<float, float>(c, workspace, workspace_bytes, A, (gemm_76c3314a::Index)rows, (gemm_76c3314a::Index)columns, (gemm_76c3314a::Index)leading, B, (gemm_76c3314a::Index)B_columns, (gemm_76c3314a::Index)B_leading, C, (gemm_76c3314a::Index)C_leading, stream);
}

extern "C" cudaError_t gemm_76c3314a_half(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const __half *A, uint64_t rows, uint64_t columns, uint64_t leading, const __half *B, uint64_t B_columns, uint64_t B_leading, float *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_76c3314a::configured<__half, float>(c, workspace, workspace_bytes, A, (gemm_76c3314a::Index)rows, (gemm_76c3314a::Index)columns, (gemm_76c3314a::Index)leading, B, (gemm_76c3314a::Index)B_columns, (gemm_76c3314a::Index)B_leading, C, (gemm_76c3314a::Index)C_leading, stream);
}
