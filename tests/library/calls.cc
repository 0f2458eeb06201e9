// calls.cc: a program of a generated library of sum, int and float, on the CPU's executor, which watches it.
//
//   calls MOST..      for every MOST: sums that start from a value; sums of as many as a word says, alone and replayed
//                     in a graph; with what the executor reports, and with calls that are refused
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "simt.h"
#include "sum.h"

static int failed;

static void fail(const char *what, unsigned long long n, unsigned long long most, double got, double want) {
  std::printf("%s: n = %llu, most = %llu: %g, not %g\n", what, n, most, got, want);
  ++failed;
}

static void faults(const char *what) {
  for (const simt::Report &r : simt::reports) std::printf("%s: %s\n", what, simt::describe(r).c_str()), ++failed;
  simt::reports.clear();
}

static bool ok(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return true;
  std::printf("%s: error %d: %s\n", what, (int)error, sum_error_text(error));
  ++failed;
  return false;
}

template <typename T>
struct Library {
  const char *name;
  cudaError_t (*sum)(void *, size_t *, const T *, uint64_t, T *, cudaStream_t);
  cudaError_t (*from)(void *, size_t *, const T *, uint64_t, T, T *, cudaStream_t);
  cudaError_t (*counted)(void *, size_t *, const T *, const uint64_t *, uint64_t, T *, cudaStream_t);
};

template <typename T>
struct Data {
  T *in = nullptr, *out = nullptr;
  uint64_t *count = nullptr;
  void *workspace = nullptr;
  size_t bytes = 0;
  std::vector<T> host;

