// gemm, variant 9a79ef6d: grid.tiled(block.strided/all!held(thread.serial))
// Made by tgc from gemm.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `strided', over its lanes (B4x)
//       each part, held in registers: thread: computes by `serial' (T2)
//
// codelets
//   tiled        gemm.cdl:24
//   strided      gemm.cdl:36
//   serial       gemm.cdl:13
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_m, tile_n, lanes); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_m: elements of a block's tile, 32 or 64
//   tile_n: elements of a block's tile, 32 or 64
//   lanes: lanes with neighbouring parts, 8, 16 or 32
#ifndef GEMM_9A79EF6D_CONFIGURATIONS
#define GEMM_9A79EF6D_CONFIGURATIONS(C) C(256, 32, 32, 32)
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

namespace gemm_9a79ef6d {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Each block processes its part.
template <typename T, int threads, int tile_m, int tile_n, int lanes>
__global__ void __launch_bounds__(threads, 1) gemm_blocks(Index q, Index rows, Index leading, Index B_columns, Index C_leading, T *__restrict__ C, Index columns, const T *__restrict__ A, const T *__restrict__ B, Index B_leading) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int m_each = (tile_m + threads / lanes - 1) / (threads / lanes);
  const int n_each = (tile_n + lanes - 1) / lanes;
  // grid > block: tiled (gemm.cdl:24), one part per block
  const Index m_begin = min_index((Index)((int)block / (int)q) * tile_m, rows);
  const Index m_size = min_index(tile_m, rows - m_begin);
  const Index A_begin = m_begin * leading;
  const Index n_begin = min_index((Index)((int)block % (int)q) * tile_n, B_columns);
  const Index n_size = min_index(tile_n, B_columns - n_begin);
  const Index C_begin = m_begin * C_leading + n_begin;
  // block > thread: strided (gemm.cdl:36), a rectangle each; serial (gemm.cdl:13)
  const int m_lane = thread / lanes;
  const int n_lane = thread % lanes;
  const int m_left = (int)m_size - m_lane;
  const int n_left = (int)n_size - n_lane;
  T C_held[m_each * n_each];
  #pragma unroll
  for (int i = 0; i < m_each; ++i) {
    #pragma unroll
    for (int j = 0; j < n_each; ++j)
      C_held[i * n_each + j] = (i * (threads / lanes) < m_left && (j * lanes < n_left)) ? C[C_begin + m_lane * C_leading + n_lane + (i * (threads / lanes * C_leading) + j * lanes)] : T(0);
  }
  if (m_left > 0 && (n_left > 0)) {
    for (Index k = 0; k < columns; ++k) {
      #pragma unroll
      for (int i = 0; i < m_each; ++i) {
        #pragma unroll
        for (int j = 0; j < n_each; ++j) {
          if (i * (threads / lanes) < m_left && (j * lanes < n_left))
            C_held[i * n_each + j] += A[A_begin + m_lane * leading + (i * (threads / lanes * leading) + k)] * B[n_begin + n_lane + (k * B_leading + j * lanes)];
        }
      }
    }
  }
  #pragma unroll
  for (int i = 0; i < m_each; ++i) {
    #pragma unroll
    for (int j = 0; j < n_each; ++j) {
      if (i * (threads / lanes) < m_left && (j * lanes < n_left))
        C[C_begin + m_lane * C_leading + n_lane + (i * (threads / lanes * C_leading) + j * lanes)] = C_held[i * n_each + j];
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_m, int tile_n, int lanes>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *B, Index B_columns, Index B_leading, T *C, Index C_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_m >= 32 && tile_m <= 64 && (tile_m == 32 || tile_m == 64), "tile_m: elements of a block's tile, 32 or 64");
  static_assert(tile_n >= 32 && tile_n <= 64 && (tile_n == 32 || tile_n == 64), "tile_n: elements of a block's tile, 32 or 64");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  if (rows < 0 || columns < 0 || leading < 0 || B_columns < 0 || B_leading < 0 || C_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (gemm.cdl:24), one part per block
  const Index p = (rows + tile_m - 1) / tile_m;
  const Index q = (B_columns + tile_n - 1) / tile_n;
  const Index tiles = p * q;
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  if (tiles > 0) {
    void *args[] = {(void *)&q, &rows, &leading, &B_columns, &C_leading, &C, &columns, &A, &B, &B_leading};
    const cudaError_t error = cudaLaunchKernel(gemm_blocks<T, threads, tile_m, tile_n, lanes>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
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
#define RUN(THREADS, TILE_M, TILE_N, LANES) if (serves(THREADS, c->threads) && serves(TILE_M, c->tile_m) && serves(TILE_N, c->tile_n) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_M, TILE_N, LANES>(workspace, workspace_bytes, A, rows, columns, leading, B, B_columns, B_leading, C, C_leading, stream);
  GEMM_9A79EF6D_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemm_9a79ef6d

#define ROW(THREADS, TILE_M, TILE_N, LANES) {THREADS, 0, 0, LANES, 0, TILE_M, TILE_N},
// Those that were compiled; zeros end them.
extern "C" const gemm_configuration gemm_9a79ef6d_configurations[];
const gemm_configuration gemm_9a79ef6d_configurations[] = {GEMM_9A79EF6D_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemm_9a79ef6d_int(const gemm_configuration *c, void *workspace, size_t *workspace_bytes, const int *A, uint64_t rows, uint64_t columns, uint64_t leading, const int *B, uint64_t B_columns, uint64_t B_leading, int *C, uint64_t C_leading, cudaStream_t stream) {
  return gemm_9a79ef6d::configured<int>(c, workspace, workspace_bytes, A, (gemm_9a79ef6d::Index)rows, (gemm_9a79ef6d::Index)columns, (gemm_9a79ef6d::Index)leading, B, (gemm_9a79ef6d::Index)B_columns, (gemm_9a79ef6d::Index)B_leading, C, (gemm_9a79ef6d::Index)C_leading, stream);
}
