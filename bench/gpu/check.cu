// check.cu: runs every variant of a generated folder, in each of its configurations, on the GPU and compares it with a
// double (or 64-bit) reference.
//
// Built by bench/gpu_check.sh with -DSPECTRUM_HEADER="sum.h" -DSPECTRUM=sum and, in types.h, a TYPE(name) for each type
// of the folder. The input is made on the device from the element's number and a seed. Two data sets: small integers,
// whose sums are exact in every type and every order, so that the result must match to the last bit; and random reals,
// held to the bound for n - 1 additions in any order, |error| <= (n - 1) eps sum|x|, and, as a record, the error seen.
// The two parts of a complex number are held to it one by one.
//
//   check [--sizes n,n,..] [--variant ID] [--types float,int] [--seeds N] [--graph] [--streams] [--chain] [--time]
//         [--csv FILE]
#include SPECTRUM_HEADER
#include "types.h"

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define VARIANT PASTE(SPECTRUM, _variant)
#define VARIANTS PASTE(SPECTRUM, _variants)
#define COUNT PASTE(SPECTRUM, _variant_count)
#define CONFIGURATION PASTE(SPECTRUM, _configuration)

#define CUDA(call)                                                                             \
  do {                                                                                         \
    cudaError_t error_ = (call);                                                               \
    if (error_ != cudaSuccess) {                                                               \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));   \
      std::exit(3);                                                                            \
    }                                                                                          \
  } while (0)

enum Data { SMALL_INTEGERS, REALS };

__host__ __device__ inline uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// A number of type T as its parts: one, or two of a complex number.
template <typename T> struct Number {
  enum { PARTS = 1 };
  typedef T Part;
  static __host__ __device__ T part(T x, int) { return x; }
  template <typename X> static __host__ __device__ T make(X x, X) { return T(x); }
};
template <typename T, typename R> struct ComplexNumber {
  enum { PARTS = 2 };
  typedef R Part;
  static __host__ __device__ R part(T x, int p) { return p ? x.y : x.x; }
  template <typename X> static __host__ __device__ T make(X x, X y) {
    T z;
    z.x = R(x);
    z.y = R(y);
    return z;
  }
};
template <> struct Number<cuFloatComplex> : ComplexNumber<cuFloatComplex, float> {};
template <> struct Number<cuDoubleComplex> : ComplexNumber<cuDoubleComplex, double> {};

template <typename T> __host__ __device__ T element(uint64_t i, uint64_t seed, Data data) {
  const uint64_t h = mixed(i * 0x2545f4914f6cdd1dull + seed);
  if (data == SMALL_INTEGERS) return Number<T>::make((long long)(h % 17) - 8, (long long)(h >> 32) % 17 - 8);
  return Number<T>::make((double)(int64_t)h * 0x1p-63, (double)(int64_t)mixed(h) * 0x1p-63); // within (-1, 1)
}

template <typename T> __global__ void fill(T *x, uint64_t n, uint64_t seed, Data data) {
  const uint64_t step = (uint64_t)gridDim.x * blockDim.x;
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += step) x[i] = element<T>(i, seed, data);
}

// The sums of all parts, and of their absolute values.
template <typename T, typename A> struct Sums {
  enum { PARTS = Number<T>::PARTS };
  A sum[PARTS];
  double size[PARTS];
};

// The reference: one accumulator of type A a lane and part, then the host adds the lanes' in order.
template <typename T, typename A> __global__ void lanes_sum(const T *x, uint64_t n, Sums<T, A> *sums) {
  const uint64_t step = (uint64_t)gridDim.x * blockDim.x, me = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x;
  Sums<T, A> s = {};
  for (uint64_t i = me; i < n; i += step)
    for (int p = 0; p < Number<T>::PARTS; p++) {
      s.sum[p] += (A)Number<T>::part(x[i], p);
      s.size[p] += fabs((double)Number<T>::part(x[i], p));
    }
  sums[me] = s;
}

