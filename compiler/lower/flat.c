/* flat.c: a grid's map over parts of any lengths, which a warp's lanes go through together: elements of up to 32 parts
 * are laid side by side, and each lane takes the next one, whichever part it belongs to.
 *
 *     parts    | a a a a a | b | c c c | d d ..      one a lane: so much it would have to do by itself
 *     lanes      0 1 2 3 4   5   6 7 8   9 ..        elements of the first 32, in one step
 *
 *     parts.turn        loop: as many parts of a warp as keep all warps busy, 32 at most
 *       group           warps
 *         a turn        each lane finds out how long its own part is, and lanes add up what those before them have
 *           elements.at loop: 32 of them
 *             one       the part that has this lane's element, by halving; the plan of a part, of that element alone
 *
 * Requires as many parts as the text says, cut alike, and a codelet whose elements any workers may have
 * (compose/placement.c). Keeps: each element is met once. Breaks the order of elements, which was not said. */
#include "ir/operator.h"
#include "lower/block.h"
#include "lower/maps.h"

typedef struct Flat {
  Map *m;
  Tree *turn, *take;   /* the number of the turn's first part; and how many there are at most */
  Tree *end;           /* of parts */
  Tree *before;        /* elements of this lane's parts stand behind so many */
} Flat;

enum { LANES = 32, HALVINGS = 5 };

static Tree *index_of(const Flat *f, int64_t n) { return build_index(f->m->l->a, n); }

static Tree *lane_of(const Flat *f) { return build_cast(f->m->l->a, TYPE_INDEX, build_lane(f->m->l->a, OP_LANE)); }

static Tree *from_lane(const Flat *f, ShuffleMode mode, Tree *value, Tree *lane) {
  Tree *t = tree_binary(f->m->l->a, OP_SHUFFLE, TYPE_INDEX, value, lane);
  t->mode = mode;
  return t;
}

static Symbol *variable(const Flat *f, const char *name, Type type, Tree *is) {
  Lowering *l = f->m->l;
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->writable = true;
  lowering_add(l, build_declare(l->a, s, is));
  return s;
}

/* for (k = 0; k < 5; ++k) { .. }, written out; of each, 1 << k, or 16 >> k. */
static void steps(const Flat *f, Symbol *k, Tree **each, int n) {
  Arena *a = f->m->l->a;
  Tree *loop = build_for(a, k, tree_int(a, TYPE_INT, 0), tree_int(a, TYPE_INT, HALVINGS), tree_int(a, TYPE_INT, 1),
                         tree_seq(a, each, n));
  loop->unroll = UNROLL_ALL;
  lowering_add(f->m->l, loop);
}

static Symbol *passing(const Flat *f, const char *name, Type type) {
  Symbol *s = symbol_new(f->m->l->a, SYMBOL_LOCAL, lowering_name(f->m->l, name), type);
  s->constant = true;
  return s;
}

/* What lanes up to this one have, if this one has so many. */
static Tree *up_to(const Flat *f, Tree *own) {
  Lowering *l = f->m->l;
  Arena *a = l->a;
  Symbol *upto = variable(f, "upto", TYPE_INDEX, own), *k = block_counter(l, "k", TYPE_INT);
  Symbol *below = passing(f, "below", TYPE_INDEX);
  Tree *sum = tree_ref(a, upto), *apart = tree_binary(a, OP_SHL, TYPE_INT, tree_int(a, TYPE_INT, 1), tree_ref(a, k));
  Tree *there = build_compare(a, OP_GE, build_lane(a, OP_LANE), apart);
  Tree *more = build_choice(a, there, tree_ref(a, below), index_of(f, 0));
  Tree *each[] = {build_declare(a, below, from_lane(f, SHUFFLE_UP, sum, tree_clone(a, apart))),
                  build_assign(a, sum, build_add(a, sum, more))};
  steps(f, k, each, 2);
  return sum;
}

/* The lane that has element `which' of the turn: the last one whose elements do not begin behind it. */
static Tree *owner_of(const Flat *f, Tree *which) {
  Lowering *l = f->m->l;
  Arena *a = l->a;
  Symbol *owner = variable(f, "owner", TYPE_INT, tree_int(a, TYPE_INT, 0)), *k = block_counter(l, "k", TYPE_INT);
  Symbol *next = passing(f, "next", TYPE_INT), *begins = passing(f, "begins", TYPE_INDEX);
  Tree *own = tree_ref(a, owner), *half = tree_int(a, TYPE_INT, LANES / 2);
  Tree *there = build_add(a, own, tree_binary(a, OP_SHR, TYPE_INT, half, tree_ref(a, k)));
  Tree *is = build_compare(a, OP_LE, tree_ref(a, begins), which);
  Tree *each[] = {build_declare(a, next, there),
                  build_declare(a, begins, from_lane(f, SHUFFLE_INDEX, f->before, tree_ref(a, next))),
                  build_assign(a, own, build_choice(a, is, tree_ref(a, next), own))};
  steps(f, k, each, 3);
  return own;
}

