// number.h: floating numbers that know how far a kernel's may be from them.
//
// A Number<F> stands for what codelets compute in F, float or double. Its value is computed in a wider type; beside it
// go the sum of the absolute values of all terms, and how many operations may have rounded. Additions in any order, of
// which each rounds once, are off by no more than roundings * eps * terms (Higham, Accuracy and Stability, 4.2), and so
// are the products, quotients and selections made here: bound(). It is 0 where nothing is rounded in any order: of
// numbers that are multiples of some power of two, sums are exact as long as the terms fit the digits of F. Operations
// count even while all is exact: in another order, what does not fit may come first. An element of which a kernel may use
// fewer digits is off by a part of itself (of_tf32). That is kept apart: it does not grow with the number of additions. What
// comes of elements that a kernel may add up in halves (of_half16) is bounded as if it were computed in these.
#ifndef TGC_WITNESS_NUMBER_H
#define TGC_WITNESS_NUMBER_H

#include <cmath>
#include <limits>
#include <type_traits>

namespace tgc {

// Comparisons and conversions to integers whose outcome rounding may change: what comes of them is not certain.
inline thread_local long undecided = 0;

template <typename F>
class Number {
 public:
  typedef std::conditional_t<std::is_same_v<F, float>, double, long double> Wide;

  Number() = default;
  template <typename A, typename = std::enable_if_t<std::is_arithmetic_v<A>>>
  Number(A x) : Number(Wide(x), std::fabs(Wide(x)), 0, quantum_of(Wide(x))) {
    if (std::isfinite(value_) && Wide(F(x)) != Wide(x)) rounded();
  }
  // Of a narrower type as C converts, of a wider one only where the text says so.
  template <typename G, std::enable_if_t<(sizeof(G) < sizeof(F)), int> = 0>
  Number(const Number<G> &x) : Number(x, Converted()) {}
  template <typename G, std::enable_if_t<(sizeof(G) > sizeof(F)), int> = 0>
  explicit Number(const Number<G> &x) : Number(x, Converted()) {}

  // An element that a kernel may take for one of the two numbers beside it with 10 bits behind the point.
  static Number of_tf32(float x) {
    enum { BITS = 11 };
    Number c(x);
    int e;
    const Wide digits = std::ldexp(std::frexp(Wide(x), &e), BITS);
    if (!std::isfinite(x) || digits == std::floor(digits)) return c;
    c.off_ = std::fmax(std::fabs(Wide(x)) * std::ldexp(Wide(1), 1 - BITS), Wide(std::numeric_limits<float>::min()));
    c.quantum_ = NONE;
    if (e == std::numeric_limits<float>::max_exponent) c.roundings_ = std::numeric_limits<Wide>::infinity();
    return c;
  }

  // An element whose sums a kernel may round to halves.
  static Number of_half16(float x) {
    Number c(x);
    c.halves_ = true;
    return c;
  }

  Wide value() const { return value_; }
  // Is it the same in any order?
  bool exact() const { return quantum_ != NONE; }
  // May it be either zero? That of a sum of zeros is: +0 is what sums begin with, or do not.
  bool either_zero() const { return either_ && value_ == 0; }
  // How far what is computed in F may be from value(), whatever the order; 0: it is the same, a zero's sign too.
  Wide bound() const {
    return either_zero() && error() == 0 ? Wide(std::numeric_limits<double>::denorm_min()) : error();
  }
  // .. of zeros that do not differ.
  Wide error() const {
    if (overflowed_) return std::numeric_limits<Wide>::infinity();
    if (!std::isfinite(value_) || exact()) return 0;
    if (std::isinf(roundings_)) return roundings_;
    return (roundings_ * eps() * terms_ + off_) * Wide(1.0625); // and a sixteenth for products of errors
  }

