/* narrow.h: exchanges of a warp do no more than their result needs. */
#ifndef TGC_PASSES_NARROW_H
#define TGC_PASSES_NARROW_H

#include "ir/program.h"

/* k's body with narrower exchanges, made in `a'; remarks (pass "narrow") go to d. Never fails. */
Tree *pass_narrow(Arena *a, const Kernel *k, Tree *body, Diagnostics *d);

#endif
