// device_test.h: what the tests of runtime/device have in common. Each is one kernel or a few, launched on the CPU executor
// with many seeds: the orders of blocks and lanes, and which blocks run by turns.
#ifndef TGC_TESTS_DEVICE_TEST_H
#define TGC_TESTS_DEVICE_TEST_H

#include <cuda_runtime.h>
#include <stdio.h>

#include "simt.h"

enum { SEEDS = 20 };

// Calls `run` with each seed; it says whether the results were right. The program's exit status: 0 where they all were,
// and the executor had nothing to report.
template <typename Run> int each_seed(Run run) {
  for (uint64_t seed = 1; seed <= SEEDS; seed++) {
    simt::release_all();
    simt::reports.clear();
    simt::options.seed = seed;
    const bool right = run();
    if (right && simt::reports.empty()) continue;
    printf("seed %llu: %s\n", (unsigned long long)seed,
           simt::reports.empty() ? "a wrong result" : simt::describe(simt::reports[0]).c_str());
    return 1;
  }
  return 0;
}

template <typename T> T *zeroed(size_t n) {
  void *place = nullptr;
  cudaMalloc(&place, n * sizeof(T));
  cudaMemset(place, 0, n * sizeof(T));
  return (T *)place;
}

template <typename... P, typename... A> bool launched(void (*kernel)(P...), unsigned blocks, unsigned threads, A... given) {
  std::tuple<P...> arguments(given...);
  return std::apply(
      [=](auto &...at) {
        void *places[] = {(void *)&at...};
        return cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), places) == cudaSuccess;
      },
      arguments);
}

#endif
