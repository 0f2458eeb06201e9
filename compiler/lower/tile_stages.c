/* tile_stages.c: the stages of tiles (tiles.c): copies of operands to shared memory, the codelet's body on an element,
 * what is held from and to memory.
 *
 * Requires that realise.c says which iterations those are. Keeps the nest as it is. */
#include "lower/finished.h"

#include "ir/operator.h"

/* ---- copies ---- */

/* The first of the elements that a lane copies at once: its number in the order of memory, by dimension, in the
 * copy. */
typedef struct Element { Tree *number, *index[MOST_DIMENSIONS], *place; } Element;

/* Where the copy of a panel begins. */
static Tree *buffer_of(const Tiles *t, const Staged *s, Tree *panel) {
  Arena *a = t->l->a;
  if (!s->buffer) return tree_int(a, TYPE_INT, 0);
  Tree *buffers = t->stages ? t->stages : build_index(a, BUFFERS);
  return build_mul(a, tree_binary(a, OP_REM, panel->type, panel, buffers), s->buffer);
}

static Tree *buffer_begin(const Tiles *t, const Staged *s) { return buffer_of(t, s, t->panel_number); }

/* The panel that is copied from there. */
static Panel panel_of(const Tiles *t, const Staged *s, const NestValue *from) {
  return from && from == s->first ? t->first : from && from == s->next ? t->next
                                             : (Panel){t->panel_number, t->panel_begin, t->panel_size};
}

/* Of a plane and what lies above it, each has a name, by which all stages read it. */
static void name_places(Realising *r, const Tiles *t, Element *e, int rank) {
  static const char *const names[] = {"batch", "plane", "row", "column"};
  const int first = (int)(sizeof names / sizeof *names) - rank;
  for (int d = 0; d < rank && rank >= PLANE && first >= 0 && !t->plan.groups; d++)
    e->index[d] = tree_ref(r->l->a, lowering_fixed(r->l, names[first + d], TYPE_INT, e->index[d]));
}

static Element element_of(Realising *r, Tiles *t, int param, Tree *panel) {
  Arena *a = r->l->a;
  const Staged *s = &t->staged[param];
  const int unit = tiles_unit(t, param);
  Tree *number = build_add(a, build_mul(a, iterations_number(r, s->rounds), s->lane->extent), s->lane->number);
  Element e = {.number = s->per ? build_mul(a, number, s->per) : number};
  e.number = tree_ref(a, lowering_fixed(r->l, "e", TYPE_INT, e.number));
  const int rank = tiles_rank(t, param), outermost = unit == 0 ? rank - 1 : 0;
  e.index[unit] = tree_binary(a, OP_REM, TYPE_INT, e.number, s->extent[unit]);
  Tree *rest = build_div(a, e.number, s->extent[unit]);
  if (s->rows) { /* what is the same in all rounds is known ahead of them */
    Tree *even = build_compare(a, OP_GT, s->rows, tree_int(a, TYPE_INT, 0));
    Tree *row = build_add(a, s->across, build_mul(a, iterations_number(r, s->rounds), s->rows));
    e.index[unit] = build_choice(a, even, s->along, e.index[unit]);
    rest = build_choice(a, even, row, rest);
  }
  for (int d = rank - 1; d >= 0; d--) {
    if (d == unit) continue;
    e.index[d] = tile_moves_index(t, d == outermost, rest, s->extent[d]);
    rest = build_div(a, rest, s->extent[d]);
  }
  name_places(r, t, &e, rank);
  e.place = buffer_of(t, s, panel);
  if (t->plan.groups) e.place = build_add(a, e.place, tile_groups_place(t, param, e.index));
  for (int d = 0; d < rank && !t->plan.groups; d++)
    e.place = build_add(a, e.place, build_mul(a, e.index[d], s->step[d]));
  return e;
}

/* Where it is in memory; what panels cut is counted from the first one on. A part's last elements are repeated, or what
 * is behind them does not exist. */
static Tree *in_first_panel(Tiles *t, int param, const Element *e, const NestStage *stage) {
  Arena *a = t->l->a;
  const Staged *s = &t->staged[param];
  Tree *at = tiles_operand(t, param)->begin;
  for (int d = 0; d < tiles_rank(t, param); d++) {
    const bool repeats = s->last[d] && (s->from || !t->plan.groups) && !tile_moves_sure(t, stage);
    Tree *index = repeats ? build_cast(a, TYPE_INDEX, build_min(a, e->index[d], s->last[d])) : e->index[d];
    at = build_add(a, at, build_mul(a, index, tiles_step(t, param, d)));
  }
  return at;
}

