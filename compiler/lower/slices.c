/* slices.c: neighbouring parts whose elements stand side by side, as those of a matrix's rows do whose columns are
 * contiguous: each lane has 16 bytes of them, and a block's warps have a slice of all of these parts each.
 *
 *              warp 0          warp 1
 *     lane 0   | . . . . . . . | . . . . . . . |
 *              | . . . . . . . | . . . . . . . |   16 bytes of parts a lane, so many slots
 *     lane 1   | . . . . . . . | . . . . . . . |
 *              | . . . . . . . | . . . . . . . |
 *                `loads' elements of each at once
 *
 * What a load takes are elements of as many parts, and what a warp's lanes load is a run. The slices' results go to
 * shared memory; each part's are combined by one lane. Where runs of 16 bytes are not aligned, or do not end where
 * the parts do, a lane has every 32nd of a block's parts instead, and loads their elements one by one. */
#include "lower/block.h"
#include "lower/kept.h"

/* Memory that elements come from, and what a round has of it, in registers. */
typedef struct Leaf { View *view; Symbol *wide; } Leaf;

typedef struct Slots {
  Lowering *l;
  Kept kept;              /* the codelet, in a slot for each of a lane's parts */
  VEC(Leaf) leaves;
  const Place *place;
  Tree *loads;            /* elements of a round */
} Slots;

static Tree *number(Lowering *l, int64_t n) { return tree_int(l->a, TYPE_INT, n); }
static Tree *width_of_warp(Lowering *l) { return number(l, l->plan->machine->vector_width); }

/* The type of the elements of which a load takes 16 bytes. */
static Type loaded_type(Lowering *l, const Regroup *r, Environment *e) {
  for (int i = 0; i < r->map->nkids; i++) {
    const Tree *t = r->map->kid[i];
    const View *v = t->op == OP_ROWS || t->op == OP_COLUMNS ? inline_view(l, e, t->kid[0]) : NULL;
    if (v) return v->base->type;
  }
  lowering_fail(l, r->map->where, "the map has no parts");
  return TYPE_ELEM;
}

static Tree *parts_of_block(Lowering *l) {
  return build_mul(l->a, width_of_warp(l), build_width(l->a, l->slices.type));
}

Tree *slices_parts(Lowering *l, const Regroup *r, Environment *e) {
  const Type type = loaded_type(l, r, e);
  if (!l->slices.parts || l->slices.type != type) {
    l->slices.type = type;
    l->slices.parts = lowering_size(l, "block_parts", parts_of_block(l));
  }
  return l->slices.parts;
}

/* ---- the flag ---- */

static Tree *is_multiple(Arena *a, Tree *x, Tree *of) {
  return build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INDEX, x, of), build_index(a, 0));
}

/* Are all 16 bytes of neighbouring parts' elements at multiples of 16 bytes, and does none lie half outside? */
static Symbol *wide_flag(Lowering *l, const Regroup *r, Environment *e) {
  Arena *a = l->a;
  Tree *width = build_width(a, l->slices.type), *when = is_multiple(a, r->parts, width);
  for (int i = 0; i < r->map->nkids; i++) {
    const Tree *t = r->map->kid[i];
    const View *v = t->op == OP_ROWS || t->op == OP_COLUMNS ? inline_view(l, e, t->kid[0]) : NULL;
    if (!v || v->base->type != l->slices.type) continue;
    Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, v->base, v->begin));
    when = build_both(a, when, build_compare(a, OP_EQ, ahead, build_index(a, 0)));
    Tree *apart = t->op == OP_ROWS ? v->column_step : v->row_step;
    if (!tree_equal(apart, r->parts)) when = build_both(a, when, is_multiple(a, apart, width));
  }
  Symbol *wide = symbol_new(a, SYMBOL_CONSTANT, lowering_name(l, "wide"), TYPE_BOOL);
  wide->constant = true;
  l->kernel->flag = wide;
  l->flag_when = when;
  return wide;
}

static Tree *if_wide(Lowering *l, Tree *x, Tree *y) {
  Tree *t = tree_new(l->a, OP_COND, x->type, (SourceRange){0}, 3);
  t->kid[0] = tree_ref(l->a, l->slices.wide);
  t->kid[1] = x;
  t->kid[2] = y;
  return t;
}

