/* loads_first.h: loops of a lane that move elements, several turns of which load before the first of them stores
 * (loads_first.c). */
#ifndef TGC_PASSES_LOADS_FIRST_H
#define TGC_PASSES_LOADS_FIRST_H

#include "ir/program.h"

/* The kernel's body, in `a'. Never fails. */
Tree *pass_loads_first(Arena *a, const Kernel *k, Tree *body);

#endif
