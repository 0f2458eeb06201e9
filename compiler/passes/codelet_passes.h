/* codelet_passes.h: AST passes on codelets, before composition (CGO III). Each codelet gets its Forms. */
#ifndef TGC_PASSES_CODELET_PASSES_H
#define TGC_PASSES_CODELET_PASSES_H

#include "ir/tree.h"

/* CGO III-B (shared_atomics.c). Every write to a shared variable with an atomic qualifier becomes an ATOMIC
 * statement of SCOPE_BLOCK. Refuses, with an error: a write that is not a plain `x = v` / `x += v` fitting the
 * qualifier, an atomic whose operator is not the spectrum's. Remarks what it made. Returns the new body. */
Tree *pass_shared_atomics(Arena *a, const Codelet *c, Tree *body, Diagnostics *d);

/* CGO III-C, Fig. 4 (shuffles.c): exchanges through a shared array, within a vector, become SHUFFLE down, up
 * or xor. Returns the new body, without the arrays that became dead, or NULL when nothing was found; a missed
 * remark names the first condition that failed and its place. */
Tree *pass_shuffles(Arena *a, const Codelet *c, Tree *body, Diagnostics *d);

/* CGO III-A (map_atomics.c): is the map of a compound codelet accumulated by an atomic API, and is the
 * spectrum call on it the same computation (then the two are mutually exclusive choices)? */
MapChoice pass_map_atomics(const Codelet *c, Diagnostics *d);

/* Lanes that a cooperative codelet can serve, from its arrays and indices (lanes.c): partial[MaxSize()] indexed
 * by VectorId() limits them to MaxSize() squared; 0 = no limit. vector_width = MaxSize(). */
int64_t pass_lanes(const Codelet *c, int vector_width, Diagnostics *d);

/* Do all lanes of a vector vote together (votes.c)? False, with an error: some of them may not. */
bool pass_votes(Arena *a, const Codelet *c, Diagnostics *d);

/* Does a cooperative codelet go through its first container round by round, whatever its size (rounds.c)? */
bool pass_rounds(const Codelet *c, Diagnostics *d);

/* The numbers of lanes for which a cooperative codelet, its plain form filled in, computes what the spectrum's
 * autonomous one does (serves.c); n 0: all, or it cannot be told. most: lanes that may work together. */
NumberList pass_serves(Arena *a, const Codelet *c, int vector_width, int64_t most, Diagnostics *d);

/* Does an atomic codelet, its plain form filled in, combine the elements in their order (order.c)? It is tried on small
 * containers; a remark tells. */
bool pass_order(const Codelet *c, int vector_width, Diagnostics *d);

/* All of the above over a unit; fills plain, shuffled, results, lanes_max, lanes, rounds and, where the operator does
 * not commute, keeps_order. most_lanes: of a block. False after an error. */
bool codelet_passes_run(Arena *a, Unit *u, int vector_width, int64_t most_lanes, Diagnostics *d);

#endif
