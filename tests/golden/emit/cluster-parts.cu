// segmented_sum, variant b542dfcb: grid.each(cluster.tiled(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle); cluster>block.tree+shuffle))
// Made by tgc from segmented_sum_offsets.cdl for sm_90; this text is yours.
//
// shuffle, 1 kernel, determinism run_to_run: no atomics, but where 16-byte loads begin depends on the input's alignment: the same address, the same result
// not batch-invariant: the result depends on the address: 16-byte loads begin where it is aligned
//
//   grid: regroups by `each', over its clusters (G3C)
//     each part: cluster: regroups by `tiled', over its blocks (C6)
//       each part: block: regroups by `strided', over its lanes (B7x)
//         each part: thread: regroups by `strided', over its register slots (T7)
//           each part: ilp: computes by `serial' (I5)
//           results: thread: computes by `serial' (T5)
//         results: block: computes by `tree', exchanging registers (B8)
//       results: cluster: one block acts for all (C4)
//         block: computes by `tree', exchanging registers (B8)
//
// codelets
//   each         segmented_sum_offsets.cdl:26
//   tiled        sum_steps.cdl:18
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef SEGMENTED_SUM_B542DFCB_CONFIGURATIONS
#define SEGMENTED_SUM_B542DFCB_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef SEGMENTED_SUM_CONFIGURATION
#define SEGMENTED_SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct segmented_sum_configuration {
  int threads, loads;
  int64_t blocks;
  int longest;
} segmented_sum_configuration;
#endif

namespace segmented_sum_b542dfcb {

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

// First distance of an exchange over this many lanes: half of the next power of two.
__host__ __device__ constexpr int half_of(int lanes) {
  return lanes > 16 ? 16 : lanes > 8 ? 8 : lanes > 4 ? 4 : lanes > 2 ? 2 : lanes > 1 ? 1 : 0;
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

// Each cluster has one of the parts: its blocks reduce a part of that, the first one combines the results.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) segmented_sum_clusters(const Index *offsets, Index out_n, Index n, Index p, const T *in, T *out) {
  const Index cluster = __clusterIdx().x;
  const int rank = __clusterRelativeBlockRank();
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T parts[8];
  __shared__ T partial[32];
  __cluster_barrier_arrive_relaxed();
  if (thread < 32)
    partial[thread] = 0;
  // grid > cluster: each (segmented_sum_offsets.cdl:26), one part per cluster
  after_earlier_grids();
  const Index offset = max_index(offsets[min_index(1 + cluster, out_n)], 0);
  const Index offset2 = max_index(offsets[min_index(cluster, out_n - 1)], 0);
  const Index part_begin = min_index(offset2, n);
  const Index part_end = min_index(offset, n);
  // cluster > block: tiled (sum_steps.cdl:18), one part per block
  const int grain = threads * (16 / (int)sizeof(T));
  Index len = part_end - part_begin;
  Index tile = (len + p - 1) / p;
  const Index whole_tile = (tile + grain - 1) / grain * grain;
  const Index block_begin = min_index(part_begin + rank * whole_tile, part_end);
  const Index block_end = min_index(part_begin + (whole_tile + rank * whole_tile), part_end);
  // block > thread: strided (sum_steps.cdl:33), one part per thread
  // thread > ilp: strided (sum_steps.cdl:33), each with its register slots; serial (sum_steps.cdl:6)
  const int per = 16 / (int)sizeof(T);
  T accum[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    accum[s] = 0;
  const Index ahead = to_aligned(&in[block_begin]);
  const Index aligned = min_index(block_begin + ahead, block_end);
  const Index ragged = aligned + (block_end - aligned) / per * per;
  Index i = aligned + thread * per;
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
  // thread: serial (sum_steps.cdl:6)
  T accum2 = 0;
  #pragma unroll
  for (Index i2 = 0; i2 < per; ++i2)
    accum2 += accum[i2];
  // block: tree (sum_steps.cdl:47), exchanging registers
  T val = accum2;
  for (int offset3 = 16; offset3 > 0; offset3 /= 2) {
    T other = __shfl_down_sync(0xffffffff, val, offset3);
    val += other;
  }
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      partial[warp] = val;
    __syncthreads();
    if (warp == 0) {
      val = partial[lane];
      for (int offset3 = half_of(threads / 32); offset3 > 0; offset3 /= 2) {
        T other = __shfl_down_sync(0xffffffff, val, offset3);
        val += other;
      }
    }
  }
  __cluster_barrier_wait();
  if (thread == 0)
    *in_block(&parts[rank], 0) = val;
  // cluster > block: the first block acts for all
  __cluster_barrier_arrive();
  if (rank == 0) {
    __cluster_barrier_wait();
    // block: tree (sum_steps.cdl:47), exchanging registers
    T val2 = thread < p ? parts[thread] : T(0);
    for (int offset3 = 16; offset3 > 0; offset3 /= 2) {
      T other = __shfl_down_sync(0xffffffff, val2, offset3);
      val2 += other;
    }
    if (thread == 0)
      out[cluster] = val2;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, const Index *offsets, Index offsets_n, T *out, Index out_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || offsets_n < 0 || out_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > cluster: each (segmented_sum_offsets.cdl:26), one part per cluster
  const Index p = blocks;
  if (out_n > (2147483647 / p))
    return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  if (out_n > 0) {
    cudaLaunchAttribute how[] = {may_begin_early(), in_clusters(p)};
    const cudaLaunchConfig_t grid = {dim3((unsigned)(out_n * p)), dim3(threads), 0, stream, how, 2};
    const cudaError_t error = cudaLaunchKernelEx(&grid, segmented_sum_clusters<T, threads, loads>, offsets, out_n, n, p, in, out);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, const Index *offsets, Index offsets_n, T *out, Index out_n, cudaStream_t stream) {
  const segmented_sum_configuration own = {0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 8; // blocks of the cluster, 1 to 8
  if (blocks < 1 || blocks > 8) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, in, n, offsets, offsets_n, out, out_n, stream);
  SEGMENTED_SUM_B542DFCB_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace segmented_sum_b542dfcb

#define ROW(THREADS, LOADS) {THREADS, LOADS, 8, 0},
// Those that were compiled; zeros end them.
extern "C" const segmented_sum_configuration segmented_sum_b542dfcb_configurations[];
const segmented_sum_configuration segmented_sum_b542dfcb_configurations[] = {SEGMENTED_SUM_B542DFCB_CONFIGURATIONS(ROW) {0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t segmented_sum_b542dfcb_float(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, const long long *offsets, uint64_t offsets_n, float *out, uint64_t out_n, cudaStream_t stream) {
  return segmented_sum_b542dfcb::configured<float>(c, workspace, workspace_bytes, in, (segmented_sum_b542dfcb::Index)n, offsets, (segmented_sum_b542dfcb::Index)offsets_n, out, (segmented_sum_b542dfcb::Index)out_n, stream);
}
