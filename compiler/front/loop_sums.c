/* loop_sums.c: what a loop of one lane adds up in variables that are declared before it,
 *
 *     for (j ..) { T v = A(i, j) - mean; if (v > 0) { sum += v; top = max(top, v); } }
 *
 * and does nothing else to them. So its turns may be taken in any order, by several lanes, each with variables of its
 * own that are combined in the end. */
#include "front/loop_sums.h"

#include "ir/operator.h"

typedef struct Looks { const Tree *loop; LoopSums *sums; int mentions[MOST_LOOP_SUMS]; bool ok; } Looks;

typedef struct Declares { const Symbol *symbol; bool found; } Declares;

static bool find_declared(void *context, const Tree *t) {
  Declares *d = context;
  d->found |= t->op == OP_DECLARE && t->symbol == d->symbol;
  return !d->found;
}

bool loop_declares(const Tree *t, const Symbol *s) {
  Declares d = {s, false};
  tree_visit(t, find_declared, &d);
  return d.found;
}

bool loop_is_number(const Symbol *s) {
  return s->kind == SYMBOL_LOCAL && !s->array && !s->rank && s->type < TYPE_STRUCT;
}

static int place_of(const LoopSums *x, const Symbol *s) {
  for (int i = 0; i < x->n; i++)
    if (x->at[i].of == s) return i;
  return -1;
}

bool loop_sums_has(const LoopSums *x, const Symbol *s) { return place_of(x, s) >= 0; }

/* The statement `sum = sum op v': one more of that sum. */
static bool note_sum(Looks *l, const Tree *t) {
  LoopSums *x = l->sums;
  OperatorKind op;
  Symbol *s = t->kid[0]->symbol;
  int i = place_of(x, s);
  if (!operator_accumulated(t, &op) || !loop_is_number(s)) return false;
  if (i < 0 && x->n == MOST_LOOP_SUMS) return false;
  if (i < 0) x->at[i = x->n++] = (LoopSum){s, op, t};
  l->mentions[i] += t->compound ? 1 : 2;
  return x->at[i].op == op;
}

static bool find_changes(void *context, const Tree *t) {
  static const Op never[] = {OP_RETURN, OP_CALL, OP_MAP, OP_NATIVE};
  const bool appends = t->op == OP_ATOMIC && t->atomic == ATOMIC_APPEND;
  Looks *l = context;
  l->ok &= t->op != OP_ATOMIC || appends;
  l->sums->stores |= appends;
  for (size_t i = 0; i < sizeof never / sizeof *never; i++) l->ok &= t->op != never[i] && !op_view(t->op);
  if (t->op != OP_ASSIGN || !l->ok) return l->ok;
  const Tree *to = t->kid[0];
  if (to->op == OP_INDEX && to->kid[0]->op == OP_REF) l->sums->stores |= to->kid[0]->symbol->rank > 0;
  else if (to->op != OP_REF) l->ok = false;
  else if (!loop_declares(l->loop, to->symbol)) l->ok = note_sum(l, t);
  return l->ok;
}

static bool is_loop(const Tree *t) { return t->op == OP_FOR || t->op == OP_WHILE; }

/* A break that leaves it. */
static bool is_left(const Tree *t) {
  bool left = t->op == OP_BREAK;
  for (int i = 0; i < t->nkids && !left; i++) left = t->kid[i] && !is_loop(t->kid[i]) && is_left(t->kid[i]);
  return left;
}

typedef struct Mentions { const Symbol *of; int n; } Mentions;

static bool count_mentions(void *context, const Tree *t) {
  Mentions *m = context;
  m->n += t->op == OP_REF && t->symbol == m->of;
  return true;
}

bool loop_sums_find(const Tree *loop, LoopSums *x) {
  *x = (LoopSums){.n = 0};
  Looks l = {.loop = loop, .sums = x, .ok = true};
  tree_visit(loop, find_changes, &l);
  l.ok &= !is_left(loop);
  for (int i = 0; i < x->n && l.ok; i++) {
    Mentions m = {x->at[i].of, 0};
    tree_visit(loop, count_mentions, &m);
    l.ok = m.n == l.mentions[i];
  }
  return l.ok;
}
