/* cuts.c: maps over cuts, each of which cuts one dimension of its containers: a worker for each combination of their
 * parts.
 *
 *     parts.i worker      the workers' flat number, taken apart: the last cut's parts follow one another
 *       parts.j worker
 *         the plan of a part
 *
 * A level's workers are divided among the cuts: lanes of a vector have neighbouring parts of the last one. A grid has
 * as many blocks as its tiles are worth (grid_cuts.c). A part is begin and size by dimension; a tile's end is clipped
 * in tails.c.
 *
 * Requires a map over cuts that front/cuts.c takes. Keeps: each combination of parts is one worker's. */
#include "lower/cuts.h"

#include "front/cuts.h"
#include "lower/realise.h"

enum { MOST_CUTS = MOST_OPERANDS };

typedef struct CutAxis {
  const Symbol *cut;
  Tree *parts;           /* how many */
  Tree *elements, *tile; /* of the dimension, of each part but the last; NULL: it is cut by sequences, */
  Tree *early;           /* .. so many elements before the first one does the first tile begin; NULL: with that */
  Cut by;                /* these */
} CutAxis;

/* `narrow': workers are numbered by 32 bits, whose divisions are short. `rows': the first of two cuts whose parts are
 * taken in groups of rows; -1: one row follows the other; `place': the row and the column of the part number `of'.
 * `ends_first': the first cut's last parts come before its first one; `number': of the one that `of' is. */
typedef struct CutAxes {
  CutAxis at[MOST_CUTS];
  bool narrow, ends_first;
  int n, rows;
  const Tree *of;
  Tree *place[2], *number;
} CutAxes;

/* ---- which cuts there are ---- */

static CutAxis *axis_of(const CutAxes *c, const Symbol *cut) {
  for (int i = 0; i < c->n; i++)
    if (c->at[i].cut == cut) return (CutAxis *)&c->at[i];
  return NULL;
}

/* In the order of containers' dimensions, those of most cuts first: so neighbouring lanes have a matrix's neighbours,
 * though a line of its columns is the map's first argument. */
static CutAxes *axes_of(Lowering *l, const Tree *map) {
  CutAxes *c = arena_one(l->a, CutAxes);
  int most = 0;
  for (int i = 0; i < map->nkids; i++)
    if (tree_cuts(map->kid[i]) > most) most = tree_cuts(map->kid[i]);
  for (int many = most; many > 0; many--)
    for (int i = 0; i < map->nkids; i++)
      for (int d = 1; tree_cuts(map->kid[i]) == many && d < map->kid[i]->nkids; d++) {
        const Symbol *cut = tree_cut(map->kid[i]->kid[d]);
        if (cut && !axis_of(c, cut) && c->n < MOST_CUTS) c->at[c->n++].cut = cut;
      }
  return c;
}

static const Symbol *tunable_of(const Symbol *cut) { return tree_uncast(cut->init->kid[0])->symbol; }

/* ---- workers ---- */

static const Symbol **names(Arena *a, const CutAxes *c) {
  const Symbol **all = arena_many(a, const Symbol *, c->n);
  for (int i = 0; i < c->n; i++) all[i] = c->at[i].cut;
  return all;
}

/* How many parts each cut has, for `many' workers: of a block's threads the last one has a vector's; of vectors whose
 * lanes have a result between them it has all. */
static void divide_workers(Lowering *l, CutAxes *c, const PlanNode *n, const Tree *map, Tree *many) {
  Arena *a = l->a;
  const int width = l->plan->machine->vector_width, rows = cuts_rows(c->n, names(l->a, c), map);
  int64_t workers;
  for (int i = c->n - 1; i >= 0; i--) {
    const bool threads = many->op == OP_REF && many->symbol == l->now.threads;
    if (tree_constant(many, &workers)) {
      const int64_t share = cuts_share(workers, i + 1);
      c->at[i].parts = build_index(a, share);
      many = build_index(a, workers / share);
    } else if (i == c->n - 1 && !threads && cuts_lanes_together(n)) {
      c->at[i].parts = many;
      many = build_index(a, 1);
    } else if (i == c->n - 1 && i > 0 && threads) {
      const Symbol *lanes = many->symbol; /* a CPU's are a vector's */
      c->at[i].parts = build_index(a, width);
      many = lanes->min == lanes->max ? build_index(a, lanes->max / width) : build_div(a, many, build_index(a, width));
    } else c->at[i].parts = i == rows || c->n == 1 ? many : build_index(a, 1);
  }
}

