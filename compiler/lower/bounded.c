/* bounded.c: a grid's map over parts of any lengths that follow one another, one worker each, as long as they are of up
 * to so many elements. While one lane goes through a hundred thousand, all others would wait. So a longer part is
 * queued, in pieces: a warp each reduces one of these, and the last to be done with one of a part combines them.
 *
 *     kernel blocks
 *       parts.turn x group x own   a part: a plan; of a longer one nothing, but its pieces are queued
 *     kernel long
 *       queued.piece x warps       a piece: a plan. It is all of the part: delivered; else it goes to the workspace, and
 *                                  counts itself in. All are there: a plan combines them
 *
 *     heads    | 0 0 0 | 3 | 4 4 |     of each piece the number of its part's first; there stand
 *     part     | 7     | 2 | 9   |     the part,
 *     pieces   | 3     | 0 | 1   |     how many of its pieces have been reduced,
 *     partial  | a b c |   | e   |     and, of each piece, its result
 *
 * In which order parts are queued depends on who comes first. How a part is cut into pieces follows from its length,
 * and they are combined in their order: so its result is the same in every run, whatever other parts there are.
 *
 * Requires parts that each begin where the one before ends, and a reduction of an element of each container
 * (compose/expand_equal.c): no more are queued than the host has made room for. Where ends do not ascend, results are
 * anything, but nothing is queued beyond that room. Keeps the elements' order, and what counts the queue at zero. */
#include "lower/block.h"
#include "lower/maps.h"

typedef struct LongParts {
  Map m;
  const PlanNode *combines, *reduces; /* the pieces of a part; one of these */
  Tree *groups;                       /* blocks, which go through the parts */
  Tree *longest, *piece;              /* elements of a part that is one worker's; of a piece, at least */
  Tree *room;                         /* pieces that there may be */
  Symbol *heads, *part, *pieces, *partial; /* in the workspace */
  NestAxis *queued;
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

/* Pieces of so many elements: no more than a lane can queue in little time. */
static Tree *pieces_of(LongParts *g, Tree *length) {
  enum { MOST_PIECES = 1024 };
  Arena *a = g->m.l->a;
  return build_min(a, build_ceil_div(a, length, g->piece), number(g, MOST_PIECES));
}

/* if (it is long) its pieces get numbers that follow one another. */
static Tree *queueing(LongParts *g, Tree *which, Tree *length, Tree *is_long) {
  enum { THERE = 2, MANY_THERE = 3, TAKEN = 4 }; /* append.cuh */
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Symbol *taken = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "taken"), TYPE_INDEX);
  Symbol *i = block_counter(l, "i", TYPE_INDEX);
  taken->array = taken->writable = i->writable = true;
  taken->length = tree_int(a, TYPE_INT, TAKEN);
  Tree *first = build_element(a, taken, tree_int(a, TYPE_INT, THERE));
  Tree *many = build_element(a, taken, tree_int(a, TYPE_INT, MANY_THERE));
  Tree *kids[] = {build_element(a, l->program->queued, number(g, 0)), pieces_of(g, length), tree_ref(a, taken), g->room};
  Tree *reserve = build_tree(a, OP_RESERVE, TYPE_VOID, kids, 4);
  reserve->atomic = ATOMIC_APPEND;
  reserve->scope = SCOPE_DEVICE;
  Tree *head = build_assign(a, build_element(a, g->heads, build_add(a, first, tree_ref(a, i))), first);
  Tree *own[] = {build_assign(a, build_element(a, g->part, first), which),
                 build_assign(a, build_element(a, g->pieces, first), tree_int(a, TYPE_UINT, 0))};
  Tree *all[] = {build_declare(a, taken, NULL), reserve,
                 build_for(a, i, number(g, 0), many, number(g, 1), tree_seq(a, &head, 1)),
                 build_if(a, build_compare(a, OP_GT, many, number(g, 0)), tree_seq(a, own, 2))};
  return build_if(a, is_long, tree_seq(a, all, 4));
}

