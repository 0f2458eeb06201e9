/* search.h: a loop that ends where it finds something looks at several elements at once. */
#ifndef TGC_PASSES_SEARCH_H
#define TGC_PASSES_SEARCH_H

#include "ir/program.h"

Tree *pass_search(Arena *a, const Kernel *k, Tree *body);

#endif
