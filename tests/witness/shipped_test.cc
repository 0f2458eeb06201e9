// shipped_test.cc: each codelet that is shipped, or shown, by itself, beside loops that are written here.
#include "expect.h"

#include "cgo_1.hh"
#include "cgo_3.hh"
#include "dot.hh"
#include "exclusive_scan.hh"
#include "gemv.hh"
#include "gemv_columns.hh"
#include "histogram.hh"
#include "max.hh"
#include "micro_2.hh"
#include "reduce.hh"
#include "saxpy.hh"
#include "scan.hh"
#include "segmented_scan.hh"
#include "segmented_scan_offsets.hh"
#include "segmented_sum.hh"
#include "segmented_sum_offsets.hh"
#include "sum.hh"
#include "vadd.hh"

using tgc::Array;
using tgc::Index;
typedef tgc::Number<float> Tracked;

static const Index sizes[] = {0, 1, 2, 7, 31, 33, 64, 90, 257};

template <typename T>
static std::vector<T> drawn(Index n, int seed) {
  std::vector<T> x;
  for (Index i = 0; i < n; i++) x.push_back(T((i * 37 + seed * 101) % 64 - 30));
  return x;
}
// Containers over a vector, which a codelet reads or writes.
template <typename T>
static Array<1, T> of(std::vector<T> &x) { return Array<1, T>::over(x.data(), {Index(x.size())}, {1}); }
template <typename T>
static Array<1, T> read(const std::vector<T> &x) { return tgc::read<T>(x.data(), Index(x.size())); }

template <typename T>
static T added(const std::vector<T> &x) {
  T sum = 0;
  for (const T &one : x) sum = sum + one;
  return sum;
}

template <typename T>
static void sums() {
  for (Index n : sizes) {
    const std::vector<T> x = drawn<T>(n, 1);
    const T s = added(x);
    const Array<1, T> in = read(x);
    SAME(sum_cdl::sum__serial<T>(in), s);
    with_parts([&] {
      SAME(sum_cdl::sum__tiled<T>(in), s);
      SAME(sum_cdl::sum__strided<T>(in), s);
    });
    with_lanes(n, [&] {
      SAME(sum_cdl::sum__tree<T>(in), s);
      SAME(sum_cdl::sum__shared_V1<T>(in), s);
      SAME(sum_cdl::sum__shared_V2<T>(in), s);
      SAME(sum_cdl::sum__kog<T>(in), s);
      SAME(sum_cdl::sum__butterfly<T>(in), s);
    });
  }
}

static void printed() { // the papers' listings: of int; untagged codelets are named by their lines
  for (Index n : sizes) {
    const std::vector<int> x = drawn<int>(n, 2);
    const int s = added(x);
    const Array<1, int> in = read(x);
    SAME(cgo_1_cdl::sum__4(in), s);
    SAME(cgo_3_cdl::sum__3(in), s);
    SAME(micro_2_cdl::sum__3(in), s);
    with_parts([&] {
      SAME(cgo_1_cdl::sum__14(in), s);
      SAME(micro_2_cdl::sum__asso_tiled(in), s);
      SAME(micro_2_cdl::sum__stride_tiled(in), s);
    });
    with_lanes(n, [&] {
      SAME(micro_2_cdl::sum__kog(in), s);
      SAME(cgo_3_cdl::sum__shared_V1(in), s);
      if (tgc::choices.vector < 32) return; // fewer partial sums than lanes are read
      SAME(cgo_1_cdl::sum__28(in), s);
      SAME(cgo_3_cdl::sum__shared_V2(in), s);
    });
  }
}

template <typename T>
static void greatest() {
  for (Index n : sizes) {
    const std::vector<T> x = drawn<T>(n, 3);
    T best = tgc::lowest<T>();
    for (const T &one : x) best = one > best ? one : best;
    const Array<1, T> in = read(x);
    SAME(max_cdl::greatest__serial<T>(in), best);
    with_parts([&] {
      SAME(max_cdl::greatest__tiled<T>(in), best);
      SAME(max_cdl::greatest__strided<T>(in), best);
    });
    with_lanes(n, [&] {
      SAME(max_cdl::greatest__tree<T>(in), best);
      SAME(max_cdl::greatest__shared<T>(in), best);
    });
  }
}

