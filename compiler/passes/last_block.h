/* last_block.h: small steps, done by the last block of the one before them (last_block.c). */
#ifndef TGC_PASSES_LAST_BLOCK_H
#define TGC_PASSES_LAST_BLOCK_H

#include "arch/arch.h"
#include "ir/program.h"

/* Changes the program's kernels and launches, in `a'. Never fails. */
void pass_last_block(Arena *a, Program *program, const Arch *m);

#endif
