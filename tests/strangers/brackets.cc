#include "reduce_brackets.h"
#include "stranger.h"

static void once(Draw &d) {
  const uint64_t n = d.length(20000);
  std::vector<int> in(n);
  for (int &x : in) x = (int)(d.bits() % 3) - 1;
  reduce_brackets_State_t got = {7, 7};
  call(reduce_brackets_int, reduce_brackets_workspace_init, in.data(), n, &got);
  unsigned closing = 0, open = 0;
  for (int x : in) {
    if (x > 0) open++;
    if (x < 0) {
      if (open) open--;
      else closing++;
    }
  }
  agree("closing", 0, got.closing, closing);
  agree("open", 0, got.open, open);
}
