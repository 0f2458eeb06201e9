/* windows.c: a block's lanes go through a part of a stencil's result, each with a window of what it reads in registers
 * (compose/windows.c):
 *
 *     loop over groups           along a row: 16 bytes where the launcher sees that all lies so that it can be moved
 *                                wide, else an element; the lanes' groups lie side by side
 *       the window               a lane's rows of that group, and what is around them: the groups behind its own come
 *                                from the lanes behind it
 *       inner loops              over as much as there is room for, written out
 *         the codelet's body       for each element of the rectangle, written out
 *       to memory                a group at once
 *
 * If sizes alone say how much lies around an element, there are several windows: for as much as there may be, for half
 * of that, exactly, without any condition; and for anything below. If more lies around, the inner loop along a row is
 * cut into chunks, and a window has what one of them reads. A block at an edge reads operands where they are.
 *
 * Requires a plan of plan_tiles_have_windows. Keeps: each element's contributions come in the codelet's order. */
#include "ir/signature.h"
#include "lower/tiles.h"

/* ---- 16 bytes at once ---- */

static const Operand *operand_of(const Tiles *t, int param) {
  const View *v = tiles_operand(t, param);
  const Signature *s = &t->l->program->signature;
  for (int i = 0; i < s->n; i++)
    if (s->at[i].kind == OPERAND_ARRAY && s->at[i].symbol == v->source.base) return &s->at[i];
  return NULL;
}

/* Do neighbouring lanes have neighbouring elements of it in memory? */
static bool lies_along(const Tiles *t, int param) {
  const int unit = tiles_unit(t, param);
  const Tree *lanes = t->plan.cut[param][unit].lanes;
  return lanes && plan_tile_lanes(&t->plan, tree_cut(lanes));
}

/* Is it moved by groups? */
static bool moves(const Tiles *t, int param) {
  return param == t->plan.written || plan_tile_is_window(&t->plan, param);
}

/* A kernel's flag: the launcher sees that windows may be loaded, and what is written be stored, 16 bytes at once. */
static void ask_for_wide(Tiles *t) {
  Arena *a = t->l->a;
  const Signature *s = &t->l->program->signature;
  Tree *when = NULL;
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (!moves(t, i)) continue;
    const Operand *o = operand_of(t, i);
    if (!o || o->symbol->type != t->memory->view->source.base->type || !lies_along(t, i)) return;
    Tree *width = build_width(a, o->symbol->type), *none = build_index(a, 0);
    Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, o->symbol, none));
    Tree *one = build_compare(a, OP_EQ, ahead, none);
    const int rank = operand_rank(o);
    for (int d = 0; d < rank - 1; d++)
      one = build_both(a, one, build_is_multiple(a, tree_ref(a, s->at[o->size[rank + d]].symbol), width));
    when = when ? build_both(a, when, one) : one;
  }
  if (when && !t->l->now.kernel->flag) t->wide = tree_ref(a, when_flag(t->l, "wide", when));
}

/* ---- windows ---- */

/* How much more `all' is than `part', of which it is a sum; NULL: it is not. */
static Tree *rest_of(Arena *a, Tree *all, const Tree *part) {
  if (tree_equal(all, part)) return build_index(a, 0);
  Tree *rest = all->op == OP_ADD ? rest_of(a, all->kid[0], part) : NULL;
  return rest ? build_add(a, rest, all->kid[1]) : NULL;
}

static bool is_along(const Tiles *t, int param, int d) { return tiles_lane(t, param, d) - t->of == t->windows->along; }

Tree *windows_around(Tiles *t, const WindowRoom *room, int param, int d) {
  Arena *a = t->l->a;
  int64_t more;
  if (room->chunks && !is_along(t, param, d)) return build_index(a, 0);
  if (room->chunks)
    return build_sub(a, build_sub(a, t->axis[room->inner]->dim->end, build_index(a, 1)), room->begin);
  if (plan_tile_halo(t->plan.cut[param][d].lanes, &more)) return build_index(a, more);
  Tree *all = tiles_size(t, param, d), *own = tiles_size(t, t->plan.written, (int)(tiles_lane(t, param, d) - t->of));
  Tree *rest = rest_of(a, all, own);
  return rest ? rest : build_sub(a, all, own);
}

