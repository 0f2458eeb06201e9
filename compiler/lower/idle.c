/* idle.c: what codelets would do for workers that have no part of a map whose parts are as many as its text says: which
 * tail the parts' axis has.
 *
 * Workers iterate together, so that they can exchange; in the last iteration some may be beyond the last part. Nobody
 * delivers what these find. Where their parts are empty by themselves, and the codelets only go through parts, they
 * touch nothing, and no word is said. Else either of these is done:
 *
 *   a lane         is kept out by a branch: lanes that work alone exchange nothing
 *   a warp, or a   does again what the worker of the last part does, so that its lanes reach the same exchanges and
 *   part of one    barriers; what it would write is left to that worker
 *
 * Whether codelets only go through parts is told from their text. A container is
 *
 *   empty    part of nothing: not an element, whatever bounds the loop
 *   clipped  a part that ends where its container does, and may have elements of other parts: a loop over it reads
 *            nothing beyond; nothing may be written to it
 *   given    no part: it is there for all workers, and can be read, but not written
 *   unknown  a part of which neither is sure
 *
 * Requires a map whose parts are as many as its text says. Keeps: beyond the last part nothing is written, and
 * nothing is read outside of memory. */
#include "ir/signature.h"
#include "ir/steps.h"
#include "lower/realise.h"

typedef enum Reach { REACH_UNKNOWN, REACH_CLIPPED, REACH_GIVEN, REACH_EMPTY } Reach;

typedef struct Idle {
  const Codelet *codelet;
  const Tree *body;
  Reach of[MOST_OPERANDS]; /* what its parameters stand for */
  const Symbol *guard[MOST_OPERANDS]; /* the clipped parts that the loops and branches around are bounded by */
  int guards;
  bool harmless;
} Idle;

static int parameter(const Codelet *c, const Symbol *s) {
  for (int i = 0; i < c->nparams && i < MOST_OPERANDS; i++)
    if (c->params[i] == s) return i;
  return -1;
}

/* ---- the parts of the map ---- */

static const Tree *resolved(const Codelet *c, const Tree *t) {
  for (int depth = 0; t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL && depth < 16; depth++) {
    const Tree *found = tree_declared(c->body, t->symbol);
    if (!found) return t;
    t = found;
  }
  return t;
}

static bool same(const Codelet *c, const Tree *x, const Tree *y) { return tree_equal(resolved(c, x), resolved(c, y)); }

static bool is_int(const Codelet *c, const Tree *t, int64_t n) {
  int64_t v;
  return tree_constant(resolved(c, t), &v) && v == n;
}

/* x + y, in either order. */
static bool is_sum(const Codelet *c, const Tree *t, const Tree *x, const Tree *y) {
  t = resolved(c, t);
  return t->op == OP_ADD && ((same(c, t->kid[0], x) && same(c, t->kid[1], y)) ||
                             (same(c, t->kid[0], y) && same(c, t->kid[1], x)));
}

/* Is t, rounded up, x / y? */
static bool is_quotient(const Codelet *c, const Tree *t, const Tree *x, const Tree *y) {
  t = resolved(c, t);
  if (t->op != OP_DIV || !same(c, t->kid[1], y)) return false;
  const Tree *up = resolved(c, t->kid[0]);
  return up->op == OP_SUB && is_int(c, up->kid[1], 1) && is_sum(c, up->kid[0], x, y);
}

static bool is_size_of(const Codelet *c, const Tree *t, const Tree *container) {
  t = resolved(c, t);
  if (t->op != OP_SIZE || t->kid[0]->op != OP_REF || container->op != OP_REF) return false;
  return shape_is_same(t->kid[0]->symbol, t->dimension, container->symbol, 0);
}

