/* slots.c: a map over register slots (the ilp level): unroll and jam, with 16-byte loads.
 *
 * The container of one lane is every workers-th element of a run. Its slots are cut so that the run is read in whole
 * 16 bytes, several of them in flight:
 *
 *     | head | lane 0: 16 bytes | lane 1 | .. | lane 0: the next load's 16 bytes | lane 1 | .. |  tail |
 *       slot 0 slots 0..per-1                   slots per..2*per-1                               slot 0
 *
 * Every slot runs the autonomous codelet with variables of its own, in registers; the head (up to the first multiple
 * of 16 bytes) and the tail go to slot 0, element by element. What the slots return is a container of `slots' results.
 * It is the cover of the strided codelet, with a grain of 16 bytes. */
#include "lower/lowering.h"

typedef struct Slots {
  Lowering *l;
  const Tree *body, *loop, *result; /* of the autonomous codelet: all of it, its loop over the container, what it returns */
  const Codelet *codelet;
  View *in;
  const Place *place;
  Symbol *per, *count;              /* elements of one load; slots */
  Environment shared;               /* names that mean the same in every slot */
  VEC(const Symbol *) locals;       /* variables that each slot has, and */
  VEC(Symbol *) arrays;             /* the arrays that hold them, in parallel */
} Slots;

/* ---- what fits ---- */

/* The container's loop and the return of `declarations; for (..) ..; return x;'; false for other bodies. */
static bool take_apart(const Codelet *c, const Tree **loop, const Tree **result) {
  const Tree *b = c->plain.body ? c->plain.body : c->body;
  *loop = *result = NULL;
  for (int i = 0; i < b->nkids; i++) {
    const Tree *t = b->kid[i];
    if (t->op == OP_DECLARE && !*loop && !t->symbol->array) continue;
    if (t->op == OP_FOR && !*loop) { *loop = t; continue; }
    if (t->op == OP_RETURN && *loop && t->nkids && i == b->nkids - 1) { *result = t->kid[0]; continue; }
    return false;
  }
  if (!*loop || !*result) return false;
  const Tree *body = (*loop)->kid[3];
  return !tree_contains(body, OP_BREAK) && !tree_contains(body, OP_CONTINUE) && !tree_contains(body, OP_FOR) &&
         !tree_contains(body, OP_WHILE) && !tree_contains(body, OP_DECLARE);
}

bool slots_fit(const Lowering *l, const PlanNode *n, const View *in) {
  const PlanNode *kid = n->kid[0];
  const Tree *loop, *result;
  if (!in->from || !in->base || !in->base->pointer || l->program->element == TYPE_BOOL) return false;
  if (!kid->rule->codelet || kid->rule->codelet->kind != CLASS_AUTONOMOUS) return false;
  if (!take_apart(kid->rule->codelet, &loop, &result)) return false;
  View view = *in;
  const Tree *body = kid->rule->codelet->plain.body ? kid->rule->codelet->plain.body : kid->rule->codelet->body;
  Environment e = {.container = kid->rule->codelet->params[0], .body = body, .view = &view};
  Lowering trial = *l;
  Statements nowhere = {0};
  trial.to = &nowhere;
  for (int i = 0; i < body->nkids && body->kid[i]->op == OP_DECLARE; i++)
    if (body->kid[i]->symbol->type == TYPE_INDEX) inline_declaration(&trial, &e, body->kid[i]);
  return inline_loops_over_container(&trial, &e, loop);
}

/* ---- pieces ---- */

static Tree *number(Lowering *l, int64_t n) { return tree_int(l->a, TYPE_INT, n); }
static Tree *times(Lowering *l, Tree *x, Tree *y) { return build_mul(l->a, x, y); }

static Symbol *fixed(Lowering *l, const char *name, Type type, Tree *value) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->constant = true;
  lowering_add(l, build_declare(l->a, s, value));
  return s;
}

/* for (k = start; k < end; k += step) with `inner' as its body. */
static Tree *loop_of(Lowering *l, Symbol *k, Tree *start, Tree *end, Tree *step, Statements *inner, ForUnroll unroll) {
  Arena *a = l->a;
  Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, (SourceRange){0}, 4);
  loop->kid[0] = build_declare(a, k, start);
  loop->kid[1] = build_compare(a, OP_LT, tree_ref(a, k), end);
  loop->kid[2] = build_assign(a, tree_ref(a, k), step);
  loop->kid[2]->number = OP_ADD;
  loop->kid[3] = tree_seq(a, inner->at, inner->n);
  loop->number = unroll;
  return loop;
}

static Symbol *counter(Lowering *l, const char *name, Type type) {
  return symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
}

