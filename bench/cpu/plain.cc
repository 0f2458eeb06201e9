// plain.cc: libraries of stencils, transposition, rows and columns, compaction, sorts and counts for this CPU, beside plain
// loops with OpenMP in the same compiler's hands, and beside memcpy of the same bytes. Arguments: NAME or NAME:SHAPE, a
// shape being N, NxM or NxMxK. Whatever folder is there is compared. See plain.h.
#include "plain.h"

#include <cblas.h>

#include <limits>
#include <memory>
#include <parallel/algorithm>

#if __has_include("jacobi.h")
#include "jacobi.h"
#endif
#if __has_include("jacobi3.h")
#include "jacobi3.h"
#endif
#if __has_include("convolve.h")
#include "convolve.h"
#endif
#if __has_include("convolve2.h")
#include "convolve2.h"
#endif
#if __has_include("transpose.h")
#include "transpose.h"
#endif
#if __has_include("column_sums.h")
#include "column_sums.h"
#endif
#if __has_include("row_max.h")
#include "row_max.h"
#endif
#if __has_include("softmax.h")
#include "softmax.h"
#endif
#if __has_include("logsumexp.h")
#include "logsumexp.h"
#endif
#if __has_include("layer_norm.h")
#include "layer_norm.h"
#endif
#if __has_include("copy_if.h")
#include "copy_if.h"
#endif
#if __has_include("sort.h")
#include "sort.h"
#endif
#if __has_include("histogram.h")
#include "histogram.h"
#endif
#if __has_include("syrk.h")
#include "syrk.h"
#endif

extern "C" void openblas_set_num_threads(int);

using F = std::vector<float>;

struct Shape {
  long n, m, k;
  std::string text;
};

static Call copy(void *to, const void *from, size_t bytes) { // by all threads, each a part
  return [=] {
    const long parts = omp_get_max_threads(), each = (long)bytes / parts / 64 * 64;
#pragma omp parallel for if (parts > 1)
    for (long p = 0; p < parts; p++)
      memcpy((char *)to + p * each, (const char *)from + p * each, p + 1 < parts ? (size_t)each : bytes - (size_t)(p * each));
    return 0;
  };
}

#define LIBRARY(name, type) \
  library(name##_##type, with), variants(name##_variants, name##_variant_count, &name##_variant::run_##type, with)

#ifdef TGC_JACOBI_H
static bool jacobi(const Shape &s) {
  const long n = s.n, m = s.m, w = m + 2;
  const F x = numbers<float>((size_t)((n + 2) * w));
  F y((size_t)(n * m)), z = y, c(x.size());
  const auto with = [&](auto f) { return f(x.data(), n + 2, w, w, y.data(), n, m, m); };
  const Call loop = [&] {
    const float *X = x.data();
    float *Z = z.data();
#pragma omp parallel for
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++)
        Z[i * m + j] = (X[i * w + j + 1] + X[(i + 2) * w + j + 1] + X[(i + 1) * w + j] + X[(i + 1) * w + j + 2]) * 0.25f;
    return 0;
  };
  return compare("jacobi", s.text, LIBRARY(jacobi, float), {{"loop", loop}, {"copy", copy(c.data(), x.data(), y.size() * 4)}},
                 [&] { return near(y, z, 1e-6); });
}
#endif

#ifdef TGC_JACOBI3_H
static bool jacobi3(const Shape &s) {
  const long a = s.n, b = s.m, d = s.k, w = d + 2, p = (b + 2) * w;
  const F x = numbers<float>((size_t)((a + 2) * p));
  F y((size_t)(a * b * d)), z = y, c(x.size());
  const auto with = [&](auto f) { return f(x.data(), a + 2, b + 2, w, p, w, y.data(), a, b, d, b * d, d); };
  const Call loop = [&] {
    const float *X = x.data();
    float *Z = z.data();
#pragma omp parallel for
    for (long i = 0; i < a; i++)
      for (long j = 0; j < b; j++)
        for (long k = 0; k < d; k++) {
          const float *o = X + (i + 1) * p + (j + 1) * w + k + 1;
          Z[(i * b + j) * d + k] = (o[-p] + o[p] + o[-w] + o[w] + o[-1] + o[1]) * (1 / 6.f);
        }
    return 0;
  };
  return compare("jacobi3", s.text, LIBRARY(jacobi3, float), {{"loop", loop}, {"copy", copy(c.data(), x.data(), y.size() * 4)}},
                 [&] { return near(y, z, 1e-5); });
}
#endif

