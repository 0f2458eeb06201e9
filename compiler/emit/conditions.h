/* conditions.h: what rows of a table may ask of an output's calls beside their size. */
#ifndef TGC_EMIT_CONDITIONS_H
#define TGC_EMIT_CONDITIONS_H

#include "emit/emit.h"

/* What calls can tell: bits of table/conditions.h. */
unsigned output_conditions(const Output *o);

/* Tiles of results whose sides a call tells: the members of a configuration that are their extents, and the sizes, of
 * each dimension; `inner': of how many elements each is made, a size as well; NULL: no size says so. False: no variant
 * has such, or the output's rows have no rivals: a library that selects online, or one for a CPU. */
typedef struct OutputTiles {
  int rank;
  const char *member[MOST_DIMENSIONS], *side[MOST_DIMENSIONS], *inner, *panel; /* panel: NULL: of none */
} OutputTiles;
bool output_tiles(Arena *a, const Output *o, OutputTiles *t);

/* .. and a C expression of what a call is like, of those bits by name, for one of the output's types. */
const char *output_call_is_like(Arena *a, const Output *o, const ElementType *e);

#endif