  // Small whole numbers: every order of additions gives the same.
  explicit Data(uint64_t n) : host(n) {
    for (uint64_t i = 0; i < n; i++) host[i] = (T)((i * 7 + 3) % 11) - 4;
    void *place = nullptr;
    cudaMalloc(&place, n * sizeof(T) + (n == 0)), in = (T *)place;
    cudaMemcpy(in, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    if (n > 0) simt::freeze(in);
    cudaMalloc(&place, sizeof(T)), out = (T *)place;
    cudaMalloc(&place, sizeof *count), count = (uint64_t *)place;
  }
  void ask(cudaError_t asked) {
    if (!ok(asked, "size")) return;
    cudaMalloc(&workspace, bytes);
    sum_workspace_init(workspace, bytes, nullptr);
  }
  T sum(uint64_t n) const {
    T all = 0;
    for (uint64_t i = 0; i < n && i < host.size(); i++) all += host[i];
    return all;
  }
  ~Data() { simt::release_all(); }
};

template <typename T>
static void from(const Library<T> &l, uint64_t n) {
  Data<T> d(n);
  d.ask(l.from(nullptr, &d.bytes, d.in, n, 0, d.out, nullptr));
  for (int init : {0, 5, -17}) {
    if (!ok(l.from(d.workspace, &d.bytes, d.in, n, (T)init, d.out, nullptr), "from")) return faults("from");
    if (*d.out != d.sum(n) + (T)init) fail(l.name, n, n, (double)*d.out, (double)(d.sum(n) + (T)init));
  }
  faults("from");
}

template <typename T>
static void counted(const Library<T> &l, uint64_t most) {
  Data<T> d(most);
  d.ask(l.counted(nullptr, &d.bytes, d.in, d.count, most, d.out, nullptr));
  cudaStream_t stream;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  ok(l.counted(d.workspace, &d.bytes, d.in, d.count, most, d.out, stream), "captured");
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiateWithFlags(&replay, graph, 0);
  bool in_graph = false;
  const uint64_t none = 0, one = 1;
  for (uint64_t n : {most, none, one, most / 2, most - (most > 0), most / 3 * 2 + 1, most + 1, UINT64_MAX}) {
    cudaMemcpy(d.count, &n, sizeof n, cudaMemcpyHostToDevice);
    cudaMemset(d.out, 0x5a, sizeof *d.out);
    const cudaError_t error = in_graph ? cudaGraphLaunch(replay, stream)
                                       : l.counted(d.workspace, &d.bytes, d.in, d.count, most, d.out, nullptr);
    const char *what = in_graph ? "replayed" : l.name;
    if (ok(error, what) && *d.out != d.sum(n)) fail(what, n, most, (double)*d.out, (double)d.sum(n));
    in_graph = !in_graph;
  }
  faults("counted");
  cudaGraphExecDestroy(replay), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
}

// The call gives that error, and its text holds the word.
static void refused(cudaError_t error, cudaError_t wanted, const char *word) {
  const std::string text = sum_error_text(error);
  if (error == wanted && text.find(word) != std::string::npos) return;
  std::printf("error %d, `%s': not %d with `%s'\n", (int)error, text.c_str(), (int)wanted, word);
  ++failed;
}

static void refusals() {
  Data<float> d(5000);
  const cudaError_t invalid = cudaErrorInvalidValue;
  d.ask(sum_float(nullptr, &d.bytes, nullptr, 5000, nullptr, nullptr));
  const float before = *d.out;
  size_t few = 0;
  char *crooked = (char *)d.in + 1;
  refused(sum_float(d.workspace, nullptr, d.in, 5000, d.out, nullptr), invalid, "workspace_bytes is NULL");
  refused(sum_float(d.workspace, &few, d.in, 5000, d.out, nullptr), invalid,
          "the workspace has 0 bytes, and n = 5000 needs");
  refused(sum_float(d.workspace, &d.bytes, nullptr, 5000, d.out, nullptr), invalid, "sum_float: in is NULL");
  refused(sum_float(d.workspace, &d.bytes, d.in, 5000, nullptr, nullptr), invalid, "out is NULL");
  refused(sum_float(d.workspace, &d.bytes, (float *)crooked, 9, d.out, nullptr), invalid, "in is not aligned to 4");
  refused(sum_float(d.workspace, &d.bytes, d.in, 9, (float *)crooked, nullptr), invalid, "out is not aligned to 4");
  refused(sum_float((char *)d.workspace + 1, &d.bytes, d.in, 9, d.out, nullptr), invalid, "workspace is not aligned");
  refused(sum_float(nullptr, &d.bytes, d.in, UINT64_MAX, d.out, nullptr), invalid, "n = 18446744073709551615");
  refused(sum_float_async(nullptr, 5000, d.out, nullptr), invalid, "sum_float_async: in is NULL");
  refused(sum_float_from(d.workspace, &few, d.in, 5000, 1, d.out, nullptr), invalid, "the workspace has 0 bytes");
  refused(sum_float_counted(d.workspace, &d.bytes, d.in, nullptr, 9, d.out, nullptr), invalid, "is NULL");
  refused(sum_float_counted(d.workspace, &d.bytes, d.in, (uint64_t *)(crooked + 3), 9, d.out, nullptr), invalid,
          "not aligned to 8");
  refused(sum_float_counted(d.workspace, &few, d.in, d.count, 5000, d.out, nullptr), invalid,
          "the workspace has 0 bytes");
  refused(sum_workspace_init(nullptr, 16, nullptr), invalid, "there is no workspace");
  refused(sum_load_table("/nonexistent/table"), invalid, "cannot read the table `/nonexistent/table'");
  refused(cudaErrorMemoryAllocation, cudaErrorMemoryAllocation, "out of memory");
  if (sum_float(nullptr, &d.bytes, nullptr, 5000, nullptr, nullptr) != cudaSuccess ||
      std::strcmp(sum_error_text(invalid), cudaGetErrorString(invalid)) != 0)
    std::printf("an error's text outlives the next call\n"), ++failed;
  if (std::memcmp(&before, d.out, sizeof before) != 0) std::printf("a call that was refused did something\n"), ++failed;
}

int main(int argc, char **argv) {
  const Library<int> ints = {"int", sum_int, sum_int_from, sum_int_counted};
  const Library<float> floats = {"float", sum_float, sum_float_from, sum_float_counted};
  refusals();
  for (int i = 1; i < argc; i++) {
    const uint64_t most = std::strtoull(argv[i], nullptr, 10);
    simt::options.seed = (uint64_t)i + 1;
    from(ints, most), from(floats, most);
    counted(ints, most), counted(floats, most);
  }
  std::printf("%d failed\n", failed);
  return failed != 0;
}