/* Names as one slot sees them. */
static Environment in_slot(Slots *s, Tree *slot) {
  Environment e = s->shared;
  e.bound.at = NULL;
  e.bound.n = e.bound.capacity = 0;
  for (int i = 0; i < s->shared.bound.n; i++) vec_push(s->l->a, &e.bound, s->shared.bound.at[i]);
  for (int i = 0; i < s->locals.n; i++)
    inline_bind(s->l, &e, s->locals.at[i], build_element(s->l->a, s->arrays.at[i], slot), NULL);
  return e;
}

/* The codelet's loop body for one slot, on element base[index]. */
static void body_of(Slots *s, Tree *slot, Symbol *base, Tree *index) {
  Arena *a = s->l->a;
  View at = {.base = base, .begin = build_index(a, 0), .end = s->in->end, .step = build_index(a, 1)};
  Environment e = in_slot(s, slot);
  e.view = &at;
  inline_bind(s->l, &e, s->loop->kid[0]->symbol, index, NULL);
  inline_statements(s->l, &e, s->loop->kid[3], NULL);
}

/* Opens and closes a list of statements of its own. */
typedef struct Block { Statements inner, *outer; int names; } Block;

static void open_block(Lowering *l, Block *b) {
  *b = (Block){.outer = l->to, .names = l->names.n};
  l->to = &b->inner;
}

static void close_block(Lowering *l, Block *b) {
  l->to = b->outer;
  l->names.n = b->names;
}

/* ---- the parts of the run ---- */

static void declare_locals(Slots *s) {
  Lowering *l = s->l;
  Arena *a = l->a;
  for (int i = 0; i < s->body->nkids && s->body->kid[i]->op == OP_DECLARE; i++) {
    const Tree *t = s->body->kid[i];
    if (t->symbol->type == TYPE_INDEX) { inline_declaration(l, &s->shared, t); continue; }
    Symbol *array = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, t->symbol->name), t->symbol->type);
    array->array = true;
    array->length = tree_ref(a, s->count);
    array->writable = true;
    lowering_add(l, build_declare(a, array, NULL));
    vec_push(a, &s->locals, t->symbol);
    vec_push(a, &s->arrays, array);
    if (!t->nkids) continue;
    Block b;
    int names = l->names.n;
    Symbol *k = counter(l, "s", TYPE_INT);
    open_block(l, &b);
    Environment e = in_slot(s, tree_ref(a, k));
    e.view = s->in;
    lowering_add(l, build_assign(a, build_element(a, array, tree_ref(a, k)), inline_expression(l, &e, t->kid[0])));
    close_block(l, &b);
    lowering_add(l, loop_of(l, k, number(l, 0), tree_ref(a, s->count), number(l, 1), &b.inner, UNROLL_ALL));
    l->names.n = names;
  }
}

/* Elements one by one, into slot 0: from + worker, from + worker + workers, .. below end. */
static void one_by_one(Slots *s, Tree *from, Tree *end) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Block b;
  int names = l->names.n;
  Symbol *i = counter(l, "i", TYPE_INDEX);
  open_block(l, &b);
  body_of(s, number(l, 0), s->in->base, tree_ref(a, i));
  close_block(l, &b);
  lowering_add(l, loop_of(l, i, build_add(a, from, s->in->worker), end, s->in->workers, &b.inner, UNROLL_NONE));
  l->names.n = names;
}

/* Rounds of `loads' loads of every lane, from `from' to below `end', which are whole rounds. */
static void rounds(Slots *s, Tree *from, Tree *end, Tree *loads, Tree *elements) {
  Lowering *l = s->l;
  Arena *a = l->a;
  Tree *stride = times(l, s->in->workers, tree_ref(a, s->per)); /* from one load of a lane to its next */
  Block b, c;
  int names = l->names.n;
  Symbol *i = counter(l, "i", TYPE_INDEX);
  open_block(l, &b);
  Symbol *wide = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "wide"), l->program->element);
  wide->array = wide->writable = true;
  wide->length = elements;
  lowering_add(l, build_declare(a, wide, NULL));
  Tree *load = tree_new(a, OP_LOAD_WIDE, TYPE_VOID, (SourceRange){0}, 2);
  if (build_is(loads, 1)) {
    load->kid[0] = build_element(a, wide, number(l, 0));
    load->kid[1] = build_element(a, s->in->base, tree_ref(a, i));
    lowering_add(l, load);
  } else {
    Symbol *k = counter(l, "k", TYPE_INT);
    open_block(l, &c);
    load->kid[0] = build_element(a, wide, times(l, tree_ref(a, k), tree_ref(a, s->per)));
    load->kid[1] = build_element(a, s->in->base, build_add(a, tree_ref(a, i), times(l, tree_ref(a, k), stride)));
    lowering_add(l, load);
    close_block(l, &c);
    lowering_add(l, loop_of(l, k, number(l, 0), loads, number(l, 1), &c.inner, UNROLL_ALL));
  }
  Symbol *slot = counter(l, "s", TYPE_INT);
  open_block(l, &c);
  body_of(s, tree_ref(a, slot), wide, tree_ref(a, slot));
  close_block(l, &c);
  lowering_add(l, loop_of(l, slot, number(l, 0), elements, number(l, 1), &c.inner, UNROLL_ALL));
  close_block(l, &b);
  Tree *start = build_add(a, from, times(l, s->in->worker, tree_ref(a, s->per)));
  lowering_add(l, loop_of(l, i, start, end, times(l, s->in->workers, elements), &b.inner,
                          build_is(loads, 1) ? UNROLL_NONE : UNROLL_FREE));
  l->names.n = names;
}

