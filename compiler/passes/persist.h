/* persist.h: the launches of a loop as one kernel (persist.c). */
#ifndef TGC_PASSES_PERSIST_H
#define TGC_PASSES_PERSIST_H

#include "ir/program.h"
#include "support/diagnostics.h"

/* What lasts is made in `a'. False: a step's kernel cannot be a part of another, an internal error. */
bool pass_persist(Arena *a, Program *p, Diagnostics *d);

#endif
