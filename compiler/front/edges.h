/* edges.h: stencils whose text says what is beyond an edge (edges.c). */
#ifndef TGC_FRONT_EDGES_H
#define TGC_FRONT_EDGES_H

#include "front/stencil.h"

/* The codelet as it is where no edge is near, and that: the bounds of its own loops. NULL: it says nothing of edges. */
const Codelet *edges_without(Arena *a, const Codelet *c, StencilLoop *within);

#endif
