// random.h: numbers drawn from a seed, the same ones with every compiler and library.
#ifndef BENCH_DATA_RANDOM_H
#define BENCH_DATA_RANDOM_H

#include <cstdint>

namespace draws {

struct Random {
  uint64_t state;
  explicit Random(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du) {}
  uint64_t bits() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
  }
  uint64_t below(uint64_t n) { return (bits() >> 11) % n; }
  double unit() { return (double)(bits() >> 11) / 9007199254740992.0; } // 0 to 1
  double value() { return (double)below(2001) / 1000 - 1; }             // -1 to 1
};

} // namespace draws

#endif
