// sum_counted.cu: sum of as many elements as a word in device memory says. Made by tgc from sum.cdl for sm_90;
// this text is yours.
//
// The variants that the table names, in its configurations. Their kernels read the number; how many blocks they have
// and how much workspace they need follows from the most that it may be.
#include "sum.h"

#include <cuda_runtime.h>
#include <limits>

// Notes, for sum_error_text, why a call failed; gives the error back.
extern "C" cudaError_t sum_failed(cudaError_t error, const char *format, ...);
// What can be told of a call's arguments before anything is queued. Without a workspace only the size is asked for.
extern "C" cudaError_t sum_arguments(const char *who, const void *workspace, const size_t *workspace_bytes, uint64_t n,
                                   const void *in, size_t in_aligned, const void *out, size_t out_aligned);
// Says why a variant refused a call whose arguments were right: it needs so many bytes; 0: it cannot serve so many.
extern "C" cudaError_t sum_refused(const char *who, cudaError_t error, uint64_t n, const void *workspace,
                                 size_t bytes, size_t need);

namespace sum_counted {

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

// Launch attribute: this many neighbouring blocks form a cluster.
inline cudaLaunchAttribute in_clusters(Index blocks) {
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = (unsigned)blocks;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  return cluster;
}

// The same shared-memory location in that block of the cluster.
template <typename E> __device__ __forceinline__ E *in_block(E *place, int rank) {
  return (E *)__cluster_map_shared_rank(place, (unsigned)rank);
}

// ---- grid.tiled!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial); block.shared_V2+shuffle)) ----

namespace v073ddfe0 {

// Sets the accumulator to the operator's identity.
template <typename T>
__global__ void sum_identity(T *out) {
  after_earlier_grids();
  out[0] = 0;
}

// Each block reduces its part and adds it to the accumulator.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) sum_blocks(Index p, const T *in, T *out, Index ahead, const unsigned long long *count, Index most) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T partial;
  after_earlier_grids();
  Index n = count[0] < (unsigned long long)most ? (Index)count[0] : most;
  const int grain = threads * (16 / (int)sizeof(T));
  Index tile = (n + p - 1) / p;
  const Index whole_tile = (tile + grain - 1) / grain * grain;
  if (thread == 0)
    partial = 0;
  // grid > block: tiled (sum.cdl:21), one part per block
  const Index block_begin = min_index(block * whole_tile, n);
  const Index block_end = min_index(whole_tile + block * whole_tile, n);
  // block > thread: strided (sum.cdl:36), one part per thread
  // thread > ilp: strided (sum.cdl:36), each with its register slots; serial (sum.cdl:9)
  const int per = 16 / (int)sizeof(T);
  T accum[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    accum[s] = 0;
  const Index aligned = min_index(block_begin + ahead, block_end);
  const Index ragged = aligned + (block_end - aligned) / per * per;
  Index i = aligned + thread * per;
  if (!once) {
    const Index many = aligned + (block_end - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i < many; i += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k)
        load_wide(&wide[k * per], &in[i + k * (threads * per)]);
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += wide[k * per + s];
      }
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left = (int)(ragged - i);
  T wide[loads * per];
  #pragma unroll
  for (int s = 0; s < (loads * per); ++s)
    wide[s] = 0;
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (k * (threads * per) < left)
      load_wide(&wide[k * per], &in[i + k * (threads * per)]);
  }
  const int head = (int)(aligned - block_begin);
  const Index end = thread < head ? block_begin + thread : ragged + (thread - head);
  if (end < block_end)
    accum[0] += in[end];
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] += wide[k * per + s];
  }
  // thread: serial (sum.cdl:9)
  T accum2 = 0;
  #pragma unroll
  for (Index i2 = 0; i2 < per; ++i2)
    accum2 += accum[i2];
  // block: shared_V2 (sum.cdl:89), exchanging registers
  T val = accum2;
  val = __reduce_add_sync(0xffffffff, val);
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      atomicAdd_block(&partial, val);
    __syncthreads();
    if (warp == 0)
      val = partial;
  }
  if (thread == 0)
    atomicAdd(out, val);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, const unsigned long long *count, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: tiled (sum.cdl:21), one part per block
  const int grain = threads * (16 / (int)sizeof(T));
  const Index p = min_index(max_index((n + grain - 1) / grain, 1), blocks);
  Index tile = (n + p - 1) / p;
  const Index whole_tile = (tile + grain - 1) / grain * grain;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(1), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, sum_identity<T>, out);
    if (error != cudaSuccess) return error;
  }
  {
    const bool once = whole_tile <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&in[0]);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? sum_blocks<T, threads, loads, true> : sum_blocks<T, threads, loads, false>, p, in, out, ahead, count, n);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}

