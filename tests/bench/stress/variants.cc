// variants.cc: stand-ins for a generated library's variants. stubs.inc has a line for each, STUB(id, launches): so many
// kernels, of which the last one gives the sequential codelet's result.
#include "sum.h"

static void nothing(const uint64_t *) {}

#define STUB_OF(id, launches, T, A)                                                                                    \
  extern "C" void sum_reference_##T(const T *in, uint64_t n, A *out);                                                  \
  static void kernel_##id##_##T(const uint64_t *v) {                                                                   \
    A sum;                                                                                                             \
    sum_reference_##T((const T *)v[1], v[2], &sum);                                                                    \
    *(T *)v[0] = (T)sum;                                                                                               \
    *(unsigned *)v[3] = 0;                                                                                             \
  }                                                                                                                    \
  extern "C" cudaError_t sum_##id##_##T(const sum_configuration *, void *workspace, size_t *bytes, const T *in,        \
                                        uint64_t n, T *out, cudaStream_t stream) {                                     \
    const size_t need = 16 + n / 64;                                                                                   \
    if (bytes == nullptr) return cudaErrorInvalidValue;                                                                \
    if (workspace == nullptr) return *bytes = need, cudaSuccess;                                                       \
    if (*bytes < need) return cudaErrorInvalidValue;                                                                   \
    const cudaLaunchConfig_t how = {stream};                                                                           \
    void *arguments[KERNEL_ARGUMENTS] = {&out, &in, &n, &workspace};                                                   \
    for (int i = 1; i <= launches; i++) {                                                                              \
      const void *kernel = i == launches ? (const void *)kernel_##id##_##T : (const void *)nothing;                    \
      const cudaError_t error = cudaLaunchKernelExC(&how, kernel, arguments);                                          \
      if (error != cudaSuccess) return error;                                                                          \
    }                                                                                                                  \
    return cudaSuccess;                                                                                                \
  }
#define STUB(id, launches)                                                                                             \
  extern "C" const sum_configuration sum_##id##_configurations[] = {{0, 0, 0}};                                        \
  STUB_OF(id, launches, int, int) STUB_OF(id, launches, float, double)
#include "stubs.inc"
