// rodinia.cc: the libraries of kmeans and bfs for this CPU beside loops of OpenMP with the structure of Rodinia's,
// written plainly. Both take turns, in an order that changes from round to round; a ratio is the median of the rounds'
// ratios, with their quartiles: what the loops take by what the library takes. By the clock, and by the time of all
// processors, in which other programs have no part but of the caches. Results are compared. bench/rodinia_cpu.sh builds
// and runs it.
//
//   k-means   each thread has sums and counts of its own, and one adds them up, once a turn
//   BFS       all vertices are looked at twice a level: those of the level mark their neighbours, marked ones become
//   the next
//
// The library's function is as its table has it ("guessed", where nothing was tuned), and the best of its variants.
#include <omp.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "../data/graphs.h"
#include "bfs.h"
#include "kmeans.h"

static double seconds(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct Time {
  double wall, used;
};

static Time timed(const std::function<void()> &call) {
  const double wall = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);
  call();
  return {seconds(CLOCK_MONOTONIC) - wall, seconds(CLOCK_PROCESS_CPUTIME_ID) - used};
}

static double part(std::vector<double> x, double where) {
  std::sort(x.begin(), x.end());
  return x[(size_t)(where * (double)(x.size() - 1) + 0.5)];
}

static void must(int error, const char *what) {
  if (!error) return;
  std::fprintf(stderr, "rodinia: %s: %s\n", what, std::strerror(error));
  std::exit(1);
}

static int rounds = 9;

static void print(const char *name, const char *what, const std::function<void()> &ours,
                  const std::function<void()> &theirs) {
  std::vector<double> wall, used, us, peer;
  for (int r = -1; r < rounds; r++) {
    Time t[2];
    for (int i = 0; i < 2; i++) t[(i + r + 1) % 2] = timed((i + r + 1) % 2 ? ours : theirs);
    if (r < 0) continue; // not measured
    us.push_back(1e3 * t[1].used);
    peer.push_back(1e3 * t[0].used);
    wall.push_back(t[0].wall / t[1].wall);
    used.push_back(t[0].used / t[1].used);
  }
  std::printf(
      "%-28s %-8s %d threads  ours %8.2f  plain %8.2f ms of processors  ratio %.2f (%.2f to %.2f)  by the clock %.2f\n",
      name, what, omp_get_max_threads(), part(us, 0.5), part(peer, 0.5), part(used, 0.5), part(used, 0.25),
      part(used, 0.75), part(wall, 0.5));
  std::fflush(stdout);
}

// The variant whose best of three is best, of those that give what the library gives.
static int best(int many, const std::function<void(int)> &run, const std::function<bool()> &right) {
  int found = 0;
  double least = INFINITY;
  for (int v = 0; v < many; v++)
    for (int i = 0; i < 3; i++) {
      const double t = timed([&] { run(v); }).used;
      if (!right() || t > 4 * least) break;
      if (t < least) least = t, found = v;
    }
  return found;
}

// ---- k-means ----

static void clusters_plainly(const std::vector<float> &points, int n, int features, int clusters, int turns,
                             int *labels, float *centres) {
  const int threads = omp_get_max_threads();
  std::vector<std::vector<float>> sums((size_t)threads, std::vector<float>((size_t)(clusters * features)));
  std::vector<std::vector<int>> counts((size_t)threads, std::vector<int>((size_t)clusters));
  for (int turn = 0; turn < turns; turn++) {
#pragma omp parallel
    {
      float *own = sums[(size_t)omp_get_thread_num()].data();
      int *many = counts[(size_t)omp_get_thread_num()].data();
      std::fill(own, own + clusters * features, 0.0f);
      std::fill(many, many + clusters, 0);
#pragma omp for schedule(static)
      for (int i = 0; i < n; i++) {
        const float *p = &points[(size_t)i * (size_t)features];
        float least = INFINITY;
        int nearest = 0;
        for (int k = 0; k < clusters; k++) {
          float distance = 0;
          for (int j = 0; j < features; j++) {
            const float d = p[j] - centres[k * features + j];
            distance += d * d;
          }
          if (distance < least) least = distance, nearest = k;
        }
        labels[i] = nearest;
        many[nearest]++;
        for (int j = 0; j < features; j++) own[nearest * features + j] += p[j];
      }
    }
    for (int t = 1; t < threads; t++)
      for (int k = 0; k < clusters; k++) {
        counts[0][(size_t)k] += counts[(size_t)t][(size_t)k];
        for (int j = 0; j < features; j++)
          sums[0][(size_t)(k * features + j)] += sums[(size_t)t][(size_t)(k * features + j)];
      }
    for (int k = 0; k < clusters; k++)
      for (int j = 0; j < features && counts[0][(size_t)k]; j++)
        centres[k * features + j] = sums[0][(size_t)(k * features + j)] / (float)counts[0][(size_t)k];
  }
}

