/* slots.c: a map over register slots (the ilp level): unroll and jam, with 16-byte loads.
 *
 * The container of one lane is every workers-th element of a run. Its slots are cut so that the run is read in whole
 * 16 bytes, several of them in flight:
 *
 *     | head | lane 0: 16 bytes | lane 1 | .. | lane 0: the next load's 16 bytes | lane 1 | .. |  tail |
 *       slot 0   slots 0..per-1                   slots 0..per-1                                 slot 0
 *
 * Every slot, one for each element of a load, runs the autonomous codelet with variables of its own, in registers.
 * Whole rounds of `loads' come first; the last round's loads are guarded, and the head (up to the first multiple of 16
 * bytes) and the tail, which are fewer elements than there are lanes, are in flight with them: where a part is no more
 * than one round (`once', which the launcher sees), nothing waits but for the memory once. What the slots return is a
 * container of `per' results. It is the cover of the strided codelet, with a grain of 16 bytes.
 *
 * Several containers that are aligned with one another are read so at once, and what a container is computed from;
 * those that are written are stored 16 bytes at a time too. The first one's address says where 16 bytes begin; of the
 * others it may be another place, and then they are read and stored one element at a time.
 *
 * On a CPU a load is a vector, of which a lane has one element: its slots are `loads', and there is no head. */
#include "ir/monoid.h"
#include "ir/operator.h"
#include "lower/slots.h"

/* ---- pieces ---- */

static Tree *number(Lowering *l, int64_t n) { return tree_int(l->a, TYPE_INT, n); }
static Tree *times(Lowering *l, Tree *x, Tree *y) { return build_mul(l->a, x, y); }

/* Elements in 16 bytes. */
static Tree *bytes16(const Slots *s) {
  return build_width(s->l->a, s->leaves.at[0].view->base->type);
}

/* for (k = start; k < end; k += step) with `inner' as its body. */
static Tree *loop_of(Lowering *l, Symbol *k, Tree *start, Tree *end, Tree *step, Statements *inner, ForUnroll unroll) {
  return build_for(l->a, k, start, end, step, tree_seq(l->a, inner->at, inner->n), unroll);
}

Symbol *slots_counter(Lowering *l, const char *name, Type type) {
  return symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
}

void slots_open(Lowering *l, Block *b) {
  *b = (Block){.outer = l->to, .names = l->names.n};
  l->to = &b->inner;
}

void slots_close(Lowering *l, Block *b) {
  l->to = b->outer;
  l->names.n = b->names;
}

void slots_close_guarded(Lowering *l, Block *b, Tree *condition) {
  slots_close(l, b);
  Tree *all = tree_seq(l->a, b->inner.at, b->inner.n);
  lowering_add(l, condition ? build_if(l->a, condition, all) : all);
}

void slots_close_unrolled(Lowering *l, Block *b, Symbol *k, Tree *count) {
  slots_close(l, b);
  lowering_add(l, loop_of(l, k, number(l, 0), count, number(l, 1), &b->inner, UNROLL_ALL));
}

Environment slots_environment(Slots *s, Tree *slot) {
  Environment e = s->shared;
  e.bound.at = NULL;
  e.bound.n = e.bound.capacity = 0;
  for (int i = 0; i < s->shared.bound.n; i++) vec_push(s->l->a, &e.bound, s->shared.bound.at[i]);
  for (int i = 0; i < s->locals.n; i++)
    inline_bind(s->l, &e, s->locals.at[i], build_element(s->l->a, s->arrays.at[i], slot), NULL);
  return e;
}

