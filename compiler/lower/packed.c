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

View *packed_operand(const Packed *t, int param) { return t->in->at[t->plan.of_block[param]].view; }

int packed_side(const Packed *t, int param, int dimension) {
  const Tree *lanes = t->plan.cut[param][dimension].lanes;
  for (int d = 0; lanes && d < PLANE; d++)
    if (tree_cut(t->plan.cut[t->plan.written][d].lanes) == tree_cut(lanes)) return d;
  return -1;
}

Tree *packed_size(const Packed *t, int param, int dimension) {
  View *v = packed_operand(t, param);
  return dimension == 0 ? view_size(t->l, v) : v->plane.columns;
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

static NestAxis *dimension_of(Packed *t, const char *name, Tree *size) {
  return nest_dimension(t->l->a, name, ROLE_MAP, build_index(t->l->a, 0), size);
}

/* Its extent is a constant, and it is written out. */
static NestAxis *written_out(Packed *t, NestAxis *above, const char *name, Tree *extent) {
  NestAxis *x = nest_split(t->l->a, above, name, extent, BINDING_UNROLL);
  x->tail = TAIL_NONE;
  return x;
}

/* A constant by that name, at the kernel's head. */
static Tree *at_head(Packed *t, const char *name, Tree *value) {
  Lowering *l = t->l;
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), TYPE_INT);
  s->constant = s->enumerated = true;
  vec_push(l->a, &l->now.shared, build_declare(l->a, s, value));
  return tree_ref(l->a, s);
}

static void make_sides(Packed *t, const Work *w, const Level *lanes) {
  Arena *a = t->l->a;
  for (int d = 0; d < PLANE; d++) {
    PackedSide *x = &t->side[d];
    const Symbol *cut = tree_cut(t->plan.cut[t->plan.written][d].lanes);
    const TileLoop *loop = &t->plan.loops[d == 0 ? t->plan.row : t->plan.column];
    const bool vector = plan_tile_lanes(&t->plan, cut);
    const int64_t rows = t->l->plan->machine->measured.tile_rows;
    Tree *each = vector ? lane_elements(t->l, t->memory->view->source.base->type) : tree_int(a, TYPE_INT, rows);
    x->length = vector ? build_mul(a, each, w->place.lanes) : each;
    x->each = at_head(t, arena_printf(a, "%s_each", cut->name), each);
    x->all = vector ? at_head(t, arena_printf(a, "%s_all", cut->name), build_mul(a, x->each, w->place.lanes)) : x->each;
    x->size = packed_size(t, t->plan.written, d);
    x->rectangles = dimension_of(t, cut->name, x->size);
    x->element = written_out(t, x->rectangles, loop->index->name, x->each);
    if (vector) {
      t->vector = d;
      t->lanes = nest_split_workers(a, x->element, "lane", w->place.lanes, lanes->name, w->place.lane);
      t->lanes->tail = TAIL_NONE;
      x->rectangles->first = build_index(a, 0); /* all lanes' */
    }
    x->at = nest_count(a, x->rectangles, cut->name, TYPE_INDEX);
  }
}

/* Does a rectangle lie within the part, by that side? */
static Tree *within(const Packed *t, const PackedSide *x, Tree *at) {
  Arena *a = t->l->a;
  return build_compare(a, OP_LE, build_add(a, at, build_cast(a, TYPE_INDEX, x->all)), x->size);
}

/* ---- panels ---- */

static NestValue *memory_of(Packed *t, int param) {
  return open_memory(t->l->a, packed_operand(t, param)->source.base->name, packed_operand(t, param));
}

