// witness_test.cc: codelets as the witness executes them, against loops written here; and how far from its numbers
// floats in any order are.
#include <cstdio>
#include <cstdlib>
#include <random>

#include "constructs.hh"
#include "scan.hh"
#include "segments.hh"
#include "sum.hh"

static int failed;
#define EXPECT(condition) ((condition) ? void() : (void)(failed++, printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

static std::mt19937 engine(std::random_device{}());
static int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(engine); }

template <typename T>
static tgc::Array<1, T> drawn(int n) {
  tgc::Array<1, T> a(n);
  for (int i = 0; i < n; i++) a[i] = T(whole(-8, 8));
  return a;
}

template <typename F>
static bool throws(F f) {
  try {
    f();
  } catch (const tgc::Wrong &) {
    return true;
  }
  return false;
}

static void with(std::vector<tgc::Index> tunables, bool atomic, int lanes = 64, int vector = 32) {
  tgc::choices = {tunables, 0, atomic, lanes, vector};
}

// ---- shipped codelets ----

static void summed() {
  for (int n : {0, 1, 5, 31, 32, 33, 64, 100, whole(2, 300)}) {
    const auto in = drawn<int>(n);
    int want = 0;
    for (int i = 0; i < n; i++) want += in[i];
    for (int p : {1, 2, 3, 7, n + 1})
      for (bool atomic : {false, true}) {
        with({p}, atomic);
        EXPECT(sums::sum__tiled<int>(in) == want);
        EXPECT(sums::sum__strided<int>(in) == want);
      }
    for (int vector : {8, 32})
      for (int lanes : {vector, 2 * vector, 3 * vector, 8 * vector}) {
        if (lanes < n || lanes > vector * vector) continue;
        with({1}, false, lanes, vector);
        EXPECT(sums::sum__tree<int>(in) == want);
        EXPECT(sums::sum__shared_V1<int>(in) == want);
        EXPECT(sums::sum__shared_V2<int>(in) == want);
        EXPECT(sums::sum__kog<int>(in) == want);
        EXPECT(sums::sum__butterfly<int>(in) == want);
      }
  }
}

static void scanned() {
  for (int n : {0, 1, 31, 33, 64, whole(2, 64)}) {
    const auto in = drawn<int>(n);
    const auto check = [&](tgc::Array<1, int> out, int last, bool exclusive) {
      int sum = 5;
      for (int i = 0; i < n; i++) {
        if (exclusive) EXPECT(out[i] == sum);
        sum += in[i];
        if (!exclusive) EXPECT(out[i] == sum);
      }
      EXPECT(last == sum);
    };
    tgc::Array<1, int> out(n);
    with({whole(1, 9)}, false);
    check(out, scans::scan__sliding<int>(in, 5, out), false);
    check(out, scans::scan__scan_scan_add<int>(in, 5, out), false);
    check(out, scans::scan__reduce_scan_scan<int>(in, 5, out), false);
    check(out, scans::scan__kogge_stone<int>(in, 5, out), false);
    check(out, scans::scan__brent_kung<int>(in, 5, out), false);
    check(out, scans::exclusive__kogge_stone<int>(in, 5, out), true);
  }
}

static void segmented() {
  const auto in = drawn<int>(20);
  tgc::Array<1, long> offsets(4);
  const int at[] = {0, 7, 7, 20};
  for (int i = 0; i < 4; i++) offsets[i] = at[i];
  tgc::Array<1, int> out(3);
  with({2}, false);
  segments::segmented_sum__each<int>(in, offsets, out);
  for (int s = 0; s < 3; s++) {
    int want = 0;
    for (int i = at[s]; i < at[s + 1]; i++) want += in[i];
    EXPECT(out[s] == want);
  }
  tgc::Array<1, int> more(5); // more results than segments
  EXPECT(throws([&] { segments::segmented_sum__each<int>(in, offsets, more); }));
}

// ---- constructs ----

static void views() {
  const int n = whole(4, 40);
  const auto x = drawn<int>(n), y = drawn<int>(n);
  tgc::Array<1, int> at(5);
  for (int i = 0; i < 5; i++) at[i] = whole(0, n - 1);
  int dot = 0, picked = 0, made = 0;
  for (int i = 0; i < n; i++) dot += x[i] * 2 * y[i], made += (3 + i) * 3 + 2 * i;
  for (int i = 0; i < 3; i++) picked += x[at[i]];
  EXPECT(codelets::dot__view<int>(x, y) == dot);
  EXPECT(codelets::picked__gathered<int>(x, at) == picked);
  EXPECT(codelets::made__made<int>(x, 3) == made);
  EXPECT(throws([&] { codelets::dot__view<int>(x, drawn<int>(n + 1)); }));
  EXPECT(throws([&] { codelets::beyond__beyond<int>(x); }));
}