static Tree *in_array(Arena *a, const NestValue *v, Tree *index) { return build_element(a, v->symbol, index); }

/* Several elements at once, or one. */
static Tree *wide_or_one(Arena *a, const Staged *s, Op move, Tree *to, Tree *from) {
  Tree *one = build_assign(a, to, from);
  if (!s->per) return one;
  Tree *wide = tree_binary(a, move, TYPE_VOID, to, from),
       *many = build_compare(a, OP_GT, s->per, tree_int(a, TYPE_INT, 1));
  wide->move = move == OP_STORE_WIDE ? WIDE_SHARED : WIDE_ALIGNED;
  return build_either(a, many, tree_seq(a, &wide, 1), tree_seq(a, &one, 1));
}

/* From registers, in the order of memory, to a copy that may have another one. */
static void put(Realising *r, Tiles *t, int param, const Element *e) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const Staged *s = &t->staged[param];
  Tree *round = iterations_number(r, s->rounds), *own = s->per ? build_mul(a, round, s->per) : round;
  if (!s->per || build_is(s->step[tiles_unit(t, param)], 1)) {
    lowering_add(l, wide_or_one(a, s, OP_STORE_WIDE, in_array(a, s->value, e->place), in_array(a, s->ahead, own)));
    return;
  }
  Block b;
  Symbol *u = block_open_counted(l, &b, "u");
  Tree *each = tree_ref(a, u), *place = build_add(a, e->place, build_mul(a, each, s->step[tiles_unit(t, param)]));
  lowering_add(l, build_assign(a, in_array(a, s->value, place), in_array(a, s->ahead, build_add(a, own, each))));
  block_close_unrolled(l, &b, u, s->per);
}

/* Zeros in their place, which products add nothing by. */
static Tree *zeros(Realising *r, const Staged *s, Tree *array, Tree *place) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Tree *zero = build_cast(a, s->value->symbol->type, tree_int(a, TYPE_INT, 0));
  if (!s->per) return build_assign(a, build_element(a, array->symbol, place), zero);
  Block b, outer;
  block_open(l, &outer);
  Symbol *u = block_open_counted(l, &b, "u");
  lowering_add(l, build_assign(a, build_element(a, array->symbol, build_add(a, place, tree_ref(a, u))), zero));
  block_close_unrolled(l, &b, u, s->per);
  block_close(l, &outer);
  return tree_seq(a, outer.inner.at, outer.inner.n);
}

/* From memory to registers, or to the copy. What is beyond the last panel is not loaded: nobody reads it, or it is
 * zeros. */
static Tree *get(Realising *r, Tiles *t, int param, const NestStage *stage, const Element *e) {
  Arena *a = r->l->a;
  const Staged *s = &t->staged[param];
  const NestValue *to = stage->at.at[0].value, *from = stage->at.at[1].value;
  const int by = plan_tile_panelled(&t->plan, param);
  Tree *round = iterations_number(r, s->rounds);
  Tree *at = s->from ? in_array(a, s->from, round) : in_first_panel(t, param, e, stage);
  const Panel panel = panel_of(t, s, from);
  if (by >= 0) at = build_add(a, at, build_mul(a, panel.begin, tiles_step(t, param, by)));
  Tree *own = s->per ? build_mul(a, round, s->per) : round;
  Tree *place = to == s->ahead ? in_array(a, s->ahead, own) : in_array(a, s->value, e->place);
  Tree *element = build_element(a, tiles_operand(t, param)->source.base, at);
  if (t->plan.groups) return tile_groups_fill(t, param, place, element, e->index, panel.left);
  Tree *exists = by < 0 ? NULL : build_compare(a, OP_LT, e->index[by], panel.left);
  if (t->stages && exists) {
    if (!tile_moves_sure(t, stage)) exists = tile_copies_exist(t, param, e->index, exists);
    Tree *const kids[] = {place, element, s->per ? s->per : tree_int(a, TYPE_INT, 1), exists};
    return build_tree(a, OP_COPY_AHEAD, TYPE_VOID, kids, 4);
  }
  Tree *move = wide_or_one(a, s, OP_LOAD_WIDE, place, element);
  if (!exists) return move;
  if (!t->plan.multiplies) return build_if(a, exists, move);
  return build_either(a, exists, move, zeros(r, s, place->kid[0], place->kid[1]));
}

