/* tile_lanes.c: which elements of a block's tile each of its lanes has, or each of its warps that multiply (tiles.c).
 *
 *     row_lane, column_lane      a lane's number, taken apart: `lanes' of them have neighbouring columns
 *     b_lane, row_lane, ..       of three dimensions the rows of lanes are divided among the first, and rows
 *
 * Lanes beyond these have none: their `left' is not above 0.
 *
 * Requires a part of which lanes have tiles, or every n-th element. Keeps: each element is one lane's, or one
 * warp's. */
#include "lower/tiles.h"

Tree *tiles_extent(Lowering *l, const Symbol *cut) { return lowering_tunable(l, plan_tile_name(l->a, cut)); }

Tree *tiles_constant(Tiles *t, const char *name, Tree *value) {
  return tree_ref(t->l->a, lowering_fixed(t->l, name, TYPE_INT, value));
}

Tree *tiles_at_head(Tiles *t, const char *name, Tree *value) {
  Lowering *l = t->l;
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), TYPE_INT);
  s->constant = true;
  vec_push(l->a, &l->now.shared, build_declare(l->a, s, value));
  return tree_ref(l->a, s);
}

static Tree *head_constant(void *context, Arena *a, Tree *t) {
  const Statements *head = context;
  for (int i = 0; t->op == OP_REF && i < head->n; i++)
    if (head->at[i]->op == OP_DECLARE && head->at[i]->symbol == t->symbol)
      return tree_rewrite(a, head->at[i]->kid[0], head_constant, context);
  return t;
}

Tree *tiles_outside(const Tiles *t, Tree *x) {
  return tree_rewrite(t->l->a, x, head_constant, &t->l->now.shared);
}

Tree *tiles_of_lanes(Tiles *t, const LaneTile *lane) {
  LaneTile *x = &t->of[lane - t->of];
  Tree *all = build_mul(t->l->a, x->each, x->lanes);
  if (!x->all) x->all = t->plan.groups ? all : tiles_at_head(t, arena_printf(t->l->a, "%s_padded", x->cut->name), all);
  return x->all;
}

Tree *tiles_as_int(Tiles *t, Tree *x) { return build_cast(t->l->a, TYPE_INT, x); }

/* Does something read what lies beside a lane's elements, or is it told how many there are? */
static bool lies_together(const Tiles *t, const Symbol *cut) {
  bool together = tree_contains(t->plan.body, OP_SIZE);
  for (int i = 0; i < t->codelet->nparams; i++)
    for (int d = 0; d < MOST_DIMENSIONS; d++) {
      const Tree *lanes = t->plan.cut[i][d].lanes;
      together |= lanes && lanes->op == OP_HALO && tree_cut(lanes) == cut;
    }
  return together;
}

/* Groups of 16 bytes, where a lane has whole ones; else one of all its elements. Where neighbours in the dimension are
 * a row apart in shared memory, a group is one element: of larger ones lanes meet in a few banks. */
static void make_groups(Tiles *t, LaneTile *x, const char *name) {
  Arena *a = t->l->a;
  Tree *width = build_width(a, t->memory->view->source.base->type);
  Tree *rest = tree_binary(a, OP_REM, TYPE_INT, x->each, width);
  Tree *whole = build_compare(a, OP_EQ, rest, tree_int(a, TYPE_INT, 0));
  Tree *group = build_choice(a, whole, width, x->each);
  if (x->apart) group = build_choice(a, x->apart, tree_int(a, TYPE_INT, 1), group);
  x->group = tiles_at_head(t, arena_printf(a, "%s_group", name), group);
  x->stride = tiles_at_head(t, arena_printf(a, "%s_apart", name), build_mul(a, x->lanes, x->group));
}

/* Of windows: all of a lane's elements, where these are whole vectors of 16 bytes, so that what lies around is read
 * once for all of them; else an element, and lanes have theirs in turns. Of a line eight are enough, and what all turns
 * read is loaded once (window_held.c). Those of three dimensions have so many rows
 * that it takes longer to shift them than to load them by elements, which lie side by side as lanes do: of floats
 * (seven points) 0.50 and 0.66 of a copy. */
