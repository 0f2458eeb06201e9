// cuda_runtime.h: stands in for the toolkit's header where clang compiles .cu text with its NVPTX back end and no SDK:
//   clang++ -x cuda --cuda-device-only --cuda-gpu-arch=sm_60 -nocudainc -nocudalib -I runtime/simt/include-nvptx ..
// What a machine lacks is not declared for it, so text that asks for it does not compile.
#ifndef TGC_NVPTX_CUDA_RUNTIME_H
#define TGC_NVPTX_CUDA_RUNTIME_H

#include "../include/cuda_runtime_api.h"

#include <limits.h>
#include <math.h>

// ---- qualifiers, positions ----

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

struct alignas(8) uint2 {
  unsigned x, y;
};
struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};
#include <__clang_cuda_builtin_vars.h>

template <typename... P>
cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments, size_t shared_bytes = 0,
                             cudaStream_t stream = nullptr);

#include "../include/launch_config.h"

template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...arguments);

#define TGC_DEVICE static __inline__ __attribute__((device, always_inline))

// ---- synchronisation ----

TGC_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
TGC_DEVICE void __threadfence() { __nvvm_membar_gl(); }
TGC_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
TGC_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

TGC_DEVICE void *memcpy(void *to, const void *from, size_t bytes) { return __builtin_memcpy(to, from, bytes); }

// A place in shared memory, as instructions name it.
TGC_DEVICE size_t __cvta_generic_to_shared(const void *p) {
  return (size_t)(const __attribute__((address_space(3))) void *)p;
}

TGC_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}
TGC_DEVICE void cudaGridDependencySynchronize() {
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

// Of the device's runtime, which nvcc links.
extern "C" __device__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned value);

// ---- clusters of blocks ----

#if __CUDA_ARCH__ >= 900
TGC_DEVICE dim3 __clusterIdx() { return dim3(__nvvm_read_ptx_sreg_clusterid_x()); }
TGC_DEVICE unsigned __clusterRelativeBlockRank() { return __nvvm_read_ptx_sreg_cluster_ctarank(); }
TGC_DEVICE unsigned __clusterSizeInBlocks() { return __nvvm_read_ptx_sreg_cluster_nctarank(); }
TGC_DEVICE void __cluster_barrier_arrive() { __nvvm_barrier_cluster_arrive(); }
TGC_DEVICE void __cluster_barrier_arrive_relaxed() { __nvvm_barrier_cluster_arrive_relaxed(); }
TGC_DEVICE void __cluster_barrier_wait() { __nvvm_barrier_cluster_wait(); }
TGC_DEVICE void *__cluster_map_shared_rank(const void *place, unsigned rank) {
  return __nvvm_mapa((void *)place, (int)rank);
}
#endif

// ---- values ----

TGC_DEVICE int __float_as_int(float v) { return __builtin_bit_cast(int, v); }
TGC_DEVICE unsigned __float_as_uint(float v) { return __builtin_bit_cast(unsigned, v); }
TGC_DEVICE float __int_as_float(int v) { return __builtin_bit_cast(float, v); }
TGC_DEVICE float __uint_as_float(unsigned v) { return __builtin_bit_cast(float, v); }
TGC_DEVICE long long __double_as_longlong(double v) { return __builtin_bit_cast(long long, v); }
TGC_DEVICE double __longlong_as_double(long long v) { return __builtin_bit_cast(double, v); }
/* Four products of bytes, added up. */
TGC_DEVICE int __dp4a(int a, int b, int c) {
  for (int k = 0; k < 32; k += 8) c += (int)(signed char)((unsigned)a >> k) * (int)(signed char)((unsigned)b >> k);
  return c;
}
TGC_DEVICE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
  for (int k = 0; k < 32; k += 8) c += (a >> k & 255) * (b >> k & 255);
  return c;
}
TGC_DEVICE int __popc(unsigned v) { return __builtin_popcount(v); }
TGC_DEVICE int __ffs(int v) { return __builtin_ffs(v); }
TGC_DEVICE int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
template <typename T>
TGC_DEVICE T __ldg(const T *place) {
  return *place;
}
TGC_DEVICE uint4 __ldcg(const uint4 *place) { return *place; }
TGC_DEVICE void __stwb(uint4 *place, uint4 value) { *place = value; }

#define TGC_EXTREMES(T)                                \
  TGC_DEVICE T min(T x, T y) { return y < x ? y : x; } \
  TGC_DEVICE T max(T x, T y) { return x < y ? y : x; }
TGC_EXTREMES(int)
TGC_EXTREMES(unsigned)
TGC_EXTREMES(long)
TGC_EXTREMES(unsigned long)
TGC_EXTREMES(long long)
TGC_EXTREMES(unsigned long long)
#undef TGC_EXTREMES
TGC_DEVICE float min(float x, float y) { return __nvvm_fmin_f(x, y); }
TGC_DEVICE float max(float x, float y) { return __nvvm_fmax_f(x, y); }
TGC_DEVICE double min(double x, double y) { return __nvvm_fmin_d(x, y); }
TGC_DEVICE double max(double x, double y) { return __nvvm_fmax_d(x, y); }

