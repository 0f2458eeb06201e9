// converged.cc: k-means until no label changes, by one call, beside Lloyd's algorithm in doubles from the same start; the
// levels of graphs, some of which are in several parts, with loops at a vertex and several edges between two; rows' softmax.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <random>
#include <vector>

#include "bfs.h"
#include "kmeans.h"
#include "softmax.h"

static std::mt19937 bits;
static int failed;

static void expect(const char *what, bool right) {
  if (!right) printf("%s is wrong\n", what);
  failed += !right;
}

template <typename F, typename I>
static void call(const char *what, F f, I init) {
  size_t bytes = 0;
  int error = f(nullptr, &bytes);
  std::vector<char> workspace(bytes + 1);
  if (!error) error = init(workspace.data(), bytes);
  if (!error) error = f(workspace.data(), &bytes);
  expect(what, error == 0);
}

// Labels and centres where no point moves; returns how many turns that took.
static int lloyd(const std::vector<float> &x, size_t n, size_t d, std::vector<double> &centres, std::vector<int> &labels) {
  const size_t many = centres.size() / d;
  for (int turn = 0;; turn++) {
    bool moved = false;
    for (size_t i = 0; i < n; i++) {
      double least = INFINITY;
      int at = 0;
      for (size_t c = 0; c < many; c++) {
        double sum = 0;
        for (size_t j = 0; j < d; j++) sum += (x[i * d + j] - centres[c * d + j]) * (x[i * d + j] - centres[c * d + j]);
        if (sum < least) least = sum, at = (int)c;
      }
      moved |= labels[i] != at;
      labels[i] = at;
    }
    if (!moved) return turn;
    std::vector<double> sums(centres.size());
    std::vector<int> counts(many);
    for (size_t i = 0; i < n; i++) {
      counts[(size_t)labels[i]]++;
      for (size_t j = 0; j < d; j++) sums[(size_t)labels[i] * d + j] += x[i * d + j];
    }
    for (size_t k = 0; k < centres.size(); k++)
      if (counts[k / d]) centres[k] = sums[k] / counts[k / d]; // one without points stays where it is
  }
}

static void clusters(size_t n, size_t d, size_t many) {
  std::normal_distribution<float> normal;
  std::vector<float> around(many * d), x(n * d), start(many * d), sums(many * d);
  std::vector<int> labels(n), want(n, -1);
  for (float &a : around) a = 8 * normal(bits);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0, of = bits() % many; j < d; j++) x[i * d + j] = around[of * d + j] + normal(bits);
  for (size_t c = 0; c < many; c++) memcpy(&start[c * d], &x[bits() % n * d], d * sizeof(float));
  std::vector<double> centres(start.begin(), start.end());
  const int turns = lloyd(x, n, d, centres, want);
  call("a call of kmeans", [&](void *w, size_t *b) {
    return kmeans_float(w, b, x.data(), n, d, d, turns + 1, labels.data(), sums.data(), many, d, start.data(), d);
  }, kmeans_workspace_init);
  size_t differ = 0; // a point may be as far from two centres, but for roundings
  for (size_t i = 0; i < n; i++) differ += labels[i] != want[i];
  expect("labels", differ * 1000 <= n);
  for (size_t k = 0; k < start.size(); k++) expect("a centre", fabs(start[k] - centres[k]) < 1e-2);
}

static void levels(size_t n, size_t edges) {
  std::vector<std::vector<int>> next(n);
  for (size_t i = 0; i < edges; i++) {
    const int from = (int)(bits() % n), to = (int)(bits() % n);
    next[(size_t)from].push_back(to);
    next[(size_t)to].push_back(from);
  }
  std::vector<int> offsets(n + 1), columns, want(n, -1), found(n), queue;
  for (size_t v = 0; v < n; v++) {
    columns.insert(columns.end(), next[v].begin(), next[v].end());
    offsets[v + 1] = (int)columns.size();
  }
  const size_t source = bits() % n;
  want[source] = 0;
  queue.push_back((int)source);
  for (size_t at = 0; at < queue.size(); at++)
    for (int to : next[(size_t)queue[at]])
      if (want[(size_t)to] < 0) {
        want[(size_t)to] = want[(size_t)queue[at]] + 1;
        queue.push_back(to);
      }
  call("a call of bfs", [&](void *w, size_t *b) {
    return bfs_int(w, b, offsets.data(), n + 1, columns.data(), columns.size(), (long long)source, found.data(), n);
  }, bfs_workspace_init);
  expect("levels", found == want);
}

static void rows(size_t n, size_t columns) {
  std::normal_distribution<float> normal;
  std::vector<float> x(n * columns), y(n * columns);
  for (float &a : x) a = 3 * normal(bits);
  call("a call of softmax", [&](void *w, size_t *b) {
    return softmax_float(w, b, x.data(), n, columns, columns, y.data(), columns);
  }, softmax_workspace_init);
  for (size_t i = 0; i < n; i++) {
    const float *row = &x[i * columns];
    double top = -INFINITY, sum = 0;
    for (size_t j = 0; j < columns; j++) top = std::max(top, (double)row[j]);
    for (size_t j = 0; j < columns; j++) sum += exp(row[j] - top);
    for (size_t j = 0; j < columns; j++) {
      const double want = exp(row[j] - top) / sum;
      expect("softmax", fabs(y[i * columns + j] - want) <= 1e-4 * want);
    }
  }
}

int main(int argc, char **argv) {
  bits.seed(argc > 1 ? (unsigned)atoi(argv[1]) : 1);
  clusters(4001, 34, 5);
  clusters(1 + bits() % 3000, 1 + bits() % 9, 1 + bits() % 20);
  levels(1000, 4000);
  levels(1 + bits() % 20000, bits() % 20000);
  levels(1, 3);
  rows(300, 15);
  rows(1 + bits() % 50, 1 + bits() % 3000);
  printf("%d failed\n", failed);
  return failed != 0;
}
