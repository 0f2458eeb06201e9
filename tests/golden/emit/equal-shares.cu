// segmented_sum, variant e6e96317: grid.each/equal-warp/8s(warp/8.strided(thread.serial; warp/8.tree+shuffle); warp.strided(thread.serial; warp.tree+shuffle))
// Made by tgc from segmented_sum_offsets.cdl for sm_80; this text is yours.
//
// shuffle, 3 kernels, determinism gpu_to_gpu: no atomics; the order depends only on constants of the variant and on the sizes
// not batch-invariant: where a part is cut depends on how many elements and parts stand before it
//
//   grid: regroups by `each', over its equal shares of the elements (G3eV)
//     each part: warp/8: regroups by `strided', over its threads (V7)
//       each part: thread: computes by `serial' (T5)
//       results: warp/8: computes by `tree', exchanging registers (V8)
//     results: warp: regroups by `strided', over its threads (W7)
//       each part: thread: computes by `serial' (T5)
//       results: warp: computes by `tree', exchanging registers (W8)
//
// codelets
//   each         segmented_sum_offsets.cdl:26
//   strided      sum_steps.cdl:33
//   serial       sum_steps.cdl:6
//   tree         sum_steps.cdl:47
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: elements in flight, 1 to 16
#ifndef SEGMENTED_SUM_E6E96317_CONFIGURATIONS
#define SEGMENTED_SUM_E6E96317_CONFIGURATIONS(C) C(256, 4)
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

namespace segmented_sum_e6e96317 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Each thread marks the shares that begin in a part.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) segmented_sum_marks(Index out_n, Index marking, const Index *__restrict__ offsets, Index n, Index shares, Index *__restrict__ cuts) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  for (Index part = block * threads + thread; part < (out_n + 1); part += marking * threads) {
    const Index before = part > 0 ? max_index(min_index(offsets[1 + (part - 1)], n), 0) + (part - 1) : -1;
    const Index own2 = part < out_n ? max_index(min_index(offsets[1 + part], n), 0) + part : shares * (threads * loads);
    for (Index cut = (before + threads * loads) / (threads * loads); cut < (own2 / (threads * loads) + 1); ++cut)
      cuts[cut] = part;
  }
}

// Each thread finds the part with which a share begins.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) segmented_sum_cuts(Index shares, Index searching, Index n, Index out_n, const Index *__restrict__ offsets, Index *__restrict__ cuts) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  for (Index cut = block * threads + thread; cut < (shares + 1); cut += searching * threads) {
    const Index step = min_index(cut * (threads * loads), n + out_n);
    Index low = 0;
    Index high = out_n;
    while (low < high) {
      const Index part = (high - low) / 8 + 1;
      Index before = 0;
      #pragma unroll
      for (int k = 1; k < 8; ++k) {
        const Index at = min_index(low + ((Index)k * part - 1), high - 1);
        before = before + (max_index(min_index(offsets[min_index(1 + at, out_n)], n), 0) + at < step ? 1 : 0);
      }
      high = min_index(low + (before + 1) * part - 1, high);
      low = min_index(low + before * part, high);
    }
    cuts[cut] = low;
  }
}

// Each block processes an equal share of the elements, one warp/8 per part of it.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, threads < 2048 ? 2048 / threads : 1) segmented_sum_blocks(Index *__restrict__ cuts, Index out_n, Index n, const T *__restrict__ in, const Index *__restrict__ offsets, T *__restrict__ out, T *__restrict__ partial, Index shares) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  __shared__ T staged[threads * loads];
  // grid > block: each (segmented_sum_offsets.cdl:26), equal shares of the elements
  const Index first = max_index(min_index(cuts[block], min_index(out_n, min_index(block * (threads * loads), n + out_n))), 0);
  const Index last = max_index(min_index(cuts[block + 1], min_index(out_n, min_index((block + 1) * (threads * loads), n + out_n))), 0);
  const Index share_begin = min_index(min_index(block * (threads * loads), n + out_n) - first, n);
  const Index share_end = min_index(min_index(min_index((block + 1) * (threads * loads), n + out_n) - last, min_index(block * (threads * loads), n + out_n) - first + threads * loads), n);
  const int last_item = (int)(share_end - share_begin - 1);
  T item[loads];
  const Index behind = min_index(last + 1, out_n);
  if (share_begin < share_end) {
    #pragma unroll
    for (int k = 0; k < loads; ++k)
      item[k] = in[share_begin + min(k * threads + thread, last_item)];
    #pragma unroll
    for (int k = 0; k < loads; ++k)
      staged[k * threads + thread] = item[k];
  }
  __syncthreads();
  for (Index turn = first; turn < behind; turn += threads / 8) {
    const Index k = turn + thread / 8;
    const Index offset = max_index(offsets[min_index(1 + k, out_n)], 0);
    const Index offset2 = max_index(offsets[min_index(k, out_n - 1)], 0);
    const Index part_begin = min_index(offset2, n);
    const Index part_end = min_index(offset, n);
    const Index until = k < behind ? part_end : part_begin;
    const Index from = max_index(part_begin, share_begin);
    const Index to = max_index(min_index(until, share_end), from);
    // warp/8 > thread: strided (sum_steps.cdl:33), one part per thread
    const Index thread_begin = from - share_begin + lane % 8;
    // thread: serial (sum_steps.cdl:6)
    T accum = 0;
    for (Index i = thread_begin; i < (to - share_begin); i += 8)
      accum += staged[i];
    // warp/8: tree (sum_steps.cdl:47), exchanging registers
    T val = accum;
    for (int offset3 = 4; offset3 > 0; offset3 /= 2) {
      T other = __shfl_down_sync(0xffffffff, val, offset3);
      val += other;
    }
    if (from == part_begin && (to == until) && (from < to || k < last)) {
      if (lane % 8 == 0 && (k < behind))
        out[k] = val;
    }
    else {
      if (from < to) {
        if (lane % 8 == 0 && (k < behind))
          partial[(part_begin < share_begin ? 0 : shares) + block] = val;
      }
    }
  }
}

