/* window_stages.c: the stages of windows (windows.c): a lane's window from memory, and what it holds to memory, by
 * groups of 16 bytes; or element by element.
 *
 * Requires that realise.c says which iterations those are. Keeps the nest as it is. */
#include "lower/tiles.h"

/* An element of a window: in the row at hand that number, counted from the lane's own. */
static Tree *in_window(const Realising *r, const Tiles *t, const Window *w, int param, Tree *element) {
  Arena *a = r->l->a;
  Tree *at = element;
  for (int d = tiles_rank(t, param) - 1; d >= 0; d--)
    if (w->axis[d]) at = build_add(a, build_mul(a, iterations_number(r, w->axis[d]), w->step[d]), at);
  return build_element(a, w->value->symbol, at);
}

static Tree *zero(const Realising *r) { return tree_int(r->l->a, TYPE_INT, 0); }

/* ---- conditions ---- */

/* How many elements of a row of what is written a lane has from the group at hand on: below 1, none. */
static Tree *left_in_row(const Tiles *t) {
  Arena *a = t->l->a;
  const LaneTile *x = &t->of[t->windows->along];
  return build_sub(a, x->left, build_mul(a, t->windows->turn, x->stride));
}

/* What of a row of an operand's window is loaded: so many elements come to it from the one of that number on, at an
 * edge one by one, if they exist. */
typedef struct Load { int param; bool edge; int word; Tree *to, *from, *many; } Load;

/* Does what is read around a part have the row at hand of a window, and of it that element? What lies around a part may
 * be less than there is room for; lanes at an edge may have fewer elements. NULL: it does. */
static Tree *is_needed(const Realising *r, Tiles *t, const WindowRoom *room, const Load *load, Tree *column) {
  const int param = load->param;
  Arena *a = r->l->a;
  Tree *needed = NULL;
  for (int d = 0; d < tiles_rank(t, param); d++) {
    const LaneTile *own = tiles_lane(t, param, d);
    const bool along = windows_along(t, param, d);
    const bool all = room->exact || !plan_tile_halo_name(a, &t->plan.cut[param][d]);
    if (along != (column != NULL) || (!load->edge && (all || room->chunks))) continue;
    Tree *at = along ? column : iterations_number(r, room->of[param].axis[d]);
    Tree *end = !load->edge ? tiles_at_once(t, (int)(own - t->of)) : along ? left_in_row(t) : own->left;
    if (along || !room->chunks) end = build_add(a, end, windows_around(t, param, d));
    Tree *one = build_compare(a, OP_LT, at, end);
    needed = needed ? build_both(a, needed, one) : one;
    if (along && load->edge && t->windows->before)
      needed = build_both(a, build_compare(a, OP_GE, at, windows_before(t)), needed);
  }
  return needed;
}

/* ---- windows ---- */

/* The element in memory that the row at hand has there, in the first chunk. */
static Tree *in_memory(const Realising *r, Tiles *t, const WindowRoom *room, int param, Tree *column) {
  Arena *a = r->l->a;
  Tree *at[MOST_DIMENSIONS];
  for (int d = 0; d < tiles_rank(t, param); d++) {
    const bool along = windows_along(t, param, d);
    at[d] = along ? column : iterations_number(r, room->of[param].axis[d]);
    const int loops = room->chunks && !along ? tiles_loops(t, param, d) : 0;
    for (int i = 0; i < t->plan.nloops; i++)
      if (loops >> i & 1) at[d] = build_add(a, t->axis[i]->at, at[d]);
  }
  return view_element_at(r->l, tiles_in_memory(t, param), at, tiles_rank(t, param));
}

static Tree *one_by_one(Realising *r, Tiles *t, const WindowRoom *room, const Load *p) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Block all, each, one;
  block_open(l, &all);
  Symbol *e = block_open_counted(l, &each, "e");
  Tree *column = build_add(a, p->from, tree_ref(a, e)), *to = build_add(a, p->to, tree_ref(a, e));
  block_open(l, &one);
  Tree *element = in_memory(r, t, room, p->param, column);
  lowering_add(l, build_assign(a, in_window(r, t, &room->of[p->param], p->param, to), element));
  block_close_guarded(l, &one, is_needed(r, t, room, p, column));
  block_close_unrolled(l, &each, e, p->many);
  block_close(l, &all);
  return tree_seq(a, all.inner.at, all.inner.n);
}

