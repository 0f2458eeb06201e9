/* turns.c: the numbers that a loop counts through.
 *
 *     for (i = 1; i + 1 < n; i++)            1 .. n - 1
 *       for (j = 0; j <= i; j++)             0 .. n - 1, and fewer in most turns of the loop around it
 *
 * A bound that has the variable of a loop around it is as far as it goes there: so it has to be made of sums, products
 * with constants, minima and maxima, whose ends are at ends of the variable. */
#include "front/turns.h"

typedef struct Search { Arena *a; const Codelet *codelet; const Turns *around; int n; } Search;

static const Turns *turns_of(const Search *x, const Symbol *index) {
  for (int i = 0; i < x->n; i++)
    if (x->around[i].index == index) return &x->around[i];
  return NULL;
}

static bool is_of_parameter(const Search *x, const Symbol *s) {
  for (int i = 0; i < x->codelet->nparams; i++)
    if (x->codelet->params[i] == s) return true;
  return false;
}

static Tree *sum(Arena *a, Tree *x, Tree *y, int64_t times) {
  int64_t left, right;
  const bool known = tree_constant(y, &right);
  if (known && right == 0) return x;
  if (known && tree_constant(x, &left)) return tree_int(a, TYPE_INDEX, left + times * right);
  return tree_binary(a, times < 0 ? OP_SUB : OP_ADD, TYPE_INDEX, x, y);
}

/* Its greatest value, or its least; NULL: it is not known. */
static Tree *extreme(const Search *x, const Tree *t, bool greatest) {
  Arena *a = x->a;
  int64_t number;
  if (tree_constant(t, &number)) return tree_int(a, TYPE_INDEX, number);
  if (t->op == OP_CAST && type_is_whole(t->type)) return extreme(x, t->kid[0], greatest);
  if (t->op == OP_SIZE && t->kid[0]->op == OP_REF && is_of_parameter(x, t->kid[0]->symbol)) return tree_clone(a, t);
  if (t->op == OP_REF) {
    const Turns *of = turns_of(x, t->symbol);
    if (of) return greatest ? sum(a, tree_clone(a, of->end), tree_int(a, TYPE_INDEX, 1), -1) : tree_clone(a, of->least);
    const bool is_number = is_of_parameter(x, t->symbol) && !t->symbol->rank && !t->symbol->writable;
    return is_number && type_is_whole(t->type) ? tree_clone(a, t) : NULL;
  }
  const bool sums = t->op == OP_ADD || t->op == OP_SUB, selects = t->op == OP_MIN || t->op == OP_MAX;
  const bool scales = t->op == OP_MUL && tree_constant(t->kid[1], &number) && number >= 0;
  const bool divides = t->op == OP_DIV && tree_constant(t->kid[1], &number) && number > 0;
  if ((!sums && !selects && !scales && !divides) || t->type != TYPE_INDEX) return NULL;
  Tree *left = extreme(x, t->kid[0], greatest), *right = extreme(x, t->kid[1], greatest != (t->op == OP_SUB));
  if (!left || !right) return NULL;
  return sums ? sum(a, left, right, t->op == OP_SUB ? -1 : 1) : tree_binary(a, t->op, TYPE_INDEX, left, right);
}

static bool depends(const Search *x, const Tree *t) {
  for (int i = 0; i < x->n; i++)
    if (tree_mentions(t, x->around[i].index)) return true;
  return false;
}

bool turns_find(Arena *a, const Codelet *c, const LoopHead *head, const Turns *around, int n, Turns *x) {
  const Search s = {a, c, around, n};
  const bool down = head->step < 0;
  const Tree *first = down ? head->end : head->begin, *end = down ? head->begin : head->end;
  Tree *least = extreme(&s, first, false), *most = extreme(&s, end, true), *one = tree_int(a, TYPE_INDEX, 1);
  if (!least || !most) return false;
  *x = (Turns){head->index, down ? sum(a, least, one, 1) : least, down ? sum(a, most, one, 1) : most, false};
  x->depends = depends(&s, first) || depends(&s, end);
  return true;
}

Tree *turns_number(Arena *a, const Turns *x, int64_t step) {
  const int64_t by = step < 0 ? -step : step;
  Tree *n = sum(a, tree_clone(a, x->end), tree_clone(a, x->least), -1);
  if (n->op != OP_SIZE) n = tree_binary(a, OP_MAX, TYPE_INDEX, tree_int(a, TYPE_INDEX, 0), n);
  if (by == 1) return n;
  return tree_binary(a, OP_DIV, TYPE_INDEX, sum(a, n, tree_int(a, TYPE_INDEX, by - 1), 1), tree_int(a, TYPE_INDEX, by));
}