void slices_shares(Lowering *l, const PlanNode *n, const Regroup *r, Environment *e, Tree *first, Tree *step) {
  Arena *a = l->a;
  l->slices.per = lowering_fixed(l, "per", TYPE_INT, build_width(a, l->slices.type));
  Tree *width = tree_ref(a, l->slices.per);
  Tree *lane = build_lane(a, OP_LANE), *one = number(l, 1);
  l->slices.wide = wide_flag(l, r, e);
  l->slices.first = tree_ref(a, lowering_fixed(l, "first", TYPE_INT, if_wide(l, build_mul(a, lane, width), lane)));
  Symbol *turn = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "turn"), TYPE_INDEX);
  l->slices.turn = tree_ref(a, turn);

  Statements inner = {0}, *outer = l->to;
  int names = l->names.n;
  l->to = &inner;
  Tree *last = build_sub(a, r->parts, if_wide(l, width, one));
  Tree *k = lowering_size(l, "k", build_min(a, build_add(a, l->slices.turn, l->slices.first), last));
  l->given_part = k;
  Regroup all = *r;
  all.within = true; /* lanes beyond the last part do again what others do, and deliver nothing */
  Arguments part = lowering_parts(l, &all, e, k, "part");
  Destination to = lowering_own_place(l, e, k);
  Place lanes = lowering_place(l, n->rule->parts);
  lowering_node(l, n->kid[0], &lanes, &part, &to);
  l->given_part = NULL;
  l->to = outer;
  l->names.n = names;
  lowering_add(l, build_for(a, turn, first, r->parts, step, tree_seq(a, inner.at, inner.n), UNROLL_FREE));
}

/* ---- a lane's parts ---- */

/* How far the part of a slot is from the lane's first, where that is every 32nd: none is beyond the last. */
static Tree *apart_ahead(Lowering *l, Tree *slot) {
  Arena *a = l->a;
  Tree *left = build_sub(a, build_sub(a, l->alike.parts, build_index(a, 1)), l->given_part);
  return build_min(a, build_mul(a, slot, width_of_warp(l)), left);
}

static Tree *slot_ahead(Lowering *l, Tree *slot) { return if_wide(l, slot, apart_ahead(l, slot)); }

/* Element `turn' of a round that begins with element `at', in a slot, whose part is so far `ahead' of the lane's first;
 * `turn' NULL: wherever it lies. */
typedef struct Turn { Tree *at, *turn, *slot, *ahead; } Turn;

static Leaf *leaf_of(Slots *s, const View *v) {
  for (int i = 0; i < s->leaves.n; i++)
    if (s->leaves.at[i].view == v) return &s->leaves.at[i];
  return NULL;
}

/* The memory of a slot's part: the container's, or what a round has loaded of it. `here': the element's number in it. */
static View *memory_in_slot(Slots *s, View *v, const Turn *t, Tree *here) {
  Arena *a = s->l->a;
  View *made = arena_one(a, View);
  *made = *v;
  if (v->beside) {
    made->size = view_size(s->l, v);
    made->begin = build_add(a, v->begin, t->ahead);
    made->end = build_add(a, v->end, t->ahead);
  }
  if (!t->turn) return made;
  made->place = build_add(a, made->begin, build_mul(a, here, v->step));
  made->base = leaf_of(s, v)->wide;
  made->begin = v->beside ? build_add(a, build_mul(a, t->turn, s->kept.slots), t->slot) : t->turn;
  made->step = build_index(a, 0);
  return made;
}

static View *in_slot(Slots *s, View *v, const Turn *t, Tree *here) {
  Arena *a = s->l->a;
  if (v->kind == VIEW_MEMORY) return memory_in_slot(s, v, t, here);
  Tree *there = here ? build_add(a, v->begin, build_mul(a, here, v->step)) : NULL;
  View *made = arena_one(a, View);
  *made = *v;
  for (int i = 0; i < v->nof; i++)
    if (v->kind != VIEW_GATHER || i == 1) made->of[i] = in_slot(s, v->of[i], t, there);
  return made;
}

/* What parameters stand for in a slot. */
static void set_arguments(Slots *s, Environment *e, const Turn *t) {
  Tree *here = t->turn ? build_add(s->l->a, t->at, t->turn) : NULL;
  for (int i = 0; i < e->arguments.n; i++) {
    View *old = e->arguments.at[i].view;
    if (!old) continue;
    e->arguments.at[i].view = in_slot(s, old, t, here);
    if (old == s->kept.in) e->view = e->arguments.at[i].view;
  }
}

