// compare_type.cu: one element type: its data, its exact results, and those that compete: the generated library, CUB,
// thrust.
//
// Compiled once for each type, since CUB's templates take their time, with -DSPECTRUM_HEADER="sum.h" -DSPECTRUM=sum
// -DTYPE=float -DOPERATION=add, or another of C's. An operator of the user's: compare_user.cu.
#include <cub/device/device_reduce.cuh>
#include <cuda/functional>
#include <cuda/std/functional>
#include <cuda_fp16.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/reduce.h>

#include <climits>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "ours.h"

namespace {

// ---- what is computed ----

struct Add {
  static __host__ __device__ long long start() { return 0; }
  static __host__ __device__ long long apply(long long x, long long y) { return x + y; }
  static __device__ void accumulate(unsigned long long *to, long long x) { atomicAdd(to, (unsigned long long)x); }
  static __device__ int number(uint64_t random) { return (int)(random % 17) - 8; } // sums of many are exact in a float
  typedef cuda::std::plus<> Functor;
  template <typename Out> static Out first() { return Out(0); }
  template <typename In, typename Out>
  static cudaError_t cub(void *workspace, size_t &bytes, In in, Out *out, int64_t n, cudaStream_t stream) {
    return cub::DeviceReduce::Sum(workspace, bytes, in, out, n, stream);
  }
};
struct Max {
  static __host__ __device__ long long start() { return LLONG_MIN; }
  static __host__ __device__ long long apply(long long x, long long y) { return x > y ? x : y; }
  static __device__ void accumulate(unsigned long long *to, long long x) { atomicMax((long long *)to, x); }
  static __device__ int number(uint64_t random) { return (int)(random % 201) - 100; }
  typedef cuda::maximum<> Functor;
  template <typename Out> static Out first() { return std::numeric_limits<Out>::lowest(); }
  template <typename In, typename Out>
  static cudaError_t cub(void *workspace, size_t &bytes, In in, Out *out, int64_t n, cudaStream_t stream) {
    return cub::DeviceReduce::Max(workspace, bytes, in, out, n, stream);
  }
};
struct Min {
  static __host__ __device__ long long start() { return LLONG_MAX; }
  static __host__ __device__ long long apply(long long x, long long y) { return x < y ? x : y; }
  static __device__ void accumulate(unsigned long long *to, long long x) { atomicMin((long long *)to, x); }
  static __device__ int number(uint64_t random) { return (int)(random % 201) - 100; }
  typedef cuda::minimum<> Functor;
  template <typename Out> static Out first() { return std::numeric_limits<Out>::max(); }
  template <typename In, typename Out>
  static cudaError_t cub(void *workspace, size_t &bytes, In in, Out *out, int64_t n, cudaStream_t stream) {
    return cub::DeviceReduce::Min(workspace, bytes, in, out, n, stream);
  }
};
// CUB has no name of its own for these.
template <typename Self> struct Reduced {
  template <typename In, typename Out>
  static cudaError_t cub(void *workspace, size_t &bytes, In in, Out *out, int64_t n, cudaStream_t stream) {
    const Out first = Self::template first<Out>();
    return cub::DeviceReduce::Reduce(workspace, bytes, in, out, n, typename Self::Functor(), first, stream);
  }
};
// 1 and -1: every product is exact.
struct Mul : Reduced<Mul> {
  static __host__ __device__ long long start() { return 1; }
  static __host__ __device__ long long apply(long long x, long long y) {
    return (long long)((unsigned long long)x * (unsigned long long)y);
  }
  static __device__ void accumulate(unsigned long long *to, long long x) {
    for (unsigned long long seen = *to, was = ~seen; seen != was;) {
      was = seen;
      seen = atomicCAS(to, was, (unsigned long long)apply((long long)was, x));
    }
  }
  static __device__ int number(uint64_t random) { return random & 1 ? 1 : -1; }
  typedef cuda::std::multiplies<> Functor;
  template <typename Out> static Out first() { return Out(1); }
};
// One bit in some 65536 numbers counts: of many more no bit would be left to tell a wrong result by.
static __device__ int seldom(uint64_t random) { return random % 65536 ? 0 : (int)(1u << (random >> 32) % 32); }
struct And : Reduced<And> {
  static __host__ __device__ long long start() { return -1; }
  static __host__ __device__ long long apply(long long x, long long y) { return x & y; }
  static __device__ void accumulate(unsigned long long *to, long long x) { atomicAnd(to, (unsigned long long)x); }
  static __device__ int number(uint64_t random) { return ~seldom(random); }
  typedef cuda::std::bit_and<> Functor;
  template <typename Out> static Out first() { return (Out)~Out(0); }
};
struct Or : Reduced<Or> {
  static __host__ __device__ long long start() { return 0; }
  static __host__ __device__ long long apply(long long x, long long y) { return x | y; }
  static __device__ void accumulate(unsigned long long *to, long long x) { atomicOr(to, (unsigned long long)x); }
  static __device__ int number(uint64_t random) { return seldom(random); }
  typedef cuda::std::bit_or<> Functor;
  template <typename Out> static Out first() { return Out(0); }
};
struct Xor : Reduced<Xor> {
  static __host__ __device__ long long start() { return 0; }
  static __host__ __device__ long long apply(long long x, long long y) { return x ^ y; }
  static __device__ void accumulate(unsigned long long *to, long long x) { atomicXor(to, (unsigned long long)x); }
  static __device__ int number(uint64_t random) { return (int)random; }
  typedef cuda::std::bit_xor<> Functor;
  template <typename Out> static Out first() { return Out(0); }
};
typedef Add operation_add;
typedef Max operation_max;
typedef Min operation_min;
typedef Mul operation_mul;
typedef And operation_and;
typedef Or operation_or;
typedef Xor operation_xor;
typedef PASTE(operation_, OPERATION) Operation;

// ---- data ----

__device__ int small_number(uint64_t i) {
  uint64_t x = i * 0x2545f4914f6cdd1dull + 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return Operation::number(x ^ (x >> 31));
}

template <typename In> __global__ void fill_kernel(In *in, uint64_t n) {
  const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) in[i] = In(small_number(i));
}