template <typename T>
static void products() {
  for (Index n : sizes) {
    const std::vector<T> x = drawn<T>(n, 4), y = drawn<T>(n, 5), short_by_one = drawn<T>(n ? n - 1 : 1, 5);
    T s = 0;
    std::vector<T> sums, scaled;
    for (size_t i = 0; i < x.size(); i++) {
      s = s + x[i] * y[i];
      sums.push_back(x[i] + y[i]);
      scaled.push_back(T(3) * x[i] + y[i]);
    }
    SAME(dot_cdl::dot__serial<T>(read(x), read(y)), s);
    SAME(dot_cdl::dot__products<T>(read(x), read(y)), s);
    THROWS(dot_cdl::dot__serial<T>(read(x), read(short_by_one)), "elements where");
    const auto axpy = [&](auto codelet) {
      std::vector<T> z = y;
      codelet(T(3), read(x), of(z));
      SAME(z, scaled);
    };
    const auto vadd = [&](auto codelet) {
      std::vector<T> z(x.size());
      codelet(read(x), read(y), of(z));
      SAME(z, sums);
    };
    axpy([](auto... a) { saxpy_cdl::axpy__serial<T>(a...); });
    vadd([](auto... a) { vadd_cdl::vadd__serial<T>(a...); });
    with_parts([&] {
      axpy([](auto... a) { saxpy_cdl::axpy__tiled<T>(a...); });
      axpy([](auto... a) { saxpy_cdl::axpy__strided<T>(a...); });
      vadd([](auto... a) { vadd_cdl::vadd__tiled<T>(a...); });
      vadd([](auto... a) { vadd_cdl::vadd__strided<T>(a...); });
    });
  }
}

template <typename T>
static void matrices() {
  for (Index rows : {0, 1, 5})
    for (Index columns : {0, 1, 7, 33}) {
      const Index leading = columns + 2, leading_columns = rows + 3;
      const std::vector<T> a = drawn<T>(rows * leading, 6), b = drawn<T>(columns * leading_columns, 6);
      const std::vector<T> x = drawn<T>(columns, 7);
      const Array<2, T> A = tgc::read<T>(a.data(), rows, columns, leading, false);
      const Array<2, T> B = tgc::read<T>(b.data(), rows, columns, leading_columns, true);
      std::vector<T> by_rows(static_cast<size_t>(rows), T(0)), by_columns = by_rows, y = by_rows;
      for (Index i = 0; i < rows; i++)
        for (Index k = 0; k < columns; k++) {
          by_rows[size_t(i)] = by_rows[size_t(i)] + a[size_t(i * leading + k)] * x[size_t(k)];
          by_columns[size_t(i)] = by_columns[size_t(i)] + b[size_t(k * leading_columns + i)] * x[size_t(k)];
        }
      gemv_cdl::gemv__serial<T>(A, read(x), of(y));
      SAME(y, by_rows);
      y.assign(y.size(), T(-1));
      gemv_cdl::gemv__each<T>(A, read(x), of(y));
      SAME(y, by_rows);
      gemv_columns_cdl::gemv__serial<T>(B, read(x), of(y));
      SAME(y, by_columns);
      y.assign(y.size(), T(-1));
      gemv_columns_cdl::gemv__each<T>(B, read(x), of(y));
      SAME(y, by_columns);
    }
}

static void histograms() {
  for (Index n : sizes) {
    const std::vector<int> x = drawn<int>(n, 8);
    std::vector<int> places;
    std::vector<unsigned> counts(64, 5); // what the bins hold is contributed to
    for (int one : x) places.push_back(one + 30), counts[size_t(one + 30)]++;
    const auto run = [&](auto codelet) {
      std::vector<unsigned> bins(64, 5);
      codelet(read(places), of(bins));
      SAME(bins, counts);
    };
    run([](auto... a) { histogram_cdl::histogram__serial<int>(a...); });
    with_parts([&] {
      run([](auto... a) { histogram_cdl::histogram__tiled<int>(a...); });
      run([](auto... a) { histogram_cdl::histogram__strided<int>(a...); });
      run([](auto... a) { histogram_cdl::histogram__own<int>(a...); });
      std::vector<unsigned> own(counts), bins(64, 1);
      histogram_cdl::merge__strided<int>(read(own), of(bins));
      for (unsigned &one : own) one++;
      SAME(bins, own);
    });
    std::vector<unsigned> few(10, 0);
    if (n > 1) THROWS(histogram_cdl::histogram__serial<int>(read(places), of(few)), " of 10");
  }
}

