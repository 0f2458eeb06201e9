// bad_graphs.cc: a program of generated libraries of spmv, float, and of bfs, bfs_queue and bfs_both, int, on the CPU's
// executor, which watches them: every variant, on graphs that are good and unusual, whose levels and products are
// computed here, and on such as break what the headers ask for. Of these it matters that calls end and touch nothing
// outside; columns that are no vertices are asked for and not tested: the executor must say where they are read.
//
//   bad_graphs SEED    in another order of blocks and lanes
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bfs/bfs.h"
#include "bfs_both/bfs_both.h"
#include "bfs_queue/bfs_queue.h"
#include "simt.h"
#include "spmv/spmv.h"

static int failed, runs, located;

enum Kind { GOOD, UNORDERED, OUTSIDE };

struct Graph {
  const char *name;
  Kind kind;
  long long source;
  std::vector<int> offsets, columns;
  int vertices() const { return (int)offsets.size() - 1; }
};

static uint32_t state = 12345;
static int drawn(int below) {
  state = state * 1664525 + 1013904223;
  return (int)((state >> 8) % (uint32_t)below);
}

// From lists of where edges lead to.
static Graph graph(const char *name, long long source, const std::vector<std::vector<int>> &to) {
  Graph g = {name, GOOD, source, {0}, {}};
  for (const std::vector<int> &v : to) {
    g.columns.insert(g.columns.end(), v.begin(), v.end());
    g.offsets.push_back((int)g.columns.size());
  }
  return g;
}

static Graph changed(Graph g, const char *name, Kind kind) {
  g.name = name;
  g.kind = kind;
  return g;
}

static std::vector<Graph> graphs() {
  const int n = 150;
  using Lists = std::vector<std::vector<int>>;
  Lists loops(n), parts(n), line(n), star(n), repeated(n), mixed(n);
  for (int v = 0; v < n; v++) {
    loops[v] = {v, v, v};
    parts[v] = {v ^ 1, v, v ^ 1};
    if (v > 0) line[v].push_back(v - 1);
    if (v + 1 < n) line[v].push_back(v + 1);
    star[77].push_back(v), star[77].push_back(v);
    if (v != 77) star[v].push_back(77), star[v].push_back(77);
    repeated[v] = std::vector<int>(70, (v + 1) % n);
    if (v % 3 == 0)
      for (int e = drawn(40); e > 0; e--) mixed[v].push_back(drawn(n));
  }
  for (int v = 0; v < n; v++) // both ways, as bfs_both wants it with offsets and columns for both
    for (int i = 0; i < 70; i++) repeated[(v + 1) % n].push_back(v);
  Lists both(n);
  for (int v = 0; v < n; v++)
    for (int to : mixed[v]) both[v].push_back(to), both[to].push_back(v);
  std::vector<Graph> all = {graph("no vertices", 0, {}),      graph("one vertex, no edges", 0, Lists(1)),
                            graph("no edges", 3, Lists(n)),   graph("loops at each vertex", 9, loops),
                            graph("pairs", n - 1, parts),     graph("a line", n - 1, line),
                            graph("one row has all", 5, star), graph("one row has all, from it", 77, star),
                            graph("edges many times", 0, repeated), graph("random, empty rows", 0, both)};
  for (long long source : {-1ll, (long long)n, 1ll << 40, -(1ll << 40)})
    all.push_back(graph("a source that is no vertex", source, line));
  Graph g = graph("the last offsets are beyond the end", 0, both);
  const int end = g.offsets[n];
  for (int v = n - 20; v <= n; v++) g.offsets[v] = end + 1000;
  g.columns.resize(end);
  g.kind = UNORDERED; // .. so that not all edges lead both ways
  all.push_back(g);
  g = changed(graph("", 0, both), "descending", UNORDERED);
  std::reverse(g.offsets.begin(), g.offsets.end());
  all.push_back(g);
  g = changed(graph("", 0, both), "any offsets", UNORDERED);
  for (int &o : g.offsets) o = drawn(2 * end) - end / 2;
  all.push_back(g);
  g = changed(graph("", 0, both), "the greatest and the least number", UNORDERED);
  for (int &o : g.offsets) o = drawn(2) ? INT32_MAX : drawn(2) ? INT32_MIN : drawn(end);
  all.push_back(g);
  g = changed(graph("", 0, repeated), "more runs of edges than a queue has room for", UNORDERED);
  for (int v = 0; v <= n; v++) g.offsets[v] = v % 2 ? (int)g.columns.size() : 0;
  all.push_back(g);
  g = changed(graph("", 0, line), "a column that is no vertex", OUTSIDE);
  g.columns[1] = n;
  all.push_back(g);
  g = changed(graph("", 0, line), "a column below 0", OUTSIDE);
  g.columns[1] = -1;
  all.push_back(g);
  return all;
}

