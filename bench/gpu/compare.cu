// compare.cu: every variant of a generated folder against CUB, side by side in one run (float sums).
//
// Two ways to call: in a replayed CUDA graph of many calls, and as plain stream calls back to back. Inputs rotate over more
// memory than the L2 holds. Each figure is the median of several replays, in microseconds a call; CUB is measured before and
// after the variants of each size, so that its spread is known. The library's own dispatch (SPECTRUM_float) is one more row.
//
//   compare [--sizes n,n,..] [--csv FILE] [--all]     --all: print every variant, not the best three of each size
#include SPECTRUM_HEADER

#include <cub/device/device_reduce.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define VARIANTS PASTE(SPECTRUM, _variants)
#define COUNT PASTE(SPECTRUM, _variant_count)
#define DISPATCH PASTE(SPECTRUM, _float)

#define CUDA(call)                                                                             \
  do {                                                                                         \
    cudaError_t error_ = (call);                                                               \
    if (error_ != cudaSuccess) {                                                               \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));   \
      std::exit(3);                                                                            \
    }                                                                                          \
  } while (0)

typedef std::function<cudaError_t(void *, size_t *, const float *, uint64_t, float *, cudaStream_t)> Call;

static const size_t ROTATE = 256u << 20; // bytes that inputs rotate over: beyond the 60 MB L2

struct Bench {
  float *in, *out;
  void *workspace = nullptr;
  size_t workspace_bytes = 0;
  cudaStream_t stream;
  cudaEvent_t a, b;

  explicit Bench(size_t elements) {
    CUDA(cudaMalloc(&in, elements * sizeof(float)));
    CUDA(cudaMemset(in, 0, elements * sizeof(float)));
    CUDA(cudaMalloc(&out, 4096));
    CUDA(cudaStreamCreate(&stream));
    CUDA(cudaEventCreate(&a));
    CUDA(cudaEventCreate(&b));
  }

  void *work(size_t bytes) {
    if (bytes > workspace_bytes) {
      CUDA(cudaFree(workspace));
      CUDA(cudaMalloc(&workspace, bytes));
      CUDA(cudaMemset(workspace, 0, bytes));
      workspace_bytes = bytes;
    }
    return workspace;
  }

  static double median(std::vector<double> x) {
    std::sort(x.begin(), x.end());
    return x[x.size() / 2];
  }

  double elapsed() {
    float ms;
    CUDA(cudaEventSynchronize(b));
    CUDA(cudaEventElapsedTime(&ms, a, b));
    return 1e3 * ms;
  }

  // Microseconds a call: in a graph, and by stream. Gives up on what is over `limit` at its first call.
  bool measure(const Call &call, uint64_t n, double limit, double *graph_us, double *stream_us) {
    const size_t stride = (n + 63) / 64 * 64, bytes = std::max<size_t>(stride * sizeof(float), 256);
    const int places = (int)std::max<size_t>(1, std::min<size_t>(64, ROTATE / bytes)), calls = std::max(4, std::min(64, places));
    size_t need = 0;
    if (call(nullptr, &need, in, n, out, stream) != cudaSuccess) return false;
    void *w = work(need);
    CUDA(cudaMemsetAsync(w, 0, need, stream));
    const auto at = [&](int i) { return in + (size_t)(i % places) * stride; };
    CUDA(cudaEventRecord(a, stream));
    if (call(w, &need, at(0), n, out, stream) != cudaSuccess) return false;
    CUDA(cudaEventRecord(b, stream));
    if (elapsed() > limit) return false;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int i = 0; i < calls; i++) call(w, &need, at(i), n, out, stream);
    CUDA(cudaStreamEndCapture(stream, &graph));
    CUDA(cudaGraphInstantiate(&exec, graph, 0));
    std::vector<double> g, s;
    const int replays = n > (1u << 24) ? 5 : 15;
    for (int r = 0; r <= replays; r++) {
      CUDA(cudaEventRecord(a, stream));
      CUDA(cudaGraphLaunch(exec, stream));
      CUDA(cudaEventRecord(b, stream));
      const double us = elapsed() / calls;
      if (r) g.push_back(us);
    }
    for (int r = 0; r <= replays / 2; r++) {
      CUDA(cudaEventRecord(a, stream));
      for (int i = 0; i < calls; i++) call(w, &need, at(i), n, out, stream);
      CUDA(cudaEventRecord(b, stream));
      const double us = elapsed() / calls;
      if (r) s.push_back(us);
    }
    CUDA(cudaGraphExecDestroy(exec));
    CUDA(cudaGraphDestroy(graph));
    *graph_us = median(g);
    *stream_us = median(s);
    return true;
  }
};