#ifdef TGC_CONVOLVE_H
static bool convolve(const Shape &s) { // n results of m weights
  const long n = s.n, m = s.m;
  const F x = numbers<float>((size_t)(n + m - 1)), w = numbers<float>((size_t)m, 7);
  F y((size_t)n), z = y, c(x.size());
  const auto with = [&](auto f) { return f(x.data(), n + m - 1, w.data(), m, y.data(), n); };
  const Call loop = [&] {
    const float *X = x.data(), *W = w.data();
    float *Z = z.data();
#pragma omp parallel for simd
    for (long i = 0; i < n; i++) {
      float sum = 0;
      for (long a = 0; a < m; a++) sum += X[i + a] * W[a];
      Z[i] = sum;
    }
    return 0;
  };
  return compare("convolve", s.text, LIBRARY(convolve, float), {{"loop", loop}, {"copy", copy(c.data(), x.data(), y.size() * 4)}},
                 [&] { return near(y, z, 1e-4); });
}
#endif

#ifdef TGC_CONVOLVE2_H
static bool convolve2(const Shape &s) { // n x m results of k x k weights
  const long n = s.n, m = s.m, k = s.k, wide = m + k - 1;
  const F x = numbers<float>((size_t)((n + k - 1) * wide)), w = numbers<float>((size_t)(k * k), 7);
  F y((size_t)(n * m)), z = y, c(x.size());
  const auto with = [&](auto f) {
    return f(x.data(), n + k - 1, wide, wide, w.data(), k, k, k, y.data(), n, m, m);
  };
  const Call loop = [&] {
    const float *X = x.data(), *W = w.data();
    float *Z = z.data();
#pragma omp parallel for
    for (long i = 0; i < n; i++)
#pragma omp simd
      for (long j = 0; j < m; j++) {
        float sum = 0;
        for (long a = 0; a < k; a++)
          for (long b = 0; b < k; b++) sum += X[(i + a) * wide + j + b] * W[a * k + b];
        Z[i * m + j] = sum;
      }
    return 0;
  };
  return compare("convolve2", s.text, LIBRARY(convolve2, float), {{"loop", loop}, {"copy", copy(c.data(), x.data(), y.size() * 4)}},
                 [&] { return near(y, z, 1e-4); });
}
#endif

#ifdef TGC_TRANSPOSE_H
static bool transpose(const Shape &s) {
  const long n = s.n, m = s.m;
  const F x = numbers<float>((size_t)(n * m));
  F y(x.size()), z = y, c = y;
  const auto with = [&](auto f) { return f(x.data(), n, m, m, y.data(), n); };
  const Call loop = [&] { // by squares, as everyone does
    const float *X = x.data();
    float *Z = z.data();
    const long t = 32;
#pragma omp parallel for collapse(2)
    for (long i = 0; i < n; i += t)
      for (long j = 0; j < m; j += t)
        for (long jj = j; jj < std::min(j + t, m); jj++)
          for (long ii = i; ii < std::min(i + t, n); ii++) Z[jj * n + ii] = X[ii * m + jj];
    return 0;
  };
  const Call blas = [&] {
    cblas_somatcopy(CblasRowMajor, CblasTrans, n, m, 1, x.data(), m, c.data(), n);
    return 0;
  };
  return compare("transpose", s.text, LIBRARY(transpose, float),
                 {{"loop", loop}, {"omatcopy", blas}, {"copy", copy(c.data(), x.data(), x.size() * 4)}},
                 [&] { return y == z; });
}
#endif

