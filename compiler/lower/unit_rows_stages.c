/* unit_rows_stages.c: the stages of rows that are multiplied by a constant (unit_rows.c): what a lane has of the
 * constants, of the rows, of their sums.
 *
 * Lane 4 * g + t has, of what a product gives, rows g and g + 8 in columns 2 * t and 2 * t + 1, and of its factors
 * these rows, and column g of the constant, in four places of the inner dimension (runtime/device/matrix.cuh). What the
 * unit takes to stand there are elements 4 * t to 4 * t + 3; and what it takes for columns 2 * t and 2 * t + 1 of two
 * products side by side are columns 4 * t to 4 * t + 3.
 *
 * Requires that realise.c says which iterations those are. Keeps the nest as it is. */
#include "lower/unit_rows.h"

enum { PAIR = 2 };

static Tree *number_of(const Realising *r, const NestAxis *axis) {
  for (int i = r->above.n - 1; i >= 0; i--)
    if (r->above.at[i].axis == axis) return r->above.at[i].number;
  return tree_int(r->l->a, TYPE_INT, 0);
}

static Tree *integer(const UnitRows *u, int64_t x) { return tree_int(u->l->a, TYPE_INT, x); }
static Tree *plus(const UnitRows *u, Tree *x, Tree *y) { return build_add(u->l->a, x, y); }
static Tree *times(const UnitRows *u, Tree *x, int64_t by) { return build_mul(u->l->a, x, integer(u, by)); }
static Tree *over(const UnitRows *u, Tree *x, int64_t by) { return build_div(u->l->a, x, integer(u, by)); }
static Tree *modulo(const UnitRows *u, Tree *x, int64_t by) {
  return tree_binary(u->l->a, OP_REM, TYPE_INT, x, integer(u, by));
}

static Tree *in(const UnitRows *u, const NestValue *v, Tree *index) { return build_element(u->l->a, v->symbol, index); }

/* Which of the rows, or of the columns of the constant, a lane has; which of those it is that share one. */
static Tree *lane_row(const UnitRows *u) { return over(u, build_lane(u->l->a, OP_LANE), UNIT_LANES); }
static Tree *lane_column(const UnitRows *u) { return modulo(u, build_lane(u->l->a, OP_LANE), UNIT_LANES); }

static Tree *zero(const UnitRows *u, const NestValue *v) {
  return build_cast(u->l->a, v->symbol->type, integer(u, 0));
}

/* ---- constants ---- */

/* Element (k, j): 1 where k is not behind j. */
static void fill_constant(const Realising *r, const UnitRows *u, const NestValue *v) {
  Arena *a = u->l->a;
  Tree *own = number_of(r, u->ones->kept.at[0]), *place = own, *value = integer(u, 1);
  if (v == u->triangle) {
    Tree *across = number_of(r, u->across), *g = lane_row(u);
    Tree *k = plus(u, times(u, lane_column(u), UNIT_NEAR), own);
    Tree *j = plus(u, plus(u, times(u, over(u, g, PAIR), UNIT_NEAR), times(u, across, PAIR)), modulo(u, g, PAIR));
    value = build_choice(a, build_compare(a, OP_LE, k, j), value, integer(u, 0));
    place = plus(u, times(u, across, UNIT_NEAR), own);
  }
  lowering_add(u->l, build_assign(a, in(u, v, place), build_cast(a, v->symbol->type, value)));
}

/* ---- rows ---- */

/* A lane's neighbours of one row: the first one's place among the container's, and how many there are. */
typedef struct Near { Tree *at, *left; } Near;

static Tree *place_of(const UnitRows *u, Tree *row, Tree *column) {
  Tree *at = plus(u, build_mul(u->l->a, row, u->columns), column);
  return u->lead ? build_sub(u->l->a, at, u->lead) : at;
}

/* Of the group's rows the lane's first, or the one half of them further down; its columns of this step. `most':
 * elements that the container has; NULL: all are there. */
