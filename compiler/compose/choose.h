/* choose.h: one entry point from several variants, by size. */
#ifndef TGC_COMPOSE_CHOOSE_H
#define TGC_COMPOSE_CHOOSE_H

#include "compose/plan.h"
#include "ir/element.h"
#include "table/table.h"

/* Which plan serves which size, for each type. Rows of `measured' (may be NULL) where it has the type, or one that is
 * moved and added alike, and all variants that its rows name are among the plans; a remark says why not. Else a first
 * guess, without measurement: one warp, one block or one cluster for what it reads quickly, a grid for more; among
 * equals it prefers what gives the same result in every run, then what the search expects to cost least. */
Table choose_by_size(Arena *a, const Plans *plans, const ElementType *const *types, int ntypes, const Table *measured,
                     Diagnostics *d);

#endif
