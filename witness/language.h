// language.h: the codelet language, executed: what docs/reference/language.md says, in the plainest C++17, one thing
// after the other.
//
// A codelet's text runs as it is after a small textual preparation (prepare.h): each codelet has a name of its own,
// `sum__tiled'; a spectrum `sum' is applied by its sequential codelet; positions are 64 bits wide. Nothing here is
// fast, and nothing is shared with the compiler: this is what its results are compared with.
//
// A container is a view of elements that lie somewhere or are computed. Accesses out of bounds, parts that do not fit
// and shapes that are not as declared throw Wrong.
#ifndef TGC_WITNESS_LANGUAGE_H
#define TGC_WITNESS_LANGUAGE_H

// Of the standard headers only what compiles fast: this is compiled once for each folder that is checked.
#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "number.h"

namespace tgc {

typedef long long Index; // sizes and positions

class Wrong : public std::exception {
 public:
  // As printf takes it.
  __attribute__((format(printf, 2, 3))) explicit Wrong(const char *format, ...) {
    va_list numbers;
    va_start(numbers, format);
    std::vsnprintf(text_, sizeof text_, format, numbers);
    va_end(numbers);
  }
  const char *what() const noexcept override { return text_; }

 private:
  char text_[160];
};

// The turns of a loop that a condition alone ends.
class Turns {
 public:
  Turns(const char *file, int line) : file_(file), line_(line) {}
  bool more() {
    if (++n_ > MOST) throw Wrong("%.80s:%d: this loop does not end: %lld turns are too many", file_, line_, MOST);
    return true;
  }

 private:
  static constexpr long long MOST = 1 << 22;
  const char *file_;
  int line_;
  long long n_ = 0;
};

// Any function of an index. A copy is the same function.
template <typename R>
class Function {
 public:
  Function() = default;
  template <typename F>
  Function(F f) : body_(std::make_shared<Body<F>>(std::move(f))) {}
  explicit operator bool() const { return bool(body_); }
  R operator()(Index i) const { return body_->call(i); }

 private:
  struct Called {
    virtual ~Called() = default;
    virtual R call(Index i) = 0;
  };
  template <typename F>
  struct Body final : Called {
    F f;
    explicit Body(F with) : f(std::move(with)) {}
    R call(Index i) override { return f(i); }
  };
  std::shared_ptr<Called> body_;
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

// ---- numbers ----

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

// ---- containers ----

// A container each of whose places is written at most once: which have been, by how far from its beginning they lie.
template <typename T>
struct WrittenOnce {
  const char *name;
  const T *from;
  std::vector<bool> written;
  void note(const T *at) {
    const size_t which = size_t(at - from);
    if (written.size() <= which) written.resize(which + which / 2 + 1);
    if (written[which]) throw Wrong("`%s' is __accum(Once), and place %zu is written twice", name, which);
    written[which] = true;
  }
};

// A container of whose places one of the values stays that come: in which have different ones been written?
template <typename T>
struct WrittenAny {
  const T *from;
  std::vector<char> many; // 0, 1, or 2: different values
  void note(const T *at, bool same) {
    const size_t which = size_t(at - from);
    if (many.size() <= which) many.resize(which + which / 2 + 1);
    many[which] = many[which] == 0 || (many[which] == 1 && same) ? 1 : 2;
  }
  bool differs(const T *at) const { return size_t(at - from) < many.size() && many[size_t(at - from)] == 2; }
};

// What such a place is written by.
template <typename T>
class AnyPlace {
 public:
  AnyPlace(T *at, WrittenAny<T> *all) : at_(at), all_(all) {}
  void operator=(const T &value) {
    if (all_) all_->note(at_, std::memcmp((const void *)at_, (const void *)&value, sizeof value) == 0);
    *at_ = value;
  }