static void load(Realising *r, Tiles *t, const WindowRoom *room, const Load *p) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Block row;
  Tree *group = t->of[t->windows->along].group;
  block_open(l, &row);
  Tree *ones = one_by_one(r, t, room, p);
  if (!p->edge) {
    Tree *to = in_window(r, t, &room->of[p->param], p->param, p->to);
    Tree *from = (Tree *)tree_uncast(in_memory(r, t, room, p->param, p->from));
    Tree *one = tree_int(a, TYPE_INT, 1), *multiple = p->word < 0 ? build_choice(a, t->wide, group, one) : one;
    Tree *words = tree_int(a, TYPE_INT, p->word), *phase = room->stream ? t->windows->phase[p->param] : NULL;
    if (phase) words = build_choice(a, t->windows->even, phase, words);
    Tree *const kids[] = {to, from, p->many, multiple, words};
    Tree *run = build_tree(a, OP_LOAD_RUN, TYPE_VOID, kids, 5);
    Tree *several = build_compare(a, OP_GT, group, tree_int(a, TYPE_INT, 1));
    lowering_add(l, build_either(a, several, tree_seq(a, &run, 1), ones));
  } else lowering_add(l, ones);
  block_close_guarded(l, &row, is_needed(r, t, room, p, NULL));
}

/* All of a tile by a block's lanes, each the rows and columns that it has the number of; zeros behind the part's last
 * ones, so that a lane may read all that there is room for. */
static void fill(Realising *r, Tiles *t, const WindowRoom *room, int param) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const Window *w = &room->of[param];
  const int rank = tiles_rank(t, param);
  Block loop[MOST_DIMENSIONS], one;
  Symbol *round[MOST_DIMENSIONS];
  Tree *at[MOST_DIMENSIONS], *place = zero(r), *has_room = NULL, *exists = NULL;
  for (int d = 0; d < rank; d++) {
    const LaneTile *x = tiles_lane(t, param, d);
    round[d] = block_open_counted(l, &loop[d], arena_printf(a, "%s_round", x->cut->name));
    Tree *number = build_add(a, build_mul(a, tree_ref(a, round[d]), x->lanes), x->number);
    at[d] = tree_ref(a, lowering_fixed(l, arena_printf(a, "%s_at", x->cut->name), TYPE_INT, number));
    Tree *in_tile = build_compare(a, OP_LT, at[d], w->tile_extent[d]);
    Tree *in_part = build_compare(a, OP_LT, at[d], tiles_as_int(t, tiles_size(t, param, d)));
    place = build_add(a, place, build_mul(a, at[d], w->tile_step[d]));
    has_room = has_room ? build_both(a, has_room, in_tile) : in_tile;
    exists = exists ? build_both(a, exists, in_part) : in_part;
  }
  block_open(l, &one);
  Tree *to = build_element(a, t->windows->tile[param]->symbol, place);
  Tree *from = (Tree *)tree_uncast(view_element_at(l, tiles_operand(t, param), at, rank));
  Tree *const kids[] = {to, from, tree_int(a, TYPE_INT, 1), exists};
  lowering_add(l, build_tree(a, OP_COPY_AHEAD, TYPE_VOID, kids, 4));
  block_close_guarded(l, &one, has_room);
  for (int d = rank - 1; d >= 0; d--)
    block_close_unrolled(l, &loop[d], round[d], build_ceil_div(a, w->tile_extent[d], tiles_lane(t, param, d)->lanes));
}

/* .. and a lane's rows of them, which begin at multiples of 16 bytes. */
static void take(Realising *r, Tiles *t, const WindowRoom *room, int param) {
  Arena *a = r->l->a;
  const Window *w = &room->of[param];
  Tree *place = zero(r);
  for (int d = 0; d < tiles_rank(t, param); d++) {
    Tree *at = tiles_lane(t, param, d)->first;
    if (w->axis[d]) at = build_add(a, at, iterations_number(r, w->axis[d]));
    place = build_add(a, place, build_mul(a, at, w->tile_step[d]));
  }
  Tree *from = build_element(a, t->windows->tile[param]->symbol, place);
  Tree *const kids[] = {in_window(r, t, w, param, zero(r)), from, w->row, t->of[t->windows->along].group,
                        tree_int(a, TYPE_INT, -1)};
  lowering_add(r->l, build_tree(a, OP_LOAD_RUN, TYPE_VOID, (Tree **)kids, 5));
}

