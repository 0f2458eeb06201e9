// leaving, variant 97020948: grid.steps=(grid>block.strided/all(thread.strided(ilp.serial)); grid>block.strided/all(thread.strided(ilp.serial)); grid>block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle); grid>block.strided/all(thread.strided(ilp.serial)); grid>block>warp>thread.serial; grid>block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle); grid>block.strided/all(thread.strided(ilp.serial)); grid>block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle))
// Made by tgc from leaving.cdl for sm_90; this text is yours.
//
// shuffle, 8 kernels, determinism gpu_to_gpu: a lane runs another codelet than the sequential one, which may round differently
// batch-invariant: results are combined only in the order that a codelet gives
//
//   grid: `steps' takes 8 steps (G2)
//     step 1: grid: one block acts for all (G3)
//       block: regroups by `strided', over its lanes (B5x)
//         each part: thread: regroups by `strided', over its register slots (T5)
//           each part: ilp: computes by `serial' (I4)
//     step 2: grid: one block acts for all (G3)
//       block: regroups by `strided', over its lanes (B5x)
//         each part: thread: regroups by `strided', over its register slots (T5)
//           each part: ilp: computes by `serial' (I4)
//     step 3: grid: one block acts for all (G6)
//       block: regroups by `strided', over its lanes (B9x)
//         each part: thread: regroups by `strided', over its register slots (T9)
//           each part: ilp: computes by `serial' (I7)
//           results: thread: computes by `serial' (T7)
//         results: block: computes by `tree', exchanging registers (B10)
//     step 4: grid: one block acts for all (G12)
//       block: regroups by `strided', over its lanes (B14x)
//         each part: thread: regroups by `strided', over its register slots (T14)
//           each part: ilp: computes by `serial' (I13)
//     step 5: grid: one block acts for all (G15)
//       block: one warp acts for all (B15)
//         warp: one thread acts for all (W15)
//           thread: computes by `serial' (T16)
//     step 6: grid: one block acts for all (G6)
//       block: regroups by `strided', over its lanes (B9x)
//         each part: thread: regroups by `strided', over its register slots (T9)
//           each part: ilp: computes by `serial' (I7)
//           results: thread: computes by `serial' (T7)
//         results: block: computes by `tree', exchanging registers (B10)
//     step 7: grid: one block acts for all (G12)
//       block: regroups by `strided', over its lanes (B14x)
//         each part: thread: regroups by `strided', over its register slots (T14)
//           each part: ilp: computes by `serial' (I13)
//     step 8: grid: one block acts for all (G6)
//       block: regroups by `strided', over its lanes (B9x)
//         each part: thread: regroups by `strided', over its register slots (T9)
//           each part: ilp: computes by `serial' (I7)
//           results: thread: computes by `serial' (T7)
//         results: block: computes by `tree', exchanging registers (B10)
//
// codelets
//   steps        leaving.cdl:47
//   strided      leaving.cdl:18
//   serial       leaving.cdl:11
//   strided      max_steps.cdl:28
//   serial       max_steps.cdl:6
//   tree         max_steps.cdl:38
//   strided      leaving.cdl:33
//   serial       leaving.cdl:26
//   serial       leaving.cdl:41
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <limits>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef LEAVING_97020948_CONFIGURATIONS
#define LEAVING_97020948_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef LEAVING_CONFIGURATION
#define LEAVING_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct leaving_configuration {
  int threads, loads;
  int64_t blocks;
} leaving_configuration;
#endif

namespace leaving_97020948 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

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

// A loop that goes on longer has no end: the call gives up.
#ifndef TGC_MOST_TURNS
#define TGC_MOST_TURNS 2147483648LL
#endif

// Behind how many iterations the host asks whether the loop has ended: 4, 8, 16, 32, then every 64.
inline bool asks_after(Index turns) { return turns % 64 == 0 || (turns >= 4 && (turns & (turns - 1)) == 0); }

