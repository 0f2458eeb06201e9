/* bounded.c: a grid's map over parts of any lengths that follow one another, one worker each, as long as they are of up
 * to so many elements. While one lane goes through a hundred thousand, all others would wait. So a longer part is
 * queued, in pieces: a warp each reduces one of these, and the last to be done with one of a part combines them.
 *
 *     kernel blocks
 *       parts.turn x group x own   a part: a plan; of a longer one nothing, but its pieces are queued
 *     kernel long
 *       queued.piece x warps       a piece: a plan. It is all of the part: delivered; else it goes to the workspace,
 *                                  and counts itself in. All are there: a plan combines them
 *
 *     part     | 7 | 2 | 9 |           of what is queued: which part,
 *     begin    | . | . | . |           where that begins, and ends,
 *     first    | 0 | 3 | 4 |           the number of its first piece,
 *     done     | 3 | 0 | 1 |           how many of its pieces have been reduced
 *     partial  | a b c | - | e - |     of each piece of several its result
 *
 * Or, for few elements, there is one kernel (!in_block), and no queue in memory: all lanes of a block do the long ones
 * of its parts, one after another. That saves the second launch, which takes the host as long as the first; but of a
 * part that has most of all elements the other blocks do nothing.
 *
 *     kernel blocks
 *       turns.turn x group         so many parts as a block has workers
 *         parts.own                a part: a plan; a longer one's number goes to shared memory
 *         met                      each of these: a plan of the block
 *
 * In which order parts are queued depends on who comes first. How a part is cut into pieces follows from its length,
 * and they are combined in their order: so its result is the same in every run, whatever other parts there are.
 *
 * Requires parts that each begin where the one before ends, and a reduction of an element of each container
 * (compose/expand_equal.c): no more are queued than the host has made room for. Where ends do not ascend, results are
 * anything, but nothing is queued beyond that room. Keeps the elements' order, and what counts the queue at zero. */
#include "lower/block.h"
#include "lower/maps.h"

/* What is queued of a part; DONE: how many of its pieces have been reduced. */
enum { PART, BEGIN, END, FIRST, DONE };

/* The counter has the parts above the pieces. */
enum { COUNTED_PARTS = 32 };

/* Lanes of a multiprocessor that are there at once: those of short parts wait for memory, each for its own, and are as
 * many as there can be, unless they have many elements in flight; a warp's have several each. */
enum { LANES_OF_PARTS = 2048, LANES_OF_PIECES = 1024, FEW_LOADS = 2 };

typedef struct LongParts {
  Map m;
  const PlanNode *combines, *reduces; /* the pieces of a part; one of these */
  Tree *groups;                       /* blocks, which go through the parts */
  Tree *elements;                     /* of all parts; */
  Tree *longest, *piece;              /* of a part that is one worker's; of a piece */
  Tree *most, *most_pieces;           /* parts that may be queued, and their pieces */
  Symbol *loads;                      /* elements in flight */
  Symbol *queue[DONE + 1], *partial;  /* in the workspace */
  NestAxis *blocks;                   /* which reduce pieces; */
  Tree *waiting;                      /* there, parts that are queued */
  NestValue *met, *count;             /* long parts that a block has met in a turn, in its shared memory; NULL: they are
                                         queued */
  Tree *workers;                      /* .. at most */
} LongParts;

static Tree *number(LongParts *g, int64_t n) { return build_index(g->m.l->a, n); }

/* ---- parts ---- */

static View *first_part(const Work *w) {
  const Tree *map = w->part.cut->map;
  for (int i = 0; i < w->in.n; i++)
    if (map->kid[i]->op == OP_PARTITION) return w->in.at[i].view;
  return NULL;
}

/* The part's views, from and to other positions. */
static void set_ends(Lowering *l, const Regroup *r, Arguments *in, Tree *begin, Tree *end) {
  for (int i = 0; i < in->n; i++) {
    if (r->map->kid[i]->op != OP_PARTITION) continue;
    View *v = in->at[i].view = view_new(l, *in->at[i].view);
    v->begin = begin;
    v->end = end;
    v->size = NULL;
  }
}

static Tree *pieces_of(LongParts *g, Tree *length) { return build_ceil_div(g->m.l->a, length, g->piece); }

