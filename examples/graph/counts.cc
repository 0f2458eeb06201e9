// counts.cc: one graph, replayed for different numbers of elements, which lie in device memory: a step before it, a
// filter say, may have computed them there.
//
//   tgc codelets/sum.cdl --arch sm_80 --types int -o out/
//   nvcc -std=c++17 -arch=sm_80 -I out -o counts examples/graph/counts.cc $(find out -name '*.cu')
//   ./counts
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "sum.h"

static void check(cudaError_t error) {
  if (error != cudaSuccess) throw std::runtime_error(sum_error_text(error));
}

// Memory of the device.
template <typename T>
class Memory {
public:
  explicit Memory(size_t n) {
    void *place = nullptr;
    check(cudaMalloc(&place, n * sizeof(T)));
    begin = static_cast<T *>(place);
  }
  Memory(const Memory &) = delete;
  ~Memory() { cudaFree(begin); }
  operator T *() const { return begin; }

private:
  T *begin;
};

static void run() {
  const uint64_t most = 100000;
  const std::vector<int> host(most, 2);
  Memory<int> in(most), out(1);
  Memory<uint64_t> count(1);
  check(cudaMemcpy(in, host.data(), most * sizeof(int), cudaMemcpyHostToDevice));

  // The workspace is that of the most elements that there may be.
  size_t bytes = 0;
  check(sum_int_counted(nullptr, &bytes, in, count, most, out, nullptr));
  Memory<char> workspace(bytes);
  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  check(sum_workspace_init(workspace, bytes, stream));
  check(cudaStreamSynchronize(stream));

  cudaGraph_t graph;
  cudaGraphExec_t replay;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  check(sum_int_counted(workspace, &bytes, in, count, most, out, stream));
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiateWithFlags(&replay, graph, 0));

  for (uint64_t n : {most, uint64_t(0), uint64_t(1), uint64_t(12345), most + 1}) {
    int result = 0;
    check(cudaMemcpy(count, &n, sizeof n, cudaMemcpyHostToDevice));
    check(cudaGraphLaunch(replay, stream));
    check(cudaStreamSynchronize(stream));
    check(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
    std::printf("%llu elements: %d\n", (unsigned long long)n, result);
  }
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
}

int main() {
  try {
    run();
  } catch (const std::exception &e) {
    std::fprintf(stderr, "counts: %s\n", e.what());
    return 1;
  }
  return 0;
}
