/* window_parts.c: what nests of windows are made of, whether these come at once, slide or are streamed (windows.c,
 * window_streams.c): loads, the codelet's loops, and what goes to memory.
 *
 * Requires rooms that are open. Keeps: each stage is one that window_stages.c writes. */
#include "lower/tiles.h"

/* ---- windows from memory ---- */

/* Of a stream, what is within arrays: vectors, or what comes by shared memory. */
static void load_streamed(Tiles *t, WindowRoom *room, NestNode *to, int what, bool tiles) {
  Arena *a = t->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  for (int i = 0; i < t->codelet->nparams; i++) {
    Window *w = &room->of[i];
    if (!w->value || (w->tile_size != NULL) != tiles || w->streams != (what == LOAD_ROW)) continue;
    if (!w->keeps_rows) vec_push(a, &to->home, w->value);
    w->load[what][0] = windows_copy_rows(t, w, all, w->value->of);
  }
  if (!all->kids.n) return;
  if (tiles) all = nest_when(a, windows_come_directly(t), all, windows_by_tiles(t, room, what == LOAD_ROW));
  nest_add(a, to, all);
}

/* By vectors, or by lanes at an edge one by one; `tiles': windows that may come by shared memory, or the others. */
static void load_some(Tiles *t, WindowRoom *room, NestNode *to, int what, bool tiles) {
  Arena *a = t->l->a;
  NestNode *by[2] = {nest_node(a, NEST_SEQ, NULL), nest_node(a, NEST_SEQ, NULL)};
  bool any = false;
  for (int i = 0; i < t->codelet->nparams; i++) {
    Window *w = &room->of[i];
    if (!w->value || (w->tile_size != NULL) != tiles) continue;
    any = true;
    if (what != LOAD_NEXT) vec_push(a, &to->home, w->value);
    NestNode *inside = t->windows->word[i] ? nest_node(a, NEST_SEQ, NULL) : by[0];
    w->load[what][0] = windows_copy_rows(t, w, inside, w->value->of);
    w->load[what][1] = windows_copy_rows(t, w, by[1], w->value->of);
    if (inside == by[0]) continue;
    NestNode *words = NULL;
    for (int k = WINDOW_WORDS - 1; k >= 0; k--) {
      NestNode *one = nest_node(a, NEST_SEQ, NULL);
      w->load[what][2 + k] = windows_copy_rows(t, w, one, w->value->of);
      Tree *here = build_compare(a, OP_EQ, t->windows->word[i], tree_int(a, TYPE_INT, k));
      words = words ? nest_when(a, here, one, words) : one;
    }
    Tree *width = build_width(a, tiles_operand(t, i)->source.base->type); /* groups of fewer bytes: lanes differ */
    Tree *same = build_both(a, t->windows->even, build_is_multiple(a, t->of[t->windows->along].group, width));
    nest_add(a, by[0], nest_when(a, same, words, inside));
  }
  if (!any) return;
  NestNode *here = t->wide ? nest_when(a, t->windows->inside, by[0], by[1]) : by[1];
  nest_add(a, to, tiles ? nest_when(a, windows_come_directly(t), here, windows_by_tiles(t, room, false)) : here);
}

void windows_load(Tiles *t, WindowRoom *room, NestNode *to, int what) {
  for (int tiles = 1; tiles >= 0; tiles--) (room->stream ? load_streamed : load_some)(t, room, to, what, tiles);
}

/* ---- the codelet ---- */

NestNode *windows_over_loop(Tiles *t, const WindowRoom *room, int loop, NestNode *at, bool all) {
  Arena *a = t->l->a;
  NestAxis *bounded = room ? room->bounded[loop] : NULL;
  at = nest_add(a, at, nest_over(a, bounded ? bounded : t->axis[loop], NULL));
  if (!bounded || all) return at;
  NestNode *there = nest_node(a, NEST_SEQ, NULL);
  Tree *number = room->chunks ? build_add(a, room->begin, bounded->at) : bounded->at;
  nest_add(a, at, nest_when(a, build_compare(a, OP_LT, number, t->axis[loop]->dim->end), there, NULL));
  return there;
}

/* Is it a dimension whose rows come one at a time? Loops around say which is at hand. */
static bool is_streamed(const Tiles *t, const WindowRoom *room, int d) {
  return room && room->stream && d == t->windows->streamed;
}

