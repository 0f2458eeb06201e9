/* windows.c: a block's lanes go through a part of a stencil's result, each with a window of what it reads in registers
 * (compose/windows.c):
 *
 *     loop over groups           along a row: 16 bytes, or an element; the lanes' groups lie side by side
 *       the window               a lane's rows of that group, and what is around them: each lane loads all that it
 *                                reads, which its neighbours have in the nearest cache by then
 *       inner loops              over as much as there is room for, written out
 *         the codelet's body       for each element of the rectangle, written out
 *       to memory                a group at once
 *
 * If sizes alone say how much lies around an element, there are several windows: for as much as there may be, and for
 * a few elements, exactly, without any condition. If another number of them lies around, the inner loop along a row
 * is cut into chunks, and the window slides:
 *
 *     outer inner loops          where the row begins
 *       first                    a lane's group of each row
 *       loop over chunks
 *         next                   as many elements behind them as a chunk has iterations
 *         the same for all       weights, say, of these iterations
 *         the codelet's body
 *         slide                  elements behind the chunk's go to the row's beginning
 *
 * Rows are moved 16 bytes at once wherever they begin (load_run, store_run): vectors that cover what a lane reads, and
 * a shift of registers. So a lane is at an edge where it has not all its elements, or where such vectors reach beyond
 * the array: there it loads one by one what there is. If rows are multiples of 16 bytes apart, as those of a stencil's
 * inside mostly are, all of an operand's begin at the same place in a vector: there is a way through the text for each,
 * in place of a shift. Those of what is written begin with a vector: so the first tile begins before the first element.
 * Else windows that do not slide come by shared memory where the machine copies asynchronously: all lanes copy the
 * block's part element by element, whose rows begin at multiples of 16 bytes there. That is fewer instructions than to
 * shift, and takes no registers meanwhile.
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
  return tiles_writes(t, param) || plan_tile_is_window(&t->plan, param) || plan_tile_is_own(&t->plan, param);
}

/* Which dimension of an operand lies element by element. */
static int unit_of(const Operand *o) {
  const bool by_columns = o->param && o->param->by_columns;
  return by_columns ? 0 : operand_rank(o) - 1;
}

static Tree *size_of(const Tiles *t, const Operand *o, int k) {
  return tree_ref(t->l->a, t->l->program->signature.at[o->size[k]].symbol);
}

/* A kernel's flag: the launcher sees that all groups of windows, and of what is written, lie at multiples of 16 bytes.
 * A case where they do not: that all their rows are multiples of 16 bytes apart. Then all of an operand's groups lie as
 * far from such multiples, and tiles begin so that there are groups of what is written (cuts.c). */
static void ask_for_wide(Tiles *t) {
  Arena *a = t->l->a;
  Tree *when = NULL, *even = NULL;
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (!moves(t, i)) continue;
    const Operand *o = operand_of(t, i);
    if (!o || !lies_along(t, i)) return;
    Tree *width = build_width(a, o->symbol->type), *none = build_index(a, 0);
    Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, tiles_first(t, i));
    Tree *one = build_compare(a, OP_EQ, ahead, none);
    const int rank = operand_rank(o);
    for (int k = 0; k < 2 * rank - 1; k++)
      if (o->size[k] < 0) return;
    for (int d = 0; d < rank - 1; d++) {
      Tree *apart = build_is_multiple(a, size_of(t, o, rank + d), width);
      one = build_both(a, one, apart);
      even = even ? build_both(a, even, apart) : apart;
    }
    Tree *of_first = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, tiles_first(t, t->plan.written));
    if (t->plan.also[i] && even) even = build_both(a, even, build_compare(a, OP_EQ, ahead, of_first));
    if (t->windows->streamed >= 0 && !tiles_writes(t, i) && even)
      even = build_both(a, even, phase_is(a, tiles_first(t, i), tiles_first(t, t->plan.written)));
    when = when ? build_both(a, when, one) : one;
  }
  if (!when || t->l->now.kernel->flag) return;
  t->wide = tree_ref(a, when_flag(t->l, "wide", when));
  if (!tiles_operand(t, t->plan.written)->plane.early) return;
  Symbol *is = when_case(t->l, "even", build_both(a, tree_unary(a, OP_NOT, TYPE_BOOL, when), even));
  if (is) t->windows->even = tree_ref(a, is);
}

