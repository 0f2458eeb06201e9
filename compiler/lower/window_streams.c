/* window_streams.c: windows (windows.c) that are streamed: a lane loads a row of them, of three dimensions a plane,
 * uses it for all results that it is part of, and loads the next:
 *
 *     loop over rows             those of a lane's results, and those around them; written out
 *       the row                  of each window
 *       loop over taps           where an inner loop says which of a window's rows is read:
 *         the codelet's body       for the result of which it is that tap, row - tap
 *       or
 *         the codelet's body       for the result whose last row it is
 *       to memory                the result whose last row it is
 *
 * In the first way registers have one row, and the results that are begun: for 5 x 5 weights 8 and 16 elements, where
 * a window of four results a lane has 64 and 16. In the second way they have as many rows as are read for a result.
 * As all is written out, arrays have each row, and what is not read any more takes no register.
 *
 * What all elements read, such as weights, comes to registers ahead of the rows (window_held.c).
 *
 * Requires windows whose sizes are known, or that have room for as much as there may be. Keeps: each element's
 * contributions come in the codelet's order, since taps are the outermost of its inner loops. */
#include "lower/tiles.h"

static int streamed_dimension(const Tiles *t, int param) {
  int d = tiles_rank(t, param) - 1;
  while (d >= 0 && tiles_lane(t, param, d) != &t->of[t->windows->streamed]) d--;
  return d;
}

static bool has_rows(const Tiles *t, int param) {
  const int d = plan_tile_is_window(&t->plan, param) ? streamed_dimension(t, param) : -1;
  return d >= 0 && t->plan.cut[param][d].lanes->op == OP_HALO;
}

/* The outermost inner loop, if its iteration alone says how many rows from a result's first each window is read. */
static int loop_of_taps(const Tiles *t) {
  const PlanTiles *p = &t->plan;
  int taps = 0;
  while (taps < p->nloops && plan_tile_dimension(p, taps) >= 0) taps++;
  if (taps == p->nloops || !p->reduces || p->nwithin) return -1;
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; plan_tile_is_window(p, i) && d < tiles_rank(t, i); d++) {
      const int loops = tiles_loops(t, i, d);
      const bool rows = d == streamed_dimension(t, i);
      if (loops < 0 || (rows ? loops != 1 << taps : loops >> taps & 1) || (rows && !has_rows(t, i))) return -1;
    }
  return taps;
}

/* The larger of two numbers of elements, of which one may be known with the kernel. */
static Tree *larger(Arena *a, Tree *x, Tree *y) {
  int64_t of_x, of_y;
  if (!x || tree_equal(x, y)) return y;
  if (tree_constant(x, &of_x) && tree_constant(y, &of_y)) return of_x < of_y ? y : x;
  return build_choice(a, build_compare(a, OP_LT, x, y), y, x);
}

/* Planes of single elements come two planes before they are used: loads do not go ahead of the stores before them, and
 * a plane of 16 bytes a lane is enough on its way. */
static Tree *elements_ahead(const Tiles *t) {
  enum { PLANES = 2 };
  Arena *a = t->l->a;
  if (t->plan.rank == PLANE) return NULL;
  Tree *single = build_compare(a, OP_EQ, t->of[t->windows->along].group, tree_int(a, TYPE_INT, 1));
  return build_choice(a, single, tree_int(a, TYPE_INT, PLANES), tree_int(a, TYPE_INT, 0));
}

void windows_open_stream(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  const int d = t->windows->streamed;
  room->taps = loop_of_taps(t);
  for (int i = 0; i < t->codelet->nparams; i++)
    if (has_rows(t, i)) room->around = larger(a, room->around, windows_room(t, room, i, streamed_dimension(t, i)));
  const char *what = t->plan.rank > PLANE ? "plane" : "row";
  const char *name = arena_printf(a, "%s_%s", t->of[d].cut->name, what);
  Tree *rows = build_add(a, tiles_at_once(t, d), tiles_as_int(t, room->around));
  room->ahead = room->taps < 0 ? elements_ahead(t) : NULL;
  if (room->ahead) rows = build_add(a, rows, room->ahead);
  room->stream = nest_unrolled(a, name, rows);
  nest_count(a, room->stream, name, TYPE_INT);
}

