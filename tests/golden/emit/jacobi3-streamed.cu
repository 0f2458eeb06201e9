// jacobi3, variant 71ece1f5: grid.tiled(block.tiled/all!streamed(thread.serial))
// Made by tgc from jacobi3.cdl for sm_90; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part, windows in registers, row by row: thread: computes by `serial' (T2)
//
// codelets
//   tiled        jacobi3.cdl:27
//   serial       jacobi3.cdl:14
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_i, tile_j, tile_k, lanes); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_i: elements of a block's tile, 1, 2, 4 or 8
//   tile_j: elements of a block's tile, 8, 16, 32 or 64
//   tile_k: elements of a block's tile, 32, 64, 128 or 256
//   lanes: lanes with neighbouring parts, 8, 16 or 32
#ifndef JACOBI3_71ECE1F5_CONFIGURATIONS
#define JACOBI3_71ECE1F5_CONFIGURATIONS(C) C(128, 4, 16, 128, 32)
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

namespace jacobi3_71ece1f5 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

// Number of elements up to the next 16-byte boundary.
template <typename E> __host__ __device__ __forceinline__ Index to_aligned(const E *from) {
  return (Index)((16 - (uintptr_t)from % 16) % 16 / sizeof(E));
}

// Words that are so many bytes further, below 16, and a multiple of the `alignment' of what they are made of.
template <int words, int alignment> __device__ __forceinline__ void shift_words(unsigned *word, int bytes) {
#pragma unroll
  for (int i = 0; i + 2 < words; ++i)
    word[i] = bytes & 8 ? word[i + 2] : word[i];
  if (alignment < 8) {
#pragma unroll
    for (int i = 0; i + 1 < words; ++i)
      word[i] = bytes & 4 ? word[i + 1] : word[i];
  }
  if (alignment < 4) {
#pragma unroll
    for (int i = 0; i + 1 < words; ++i)
      word[i] = (unsigned)(((unsigned long long)word[i + 1] << 32 | word[i]) >> bytes % 4 * 8);
  }
}

template <typename E> __device__ __forceinline__ E element_in(const unsigned *word, int number) {
  constexpr int words = ((int)sizeof(E) + 3) / 4, elements = sizeof(E) < 4 ? 4 / (int)sizeof(E) : 1;
  union {
    unsigned word[words];
    E element[elements];
  } some;
#pragma unroll
  for (int i = 0; i < words; ++i)
    some.word[i] = word[number * (int)sizeof(E) / 4 + i];
  return some.element[number % elements];
}

// So many bytes below 16 from a 16-byte boundary on, and none behind them, which may be beyond an array.
template <int bytes, typename E> __device__ __forceinline__ void load_rest(unsigned *word, const E *from) {
  constexpr int four = bytes / 8 * 2, some = bytes / 4, elements = bytes % 4 / (int)sizeof(E);
  if (bytes & 8) {
    const uint2 eight = *(const uint2 *)from;
    word[0] = eight.x;
    word[1] = eight.y;
  }
  if (bytes & 4) word[four] = ((const unsigned *)from)[four];
  union {
    unsigned word;
    E element[sizeof(E) < 4 ? 4 / sizeof(E) : 1];
  } rest;
#pragma unroll
  for (int i = 0; i < elements; ++i)
    rest.element[i] = from[some * 4 / (int)sizeof(E) + i];
  if (elements > 0) word[some] = rest.word;
}

