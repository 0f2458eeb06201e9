// destroyed_graph.cu: a driver's defect, without any of ours.
//
// Kernels that may begin before the one ahead of them has ended (programmatic dependent launch) are captured in
// graphs, which are destroyed while they run, as CUDA allows: "freed asynchronously on completion". On an H200 with
// driver 13.0 kernels that were launched after it then wait for ever in griddepcontrol.wait, for grids that have long
// ended: seen after 37 and 139 graphs, two streams in each of two threads. With a wait before each destruction 3204
// graphs in 15 s went through.
//
//   nvcc -std=c++17 -O2 -arch=sm_90 -o destroyed_graph bench/gpu/destroyed_graph.cu
//   ./destroyed_graph [wait]
#include <cuda_runtime.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#define CUDA(call)                                                       \
  do {                                                                   \
    const cudaError_t error = (call);                                    \
    if (error != cudaSuccess) {                                          \
      std::printf("%s: %s\n", #call, cudaGetErrorName(error));           \
      std::_Exit(2);                                                     \
    }                                                                    \
  } while (0)

namespace {

std::atomic<long> graphs{0};

__global__ void __launch_bounds__(512, 1) read(const float *in, float *out, int n) {
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  if (sum == 12345) out[blockIdx.x] = sum;
}

struct Random {
  unsigned state;
  unsigned below(unsigned n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
  }
};

void launch(cudaStream_t stream, Random &r, const float *in, float *out, int n) {
  static const int blocks[] = {1, 1, 76, 264, 132};
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  const cudaLaunchConfig_t grid = {dim3(blocks[r.below(5)]), dim3(r.below(2) ? 512 : 32), 0, stream, &early, 1};
  CUDA(cudaLaunchKernelEx(&grid, read, in, out, (int)r.below(n)));
}

void work(unsigned seed, bool waits, const float *in, float *out, int n) {
  Random r = {seed};
  cudaStream_t streams[2];
  for (cudaStream_t &s : streams) CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(15);
  while (std::chrono::steady_clock::now() < end) {
    cudaStream_t s = streams[r.below(2)];
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    for (unsigned k = r.below(20); k > 0; k--) launch(s, r, in, out, n);
    CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal));
    for (unsigned k = 1 + r.below(5); k > 0; k--) launch(s, r, in, out, n);
    CUDA(cudaStreamEndCapture(s, &graph));
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    for (unsigned k = 1 + r.below(3); k > 0; k--) CUDA(cudaGraphLaunch(exec, s));
    if (waits) CUDA(cudaStreamSynchronize(s));
    CUDA(cudaGraphExecDestroy(exec));
    if (r.below(20) == 0) CUDA(cudaStreamSynchronize(s));
    ++graphs;
  }
  for (cudaStream_t s : streams) CUDA(cudaStreamSynchronize(s));
}

void watch() {
  for (long seen = -1; seen != graphs; std::this_thread::sleep_for(std::chrono::seconds(4))) seen = graphs;
  std::printf("no end, after %ld graphs\n", graphs.load());
  std::fflush(stdout);
  std::_Exit(1);
}

} // namespace

int main(int argc, char **) {
  const int n = 1 << 20;
  float *in, *out;
  CUDA(cudaMalloc((void **)&in, n * sizeof *in));
  CUDA(cudaMalloc((void **)&out, 4096));
  CUDA(cudaMemset(in, 0, n * sizeof *in));
  std::thread(watch).detach();
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 2; t++) threads.emplace_back(work, 17 + t, argc > 1, in, out, n);
  for (std::thread &t : threads) t.join();
  std::printf("%ld graphs\n", graphs.load());
  return 0;
}
