/* jam.h: what one lane computes of several parts of an inner map, at once. */
#ifndef TGC_LOWER_JAM_H
#define TGC_LOWER_JAM_H

#include "lower/lowering.h"

/* May elements of the types at hand be read from shared memory 16 bytes at a time? */
bool jam_has_widths(const Lowering *l);
/* A kernel's text with inner reductions taken several at a time (jam.c). */
void jam_kernel(Lowering *l, Kernel *k);

#endif
