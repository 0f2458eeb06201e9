// gemv, variant 8a00486f: grid.each/all-warp/8s(warp/8.products=warp/8.strided(thread.strided(ilp.serial; thread.serial); warp/8.tree+shuffle))
// Made by tgc from gemv.cdl for sm_90; this text is yours.
//
// shuffle, 1 kernel, determinism run_to_run: no atomics, but where 16-byte loads begin depends on the input's alignment: the same address, the same result
// not batch-invariant: the result depends on the address: 16-byte loads begin where it is aligned
//
//   grid: regroups by `each', over its lanes (G3xV)
//     each part: warp/8: `products' applies (V6)
//       warp/8: regroups by `strided', over its threads (V10)
//         each part: thread: regroups by `strided', over its register slots (T10)
//           each part: ilp: computes by `serial' (I8)
//           results: thread: computes by `serial' (T8)
//         results: warp/8: computes by `tree', exchanging registers (V11)
//
// codelets
//   each         gemv.cdl:26
//   products     dot.cdl:32
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef GEMV_8A00486F_CONFIGURATIONS
#define GEMV_8A00486F_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef GEMV_CONFIGURATION
#define GEMV_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct gemv_configuration {
  int threads, loads;
  int64_t blocks;
} gemv_configuration;
#endif

namespace gemv_8a00486f {

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

// Each block processes its share of the parts.
template <typename T, int threads, int loads, bool even>
__global__ void __launch_bounds__(threads, 1) gemv_blocks(const T *x, Index rows, Index p, Index columns, const T *A, Index leading, T *y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  // grid > warp/8: each (gemv.cdl:26), one part per warp/8
  const int width = 16 / (int)sizeof(T);
  T same[loads * width];
  after_earlier_grids();
  if (even) {
    #pragma unroll
    for (int k2 = 0; k2 < loads; ++k2)
      load_wide(&same[k2 * width], &x[lane % 8 * width + k2 * (8 * width)]);
  }
  for (Index turn = block * (threads / 8); turn < rows; turn += p * (threads / 8)) {
    const Index k = turn + thread / 8;
    const Index columns2 = k < rows ? columns : 0;
    // warp/8 > thread: strided (sum_steps.cdl:33), one part per thread
    // thread > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
    const int per = 16 / (int)sizeof(T);
    T accum[per];
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] = 0;
    if (even) {
      // every part is one round, at multiples of 16 bytes
      if (k < rows) {
        const Index i = lane % 8 * per;
        T wide[loads * per];
        #pragma unroll
        for (int k3 = 0; k3 < loads; ++k3)
          load_wide(&wide[k3 * per], &A[k * leading + (i + k3 * (8 * per))]);
        #pragma unroll
        for (int k3 = 0; k3 < loads; ++k3) {
          #pragma unroll
          for (int s = 0; s < per; ++s)
            accum[s] += wide[k3 * per + s] * same[k3 * per + s];
        }
      }
    }
    else {
      const Index ahead = to_aligned(&A[k * leading]);
      const Index aligned = min_index(ahead, columns2);
      const Index ragged = aligned + (columns2 - aligned) / per * per;
      Index i = aligned + lane % 8 * per;
      const Index many = aligned + (columns2 - aligned) / (8 * per * loads) * (8 * per * loads);
      #pragma unroll 1
      for (; i < many; i += 8 * per * loads) {
        T wide[loads * per];
        #pragma unroll
        for (int k2 = 0; k2 < loads; ++k2)
          load_wide(&wide[k2 * per], &A[k * leading + (i + k2 * (8 * per))]);
        T wide2[loads * per];
        #pragma unroll
        for (int k2 = 0; k2 < loads; ++k2)
          load_wide_anywhere(&wide2[k2 * per], &x[i + k2 * (8 * per)]);
        #pragma unroll
        for (int k2 = 0; k2 < loads; ++k2) {
          #pragma unroll
          for (int s = 0; s < per; ++s)
            accum[s] += wide[k2 * per + s] * wide2[k2 * per + s];
        }
      }
      // the last round
      const int left = (int)(ragged - i);
      if (left > 0) {
        T wide[loads * per];
        #pragma unroll
        for (int k2 = 0; k2 < loads; ++k2) {
          if (k2 * (8 * per) < left)
            load_wide(&wide[k2 * per], &A[k * leading + (i + k2 * (8 * per))]);
        }
        T wide2[loads * per];
        #pragma unroll
        for (int k2 = 0; k2 < loads; ++k2) {
          if (k2 * (8 * per) < left)
            load_wide_anywhere(&wide2[k2 * per], &x[i + k2 * (8 * per)]);
        }
        #pragma unroll
        for (int k2 = 0; k2 < loads; ++k2) {
          #pragma unroll
          for (int s = 0; s < per; ++s) {
            if (k2 * (8 * per) < left)
              accum[s] += wide[k2 * per + s] * wide2[k2 * per + s];
          }
        }
      }
      // what lies before the first and after the last 16 bytes
      const int head = (int)aligned;
      #pragma unroll 1
      for (int e = lane % 8; e < (head + (int)(columns2 - ragged)); e += 8) {
        const Index end = e < head ? e : ragged + (e - head);
        if (end < columns2)
          accum[0] += A[k * leading + end] * x[end];
      }
    }
    // thread: serial (sum_steps.cdl:6)
    T accum2 = 0;
    #pragma unroll
    for (Index i = 0; i < per; ++i)
      accum2 += accum[i];
    // warp/8: tree (sum_steps.cdl:47), exchanging registers
    T val = accum2;
    for (int offset = 4; offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset);
      val += other;
    }
    if (lane % 8 == 0 && (k < rows))
      y[k] = val;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *x, T *y, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (rows < 0 || columns < 0 || leading < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > warp/8: each (gemv.cdl:26), one part per warp/8
  const Index p = min_index(max_index((rows + threads / 8 - 1) / (threads / 8), 1), blocks);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    const bool even = columns == 8 * loads * (16 / (int)sizeof(T)) && (to_aligned(&A[0]) == 0) && (to_aligned(&A[leading]) == 0) && (to_aligned(&x[0]) == 0);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, even ? gemv_blocks<T, threads, loads, true> : gemv_blocks<T, threads, loads, false>, x, rows, p, columns, A, leading, y);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const T *A, Index rows, Index columns, Index leading, const T *x, T *y, cudaStream_t stream) {
  const gemv_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 264; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, A, rows, columns, leading, x, y, stream);
  GEMV_8A00486F_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace gemv_8a00486f

#define ROW(THREADS, LOADS) {THREADS, LOADS, 264},
// Those that were compiled; zeros end them.
extern "C" const gemv_configuration gemv_8a00486f_configurations[];
const gemv_configuration gemv_8a00486f_configurations[] = {GEMV_8A00486F_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t gemv_8a00486f_double(const gemv_configuration *c, void *workspace, size_t *workspace_bytes, const double *A, uint64_t rows, uint64_t columns, uint64_t leading, const double *x, double *y, cudaStream_t stream) {
  return gemv_8a00486f::configured<double>(c, workspace, workspace_bytes, A, (gemv_8a00486f::Index)rows, (gemv_8a00486f::Index)columns, (gemv_8a00486f::Index)leading, x, y, stream);
}