  friend Number operator+(const Number &a, const Number &b) { return sum(a, b, a.value_ + b.value_); }
  friend Number operator-(const Number &a, const Number &b) { return sum(a, b, a.value_ - b.value_); }
  friend Number operator*(const Number &a, const Number &b) {
    Number c(a.value_ * b.value_, a.terms_ * b.terms_, a.roundings_ + b.roundings_ + 1,
             a.exact() && b.exact() ? a.quantum_ + b.quantum_ : int(NONE));
    c.halves_ = a.halves_ || b.halves_;
    c.off_ = a.terms_ * b.off_ + b.terms_ * a.off_;
    return c.settled().signed_as(a, b).overflowed_as(a, b);
  }
  friend Number operator/(const Number &x, const Number &y) {
    const Number a = x.together(), b = y.together();
    const Wide v = a.value_ / b.value_, size = std::fabs(b.value_), off = b.error();
    const bool any = off > 0 ? off * 2 >= size : size == 0 && a.error() > 0 && std::fabs(a.value_) <= a.error();
    if (any || b.either_zero()) ++undecided; // it may be any number
    Number c(v, a.terms_ / size, 0, quantum_of(v));
    c.halves_ = a.halves_ || b.halves_;
    if (!a.exact()) c.roundings_ = a.roundings_ * (off > 0 ? size / (size - off) : 1);
    if (off > 0) c.roundings_ += 2 * b.roundings_ * b.terms_ / size;
    if (!a.exact() || !b.exact() || v * b.value_ != a.value_ || Wide(F(v)) != v) c.rounded();
    c.signed_as(a, b).overflowed_as(a, b);
    if (size == 0 && !a.may_overflow() && !b.may_overflow()) c.overflowed_ = false;
    return c;
  }
  friend Number operator-(const Number &a) {
    Number c(-a.value_, a.terms_, a.roundings_, a.quantum_);
    c.off_ = a.off_;
    c.halves_ = a.halves_;
    return c.signed_as(a, a).overflowed_as(a, a);
  }
  friend Number operator+(const Number &a) { return a; }
  Number &operator+=(const Number &b) { return *this = *this + b; }
  Number &operator-=(const Number &b) { return *this = *this - b; }
  Number &operator*=(const Number &b) { return *this = *this * b; }
  Number &operator/=(const Number &b) { return *this = *this / b; }
  Number &operator++() { return *this += 1; }
  Number &operator--() { return *this -= 1; }

  friend bool operator<(const Number &a, const Number &b) { return decide(a, b), a.value_ < b.value_; }
  friend bool operator>(const Number &a, const Number &b) { return decide(a, b), a.value_ > b.value_; }
  friend bool operator<=(const Number &a, const Number &b) { return decide(a, b), a.value_ <= b.value_; }
  friend bool operator>=(const Number &a, const Number &b) { return decide(a, b), a.value_ >= b.value_; }
  friend bool operator==(const Number &a, const Number &b) { return decide(a, b), a.value_ == b.value_; }
  friend bool operator!=(const Number &a, const Number &b) { return decide(a, b), a.value_ != b.value_; }
  template <typename I, typename = std::enable_if_t<std::is_arithmetic_v<I>>>
  explicit operator I() const {
    const Wide off = error();
    if (std::is_same_v<I, bool>) decide(*this, 0);
    else if (std::is_integral_v<I>) {
      const bool fits = value_ > Wide(std::numeric_limits<I>::lowest()) - 1 && value_ < Wide(std::numeric_limits<I>::max()) + 1;
      if (!fits || (off > 0 && std::trunc(value_ - off) != std::trunc(value_ + off))) ++undecided;
      if (!fits) return I(0); // NaN, infinities, what is too large: every machine has another number for it
    }
    return I(value_);
  }

