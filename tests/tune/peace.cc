// peace.cc: times that are taken again (runtime/measure/cpu.h), with a made-up clock: which turn counts, how many there
// were, and how long they took. A turn takes a second and says its number; threads lose their processor in those that
// the first argument has a `-' for.
#include <cstdio>
#include <cstring>

#include "measure/cpu.h"

static double clock_us;
static uint64_t lost, turns, rests;

double now_us() { return clock_us; }
uint64_t processors_lost() { return lost; }
void part_threads() { rests++; }

int main(int argc, char **argv) {
  Peace peace;
  const uint64_t known = argc > 1 ? std::strlen(argv[1]) : 0;
  while (turns < known) {
    const double us = peace.time([&] {
      lost += turns < known && argv[1][turns] == '-';
      clock_us += 1e6;
      return (double)++turns;
    });
    std::printf("%.0f ", us);
  }
  std::printf("in %.0f, %llu in vain, %llu rests\n", clock_us / 1e6, (unsigned long long)(peace.in_vain_us / 1e6),
              (unsigned long long)rests);
  return 0;
}
