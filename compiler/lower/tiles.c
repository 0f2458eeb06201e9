/* tiles.c: a block's lanes go through a part that is cut in several dimensions, a rectangle each (compose/tiles.c):
 *
 *     kept in registers          what a lane contributes to, from its value in memory on
 *     loop over panels           of the inner dimension, if a lane has them one after another
 *       copies                   of operands that lanes read again, by all lanes, to shared memory; of panels that are
 *                                prefetched from registers, to which the next one is loaded meanwhile, and to one of
 *                                two buffers alternately: lanes that are ahead fill one while others read the other
 *       the codelet's loops      those of the inner dimension; then a lane's rows and columns, written out
 *     to memory
 *
 * Where a matrix unit multiplies, that is a warp's: what it contributes to are fragments, of which each lane has some
 * elements, and so are the parts of panels that it multiplies, loaded one step of the inner dimension at a time. Panels
 * are filled with zeros behind the last element of that dimension.
 *
 * Tiles have the same extents everywhere. Where a part has fewer elements copies repeat its last ones, so that loops
 * over a lane's rows and columns need no conditions, and what lies beyond the part is not stored.
 *
 * A staged operand's index that neighbouring lanes differ in goes fastest, so that they read side by side: where memory
 * has another one, it is transposed on the way. Rows are padded: by 16 bytes where a lane has neighbours of 16 bytes,
 * which it reads at once; else by an element.
 *
 * Requires a plan of plan_tiles. Keeps: each element's contributions come in the codelet's order. */
#include "lower/tiles.h"

#include <string.h>

#include "ir/element.h"
#include "ir/signature.h"
#include "lower/maps.h"

/* ---- operands ---- */

static Tree *extent(Tiles *t, int param, int d) {
  Arena *a = t->l->a;
  const TileCut *x = &t->plan.cut[param][d];
  const LaneTile *lane = tiles_lane(t, param, d);
  if (x->panel) return t->panel;
  Tree *own = lane ? tiles_of_lanes(t, lane) : tiles_extent(t->l, tree_cut(x->grid));
  return build_add(a, own, tiles_halo(t, x));
}

/* Which dimension goes fastest in the copy. */
static int fastest(const Tiles *t, int param) {
  int found = tiles_unit(t, param);
  for (int last = 0; last < 2 && !t->plan.multiplies; last++)
    for (int d = 0; d < tiles_rank(t, param); d++) {
      const LaneTile *lane = tiles_lane(t, param, d);
      if (lane && plan_tile_lanes(&t->plan, lane->cut) == last) found = d;
    }
  return found;
}

/* Are 16 bytes of it at once 16 bytes of a tile? */
static const Operand *may_be_wide(const Tiles *t, int param) {
  if (!plan_tile_is_staged(&t->plan, param) || plan_tile_panelled(&t->plan, param) < 0) return NULL;
  if (plan_tile_has_halo(&t->plan.cut[param][tiles_unit(t, param)])) return NULL;
  return tiles_array(t, param);
}

/* Where lanes find their elements, but for how far the panel at hand is from the first one. */
static void find_places(Tiles *t, NestNode *home, int param) {
  Arena *a = t->l->a;
  Staged *s = &t->staged[param];
  s->from = nest_value(a, arena_printf(a, "%s_from", tiles_operand(t, param)->source.base->name), NEST_REGISTERS);
  s->from->of = tiles_memory(t, param);
  s->from->type = TYPE_INDEX;
  nest_keep(a, s->from, s->rounds);
  vec_push(a, &home->home, s->from);
  nest_add(a, home, nest_over(a, s->rounds, nest_over(a, s->lane, open_copy(a, s->from, s->from->of))));
}

