/* twice.c: one operand under two variables,
 *
 *     for (i ..) for (j ..) for (k ..) C(i, j) += A(k, i) * A(k, j);
 *
 * is a product of two operands, that are given the same container:
 *
 *     void ata_apart(A, A_2, C) { .. C(i, j) += A(k, i) * A_2(k, j); }
 *     void ata(A, C) { ata_apart(A, A, C); }
 *
 * So each can be cut by its own variable, in tiles and panels, as a product's operands are. */
#include "front/twice.h"

#include <string.h>

#include "front/divide.h"

typedef struct Apart {
  Arena *a;
  const Codelet *from;
  Codelet *to;
  const Tree *first[MOST_OPERANDS]; /* by parameter of `to': an element that is read of it; NULL: none is */
  int *of;                          /* .. which of the codelet's it is */
  bool fits;
} Apart;

static bool same_indices(const Tree *x, const Tree *y) {
  for (int i = 1; i < x->nkids; i++)
    if (!tree_equal(x->kid[i], y->kid[i])) return false;
  return true;
}

static Symbol *another(Apart *x, int of, int behind) {
  Codelet *k = x->to;
  if (k->nparams == MOST_OPERANDS) {
    x->fits = false;
    return k->params[behind];
  }
  const Symbol *like = k->params[behind];
  Symbol *s = arena_one(x->a, Symbol);
  *s = *like;
  int n = 1;
  for (int i = 0; i < k->nparams; i++) n += x->of[i] == of;
  s->name = arena_printf(x->a, "%s_%d", x->from->params[of]->name, n);
  for (int d = 0; d < s->rank; d++)
    s->shape[d] = (ShapeRule){.said = true, .times = 1, .of = {k->params[behind]}, .dim = {d}};
  for (int i = k->nparams++; i > behind + 1; i--) {
    k->params[i] = k->params[i - 1];
    x->first[i] = x->first[i - 1];
    x->of[i] = x->of[i - 1];
  }
  x->first[behind + 1] = NULL;
  x->of[behind + 1] = of;
  return k->params[behind + 1] = s;
}

/* The parameter of which an element is read there. */
static Symbol *named(Apart *x, int of, const Tree *element) {
  int last = 0;
  for (int i = 0; i < x->to->nparams; i++) {
    if (x->of[i] != of) continue;
    last = i;
    if (!x->first[i]) x->first[i] = element;
    const Symbol *s = x->to->params[i];
    if (s->writable || s->atomic || same_indices(x->first[i], element)) return x->to->params[i];
  }
  Symbol *s = another(x, of, last);
  if (x->fits) x->first[last + 1] = element;
  return s;
}

static Tree *apart(Apart *x, Tree *t) {
  const Tree *of = t->op == OP_REF ? t : t->op == OP_INDEX ? t->kid[0] : NULL;
  const int p = of && of->op == OP_REF ? divide_place(x->from, of->symbol) : -1;
  if (t->op == OP_REF) {
    for (int i = 0; i < x->to->nparams && p >= 0; i++)
      if (x->of[i] == p) return tree_ref(x->a, x->to->params[i]);
    return t;
  }
  Tree **kids = arena_many(x->a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) kids[i] = t->kid[i] ? apart(x, t->kid[i]) : NULL;
  if (t->op == OP_INDEX && p >= 0) kids[0] = tree_ref(x->a, named(x, p, t));
  return tree_with_kids(x->a, t, kids, t->nkids);
}

Codelet *twice_apart(Arena *a, const Codelet *c, Tree *body, int *from) {
  Codelet *k = divide_codelet(a, c, c->spectrum, "serial");
  Symbol **params = arena_many(a, Symbol *, MOST_OPERANDS);
  if (k->nparams > MOST_OPERANDS) return NULL;
  memcpy(params, k->params, sizeof *params * (size_t)k->nparams);
  k->params = params;
  for (int i = 0; i < k->nparams; i++) from[i] = i;
  Apart x = {.a = a, .from = c, .to = k, .of = from, .fits = true};
  k->body = apart(&x, body);
  return x.fits ? k : NULL;
}

void twice_apply(Arena *a, Spectrum *s, const Codelet *c, Spectrum *apart, const int *from) {
  Codelet *k = divide_codelet(a, c, s, "apart");
  const int n = apart->codelets[0]->nparams;
  Tree *call = tree_new(a, OP_CALL, TYPE_VOID, k->where, n);
  call->spectrum = apart;
  for (int i = 0; i < n; i++) call->kid[i] = tree_ref(a, k->params[from[i]]);
  Tree *run = tree_unary(a, OP_RUN, TYPE_VOID, call);
  run->where = k->where;
  k->body = tree_seq(a, &run, 1);
  k->body->where = c->body->where;
  divide_add(a, s, k);
}
