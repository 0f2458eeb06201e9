// kmeans, variant 0b8b80d0: grid.steps=(grid.each/all-threads!rows(thread.serial); grid.strided(block.strided/all(thread.serial)); grid.tiled(block.own/all(thread.serial; block.strided/all(thread.serial); block.strided/all(thread.serial))); grid.strided(block.strided/all(thread.serial)))
// Made by tgc from kmeans.cdl for sm_60; this text is yours.
//
// shared-atomic, 4 kernels, determinism not_guaranteed: atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)
// not batch-invariant: the result depends on the order of arrival
//
//   grid: `steps' takes 4 steps (G2)
//     step 1: grid: regroups by `each', over its lanes (G6xT)
//       each part, from shared memory: thread: computes by `serial' (T26)
//     step 2: grid: regroups by `strided', over its blocks (G9)
//       each part: block: regroups by `strided', over its lanes (B9x)
//         each part: thread: computes by `serial' (T8)
//     step 3: grid: regroups by `tiled', over its blocks (G13)
//       each part: block: regroups by `own', over its lanes (B14x)
//         each part: thread: computes by `serial' (T11)
//         results: block: regroups by `strided', over its lanes (B29x)
//           each part: thread: computes by `serial' (T28)
//         results: block: regroups by `strided', over its lanes (B32x)
//           each part: thread: computes by `serial' (T31)
//     step 4: grid: regroups by `strided', over its blocks (G18)
//       each part: block: regroups by `strided', over its lanes (B18x)
//         each part: thread: computes by `serial' (T17)
//
// codelets
//   steps        kmeans.cdl:66
//   each         kmeans_assign.cdl:59
//   serial       kmeans_assign.cdl:20
//   strided      kmeans.cdl:36
//   serial       kmeans.cdl:25
//   tiled        kmeans_update.cdl:49
//   own          kmeans_update.cdl:60
//   serial       kmeans_update.cdl:23
//   strided      kmeans_steps.cdl:15
//   serial       kmeans_steps.cdl:7
//   strided      kmeans_steps.cdl:30
//   serial       kmeans_steps.cdl:23
//   strided      kmeans.cdl:55
//   serial       kmeans.cdl:45
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <limits>

// The configurations that are compiled, C(threads, row_k, jam); the first is the variant's own.
//   threads: threads per block, 32 to 320, a multiple of 32
//   row_k: elements of a row that shared memory has room for, 9, 17, 25 or 35
//   jam: results of a lane at once, 1, 2, 3, 4, 5, 6, 8, 12 or 16
#ifndef KMEANS_0B8B80D0_CONFIGURATIONS
#define KMEANS_0B8B80D0_CONFIGURATIONS(C) C(256, 35, 4)
#endif

#ifndef KMEANS_CONFIGURATION
#define KMEANS_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct kmeans_configuration {
  int threads, loads;
  int64_t blocks;
  int jam, lanes, row_k, tile_i;
} kmeans_configuration;
#endif

namespace kmeans_0b8b80d0 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// The lowest and highest value of a type: infinities where it has them.
template <typename T> constexpr T lowest_value = std::numeric_limits<T>::has_infinity
                                                  ? -std::numeric_limits<T>::infinity()
                                                  : std::numeric_limits<T>::lowest();
template <typename T> constexpr T highest_value = std::numeric_limits<T>::has_infinity
                                                     ? std::numeric_limits<T>::infinity()
                                                     : std::numeric_limits<T>::max();
template <typename T> __host__ __device__ constexpr T lowest() { return lowest_value<T>; }
template <typename T> __host__ __device__ constexpr T highest() { return highest_value<T>; }

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

// Counts a block as it finishes. True for the last of `blocks`, which sees the others' stores. Resets the counter to 0.
__device__ __forceinline__ bool arrives_last(unsigned *arrived, unsigned blocks) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  unsigned before;
  asm volatile("atom.acq_rel.gpu.inc.u32 %0, [%1], %2;" : "=r"(before) : "l"(arrived), "r"(blocks - 1) : "memory");
