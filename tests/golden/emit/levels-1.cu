// sum, variant 6404fac8: grid>block.strided!atomic(warp.strided(thread.strided(ilp.serial; thread.serial); warp.tree))
// Made by tgc from sum.cdl for sm_70; this text is yours.
//
// global-atomic, 1 kernel, determinism not_guaranteed: atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)
//
//   grid: one block acts for all (G1)
//     block: regroups by `strided', over its warps (B4)
//       each part: warp: regroups by `strided', over its threads (W4)
//         each part: thread: regroups by `strided', over its register slots (T4)
//           each part: ilp: computes by `serial' (I2)
//           results: thread: computes by `serial' (T2)
//         results: warp: computes by `tree' (W5)
//       results: accumulated atomically at the block
//
// codelets
//   strided      sum.cdl:36
//   serial       sum.cdl:9
//   tree         sum.cdl:50
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: lanes of a block, 32 to 1024, a multiple of 32
#ifndef SUM_6404FAC8_CONFIGURATIONS
#define SUM_6404FAC8_CONFIGURATIONS(C) C(512)
#endif

#ifndef SUM_CONFIGURATION
#define SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct sum_configuration {
  int threads, loads;
  int64_t blocks;
} sum_configuration;
#endif

namespace sum_6404fac8 {

typedef long long Index; // sizes and positions

// One block acts for the grid.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) sum_one_block(Index n, const T *__restrict__ in, T *__restrict__ out) {
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T total;
  __shared__ T tmp[threads];
  if (thread == 0)
    total = 0;
  // block > warp: strided (sum.cdl:36), one part a warp
  const Index warp_begin = warp;
  // warp > thread: strided (sum.cdl:36), one part a thread
  const Index thread_begin = warp_begin + lane * (threads / 32);
  // thread: strided (sum.cdl:36), 2 parts one after another
  T part[2];
  for (int k = 0; k < 2; ++k) {
    const Index part_begin = thread_begin + k * (32 * (threads / 32));
    // ilp: serial (sum.cdl:9)
    T accum = 0;
    for (Index i = part_begin; i < n; i += 2 * (32 * (threads / 32)))
      accum += in[i];
    part[k] = accum;
  }
  // thread: serial (sum.cdl:9)
  T accum = 0;
  #pragma unroll
  for (Index i = 0; i < 2; ++i)
    accum += part[i];
  // warp: tree (sum.cdl:50)
  T val = accum;
  tmp[thread] = val;
  for (int offset = 16; offset > 0; offset /= 2) {
    __syncwarp();
    val += lane + offset < 32 ? tmp[thread + offset] : T(0);
    __syncwarp();
    tmp[thread] = val;
  }
  __syncthreads();
  if (lane == 0)
    atomicAdd_block(&total, val);
  __syncthreads();
  if (thread == 0)
    out[0] = total;
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: lanes of a block, 32 to 1024, a multiple of 32");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&n, &in, &out};
    const cudaError_t error = cudaLaunchKernel(sum_one_block<T, threads>, dim3((unsigned)1), dim3(threads), args, 0, stream);
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
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<T, THREADS>(workspace, workspace_bytes, in, n, out, stream);
  SUM_6404FAC8_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace sum_6404fac8

#define ROW(THREADS) {THREADS, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const sum_configuration sum_6404fac8_configurations[];
const sum_configuration sum_6404fac8_configurations[] = {SUM_6404FAC8_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t sum_6404fac8_int(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const int *in, uint64_t n, int *out, cudaStream_t stream) {
  return sum_6404fac8::configured<int>(c, workspace, workspace_bytes, in, (sum_6404fac8::Index)n, out, stream);
}
