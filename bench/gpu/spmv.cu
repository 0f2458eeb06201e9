// spmv.cu: variants of y = A x for a matrix in CSR, each configuration that they were compiled for, and the function that users
// call, against cuSPARSE. A line for each: the median time, GB/s of what has to be read and written once, the speed relative to
// the faster of cuSPARSE's algorithms, the greatest difference from the result in double, relative to its bound.
//
// Needs spmv.h and the objects of a folder that tgc wrote with --types float,double: bench/spmv.py builds it. Arguments are
// matrices of bench/data/matrices.h. Calls use the same data again, as iterations of a solver do: what fits the L2 cache stays
// there. A configuration that takes over 1.5 times the time of the best so far in one call is measured no further, and other
// numbers of blocks are only tried of those that take less. ONLY in the environment: a regular expression of the ids or plans that
// are wanted.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "../data/matrices.h"
#include "replayed.h"
#include "spmv.h"

enum { ROUNDS = 7 };
static const int64_t numbers_of_blocks[] = {132000000, 528, 1056}; // besides the variant's own

#define MUST(CALL) must((int)(CALL), #CALL)
static void must(int status, const char *call) {
  if (!status) return;
  std::fprintf(stderr, "spmv: %s: status %d\n", call, status);
  std::exit(2);
}

template <typename T>
struct Of;
template <>
struct Of<float> {
  static constexpr const char *name = "float";
  static constexpr cudaDataType type = CUDA_R_32F;
  static constexpr double epsilon = 6e-8;
  static auto run(const spmv_variant &v) { return v.run_float; }
  template <typename... A>
  static cudaError_t function(A... a) { return spmv_float(a...); }
};
template <>
struct Of<double> {
  static constexpr const char *name = "double";
  static constexpr cudaDataType type = CUDA_R_64F;
  static constexpr double epsilon = 1.2e-16;
  static auto run(const spmv_variant &v) { return v.run_double; }
  template <typename... A>
  static cudaError_t function(A... a) { return spmv_double(a...); }
};

template <typename T>
static T *on_device(const std::vector<T> &from) {
  T *to = nullptr;
  MUST(cudaMalloc(&to, from.size() * sizeof(T) + 16));
  MUST(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice));
  return to;
}

// A matrix and a vector on the device, in T; what the product is in double, and by how much it may be off.
template <typename T>
struct Problem {
  const char *name;
  int rows, columns;
  size_t elements;
  T *values, *x, *y;
  int *column, *offsets;
  std::vector<double> want, bound;
  double bytes;

  Problem(const char *name, const matrices::Csr &m) : name(name), rows(m.rows), columns(m.columns), elements(m.elements()) {
    matrices::Random r(7);
    std::vector<T> v(elements), in((size_t)columns);
    for (size_t i = 0; i < elements; i++) v[i] = (T)m.value[i];
    for (T &e : in) e = (T)r.value();
    want.resize((size_t)rows);
    bound.resize((size_t)rows);
    for (int row = 0; row < rows; row++) {
      double sum = 0, all = 0;
      for (int i = m.offsets[(size_t)row]; i < m.offsets[(size_t)row + 1]; i++) {
        const double p = (double)v[(size_t)i] * (double)in[(size_t)m.column[(size_t)i]];
        sum += p;
        all += std::fabs(p);
      }
      want[(size_t)row] = sum;
      bound[(size_t)row] = Of<T>::epsilon * (m.offsets[(size_t)row + 1] - m.offsets[(size_t)row] + 4) * all + 1e-300;
    }
    values = on_device(v);
    x = on_device(in);
    column = on_device(m.column);
    offsets = on_device(m.offsets);
    MUST(cudaMalloc(&y, (size_t)rows * sizeof(T) + 16));
    bytes = (double)elements * (sizeof(T) + 4) + 4.0 * rows + (double)sizeof(T) * (rows + (double)columns);
  }

  ~Problem() {
    for (void *p : {(void *)values, (void *)x, (void *)y, (void *)column, (void *)offsets}) cudaFree(p);
  }

  void spoil() { MUST(cudaMemset(y, 0xff, (size_t)rows * sizeof(T))); }

