/* reduce.h: exchanges of a warp as one instruction. */
#ifndef TGC_PASSES_REDUCE_H
#define TGC_PASSES_REDUCE_H

#include "arch/arch.h"
#include "ir/element.h"
#include "ir/program.h"

/* What the pass knows of the variant: the machine, and the types that T may be. */
typedef struct ReduceTarget {
  const Arch *machine;
  const ElementType **types;
  int ntypes;
} ReduceTarget;

/* A body with warp reductions for exchange loops, for the types that have them; made in `a'. Remarks (pass "reduce") go
 * to d. Never fails. */
Tree *pass_reduce(Arena *a, const ReduceTarget *target, Tree *body, Diagnostics *d);

#endif