#ifdef TGC_COLUMN_SUMS_H
static bool column_sums(const Shape &s) {
  const long n = s.n, m = s.m;
  const F x = numbers<float>((size_t)(n * m));
  F y((size_t)m), z = y;
  const auto with = [&](auto f) { return f(x.data(), n, m, m, y.data()); };
  const Call loop = [&] {
    const float *X = x.data();
    float *Z = z.data();
    std::fill(z.begin(), z.end(), 0.f);
#pragma omp parallel for reduction(+ : Z[:m])
    for (long i = 0; i < n; i++)
      for (long j = 0; j < m; j++) Z[j] += X[i * m + j];
    return 0;
  };
  return compare("column_sums", s.text, LIBRARY(column_sums, float), {{"loop", loop}},
                 [&] { return near(y, z, 1e-3 * std::sqrt((double)n)); });
}
#endif

#ifdef TGC_ROW_MAX_H
static bool row_max(const Shape &s) {
  const long n = s.n, m = s.m;
  const F x = numbers<float>((size_t)(n * m));
  F y((size_t)n), z = y;
  const auto with = [&](auto f) { return f(x.data(), n, m, m, y.data()); };
  const Call loop = [&] {
    const float *X = x.data();
    float *Z = z.data();
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
      float top = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : top)
      for (long j = 0; j < m; j++) top = X[i * m + j] > top ? X[i * m + j] : top;
      Z[i] = top;
    }
    return 0;
  };
  return compare("row_max", s.text, LIBRARY(row_max, float), {{"loop", loop}}, [&] { return y == z; });
}
#endif

static void soft(const float *x, float *y, long m) { // y, or the logarithm of the sum where m is negative
  const long many = m < 0 ? -m : m;
  float top = -std::numeric_limits<float>::infinity(), sum = 0;
#pragma omp simd reduction(max : top)
  for (long j = 0; j < many; j++) top = x[j] > top ? x[j] : top;
  if (m < 0) {
#pragma omp simd reduction(+ : sum)
    for (long j = 0; j < many; j++) sum += expf(x[j] - top);
    *y = top + logf(sum);
    return;
  }
#pragma omp simd reduction(+ : sum)
  for (long j = 0; j < m; j++) sum += y[j] = expf(x[j] - top);
  const float scale = 1 / sum;
  for (long j = 0; j < m; j++) y[j] *= scale;
}

#ifdef TGC_SOFTMAX_H
static bool softmax(const Shape &s) {
  const long n = s.n, m = s.m;
  const F x = numbers<float>((size_t)(n * m));
  F y(x.size()), z = y, c = y;
  const auto with = [&](auto f) { return f(x.data(), n, m, m, y.data(), m); };
  const Call loop = [&] {
#pragma omp parallel for
    for (long i = 0; i < n; i++) soft(&x[i * m], &z[i * m], m);
    return 0;
  };
  return compare("softmax", s.text, LIBRARY(softmax, float), {{"loop", loop}, {"copy", copy(c.data(), x.data(), x.size() * 4)}},
                 [&] { return near(y, z, 1e-5); });
}
#endif

#ifdef TGC_LOGSUMEXP_H
static bool logsumexp(const Shape &s) {
  const long n = s.n, m = s.m;
  const F x = numbers<float>((size_t)(n * m));
  F y((size_t)n), z = y;
  const auto with = [&](auto f) { return f(x.data(), n, m, m, y.data()); };
  const Call loop = [&] {
#pragma omp parallel for
    for (long i = 0; i < n; i++) soft(&x[i * m], &z[i], -m);
    return 0;
  };
  return compare("logsumexp", s.text, LIBRARY(logsumexp, float), {{"loop", loop}}, [&] { return near(y, z, 1e-4); });
}
#endif

#ifdef TGC_LAYER_NORM_H
static bool layer_norm(const Shape &s) {
  const long n = s.n, m = s.m;
  const F x = numbers<float>((size_t)(n * m)), w = numbers<float>((size_t)m, 5), b = numbers<float>((size_t)m, 6);
  F y(x.size()), z = y, c = y;
  const auto with = [&](auto f) { return f(x.data(), n, m, m, w.data(), b.data(), 1e-5f, y.data(), m); };
  const Call loop = [&] {
    const float *W = w.data(), *B = b.data();
#pragma omp parallel for
    for (long i = 0; i < n; i++) {
      const float *X = &x[i * m];
      float mean = 0, square = 0, *Z = &z[i * m];
#pragma omp simd reduction(+ : mean)
      for (long j = 0; j < m; j++) mean += X[j];
      mean /= (float)m;
#pragma omp simd reduction(+ : square)
      for (long j = 0; j < m; j++) square += (X[j] - mean) * (X[j] - mean);
      const float scale = 1 / sqrtf(square / (float)m + 1e-5f);
      for (long j = 0; j < m; j++) Z[j] = (X[j] - mean) * scale * W[j] + B[j];
    }
    return 0;
  };
  return compare("layer_norm", s.text, LIBRARY(layer_norm, float), {{"loop", loop}, {"copy", copy(c.data(), x.data(), x.size() * 4)}},
                 [&] { return near(y, z, 1e-3); });
}
#endif