/* Elements that are worth a block, of cut number i: as many rows as it has vectors (cut number `rows'), and as many
 * neighbours as a vector has under way at once, where it takes rows. */
static int64_t worth_a_block(const Lowering *l, const CutAxes *c, const PlanNode *n, int i, int rows) {
  enum { VECTORS = 8, NEIGHBOURS = 256 };
  const PlanNode *leaf = n;
  while (leaf->nkids) leaf = leaf->kid[0];
  if (cuts_lanes_together(n)) return i == c->n - 1 && leaf->rule->level->can.lanes == LANES_FIXED ? VECTORS : 1;
  if (rows >= 0) return i == c->n - 1 ? NEIGHBOURS : i == rows ? VECTORS : 1;
  return l->plan->machine->measured.cut_block;
}

/* .. of a grid, on the host: as many as are worth a block each, but no more than it may have. A block has tiles that
 * its lanes share; threads of a process have neighbouring rows. */
static void divide_grid(Lowering *l, CutAxes *c, const PlanNode *n, const Tree *map) {
  Arena *a = l->a;
  const bool cpu = l->plan->machine->is_cpu, takes = !cpu && c->n > 1 && cuts_take_rows(n, c->n, c->at[c->n - 1].cut);
  const int rows = takes ? cuts_rows(c->n, names(l->a, c), map) : -1;
  Tree *left = tree_ref(a, program_constant(l->program, "blocks")->symbol), *one = build_index(a, 1);
  const int again = takes ? cuts_read_again(n, c->n, names(a, c), rows) : -1;
  for (int k = 0; k < c->n; k++) {
    const int i = cpu || takes ? cuts_turn(k, c->n, again) : c->n - 1 - k;
    CutAxis *x = &c->at[i];
    if (i == again) left = build_div(a, left, build_index(a, MANY_AGAIN));
    const int64_t tile = cpu ? l->plan->machine->measured.cut_thread : worth_a_block(l, c, n, i, rows);
    Tree *wanted = build_min(a, build_ceil_div(a, x->elements, build_index(a, tile)), left);
    if (takes && i == c->n - 1 && plan_cut_is_tiles(x->cut)) { /* lanes have as many neighbours each */
      Tree *some = lowering_size(l, arena_printf(a, "%s_parts", x->cut->name), build_max(a, wanted, one));
      Tree *each = build_max(a, build_ceil_div(a, x->elements, build_mul(a, some, build_index(a, tile))), one);
      x->tile = lowering_size(l, arena_printf(a, "%s_tile", x->cut->name), build_mul(a, each, build_index(a, tile)));
      wanted = build_ceil_div(a, x->elements, x->tile);
    }
    x->parts = lowering_size(l, tunable_of(x->cut)->name, build_max(a, wanted, one));
    left = k < c->n - 1 ? lowering_size(l, "left", build_max(a, build_div(a, left, x->parts), one)) : NULL;
  }
}

/* Parts to which several workers contribute come last: a cluster's blocks are neighbours. */
static void put_shares_last(CutAxes *c, const PlanTiles *t) {
  CutAxes sorted = {.narrow = c->narrow, .rows = -1};
  for (int shares = 0; shares < 2; shares++)
    for (int i = 0; i < c->n; i++)
      if (plan_tile_is_share(t, c->at[i].cut) == (shares == 1)) sorted.at[sorted.n++] = c->at[i];
  *c = sorted;
}

/* Do neighbouring lanes hold windows along it? */
static bool goes_along(const PlanTiles *t, const CutAxis *x) {
  bool along = false;
  for (int d = 0; d < t->rank && t->rank >= PLANE && plan_tiles_hold_windows(t); d++) {
    const TileCut *of = &t->cut[t->written][d];
    along |= tree_cut(of->grid) == x->cut && plan_tile_lanes(t, tree_cut(of->lanes));
  }
  return along;
}

static Tree *first_of(Arena *a, const View *v) { return build_element(a, v->source.base, v->begin); }

static Tree *to_aligned(Arena *a, const View *v) { return tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, first_of(a, v)); }

/* What is written by windows, in rows that are multiples of 16 bytes apart, lies in groups of 16 bytes where tiles
 * begin so many elements before its first one. */
