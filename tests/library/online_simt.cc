// online_simt.cc: online selection of a library of sums whose kernels run, on the CPU's executor: every call's result, a graph that is
// captured while selection goes on and afterwards, a table that is saved and loaded.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#include "sum.h"

static int wrong = 0;

static void expect(bool holds, const char *what) {
  if (!holds) std::printf("%s: %s\n", what, sum_error_text(cudaErrorInvalidValue)), ++wrong;
}

int main() {
  const uint64_t n = 3000;
  std::vector<int> host(n);
  int want = 0, got = 0, *in, *out;
  for (uint64_t i = 0; i < n; i++) want += host[i] = (int)(i % 11) - 4;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc((void **)&in, n * sizeof(int));
  cudaMalloc((void **)&out, sizeof(int));
  cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  expect(sum_select_online(4, "run_to_run") == cudaSuccess, "on");
  size_t bytes = 0;
  void *workspace;
  expect(sum_int(nullptr, &bytes, in, n, out, stream) == cudaSuccess, "a workspace");
  cudaMalloc(&workspace, bytes);
  sum_workspace_init(workspace, bytes, stream);
  const auto result = [&](const char *what) {
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    expect(got == want, what);
    cudaMemset(out, 255, sizeof got);
  };
  for (int i = 0; i < 120; i++) {
    if (i == 3 || i == 110) { // nothing is recorded while the stream captures: the executor refuses it
      cudaGraph_t graph;
      cudaGraphExec_t exec;
      expect(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess, "capture");
      expect(sum_int(workspace, &bytes, in, n, out, stream) == cudaSuccess, "a captured call");
      expect(cudaStreamEndCapture(stream, &graph) == cudaSuccess, "captured");
      expect(cudaGraphInstantiateWithFlags(&exec, graph, 0) == cudaSuccess, "a graph");
      for (int k = 0; k < 2; k++) {
        expect(cudaGraphLaunch(exec, stream) == cudaSuccess, "launched");
        result("a graph's result");
      }
      cudaGraphExecDestroy(exec);
      cudaGraphDestroy(graph);
    }
    expect(sum_int(workspace, &bytes, in, n, out, stream) == cudaSuccess, "a call");
    result("a call's result");
  }
  expect(sum_int_async(in, n, out, stream) == cudaSuccess, "async");
  result("an asynchronous call's result");
  expect(sum_select_save("saved.table") == cudaSuccess, "saved");
  expect(sum_load_table("saved.table") == cudaSuccess, "loaded");
  expect(sum_int(workspace, &bytes, in, n, out, stream) == cudaSuccess, "by the table");
  result("by the table");
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