#ifdef TGC_COPY_IF_H
static bool copy_if(const Shape &s) { // n elements, of which m in 100 are kept
  const long n = s.n;
  const float bound = 1 - 0.02f * (float)s.m;
  const F x = numbers<float>((size_t)n);
  F y((size_t)n), z = y, c = y;
  long long count = 0, other = 0;
  const auto with = [&](auto f) { return f(x.data(), n, bound, y.data(), &count); };
  const Call loop = [&] { // one thread's; more count first
    const float *X = x.data();
    float *Z = z.data();
    const int parts = omp_get_max_threads();
    std::vector<long> first((size_t)parts + 1, 0);
    const auto begin = [&](long p) { return p * n / parts; };
    if (parts > 1)
#pragma omp parallel for
      for (int p = 0; p < parts; p++) {
        long kept = 0;
        for (long i = begin(p); i < begin(p + 1); i++) kept += X[i] > bound;
        first[(size_t)p + 1] = kept;
      }
    for (int p = 0; p < parts; p++) first[(size_t)p + 1] += first[(size_t)p];
    long ends = 0;
#pragma omp parallel for if (parts > 1) reduction(max : ends)
    for (int p = 0; p < parts; p++) {
      long at = first[(size_t)p];
      for (long i = begin(p); i < begin(p + 1); i++)
        if (X[i] > bound) Z[at++] = X[i];
      ends = std::max(ends, at);
    }
    other = ends;
    return 0;
  };
  return compare("copy_if", s.text, LIBRARY(copy_if, float), {{"loop", loop}, {"copy", copy(c.data(), x.data(), x.size() * 4)}},
                 [&] { return count == other && std::equal(y.begin(), y.begin() + count, z.begin()); });
}
#endif

#ifdef TGC_SORT_H
static bool sort(const Shape &s) {
  const long n = s.n;
  const F x = numbers<float>((size_t)n);
  F y((size_t)n), z = y;
  const auto with = [&](auto f) { return f(x.data(), n, y.data()); };
  const Call loop = [&] {
    z = x;
    if (omp_get_max_threads() > 1) __gnu_parallel::sort(z.begin(), z.end());
    else std::sort(z.begin(), z.end());
    return 0;
  };
  return compare("sort", s.text, LIBRARY(sort, float), {{"std", loop}}, [&] { return y == z; });
}
#endif

#ifdef TGC_HISTOGRAM_H
static bool histogram(const Shape &s) { // n numbers below m
  const long n = s.n, m = s.m;
  std::vector<int> x((size_t)n);
  std::vector<unsigned> y((size_t)m), z = y;
  uint32_t state = 1;
  for (int &e : x) e = (int)(((state = state * 1664525u + 1013904223u) >> 8) % (uint32_t)m);
  const auto with = [&](auto f) { return f(x.data(), n, y.data(), m); };
  const Call loop = [&] {
    const int *X = x.data();
    unsigned *Z = z.data();
#pragma omp parallel for reduction(+ : Z[:m])
    for (long i = 0; i < n; i++) Z[X[i]]++;
    return 0;
  };
  return compare("histogram", s.text, LIBRARY(histogram, int), {{"loop", loop}}, [&] { return y == z; });
}
#endif