/* ---- rounds ---- */

/* Finds the memory that elements come from, one after the other; what is gathered lies anywhere. */
static void find_leaves(Slots *s, View *v) {
  Leaf leaf = {.view = v};
  if (v->kind == VIEW_MEMORY) vec_push(s->l->a, &s->leaves, leaf);
  for (int i = 0; i < v->nof; i++)
    if (v->kind != VIEW_GATHER || i == 1) find_leaves(s, v->of[i]);
}

/* Where element number `at' of the container stands in a leaf of it; NULL: it is none of its leaves. */
static Tree *position(Arena *a, const View *v, const View *leaf, Tree *at) {
  Tree *here = build_add(a, v->begin, build_mul(a, at, v->step)), *found = v == leaf ? here : NULL;
  for (int i = 0; i < v->nof && !found; i++)
    if (v->kind != VIEW_GATHER || i == 1) found = position(a, v->of[i], leaf, here);
  return found;
}

static Tree *leaf_position(Slots *s, const Leaf *leaf, Tree *at) {
  const Arguments *in = &s->kept.shared.arguments;
  Tree *found = NULL;
  for (int i = 0; i < in->n && !found; i++)
    if (in->at[i].view) found = position(s->l->a, in->at[i].view, leaf->view, at);
  return found;
}

/* The same element of all slots' parts, one by one. */
static void load_slots(Slots *s, const Leaf *leaf, Tree *there, Tree *first, Tree *ahead(Lowering *, Tree *)) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Block b;
  int names = l->names.n;
  Symbol *k = block_counter(l, "s", TYPE_INT);
  Tree *slot = tree_ref(a, k);
  block_open(l, &b);
  Tree *from = build_element(a, leaf->view->base, build_add(a, there, ahead(l, slot)));
  lowering_add(l, build_assign(a, build_element(a, leaf->wide, build_add(a, first, slot)), from));
  block_close_unrolled(l, &b, k, s->kept.slots);
  l->names.n = names;
}

/* A turn's worth of a leaf. */
static void load_turn(Slots *s, const Leaf *leaf, Tree *at, Tree *turn) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Tree *there = leaf_position(s, leaf, build_add(a, at, turn)), *first = build_mul(a, turn, s->kept.slots);
  Tree *from = build_element(a, leaf->view->base, there);
  if (!leaf->view->beside) {
    lowering_add(l, build_assign(a, build_element(a, leaf->wide, turn), from));
    return;
  }
  if (leaf->view->base->type != l->slices.type) { /* more of these, or fewer, are 16 bytes */
    load_slots(s, leaf, there, first, slot_ahead);
    return;
  }
  Tree *load = tree_binary(a, OP_LOAD_WIDE, TYPE_VOID, build_element(a, leaf->wide, first), from);
  load->number = WIDE_ONCE;
  Block b;
  block_open(l, &b);
  load_slots(s, leaf, there, first, apart_ahead);
  block_close(l, &b);
  lowering_add(l, build_either(a, tree_ref(a, l->slices.wide), tree_seq(a, &load, 1), tree_seq(a, b.inner.at, b.inner.n)));
}

static Tree *is_left(Lowering *l, Tree *turn, Symbol *left) {
  return left ? build_compare(l->a, OP_LT, turn, tree_ref(l->a, left)) : NULL;
}

static void load_round(Slots *s, Tree *at, Symbol *left) {
  Lowering *l = s->l;
  Arena *a = l->a;
  for (int i = 0; i < s->leaves.n; i++) {
    Leaf *leaf = &s->leaves.at[i];
    const bool beside = leaf->view->beside;
    leaf->wide = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, beside ? "wide" : "same"), leaf->view->base->type);
    leaf->wide->array = leaf->wide->writable = true;
    leaf->wide->length = beside ? build_mul(a, s->loads, s->kept.slots) : s->loads;
    lowering_add(l, build_declare(a, leaf->wide, NULL));
  }
  Block b, c;
  int names = l->names.n;
  Symbol *k = block_counter(l, "k", TYPE_INT);
  block_open(l, &b);
  block_open(l, &c);
  for (int i = 0; i < s->leaves.n; i++) load_turn(s, &s->leaves.at[i], at, tree_ref(a, k));
  block_close_guarded(l, &c, is_left(l, tree_ref(a, k), left));
  block_close_unrolled(l, &b, k, s->loads);
  l->names.n = names;
}

