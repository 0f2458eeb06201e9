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
 * Of a batch a block has some matrices, one behind the other in each panel; boxes are of one of them.
 *
 * Within eight lines, 16 bytes of each are exchanged by the line's number, so that lines' beginnings meet in no bank:
 * PTX ISA, "Swizzling modes", 128 bytes. A copy begins at a multiple of 1024 bytes.
 *
 * Words and bytes are multiplied along the inner dimension: of words the operand whose lines lie across it comes to
 * lanes' registers, as rows of what an instruction multiplies. Those of B are columns of C, which groups share then in
 * place of its rows.
 *
 * Requires elements of GROUP_HALF, GROUP_WORD or GROUP_BYTE bytes, and operands that panels cut in one dimension. Keeps
 * what tiles.c keeps. */
#include "ir/signature.h"
#include "lower/tiles.h"

static Tree *number(const Tiles *t, int64_t x) { return tree_int(t->l->a, TYPE_INT, x); }

static Tree *also(const Tiles *t, Tree *all, Tree *one) { return all ? build_both(t->l->a, all, one) : one; }

/* ---- the layout ---- */

/* Do an operand's lines go along the inner dimension? */
static bool is_along(const Tiles *t, int param) { return plan_tile_panelled(&t->plan, param) == tiles_unit(t, param); }

/* Dimensions of an operand above rows and columns; the one that lines are below each other in. */
static int above(const Tiles *t, int param) { return tiles_rank(t, param) - PLANE; }
static int across(const Tiles *t, int param) { return 2 * above(t, param) + 1 - tiles_unit(t, param); }

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
  if (along > (t->codelet->spectrum->narrowest == GROUP_BYTE)) return across;
  lowering_fail(t->l, t->codelet->where, "a group of warps multiplies words and bytes along the inner dimension");
  return -1;
}

/* Lines of each box; elements of them that panels, or rows and columns, have. */
static Tree *lines_of(const Tiles *t, int param) { return t->staged[param].extent[across(t, param)]; }

Tree *tile_groups_place(const Tiles *t, int param, Tree *const *index) {
  Arena *a = t->l->a;
  Tree *const kids[] = {index[tiles_unit(t, param)], index[across(t, param)], lines_of(t, param)};
  Tree *place = build_tree(a, OP_IN_BOXES, TYPE_INT, kids, 3);
  for (int d = 0; d < above(t, param); d++)
    place = build_add(a, build_mul(a, index[d], t->staged[param].step[d]), place);
  return place;
}

/* ---- boxes ---- */

Tree *tile_groups_ask(Tiles *t, int param, const Operand *o) {
  Lowering *l = t->l;
  Arena *a = l->a;
  const Signature *s = &l->program->signature;
  const int rank = operand_rank(o), other = across(t, param);
  const char *name = arena_printf(a, "%s_boxes", o->symbol->name);
  Symbol *boxes = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, name), TYPE_BOXES);
  Tree *first = build_element(a, o->symbol, build_index(a, 0));
  vec_push(a, &l->now.launches, build_declare(a, boxes, NULL));
  t->staged[param].boxes = boxes;
  Tree *lies = build_compare(a, OP_EQ, tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first), build_index(a, 0));
  Tree *kids[3 + 2 * MOST_DIMENSIONS] = {tree_ref(a, boxes), first};
  int n = 2;
  kids[n++] = tree_ref(a, s->at[o->size[tiles_unit(t, param)]].symbol);
  kids[n++] = tree_ref(a, s->at[o->size[other]].symbol);
  for (int d = rank - PLANE - 1; d >= 0; d--) kids[n++] = tree_ref(a, s->at[o->size[d]].symbol);
  for (int d = rank - PLANE; d >= 0; d--) {
    Tree *apart = kids[n++] = tree_ref(a, s->at[o->size[rank + d]].symbol);
    lies = build_both(a, lies, build_is_multiple(a, apart, build_width(a, o->symbol->type)));
  }
  if (param == t->plan.written) kids[n++] = number(t, GROUP_M);
  else kids[n++] = tiles_outside(t, t->staged[param].extent[other]);
  return build_both(a, lies, build_tree(a, OP_MAKE_BOXES, TYPE_BOOL, kids, n));
}