/* Do parts begin at the container's end from the last one on: `n' parts that are so far apart that they cover it? */
static bool covers(const Codelet *c, const Tree *partition) {
  const Tree *n = partition->kid[1], *start = tree_sequence(partition->kid[2]);
  if (start->nkids != 3 || !is_int(c, start->kid[0], 0) || !is_size_of(c, start->kid[2], partition->kid[0]))
    return false;
  return is_quotient(c, n, start->kid[2], start->kid[1]) || is_quotient(c, start->kid[1], start->kid[2], n);
}

/* What an argument of a map at the top stands for where there is no part. */
static Reach of_part(const Codelet *c, const Tree *t, bool emptied) {
  switch (t->op) {
    case OP_PARTITION: return emptied || covers(c, t) ? REACH_EMPTY : REACH_CLIPPED;
    case OP_ROWS: case OP_COLUMNS: return REACH_EMPTY;
    case OP_ELEMENTS: return REACH_UNKNOWN; /* its element is read */
    default: return REACH_GIVEN;
  }
}

/* ---- containers below it ---- */

/* The elements of both: those of the first are as many as the view has. */
static Reach both(Reach x, Reach y) {
  if (x == REACH_EMPTY || y == REACH_GIVEN) return x;
  return REACH_UNKNOWN;
}

static Reach of_argument(const Codelet *c, const Reach *in, const Tree *t);

static Reach of_view(const Codelet *c, const Reach *in, const Tree *t, const ViewRow *view) {
  Reach all = of_argument(c, in, t->kid[view->of]);
  for (int i = 0; i < t->nkids; i++)
    if (i != view->of && i != view->count) all = both(all, of_argument(c, in, t->kid[i]));
  return all;
}

static Reach of_argument(const Codelet *c, const Reach *in, const Tree *t) {
  const ViewRow *view = op_view(t->op);
  switch (t->op) {
    case OP_REF: {
      const int i = parameter(c, t->symbol);
      return i >= 0 && c->params[i]->rank ? in[i] : REACH_GIVEN;
    }
    case OP_PARTITION: case OP_BOX: return of_argument(c, in, t->kid[0]);
    case OP_ROWS: case OP_COLUMNS: case OP_ELEMENTS: return REACH_UNKNOWN;
    case OP_CALL: return REACH_GIVEN; /* a number that a step before has found */
    default: { /* a number, or a view that is made of numbers: sizes are always there, elements may not be */
      if (view && view->of >= 0) return of_view(c, in, t, view);
      Reach all = REACH_GIVEN;
      for (int i = 0; !tree_is_extent(t) && i < t->nkids; i++)
        if (of_argument(c, in, t->kid[i]) != REACH_GIVEN) all = REACH_UNKNOWN;
      return all;
    }
  }
}

/* ---- a codelet's text ---- */

/* The parameter whose size the expression is, or a variable is that stands for it; NULL: it is something else. */
static const Symbol *size_of(const Idle *d, const Tree *t) {
  if (t->op == OP_CAST) return size_of(d, t->kid[0]);
  if (t->op == OP_SIZE && t->kid[0]->op == OP_REF && t->dimension == 0) return t->kid[0]->symbol;
  if (t->op != OP_REF || t->symbol->kind != SYMBOL_LOCAL || tree_assigns(d->body, t->symbol)) return NULL;
  const Tree *value = tree_declared(d->body, t->symbol);
  return value && value->op != OP_REF ? size_of(d, value) : NULL;
}

/* Can it be less than 0? */
static bool may_be_negative(const Tree *t) {
  if (t->op == OP_SUB || t->op == OP_NEG || t->op == OP_BNOT || t->op == OP_INDEX) return true;
  if (t->op == OP_INT && t->number < 0) return true;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && may_be_negative(t->kid[i])) return true;
  return false;
}

/* All values that a variable gets. */
typedef struct Values { const Symbol *s; bool negative; } Values;

static bool note_value(void *context, const Tree *t) {
  Values *v = context;
  if (t->op == OP_DECLARE && t->symbol == v->s && t->nkids) v->negative |= may_be_negative(t->kid[0]);
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && t->kid[0]->symbol == v->s)
    v->negative |= t->compound == OP_SUB || may_be_negative(t->kid[1]);
  return true;
}

