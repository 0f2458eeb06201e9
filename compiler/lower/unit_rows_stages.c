/* unit_rows_stages.c: the stages of rows that are multiplied by a constant (unit_rows.c): what a lane has of the
 * constants, of the rows, of their sums.
 *
 * Lane 4 * g + t has, of what a product gives, rows g and g + 8 in columns 2 * t and 2 * t + 1, and of its factors
 * these rows, and column g of the constant, in four places of the inner dimension (runtime/device/matrix.cuh). What the
 * unit takes to stand there are four of the lane's neighbours, of `near', which are as many products as there are
 * fours; and what it takes for columns 2 * t and 2 * t + 1 of products side by side are the lane's neighbours as well.
 *
 * Requires that realise.c says which iterations those are. Keeps the nest as it is. */
#include "lower/unit_rows_text.h"

static Symbol *variable(const UnitRows *u, const char *name, Type type, Tree *value) {
  Symbol *s = symbol_new(u->l->a, SYMBOL_LOCAL, lowering_name(u->l, name), type);
  s->writable = true;
  lowering_add(u->l, build_declare(u->l->a, s, value));
  return s;
}

/* ---- rows ---- */

/* A lane's neighbours of one row: the first one's place among the container's, and how many there are up to the row's
 * end; of rows that are anywhere: how many of them stand before the row, elements up to the container's end, which are
 * counted only where they are few; may what is before the row be read? */
typedef struct Near { Tree *at, *left, *skip, *room, *behind_begin; } Near;

static Tree *place_of(const UnitRows *u, Tree *row, Tree *column) {
  Tree *at = plus(u, build_mul(u->l->a, row, u->length), column);
  return u->lead ? plus(u, u->lead, at) : at;
}

/* A tile's first row that the lane has, its first column of a step. */
static Tree *first_row(const UnitRows *u) {
  Arena *a = u->l->a;
  return plus(u, build_mul(a, u->tile->at, u->tall), lane_row(u));
}

static Tree *first_column(const UnitRows *u) {
  return plus(u, build_mul(u->l->a, u->inner->at, u->step), times(u, lane_column(u), u->near));
}

Tree *unit_rows_first(const UnitRows *u) { return place_of(u, first_row(u), first_column(u)); }

Tree *unit_rows_ahead(const UnitRows *u) {
  enum { MANY = 1 << 30 };
  Tree *left = build_sub(u->l->a, u->length, first_column(u));
  return build_cast(u->l->a, TYPE_INT, build_min(u->l->a, left, build_index(u->l->a, MANY)));
}

Tree *unit_rows_within(const UnitRows *u) {
  Arena *a = u->l->a;
  Tree *size = view_size(u->l, u->from);
  Tree *one = build_index(a, 1), *k = u->inner->at, *none = build_index(a, 0);
  Tree *behind = build_both(a, build_compare(a, OP_EQ, u->slack, none), build_compare(a, OP_EQ, k, none));
  behind = tree_binary(a, OP_LOR, TYPE_BOOL, build_compare(a, OP_GT, k, none), behind);
  Tree *before = build_compare(a, OP_LE, build_mul(a, build_add(a, k, one), u->step), u->length);
  Tree *rows = build_mul(a, build_add(a, u->tile->at, one), u->tall);
  return build_both(a, build_both(a, behind, before), build_compare(a, OP_LE, build_mul(a, rows, u->length), size));
}

Tree *unit_rows_left(const UnitRows *u) {
  return build_cast(u->l->a, TYPE_INT, build_min(u->l->a, build_sub(u->l->a, u->there, first_row(u)), u->tall));
}

/* How much further down, and to the right, it is of a group, and of its lower half. */
static Tree *group_row(const Realising *r, const UnitRows *u, Tree *half) {
  Tree *group = build_div(u->l->a, iterations_number(r, u->group), u->beside);
  if (u->folded) return times(u, group, UNIT_HALF);
  return plus(u, times(u, group, MATRIX_M), times(u, half, UNIT_HALF));
}

static Tree *group_column(const Realising *r, const UnitRows *u) {
  return times(u, beside_of(r, u), u->span);
}

