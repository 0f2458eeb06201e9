/* unit_rows.c: rows of a container, times a constant matrix, by a warp's matrix unit (front/row_product.c):
 *
 *     constants                   a lane's elements of them, computed from where they stand: no memory has them
 *     loop over tiles of rows     groups of MATRIX_M
 *       sums = 0                  fragments of what the rows give so far
 *       loop over their elements  a step at once
 *         copies                  from memory to registers: a lane has neighbours of two rows of each group
 *         products                sums += rows ones
 *       to memory                 of ones, from the lanes that have the first columns
 *     the same                    of what is left, rows of any length: what is there is asked for each
 *
 * and of a triangle, in place of these products
 *
 *         products                next = sums + rows ones: each column has the sum of the whole row
 *         products                of each group: made = sums + rows triangle, where next is finite; else
 *         exchanges               made = sums + what lanes have, added up from lane to lane: a product adds an element
 *                                 to all columns, to those before it times 0, and 0 * infinity is no number
 *         to memory
 *         sums = next
 *
 * and of all elements, which are rows of a step, sums go on from tile to tile, and behind these
 *
 *     total = sums                of a lane's rows
 *     exchanges                   total += that of other lanes
 *
 * The order of a row's elements within a product is of no matter, as long as the constant has the same: so a lane has
 * neighbours, 16 bytes of elements of two, which are two products, and loads them at once where they lie at a multiple
 * of their size. The columns of a triangle are in an order, too, in which a lane's are neighbours. Behind a row's last
 * element there are zeros, which add nothing; rows that are not there are zeros, too, and are not stored.
 *
 * A step has four groups. Of long rows they lie side by side, so that what a warp loads of a row is one piece of memory
 * of up to 256 bytes: how many is tuned. Short rows are packed: several are one row of the unit, are multiplied by ones
 * of a column each, and are scanned by a triangle each. Where such rows are not finite, lanes add up those by
 * themselves.
 *
 * Whole tiles have rows of whole steps that begin at multiples of 16 bytes; packed rows are one step. Other rows may
 * begin and end anywhere: a lane begins at the multiple of 16 bytes before the row's first element, and what of its
 * neighbours is of another row becomes 0. Constants of packed rows differ from step to step, but not from row to row of
 * the unit, since those have a length that is a multiple of a lane's neighbours.
 *
 * Requires a codelet with `rows', containers in memory, and a warp. Keeps each row's sums, up to their order. */
#include "lower/unit_rows.h"

/* Lanes of a multiprocessor, whose loads keep the memory busy. ptxas takes registers else, for what is computed of each
 * row, until there are half as many. */
enum { RESIDENT_LANES = 512 };

static Tree *plus_one(const UnitRows *u, Tree *x) { return build_add(u->l->a, x, integer(u, 1)); }

/* Are sums whole numbers? Then each is one, and 0 times an element is nothing. */
static bool is_exact(const UnitRows *u) { return u->l->plan->spectrum->broadest == 1; }

static bool is_triangle(const UnitRows *u) { return u->product->by == CONSTANT_TRIANGLE; }

/* What is multiplied at once. A triangle has more products and registers for each group: a step has one row of them.
 * Not of doubles: with fewer than four products at a time ptxas 13.0 goes on before their sums are there. */
static UnitRows unit_of(Lowering *l, const RowProduct *p) {
  UnitRows u = {.l = l, .product = p, .span = plan_unit_span(l->plan->spectrum)};
  u.products = u.span / MATRIX_K;
  u.near = u.span / UNIT_LANES;
  u.step = p->to ? lowering_tunable(l, plan_unit_name) : integer(&u, u.span);
  u.beside = build_div(l->a, u.step, integer(&u, u.span));
  u.groups = is_triangle(&u) && u.products > 1 ? u.beside : integer(&u, UNIT_GROUPS);
  u.tall = build_mul(l->a, build_index(l->a, MATRIX_M), build_div(l->a, u.groups, u.beside));
  return u;
}

