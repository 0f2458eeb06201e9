// spmv.cc: the library of spmv for this CPU beside a plain OpenMP loop over the rows, and Eigen where its headers are: y = A x for
// the matrices of bench/data/matrices.h, on all processors. Contenders take turns, in an order that changes from round to round; a
// time is the median of the rounds, a ratio the median of the rounds' ratios. Every result is compared with one in double.
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "../data/matrices.h"
#include "spmv.h"
#if __has_include(<eigen3/Eigen/Sparse>)
#include <eigen3/Eigen/Sparse>
#define EIGEN 1
#endif

static int rounds = 21;

static int function(void *w, size_t *bytes, const float *values, uint64_t n, const int *columns, const int *offsets, uint64_t many,
                    const float *x, uint64_t x_n, float *y, uint64_t y_n) {
  return spmv_float(w, bytes, values, n, columns, offsets, many, x, x_n, y, y_n);
}
static int function(void *w, size_t *bytes, const double *values, uint64_t n, const int *columns, const int *offsets, uint64_t many,
                    const double *x, uint64_t x_n, double *y, uint64_t y_n) {
  return spmv_double(w, bytes, values, n, columns, offsets, many, x, x_n, y, y_n);
}

// The loop that everybody writes.
template <typename T>
static void plain(const matrices::Csr &m, const T *values, const T *x, T *y) {
  const int *offsets = m.offsets.data(), *columns = m.column.data();
#pragma omp parallel for
  for (int row = 0; row < m.rows; row++) {
    T sum = 0;
    for (int i = offsets[row]; i < offsets[row + 1]; i++) sum += values[i] * x[columns[i]];
    y[row] = sum;
  }
}

struct Contender {
  const char *name;
  std::function<void()> call;
  std::vector<double> us;
};

// Microseconds; of one thread they are the processor's, in which other programs have no part but of the caches.
static double now() {
  timespec t;
  clock_gettime(omp_get_max_threads() > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static double timed(const std::function<void()> &call, int calls) {
  const double begin = now();
  for (int i = 0; i < calls; i++) call();
  return (now() - begin) / calls;
}

static double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x[x.size() / 2];
}

template <typename T>
static double worst(const matrices::Csr &m, const std::vector<T> &values, const std::vector<T> &x, const std::vector<T> &y) {
  double most = 0;
  for (size_t row = 0; row < (size_t)m.rows; row++) {
    double sum = 0, all = 1e-300;
    for (size_t i = (size_t)m.offsets[row]; i < (size_t)m.offsets[row + 1]; i++) {
      const double p = (double)values[i] * (double)x[(size_t)m.column[i]];
      sum += p;
      all += std::fabs(p);
    }
    const double bound = (sizeof(T) == 4 ? 6e-8 : 1.2e-16) * (m.offsets[row + 1] - m.offsets[row] + 4) * all;
    const double off = std::fabs((double)y[row] - sum) / bound;
    most = off == off ? std::max(most, off) : INFINITY;
  }
  return most;
}

template <typename T>
static int compare(const char *type, const char *name, const matrices::Csr &m) {
  const size_t n = m.elements();
  std::vector<T> values(m.value.begin(), m.value.end()), x((size_t)m.columns), y((size_t)m.rows);
  matrices::Random r(7);
  for (T &e : x) e = (T)r.value();
  size_t bytes = 0;
  function(nullptr, &bytes, values.data(), n, m.column.data(), m.offsets.data(), (uint64_t)m.rows + 1, x.data(), (uint64_t)m.columns,
           y.data(), (uint64_t)m.rows);
  std::vector<char> room(bytes + 64);
  std::vector<Contender> all;
  int refused = 0;
  all.push_back({"ours", [&] {
                   refused |= function(room.data(), &bytes, values.data(), n, m.column.data(), m.offsets.data(),
                                       (uint64_t)m.rows + 1, x.data(), (uint64_t)m.columns, y.data(), (uint64_t)m.rows);
                 }, {}});
  all.push_back({"openmp", [&] { plain(m, values.data(), x.data(), y.data()); }, {}});
#ifdef EIGEN
  const Eigen::Map<const Eigen::SparseMatrix<T, Eigen::RowMajor, int>> a(m.rows, m.columns, (int)n, m.offsets.data(),
                                                                         m.column.data(), values.data());
  const Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 1>> in(x.data(), m.columns);
  Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>> out(y.data(), m.rows);
  all.push_back({"eigen", [&] { out.noalias() = a * in; }, {}});
#endif
  int wrong = 0;
  for (Contender &c : all) {
    std::fill(y.begin(), y.end(), (T)NAN);
    c.call();
    if (worst(m, values, x, y) <= 1 && !refused) continue;
    std::printf("%s %s: %s is WRONG\n", type, name, c.name);
    wrong++;
  }
  const int calls = std::max(1, (int)(4000 / timed(all[1].call, 1)));
  for (int round = 0; round < rounds; round++)
    for (size_t i = 0; i < all.size(); i++) {
      Contender &c = all[(i + (size_t)round) % all.size()];
      timed(c.call, 1);
      c.us.push_back(timed(c.call, calls));
    }
  std::printf("%-7s %-10s %8d %9zu %7d", type, name, m.rows, n, matrices::longest_row(m));
  for (const Contender &c : all) {
    std::vector<double> ratios;
    for (size_t i = 0; i < c.us.size(); i++) ratios.push_back(c.us[i] / all[0].us[i]);
    std::sort(ratios.begin(), ratios.end());
    std::printf(" %10.1f", median(c.us));
    if (&c != &all[0]) std::printf(" %5.2fx (%.2f to %.2f)", median(ratios), ratios[ratios.size() / 4], ratios[ratios.size() * 3 / 4]);
  }
  const double moved = (double)n * (sizeof(T) + 4) + 4.0 * m.rows + (double)sizeof(T) * (m.rows + (double)m.columns);
  std::printf(" %7.1f\n", moved / median(all[0].us) / 1e3);
  std::fflush(stdout);
  return wrong;
}

int main(int argc, char **argv) {
  if (const char *n = std::getenv("ROUNDS")) rounds = std::max(1, std::atoi(n));
#ifdef EIGEN
  const char *peers = "plain OpenMP loop (speedup, middle half of rounds), Eigen (the same)";
#else
  const char *peers = "plain OpenMP loop (speedup, middle half of rounds)";
#endif
  std::printf("# %d threads, %d rounds; type, matrix, rows, elements, longest row; microseconds: ours, %s; GB/s of ours\n",
              omp_get_max_threads(), rounds, peers);
  int wrong = 0;
  try {
    for (int i = 1; i < argc; i++) {
      const matrices::Csr m = matrices::made(argv[i]);
      wrong += compare<float>("float", argv[i], m) + compare<double>("double", argv[i], m);
    }
  } catch (const std::runtime_error &e) {
    std::fprintf(stderr, "spmv: %s\n", e.what());
    return 2;
  }
  return wrong > 0;
}