/* Rows of a window that has fewer around a lane's results than others come when they are read, or first. */
void windows_stream_rows(Tiles *t, WindowRoom *room, int param, int d, Tree *around) {
  Arena *a = t->l->a;
  Window *w = &room->of[param];
  if (!room->stream || d != streamed_dimension(t, param)) return;
  w->streams = true;
  w->by = d;
  w->keeps_rows = room->taps < 0 || !has_rows(t, param);
  if (!w->keeps_rows || (tree_equal(around, room->around) && !room->ahead)) {
    w->axis[d] = room->stream;
    return;
  }
  Tree *row = room->stream->at, *later = room->taps < 0 ? build_sub(a, room->around, around) : build_index(a, 0);
  Tree *exists = build_compare(a, OP_LT, build_sub(a, row, later), w->axis[d]->dim->end);
  if (!build_is(later, 0)) exists = build_both(a, build_compare(a, OP_GE, row, later), exists);
  w->due = nest_skewed(a, w->axis[d], build_sub(a, row, later), exists);
}

/* The taps that registers hold the weights of, where their number is known. */
void windows_open_taps(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  if (room->taps < 0 || room->bounded[room->taps]) return;
  const TileLoop *x = &t->plan.loops[room->taps];
  NestAxis *taps = nest_dimension(a, x->index->name, ROLE_MAP, build_index(a, 0), (Tree *)x->end);
  room->bounded[room->taps] = taps;
  taps->unroll = UNROLL_ALL;
  nest_count(a, taps, x->index->name, TYPE_INT);
}

/* ---- the nest ---- */

/* Of the axis of results, the one whose tap number `tap' the row at hand is; `tap' NULL: whose last row it is. */
static NestNode *result(Tiles *t, const WindowRoom *room, Tree *tap) {
  Arena *a = t->l->a;
  const int d = t->windows->streamed;
  NestAxis *own = t->axis[t->plan.own[d]];
  Tree *row = room->stream->at, *before = tap ? tap : tiles_as_int(t, room->around);
  if (!tap && room->ahead) before = build_add(a, before, room->ahead);
  Tree *begun = build_compare(a, OP_GE, row, before);
  Tree *goes_on = tap ? build_compare(a, OP_LT, row, build_add(a, tap, tiles_at_once(t, d))) : NULL;
  return nest_over(a, nest_skewed(a, own, build_sub(a, row, before), goes_on ? build_both(a, begun, goes_on) : begun),
                   NULL);
}

NestNode *windows_stream(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  const PlanTiles *p = &t->plan;
  NestNode *top = nest_node(a, NEST_SEQ, NULL), *row = nest_node(a, NEST_SEQ, NULL), *at = row;
  for (int i = 0; i < t->codelet->nparams; i++)
    if (room->of[i].keeps_rows) vec_push(a, &top->home, room->of[i].value);
  windows_load_held(t, room, top);
  windows_load(t, room, top, LOAD_WHOLE);
  nest_add(a, top, nest_over(a, room->stream, row));
  windows_load(t, room, row, LOAD_ROW);
  if (room->taps < 0) at = nest_add(a, row, result(t, room, NULL));
  NestNode *finished = at;
  for (int i = 0; i < p->nloops; i++) {
    if (plan_tile_dimension(p, i) >= 0) continue;
    at = windows_over_loop(t, room, i, at, room->exact || !p->loops[i].of);
    if (i == room->taps) at = nest_add(a, at, result(t, room, room->bounded[i]->at));
  }
  room->codelet[0] = windows_elements(t, room, at);
  if (room->taps >= 0) finished = nest_add(a, row, result(t, room, NULL));
  nest_add(a, finished, windows_store(t, room));
  return top;
}