/* Of the sum of all, whose order is of no matter: rows of one step, side by side. */
static void shape_of_all(UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  const View *v = u->from;
  Tree *size = view_size(l, u->from);
  if (build_is(v->step, 1)) {
    Tree *first = build_element(a, v->source.base, view_in_base(l, v, v->begin));
    Tree *behind = tree_binary(a, OP_REM, TYPE_INDEX, tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first),
                               build_index(a, u->near));
    u->lead = lowering_size(l, "lead", build_min(a, behind, size));
    size = build_sub(a, size, u->lead);
  }
  u->columns = u->length = build_index(a, u->span);
  u->rows = u->many = lowering_size(l, "rows", build_ceil_div(a, size, u->length));
}

/* Of how many columns is the matrix, by the codelet's text? */
static Tree *columns_of(Lowering *l, const Codelet *c, const Arguments *in, const Place *p) {
  const Tree *declare = c->plain.body;
  while (declare->op == OP_SEQ) declare = declare->kid[0];
  Environment e = inline_environment(l, c, in, c->plain.body, p);
  return inline_expression(l, &e, declare->kid[0]);
}

/* By how many rows are one of the unit, in which they have a column each: as many as fill a span, where they are short,
 * or where a scan of single ones would store much of them element by element. A row of the unit is a multiple of what a
 * lane has. */
static Tree *together_of(const UnitRows *u, Tree *columns) {
  enum { SHORT = 8 };
  Arena *a = u->l->a;
  Tree *lowest = tree_binary(a, OP_AND, TYPE_INDEX, columns, tree_unary(a, OP_NEG, TYPE_INDEX, columns));
  lowest = build_max(a, build_min(a, lowest, build_index(a, u->span)), build_index(a, 1));
  Tree *made = build_min(a, build_div(a, build_index(a, u->span), lowest), build_index(a, MATRIX_N));
  Tree *is_short = build_compare(a, OP_LT, columns, build_index(a, SHORT * u->span));
  if (is_triangle(u)) { /* .. unless it would store none so, since they are multiples of what a lane has */
    Tree *rest = tree_binary(a, OP_REM, TYPE_INDEX, columns, build_index(a, u->near));
    Tree *less = build_compare(a, OP_LT, columns, build_index(a, u->span));
    less = tree_binary(a, OP_LOR, TYPE_BOOL, less, build_compare(a, OP_NE, rest, build_index(a, 0)));
    is_short = build_both(a, is_short, less);
  }
  return build_choice(a, is_short, made, build_index(a, 1));
}

/* Rows of the unit: `together' is a power of two, by which nobody divides. */
static Tree *rows_of_unit(const UnitRows *u) {
  Arena *a = u->l->a;
  Tree *made = u->rows;
  for (int n = 2; n <= MATRIX_N; n *= 2)
    made = build_choice(a, build_compare(a, OP_EQ, u->together, integer(u, n)),
                        build_ceil_div(a, u->rows, build_index(a, n)), made);
  return made;
}

/* What the codelet's text says of its matrix: its columns, no more of them than there are elements; its rows. */
static void shape(UnitRows *u, const Codelet *c, const Arguments *in, const Place *p) {
  Lowering *l = u->l;
  Arena *a = l->a;
  u->columns = lowering_size(l, "columns", columns_of(l, c, in, p));
  Tree *rows = view_size(l, u->to);
  u->rows = lowering_size(l, "rows", is_triangle(u) ? build_ceil_div(a, rows, u->columns) : rows);
  Tree *together = build_cast(a, TYPE_INT, together_of(u, u->columns));
  u->together = tree_ref(a, lowering_fixed(l, "together", TYPE_INT, together));
  Tree *several = build_compare(a, OP_GT, u->together, build_index(a, 1));
  Tree *period = build_choice(a, several, build_cast(a, TYPE_INT, u->columns), integer(u, u->span));
  u->period = tree_ref(a, lowering_fixed(l, "period", TYPE_INT, period));
  u->length = lowering_size(l, "length", build_mul(a, u->columns, u->together));
  u->many = lowering_size(l, "many", rows_of_unit(u));
}