static Tree *early(Lowering *l, const CutAxis *x, const Environment *e, const PlanTiles *t) {
  Arena *a = l->a;
  Tree *even = build_compare(a, OP_GT, x->elements, build_index(a, 0));
  const View *to = e->arguments.at[t->param[t->written]].view;
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++) {
    View *v = e->arguments.at[t->param[i]].view;
    if (i != t->written && !t->also[i] && !plan_tile_is_window(t, i) && !plan_tile_is_own(t, i)) continue;
    if (!v || !v->source.base || !to || !to->source.base) return NULL;
    if (t->also[i]) even = build_both(a, even, build_compare(a, OP_EQ, to_aligned(a, v), to_aligned(a, to)));
    else if (i != t->written && t->block->traversal == TRAVERSE_STREAMED)
      even = build_both(a, even, phase_is(a, first_of(a, v), first_of(a, to)));
    for (int d = 0; d < t->leaf->rule->codelet->params[i]->rank; d++)
      if (plan_tile_halo_name(a, &t->cut[i][d])) return NULL; /* there are ways enough through the text */
    Tree *width = build_width(a, v->source.base->type);
    for (int d = 0; d < t->leaf->rule->codelet->params[i]->rank; d++) {
      Tree *step = *view_step_of(v, d);
      const bool along = tree_cut(t->cut[i][d].grid) == x->cut;
      if (along != build_is(step, 1)) return NULL;
      if (!along) even = build_both(a, even, build_is_multiple(a, step, width));
    }
  }
  Tree *width = build_width(a, to->source.base->type), *ahead = to_aligned(a, to);
  Tree *none = build_index(a, 0), *some = build_choice(a, build_compare(a, OP_GT, ahead, none),
                                                       build_sub(a, width, ahead), none);
  return lowering_size(l, arena_printf(a, "%s_early", x->cut->name), build_choice(a, even, some, none));
}

/* Blocks that run together share what they read of both operands if their tiles are a square, not a row: of an H200's
 * doubles that is 1.5% at 4096 and 15% at 8192. -1: there are no two cuts that lanes share, or others stand between
 * them. */
static int rows_of_groups(const CutAxes *c, const PlanTiles *t) {
  int row = -1, own = 0;
  for (int i = 0; i < c->n; i++) {
    if (plan_tile_is_share(t, c->at[i].cut) || plan_tile_is_above(t, c->at[i].cut)) continue;
    if (own++ == 0) row = i;
    else if (i != row + 1) return -1;
  }
  return t->multiplies && own == 2 ? row : -1;
}

/* Neighbouring blocks write neighbours: what one writes of 32 bytes the next one completes before it goes to memory. */
static void order_as_written(CutAxes *c, const PlanTiles *t) {
  CutAxes sorted = {.narrow = c->narrow, .rows = c->rows, .n = c->n};
  for (int d = 0; d < t->rank; d++) {
    const CutAxis *x = axis_of(c, tree_cut(t->cut[t->written][d].grid));
    if (!x || t->rank != c->n) return;
    sorted.at[d] = *x;
  }
  *c = sorted;
}

/* .. by tiles of so many elements; what lanes do not share into as many parts as there is room for blocks, where each
 * has a few panels; and of a cluster, which adds without a kernel more, two, as far as it has blocks. */