static Near near_of(const Realising *r, const UnitRows *u, Tree *half, Tree *most) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Near x = {0};
  Tree *row = build_mul(a, u->tile->at, build_index(a, (int64_t)u->groups * MATRIX_M));
  row = plus(u, row, times(u, number_of(r, u->group), MATRIX_M));
  row = plus(u, row, plus(u, times(u, half, UNIT_HALF), lane_row(u)));
  Tree *column = build_mul(a, u->inner->at, build_index(a, MATRIX_K));
  column = plus(u, column, times(u, lane_column(u), UNIT_NEAR));
  if (!most) {
    x.at = tree_ref(a, lowering_fixed(l, "at", TYPE_INDEX, place_of(u, row, column)));
    return x;
  }
  row = tree_ref(a, lowering_fixed(l, "row", TYPE_INDEX, row));
  column = tree_ref(a, lowering_fixed(l, "column", TYPE_INDEX, column));
  x.at = tree_ref(a, lowering_fixed(l, "at", TYPE_INDEX, place_of(u, row, column)));
  Tree *left = build_min(a, build_sub(a, u->columns, column), build_sub(a, most, x.at));
  left = build_choice(a, build_compare(a, OP_LT, row, u->rows), left, build_index(a, 0));
  x.left = tree_ref(a, lowering_fixed(l, "left", TYPE_INDEX, left));
  return x;
}

/* An element in memory, as it lies there. */
static Tree *element_of(const UnitRows *u, const View *v, Tree *at) {
  Arena *a = u->l->a;
  return build_element(a, v->source.base, view_in_base(u->l, v, plus(u, v->begin, build_mul(a, at, v->step))));
}

/* A statement for each of so many, by their numbers. */
typedef Tree *Each(const UnitRows *u, Tree *number, void *what);
static Tree *each(const UnitRows *u, const char *name, Tree *many, Each *statement, void *what) {
  Block all, b;
  block_open(u->l, &all);
  Symbol *q = block_open_counted(u->l, &b, name);
  lowering_add(u->l, statement(u, tree_ref(u->l->a, q), what));
  block_close_unrolled(u->l, &b, q, many);
  block_close(u->l, &all);
  return tree_seq(u->l->a, all.inner.at, all.inner.n);
}

typedef struct Load { Tree *to; Near from; } Load;

/* One by one, those that are there. */
static Tree *load_one(const UnitRows *u, Tree *q, void *what) {
  const Load *x = what;
  Arena *a = u->l->a;
  Tree *at = plus(u, x->from.at, q), *element = element_of(u, u->from, at);
  Tree *there = build_compare(a, OP_LT, q, x->from.left);
  if (u->lead) there = build_both(a, build_compare(a, OP_GE, at, build_index(a, 0)), there);
  return build_assign(a, in(u, u->near, plus(u, x->to, q)), build_choice(a, there, element, zero(u, u->near)));
}

/* All at once: as many as 16 bytes of what they are added up in. */
static Tree *per(const UnitRows *u) { return build_width(u->l->a, u->sums->symbol->type); }
static Tree *load_some(const UnitRows *u, Tree *q, void *what) {
  const Load *x = what;
  Arena *a = u->l->a;
  q = build_mul(a, q, per(u));
  Tree *const kids[] = {in(u, u->near, plus(u, x->to, q)), element_of(u, u->from, plus(u, x->from.at, q))};
  Tree *move = build_tree(a, OP_LOAD_WIDE, TYPE_VOID, kids, 2);
  move->move = u->near->symbol->type == TYPE_STORED ? WIDE_ROW : WIDE_ALIGNED;
  return move;
}

/* A lane's neighbours, of two rows. */
static void load(const Realising *r, const UnitRows *u, bool whole) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block b;
  Symbol *half = block_open_counted(l, &b, "half");
  Load x = {.from = near_of(r, u, tree_ref(a, half), whole ? NULL : view_size(l, u->from))};
  x.to = plus(u, times(u, number_of(r, u->group), 2 * UNIT_NEAR), times(u, tree_ref(a, half), UNIT_NEAR));
  Tree *many = integer(u, UNIT_NEAR), *wide = u->wide[0];
  if (u->lead) wide = build_compare(a, OP_GE, x.from.at, build_index(a, 0));
  if (!whole && wide) wide = build_both(a, wide, build_compare(a, OP_GE, x.from.left, build_index(a, UNIT_NEAR)));
  Tree *some = wide ? each(u, "q", build_div(a, many, per(u)), load_some, &x) : NULL;
  Tree *one = whole ? NULL : each(u, "q", many, load_one, &x);
  lowering_add(l, !some ? one : !one ? some : build_either(a, wide, some, one));
  block_close_unrolled(l, &b, half, integer(u, 2));
}