/* How many elements a container has behind the last row but so many. */
static Tree *elements_behind(const UnitRows *u, Tree *size, int rows) {
  enum { MANY = 1 << 30 };
  Arena *a = u->l->a;
  Tree *last = build_mul(a, build_sub(a, u->there, build_index(a, rows)), u->length);
  Tree *few = build_min(a, build_sub(a, size, last), build_index(a, u->near));
  few = build_cast(a, TYPE_INT, build_max(a, few, build_index(a, -MANY)));
  return tree_ref(a, lowering_fixed(u->l, rows ? "behind_both" : "behind_last", TYPE_INT, few));
}

/* Where rows begin, and how they are divided into, wherever they are. */
static void shape_anywhere(UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  const View *v = u->from;
  if (build_is(v->step, 1)) {
    Tree *first = build_element(a, v->source.base, view_in_base(l, v, v->begin)), *near = build_index(a, u->near);
    Tree *before = tree_unary(a, OP_NEG, TYPE_INDEX, tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first));
    Tree *most = build_index(a, u->near - 1);
    u->shift = tree_ref(a, lowering_fixed(l, "shift", TYPE_INDEX, tree_binary(a, OP_AND, TYPE_INDEX, before, most)));
    Tree *whole = build_is_multiple(a, u->length, near);
    u->slack = tree_ref(a, lowering_fixed(l, "slack", TYPE_INDEX, build_choice(a, whole, u->shift, most)));
  }
  u->there = u->many;
  if (!is_triangle(u)) { /* a result may be asked for of rows behind the container: nobody divides otherwise */
    Tree *size = view_size(l, u->from), *beyond = build_sub(a, build_mul(a, u->many, u->length), size);
    Tree *few = build_ceil_div(a, size, build_max(a, u->length, build_index(a, 1)));
    u->there = lowering_size(l, "there", build_choice(a, build_compare(a, OP_LT, beyond, u->length), u->many, few));
  }
  const View *const of[] = {u->from, u->to};
  for (int x = 0; x < 1 + is_triangle(u); x++) {
    const bool again = x && tree_equal(view_size(l, u->from), view_size(l, u->to));
    for (int rows = 0; rows < 2; rows++)
      u->behind[x][rows] = again ? u->behind[0][rows] : elements_behind(u, view_size(l, (View *)of[x]), rows);
  }
  if (!is_triangle(u)) return;
  Tree *inverse = plus_one(u, build_div(a, integer(u, 1 << UNIT_INVERSE), u->period));
  u->inverse = tree_ref(a, lowering_fixed(l, "inverse", TYPE_INT, inverse));
}

/* Do lanes' neighbours lie at multiples of their size, and of 16 bytes? */
static Tree *may_be_wide(const UnitRows *u, const View *v, const char *name) {
  Arena *a = u->l->a;
  if (!build_is(v->step, 1)) return NULL;
  Tree *first = build_element(a, v->source.base, view_in_base(u->l, v, v->begin));
  Tree *begins = build_is_multiple(a, tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first), build_index(a, u->near));
  Tree *all = build_both(a, build_is_multiple(a, u->length, build_index(a, u->near)), begins);
  return tree_ref(a, lowering_fixed(u->l, name, TYPE_BOOL, all));
}

/* Of rows that are anywhere: is what is stored at multiples of 16 bytes where what is read is? */
static Tree *stored_wide(const UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  const View *v = u->to;
  if (!u->shift || !build_is(v->step, 1)) return NULL;
  Tree *first = build_element(a, v->source.base, view_in_base(l, v, v->begin));
  Tree *apart = build_add(a, u->shift, tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first));
  Tree *rest = tree_binary(a, OP_REM, TYPE_INDEX, apart, build_width(a, u->product->from->type));
  return tree_ref(a, lowering_fixed(l, "wide_too", TYPE_BOOL, build_compare(a, OP_EQ, rest, build_index(a, 0))));
}

