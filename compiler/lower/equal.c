/* equal.c: a grid's map over parts of any lengths that follow one another, whose elements are cut in equal shares:
 * each block has `threads * loads' steps of a walk over all elements (merge path) in which a part's end is a step, too.
 *
 *     steps    | a a a . b . c | c c c c c c c | c c c . . d | e e .     a letter: an element; a point: a part's end
 *     block    |       0       |       1       |      2      |   3
 *
 * So no block has more elements than another, nor more parts, though many be empty.
 *
 *     kernel marks           the part that each share begins with: each part marks those that begin in it. Of fewer
 *     or kernel cuts         parts than shares: a search in the parts' ends
 *     kernel blocks
 *       n block              a share
 *         n.k x lane         its elements go to shared memory, `loads' of a lane in flight
 *         parts.turn x own   a part, or what the share has of it: a plan, of shared memory. If it is all of the part
 *                            it is delivered; else it goes to the workspace, as the first or the last piece of the
 *                            block's share: others have the rest
 *     join n                 by the next launch
 *       kernel pieces
 *         borders x own      of the last part of each share, if it began there and goes on: a plan of what the blocks
 *                            behind it found first, in their order; and both combined
 *
 * Requires parts that each begin where the one before ends, and a reduction of an element of each container
 * (compose/expand_equal.c). Keeps the elements' order. Where ends do not ascend, results are anything, but nothing
 * outside is read or written. */
#include "ir/operator.h"
#include "lower/block.h"
#include "lower/maps.h"

typedef struct Equal {
  Map m;                  /* results: the shares' first pieces, then their last ones */
  const PlanNode *pieces; /* what combines them */
  Tree *elements, *parts; /* of all; */
  Tree *shares, *share;   /* how many shares there are, and steps of one */
  Tree *loads;            /* of a lane; NULL: of a process, whose threads have a share each, and stage nothing */
  Symbol *cuts;           /* in the workspace: the first part that does not end before each share, and before all's
                             end */
  NestAxis *steps;        /* of shares, one a block */
  Place block;
  Symbol *staged;
  /* in the kernel of blocks: */
  Tree *number;           /* of the share; */
  Tree *begin, *end;      /* positions of its first element, and behind its last; */
  Tree *first, *until;    /* the parts that are there when it begins and ends */
} Equal;

static Tree *number(Equal *g, int64_t n) { return build_index(g->m.l->a, n); }

static Type type_of_piece(const Equal *g) { return g->pieces->rule->spectrum->result; }

/* ---- where shares begin ---- */

/* Value number `which' of a sequence of elements, no further than its last: a number of elements. */
static Tree *value_of(Equal *g, const Tree *sequence, Tree *which) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  View *of = inline_view(l, &g->m.e, sequence->kid[0]);
  if (!of) { lowering_fail(l, sequence->where, "this is not a container here"); return which; }
  Tree *at = build_add(a, sequence->kid[1], which), *last = build_sub(a, sequence->kid[3], number(g, 1));
  Tree *value = build_cast(a, TYPE_INDEX, view_element(l, of, build_min(a, at, last)));
  return build_max(a, build_min(a, value, g->elements), number(g, 0));
}

static Tree *step_of_share(Equal *g, Tree *which) {
  Lowering *l = g->m.l;
  return build_min(l->a, build_mul(l->a, which, g->share), build_add(l->a, g->elements, g->parts));
}

static Symbol *variable(Lowering *l, const char *name) {
  return symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), TYPE_INDEX);
}

/* while (low < high): what is left becomes an eighth of it. Seven loads are in flight: memory answers as soon as with
 * one, and there are a third of the iterations that halving it takes. Samples beyond the last are the last. */