 private:
  T *at_;
  WrittenAny<T> *all_;
};

// Elements that lie in memory, or are computed from where they would. A copy is a view of the same elements.
template <int rank, typename T>
class Array {
 public:
  typedef T Element;
  Array() = default;
  // One of its own: `Array<1, T> c(n)'.
  template <typename... N, typename = std::enable_if_t<sizeof...(N) == rank>>
  explicit Array(N... sizes) : fresh_(std::make_shared<bool>(true)) {
    lay({Index(sizes)...});
    own_ = std::shared_ptr<T[]>(new T[size_t(all()) + 1]());
    at_ = own_.get();
  }
  // The caller's memory: sizes, and how far apart neighbours lie in each dimension.
  static Array over(T *at, std::initializer_list<Index> sizes, std::initializer_list<Index> steps) {
    Array a;
    a.at_ = at;
    copy(sizes, a.size_);
    copy(steps, a.step_);
    copy(steps, a.apart_);
    return a;
  }
  // Computed: f of where an element would lie.
  static Array computed(std::initializer_list<Index> sizes, std::initializer_list<Index> steps, Function<T> f) {
    Array a = over(nullptr, sizes, steps);
    for (Index &n : a.size_) n = n < 0 ? 0 : n;
    a.view_ = std::move(f);
    return a;
  }
  static Array computed(Index n, Function<T> f) { return computed({n}, {1}, std::move(f)); }
  // .. of its positions.
  template <typename F>
  static Array each(const Index *sizes, F f) {
    Array a;
    Index all = 1;
    for (int d = rank - 1; d >= 0; d--) a.size_[d] = sizes[d], a.step_[d] = a.apart_[d] = all, all *= sizes[d];
    const std::array<Index, rank> step = a.steps();
    a.view_ = [=](Index i) {
      Index at[rank];
      for (int d = 0; d < rank; d++) at[d] = i / (step[d] ? step[d] : 1), i -= at[d] * step[d];
      return f(at);
    };
    return a;
  }

  Index Size(int d = 0) const { return size_[d]; }
  Index size(int d = 0) const { return size_[d]; }
  // Elements of the caller's memory from one index of a dimension to the next, whatever part of them this is.
  Index Stride(int d = 0) const { return rank == 1 ? 1 : apart_[d]; }

  template <typename... I> T operator()(I... i) const { return read(i...); }
  template <typename... I> T &operator()(I... i) { return place(i...); }
  template <typename I> T operator[](I i) const { return read(i); }
  template <typename I> T &operator[](I i) { return place(i); }

  // Written by place, of which any value stays (__accum(Any)): `x[i] = v' is prepared to be `x.any(i) = v'.
  template <typename... I> AnyPlace<T> any(I... i) { return {&place(i...), any_.get()}; }
  void write_any() { any_ = std::make_shared<WrittenAny<T>>(WrittenAny<T>{at_, {}}); }
  template <typename... I> bool differs(I... i) { return any_ && any_->differs(&place(i...)); }

  // A queue (__append), whose elements `count' counts, in its first place.
  template <typename C>
  void appends(const char *name, Array<1, C> count) {
    queue_ = name;
    next_ = Function<Index>([count](Index) mutable { return Index(count[0]++); });
  }
  void append(T value) {
    const Index at = next_(0);
    if (at < 0 || at >= size_[0]) throw Wrong("the queue `%s' has room for %lld elements, and gets more", queue_, size_[0]);
    place(at) = value;
  }

  // Of __accum(Any): element i, if it is unset, becomes that value: is it so?
  template <typename I>
  bool claim(I i, T unset, T value) {
    if (std::memcmp((const void *)&place(i), (const void *)&unset, sizeof unset) != 0) return false;
    return any(i) = value, true;
  }

  // In dimension d the elements `start', start + inc, ..: so many.
  Array part(Index start, Index inc, Index n, int d = 0) const {
    Array a = *this;
    if (n > 0) bound(start, d), bound(start + (n - 1) * inc, d), a.move(start * step_[d]);
    a.step_[d] = step_[d] * inc;
    a.size_[d] = n;
    return a;
  }
  // A row (d 0) or a column (d 1).
  Array<1, T> line(int d, Index i) const {
    static_assert(rank == 2, "rows and columns are of two dimensions");
    Array<1, T> a;
    a.own_ = own_, a.once_ = once_, a.any_ = any_, a.view_ = view_, a.at_ = at_, a.base_ = base_;
    if (size_[1 - d] > 0) bound(i, d), a.move(i * step_[d]);
    a.size_[0] = size_[1 - d];
    a.step_[0] = step_[1 - d];
    return a;
  }
  // What it holds is meant: nobody's contributions start anew. It stands for the caller's elements.
  void settle(std::initializer_list<Index> steps) { fresh_.reset(), copy(steps, apart_); }
  // Of one's own that nobody has contributed to: contributions start here.
  void begin_at(T identity) {
    if (!fresh_ || !*fresh_) return;
    for (Index i = 0; i < all(); i++) own_[size_t(i)] = identity;
    *fresh_ = false;
  }
  // From here on, and for all to whom it is passed: each place is written at most once (__accum(Once)).
  void write_once(const char *name) {
    if (!once_) once_ = std::make_shared<WrittenOnce<T>>(WrittenOnce<T>{name, at_, {}});
  }

