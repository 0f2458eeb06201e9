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

/* The codelet's own sizes, where statements go now. A tile's elements come back in *tile, NULL: not known; `tile' NULL: nobody
 * asks. */
static Regroup cut(Lowering *l, const PlanNode *n, Environment *e, Symbol *blocks, Tree **tile) {
  Tree *grain = plan_reads_in_slots(n->kid[0]) ? grid_declare_grain(l) : NULL;
  Regroup r = lowering_regroup(l, n, e, tree_ref(l->a, blocks));
  Tree *kept = grain && !l->failed ? grid_keep_grain(l, &r, grain) : NULL;
  if (tile) *tile = kept;
  return r;
}

/* The host: how many blocks the cluster has: the tunable, under a name that the kernel can have too. */
static Symbol *declare_blocks(Lowering *l, const PlanNode *n) {
  const SizeVar *v = &l->plan->sizes.at[n->axis.size];
  const ProgramConstant *chosen = lowering_constant(l, "blocks", "blocks of the cluster", v, TYPE_INDEX);
  Symbol *p = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, "p"), TYPE_INDEX);
  p->constant = true;
  p->min = v->min;
  p->max = v->max;
  lowering_add(l, build_declare(l->a, p, tree_ref(l->a, chosen->symbol)));
  return p;
}

static void say_map(Lowering *l, const PlanNode *n) {
  const char *below = n->rule->below->name;
  lowering_comment(l, "%s > %s: %s, one part a %s", n->rule->level->name, below, lowering_source(l, n->rule->codelet),
                   below);
}

/* The blocks of a cluster, and what they do with the parts that r cuts. */
static Map map_of(Lowering *l, const PlanNode *n, const Regroup *r, const Environment *e, Destination *to) {
  Map m = {.l = l, .node = n, .regroup = *r, .e = *e, .to = to};
  m.place = m.sub = lowering_place(l, n->rule->below);
  return m;
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
  say_map(l, n);
  Symbol *p = declare_blocks(l, n);
  Tree *tile;
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, NULL);
  Regroup r = cut(l, n, &e, p, &tile);
  if (l->failed) return;

  Destination to = {.kind = TO_PLACE, .place = place};
  Map m = map_of(l, n, &r, &e, &to);
  m.tile = tile;
  m.launches = launches;
  m.workers = maps_workers(&m, build_lane(l->a, OP_RANK), tree_ref(l->a, p));
  const char *note = "Each block of a cluster reduces its part; the first one combines the results.";
  Tree *blocks = tree_ref(l->a, p);
  maps_carry_out(&m, &(NestKernel){.name = "one_cluster", .note = note, .blocks = blocks, .cluster = blocks});
}

void cluster_lower_part(Lowering *l, const PlanNode *n, Arguments *in, Destination *to) {
  if (!fits(l, n)) return;
  say_map(l, n);
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, NULL);
  Regroup r = cut(l, n, &e, l->kernel->cluster->symbol, NULL);
  if (l->failed) return;
  Map m = map_of(l, n, &r, &e, to); /* how long the part is the host may not know */
  m.workers = maps_workers(&m, build_lane(l->a, OP_RANK), l->kernel->cluster);
  maps_carry_out(&m, NULL);
}

void cluster_lower_parts(Lowering *l, const PlanNode *n, Arguments *in, Statements *sizes, Statements *launches) {
  Arena *a = l->a;
  Tree *most = build_index(a, l->plan->machine->grid_max);
  l->to = sizes;
  say_map(l, n);
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, NULL);
  Regroup r = lowering_regroup(l, n, &e, NULL);
  if (l->failed) return;
  r.within = true;
  Symbol *p = declare_blocks(l, plan_work(n->kid[0]));
  grid_refuse_above(l, r.parts, build_div(a, most, tree_ref(a, p)));

  Map m = {.l = l, .node = n, .regroup = r, .e = e, .launches = launches};
  m.sub = lowering_place(l, n->rule->below);
  m.workers = maps_workers(&m, build_lane(a, OP_CLUSTER_ID), r.parts);
  Tree *blocks = tree_ref(a, p), *any = build_compare(a, OP_GT, r.parts, build_index(a, 0));
  const char *note = "Each cluster has one of the parts: its blocks reduce a part of that, the first one combines the results.";
  const NestKernel k = {.name = "clusters", .note = note, .blocks = build_mul(a, r.parts, blocks), .cluster = blocks, .when = any};
  maps_carry_out(&m, &k);
}
