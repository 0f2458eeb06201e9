/* estimate.c: which extents of a block's tile a product takes, by the number of results. Small tiles keep all
 * multiprocessors busy; large ones read less for each multiply-add.
 *
 * The weights are those with which the order of the tiles is as measured on an H200, for products of floats
 * (tables/sm_90/gemm.table) and of rows with each other, 256^2 to 4096^2
 * (bench/results/nvidia-h200/2026-11-27-product-tiles.txt). */
#include "compose/estimate.h"

#include <string.h>

#include "compose/search.h"

/* A block's lanes, its tile, the panel's elements, panels in flight, and lanes with neighbouring results. */
typedef struct Tile { int64_t threads, rows, columns, panel, stages, lanes; } Tile;

static const Tile tiles[] = {
    {64, 32, 32, 32, 4, 8}, {128, 64, 64, 16, 3, 16}, {128, 64, 128, 16, 3, 16}, {256, 128, 256, 8, 4, 16},
    {128, 32, 32, 8, 3, 8}}; /* the last one, where no other fits: a matrix for each row of vectors */
enum { TILES = sizeof tiles / sizeof *tiles };

/* The plan's tiles whose extents are chosen here. */
static bool tiles_of(const Plan *p, PlanTiles *t) {
  const PlanNode *work = plan_tiled(p->root);
  return work && !p->machine->levels[0].can.few && plan_tiles(work, t) && t->loop && t->reduces && !t->multiplies &&
         !t->packs;
}

bool estimate_takes_tiles(const Plan *p) {
  PlanTiles t;
  return tiles_of(p, &t) && t.rank == PLANE;
}

bool estimate_takes_batches(const Plan *p) {
  PlanTiles t;
  return tiles_of(p, &t) && t.rank > PLANE;
}

/* The cuts of rows and columns; of a batch's dimensions above, tiles have one each. */
static const TileCut *rows_of(const PlanTiles *t) { return t->cut[t->written] + t->rank - PLANE; }

static const Tunable *tunable_of(const Plan *p, const char *name) {
  for (int i = 0; i < p->sizes.n; i++)
    if (strcmp(p->sizes.at[i].tunable.name, name) == 0) return &p->sizes.at[i].tunable;
  return NULL;
}

/* What a tile is for the plan's own names; false: it has no such tunable, or that does not take the number. */
static bool name_tile(Arena *a, const Plan *p, const PlanTiles *t, const Tile *x, bool all, Tunables *to) {
  const TileCut *row = rows_of(t), *column = row + 1;
  for (int d = 0; d < t->rank; d++)
    if (!t->cut[t->written][d].grid) return false;
  const struct { const char *name; int64_t number; } set[] = {
      {"threads", x->threads},
      {plan_tile_name(a, tree_cut(row->grid)), x->rows},
      {plan_tile_name(a, tree_cut(column->grid)), x->columns},
      {plan_tile_name(a, plan_tile_panels(t)), x->panel},
      {plan_tile_stages_name, x->stages},
      {plan_tile_workers_name(false), x->lanes}};
  for (size_t i = 0; i < sizeof set / sizeof *set; i++) {
    const Tunable *own = tunable_of(p, set[i].name);
    if (!own && set[i].name == plan_tile_stages_name) continue; /* no panels in flight, or as many as there are */
    if (!own || !tunable_takes(own, set[i].number)) return false;
    if (all || own->value != set[i].number) tunables_set(a, to, set[i].name, set[i].number);
  }
  for (int d = 0; d < t->rank - PLANE; d++) {
    const char *name = plan_tile_name(a, tree_cut(t->cut[t->written][d].grid));
    const Tunable *own = tunable_of(p, name);
    if (!own || !tunable_takes(own, 1)) return false;
    if (all || own->value != 1) tunables_set(a, to, name, 1);
  }
  return true;
}

/* What a panel's column has of an operand: rows, columns, or one for each result; 0: it is not staged. */
static int64_t copied(const PlanTiles *t, const Tile *x, int param) {
  const Symbol *row = tree_cut(rows_of(t)[0].grid), *column = tree_cut(rows_of(t)[1].grid);
  int64_t all = plan_tile_is_staged(t, param);
  for (int d = 0; d < t->leaf->rule->codelet->params[param]->rank && all; d++) {
    const Symbol *own = t->cut[param][d].grid ? tree_cut(t->cut[param][d].grid) : NULL;
    all *= own == row ? x->rows : own == column ? x->columns : 1;
  }
  return all;
}

/* Has a block room for it: a lane's results, half of the registers that a lane may have, and the panels? */
static bool fits(const Plan *p, const PlanTiles *t, const Tile *x, int64_t bytes) {
  enum { BYTES_OF_RESULTS = 512 };
  const int64_t wide = bytes < (int64_t)sizeof(float) ? (int64_t)sizeof(float) : bytes; /* halves are added as floats */
  int64_t shared = 0;
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++) shared += copied(t, x, i) * x->panel * x->stages * bytes;
  return x->rows * x->columns / x->threads * wide <= BYTES_OF_RESULTS && shared <= p->machine->shared_bytes_most;
}