/* The codelet's loop body on what a round has loaded, each slot on its own part. */
static void take_round(Slots *s, Tree *at, Symbol *left) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Block b, c, d;
  int names = l->names.n;
  Symbol *k = block_counter(l, "k", TYPE_INT), *slot = block_counter(l, "s", TYPE_INT);
  Tree *turn = tree_ref(a, k);
  block_open(l, &b);
  block_open(l, &c);
  block_open(l, &d);
  Tree *own = tree_ref(a, slot);
  const Turn which = {at, turn, own, slot_ahead(l, own)};
  Environment e = kept_environment(&s->kept, own);
  set_arguments(s, &e, &which);
  inline_bind(l, &e, s->kept.loop->kid[0]->symbol, build_add(a, at, turn), NULL);
  inline_statements(l, &e, s->kept.loop->kid[3], NULL);
  block_close_unrolled(l, &d, slot, s->kept.slots);
  block_close_guarded(l, &c, is_left(l, turn, left));
  block_close_unrolled(l, &b, k, s->loads);
  l->names.n = names;
}

/* Whole rounds, then what is left. */
static void rounds(Slots *s, Tree *size) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Symbol *i = block_counter(l, "i", TYPE_INDEX);
  Tree *at = tree_ref(a, i);
  Block whole, rest;
  lowering_add(l, build_declare(a, i, build_index(a, 0)));
  block_open(l, &whole);
  load_round(s, at, NULL);
  take_round(s, at, NULL);
  block_close(l, &whole);
  Tree *room = build_compare(a, OP_LE, build_add(a, at, s->loads), size);
  lowering_add(l, build_onward(a, at, room, s->loads, tree_seq(a, whole.inner.at, whole.inner.n), UNROLL_NONE));
  Symbol *left = lowering_fixed(l, "left", TYPE_INT, build_cast(a, TYPE_INT, build_sub(a, size, at)));
  block_open(l, &rest);
  load_round(s, at, left);
  take_round(s, at, left);
  block_close_guarded(l, &rest, build_compare(a, OP_GT, tree_ref(a, left), number(l, 0)));
}

/* Can slots take turns: does the codelet go through its containers once, element by element, and write to none? */
static bool takes_turns(Slots *s) {
  const Codelet *c = s->kept.codelet;
  if (s->l->program->element == TYPE_BOOL || !s->kept.in || !kept_take_apart(c, &s->kept.loop, &s->kept.result)) return false;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *p = c->params[i];
    if (p->rank && (p->writable || p->atomic)) return false;
    for (int k = 0; p->rank && k < s->kept.body->nkids; k++) {
      const Tree *t = s->kept.body->kid[k];
      if (!plan_uses_elements(t == s->kept.loop ? t->kid[3] : t, p, t == s->kept.loop ? t->kid[0]->symbol : NULL)) return false;
    }
  }
  return kept_loop_is(s->l, c, s->kept.loop, &s->kept.shared.arguments, inline_takes_elements);
}

/* What each slot's part gives: a container of `per' results. */
static View in_turns(Slots *s, const PlanNode *n) {
  Lowering *l = s->l;
  SizeVar size = l->plan->sizes.at[1 + n->rule->level->depth];
  size.preset = l->plan->machine->measured.loads_alone;
  s->loads = tree_ref(l->a, lowering_constant(l, "loads", "16-byte loads in flight", &size, TYPE_INT)->symbol);
  kept_declare(&s->kept);
  rounds(s, view_size(l, s->kept.in));
  return kept_results(&s->kept);
}

/* The same for codelets that slots do not run side by side. */
static View one_by_one(Slots *s, const PlanNode *n) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Symbol *results = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "part"), n->rule->spectrum->result);
  results->array = results->writable = true;
  results->length = s->kept.slots;
  lowering_add(l, build_declare(a, results, NULL));
  Block b;
  int names = l->names.n;
  Symbol *k = block_counter(l, "s", TYPE_INT);
  block_open(l, &b);
  Environment e = s->kept.shared;
  set_arguments(s, &e, &(Turn){.ahead = lowering_size(l, "ahead", slot_ahead(l, tree_ref(a, k)))});
  Destination to = {.kind = TO_PLACE, .place = build_element(a, results, tree_ref(a, k))};
  inline_codelet(l, s->kept.codelet, &s->kept.codelet->plain, s->place, &e.arguments, &to);
  block_close_unrolled(l, &b, k, s->kept.slots);
  l->names.n = names;
  return view_of_memory(l, results, s->kept.slots);
}

