/* turns.h: the numbers that a loop counts through, whatever the loops around it stand at (turns.c). */
#ifndef TGC_FRONT_TURNS_H
#define TGC_FRONT_TURNS_H

#include "front/loops.h"

/* From `least' on, and below `end': of sizes and the caller's numbers. `depends': on loops around it, so that it may
 * count through fewer. */
typedef struct Turns { const Symbol *index; Tree *least, *end; bool depends; } Turns;

/* `around': of the loops around it, n of them. False: they are not known before the loops begin. */
bool turns_find(Arena *a, const Codelet *c, const LoopHead *head, const Turns *around, int n, Turns *x);
/* How many there are, if it takes each step-th. */
Tree *turns_number(Arena *a, const Turns *x, int64_t step);

#endif
