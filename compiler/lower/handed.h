/* handed.h: containers of a codelet's own that are handed on, element by element, as they are written (ir/handed.h).
 *
 * Such a container is a view without memory. Who stores an element does instead what the map does with it: the map's
 * codelet, by the same lane, in the same place of the text. */
#ifndef TGC_LOWER_HANDED_H
#define TGC_LOWER_HANDED_H

#include "ir/handed.h"
#include "lower/lowering.h"

/* Which of the statements of the map's codelet are meant: all; those that store side by side; the others. */
typedef enum HandedPart { HANDED_ALL, HANDED_SIDE_BY_SIDE, HANDED_REST } HandedPart;

/* How an element is handed on. */
struct Handover {
  const Tree *element; /* the element of memory that .. */
  Tree *held;          /* .. a register has; NULL: none has one */
  const Tree *flag;    /* what the map may have once more: the flag that is scanned, which .. */
  Tree *is;            /* .. a register has, too; NULL: none has it */
  HandedPart part;
  Symbol *const *beside; /* SIDE_BY_SIDE: what is stored to in place of each argument of the map; NULL: that itself */
};

/* The container of the codelet whose environment that is, as its own view; false: it cannot be handed on, which is
 * said. */
bool handed_open(Lowering *l, Environment *e, const Handed *h);

/* Is it one of these? */
static inline bool handed_is(const View *v) { return v->source.kind == VIEW_HANDED; }

/* What the codelet's text calls it. */
const char *handed_name(const View *v);

/* Hands on element number `index' of it, which is `value'; `how' NULL: all of it, and memory is read. */
static inline void handed_put(Lowering *l, const View *v, Tree *index, Tree *value, const Handover *how) {
  v->source.handing->put(l, v, index, value, how);
}

/* Of elements that are places, an exclusive scan of flags: which statements of the map's codelet store side by side, to
 * the next place in each container, where the flag is set and nowhere else? `stored': the map's arguments that they
 * store to. False: none does. */
bool handed_is_side_by_side(Lowering *l, const View *v, const View *flags, const View *stored[MOST_OPERANDS]);
/* .. and are there others? */
bool handed_has_rest(const View *v);

#endif