/* A flag of the kernel: does the launcher see that all that panels are loaded from lies so that it can be read wide? */
static void ask_for_wide(Tiles *t) {
  Arena *a = t->l->a;
  Tree *when = NULL;
  const Signature *s = &t->l->program->signature;
  bool all = true;
  for (int i = 0; i < t->codelet->nparams; i++) {
    const Operand *o = tiles_operand(t, i) ? may_be_wide(t, i) : NULL;
    if (t->plan.groups && plan_tile_is_staged(&t->plan, i)) all &= o && operand_rank(o) == tiles_rank(t, i);
    if (!o || !all) continue;
    if (t->plan.groups) {
      Tree *asked = tile_groups_ask(t, i, o);
      when = when ? build_both(a, when, asked) : asked;
      continue;
    }
    Tree *width = build_width(a, o->symbol->type), *none = build_index(a, 0);
    Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, tiles_first(t, i));
    Tree *one = build_compare(a, OP_EQ, ahead, none);
    const int rank = operand_rank(o);
    int sizes[MOST_SIZES] = {o->size[tiles_unit(t, i)]}, n = 1; /* and how far its rows are apart, .. */
    for (int d = 0; d < rank - 1; d++) sizes[n++] = o->size[rank + d];
    for (int k = 0; k < n; k++)
      one = build_both(a, one, build_is_multiple(a, tree_ref(a, s->at[sizes[k]].symbol), width));
    when = when ? build_both(a, when, one) : one;
  }
  const Operand *to = when && all && tile_producers_deliver(t) ? tiles_array(t, t->plan.written) : NULL;
  if (to && operand_rank(to) == PLANE) tile_producers_ask(t, tile_groups_ask(t, t->plan.written, to));
  if (when && all && !t->l->now.kernel->flag) t->wide = tree_ref(a, when_flag(t->l, "wide", when));
}

/* Dimensions whose neighbours are a row apart in some copy: in the order of memory, along panels. */
static void find_apart(Tiles *t) {
  Arena *a = t->l->a;
  for (int i = 0; i < t->codelet->nparams; i++) {
    Tree *in_order = may_be_wide(t, i) ? tile_copies_in_order(t, i) : NULL;
    for (int d = 0; d < tiles_rank(t, i) && in_order; d++) {
      LaneTile *x = (LaneTile *)tiles_lane(t, i, d);
      if (x && !x->apart) x->apart = in_order;
      else if (x && !tree_equal(x->apart, in_order)) x->apart = tree_binary(a, OP_LOR, TYPE_BOOL, x->apart, in_order);
    }
  }
}

/* Has each result elements of its own of it? These are so many that a lane's places would take all of its registers. */
static bool has_each(const Tiles *t, int param) {
  int lanes = 0;
  for (int d = 0; d < tiles_rank(t, param); d++) lanes += tiles_lane(t, param, d) != NULL;
  return !t->windows && plan_tile_panelled(&t->plan, param) >= 0 && lanes >= t->plan.rank && lanes > 1;
}