/* How many elements an operand's memory has, from its first to its last one. */
static Tree *span_of(const Tiles *t, const Operand *o) {
  Arena *a = t->l->a;
  Tree *span = build_index(a, 1);
  const int rank = operand_rank(o);
  for (int d = 0, apart = rank; d < rank; d++) {
    Tree *more = build_sub(a, size_of(t, o, d), build_index(a, 1));
    if (d != unit_of(o)) more = build_mul(a, more, size_of(t, o, apart++));
    span = build_add(a, span, more);
  }
  return span;
}

/* ---- windows ---- */

/* How many elements beyond what lies around its own a lane's window may be loaded with, of a stream or another. */
static Tree *spare(Tiles *t, int param, int d, bool streams) {
  Arena *a = t->l->a;
  const Windows *w = t->windows;
  Tree *more = tree_int(a, TYPE_INT, 0);
  for (int k = 0; k < w->rooms; k++)
    if (streams != (w->room[k].stream != NULL)) continue;
    else if (w->room[k].chunks) more = w->room[k].chunk;
    else if (!w->room[k].exact && plan_tile_halo_name(a, &t->plan.cut[param][d]))
      more = windows_room(t, &w->room[k], param, d);
  return more;
}

/* The index in memory of an element of a lane's window. */
static Tree *index_of(Tiles *t, int param, Tree *const *at) {
  return tree_uncast(view_element_at(t->l, tiles_in_memory(t, param), at, tiles_rank(t, param)))->kid[1];
}

/* Are the vectors within the array that cover a lane's window? Rows that begin with a vector end with a part of one. */
static Tree *is_covered(Tiles *t, int param, bool streams) {
  Arena *a = t->l->a;
  const Operand *o = operand_of(t, param);
  Tree *most = build_sub(a, build_width(a, o->symbol->type), tree_int(a, TYPE_INT, 1));
  Tree *beyond = build_mul(a, tree_int(a, TYPE_INT, 2), most); /* as many vectors are loaded wherever a row begins */
  Tree *group = t->of[t->windows->along].group, *vectors = build_is_multiple(a, group, build_width(a, o->symbol->type));
  beyond = build_choice(a, build_both(a, t->wide, vectors), tree_int(a, TYPE_INT, 0), beyond);
  Tree *first[MOST_DIMENSIONS], *last[MOST_DIMENSIONS];
  for (int d = 0; d < tiles_rank(t, param); d++) {
    Tree *own = build_sub(a, tiles_at_once(t, (int)(tiles_lane(t, param, d) - t->of)), tree_int(a, TYPE_INT, 1));
    first[d] = tree_int(a, TYPE_INT, 0);
    last[d] = build_add(a, own, windows_around(t, param, d));
    if (windows_along(t, param, d)) last[d] = build_add(a, last[d], build_add(a, spare(t, param, d, streams), beyond));
  }
  Tree *begins = build_compare(a, OP_GE, index_of(t, param, first), build_cast(a, TYPE_INDEX, most));
  Tree *ends = build_compare(a, OP_LT, index_of(t, param, last), span_of(t, o));
  return build_both(a, tree_binary(a, OP_LOR, TYPE_BOOL, t->wide, begins), ends);
}