static Tree *narrowing(Equal *g, Tree *low, Tree *high, Tree *step) {
  enum { WAYS = 8 };
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Symbol *part = variable(l, "part"), *before = variable(l, "before"), *at = variable(l, "at");
  Symbol *k = block_counter(l, "k", TYPE_INT);
  Tree *length = tree_ref(a, part), *many = tree_ref(a, before), *here = tree_ref(a, at), *one = number(g, 1);
  Tree *ahead = build_sub(a, build_mul(a, build_cast(a, TYPE_INDEX, tree_ref(a, k)), length), one);
  Tree *sample = build_min(a, build_add(a, low, ahead), build_sub(a, high, one));
  Tree *is_before = build_compare(a, OP_LT, build_add(a, value_of(g, g->m.regroup.end, here), here), step);
  Tree *add = build_assign(a, many, build_add(a, many, build_choice(a, is_before, one, number(g, 0))));
  Tree *each[] = {build_declare(a, at, sample), add};
  Tree *loop = build_for(a, k, tree_int(a, TYPE_INT, 1), tree_int(a, TYPE_INT, WAYS), tree_int(a, TYPE_INT, 1),
                         tree_seq(a, each, 2));
  Tree *behind = build_sub(a, build_add(a, low, build_mul(a, build_add(a, many, one), length)), one);
  part->constant = at->constant = true;
  loop->unroll = UNROLL_ALL;
  Tree *body[] = {build_declare(a, part, build_add(a, build_div(a, build_sub(a, high, low), number(g, WAYS)), one)),
                  build_declare(a, before, number(g, 0)), loop,
                  build_assign(a, high, build_min(a, behind, high)),
                  build_assign(a, low, build_min(a, build_add(a, low, build_mul(a, many, length)), high))};
  Tree *kids[] = {build_compare(a, OP_LT, low, high), tree_seq(a, body, 5)};
  return build_tree(a, OP_WHILE, TYPE_VOID, kids, 2);
}

/* The first part whose end is that step, or one behind it: ends are as many steps from the beginning as there are
 * elements and parts before them. */
static NestNode *open_search(Lowering *l, const PlanNode *n, Work *w) {
  (void)n;
  Arena *a = l->a;
  Equal *g = w->begun;
  NestAxis *cut = nest_above(l->nest, BINDING_LOOP);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  Tree *step = lowering_size(l, "step", step_of_share(g, cut->at));
  NestValue *low = nest_number(a, all, "low", TYPE_INDEX, number(g, 0)),
            *high = nest_number(a, all, "high", TYPE_INDEX, g->parts);
  low->symbol->constant = high->symbol->constant = false;
  NestNode *loop = nest_add(a, all, nest_sync(a, narrowing(g, low->now, high->now, step)));
  nest_access(a, loop, low, USE_ACCUMULATE);
  Tree *store = build_assign(a, build_element(a, g->cuts, cut->at), low->now);
  nest_access(a, nest_add(a, all, nest_sync(a, store)), low, USE_READ);
  return all;
}

/* for (cut = ..) cuts[cut] = part, for the shares that begin behind the part before it, up to its own end; behind all
 * parts, for all others. */
static NestNode *open_marks(Lowering *l, const PlanNode *n, Work *w) {
  (void)n;
  Arena *a = l->a;
  Equal *g = w->begun;
  Tree *part = nest_above(l->nest, BINDING_LOOP)->at, *last = build_sub(a, part, number(g, 1));
  Tree *before = build_add(a, value_of(g, g->m.regroup.end, last), last);
  Tree *own = build_add(a, value_of(g, g->m.regroup.end, part), part);
  before = build_choice(a, build_compare(a, OP_GT, part, number(g, 0)), before, build_index(a, -1));
  own = build_choice(a, tails_part_exists(l, part, g->parts), own, build_mul(a, g->shares, g->share));
  before = lowering_size(l, "before", before);
  own = lowering_size(l, "own", own);
  Symbol *cut = block_counter(l, "cut", TYPE_INDEX);
  Tree *mark = build_assign(a, build_element(a, g->cuts, tree_ref(a, cut)), part);
  Tree *first = build_div(a, build_add(a, before, g->share), g->share);
  Tree *end = build_add(a, build_div(a, own, g->share), number(g, 1));
  return nest_sync(a, build_for(a, cut, first, end, number(g, 1), tree_seq(a, &mark, 1)));
}