/* Elements of a container behind a row of a tile: of all but its last two at least as many as are read at once. */
static Tree *elements_behind(const UnitRows *u, Tree *down, RowsOf of) {
  Arena *a = u->l->a;
  Tree *more = integer(u, u->near);
  for (int i = 1; i >= 0; i--) {
    Tree *is_that = build_compare(a, OP_EQ, down, build_sub(a, u->rows_left->now, integer(u, i + 1)));
    more = build_choice(a, is_that, u->behind[of][i], more);
  }
  return fixed(u, "more", TYPE_INT, more);
}

/* .. of rows that are anywhere. What differs from row to row are a few bits, and small numbers. */
static Near near_anywhere(const Realising *r, const UnitRows *u, Tree *half, RowsOf of) {
  Arena *a = u->l->a;
  Near x = {0};
  Tree *down = fixed(u, "down", TYPE_INT, group_row(r, u, half)), *right = group_column(r, u);
  Tree *at = plus(u, plus(u, u->first->now, build_mul(a, down, u->length)), right);
  Tree *left = build_sub(a, u->ahead->now, right);
  if (u->shift) {
    Tree *from = plus(u, build_mul(a, plus(u, first_row(u), down), u->length), u->shift);
    from = tree_binary(a, OP_AND, TYPE_INT, build_cast(a, TYPE_INT, from), integer(u, u->near - 1));
    Tree *behind = fixed(u, "behind", TYPE_INT, from), *is_first = build_compare(a, OP_EQ, right, integer(u, 0));
    at = build_sub(a, at, behind);
    left = plus(u, left, behind);
    is_first = build_both(a, is_first, build_compare(a, OP_EQ, first_column(u), build_index(a, 0)));
    if (!u->whole) x.skip = fixed(u, "skip", TYPE_INT, build_choice(a, is_first, behind, integer(u, 0)));
    x.behind_begin = build_compare(a, OP_GT, plus(u, down, right), integer(u, 0));
    x.behind_begin = tree_binary(a, OP_LOR, TYPE_BOOL, x.behind_begin, is_from(u, u->first->now, behind));
  }
  x.at = fixed(u, "at", TYPE_INDEX, at);
  if (u->whole) return x;
  Tree *exists = build_compare(a, OP_LT, down, u->rows_left->now);
  x.left = fixed(u, "left", TYPE_INT, build_choice(a, exists, left, integer(u, 0)));
  x.room = fixed(u, "room", TYPE_INT, plus(u, x.left, elements_behind(u, down, of)));
  return x;
}

/* Of the group's rows the lane's first, or the one half of them further down; its columns of this step, of a container
 * of so many elements. */
static Near near_of(const Realising *r, const UnitRows *u, Tree *half, RowsOf of) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Near x = {0};
  if (u->anywhere) return near_anywhere(r, u, half, of);
  Tree *row = group_row(r, u, half), *column = group_column(r, u);
  if (u->whole) {
    Tree *at = plus(u, plus(u, u->first->now, build_mul(a, row, u->length)), column);
    x.at = tree_ref(a, lowering_fixed(l, "at", TYPE_INDEX, at));
    return x;
  }
  row = tree_ref(a, lowering_fixed(l, "row", TYPE_INDEX, plus(u, first_row(u), row)));
  column = tree_ref(a, lowering_fixed(l, "column", TYPE_INDEX, plus(u, first_column(u), column)));
  x.at = tree_ref(a, lowering_fixed(l, "at", TYPE_INDEX, place_of(u, row, column)));
  Tree *size = view_size(l, of == OF_FROM ? u->from : u->to);
  Tree *left = build_min(a, build_sub(a, u->length, column), build_sub(a, size, x.at));
  left = build_choice(a, build_compare(a, OP_LT, row, u->many), left, build_index(a, 0));
  x.left = tree_ref(a, lowering_fixed(l, "left", TYPE_INDEX, left));
  return x;
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

/* Is that one of them there? Are all? */
static Tree *is_there(const UnitRows *u, const Near *x, Tree *q) {
  Arena *a = u->l->a;
  Tree *there = build_compare(a, OP_LT, q, x->left);
  if (x->skip) there = build_both(a, there, is_from(u, q, x->skip));
  return x->room ? build_both(a, there, build_compare(a, OP_LT, q, x->room)) : there;
}

