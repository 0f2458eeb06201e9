// stranger.h: what the programs beside the codelets share. Each computes by itself, in the plainest way, what a
// generated library computes, on sizes and data that are drawn: it knows nothing of tgc but the library's functions.
#ifndef STRANGER_H
#define STRANGER_H
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <algorithm>
#include <random>
#include <type_traits>
#include <vector>

struct Draw {
  std::mt19937_64 bits;
  // 0 to `most', each length in bits as likely.
  uint64_t size(uint64_t most) {
    unsigned digits = 0;
    while (most >> digits) digits++;
    const uint64_t n = bits() & ((UINT64_C(1) << bits() % (digits + 1)) - 1);
    return n < most ? n : most;
  }
  // 0 to `most': any, or beside a power of two, or one that nothing divides.
  uint64_t length(uint64_t most) {
    static const uint64_t primes[] = {3, 7, 13, 61, 127, 251, 509, 1021, 4093, 16381};
    const uint64_t n = bits() % 3 == 0   ? primes[bits() % 10]
                       : bits() % 2 == 0 ? (UINT64_C(1) << bits() % 15) + bits() % 3 - 1
                                         : size(most);
    return n <= most ? n : size(most);
  }
  template <typename T> T one() {
    if constexpr (std::is_floating_point_v<T>) return (T)std::uniform_real_distribution<double>(-8, 8)(bits);
    else return (T)((int)(bits() % 19) - 9);
  }
  template <typename T> std::vector<T> some(uint64_t n) {
    std::vector<T> all(n);
    for (T &x : all) x = one<T>();
    return all;
  }
  std::vector<int> places(uint64_t n, uint64_t below) {
    std::vector<int> all(n);
    for (int &x : all) x = (int)(bits() % below);
    return all;
  }
  // Where each of so many parts of n elements begins, and where the last one ends: some are empty.
  std::vector<int> offsets(uint64_t parts, uint64_t n) {
    std::vector<int> all = places(parts + 1, n + 1);
    std::sort(all.begin(), all.end());
    return all;
  }
};

// Rows lie `leading' elements apart; what lies between them is to stay as it is.
template <typename T> struct Matrix {
  uint64_t rows, columns, leading;
  std::vector<T> at;
  Matrix(Draw &d, uint64_t rows, uint64_t columns)
      : rows(rows), columns(columns), leading(columns + d.size(3)), at(d.some<T>(rows * leading)) {}
  T &operator()(uint64_t row, uint64_t column) { return at[row * leading + column]; }
};

static uint64_t stranger_seed;

[[noreturn]] static void fail(const char *what, uint64_t i, double got, double want) {
  printf("seed %llu: %s[%llu] is %.17g, and should be %.17g\n", (unsigned long long)stranger_seed, what,
         (unsigned long long)i, got, want);
  exit(1);
}

// Integers the same; floats as far off as a few roundings of what was added up, whose magnitudes are `sum' together.
template <typename T> void agree(const char *what, uint64_t i, T got, double want, double sum = 0) {
  const double room = std::is_floating_point_v<T> ? 1e-5 * (fabs(want) + sum) : 0;
  if (!((double)got == want || fabs((double)got - want) <= room)) fail(what, i, (double)got, want);
}

// What lies between the lines of a matrix is as it was.
template <typename T> void intact(const char *what, const Matrix<T> &now, const Matrix<T> &before) {
  for (uint64_t i = 0; i < now.at.size(); i++)
    if (i % now.leading >= now.columns && now.at[i] != before.at[i])
      fail(what, i, (double)now.at[i], (double)before.at[i]);
}

// The function `f' of a library, in a workspace of its own.
template <typename F, typename I, typename... A> void call(F f, I init, A... a) {
  size_t bytes = 0;
  int error = f(nullptr, &bytes, a...);
  void *workspace = malloc(bytes);
  if (!error) error = init(workspace, bytes);
  if (!error) error = f(workspace, &bytes, a...);
  free(workspace);
  if (error) {
    printf("seed %llu: the library returns %d\n", (unsigned long long)stranger_seed, error);
    exit(1);
  }
}

static void once(Draw &d); // one call of each of the library's functions

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 10) : 1;
  for (stranger_seed = first; stranger_seed < first + 60; stranger_seed++) {
    Draw d = {std::mt19937_64(stranger_seed)};
    once(d);
  }
  return 0;
}
#endif
