/* handed.h: compound codelets that scan into a container of their own, of which a map has each element.
 *
 *   Array<1, long> place(x.Size());
 *   long count = places(flags, 0, place);
 *   map(put<T>, elements(x), elements(place), out);
 *   return count;
 *
 * A scan writes each element once. So nobody need store it: whoever has it does what the map would do with it. */
#ifndef TGC_IR_HANDED_H
#define TGC_IR_HANDED_H

#include "ir/tree.h"

typedef struct Handed {
  const Symbol *container; /* the codelet's own; NULL: the codelet is none of these */
  const Tree *declare;     /* its declaration */
  const Tree *call;        /* who writes it */
  const Tree *map;         /* who has its elements */
} Handed;

Handed handed_of(const Codelet *c);

#endif
