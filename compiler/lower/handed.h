/* handed.h: containers of a codelet's own that are handed on, element by element, as they are written (ir/handed.h).
 *
 * Such a container is a view without memory. Who stores an element does instead what the map does with it: the map's
 * codelet, by the same lane, in the same place of the text. */
#ifndef TGC_LOWER_HANDED_H
#define TGC_LOWER_HANDED_H

#include "ir/handed.h"
#include "lower/lowering.h"

/* The container of the codelet whose environment that is, as its own view; false: it cannot be handed on, which is
 * said. */
bool handed_open(Lowering *l, Environment *e, const Handed *h);

/* Is it one of these? */
static inline bool handed_is(const View *v) { return v->source.kind == VIEW_HANDED; }

/* What the codelet's text calls it. */
const char *handed_name(const View *v);

/* Hands on element number `index' of it, which is `value'. */
static inline void handed_put(Lowering *l, const View *v, Tree *index, Tree *value) {
  v->source.handing->put(l, v, index, value);
}

#endif
