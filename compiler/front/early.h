/* early.h: codelets that return before their end, as codelets that return there (early.c). */
#ifndef TGC_FRONT_EARLY_H
#define TGC_FRONT_EARLY_H

#include "ir/tree.h"

/* The bodies of all autonomous codelets; those that return in another way stay, and are refused. */
void early_returns(Arena *a, Unit *u);

#endif