/* A kernel has names for what follows from the tunable. */
static void name_constants(UnitRows *u) {
  if (!u->to) return;
  Tree *beside = u->beside;
  u->beside = tree_ref(u->l->a, lowering_fixed(u->l, "beside", TYPE_INT, beside));
  u->tall = is_triangle(u) && u->products > 1 ? integer(u, MATRIX_M)
                                              : build_div(u->l->a, integer(u, UNIT_GROUPS * MATRIX_M), u->beside);
  u->tall = tree_ref(u->l->a, lowering_fixed(u->l, "tall", TYPE_INT, u->tall));
  if (tree_equal(u->groups, beside)) u->groups = u->beside;
}

/* Tiles of whole rows, all of whose elements are there and wide, in whole steps. */
static Tree *whole_tiles(const UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  Tree *size = view_size(l, u->from), *zero = build_index(a, 0);
  if (!u->to && !u->lead) return NULL;
  if (!u->to) return build_div(a, build_div(a, build_sub(a, size, u->lead), u->length), u->tall);
  if (!u->wide[0] || (is_triangle(u) && !u->wide[1])) return NULL;
  if (is_triangle(u)) size = build_min(a, size, view_size(l, u->to));
  Tree *many = u->many; /* whose rows of the matrix are all there */
  if (!is_triangle(u)) {
    Tree *fewer = build_compare(a, OP_GT, build_mul(a, many, u->together), u->rows);
    many = build_choice(a, fewer, build_sub(a, many, build_index(a, 1)), many);
  }
  Tree *all = build_compare(a, OP_LE, build_mul(a, many, u->length), size); /* no division where it can be helped */
  Tree *rows = build_choice(a, all, many, build_div(a, size, u->length));
  Tree *when = build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INDEX, u->length, u->step), zero);
  Tree *alike = build_compare(a, OP_EQ, u->length, build_index(a, u->span)); /* .. of constants that are all steps' */
  alike = tree_binary(a, OP_LOR, TYPE_BOOL, build_compare(a, OP_EQ, u->together, integer(u, 1)), alike);
  when = build_both(a, alike, when);
  when = build_both(a, u->wide[0], build_both(a, when, build_compare(a, OP_GT, u->length, zero)));
  if (is_triangle(u)) when = build_both(a, when, u->wide[1]);
  return build_choice(a, when, build_div(a, rows, u->tall), zero);
}

static void axes(UnitRows *u, Tree *begin, Tree *end) {
  Arena *a = u->l->a;
  u->tile = nest_dimension(a, "tile", ROLE_MAP, begin, end);
  Tree *length = u->anywhere && u->slack ? build_add(a, u->length, u->slack) : u->length;
  u->inner = nest_dimension(a, "k", ROLE_MAP, build_index(a, 0), build_ceil_div(a, length, u->step));
  u->tile->unroll = u->inner->unroll = UNROLL_NONE; /* a step has as many loads as there are registers for */
  nest_count(a, u->tile, "tile", TYPE_INDEX);
  nest_count(a, u->inner, "k", TYPE_INDEX);
  u->group = nest_unrolled(a, "g", u->groups);
  u->across = nest_unrolled(a, "j", integer(u, u->span / MATRIX_N));
  u->element = nest_unrolled(a, "r", integer(u, UNIT_SUMS));
  u->product_of = nest_unrolled(a, "s", integer(u, u->products));
  u->column = u->anywhere ? nest_unrolled(a, "c", u->beside) : NULL;
}

static NestValue *registers(const UnitRows *u, const char *name, Type type, NestAxis *outer, NestAxis *inner) {
  NestValue *v = nest_value(u->l->a, name, NEST_REGISTERS);
  v->of = u->memory;
  v->type = type;
  if (outer) nest_keep(u->l->a, v, outer);
  nest_keep(u->l->a, v, inner);
  return v;
}

static void constants(UnitRows *u) {
  NestAxis *near = nest_unrolled(u->l->a, "r", integer(u, u->folded ? UNIT_FOUR : u->near));
  u->ones = registers(u, "ones", TYPE_VOID, u->column, near);
  if (!is_triangle(u)) return;
  u->across = nest_unrolled(u->l->a, "j", integer(u, u->span / MATRIX_N));
  u->triangle = registers(u, "triangle", TYPE_VOID, u->across, near);
}