/* A container whose memory is what a round has loaded; `loaded' NULL: as it is. */
static View *in_registers(Slots *s, View *v, bool loaded) {
  View *made = arena_one(s->l->a, View);
  *made = *v;
  for (int i = 0; i < v->nof; i++)
    if (v->kind != VIEW_GATHER || i == 1) {
      made->of[i] = in_registers(s, v->of[i], loaded);
      if (loaded && v->of[i]->nof) made->of[i]->begin = build_index(s->l->a, 0); /* a leaf's `begin' has it */
    }
  for (int i = 0; loaded && i < s->leaves.n; i++) {
    if (s->leaves.at[i].view != v) continue;
    made->base = s->leaves.at[i].wide;
    made->begin = build_index(s->l->a, 0);
  }
  return made;
}

/* The codelet's loop body for one slot, on the elements at index; of what a round has loaded when `loaded', and these
 * stand at `place' of the container. */
static void body_of(Slots *s, Tree *slot, bool loaded, Tree *index, Tree *place) {
  Environment e = slots_environment(s, slot);
  for (int i = 0; i < e.arguments.n; i++) {
    View *old = e.arguments.at[i].view;
    if (!old || s->codelet->params[i]->atomic) continue;
    e.arguments.at[i].view = in_registers(s, old, loaded);
    e.arguments.at[i].view->begin = s->in->begin; /* aligned: meant by position from here on */
    if (old == s->in) e.view = e.arguments.at[i].view;
  }
  inline_by_position(s->l, &e, s->in, place);
  inline_bind(s->l, &e, s->loop->kid[0]->symbol, index, NULL);
  inline_statements(s->l, &e, s->loop->kid[3], NULL);
}

/* Where the container is a copy that is yet to be made: its element at index. */
static void copy_element(Slots *s, Tree *index) {
  Copying *c = s->in->kind == VIEW_MEMORY ? s->in->copying : NULL;
  if (!c) return;
  lowering_add(s->l, build_assign(s->l->a, build_element(s->l->a, s->in->base, index), view_element(s->l, c->from, index)));
  c->made = true;
}

/* ---- the parts of the run ---- */

void slots_declare_locals(Slots *s) {
  Lowering *l = s->l;
  Arena *a = l->a;
  for (int i = 0; i < s->body->nkids && s->body->kid[i]->op == OP_DECLARE; i++) {
    const Tree *t = s->body->kid[i];
    if (slots_share(s->body, t)) { inline_declaration(l, &s->shared, t); continue; }
    Symbol *array = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, t->symbol->name), t->symbol->type);
    array->array = true;
    array->length = tree_ref(a, s->per);
    array->writable = true;
    lowering_add(l, build_declare(a, array, NULL));
    vec_push(a, &s->locals, t->symbol);
    vec_push(a, &s->arrays, array);
    if (!t->nkids) continue;
    Block b;
    int names = l->names.n;
    Symbol *k = slots_counter(l, "s", TYPE_INT);
    slots_open(l, &b);
    Environment e = slots_environment(s, tree_ref(a, k));
    e.view = s->in;
    lowering_add(l, build_assign(a, build_element(a, array, tree_ref(a, k)), inline_expression(l, &e, t->kid[0])));
    slots_close(l, &b);
    lowering_add(l, loop_of(l, k, number(l, 0), tree_ref(a, s->per), number(l, 1), &b.inner, UNROLL_ALL));
    l->names.n = names;
  }
}

/* Is the loop's body `x op= in[i]' or `x = max(x, in[i])' with the spectrum's operator? Then an identity changes
 * nothing. */
