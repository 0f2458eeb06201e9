// captured.cc: calls whose loops a kernel ends, in a stream and captured in a graph: a search of random graphs, whose edges change
// between launches. VARIANT(f) in variants.inc: a function of each variant.
#include <cstdio>
#include <random>
#include <vector>

#include <cuda_runtime.h>

#include "bfs_edges.h"

typedef cudaError_t Call(const bfs_edges_configuration *, void *, size_t *, const int *, uint64_t, const int *, long long,
                         int *, uint64_t, cudaStream_t);
#define VARIANT(f) extern "C" Call f;
#include "variants.inc"
#undef VARIANT
#define VARIANT(f) {#f, f},
static const struct {
  const char *name;
  Call *call;
} variants[] = {
#include "variants.inc"
};

static int wrong = 0;

static void expect(bool holds, const char *name, const char *what) {
  if (!holds) std::printf("%s: %s\n", name, what), ++wrong;
}

// What a search of all edges, again and again, finds.
static std::vector<int> levels_of(const std::vector<int> &tails, const std::vector<int> &heads, int source, int vertices) {
  std::vector<int> levels(vertices, -1);
  if (source < vertices) levels[source] = 0;
  for (int level = 0; level < vertices; ++level)
    for (size_t e = 0; e < tails.size(); ++e)
      if (levels[tails[e]] == level && levels[heads[e]] < 0) levels[heads[e]] = level + 1;
  return levels;
}

int main(int, char **argv) {
  std::mt19937 random((unsigned)std::atoi(argv[1]));
  for (const auto &v : variants) {
    const int vertices = 1 + (int)(random() % 60), n = (int)(random() % 150), source = (int)(random() % vertices);
    int *tails, *heads, *levels;
    cudaMalloc((void **)&tails, (n + 1) * sizeof(int));
    cudaMalloc((void **)&heads, (n + 1) * sizeof(int));
    cudaMalloc((void **)&levels, vertices * sizeof(int));
    std::vector<int> from(n), to(n), got(vertices);
    const auto draw = [&] { // a path through some vertices, too: many levels
      for (int e = 0; e < n; ++e) {
        from[e] = e % 3 ? (int)(random() % vertices) : e / 3 % vertices;
        to[e] = e % 3 ? (int)(random() % vertices) : (e / 3 + 1) % vertices;
      }
      cudaMemcpy(tails, from.data(), n * sizeof(int), cudaMemcpyHostToDevice);
      cudaMemcpy(heads, to.data(), n * sizeof(int), cudaMemcpyHostToDevice);
      cudaMemset(levels, 77, vertices * sizeof(int));
    };
    const auto result = [&](const char *what) {
      cudaMemcpy(got.data(), levels, vertices * sizeof(int), cudaMemcpyDeviceToHost);
      expect(got == levels_of(from, to, source, vertices), v.name, what);
    };
    size_t bytes = 0;
    void *workspace;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    expect(v.call(nullptr, nullptr, &bytes, tails, n, heads, source, levels, vertices, stream) == cudaSuccess, v.name, "a workspace");
    cudaMalloc(&workspace, bytes);
    cudaMemset(workspace, 0, bytes);
    const auto call = [&] { return v.call(nullptr, workspace, &bytes, tails, n, heads, source, levels, vertices, stream); };
    draw();
    expect(call() == cudaSuccess, v.name, "a call");
    result("a call's result");
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    draw();
    expect(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess, v.name, "capture");
    expect(call() == cudaSuccess, v.name, "a captured call");
    expect(cudaStreamEndCapture(stream, &graph) == cudaSuccess, v.name, "captured");
    expect(cudaGraphInstantiateWithFlags(&exec, graph, 0) == cudaSuccess, v.name, "a graph");
    for (int i = 0; i < 3; i++) {
      expect(cudaGraphLaunch(exec, stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess, v.name, "launched");
      result("a graph's result");
      draw();
    }
    expect(call() == cudaSuccess, v.name, "a call behind it");
    result("a call's result behind it");
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
