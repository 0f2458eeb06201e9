/* writes.h: may a codelet write what it writes? */
#ifndef TGC_FRONT_WRITES_H
#define TGC_FRONT_WRITES_H

#include "ir/tree.h"

/* Containers that are given to spectra that write them are ones that the codelet may write, and no two parts of a map
 * are given all of one. What is declared __accum is contributed to by that operation alone. */
bool front_writes(const Codelet *c, Diagnostics *d);

/* Which parameter of the codelet the symbol is; -1: none. */
int writes_parameter(const Codelet *c, const Symbol *s);

/* The codelet's parameter that argument i of a CALL, MAP or SLIDE is for, by the signature of what is applied; NULL:
 * there is none, as for a SLIDE's carry. */
const Symbol *writes_parameter_for(const Tree *applied, int i);

/* Are the codelet's results all written by this map, which applies its own spectrum to parts? Then the parts have to be
 * of everything. */
bool writes_by_one_map(const Codelet *c, const Tree *map);

#endif