static bool absorbs_identity(const Slots *s, const Spectrum *spectrum) {
  const Codelet *c = s->codelet;
  const Tree *loop = s->loop;
  const Symbol *read = s->in->base;
  if (s->leaves.n != 1 || s->in->kind != VIEW_MEMORY || (spectrum->lacks_identity && read->type == TYPE_STORED))
    return false;
  static const struct { OperatorKind kind; Op op; bool compound; } forms[] = {
      {OPERATOR_ADD, OP_ADD, true}, {OPERATOR_MUL, OP_MUL, true}, {OPERATOR_AND, OP_AND, true},
      {OPERATOR_OR, OP_OR, true}, {OPERATOR_XOR, OP_XOR, true}, {OPERATOR_MAX, OP_MAX, false},
      {OPERATOR_MIN, OP_MIN, false}, {OPERATOR_USER, OP_APPLY, false}};
  const Tree *t = loop->kid[3];
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  if (t->op != OP_ASSIGN || t->kid[0]->op != OP_REF) return false;
  const Tree *element = t->kid[1];
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (forms[i].kind != spectrum->op) continue;
    if (forms[i].compound && (Op)t->number != forms[i].op) return false;
    if (!forms[i].compound) {
      if (t->number || element->op != forms[i].op || !tree_equal(element->kid[0], t->kid[0])) return false;
      element = element->kid[1];
    }
    return element->op == OP_INDEX && element->kid[0]->op == OP_REF && element->kid[0]->symbol == c->params[0];
  }
  return false;
}

/* T wide[..], all the operator's identity. */
static void fill_identity(Slots *s, Symbol *wide) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Block b;
  int names = l->names.n;
  Symbol *k = slots_counter(l, "s", TYPE_INT);
  slots_open(l, &b);
  bool lifted = wide->type == TYPE_STORED;
  Tree *identity = operator_identity(a, s->absorbs->op, lifted ? TYPE_ELEM : wide->type);
  if (lifted) identity = tree_unary(a, OP_CAST, TYPE_STORED, identity);
  lowering_add(l, build_assign(a, build_element(a, wide, tree_ref(a, k)), identity));
  slots_close_unrolled(l, &b, k, wide->length);
  l->names.n = names;
}

/* 16 bytes of every load of a round between memory and an array of its own: those at or beyond `left' elements are left
 * out when that is not NULL. */
static void move_round(Slots *s, const Leaf *leaf, bool first, bool store, Symbol *at, Symbol *left) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Block b, c;
  int names = l->names.n;
  Symbol *k = slots_counter(l, "k", TYPE_INT);
  slots_open(l, &b);
  Tree *ahead = times(l, tree_ref(a, k), s->stride);
  Block d;
  bool several = leaf->view->base->type != s->leaves.at[0].view->base->type; /* a load's elements take more of these */
  Symbol *part = several ? slots_counter(l, "part", TYPE_INT) : NULL;
  Tree *width = build_width(a, leaf->view->base->type);
  Tree *more = several ? times(l, tree_ref(a, part), width) : number(l, 0);
  Tree *own = build_element(a, leaf->wide, build_add(a, times(l, tree_ref(a, k), tree_ref(a, s->per)), more));
  Tree *move = tree_new(a, store ? OP_STORE_WIDE : OP_LOAD_WIDE, TYPE_VOID, (SourceRange){0}, 2);
  move->kid[store] = own;
  Tree *position = build_add(a, build_add(a, tree_ref(a, at), ahead), more);
  move->kid[!store] = build_element(a, leaf->view->base, leaf->begin ? build_add(a, leaf->begin, position) : position);
  move->number = first ? WIDE_ALIGNED : WIDE_ANYWHERE;
  if (left) slots_open(l, &c);
  if (several) slots_open(l, &d);
  lowering_add(l, move);
  if (several) slots_close_unrolled(l, &d, part, build_div(a, tree_ref(a, s->per), width));
  if (left) slots_close_guarded(l, &c, build_compare(a, OP_LT, ahead, tree_ref(a, left)));
  slots_close_unrolled(l, &b, k, s->loads);
  l->names.n = names;
}

/* Declares what a round has of each container, and loads it from [at] on. */
static void load_round(Slots *s, Symbol *at, Symbol *left) {
  Lowering *l = s->l;
  for (int i = 0; i < s->leaves.n; i++) {
    Leaf *leaf = &s->leaves.at[i];
    leaf->wide = leaf->ahead;
    if (leaf->ahead) continue;
    leaf->wide = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, "wide"), leaf->view->base->type);
    leaf->wide->array = leaf->wide->writable = true;
    leaf->wide->length = times(l, s->loads, tree_ref(l->a, s->per));
    lowering_add(l, build_declare(l->a, leaf->wide, NULL));
    if (left && s->absorbs) fill_identity(s, leaf->wide);
    if (leaf->read) move_round(s, leaf, i == 0, false, at, left);
  }
}