static Tree *are_there(const UnitRows *u, const Near *x) {
  Arena *a = u->l->a;
  Tree *there = is_from(u, x->left, build_cast(a, x->left->type, integer(u, u->near)));
  if (x->skip) there = build_both(a, there, build_compare(a, OP_EQ, x->skip, integer(u, 0)));
  return x->room ? build_both(a, there, is_from(u, x->room, integer(u, u->near))) : there;
}

/* One by one, those that are there. */
static Tree *load_one(const UnitRows *u, Tree *q, void *what) {
  const Load *x = what;
  Arena *a = u->l->a;
  Tree *at = plus(u, x->from.at, q), *element = element_of(u, u->from, at);
  Tree *there = is_there(u, &x->from, q);
  return build_assign(a, in(u, u->near_by, plus(u, x->to, q)), build_choice(a, there, element, zero(u, u->near_by)));
}

/* All at once, 16 bytes at a time; where doubles have a lane's neighbours too, a stored one's as many elements. */
static bool by_elements(const UnitRows *u) { return u->products == 1 && u->near_by->symbol->type == TYPE_STORED; }

static Tree *per_load(const UnitRows *u) {
  return build_width(u->l->a, by_elements(u) ? u->product->from->type : u->near_by->symbol->type);
}

static Tree *load_some(const UnitRows *u, Tree *q, void *what) {
  const Load *x = what;
  Arena *a = u->l->a;
  q = build_mul(a, q, per_load(u));
  Tree *const kids[] = {in(u, u->near_by, plus(u, x->to, q)), element_of(u, u->from, plus(u, x->from.at, q))};
  Tree *move = build_tree(a, OP_LOAD_WIDE, TYPE_VOID, kids, 2);
  move->move = by_elements(u) ? WIDE_ROW : WIDE_ALIGNED;
  return move;
}

static Tree *near_from(const Realising *r, const UnitRows *u, Tree *half) {
  if (u->folded) return times(u, iterations_number(r, u->group), u->near);
  return plus(u, times(u, iterations_number(r, u->group), 2 * u->near), times(u, half, u->near));
}

/* Are some of them the row's, and all the container's, so that they may be read at once? */
static Tree *may_be_read(const UnitRows *u, const Near *x) {
  Arena *a = u->l->a;
  Tree *within = build_both(a, x->behind_begin, is_from(u, x->room, integer(u, u->near)));
  return build_both(a, build_compare(a, OP_GT, x->left, integer(u, 0)), within);
}

static Tree *load_near(const UnitRows *u, const Load *x, Tree *there) {
  Tree *const kids[] = {integer(u, u->near), in(u, u->near_by, x->to), element_of(u, u->from, x->from.at), there};
  return build_tree(u->l->a, OP_LOAD_NEAR, TYPE_VOID, kids, 4);
}

/* Bytes stay words. */
static Tree *load_all(const UnitRows *u, Load *x) {
  Arena *a = u->l->a;
  if (u->l->plan->spectrum->broadest == 1) return load_near(u, x, tree_int(a, TYPE_BOOL, 1));
  return each(u, "q", build_div(a, integer(u, u->near), per_load(u)), load_some, x);
}

/* A lane's neighbours, of two rows: at once, where they are there and wide. */
static void load(const Realising *r, const UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block b;
  Symbol *half = block_open_counted(l, &b, "half");
  Load x = {.from = near_of(r, u, tree_ref(a, half), OF_FROM)};
  x.to = near_from(r, u, tree_ref(a, half));
  Tree *many = integer(u, u->near);
  if (x.from.skip) lowering_add(l, load_near(u, &x, may_be_read(u, &x.from)));
  else if (u->whole) lowering_add(l, load_all(u, &x));
  else {
    Tree *some = u->lead ? load_all(u, &x) : NULL;
    Tree *one = each(u, "q", many, load_one, &x);
    lowering_add(l, some ? build_either(a, are_there(u, &x.from), some, one) : one);
  }
  block_close_unrolled(l, &b, half, integer(u, u->folded ? 1 : 2));
}

