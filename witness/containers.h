// containers.h: containers, sequences and cuts of the codelet language, executed (language.h).
//
// A container is a view of elements that lie somewhere or are computed. Accesses out of bounds, parts that do not fit
// and shapes that are not as declared throw Wrong.
#ifndef TGC_WITNESS_CONTAINERS_H
#define TGC_WITNESS_CONTAINERS_H

// Of the standard headers only what compiles fast: this is compiled once for each folder that is checked.
#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

#include "mathematics.h"

namespace tgc {

typedef long long Index; // sizes and positions

// Who can tell which line of a codelet is being run says so here: `tgc check' (check/lines.cc).
inline const char *(*line_now)() = nullptr;

class Wrong : public std::exception {
 public:
  // As printf takes it. The line follows, where it is known.
  __attribute__((format(printf, 2, 3))) explicit Wrong(const char *format, ...) {
    va_list numbers;
    va_start(numbers, format);
    std::vsnprintf(text_, sizeof text_, format, numbers);
    va_end(numbers);
    const char *line = line_now && !std::strstr(text_, ".cdl:") ? line_now() : "";
    const size_t n = std::strlen(text_);
    if (*line) std::snprintf(text_ + n, sizeof text_ - n, ", at %s", line);
  }
  const char *what() const noexcept override { return text_; }

 private:
  char text_[256];
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

// Of containers of whose places any of the values stays that come a read gives the old value or a new one. Who is first
// is as the text has it; or, where that is asked for, by chance.
struct AnyOrder {
  bool by_chance = false, matter = false; // matter: another order might give something else
  unsigned state = 1;
  bool takes_other() {
    state = state * 1664525u + 1013904223u;
    return by_chance && state >> 31;
  }
};
inline thread_local AnyOrder any_order;

// A container of whose places one of the values stays that come: in which have different ones been written?
template <typename T>
struct WrittenAny {
  const T *from;
  bool of_step; // it is a step's that is written so: what comes of it is known at the end alone
  std::vector<char> many = {}; // 0, 1, or 2: different values
  std::vector<T> old = {};     // .. before the first
  bool read = false, changed = false;
  // Does the value stay?
  bool note(const T *at, bool same) {
    const size_t which = size_t(at - from);
    if (many.size() <= which) many.resize(which + which / 2 + 1), old.resize(many.size());
    if (many[which] == 0) old[which] = *at;
    const bool others = many[which] > 0 && !same;
    many[which] = many[which] == 0 || (many[which] == 1 && same) ? 1 : 2;
    changed |= !same;
    any_order.matter |= (read && changed) || (of_step && others);
    return !(others && any_order.takes_other());
  }
  T &seen(T *at) {
    const size_t which = size_t(at - from);
    read = true;
    any_order.matter |= changed;
    return which < many.size() && many[which] > 0 && any_order.takes_other() ? old[which] : *at;
  }
  bool differs(const T *at) const { return size_t(at - from) < many.size() && many[size_t(at - from)] == 2; }
};

// What such a place is written by.
template <typename T>
class AnyPlace {
 public:
  AnyPlace(T *at, WrittenAny<T> *all) : at_(at), all_(all) {}
  void operator=(const T &value) {
    const bool same = std::memcmp((const void *)at_, (const void *)&value, sizeof value) == 0;
    if (!all_ || all_->note(at_, same)) *at_ = value;
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
  template <typename... I> T &operator()(I... i) { return any_ ? any_->seen(&place(i...)) : place(i...); }
  template <typename I> T operator[](I i) const { return read(i); }
  template <typename I> T &operator[](I i) { return (*this)(i); }

  // Written by place, of which any value stays (__accum(Any)): `x[i] = v' is prepared to be `x.any(i) = v'.
  template <typename... I> AnyPlace<T> any(I... i) { return {&place(i...), any_.get()}; }
  void write_any() { any_ = std::make_shared<WrittenAny<T>>(WrittenAny<T>{at_, false}); }
  // .. from here on, and for all to whom it is passed.
  void step_writes_any() {
    if (!any_) any_ = std::make_shared<WrittenAny<T>>(WrittenAny<T>{at_, true});
  }
  template <typename... I> bool differs(I... i) { return any_ && any_->differs(&place(i...)); }

  template <typename... I> T *at_of(I... i) const { return &place(i...); }

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
  // Somebody stores in it: contributions go on from there.
  void hold() {
    if (fresh_) *fresh_ = false;
  }
  // Of one's own that nobody has contributed to, or stored in: contributions start here.
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

} // namespace tgc

#endif
