// online.cc: what online selection costs on this CPU. A program calls spmv 1000 times, or kmeans once a turn, from cold: the loop
// with selection on, everything counted, beside the same loop by the best variant that the library has (the oracle, measured
// before). Both take turns; an overhead is the median of the rounds' ratios. bench/online_cpu.sh builds and runs it.
//
//   online [spmv] [powerlaw] [kmeans]     ROUNDS=7 for more rounds, CANDIDATES=4, CALLS=1000
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

#include "../data/matrices.h"
#include "kmeans.h"
#include "spmv.h"

static int candidates = 4, rounds = 5, calls = 1000;

static double seconds_of(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
static double seconds() { return seconds_of(CLOCK_MONOTONIC); }

// Of a loop: as a clock has it, and of the processor alone, which other programs do not change.
struct Time { double wall, used; };

static double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x.empty() ? NAN : x[x.size() / 2];
}

// One function on one data set.
struct Work {
  std::string name;
  int variants;
  std::function<const char *(int)> plan;
  std::function<int(int)> call;  // of a variant; -1: the library's function
  std::function<void()> afresh;  // as a program finds its data
  std::function<int(int)> select; // among so many
  std::function<void(const char *)> save;
  std::function<int(const char *)> load;
  std::function<const char *(int)> id;
};

static void must(int error, const char *what) {
  if (!error) return;
  std::fprintf(stderr, "online: %s: %s\n", what, std::strerror(error));
  std::exit(1);
}

static Time loop(const Work &w, int variant, int many) {
  w.afresh();
  const double from = seconds(), used = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  for (int i = 0; i < many; i++) must(w.call(variant), "a call");
  return {seconds() - from, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - used};
}

// The variants, from the fastest on: all of them once and again, those that may be it many times, in turns.
static std::vector<std::pair<double, int>> ranked(const Work &w) {
  std::vector<std::pair<double, int>> all;
  double best = INFINITY;
  for (int v = 0; v < w.variants; v++) {
    w.afresh();
    double least = INFINITY;
    for (int again = 0; again < 4; again++) {
      const double from = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
      if (w.call(v)) break; // it cannot serve such calls
      least = std::min(least, seconds_of(CLOCK_PROCESS_CPUTIME_ID) - from);
      if (least > 20 * best) break;
    }
    best = std::min(best, least);
    if (std::isfinite(least)) all.push_back({least, v});
  }
  std::sort(all.begin(), all.end());
  const size_t close = std::min<size_t>(all.size(), 6);
  std::vector<std::vector<double>> times(close);
  for (int turn = 0; turn < 15; turn++)
    for (size_t i = 0; i < close; i++) {
      const double from = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
      for (int k = 0; k < 3; k++) w.call(all[i].second);
      times[i].push_back((seconds_of(CLOCK_PROCESS_CPUTIME_ID) - from) / 3);
    }
  for (size_t i = 0; i < close; i++) all[i].first = median(times[i]);
  std::sort(all.begin(), all.begin() + (long)close);
  return all;
}

static void compare(const Work &w, int many, int oracle, const char *table) {
  std::vector<double> walls, used, shipped, again, times;
  for (int round = 0; round < rounds; round++) {
    Time of[4];
    for (int i = 0; i < 4; i++) {
      const int which = (i + round) % 4;
      must(w.select(which == 1 ? candidates : 0), "selection");
      of[which] = loop(w, which % 2 == 0 ? oracle : -1, many);
      if (which == 1) w.save("online.table");
    }
    times.push_back(of[0].used);
    walls.push_back(100 * (of[1].wall / of[0].wall - 1));
    used.push_back(100 * (of[1].used / of[0].used - 1));
    again.push_back(100 * (of[2].used / of[0].used - 1));
    shipped.push_back(100 * (of[3].used / of[0].used - 1));
  }
  std::printf("%-26s %-7s %5d %9.1f %8.2f (", w.name.c_str(), table, many, 1e3 * median(times), median(used));
  for (double x : used) std::printf("%s%.2f", &x == &used[0] ? "" : " ", x);
  std::printf(") %8.2f %8.2f (", median(walls), median(again));
  for (double x : again) std::printf("%s%.2f", &x == &again[0] ? "" : " ", x);
  std::printf(") %8.2f  %s\n", median(shipped), w.plan(oracle));
  std::fflush(stdout);
}

// With the table that the library has, a guess; with one that has the oracle already.
static void measure(const Work &w, int many) {
  must(w.select(0), "selection off");
  const auto all = ranked(w);
  const int oracle = all[0].second;
  std::printf("# %s: %zu of %d variants; slowest, middle and second: %.1f, %.2f and %.3f times the fastest\n", w.name.c_str(),
              all.size(), w.variants, all.back().first / all[0].first, all[all.size() / 2].first / all[0].first,
              all.size() > 1 ? all[1].first / all[0].first : 1);
  for (size_t i = 0; std::getenv("LIST") && i < all.size(); i++)
    std::printf("  %10.4f ms  %s\n", 1e3 * all[i].first, w.plan(all[i].second));
  compare(w, many, oracle, "guessed");
  if (FILE *f = std::fopen("right.table", "w")) {
    std::fprintf(f, "float inf %s 0 0 0\n", w.id(oracle));
    std::fclose(f);
  }
  must(w.load("right.table"), "a table");
  compare(w, many, oracle, "right");
}

