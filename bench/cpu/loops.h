// loops.h: a loop that takes the same operands as the folder's functions.
#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#include "measure/cpu.h"

struct Loop {
  const char *name;
  void (*run)(const Slot *operands);
};

// Those of one element type, NULL ends them.
struct Loops {
  const char *type;
  const Loop *openmp, *serial;
};
extern const Loops all_loops[];
extern const int all_loop_count;

// Reads arrays with all threads; best of these is what memory, or the cache that they lie in, can give.
extern const Loop reading_loops[];
// Which arrays: those that the operands say are read. How many bytes that are.
uint64_t set_reading(const Problem &problem);
// .. and how many are read or written in all.
uint64_t bytes_moved(const Problem &problem);

// So many calls of OpenBLAS's function for the type and the workload; NULL: it has none, or is not there, and *why says
// so.
typedef void BlasCalls(const Slot *operands, uint64_t calls);
BlasCalls *blas_of(const char *type, std::string *why);

#endif
