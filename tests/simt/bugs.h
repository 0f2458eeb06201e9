// bugs.h: the kernels of bugs.cu, by shape and bug.
#ifndef TGC_TESTS_SIMT_BUGS_H
#define TGC_TESTS_SIMT_BUGS_H

enum Shape { TREE, SHUFFLES, WARP_TREE, TICKETED, TICKETED_WARPS, SCOPED, WAITING, OVERLAPPING, CLUSTERED, POSTED };

#define BUGS(BUG)                                                                                              \
  BUG(NONE) BUG(NO_BARRIER) BUG(PAST_SHARED) BUG(PAST_OUTPUT) BUG(PAST_INPUT) BUG(PLAIN_UPDATE)                 \
  BUG(DIVERGENT_BARRIER) BUG(DIVERGENT_SHUFFLE) BUG(OUTSIDE_MASK) BUG(NO_WARP_BARRIER) BUG(NO_FENCE)            \
  BUG(LATE_FENCE) BUG(EARLY_FENCE) BUG(NO_TICKET_BARRIER) BUG(BLOCK_SCOPE) BUG(UNWRITTEN) BUG(DEADLOCK)         \
  BUG(NO_WAIT) BUG(LATE_WAIT) BUG(NOT_BEGUN) BUG(NEVER_ARRIVES) BUG(ARRIVES_TWICE) BUG(RELAXED) BUG(READS_AT_ONCE) \
  BUG(ENDS_EARLY) BUG(NEVER_COMES) BUG(OUTSIDE_CLUSTER) BUG(PAST_PARTS) BUG(UNEVEN) BUG(TOO_MANY) BUG(BLOCK_BARRIER) \
  BUG(LATE_STORE) BUG(NOBODY_POSTS) BUG(BEYOND_POSTS) BUG(EARLY_POST) BUG(FIRST_COLLECTS) BUG(DOES_NOT_WAIT) \
  BUG(MISALIGNED)
enum Bug {
#define BUG(name) name,
  BUGS(BUG)
#undef BUG
};

struct Memory {
  const int *in;
  long long n;
  int *partial, *out;
  unsigned *ticket;
  unsigned long long *posts; // a word a block
};

void run_kernel(Shape shape, Bug bug, Memory m);

#endif