/* What is of the row before, or of the next one, is 0; what could not be read at once is read. */
static void clear_others(const Realising *r, const UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block b;
  Symbol *half = block_open_counted(l, &b, "half");
  const Near x = near_of(r, u, tree_ref(a, half), OF_FROM);
  Tree *fewer = build_compare(a, OP_LT, x.left, x.room), *end = build_choice(a, fewer, x.left, x.room);
  Tree *const kids[] = {integer(u, u->near), in(u, u->near_by, near_from(r, u, tree_ref(a, half))),
                        element_of(u, u->from, x.at), x.skip, end, may_be_read(u, &x)};
  lowering_add(l, build_tree(a, OP_KEEP_NEAR, TYPE_VOID, kids, 6));
  block_close_unrolled(l, &b, half, integer(u, 2));
}

static void take_part(const Realising *r, const UnitRows *u) {
  Tree *four = plus(u, times(u, iterations_number(r, u->group), 2 * u->near),
                    times(u, iterations_number(r, u->product_of), UNIT_FOUR));
  Tree *const kids[] = {in(u, u->part, integer(u, 0)), in(u, u->near_by, four), integer(u, u->near)};
  lowering_add(u->l, build_tree(u->l->a, OP_PART_OF_A, TYPE_VOID, kids, 3));
}

/* ---- sums ---- */

/* Where a group's sums begin; where one of two products' does. */
static Tree *sums_of_group(const Realising *r, const UnitRows *u) {
  return times(u, iterations_number(r, u->group), UNIT_SUMS);
}

static Tree *made_across(const Realising *r, const UnitRows *u) {
  return times(u, iterations_number(r, u->across), UNIT_SUMS);
}

static Tree *sum_at_hand(const Realising *r, const UnitRows *u) {
  return in(u, u->sums, plus(u, sums_of_group(r, u), iterations_number(r, u->element)));
}

/* What stands before a group of a row: what the group to the left gives in this step; before the first one, what the
 * last one gave in the step before. */
static Tree *before_group(const Realising *r, const UnitRows *u, Tree *element) {
  Arena *a = u->l->a;
  Tree *g = iterations_number(r, u->group), *first = beside_of(r, u);
  Tree *last = build_sub(a, plus(u, g, u->beside), integer(u, 1)), *left = build_sub(a, g, integer(u, 1));
  Tree *was = in(u, u->sums, plus(u, times(u, last, UNIT_SUMS), element));
  Tree *is = in(u, u->next, plus(u, times(u, left, UNIT_SUMS), element));
  return build_choice(a, build_compare(a, OP_EQ, first, integer(u, 0)), was, is);
}

/* .. of element j of the group's span, if that goes on with the same row. */
static Tree *before_element(const Realising *r, const UnitRows *u, Tree *element, Tree *j) {
  Arena *a = u->l->a;
  Tree *before = before_group(r, u, element);
  if (!u->border) return before;
  Tree *border = in(u, u->border, beside_of(r, u));
  Tree *one = build_compare(a, OP_EQ, u->together, integer(u, 1));
  Tree *goes_on = tree_binary(a, OP_LOR, TYPE_BOOL, one, build_compare(a, OP_LT, j, border));
  return build_choice(a, goes_on, before, zero(u, u->sums));
}

static void begin_next(const Realising *r, const UnitRows *u) {
  Tree *element = iterations_number(r, u->element), *to = in(u, u->next, plus(u, sums_of_group(r, u), element));
  lowering_add(u->l, build_assign(u->l->a, to, before_element(r, u, element, integer(u, u->span - 1))));
}

/* A group's sums as they were, once the step is done. */
static void go_on(const Realising *r, const UnitRows *u) {
  Tree *at = plus(u, sums_of_group(r, u), iterations_number(r, u->element));
  lowering_add(u->l, build_assign(u->l->a, in(u, u->sums, at), in(u, u->next, at)));
}

