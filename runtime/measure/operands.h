// operands.h: what folder.cu is linked with: a table of a folder's element types under its operator, which `tgc tune'
// writes. Any input is taken in parts, whose states are combined in order.
#ifndef MEASURE_OPERANDS_H
#define MEASURE_OPERANDS_H

#include "check/data.h"

namespace measure {

using check::MOST_BYTES;

struct Operands {
  check::Reference reference; // types of an element and of the state that its `run' stores; an example
  check::Type result;         // of a variant
  void (*part)(const void *in, uint64_t n, uint64_t place, void *state); // in[0] stands at `place' in the whole
  void (*combine)(void *left, const void *right); // into the left one
  void (*finish)(const void *state, void *result);
};
extern const Operands operands[];
extern const int operand_count;

// ---- an operator of the user's: O is of the folder's check/operator.h ----

template <typename O>
void part(const void *in, uint64_t n, uint64_t place, void *state) {
  typename O::State all = O::id();
  for (uint64_t i = 0; i < n; i++)
    all = O::op(all, O::lift(((const typename O::Element *)in)[i], (long long)(place + i)));
  *(typename O::State *)state = all;
}
template <typename O>
void combine(void *left, const void *right) {
  auto *x = (typename O::State *)left;
  *x = O::op(*x, *(const typename O::State *)right);
}
template <typename O>
void finish(const void *state, void *result) {
  *(typename O::Result *)result = O::finish(*(const typename O::State *)state);
}

template <typename O, typename = void>
struct Example { static constexpr void (*run)(unsigned, void *) = nullptr; };
template <typename O>
struct Example<O, std::void_t<decltype(&O::example)>> {
  static void run(unsigned random, void *to) { *(typename O::Element *)to = O::example(random); }
};

template <typename O, typename E, typename R>
constexpr Operands of_user(const char *type,
                           cudaError_t (*)(void *, size_t *, const E *, uint64_t, R *, cudaStream_t)) {
  static_assert(sizeof(typename O::State) <= MOST_BYTES && sizeof(R) <= MOST_BYTES, "states and results are small");
  return {{type, check::type_of<E>(), check::type_of<R>(), nullptr, nullptr, Example<O>::run},
          check::type_of<R>(), part<O>, combine<O>, finish<O>};
}

// ---- a built-in one: a state is what the sequential codelet gives, and folder.cu combines two of them ----

template <typename E, typename R>
constexpr Operands of_codelet(check::Reference reference,
                              cudaError_t (*)(void *, size_t *, const E *, uint64_t, R *, cudaStream_t)) {
  return {reference, check::type_of<R>(), nullptr, nullptr, nullptr};
}

} // namespace measure

#define MEASURE_USER(type, operation, function) measure::of_user<operation>(type, function)
#define MEASURE_CODELET(type, sequential, function) \
  measure::of_codelet(CHECK_REFERENCE(type, sequential, nullptr, nullptr), function)

#endif
