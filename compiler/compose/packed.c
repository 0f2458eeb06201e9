/* packed.c: of a tile of several dimensions that a CPU's thread has, can it go through small rectangles that are held
 * in registers, whose operands are copied, panel by panel, so that they lie as they are read (MICRO V, copying)?
 *
 *     process.tiled            tiles of so many elements, by dimension, which threads take one by one
 *       thread.tiled!packed      of which a vector's lanes have neighbouring elements
 *         lane.panels/loop         .. panel after panel
 *           lane.serial              for (i ..) for (j ..) for (k ..) C(i, j) += A(i, k) * B(k, j)
 *
 * It can where tiles.c finds such loops, and panels cut what is read: the panel of one operand stays in the core's
 * second cache, that of another goes through the first. Lanes read side by side then, whichever order memory has.
 *
 * Small parts are in the first cache as they are: `thread.tiled!held' has the same rectangles, and reads operands where
 * they lie. It needs those that vectors go through to lie side by side. Of a batch, which has
 * three dimensions, threads take one product after another. */
#include "compose/search.h"

bool plan_tile_is_packed(const PlanTiles *t, int param) {
  const Symbol *s = t->leaf->rule->codelet->params[param];
  if (s->rank < PLANE || param == t->written || s->writable || s->atomic) return false;
  const TileCut *x = &t->cut[param][s->rank - PLANE];
  for (int d = 0; d < s->rank - PLANE; d++)
    if (!t->cut[param][d].lanes) return false;
  return (x[0].lanes && x[1].panel) || (x[1].lanes && x[0].panel);
}

/* Has each row, or each column, of what is written a plane of its own of this operand? A copy holds one. */
static bool has_planes(const PlanTiles *t, int param) {
  const Symbol *s = t->leaf->rule->codelet->params[param];
  bool has = false;
  for (int d = 0; d < s->rank - PLANE; d++)
    for (int k = t->rank - PLANE; k < t->rank && t->cut[param][d].lanes; k++)
      has |= t->cut[t->written][k].lanes &&
             tree_cut(t->cut[t->written][k].lanes) == tree_cut(t->cut[param][d].lanes);
  return has;
}

/* What the text asks of a part's size is no rectangle's; and lanes' parts are tiles: they interleave in registers. */
bool plan_tiles_pack(const PlanTiles *t) {
  const Codelet *c = t->leaf->rule->codelet;
  bool packs = t->loop && t->reduces && !plan_tiles_share(t) && !tree_contains(t->body, OP_SIZE), any = false;
  for (int i = 0; i < c->nparams; i++) {
    any |= plan_tile_is_packed(t, i);
    packs &= !has_planes(t, i);
    for (int d = 0; d < MOST_DIMENSIONS; d++) {
      const TileCut *x = &t->cut[i][d];
      packs &= !plan_tile_has_halo(x) && (!x->lanes || plan_cut_is_tiles(tree_cut(x->lanes)));
      packs &= !x->grid || x->lanes; /* a share of a dimension that lanes do not go through */
    }
  }
  return packs && any;
}

/* .. and lie those elements side by side that vectors have? */
bool plan_tiles_hold(const PlanTiles *t) {
  const Codelet *c = t->leaf->rule->codelet;
  bool beside = plan_tiles_pack(t);
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *s = c->params[i];
    for (int d = 0; d < s->rank && plan_tile_is_packed(t, i); d++)
      if (t->cut[i][d].lanes && plan_tile_lanes(t, tree_cut(t->cut[i][d].lanes)))
        beside &= d == (s->by_columns ? 0 : s->rank - 1);
  }
  return beside;
}

bool plan_packed_by_lanes(const PlanTiles *t, const Symbol *cut) {
  const TileCut *written = t->cut[t->written];
  for (int d = t->rank - PLANE; d < t->rank; d++)
    if (tree_cut(written[d].grid) == cut) return plan_tile_lanes(t, tree_cut(written[d].lanes)) == 1;
  return false;
}

static void add_extent(Arena *a, Plan *p, const Symbol *cut, NumberList among, int64_t preset, const char *what) {
  const Tunable v = {.name = plan_tile_name(a, cut), .value = preset, .min = among.at[0], .multiple = 1,
                     .max = among.at[among.n - 1], .among = among, .what = what};
  vec_push(a, &p->sizes, ((SizeVar){.tunable = v, .source = SOURCE_CONSTANT}));
}

static const int64_t rows[] = {48, 96, 192, 384}, columns[] = {128, 256, 512, 1024, 2048};
static const int64_t panels[] = {64, 128, 192, 256, 320, 384};
enum { ROWS = 4, COLUMNS = 5, PANELS = 6, USUAL_COLUMNS = 3, USUAL_PANEL = 4 };

/* Most rows whose panel, of elements of so many bytes, leaves a sixteenth of a core's second cache. Beside it is one of
 * a rectangle's columns, which takes less, and two thirds of a first cache of 32 KB. Long panels are better than high
 * ones: what is contributed to comes to registers once a panel. */
static int64_t most_rows(const Arch *m, int64_t bytes) {
  int i = ROWS - 1;
  while (i > 0 && rows[i] * panels[USUAL_PANEL] * bytes > m->l2_bytes / 16 * 15) i--;
  return rows[i];
}

const char *plan_packed_rows(const Plan *p, int64_t bytes, int64_t *many) {
  const PlanNode *work = plan_tiled(p->root);
  PlanTiles t;
  if (!work || !plan_tiles(work, &t) || !t.packs) return NULL;
  *many = most_rows(p->machine, bytes);
  for (int i = 0; i < p->sizes.n; i++)
    if (p->sizes.at[i].tunable.among.at == rows)
      return p->sizes.at[i].tunable.value == *many ? NULL : p->sizes.at[i].tunable.name;
  return NULL;
}

void plan_size_packed(Arena *a, Plan *p, const PlanTiles *t) {
  const int64_t widest = p->spectrum->widest > 0 ? p->spectrum->widest : (int64_t)sizeof(double);
  const TileCut *written = t->cut[t->written];
  for (int d = t->rank - PLANE; d < t->rank; d++) {
    const Symbol *cut = tree_cut(written[d].lanes), *tile = tree_cut(written[d].grid);
    if (plan_tile_lanes(t, cut))
      add_extent(a, p, tile, (NumberList){columns, COLUMNS}, columns[USUAL_COLUMNS], "columns of a tile");
    else add_extent(a, p, tile, (NumberList){rows, ROWS}, most_rows(p->machine, widest), "rows of a tile");
  }
  add_extent(a, p, plan_tile_panels(t), (NumberList){panels, PANELS}, panels[USUAL_PANEL], "elements of a panel");
}
