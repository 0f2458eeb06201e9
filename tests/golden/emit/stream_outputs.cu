// stream_outputs, variant bca8aa51: grid.inside=grid.tiled(block.tiled/all!streamed(thread.serial))
// Made by tgc from stream_outputs.cdl for sm_90; this text is yours.
//
// baseline, 1 kernel, determinism gpu_to_gpu: a lane runs another codelet than the sequential one, which may round differently
// batch-invariant: results are combined only in the order that a codelet gives
//
//   grid: `inside' applies (G3)
//     grid: regroups by `tiled', over its blocks (G6)
//       each part: block: regroups by `tiled', over its lanes (B6x)
//         each part, windows in registers, row by row: thread: computes by `serial' (T5)
//
// codelets
//   inside       stream_outputs.cdl:5
//   tiled        stream_outputs.cdl:5
//   serial       stream_outputs.cdl:5
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_i, tile_j, tile_k, lanes); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_i: elements of a block's tile, 1, 2, 4 or 8
//   tile_j: elements of a block's tile, 8, 16, 32 or 64
//   tile_k: elements of a block's tile, 32, 64, 128 or 256
//   lanes: lanes with neighbouring parts, 8, 16 or 32
#ifndef STREAM_OUTPUTS_BCA8AA51_CONFIGURATIONS
#define STREAM_OUTPUTS_BCA8AA51_CONFIGURATIONS(C) C(128, 4, 16, 128, 32)
#endif

#ifndef STREAM_OUTPUTS_CONFIGURATION
#define STREAM_OUTPUTS_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct stream_outputs_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_i, tile_j, tile_k;
} stream_outputs_configuration;
#endif

