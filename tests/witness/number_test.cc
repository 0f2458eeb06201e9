// number_test.cc: no kernel is outside of what number.h allows it: random expressions, and sums in random orders, in
// float and double, lie within bound(); which is 0 where nothing is rounded, and no wider than it has to be.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "../../witness/language.h"

using tgc::Complex;
using tgc::Number;
using tgc::undecided;

static int failures = 0;
#define EXPECT(held, ...)                                       \
  do {                                                          \
    if (!(held) && ++failures < 20) std::printf(__VA_ARGS__);   \
  } while (0)

static std::mt19937_64 bits(20);
static long below(long n) { return long(bits() % (unsigned long)(n)); }
static double uniform(double from, double to) { return from + (to - from) * double(bits() >> 11) * 0x1p-53; }

// The sum of all, pairs of neighbours or a random one added to a random other: an order that a kernel may have.
template <typename F>
static F any_order(std::vector<F> x) {
  const long kind = below(3);
  if (kind == 0) std::shuffle(x.begin(), x.end(), bits);
  while (x.size() > 1) {
    if (kind < 2) {
      std::vector<F> next(x.size() / 2 + x.size() % 2);
      for (size_t i = 0; i < x.size(); i++) next[i / 2] = i % 2 ? F(next[i / 2] + x[i]) : x[i];
      x = next;
    } else {
      const size_t i = size_t(below(long(x.size()) - 1));
      x[i] = F(x[i] + x.back());
      x.pop_back();
    }
  }
  return x.empty() ? F(0) : x[0];
}
template <typename F>
static F left_to_right(const std::vector<F> &x) {
  F sum = 0;
  for (F one : x) sum = F(sum + one);
  return sum;
}

// Is the kernel's value one that may come out? The worst ratio of what was to what may be is kept.
template <typename F>
static void within(const char *what, F computed, const Number<F> &n, double *ratio = nullptr) {
  typedef typename Number<F>::Wide Wide;
  if (!std::isfinite(n.value())) return;
  const Wide off = std::fabs(Wide(computed) - n.value());
  EXPECT(off <= n.bound() || std::isinf(n.bound()), "%s: %.17g is off %.17Lg by %.3Lg, bound %.3Lg\n", what,
         double(computed), (long double)n.value(), (long double)off, (long double)n.bound());
  if (ratio && n.bound() > 0) *ratio = std::fmax(*ratio, double(off / n.bound()));
}

enum { KINDS = 6 };
template <typename F>
static F drawn(long kind, int i) {
  switch (kind) {
  case 0: return F(uniform(-1, 1));
  case 1: return F(below(2000) - 1000);
  case 2: return F(std::ldexp(uniform(-1, 1), int(below(40)) - 20));
  case 3: return i == 0 ? F(1 << 20) : F(double(below(200)) + 0x1p-4 + 0x1p-8);         // one is far greater
  case 4: return F(below(2) ? 0 : std::ldexp(1.0, int(below(60)) - 30));
  default: return F(i % 50 == 49 ? uniform(0, 1) : double(below(100)));                   // most are whole
  }
}

template <typename F>
static void sums(const char *type) {
  for (long kind = 0; kind < KINDS; kind++) {
    double ratio = 0;
    for (int round = 0; round < 30; round++) {
      const size_t n = round == 0 ? 1000 : size_t(below(1500));
      std::vector<F> x(n);
      for (size_t i = 0; i < n; i++) x[i] = drawn<F>(kind, int(i));
      std::vector<F> placed = x; // the witness meets what is far greater first, last, or in between
      std::shuffle(placed.begin(), placed.end(), bits);
      if (round % 3 == 1 && n) std::swap(*placed.rbegin(), *std::max_element(placed.begin(), placed.end()));
      Number<F> sum = 0;
      for (F one : placed) sum += Number<F>(one);
      std::sort(x.begin(), x.end());
      within(type, left_to_right(x), sum, &ratio);
      std::reverse(x.begin(), x.end());
      within(type, left_to_right(x), sum, &ratio);
      for (int order = 0; order < 20; order++) within(type, any_order(x), sum, &ratio);
      EXPECT(kind != 1 || sum.bound() == 0, "%s: a bound of %Lg for whole numbers\n", type, (long double)sum.bound());
    }
    // Not absurdly wide: somewhere a sum of many comes near, up to a factor that the worst order would need.
    const bool rounds = kind == 0 || kind == 2 || kind == 4;
    EXPECT(!rounds || ratio > 1.0 / 200, "%s, kind %ld: no sum is off by more than %g of the bound\n", type, kind,
           ratio);
    if (std::getenv("TGC_RATIOS")) std::printf("%s, kind %ld: a sum is off by %.3f of the bound\n", type, kind, ratio);
  }
}