Tree *windows_room(Tiles *t, const WindowRoom *room, int param, int d) {
  Arena *a = t->l->a;
  const TileCut *x = &t->plan.cut[param][d];
  Tree *all = tiles_halo(t, x);
  if (room->chunks && !is_along(t, param, d)) return tree_int(a, TYPE_INT, 0);
  if (room->chunks) return build_sub(a, room->chunk, tree_int(a, TYPE_INT, 1));
  if (!plan_tile_halo_name(t->l->a, x) || room->part == 1) return all;
  return build_div(t->l->a, all, tree_int(t->l->a, TYPE_INT, room->part));
}

/* Are all elements of the block's tile there? */
static Tree *is_inside(Tiles *t) {
  Arena *a = t->l->a;
  Tree *all = NULL;
  for (int d = 0; d < t->plan.rank; d++) {
    Tree *one = build_compare(a, OP_GE, tiles_size(t, t->plan.written, d), build_mul(a, t->of[d].each, t->of[d].lanes));
    all = all ? build_both(a, all, one) : one;
  }
  return tree_ref(a, lowering_fixed(t->l, "inside", TYPE_BOOL, all));
}

/* Does as much lie around the part as there is room for, or as `exact' says? NULL: it does. */
static Tree *fits(Tiles *t, const WindowRoom *room) {
  Arena *a = t->l->a;
  Tree *all = NULL;
  for (int i = 0; i < t->codelet->nparams && !room->chunks; i++)
    for (int d = 0; room->of[i].value && d < tiles_rank(t, i); d++) {
      if (!plan_tile_halo_name(a, &t->plan.cut[i][d])) continue;
      Tree *more = windows_around(t, room, i, d), *most = windows_room(t, room, i, d);
      Tree *one = build_compare(a, room->exact ? OP_EQ : OP_LE, more, most);
      if (!room->exact) one = build_both(a, build_compare(a, OP_GE, more, build_index(a, 0)), one);
      all = all ? build_both(a, all, one) : one;
    }
  for (int i = 0; i < t->plan.nloops && room->exact; i++) {
    if (!room->bounded[i]) continue;
    all = build_both(a, all, build_compare(a, OP_EQ, t->axis[i]->dim->end, room->bounded[i]->dim->end));
  }
  return all;
}

static void open_window(Tiles *t, WindowRoom *room, int param) {
  Arena *a = t->l->a;
  Window *w = &room->of[param];
  const char *name = tiles_operand(t, param)->source.base->name;
  Tree *step = tree_int(a, TYPE_INT, 1), *more[MOST_DIMENSIONS];
  for (int d = 0; d < tiles_rank(t, param); d++) more[d] = windows_room(t, room, param, d);
  w->value = nest_value(a, arena_printf(a, "%s_window", name), NEST_REGISTERS);
  w->value->of = tiles_memory(t, param);
  w->value->type = t->codelet->params[param]->type; /* what is computed with: elements are lifted once */
  for (int d = tiles_rank(t, param) - 1; d >= 0; d--) {
    const LaneTile *lane = tiles_lane(t, param, d);
    const bool along = is_along(t, param, d);
    Tree *all = build_add(a, tiles_at_once(t, (int)(lane - t->of)), more[d]);
    Tree *groups = along ? build_ceil_div(a, all, lane->group) : NULL;
    w->extent[d] = groups ? tiles_at_head(t, arena_printf(a, "%s_groups", name), groups) : all;
    w->axis[d] = nest_unrolled(a, arena_printf(a, "%s_at", lane->cut->name), w->extent[d]);
    w->step[d] = step;
    step = build_mul(a, step, along ? build_mul(a, w->extent[d], lane->group) : w->extent[d]);
  }
  w->size = step;
  if (t->windows->together) nest_keep(a, w->value, t->windows->turns);
  for (int d = 0; d < tiles_rank(t, param); d++) nest_keep(a, w->value, w->axis[d]);
  nest_keep(a, w->value, nest_unrolled(a, "e", t->of[t->windows->along].group));
}

Tree *windows_begin(const Tiles *t, Tree *elements) {
  Arena *a = t->l->a;
  return t->windows->together ? build_mul(a, t->windows->turn, elements) : tree_int(a, TYPE_INT, 0);
}

