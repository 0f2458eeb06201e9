/* lane_sums.h: what the lanes of a vector contribute to a place, summed up by each lane first. */
#ifndef TGC_PASSES_LANE_SUMS_H
#define TGC_PASSES_LANE_SUMS_H

#include "ir/program.h"

/* k's body, before the simd pass: loops whose lanes all contribute to one place accumulate in a variable of each lane's
 * own, and the vector contributes once behind them. The result is in `a'. */
Tree *pass_lane_sums(Arena *a, const Kernel *k, Tree *body);

#endif
