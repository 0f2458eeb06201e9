// lanes.h: cooperative codelets: many lanes run one text in lockstep, statement by statement.
//
// Each lane is a thread of control of its own. The preparation puts a point with a number, ascending in the text, ahead
// of each statement, and another between what the statement reads and what it writes. A lane stops at each point. Those
// that stand at the least number go on next, all of them to their next points: so all read, then all write; lanes that
// take a branch go through it while the others wait behind it, and those that leave a loop wait until the last has.
#ifndef TGC_WITNESS_LANES_H
#define TGC_WITNESS_LANES_H

#include <ucontext.h>

#include "language.h"

namespace tgc {

// All lanes of one run, and the variables that they share, by their places in the text.
class Team {
 public:
  struct Lane {
    ucontext_t context;
    int at = 0;
    bool ended = false;
  };
  enum { STACK = 64 << 10 };

  explicit Team(int lanes) : lanes_(size_t(lanes)) {}
  Index count() const { return Index(lanes_.size()); }
  Index current() const { return now_; }

  // Runs `body' by all lanes; what goes wrong in one of them is thrown here.
  template <typename F>
  void run(const F &body) {
    body_ = &body;
    call_ = [](const void *f) { (*static_cast<const F *>(f))(); };
    static thread_local std::vector<std::unique_ptr<char[]>> stacks; // for the next team, too
    Team *const outer = active;
    while (stacks.size() < lanes_.size()) stacks.emplace_back(new char[STACK]);
    for (size_t i = 0; i < lanes_.size(); i++) {
      Lane &l = lanes_[i];
      getcontext(&l.context);
      l.context.uc_stack.ss_sp = stacks[i].get();
      l.context.uc_stack.ss_size = STACK;
      l.context.uc_link = &scheduler_;
      makecontext(&l.context, enter, 0);
    }
    for (int least = 0; least >= 0 && !failed_;) {
      for (size_t i = 0; i < lanes_.size() && !failed_; i++) {
        if (lanes_[i].ended || lanes_[i].at != least) continue;
        now_ = Index(i);
        active = this;
        swapcontext(&scheduler_, &lanes_[i].context);
        active = outer;
      }
      least = -1;
      for (const Lane &l : lanes_)
        if (!l.ended && (least < 0 || l.at < least)) least = l.at;
    }
    if (failed_) std::rethrow_exception(failed_);
  }
  void stop(int at) {
    Lane &me = lanes_[size_t(now_)];
    me.at = at;
    swapcontext(&me.context, &scheduler_);
  }

  // What a lane says, all lanes that stand at the same point know when they go on.
  void say(unsigned x) {
    said_.resize(lanes_.size());
    said_[size_t(now_)] = x;
    stop(lanes_[size_t(now_)].at);
  }
  unsigned said(Index lane) const { return said_[size_t(lane)]; }

  // The variable that is declared at that place: made by the first lane that comes there.
  template <typename T>
  std::vector<T> &shared(int place, Index elements, T identity) {
    for (const Shared &s : shared_)
      if (s.place == place) return *static_cast<std::vector<T> *>(s.elements.get());
    const auto made = std::make_shared<std::vector<T>>(size_t(elements < 1 ? 1 : elements), identity);
    shared_.push_back({place, made});
    return *made;
  }

  static inline thread_local Team *active = nullptr;

 private:
  std::vector<Lane> lanes_;
  ucontext_t scheduler_;
  const void *body_ = nullptr;
  void (*call_)(const void *body) = nullptr;
  Index now_ = 0;
  struct Shared {
    int place;
    std::shared_ptr<void> elements;
  };
  std::vector<Shared> shared_;
  std::vector<unsigned> said_;
  std::exception_ptr failed_;

