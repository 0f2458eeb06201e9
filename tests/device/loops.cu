// The host asks behind some iterations, and then has what a kernel stored before.
//
// mutant: asks at no time: turns % 64 == 0 || => false &&
// mutant: waits for a capture: capturing != cudaStreamCaptureStatusNone => false
// mutant: copies nothing: cudaMemcpyAsync(is_left, left, sizeof *left, => cudaMemcpyAsync(is_left, left, 0,
#include "device_test.h"

#include "loops.cuh"

__global__ void leave(int *left, int turn, int last) {
  if (turn == last) left[0] = 1;
}

// A stream that is captured is not waited for.
static bool captures() {
  int *left = zeroed<int>(1), is_left = 0;
  cudaStream_t stream;
  cudaGraph_t graph;
  if (cudaStreamCreate(&stream) != cudaSuccess) return false;
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess) return false;
  const cudaError_t error = wait_and_ask(left, &is_left, stream);
  return cudaStreamEndCapture(stream, &graph) == cudaSuccess && error == cudaErrorStreamCaptureUnsupported;
}

int main() {
  if (!captures()) return 1;
  return each_seed([]() mutable {
    int *left = zeroed<int>(1);
    const Index last = 70;
    for (Index turn = 0; turn < 1000; ++turn) {
      const cudaLaunchConfig_t grid = {dim3(1), dim3(1), 0, nullptr, nullptr, 0};
      if (cudaLaunchKernelEx(&grid, leave, left, (int)turn, (int)last) != cudaSuccess) return false;
      if (!asks_after(turn + 1)) continue;
      int is_left = 0;
      if (wait_and_ask(left, &is_left, nullptr) != cudaSuccess) return false;
      if (is_left) return turn == 127;
      if (turn > last) return false;
    }
    return false;
  });
}
