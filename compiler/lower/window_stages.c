/* window_stages.c: the stages of windows (windows.c): a lane's window from memory, and what it holds to memory, by
 * groups of 16 bytes; or element by element.
 *
 * Requires that realise.c says which iterations those are. Keeps the nest as it is. */
#include "lower/tiles.h"

/* An element of a window: of the group at hand in its row that number, counted from the lane's own. */
static Tree *in_window(const Realising *r, const Tiles *t, const Window *w, int param, Tree *element) {
  Arena *a = r->l->a;
  Tree *at = element;
  for (int d = tiles_rank(t, param) - 1; d >= 0; d--) {
    const bool along = tiles_lane(t, param, d) - t->of == t->windows->along;
    if (!along) at = build_add(a, build_mul(a, iterations_number(r, w->axis[d]), w->step[d]), at);
    else at = build_mul(a, at, w->step[d]);
  }
  return build_element(a, w->value->symbol, build_add(a, windows_begin(t, w->size), at));
}

/* Several elements at once, or one. */
static Tree *move(Arena *a, Op op, Tree *many, Tree *to, Tree *from) {
  Tree *one = build_assign(a, to, from);
  if (build_is(many, 1)) return one;
  Tree *wide = tree_binary(a, op, TYPE_VOID, to, from);
  wide->move = WIDE_ALIGNED;
  Tree *several = build_compare(a, OP_GT, many, tree_int(a, TYPE_INT, 1));
  return build_either(a, several, tree_seq(a, &wide, 1), tree_seq(a, &one, 1));
}

/* Is the row at hand part of the window, and this element of it? What lies around a part may be less than there is room
 * for. NULL: it is. */
static Tree *is_needed(const Realising *r, Tiles *t, const WindowRoom *room, int param, Tree *column) {
  Arena *a = r->l->a;
  Tree *needed = NULL;
  for (int d = 0; d < tiles_rank(t, param); d++) {
    const int own = (int)(tiles_lane(t, param, d) - t->of);
    const bool along = own == t->windows->along;
    if (room->exact || !plan_tile_halo_name(a, &t->plan.cut[param][d]) || (along ? !column : room->chunks != NULL))
      continue;
    Tree *at = along ? column : iterations_number(r, room->of[param].axis[d]);
    Tree *one = build_compare(a, OP_LT, at, build_add(a, tiles_at_once(t, own), windows_around(t, room, param, d)));
    needed = needed ? build_both(a, needed, one) : one;
  }
  return needed;
}

/* The number of the group at hand, counted from the lane's own. */
static Tree *group_of(const Realising *r, const Tiles *t, const Window *w, int param) {
  int d = 0;
  while (tiles_lane(t, param, d) - t->of != t->windows->along) d++;
  return iterations_number(r, w->axis[d]);
}

/* A lane's number in its row, and the row's lanes: these are of one vector. */
static Tree *in_row(const Tiles *t) {
  return t->plan.rank < PLANE ? build_lane(t->l->a, OP_LANE) : t->of[t->windows->along].number;
}

static Tree *row_of(const Tiles *t) {
  const int width = t->l->plan->machine->vector_width;
  return t->plan.rank < PLANE ? tree_int(t->l->a, TYPE_INT, width) : t->of[t->windows->along].lanes;
}

/* Does a lane load the group at hand, and not get it from the lane of its row whose own it is? There is none, or it is
 * one element: all lanes load theirs at once. */
static Tree *is_loaded(const Realising *r, const Tiles *t, Tree *group) {
  Arena *a = r->l->a;
  const LaneTile *lane = &t->of[t->windows->along];
  Tree *behind = build_compare(a, OP_GE, build_add(a, in_row(t), group), row_of(t));
  Tree *single = build_compare(a, OP_EQ, lane->group, tree_int(a, TYPE_INT, 1));
  return tree_binary(a, OP_LOR, TYPE_BOOL, single, behind);
}

/* How far ahead of a lane's element an index is; false: as far as an inner loop says. */
static bool constant_ahead(const Tree *index, int64_t *plus) {
  int64_t left, right;
  while (index->op == OP_CAST) index = index->kid[0];
  if (tree_constant(index, plus)) return true;
  *plus = 0;
  if (index->op == OP_REF) return true;
  if (index->op != OP_ADD) return false;
  if (!constant_ahead(index->kid[0], &left) || !constant_ahead(index->kid[1], &right)) return false;
  *plus = left + right;
  return true;
}

