// cpu.h: what the parts of the measuring process for CPUs share beside operands: the machine, and how a call is timed.
//
// cpu.cc measures, cpu_machine.cc says where. `tgc bench' (bench/cpu) takes the last one as well.
#ifndef MEASURE_CPU_H
#define MEASURE_CPU_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "arrays.h"

// ---- the machine ----

struct Machine {
  std::string name, compiler;       // "gcc 12.2"
  std::string caches, governor;     // "L1 48K, L2 1024K, L3 32768K"; "" where they cannot be read
  int processors, threads, nodes;   // that the process may use; that OpenMP takes; memories
  uint64_t last_cache, memory;      // bytes
  double meeting, waking;           // microseconds: all threads, to begin and end together; where they have slept
};
Machine this_machine();

// ---- time ----

double now_us();

// What is to take a while takes so much of it: tests, which look at no figure, name a percentage in $TGC_BUDGET.
static inline double budget_share() {
  const char *percent = std::getenv("TGC_BUDGET");
  const double share = percent ? std::atof(percent) / 100 : 1;
  return share > 0 && share < 1 ? share : 1;
}

// How a call is timed, by `tgc tune' as by `tgc bench': one after the other on the same data, by threads that are
// awake. What went before has left the threads asleep and the caches with other data, so calls go ahead that do not
// count.
template <typename Call>
static double time_of(Call &&call, uint64_t calls) {
  const double begin = now_us();
  for (uint64_t i = 0; i < calls; i++) call();
  return (now_us() - begin) / (double)calls;
}

template <typename Call>
static void warm_up(Call &&call, double wake_us = 200) {
  const double begin = now_us();
  wake_us *= budget_share();
  do call();
  while (now_us() - begin < wake_us);
}

// As many calls as take about that long, and no fewer than one.
template <typename Call>
static uint64_t calls_for(Call &&call, double us) {
  warm_up(call);
  for (uint64_t calls = 1;; calls *= 4) {
    const double each = time_of(call, calls);
    if (each * (double)calls >= us / 8 || calls >= 1 << 22) return std::max<uint64_t>(1, us / std::max(each, 1e-3));
  }
}

// ---- other work ----

// How often one of the process's threads has lost its processor, to other work or to another thread.
uint64_t processors_lost();

// Moves the process's threads apart, each to a processor of its own as far as there are some, and binds none. A kernel
// may leave two that are always busy on one processor for seconds, with another one idle.
void part_threads();

// Which processor each of so many threads is moved to, by age. The first has the first one, which is the caller's; the
// others share the rest in turn: those of OpenMP, and those of a library that has its own, come one after the other.
static inline std::vector<int> apart(const std::vector<int> &processors, size_t threads) {
  std::vector<int> places;
  for (size_t i = 0; i < threads && processors.size() > 1; i++)
    places.push_back(processors[i ? 1 + (i - 1) % (processors.size() - 1) : 0]);
  return places;
}

// Times are taken in peace: one during which a thread lost its processor is taken again. A machine with other work gets
// no peace, so what was in vain takes no longer in all than what was not, and a second.
struct Peace {
  uint64_t (*lost)() = processors_lost;
  double (*clock)() = now_us;
  void (*rest)() = part_threads;
  double kept_us = 0, in_vain_us = 0;

  template <typename Turn>
  double time(Turn &&turn) {
    for (const double more_us = 1e6 * budget_share();;) {
      const double begin = clock();
      const uint64_t before = lost();
      const double us = turn(), took = clock() - begin;
      if (lost() == before || in_vain_us + took > kept_us + more_us) {
        kept_us += took;
        return us;
      }
      rest();
      in_vain_us += clock() - begin;
    }
  }
};

#endif