#else
  __threadfence();
  const unsigned before = atomicInc(arrived, blocks - 1);
  __threadfence();
#endif
  return before == blocks - 1;
}

// Rows of so many runs of `many' neighbouring elements, which begin `apart' elements after one another, to rows of row_k. Each
// lane has one run of a row, and the same one of a later row, as long as there are some.
template <int lanes, int row_k, int many, typename E>
__device__ __forceinline__ void copy_runs(E *to, const E *from, Index apart, int rows, int runs, int lane) {
  if (runs == 0) return;
  const int down = runs < lanes ? lanes / runs : 1, first = runs < lanes ? lane / runs : 0;
  if (first >= down) return; // lanes that are left are too few for another row
  for (int run = lane - first * runs; run < runs; run += lanes) {
    const E *x = from + first * apart + run * many;
    E *y = to + first * row_k + run * many;
    for (int row = first; row < rows; row += down) {
      for (int i = 0; i < many; ++i)
        y[i] = x[i];
      x += down * apart;
      y += down * row_k;
    }
  }
}

// Copies so many rows of `columns' neighbouring elements, which begin `apart' elements after one another, to rows of row_k: by
// 16 or 8 bytes where all rows are whole runs of these. This is lane number `lane'.
template <int lanes, int row_k, typename E>
__device__ __forceinline__ void copy_rows(E *to, const E *from, Index apart, Index rows, Index columns, int lane) {
  constexpr int wide = 16 / sizeof(E) ? 16 / sizeof(E) : 1, half = wide / 2 ? wide / 2 : 1;
  const bool whole = (uintptr_t)from % 16 == 0 && columns % wide == 0 && (rows == 1 || apart % wide == 0);
  const bool halves = (uintptr_t)from % 8 == 0 && columns % half == 0 && (rows == 1 || apart % half == 0);
  if (row_k % wide == 0 && whole)
    copy_runs<lanes, row_k, wide>(to, from, apart, (int)rows, (int)(columns / wide), lane);
  else if (row_k % half == 0 && halves)
    copy_runs<lanes, row_k, half>(to, from, apart, (int)rows, (int)(columns / half), lane);
  else
    copy_runs<lanes, row_k, 1>(to, from, apart, (int)rows, (int)columns, lane);
}