/* What lanes know of where their rows begin. */
static void find_beginnings(Tiles *t) {
  Arena *a = t->l->a;
  Windows *w = t->windows;
  const LaneTile *x = &t->of[w->along];
  Tree *early = tiles_operand(t, t->plan.written)->plane.early, *none = build_index(a, 0);
  if (!early || !w->even) return;
  Tree *first = build_min(a, build_add(a, early, x->first), none);
  const char *name = arena_printf(a, "%s_before", x->cut->name);
  w->before = tiles_constant(t, name, tiles_as_int(t, build_sub(a, none, first)));
  for (int i = 0; i < t->codelet->nparams && t->wide; i++) {
    if (tiles_writes(t, i) || !moves(t, i)) continue;
    const View *v = tiles_operand(t, i);
    Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, v->source.base, v->begin));
    Tree *width = build_width(a, v->source.base->type), *four = tree_int(a, TYPE_INT, WINDOW_WORDS);
    if (w->streamed >= 0) {
      Tree *elements = phase_of(a, tiles_first(t, i), tiles_first(t, t->plan.written));
      w->phase[i] = build_div(a, build_mul(a, elements, four), width);
      continue;
    }
    Tree *behind = tree_binary(a, OP_REM, TYPE_INT, build_sub(a, width, tiles_as_int(t, ahead)), width);
    const char *word = arena_printf(a, "%s_word", v->source.base->name);
    w->word[i] = tiles_constant(t, word, build_div(a, build_mul(a, behind, four), width));
  }
}

/* Has a lane all elements of its rectangle, and may its windows be loaded without conditions? Of streams: may those of
 * its warp, whose lanes store together? What lies beside a part, and has no result, may be read. */
static Tree *is_inside(Tiles *t, NestNode *home, bool warp) {
  Arena *a = t->l->a;
  Windows *w = t->windows;
  const LaneTile *x = &t->of[w->along];
  Tree *all = NULL;
  const bool streams = t->wide && warp;
  for (int d = 0; d < t->plan.rank && !streams; d++) {
    Tree *need = d == w->along ? build_add(a, build_mul(a, w->turn, x->stride), x->group) : t->of[d].each;
    Tree *here = build_compare(a, OP_GE, t->of[d].left, need);
    all = all ? build_both(a, all, here) : here;
  }
  if (w->before && !streams) {
    Tree *none = build_compare(a, OP_LE, windows_before(t), tree_int(a, TYPE_INT, 0));
    all = build_both(a, all, tree_binary(a, OP_LOR, TYPE_BOOL, t->wide, none));
  }
  for (int i = 0; i < t->codelet->nparams && t->wide; i++)
    if (!tiles_writes(t, i) && moves(t, i)) {
      Tree *covered = is_covered(t, i, warp);
      all = all ? build_both(a, all, covered) : covered;
    }
  if (warp) {
    Tree *any = tree_unary(a, OP_ANY, TYPE_BOOL, tree_unary(a, OP_NOT, TYPE_BOOL, all));
    all = tree_unary(a, OP_NOT, TYPE_BOOL, any);
  }
  return nest_number(a, home, warp ? "within" : "inside", TYPE_BOOL, all)->now;
}

