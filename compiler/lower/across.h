/* across.h: what lanes contribute of their rows, by columns. */
#ifndef TGC_LOWER_ACROSS_H
#define TGC_LOWER_ACROSS_H

#include "lower/lowering.h"

/* A kernel's text in which lanes add up columns of rows in shared memory, in place of each its own row (across.c). */
void across_kernel(Lowering *l, Kernel *k);

#endif