/* Elements of what is staged, in the order of memory: to shared memory, to registers, from there; or where they are. */
static void copy(Realising *r, Tiles *t, const NestStage *stage, int param) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const Staged *s = &t->staged[param];
  const NestValue *to = stage->at.at[0].value, *from = stage->at.at[1].value;
  Block b;
  if (to == s->from) {
    const Element e = element_of(r, t, param, build_index(a, 0));
    Tree *place = in_array(a, s->from, iterations_number(r, s->rounds));
    lowering_add(l, build_assign(a, place, in_first_panel(t, param, &e, stage)));
    return;
  }
  for (int i = 0; i < BOXES && from; i++)
    if (from == s->box[i]) return tile_groups_copy(r, t, param, i);
  block_open(l, &b);
  const Element e = element_of(r, t, param, panel_of(t, s, from).number);
  if (from && from == s->ahead) put(r, t, param, &e);
  else lowering_add(l, get(r, t, param, stage, &e));
  block_close(l, &b);
  Tree *all = tiles_copied(t, param), *round = s->per ? build_mul(a, s->lane->extent, s->per) : s->lane->extent;
  Tree *even = build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INT, all, round), tree_int(a, TYPE_INT, 0));
  Tree *exists = tree_binary(a, OP_LOR, TYPE_BOOL, even, build_compare(a, OP_LT, e.number, all));
  if (t->at_step) exists = build_both(a, tile_steps_turn(r, t, param), exists);
  for (int i = 0; i < b.inner.n; i++)
    lowering_add(l, b.inner.at[i]->op == OP_DECLARE ? b.inner.at[i] : build_if(a, exists, b.inner.at[i]));
}

/* ---- a lane's elements ---- */

/* What holds what is written before anybody contributes to it. */
static View *at_first(Tiles *t) {
  const View *v = tiles_operand(t, t->plan.written);
  if (v->plane.copied) v = v->plane.copied;
  Tree *step[MOST_DIMENSIONS];
  for (int d = 0; d < t->plan.rank; d++) step[d] = *view_step_of((View *)v, d);
  View *made = tiles_as_lane_has_it(t, t->plan.written, v->begin, step, NULL);
  made->source.base = v->source.base;
  return made;
}

static View *operand(Tiles *t, int param, bool in_place) {
  Arena *a = t->l->a;
  View *made;
  if (tiles_held(t, param)) {
    made = tiles_in_memory(t, param);
    made->source.base = tiles_held(t, param)->symbol;
    made->begin = tree_int(a, TYPE_INT, 0);
    Tree *step = tree_int(a, TYPE_INT, 1);
    for (int d = t->plan.rank - 1; d >= 0; d--) {
      *view_step_of(made, d) = t->windows && t->windows->single ? made->begin : step;
      step = d == t->plan.rank - 1 ? tiles_at_once(t, d) : build_mul(a, tiles_at_once(t, d), step);
      made->plane.at[d] = NULL;
    }
    made->plane.alone = true;
    return made;
  }
  const Staged *s = &t->staged[param];
  if (t->windows && windows_view(t, param)) return windows_view(t, param);
  if (t->at_step && s->value) return tile_steps_view(t, param, t->at_step);
  if (!s->value || in_place) return tiles_in_memory(t, param);
  made = tiles_as_lane_has_it(t, param, buffer_begin(t, s), s->step, NULL);
  made->source.base = s->value->symbol;
  return made;
}

/* A lane's elements of a fragment are pairs of neighbours in a row: which pair is at hand, and which of it, the first
 * where it is moved whole. */
static Tree *pair_number(const Realising *r, const Tiles *t) {
  Arena *a = r->l->a;
  if (t->pair && iterations_have(r, t->pair)) return iterations_number(r, t->pair);
  return build_div(a, iterations_number(r, t->element), tree_int(a, TYPE_INT, 2));
}