typedef struct Reads {
  const Realising *r;
  const Tiles *t;
  const Window *window;
  int param;
  Tree *column, *any; /* of the element at hand, counted from the lane's own group; does somebody read it? */
  bool all;           /* it may be any */
} Reads;

/* Does this element of the codelet's text become the one at hand, for one of a lane's elements? */
static bool find_read(void *context, const Tree *x) {
  Reads *f = context;
  const Tiles *t = f->t;
  Arena *a = f->r->l->a;
  const bool reads = x->op == OP_INDEX && x->kid[0]->op == OP_REF && x->kid[0]->symbol == t->codelet->params[f->param];
  Tree *one = NULL;
  for (int d = 0; reads && d < x->nkids - 1; d++) {
    int64_t plus;
    const int own = (int)(tiles_lane(t, f->param, d) - t->of);
    const Tree *index = x->kid[1 + d];
    for (int i = 0; i < t->plan.nloops; i++)
      f->all |= plan_tile_dimension(&t->plan, i) < 0 && tree_mentions(index, t->plan.loops[i].index);
    if (f->all || !constant_ahead(index, &plus)) return !(f->all = true);
    Tree *ahead = tree_int(a, TYPE_INT, plus), *end = build_add(a, tiles_at_once(t, own), ahead);
    const bool along = own == t->windows->along;
    Tree *at = along ? f->column : iterations_number(f->r, f->window->axis[d]);
    Tree *here = build_compare(a, OP_LT, at, end);
    if (!along) here = build_both(a, build_compare(a, OP_GE, at, ahead), here);
    one = one ? build_both(a, one, here) : here;
  }
  if (one) f->any = f->any ? tree_binary(a, OP_LOR, TYPE_BOOL, f->any, one) : one;
  return !f->all;
}

/* Is the element at hand, which is no lane's own, read at all? */
static Tree *is_read(const Realising *r, Tiles *t, const WindowRoom *room, int param, Tree *column) {
  Arena *a = r->l->a;
  Reads f = {r, t, &room->of[param], param, column, NULL, false};
  Tree *needed = is_needed(r, t, room, param, column);
  tree_visit(t->plan.body, find_read, &f);
  if (!f.all && f.any) return f.any;
  int d = 0;
  while (tiles_lane(t, param, d) - t->of != t->windows->along) d++;
  Tree *end = build_add(a, t->of[t->windows->along].group, windows_room(t, room, param, d));
  Tree *read = build_compare(a, OP_LT, column, end);
  return needed ? build_both(a, read, needed) : read;
}

/* The element in memory that the row at hand has there. */
static Tree *in_memory(const Realising *r, Tiles *t, const WindowRoom *room, int param, Tree *column) {
  Arena *a = r->l->a;
  Tree *at[MOST_DIMENSIONS];
  for (int d = 0; d < tiles_rank(t, param); d++) {
    const bool along = tiles_lane(t, param, d) - t->of == t->windows->along;
    at[d] = along ? column : iterations_number(r, room->of[param].axis[d]);
    const int loops = room->chunks && !along ? tiles_loops(t, param, d) : 0;
    if (room->chunks && along) at[d] = build_add(a, room->begin, at[d]);
    for (int i = 0; i < t->plan.nloops; i++)
      if (loops >> i & 1) at[d] = build_add(a, t->axis[i]->at, at[d]);
  }
  return view_element_at(r->l, tiles_in_memory(t, param), at, tiles_rank(t, param));
}

/* The elements of the group at hand that are read, each so: */
typedef Tree *Get(Realising *r, Tiles *t, const WindowRoom *room, int param, Tree *e);

static void get_each(Realising *r, Tiles *t, const WindowRoom *room, int param, Get *get) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const Window *w = &room->of[param];
  const LaneTile *lane = &t->of[t->windows->along];
  Block each, one;
  Symbol *e = block_open_counted(l, &each, "e");
  Tree *column = build_add(a, build_mul(a, group_of(r, t, w, param), lane->group), tree_ref(a, e));
  block_open(l, &one);
  lowering_add(l, get(r, t, room, param, tree_ref(a, e)));
  block_close_guarded(l, &one, is_read(r, t, room, param, column));
  block_close_unrolled(l, &each, e, lane->group);
}

