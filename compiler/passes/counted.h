/* counted.h: a program whose number of elements is read on the device. */
#ifndef TGC_PASSES_COUNTED_H
#define TGC_PASSES_COUNTED_H

#include "ir/program.h"

/* A copy of a finished program, one that all passes went over, whose kernels read how many elements there are from
 * memory, when they run: the host's `n' becomes the most that there may be, and decides over grid and workspace. Its
 * `count' is the host's pointer to the number. Never fails; everything is in `a', and the program must outlive it. */
Program *counted_program(Arena *a, const Program *p);

#endif
