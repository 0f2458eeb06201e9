/* collect.h: what a block's lanes append, appended by the block. */
#ifndef TGC_PASSES_COLLECT_H
#define TGC_PASSES_COLLECT_H

#include "ir/program.h"

/* `body', k's, with a place in shared memory for what goes to a queue; the result is in `a'. */
Tree *pass_collect(Arena *a, const Kernel *k, Tree *body);

#endif
