// arrays_ours.h: the generated library and its variants among those that compete, whatever its operands are; with
// -DSPECTRUM_HEADER="dot.h" -DSPECTRUM=dot -DTYPE=float.
#ifndef BENCH_ARRAYS_OURS_H
#define BENCH_ARRAYS_OURS_H

#include <tuple>
#include <type_traits>

#include SPECTRUM_HEADER

#include "arrays_data.h"
#include "peers.h"

#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)
#define JOIN2(a, b) a##_##b
#define JOIN(a, b) JOIN2(a, b)
#define DISPATCH JOIN(SPECTRUM, TYPE)
#define WORKSPACE_INIT JOIN(SPECTRUM, workspace_init)
#define VARIANTS JOIN(SPECTRUM, variants)
#define VARIANT_COUNT JOIN(SPECTRUM, variant_count)
#define RUN JOIN(run, TYPE)

namespace arrays {

// The types of a function's parameters: 0 and 1 are the workspace and its size, the operands follow.
template <typename F> struct Signature;
template <typename... P> struct Signature<cudaError_t (*)(P...)> {
  template <int i> using At = typename std::tuple_element<i, std::tuple<P...>>::type;
  template <int i> using Element = std::remove_cv_t<std::remove_pointer_t<At<i>>>;
};
using Ours = Signature<decltype(&DISPATCH)>;

// bind(f) gives the call of f(workspace, bytes, operands .., stream) on the workload's operands.
template <typename Bind> void add_ours(std::vector<Candidate> &to, Bind bind) {
  Candidate dispatch;
  dispatch.role = Role::ours;
  dispatch.name = "ours";
  dispatch.init = WORKSPACE_INIT;
  dispatch.call = bind([](auto... operands) { return DISPATCH(operands...); });
  to.push_back(dispatch);
  for (int i = 0; i < VARIANT_COUNT; i++) {
    const auto &v = VARIANTS[i];
    for (const auto *c = v.configurations; c->threads; c++) { // what was not compiled has none
      Candidate one;
      one.role = Role::variant;
      one.name = "variant";
      one.id = v.id;
      one.plan = v.plan;
      one.determinism = v.determinism;
      one.threads = c->threads;
      one.loads = c->loads;
      one.blocks = c->blocks;
      one.init = WORKSPACE_INIT;
      one.with_blocks = [&v, c, bind](long long blocks) {
        auto on = *c;
        on.blocks = blocks;
        return bind([&v, on](auto... operands) { return v.RUN(&on, operands...); });
      };
      one.call = one.with_blocks(c->blocks);
      to.push_back(one);
    }
  }
}

inline Candidate library(const char *name, Call call) {
  Candidate c;
  c.name = name;
  c.call = call;
  return c;
}

// Those of all versions that were linked; bind(f) gives the call of f(workspace, bytes, operands .., stream).
template <typename F, typename Bind> void add_peers(std::vector<Candidate> &to, Bind bind) {
  for (const Peer<F> &peer : peers<F>()) to.push_back(library(peer.name.c_str(), bind(peer.call)));
}

// 2^k elements, of which each is so many bytes read and written.
inline void add_powers(std::vector<Shape> &to, const std::vector<int> &exponents, int least, int most, double read,
                       double written) {
  for (int k : exponents) {
    if (k < least || k > most) continue;
    Shape s;
    s.n = 1ull << k;
    s.name = "2^" + std::to_string(k);
    s.read = read * s.n;
    s.written = written * s.n;
    to.push_back(s);
  }
}

// Where it may go wrong: nothing, one, about a warp's, a block's, a tile's and a grid's edges; aligned and not.
inline void add_odd_sizes(std::vector<Shape> &to) {
  static const uint64_t sizes[] = {0, 1, 2, 31, 33, 257, 1000, 4097, 16384, 65537, 300001, 1048576};
  for (uint64_t n : sizes)
    for (int offset = 0; offset < 4; offset++) {
      if (offset == 2 || (offset == 3 && n != 4097 && n != 300001)) continue;
      Shape s;
      s.n = n;
      s.offset = offset;
      s.name = std::to_string(n) + (offset ? "+" + std::to_string(offset) : "");
      to.push_back(s);
    }
}

} // namespace arrays

#endif
