/* tile_groups.c: tiles whose products are those of a group of warps (tiles.c): it reads what it multiplies in shared
 * memory, as it is laid out there by the machine's copies of rectangles, boxes.
 *
 *     copies             of panels ahead, by boxes: lines of 128 bytes of an operand, below each other, as far as the
 *                        tile goes; beside them the next boxes. Where operands do not lie so that boxes can be copied,
 *                        lanes fill the same layout, 16 bytes at a time
 *     for each panel
 *       await the panel  and a barrier: nobody reads any more what is filled next
 *       copies           of one that is used later
 *       products         of all of a group's rows and columns, which go on while ..
 *       await products   .. those of the panel before are waited for
 *     await products
 *     to memory          what is there is added to last, by instructions that nobody waits for
 *
 * So there are two panels that nobody may fill, the one at hand and the one before it. Products from registers are
 * waited for in their own panel, since the next one's come to the same registers: they go on while the next panel is
 * awaited, and copies of a later one take the place of the one before.
 *
 * Within eight lines, 16 bytes of each are exchanged by the line's number, so that lines' beginnings meet in no bank:
 * PTX ISA, "Swizzling modes", 128 bytes. A copy begins at a multiple of 1024 bytes.
 *
 * Words are multiplied along the inner dimension: the operand whose lines lie across it comes to lanes' registers, as
 * rows of what an instruction multiplies. Those of B are columns of C, which groups share then in place of its rows.
 *
 * Requires elements of GROUP_HALF bytes, or of GROUP_WORD, and operands that panels cut in one dimension. Keeps what
 * tiles.c keeps. */
#include "ir/signature.h"
#include "lower/tiles.h"

static Tree *number(const Tiles *t, int64_t x) { return tree_int(t->l->a, TYPE_INT, x); }

/* ---- the layout ---- */

/* Do an operand's lines go along the inner dimension? */
static bool is_along(const Tiles *t, int param) { return plan_tile_panelled(&t->plan, param) == tiles_unit(t, param); }

int tile_groups_across(Tiles *t) {
  if (t->codelet->spectrum->narrowest == GROUP_HALF) return 0;
  int along = 0, across = 0;
  for (int i = 0; i < t->codelet->nparams; i++) {
    const int by = i == t->plan.written ? -1 : plan_tile_panelled(&t->plan, i);
    if (by < 0) continue;
    along += is_along(t, i);
    if (!is_along(t, i) && by == 0) across = 1; /* B's */
  }
  t->words = along < 2;
  if (along) return across;
  lowering_fail(t->l, t->codelet->where, "a group of warps multiplies words along the inner dimension");
  return -1;
}

/* Lines of each box; elements of them that panels, or rows and columns, have. */
static Tree *lines_of(const Tiles *t, int param) { return t->staged[param].extent[1 - tiles_unit(t, param)]; }

Tree *tile_groups_place(const Tiles *t, int param, Tree *const *index) {
  const int unit = tiles_unit(t, param);
  Tree *const kids[] = {index[unit], index[1 - unit], lines_of(t, param)};
  return build_tree(t->l->a, OP_IN_BOXES, TYPE_INT, kids, 3);
}

/* ---- boxes ---- */

Tree *tile_groups_ask(Tiles *t, int param, const Operand *o) {
  Lowering *l = t->l;
  Arena *a = l->a;
  const Signature *s = &l->program->signature;
  const int unit = tiles_unit(t, param);
  const char *name = arena_printf(a, "%s_boxes", o->symbol->name);
  Symbol *boxes = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, name), TYPE_BOXES);
  Tree *first = build_element(a, o->symbol, build_index(a, 0));
  Tree *leading = tree_ref(a, s->at[o->size[2]].symbol);
  vec_push(a, &l->now.launches, build_declare(a, boxes, NULL));
  t->staged[param].boxes = boxes;
  Tree *aligned = build_compare(a, OP_EQ, tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first), build_index(a, 0));
  const LaneTile *lane = tiles_lane(t, param, 1 - unit);
  Tree *const kids[] = {tree_ref(a, boxes), first, tree_ref(a, s->at[o->size[unit]].symbol),
                        tree_ref(a, s->at[o->size[1 - unit]].symbol), leading, lane ? lane->all : t->panel};
  Tree *made = build_tree(a, OP_MAKE_BOXES, TYPE_BOOL, kids, 6);
  return build_both(a, build_both(a, aligned, build_is_multiple(a, leading, build_width(a, o->symbol->type))), made);
}

/* The part of a panel that an operand is. */
static int parts(const Tiles *t) {
  int n = 0;
  for (int i = 0; i < t->codelet->nparams; i++) n += t->staged[i].value != NULL;
  return n;
}