template <typename V> static size_t room_of(const V *variants, int n, const std::function<int(const V *, size_t *)> &query) {
  size_t most = 64;
  for (int i = 0; i < n; i++) {
    size_t bytes = 0;
    if (query(&variants[i], &bytes) == 0) most = std::max(most, bytes);
  }
  return most;
}

static void of_matrix(const char *name, const matrices::Csr &m, int many) {
  const uint64_t n = m.elements(), rows = (uint64_t)m.rows;
  std::vector<float> values(m.value.begin(), m.value.end()), x((size_t)m.columns, 1), y((size_t)m.rows);
  const auto run = [&](const spmv_variant *v, void *room, size_t *bytes) {
    return v ? v->run_float(nullptr, room, bytes, values.data(), n, m.column.data(), m.offsets.data(), rows + 1, x.data(),
                            (uint64_t)m.columns, y.data(), rows)
             : spmv_float(room, bytes, values.data(), n, m.column.data(), m.offsets.data(), rows + 1, x.data(),
                          (uint64_t)m.columns, y.data(), rows);
  };
  size_t bytes = room_of<spmv_variant>(spmv_variants, spmv_variant_count,
                                       [&](const spmv_variant *v, size_t *b) { return run(v, nullptr, b); });
  std::vector<double> room(bytes / sizeof(double) + 2);
  must(spmv_workspace_init(room.data(), bytes), "a workspace");
  Work w;
  w.name = std::string("spmv ") + name;
  w.variants = spmv_variant_count;
  w.plan = [](int v) { return spmv_variants[v].plan; };
  w.call = [&](int v) { return run(v < 0 ? nullptr : &spmv_variants[v], room.data(), &bytes); };
  w.afresh = [] {};
  w.select = [](int k) { return spmv_select_online(k, "not_guaranteed"); };
  w.save = [](const char *path) { must(spmv_select_save(path), "saving"); };
  w.load = spmv_load_table;
  w.id = [](int v) { return spmv_variants[v].id; };
  measure(w, many);
}

static void of_points(uint64_t n, uint64_t features, uint64_t clusters, int turns) {
  matrices::Random r(11);
  std::vector<float> points(n * features), start(clusters * features), centres, sums(clusters * features);
  for (size_t i = 0; i < points.size(); i++) points[i] = (float)(r.value() + (double)(i / features % clusters));
  for (size_t i = 0; i < start.size(); i++) start[i] = points[i];
  centres = start;
  std::vector<int> labels(n);
  const auto run = [&](const kmeans_variant *v, void *room, size_t *bytes) {
    return v ? v->run_float(nullptr, room, bytes, points.data(), n, features, features, 1, labels.data(), sums.data(), clusters,
                            features, centres.data(), features)
             : kmeans_float(room, bytes, points.data(), n, features, features, 1, labels.data(), sums.data(), clusters, features,
                            centres.data(), features);
  };
  size_t bytes = room_of<kmeans_variant>(kmeans_variants, kmeans_variant_count,
                                         [&](const kmeans_variant *v, size_t *b) { return run(v, nullptr, b); });
  std::vector<double> room(bytes / sizeof(double) + 2);
  must(kmeans_workspace_init(room.data(), bytes), "a workspace");
  Work w;
  char name[80];
  std::snprintf(name, sizeof name, "kmeans %llux%llux%llu", (unsigned long long)n, (unsigned long long)features,
                (unsigned long long)clusters);
  w.name = name;
  w.variants = kmeans_variant_count;
  w.plan = [](int v) { return kmeans_variants[v].plan; };
  w.call = [&](int v) { return run(v < 0 ? nullptr : &kmeans_variants[v], room.data(), &bytes); };
  w.afresh = [&] { centres = start; };
  w.select = [](int k) { return kmeans_select_online(k, "not_guaranteed"); };
  w.save = [](const char *path) { must(kmeans_select_save(path), "saving"); };
  w.load = kmeans_load_table;
  w.id = [](int v) { return kmeans_variants[v].id; };
  measure(w, turns);
}

static int number(const char *name, int usual) {
  const char *text = std::getenv(name);
  return text ? std::max(1, std::atoi(text)) : usual;
}

int main(int argc, char **argv) {
  candidates = number("CANDIDATES", candidates);
  rounds = number("ROUNDS", rounds);
  calls = number("CALLS", calls);
  std::printf("# %d threads, %d rounds, %d candidates. The table; calls; ms of processor time by the oracle; percent that online selection takes "
              "more of it: median (each round); percent of wall time; percent that the oracle itself takes more, once again; percent that "
              "the dispatch takes more without it; the oracle\n",
              omp_get_max_threads(), rounds, candidates);
  for (int i = 1; i < argc; i++) {
    const std::string what = argv[i];
    if (what == "kmeans") {
      of_points(2000, 34, 5, 1000);
      of_points(20000, 34, 5, 100);
    } else if (what == "kdd_cup") of_points(494020, 34, 5, 40);
    else if (what == "powerlaw") of_matrix("powerlaw, 2^14 rows", matrices::power_law(1 << 14, 12.4, 1 << 10, 1), calls);
    else if (what == "grid256") of_matrix("5-point, 256 x 256", matrices::five_points(256, 1), calls);
    else if (what == "grid512") of_matrix("5-point, 512 x 512", matrices::five_points(512, 1), calls);
    else of_matrix(argv[i], matrices::made(what), calls);
  }
}