static void stage(Tiles *t, NestNode *home, int param, bool ahead) {
  Lowering *l = t->l;
  Arena *a = l->a;
  Staged *s = &t->staged[param];
  const View *from = tiles_operand(t, param);
  const char *name = from->source.base->name;
  const int fast = fastest(t, param), rank = tiles_rank(t, param);
  const bool in_order = !t->stages || fast == tiles_unit(t, param); /* of a copy from memory to memory */
  const int narrowest = t->codelet->spectrum->narrowest;
  if (t->plan.groups) s->per = tree_int(a, TYPE_INT, TILE_CHUNK / narrowest); /* of what boxes do not copy */
  else if (t->wide && may_be_wide(t, param) && in_order) {
    Tree *width = build_width(a, from->source.base->type);
    Tree *whole = build_is_multiple(a, s->extent[tiles_unit(t, param)], width);
    s->per = build_choice(a, build_both(a, t->wide, whole), width, tree_int(a, TYPE_INT, 1));
    s->per = tiles_at_head(t, arena_printf(a, "%s_per", name), s->per);
  }
  Tree *one = tree_int(a, TYPE_INT, 1), *width = build_width(a, from->source.base->type);
  Tree *ordered = may_be_wide(t, param) ? tile_copies_in_order(t, param) : NULL;
  if (ordered) s->per = tiles_at_head(t, arena_printf(a, "%s_per", name), build_choice(a, ordered, width, one));
  if (ordered) s->ordered = build_compare(a, OP_GT, s->per, one);
  for (int d = 0; d < rank; d++) {
    if (t->plan.cut[param][d].panel || t->plan.groups) continue;
    Tree *size = tiles_as_int(t, tiles_size(t, param, d));
    Tree *last = build_sub(a, size, s->per && d == tiles_unit(t, param) ? s->per : one);
    s->last[d] = tiles_constant(t, arena_printf(a, "%s_last", name), last);
  }
  const Type type = from->source.base->type;
  Tree *length = tile_copies_lay(t, param, name, fast), *all = tiles_copied(t, param);
  if (ahead && rank > 1) length = tiles_at_head(t, arena_printf(a, "%s_buffer", name), length);
  if (ahead) s->buffer = length;
  if (ahead) length = build_mul(a, t->stages ? t->stages : tree_int(a, TYPE_INT, BUFFERS), length);
  s->value = nest_shared(a, home, arena_printf(a, "%s_tile", name), type, length);
  s->value->symbol->buffer = s->buffer;
  s->value->symbol->exclusive = true;
  s->value->symbol->aligned = s->per != NULL || t->plan.multiplies;
  s->value->symbol->swizzled = t->plan.groups;
  s->rounds = nest_dimension(a, "s", ROLE_MAP, build_index(a, 0), s->per ? build_div(a, all, s->per) : all);
  s->lane = nest_split_workers(a, s->rounds, "lane", tree_ref(a, l->now.threads), "thread", build_lane(a, OP_THREAD));
  s->rounds->binding = BINDING_UNROLL;
  s->rounds->tail = TAIL_GUARD;
  if (!t->plan.groups)
    s->rounds->rounds = tiles_at_head(t, arena_printf(a, "%s_rounds", name), nest_extent(a, s->rounds));
  const bool ahead_by_lanes = t->stages && !t->plan.groups && !t->plan.multiplies && rank == PLANE;
  if (ahead_by_lanes || tile_moves_fit(t))
    tile_copies_divide(t, param, name, ahead_by_lanes && fast != tiles_unit(t, param));
  const bool many = t->plan.groups || has_each(t, param); /* in groups, of what boxes do not copy */
  if (many) s->rounds->unroll = UNROLL_FEW;
  if (plan_tile_panelled(&t->plan, param) >= 0 && !many) find_places(t, home, param);
}

/* Panels are copied, or loaded to registers, while the one before is used. */
static void prefetch(Tiles *t, NestNode *home, int param) {
  Arena *a = t->l->a;
  Staged *s = &t->staged[param];
  s->first = tiles_memory(t, param);
  s->next = tiles_memory(t, param);
  for (int i = 0; i < BOXES && t->plan.groups; i++) s->box[i] = tiles_memory(t, param);
  if (t->stages) return;
  s->ahead = nest_value(a, arena_printf(a, "%s_ahead", s->first->name), NEST_REGISTERS);
  s->ahead->of = s->first;
  nest_keep(a, s->ahead, s->rounds);
  if (s->per) nest_keep(a, s->ahead, nest_unrolled(a, "u", s->per));
  vec_push(a, &home->home, s->ahead);
}

static void copy_each(Tiles *t, NestNode *to, const Staged *s, NestValue *value, NestValue *from) {
  Arena *a = t->l->a;
  nest_add(a, to, nest_over(a, s->rounds, nest_over(a, s->lane, tile_moves_note(t, open_copy(a, value, from)))));
}

static void copies(Tiles *t, NestNode *to) {
  for (int i = 0; i < t->codelet->nparams; i++) {
    const Staged *s = &t->staged[i];
    if (s->value && !(t->stages && s->first)) copy_each(t, to, s, s->value, s->ahead ? s->ahead : tiles_memory(t, i));
  }
}

/* How many elements a panel has. */
static void count_left(Tiles *t, NestNode *to, Panel *p) {
  Arena *a = t->l->a;
  Tree *size = build_min(a, t->panel, build_sub(a, t->panelled, p->begin));
  if (t->stages) size = build_max(a, size, build_index(a, 0));
  size = t->full ? tiles_panel_left(t, p->number) : tiles_as_int(t, size);
  p->left = nest_number(a, to, arena_printf(a, "%s_left", t->panels->name), TYPE_INT, size)->now;
}

