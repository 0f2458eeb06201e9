/* clock.h: the clock of the tests of online.h and saving.h: a thread's time passes in its calls. */
#ifndef TGC_TESTS_DEVICE_CLOCK_H
#define TGC_TESTS_DEVICE_CLOCK_H

#define ONLINE 1
#include <stdint.h>
#include <time.h>

static _Thread_local uint64_t passed;
static int second_takes = 3;

static int read_clock(struct timespec *at) {
  at->tv_sec = (time_t)(passed / 1000000000u);
  at->tv_nsec = (long)(passed % 1000000000u);
  return 0;
}
#define clock_gettime(clock, at) read_clock(at)
#define PASSES(thousand) (passed += 1000 * (uint64_t)(thousand))

#endif
