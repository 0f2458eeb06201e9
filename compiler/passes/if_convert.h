/* if_convert.h: what only some lanes accumulate, accumulated by all of them. */
#ifndef TGC_PASSES_IF_CONVERT_H
#define TGC_PASSES_IF_CONVERT_H

#include "ir/program.h"

/* k's body, behind the simd pass: a loop over the lanes that accumulates in an element of each lane's own, under a
 * condition, becomes one that does so for all lanes, where those that were left out take what changes nothing. The
 * result is in `a'. */
Tree *pass_if_convert(Arena *a, const Kernel *k, Tree *body);

#endif
