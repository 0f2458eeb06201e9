// convolve2, variant 382637b6: grid.tiled(block.tiled/all!windowed(thread.serial))
// Made by tgc from convolve2.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `tiled', over its lanes (B3x)
//       each part, windows in registers: thread: computes by `serial' (T2)
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
//   halo_i: elements around a block's tile, 2, 4 or 8
//   halo_j: elements around a block's tile, 2, 4 or 8
#ifndef CONVOLVE2_382637B6_CONFIGURATIONS
#define CONVOLVE2_382637B6_CONFIGURATIONS(C) C(256, 32, 128, 32, 4, 4)
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

namespace convolve2_382637b6 {

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

// Each block processes its part.
template <typename T, int threads, int tile_i, int tile_j, int lanes, int halo_i, int halo_j, bool wide>
__global__ void __launch_bounds__(threads, threads < 512 ? 512 / threads : 1) convolve2_blocks(Index q, Index out_rows, Index out_columns, Index leading, Index out_leading, Index w_rows, Index w_columns, const T *__restrict__ in, const T *__restrict__ w, Index w_leading, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int i_each = (tile_i + threads / lanes - 1) / (threads / lanes);
  const int j_each = (tile_j + lanes - 1) / lanes;
  const int j_group = (wide && (j_each % (16 / (int)sizeof(T)) == 0)) ? 16 / (int)sizeof(T) : 1;
  const int j_apart = lanes * j_group;
  const int in_groups = (j_group + halo_j / 2 + j_group - 1) / j_group;
  const int in_groups2 = (j_group + halo_j + j_group - 1) / j_group;
  const int in_groups3 = (j_group + halo_j + j_group - 1) / j_group;
  const int b_chunk_size = (halo_j + j_group - 1) / j_group * j_group;
  const int in_groups4 = (j_group + (b_chunk_size - 1) + j_group - 1) / j_group;
  // grid > block: tiled (convolve2.cdl:29), one part per block
  const Index i_begin = min_index((Index)((int)block / (int)q) * tile_i, out_rows);
  const Index i_size = min_index(tile_i, out_rows - i_begin);
  const Index j_begin = min_index((Index)((int)block % (int)q) * tile_j, out_columns);
  const Index j_size = min_index(tile_j, out_columns - j_begin);
  const Index in_begin = i_begin * leading + j_begin;
  const Index out_begin = i_begin * out_leading + j_begin;
  // block > thread: tiled (convolve2.cdl:29), a rectangle each, and windows in registers; serial (convolve2.cdl:14)
  const int i_lane = thread / lanes;
  const int i_first = i_lane * i_each;
  const int i_left = (int)i_size - i_first;
  const int j_lane = thread % lanes;
  const int j_first = j_lane * j_group;
  const int j_left = (int)j_size - j_first;
  const bool inside = i_size >= (i_each * (threads / lanes)) && (j_size >= (j_each * lanes));
  #pragma unroll 1
  for (int j_turn = 0; j_turn < (j_each / j_group); ++j_turn) {
    T out_held[i_each * j_group];
    #pragma unroll
    for (int i = 0; i < i_each; ++i) {
      #pragma unroll
      for (int j = 0; j < j_group; ++j)
        out_held[i * j_group + j] = 0;
    }
    if (inside && (w_rows - 1 == halo_i / 2 && (w_columns - 1 == halo_j / 2))) {
      T in_window[(i_each + halo_i / 2) * in_groups * j_group];
      #pragma unroll
      for (int i_at = 0; i_at < (i_each + halo_i / 2); ++i_at) {
        #pragma unroll
        for (int j_at = 0; j_at < in_groups; ++j_at) {
          if (j_at == 0) {
            if (j_group > 1)
              load_wide(&in_window[i_at * (in_groups * j_group)], &in[in_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading]);
            else
              in_window[i_at * (in_groups * j_group)] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading];
          }
          else {
            if (j_group == 1 || j_lane + j_at >= lanes) {
              #pragma unroll
              for (int e = 0; e < j_group; ++e) {
                if (j_at * j_group + e < (j_group + halo_j / 2))
                  in_window[i_at * (in_groups * j_group) + (j_at * j_group + e)] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + (i_at * leading + (j_at * j_group + e))];
              }
            }
          }
        }
      }
      #pragma unroll
      for (int i_at = 0; i_at < (i_each + halo_i / 2); ++i_at) {
        #pragma unroll
        for (int j_at = 0; j_at < in_groups; ++j_at) {
          if (j_group > 1 && (j_at > 0)) {
            #pragma unroll
            for (int e = 0; e < j_group; ++e) {
              if (j_at * j_group + e < (j_group + halo_j / 2)) {
                const T other = __shfl_down_sync(0xffffffff, in_window[i_at * (in_groups * j_group) + e], j_at);
                if (j_lane + j_at < lanes)
                  in_window[i_at * (in_groups * j_group) + (j_at * j_group + e)] = other;
              }
            }
          }
        }
      }
      #pragma unroll
      for (int a = 0; a < (halo_i / 2 + 1); ++a) {
        #pragma unroll
        for (int b = 0; b < (halo_j / 2 + 1); ++b) {
          #pragma unroll
          for (int i = 0; i < i_each; ++i) {
            #pragma unroll
            for (int j = 0; j < j_group; ++j)
              out_held[i * j_group + j] += in_window[(i + a) * (in_groups * j_group) + (j + b)] * w[a * w_leading + b];
          }
        }
      }
    }
    else {
      if (inside && (w_rows - 1 == halo_i && (w_columns - 1 == halo_j))) {
        T in_window[(i_each + halo_i) * in_groups2 * j_group];
        #pragma unroll
        for (int i_at = 0; i_at < (i_each + halo_i); ++i_at) {
          #pragma unroll
          for (int j_at = 0; j_at < in_groups2; ++j_at) {
            if (j_at == 0) {
              if (j_group > 1)
                load_wide(&in_window[i_at * (in_groups2 * j_group)], &in[in_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading]);
              else
                in_window[i_at * (in_groups2 * j_group)] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading];
            }
            else {
              if (j_group == 1 || j_lane + j_at >= lanes) {
                #pragma unroll
                for (int e = 0; e < j_group; ++e) {
                  if (j_at * j_group + e < (j_group + halo_j))
                    in_window[i_at * (in_groups2 * j_group) + (j_at * j_group + e)] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + (i_at * leading + (j_at * j_group + e))];
                }
              }
            }
          }
        }
        #pragma unroll
        for (int i_at = 0; i_at < (i_each + halo_i); ++i_at) {
          #pragma unroll
          for (int j_at = 0; j_at < in_groups2; ++j_at) {
            if (j_group > 1 && (j_at > 0)) {
              #pragma unroll
              for (int e = 0; e < j_group; ++e) {
                if (j_at * j_group + e < (j_group + halo_j)) {
                  const T other = __shfl_down_sync(0xffffffff, in_window[i_at * (in_groups2 * j_group) + e], j_at);
                  if (j_lane + j_at < lanes)
                    in_window[i_at * (in_groups2 * j_group) + (j_at * j_group + e)] = other;
                }
              }
            }
          }
        }
        #pragma unroll
        for (int a = 0; a < (halo_i + 1); ++a) {
          #pragma unroll
          for (int b = 0; b < (halo_j + 1); ++b) {
            #pragma unroll
            for (int i = 0; i < i_each; ++i) {
              #pragma unroll
              for (int j = 0; j < j_group; ++j)
                out_held[i * j_group + j] += in_window[(i + a) * (in_groups2 * j_group) + (j + b)] * w[a * w_leading + b];
            }
          }
        }
      }
      else {
        if (inside && (w_rows - 1 >= 0 && (w_rows - 1 <= halo_i) && (w_columns - 1 >= 0 && (w_columns - 1 <= halo_j)))) {
          T in_window[(i_each + halo_i) * in_groups3 * j_group];
          #pragma unroll
          for (int i_at = 0; i_at < (i_each + halo_i); ++i_at) {
            #pragma unroll
            for (int j_at = 0; j_at < in_groups3; ++j_at) {
              if (j_at == 0) {
                if (i_at < (i_each + (w_rows - 1))) {
                  if (j_group > 1)
                    load_wide(&in_window[i_at * (in_groups3 * j_group)], &in[in_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading]);
                  else
                    in_window[i_at * (in_groups3 * j_group)] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + i_at * leading];
                }
              }
              else {
                if (j_group == 1 || j_lane + j_at >= lanes) {
                  #pragma unroll
                  for (int e = 0; e < j_group; ++e) {
                    if (j_at * j_group + e < (j_group + halo_j) && (i_at < (i_each + (w_rows - 1)) && (j_at * j_group + e < (j_group + (w_columns - 1)))))
                      in_window[i_at * (in_groups3 * j_group) + (j_at * j_group + e)] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + (i_at * leading + (j_at * j_group + e))];
                  }
                }
              }
            }
          }
          #pragma unroll
          for (int i_at = 0; i_at < (i_each + halo_i); ++i_at) {
            #pragma unroll
            for (int j_at = 0; j_at < in_groups3; ++j_at) {
              if (j_group > 1 && (j_at > 0)) {
                #pragma unroll
                for (int e = 0; e < j_group; ++e) {
                  if (j_at * j_group + e < (j_group + halo_j) && (i_at < (i_each + (w_rows - 1)) && (j_at * j_group + e < (j_group + (w_columns - 1))))) {
                    const T other = __shfl_down_sync(0xffffffff, in_window[i_at * (in_groups3 * j_group) + e], j_at);
                    if (j_lane + j_at < lanes)
                      in_window[i_at * (in_groups3 * j_group) + (j_at * j_group + e)] = other;
                  }
                }
              }
            }
          }
          #pragma unroll
          for (int a = 0; a < (halo_i + 1); ++a) {
            if (a < w_rows) {
              #pragma unroll
              for (int b = 0; b < (halo_j + 1); ++b) {
                if (b < w_columns) {
                  #pragma unroll
                  for (int i = 0; i < i_each; ++i) {
                    #pragma unroll
                    for (int j = 0; j < j_group; ++j)
                      out_held[i * j_group + j] += in_window[(i + a) * (in_groups3 * j_group) + (j + b)] * w[a * w_leading + b];
                  }
                }
              }
            }
          }
        }
        else {
          if (inside) {
            for (Index a = 0; a < w_rows; ++a) {
              #pragma unroll 1
              for (Index b_chunk = 0; b_chunk < ((w_columns + b_chunk_size - 1) / b_chunk_size); ++b_chunk) {
                T in_window[i_each * in_groups4 * j_group];
                #pragma unroll
                for (int i_at = 0; i_at < i_each; ++i_at) {
                  #pragma unroll
                  for (int j_at = 0; j_at < in_groups4; ++j_at) {
                    if (j_at == 0) {
                      if (j_group > 1)
                        load_wide(&in_window[i_at * (in_groups4 * j_group)], &in[in_begin + i_first * leading + j_first + j_turn * j_apart + ((a + i_at) * leading + b_chunk * b_chunk_size)]);
                      else
                        in_window[i_at * (in_groups4 * j_group)] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + ((a + i_at) * leading + b_chunk * b_chunk_size)];
                    }
                    else {
                      if (j_group == 1 || j_lane + j_at >= lanes) {
                        #pragma unroll
                        for (int e = 0; e < j_group; ++e) {
                          if (j_at * j_group + e < (j_group + (b_chunk_size - 1)) && (j_at * j_group + e < (j_group + (w_columns - 1 - b_chunk * b_chunk_size))))
                            in_window[i_at * (in_groups4 * j_group) + (j_at * j_group + e)] = in[in_begin + i_first * leading + j_first + j_turn * j_apart + ((a + i_at) * leading + (b_chunk * b_chunk_size + (j_at * j_group + e)))];
                        }
                      }
                    }
                  }
                }
                #pragma unroll
                for (int i_at = 0; i_at < i_each; ++i_at) {
                  #pragma unroll
                  for (int j_at = 0; j_at < in_groups4; ++j_at) {
                    if (j_group > 1 && (j_at > 0)) {
                      #pragma unroll
                      for (int e = 0; e < j_group; ++e) {
                        if (j_at * j_group + e < (j_group + (b_chunk_size - 1)) && (j_at * j_group + e < (j_group + (w_columns - 1 - b_chunk * b_chunk_size)))) {
                          const T other = __shfl_down_sync(0xffffffff, in_window[i_at * (in_groups4 * j_group) + e], j_at);
                          if (j_lane + j_at < lanes)
                            in_window[i_at * (in_groups4 * j_group) + (j_at * j_group + e)] = other;
                        }
                      }
                    }
                  }
                }
                #pragma unroll
                for (int b = 0; b < b_chunk_size; ++b) {
                  if (b_chunk * b_chunk_size + b < w_columns) {
                    #pragma unroll
                    for (int i = 0; i < i_each; ++i) {
                      #pragma unroll
                      for (int j = 0; j < j_group; ++j)
                        out_held[i * j_group + j] += in_window[i * (in_groups4 * j_group) + (j + b)] * w[a * w_leading + (b_chunk * b_chunk_size + b)];
                    }
                  }
                }
              }
            }
          }
          else {
            if (i_left > 0 && (j_left > 0)) {
              for (Index a = 0; a < w_rows; ++a) {
                for (Index b = 0; b < w_columns; ++b) {
                  #pragma unroll
                  for (int i = 0; i < i_each; ++i) {
                    #pragma unroll
                    for (int j = 0; j < j_group; ++j) {
                      const int j_at = j_turn * j_apart + j;
                      if (i < i_left && (j_at < j_left))
                        out_held[i * j_group + j] += in[in_begin + i_first * leading + j_first + j_turn * j_apart + ((i + a) * leading + (j + b))] * w[a * w_leading + b];
                    }
                  }
                }
              }
            }
          }
        }
      }
    }
    if (inside) {
      #pragma unroll
      for (int i = 0; i < i_each; ++i) {
        if (j_group > 1)
          store_wide(&out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + i * out_leading], &out_held[i * j_group]);
        else
          out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + i * out_leading] = out_held[i * j_group];
      }
    }
    else {
      #pragma unroll
      for (int i = 0; i < i_each; ++i) {
        #pragma unroll
        for (int j = 0; j < j_group; ++j) {
          const int j_at = j_turn * j_apart + j;
          if (i < i_left && (j_at < j_left))
            out[out_begin + i_first * out_leading + j_first + j_turn * j_apart + (i * out_leading + j)] = out_held[i * j_group + j];
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
  static_assert(halo_i >= 2 && halo_i <= 8 && (halo_i == 2 || halo_i == 4 || halo_i == 8), "halo_i: elements around a block's tile, 2, 4 or 8");
  static_assert(halo_j >= 2 && halo_j <= 8 && (halo_j == 2 || halo_j == 4 || halo_j == 8), "halo_j: elements around a block's tile, 2, 4 or 8");
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
    void *args[] = {(void *)&q, &out_rows, &out_columns, &leading, &out_leading, &w_rows, &w_columns, &in, &w, &w_leading, &out};
    const cudaError_t error = cudaLaunchKernel(wide ? convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j, true> : convolve2_blocks<T, threads, tile_i, tile_j, lanes, halo_i, halo_j, false>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
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
  CONVOLVE2_382637B6_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace convolve2_382637b6

#define ROW(THREADS, TILE_I, TILE_J, LANES, HALO_I, HALO_J) {THREADS, 0, 0, HALO_I, HALO_J, LANES, TILE_I, TILE_J},
// Those that were compiled; zeros end them.
extern "C" const convolve2_configuration convolve2_382637b6_configurations[];
const convolve2_configuration convolve2_382637b6_configurations[] = {CONVOLVE2_382637B6_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t convolve2_382637b6_double(const convolve2_configuration *c, void *workspace, size_t *workspace_bytes, const double *in, uint64_t rows, uint64_t columns, uint64_t leading, const double *w, uint64_t w_rows, uint64_t w_columns, uint64_t w_leading, double *out, uint64_t out_rows, uint64_t out_columns, uint64_t out_leading, cudaStream_t stream) {
  return convolve2_382637b6::configured<double>(c, workspace, workspace_bytes, in, (convolve2_382637b6::Index)rows, (convolve2_382637b6::Index)columns, (convolve2_382637b6::Index)leading, w, (convolve2_382637b6::Index)w_rows, (convolve2_382637b6::Index)w_columns, (convolve2_382637b6::Index)w_leading, out, (convolve2_382637b6::Index)out_rows, (convolve2_382637b6::Index)out_columns, (convolve2_382637b6::Index)out_leading, stream);
}