/* A kernel of a thread each for so many. */
static NestNode *threads_for(Equal *g, NestKernel k, const char *blocks_name, NestAxis *many, Tree *of, Open *again) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Tree *threads = tree_ref(a, l->now.threads);
  k.blocks = lowering_size(l, blocks_name, build_ceil_div(a, of, threads));
  NestAxis *block = nest_split_workers(a, many, "block", k.blocks, "block", build_lane(a, OP_BLOCK_ID));
  NestAxis *thread = nest_split_workers(a, block, "thread", threads, "thread", build_lane(a, OP_THREAD));
  const Place lane = lowering_place(l, arch_lane(l->plan->machine));
  NestNode *work = open_plan(l, g->m.node, &lane, NULL, NULL);
  work->work->again = again;
  work->work->begun = g;
  NestNode *kernel = nest_kernel(a, &k);
  nest_add(a, kernel, nest_over(a, many, nest_over(a, block, nest_over(a, thread, work))));
  return kernel;
}

static NestNode *search(Equal *g) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Tree *many = build_add(a, g->shares, number(g, 1));
  NestAxis *cut = nest_dimension(a, "cuts", ROLE_MAP, number(g, 0), many);
  nest_count(a, cut, "cut", TYPE_INDEX);
  const NestKernel k = {.name = "cuts", .note = "Each thread finds the part with which a share begins.",
                        .when = build_compare(a, OP_LT, g->parts, g->shares)};
  return threads_for(g, k, "searching", cut, many, open_search);
}

static NestNode *marks(Equal *g) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Tree *many = build_add(a, g->parts, number(g, 1));
  NestAxis *part = nest_dimension(a, "parts", ROLE_MAP, number(g, 0), many);
  nest_count(a, part, "part", TYPE_INDEX);
  const NestKernel k = {.name = "marks", .note = "Each thread marks the shares that begin in a part.",
                        .when = build_compare(a, OP_GE, g->parts, g->shares)};
  return threads_for(g, k, "marking", part, many, open_marks);
}

/* The part with which share `which' begins; a thread of a process searches it, of the few that there are. */
static Tree *first_part(Equal *g, const char *name, Tree *which) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  if (g->cuts) { /* where ends do not ascend nobody may have marked it */
    Tree *marked = build_element(a, g->cuts, which), *most = build_min(a, g->parts, step_of_share(g, which));
    return lowering_size(l, name, build_max(a, build_min(a, marked, most), number(g, 0)));
  }
  Tree *step = lowering_size(l, "step", step_of_share(g, which));
  Symbol *low = variable(l, name), *high = variable(l, "high");
  lowering_add(l, build_declare(a, low, number(g, 0)));
  lowering_add(l, build_declare(a, high, g->parts));
  lowering_add(l, narrowing(g, tree_ref(a, low), tree_ref(a, high), step));
  return tree_ref(a, low);
}

/* .. and the element. */
static Tree *first_element(Equal *g, Tree *which, Tree *part) {
  return build_sub(g->m.l->a, step_of_share(g, which), part);
}

/* ---- a share ---- */

/* Its elements, as the reduction has them, as if it were a part; of a process they are read where they lie. */
static View *elements_of(Equal *g) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Tree *from = first_element(g, g->number, g->first);
  Tree *to = first_element(g, build_add(a, g->number, number(g, 1)), g->until);
  Regroup *r = arena_one(a, Regroup);
  if (g->loads) to = build_min(a, to, build_add(a, from, g->share)); /* it is less already where ends ascend */
  *r = g->m.regroup;
  r->start = tree_unary(a, OP_SEQUENCE, TYPE_VOID, from);
  r->end = tree_unary(a, OP_SEQUENCE, TYPE_VOID, to);
  Arguments share = lowering_parts(l, r, &g->m.e, number(g, 0), "share");
  if (l->failed) return NULL;
  const View *first = NULL;
  for (int i = 0; i < share.n && !first; i++)
    if (r->map->kid[i]->op == OP_PARTITION) first = share.at[i].view;
  g->begin = first->begin;
  g->end = first->end;
  for (const PlanNode *n = g->m.node->kid[0]; g->loads && plan_applies(n) && !l->failed; n = n->kid[0])
    share = lowering_applied(l, n->rule->codelet, &g->block, &share);
  return l->failed ? NULL : share.at[0].view;
}