static void make_turns(Tiles *t, LaneTile *x, const char *name) {
  enum { OF_LINE = 8 };
  Arena *a = t->l->a;
  Tree *width = build_width(a, t->memory->view->source.base->type), *one = tree_int(a, TYPE_INT, 1);
  Tree *whole = build_is_multiple(a, x->each, width);
  Tree *vectors = t->windows->even ? tree_binary(a, OP_LOR, TYPE_BOOL, t->wide, t->windows->even) : t->wide;
  const bool at_once = t->windows->streamed < 0; /* of a stream there are rows of one plane */
  if (t->wide && t->plan.rank > PLANE && at_once) whole = build_both(a, vectors, whole);
  Tree *group = build_choice(a, whole, x->each, one);
  if (t->plan.rank < PLANE && t->wide) {
    Tree *eight = tree_int(a, TYPE_INT, OF_LINE);
    Tree *most = build_choice(a, build_compare(a, OP_LT, eight, width), width, eight);
    group = build_choice(a, build_is_multiple(a, x->each, most), most, group);
  }
  x->group = t->wide ? tiles_at_head(t, arena_printf(a, "%s_group", name), group) : one;
  x->stride = tiles_at_head(t, arena_printf(a, "%s_apart", name), build_mul(a, x->lanes, x->group));
}

/* A warp has two fragments at least in each dimension: with fewer than four products at a time of doubles ptxas 13.0
 * goes on before their sums are there. */
static void make_fragments(Tiles *t, LaneTile *x, int d, const char *name) {
  enum { FRAGMENTS = 2 };
  Arena *a = t->l->a;
  const bool groups = t->plan.groups;
  const bool rows = d == t->plan.rank - PLANE;
  const int unit = groups ? (rows == !t->across ? GROUP_M : MATRIX_N) : rows ? MATRIX_M : t->fragment.columns;
  Tree *least = tree_int(a, TYPE_INT, groups ? GROUP_M : FRAGMENTS * unit); /* columns by lines of 128 bytes */
  x->unit = tree_int(a, TYPE_INT, unit);
  Tree *each = build_mul(a, build_ceil_div(a, x->each, least), least);
  x->each = tiles_at_head(t, arena_printf(a, "%s_each", name), each);
}

/* How many of so many rows of workers share `most' elements: as many, if there are. Of groups of warps, all of which
 * multiply, only so many that none is left over: all, or so many that they divide the others. */
static Tree *sharing(Tiles *t, Tree *most, Tree *rows) { /* constants, as `min' is not */
  Arena *a = t->l->a;
  Tree *zero = tree_int(a, TYPE_INT, 0), *one = tree_int(a, TYPE_INT, 1);
  if (!t->plan.groups) return build_choice(a, build_compare(a, OP_LT, most, rows), most, rows);
  Tree *fewer = build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INT, rows, most), zero);
  Tree *more = build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INT, most, rows), zero);
  return build_choice(a, fewer, most, build_choice(a, more, rows, one));
}

/* How many workers share each dimension but the last: one above rows and columns as many as it has tiles' elements, if
 * there are so many rows of workers; the rows the others. */
static void share_rows(Tiles *t, Tree *rows) {
  Arena *a = t->l->a;
  for (int d = 0; d < t->plan.rank; d++) {
    LaneTile *x = &t->of[d];
    x->cut = tree_cut(t->plan.cut[t->plan.written][d].lanes);
    x->lanes = rows;
    if (d >= t->plan.rank - PLANE) continue;
    if (t->windows) { /* which are larger than long: fewer elements around them */
      x->lanes = tree_int(a, TYPE_INT, 1);
      continue;
    }
    Tree *most = tiles_extent(t->l, tree_cut(t->plan.cut[t->plan.written][d].grid));
    x->lanes = tiles_at_head(t, arena_printf(a, "%s_lanes", x->cut->name), sharing(t, most, rows));
    const char *below = tree_cut(t->plan.cut[t->plan.written][d + 1].lanes)->name;
    rows = tiles_at_head(t, arena_printf(a, "%s_lanes", below), build_div(a, rows, x->lanes));
  }
}

/* Which of them is this one, whose number among rows of workers is that. */
static Tree *number_of_row(Tiles *t, int d, Tree *number) {
  Arena *a = t->l->a;
  for (int below = t->plan.rank - PLANE; below > d; below--) number = build_div(a, number, t->of[below].lanes);
  return d > 0 && t->plan.rank > PLANE ? tree_binary(a, OP_REM, TYPE_INT, number, t->of[d].lanes) : number;
}

/* A lane's row of lanes, and its number in it. Where lanes read panels that are staged, neighbours are in two rows
 * alternately: of 16 bytes a lane, quarters of a warp are loaded together where each pair of lanes reads the same.
 * Where there are no panels, rows of lanes are as long as can be, for memory. */
typedef struct Lane { Tree *row, *column; } Lane;

