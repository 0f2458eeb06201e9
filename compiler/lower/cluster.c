/* cluster.c: work left to clusters of blocks: a grid's to one, or each of many parts to one of several.
 *
 *     block 0   reduces its part .. parts[0] ...... waits, combines parts[0], parts[1], ..
 *     block 1   reduces its part .. parts[1] of block 0, and ends
 *     ..
 *
 * Requires a level of clusters, and results that are combined. Keeps the order of the blocks' parts. */
#include "lower/maps.h"

/* Is this a map over a cluster's blocks whose results one of them combines? */
static bool fits(Lowering *l, const PlanNode *n) {
  const Codelet *c = n->rule->codelet;
  bool maps = c && c->kind == CLASS_COMPOUND && n->rule->map == STEP_DISTRIBUTE && n->combine == COMBINE_SPECTRUM;
  if (!maps || n->kid[1]->rule->codelet)
    return lowering_fail(l, c ? c->where : l->plan->spectrum->where,
                         "a cluster distributes over its blocks, and leaves what they return to one");
  if (lowering_serves(l, n->kid[0], n->rule->below))
    return lowering_fail(l, c->where, "a cluster's blocks cannot serve any number of elements so");
  return true;
}

/* The host: how many blocks the cluster has: the tunable, under a name that the kernel can have too. */
static Tree *declare_blocks(Lowering *l, const PlanNode *n) {
  const Tunable *v = &l->plan->sizes.at[n->axis.size].tunable;
  const ProgramConstant *chosen = lowering_constant(l, v, "blocks of the cluster", TYPE_INDEX);
  Symbol *p = lowering_fixed(l, "p", TYPE_INDEX, tree_ref(l->a, chosen->symbol));
  p->min = v->min;
  p->max = v->max;
  return tree_ref(l->a, p);
}

NestNode *cluster_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const bool alone = w->place.level->real == REAL_GRID; /* else how long its part is the host may not know */
  if (!fits(l, n)) return NULL;
  Map *m = maps_of(l, n, n->rule->below, w);
  lowering_comment(l, "%s", maps_comment(m));
  Tree *blocks = alone ? declare_blocks(l, n) : l->now.kernel->cluster;
  const bool adjacent = n->rule->tiling != TILING_STRIDED; /* others have no border to keep */
  Tree *grain = adjacent && plan_is_vectorised(n->kid[0]) ? grid_declare_grain(l) : NULL;
  m->regroup = lowering_regroup(l, n, &m->e, blocks);
  if (l->failed) return NULL;
  Tree *tile = grain ? grid_keep_grain(l, &m->regroup, grain) : NULL;
  if (alone) m->tile = tile;
  m->workers = maps_workers(m, build_lane(a, OP_RANK), blocks);
  joins_declare(m, WAY_PUSH);
  const char *note = "Each block of a cluster reduces its part; the first one combines the results.";
  const NestKernel k = {.name = "one_cluster", .note = note, .blocks = blocks, .cluster = blocks};
  return maps_nest(m, alone ? &k : NULL);
}

/* The map over a cluster's blocks, below what makes a part's result of theirs: the place of its greatest element. */
static const PlanNode *map_of_blocks(const PlanNode *n) {
  while (n->rule->map == STEP_COMPUTE && n->nkids) n = n->kid[0];
  return n;
}

NestNode *cluster_open_parts(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Tree *most = build_index(a, l->plan->machine->grid_max);
  Map *m = maps_of(l, n, n->rule->below, w);
  lowering_comment(l, "%s", maps_comment(m));
  m->regroup = lowering_regroup(l, n, &m->e, NULL);
  if (l->failed) return NULL;
  m->regroup.within = true;
  Tree *p = declare_blocks(l, map_of_blocks(n->kid[0])), *parts = m->regroup.parts;
  grid_refuse_above(l, parts, build_div(a, most, p));
  m->workers = maps_workers(m, build_lane(a, OP_CLUSTER_ID), parts);
  const char *note = "Each cluster has one of the parts: its blocks reduce a part of that, the first one combines the "
                     "results.";
  const NestKernel k = {.name = "clusters", .note = note, .blocks = build_mul(a, parts, p), .cluster = p,
                        .when = build_compare(a, OP_GT, parts, build_index(a, 0))};
  return maps_nest(m, &k);
}