typedef struct Variables { const Idle *idle; bool negative; } Variables;

static bool note_variable(void *context, const Tree *t) {
  Variables *v = context;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL) {
    Values values = {t->symbol, false};
    tree_visit(v->idle->body, note_value, &values);
    v->negative |= values.negative;
  } else if (t->op == OP_REF) v->negative |= t->symbol->kind == SYMBOL_PARAM && t->symbol->type != TYPE_UINT;
  return true;
}

static bool is_position(const Idle *d, const Tree *t) {
  Variables v = {d, may_be_negative(t)};
  tree_visit(t, note_variable, &v);
  return !v.negative;
}

/* The container that bounds it: `i < in.Size()', or that and something else; NULL: none does. */
static const Symbol *bound(const Idle *d, const Tree *t) {
  const Symbol *of = NULL;
  if (t->op == OP_LAND) return (of = bound(d, t->kid[0])) ? of : bound(d, t->kid[1]);
  if (t->op == OP_LT && is_position(d, t->kid[0])) of = size_of(d, t->kid[1]);
  if (t->op == OP_GT && is_position(d, t->kid[1])) of = size_of(d, t->kid[0]);
  return of;
}

static bool look(void *context, const Tree *t);

static void look_at(Idle *d, const Tree *t) {
  if (t && d->harmless) tree_visit(t, look, d);
}

/* What runs where the condition holds. */
static void look_behind(Idle *d, const Tree *condition, const Tree *t, const Tree *more) {
  const Symbol *of = bound(d, condition);
  const int i = of ? parameter(d->codelet, of) : -1;
  if (i >= 0 && d->of[i] == REACH_EMPTY) return; /* it never does */
  const int before = d->guards;
  if (i >= 0 && d->of[i] == REACH_CLIPPED && d->guards < MOST_OPERANDS) d->guard[d->guards++] = of;
  look_at(d, t);
  look_at(d, more);
  d->guards = before;
}

static bool is_guarded(const Idle *d, const Symbol *s) {
  for (int i = 0; i < d->guards; i++)
    if (d->guard[i] == s) return true;
  return false;
}

static bool writes_to(const Idle *d, const Tree *place) {
  const Tree *to = place->op == OP_INDEX ? place->kid[0] : place;
  return to->op == OP_REF && parameter(d->codelet, to->symbol) >= 0;
}

static bool look(void *context, const Tree *t) {
  Idle *d = context;
  switch (t->op) {
    case OP_SIZE: case OP_STRIDE: case OP_APART: return false;
    case OP_FOR: {
      static const Tree always = {.op = OP_BOOL, .number = 1};
      look_at(d, t->kid[0]);
      look_at(d, t->kid[1]);
      look_behind(d, t->kid[1] ? t->kid[1] : &always, t->kid[2], t->kid[3]);
      return false;
    }
    case OP_IF: case OP_COND: case OP_WHILE: case OP_LAND:
      look_at(d, t->kid[0]);
      look_behind(d, t->kid[0], t->kid[1], NULL);
      if (t->nkids > 2) look_at(d, t->kid[2]);
      return false;
    case OP_ASSIGN: case OP_ATOMIC:
      if (writes_to(d, t->kid[0])) d->harmless = false;
      return d->harmless;
    case OP_INDEX: {
      const int i = t->kid[0]->op == OP_REF ? parameter(d->codelet, t->kid[0]->symbol) : -1;
      const bool there =
          i < 0 || d->of[i] == REACH_GIVEN || (d->of[i] == REACH_CLIPPED && is_guarded(d, d->codelet->params[i]));
      if (!there) d->harmless = false;
      return d->harmless;
    }
    case OP_CLAIM: case OP_NATIVELY: return d->harmless = false;
    default: return d->harmless;
  }
}