static Lane lane_of(Tiles *t, Tree *worker, Tree *rows, Tree *row) {
  Arena *a = t->l->a;
  Lane plain = {build_div(a, worker, row), tree_binary(a, OP_REM, TYPE_INT, worker, row)};
  const bool staged = t->plan.block->traversal >= TRAVERSE_STAGED && t->plan.loop && t->plan.reduces;
  if (!staged || t->plan.multiplies || t->windows || t->plan.rank < PLANE) return plain;
  Tree *two = tree_int(a, TYPE_INT, 2), *one = tree_int(a, TYPE_INT, 1);
  Tree *rows_at_once = tiles_at_head(t, "in_turns", build_choice(a, build_is_multiple(a, rows, two), two, one));
  Tree *pair = build_div(a, worker, build_mul(a, rows_at_once, row));
  Tree *within = tree_binary(a, OP_REM, TYPE_INT, worker, rows_at_once);
  return (Lane){build_add(a, build_mul(a, pair, rows_at_once), within),
                tree_binary(a, OP_REM, TYPE_INT, build_div(a, worker, rows_at_once), row)};
}

void tiles_divide_lanes(Tiles *t) {
  Lowering *l = t->l;
  Arena *a = l->a;
  const bool warps = t->plan.multiplies;
  const bool groups = t->plan.groups; /* whose row is one */
  Tree *worker = build_lane(a, warps ? OP_WARP : OP_THREAD), *workers = tree_ref(a, l->now.threads);
  Tree *one = tree_int(a, TYPE_INT, 1), *row = groups ? one : t->plan.rank < PLANE ? workers : NULL;
  if (!row) row = lowering_tunable(l, plan_tile_workers_name(warps));
  const int lanes = l->plan->machine->vector_width * (groups ? GROUP_WARPS : 1);
  if (warps) workers = build_div(a, workers, tree_int(a, TYPE_INT, lanes));
  if (groups) worker = build_div(a, worker, tree_int(a, TYPE_INT, GROUP_WARPS));
  Tree *rows = build_div(a, workers, row);
  const Lane own = lane_of(t, worker, rows, row);
  share_rows(t, rows);
  if (t->across) t->of[0].lanes = one;
  if (t->across) t->of[1].lanes = workers;
  for (int d = 0; d < t->plan.rank; d++) {
    const TileCut *by = &t->plan.cut[t->plan.written][d];
    LaneTile *x = &t->of[d];
    const bool last = t->across ? d == 0 : plan_tile_lanes(&t->plan, x->cut);
    const bool above = d < t->plan.rank - PLANE;
    const char *name = x->cut->name;
    Tree *number = last && groups ? tree_int(a, TYPE_INT, 0)
                   : last && t->plan.rank < PLANE ? worker
                   : last         ? own.column
                   : t->across    ? worker
                                  : number_of_row(t, d, own.row);
    if (last) x->lanes = row;
    const char *whose = groups ? "group" : warps ? "warp" : "lane";
    if (!last || !groups) number = tiles_constant(t, arena_printf(a, "%s_%s", name, whose), number);
    x->number = number;
    x->each = build_ceil_div(a, tiles_extent(l, tree_cut(by->grid)), x->lanes);
    if (warps && !above) make_fragments(t, x, d, name);
    else x->each = tiles_at_head(t, arena_printf(a, "%s_each", name), x->each);
  }
}

void tiles_place_lanes(Tiles *t) {
  Arena *a = t->l->a;
  const bool warps = t->plan.multiplies;
  for (int d = 0; d < t->plan.rank; d++) {
    LaneTile *x = &t->of[d];
    const bool last = t->across ? d == 0 : plan_tile_lanes(&t->plan, x->cut), tiles = plan_cut_is_tiles(x->cut);
    const bool above = d < t->plan.rank - PLANE;
    const char *name = x->cut->name;
    if (t->windows && last) make_turns(t, x, name);
    else if (!warps && !above && tiles && !t->windows && !lies_together(t, x->cut)) make_groups(t, x, name);
    Tree *own = x->group ? x->group : x->each;
    x->first = tiles ? tiles_constant(t, arena_printf(a, "%s_first", name), build_mul(a, x->number, own)) : x->number;
    x->step = tiles ? tree_int(a, TYPE_INT, 1) : x->lanes;
    Tree *left = build_sub(a, tiles_as_int(t, tiles_size(t, t->plan.written, d)), x->first);
    x->left = tiles_constant(t, arena_printf(a, "%s_left", name), left);
  }
}

/* Has a lane an element of the part? Small parts leave whole warps without. */
Tree *tiles_have_any(Tiles *t) {
  Arena *a = t->l->a;
  Tree *zero = tree_int(a, TYPE_INT, 0), *all = NULL;
  for (int d = 0; d < t->plan.rank; d++) {
    Tree *one = build_compare(a, OP_GT, t->of[d].left, zero);
    all = all ? build_both(a, all, one) : one;
  }
  return all;
}