/* What the chunk at hand does not read any more leaves the row at its beginning. */
static void slide(Realising *r, Tiles *t, const WindowRoom *room, int param) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const Window *w = &room->of[param];
  Block each;
  Symbol *e = block_open_counted(l, &each, "e");
  Tree *to = tree_ref(a, e), *from = build_add(a, to, room->chunk);
  lowering_add(l, build_assign(a, in_window(r, t, w, param, to), in_window(r, t, w, param, from)));
  block_close_unrolled(l, &each, e, t->of[t->windows->along].group);
}

/* An element that is the same for all, of the chunk at hand. */
static void load_same(Realising *r, Tiles *t, const WindowRoom *room, int param, Tree *element) {
  Arena *a = r->l->a;
  Tree *at[MOST_DIMENSIONS];
  for (int d = 0; d < tiles_rank(t, param); d++) {
    const int loops = tiles_loops(t, param, d);
    at[d] = loops >> room->inner & 1 ? build_add(a, room->begin, element) : NULL;
    for (int i = 0; i < t->plan.nloops && !(loops >> room->inner & 1); i++)
      if (loops >> i & 1) at[d] = at[d] ? build_add(a, at[d], t->axis[i]->at) : t->axis[i]->at;
  }
  Tree *from = view_element_at(r->l, tiles_in_memory(t, param), at, tiles_rank(t, param));
  lowering_add(r->l, build_assign(a, build_element(a, room->same[param]->symbol, element), from));
}

/* .. or of a stream: one of all that elements read. */
static void load_held(Realising *r, Tiles *t, const WindowRoom *room, int param) {
  const NestValue *held = room->same[param];
  Tree *at[MOST_DIMENSIONS];
  for (int d = 0; d < tiles_rank(t, param); d++) at[d] = iterations_number(r, held->kept.at[d]);
  Tree *from = view_element_at(r->l, tiles_in_memory(t, param), at, tiles_rank(t, param));
  lowering_add(r->l, build_assign(r->l->a, iterations_in_tile(r, held), from));
}

/* ---- what is written ---- */

/* How many elements there are from the group at hand on, in the row at hand; below 1: none. No bounds: of max(0, min(x,
 * n)) == n ptxas 13.0 makes a predicate that does not hold (VIMNMX.RELU), and lanes did not know that they have all. */
static Tree *elements_left(const Realising *r, const Tiles *t) {
  Arena *a = r->l->a;
  Tree *there = NULL, *many = left_in_row(t);
  for (int d = 0; d < t->plan.rank; d++) {
    if (d == t->windows->along) continue;
    Tree *one = build_compare(a, OP_LT, iterations_number(r, t->axis[t->plan.own[d]]), t->of[d].left);
    there = there ? build_both(a, there, one) : one;
  }
  return there ? build_choice(a, there, many, zero(r)) : many;
}

/* A lane's number in its row, and the row's lanes: these are of one vector. */
static Tree *in_row(const Tiles *t) {
  return t->plan.rank < PLANE ? build_lane(t->l->a, OP_LANE) : t->of[t->windows->along].number;
}

static Tree *row_of(const Tiles *t) {
  const int width = t->l->plan->machine->vector_width;
  return t->plan.rank < PLANE ? tree_int(t->l->a, TYPE_INT, width) : t->of[t->windows->along].lanes;
}

static void store_group(Realising *r, Tiles *t, int param) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Tree *at[MOST_DIMENSIONS], *group = t->of[t->windows->along].group;
  for (int d = 0; d < t->plan.rank; d++) at[d] = iterations_number(r, t->axis[t->plan.own[d]]);
  Tree *from = tile_stages_held_of(r, t, param);
  if (t->windows->single) {
    lowering_add(l, build_assign(a, view_element_at(l, tiles_in_memory(t, param), at, t->plan.rank), from));
    return;
  }
  Tree *left = tree_ref(a, lowering_fixed(l, "has", TYPE_INT, elements_left(r, t)));
  Tree *to = view_element_at(l, tiles_in_memory(t, param), at, t->plan.rank);
  Tree *there = build_compare(a, OP_GT, left, zero(r)), *before = t->windows->before ? windows_before(t) : zero(r);
  if (t->windows->before) there = build_both(a, there, build_compare(a, OP_LE, before, zero(r)));
  Tree *one = build_if(a, there, build_assign(a, to, from));
  if (!t->wide) {
    lowering_add(l, one);
    return;
  }
  Tree *aligned = t->wide;
  if (t->windows->before) {
    aligned = tree_binary(a, OP_LOR, TYPE_BOOL, t->wide, t->windows->even);
    before = build_choice(a, t->wide, zero(r), before);
  }
  Tree *const kids[] = {to, from, group, aligned, in_row(t), row_of(t), left, before};
  Tree *run = build_tree(a, OP_STORE_RUN, TYPE_VOID, kids, 8);
  Tree *several = build_compare(a, OP_GT, group, tree_int(a, TYPE_INT, 1));
  lowering_add(l, build_either(a, several, tree_seq(a, &run, 1), tree_seq(a, &one, 1)));
}

