/* kernel_run.h: kernel form, run: in lockstep, which is what it means, and lane by lane, which is what machines do. */
#ifndef TGC_TESTS_KERNEL_RUN_H
#define TGC_TESTS_KERNEL_RUN_H

#include "ir/program.h"

enum { RUN_LANES = 128, RUN_SLOTS = 512 };

typedef struct RunResult {
  int64_t out[RUN_SLOTS];  /* the memory behind `out' */
  const char *fault;       /* a race, a barrier that not all reach, an index outside; NULL: none */
} RunResult;

/* Integers only; reductions of a warp in lockstep only. in[i] and the parameters have fixed values; `lanes` is a
 * multiple of 32, at most RUN_LANES. Lockstep: statement by statement, all lanes load, then all lanes store. */
RunResult kernel_run_lockstep(Arena *a, const Kernel *k, const Tree *body, int lanes);

/* Lanes in random order, each on its own until it has to wait; every access to shared memory is checked for races. */
RunResult kernel_run_apart(Arena *a, const Kernel *k, const Tree *body, int lanes, unsigned seed);

/* A random kernel as text (kernel_text.h): exchanges of all kinds in branches and loops, well defined in lockstep. */
const char *kernel_run_random(Arena *a, unsigned seed);

#endif
