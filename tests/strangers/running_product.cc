#include "running_product.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(20000);
  std::vector<T> in(n), out(n, 3);
  for (T &x : in) x = (T)(d.bits() % 30000) * (std::is_signed_v<T> && d.bits() % 2 ? -1 : 1);
  const T m = (T)(1 + d.bits() % 30011);
  T got = 7, v = 1;
  call(f, running_product_workspace_init, in.data(), n, m, out.data(), &got);
  for (uint64_t i = 0; i < n; i++) {
    v = (T)(v * in[i] % m);
    agree("out", i, out[i], (double)v);
  }
  agree("the last", 0, got, (double)v);
}

static void once(Draw &d) {
  one<long long>(d, running_product_int64);
  one<unsigned long long>(d, running_product_uint64);
  one<int>(d, running_product_int);
}
