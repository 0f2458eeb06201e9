// mathematics.h: functions of numbers, by the names that codelets use: of integers, of floating-point numbers, and of
// those that know their rounding (number.h).
#ifndef TGC_WITNESS_MATHEMATICS_H
#define TGC_WITNESS_MATHEMATICS_H

#include <cstring>
#include <utility>

#include "number.h"

namespace tgc {

template <typename T> struct IsNumber : std::false_type {};
template <typename F> struct IsNumber<Number<F>> : std::true_type {};
// What two numbers of different types are compared in.
template <typename A, typename B, bool a = IsNumber<A>::value, bool b = IsNumber<B>::value>
struct CommonType : std::common_type<A, B> {};
template <typename A, typename B, bool b> struct CommonType<A, B, true, b> { typedef A type; };
template <typename A, typename B> struct CommonType<A, B, false, true> { typedef B type; };

// Of two the greater: NaN is passed over, and +0 is greater than -0.
template <typename T>
T chosen(T a, T b, bool greater) {
  if constexpr (IsNumber<T>::value) {
    return T::select(a, b, greater);
  } else if constexpr (std::is_floating_point_v<T>) {
    if (a != a || b != b) return a != a ? b : a;
    if (a == b) return std::signbit(a) != greater ? a : b;
    return (a > b) == greater ? a : b;
  } else {
    return (a > b) == greater ? a : b;
  }
}
template <typename A, typename B>
auto max(A a, B b) { typedef typename CommonType<A, B>::type T; return chosen<T>(T(a), T(b), true); }
template <typename A, typename B>
auto min(A a, B b) { typedef typename CommonType<A, B>::type T; return chosen<T>(T(a), T(b), false); }

// -infinity where there is one.
template <typename T>
T lowest() {
  if constexpr (IsNumber<T>::value) return T(-std::numeric_limits<typename T::Wide>::infinity());
  else if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
  else return std::numeric_limits<T>::lowest();
}
template <typename T>
T highest() {
  if constexpr (IsNumber<T>::value) return T(std::numeric_limits<typename T::Wide>::infinity());
  else if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::infinity();
  else return std::numeric_limits<T>::max();
}

// Mathematics. How many units in the last place a library may be off: CUDA's and C's are off by fewer.
#define TGC_FUNCTION(name, of_number, f)                           \
  template <typename T>                                            \
  T name(T x) {                                                    \
    if constexpr (IsNumber<T>::value) return T::of_number;         \
    else return T(f(x));                                           \
  }
#define TGC_LIBRARY(name, f, ulps) TGC_FUNCTION(name, applied([](auto v) { return f(v); }, x, ulps), f)
#define TGC_WAVE(name, f) TGC_FUNCTION(name, applied([](auto v) { return f(v); }, x, 4, 1), f)
#define TGC_WHOLE(name, f) TGC_FUNCTION(name, whole([](auto v) { return f(v); }, x), f)
template <typename T> T reciprocal_root(T x) { return 1 / std::sqrt(x); }
TGC_LIBRARY(exp, std::exp, 4)
TGC_LIBRARY(exp2, std::exp2, 4)
TGC_LIBRARY(expm1, std::expm1, 4)
TGC_LIBRARY(log, std::log, 4)
TGC_LIBRARY(log2, std::log2, 4)
TGC_LIBRARY(log1p, std::log1p, 4)
TGC_FUNCTION(sqrt, root(x), std::sqrt)
TGC_LIBRARY(rsqrt, reciprocal_root, 4)
TGC_WAVE(sin, std::sin)
TGC_WAVE(cos, std::cos)
TGC_LIBRARY(atan, std::atan, 4)
TGC_LIBRARY(tanh, std::tanh, 4)
TGC_LIBRARY(erf, std::erf, 4)
TGC_FUNCTION(fabs, absolute(x), std::fabs)
TGC_FUNCTION(sqrtf, root(x), std::sqrt) // of operators alone, as fabsf and fmaf are
TGC_FUNCTION(fabsf, absolute(x), std::fabs)
TGC_WHOLE(floor, std::floor)
TGC_WHOLE(ceil, std::ceil)
TGC_WHOLE(trunc, std::trunc)
#undef TGC_WHOLE
#undef TGC_WAVE
#undef TGC_LIBRARY
#undef TGC_FUNCTION
inline int popcount(unsigned x) { return __builtin_popcount(x); }
template <typename T, typename U>
T pow(T x, U y) {
  if constexpr (IsNumber<T>::value) return T::power(x, T(y), 8);
  else return T(std::pow(x, T(y)));
}
template <typename T, typename U, typename V>
T fma(T x, U y, V z) {
  if constexpr (IsNumber<T>::value) return T::fused(x, T(y), T(z));
  else return T(std::fma(x, T(y), T(z)));
}

template <typename T> T fmaf(T x, T y, T z) { return fma(x, y, z); }

// The same bits as another type, for operators.
inline unsigned long long bits_of(double x) { unsigned long long b; return std::memcpy(&b, &x, 8), b; }
inline unsigned bits_of(float x) { unsigned b; return std::memcpy(&b, &x, 4), b; }
inline double double_of_bits(unsigned long long b) { double x; return std::memcpy(&x, &b, 8), x; }
inline float float_of_bits(unsigned b) { float x; return std::memcpy(&x, &b, 4), x; }

// Where a number stands in the order of its type: a digit of that.
template <typename T, typename = void> struct InOrder { static T of(T x) { return x; } };
template <typename F> struct InOrder<Number<F>> { static F of(Number<F> x) { return F(x.value()); } };
template <typename E> struct InOrder<E, std::void_t<typename E::Value>> : InOrder<typename E::Value> {};
template <typename T>
unsigned order_bits(const T &number, int from, int many) {
  const auto x = InOrder<T>::of(number);
  typedef std::remove_const_t<decltype(x)> Plain;
  const unsigned long long middle = 1ull << (8 * sizeof x - 1);
  unsigned long long place;
  if constexpr (!std::is_floating_point_v<Plain>)
    place = (unsigned long long)x - (unsigned long long)std::numeric_limits<Plain>::lowest();
  else
    place = std::signbit(x) ? middle - 1 - bits_of(-x) : middle + bits_of(x);
  return unsigned(place >> from) & ((1u << many) - 1);
}
template <typename T> int order_size() { return 8 * sizeof(InOrder<T>::of(T())); }

} // namespace tgc

#endif