static Tree *in_pair(const Realising *r, const Tiles *t) {
  Arena *a = r->l->a;
  if (t->pair && iterations_have(r, t->pair)) return tree_int(a, TYPE_INT, 0);
  return tree_binary(a, OP_REM, TYPE_INT, iterations_number(r, t->element), tree_int(a, TYPE_INT, 2));
}

/* A part of a row's or a column's number: a number, less its part below `by', less all above `modulo' of it (0: keeps
 * it), times a factor. */
typedef struct Digit {
  enum { OF_PAIR, IN_PAIR, OF_LANE, OF_WARP } of;
  int by, modulo, times;
} Digit;
static Tree *from_digits(const Realising *r, const Tiles *t, const Digit *digits, int n) {
  Arena *a = r->l->a;
  Tree *sum = NULL;
  for (const Digit *x = digits; x < digits + n; x++) {
    Tree *part = x->of == OF_PAIR   ? pair_number(r, t)
                 : x->of == IN_PAIR ? in_pair(r, t)
                                    : build_lane(a, x->of == OF_WARP ? OP_WARP : OP_LANE);
    part = build_div(a, part, tree_int(a, TYPE_INT, x->by));
    if (x->modulo) part = tree_binary(a, OP_REM, TYPE_INT, part, tree_int(a, TYPE_INT, x->modulo));
    part = build_mul(a, part, tree_int(a, TYPE_INT, x->times));
    sum = sum ? build_add(a, sum, part) : part;
  }
  return sum;
}

/* Of a lane's elements of what groups multiply from registers: the row (row_of_words in
 * runtime/device/matrix_groups.cuh). */
static Tree *row_of_words(const Realising *r, const Tiles *t) {
  static const Digit row[] = {{OF_PAIR, 1, 0, 4}, {OF_WARP, 2, 2, 32}, {OF_WARP, 1, 2, 8}, {OF_LANE, 16, 2, 16},
                              {OF_LANE, 4, 4, 1}};
  return from_digits(r, t, row, sizeof row / sizeof *row);
}

/* Where quad pairs multiply (runtime/device/matrix_quads.cuh). */
static Tree *within_quads(const Realising *r, const Tiles *t, bool of_row) {
  static const Digit row[] = {{OF_LANE, 8, 2, 8}, {OF_LANE, 16, 0, 4}, {OF_LANE, 1, 2, 1}, {OF_PAIR, 1, 2, 2}},
                     column[] = {{OF_LANE, 4, 2, 8}, {OF_LANE, 2, 2, 4}, {OF_PAIR, 2, 0, 2}, {IN_PAIR, 1, 0, 1}};
  return from_digits(r, t, of_row ? row : column, 4);
}

/* Of a lane's elements of a fragment: the row, or the column, of the one at hand (runtime/device/matrix.cuh). Where
 * groups share columns these are the fragment's rows. */
static Tree *within_fragment(const Realising *r, const Tiles *t, bool of_row) {
  enum { ROWS = 8, PAIR = 2, LANES = 4 };
  Arena *a = r->l->a;
  Tree *lane = build_lane(a, OP_LANE), *lanes = tree_int(a, TYPE_INT, LANES);
  if (of_row && t->words) return row_of_words(r, t);
  if (t->quads) return within_quads(r, t, of_row);
  if (of_row) {
    Tree *row = build_add(a, build_div(a, lane, lanes),
                          build_mul(a, pair_number(r, t), tree_int(a, TYPE_INT, ROWS)));
    if (!t->plan.groups) return row;
    Tree *warp = tree_binary(a, OP_REM, TYPE_INT, build_lane(a, OP_WARP), tree_int(a, TYPE_INT, GROUP_WARPS));
    return build_add(a, build_mul(a, warp, tree_int(a, TYPE_INT, MATRIX_M)), row);
  }
  Tree *first = build_mul(a, tree_binary(a, OP_REM, TYPE_INT, lane, lanes), tree_int(a, TYPE_INT, PAIR));
  return build_add(a, first, in_pair(r, t));
}