  static void enter() {
    Team *team = active;
    try {
      team->call_(team->body_);
    } catch (...) {
      team->failed_ = std::current_exception();
    }
    team->lanes_[size_t(team->now_)].ended = true;
  }
};

// A cooperative codelet's body, by as many lanes as were chosen; the result is lane 0's.
template <typename R, typename F>
R together(const F &body) {
  Team team(choices.lanes);
  if constexpr (std::is_void_v<R>) {
    team.run([&] { F mine = body; mine(); });
  } else {
    R result{};
    team.run([&] {
      F mine = body; // numbers that a lane changes are its own
      R r = mine();
      if (Team::active->current() == 0) result = r;
    });
    return result;
  }
}

// The points: ahead of a statement, and between its reads and its writes.
inline void step(int at) { Team::active->stop(at); }
template <typename T>
T then(int at, T value) { return Team::active->stop(at), value; }

inline Index coopDim() { return Team::active->count(); }
inline Index coopIdx() { return Team::active->current(); }

// One vector of the several that work together; the last may have fewer lanes.
struct Vector {
  Index MaxSize() const { return choices.vector; }
  Index Size() const {
    const Index left = coopDim() - VectorId() * MaxSize();
    return left < MaxSize() ? left : MaxSize();
  }
  Index LaneId() const { return coopIdx() % MaxSize(); }
  Index VectorId() const { return coopIdx() / MaxSize(); }
  Index ThreadId() const { return coopIdx(); }
  // All lanes of the vector say their numbers; then each compares.
  unsigned Alike(unsigned x, int bits) const {
    const unsigned mask = bits < 32 ? (1u << bits) - 1 : ~0u;
    const Index first = VectorId() * MaxSize();
    unsigned same = 0;
    Team::active->say(x & mask);
    for (Index i = 0; i < Size(); i++) same |= unsigned(Team::active->said(first + i) == (x & mask)) << i;
    return same;
  }
};

// `__shared T a[n]': at least an element for each lane.
template <typename T>
class SharedArray {
 public:
  SharedArray(int place, Index n, T identity)
      : n_(n < coopDim() ? coopDim() : n), at_(Team::active->shared<T>(place, n_, identity)) {}
  T &operator[](Index i) const {
    if (i < 0 || i >= n_) throw Wrong("position %lld of a shared array of %lld", i, n_);
    return at_[size_t(i)];
  }

 private:
  Index n_;
  std::vector<T> &at_;
};
template <typename T>
T &shared_variable(int place, T identity) { return Team::active->shared<T>(place, 1, identity)[0]; }

// `__shared_once T a[n]': stored before it is read, and read in between by whoever, where two lanes store.
template <typename T>
class SharedOnce {
  struct Place {
    T value{};
    Index by = -1; // who stored it last; -1: nobody
    bool read = false;
  };

 public:
  SharedOnce(int place, Index n)
      : n_(n < coopDim() ? coopDim() : n), at_(Team::active->shared<Place>(place, n_, Place())) {}
  struct Element {
    typedef T Value;
    Place &at;
    Index i;
    operator T() const {
      if (at.by < 0) throw Wrong("place %lld of a __shared_once array is read before it is stored", i);
      at.read = true;
      return at.value;
    }
    void operator=(T x) const {
      if (at.by >= 0 && at.by != coopIdx() && !at.read)
        throw Wrong("place %lld of a __shared_once array is stored twice, and not read in between", i);
      at = {x, coopIdx(), false};
    }
    void operator=(const Element &x) const { *this = T(x); }
  };
  Element operator[](Index i) const {
    if (i < 0 || i >= n_) throw Wrong("position %lld of a shared array of %lld", i, n_);
    return {at_[size_t(i)], i};
  }

 private:
  Index n_;
  std::vector<Place> &at_;
};

// `__shared_atomicAdd T x': every write to it is that operation.
template <typename M, typename T>
class SharedAtomic {
 public:
  explicit SharedAtomic(int place) : at_(shared_variable<T>(place, M::id())) {}
  operator T() const { return at_; }
  void operator=(T x) { at_ = M::op(at_, x); }
  template <typename X> void operator+=(X x) { *this = T(x); }
  template <typename X> void operator-=(X x) { *this = T(x); }

 private:
  T &at_;
};
template <typename M, typename T>
class SharedAtomics {
 public:
  SharedAtomics(int place, Index n)
      : n_(n < coopDim() ? coopDim() : n), at_(Team::active->shared<T>(place, n_, M::id())) {}
  struct Element {
    T &at;
    operator T() const { return at; }
    void operator=(T x) const { at = M::op(at, x); }
    template <typename X> void operator+=(X x) const { *this = T(x); }
  };
  Element operator[](Index i) const {
    if (i < 0 || i >= n_) throw Wrong("position %lld of a shared array of %lld", i, n_);
    return {at_[size_t(i)]};
  }

 private:
  Index n_;
  std::vector<T> &at_;
};

} // namespace tgc

#endif