// ---- grid>block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle) ----

namespace vd79e0a23 {

// One block works for the whole grid.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) sum_one_block(const T *in, T *out, Index ahead, const unsigned long long *count, Index most) {
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T partial[32];
  after_earlier_grids();
  Index n = count[0] < (unsigned long long)most ? (Index)count[0] : most;
  const Index aligned = min_index(ahead, n);
  const Index ragged = aligned + (n - aligned) / (16 / (int)sizeof(T)) * (16 / (int)sizeof(T));
  if (thread < 32)
    partial[thread] = 0;
  // block > thread: strided (sum.cdl:36), one part per thread
  // thread > ilp: strided (sum.cdl:36), each with its register slots; serial (sum.cdl:9)
  const int per = 16 / (int)sizeof(T);
  T accum[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    accum[s] = 0;
  Index i = aligned + thread * per;
  if (!once) {
    const Index many = aligned + (n - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i < many; i += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k)
        load_wide(&wide[k * per], &in[i + k * (threads * per)]);
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += wide[k * per + s];
      }
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left = (int)(ragged - i);
  T wide[loads * per];
  #pragma unroll
  for (int s = 0; s < (loads * per); ++s)
    wide[s] = 0;
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (k * (threads * per) < left)
      load_wide(&wide[k * per], &in[i + k * (threads * per)]);
  }
  const int head = (int)aligned;
  const Index end = thread < head ? thread : ragged + (thread - head);
  if (end < n)
    accum[0] += in[end];
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] += wide[k * per + s];
  }
  // thread: serial (sum.cdl:9)
  T accum2 = 0;
  #pragma unroll
  for (Index i2 = 0; i2 < per; ++i2)
    accum2 += accum[i2];
  // block: tree (sum.cdl:50), exchanging registers
  T val = accum2;
  val = __reduce_add_sync(0xffffffff, val);
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      partial[warp] = val;
    __syncthreads();
    if (warp == 0) {
      val = partial[lane];
      val = __reduce_add_sync(0xffffffff, val);
    }
  }
  if (thread == 0)
    out[0] = val;
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index, void *workspace, size_t *workspace_bytes, const T *in, const unsigned long long *count, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    const bool once = n <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&in[0]);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? sum_one_block<T, threads, loads, true> : sum_one_block<T, threads, loads, false>, in, out, ahead, count, n);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}

// ---- grid>block>warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree+shuffle) ----

