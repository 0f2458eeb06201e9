/* add_up.h: what a lane's loops contribute to a place is added up before it is contributed. */
#ifndef TGC_PASSES_ADD_UP_H
#define TGC_PASSES_ADD_UP_H

#include "ir/program.h"

Tree *pass_add_up(Arena *a, const Kernel *k, Tree *body);

#endif