/* Does as much lie around the part as there is room for, or as `exact' says? NULL: it does. */
static Tree *fits(Tiles *t, const WindowRoom *room) {
  Arena *a = t->l->a;
  Tree *all = NULL;
  for (int i = 0; i < t->codelet->nparams && !room->chunks; i++)
    for (int d = 0; room->of[i].value && d < tiles_rank(t, i); d++) {
      if (!plan_tile_halo_name(a, &t->plan.cut[i][d])) continue;
      Tree *more = windows_around(t, i, d), *most = windows_room(t, room, i, d);
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
  const LaneTile *x = &t->of[t->windows->along];
  Tree *more = NULL;
  w->value = nest_value(a, arena_printf(a, "%s_window", name), NEST_REGISTERS);
  w->value->of = tiles_memory(t, param);
  w->value->type = t->codelet->params[param]->type; /* what is computed with: elements are lifted once */
  for (int d = 0; d < tiles_rank(t, param); d++)
    if (windows_along(t, param, d)) more = room->chunks ? room->chunk : windows_room(t, room, param, d);
  w->row = w->size = tiles_at_head(t, arena_printf(a, "%s_row", name), build_add(a, x->group, more));
  for (int d = tiles_rank(t, param) - 1; d >= 0; d--) {
    const LaneTile *lane = tiles_lane(t, param, d);
    w->step[d] = tree_int(a, TYPE_INT, 1);
    if (windows_along(t, param, d)) continue;
    Tree *all = build_add(a, tiles_at_once(t, (int)(lane - t->of)), windows_room(t, room, param, d));
    w->axis[d] = nest_unrolled(a, arena_printf(a, "%s_at", lane->cut->name), all);
    w->step[d] = w->size;
    NestAxis *rows = w->axis[d];
    windows_stream_rows(t, room, param, d, windows_room(t, room, param, d));
    if (w->streams && w->axis[d] == room->stream && !w->keeps_rows) {
      w->step[d] = tree_int(a, TYPE_INT, 0);
      continue;
    }
    w->size = build_mul(a, w->size, all);
    nest_keep(a, w->value, rows);
  }
  nest_keep(a, w->value, nest_unrolled(a, "e", w->row));
}

static NestAxis *turns_of(Tiles *t) {
  Arena *a = t->l->a;
  const LaneTile *x = &t->of[t->windows->along];
  const char *name = arena_printf(a, "%s_turn", x->cut->name);
  NestAxis *turns = nest_dimension(a, name, ROLE_MAP, build_index(a, 0), build_div(a, x->each, x->group));
  turns->unroll = UNROLL_NONE;
  return turns;
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

/* ---- the codelet ---- */

/* A chunk's iterations, `all' of them, or as many as there are. */
static NestNode *chunk(Tiles *t, WindowRoom *room, bool all) {
  Arena *a = t->l->a;
  NestNode *top = nest_node(a, NEST_SEQ, NULL);
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (!room->same[i]) continue;
    NestNode *copy = open_copy(a, room->same[i], room->same[i]->of);
    Tree *exists = build_compare(a, OP_LT, build_add(a, room->begin, room->each->at), t->axis[room->inner]->dim->end);
    nest_add(a, top, nest_over(a, room->each, all ? copy : nest_when(a, exists, copy, NULL)));
  }
  room->codelet[all ? 0 : 1] = windows_elements(t, room, windows_over_loop(t, room, room->inner, top, all));
  return top;
}

/* The loop along a row, chunk by chunk. */
static void slide(Tiles *t, WindowRoom *room, NestNode *at) {
  Arena *a = t->l->a;
  NestNode *row = nest_add(a, at, nest_node(a, NEST_SEQ, NULL)), *each = nest_node(a, NEST_SEQ, NULL);
  windows_load(t, room, row, LOAD_FIRST);
  nest_add(a, row, nest_over(a, room->chunks, each));
  windows_load(t, room, each, LOAD_NEXT);
  for (int i = 0; i < t->codelet->nparams; i++)
    if (room->same[i]) vec_push(a, &each->home, room->same[i]);
  Tree *end = build_add(a, room->begin, room->chunk);
  Tree *whole = build_compare(a, OP_LE, end, t->axis[room->inner]->dim->end);
  nest_add(a, each, nest_when(a, whole, chunk(t, room, true), chunk(t, room, false)));
  for (int i = 0; i < t->codelet->nparams; i++)
    if (room->of[i].value) room->of[i].slide = windows_copy_rows(t, &room->of[i], each, room->of[i].value);
}

/* The inner loops, then the elements that a lane has at once; `room' NULL: operands are read where they lie. */
static NestNode *body(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  const PlanTiles *p = &t->plan;
  NestNode *top = nest_node(a, NEST_SEQ, NULL), *at = top;
  if (room && !room->chunks) windows_load(t, room, top, LOAD_WHOLE);
  for (int i = 0; i < p->nloops; i++) {
    if (plan_tile_dimension(p, i) >= 0) continue;
    if (room && room->chunks && i == room->inner) {
      slide(t, room, at);
      return top;
    }
    at = windows_over_loop(t, room, i, at, room && room->exact);
  }
  const NestStage *stage = windows_elements(t, room, at);
  if (room) room->codelet[0] = stage;
  return top;
}

/* ---- the nest ---- */

/* Which windows there are: if all is known, one; else of 3, 7 and 15 elements, or of 3 x 3 and 5 x 5, of as many as
 * there is room for, and of any number. */
static void open_rooms(Tiles *t) {
  enum { FEW = 2, ROWS = 4, LINE = 6, LONG = 14 };
  const bool line = t->plan.rank < PLANE;
  const WindowRoom rooms[MOST_ROOMS] = {{.most = FEW, .exact = true, .name = "few_around"},
                                        {.most = line ? LINE : ROWS, .exact = true, .name = "more_around"},
                                        {.most = LONG, .exact = true, .name = "many_around"},
                                        {.exact = true, .name = "all_around"},
                                        {.exact = false}};
  Windows *w = t->windows;
  bool known = true;
  const int inner = windows_loop_along(t);
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; plan_tile_is_window(&t->plan, i) && d < tiles_rank(t, i); d++)
      known &= !plan_tile_halo_name(t->l->a, &t->plan.cut[i][d]);
  for (int k = 0; k < MOST_ROOMS; k++) {
    const bool slides = !known && inner >= 0 && !rooms[k].exact;
    if ((known && rooms[k].exact) || (!line && rooms[k].most == LONG)) continue;
    WindowRoom *room = &w->room[w->rooms++];
    *room = rooms[k];
    room->inner = inner;
    if (slides) windows_open_chunks(t, room);
    else if (w->streamed >= 0) windows_open_stream(t, room);
    for (int i = 0; i < t->codelet->nparams; i++)
      if (plan_tile_is_window(&t->plan, i) || (!slides && plan_tile_is_own(&t->plan, i))) open_window(t, room, i);
    bound_loops(t, room);
    if (slides) windows_open_same(t, room);
    else if (room->stream) {
      windows_open_taps(t, room);
      windows_open_held(t, room);
    }
  }
}

