// graphs.h: graphs in CSR for benchmarks of bfs and sssp: made by name from a seed.
//
//   random     2^20 vertices, 6 edges in the mean from each, anywhere: the shape of Rodinia's graph1MW_6
//   rmat       2^20 vertices, 16 edges a vertex by R-MAT (0.57, 0.19, 0.19, 0.05), shuffled
//   random:VxE rmat:SxE   V or 2^S vertices, E edges a vertex in the mean
//
// Edges lead both ways. The same name and seed give the same graph on any machine. Edges from one vertex lie together,
// in no order; some vertices have none, and the same edge may be there twice, or lead back to its vertex.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "random.h"

namespace graphs {

using draws::Random;

struct Graph {
  int vertices = 0;
  std::vector<int> offsets, column;
  size_t edges() const { return column.size(); }
};

// Of each pair an edge both ways.
inline Graph of_pairs(int vertices, const std::vector<std::pair<int, int>> &pairs) {
  Graph g;
  g.vertices = vertices;
  g.offsets.assign((size_t)vertices + 1, 0);
  for (const auto &p : pairs) {
    g.offsets[(size_t)p.first + 1]++;
    g.offsets[(size_t)p.second + 1]++;
  }
  for (int v = 0; v < vertices; v++) g.offsets[(size_t)v + 1] += g.offsets[(size_t)v];
  g.column.resize(2 * pairs.size());
  std::vector<int> at(g.offsets.begin(), g.offsets.end() - 1);
  for (const auto &p : pairs) {
    g.column[(size_t)at[(size_t)p.first]++] = p.second;
    g.column[(size_t)at[(size_t)p.second]++] = p.first;
  }
  return g;
}

inline Graph anywhere(int vertices, int mean, uint64_t seed) {
  Random r(seed);
  std::vector<std::pair<int, int>> pairs((size_t)vertices * (size_t)mean / 2);
  for (auto &p : pairs) p = {(int)r.below((uint64_t)vertices), (int)r.below((uint64_t)vertices)};
  return of_pairs(vertices, pairs);
}

inline Graph rmat(int scale, int mean, uint64_t seed) {
  Random r(seed);
  const int vertices = 1 << scale;
  std::vector<int> number((size_t)vertices);
  for (int v = 0; v < vertices; v++) number[(size_t)v] = v;
  for (int v = vertices - 1; v > 0; v--) std::swap(number[(size_t)v], number[r.below((uint64_t)v + 1)]);
  std::vector<std::pair<int, int>> pairs((size_t)vertices * (size_t)mean / 2);
  for (auto &p : pairs) {
    int from = 0, to = 0;
    for (int bit = 0; bit < scale; bit++) {
      const uint64_t u = r.below(100); // 57, 19, 19 and 5 of 100 in the four quarters
      from = 2 * from + (u >= 76);
      to = 2 * to + ((u >= 57 && u < 76) || u >= 95);
    }
    p = {number[(size_t)from], number[(size_t)to]};
  }
  return of_pairs(vertices, pairs);
}

// By name; throws std::runtime_error where there is no such graph.
inline Graph made(const std::string &name, uint64_t seed = 1) {
  int size = 0, mean = 0;
  if (name == "random") return anywhere(1 << 20, 6, seed);
  if (name == "rmat") return rmat(20, 16, seed);
  if (std::sscanf(name.c_str(), "random:%dx%d", &size, &mean) == 2 && size > 0 && mean >= 0 && mean < 1024)
    return anywhere(size, mean, seed);
  if (std::sscanf(name.c_str(), "rmat:%dx%d", &size, &mean) == 2 && size >= 0 && size <= 26 && mean >= 0 && mean < 1024)
    return rmat(size, mean, seed);
  throw std::runtime_error("no graph is named `" + name + "'");
}

// The vertex of each edge's beginning, in the order of `column'.
inline std::vector<int> beginnings(const Graph &g) {
  std::vector<int> from(g.edges());
  for (int v = 0; v < g.vertices; v++)
    for (int e = g.offsets[(size_t)v]; e < g.offsets[(size_t)v + 1]; e++) from[(size_t)e] = v;
  return from;
}

inline int greatest_degree(const Graph &g) {
  int most = 0;
  for (int v = 0; v < g.vertices; v++) {
    const int degree = g.offsets[(size_t)v + 1] - g.offsets[(size_t)v];
    if (degree > most) most = degree;
  }
  return most;
}

// Levels from a vertex, one vertex after another: what is compared with.
inline std::vector<int> levels(const Graph &g, int source) {
  std::vector<int> level((size_t)g.vertices, -1), queue;
  if (source < 0 || source >= g.vertices) return level;
  level[(size_t)source] = 0;
  queue.push_back(source);
  for (size_t i = 0; i < queue.size(); i++)
    for (int e = g.offsets[(size_t)queue[i]]; e < g.offsets[(size_t)queue[i] + 1]; e++) {
      const int v = g.column[(size_t)e];
      if (level[(size_t)v] >= 0) continue;
      level[(size_t)v] = level[(size_t)queue[i]] + 1;
      queue.push_back(v);
    }
  return level;
}

} // namespace graphs