struct Row { std::string name, plan; double graph, stream; };

int main(int argc, char **argv) {
  std::vector<uint64_t> sizes;
  const char *csv_name = nullptr;
  bool all = false;
  for (int i = 6; i <= 28; i++) sizes.push_back(1ull << i);
  for (int i = 1; i < argc; i++) {
    const std::string o = argv[i];
    if (o == "--all") all = true;
    else if (o == "--csv" && i + 1 < argc) csv_name = argv[++i];
    else if (o == "--sizes" && i + 1 < argc) {
      sizes.clear();
      for (char *s = argv[++i], *end; *s; s = *end ? end + 1 : end) sizes.push_back(std::strtoull(s, &end, 10));
    } else return std::printf("unknown option %s\n", argv[i]), 2;
  }
  const uint64_t most = *std::max_element(sizes.begin(), sizes.end());
  Bench bench(std::max<size_t>(most + 64, 2 * ROTATE / sizeof(float)));
  FILE *csv = csv_name ? std::fopen(csv_name, "w") : nullptr;
  if (csv) std::fprintf(csv, "n,name,graph_us,stream_us,plan\n");
  const Call cub = [](void *w, size_t *bytes, const float *in, uint64_t n, float *out, cudaStream_t s) {
    return cub::DeviceReduce::Sum(w, *bytes, in, out, (int64_t)n, s);
  };
  cudaDeviceProp d;
  int runtime;
  CUDA(cudaGetDeviceProperties(&d, 0));
  CUDA(cudaRuntimeGetVersion(&runtime));
  std::printf("%s, CUDA %d.%d, %d variants; microseconds a call, graph and stream; CUB as its two medians\n", d.name, runtime / 1000,
              runtime % 1000 / 10, COUNT);
  std::printf("%11s %15s %8s | %-38s | ratio graph, stream; GB/s\n", "n", "CUB graph", "stream", "best variants: graph, stream, id");
  for (uint64_t n : sizes) {
    double g0 = 0, s0 = 0, g1 = 0, s1 = 0;
    bench.measure(cub, n, 1e9, &g0, &s0);
    std::vector<Row> rows;
    for (int i = 0; i < COUNT; i++) {
      Row r = {VARIANTS[i].id, VARIANTS[i].plan, 0, 0};
      if (bench.measure(VARIANTS[i].run_float, n, 20 * g0 + 200, &r.graph, &r.stream)) rows.push_back(r);
    }
    Row own = {"dispatch", "", 0, 0};
    if (bench.measure(DISPATCH, n, 1e9, &own.graph, &own.stream)) rows.push_back(own);
    bench.measure(cub, n, 1e9, &g1, &s1);
    std::stable_sort(rows.begin(), rows.end(), [](const Row &x, const Row &y) { return x.graph < y.graph; });
    const double g = std::min(g0, g1), s = std::min(s0, s1);
    if (csv) {
      std::fprintf(csv, "%llu,CUB,%.3f,%.3f,\n%llu,CUB,%.3f,%.3f,\n", (unsigned long long)n, g0, s0, (unsigned long long)n, g1, s1);
      for (const Row &r : rows) std::fprintf(csv, "%llu,%s,%.3f,%.3f,\"%s\"\n", (unsigned long long)n, r.name.c_str(), r.graph, r.stream, r.plan.c_str());
    }
    for (size_t i = 0; i < rows.size(); i++) {
      const Row &r = rows[i];
      if (!all && i >= 2 && r.name != "dispatch") continue;
      if (i == 0) std::printf("%11llu %7.2f %7.2f %8.2f", (unsigned long long)n, g0, g1, s);
      else std::printf("%11s %15s %8s", "", "", "");
      std::printf(" | %9.2f %9.2f %-18s | %5.2f %5.2f  %7.1f  %s\n", r.graph, r.stream, r.name.c_str(), g / r.graph, s / r.stream,
                  n * 4e-3 / r.graph, r.plan.c_str());
    }
    std::fflush(stdout);
  }
  if (csv) std::fclose(csv);
  return 0;
}