static void shapes() {
  const auto x = drawn<int>(6);
  tgc::Array<1, int> y(4), other(5);
  codelets::smooth__serial<int>(x, y);
  for (int i = 0; i < 4; i++) EXPECT(y[i] == x[i] + x[i + 2]);
  EXPECT(throws([&] { codelets::smooth__serial<int>(x, other); }));
  tgc::Array<2, int> A(3, 4);
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) A(r, c) = whole(-8, 8);
  const auto w = drawn<int>(3);
  tgc::Array<1, int> sums(3);
  codelets::lines__each<int>(A, w, sums);
  for (int r = 0; r < 3; r++) EXPECT(sums[r] == w[r] * (A(r, 0) + A(r, 1) + A(r, 2) + A(r, 3)));
  EXPECT(throws([&] { codelets::lines__each<int>(A, drawn<int>(2), sums); })); // two weights for three rows
}

static void contributions() {
  const int n = 30;
  tgc::Array<1, int> at(n), out(4), again(4);
  auto x = drawn<int>(n);
  int want[4] = {-20, -20, -20, -20};
  for (int i = 0; i < n; i++) at[i] = whole(0, 2);
  for (int i = 0; i < n; i++) want[at[i]] = want[at[i]] > x[i] ? want[at[i]] : x[i];
  for (auto *one : {&out, &again}) {
    one->settle(); // what it holds is contributed to
    for (int k = 0; k < 4; k++) (*one)[k] = -20;
  }
  codelets::greatest__serial<int>(at, x, out);
  with({7}, false);
  codelets::greatest__own<int>(at, x, again);
  for (int k = 0; k < 4; k++) EXPECT(out[k] == want[k] && again[k] == want[k]);
}

static void lockstep() {
  const auto in = drawn<int>(64);
  tgc::Array<1, int> out(64);
  with({1}, false, 64, 32);
  codelets::rotate__rotated<int>(in, out);
  for (int i = 0; i < 64; i++) EXPECT(out[i] == in[(i + 3) % 64]);
  int want = 0;
  for (int turn = 0; turn < 62; turn++) want += turn % 2 ? 2 : 1;
  EXPECT(codelets::diverge__diverging<int>(in) == want);
}

// ---- numbers that know their rounding ----

typedef tgc::Number<float> Tracked;

static void numbers() {
  double widest = 0;
  for (int round = 0; round < 200; round++) {
    const int n = whole(2, 1000);
    std::vector<float> x((size_t)n), y((size_t)n);
    Tracked sum = 0, most = x[0];
    for (int i = 0; i < n; i++) {
      x[(size_t)i] = std::uniform_real_distribution<float>(-1, 1)(engine) * std::exp2((float)whole(-6, 6));
      y[(size_t)i] = std::uniform_real_distribution<float>(0.5f, 2)(engine);
      sum += Tracked(x[(size_t)i]) * Tracked(y[(size_t)i]) / Tracked(3);
      most = tgc::max(most, sum);
    }
    double worst = 0;
    for (int order = 0; order < 10; order++) {
      std::vector<float> terms((size_t)n);
      for (int i = 0; i < n; i++) terms[(size_t)i] = x[(size_t)i] * y[(size_t)i] / 3.0f;
      std::shuffle(terms.begin(), terms.end(), engine);
      while (terms.size() > 1) { // neighbours, or any two
        const size_t k = order % 2 ? (size_t)whole(0, (int)terms.size() - 2) : terms.size() - 2;
        terms[k] += terms.back();
        terms.pop_back();
      }
      const double off = std::fabs(terms[0] - sum.value());
      EXPECT(off <= sum.bound());
      worst = std::fmax(worst, off);
    }
    if (worst > 0 && n > 500) widest = std::fmax(widest, sum.bound() / worst);
  }
  printf("bounds of sums of 500 to 1000 products are at most %.0f times the worst error of ten orders\n", widest);
  Tracked exact = 0;
  for (int i = 0; i < 1000; i++) exact += Tracked(whole(-8, 8)) * 2;
  EXPECT(exact.bound() == 0);
  EXPECT(Tracked(0.1).bound() > 0 && Tracked(0.5f).bound() == 0);
  const long before = tgc::undecided;
  EXPECT(Tracked(2) > Tracked(1) && tgc::undecided == before);
  (void)(Tracked(1) / 3 * 3 == Tracked(1));
  EXPECT(tgc::undecided > before);
}

int main() {
  summed();
  scanned();
  segmented();
  views();
  shapes();
  contributions();
  lockstep();
  numbers();
  printf("%d failed\n", failed);
  return failed != 0;
}