/* ---- a plan's nodes ---- */

static bool harmless(const PlanNode *n, const Reach *in);

/* What a map, or the call of a codelet that applies a spectrum as it is, hands on. */
static bool hands_on(const PlanNode *n, int kid, const Reach *in, const Tree *applied) {
  Reach below[MOST_OPERANDS];
  for (int i = 0; i < applied->nkids && i < MOST_OPERANDS; i++)
    below[i] = of_argument(n->rule->codelet, in, applied->kid[i]);
  return harmless(n->kid[kid], below);
}

/* Elements that stand between the steps. */
static bool reads_part(const Codelet *c, const Reach *in, const Tree *t) {
  if (t->op == OP_CALL) return false;
  const int i = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? parameter(c, t->kid[0]->symbol) : -1;
  if (i >= 0 && in[i] != REACH_GIVEN) return true;
  for (int k = 0; k < t->nkids; k++)
    if (t->kid[k] && reads_part(c, in, t->kid[k])) return true;
  return false;
}

static bool steps_harmless(const PlanNode *n, const Reach *in) {
  const Steps steps = steps_of(n->rule->codelet);
  if (reads_part(n->rule->codelet, in, n->rule->codelet->body)) return false;
  for (int i = 0; i < steps.n; i++)
    if (!hands_on(n, i, in, steps.call[i])) return false;
  return true;
}

static bool harmless(const PlanNode *n, const Reach *in) {
  const Codelet *c = n->rule->codelet;
  if (!c) return harmless(n->kid[0], in);
  bool empty = true;
  for (int i = 0; i < c->nparams; i++) {
    if (!c->params[i]->rank && in[i] != REACH_GIVEN) return false;
    if (c->params[i]->rank && in[i] != REACH_EMPTY) empty = false;
  }
  if (spectrum_is_scan(n->rule->spectrum)) return empty; /* tiles of a container end where that does */
  if (plan_in_steps(n)) return steps_harmless(n, in);
  if (c->kind == CLASS_COMPOUND) {
    const Tree *applied = plan_applies(n) ? lowering_call(c) : lowering_map(c);
    return applied && hands_on(n, 0, in, applied);
  }
  const Form *form = n->shuffled ? &c->shuffled : &c->plain;
  Idle d = {.codelet = c, .body = form->body ? form->body : c->body, .harmless = true};
  for (int i = 0; i < c->nparams; i++) d.of[i] = in[i];
  look_at(&d, d.body);
  return d.harmless;
}

static bool harmless_parts(const PlanNode *n, const Regroup *r, bool emptied) {
  Reach parts[MOST_OPERANDS];
  for (int i = 0; i < r->map->nkids && i < MOST_OPERANDS; i++)
    parts[i] = of_part(n->rule->codelet, r->map->kid[i], emptied);
  return harmless(n->kid[0], parts);
}

NestTail idle_tail(const PlanNode *n, const Regroup *r, const Place *sub) {
  /* sequences of numbers see to it that there is nothing beyond the last part; those of elements stay at the last
   * one */
  const bool stay = r->first && (r->start->nkids == 4 || r->end->nkids == 4);
  if (harmless_parts(n, r, stay)) return stay ? TAIL_EMPTY : TAIL_CLIP;
  if (harmless_parts(n, r, true)) return TAIL_EMPTY;
  return sub->level->real == REAL_THREAD ? TAIL_GUARD : TAIL_REPEAT;
}

bool idle_meets(const PlanNode *n) {
  if (n->rule->codelet && plan_in_steps(n)) {
    const Steps steps = steps_of(n->rule->codelet);
    for (int i = 1; i < steps.n; i++)
      for (int k = 0; k < i; k++)
        if (steps_conflict(steps.call[k], steps.call[i])) return true;
  }
  for (int i = 0; i < n->nkids; i++)
    if (idle_meets(n->kid[i])) return true;
  return false;
}
