/* unit_rows.c: rows of a container, times a constant matrix, by a warp's matrix unit (front/row_product.c):
 *
 *     constants                   a lane's elements of them, computed from where they stand: no memory has them
 *     loop over tiles of rows     groups of MATRIX_M
 *       sums = 0                  fragments of what the rows give so far
 *       loop over their elements  MATRIX_K at once
 *         copies                  from memory to registers: a lane has UNIT_NEAR neighbours of two rows of each group
 *         products                sums += rows ones
 *       to memory                 of ones, from the lanes that have the first column
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
 * and of all elements, which are rows of MATRIX_K, sums go on from tile to tile, and behind these
 *
 *     total = sums                of a lane's rows
 *     exchanges                   total += that of other lanes
 *
 * The order of a row's elements within a product is of no matter, as long as the constant has the same: so a lane has
 * neighbours, and loads them at once where they lie at a multiple of their size. The columns of a triangle are in an
 * order, too, in which a lane's are neighbours. Behind a row's last element there are zeros, which add nothing; rows
 * that are not there are zeros, too, and are not stored.
 *
 * Requires a codelet with `rows', containers in memory, and a warp. Keeps each row's sums, up to their order. */
#include "lower/unit_rows.h"

static NestAxis *written_out(Arena *a, const char *name, Tree *extent) {
  NestAxis *x = nest_dimension(a, name, ROLE_MAP, build_index(a, 0), extent);
  x->binding = BINDING_UNROLL;
  x->tail = TAIL_NONE;
  return x;
}

static Tree *integer(const UnitRows *u, int64_t x) { return tree_int(u->l->a, TYPE_INT, x); }

static bool is_triangle(const UnitRows *u) { return u->product->by == CONSTANT_TRIANGLE; }

/* Of the sum of all, whose order is of no matter: rows of one step, side by side. */
static void shape_of_all(UnitRows *u) {
  Lowering *l = u->l;
  Arena *a = l->a;
  const View *v = u->from;
  Tree *size = view_size(l, u->from), *near = build_index(a, UNIT_NEAR);
  if (build_is(v->step, 1)) {
    Tree *first = build_element(a, v->source.base, view_in_base(l, v, v->begin));
    Tree *behind = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first);
    behind = build_sub(a, near, tree_binary(a, OP_REM, TYPE_INDEX, behind, near));
    u->lead = lowering_size(l, "lead", tree_binary(a, OP_REM, TYPE_INDEX, behind, near));
    size = build_add(a, size, u->lead);
  }
  u->columns = build_index(a, MATRIX_K);
  u->rows = lowering_size(l, "rows", build_ceil_div(a, size, u->columns));
}

/* What the codelet's text says of its matrix: its columns, no more of them than there are elements; its rows. */
static void shape(UnitRows *u, const Codelet *c, const Arguments *in, const Place *p) {
  Lowering *l = u->l;
  Arena *a = l->a;
  const Tree *declare = c->plain.body;
  while (declare->op == OP_SEQ) declare = declare->kid[0];
  Environment e = inline_environment(l, c, in, c->plain.body, p);
  u->columns = lowering_size(l, "columns", inline_expression(l, &e, declare->kid[0]));
  Tree *rows = view_size(l, u->to);
  u->rows = lowering_size(l, "rows", is_triangle(u) ? build_ceil_div(a, rows, u->columns) : rows);
}

static Tree *is_multiple(Arena *a, Tree *x, int64_t of) {
  return build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INDEX, x, build_index(a, of)), build_index(a, 0));
}

/* Do lanes' neighbours lie at multiples of their size? What is stored goes 16 bytes at once. */
static Tree *may_be_wide(const UnitRows *u, const View *v, const char *name) {
  Arena *a = u->l->a;
  if (!build_is(v->step, 1)) return NULL;
  Tree *first = build_element(a, v->source.base, view_in_base(u->l, v, v->begin));
  Tree *begins = is_multiple(a, tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first), UNIT_NEAR);
  Tree *all = build_both(a, is_multiple(a, u->columns, UNIT_NEAR), begins);
  return tree_ref(a, lowering_fixed(u->l, name, TYPE_BOOL, all));
}

static void axes(UnitRows *u) {
  enum { ACROSS = MATRIX_K / MATRIX_N };
  Arena *a = u->l->a;
  Tree *zero = build_index(a, 0), *tiles = build_ceil_div(a, u->rows, build_index(a, (int64_t)u->groups * MATRIX_M));
  u->tile = nest_dimension(a, "tile", ROLE_MAP, zero, tiles);
  u->inner = nest_dimension(a, "k", ROLE_MAP, zero, build_ceil_div(a, u->columns, build_index(a, MATRIX_K)));
  nest_count(a, u->tile, "tile", TYPE_INDEX);
  nest_count(a, u->inner, "k", TYPE_INDEX);
  u->group = written_out(a, "g", integer(u, u->groups));
  u->across = written_out(a, "j", integer(u, ACROSS));
  u->element = written_out(a, "r", integer(u, UNIT_SUMS));
}

