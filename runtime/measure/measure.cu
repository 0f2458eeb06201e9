// measure.cu: the process that `tgc tune' measures with: one request a line on the standard input, one answer a line.
//
// It knows no spectrum: variants come as shared objects, each with functions of the C API of a generated folder. A
// request that brings the device down ends the process, with its answer given; whoever asks starts another.
//
//   at the start       device <name> <compute capability x 10> <driver> <toolkit> <multiprocessors> <L2 bytes>
//                      <memory bytes>
//   run <object> <function> <type> <operator> <threads> <loads> <blocks> <n> <modes> <budget>
//                      modes: g in a replayed graph of many calls, s calls back to back on a stream, y one call and a
//                      synchronisation;
//                      budget: microseconds that one mode may take, about
//   time <g median> <g low> <g high> <s ..> <y ..>     microseconds a call, the quartiles beside the median; -1: not
//                                                    asked for
//   wrong <what>       the result is not the reference's; nothing was timed
//   launch <what>      CUDA refused or failed
//
// Fields are separated by tabs. Inputs are random, rotate over more memory than the L2 holds from 256 KiB on, and every
// result is compared with a reference of the host's: integers exactly, floating sums in double, within what the order
// of additions may change, each part of a complex one by itself.
#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <thread>
#include <vector>

struct Configuration {
  int threads, loads;
  int64_t blocks;
};
typedef cudaError_t (*Function)(const Configuration *, void *, size_t *, const void *, uint64_t, void *, cudaStream_t);

struct Request {
  std::string object, function, type, op, modes;
  Configuration configuration;
  uint64_t n;
  double budget;
};

// ---- values ----

static __host__ __device__ inline uint64_t scrambled(uint64_t i) {
  i += 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  i = (i ^ (i >> 27)) * 0x94D049BB133111EBull;
  return i ^ (i >> 31);
}

// Integers take all values; floating ones lie in [0.5, 1.5), so that a sum's condition is 1 and a missing element
// shows.
template <typename E>
static __host__ __device__ inline E value_at(uint64_t i) { return (E)scrambled(i); }
template <>
__host__ __device__ inline float value_at<float>(uint64_t i) { return 0.5f + (float)(scrambled(i) >> 40) * 0x1p-24f; }
template <>
__host__ __device__ inline double value_at<double>(uint64_t i) { return 0.5 + (double)(scrambled(i) >> 12) * 0x1p-52; }
template <>
__host__ __device__ inline __half value_at<__half>(uint64_t i) {
  return __float2half(0.5f + (float)(scrambled(i) >> 54) * 0x1p-10f);
}

template <>
__host__ __device__ inline __nv_bfloat16 value_at<__nv_bfloat16>(uint64_t i) {
  return __float2bfloat16(0.5f + (float)(scrambled(i) >> 57) * 0x1p-7f);
}
template <>
__host__ __device__ inline cuFloatComplex value_at<cuFloatComplex>(uint64_t i) {
  return make_cuFloatComplex(value_at<float>(2 * i), value_at<float>(2 * i + 1));
}
template <>
__host__ __device__ inline cuDoubleComplex value_at<cuDoubleComplex>(uint64_t i) {
  return make_cuDoubleComplex(value_at<double>(2 * i), value_at<double>(2 * i + 1));
}

template <typename E>
__global__ void fill(E *to, uint64_t n) {
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += (uint64_t)gridDim.x * blockDim.x)
    to[i] = value_at<E>(i);
}

// E: an element; R: a result; A: what the reference accumulates in.
template <typename E, typename R, typename A>
struct Type {
  static void make(void *to, uint64_t n) { fill<<<1024, 256>>>((E *)to, n); }

  static A combine(const std::string &op, A x, A y) {
    return op == "max" ? (A)std::max((R)x, (R)y) : op == "min" ? (A)std::min((R)x, (R)y) : x + y;
  }

