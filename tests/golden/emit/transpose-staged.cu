// transpose, variant 92209c79: grid.tiled(block.strided/all!staged(thread.serial))
// Made by tgc from transpose.cdl for sm_90; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `strided', over its lanes (B4x)
//       each part, staged in shared memory: thread: computes by `serial' (T2)
//
// codelets
//   tiled        transpose.cdl:18
//   strided      transpose.cdl:29
//   serial       transpose.cdl:9
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_j, tile_i, lanes); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_j: elements of a block's tile, 8, 32, 64, 128 or 256
//   tile_i: elements of a block's tile, 8, 32, 64 or 128
//   lanes: lanes with neighbouring parts, 8, 16 or 32
#ifndef TRANSPOSE_92209C79_CONFIGURATIONS
#define TRANSPOSE_92209C79_CONFIGURATIONS(C) C(256, 64, 64, 32) C(256, 256, 8, 8) C(256, 8, 128, 32) C(256, 32, 64, 32)
#endif

#ifndef TRANSPOSE_CONFIGURATION
#define TRANSPOSE_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct transpose_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_i, tile_j;
} transpose_configuration;
#endif

namespace transpose_92209c79 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Programmatic dependent launch: the grid may start while the previous one in the stream still runs.
inline cudaLaunchAttribute may_begin_early() {
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  return early;
}

// Waits until the previous grid has finished and its stores are visible. The kernel's pointers are not __restrict__:
// the compiler could move loads through them above this call.
__device__ __forceinline__ void after_earlier_grids() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

