/* leave.h: kernels of a loop that the host launches further than it goes. */
#ifndef TGC_PASSES_LEAVE_H
#define TGC_PASSES_LEAVE_H

#include "ir/program.h"

/* Kernels that are to do nothing where a word is not 0 (Kernel.unless) begin with asking for it. Bodies are made in
 * `a'. Never fails. */
void pass_leave(Arena *a, Program *p);

#endif
