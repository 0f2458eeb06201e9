/* counts.h: scans of flags whose results are handed on: what a tile counts, and what its flags are computed of. */
#ifndef TGC_LOWER_COUNTS_H
#define TGC_LOWER_COUNTS_H

#include "lower/lowering.h"

/* Is each element of a view 0 or 1? */
bool counts_flags(Lowering *l, const View *v);

/* The container whose elements, side by side in memory, those of a view are computed of: the first one that there is,
 * its element 0 that of the view's element 0. NULL: there is none, or 16-byte loads do not meet its elements. */
View *counts_source(Lowering *l, View *v);
/* Its element of that number, as it stands where the view's element is computed. */
Tree *counts_element(Lowering *l, const View *v, Tree *index);
/* The same text, with what is held for that element. */
Tree *counts_of_held(Lowering *l, Tree *t, const Tree *element, Tree *held);
/* .. and with what is held for those before it, in the same row of `per' items: it is item `k' of `tile', and all of
 * these are in the container. */
Tree *counts_near_held(Lowering *l, Tree *t, const Tree *element, Symbol *tile, Tree *k, Tree *per);

/* A codelet's text, whose numbers of that type are less than a tile has elements: they have 32 bits. */
Form counts_narrow(Lowering *l, const Form *form, Type wide);

#endif