  static A part(const std::string &op, uint64_t from, uint64_t to) {
    A all = (A)(double)0;
    if (op != "add" && from < to) all = (A)(R)value_at<E>(from);
    for (uint64_t i = from; i < to; i++) all = combine(op, all, (A)(R)value_at<E>(i));
    return all;
  }

  static A reference(const std::string &op, uint64_t n) {
    static std::map<std::pair<std::string, uint64_t>, A> known;
    const auto key = std::make_pair(op, n);
    const auto found = known.find(key);
    if (found != known.end()) return found->second;
    const uint64_t least = 1 << 16, most = std::max(1u, std::thread::hardware_concurrency());
    const uint64_t parts = std::max<uint64_t>(1, std::min(most, n / least));
    std::vector<A> results(parts);
    std::vector<std::thread> threads;
    for (uint64_t p = 0; p < parts; p++)
      threads.emplace_back([&, p] { results[p] = part(op, n * p / parts, n * (p + 1) / parts); });
    for (std::thread &t : threads) t.join();
    A all = results[0];
    for (uint64_t p = 1; p < parts; p++) all = combine(op, all, results[p]);
    return known[key] = all;
  }

  // What differs, or "".
  static std::string compare(const std::string &op, uint64_t n, const void *got) {
    const A want = reference(op, n);
    R r;
    std::memcpy(&r, got, sizeof r);
    const double chain = 16 + 2 * std::log2((double)n + 1) + (double)n / 32768;
    const double eps = sizeof(R) == 8 ? 0x1p-53 : 0x1p-24;
    const bool floating = std::is_floating_point<R>::value;
    const bool cancels = std::is_integral<E>::value; // numbers of both signs
    const double size = cancels ? (double)n * (double)std::numeric_limits<E>::max() : std::fabs((double)want);
    const bool same = floating && op == "add"
                          ? std::fabs((double)r - (double)want) <= eps * chain * size
                          : (A)r == want;
    if (same) return "";
    char text[160];
    std::snprintf(text, sizeof text, "n = %llu: got %.17g, want %.17g", (unsigned long long)n, (double)r, (double)want);
    return text;
  }
};

// Complex numbers: sums only, a part at a time.
template <typename C, typename P, typename ResultPart, typename A>
struct ComplexType {
  static void make(void *to, uint64_t n) { fill<<<1024, 256>>>((C *)to, n); }

  static std::string compare(const std::string &op, uint64_t n, const void *got) {
    if (op != "add") return "complex numbers have no order";
    static std::map<uint64_t, std::pair<A, A>> known;
    if (!known.count(n)) {
      A x = 0, y = 0;
      for (uint64_t i = 0; i < n; i++) {
        x += (A)value_at<P>(2 * i);
        y += (A)value_at<P>(2 * i + 1);
      }
      known[n] = {x, y};
    }
    ResultPart parts[2];
    std::memcpy(parts, got, sizeof parts);
    const double chain = 16 + 2 * std::log2((double)n + 1) + (double)n / 32768;
    const double eps = sizeof(ResultPart) == 8 ? 0x1p-53 : 0x1p-24;
    for (int p = 0; p < 2; p++) {
      const double want = (double)(p ? known[n].second : known[n].first);
      if (std::fabs((double)parts[p] - want) <= eps * chain * std::fabs(want)) continue;
      char text[160];
      std::snprintf(text, sizeof text, "n = %llu, part %d: got %.17g, want %.17g", (unsigned long long)n, p,
                    (double)parts[p], want);
      return text;
    }
    return "";
  }
};

struct AnyType {
  const char *name;
  size_t element, result;
  void (*make)(void *, uint64_t);
  std::string (*compare)(const std::string &, uint64_t, const void *);
};
template <typename E, typename R, typename A>
static AnyType any(const char *name) {
  return {name, sizeof(E), sizeof(R), Type<E, R, A>::make, Type<E, R, A>::compare};
}

