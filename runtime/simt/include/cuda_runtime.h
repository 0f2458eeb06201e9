// cuda_runtime.h: the CUDA names of a kernel's text, for running it on the CPU (../simt.h), a fiber a thread.
//
// Found before the toolkit's own by -I, it lets a .cu file compile unmodified as C++17:
//   clang++ -x c++ -std=c++17 -I runtime/simt/include -c kernel.cu
#ifndef TGC_SIMT_CUDA_RUNTIME_H
#define TGC_SIMT_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include <initializer_list>
#include <tuple>
#include <utility>

#include "../kernels.h"
#include "../work.h"

// ---- qualifiers ----

#define __global__
#define __device__
#define __host__
#define __constant__ static const
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __grid_constant__

// A shared variable is a static in a section of its own, between red zones: so the executor knows its bounds.
#define TGC_SIMT_PASTE2(a, b) a##b
#define TGC_SIMT_PASTE(a, b) TGC_SIMT_PASTE2(a, b)
#define TGC_SIMT_SHARED static __attribute__((section("simt_shared"), used, aligned(16)))
#define __shared__                                                       \
  TGC_SIMT_SHARED char TGC_SIMT_PASTE(simt_red_zone_, __COUNTER__)[256]; \
  TGC_SIMT_SHARED

// ---- a launch's attributes ----

#include "launch_config.h"

namespace simt {

// Before `gridDim' is a name of the kernel's.
inline bool launch(const void *kernel, const cudaLaunchConfig_t &c, void (*run)(void *), void *context) {
  bool early = false, together = false;
  dim3 cluster;
  for (unsigned i = 0; i < c.numAttrs; i++) {
    const cudaLaunchAttributeValue &v = c.attrs[i].val;
    if (c.attrs[i].id == cudaLaunchAttributeProgrammaticStreamSerialization)
      early = v.programmaticStreamSerializationAllowed;
    if (c.attrs[i].id == cudaLaunchAttributeClusterDimension)
      cluster = dim3(v.clusterDim.x, v.clusterDim.y, v.clusterDim.z);
    if (c.attrs[i].id == cudaLaunchAttributeCooperative) together = v.cooperative;
  }
  return launch(kernel, c.gridDim, c.blockDim, c.dynamicSmemBytes, run, context, early, cluster, together);
}

} // namespace simt

// ---- where a thread is ----

#define threadIdx (simt::current->index)
#define blockIdx (simt::block_index)
#define blockDim (simt::block_size)
#define gridDim (simt::grid_size)
#define warpSize 32

// ---- launches ----

namespace simt {

template <typename... P>
struct Call {
  void (*kernel)(P...);
  void **arguments;

  template <size_t... I>
  void with(std::index_sequence<I...>) const {
    kernel(*(P *)arguments[I]...);
  }
  static void run(void *self) { ((const Call *)self)->with(std::index_sequence_for<P...>()); }
};

// Launches the kernel with these arguments, now or with the graph; launch(run, context) runs it on a grid.
template <typename Launch, typename... P>
cudaError_t queue(cudaStream_t stream, void (*kernel)(P...), std::tuple<P...> values, Launch launch) {
  return do_or_capture(stream, [kernel, values, launch]() mutable {
    void *places[sizeof...(P) + 1];
    const auto place_each = [&](auto &...value) {
      int i = 0;
      (void)std::initializer_list<int>{(places[i++] = (void *)&value, 0)...};
    };
    std::apply(place_each, values);
    Call<P...> call = {kernel, places};
    return launch(Call<P...>::run, &call) ? cudaSuccess : cudaErrorLaunchFailure;
  });
}

template <typename... P, size_t... I>
std::tuple<P...> copied(void **arguments, void (*)(P...), std::index_sequence<I...>) {
  (void)arguments;
  return std::tuple<P...>(*(P *)arguments[I]...);
}

} // namespace simt

template <typename... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                             cudaStream_t stream = nullptr) {
  return simt::queue(stream, kernel, simt::copied(arguments, kernel, std::index_sequence_for<P...>()),
                     [=](void (*run)(void *), void *context) {
                       return simt::launch((const void *)kernel, grid, block, shared_bytes, run, context);
                     });
}

// A grid that may begin before the one ahead of it has ended: here it never does, but what it does before it waits is
// watched.
template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...arguments) {
  struct Attributes {
    cudaLaunchAttribute at[4];
  } attributes;
  cudaLaunchConfig_t copy = *config;
  if (copy.numAttrs > sizeof attributes.at / sizeof *attributes.at) return cudaErrorInvalidValue;
  memcpy(attributes.at, config->attrs, copy.numAttrs * sizeof *attributes.at);
  return simt::queue(config->stream, kernel, std::tuple<P...>(std::forward<A>(arguments)...),
                     [=](void (*run)(void *), void *context) mutable {
                       copy.attrs = attributes.at;
                       return simt::launch((const void *)kernel, copy, run, context);
                     });
}
inline void cudaTriggerProgrammaticLaunchCompletion() {}
inline void cudaGridDependencySynchronize() { simt::after_grids(); }