static void store_round(Slots *s, Symbol *at, Symbol *left) {
  for (int i = 0; i < s->leaves.n; i++)
    if (s->leaves.at[i].written) move_round(s, &s->leaves.at[i], i == 0, true, at, left);
}

/* The codelet's loop body on what a round has loaded, each slot on its own element of each load. */
static void take_round(Slots *s, Symbol *at, Symbol *left) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Block b, c, d;
  bool guarded = left && !s->absorbs;
  int names = l->names.n;
  Symbol *k = slots_counter(l, "k", TYPE_INT), *slot = slots_counter(l, "s", TYPE_INT);
  slots_open(l, &b);
  slots_open(l, &c);
  if (guarded) slots_open(l, &d);
  Tree *loaded = build_add(a, times(l, tree_ref(a, k), tree_ref(a, s->per)), tree_ref(a, slot));
  Tree *place = build_add(a, build_add(a, tree_ref(a, at), times(l, tree_ref(a, k), s->stride)), tree_ref(a, slot));
  body_of(s, tree_ref(a, slot), true, loaded, place);
  Tree *ahead = times(l, tree_ref(a, k), s->stride);
  if (guarded) slots_close_guarded(l, &d, build_compare(a, OP_LT, ahead, tree_ref(a, left)));
  slots_close_unrolled(l, &c, slot, tree_ref(a, s->per));
  slots_close_unrolled(l, &b, k, s->loads);
  l->names.n = names;
}

/* The largest from + k * unit that is no more than the end. */
static Symbol *whole(Slots *s, const char *name, Tree *from, Tree *unit) {
  Arena *a = s->l->a;
  Tree *left = build_sub(a, s->in->end, from);
  return lowering_fixed(s->l, name, TYPE_INDEX, build_add(a, from, build_mul(a, build_div(a, left, unit), unit)));
}

/* Whole rounds: at = at, at + round, .. as long as all lanes' loads lie within. */
static void whole_rounds(Slots *s, Symbol *aligned, Symbol *at, Symbol *once) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Tree *round = times(l, s->stride, s->loads);
  Block b, c;
  if (once) slots_open(l, &b);
  Symbol *many = whole(s, "many", tree_ref(a, aligned), round);
  slots_open(l, &c);
  load_round(s, at, NULL);
  take_round(s, at, NULL);
  store_round(s, at, NULL);
  slots_close(l, &c);
  Tree *below = build_compare(a, OP_LT, tree_ref(a, at), tree_ref(a, many));
  lowering_add(l, build_onward(a, tree_ref(a, at), below, round, tree_seq(a, c.inner.at, c.inner.n), UNROLL_NONE));
  if (once) slots_close_guarded(l, &b, tree_unary(a, OP_NOT, TYPE_BOOL, tree_ref(a, once)));
}

/* Are there surely more workers than a head and a tail have elements? */
static bool enough_workers(const Tree *workers) {
  enum { MOST_ENDS = 2 * 15 };
  int64_t constant;
  if (tree_constant(workers, &constant)) return constant >= MOST_ENDS;
  return workers->op == OP_REF && workers->symbol->kind == SYMBOL_CONSTANT && workers->symbol->min >= MOST_ENDS;
}

