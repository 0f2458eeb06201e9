/* window_held.c: what all elements of a windowed result read, such as weights, comes to registers once: ahead of a
 * stream's rows (window_streams.c), behind whose stores it would be loaded again; or, of a line, of the lanes' turns:
 *
 *     the same for all           w_held[..] = w[..], written out
 *     loop over groups
 *       the window, the codelet's body, to memory
 *
 * In a line a window is a few vectors, and as many loads of one element each for all lanes take as long as these.
 *
 * Requires inner loops whose iterations are known with the kernel. Keeps what is read. */
#include "lower/tiles.h"

/* How many iterations an inner loop has, if that is known with the kernel. */
static Tree *iterations_of(const Tiles *t, const WindowRoom *room, int loop) {
  if (!t->plan.loops[loop].of) return (Tree *)t->plan.loops[loop].end;
  return room->exact && room->bounded[loop] ? room->bounded[loop]->dim->end : NULL;
}

/* An operand each of whose dimensions is one inner loop's. */
static bool is_same(const Tiles *t, const WindowRoom *room, int param) {
  const Symbol *s = t->codelet->params[param];
  if (!s->rank || s->writable || s->atomic || room->of[param].value || !tiles_operand(t, param)) return false;
  for (int d = 0; d < tiles_rank(t, param); d++) {
    const int loop = windows_one_loop(t, param, d);
    if (loop < 0 || !iterations_of(t, room, loop)) return false;
  }
  return true;
}

void windows_open_held(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (!is_same(t, room, i)) continue;
    const char *name = tiles_operand(t, i)->source.base->name;
    NestValue *held = room->same[i] = nest_value(a, arena_printf(a, "%s_held", name), NEST_REGISTERS);
    held->of = tiles_memory(t, i);
    held->type = t->codelet->params[i]->type;
    for (int d = 0; d < tiles_rank(t, i); d++) {
      const int loop = windows_one_loop(t, i, d);
      nest_keep(a, held, nest_unrolled(a, t->plan.loops[loop].index->name, iterations_of(t, room, loop)));
    }
  }
}

void windows_load_held(Tiles *t, WindowRoom *room, NestNode *to) {
  Arena *a = t->l->a;
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (!room->same[i]) continue;
    NestNode *copy = open_copy(a, room->same[i], room->same[i]->of);
    room->load_same[i] = copy->stage;
    for (int d = tiles_rank(t, i) - 1; d >= 0; d--) copy = nest_over(a, room->same[i]->kept.at[d], copy);
    vec_push(a, &to->home, room->same[i]);
    nest_add(a, to, copy);
  }
}

/* Of a line, in the kernel's case that has so many: elsewhere registers would be taken from all. */
void windows_open_ahead(Tiles *t, WindowRoom *room, bool known) {
  if (known && t->plan.rank < PLANE && !room->chunks && !room->stream) windows_open_held(t, room);
}

void windows_load_ahead(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  for (int k = 0; k < t->windows->rooms; k++) {
    WindowRoom *room = &t->windows->room[k];
    bool any = false;
    for (int i = 0; i < t->codelet->nparams; i++) any |= room->same[i] != NULL;
    if (!any || room->stream || room->chunks) continue;
    NestNode *loads = nest_node(a, NEST_SEQ, NULL);
    windows_load_held(t, room, loads);
    for (int i = 0; i < loads->home.n; i++) vec_push(a, &to->home, loads->home.at[i]);
    loads->home.n = 0;
    nest_add(a, to, room->fits ? nest_when(a, room->fits, loads, NULL) : loads);
  }
}