static Tree *is_finite(const UnitRows *u, Tree *x) {
  x = as_total(u, x);
  Tree *limit = tree_new(u->l->a, OP_LIMIT, x->type, (SourceRange){0}, 0);
  limit->limit = LIMIT_HIGHEST;
  return build_compare(u->l->a, OP_LT, tree_unary(u->l->a, OP_FABS, x->type, x), limit);
}

/* The lane's two rows of each group, of all lanes; of sums that have a column each, all that it has, if there are
 * several columns. */
static void declare_finite(const UnitRows *u, const NestValue *sums) {
  Lowering *l = u->l;
  Arena *a = l->a;
  const bool apart = sums == u->sums;
  Symbol *own = variable(u, "own_finite", TYPE_BOOL, tree_int(a, TYPE_BOOL, 1));
  Block b;
  Symbol *q = block_open_counted(l, &b, "q");
  Tree *at = apart ? tree_ref(a, q) : times(u, tree_ref(a, q), PAIR);
  if (u->folded) at = plus(u, times(u, over(u, at, PAIR), UNIT_SUMS), modulo(u, at, PAIR));
  lowering_add(l, build_assign(a, tree_ref(a, own), build_both(a, tree_ref(a, own), is_finite(u, in(u, sums, at)))));
  block_close_unrolled(l, &b, q, build_mul(a, u->groups, integer(u, apart && !u->folded ? UNIT_SUMS : PAIR)));
  Tree *any = tree_unary(a, OP_NOT, TYPE_BOOL, tree_ref(a, own));
  if (apart) any = build_both(a, build_compare(a, OP_GT, u->together, build_index(a, 1)), any);
  u->finite->symbol->name = lowering_name(l, "finite");
  any = tree_unary(a, OP_ANY, TYPE_BOOL, any);
  lowering_add(l, build_declare(a, u->finite->symbol, tree_unary(a, OP_NOT, TYPE_BOOL, any)));
}

static void begin_made(const Realising *r, const UnitRows *u) {
  Tree *at = plus(u, made_across(r, u), iterations_number(r, u->element));
  Tree *element = iterations_number(r, u->element), *j = times(u, lane_column(u), u->near);
  j = plus(u, plus(u, j, times(u, iterations_number(r, u->across), PAIR)), modulo(u, element, PAIR));
  lowering_add(u->l, build_assign(u->l->a, in(u, u->made, at), before_element(r, u, element, j)));
}

static void multiply(const Realising *r, const UnitRows *u, const NestValue *to) {
  const bool made = to == u->made;
  Tree *four = u->folded ? NULL : times(u, iterations_number(r, u->product_of), UNIT_FOUR);
  if (made) four = plus(u, times(u, iterations_number(r, u->across), u->near), four);
  else if (u->column) four = plus(u, times(u, beside_of(r, u), u->near), four);
  Tree *by = in(u, made ? u->triangle : u->ones, u->folded ? integer(u, 0) : four);
  Tree *part = u->folded ? in(u, u->near_by, near_from(r, u, NULL)) : in(u, u->part, integer(u, 0));
  Tree *const kids[] = {in(u, to, made ? made_across(r, u) : sums_of_group(r, u)), part, by};
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
  Arena *a = u->l->a;
  Tree *is = build_cast(a, s->type, integer(u, 0)), *own = lane_row(u);
  Tree *first = build_cast(a, s->type, element_of(u, u->from, own));
  if (u->lead) is = build_choice(a, build_compare(a, OP_LT, own, u->lead), first, is);
  lowering_add(u->l, build_declare(a, s, is));
}