static void count(Equal *g, NestAxis *x) {
  x->many = g->loads;
  x->number = tree_ref(g->m.l->a, symbol_new(g->m.l->a, SYMBOL_LOCAL, "k", TYPE_INT));
  x->unroll = UNROLL_ALL;
}

/* All loads of a lane are in flight before it stores one. Those behind the share's last element load that again. */
static NestNode *stage(Equal *g, NestNode *to, View *from) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Tree *threads = tree_ref(a, l->now.threads), *thread = build_lane(a, OP_THREAD);
  Tree *many = build_sub(a, build_sub(a, g->end, g->begin), number(g, 1));
  Tree *last = tree_ref(a, lowering_fixed(l, "last_item", TYPE_INT, build_cast(a, TYPE_INT, many)));
  const Type type = view_element(l, from, number(g, 0))->type;
  NestAxis *k[2] = {nest_split(a, g->steps, "k", g->loads, BINDING_LOOP)};
  NestAxis *lane = nest_split_workers(a, k[0], "lane", threads, "thread", thread);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  k[0]->tail = TAIL_REPEAT;
  k[1] = nest_again(a, k[0], "k", BINDING_LOOP, TAIL_REPEAT);
  NestValue *item = nest_value(a, "item", NEST_REGISTERS), *staged = nest_shared(a, to, "staged", type, g->share);
  NestValue *elements = open_memory(a, "elements", from);
  item->symbol = lowering_array(l, item->name, type, g->loads);
  nest_keep(a, item, k[0]);
  vec_push(a, &all->home, item);
  g->staged = staged->symbol;
  for (int i = 0; i < 2; i++) {
    count(g, k[i]);
    Tree *at = build_add(a, build_mul(a, k[i]->number, threads), thread);
    Tree *own = build_element(a, item->symbol, k[i]->number);
    Tree *move = i ? build_assign(a, build_element(a, staged->symbol, at), own)
                   : build_assign(a, own, view_element(l, from, build_min(a, at, last)));
    NestNode *copy = i ? open_copy(a, staged, item) : open_copy(a, item, elements);
    copy->stage->sync = move;
    nest_add(a, all, nest_over(a, k[i], nest_over(a, lane, copy)));
  }
  return nest_when(a, build_compare(a, OP_LT, g->begin, g->end), all, NULL);
}

/* What the share has of a part, of elements that were staged; or where they lie. */
static Arguments piece_of(Equal *g, const Work *w, const Piece *piece) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  if (!g->loads) {
    Arguments made = w->in;
    for (int i = 0; i < made.n; i++) {
      if (w->part.cut->map->kid[i]->op != OP_PARTITION) continue;
      View *v = made.at[i].view = view_new(l, *made.at[i].view);
      v->begin = piece->from;
      v->end = piece->to;
      v->size = NULL;
    }
    return made;
  }
  View *staged = view_new(l, view_of_memory(l, g->staged, NULL));
  staged->begin = build_sub(a, piece->from, g->begin);
  staged->end = build_sub(a, piece->to, g->begin);
  staged->size = build_sub(a, piece->to, piece->from);
  return lowering_of(staged);
}

