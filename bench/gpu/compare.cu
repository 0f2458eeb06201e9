// compare.cu: the generated library against CUB and thrust, side by side in one run; built and started by bench.py.
//
// Three ways to call: `graph`, time per call in a replayed graph of many calls; `stream`, asynchronous calls back to
// back; `sync`, one call and a synchronisation. From 2^16 elements on the calls rotate over more input than the L2
// holds. Those that compete take turns, A B A B .., a round each; a figure is the median of the rounds. Every result of
// every round is compared.
//
//   compare [--sizes 6..30] [--rounds N] [--odd] [--variants]
//
// --odd: also 3 * 2^k + 1 elements, one element past an aligned address. --variants: also each variant, in a graph.
// Prints a JSON object a line; exit status 1 when a contender was wrong or failed, 3 when the device did.
#include <algorithm>
#include <chrono>
#include <memory>

#if __has_include(<cub/version.cuh>)
#include <cub/version.cuh>
#else
#define CUB_VERSION 0 // it is not compiled by nvcc
#endif

#include "measure.h"

// TYPES(T): T(int) T(float) .., from the command line that compiles.
#define DECLARE(type) ElementType element_type_##type();
#define CALL(type) element_type_##type,
TYPES(DECLARE)
static ElementType (*const element_types[])() = {TYPES(CALL)};

namespace {

struct Options {
  std::vector<int> exponents;
  int rounds = 9;
  bool odd = false, variants = false;
};

struct Device {
  int multiprocessors, l2_bytes, memory_khz, bus_bits;
  double peak; // bytes a second
};

struct Case {
  uint64_t n;
  int offset; // elements past an aligned address
};

// Where successive calls read: place p begins at p * stride elements.
struct Rotation {
  uint64_t stride;
  int places, calls;
};

struct Figures { double median, low, high; };

enum { SMALL = 1 << 16, MOST_CALLS = 256, SYNC_CALLS = 32 };

Rotation rotation_of(const Device &d, size_t element_bytes, const Case &c) {
  Rotation r;
  r.stride = (c.n + c.offset + 63) / 64 * 64;
  const double bytes = (double)(r.stride * element_bytes), us = 1 + 1e6 * bytes / d.peak;
  r.places = c.n < SMALL ? 64 : (int)(3.0 * d.l2_bytes / bytes) + 1;
  r.calls = std::max(4, std::min<int>(MOST_CALLS, (int)(1000 / us)));
  r.calls = (r.calls + r.places - 1) / r.places * r.places;
  return r;
}

// The median of the rounds, and their spread without the lowest and the highest one.
Figures figures_of(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const size_t trim = x.size() >= 5 ? 1 : 0;
  return {x[x.size() / 2], x[trim], x[x.size() - 1 - trim]};
}

double seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// ---- device memory that goes when it is no longer held ----

struct Memory {
  void *at = nullptr;
  size_t bytes;
  explicit Memory(size_t n) : bytes(n) { CUDA(cudaMalloc(&at, n)); }
  ~Memory() { cudaFree(at); }
  Memory(const Memory &) = delete;
};

// ---- one case: a type, a size, the inputs ----

struct Bench {
  const Device *device;
  const ElementType *type;
  Case c;
  Rotation rotation;
  const char *in;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  std::vector<Value> sums; // by place
  bool *failed;

  const void *input(int call) const {
    return in + ((call % rotation.places) * rotation.stride + c.offset) * type->bytes;
  }
  double elapsed_us() const {
    float ms;
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    return 1e3 * ms;
  }
};

// ---- one contender in one case ----

enum Mode { GRAPH, STREAM, SYNC, MODES };
const char *const mode_names[] = {"graph", "stream", "sync"};

struct Run {
  Bench &bench;
  const Contender &contender;
  int calls;
  size_t workspace_bytes = 0;
  std::unique_ptr<Memory> workspace, results;
  std::vector<char> host_results;
  cudaGraphExec_t graph = nullptr;
  std::vector<double> rounds[MODES];
  std::string fault;

