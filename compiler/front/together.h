/* together.h: the way of lanes together to combine the results of given parts. */
#ifndef TGC_FRONT_TOGETHER_H
#define TGC_FRONT_TOGETHER_H

#include "ir/tree.h"

/* The cooperative codelet that does what an autonomous one does by a loop over rows, columns or elements: lanes take
 * every so many of them, and combine what each of them has. NULL: its text is no such loop, or the operator does not
 * commute. */
Codelet *together_made(Arena *a, const Unit *u, const Codelet *alone);

#endif