static void divide_tiles(Lowering *l, CutAxes *c, const Environment *e, const PlanTiles *t) {
  enum { PANELS_A_SHARE = 4, OF_CLUSTER = 2, ELEMENTS_A_SHARE = 64 };
  Arena *a = l->a;
  if (plan_tiles_move(t)) order_as_written(c, t);
  const bool clustered = t->grid->combine == COMBINE_CLUSTER;
  Tree *tiles = build_index(a, 1), *one = tiles;
  for (int i = 0; i < c->n; i++) {
    CutAxis *x = &c->at[i];
    if (plan_tile_is_share(t, x->cut)) continue;
    x->tile = tiles_extent(l, x->cut);
    if (goes_along(t, x)) x->early = early(l, x, e, t);
    Tree *elements = x->early ? build_add(a, x->elements, x->early) : x->elements;
    x->parts = lowering_size(l, tunable_of(x->cut)->name, build_ceil_div(a, elements, x->tile));
    tiles = build_mul(a, tiles, x->parts);
  }
  Tree *left = NULL;
  for (int i = 0; i < c->n; i++) {
    CutAxis *x = &c->at[i];
    if (x->tile) continue;
    const Symbol *panels = plan_tile_panels(t);
    Tree *room = tree_ref(a, program_constant(l->program, "blocks")->symbol),
         *whole = panels ? tiles_extent(l, panels) : one;
    Tree *few = build_index(a, clustered ? OF_CLUSTER : PANELS_A_SHARE);
    Tree *least = panels ? build_mul(a, whole, few) : build_index(a, ELEMENTS_A_SHARE);
    Tree *blocks = build_max(a, build_div(a, room, build_max(a, tiles, one)), one);
    if (clustered) blocks = build_min(a, blocks, build_index(a, arch_reaching(l->plan->machine)->width_max));
    left = left ? one : lowering_size(l, "left", blocks);
    Tree *each = build_mul(a, build_ceil_div(a, build_ceil_div(a, x->elements, left), whole), whole);
    x->tile = lowering_size(l, arena_printf(a, "%s_tile", x->cut->name), build_max(a, each, least));
    x->parts = lowering_size(l, tunable_of(x->cut)->name, build_ceil_div(a, x->elements, x->tile));
  }
}

/* So many threads, no more than `blocks', that what is computed is worth waking: of as many vectors as there is a
 * thread for, each result takes so many of the codelet's innermost iterations at least. */
static Tree *worth_waking(Lowering *l, const CutAxes *c, const Environment *e, const PlanTiles *t) {
  enum { UNIT = 1 << 10, TURNS = 1 << 8, MOST = 1 << 30 };
  Arena *a = l->a;
  const int64_t elements = l->plan->machine->measured.thread_vectors * l->plan->machine->vector_width;
  Tree *results = build_index(a, 1), *inner = results, *most = build_index(a, MOST);
  for (int i = 0; i < c->n; i++) results = build_mul(a, results, c->at[i].elements);
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++)
    for (int d = 0; d < MOST_DIMENSIONS; d++)
      if (t->cut[i][d].panel) inner = view_extent(l, e->arguments.at[t->param[i]].view, d);
  Tree *units = build_min(a, build_div(a, results, build_index(a, UNIT)), most);
  units = build_mul(a, units, build_min(a, inner, most));
  Tree *each = build_index(a, elements * TURNS > UNIT ? elements * TURNS / UNIT : 1);
  Tree *many = build_max(a, build_div(a, units, each), build_index(a, 1));
  return lowering_size(l, "takers", build_min(a, many, tree_ref(a, program_constant(l->program, "blocks")->symbol)));
}

/* Rounded up; small products of one tile would wait for divisions longer than they take. */
static Tree *divided(Arena *a, Tree *x, Tree *by) {
  return build_choice(a, build_compare(a, OP_EQ, by, build_index(a, 1)), x, build_ceil_div(a, x, by));
}

/* .. by tiles of at most so many elements, as many for one thread as for another, if they are not very small then: each
 * is whole rectangles, one as long as the other. Those that lanes do not go through are cut up. */
static void divide_packed(Lowering *l, CutAxes *c, const PlanTiles *t, Tree *takers) {
  enum { FEWEST_RECTANGLES = 4 };
  Arena *a = l->a;
  Tree *tiles = build_index(a, 1), *one = tiles;
  for (int i = 0; i < c->n; i++) { /* a batch's products, one by one */
    CutAxis *x = &c->at[i];
    if (!plan_tile_is_above(t, x->cut)) continue;
    x->tile = one;
    x->parts = lowering_size(l, tunable_of(x->cut)->name, x->elements);
    tiles = build_mul(a, tiles, x->parts);
  }
  for (int vector = 1; vector >= 0; vector--)
    for (int i = 0; i < c->n; i++) {
      CutAxis *x = &c->at[i];
      if (plan_tile_is_above(t, x->cut) || plan_packed_by_lanes(t, x->cut) != (vector == 1)) continue;
      const char *name = x->cut->name;
      Tree *each = lowering_size(l, arena_printf(a, "%s_rectangle", name), packed_rectangle(l, t, vector == 1));
      Tree *parts = build_max(a, build_ceil_div(a, x->elements, tiles_extent(l, x->cut)), one);
      if (!vector) {
        parts = lowering_size(l, "fewest", parts);
        Tree *all = lowering_size(l, "turns", divided(a, build_mul(a, parts, tiles), takers));
        all = build_mul(a, all, takers);
        Tree *wanted = lowering_size(l, "wanted", divided(a, all, build_max(a, tiles, one)));
        Tree *most = build_ceil_div(a, x->elements, build_mul(a, each, build_index(a, FEWEST_RECTANGLES)));
        parts = build_max(a, parts, build_min(a, wanted, most));
      }
      parts = lowering_size(l, arena_printf(a, "%s_parts", name), parts);
      Tree *tile = build_max(a, divided(a, x->elements, parts), one);
      tile = lowering_size(l, arena_printf(a, "%s_even", name), tile);
      tile = build_mul(a, build_ceil_div(a, tile, each), each);
      x->tile = lowering_size(l, arena_printf(a, "%s_tile", name), tile);
      Tree *all = build_choice(a, build_compare(a, OP_EQ, parts, one), build_min(a, x->elements, one),
                               build_ceil_div(a, x->elements, x->tile));
      x->parts = lowering_size(l, tunable_of(x->cut)->name, all);
      tiles = build_mul(a, tiles, x->parts);
    }
}

