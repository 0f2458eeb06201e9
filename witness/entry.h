// entry.h: codelets called with a caller's memory: pointers and sizes as containers, of plain numbers or of numbers
// that know their rounding. What is only read is seen through a view; what is written is, where its type is another,
// copied.
#ifndef TGC_WITNESS_ENTRY_H
#define TGC_WITNESS_ENTRY_H

#include "lanes.h"

namespace tgc {

template <typename T> struct IsComplex : std::false_type {};
template <typename F> struct IsComplex<Complex<F>> : std::true_type {};

// A float that kernels may multiply with fewer digits.
struct Tf32 { float value; };
// A half whose sums kernels may round to halves.
template <typename E> struct Half16 { E value; };
template <typename E> struct IsHalf16 : std::false_type {};
template <typename E> struct IsHalf16<Half16<E>> : std::true_type {};

// An element of memory as what codelets compute with. Of two numbers side by side, a complex one.
template <typename T, typename E>
T lifted(const E &x) {
  if constexpr (std::is_same_v<T, E>) {
    return x;
  } else if constexpr (IsComplex<T>::value) {
    typedef decltype(T::re) F;
    if constexpr (sizeof(E) == 16) {
      double parts[2];
      return std::memcpy(parts, &x, sizeof parts), T(F(parts[0]), F(parts[1]));
    } else {
      float parts[2];
      return std::memcpy(parts, &x, sizeof parts), T(F(parts[0]), F(parts[1]));
    }
  } else if constexpr (std::is_same_v<E, Tf32>) {
    return T::of_tf32(x.value);
  } else if constexpr (IsHalf16<E>::value) {
    return T::of_half16(float(x.value));
  } else if constexpr (std::is_arithmetic_v<E>) {
    return T(x);
  } else {
    return T(float(x)); // half and the like
  }
}

// What is asked for: a value, or how far from it a kernel's may be. Any value is right where rounding decided
// something on the way: a bound is infinite then, and of whole numbers 1.
class Asked {
 public:
  explicit Asked(bool bound) : bound_(bound), before_(undecided) {}
  bool bound() const { return bound_; }
  bool sure() const { return undecided == before_; }
  template <typename N>
  double of(const Number<N> &x) const {
    if (!bound_) return double(x.value());
    return sure() ? double(x.bound()) : std::numeric_limits<double>::infinity();
  }