// What a scan writes and returns.
template <typename T>
struct Scanned {
  std::vector<T> out;
  T last;
};
template <typename T>
static Scanned<T> scanned(const std::vector<T> &x, T carry, bool inclusive) {
  Scanned<T> s{{}, carry};
  for (const T &one : x) {
    if (!inclusive) s.out.push_back(s.last);
    s.last = s.last + one;
    if (inclusive) s.out.push_back(s.last);
  }
  return s;
}

template <typename T>
static void scans() {
  for (Index n : sizes) {
    const std::vector<T> x = drawn<T>(n, 9);
    for (T carry : {T(0), T(5)}) {
      const Scanned<T> inclusive = scanned(x, carry, true), exclusive = scanned(x, carry, false);
      const auto run = [&](auto codelet, const Scanned<T> &wanted) {
        std::vector<T> out(x.size(), T(-99));
        const T last = codelet(read(x), carry, of(out));
        SAME(out, wanted.out);
        SAME(last, wanted.last);
      };
#define SCAN(space, name, wanted) run([](auto... a) { return space::name<T>(a...); }, wanted)
      SCAN(scan_cdl, scan__serial, inclusive);
      SCAN(scan_cdl, exclusive__serial, exclusive);
      SCAN(exclusive_scan_cdl, exclusive__serial, exclusive);
      with_parts([&] {
        SCAN(scan_cdl, scan__scan_scan_add, inclusive);
        SCAN(scan_cdl, scan__reduce_scan_scan, inclusive);
        SCAN(scan_cdl, scan__sliding, inclusive);
        SCAN(exclusive_scan_cdl, exclusive__scan_scan_add, exclusive);
        SCAN(exclusive_scan_cdl, exclusive__reduce_scan_scan, exclusive);
        SCAN(exclusive_scan_cdl, exclusive__sliding, exclusive);
      });
      with_lanes(n, [&] {
        if (n == 0) return; // the last lane's value is lane 0's: of no element, what the text says
        SCAN(scan_cdl, scan__kogge_stone, inclusive);
        SCAN(scan_cdl, scan__brent_kung, inclusive);
        SCAN(scan_cdl, exclusive__kogge_stone, exclusive);
        SCAN(exclusive_scan_cdl, exclusive__kogge_stone, exclusive);
        SCAN(exclusive_scan_cdl, exclusive__brent_kung, exclusive);
      });
#undef SCAN
    }
    std::vector<T> out(x.size());
    scan_cdl::inclusive_scan__whole<T>(read(x), of(out));
    SAME(out, scanned(x, T(0), true).out);
    exclusive_scan_cdl::exclusive_scan__whole<T>(read(x), of(out));
    SAME(out, scanned(x, T(0), false).out);
    with_parts([&] {
      std::vector<T> z = x, more;
      scan_cdl::add__tiled<T>(T(2), of(z));
      scan_cdl::add__strided<T>(T(3), of(z));
      for (const T &one : x) more.push_back(one + T(5));
      SAME(z, more);
    });
  }
}

static void segments() {
  typedef int T;
  for (Index n : sizes)
    for (Index size : {0, 1, 3, 40}) {
      const std::vector<T> x = drawn<T>(n, 10);
      const Index length = size < 1 ? 1 : size, count = (n + length - 1) / length;
      std::vector<T> sums(static_cast<size_t>(count), 0), scan(x.size());
      for (Index i = 0; i < n; i++) {
        sums[size_t(i / length)] += x[size_t(i)];
        scan[size_t(i)] = sums[size_t(i / length)];
      }
      const auto sum = [&](auto codelet) {
        std::vector<T> out(sums.size(), -99);
        codelet(read(x), unsigned(size), of(out));
        SAME(out, sums);
      };
      const auto scans = [&](auto codelet) {
        std::vector<T> out(x.size(), -99);
        codelet(read(x), unsigned(size), of(out));
        SAME(out, scan);
      };
      if (size) { // of sums, segments have elements
        sum([](auto... a) { segmented_sum_cdl::segmented_sum__serial<T>(a...); });
        sum([](auto... a) { segmented_sum_cdl::segmented_sum__each<T>(a...); });
        with_parts([&] { sum([](auto... a) { segmented_sum_cdl::segmented_sum__tiles<T>(a...); }); });
      }
      scans([](auto... a) { segmented_scan_cdl::segmented_scan__serial<T>(a...); });
      scans([](auto... a) { segmented_scan_cdl::segmented_scan__each<T>(a...); });
    }
  // By offsets: empty ones, what is in none; of scans one beyond the container's end.
  const std::vector<T> x = drawn<T>(20, 11);
  const std::vector<long> offsets = {2, 2, 5, 19, 25}, within = {2, 2, 5, 19, 20};
  const std::vector<T> sums = {0, x[2] + x[3] + x[4], added(std::vector<T>(x.begin() + 5, x.begin() + 19)), x[19]};
  std::vector<T> scan(20, -99), out(4, -99), outs(20, -99);
  for (Index k = 0; k < 4; k++) {
    T sum = 0;
    for (long i = offsets[size_t(k)]; i < offsets[size_t(k) + 1] && i < 20; i++) scan[size_t(i)] = sum += x[size_t(i)];
  }
  segmented_sum_offsets_cdl::segmented_sum__serial<T>(read(x), read(within), of(out));
  SAME(out, sums);
  out.assign(4, -99);
  segmented_sum_offsets_cdl::segmented_sum__each<T>(read(x), read(within), of(out));
  SAME(out, sums);
  THROWS(segmented_sum_offsets_cdl::segmented_sum__serial<T>(read(x), read(offsets), of(out)), "position 20 of 20");
  segmented_scan_offsets_cdl::segmented_scan__serial<T>(read(x), read(offsets), of(outs));
  SAME(outs, scan);
  outs.assign(20, -99);
  segmented_scan_offsets_cdl::segmented_scan__each<T>(read(x), read(offsets), of(outs));
  SAME(outs, scan);
}