/* ---- what a codelet's text says ---- */

static const Tree *sequence(Lowering *l, Environment *e, const Tree *t) {
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_SEQUENCE) t = t->symbol->init;
  return inline_expression(l, e, (Tree *)t);
}

/* How many elements the first dimension has that is cut so. */
static Tree *elements_of(Lowering *l, Environment *e, const Tree *map, const Symbol *cut) {
  for (int i = 0; i < map->nkids; i++)
    for (int d = 1; map->kid[i]->op == OP_PARTS && d < map->kid[i]->nkids; d++) {
      View *v = tree_cut(map->kid[i]->kid[d]) == cut ? inline_view(l, e, map->kid[i]->kid[0]) : NULL;
      if (v) return view_extent(l, v, d - 1);
    }
  return build_index(l->a, 0);
}

typedef struct Depends { const Codelet *codelet; bool on_tunables; } Depends;

static bool find_tunable(void *context, const Tree *t) {
  Depends *d = context;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_TUNABLE) d->on_tunables = true;
  for (int i = 0; t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL && i < d->codelet->body->nkids; i++) {
    const Tree *s = d->codelet->body->kid[i];
    if (s->op == OP_DECLARE && s->symbol == t->symbol && s->nkids) tree_visit(s->kid[0], find_tunable, d);
  }
  return !d->on_tunables;
}

/* Declares the locals that follow from tunables, or the others: a grid's tunables follow from these. */
static void declare_locals(Lowering *l, Environment *e, bool on_tunables) {
  const Tree *body = e->codelet->body;
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    if (t->op != OP_DECLARE || t->symbol->kind != SYMBOL_LOCAL || t->symbol->rank) continue;
    Depends d = {e->codelet, false};
    if (t->nkids) tree_visit(t->kid[0], find_tunable, &d);
    if (d.on_tunables == on_tunables) inline_declaration(l, e, t);
  }
}

void cuts_regroup(Lowering *l, const PlanNode *n, Environment *e, Regroup *r, Tree *many) {
  Arena *a = l->a;
  CutAxes *c = axes_of(l, r->map);
  PlanTiles t;
  const bool tiled = !many && plan_has_tiles(n) && plan_tiles(n, &t);
  if ((r->clustered = tiled && n->combine == COMBINE_CLUSTER)) put_shares_last(c, &t);
  c->narrow = !many && !l->plan->machine->is_cpu; /* a grid has no more blocks than fit: its map sees to it */
  c->rows = tiled && c->narrow ? rows_of_groups(c, &t) : -1;
  c->ends_first = tiled && c->narrow && t.block->traversal == TRAVERSE_STREAMED;
  declare_locals(l, e, false);
  for (int i = 0; i < c->n; i++) {
    const Tree *cut = c->at[i].cut->init;
    const bool tiles = cut->nkids == 2;
    c->at[i].elements = tiles ? inline_expression(l, e, cut->kid[1]) : elements_of(l, e, r->map, c->at[i].cut);
  }
  if (many) divide_workers(l, c, n, r->map, many);
  else if (tiled && t.packs) divide_packed(l, c, &t, r->takers = worth_waking(l, c, e, &t));
  else if (tiled) divide_tiles(l, c, e, &t);
  else divide_grid(l, c, n, r->map);
  for (int i = 0; i < c->n; i++) inline_bind(l, e, tunable_of(c->at[i].cut), c->at[i].parts, NULL);
  declare_locals(l, e, true);
  r->parts = build_index(a, 1);
  for (int i = 0; i < c->n; i++) {
    CutAxis *x = &c->at[i];
    const Tree *cut = x->cut->init;
    r->parts = build_mul(a, r->parts, x->parts);
    if (cut->nkids == 2 && build_is(x->parts, 1)) x->tile = x->elements;
    else if (x->tile) continue;
    else if (cut->nkids == 2)
      x->tile = lowering_size(l, arena_printf(a, "%s_tile", x->cut->name), build_ceil_div(a, x->elements, x->parts));
    else x->by = (Cut){x->parts, sequence(l, e, cut->kid[1]), sequence(l, e, cut->kid[2]), sequence(l, e, cut->kid[3])};
  }
  if (many) r->parts = many;
  r->explicit_count = n->rule->explicit_count;
  r->cuts = c;
}

