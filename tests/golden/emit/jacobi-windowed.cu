// jacobi, variant 33c516ce: grid.tiled(block.tiled/all!windowed(thread.serial))
// Made by tgc from jacobi.cdl for sm_90; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part, windows in registers: thread: computes by `serial' (T2)
//
// codelets
//   tiled        jacobi.cdl:23
//   serial       jacobi.cdl:14
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_i, tile_j, lanes); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_i: elements of a block's tile, 8, 16, 32 or 64
//   tile_j: elements of a block's tile, 32, 64, 128 or 256
//   lanes: lanes with neighbouring parts, 8, 16 or 32
#ifndef JACOBI_33C516CE_CONFIGURATIONS
#define JACOBI_33C516CE_CONFIGURATIONS(C) C(256, 32, 128, 32)
#endif

#ifndef JACOBI_CONFIGURATION
#define JACOBI_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct jacobi_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_i, tile_j;
} jacobi_configuration;
#endif

namespace jacobi_33c516ce {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}

// A 16-byte load; `from` is aligned to 16 bytes.
template <typename E> __device__ __forceinline__ void load_wide(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
  wide.bits = *(const uint4 *)from;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    to[i] = wide.element[i];
}

// A 16-byte store; `to` is aligned to 16 bytes. The compiler splits a plain store when single elements are stored
// next to it.
template <typename E> __device__ __forceinline__ void store_wide(E *to, const E *from) {
  union {
    uint4 bits;
    E element[16 / sizeof(E)];
  } wide;
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    wide.element[i] = from[i];
  __stwb((uint4 *)to, wide.bits);
}

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
template <typename T, int threads, int tile_i, int tile_j, int lanes, bool wide>
__global__ void __launch_bounds__(threads, threads < 512 ? 512 / threads : 1) jacobi_blocks(Index q, Index y_rows, Index y_columns, Index leading, Index y_leading, const T *x, T *y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int i_each = (tile_i + threads / lanes - 1) / (threads / lanes);
  const int j_each = (tile_j + lanes - 1) / lanes;
  const int j_group = (wide && (j_each % (16 / (int)sizeof(T)) == 0)) ? 16 / (int)sizeof(T) : 1;
  const int j_apart = lanes * j_group;
  const int x_groups = (j_group + 2 + j_group - 1) / j_group;
  // grid > block: tiled (jacobi.cdl:23), one part per block
  const Index i_begin = min_index((Index)((int)block / (int)q) * tile_i, y_rows);
  const Index i_size = min_index(tile_i, y_rows - i_begin);
  const Index j_begin = min_index((Index)((int)block % (int)q) * tile_j, y_columns);
  const Index j_size = min_index(tile_j, y_columns - j_begin);
  const Index x_begin = i_begin * leading + j_begin;
  const Index y_begin = i_begin * y_leading + j_begin;
  // block > thread: tiled (jacobi.cdl:23), a rectangle each, and windows in registers; serial (jacobi.cdl:14)
  const int i_lane = thread / lanes;
  const int i_first = i_lane * i_each;
  const int i_left = (int)i_size - i_first;
  const int j_lane = thread % lanes;
  const int j_first = j_lane * j_group;
  const int j_left = (int)j_size - j_first;
  const bool inside = i_size >= (i_each * (threads / lanes)) && (j_size >= (j_each * lanes));
  after_earlier_grids();
  #pragma unroll 1
  for (int j_turn = 0; j_turn < (j_each / j_group); ++j_turn) {
    T y_held[i_each * j_group];
    if (inside) {
      T x_window[(i_each + 2) * x_groups * j_group];
      #pragma unroll
      for (int i_at = 0; i_at < (i_each + 2); ++i_at) {
        #pragma unroll
        for (int j_at = 0; j_at < x_groups; ++j_at) {
          if (j_at == 0) {
            if (j_group > 1)
              load_wide(&x_window[i_at * (x_groups * j_group)], &x[x_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading]);
            else
              x_window[i_at * (x_groups * j_group)] = x[x_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading];
          }
          else {
            if (j_group == 1 || j_lane + j_at >= lanes) {
              #pragma unroll
              for (int e = 0; e < j_group; ++e) {
                if ((i_at < i_each && (j_at * j_group + e < (j_group + 1))) || i_at >= 2 && (j_at * j_group + e < (j_group + 1)) || i_at >= 1 && (i_at < (i_each + 1)) && (j_at * j_group + e < j_group) || i_at >= 1 && (i_at < (i_each + 1)) && (j_at * j_group + e < (j_group + 2)))
                  x_window[i_at * (x_groups * j_group) + (j_at * j_group + e)] = x[x_begin + i_first * leading + j_first + j_turn * j_apart + (i_at * leading + (j_at * j_group + e))];
              }
            }
          }
        }
      }
      #pragma unroll
      for (int i_at = 0; i_at < (i_each + 2); ++i_at) {
        #pragma unroll
        for (int j_at = 0; j_at < x_groups; ++j_at) {
          if (j_group > 1 && (j_at > 0)) {
            #pragma unroll
            for (int e = 0; e < j_group; ++e) {
              if ((i_at < i_each && (j_at * j_group + e < (j_group + 1))) || i_at >= 2 && (j_at * j_group + e < (j_group + 1)) || i_at >= 1 && (i_at < (i_each + 1)) && (j_at * j_group + e < j_group) || i_at >= 1 && (i_at < (i_each + 1)) && (j_at * j_group + e < (j_group + 2))) {
                const T other = __shfl_down_sync(0xffffffff, x_window[i_at * (x_groups * j_group) + e], j_at);
                if (j_lane + j_at < lanes)
                  x_window[i_at * (x_groups * j_group) + (j_at * j_group + e)] = other;
              }
            }
          }
        }
      }
      #pragma unroll
      for (int i = 0; i < i_each; ++i) {
        #pragma unroll
        for (int j = 0; j < j_group; ++j)
          y_held[i * j_group + j] = (x_window[i * (x_groups * j_group) + (j + 1)] + x_window[(i + 2) * (x_groups * j_group) + (j + 1)] + x_window[(i + 1) * (x_groups * j_group) + j] + x_window[(i + 1) * (x_groups * j_group) + (j + 2)]) * T(0.25);
      }
    }
    else {
      if (i_left > 0 && (j_left > 0)) {
        #pragma unroll
        for (int i = 0; i < i_each; ++i) {
          #pragma unroll
          for (int j = 0; j < j_group; ++j) {
            const int j_at = j_turn * j_apart + j;
            if (i < i_left && (j_at < j_left))
              y_held[i * j_group + j] = (x[x_begin + i_first * leading + j_first + j_turn * j_apart + (i * leading + (j + 1))] + x[x_begin + i_first * leading + j_first + j_turn * j_apart + ((i + 2) * leading + (j + 1))] + x[x_begin + i_first * leading + j_first + j_turn * j_apart + ((i + 1) * leading + j)] + x[x_begin + i_first * leading + j_first + j_turn * j_apart + ((i + 1) * leading + (j + 2))]) * T(0.25);
          }
        }
      }
    }
    if (inside) {
      #pragma unroll
      for (int i = 0; i < i_each; ++i) {
        if (j_group > 1)
          store_wide(&y[y_begin + i_first * y_leading + j_first + j_turn * j_apart + i * y_leading], &y_held[i * j_group]);
        else
          y[y_begin + i_first * y_leading + j_first + j_turn * j_apart + i * y_leading] = y_held[i * j_group];
      }
    }
    else {
      #pragma unroll
      for (int i = 0; i < i_each; ++i) {
        #pragma unroll
        for (int j = 0; j < j_group; ++j) {
          const int j_at = j_turn * j_apart + j;
          if (i < i_left && (j_at < j_left))
            y[y_begin + i_first * y_leading + j_first + j_turn * j_apart + (i * y_leading + j)] = y_held[i * j_group + j];
        }
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_i, int tile_j, int lanes>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *x, Index rows, Index columns, Index leading, T *y, Index y_rows, Index y_columns, Index y_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_i >= 8 && tile_i <= 64 && (tile_i == 8 || tile_i == 16 || tile_i == 32 || tile_i == 64), "tile_i: elements of a block's tile, 8, 16, 32 or 64");
  static_assert(tile_j >= 32 && tile_j <= 256 && (tile_j == 32 || tile_j == 64 || tile_j == 128 || tile_j == 256), "tile_j: elements of a block's tile, 32, 64, 128 or 256");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  if (rows < 0 || columns < 0 || leading < 0 || y_rows < 0 || y_columns < 0 || y_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (jacobi.cdl:23), one part per block
  const Index p = (y_rows + tile_i - 1) / tile_i;
  const Index q = (y_columns + tile_j - 1) / tile_j;
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
    const bool wide = to_aligned(&x[0]) == 0 && (leading % (16 / (int)sizeof(T)) == 0) && (to_aligned(&y[0]) == 0 && (y_leading % (16 / (int)sizeof(T)) == 0));
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)tiles), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, wide ? jacobi_blocks<T, threads, tile_i, tile_j, lanes, true> : jacobi_blocks<T, threads, tile_i, tile_j, lanes, false>, q, y_rows, y_columns, leading, y_leading, x, y);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const jacobi_configuration *c, void *workspace, size_t *workspace_bytes, const T *x, Index rows, Index columns, Index leading, T *y, Index y_rows, Index y_columns, Index y_leading, cudaStream_t stream) {
  const jacobi_configuration own = {0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_I, TILE_J, LANES) if (serves(THREADS, c->threads) && serves(TILE_I, c->tile_i) && serves(TILE_J, c->tile_j) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_I, TILE_J, LANES>(workspace, workspace_bytes, x, rows, columns, leading, y, y_rows, y_columns, y_leading, stream);
  JACOBI_33C516CE_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace jacobi_33c516ce

#define ROW(THREADS, TILE_I, TILE_J, LANES) {THREADS, 0, 0, LANES, TILE_I, TILE_J},
// Those that were compiled; zeros end them.
extern "C" const jacobi_configuration jacobi_33c516ce_configurations[];
const jacobi_configuration jacobi_33c516ce_configurations[] = {JACOBI_33C516CE_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t jacobi_33c516ce_float(const jacobi_configuration *c, void *workspace, size_t *workspace_bytes, const float *x, uint64_t rows, uint64_t columns, uint64_t leading, float *y, uint64_t y_rows, uint64_t y_columns, uint64_t y_leading, cudaStream_t stream) {
  return jacobi_33c516ce::configured<float>(c, workspace, workspace_bytes, x, (jacobi_33c516ce::Index)rows, (jacobi_33c516ce::Index)columns, (jacobi_33c516ce::Index)leading, y, (jacobi_33c516ce::Index)y_rows, (jacobi_33c516ce::Index)y_columns, (jacobi_33c516ce::Index)y_leading, stream);
}