static std::vector<int> levels_of(const Graph &g) {
  std::vector<int> level(g.vertices(), -1), queue;
  if (g.source >= 0 && g.source < g.vertices()) level[g.source] = 0, queue.push_back((int)g.source);
  for (size_t at = 0; at < queue.size(); at++)
    for (int e = g.offsets[queue[at]]; e < g.offsets[queue[at] + 1]; e++)
      if (level[g.columns[e]] < 0) level[g.columns[e]] = level[queue[at]] + 1, queue.push_back(g.columns[e]);
  return level;
}

template <typename T> static T *placed(const std::vector<T> &from, bool frozen) {
  T *to = (T *)simt::place(from.size() * sizeof(T) + from.empty(), 0);
  std::copy(from.begin(), from.end(), to);
  if (frozen && !from.empty()) simt::freeze(to);
  return to;
}

static void expect(const Graph &g, const std::string &who, const char *plan, cudaError_t error, bool right) {
  std::vector<std::string> reports;
  for (const simt::Report &r : simt::reports) {
    const std::string text = simt::describe(r);
    if (g.kind == GOOD || text.compare(0, 5, "race:") != 0) reports.push_back(text);
  }
  runs++;
  bool ok = reports.empty() && error == cudaSuccess && right;
  if (g.kind == UNORDERED) ok = reports.empty();
  if (g.kind == OUTSIDE) { // levels that lanes share are read by an atomic
    ok = reports.size() == 1 && reports[0].compare(0, 7, "bounds:") == 0;
    ok = ok && reports[0].find("; in " + who) != reports[0].npos;
    located += ok;
  }
  if (!ok) {
    failed++;
    std::printf("%s, %s: %s: error %d%s\n", who.c_str(), g.name, plan, (int)error, right ? "" : ", a wrong result");
    for (const std::string &r : reports) std::printf("    %s\n", r.c_str());
  }
  simt::reports.clear();
  simt::release_all();
}

template <typename Init, typename Call>
static cudaError_t called(Init init, Call call) {
  size_t bytes = 0;
  cudaError_t error = call(nullptr, &bytes);
  void *w = simt::place(bytes, 0);
  if (error == cudaSuccess) error = init(w, bytes, nullptr);
  for (int twice = 0; twice < 2 && error == cudaSuccess; twice++) error = call(w, &bytes);
  return error;
}

#define SEARCH(NAME, ...)                                                                                              \
  for (int v = 0; v < NAME##_variant_count; v++) {                                                                     \
    NAME##_configuration c = *NAME##_variants[v].configurations;                                                       \
    c.blocks = 3;                                                                                                      \
    int *offsets = placed(g.offsets, true), *columns = placed(g.columns, true);                                        \
    int *levels = placed(std::vector<int>(n, 99), false);                                                              \
    const cudaError_t error = called(NAME##_workspace_init, [&](void *w, size_t *bytes) {                              \
      return NAME##_variants[v].run_int(&c, w, bytes, offsets, n + 1, columns, g.columns.size(), __VA_ARGS__ g.source, \
                                        levels, n, nullptr);                                                           \
    });                                                                                                                \
    expect(g, #NAME, NAME##_variants[v].plan, error, g.kind != GOOD || std::equal(want.begin(), want.end(), levels));  \
  }

static void products(const Graph &g) {
  const uint64_t n = (uint64_t)g.vertices(), all = g.columns.size();
  std::vector<float> values(all), x(n), want(n);
  for (size_t i = 0; i < all; i++) values[i] = (float)(i % 7) - 3;
  for (size_t i = 0; i < n; i++) x[i] = (float)(i % 5) - 2;
  for (size_t r = 0; r < n && g.kind == GOOD; r++)
    for (int e = g.offsets[r]; e < g.offsets[r + 1]; e++) want[r] += values[e] * x[g.columns[e]];
  for (int v = 0; v < spmv_variant_count; v++) {
    spmv_configuration c = *spmv_variants[v].configurations;
    int *offsets = placed(g.offsets, true), *columns = placed(g.columns, true);
    float *a = placed(values, true), *in = placed(x, true), *y = placed(std::vector<float>(n, 77), false);
    const cudaError_t error = called(spmv_workspace_init, [&](void *w, size_t *bytes) {
      return spmv_variants[v].run_float(&c, w, bytes, a, all, columns, offsets, n + 1, in, n, y, n, nullptr);
    });
    expect(g, "spmv", spmv_variants[v].plan, error, g.kind != GOOD || std::equal(want.begin(), want.end(), y));
  }
}

int main(int argc, char **argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  simt::options.seed = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  for (const Graph &g : graphs()) {
    const uint64_t n = (uint64_t)g.vertices();
    const std::vector<int> want = g.kind == GOOD ? levels_of(g) : std::vector<int>();
    SEARCH(bfs, )
    SEARCH(bfs_queue, )
    SEARCH(bfs_both, offsets, columns, g.columns.size(), )
    products(g);
  }
  std::printf("%d failed of %d, %d located\n", failed, runs, located);
  return failed > 0 || runs == 0 || located == 0;
}
