/* sums_loops.c: is a codelet nothing but loops that add up what they store? (sums.c)
 *
 *     for (i ..) for (j ..) {                          for (i ..) for (j ..) for (k ..)
 *       T sum = 0;                                       C(i, j) += .. A(i, k) .. w[k] .. B(k, j) ..;
 *       for (k ..) sum += .. A(i, k) .. B(k, j) ..;
 *       C(i, j) = max(sum + bias[j], 0);
 *     }
 *
 * All containers are matrices, batches of them, or lines, whose indices are the loops' variables, and whose sizes are
 * declared to be as long as the loops: so a cut of one is a cut of the others. */
#include "front/sums_loops.h"

#include <string.h>

#include "front/divide.h"
#include "front/loops.h"
#include "ir/operator.h"

static const Tree *only(const Tree *t) {
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  return t;
}

/* `for (i = 0; i < of.Size(dimension); ++i)' */
static bool find_loop(Sums *x, int which, const Tree *t) {
  SumLoop *loop = &x->loop[which];
  LoopHead head;
  int64_t begin;
  x->at[which] = t;
  if (!loops_head(x->a, t, &head) || head.step != 1 || !tree_constant(head.begin, &begin) || begin) return false;
  const Symbol *counts;
  const Tree *end = head.end, *as_is;
  end = tree_uncast(end);
  x->plain &= tree_counts(t, &counts, &as_is) && as_is == head.end;
  if (end->op != OP_SIZE || end->kid[0]->op != OP_REF || end->kid[0]->symbol->kind != SYMBOL_PARAM) return false;
  *loop = (SumLoop){head.index, end->kid[0]->symbol, end->dimension};
  for (int i = 0; i < which; i++)
    if (strcmp(x->loop[i].index->name, loop->index->name) == 0) return false;
  return true;
}

/* `sum += v', `sum -= v', `sum = max(sum, v)', `sum |= v'. */
static bool accumulates(Sums *x, const Tree *t) {
  if (t->op != OP_ASSIGN || t->kid[0]->op != OP_REF || t->kid[0]->symbol != x->sum) return false;
  OperatorKind op;
  const Tree *v = t->compound == OP_SUB ? t->kid[1] : operator_accumulated(t, &op);
  if (!v) return false;
  x->by = t->compound == OP_SUB ? ATOMIC_SUB : operator_atomic(op);
  return x->by != ATOMIC_NONE && x->by != ATOMIC_USER && !atomic_stores(x->by) && !tree_mentions(v, x->sum);
}

/* The body of the last loop: variables, perhaps a condition, and one statement that accumulates. */
static bool find_add(Sums *x, const Tree *t) {
  if (t->op == OP_SEQ) {
    for (int i = 0; i < t->nkids - 1; i++)
      if (t->kid[i]->op != OP_DECLARE || t->kid[i]->symbol->array || t->kid[i]->symbol->kind != SYMBOL_LOCAL ||
          tree_mentions(t->kid[i], x->sum))
        return false;
    return t->nkids && find_add(x, t->kid[t->nkids - 1]);
  }
  if (t->op == OP_IF) return t->nkids == 2 && !tree_mentions(t->kid[0], x->sum) && find_add(x, t->kid[1]);
  x->add = t;
  return accumulates(x, t);
}

typedef struct Ends { const Sums *sums; const Symbol *sum; bool ok; } Ends;

/* Is it made of the variable, the caller's numbers, elements and constants alone? */
static bool find_end(void *context, const Tree *t) {
  Ends *e = context;
  const bool number = t->op == OP_REF && t->symbol->kind == SYMBOL_PARAM && !t->symbol->rank;
  if (t->op == OP_INDEX) { /* which elements, find_containers() asks */
    e->ok &= t->kid[0]->op == OP_REF && t->kid[0]->symbol->kind == SYMBOL_PARAM;
    return false;
  }
  if (t->op == OP_REF) e->ok &= number || (e->sum && t->symbol == e->sum);
  e->ok &= t->op != OP_SIZE && t->op != OP_CALL && t->op != OP_APART;
  return true;
}

static bool is_made(const Sums *x, const Tree *t, const Symbol *sum) {
  Ends ends = {x, sum, true};
  tree_visit(t, find_end, &ends);
  return ends.ok;
}

enum { DECLARED, ADDED, STORED, STATEMENTS };

