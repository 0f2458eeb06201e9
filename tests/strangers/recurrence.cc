#include "recurrence_affine.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = d.length(20000);
  std::vector<recurrence_affine_Map_t> in(n), out(n);
  for (recurrence_affine_Map_t &x : in) x = {(unsigned)(d.bits() % 5), (unsigned)(d.bits() % 100)};
  call(recurrence_affine_Map, recurrence_affine_workspace_init, in.data(), n, out.data());
  unsigned from_one = 1, a = 1;
  for (uint64_t i = 0; i < n; i++) {
    from_one = in[i].a * from_one + in[i].b;
    a *= in[i].a;
    agree("y", i, out[i].a + out[i].b, from_one);
    agree("a", i, out[i].a, a);
  }
}
