/* chain.c: a scan by the threads of a process (MICRO VI-C, sliding).
 *
 * Threads take tiles in order, each as large as stays in a core's cache. Of its tile a thread sums up the total first,
 * which reads it from memory; then it waits for what stands before it, passes on what stands before the next one, and
 * scans the tile, which is in the cache by now: memory is read once and written once, as by one thread alone.
 *
 *     thread 0: | total 0 | scan 0        | total 2 | scan 2        |
 *     thread 1: | total 1 | . scan 1        | total 3 | scan 3        |
 *                         ^ waits for what stands before tile 1
 *
 * Each thread has as many tiles as each other one, unless they became small. Each begins with the tile of its own number,
 * which its core's cache has from the call before where all are no larger than the caches; from there on it takes the next
 * that nobody has, since cores are not equally fast at what comes from memory.
 *
 * Where the plan says so the thread first copies its tile into an array of its own, and reads it there both times: a
 * view's elements, which are computed or gathered, are so but once (MICRO V).
 *
 * A tile that is waited for has been taken, or a thread of the team begins with it, and so have those before it: whoever runs,
 * the first of them waits for nobody. So all comes to an end, with the same bits, however many threads there are, and
 * whichever of them rest; those behind a tile wait meanwhile. */
#include <string.h>

#include "ir/operator.h"
#include "lower/lowering.h"

/* The next tile of those that are nobody's from the start. */
static Tree *next_tile(Lowering *l) {
  Tree *t = tree_new(l->a, OP_NEXT_TILE, TYPE_INDEX, (SourceRange){0}, 1);
  t->kid[0] = tree_ref(l->a, l->program->tickets);
  return build_add(l->a, build_lane(l->a, OP_GRID_DIM), t);
}

static Symbol *pointer(Lowering *l, const char *name, Type type) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->pointer = s->writable = true;
  return s;
}

/* What stands before the tile, whose total is known. */
static Tree *chain(Lowering *l, const PlanNode *n, Tree *tile, Tree *carry, Tree *total) {
  Arena *a = l->a;
  const Spectrum *s = n->rule->spectrum;
  Tree *kids[] = {tree_ref(a, l->program->tickets), tile, carry, total};
  Tree *t = tree_new(a, OP_CHAIN, s->result, (SourceRange){0}, sizeof kids / sizeof *kids);
  memcpy(t->kid, kids, sizeof kids);
  t->number = s->op;
  Symbol *before = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "before"), s->result);
  before->constant = true;
  lowering_add(l, build_declare(a, before, t));
  return tree_ref(a, before);
}

/* A part's elements, no more than `most', in an array of the thread's own, where they are yet to be copied. */
static View *copy_of(Lowering *l, View *from, Tree *most, Type type) {
  Arena *a = l->a;
  Symbol *copy = lowering_shared(l, "copy", type, most);
  copy->room = lowering_name(l, arena_printf(a, "%s_room", copy->name));
  Tree *size = view_size(l, from);
  if (size->op != OP_REF) size = lowering_size(l, "elements", size);
  Copying *copying = arena_one(a, Copying);
  copying->from = from;
  View *made = arena_one(a, View);
  *made = view_of_memory(l, copy, size);
  made->copying = copying;
  return made;
}

/* copy[at + lane] = that element. */
static void copy_vector(Lowering *l, const View *copy, const Place *p, Symbol *at, Tree *size) {
  Arena *a = l->a;
  Tree *i = build_add(a, tree_ref(a, at), p->lane);
  Tree *move = build_assign(a, build_element(a, copy->base, i), view_element(l, copy->copying->from, i));
  lowering_add(l, size ? build_if(a, build_compare(a, OP_LT, i, size), move) : move);
}

/* Copies all of them, a vector at a time. */
static void copy_all(Lowering *l, const View *copy, const Place *p) {
  Arena *a = l->a;
  int names = l->names.n;
  lowering_comment(l, "%s: what is read twice is copied", p->level->name);
  Symbol *at = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "i"), TYPE_INDEX);
  lowering_add(l, build_declare(a, at, build_index(a, 0)));
  Statements inner = {0}, *outer = l->to;
  l->to = &inner;
  copy_vector(l, copy, p, at, NULL);
  l->to = outer;
  Tree *whole = build_compare(a, OP_LE, build_add(a, tree_ref(a, at), p->lanes), copy->end);
  lowering_add(l, build_onward(a, tree_ref(a, at), whole, p->lanes, tree_seq(a, inner.at, inner.n), UNROLL_FREE));
  copy_vector(l, copy, p, at, copy->end);
  l->names.n = names;
}

/* The tile's total, into `to'. Of a copy that is yet to be made, which sees to that: where whoever sums up does not. */
static void lower_total(Lowering *l, const PlanNode *n, const Place *p, View *tile, Destination *to) {
  Arguments whole = lowering_of(tile);
  Statements total = {0}, *outer = l->to;
  l->to = &total;
  lowering_node(l, n, p, &whole, to);
  l->to = outer;
  if (tile->copying && !tile->copying->made) copy_all(l, tile, p);
  else if (tile->copying) lowering_comment(l, "%s: what is read twice is copied the first time", p->level->name);
  for (int i = 0; i < total.n; i++) lowering_add(l, total.at[i]);
  tile->copying = NULL;
}