template <typename C, typename P, typename ResultPart, typename A>
static AnyType complex(const char *name) {
  typedef ComplexType<C, P, ResultPart, A> Type;
  return {name, sizeof(C), 2 * sizeof(ResultPart), Type::make, Type::compare};
}

// A small integer in what it is accumulated in: its own, and two of those that E:A names.
#define LIFTED(E, name, own, A)                                                          \
  any<E, own, A>(name), any<E, long long, uint64_t>(name "_int64"), any<E, double, long double>(name "_double")

static const AnyType types[] = {
    any<int, int, uint32_t>("int"),        any<unsigned, unsigned, uint32_t>("uint"),
    any<long long, long long, uint64_t>("int64"), any<unsigned long long, unsigned long long, uint64_t>("uint64"),
    any<float, float, double>("float"),    any<double, double, long double>("double"),
    any<__half, float, double>("half"),    any<__nv_bfloat16, float, double>("bfloat16"),
    LIFTED(signed char, "int8", int, uint32_t),
    LIFTED(unsigned char, "uint8", unsigned, uint32_t),
    LIFTED(short, "int16", int, uint32_t),
    LIFTED(unsigned short, "uint16", unsigned, uint32_t),
    any<signed char, float, double>("int8_float"),     any<short, float, double>("int16_float"),
    any<unsigned char, float, double>("uint8_float"),  any<unsigned short, float, double>("uint16_float"),
    any<unsigned char, int, uint32_t>("uint8_int"),    any<unsigned short, int, uint32_t>("uint16_int"),
    any<unsigned char, unsigned long long, uint64_t>("uint8_uint64"),
    any<unsigned short, unsigned long long, uint64_t>("uint16_uint64"),
    any<int, long long, uint64_t>("int_int64"),        any<int, double, long double>("int_double"),
    any<unsigned, unsigned long long, uint64_t>("uint_uint64"),
    any<unsigned, long long, uint64_t>("uint_int64"),  any<unsigned, double, long double>("uint_double"),
    any<__half, double, long double>("half_double"),        any<__nv_bfloat16, double, long double>("bfloat16_double"),
    any<float, double, long double>("float_double"),
    complex<cuFloatComplex, float, float, double>("cfloat"),
    complex<cuFloatComplex, float, double, double>("cfloat_cdouble"),
    complex<cuDoubleComplex, double, double, long double>("cdouble"),
};

// ---- the device ----

struct Failure { std::string kind, text; };

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess) return;
  cudaGetLastError();
  throw Failure{"launch", std::string(what) + ": " + cudaGetErrorString(error)};
}
#define CHECK(call) check(call, #call)

struct Device {
  cudaStream_t stream;
  cudaEvent_t begin, end;
  void *in = nullptr, *out = nullptr, *workspace = nullptr;
  size_t in_bytes = 0, workspace_bytes = 0, l2 = 0;
  std::string filled; // the type whose values `in' holds

  void open() {
    cudaDeviceProp p;
    int driver = 0, runtime = 0;
    CHECK(cudaGetDeviceProperties(&p, 0));
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaMalloc(&out, 256));
    l2 = (size_t)p.l2CacheSize;
    std::printf("device\t%s\t%d\t%d.%d\t%d.%d\t%d\t%zu\t%zu\n", p.name, p.major * 10 + p.minor, driver / 1000,
                driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10, p.multiProcessorCount, l2, p.totalGlobalMem);
  }

  void need_input(const AnyType &t, uint64_t n) {
    const size_t bytes = std::max<size_t>(4 * l2, n * t.element + 4096);
    if (bytes > in_bytes) {
      if (in) CHECK(cudaFree(in));
      in = nullptr;
      in_bytes = 0;
      CHECK(cudaMalloc(&in, bytes));
      in_bytes = bytes;
      filled.clear();
    }
    if (filled == t.name) return;
    t.make(in, in_bytes / t.element);
    CHECK(cudaDeviceSynchronize());
    filled = t.name;
  }

  void need_workspace(size_t bytes) {
    if (bytes <= workspace_bytes) return;
    if (workspace) CHECK(cudaFree(workspace));
    workspace_bytes = 0;
    CHECK(cudaMalloc(&workspace, bytes));
    CHECK(cudaMemset(workspace, 0, bytes));
    workspace_bytes = bytes;
  }

  double elapsed() {
    float ms;
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&ms, begin, end));
    return 1e3 * ms;
  }
};