#ifdef TGC_SYRK_H
static bool syrk(const Shape &s) { // beside OpenBLAS's product: both write the whole of C
  const long n = s.n, k = s.m;
  const F a = numbers<float>((size_t)(n * k));
  F y((size_t)(n * n)), z = y, half = y;
  const auto with = [&](auto f) { return f(a.data(), n, k, k, y.data(), n); };
  const Call product = [&] {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, k, 1, a.data(), k, a.data(), k, 1, z.data(), n);
    return 0;
  };
  const Call triangle = [&] {
    cblas_ssyrk(CblasRowMajor, CblasUpper, CblasNoTrans, n, k, 1, a.data(), k, 1, half.data(), n);
    return 0;
  };
  return compare("syrk", s.text, LIBRARY(syrk, float), {{"gemm", product}, {"syrk", triangle}},
                 [&] { return near(y, z, 1e-4 * std::sqrt((double)k)); });
}
#endif

struct Named {
  const char *name;
  bool (*run)(const Shape &);
  std::vector<const char *> shapes;
};

static std::vector<Named> all() {
  return {
#ifdef TGC_JACOBI_H
      {"jacobi", jacobi, {"30x30", "254x254", "1000x1001", "4096x4096", "8192x8192"}},
#endif
#ifdef TGC_JACOBI3_H
      {"jacobi3", jacobi3, {"14x14x14", "62x62x62", "200x201x203", "510x510x510"}},
#endif
#ifdef TGC_CONVOLVE_H
      {"convolve", convolve, {"100x3", "4096x3", "1000000x3", "67108864x3", "1000000x7", "67108864x7", "1000000x31", "16777216x31"}},
#endif
#ifdef TGC_CONVOLVE2_H
      {"convolve2", convolve2, {"30x30x3", "250x250x3", "1000x1001x3", "4096x4096x3", "1000x1001x5", "4096x4096x5"}},
#endif
#ifdef TGC_TRANSPOSE_H
      {"transpose", transpose, {"16x16", "100x100", "512x512", "1000x1001", "1024x1024", "4096x4096", "8191x8193", "100000x16", "16x100000"}},
#endif
#ifdef TGC_COLUMN_SUMS_H
      {"column_sums", column_sums, {"16x16", "100x100", "1000x1001", "4096x4096", "1000000x8", "100000x128"}},
#endif
#ifdef TGC_ROW_MAX_H
      {"row_max", row_max, {"16x16", "100x100", "1000x1001", "4096x4096", "1000000x8", "100000x128"}},
#endif
#ifdef TGC_SOFTMAX_H
      {"softmax", softmax, {"16x16", "1000x100", "1000x1001", "4096x4096", "100000x10"}},
#endif
#ifdef TGC_LOGSUMEXP_H
      {"logsumexp", logsumexp, {"16x16", "1000x100", "1000x1001", "4096x4096", "100000x10"}},
#endif
#ifdef TGC_LAYER_NORM_H
      {"layer_norm", layer_norm, {"16x16", "1000x100", "1000x1001", "4096x4096", "100000x10"}},
#endif
#ifdef TGC_COPY_IF_H
      {"copy_if", copy_if, {"1000x50", "100000x50", "1000000x50", "16777216x50", "16777216x5"}},
#endif
#ifdef TGC_SORT_H
      {"sort", sort, {"100", "1000", "65536", "1048576", "4194304"}},
#endif
#ifdef TGC_HISTOGRAM_H
      {"histogram", histogram, {"1000x16", "100000x256", "10000000x256", "10000000x65536"}},
#endif
#ifdef TGC_SYRK_H
      {"syrk", syrk, {"32x32", "256x256", "1000x1000"}},
#endif
  };
}

static Shape shape_of(const char *text) {
  Shape s{1, 1, 1, text};
  sscanf(text, "%ldx%ldx%ld", &s.n, &s.m, &s.k);
  return s;
}

int main(int argc, char **argv) {
  bool right = true;
  openblas_set_num_threads(omp_get_max_threads());
  for (const Named &one : all())
    for (int i = argc > 1 ? 1 : 0; i < argc; i++) {
      const std::string word = i ? argv[i] : one.name;
      const size_t colon = word.find(':');
      if (word.substr(0, colon) != one.name) continue;
      if (colon != std::string::npos) right &= one.run(shape_of(word.c_str() + colon + 1));
      else
        for (const char *text : one.shapes) right &= one.run(shape_of(text));
    }
  return !right;
}
