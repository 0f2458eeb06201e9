/* reserve.h: a lane's loop that appends takes its places at once. */
#ifndef TGC_PASSES_RESERVE_H
#define TGC_PASSES_RESERVE_H

#include "ir/program.h"

Tree *pass_reserve(Arena *a, const Kernel *k, Tree *body);

#endif
