#include "reduce_best_slice.h"
#include "stranger.h"

template <typename E, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<E> in = d.some<E>(n);
  int got = -1, best = 0, here = 0;
  call(f, reduce_best_slice_workspace_init, in.data(), n, &got);
  for (int x : in) {
    here = std::max(here + x, 0);
    best = std::max(best, here);
  }
  agree("out", 0, got, best);
}

static void once(Draw &d) {
  one<int>(d, reduce_best_slice_int);
  one<short>(d, reduce_best_slice_int16);
}