namespace v53feb26c {

// One block works for the whole grid.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) sum_one_block(const T *in, T *out, Index ahead, const unsigned long long *count, Index most) {
  const int lane = threadIdx.x % 32;
  after_earlier_grids();
  Index n = count[0] < (unsigned long long)most ? (Index)count[0] : most;
  const Index aligned = min_index(ahead, n);
  const Index ragged = aligned + (n - aligned) / (16 / (int)sizeof(T)) * (16 / (int)sizeof(T));
  // block > warp: one warp acts for all
  {
    // warp > thread: strided (sum.cdl:36), one part per thread
    // thread > ilp: strided (sum.cdl:36), each with its register slots; serial (sum.cdl:9)
    const int per = 16 / (int)sizeof(T);
    T accum[per];
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] = 0;
    Index i = aligned + lane * per;
    if (!once) {
      const Index many = aligned + (n - aligned) / (32 * per * loads) * (32 * per * loads);
      #pragma unroll 1
      for (; i < many; i += 32 * per * loads) {
        T wide[loads * per];
        #pragma unroll
        for (int k = 0; k < loads; ++k)
          load_wide(&wide[k * per], &in[i + k * (32 * per)]);
        #pragma unroll
        for (int k = 0; k < loads; ++k) {
          #pragma unroll
          for (int s = 0; s < per; ++s)
            accum[s] += wide[k * per + s];
        }
      }
    }
    // the last round; with it what lies before the first and after the last 16 bytes
    const int left = (int)(ragged - i);
    T wide[loads * per];
    #pragma unroll
    for (int s = 0; s < (loads * per); ++s)
      wide[s] = 0;
    #pragma unroll
    for (int k = 0; k < loads; ++k) {
      if (k * (32 * per) < left)
        load_wide(&wide[k * per], &in[i + k * (32 * per)]);
    }
    const int head = (int)aligned;
    const Index end = lane < head ? lane : ragged + (lane - head);
    if (end < n)
      accum[0] += in[end];
    #pragma unroll
    for (int k = 0; k < loads; ++k) {
      #pragma unroll
      for (int s = 0; s < per; ++s)
        accum[s] += wide[k * per + s];
    }
    // thread: serial (sum.cdl:9)
    T accum2 = 0;
    #pragma unroll
    for (Index i2 = 0; i2 < per; ++i2)
      accum2 += accum[i2];
    // warp: tree (sum.cdl:50), exchanging registers
    T val = accum2;
    val = __reduce_add_sync(0xffffffff, val);
    if (lane == 0)
      out[0] = val;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index, void *workspace, size_t *workspace_bytes, const T *in, const unsigned long long *count, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 32 && threads % 32 == 0, "threads: threads per block, 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    const bool once = n <= (32 * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&in[0]);
    cudaLaunchAttribute early = may_begin_early();
    const cudaLaunchConfig_t grid = {dim3((unsigned)1), dim3(threads), 0, stream, &early, 1};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? sum_one_block<T, threads, loads, true> : sum_one_block<T, threads, loads, false>, in, out, ahead, count, n);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}

// ---- grid>cluster.tiled(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle); cluster>block.tree+shuffle) ----

namespace vbbc7db6a {

// Each block of a cluster reduces its part; the first one combines the results.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) sum_one_cluster(Index p, const T *in, T *out, Index ahead, const unsigned long long *count, Index most) {
  const int rank = __clusterRelativeBlockRank();
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T parts[8];
  __shared__ T partial[32];
  after_earlier_grids();
  Index n = count[0] < (unsigned long long)most ? (Index)count[0] : most;
  const int grain = threads * (16 / (int)sizeof(T));
  Index tile = (n + p - 1) / p;
  const Index whole_tile = (tile + grain - 1) / grain * grain;
  __cluster_barrier_arrive_relaxed();
  if (thread < 32)
    partial[thread] = 0;
  // cluster > block: tiled (sum.cdl:21), one part per block
  const Index block_begin = min_index(rank * whole_tile, n);
  const Index block_end = min_index(whole_tile + rank * whole_tile, n);
  // block > thread: strided (sum.cdl:36), one part per thread
  // thread > ilp: strided (sum.cdl:36), each with its register slots; serial (sum.cdl:9)
  const int per = 16 / (int)sizeof(T);
  T accum[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    accum[s] = 0;
  const Index aligned = min_index(block_begin + ahead, block_end);
  const Index ragged = aligned + (block_end - aligned) / per * per;
  Index i = aligned + thread * per;
  if (!once) {
    const Index many = aligned + (block_end - aligned) / (threads * per * loads) * (threads * per * loads);
    #pragma unroll 1
    for (; i < many; i += threads * per * loads) {
      T wide[loads * per];
      #pragma unroll
      for (int k = 0; k < loads; ++k)
        load_wide(&wide[k * per], &in[i + k * (threads * per)]);
      #pragma unroll
      for (int k = 0; k < loads; ++k) {
        #pragma unroll
        for (int s = 0; s < per; ++s)
          accum[s] += wide[k * per + s];
      }
    }
  }
  // the last round; with it what lies before the first and after the last 16 bytes
  const int left = (int)(ragged - i);
  T wide[loads * per];
  #pragma unroll
  for (int s = 0; s < (loads * per); ++s)
    wide[s] = 0;
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    if (k * (threads * per) < left)
      load_wide(&wide[k * per], &in[i + k * (threads * per)]);
  }
  const int head = (int)(aligned - block_begin);
  const Index end = thread < head ? block_begin + thread : ragged + (thread - head);
  if (end < block_end)
    accum[0] += in[end];
  #pragma unroll
  for (int k = 0; k < loads; ++k) {
    #pragma unroll
    for (int s = 0; s < per; ++s)
      accum[s] += wide[k * per + s];
  }
  // thread: serial (sum.cdl:9)
  T accum2 = 0;
  #pragma unroll
  for (Index i2 = 0; i2 < per; ++i2)
    accum2 += accum[i2];
  // block: tree (sum.cdl:50), exchanging registers
  T val = accum2;
  val = __reduce_add_sync(0xffffffff, val);
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      partial[warp] = val;
    __syncthreads();
    if (warp == 0) {
      val = partial[lane];
      val = __reduce_add_sync(0xffffffff, val);
    }
  }
  __cluster_barrier_wait();
  if (thread == 0)
    *in_block(&parts[rank], 0) = val;
  // cluster > block: the first block acts for all
  __cluster_barrier_arrive();
  if (rank == 0) {
    __cluster_barrier_wait();
    // block: tree (sum.cdl:50), exchanging registers
    T val2 = thread < p ? parts[thread] : T(0);
    val2 = __reduce_add_sync(0xffffffff, val2);
    if (thread == 0)
      out[0] = val2;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, const unsigned long long *count, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // cluster > block: tiled (sum.cdl:21), one part per block
  const Index p = blocks;
  const int grain = threads * (16 / (int)sizeof(T));
  Index tile = (n + p - 1) / p;
  const Index whole_tile = (tile + grain - 1) / grain * grain;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    const bool once = whole_tile <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&in[0]);
    cudaLaunchAttribute how[] = {may_begin_early(), in_clusters(p)};
    const cudaLaunchConfig_t grid = {dim3((unsigned)p), dim3(threads), 0, stream, how, 2};
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? sum_one_cluster<T, threads, loads, true> : sum_one_cluster<T, threads, loads, false>, p, in, out, ahead, count, n);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}

