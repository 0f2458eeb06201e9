// loops.cuh: loops of the host's that kernels end: it launches iterations ahead, and asks now and then.
#include "alone.cuh"
// ---- pasted from here on ----

// Behind how many iterations the host asks whether the loop has ended: 4, 8, 16, 32, then every 64.
inline bool asks_after(Index turns) { return turns % 64 == 0 || (turns >= 4 && (turns & (turns - 1)) == 0); }

// Waits for the stream, and reads whether the loop has ended. It cannot wait while the stream is captured.
inline cudaError_t wait_and_ask(const int *left, int *is_left, cudaStream_t stream) {
  cudaStreamCaptureStatus capturing = cudaStreamCaptureStatusNone;
  cudaError_t error = cudaStreamIsCapturing(stream, &capturing);
  if (error == cudaSuccess && capturing != cudaStreamCaptureStatusNone) error = cudaErrorStreamCaptureUnsupported;
  if (error == cudaSuccess) error = cudaMemcpyAsync(is_left, left, sizeof *left, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  return error;
}
