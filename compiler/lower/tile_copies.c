/* tile_copies.c: in which order lanes copy a panel of rows and columns ahead (tiles.c).
 *
 *     16 bytes a lane       in the order of memory, where rows are aligned
 *     an element a lane     transposed: a warp has 8 neighbours of each of 4 rows, and stores to as many banks as it
 *                           has lanes
 *
 * Where a round of copies begins at the same column as the one before, a lane's column is known ahead of all, and so is
 * its first row.
 *
 * Requires tiles of rows and columns. Keeps: each element is copied once. */
#include "lower/tiles.h"

#include "ir/element.h"

/* Where a lane has few elements: there are fewer copies then, but it reads 16 bytes of each of its rows, which take as
 * many registers. */
Tree *tile_copies_in_order(Tiles *t, int param) {
  enum { FEW = 64 };
  Arena *a = t->l->a;
  const int unit = tiles_unit(t, param);
  if (!t->stages || t->plan.groups || t->plan.multiplies) return NULL;
  if (t->plan.rank != PLANE || tiles_rank(t, param) != PLANE) return NULL;
  if (!t->wide || plan_tile_panelled(&t->plan, param) != unit) return NULL;
  Tree *width = build_width(a, tiles_operand(t, param)->source.base->type);
  Tree *each = build_mul(a, t->of[0].each, t->of[1].each);
  Tree *whole = build_both(a, t->wide, build_is_multiple(a, t->staged[param].extent[unit], width));
  return build_both(a, whole, build_compare(a, OP_LT, each, tree_int(a, TYPE_INT, FEW)));
}

/* Where elements are transposed a warp has ACROSS neighbours of each of DOWN rows. */
void tile_copies_divide(Tiles *t, int param, const char *name, bool transposed) {
  enum { ACROSS = 8, DOWN = 4 };
  Arena *a = t->l->a;
  Staged *s = &t->staged[param];
  const int unit = tiles_unit(t, param), lanes = t->l->plan->machine->vector_width;
  Tree *threads = tree_ref(a, t->l->now.threads), *thread = build_lane(a, OP_THREAD), *none = tree_int(a, TYPE_INT, 0);
  Tree *width = s->extent[unit], *many = s->per ? build_mul(a, threads, s->per) : threads;
  Tree *first = s->per ? build_mul(a, thread, s->per) : thread;
  Tree *rows = build_choice(a, build_is_multiple(a, many, width), build_div(a, many, width), none);
  Tree *across = build_div(a, first, width), *along = tree_binary(a, OP_REM, TYPE_INT, first, width);
  if (transposed) {
    Tree *eight = tree_int(a, TYPE_INT, ACROSS), *four = tree_int(a, TYPE_INT, DOWN);
    Tree *vector = tree_int(a, TYPE_INT, lanes), *patches = build_div(a, width, eight);
    Tree *warps = build_div(a, threads, vector), *warp = build_div(a, thread, vector);
    Tree *lane = tree_binary(a, OP_REM, TYPE_INT, thread, vector);
    Tree *fits = build_both(a, build_is_multiple(a, width, eight), build_is_multiple(a, s->extent[1 - unit], four));
    if (s->per) fits = build_both(a, fits, build_compare(a, OP_EQ, s->per, tree_int(a, TYPE_INT, 1)));
    Tree *down = build_mul(a, build_div(a, warps, patches), four);
    rows = build_choice(a, fits, build_choice(a, build_is_multiple(a, warps, patches), down, none), rows);
    Tree *row = build_mul(a, build_div(a, warp, patches), four);
    Tree *column = build_mul(a, tree_binary(a, OP_REM, TYPE_INT, warp, patches), eight);
    across = build_choice(a, fits, build_add(a, row, build_div(a, lane, eight)), across);
    column = build_add(a, column, tree_binary(a, OP_REM, TYPE_INT, lane, eight));
    along = build_choice(a, fits, column, along);
  }
  s->rows = tiles_at_head(t, arena_printf(a, "%s_rows", name), rows);
  s->across = tiles_constant(t, arena_printf(a, "%s_row", name), across);
  s->along = tiles_constant(t, arena_printf(a, "%s_column", name), along);
}

/* Past the caches of multiprocessors a part's last row, or column, would be loaded again and again: all blocks that
 * have it wait for one line of the L2. So what is behind it does not exist, where 16 bytes are copied. */