template <typename In>
__global__ void reference_kernel(const In *in, uint64_t n, uint64_t stride, unsigned long long *sums) {
  const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
  const In *const place = in + blockIdx.y * stride;
  long long sum = Operation::start();
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step)
    sum = Operation::apply(sum, (long long)place[i]);
  for (int d = 16; d > 0; d /= 2) sum = Operation::apply(sum, __shfl_down_sync(0xffffffffu, sum, d));
  if (threadIdx.x % 32 == 0) Operation::accumulate(&sums[blockIdx.y], sum);
}

template <typename In> void fill(void *in, uint64_t n) {
  fill_kernel<<<1024, 256>>>((In *)in, n);
  CUDA(cudaDeviceSynchronize());
}

template <typename In> void reference(const void *in, uint64_t n, uint64_t stride, int places, Value *sums) {
  unsigned long long *device;
  const dim3 grid(n < 4096 ? 1 : n < (1u << 20) ? 8 : 512, places);
  CUDA(cudaMalloc((void **)&device, places * sizeof *device));
  const std::vector<long long> start(places, Operation::start());
  CUDA(cudaMemcpy(device, start.data(), places * sizeof *device, cudaMemcpyHostToDevice));
  reference_kernel<<<grid, 256>>>((const In *)in, n, stride, device);
  std::vector<long long> host(places);
  CUDA(cudaMemcpy(host.data(), device, places * sizeof *device, cudaMemcpyDeviceToHost));
  for (int p = 0; p < places; p++) sums[p].number = host[p];
  CUDA(cudaFree(device));
}

template <typename Out> bool right(const void *result, const Value &sum, uint64_t) {
  Out got;
  std::memcpy(&got, result, sizeof got);
  return got == (Out)sum.number; // an unsigned sum has wrapped
}

// ---- the competition ----

// Half is accumulated in float.
template <typename In, typename Out> struct Widen {
  __host__ __device__ Out operator()(In x) const { return (Out)x; }
};

template <typename In, typename Out> auto elements(const void *in) {
  if constexpr (std::is_same<In, Out>::value) return (const In *)in;
  else return thrust::make_transform_iterator((const In *)in, Widen<In, Out>());
}

template <typename In, typename Out> Contender cub_reduce() {
  Contender c = {"cub"};
  c.call = [](void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t stream) {
    return Operation::cub(workspace, *bytes, elements<In, Out>(in), (Out *)out, (int64_t)n, stream);
  };
  return c;
}

// CUB's other way to widen, which may load several elements at a time.
template <typename In, typename Out> Contender cub_transform() {
  Contender c = {"cub-transform"};
  c.call = [](void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t stream) {
    return cub::DeviceReduce::TransformReduce(workspace, *bytes, (const In *)in, (Out *)out, (int64_t)n,
                                              Operation::Functor(), Widen<In, Out>(), Operation::first<Out>(), stream);
  };
  return c;
}

// It takes its memory anew at each call and waits for the result: tens of microseconds. It is left out where they
// vanish.
template <typename In, typename Out> Contender thrust_reduce() {
  Contender c = {"thrust"};
  c.to_host = true;
  c.most = 1u << 24;
  c.call = [](void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t stream) {
    *bytes = 1;
    if (!workspace) return cudaSuccess;
    const auto first = elements<In, Out>(in);
    *(Out *)out = thrust::reduce(thrust::cuda::par.on(stream), first, first + n, Operation::first<Out>(),
                                 Operation::Functor());
    return cudaSuccess;
  };
  return c;
}

template <typename In, typename Out> ElementType element_type(Dispatch<In, Out> dispatch) {
  ElementType t = {TEXT(TYPE), sizeof(In), sizeof(Out), fill<In>, reference<In>, right<Out>};
  t.contenders = {ours(dispatch), cub_reduce<In, Out>(), thrust_reduce<In, Out>()};
  if constexpr (!std::is_same<In, Out>::value) t.contenders.push_back(cub_transform<In, Out>());
  t.variants = variants<In, Out>();
  return t;
}

} // namespace

ElementType PASTE(element_type_, TYPE)() { return element_type(DISPATCH); }
