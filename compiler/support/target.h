/* target.h: what nvcc is to compile for. */
#ifndef TGC_SUPPORT_TARGET_H
#define TGC_SUPPORT_TARGET_H

#include "support/arena.h"

/* "sm_80"; of 9.0 with the instructions that no later machine has, products by groups of warps: "sm_90a". */
const char *target_of_compute(Arena *a, int compute);

#endif