static NestValue *registers(const UnitRows *u, const char *name, Type type, NestAxis *outer, NestAxis *inner) {
  NestValue *v = nest_value(u->l->a, name, NEST_REGISTERS);
  v->of = u->memory;
  v->type = type;
  if (outer) nest_keep(u->l->a, v, outer);
  nest_keep(u->l->a, v, inner);
  return v;
}

static void values(UnitRows *u) {
  Arena *a = u->l->a;
  const char *name = u->from->source.base->name;
  const Type sum = u->product->from->type;
  u->memory = open_memory(a, name, u->from);
  u->whole = open_memory(a, name, u->from);
  u->ones = registers(u, "ones", TYPE_VOID, NULL, written_out(a, "r", integer(u, UNIT_NEAR)));
  u->sums = registers(u, "sums", sum, u->group, u->element);
  u->near = registers(u, "near", TYPE_VOID, u->group, written_out(a, "r", integer(u, 2 * UNIT_NEAR)));
  u->part = registers(u, "part", TYPE_VOID, NULL, u->near->kept.at[1]);
  if (!is_triangle(u)) return;
  u->whole_to = open_memory(a, u->to->source.base->name, u->to);
  u->triangle = registers(u, "triangle", TYPE_VOID, u->across, u->ones->kept.at[0]);
  u->made = registers(u, "made", sum, u->across, u->element);
  u->next = registers(u, "next", sum, u->group, u->element);
}

/* Have all rows of the tile all of these elements, at multiples of their size? */
static NestValue *is_whole(UnitRows *u, NestNode *home) {
  Arena *a = u->l->a;
  if (u->to ? !u->wide[0] : !u->lead) return NULL;
  if (is_triangle(u) && !u->wide[1]) return NULL;
  Tree *one = build_index(a, 1), *rows = build_index(a, (int64_t)u->groups * MATRIX_M);
  Tree *behind = build_mul(a, build_add(a, u->tile->at, one), rows);
  Tree *end = build_mul(a, build_add(a, u->inner->at, one), build_index(a, MATRIX_K));
  Tree *last = build_add(a, build_mul(a, build_sub(a, behind, one), u->columns), end);
  Tree *wide = u->wide[0];
  if (!u->to) {
    wide = build_compare(a, OP_GE, build_mul(a, build_mul(a, u->tile->at, rows), u->columns), u->lead);
    last = build_sub(a, last, u->lead);
  }
  Tree *all = build_both(a, wide, build_compare(a, OP_LE, behind, u->rows));
  all = build_both(a, all, build_compare(a, OP_LE, end, u->columns));
  all = build_both(a, all, build_compare(a, OP_LE, last, view_size(u->l, u->from)));
  if (is_triangle(u)) all = build_both(a, all, u->wide[1]);
  if (is_triangle(u) && !tree_equal(view_size(u->l, u->from), view_size(u->l, u->to)))
    all = build_both(a, all, build_compare(a, OP_LE, last, view_size(u->l, u->to)));
  return nest_number(a, home, "whole", TYPE_BOOL, all);
}

static NestNode *product(const UnitRows *u, const Codelet *c, NestValue *to, NestValue *by) {
  NestNode *stage = nest_stage(u->l->a, STAGE_CODELET, c);
  nest_access(u->l->a, stage, to, USE_ACCUMULATE);
  nest_access(u->l->a, stage, u->part, USE_READ);
  nest_access(u->l->a, stage, by, USE_READ);
  return stage;
}

/* `to' NULL: not all is known to be there. */
static NestNode *stored(const UnitRows *u, NestValue *to, NestValue *from) {
  Arena *a = u->l->a;
  return open_copy(a, to ? to : open_memory(a, u->to->source.base->name, u->to), from);
}

static NestNode *part(const UnitRows *u) {
  NestNode *group = nest_node(u->l->a, NEST_SEQ, NULL);
  vec_push(u->l->a, &group->home, u->part);
  nest_add(u->l->a, group, open_copy(u->l->a, u->part, u->near));
  return group;
}