static Tree *low_bits(LongParts *g, Tree *counted) {
  return tree_binary(g->m.l->a, OP_AND, TYPE_INDEX, counted, number(g, (INT64_C(1) << COUNTED_PARTS) - 1));
}

static Tree *high_bits(LongParts *g, Tree *counted) {
  return tree_binary(g->m.l->a, OP_SHR, TYPE_INDEX, counted, tree_int(g->m.l->a, TYPE_INT, COUNTED_PARTS));
}

static Tree *queued(LongParts *g, int what, Tree *at) { return build_element(g->m.l->a, g->queue[what], at); }

/* if (it is long) it gets the next place, and its pieces numbers that follow one another. */
static Tree *queueing(LongParts *g, const Work *w, Tree *begin, Tree *length, Tree *is_long) {
  enum { THERE = 2, TAKEN = 4 }; /* append.cuh */
  const int64_t any = INT64_C(1) << 62;
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Symbol *taken = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "taken"), TYPE_INDEX);
  Symbol *place = block_counter(l, "place", TYPE_INDEX);
  taken->array = taken->writable = place->constant = true;
  taken->length = tree_int(a, TYPE_INT, TAKEN);
  Tree *before = build_element(a, taken, tree_int(a, TYPE_INT, THERE)), *at = tree_ref(a, place);
  Tree *counts = build_add(a, number(g, INT64_C(1) << COUNTED_PARTS), pieces_of(g, length));
  Tree *kids[] = {build_element(a, l->program->queued, number(g, 0)), counts, tree_ref(a, taken), number(g, any)};
  Tree *reserve = build_tree(a, OP_RESERVE, TYPE_VOID, kids, 4);
  reserve->atomic = ATOMIC_APPEND;
  reserve->scope = SCOPE_DEVICE;
  Tree *own[] = {build_assign(a, queued(g, PART, at), w->part.which), build_assign(a, queued(g, BEGIN, at), begin),
                 build_assign(a, queued(g, END, at), first_part(w)->end),
                 build_assign(a, queued(g, FIRST, at), low_bits(g, before)),
                 build_assign(a, queued(g, DONE, at), tree_int(a, TYPE_UINT, 0))};
  Tree *all[] = {build_declare(a, taken, NULL), reserve, build_declare(a, place, high_bits(g, before)),
                 build_if(a, build_compare(a, OP_LT, at, g->most), tree_seq(a, own, 5))};
  return build_if(a, is_long, tree_seq(a, all, 4));
}

/* if (it is long) the block has it later. */
static Tree *meeting(LongParts *g, const Work *w, Tree *is_long) {
  enum { THERE = 2, TAKEN = 4 }; /* append.cuh */
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Symbol *taken = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "taken"), TYPE_INDEX);
  taken->array = taken->writable = true;
  taken->length = tree_int(a, TYPE_INT, TAKEN);
  Tree *kids[] = {build_element(a, g->count->symbol, number(g, 0)), number(g, 1), tree_ref(a, taken), g->workers};
  Tree *reserve = build_tree(a, OP_RESERVE, TYPE_VOID, kids, 4);
  reserve->atomic = ATOMIC_APPEND;
  reserve->scope = SCOPE_BLOCK;
  Tree *at = build_element(a, taken, tree_int(a, TYPE_INT, THERE));
  Tree *all[] = {build_declare(a, taken, NULL), reserve,
                 build_assign(a, build_element(a, g->met->symbol, at), w->part.which)};
  return build_if(a, is_long, tree_seq(a, all, 3));
}

/* A part; one that is too long is empty to its worker, and queued. */
static NestNode *open_short(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  LongParts *g = w->begun;
  const View *part = first_part(w);
  Tree *begin = lowering_size(l, "begin", build_max(a, part->begin, number(g, 0)));
  Tree *length = lowering_size(l, "length", build_sub(a, part->end, begin));
  Tree *fits = tree_ref(a, lowering_fixed(l, "fits", TYPE_BOOL, build_compare(a, OP_LE, length, g->longest)));
  Tree *is_long = build_compare(a, OP_GT, length, g->longest);
  if (w->place.leader) is_long = build_both(a, w->place.leader, is_long);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  nest_add(a, all, nest_sync(a, g->met ? meeting(g, w, is_long) : queueing(g, w, begin, length, is_long)));
  Tree *end = lowering_size(l, "short_end", build_choice(a, fits, part->end, begin));
  set_ends(l, w->part.cut, &w->in, begin, end);
  Place place = w->place;
  place.leader = place.leader ? build_both(a, place.leader, fits) : fits;
  nest_add(a, all, open_plan(l, n, &place, &w->in, w->to));
  return all;
}

