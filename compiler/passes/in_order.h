/* in_order.h: elements that lanes take in turns, in the order of memory. */
#ifndef TGC_PASSES_IN_ORDER_H
#define TGC_PASSES_IN_ORDER_H

#include "ir/program.h"

/* The statement, if lanes take turns at elements there and no vectors were made of them, as one loop over all elements;
 * else the statement itself. */
Tree *in_order_statement(Arena *a, const Kernel *k, Tree *t);

#endif
