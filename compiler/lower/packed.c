/* packed.c: a CPU's thread goes through a part that is cut in several dimensions (compose/packed.c), so that what it
 * computes with is in registers, and what it reads in caches, side by side:
 *
 *     loop over panels          of the inner dimension
 *       copies                  of operands cut by rows: all of the part's, as many rows as a rectangle has together;
 *                               they stay in the second cache
 *       loop over columns       of rectangles
 *         copies                of operands cut by columns, a rectangle's: they stay in the first cache
 *         loop over rows        of rectangles
 *           from memory         to registers, what is contributed to
 *           the codelet's loops those of the inner dimension; then the rectangle's rows and columns, written out, of
 *                               which lanes have neighbours
 *           to memory
 *
 * or with rows and columns exchanged, where lanes have neighbouring rows, since these lie side by side. A copy repeats
 * the part's last elements where a rectangle goes beyond it; what is computed of these is not stored.
 *
 * The copies are the thread's, who has them for all parts that it takes: its kernel is handed them.
 *
 * Requires a plan of plan_tiles that packs. Keeps: each element's contributions come in the codelet's order. */
#include "lower/packed.h"

#include <string.h>

#include "lower/cuts.h"
#include "lower/maps.h"

int packed_side(const Tiles *t, int param, int dimension) {
  const Tree *lanes = t->plan.cut[param][dimension].lanes;
  for (int d = 0; lanes && d < PLANE; d++)
    if (tree_cut(t->plan.cut[t->plan.written][d].lanes) == tree_cut(lanes)) return d;
  return -1;
}

/* ---- rectangles ---- */

/* Registers hold so many rows of two vectors: a vector's lanes have an element of 4 bytes each, or several vectors one
 * of larger ones. */
static Tree *lane_elements(Lowering *l, Type type) {
  enum { LARGEST = 8 };
  Arena *a = l->a;
  Tree *one = tree_int(a, TYPE_INT, 1);
  Tree *many = build_div(a, build_width(a, type), tree_int(a, TYPE_INT, 2));
  const bool small = type != TYPE_ELEM || (l->program->widest > 0 && l->program->widest <= LARGEST);
  return small ? many : build_choice(a, build_compare(a, OP_GT, many, one), many, one);
}

Tree *packed_rectangle(Lowering *l, const PlanTiles *plan, bool by_lanes) {
  Arena *a = l->a;
  const Arch *m = l->plan->machine;
  if (!by_lanes) return tree_int(a, TYPE_INT, m->measured.tile_rows);
  const Type type = plan->leaf->rule->codelet->params[plan->written]->type;
  return build_mul(a, lane_elements(l, type), tree_int(a, TYPE_INT, m->vector_width));
}

static NestAxis *dimension_of(Tiles *t, const char *name, Tree *size) {
  return nest_dimension(t->l->a, name, ROLE_MAP, build_index(t->l->a, 0), size);
}

/* Its extent is a constant, and it is written out. */
static NestAxis *written_out(Tiles *t, NestAxis *above, const char *name, Tree *extent) {
  NestAxis *x = nest_split(t->l->a, above, name, extent, BINDING_UNROLL);
  x->tail = TAIL_NONE;
  return x;
}

/* A constant by that name, at the kernel's head, whose value compilers know everywhere. */
static Tree *at_head(Tiles *t, const char *name, Tree *value) {
  Tree *made = tiles_at_head(t, name, value);
  made->symbol->enumerated = true;
  return made;
}