static NestAxis *turns_of(Tiles *t) {
  Arena *a = t->l->a;
  const LaneTile *x = &t->of[t->windows->along];
  const char *name = arena_printf(a, "%s_turn", x->cut->name);
  NestAxis *turns = nest_dimension(a, name, ROLE_MAP, build_index(a, 0), build_div(a, x->each, x->group));
  turns->unroll = t->windows->together ? UNROLL_ALL : UNROLL_NONE;
  return turns;
}

/* .. for each of a lane's groups, where they are taken together. */
static NestNode *each_turn(Tiles *t, NestNode *n) {
  return t->windows->together ? nest_over(t->l->a, turns_of(t), n) : n;
}

/* From memory; then what the lanes behind have loaded. */
static void load_window(Tiles *t, const Window *w, int param, NestNode *to) {
  Arena *a = t->l->a;
  vec_push(a, &to->home, w->value);
  for (int exchange = 0; exchange < 2; exchange++) {
    NestNode *copy = open_copy(a, w->value, exchange ? w->value : w->value->of);
    for (int d = tiles_rank(t, param) - 1; d >= 0; d--) copy = nest_over(a, w->axis[d], copy);
    nest_add(a, to, each_turn(t, copy));
  }
}

/* ---- the codelet's loops ---- */

typedef struct Bound { Tiles *t; const WindowRoom *room; const Symbol *index; Tree *most; } Bound;

/* How far ahead of an element the loop's variable goes: no further than a window. */
static bool find_bound(void *context, const Tree *x) {
  Bound *b = context;
  Tiles *t = b->t;
  for (int i = 0; x->op == OP_INDEX && i < t->codelet->nparams && !b->most; i++) {
    if (!b->room->of[i].value || x->kid[0]->op != OP_REF || x->kid[0]->symbol != t->codelet->params[i]) continue;
    for (int d = 0; d < x->nkids - 1 && !b->most; d++)
      if (tree_mentions(x->kid[1 + d], b->index))
        b->most = build_add(t->l->a, windows_room(t, b->room, i, d), tree_int(t->l->a, TYPE_INT, 1));
  }
  return !b->most;
}

static void bound_loops(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  const PlanTiles *p = &t->plan;
  for (int i = 0; i < p->nloops; i++) {
    const TileLoop *x = &p->loops[i];
    Bound b = {t, room, x->index, NULL};
    if (plan_tile_dimension(p, i) < 0 && x->of && (!room->chunks || i == room->inner))
      tree_visit(p->body, find_bound, &b);
    if (!b.most) continue;
    room->bounded[i] = nest_dimension(a, x->index->name, ROLE_MAP, build_index(a, 0), b.most);
    room->bounded[i]->unroll = UNROLL_ALL;
    nest_count(a, room->bounded[i], x->index->name, TYPE_INT);
  }
}

static void open_loops(Tiles *t) {
  Arena *a = t->l->a;
  const PlanTiles *p = &t->plan;
  for (int i = 0; i < p->nloops; i++) {
    const TileLoop *x = &p->loops[i];
    const int d = plan_tile_dimension(p, i);
    if (d >= 0) {
      t->axis[i] = nest_unrolled(a, x->index->name, tiles_at_once(t, d));
      continue;
    }
    int of = 0;
    while (x->of && t->codelet->params[of] != x->of) of++;
    Tree *end = x->of ? tiles_size(t, of, x->dimension) : (Tree *)x->end;
    t->axis[i] = nest_dimension(a, x->index->name, ROLE_MAP, build_index(a, 0), end);
    if (!x->of) t->axis[i]->unroll = UNROLL_ALL;
  }
}

/* ---- chunks ---- */

/* The inner loop that goes along the rows of all windows, alone, and is the innermost; -1: there is none. */
static int loop_along(const Tiles *t) {
  const PlanTiles *p = &t->plan;
  int inner = p->nloops - 1;
  while (inner >= 0 && plan_tile_dimension(p, inner) >= 0) inner--;
  if (inner < 0 || !p->loops[inner].of) return -1;
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; plan_tile_is_window(p, i) && d < tiles_rank(t, i); d++) {
      const int loops = tiles_loops(t, i, d);
      if (loops < 0 || (is_along(t, i, d) ? loops != 1 << inner : loops >> inner & 1)) return -1;
    }
  return inner;
}

