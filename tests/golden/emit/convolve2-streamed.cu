// convolve2, variant f972aa51: grid.tiled(block.tiled/all!streamed(thread.serial))
// Made by tgc from convolve2.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part, windows in registers, row by row: thread: computes by `serial' (T2)
//
// codelets
//   tiled        convolve2.cdl:29
//   serial       convolve2.cdl:14
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, tile_i, tile_j, lanes, halo_i, halo_j); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   tile_i: elements of a block's tile, 8, 16, 32 or 64
//   tile_j: elements of a block's tile, 32, 64, 128 or 256
//   lanes: lanes with neighbouring parts, 8, 16 or 32
//   halo_i: elements around a block's tile, 2, 4, 6 or 8
//   halo_j: elements around a block's tile, 2, 4, 6 or 8
#ifndef CONVOLVE2_F972AA51_CONFIGURATIONS
#define CONVOLVE2_F972AA51_CONFIGURATIONS(C) C(128, 16, 128, 32, 6, 6)
#endif

#ifndef CONVOLVE2_CONFIGURATION
#define CONVOLVE2_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct convolve2_configuration {
  int threads, loads;
  int64_t blocks;
  int halo_i, halo_j, lanes, tile_i, tile_j;
} convolve2_configuration;
#endif

namespace convolve2_f972aa51 {

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

// Each block processes its part.
template <typename T, int threads, int tile_i, int tile_j, int lanes, int halo_i, int halo_j, bool wide, bool few_around, bool more_around, bool all_around>
__global__ void __launch_bounds__(threads, threads <= 512 ? (few_around || more_around || all_around ? 16 / (int)sizeof(T) < 4 ? 512 : 1024 : 512) / threads : 1) convolve2_blocks(Index q, Index out_rows, Index out_columns, Index leading, Index out_leading, Index w_rows, Index w_columns, Index rows, Index columns, const T *__restrict__ w, Index w_leading, const T *__restrict__ in, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int i_each = (tile_i + threads / lanes - 1) / (threads / lanes);
  const int j_each = (tile_j + lanes - 1) / lanes;
  const int j_group = j_each % (16 / (int)sizeof(T)) == 0 ? j_each : 1;
  const int j_apart = lanes * j_group;
  const int in_row = j_group + 2;
  const int in_row2 = j_group + 4;
  const int in_row3 = j_group + halo_j;
  const int b_chunk_size = 16 / (int)sizeof(T);
  const int in_row4 = j_group + b_chunk_size;
  // grid > block: tiled (convolve2.cdl:29), one part per block
  const Index tile = block < q ? (Index)gridDim.x - q + block : block - q;
  const Index i_begin = min_index((Index)((int)tile / (int)q) * tile_i, out_rows);
  const Index i_size = min_index(tile_i, out_rows - i_begin);
  const Index j_begin = min_index((Index)((int)tile % (int)q) * tile_j, out_columns);
  const Index j_size = min_index(tile_j, out_columns - j_begin);
  const Index in_begin = i_begin * leading + j_begin;
  const Index out_begin = i_begin * out_leading + j_begin;
  // block > thread: tiled (convolve2.cdl:29), a rectangle each, and windows in registers; serial (convolve2.cdl:14)
  const int i_lane = thread / lanes;
  const int j_lane = thread % lanes;
  const int i_first = i_lane * i_each;
  const int i_left = (int)i_size - i_first;
  const int j_first = j_lane * j_group;
  const int j_left = (int)j_size - j_first;
  #pragma unroll 1
  for (int j_turn = 0; j_turn < (j_each / j_group); ++j_turn) {
    const bool inside = i_left >= i_each && (j_left >= (j_turn * j_apart + j_group)) && ((wide || in_begin + i_first * leading + j_first + j_turn * j_apart >= (Index)(16 / (int)sizeof(T) - 1)) && (in_begin + i_first * leading + j_first + j_turn * j_apart + ((i_each - 1 + (w_rows - 1)) * leading + (j_group - 1 + (w_columns - 1) + (b_chunk_size + ((wide && (j_group % (16 / (int)sizeof(T)) == 0)) ? 0 : 2 * (16 / (int)sizeof(T) - 1))))) < (1 + (rows - 1) * leading + (columns - 1))));
    const bool within = !__any_sync(0xffffffff, !((wide || in_begin + i_first * leading + j_first + j_turn * j_apart >= (Index)(16 / (int)sizeof(T) - 1)) && (in_begin + i_first * leading + j_first + j_turn * j_apart + ((i_each - 1 + (w_rows - 1)) * leading + (j_group - 1 + (w_columns - 1) + ((wide && (j_group % (16 / (int)sizeof(T)) == 0)) ? 0 : 2 * (16 / (int)sizeof(T) - 1)))) < (1 + (rows - 1) * leading + (columns - 1)))));
    T out_held[i_each * j_group];
    #pragma unroll
    for (int i = 0; i < i_each; ++i) {
      #pragma unroll
      for (int j = 0; j < j_group; ++j)
        out_held[i * j_group + j] = 0;
    }
    if (few_around || (more_around || all_around)) {
      if (within) {
        if (few_around) {
          T w_held[9];
          #pragma unroll
          for (int a = 0; a < 3; ++a) {
            #pragma unroll
            for (int b = 0; b < 3; ++b)
              w_held[a * 3 + b] = w[a * w_leading + b];
          }
          #pragma unroll
          for (int i_row = 0; i_row < (i_each + 2); ++i_row) {
            T in_window[in_row];
            if (j_group > 1)
              load_run<in_row, wide ? j_group : 1, -1>(&in_window[0], &in[in_begin + i_first * leading + j_first + j_turn * j_apart + i_row * leading]);
            else {
              #pragma unroll
              for (int e = 0; e < in_row; ++e)
                in_window[e] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + (i_row * leading + e)];
            }
            #pragma unroll
            for (int a = 0; a < 3; ++a) {
              if (i_row >= a && (i_row < (a + i_each))) {
                const int i = i_row - a;
                #pragma unroll
                for (int b = 0; b < 3; ++b) {
                  #pragma unroll
                  for (int j = 0; j < j_group; ++j)
                    out_held[i * j_group + j] += in_window[j + b] * w_held[a * 3 + b];
                }
              }
            }
            if (i_row >= 2) {
              const int i = i_row - 2;
              const int has = i < i_left ? j_left - j_turn * j_apart : 0;
              if (j_group > 1)
                store_run<j_group, wide>(&out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + i * out_leading], &out_held[i * j_group], j_lane, lanes, has, 0);
              else {
                if (has > 0)
                  out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + i * out_leading] = out_held[i * j_group];
              }
            }
          }
        }
        else {
          if (more_around) {
            T w_held[25];
            #pragma unroll
            for (int a = 0; a < 5; ++a) {
              #pragma unroll
              for (int b = 0; b < 5; ++b)
                w_held[a * 5 + b] = w[a * w_leading + b];
            }
            #pragma unroll
            for (int i_row = 0; i_row < (i_each + 4); ++i_row) {
              T in_window[in_row2];
              if (j_group > 1)
                load_run<in_row2, wide ? j_group : 1, -1>(&in_window[0], &in[in_begin + i_first * leading + j_first + j_turn * j_apart + i_row * leading]);
              else {
                #pragma unroll
                for (int e = 0; e < in_row2; ++e)
                  in_window[e] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + (i_row * leading + e)];
              }
              #pragma unroll
              for (int a = 0; a < 5; ++a) {
                if (i_row >= a && (i_row < (a + i_each))) {
                  const int i = i_row - a;
                  #pragma unroll
                  for (int b = 0; b < 5; ++b) {
                    #pragma unroll
                    for (int j = 0; j < j_group; ++j)
                      out_held[i * j_group + j] += in_window[j + b] * w_held[a * 5 + b];
                  }
                }
              }
              if (i_row >= 4) {
                const int i = i_row - 4;
                const int has = i < i_left ? j_left - j_turn * j_apart : 0;
                if (j_group > 1)
                  store_run<j_group, wide>(&out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + i * out_leading], &out_held[i * j_group], j_lane, lanes, has, 0);
                else {
                  if (has > 0)
                    out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + i * out_leading] = out_held[i * j_group];
                }
              }
            }
          }
          else {
            if (all_around) {
              T w_held[(halo_i + 1) * (halo_j + 1)];
              #pragma unroll
              for (int a = 0; a < (halo_i + 1); ++a) {
                #pragma unroll
                for (int b = 0; b < (halo_j + 1); ++b)
                  w_held[a * (halo_j + 1) + b] = w[a * w_leading + b];
              }
              #pragma unroll
              for (int i_row = 0; i_row < (i_each + halo_i); ++i_row) {
                T in_window[in_row3];
                if (j_group > 1)
                  load_run<in_row3, wide ? j_group : 1, -1>(&in_window[0], &in[in_begin + i_first * leading + j_first + j_turn * j_apart + i_row * leading]);
                else {
                  #pragma unroll
                  for (int e = 0; e < in_row3; ++e)
                    in_window[e] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + (i_row * leading + e)];
                }
                #pragma unroll
                for (int a = 0; a < (halo_i + 1); ++a) {
                  if (i_row >= a && (i_row < (a + i_each))) {
                    const int i = i_row - a;
                    #pragma unroll
                    for (int b = 0; b < (halo_j + 1); ++b) {
                      #pragma unroll
                      for (int j = 0; j < j_group; ++j)
                        out_held[i * j_group + j] += in_window[j + b] * w_held[a * (halo_j + 1) + b];
                    }
                  }
                }
                if (i_row >= halo_i) {
                  const int i = i_row - halo_i;
                  const int has = i < i_left ? j_left - j_turn * j_apart : 0;
                  if (j_group > 1)
                    store_run<j_group, wide>(&out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + i * out_leading], &out_held[i * j_group], j_lane, lanes, has, 0);
                  else {
                    if (has > 0)
                      out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + i * out_leading] = out_held[i * j_group];
                  }
                }
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
            for (int j = 0; j < j_group; ++j) {
              if (j < (j_left - j_turn * j_apart)) {
                out_held[0] = 0;
                for (Index a = 0; a < w_rows; ++a) {
                  for (Index b = 0; b < w_columns; ++b)
                    out_held[0] += in[in_begin + i_first * leading + j_first + j_turn * j_apart + ((i + a) * leading + (j + b))] * w[a * w_leading + b];
                }
                out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + (i * out_leading + j)] = out_held[0];
              }
            }
          }
        }
      }
    }
    else {
      for (Index a = 0; a < w_rows; ++a) {
        T in_window[i_each * in_row4];
        if (inside) {
          #pragma unroll
          for (int i_at = 0; i_at < i_each; ++i_at) {
            if (j_group > 1)
              load_run<j_group, wide ? j_group : 1, -1>(&in_window[i_at * in_row4], &in[in_begin + i_first * leading + j_first + j_turn * j_apart + (a + i_at) * leading]);
            else {
              #pragma unroll
              for (int e = 0; e < j_group; ++e)
                in_window[i_at * in_row4 + e] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + ((a + i_at) * leading + e)];
            }
          }
        }
        else {
          #pragma unroll
          for (int i_at = 0; i_at < i_each; ++i_at) {
            if (i_at < i_left) {
              #pragma unroll
              for (int e = 0; e < j_group; ++e) {
                if (e < (j_left - j_turn * j_apart + (w_columns - 1)))
                  in_window[i_at * in_row4 + e] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + ((a + i_at) * leading + e)];
              }
            }
          }
        }
        #pragma unroll 1
        for (Index b_chunk = 0; b_chunk < ((w_columns + b_chunk_size - 1) / b_chunk_size); ++b_chunk) {
          T w_chunk[b_chunk_size];
          if (inside) {
            #pragma unroll
            for (int i_at = 0; i_at < i_each; ++i_at) {
              if (j_group > 1)
                load_run<b_chunk_size, wide ? j_group : 1, -1>(&in_window[i_at * in_row4 + j_group], &in[in_begin + i_first * leading + j_first + j_turn * j_apart + ((a + i_at) * leading + (b_chunk * b_chunk_size + j_group))]);
              else {
                #pragma unroll
                for (int e = 0; e < b_chunk_size; ++e)
                  in_window[i_at * in_row4 + (j_group + e)] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + ((a + i_at) * leading + (b_chunk * b_chunk_size + j_group + e))];
              }
            }
          }
          else {
            #pragma unroll
            for (int i_at = 0; i_at < i_each; ++i_at) {
              if (i_at < i_left) {
                #pragma unroll
                for (int e = 0; e < b_chunk_size; ++e) {
                  if (b_chunk * b_chunk_size + j_group + e < (j_left - j_turn * j_apart + (w_columns - 1)))
                    in_window[i_at * in_row4 + (j_group + e)] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + ((a + i_at) * leading + (b_chunk * b_chunk_size + j_group + e))];
                }
              }
            }
          }
          if (b_chunk * b_chunk_size + b_chunk_size <= w_columns) {
            #pragma unroll
            for (int e = 0; e < b_chunk_size; ++e)
              w_chunk[e] = w[a * w_leading + (b_chunk * b_chunk_size + e)];
            #pragma unroll
            for (int b = 0; b < b_chunk_size; ++b) {
              #pragma unroll
              for (int i = 0; i < i_each; ++i) {
                #pragma unroll
                for (int j = 0; j < j_group; ++j)
                  out_held[i * j_group + j] += in_window[i * in_row4 + (j + b)] * w_chunk[b];
              }
            }
          }
          else {
            #pragma unroll
            for (int e = 0; e < b_chunk_size; ++e) {
              if (b_chunk * b_chunk_size + e < w_columns)
                w_chunk[e] = w[a * w_leading + (b_chunk * b_chunk_size + e)];
            }
            #pragma unroll
            for (int b = 0; b < b_chunk_size; ++b) {
              if (b_chunk * b_chunk_size + b < w_columns) {
                #pragma unroll
                for (int i = 0; i < i_each; ++i) {
                  #pragma unroll
                  for (int j = 0; j < j_group; ++j)
                    out_held[i * j_group + j] += in_window[i * in_row4 + (j + b)] * w_chunk[b];
                }
              }
            }
          }
          #pragma unroll
          for (int i_at = 0; i_at < i_each; ++i_at) {
            #pragma unroll
            for (int e = 0; e < j_group; ++e)
              in_window[i_at * in_row4 + e] = in_window[i_at * in_row4 + (e + b_chunk_size)];
          }
        }
      }
      #pragma unroll
      for (int i = 0; i < i_each; ++i) {
        const int has = i < i_left ? j_left - j_turn * j_apart : 0;
        if (j_group > 1)
          store_run<j_group, wide>(&out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + i * out_leading], &out_held[i * j_group], j_lane, lanes, has, 0);
        else {
          if (has > 0)
            out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + i * out_leading] = out_held[i * j_group];
        }
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int tile_i, int tile_j, int lanes, int halo_i, int halo_j>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *in, Index rows, Index columns, Index leading, const T *w, Index w_rows, Index w_columns, Index w_leading, T *out, Index out_rows, Index out_columns, Index out_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(tile_i >= 8 && tile_i <= 64 && (tile_i == 8 || tile_i == 16 || tile_i == 32 || tile_i == 64), "tile_i: elements of a block's tile, 8, 16, 32 or 64");
  static_assert(tile_j >= 32 && tile_j <= 256 && (tile_j == 32 || tile_j == 64 || tile_j == 128 || tile_j == 256), "tile_j: elements of a block's tile, 32, 64, 128 or 256");
  static_assert(lanes >= 8 && lanes <= 32 && (lanes == 8 || lanes == 16 || lanes == 32), "lanes: lanes with neighbouring parts, 8, 16 or 32");
  static_assert(halo_i >= 2 && halo_i <= 8 && (halo_i == 2 || halo_i == 4 || halo_i == 6 || halo_i == 8), "halo_i: elements around a block's tile, 2, 4, 6 or 8");
  static_assert(halo_j >= 2 && halo_j <= 8 && (halo_j == 2 || halo_j == 4 || halo_j == 6 || halo_j == 8), "halo_j: elements around a block's tile, 2, 4, 6 or 8");
  if (rows < 0 || columns < 0 || leading < 0 || w_rows < 0 || w_columns < 0 || w_leading < 0 || out_rows < 0 || out_columns < 0 || out_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (convolve2.cdl:29), one part per block
  const Index p = (out_rows + tile_i - 1) / tile_i;
  const Index q = (out_columns + tile_j - 1) / tile_j;
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
    const bool wide = to_aligned(&in[0]) == 0 && (leading % (16 / (int)sizeof(T)) == 0) && (to_aligned(&out[0]) == 0 && (out_leading % (16 / (int)sizeof(T)) == 0));
    const bool few_around = w_rows - 1 == 2 && (w_columns - 1 == 2) && (w_rows == 3) && (w_columns == 3);
    const bool more_around = w_rows - 1 == 4 && (w_columns - 1 == 4) && (w_rows == 5) && (w_columns == 5);
    const bool all_around = w_rows - 1 == halo_i && (w_columns - 1 == halo_j) && (w_rows == halo_i + 1) && (w_columns == halo_j + 1);
    void *args[] = {(void *)&q, &out_rows, &out_columns, &leading, &out_leading, &w_rows, &w_columns, &rows, &columns, &w, &w_leading, &in, &out};
    const cudaError_t error = cudaLaunchKernel(wide ? (few_around ? convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j, true, true, false, false> : more_around ? convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j, true, false, true, false> : all_around ? convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j, true, false, false, true> : convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j, true, false, false, false>) : (few_around ? convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j, false, true, false, false> : more_around ? convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j, false, false, true, false> : all_around ? convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j, false, false, false, true> : convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j, false, false, false, false>), dim3((unsigned)tiles), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const convolve2_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index rows, Index columns, Index leading, const T *w, Index w_rows, Index w_columns, Index w_leading, T *out, Index out_rows, Index out_columns, Index out_leading, cudaStream_t stream) {
  const convolve2_configuration own = {0, 0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, TILE_I, TILE_J, LANES, HALO_I, HALO_J) if (serves(THREADS, c->threads) && serves(TILE_I, c->tile_i) && serves(TILE_J, c->tile_j) && serves(LANES, c->lanes) && serves(HALO_I, c->halo_i) && serves(HALO_J, c->halo_j)) return run<T, THREADS, TILE_I, TILE_J, LANES, HALO_I, HALO_J>(workspace, workspace_bytes, in, rows, columns, leading, w, w_rows, w_columns, w_leading, out, out_rows, out_columns, out_leading, stream);
  CONVOLVE2_F972AA51_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace convolve2_f972aa51

#define ROW(THREADS, TILE_I, TILE_J, LANES, HALO_I, HALO_J) {THREADS, 0, 0, HALO_I, HALO_J, LANES, TILE_I, TILE_J},
// Those that were compiled; zeros end them.
extern "C" const convolve2_configuration convolve2_f972aa51_configurations[];
const convolve2_configuration convolve2_f972aa51_configurations[] = {CONVOLVE2_F972AA51_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t convolve2_f972aa51_double(const convolve2_configuration *c, void *workspace, size_t *workspace_bytes, const double *in, uint64_t rows, uint64_t columns, uint64_t leading, const double *w, uint64_t w_rows, uint64_t w_columns, uint64_t w_leading, double *out, uint64_t out_rows, uint64_t out_columns, uint64_t out_leading, cudaStream_t stream) {
  return convolve2_f972aa51::configured<double>(c, workspace, workspace_bytes, in, (convolve2_f972aa51::Index)rows, (convolve2_f972aa51::Index)columns, (convolve2_f972aa51::Index)leading, w, (convolve2_f972aa51::Index)w_rows, (convolve2_f972aa51::Index)w_columns, (convolve2_f972aa51::Index)w_leading, out, (convolve2_f972aa51::Index)out_rows, (convolve2_f972aa51::Index)out_columns, (convolve2_f972aa51::Index)out_leading, stream);
}
