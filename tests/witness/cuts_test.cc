// cuts_test.cc: maps over cuts of several dimensions, the shipped ones and those of cuts.cdl, beside loops written by
// hand.
#include "cuts.hh"
#include "column_sums.hh"
#include "convolve.hh"
#include "convolve2.hh"
#include "gemm.hh"
#include "gemm_batched.hh"
#include "gemm_scaled.hh"
#include "ger.hh"
#include "jacobi.hh"
#include "jacobi3.hh"
#include "row_max.hh"
#include "syrk.hh"
#include "transpose.hh"
#include "expect.h"

using namespace cuts_cdl;

// A matrix in memory, by rows, `more' elements between them.
template <typename T>
struct Matrix {
  Index rows, columns, leading;
  std::vector<T> at;
  Matrix(Index r, Index c, Index more = 0, int seed = 0)
      : rows(r), columns(c), leading(c + more), at(size_t(r * (c + more))) {
    for (size_t i = 0; i < at.size() && seed; i++) at[i] = T((i * 37 + size_t(seed) * 11) % 23) - 11;
  }
  T operator()(Index i, Index j) const { return at[size_t(i * leading + j)]; }
  T &operator()(Index i, Index j) { return at[size_t(i * leading + j)]; }
  Array<2, T> array() { return Array<2, T>::over(at.data(), {rows, columns}, {leading, 1}); }
};

static const Index sizes[][3] = {{0, 0, 0}, {1, 1, 1}, {5, 0, 3}, {0, 4, 2}, {3, 7, 1}, {8, 8, 8}, {9, 5, 13}};

static void with_cuts(void (*f)(Index, Index, Index)) {
  for (const auto &n : sizes)
    for (Index p : {1, 2, 3, 8})
      for (Index q : {1, 4, 5}) {
        tgc::choices = tgc::Choices{{p, q, 3}, 0, false, 64, 32};
        f(n[0], n[1], n[2]);
      }
  tgc::choices = tgc::Choices{};
}

static void product(Index m, Index n, Index k) {
  Matrix<int> A(m, k, 1, 3), B(k, n, 0, 5), wanted(m, n, 2, 7);
  const Matrix<int> before = wanted;
  for (Index i = 0; i < m; i++)
    for (Index j = 0; j < n; j++)
      for (Index x = 0; x < k; x++) wanted(i, j) += A(i, x) * B(x, j);
  void (*const ways[])(Array<2, int>, Array<2, int>, Array<2, int>) = {
      gemm_cdl::gemm__serial<int>, gemm_cdl::gemm__tiled<int>, gemm_cdl::gemm__panels<int>, gemm_cdl::gemm__unit<int>, gemm__all_three<int>};
  const auto computed = [](const Matrix<int> &of) { /* as halves are: floats that are made of them */
    return Array<2, int>::computed({of.rows, of.columns}, {of.leading, 1}, [&of](Index i) { return of.at[size_t(i)]; });
  };
  for (const auto &way : ways)
    for (bool views : {false, true}) {
      Matrix<int> C = before;
      tgc::choices.next = 0;
      if (views) way(computed(A), computed(B), C.array());
      else way(A.array(), B.array(), C.array());
      SAME(C.at, wanted.at);
    }
}

// C += A A', and A += x y'.
static void products_of_one(Index m, Index n, Index k) {
  Matrix<int> A(m, k, 1, 3), wanted(m, m, 2, 7), x(1, m, 0, 3), y(1, n, 0, 5), outer(m, n, 1, 9);
  const Matrix<int> before = wanted, clear = outer;
  for (Index i = 0; i < m; i++)
    for (Index j = 0; j < m; j++)
      for (Index l = 0; l < k; l++) wanted(i, j) += A(i, l) * A(j, l);
  for (void (*way)(Array<2, int>, Array<2, int>) : {syrk_cdl::syrk__serial<int>, syrk_cdl::syrk__products<int>}) {
    Matrix<int> C = before;
    way(A.array(), C.array());
    SAME(C.at, wanted.at);
  }
  for (auto way :
       {syrk_cdl::row_products__serial<int>, syrk_cdl::row_products__tiled<int>, syrk_cdl::row_products__panels<int>}) {
    Matrix<int> C = before;
    tgc::choices.next = 0;
    way(A.array(), A.array(), C.array());
    SAME(C.at, wanted.at);
  }
  for (Index i = 0; i < m; i++)
    for (Index j = 0; j < n; j++) outer(i, j) += x(0, i) * y(0, j);
  for (auto way : {ger_cdl::ger__serial<int>, ger_cdl::ger__tiled<int>, ger_cdl::ger__strided<int>}) {
    Matrix<int> B = clear;
    tgc::choices.next = 0;
    way(x.array().line(0, 0), y.array().line(0, 0), B.array());
    SAME(B.at, outer.at);
  }
}

