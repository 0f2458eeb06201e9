/* tails.c: lanes and iterations without work. What is beyond the end of a dimension follows from its axes: this file
 * cuts an axis into pieces, and makes the conditions of loops and branches. No other file of a nest's compares with
 * where it ends.
 *
 *     | head | lane 0: 16 bytes | lane 1 | .. | lane 0: the next load's 16 bytes | lane 1 | .. |  tail |
 *       ends   whole rounds, then a last one whose loads are guarded                             ends
 *
 * A peeled axis has whole iterations first. What is left is as the next axis says:
 *
 *   guard, identity  one more round, whose loads are guarded. The head (up to the first multiple of 16 bytes) and the
 *                    tail, which are fewer elements than there are lanes, are in flight with it, or follow it
 *   peel             iterations of the next axis, one at a time, and then a guard around each worker's
 *   clip             element by element, in their order: the head comes before all, the tail behind
 *
 * Requires axes that nest_split has made. Keeps: each element is met once. */
#include "lower/realise.h"

/* ---- pieces ---- */

/* The same nodes on other axes: `from' becomes `to'. */
static NestNode *with_axis(Arena *a, const NestNode *n, const NestAxis *from, NestAxis *to) {
  NestNode *made = arena_one(a, NestNode);
  *made = *n;
  if (n->axis == from) made->axis = to;
  made->kids.at = NULL;
  made->kids.n = made->kids.capacity = 0;
  for (int i = 0; i < n->kids.n; i++) nest_add(a, made, with_axis(a, n->kids.at[i], from, to));
  return made;
}

static NestAxis *loop_of(const Opened *o, const NestAxis *x, const char *name, NestUntil until, NestTail tail) {
  NestAxis *made = nest_again(o->l->a, x, name, BINDING_LOOP, tail);
  made->until = until;
  made->extent = NULL;
  made->unroll = o->rounds->unroll;
  return made;
}

static NestNode *whole_rounds(Opened *o, const NestNode *rounds) {
  Arena *a = o->l->a;
  NestNode *made = with_axis(a, rounds, o->load, nest_again(a, o->load, o->load->name, BINDING_UNROLL, TAIL_NONE));
  made->axis = loop_of(o, o->rounds, "i", UNTIL_WHOLE, TAIL_NONE);
  return made;
}

/* Are there surely more workers than a head and a tail have elements? */
static bool enough_workers(const Tree *workers) {
  enum { MOST_ENDS = 2 * 15 };
  int64_t constant;
  if (tree_constant(workers, &constant)) return constant >= MOST_ENDS;
  return workers->op == OP_REF && workers->symbol->kind == SYMBOL_CONSTANT && workers->symbol->min >= MOST_ENDS;
}

/* The head and the tail, an element a worker. */
static NestNode *ends(Opened *o) {
  Arena *a = o->l->a;
  NestAxis *e = nest_dimension(a, "ends", o->rounds->dim->role, NULL, NULL);
  e->dim->ends_of = o->rounds->dim;
  e->name = "e";
  e->until = enough_workers(o->lane->extent) ? UNTIL_ONCE : UNTIL_END;
  e->tail = TAIL_NONE;
  NestAxis *lane = nest_split_workers(a, e, "lane", o->lane->extent, o->lane->level, o->lane->number);
  lane->tail = TAIL_GUARD;
  return nest_over(a, e, nest_over(a, lane, vectorise_stage(o, NULL)));
}

static bool computes(const NestNode *n) {
  if (n->kind == NEST_STAGE) return n->stage->kind == STAGE_CODELET;
  for (int i = 0; i < n->kids.n; i++)
    if (computes(n->kids.at[i])) return true;
  return false;
}

static void last_round(Opened *o, const NestNode *rounds, bool hurry, NestNode *pieces) {
  Arena *a = o->l->a;
  NestNode *last = nest_over(a, loop_of(o, o->rounds, "i", UNTIL_ONCE, hurry ? TAIL_NONE : TAIL_GUARD), NULL);
  const bool has_ends = o->rounds->dim->aligned_by != NULL;
  last->home = rounds->home;
  last->comment = !has_ends ? NULL
                  : hurry ? "the last round; with it what lies before the first and after the last 16 bytes"
                        : "the last round";
  for (int i = 0; i < rounds->kids.n; i++) {
    if (hurry && computes(rounds->kids.at[i])) nest_add(a, last, ends(o));
    nest_add(a, last, rounds->kids.at[i]);
  }
  nest_add(a, pieces, last);
  if (hurry || !has_ends) return;
  nest_add(a, pieces, ends(o))->comment = "what lies before the first and after the last 16 bytes";
}