// ---- mathematics ----
// The toolkit's library has these: here they stay calls of it.

#define TGC_FUNCTION(name, parameters, parameters_of_floats, ...)                 \
  extern "C" __device__ double __nv_##name parameters;                            \
  extern "C" __device__ float __nv_##name##f parameters_of_floats;                \
  TGC_DEVICE double name parameters { return __nv_##name(__VA_ARGS__); }          \
  TGC_DEVICE float name parameters_of_floats { return __nv_##name##f(__VA_ARGS__); }
#define TGC_FUNCTION_1(name) TGC_FUNCTION(name, (double x), (float x), x)
TGC_FUNCTION_1(exp)
TGC_FUNCTION_1(exp2)
TGC_FUNCTION_1(expm1)
TGC_FUNCTION_1(log)
TGC_FUNCTION_1(log2)
TGC_FUNCTION_1(log1p)
TGC_FUNCTION_1(sqrt)
TGC_FUNCTION_1(rsqrt)
TGC_FUNCTION_1(sin)
TGC_FUNCTION_1(cos)
TGC_FUNCTION_1(atan)
TGC_FUNCTION_1(tanh)
TGC_FUNCTION_1(erf)
TGC_FUNCTION_1(fabs)
TGC_FUNCTION_1(floor)
TGC_FUNCTION_1(ceil)
TGC_FUNCTION_1(trunc)
TGC_FUNCTION(pow, (double x, double y), (float x, float y), x, y)
TGC_FUNCTION(fma, (double x, double y, double z), (float x, float y, float z), x, y, z)
#undef TGC_FUNCTION_1
#undef TGC_FUNCTION

// ---- warps ----
// The last operand of shfl packs the segment's bounds: (32 - width) << 8, and the lane where it is clamped.

#define TGC_SHUFFLE(name, mode, Distance, clamp)                                                                    \
  TGC_DEVICE int name(unsigned mask, int v, Distance d, int width = 32) {                                           \
    return __nvvm_shfl_sync_##mode##_i32(mask, v, d, ((32 - width) << 8) | clamp);                                  \
  }                                                                                                                 \
  TGC_DEVICE unsigned name(unsigned mask, unsigned v, Distance d, int width = 32) {                                 \
    return (unsigned)name(mask, (int)v, d, width);                                                                  \
  }                                                                                                                 \
  TGC_DEVICE float name(unsigned mask, float v, Distance d, int width = 32) {                                       \
    return __int_as_float(name(mask, __float_as_int(v), d, width));                                                 \
  }                                                                                                                 \
  TGC_DEVICE unsigned long long name(unsigned mask, unsigned long long v, Distance d, int width = 32) {             \
    const unsigned low = name(mask, (unsigned)v, d, width), high = name(mask, (unsigned)(v >> 32), d, width);       \
    return (unsigned long long)high << 32 | low;                                                                    \
  }                                                                                                                 \
  TGC_DEVICE long long name(unsigned mask, long long v, Distance d, int width = 32) {                               \
    return (long long)name(mask, (unsigned long long)v, d, width);                                                  \
  }                                                                                                                 \
  TGC_DEVICE double name(unsigned mask, double v, Distance d, int width = 32) {                                     \
    return __longlong_as_double(name(mask, __double_as_longlong(v), d, width));                                     \
  }
TGC_SHUFFLE(__shfl_sync, idx, int, 0x1f)
TGC_SHUFFLE(__shfl_up_sync, up, unsigned, 0)
TGC_SHUFFLE(__shfl_down_sync, down, unsigned, 0x1f)
TGC_SHUFFLE(__shfl_xor_sync, bfly, int, 0x1f)
#undef TGC_SHUFFLE

TGC_DEVICE unsigned __activemask() {
  unsigned lanes;
  asm volatile("activemask.b32 %0;" : "=r"(lanes));
  return lanes;
}
TGC_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
TGC_DEVICE int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
TGC_DEVICE int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
#if __CUDA_ARCH__ >= 800
TGC_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned v) {
  return (unsigned)__nvvm_redux_sync_add((int)v, mask);
}
TGC_DEVICE int __reduce_add_sync(unsigned mask, int v) { return __nvvm_redux_sync_add(v, mask); }
TGC_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umax(v, mask); }
TGC_DEVICE int __reduce_max_sync(unsigned mask, int v) { return __nvvm_redux_sync_max(v, mask); }
TGC_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned v) { return __nvvm_redux_sync_umin(v, mask); }
TGC_DEVICE int __reduce_min_sync(unsigned mask, int v) { return __nvvm_redux_sync_min(v, mask); }
TGC_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned v) {
  return (unsigned)__nvvm_redux_sync_and((int)v, mask);
}
TGC_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned v) { return (unsigned)__nvvm_redux_sync_or((int)v, mask); }
TGC_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned v) {
  return (unsigned)__nvvm_redux_sync_xor((int)v, mask);
}
#endif