  // The greater, the lesser of two: NaN is passed over, and +0 is greater than -0. Whichever it is, it is no further
  // off than the one that is further off.
  static Number select(const Number &a, const Number &b, bool greater) {
    const bool nan_a = std::isnan(a.value_), nan_b = std::isnan(b.value_);
    if (nan_a || nan_b) {
      Number c = nan_a ? b : a;
      c.overflowed_ = a.overflowed_ || b.overflowed_;
      return c;
    }
    const bool first = a.value_ == b.value_ ? std::signbit(a.value_) != greater
                                            : (a.value_ > b.value_) == greater;
    Number c = first ? a : b;
    const Number &other = first ? b : a;
    c.halves_ = a.halves_ || b.halves_;
    c.signed_as(a, b);
    c.overflowed_ = a.overflowed_ || b.overflowed_;
    if (other.error() > 0 && std::fabs(a.value_ - b.value_) <= a.error() + b.error()) {
      c.terms_ = std::fmax(a.terms_, b.terms_);
      c.roundings_ = std::fmax(a.roundings_, b.roundings_);
      c.off_ = std::fmax(a.off_, b.off_);
      c.quantum_ = NONE;
    }
    return c;
  }
  // The root: of what is less than 0, NaN.
  static Number root(const Number &x) {
    const Number a = x.together();
    if (a.value_ < a.error()) ++undecided; // it may be none
    const Wide v = std::sqrt(a.value_);
    Number c(v, v, a.exact() ? 0 : a.roundings_ * a.terms_ / a.value_, quantum_of(v));
    c.halves_ = a.halves_;
    if (!a.exact() || v * v != a.value_ || Wide(F(v)) != v) c.rounded();
    c.overflowed_ = a.may_overflow();
    return c.signed_as(a, a);
  }
  // What a function f gives that a library computes to `ulps' units in the last place: off by that, and by what f(x +- error)
  // differs from f(x), if it only rises or only falls; else by `steepest' times the error, and by no more than 2 (sine, cosine).
  template <typename G>
  static Number applied(G f, const Number &a, Wide ulps, Wide steepest = 0) {
    const Wide v = f(a.value_), off = a.error(), up = f(a.value_ + off), down = f(a.value_ - off);
    if (off > 0 && (std::isnan(up) != std::isnan(v) || std::isnan(down) != std::isnan(v))) ++undecided;
    const Wide moved = off == 0 ? 0 : steepest ? std::fmin(steepest * off, Wide(2)) : std::fmax(std::fabs(up - v), std::fabs(down - v));
    return made(v, moved, ulps, a, a);
  }
  // x to the power of y: rises or falls with each.
  static Number power(const Number &x, const Number &y, Wide ulps) {
    const Wide v = std::pow(x.value_, y.value_), a = x.error(), b = y.error();
    if ((a > 0 || b > 0) && x.value_ - a <= 0) ++undecided; // only of whole powers, or of none
    Wide moved = 0;
    for (int i = -1; i <= 1; i += 2)
      for (int k = -1; k <= 1; k += 2)
        if (a > 0 || b > 0) moved = std::fmax(moved, std::fabs(std::pow(x.value_ + i * a, y.value_ + k * b) - v));
    return made(v, moved, ulps, x, y);
  }
  // x * y + z, rounded once.
  static Number fused(const Number &x, const Number &y, const Number &z) { return x * y + z; }
  static Number absolute(Number a) {
    a.value_ = std::fabs(a.value_);
    return a;
  }
  // A whole number beside a, by a function that is not sure where the numbers nearby have others.
  template <typename G>
  static Number whole(G f, const Number &a) {
    const Wide v = f(a.value_), off = a.error();
    if (off > 0 && (f(a.value_ - off) != v || f(a.value_ + off) != v)) ++undecided;
    Number c(v, std::fabs(v), 0, quantum_of(v));
    c.halves_ = a.halves_;
    c.overflowed_ = a.may_overflow();
    return c.signed_as(a, a);
  }

 private:
  enum { NONE = -100000 };
  Wide value_ = 0, terms_ = 0, roundings_ = 0; // the terms' absolute values; operations on the way
  Wide off_ = 0;                               // how far all terms together were off before anything was rounded
  int quantum_ = 10000;                        // all terms are multiples of 2^quantum_; NONE: of nothing
  bool either_ = false;                        // of a zero: its sign is not certain
  bool halves_ = false;                        // kernels may compute it in halves
  bool overflowed_ = false;                    // infinite, or NaN, because numbers were too large for Wide

  Number(Wide value, Wide terms, Wide roundings, int quantum)
      : value_(value), terms_(terms), roundings_(roundings), quantum_(quantum) {}
  struct Converted {};
  template <typename G>
  Number(const Number<G> &x, Converted)
      : Number(Wide(x.value()), std::fabs(Wide(x.value())), 0, quantum_of(Wide(x.value()))) {
    either_ = x.either_zero();
    const Wide error = Wide(x.error()); // of the same size in roundings of this type
    overflowed_ = std::isinf(error);
    if (error > 0) {
      roundings_ = error / (eps() * (terms_ > 0 ? terms_ : 1));
      terms_ += terms_ > 0 ? error : 1;
      rounded();
    }
    if (std::isfinite(value_) && Wide(F(value_)) != value_) rounded();
  }
  // Of the same size in roundings alone.
  Number together() const {
    Number c = *this;
    if (off_ > 0) c.roundings_ += off_ / (eps() * terms_);
    c.off_ = 0;
    return c;
  }
  // Of what it is computed in: of a half IEEE 754's binary16.
  Wide eps() const { return halves_ ? std::ldexp(Wide(1), -10) : Wide(std::numeric_limits<F>::epsilon()); }
  Wide most() const { return halves_ ? Wide(65504) : Wide(std::numeric_limits<F>::max()); }
  Wide least() const { return halves_ ? std::ldexp(Wide(1), -14) : Wide(std::numeric_limits<F>::min()); }
  int digits() const { return halves_ ? 11 : std::numeric_limits<F>::digits; }
  int least_exponent() const { return halves_ ? -13 : std::numeric_limits<F>::min_exponent; }