static void make_sides(Tiles *t, const Work *w, const Level *lanes) {
  Arena *a = t->l->a;
  for (int d = 0; d < PLANE; d++) {
    PackedSide *x = &t->packed->side[d];
    const Symbol *cut = tree_cut(t->plan.cut[t->plan.written][d].lanes);
    const TileLoop *loop = &t->plan.loops[d == 0 ? t->plan.row : t->plan.column];
    const bool vector = plan_tile_lanes(&t->plan, cut);
    const int64_t rows = t->l->plan->machine->measured.tile_rows;
    Tree *each = vector ? lane_elements(t->l, t->memory->view->source.base->type) : tree_int(a, TYPE_INT, rows);
    x->length = vector ? build_mul(a, each, w->place.lanes) : each;
    x->each = at_head(t, arena_printf(a, "%s_each", cut->name), each);
    x->all = vector ? at_head(t, arena_printf(a, "%s_all", cut->name), build_mul(a, x->each, w->place.lanes)) : x->each;
    x->size = tiles_size(t, t->plan.written, d);
    x->rectangles = dimension_of(t, cut->name, x->size);
    x->element = written_out(t, x->rectangles, loop->index->name, x->each);
    if (vector) {
      t->packed->vector = d;
      t->packed->lanes = nest_split_workers(a, x->element, "lane", w->place.lanes, lanes->name, w->place.lane);
      t->packed->lanes->tail = TAIL_NONE;
      x->rectangles->first = build_index(a, 0); /* all lanes' */
    }
    x->at = nest_count(a, x->rectangles, cut->name, TYPE_INDEX);
  }
}

/* Does a rectangle lie within the part, by that side? */
static Tree *within(const Tiles *t, const PackedSide *x, Tree *at) {
  Arena *a = t->l->a;
  return build_compare(a, OP_LE, build_add(a, at, build_cast(a, TYPE_INDEX, x->all)), x->size);
}

/* ---- panels ---- */

static void pack(Tiles *t, NestNode *home, int param) {
  Arena *a = t->l->a;
  PackedPanel *p = &t->packed->panels[param];
  const View *from = tiles_operand(t, param);
  p->side = packed_side(t, param, 0) >= 0 ? 0 : 1;
  p->by = 1 - p->side;
  p->of = packed_side(t, param, p->side);
  p->along = build_is(p->side == 0 ? from->plane.row_step : from->plane.column_step, 1);
  const PackedSide *x = &t->packed->side[p->of];
  Tree *length = build_mul(a, x->length, t->panel);
  if (p->of != t->packed->vector) {
    const TileCut *of = &t->plan.cut[t->plan.written][p->of];
    length = build_mul(a, build_ceil_div(a, tiles_extent(t->l, tree_cut(of->grid)), x->length), length);
  }
  const char *name = from->source.base->name;
  p->value = nest_shared(a, home, arena_printf(a, "%s_tile", name), from->source.base->type, length);
  p->value->symbol->handed = true;
  p->value->symbol->exclusive = true;
  p->rectangles = x->rectangles;
  p->element = x->element;
  if (p->of != t->packed->vector) { /* all rectangles, before all else */
    p->rectangles = dimension_of(t, x->rectangles->name, x->size);
    p->element = written_out(t, p->rectangles, "e", x->all);
    nest_count(a, p->rectangles, x->rectangles->name, TYPE_INDEX);
  } else if (!p->along) {
    p->element = nest_again(a, x->element, "e", BINDING_UNROLL, TAIL_NONE);
    p->element->extent = build_mul(a, x->each, t->packed->lanes->extent);
    p->element->stride = build_index(a, 1);
  }
  p->inner = dimension_of(t, "k", t->panel_size);
  nest_count(a, p->inner, "k", TYPE_INDEX);
}

/* A panel's elements in the order of memory. */
static NestNode *copy_of(Tiles *t, int param) {
  Arena *a = t->l->a;
  const PackedPanel *p = &t->packed->panels[param];
  NestNode *copy = open_copy(a, p->value, tiles_memory(t, param));
  if (!p->along) return nest_over(a, p->element, nest_over(a, p->inner, copy));
  if (p->of == t->packed->vector) copy = nest_over(a, t->packed->lanes, copy);
  return nest_over(a, p->inner, nest_over(a, p->element, copy));
}

static void copies(Tiles *t, NestNode *to, bool of_vectors) {
  Arena *a = t->l->a;
  for (int i = 0; i < t->codelet->nparams; i++) {
    const PackedPanel *p = &t->packed->panels[i];
    if (!p->value || (p->of == t->packed->vector) != of_vectors) continue;
    NestNode *copy = copy_of(t, i);
    if (p->along) copy = nest_when(a, within(t, &t->packed->side[p->of], p->rectangles->at), copy, copy_of(t, i));
    nest_add(a, to, of_vectors ? copy : nest_over(a, p->rectangles, copy));
  }
}

