// The host asks behind some iterations, and then has what a kernel stored before.
//
// mutant: asks at no time: turns % 64 == 0 || => false &&
// mutant: waits for a capture: capturing != cudaStreamCaptureStatusNone => false
// mutant: copies nothing: cudaMemcpyAsync(is_left, left, sizeof *left, => cudaMemcpyAsync(is_left, left, 0,
// mutant: waits for the end of a captured loop: || capturing != cudaStreamCaptureStatusNone => || false
// mutant: takes every loop for ended: is_left == 0 ? cudaErrorLaunchTimeout => is_left == 2 ? cudaErrorLaunchTimeout
// mutant: repeats what has ended: left[0] == 0 && left[1] => left[1]
// mutant: repeats beyond the last: && left[1] + 1 < iterations => && left[1] < iterations
// mutant: goes on in the node: *stream = around; => *stream = nullptr;
// mutant: opens a node of no iterations: || iterations <= 0 =>
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
  const cudaError_t error = wait_and_ask(left, &is_left, stream), ends = wait_for_end(left, stream);
  return cudaStreamEndCapture(stream, &graph) == cudaSuccess && error == cudaErrorStreamCaptureUnsupported &&
         ends == cudaSuccess;
}

// A loop that a kernel has done: did it end, or give up?
static bool ends() {
  int *left = zeroed<int>(1);
  if (wait_for_end(left, nullptr) != cudaErrorLaunchTimeout) return false;
  const cudaLaunchConfig_t grid = {dim3(1), dim3(1), 0, nullptr, nullptr, 0};
  return cudaLaunchKernelEx(&grid, leave, left, 3, 3) == cudaSuccess && wait_for_end(left, nullptr) == cudaSuccess;
}

__global__ void begin(int *left, int *done) {
  left[0] = 0, left[1] = -1, done[0] = 0;
}
__global__ void decide(int *left, int last) {
  if (left[0] != 0) return;
  left[1] += 1;
  left[0] = left[1] == last;
}
__global__ void step(const int *left, int *done) {
  if (left[0] == 0) done[0] += 1;
}
__global__ void behind(int *done) { done[0] += 1000; }

template <typename... P, typename... A>
static bool launched(cudaStream_t stream, void (*kernel)(P...), A... arguments) {
  const cudaLaunchConfig_t grid = {dim3(1), dim3(1), 0, stream, nullptr, 0};
  return cudaLaunchKernelEx(&grid, kernel, arguments...) == cudaSuccess;
}

// A loop of at most so many iterations, which ends in number `last', is captured, and done by each launch of the graph.
static bool repeats(Index iterations, int last) {
  int *left = zeroed<int>(2), *done = zeroed<int>(1);
  cudaStream_t stream;
  if (cudaStreamCreate(&stream) != cudaSuccess) return false;
  if (cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) != cudaSuccess) return false;
  const cudaStream_t around = stream;
  bool ok = launched(stream, begin, left, done);
  {
    LoopNode node;
    ok = ok && node.open(&stream, iterations) == cudaSuccess && (node.body != nullptr) == (iterations > 0);
    for (Index i = 0; ok && i < iterations; ++i) {
      ok = launched(stream, decide, left, last) && launched(stream, step, left, done);
      if (node.body) break;
    }
    ok = ok && node.close(&stream, left, iterations) == cudaSuccess && stream == around;
  }
  ok = ok && launched(stream, behind, done);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  if (!ok || cudaStreamEndCapture(stream, &graph) != cudaSuccess) return false;
  if (cudaGraphInstantiateWithFlags(&exec, graph, 0) != cudaSuccess) return false;
  const int most = (int)iterations < last ? (int)iterations : last;
  for (int i = 0; i < 2; ++i)
    if (cudaGraphLaunch(exec, nullptr) != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess || done[0] != 1000 + most)
      return false;
  return true;
}

int main() {
  if (!captures() || !ends() || !repeats(100, 7) || !repeats(5, 7) || !repeats(1, 0) || !repeats(0, 0)) return 1;
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