static void values(UnitRows *u) {
  Arena *a = u->l->a;
  const Type sum = u->l->plan->spectrum->adds_halves ? TYPE_SUM : u->product->from->type;
  u->sums = registers(u, "sums", sum, u->group, u->element);
  const int rows = u->folded ? 1 : 2;
  u->near_by = registers(u, "near", TYPE_VOID, u->group, nest_unrolled(a, "r", integer(u, rows * u->near)));
  u->part = registers(u, "part", TYPE_VOID, NULL, nest_unrolled(a, "r", integer(u, 2 * UNIT_FOUR)));
  if (!is_triangle(u)) return;
  u->made = registers(u, "made", sum, u->across, u->element);
  u->next = registers(u, "next", sum, u->group, u->element);
  if (u->anywhere) u->border = registers(u, "border", TYPE_INT, NULL, u->column);
}

static NestNode *product(const UnitRows *u, const Codelet *c, NestValue *to, NestValue *by) {
  NestNode *stage = nest_stage(u->l->a, STAGE_CODELET, c);
  nest_access(u->l->a, stage, to, USE_ACCUMULATE);
  nest_access(u->l->a, stage, u->folded ? u->near_by : u->part, USE_READ);
  nest_access(u->l->a, stage, by, USE_READ);
  return stage;
}

static NestNode *stored(const UnitRows *u, NestValue *from) {
  return open_copy(u->l->a, open_memory(u->l->a, u->to->source.base->name, u->to), from);
}

/* A group's products, of a lane's neighbours four by four. */
static NestNode *products(const UnitRows *u, const Codelet *c, NestValue *to, NestValue *by) {
  Arena *a = u->l->a;
  if (u->folded) return product(u, c, to, by);
  NestNode *each = nest_node(a, NEST_SEQ, NULL);
  vec_push(a, &each->home, u->part);
  nest_add(a, each, open_copy(a, u->part, u->near_by));
  nest_add(a, each, product(u, c, to, by));
  return nest_over(a, u->product_of, each);
}

/* A constant's elements, from where they stand. */
static NestNode *filled(const UnitRows *u, NestValue *v) {
  Arena *a = u->l->a;
  NestNode *fill = nest_operate(a, STAGE_FILL, OPERATOR_NONE, v, NULL);
  for (int i = v->kept.n - 1; i >= 0; i--) fill = nest_over(a, v->kept.at[i], fill);
  return fill;
}

static Tree *several(const UnitRows *u) {
  return build_compare(u->l->a, OP_GT, u->together, build_index(u->l->a, 1));
}

/* What is stored of a group: by products, or by exchanges. */
static NestNode *rows_made(const UnitRows *u, const Codelet *c) {
  Arena *a = u->l->a;
  NestNode *group = nest_node(a, NEST_SEQ, NULL), *across = nest_node(a, NEST_SEQ, NULL);
  vec_push(a, &group->home, u->made);
  nest_add(a, across, nest_over(a, u->element, open_copy(a, u->made, u->sums)));
  nest_add(a, across, products(u, c, u->made, u->triangle));
  NestNode *exchanged = u->finite ? open_copy(a, u->made, u->near_by) : NULL, *all = nest_over(a, u->across, across);
  if (u->anywhere) nest_add(a, group, nest_when(a, several(u), filled(u, u->triangle), NULL));
  nest_add(a, group, exchanged ? nest_when(a, u->finite->now, all, exchanged) : all);
  nest_add(a, group, stored(u, u->made));
  return nest_over(a, u->group, group);
}

static NestNode *number(const UnitRows *u, NestValue *to, NestValue *from) {
  NestNode *stage = nest_stage(u->l->a, STAGE_NUMBER, NULL);
  nest_access(u->l->a, stage, to, USE_WRITE);
  nest_access(u->l->a, stage, from, USE_READ);
  return stage;
}