// Waits for the stream, and reads whether the loop has ended. It cannot wait while the stream is captured.
inline cudaError_t wait_and_ask(const int *left, int *is_left, cudaStream_t stream) {
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  cudaError_t error = cudaStreamIsCapturing(stream, &capturing);
  if (error == cudaSuccess && capturing != cudaStreamCaptureStatusNone) error = cudaErrorStreamCaptureUnsupported;
  if (error == cudaSuccess) error = cudaMemcpyAsync(is_left, left, sizeof *left, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  return error;
}

#if CUDART_VERSION >= 13000
// The graph repeats its node until left[0] is not 0, or that was the last iteration; left[1] is its number.
__global__ void repeat_node(const int *left, Index iterations, cudaGraphConditionalHandle node) {
  cudaGraphSetConditional(node, left[0] == 0 && left[1] + 1 < iterations);
}
#endif

// The node of a loop, if the stream is captured: until it is closed, what is launched to `body' is an iteration.
struct LoopNode {
  cudaStream_t body = nullptr, around = nullptr; // body: NULL: there is no node
#if CUDART_VERSION >= 13000
  cudaGraphNode_t node = nullptr;
  cudaGraphConditionalHandle handle = 0;
#endif

  // A loop of so many iterations at most, in *stream, which becomes `body'. Before CUDA 13 there is no node.
  cudaError_t open(cudaStream_t *stream, Index iterations) {
#if CUDART_VERSION >= 13000
    cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
    cudaGraph_t graph = nullptr;
    const cudaGraphNode_t *before = nullptr;
    const cudaGraphEdgeData *edges = nullptr;
    size_t many = 0;
    cudaError_t error =
        cudaStreamGetCaptureInfo(*stream, &capturing, nullptr, &graph, &before, &edges, &many);
    if (error != cudaSuccess || capturing != cudaStreamCaptureStatusActive || iterations <= 0) return error;
    error = cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault);
    if (error != cudaSuccess) return error;
    cudaGraphNodeParams is = {};
    is.type = cudaGraphNodeTypeConditional;
    is.conditional.handle = handle;
    is.conditional.type = cudaGraphCondTypeWhile;
    is.conditional.size = 1;
    error = cudaGraphAddNode(&node, graph, before, edges, many, &is);
    if (error != cudaSuccess) return error;
    cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed; // another stream may be made meanwhile
    error = cudaThreadExchangeStreamCaptureMode(&mode);
    if (error != cudaSuccess) return error;
    error = cudaStreamCreate(&body);
    if (error == cudaSuccess)
      error = cudaStreamBeginCaptureToGraph(body, is.conditional.phGraph_out[0], nullptr, nullptr, 0,
                                            cudaStreamCaptureModeRelaxed);
    cudaThreadExchangeStreamCaptureMode(&mode);
    around = *stream;
    if (error == cudaSuccess) *stream = body;
    return error;
#else
    (void)stream, (void)iterations;
    return cudaSuccess;
#endif
  }

  // What has been launched is all of an iteration: *stream goes on behind the node.
  cudaError_t close(cudaStream_t *stream, const int *left, Index iterations) {
#if CUDART_VERSION >= 13000
    if (!body) return cudaSuccess;
    const cudaLaunchConfig_t grid = {dim3(1), dim3(1), 0, body, nullptr, 0};
    cudaError_t error = cudaLaunchKernelEx(&grid, repeat_node, left, iterations, handle);
    cudaGraph_t graph = nullptr;
    const cudaError_t ended = cudaStreamEndCapture(body, &graph);
    if (error == cudaSuccess) error = ended;
    cudaStreamDestroy(body);
    body = nullptr;
    if (error == cudaSuccess)
      error = cudaStreamUpdateCaptureDependencies(around, &node, nullptr, 1, cudaStreamSetCaptureDependencies);
    *stream = around;
    return error;
#else
    (void)stream, (void)left, (void)iterations;
    return cudaSuccess;
#endif
  }

  // Behind an error nothing is left of an iteration that was begun.
  ~LoopNode() {
    if (!body) return;
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(body, &graph);
    cudaStreamDestroy(body);
  }
};