// ---- atomics: a name, its type, the builtin's type, the builtin without its scope ----

#define TGC_ATOMICS(ATOMIC)                                \
  ATOMIC(atomicAdd, int, int, add_gen_i)                   \
  ATOMIC(atomicAdd, unsigned, int, add_gen_i)              \
  ATOMIC(atomicAdd, unsigned long long, long long, add_gen_ll) \
  ATOMIC(atomicAdd, float, float, add_gen_f)               \
  ATOMIC(atomicMax, int, int, max_gen_i)                   \
  ATOMIC(atomicMax, unsigned, unsigned, max_gen_ui)        \
  ATOMIC(atomicMax, long long, long long, max_gen_ll)      \
  ATOMIC(atomicMax, unsigned long long, unsigned long long, max_gen_ull) \
  ATOMIC(atomicMin, int, int, min_gen_i)                   \
  ATOMIC(atomicMin, unsigned, unsigned, min_gen_ui)        \
  ATOMIC(atomicMin, long long, long long, min_gen_ll)      \
  ATOMIC(atomicMin, unsigned long long, unsigned long long, min_gen_ull) \
  ATOMIC(atomicInc, unsigned, unsigned, inc_gen_ui)        \
  ATOMIC(atomicDec, unsigned, unsigned, dec_gen_ui)        \
  ATOMIC(atomicExch, int, int, xchg_gen_i)                 \
  ATOMIC(atomicExch, unsigned, int, xchg_gen_i)            \
  ATOMIC(atomicExch, unsigned long long, long long, xchg_gen_ll) \
  ATOMIC(atomicAnd, int, int, and_gen_i)                   \
  ATOMIC(atomicAnd, unsigned, int, and_gen_i)              \
  ATOMIC(atomicAnd, unsigned long long, long long, and_gen_ll) \
  ATOMIC(atomicOr, int, int, or_gen_i)                     \
  ATOMIC(atomicOr, unsigned, int, or_gen_i)                \
  ATOMIC(atomicOr, unsigned long long, long long, or_gen_ll) \
  ATOMIC(atomicXor, int, int, xor_gen_i)                   \
  ATOMIC(atomicXor, unsigned, int, xor_gen_i)              \
  ATOMIC(atomicXor, unsigned long long, long long, xor_gen_ll)
#define TGC_SWAPS(SWAP)               \
  SWAP(int, int, cas_gen_i)           \
  SWAP(unsigned, int, cas_gen_i)      \
  SWAP(unsigned long long, long long, cas_gen_ll)

#define TGC_ATOMIC(name, T, B, builtin) \
  TGC_DEVICE T name(T *place, T v) { return (T)__nvvm_atom_##builtin((B *)place, (B)v); }
#define TGC_SWAP(T, B, builtin) \
  TGC_DEVICE T atomicCAS(T *place, T expected, T v) { return (T)__nvvm_atom_##builtin((B *)place, (B)expected, (B)v); }
TGC_ATOMICS(TGC_ATOMIC)
TGC_SWAPS(TGC_SWAP)
TGC_DEVICE int atomicSub(int *place, int v) { return atomicAdd(place, -v); }
TGC_DEVICE unsigned atomicSub(unsigned *place, unsigned v) { return atomicAdd(place, 0u - v); }
TGC_DEVICE float atomicExch(float *place, float v) {
  return __int_as_float(atomicExch((int *)place, __float_as_int(v)));
}

// Double addition and scopes: from sm_60 on.
#if __CUDA_ARCH__ >= 600
TGC_DEVICE double atomicAdd(double *place, double v) { return __nvvm_atom_add_gen_d(place, v); }
#define TGC_ATOMIC_BLOCK(name, T, B, builtin) \
  TGC_DEVICE T name##_block(T *place, T v) { return (T)__nvvm_atom_cta_##builtin((B *)place, (B)v); }
#define TGC_SWAP_BLOCK(T, B, builtin)                                   \
  TGC_DEVICE T atomicCAS_block(T *place, T expected, T v) {             \
    return (T)__nvvm_atom_cta_##builtin((B *)place, (B)expected, (B)v); \
  }
TGC_ATOMICS(TGC_ATOMIC_BLOCK)
TGC_SWAPS(TGC_SWAP_BLOCK)
TGC_DEVICE double atomicAdd_block(double *place, double v) { return __nvvm_atom_cta_add_gen_d(place, v); }
TGC_DEVICE int atomicSub_block(int *place, int v) { return atomicAdd_block(place, -v); }
TGC_DEVICE unsigned atomicSub_block(unsigned *place, unsigned v) { return atomicAdd_block(place, 0u - v); }
#endif

#endif