/* ---- what the slices gave ---- */

/* The lane's results into shared memory, those of each slot side by side with those of all the block's lanes. */
static Symbol *share(Slots *s, const PlanNode *n, const View *own) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Block b;
  int names = l->names.n;
  Tree *threads = tree_ref(a, l->threads);
  Symbol *results = lowering_shared(l, "slices", n->rule->spectrum->result,
                                    build_mul(a, threads, build_width(a, l->slices.type)));
  Symbol *k = block_counter(l, "s", TYPE_INT);
  Tree *slot = tree_ref(a, k);
  block_open(l, &b);
  Tree *place = build_element(a, results, build_add(a, build_lane(a, OP_THREAD), build_mul(a, slot, threads)));
  lowering_add(l, build_assign(a, place, view_element(l, own, slot)));
  block_close_unrolled(l, &b, k, s->kept.slots);
  l->names.n = names;
  return results;
}

static Tree *part_of(Arena *a, Op op, Symbol *of, Tree *by) { return tree_binary(a, op, TYPE_INT, tree_ref(a, of), by); }

/* Number `part' of the block's parts in all slices: the results of one lane of each warp, in one slot. */
static View slices_of(Lowering *l, Symbol *results, Symbol *part, Tree *warps) {
  Arena *a = l->a;
  Tree *width = tree_ref(a, l->slices.per), *lanes = width_of_warp(l);
  Tree *slot = if_wide(l, part_of(a, OP_REM, part, width), part_of(a, OP_DIV, part, lanes));
  Tree *lane = if_wide(l, part_of(a, OP_DIV, part, width), part_of(a, OP_REM, part, lanes));
  Tree *begin = tree_ref(a, lowering_fixed(l, "begin", TYPE_INT, build_mul(a, slot, tree_ref(a, l->threads))));
  return (View){.base = results, .begin = build_add(a, begin, lane), .step = lanes, .size = warps,
                .end = build_add(a, begin, tree_ref(a, l->threads))};
}

/* Each part's results are combined by one lane. */
static void combine(Lowering *l, const PlanNode *n, const Place *p, Symbol *results, Tree *warps, Destination *to) {
  Arena *a = l->a;
  Block b;
  int names = l->names.n;
  Symbol *j = block_counter(l, "j", TYPE_INT);
  block_open(l, &b);
  Tree *part = lowering_size(l, "part", build_add(a, l->slices.turn, tree_ref(a, j)));
  View all = slices_of(l, results, j, warps);
  Arguments of_all = lowering_of(&all);
  Destination its = *to;
  its.place = build_with(a, to->place, l->given_part->symbol, part);
  Place lane = *p;
  lane.leader = build_compare(a, OP_LT, part, l->alike.parts);
  lowering_node(l, n->kid[1], &lane, &of_all, &its);
  block_close(l, &b);
  l->names.n = names;
  lowering_add(l, build_for(a, j, build_lane(a, OP_THREAD), parts_of_block(l), tree_ref(a, l->threads),
                            tree_seq(a, b.inner.at, b.inner.n), UNROLL_FREE));
}

void slices_lower(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arena *a = l->a;
  const Codelet *c = n->kid[0]->rule->codelet;
  Tree *warp = build_lane(a, OP_WARP), *warps = build_div(a, tree_ref(a, l->threads), width_of_warp(l));
  lowering_comment(l, "%s: %s, one slice a %s", p->level->name, lowering_source(l, n->rule->codelet),
                   n->rule->below->name);
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, p);
  Regroup r = lowering_regroup(l, n, &e, warps);
  if (l->failed) return;
  Arguments slice = lowering_parts(l, &r, &e, warp, "slice");
  Slots s = {.l = l, .kept = kept_of(l, c, &slice, p), .place = p};
  s.kept.slots = tree_ref(a, l->slices.per);
  for (int i = 0; i < slice.n; i++)
    if (slice.at[i].view) find_leaves(&s, slice.at[i].view);
  const bool turns = takes_turns(&s);
  lowering_comment(l, "%s: %s%s", p->level->name, lowering_source(l, c),
                   turns ? ", on 16 bytes of neighbouring parts" : "");
  View own = turns ? in_turns(&s, n) : one_by_one(&s, n);
  combine(l, n, p, share(&s, n, &own), warps, to);
}