// First distance of an exchange over this many lanes: half of the next power of two.
__host__ __device__ constexpr int half_of(int lanes) {
  return lanes > 16 ? 16 : lanes > 8 ? 8 : lanes > 4 ? 4 : lanes > 2 ? 2 : lanes > 1 ? 1 : 0;
}

// One block works for the whole grid.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) leaving_one_block(const T *x, Index n, T *y, Index aligned, Index ragged) {
  const int thread = threadIdx.x;
  // block > thread: strided (leaving.cdl:18), one part per thread
  // thread > ilp: strided (leaving.cdl:18), each with its register slots; serial (leaving.cdl:11)
  const int per = 16 / (int)sizeof(T);
  Index i2 = aligned + thread * per;
  after_earlier_grids();
  if (!once) {
    const Index many = aligned + (n - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i2 < many; i2 += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        load_wide(&wide[k2 * per], &x[i2 + k2 * (threads * per)]);
      T wide2[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          wide2[k2 * per + s] = wide[k2 * per + s];
      }
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        store_wide_anywhere(&y[i2 + k2 * (threads * per)], &wide2[k2 * per]);
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left3 = (int)(ragged - i2);
  T wide[loads * per];
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    if (k2 * (threads * per) < left3)
      load_wide(&wide[k2 * per], &x[i2 + k2 * (threads * per)]);
  }
  T wide2[loads * per];
  const int head = (int)aligned;
  const Index end = thread < head ? thread : ragged + (thread - head);
  if (end < n)
    y[end] = x[end];
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    #pragma unroll
    for (int s = 0; s < per; ++s) {
      if (k2 * (threads * per) < left3)
        wide2[k2 * per + s] = wide[k2 * per + s];
    }
  }
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    if (k2 * (threads * per) < left3)
      store_wide_anywhere(&y[i2 + k2 * (threads * per)], &wide2[k2 * per]);
  }
}

// One block works for the whole grid.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) leaving_one_block2(T *found, Index aligned, Index ragged) {
  const int thread = threadIdx.x;
  // block > thread: strided (leaving.cdl:18), one part per thread
  // thread > ilp: strided (leaving.cdl:18), each with its register slots; serial (leaving.cdl:11)
  const int per = 16 / (int)sizeof(T);
  Index i2 = aligned + thread * per;
  after_earlier_grids();
  if (!once) {
    const Index many = aligned + (1 - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i2 < many; i2 += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          wide[k2 * per + s] = 0;
      }
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        store_wide(&found[i2 + k2 * (threads * per)], &wide[k2 * per]);
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left3 = (int)(ragged - i2);
  T wide[loads * per];
  const int head = (int)aligned;
  const Index end = thread < head ? thread : ragged + (thread - head);
  if (end < 1)
    found[end] = 0;
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    #pragma unroll
    for (int s = 0; s < per; ++s) {
      if (k2 * (threads * per) < left3)
        wide[k2 * per + s] = 0;
    }
  }
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    if (k2 * (threads * per) < left3)
      store_wide(&found[i2 + k2 * (threads * per)], &wide[k2 * per]);
  }
}

// One thread notes that the loop has not ended.
template <typename T>
__global__ void leaving_enter(int *left) {
  const int done = 0;
  after_earlier_grids();
  left[0] = done;
}

