// sum, variant 55b3a74a: grid>block.tiled(warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree+shuffle); block>warp>warp/8.tree+shuffle)
// Made by tgc from sum.cdl for sm_80; this text is yours.
//
// shuffle, 1 kernel, determinism sequential: the operator gives the same bits in any order
// batch-invariant: the operator gives the same bits in any order
//
//   grid: one block acts for all (G1)
//     block: regroups by `tiled', over its warps (B3)
//       each part: warp: regroups by `strided', over its threads (W4)
//         each part: thread: regroups by `strided', over its register slots (T4)
//           each part: ilp: computes by `serial' (I2)
//           results: thread: computes by `serial' (T2)
//         results: warp: computes by `tree', exchanging registers (W5)
//       results: block: one warp acts for all (B1)
//         warp: one warp/8 acts for all (W1V)
//           warp/8: computes by `tree', exchanging registers (V5)
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
//   threads: threads per block, 32 to 256, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef SUM_55B3A74A_CONFIGURATIONS
#define SUM_55B3A74A_CONFIGURATIONS(C) C(256, 2)
#endif

#ifndef SUM_CONFIGURATION
#define SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct sum_configuration {
  int threads, loads;
  int64_t blocks;
} sum_configuration;
#endif

namespace sum_55b3a74a {

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

// One block works for the whole grid.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) sum_one_block(Index n, const T *__restrict__ in, T *__restrict__ out) {
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T parts[threads / 32];
  // block > warp: tiled (sum.cdl:21), one part per warp
  Index tile = (n + threads / 32 - 1) / (threads / 32);
  const Index warp_begin = min_index(warp * tile, n);
  const Index warp_end = min_index(tile + warp * tile, n);
  // warp > thread: strided (sum.cdl:36), one part per thread
  // thread > ilp: strided (sum.cdl:36), each with its register slots; serial (sum.cdl:9)
  const int per = 16 / (int)sizeof(T);
  T accum[per];
  #pragma unroll
  for (int s = 0; s < per; ++s)
    accum[s] = 0;
  const Index ahead = to_aligned(&in[warp_begin]);
  const Index aligned = min_index(warp_begin + ahead, warp_end);
  const Index ragged = aligned + (warp_end - aligned) / per * per;
  Index i = aligned + lane * per;
  const Index many = aligned + (warp_end - aligned) / (32 * per * loads) * (32 * per * loads);
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
  const int head = (int)(aligned - warp_begin);
  const Index end = lane < head ? warp_begin + lane : ragged + (lane - head);
  if (end < warp_end)
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
    parts[warp] = val;
  // block > warp: one warp acts for all
  __syncthreads();
  if (warp == 0) {
    // warp > warp/8: each does the same
    // warp/8: tree (sum.cdl:50), exchanging registers
    T val2 = lane % 8 < (threads / 32) ? parts[lane % 8] : T(0);
    for (int offset = 4; offset > 0; offset /= 2) {
      T other = __shfl_down_sync(0xffffffff, val2, offset);
      val2 += other;
    }
    if (lane == 0)
      out[0] = val2;
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 256 && threads % 32 == 0, "threads: threads per block, 32 to 256, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: 16-byte loads in flight, 1 to 16");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&n, &in, &out};
    const cudaError_t error = cudaLaunchKernel(sum_one_block<T, threads, loads>, dim3((unsigned)1), dim3(threads), args, 0, stream);
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
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(workspace, workspace_bytes, in, n, out, stream);
  SUM_55B3A74A_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace sum_55b3a74a

#define ROW(THREADS, LOADS) {THREADS, LOADS, 0},
// Those that were compiled; zeros end them.
extern "C" const sum_configuration sum_55b3a74a_configurations[];
const sum_configuration sum_55b3a74a_configurations[] = {SUM_55B3A74A_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t sum_55b3a74a_int(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out, cudaStream_t stream) {
  return sum_55b3a74a::configured<int>(c, workspace, workspace_bytes, in, (sum_55b3a74a::Index)n, out, stream);
}