static bool find_sum(Sums *x, const Tree *t) {
  if (t->op != OP_SEQ || t->nkids != STATEMENTS || t->kid[DECLARED]->op != OP_DECLARE) return false;
  const Tree *declared = t->kid[DECLARED], *stored = t->kid[STORED];
  x->one = t;
  x->sum = declared->symbol;
  if (!declared->nkids || x->sum->kind != SYMBOL_LOCAL || x->sum->array) return false;
  x->begin = declared->kid[0];
  if (!is_made(x, x->begin, NULL) || !find_loop(x, x->own, t->kid[ADDED])) return false;
  x->body = t->kid[ADDED]->kid[3];
  if (!find_add(x, x->body)) return false;
  const Tree *place = stored->op == OP_ASSIGN && !stored->compound ? stored->kid[0] : NULL;
  if (!place || place->op != OP_INDEX || place->nkids != 1 + x->own || place->kid[0]->op != OP_REF) return false;
  if (stored->kid[1]->op != OP_REF || stored->kid[1]->symbol != x->sum) {
    x->end = stored->kid[1];
    if (!is_made(x, x->end, x->sum) || !tree_mentions(x->end, x->sum) || x->end->type != x->sum->type) return false;
  }
  x->to = place->kid[0]->symbol;
  x->again = x->end && tree_mentions(x->end, x->to);
  return x->to->kind == SYMBOL_PARAM && x->to->writable && !x->to->atomic && x->to->type == x->sum->type &&
         !tree_mentions(x->begin, x->to) && !tree_mentions(x->body, x->to);
}

static int loop_of(const Sums *x, const Tree *index) {
  index = tree_uncast(index);
  for (int i = 0; index->op == OP_REF && i <= x->own; i++)
    if (x->loop[i].index == index->symbol) return i;
  return -1;
}

/* Of text outside the last loop: an element that is there whatever is added up may be one of a constant place. */
typedef struct Uses { Sums *sums; bool outside, ok; } Uses;

/* Containers are used by elements alone, each dimension by the same loop's variable. */
static bool find_uses(void *context, const Tree *t) {
  Uses *u = context;
  Sums *x = u->sums;
  static const Op never[] = {OP_WHILE, OP_CALL, OP_MAP, OP_BREAK, OP_CONTINUE, OP_RETURN, OP_APART, OP_SHUFFLE};
  for (size_t i = 0; i < sizeof never / sizeof *never; i++) u->ok &= t->op != never[i];
  if (t->op == OP_SIZE) return false;
  if (t->op == OP_REF && t->symbol->rank) u->ok = false;
  const int p = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? divide_place(x->codelet, t->kid[0]->symbol) : -1;
  if (t->op == OP_INDEX && (p < 0 || t->nkids > 1 + MOST_OWN)) u->ok = false;
  if (!u->ok || t->op != OP_INDEX) return u->ok;
  for (int d = 0; d < t->nkids - 1; d++) {
    const int loop = loop_of(x, t->kid[1 + d]);
    int64_t place;
    if (u->outside && tree_constant(t->kid[1 + d], &place)) continue;
    u->ok &= loop >= 0 && (x->of[p][d] < 0 || x->of[p][d] == loop) && (!u->outside || loop < x->own);
    x->of[p][d] = loop;
  }
  return false;
}

/* Is each dimension declared to be as long as its loop? Then the loop is said to be as long as the first that it is the
 * index of: another is cut by another loop. */
static bool sizes_agree(Sums *x) {
  for (int p = 0; p < x->codelet->nparams; p++)
    for (int d = 0; d < x->codelet->params[p]->rank; d++) {
      const SumLoop *loop = &x->loop[x->of[p][d]];
      if (!shape_is_same(x->codelet->params[p], d, loop->of, loop->dimension)) return false;
    }
  for (int i = 0; i <= x->own; i++) {
    SumLoop *loop = &x->loop[i];
    if (x->of[divide_place(x->codelet, loop->of)][loop->dimension] == i) continue;
    const Symbol *first = NULL;
    for (int p = 0; p < x->codelet->nparams && !first; p++)
      for (int d = 0; d < x->codelet->params[p]->rank && !first; d++)
        if (x->of[p][d] == i) first = loop->of = x->codelet->params[p], loop->dimension = d;
    if (!first) return false;
  }
  return true;
}

/* Which loop's variable is the index of each dimension of each container: of the last loop's body, and of what stands
 * around it, if anything does. */
static bool find_containers(Sums *x, const Tree *body, const Tree *around) {
  const Codelet *c = x->codelet;
  Uses uses = {x, false, true};
  tree_visit(body, find_uses, &uses);
  uses.outside = true;
  if (around) tree_visit(around->kid[STORED], find_uses, &uses);
  if (around) tree_visit(x->begin, find_uses, &uses);
  for (int p = 0; p < c->nparams && uses.ok; p++) {
    const Symbol *s = c->params[p];
    if (!s->rank) continue;
    uses.ok &= s->rank <= MOST_OWN && (s == x->to || (!s->writable && !s->atomic));
    for (int d = 0; d < s->rank && uses.ok; d++) {
      uses.ok &= x->of[p][d] >= 0;
      for (int k = 0; k < d; k++) uses.ok &= x->of[p][d] != x->of[p][k];
    }
  }
  for (int i = 0; i <= x->own; i++) uses.ok &= divide_place(c, x->loop[i].of) >= 0;
  return uses.ok;
}

/* What is stored has an element for each iteration of the own loops, and others' elements are added up: at least one
 * has more of them than what is added up, else there is nothing that tiles would have in common. */