/* Single vectors go into slot 0, and so does what is less than one. */
static NestNode *vectors_left(Opened *o, const NestNode *rounds) {
  Arena *a = o->l->a;
  const NestNode *lane = rounds->kids.at[0]->kids.at[0];
  NestAxis *guarded = nest_again(a, o->lane, o->lane->name, o->lane->binding, TAIL_GUARD);
  NestNode *left = nest_node(a, NEST_SEQ, NULL);
  nest_add(a, left, nest_over(a, loop_of(o, o->load, "v", UNTIL_WHOLE, TAIL_NONE), with_axis(a, lane, NULL, NULL)));
  NestAxis *less = loop_of(o, o->load, "v", UNTIL_ONCE, TAIL_GUARD);
  nest_add(a, left, nest_over(a, less, with_axis(a, lane, o->lane, guarded)));
  return left;
}

static NestNode *one_by_one(Opened *o, NestUntil until) {
  Arena *a = o->l->a;
  return nest_over(a, loop_of(o, o->slot, "e", until, TAIL_CLIP), vectorise_stage(o, NULL));
}

NestNode *tails_peel(Opened *o, const NestNode *rounds, const Peeling *how) {
  Arena *a = o->l->a;
  NestNode *pieces = nest_node(a, NEST_PIECES, NULL), *whole = whole_rounds(o, rounds);
  pieces->axis = o->rounds;
  if (o->load->tail == TAIL_CLIP && o->rounds->dim->aligned_by) nest_add(a, pieces, one_by_one(o, UNTIL_ALIGNED));
  nest_add(a, pieces, how->never ? nest_when(a, how->never, NULL, whole) : whole);
  if (o->load->tail == TAIL_CLIP) nest_add(a, pieces, one_by_one(o, UNTIL_END));
  else if (o->load->tail == TAIL_PEEL) {
    NestNode *left = vectors_left(o, rounds);
    nest_add(a, pieces, how->none_left ? nest_when(a, how->none_left, NULL, left) : left);
  } else last_round(o, rounds, how->hurry, pieces);
  return pieces;
}

/* ---- bounds ---- */

static const NestAxis *bound_to(const NestDim *dim, NestBinding binding) {
  for (int i = 0; i < dim->axes.n; i++)
    if (dim->axes.at[i]->binding == binding) return dim->axes.at[i];
  return NULL;
}

/* The first position that is a multiple of 16 bytes, or the end. */
static Symbol *first_aligned(Lowering *l, const NestDim *dim, const View *in) {
  Arena *a = l->a;
  const NestValue *v = dim->aligned_by;
  /* tiles of whole grains all begin where the container begins, but for a multiple of 16 bytes */
  Tree *from = when_is_whole_part(l, in) ? lowering_kernel(l)->part->begin : NULL;
  if (!from) from = dim->origin;
  if (v->begin) from = build_add(a, v->begin, from);
  Tree *there = build_element(a, v->view->source.base, from);
  Symbol *ahead = lowering_fixed(l, "ahead", TYPE_INDEX, tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, there));
  Tree *first = build_add(a, dim->origin, tree_ref(a, ahead));
  return lowering_fixed(l, "aligned", TYPE_INDEX, build_min(a, first, dim->end));
}

static Symbol *last_whole(Lowering *l, const char *name, Tree *origin, Tree *end, Tree *unit) {
  Arena *a = l->a;
  Tree *left = build_sub(a, end, origin);
  return lowering_fixed(l, name, TYPE_INDEX, build_add(a, origin, build_mul(a, build_div(a, left, unit), unit)));
}

Bounds tails_bounds(Lowering *l, const NestDim *dim, const View *in) {
  Bounds b = {.aligned = dim->aligned_by ? first_aligned(l, dim, in) : NULL};
  const NestAxis *wide = bound_to(dim, BINDING_WIDE);
  if (b.aligned && bound_to(dim, BINDING_WORKERS))
    b.ragged = last_whole(l, "ragged", tree_ref(l->a, b.aligned), dim->end, wide->extent);
  return b;
}

