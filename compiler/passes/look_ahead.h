/* look_ahead.h: elements that others may write meanwhile, looked up by several iterations at once (look_ahead.c). */
#ifndef TGC_PASSES_LOOK_AHEAD_H
#define TGC_PASSES_LOOK_AHEAD_H

#include "ir/program.h"

/* The kernel's body, in `a'. Never fails. */
Tree *pass_look_ahead(Arena *a, const Kernel *k, Tree *body);

#endif