/* Of a group's rows the two that the lane has. */
static void add_rows(const Realising *r, const UnitRows *u) {
  for (int half = 0; half < 2; half++) {
    Tree *sum = in(u, u->sums, plus(u, sums_of_group(r, u), integer(u, (int64_t)half * PAIR)));
    lowering_add(u->l, add_to(u, u->total->symbol, as_total(u, sum)));
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

/* The two of the unit's rows that are one. */
static void fold_sums(const Realising *r, const UnitRows *u) {
  for (int e = 0; e < PAIR; e++) {
    Tree *to = in(u, u->sums, plus(u, sums_of_group(r, u), integer(u, e)));
    Tree *add = build_assign(u->l->a, to, in(u, u->sums, plus(u, sums_of_group(r, u), integer(u, PAIR + e))));
    add->compound = OP_ADD;
    lowering_add(u->l, add);
  }
}

/* A row's sum: of all groups side by side. */
static Symbol *sum_of_row(const Realising *r, const UnitRows *u, Tree *element) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block b;
  Tree *first = in(u, u->sums, plus(u, sums_of_group(r, u), element));
  Symbol *sum = variable(u, "sum", total_type(u), as_total(u, first));
  Symbol *q = block_open_counted(l, &b, "next");
  Tree *next = plus(u, plus(u, iterations_number(r, u->group), tree_ref(a, q)), integer(u, 1));
  lowering_add(l, add_to(u, sum, as_total(u, in(u, u->sums, plus(u, times(u, next, UNIT_SUMS), element)))));
  block_close_unrolled(l, &b, q, build_sub(a, u->beside, integer(u, 1)));
  return sum;
}

Tree *unit_rows_has_columns(const UnitRows *u) {
  return build_compare(u->l->a, OP_LT, times(u, lane_column(u), PAIR), u->together);
}

/* The lanes that have the first columns store them, of the first of groups side by side. */
static void store_sums(const Realising *r, const UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block all, b, c;
  block_open(l, &all);
  Tree *first = times(u, lane_column(u), PAIR);
  Symbol *half = block_open_counted(l, &b, "half");
  Tree *at = plus(u, build_mul(a, first_row(u), u->together), first);
  at = plus(u, at, build_mul(a, group_row(r, u, tree_ref(a, half)), u->together));
  at = tree_ref(a, lowering_fixed(l, "rows_from", TYPE_INDEX, at));
  Symbol *pair = block_open_counted(l, &c, "e");
  Symbol *sum = sum_of_row(r, u, plus(u, times(u, tree_ref(a, half), PAIR), tree_ref(a, pair)));
  Tree *row = plus(u, at, tree_ref(a, pair));
  Tree *exists = build_compare(a, OP_LT, plus(u, first, tree_ref(a, pair)), u->together);
  if (!u->whole) exists = build_both(a, exists, build_compare(a, OP_LT, row, u->rows));
  lowering_add(l, build_if(a, exists, build_assign(a, view_element(l, u->to, row), tree_ref(a, sum))));
  block_close_unrolled(l, &c, pair, integer(u, PAIR));
  block_close_unrolled(l, &b, half, integer(u, u->folded ? 1 : 2));
  Tree *is_first = beside_of(r, u);
  is_first = build_compare(a, OP_EQ, is_first, integer(u, 0));
  block_close_guarded(l, &all, u->folded ? is_first : build_both(a, is_first, unit_rows_has_columns(u)));
}

/* A product adds an element to all columns, times 0 to those of the rows beside it, and 0 * infinity is no number: of a
 * tile's rows that are none, a lane adds up one by itself. */
static void add_again(const UnitRows *u) {
  enum { LANES = 32 };
  Lowering *l = u->l;
  Arena *a = l->a;
  Block rows, row, b;
  Tree *barrier = tree_new(a, OP_BARRIER, TYPE_VOID, (SourceRange){0}, 0);
  barrier->scope = SCOPE_WARP;
  lowering_add(l, barrier);
  Tree *many = build_mul(a, u->tall, u->together);
  Tree *first = tree_ref(a, lowering_fixed(l, "first_row", TYPE_INDEX, build_mul(a, u->tile->at, many)));
  Symbol *turn = block_open_counted(l, &rows, "i");
  Tree *own = plus(u, build_lane(a, OP_LANE), times(u, tree_ref(a, turn), LANES));
  Tree *at = tree_ref(a, lowering_fixed(l, "row", TYPE_INDEX, plus(u, first, own)));
  Tree *to = view_element(l, u->to, at), *none = tree_unary(a, OP_NOT, TYPE_BOOL, is_finite(u, to));
  block_open(l, &row);
  Symbol *sum = variable(u, "sum", total_type(u), build_cast(a, total_type(u), integer(u, 0)));
  Tree *begin = tree_ref(a, lowering_fixed(l, "begin", TYPE_INDEX, build_mul(a, at, u->columns)));
  Symbol *q = block_open_counted(l, &b, "q");
  Tree *element = element_of(u, u->from, plus(u, begin, tree_ref(a, q)));
  lowering_add(l, add_to(u, sum, build_cast(a, sum->type, element)));
  block_close_counted(l, &b, q, build_min(a, u->columns, build_sub(a, view_size(l, u->from), begin)), UNROLL_NONE);
  lowering_add(l, build_assign(a, view_element(l, u->to, at), tree_ref(a, sum)));
  Tree *exists = build_both(a, build_compare(a, OP_LT, own, many), build_compare(a, OP_LT, at, u->rows));
  block_close_guarded(l, &row, build_both(a, exists, none));
  block_close_counted(l, &rows, turn, build_ceil_div(a, many, integer(u, LANES)), UNROLL_NONE);
}

/* What the lane has of a row: column q of its neighbours. */
typedef struct Store { Near to; Tree *half; Symbol *four; } Store;
static Tree *made_in_row(const UnitRows *u, const Store *x, Tree *q) {
  Tree *at = plus(u, times(u, over(u, q, PAIR), UNIT_SUMS), times(u, x->half, PAIR));
  return in(u, u->made, plus(u, at, modulo(u, q, PAIR)));
}

/* ---- exchanges ---- */

static Tree *exchanged(const UnitRows *u, Symbol *s, ShuffleMode mode, Tree *by) {
  Tree *t = tree_binary(u->l->a, OP_SHUFFLE, s->type, tree_ref(u->l->a, s), by);
  t->mode = mode;
  return t;
}

/* The lane's neighbours, added up from `first' on, or from where a row begins among them: which of its elements is at
 * hand is counted. */
static void add_up(const Realising *r, const UnitRows *u, const Store *x, Symbol *total) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Tree *near = near_from(r, u, x->half), *span = unit_rows_span_from(u, beside_of(r, u));
  span = tree_binary(a, OP_REM, TYPE_INT, plus(u, span, constant_row(u, integer(u, 0))), u->period);
  Symbol *place = variable(u, "place", TYPE_INT, span);
  Tree *several = build_compare(a, OP_GT, u->together, build_index(a, 1)), *at = tree_ref(a, place);
  Tree *begins = build_both(a, several, build_compare(a, OP_EQ, at, integer(u, 0)));
  Tree *zero = build_cast(a, total->type, integer(u, 0));
  for (int q = 0; q < u->near; q++) {
    lowering_add(l, build_if(a, begins, build_assign(a, tree_ref(a, total), zero)));
    lowering_add(l, add_to(u, total, build_cast(a, total->type, in(u, u->near_by, plus(u, near, integer(u, q))))));
    lowering_add(l, build_assign(a, made_in_row(u, x, integer(u, q)), tree_ref(a, total)));
    Tree *next = plus(u, at, integer(u, 1)), *ends = build_compare(a, OP_EQ, next, u->period);
    if (q + 1 < u->near) lowering_add(l, build_assign(a, at, build_choice(a, ends, integer(u, 0), next)));
  }
}