namespace simt {
void set_condition(cudaGraphConditionalHandle handle, unsigned value); // graph.cc
}
inline void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value) {
  simt::set_condition(handle, value);
}

// ---- warps ----
// Each takes the line that calls it: the executor compares call sites, and reports name them.

namespace simt {

template <typename T>
inline uint64_t pack(T v) {
  static_assert(sizeof(T) <= 8, "a shuffle moves at most eight bytes");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &v, sizeof v);
  return bits;
}

template <typename T>
inline T unpack(uint64_t bits) {
  T v;
  __builtin_memcpy(&v, &bits, sizeof v);
  return v;
}

} // namespace simt

#define TGC_SIMT_LINE int line = __builtin_LINE()
#define TGC_SIMT_SHUFFLE(name, op, Distance)                                                              \
  template <typename T>                                                                                  \
  inline T name(unsigned mask, T value, Distance distance, int width = 32, TGC_SIMT_LINE) {              \
    return simt::unpack<T>(                                                                              \
        simt::collective(simt::op, mask, simt::pack(value), (unsigned)distance, (unsigned)width, line)); \
  }
TGC_SIMT_SHUFFLE(__shfl_sync, SHUFFLE, int)
TGC_SIMT_SHUFFLE(__shfl_up_sync, SHUFFLE_UP, unsigned)
TGC_SIMT_SHUFFLE(__shfl_down_sync, SHUFFLE_DOWN, unsigned)
TGC_SIMT_SHUFFLE(__shfl_xor_sync, SHUFFLE_XOR, int)

inline unsigned __ballot_sync(unsigned mask, int p, TGC_SIMT_LINE) {
  return (unsigned)simt::collective(simt::BALLOT, mask, p != 0, 0, 32, line);
}
inline int __all_sync(unsigned mask, int p, TGC_SIMT_LINE) {
  return __ballot_sync(mask, p, line) == mask;
}
inline int __any_sync(unsigned mask, int p, TGC_SIMT_LINE) {
  return __ballot_sync(mask, p, line) != 0;
}
inline void __syncwarp(unsigned mask = 0xffffffffu, TGC_SIMT_LINE) {
  simt::collective(simt::SYNC_WARP, mask, 0, 0, 32, line);
}
inline unsigned __reduce_add_sync(unsigned mask, unsigned v, TGC_SIMT_LINE) {
  return (unsigned)simt::collective(simt::REDUCE_ADD, mask, v, 0, 32, line);
}
inline int __reduce_add_sync(unsigned mask, int v, TGC_SIMT_LINE) {
  return (int)simt::collective(simt::REDUCE_ADD, mask, (unsigned)v, 0, 32, line);
}
#define TGC_SIMT_REDUCE(name, op)                                                           \
  inline unsigned name(unsigned mask, unsigned v, TGC_SIMT_LINE) {                          \
    return (unsigned)simt::collective(simt::op, mask, v, 0, 32, line);                      \
  }                                                                                         \
  inline int name(unsigned mask, int v, TGC_SIMT_LINE) {                                    \
    return (int)simt::collective(simt::op, mask, (uint64_t)(int64_t)v, 0, 32, line);        \
  }
TGC_SIMT_REDUCE(__reduce_max_sync, REDUCE_MAX)
TGC_SIMT_REDUCE(__reduce_min_sync, REDUCE_MIN)
#define TGC_SIMT_REDUCE_BITS(name, op)                                 \
  inline unsigned name(unsigned mask, unsigned v, TGC_SIMT_LINE) {     \
    return (unsigned)simt::collective(simt::op, mask, v, 0, 32, line); \
  }
TGC_SIMT_REDUCE_BITS(__reduce_and_sync, REDUCE_AND)
TGC_SIMT_REDUCE_BITS(__reduce_or_sync, REDUCE_OR)
TGC_SIMT_REDUCE_BITS(__reduce_xor_sync, REDUCE_XOR)

// ---- matrix units ----

#include "../matrix.h"

// ---- copies that go on ----

#include "../copies.h"

// ---- blocks, fences ----

inline void __syncthreads(TGC_SIMT_LINE) { simt::barrier(simt::BARRIER, 0, line); }
inline int __syncthreads_count(int p, TGC_SIMT_LINE) { return simt::barrier(simt::BARRIER_COUNT, p != 0, line); }
inline int __syncthreads_and(int p, TGC_SIMT_LINE) { return simt::barrier(simt::BARRIER_AND, p != 0, line); }
inline int __syncthreads_or(int p, TGC_SIMT_LINE) { return simt::barrier(simt::BARRIER_OR, p != 0, line); }
inline void __threadfence() { simt::fence(); }
inline void __threadfence_block() {}
inline void __threadfence_system() { simt::fence(); }