/* A part; one that is too long is empty to its worker, and queued. */
static NestNode *open_short(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  LongParts *g = w->begun;
  const View *part = first_part(w);
  Tree *length = lowering_size(l, "length", build_sub(a, part->end, part->begin));
  Tree *fits = tree_ref(a, lowering_fixed(l, "fits", TYPE_BOOL, build_compare(a, OP_LE, length, g->longest)));
  Tree *is_long = build_compare(a, OP_GT, length, g->longest);
  if (w->place.leader) is_long = build_both(a, w->place.leader, is_long);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  nest_add(a, all, nest_sync(a, queueing(g, w->part.which, length, is_long)));
  Tree *end = lowering_size(l, "short_end", build_choice(a, fits, part->end, part->begin));
  set_ends(l, w->part.cut, &w->in, part->begin, end);
  Place place = w->place;
  place.leader = place.leader ? build_both(a, place.leader, fits) : fits;
  nest_add(a, all, open_plan(l, n, &place, &w->in, w->to));
  return all;
}

static NestNode *open_parts(Lowering *l, const PlanNode *n, Work *w) {
  (void)n;
  Arena *a = l->a;
  LongParts *g = w->begun;
  const Level *level = g->m.sub.level;
  Tree *own, *many;
  lowering_workers(l, level, &own, &many);
  NestAxis *turn = nest_dimension(a, "parts", ROLE_MAP, number(g, 0), g->m.regroup.parts);
  turn->name = "turn";
  NestAxis *group = nest_split_workers(a, turn, "group", g->groups, "group", build_lane(a, OP_BLOCK_ID));
  NestAxis *workers = nest_split(a, group, "own", many, BINDING_IN_STEP);
  nest_bind(workers, BINDING_IN_STEP, level->name, own);
  workers->tail = idle_tail(g->m.node, &g->m.regroup, &g->m.sub);
  NestNode *each = open_plan(l, g->m.node->kid[0], &g->m.sub, NULL, arena_one(a, Destination));
  each->work->part = (Part){.cut = &g->m.regroup, .e = &g->m.e, .who = "part"};
  each->work->again = open_short;
  each->work->begun = g;
  return nest_over(a, turn, nest_over(a, group, nest_over(a, workers, each)));
}

/* ---- pieces of long parts ---- */

/* A piece that is one of several: its leader counts it in. Who finds all there combines them. */
typedef struct Found { LongParts *g; Tree *head, *many; Destination *to; } Found;

static NestNode *open_combination(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Found *f = w->begun;
  View *all = view_new(l, view_of_memory(l, f->g->partial, f->many));
  all->begin = f->head;
  all->end = build_add(a, f->head, f->many);
  const Arguments in = lowering_of(all);
  return open_plan(l, n, &w->place, &in, f->to);
}

/* Is it the last of its part's pieces? All lanes are told, and see what the others have stored. */
static Tree *declare_last(LongParts *g, const Place *p, Tree *head, Tree *many, NestNode *to) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Symbol *own = block_counter(l, "is_last", TYPE_INT), *last = block_counter(l, "last", TYPE_INT);
  own->writable = last->writable = true;
  Tree *one = tree_int(a, TYPE_INT, 1), *none = tree_int(a, TYPE_INT, 0);
  Tree *counter = tree_unary(a, OP_ADDRESS, TYPE_UINT, build_element(a, g->pieces, head));
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

