// language.h: the codelet language, executed: what docs/reference/language.md says, in the plainest C++17, one thing
// after the other. Here are loops, maps, matrix products, views and operators; containers.h and mathematics.h have what
// these are made of.
//
// A codelet's text runs as it is after a small textual preparation (prepare.h): each codelet has a name of its own,
// `sum__tiled'; a spectrum `sum' is applied by its sequential codelet; positions are 64 bits wide. Nothing here is
// fast, and nothing is shared with the compiler: this is what its results are compared with.
#ifndef TGC_WITNESS_LANGUAGE_H
#define TGC_WITNESS_LANGUAGE_H

#include <tuple>

#include "containers.h"

namespace tgc {

// The turns of a loop that a condition alone ends.
class Turns {
 public:
  Turns(const char *file, int line) : file_(file), line_(line) {}
  bool more() {
    const long long most = any_order.by_chance ? MOST_BY_CHANCE : MOST;
    if (++n_ > most) throw Wrong("%.80s:%d: this loop does not end: %lld turns are too many", file_, line_, most);
    return true;
  }

 private:
  static constexpr long long MOST = 1 << 22, MOST_BY_CHANCE = 1 << 12;
  const char *file_;
  int line_;
  long long n_ = 0;
};

// ---- what the caller chooses ----

struct Choices {
  std::vector<Index> tunables = {3}; // what `__tunable's are set to, one after the other, the last one for the rest
  size_t next = 0;
  bool atomic = false;               // of `m.atomicAdd(); return sum(m);': the first, or the second
  int lanes = 64, vector = 32;       // of a cooperative codelet: all that work together, and those of a vector
};
inline thread_local Choices choices;

inline Index tunable() {
  const Choices &c = choices;
  const size_t i = choices.next++;
  return c.tunables[i < c.tunables.size() ? i : c.tunables.size() - 1];
}

// ---- the parts of a map's arguments ----

template <typename A> void note_axes(std::vector<Axis> &, const A &) {}
template <typename P> void note_axes(std::vector<Axis> &axes, const Parts<P> &parts) {
  for (const Axis &axis : parts.axes) add_axis(axes, axis);
}

// All axes of a map's arguments, which are as many parts.
class Walk {
 public:
  template <typename... A>
  explicit Walk(const A &...a) {
    (note_axes(axes_, a), ...);
    for (Index one : {uncut(a)...}) {
      if (one < 0) continue;
      if (!axes_.empty()) throw Wrong("a map over cuts, and over %lld parts of another argument", one);
      if (n_ >= 0 && one != n_) throw Wrong("a map over %lld parts and over %lld", n_, one);
      n_ = one;
    }
    if (!axes_.empty()) n_ = parts_along(axes_);
    if (n_ < 0) throw Wrong("a map all of whose arguments are the same");
  }
  Index parts() const { return n_; }
  template <typename A> A part(const A &same, Index) const { return same; }
  template <typename P> P part(const Parts<P> &parts, Index i) const {
    if (parts.axes.empty()) return parts.part(i);
    Index of = 0;
    for (const Axis &axis : parts.axes) of = of * *axis + along(axes_, axis, i);
    return parts.part(of);
  }

