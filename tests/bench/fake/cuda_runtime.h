// cuda_runtime.h: enough of the CUDA runtime for bench/gpu/compare.cu and arrays.cu to run with no GPU: memory is the
// host's, work is done when it is queued, a captured graph is a list of what was queued. Kernels do nothing. Once
// made_up_clock is set, events tell made_up_time, which moves as whoever pretends to work says, not what passes here.
#ifndef FAKE_CUDA_RUNTIME_H
#define FAKE_CUDA_RUNTIME_H

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue, cudaErrorNoDevice = 100 };
enum cudaMemcpyKind { cudaMemcpyDeviceToHost };
enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal };
enum cudaDeviceAttr {
  cudaDevAttrMultiProcessorCount,
  cudaDevAttrL2CacheSize,
  cudaDevAttrMemoryClockRate,
  cudaDevAttrGlobalMemoryBusWidth
};
enum { cudaStreamNonBlocking = 1 };
enum { cudaLaunchAttributeProgrammaticStreamSerialization };

#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(threads)
struct dim3 {
  unsigned x, y = 1, z = 1;
  explicit dim3(unsigned n = 1) : x(n) {}
};
struct uint4 {
  unsigned x, y, z, w;
};
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
const dim3 blockIdx, threadIdx;

typedef void *cudaStream_t;
typedef std::vector<std::function<void()>> Work;
typedef Work *cudaGraph_t;
typedef Work *cudaGraphExec_t;
typedef std::chrono::steady_clock::time_point *cudaEvent_t;
struct cudaLaunchAttribute {
  int id;
  struct {
    int programmaticStreamSerializationAllowed;
  } val;
};
struct cudaLaunchConfig_t {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
  cudaLaunchAttribute *attributes;
  unsigned count;
};
struct cudaDeviceProp {
  char name[64];
  int major, minor;
  size_t totalGlobalMem;
};

inline bool made_up_clock = false;
inline std::chrono::steady_clock::time_point made_up_time;
inline void work_for(double us) { made_up_time += std::chrono::nanoseconds((long long)(1000 * us)); }

inline Work *captured = nullptr; // what a capture has gathered; NULL outside

inline void fake_launch(std::function<void()> kernel) {
  if (captured) captured->push_back(kernel);
  else kernel();
}

inline void cudaTriggerProgrammaticLaunchCompletion() {}
inline void cudaGridDependencySynchronize() {}
template <typename... P, typename... A>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *, void (*)(P...), A...) {
  return fake_launch([] { work_for(0.5); }), cudaSuccess;
}

inline const char *cudaGetErrorName(cudaError_t e) {
  return e == cudaSuccess ? "cudaSuccess" : "cudaErrorInvalidValue";
}
inline const char *cudaGetErrorString(cudaError_t e) { return cudaGetErrorName(e); }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaGetDevice(int *d) { return *d = 0, cudaSuccess; }
inline cudaError_t cudaGetDeviceCount(int *n) {
  *n = std::getenv("FAKE_NO_GPU") ? 0 : 1;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr what, int) {
  static const int values[] = {4, 1 << 16, 1000000, 64};
  return *value = values[what], cudaSuccess;
}
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int) {
  std::strcpy(p->name, "Fake GPU");
  p->major = 9, p->minor = 0, p->totalGlobalMem = 1 << 30;
  return cudaSuccess;
}
inline cudaError_t cudaRuntimeGetVersion(int *v) { return *v = 13000, cudaSuccess; }
inline cudaError_t cudaDriverGetVersion(int *v) { return *v = 13000, cudaSuccess; }
inline cudaError_t cudaMalloc(void **p, size_t n) {
  return *p = std::malloc(n), *p ? cudaSuccess : cudaErrorInvalidValue;
}
inline cudaError_t cudaFree(void *p) { return std::free(p), cudaSuccess; }
inline cudaError_t cudaMemsetAsync(void *p, int byte, size_t n, cudaStream_t) {
  return std::memset(p, byte, n), cudaSuccess;
}
inline cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind) {
  return std::memcpy(to, from, n), cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, int) { return *s = nullptr, cudaSuccess; }
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t *e) {
  return *e = new std::chrono::steady_clock::time_point, cudaSuccess;
}
inline cudaError_t cudaEventDestroy(cudaEvent_t e) { return delete e, cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t) {
  return *e = made_up_clock ? made_up_time : std::chrono::steady_clock::now(), cudaSuccess;
}
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b) {
  *ms = std::chrono::duration<float, std::milli>(*b - *a).count();
  return cudaSuccess;
}
inline cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
  return captured = new Work, cudaSuccess;
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *g) {
  return *g = captured, captured = nullptr, cudaSuccess;
}
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *e, cudaGraph_t g, unsigned) {
  return *e = new Work(*g), cudaSuccess;
}
inline cudaError_t cudaGraphDestroy(cudaGraph_t g) { return delete g, cudaSuccess; }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t e) { return delete e, cudaSuccess; }
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t e, cudaStream_t) {
  for (auto &kernel : *e) kernel();
  return cudaSuccess;
}

#endif
