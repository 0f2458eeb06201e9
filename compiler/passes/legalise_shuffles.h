/* legalise_shuffles.h: shuffles of values that the machine has no shuffle for. */
#ifndef TGC_PASSES_LEGALISE_SHUFFLES_H
#define TGC_PASSES_LEGALISE_SHUFFLES_H

#include "ir/element.h"
#include "ir/program.h"

/* Marks the shuffles of T's as SHUFFLE_WORDS where one of the types is more than a number that CUDA's own shuffles
 * take. The printer writes a function for these, which moves 32 bits at a time. */
void pass_legalise_shuffles(Arena *a, Program *p, const ElementType **types, int ntypes);

#endif