NestNode *tile_groups_open(Tiles *t) {
  Tree *const kids[] = {t->stages, number(t, parts(t))};
  NestNode *open = nest_sync(t->l->a, build_tree(t->l->a, OP_OPEN_PANELS, TYPE_VOID, kids, 2));
  return nest_when(t->l->a, t->wide, open, NULL);
}

/* A stage's statement: what of the panel an operand has, by boxes. */
void tile_groups_copy(Realising *r, Tiles *t, int param, const Panel *panel, Tree *buffer) {
  Arena *a = r->l->a;
  const Staged *s = &t->staged[param];
  const View *from = tiles_operand(t, param);
  const int unit = tiles_unit(t, param), by = plan_tile_panelled(&t->plan, param);
  Tree *at[PLANE];
  for (int d = 0; d < PLANE; d++) {
    at[d] = from->plane.from[d] ? from->plane.from[d] : build_index(a, 0);
    if (d == by) at[d] = build_add(a, at[d], panel->begin);
  }
  Tree *turn = tree_binary(a, OP_REM, panel->number->type, panel->number, t->stages);
  Tree *const kids[] = {build_element(a, s->value->symbol, buffer), tree_ref(a, s->boxes), at[unit], at[1 - unit], turn,
                        s->extent[unit], s->extent[1 - unit]};
  lowering_add(r->l, build_tree(a, OP_COPY_PANEL, TYPE_VOID, kids, 7));
}

Tree *tile_groups_fill(const Tiles *t, int param, Tree *place, Tree *element, Tree *const *index, Tree *left) {
  Arena *a = t->l->a;
  const int unit = tiles_unit(t, param), by = plan_tile_panelled(&t->plan, param);
  Tree *many[PLANE];
  for (int d = 0; d < PLANE; d++)
    many[d] = d == by ? left : build_cast(a, TYPE_INT, tiles_size(t, param, d));
  Tree *line = build_compare(a, OP_LT, index[1 - unit], many[1 - unit]);
  Tree *const kids[] = {place, element, build_choice(a, line, build_sub(a, many[unit], index[unit]), number(t, 0))};
  return build_tree(a, OP_COPY_CHUNK, TYPE_VOID, kids, 3);
}

/* .. of those of a panel that is used: nobody would wait for others. */
NestNode *tile_groups_ahead(Tiles *t, const Panel *p, NestNode *boxes, NestNode *elements) {
  Arena *a = t->l->a;
  if (!t->wide) return elements;
  Tree *used = build_compare(a, OP_LT, p->begin, t->panelled);
  return nest_when(a, t->wide, nest_when(a, used, boxes, NULL), elements);
}

NestNode *tile_groups_await(Tiles *t, Tree *panel) {
  Arena *a = t->l->a;
  Tree *kids[3 + MOST_OPERANDS] = {t->stages, panel, t->wide ? t->wide : tree_int(a, TYPE_BOOL, 0)};
  int n = 3;
  for (int i = 0; i < t->codelet->nparams; i++) {
    const Staged *s = &t->staged[i];
    Tree *turn = tree_binary(a, OP_REM, panel->type, panel, t->stages);
    if (s->value) kids[n++] = build_element(a, s->value->symbol, build_mul(a, turn, s->buffer));
  }
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  NestNode *await = nest_sync(a, build_tree(a, OP_AWAIT_PANEL, TYPE_VOID, kids, n));
  Tree *begin = build_mul(a, build_cast(a, TYPE_INDEX, panel), t->panel);
  nest_add(a, all, t->words ? nest_when(a, build_compare(a, OP_LT, begin, t->panelled), await, NULL) : await);
  Tree *barrier = tree_new(a, OP_BARRIER, TYPE_VOID, (SourceRange){0}, 0); /* ahead of branches, for all of them */
  barrier->scope = SCOPE_BLOCK;
  nest_add(a, all, nest_sync(a, barrier));
  return all;
}

/* ---- words in registers ---- */

enum { WORDS = GROUP_M * MATRIX_K / (GROUP_WARPS * 32) }; /* a lane's of GROUP_M rows, MATRIX_K elements of each */

static NestAxis *rows_of_all(const Tiles *t) { return t->axis[t->across ? t->plan.column : t->plan.row]; }

/* The operand that is loaded to registers. */
static int of_words(const Tiles *t) {
  int i = 0;
  while (!t->staged[i].value || is_along(t, i)) i++;
  return i;
}