 private:
  bool bound_;
  long before_;
};

// A bound within which is every value.
template <typename E>
void anything(E *to) {
  if constexpr (std::is_floating_point_v<E>) {
    *to = std::numeric_limits<E>::infinity();
  } else if constexpr (std::is_arithmetic_v<E>) {
    *to = 1;
  } else if constexpr (sizeof(E) == 16) {
    const double parts[2] = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    std::memcpy((void *)to, parts, sizeof parts);
  } else if constexpr (sizeof(E) == 8) {
    const float parts[2] = {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()};
    std::memcpy((void *)to, parts, sizeof parts);
  }
}

// And back.
template <typename E, typename T>
void lower(E *to, const T &x, const Asked &asked) {
  const bool bound = asked.bound();
  if constexpr (std::is_same_v<T, E>) {
    if (!bound) *to = x;
    else if constexpr (std::is_arithmetic_v<E>) *to = E(asked.sure() ? 0 : 1);
  } else if constexpr (IsComplex<T>::value) {
    if constexpr (IsNumber<decltype(x.re)>::value) {
      const double parts[2] = {asked.of(x.re), asked.of(x.im)};
      if constexpr (sizeof(E) == 16) {
        std::memcpy((void *)to, parts, sizeof parts);
      } else {
        const float narrow[2] = {float(parts[0]), float(parts[1])};
        std::memcpy((void *)to, narrow, sizeof narrow);
      }
    } else {
      std::memcpy((void *)to, &x, sizeof *to);
    }
  } else if constexpr (IsNumber<T>::value) {
    *to = E(asked.of(x));
  } else {
    *to = bound ? E(asked.sure() ? 0 : 1) : E(x);
  }
}

template <typename T, int rank, typename E>
Array<rank, T> seen(const E *at, std::initializer_list<Index> sizes, std::initializer_list<Index> steps) {
  if constexpr (std::is_same_v<T, E>) return Array<rank, T>::over(const_cast<T *>(at), sizes, steps);
  else return Array<rank, T>::computed(sizes, steps, [at](Index i) { return lifted<T>(at[i]); });
}
// What is only read: n elements; rows and columns, `leading' elements apart, by rows or by columns.
template <typename T, typename E>
Array<1, T> read(const E *at, Index n) { return seen<T, 1>(at, {n}, {1}); }
template <typename T, typename E>
Array<2, T> read(const E *at, Index rows, Index columns, Index leading, bool by_columns) {
  if (by_columns) return seen<T, 2>(at, {rows, columns}, {1, leading});
  return seen<T, 2>(at, {rows, columns}, {leading, 1});
}

template <typename T>
bool alike(const T &x, const T &y) {
  if constexpr (IsNumber<T>::value) return std::memcmp(&x, &y, sizeof x) == 0 || x.value() == y.value();
  else return std::memcmp((const void *)&x, (const void *)&y, sizeof x) == 0;
}

// What is written: elements of the codelet's own, which go back to the caller's memory.
template <typename T, typename E, int rank>
class Written {
 public:
  Array<rank, T> array;
  Written(E *at, std::initializer_list<Index> sizes, std::initializer_list<Index> steps)
      : at_(at), caller_(Array<rank, Index>::computed(sizes, steps, [](Index i) { return i; })) {
    if constexpr (std::is_same_v<T, E>) {
      array = Array<rank, T>::over(at, sizes, steps);
    } else {
      array = std::apply([](auto... n) { return Array<rank, T>(n...); }, dimensions(std::make_index_sequence<rank>()));
      array.settle(steps);
      each([&](auto... i) { array(i...) = lifted<T>(at_[caller_(i...)]); });
    }
  }
  void give_back(const Asked &asked) {
    if (std::is_same_v<T, E> && !asked.bound()) return;
    each([&](auto... i) {
      lower(&at_[caller_(i...)], array(i...), asked);
      if (asked.bound() && (differs_ || array.differs(i...))) anything(&at_[caller_(i...)]);
    });
  }
  // What is in it, in a row; that again; has it something else?
  std::vector<T> elements() {
    std::vector<T> all;
    each([&](auto... i) { all.push_back(std::as_const(array)(i...)); });
    return all;
  }
  void put(const std::vector<T> &all) {
    size_t at = 0;
    if (array.any_) array.write_any();
    each([&](auto... i) { *array.at_of(i...) = all[at++]; });
  }
  void compare(const std::vector<T> &with) {
    const std::vector<T> all = elements();
    for (size_t i = 0; i < all.size(); i++) differs_ |= !alike(all[i], with[i]);
  }

 private:
  E *at_;
  const Array<rank, Index> caller_;
  bool differs_ = false; // in another order of those that read and write
  template <size_t... d>
  auto dimensions(std::index_sequence<d...>) const { return std::make_tuple(caller_.Size(int(d))...); }
  template <typename F, typename... I>
  void each(F f, I... at) {
    if constexpr (sizeof...(I) == rank) f(at...);
    else for (Index i = 0; i < caller_.Size(int(sizeof...(I))); i++) each(f, at..., i);
  }
};
template <typename T, typename E>
Written<T, E, 1> write(E *at, Index n) { return {at, {n}, {1}}; }
template <typename T, typename E>
Written<T, E, 2> write(E *at, Index rows, Index columns, Index leading, bool by_columns) {
  if (by_columns) return {at, {rows, columns}, {1, leading}};
  return {at, {rows, columns}, {leading, 1}};
}

// Of more dimensions.
template <typename T, int rank, typename E>
Written<T, E, rank> written(E *at, std::initializer_list<Index> sizes, std::initializer_list<Index> steps) {
  return {at, sizes, steps};
}

// Runs a codelet whose workers read what others write (__accum(Any)), in the text's order, and, where it matters, in a
// few others: a container in which something then differs may have anything, and so may all, where the result does.
template <typename F, typename... W>
auto in_any_order(F run, W &...written) {
  constexpr unsigned OTHERS = 3;
  any_order = {};
  const auto before = std::make_tuple(written.elements()...);
  const auto result = run();
  const auto after = std::make_tuple(written.elements()...);
  const auto any = std::make_tuple(written.array.any_...);
  const long were = undecided;
  bool other = false;
  for (unsigned i = 1; any_order.matter && i <= OTHERS; i++) {
    std::apply([&](auto &...all) { (written.put(all), ...); }, before);
    any_order = {true, true, i * 2654435761u};
    try {
      other |= !alike(run(), result);
    } catch (const Wrong &) {
      other = true;
    }
    std::apply([&](auto &...all) { (written.compare(all), ...); }, after);
  }
  any_order = {};
  undecided = were + other;
  std::apply([&](auto &...all) { (written.put(all), ...); }, after);
  std::apply([&](auto &...all) { ((written.array.any_ = all), ...); }, any);
  return result;
}

} // namespace tgc

#endif
