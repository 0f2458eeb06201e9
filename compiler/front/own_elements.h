/* own_elements.h: loops that go on from the element that the turn before has stored (own_elements.c). */
#ifndef TGC_FRONT_OWN_ELEMENTS_H
#define TGC_FRONT_OWN_ELEMENTS_H

#include "ir/tree.h"

/* A codelet's body, with a number in the place of that element where it is such a loop; else as it is. */
const Tree *own_elements_as_number(Arena *a, const Codelet *c, const Tree *body);

#endif