static NestValue *registers(Tiles *t, NestNode *home, const char *what) {
  Arena *a = t->l->a;
  NestValue *memory = tiles_memory(t, of_words(t));
  NestValue *v = nest_value(a, arena_printf(a, "%s_%s", memory->name, what), NEST_REGISTERS);
  v->of = memory;
  v->type = TYPE_UINT;
  nest_keep(a, v, t->step);
  nest_keep(a, v, rows_of_all(t));
  nest_keep(a, v, nest_unrolled(a, "r", number(t, WORDS)));
  vec_push(a, &home->home, v);
  return v;
}

void tile_groups_hold(Tiles *t, NestNode *home) {
  Arena *a = t->l->a;
  t->step = nest_unrolled(a, "s", build_div(a, t->panel, number(t, MATRIX_K)));
  t->here = registers(t, home, "here");
  t->coming = registers(t, home, "coming");
}

/* The first panel's, or those of the one behind the panel at hand, if there is one. */
NestNode *tile_groups_load(Tiles *t, bool first) {
  Arena *a = t->l->a;
  Tree *panel = first ? number(t, 0) : build_add(a, t->panel_number, number(t, 1));
  Tree *begin = build_mul(a, build_cast(a, TYPE_INDEX, panel), t->panel);
  NestNode *copy = open_copy(a, first ? t->here : t->coming, t->staged[of_words(t)].value);
  NestNode *all = nest_over(a, t->step, nest_over(a, rows_of_all(t), copy));
  return nest_when(a, build_compare(a, OP_LT, begin, t->panelled), all, NULL);
}

/* Those of a step and of a row of fragments. */
static Tree *words_of(const Tiles *t, const NestValue *v, Tree *step, Tree *row) {
  Arena *a = t->l->a;
  const LaneTile *rows = &t->of[t->across];
  Tree *which = build_add(a, build_mul(a, step, build_div(a, rows->each, rows->unit)), row);
  return build_element(a, v->symbol, build_mul(a, which, number(t, WORDS)));
}

bool tile_groups_words(Realising *r, Tiles *t, const NestStage *stage) {
  Arena *a = t->l->a;
  const NestValue *to = stage->at.at[0].value;
  if (!t->words || (to != t->here && to != t->coming)) return false;
  const LaneTile *rows = &t->of[t->across];
  Tree *first = words_of(t, t->here, number(t, 0), number(t, 0));
  if (stage->at.at[1].value == t->coming) {
    Tree *many = build_mul(a, build_div(a, t->panel, number(t, MATRIX_K)), build_div(a, rows->each, rows->unit));
    Tree *const kids[] = {build_mul(a, many, number(t, WORDS)), first, words_of(t, t->coming, number(t, 0), number(t, 0))};
    lowering_add(r->l, build_tree(a, OP_TAKE_WORDS, TYPE_VOID, kids, 3));
    return true;
  }
  const int param = of_words(t), by = plan_tile_panelled(&t->plan, param);
  Tree *step = iterations_number(r, t->step), *row = iterations_number(r, rows_of_all(t)), *index[PLANE];
  index[by] = build_mul(a, step, number(t, MATRIX_K));
  index[1 - by] = build_add(a, rows->first, build_mul(a, row, rows->unit));
  Tree *next = build_add(a, t->panel_number, number(t, 1)), *turn = tree_binary(a, OP_REM, next->type, next, t->stages);
  Tree *place = to == t->here ? number(t, 0) : build_mul(a, turn, t->staged[param].buffer);
  Tree *from = build_element(a, t->staged[param].value->symbol,
                             build_add(a, place, tile_groups_place(t, param, index)));
  Tree *const kids[] = {words_of(t, to, step, row), from, lines_of(t, param)};
  lowering_add(r->l, build_tree(a, OP_LOAD_WORDS, TYPE_VOID, kids, 3));
  return true;
}

/* ---- products ---- */

/* Those of the panel before the one at hand, which is as many behind it as there are buffers, but one; or all. */
static NestNode *await_products(Tiles *t, bool all) {
  Arena *a = t->l->a;
  Tree *kids[1 + MOST_OPERANDS] = {number(t, all || t->words ? 0 : 1)};
  int n = 1;
  for (int i = 0; i < t->codelet->nparams && !all; i++) {
    const Staged *s = &t->staged[i];
    Tree *before = build_add(a, t->panel_number, build_sub(a, t->stages, number(t, 1)));
    if (t->words) before = t->panel_number;
    Tree *turn = tree_binary(a, OP_REM, before->type, before, t->stages);
    if (s->value) kids[n++] = build_element(a, s->value->symbol, build_mul(a, turn, s->buffer));
  }
  return nest_sync(a, build_tree(a, OP_AWAIT_PRODUCTS, TYPE_VOID, kids, n));
}