/* Of a panel that there is the loads to registers; of any the copies ahead, of zeros behind the last one: there all
 * lanes go the same way. */
static void ahead_of(Tiles *t, NestNode *to, Panel *p, bool first) {
  Arena *a = t->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  if (!p->left) count_left(t, all, p);
  NestNode *boxes = nest_node(a, NEST_SEQ, NULL);
  for (int i = 0; i < t->codelet->nparams; i++) {
    const Staged *s = &t->staged[i];
    if (s->first) copy_each(t, all, s, t->stages ? s->value : s->ahead, first ? s->first : s->next);
    if (s->box[BOX_FIRST]) nest_add(a, boxes, open_copy(a, s->value, s->box[first ? BOX_FIRST : BOX_NEXT]));
  }
  if (t->plan.groups) nest_add(a, to, tile_groups_ahead(t, p, boxes, all));
  else nest_add(a, to, t->stages ? all : nest_when(a, build_compare(a, OP_LT, p->begin, t->panelled), all, NULL));
}

/* How far ahead panels are copied: one buffer is read, and one more where products go on. */
static Tree *copied_ahead(const Tiles *t) {
  return build_sub(t->l->a, t->stages, tree_int(t->l->a, TYPE_INT, t->plan.groups && !t->words ? 2 : 1));
}

static void close_copies(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  if (!t->plan.groups) nest_add(a, to, nest_sync(a, tree_new(a, OP_CLOSE_COPIES, TYPE_VOID, (SourceRange){0}, 0)));
}

/* What is done ahead of the loop over panels: all buffers but one are filled, or the first panel is loaded. */
static void begin_ahead(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  Panel *p = &t->first;
  if (!t->stages) {
    *p = (Panel){build_index(a, 0), build_index(a, 0), NULL};
    ahead_of(t, to, p, true);
    return;
  }
  NestAxis *x = nest_dimension(a, "ahead", ROLE_MAP, build_index(a, 0), copied_ahead(t));
  t->l->now.kernel->panels = true;
  if (t->plan.groups && t->wide) nest_add(a, to, tile_groups_open(t));
  x->unroll = UNROLL_ALL;
  p->number = nest_count(a, x, "ahead", TYPE_INDEX);
  NestNode *each = nest_node(a, NEST_SEQ, NULL);
  p->begin = build_mul(a, p->number, t->panel);
  ahead_of(t, each, p, true);
  close_copies(t, each);
  nest_add(a, to, nest_over(a, x, each));
}

static void copy_next(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  Panel *p = &t->next;
  p->number = build_add(a, t->panel_number, copied_ahead(t));
  p->begin = build_mul(a, build_cast(a, TYPE_INDEX, p->number), t->panel);
  NestNode *at_once = t->copies ? nest_node(a, NEST_SEQ, NULL) : to;
  if (t->copies) count_left(t, to, p);
  if (t->copies && !t->wide) return;
  ahead_of(t, at_once, p, false);
  close_copies(t, at_once);
  if (t->copies) nest_add(a, to, nest_when(a, t->wide, at_once, NULL));
}

/* .. and in each iteration, before the panel at hand is used. Once that has arrived everywhere nobody reads the one
 * before
 * it any more, whose buffer is the next one to be filled. */
