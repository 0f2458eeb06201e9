/* index_types.h: which variables hold sizes and positions. */
#ifndef TGC_FRONT_INDEX_TYPES_H
#define TGC_FRONT_INDEX_TYPES_H

#include "ir/tree.h"

/* Whatever comes from Size(), is compared with it or indexes a container becomes TYPE_INDEX, whatever the codelet's
 * text calls it: `unsigned len = in.Size()' must not wrap. Where C++ would wrap it and that shows, wraps.c refuses the
 * text. Lane numbers stay int. Changes the codelet's symbols and body. */
void front_index_types(Arena *a, Codelet *c);

/* The same across codelets: a number that is a size in one codelet of a spectrum is one in all of them, and where that
 * spectrum is called. Each codelet has been through front_index_types. */
void front_index_parameters(Arena *a, const Unit *u);

#endif