static void take_part(const Realising *r, const UnitRows *u) {
  Tree *const kids[] = {in(u, u->part, integer(u, 0)), in(u, u->near, times(u, number_of(r, u->group), 2 * UNIT_NEAR))};
  lowering_add(u->l, build_tree(u->l->a, OP_PART_OF_A, TYPE_VOID, kids, 2));
}

/* ---- sums ---- */

/* Where a group's sums begin; where one of two products' does. */
static Tree *sums_of_group(const Realising *r, const UnitRows *u) {
  return times(u, number_of(r, u->group), UNIT_SUMS);
}

static Tree *made_across(const Realising *r, const UnitRows *u) {
  return times(u, number_of(r, u->across), UNIT_SUMS);
}

static Tree *sum_at_hand(const Realising *r, const UnitRows *u) {
  return in(u, u->sums, plus(u, sums_of_group(r, u), number_of(r, u->element)));
}

/* A group's sums as they will be, or as they were, once the step is done. */
static void go_on(const Realising *r, const UnitRows *u, const NestValue *to, const NestValue *from) {
  Tree *at = plus(u, sums_of_group(r, u), number_of(r, u->element));
  lowering_add(u->l, build_assign(u->l->a, in(u, to, at), in(u, from, at)));
}

/* The lane's two rows of each group, of all lanes. */
static void declare_finite(const UnitRows *u) {
  Arena *a = u->l->a;
  const Type type = u->next->symbol->type;
  Tree *limit = tree_new(a, OP_LIMIT, type, (SourceRange){0}, 0), *all = NULL;
  limit->limit = LIMIT_HIGHEST;
  for (int i = 0; i < 2 * u->groups; i++) {
    Tree *size = tree_unary(a, OP_FABS, type, in(u, u->next, integer(u, (int64_t)i * PAIR)));
    Tree *one = build_compare(a, OP_LT, size, limit);
    all = all ? build_both(a, all, one) : one;
  }
  all = tree_unary(a, OP_ANY, TYPE_BOOL, tree_unary(a, OP_NOT, TYPE_BOOL, all));
  u->finite->symbol->name = lowering_name(u->l, "finite");
  lowering_add(u->l, build_declare(a, u->finite->symbol, tree_unary(a, OP_NOT, TYPE_BOOL, all)));
}

static void begin_made(const Realising *r, const UnitRows *u) {
  Tree *at = plus(u, made_across(r, u), number_of(r, u->element));
  lowering_add(u->l, build_assign(u->l->a, in(u, u->made, at), sum_at_hand(r, u)));
}

static void multiply(const Realising *r, const UnitRows *u, const NestValue *to) {
  const bool made = to == u->made;
  Tree *by = made ? in(u, u->triangle, times(u, number_of(r, u->across), UNIT_NEAR)) : in(u, u->ones, integer(u, 0));
  Tree *const kids[] = {in(u, to, made ? made_across(r, u) : sums_of_group(r, u)), in(u, u->part, integer(u, 0)), by};
  lowering_add(u->l, build_tree(u->l->a, OP_MULTIPLY, TYPE_VOID, kids, 3));
}

/* ---- the sum of all ---- */

static Tree *add_to(const UnitRows *u, Symbol *to, Tree *value) {
  Tree *add = build_assign(u->l->a, tree_ref(u->l->a, to), value);
  add->compound = OP_ADD;
  return add;
}

static void begin_total(const UnitRows *u) {
  Symbol *s = u->total->symbol;
  s->name = lowering_name(u->l, "total");
  lowering_add(u->l, build_declare(u->l->a, s, build_cast(u->l->a, s->type, integer(u, 0))));
}

/* Of a group's rows the two that the lane has. */
static void add_rows(const Realising *r, const UnitRows *u) {
  for (int half = 0; half < 2; half++) {
    Tree *sum = in(u, u->sums, plus(u, sums_of_group(r, u), integer(u, (int64_t)half * PAIR)));
    lowering_add(u->l, add_to(u, u->total->symbol, sum));
  }
}

