/* tile_moves.c: tiles whose elements are each computed once, of elements at their own indices (tiles.c): a
 * transposition, a permutation of axes, `b(j, i) = 2 * a(i, j) + c(j, i)'.
 *
 *     if the part has all of a tile's elements     .. all of what follows without a condition
 *       copies                                     of what is staged
 *       the codelet's loops                        over a lane's elements, into registers
 *       to memory
 *     else                                         .. copies repeat the last ones, others are not computed
 *
 * What each lane computes goes to registers first: a store might change what the next element is computed of, as far as
 * the CUDA compiler knows. Conditions, and the last index that there is, take more instructions than the elements
 * themselves: transposing 8192 x 8192 floats issued in 70% of all cycles with them.
 *
 * Requires tiles without panels and halos. Keeps: each element's value. */
#include "lower/tiles.h"

bool tile_moves_fit(const Tiles *t) {
  const PlanTiles *p = &t->plan;
  if (t->panels || t->windows || t->stages || p->reduces || p->multiplies || p->sum || p->several || p->rank < PLANE)
    return false;
  bool staged = false;
  for (int i = 0; i < t->codelet->nparams; i++) {
    const bool is = plan_tile_is_staged(p, i);
    staged |= is;
    for (int d = 0; d < t->codelet->params[i]->rank; d++) {
      if (plan_tile_has_halo(&p->cut[i][d]) || (is && !tiles_lane(t, i, d))) return false;
    }
  }
  return staged && t->plan.block->traversal == TRAVERSE_STAGED && !t->codelet->params[p->written]->atomic;
}

NestNode *tile_moves_note(Tiles *t, NestNode *stage) {
  if (t->whole_tile) vec_push(t->l->a, &t->sure, stage->stage);
  return stage;
}

bool tile_moves_sure(const Tiles *t, const NestStage *stage) {
  for (int i = 0; i < t->sure.n; i++)
    if (t->sure.at[i] == stage) return true;
  return false;
}

Tree *tile_moves_whole(Tiles *t) {
  Arena *a = t->l->a;
  Tree *all = NULL;
  for (int d = 0; d < t->plan.rank; d++) {
    Tree *extent = build_mul(a, t->of[d].each, t->of[d].lanes);
    Tree *one = build_compare(a, OP_EQ, tiles_as_int(t, tiles_size(t, t->plan.written, d)), extent);
    all = all ? build_both(a, all, one) : one;
  }
  return all;
}

Tree *tile_moves_index(const Tiles *t, bool outermost, Tree *number, Tree *extent) {
  Arena *a = t->l->a;
  if (!outermost) return tree_binary(a, OP_REM, TYPE_INT, number, extent);
  if (t->plan.rank == PLANE || !tile_moves_fit(t)) return number;
  Tree *one = build_compare(a, OP_EQ, extent, tree_int(a, TYPE_INT, 1));
  return build_choice(a, one, tree_int(a, TYPE_INT, 0), number);
}