  template <int, typename> friend class Array;
  T *at_ = nullptr;
  Index size_[rank] = {}, step_[rank] = {}, apart_[rank] = {}, base_ = 0;
  std::shared_ptr<T[]> own_;
  std::shared_ptr<bool> fresh_;
  std::shared_ptr<WrittenOnce<T>> once_;
  std::shared_ptr<WrittenAny<T>> any_;
  const char *queue_ = nullptr; // its name
  Function<Index> next_;
  Function<T> view_; // of base_ and what positions add to it

  static void copy(std::initializer_list<Index> from, Index *to) {
    for (Index x : from) *to++ = x;
  }
  void lay(std::initializer_list<Index> sizes) {
    copy(sizes, size_);
    Index all = 1;
    for (int d = rank - 1; d >= 0; d--) {
      if (size_[d] < 0) throw Wrong("a container of %lld elements", size_[d]);
      apart_[d] = step_[d] = all, all *= size_[d];
    }
  }
  std::array<Index, rank> steps() const {
    std::array<Index, rank> made;
    std::copy(step_, step_ + rank, made.begin());
    return made;
  }
  Index all() const {
    Index n = 1;
    for (Index size : size_) n *= size;
    return n;
  }
  void move(Index by) { view_ ? void(base_ += by) : void(at_ += by); }
  void bound(Index i, int d) const {
    if (i < 0 || i >= size_[d]) throw Wrong("position %lld of %lld", i, size_[d]);
  }
  template <typename... I>
  Index offset(I... i) const {
    static_assert(sizeof...(I) == rank, "a position for each dimension");
    const Index at[] = {Index(i)...};
    Index sum = 0;
    for (int d = 0; d < rank; d++) bound(at[d], d), sum += at[d] * step_[d];
    return sum;
  }
  template <typename... I>
  T read(I... i) const {
    const Index at = offset(i...);
    return view_ ? view_(base_ + at) : at_[at];
  }
  template <typename... I>
  T &place(I... i) const {
    if (view_) throw Wrong("a view is written");
    const Index at = offset(i...);
    if (once_) once_->note(at_ + at);
    return at_[at];
  }
};

// What `__shape' says of x in dimension d.
template <typename A>
void shape(const A &x, int d, Index wanted) {
  if (x.Size(d) == wanted) return;
  throw Wrong("a container of %lld elements where %lld belong", x.Size(d), wanted);
}
template <int rank, typename T, int other_rank, typename U>
void shape_like(const Array<rank, T> &x, const Array<other_rank, U> &other, int d = -1) {
  for (int k = 0; k < rank; k++) shape(x, k, other.Size(d < 0 ? k : d));
}

// ---- sequences and partitions ----

// A constant; start, start + inc, .. that stays at its end; the elements of a container at these places.
class Sequence {
 public:
  Sequence(Index a) : Sequence(a, 0, a) {}
  Sequence(Index start, Index inc, Index end)
      : at_([=](Index i) {
          const Index x = start + i * inc;
          return inc < 0 ? (x < end ? end : x) : (x > end ? end : x);
        }) {}
  template <typename T>
  Sequence(const Array<1, T> &c, Index start, Index inc, Index end)
      : at_([c, places = Sequence(start, inc, end)](Index i) { return Index(c[places(i)]); }) {}
  Index operator()(Index i) const { return at_(i); }

