// own.h: reductions by an operator of the user's, for the measuring process of a CPU. Elements are the operator's
// examples, if it makes some, and results are compared member by member. What is right is computed by the folder's
// check/operator.h, in chunks that are combined pairwise, in order: one long chain would be no reference where an
// operator rounds, since a float that counts ends at 2^24.
#ifndef MEASURE_OWN_H
#define MEASURE_OWN_H

#include "arrays.h"
#include "check/data.h"

// Structs are filled and compared by members (arrays.h has numbers).
template <typename T>
struct Elements<T, std::enable_if_t<check::KindOf<T>::kind == check::STRUCT>> {
  struct Random { uint64_t state; };
  static uint64_t random(void *state) { return scrambled(((Random *)state)->state++); }
  static void fill_one(T *to, const Fill &f, uint64_t i) {
    Random r = {(i << 8) + (f.seed << 48)};
    check::fill_members((char *)to, check::type_of<T>(), random, &r);
  }
  static bool right(const void *want, const void *got, const Fill &f) {
    return f.n == 1 && check::is_close(check::type_of<T>(), want, got, 0);
  }
};

namespace own {

template <typename O, typename = void>
struct Example { static constexpr bool any = false; };
template <typename O>
struct Example<O, std::void_t<decltype(&O::example)>> { static constexpr bool any = true; };

// E: the element as the header has it; O::Element has the same layout.
template <typename O, typename E>
void fill_elements(void *to, const Fill &f) {
  static_assert(sizeof(E) == sizeof(typename O::Element), "one element in two spellings");
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < f.n; i++) {
    if constexpr (Example<O>::any) {
      const typename O::Element x = O::example((unsigned)scrambled(i));
      std::memcpy((char *)to + i * sizeof x, &x, sizeof x);
    } else Elements<E>::fill_one((E *)to + i, f, i);
  }
}

template <typename R>
void clear(void *to, const Fill &f) { std::memset(to, 0xA5, f.n * sizeof(R)); }

// `count' is how many elements were reduced: the bound of an operator that rounds grows with it.
template <typename R>
bool right(const void *want, const void *got, const Fill &f) {
  const check::Type type = check::type_of<R>();
  return check::same_bits_or_nan(type, want, got, false) ||
         check::is_close(type, want, got, check::users_tolerance(f.count));
}

template <typename O>
typename O::State reduced(const typename O::Element *in, uint64_t begin, uint64_t end) {
  typename O::State all = O::id();
  for (uint64_t i = begin; i < end; i++) all = O::op(all, O::lift(in[i], (long long)i));
  return all;
}

template <typename O>
void reference(const Slot *s) {
  const uint64_t chunk = 1 << 16, n = s[1].size, chunks = n ? (n + chunk - 1) / chunk : 1;
  const auto *in = (const typename O::Element *)s[0].pointer;
  std::vector<typename O::State> states(chunks, O::id());
#pragma omp parallel for schedule(dynamic)
  for (uint64_t k = 0; k < chunks; k++) states[k] = reduced<O>(in, k * chunk, k + 1 < chunks ? (k + 1) * chunk : n);
  for (uint64_t left = chunks; left > 1; left = (left + 1) / 2)
    for (uint64_t i = 0; i < left; i += 2) {
      const typename O::State both = i + 1 < left ? O::op(states[i], states[i + 1]) : states[i];
      states[i / 2] = both;
    }
  const typename O::Result result = O::finish(states[0]);
  std::memcpy(s[2].pointer, &result, sizeof result);
}

template <typename O, typename F, F sequential>
struct Reduction;
template <typename O, typename E, typename R, void (*sequential)(const E *, uint64_t, R *)>
struct Reduction<O, void (*)(const E *, uint64_t, R *), sequential> {
  typedef Erased<void (*)(const E *, uint64_t, R *), sequential> Plain;
  static constexpr Parameter parameters[] = {{ARRAY, sizeof(E), fill_elements<O, E>, nullptr, nullptr},
                                             Passed<uint64_t>::parameter(),
                                             {ARRAY, sizeof(R), clear<R>, nullptr, right<R>}};
  static constexpr Entry entry(const char *type) {
    Entry e = Plain::entry(type);
    e.parameters = parameters;
    e.sequential = reference<O>;
    return e;
  }
};

} // namespace own

#define MEASURE_OWN(type, sequential, operation) \
  own::Reduction<operation, decltype(&sequential), &sequential>::entry(type)

#endif