static void go_ahead(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  Panel *p = &t->next;
  if (!t->stages) {
    *p = (Panel){t->panel_number, build_add(a, t->panel_begin, t->panel), NULL}; /* to registers: no buffer's */
    ahead_of(t, to, p, false);
    return;
  }
  if (t->stepwise) {
    if (!tile_steps_copy_within(t)) copy_next(t, to);
    return;
  }
  Tree *kids[1 + MOST_OPERANDS] = {build_sub(a, t->stages, tree_int(a, TYPE_INT, BUFFERS))};
  int n = 1;
  for (int i = 0; i < t->codelet->nparams; i++) {
    const Staged *s = &t->staged[i];
    Tree *turn = tree_binary(a, OP_REM, t->panel_number->type, t->panel_number, t->stages);
    if (s->first) kids[n++] = build_element(a, s->value->symbol, build_mul(a, turn, s->buffer));
  }
  Tree *wait = tree_new(a, OP_AWAIT_COPIES, TYPE_VOID, (SourceRange){0}, n);
  for (int i = 0; i < n; i++) wait->kid[i] = kids[i];
  Tree *next = build_add(a, t->panel_number, tree_int(a, TYPE_INT, 1));
  if (t->words) nest_add(a, to, tile_groups_products(t));
  nest_add(a, to, t->plan.groups ? tile_groups_await(t, t->words ? next : t->panel_number) : nest_sync(a, wait));
  copy_next(t, to);
  if (t->words) nest_add(a, to, tile_groups_load(t, false));
  if (t->words) nest_add(a, to, tile_groups_close(t));
}

/* ---- loops ---- */

NestNode *tiles_codelet(Tiles *t, const WindowRoom *room, bool in_place) {
  Arena *a = t->l->a;
  const PlanTiles *p = &t->plan;
  NestNode *stage = nest_stage(a, STAGE_CODELET, t->codelet);
  if (in_place) t->in_place = stage->stage;
  nest_access(a, stage, t->held ? t->held : t->memory, p->reduces ? USE_ACCUMULATE : USE_WRITE);
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (i == p->written || !tiles_operand(t, i)) continue;
    if (p->also[i]) {
      nest_access(a, stage, tiles_held(t, i), USE_WRITE);
      continue;
    }
    NestValue *from = in_place ? NULL : room ? room->of[i].value : t->staged[i].value;
    if (room && room->same[i]) from = room->same[i];
    if (!from) from = open_memory(a, tiles_operand(t, i)->source.base->name, tiles_operand(t, i));
    nest_access(a, stage, from, USE_READ);
  }
  return stage;
}

/* The codelet's loops: `whole': over a panel that has all its elements; `in_place': from where operands lie. */
static NestNode *body(Tiles *t, bool whole, bool in_place) {
  Arena *a = t->l->a;
  const PlanTiles *p = &t->plan;
  NestNode *top = NULL, *at = NULL;
  for (int k = 0; k < p->nloops + p->rank; k++) { /* the elements of what is written are the innermost */
    const int i = k < p->nloops ? k : p->own[k - p->nloops];
    if (k < p->nloops && plan_tile_dimension(p, i) >= 0) continue;
    NestNode *n = nest_over(a, whole && t->whole->dim->name == t->axis[i]->name ? t->whole : t->axis[i], NULL);
    at = at ? nest_add(a, at, n) : n;
    if (!top) top = n;
  }
  nest_add(a, at, tile_moves_note(t, tiles_codelet(t, NULL, in_place)));
  return top;
}

static NestAxis *loop_of_fragments(Tiles *t, int loop, const char *name) {
  Arena *a = t->l->a;
  const int d = plan_tile_dimension(&t->plan, loop);
  if (d >= 0) return nest_unrolled(a, name, t->of[d].unit ? build_div(a, t->of[d].each, t->of[d].unit) : t->of[d].each);
  Tree *steps = build_div(a, t->panel, tiles_of_fragment(t, t->fragment.inner));
  NestAxis *x = nest_dimension(a, name, ROLE_MAP, build_index(a, 0), steps);
  x->unroll = UNROLL_ALL;
  return x;
}

/* Steps of the inner dimension: what a warp multiplies there comes to registers, then all its products. */
static NestNode *products(Tiles *t) {
  Arena *a = t->l->a;
  const PlanTiles *p = &t->plan;
  NestNode *step = nest_node(a, NEST_SEQ, NULL), *top = NULL;
  NestNode *stage = nest_stage(a, STAGE_CODELET, t->codelet);
  nest_access(a, stage, t->held, USE_ACCUMULATE);
  for (int i = 0; i < t->codelet->nparams; i++) {
    Staged *s = &t->staged[i];
    if (i == p->written) continue;
    tiles_hold_part(t, step, i, NULL);
    nest_add(a, step, tiles_load_part(t, open_copy(a, s->fragment, s->value), i));
    nest_access(a, stage, s->fragment, USE_READ);
  }
  nest_add(a, step, nest_over(a, t->axis[p->row], nest_over(a, t->axis[p->column], stage)));
  for (int d = p->rank - PLANE - 1; d >= 0; d--) step = nest_over(a, t->axis[p->own[d]], step);
  for (int i = 0; i < p->nloops; i++)
    if (plan_tile_dimension(p, i) < 0) top = nest_over(a, t->axis[i], step);
  return top;
}

