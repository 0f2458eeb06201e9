/* hoist.h: what does not vary over a grid leaves its kernels. */
#ifndef TGC_PASSES_HOIST_H
#define TGC_PASSES_HOIST_H

#include "ir/program.h"

/* Moves kernels' constants that only their parameters decide to the host's part, before the launch. Bodies are made in
 * `a', what the host's part gets in `keep'. Never fails. */
void pass_hoist(Arena *a, Arena *keep, Program *p);

#endif
