/* wraps.h: where positions of 64 bits would be other numbers than C++'s. */
#ifndef TGC_FRONT_WRAPS_H
#define TGC_FRONT_WRAPS_H

#include "support/diagnostics.h"
#include "ir/tree.h"

/* An error for each place where the text, as C++ has it, would wrap an unsigned number around that is a position here,
 * and the difference shows. `written' is the codelet's body before index_types.c, with C++'s types; the symbols have
 * theirs of after. False: there is such a place. */
bool front_wraps(Arena *a, const Codelet *c, const Tree *written, Diagnostics *d);

#endif
