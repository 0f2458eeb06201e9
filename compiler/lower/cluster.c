/* cluster.c: work left to clusters of blocks: a grid's to one, or each of many parts to one of several.
 *
 *     block 0   reduces its part .. parts[0] ...... waits, combines parts[0], parts[1], ..
 *     block 1   reduces its part .. parts[1] of block 0, and ends
 *     .. */
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

static Map map_of(Lowering *l, const PlanNode *n) {
  Map m = {.l = l, .node = n, .sub = lowering_place(l, n->rule->below)};
  lowering_comment(l, "%s", maps_comment(&m));
  return m;
}

/* The blocks of a cluster, and what they do with the parts that the codelet's text cuts. */
static void cut(Map *m, Arguments *in, Tree *blocks) {
  Lowering *l = m->l;
  m->place = m->sub;
  m->e = inline_environment(l, m->node->rule->codelet, in, NULL, NULL);
  Tree *grain = plan_reads_in_slots(m->node->kid[0]) ? grid_declare_grain(l) : NULL;
  m->regroup = lowering_regroup(l, m->node, &m->e, blocks);
  m->tile = grain && !l->failed ? grid_keep_grain(l, &m->regroup, grain) : NULL;
  m->workers = maps_workers(m, build_lane(l->a, OP_RANK), blocks);
}

void cluster_lower(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *sizes,
                   Statements *launches) {
  if (plan_applies(n)) {
    l->to = sizes;
    Arguments inner = lowering_applied(l, n->rule->codelet, NULL, in);
    if (!l->failed) cluster_lower(l, n->kid[0], &inner, place, sizes, launches);
    return;
  }
  if (!fits(l, n)) return;
  l->to = sizes;
  Map m = map_of(l, n);
  Destination to = {.kind = TO_PLACE, .place = place};
  Tree *blocks = declare_blocks(l, n);
  cut(&m, in, blocks);
  m.to = &to;
  m.launches = launches;
  const char *note = "Each block of a cluster reduces its part; the first one combines the results.";
  const NestKernel k = {.name = "one_cluster", .note = note, .blocks = blocks, .cluster = blocks};
  if (!l->failed) maps_carry_out(&m, &k);
}

void cluster_lower_part(Lowering *l, const PlanNode *n, Arguments *in, Destination *to) {
  if (!fits(l, n)) return;
  Map m = map_of(l, n);
  cut(&m, in, l->now.kernel->cluster);
  m.to = to;
  m.tile = NULL; /* how long the part is the host may not know */
  if (!l->failed) maps_carry_out(&m, NULL);
}

void cluster_lower_parts(Lowering *l, const PlanNode *n, Arguments *in, Statements *sizes, Statements *launches) {
  Arena *a = l->a;
  Tree *most = build_index(a, l->plan->machine->grid_max);
  l->to = sizes;
  Map m = map_of(l, n);
  m.e = inline_environment(l, n->rule->codelet, in, NULL, NULL);
  m.regroup = lowering_regroup(l, n, &m.e, NULL);
  if (l->failed) return;
  m.regroup.within = true;
  m.launches = launches;
  Tree *p = declare_blocks(l, plan_work(n->kid[0])), *parts = m.regroup.parts;
  grid_refuse_above(l, parts, build_div(a, most, p));
  m.workers = maps_workers(&m, build_lane(a, OP_CLUSTER_ID), parts);
  const char *note = "Each cluster has one of the parts: its blocks reduce a part of that, the first one combines the "
                     "results.";
  const NestKernel k = {.name = "clusters", .note = note, .blocks = build_mul(a, parts, p), .cluster = p,
                        .when = build_compare(a, OP_GT, parts, build_index(a, 0))};
  maps_carry_out(&m, &k);
}