// A function of mathematics, as the C library computes it, and as the witness does.
template <typename F>
static const char *function(long which, const F *x, const Number<F> *n, F *r, Number<F> *m) {
#define FUNCTION(number, name) \
  case number: *r = std::name(x[0]), *m = tgc::name(n[0]); return #name;
  switch (which) {
    FUNCTION(0, exp) FUNCTION(1, exp2) FUNCTION(2, expm1) FUNCTION(3, log) FUNCTION(4, log2) FUNCTION(5, log1p)
    FUNCTION(6, sin) FUNCTION(7, cos) FUNCTION(8, atan) FUNCTION(9, tanh) FUNCTION(10, erf) FUNCTION(11, fabs)
    FUNCTION(12, floor) FUNCTION(13, ceil) FUNCTION(14, trunc)
  case 15: *r = 1 / std::sqrt(x[0]), *m = tgc::rsqrt(n[0]); return "rsqrt";
  case 16: *r = std::pow(std::fabs(x[0]), x[1]), *m = tgc::pow(tgc::fabs(n[0]), n[1]); return "pow";
  default: *r = std::fma(x[0], x[1], x[2]), *m = tgc::fma(n[0], n[1], n[2]); return "fma";
  }
#undef FUNCTION
}

// Registers that random operations go through, as a kernel computes them and as numbers.
template <typename F>
static void expressions(const char *type) {
  enum { REGISTERS = 6 };
  long judged = 0;
  for (int program = 0; program < 20000; program++) {
    F x[REGISTERS];
    Number<F> n[REGISTERS];
    for (int i = 0; i < REGISTERS; i++) n[i] = Number<F>(x[i] = drawn<F>(below(KINDS), i));
    const long before = undecided;
    for (long step = 0, steps = 1 + below(12); step < steps; step++) {
      const long to = below(REGISTERS), a = below(REGISTERS), b = below(REGISTERS);
      const char *what = "";
      F r = 0;
      Number<F> m = 0;
      const F arguments[] = {x[a], x[b], x[to]};
      const Number<F> numbers[] = {n[a], n[b], n[to]};
      switch (below(12)) {
      case 0: case 1: what = "+", r = x[a] + x[b], m = n[a] + n[b]; break;
      case 2: what = "-", r = x[a] - x[b], m = n[a] - n[b]; break;
      case 3: case 4: what = "*", r = x[a] * x[b], m = n[a] * n[b]; break;
      case 5: what = "/", r = x[a] / x[b], m = n[a] / n[b]; break;
      case 6: what = "max", r = std::fmax(x[a], x[b]), m = Number<F>::select(n[a], n[b], true); break;
      case 7: what = "min", r = std::fmin(x[a], x[b]), m = Number<F>::select(n[a], n[b], false); break;
      case 8: what = "sqrt", r = std::sqrt(x[a]), m = Number<F>::root(n[a]); break;
      case 9: case 10: what = function(below(18), arguments, numbers, &r, &m); break;
      default:
        what = "?:", r = x[a] < x[b] ? x[a] : F(0.5) * x[b];
        m = n[a] < n[b] ? n[a] : Number<F>(0.5) * n[b];
        break;
      }
      x[to] = r, n[to] = m;
      if (undecided != before) break; // anything may come of it
      judged++;
      if (!std::isfinite(m.value())) {
        EXPECT(!std::isfinite(r), "%s %s: %g where %Lg\n", type, what, double(r), (long double)m.value());
        break;
      }
      within(what, r, m);
    }
  }
  EXPECT(judged > 60000, "%s: only %ld steps were judged\n", type, judged);
}

// Products and what is summed up of them: dot products, polynomials, squares of differences.
template <typename F>
static void products(const char *type) {
  for (int round = 0; round < 200; round++) {
    const long kind = below(KINDS);
    std::vector<F> terms;
    Number<F> sum = 0, polynomial = 0, product = 1;
    F y = 0, times = 1;
    const F at = F(uniform(-1.1, 1.1)), factor = F(uniform(0.9, 1.1));
    for (int i = 0, n = int(below(300)); i < n; i++) {
      const F a = drawn<F>(kind, i), b = drawn<F>(kind, i);
      terms.push_back(F(F(a - b) * b));
      sum += (Number<F>(a) - Number<F>(b)) * Number<F>(b);
      y = F(y * at + a), polynomial = polynomial * Number<F>(at) + Number<F>(a);
      times *= factor, product *= Number<F>(factor);
    }
    within(type, any_order(terms), sum);
    within(type, y, polynomial);
    within(type, times, product);
  }
}