 private:
  Function<Index> at_;
};
template <typename... A>
Sequence sequence(A... a) { return Sequence(a...); }

// The parts that a map counts: a map over several cuts has a part for each combination of theirs. A copy of a cut counts
// along the same axis; what is not cut by a Cut counts along one that is the map's own.
typedef std::shared_ptr<const Index> Axis; // how many parts

// What a map gives to its parts: something else to each. Of several axes the last one's parts follow one another.
template <typename P>
struct Parts {
  Index n;
  Function<P> part;
  std::vector<Axis> axes = {}; // of none: the map's own
};

// One part of a dimension: the elements start, start + inc, .. below end.
struct Run {
  Index start, inc, end;
  // How many these are in a dimension of that size.
  Index count(Index size) const {
    const Index to = end < size ? end : size;
    return start < to ? (to - start + inc - 1) / inc : 0;
  }
};

inline Run run_of(const Sequence &start, const Sequence &inc, const Sequence &end, Index i) {
  if (inc(i) < 1) throw Wrong("part %lld goes by %lld", i, inc(i));
  return {start(i), inc(i), end(i)};
}

// Part i has the elements start[i], start[i] + inc[i], .. below end[i].
template <typename T>
Parts<Array<1, T>> partition(const Array<1, T> &c, Index n, Sequence start, Sequence inc, Sequence end) {
  return {n, [=](Index i) {
            const Run run = run_of(start, inc, end, i);
            return c.part(run.start, run.inc, run.count(c.Size()));
          }};
}
template <typename T>
Parts<Array<1, T>> rows(const Array<2, T> &c) { return {c.Size(0), [=](Index i) { return c.line(0, i); }}; }
template <typename T>
Parts<Array<1, T>> columns(const Array<2, T> &c) { return {c.Size(1), [=](Index i) { return c.line(1, i); }}; }
template <typename T>
Parts<T> elements(const Array<1, T> &c) { return {c.Size(), [=](Index i) { return c[i]; }}; }

// ---- cuts: one dimension in parts ----

class Cut {
 public:
  // Of `size' elements, -1: of as many as a container has.
  Cut(Index parts, Index size, Function<Run> run)
      : axis_(std::make_shared<const Index>(parts)), size_(size), run_(std::move(run)) {
    if (parts < 0) throw Wrong("a cut into %lld parts", parts);
  }
  const Axis &axis() const { return axis_; }
  // Of a container with so many elements more at its ends: part i has as many more at its own.
  Cut wider(Index before, Index after) const {
    if (size_ < 0) throw Wrong("a halo around parts that are no tiles");
    if (before < 0 || after < 0) throw Wrong("a halo of %lld and %lld elements", before, after);
    Cut c = *this;
    c.more_ += before + after;
    return c;
  }
  // Part i of dimension d.
  template <int rank, typename T>
  Array<rank, T> part(const Array<rank, T> &a, int d, Index i) const {
    const Run run = run_(i);
    return a.part(run.start, run.inc, run.count(size_ < 0 ? a.Size(d) : size_) + more_, d);
  }
  void fit(Index size) const {
    if (size_ >= 0 && size != size_ + more_)
      throw Wrong("a cut of %lld elements for a dimension of %lld", size_ + more_, size);
  }

 private:
  Axis axis_;
  Index size_, more_ = 0;
  Function<Run> run_;
};

// Adjacent parts of n elements, one as long as the other; the last ones may be shorter, or empty.
inline Cut tiles(Index parts, Index n) {
  const Index tile = parts > 0 ? (n + parts - 1) / parts : 0;
  return {parts, n, [=](Index i) { return Run{i * tile < n ? i * tile : n, 1, (i + 1) * tile}; }};
}
// Part i has the elements start[i], start[i] + inc[i], .. below end[i].
inline Cut cut(Index parts, Sequence start, Sequence inc, Sequence end) {
  return {parts, -1, [=](Index i) { return run_of(start, inc, end, i); }};
}
inline Cut halo(const Cut &c, Index before, Index after) { return c.wider(before, after); }
// All of a dimension in each part.
struct Whole {};
inline Whole whole() { return {}; }

// Number i of the parts along these axes is that of the part along `axis'.
inline Index along(const std::vector<Axis> &axes, const Axis &axis, Index i) {
  for (size_t k = axes.size(); k-- > 0; i /= *axes[k])
    if (axes[k] == axis) return i % *axes[k];
  return 0;
}
inline void add_axis(std::vector<Axis> &axes, const Axis &axis) {
  for (const Axis &known : axes)
    if (known == axis) return;
  axes.push_back(axis);
}
inline Index parts_along(const std::vector<Axis> &axes) {
  Index n = 1;
  for (const Axis &axis : axes) n *= *axis;
  return n;
}
inline void note_cut(std::vector<Axis> &axes, const Cut &c, Index size) { c.fit(size), add_axis(axes, c.axis()); }
inline void note_cut(std::vector<Axis> &, Whole, Index) {}
template <int rank, typename T>
Array<rank, T> cut_once(const Array<rank, T> &a, int d, const Cut &c, const std::vector<Axis> &axes, Index i) {
  return c.part(a, d, along(axes, c.axis(), i));
}
template <int rank, typename T>
Array<rank, T> cut_once(const Array<rank, T> &a, int, Whole, const std::vector<Axis> &, Index) { return a; }

// A cut for each dimension, or whole().
template <int rank, typename T, typename... C, typename = std::enable_if_t<sizeof...(C) == rank>>
Parts<Array<rank, T>> partition(const Array<rank, T> &c, C... cuts) {
  std::vector<Axis> axes;
  int dimension = 0;
  (note_cut(axes, cuts, c.Size(dimension++)), ...);
  if (axes.empty()) throw Wrong("a partition without a cut");
  return {parts_along(axes), [=](Index i) {
            Array<rank, T> a = c;
            int d = 0;
            ((a = cut_once(a, d++, cuts, axes, i)), ...);
            return a;
          }, axes};
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
  void to(Array<rank, T> y) { store(y); }

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

} // namespace tgc

#endif