static void open_chunks(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  Tree *more = NULL, *group = t->of[t->windows->along].group;
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; plan_tile_is_window(&t->plan, i) && d < tiles_rank(t, i); d++)
      if (is_along(t, i, d)) more = tiles_halo(t, &t->plan.cut[i][d]);
  const char *name = arena_printf(a, "%s_chunk", t->plan.loops[room->inner].index->name);
  Tree *whole = build_mul(a, build_ceil_div(a, more, group), group); /* it begins at a group */
  room->chunk = tiles_at_head(t, arena_printf(a, "%s_size", name), whole);
  Tree *many = build_ceil_div(a, t->axis[room->inner]->dim->end, room->chunk);
  room->chunks = nest_dimension(a, "chunks", ROLE_MAP, build_index(a, 0), many);
  room->chunks->unroll = UNROLL_NONE;
  room->begin = build_mul(a, nest_count(a, room->chunks, name, TYPE_INDEX), room->chunk);
}

typedef struct Text { const Tiles *t; const WindowRoom *room; Symbol *within; } Text;

/* In indices of windows the outer inner loops are at their iteration, the one along a row is at that of the chunk. */
static Tree *as_in_chunk(void *context, Arena *a, Tree *x) {
  const Text *text = context;
  const PlanTiles *p = &text->t->plan;
  for (int i = 0; x->op == OP_REF && i < p->nloops; i++) {
    if (p->loops[i].index != x->symbol || plan_tile_dimension(p, i) >= 0) continue;
    return i == text->room->inner ? tree_ref(a, text->within) : tree_int(a, x->type, 0);
  }
  return x;
}

static Tree *on_windows(void *context, Arena *a, Tree *x) {
  const Text *text = context;
  for (int i = 0; x->op == OP_INDEX && i < text->t->codelet->nparams; i++)
    if (text->room->of[i].value && x->kid[0]->op == OP_REF && x->kid[0]->symbol == text->t->codelet->params[i])
      return tree_rewrite(a, x, as_in_chunk, context);
  return x;
}

View *windows_view(Tiles *t, int param) {
  const Window *w = t->windows->now ? &t->windows->now->of[param] : NULL;
  if (!w || !w->value) return NULL;
  View *made = view_new(t->l, *tiles_operand(t, param));
  made->source.base = w->value->symbol;
  made->source.origin = NULL;
  made->begin = windows_begin(t, w->size);
  for (int d = 0; d < tiles_rank(t, param); d++) {
    *view_step_of(made, d) = w->step[d];
    made->plane.at[d] = NULL;
  }
  return made;
}

const Tree *windows_text(Tiles *t, Environment *e) {
  const WindowRoom *room = t->windows ? t->windows->now : NULL;
  if (!room || !room->chunks) return t->plan.body;
  Text text = {t, room, symbol_new(t->l->a, SYMBOL_LOCAL, "within", TYPE_INDEX)};
  inline_bind(t->l, e, text.within, room->bounded[room->inner]->at, NULL);
  return tree_rewrite(t->l->a, (Tree *)t->plan.body, on_windows, &text);
}

/* ---- the codelet ---- */

static void load_all(Tiles *t, const WindowRoom *room, NestNode *to) {
  for (int i = 0; i < t->codelet->nparams; i++)
    if (room->of[i].value) load_window(t, &room->of[i], i, to);
}

/* The inner loops, then the elements that a lane has at once; `room' NULL: operands are read where they lie. */
static NestNode *body(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  const PlanTiles *p = &t->plan;
  NestNode *top = nest_node(a, NEST_SEQ, NULL), *at = top;
  if (room && !room->chunks) load_all(t, room, top);
  for (int i = 0; i < p->nloops; i++) {
    NestAxis *bounded = room ? room->bounded[i] : NULL;
    if (plan_tile_dimension(p, i) >= 0) continue;
    if (room && room->chunks && i == room->inner) {
      at = nest_add(a, nest_add(a, at, nest_over(a, room->chunks, NULL)), nest_node(a, NEST_SEQ, NULL));
      load_all(t, room, at);
    }
    at = nest_add(a, at, nest_over(a, bounded ? bounded : t->axis[i], NULL));
    if (!bounded || room->exact) continue;
    NestNode *there = nest_node(a, NEST_SEQ, NULL);
    Tree *number = room->chunks ? build_add(a, room->begin, bounded->at) : bounded->at;
    nest_add(a, at, nest_when(a, build_compare(a, OP_LT, number, t->axis[i]->dim->end), there, NULL));
    at = there;
  }
  if (t->windows->together) at = nest_add(a, at, nest_over(a, turns_of(t), NULL));
  for (int d = 0; d < p->rank; d++) at = nest_add(a, at, nest_over(a, t->axis[p->own[d]], NULL));
  NestNode *stage = nest_add(a, at, tiles_codelet(t, room, !room));
  if (room) room->codelet = stage->stage;
  return top;
}

