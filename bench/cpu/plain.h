// plain.h: the functions of libraries for this CPU beside plain loops (plain.cc). All that are compared take turns in one
// process, in an order that changes from round to round; a ratio is the median of the rounds' ratios, with their quartiles.
// Of one thread it is the processor's time, in which other programs have no part but of the caches.
#ifndef PLAIN_H
#define PLAIN_H

#include <omp.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using Call = std::function<int()>; // its value: an error, or 0

inline double now() {
  timespec t;
  clock_gettime(omp_get_max_threads() > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

inline double seconds(int calls, const Call &call, int *refused) {
  const double begin = now();
  for (int i = 0; i < calls; i++) *refused |= call();
  return (now() - begin) / calls;
}

inline double part(std::vector<double> x, double where) {
  std::sort(x.begin(), x.end());
  return x[(size_t)(where * (double)(x.size() - 1) + 0.5)];
}

template <typename T>
std::vector<T> numbers(size_t many, uint32_t seed = 1) { // in -1 to 1
  std::vector<T> x(many);
  uint32_t state = seed;
  for (T &e : x) e = (T)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 23) - 1;
  return x;
}

// A library's function: the arguments behind the workspace are those that `with' gives to a function which it is handed.
template <typename Function, typename With>
Call library(Function f, With with) {
  size_t bytes = 0;
  with([&](auto... x) { return f(nullptr, &bytes, x...); });
  auto room = std::make_shared<std::vector<char>>(bytes + 64);
  return [=] {
    size_t size = bytes;
    void *place = (void *)(((uintptr_t)room->data() + 63) & ~(uintptr_t)63);
    return with([&](auto... x) { return f(place, &size, x...); });
  };
}

struct Variant {
  std::string name; // with its plan, and the configuration
  Call call;
};

// All variants of a library, in the configurations that were compiled.
template <typename Row, typename Function, typename With>
std::vector<Variant> variants(const Row *rows, int count, Function Row::*run, With with) {
  std::vector<Variant> all;
  for (int i = 0; i < count; i++)
    for (auto c = rows[i].configurations; c->threads | c->loads | c->blocks; c++) {
      const auto f = rows[i].*run;
      const auto kept = *c;
      all.push_back({std::string(rows[i].id) + ":" + std::to_string(c->threads) + ":" + std::to_string(c->loads) + " " +
                         rows[i].plan,
                     library([=](void *w, size_t *b, auto... x) { return f(&kept, w, b, x...); }, with)});
    }
  return all;
}

inline int calls_for(const Call &call) { // so many that a sample takes two milliseconds
  int refused = 0;
  call();
  const double once = std::max(seconds(1, call, &refused), 1e-8);
  return std::max(1, (int)(2e-3 / once));
}

// The fastest of the variants, by the least of a few samples; those that take ten times as long are given up.
inline const Variant *fastest(const std::vector<Variant> &all) {
  const Variant *best = nullptr;
  double least = 1e9;
  for (const Variant &v : all) {
    int refused = v.call();
    if (refused) continue;
    const double once = seconds(1, v.call, &refused);
    if (once > 10 * least + 1e-5) continue;
    const int calls = std::max(1, (int)(1e-3 / std::max(once, 1e-8)));
    for (int i = 0; i < 3; i++) {
      const double t = seconds(calls, v.call, &refused);
      if (refused == 0 && t < least) least = t, best = &v;
    }
  }
  return best;
}

struct Peer {
  const char *name;
  Call call;
};

// Prints a line; false where a call was refused, or results differ.
inline bool compare(const char *what, const std::string &shape, const Call &ours, const std::vector<Variant> &all,
                    const std::vector<Peer> &peers, const std::function<bool()> &same) {
  const char *most = getenv("ROUNDS");
  int refused = ours();
  for (const Peer &p : peers) p.call();
  const bool right = same();
  const Variant *best = getenv("BEST") ? fastest(all) : nullptr;
  std::vector<Peer> turns = {{"ours", ours}};
  turns.insert(turns.end(), peers.begin(), peers.end());
  if (best) turns.push_back({"best", best->call});
  std::vector<int> calls;
  for (const Peer &p : turns) calls.push_back(calls_for(p.call));
  std::vector<std::vector<double>> t(turns.size());
  for (int r = 0; r < (most ? atoi(most) : 15); r++)
    for (size_t i = 0; i < turns.size(); i++) {
      const size_t at = (i + (size_t)r) % turns.size();
      t[at].push_back(seconds(calls[at], turns[at].call, &refused));
    }
  printf("%-13s %-22s %d  %10.2f us", what, shape.c_str(), omp_get_max_threads(), part(t[0], .5) * 1e6);
  for (size_t i = 1; i < turns.size(); i++) {
    const bool own = best && i + 1 == turns.size();
    std::vector<double> ratio;
    for (size_t r = 0; r < t[0].size(); r++) ratio.push_back(own ? t[0][r] / t[i][r] : t[i][r] / t[0][r]);
    printf("  %s %.2f (%.2f to %.2f)", turns[i].name, part(ratio, .5), part(ratio, .25), part(ratio, .75));
  }
  printf("%s%s%s%s\n", best ? "  " : "", best ? best->name.c_str() : "", refused ? "  REFUSED" : "",
         right ? "" : "  WRONG");
  fflush(stdout);
  return !refused && right;
}

// All variants by themselves, with what each takes, for whoever looks for what is slow.
inline void list(const std::vector<Variant> &all) {
  for (const Variant &v : all) {
    int refused = v.call();
    double least = 1e9;
    for (int i = 0; i < 5 && !refused; i++) least = std::min(least, seconds(1, v.call, &refused));
    printf("    %12.2f us  %s%s\n", least * 1e6, v.name.c_str(), refused ? "  refused" : "");
  }
}

template <typename T>
bool near(const std::vector<T> &a, const std::vector<T> &b, double most) {
  for (size_t i = 0; i < a.size(); i++)
    if (!(std::fabs((double)a[i] - (double)b[i]) <= most * (1 + std::fabs((double)b[i])))) return false;
  return true;
}

#endif