/* Are a lane's pairs of a fragment 16 bytes, which nobody else contributes to? */
static bool by_wide_pairs(const Tiles *t) {
  enum { DOUBLE = 8 };
  return t->plan.multiplies && !t->quads && t->codelet->spectrum->narrowest == DOUBLE &&
         tiles_operand(t, t->plan.written)->plane.alone;
}

static void loops(Tiles *t) {
  Arena *a = t->l->a;
  const PlanTiles *p = &t->plan;
  if (p->multiplies) t->element = nest_unrolled(a, "r", tree_int(a, TYPE_INT, t->fragment.c));
  if (p->groups || by_wide_pairs(t)) t->pair = nest_unrolled(a, "r", tree_int(a, TYPE_INT, t->fragment.c / 2));
  for (int i = 0; i < p->nloops; i++) {
    const TileLoop *x = &p->loops[i];
    int of = 0;
    while (x->of && t->codelet->params[of] != x->of) of++;
    const char *name = x->index->name;
    if (p->multiplies) t->axis[i] = loop_of_fragments(t, i, name);
    else if (plan_tile_dimension(p, i) >= 0)
      t->axis[i] = nest_unrolled(a, name, t->of[plan_tile_dimension(p, i)].each);
    else if (!x->of) {
      t->axis[i] = nest_dimension(a, name, ROLE_MAP, build_index(a, 0), (Tree *)x->end);
      t->axis[i]->unroll = UNROLL_ALL;
    } else if (!p->cut[of][x->dimension].panel)
      t->axis[i] = nest_dimension(a, name, ROLE_MAP, build_index(a, 0), tiles_size(t, of, x->dimension));
    else {
      t->axis[i] = nest_dimension(a, name, ROLE_MAP, build_index(a, 0), t->panel_size);
      t->whole = nest_dimension(a, name, ROLE_MAP, build_index(a, 0), t->panel);
      t->whole->unroll = UNROLL_ALL;
    }
  }
}

/* ---- the nest ---- */

NestNode *tiles_between(Tiles *t, NestValue *to, NestValue *from) {
  Arena *a = t->l->a;
  NestNode *copy = from ? open_copy(a, to, from) : nest_operate(a, STAGE_FILL, OPERATOR_NONE, to, NULL);
  tile_moves_note(t, copy);
  if (t->element) copy = nest_over(a, t->element, copy);
  for (int d = t->plan.rank - 1; d >= 0; d--) copy = nest_over(a, t->axis[t->plan.own[d]], copy);
  return copy;
}

/* What is written, in registers: where others contribute to it, too, it begins at the identity, and is added in the
 * end. */
static NestValue *registers_of(Tiles *t, NestNode *home, NestValue *memory, const char *suffix) {
  Arena *a = t->l->a;
  NestValue *made = nest_value(a, arena_printf(a, "%s_%s", memory->name, suffix), NEST_REGISTERS);
  made->of = memory;
  if (t->plan.multiplies && t->codelet->spectrum->adds_halves) made->type = TYPE_SUM;
  for (int d = 0; d < t->plan.rank; d++) nest_keep(a, made, t->axis[t->plan.own[d]]);
  if (t->element) nest_keep(a, made, t->element);
  vec_push(a, &home->home, made);
  return made;
}

void tiles_hold(Tiles *t, NestNode *home) {
  t->held = registers_of(t, home, t->memory, "held");
  for (int i = 0; i < t->codelet->nparams; i++)
    if (t->plan.also[i]) t->windows->also[i] = registers_of(t, home, t->windows->also_whole[i], "held");
}