// ---- one request ----

struct Quartiles { double median = -1, low = -1, high = -1; };

static Quartiles quartiles(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return {x[x.size() / 2], x[x.size() / 4], x[x.size() * 3 / 4]};
}

struct Measurement {
  Device &d;
  const Request &r;
  const AnyType &t;
  Function f;
  size_t bytes = 0;
  uint64_t places = 1, stride = 0;

  void call(uint64_t i) {
    size_t given = d.workspace_bytes;
    const char *in = (const char *)d.in + i % places * stride * t.element;
    CHECK(f(&r.configuration, d.workspace, &given, in, r.n, d.out, d.stream));
  }

  void prepare() {
    d.need_input(t, r.n);
    stride = (r.n + 127) / 128 * 128 + 128;
    const size_t cold = 256 << 10, each = stride * t.element;
    places = std::max<uint64_t>(1, std::min<uint64_t>(r.n * t.element < cold ? 16 : 1 << 20, d.in_bytes / each));
    CHECK(f(&r.configuration, nullptr, &bytes, d.in, r.n, d.out, d.stream));
    d.need_workspace(std::max<size_t>(bytes, 1 << 20));
    CHECK(cudaMemsetAsync(d.workspace, 0, bytes, d.stream));
  }

  // Twice in one workspace: the first call leaves it ready for the second.
  void verify() {
    char got[16];
    for (int again = 0; again < 2; again++) {
      CHECK(cudaMemsetAsync(d.out, 0xA5, 16, d.stream));
      call(0);
      CHECK(cudaMemcpyAsync(got, d.out, t.result, cudaMemcpyDeviceToHost, d.stream));
      CHECK(cudaStreamSynchronize(d.stream));
      const std::string what = t.compare(r.op, r.n, got);
      if (!what.empty()) throw Failure{"wrong", what};
    }
  }

  double estimate() {
    enum { CALLS = 6 };
    CHECK(cudaEventRecord(d.begin, d.stream));
    for (int i = 0; i < CALLS; i++) call((uint64_t)i);
    CHECK(cudaEventRecord(d.end, d.stream));
    return d.elapsed() / CALLS;
  }

  // How many calls make a sample, and how many samples the budget has room for.
  void plan(double each, int *calls, int *samples) const {
    const int least = 3, most = 21, most_calls = 1024;
    *calls = (int)std::max(2.0, std::min((double)most_calls, r.budget / 6 / each));
    *samples = (int)std::max((double)least, std::min((double)most, r.budget / (each * *calls)));
  }

