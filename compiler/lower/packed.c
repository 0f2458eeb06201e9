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
 * the part's last elements where a rectangle goes beyond it; what is computed of these is not stored. A batch's part is
 * one product: compilers do not write rectangles out in one loop more.
 *
 * Where parts are small copies take longer than what they save (!held): operands are read where they lie. What is left
 * beside whole rectangles is not small then. So there are four sizes of them: of all rows and two vectors, which lie
 * within the part; of few rows, as many as the latency of an addition is filled with; and both again of one vector of
 * columns, which is copied, since it may go beyond the part, and compilers keep in registers only what no loop with
 * conditions adds to.
 *
 * The copies are the thread's, who has them for all parts that it takes: its kernel is handed them.
 *
 * Requires a plan of plan_tiles that packs. Keeps: each element's contributions come in the codelet's order. */
#include "lower/packed.h"

#include <string.h>

#include "lower/cuts.h"
#include "lower/maps.h"

int packed_above(const Tiles *t, int param) { return tiles_rank(t, param) - PLANE; }

static int above_of(const Tiles *t) { return t->plan.rank - PLANE; }

static const Symbol *cut_of(const Tiles *t, int side) {
  return tree_cut(t->plan.cut[t->plan.written][above_of(t) + side].lanes);
}

int packed_side(const Tiles *t, int param, int dimension) {
  const Tree *lanes = t->plan.cut[param][dimension].lanes;
  for (int d = 0; lanes && d < PLANE; d++)
    if (cut_of(t, d) == tree_cut(lanes)) return d;
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

/* One side of a shape: of rectangles from `first' to `end', within the part; NULL: to where it ends. */
static PackedSide *make_side(Tiles *t, int side, Tree *first, Tree *end) {
  Arena *a = t->l->a;
  PackedSide *x = arena_one(a, PackedSide);
  const char *name = cut_of(t, side)->name;
  x->of = side;
  x->size = tiles_size(t, t->plan.written, above_of(t) + side);
  x->rectangles = nest_dimension(a, name, ROLE_MAP, first, end ? end : x->size);
  x->within = end != NULL;
  return x;
}

/* .. once it is known how many. */
static void divide_side(Tiles *t, const Work *w, const Level *lanes, PackedSide *x, Tree *each, bool named) {
  Arena *a = t->l->a;
  const char *name = cut_of(t, x->of)->name;
  const TileLoop *loop = &t->plan.loops[x->of == 0 ? t->plan.row : t->plan.column];
  const bool vector = x->of == t->packed->vector;
  Tree *first = x->rectangles->dim->origin;
  x->length = vector ? build_mul(a, each, w->place.lanes) : each;
  x->each = named ? at_head(t, arena_printf(a, "%s_each", name), each) : each;
  Tree *all = vector ? build_mul(a, x->each, w->place.lanes) : x->each;
  x->all = vector && named ? at_head(t, arena_printf(a, "%s_all", name), all) : all;
  x->element = written_out(t, x->rectangles, loop->index->name, x->each);
  if (vector) {
    x->lanes = nest_split_workers(a, x->element, "lane", w->place.lanes, lanes->name, w->place.lane);
    x->lanes->tail = TAIL_NONE;
    x->rectangles->first = first; /* all lanes' */
  }
  x->at = nest_count(a, x->rectangles, name, TYPE_INDEX);
}

static Tree *elements_of_side(Tiles *t, int side) {
  if (side == t->packed->vector) return lane_elements(t->l, t->memory->view->source.base->type);
  return tree_int(t->l->a, TYPE_INT, t->l->plan->machine->measured.tile_rows);
}

/* Does a rectangle lie within the part, by that side? */
static Tree *within(const Tiles *t, const PackedSide *x, Tree *at) {
  Arena *a = t->l->a;
  return build_compare(a, OP_LE, build_add(a, at, build_cast(a, TYPE_INDEX, x->all)), x->size);
}

/* ---- panels ---- */

/* All rectangles of a side, before all else; or those of a vector, each when its turn comes. */
static void pack(Tiles *t, NestNode *home, int param, const PackedShape *shape) {
  Arena *a = t->l->a;
  PackedPanel *p = &t->packed->panels[param];
  const int above = packed_above(t, param);
  View *from = tiles_operand(t, param);
  const int d = packed_side(t, param, above) >= 0 ? 0 : 1;
  p->dimension = above + d;
  p->by = above + 1 - d;
  const PackedSide *x = p->side = shape->side[packed_side(t, param, p->dimension)];
  p->along = build_is(*view_step_of(from, p->dimension), 1);
  Tree *length = build_mul(a, x->length, t->panel);
  if (!x->lanes) {
    const TileCut *of = &t->plan.cut[t->plan.written][above_of(t) + x->of];
    length = build_mul(a, build_ceil_div(a, tiles_extent(t->l, tree_cut(of->grid)), x->length), length);
  }
  const char *name = from->source.base->name;
  p->value = nest_shared(a, home, arena_printf(a, "%s_tile", name), from->source.base->type, length);
  p->value->symbol->handed = true;
  p->value->symbol->exclusive = true;
  p->rectangles = x->rectangles;
  p->element = x->element;
  if (!x->lanes) {
    p->rectangles = dimension_of(t, x->rectangles->name, x->size);
    p->element = written_out(t, p->rectangles, "e", x->all);
    nest_count(a, p->rectangles, x->rectangles->name, TYPE_INDEX);
  } else if (!p->along) {
    p->element = nest_again(a, x->element, "e", BINDING_UNROLL, TAIL_NONE);
    p->element->extent = build_mul(a, x->each, x->lanes->extent);
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
  if (p->side->lanes) copy = nest_over(a, p->side->lanes, copy);
  return nest_over(a, p->inner, nest_over(a, p->element, copy));
}

static void copies(Tiles *t, NestNode *to, bool of_vectors) {
  Arena *a = t->l->a;
  for (int i = 0; i < t->codelet->nparams; i++) {
    const PackedPanel *p = &t->packed->panels[i];
    if (!p->value || (p->side->lanes != NULL) != of_vectors) continue;
    NestNode *copy = copy_of(t, i);
    if (p->along) copy = nest_when(a, within(t, p->side, p->rectangles->at), copy, copy_of(t, i));
    nest_add(a, to, of_vectors ? copy : nest_over(a, p->rectangles, copy));
  }
}

/* ---- loops ---- */

static void loops(Tiles *t, PackedShape *s) {
  Arena *a = t->l->a;
  for (int i = 0; i < t->plan.nloops; i++) {
    const TileLoop *x = &t->plan.loops[i];
    const int d = plan_tile_dimension(&t->plan, i);
    int of = 0;
    while (t->codelet->params[of] != x->of) of++;
    if (d >= above_of(t)) s->axis[i] = s->side[d - above_of(t)]->element;
    else if (d >= 0) s->axis[i] = nest_unrolled(a, x->index->name, tree_int(a, TYPE_INT, 1)); /* a part's one */
    else {
      const bool panel = t->plan.cut[of][x->dimension].panel != NULL;
      s->axis[i] = dimension_of(t, x->index->name, panel ? t->panel_size : tiles_size(t, of, x->dimension));
      nest_count(a, s->axis[i], x->index->name, TYPE_INDEX);
    }
  }
}

/* A rectangle's rows and columns, those that lanes go through the innermost. */
static NestNode *over_rectangle(Tiles *t, const PackedShape *s, NestNode *n) {
  Arena *a = t->l->a;
  const PackedSide *vector = s->side[t->packed->vector];
  n = nest_over(a, vector->element, nest_over(a, vector->lanes, n));
  return nest_over(a, s->side[1 - t->packed->vector]->element, n);
}

/* Do vectors go through it? */
static bool has_vectors(const Tiles *t, int param) {
  const int above = packed_above(t, param);
  return packed_side(t, param, above) == t->packed->vector || packed_side(t, param, above + 1) == t->packed->vector;
}

static bool is_copied(const Tiles *t, const PackedShape *s, int param) {
  return t->packed->panels[param].value && (s->copied || !t->packed->panels[param].side->lanes);
}

static NestNode *body(Tiles *t, const PackedShape *s) {
  Arena *a = t->l->a;
  NestNode *stage = nest_stage(a, STAGE_CODELET, t->codelet);
  nest_access(a, stage, s->held, USE_ACCUMULATE);
  for (int i = 0; i < t->codelet->nparams; i++)
    if (i != t->plan.written && tiles_operand(t, i))
      nest_access(a, stage, is_copied(t, s, i) ? t->packed->panels[i].value : tiles_memory(t, i), USE_READ);
  NestNode *all = over_rectangle(t, s, stage);
  for (int i = t->plan.nloops - 1; i >= 0; i--)
    if (plan_tile_dimension(&t->plan, i) < 0) all = nest_over(a, s->axis[i], all);
  return all;
}

/* Between registers and memory; the second time for a rectangle that goes beyond the part. */
static NestNode *between(Tiles *t, const PackedShape *s, NestValue *to, NestValue *from) {
  Arena *a = t->l->a;
  const PackedSide *rows = s->side[0], *columns = s->side[1];
  NestNode *copy = over_rectangle(t, s, open_copy(a, to, from));
  if (rows->within && columns->within) return copy;
  Tree *whole = rows->within ? NULL : within(t, rows, rows->at);
  if (!columns->within) {
    Tree *one = within(t, columns, columns->at);
    whole = whole ? build_both(a, whole, one) : one;
  }
  return nest_when(a, whole, copy, over_rectangle(t, s, open_copy(a, to, from)));
}

static NestNode *rectangle(Tiles *t, PackedShape *s) {
  Arena *a = t->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  s->held = nest_value(a, arena_printf(a, "%s_held", t->memory->name), NEST_REGISTERS);
  s->held->of = t->memory;
  nest_keep(a, s->held, s->side[1 - t->packed->vector]->element);
  nest_keep(a, s->held, s->side[t->packed->vector]->element);
  vec_push(a, &all->home, s->held);
  loops(t, s);
  nest_add(a, all, between(t, s, s->held, t->memory));
  nest_add(a, all, body(t, s));
  nest_add(a, all, between(t, s, t->memory, s->held));
  return nest_over(a, s->side[1 - t->packed->vector]->rectangles, all);
}

/* ---- the nest ---- */

/* Rectangles of one size. */
static void make_shape(Tiles *t, const Work *w, const Level *lanes) {
  PackedShape *s = &t->packed->shape[t->packed->nshapes++];
  s->copied = true;
  for (int d = 0; d < PLANE; d++) {
    s->side[d] = make_side(t, d, build_index(t->l->a, 0), NULL);
    divide_side(t, w, lanes, s->side[d], elements_of_side(t, d), true);
  }
}

/* .. of four: what is whole of each side, and what is left. */
static void make_shapes(Tiles *t, const Work *w, const Level *lanes, NestNode *home) {
  enum { LATENCY = 4 };
  Arena *a = t->l->a;
  PackedSide *side[PLANE][2];
  for (int d = 0; d < PLANE; d++) {
    const bool vector = d == t->packed->vector;
    const int64_t rows = t->l->plan->machine->measured.tile_rows;
    Tree *none = build_index(a, 0), *each = elements_of_side(t, d);
    PackedSide *left = make_side(t, d, none, NULL);
    Tree *all = build_cast(a, TYPE_INDEX, vector ? build_mul(a, each, w->place.lanes) : each);
    Tree *whole = build_mul(a, build_div(a, left->size, all), all);
    const char *name = arena_printf(a, "%s_whole", cut_of(t, d)->name);
    Tree *end = nest_number(a, home, name, TYPE_INDEX, whole)->now;
    side[d][0] = make_side(t, d, none, end);
    divide_side(t, w, lanes, side[d][0], each, true);
    side[d][1] = make_side(t, d, end, NULL);
    Tree *few = tree_int(a, TYPE_INT, vector ? 1 : rows < LATENCY ? rows : LATENCY);
    divide_side(t, w, lanes, side[d][1], few, false);
  }
  const int vector = t->packed->vector;
  for (int narrow = 0; narrow < 2; narrow++)
    for (int few = 0; few < 2; few++) {
      PackedShape *s = &t->packed->shape[t->packed->nshapes++];
      s->side[vector] = side[vector][narrow];
      s->side[1 - vector] = side[1 - vector][few];
      s->copied = narrow;
    }
}

NestNode *packed_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Tiles *t = arena_one(a, Tiles);
  t->l = l;
  t->packed = arena_one(a, Packed);
  NestNode *all = tiles_begin(t, n, w, "rectangles of a vector");
  if (!all) return NULL;
  const bool in_place = n->traversal == TRAVERSE_HELD;
  t->panel = tiles_extent(l, t->panels);
  while (!plan_tile_lanes(&t->plan, cut_of(t, t->packed->vector))) t->packed->vector++;
  if (in_place) make_shapes(t, w, n->rule->parts, all);
  else make_shape(t, w, n->rule->parts);
  NestNode *panel = tiles_over_panels(t, all);
  const PackedShape *last = &t->packed->shape[t->packed->nshapes - 1];
  for (int i = 0; i < t->codelet->nparams; i++)
    if (plan_tile_is_packed(&t->plan, i) && (!in_place || has_vectors(t, i))) pack(t, all, i, last);
  copies(t, panel, false);
  for (int i = 0; i < t->packed->nshapes;) {
    NestNode *columns = nest_node(a, NEST_SEQ, NULL);
    const PackedSide *x = t->packed->shape[i].side[t->packed->vector];
    if (t->packed->shape[i].copied) copies(t, columns, true);
    for (; i < t->packed->nshapes && t->packed->shape[i].side[t->packed->vector] == x; i++)
      nest_add(a, columns, rectangle(t, &t->packed->shape[i]));
    nest_add(a, panel, nest_over(a, x->rectangles, columns));
  }
  return all;
}