static NestNode *open_piece(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  LongParts *g = w->begun;
  Regroup *r = &g->m.regroup;
  Tree *at = nest_above(l->nest, BINDING_LOOP)->at;
  Tree *head = lowering_size(l, "head", build_element(a, g->heads, at));
  Tree *which = lowering_size(l, "k", build_element(a, g->part, head));
  Arguments in = lowering_parts(l, r, &g->m.e, which, "part");
  if (l->failed) return NULL;
  w->in = in;
  w->part.cut = r;
  const View *part = first_part(w);
  Tree *length = build_sub(a, part->end, part->begin);
  Tree *many = lowering_size(l, "many", build_max(a, pieces_of(g, length), number(g, 1)));
  Tree *each = lowering_size(l, "each", build_ceil_div(a, length, many));
  Tree *from = build_add(a, part->begin, build_mul(a, build_sub(a, at, head), each));
  from = lowering_size(l, "from", build_min(a, from, part->end));
  Tree *to = lowering_size(l, "to", build_min(a, build_add(a, from, each), part->end));
  set_ends(l, r, &in, from, to);
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *several = nest_node(a, NEST_SEQ, NULL);
  NestValue *found = pieces_result(l, all, "found", plan_work(n), g->combines->rule->spectrum->result);
  NestNode *plan = nest_add(a, all, open_plan(l, n, &w->place, &in, pieces_to(l, found)));
  nest_access(a, plan, found, USE_WRITE);
  Found *f = arena_one(a, Found);
  *f = (Found){g, head, many, arena_one(a, Destination)};
  Destination *stored = arena_one(a, Destination), *own = arena_one(a, Destination);
  *own = *f->to = lowering_place_of(l, &g->m.e, which);
  *stored = (Destination){.kind = TO_PLACE, .place = build_element(a, g->partial, at)};
  nest_add(a, several, open_deliver(l, &w->place, found, stored));
  Tree *last = declare_last(g, &w->place, head, many, several);
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
  Tree *own, *many, *blocks = g->queued->dim->end;
  const Level *level = g->reduces->rule->level;
  const Place place = lowering_place(l, level);
  Tree *leader = lowering_is_first(l, OP_THREAD), *counter = build_element(a, p->queued, number(g, 0));
  lowering_workers(l, level, &own, &many);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  NestValue *waiting = nest_shared(a, all, "waiting", TYPE_INDEX, NULL);
  Tree *read = build_assign(a, waiting->now, build_min(a, build_cast(a, TYPE_INDEX, counter), g->room));
  NestNode *sync = nest_add(a, all, nest_sync(a, build_if(a, leader, read)));
  nest_access(a, sync, waiting, USE_WRITE);
  NestAxis *piece = nest_dimension(a, "queued", ROLE_MAP, number(g, 0), waiting->now);
  nest_count(a, piece, "piece", TYPE_INDEX);
  NestAxis *block = nest_split_workers(a, piece, "block", blocks, "block", build_lane(a, OP_BLOCK_ID));
  NestAxis *worker = nest_split_workers(a, block, "own", many, level->name, own);
  NestNode *work = open_plan(l, g->reduces, &place, NULL, NULL);
  work->work->again = open_piece;
  work->work->begun = g;
  nest_access(a, work, waiting, USE_READ);
  nest_add(a, all, nest_over(a, piece, nest_over(a, block, nest_over(a, worker, work))));
  Tree *done = build_both(a, leader, build_compare(a, OP_GT, waiting->now, number(g, 0)));
  done = build_both(a, done, tree_binary(a, OP_ARRIVE, TYPE_BOOL, tree_ref(a, p->arrived), blocks));
  nest_add(a, all, nest_sync(a, build_if(a, done, build_assign(a, counter, tree_int(a, TYPE_UINT, 0)))));
  return all;
}

/* ---- the host ---- */

static Symbol *array(LongParts *g, const char *name, Type type) {
  Symbol *s = lowering_pointer(g->m.l, name, type);
  program_add_array(g->m.l->a, g->m.l->program, s, g->room);
  return s;
}

/* Pieces have as many elements as a warp's lanes load in some turns, or more. There are no more than these and long
 * parts: each may have one that is not whole. */