static Tree *vectors_of(Lowering *l, int64_t n) {
  return build_mul(l->a, tree_ref(l->a, l->threads), tree_int(l->a, TYPE_INT, n));
}

void chain_lower_grid(Lowering *l, const PlanNode *n, Arguments *in, Tree *place, Statements *sizes,
                      Statements *launches) {
  Arena *a = l->a;
  Program *program = l->program;
  const Figures *figures = &l->plan->machine->measured;
  const Level *below = n->rule->below;
  const SizeVar *v = &l->plan->sizes.at[n->axis.size];
  const char *what = arena_printf(a, "%s > %s: %s, the next tile for the next %s", n->rule->level->name, below->name,
                                  lowering_source(l, n->rule->codelet), below->name);
  l->to = sizes;
  lowering_comment(l, "%s", what);
  const ProgramConstant *most = lowering_constant(l, "blocks", grid_most_workers(l), v, TYPE_INDEX);
  Tree *elements = view_size(l, in->at[0].view), *workers = tree_ref(a, most->symbol);
  Tree *vectors = vectors_of(l, n->placement == PLACEMENT_COPYING ? figures->copy_vectors : figures->tile_vectors);
  Tree *rounds = lowering_size(l, "rounds", build_ceil_div(a, elements, build_mul(a, vectors, workers)));
  Tree *fewest = build_ceil_div(a, elements, vectors_of(l, figures->tile_fewest));
  Tree *many = build_min(a, build_mul(a, rounds, workers), fewest);
  Tree *tiles = lowering_size(l, "tiles", build_max(a, many, build_index(a, 1)));
  Tree *p = lowering_size(l, "p", build_min(a, tiles, tree_ref(a, most->symbol)));
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, NULL);
  Regroup r = lowering_regroup(l, n, &e, tiles);
  if (l->failed) return;
  grid_keep_grain(l, &r, grid_declare_grain(l));
  program->tickets = pointer(l, "tickets", TYPE_ULONG);
  program->chained_by = n->rule->spectrum->op;
  program->workspace_tiles = tiles;

  Statements body = {0}, inner = {0}, start = l->start;
  kernel_open(l, grid_plural(l, below),
              arena_printf(a, "Each %s takes tiles: the total of one, what stands before it, its scan.", below->name));
  int names = l->names.n;
  Symbol *tile = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "tile"), TYPE_INDEX);
  Symbol *total = lowering_shared(l, "total", n->rule->spectrum->result, NULL);
  l->to = &body;
  lowering_comment(l, "%s", what);
  l->to = &inner;
  Place thread = lowering_place(l, below);
  Arguments part = lowering_parts(l, &r, &e, tree_ref(a, tile), "tile");
  if (l->failed) return;
  if (n->placement == PLACEMENT_COPYING) part.at[0].view = copy_of(l, part.at[0].view, vectors, total->type);
  Destination to = {.kind = TO_PLACE, .place = tree_ref(a, total)}, nowhere = {.kind = TO_NOWHERE};
  lower_total(l, n->kid[1], &thread, part.at[0].view, &to);
  if (l->failed) return;
  Tree *before = chain(l, n, tree_ref(a, tile), in->at[1].number, tree_ref(a, total));
  Arguments scanned = {.at = {part.at[0], {.number = before}, part.at[1]}, .n = 3};
  Destination of_all = {.kind = TO_REGISTER, .name = "last"};
  lowering_node(l, n->kid[0], &thread, &scanned, place ? &of_all : &nowhere);
  if (l->failed) return;
  if (place) {
    Tree *is_last = build_compare(a, OP_EQ, tree_ref(a, tile), build_sub(a, tiles, build_index(a, 1)));
    Place last = thread;
    last.leader = thread.leader ? build_both(a, thread.leader, is_last) : is_last;
    lowering_deliver(l, &last, tree_ref(a, of_all.value), &(Destination){.kind = TO_PLACE, .place = place});
  }
  Statements all = l->start; /* shared variables begin anew with every tile */
  for (int i = 0; i < inner.n; i++) vec_push(a, &all, inner.at[i]);
  l->start = start;
  l->to = &body;
  Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, (SourceRange){0}, 4);
  loop->kid[0] = build_declare(a, tile, build_lane(a, OP_BLOCK_ID));
  loop->kid[1] = build_compare(a, OP_LT, tree_ref(a, tile), tiles);
  loop->kid[2] = build_assign(a, tree_ref(a, tile), next_tile(l));
  loop->kid[3] = tree_seq(a, all.at, all.n);
  lowering_add(l, loop);
  l->names.n = names;
  kernel_close(l, &body, launches, p, tree_ref(a, l->threads));
}
