/* cuts.h: maps over cuts (cuts.c). */
#ifndef TGC_FRONT_CUTS_H
#define TGC_FRONT_CUTS_H

#include "ir/tree.h"

/* Does a map, or a slide, cut a container dimension by dimension? */
bool cuts_any(const Tree *map);

/* May the codelet's map, or slide, be cut so? An error says what does not fit. */
bool cuts_check(const Codelet *c, const Tree *map, Diagnostics *d);

/* Containers of one dimension that are cut by one cut are partitions by sequences, which are composed in more ways:
 * makes them so. False: the map is over more. Where parts overlap the codelet keeps what the text says, too. */
bool cuts_as_sequences(Arena *a, Codelet *c, Tree *map);

#endif