// What the reference adds up for results whose parts are R's.
template <typename R> struct Wide { typedef uint64_t type; };
template <> struct Wide<float> { typedef double type; };
template <> struct Wide<double> { typedef double type; };

struct Options {
  std::vector<uint64_t> sizes = {0, 1, 31, 32, 33, 1023, 1024, 1025, 65537, 1000007};
  std::string variant, types, csv;
  int seeds = 1;
  bool graph = false, streams = false, chain = false, time = false;
};

struct Tally {
  long runs = 0, failed = 0;
  double worst = 0; // error seen as a part of the bound
};

enum { LANES = 512 * 256 };

// T: an element; R: a result.
template <typename T, typename R> struct Problem {
  typedef typename Number<R>::Part Part;
  typedef typename Wide<Part>::type A;
  T *in = nullptr;
  R *out = nullptr;
  Sums<T, A> *lanes = nullptr, all = {};
  void *workspace = nullptr;
  size_t workspace_bytes = 0;

  explicit Problem(uint64_t most) {
    CUDA(cudaMalloc(&in, (most + 8) * sizeof(T)));
    CUDA(cudaMalloc(&out, sizeof(R)));
    CUDA(cudaMalloc(&lanes, LANES * sizeof *lanes));
  }
  ~Problem() {
    cudaFree(in);
    cudaFree(out);
    cudaFree(lanes);
    cudaFree(workspace);
  }
  void make(const T *at, uint64_t n, uint64_t seed, Data data) {
    fill<<<512, 256>>>((T *)at, n, seed, data);
    lanes_sum<<<512, 256>>>(at, n, lanes);
    std::vector<Sums<T, A>> s(LANES);
    CUDA(cudaMemcpy(s.data(), lanes, LANES * sizeof *lanes, cudaMemcpyDeviceToHost));
    all = {};
    for (int i = 0; i < LANES; i++)
      for (int p = 0; p < Number<T>::PARTS; p++) {
        all.sum[p] += s[i].sum[p];
        all.size[p] += s[i].size[p];
      }
  }
  void *work(size_t bytes) {
    if (bytes > workspace_bytes) {
      CUDA(cudaFree(workspace));
      CUDA(cudaMalloc(&workspace, bytes));
      workspace_bytes = bytes;
    }
    return workspace;
  }
};

template <typename T, typename R>
using Function = cudaError_t (*)(const CONFIGURATION *, void *, size_t *, const T *, uint64_t, R *, cudaStream_t);

// A variant in one of the configurations that were compiled.
struct Subject {
  const VARIANT *variant;
  const CONFIGURATION *configuration;
  std::string name() const {
    const std::string threads = std::to_string(configuration->threads), loads = std::to_string(configuration->loads);
    return std::string(variant->id) + "(" + threads + "," + loads + ")";
  }
};

template <typename T, typename R> struct Run {
  Function<T, R> function;
  const CONFIGURATION *configuration;
  Run(const Subject &s, Function<T, R> VARIANT::*member)
      : function(s.variant->*member), configuration(s.configuration) {}
  cudaError_t operator()(void *w, size_t *bytes, const T *in, uint64_t n, R *out, cudaStream_t stream) const {
    return function(configuration, w, bytes, in, n, out, stream);
  }
};

static std::vector<Subject> subjects(const Options &o) {
  std::vector<Subject> all;
  for (int i = 0; i < COUNT; i++) {
    if (!o.variant.empty() && o.variant != VARIANTS[i].id) continue;
    const CONFIGURATION *c = VARIANTS[i].configurations; // zeros end them
    do all.push_back({&VARIANTS[i], c});
    while ((++c)->threads);
  }
  return all;
}

// One part of a result; its error in eps sum|x| in *seen.
template <typename P, typename A>
bool judge_part(P got, A sum, double size, uint64_t n, Data data, double *seen) {
  *seen = 0;
  if (std::is_integral<P>::value) return got == (P)sum;
  if (data == SMALL_INTEGERS) return (double)got == (double)sum;
  const double unit = std::numeric_limits<P>::epsilon() * size, bound = n < 2 ? 0 : (double)(n - 1) * unit;
  const double error = std::fabs((double)got - (double)sum);
  *seen = bound > 0 ? error / unit : 0;
  return error <= bound || (n < 2 && (P)sum == got);
}

