#include "plain_queue.h"
#include "stranger.h"

template <typename T, typename F> static void one(Draw &d, F f) {
  Matrix<T> x(d, d.length(200), d.length(200)), y(d, x.rows, x.columns), before = y;
  std::vector<T> most = d.some<T>(x.columns), want = most, queued;
  const T bound = d.one<T>();
  const int first = (int)d.size(5);
  std::vector<int> many = {first};
  std::vector<T> out = d.some<T>(first + x.rows * x.columns), old = out;
  long long got = -1;
  call(f, plain_queue_workspace_init, x.at.data(), x.rows, x.columns, x.leading, bound, y.at.data(), y.leading,
       many.data(), (uint64_t)1, out.data(), (uint64_t)out.size(), most.data(), &got);
  for (uint64_t i = 0; i < x.rows; i++)
    for (uint64_t j = 0; j < x.columns; j++) {
      const bool has = (x.rows - 1 - i) % 2 == 0 && j % 3 == i % 3;
      agree("y", i * x.columns + j, y(i, j), has ? (double)(T)(x(i, j) + before(i, j)) : before(i, j));
      if (has && x(i, j) > bound) queued.push_back(x(i, j));
      if (has) want[j] = std::max(want[j], x(i, j));
    }
  agree("many", 0, many[0], first + (double)queued.size());
  agree("count", 0, got, (double)queued.size());
  std::sort(queued.begin(), queued.end());
  std::sort(out.begin() + first, out.begin() + first + queued.size());
  for (uint64_t i = 0; i < out.size(); i++)
    agree("out", i, out[i], i < (uint64_t)first || i >= first + queued.size() ? old[i] : queued[i - first]);
  for (uint64_t j = 0; j < x.columns; j++) agree("most", j, most[j], want[j]);
  intact("y", y, before);
}

static void once(Draw &d) {
  one<float>(d, plain_queue_float);
  one<int>(d, plain_queue_int);
}
