/* window_tiles.c: how much of an operand a lane's window has (windows.c), and how it comes there by shared memory:
 *
 *     if rows begin anywhere
 *       copies                   of a block's part, by all its lanes, element by element, to rows that begin at
 *                                multiples of 16 bytes; asynchronously
 *     groups along a row
 *       if they do               a lane's rows of its window from there, 16 bytes at once
 *
 * Requires a machine that copies asynchronously, and elements that it copies: through registers it takes longer than to
 * shift rows that lanes load. Keeps what is read. */
#include "lower/tiles.h"

/* How much more `all' is than `part', of which it is a sum; NULL: it is not. */
static Tree *rest_of(Arena *a, Tree *all, const Tree *part) {
  if (tree_equal(all, part)) return build_index(a, 0);
  Tree *rest = all->op == OP_ADD ? rest_of(a, all->kid[0], part) : NULL;
  return rest ? build_add(a, rest, all->kid[1]) : NULL;
}

Tree *windows_around(Tiles *t, int param, int d) {
  Arena *a = t->l->a;
  int64_t more;
  if (plan_tile_halo(t->plan.cut[param][d].lanes, &more)) return build_index(a, more);
  Tree *all = tiles_size(t, param, d), *own = tiles_size(t, t->plan.written, (int)(tiles_lane(t, param, d) - t->of));
  Tree *rest = rest_of(a, all, own);
  return rest ? rest : build_sub(a, all, own);
}

Tree *windows_room(Tiles *t, const WindowRoom *room, int param, int d) {
  Arena *a = t->l->a;
  const TileCut *x = &t->plan.cut[param][d];
  Tree *all = tiles_halo(t, x);
  if (room->chunks && !windows_along(t, param, d)) return tree_int(a, TYPE_INT, 0);
  if (room->chunks) return build_sub(a, room->chunk, tree_int(a, TYPE_INT, 1));
  return plan_tile_halo_name(a, x) && room->most ? tree_int(a, TYPE_INT, room->most) : all;
}

/* A copy of each row of a window, or of a part of it; of a stream of those that are due. */
const NestStage *windows_copy_rows(Tiles *t, const Window *w, NestNode *to, NestValue *from) {
  Arena *a = t->l->a;
  NestNode *copy = open_copy(a, w->value, from);
  const NestStage *stage = copy->stage;
  for (int d = MOST_DIMENSIONS - 1; d >= 0; d--)
    if (w->axis[d] && !(w->streams && d == w->by)) copy = nest_over(a, w->axis[d], copy);
  nest_add(a, to, w->due ? nest_over(a, w->due, copy) : copy);
  return stage;
}

/* How a room's windows of an operand lie together: rows begin at multiples of 16 bytes. */
static void lay_out(Tiles *t, const WindowRoom *room, Window *w, int param) {
  Arena *a = t->l->a;
  const char *name = tiles_operand(t, param)->source.base->name;
  Tree *width = build_width(a, tiles_operand(t, param)->source.base->type);
  for (int d = 0; d < tiles_rank(t, param); d++) {
    const LaneTile *x = tiles_lane(t, param, d);
    w->tile_extent[d] = build_add(a, build_mul(a, x->lanes, x->each), windows_room(t, room, param, d));
    if (!windows_along(t, param, d)) continue;
    w->tile_step[d] = tree_int(a, TYPE_INT, 1);
    Tree *pitch = build_mul(a, build_ceil_div(a, w->tile_extent[d], width), width);
    w->tile_size = w->tile_extent[d] = tiles_at_head(t, arena_printf(a, "%s_pitch", name), pitch);
  }
  for (int d = tiles_rank(t, param) - 1; d >= 0; d--) {
    if (windows_along(t, param, d)) continue;
    w->tile_step[d] = w->tile_size;
    w->tile_size = build_mul(a, w->tile_size, w->tile_extent[d]);
  }
}

enum { WIDE_BYTES = 16, LEAST_COPIED = 4, MOST_BYTES = 48 << 10 }; /* of a load; of an asynchronous copy; of tiles */

/* One array for each operand, as large as the largest room's windows: a block has one of them. None where they take
 * more than a block has without asking. Of three dimensions they would take more than the nearest cache can spare; of
 * one there is little to shift. */