// One block works for the whole grid.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) leaving_one_block3(T *y, Index n, T *greatest_found, int *left) {
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  after_earlier_grids();
  if (left[0] != 0)
    return;
  __shared__ T partial[32];
  if (thread < 32)
    partial[thread] = lowest<T>();
  // block > thread: strided (max_steps.cdl:28), one part per thread
  // thread > ilp: strided (max_steps.cdl:28), each with its register slots; serial (max_steps.cdl:6)
  const int per = 16 / (int)sizeof(T);
  T best[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    best[s] = lowest<T>();
  const Index ahead = to_aligned(&y[0]);
  const Index aligned = min_index(ahead, n);
  const Index ragged = aligned + (n - aligned) / per * per;
  Index i2 = aligned + thread * per;
  if (!once) {
    const Index many = aligned + (n - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i2 < many; i2 += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        load_wide(&wide[k2 * per], &y[i2 + k2 * (threads * per)]);
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          best[s] = max(best[s], wide[k2 * per + s]);
      }
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left3 = (int)(ragged - i2);
  T wide[loads * per];
  #pragma unroll
  for (int s = 0; s < (loads * per); ++s)
    wide[s] = lowest<T>();
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    if (k2 * (threads * per) < left3)
      load_wide(&wide[k2 * per], &y[i2 + k2 * (threads * per)]);
  }
  const int head = (int)aligned;
  const Index end = thread < head ? thread : ragged + (thread - head);
  if (end < n)
    best[0] = max(best[0], y[end]);
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    #pragma unroll
    for (int s = 0; s < per; ++s)
      best[s] = max(best[s], wide[k2 * per + s]);
  }
  // thread: serial (max_steps.cdl:6)
  T best2 = lowest<T>();
  #pragma unroll
  for (Index i3 = 0; i3 < per; ++i3)
    best2 = max(best2, best[i3]);
  // block: tree (max_steps.cdl:38), exchanging registers
  T best3 = best2;
  for (int offset = 16; offset > 0; offset /= 2) {
    T other = __shfl_down_sync(0xffffffff, best3, offset);
    best3 = max(best3, other);
  }
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      partial[warp] = best3;
    __syncthreads();
    if (warp == 0) {
      best3 = partial[lane];
      for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
        T other = __shfl_down_sync(0xffffffff, best3, offset);
        best3 = max(best3, other);
      }
    }
  }
  if (thread == 0)
    greatest_found[0] = best3;
}

// One thread decides whether the loop ends.
template <typename T>
__global__ void leaving_leave(int *left, T *greatest_found) {
  after_earlier_grids();
  if (left[0] != 0)
    return;
  const T greatest = greatest_found[0];
  const int done = (int)!(greatest > T(8));
  left[0] = done;
}

// One block works for the whole grid.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) leaving_one_block4(T *y, Index n, int *left) {
  const int thread = threadIdx.x;
  after_earlier_grids();
  if (left[0] != 0)
    return;
  // block > thread: strided (leaving.cdl:33), one part per thread
  // thread > ilp: strided (leaving.cdl:33), each with its register slots; serial (leaving.cdl:26)
  const int per = 16 / (int)sizeof(T);
  const Index ahead = to_aligned(&y[0]);
  const Index aligned = min_index(ahead, n);
  const Index ragged = aligned + (n - aligned) / per * per;
  Index i2 = aligned + thread * per;
  if (!once) {
    const Index many = aligned + (n - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i2 < many; i2 += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        load_wide(&wide[k2 * per], &y[i2 + k2 * (threads * per)]);
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          wide[k2 * per + s] = wide[k2 * per + s] / T(2);
      }
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        store_wide(&y[i2 + k2 * (threads * per)], &wide[k2 * per]);
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left3 = (int)(ragged - i2);
  T wide[loads * per];
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    if (k2 * (threads * per) < left3)
      load_wide(&wide[k2 * per], &y[i2 + k2 * (threads * per)]);
  }
  const int head = (int)aligned;
  const Index end = thread < head ? thread : ragged + (thread - head);
  if (end < n)
    y[end] = y[end] / T(2);
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    #pragma unroll
    for (int s = 0; s < per; ++s) {
      if (k2 * (threads * per) < left3)
        wide[k2 * per + s] = wide[k2 * per + s] / T(2);
    }
  }
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    if (k2 * (threads * per) < left3)
      store_wide(&y[i2 + k2 * (threads * per)], &wide[k2 * per]);
  }
}

