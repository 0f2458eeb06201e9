/* grid.c: the grid's nodes as kernels and launches, and the host's sizes.
 *
 * Blocks get adjacent or strided parts (maps.c), or go through their shares of as many as the text says (grid_parts.c). */
#include "front/cuts.h"
#include "lower/maps.h"

void grid_lower_by_one(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *launches) {
  Arena *a = l->a;
  View *container = lowering_container(in);
  const Level *grid = n->rule->level;
  const char *name = n->rule->below->name;
  Statements body = {0};
  kernel_open(l, arena_printf(a, "one_%s", name), arena_printf(a, "One %s acts for the %s.", name, grid->name));
  int names = l->now.names.n;
  l->to = &body;
  Place block = lowering_place(l, n->rule->below);
  Destination to = {.kind = place ? TO_PLACE : TO_NOWHERE, .place = place};
  l->now.part = container;
  l->now.part_most = view_size(l, container);
  l->now.part_from = container->begin;
  lowering_node(l, n->kid[0], &block, in, &to);
  l->now.names.n = names;
  kernel_close(l, &body, launches, build_index(a, 1), tree_ref(a, l->now.threads));
}

/* A codelet's map over the grid's blocks. */
static void lower_map(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *sizes, Statements *launches) {
  const Rule *r = n->rule;
  const PlanNode *split = plan_spread(n);
  if (r->codelet->kind != CLASS_COMPOUND || r->below->real != REAL_BLOCK || (r->map != STEP_DISTRIBUTE && !r->given))
    lowering_fail(l, r->codelet->where, "a grid only distributes over its blocks or leaves the work to one");
  else if (r->slides)
    (plan_slides_by(n) == SYNC_CHAIN ? chain_lower_grid : scan_lower_grid)(l, n, in, place, sizes, launches);
  else if (r->given) (split && split->rule->slides ? scan_lower_parts : grid_parts_lower)(l, n, in, sizes, launches);
  else if (cuts_any(lowering_map(r->codelet))) grid_cuts_lower(l, n, in, sizes, launches);
  else maps_lower_grid(l, n, in, place, sizes, launches);
}

void grid_lower_node(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *sizes, Statements *launches) {
  const Rule *r = n->rule;
  if (plan_applies(n)) {
    l->to = sizes;
    Arguments inner = lowering_applied(l, r->codelet, NULL, in);
    if (!l->failed) grid_lower_node(l, n->kid[0], &inner, place, sizes, launches);
  } else if (plan_is_one_cluster(n)) cluster_lower(l, n->kid[0], in, place, sizes, launches);
  else if (r->codelet && r->given && r->below->real == REAL_CLUSTER) cluster_lower_parts(l, n, in, sizes, launches);
  else if (r->codelet) lower_map(l, n, in, place, sizes, launches);
  else if (lowering_serves(l, n->kid[0], r->below))
    lowering_fail(l, l->plan->spectrum->where, "one block cannot serve any number of elements so");
  else grid_lower_by_one(l, n, in, place, launches);
}