// Each block processes its share of the parts.
template <typename T, int threads, int row_k, int jam>
__global__ void __launch_bounds__(threads, threads < 1024 ? 1024 / threads : 1) kmeans_blocks(Index columns, Index sums_rows, T *centres, Index centres_leading, Index rows, Index p, const T *points, Index leading, int *labels, bool few, unsigned *arrived, Index tiles, Index p2, Index sums_leading, int *counts, T *sums) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int pitch = (row_k + 16 / (int)sizeof(T) - 1) / (16 / (int)sizeof(T) * 2) * (16 / (int)sizeof(T) * 2) + 16 / (int)sizeof(T);
  __shared__ __align__(16) T points_rows[threads * pitch];
  __shared__ __align__(16) T all_centres[jam * 4 * pitch];
  // grid > thread: each (kmeans_assign.cdl:59), one part per thread
  if (columns <= (Index)row_k) {
    if (sums_rows <= (Index)(jam * 4)) {
      copy_rows<threads, pitch>(&all_centres[0], &centres[0], centres_leading, sums_rows, columns, thread);
      for (int i = (int)sums_rows * pitch + thread; i < (((int)sums_rows + jam - 1) / jam * jam * pitch); i += threads)
        all_centres[i] = 0;
      for (Index turn = block * threads; turn < rows; turn += p * threads) {
        __syncthreads();
        copy_rows<threads, pitch>(&points_rows[0], &points[turn * leading], leading, min_index((Index)threads, rows - turn), columns, thread);
        const Index k2 = turn + thread;
        __syncthreads();
        if (k2 < rows) {
          // thread: serial (kmeans_assign.cdl:20)
          T least = highest<T>();
          Index best = -1;
          for (Index k3 = 0; k3 < sums_rows; k3 += (Index)jam) {
            T distance[jam];
            #pragma unroll
            for (int s = 0; s < jam; ++s)
              distance[s] = 0;
            const int length = (int)columns;
            int j = 0;
            for (; j + 16 / (int)sizeof(T) <= length; j += 16 / (int)sizeof(T)) {
              T near[16 / (int)sizeof(T)];
              load_wide(&near[0], &points_rows[thread * pitch + j]);
              #pragma unroll
              for (int s = 0; s < jam; ++s) {
                T far[16 / (int)sizeof(T)];
                load_wide(&far[0], &all_centres[(k3 + (Index)s) * pitch + j]);
                #pragma unroll
                for (int e = 0; e < (16 / (int)sizeof(T)); ++e)
                  distance[s] += (near[e] - far[e]) * (near[e] - far[e]);
              }
            }
            for (; j < length; ++j) {
              const T same = points_rows[thread * pitch + j];
              #pragma unroll
              for (int s = 0; s < jam; ++s)
                distance[s] += (same - all_centres[(k3 + (Index)s) * pitch + j]) * (same - all_centres[(k3 + (Index)s) * pitch + j]);
            }
            #pragma unroll
            for (int s = 0; s < jam; ++s) {
              if (k3 + (Index)s < sums_rows) {
                if (distance[s] < least || best < 0 && (distance[s] == least)) {
                  least = distance[s];
                  best = k3 + (Index)s;
                }
              }
            }
          }
          labels[k2] = best;
        }
      }
    }
    else {
      for (Index turn = block * threads; turn < rows; turn += p * threads) {
        __syncthreads();
        copy_rows<threads, pitch>(&points_rows[0], &points[turn * leading], leading, min_index((Index)threads, rows - turn), columns, thread);
        const Index k2 = turn + thread;
        __syncthreads();
        if (k2 < rows) {
          // thread: serial (kmeans_assign.cdl:20)
          T least = highest<T>();
          Index best = -1;
          const Index last2 = sums_rows - 1;
          for (Index k3 = 0; k3 < sums_rows; k3 += (Index)jam) {
            T distance[jam];
            #pragma unroll
            for (int s2 = 0; s2 < jam; ++s2)
              distance[s2] = 0;
            const int length2 = (int)columns;
            int j = 0;
            for (; j + 16 / (int)sizeof(T) <= length2; j += 16 / (int)sizeof(T)) {
              T near2[16 / (int)sizeof(T)];
              load_wide(&near2[0], &points_rows[thread * pitch + j]);
              #pragma unroll
              for (int s2 = 0; s2 < jam; ++s2) {
                #pragma unroll
                for (int e2 = 0; e2 < (16 / (int)sizeof(T)); ++e2)
                  distance[s2] += (near2[e2] - centres[min_index(k3 + (Index)s2, last2) * centres_leading + (j + e2)]) * (near2[e2] - centres[min_index(k3 + (Index)s2, last2) * centres_leading + (j + e2)]);
              }
            }
            for (; j < length2; ++j) {
              const T same2 = points_rows[thread * pitch + j];
              #pragma unroll
              for (int s2 = 0; s2 < jam; ++s2)
                distance[s2] += (same2 - centres[min_index(k3 + (Index)s2, last2) * centres_leading + j]) * (same2 - centres[min_index(k3 + (Index)s2, last2) * centres_leading + j]);
            }
            #pragma unroll
            for (int s2 = 0; s2 < jam; ++s2) {
              if (k3 + (Index)s2 < sums_rows) {
                if (distance[s2] < least || best < 0 && (distance[s2] == least)) {
                  least = distance[s2];
                  best = k3 + (Index)s2;
                }
              }
            }
          }
          labels[k2] = best;
        }
      }
    }
  }
  else {
    for (Index turn = block * threads; turn < rows; turn += p * threads) {
      const Index k2 = turn + thread;
      if (k2 < rows) {
        // thread: serial (kmeans_assign.cdl:20)
        T least = highest<T>();
        Index best = -1;
        const Index last3 = sums_rows - 1;
        for (Index k3 = 0; k3 < sums_rows; k3 += (Index)jam) {
          T distance[jam];
          #pragma unroll
          for (int s3 = 0; s3 < jam; ++s3)
            distance[s3] = 0;
          for (Index j = 0; j < columns; ++j) {
            const T same3 = points[k2 * leading + j];
            #pragma unroll
            for (int s3 = 0; s3 < jam; ++s3)
              distance[s3] += (same3 - centres[min_index(k3 + (Index)s3, last3) * centres_leading + j]) * (same3 - centres[min_index(k3 + (Index)s3, last3) * centres_leading + j]);
          }
          #pragma unroll
          for (int s3 = 0; s3 < jam; ++s3) {
            if (k3 + (Index)s3 < sums_rows) {
              if (distance[s3] < least || best < 0 && (distance[s3] == least)) {
                least = distance[s3];
                best = k3 + (Index)s3;
              }
            }
          }
        }
        labels[k2] = best;
      }
    }
  }
  // the last block to arrive does the steps behind it
  if (few) {
    __syncthreads();
    const bool arrives = thread == 0 && arrives_last(arrived, (unsigned)gridDim.x);
    const bool last = __syncthreads_or(arrives);
    if (last) {
      // Each block processes its part.
      for (Index step_block = 0; step_block < tiles; ++step_block) {
        // grid > block: strided (kmeans.cdl:36), one part per block
        const Index k_begin = step_block;
        const Index k_size = k_begin < sums_rows ? (sums_rows - k_begin + p2 - 1) / p2 : 0;
        const Index sums_begin = k_begin * sums_leading;
        // block > thread: strided (kmeans.cdl:36), one part per thread
        const Index k_begin2 = thread;
        const Index k_size2 = k_begin2 < k_size ? (k_size - k_begin2 + threads - 1) / threads : 0;
        const Index sums_begin2 = sums_begin + k_begin2 * (sums_leading * p2);
        const Index counts_begin = k_begin + k_begin2 * p2;
        // thread: serial (kmeans.cdl:25)
        for (Index k2 = 0; k2 < k_size2; ++k2) {
          counts[counts_begin + k2 * (p2 * threads)] = 0;
          for (Index j = 0; j < columns; ++j)
            sums[sums_begin2 + (k2 * (sums_leading * p2 * threads) + j)] = 0;
        }
      }
    }
  }
}