 private:
  std::vector<Axis> axes_;
  Index n_ = -1;
  template <typename A> static Index uncut(const A &) { return -1; }
  template <typename P> static Index uncut(const Parts<P> &parts) { return parts.axes.empty() ? parts.n : -1; }
};

// ---- maps ----

// The results of a spectrum applied to every part: a container like any other. Accumulated, it is one element.
template <typename F, typename... A>
using ResultOf = decltype(std::declval<F>()(std::declval<Walk>().part(std::declval<A>(), 0)...));

// Is it a function, of elements, rather than a spectrum of parts?
template <typename F, typename = void> constexpr bool is_function = false;
template <typename F> constexpr bool is_function<F, typename F::OfNumbers> = true;

template <bool elements, typename F, typename... A>
class Map;
template <typename F, typename... A>
Map(F, A...) -> Map<is_function<F>, F, A...>;

template <typename F, typename... A>
class Map<false, F, A...> : public Array<1, std::decay_t<ResultOf<F, A...>>> {
 public:
  typedef std::decay_t<ResultOf<F, A...>> Result;
  explicit Map(F f, A... a) : Map(f, Walk(a...), a...) {}
  Result atomicAdd() { return accumulate(Result(0), [](Result x, Result y) { return x + y; }); }
  Result atomicSub() { return accumulate(Result(0), [](Result x, Result y) { return x - y; }); }
  Result atomicMax() { return accumulate(lowest<Result>(), [](Result x, Result y) { return max(x, y); }); }
  Result atomicMin() { return accumulate(highest<Result>(), [](Result x, Result y) { return min(x, y); }); }
  template <typename M>
  Result atomic() { return accumulate(M::id(), [](Result x, Result y) { return M::op(x, y); }); }
  template <typename Y>
  void to(Y y) {
    if (y.Size() != this->Size()) throw Wrong("%lld results for %lld places", this->Size(), y.Size());
    y.hold();
    for (Index i = 0; i < y.Size(); i++) y[i] = (*this)[i];
  }

 private:
  Map(F f, const Walk &over, const A &...a) : Array<1, Result>(over.parts()) {
    for (Index i = 0; i < this->Size(); i++) (*this)[i] = f(over.part(a, i)...);
  }
  template <typename O>
  Result accumulate(Result all, O op) {
    for (Index i = 0; i < this->Size(); i++) all = op(all, (*this)[i]);
    if (!choices.atomic) return all;
    static_cast<Array<1, Result> &>(*this) = Array<1, Result>(1);
    (*this)[0] = all;
    return all;
  }
};

// Of a function's arguments: how many dimensions the containers have, their sizes, and what stands for element `at'.
template <typename A> struct Elementwise {
  enum { rank = 0 };
  static void check(const A &, Index *, bool *) {}
  static const A &at(const A &same, const Index *) { return same; }
};
template <int n, typename T> struct Elementwise<Array<n, T>> {
  enum { rank = n };
  static void check(const Array<n, T> &a, Index *sizes, bool *known) {
    for (int d = 0; d < n; d++) {
      if (*known && sizes[d] != a.Size(d)) throw Wrong("a map over %lld elements and over %lld", sizes[d], a.Size(d));
      sizes[d] = a.Size(d);
    }
    *known = true;
  }
  template <size_t... d>
  static T element(const Array<n, T> &a, const Index *i, std::index_sequence<d...>) { return a(i[d]...); }
  static T at(const Array<n, T> &a, const Index *i) { return element(a, i, std::make_index_sequence<n>()); }
};
template <typename T> struct Elementwise<Parts<T>> { // elements(x)
  enum { rank = 1 };
  static void check(const Parts<T> &p, Index *sizes, bool *known) {
    if (*known && sizes[0] != p.n) throw Wrong("a map over %lld elements and over %lld", sizes[0], p.n);
    sizes[0] = p.n, *known = true;
  }
  static T at(const Parts<T> &p, const Index *i) { return p.part(i[0]); }
};
template <bool elements, typename F, typename... A>
struct Elementwise<Map<elements, F, A...>> : Elementwise<typename Map<elements, F, A...>::Results> {};

template <typename... A>
constexpr int rank_of() {
  int rank = 1;
  for (int of : {int(Elementwise<A>::rank)...}) rank = of > rank ? of : rank;
  return rank;
}

// f of each element, which is computed where it is read: a view, that can be stored.
template <typename F, typename... A>
using Mapped = Array<rank_of<A...>(),
                     std::decay_t<decltype(std::declval<F>()(Elementwise<A>::at(std::declval<A>(), nullptr)...))>>;
template <typename F, typename... A>
class Map<true, F, A...> : public Mapped<F, A...> {
 public:
  typedef Mapped<F, A...> Results;
  explicit Map(F f, A... a) : Results(computed(f, a...)) {}
  template <int rank, typename T>
  void to(Array<rank, T> y) { y.hold(), store(y); }