/* A part, or what the share has of it; and where its result goes. */
static NestNode *open_piece(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Equal *g = w->begun;
  const View *part = NULL;
  const Regroup *r = w->part.cut;
  for (int i = 0; i < w->in.n && !part; i++)
    if (r->map->kid[i]->op == OP_PARTITION) part = w->in.at[i].view;
  const Piece piece = tails_piece(l, part, g->begin, g->end, tails_part_exists(l, w->part.which, g->until));
  const Arguments in = piece_of(g, w, &piece);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  NestValue *found = pieces_result(l, all, "found", plan_work(n), type_of_piece(g));
  NestNode *plan = nest_add(a, all, open_plan(l, g->loads ? plan_work(n) : n, &w->place, &in, pieces_to(l, found)));
  nest_access(a, plan, found, USE_WRITE);
  Destination *own = arena_one(a, Destination), *rest = arena_one(a, Destination);
  *own = *w->to;
  Tree *at = build_add(a, build_choice(a, piece.begun_before, number(g, 0), g->shares), g->number);
  *rest = (Destination){.kind = TO_PLACE, .place = build_element(a, l->program->partial, at)};
  NestNode *keep = nest_when(a, piece.some, open_deliver(l, &w->place, found, rest), NULL);
  nest_add(a, all, nest_when(a, piece.whole, open_deliver(l, &w->place, found, own), keep));
  return all;
}

static NestNode *in_iterations(Equal *g, NestAxis *iterations, const Regroup *r) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Tree *own, *many;
  const Level *level = g->m.sub.level;
  lowering_workers(l, level, &own, &many);
  NestAxis *workers = nest_split(a, iterations, "own", many, BINDING_IN_STEP);
  nest_bind(workers, BINDING_IN_STEP, level->name, own);
  workers->tail = build_is(own, 0) ? TAIL_NONE : idle_tail(g->m.node, r, &g->m.sub);
  NestNode *each = open_plan(l, g->m.node->kid[0], &g->m.sub, NULL, arena_one(a, Destination));
  each->work->part = (Part){.cut = r, .e = &g->m.e, .who = "part"};
  each->work->again = open_piece;
  each->work->begun = g;
  return nest_over(a, iterations, nest_over(a, workers, each));
}

static NestNode *open_share(Lowering *l, const PlanNode *n, Work *w) {
  (void)n;
  Arena *a = l->a;
  Equal *g = w->begun;
  enum { RESIDENT_LANES = 2048 }; /* all of a multiprocessor's: they wait for what is gathered, not for one another */
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  if (g->loads) l->now.kernel->resident_lanes = RESIDENT_LANES;
  g->number = g->steps->number;
  g->first = first_part(g, "first", g->number);
  g->until = first_part(g, "last", build_add(a, g->number, number(g, 1)));
  View *elements = elements_of(g);
  if (!elements) return NULL;
  if (g->loads) nest_add(a, all, stage(g, all, elements));
  Tree *end = lowering_size(l, "behind", build_min(a, build_add(a, g->until, number(g, 1)), g->parts));
  NestAxis *iterations = nest_dimension(a, "parts", ROLE_MAP, g->first, end);
  Regroup *r = arena_one(a, Regroup);
  *r = g->m.regroup;
  r->parts = end;
  iterations->name = "turn";
  nest_add(a, all, in_iterations(g, iterations, r));
  return all;
}

/* ---- pieces ---- */

/* The part that goes on behind a share, and began there: its first piece, and those that blocks found first. */
typedef struct Border { Equal *g; Tree *which, *part, *begin, *end; } Border;

static NestNode *open_combination(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Border *b = w->begun;
  Equal *g = b->g;
  Tree *last = build_div(a, build_add(a, build_sub(a, b->end, number(g, 1)), b->part), g->share);
  Tree *many = lowering_size(l, "many", build_sub(a, last, b->which));
  View *others = view_new(l, view_of_memory(l, l->program->partial, many));
  others->begin = build_add(a, b->which, number(g, 1));
  others->end = build_add(a, others->begin, many);
  const Arguments in = lowering_of(others);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  NestValue *rest = pieces_result(l, all, "rest", n, type_of_piece(g)), *total = nest_value(a, "total", NEST_REGISTERS);
  Tree *place = build_element(a, l->program->partial, build_add(a, g->shares, b->which));
  NestValue *first = nest_number(a, all, "piece", type_of_piece(g), place);
  vec_push(a, &all->home, total);
  Destination *to = arena_one(a, Destination);
  *to = lowering_place_of(l, &g->m.e, b->part);
  nest_access(a, nest_add(a, all, open_plan(l, n, &w->place, &in, pieces_to(l, rest))), rest, USE_WRITE);
  NestNode *both = nest_operate(a, STAGE_NUMBER, n->rule->spectrum->op, total, first);
  nest_access(a, both, rest, USE_READ);
  nest_add(a, all, both);
  nest_add(a, all, open_deliver(l, &w->place, total, to));
  return all;
}