/* Lanes that share a row have the same: those of other rows exchange. */
static void add_lanes(UnitRows *u) {
  enum { LANES = 32 };
  Symbol *total = u->total->symbol;
  for (int by = UNIT_LANES; by < LANES; by *= 2) {
    Tree *t = tree_binary(u->l->a, OP_SHUFFLE, total->type, tree_ref(u->l->a, total), integer(u, by));
    t->mode = SHUFFLE_XOR;
    lowering_add(u->l, add_to(u, total, t));
  }
  u->result->now = tree_ref(u->l->a, total);
}

/* The lanes that have the first column store it. */
static void store_sums(const Realising *r, const UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block b;
  Symbol *half = block_open_counted(l, &b, "half");
  Tree *row = build_mul(a, u->tile->at, build_index(a, (int64_t)u->groups * MATRIX_M));
  row = plus(u, plus(u, row, times(u, number_of(r, u->group), MATRIX_M)), times(u, tree_ref(a, half), UNIT_HALF));
  row = tree_ref(a, lowering_fixed(l, "row", TYPE_INDEX, plus(u, row, lane_row(u))));
  Tree *first = build_compare(a, OP_EQ, lane_column(u), integer(u, 0));
  Tree *exists = build_both(a, first, build_compare(a, OP_LT, row, u->rows));
  Tree *sum = in(u, u->sums, plus(u, sums_of_group(r, u), times(u, tree_ref(a, half), PAIR)));
  lowering_add(l, build_if(a, exists, build_assign(a, view_element(l, u->to, row), sum)));
  block_close_unrolled(l, &b, half, integer(u, 2));
}

/* What the lane has of a row: column q of its neighbours. */
typedef struct Store { Near to; Tree *half; Symbol *four; } Store;
static Tree *made_in_row(const UnitRows *u, const Store *x, Tree *q) {
  Tree *at = plus(u, times(u, over(u, q, PAIR), UNIT_SUMS), times(u, x->half, PAIR));
  return in(u, u->made, plus(u, at, modulo(u, q, PAIR)));
}

/* ---- exchanges ---- */

static Symbol *variable(const UnitRows *u, const char *name, Tree *value) {
  Symbol *s = symbol_new(u->l->a, SYMBOL_LOCAL, lowering_name(u->l, name), u->made->symbol->type);
  s->writable = true;
  lowering_add(u->l, build_declare(u->l->a, s, value));
  return s;
}

static Tree *from_lane_before(const UnitRows *u, Symbol *s, int by) {
  Tree *t = tree_binary(u->l->a, OP_SHUFFLE, s->type, tree_ref(u->l->a, s), integer(u, by));
  t->mode = SHUFFLE_UP;
  return tree_ref(u->l->a, variable(u, "before", t));
}

static Tree *add_if(const UnitRows *u, int lanes, Symbol *to, Tree *value) {
  return build_if(u->l->a, build_compare(u->l->a, OP_GE, lane_column(u), integer(u, lanes)), add_to(u, to, value));
}

/* A row's lanes scan the sums of what they have; then each its own neighbours, from there on. */
static void exchange(const Realising *r, const UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block b;
  Symbol *half = block_open_counted(l, &b, "half");
  const Store x = {.half = tree_ref(a, half)};
  Tree *near = plus(u, times(u, number_of(r, u->group), 2 * UNIT_NEAR), times(u, x.half, UNIT_NEAR));
  Symbol *total = variable(u, "total", zero(u, u->made));
  for (int q = 0; q < UNIT_NEAR; q++) {
    Tree *own = in(u, u->near, plus(u, near, integer(u, q)));
    Tree *add = build_assign(a, tree_ref(a, total), build_cast(a, total->type, own));
    add->compound = OP_ADD;
    lowering_add(l, add);
    lowering_add(l, build_assign(a, made_in_row(u, &x, integer(u, q)), tree_ref(a, total)));
  }
  for (int by = 1; by < UNIT_LANES; by *= 2) lowering_add(l, add_if(u, by, total, from_lane_before(u, total, by)));
  Symbol *first = variable(u, "first", in(u, u->sums, plus(u, sums_of_group(r, u), times(u, x.half, PAIR))));
  lowering_add(l, add_if(u, 1, first, from_lane_before(u, total, 1)));
  for (int q = 0; q < UNIT_NEAR; q++) {
    Tree *add = build_assign(a, made_in_row(u, &x, integer(u, q)), tree_ref(a, first));
    add->compound = OP_ADD;
    lowering_add(l, add);
  }
  block_close_unrolled(l, &b, half, integer(u, 2));
}

