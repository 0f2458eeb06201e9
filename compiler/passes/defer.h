/* defer.h: stores that only say that something happened (defer.c). */
#ifndef TGC_PASSES_DEFER_H
#define TGC_PASSES_DEFER_H

#include "ir/program.h"

/* The kernel's body, in `a'. Never fails. */
Tree *pass_defer(Arena *a, const Kernel *k, Tree *body);

#endif
