/* target.c: what nvcc is to compile for. */
#include "support/target.h"

const char *target_of_compute(Arena *a, int compute) {
  enum { WITH_OWN_INSTRUCTIONS = 90 };
  return arena_printf(a, compute == WITH_OWN_INSTRUCTIONS ? "sm_%da" : "sm_%d", compute);
}
