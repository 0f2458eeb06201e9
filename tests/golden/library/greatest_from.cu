// greatest_from.cu: greatest, starting from a value. Made by tgc from max.cdl for sm_60; this text is yours.
#include "greatest.h"

#include <cuda_runtime.h>
#include <limits>

// Notes, for greatest_error_text, why a call failed; gives the error back.
extern "C" cudaError_t greatest_failed(cudaError_t error, const char *format, ...);
// What can be told of a call's arguments before anything is queued. Without a workspace only the size is asked for.
extern "C" cudaError_t greatest_arguments(const char *who, const void *workspace, const size_t *workspace_bytes, uint64_t n,
                                   const void *in, size_t in_aligned, const void *out, size_t out_aligned);
// Says why a variant refused a call whose arguments were right: it needs so many bytes; 0: it cannot serve so many.
extern "C" cudaError_t greatest_refused(const char *who, cudaError_t error, uint64_t n, const void *workspace,
                                 size_t bytes, size_t need);

namespace greatest_from {

// One lane: the value first, what the kernels before stored second.
template <typename T>
__global__ void start_from(T init, T *out) {
  out[0] = max(init, out[0]);
}

} // namespace greatest_from

extern "C" cudaError_t greatest_half_from(void *workspace, size_t *workspace_bytes, const __half *in, uint64_t n, float init,
    float *out, cudaStream_t stream) {
  cudaError_t error = greatest_half(workspace, workspace_bytes, in, n, out, stream);
  if (error != cudaSuccess || workspace == nullptr) return error;
  void *args[] = {&init, &out};
  error = cudaLaunchKernel(greatest_from::start_from<float>, dim3(1), dim3(1), args, 0, stream);
  if (error == cudaSuccess) return error;
  return greatest_failed(error, "greatest_half_from: launching: %s", cudaGetErrorString(error));
}

extern "C" cudaError_t greatest_float_from(void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, float init,
    float *out, cudaStream_t stream) {
  cudaError_t error = greatest_float(workspace, workspace_bytes, in, n, out, stream);
  if (error != cudaSuccess || workspace == nullptr) return error;
  void *args[] = {&init, &out};
  error = cudaLaunchKernel(greatest_from::start_from<float>, dim3(1), dim3(1), args, 0, stream);
  if (error == cudaSuccess) return error;
  return greatest_failed(error, "greatest_float_from: launching: %s", cudaGetErrorString(error));
}

extern "C" cudaError_t greatest_int64_from(void *workspace, size_t *workspace_bytes, const long long *in, uint64_t n, long long init,
    long long *out, cudaStream_t stream) {
  cudaError_t error = greatest_int64(workspace, workspace_bytes, in, n, out, stream);
  if (error != cudaSuccess || workspace == nullptr) return error;
  void *args[] = {&init, &out};
  error = cudaLaunchKernel(greatest_from::start_from<long long>, dim3(1), dim3(1), args, 0, stream);
  if (error == cudaSuccess) return error;
  return greatest_failed(error, "greatest_int64_from: launching: %s", cudaGetErrorString(error));
}
