// pinched, variant 1618b9c6: grid.each(block.steps=(block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial); block>warp>thread.serial; block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial; block.tree); block.strided/all(thread.serial); block.strided/all(thread.serial; block.tree)))
// Made by tgc from steps.cdl for sm_80; this text is yours.
//
// baseline, 1 kernel, determinism gpu_to_gpu: a lane runs another codelet than the sequential one, which may round differently
// batch-invariant: results are combined only in the order that a codelet gives
//
//   grid: regroups by `each', over its blocks (G2)
//     each part: block: `steps' takes 8 steps (B4)
//       step 1: block: regroups by `strided', over its lanes (B8x)
//         each part: thread: computes by `serial' (T6)
//         results: block: computes by `tree' (B9)
//       step 2: block: regroups by `strided', over its lanes (B8x)
//         each part: thread: computes by `serial' (T6)
//         results: block: computes by `tree' (B9)
//       step 3: block: regroups by `strided', over its lanes (B14x)
//         each part: thread: computes by `serial' (T12)
//       step 4: block: one warp acts for all (B15)
//         warp: one thread acts for all (W15)
//           thread: computes by `serial' (T16)
//       step 5: block: regroups by `strided', over its lanes (B20x)
//         each part: thread: computes by `serial' (T18)
//         results: block: computes by `tree' (B21)
//       step 6: block: regroups by `strided', over its lanes (B8x)
//         each part: thread: computes by `serial' (T6)
//         results: block: computes by `tree' (B9)
//       step 7: block: regroups by `strided', over its lanes (B14x)
//         each part: thread: computes by `serial' (T12)
//       step 8: block: regroups by `strided', over its lanes (B20x)
//         each part: thread: computes by `serial' (T18)
//         results: block: computes by `tree' (B21)
//
// codelets
//   each         steps.cdl:56
//   steps        steps.cdl:43
//   strided      max_steps.cdl:28
//   serial       max_steps.cdl:6
//   tree         max_steps.cdl:38
//   strided      steps.cdl:27
//   serial       steps.cdl:12
//   serial       steps.cdl:35
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <limits>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef PINCHED_1618B9C6_CONFIGURATIONS
#define PINCHED_1618B9C6_CONFIGURATIONS(C) C(256, 2)
#endif

#ifndef PINCHED_CONFIGURATION
#define PINCHED_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct pinched_configuration {
  int threads, loads;
  int64_t blocks;
} pinched_configuration;
#endif