/* The head and the tail, an element a worker, into slot 0. */
static void ends(Slots *s, Symbol *aligned, Symbol *ragged) {
  Lowering *l = s->l;
  Arena *a = l->a;
  int names = l->names.n;
  bool loop = !enough_workers(s->in->workers);
  Symbol *head = lowering_fixed(l, "head", TYPE_INT, build_cast(a, TYPE_INT, build_sub(a, tree_ref(a, aligned), s->in->from)));
  Symbol *e = loop ? slots_counter(l, "e", TYPE_INT) : NULL;
  Tree *mine = loop ? tree_ref(a, e) : s->in->worker;
  Block b, c;
  slots_open(l, &b);
  Tree *where = tree_new(a, OP_COND, TYPE_INDEX, (SourceRange){0}, 3);
  where->kid[0] = build_compare(a, OP_LT, mine, tree_ref(a, head));
  where->kid[1] = build_add(a, s->in->from, mine);
  where->kid[2] = build_add(a, tree_ref(a, ragged), build_sub(a, mine, tree_ref(a, head)));
  Symbol *end = lowering_fixed(l, "end", TYPE_INDEX, where);
  slots_open(l, &c);
  body_of(s, number(l, 0), false, tree_ref(a, end), NULL);
  slots_close_guarded(l, &c, build_compare(a, OP_LT, tree_ref(a, end), s->in->end));
  slots_close(l, &b);
  if (loop) {
    Tree *most = build_add(a, tree_ref(a, head),
                           build_cast(a, TYPE_INT, build_sub(a, s->in->end, tree_ref(a, ragged))));
    lowering_add(l, loop_of(l, e, s->in->worker, most, s->in->workers, &b.inner, UNROLL_NONE));
  } else
    for (int i = 0; i < b.inner.n; i++) lowering_add(l, b.inner.at[i]);
  l->names.n = names;
}

/* Is it all of what the block goes through? */
static bool is_whole_part(const Lowering *l, const View *in) {
  return l->part && l->part_most && tree_equal(in->from, l->part->begin) && tree_equal(in->end, l->part->end);
}

/* A flag that the launcher sets where no part of a block has more than one round; NULL: it cannot tell. */
static Symbol *once_flag(Slots *s) {
  Lowering *l = s->l;
  if (l->kernel->flag || !is_whole_part(l, s->in)) return NULL;
  Symbol *once = symbol_new(l->a, SYMBOL_CONSTANT, lowering_name(l, "once"), TYPE_BOOL);
  once->constant = true;
  l->kernel->flag = once;
  l->flag_when = build_compare(l->a, OP_LE, l->part_most,
                               times(l, times(l, s->in->workers, s->loads), bytes16(s)));
  return once;
}

View slots_results(Slots *s) {
  Lowering *l = s->l;
  Arena *a = l->a;
  View v = {.begin = build_index(a, 0), .end = tree_ref(a, s->per), .step = build_index(a, 1),
            .size = tree_ref(a, s->per)};
  for (int i = 0; i < s->locals.n; i++)
    if (s->result->op == OP_REF && s->result->symbol == s->locals.at[i]) v.base = s->arrays.at[i];
  if (v.base) return v;
  v.base = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "part"), l->program->result);
  v.base->array = v.base->writable = true;
  v.base->length = tree_ref(a, s->per);
  lowering_add(l, build_declare(a, v.base, NULL));
  Block b;
  Symbol *k = slots_counter(l, "s", TYPE_INT);
  slots_open(l, &b);
  Environment e = slots_environment(s, tree_ref(a, k));
  e.view = s->in;
  Tree *result = inline_expression(l, &e, (Tree *)s->result);
  lowering_add(l, build_assign(a, build_element(a, v.base, tree_ref(a, k)), result));
  slots_close(l, &b);
  lowering_add(l, loop_of(l, k, number(l, 0), tree_ref(a, s->per), number(l, 1), &b.inner, UNROLL_ALL));
  return v;
}

