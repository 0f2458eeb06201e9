/* trim_exchange.h: exchanges of a warp do no more than their result needs. */
#ifndef TGC_PASSES_TRIM_EXCHANGE_H
#define TGC_PASSES_TRIM_EXCHANGE_H

#include "ir/program.h"

/* k's body with narrower exchanges, made in `a'; remarks (pass "trim-exchange") go to d. Never fails. */
Tree *pass_trim_exchange(Arena *a, const Kernel *k, Tree *body, Diagnostics *d);

#endif
