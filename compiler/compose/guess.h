/* guess.h: which plan serves which sizes, as long as nothing is measured. */
#ifndef TGC_COMPOSE_GUESS_H
#define TGC_COMPOSE_GUESS_H

#include "compose/plan.h"
#include "ir/element.h"
#include "table/table.h"

/* Adds rows for a type: one warp, one block or one cluster for what it reads quickly, a grid for more; parts by how
 * long they are. Among plans that use the machine alike the preferred one (prefer.h). */
void guess_rows(Arena *a, const Plans *plans, const ElementType *type, Table *to);

#endif
