// replayed.h: how long a call takes on a stream, in a graph that is replayed: what launching costs the host is left out.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <vector>

// Microseconds of a call, the median of so many rounds of several; NAN where no graph can be made of it.
template <typename Call>
double replayed(cudaStream_t stream, Call call, int rounds, int calls) {
  call();
  cudaGraph_t captured;
  cudaGraphExec_t graph = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  for (int i = 0; i < calls; i++) call();
  if (cudaStreamEndCapture(stream, &captured) != cudaSuccess) return NAN;
  const cudaError_t made = cudaGraphInstantiate(&graph, captured, 0);
  cudaGraphDestroy(captured);
  if (made != cudaSuccess) return NAN;
  cudaGraphLaunch(graph, stream);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<double> all;
  for (int r = 0; r < rounds; r++) {
    float ms = 0;
    cudaEventRecord(begin, stream);
    cudaGraphLaunch(graph, stream);
    cudaEventRecord(end, stream);
    cudaEventSynchronize(end);
    cudaEventElapsedTime(&ms, begin, end);
    all.push_back(ms * 1e3 / calls);
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  cudaGraphExecDestroy(graph);
  std::sort(all.begin(), all.end());
  return all[(size_t)rounds / 2];
}
