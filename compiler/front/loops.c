/* loops.c: heads of loops, and sizes in variables.
 *
 *     unsigned n = A.Size(0), last = n - 1;           for (unsigned i = 0; i < A.Size(0); ++i)
 *     for (unsigned i = 0; i <= last; ++i)     >        for (int j = A.Size(1) - 1; j > -1; --j)
 *       for (int j = A.Size(1) - 1; j >= 0; --j)
 *
 * so that who asks what a loop goes through has one form to look at. The loops themselves stay as they are: their heads
 * are read so (loops_head); only variables are replaced. */
#include "front/loops.h"

/* ---- heads ---- */

/* By how much the statement changes the variable; 0: not by a constant. */
static int64_t step_of(const Tree *t, const Symbol *index) {
  if (!t || t->op != OP_ASSIGN || t->kid[0]->op != OP_REF || t->kid[0]->symbol != index) return 0;
  int64_t by;
  if (!tree_constant(t->kid[1], &by)) return 0;
  return t->compound == OP_ADD ? by : t->compound == OP_SUB ? -by : 0;
}

static Tree *moved(Arena *a, Tree *t, int64_t by) {
  int64_t number;
  const bool less = t->op == OP_SUB, sum = less || t->op == OP_ADD;
  if (!sum || !tree_constant(t->kid[1], &number))
    return tree_binary(a, by < 0 ? OP_SUB : OP_ADD, TYPE_INDEX, t, tree_int(a, TYPE_INDEX, by < 0 ? -by : by));
  if (less) number = -number;
  if (number + by == 0) return t->kid[0];
  return moved(a, t->kid[0], number + by);
}

/* Is it the variable, or the variable and a constant? */
static bool is_index(const Tree *t, const Symbol *index, int64_t *more) {
  *more = 0;
  if ((t->op == OP_ADD || t->op == OP_SUB) && tree_constant(t->kid[1], more)) {
    if (t->op == OP_SUB) *more = -*more;
    t = t->kid[0];
  }
  return t->op == OP_REF && t->symbol == index;
}

bool loops_head(Arena *a, const Tree *t, LoopHead *head) {
  static const Op turned[] = {[OP_LT] = OP_GT, [OP_LE] = OP_GE, [OP_GT] = OP_LT, [OP_GE] = OP_LE, [OP_NE] = OP_NE};
  if (t->op != OP_FOR || !t->kid[0] || !t->kid[1] || t->kid[0]->op != OP_DECLARE || !t->kid[0]->nkids) return false;
  head->index = t->kid[0]->symbol;
  head->begin = t->kid[0]->kid[0];
  head->step = step_of(t->kid[2], head->index);
  const Tree *condition = t->kid[1];
  Op op = condition->op;
  if (op < OP_LT || op > OP_NE || op == OP_EQ || !head->step || head->index->type != TYPE_INDEX) return false;
  int64_t more = 0; /* i + more < end */
  const bool first = is_index(condition->kid[0], head->index, &more);
  if (!first && !is_index(condition->kid[1], head->index, &more)) return false;
  if (!first) op = turned[op];
  Tree *end = condition->kid[first ? 1 : 0];
  while (end->op == OP_CAST && end->type == TYPE_INDEX && end->kid[0]->type == TYPE_INDEX) end = end->kid[0];
  const bool up = head->step > 0;
  if (op == OP_NE ? head->step != 1 && head->step != -1 : op != (up ? OP_LT : OP_GT) && op != (up ? OP_LE : OP_GE))
    return false;
  if (op == OP_LE || op == OP_GE) more -= up ? 1 : -1;
  head->end = more ? moved(a, end, -more) : end;
  return !tree_mentions(head->begin, head->index) && !tree_mentions(head->end, head->index) &&
         !tree_assigns(t->kid[3], head->index);
}

/* ---- sizes in variables ---- */

typedef struct Sizes {
  Arena *a;
  const Tree *body;
  VEC(const Symbol *) of;
  VEC(Tree *) value;
} Sizes;

static Tree *value_of(const Sizes *x, const Symbol *s) {
  for (int i = 0; i < x->of.n; i++)
    if (x->of.at[i] == s) return x->value.at[i];
  return NULL;
}

typedef struct Made { bool sizes, other; } Made;

/* Of sizes and constants, and not of a constant alone? */
static bool find_made(void *context, const Tree *t) {
  static const Op of[] = {OP_INT, OP_SIZE, OP_ADD, OP_SUB, OP_MUL, OP_MIN, OP_MAX, OP_CAST, OP_COND, OP_LT, OP_LE,
                          OP_GT, OP_GE, OP_EQ, OP_NE};
  Made *m = context;
  const bool number = t->op == OP_REF && t->symbol->kind == SYMBOL_PARAM && !t->symbol->rank;
  bool known = number;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) known |= t->op == of[i];
  m->other |= !known || (t->type != TYPE_INDEX && t->op != OP_CAST && t->type != TYPE_BOOL && !type_is_whole(t->type));
  m->sizes |= t->op == OP_SIZE && t->kid[0]->op == OP_REF && t->kid[0]->symbol->kind == SYMBOL_PARAM;
  return t->op != OP_SIZE;
}

static bool is_size(const Sizes *x, const Tree *t, const Tree *value) {
  const Symbol *s = t->symbol;
  if (s->kind != SYMBOL_LOCAL || s->array || s->type != TYPE_INDEX || value->type != TYPE_INDEX) return false;
  Made m = {false, false};
  tree_visit(value, find_made, &m);
  return m.sizes && !m.other && !tree_assigns(x->body, s);
}

/* NULL: the declaration of what is written where it stood. A loop's own variable stays. */
static Tree *sized(Sizes *x, Tree *t) {
  if (t->op == OP_REF) {
    Tree *value = value_of(x, t->symbol);
    return value ? value : t;
  }
  Tree **kids = arena_many(x->a, Tree *, t->nkids);
  int n = 0;
  for (int i = 0; i < t->nkids; i++) {
    Tree *kid = t->kid[i] ? sized(x, t->kid[i]) : NULL;
    const bool declares = t->op == OP_SEQ && kid->op == OP_DECLARE && kid->nkids;
    if (declares && is_size(x, kid, kid->kid[0])) {
      vec_push(x->a, &x->of, kid->symbol);
      vec_push(x->a, &x->value, kid->kid[0]);
    } else kids[n++] = kid;
  }
  return tree_with_kids(x->a, t, kids, n);
}

Tree *loops_sized(Arena *a, const Codelet *c) {
  Sizes x = {.a = a, .body = c->body};
  return sized(&x, c->body);
}