/* The largest from + k * unit that is no more than the end. */
static Symbol *whole(Slots *s, const char *name, Tree *from, Tree *unit) {
  Arena *a = s->l->a;
  Tree *left = build_sub(a, s->in->end, from);
  return fixed(s->l, name, TYPE_INDEX, build_add(a, from, build_mul(a, build_div(a, left, unit), unit)));
}

static View results(Slots *s) {
  Lowering *l = s->l;
  Arena *a = l->a;
  View v = {.begin = build_index(a, 0), .end = tree_ref(a, s->count), .step = build_index(a, 1), .size = tree_ref(a, s->count)};
  for (int i = 0; i < s->locals.n; i++)
    if (s->result->op == OP_REF && s->result->symbol == s->locals.at[i]) v.base = s->arrays.at[i];
  if (v.base) return v;
  v.base = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "part"), l->program->result);
  v.base->array = v.base->writable = true;
  v.base->length = tree_ref(a, s->count);
  lowering_add(l, build_declare(a, v.base, NULL));
  Block b;
  Symbol *k = counter(l, "s", TYPE_INT);
  open_block(l, &b);
  Environment e = in_slot(s, tree_ref(a, k));
  e.view = s->in;
  lowering_add(l, build_assign(a, build_element(a, v.base, tree_ref(a, k)), inline_expression(l, &e, (Tree *)s->result)));
  close_block(l, &b);
  lowering_add(l, loop_of(l, k, number(l, 0), tree_ref(a, s->count), number(l, 1), &b.inner, UNROLL_ALL));
  return v;
}

void slots_lower(Lowering *l, const PlanNode *n, const Place *p, View *in, Destination *to) {
  Arena *a = l->a;
  const Codelet *c = n->kid[0]->rule->codelet;
  Slots s = {.l = l, .codelet = c, .body = c->plain.body ? c->plain.body : c->body, .in = in, .place = p};
  take_apart(c, &s.loop, &s.result);
  s.shared = (Environment){.container = c->params[0], .body = s.body, .view = in, .place = p};
  Symbol *loads = lowering_constant(l, "loads", "16-byte loads in flight", &l->plan->sizes.at[n->axis.size], TYPE_INT)->symbol;
  diagnostics_remark(l->d, REMARK_PASSED, "slots", n->rule->codelet->where,
                     "`%s' in register slots: 16-byte loads of `%s', several in flight", c->tag, in->base->name);
  lowering_comment(l, "%s > %s: %s, each with its register slots; %s", p->level->name, n->axis.level->name,
                   lowering_source(l, n->rule->codelet), lowering_source(l, c));
  Tree *width = tree_new(a, OP_WIDTH, TYPE_INT, (SourceRange){0}, 0);
  width->number = l->program->element;
  s.per = fixed(l, "per", TYPE_INT, width);
  s.count = fixed(l, "slots", TYPE_INT, times(l, tree_ref(a, loads), tree_ref(a, s.per)));
  declare_locals(&s);

  Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, in->base, in->from));
  Symbol *aligned = fixed(l, "aligned", TYPE_INDEX, build_min(a, build_add(a, in->from, ahead), in->end));
  Symbol *many = whole(&s, "many", tree_ref(a, aligned), times(l, in->workers, tree_ref(a, s.count)));
  Symbol *few = whole(&s, "few", tree_ref(a, aligned), tree_ref(a, s.per));
  lowering_comment(l, "up to a multiple of 16 bytes; then 16 bytes a load, many of them in flight; one by one; what is left");
  one_by_one(&s, in->from, tree_ref(a, aligned));
  rounds(&s, tree_ref(a, aligned), tree_ref(a, many), tree_ref(a, loads), tree_ref(a, s.count));
  rounds(&s, tree_ref(a, many), tree_ref(a, few), number(l, 1), tree_ref(a, s.per));
  one_by_one(&s, tree_ref(a, few), in->end);
  View all = results(&s);
  lowering_node(l, n->kid[1], p, &all, to);
}