static void pack(Packed *t, NestNode *home, int param) {
  Arena *a = t->l->a;
  PackedPanel *p = &t->panels[param];
  const View *from = packed_operand(t, param);
  p->side = packed_side(t, param, 0) >= 0 ? 0 : 1;
  p->by = 1 - p->side;
  p->of = packed_side(t, param, p->side);
  p->along = build_is(p->side == 0 ? from->plane.row_step : from->plane.column_step, 1);
  const PackedSide *x = &t->side[p->of];
  Tree *length = build_mul(a, x->length, t->panel);
  if (p->of != t->vector) {
    const TileCut *of = &t->plan.cut[t->plan.written][p->of];
    length = build_mul(a, build_ceil_div(a, tiles_extent(t->l, tree_cut(of->grid)), x->length), length);
  }
  const char *name = from->source.base->name;
  p->value = nest_shared(a, home, arena_printf(a, "%s_tile", name), from->source.base->type, length);
  p->value->symbol->handed = true;
  p->value->symbol->apart = true;
  p->rectangles = x->rectangles;
  p->element = x->element;
  if (p->of != t->vector) { /* all rectangles, before all else */
    p->rectangles = dimension_of(t, x->rectangles->name, x->size);
    p->element = written_out(t, p->rectangles, "e", x->all);
    nest_count(a, p->rectangles, x->rectangles->name, TYPE_INDEX);
  } else if (!p->along) {
    p->element = nest_again(a, x->element, "e", BINDING_UNROLL, TAIL_NONE);
    p->element->extent = build_mul(a, x->each, t->lanes->extent);
    p->element->stride = build_index(a, 1);
  }
  p->inner = dimension_of(t, "k", t->panel_size);
  nest_count(a, p->inner, "k", TYPE_INDEX);
}

/* A panel's elements in the order of memory. */
static NestNode *copy_of(Packed *t, int param) {
  Arena *a = t->l->a;
  const PackedPanel *p = &t->panels[param];
  NestNode *copy = open_copy(a, p->value, memory_of(t, param));
  if (!p->along) return nest_over(a, p->element, nest_over(a, p->inner, copy));
  if (p->of == t->vector) copy = nest_over(a, t->lanes, copy);
  return nest_over(a, p->inner, nest_over(a, p->element, copy));
}

static void copies(Packed *t, NestNode *to, bool of_vectors) {
  Arena *a = t->l->a;
  for (int i = 0; i < t->codelet->nparams; i++) {
    const PackedPanel *p = &t->panels[i];
    if (!p->value || (p->of == t->vector) != of_vectors) continue;
    NestNode *copy = copy_of(t, i);
    if (p->along) copy = nest_when(a, within(t, &t->side[p->of], p->rectangles->at), copy, copy_of(t, i));
    nest_add(a, to, of_vectors ? copy : nest_over(a, p->rectangles, copy));
  }
}

/* ---- loops ---- */

static void loops(Packed *t) {
  Arena *a = t->l->a;
  for (int i = 0; i < t->plan.nloops; i++) {
    const TileLoop *x = &t->plan.loops[i];
    int of = 0;
    while (t->codelet->params[of] != x->of) of++;
    if (i == t->plan.row || i == t->plan.column) t->axis[i] = t->side[i == t->plan.row ? 0 : 1].element;
    else {
      const bool panel = t->plan.cut[of][x->dimension].panel != NULL;
      t->axis[i] = dimension_of(t, x->index->name, panel ? t->panel_size : packed_size(t, of, x->dimension));
      nest_count(a, t->axis[i], x->index->name, TYPE_INDEX);
    }
  }
}

/* A rectangle's rows and columns, those that lanes go through the innermost. */
static NestNode *over_rectangle(Packed *t, NestNode *n) {
  Arena *a = t->l->a;
  n = nest_over(a, t->side[t->vector].element, nest_over(a, t->lanes, n));
  return nest_over(a, t->side[1 - t->vector].element, n);
}

static NestNode *body(Packed *t) {
  Arena *a = t->l->a;
  NestNode *stage = nest_stage(a, STAGE_CODELET, t->codelet);
  nest_access(a, stage, t->held, USE_ACCUMULATE);
  for (int i = 0; i < t->codelet->nparams; i++)
    if (i != t->plan.written && packed_operand(t, i))
      nest_access(a, stage, t->panels[i].value ? t->panels[i].value : memory_of(t, i), USE_READ);
  NestNode *all = over_rectangle(t, stage);
  for (int i = t->plan.nloops - 1; i >= 0; i--)
    if (i != t->plan.row && i != t->plan.column) all = nest_over(a, t->axis[i], all);
  return all;
}