/* The first position that is a multiple of 16 bytes, or the end. */
static Symbol *first_aligned(Slots *s) {
  Lowering *l = s->l;
  Arena *a = l->a;
  /* tiles of whole grains all begin where the container begins, but for a multiple of 16 bytes */
  Tree *from = is_whole_part(l, s->in) ? build_index(a, 0) : s->in->from;
  if (s->leaves.at[0].begin) from = build_add(a, s->leaves.at[0].begin, from);
  Tree *there = build_element(a, s->leaves.at[0].view->base, from);
  Symbol *ahead = lowering_fixed(l, "ahead", TYPE_INDEX, tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, there));
  return lowering_fixed(l, "aligned", TYPE_INDEX, build_min(a, build_add(a, s->in->from, tree_ref(a, ahead)), s->in->end));
}

/* Where `even' holds: the part, if there is one, is one round. */
static void even_round(Slots *s, const Round *round, Symbol *even) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Block b;
  slots_load_ahead(l, round, even);
  slots_open(l, &b);
  Tree *own = build_add(a, s->in->from, times(l, s->in->worker, tree_ref(a, s->per)));
  Symbol *at = lowering_fixed(l, "i", TYPE_INDEX, own);
  load_round(s, at, NULL);
  take_round(s, at, NULL);
  store_round(s, at, NULL);
  slots_close_guarded(l, &b, build_compare(a, OP_LT, l->given_part, l->alike.parts));
  for (int i = 0; i < s->leaves.n; i++) s->leaves.at[i].ahead = NULL;
}

static void any_rounds(Slots *s);

static void in_wide_rounds(Slots *s, const PlanNode *n) {
  Lowering *l = s->l;
  const Round round = {s->in, s->loads, &s->leaves};
  s->stride = times(l, s->in->workers, tree_ref(l->a, s->per));
  s->absorbs = absorbs_identity(s, n->rule->spectrum) ? n->rule->spectrum : NULL;
  Symbol *even = slots_even_flag(l, n, &round);
  if (!even) {
    any_rounds(s);
    return;
  }
  Block b, c;
  slots_open(l, &b);
  lowering_comment(l, "every part is one round, at multiples of 16 bytes");
  even_round(s, &round, even);
  slots_close(l, &b);
  slots_open(l, &c);
  any_rounds(s);
  slots_close(l, &c);
  lowering_add(l, build_either(l->a, tree_ref(l->a, even), tree_seq(l->a, b.inner.at, b.inner.n),
                               tree_seq(l->a, c.inner.at, c.inner.n)));
}

static void any_rounds(Slots *s) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Symbol *aligned = first_aligned(s);
  Symbol *ragged = whole(s, "ragged", tree_ref(a, aligned), tree_ref(a, s->per));
  Symbol *at = slots_counter(l, "i", TYPE_INDEX);
  lowering_add(l, build_declare(a, at,
                                build_add(a, tree_ref(a, aligned), times(l, s->in->worker, tree_ref(a, s->per)))));
  whole_rounds(s, aligned, at, once_flag(s));
  /* Where warps have many parts each instruction counts, and a part may be whole rounds; else how long it all takes. */
  bool apart = l->given_part && s->place->level->real >= REAL_WARP;
  lowering_comment(l, "%s", apart ? "the last round"
                                  : "the last round; with it what lies before the first and after the last 16 bytes");
  Symbol *left = lowering_fixed(l, "left", TYPE_INT,
                       build_cast(a, TYPE_INT, build_sub(a, tree_ref(a, ragged), tree_ref(a, at))));
  Block b;
  if (apart) slots_open(l, &b);
  load_round(s, at, left);
  if (!apart) ends(s, aligned, ragged);
  take_round(s, at, left);
  store_round(s, at, left);
  if (!apart) return;
  slots_close_guarded(l, &b, build_compare(a, OP_GT, tree_ref(a, left), number(l, 0)));
  lowering_comment(l, "what lies before the first and after the last 16 bytes");
  ends(s, aligned, ragged);
}

/* ---- vectors ---- */

