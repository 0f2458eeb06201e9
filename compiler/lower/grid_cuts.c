/* grid_cuts.c: a grid's map over cuts (cuts.c): a block for each combination of their parts, of which there are as many as
 * tiles are worth a block each. */
#include "lower/maps.h"

void grid_cuts_lower(Lowering *l, const PlanNode *n, Arguments *in, Statements *sizes, Statements *launches) {
  const Level *below = n->rule->below;
  Destination to = {.kind = TO_NOWHERE};
  Map m = {.l = l, .node = n, .to = &to, .sizes = sizes, .launches = launches};
  if (lowering_serves(l, n->kid[0], below)) {
    lowering_fail(l, n->rule->codelet->where, "a part of a cut container has more elements than lanes that serve one each");
    return;
  }
  m.sub = (Place){.level = below};
  m.e = inline_environment(l, n->rule->codelet, in, NULL, NULL);
  l->to = sizes;
  lowering_comment(l, "%s", maps_comment(&m));
  lowering_constant(l, "blocks", grid_most_workers(l), &l->plan->sizes.at[n->axis.size], TYPE_INDEX);
  m.regroup = lowering_regroup(l, n, &m.e, NULL);
  if (l->failed) return;
  m.regroup.parts = tree_ref(l->a, lowering_fixed(l, "tiles", TYPE_INDEX, m.regroup.parts));
  m.place = m.sub = lowering_place(l, below);
  m.workers = maps_workers(&m, build_lane(l->a, OP_BLOCK_ID), m.regroup.parts);
  const char *note = grid_worded(l, "Each %s does its part.", below);
  maps_carry_out(&m, &(NestKernel){.name = grid_plural(l, below), .note = note, .blocks = m.regroup.parts});
}