 private:
  enum { dimensions = rank_of<A...>() };
  static Results computed(F f, A... a) {
    Index sizes[dimensions] = {};
    bool known = false;
    (Elementwise<A>::check(a, sizes, &known), ...);
    return Results::each(sizes, [=](const Index *i) { return f(Elementwise<A>::at(a, i)...); });
  }
  template <typename Y, typename... I>
  void store(Y &y, I... at) {
    if constexpr (sizeof...(I) == dimensions) {
      y(at...) = static_cast<const Results &>(*this)(at...);
    } else {
      const int d = int(sizeof...(I));
      if (y.Size(d) != this->Size(d)) throw Wrong("%lld results for %lld places", this->Size(d), y.Size(d));
      for (Index i = 0; i < y.Size(d); i++) store(y, at..., i);
    }
  }
};

template <typename F, typename... A>
auto map(F f, A... a) {
  if constexpr (is_function<F>) {
    return Map<true, F, A...>(f, a...);
  } else if constexpr (std::is_void_v<ResultOf<F, A...>>) {
    const Walk over(a...);
    for (Index i = 0; i < over.parts(); i++) f(over.part(a, i)...);
  } else {
    return Map<false, F, A...>(f, a...);
  }
}

// Part by part, each scanned from where the one before it ended.
template <typename T, typename S, typename F, typename X, typename Y>
T slide(T carry, S, F scan, Parts<X> in, Parts<Y> out) {
  for (Index i = 0, n = Walk(in, out).parts(); i < n; i++) carry = scan(in.part(i), carry, out.part(i));
  return carry;
}

// C += A B: what a matrix unit computes.
template <typename X, typename Y, typename Z>
void mma(const X &A, const Y &B, Z C) {
  if (A.Size(0) != C.Size(0) || A.Size(1) != B.Size(0) || B.Size(1) != C.Size(1))
    throw Wrong("a product of %lld columns by %lld rows", A.Size(1), B.Size(0));
  for (Index i = 0; i < C.Size(0); i++)
    for (Index j = 0; j < C.Size(1); j++)
      for (Index k = 0; k < A.Size(1); k++) C(i, j) += A(i, k) * B(k, j);
}

// .. of a batch of matrices, of which one may be the same for all.
template <typename X, typename Y, typename T>
void multiply_batch(const X &a, const Y &b, Array<3, T> C, Index rows, Index inner, Index columns) {
  if (rows != C.Size(1) || inner < 0 || columns != C.Size(2)) throw Wrong("products of other sizes than `C' has");
  for (Index n = 0; n < C.Size(0); n++)
    for (Index i = 0; i < rows; i++)
      for (Index j = 0; j < columns; j++)
        for (Index k = 0; k < inner; k++) C(n, i, j) += a(n, i, k) * b(n, k, j);
}
template <typename T, typename U, typename V> void mma(const Array<3, T> &A, const Array<3, U> &B, Array<3, V> C) {
  if (A.Size(0) != C.Size(0) || B.Size(0) != C.Size(0))
    throw Wrong("%lld products of %lld matrices", C.Size(0), A.Size(0));
  multiply_batch(A, B, C, A.Size(1), A.Size(2) == B.Size(1) ? A.Size(2) : -1, B.Size(2));
}
template <typename T, typename U, typename V> void mma(const Array<3, T> &A, const Array<2, U> &B, Array<3, V> C) {
  if (A.Size(0) != C.Size(0)) throw Wrong("%lld products of %lld matrices", C.Size(0), A.Size(0));
  const auto same = [&](Index, Index k, Index j) { return B(k, j); };
  multiply_batch(A, same, C, A.Size(1), A.Size(2) == B.Size(0) ? A.Size(2) : -1, B.Size(1));
}
template <typename T, typename U, typename V> void mma(const Array<2, T> &A, const Array<3, U> &B, Array<3, V> C) {
  if (B.Size(0) != C.Size(0)) throw Wrong("%lld products of %lld matrices", C.Size(0), B.Size(0));
  const auto same = [&](Index, Index i, Index k) { return A(i, k); };
  multiply_batch(same, B, C, A.Size(0), A.Size(1) == B.Size(1) ? A.Size(1) : -1, B.Size(2));
}

// The same of rows: a container as a matrix of so many columns, times ones or a triangle of them. The last row ends where
// the container does.
template <typename T>
struct RowByRow {
  Array<1, T> of;
  Index columns;
};
template <typename T> RowByRow<T> matrix(const Array<1, T> &of, Index columns) { return {of, columns}; }
template <typename T> RowByRow<T> matrix(const Array<1, T> &of) { return {of, of.Size()}; }
template <typename T> struct AllOnes {};
template <typename T> struct UpperOnes {};
template <typename T> AllOnes<T> ones() { return {}; }
template <typename T> UpperOnes<T> triangle() { return {}; }

template <typename X, typename T, typename Y>
void mma(const RowByRow<X> &A, AllOnes<T>, RowByRow<Y> C) {
  const Index n = A.of.Size(), columns = A.columns < n ? A.columns : n;
  for (Index at = 0; at < C.of.Size(); at++) {
    T sum = T(0);
    for (Index k = 0; k < columns && at * columns + k < n; k++) sum += A.of[at * columns + k];
    C.of[at] = sum;
  }
}
template <typename X, typename T>
T mma(AllOnes<T>, const RowByRow<X> &A, AllOnes<T>) {
  T sum = T(0);
  for (Index k = 0; k < A.of.Size(); k++) sum += A.of[k];
  return sum;
}
template <typename S, typename X, typename T, typename Y>
S mma(S carry, const RowByRow<X> &A, UpperOnes<T>, RowByRow<Y> C) {
  S sum = carry;
  for (Index k = 0; k < A.of.Size(); k++) C.of[k] = sum += A.of[k];
  return sum;
}
template <typename X, typename T, typename Y>
void mma(const RowByRow<X> &A, UpperOnes<T>, RowByRow<Y> C) {
  const Index n = A.of.Size(), some = A.columns < n ? A.columns : n, columns = some > 1 ? some : 1;
  T sum = T(0);
  for (Index at = 0; at < C.of.Size(); at++) {
    if (at % columns == 0) sum = T(0);
    if (at < n) sum += A.of[at];
    C.of[at] = sum;
  }
}

// ---- views ----

template <typename... A> struct Zip { std::tuple<A...> of; };
template <typename... A>
Zip<A...> zip(A... a) { return {{a...}}; }

template <typename F, typename T>
auto transform(F f, const Array<1, T> &c) {
  typedef std::decay_t<decltype(f(c[0]))> R;
  return Array<1, R>::computed(c.Size(), [=](Index i) { return f(c[i]); });
}
template <typename F, typename... A>
auto transform(F f, const Zip<A...> &z) {
  return std::apply([&](const auto &first, const auto &...rest) {
    for (Index n : {first.Size(), rest.Size()...})
      if (n != first.Size()) throw Wrong("zip of %lld and %lld elements", first.Size(), n);
    typedef std::decay_t<decltype(f(first[0], rest[0]...))> R;
    return Array<1, R>::computed(first.Size(), [=](Index i) { return f(first[i], rest[i]...); });
  }, z.of);
}
template <typename T>
Index count_in(const Array<1, T> &c, Index n) { return n < 0 ? 0 : n < c.Size() ? n : c.Size(); }
template <typename T>
Array<1, T> take(const Array<1, T> &c, Index n) { return c.part(0, 1, count_in(c, n)); }
template <typename T>
Array<1, T> shift(const Array<1, T> &c, Index k) { return c.part(count_in(c, k), 1, c.Size() - count_in(c, k)); }
template <typename T>
Array<1, T> reverse(const Array<1, T> &c) {
  return Array<1, T>::computed(c.Size(), [=](Index i) { return c[c.Size() - 1 - i]; });
}
template <typename T>
Array<1, T> every(const Array<1, T> &c, Index k) {
  const Index step = k < 1 ? 1 : k;
  return c.part(0, step, (c.Size() + step - 1) / step);
}
template <typename T, typename P>
Array<1, T> gather(const Array<1, T> &c, const Array<1, P> &at) {
  return Array<1, T>::computed(at.Size(), [=](Index i) { return c[Index(at[i])]; });
}
template <typename T>
Array<1, T> repeat(T x, Index n) { return Array<1, T>::computed(n, [=](Index) { return x; }); }
template <typename T>
Array<1, T> iota(T x, Index n) { return Array<1, T>::computed(n, [=](Index i) { return T(x + T(i)); }); }
template <typename F>
auto generate(F f, Index n) {
  typedef std::decay_t<decltype(f(Index(0)))> R;
  return Array<1, R>::computed(n, [=](Index i) { return f(i); });
}

// ---- operators that are known: codelets over an operator M use M::id() and M::op(a, b) ----

#define TGC_OPERATOR(name, identity, expression)                  \
  template <typename T> struct name {                             \
    static T id() { return identity; }                            \
    static T op(T a, T b) { return expression; }                  \
  };
TGC_OPERATOR(Sum, T(0), a + b)
TGC_OPERATOR(Sub, T(0), a - b)
TGC_OPERATOR(Product, T(1), a * b)
TGC_OPERATOR(Max, lowest<T>(), max(a, b))
TGC_OPERATOR(Min, highest<T>(), min(a, b))
TGC_OPERATOR(And, T(-1), T(a & b))
TGC_OPERATOR(Or, T(0), T(a | b))
TGC_OPERATOR(Xor, T(0), T(a ^ b))
#undef TGC_OPERATOR

// ---- operators that codelets name: reduce<ArgMin, T>(x), of elements as states ----

template <typename M, typename T>
auto as_state(T x, Index i, int) -> decltype(M::lift(x, i)) { return M::lift(x, i); }
template <typename M, typename T>
auto as_state(T x, Index, long) -> decltype(M::lift(x)) { return M::lift(x); }
template <typename M, typename T>
T as_state(T x, Index, ...) { return x; }

template <typename M>
auto finished(decltype(M::id()) state, int) -> decltype(M::finish(state)) { return M::finish(state); }
template <typename M>
auto finished(decltype(M::id()) state, long) { return state; }

template <typename M, typename T>
auto elements_as_states(const Array<1, T> &x) {
  typedef decltype(M::id()) State;
  if constexpr (std::is_same_v<decltype(as_state<M>(x[0], 0, 0)), T> && std::is_same_v<T, State>) return x;
  else return Array<1, State>::computed(x.Size(), [=](Index i) { return as_state<M>(x[i], i, 0); });
}
template <typename T> std::true_type is_container(const Array<1, T> *);
std::false_type is_container(...);
template <typename M, typename A>
auto as_states(const A &x) { // a map's results are a container, too
  if constexpr (decltype(is_container((const A *)nullptr))::value) return elements_as_states<M>(x);
  else return x;
}

// A spectrum over operators, with the one that is named.
template <template <typename...> class F, typename M>
struct Over {
  template <typename... A>
  auto operator()(const A &...a) const {
    typedef decltype(M::id()) State;
    typedef decltype(F<M, State>()(as_states<M>(a)...)) Result;
    if constexpr (std::is_same_v<Result, State>) return finished<M>(F<M, State>()(as_states<M>(a)...), 0);
    else return F<M, State>()(as_states<M>(a)...);
  }
};

// .. a template of the elements' type, which is T, or that of the first container.
template <int rank, typename T> T element_of(const Array<rank, T> &);
template <template <typename...> class F, template <typename> class M, typename T>
struct OverAny {
  template <typename A, typename... B>
  auto operator()(const A &first, const B &...others) const {
    if constexpr (std::is_void_v<T>) return Over<F, M<decltype(element_of(first))>>()(first, others...);
    else return Over<F, M<T>>()(first, others...);
  }
};

} // namespace tgc

#endif