static void declare_queue(LongParts *g, Tree *elements) {
  enum { TURNS = 4 };
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Program *p = l->program;
  const Plan *plan = l->plan;
  Tunable loads = plan->sizes.at[1 + arch_lane(plan->machine)->depth].tunable;
  Tree *each = tree_ref(a, lowering_constant(l, &loads, "elements in flight", TYPE_INT)->symbol);
  g->piece = build_cast(a, TYPE_INDEX, build_mul(a, each, tree_int(a, TYPE_INT, TURNS * plan->machine->vector_width)));
  g->longest = build_cast(a, TYPE_INDEX, lowering_tunable(l, plan_longest_name));
  Tree *whole = build_div(a, elements, g->piece), *parts = build_div(a, elements, g->longest);
  g->room = lowering_size(l, "room", build_add(a, build_add(a, whole, parts), number(g, 1)));
  if (!p->queued) p->queued = lowering_pointer(l, "queued", TYPE_UINT);
  if (!p->arrived) p->arrived = lowering_pointer(l, "arrived", TYPE_UINT);
  g->heads = array(g, "heads", TYPE_INDEX);
  g->part = array(g, "part", TYPE_INDEX);
  g->pieces = array(g, "pieces", TYPE_UINT);
  p->partial = g->partial = array(g, "partial", g->combines->rule->spectrum->result);
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

/* As many blocks as the machine holds at once, or as there may be pieces for. */
static NestNode *long_parts(LongParts *g, Tree *elements) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  const Arch *m = l->plan->machine;
  Tree *threads = build_cast(a, TYPE_INDEX, tree_ref(a, l->now.threads)), *own, *many;
  lowering_workers(l, g->reduces->rule->level, &own, &many);
  Tree *held = build_div(a, number(g, m->units * m->threads_unit), threads);
  Tree *blocks = lowering_size(l, "reducing", build_min(a, build_ceil_div(a, g->room, many), held));
  g->queued = nest_workers(a, "blocks", ROLE_MAP, blocks, "block", build_lane(a, OP_BLOCK_ID));
  const char *note = arena_printf(a, "Each %s reduces pieces of longer parts; the last one of a part combines these.",
                                  g->reduces->rule->level->name);
  const NestKernel k = {.name = "long", .note = note, .blocks = blocks,
                        .when = build_compare(a, OP_GT, elements, g->longest)};
  return kernel_of(g, &k, open_queue);
}

NestNode *bounded_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  LongParts *g = arena_one(a, LongParts);
  *g = (LongParts){.m = {.l = l, .node = n}, .combines = n->kid[1], .reduces = n->kid[2]};
  const char *below = n->rule->parts->name;
  const char *comment = arena_printf(a, "%s > %s: %s, one part per %s, if it is short", n->rule->level->name, below,
                                     lowering_source(l, c), below);
  lowering_comment(l, "%s", comment);
  g->m.e = inline_environment(l, c, &w->in, NULL, NULL);
  g->m.regroup = lowering_regroup(l, n, &g->m.e, NULL);
  View *container = l->failed ? NULL : inline_view(l, &g->m.e, g->m.regroup.first->kid[0]);
  if (!container) return NULL;
  Tree *elements = view_size(l, container), *own, *many;
  g->m.sub = lowering_place(l, n->rule->parts);
  lowering_workers(l, n->rule->parts, &own, &many);
  const Tunable *most = &l->plan->sizes.at[n->axis.size].tunable;
  Tree *blocks = tree_ref(a, lowering_constant(l, most, grid_most_workers(l), TYPE_INDEX)->symbol);
  Tree *some = build_max(a, build_ceil_div(a, g->m.regroup.parts, many), number(g, 1));
  g->groups = lowering_size(l, "p", build_min(a, some, blocks));
  declare_queue(g, elements);
  const char *note = arena_printf(a, "Each %s processes its share of the parts, and queues longer ones.",
                                  n->rule->below->name);
  const NestKernel k = {.name = grid_plural(l, n->rule->below), .note = note, .blocks = g->groups};
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  nest_add(a, all, kernel_of(g, &k, open_parts))->comment = comment;
  nest_add(a, all, long_parts(g, elements));
  return all;
}