// n neighbouring elements by the 16-byte loads that cover them, or from a 16-byte boundary on by these and shorter ones;
// `from` is a multiple of so many elements behind such a boundary: 1: anywhere; so many whole words behind it, -1: who
// knows. Lanes whose elements lie side by side find the vectors that they share in L1.
template <int n, int multiple, int words, typename S, typename E>
__device__ __forceinline__ void load_run(S *to, const E *from) {
  constexpr int whole = multiple * (int)alignof(E), alignment = whole > 16 ? 16 : whole;
  constexpr int least = words < 0 ? 0 : words, most = words < 0 ? 16 - alignment : 4 * words + (alignment < 4 ? 3 : 0);
  constexpr int vectors = (n * (int)sizeof(E) + most + 15) / 16;
  const int bytes = alignment == 16 ? 0 : (int)((uintptr_t)from % 16);
  const uint4 *at = (const uint4 *)((const char *)from - bytes); // as a pointer: loads are known to be global
  unsigned word[4 * vectors];
#pragma unroll
  for (int i = 0; i < vectors; ++i) {
    if (alignment == 16 && n * (int)sizeof(E) < 16 * i + 16) {
      load_rest<n * (int)sizeof(E) % 16>(word + 4 * i, (const E *)(at + i));
      continue;
    }
    const uint4 wide = at[i];
    word[4 * i] = wide.x;
    word[4 * i + 1] = wide.y;
    word[4 * i + 2] = wide.z;
    word[4 * i + 3] = wide.w;
  }
  if (words < 0 && alignment < 16) shift_words<4 * vectors, alignment>(word, bytes);
  if (words >= 0 && alignment < 4) shift_words<4 * vectors, alignment>(word, bytes % 4);
#pragma unroll
  for (int i = 0; i < n; ++i)
    to[i] = element_in<E>(word + least, i);
}