/* ---- parts ---- */

static Tree *parts_as(Arena *a, const CutAxes *c, int i) {
  return c->narrow ? build_cast(a, TYPE_INT, c->at[i].parts) : c->at[i].parts;
}

/* Number `i' of the cuts' parts, of the part of all that has this one. */
static Tree *number_of(Lowering *l, const CutAxes *c, int i, Tree *which) {
  Arena *a = l->a;
  bool first = true; /* of those that have several parts */
  for (int k = 0; k < i; k++) first &= build_is(c->at[k].parts, 1);
  if (build_is(c->at[i].parts, 1)) return build_index(a, 0);
  const bool narrow = c->narrow && (i < c->n - 1 || !first);
  if (narrow) which = build_cast(a, TYPE_INT, which);
  for (int k = c->n - 1; k > i; k--) which = build_div(a, which, parts_as(a, c, k));
  if (!first) which = tree_binary(a, OP_REM, narrow ? TYPE_INT : TYPE_INDEX, which, parts_as(a, c, i));
  return narrow ? build_cast(a, TYPE_INDEX, which) : which;
}

/* Row and column of a part, which are taken column by column of a group of rows. */
static void find_in_group(Lowering *l, CutAxes *c, Tree *which) {
  enum { ROWS = 8 };
  Arena *a = l->a;
  Tree *rows = parts_as(a, c, c->rows), *columns = parts_as(a, c, c->rows + 1), *at = build_cast(a, TYPE_INT, which);
  for (int k = c->n - 1; k > c->rows + 1; k--) at = build_div(a, at, parts_as(a, c, k));
  if (c->rows > 0) at = tree_binary(a, OP_REM, TYPE_INT, at, build_mul(a, rows, columns));
  Tree *most = tree_int(a, TYPE_INT, ROWS), *group = build_mul(a, columns, most);
  Tree *first = tree_ref(a, lowering_fixed(l, "first_row", TYPE_INT, build_mul(a, build_div(a, at, group), most)));
  Tree *many = tree_ref(a, lowering_fixed(l, "rows_here", TYPE_INT, build_min(a, build_sub(a, rows, first), most)));
  Tree *within = tree_ref(a, lowering_fixed(l, "in_rows", TYPE_INT, tree_binary(a, OP_REM, TYPE_INT, at, group)));
  c->of = which;
  c->place[0] = build_cast(a, TYPE_INDEX, build_add(a, first, tree_binary(a, OP_REM, TYPE_INT, within, many)));
  c->place[1] = build_cast(a, TYPE_INDEX, build_div(a, within, many));
}

/* The last parts of the first cut come before all others: lanes at an array's end take results of streams one by one,
 * and would still be at work when others have finished. */
static Tree *last_first(Lowering *l, CutAxes *c, Tree *which) {
  Arena *a = l->a;
  Tree *many = build_cast(a, TYPE_INDEX, build_lane(a, OP_GRID_DIM)), *last = build_index(a, 1);
  if (c->of == which) return c->number;
  for (int k = 1; k < c->n; k++) last = build_mul(a, last, c->at[k].parts);
  Tree *begin = build_add(a, build_sub(a, many, last), which), *first = build_compare(a, OP_LT, which, last);
  c->of = which;
  c->number = lowering_size(l, "tile", build_choice(a, first, begin, build_sub(a, which, last)));
  return c->number;
}