namespace stream_outputs_bca8aa51 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

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
__global__ void __launch_bounds__(threads, threads < 512 ? 512 / threads : 1) stream_outputs_blocks(Index q, Index r, Index size0, Index size1, Index k_early, Index size2, Index stride0, Index stride1, Index v_stride0, Index v_stride1, Index moved_stride0, Index moved_stride1, Index next_stride0, Index next_stride1, const T *u, const T *v, T *moved2, T *next) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int i_each = tile_i;
  const int j_each = (tile_j + threads / lanes - 1) / (threads / lanes);
  const int k_each = (tile_k + lanes - 1) / lanes;
  const int k_group = k_each % (16 / (int)sizeof(T)) == 0 ? k_each : 1;
  const int k_apart = lanes * k_group;
  const int u_row = k_group + 2;
  const int v_row = k_group;
  // grid > block: tiled (stream_outputs.cdl:5), one part per block
  const Index tile = block < (q * r) ? (Index)gridDim.x - q * r + block : block - q * r;
  const Index i_begin = min_index((Index)((int)tile / (int)r / (int)q) * tile_i, max_index(size0 - 2, 0));
  const Index i_size = min_index(tile_i, max_index(size0 - 2, 0) - i_begin);
  const Index j_begin = min_index((Index)((int)tile / (int)r % (int)q) * tile_j, max_index(size1 - 2, 0));
  const Index j_size = min_index(tile_j, max_index(size1 - 2, 0) - j_begin);
  const Index k_begin = min_index((Index)((int)tile % (int)r) * tile_k - k_early, max_index(size2 - 2, 0));
  const Index k_size = min_index(tile_k, max_index(size2 - 2, 0) - k_begin);
  const Index u_begin = i_begin * stride0 + j_begin * stride1 + k_begin;
  const Index v_begin = v_stride0 + v_stride1 + 1 + i_begin * v_stride0 + j_begin * v_stride1 + k_begin;
  const Index moved_begin = moved_stride0 + moved_stride1 + 1 + i_begin * moved_stride0 + j_begin * moved_stride1 + k_begin;
  const Index next_begin = next_stride0 + next_stride1 + 1 + i_begin * next_stride0 + j_begin * next_stride1 + k_begin;
  // block > thread: tiled (stream_outputs.cdl:5), a rectangle each, and windows in registers; serial (stream_outputs.cdl:5)
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
    const bool within = !__any_sync(0xffffffff, !((wide || u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart >= (Index)(16 / (int)sizeof(T) - 1)) && (u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i_each - 1 + 2) * stride0 + (j_each - 1 + 2) * stride1 + (k_group - 1 + 2 + ((wide && (k_group % (16 / (int)sizeof(T)) == 0)) ? 0 : 2 * (16 / (int)sizeof(T) - 1)))) < (1 + (size0 - 1) * stride0 + (size1 - 1) * stride1 + (size2 - 1))) && ((wide || v_begin + i_first * v_stride0 + j_first * v_stride1 + k_first + k_turn * k_apart >= (Index)(16 / (int)sizeof(T) - 1)) && (v_begin + i_first * v_stride0 + j_first * v_stride1 + k_first + k_turn * k_apart + ((i_each - 1) * v_stride0 + (j_each - 1) * v_stride1 + (k_group - 1 + ((wide && (k_group % (16 / (int)sizeof(T)) == 0)) ? 0 : 2 * (16 / (int)sizeof(T) - 1)))) < (1 + (size0 - 1) * v_stride0 + (size1 - 1) * v_stride1 + (size2 - 1))))));
    T next_held[i_each * j_each * k_group];
    T moved2_held[i_each * j_each * k_group];
    if (within) {
      T u_window[(j_each + 2) * (i_each + 2) * u_row];
      T v_window[j_each * i_each * v_row];
      #pragma unroll
      for (int i_plane = 0; i_plane < (i_each + 2 + (k_group == 1 ? 2 : 0)); ++i_plane) {
        if (i_plane < (i_each + 2)) {
          #pragma unroll
          for (int j_at = 0; j_at < (j_each + 2); ++j_at) {
            if (k_group > 1)
              load_run<u_row, wide ? k_group : 1, even ? 15 % (16 / (int)sizeof(T)) * 4 / (16 / (int)sizeof(T)) : -1>(&u_window[i_plane * (u_row * (j_each + 2)) + j_at * u_row], &u[u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + (i_plane * stride0 + j_at * stride1)]);
            else {
              #pragma unroll
              for (int e = 0; e < u_row; ++e)
                u_window[i_plane * (u_row * (j_each + 2)) + (j_at * u_row + e)] = u[u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + (i_plane * stride0 + j_at * stride1 + e)];
            }
          }
        }
        if (i_plane >= 2 && (i_plane - 2 < i_each)) {
          const int i_at = i_plane - 2;
          #pragma unroll
          for (int j_at = 0; j_at < j_each; ++j_at) {
            if (k_group > 1)
              load_run<k_group, wide ? k_group : 1, even ? 0 % (16 / (int)sizeof(T)) * 4 / (16 / (int)sizeof(T)) : -1>(&v_window[i_at * (k_group * j_each) + j_at * k_group], &v[v_begin + i_first * v_stride0 + j_first * v_stride1 + k_first + k_turn * k_apart + (i_at * v_stride0 + j_at * v_stride1)]);
            else {
              #pragma unroll
              for (int e = 0; e < k_group; ++e)
                v_window[i_at * (k_group * j_each) + (j_at * k_group + e)] = v[v_begin + i_first * v_stride0 + j_first * v_stride1 + k_first + k_turn * k_apart + (i_at * v_stride0 + j_at * v_stride1 + e)];
            }
          }
        }
        if (i_plane >= (2 + (k_group == 1 ? 2 : 0))) {
          const int i = i_plane - (2 + (k_group == 1 ? 2 : 0));
          #pragma unroll
          for (int j = 0; j < j_each; ++j) {
            #pragma unroll
            for (int k = 0; k < k_group; ++k) {
              T pull = u_window[i * (u_row * (j_each + 2)) + (j + 1) * u_row + (k + 1)] + u_window[(i + 2) * (u_row * (j_each + 2)) + (j + 1) * u_row + (k + 1)] + u_window[(i + 1) * (u_row * (j_each + 2)) + j * u_row + (k + 1)] + u_window[(i + 1) * (u_row * (j_each + 2)) + (j + 2) * u_row + (k + 1)] + u_window[(i + 1) * (u_row * (j_each + 2)) + (j + 1) * u_row + k] + u_window[(i + 1) * (u_row * (j_each + 2)) + (j + 1) * u_row + (k + 2)];
              T to = v_window[i * (k_group * j_each) + j * k_group + k] + pull - T(6) * u_window[(i + 1) * (u_row * (j_each + 2)) + (j + 1) * u_row + (k + 1)];
              next_held[i * (j_each * k_group) + j * k_group + k] = to;
              moved2_held[i * (j_each * k_group) + j * k_group + k] = u_window[(i + 1) * (u_row * (j_each + 2)) + (j + 1) * u_row + (k + 1)] + to * T(2);
            }
          }
          #pragma unroll
          for (int j = 0; j < j_each; ++j) {
            const int has = (i < i_left && (j < j_left)) ? k_left - k_turn * k_apart : 0;
            if (k_group > 1)
              store_run<k_group, wide || even>(&moved2[moved_begin + i_first * moved_stride0 + j_first * moved_stride1 + k_first + k_turn * k_apart + (i * moved_stride0 + j * moved_stride1)], &moved2_held[i * (j_each * k_group) + j * k_group], k_lane, lanes, has, wide ? 0 : k_before - k_turn * k_apart);
            else {
              if (has > 0 && (k_before - k_turn * k_apart <= 0))
                moved2[moved_begin + i_first * moved_stride0 + j_first * moved_stride1 + k_first + k_turn * k_apart + (i * moved_stride0 + j * moved_stride1)] = moved2_held[i * (j_each * k_group) + j * k_group];
            }
          }
          #pragma unroll
          for (int j = 0; j < j_each; ++j) {
            const int has = (i < i_left && (j < j_left)) ? k_left - k_turn * k_apart : 0;
            if (k_group > 1)
              store_run<k_group, wide || even>(&next[next_begin + i_first * next_stride0 + j_first * next_stride1 + k_first + k_turn * k_apart + (i * next_stride0 + j * next_stride1)], &next_held[i * (j_each * k_group) + j * k_group], k_lane, lanes, has, wide ? 0 : k_before - k_turn * k_apart);
            else {
              if (has > 0 && (k_before - k_turn * k_apart <= 0))
                next[next_begin + i_first * next_stride0 + j_first * next_stride1 + k_first + k_turn * k_apart + (i * next_stride0 + j * next_stride1)] = next_held[i * (j_each * k_group) + j * k_group];
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
                  T pull = u[u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + (i * stride0 + (j + 1) * stride1 + (k + 1))] + u[u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 2) * stride0 + (j + 1) * stride1 + (k + 1))] + u[u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 1) * stride0 + j * stride1 + (k + 1))] + u[u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 1) * stride0 + (j + 2) * stride1 + (k + 1))] + u[u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 1) * stride0 + (j + 1) * stride1 + k)] + u[u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 1) * stride0 + (j + 1) * stride1 + (k + 2))];
                  T to = v[v_begin + i_first * v_stride0 + j_first * v_stride1 + k_first + k_turn * k_apart + (i * v_stride0 + j * v_stride1 + k)] + pull - T(6) * u[u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 1) * stride0 + (j + 1) * stride1 + (k + 1))];
                  next_held[0] = to;
                  moved2_held[0] = u[u_begin + i_first * stride0 + j_first * stride1 + k_first + k_turn * k_apart + ((i + 1) * stride0 + (j + 1) * stride1 + (k + 1))] + to * T(2);
                  moved2[moved_begin + i_first * moved_stride0 + j_first * moved_stride1 + k_first + k_turn * k_apart + (i * moved_stride0 + j * moved_stride1 + k)] = moved2_held[0];
                  next[next_begin + i_first * next_stride0 + j_first * next_stride1 + k_first + k_turn * k_apart + (i * next_stride0 + j * next_stride1 + k)] = next_held[0];
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
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *u, Index size0, Index size1, Index size2, Index stride0, Index stride1, const T *v, Index v_stride0, Index v_stride1, T *moved2, Index moved_stride0, Index moved_stride1, T *next, Index next_stride0, Index next_stride1, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_i >= 1 && tile_i <= 8 && (tile_i == 1 || tile_i == 2 || tile_i == 4 || tile_i == 8), "tile_i: elements of a block's tile, 1, 2, 4 or 8");
  static_assert(tile_j >= 8 && tile_j <= 64 && (tile_j == 8 || tile_j == 16 || tile_j == 32 || tile_j == 64), "tile_j: elements of a block's tile, 8, 16, 32 or 64");
  static_assert(tile_k >= 32 && tile_k <= 256 && (tile_k == 32 || tile_k == 64 || tile_k == 128 || tile_k == 256), "tile_k: elements of a block's tile, 32, 64, 128 or 256");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  if (size0 < 0 || size1 < 0 || size2 < 0 || stride0 < 0 || stride1 < 0 || v_stride0 < 0 || v_stride1 < 0 || moved_stride0 < 0 || moved_stride1 < 0 || next_stride0 < 0 || next_stride1 < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (stream_outputs.cdl:5), one part per block
  const Index p = (max_index(size0 - 2, 0) + tile_i - 1) / tile_i;
  const Index q = (max_index(size1 - 2, 0) + tile_j - 1) / tile_j;
  const Index k_early = (max_index(size2 - 2, 0) > 0 && ((to_aligned(&next[next_stride0 + next_stride1 + 1]) - to_aligned(&u[0]) + 16 / (int)sizeof(T)) % (16 / (int)sizeof(T)) == 15 % (16 / (int)sizeof(T))) && (stride0 % (16 / (int)sizeof(T)) == 0) && (stride1 % (16 / (int)sizeof(T)) == 0) && ((to_aligned(&next[next_stride0 + next_stride1 + 1]) - to_aligned(&v[v_stride0 + v_stride1 + 1]) + 16 / (int)sizeof(T)) % (16 / (int)sizeof(T)) == 0 % (16 / (int)sizeof(T))) && (v_stride0 % (16 / (int)sizeof(T)) == 0) && (v_stride1 % (16 / (int)sizeof(T)) == 0) && (to_aligned(&moved2[moved_stride0 + moved_stride1 + 1]) == to_aligned(&next[next_stride0 + next_stride1 + 1])) && (moved_stride0 % (16 / (int)sizeof(T)) == 0) && (moved_stride1 % (16 / (int)sizeof(T)) == 0) && (next_stride0 % (16 / (int)sizeof(T)) == 0) && (next_stride1 % (16 / (int)sizeof(T)) == 0)) ? to_aligned(&next[next_stride0 + next_stride1 + 1]) > 0 ? 16 / (int)sizeof(T) - to_aligned(&next[next_stride0 + next_stride1 + 1]) : 0 : 0;
  const Index r = (max_index(size2 - 2, 0) + k_early + tile_k - 1) / tile_k;
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
    const bool wide = to_aligned(&u[0]) == 0 && (stride0 % (16 / (int)sizeof(T)) == 0) && (stride1 % (16 / (int)sizeof(T)) == 0) && (to_aligned(&v[v_stride0 + v_stride1 + 1]) == 0 && (v_stride0 % (16 / (int)sizeof(T)) == 0) && (v_stride1 % (16 / (int)sizeof(T)) == 0)) && (to_aligned(&moved2[moved_stride0 + moved_stride1 + 1]) == 0 && (moved_stride0 % (16 / (int)sizeof(T)) == 0) && (moved_stride1 % (16 / (int)sizeof(T)) == 0)) && (to_aligned(&next[next_stride0 + next_stride1 + 1]) == 0 && (next_stride0 % (16 / (int)sizeof(T)) == 0) && (next_stride1 % (16 / (int)sizeof(T)) == 0));
    const bool even = !(to_aligned(&u[0]) == 0 && (stride0 % (16 / (int)sizeof(T)) == 0) && (stride1 % (16 / (int)sizeof(T)) == 0) && (to_aligned(&v[v_stride0 + v_stride1 + 1]) == 0 && (v_stride0 % (16 / (int)sizeof(T)) == 0) && (v_stride1 % (16 / (int)sizeof(T)) == 0)) && (to_aligned(&moved2[moved_stride0 + moved_stride1 + 1]) == 0 && (moved_stride0 % (16 / (int)sizeof(T)) == 0) && (moved_stride1 % (16 / (int)sizeof(T)) == 0)) && (to_aligned(&next[next_stride0 + next_stride1 + 1]) == 0 && (next_stride0 % (16 / (int)sizeof(T)) == 0) && (next_stride1 % (16 / (int)sizeof(T)) == 0))) && (stride0 % (16 / (int)sizeof(T)) == 0 && (stride1 % (16 / (int)sizeof(T)) == 0) && ((to_aligned(&next[next_stride0 + next_stride1 + 1]) - to_aligned(&u[0]) + 16 / (int)sizeof(T)) % (16 / (int)sizeof(T)) == 15 % (16 / (int)sizeof(T))) && (v_stride0 % (16 / (int)sizeof(T)) == 0) && (v_stride1 % (16 / (int)sizeof(T)) == 0) && ((to_aligned(&next[next_stride0 + next_stride1 + 1]) - to_aligned(&v[v_stride0 + v_stride1 + 1]) + 16 / (int)sizeof(T)) % (16 / (int)sizeof(T)) == 0 % (16 / (int)sizeof(T))) && (moved_stride0 % (16 / (int)sizeof(T)) == 0) && (moved_stride1 % (16 / (int)sizeof(T)) == 0) && (to_aligned(&moved2[moved_stride0 + moved_stride1 + 1]) == to_aligned(&next[next_stride0 + next_stride1 + 1])) && (next_stride0 % (16 / (int)sizeof(T)) == 0) && (next_stride1 % (16 / (int)sizeof(T)) == 0));
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)tiles), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, wide ? (even ? stream_outputs_blocks<T, threads, tile_i, tile_j, tile_k, lanes, true, true> : stream_outputs_blocks<T, threads, tile_i, tile_j, tile_k, lanes, true, false>) : (even ? stream_outputs_blocks<T, threads, tile_i, tile_j, tile_k, lanes, false, true> : stream_outputs_blocks<T, threads, tile_i, tile_j, tile_k, lanes, false, false>), q, r, size0, size1, k_early, size2, stride0, stride1, v_stride0, v_stride1, moved_stride0, moved_stride1, next_stride0, next_stride1, u, v, moved2, next);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const stream_outputs_configuration *c, void *workspace, size_t *workspace_bytes, const T *u, Index size0, Index size1, Index size2, Index stride0, Index stride1, const T *v, Index v_stride0, Index v_stride1, T *moved2, Index moved_stride0, Index moved_stride1, T *next, Index next_stride0, Index next_stride1, cudaStream_t stream) {
  const stream_outputs_configuration own = {0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_I, TILE_J, TILE_K, LANES) if (serves(THREADS, c->threads) && serves(TILE_I, c->tile_i) && serves(TILE_J, c->tile_j) && serves(TILE_K, c->tile_k) && serves(LANES, c->lanes)) return run<T, THREADS, TILE_I, TILE_J, TILE_K, LANES>(workspace, workspace_bytes, u, size0, size1, size2, stride0, stride1, v, v_stride0, v_stride1, moved2, moved_stride0, moved_stride1, next, next_stride0, next_stride1, stream);
  STREAM_OUTPUTS_BCA8AA51_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace stream_outputs_bca8aa51

#define ROW(THREADS, TILE_I, TILE_J, TILE_K, LANES) {THREADS, 0, 0, LANES, TILE_I, TILE_J, TILE_K},
// Those that were compiled; zeros end them.
extern "C" const stream_outputs_configuration stream_outputs_bca8aa51_configurations[];
const stream_outputs_configuration stream_outputs_bca8aa51_configurations[] = {STREAM_OUTPUTS_BCA8AA51_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t stream_outputs_bca8aa51_float(const stream_outputs_configuration *c, void *workspace, size_t *workspace_bytes, const float *u, uint64_t size0, uint64_t size1, uint64_t size2, uint64_t stride0, uint64_t stride1, const float *v, uint64_t v_stride0, uint64_t v_stride1, float *moved2, uint64_t moved_stride0, uint64_t moved_stride1, float *next, uint64_t next_stride0, uint64_t next_stride1, cudaStream_t stream) {
  return stream_outputs_bca8aa51::configured<float>(c, workspace, workspace_bytes, u, (stream_outputs_bca8aa51::Index)size0, (stream_outputs_bca8aa51::Index)size1, (stream_outputs_bca8aa51::Index)size2, (stream_outputs_bca8aa51::Index)stride0, (stream_outputs_bca8aa51::Index)stride1, v, (stream_outputs_bca8aa51::Index)v_stride0, (stream_outputs_bca8aa51::Index)v_stride1, moved2, (stream_outputs_bca8aa51::Index)moved_stride0, (stream_outputs_bca8aa51::Index)moved_stride1, next, (stream_outputs_bca8aa51::Index)next_stride0, (stream_outputs_bca8aa51::Index)next_stride1, stream);
}