// Groups of n elements, a multiple of 16 bytes, of the lanes of a row of lanes, which lie side by side; `has': how many
// elements there are from a lane's first one on, those of lanes behind it too; below 1: none; of aligned groups `before`
// of the first ones are not there either. A lane stores the vectors that begin in its group; the last one's end is the
// next lane's. Two neighbours exchange vectors so that each store is of whole sectors of 32 bytes. All lanes of the warp
// call this.
template <int n, bool aligned, typename S, typename E>
__device__ __forceinline__ void store_run(E *to, const S *from, int lane, int lanes, int has, int before) {
  constexpr int words = n * (int)sizeof(E) / 4, each = 16 / (int)sizeof(E);
  union {
    E element[n];
    unsigned word[words];
  } own;
  unsigned word[words + 4];
#pragma unroll
  for (int i = 0; i < n; ++i)
    own.element[i] = from[i];
#pragma unroll
  for (int i = 0; i < words; ++i)
    word[i] = own.word[i];
  int ahead = 0, next = 0;
  if (!aligned) {
#pragma unroll
    for (int i = 0; i < 4; ++i)
      word[words + i] = __shfl_down_sync(0xffffffff, word[i], 1);
    next = __shfl_down_sync(0xffffffff, has, 1);
    if (lane + 1 >= lanes) next = 0;
    ahead = (int)to_aligned(to);
    if (lane == 0) {
#pragma unroll
      for (int i = 0; i < each - 1; ++i)
        if (i < ahead && i < has) to[i] = own.element[i];
    }
    shift_words<words + 4, alignof(E)>(word, ahead * (int)sizeof(E));
  }
  const bool whole = has >= n && next >= ahead && (!aligned || before <= 0);
  uint4 *vector = (uint4 *)(to + ahead);
  if (words % 8 == 0 && __all_sync(0xffffffff, whole)) {
    const bool odd = lane % 2 != 0;
#pragma unroll
    for (int i = 0; i < words; i += 8) { // an even lane gives its second vector for the odd one's first
      unsigned first[4], second[4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const unsigned taken = __shfl_xor_sync(0xffffffff, odd ? word[i + k] : word[i + 4 + k], 1);
        first[k] = odd ? taken : word[i + k];
        second[k] = odd ? word[i + 4 + k] : taken;
      }
      __stwb(vector + i / 4 - (odd ? words / 4 - 1 : 0), uint4{first[0], first[1], first[2], first[3]});
      __stwb(vector + i / 4 + (odd ? 1 : words / 4), uint4{second[0], second[1], second[2], second[3]});
    }
    return;
  }
  if (whole) {
#pragma unroll
    for (int i = 0; i < words; i += 4)
      __stwb(vector + i / 4, uint4{word[i], word[i + 1], word[i + 2], word[i + 3]});
    return;
  }
  const int end = has < n ? has : n + next;
#pragma unroll
  for (int i = 0; i < n; ++i)
    if (ahead + i < end && (!aligned || i >= before)) to[ahead + i] = element_in<E>(word, i);
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
template <typename T, int threads, int tile_i, int tile_j, int tile_k, int lanes, bool wide, bool even>
__global__ void __launch_bounds__(threads, threads < 512 ? 512 / threads : 1) jacobi3_blocks(Index q, Index r, Index y_size0, Index y_size1, Index k_early, Index y_size2, Index stride0, Index stride1, Index y_stride0, Index y_stride1, Index size0, Index size1, Index size2, const T *x, T *y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int i_each = tile_i;
  const int j_each = (tile_j + threads / lanes - 1) / (threads / lanes);
  const int k_each = (tile_k + lanes - 1) / lanes;
  const int k_group = k_each % (16 / (int)sizeof(T)) == 0 ? k_each : 1;
  const int k_apart = lanes * k_group;
  const int x_row = k_group + 2;
  // grid > block: tiled (jacobi3.cdl:27), one part per block
  const Index tile = block < (q * r) ? (Index)gridDim.x - q * r + block : block - q * r;
  const Index i_begin = min_index((Index)((int)tile / (int)r / (int)q) * tile_i, y_size0);
  const Index i_size = min_index(tile_i, y_size0 - i_begin);
  const Index j_begin = min_index((Index)((int)tile / (int)r % (int)q) * tile_j, y_size1);
  const Index j_size = min_index(tile_j, y_size1 - j_begin);
  const Index k_begin = min_index((Index)((int)tile % (int)r) * tile_k - k_early, y_size2);
  const Index k_size = min_index(tile_k, y_size2 - k_begin);
  const Index x_begin = i_begin * stride0 + j_begin * stride1 + k_begin;
  const Index y_begin = i_begin * y_stride0 + j_begin * y_stride1 + k_begin;
  // block > thread: tiled (jacobi3.cdl:27), a rectangle each, and windows in registers; serial (jacobi3.cdl:14)
  const int i_lane = thread / lanes / (threads / lanes);
  const int j_lane = thread / lanes % (threads / lanes);
  const int k_lane = thread % lanes;
  const int i_first = i_lane * i_each;
  const int i_left = (int)i_size - i_first;
  const int j_first = j_lane * j_each;
  const int j_left = (int)j_size - j_first;
  const int k_first = k_lane * k_group;
  const int k_left = (int)k_size - k_first;
  const int k_before = (int)(0 - min_index(k_begin + k_first, 0));
  after_earlier_grids();
  #pragma unroll 1
  for (int k_turn = 0; k_turn < (k_each / k_group); ++k_turn) {
    const bool within = !__any_sync(0xffffffff, !((wide || x_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart >= (Index)(16 / (int)sizeof(T) - 1)) && (x_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i_each - 1 + 2) * stride0 + (j_each - 1 + 2) * stride1 + (k_group - 1 + 2 + ((wide && (k_group % (16 / (int)sizeof(T)) == 0)) ? 0 : 2 * (16 / (int)sizeof(T) - 1)))) < (1 + (size0 - 1) * stride0 + (size1 - 1) * stride1 + (size2 - 1)))));
    T y_held[i_each * j_each * k_group];
    if (within) {
      T x_window[(j_each + 2) * (i_each + 2) * x_row];
      #pragma unroll
      for (int i_plane = 0; i_plane < (i_each + 2 + (k_group == 1 ? 2 : 0)); ++i_plane) {
        if (i_plane < (i_each + 2)) {
          #pragma unroll
          for (int j_at = 0; j_at < (j_each + 2); ++j_at) {
            if (k_group > 1)
              load_run<x_row, wide ? k_group : 1, even ? 0 % (16 / (int)sizeof(T)) * 4 / (16 / (int)sizeof(T)) : -1>(&x_window[i_plane * (x_row * (j_each + 2)) + j_at * x_row], &x[x_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + (i_plane * stride0 + j_at * stride1)]);
            else {
              #pragma unroll
              for (int e = 0; e < x_row; ++e)
                x_window[i_plane * (x_row * (j_each + 2)) + (j_at * x_row + e)] = x[x_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + (i_plane * stride0 + j_at * stride1 + e)];
            }
          }
        }
        if (i_plane >= (2 + (k_group == 1 ? 2 : 0))) {
          const int i = i_plane - (2 + (k_group == 1 ? 2 : 0));
          #pragma unroll
          for (int j = 0; j < j_each; ++j) {
            #pragma unroll
            for (int k = 0; k < k_group; ++k) {
              const T sixth = T(1) / T(6);
              y_held[i * (j_each * k_group) + j * k_group + k] = (x_window[i * (x_row * (j_each + 2)) + (j + 1) * x_row + (k + 1)] + x_window[(i + 2) * (x_row * (j_each + 2)) + (j + 1) * x_row + (k + 1)] + x_window[(i + 1) * (x_row * (j_each + 2)) + j * x_row + (k + 1)] + x_window[(i + 1) * (x_row * (j_each + 2)) + (j + 2) * x_row + (k + 1)] + x_window[(i + 1) * (x_row * (j_each + 2)) + (j + 1) * x_row + k] + x_window[(i + 1) * (x_row * (j_each + 2)) + (j + 1) * x_row + (k + 2)]) * sixth;
            }
          }
          #pragma unroll
          for (int j = 0; j < j_each; ++j) {
            const int has = (i < i_left && (j < j_left)) ? k_left - k_turn * k_apart : 0;
            if (k_group > 1)
              store_run<k_group, wide || even>(&y[y_begin + i_first * y_stride0 + j_first * y_stride1 + k_first + k_turn * k_apart + (i * y_stride0 + j * y_stride1)], &y_held[i * (j_each * k_group) + j * k_group], k_lane, lanes, has, wide ? 0 : k_before - k_turn * k_apart);
            else {
              if (has > 0 && (k_before - k_turn * k_apart <= 0))
                y[y_begin + i_first * y_stride0 + j_first * y_stride1 + k_first + k_turn * k_apart + (i * y_stride0 + j * y_stride1)] = y_held[i * (j_each * k_group) + j * k_group];
            }
          }
        }
      }
    }
    else {
      #pragma unroll 1
      for (int i = 0; i < i_each; ++i) {
        if (i < i_left) {
          #pragma unroll 1
          for (int j = 0; j < j_each; ++j) {
            if (j < j_left) {
              #pragma unroll 1
              for (int k = 0; k < k_group; ++k) {
                if (k >= (k_before - k_turn * k_apart) && (k < (k_left - k_turn * k_apart))) {
                  const T sixth = T(1) / T(6);
                  y_held[0] = (x[x_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + (i * stride0 + (j + 1) * stride1 + (k + 1))] + x[x_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 2) * stride0 + (j + 1) * stride1 + (k + 1))] + x[x_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 1) * stride0 + j * stride1 + (k + 1))] + x[x_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 1) * stride0 + (j + 2) * stride1 + (k + 1))] + x[x_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 1) * stride0 + (j + 1) * stride1 + k)] + x[x_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 1) * stride0 + (j + 1) * stride1 + (k + 2))]) * sixth;
                  y[y_begin + i_first * y_stride0 + j_first * y_stride1 + k_first + k_turn * k_apart + (i * y_stride0 + j * y_stride1 + k)] = y_held[0];
                }
              }
            }
          }
        }
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_i, int tile_j, int tile_k, int lanes>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *x, Index size0, Index size1, Index size2, Index stride0, Index stride1, T *y, Index y_size0, Index y_size1, Index y_size2, Index y_stride0, Index y_stride1, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_i >= 1 && tile_i <= 8 && (tile_i == 1 || tile_i == 2 || tile_i == 4 || tile_i == 8), "tile_i: elements of a block's tile, 1, 2, 4 or 8");
  static_assert(tile_j >= 8 && tile_j <= 64 && (tile_j == 8 || tile_j == 16 || tile_j == 32 || tile_j == 64), "tile_j: elements of a block's tile, 8, 16, 32 or 64");
  static_assert(tile_k >= 32 && tile_k <= 256 && (tile_k == 32 || tile_k == 64 || tile_k == 128 || tile_k == 256), "tile_k: elements of a block's tile, 32, 64, 128 or 256");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  if (size0 < 0 || size1 < 0 || size2 < 0 || stride0 < 0 || stride1 < 0 || y_size0 < 0 || y_size1 < 0 || y_size2 < 0 || y_stride0 < 0 || y_stride1 < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (jacobi3.cdl:27), one part per block
  const Index p = (y_size0 + tile_i - 1) / tile_i;
  const Index q = (y_size1 + tile_j - 1) / tile_j;
  const Index k_early = (y_size2 > 0 && ((to_aligned(&y[0]) - to_aligned(&x[0]) + 16 / (int)sizeof(T)) % (16 / (int)sizeof(T)) == 0 % (16 / (int)sizeof(T))) && (stride0 % (16 / (int)sizeof(T)) == 0) && (stride1 % (16 / (int)sizeof(T)) == 0) && (y_stride0 % (16 / (int)sizeof(T)) == 0) && (y_stride1 % (16 / (int)sizeof(T)) == 0)) ? to_aligned(&y[0]) > 0 ? 16 / (int)sizeof(T) - to_aligned(&y[0]) : 0 : 0;
  const Index r = (y_size2 + k_early + tile_k - 1) / tile_k;
  const Index tiles = p * q * r;
  if (tiles > 2147483647)
    return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  if (tiles > 0) {
    const bool wide = to_aligned(&x[0]) == 0 && (stride0 % (16 / (int)sizeof(T)) == 0) && (stride1 % (16 / (int)sizeof(T)) == 0) && (to_aligned(&y[0]) == 0 && (y_stride0 % (16 / (int)sizeof(T)) == 0) && (y_stride1 % (16 / (int)sizeof(T)) == 0));
    const bool even = !(to_aligned(&x[0]) == 0 && (stride0 % (16 / (int)sizeof(T)) == 0) && (stride1 % (16 / (int)sizeof(T)) == 0) && (to_aligned(&y[0]) == 0 && (y_stride0 % (16 / (int)sizeof(T)) == 0) && (y_stride1 % (16 / (int)sizeof(T)) == 0))) && (stride0 % (16 / (int)sizeof(T)) == 0 && (stride1 % (16 / (int)sizeof(T)) == 0) && ((to_aligned(&y[0]) - to_aligned(&x[0]) + 16 / (int)sizeof(T)) % (16 / (int)sizeof(T)) == 0 % (16 / (int)sizeof(T))) && (y_stride0 % (16 / (int)sizeof(T)) == 0) && (y_stride1 % (16 / (int)sizeof(T)) == 0));
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)tiles), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, wide ? (even ? jacobi3_blocks<T, threads, tile_i, tile_j, tile_k, lanes, true, true> : jacobi3_blocks<T, threads, tile_i, tile_j, tile_k, lanes, true, false>) : (even ? jacobi3_blocks<T, threads, tile_i, tile_j, tile_k, lanes, false, true> : jacobi3_blocks<T, threads, tile_i, tile_j, tile_k, lanes, false, false>), q, r, y_size0, y_size1, k_early, y_size2, stride0, stride1, y_stride0, y_stride1, size0, size1, size2, x, y);
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
#define RUN(THREADS, TILE_I, TILE_J, TILE_K, LANES) if (serves(THREADS, c->threads) && serves(TILE_I, c->tile_i) && serves(TILE_J, c->tile_j) && serves(TILE_K, c->tile_k) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_I, TILE_J, TILE_K, LANES>(workspace, workspace_bytes, x, size0, size1, size2, stride0, stride1, y, y_size0, y_size1, y_size2, y_stride0, y_stride1, stream);
  JACOBI3_71ECE1F5_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace jacobi3_71ece1f5

