/* bounds.c: linear forms of sizes and positions. `n - 1 - i' is not below 0 where `i < n' holds. */
#include "front/bounds.h"

/* ---- linear forms ---- */

static void add_atom(Linear *l, const Tree *t, int64_t times) {
  for (int i = 0; i < l->n; i++)
    if (tree_equal(l->atom[i], t)) { l->times[i] += times; return; }
  if (l->n == MOST_TERMS) { l->known = false; return; }
  l->atom[l->n] = t;
  l->times[l->n++] = times;
}

typedef struct Changes { const Tree *body; bool any; } Changes;

static bool find_changes(void *context, const Tree *t) {
  Changes *c = context;
  c->any |= t->op == OP_INDEX || (t->op == OP_REF && tree_assigns(c->body, t->symbol));
  return !c->any;
}

typedef struct Definition { const Symbol *of; const Tree *value; } Definition;

static bool find_definition(void *context, const Tree *t) {
  Definition *d = context;
  if (t->op == OP_DECLARE && t->symbol == d->of && t->nkids) d->value = t->kid[0];
  return !d->value;
}

/* What a variable stands for that is never assigned to, and is made of such; NULL. */
static const Tree *defined(const Bounds *b, const Tree *t) {
  if (t->op != OP_REF || t->symbol->kind != SYMBOL_LOCAL || tree_assigns(b->body, t->symbol)) return NULL;
  Definition d = {t->symbol, NULL};
  tree_visit(b->body, find_definition, &d);
  Changes c = {b->body, false};
  if (d.value) tree_visit(d.value, find_changes, &c);
  return d.value && !c.any ? d.value : NULL;
}

static void add(const Bounds *b, Linear *l, const Tree *t, int64_t times) {
  const Tree *value;
  if (t->op == OP_INT && t->number > -INT32_MAX && t->number < UINT32_MAX) l->plus += times * t->number;
  else if (t->op == OP_ADD || t->op == OP_SUB) {
    add(b, l, t->kid[0], times);
    add(b, l, t->kid[1], t->op == OP_SUB ? -times : times);
  } else if (t->op == OP_CAST && (t->type == TYPE_INDEX || t->type == TYPE_LONG)) add(b, l, t->kid[0], times);
  else if ((value = defined(b, t)) != NULL) add(b, l, value, times);
  else add_atom(l, t, times);
}

static Linear minus(const Linear *x, const Linear *y) {
  Linear l = *x;
  l.plus -= y->plus;
  l.known &= y->known;
  for (int i = 0; i < y->n; i++) add_atom(&l, y->atom[i], -y->times[i]);
  return l;
}

static Linear difference(const Bounds *b, const Tree *x, const Tree *y) {
  Linear l = {.known = true};
  add(b, &l, x, 1);
  add(b, &l, y, -1);
  return l;
}

/* ---- facts ---- */

static void learn(Bounds *b, Linear l, int64_t plus) {
  l.plus += plus;
  if (l.known) vec_push(b->a, &b->facts, l);
}

void bounds_assume_least(Bounds *b, const Tree *x, const Tree *y) { learn(b, difference(b, x, y), 0); }

static void assume_comparison(Bounds *b, Op op, const Tree *x, const Tree *y) {
  const Linear more = difference(b, x, y), less = difference(b, y, x);
  switch (op) {
    case OP_LT: learn(b, less, -1); break;
    case OP_LE: learn(b, less, 0); break;
    case OP_GT: learn(b, more, -1); break;
    case OP_GE: learn(b, more, 0); break;
    case OP_EQ: learn(b, more, 0); learn(b, less, 0); break;
    case OP_NE: /* not 0, and not below it */
      if (y->op == OP_INT && y->number == 0 && !b->below(b->context, x)) learn(b, more, -1);
      if (x->op == OP_INT && x->number == 0 && !b->below(b->context, y)) learn(b, less, -1);
      break;
    default: break;
  }
}

void bounds_assume(Bounds *b, const Tree *t, bool holds) {
  static const Op opposite[] = {[OP_LT] = OP_GE, [OP_LE] = OP_GT, [OP_GT] = OP_LE, [OP_GE] = OP_LT, [OP_EQ] = OP_NE,
                                [OP_NE] = OP_EQ};
  if (t->op == OP_NOT) bounds_assume(b, t->kid[0], !holds);
  else if ((t->op == OP_LAND && holds) || (t->op == OP_LOR && !holds)) {
    bounds_assume(b, t->kid[0], holds);
    bounds_assume(b, t->kid[1], holds);
  } else if (t->op >= OP_LT && t->op <= OP_NE) {
    assume_comparison(b, holds ? t->op : opposite[t->op], t->kid[0], t->kid[1]);
  }
}

typedef struct Assigned { const Linear *fact; bool any; } Assigned;

static bool find_assigned(void *context, const Tree *t) {
  Assigned *x = context;
  const Tree *place = t->op == OP_ASSIGN || t->op == OP_ATOMIC ? t->kid[0] : NULL;
  for (int i = 0; place && i < x->fact->n; i++)
    x->any |= place->op == OP_REF ? tree_mentions(x->fact->atom[i], place->symbol)
                                  : tree_contains(x->fact->atom[i], OP_INDEX);
  return !x->any;
}

void bounds_forget(Bounds *b, const Tree *statement) {
  for (int i = 0; i < b->facts.n; i++) {
    Assigned x = {&b->facts.at[i], false};
    tree_visit(statement, find_assigned, &x);
    if (x.any) b->facts.at[i] = (Linear){.known = true}; /* 0 >= 0 */
  }
}

/* ---- proofs ---- */

/* Something that surely is not less than a value, and not the value itself; NULL. */
static const Tree *no_less(const Bounds *b, const Tree *t) {
  const bool cuts = t->op == OP_REM || t->op == OP_DIV || t->op == OP_SHR || t->op == OP_AND || t->op == OP_MIN;
  if (!cuts || b->below(b->context, t)) return NULL;
  return t->kid[0];
}

static bool not_below(const Bounds *b, Linear l, int from, int depth);

/* Of `max(x, y)', which is no less than either. */
static bool by_maximum(const Bounds *b, const Linear *l, int i, int from, int depth) {
  for (int k = 0; k < 2; k++) {
    Linear less = *l;
    less.times[i] = 0;
    add(b, &less, l->atom[i]->kid[k], l->times[i]);
    if (not_below(b, less, from, depth)) return true;
  }
  return false;
}

static bool not_below(const Bounds *b, Linear l, int from, int depth) {
  for (int i = 0; i < l.n; i++) {
    const Tree *more = l.times[i] < 0 ? no_less(b, l.atom[i]) : NULL;
    if (!more) continue;
    const int64_t times = l.times[i];
    l.times[i] = 0;
    add(b, &l, more, times);
  }
  for (int i = 0; i < l.n && depth > 0; i++)
    if (l.times[i] > 0 && l.atom[i]->op == OP_MAX && by_maximum(b, &l, i, from, depth - 1)) return true;
  bool plain = l.known && l.plus >= 0;
  for (int i = 0; i < l.n && plain; i++)
    plain = l.times[i] == 0 || (l.times[i] > 0 && !b->below(b->context, l.atom[i]));
  for (int i = from; !plain && depth > 0 && i < b->facts.n; i++)
    plain = not_below(b, minus(&l, &b->facts.at[i]), i, depth - 1);
  return plain;
}

bool bounds_not_below(const Bounds *b, const Tree *t) {
  Linear l = {.known = true};
  add(b, &l, t, 1);
  return not_below(b, l, 0, 3);
}
