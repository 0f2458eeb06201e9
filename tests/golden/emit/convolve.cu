// convolve, variant ccc6a774: grid.windows/all-threads(thread.serial)
// Made by tgc from convolve.cdl for sm_60; this text is yours.
//
// baseline, 1 kernel, determinism sequential: each element is computed by itself, as the sequential codelet does
// batch-invariant: each element is computed by itself
//
//   grid: regroups by `windows', over its lanes (G4xT)
//     each part: thread: computes by `serial' (T6)
//
// codelets
//   windows      convolve.cdl:43
//   serial       convolve.cdl:12
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
#ifndef CONVOLVE_CCC6A774_CONFIGURATIONS
#define CONVOLVE_CCC6A774_CONFIGURATIONS(C) C(256)
#endif

#ifndef CONVOLVE_CONFIGURATION
#define CONVOLVE_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct convolve_configuration {
  int threads, loads;
  int64_t blocks;
  int halo_i, tile_i;
} convolve_configuration;
#endif

namespace convolve_ccc6a774 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// Each block processes its share of the parts.
template <typename T, int threads>
__global__ void __launch_bounds__(threads, 1) convolve_blocks(Index out_n, Index p, Index n, Index w_n, const T *__restrict__ in, const T *__restrict__ w, T *__restrict__ out) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  // grid > thread: windows (convolve.cdl:43), one part per thread
  for (Index turn = block * threads; turn < out_n; turn += p * threads) {
    const Index k = turn + thread;
    if (k < out_n) {
      const Index part_begin = min_index(k, n);
      // thread: serial (convolve.cdl:12)
      T sum = 0;
      #pragma unroll 8
      for (Index a = 0; a < w_n; ++a)
        sum += in[part_begin + a] * w[a];
      out[k] = sum;
    }
  }
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, const T *w, Index w_n, T *out, Index out_n, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: threads per block, 32 to 1024, a multiple of 32");
  if (n < 0 || w_n < 0 || out_n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  // grid > thread: windows (convolve.cdl:43), one part per thread
  const Index p = min_index(max_index((out_n + threads - 1) / threads, 1), blocks);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&out_n, (void *)&p, &n, &w_n, &in, &w, &out};
    const cudaError_t error = cudaLaunchKernel(convolve_blocks<T, threads>, dim3((unsigned)p), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename T>
cudaError_t configured(const convolve_configuration *c, void *workspace, size_t *workspace_bytes, const T *in, Index n, const T *w, Index w_n, T *out, Index out_n, cudaStream_t stream) {
  const convolve_configuration own = {0, 0, 0, 0, 0};
  if (c == nullptr) c = &own;
  const Index blocks = c->blocks ? c->blocks : 1024; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<T, THREADS>(blocks, workspace, workspace_bytes, in, n, w, w_n, out, out_n, stream);
  CONVOLVE_CCC6A774_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace convolve_ccc6a774

#define ROW(THREADS) {THREADS, 0, 1024, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const convolve_configuration convolve_ccc6a774_configurations[];
const convolve_configuration convolve_ccc6a774_configurations[] = {CONVOLVE_CCC6A774_CONFIGURATIONS(ROW) {0, 0, 0, 0, 0}};
#undef ROW

extern "C" cudaError_t convolve_ccc6a774_float(const convolve_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, const float *w, uint64_t w_n, float *out, uint64_t out_n, cudaStream_t stream) {
  return convolve_ccc6a774::configured<float>(c, workspace, workspace_bytes, in, (convolve_ccc6a774::Index)n, w, (convolve_ccc6a774::Index)w_n, out, (convolve_ccc6a774::Index)out_n, stream);
}