/* What workers do below that axis, parts side by side. */
static NestNode *parts_of_workers(LongParts *g, NestAxis *above, NestAxis *workers, Tree *own) {
  Lowering *l = g->m.l;
  const Level *level = g->m.sub.level;
  if (level->real != REAL_WARP && l->now.kernel->threads) {
    l->now.kernel->resident_lanes = LANES_OF_PARTS;
    l->now.kernel->resident_when =
        build_compare(l->a, OP_LE, tree_ref(l->a, g->loads), tree_int(l->a, TYPE_INT, FEW_LOADS));
  }
  nest_bind(workers, BINDING_IN_STEP, level->name, own);
  workers->tail = idle_tail(g->m.node, &g->m.regroup, &g->m.sub);
  NestNode *each = open_plan(l, g->m.node->kid[0], &g->m.sub, NULL, arena_one(l->a, Destination));
  each->work->part = (Part){.cut = &g->m.regroup, .e = &g->m.e, .who = "part"};
  each->work->again = open_short;
  each->work->begun = g;
  if (g->met) nest_access(l->a, each, g->met, USE_WRITE);
  return nest_over(l->a, above, nest_over(l->a, workers, each));
}

static NestNode *open_parts(Lowering *l, const PlanNode *n, Work *w) {
  (void)n;
  Arena *a = l->a;
  LongParts *g = w->begun;
  Tree *own, *many;
  lowering_workers(l, g->m.sub.level, &own, &many);
  NestAxis *turn = nest_dimension(a, "parts", ROLE_MAP, number(g, 0), g->m.regroup.parts);
  turn->name = "turn";
  NestAxis *group = nest_split_workers(a, turn, "group", g->groups, "group", build_lane(a, OP_BLOCK_ID));
  NestAxis *workers = nest_split(a, group, "own", many, BINDING_IN_STEP);
  return nest_over(a, turn, parts_of_workers(g, group, workers, own));
}

/* ---- long parts of a block ---- */

static NestNode *open_long(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  LongParts *g = w->begun;
  Tree *met = build_element(a, g->met->symbol, nest_above(l->nest, BINDING_LOOP)->at);
  Tree *last = build_sub(a, g->m.regroup.parts, number(g, 1));
  Tree *which = lowering_size(l, "k", build_min(a, build_max(a, met, number(g, 0)), last));
  const Arguments in = lowering_parts(l, &g->m.regroup, &g->m.e, which, "part");
  if (l->failed) return NULL;
  Destination *to = arena_one(a, Destination);
  *to = lowering_place_of(l, &g->m.e, which);
  return open_plan(l, n, &w->place, &in, to);
}

/* The parts of a turn: the short ones, and then all lanes go through the long ones that were met. */
static NestNode *open_turn(Lowering *l, const PlanNode *n, Work *w) {
  (void)n;
  Arena *a = l->a;
  LongParts *g = w->begun;
  Tree *own, *many;
  lowering_workers(l, g->m.sub.level, &own, &many);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  g->met = nest_shared(a, all, "met", TYPE_INDEX, many);
  g->count = nest_shared(a, all, "long_parts", TYPE_UINT, tree_int(a, TYPE_INT, 1));
  Tree *count = build_element(a, g->count->symbol, number(g, 0));
  Tree *at = build_mul(a, nest_above(l->nest, BINDING_LOOP)->at, g->workers);
  Tree *first = lowering_size(l, "first", at);
  Tree *end = lowering_size(l, "end", build_min(a, build_add(a, first, g->workers), g->m.regroup.parts));
  NestAxis *once = nest_dimension(a, "parts", ROLE_MAP, first, end);
  NestAxis *workers = nest_split(a, once, "own", many, BINDING_IN_STEP);
  once->until = UNTIL_ONCE;
  once->tail = TAIL_NONE;
  Tree *reset = build_if(a, lowering_is_first(l, OP_THREAD), build_assign(a, count, tree_int(a, TYPE_UINT, 0)));
  nest_access(a, nest_add(a, all, nest_sync(a, reset)), g->count, USE_WRITE);
  nest_add(a, all, parts_of_workers(g, once, workers, own));
  NestAxis *met = nest_dimension(a, "met", ROLE_MAP, number(g, 0), build_cast(a, TYPE_INDEX, count));
  nest_count(a, met, "piece", TYPE_INDEX);
  NestNode *work = open_plan(l, g->reduces, &w->place, NULL, NULL);
  work->work->again = open_long;
  work->work->begun = g;
  nest_access(a, work, g->met, USE_READ);
  nest_add(a, all, nest_over(a, met, work));
  return all;
}