/* ---- rows to memory ---- */

static Tree *store_one(const UnitRows *u, Tree *q, void *what) {
  const Store *x = what;
  Arena *a = u->l->a;
  Tree *place = view_element(u->l, u->to, plus(u, x->to.at, q));
  return build_if(a, build_compare(a, OP_LT, q, x->to.left), build_assign(a, place, made_in_row(u, x, q)));
}

static Tree *collect_one(const UnitRows *u, Tree *q, void *what) {
  const Store *x = what;
  return build_assign(u->l->a, build_element(u->l->a, x->four, q), made_in_row(u, x, q));
}

static Tree *store_some(const UnitRows *u, Tree *q, void *what) {
  const Store *x = what;
  Arena *a = u->l->a;
  q = build_mul(a, q, per(u));
  Tree *const kids[] = {element_of(u, u->to, plus(u, x->to.at, q)), build_element(a, x->four, q)};
  Tree *move = build_tree(a, OP_STORE_WIDE, TYPE_VOID, kids, 2);
  move->move = WIDE_ALIGNED;
  return move;
}

static Tree *store_wide(const UnitRows *u, Store *x) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block all;
  block_open(l, &all);
  x->four = lowering_array(l, "row", u->made->symbol->type, integer(u, UNIT_NEAR));
  lowering_add(l, each(u, "q", integer(u, UNIT_NEAR), collect_one, x));
  lowering_add(l, each(u, "q", build_div(a, integer(u, UNIT_NEAR), per(u)), store_some, x));
  block_close(l, &all);
  return tree_seq(a, all.inner.at, all.inner.n);
}

static void store_rows(const Realising *r, const UnitRows *u, bool whole) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block b;
  Symbol *half = block_open_counted(l, &b, "half");
  Store x = {.to = near_of(r, u, tree_ref(a, half), whole ? NULL : view_size(l, u->to)), .half = tree_ref(a, half)};
  Tree *one = whole ? NULL : each(u, "q", integer(u, UNIT_NEAR), store_one, &x), *wide = u->wide[1];
  if (one && wide) wide = build_both(a, wide, build_compare(a, OP_GE, x.to.left, build_index(a, UNIT_NEAR)));
  Tree *some = wide ? store_wide(u, &x) : NULL;
  lowering_add(l, !some ? one : !one ? some : build_either(a, wide, some, one));
  block_close_unrolled(l, &b, half, integer(u, 2));
}

void unit_rows_write(Realising *r, const NestNode *n) {
  UnitRows *u = r->o->rows;
  const NestStage *s = n->stage;
  const NestValue *to = s->at.at[0].value, *from = s->at.n > 1 ? s->at.at[1].value : NULL;
  if (s->kind == STAGE_CODELET) multiply(r, u, to);
  else if (u->finite && to == u->finite) declare_finite(u);
  else if (u->total && to == u->total && s->kind == STAGE_FILL) begin_total(u);
  else if (u->total && to == u->total) add_rows(r, u);
  else if (u->result && to == u->result) add_lanes(u);
  else if (to == u->ones || to == u->triangle) fill_constant(r, u, to);
  else if (s->kind == STAGE_FILL) lowering_add(u->l, build_assign(u->l->a, sum_at_hand(r, u), zero(u, u->sums)));
  else if (to == u->near) load(r, u, from == u->whole);
  else if (to == u->part) take_part(r, u);
  else if (to == u->next || from == u->next) go_on(r, u, to, from);
  else if (to == u->made && from == u->near) exchange(r, u);
  else if (to == u->made) begin_made(r, u);
  else if (from == u->made) store_rows(r, u, to == u->whole_to);
  else store_sums(r, u);
}