// One thread notes that the loop has not ended.
template <typename T>
__global__ void leaving_enter2(int *left2) {
  const int done = 0;
  after_earlier_grids();
  left2[0] = done;
  left2[1] = -1;
}

// One thread decides whether the loop ends.
template <typename T>
__global__ void leaving_leave2(T *found, int *left2) {
  after_earlier_grids();
  if (left2[0] != 0)
    return;
  const int i = (int)left2[1] + 1;
  left2[1] = (int)i;
  const int done = (int)!(found[0] < T(1000));
  left2[0] = done;
}

// One block works for the whole grid.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) leaving_one_block5(T *found, int *left2) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  after_earlier_grids();
  if (left2[0] != 0)
    return;
  const int i = (int)left2[1];
  const T number = (T)(i + 1);
  // block > warp: one warp acts for all
  if (warp == 0) {
    // warp > thread: one thread acts for all
    if (lane == 0) {
      // thread: serial (leaving.cdl:41)
      found[0] += number;
    }
  }
}

// One block works for the whole grid.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) leaving_one_block6(T *y, Index n, T *top_found, int *left2) {
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  after_earlier_grids();
  if (left2[0] != 0)
    return;
  __shared__ T partial[32];
  if (thread < 32)
    partial[thread] = lowest<T>();
  // block > thread: strided (max_steps.cdl:28), one part per thread
  // thread > ilp: strided (max_steps.cdl:28), each with its register slots; serial (max_steps.cdl:6)
  const int per = 16 / (int)sizeof(T);
  T best[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    best[s] = lowest<T>();
  const Index ahead = to_aligned(&y[0]);
  const Index aligned = min_index(ahead, n);
  const Index ragged = aligned + (n - aligned) / per * per;
  Index i2 = aligned + thread * per;
  if (!once) {
    const Index many = aligned + (n - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i2 < many; i2 += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        load_wide(&wide[k2 * per], &y[i2 + k2 * (threads * per)]);
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          best[s] = max(best[s], wide[k2 * per + s]);
      }
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left3 = (int)(ragged - i2);
  T wide[loads * per];
  #pragma unroll
  for (int s = 0; s < (loads * per); ++s)
    wide[s] = lowest<T>();
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    if (k2 * (threads * per) < left3)
      load_wide(&wide[k2 * per], &y[i2 + k2 * (threads * per)]);
  }
  const int head = (int)aligned;
  const Index end = thread < head ? thread : ragged + (thread - head);
  if (end < n)
    best[0] = max(best[0], y[end]);
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    #pragma unroll
    for (int s = 0; s < per; ++s)
      best[s] = max(best[s], wide[k2 * per + s]);
  }
  // thread: serial (max_steps.cdl:6)
  T best2 = lowest<T>();
  #pragma unroll
  for (Index i3 = 0; i3 < per; ++i3)
    best2 = max(best2, best[i3]);
  // block: tree (max_steps.cdl:38), exchanging registers
  T best3 = best2;
  for (int offset = 16; offset > 0; offset /= 2) {
    T other = __shfl_down_sync(0xffffffff, best3, offset);
    best3 = max(best3, other);
  }
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      partial[warp] = best3;
    __syncthreads();
    if (warp == 0) {
      best3 = partial[lane];
      for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
        T other = __shfl_down_sync(0xffffffff, best3, offset);
        best3 = max(best3, other);
      }
    }
  }
  if (thread == 0)
    top_found[0] = best3;
}