static bool stores_own(const Sums *x) {
  bool inner = false, own = true;
  for (int p = 0; p < x->codelet->nparams; p++)
    for (int d = 0; d < x->codelet->params[p]->rank; d++) {
      const bool adds = x->of[p][d] == x->own;
      own &= !adds || x->codelet->params[p] != x->to;
      inner |= adds && x->codelet->params[p]->rank >= LEAST_RANK;
    }
  return inner && own;
}

bool sums_have_each(const Sums *x) {
  bool found = false;
  for (int p = 0; p < x->codelet->nparams; p++)
    found |= x->codelet->params[p] != x->to && x->codelet->params[p]->rank == x->own + 1;
  return found;
}

static bool may_fit(const Codelet *c) {
  return !c->nenv && !c->matrix && c->nparams >= 2 && !c->tunables.n && c->body;
}

bool sums_find(Arena *a, const Codelet *c, Sums *x) {
  *x = (Sums){.a = a, .codelet = c};
  memset(x->of, -1, sizeof x->of);
  if (!may_fit(c)) return false;
  const Tree *t = only(loops_sized(a, c));
  while (t->op == OP_FOR) {
    if (x->own == MOST_OWN || !find_loop(x, x->own++, t)) return false;
    t = only(t->kid[3]);
  }
  if (x->own < LEAST_RANK || !find_sum(x, t)) return false;
  return find_containers(x, t->kid[ADDED]->kid[3], t) && stores_own(x) && sizes_agree(x);
}

/* `C(i, j) += v', C being __accum: of what a codelet that has no variable contributes to. */
static bool contributes(Sums *x, const Tree *t) {
  const Tree *to = t->op == OP_ASSIGN || t->op == OP_ATOMIC ? t->kid[0] : NULL;
  x->to = to && to->op == OP_INDEX && to->kid[0]->op == OP_REF ? to->kid[0]->symbol : NULL;
  if (!x->to || x->to->kind != SYMBOL_PARAM || !x->to->atomic || atomic_stores(x->to->atomic)) return false;
  x->by = x->to->atomic;
  x->own = to->nkids - 1;
  return x->own >= LEAST_RANK && x->own <= MOST_OWN;
}

/* The body of the innermost loop: variables, perhaps a condition, and one statement that contributes. */
static bool find_contribution(Sums *x, const Tree *t) {
  for (; t->op == OP_SEQ && t->nkids; t = t->kid[t->nkids - 1])
    for (int i = 0; i < t->nkids - 1; i++)
      if (t->kid[i]->op != OP_DECLARE || t->kid[i]->symbol->array || t->kid[i]->symbol->kind != SYMBOL_LOCAL)
        return false;
  if (t->op == OP_IF) return t->nkids == 2 && find_contribution(x, t->kid[1]);
  return contributes(x, t);
}

bool sums_find_contributions(Arena *a, const Codelet *c, Sums *x) {
  *x = (Sums){.a = a, .codelet = c};
  memset(x->of, -1, sizeof x->of);
  if (!may_fit(c)) return false;
  const Tree *whole = loops_sized(a, c), *t = only(whole);
  x->plain = tree_equal(whole, c->body);
  int n = 0;
  for (; t->op == OP_FOR; t = only(t->kid[3]))
    if (n == LOOPS || !find_loop(x, n++, t)) return false;
  if (!find_contribution(x, t) || n != x->own + 1 || !find_containers(x, t, NULL)) return false;
  int adds = 0;
  for (int p = divide_place(c, x->to), i = 0; i < n; i++) {
    bool own = false;
    for (int d = 0; d < x->own; d++) own |= x->of[p][d] == i;
    if (!own) adds = i;
  }
  const SumLoop last = x->loop[adds];
  for (int i = adds; i < x->own; i++) x->loop[i] = x->loop[i + 1];
  x->loop[x->own] = last;
  x->body = t;
  memset(x->of, -1, sizeof x->of);
  return find_containers(x, t, NULL) && stores_own(x) && sizes_agree(x);
}

/* ---- sizes ---- */

bool sums_says_parts(const Sums *x) {
  const Codelet *c = x->codelet;
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank; d++) {
      const ShapeRule *r = &c->params[p]->shape[d];
      const Symbol *same = shape_same(r);
      if (same && x->of[divide_place(c, same)][r->dim[0]] != x->of[p][d]) return false;
    }
  return true;
}

void sums_say_parts(const Sums *x) {
  const Codelet *c = x->codelet;
  for (int p = 0; p < c->nparams; p++)
    for (int d = 0; d < c->params[p]->rank; d++) {
      ShapeRule like = {.said = false};
      for (int k = 0; k < p && !like.said; k++)
        for (int e = 0; e < c->params[k]->rank && !like.said; e++)
          if (x->of[k][e] == x->of[p][d])
            like = (ShapeRule){.said = true, .times = 1, .of = {c->params[k]}, .dim = {e}};
      c->params[p]->shape[d] = like;
    }
}
