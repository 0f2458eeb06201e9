/* tile_clusters.c: blocks of a cluster contribute to the same tile, a share of the inner dimension each (split-K).
 *
 *     each block    holds what it contributes, the first one from what is in memory on; stores it to shared memory
 *     cluster's barrier
 *     each block    adds the copies of a part of the tile in their order, loaded from all blocks by 16 bytes, and
 *                   stores the sums
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

/* What a lane adds at once: neighbours in the tile. */
typedef struct Neighbours { Tree *many, *first; Symbol *sum, *part; } Neighbours;

/* 16 bytes, where the tile is a whole number of these, and begins at one: it lies behind elements that may be bytes. */
static Tree *elements_at_once(Tiles *t, Type type, Tree *all) {
  Arena *a = t->l->a;
  Tree *one = tree_int(a, TYPE_INT, 1), *width = build_width(a, type);
  t->parts->symbol->aligned = true;
  const bool bytes = t->codelet->spectrum->narrowest == 1;
  Tree *many = bytes ? one : build_choice(a, build_is_multiple(a, all, width), width, one);
  return tiles_at_head(t, arena_printf(a, "%s_run", t->memory->name), many);
}

static Symbol *registers(Lowering *l, const char *name, Type type, Tree *many) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->array = s->writable = true;
  s->length = many;
  return s;
}

/* A block's copies of the run, to registers. */
static NestNode *pull(Tiles *t, const Neighbours *run, Symbol *to, Tree *block) {
  Arena *a = t->l->a;
  Tree *from = tree_binary(a, OP_PULL, to->type, build_element(a, t->parts->symbol, run->first), block);
  Tree *first = build_element(a, to, tree_int(a, TYPE_INT, 0)), *one = build_assign(a, first, from);
  Tree *wide = tree_binary(a, OP_LOAD_WIDE, TYPE_VOID, first, from);
  Tree *several = build_compare(a, OP_GT, run->many, tree_int(a, TYPE_INT, 1));
  NestNode *made = nest_sync(a, build_either(a, several, tree_seq(a, &wide, 1), tree_seq(a, &one, 1)));
  nest_access(a, made, t->parts, USE_READ);
  return made;
}

/* Adds the copies of a run, in their order. */
static NestNode *sum(Tiles *t, const Neighbours *run) {
  Arena *a = t->l->a;
  const Symbol *written = t->codelet->params[t->plan.written];
  NestNode *made = nest_node(a, NEST_SEQ, NULL), *next = nest_node(a, NEST_SEQ, NULL);
  NestAxis *copies = nest_dimension(a, "copies", ROLE_ORDER, tree_int(a, TYPE_INT, 1), blocks(t));
  NestAxis *each = nest_unrolled(a, "u", run->many);
  Tree *number = nest_count(a, each, "u", TYPE_INT);
  Tree *at = build_element(a, run->sum, number), *more = build_element(a, run->part, number);
  const AtomicOp by = contributes_by(t) == ATOMIC_SUB ? ATOMIC_ADD : contributes_by(t);
  Tree *both = tree_binary(a, operator_op(operator_of_atomic(by)), written->type, at, more);
  nest_add(a, made, nest_sync(a, build_declare(a, run->sum, NULL)));
  nest_add(a, made, pull(t, run, run->sum, tree_int(a, TYPE_INT, 0)));
  nest_add(a, next, nest_sync(a, build_declare(a, run->part, NULL)));
  nest_add(a, next, pull(t, run, run->part, nest_count(a, copies, "k", TYPE_INT)));
  nest_add(a, next, nest_over(a, each, nest_sync(a, build_assign(a, at, both))));
  nest_add(a, made, nest_over(a, copies, next));
  return made;
}

static Tree *elements_of(const Tiles *t) { return build_mul(t->l->a, extent_of(t, across(t)), extent_of(t, along(t))); }

void tile_clusters_hold(Tiles *t, NestNode *home) {
  Arena *a = t->l->a;
  const Type type = tiles_operand(t, t->plan.written)->source.base->type;
  t->parts = nest_shared(a, home, arena_printf(a, "%s_parts", t->memory->name), type, elements_of(t));
  t->parts->symbol->exclusive = true;
}

/* One of the run's elements, to memory, if there is such a one. */
static NestNode *store(Tiles *t, const Neighbours *run) {
  Lowering *l = t->l;
  Arena *a = l->a;
  NestAxis *each = nest_unrolled(a, "u", run->many);
  Tree *number = nest_count(a, each, "u", TYPE_INT), *columns = extent_of(t, along(t));
  Tree *element = build_add(a, run->first, number);
  Tree *index[MOST_DIMENSIONS], *there = NULL, *at[MOST_RANK];
  index[across(t)] = build_div(a, element, columns);
  index[along(t)] = tree_binary(a, OP_REM, TYPE_INT, element, columns);
  for (int d = 0; d < t->plan.rank; d++) {
    Tree *one = build_compare(a, OP_LT, index[d], tiles_as_int(t, tiles_size(t, t->plan.written, d)));
    there = there ? build_both(a, there, one) : one;
    at[d] = build_cast(a, TYPE_INDEX, index[d]);
  }
  Tree *place = view_element_at(l, tiles_operand(t, t->plan.written), at, t->plan.rank);
  Tree *put = build_assign(a, place, build_element(a, run->sum, number));
  if (tiles_add_what_was(t)) put->compound = OP_ADD;
  NestNode *move = nest_sync(a, put);
  nest_access(a, move, t->memory, USE_WRITE);
  return nest_over(a, each, nest_when(a, there, move, NULL));
}

NestNode *tile_clusters_deliver(Tiles *t, NestNode *shown) {
  Lowering *l = t->l;
  Arena *a = l->a;
  const Type type = t->codelet->params[t->plan.written]->type;
  Neighbours run = {.many = elements_at_once(t, t->parts->symbol->type, elements_of(t))};
  NestAxis *runs = nest_dimension(a, "runs", ROLE_MAP, build_index(a, 0), build_div(a, elements_of(t), run.many));
  run.first = build_mul(a, nest_count(a, runs, "e", TYPE_INT), run.many);
  run.sum = registers(l, "sum", type, run.many);
  run.part = registers(l, "part", type, run.many);
  NestAxis *block = nest_split_workers(a, runs, "rank", blocks(t), "block", build_lane(a, OP_RANK));
  NestAxis *thread = nest_split_workers(a, block, "thread", tree_ref(a, l->now.threads), "thread",
                                        build_lane(a, OP_THREAD));
  NestNode *add = nest_node(a, NEST_SEQ, NULL), *made = nest_node(a, NEST_SEQ, NULL);
  made->comment = "each block of the cluster adds a part of the tile";
  nest_add(a, add, sum(t, &run));
  nest_add(a, add, store(t, &run));
  nest_add(a, made, shown);
  nest_add(a, made, nest_over(a, runs, nest_over(a, block, nest_over(a, thread, add))));
  return made;
}