static NestNode *open_turns(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  LongParts *g = w->begun;
  Tree *own, *many;
  lowering_workers(l, g->m.sub.level, &own, &many);
  g->workers = build_cast(a, TYPE_INDEX, many);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  Tree *turns = build_ceil_div(a, g->m.regroup.parts, g->workers);
  NestAxis *turn = nest_dimension(a, "turns", ROLE_MAP, number(g, 0), turns);
  turn->name = "turn";
  nest_count(a, turn, "turn", TYPE_INDEX);
  NestAxis *group = nest_split_workers(a, turn, "group", g->groups, "group", build_lane(a, OP_BLOCK_ID));
  NestNode *work = open_plan(l, n, &w->place, NULL, NULL);
  work->work->again = open_turn;
  work->work->begun = g;
  nest_add(a, all, nest_over(a, turn, nest_over(a, group, work)));
  return all;
}

/* ---- pieces of long parts ---- */

/* A piece that is one of several: its leader counts it in. Who finds all there combines them. */
typedef struct Found { LongParts *g; Tree *first, *many; Destination *to; } Found;

static NestNode *open_combination(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Found *f = w->begun;
  View *all = view_new(l, view_of_memory(l, f->g->partial, f->many));
  all->begin = f->first;
  all->end = build_add(a, f->first, f->many);
  const Arguments in = lowering_of(all);
  return open_plan(l, n, &w->place, &in, f->to);
}

/* Is it the last of its part's pieces? All lanes are told, and see what the others have stored. */
static Tree *declare_last(LongParts *g, const Place *p, Tree *place, Tree *many, NestNode *to) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Symbol *own = block_counter(l, "is_last", TYPE_INT), *last = block_counter(l, "last", TYPE_INT);
  own->writable = last->writable = true;
  Tree *one = tree_int(a, TYPE_INT, 1), *none = tree_int(a, TYPE_INT, 0);
  Tree *counter = tree_unary(a, OP_ADDRESS, TYPE_UINT, queued(g, DONE, place));
  Tree *arrives = tree_binary(a, OP_ARRIVE, TYPE_BOOL, counter, many);
  Tree *of_leader = tree_binary(a, OP_SHUFFLE, TYPE_INT, tree_ref(a, own), none);
  Tree *barrier = tree_new(a, OP_BARRIER, TYPE_VOID, (SourceRange){0}, 0);
  of_leader->mode = SHUFFLE_INDEX;
  barrier->scope = SCOPE_WARP;
  lowering_add(l, build_declare(a, own, none));
  lowering_add(l, build_declare(a, last, none));
  Tree *all[] = {build_if(a, p->leader, build_assign(a, tree_ref(a, own), build_choice(a, arrives, one, none))),
                 build_assign(a, tree_ref(a, last), of_leader), barrier};
  nest_add(a, to, nest_sync(a, tree_seq(a, all, 3)));
  return build_compare(a, OP_NE, tree_ref(a, last), none);
}

