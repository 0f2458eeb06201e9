// sum, variant a8375f98: grid.tiled!atomic(block.strided/all(thread.strided(ilp.serial; thread.serial); block.tree+shuffle))
// Made by tgc from sum.cdl for sm_60; this text is yours.
//
// shuffle, 1 kernel, determinism not_guaranteed: atomics accumulate in the order of arrival: floating-point results differ from run to run (integers do not)
// not batch-invariant: the result depends on the order of arrival
//
//   grid: regroups by `tiled', over its blocks (G3)
//     each part: block: regroups by `strided', over its lanes (B4x)
//       each part: thread: regroups by `strided', over its register slots (T4)
//         each part: ilp: computes by `serial' (I2)
//         results: thread: computes by `serial' (T2)
//       results: block: computes by `tree', exchanging registers (B5)
//     results: accumulated atomically at the grid
//
// codelets
//   tiled        sum.cdl:21
//   strided      sum.cdl:36
//   serial       sum.cdl:9
//   tree         sum.cdl:50
#include <cuComplex.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: threads per block, 32 to 1024, a multiple of 32
//   loads: 16-byte loads in flight, 1 to 16
#ifndef SUM_A8375F98_CONFIGURATIONS
#define SUM_A8375F98_CONFIGURATIONS(C) C(512, 2)
#endif

#ifndef SUM_CONFIGURATION
#define SUM_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct sum_configuration {
  int threads, loads;
  int64_t blocks;
} sum_configuration;
#endif

namespace sum_a8375f98 {

typedef long long Index; // sizes and positions

__host__ __device__ constexpr Index min_index(Index x, Index y) { return x < y ? x : y; }

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

// A value as the 32-bit words that shuffles move.
template <typename V> union Words {
  V value;
  unsigned word[(sizeof(V) + sizeof(unsigned) - 1) / sizeof(unsigned)];
};

// __shfl_down_sync, for values of any size.
template <typename V> __device__ __forceinline__ V shuffle_down(V value, int by) {
  Words<V> moved;
  moved.value = value;
#pragma unroll
  for (int k = 0; k < (int)(sizeof moved.word / sizeof(unsigned)); k++)
    moved.word[k] = __shfl_down_sync(0xffffffff, moved.word[k], by);
  return moved.value;
}

// First distance of an exchange over this many lanes: half of the next power of two.
__host__ __device__ constexpr int half_of(int lanes) {
  return lanes > 16 ? 16 : lanes > 8 ? 8 : lanes > 4 ? 4 : lanes > 2 ? 2 : lanes > 1 ? 1 : 0;
}

// atomicAdd for every element type of this file.
__device__ __forceinline__ void atomic_add(float *place, float value) {
  atomicAdd(place, value);
}
__device__ __forceinline__ void atomic_add(complex<float> *place, complex<float> value) {
  atomic_add(&place->re, value.re);
  atomic_add(&place->im, value.im);
}

// Sets the accumulator to the operator's identity.
template <typename T>
__global__ void sum_identity(T *__restrict__ out) {
  out[0] = 0;
}

// Each block reduces its part and adds it to the accumulator.
template <typename T, int threads, int loads, bool once>
__global__ void __launch_bounds__(threads, 1) sum_blocks(Index whole_tile, Index n, const T *__restrict__ in, T *__restrict__ out, Index ahead) {
  const Index block = blockIdx.x;
  const int thread = threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  __shared__ T partial[32];
  if (thread < 32)
    partial[thread] = 0;
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
  // block: tree (sum.cdl:50), exchanging registers
  T val = accum2;
  for (int offset = 16; offset > 0; offset /= 2) {
    T other = shuffle_down(val, offset);
    val += other;
  }
  if (threads > 32) {
    __syncthreads();
    if (lane == 0)
      partial[warp] = val;
    __syncthreads();
    if (warp == 0) {
      val = partial[lane];
      for (int offset = half_of(threads / 32); offset > 0; offset /= 2) {
        T other = shuffle_down(val, offset);
        val += other;
      }
    }
  }
  if (thread == 0)
    atomic_add(out, val);
}

// With no workspace: says how many bytes one needs. With one: queues the work on the stream.
template <typename T, int threads, int loads>
cudaError_t run(Index blocks, void *workspace, size_t *workspace_bytes, const T *in, Index n, T *out, cudaStream_t stream) {
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
    void *args[] = {&out};
    const cudaError_t error = cudaLaunchKernel(sum_identity<T>, dim3((unsigned)1), dim3(1), args, 0, stream);
    if (error != cudaSuccess) return error;
  }
  {
    const bool once = whole_tile <= (threads * loads * (16 / (int)sizeof(T)));
    const Index ahead = to_aligned(&in[0]);
    void *args[] = {(void *)&whole_tile, &n, &in, &out, (void *)&ahead};
    const cudaError_t error = cudaLaunchKernel(once ? sum_blocks<T, threads, loads, true> : sum_blocks<T, threads, loads, false>, dim3((unsigned)p), dim3(threads), args, 0, stream);
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
  const Index blocks = c->blocks ? c->blocks : 112; // maximum number of blocks, 1 to 2147483647
  if (blocks < 1 || blocks > 2147483647) return cudaErrorInvalidConfiguration;
#define RUN(THREADS, LOADS) if (serves(THREADS, c->threads) && serves(LOADS, c->loads)) return run<T, THREADS, LOADS>(blocks, workspace, workspace_bytes, in, n, out, stream);
  SUM_A8375F98_CONFIGURATIONS(RUN)
#undef RUN
  return cudaErrorInvalidConfiguration;
}

} // namespace sum_a8375f98

#define ROW(THREADS, LOADS) {THREADS, LOADS, 112},
// Those that were compiled; zeros end them.
extern "C" const sum_configuration sum_a8375f98_configurations[];
const sum_configuration sum_a8375f98_configurations[] = {SUM_A8375F98_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

extern "C" cudaError_t sum_a8375f98_cfloat(const sum_configuration *c, void *workspace, size_t *workspace_bytes, const cuFloatComplex *in, uint64_t n, cuFloatComplex *out, cudaStream_t stream) {
  return sum_a8375f98::configured<sum_a8375f98::complex<float>>(c, workspace, workspace_bytes, (const sum_a8375f98::complex<float> *)in, (sum_a8375f98::Index)n, (sum_a8375f98::complex<float> *)out, stream);
}