static void of_lines(Index m, Index n, Index) {
  Matrix<int> A(m, n, 1, 3), sums(1, n), most(1, m);
  for (Index j = 0; j < n; j++)
    for (Index i = 0; i < m; i++) sums(0, j) += A(i, j);
  for (Index i = 0; i < m; i++) {
    most(0, i) = std::numeric_limits<int>::lowest();
    for (Index j = 0; j < n; j++) most(0, i) = A(i, j) > most(0, i) ? A(i, j) : most(0, i);
  }
  for (auto way : {column_sums_cdl::column_sums__serial<int>, column_sums_cdl::column_sums__each<int>}) {
    Matrix<int> y(1, n, 0, 5);
    way(A.array(), y.array().line(0, 0));
    SAME(y.at, sums.at);
  }
  for (auto way : {row_max_cdl::row_max__serial<int>, row_max_cdl::row_max__each<int>}) {
    Matrix<int> y(1, m, 0, 5);
    way(A.array(), y.array().line(0, 0));
    SAME(y.at, most.at);
  }
}

static void stencil(Index m, Index n, Index) {
  Matrix<double> x(m + 2, n + 2, 1, 3), wanted(m, n, 3, 5);
  const Matrix<double> before = wanted;
  for (Index i = 1; i <= m; i++)
    for (Index j = 1; j <= n; j++) wanted(i - 1, j - 1) = (x(i - 1, j) + x(i + 1, j) + x(i, j - 1) + x(i, j + 1)) / 4;
  Matrix<double> y = before;
  jacobi_cdl::jacobi__serial<double>(x.array(), y.array());
  SAME(y.at, wanted.at);
  y = before;
  jacobi_cdl::jacobi__tiled<double>(x.array(), y.array());
  SAME(y.at, wanted.at);
}

static void convolved(Index m, Index n, Index k) {
  const Index taps = k + 1;
  Matrix<int> x(1, m * n + taps - 1, 0, 3), w(1, taps, 0, 5), wanted(1, m * n, 0, 7);
  const Matrix<int> before = wanted;
  for (Index i = 0; i < m * n; i++) {
    wanted(0, i) = 0;
    for (Index a = 0; a < taps; a++) wanted(0, i) += x(0, i + a) * w(0, a);
  }
  void (*const ways[])(Array<1, int>, Array<1, int>, Array<1, int>) = {
      convolve_cdl::convolve__serial<int>, convolve_cdl::convolve__tiled<int>, convolve_cdl::convolve__windows<int>};
  for (const auto &way : ways) {
    Matrix<int> y = before;
    tgc::choices.next = 0;
    way(x.array().line(0, 0), w.array().line(0, 0), y.array().line(0, 0));
    SAME(y.at, wanted.at);
  }
}

static void convolved_plane(Index m, Index n, Index k) {
  const Index rows = k / 2 + 1, columns = k + 1;
  Matrix<int> x(m + rows - 1, n + columns - 1, 1, 3), w(rows, columns, 2, 5), wanted(m, n, 1, 7);
  const Matrix<int> before = wanted;
  for (Index i = 0; i < m; i++)
    for (Index j = 0; j < n; j++) {
      wanted(i, j) = 0;
      for (Index a = 0; a < rows; a++)
        for (Index b = 0; b < columns; b++) wanted(i, j) += x(i + a, j + b) * w(a, b);
    }
  void (*const ways[])(Array<2, int>, Array<2, int>, Array<2, int>) = {convolve2_cdl::convolve2__serial<int>,
                                                                       convolve2_cdl::convolve2__tiled<int>};
  for (const auto &way : ways) {
    Matrix<int> y = before;
    tgc::choices.next = 0;
    way(x.array(), w.array(), y.array());
    SAME(y.at, wanted.at);
  }
}

// Three dimensions in memory, strides larger than what lies within.
template <typename T>
static Array<3, T> volume(std::vector<T> &at, Index planes, Index rows, Index columns, int seed) {
  const Index row = columns + 1, plane = (rows + 1) * row;
  at.resize(size_t(planes * plane));
  for (size_t i = 0; i < at.size(); i++) at[i] = T((i * 37 + size_t(seed) * 11) % 23) - 11;
  return Array<3, T>::over(at.data(), {planes, rows, columns}, {plane, row, 1});
}

static void stencil3(Index m, Index n, Index k) {
  std::vector<double> of_x, of_y, of_wanted;
  const Array<3, double> x = volume(of_x, m + 2, n + 2, k + 2, 3);
  Array<3, double> wanted = volume(of_wanted, m, n, k, 5);
  for (Index i = 0; i < m; i++)
    for (Index j = 0; j < n; j++)
      for (Index l = 0; l < k; l++)
        wanted(i, j, l) = (x(i, j + 1, l + 1) + x(i + 2, j + 1, l + 1) + x(i + 1, j, l + 1) + x(i + 1, j + 2, l + 1) +
                           x(i + 1, j + 1, l) + x(i + 1, j + 1, l + 2)) * (1.0 / 6);
  for (auto way : {jacobi3_cdl::jacobi3__serial<double>, jacobi3_cdl::jacobi3__tiled<double>}) {
    tgc::choices.next = 0;
    way(x, volume(of_y, m, n, k, 5));
    SAME(of_y, of_wanted);
  }
}