// One thread decides whether the loop ends.
template <typename T>
__global__ void leaving_leave3(int k, int *left2, T *top_found) {
  after_earlier_grids();
  if (left2[0] != 0)
    return;
  const int i = (int)left2[1];
  const T top = top_found[0];
  const int done = (int)(top - (T)i < (T)k);
  left2[0] = done;
}

// One block works for the whole grid.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) leaving_one_block7(T *y, Index n, int *left2) {
  const int thread = threadIdx.x;
  after_earlier_grids();
  if (left2[0] != 0)
    return;
  // block > thread: strided (leaving.cdl:33), one part per thread
  // thread > ilp: strided (leaving.cdl:33), each with its register slots; serial (leaving.cdl:26)
  const int per = 16 / (int)sizeof(T);
  const Index ahead = to_aligned(&y[0]);
  const Index aligned = min_index(ahead, n);
  const Index ragged = aligned + (n - aligned) / per * per;
  Index i2 = aligned + thread * per;
  if (!once) {
    const Index many = aligned + (n - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i2 < many; i2 += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        load_wide(&wide[k2 * per], &y[i2 + k2 * (threads * per)]);
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          wide[k2 * per + s] = wide[k2 * per + s] / T(2);
      }
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        store_wide(&y[i2 + k2 * (threads * per)], &wide[k2 * per]);
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left3 = (int)(ragged - i2);
  T wide[loads * per];
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    if (k2 * (threads * per) < left3)
      load_wide(&wide[k2 * per], &y[i2 + k2 * (threads * per)]);
  }
  const int head = (int)aligned;
  const Index end = thread < head ? thread : ragged + (thread - head);
  if (end < n)
    y[end] = y[end] / T(2);
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    #pragma unroll
    for (int s = 0; s < per; ++s) {
      if (k2 * (threads * per) < left3)
        wide[k2 * per + s] = wide[k2 * per + s] / T(2);
    }
  }
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    if (k2 * (threads * per) < left3)
      store_wide(&y[i2 + k2 * (threads * per)], &wide[k2 * per]);
  }
}

