#include "mandelbrot.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  const uint64_t n = d.length(3000);
  const int most = (int)d.size(100);
  std::vector<T> re(n), im(n);
  std::vector<int> turns(n, -3);
  for (T &x : re) x = (T)((int)(d.bits() % 257) - 192) / 64; /* so exact that the first turns are */
  for (T &x : im) x = (T)((int)(d.bits() % 257) - 128) / 64;
  call(f, mandelbrot_workspace_init, re.data(), n, im.data(), most, turns.data());
  for (uint64_t i = 0; i < n; i++) {
    T x = 0, y = 0;
    int k = 0;
    for (; k < most && x * x + y * y <= 4; k++) {
      const T next = x * x - y * y + re[i];
      y = 2 * x * y + im[i];
      x = next;
    }
    agree("turns", i, turns[i], k);
  }
}

static void once(Draw &d) {
  one<float>(d, mandelbrot_float);
  one<double>(d, mandelbrot_double);
}
