/* extract.h: maps between steps (ir/steps.h). */
#ifndef TGC_FRONT_EXTRACT_H
#define TGC_FRONT_EXTRACT_H

#include "ir/tree.h"

/* A compound codelet that maps, and does more than that map, has steps: each of its maps becomes a spectrum of its own,
 * which the codelet applies. Results of parts whose number is given are stored where a spectrum combines them. Forms
 * that composition carries out as they are stay: one map and a spectrum of its results, containers of workers' own that
 * are merged (ir/owned.h), scans. */
void extract_maps(Arena *a, Unit *u, Diagnostics *d);

#endif