namespace pinched_1618b9c6 {

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

// Each block processes its share of the parts.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) pinched_blocks(Index rows, Index p, Index columns, T *__restrict__ A, Index leading, T *__restrict__ y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T left_found;
  __shared__ T partial[32];
  __shared__ T tmp[threads];
  __shared__ T right_found;
  __shared__ T partial2[32];
  __shared__ T tmp2[threads];
  __shared__ unsigned before_found;
  __shared__ T all_found;
  __shared__ T partial3[32];
  __shared__ T tmp3[threads];
  __shared__ T greatest_found;
  __shared__ T partial4[32];
  __shared__ T tmp4[threads];
  __shared__ T sum_found;
  __shared__ T partial5[32];
  __shared__ T tmp5[threads];
  // grid > block: each (steps.cdl:56), one part per block
  for (Index turn = block; turn < rows; turn += p) {
    if (thread < 32)
      partial[thread] = lowest<T>();
    if (thread < 32)
      partial2[thread] = lowest<T>();
    if (thread < 32)
      partial3[thread] = 0;
    if (thread < 32)
      partial4[thread] = lowest<T>();
    if (thread < 32)
      partial5[thread] = 0;
    // block: steps (steps.cdl:43)
    Index half = columns / 2;
    // block > thread: strided (max_steps.cdl:28), one part per thread
    const Index thread_begin = thread;
    // thread: serial (max_steps.cdl:6)
    T best = lowest<T>();
    for (Index i = thread_begin; i < min_index(half, columns); i += threads)
      best = max(best, A[turn * leading + i]);
    // block: tree (max_steps.cdl:38)
    T best2 = best;
    tmp[thread] = best2;
    for (int offset = 16; offset > 0; offset /= 2) {
      __syncwarp();
      best2 = max(best2, lane + offset < 32 ? tmp[thread + offset] : lowest<T>());
      __syncwarp();
      tmp[thread] = best2;
    }
    if (threads > 32) {
      __syncthreads();
      if (lane == 0)
        partial[warp] = best2;
      __syncthreads();
      if (warp == 0) {
        best2 = partial[lane];
        partial[thread] = best2;
        for (int offset = 16; offset > 0; offset /= 2) {
          __syncwarp();
          best2 = max(best2, lane + offset < 32 ? partial[thread + offset] : lowest<T>());
          __syncwarp();
          partial[thread] = best2;
        }
      }
    }
    if (thread == 0)
      left_found = best2;
    __syncthreads();
    const T left = left_found;
    // block > thread: strided (max_steps.cdl:28), one part per thread
    const Index thread_begin2 = min_index(max_index(half, 0), columns) + thread;
    // thread: serial (max_steps.cdl:6)
    T best3 = lowest<T>();
    for (Index i = thread_begin2; i < columns; i += threads)
      best3 = max(best3, A[turn * leading + i]);
    // block: tree (max_steps.cdl:38)
    T best4 = best3;
    tmp2[thread] = best4;
    for (int offset = 16; offset > 0; offset /= 2) {
      __syncwarp();
      best4 = max(best4, lane + offset < 32 ? tmp2[thread + offset] : lowest<T>());
      __syncwarp();
      tmp2[thread] = best4;
    }
    if (threads > 32) {
      if (lane == 0)
        partial2[warp] = best4;
      __syncthreads();
      if (warp == 0) {
        best4 = partial2[lane];
        partial2[thread] = best4;
        for (int offset = 16; offset > 0; offset /= 2) {
          __syncwarp();
          best4 = max(best4, lane + offset < 32 ? partial2[thread + offset] : lowest<T>());
          __syncwarp();
          partial2[thread] = best4;
        }
      }
    }
    if (thread == 0)
      right_found = best4;
    __syncthreads();
    const T right = right_found;
    const T low = min(left, right);
    const T high = max(left, right);
    // block > thread: strided (steps.cdl:27), one part per thread
    const Index thread_begin3 = thread;
    // thread: serial (steps.cdl:12)
    for (Index i = thread_begin3; i < columns; i += threads)
      A[turn * leading + i] = min(max(A[turn * leading + i], low), high);
    __syncthreads();
    const T most2 = max(left, right);
    // block > warp: one warp acts for all
    if (warp == 0) {
      // warp > thread: one thread acts for all
      if (lane == 0) {
        // thread: serial (steps.cdl:35), 16 bytes at a time
        const int per = 16 / (int)sizeof(T);
        unsigned n2 = 0u;
        const Index ahead = to_aligned(&A[turn * leading]);
        const Index aligned = min_index(ahead, columns);
        Index i = 0;
        #pragma unroll 1
        for (; i < aligned; ++i)
          n2 += A[turn * leading + i] < most2 ? 1 : 0;
        const Index many = aligned + (columns - aligned) / (per * loads) * (per * loads);
        #pragma unroll 1
        for (; i < many; i += per * loads) {
          T wide[loads * per];
          #pragma unroll
          for (int k = 0; k < loads; ++k)
            load_wide(&wide[k * per], &A[turn * leading + (i + k * per)]);
          #pragma unroll
          for (int k = 0; k < loads; ++k) {
            #pragma unroll
            for (int s = 0; s < per; ++s)
              n2 += wide[k * per + s] < most2 ? 1 : 0;
          }
        }
        #pragma unroll 1
        for (; i < columns; ++i)
          n2 += A[turn * leading + i] < most2 ? 1 : 0;
        before_found = n2;
      }
    }
    __syncthreads();
    const unsigned before = before_found;
    // block > thread: strided (sum_steps.cdl:33), one part per thread
    const Index thread_begin4 = thread;
    // thread: serial (sum_steps.cdl:6)
    T accum = 0;
    for (Index i = thread_begin4; i < min_index(before, columns); i += threads)
      accum += A[turn * leading + i];
    // block: tree (sum_steps.cdl:47)
    T val = accum;
    tmp3[thread] = val;
    for (int offset = 16; offset > 0; offset /= 2) {
      __syncwarp();
      val += lane + offset < 32 ? tmp3[thread + offset] : T(0);
      __syncwarp();
      tmp3[thread] = val;
    }
    if (threads > 32) {
      if (lane == 0)
        partial3[warp] = val;
      __syncthreads();
      if (warp == 0) {
        val = partial3[lane];
        partial3[thread] = val;
        for (int offset = 16; offset > 0; offset /= 2) {
          __syncwarp();
          val += lane + offset < 32 ? partial3[thread + offset] : T(0);
          __syncwarp();
          partial3[thread] = val;
        }
      }
    }
    if (thread == 0)
      all_found = val;
    __syncthreads();
    const T all = all_found;
    // block > thread: strided (max_steps.cdl:28), one part per thread
    const Index thread_begin5 = thread;
    // thread: serial (max_steps.cdl:6)
    T best5 = lowest<T>();
    for (Index i = thread_begin5; i < columns; i += threads)
      best5 = max(best5, A[turn * leading + i]);
    // block: tree (max_steps.cdl:38)
    T best6 = best5;
    tmp4[thread] = best6;
    for (int offset = 16; offset > 0; offset /= 2) {
      __syncwarp();
      best6 = max(best6, lane + offset < 32 ? tmp4[thread + offset] : lowest<T>());
      __syncwarp();
      tmp4[thread] = best6;
    }
    if (threads > 32) {
      if (lane == 0)
        partial4[warp] = best6;
      __syncthreads();
      if (warp == 0) {
        best6 = partial4[lane];
        partial4[thread] = best6;
        for (int offset = 16; offset > 0; offset /= 2) {
          __syncwarp();
          best6 = max(best6, lane + offset < 32 ? partial4[thread + offset] : lowest<T>());
          __syncwarp();
          partial4[thread] = best6;
        }
      }
    }
    if (thread == 0)
      greatest_found = best6;
    __syncthreads();
    const T greatest = greatest_found;
    // block > thread: strided (steps.cdl:27), one part per thread
    const Index thread_begin6 = thread;
    // thread: serial (steps.cdl:12)
    for (Index i = thread_begin6; i < columns; i += threads)
      A[turn * leading + i] = min(max(A[turn * leading + i], all), greatest);
    __syncthreads();
    // block > thread: strided (sum_steps.cdl:33), one part per thread
    const Index thread_begin7 = thread;
    // thread: serial (sum_steps.cdl:6)
    T accum2 = 0;
    for (Index i = thread_begin7; i < columns; i += threads)
      accum2 += A[turn * leading + i];
    // block: tree (sum_steps.cdl:47)
    T val2 = accum2;
    tmp5[thread] = val2;
    for (int offset = 16; offset > 0; offset /= 2) {
      __syncwarp();
      val2 += lane + offset < 32 ? tmp5[thread + offset] : T(0);
      __syncwarp();
      tmp5[thread] = val2;
    }
    if (threads > 32) {
      if (lane == 0)
        partial5[warp] = val2;
      __syncthreads();
      if (warp == 0) {
        val2 = partial5[lane];
        partial5[thread] = val2;
        for (int offset = 16; offset > 0; offset /= 2) {
          __syncwarp();
          val2 += lane + offset < 32 ? partial5[thread + offset] : T(0);
          __syncwarp();
          partial5[thread] = val2;
        }
      }
    }
    if (thread == 0)
      sum_found = val2;
    __syncthreads();
    const T sum = sum_found;
    const T result = all + sum;
    if (thread == 0)
      y[turn] = result;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, T *A, Index rows, Index columns, Index leading, T *y, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (rows < 0 || columns < 0 || leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: each (steps.cdl:56), one part per block
  const Index p = min_index(max_index(rows, 1), blocks);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&rows, (void *)&p, &columns, &A, &leading, &y};
    const cudaError_t error = cudaLaunchKernel(pinched_blocks<T, threads, loads>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const pinched_configuration *c, void *workspace, size_t *workspace_bytes, T *A, Index rows, Index columns, Index leading, T *y, cudaStream_t stream) {
  const pinched_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, A, rows, columns, leading, y, stream);
  PINCHED_1618B9C6_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace pinched_1618b9c6

#define ROW(THREADS, LOADS) {THREADS, LOADS, 1024},
// Those that were compiled; zeros end them.
extern "C" const pinched_configuration pinched_1618b9c6_configurations[];
const pinched_configuration pinched_1618b9c6_configurations[] = {PINCHED_1618B9C6_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t pinched_1618b9c6_int(const pinched_configuration *c, void *workspace, size_t *workspace_bytes, int *A, uint64_t rows, uint64_t columns, uint64_t leading, int *y, cudaStream_t stream) {
  return pinched_1618b9c6::configured<int>(c, workspace, workspace_bytes, A, (pinched_1618b9c6::Index)rows, (pinched_1618b9c6::Index)columns, (pinched_1618b9c6::Index)leading, y, stream);
}
