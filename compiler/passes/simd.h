/* simd.h: the lanes of a block that is one vector, as loops. */
#ifndef TGC_PASSES_SIMD_H
#define TGC_PASSES_SIMD_H

#include "ir/program.h"
#include "passes/uniform.h"

/* simd.c. `body' is k's, whose block is one vector (kernel_is_one_vector), with its barriers. Returns a body without
 * barriers and exchanges that one thread runs: what lanes do by themselves is in loops over the lanes (LANES), what all
 * do alike is outside of them. Loops whose turns may take several vectors (UNROLL_VECTORS) take as many as the constant
 * `vectors' says, then four, then one. NULL, with an error in `d', where lanes that exchange data do not run together.
 * The result is in `a'. */
Tree *pass_simd(Arena *a, const Kernel *k, Symbol *vectors, Tree *body, Diagnostics *d);

/* simd_origins.c. Loops that begin and end apart by the same, from lane to lane, begin and end together. */
Tree *simd_common_origins(Arena *a, const Uniform *uniform, Tree *body);

/* simd_turns.c. `body' is that of lanes of so many `vectors': its loops over what all of them take together take
 * several turns at once where these are more than registers hold. */
Tree *simd_several_turns(Arena *a, Symbol *vectors, Tree *body);

/* simd_names.c. Gives variables that stand side by side in a block names that differ. */
void simd_tell_apart(Arena *a, Tree *body);

#endif
