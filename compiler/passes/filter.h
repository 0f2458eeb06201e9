/* filter.h: a loop that does something where it finds something looks at several elements at once. */
#ifndef TGC_PASSES_FILTER_H
#define TGC_PASSES_FILTER_H

#include "ir/program.h"

Tree *pass_filter(Arena *a, const Kernel *k, Tree *body);

#endif
