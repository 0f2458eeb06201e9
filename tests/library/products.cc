// products.cc: unusual input of a product C += A B (gemm_float, on the executor): sizes of 0 and 1, operands that begin at
// any element with any leading dimension, results between others' rows, NaN and infinities, one matrix as both factors; and
// what is refused, with its reason. Every element around C keeps what it held.
#include "gemm.h"

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

static int failed;

static void refused(cudaError_t error, const char *part) {
  if (error == cudaErrorInvalidValue && std::strstr(gemm_error_text(error), part)) return;
  std::printf("%d: `%s', not `%s'\n", (int)error, gemm_error_text(error), part);
  failed++;
}

// So many elements, from `first' on, of rows that are `leading' apart; numbers that sums of are exact.
struct Matrix {
  uint64_t rows, columns, leading, first;
  std::vector<float> all;
  Matrix(uint64_t rows, uint64_t columns, uint64_t more, uint64_t first, int seed)
      : rows(rows), columns(columns), leading(columns + more), first(first), all(first + rows * (columns + more) + 3) {
    for (size_t i = 0; i < all.size(); i++) all[i] = (float)((int)((i * 7919 + (size_t)seed * 104729) % 13) - 6);
  }
  float *data() { return all.data() + first; }
  float &at(uint64_t i, uint64_t j) { return all[first + i * leading + j]; }
};

static bool same(float got, double want) { return std::isnan(want) ? std::isnan(got) : got == (float)want; }

static cudaError_t call(Matrix &A, Matrix &B, Matrix &C) {
  size_t bytes = 0;
  cudaError_t error = gemm_float(nullptr, &bytes, A.data(), A.rows, A.columns, A.leading, B.data(), B.columns, B.leading,
                                 C.data(), C.leading, nullptr);
  if (error != cudaSuccess) return error;
  std::vector<double> workspace(bytes / sizeof(double) + 4);
  void *at = (void *)(((uintptr_t)workspace.data() + 15) / 16 * 16);
  error = gemm_workspace_init(at, bytes, nullptr);
  if (error != cudaSuccess) return error;
  return gemm_float(at, &bytes, A.data(), A.rows, A.columns, A.leading, B.data(), B.columns, B.leading, C.data(), C.leading,
                    nullptr);
}

static void product(Matrix &A, Matrix &B, Matrix &C, const char *what) {
  const Matrix before = C;
  const cudaError_t error = call(A, B, C);
  std::vector<float> want = before.all;
  for (uint64_t i = 0; i < C.rows; i++)
    for (uint64_t j = 0; j < C.columns; j++) {
      double sum = want[C.first + i * C.leading + j];
      for (uint64_t k = 0; k < A.columns; k++) sum += (double)A.at(i, k) * B.at(k, j);
      want[C.first + i * C.leading + j] = (float)sum;
    }
  size_t wrong = 0;
  for (size_t i = 0; i < want.size(); i++) wrong += !same(C.all[i], want[i]);
  if (error == cudaSuccess && !wrong) return;
  std::printf("%s, %llu x %llu x %llu: %s, %zu wrong\n", what, (unsigned long long)C.rows, (unsigned long long)C.columns,
              (unsigned long long)A.columns, gemm_error_text(error), wrong);
  failed++;
}

static void shapes() {
  static const uint64_t sizes[][3] = {{0, 5, 3}, {5, 0, 3}, {5, 3, 0}, {0, 0, 0}, {1, 1, 1}, {1, 70, 1}, {70, 1, 33},
                                      {33, 65, 31}, {64, 64, 32}, {3, 130, 70}, {130, 3, 5}};
  for (const auto &s : sizes)
    for (uint64_t at = 0; at < 4; at++) {
      Matrix A(s[0], s[2], at % 3, at, 1), B(s[2], s[1], (at * 5) % 4, 3 - at, 2), C(s[0], s[1], at, (at * 3) % 4, 3);
      product(A, B, C, "a shape");
    }
}

static void contents() {
  Matrix A(33, 20, 1, 1, 1), B(20, 40, 0, 0, 2), C(33, 40, 2, 2, 3), square(40, 40, 3, 1, 4), to(40, 40, 0, 0, 5);
  A.at(3, 4) = NAN, A.at(32, 19) = INFINITY, A.at(0, 0) = -INFINITY, B.at(0, 7) = 0, C.at(5, 5) = NAN;
  product(A, B, C, "NaN and infinities");
  product(square, square, to, "one matrix as both factors");
  Matrix left(20, 16, 0, 0, 6), right(16, 12, 0, 0, 7), both(20, 24, 0, 0, 8), odd = both;
  both.columns = odd.columns = 12, odd.first = 12; // the other's results lie between these rows
  product(left, right, both, "results between others");
  odd.all = both.all;
  product(left, right, odd, "the others");
}

static void bad() {
  float x[64] = {};
  double room[8192];
  size_t bytes = sizeof room;
  const uint64_t huge = (uint64_t)1 << 62;
  refused(gemm_float(room, &bytes, x, 4, 4, 3, x, 4, 4, x, 4, nullptr), "leading = 3 is less than columns = 4");
  refused(gemm_float(room, &bytes, x, 4, 4, 4, x, 4, 3, x, 4, nullptr), "B_leading = 3 is less than B_columns = 4");
  refused(gemm_float(room, &bytes, x, 4, 4, 4, x, 4, 4, x, 3, nullptr), "C_leading = 3 is less than B_columns = 4");
  refused(gemm_float(room, &bytes, x, huge, 4, 4, x, 4, 4, x, 4, nullptr), "more than any memory holds");
  refused(gemm_float(room, &bytes, x, 4, 4, huge, x, 4, 4, x, 4, nullptr), "more than any memory holds");
  refused(gemm_float(room, &bytes, x, ~(uint64_t)0, 4, 4, x, 4, 4, x, 4, nullptr), "rows = 18446744073709551615");
  refused(gemm_float(room, &bytes, nullptr, 4, 4, 4, x, 4, 4, x, 4, nullptr), "A is NULL");
  refused(gemm_float(room, &bytes, x, 4, 4, 4, nullptr, 4, 4, x, 4, nullptr), "B is NULL");
  refused(gemm_float(room, &bytes, x, 4, 4, 4, x, 4, 4, nullptr, 4, nullptr), "C is NULL");
  refused(gemm_float(room, nullptr, x, 4, 4, 4, x, 4, 4, x, 4, nullptr), "workspace_bytes is NULL");
  refused(gemm_float(room, &bytes, (float *)((char *)x + 2), 4, 4, 4, x, 4, 4, x, 4, nullptr), "A is not aligned");
  refused(gemm_float((char *)room + 4, &bytes, x, 4, 4, 4, x, 4, 4, x, 4, nullptr), "workspace is not aligned");
  bytes = 0;
  const cudaError_t small = gemm_float(room, &bytes, x, 4, 4, 4, x, 4, 4, x, 4, nullptr);
  if (small == cudaSuccess) std::printf("a workspace of no bytes was taken\n"), failed++;
  bytes = sizeof room; // nothing to read, and nothing to write: no pointer is needed
  if (gemm_float(room, &bytes, nullptr, 0, 4, 4, x, 4, 4, nullptr, 4, nullptr) != cudaSuccess) std::printf("no rows: %s\n", gemm_error_text(cudaErrorInvalidValue)), failed++;
}

int main() {
  shapes();
  contents();
  bad();
  std::printf("%d failed\n", failed);
}