/* The part of a panel that an operand is. */
static int parts(const Tiles *t) {
  int n = 0;
  for (int i = 0; i < t->codelet->nparams; i++) n += t->staged[i].value != NULL;
  return n;
}

NestNode *tile_groups_open(Tiles *t) {
  Tree *warps = build_div(t->l->a, tree_ref(t->l->a, t->l->now.threads), number(t, WARP_LANES));
  Tree *const kids[] = {t->stages, number(t, parts(t)), warps};
  NestNode *open = nest_sync(t->l->a, build_tree(t->l->a, OP_OPEN_PANELS, TYPE_VOID, kids, t->plan.produced ? 3 : 2));
  return nest_when(t->l->a, t->wide, open, NULL);
}

/* A stage's statement: what an operand has, by boxes, of the panel that Staged.box says. */
void tile_groups_copy(Realising *r, Tiles *t, int param, int box) {
  Arena *a = r->l->a;
  const Staged *s = &t->staged[param];
  const Panel at_hand = {t->panel_number, build_mul(a, build_cast(a, TYPE_INDEX, t->panel_number), t->panel), NULL};
  const Panel *panel = box == BOX_FIRST ? &t->first : box == BOX_NEXT ? &t->next : &at_hand;
  Tree *buffer = build_mul(a, tree_binary(a, OP_REM, panel->number->type, panel->number, t->stages), s->buffer);
  const View *from = tiles_operand(t, param);
  const int by = plan_tile_panelled(&t->plan, param);
  int order[MOST_DIMENSIONS] = {tiles_unit(t, param), across(t, param)}; /* as memory has them, the nearest first */
  for (int d = 0; d < above(t, param); d++) order[PLANE + d] = above(t, param) - 1 - d;
  Tree *kids[3 + 2 * MOST_DIMENSIONS] = {build_element(a, s->value->symbol, buffer), tree_ref(a, s->boxes)};
  int n = 2;
  for (int i = 0; i < tiles_rank(t, param); i++) {
    Tree *at = from->plane.from[order[i]] ? from->plane.from[order[i]] : build_index(a, 0);
    kids[n++] = order[i] == by ? build_add(a, at, panel->begin) : at;
  }
  kids[n++] = tree_binary(a, OP_REM, panel->number->type, panel->number, t->stages);
  for (int i = 0; i < tiles_rank(t, param); i++) kids[n++] = s->extent[order[i]];
  lowering_add(r->l, build_tree(a, OP_COPY_PANEL, TYPE_VOID, kids, n));
}

Tree *tile_groups_fill(const Tiles *t, int param, Tree *place, Tree *element, Tree *const *index, Tree *left) {
  Arena *a = t->l->a;
  const int unit = tiles_unit(t, param), by = plan_tile_panelled(&t->plan, param), rank = tiles_rank(t, param);
  Tree *many[MOST_DIMENSIONS], *line = NULL;
  for (int d = 0; d < rank; d++) {
    many[d] = d == by ? left : build_cast(a, TYPE_INT, tiles_size(t, param, d));
    if (d != unit) line = also(t, line, build_compare(a, OP_LT, index[d], many[d]));
  }
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
    Tree *next = words_of(t, t->coming, number(t, 0), number(t, 0));
    Tree *const kids[] = {build_mul(a, many, number(t, WORDS)), first, next};
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
  NestNode *wait = nest_sync(a, build_tree(a, OP_AWAIT_PRODUCTS, TYPE_VOID, kids, n));
  if (all) nest_access(a, wait, t->held, USE_ACCUMULATE);
  return wait;
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

/* Do pairs of elements lie at multiples of two, and has a tile no half of one? NULL: its rows' elements lie apart. */
static Tree *has_pairs(Tiles *t) {
  Arena *a = t->l->a;
  const View *to = tiles_in_memory(t, t->plan.written);
  Tree *two = build_index(a, 2);
  const int beside = t->across ? t->plan.rank - PLANE : t->plan.rank - 1; /* what pairs are neighbours in */
  if (!build_is(tiles_step(t, t->plan.written, beside), 1)) return NULL;
  const LaneTile *columns = &t->of[beside];
  Tree *rest = tree_binary(a, OP_REM, TYPE_INT, columns->left, number(t, 2));
  Tree *whole = build_compare(a, OP_LE, columns->each, columns->left);
  whole = tree_binary(a, OP_LOR, TYPE_BOOL, whole, build_compare(a, OP_EQ, rest, number(t, 0)));
  Tree *first = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, to->source.base, to->begin)), *pairs = NULL;
  for (int d = t->plan.rank - 1; d >= 0; d--)
    if (d != beside) pairs = also(t, pairs, build_is_multiple(a, tiles_step(t, t->plan.written, d), two));
  return build_both(a, whole, build_both(a, pairs, build_is_multiple(a, first, two)));
}