  // The greatest difference, where its bound is 1; infinite where something is no number.
  double worst() const {
    std::vector<T> got((size_t)rows);
    MUST(cudaMemcpy(got.data(), y, got.size() * sizeof(T), cudaMemcpyDeviceToHost));
    double most = 0;
    for (size_t i = 0; i < got.size(); i++) {
      const double off = std::fabs((double)got[i] - want[i]) / bound[i];
      most = off == off ? std::max(most, off) : INFINITY;
    }
    return most;
  }
};

static int calls_of(double us) { return us < 20 ? 50 : us < 200 ? 20 : us < 2000 ? 5 : 1; }

// Microseconds of cuSPARSE's algorithm.
template <typename T>
static double peer(cusparseHandle_t h, cudaStream_t stream, Problem<T> &p, cusparseSpMVAlg_t algorithm) {
  cusparseSpMatDescr_t A;
  cusparseDnVecDescr_t x, y;
  const T one = 1, zero = 0;
  MUST(cusparseCreateCsr(&A, p.rows, p.columns, (int64_t)p.elements, p.offsets, p.column, p.values, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, Of<T>::type));
  MUST(cusparseCreateDnVec(&x, p.columns, p.x, Of<T>::type));
  MUST(cusparseCreateDnVec(&y, p.rows, p.y, Of<T>::type));
  size_t bytes = 0;
  void *room = nullptr;
  const cusparseOperation_t as_it_is = CUSPARSE_OPERATION_NON_TRANSPOSE;
  MUST(cusparseSpMV_bufferSize(h, as_it_is, &one, A, x, &zero, y, Of<T>::type, algorithm, &bytes));
  MUST(cudaMalloc(&room, bytes + 16));
  MUST(cusparseSpMV_preprocess(h, as_it_is, &one, A, x, &zero, y, Of<T>::type, algorithm, room));
  const auto call = [&] { cusparseSpMV(h, as_it_is, &one, A, x, &zero, y, Of<T>::type, algorithm, room); };
  p.spoil();
  const double once = replayed(stream, call, 1, 1), us = replayed(stream, call, ROUNDS, calls_of(once)), worst = p.worst();
  if (!(worst <= 1)) std::printf("  cuSPARSE is off by %.1f times the bound\n", worst);
  MUST(cusparseDestroySpMat(A));
  MUST(cusparseDestroyDnVec(x));
  MUST(cusparseDestroyDnVec(y));
  MUST(cudaFree(room));
  return us;
}

// What the calls share: a workspace that grows with what they need.
struct Workspace {
  void *at = nullptr;
  size_t bytes = 0;
  ~Workspace() { cudaFree(at); }

  template <typename Call>
  cudaError_t make(Call call) {
    size_t needed = 0;
    const cudaError_t status = call(nullptr, &needed);
    if (status != cudaSuccess || needed <= bytes) return status;
    cudaFree(at);
    MUST(cudaMalloc(&at, bytes = needed));
    MUST(cudaMemset(at, 0, bytes));
    return cudaSuccess;
  }
};

enum Outcome { MEASURED, TOO_SLOW, REFUSED, WRONG };

// A line of the table. `best': the least time so far.
template <typename T, typename Call>
static Outcome measure(cudaStream_t stream, Problem<T> &p, Workspace &w, const char *name, double peers, double *best, Call call) {
  p.spoil();
  cudaError_t queued = w.make(call);
  const auto run = [&] { return call(w.at, &w.bytes); };
  if (queued == cudaSuccess) queued = run();
  const cudaError_t ran = cudaDeviceSynchronize();
  if (queued == cudaErrorInvalidConfiguration) return REFUSED;
  if (queued != cudaSuccess || ran != cudaSuccess) {
    std::printf("  %s: %s: WRONG\n", name, cudaGetErrorString(queued != cudaSuccess ? queued : ran));
    return WRONG;
  }
  const double worst = p.worst();
  const bool right = worst <= 1;
  const double once = replayed(stream, run, 1, 3);
  if (right && once > 1.5 * *best + 3) return TOO_SLOW;
  const double us = replayed(stream, run, ROUNDS, calls_of(once));
  if (right) *best = std::min(*best, us);
  std::printf("  %s: %.2f us, %.0f GB/s, %.2f of cuSPARSE, off by %.2f of the bound%s\n", name, us, p.bytes / us / 1e3, peers / us,
              worst, right ? "" : ": WRONG");
  std::fflush(stdout);
  return right ? MEASURED : WRONG;
}

