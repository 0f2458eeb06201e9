/* elements.h: maps of functions over the elements of containers (elements.c). */
#ifndef TGC_FRONT_ELEMENTS_H
#define TGC_FRONT_ELEMENTS_H

#include "front/convert.h"
#include "front/recurrences.h"

/* `map(f, ..)' or `Map m(f, ..)', f being a function: a TRANSFORM of containers, side by side. Of several dimensions it
 * can only be stored. NULL after an error. */
Tree *convert_elements(Converter *c, CXCursor call, Spectrum *f);
/* It stands where a view belongs: itself, or NULL after an error. */
Tree *convert_elements_view(Converter *c, CXCursor at, Tree *map);
/* `Map m(f, ..)': `s' is m, whose `init' is such a map. */
void convert_elements_named(Converter *c, Symbol *s);
/* What m stands for in an expression; NULL: it is the name of no such map, or after an error. */
Tree *convert_elements_reference(Converter *c, CXCursor at, const Symbol *s);
/* `m.to(into)', until the codelet's end: then the loops that store all elements, or a step that does. */
Tree *convert_elements_store(Converter *c, CXCursor call, const Symbol *s, CXCursor into);
bool convert_elements_stored(Converter *c, Codelet *k);
/* At a codelet's end: is one of them not used? */
bool convert_elements_used(Converter *c);

/* Spectra whose only codelet is such a map, stored, get those that cut it in tiles, and in strides; loops that store
 * what they have added up become steps (sums.h), those that go on from element to element scans (recurrences.h), and
 * those that store anything else are divided (stores.h). */
void elements_divide(Arena *a, Unit *u, const ScanText *text, Diagnostics *d);

#endif