// Each block processes its part.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) kmeans_blocks2(Index sums_rows, Index p2, Index sums_leading, int *__restrict__ counts, Index columns, T *__restrict__ sums) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  // grid > block: strided (kmeans.cdl:36), one part per block
  const Index k_begin = block;
  const Index k_size = k_begin < sums_rows ? (sums_rows - k_begin + p2 - 1) / p2 : 0;
  const Index sums_begin = k_begin * sums_leading;
  // block > thread: strided (kmeans.cdl:36), one part per thread
  const Index k_begin2 = thread;
  const Index k_size2 = k_begin2 < k_size ? (k_size - k_begin2 + threads - 1) / threads : 0;
  const Index sums_begin2 = sums_begin + k_begin2 * (sums_leading * p2);
  const Index counts_begin = k_begin + k_begin2 * p2;
  // thread: serial (kmeans.cdl:25)
  for (Index k2 = 0; k2 < k_size2; ++k2) {
    counts[counts_begin + k2 * (p2 * threads)] = 0;
    for (Index j = 0; j < columns; ++j)
      sums[sums_begin2 + (k2 * (sums_leading * p2 * threads) + j)] = 0;
  }
}

// Each block processes its part.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) kmeans_blocks3(Index i_tile, Index rows, Index leading, Index sums_rows, Index columns, int *labels, const T *points, T *sums, Index sums_leading, int *counts, bool few2, unsigned *arrived, Index tiles3, Index q, Index p4, Index centres_leading, T *centres) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  __shared__ T own_sums[1706 * (Index)(16 / (int)sizeof(T))];
  __shared__ int own_counts[3412];
  // grid > block: tiled (kmeans_update.cdl:49), one part per block
  const Index i_begin = min_index(block * i_tile, rows);
  const Index i_size = min_index(i_tile, rows - i_begin);
  const Index points_begin = i_begin * leading;
  // block > thread: own (kmeans_update.cdl:60), in shared memory
  const Index own_sums_size = sums_rows * columns;
  if (own_sums_size <= (1706 * (Index)(16 / (int)sizeof(T))) && (sums_rows <= 3412)) {
    for (Index i = thread; i < own_sums_size; i += threads)
      own_sums[i] = 0;
    for (Index i = thread; i < sums_rows; i += threads)
      own_counts[i] = 0;
    const Index i_begin2 = thread;
    const Index i_size2 = i_begin2 < i_size ? (i_size - i_begin2 + threads - 1) / threads : 0;
    const Index points_begin2 = points_begin + i_begin2 * leading;
    const Index labels_begin = i_begin + i_begin2;
    // thread: serial (kmeans_update.cdl:23)
    __syncthreads();
    for (Index i = 0; i < i_size2; ++i) {
      if (labels[labels_begin + i * threads] >= 0) {
        atomicAdd_block(&own_counts[labels[labels_begin + i * threads]], 1);
        for (Index j = 0; j < columns; ++j)
          atomicAdd_block(&own_sums[labels[labels_begin + i * threads] * columns + j], points[points_begin2 + (i * (leading * threads) + j)]);
      }
    }
    // block > thread: strided (kmeans_steps.cdl:15), one part per thread
    const Index j_begin = thread;
    const Index j_size = j_begin < columns ? (columns - j_begin + threads - 1) / threads : 0;
    // thread: serial (kmeans_steps.cdl:7)
    __syncthreads();
    for (Index k2 = 0; k2 < sums_rows; ++k2) {
      for (Index j = 0; j < j_size; ++j)
        atomicAdd(&sums[j_begin + (k2 * sums_leading + j * threads)], own_sums[j_begin + (k2 * columns + j * threads)]);
    }
    // block > thread: strided (kmeans_steps.cdl:30), one part per thread
    const Index thread_begin = thread;
    // thread: serial (kmeans_steps.cdl:23)
    for (Index k2 = thread_begin; k2 < sums_rows; k2 += threads)
      atomicAdd(&counts[k2], own_counts[k2]);
  }
  else {
    const Index i_begin2 = thread;
    const Index i_size2 = i_begin2 < i_size ? (i_size - i_begin2 + threads - 1) / threads : 0;
    const Index points_begin2 = points_begin + i_begin2 * leading;
    const Index labels_begin = i_begin + i_begin2;
    // thread: serial (kmeans_update.cdl:23)
    for (Index i = 0; i < i_size2; ++i) {
      if (labels[labels_begin + i * threads] >= 0) {
        atomicAdd(&counts[labels[labels_begin + i * threads]], 1);
        {
          #pragma unroll 1
          for (Index j = (Index)0; j + (Index)8 <= columns; j += (Index)8) {
            int value[8];
            T value2[8];
            #pragma unroll
            for (int s = 0; s < 8; ++s) {
              value[s] = labels[labels_begin + i * threads];
              value2[s] = points[points_begin2 + (i * (leading * threads) + (j + (Index)s))];
            }
            #pragma unroll
            for (int s = 0; s < 8; ++s)
              atomicAdd(&sums[value[s] * sums_leading + (j + (Index)s)], value2[s]);
          }
          #pragma unroll 1
          for (Index j = columns / (Index)8 * (Index)8; j < columns; j += (Index)8) {
            int value3[8];
            T value4[8];
            #pragma unroll
            for (int s2 = 0; s2 < 8; ++s2) {
              if (j + (Index)s2 < columns) {
                value3[s2] = labels[labels_begin + i * threads];
                value4[s2] = points[points_begin2 + (i * (leading * threads) + (j + (Index)s2))];
              }
            }
            #pragma unroll
            for (int s2 = 0; s2 < 8; ++s2) {
              if (j + (Index)s2 < columns)
                atomicAdd(&sums[value3[s2] * sums_leading + (j + (Index)s2)], value4[s2]);
            }
          }
        }
      }
    }
  }
  // the last block to arrive does the steps behind it
  if (few2) {
    __syncthreads();
    const bool arrives = thread == 0 && arrives_last(arrived, (unsigned)gridDim.x);
    const bool last = __syncthreads_or(arrives);
    if (last) {
      // Each block processes its part.
      for (Index step_block = 0; step_block < tiles3; ++step_block) {
        // grid > block: strided (kmeans.cdl:55), one part per block
        const Index k_begin = (Index)((int)step_block / (int)q);
        const Index k_size = k_begin < sums_rows ? (sums_rows - k_begin + p4 - 1) / p4 : 0;
        const Index j_begin = (Index)((int)step_block % (int)q);
        const Index j_size = j_begin < columns ? (columns - j_begin + q - 1) / q : 0;
        const Index sums_begin = k_begin * sums_leading + j_begin;
        const Index centres_begin = k_begin * centres_leading + j_begin;
        // block > thread: strided (kmeans.cdl:55), one part per thread
        const Index k_begin2 = thread / 32;
        const Index k_size2 = k_begin2 < k_size ? (k_size - k_begin2 + threads / 32 - 1) / (threads / 32) : 0;
        const Index j_begin2 = thread % 32;
        const Index j_size2 = j_begin2 < j_size ? (j_size - j_begin2 + 31) / 32 : 0;
        const Index sums_begin2 = sums_begin + k_begin2 * (sums_leading * p4) + j_begin2 * q;
        const Index counts_begin = k_begin + k_begin2 * p4;
        const Index centres_begin2 = centres_begin + k_begin2 * (centres_leading * p4) + j_begin2 * q;
        // thread: serial (kmeans.cdl:45)
        for (Index k2 = 0; k2 < k_size2; ++k2) {
          for (Index j = 0; j < j_size2; ++j)
            centres[centres_begin2 + (k2 * (centres_leading * p4 * (threads / 32)) + j * (q * 32))] = counts[counts_begin + k2 * (p4 * (threads / 32))] > 0 ? sums[sums_begin2 + (k2 * (sums_leading * p4 * (threads / 32)) + j * (q * 32))] / (T)counts[counts_begin + k2 * (p4 * (threads / 32))] : centres[centres_begin2 + (k2 * (centres_leading * p4 * (threads / 32)) + j * (q * 32))];
        }
      }
    }
  }
}

