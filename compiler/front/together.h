/* together.h: the way of lanes together to combine the results of given parts. */
#ifndef TGC_FRONT_TOGETHER_H
#define TGC_FRONT_TOGETHER_H

#include "front/divide.h"

/* The cooperative codelet that does what an autonomous one does by a loop over rows, columns or elements: lanes take
 * every so many of them, and combine what each of them has. NULL: its text is no such loop, or the operator does not
 * commute. */
Codelet *together_made(Arena *a, const Unit *u, const Codelet *alone);

/* ---- what lanes do together ---- */

/* A variable that each lane has accumulated for itself, and that lanes combine: by the statement `best op= v', from
 * `none' on, the operator's identity. `all': every lane gets what comes of it, else the first. */
typedef struct Exchange {
  Arena *a;
  Symbol *best;
  const Tree *combine, *none;
  SourceRange where;
  bool all;
} Exchange;

/* The arrays that they exchange by are declared; their names end in the number. */
enum { EXCHANGE_ARRAYS = 3 };
void together_share(const Exchange *x, const char *number, DivideStatements *to, Symbol **of);
void together_exchange(const Exchange *x, Symbol *const *of, DivideStatements *to);
/* The loop from 0 to `end', of every coopDim()-th turn from the lane's own number on. */
Tree *together_turns(Arena *a, const Tree *loop, const Tree *end);

#endif