// ---- clusters of blocks ----

inline dim3 __clusterIdx() { return dim3(blockIdx.x / simt::cluster_blocks); }
inline unsigned __clusterRelativeBlockRank() { return simt::block_rank; }
inline unsigned __clusterSizeInBlocks() { return simt::cluster_blocks; }
inline void __cluster_barrier_arrive(TGC_SIMT_LINE) { simt::cluster_arrive(false, line); }
inline void __cluster_barrier_arrive_relaxed(TGC_SIMT_LINE) { simt::cluster_arrive(true, line); }
inline void __cluster_barrier_wait(TGC_SIMT_LINE) { simt::cluster_wait(line); }
inline void *__cluster_map_shared_rank(const void *place, unsigned rank, TGC_SIMT_LINE) {
  return simt::in_block(place, rank, line);
}

// ---- atomics ----
// Exactly the types that CUDA has each for, so that text which asks for another fails to compile here too.

#define ATOMIC(name, T, result)                          \
  T name(T *place, T value, int line = __builtin_LINE()); \
  T name##_block(T *place, T value, int line = __builtin_LINE());
#define ATOMIC_SWAP(T)                                                     \
  T atomicCAS(T *place, T expected, T value, int line = __builtin_LINE()); \
  T atomicCAS_block(T *place, T expected, T value, int line = __builtin_LINE());
#include "../atomics.def"
#undef ATOMIC
#undef ATOMIC_SWAP

// ---- groups of warps ----

#include "../groups.h"

// ---- values ----

inline int __float_as_int(float v) { return simt::unpack<int>(simt::pack(v)); }
inline unsigned __float_as_uint(float v) { return simt::unpack<unsigned>(simt::pack(v)); }
inline float __int_as_float(int v) { return simt::unpack<float>(simt::pack(v)); }
inline float __uint_as_float(unsigned v) { return simt::unpack<float>(simt::pack(v)); }
inline long long __double_as_longlong(double v) { return simt::unpack<long long>(simt::pack(v)); }
inline double __longlong_as_double(long long v) { return simt::unpack<double>(simt::pack(v)); }
/* Four products of bytes, added up. */
inline int __dp4a(int a, int b, int c) {
  for (int k = 0; k < 32; k += 8) c += (int)(signed char)((unsigned)a >> k) * (int)(signed char)((unsigned)b >> k);
  return c;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int k = 0; k < 32; k += 8) c += (a >> k & 255) * (b >> k & 255);
  return c;
}
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
template <typename T>
inline T __ldg(const T *place) {
  return *place;
}
inline uint4 __ldcg(const uint4 *place) {
  simt::before_wide(place);
  return *place;
}
inline void __stwb(uint4 *place, uint4 value) { *place = value; }

#define TGC_SIMT_EXTREMES(T)                          \
  inline T min(T x, T y) { return y < x ? y : x; }    \
  inline T max(T x, T y) { return x < y ? y : x; }
TGC_SIMT_EXTREMES(int)
TGC_SIMT_EXTREMES(unsigned)
TGC_SIMT_EXTREMES(long)
TGC_SIMT_EXTREMES(unsigned long)
TGC_SIMT_EXTREMES(long long)
TGC_SIMT_EXTREMES(unsigned long long)
#undef TGC_SIMT_EXTREMES
// CUDA's: newer C libraries have the second one, too.
inline float rsqrt(float x) { return 1 / sqrtf(x); }
#if !defined __GLIBC_PREREQ || !__GLIBC_PREREQ(2, 42)
inline double rsqrt(double x) { return 1 / sqrt(x); }
#endif
// A NaN gives way to any number; +0 is more than -0.
inline float min(float x, float y) { return x == 0 && y == 0 ? -(-x - y) : fminf(x, y); }
inline float max(float x, float y) { return x == 0 && y == 0 ? x + y : fmaxf(x, y); }
inline double min(double x, double y) { return x == 0 && y == 0 ? -(-x - y) : fmin(x, y); }
inline double max(double x, double y) { return x == 0 && y == 0 ? x + y : fmax(x, y); }
inline double min(float x, double y) { return min((double)x, y); }
inline double max(float x, double y) { return max((double)x, y); }
inline double min(double x, float y) { return min(x, (double)y); }
inline double max(double x, float y) { return max(x, (double)y); }
inline unsigned min(int x, unsigned y) { return min((unsigned)x, y); }
inline unsigned max(int x, unsigned y) { return max((unsigned)x, y); }
inline unsigned min(unsigned x, int y) { return min(x, (unsigned)y); }
inline unsigned max(unsigned x, int y) { return max(x, (unsigned)y); }

#endif