/* Does the launcher know all of that? */
static bool find_kernels(void *context, const Tree *x) {
  const Signature *s = context;
  if (x->op != OP_REF || x->symbol->kind == SYMBOL_CONSTANT) return true;
  for (int i = 0; i < s->n; i++)
    if (s->at[i].symbol == x->symbol) return true;
  return false;
}

static bool launcher_knows(const Tiles *t, const Tree *x) {
  bool knows = find_kernels(&t->l->program->signature, x);
  for (int i = 0; i < x->nkids && knows; i++) knows = launcher_knows(t, x->kid[i]);
  return knows;
}

/* Of a plan that streams, what does not: it stores all in the end. */
static NestNode *stored(Tiles *t, NestNode *work) {
  if (t->windows->streamed < 0) return work;
  NestNode *all = nest_node(t->l->a, NEST_SEQ, NULL);
  nest_add(t->l->a, all, work);
  nest_add(t->l->a, all, windows_store(t, NULL));
  return all;
}

/* Where windows fit they are streamed, by warps whose vectors are within their arrays; `otherwise' where none fits. */
static NestNode *choose_stream(Tiles *t, NestNode *otherwise) {
  Arena *a = t->l->a;
  Windows *w = t->windows;
  NestNode *work = NULL;
  Tree *any = NULL;
  for (int k = w->rooms - 1; k >= 0; k--) {
    WindowRoom *room = &w->room[k];
    if (!room->stream) continue;
    NestNode *here = windows_stream(t, room);
    if (room->fits) any = any ? tree_binary(a, OP_LOR, TYPE_BOOL, room->fits, any) : room->fits;
    work = room->fits ? nest_when(a, room->fits, here, work) : here;
  }
  Tree *within = w->within;
  for (int k = 0; k < w->rooms; k++)
    if (w->room[k].stream && windows_have_tiles(t, &w->room[k])) { /* copies have seen to what does not exist */
      Tree *copied = tree_unary(a, OP_NOT, TYPE_BOOL, windows_come_directly(t));
      within = tree_binary(a, OP_LOR, TYPE_BOOL, copied, within);
      break;
    }
  work = nest_when(a, within, work, windows_one_by_one(t));
  return any ? nest_when(a, any, work, otherwise ? otherwise : windows_one_by_one(t)) : work;
}

/* The windows of a turn, the first that there is room in. Windows for exactly so many elements take fewer registers
 * than what slides: where the launcher sees that they fit, they have a case of the kernel. */