static void products_in_a_batch(Index m, Index n, Index k) {
  std::vector<int> of_a, of_b, of_c, of_wanted;
  const Index many = k / 2 + 1;
  const Array<3, int> A = volume(of_a, many, m, k, 3), B = volume(of_b, many, k, n, 5);
  Array<3, int> wanted = volume(of_wanted, many, m, n, 7);
  for (Index b = 0; b < many; b++)
    for (Index i = 0; i < m; i++)
      for (Index j = 0; j < n; j++)
        for (Index l = 0; l < k; l++) wanted(b, i, j) += A(b, i, l) * B(b, l, j);
  for (auto way : {gemm_batched_cdl::gemm_batched__serial<int>, gemm_batched_cdl::gemm_batched__tiled<int>,
                   gemm_batched_cdl::gemm_batched__strided<int>, gemm_batched_cdl::gemm_batched__panels<int>,
                   gemm_batched_cdl::gemm_batched__split<int>, gemm_batched_cdl::gemm_batched__unit<int>}) {
    tgc::choices.next = 0;
    way(A, B, volume(of_c, many, m, n, 7));
    SAME(of_c, of_wanted);
  }
}

static void scaled(Index m, Index n, Index k) {
  for (int beta : {0, 1, 3}) {
    Matrix<int> A(m, k, 1, 3), B(k, n, 2, 5), C(m, n, 4, 2), wanted = C;
    for (Index i = 0; i < m; i++)
      for (Index j = 0; j < n; j++) {
        int sum = 0;
        for (Index l = 0; l < k; l++) sum += A(i, l) * B(l, j);
        wanted(i, j) = -2 * sum + beta * wanted(i, j);
      }
    gemm_scaled_cdl::gemm_scaled__steps<int>(-2, A.array(), B.array(), beta, C.array());
    SAME(C.at, wanted.at);
  }
}

static void turned(Index m, Index n, Index) {
  Matrix<int> A(m, n, 1, 3), B(n, m, 2, 5), wanted = B;
  for (Index i = 0; i < m; i++)
    for (Index j = 0; j < n; j++) wanted(j, i) = A(i, j);
  transpose_cdl::transpose__tiled<int>(A.array(), B.array());
  SAME(B.at, wanted.at);
}

static void others(Index m, Index n, Index k) {
  std::vector<int> all(size_t(m * n * k)), wanted(size_t(m * k)), got(wanted);
  for (size_t i = 0; i < all.size(); i++) all[i] = int(i % 17);
  const Array<3, int> A = Array<3, int>::over(all.data(), {m, n, k}, {n * k, k, 1});
  int sum = 0;
  for (Index i = 0; i < m; i++)
    for (Index j = 0; j < n; j++)
      for (Index x = 0; x < k; x++) {
        wanted[size_t(i * k + x)] += A(i, j, x);
        sum += A(i, j, x);
      }
  sums__tiled<int>(A, Array<2, int>::over(got.data(), {m, k}, {k, 1}));
  SAME(got, wanted);
  tgc::choices.next = 0;
  SAME(sum__tiled<int>(tgc::read<int>(all.data(), Index(all.size()))), sum);
}

static void misuse() {
  Matrix<int> A(3, 4), B(3, 4), wide(4, 3), y(3, 3);
  const Array<1, int> x(2);
  THROWS((copy__other<int>(A.array(), B.array()), 0), "a cut of 3 elements for a dimension of 4");
  THROWS((copy__around<int>(A.array(), wide.array()), 0), "a halo around parts that are no tiles");
  THROWS((copy__mixed<int>(A.array(), x, B.array()), 0), "a map over cuts, and over 2 parts of another argument");
  THROWS((jacobi_cdl::jacobi__tiled<int>(A.array(), y.array()), 0), "elements where");
  THROWS((gemm_cdl::gemm__tiled<int>(A.array(), B.array(), y.array()), 0), "3 elements where 4 belong");
  THROWS(tgc::tiles(-1, 3), "a cut into -1 parts");
  const Array<3, int> cube(2, 3, 4);
  SAME(cube(1, 2, 3), 0);
  THROWS(cube(1, 3, 0), "position 3 of 3");
}

int main() {
  try {
    with_cuts(product);
    with_cuts(stencil);
    with_cuts(products_of_one);
    with_cuts(of_lines);
    with_cuts(stencil3);
    with_cuts(products_in_a_batch);
    with_cuts(scaled);
    with_cuts(convolved);
    with_cuts(convolved_plane);
    with_cuts(turned);
    with_cuts(others);
    misuse();
  } catch (const tgc::Wrong &wrong) {
    failed("cuts_test.cc", 0, std::string(wrong.what()) + situation());
  }
  if (failures) std::printf("%d failures\n", failures);
  return failures ? 1 : 0;
}
