/* inline.h: what the files that inline a codelet's body share.
 *
 *   inline_values.c  names and expressions
 *   inline_loops.c   loops that go through the container: what can be told of them
 *   inline_shared.c  shared variables
 *   inline.c         statements */
#ifndef TGC_LOWER_INLINE_H
#define TGC_LOWER_INLINE_H

#include "lower/lowering.h"

/* ---- inline_values.c ---- */
/* What a parameter stands for; NULL: it is not a container of the codelet's. */
View *inline_container(const Environment *e, const Symbol *s);
/* Is it all of memory that its container has? There a position is an element's number. */
bool inline_is_whole(const View *v);
/* An index into a vector's own slice, which begins at `offset', of the array that all vectors have. */
Tree *inline_slice_index(Lowering *l, Tree *offset, Tree *index);
/* Is it the carry, before or after it is replaced, of a scan that begins at nothing? A 0 that the codelet's text adds
 * otherwise is added: it makes 0 of a float's -0. */
bool inline_carries_nothing(const Environment *e, const Tree *t);

/* ---- inline_loops.c ---- */
/* Is it the lane's own number, by whatever name: `ThreadId()', or a variable declared to be that and never assigned? */
bool inline_is_own_number(const Tree *body, const Tree *index);

/* ---- inline_shared.c ---- */
/* Declares the body's shared variables at the kernel's head. */
void inline_shared(Lowering *l, Environment *e, const Codelet *c, const Tree *body);

#endif
