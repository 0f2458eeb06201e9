/* window_chunks.c: windows (windows.c) that slide along a row: the inner loop that is cut into chunks, what is the same
 * for all elements, and the codelet's text and operands as they are there.
 *
 * Requires a plan of plan_tiles_have_windows. Keeps the order of that loop's iterations. */
#include "lower/tiles.h"

bool windows_along(const Tiles *t, int param, int d) { return tiles_lane(t, param, d) - t->of == t->windows->along; }

/* ---- the loop along a row ---- */

/* The inner loop that goes along the rows of all windows, alone, and is the innermost; -1: there is none. */
int windows_loop_along(const Tiles *t) {
  const PlanTiles *p = &t->plan;
  int inner = p->nloops - 1;
  while (inner >= 0 && plan_tile_dimension(p, inner) >= 0) inner--;
  if (inner < 0 || !p->loops[inner].of) return -1;
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; plan_tile_is_window(p, i) && d < tiles_rank(t, i); d++) {
      const int loops = tiles_loops(t, i, d);
      if (loops < 0 || (windows_along(t, i, d) ? loops != 1 << inner : loops >> inner & 1)) return -1;
    }
  return inner;
}

/* Chunks of 16 bytes, each of which begins at a group; where a lane has one row, of 32. */
void windows_open_chunks(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  const char *name = arena_printf(a, "%s_chunk", t->plan.loops[room->inner].index->name);
  Tree *width = build_width(a, t->memory->view->source.base->type);
  Tree *elements = build_mul(a, tree_int(a, TYPE_INT, t->plan.rank < PLANE ? 2 : 1), width);
  room->chunk = tiles_at_head(t, arena_printf(a, "%s_size", name), elements);
  Tree *many = build_ceil_div(a, t->axis[room->inner]->dim->end, room->chunk);
  room->chunks = nest_dimension(a, "chunks", ROLE_MAP, build_index(a, 0), many);
  room->chunks->unroll = UNROLL_NONE;
  room->begin = build_mul(a, nest_count(a, room->chunks, name, TYPE_INDEX), room->chunk);
}

/* An operand whose index in one dimension is the chunk's iteration, and of which all else is one of the outer inner
 * loops': it is the same for all elements. -1: it is not; else which dimension. */
static int same_for_all(const Tiles *t, int inner, int param) {
  const Symbol *s = t->codelet->params[param];
  int found = -1;
  const bool alone = param == t->plan.written || plan_tile_is_window(&t->plan, param);
  if (!s->rank || s->writable || s->atomic || alone) return -1;
  for (int d = 0; d < tiles_rank(t, param); d++) {
    const int loops = tiles_loops(t, param, d);
    if (loops <= 0 || t->plan.cut[param][d].lanes || t->plan.cut[param][d].panel) return -1;
    if (!(loops >> inner & 1)) continue;
    if (found >= 0 || loops != 1 << inner) return -1;
    found = d;
  }
  return found;
}

void windows_open_same(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  room->each = nest_dimension(a, "e", ROLE_MAP, build_index(a, 0), room->chunk);
  room->each->unroll = UNROLL_ALL;
  nest_count(a, room->each, "e", TYPE_INT);
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (!tiles_operand(t, i) || same_for_all(t, room->inner, i) < 0) continue;
    room->same[i] = nest_value(a, arena_printf(a, "%s_chunk", tiles_operand(t, i)->source.base->name), NEST_REGISTERS);
    room->same[i]->of = tiles_memory(t, i);
    room->same[i]->type = t->codelet->params[i]->type;
    nest_keep(a, room->same[i], nest_unrolled(a, "e", room->chunk));
  }
}

/* ---- the codelet's text ---- */

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
    if ((text->room->of[i].value || text->room->same[i]) && x->kid[0]->op == OP_REF &&
        x->kid[0]->symbol == text->t->codelet->params[i])
      return tree_rewrite(a, x, as_in_chunk, context);
  return x;
}

int windows_one_loop(const Tiles *t, int param, int d) {
  const int loops = tiles_loops(t, param, d);
  int loop = 0;
  while (loops > 0 && loop < t->plan.nloops && loops != 1 << loop) loop++;
  return loops > 0 && loop < t->plan.nloops ? loop : -1;
}

/* .. what all elements read, as it is kept. */
static View *held_view(Tiles *t, const WindowRoom *room, int param) {
  Arena *a = t->l->a;
  View *made = view_new(t->l, *tiles_operand(t, param));
  Tree *step = tree_int(a, TYPE_INT, 1);
  made->source.base = room->same[param]->symbol;
  made->source.origin = NULL;
  made->begin = tree_int(a, TYPE_INT, 0);
  for (int d = tiles_rank(t, param) - 1; d >= 0; d--) {
    *view_step_of(made, d) = step;
    made->plane.at[d] = NULL;
    step = build_mul(a, step, nest_extent(a, room->same[param]->kept.at[d]));
  }
  return made;
}

/* .. what is the same for all elements: of its dimensions one alone has more than one element. */
static View *same_view(Tiles *t, const WindowRoom *room, int param) {
  View *made = view_new(t->l, *tiles_operand(t, param));
  const int along = same_for_all(t, room->inner, param);
  made->source.base = room->same[param]->symbol;
  made->source.origin = NULL;
  made->begin = tree_int(t->l->a, TYPE_INT, 0);
  for (int d = 0; d < tiles_rank(t, param); d++) {
    *view_step_of(made, d) = tree_int(t->l->a, TYPE_INT, d == along);
    made->plane.at[d] = NULL;
  }
  return made;
}

View *windows_view(Tiles *t, int param) {
  const Window *w = t->windows->now ? &t->windows->now->of[param] : NULL;
  if (w && t->windows->now->same[param])
    return (t->windows->now->chunks ? same_view : held_view)(t, t->windows->now, param);
  if (!w || !w->value) return NULL;
  View *made = view_new(t->l, *tiles_operand(t, param));
  made->source.base = w->value->symbol;
  made->source.origin = NULL;
  made->begin = tree_int(t->l->a, TYPE_INT, 0);
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
