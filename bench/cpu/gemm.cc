// gemm.cc: the library of gemm for this CPU beside OpenBLAS: C += A B, row-major, on as many threads as OMP_NUM_THREADS
// says. Both take turns, in an order that changes from round to round; a time is the median of the rounds, a ratio the
// median of the rounds' ratios, with their quartiles. Of one thread it is the processor's time, in which other programs
// have no part but of the caches. Results are compared: they differ by no more than what rounds.
#include <cblas.h>
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include "gemm.h"

extern "C" void openblas_set_num_threads(int);

struct Shape { long m, n, k; };

#ifdef VARIANT // of the library, whatever its table says
#define OF_TYPE(variant, type) JOINED(variant, type)
#define JOINED(variant, type) gemm_##variant##_##type
#define CALL(type, ...) OF_TYPE(VARIANT, type)(nullptr, __VA_ARGS__)
extern "C" int OF_TYPE(VARIANT, float)(const gemm_configuration *, void *, size_t *, const float *, uint64_t, uint64_t,
                                       uint64_t, const float *, uint64_t, uint64_t, float *, uint64_t);
extern "C" int OF_TYPE(VARIANT, double)(const gemm_configuration *, void *, size_t *, const double *, uint64_t, uint64_t,
                                        uint64_t, const double *, uint64_t, uint64_t, double *, uint64_t);
#else
#define CALL(type, ...) gemm_##type(__VA_ARGS__)
#endif

static int ours(void *w, size_t *bytes, const Shape &s, const float *a, const float *b, float *c) {
  return CALL(float, w, bytes, a, s.m, s.k, s.k, b, s.n, s.n, c, s.n);
}
static int ours(void *w, size_t *bytes, const Shape &s, const double *a, const double *b, double *c) {
  return CALL(double, w, bytes, a, s.m, s.k, s.k, b, s.n, s.n, c, s.n);
}
static void theirs(const Shape &s, const float *a, const float *b, float *c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, s.m, s.n, s.k, 1, a, s.k, b, s.n, 1, c, s.n);
}
static void theirs(const Shape &s, const double *a, const double *b, double *c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, s.m, s.n, s.k, 1, a, s.k, b, s.n, 1, c, s.n);
}

static double now() {
  timespec t;
  clock_gettime(omp_get_max_threads() > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

template <typename F>
static double seconds(int calls, F &&call) {
  const double begin = now();
  for (int i = 0; i < calls; i++) call();
  return (now() - begin) / calls;
}

static double part(std::vector<double> x, double where) {
  std::sort(x.begin(), x.end());
  return x[(size_t)(where * (double)(x.size() - 1) + 0.5)];
}

template <typename T>
static int compare(const char *type, const Shape &s, int rounds) {
  std::vector<T> a(s.m * s.k), b(s.k * s.n), c(s.m * s.n), d(s.m * s.n);
  uint32_t state = 1;
  for (auto *x : {&a, &b})
    for (T &e : *x) e = (T)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
  size_t bytes = 0;
  ours(nullptr, &bytes, s, a.data(), b.data(), c.data());
  std::vector<char> room(bytes + 64);
  int refused = 0;
  const double work = 2.0 * (double)s.m * (double)s.n * (double)s.k;
  const int calls = work < 2e7 ? (int)(2e7 / work) : 1;
  std::vector<double> us, blas, ratio;
  for (int r = -1; r < rounds; r++) {
    double t[2];
    for (int i = 0; i < 2; i++) {
      const bool own = (i + r + 1) % 2 == 0;
      std::this_thread::sleep_for(std::chrono::milliseconds(2)); // OpenBLAS's threads spin for a while
      t[own] = own ? seconds(calls, [&] { refused |= ours(room.data(), &bytes, s, a.data(), b.data(), c.data()); })
                   : seconds(calls, [&] { theirs(s, a.data(), b.data(), d.data()); });
    }
    if (r < 0) continue; // not measured
    us.push_back(t[1]);
    blas.push_back(t[0]);
    ratio.push_back(t[0] / t[1]);
  }
  std::fill(c.begin(), c.end(), (T)0);
  std::fill(d.begin(), d.end(), (T)0);
  refused |= ours(room.data(), &bytes, s, a.data(), b.data(), c.data());
  theirs(s, a.data(), b.data(), d.data());
  double worst = 0;
  const double eps = sizeof(T) == 4 ? 6e-8 : 1.2e-16, most = eps * (double)(s.k + 4) * (double)s.k;
  for (size_t i = 0; i < c.size(); i++) worst = std::max(worst, std::fabs((double)c[i] - (double)d[i]) / most);
  printf("%-7s %5ld x %5ld x %5ld  %d thread%s  ours %8.2f  openblas %8.2f GFLOP/s  ratio %.2f (%.2f to %.2f)%s\n", type,
         s.m, s.n, s.k, omp_get_max_threads(), omp_get_max_threads() > 1 ? "s" : " ", work / part(us, .5) * 1e-9,
         work / part(blas, .5) * 1e-9, part(ratio, .5), part(ratio, .25), part(ratio, .75),
         refused ? "  REFUSED" : worst > 1 ? "  WRONG" : "");
  fflush(stdout);
  return refused || worst > 1;
}

int main(int argc, char **argv) {
  const char *most = getenv("ROUNDS");
  int wrong = 0;
  openblas_set_num_threads(omp_get_max_threads());
  for (int i = 1; i < argc; i++) {
    Shape s;
    if (sscanf(argv[i], "%ldx%ldx%ld", &s.m, &s.n, &s.k) != 3) s.m = s.n = s.k = atol(argv[i]);
    const double work = (double)s.m * (double)s.n * (double)s.k;
    const int rounds = most ? atoi(most) : work > 2e10 ? 5 : work > 2e9 ? 9 : 21;
    wrong |= compare<float>("float", s, rounds);
    wrong |= compare<double>("double", s, rounds);
  }
  return wrong;
}