Tree *tile_copies_exist(Tiles *t, int param, Tree *const *index, Tree *exists) {
  Arena *a = t->l->a;
  const Staged *s = &t->staged[param];
  for (int d = 0; d < tiles_rank(t, param) && s->per; d++) {
    if (!s->last[d]) continue;
    Tree *alone = build_compare(a, OP_EQ, s->per, tree_int(a, TYPE_INT, 1));
    Tree *one = build_compare(a, OP_LE, index[d], s->last[d]);
    exists = build_both(a, exists, tree_binary(a, OP_LOR, TYPE_BOOL, alone, one));
  }
  return exists;
}

/* ---- rows in shared memory ---- */

enum { REGISTERS = 4, WORD = 4 }; /* of a fragment's row; bytes of one */

/* Are some elements words, four of which a fragment has below each other? */
static bool words_across(const Tiles *t, int param, int fast) {
  const Spectrum *s = t->codelet->spectrum;
  bool words = false;
  for (int i = 0; i < s->elements.n; i++) {
    const ElementType *e = element_by_name(s->elements.at[i]);
    words |= e && e->bytes == WORD;
  }
  return words && fast != plan_tile_panelled(&t->plan, param);
}

/* By how much a row is longer than its elements. Lanes that copy along it read along it, too: they meet in no bank. */
static Tree *padding(Tiles *t, int param, int fast) {
  Arena *a = t->l->a;
  const LaneTile *lane = tiles_lane(t, param, fast);
  Tree *one = tree_int(a, TYPE_INT, 1), *width = build_width(a, tiles_operand(t, param)->source.base->type);
  Tree *registers = tree_int(a, TYPE_INT, REGISTERS); /* eight rows that are so much longer meet in no bank */
  if (t->plan.multiplies) {
    Tree *usual = build_choice(a, build_compare(a, OP_GT, width, registers), width, registers);
    return words_across(t, param, fast)
               ? build_choice(a, build_compare(a, OP_EQ, width, registers), tree_int(a, TYPE_INT, 2 * REGISTERS), usual)
               : usual;
  }
  const int panelled = plan_tile_panelled(&t->plan, param);
  if (fast == tiles_unit(t, param) && panelled >= 0 && panelled != fast) return tree_int(a, TYPE_INT, 0);
  if (!lane || !plan_cut_is_tiles(lane->cut)) return one;
  return build_choice(a, build_is_multiple(a, lane->each, width), width, one);
}

Tree *tile_copies_lay(Tiles *t, int param, const char *name, int fast) {
  static const char *const steps[] = {"%s_row_step", "%s_column_step"}; /* of PLANE dimensions */
  Arena *a = t->l->a;
  Staged *s = &t->staged[param];
  const int rank = tiles_rank(t, param), unit = tiles_unit(t, param);
  const bool named = !t->plan.groups, padded = named && rank > 1;
  Tree *width = build_width(a, tiles_operand(t, param)->source.base->type), *one = tree_int(a, TYPE_INT, 1);
  Tree *pitch = s->extent[fast];
  if (padded) pitch = build_add(a, pitch, padding(t, param, fast));
  if (s->ordered) pitch = build_choice(a, s->ordered, build_add(a, s->extent[unit], width), pitch);
  if (padded) pitch = tiles_at_head(t, arena_printf(a, "%s_pitch", name), pitch);
  if (named) s->all = tiles_at_head(t, arena_printf(a, "%s_elements", name), tiles_copied(t, param));
  Tree *length = pitch;
  s->step[fast] = one;
  for (int d = rank - 1; d >= 0; d--) {
    if (d == fast) continue;
    s->step[d] = length;
    length = build_mul(a, s->extent[d], length);
  }
  if (!s->ordered) return length;
  s->step[unit] = build_choice(a, s->ordered, one, pitch);
  s->step[fast] = build_choice(a, s->ordered, pitch, one);
  for (int d = 0; d < rank; d++) s->step[d] = tiles_at_head(t, arena_printf(a, steps[d], name), s->step[d]);
  Tree *more = build_compare(a, OP_GT, s->extent[unit], s->extent[fast]); /* room for either */
  Tree *longer = build_choice(a, more, s->extent[unit], s->extent[fast]);
  return build_add(a, tiles_copied(t, param), build_mul(a, width, longer));
}
