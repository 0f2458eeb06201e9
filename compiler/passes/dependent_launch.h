/* dependent_launch.h: grids that begin before the one ahead of them has ended. */
#ifndef TGC_PASSES_DEPENDENT_LAUNCH_H
#define TGC_PASSES_DEPENDENT_LAUNCH_H

#include "arch/arch.h"
#include "ir/program.h"

/* Puts AFTER_GRIDS before each kernel's first access to global memory and marks the kernel, when the machine can.
 * Bodies are made in `a'. Never fails. */
void pass_dependent_launch(Arena *a, Program *p, const Arch *m);

#endif