static void special() {
  typedef Number<float> N;
  const N third = N(1) / N(3), many = N(1e38f) * N(1e10f) / N(1e20f);
  EXPECT(third.bound() > 0 && third.bound() < 1e-6, "a third: %g\n", third.bound());
  EXPECT(std::isinf(many.bound()), "what overflowed on the way may be anything: %g\n", many.bound());
  const float small = 1e-30f * 1e-10f; // a kernel's digits are lost for good
  within("underflow", small * 1e30f, N(1e-30f) * N(1e-10f) * N(1e30f));
  EXPECT((N(6) / N(3)).bound() == 0 && (N(3) * N(5) - N(15)).bound() == 0, "whole numbers are exact\n");
  EXPECT(N(16777217).bound() > 0 && N(16777216).bound() == 0 && N(0.1).bound() > 0, "constants are rounded once\n");
  EXPECT((N(16777216) + N(1)).bound() >= 1, "a sum that does not fit\n");
  const long before = undecided;
  EXPECT(N(1) < N(2) && undecided == before, "1 < 2\n");
  (void)(third * N(3) < N(1));
  EXPECT(undecided > before, "3 * (1 / 3) < 1 is anybody's guess\n");
  const long then = undecided;
  (void)int(third * N(3));
  EXPECT(undecided > then, "so is what it is as a whole number\n");
  const long later = undecided;
  (void)int(third + N(1));
  EXPECT(undecided == later, "1 + 1 / 3 as a whole number is 1\n");
  EXPECT(bool(third) && undecided == later, "a third is something\n");
  (void)bool(third * N(3) - N(1));
  EXPECT(undecided == later + 1, "what may be 0\n");
  (void)N::root(third * N(3) - N(1));
  EXPECT(undecided == later + 2, "the root of what may be negative\n");
  EXPECT(std::signbit(N::select(N(-0.0f), N(0.0f), true).value()) == false, "+0 is greater than -0\n");
  EXPECT(std::signbit(N::select(N(-0.0f), N(0.0f), false).value()), "-0 is less than +0\n");
  EXPECT(N::select(N(NAN), N(3), true).value() == 3, "NaN is passed over\n");
  EXPECT(N::select(N(3), N(NAN), false).value() == 3, "NaN is passed over\n");
  const Complex<N> i(0, 1), minus = i * i;
  EXPECT(minus == Complex<N>(-1) && minus.re.bound() == 0, "i * i\n");
  const Number<double> wide(third);
  EXPECT(wide.bound() >= third.bound(), "a number keeps what it is off by in another type\n");
}

/* A float beside a double is widened, as in C: only the double's operations round. */
static void mixed() {
  for (int i = 0; i < 2000; i++) {
    const float a = float(uniform(-1, 1)), c = float(uniform(-1, 1));
    const double b = uniform(-1, 1);
    within("a float times a double", double(a) * b + c, Number<float>(a) * Number<double>(b) + Number<float>(c));
  }
  const Number<double> sum = Number<float>(0.5f) * Number<double>(3) + Number<float>(1);
  EXPECT(sum.value() == 2.5L && sum.bound() == 0, "0.5f * 3.0 + 1.0f\n");
  const Number<double> third = Number<double>(1) / Number<double>(3) + Number<float>(1);
  EXPECT(third.bound() < 1e-14L && third.bound() > 0, "1.0 / 3 + 1.0f: %Lg\n", third.bound());
  EXPECT(Number<float>(0.1f) < Number<double>(0.2), "a float is compared with a double\n");
}

/* Powers that overflow whatever they are computed in: what is made of them may be anything. Of infinities that were
 * data nothing may. */
static void overflows() {
  Number<float> power(1), sum(0);
  for (int i = 0; i < 600; i++) {
    sum += power * Number<float>(i % 2 ? -3 : 2);
    power *= Number<float>(7);
  }
  EXPECT(std::isinf(power.bound()), "an overflow may be anything: %g\n", power.bound());
  EXPECT(std::isinf(sum.bound()), "so may a sum with one: %g\n", sum.bound());
  EXPECT(std::isinf((Number<float>(0) * power).bound()), "and nothing times it\n");
  EXPECT(std::isinf((Number<float>(1) / power).bound()) || tgc::undecided, "and what it divides\n");
  const Number<float> infinite(INFINITY), more = infinite + Number<float>(1);
  EXPECT(more.bound() == 0 && (more * infinite).bound() == 0, "infinite data stay so: %g\n", more.bound());
  EXPECT((infinite - infinite).bound() == 0 && (Number<float>(1) / Number<float>(0)).bound() == 0, "and their NaN\n");
  Number<float> large(3e38f);
  large *= Number<float>(10);
  EXPECT(std::isinf((large + infinite).bound()), "what may have been -infinity in a float makes a NaN\n");
}