/* Where the element at hand stands among those of a block. */
static void find_places(const Realising *r, Tiles *t) {
  Arena *a = r->l->a;
  for (int d = 0; d < t->plan.rank; d++) {
    const LaneTile *x = &t->of[d];
    Tree *number = iterations_number(r, t->axis[t->plan.own[d]]);
    if (!x->group && !x->unit) continue;
    const bool row = d == t->plan.rank - PLANE + t->across;
    Tree *place = t->windows ? build_add(a, build_mul(a, t->windows->turn, x->stride), number)
                  : x->unit ? build_add(a, build_mul(a, number, x->unit), within_fragment(r, t, row))
                          : build_add(a, build_mul(a, build_div(a, number, x->group), x->stride),
                                      tree_binary(a, OP_REM, TYPE_INT, number, x->group));
    t->at[d] = tree_ref(a, lowering_fixed(r->l, arena_printf(a, "%s_at", x->cut->name), TYPE_INT, place));
  }
}

/* Has the block's part the element of this row and column? */
static Tree *exists(const Realising *r, const Tiles *t) {
  Arena *a = r->l->a;
  Tree *all = NULL;
  for (int d = 0; d < t->plan.rank; d++) {
    const NestAxis *axis = t->axis[t->plan.own[d]];
    Tree *place = t->of[d].group || t->of[d].unit ? t->at[d] : build_mul(a, iterations_number(r, axis), t->of[d].step);
    Tree *one = build_compare(a, OP_LT, place, t->of[d].left);
    if (t->windows && d == t->windows->along && t->windows->before)
      one = build_both(a, build_compare(a, OP_GE, place, t->windows->before), one);
    all = all ? build_both(a, all, one) : one;
  }
  return all;
}

static Tree *element(const Realising *r, const Tiles *t, const View *v) {
  Tree *at[MOST_DIMENSIONS];
  for (int d = 0; d < t->plan.rank; d++) at[d] = iterations_number(r, t->axis[t->plan.own[d]]);
  return view_element_at(r->l, v, at, t->plan.rank);
}

/* The number of a row of fragments, of what is written. */
static Tree *fragment_row(const Realising *r, const Tiles *t) {
  Arena *a = r->l->a;
  const LaneTile *rows = &t->of[t->plan.rank - PLANE];
  Tree *number = iterations_number(r, t->axis[t->plan.row]);
  for (int d = 0; d < t->plan.rank - PLANE; d++)
    number = build_add(
        a, build_mul(a, iterations_number(r, t->axis[t->plan.own[d]]), build_div(a, rows->each, rows->unit)), number);
  return number;
}

/* The first element of the fragment at hand, of what is held, or of what was in memory before. */
static Tree *fragment_in(const Realising *r, const Tiles *t, const NestValue *v) {
  Arena *a = r->l->a;
  const NestAxis *row = t->axis[t->plan.row], *column = t->axis[t->plan.column];
  const bool turned = t->plan.groups && t->across > 0;
  const LaneTile *columns = &t->of[turned ? 0 : t->plan.rank - 1];
  Tree *number = turned ? iterations_number(r, column) : fragment_row(r, t);
  number = build_add(a, build_mul(a, number, build_div(a, columns->each, columns->unit)),
                     iterations_number(r, turned ? row : column));
  return build_element(a, v->symbol, build_mul(a, number, tree_int(a, TYPE_INT, t->fragment.c)));
}

/* The element at hand of these. */
static Tree *element_in(const Realising *r, const Tiles *t, const NestValue *v) {
  Arena *a = r->l->a;
  Tree *of = fragment_in(r, t, v);
  const bool whole = t->pair && iterations_have(r, t->pair);
  Tree *number = iterations_number(r, whole ? t->pair : t->element);
  if (whole) number = build_mul(a, number, tree_int(a, TYPE_INT, 2));
  return build_element(a, v->symbol, build_add(a, of->kid[1], number));
}

Tree *tile_stages_held_of(const Realising *r, Tiles *t, int param) {
  return t->element ? element_in(r, t, t->held) : element(r, t, operand(t, param, false));
}

Tree *tile_stages_held(const Realising *r, Tiles *t) { return tile_stages_held_of(r, t, t->plan.written); }

/* The step of the inner dimension at hand, and where it begins. */
static Tree *step_number(const Realising *r, const Tiles *t) {
  const NestAxis *step = NULL;
  if (t->at_step) return t->at_step->number;
  for (int i = 0; i < t->plan.nloops; i++)
    if (plan_tile_dimension(&t->plan, i) < 0) step = t->axis[i];
  return build_cast(r->l->a, TYPE_INT, step->at);
}

