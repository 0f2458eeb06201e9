/* unit_rows_constants.c: a lane's elements of the constants that rows are multiplied by (unit_rows.c), computed from
 * where they stand.
 *
 * Rows of the unit that are several of the matrix have other constants in each step, unless a step has all of them:
 * which of its elements are of one row, whose column is that of ones, or of a triangle.
 *
 * Requires that realise.c says which elements those are. Keeps the nest as it is. */
#include "lower/unit_rows_text.h"

/* Is that node within a step of the inner dimension? */
static bool within_step(const UnitRows *u, const NestNode *n) {
  while (n && n->axis != u->inner) n = n->above;
  return u->anywhere && n;
}

Tree *unit_rows_span_from(const UnitRows *u, Tree *beside) {
  Tree *step = build_cast(u->l->a, TYPE_INT, build_mul(u->l->a, u->inner->at, u->step));
  Tree *at = plus(u, step, times(u, beside, u->span));
  return u->anywhere && u->shift ? build_sub(u->l->a, at, build_cast(u->l->a, TYPE_INT, u->shift)) : at;
}

/* .. and where the row begins that has the element at that place, of several. */
static Tree *begin_of_row(const UnitRows *u, Tree *at) {
  Tree *number = tree_binary(u->l->a, OP_SHR, TYPE_INT, build_mul(u->l->a, at, u->inverse), integer(u, UNIT_INVERSE));
  return build_mul(u->l->a, number, u->period);
}

/* Which column of a triangle, in the order of a lane's neighbours, the lane's element is. */
static Tree *constant_column(const UnitRows *u, Tree *across) {
  Tree *g = lane_row(u);
  return plus(u, plus(u, times(u, over(u, g, PAIR), u->near), times(u, across, PAIR)), modulo(u, g, PAIR));
}

/* Element (k, j) of ones: 1 where column j has the sum of k's row; besides a triangle all have. Of a triangle: where k
 * is of j's row and not behind it. */
static Tree *is_one(const Realising *r, const UnitRows *u, const NestValue *v, Tree *k) {
  Arena *a = u->l->a;
  if (v == u->triangle) {
    Tree *j = constant_column(u, iterations_number(r, u->across));
    Tree *begin = tree_binary(a, OP_AND, TYPE_INT, j, tree_unary(a, OP_NEG, TYPE_INT, u->period)); /* a power of two */
    return build_both(a, build_compare(a, OP_LE, k, j), is_from(u, k, begin));
  }
  if (u->triangle || !u->to) return NULL;
  Tree *first = build_mul(a, lane_row(u), u->period);
  return build_both(a, is_from(u, k, first), build_compare(a, OP_LT, k, build_add(a, first, u->period)));
}

/* The same of a step of rows that have no place of their own in it. Besides a triangle, ones add up what the next span
 * goes on with: the row that has this one's last element. */
static Tree *is_one_here(const Realising *r, const UnitRows *u, const NestValue *v, Tree *k) {
  Arena *a = u->l->a;
  Tree *span = unit_rows_span_from(u, v == u->triangle ? beside_of(r, u) : iterations_number(r, u->column));
  Tree *at = plus(u, span, k);
  if (v == u->triangle) {
    Tree *j = constant_column(u, iterations_number(r, u->across));
    return build_both(a, build_compare(a, OP_LE, k, j), is_from(u, at, begin_of_row(u, plus(u, span, j))));
  }
  if (u->triangle) return is_from(u, at, begin_of_row(u, plus(u, span, integer(u, u->span - 1))));
  Tree *first = build_mul(a, lane_row(u), u->period);
  return build_both(a, is_from(u, at, first), build_compare(a, OP_LT, at, build_add(a, first, u->period)));
}

static void fill_constant(const Realising *r, const UnitRows *u, const NestNode *n) {
  Arena *a = u->l->a;
  const NestValue *v = n->stage->at.at[0].value;
  Tree *own = iterations_number(r, v->kept.at[v->kept.n - 1]), *k = constant_row(u, own), *place = own;
  if (u->folded) k = constant_row(u, times(u, over(u, own, PAIR), UNIT_FOUR));
  if (v == u->triangle) place = plus(u, times(u, iterations_number(r, u->across), u->near), own);
  else if (u->column) place = plus(u, times(u, iterations_number(r, u->column), u->near), own);
  Tree *when = within_step(u, n) ? is_one_here(r, u, v, k) : is_one(r, u, v, k);
  Tree *one = build_cast(a, v->symbol->type, integer(u, 1));
  lowering_add(u->l, build_assign(a, in(u, v, place), when ? build_choice(a, when, one, zero(u, v)) : one));
}

/* How many of a span's elements go on with the row that has the element before it. */
static void fill_border(const Realising *r, const UnitRows *u) {
  Arena *a = u->l->a;
  Tree *span = unit_rows_span_from(u, iterations_number(r, u->column));
  Tree *end = plus(u, begin_of_row(u, build_sub(a, span, integer(u, 1))), u->period);
  lowering_add(u->l, build_assign(a, in(u, u->border, iterations_number(r, u->column)), build_sub(a, end, span)));
}

void unit_rows_fill(const Realising *r, const UnitRows *u, const NestNode *n) {
  if (u->border && n->stage->at.at[0].value == u->border) fill_border(r, u);
  else fill_constant(r, u, n);
}
