// cuda_runtime_api.h: enough of the CUDA runtime for bench/gpu/stress.cu to run with no GPU (runtime.cc): memory is the
// host's, work is done when it is queued, a captured graph is a list of what was queued.
#ifndef FAKE_CUDA_RUNTIME_API_H
#define FAKE_CUDA_RUNTIME_API_H

#include <stddef.h>
#include <stdint.h>

typedef enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorLaunchFailure = 719,
  cudaErrorGraphExecUpdateFailure = 910
} cudaError_t;
typedef enum cudaMemcpyKind { cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost } cudaMemcpyKind;
typedef enum cudaStreamCaptureMode { cudaStreamCaptureModeThreadLocal } cudaStreamCaptureMode;
typedef enum cudaMemPoolAttr { cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrReservedMemCurrent } cudaMemPoolAttr;
enum { cudaStreamNonBlocking = 1 };

typedef struct Stream *cudaStream_t;
typedef struct Graph *cudaGraph_t;
typedef struct Instance *cudaGraphExec_t;
typedef struct Pool *cudaMemPool_t;
typedef struct cudaGraphExecUpdateResultInfo { int result; } cudaGraphExecUpdateResultInfo;
struct dim3 { unsigned x, y, z; };
// What a kernel is here: it takes its arguments' values, eight bytes each.
typedef void (*Kernel)(const uint64_t *arguments);
enum { KERNEL_ARGUMENTS = 4 };
typedef struct cudaLaunchConfig_t { cudaStream_t stream; } cudaLaunchConfig_t;

extern "C" {
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);
cudaError_t cudaGetLastError(void);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr what, void *value);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes);
cudaError_t cudaMemGetInfo(size_t *free, size_t *all);
cudaError_t cudaMalloc(void **place, size_t bytes);
cudaError_t cudaFree(void *place);
cudaError_t cudaMallocAsync(void **place, size_t bytes, cudaStream_t stream);
cudaError_t cudaFreeAsync(void *place, cudaStream_t stream);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream);
cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *how, const void *kernel, void **arguments);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *instance, cudaGraph_t graph, unsigned long long flags);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t instance, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info);
cudaError_t cudaGraphLaunch(cudaGraphExec_t instance, cudaStream_t stream);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t instance);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
}

#endif
