// layer_norm, variant 8c6d25e6: grid.each/all-warps(warp.steps=(warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree+shuffle); warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree+shuffle); warp.strided(thread.strided(ilp.serial))))
// Made by tgc from layer_norm.cdl for sm_80; this text is yours.
//
// shuffle, 1 kernel, determinism run_to_run: no atomics, but where 16-byte loads begin depends on the input's alignment: the same address, the same result
// not batch-invariant: the result depends on the address: 16-byte loads begin where it is aligned
//
//   grid: regroups by `each', over its lanes (G3x)
//     each part: warp: `steps' takes 3 steps (W6)
//       step 1: warp: regroups by `strided', over its threads (W18)
//         each part: thread: regroups by `strided', over its register slots (T18)
//           each part: ilp: computes by `serial' (I16)
//           results: thread: computes by `serial' (T16)
//         results: warp: computes by `tree', exchanging registers (W19)
//       step 2: warp: regroups by `strided', over its threads (W18)
//         each part: thread: regroups by `strided', over its register slots (T18)
//           each part: ilp: computes by `serial' (I16)
//           results: thread: computes by `serial' (T16)
//         results: warp: computes by `tree', exchanging registers (W19)
//       step 3: warp: regroups by `strided', over its threads (W24)
//         each part: thread: regroups by `strided', over its register slots (T24)
//           each part: ilp: computes by `serial' (I22)
//
// codelets
//   each         layer_norm.cdl:121
//   steps        layer_norm.cdl:51
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
//   strided      layer_norm.cdl:42
//   serial       layer_norm.cdl:23
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef LAYER_NORM_8C6D25E6_CONFIGURATIONS
#define LAYER_NORM_8C6D25E6_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef LAYER_NORM_CONFIGURATION
#define LAYER_NORM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct layer_norm_configuration {
  int threads, loads;
  int64_t blocks;
  int lanes, tile_i, tile_j;
} layer_norm_configuration;
#endif

namespace layer_norm_8c6d25e6 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

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

