// sum, variant 586d31ae: grid>cluster.tiled(block.strided/all!atomic(thread.strided(ilp.serial; thread.serial)); cluster>block.tree)
// Made by tgc from sum.cdl for sm_90; this text is yours.
//
// global-atomic, 1 kernel, determinism sequential: the operator gives the same bits in any order
// batch-invariant: the operator gives the same bits in any order
//
//   grid: one cluster acts for all (G1C)
//     cluster: regroups by `tiled', over its blocks (C3)
//       each part: block: regroups by `strided', over its lanes (B4x)
//         each part: thread: regroups by `strided', over its register slots (T4)
//           each part: ilp: computes by `serial' (I2)
//           results: thread: computes by `serial' (T2)
//         results: accumulated atomically at the block
//       results: cluster: one block acts for all (C1)
//         block: computes by `tree' (B5)
//
// codelets
//   tiled        sum.cdl:21
//   strided      sum.cdl:36
//   serial       sum.cdl:9
//   tree         sum.cdl:50
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef SUM_586D31AE_CONFIGURATIONS
#define SUM_586D31AE_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef SUM_CONFIGURATION
#define SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct sum_configuration {
  int threads, loads;
  int64_t blocks;
} sum_configuration;
#endif

namespace sum_586d31ae {

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

// Each block of a cluster reduces its part; the first one combines the results.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) sum_one_cluster(Index whole_tile, Index n, const T *in, Index p, T *out, Index ahead) {
  const int rank = __clusterRelativeBlockRank();
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  __shared__ T parts[8];
  __shared__ T total;
  __shared__ T tmp[threads];
  __cluster_barrier_arrive_relaxed();
  if (thread == 0)
    total = 0;
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
  after_earlier_grids();
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
  __syncthreads();
  atomicAdd_block(&total, accum2);
  __cluster_barrier_wait();
  __syncthreads();
  if (thread == 0)
    *in_block(&parts[rank], 0) = total;
  // cluster > block: the first block acts for all
  __cluster_barrier_arrive();
  if (rank == 0) {
    __cluster_barrier_wait();
    // block: tree (sum.cdl:50)
    T val = thread < p ? parts[thread] : T(0);
    tmp[thread] = val;
    for (int offset = 16; offset > 0; offset /= 2) {
      __syncwarp();
      val += lane + offset < 32 ? tmp[thread + offset] : T(0);
      __syncwarp();
      tmp[thread] = val;
    }
    if (thread == 0)
      out[0] = val;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
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
    const cudaError_t error = cudaLaunchKernelEx(&grid, once ? sum_one_cluster<T, threads, loads, true> : sum_one_cluster<T, threads, loads, false>, whole_tile, n, in, p, out, ahead);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  const sum_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 8; // blocks of the cluster, 1 to 8
  if (blocks < 1 || blocks > 8) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, in, n, out, stream);
  SUM_586D31AE_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace sum_586d31ae

#define ROW(THREADS, LOADS) {THREADS, LOADS, 8},
// Those that were compiled; zeros end them.
extern "C" const sum_configuration sum_586d31ae_configurations[];
const sum_configuration sum_586d31ae_configurations[] = {SUM_586D31AE_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t sum_586d31ae_int(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out, cudaStream_t stream) {
  return sum_586d31ae::configured<int>(c, workspace, workspace_bytes, in, (sum_586d31ae::Index)n, out, stream);
}