/* Where the part begins and ends that is there when a share ends. */
static NestNode *open_part(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Border *b = w->begun;
  Equal *g = b->g;
  Tree *next = build_add(a, b->which, number(g, 1));
  Tree *from = lowering_size(l, "from", first_element(g, b->which, first_part(g, "before", b->which)));
  Tree *to = lowering_size(l, "to", first_element(g, next, b->part));
  b->begin = lowering_size(l, "begin", value_of(g, g->m.regroup.start, b->part));
  b->end = lowering_size(l, "end", value_of(g, g->m.regroup.end, b->part));
  NestNode *work = open_plan(l, n, &w->place, NULL, NULL);
  work->work->again = open_combination;
  work->work->begun = b;
  return nest_when(a, tails_goes_on_behind(l, b->begin, b->end, from, to), work, NULL);
}

static NestNode *open_border(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Border *b = w->begun;
  Equal *g = b->g;
  b->which = nest_above(l->nest, BINDING_LOOP)->at;
  b->part = first_part(g, "k", build_add(a, b->which, number(g, 1)));
  NestNode *work = open_plan(l, n, &w->place, NULL, NULL);
  work->work->again = open_part;
  work->work->begun = b;
  return nest_when(a, tails_part_exists(l, b->part, g->parts), work, NULL);
}

static NestNode *combine(Equal *g) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  const Level *level = g->pieces->rule->level;
  Tree *own, *many;
  Border *b = arena_one(a, Border);
  *b = (Border){.g = g};
  lowering_workers(l, level, &own, &many);
  Tree *blocks = g->cuts ? lowering_size(l, "combining", build_ceil_div(a, g->shares, many)) : number(g, 1);
  NestAxis *border = nest_dimension(a, "borders", ROLE_MAP, number(g, 0), g->shares);
  nest_count(a, border, "border", TYPE_INDEX);
  NestAxis *block = nest_split_workers(a, border, "block", blocks, "block", build_lane(a, OP_BLOCK_ID));
  NestAxis *worker = nest_split_workers(a, block, "own", many, level->name, own);
  const Place place = lowering_place(l, level);
  NestNode *work = open_plan(l, g->pieces, &place, NULL, NULL);
  work->work->again = open_border;
  work->work->begun = b;
  const char *note = arena_printf(a, "Each %s combines the pieces of a part that several blocks have.", level->name);
  NestNode *kernel = nest_kernel(a, &(NestKernel){.name = "pieces", .note = note, .blocks = blocks});
  return nest_add(a, kernel, nest_over(a, border, nest_over(a, block, nest_over(a, worker, work))))->above;
}

/* ---- the host ---- */

/* The workspace: which part each share begins with; each one's first and last piece. */
static void declare_workspace(Equal *g) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  Program *p = l->program;
  if (g->loads) {
    g->cuts = lowering_pointer(l, "cuts", TYPE_INDEX);
    program_add_array(a, p, g->cuts, build_add(a, g->shares, number(g, 1)));
  }
  p->partial = lowering_pointer(l, "partial", type_of_piece(g));
  Tree *pieces = build_mul(a, g->shares, number(g, 2));
  program_add_array(a, p, p->partial, pieces);
  g->m.results = nest_value(a, "partial", NEST_MEMORY);
  g->m.results->view = view_new(l, view_of_memory(l, p->partial, pieces));
  nest_keep(a, g->m.results, g->steps);
  nest_partial(a, g->m.results, g->steps);
}