static View *first_part(const Regroup *r, const Arguments *part) {
  for (int i = 0; i < part->n; i++)
    if (r->map->kid[i]->op == OP_PARTITION) return part->at[i].view;
  return NULL;
}

/* This lane's element: its part, of which everything else is left out. */
static NestNode *open_element(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Flat *f = w->begun;
  const NestAxis *elements = nest_above(l->nest, BINDING_LOOP);
  Tree *which = lowering_size(l, "which", build_add(a, elements->at, lane_of(f)));
  Tree *owner = owner_of(f, which);
  Tree *last = build_sub(a, f->end, index_of(f, 1));
  Tree *part = lowering_size(l, "k", build_min(a, build_add(a, f->turn, build_cast(a, TYPE_INDEX, owner)), last));
  Tree *within = lowering_size(l, "within", build_sub(a, which, from_lane(f, SHUFFLE_INDEX, f->before, owner)));
  Regroup *r = arena_one(a, Regroup);
  *r = f->m->regroup;
  r->within = true;
  Arguments in = lowering_parts(l, r, &f->m->e, part, "part");
  if (l->failed) return NULL;
  Tree *at = lowering_size(l, "at", build_add(a, first_part(r, &in)->begin, within));
  for (int i = 0; i < in.n; i++) {
    if (r->map->kid[i]->op != OP_PARTITION) continue;
    View *v = in.at[i].view = view_new(l, *in.at[i].view);
    v->begin = at;
    v->end = build_add(a, at, index_of(f, 1));
    v->size = index_of(f, 1);
  }
  Tree *is = build_compare(a, OP_LT, which, elements->dim->end);
  return nest_when(a, is, open_plan(l, n, &w->place, &in, w->to), NULL);
}

/* How many elements lanes have, and the loop over these. */
static NestNode *open_turn(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Flat *f = w->begun;
  f->turn = nest_above(l->nest, BINDING_LOOP)->at;
  Tree *own = lowering_size(l, "own", build_add(a, f->turn, lane_of(f)));
  Arguments in = lowering_parts(l, &f->m->regroup, &f->m->e, own, "own");
  if (l->failed) return NULL;
  const View *part = first_part(&f->m->regroup, &in);
  Tree *is = build_both(a, build_compare(a, OP_LT, lane_of(f), f->take), tails_part_exists(l, own, f->end));
  Tree *some = build_max(a, build_sub(a, part->end, part->begin), index_of(f, 0));
  Tree *length = lowering_size(l, "length", build_choice(a, is, some, index_of(f, 0)));
  Tree *upto = up_to(f, length);
  f->before = lowering_size(l, "before", build_sub(a, upto, length));
  Tree *all = lowering_size(l, "all", from_lane(f, SHUFFLE_INDEX, upto, tree_int(a, TYPE_INT, LANES - 1)));
  NestAxis *elements = nest_dimension(a, "elements", ROLE_MAP, index_of(f, 0), all);
  NestAxis *lanes = nest_split(a, elements, "lane", index_of(f, LANES), BINDING_IN_STEP);
  nest_bind(lanes, BINDING_IN_STEP, "lane", index_of(f, 0));
  lanes->tail = TAIL_NONE;
  elements->name = "step";
  NestNode *one = open_plan(l, n, &w->place, NULL, arena_one(a, Destination));
  one->work->again = open_element;
  one->work->begun = f;
  return nest_over(a, elements, nest_over(a, lanes, one));
}

void flat_workers(Lowering *l, Shares *s) {
  s->own = build_lane(l->a, OP_WARP);
  s->many = build_div(l->a, tree_ref(l->a, l->now.threads), tree_int(l->a, TYPE_INT, LANES));
}

NestNode *flat_open(Map *m, const Shares *s) {
  Lowering *l = m->l;
  Arena *a = l->a;
  Flat *f = arena_one(a, Flat);
  *f = (Flat){.m = m, .end = s->end};
  Tree *warps = build_mul(a, s->groups ? s->groups : index_of(f, 1), s->many);
  Tree *warp = build_add(a, build_mul(a, s->groups ? s->group : index_of(f, 0), s->many), s->own);
  Tree *each = build_ceil_div(a, build_sub(a, s->end, s->first), warps);
  f->take = lowering_size(l, "take", build_max(a, build_min(a, each, index_of(f, LANES)), index_of(f, 1)));
  NestAxis *parts = nest_dimension(a, "parts", ROLE_MAP, s->first, s->end);
  NestAxis *group = nest_split_workers(a, parts, "group", warps, "group", warp);
  NestAxis *own = nest_split(a, group, "own", f->take, BINDING_IN_STEP);
  nest_bind(own, BINDING_IN_STEP, "own", index_of(f, 0));
  own->tail = TAIL_NONE;
  parts->name = s->iteration ? s->iteration : "turn";
  NestNode *turn = open_plan(l, m->node->kid[0], &m->sub, NULL, arena_one(a, Destination));
  turn->work->again = open_turn;
  turn->work->begun = f;
  return nest_over(a, parts, nest_over(a, group, nest_over(a, own, turn)));
}
