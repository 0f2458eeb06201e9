/* plain_turns.h: loops that count, in the one form that has turns (plain_turns.c). */
#ifndef TGC_FRONT_PLAIN_TURNS_H
#define TGC_FRONT_PLAIN_TURNS_H

#include "ir/tree.h"

/* Of codelets that are alone in their spectrum, and one lane's. */
void plain_turns(Arena *a, Unit *u);

#endif