/* What is stored of a group: by products, or by exchanges. */
static NestNode *rows_made(const UnitRows *u, const Codelet *c) {
  Arena *a = u->l->a;
  NestNode *group = nest_node(a, NEST_SEQ, NULL), *products = part(u), *across = nest_node(a, NEST_SEQ, NULL);
  vec_push(a, &group->home, u->made);
  nest_add(a, across, nest_over(a, u->element, open_copy(a, u->made, u->sums)));
  nest_add(a, across, product(u, c, u->made, u->triangle));
  nest_add(a, products, nest_over(a, u->across, across));
  nest_add(a, group, nest_when(a, u->finite->now, products, open_copy(a, u->made, u->near)));
  nest_add(a, group, u->all ? nest_when(a, u->all->now, stored(u, u->whole_to, u->made), stored(u, NULL, u->made))
                            : stored(u, NULL, u->made));
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

static void triangles(UnitRows *u, const Codelet *c, NestNode *to) {
  Arena *a = u->l->a;
  u->finite = variable(u, to, "finite", TYPE_BOOL);
  u->finite->symbol->constant = true;
  nest_add(a, to, number(u, u->finite, u->next));
  nest_add(a, to, rows_made(u, c));
  nest_add(a, to, nest_over(a, u->group, nest_over(a, u->element, open_copy(a, u->sums, u->next))));
}

/* One step of the inner dimension. What is whole is loaded at once, without conditions; else each group by itself. */
static NestNode *step(UnitRows *u, const Codelet *c) {
  Arena *a = u->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *group = nest_node(a, NEST_SEQ, NULL);
  NestValue *to = u->next ? u->next : u->sums, *whole = u->all = is_whole(u, all);
  NestNode *any = open_copy(a, u->near, u->memory);
  vec_push(a, &all->home, u->near);
  if (u->next) vec_push(a, &all->home, u->next);
  if (whole) nest_add(a, all, nest_when(a, whole->now, nest_over(a, u->group, open_copy(a, u->near, u->whole)), NULL));
  nest_add(a, group, whole ? nest_when(a, whole->now, NULL, any) : any);
  if (u->next) nest_add(a, group, nest_over(a, u->element, open_copy(a, u->next, u->sums)));
  NestNode *sums = nest_add(a, group, part(u));
  nest_add(a, sums, product(u, c, to, u->ones));
  nest_add(a, all, nest_over(a, u->group, group));
  if (u->made) triangles(u, c, all);
  return all;
}

/* The sums begin at 0. */
static NestNode *no_sums(UnitRows *u, NestNode *home) {
  Arena *a = u->l->a;
  vec_push(a, &home->home, u->sums);
  return nest_over(a, u->group, nest_over(a, u->element, nest_operate(a, STAGE_FILL, OPERATOR_ADD, u->sums, NULL)));
}

static NestNode *tile(UnitRows *u, const Codelet *c) {
  Arena *a = u->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  if (u->to) nest_add(a, all, no_sums(u, all));
  nest_add(a, all, nest_over(a, u->inner, step(u, c)));
  if (u->to && !u->made) nest_add(a, all, nest_over(a, u->group, stored(u, NULL, u->sums)));
  return all;
}

static void constant(const UnitRows *u, NestNode *to, NestValue *v) {
  Arena *a = u->l->a;
  NestNode *fill = nest_operate(a, STAGE_FILL, OPERATOR_NONE, v, NULL);
  vec_push(a, &to->home, v);
  for (int i = v->kept.n - 1; i >= 0; i--) fill = nest_over(a, v->kept.at[i], fill);
  nest_add(a, to, fill);
}

/* What lanes have of all rows, on each lane of the warp, to where the plan wants it. */
static void deliver(UnitRows *u, NestNode *to, Work *w) {
  Arena *a = u->l->a;
  u->total = variable(u, to, "total", u->product->from->type);
  u->result = variable(u, to, "result", u->product->from->type);
  u->total->symbol->writable = true;
  nest_add(a, to, nest_operate(a, STAGE_FILL, OPERATOR_ADD, u->total, NULL));
  nest_add(a, to, nest_over(a, u->group, number(u, u->total, u->sums)));
  nest_add(a, to, number(u, u->result, u->total));
  nest_add(a, to, open_deliver(u->l, &w->place, u->result, w->to));
}

/* A triangle has two products more for each group, and the registers of two groups. With fewer than four products at a
 * time of doubles ptxas 13.0 goes on before their sums are there. */
static int groups_of(const Lowering *l, const RowProduct *p) {
  enum { MOST = 4, OF_TRIANGLE = 2, DOUBLES = 8 };
  return p->by == CONSTANT_TRIANGLE && l->plan->spectrum->widest < DOUBLES ? OF_TRIANGLE : MOST;
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
  *u = (UnitRows){.l = l, .product = c->rows, .groups = groups_of(l, c->rows)};
  u->from = container_of(c, &w->in, u->product->from);
  u->to = u->product->to ? container_of(c, &w->in, u->product->to) : NULL;
  lowering_comment(l, "%s: %s, rows times a constant by its matrix unit", w->place.level->name, lowering_source(l, c));
  if (u->to) shape(u, c, &w->in, &w->place);
  else shape_of_all(u);
  if (u->to) u->wide[0] = may_be_wide(u, u->from, "wide");
  if (is_triangle(u)) u->wide[1] = may_be_wide(u, u->to, "wide_out");
  axes(u);
  values(u);
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  Opened *o = all->opened = arena_one(a, Opened);
  *o = (Opened){.l = l, .plan = n, .place = &w->place, .rows = u};
  constant(u, all, u->ones);
  if (u->triangle) constant(u, all, u->triangle);
  if (!u->to) nest_add(a, all, no_sums(u, all));
  nest_add(a, all, nest_over(a, u->tile, tile(u, c)));
  if (!u->to) deliver(u, all, w);
  return all;
}
