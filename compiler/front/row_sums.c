/* row_sums.c: loops over rows that add up what each row comes to,
 *
 *     for (i ..) {
 *       T total = 0;
 *       for (j ..) total += exp(A(i, j));
 *       if (label[i] >= 0) loss += log(total) - A(i, label[i]);
 *     }
 *
 * as two loops. A lane that has a row of its own reads apart from its neighbours; what each row comes to is the result
 * of a row, which several lanes can go through (each_row.c), and adding these up is a sum as any other:
 *
 *     Array<1, T> loss_each(A.Size(0));
 *     for (i ..) { T loss_own = 0; ..; loss_own += log(total) - A(i, label[i]); loss_each[i] = loss_own; }
 *     for (i ..) loss += loss_each[i];
 *
 * Not where one of the inner loops adds up the number itself: then elements, not rows, are shared out. */
#include "front/row_sums.h"

#include <string.h>

#include "front/divide.h"
#include "front/each_row.h"
#include "front/loops.h"
#include "ir/build.h"
#include "ir/operator.h"

typedef struct Inner { const LoopSums *of; bool loops, adds; } Inner;

/* Is there a loop in it, and does one of these add up the numbers? */
static void look_inside(Inner *x, const Tree *t, bool in_loop) {
  if (!t) return;
  const bool loop = t->op == OP_FOR || t->op == OP_WHILE;
  x->loops |= loop;
  x->adds |= in_loop && t->op == OP_REF && loop_sums_has(x->of, t->symbol);
  for (int i = 0; i < t->nkids; i++) look_inside(x, t->kid[i], in_loop || loop);
}

/* Other symbols in the place of some. */
typedef struct Others { const Symbol *const *from; Symbol *const *to; int n; } Others;

static Tree *other(void *context, Arena *a, Tree *t) {
  const Others *o = context;
  for (int i = 0; i < o->n; i++)
    if (t->op == OP_REF && t->symbol == o->from[i]) return tree_ref(a, o->to[i]);
  return t;
}

static Symbol *number(Arena *a, const Symbol *like, const char *what) {
  Symbol *s = symbol_new(a, SYMBOL_LOCAL, arena_printf(a, "%s_%s", like->name, what), like->type);
  s->declared = like->declared;
  s->writable = true;
  s->where = like->where;
  return s;
}

/* for (i = 0; i < size; i += 1) body, as the loop at hand. */
static Tree *loop_like(Arena *a, const Tree *loop, Tree *size, Tree **body, int n) {
  Tree *made = divide_loop(a, loop->kid[0]->symbol, size, body[0]);
  made->where = loop->where;
  made->kid[3] = tree_seq(a, body, n);
  made->kid[3]->where = loop->kid[3]->where;
  return made;
}

/* What each row comes to, by variables of its own. */
static Tree *rows_of(Arena *a, const Tree *loop, const LoopSums *of, const RowSums *r) {
  Tree *copy = tree_clone(a, loop), *body = copy->kid[3];
  Symbol *at = copy->kid[0]->symbol, *own[MOST_LOOP_SUMS];
  const Symbol *from[MOST_LOOP_SUMS];
  DivideStatements all = {0};
  for (int i = 0; i < of->n; i++) {
    from[i] = of->at[i].of;
    own[i] = number(a, from[i], "own");
    vec_push(a, &all, build_declare(a, own[i], operator_identity(a, of->at[i].op, from[i]->type)));
  }
  const Others others = {from, own, of->n};
  body = tree_rewrite(a, body, other, (void *)&others);
  for (int i = 0; i < body->nkids; i++) vec_push(a, &all, body->kid[i]);
  for (int i = 0; i < of->n; i++)
    vec_push(a, &all, build_assign(a, build_element(a, r->each[i], tree_ref(a, at)), tree_ref(a, own[i])));
  return loop_like(a, copy, tree_clone(a, r->turns), all.at, all.n);
}

/* loss += loss_each[i], as the loop itself adds up. */
static Tree *sums_of(Arena *a, const Tree *loop, const LoopSums *of, const RowSums *r) {
  DivideStatements all = {0};
  for (int i = 0; i < of->n; i++) {
    Tree *t = tree_clone(a, of->at[i].combine), *sum = t->kid[0];
    Tree *each = build_element(a, r->each[i], tree_ref(a, loop->kid[0]->symbol));
    if (t->compound) t->kid[1] = each;
    else t->kid[1]->kid[tree_equal(t->kid[1]->kid[0], sum) ? 1 : 0] = each;
    vec_push(a, &all, t);
  }
  return loop_like(a, loop, divide_size(a, r->each[0], 0), all.at, all.n);
}

/* A codelet of the rows alone, whose results are parameters: could several lanes go through a row? */
static bool go_together(const LoopSteps *x, const RowSums *r, int n) {
  Arena *a = x->a;
  Codelet alone = *x->codelet;
  Spectrum of = *x->codelet->spectrum;
  const int given = alone.nparams;
  if (given + n > MOST_OPERANDS) return false;
  const Symbol *from[MOST_OPERANDS];
  alone.params = arena_many(a, Symbol *, MOST_OPERANDS);
  for (int i = 0; i < given; i++) {
    from[i] = x->codelet->params[i];
    Symbol *s = alone.params[i] = divide_parameter(a, x->codelet, alone.params, from[i]);
    s->writable = false;
    s->atomic = ATOMIC_NONE;
    s->counter = NULL;
  }
  for (int i = 0; i < n; i++) {
    from[given + i] = r->each[i];
    Symbol *s = alone.params[given + i] = arena_one(a, Symbol);
    *s = *r->each[i];
    s->kind = SYMBOL_PARAM;
    s->length = NULL;
    Symbol *lines = alone.params[divide_place(x->codelet, r->turns->kid[0]->symbol)];
    s->shape[0] = (ShapeRule){.said = true, .times = 1, .of = {lines}, .dim = {r->turns->dimension}};
  }
  alone.nparams = given + n;
  const Others others = {from, alone.params, alone.nparams};
  Tree *body = tree_rewrite(a, tree_clone(a, r->rows), other, (void *)&others);
  alone.body = tree_seq(a, &body, 1);
  of.result = TYPE_VOID;
  alone.spectrum = &of;
  return each_row_goes_together(a, x->unit, &alone);
}

bool row_sums_find(const LoopSteps *x, const Tree *loop, const LoopSums *of, RowSums *found) {
  Arena *a = x->a;
  LoopHead head;
  int64_t begin;
  *found = (RowSums){0};
  Inner inner = {of, false, false};
  if (!of->n || of->stores || x->around || !loops_head(a, loop, &head) || head.step != 1) return false;
  if (!tree_constant(head.begin, &begin) || begin || loop->kid[3]->op != OP_SEQ) return false;
  if (head.end->op != OP_SIZE || head.end->kid[0]->op != OP_REF) return false;
  if (divide_place(x->codelet, head.end->kid[0]->symbol) < 0) return false;
  look_inside(&inner, loop->kid[3], false);
  if (!inner.loops || inner.adds) return false;
  found->turns = head.end;
  for (int i = 0; i < of->n; i++) {
    Symbol *s = found->each[i] = number(a, of->at[i].of, "each");
    s->rank = 1;
    s->length = tree_clone(a, head.end);
  }
  found->rows = rows_of(a, loop, of, found);
  found->sums = sums_of(a, loop, of, found);
  return go_together(x, found, of->n);
}