const NestStage *windows_elements(Tiles *t, const WindowRoom *room, NestNode *at) {
  Arena *a = t->l->a;
  for (int d = 0; d < t->plan.rank; d++)
    if (!is_streamed(t, room, d)) at = nest_add(a, at, nest_over(a, t->axis[t->plan.own[d]], NULL));
  return nest_add(a, at, tiles_codelet(t, room, !room))->stage;
}

/* ---- what is written ---- */

NestNode *windows_store(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  Windows *w = t->windows;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  const Tree *end = t->plan.sum ? t->plan.end->kid[1] : NULL;
  if (end && !(end->op == OP_REF && end->symbol == t->plan.sum)) {
    NestNode *made = nest_operate(a, STAGE_FILL, OPERATOR_NONE, t->held, NULL);
    vec_push(a, &w->ends, made->stage);
    for (int d = t->plan.rank - 1; d >= 0; d--)
      if (!is_streamed(t, room, d)) made = nest_over(a, t->axis[t->plan.own[d]], made);
    nest_add(a, all, made);
  }
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (!tiles_writes(t, i)) continue;
    NestNode *store = open_copy(a, t->plan.also[i] ? w->also_whole[i] : w->whole, tiles_held(t, i));
    for (int d = t->plan.rank - 1; d >= 0; d--)
      if (d != w->along && !is_streamed(t, room, d)) store = nest_over(a, t->axis[t->plan.own[d]], store);
    nest_add(a, all, store);
  }
  return all;
}

Tree *windows_before(const Tiles *t) {
  Arena *a = t->l->a;
  return build_sub(a, t->windows->before, build_mul(a, t->windows->turn, t->of[t->windows->along].stride));
}

/* Of a dimension of what is written, one that there is. */
static Tree *is_there(Tiles *t, int d, Tree *number) {
  Arena *a = t->l->a;
  const LaneTile *x = &t->of[d];
  if (d != t->windows->along) return build_compare(a, OP_LT, number, x->left);
  Tree *left = build_sub(a, x->left, build_mul(a, t->windows->turn, x->stride));
  Tree *is = build_compare(a, OP_LT, number, left);
  return t->windows->before ? build_both(a, build_compare(a, OP_GE, number, windows_before(t)), is) : is;
}

NestNode *windows_one_by_one(Tiles *t) {
  Arena *a = t->l->a;
  Windows *w = t->windows;
  NestNode *top = nest_node(a, NEST_SEQ, NULL), *at = top;
  for (int d = 0; d < t->plan.rank; d++) {
    const NestAxis *own = t->axis[t->plan.own[d]];
    NestAxis *each = nest_dimension(a, own->name, ROLE_MAP, build_index(a, 0), tiles_at_once(t, d));
    each->unroll = UNROLL_NONE;
    Tree *number = nest_count(a, each, own->name, TYPE_INT);
    at = nest_add(a, at, nest_over(a, each, NULL));
    at = nest_add(a, at, nest_over(a, nest_skewed(a, own, number, is_there(t, d, number)), NULL));
  }
  NestNode *one = nest_add(a, at, nest_node(a, NEST_SEQ, NULL)), *loops = one;
  if (t->plan.reduces) {
    NestNode *begin = nest_add(a, one, nest_operate(a, STAGE_FILL, OPERATOR_NONE, t->held, NULL));
    vec_push(a, &w->singles, begin->stage);
  }
  for (int i = 0; i < t->plan.nloops; i++)
    if (plan_tile_dimension(&t->plan, i) < 0) loops = windows_over_loop(t, NULL, i, loops, false);
  vec_push(a, &w->singles, nest_add(a, loops, tiles_codelet(t, NULL, true))->stage);
  const Tree *end = t->plan.sum ? t->plan.end->kid[1] : NULL;
  if (end && !(end->op == OP_REF && end->symbol == t->plan.sum)) {
    NestNode *made = nest_add(a, one, nest_operate(a, STAGE_FILL, OPERATOR_NONE, t->held, NULL));
    vec_push(a, &w->ends, made->stage);
    vec_push(a, &w->singles, made->stage);
  }
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (!tiles_writes(t, i)) continue;
    NestValue *to = t->plan.also[i] ? w->also_whole[i] : w->whole;
    vec_push(a, &w->singles, nest_add(a, one, open_copy(a, to, tiles_held(t, i)))->stage);
  }
  return top;
}