/* What the copies of a panel's column take. Where the inner dimension is the one whose elements lie side by side, they
 * are transposed on the way, one by one; else they are copied by 16 bytes. */
static double cost_of_copies(const PlanTiles *t, const Tile *x) {
  enum { BY_ELEMENTS = 40, BY_VECTORS = 10 }; /* multiply-adds */
  const Codelet *leaf = t->leaf->rule->codelet;
  double found = 0;
  for (int i = 0; i < leaf->nparams; i++) {
    const Symbol *s = leaf->params[i];
    if (!s->rank) continue;
    const bool transposed = t->cut[i][s->by_columns ? 0 : s->rank - 1].panel != NULL;
    found += (double)(copied(t, x, i) * (transposed ? BY_ELEMENTS : BY_VECTORS));
  }
  return found;
}

/* Time of one tile, in multiply-adds for each element of the inner dimension. */
static double cost_of_tile(const PlanTiles *t, const Tile *x) {
  const double read_weight = 2; /* what a lane reads takes this much of a multiply-add's time */
  const double high = (double)(x->rows * x->lanes / x->threads), wide = (double)(x->columns / x->lanes);
  return (double)(x->rows * x->columns) * (1 + read_weight * (high + wide) / (high * wide)) + cost_of_copies(t, x);
}

/* Time of the busiest multiprocessor. */
static double cost(const Plan *p, const PlanTiles *t, const Tile *x, uint64_t results) {
  const double lanes_waiting = 48; /* with so many lanes, a multiprocessor waits for half of the time */
  const double area = (double)(x->rows * x->columns), units = (double)p->machine->units;
  const double each = cost_of_tile(t, x);
  if (results == 0) return each / area;
  const uint64_t blocks = (results + (uint64_t)area - 1) / (uint64_t)area;
  const double rounds = (double)((blocks + (uint64_t)units - 1) / (uint64_t)units);
  return rounds * each * (1 + lanes_waiting / (rounds * (double)x->threads));
}

int estimate_tile(const Plan *p, int64_t bytes, uint64_t results) {
  PlanTiles t;
  int found = -1;
  Arena *a = arena_new();
  for (int i = 0; i < TILES && tiles_of(p, &t); i++) {
    Tunables unused = {0};
    if (i == TILES - 1 && found >= 0) break;
    if (!fits(p, &t, &tiles[i], bytes) || !name_tile(a, p, &t, &tiles[i], false, &unused)) continue;
    if (found < 0 || cost(p, &t, &tiles[i], results) < cost(p, &t, &tiles[found], results)) found = i;
  }
  arena_free(a);
  return found;
}

int estimate_smallest(const Plan *p, int64_t bytes) {
  PlanTiles t;
  Arena *a = arena_new();
  Tunables unused = {0};
  const bool has = tiles_of(p, &t) && fits(p, &t, &tiles[0], bytes) && name_tile(a, p, &t, &tiles[0], false, &unused);
  arena_free(a);
  return has ? 0 : -1;
}

void estimate_set(Arena *a, const Plan *p, int tile, Tunables *to) {
  PlanTiles t;
  if (tile >= 0 && tiles_of(p, &t)) name_tile(a, p, &t, &tiles[tile], false, to);
}

/* The plan's own tile is the first: where there can be no rivals, it serves alone. Then large ones, small ones, and
 * narrow ones, for results of a few columns, or rows. */
static const Tile rivals[] = {{128, 64, 64, 16, 3, 16}, {256, 128, 256, 8, 4, 16}, {128, 64, 128, 16, 3, 16},
                              {64, 32, 32, 32, 4, 8},   {128, 256, 16, 16, 3, 8},  {128, 16, 256, 16, 3, 32},
                              {32, 16, 16, 16, 3, 8},   {128, 32, 32, 8, 3, 8}};
enum { RIVALS = sizeof rivals / sizeof *rivals };

int estimate_next(const Plan *p, int64_t bytes, int tile) {
  PlanTiles t;
  Arena *a = arena_new();
  int found = -1;
  const bool any = tile >= 0;
  for (int i = tile + 1; i < RIVALS && found < 0 && tiles_of(p, &t); i++) {
    Tunables unused = {0};
    if (i == RIVALS - 1 && any) break; /* where no other fits */
    if (fits(p, &t, &rivals[i], bytes) && name_tile(a, p, &t, &rivals[i], true, &unused)) found = i;
  }
  arena_free(a);
  return found;
}

int64_t estimate_turn(const Plan *p, int tile) {
  PlanTiles t;
  return tiles_of(p, &t) ? (int64_t)cost_of_tile(&t, &rivals[tile]) : 1;
}

void estimate_set_all(Arena *a, const Plan *p, int tile, Tunables *to) {
  PlanTiles t;
  if (tiles_of(p, &t)) name_tile(a, p, &t, &rivals[tile], true, to);
}