void windows_open_tiles(Tiles *t, NestNode *home) {
  Arena *a = t->l->a;
  Windows *w = t->windows;
  const bool may = t->wide && t->plan.rank == PLANE && t->l->plan->machine->can.async_copy;
  int many = 0;
  for (int i = 0; i < t->codelet->nparams; i++) many += plan_tile_is_window(&t->plan, i);
  for (int i = 0; i < t->codelet->nparams && may; i++) {
    Tree *most = NULL;
    for (int k = 0; k < w->rooms && plan_tile_is_window(&t->plan, i); k++) {
      Window *x = &w->room[k].of[i];
      if (!x->value || w->room[k].chunks) continue;
      lay_out(t, &w->room[k], x, i);
      most = !most ? x->tile_size : build_choice(a, build_compare(a, OP_LT, most, x->tile_size), x->tile_size, most);
    }
    if (!most) continue;
    const Symbol *base = tiles_operand(t, i)->source.base;
    Tree *width = build_width(a, base->type), *room = tree_int(a, TYPE_INT, MOST_BYTES / WIDE_BYTES / many);
    Tree *size = tiles_at_head(t, arena_printf(a, "%s_tile_size", base->name), most);
    w->large[i] = build_compare(a, OP_GT, size, build_mul(a, room, width));
    Tree *length = build_choice(a, w->large[i], width, size);
    w->tile[i] = nest_shared(a, home, arena_printf(a, "%s_tile", base->name), base->type, length);
    w->tile[i]->symbol->exclusive = w->tile[i]->symbol->aligned = true;
  }
}

bool windows_have_tiles(const Tiles *t, const WindowRoom *room) {
  bool any = false;
  for (int i = 0; i < t->codelet->nparams; i++) any |= room->of[i].tile_size != NULL;
  return any;
}

/* Do lanes load windows from memory: where rows lie at multiples of 16 bytes, where lanes have single elements, where
 * tiles would be too large, and of types that are not copied asynchronously? */
Tree *windows_come_directly(const Tiles *t) {
  Arena *a = t->l->a;
  Tree *all = build_compare(a, OP_EQ, t->of[t->windows->along].group, tree_int(a, TYPE_INT, 1));
  all = tree_binary(a, OP_LOR, TYPE_BOOL, t->wide, all);
  if (t->windows->even) all = tree_binary(a, OP_LOR, TYPE_BOOL, t->windows->even, all);
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (!t->windows->tile[i]) continue;
    Tree *most = tree_int(a, TYPE_INT, WIDE_BYTES / LEAST_COPIED);
    Tree *small = build_compare(a, OP_GT, build_width(a, tiles_operand(t, i)->source.base->type), most);
    all = tree_binary(a, OP_LOR, TYPE_BOOL, tree_binary(a, OP_LOR, TYPE_BOOL, all, small), t->windows->large[i]);
  }
  return all;
}

/* All tiles of a room, ahead of a lane's groups. */
static NestNode *fill_tiles(Tiles *t, WindowRoom *room) {
  Arena *a = t->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  Tree *wait[1 + MOST_OPERANDS] = {tree_int(a, TYPE_INT, 0)};
  int n = 1;
  if (!windows_have_tiles(t, room)) return all;
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (!room->of[i].tile_size) continue;
    NestNode *fill = nest_add(a, all, open_copy(a, t->windows->tile[i], room->of[i].value->of));
    room->of[i].fill = fill->stage;
    wait[n++] = build_element(a, t->windows->tile[i]->symbol, build_index(a, 0));
  }
  nest_add(a, all, nest_sync(a, tree_new(a, OP_CLOSE_COPIES, TYPE_VOID, (SourceRange){0}, 0)));
  nest_add(a, all, nest_sync(a, build_tree(a, OP_AWAIT_COPIES, TYPE_VOID, wait, n)));
  Tree *barrier = tree_new(a, OP_BARRIER, TYPE_VOID, (SourceRange){0}, 0); /* here: lanes that load need none */
  barrier->scope = SCOPE_BLOCK;
  nest_add(a, all, nest_sync(a, barrier));
  return all;
}

/* .. of the room that there is. */
void windows_fill_tiles(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  NestNode *work = NULL;
  bool any = false;
  for (int k = t->windows->rooms - 1; k >= 0; k--) {
    WindowRoom *room = &t->windows->room[k];
    any |= windows_have_tiles(t, room);
    work = room->fits ? nest_when(a, room->fits, fill_tiles(t, room), work) : fill_tiles(t, room);
  }
  if (any) nest_add(a, to, nest_when(a, windows_come_directly(t), NULL, work));
}

NestNode *windows_by_tiles(Tiles *t, WindowRoom *room, bool row) {
  NestNode *all = nest_node(t->l->a, NEST_SEQ, NULL);
  for (int i = 0; i < t->codelet->nparams; i++)
    if (room->of[i].tile_size && room->of[i].streams == row)
      room->of[i].take = windows_copy_rows(t, &room->of[i], all, t->windows->tile[i]);
  return all;
}