/* Of a CPU the lanes are those of a vector, and a slot is one of those in flight: a round is a vector for each slot,
 * then single ones go into slot 0, then what is less than one, if anything is. Compilers move whole vectors, at any
 * address.
 *
 *     | slot 0: lanes 0 1 2 .. | slot 1: lanes 0 1 2 .. | .. | slot 0: .. | .. | slot 0: vector | slot 0: lanes 0 1 |  */
static void vector_strips(Slots *s, Symbol *at, Tree *vectors) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Tree *strip = times(l, s->in->workers, vectors), *lane = s->in->worker;
  bool several = !build_is(vectors, 1);
  int names = l->names.n;
  Block b, c;
  slots_open(l, &b);
  Symbol *k = several ? slots_counter(l, "s", TYPE_INT) : NULL;
  Tree *slot = several ? tree_ref(a, k) : number(l, 0);
  if (several) slots_open(l, &c);
  Tree *first = several ? build_add(a, tree_ref(a, at), times(l, slot, s->in->workers)) : tree_ref(a, at);
  copy_element(s, build_add(a, first, lane));
  body_of(s, slot, false, build_add(a, first, lane), NULL);
  if (several) slots_close_unrolled(l, &c, k, vectors);
  slots_close(l, &b);
  Tree *whole = build_compare(a, OP_LE, build_add(a, tree_ref(a, at), strip), s->in->end);
  lowering_add(l, build_onward(a, tree_ref(a, at), whole, strip, tree_seq(a, b.inner.at, b.inner.n), UNROLL_FREE));
  l->names.n = names;
}

/* What is left of a run by whole rounds. */
static void vectors_left(Slots *s, Symbol *at) {
  Lowering *l = s->l;
  Arena *a = l->a;
  vector_strips(s, at, number(l, 1));
  Tree *rest = build_add(a, tree_ref(a, at), s->in->worker);
  Block any, mine;
  slots_open(l, &any);
  slots_open(l, &mine);
  copy_element(s, rest);
  body_of(s, number(l, 0), false, rest, NULL);
  slots_close_guarded(l, &mine, build_compare(a, OP_LT, rest, s->in->end));
  slots_close_guarded(l, &any, build_compare(a, OP_LT, tree_ref(a, at), s->in->end));
}

/* A flag that the launcher sets where the run is whole rounds, one at least; NULL: it cannot tell. Where nothing is left
 * of a run, and the loop is not passed by, compilers keep the slots in registers from their beginning to their end:
 * what another way through the text may have set they look up in memory. */
static Symbol *whole_flag(Slots *s) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Tree *elements = build_sub(a, s->in->end, s->in->from), *round = times(l, s->in->workers, s->loads);
  if (l->kernel->flag || !slots_is_given(elements)) return NULL;
  Symbol *whole = symbol_new(a, SYMBOL_CONSTANT, lowering_name(l, "whole"), TYPE_BOOL);
  whole->constant = true;
  l->kernel->flag = whole;
  Tree *none_left = build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INDEX, elements, round), build_index(a, 0));
  l->flag_when = build_both(a, build_compare(a, OP_GE, elements, round), none_left);
  return whole;
}

static void in_vectors(Slots *s) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Symbol *at = slots_counter(l, "i", TYPE_INDEX), *whole = whole_flag(s);
  lowering_add(l, build_declare(a, at, s->in->from));
  vector_strips(s, at, tree_ref(a, s->per));
  Block b;
  if (whole) slots_open(l, &b);
  vectors_left(s, at);
  if (whole) slots_close_guarded(l, &b, tree_unary(a, OP_NOT, TYPE_BOOL, tree_ref(a, whole)));
}

/* ---- one lane, in order ---- */

/* for (; at < end; ++at) body */
static void one_by_one(Slots *s, Symbol *at, Tree *end) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Block b;
  slots_open(l, &b);
  body_of(s, NULL, false, tree_ref(a, at), NULL);
  slots_close(l, &b);
  Tree *below = build_compare(a, OP_LT, tree_ref(a, at), end);
  lowering_add(l, build_onward(a, tree_ref(a, at), below, build_index(a, 1), tree_seq(a, b.inner.at, b.inner.n),
                               UNROLL_NONE));
}