static NestNode *choose(Tiles *t) {
  Arena *a = t->l->a;
  Windows *w = t->windows;
  for (int k = 0; k < w->rooms; k++) {
    WindowRoom *room = &w->room[k];
    room->fits = fits(t, room);
    const bool known = room->fits && room->name && launcher_knows(t, room->fits);
    Symbol *one = known ? when_case(t->l, room->name, room->fits) : NULL;
    if (one) room->fits = tree_ref(a, one);
    windows_open_ahead(t, room, one || !room->fits);
  }
  NestNode *work = NULL;
  for (int k = w->rooms - 1; k >= 0; k--) {
    WindowRoom *room = &w->room[k];
    if (room->stream) continue;
    if (!work && room->fits)
      work = w->streamed < 0 ? nest_when(a, tiles_have_any(t), body(t, NULL), NULL) : windows_one_by_one(t);
    NestNode *here = stored(t, body(t, room));
    work = room->fits ? nest_when(a, room->fits, here, work) : here;
  }
  return w->streamed >= 0 ? choose_stream(t, work) : work;
}

/* How many lanes a multiprocessor has room for: in streams that add up, and in lines, registers have one row. In cases
 * all is known, and elements of four bytes leave room for as many as there are; what slides holds most. */
static void leave_room(Tiles *t) {
  enum { LANES = 512, OF_ROWS = 768, OF_CASES = 1024, WIDTH = 4 };
  Arena *a = t->l->a;
  Kernel *k = t->l->now.kernel;
  const bool sums = t->windows->streamed >= 0 && t->plan.reduces, line = t->plan.rank < PLANE;
  const bool known = t->windows->rooms == 1;
  k->resident_lanes = line || (sums && known) ? OF_ROWS : LANES;
  if (!line && !sums) return;
  Tree *few = build_compare(a, OP_LT, build_width(a, t->memory->view->source.base->type), tree_int(a, TYPE_INT, WIDTH));
  k->resident_cases = build_choice(a, few, tree_int(a, TYPE_INT, k->resident_lanes), tree_int(a, TYPE_INT, OF_CASES));
}

NestNode *windows_open(Lowering *l, const PlanNode *n, Work *work) {
  Arena *a = l->a;
  Tiles *t = arena_one(a, Tiles);
  t->l = l;
  NestNode *all = tiles_begin(t, n, work, "a rectangle each, and windows in registers");
  if (!all) return NULL;
  Windows *w = t->windows = arena_one(a, Windows);
  w->whole = tiles_memory(t, t->plan.written);
  w->streamed = n->traversal == TRAVERSE_STREAMED ? plan_tiles_stream(&t->plan) : -1;
  for (int i = 0; i < t->codelet->nparams; i++)
    if (t->plan.also[i]) w->also_whole[i] = tiles_memory(t, i);
  ask_for_wide(t);
  tiles_divide_lanes(t);
  tiles_place_lanes(t);
  for (int d = 0; d < t->plan.rank; d++)
    if (t->of[d].group) w->along = d;
  NestAxis *turns = turns_of(t);
  w->turn = nest_count(a, turns, turns->name, TYPE_INT);
  find_beginnings(t);
  open_loops(t);
  open_rooms(t);
  leave_room(t);
  windows_open_tiles(t, all);
  NestNode *turn = nest_node(a, NEST_SEQ, NULL);
  bool streams = false, others = false;
  for (int k = 0; k < w->rooms; k++) *(w->room[k].stream ? &streams : &others) = true;
  if (others) w->inside = is_inside(t, turn, false);
  if (streams) w->within = is_inside(t, turn, true);
  tiles_hold(t, turn);
  const bool loads = !t->plan.sum && tiles_begin_in_memory(t);
  if (t->plan.reduces) nest_add(a, turn, tiles_between(t, t->held, loads ? t->memory : NULL));
  nest_add(a, turn, choose(t));
  windows_load_ahead(t, all);
  if (w->streamed < 0) nest_add(a, turn, windows_store(t, NULL));
  windows_fill_tiles(t, all);
  nest_add(a, all, nest_over(a, turns, turn));
  return all;
}