/* A row's lanes one after another go on with what the one before has: after as many iterations as they are all have. */
static void exchange(const Realising *r, const UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block b, turns;
  Symbol *half = block_open_counted(l, &b, "half");
  const Store x = {.half = tree_ref(a, half)};
  Tree *element = times(u, x.half, PAIR), *own = lane_column(u);
  Symbol *first = variable(u, "first", total_type(u), as_total(u, before_group(r, u, element)));
  Symbol *total = variable(u, "total", total_type(u), build_cast(a, total_type(u), integer(u, 0)));
  Symbol *turn = block_open_counted(l, &turns, "turn");
  lowering_add(l, build_assign(a, tree_ref(a, total), tree_ref(a, first)));
  add_up(r, u, &x, total);
  Symbol *before = variable(u, "before", total->type, exchanged(u, total, SHUFFLE_UP, integer(u, 1)));
  Tree *follows = build_compare(a, OP_GT, own, integer(u, 0));
  lowering_add(l, build_if(a, follows, build_assign(a, tree_ref(a, first), tree_ref(a, before))));
  block_close_counted(l, &turns, turn, integer(u, UNIT_LANES), UNROLL_NONE);
  Tree *lane = tree_binary(a, OP_OR, TYPE_INT, build_lane(a, OP_LANE), integer(u, UNIT_LANES - 1));
  Symbol *all = variable(u, "all", total->type, exchanged(u, total, SHUFFLE_INDEX, lane));
  for (int e = 0; e < PAIR; e++) {
    Tree *to = in(u, u->next, plus(u, sums_of_group(r, u), plus(u, element, integer(u, e))));
    lowering_add(l, build_assign(a, to, tree_ref(a, all)));
  }
  block_close_unrolled(l, &b, half, integer(u, 2));
}