// The same for any alignment: element by element if it is not 16 bytes.
template <typename E> __device__ __forceinline__ void load_wide_anywhere(E *to, const E *from) {
  if ((uintptr_t)from % 16 == 0) {
    load_wide(to, from);
    return;
  }
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    to[i] = from[i];
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

// The same for any alignment: element by element if it is not 16 bytes.
template <typename E> __device__ __forceinline__ void store_wide_anywhere(E *to, const E *from) {
  if ((uintptr_t)to % 16 == 0) {
    store_wide(to, from);
    return;
  }
#pragma unroll
  for (int i = 0; i < (int)(16 / sizeof(E)); ++i)
    to[i] = from[i];
}

// Each block processes its share of the parts.
template <typename T, int threads, int loads, bool even, bool wide, bool less>
__global__ void __launch_bounds__(threads, 1) layer_norm_blocks(const T *__restrict__ weight, const T *__restrict__ bias, Index rows, Index p, Index columns, const T *__restrict__ A, Index leading, T epsilon, T *__restrict__ Y, Index Y_leading) {
  const Index block = blockIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  // grid > warp: each (layer_norm.cdl:121), one part per warp
  const int width = 16 / (int)sizeof(T);
  T same[loads * width];
  if (even) {
    #pragma unroll
    for (int k2 = 0; k2 < loads; ++k2)
      load_wide(&same[k2 * width], &weight[lane * width + k2 * (32 * width)]);
  }
  T same2[loads * width];
  if (even) {
    #pragma unroll
    for (int k3 = 0; k3 < loads; ++k3)
      load_wide(&same2[k3 * width], &bias[lane * width + k3 * (32 * width)]);
  }
  for (Index turn = block * (threads / 32); turn < rows; turn += p * (threads / 32)) {
    const Index k = turn + warp;
    const Index columns2 = k < rows ? columns : 0;
    // warp: steps (layer_norm.cdl:51)
    T n2 = (T)columns2;
    T sum_found = 0;
    // warp > thread: strided (sum_steps.cdl:33), one part per thread
    // thread > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
    const int per = 16 / (int)sizeof(T);
    T A_held[loads * per];
    const Index again = min_index(k, rows - 1);
    T accum[per];
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] = 0;
    if (even) {
      // every part is one round, at multiples of 16 bytes
      const Index i = lane * per;
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        load_wide(&A_held[k2 * per], &A[again * leading + (i + k2 * (32 * per))]);
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += A_held[k2 * per + s];
      }
    }
    else {
      if (wide) {
        // every part is less than a round, of loads at multiples of 16 bytes
        if (k < rows) {
          const Index i = lane * per;
          const int left = (int)(columns2 - i);
          #pragma unroll
          for (int k2 = 0; k2 < loads; ++k2) {
            #pragma unroll
            for (int s = 0; s < per; ++s)
              A_held[k2 * per + s] = (T)0;
            if (k2 * (32 * per) < left)
              load_wide(&A_held[k2 * per], &A[k * leading + (i + k2 * (32 * per))]);
          }
          #pragma unroll
          for (int k2 = 0; k2 < loads; ++k2) {
            #pragma unroll
            for (int s = 0; s < per; ++s) {
              const T value = A_held[k2 * per + s];
              accum[s] += k2 * (32 * per) < left ? value : (T)0;
            }
          }
        }
      }
      else {
        if (less) {
          // the part is no longer than a round: element by element
          const Index i = lane;
          const int left = (int)(columns2 - i);
          #pragma unroll
          for (int k2 = 0; k2 < (loads * per); ++k2) {
            A_held[k2] = (T)0;
            if (k2 * 32 < left)
              A_held[k2] = A[k * leading + (i + k2 * 32)];
          }
          #pragma unroll
          for (int k2 = 0; k2 < (loads * per); ++k2) {
            const T value = A_held[k2];
            accum[k2 % per] += k2 * 32 < left ? value : (T)0;
          }
        }
        else {
          const Index ahead = to_aligned(&A[k * leading]);
          const Index aligned = min_index(ahead, columns2);
          const Index ragged = aligned + (columns2 - aligned) / per * per;
          Index i = aligned + lane * per;
          const Index many = aligned + (columns2 - aligned) / (32 * per * loads) * (32 * per * loads);
          #pragma unroll 1
          for (; i < many; i += 32 * per * loads) {
            T wide2[loads * per];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2)
              load_wide(&wide2[k2 * per], &A[k * leading + (i + k2 * (32 * per))]);
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              #pragma unroll
              for (int s = 0; s < per; ++s)
                accum[s] += wide2[k2 * per + s];
            }
          }
          // the last round
          const int left = (int)(ragged - i);
          if (left > 0) {
            T wide2[loads * per];
            #pragma unroll
            for (int s = 0; s < (loads * per); ++s)
              wide2[s] = 0;
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              if (k2 * (32 * per) < left)
                load_wide(&wide2[k2 * per], &A[k * leading + (i + k2 * (32 * per))]);
            }
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              #pragma unroll
              for (int s = 0; s < per; ++s)
                accum[s] += wide2[k2 * per + s];
            }
          }
          // what lies before the first and after the last 16 bytes
          const int head = (int)aligned;
          const Index end = lane < head ? lane : ragged + (lane - head);
          if (end < columns2)
            accum[0] += A[k * leading + end];
        }
      }
    }
    // thread: serial (sum_steps.cdl:6)
    T accum2 = 0;
    #pragma unroll
    for (Index i = 0; i < per; ++i)
      accum2 += accum[i];
    // warp: tree (sum_steps.cdl:47), exchanging registers
    T val = accum2;
    for (int offset = 16; offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset);
      val += other;
    }
    if (lane == 0)
      sum_found = val;
    const T sum = __shfl_sync(0xffffffff, sum_found, 0);
    T mean = sum / n2;
    T sum_found2 = 0;
    // warp > thread: strided (sum_steps.cdl:33), one part per thread
    // thread > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
    const int per2 = 16 / (int)sizeof(T);
    T accum3[per2];
    #pragma unroll
    for (int s = 0; s < per2; ++s)
      accum3[s] = 0;
    if (even) {
      // every part is one round, at multiples of 16 bytes
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per2; ++s)
          accum3[s] += (A_held[k2 * per2 + s] - mean) * (A_held[k2 * per2 + s] - mean);
      }
    }
    else {
      if (wide) {
        // every part is less than a round, of loads at multiples of 16 bytes
        if (k < rows) {
          const Index i = lane * per2;
          const int left = (int)(columns2 - i);
          #pragma unroll
          for (int k2 = 0; k2 < loads; ++k2) {
            #pragma unroll
            for (int s = 0; s < per2; ++s) {
              const T value = (A_held[k2 * per2 + s] - mean) * (A_held[k2 * per2 + s] - mean);
              accum3[s] += k2 * (32 * per2) < left ? value : (T)0;
            }
          }
        }
      }
      else {
        if (less) {
          // the part is no longer than a round: element by element
          const Index i = lane;
          const int left = (int)(columns2 - i);
          #pragma unroll
          for (int k2 = 0; k2 < (loads * per2); ++k2) {
            const T value = (A_held[k2] - mean) * (A_held[k2] - mean);
            accum3[k2 % per2] += k2 * 32 < left ? value : (T)0;
          }
        }
        else {
          const Index ahead = to_aligned(&A[k * leading]);
          const Index aligned = min_index(ahead, columns2);
          const Index ragged = aligned + (columns2 - aligned) / per2 * per2;
          Index i = aligned + lane * per2;
          const Index many = aligned + (columns2 - aligned) / (32 * per2 * loads) * (32 * per2 * loads);
          #pragma unroll 1
          for (; i < many; i += 32 * per2 * loads) {
            T wide2[loads * per2];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2)
              load_wide(&wide2[k2 * per2], &A[k * leading + (i + k2 * (32 * per2))]);
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              #pragma unroll
              for (int s = 0; s < per2; ++s)
                accum3[s] += (wide2[k2 * per2 + s] - mean) * (wide2[k2 * per2 + s] - mean);
            }
          }
          // the last round
          const int left = (int)(ragged - i);
          if (left > 0) {
            T wide2[loads * per2];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              if (k2 * (32 * per2) < left)
                load_wide(&wide2[k2 * per2], &A[k * leading + (i + k2 * (32 * per2))]);
            }
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              #pragma unroll
              for (int s = 0; s < per2; ++s) {
                if (k2 * (32 * per2) < left)
                  accum3[s] += (wide2[k2 * per2 + s] - mean) * (wide2[k2 * per2 + s] - mean);
              }
            }
          }
          // what lies before the first and after the last 16 bytes
          const int head = (int)aligned;
          const Index end = lane < head ? lane : ragged + (lane - head);
          if (end < columns2)
            accum3[0] += (A[k * leading + end] - mean) * (A[k * leading + end] - mean);
        }
      }
    }
    // thread: serial (sum_steps.cdl:6)
    T accum4 = 0;
    #pragma unroll
    for (Index i = 0; i < per2; ++i)
      accum4 += accum3[i];
    // warp: tree (sum_steps.cdl:47), exchanging registers
    T val2 = accum4;
    for (int offset = 16; offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, val2, offset);
      val2 += other;
    }
    if (lane == 0)
      sum_found2 = val2;
    const T sum2 = __shfl_sync(0xffffffff, sum_found2, 0);
    T variance = sum2 / n2;
    const T scale = T(1) / sqrt(variance + epsilon);
    // warp > thread: strided (layer_norm.cdl:42), one part per thread
    // thread > ilp: strided (layer_norm.cdl:42), each with its register slots; serial (layer_norm.cdl:23)
    const int per3 = 16 / (int)sizeof(T);
    if (even) {
      // every part is one round, at multiples of 16 bytes
      const Index i = lane * per3;
      T wide2[loads * per3];
      #pragma unroll
      for (int k4 = 0; k4 < loads; ++k4) {
        #pragma unroll
        for (int s = 0; s < per3; ++s)
          wide2[k4 * per3 + s] = (A_held[k4 * per3 + s] - mean) * scale * same[k4 * per3 + s] + same2[k4 * per3 + s];
      }
      if (k < rows) {
        #pragma unroll
        for (int k4 = 0; k4 < loads; ++k4)
          store_wide(&Y[k * Y_leading + (i + k4 * (32 * per3))], &wide2[k4 * per3]);
      }
    }
    else {
      if (wide) {
        // every part is less than a round, of loads at multiples of 16 bytes
        if (k < rows) {
          const Index i = lane * per3;
          const int left = (int)(columns2 - i);
          T wide2[loads * per3];
          #pragma unroll
          for (int k2 = 0; k2 < loads; ++k2) {
            #pragma unroll
            for (int s = 0; s < per3; ++s)
              wide2[k2 * per3 + s] = (T)0;
            if (k2 * (32 * per3) < left)
              load_wide(&wide2[k2 * per3], &weight[i + k2 * (32 * per3)]);
          }
          T wide3[loads * per3];
          #pragma unroll
          for (int k2 = 0; k2 < loads; ++k2) {
            #pragma unroll
            for (int s = 0; s < per3; ++s)
              wide3[k2 * per3 + s] = (T)0;
            if (k2 * (32 * per3) < left)
              load_wide(&wide3[k2 * per3], &bias[i + k2 * (32 * per3)]);
          }
          T wide4[loads * per3];
          #pragma unroll
          for (int k2 = 0; k2 < loads; ++k2) {
            #pragma unroll
            for (int s = 0; s < per3; ++s)
              wide4[k2 * per3 + s] = (A_held[k2 * per3 + s] - mean) * scale * wide2[k2 * per3 + s] + wide3[k2 * per3 + s];
          }
          #pragma unroll
          for (int k2 = 0; k2 < loads; ++k2) {
            if (k2 * (32 * per3) < left)
              store_wide(&Y[k * Y_leading + (i + k2 * (32 * per3))], &wide4[k2 * per3]);
          }
        }
      }
      else {
        if (less) {
          // the part is no longer than a round: element by element
          const Index i = lane;
          const int left = (int)(columns2 - i);
          T item[loads * per3];
          #pragma unroll
          for (int k2 = 0; k2 < (loads * per3); ++k2) {
            item[k2] = (T)0;
            if (k2 * 32 < left)
              item[k2] = weight[i + k2 * 32];
          }
          T item2[loads * per3];
          #pragma unroll
          for (int k2 = 0; k2 < (loads * per3); ++k2) {
            item2[k2] = (T)0;
            if (k2 * 32 < left)
              item2[k2] = bias[i + k2 * 32];
          }
          T item3[loads * per3];
          #pragma unroll
          for (int k2 = 0; k2 < (loads * per3); ++k2)
            item3[k2] = (A_held[k2] - mean) * scale * item[k2] + item2[k2];
          #pragma unroll
          for (int k2 = 0; k2 < (loads * per3); ++k2) {
            if (k2 * 32 < left)
              Y[k * Y_leading + (i + k2 * 32)] = item3[k2];
          }
        }
        else {
          const Index ahead = to_aligned(&A[k * leading]);
          const Index aligned = min_index(ahead, columns2);
          const Index ragged = aligned + (columns2 - aligned) / per3 * per3;
          Index i = aligned + lane * per3;
          const Index many = aligned + (columns2 - aligned) / (32 * per3 * loads) * (32 * per3 * loads);
          #pragma unroll 1
          for (; i < many; i += 32 * per3 * loads) {
            T wide2[loads * per3];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2)
              load_wide(&wide2[k2 * per3], &A[k * leading + (i + k2 * (32 * per3))]);
            T wide3[loads * per3];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2)
              load_wide_anywhere(&wide3[k2 * per3], &weight[i + k2 * (32 * per3)]);
            T wide4[loads * per3];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2)
              load_wide_anywhere(&wide4[k2 * per3], &bias[i + k2 * (32 * per3)]);
            T wide5[loads * per3];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              #pragma unroll
              for (int s = 0; s < per3; ++s)
                wide5[k2 * per3 + s] = (wide2[k2 * per3 + s] - mean) * scale * wide3[k2 * per3 + s] + wide4[k2 * per3 + s];
            }
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2)
              store_wide_anywhere(&Y[k * Y_leading + (i + k2 * (32 * per3))], &wide5[k2 * per3]);
          }
          // the last round
          const int left = (int)(ragged - i);
          if (left > 0) {
            T wide2[loads * per3];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              if (k2 * (32 * per3) < left)
                load_wide(&wide2[k2 * per3], &A[k * leading + (i + k2 * (32 * per3))]);
            }
            T wide3[loads * per3];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              if (k2 * (32 * per3) < left)
                load_wide_anywhere(&wide3[k2 * per3], &weight[i + k2 * (32 * per3)]);
            }
            T wide4[loads * per3];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              if (k2 * (32 * per3) < left)
                load_wide_anywhere(&wide4[k2 * per3], &bias[i + k2 * (32 * per3)]);
            }
            T wide5[loads * per3];
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              #pragma unroll
              for (int s = 0; s < per3; ++s) {
                if (k2 * (32 * per3) < left)
                  wide5[k2 * per3 + s] = (wide2[k2 * per3 + s] - mean) * scale * wide3[k2 * per3 + s] + wide4[k2 * per3 + s];
              }
            }
            #pragma unroll
            for (int k2 = 0; k2 < loads; ++k2) {
              if (k2 * (32 * per3) < left)
                store_wide_anywhere(&Y[k * Y_leading + (i + k2 * (32 * per3))], &wide5[k2 * per3]);
            }
          }
          // what lies before the first and after the last 16 bytes
          const int head = (int)aligned;
          const Index end = lane < head ? lane : ragged + (lane - head);
          if (end < columns2)
            Y[k * Y_leading + end] = (A[k * leading + end] - mean) * scale * weight[end] + bias[end];
        }
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *weight, const T *bias, T epsilon, T *Y, Index Y_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (rows < 0 || columns < 0 || leading < 0 || Y_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > warp: each (layer_norm.cdl:121), one part per warp
  const Index p = min_index(max_index((rows + threads / 32 - 1) / (threads / 32), 1), blocks);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    const bool even = columns == 32 * loads * (16 / (int)sizeof(T)) && (to_aligned(&A[0]) == 0) && (to_aligned(&A[leading]) == 0) && (to_aligned(&weight[0]) == 0) && (to_aligned(&bias[0]) == 0) && (to_aligned(&Y[0]) == 0) && (to_aligned(&Y[Y_leading]) == 0);
    const bool wide = columns <= (32 * loads * (16 / (int)sizeof(T))) && (columns % (16 / (int)sizeof(T)) == 0) && (to_aligned(&A[0]) == 0) && (to_aligned(&A[leading]) == 0) && (to_aligned(&weight[0]) == 0) && (to_aligned(&bias[0]) == 0) && (to_aligned(&Y[0]) == 0) && (to_aligned(&Y[Y_leading]) == 0);
    const bool less = columns <= (32 * loads * (16 / (int)sizeof(T)));
    void *args[] = {&weight, &bias, &rows, (void *)&p, &columns, &A, &leading, &epsilon, &Y, &Y_leading};
    const cudaError_t error = cudaLaunchKernel(even ? layer_norm_blocks<T, threads, loads, true, false, false> : (wide ? layer_norm_blocks<T, threads, loads, false, true, false> : less ? layer_norm_blocks<T, threads, loads, false, false, true> : layer_norm_blocks<T, threads, loads, false, false, false>), dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const layer_norm_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *weight, const T *bias, T epsilon, T *Y, Index Y_leading, cudaStream_t stream) {
  const layer_norm_configuration own = {0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 216; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, A, rows, columns, leading, weight, bias, epsilon, Y, Y_leading, stream);
  LAYER_NORM_8C6D25E6_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace layer_norm_8c6d25e6

#define ROW(THREADS, LOADS) {THREADS, LOADS, 216, 0, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const layer_norm_configuration layer_norm_8c6d25e6_configurations[];
const layer_norm_configuration layer_norm_8c6d25e6_configurations[] = {LAYER_NORM_8C6D25E6_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t layer_norm_8c6d25e6_float(const layer_norm_configuration *c, void *workspace, size_t *workspace_bytes, const float *A, uint64_t rows, uint64_t columns, uint64_t leading, const float *weight, const float *bias, float epsilon, float *Y, uint64_t Y_leading, cudaStream_t stream) {
  return layer_norm_8c6d25e6::configured<float>(c, workspace, workspace_bytes, A, (layer_norm_8c6d25e6::Index)rows, (layer_norm_8c6d25e6::Index)columns, (layer_norm_8c6d25e6::Index)leading, weight, bias, epsilon, Y, (layer_norm_8c6d25e6::Index)Y_leading, stream);
}