/* Fragments of 16 x 16 by 16 x 8; of 16 x 16 by 16 x 16; where bytes alone are multiplied, and the machine can, of
 * twice as much of the inner dimension. */
static const Fragments in_lanes = {MATRIX_N, MATRIX_K, .a = 8, .b = 4, .c = 4},
                       in_quads = {QUADS_N, MATRIX_K, .a = 16, .b = 16, .c = 8},
                       of_bytes = {MATRIX_N, MATRIX_DEEP, .a = 16, .b = 8, .c = 4};

static const Fragments *fragments(const Tiles *t) {
  const Spectrum *s = t->codelet->spectrum;
  bool deep = s->broadest == GROUP_BYTE;
  for (int i = 0; i < s->elements.n && !t->plan.groups; i++)
    deep &= arch_deep_matrix(t->l->plan->machine, s->elements.at[i]) != NULL;
  return t->quads ? &in_quads : deep ? &of_bytes : &in_lanes;
}

/* What is held begins as what is in memory, or as the identity: groups add to it in the end. */
static void begin_held(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  tiles_hold(t, to);
  const bool loads = !tiles_add_in_the_end(t) && !tiles_add_what_was(t) && !t->plan.sum && tiles_begin_in_memory(t);
  NestNode *all = tiles_between(t, t->held, loads ? t->memory : NULL);
  nest_add(a, to, loads && t->pair ? tiles_by_pairs(t, all, open_copy(a, t->held, t->memory)) : all);
}

/* What was in memory is added to what is held: all of it is on its way before the first of it is added. */
static void add_what_was(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  t->before = registers_of(t, all, t->memory, "before");
  NestNode *load = tiles_between(t, t->before, t->memory);
  nest_add(a, all, t->pair ? tiles_by_pairs(t, load, open_copy(a, t->before, t->memory)) : load);
  NestNode *add = nest_operate(a, STAGE_NUMBER, OPERATOR_ADD, t->held, t->before);
  add = nest_over(a, t->element, add);
  for (int d = t->plan.rank - 1; d >= 0; d--) add = nest_over(a, t->axis[t->plan.own[d]], add);
  nest_add(a, all, add);
  nest_add(a, to, all);
}

/* What is held, to memory, or to where other blocks of the cluster find it. */
static NestNode *delivered(Tiles *t, bool clustered) {
  NestNode *each = tiles_between(t, clustered ? t->parts : t->memory, t->held);
  if (clustered) return tile_clusters_deliver(t, each);
  return t->pair ? tiles_by_pairs(t, each, open_copy(t->l->a, t->memory, t->held)) : each;
}

/* Of groups of warps: `loop' over panels, what is done with each goes to `inner'. Where lanes beside them ask for
 * panels, that is what is done if boxes cannot be copied. */
static NestNode *by_groups(Tiles *t, NestNode *all, NestNode *loop, NestNode *inner) {
  Arena *a = t->l->a;
  Tree *wide = t->wide;
  const bool beside = t->plan.produced && wide;
  NestNode *to = beside ? nest_node(a, NEST_SEQ, NULL) : all;
  begin_held(t, all);
  if (beside) nest_add(a, all, tile_groups_open(t));
  if (beside) t->wide = NULL;
  begin_ahead(t, to);
  if (t->words) {
    tile_groups_hold(t, all);
    nest_add(a, to, tile_groups_await(t, tree_int(a, TYPE_INT, 0)));
    nest_add(a, to, tile_groups_load(t, true));
  }
  nest_add(a, to, loop);
  go_ahead(t, inner);
  if (!t->words) nest_add(a, inner, tile_groups_products(t));
  nest_add(a, to, tile_groups_end(t));
  nest_add(a, to, delivered(t, false));
  if (beside) nest_add(a, all, tile_producers_open(t, wide, all, delivered(t, false), to));
  return all;
}

/* Elements that are only moved (tile_moves.c). */
static NestNode *moves(Tiles *t) {
  Arena *a = t->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *work = body(t, false, false);
  copies(t, all);
  nest_add(a, all, t->whole_tile ? work : nest_when(a, tiles_have_any(t), work, NULL));
  nest_add(a, all, tiles_between(t, t->memory, t->held));
  return all;
}

