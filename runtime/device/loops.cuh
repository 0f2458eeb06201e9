// loops.cuh: loops of the host's that kernels end: it launches iterations ahead, and asks now and then.
#include "alone.cuh"
// ---- pasted from here on ----

// Behind how many iterations the host asks whether the loop has ended: 4, 8, 16, 32, then every 64.
inline bool asks_after(Index turns) { return turns % 64 == 0 || (turns >= 4 && (turns & (turns - 1)) == 0); }

// Waits for the stream, and reads whether the loop has ended. It cannot wait while the stream is captured.
inline cudaError_t wait_and_ask(const int *left, int *is_left, cudaStream_t stream) {
  const cudaError_t error = cudaMemcpyAsync(is_left, left, sizeof *left, cudaMemcpyDeviceToHost, stream);
  return error != cudaSuccess ? error : cudaStreamSynchronize(stream);
}
