/* searches.h: loops that look for something, as loops that add up (searches.c). */
#ifndef TGC_FRONT_SEARCHES_H
#define TGC_FRONT_SEARCHES_H

#include "ir/tree.h"

/* The codelet's statements, with each loop that looks for something as one or two that add up numbers, and what follows
 * from these behind it; other statements are as they were. What is given is not changed. */
Tree *searches_as_sums(Arena *a, const Tree *body);

#endif