/* The last of what is queued whose first piece is not behind that one: what is left becomes an eighth of it. */
static Tree *place_of(LongParts *g, Tree *piece, Tree *many) {
  enum { WAYS = 8 };
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Symbol *low = block_counter(l, "place", TYPE_INDEX), *high = block_counter(l, "high", TYPE_INDEX);
  Symbol *step = block_counter(l, "step", TYPE_INDEX), *before = block_counter(l, "before", TYPE_INDEX);
  Symbol *k = block_counter(l, "k", TYPE_INT);
  low->writable = high->writable = before->writable = true;
  step->constant = true;
  Tree *from = tree_ref(a, low), *to = tree_ref(a, high), *length = tree_ref(a, step), *found = tree_ref(a, before);
  Tree *last = build_sub(a, to, number(g, 1));
  Tree *ahead = build_mul(a, build_cast(a, TYPE_INDEX, tree_ref(a, k)), length);
  Tree *sample = queued(g, FIRST, build_min(a, build_add(a, from, ahead), last));
  Tree *one = build_choice(a, build_compare(a, OP_LE, sample, piece), number(g, 1), number(g, 0));
  Tree *add = build_assign(a, found, build_add(a, found, one));
  Tree *loop = build_for(a, k, tree_int(a, TYPE_INT, 1), tree_int(a, TYPE_INT, WAYS), tree_int(a, TYPE_INT, 1),
                         tree_seq(a, &add, 1));
  loop->unroll = UNROLL_ALL;
  Tree *begin = build_min(a, build_add(a, from, build_mul(a, found, length)), last);
  Tree *body[] = {build_declare(a, step, build_ceil_div(a, build_sub(a, to, from), number(g, WAYS))),
                  build_declare(a, before, number(g, 0)), loop, build_assign(a, from, begin),
                  build_assign(a, to, build_min(a, build_add(a, from, length), to))};
  Tree *kids[] = {build_compare(a, OP_GT, build_sub(a, to, from), number(g, 1)), tree_seq(a, body, 5)};
  lowering_add(l, build_declare(a, low, number(g, 0)));
  lowering_add(l, build_declare(a, high, many));
  lowering_add(l, build_tree(a, OP_WHILE, TYPE_VOID, kids, 2));
  return from;
}

/* Where ends do not ascend there may be more than has been counted right: then it is of other parts. */
static Tree *from_zero(LongParts *g, int what, Tree *place) {
  return build_max(g->m.l->a, queued(g, what, place), number(g, 0));
}

static NestNode *open_piece(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  LongParts *g = w->begun;
  Regroup *r = &g->m.regroup;
  Tree *at = nest_above(l->nest, BINDING_LOOP)->at, *place = place_of(g, at, g->waiting);
  Tree *which = lowering_size(l, "k", build_min(a, from_zero(g, PART, place), build_sub(a, r->parts, number(g, 1))));
  Tree *first = lowering_size(l, "first", queued(g, FIRST, place));
  Tree *begin = lowering_size(l, "begin", build_min(a, from_zero(g, BEGIN, place), g->elements));
  Tree *end = lowering_size(l, "end", build_min(a, from_zero(g, END, place), g->elements));
  Arguments in = lowering_parts(l, r, &g->m.e, which, "part");
  if (l->failed) return NULL;
  Tree *many = lowering_size(l, "many", pieces_of(g, build_sub(a, end, begin)));
  Tree *from = build_add(a, begin, build_mul(a, build_sub(a, at, first), g->piece));
  from = lowering_size(l, "from", build_max(a, build_min(a, from, end), begin));
  Tree *to = lowering_size(l, "to", build_min(a, build_add(a, from, g->piece), end));
  set_ends(l, r, &in, from, to);
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *several = nest_node(a, NEST_SEQ, NULL);
  NestValue *found = pieces_result(l, all, "found", plan_work(n), g->combines->rule->spectrum->result);
  NestNode *plan = nest_add(a, all, open_plan(l, n, &w->place, &in, pieces_to(l, found)));
  nest_access(a, plan, found, USE_WRITE);
  Found *f = arena_one(a, Found);
  *f = (Found){g, first, many, arena_one(a, Destination)};
  Destination *stored = arena_one(a, Destination), *own = arena_one(a, Destination);
  *own = *f->to = lowering_place_of(l, &g->m.e, which);
  *stored = (Destination){.kind = TO_PLACE, .place = build_element(a, g->partial, at)};
  nest_add(a, several, open_deliver(l, &w->place, found, stored));
  Tree *last = declare_last(g, &w->place, place, many, several);
  NestNode *combination = open_plan(l, g->combines, &w->place, NULL, NULL);
  combination->work->again = open_combination;
  combination->work->begun = f;
  nest_add(a, several, nest_when(a, last, combination, NULL));
  Tree *alone = build_compare(a, OP_EQ, many, number(g, 1));
  nest_add(a, all, nest_when(a, alone, open_deliver(l, &w->place, found, own), several));
  return all;
}

