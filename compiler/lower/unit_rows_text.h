/* unit_rows_text.h: what the stages of rows that are multiplied by a constant are written of: numbers of lanes, and
 * places in their registers (unit_rows_stages.c, unit_rows_constants.c). */
#ifndef TGC_LOWER_UNIT_ROWS_TEXT_H
#define TGC_LOWER_UNIT_ROWS_TEXT_H

#include "lower/unit_rows.h"

enum { PAIR = 2 };

static inline Tree *plus(const UnitRows *u, Tree *x, Tree *y) { return build_add(u->l->a, x, y); }
static inline Tree *times(const UnitRows *u, Tree *x, int64_t by) { return build_mul(u->l->a, x, integer(u, by)); }
static inline Tree *over(const UnitRows *u, Tree *x, int64_t by) { return build_div(u->l->a, x, integer(u, by)); }
static inline Tree *modulo(const UnitRows *u, Tree *x, int64_t by) {
  return tree_binary(u->l->a, OP_REM, TYPE_INT, x, integer(u, by));
}

static inline Tree *in(const UnitRows *u, const NestValue *v, Tree *index) {
  return build_element(u->l->a, v->symbol, index);
}

/* Which of the rows, or of the columns of the constant, a lane has; which of those it is that share one. */
static inline Tree *lane_row(const UnitRows *u) { return over(u, build_lane(u->l->a, OP_LANE), UNIT_LANES); }
static inline Tree *lane_column(const UnitRows *u) { return modulo(u, build_lane(u->l->a, OP_LANE), UNIT_LANES); }

static inline Tree *zero(const UnitRows *u, const NestValue *v) {
  return build_cast(u->l->a, v->symbol->type, integer(u, 0));
}

/* A sum as lanes go on with it. */
static inline Type total_type(const UnitRows *u) { return u->product->from->type; }
static inline Tree *as_total(const UnitRows *u, Tree *sum) {
  return sum->type == TYPE_SUM ? build_cast(u->l->a, total_type(u), sum) : sum;
}

/* Of groups side by side, which one. */
static inline Tree *beside_of(const Realising *r, const UnitRows *u) {
  return tree_binary(u->l->a, OP_REM, TYPE_INT, iterations_number(r, u->group), u->beside);
}

static inline Tree *fixed(const UnitRows *u, const char *name, Type type, Tree *value) {
  return tree_ref(u->l->a, lowering_fixed(u->l, name, type, value));
}

/* An element in memory, as it lies there. */
static inline Tree *element_of(const UnitRows *u, const View *v, Tree *at) {
  Arena *a = u->l->a;
  return build_element(a, v->source.base, view_in_base(u->l, v, plus(u, v->begin, build_mul(a, at, v->step))));
}

static inline Tree *is_from(const UnitRows *u, Tree *x, Tree *begin) { return build_compare(u->l->a, OP_GE, x, begin); }

/* Which row of a constant a lane's element is of a span. */
static inline Tree *constant_row(const UnitRows *u, Tree *own) {
  return plus(u, times(u, lane_column(u), u->near), own);
}

/* Where in a row of the unit, beside its first element's place, the span of a group, or column, side by side begins in
 * this step. */
Tree *unit_rows_span_from(const UnitRows *u, Tree *beside);
/* Writes a constant, or how far the rows before go on. */
void unit_rows_fill(const Realising *r, const UnitRows *u, const NestNode *n);

#endif
