/* along.h: how a position in memory moves with a loop's variable. */
#ifndef TGC_PASSES_ALONG_H
#define TGC_PASSES_ALONG_H

#include "ir/tree.h"

/* By how much a position is ahead, where a variable is one more: nothing, one, or something else. */
typedef enum Along { ALONG_NOT, ALONG_ONE, ALONG_OTHERWISE } Along;
Along along_of(const Tree *position, const Symbol *variable);

/* .. as a value without that variable; NULL: that depends on it, or is not told. */
Tree *along_step(Arena *a, const Tree *position, const Symbol *variable);

/* Is it an element of the memory that a pointer leads to? */
bool along_is_memory(const Tree *t);

#endif