static Tree *inner_step(const Realising *r, const Tiles *t) {
  return build_mul(r->l->a, step_number(r, t), tiles_of_fragment(t, t->fragment.inner));
}

/* Of A panels cut the columns. */
static bool of_a(const Tiles *t, int param) {
  return plan_tile_panelled(&t->plan, param) == tiles_rank(t, param) - 1;
}

/* The fragment at hand of what a warp multiplies; of two copies of all, the step's. */
static Tree *part_fragment(const Realising *r, const Tiles *t, int param) {
  Arena *a = r->l->a;
  const bool rows = of_a(t, param);
  const LaneTile *x = &t->of[t->plan.rank - (rows ? PLANE : 1)];
  Tree *number = iterations_number(r, t->axis[rows ? t->plan.row : t->plan.column]);
  if (t->at_step) number = build_add(a, build_mul(a, t->at_step->copy, build_div(a, x->each, x->unit)), number);
  Tree *many = tiles_of_fragment(t, rows ? t->fragment.a : t->fragment.b);
  return build_element(a, t->staged[param].fragment->symbol, build_mul(a, number, many));
}

/* What a warp multiplies next of a panel, from shared memory. */
static void load_fragment(Realising *r, Tiles *t, int param) {
  Arena *a = r->l->a;
  const Staged *s = &t->staged[param];
  const int by = plan_tile_panelled(&t->plan, param), last = tiles_rank(t, param) - 1, first = last - 1;
  const bool rows = of_a(t, param);
  const int other = rows ? first : last;
  const LaneTile *lane = tiles_lane(t, param, other);
  const NestAxis *axis = t->axis[rows ? t->plan.row : t->plan.column];
  Tree *along = build_add(a, lane->first, build_mul(a, iterations_number(r, axis), lane->unit));
  Tree *buffer = t->at_step ? buffer_of(t, s, t->at_step->panel) : buffer_begin(t, s);
  Tree *place = build_add(a, buffer, build_mul(a, along, s->step[other]));
  place = build_add(a, place, build_mul(a, inner_step(r, t), s->step[by]));
  for (int d = 0; d < first; d++) {
    const LaneTile *above = tiles_lane(t, param, d);
    Tree *number = iterations_number(r, t->axis[t->plan.own[above - t->of]]);
    Tree *at = build_add(a, above->first, build_mul(a, number, above->step));
    place = build_add(a, place, build_mul(a, at, s->step[d]));
  }
  Tree *const kids[] = {part_fragment(r, t, param),
                        in_array(a, s->value, place), s->step[first], s->step[last]};
  lowering_add(r->l, build_tree(a, rows ? OP_LOAD_A : OP_LOAD_B, TYPE_VOID, kids, 4));
}

static void multiply(Realising *r, Tiles *t) {
  if (t->plan.groups) {
    Tree *of = t->across ? iterations_number(r, t->axis[t->plan.column]) : fragment_row(r, t);
    return tile_groups_multiply(r, t, of, step_number(r, t));
  }
  Tree *kids[3] = {fragment_in(r, t, t->held)};
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (i == t->plan.written) continue;
    kids[of_a(t, i) ? 1 : 2] = part_fragment(r, t, i);
  }
  lowering_add(r->l, build_tree(r->l->a, t->quads ? OP_MULTIPLY_TILE : OP_MULTIPLY, TYPE_VOID, kids, 3));
}

/* Is an operand read where it lies, and has no element for what a lane computes beyond the part? */
static bool reads_beyond(const Tiles *t) {
  bool beyond = false;
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; !tiles_held(t, i) && !t->staged[i].value && d < tiles_rank(t, i); d++)
      beyond |= tiles_lane(t, i, d) && !(t->windows && windows_view((Tiles *)t, i));
  return beyond;
}

/* What the codelet's names stand for: declares what it declares ahead of its loops. */
Environment tile_stages_environment(Realising *r, Tiles *t, bool in_place) {
  Lowering *l = r->l;
  Arguments in = {.n = t->codelet->nparams};
  for (int i = 0; i < in.n; i++)
    if (tiles_operand(t, i)) in.at[i].view = operand(t, i, in_place);
    else in.at[i].number = t->in->at[t->plan.of_block[i]].number;
  Environment e = inline_environment(l, t->codelet, &in, t->codelet->body, &t->lane);
  for (int i = 0; i < t->plan.nahead; i++) inline_declaration(l, &e, t->plan.ahead[i]);
  if (t->plan.sum) inline_bind(l, &e, t->plan.sum, tile_stages_held(r, t), NULL);
  return e;
}