  // The exponent of the lowest digit that is set. Of 0: greater than any.
  static int quantum_of(Wide x) {
    if (x == 0) return 10000;
    if (!std::isfinite(x)) return NONE;
    int e;
    Wide digits = std::frexp(std::fabs(x), &e);
    for (int k = 0; k < std::numeric_limits<Wide>::digits; k++, e--) {
      if (digits == std::floor(digits)) return e;
      digits *= 2;
    }
    return e;
  }
  // Digits below the least number of F are lost for good, and what overflowed is infinite for good.
  void rounded() {
    roundings_ = terms_ <= most() ? roundings_ + 1 : std::numeric_limits<Wide>::infinity();
    terms_ = std::fmax(terms_, least());
    quantum_ = NONE;
  }
  // What came of terms that were exact, or of others; the operation is counted already.
  Number &settled() {
    if (terms_ == 0 && std::isfinite(roundings_)) return quantum_ = 10000, *this;
    const bool fits = exact() && quantum_ > least_exponent() - digits() && terms_ <= most() &&
                      terms_ <= std::ldexp(Wide(1), quantum_ > 5000 ? 5000 : quantum_ + digits());
    if (!fits) roundings_ -= 1, rounded();
    return *this;
  }
  // A value of a or b, that was off by `moved' before it was computed to so many units in the last place.
  static Number made(Wide v, Wide moved, Wide ulps, const Number &a, const Number &b) {
    Number c(v, std::fabs(v), 0, NONE);
    c.halves_ = a.halves_ || b.halves_;
    const Wide size = std::fmax(std::fabs(v), c.least());
    if (std::isfinite(v)) {
      c.terms_ = size;
      c.roundings_ = moved / (c.eps() * size) + ulps - 1;
      c.rounded();
    }
    return c.signed_as(a, b).overflowed_as(a, b);
  }
  bool may_overflow() const { return overflowed_ || (std::isfinite(value_) && std::isinf(roundings_)); }
  Number &overflowed_as(const Number &a, const Number &b) {
    overflowed_ = a.may_overflow() || b.may_overflow() ||
                  (std::isfinite(a.value_) && std::isfinite(b.value_) && !std::isfinite(value_));
    return *this;
  }
  Number &signed_as(const Number &a, const Number &b) { return either_ = a.either_zero() || b.either_zero(), *this; }
  static Number sum(const Number &a, const Number &b, Wide value) {
    const int quantum = a.quantum_ < b.quantum_ ? a.quantum_ : b.quantum_;
    Number c = Number(value, a.terms_ + b.terms_, a.roundings_ + b.roundings_ + 1, quantum);
    c.halves_ = a.halves_ || b.halves_;
    c.settled();
    c.off_ = a.off_ + b.off_;
    c.either_ = a.value_ == 0 && b.value_ == 0;
    return c.overflowed_as(a, b);
  }
  static void decide(const Number &a, const Number &b) {
    const Wide off = a.error() + b.error();
    if (a.overflowed_ || b.overflowed_ || (off > 0 && std::fabs(a.value_ - b.value_) <= off)) ++undecided;
  }
};

// Complex numbers have + - * /, == and !=.
template <typename F>
struct Complex {
  F re = 0, im = 0;
  Complex() = default;
  template <typename A, typename = std::enable_if_t<std::is_convertible_v<A, F>>>
  Complex(A x) : re(x), im(0) {}
  Complex(F x, F y) : re(x), im(y) {}
  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  friend Complex operator-(Complex a, Complex b) { return {a.re - b.re, a.im - b.im}; }
  friend Complex operator-(Complex a) { return {-a.re, -a.im}; }
  friend Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
  friend Complex operator/(Complex a, Complex b) {
    const F size = b.re * b.re + b.im * b.im;
    return {(a.re * b.re + a.im * b.im) / size, (a.im * b.re - a.re * b.im) / size};
  }
  friend bool operator==(Complex a, Complex b) { return a.re == b.re && a.im == b.im; }
  friend bool operator!=(Complex a, Complex b) { return !(a == b); }
  Complex &operator+=(Complex b) { return *this = *this + b; }
  Complex &operator-=(Complex b) { return *this = *this - b; }
  Complex &operator*=(Complex b) { return *this = *this * b; }
  Complex &operator/=(Complex b) { return *this = *this / b; }
};

} // namespace tgc

#endif