/* A number that stages give. */
static NestValue *variable(const UnitRows *u, NestNode *home, const char *name, Type type) {
  NestValue *v = nest_value(u->l->a, name, NEST_REGISTERS);
  v->symbol = symbol_new(u->l->a, SYMBOL_LOCAL, name, type);
  v->now = tree_ref(u->l->a, v->symbol);
  vec_push(u->l->a, &home->home, v);
  return v;
}

static void are_finite(UnitRows *u, NestNode *to, NestValue *sums) {
  u->finite = variable(u, to, "finite", TYPE_BOOL);
  u->finite->symbol->constant = true;
  nest_add(u->l->a, to, number(u, u->finite, sums));
}

static void triangles(UnitRows *u, const Codelet *c, NestNode *to) {
  Arena *a = u->l->a;
  if (!is_exact(u)) are_finite(u, to, u->next);
  nest_add(a, to, rows_made(u, c));
  nest_add(a, to, nest_over(a, u->group, nest_over(a, u->element, open_copy(a, u->sums, u->next))));
}

/* Of rows that are anywhere: what of what was read is theirs, and the constants of this step. */
static void made_theirs(UnitRows *u, NestNode *to) {
  Arena *a = u->l->a;
  if (u->shift && !u->whole)
    nest_add(a, to, nest_over(a, u->group, nest_operate(a, STAGE_FILL, OPERATOR_ADD, u->near_by, NULL)));
  if (u->border) {
    vec_push(a, &to->home, u->border);
    nest_add(a, to, filled(u, u->border));
  }
  nest_add(a, to, nest_when(a, several(u), filled(u, u->ones), NULL));
}

/* What a step does. */
static NestNode *multiplied(UnitRows *u, const Codelet *c, NestNode *all) {
  Arena *a = u->l->a;
  NestNode *group = nest_node(a, NEST_SEQ, NULL);
  vec_push(a, &all->home, u->near_by);
  if (u->next) vec_push(a, &all->home, u->next);
  nest_add(a, all, nest_over(a, u->group, open_copy(a, u->near_by, u->memory)));
  if (u->anywhere) made_theirs(u, all);
  if (u->next) nest_add(a, group, nest_over(a, u->element, open_copy(a, u->next, u->sums)));
  nest_add(a, group, products(u, c, u->next ? u->next : u->sums, u->ones));
  nest_add(a, all, nest_over(a, u->group, group));
  if (u->made) triangles(u, c, all);
  return all;
}

static NestNode *opened(UnitRows *u, const Opened *of) {
  NestNode *all = nest_node(u->l->a, NEST_SEQ, NULL);
  Opened *o = all->opened = arena_one(u->l->a, Opened);
  *o = *of;
  o->rows = u;
  return all;
}

/* One step of the inner dimension. Where all that is read is rows', wherever they begin, a sum asks nothing. */
static NestNode *step(UnitRows *u, const Codelet *c, const Opened *of) {
  Arena *a = u->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  if (u->whole || u->anywhere) u->first = nest_number(a, all, "first", TYPE_INDEX, unit_rows_first(u));
  if (!u->anywhere) return multiplied(u, c, all);
  u->ahead = nest_number(a, all, "ahead", TYPE_INT, unit_rows_ahead(u));
  u->rows_left = nest_number(a, all, "rows_left", TYPE_INT, unit_rows_left(u));
  if (!u->shift || u->made) return multiplied(u, c, all); /* a triangle's text would be longer than its cache */
  NestValue *within = nest_number(a, all, "within", TYPE_BOOL, unit_rows_within(u));
  UnitRows *sure = arena_one(a, UnitRows);
  *sure = *u;
  sure->whole = true;
  nest_add(a, all, nest_when(a, within->now, multiplied(sure, c, opened(sure, of)), multiplied(u, c, opened(u, of))));
  return all;
}

/* The sums begin at 0. */
static NestNode *no_sums(UnitRows *u, NestNode *home) {
  Arena *a = u->l->a;
  vec_push(a, &home->home, u->sums);
  return nest_over(a, u->group, nest_over(a, u->element, nest_operate(a, STAGE_FILL, OPERATOR_ADD, u->sums, NULL)));
}