// ---- up to so many elements, in a grid of so many blocks, that function ----

template <typename F> struct Range {
  uint64_t up_to;
  Index blocks;
  F run;
};

typedef cudaError_t (*int_function)(Index blocks, void *workspace, size_t *workspace_bytes, const int *in,
    const unsigned long long *count, Index n, int *out, cudaStream_t stream);
const Range<int_function> int_ranges[] = {
  {      2048,    0, v53feb26c::run<int, 32, 2>},
  {     32768,    0, vd79e0a23::run<int, 512, 2>},
  {     65536,    8, vbbc7db6a::run<int, 512, 2>},
  {UINT64_MAX,  264, v073ddfe0::run<int, 512, 2>},
};

} // namespace sum_counted

extern "C" cudaError_t sum_int_counted(void *workspace, size_t *workspace_bytes, const int *in, const uint64_t *n,
    uint64_t most, int *out, cudaStream_t stream) {
  cudaError_t error = sum_arguments("sum_int_counted", workspace, workspace_bytes, most, in, alignof(decltype(*in)), out,
                                  alignof(decltype(*out)));
  if (error == cudaSuccess && workspace != nullptr && (n == nullptr || (uintptr_t)n % sizeof *n != 0))
    error = sum_failed(cudaErrorInvalidValue, "sum_int_counted: n, which points to the number of elements, is %s",
                     n == nullptr ? "NULL" : "not aligned to 8 bytes");
  if (error != cudaSuccess) return error;
  const sum_counted::Range<sum_counted::int_function> *r = sum_counted::int_ranges;
  while (most > r->up_to) ++r;
  const unsigned long long *count = (const unsigned long long *)n;
  error = r->run(r->blocks, workspace, workspace_bytes, in, count, (long long)most, out, stream);
  if (error == cudaSuccess) return error;
  size_t need = 0;
  if (r->run(r->blocks, nullptr, &need, in, count, (long long)most, out, stream) != cudaSuccess) need = 0;
  return sum_refused("sum_int_counted", error, most, workspace, *workspace_bytes, need);
}