template <typename T, typename R>
bool judge(const Problem<T, R> &p, uint64_t n, Data data, R got, double *worst) {
  bool right = true;
  *worst = 0;
  for (int k = 0; k < Number<R>::PARTS; k++) {
    double seen;
    right &= judge_part(Number<R>::part(got, k), p.all.sum[k], p.all.size[k], n, data, &seen);
    *worst = std::max(*worst, seen);
  }
  return right;
}

template <typename T, typename R>
R run_once(Problem<T, R> &p, Run<T, R> run, const T *in, uint64_t n, cudaError_t *error) {
  size_t bytes = 0;
  R got = {};
  *error = run(nullptr, &bytes, in, n, p.out, 0);
  if (*error != cudaSuccess) return got;
  void *w = p.work(bytes);
  CUDA(cudaMemset(w, 0xff, bytes));
  CUDA(PASTE(SPECTRUM, _workspace_init)(w, bytes, 0));
  CUDA(cudaMemset(p.out, 0xff, sizeof(R)));
  *error = run(w, &bytes, in, n, p.out, 0);
  if (*error != cudaSuccess) return got;
  *error = cudaDeviceSynchronize();
  if (*error != cudaSuccess) return got;
  CUDA(cudaMemcpy(&got, p.out, sizeof got, cudaMemcpyDeviceToHost));
  return got;
}

// A graph of two calls, replayed twice on fresh data.
template <typename T, typename R> bool graph_works(Problem<T, R> &p, Run<T, R> run, uint64_t n) {
  cudaStream_t s;
  cudaGraph_t g;
  cudaGraphExec_t e;
  size_t bytes = 0;
  bool ok = true;
  CUDA(cudaStreamCreate(&s));
  if (run(nullptr, &bytes, p.in, n, p.out, s) != cudaSuccess) return false;
  void *w = p.work(bytes);
  CUDA(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
  ok &= run(w, &bytes, p.in, n, p.out, s) == cudaSuccess;
  ok &= run(w, &bytes, p.in, n, p.out, s) == cudaSuccess;
  if (cudaStreamEndCapture(s, &g) != cudaSuccess || !ok) return false;
  CUDA(cudaGraphInstantiate(&e, g, 0));
  for (uint64_t seed = 101; seed < 103; seed++) {
    p.make(p.in, n, seed, SMALL_INTEGERS);
    CUDA(cudaGraphLaunch(e, s));
    CUDA(cudaStreamSynchronize(s));
    R got;
    double part;
    CUDA(cudaMemcpy(&got, p.out, sizeof got, cudaMemcpyDeviceToHost));
    ok &= judge(p, n, SMALL_INTEGERS, got, &part);
  }
  CUDA(cudaGraphExecDestroy(e));
  CUDA(cudaGraphDestroy(g));
  CUDA(cudaStreamDestroy(s));
  return ok;
}

// Two streams at once, a workspace each, many calls in flight.
template <typename T, typename R> bool streams_work(Run<T, R> run, uint64_t n) {
  Problem<T, R> p[2] = {Problem<T, R>(n), Problem<T, R>(n)};
  cudaStream_t s[2];
  bool ok = true;
  for (int k = 0; k < 2; k++) {
    p[k].make(p[k].in, n, 7 + k, SMALL_INTEGERS);
    CUDA(cudaStreamCreateWithFlags(&s[k], cudaStreamNonBlocking));
  }
  size_t bytes = 0;
  ok &= run(nullptr, &bytes, p[0].in, n, p[0].out, s[0]) == cudaSuccess;
  void *w[2] = {p[0].work(bytes), p[1].work(bytes)};
  for (int k = 0; k < 2; k++) CUDA(PASTE(SPECTRUM, _workspace_init)(w[k], bytes, s[k]));
  for (int i = 0; i < 20 && ok; i++)
    for (int k = 0; k < 2; k++) ok &= run(w[k], &bytes, p[k].in, n, p[k].out, s[k]) == cudaSuccess;
  CUDA(cudaDeviceSynchronize());
  for (int k = 0; k < 2; k++) {
    R got;
    double part;
    CUDA(cudaMemcpy(&got, p[k].out, sizeof got, cudaMemcpyDeviceToHost));
    ok &= judge(p[k], n, SMALL_INTEGERS, got, &part);
    CUDA(cudaStreamDestroy(s[k]));
  }
  return ok;
}

// A sum of sums: each call stores one element of the last one's input, and the last that is stored may be anywhere in
// it. A grid that begins before the one ahead of it has ended must not have read it by then.
template <typename T, typename R> bool chain_works(Problem<T, R> &p, Run<T, R> run) {
  const uint64_t links = 2100, each = 31;
  T *sums;
  R got;
  double part;
  size_t bytes = 0, more = 0;
  bool ok = true;
  CUDA(cudaMalloc(&sums, links * sizeof(T)));
  p.make(p.in, links * each, 77, SMALL_INTEGERS);
  ok &= run(nullptr, &bytes, p.in, each, p.out, 0) == cudaSuccess &&
        run(nullptr, &more, sums, links, p.out, 0) == cudaSuccess;
  bytes = std::max(bytes, more);
  void *w = p.work(bytes);
  CUDA(PASTE(SPECTRUM, _workspace_init)(w, bytes, 0));
  for (uint64_t last : {(uint64_t)0, (uint64_t)63, links / 2, links - 1}) {
    CUDA(cudaMemset(sums, 0x3f, links * sizeof(T)));
    for (uint64_t i = 1; i <= links; i++) {
      const uint64_t place = (last + i) % links;
      ok &= run(w, &bytes, p.in + place * each, each, sums + place, 0) == cudaSuccess;
    }
    ok &= run(w, &bytes, sums, links, p.out, 0) == cudaSuccess;
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaMemcpy(&got, p.out, sizeof got, cudaMemcpyDeviceToHost));
    ok &= judge(p, links * each, SMALL_INTEGERS, got, &part);
  }
  CUDA(cudaFree(sums));
  return ok;
}