// A product of elements that a unit cuts to 10 bits behind the point, or rounds: off by no more than what both lose; not at all
// where they have no more digits. The bound of a sum is no larger part of its terms than that of one.
static float cut(float x, bool round) {
  unsigned word;
  memcpy(&word, &x, sizeof word);
  word = (round ? word + 0x1000 : word) & ~0x1fffu;
  memcpy(&x, &word, sizeof x);
  return x;
}
static void elements_of_tf32() {
  for (int n : {1, 10, 1000})
    for (int kind = 0; kind < 2; kind++) {
      Number<float> sum(0.0f);
      double terms = 0;
      float kept = 0, rounded = 0;
      for (int i = 0; i < n; i++) {
        const float x = kind ? float(below(2000) - 1000) : float(uniform(-1, 1)), y = kind ? 1.0f : float(uniform(0.5, 1));
        sum += Number<float>::of_tf32(x) * Number<float>::of_tf32(y);
        terms += std::fabs(double(x) * double(y));
        kept += cut(x, false) * cut(y, false);
        rounded += cut(x, true) * cut(y, true);
      }
      within("a sum of cut products", kept, sum);
      within("a sum of rounded products", rounded, sum);
      if (kind) EXPECT(sum.bound() == 0, "%d whole numbers: bound %g\n", n, double(sum.bound()));
      else EXPECT(sum.bound() < terms * (0x1p-8 + n * 0x1p-21), "%d products: bound %g of %g\n", n, double(sum.bound()), terms);
    }
  const Number<float> three = Number<float>::of_tf32(3.0f), third = three / Number<float>::of_tf32(1.0001f);
  EXPECT(third.bound() > 0x1p-10 && third.bound() < 0x1p-7, "a quotient: bound %g\n", double(third.bound()));
}

// Elements that are added up in halves: each product and sum rounded, or a sum of several products once. Whole numbers are
// exact as long as 11 bits have them, and nothing is known beyond the greatest half.
static void elements_of_half16() {
  for (int n : {1, 10, 1000})
    for (int kind = 0; kind < 2; kind++) {
      Number<float> sum(0.0f), exact(0.0f);
      _Float16 each = 0, fours = 0;
      double four = 0, terms = 0;
      for (int i = 0; i < n; i++) {
        const _Float16 x = _Float16(kind ? below(3) - 1 : uniform(-1, 1)), y = _Float16(kind ? 1 : uniform(0.5, 1));
        sum += Number<float>::of_half16(float(x)) * Number<float>::of_half16(float(y));
        exact += Number<float>(float(x)) * Number<float>(float(y));
        terms += std::fabs(double(x) * double(y));
        each += x * y;
        four += double(x) * double(y);
        if (i % 4 == 3 || i == n - 1) fours = _Float16(double(fours) + four), four = 0;
      }
      within("a sum of halves", float(each), sum);
      within("a sum of halves, four at a time", float(fours), sum);
      EXPECT(exact.bound() <= sum.bound(), "%d products: %g below %g\n", n, double(sum.bound()), double(exact.bound()));
      if (kind) EXPECT(sum.bound() == 0, "%d whole numbers: bound %g\n", n, double(sum.bound()));
      else EXPECT(sum.bound() <= terms * (2 * n + 2) * 0x1.2p-10, "%d products: bound %g of %g\n", n, double(sum.bound()), terms);
    }
  const Number<float> large = Number<float>::of_half16(40000), none = large + large, odd = Number<float>::of_half16(2048) + 1;
  EXPECT(large.bound() == 0 && std::isinf(double(none.bound())), "beyond the greatest half: bound %g\n", double(none.bound()));
  EXPECT(odd.bound() >= 1, "a half of twelve bits: bound %g\n", double(odd.bound()));
}

int main() {
  elements_of_tf32();
  elements_of_half16();
  sums<float>("float");
  sums<double>("double");
  expressions<float>("float");
  expressions<double>("double");
  products<float>("float");
  products<double>("double");
  special();
  mixed();
  overflows();
  if (failures) std::printf("%d failures\n", failures);
  return failures ? 1 : 0;
}