NestNode *tiles_by_pairs(Tiles *t, NestNode *single, NestNode *copy) {
  Arena *a = t->l->a;
  Tree *pairs = has_pairs(t);
  NestNode *of_row = nest_over(a, t->axis[t->plan.column], nest_over(a, t->pair, copy));
  NestNode *each = nest_over(a, t->axis[t->plan.row], of_row);
  for (int d = t->plan.rank - PLANE - 1; d >= 0; d--) each = nest_over(a, t->axis[t->plan.own[d]], each);
  return pairs ? nest_when(a, pairs, each, single) : single;
}

/* One instruction: the columns of all, of the row of fragments, and the step of the inner dimension, at hand; or the
 * other way round. */
void tile_groups_multiply(Realising *r, Tiles *t, Tree *row, Tree *step) {
  Arena *a = r->l->a;
  Tree *inner = build_mul(a, step, number(t, t->fragment.inner));
  const int high = t->plan.rank - PLANE, last = t->plan.rank - 1;
  const LaneTile *rows = &t->of[t->across ? last : high], *columns = &t->of[t->across ? high : last];
  Tree *many = build_mul(a, build_div(a, columns->each, columns->unit), number(t, t->fragment.c));
  Tree *kids[8] = {build_element(a, t->held->symbol, build_mul(a, row, many)), NULL, NULL, columns->each};
  for (int i = 0; i < t->codelet->nparams; i++) {
    const Staged *s = &t->staged[i];
    if (!s->value) continue;
    const int by = plan_tile_panelled(&t->plan, i), unit = tiles_unit(t, i), rank = tiles_rank(t, i);
    const bool of_a = by == rank - 1; /* panels cut A's columns */
    const int which = of_a == !t->across ? 0 : 1;
    Tree *index[MOST_DIMENSIONS];
    for (int d = 0; d < rank; d++) {
      const LaneTile *x = tiles_lane(t, i, d);
      if (d == by) index[d] = inner;
      else if (x == columns) index[d] = number(t, 0);
      else {
        Tree *at = t->across ? row : iterations_number(r, t->axis[t->plan.own[x - t->of]]);
        index[d] = build_add(a, x->first, build_mul(a, at, x == rows ? x->unit : x->step));
      }
    }
    Tree *turn = tree_binary(a, OP_REM, t->panel_number->type, t->panel_number, t->stages);
    Tree *place = build_add(a, build_mul(a, turn, s->buffer), tile_groups_place(t, i, index));
    kids[1 + which] = t->words && !is_along(t, i) ? words_of(t, t->here, step, row)
                                                  : build_element(a, s->value->symbol, place);
    kids[4 + which] = lines_of(t, i);
    kids[6 + which] = tree_int(a, TYPE_BOOL, unit == by);
  }
  lowering_add(r->l, build_tree(a, OP_MULTIPLY_GROUP, TYPE_VOID, kids, 8));
}
