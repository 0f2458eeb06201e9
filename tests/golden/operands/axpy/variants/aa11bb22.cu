// axpy, variant aa11bb22: grid.tiled(block.tree, block.tree)
// Made by tgc from sum.cdl for sm_60; this text is yours.
//
// baseline, 2 kernels, determinism gpu_to_gpu: every width is a constant or follows from n
// batch-invariant: the order follows from n
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: computes by `tree' (B2)
//     results: block: computes by `tree' (B2)
//
// codelets
//   tiled        sum.cdl:4
//   tree         sum.cdl:3
#include <cuda_fp16.h>
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads); the first is the variant's own.
//   threads: lanes of a block, 32 to 1024, a multiple of 32
#ifndef AXPY_AA11BB22_CONFIGURATIONS
#define AXPY_AA11BB22_CONFIGURATIONS(C) C(128)
#endif

#ifndef AXPY_CONFIGURATION
#define AXPY_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct axpy_configuration {
  int threads, loads;
  int64_t blocks;
} axpy_configuration;
#endif

namespace axpy_aa11bb22 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index max_index(Index x, Index y) { return x > y ? x : y; }

// A complex number, laid out as cuFloatComplex and cuDoubleComplex are.
template <typename R> struct alignas(2 * sizeof(R)) complex {
  R re, im;
  complex() = default;
  __host__ __device__ constexpr complex(R re, R im = 0) : re(re), im(im) {}
  template <typename S> __host__ __device__ constexpr explicit complex(const complex<S> &x) : re((R)x.re), im((R)x.im) {}
  __host__ __device__ complex &operator+=(complex x) { return *this = *this + x; }
  __host__ __device__ complex &operator-=(complex x) { return *this = *this - x; }
  __host__ __device__ complex &operator*=(complex x) { return *this = *this * x; }
  __host__ __device__ complex &operator/=(complex x) { return *this = *this / x; }
  __host__ __device__ constexpr complex operator-() const { return complex(-re, -im); }
  friend __host__ __device__ constexpr complex operator+(complex x, complex y) { return complex(x.re + y.re, x.im + y.im); }
  friend __host__ __device__ constexpr complex operator-(complex x, complex y) { return complex(x.re - y.re, x.im - y.im); }
  friend __host__ __device__ constexpr complex operator*(complex x, complex y) {
    return complex(x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re);
  }
  friend __host__ __device__ constexpr complex operator/(complex x, complex y) {
    const R size = y.re * y.re + y.im * y.im;
    return complex((x.re * y.re + x.im * y.im) / size, (x.im * y.re - x.re * y.im) / size);
  }
  friend __host__ __device__ constexpr bool operator==(complex x, complex y) { return x.re == y.re && x.im == y.im; }
  friend __host__ __device__ constexpr bool operator!=(complex x, complex y) { return !(x == y); }
};

template <typename E, typename T, int threads>
__global__ void __launch_bounds__(threads, 1) axpy_blocks(T a, const E *__restrict__ x, Index n, T *__restrict__ y) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const Index i = block * threads + thread;
  if (i < n)
    y[i] = a * (T)x[i] + y[i];
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename E, typename T, int threads>
cudaError_t run(void *workspace, size_t *workspace_bytes, T a, const E *x, Index n, T *y, cudaStream_t stream) {
  static_assert(threads >= 32 && threads <= 1024 && threads % 32 == 0, "threads: lanes of a block, 32 to 1024, a multiple of 32");
  if (n < 0 || workspace_bytes == nullptr) return cudaErrorInvalidValue;
  const Index blocks = max_index(1, (n + (threads - 1)) / threads);
  const size_t need = 1; // none, but never zero
  if (workspace == nullptr) {
    *workspace_bytes = need;
    return cudaSuccess;
  }
  if (*workspace_bytes < need) return cudaErrorInvalidValue;
  {
    void *args[] = {&a, &x, &n, &y};
    const cudaError_t error = cudaLaunchKernel(axpy_blocks<E, T, threads>, dim3((unsigned)blocks), dim3(threads), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

inline bool serves(int compiled, int wanted) { return wanted == 0 || wanted == compiled; }

// The same in the configuration c; NULL: the variant's own.
template <typename E, typename T>
cudaError_t configured(const axpy_configuration *c, void *workspace, size_t *workspace_bytes, T a, const E *x, Index n, T *y, cudaStream_t stream) {
  const axpy_configuration own = {0, 0, 0};
  if (c == nullptr) c = &own;
#define RUN(THREADS) if (serves(THREADS, c->threads)) return run<E, T, THREADS>(workspace, workspace_bytes, a, x, n, y, stream);
  AXPY_AA11BB22_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace axpy_aa11bb22

#define ROW(THREADS) {THREADS, 0, 0},
// Those that were compiled; zeros end them.
extern "C" const axpy_configuration axpy_aa11bb22_configurations[];
const axpy_configuration axpy_aa11bb22_configurations[] = {AXPY_AA11BB22_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t axpy_aa11bb22_float(const axpy_configuration *c, void *workspace, size_t *workspace_bytes, float a, const float *x, uint64_t n, float *y, cudaStream_t stream) {
  return axpy_aa11bb22::configured<float, float>(c, workspace, workspace_bytes, a, x, (axpy_aa11bb22::Index)n, y, stream);
}

extern "C" cudaError_t axpy_aa11bb22_half(const axpy_configuration *c, void *workspace, size_t *workspace_bytes, float a, const __half *x, uint64_t n, float *y, cudaStream_t stream) {
  return axpy_aa11bb22::configured<__half, float>(c, workspace, workspace_bytes, a, x, (axpy_aa11bb22::Index)n, y, stream);
}

extern "C" cudaError_t axpy_aa11bb22_cfloat(const axpy_configuration *c, void *workspace, size_t *workspace_bytes, cuFloatComplex a, const cuFloatComplex *x, uint64_t n, cuFloatComplex *y, cudaStream_t stream) {
  return axpy_aa11bb22::configured<axpy_aa11bb22::complex<float>, axpy_aa11bb22::complex<float>>(c, workspace, workspace_bytes, *(const axpy_aa11bb22::complex<float> *)&a, (const axpy_aa11bb22::complex<float> *)x, (axpy_aa11bb22::Index)n, (axpy_aa11bb22::complex<float> *)y, stream);
}