static NestNode *tile(UnitRows *u, const Codelet *c, const Opened *of) {
  Arena *a = u->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  if (u->to) nest_add(a, all, no_sums(u, all));
  nest_add(a, all, nest_over(a, u->inner, step(u, c, of)));
  if (!u->to || u->made) return all;
  NestNode *folded = u->folded ? nest_operate(a, STAGE_COMBINE, OPERATOR_ADD, u->sums, u->sums) : NULL;
  if (folded) nest_add(a, all, nest_over(a, u->group, folded));
  NestNode *stores = nest_over(a, u->group, stored(u, u->sums));
  nest_add(a, all, u->folded ? nest_when(a, unit_rows_has_columns(u), stores, NULL) : stores);
  if (is_exact(u)) return all;
  are_finite(u, all, u->sums);
  nest_add(a, all, nest_when(a, u->finite->now, NULL, stored(u, u->memory)));
  return all;
}

static void constant(const UnitRows *u, NestNode *to, NestValue *v) {
  vec_push(u->l->a, &to->home, v);
  nest_add(u->l->a, to, filled(u, v));
}

/* Each row as two of the unit's. */
static void fold(UnitRows *u) {
  u->folded = true;
  u->groups = integer(u, 2 * UNIT_GROUPS);
  u->group = nest_unrolled(u->l->a, "g", u->groups);
}

/* Tiles of rows; of the sum of all, what these give is added to a lane's total. */
static NestNode *tiles(UnitRows *u, const Codelet *c, const Opened *of) {
  Arena *a = u->l->a;
  NestNode *all = opened(u, of);
  values(u);
  if (u->to) constants(u);
  if (u->to) constant(u, all, u->ones);
  if (u->triangle) constant(u, all, u->triangle);
  if (!u->to) nest_add(a, all, no_sums(u, all));
  nest_add(a, all, nest_over(a, u->tile, tile(u, c, of)));
  if (!u->to) nest_add(a, all, nest_over(a, u->group, number(u, u->total, u->sums)));
  return all;
}

/* What whole tiles leave: of the sum of all a group of it at a time, a span at once. */
static UnitRows *rest_of(const UnitRows *u) {
  Arena *a = u->l->a;
  UnitRows *rest = arena_one(a, UnitRows);
  *rest = *u;
  rest->whole = false;
  rest->anywhere = u->to != NULL;
  if (is_triangle(u)) rest->wide[1] = stored_wide(u);
  if (!u->to) {
    rest->step = integer(u, u->span);
    rest->groups = rest->beside = integer(u, 1);
    rest->tall = integer(u, MATRIX_M);
  }
  Tree *begin = u->whole ? build_mul(a, u->tiles, build_div(a, u->tall, rest->tall)) : build_index(a, 0);
  axes(rest, begin, build_ceil_div(a, u->many, rest->tall));
  return rest;
}

/* What a lane has of all rows: at first an element of those before them. */
static void begin_total(UnitRows *u, NestNode *to) {
  u->total = variable(u, to, "total", u->product->from->type);
  u->total->symbol->writable = true;
  nest_add(u->l->a, to, nest_operate(u->l->a, STAGE_FILL, OPERATOR_ADD, u->total, NULL));
}

/* .. of all lanes, to where the plan wants it. */
static void deliver(UnitRows *u, NestNode *to, Work *w) {
  u->result = variable(u, to, "result", u->product->from->type);
  nest_add(u->l->a, to, number(u, u->result, u->total));
  nest_add(u->l->a, to, open_deliver(u->l, &w->place, u->result, w->to));
}

static View *container_of(const Codelet *c, const Arguments *in, const Symbol *param) {
  int i = 0;
  while (c->params[i] != param) i++;
  return in->at[i].view;
}

bool unit_rows_serve(const Lowering *l, const Codelet *c, const Arguments *in) {
  const View *from = container_of(c, in, c->rows->from), *to = c->rows->to ? container_of(c, in, c->rows->to) : NULL;
  const Type element = l->plan->spectrum->lifted ? TYPE_STORED : TYPE_ELEM;
  const bool computed = from->source.kind != VIEW_MEMORY || (to && to->source.kind != VIEW_MEMORY);
  if (!computed && from->source.base->type == element) return true;
  diagnostics_remark(l->d, REMARK_MISSED, "unit", c->where, "`%s' not by a matrix unit: what it multiplies is %s",
                     c->tag, computed ? "computed, not in memory" : "wider than the elements");
  return false;
}

