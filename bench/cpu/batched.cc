// batched.cc: the library of gemm_batched for this CPU beside OpenBLAS, which is called for one product after another:
// C(b) += A(b) B(b), row-major. Both take turns in one process; a time is the least of the rounds, of one thread the
// processor's. Results are compared. Arguments: BATCHxN: so many products of N x N x N.
#include <cblas.h>
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "gemm_batched.h"

extern "C" void openblas_set_num_threads(int);

static double now() {
  timespec t;
  clock_gettime(omp_get_max_threads() > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ours(void *w, size_t *bytes, long many, long n, const float *a, const float *b, float *c) {
  return gemm_batched_float(w, bytes, a, many, n, n, n * n, n, b, n, n * n, n, c, n * n, n);
}
static int ours(void *w, size_t *bytes, long many, long n, const double *a, const double *b, double *c) {
  return gemm_batched_double(w, bytes, a, many, n, n, n * n, n, b, n, n * n, n, c, n * n, n);
}
static void theirs(int n, const float *a, const float *b, float *c) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 1, c, n);
}
static void theirs(int n, const double *a, const double *b, double *c) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 1, c, n);
}

template <typename T>
static int compare(const char *type, long many, long n) {
  const size_t all = (size_t)(many * n * n);
  std::vector<T> a(all), b(all), c(all), d(all);
  uint32_t state = 1;
  for (auto *x : {&a, &b})
    for (T &e : *x) e = (T)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
  size_t bytes = 0;
  ours(nullptr, &bytes, many, n, a.data(), b.data(), c.data());
  std::vector<char> room(bytes + 64);
  double least[2] = {1e9, 1e9}, worst = 0;
  int refused = 0, rounds = 0;
  for (; rounds < 31; rounds++)
    for (int i = 0; i < 2; i++) {
      const bool own = (i + rounds) % 2 == 0;
      const double begin = now();
      if (own) refused |= ours(room.data(), &bytes, many, n, a.data(), b.data(), c.data());
      else
        for (long p = 0; p < many; p++) theirs((int)n, &a[p * n * n], &b[p * n * n], &d[p * n * n]);
      least[own] = std::min(least[own], now() - begin);
    }
  const double eps = sizeof(T) == 4 ? 6e-8 : 1.2e-16, most = eps * rounds * rounds * (double)(n * (n + 4));
  for (size_t i = 0; i < all; i++) worst = std::max(worst, std::fabs((double)c[i] - (double)d[i]) / most);
  const double work = 2e-9 * (double)many * (double)n * (double)n * (double)n;
  printf("%-7s %5ld of %3ld^3  %d thread(s)  ours %8.2f  openblas %8.2f GFLOP/s  ratio %.2f%s\n", type, many, n,
         omp_get_max_threads(), work / least[1], work / least[0], least[0] / least[1],
         refused ? "  REFUSED" : worst > 1 ? "  WRONG" : "");
  return refused || worst > 1;
}

int main(int argc, char **argv) {
  int wrong = 0;
  openblas_set_num_threads(1); /* of one small product */
  for (int i = 1; i < argc; i++) {
    long many, n;
    if (sscanf(argv[i], "%ldx%ld", &many, &n) != 2) return 2;
    wrong |= compare<float>("float", many, n);
    wrong |= compare<double>("double", many, n);
  }
  return wrong;
}