  Quartiles in_graph(double each) {
    int calls, samples;
    plan(each, &calls, &samples);
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    CHECK(cudaStreamBeginCapture(d.stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < calls; i++) call((uint64_t)i);
    CHECK(cudaStreamEndCapture(d.stream, &graph));
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    std::vector<double> all;
    for (int s = 0; s <= samples; s++) {
      CHECK(cudaEventRecord(d.begin, d.stream));
      CHECK(cudaGraphLaunch(exec, d.stream));
      CHECK(cudaEventRecord(d.end, d.stream));
      const double us = d.elapsed() / calls;
      if (s) all.push_back(us); // the first one uploads the graph
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    return quartiles(all);
  }

  Quartiles on_stream(double each) {
    int calls, samples;
    plan(each, &calls, &samples);
    std::vector<double> all;
    for (int s = 0; s <= samples; s++) {
      CHECK(cudaEventRecord(d.begin, d.stream));
      for (int i = 0; i < calls; i++) call((uint64_t)i);
      CHECK(cudaEventRecord(d.end, d.stream));
      const double us = d.elapsed() / calls;
      if (s) all.push_back(us);
    }
    return quartiles(all);
  }

  Quartiles alone() {
    std::vector<double> all;
    for (int s = 0; s < 31; s++) {
      timespec a, b;
      clock_gettime(CLOCK_MONOTONIC, &a);
      call((uint64_t)s);
      CHECK(cudaStreamSynchronize(d.stream));
      clock_gettime(CLOCK_MONOTONIC, &b);
      if (s) all.push_back(1e6 * (double)(b.tv_sec - a.tv_sec) + 1e-3 * (double)(b.tv_nsec - a.tv_nsec));
    }
    return quartiles(all);
  }
};

static Function function_of(const Request &r) {
  static std::map<std::string, void *> open;
  void *&object = open[r.object];
  if (!object) object = dlopen(r.object.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!object) throw Failure{"launch", dlerror()};
  void *f = dlsym(object, r.function.c_str());
  if (!f) throw Failure{"launch", "no function " + r.function};
  return (Function)f;
}

static void serve(Device &d, const Request &r) {
  const AnyType *t = nullptr;
  for (const AnyType &each : types)
    if (r.type == each.name) t = &each;
  if (!t) throw Failure{"launch", "no type " + r.type};
  if (r.op != "add" && r.op != "max" && r.op != "min") throw Failure{"launch", "no operator " + r.op};
  Measurement m = {d, r, *t, function_of(r)};
  m.prepare();
  m.verify();
  const double each = std::max(0.3, m.estimate());
  Quartiles g, s, y;
  if (r.modes.find('g') != std::string::npos) g = m.in_graph(each);
  if (r.modes.find('s') != std::string::npos) s = m.on_stream(each);
  if (r.modes.find('y') != std::string::npos) y = m.alone();
  std::printf("time");
  for (const Quartiles &q : {g, s, y}) std::printf("\t%.4f\t%.4f\t%.4f", q.median, q.low, q.high);
  std::printf("\n");
}

static bool parse(char *line, Request *r) {
  std::vector<std::string> fields;
  line[strcspn(line, "\n")] = 0;
  for (char *s = line; s; s = *s ? s + 1 : nullptr) {
    const size_t n = strcspn(s, "\t");
    fields.emplace_back(s, n);
    s += n;
    if (!*s) break;
  }
  if (fields.size() != 11 || fields[0] != "run") return false;
  r->object = fields[1];
  r->function = fields[2];
  r->type = fields[3];
  r->op = fields[4];
  r->configuration = {atoi(fields[5].c_str()), atoi(fields[6].c_str()), atoll(fields[7].c_str())};
  r->n = strtoull(fields[8].c_str(), nullptr, 10);
  r->modes = fields[9];
  r->budget = atof(fields[10].c_str());
  return true;
}

// The text on one line.
static void answer(const Failure &f) {
  std::string text = f.text;
  for (char &c : text)
    if (c == '\n' || c == '\t') c = ' ';
  std::printf("%s\t%s\n", f.kind.c_str(), text.c_str());
}

int main() {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  Device d;
  try {
    d.open();
  } catch (const Failure &f) {
    answer(f);
    return 3;
  }
  static char line[8192];
  while (fgets(line, sizeof line, stdin)) {
    Request r;
    if (!parse(line, &r)) {
      answer({"launch", "a request that is none"});
      continue;
    }
    try {
      serve(d, r);
    } catch (const Failure &f) {
      answer(f);
      if (f.kind == "launch" && cudaDeviceSynchronize() != cudaSuccess) return 3; // the context is lost
      cudaStreamCaptureStatus status;
      if (cudaStreamIsCapturing(d.stream, &status) != cudaSuccess || status != cudaStreamCaptureStatusNone) return 3;
    }
  }
  return 0;
}