static void of_points(int n, int features, int clusters, int turns) {
  draws::Random r(11);
  std::vector<float> points((size_t)(n * features)), start((size_t)(clusters * features)), centres, others, sums(start);
  for (size_t i = 0; i < points.size(); i++)
    points[i] = (float)(r.value() + (double)(i / (size_t)features % (size_t)clusters));
  for (size_t i = 0; i < start.size(); i++) start[i] = points[i];
  std::vector<int> labels((size_t)n), other_labels((size_t)n);
  const uint64_t rows = (uint64_t)n, columns = (uint64_t)features, many = (uint64_t)clusters;
  const auto call = [&](int v, void *room, size_t *bytes) {
    return v < 0 ? kmeans_float(room, bytes, points.data(), rows, columns, columns, turns, labels.data(), sums.data(),
                                many, columns, centres.data(), columns)
                 : kmeans_variants[v].run_float(nullptr, room, bytes, points.data(), rows, columns, columns, turns,
                                                labels.data(), sums.data(), many, columns, centres.data(), columns);
  };
  size_t most = 0;
  for (int v = -1; v < kmeans_variant_count; v++) {
    size_t bytes = 0;
    if (call(v, nullptr, &bytes) == 0) most = std::max(most, bytes);
  }
  std::vector<double> room(most / sizeof(double) + 2);
  must(kmeans_workspace_init(room.data(), most), "a workspace");
  const auto ours = [&](int v) {
    size_t bytes = most;
    centres = start;
    must(call(v, room.data(), &bytes), "kmeans");
  };
  const auto theirs = [&] {
    others = start;
    clusters_plainly(points, n, features, clusters, turns, other_labels.data(), others.data());
  };
  const auto right = [&] {
    int off = 0;
    for (int i = 0; i < n; i++) off += labels[(size_t)i] != other_labels[(size_t)i]; // sums round otherwise
    for (size_t i = 0; i < start.size(); i++)
      off += std::fabs(centres[i] - others[i]) > 1e-3f * (1 + std::fabs(others[i]));
    return off <= n / 1000;
  };
  theirs();
  ours(-1);
  if (!right()) must(EDOM, "k-means differs from the loops");
  char name[80];
  std::snprintf(name, sizeof name, "kmeans %dx%dx%d, %d turns", n, features, clusters, turns);
  print(
      name, "guessed", [&] { ours(-1); }, theirs);
  const int v = best(kmeans_variant_count, ours, right);
  print(
      name, kmeans_variants[v].id, [&] { ours(v); }, theirs);
}

// ---- BFS ----

static void search_plainly(const graphs::Graph &g, int source, int *levels) {
  const int n = g.vertices;
  static std::vector<char> now, next, seen;
  now.assign((size_t)n, 0), next.assign((size_t)n, 0), seen.assign((size_t)n, 0);
  std::fill(levels, levels + n, -1);
  now[(size_t)source] = seen[(size_t)source] = 1;
  levels[source] = 0;
  for (bool more = true; more;) {
    more = false;
#pragma omp parallel for
    for (int v = 0; v < n; v++)
      if (now[(size_t)v]) {
        now[(size_t)v] = 0;
        for (int e = g.offsets[(size_t)v]; e < g.offsets[(size_t)v + 1]; e++) {
          const int to = g.column[(size_t)e];
          if (!seen[(size_t)to]) {
            levels[to] = levels[v] + 1;
            next[(size_t)to] = 1;
          }
        }
      }
#pragma omp parallel for
    for (int v = 0; v < n; v++)
      if (next[(size_t)v]) {
        now[(size_t)v] = seen[(size_t)v] = 1;
        more = true;
        next[(size_t)v] = 0;
      }
  }
}

static void of_graph(const char *graph) {
  const graphs::Graph g = graphs::made(graph);
  std::vector<int> levels((size_t)g.vertices), others(levels);
  int source = 0;
  while (g.offsets[(size_t)source] == g.offsets[(size_t)source + 1]) source++;
  const auto call = [&](int v, void *room, size_t *bytes) {
    const uint64_t n = g.offsets.size(), edges = g.edges(), vertices = levels.size();
    return v < 0 ? bfs_int(room, bytes, g.offsets.data(), n, g.column.data(), edges, source, levels.data(), vertices)
                 : bfs_variants[v].run_int(nullptr, room, bytes, g.offsets.data(), n, g.column.data(), edges, source,
                                           levels.data(), vertices);
  };
  size_t most = 0;
  for (int v = -1; v < bfs_variant_count; v++) {
    size_t bytes = 0;
    if (call(v, nullptr, &bytes) == 0) most = std::max(most, bytes);
  }
  std::vector<double> room(most / sizeof(double) + 2);
  must(bfs_workspace_init(room.data(), most), "a workspace");
  const auto ours = [&](int v) {
    size_t bytes = most;
    must(call(v, room.data(), &bytes), "bfs");
  };
  const auto theirs = [&] { search_plainly(g, source, others.data()); };
  const auto right = [&] { return levels == others; };
  theirs();
  ours(-1);
  if (!right()) must(EDOM, "bfs differs from the loops");
  const std::string name = std::string("bfs ") + graph;
  print(
      name.c_str(), "guessed", [&] { ours(-1); }, theirs);
  const int v = best(bfs_variant_count, ours, right);
  print(
      name.c_str(), bfs_variants[v].id, [&] { ours(v); }, theirs);
}

int main(int argc, char **argv) {
  if (getenv("ROUNDS")) rounds = atoi(getenv("ROUNDS"));
  for (int i = 1; i < argc; i++) {
    int n, features, clusters, turns;
    if (std::sscanf(argv[i], "%dx%dx%dx%d", &n, &features, &clusters, &turns) == 4)
      of_points(n, features, clusters, turns);
    else
      of_graph(argv[i]);
  }
}