/* A loop of the codelet's body, whose variable is in indices of what registers hold. */
static Tree *written_out(void *context, Arena *a, Tree *x) {
  (void)context;
  if (x->op != OP_FOR) return x;
  Tree *loop = tree_with_kids(a, x, x->kid, x->nkids);
  loop->unroll = UNROLL_ALL;
  return loop;
}

static void codelet(Realising *r, Tiles *t, const NestStage *stage, bool in_place) {
  Lowering *l = r->l;
  Block b;
  find_places(r, t);
  Environment e = tile_stages_environment(r, t, in_place);
  for (int i = 0; i < t->plan.nloops; i++) {
    const NestAxis *axis = t->axis[i];
    const WindowRoom *room = t->windows ? t->windows->now : NULL;
    const NestAxis *other = room ? room->bounded[i] : t->whole;
    Tree *chunk = room && other && room->chunks ? build_add(l->a, room->begin, other->at) : NULL;
    Tree *at = room && other ? other->at : axis->at ? axis->at : other ? other->at : NULL; /* of the one at hand */
    if (chunk) at = chunk;
    if (t->at_step && !at) at = build_cast(l->a, TYPE_INDEX, t->at_step->number);
    Tree *number = axis->binding == BINDING_UNROLL ? iterations_number(r, axis) : at;
    inline_bind(l, &e, t->plan.loops[i].index, number, NULL);
  }
  const bool moved = tile_moves_sure(t, stage) || (t->windows && t->windows->single);
  const bool guarded = !moved && (!t->held || in_place || reads_beyond(t));
  if (guarded) block_open(l, &b);
  const Tree *text = windows_text(t, &e);
  if (t->plan.nwithin) text = tree_rewrite_statements(l->a, (Tree *)text, written_out, NULL);
  inline_statements(l, &e, text, NULL);
  if (guarded) block_close_guarded(l, &b, exists(r, t));
}

/* ---- what is held ---- */

static Tree *identity(const Tiles *t) {
  const Symbol *s = t->codelet->params[t->plan.written];
  if (s->atomic) return operator_identity(t->l->a, operator_of_atomic(s->atomic), s->type);
  return build_cast(t->l->a, s->type, tree_int(t->l->a, TYPE_INT, 0));
}

static void fill(Realising *r, Tiles *t) {
  Tree *begin = identity(t);
  if (t->plan.sum) {
    Environment e = tile_stages_environment(r, t, false);
    begin = inline_expression(r->l, &e, (Tree *)t->plan.begin);
  }
  lowering_add(r->l, build_assign(r->l->a, tile_stages_held(r, t), begin));
}

static void load(Realising *r, Tiles *t, const NestValue *to) {
  Arena *a = r->l->a;
  find_places(r, t);
  Tree *memory = finished_begin(r, t, element(r, t, at_first(t)));
  Tree *there = exists(r, t), *first = tile_clusters_first(t);
  Tree *held = to == t->held ? tile_stages_held(r, t) : element_in(r, t, to);
  if (first) there = build_both(a, first, there);
  if (t->pair && iterations_have(r, t->pair)) {
    Tree *next = build_element(a, to->symbol, build_add(a, held->kid[1], tree_int(a, TYPE_INT, 1)));
    Tree *wide = tree_binary(a, OP_LOAD_WIDE, TYPE_VOID, held, memory);
    Tree *none[] = {build_assign(a, held, identity(t)), build_assign(a, next, identity(t))};
    wide->move = WIDE_ALIGNED;
    lowering_add(r->l, build_either(a, there, tree_seq(a, &wide, 1), tree_seq(a, none, 2)));
    return;
  }
  lowering_add(r->l, build_assign(a, held, build_choice(a, there, memory, identity(t))));
}

/* What was in memory to what is held. */
static void add(Realising *r, Tiles *t) {
  Tree *made = build_assign(r->l->a, element_in(r, t, t->held), element_in(r, t, t->before));
  made->compound = OP_ADD;
  lowering_add(r->l, made);
}

