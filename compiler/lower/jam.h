/* jam.h: what one lane computes of several parts of an inner map, at once. */
#ifndef TGC_LOWER_JAM_H
#define TGC_LOWER_JAM_H

#include "lower/lowering.h"

/* A kernel's text with inner reductions taken several at a time (jam.c). */
void jam_kernel(Lowering *l, Kernel *k);

#endif