// Each block processes its part.
template <typename T, int threads, int tile_j, int tile_i, int lanes>
__global__ void __launch_bounds__(threads, 1) transpose_blocks(Index p, Index rows, Index columns, Index leading, Index B_leading, const T *A, T *B) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int j_each = (tile_j + threads / lanes - 1) / (threads / lanes);
  const int i_each = (tile_i + lanes - 1) / lanes;
  const int i_padded = i_each * lanes;
  const int j_padded = j_each * (threads / lanes);
  const int A_pitch = i_padded + 1;
  const int A_elements = i_padded * j_padded;
  const int A_rounds = (A_elements + threads - 1) / threads;
  const int A_rows = threads % j_padded == 0 ? threads / j_padded : 0;
  __shared__ T A_tile[j_padded * A_pitch];
  // grid > block: tiled (transpose.cdl:18), one part per block
  const Index i_begin = min_index((Index)((int)block % (int)p) * tile_i, rows);
  const Index i_size = min_index(tile_i, rows - i_begin);
  const Index j_begin = min_index((Index)((int)block / (int)p) * tile_j, columns);
  const Index j_size = min_index(tile_j, columns - j_begin);
  const Index A_begin = i_begin * leading + j_begin;
  const Index B_begin = j_begin * B_leading + i_begin;
  // block > thread: strided (transpose.cdl:29), a rectangle each; serial (transpose.cdl:9)
  const int j_lane = thread / lanes;
  const int i_lane = thread % lanes;
  const int j_left = (int)j_size - j_lane;
  const int i_left = (int)i_size - i_lane;
  const int A_last = (int)i_size - 1;
  const int A_last2 = (int)j_size - 1;
  const int A_row = thread / j_padded;
  const int A_column = thread % j_padded;
  T B_held[j_each * i_each];
  after_earlier_grids();
  if ((int)j_size == j_each * (threads / lanes) && ((int)i_size == i_each * lanes)) {
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = s * threads + thread;
      const int row = A_rows > 0 ? A_row + s * A_rows : e / j_padded;
      const int column = A_rows > 0 ? A_column : e % j_padded;
      if (A_elements % threads == 0 || e < A_elements)
        A_tile[row + column * A_pitch] = A[A_begin + row * leading + column];
    }
    __syncthreads();
    #pragma unroll
    for (int j = 0; j < j_each; ++j) {
      #pragma unroll
      for (int i = 0; i < i_each; ++i)
        B_held[j * i_each + i] = A_tile[i_lane + j_lane * A_pitch + (i * lanes + j * (threads / lanes * A_pitch))];
    }
    #pragma unroll
    for (int j = 0; j < j_each; ++j) {
      #pragma unroll
      for (int i = 0; i < i_each; ++i)
        B[B_begin + j_lane * B_leading + i_lane + (j * (threads / lanes * B_leading) + i * lanes)] = B_held[j * i_each + i];
    }
  }
  else {
    #pragma unroll
    for (int s = 0; s < A_rounds; ++s) {
      const int e = s * threads + thread;
      const int row = A_rows > 0 ? A_row + s * A_rows : e / j_padded;
      const int column = A_rows > 0 ? A_column : e % j_padded;
      if (A_elements % threads == 0 || e < A_elements)
        A_tile[row + column * A_pitch] = A[A_begin + (Index)min(row, A_last) * leading + (Index)min(column, A_last2)];
    }
    __syncthreads();
    if (j_left > 0 && (i_left > 0)) {
      #pragma unroll
      for (int j = 0; j < j_each; ++j) {
        #pragma unroll
        for (int i = 0; i < i_each; ++i)
          B_held[j * i_each + i] = A_tile[i_lane + j_lane * A_pitch + (i * lanes + j * (threads / lanes * A_pitch))];
      }
    }
    #pragma unroll
    for (int j = 0; j < j_each; ++j) {
      #pragma unroll
      for (int i = 0; i < i_each; ++i) {
        if (j * (threads / lanes) < j_left && (i * lanes < i_left))
          B[B_begin + j_lane * B_leading + i_lane + (j * (threads / lanes * B_leading) + i * lanes)] = B_held[j * i_each + i];
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_j, int tile_i, int lanes>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, T *B, Index B_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_j >= 8 && tile_j <= 256 && (tile_j == 8 || tile_j == 32 || tile_j == 64 || tile_j == 128 || tile_j == 256), "tile_j: elements of a block's tile, 8, 32, 64, 128 or 256");
  static_assert(tile_i >= 8 && tile_i <= 128 && (tile_i == 8 || tile_i == 32 || tile_i == 64 || tile_i == 128), "tile_i: elements of a block's tile, 8, 32, 64 or 128");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  if (rows < 0 || columns < 0 || leading < 0 || B_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (transpose.cdl:18), one part per block
  const Index q = (columns + tile_j - 1) / tile_j;
  const Index p = (rows + tile_i - 1) / tile_i;
  const Index tiles = q * p;
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  if (tiles > 0) {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)tiles), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, transpose_blocks<T, threads, tile_j, tile_i, lanes>, p, rows, columns, leading, B_leading, A, B);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_j, int tile_i, int lanes>
constexpr size_t shared_bytes() {
  return (size_t)((tile_j + threads / lanes - 1) / (threads / lanes) * (threads / lanes) * ((tile_i + lanes - 1) / lanes * lanes + 1)) * sizeof(T);
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const transpose_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, T *B, Index B_leading, cudaStream_t stream) {
  const transpose_configuration own = {0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_J, TILE_I, LANES) if constexpr (shared_bytes<T, THREADS, TILE_J, TILE_I, LANES>() <= 49152) if (serves(THREADS, c->threads) && serves(TILE_J, c->tile_j) && serves(TILE_I, c->tile_i) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_J, TILE_I, LANES>(workspace, workspace_bytes, A, rows, columns, leading, B, B_leading, stream);
  TRANSPOSE_92209C79_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace transpose_92209c79

#define ROW(THREADS, TILE_J, TILE_I, LANES) {THREADS, 0, 0, LANES, TILE_I, TILE_J},
// Those that were compiled; zeros end them.
extern "C" const transpose_configuration transpose_92209c79_configurations[];
const transpose_configuration transpose_92209c79_configurations[] = {TRANSPOSE_92209C79_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t transpose_92209c79_double(const transpose_configuration *c, void *workspace, size_t *workspace_bytes, const double *A, uint64_t rows, uint64_t columns, uint64_t leading, double *B, uint64_t B_leading, cudaStream_t stream) {
  return transpose_92209c79::configured<double>(c, workspace, workspace_bytes, A, (transpose_92209c79::Index)rows, (transpose_92209c79::Index)columns, (transpose_92209c79::Index)leading, B, (transpose_92209c79::Index)B_leading, stream);
}
