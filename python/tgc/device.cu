// device.cu: what tgc's Python package needs of the CUDA runtime, built into each library that it loads: memory in the
// order of a stream, for workspaces; whether a stream is being captured; which device is current; waiting for a stream.
#include <cuda_runtime.h>

extern "C" {

int tgc_python_allocate(void **memory, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(memory, bytes, stream);
}

int tgc_python_free(void *memory, cudaStream_t stream) { return cudaFreeAsync(memory, stream); }

int tgc_python_is_captured(cudaStream_t stream, int *captured) {
  cudaStreamCaptureStatus status;
  const cudaError_t error = cudaStreamIsCapturing(stream, &status);
  *captured = status != cudaStreamCaptureStatusNone;
  return error;
}

/* Makes a device the calling thread's current one; *before: the one that was. */
int tgc_python_set_device(int device, int *before) {
  const cudaError_t error = cudaGetDevice(before);
  return error == cudaSuccess && *before != device ? cudaSetDevice(device) : error;
}

/* Waits for what another stream was given: of an array that a producer is still filling there. */
int tgc_python_wait(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
}