/* ---- rows to memory ---- */

static Tree *store_one(const UnitRows *u, Tree *q, void *what) {
  const Store *x = what;
  Arena *a = u->l->a;
  Tree *place = view_element(u->l, u->to, plus(u, x->to.at, q));
  return build_if(a, is_there(u, &x->to, q), build_assign(a, place, made_in_row(u, x, q)));
}

static Tree *collect_one(const UnitRows *u, Tree *q, void *what) {
  const Store *x = what;
  return build_assign(u->l->a, build_element(u->l->a, x->four, q), made_in_row(u, x, q));
}

static Tree *store_some(const UnitRows *u, Tree *q, void *what) {
  const Store *x = what;
  Arena *a = u->l->a;
  q = build_mul(a, q, build_width(a, total_type(u)));
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
  x->four = lowering_array(l, "row", total_type(u), integer(u, u->near));
  lowering_add(l, each(u, "q", integer(u, u->near), collect_one, x));
  Tree *stores = build_div(a, integer(u, u->near), build_width(a, total_type(u)));
  lowering_add(l, each(u, "q", stores, store_some, x));
  block_close(l, &all);
  return tree_seq(a, all.inner.at, all.inner.n);
}

static void store_rows(const Realising *r, const UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Block b;
  Symbol *half = block_open_counted(l, &b, "half");
  Store x = {.to = near_of(r, u, tree_ref(a, half), OF_TO), .half = tree_ref(a, half)};
  Tree *one = u->whole ? NULL : each(u, "q", integer(u, u->near), store_one, &x), *wide = u->wide[1];
  if (one && wide) wide = build_both(a, wide, are_there(u, &x.to));
  Tree *some = wide ? store_wide(u, &x) : NULL;
  lowering_add(l, !some ? one : !one ? some : build_either(a, wide, some, one));
  block_close_unrolled(l, &b, half, integer(u, 2));
}

void unit_rows_write(Realising *r, const NestNode *n) {
  UnitRows *u = r->o->rows;
  const NestStage *s = n->stage;
  const NestValue *to = s->at.at[0].value, *from = s->at.n > 1 ? s->at.at[1].value : NULL;
  if (s->kind == STAGE_CODELET) multiply(r, u, to);
  else if (u->finite && to == u->finite) declare_finite(u, from);
  else if (u->total && to == u->total && s->kind == STAGE_FILL) begin_total(u);
  else if (u->total && to == u->total) add_rows(r, u);
  else if (u->result && to == u->result) add_lanes(u);
  else if (to == u->ones || to == u->triangle || (u->border && to == u->border)) unit_rows_fill(r, u, n);
  else if (s->kind == STAGE_FILL && to == u->near_by) clear_others(r, u);
  else if (s->kind == STAGE_COMBINE) fold_sums(r, u);
  else if (s->kind == STAGE_FILL) lowering_add(u->l, build_assign(u->l->a, sum_at_hand(r, u), zero(u, u->sums)));
  else if (from == u->memory && to != u->near_by) add_again(u);
  else if (to == u->near_by) load(r, u);
  else if (to == u->part) take_part(r, u);
  else if (u->next && to == u->next) begin_next(r, u);
  else if (u->next && from == u->next) go_on(r, u);
  else if (to == u->made && from == u->near_by) exchange(r, u);
  else if (to == u->made) begin_made(r, u);
  else if (from == u->made) store_rows(r, u);
  else store_sums(r, u);
}