static NestNode *blocks_of(Equal *g, const char *comment) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  const Level *blocks = g->block.level;
  const char *note = arena_printf(a, "Each %s processes an equal share of the elements, one %s per part of it.",
                                  blocks->name, g->m.sub.level->name);
  NestNode *kernel = nest_kernel(a, &(NestKernel){.name = grid_plural(l, blocks), .note = note, .blocks = g->shares});
  NestNode *work = open_plan(l, g->m.node, &g->block, NULL, NULL);
  work->work->again = open_share;
  work->work->begun = g;
  nest_access(a, work, g->m.results, USE_ACCUMULATE);
  nest_add(a, kernel, nest_over(a, g->steps, work));
  kernel->comment = comment;
  return kernel;
}

/* How many shares, and how long they are: as many of one length as there are; or as many as threads that they are worth
 * waking. */
static void cut_shares(Equal *g) {
  Lowering *l = g->m.l;
  Arena *a = l->a;
  const Plan *plan = l->plan;
  Tree *steps = build_add(a, g->elements, g->parts);
  if (!plan->machine->is_cpu) {
    Tunable loads = plan->sizes.at[1 + arch_lane(plan->machine)->depth].tunable;
    loads.value = 4;
    g->loads = tree_ref(a, lowering_constant(l, &loads, "elements in flight", TYPE_INT)->symbol);
    g->share = build_mul(a, tree_ref(a, l->now.threads), g->loads);
    g->shares = lowering_size(l, "shares", build_max(a, build_ceil_div(a, steps, g->share), number(g, 1)));
    grid_refuse_above(l, g->shares, number(g, plan->machine->grid_max));
    g->steps = nest_dimension(a, "n", ROLE_REDUCE, number(g, 0), steps);
    nest_bind(g->steps, BINDING_WORKERS, g->block.level->name, build_lane(a, OP_BLOCK_ID));
    g->steps->tail = TAIL_NONE;
    return;
  }
  const Tunable *most = &plan->sizes.at[g->m.node->axis.size].tunable;
  Tree *blocks = tree_ref(a, lowering_constant(l, most, grid_most_workers(l), TYPE_INDEX)->symbol);
  Tree *worth = build_min(a, build_ceil_div(a, steps, grid_enough_work(l)), blocks);
  g->shares = lowering_size(l, "shares", build_max(a, worth, number(g, 1)));
  g->share = lowering_size(l, "share", build_max(a, build_ceil_div(a, steps, g->shares), number(g, 1)));
  Tree *this = build_lane(a, OP_BLOCK_ID);
  g->steps = nest_workers(a, "shares", ROLE_REDUCE, g->shares, g->block.level->name, this);
}

NestNode *equal_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  Equal *g = arena_one(a, Equal);
  *g = (Equal){.m = {.l = l, .node = n}, .pieces = n->kid[1]};
  const char *comment = arena_printf(a, "%s > %s: %s, equal shares of the elements", n->rule->level->name,
                                     n->rule->below->name, lowering_source(l, c));
  lowering_comment(l, "%s", comment);
  g->m.e = inline_environment(l, c, &w->in, NULL, NULL);
  g->m.regroup = lowering_regroup(l, n, &g->m.e, NULL);
  View *container = l->failed ? NULL : inline_view(l, &g->m.e, g->m.regroup.first->kid[0]);
  if (!container) return NULL;
  g->elements = view_size(l, container);
  g->parts = g->m.regroup.parts;
  g->m.sub = lowering_place(l, n->rule->parts);
  g->block = lowering_place(l, n->rule->below);
  cut_shares(g);
  declare_workspace(g);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  vec_push(a, &all->home, g->m.results);
  if (g->cuts) nest_add(a, all, marks(g));
  if (g->cuts) nest_add(a, all, search(g));
  nest_add(a, all, blocks_of(g, comment));
  nest_add(a, all, nest_join(a, g->m.results, g->steps, WAY_LAUNCH, combine(g)));
  return all;
}