/* ---- what is written ---- */

/* By groups, of what is made of the variable that was added up in. */
static NestNode *store_groups(Tiles *t) {
  Arena *a = t->l->a;
  Windows *w = t->windows;
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *store = open_copy(a, w->whole, t->held);
  const Tree *end = t->plan.sum ? t->plan.end->kid[1] : NULL;
  if (end && !(end->op == OP_REF && end->symbol == t->plan.sum)) {
    NestNode *made = nest_add(a, all, each_turn(t, tiles_between(t, t->held, NULL)));
    while (made->kind != NEST_STAGE) made = made->kids.at[0];
    w->end = made->stage;
  }
  for (int d = t->plan.rank - 1; d >= 0; d--)
    if (d != w->along) store = nest_over(a, t->axis[t->plan.own[d]], store);
  nest_add(a, all, each_turn(t, store));
  return all;
}

/* ---- the nest ---- */

/* Which windows there are: if all is known, one. */
static void open_rooms(Tiles *t) {
  static const struct { int part; bool exact, chunks; } rooms[MOST_ROOMS] = {
      {2, true, false}, {1, true, false}, {1, false, false}, {1, false, true}};
  Windows *w = t->windows;
  bool known = true;
  const int inner = loop_along(t);
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; plan_tile_is_window(&t->plan, i) && d < tiles_rank(t, i); d++)
      known &= !plan_tile_halo_name(t->l->a, &t->plan.cut[i][d]);
  for (int k = 0; k < MOST_ROOMS; k++) {
    if (known ? rooms[k].exact || rooms[k].chunks : rooms[k].chunks && inner < 0) continue;
    WindowRoom *room = &w->room[w->rooms++];
    *room = (WindowRoom){.part = rooms[k].part, .exact = rooms[k].exact, .inner = inner};
    if (rooms[k].chunks) open_chunks(t, room);
    for (int i = 0; i < t->codelet->nparams; i++)
      if (plan_tile_is_window(&t->plan, i)) open_window(t, room, i);
    bound_loops(t, room);
  }
}

NestNode *windows_open(Lowering *l, const PlanNode *n, Work *work) {
  enum { RESIDENT_LANES = 512 };
  Arena *a = l->a;
  Tiles *t = arena_one(a, Tiles);
  t->l = l;
  NestNode *all = tiles_begin(t, n, work, "a rectangle each, and windows in registers");
  if (!all) return NULL;
  Windows *w = t->windows = arena_one(a, Windows);
  w->whole = tiles_memory(t, t->plan.written);
  ask_for_wide(t);
  tiles_divide_lanes(t);
  l->now.kernel->resident_lanes = RESIDENT_LANES;
  for (int d = 0; d < t->plan.rank; d++)
    if (t->of[d].group) w->along = d;
  w->together = t->plan.rank < PLANE;
  w->turns = turns_of(t);
  if (!w->together) w->turn = nest_count(a, w->turns, w->turns->name, TYPE_INT);
  open_loops(t);
  open_rooms(t);
  Tree *inside = is_inside(t);
  NestNode *turn = nest_node(a, NEST_SEQ, NULL);
  tiles_hold(t, turn);
  if (w->together) nest_keep(a, t->held, w->turns);
  const bool loads = !t->plan.sum && tiles_begin_in_memory(t);
  if (t->plan.reduces) nest_add(a, turn, each_turn(t, tiles_between(t, t->held, loads ? t->memory : NULL)));
  NestNode *work_of = nest_when(a, tiles_have_any(t), body(t, NULL), NULL);
  for (int k = w->rooms - 1; k >= 0; k--) {
    Tree *fit = fits(t, &w->room[k]);
    work_of = nest_when(a, fit ? build_both(a, inside, fit) : inside, body(t, &w->room[k]), work_of);
  }
  nest_add(a, turn, work_of);
  nest_add(a, turn, nest_when(a, inside, store_groups(t), each_turn(t, tiles_between(t, t->memory, t->held))));
  nest_add(a, all, w->together ? turn : nest_over(a, w->turns, turn));
  return all;
}