/* .. as the blocks of a grid have them. */
static Tree *number_in_order(Lowering *l, CutAxes *c, int i, Tree *which) {
  if (c->ends_first) return number_of(l, c, i, last_first(l, c, which));
  const bool grouped = c->rows >= 0 && (i == c->rows || i == c->rows + 1);
  if (!grouped || build_is(c->at[c->rows].parts, 1) || build_is(c->at[c->rows + 1].parts, 1))
    return number_of(l, c, i, which);
  if (c->of != which) find_in_group(l, c, which);
  return c->place[i - c->rows];
}

/* One part in one dimension: elements begin, begin + inc, .., so many. */
typedef struct Extent { Tree *begin, *inc, *size, *whole; } Extent;

static Tree *value_of(Lowering *l, const Tree *s, Tree *number, const Tree *parts) {
  if (s->nkids == 1) return s->kid[0];
  Tree *value = build_add(l->a, s->kid[0], build_mul(l->a, number, s->kid[1]));
  /* sequence(0, 1, p) */
  const bool below = build_is(s->kid[0], 0) && build_is(s->kid[1], 1) && tree_equal(s->kid[2], parts);
  return below ? value : build_min(l->a, value, s->kid[2]);
}

static Extent run_of(Lowering *l, const CutAxis *x, Tree *number, Tree *whole) {
  Arena *a = l->a;
  const char *begin = arena_printf(a, "%s_begin", x->cut->name), *size = arena_printf(a, "%s_size", x->cut->name);
  Extent r = {.inc = build_index(a, 1), .whole = whole};
  if (x->tile && build_is(x->parts, 1)) {
    r.begin = build_index(a, 0);
    r.size = x->elements;
    return r;
  }
  if (x->tile) {
    r.begin = lowering_size(l, begin, tails_tile_begin(l, number, x->tile, x->early, x->elements));
    r.size = lowering_size(l, size, tails_tile_size(l, r.begin, x->tile, x->elements));
    return r;
  }
  Tree *end = value_of(l, x->by.end, number, x->parts);
  r.begin = value_of(l, x->by.start, number, x->parts);
  r.inc = value_of(l, x->by.inc, number, x->parts);
  r.size = whole;
  if (build_is(r.begin, 0) && build_is(r.inc, 1) && tree_equal(end, whole)) return r;
  r.begin = lowering_size(l, begin, r.begin);
  r.size = lowering_size(l, size, tails_run_size(l, r.begin, r.inc, build_min(a, end, whole)));
  return r;
}

static bool is_cut_by(const Tree *parts, const CutAxis *x) {
  for (int d = 1; d < parts->nkids; d++)
    if (tree_cut(parts->kid[d]) == x->cut) return true;
  return false;
}

static bool is_cut_by_all(const CutAxes *c, const Tree *parts) {
  bool all = true;
  for (int i = 0; i < c->n; i++) all &= is_cut_by(parts, &c->at[i]);
  return all;
}

/* What parts contribute to together. */
const Tree *cuts_contributed(const Regroup *r) {
  const Codelet *of = r->map->spectrum->codelets[0];
  for (int i = 0; i < r->map->nkids && i < of->nparams; i++)
    if (of->params[i]->atomic && r->map->kid[i]->op == OP_PARTS && !is_cut_by_all(r->cuts, r->map->kid[i]))
      return r->map->kid[i];
  return NULL;
}

/* The cut, by its place among all. */
static int contributing(const Regroup *r) {
  const Tree *to = cuts_contributed(r);
  int i = 0;
  while (is_cut_by(to, &r->cuts->at[i])) i++;
  return i;
}

Tree *cuts_contributing(const Regroup *r) { return r->cuts->at[contributing(r)].parts; }

/* The copy that this part contributes to. */
static View *copy_of(Lowering *l, const Regroup *r, Tree *which) {
  Arena *a = l->a;
  View *v = view_new(l, *r->copies);
  Tree *elements = view_elements(l, v);
  v->begin = lowering_size(l, "copy_begin", build_mul(a, number_of(l, r->cuts, contributing(r), which), elements));
  return v;
}

