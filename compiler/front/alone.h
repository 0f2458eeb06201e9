/* alone.h: one lane's way to combine the results of given parts. */
#ifndef TGC_FRONT_ALONE_H
#define TGC_FRONT_ALONE_H

#include "front/divide.h"

/* Adds an autonomous codelet to each spectrum that has none, and a codelet that does nothing but combine results of
 * rows, columns or elements. Before extract_maps(), which has them stored. */
void alone_add(Arena *a, Unit *u);

/* The map that an expression is, or names; NULL: it is none. */
const Tree *alone_map_of(const Tree *t);
/* The map of rows, columns or elements whose results are combined there; NULL: there is none. */
const Tree *alone_map(const Tree *t);
/* The codelet that does nothing but combine such, of a spectrum that has none for one lane; NULL: it has none. */
const Codelet *alone_combines(const Spectrum *s);

/* Of a map of such a spectrum the part `part', and of its own map `inner' the part `at': how many of both there are. */
typedef struct AlonePart {
  const Tree *map, *inner;
  Tree *part, *at, **parts, **combined;
} AlonePart;
/* The result of that part of a part, by the copies `params' of the parameters of the codelet that has the map; what
 * comes before it is added to the statements. NULL: it is not to be written out. */
Tree *alone_result(Arena *a, const Codelet *outer, Symbol *const *params, const AlonePart *of, DivideStatements *to);

#endif