Tree *tails_origin(Lowering *l, const NestDim *dim, const Bounds *b) {
  Tree *from = b->aligned && bound_to(dim, BINDING_WORKERS) ? tree_ref(l->a, b->aligned) : dim->origin;
  for (int i = 0; i < dim->axes.n; i++) {
    const NestAxis *x = dim->axes.at[i];
    if (x->binding == BINDING_WORKERS) from = build_add(l->a, from, build_mul(l->a, x->number, x->stride));
  }
  return from;
}

bool tails_in_step(const NestDim *dim) { return bound_to(dim, BINDING_IN_STEP) != NULL; }

Symbol *tails_many(Lowering *l, const NestAxis *axis, const Bounds *b) {
  if (axis->until != UNTIL_WHOLE || !b->aligned) return NULL;
  return last_whole(l, "many", tree_ref(l->a, b->aligned), axis->dim->end, axis->stride);
}

/* ---- conditions ---- */

Tree *tails_goes_on(Lowering *l, const NestAxis *axis, const Bounds *b, Tree *at, const Symbol *many) {
  Arena *a = l->a;
  if (axis->until == UNTIL_ALIGNED) return build_compare(a, OP_LT, at, tree_ref(a, b->aligned));
  if (many) return build_compare(a, OP_LT, at, tree_ref(a, (Symbol *)many));
  if (axis->until == UNTIL_WHOLE) return build_compare(a, OP_LE, build_add(a, at, axis->stride), axis->dim->end);
  return build_compare(a, OP_LT, at, axis->dim->end);
}

void tails_declare_left(Lowering *l, const NestDim *dim, Bounds *b, Tree *at) {
  Tree *left = build_sub(l->a, b->ragged ? tree_ref(l->a, b->ragged) : dim->end, at);
  b->left = lowering_fixed(l, "left", TYPE_INT, build_cast(l->a, TYPE_INT, left));
}

Tree *tails_exists(Lowering *l, const NestAxis *axis, const Bounds *b, Tree *at, Tree *number) {
  Arena *a = l->a;
  if (axis->binding == BINDING_UNROLL) /* the first of its loads' elements; there are whole loads up to `ragged' */
    return build_compare(a, OP_LT, build_mul(a, number, axis->stride), tree_ref(a, b->left));
  if (axis->binding == BINDING_LOOP && b->left)
    return build_compare(a, OP_GT, tree_ref(a, b->left), tree_int(a, TYPE_INT, 0));
  if (axis->binding == BINDING_LOOP || !number) return build_compare(a, OP_LT, at, axis->dim->end);
  Tree *own = build_mul(a, number, axis->stride);
  return build_compare(a, OP_LT, at ? build_add(a, at, own) : own, axis->dim->end);
}

/* Where an element of the ends stands: number `mine' of them. */
static Tree *place_of_end(Lowering *l, const NestDim *of, const Bounds *b, Tree *mine, Tree *head) {
  Arena *a = l->a;
  Tree *behind = build_add(a, tree_ref(a, b->ragged), build_sub(a, mine, head));
  return build_choice(l->a, build_compare(a, OP_LT, mine, head), build_add(a, of->origin, mine), behind);
}

Tree *tails_head(Lowering *l, const NestDim *of, const Bounds *b) {
  Tree *many = build_sub(l->a, tree_ref(l->a, b->aligned), of->origin);
  return tree_ref(l->a, lowering_fixed(l, "head", TYPE_INT, build_cast(l->a, TYPE_INT, many)));
}

Tree *tails_end(Lowering *l, const NestDim *of, const Bounds *b, Tree *mine, Tree *head) {
  return tree_ref(l->a, lowering_fixed(l, "end", TYPE_INDEX, place_of_end(l, of, b, mine, head)));
}

Tree *tails_many_ends(Lowering *l, const NestDim *of, const Bounds *b, Tree *head) {
  Arena *a = l->a;
  return build_add(a, head, build_cast(a, TYPE_INT, build_sub(a, of->end, tree_ref(a, b->ragged))));
}

Tree *tails_end_exists(Lowering *l, const NestDim *of, Tree *end) { return build_compare(l->a, OP_LT, end, of->end); }

/* ---- tiles of scans ---- */

Tree *tails_holds(Lowering *l, const NestDim *dim, Tree *first, Tree *end) {
  return build_both(l->a, build_compare(l->a, OP_GE, first, dim->origin), build_compare(l->a, OP_LE, end, dim->end));
}

