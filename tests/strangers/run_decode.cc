#include "run_decode.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.size(500), length = d.length(20000);
  const std::vector<T> values = d.some<T>(n);
  const std::vector<int> offsets = d.offsets(n, length);
  std::vector<T> out(length, 77), want(length, 77); /* in no run: as it was */
  call(f, run_decode_workspace_init, values.data(), n, offsets.data(), n + 1, out.data(), length);
  for (uint64_t r = 0; r < n; r++) std::fill(want.begin() + offsets[r], want.begin() + offsets[r + 1], values[r]);
  for (uint64_t i = 0; i < length; i++) agree("out", i, out[i], (double)want[i]);
}

static void once(Draw &d) {
  one<float>(d, run_decode_float);
  one<int>(d, run_decode_int);
}