static Tree *from_memory(Realising *r, Tiles *t, const WindowRoom *room, int param, Tree *e) {
  Arena *a = r->l->a;
  const Window *w = &room->of[param];
  const LaneTile *lane = &t->of[t->windows->along];
  Tree *column = build_add(a, build_mul(a, group_of(r, t, w, param), lane->group), e);
  return build_assign(a, in_window(r, t, w, param, column), in_memory(r, t, room, param, column));
}

static Tree *from_lane(Realising *r, Tiles *t, const WindowRoom *room, int param, Tree *e) {
  Arena *a = r->l->a;
  const Window *w = &room->of[param];
  const LaneTile *lane = &t->of[t->windows->along];
  Tree *group = group_of(r, t, w, param), *own = in_window(r, t, w, param, e);
  Tree *place = in_window(r, t, w, param, build_add(a, build_mul(a, group, lane->group), e));
  Tree *other = tree_binary(a, OP_SHUFFLE, own->type, own, group);
  other->mode = SHUFFLE_DOWN;
  other = tree_ref(a, lowering_fixed(r->l, "other", own->type, other));
  Tree *has = build_compare(a, OP_LT, build_add(a, in_row(t), group), row_of(t));
  return build_if(a, has, build_assign(a, place, other));
}

/* From memory: a lane's own group, and those that it gets from no other lane. */
static void load_group(Realising *r, Tiles *t, const WindowRoom *room, int param) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const Window *w = &room->of[param];
  Tree *group = group_of(r, t, w, param), *zero = tree_int(a, TYPE_INT, 0);
  Tree *from = in_memory(r, t, room, param, zero), *to = in_window(r, t, w, param, zero);
  Tree *own = move(a, OP_LOAD_WIDE, t->of[t->windows->along].group, to, from);
  Tree *needed = is_needed(r, t, room, param, NULL);
  if (needed) own = build_if(a, needed, own);
  Block b;
  block_open(l, &b);
  get_each(r, t, room, param, from_memory);
  block_close(l, &b);
  Tree *more = build_if(a, is_loaded(r, t, group), tree_seq(a, b.inner.at, b.inner.n));
  lowering_add(l, build_either(a, build_compare(a, OP_EQ, group, zero), tree_seq(a, &own, 1), tree_seq(a, &more, 1)));
}

/* .. and the groups behind it from the lanes whose own they are. */
static void exchange_group(Realising *r, Tiles *t, const WindowRoom *room, int param) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Block b;
  block_open(l, &b);
  get_each(r, t, room, param, from_lane);
  Tree *group = group_of(r, t, &room->of[param], param), *elements = t->of[t->windows->along].group;
  Tree *others = build_compare(a, OP_GT, group, tree_int(a, TYPE_INT, 0));
  block_close_guarded(l, &b, build_both(a, build_compare(a, OP_GT, elements, tree_int(a, TYPE_INT, 1)), others));
}

static void store_group(Realising *r, Tiles *t) {
  Arena *a = r->l->a;
  Tree *at[MOST_DIMENSIONS];
  for (int d = 0; d < t->plan.rank; d++) at[d] = iterations_number(r, t->axis[t->plan.own[d]]);
  Tree *to = view_element_at(r->l, tiles_in_memory(t, t->plan.written), at, t->plan.rank);
  lowering_add(r->l, move(a, OP_STORE_WIDE, t->of[t->windows->along].group, to, tile_stages_held(r, t)));
}

static void end(Realising *r, Tiles *t) {
  Environment e = tile_stages_environment(r, t, false);
  Tree *made = inline_expression(r->l, &e, t->plan.end->kid[1]);
  lowering_add(r->l, build_assign(r->l->a, tile_stages_held(r, t), made));
}

bool window_stages_write(Realising *r, const NestStage *stage) {
  Tiles *t = r->o->tiles;
  Windows *w = t->windows;
  if (w->together) w->turn = r->at; /* the innermost loop's */
  const NestValue *to = stage->at.at[0].value;
  if (stage == w->end) {
    end(r, t);
    return true;
  }
  w->now = NULL;
  for (int k = 0; k < w->rooms; k++) {
    if (stage == w->room[k].codelet) w->now = &w->room[k];
    for (int i = 0; stage->kind == STAGE_COPY && i < t->codelet->nparams; i++) {
      if (!w->room[k].of[i].value || w->room[k].of[i].value != to) continue;
      const bool exchanges = stage->at.at[1].value == to;
      (exchanges ? exchange_group : load_group)(r, t, &w->room[k], i);
      return true;
    }
  }
  if (to != w->whole || stage->kind != STAGE_COPY) return false;
  store_group(r, t);
  return true;
}