#define ROW(THREADS, TILE_I, TILE_J, TILE_K, LANES) {THREADS, 0, 0, LANES, TILE_I, TILE_J, TILE_K},
// Those that were compiled; zeros end them.
extern "C" const jacobi3_configuration jacobi3_71ece1f5_configurations[];
const jacobi3_configuration jacobi3_71ece1f5_configurations[] = {JACOBI3_71ECE1F5_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t jacobi3_71ece1f5_float(const jacobi3_configuration *c, void *workspace, size_t *workspace_bytes, const float *x, uint64_t size0, uint64_t size1, uint64_t size2, uint64_t stride0, uint64_t stride1, float *y, uint64_t y_size0, uint64_t y_size1, uint64_t y_size2, uint64_t y_stride0, uint64_t y_stride1, cudaStream_t stream) {
  return jacobi3_71ece1f5::configured<float>(c, workspace, workspace_bytes, x, (jacobi3_71ece1f5::Index)size0, (jacobi3_71ece1f5::Index)size1, (jacobi3_71ece1f5::Index)size2, (jacobi3_71ece1f5::Index)stride0, (jacobi3_71ece1f5::Index)stride1, y, (jacobi3_71ece1f5::Index)y_size0, (jacobi3_71ece1f5::Index)y_size1, (jacobi3_71ece1f5::Index)y_size2, (jacobi3_71ece1f5::Index)y_stride0, (jacobi3_71ece1f5::Index)y_stride1, stream);
}