  Run(Bench &b, const Contender &c) : bench(b), contender(c), calls(b.rotation.calls) {
    if (c.to_host) calls = std::min<int>(calls, SYNC_CALLS); // some of them take a hundred microseconds
    host_results.resize(calls * bench.type->result_bytes);
    results.reset(new Memory(host_results.size()));
    if (note(contender.call(nullptr, &workspace_bytes, bench.input(0), bench.c.n, results->at, bench.stream))) return;
    workspace.reset(new Memory(std::max<size_t>(workspace_bytes, 1)));
    if (contender.init) note(contender.init(workspace->at, workspace_bytes, bench.stream));
  }
  ~Run() {
    if (graph) cudaGraphExecDestroy(graph);
  }
  Run(const Run &) = delete;

  // Takes down what went wrong, once; true when something did.
  bool note(cudaError_t error) {
    if (error == cudaSuccess) return !fault.empty();
    if (fault.empty()) fault = cudaGetErrorName(error);
    cudaGetLastError(); // errors of a launch are no longer news
    return true;
  }

  void *result(int i) {
    char *at = contender.to_host ? host_results.data() : (char *)results->at;
    return at + i * bench.type->result_bytes;
  }
  bool call(int i) {
    return !note(contender.call(workspace->at, &workspace_bytes, bench.input(i), bench.c.n, result(i), bench.stream));
  }