static NestNode *moves_of(Tiles *t, NestNode *home) {
  tiles_hold(t, home);
  t->whole_tile = true;
  NestNode *whole = moves(t);
  t->whole_tile = false;
  return nest_when(t->l->a, tile_moves_whole(t), whole, moves(t));
}

/* Copies of operands that lanes read again. */
static void stage_all(Tiles *t, NestNode *home, bool ahead) {
  for (int i = 0; i < t->codelet->nparams; i++)
    if (plan_tile_is_staged(&t->plan, i)) {
      stage(t, home, i, ahead);
      if (ahead) prefetch(t, home, i);
    }
}

NestNode *tiles_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  Tiles *t = arena_one(a, Tiles);
  t->l = l;
  const bool staged = n->traversal >= TRAVERSE_STAGED, ahead = n->traversal >= TRAVERSE_PREFETCHED;
  if (n->traversal >= TRAVERSE_PIPED) t->stages = lowering_tunable(l, plan_tile_stages_name);
  NestNode *all = tiles_begin(t, n, w, "a rectangle each"), *inner = all;
  if (!all) return NULL;
  t->quads = t->plan.multiplies && !t->plan.groups && arch_has_quads(l->plan->machine);
  t->fragment = *fragments(t);
  if (t->plan.groups && (t->across = tile_groups_across(t)) < 0) return NULL;
  tiles_divide_lanes(t);
  if (t->panels) t->panel = tiles_extent(l, t->panels);
  for (int i = 0; staged && i < t->codelet->nparams; i++)
    for (int d = 0; d < tiles_rank(t, i) && plan_tile_is_staged(&t->plan, i); d++)
      t->staged[i].extent[d] = extent(t, i, d);
  if (ahead) ask_for_wide(t);
  find_apart(t);
  tiles_place_lanes(t);
  if (staged) stage_all(t, all, ahead);
  NestNode *loop = NULL;
  t->stepwise = tile_steps_fit(t);
  if (t->panels) {
    loop = nest_node(a, NEST_SEQ, NULL);
    inner = tiles_over_panels(t, loop);
  }
  loops(t);
  if (tile_moves_fit(t)) return nest_add(a, all, moves_of(t, all)), all;
  if (t->plan.groups) return by_groups(t, all, loop, inner);
  if (ahead) begin_ahead(t, all);
  if (t->plan.reduces) begin_held(t, all); /* panels take longer to come */
  if (t->stepwise) tile_steps_hold(t, all);
  if (t->stepwise) tile_steps_begin(t, all);
  if (loop) nest_add(a, all, loop);
  if (t->stepwise) tile_steps_end(t, all);
  Tree *room = tiles_have_room(t);
  NestNode *in_room = room ? nest_node(a, NEST_SEQ, NULL) : inner;
  copies(t, in_room);
  if (ahead) go_ahead(t, inner);
  Tree *full = t->whole && !t->stepwise ? build_compare(a, OP_EQ, t->panel_size, t->panel) : NULL;
  NestNode *within = tile_steps_copy_within(t) ? nest_node(a, NEST_SEQ, NULL) : NULL;
  if (within) copy_next(t, within);
  if (t->stepwise) tile_steps_go_through(t, inner, within);
  if (t->stepwise) tile_steps_go_on(t, inner);
  NestNode *work = t->stepwise  ? NULL
                   : t->element ? products(t)
                   : full       ? nest_when(a, full, body(t, true, false), body(t, false, false))
                                : body(t, false, false);
  if (work) nest_add(a, in_room, nest_when(a, tiles_have_any(t), work, NULL));
  NestNode *in_place = room ? nest_when(a, tiles_have_any(t), body(t, false, true), NULL) : NULL;
  if (room) nest_add(a, inner, nest_when(a, room, in_room, in_place));
  const bool clustered = t->plan.grid->combine == COMBINE_CLUSTER;
  if (!clustered && tiles_add_what_was(t)) add_what_was(t, all);
  if (clustered) tile_clusters_hold(t, all);
  if (t->held) nest_add(a, all, delivered(t, clustered));
  return all;
}