/* How many pieces there are is read by a leader of each block, which tells the others, and counts itself in when it has
 * done its own; the last to be done leaves the counter zero. */
static NestNode *open_queue(Lowering *l, const PlanNode *n, Work *w) {
  (void)n;
  Arena *a = l->a;
  LongParts *g = w->begun;
  Program *p = l->program;
  Tree *own, *many, *blocks = g->blocks->dim->end;
  const Level *level = g->reduces->rule->level;
  const Place place = lowering_place(l, level);
  l->now.kernel->resident_lanes = LANES_OF_PIECES;
  Tree *leader = lowering_is_first(l, OP_THREAD), *counter = build_element(a, p->queued, number(g, 0));
  lowering_workers(l, level, &own, &many);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  NestValue *parts = nest_shared(a, all, "waiting", TYPE_INDEX, NULL);
  NestValue *pieces = nest_shared(a, all, "pieces", TYPE_INDEX, NULL);
  Tree *counted = build_cast(a, TYPE_INDEX, counter);
  Tree *read[] = {build_assign(a, parts->now, build_min(a, high_bits(g, counted), g->most)),
                  build_assign(a, pieces->now, build_min(a, low_bits(g, counted), g->most_pieces))};
  NestNode *sync = nest_add(a, all, nest_sync(a, build_if(a, leader, tree_seq(a, read, 2))));
  nest_access(a, sync, parts, USE_WRITE);
  nest_access(a, sync, pieces, USE_WRITE);
  g->waiting = parts->now;
  NestAxis *piece = nest_dimension(a, "queued", ROLE_MAP, number(g, 0), pieces->now);
  nest_count(a, piece, "piece", TYPE_INDEX);
  NestAxis *block = nest_split_workers(a, piece, "block", blocks, "block", build_lane(a, OP_BLOCK_ID));
  NestAxis *worker = nest_split_workers(a, block, "own", many, level->name, own);
  NestNode *work = open_plan(l, g->reduces, &place, NULL, NULL);
  work->work->again = open_piece;
  work->work->begun = g;
  nest_access(a, work, parts, USE_READ);
  nest_access(a, work, pieces, USE_READ);
  nest_add(a, all, nest_over(a, piece, nest_over(a, block, nest_over(a, worker, work))));
  Tree *done = build_both(a, leader, build_compare(a, OP_GT, parts->now, number(g, 0)));
  done = build_both(a, done, tree_binary(a, OP_ARRIVE, TYPE_BOOL, tree_ref(a, p->arrived), blocks));
  nest_add(a, all, nest_sync(a, build_if(a, done, build_assign(a, counter, tree_int(a, TYPE_ULONG, 0)))));
  return all;
}

/* ---- the host ---- */

static Symbol *array(LongParts *g, const char *name, Type type, Tree *many) {
  Symbol *s = lowering_pointer(g->m.l, name, type);
  program_add_array(g->m.l->a, g->m.l->program, s, many);
  return s;
}

static void declare_bounds(LongParts *g) {
  Lowering *l = g->m.l;
  const Plan *plan = l->plan;
  Tunable loads = plan->sizes.at[1 + arch_lane(plan->machine)->depth].tunable;
  g->loads = lowering_constant(l, &loads, "elements in flight", TYPE_INT)->symbol;
  Tree *own = build_mul(l->a, lowering_tunable(l, plan_longest_name), g->m.sub.lanes);
  g->longest = build_cast(l->a, TYPE_INDEX, own);
}

/* Pieces have as many elements as a warp's lanes load in some turns. There are no more than these and long parts: each
 * may have one that is not whole. */
