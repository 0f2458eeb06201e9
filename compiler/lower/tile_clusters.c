/* tile_clusters.c: blocks of a cluster contribute to the same tile, a share of the inner dimension each (split-K).
 *
 *     each block    holds what it contributes, the first one from what is in memory on; stores it to shared memory
 *     cluster's barrier
 *     each block    adds the copies of a part of the tile in their order, loaded from all blocks, and stores the sums
 *     cluster's barrier
 *
 * So no kernel follows, and nothing goes through the workspace. The order is that of the shares.
 *
 * Requires a plan with COMBINE_CLUSTER, whose grid has a cluster for each tile (grid_cuts.c). Keeps: each element of
 * the tile is stored once. */
#include "ir/operator.h"
#include "lower/tiles.h"

/* The dimension of what is written whose elements lie one after another in memory, and the other. */
static int along(const Tiles *t) { return tiles_unit(t, t->plan.written); }
static int across(const Tiles *t) { return 1 - along(t); }

static Tree *blocks(const Tiles *t) { return tiles_as_int((Tiles *)t, t->l->now.kernel->cluster); }

static Tree *extent_of(const Tiles *t, int dimension) {
  return build_mul(t->l->a, t->of[dimension].each, t->of[dimension].lanes);
}

static AtomicOp contributes_by(const Tiles *t) { return t->codelet->params[t->plan.written]->atomic; }

Tree *tile_clusters_first(const Tiles *t) {
  Arena *a = t->l->a;
  const AtomicOp by = contributes_by(t);
  if (t->plan.grid->combine != COMBINE_CLUSTER || by == ATOMIC_MAX || by == ATOMIC_MIN) return NULL;
  if (tiles_add_what_was(t)) return NULL;
  return build_compare(a, OP_EQ, build_lane(a, OP_RANK), tree_int(a, TYPE_INT, 0));
}

Tree *tile_clusters_place(const Tiles *t, Tree *const *index) {
  Arena *a = t->l->a;
  return build_add(a, build_mul(a, index[across(t)], extent_of(t, along(t))), index[along(t)]);
}

/* Adds the copies of an element, in their order. */
static NestNode *sum(Tiles *t, Tree *element, Tree *place) {
  Arena *a = t->l->a;
  const Symbol *written = t->codelet->params[t->plan.written];
  Tree *copy = build_element(a, t->parts->symbol, element);
  NestNode *made = nest_node(a, NEST_SEQ, NULL);
  NestValue *sum = nest_number(a, made, "sum", written->type,
                               tree_binary(a, OP_PULL, written->type, copy, tree_int(a, TYPE_INT, 0)));
  sum->symbol->constant = false;
  NestAxis *copies = nest_dimension(a, "copies", ROLE_ORDER, tree_int(a, TYPE_INT, 1), blocks(t));
  Tree *one = tree_binary(a, OP_PULL, written->type, copy, nest_count(a, copies, "k", TYPE_INT));
  const AtomicOp by = contributes_by(t) == ATOMIC_SUB ? ATOMIC_ADD : contributes_by(t);
  Tree *both = tree_binary(a, operator_op(operator_of_atomic(by)), written->type, sum->now, one);
  Tree *put = build_assign(a, place, sum->now);
  if (tiles_add_what_was(t)) put->compound = OP_ADD;
  NestNode *add = nest_sync(a, build_assign(a, sum->now, both)), *store = nest_sync(a, put);
  nest_access(a, add, t->parts, USE_READ);
  nest_access(a, add, sum, USE_ACCUMULATE);
  nest_access(a, store, sum, USE_READ);
  nest_access(a, store, t->memory, USE_WRITE);
  nest_add(a, made, nest_over(a, copies, add));
  nest_add(a, made, store);
  return made;
}

static Tree *elements_of(const Tiles *t) { return build_mul(t->l->a, extent_of(t, across(t)), extent_of(t, along(t))); }

void tile_clusters_hold(Tiles *t, NestNode *home) {
  Arena *a = t->l->a;
  const Type type = tiles_operand(t, t->plan.written)->source.base->type;
  t->parts = nest_shared(a, home, arena_printf(a, "%s_parts", t->memory->name), type, elements_of(t));
  t->parts->symbol->exclusive = true;
}

NestNode *tile_clusters_deliver(Tiles *t, NestNode *shown) {
  Lowering *l = t->l;
  Arena *a = l->a;
  const View *v = tiles_operand(t, t->plan.written);
  NestAxis *elements = nest_dimension(a, "elements", ROLE_MAP, build_index(a, 0), elements_of(t));
  Tree *element = nest_count(a, elements, "e", TYPE_INT), *columns = extent_of(t, along(t));
  NestAxis *block = nest_split_workers(a, elements, "rank", blocks(t), "block", build_lane(a, OP_RANK));
  NestAxis *thread = nest_split_workers(a, block, "thread", tree_ref(a, l->now.threads), "thread",
                                        build_lane(a, OP_THREAD));
  Tree *index[MOST_DIMENSIONS], *there = NULL, *at[MOST_RANK];
  index[across(t)] = build_div(a, element, columns);
  index[along(t)] = tree_binary(a, OP_REM, TYPE_INT, element, columns);
  for (int d = 0; d < t->plan.rank; d++) {
    Tree *one = build_compare(a, OP_LT, index[d], tiles_as_int(t, tiles_size(t, t->plan.written, d)));
    there = there ? build_both(a, there, one) : one;
    at[d] = build_cast(a, TYPE_INDEX, index[d]);
  }
  NestNode *add = nest_when(a, there, sum(t, element, view_element_at(l, v, at, t->plan.rank)), NULL);
  NestNode *made = nest_node(a, NEST_SEQ, "each block of the cluster adds a part of the tile");
  nest_add(a, made, shown);
  nest_add(a, made, nest_over(a, elements, nest_over(a, block, nest_over(a, thread, add))));
  return made;
}