/* A container's parts, a dimension after the other: its rows, or elements, then its columns, .. */
static View *part_of(Lowering *l, const Regroup *r, Environment *e, const Tree *t, Extent *runs, Tree *which) {
  Arena *a = l->a;
  CutAxes *c = r->cuts;
  const bool copied = r->copies && t == cuts_contributed(r);
  View *whole = copied ? copy_of(l, r, which) : inline_view(l, e, t->kid[0]);
  if (!whole) { lowering_fail(l, t->where, "this is not a container here"); return NULL; }
  View *made = view_new(l, *whole);
  made->spread = NULL;
  Tree *rows = view_size(l, whole);
  for (int d = 1; d < t->nkids; d++) {
    const CutAxis *x = axis_of(c, tree_cut(t->kid[d]));
    if (!x) continue;
    Tree **size = view_extent_of(made, d - 1), **step = view_step_of(made, d - 1);
    Extent *run = &runs[x - c->at];
    if (d == 1) *size = rows;
    if (!run->begin || (!x->tile && !tree_equal(run->whole, *size)))
      *run = run_of(l, x, number_in_order(l, c, (int)(x - c->at), which), *size);
    made->begin = build_add(a, made->begin, build_mul(a, run->begin, *step));
    if (d <= MOST_DIMENSIONS) {
      Tree **from = &made->plane.from[d - 1];
      *from = *from ? build_add(a, *from, run->begin) : run->begin;
      if (x->early) made->plane.early = *from;
    }
    *step = build_mul(a, *step, run->inc);
    *size = run->size;
    for (int k = 1; t->kid[d]->op == OP_HALO && k <= 2; k++)
      *size = build_add(a, *size, inline_expression(l, e, t->kid[d]->kid[k]));
  }
  if (copied && r->again) {
    Regroup without = *r;
    without.copies = NULL;
    made->plane.copied = part_of(l, &without, e, t, runs, which);
  } else if (copied) made->plane.copied = r->copies;
  if (made->begin->op != OP_REF && made->begin->op != OP_INT)
    made->begin = lowering_size(l, arena_printf(a, "%s_begin", t->kid[0]->symbol->name), made->begin);
  if (!made->plane.columns) made->end = build_add(a, made->begin, build_mul(a, made->size, made->step));
  return made;
}

/* Workers that share it contribute to the same elements. */
static View *shared(Lowering *l, const Regroup *r, View *v) {
  if (!v->plane.alone || r->sequential) return v;
  v = view_new(l, *v);
  v->plane.alone = false;
  return v;
}

Argument cuts_same(Lowering *l, const Regroup *r, Environment *e, const Tree *t) {
  View *v = inline_view(l, e, t);
  if (!v) return (Argument){.number = inline_expression(l, e, (Tree *)t)};
  return (Argument){.view = shared(l, r, v)};
}

Arguments cuts_parts(Lowering *l, const Regroup *r, Environment *e, Tree *which) {
  Arguments made = {.n = 0};
  Extent runs[MOST_CUTS] = {{0}};
  for (int i = 0; i < r->map->nkids && !l->failed; i++) {
    const Tree *t = r->map->kid[i];
    View *part = t->op == OP_PARTS ? part_of(l, r, e, t, runs, which) : NULL;
    const bool meet = part && !part->plane.copied && !is_cut_by_all(r->cuts, t);
    if (meet && !(r->clustered && t == cuts_contributed(r))) part = shared(l, r, part);
    made.at[made.n++] = part ? (Argument){.view = part} : cuts_same(l, r, e, t);
  }
  return made;
}

/* ---- nests ---- */

NestNode *cuts_over(Lowering *l, const Regroup *r, const NestAxis *workers, NestNode *to, NestValue *copies,
                    NestAxis **over) {
  const int contributes = copies ? contributing(r) : -1;
  for (int i = 0; i < r->cuts->n; i++) {
    const CutAxis *x = &r->cuts->at[i];
    Tree *number = number_of(l, r->cuts, i, workers->number);
    const NestRole role = i == contributes ? ROLE_REDUCE : workers->dim->role;
    NestAxis *axis = nest_workers(l->a, x->cut->name, role, x->parts, workers->level, number);
    to = nest_add(l->a, to, nest_over(l->a, axis, NULL));
    if (i != contributes) continue;
    nest_keep(l->a, copies, *over = axis);
    nest_partial(l->a, copies, axis);
  }
  return to;
}
