/* grid_cuts.c: a grid's map over cuts (cuts.c): a block for each combination of their parts, of which there are as many
 * as tiles are worth a block each.
 *
 * Requires what cuts.c does, of a grid. Keeps: each combination of parts is one block's. */
#include "lower/cuts.h"
#include "lower/maps.h"

/* Panels that are copied ahead are numbered by 32 bits: a remainder of 64 takes many instructions, each
 * iteration. */
static void refuse_panels(Lowering *l, const PlanTiles *t, const Arguments *in) {
  if (t->block->traversal != TRAVERSE_PIPED) return;
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++) {
    const int d = plan_tile_panelled(t, i);
    View *v = in->at[t->param[i]].view;
    if (d < 0 || !v) continue;
    Tree *panels = build_ceil_div(l->a, view_extent(l, v, d), tiles_extent(l, tree_cut(t->cut[i][d].panel)));
    grid_refuse_above(l, panels, build_index(l->a, INT32_MAX));
    return;
  }
}

NestNode *grid_cuts_open(Lowering *l, const PlanNode *n, Work *w) {
  const Level *below = n->rule->below;
  if (lowering_serves(l, n->kid[0], below)) {
    lowering_fail(l, n->rule->codelet->where,
                  "a part of a cut container has more elements than lanes that serve one each");
    return NULL;
  }
  Map *m = maps_of(l, n, below, w);
  lowering_comment(l, "%s", maps_comment(m));
  const bool extents = plan_has_tiles(n); /* of each tile: there are as many as these make */
  PlanTiles t = {0};
  const bool known = extents && plan_tiles(n, &t), shares = known && plan_tiles_share(&t);
  if (!extents || shares || t.packs)
    lowering_constant(l, &l->plan->sizes.at[n->axis.size].tunable, grid_most_workers(l), TYPE_INDEX);
  m->regroup = lowering_regroup(l, n, &m->e, NULL);
  if (l->failed) return NULL;
  Tree *tiles = m->regroup.parts = tree_ref(l->a, lowering_fixed(l, "tiles", TYPE_INDEX, m->regroup.parts));
  if (extents) grid_refuse_above(l, tiles, build_index(l->a, l->plan->machine->grid_max));
  if (known) refuse_panels(l, &t, &w->in);
  m->workers = maps_workers(m, build_lane(l->a, OP_BLOCK_ID), tiles);
  if (n->combine == COMBINE_PARTIAL) partial_declare(m);
  Tree *cluster = m->regroup.clustered ? cuts_contributing(&m->regroup) : NULL;
  const char *note = grid_worded(l, "Each %s processes its part.", below);
  Tree *any = extents ? build_compare(l->a, OP_GT, tiles, build_index(l->a, 0)) : NULL;
  const NestKernel kernel = {.name = grid_plural(l, below),
                             .note = note,
                             .blocks = tiles,
                             .cluster = cluster,
                             .when = any,
                             .takers = m->regroup.takers};
  return maps_nest(m, &kernel);
}