/* What is stored is made of what is held, and of what lies beside it, if a lane has that element. */
static void end(Realising *r, Tiles *t) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Block b;
  const Tree *value = t->plan.end->kid[1];
  Tree *there = NULL;
  block_open(l, &b);
  Environment e = tile_stages_environment(r, t, false);
  lowering_add(l, build_assign(a, tile_stages_held(r, t), inline_expression(l, &e, (Tree *)value)));
  for (int d = 0; d < t->plan.rank && tree_contains(value, OP_INDEX) && !t->windows->single; d++) {
    Tree *left = d == t->windows->along ? left_in_row(t) : t->of[d].left;
    Tree *number = iterations_number(r, t->axis[t->plan.own[d]]), *one = build_compare(a, OP_LT, number, left);
    if (d == t->windows->along && t->windows->before)
      one = build_both(a, build_compare(a, OP_GE, number, windows_before(t)), one);
    there = there ? build_both(a, there, one) : one;
  }
  block_close_guarded(l, &b, there);
}

/* Is it a stage of that window? */
static bool write_window(Realising *r, Tiles *t, const WindowRoom *room, int param, const NestStage *stage) {
  Arena *a = r->l->a;
  const Window *w = &room->of[param];
  Tree *group = t->of[t->windows->along].group;
  if (!w->value) return false;
  if (stage == w->slide || stage == w->fill || stage == w->take) {
    (stage == w->slide ? slide : stage == w->fill ? fill : take)(r, t, room, param);
    return true;
  }
  for (int k = 0; k < WINDOW_LOADS; k++)
    for (int edge = 0; edge < 2 + WINDOW_WORDS; edge++) {
      if (stage != w->load[k][edge]) continue;
      Tree *from = k == LOAD_NEXT ? build_add(a, room->begin, group) : zero(r);
      Tree *many = k == LOAD_FIRST ? group : k == LOAD_NEXT ? room->chunk : w->row;
      Tree *to = k == LOAD_NEXT ? group : zero(r);
      load(r, t, room, &(Load){param, edge == 1, edge < 2 ? -1 : edge - 2, to, from, many});
      return true;
    }
  return false;
}

bool window_stages_write(Realising *r, const NestStage *stage) {
  Tiles *t = r->o->tiles;
  Windows *w = t->windows;
  const NestValue *to = stage->at.at[0].value;
  w->now = NULL;
  w->single = false;
  for (int i = 0; i < w->singles.n; i++) w->single |= stage == w->singles.at[i];
  for (int i = 0; i < w->ends.n; i++)
    if (stage == w->ends.at[i]) {
      end(r, t);
      return true;
    }
  for (int k = 0; k < w->rooms; k++) {
    const WindowRoom *room = &w->room[k];
    if (stage == room->codelet[0] || stage == room->codelet[1]) w->now = room;
    for (int i = 0; stage->kind == STAGE_COPY && i < t->codelet->nparams; i++) {
      if (write_window(r, t, room, i, stage)) return true;
      if (stage == room->load_same[i]) {
        load_held(r, t, room, i);
        return true;
      }
      if (!room->same[i] || room->same[i] != to) continue;
      load_same(r, t, room, i, room->each->at);
      return true;
    }
  }
  for (int i = 0; stage->kind == STAGE_COPY && i < t->codelet->nparams; i++) {
    if (to != (i == t->plan.written ? w->whole : w->also_whole[i])) continue;
    store_group(r, t, i);
    return true;
  }
  return false;
}