// One block works for the whole grid.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) leaving_one_block8(T *found, T *out, Index aligned, Index ragged) {
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T partial[32];
  if (thread < 32)
    partial[thread] = lowest<T>();
  // block > thread: strided (max_steps.cdl:28), one part per thread
  // thread > ilp: strided (max_steps.cdl:28), each with its register slots; serial (max_steps.cdl:6)
  const int per = 16 / (int)sizeof(T);
  T best[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    best[s] = lowest<T>();
  Index i2 = aligned + thread * per;
  after_earlier_grids();
  if (!once) {
    const Index many = aligned + (1 - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i2 < many; i2 += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2)
        load_wide(&wide[k2 * per], &found[i2 + k2 * (threads * per)]);
      #pragma unroll
      for (int k2 = 0; k2 < loads; ++k2) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          best[s] = max(best[s], wide[k2 * per + s]);
      }
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left3 = (int)(ragged - i2);
  T wide[loads * per];
  #pragma unroll
  for (int s = 0; s < (loads * per); ++s)
    wide[s] = lowest<T>();
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    if (k2 * (threads * per) < left3)
      load_wide(&wide[k2 * per], &found[i2 + k2 * (threads * per)]);
  }
  const int head = (int)aligned;
  const Index end = thread < head ? thread : ragged + (thread - head);
  if (end < 1)
    best[0] = max(best[0], found[end]);
  #pragma unroll
  for (int k2 = 0; k2 < loads; ++k2) {
    #pragma unroll
    for (int s = 0; s < per; ++s)
      best[s] = max(best[s], wide[k2 * per + s]);
  }
  // thread: serial (max_steps.cdl:6)
  T best2 = lowest<T>();
  #pragma unroll
  for (Index i3 = 0; i3 < per; ++i3)
    best2 = max(best2, best[i3]);
  // block: tree (max_steps.cdl:38), exchanging registers
  T best3 = best2;
  for (int offset = 16; offset > 0; offset /= 2) {
    T other = __shfl_down_sync(0xffffffff, best3, offset);
    best3 = max(best3, other);
  }
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      partial[warp] = best3;
    __syncthreads();
    if (warp == 0) {
      best3 = partial[lane];
      for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
        T other = __shfl_down_sync(0xffffffff, best3, offset);
        best3 = max(best3, other);
      }
    }
  }
  if (thread == 0)
    out[0] = best3;
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *x, Index n, int turns, T *y, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid: steps (leaving.cdl:47)
  if (1 < 0)
    return cudaErrorInvalidValue;
  const size_t need = 32784 + ((size_t)2 * sizeof(int) + 15) / 16 * 16 + ((size_t)2 * sizeof(int) + 15) / 16 * 16 + ((size_t)1 * sizeof(T) + 15) / 16 * 16 + ((size_t)1 * sizeof(T) + 15) / 16 * 16 + (size_t)1 * sizeof(T);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  int *left = (int *)((char *)workspace + 32784);
  int *left2 = (int *)((char *)left + ((size_t)2 * sizeof(int) + 15) / 16 * 16);
  T *found = (T *)((char *)left2 + ((size_t)2 * sizeof(int) + 15) / 16 * 16);
  T *greatest_found = (T *)((char *)found + ((size_t)1 * sizeof(T) + 15) / 16 * 16);
  T *top_found = (T *)((char *)greatest_found + ((size_t)1 * sizeof(T) + 15) / 16 * 16);
  {
    const bool once = n <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&x[0]);
    const Index aligned = min_index(ahead, n);
    const Index ragged = aligned + (n - aligned) / (16 / (int)sizeof(T)) * (16 / (int)sizeof(T));
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? leaving_one_block<T, threads, loads, true> : leaving_one_block<T, threads, loads, false>, x, n, y, aligned, ragged);
    if (error != cudaSuccess) return error;
  }
  {
    const bool once = 1 <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&found[0]);
    const Index aligned = min_index(ahead, 1);
    const Index ragged = aligned + (1 - aligned) / (16 / (int)sizeof(T)) * (16 / (int)sizeof(T));
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? leaving_one_block2<T, threads, loads, true> : leaving_one_block2<T, threads, loads, false>, found, aligned, ragged);
    if (error != cudaSuccess) return error;
  }
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(1), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, leaving_enter<T>, left);
    if (error != cudaSuccess) return error;
  }
  for (Index turn = 0; turn < TGC_MOST_TURNS; ++turn) {
    {
      const bool once = n <= (threads * loads * (16 / (int)sizeof(T)));
      cudaLaunchAttribute early = may_begin_early();
      const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
      const cudaError_t error = cudaLaunchKernelEx(&grid, once ? leaving_one_block3<T, threads, loads, true> : leaving_one_block3<T, threads, loads, false>, y, n, greatest_found, left);
      if (error != cudaSuccess) return error;
    }
    {
      cudaLaunchAttribute early = may_begin_early();
      const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(1), 0, stream, &early, 1};
      const cudaError_t error = cudaLaunchKernelEx(&grid, leaving_leave<T>, left, greatest_found);
      if (error != cudaSuccess) return error;
    }
    {
      const bool once = n <= (threads * loads * (16 / (int)sizeof(T)));
      cudaLaunchAttribute early = may_begin_early();
      const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
      const cudaError_t error = cudaLaunchKernelEx(&grid, once ? leaving_one_block4<T, threads, loads, true> : leaving_one_block4<T, threads, loads, false>, y, n, left);
      if (error != cudaSuccess) return error;
    }
    if (asks_after(turn + 1)) {
      int is_left = 0;
      const cudaError_t error = wait_and_ask(&left[0], &is_left, stream);
      if (error != cudaSuccess) return error;
      if (is_left != 0) break;
    }
    if (turn + 1 == TGC_MOST_TURNS)
      return cudaErrorLaunchTimeout;
  }
  for (int k = 0; k < 2; ++k) {
    {
      cudaLaunchAttribute early = may_begin_early();
      const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(1), 0, stream, &early, 1};
      const cudaError_t error = cudaLaunchKernelEx(&grid, leaving_enter2<T>, left2);
      if (error != cudaSuccess) return error;
    }
    {
      LoopNode captured;
      const cudaError_t opened = captured.open(&stream, turns);
      if (opened != cudaSuccess) return opened;
      for (int i = 0; i < turns; ++i) {
        {
          cudaLaunchAttribute early = may_begin_early();
          const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(1), 0, stream, &early, 1};
          const cudaError_t error = cudaLaunchKernelEx(&grid, leaving_leave2<T>, found, left2);
          if (error != cudaSuccess) return error;
        }
        {
          cudaLaunchAttribute early = may_begin_early();
          const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
          const cudaError_t error = cudaLaunchKernelEx(&grid, leaving_one_block5<T, threads>, found, left2);
          if (error != cudaSuccess) return error;
        }
        {
          const bool once = n <= (threads * loads * (16 / (int)sizeof(T)));
          cudaLaunchAttribute early = may_begin_early();
          const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
          const cudaError_t error = cudaLaunchKernelEx(&grid, once ? leaving_one_block6<T, threads, loads, true> : leaving_one_block6<T, threads, loads, false>, y, n, top_found, left2);
          if (error != cudaSuccess) return error;
        }
        {
          cudaLaunchAttribute early = may_begin_early();
          const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(1), 0, stream, &early, 1};
          const cudaError_t error = cudaLaunchKernelEx(&grid, leaving_leave3<T>, k, left2, top_found);
          if (error != cudaSuccess) return error;
        }
        {
          const bool once = n <= (threads * loads * (16 / (int)sizeof(T)));
          cudaLaunchAttribute early = may_begin_early();
          const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
          const cudaError_t error = cudaLaunchKernelEx(&grid, once ? leaving_one_block7<T, threads, loads, true> : leaving_one_block7<T, threads, loads, false>, y, n, left2);
          if (error != cudaSuccess) return error;
        }
        if (captured.body) break; // the graph goes on
        if (asks_after(i + 1)) {
          int is_left = 0;
          const cudaError_t error = wait_and_ask(&left2[0], &is_left, stream);
          if (error != cudaSuccess) return error;
          if (is_left != 0) break;
        }
      }
      const cudaError_t closed = captured.close(&stream, &left2[0], turns);
      if (closed != cudaSuccess) return closed;
    }
  }
  {
    const bool once = 1 <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&found[0]);
    const Index aligned = min_index(ahead, 1);
    const Index ragged = aligned + (1 - aligned) / (16 / (int)sizeof(T)) * (16 / (int)sizeof(T));
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? leaving_one_block8<T, threads, loads, true> : leaving_one_block8<T, threads, loads, false>, found, out, aligned, ragged);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const leaving_configuration *c, void *workspace, size_t *workspace_bytes, const T *x, Index n, int turns, T *y, T *out, cudaStream_t stream) {
  const leaving_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(workspace, workspace_bytes, x, n, turns, y, out, stream);
  LEAVING_97020948_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace leaving_97020948

#define ROW(THREADS, LOADS) {THREADS, LOADS, 0},
// Those that were compiled; zeros end them.
extern "C" const leaving_configuration leaving_97020948_configurations[];
const leaving_configuration leaving_97020948_configurations[] = {LEAVING_97020948_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t leaving_97020948_float(const leaving_configuration *c, void *workspace, size_t *workspace_bytes, const float *x, uint64_t n, int turns, float *y, float *out, cudaStream_t stream) {
  return leaving_97020948::configured<float>(c, workspace, workspace_bytes, x, (leaving_97020948::Index)n, turns, y, out, stream);
}
