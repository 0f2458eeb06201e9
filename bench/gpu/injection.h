// injection.h: runtime calls that fail when they are told to, and a count of what is allocated.
//
// The linker puts these functions in place of the runtime's (--wrap=NAME, one for each of WRAPPED), for everything that
// is linked, the generated library too. The CPU executor has launches of its own kind: there simt::options asks.
#ifndef TGC_BENCH_INJECTION_H
#define TGC_BENCH_INJECTION_H

#include <cuda_runtime.h>

#include <atomic>

namespace injection {

// Which calls fail: number `first' from now on, counted from 1, and with `further' all behind it. 0: none.
struct State {
  std::atomic<int> calls{0}, first{0};
  std::atomic<bool> further{false};
  std::atomic<cudaError_t> error{cudaSuccess}; // of the first that failed
  std::atomic<long> outstanding{0};            // allocations of the pool that were not given back
};
inline State state;

// Each sort of call has an error of its own, so that it shows whose came back.
constexpr cudaError_t of_allocation = cudaErrorMemoryAllocation, of_launch = cudaErrorLaunchFailure,
                      of_memset = cudaErrorInvalidDevice, of_free = cudaErrorNoDevice;

inline void arm(int first, bool further) {
  state.calls = 0;
  state.first = first;
  state.further = further;
  state.error = cudaSuccess;
}

// Counts a call; true when it is to fail.
inline bool fails(cudaError_t error) {
  const int call = ++state.calls, first = state.first;
  if (first == 0 || call < first || (call > first && !state.further)) return false;
  cudaError_t none = cudaSuccess;
  state.error.compare_exchange_strong(none, error);
  return true;
}

} // namespace injection

#define INJECT(name, error, parameters, ...)                            \
  extern "C" cudaError_t __real_##name parameters;                      \
  extern "C" cudaError_t __wrap_##name parameters {                     \
    return injection::fails(error) ? error : __real_##name(__VA_ARGS__); \
  }

INJECT(cudaMemsetAsync, injection::of_memset, (void *to, int byte, size_t bytes, cudaStream_t stream), to, byte, bytes,
       stream)
#ifdef TGC_SIMT
inline bool injection_refuses() { return injection::fails(injection::of_launch); }
#else
INJECT(cudaLaunchKernel, injection::of_launch,
       (const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared, cudaStream_t stream), kernel, grid,
       block, arguments, shared, stream)
INJECT(cudaLaunchKernelExC, injection::of_launch, (const cudaLaunchConfig_t *how, const void *kernel, void **arguments),
       how, kernel, arguments)
#endif

extern "C" cudaError_t __real_cudaMallocAsync(void **place, size_t bytes, cudaStream_t stream);
extern "C" cudaError_t __wrap_cudaMallocAsync(void **place, size_t bytes, cudaStream_t stream) {
  if (injection::fails(injection::of_allocation)) return injection::of_allocation;
  const cudaError_t error = __real_cudaMallocAsync(place, bytes, stream);
  if (error == cudaSuccess) ++injection::state.outstanding;
  return error;
}

// A free that fails has freed: what it says then is what earlier work left behind.
extern "C" cudaError_t __real_cudaFreeAsync(void *place, cudaStream_t stream);
extern "C" cudaError_t __wrap_cudaFreeAsync(void *place, cudaStream_t stream) {
  const bool fails = injection::fails(injection::of_free);
  const cudaError_t error = __real_cudaFreeAsync(place, stream);
  if (error == cudaSuccess) --injection::state.outstanding;
  return fails ? injection::of_free : error;
}

#endif