template <typename T, typename R>
double median_us(Problem<T, R> &p, Run<T, R> run, const T *in, uint64_t n) {
  size_t bytes = 0;
  std::vector<float> ms;
  cudaEvent_t a, b;
  if (run(nullptr, &bytes, in, n, p.out, 0) != cudaSuccess) return -1;
  void *w = p.work(bytes);
  CUDA(cudaEventCreate(&a));
  CUDA(cudaEventCreate(&b));
  for (int i = 0; i < 6; i++) {
    float t;
    CUDA(cudaEventRecord(a));
    if (run(w, &bytes, in, n, p.out, 0) != cudaSuccess) return -1;
    CUDA(cudaEventRecord(b));
    CUDA(cudaEventSynchronize(b));
    CUDA(cudaEventElapsedTime(&t, a, b));
    if (i) ms.push_back(t);
  }
  cudaEventDestroy(a);
  cudaEventDestroy(b);
  std::sort(ms.begin(), ms.end());
  return 1e3 * ms[ms.size() / 2];
}

template <typename T, typename R>
void check_type(const char *type, Function<T, R> VARIANT::*member, const Options &o, Tally *all, FILE *csv) {
  if (!o.types.empty() && ("," + o.types + ",").find(std::string(",") + type + ",") == std::string::npos) return;
  const uint64_t most = *std::max_element(o.sizes.begin(), o.sizes.end());
  Problem<T, R> p(most);
  Tally t;
  const std::vector<Subject> tried = subjects(o);
  const auto fail = [&](const Subject &v, uint64_t n, const char *what, double got, double want) {
    if (++t.failed <= 40)
      std::printf("FAILED %s %s n=%llu: %s: got %.17g, want %.17g\n", v.name().c_str(), type, (unsigned long long)n,
                  what, got, want);
  };
  for (uint64_t n : o.sizes)
    for (int seed = 0; seed < o.seeds; seed++)
      for (int data = 0; data < (std::numeric_limits<T>::is_integer ? 1 : 2); data++)
        for (int offset = 0; offset <= (n < (1u << 21) ? 3 : 1); offset += offset ? 2 : 1) {
          const T *in = p.in + offset;
          p.make(in, n, 1000 * (seed + 1) + offset, (Data)data);
          const auto start = std::chrono::steady_clock::now();
          for (const Subject &v : tried) {
            cudaError_t error;
            double part = 0;
            const R got = run_once(p, Run<T, R>(v, member), in, n, &error);
            t.runs++;
            if (error != cudaSuccess) fail(v, n, cudaGetErrorString(error), 0, 0);
            else if (!judge(p, n, (Data)data, got, &part))
              fail(v, n, data ? "reals" : "exact", (double)Number<R>::part(got, 0), (double)p.all.sum[0]);
            t.worst = std::max(t.worst, part);
          }
          const double s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
          if (s > 2) std::printf("  %s n=%llu offset %d: %.1f s\n", type, (unsigned long long)n, offset, s);
          std::fflush(stdout);
        }
  for (const Subject &v : tried) {
    const Run<T, R> run(v, member);
    if (o.graph) { t.runs++; if (most < 65537 || !graph_works(p, run, 65537)) fail(v, 65537, "in a graph", 0, 0); }
    if constexpr (std::is_same<T, R>::value) // a result is an element
      if (o.chain) { t.runs++; if (most < 65537 || !chain_works(p, run)) fail(v, 2100, "in a chain of calls", 0, 0); }
    if (o.streams) { t.runs++; if (!streams_work(run, 65537)) fail(v, 65537, "on two streams", 0, 0); }
    if (o.time)
      for (uint64_t n : o.sizes) {
        const double us = median_us(p, run, p.in, n);
        if (csv)
          std::fprintf(csv, "\"%s\",%s,%s,%llu,%.3f,\"%s\"\n", v.name().c_str(), v.variant->category, type,
                       (unsigned long long)n, us, v.variant->plan);
      }
  }
  std::printf("%-7s %8ld runs %6ld failed, worst error %.3g eps sum|x|\n", type, t.runs, t.failed, t.worst);
  all->runs += t.runs;
  all->failed += t.failed;
}

