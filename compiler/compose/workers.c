/* workers.c: whose work a plan makes of a call. */
#include "compose/workers.h"

#include "compose/prefer.h"

Workers workers_of(const Plan *p) {
  if (plan_is_equal(p->root)) return BY_SHARES; /* how long parts are on average does not tell how much they differ */
  if (plan_slices(p->root)) return plan_spread(p->root) ? BY_SEVERAL_SLICES : BY_SLICES;
  if (plan_spread(p->root)) return BY_SEVERAL;
  if (plan_work(p->root)->traversal == TRAVERSE_JAMMED) return BY_JAMMED;
  const Level *worker = plan_worker_of_parts(p->root);
  if (worker && worker->can.lanes == LANES_ONE) return plan_copies_rows(p->root) ? BY_ROWS : BY_LANES;
  if (worker && worker->can.lanes == LANES_FIXED) return worker->can.factor ? BY_SUBWARPS : BY_WARPS;
  if (worker && worker->can.reaches) return BY_CLUSTERS; /* how long parts are does not tell: it takes that they are
                                                            few */
  if (plan_adds_copies(plan_work(p->root))) return BY_COPIES;
  if (plan_scans_twice(p->root)) return BY_THREE_KERNELS; /* everything is read twice: by measurement alone */
  if (plan_is_of_one_block(plan_work(p->root))) return BY_ONE_BLOCK;
  if (p->machine->levels[0].can.few && plan_has_tiles(plan_work(p->root)) &&
      plan_work(p->root)->kid[0]->traversal == TRAVERSE_HELD)
    return BY_HELD;
  if (plan_work(p->root)->rule->codelet) return BY_BLOCKS;
  return plan_is_one_cluster(p->root) ? BY_ONE_CLUSTER : plan_is_one_vector(p->root) ? BY_ONE_WARP : BY_ONE_BLOCK;
}

/* Does one lane do all that a worker of several has to do with a part? */
static bool one_lane_acts(const Plan *p) {
  const PlanNode *root = plan_work(p->root), *n = root;
  if (!root->rule->codelet || !root->rule->explicit_count) return false;
  for (n = n->kid[0]; !n->rule->codelet && n->nkids; n = n->kid[0]) {}
  return n != root->kid[0] && n->rule->level->can.lanes == LANES_ONE;
}

const Plan *workers_best(const Plans *plans, Workers by) {
  const Plan *found = NULL;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    if (workers_of(p) != by || (by != BY_LANES && by != BY_ROWS && one_lane_acts(p) && !prefer_one_lane(p))) continue;
    if (!found || prefer_plan(p, found)) found = p;
  }
  return found;
}

bool workers_have_rows(const Plan *p) {
  const Tree *map = plan_map_of(plan_work(p->root)->rule->codelet);
  bool any = false;
  for (int i = 0; map && i < map->nkids; i++) any |= map->kid[i]->op == OP_ROWS || map->kid[i]->op == OP_COLUMNS;
  return any;
}

const Plan *workers_combine_states(const Plans *plans) {
  const Plan *found = NULL;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    if (workers_of(p) != BY_BLOCKS || !plan_worker_of_parts(p->root) || !plan_combines_states(p->root)) continue;
    if (!found || prefer_plan(p, found)) found = p;
  }
  return found;
}

const Plan *workers_share_rows(const Plans *plans) {
  const Plan *found = NULL;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    const PlanNode *spread = plan_spread(p->root);
    if (plan_shares_steps(p->root) && (!found || prefer_plan(p, found))) found = p;
    if (!spread || !workers_have_rows(p) || plan_lines(plan_work(p->root)->rule->codelet).strided) continue;
    if (!spread->rule->level->can.shares || plan_slices(p->root)) continue;
    if (!found || prefer_plan(p, found)) found = p;
  }
  return found;
}