bool slots_lower_alone(Lowering *l, const PlanNode *n, const Place *p, const Arguments *in, Destination *to) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  const View *first = lowering_container(in);
  if (!l->given_part || !first || first->from || c->kind != CLASS_AUTONOMOUS) return false;
  Arguments alone = slots_of(l, p, in);
  if (!slots_go_through(l, c, &alone)) return false;
  Slots s = {.l = l, .codelet = c, .body = c->plain.body ? c->plain.body : c->body, .in = lowering_container(&alone),
             .place = p};
  slots_take_apart(c, &s.loop, &s.result);
  slots_leaves(l, c, s.loop, &alone, &s.leaves);
  s.shared = inline_environment(l, c, &alone, s.body, p);
  const SizeVar *size = &l->plan->sizes.at[1 + p->level->depth];
  Symbol *loads = lowering_constant(l, "loads", "16-byte loads in flight", size, TYPE_INT)->symbol;
  lowering_comment(l, "%s: %s, 16 bytes at a time", p->level->name, lowering_source(l, c));
  s.loads = tree_ref(a, loads);
  s.per = lowering_fixed(l, "per", TYPE_INT, bytes16(&s));
  s.stride = tree_ref(a, s.per);
  for (int i = 0; i < s.body->nkids && s.body->kid[i]->op == OP_DECLARE; i++)
    inline_declaration(l, &s.shared, s.body->kid[i]);
  Symbol *aligned = first_aligned(&s);
  Symbol *at = slots_counter(l, "i", TYPE_INDEX);
  lowering_add(l, build_declare(a, at, s.in->from));
  one_by_one(&s, at, tree_ref(a, aligned));
  whole_rounds(&s, aligned, at, NULL);
  one_by_one(&s, at, s.in->end);
  if (s.result) lowering_deliver(l, p, inline_expression(l, &s.shared, (Tree *)s.result), to);
  return true;
}

void slots_lower(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arena *a = l->a;
  const Codelet *c = n->kid[0]->rule->codelet;
  Slots s = {.l = l, .codelet = c, .body = c->plain.body ? c->plain.body : c->body, .in = lowering_container(in),
             .place = p};
  slots_take_apart(c, &s.loop, &s.result);
  slots_leaves(l, c, s.loop, in, &s.leaves);
  s.shared = inline_environment(l, c, in, s.body, p);
  SizeVar size = l->plan->sizes.at[n->axis.size];
  bool cpu = l->plan->machine->is_cpu;
  if (plan_jams(l->plan->root)) { /* each of several parts has so many: enough are in flight, and no more are registers */
    size.preset = 1;
    size.max = 4;
  }
  const char *what = cpu ? "vectors in flight" : "16-byte loads in flight";
  Symbol *loads = lowering_constant(l, "loads", what, &size, TYPE_INT)->symbol;
  View *first = s.leaves.at[0].view;
  diagnostics_remark(l->d, REMARK_PASSED, "slots", n->rule->codelet->where, "`%s' in register slots: %s of `%s', several "
                     "in flight", c->tag, cpu ? "vectors" : "16-byte loads", first->base->name);
  lowering_comment(l, "%s > %s: %s, each with its register slots; %s", p->level->name, n->axis.level->name,
                   lowering_source(l, n->rule->codelet), lowering_source(l, c));
  s.loads = tree_ref(a, loads);
  s.per = cpu ? loads : lowering_fixed(l, "per", TYPE_INT, bytes16(&s));
  slots_declare_locals(&s);
  if (cpu) in_vectors(&s);
  else in_wide_rounds(&s, n);
  if (!s.result) return;
  View all = slots_results(&s);
  Arguments of_all = lowering_of(&all);
  lowering_node(l, n->kid[1], p, &of_all, to);
}