// The configuration's longest part of one worker; 0: no variant has such a tunable.
template <typename C>
static auto longest_of(const C &c, int) -> decltype(c.longest) { return c.longest; }
template <typename C>
static int longest_of(const C &, long) { return 0; }

static bool is_left_out(const spmv_variant &v, const char *only) {
  if (!std::strncmp(v.plan, "grid>", 5)) return true; // one block
  return only && !std::regex_search(std::string(v.id) + " " + v.plan, std::regex(only));
}

template <typename T>
static int compare(cusparseHandle_t h, cudaStream_t stream, const char *name, const matrices::Csr &m, const char *only) {
  Problem<T> p(name, m);
  const double one = peer(h, stream, p, CUSPARSE_SPMV_CSR_ALG1), two = peer(h, stream, p, CUSPARSE_SPMV_CSR_ALG2);
  const double peers = std::min(one, two);
  std::printf("%s %s: %d rows, %zu elements, at most %d a row: cuSPARSE %.2f us (alg1), %.2f (alg2), %.0f GB/s\n", Of<T>::name, name,
              p.rows, p.elements, matrices::longest_row(m), one, two, p.bytes / peers / 1e3);
  Workspace w;
  int wrong = 0;
  const uint64_t n = p.elements, offsets_n = (uint64_t)p.rows + 1, columns = (uint64_t)p.columns, rows = (uint64_t)p.rows;
  double any = INFINITY, best = 4 * peers;
  wrong += measure(stream, p, w, "the function", peers, &any, [&](void *at, size_t *bytes) {
    return Of<T>::function(at, bytes, p.values, n, p.column, p.offsets, offsets_n, p.x, columns, p.y, rows, stream);
  }) != MEASURED;
  for (int i = 0; i < spmv_variant_count; i++) {
    const spmv_variant &v = spmv_variants[i];
    if (is_left_out(v, only)) continue;
    for (const spmv_configuration *f = v.configurations; f->threads; f++) {
      const auto with = [&](int64_t blocks) {
        spmv_configuration c = *f;
        if (blocks) c.blocks = blocks;
        char text[500];
        std::snprintf(text, sizeof text, "%s, %d threads, %d loads, %lld blocks, %d longest, %s, %s", v.id, f->threads, f->loads,
                      (long long)blocks, longest_of(*f, 0), v.determinism, v.plan);
        return measure(stream, p, w, text, peers, &best, [&](void *at, size_t *bytes) {
          return Of<T>::run(v)(&c, at, bytes, p.values, n, p.column, p.offsets, offsets_n, p.x, columns, p.y, rows, stream);
        });
      };
      const Outcome own = with(0);
      wrong += own == WRONG;
      for (const int64_t blocks : numbers_of_blocks)
        if (own == MEASURED) wrong += with(blocks) == WRONG;
    }
  }
  return wrong;
}

int main(int argc, char **argv) {
  const char *only = std::getenv("ONLY"); // a part of a variant's id or plan
  cusparseHandle_t h;
  cudaStream_t stream;
  MUST(cusparseCreate(&h));
  MUST(cudaStreamCreate(&stream));
  MUST(cusparseSetStream(h, stream));
  cudaDeviceProp device;
  MUST(cudaGetDeviceProperties(&device, 0));
  int runtime = 0, version = 0, wrong = 0;
  MUST(cudaRuntimeGetVersion(&runtime));
  MUST(cusparseGetVersion(h, &version));
  std::printf("# %s, CUDA %d, cuSPARSE %d\n", device.name, runtime, version);
  try {
    for (int i = 1; i < argc; i++) {
      const matrices::Csr m = matrices::made(argv[i]);
      wrong += compare<float>(h, stream, argv[i], m, only) + compare<double>(h, stream, argv[i], m, only);
    }
  } catch (const std::runtime_error &e) {
    std::fprintf(stderr, "spmv: %s\n", e.what());
    return 2;
  }
  return wrong > 0;
}
