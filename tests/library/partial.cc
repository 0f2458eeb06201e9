// partial.cc: a library some of whose variants are for some of its types alone (segmented_sum of float and half), whose
// variants only say what they were called with: stubs.inc has a line for each function, STUB(id, type, T), and
// CONFIGURATIONS(id). Arguments are done in order: `load PATH' says what segmented_sum_load_table gives, `float N' and
// `half N' which variant serves a segment of N elements.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "segmented_sum.h"

#define CONFIGURATIONS(id) \
  extern "C" const segmented_sum_configuration segmented_sum_##id##_configurations[] = {{256, 2, 0}, {0, 0, 0}};
#define STUB(id, type, T)                                                                                        \
  extern "C" cudaError_t segmented_sum_##id##_##type(const segmented_sum_configuration *, void *workspace,       \
                                                     size_t *bytes, const T *, uint64_t, uint64_t, float *,      \
                                                     uint64_t, cudaStream_t) {                                   \
    *bytes = 1;                                                                                                  \
    if (workspace) std::printf("%s\n", #id);                                                                     \
    return cudaSuccess;                                                                                          \
  }
#include "stubs.inc"

extern "C" {
const char *cudaGetErrorString(cudaError_t) { return "an error"; }
cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t) { return *p = std::malloc(n), cudaSuccess; }
cudaError_t cudaFreeAsync(void *p, cudaStream_t) { return std::free(p), cudaSuccess; }
cudaError_t cudaMemsetAsync(void *p, int byte, size_t n, cudaStream_t) { return std::memset(p, byte, n), cudaSuccess; }
}

template <typename T>
static void call(cudaError_t (*sum)(void *, size_t *, const T *, uint64_t, uint64_t, float *, uint64_t, cudaStream_t),
                 uint64_t n) {
  alignas(16) static char workspace[16], in[1 << 16];
  static float out[1];
  size_t bytes = sizeof workspace;
  const cudaError_t error = sum(workspace, &bytes, (const T *)in, n, n, out, 1, nullptr);
  if (error != cudaSuccess) std::printf("error %d\n", (int)error);
}

int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const uint64_t n = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "load") == 0) std::printf("load %d\n", (int)segmented_sum_load_table(argv[i + 1]));
    else if (std::strcmp(argv[i], "half") == 0) call(segmented_sum_half, n);
    else call(segmented_sum_float, n);
  }
  return 0;
}