static void store(Realising *r, Tiles *t, const NestStage *stage) {
  Arena *a = r->l->a;
  find_places(r, t);
  View *to = tiles_in_memory(t, t->plan.written);
  Tree *place = element(r, t, to), *value = tile_stages_held(r, t), *made;
  const bool adds = tiles_add_in_the_end(t) && tiles_begin_in_memory(t);
  if (t->plan.sum) {
    Environment e = tile_stages_environment(r, t, false);
    value = inline_expression(r->l, &e, t->plan.end->kid[1]);
  }
  if (finished_any(t)) return lowering_add(r->l, build_if(a, exists(r, t), finished_store(r, t, place, value, adds)));
  if (t->pair && iterations_have(r, t->pair)) {
    made = tree_binary(a, t->plan.groups ? OP_STORE_PAIR : OP_STORE_WIDE, TYPE_VOID, place, value);
    if (!t->plan.groups) made->move = WIDE_ALIGNED;
    else if (adds || !to->plane.alone) made->compound = OP_ADD;
    lowering_add(r->l, build_if(a, exists(r, t), made));
    return;
  }
  const AtomicOp own = t->codelet->params[t->plan.written]->atomic; /* none: nobody else contributes */
  if ((to->plane.alone || t->plan.sum || !own) && !adds) made = build_assign(a, place, value);
  else {
    made = tree_binary(a, OP_ATOMIC, TYPE_VOID, place, value);
    if (t->held->type == TYPE_SUM) made->kid[1] = build_cast(a, TYPE_ELEM, value);
    made->atomic = own == ATOMIC_SUB ? ATOMIC_ADD : own; /* what is held was subtracted from zero */
    made->scope = SCOPE_DEVICE;
  }
  lowering_add(r->l, tile_moves_sure(t, stage) ? made : build_if(a, exists(r, t), made));
}

/* What is held, to where the cluster's blocks find it. */
static void show(Realising *r, Tiles *t) {
  Arena *a = r->l->a;
  Tree *index[MOST_DIMENSIONS];
  find_places(r, t);
  for (int d = 0; d < t->plan.rank; d++) {
    const LaneTile *x = &t->of[d];
    Tree *place = x->group || x->unit ? t->at[d]
                                      : build_mul(a, iterations_number(r, t->axis[t->plan.own[d]]), x->step);
    index[d] = build_add(a, x->first, place);
  }
  lowering_add(r->l, build_assign(a, in_array(a, t->parts, tile_clusters_place(t, index)), tile_stages_held(r, t)));
}

static bool copies(const Staged *s, const NestValue *to) {
  return s->value && (s->value == to || s->ahead == to || s->from == to);
}

void tile_stages_write(Realising *r, const NestNode *n) {
  Tiles *t = r->o->tiles;
  const NestStage *s = n->stage;
  t->at_step = tile_steps_of(t, s);
  for (int i = 0; i < t->codelet->nparams && s->kind == STAGE_COPY; i++)
    if (t->element && t->staged[i].fragment && t->staged[i].fragment == s->at.at[0].value)
      return load_fragment(r, t, i);
  for (int i = 0; i < t->codelet->nparams && t->at_step && s->kind == STAGE_COPY; i++)
    if (t->staged[i].fragment && t->staged[i].fragment == s->at.at[0].value)
      return lowering_add(r->l, tile_steps_load(r, t, i, t->at_step, buffer_of(t, &t->staged[i], t->at_step->panel)));
  if (s->kind == STAGE_COPY && (tile_groups_words(r, t, s) || tile_producers_write(r, t, s))) return;
  if (s->kind == STAGE_CODELET && t->element) multiply(r, t);
  else if (s->kind == STAGE_CODELET) codelet(r, t, s, s == t->in_place || (t->windows && !t->windows->now));
  else if (s->kind == STAGE_FILL) fill(r, t);
  else if (s->kind == STAGE_NUMBER) add(r, t);
  else if (s->at.at[0].value == t->held || s->at.at[0].value == t->before) load(r, t, s->at.at[0].value);
  else if (s->at.at[0].value == t->parts) show(r, t);
  else if (s->at.at[0].value == t->memory) store(r, t, s);
  else
    for (int i = 0; i < t->codelet->nparams; i++)
        if (copies(&t->staged[i], s->at.at[0].value)) copy(r, t, s, i);
}
