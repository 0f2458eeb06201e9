// cpu.h: what the parts of the measuring process for CPUs share beside operands: the machine.
//
// cpu.cc measures, cpu_machine.cc says where. `tgc bench' (bench/cpu) takes the last one as well.
#ifndef MEASURE_CPU_H
#define MEASURE_CPU_H

#include <cstdint>
#include <string>

#include "arrays.h"

// ---- the machine ----

struct Machine {
  std::string name, compiler;       // "gcc 12.2"
  std::string caches, governor;     // "L1 48K, L2 1024K, L3 32768K"; "" where they cannot be read
  int processors, threads, nodes;   // that the process may use; that OpenMP takes; memories
  uint64_t last_cache, memory;      // bytes
};
Machine this_machine();

double now_us();

#endif
