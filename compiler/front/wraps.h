/* wraps.h: where positions of 64 bits would be other numbers than C++'s. */
#ifndef TGC_FRONT_WRAPS_H
#define TGC_FRONT_WRAPS_H

#include "support/diagnostics.h"
#include "ir/tree.h"

/* A codelet as it was written, with C++'s types: what index_types.c takes it from. Symbols have their types of
 * after. */
typedef struct WrittenSymbol { const Symbol *of; const Tree *init, *length; } WrittenSymbol;
typedef struct Written {
  const Codelet *of;
  const Tree *body;
  VEC(WrittenSymbol) symbols; /* that have an expression of their own: maps, sequences, containers */
} Written;
Written front_written(Arena *a, const Codelet *c);

/* An error for each place where the text, as C++ has it, would wrap an unsigned number around that is a position here,
 * and the difference shows. False: there is such a place. */
bool front_wraps(Arena *a, const Written *written, Diagnostics *d);

#endif
