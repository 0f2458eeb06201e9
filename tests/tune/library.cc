// library.cc: a program of a generated folder's sum.cu, for the tests of tables that are loaded at run time. Its
// arguments are done in order: `load PATH' says what sum_load_table gives, `call N' what sum_int gives for N ones,
// `float N' sum_float, `async N' sum_int_async.
//
// With STUBS, variants only say what they were called with: stubs.inc has a line for each,
// STUB(id, {threads, loads}, ..).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "sum.h"

#ifdef STUBS
struct Compiled { int threads, loads; };

static cudaError_t serve(const char *what, std::vector<Compiled> all, const sum_configuration *c, void *workspace,
                         size_t *bytes) {
  bool has = false;
  for (Compiled each : all)
    has |= (c->threads == 0 || c->threads == each.threads) && (c->loads == 0 || c->loads == each.loads);
  if (!has || c->blocks < 0) return cudaErrorInvalidConfiguration;
  *bytes = 1;
  if (workspace) std::printf("%s %d %d %lld: ", what, c->threads, c->loads, (long long)c->blocks);
  return cudaSuccess;
}

#define STUB_OF(id, T, ...)                                                                                           \
  extern "C" cudaError_t sum_##id##_##T(const sum_configuration *c, void *workspace, size_t *bytes, const T *,        \
                                        uint64_t n, T *out, cudaStream_t) {                                           \
    if (out) *out = (T)n;                                                                                             \
    return serve(#id, {__VA_ARGS__}, c, workspace, bytes);                                                            \
  }
#define STUB(id, ...)                                                                                                 \
  extern "C" const sum_configuration sum_##id##_configurations[] = {{0, 0, 0}};                                       \
  STUB_OF(id, int, __VA_ARGS__) STUB_OF(id, float, __VA_ARGS__)
#include "stubs.inc"

extern "C" {
const char *cudaGetErrorString(cudaError_t) { return "an error"; }
cudaError_t cudaMallocAsync(void **p, size_t n, cudaStream_t) { return *p = std::malloc(n), cudaSuccess; }
cudaError_t cudaFreeAsync(void *p, cudaStream_t) { return std::free(p), cudaSuccess; }
cudaError_t cudaMalloc(void **p, size_t n) { return *p = std::malloc(n), cudaSuccess; }
cudaError_t cudaFree(void *p) { return std::free(p), cudaSuccess; }
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind) {
  if (n) std::memcpy(to, from, n);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void *p, int byte, size_t n, cudaStream_t) { return std::memset(p, byte, n), cudaSuccess; }
}
#endif

// n ones in device memory.
template <typename T>
static T *ones(uint64_t n) {
  const std::vector<T> host(n, 1);
  void *in = nullptr;
  cudaMalloc(&in, n * sizeof(T) + 1);
  cudaMemcpy(in, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  return (T *)in;
}

template <typename T>
static void say(cudaError_t error, const T *result) {
  T host = 0;
  if (error == cudaSuccess) cudaMemcpy(&host, result, sizeof host, cudaMemcpyDeviceToHost);
  if (error == cudaSuccess) std::printf("%g\n", (double)host);
  else std::printf("error %d\n", (int)error);
}

template <typename T>
static void call(cudaError_t (*sum)(void *, size_t *, const T *, uint64_t, T *, cudaStream_t), uint64_t n) {
  T *in = ones<T>(n), *out = ones<T>(1);
  void *workspace = nullptr;
  size_t bytes = 0;
  cudaError_t error = sum(nullptr, &bytes, in, n, out, nullptr);
  if (error == cudaSuccess) {
    cudaMalloc(&workspace, bytes);
    sum_workspace_init(workspace, bytes, nullptr);
    error = sum(workspace, &bytes, in, n, out, nullptr);
  }
  say(error, out);
  cudaFree(in), cudaFree(out), cudaFree(workspace);
}

static void call_async(uint64_t n) {
  int *in = ones<int>(n), *out = ones<int>(1);
  say(sum_int_async(in, n, out, nullptr), out);
  cudaFree(in), cudaFree(out);
}

int main(int argc, char **argv) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const uint64_t n = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::strcmp(argv[i], "load") == 0) std::printf("load %d\n", (int)sum_load_table(argv[i + 1]));
    else if (std::strcmp(argv[i], "call") == 0) call(sum_int, n);
    else if (std::strcmp(argv[i], "float") == 0) call(sum_float, n);
    else call_async(n);
  }
  return 0;
}
