#include "marked.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(20000), bins = 1 + d.size(300);
  std::vector<T> x = d.some<T>(n), some(bins, (T)100);
  const std::vector<int> bin = d.places(n, bins);
  std::vector<int> hit(bins, 0);
  std::vector<std::vector<T>> in(bins);
  for (uint64_t i = 0; i < n; i++) in[(size_t)bin[i]].push_back(x[i]);
  call(f, marked_workspace_init, x.data(), n, bin.data(), some.data(), bins, hit.data());
  for (uint64_t i = 0; i < bins; i++) {
    agree("hit", i, hit[i], in[i].empty() ? 0 : 1);
    if (in[i].empty()) agree("one", i, some[i], 100);
    else if (std::find(in[i].begin(), in[i].end(), some[i]) == in[i].end()) fail("one", i, (double)some[i], (double)in[i][0]);
  }
}

static void once(Draw &d) {
  one<float>(d, marked_float);
  one<int>(d, marked_int);
}