/* Between registers and memory; the second time for a rectangle that goes beyond the part. */
static NestNode *between(Packed *t, NestValue *to, NestValue *from) {
  Arena *a = t->l->a;
  Tree *whole = build_both(a, within(t, &t->side[0], t->side[0].at), within(t, &t->side[1], t->side[1].at));
  return nest_when(a, whole, over_rectangle(t, open_copy(a, to, from)), over_rectangle(t, open_copy(a, to, from)));
}

static NestNode *rectangle(Packed *t) {
  Arena *a = t->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  t->held = nest_value(a, arena_printf(a, "%s_held", t->memory->name), NEST_REGISTERS);
  t->held->of = t->memory;
  nest_keep(a, t->held, t->side[1 - t->vector].element);
  nest_keep(a, t->held, t->side[t->vector].element);
  vec_push(a, &all->home, t->held);
  nest_add(a, all, between(t, t->held, t->memory));
  nest_add(a, all, body(t));
  nest_add(a, all, between(t, t->memory, t->held));
  return all;
}

/* ---- the nest ---- */

static Tree *panelled_size(const Packed *t) {
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; d < PLANE; d++)
      if (t->plan.cut[i][d].panel) return packed_size(t, i, d);
  return NULL;
}

/* What is done with each panel goes to the node that is returned. */
static NestNode *over_panels(Packed *t, NestNode *to, const Symbol *cut) {
  Arena *a = t->l->a;
  Tree *all = panelled_size(t);
  NestAxis *x = dimension_of(t, "panels", build_ceil_div(a, all, t->panel));
  Tree *number = nest_count(a, x, cut->name, TYPE_INDEX);
  NestNode *each = nest_node(a, NEST_SEQ, NULL);
  Tree *place = build_mul(a, number, t->panel);
  t->panel_begin = nest_number(a, each, arena_printf(a, "%s_begin", cut->name), TYPE_INDEX, place)->now;
  Tree *size = build_min(a, build_cast(a, TYPE_INDEX, t->panel), build_sub(a, all, t->panel_begin));
  t->panel_size = nest_number(a, each, arena_printf(a, "%s_size", cut->name), TYPE_INDEX, size)->now;
  nest_add(a, to, nest_over(a, x, each));
  each->comment = arena_printf(a, "%s: %s, one part after another", t->plan.loop->rule->level->name,
                               lowering_source(t->l, t->plan.loop->rule->codelet));
  return each;
}

NestNode *packed_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Packed *t = arena_one(a, Packed);
  t->l = l;
  if (!plan_tiles(lowering_work(l), &t->plan)) {
    lowering_fail(l, n->rule->codelet->where, "its tiles have no extents that are known");
    return NULL;
  }
  t->codelet = t->plan.leaf->rule->codelet;
  t->in = &w->in;
  t->lane = lowering_place(l, n->rule->parts);
  View *written = packed_operand(t, t->plan.written);
  t->memory = open_memory(a, written->source.base->name, written);
  lowering_comment(l, "%s > %s: %s, rectangles of a vector; %s", n->rule->level->name, n->rule->parts->name,
                   lowering_source(l, n->rule->codelet), lowering_source(l, t->codelet));
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *columns = nest_node(a, NEST_SEQ, NULL);
  Opened *o = all->opened = arena_one(a, Opened);
  *o = (Opened){.l = l, .plan = n, .place = &w->place, .packed = t};
  const Symbol *cut = plan_tile_panels(&t->plan);
  t->panel = tiles_extent(l, cut);
  make_sides(t, w, n->rule->parts);
  NestNode *panel = over_panels(t, all, cut);
  for (int i = 0; i < t->codelet->nparams; i++)
    if (plan_tile_is_packed(&t->plan, i)) pack(t, all, i);
  loops(t);
  copies(t, panel, false);
  copies(t, columns, true);
  nest_add(a, columns, nest_over(a, t->side[1 - t->vector].rectangles, rectangle(t)));
  nest_add(a, panel, nest_over(a, t->side[t->vector].rectangles, columns));
  return all;
}
