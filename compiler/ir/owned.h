/* owned.h: containers of a compound codelet's own, to which its map's workers contribute instead of to what they are
 * merged into behind it.
 *
 *     Array<2, T> own(sums.Size(0), sums.Size(1));
 *     map(f<T>, partition(points, i, whole()), own);
 *     merge<T>(own, sums);
 */
#ifndef TGC_IR_OWNED_H
#define TGC_IR_OWNED_H

#include "ir/signature.h"
#include "ir/tree.h"

typedef struct Owned {
  const Symbol *container[MOST_OPERANDS];
  const Tree *merge[MOST_OPERANDS]; /* the call `merge(own, into)'; NULL: there is none */
  int call[MOST_OPERANDS];          /* .. its number among the calls behind the map */
  int n;                            /* containers that the text declares; so many of them are known at most */
} Owned;

Owned owned_of(const Codelet *c);

#endif
