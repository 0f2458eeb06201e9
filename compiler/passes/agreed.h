/* agreed.h: numbers that all lanes of a grid have alike, and steps that do nothing where one of them is 0. */
#ifndef TGC_PASSES_AGREED_H
#define TGC_PASSES_AGREED_H

#include "passes/predicate.h"

/* Is it made of what all lanes are given, of elements of memory at such places, and of these numbers? */
bool agreed(const Tree *t, const TreeList *declares);

/* Of the kernel's statements those that declare such numbers. */
TreeList agreed_numbers(Arena *a, const Tree *body);

/* The statement, by its number in the kernel's body, that declares a number of these which is read from memory, and
 * without which the kernel does nothing: if it is 0, no memory of the grid's is stored to. -1: there is none. */
int agreed_work(Arena *a, const Kernel *k);

#endif