NestNode *unit_rows_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  UnitRows *u = arena_one(a, UnitRows);
  const Codelet *c = n->rule->codelet;
  *u = unit_of(l, c->rows);
  u->from = container_of(c, &w->in, u->product->from);
  u->to = u->product->to ? container_of(c, &w->in, u->product->to) : NULL;
  lowering_comment(l, "%s: %s, rows times a constant by its matrix unit", w->place.level->name, lowering_source(l, c));
  if (u->to) shape(u, c, &w->in, &w->place);
  else shape_of_all(u);
  if (u->to) u->wide[0] = may_be_wide(u, u->from, "wide");
  if (is_triangle(u)) u->wide[1] = may_be_wide(u, u->to, "wide_out");
  name_constants(u);
  if (u->to && !is_triangle(u)) l->now.kernel->resident_lanes = RESIDENT_LANES;
  Tree *whole = whole_tiles(u);
  u->whole = whole != NULL;
  if (whole) u->tiles = tree_ref(a, lowering_fixed(l, "whole", TYPE_INDEX, whole));
  if (whole) axes(u, build_index(a, 0), u->tiles);
  if (u->to) shape_anywhere(u);
  u->memory = open_memory(a, u->from->source.base->name, u->from);
  if (!u->to) constants(u);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  Opened *o = all->opened = arena_one(a, Opened);
  *o = (Opened){.l = l, .plan = n, .place = &w->place, .rows = u};
  if (!u->to) constant(u, all, u->ones);
  if (!u->to) begin_total(u, all);
  UnitRows *rest = rest_of(u);
  if (whole && u->to && !is_triangle(u) && u->products > 1 && !is_exact(u)) fold(u);
  if (whole) nest_add(a, all, tiles(u, c, o));
  nest_add(a, all, tiles(rest, c, o));
  if (!u->to) deliver(u, all, w);
  return all;
}

/* What a warp does before its first tile takes several tiles' instructions: it has several, where there are more than
 * keep the machine busy. */
static Tree *tiles_of_warp(const UnitRows *u, Tree *size, Tree *each) {
  enum { BUSY = 16, MOST = 8, MOST_SCANNED = 4 }; /* blocks of a multiprocessor; tiles */
  Arena *a = u->l->a;
  const int64_t units = u->l->plan->machine->units > 0 ? u->l->plan->machine->units : 1;
  Tree *turns = build_div(a, size, build_mul(a, each, build_index(a, BUSY * units)));
  return build_min(a, build_max(a, turns, build_index(a, 1)), build_index(a, is_triangle(u) ? MOST_SCANNED : MOST));
}

Tree *unit_rows_worth(Lowering *l, const PlanNode *n, const Arguments *in, const Place *p) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  const Spectrum *spectrum = n->rule->spectrum;
  while (n->nkids && !(c && c->rows)) {
    n = n->kid[0];
    c = n->rule->codelet;
  }
  if (!c || !c->rows || !c->rows->columns || n->rule->spectrum != spectrum) return NULL;
  const UnitRows u = unit_of(l, c->rows);
  Tree *columns = columns_of(l, c, in, p), *length = build_mul(a, columns, together_of(&u, columns));
  Tree *tile = build_mul(a, u.tall, build_max(a, length, u.step));
  Tree *warps = build_div(a, tree_ref(a, l->now.threads), integer(&u, l->plan->machine->vector_width));
  Tree *each = build_mul(a, warps, build_max(a, tile, build_index(a, (int64_t)UNIT_GROUPS * MATRIX_M * u.span)));
  each = lowering_size(l, "tiles", each);
  return build_mul(a, each, tiles_of_warp(&u, view_size(l, container_of(c, in, c->rows->from)), each));
}