  // After a plain call: a kernel's first launch may load its code, which a capture does not allow.
  void capture() {
    cudaGraph_t captured = nullptr;
    if (!call(0)) return;
    CUDA(cudaStreamSynchronize(bench.stream));
    CUDA(cudaStreamBeginCapture(bench.stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < calls && call(i); i++) {}
    note(cudaStreamEndCapture(bench.stream, &captured));
    if (fault.empty()) note(cudaGraphInstantiate(&graph, captured, 0));
    if (captured) CUDA(cudaGraphDestroy(captured));
  }

  // What no sum of small numbers is stands where results are awaited.
  void poison() {
    std::fill(host_results.begin(), host_results.end(), 0x7f);
    CUDA(cudaMemsetAsync(results->at, 0x7f, results->bytes, bench.stream));
    CUDA(cudaStreamSynchronize(bench.stream));
  }
  void compare_results(int made) {
    CUDA(cudaStreamSynchronize(bench.stream));
    if (!contender.to_host)
      CUDA(cudaMemcpy(host_results.data(), results->at, results->bytes, cudaMemcpyDeviceToHost));
    for (int i = 0; i < made && fault.empty(); i++)
      if (!bench.type->right(&host_results[i * bench.type->result_bytes], bench.sums[i % bench.rotation.places],
                             bench.c.n))
        fault = "wrong result";
  }

  double first_us() {
    if (!fault.empty()) return 0;
    CUDA(cudaEventRecord(bench.begin, bench.stream));
    call(0);
    CUDA(cudaEventRecord(bench.end, bench.stream));
    return bench.elapsed_us();
  }
  double graph_round() {
    CUDA(cudaEventRecord(bench.begin, bench.stream));
    CUDA(cudaGraphLaunch(graph, bench.stream));
    CUDA(cudaEventRecord(bench.end, bench.stream));
    return bench.elapsed_us() / calls;
  }
  double stream_round() {
    const double start = seconds();
    CUDA(cudaEventRecord(bench.begin, bench.stream));
    for (int i = 0; i < calls; i++) call(i);
    CUDA(cudaEventRecord(bench.end, bench.stream));
    return contender.to_host ? 1e6 * (seconds() - start) / calls : bench.elapsed_us() / calls;
  }
  double sync_round() {
    std::vector<double> us;
    for (int i = 0; i < std::min<int>(calls, SYNC_CALLS); i++) {
      const double start = seconds();
      call(i);
      CUDA(cudaStreamSynchronize(bench.stream));
      us.push_back(1e6 * (seconds() - start));
    }
    return figures_of(us).median;
  }

  void round(Mode mode, bool count) {
    if (!fault.empty()) return;
    if (mode == GRAPH && !graph) capture();
    if (!fault.empty()) return;
    poison();
    const double us = mode == GRAPH ? graph_round() : mode == STREAM ? stream_round() : sync_round();
    compare_results(mode == SYNC ? std::min<int>(calls, SYNC_CALLS) : calls);
    if (count) rounds[mode].push_back(us);
  }

  void print(Mode mode) {
    const Bench &b = bench;
    if (rounds[mode].empty() && fault.empty()) return;
    std::printf("{\"kind\": \"%s\", \"type\": \"%s\", \"n\": %llu, \"offset\": %d, \"mode\": \"%s\", ",
                fault.empty() ? "measurement" : "failure", b.type->name, (unsigned long long)b.c.n, b.c.offset,
                mode_names[mode]);
    std::printf("\"contender\": \"%s\"%s", contender.name.c_str(), contender.what.c_str());
    if (fault.empty()) {
      const Figures f = figures_of(rounds[mode]);
      std::printf(", \"us\": %.4f, \"low\": %.4f, \"high\": %.4f, \"rounds\": %d, \"calls\": %d}\n", f.median, f.low,
                  f.high, (int)rounds[mode].size(), calls);
    } else {
      std::printf(", \"what\": \"%s\"}\n", fault.c_str());
      *b.failed = true;
    }
  }
};

// ---- a case ----

bool takes_part(const Contender &c, Mode mode, uint64_t n) { return n <= c.most && !(c.to_host && mode != STREAM); }

// In turns, a round each, the first one not counted.
void compete(Bench &b, const Options &o) {
  std::vector<std::unique_ptr<Run>> runs;
  for (const Contender &c : b.type->contenders)
    if (b.c.n <= c.most) runs.emplace_back(new Run(b, c));
  for (int mode = GRAPH; mode < MODES; mode++) {
    for (int r = 0; r <= o.rounds; r++)
      for (auto &run : runs)
        if (takes_part(run->contender, (Mode)mode, b.c.n)) run->round((Mode)mode, r > 0);
    for (auto &run : runs)
      if (takes_part(run->contender, (Mode)mode, b.c.n)) run->print((Mode)mode);
  }
}

// What takes ten times as long as the memory would, one block for a large input say, is left out after its first call.
void time_variants(Bench &b) {
  const double bytes = (double)b.c.n * b.type->bytes, limit = 100 + 10 * 1e6 * bytes / b.device->peak;
  for (const Contender &c : b.type->variants) {
    Run run(b, c);
    if (run.first_us() > limit) continue;
    for (int r = 0; r <= 3; r++) run.round(GRAPH, r > 0);
    run.print(GRAPH);
  }
}

std::vector<Case> cases_of(const Options &o) {
  std::vector<Case> cases;
  for (int k : o.exponents) {
    cases.push_back({1ull << k, 0});
    if (o.odd) cases.push_back({3 * (1ull << k) / 2 + 1, 1});
  }
  return cases;
}

void run_case(const Device &d, const ElementType &type, const Case &c, const char *in, cudaStream_t stream,
              const Options &o, bool *failed) {
  Bench b = {&d, &type, c, rotation_of(d, type.bytes, c), in, stream};
  b.failed = failed;
  b.sums.resize(b.rotation.places);
  type.reference(in + c.offset * type.bytes, c.n, b.rotation.stride, b.rotation.places, b.sums.data());
  CUDA(cudaEventCreate(&b.begin));
  CUDA(cudaEventCreate(&b.end));
  compete(b, o);
  if (o.variants) time_variants(b);
  CUDA(cudaEventDestroy(b.begin));
  CUDA(cudaEventDestroy(b.end));
  std::fflush(stdout);
}

// ---- the device ----

int attribute(cudaDeviceAttr what) {
  int value, device;
  CUDA(cudaGetDevice(&device));
  CUDA(cudaDeviceGetAttribute(&value, what, device));
  return value;
}

Device look_at_device() {
  Device d = {attribute(cudaDevAttrMultiProcessorCount), attribute(cudaDevAttrL2CacheSize),
              attribute(cudaDevAttrMemoryClockRate), attribute(cudaDevAttrGlobalMemoryBusWidth), 0};
  cudaDeviceProp properties;
  int runtime, driver;
  CUDA(cudaGetDeviceProperties(&properties, 0));
  CUDA(cudaRuntimeGetVersion(&runtime));
  CUDA(cudaDriverGetVersion(&driver));
  d.peak = 2e3 * d.memory_khz * d.bus_bits / 8; // two transfers a clock
  std::printf("{\"kind\": \"device\", \"name\": \"%s\", \"compute\": \"%d.%d\", \"multiprocessors\": %d, ",
              properties.name, properties.major, properties.minor, d.multiprocessors);
  std::printf("\"l2_bytes\": %d, \"memory_khz\": %d, \"bus_bits\": %d, \"peak_gbs\": %.1f, ", d.l2_bytes, d.memory_khz,
              d.bus_bits, d.peak / 1e9);
  std::printf("\"memory_bytes\": %zu, \"runtime\": %d, \"driver\": %d, \"cub\": %d}\n", properties.totalGlobalMem,
              runtime, driver, CUB_VERSION);
  if (d.peak == 0) d.peak = 1e12; // an integrated GPU may not tell; it only sets how many calls are made
  return d;
}

// "6..30" or "10,16,20..24".
bool read_sizes(const char *s, std::vector<int> *to) {
  for (char *end;; s = end + 1) {
    long first = std::strtol(s, &end, 10), last = first;
    if (end == s) return false;
    if (end[0] == '.' && end[1] == '.') {
      s = end + 2;
      last = std::strtol(s, &end, 10);
      if (end == s) return false;
    }
    if (first < 1 || last > 34 || last < first) return false;
    for (long k = first; k <= last; k++) to->push_back((int)k);
    if (!*end) return true;
    if (*end != ',') return false;
  }
}

bool read_options(int argc, char **argv, Options *o) {
  for (int i = 1; i < argc; i++) {
    const std::string a = argv[i];
    if (a == "--odd") o->odd = true;
    else if (a == "--variants") o->variants = true;
    else if (a == "--sizes" && i + 1 < argc && read_sizes(argv[i + 1], &o->exponents)) i++;
    else if (a == "--rounds" && i + 1 < argc && (o->rounds = std::atoi(argv[i + 1])) > 0) i++;
    else return std::fprintf(stderr, "compare: what is `%s'?\n", argv[i]), false;
  }
  if (o->exponents.empty()) read_sizes("6..30", &o->exponents);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  Options o;
  if (!read_options(argc, argv, &o)) return 2;
  const Device device = look_at_device();
  const std::vector<Case> cases = cases_of(o);
  cudaStream_t stream;
  bool failed = false;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  for (const auto make : element_types) {
    const ElementType type = make();
    std::printf("{\"kind\": \"type\", \"name\": \"%s\", \"bytes\": %zu}\n", type.name, type.bytes);
    uint64_t most = 0; // elements that any case reads
    for (const Case &c : cases) {
      const Rotation r = rotation_of(device, type.bytes, c);
      most = std::max(most, r.places * r.stride + c.offset);
    }
    Memory in(most * type.bytes);
    type.fill(in.at, most);
    for (const Case &c : cases) run_case(device, type, c, (const char *)in.at, stream, o, &failed);
  }
  CUDA(cudaStreamDestroy(stream));
  return failed;
}