// Each block processes its part.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) kmeans_blocks4(Index q, Index sums_rows, Index p4, Index columns, Index sums_leading, Index centres_leading, T *__restrict__ centres, int *__restrict__ counts, T *__restrict__ sums) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  // grid > block: strided (kmeans.cdl:55), one part per block
  const Index k_begin = (Index)((int)block / (int)q);
  const Index k_size = k_begin < sums_rows ? (sums_rows - k_begin + p4 - 1) / p4 : 0;
  const Index j_begin = (Index)((int)block % (int)q);
  const Index j_size = j_begin < columns ? (columns - j_begin + q - 1) / q : 0;
  const Index sums_begin = k_begin * sums_leading + j_begin;
  const Index centres_begin = k_begin * centres_leading + j_begin;
  // block > thread: strided (kmeans.cdl:55), one part per thread
  const Index k_begin2 = thread / 32;
  const Index k_size2 = k_begin2 < k_size ? (k_size - k_begin2 + threads / 32 - 1) / (threads / 32) : 0;
  const Index j_begin2 = thread % 32;
  const Index j_size2 = j_begin2 < j_size ? (j_size - j_begin2 + 31) / 32 : 0;
  const Index sums_begin2 = sums_begin + k_begin2 * (sums_leading * p4) + j_begin2 * q;
  const Index counts_begin = k_begin + k_begin2 * p4;
  const Index centres_begin2 = centres_begin + k_begin2 * (centres_leading * p4) + j_begin2 * q;
  // thread: serial (kmeans.cdl:45)
  for (Index k2 = 0; k2 < k_size2; ++k2) {
    for (Index j = 0; j < j_size2; ++j)
      centres[centres_begin2 + (k2 * (centres_leading * p4 * (threads / 32)) + j * (q * 32))] = counts[counts_begin + k2 * (p4 * (threads / 32))] > 0 ? sums[sums_begin2 + (k2 * (sums_leading * p4 * (threads / 32)) + j * (q * 32))] / (T)counts[counts_begin + k2 * (p4 * (threads / 32))] : centres[centres_begin2 + (k2 * (centres_leading * p4 * (threads / 32)) + j * (q * 32))];
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int row_k, int jam>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *points, Index rows, Index columns, Index leading, int turns, int *labels, T *sums, Index sums_rows, Index sums_leading, T *centres, Index centres_leading, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 320 && threads % 32 == 0, "threads: threads per block, 32 to 320, a multiple of 32");
  static_assert(row_k >= 9 && row_k <= 35 && (row_k == 9 || row_k == 17 || row_k == 25 || row_k == 35), "row_k: elements of a row that shared memory has room for, 9, 17, 25 or 35");
  static_assert(jam >= 1 && jam <= 16 && (jam == 1 || jam == 2 || jam == 3 || jam == 4 || jam == 5 || jam == 6 || jam == 8 || jam == 12 || jam == 16), "jam: results of a lane at once, 1, 2, 3, 4, 5, 6, 8, 12 or 16");
  if (rows < 0 || columns < 0 || leading < 0 || sums_rows < 0 || sums_leading < 0 || centres_leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid: steps (kmeans.cdl:66)
  // grid > thread: each (kmeans_assign.cdl:59), one part per thread
  const Index p = min_index(max_index((rows + threads - 1) / threads, 1), blocks);
  // grid > block: strided (kmeans.cdl:36), one part per block
  const Index p2 = max_index(min_index((sums_rows + 64 - 1) / 64, blocks), 1);
  const Index tiles = p2;
  // grid > block: tiled (kmeans_update.cdl:49), one part per block
  const Index p3 = max_index(min_index((rows + 64 - 1) / 64, blocks), 1);
  const Index i_tile = (rows + p3 - 1) / p3;
  const Index tiles2 = p3;
  // grid > block: strided (kmeans.cdl:55), one part per block
  const Index p4 = max_index(min_index((sums_rows + 8 - 1) / 8, blocks), 1);
  const Index left = max_index(blocks / p4, 1);
  const Index q = max_index(min_index((columns + 256 - 1) / 256, left), 1);
  const Index tiles3 = p4 * q;
  const size_t need = 16 + (size_t)sums_rows * sizeof(int);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  unsigned *arrived = (unsigned *)workspace;
  int *counts = (int *)((char *)workspace + 16);
  const bool few = tiles <= 4;
  const bool few2 = tiles3 <= 4;
  for (int k = 0; k < turns; ++k) {
    void *args[] = {&columns, &sums_rows, &centres, &centres_leading, &rows, (void *)&p, &points, &leading, &labels, (void *)&few, &arrived, (void *)&tiles, (void *)&p2, &sums_leading, &counts, &sums};
    const cudaError_t error = cudaLaunchKernel(kmeans_blocks<T, threads, row_k, jam>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
    if (!few) {
      void *args[] = {&sums_rows, (void *)&p2, &sums_leading, &counts, &columns, &sums};
      const cudaError_t error = cudaLaunchKernel(kmeans_blocks2<T, threads>, dim3((unsigned)tiles), dim3(threads), args, 0, stream);
      if (error != cudaSuccess) return error;
    }
    {
      void *args[] = {(void *)&i_tile, &rows, &leading, &sums_rows, &columns, &labels, &points, &sums, &sums_leading, &counts, (void *)&few2, &arrived, (void *)&tiles3, (void *)&q, (void *)&p4, &centres_leading, &centres};
      const cudaError_t error = cudaLaunchKernel(kmeans_blocks3<T, threads>, dim3((unsigned)tiles2), dim3(threads), args, 0, stream);
      if (error != cudaSuccess) return error;
    }
    if (!few2) {
      void *args[] = {(void *)&q, &sums_rows, (void *)&p4, &columns, &sums_leading, &centres_leading, &centres, &counts, &sums};
      const cudaError_t error = cudaLaunchKernel(kmeans_blocks4<T, threads>, dim3((unsigned)tiles3), dim3(threads), args, 0, stream);
      if (error != cudaSuccess) return error;
    }
  }
  return cudaSuccess;
}

// Bytes that a block has in shared memory.
template <typename T, int threads, int row_k, int jam>
constexpr size_t shared_bytes() {
  return (size_t)(1706 * (Index)(16 / (int)sizeof(T))) * sizeof(T) +
         (size_t)(3412) * sizeof(int);
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const kmeans_configuration *c, void *workspace, size_t *workspace_bytes, const T *points, Index rows, Index columns, Index leading, int turns, int *labels, T *sums, Index sums_rows, Index sums_leading, T *centres, Index centres_leading, cudaStream_t stream) {
  const kmeans_configuration own = {0, 0, 0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 448; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, ROW_K, JAM) if constexpr (shared_bytes<T, THREADS, ROW_K, JAM>() <= 49152) if (serves(THREADS, c->threads) && serves(ROW_K, c->row_k) && serves(JAM, c->jam)) return run<T, THREADS, ROW_K, JAM>(blocks, workspace, workspace_bytes, points, rows, columns, leading, turns, labels, sums, sums_rows, sums_leading, centres, centres_leading, stream);
  KMEANS_0B8B80D0_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace kmeans_0b8b80d0

#define ROW(THREADS, ROW_K, JAM) {THREADS, 0, 448, JAM, 0, ROW_K, 0},
// Those that were compiled; zeros end them.
extern "C" const kmeans_configuration kmeans_0b8b80d0_configurations[];
const kmeans_configuration kmeans_0b8b80d0_configurations[] = {KMEANS_0B8B80D0_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t kmeans_0b8b80d0_float(const kmeans_configuration *c, void *workspace, size_t *workspace_bytes, const float *points, uint64_t rows, uint64_t columns, uint64_t leading, int turns, int *labels, float *sums, uint64_t sums_rows, uint64_t sums_leading, float *centres, uint64_t centres_leading, cudaStream_t stream) {
  return kmeans_0b8b80d0::configured<float>(c, workspace, workspace_bytes, points, (kmeans_0b8b80d0::Index)rows, (kmeans_0b8b80d0::Index)columns, (kmeans_0b8b80d0::Index)leading, turns, labels, sums, (kmeans_0b8b80d0::Index)sums_rows, (kmeans_0b8b80d0::Index)sums_leading, centres, (kmeans_0b8b80d0::Index)centres_leading, stream);
}
