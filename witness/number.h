// number.h: floating numbers that know how far a kernel's may be from them.
//
// A Number<F> stands for what codelets compute in F, float or double. Its value is computed in a wider type; beside it
// go the sum of the absolute values of all terms, and how many roundings there were. Additions in any order, of which
// each rounds once, are off by no more than roundings * eps * terms (Higham, Accuracy and Stability, 4.2), and so are the
// products, quotients and selections made here: bound(). It is 0 where nothing was rounded: of numbers that are
// multiples of some power of two, sums are exact as long as the terms fit the digits of F.
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
  template <typename G>
  explicit Number(const Number<G> &x) : Number(Wide(x.value()), Wide(x.value()) < 0 ? -Wide(x.value()) : Wide(x.value()), 0,
                                               quantum_of(Wide(x.value()))) {
    const Wide error = Wide(x.bound()); // of the same size in roundings of this type
    if (error > 0) roundings_ = error / (eps() * (terms_ > 0 ? terms_ : 1)) + 1, terms_ += error, quantum_ = NONE;
    if (std::isfinite(value_) && Wide(F(value_)) != value_) rounded();
  }

  Wide value() const { return value_; }
  // How far what is computed in F may be from value(), whatever the order.
  Wide bound() const {
    if (!std::isfinite(value_) || roundings_ == 0) return 0;
    if (terms_ > Wide(std::numeric_limits<F>::max())) return std::numeric_limits<Wide>::infinity(); // it may overflow
    return roundings_ * eps() * terms_ * Wide(1.0625) + std::numeric_limits<F>::denorm_min() * roundings_;
  }

  friend Number operator+(const Number &a, const Number &b) { return sum(a, b, a.value_ + b.value_); }
  friend Number operator-(const Number &a, const Number &b) { return sum(a, b, a.value_ - b.value_); }
  friend Number operator*(const Number &a, const Number &b) {
    Number c(a.value_ * b.value_, a.terms_ * b.terms_, a.roundings_ + b.roundings_,
             a.quantum_ == NONE || b.quantum_ == NONE ? int(NONE) : a.quantum_ + b.quantum_);
    return c.rounded_unless_it_fits();
  }
  friend Number operator/(const Number &a, const Number &b) {
    const Wide v = a.value_ / b.value_, size = std::fabs(b.value_), off = b.bound();
    if (off > 0 && off * 2 >= size) ++undecided; // it may be any number
    Number c(v, a.terms_ / size, a.roundings_ + (off > 0 ? 2 * b.roundings_ * b.terms_ / size : 0), quantum_of(v));
    const bool exact = a.roundings_ == 0 && off == 0 && v * b.value_ == a.value_ && Wide(F(v)) == v;
    if (!exact) c.rounded();
    return c;
  }
  friend Number operator-(const Number &a) { return Number(-a.value_, a.terms_, a.roundings_, a.quantum_); }
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
    if (std::is_integral_v<I> && bound() > 0) ++undecided;
    return I(value_);
  }

  // The greater, the lesser of two: NaN is passed over, and +0 is greater than -0. Whichever it is, it is no further off
  // than the one that is further off.
  static Number select(const Number &a, const Number &b, bool greater) {
    const bool nan_a = std::isnan(a.value_), nan_b = std::isnan(b.value_);
    if (nan_a || nan_b) return nan_a ? b : a;
    const bool first = a.value_ == b.value_ ? std::signbit(a.value_) != greater
                                            : (a.value_ > b.value_) == greater;
    Number c = first ? a : b;
    const Number &other = first ? b : a;
    if (other.bound() > 0 && std::fabs(a.value_ - b.value_) <= a.bound() + b.bound()) {
      c.terms_ = std::fmax(a.terms_, b.terms_);
      c.roundings_ = std::fmax(a.roundings_, b.roundings_);
      c.quantum_ = NONE;
    }
    return c;
  }
  static Number root(const Number &a) {
    const Wide v = std::sqrt(a.value_);
    Number c(v, v, a.roundings_ > 0 && a.value_ > 0 ? a.roundings_ * a.terms_ / a.value_ : a.roundings_, quantum_of(v));
    return c.rounded(), c;
  }

 private:
  enum { NONE = -100000, DIGITS = std::numeric_limits<F>::digits };
  Wide value_ = 0, terms_ = 0, roundings_ = 0; // terms_: of their absolute values
  int quantum_ = 10000;                        // all terms are multiples of 2^quantum_; NONE: of nothing

  Number(Wide value, Wide terms, Wide roundings, int quantum)
      : value_(value), terms_(terms), roundings_(roundings), quantum_(quantum) {}
  static Wide eps() { return Wide(std::numeric_limits<F>::epsilon()); }

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
  void rounded() {
    roundings_ += 1;
    quantum_ = NONE;
  }
  Number &rounded_unless_it_fits() {
    if (value_ == 0 && terms_ == 0) return roundings_ = 0, quantum_ = 10000, *this;
    const bool fits = quantum_ != NONE && quantum_ > std::numeric_limits<F>::min_exponent - DIGITS &&
                      terms_ <= std::ldexp(Wide(1), quantum_ > 5000 ? 5000 : quantum_ + DIGITS);
    if (!fits) rounded();
    return *this;
  }
  static Number sum(const Number &a, const Number &b, Wide value) {
    const int quantum = a.quantum_ < b.quantum_ ? a.quantum_ : b.quantum_;
    return Number(value, a.terms_ + b.terms_, a.roundings_ + b.roundings_, quantum).rounded_unless_it_fits();
  }
  static void decide(const Number &a, const Number &b) {
    const Wide off = a.bound() + b.bound();
    if (off > 0 && std::fabs(a.value_ - b.value_) <= off) ++undecided;
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