static std::vector<uint64_t> numbers(const char *s) {
  std::vector<uint64_t> v;
  for (char *end; *s; s = *end ? end + 1 : end) v.push_back(std::strtoull(s, &end, 10));
  return v;
}

int main(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; i++) {
    const std::string a = argv[i];
    const char *next = i + 1 < argc ? argv[i + 1] : "";
    if (a == "--sizes") o.sizes = numbers(next), i++;
    else if (a == "--variant") o.variant = next, i++;
    else if (a == "--types") o.types = next, i++;
    else if (a == "--seeds") o.seeds = std::atoi(next), i++;
    else if (a == "--csv") o.csv = next, i++;
    else if (a == "--graph") o.graph = true;
    else if (a == "--streams") o.streams = true;
    else if (a == "--chain") o.chain = true;
    else if (a == "--time") o.time = true;
    else { std::printf("unknown option %s\n", argv[i]); return 2; }
  }
  cudaDeviceProp d;
  CUDA(cudaGetDeviceProperties(&d, 0));
  FILE *csv = o.csv.empty() ? nullptr : std::fopen(o.csv.c_str(), "w");
  if (csv) std::fprintf(csv, "id,category,type,n,us,plan\n");
  Tally all;
  std::printf("%s, %d variants\n", d.name, COUNT);
#define TYPE(name) check_type(#name, &VARIANT::run_##name, o, &all, csv);
  TYPES
#undef TYPE
  if (csv) std::fclose(csv);
  std::printf("%s: %ld runs, %ld failed\n", all.failed ? "FAILED" : "passed", all.runs, all.failed);
  return all.failed != 0;
}