static void declare_queue(LongParts *g) {
  enum { TURNS = 4 };
  static const char *const names[] = {"queued_part", "queued_begin", "queued_end", "queued_first", "queued_done"};
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Program *p = l->program;
  Tree *turns = tree_int(a, TYPE_INT, TURNS * l->plan->machine->vector_width);
  g->piece = build_cast(a, TYPE_INDEX, build_mul(a, tree_ref(a, g->loads), turns));
  g->most = lowering_size(l, "most", build_add(a, build_div(a, g->elements, g->longest), number(g, 1)));
  g->most_pieces = lowering_size(l, "most_pieces", build_add(a, build_div(a, g->elements, g->piece), g->most));
  if (!p->queued) p->queued = lowering_pointer(l, "queued", TYPE_ULONG);
  if (!p->arrived) p->arrived = lowering_pointer(l, "arrived", TYPE_UINT);
  for (int i = PART; i <= DONE; i++) g->queue[i] = array(g, names[i], i == DONE ? TYPE_UINT : TYPE_INDEX, g->most);
  p->partial = g->partial = array(g, "partial", g->combines->rule->spectrum->result, g->most_pieces);
}

static NestNode *kernel_of(LongParts *g, const NestKernel *k, Open *again) {
  Lowering *l = g->m.l;
  const Place block = lowering_place(l, g->m.node->rule->below);
  NestNode *kernel = nest_kernel(l->a, k), *work = open_plan(l, g->m.node, &block, NULL, NULL);
  work->work->again = again;
  work->work->begun = g;
  nest_add(l->a, kernel, work);
  return kernel;
}

/* As many blocks as the machine surely holds at once, which go through the pieces together; or as there may be pieces
 * for. */
static NestNode *long_parts(LongParts *g) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  const Arch *m = l->plan->machine;
  Tree *threads = build_cast(a, TYPE_INDEX, tree_ref(a, l->now.threads)), *own, *many;
  lowering_workers(l, g->reduces->rule->level, &own, &many);
  Tree *held = build_div(a, number(g, m->units * LANES_OF_PIECES), threads);
  Tree *blocks = lowering_size(l, "reducing", build_min(a, build_ceil_div(a, g->most_pieces, many), held));
  g->blocks = nest_workers(a, "blocks", ROLE_MAP, blocks, "block", build_lane(a, OP_BLOCK_ID));
  const char *note = arena_printf(a, "Each %s reduces pieces of longer parts; the last one of a part combines these.",
                                  g->reduces->rule->level->name);
  const NestKernel k = {.name = "long", .note = note, .blocks = blocks,
                        .when = build_compare(a, OP_GT, g->elements, g->longest)};
  return kernel_of(g, &k, open_queue);
}

NestNode *bounded_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  const bool in_block = n->traversal == TRAVERSE_IN_BLOCK;
  LongParts *g = arena_one(a, LongParts);
  *g = (LongParts){.m = {.l = l, .node = n}, .combines = n->kid[1], .reduces = n->kid[in_block ? 1 : 2]};
  const char *below = n->rule->parts->name;
  const char *comment = arena_printf(a, "%s > %s: %s, one part per %s, if it is short", n->rule->level->name, below,
                                     lowering_source(l, c), below);
  lowering_comment(l, "%s", comment);
  g->m.e = inline_environment(l, c, &w->in, NULL, NULL);
  g->m.regroup = lowering_regroup(l, n, &g->m.e, NULL);
  View *container = l->failed ? NULL : inline_view(l, &g->m.e, g->m.regroup.first->kid[0]);
  if (!container) return NULL;
  Tree *own, *many;
  g->elements = view_size(l, container);
  g->m.sub = lowering_place(l, n->rule->parts);
  lowering_workers(l, n->rule->parts, &own, &many);
  const Tunable *most = &l->plan->sizes.at[n->axis.size].tunable;
  Tree *blocks = tree_ref(a, lowering_constant(l, most, grid_most_workers(l), TYPE_INDEX)->symbol);
  Tree *some = build_max(a, build_ceil_div(a, g->m.regroup.parts, many), number(g, 1));
  g->groups = lowering_size(l, "p", build_min(a, some, blocks));
  declare_bounds(g);
  if (!in_block) declare_queue(g);
  const char *then = in_block ? "then longer ones, one after another" : "and queues longer ones";
  const char *note = arena_printf(a, "Each %s processes its share of the parts, %s.", n->rule->below->name, then);
  const NestKernel k = {.name = grid_plural(l, n->rule->below), .note = note, .blocks = g->groups};
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  nest_add(a, all, kernel_of(g, &k, in_block ? open_turns : open_parts))->comment = comment;
  if (!in_block) nest_add(a, all, long_parts(g));
  return all;
}