/* ---- loops ---- */

static void loops(Tiles *t) {
  Arena *a = t->l->a;
  for (int i = 0; i < t->plan.nloops; i++) {
    const TileLoop *x = &t->plan.loops[i];
    int of = 0;
    while (t->codelet->params[of] != x->of) of++;
    if (i == t->plan.row || i == t->plan.column) t->axis[i] = t->packed->side[i == t->plan.row ? 0 : 1].element;
    else {
      const bool panel = t->plan.cut[of][x->dimension].panel != NULL;
      t->axis[i] = dimension_of(t, x->index->name, panel ? t->panel_size : tiles_size(t, of, x->dimension));
      nest_count(a, t->axis[i], x->index->name, TYPE_INDEX);
    }
  }
}

/* A rectangle's rows and columns, those that lanes go through the innermost. */
static NestNode *over_rectangle(Tiles *t, NestNode *n) {
  Arena *a = t->l->a;
  n = nest_over(a, t->packed->side[t->packed->vector].element, nest_over(a, t->packed->lanes, n));
  return nest_over(a, t->packed->side[1 - t->packed->vector].element, n);
}

static NestNode *body(Tiles *t) {
  Arena *a = t->l->a;
  NestNode *stage = nest_stage(a, STAGE_CODELET, t->codelet);
  nest_access(a, stage, t->held, USE_ACCUMULATE);
  for (int i = 0; i < t->codelet->nparams; i++)
    if (i != t->plan.written && tiles_operand(t, i))
      nest_access(a, stage, t->packed->panels[i].value ? t->packed->panels[i].value : tiles_memory(t, i), USE_READ);
  NestNode *all = over_rectangle(t, stage);
  for (int i = t->plan.nloops - 1; i >= 0; i--)
    if (i != t->plan.row && i != t->plan.column) all = nest_over(a, t->axis[i], all);
  return all;
}

/* Between registers and memory; the second time for a rectangle that goes beyond the part. */
static NestNode *between(Tiles *t, NestValue *to, NestValue *from) {
  Arena *a = t->l->a;
  const PackedSide *rows = &t->packed->side[0], *columns = &t->packed->side[1];
  Tree *whole = build_both(a, within(t, rows, rows->at), within(t, columns, columns->at));
  return nest_when(a, whole, over_rectangle(t, open_copy(a, to, from)), over_rectangle(t, open_copy(a, to, from)));
}

static NestNode *rectangle(Tiles *t) {
  Arena *a = t->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  t->held = nest_value(a, arena_printf(a, "%s_held", t->memory->name), NEST_REGISTERS);
  t->held->of = t->memory;
  nest_keep(a, t->held, t->packed->side[1 - t->packed->vector].element);
  nest_keep(a, t->held, t->packed->side[t->packed->vector].element);
  vec_push(a, &all->home, t->held);
  nest_add(a, all, between(t, t->held, t->memory));
  nest_add(a, all, body(t));
  nest_add(a, all, between(t, t->memory, t->held));
  return all;
}

/* ---- the nest ---- */

NestNode *packed_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Tiles *t = arena_one(a, Tiles);
  t->l = l;
  t->packed = arena_one(a, Packed);
  NestNode *all = tiles_begin(t, n, w, "rectangles of a vector"), *columns = nest_node(a, NEST_SEQ, NULL);
  if (!all) return NULL;
  t->panel = tiles_extent(l, t->panels);
  make_sides(t, w, n->rule->parts);
  NestNode *panel = tiles_over_panels(t, all);
  for (int i = 0; i < t->codelet->nparams; i++)
    if (plan_tile_is_packed(&t->plan, i)) pack(t, all, i);
  loops(t);
  copies(t, panel, false);
  copies(t, columns, true);
  const PackedSide *side = t->packed->side;
  nest_add(a, columns, nest_over(a, side[1 - t->packed->vector].rectangles, rectangle(t)));
  nest_add(a, panel, nest_over(a, side[t->packed->vector].rectangles, columns));
  return all;
}
