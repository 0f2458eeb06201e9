/* tile_clusters.c: blocks of a cluster contribute to the same tile, a share of the inner dimension each (split-K). The
 * tile's rows go around them: block number r adds rows r, r + blocks, ..
 *
 *     each block    holds what it contributes; the first one begins with what is in memory
 *                   stores each element to the shared memory of the block that adds it, one copy behind the other
 *     cluster's barrier
 *     each block    adds the copies of its rows in their order, and stores them
 *
 * So no kernel follows, and nothing goes through the workspace. The order is that of the shares.
 *
 * Requires a plan with COMBINE_CLUSTER, whose grid has a cluster for each tile (grid_cuts.c). Keeps: each element of the
 * tile is stored once. */
#include "ir/operator.h"
#include "lower/tiles.h"

/* The rows of what is written, whose elements lie one after another in memory, and those elements. */
static int along(const Tiles *t) { return tiles_unit(t, t->plan.written); }
static int across(const Tiles *t) { return 1 - along(t); }

static Tree *blocks(const Tiles *t) { return tiles_as_int((Tiles *)t, t->l->now.kernel->cluster); }

static Tree *extent_of(const Tiles *t, int dimension) {
  return build_mul(t->l->a, t->of[dimension].each, t->of[dimension].lanes);
}

/* Elements of a copy, of as many rows as a block adds at most. */
static Tree *copy_of(const Tiles *t) {
  Arena *a = t->l->a;
  return build_mul(a, build_ceil_div(a, extent_of(t, across(t)), blocks(t)), extent_of(t, along(t)));
}

static AtomicOp contributes_by(const Tiles *t) { return t->codelet->params[t->plan.written]->atomic; }

Tree *tile_clusters_first(const Tiles *t) {
  Arena *a = t->l->a;
  const AtomicOp by = contributes_by(t);
  if (t->plan.grid->combine != COMBINE_CLUSTER || by == ATOMIC_MAX || by == ATOMIC_MIN) return NULL;
  return build_compare(a, OP_EQ, build_lane(a, OP_RANK), tree_int(a, TYPE_INT, 0));
}

Tree *tile_clusters_block(const Tiles *t, Tree *const *index) {
  return tree_binary(t->l->a, OP_REM, TYPE_INT, index[across(t)], blocks(t));
}

Tree *tile_clusters_place(const Tiles *t, Tree *const *index) {
  Arena *a = t->l->a;
  Tree *row = build_mul(a, build_div(a, index[across(t)], blocks(t)), extent_of(t, along(t)));
  Tree *copy = build_mul(a, build_lane(a, OP_RANK), copy_of(t));
  return build_add(a, copy, build_add(a, row, index[along(t)]));
}

/* Adds the copies of an element, in their order. */
static NestNode *sum(Tiles *t, Tree *element, Tree *place) {
  Arena *a = t->l->a;
  const Symbol *written = t->codelet->params[t->plan.written];
  NestNode *made = nest_node(a, NEST_SEQ, NULL);
  NestValue *sum = nest_number(a, made, "sum", written->type, build_element(a, t->parts->symbol, element));
  sum->symbol->constant = false;
  NestAxis *copy = nest_dimension(a, "copies", ROLE_ORDER, tree_int(a, TYPE_INT, 1), blocks(t));
  Tree *at = build_mul(a, nest_count(a, copy, "k", TYPE_INT), copy_of(t));
  Tree *one = build_element(a, t->parts->symbol, build_add(a, at, element));
  const AtomicOp by = contributes_by(t) == ATOMIC_SUB ? ATOMIC_ADD : contributes_by(t);
  Tree *both = tree_binary(a, operator_op(operator_of_atomic(by)), written->type, sum->now, one);
  NestNode *add = nest_sync(a, build_assign(a, sum->now, both)),
           *store = nest_sync(a, build_assign(a, place, sum->now));
  nest_access(a, add, t->parts, USE_READ);
  nest_access(a, add, sum, USE_ACCUMULATE);
  nest_access(a, store, sum, USE_READ);
  nest_access(a, store, t->memory, USE_WRITE);
  nest_add(a, made, nest_over(a, copy, add));
  nest_add(a, made, store);
  return made;
}

NestNode *tile_clusters_deliver(Tiles *t, NestNode *home) {
  Lowering *l = t->l;
  Arena *a = l->a;
  const int most = (int)arch_reaching(l->plan->machine)->width_max, row = across(t), column = along(t);
  Tree *rows = build_add(a, extent_of(t, row), tree_int(a, TYPE_INT, most - 1));
  const View *v = tiles_operand(t, t->plan.written);
  t->parts = nest_shared(a, home, arena_printf(a, "%s_parts", t->memory->name), v->source.base->type,
                         build_mul(a, rows, extent_of(t, column)));
  t->parts->symbol->exclusive = true;
  NestAxis *elements = nest_dimension(a, "elements", ROLE_MAP, build_index(a, 0), copy_of(t));
  Tree *element = nest_count(a, elements, "e", TYPE_INT), *columns = extent_of(t, column);
  NestAxis *thread = nest_split_workers(a, elements, "thread", tree_ref(a, l->now.threads), "thread",
                                        build_lane(a, OP_THREAD));
  Tree *index[MOST_DIMENSIONS];
  index[row] = build_add(a, build_mul(a, build_div(a, element, columns), blocks(t)), build_lane(a, OP_RANK));
  index[column] = tree_binary(a, OP_REM, TYPE_INT, element, columns);
  Tree *there = NULL, *at[MOST_RANK];
  for (int d = 0; d < t->plan.rank; d++) {
    Tree *one = build_compare(a, OP_LT, index[d], tiles_as_int(t, tiles_size(t, t->plan.written, d)));
    there = there ? build_both(a, there, one) : one;
    at[d] = build_cast(a, TYPE_INDEX, index[d]);
  }
  NestNode *add = nest_when(a, there, sum(t, element, view_element_at(l, v, at, t->plan.rank)), NULL);
  NestNode *made = nest_node(a, NEST_SEQ, "each block of the cluster adds some rows of the tile");
  nest_add(a, made, tiles_between(t, t->parts, t->held));
  nest_add(a, made, nest_over(a, elements, nest_over(a, thread, add)));
  return made;
}