// Each warp combines the pieces of a part that several blocks have.
template <typename T, int threads, int loads>
__global__ void __launch_bounds__(threads, 1) segmented_sum_pieces(Index shares, Index combining, Index *__restrict__ cuts, Index out_n, Index n, const Index *__restrict__ offsets, T *__restrict__ partial, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  for (Index border = block * (threads / 32) + warp; border < shares; border += combining * (threads / 32)) {
    const Index k = max_index(min_index(cuts[border + 1], min_index(out_n, min_index((border + 1) * (threads * loads), n + out_n))), 0);
    if (k < out_n) {
      const Index before = max_index(min_index(cuts[border], min_index(out_n, min_index(border * (threads * loads), n + out_n))), 0);
      const Index from = min_index(border * (threads * loads), n + out_n) - before;
      const Index to = min_index((border + 1) * (threads * loads), n + out_n) - k;
      const Index begin = max_index(min_index(offsets[k], n), 0);
      const Index end = max_index(min_index(offsets[1 + k], n), 0);
      if (from <= begin && (begin < to) && (to < end)) {
        const Index many = (end - 1 + k) / (threads * loads) - border;
        const T piece = partial[shares + border];
        // warp > thread: strided (sum_steps.cdl:33), one part per thread
        const Index thread_begin = border + 1 + lane;
        // thread: serial (sum_steps.cdl:6)
        T accum = 0;
        for (Index i = thread_begin; i < (border + 1 + many); i += 32)
          accum += partial[i];
        // warp: tree (sum_steps.cdl:47), exchanging registers
        T val = accum;
        for (int offset = 16; offset > 0; offset /= 2) {
          T other = __shfl_down_sync(0xffffffff, val, offset);
          val += lane + offset < 32 ? other : T(0);
        }
        const T total = piece + val;
        if (lane == 0)
          out[k] = total;
      }
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(void *workspace, size_t *workspace_bytes, const T *in, Index n, const Index *offsets, Index offsets_n, T *out, Index out_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  static_assert(loads >= 1 && loads <= 16, "loads: elements in flight, 1 to 16");
  if (n < 0 || offsets_n < 0 || out_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > block: each (segmented_sum_offsets.cdl:26), equal shares of the elements
  const Index shares = max_index((n + out_n + threads * loads - 1) / (threads * loads), 1);
  if (shares > 2147483647)
    return cudaErrorInvalidValue;
  const Index marking = (out_n + 1 + threads - 1) / threads;
  const Index searching = (shares + 1 + threads - 1) / threads;
  const Index combining = (shares + threads / 32 - 1) / (threads / 32);
  const size_t need = 32784 + ((size_t)(shares + 1) * sizeof(Index) + 15) / 16 * 16 + (size_t)shares * 2 * sizeof(T);
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  Index *cuts = (Index *)((char *)workspace + 32784);
  T *partial = (T *)((char *)cuts + ((size_t)(shares + 1) * sizeof(Index) + 15) / 16 * 16);
  if (out_n >= shares) {
    void *args[] = {&out_n, (void *)&marking, &offsets, &n, (void *)&shares, &cuts};
    const cudaError_t error = cudaLaunchKernel(segmented_sum_marks<T, threads, loads>, dim3((unsigned)marking), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  if (out_n < shares) {
    void *args[] = {(void *)&shares, (void *)&searching, &n, &out_n, &offsets, &cuts};
    const cudaError_t error = cudaLaunchKernel(segmented_sum_cuts<T, threads, loads>, dim3((unsigned)searching), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  {
    void *args[] = {&cuts, &out_n, &n, &in, &offsets, &out, &partial, (void *)&shares};
    const cudaError_t error = cudaLaunchKernel(segmented_sum_blocks<T, threads, loads>, dim3((unsigned)shares), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  {
    void *args[] = {(void *)&shares, (void *)&combining, &cuts, &out_n, &n, &offsets, &partial, &out};
    const cudaError_t error = cudaLaunchKernel(segmented_sum_pieces<T, threads, loads>, dim3((unsigned)combining), dim3(threads), args, 0, stream);
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
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(workspace, workspace_bytes, in, n, offsets, offsets_n, out, out_n, stream);
  SEGMENTED_SUM_E6E96317_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace segmented_sum_e6e96317

#define ROW(THREADS, LOADS) {THREADS, LOADS, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const segmented_sum_configuration segmented_sum_e6e96317_configurations[];
const segmented_sum_configuration segmented_sum_e6e96317_configurations[] = {SEGMENTED_SUM_E6E96317_CONFIGURATIONS(ROW) {0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t segmented_sum_e6e96317_float(const segmented_sum_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, const long long *offsets, uint64_t offsets_n, float *out, uint64_t out_n, cudaStream_t stream) {
  return segmented_sum_e6e96317::configured<float>(c, workspace, workspace_bytes, in, (segmented_sum_e6e96317::Index)n, offsets, (segmented_sum_e6e96317::Index)offsets_n, out, (segmented_sum_e6e96317::Index)out_n, stream);
}
