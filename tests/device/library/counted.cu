// A call whose number of elements lies in device memory: its range is that of the most that it may be.
//
// mutant: one too far: while (most > r->up_to) => while (most >= r->up_to)
// mutant: anywhere: (uintptr_t)n % sizeof *n != 0 => false
// mutant: no reason: error == cudaSuccess && workspace != nullptr && (n == nullptr => error == cudaSuccess && workspace != nullptr && (false
#include "device_test.h"

#include "counted.h"

static long long asked;

static cudaError_t run(long long blocks, void *workspace, size_t *bytes, const float *, const unsigned long long *,
                       long long n, float *, cudaStream_t) {
  asked = blocks;
  if (!workspace) *bytes = 1;
  return n > 1000 ? cudaErrorInvalidValue : cudaSuccess;
}

const example_counted::Range<example_counted::float_function> example_counted::float_ranges[] = {{8, 1, run}, {UINT64_MAX, 2, run}};

extern "C" cudaError_t example_arguments(const char *, const void *, const size_t *, uint64_t, const void *, size_t, const void *,
                                         size_t) {
  return cudaSuccess;
}

int main() {
  uint64_t n[2] = {3, 3};
  float in = 0, out = 0;
  size_t bytes = 16;
  alignas(16) char workspace[16];
  const auto call = [&](const uint64_t *count, uint64_t most) {
    return example_float_counted(workspace, &bytes, &in, count, most, &out, nullptr);
  };
  const bool right = call(n, 8) == cudaSuccess && asked == 1 && call(n, 9) == cudaSuccess && asked == 2 &&
                     call(nullptr, 8) == cudaErrorInvalidValue && call((const uint64_t *)((char *)n + 4), 8) == cudaErrorInvalidValue &&
                     call(n, 2000) == cudaErrorInvalidValue;
  return right ? 0 : 1;
}
