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
#define JACOBI_33C516CE_CONFIGURATIONS(C) C(128, 16, 128, 32)
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

// A copy of `many` neighbouring elements, of 16 bytes or one element, to shared memory, or zeros if they do not exist. It is
// there behind await_copies(). Elements of less than four bytes are copied at once.
template <int many, typename E> __device__ __forceinline__ void copy_ahead(E *to, const E *from, bool exist) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  constexpr int bytes = many * (int)sizeof(E);
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
                 "r"(exist ? 16 : 0)
                 : "memory");
  } else if constexpr (bytes == 4 || bytes == 8) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
                 "n"(bytes), "r"(exist ? bytes : 0)
                 : "memory");
  } else {
#pragma unroll
    for (int i = 0; i < many; ++i)
      to[i] = exist ? from[i] : E(0);
  }
#else // tgc check's executor
  simt::copy_ahead(to, from, many, exist);
#endif
}

// This lane's copies since the last call are a group.
__device__ __forceinline__ void close_copies() {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  simt::close_copies();
#endif
}

// Waits until no more than so many of this lane's groups are still being copied.
template <int groups> __device__ __forceinline__ void await_copies() {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#else
  simt::await_copies(groups);
#endif
}

// Each block processes its part.
template <typename T, int threads, int tile_i, int tile_j, int lanes, bool wide, bool even>
__global__ void __launch_bounds__(threads, threads < 512 ? 512 / threads : 1) jacobi_blocks(Index q, Index y_rows, Index j_early, Index y_columns, Index leading, Index y_leading, const T *x, Index rows, Index columns, T *y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int i_each = (tile_i + threads / lanes - 1) / (threads / lanes);
  const int j_each = (tile_j + lanes - 1) / lanes;
  const int j_group = j_each % (16 / (int)sizeof(T)) == 0 ? j_each : 1;
  const int j_apart = lanes * j_group;
  const int x_row = j_group + 2;
  const int x_pitch = (lanes * j_each + 2 + 16 / (int)sizeof(T) - 1) / (16 / (int)sizeof(T)) * (16 / (int)sizeof(T));
  const int x_tile_size = x_pitch * (threads / lanes * i_each + 2);
  __shared__ __align__(16) T x_tile[x_tile_size > (3072 * (16 / (int)sizeof(T))) ? 16 / (int)sizeof(T) : x_tile_size];
  // grid > block: tiled (jacobi.cdl:23), one part per block
  const Index i_begin = min_index((Index)((int)block / (int)q) * tile_i, y_rows);
  const Index i_size = min_index(tile_i, y_rows - i_begin);
  const Index j_begin = min_index((Index)((int)block % (int)q) * tile_j - j_early, y_columns);
  const Index j_size = min_index(tile_j, y_columns - j_begin);
  const Index x_begin = i_begin * leading + j_begin;
  const Index y_begin = i_begin * y_leading + j_begin;
  // block > thread: tiled (jacobi.cdl:23), a rectangle each, and windows in registers; serial (jacobi.cdl:14)
  const int i_lane = thread / lanes;
  const int j_lane = thread % lanes;
  const int i_first = i_lane * i_each;
  const int i_left = (int)i_size - i_first;
  const int j_first = j_lane * j_group;
  const int j_left = (int)j_size - j_first;
  const int j_before = (int)(0 - min_index(j_begin + j_first, 0));
  after_earlier_grids();
  const int x_word = (16 / (int)sizeof(T) - (int)to_aligned(&x[x_begin])) % (16 / (int)sizeof(T)) * 4 / (16 / (int)sizeof(T));
  if (!(even || (wide || j_group == 1) || 16 / (int)sizeof(T) > 4 || x_tile_size > (3072 * (16 / (int)sizeof(T))))) {
    #pragma unroll
    for (int i_round = 0; i_round < ((threads / lanes * i_each + 2 + threads / lanes - 1) / (threads / lanes)); ++i_round) {
      const int i_at = i_round * (threads / lanes) + i_lane;
      #pragma unroll
      for (int j_round = 0; j_round < ((x_pitch + lanes - 1) / lanes); ++j_round) {
        const int j_at = j_round * lanes + j_lane;
        if (i_at < (threads / lanes * i_each + 2) && (j_at < x_pitch))
          copy_ahead<1>(&x_tile[i_at * x_pitch + j_at], &x[x_begin + (i_at * leading + j_at)], i_at < (int)(i_size + 1 + 1) && (j_at < (int)(j_size + 1 + 1)));
      }
    }
    close_copies();
    await_copies<0>();
    __syncthreads();
  }
  #pragma unroll 1
  for (int j_turn = 0; j_turn < (j_each / j_group); ++j_turn) {
    const bool inside = i_left >= i_each && (j_left >= (j_turn * j_apart + j_group)) && (wide || j_before - j_turn * j_apart <= 0) && ((wide || x_begin + i_first * leading + j_first + j_turn * j_apart >= (Index)(16 / (int)sizeof(T) - 1)) && (x_begin + i_first * leading + j_first + j_turn * j_apart + ((i_each - 1 + 2) * leading + (j_group - 1 + 2 + ((wide && (j_group % (16 / (int)sizeof(T)) == 0)) ? 0 : 2 * (16 / (int)sizeof(T) - 1)))) < (1 + (rows - 1) * leading + (columns - 1))));
    T y_held[i_each * j_group];
    T x_window[(i_each + 2) * x_row];
    if (even || (wide || j_group == 1) || 16 / (int)sizeof(T) > 4 || x_tile_size > (3072 * (16 / (int)sizeof(T)))) {
      if (inside) {
        if (even && (j_group % (16 / (int)sizeof(T)) == 0)) {
          if (x_word == 0) {
            #pragma unroll
            for (int i_at = 0; i_at < (i_each + 2); ++i_at) {
              if (j_group > 1)
                load_run<x_row, 1, 0>(&x_window[i_at * x_row], &x[x_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading]);
              else {
                #pragma unroll
                for (int e = 0; e < x_row; ++e)
                  x_window[i_at * x_row + e] = x[x_begin + i_first * leading + j_first + j_turn * j_apart + (i_at * leading + e)];
              }
            }
          }
          else {
            if (x_word == 1) {
              #pragma unroll
              for (int i_at = 0; i_at < (i_each + 2); ++i_at) {
                if (j_group > 1)
                  load_run<x_row, 1, 1>(&x_window[i_at * x_row], &x[x_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading]);
                else {
                  #pragma unroll
                  for (int e = 0; e < x_row; ++e)
                    x_window[i_at * x_row + e] = x[x_begin + i_first * leading + j_first + j_turn * j_apart + (i_at * leading + e)];
                }
              }
            }
            else {
              if (x_word == 2) {
                #pragma unroll
                for (int i_at = 0; i_at < (i_each + 2); ++i_at) {
                  if (j_group > 1)
                    load_run<x_row, 1, 2>(&x_window[i_at * x_row], &x[x_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading]);
                  else {
                    #pragma unroll
                    for (int e = 0; e < x_row; ++e)
                      x_window[i_at * x_row + e] = x[x_begin + i_first * leading + j_first + j_turn * j_apart + (i_at * leading + e)];
                  }
                }
              }
              else {
                #pragma unroll
                for (int i_at = 0; i_at < (i_each + 2); ++i_at) {
                  if (j_group > 1)
                    load_run<x_row, 1, 3>(&x_window[i_at * x_row], &x[x_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading]);
                  else {
                    #pragma unroll
                    for (int e = 0; e < x_row; ++e)
                      x_window[i_at * x_row + e] = x[x_begin + i_first * leading + j_first + j_turn * j_apart + (i_at * leading + e)];
                  }
                }
              }
            }
          }
        }
        else {
          #pragma unroll
          for (int i_at = 0; i_at < (i_each + 2); ++i_at) {
            if (j_group > 1)
              load_run<x_row, wide ? j_group : 1, -1>(&x_window[i_at * x_row], &x[x_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading]);
            else {
              #pragma unroll
              for (int e = 0; e < x_row; ++e)
                x_window[i_at * x_row + e] = x[x_begin + i_first * leading + j_first + j_turn * j_apart + (i_at * leading + e)];
            }
          }
        }
      }
      else {
        #pragma unroll
        for (int i_at = 0; i_at < (i_each + 2); ++i_at) {
          if (i_at < (i_left + 2)) {
            #pragma unroll
            for (int e = 0; e < x_row; ++e) {
              if (e >= (j_before - j_turn * j_apart) && (e < (j_left - j_turn * j_apart + 2)))
                x_window[i_at * x_row + e] = x[x_begin + i_first * leading + j_first + j_turn * j_apart + (i_at * leading + e)];
            }
          }
        }
      }
    }
    else {
      #pragma unroll
      for (int i_at = 0; i_at < (i_each + 2); ++i_at)
        load_run<x_row, j_group, -1>(&x_window[i_at * x_row], &x_tile[(i_first + i_at) * x_pitch + j_first]);
    }
    #pragma unroll
    for (int i = 0; i < i_each; ++i) {
      #pragma unroll
      for (int j = 0; j < j_group; ++j)
        y_held[i * j_group + j] = (x_window[i * x_row + (j + 1)] + x_window[(i + 2) * x_row + (j + 1)] + x_window[(i + 1) * x_row + j] + x_window[(i + 1) * x_row + (j + 2)]) * T(0.25);
    }
    #pragma unroll
    for (int i = 0; i < i_each; ++i) {
      const int has = i < i_left ? j_left - j_turn * j_apart : 0;
      if (j_group > 1)
        store_run<j_group, wide || even>(&y[y_begin + i_first * y_leading + j_first + j_turn * j_apart + i * y_leading], &y_held[i * j_group], j_lane, lanes, has, wide ? 0 : j_before - j_turn * j_apart);
      else {
        if (has > 0 && (j_before - j_turn * j_apart <= 0))
          y[y_begin + i_first * y_leading + j_first + j_turn * j_apart + i * y_leading] = y_held[i * j_group];
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
  const Index j_early = (y_columns > 0 && (leading % (16 / (int)sizeof(T)) == 0) && (y_leading % (16 / (int)sizeof(T)) == 0)) ? to_aligned(&y[0]) > 0 ? 16 / (int)sizeof(T) - to_aligned(&y[0]) : 0 : 0;
  const Index q = (y_columns + j_early + tile_j - 1) / tile_j;
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
    const bool even = !(to_aligned(&x[0]) == 0 && (leading % (16 / (int)sizeof(T)) == 0) && (to_aligned(&y[0]) == 0 && (y_leading % (16 / (int)sizeof(T)) == 0))) && (leading % (16 / (int)sizeof(T)) == 0 && (y_leading % (16 / (int)sizeof(T)) == 0));
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)tiles), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, wide ? (even ? jacobi_blocks<T, threads, tile_i, tile_j, lanes, true, true> : jacobi_blocks<T, threads, tile_i, tile_j, lanes, true, false>) : (even ? jacobi_blocks<T, threads, tile_i, tile_j, lanes, false, true> : jacobi_blocks<T, threads, tile_i, tile_j, lanes, false, false>), q, y_rows, j_early, y_columns, leading, y_leading, x, rows, columns, y);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int tile_i, int tile_j, int lanes>
constexpr size_t shared_bytes() {
  return (size_t)((lanes * ((tile_j + lanes - 1) / lanes) + 2 + 16 / (int)sizeof(T) - 1) / (16 / (int)sizeof(T)) * (16 / (int)sizeof(T)) * (threads / lanes * ((tile_i + threads / lanes - 1) / (threads / lanes)) + 2) > (3072 * (16 / (int)sizeof(T))) ? 16 / (int)sizeof(T) : (lanes * ((tile_j + lanes - 1) / lanes) + 2 + 16 / (int)sizeof(T) - 1) / (16 / (int)sizeof(T)) * (16 / (int)sizeof(T)) * (threads / lanes * ((tile_i + threads / lanes - 1) / (threads / lanes)) + 2)) * sizeof(T);
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const jacobi_configuration *c, void *workspace, size_t *workspace_bytes, const T *x, Index rows, Index columns, Index leading, T *y, Index y_rows, Index y_columns, Index y_leading, cudaStream_t stream) {
  const jacobi_configuration own = {0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_I, TILE_J, LANES) if constexpr (shared_bytes<T, THREADS, TILE_I, TILE_J, LANES>() <= 49152) if (serves(THREADS, c->threads) && serves(TILE_I, c->tile_i) && serves(TILE_J, c->tile_j) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_I, TILE_J, LANES>(workspace, workspace_bytes, x, rows, columns, leading, y, y_rows, y_columns, y_leading, stream);
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
