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

/* simd_branches.c. A branch that some lanes take, around loops that these run alike, as loops of all lanes around
 * branches; NULL: it is better as it is, one lane after another. */
Tree *simd_branch_in_loops(Arena *a, const Uniform *uniform, const Tree *branch);

enum { SIMD_IN_REGISTERS = 16 }; /* of more vectors, what lanes accumulate lies in the cache */

/* simd_turns.c. `body' is that of `many' lanes of k's: its loops over what all of them take together take several turns
 * at once where these are far more than registers hold. */
Tree *simd_several_turns(Arena *a, const Kernel *k, Symbol *many, Tree *body);

/* .. and of so many `vectors', as many lanes at a time as are left, whole vectors or not, where they lie in the cache;
 * else `step'. `room' are enough to begin. */
Tree *simd_lanes_left(Arena *a, Symbol *vectors, Tree *left, Tree *step, Tree **room);

/* simd_values.c. A variable, and what it is; the value of an expression where it is that, if that is known. */
typedef struct SimdTurn { const Symbol *symbol; int64_t value; } SimdTurn;
bool simd_value_at(const Tree *t, const SimdTurn *turn, int64_t *value);

/* simd_names.c. Gives variables that stand side by side in a block names that differ. */
void simd_tell_apart(Arena *a, Tree *body);

#endif