// Codelets over an operator, of numbers and of matrices, which do not commute.
template <typename M, typename T, typename Same>
static void reduced(const std::vector<T> &x, bool commutes, const Same &same) {
  T all = M::id();
  for (const T &one : x) all = M::op(all, one);
  const Array<1, T> in = read(x);
  same(reduce_cdl::reduce__serial<M, T>(in), all);
  with_parts([&] {
    same(reduce_cdl::reduce__tiled<M, T>(in), all);
    if (commutes) same(reduce_cdl::reduce__strided<M, T>(in), all);
  });
  with_lanes(Index(x.size()), [&] {
    same(reduce_cdl::reduce__kog<M, T>(in), all);
    same(reduce_cdl::reduce__ordered<M, T>(in), all);
    if (!commutes) return;
    same(reduce_cdl::reduce__tree<M, T>(in), all);
    same(reduce_cdl::reduce__shared_V1<M, T>(in), all);
    same(reduce_cdl::reduce__shared_V2<M, T>(in), all);
    same(reduce_cdl::reduce__butterfly<M, T>(in), all);
  });
}

static void operators() {
  const auto same = [](auto computed, auto expected) { SAME(computed, expected); };
  for (Index n : sizes) {
    const std::vector<int> x = drawn<int>(n, 12);
    reduced<tgc::Sum<int>>(x, true, same);
    reduced<tgc::Max<int>>(x, true, same);
    reduced<tgc::Min<int>>(x, true, same);
    reduced<tgc::Xor<int>>(x, true, same);
    reduced<tgc::And<int>>(x, true, same);
    reduced<tgc::Or<int>>(x, true, same);
    typedef reduce_cdl::ArgMax<int> M;
    std::vector<M::State> states;
    for (size_t i = 0; i < x.size(); i++) states.push_back(M::lift(x[i], (long long)i));
    reduced<M>(states, true, [](M::State a, M::State b) {
      SAME(a.value, b.value);
      SAME(a.place, b.place);
    });
    typedef reduce_cdl::Product2x2::Matrix Matrix;
    std::vector<Matrix> matrices;
    for (int one : x) matrices.push_back({{{unsigned(one), 1}, {2, 3}}});
    reduced<reduce_cdl::Product2x2>(matrices, false, [](Matrix a, Matrix b) {
      SAME(std::vector<unsigned>(&a.m[0][0], &a.m[0][0] + 4), std::vector<unsigned>(&b.m[0][0], &b.m[0][0] + 4));
    });
  }
}

int main() {
  void (*const groups[])() = {
      sums<int>,         sums<Tracked>,       printed,    greatest<int>, greatest<Tracked>, products<int>,
      products<Tracked>, matrices<long long>, histograms, scans<int>,    segments,          operators};
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    try {
      groups[i]();
    } catch (const tgc::Wrong &wrong) {
      failed("shipped_test.cc", int(i), std::string(wrong.what()) + situation());
    }
  }
  if (failures) std::printf("%d failures\n", failures);
  return failures ? 1 : 0;
}