Tree *tails_within(Lowering *l, const NestDim *dim, Tree *at) {
  return build_both(l->a, build_compare(l->a, OP_GE, at, dim->origin), build_compare(l->a, OP_LT, at, dim->end));
}

/* ---- many parts ---- */

Tree *tails_part_exists(Lowering *l, Tree *which, Tree *parts) { return build_compare(l->a, OP_LT, which, parts); }

Tree *tails_or_last_part(Lowering *l, Tree *which, Tree *parts) {
  return lowering_size(l, "again", build_min(l->a, which, build_sub(l->a, parts, build_index(l->a, 1))));
}

Tree *tails_length(Lowering *l, const char *name, Tree *which, Tree *parts, Tree *length) {
  return lowering_size(l, name, build_choice(l->a, tails_part_exists(l, which, parts), length, build_index(l->a, 0)));
}

Tree *tails_tile_begin(Lowering *l, Tree *number, Tree *tile, Tree *early, Tree *elements) {
  Tree *begin = build_mul(l->a, number, tile);
  return build_min(l->a, early ? build_sub(l->a, begin, early) : begin, elements);
}

Tree *tails_tile_size(Lowering *l, Tree *begin, Tree *tile, Tree *elements) {
  return build_min(l->a, tile, build_sub(l->a, elements, begin));
}

Tree *tails_run_size(Lowering *l, Tree *begin, Tree *inc, Tree *end) {
  Arena *a = l->a;
  Tree *many = build_ceil_div(a, build_sub(a, end, begin), inc);
  return build_choice(a, build_compare(a, OP_LT, begin, end), many, build_index(a, 0));
}

void tails_empty(Lowering *l, const Regroup *r, Arguments *part, Tree *exists) {
  Tree *known = NULL, *until = NULL;
  for (int i = 0; i < part->n; i++) {
    View *v = part->at[i].view;
    if (!v || r->map->kid[i]->op != OP_PARTITION) continue;
    if (!known || !tree_equal(known, v->end)) {
      known = v->end;
      until = lowering_size(l, "until", build_choice(l->a, exists, v->end, v->begin));
    }
    v->end = until;
    v->size = NULL;
  }
}

/* ---- shares of all parts' elements ---- */

Piece tails_piece(Lowering *l, const View *part, Tree *begin, Tree *end, Tree *ends_here) {
  Arena *a = l->a;
  Piece x = {.from = lowering_size(l, "from", build_max(a, part->begin, begin))};
  x.to = lowering_size(l, "to", build_max(a, build_min(a, part->end, end), x.from));
  x.some = build_compare(a, OP_LT, x.from, x.to);
  Tree *all = build_both(a, build_compare(a, OP_EQ, x.from, part->begin), build_compare(a, OP_EQ, x.to, part->end));
  x.whole = build_both(a, all, tree_binary(a, OP_LOR, TYPE_BOOL, x.some, ends_here));
  x.begun_before = build_compare(a, OP_LT, part->begin, begin);
  return x;
}

Tree *tails_goes_on_behind(Lowering *l, Tree *begin, Tree *end, Tree *from, Tree *to) {
  Arena *a = l->a;
  Tree *began = build_both(a, build_compare(a, OP_LE, from, begin), build_compare(a, OP_LT, begin, to));
  return build_both(a, began, build_compare(a, OP_LT, to, end));
}

/* ---- slots that are parts ---- */

Tree *tails_first_register(Lowering *l, Tree *turn, Tree *first, Tree *per, Tree *parts) {
  Arena *a = l->a;
  Tree *more = build_choice(a, tree_ref(a, l->now.kernel->flag), per, tree_int(a, TYPE_INT, 1));
  return lowering_size(l, "k", build_min(a, build_add(a, turn, first), build_sub(a, parts, more)));
}

Tree *tails_register(Lowering *l, Tree *slot, bool strided) {
  Arena *a = l->a;
  const NestAxis *parts = lowering_axis_of_parts(l);
  Tree *width = tree_int(a, TYPE_INT, l->plan->machine->vector_width);
  Tree *left = build_sub(a, build_sub(a, parts->dim->end, build_index(a, 1)), parts->at);
  Tree *every = build_min(a, build_mul(a, slot, width), left);
  return strided ? every : build_choice(a, tree_ref(a, l->now.kernel->flag), slot, every);
}