NestNode *tile_groups_products(Tiles *t) {
  Arena *a = t->l->a;
  const PlanTiles *p = &t->plan;
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *stage = nest_stage(a, STAGE_CODELET, t->codelet);
  nest_access(a, stage, t->held, USE_ACCUMULATE);
  for (int i = 0; i < t->codelet->nparams; i++) {
    NestValue *from = t->words && !is_along(t, i) ? t->here : t->staged[i].value;
    if (t->staged[i].value) nest_access(a, stage, from, USE_READ);
  }
  NestNode *step = nest_over(a, rows_of_all(t), stage);
  for (int i = 0; i < p->nloops; i++)
    if (i != p->row && i != p->column) step = nest_over(a, t->axis[i], step);
  nest_add(a, all, nest_sync(a, tree_new(a, OP_OPEN_PRODUCTS, TYPE_VOID, (SourceRange){0}, 0)));
  nest_add(a, all, step);
  if (!t->words) nest_add(a, all, await_products(t, false));
  return all;
}

NestNode *tile_groups_close(Tiles *t) {
  NestNode *all = nest_node(t->l->a, NEST_SEQ, NULL);
  nest_add(t->l->a, all, await_products(t, false));
  nest_add(t->l->a, all, open_copy(t->l->a, t->here, t->coming));
  return all;
}

NestNode *tile_groups_end(Tiles *t) { return await_products(t, true); }

/* Is a tile whole, and do pairs of its elements lie at multiples of two? NULL: its rows' elements lie apart. */
static Tree *has_pairs(Tiles *t) {
  Arena *a = t->l->a;
  const View *to = tiles_in_memory(t, t->plan.written);
  Tree *two = build_index(a, 2), *all = NULL;
  if (!build_is(t->across ? to->plane.row_step : to->plane.column_step, 1)) return NULL;
  for (int d = 0; d < PLANE; d++) {
    Tree *one = build_compare(a, OP_LE, t->of[d].each, t->of[d].left);
    all = all ? build_both(a, all, one) : one;
  }
  Tree *first = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, to->source.base, to->begin));
  Tree *step = t->across ? to->plane.column_step : to->plane.row_step;
  Tree *pairs = build_both(a, build_is_multiple(a, step, two), build_is_multiple(a, first, two));
  return build_both(a, all, pairs);
}

NestNode *tile_groups_deliver(Tiles *t, NestNode *single, NestNode *copy) {
  Arena *a = t->l->a;
  Tree *pairs = has_pairs(t);
  NestNode *of_row = nest_over(a, t->axis[t->plan.column], nest_over(a, t->pair, copy));
  NestNode *each = nest_over(a, t->axis[t->plan.row], of_row);
  return pairs ? nest_when(a, pairs, each, single) : single;
}

/* One instruction: the columns of all, of the row of fragments, and the step of the inner dimension, at hand; or the
 * other way round. */
void tile_groups_multiply(Realising *r, Tiles *t, Tree *row, Tree *step) {
  Arena *a = r->l->a;
  Tree *inner = build_mul(a, step, number(t, MATRIX_K));
  const LaneTile *rows = &t->of[t->across], *columns = &t->of[1 - t->across];
  Tree *many = build_mul(a, build_div(a, columns->each, columns->unit), number(t, FRAGMENT_C));
  Tree *kids[8] = {build_element(a, t->held->symbol, build_mul(a, row, many)), NULL, NULL, columns->each};
  for (int i = 0; i < t->codelet->nparams; i++) {
    const Staged *s = &t->staged[i];
    if (!s->value) continue;
    const int by = plan_tile_panelled(&t->plan, i), unit = tiles_unit(t, i);
    const int which = by == 1 - t->across ? 0 : 1; /* of A panels cut columns */
    Tree *index[PLANE];
    index[by] = inner;
    index[1 - by] = which == 0 ? build_add(a, rows->first, build_mul(a, row, rows->unit)) : number(t, 0);
    Tree *turn = tree_binary(a, OP_REM, t->panel_number->type, t->panel_number, t->stages);
    Tree *place = build_add(a, build_mul(a, turn, s->buffer), tile_groups_place(t, i, index));
    kids[1 + which] = t->words && !is_along(t, i) ? words_of(t, t->here, step, row)
                                                  : build_element(a, s->value->symbol, place);
    kids[4 + which] = lines_of(t, i);
    kids[6 + which] = tree_int(a, TYPE_BOOL, unit == by);
  }
  lowering_add(r->l, build_tree(a, OP_MULTIPLY_GROUP, TYPE_VOID, kids, 8));
}
