/* guess.c: a first guess at which variant serves which sizes. Measurement replaces it. */
#include "compose/guess.h"

#include "compose/estimate.h"
#include "compose/guess_rows.h"
#include "compose/prefer.h"
#include "compose/search.h"
#include "compose/workers.h"
#include "ir/signature.h"
#include "ir/steps.h"

/* Does one lane do everything? */
static bool one_lane_alone(const Plan *p) {
  const PlanNode *n = plan_work(p->root);
  while (!n->rule->codelet && n->nkids) n = n->kid[0];
  return n != plan_work(p->root) && n->rule->level->can.lanes == LANES_ONE;
}

static void add_row(const Guess *g, Workers by, uint64_t up_to, uint64_t count) {
  if (g->best[by]) guess_add(g, g->best[by], up_to, count);
}

static bool has_few_threads(const Guess *g) { return g->machine->levels[0].can.few; }

/* Lines whose elements lie apart, up to so many of each; those of more than `few' lines, many vectors at a time. */
static void add_lines(const Guess *g, uint64_t up_to, uint64_t few) {
  const PlanNode *each = plan_work(plan_work(g->best[BY_LANES]->root)->kid[0]);
  const bool by_vectors = each->rule->codelet && each->rule->codelet->kind == CLASS_AUTONOMOUS;
  if (by_vectors && few) add_row(g, BY_LANES, up_to, few);
  add_row(g, BY_LANES, up_to, 0);
  if (by_vectors) tunables_set(g->a, guess_set(g), "loads", g->machine->measured.lines_loads);
}

/* Few lines, each of which all threads share: in registers where they are fewer still. */
static void add_shared_lines(const Guess *g, uint64_t lanes, uint64_t shared) {
  enum { FEW = 2 }; /* vectors */
  if (!g->best[BY_SEVERAL]) return;
  if (lanes * FEW < shared) add_row(g, BY_SEVERAL, UINT64_MAX, lanes * FEW);
  add_row(g, BY_SEVERAL, UINT64_MAX, shared);
  if (lanes * FEW < shared) tunables_set(g->a, guess_set(g), "loads", g->machine->measured.lines_loads);
}

/* Many parts for a CPU's threads. Where neighbouring parts' elements lie side by side, lanes go through them, however
 * many elements they have; else a thread goes through a part, unless that is short, and through several long ones at
 * once: short ones come from memory faster one after another. Threads share parts that are too few for them, where
 * there is enough of each. */
static bool guess_for_threads(const Guess *g) {
  const Figures *f = &g->machine->measured;
  const Plan *by_lanes = g->best[BY_LANES];
  if (!by_lanes || !has_few_threads(g)) return false;
  const uint64_t threads = (uint64_t)g->machine->units, lanes = (uint64_t)g->machine->vector_width;
  const PlanLines lines = plan_lines(plan_work(by_lanes->root)->rule->codelet);
  if (lines.strided) {
    const uint64_t vectors = threads * lanes, many = vectors * (uint64_t)f->lines_many;
    if (g->best[BY_SEVERAL]) add_lines(g, (uint64_t)f->lines_short, many);
    add_shared_lines(g, lanes, vectors * (uint64_t)f->lines_shared);
    add_lines(g, UINT64_MAX, g->best[BY_SEVERAL] && many <= vectors * (uint64_t)f->lines_shared ? 0 : many);
    return true;
  }
  if (g->best[BY_BLOCKS] && prefer_one_lane(g->best[BY_BLOCKS])) {
    add_row(g, BY_BLOCKS, UINT64_MAX, 0); /* however short parts are, neighbours are computed at once */
    return true;
  }
  const bool jams = g->best[BY_JAMMED], whole = jams || g->best[BY_BLOCKS];
  const int64_t alone = lines.ragged ? f->ragged_part : f->lane_part;
  add_row(g, BY_LANES, whole ? (uint64_t)alone : UINT64_MAX, 0);
  if (!whole) return true;
  const Workers of_long = jams ? BY_JAMMED : BY_BLOCKS;
  if (jams) add_row(g, BY_BLOCKS, lanes * (uint64_t)f->rows_jammed, 0);
  if (g->best[BY_SEVERAL]) add_row(g, of_long, lanes * (uint64_t)f->rows_shared, 0);
  add_row(g, BY_SEVERAL, UINT64_MAX, threads * (uint64_t)f->rows_parts);
  add_row(g, of_long, UINT64_MAX, 0);
  return true;
}

/* Many parts whose elements stand side by side with those of their neighbours, for the slices of a GPU's warps: several
 * blocks share parts that are too few for all of them. */
static bool guess_for_slices(const Guess *g) {
  if (!g->best[BY_SLICES]) return false;
  if (g->best[BY_SEVERAL_SLICES]) {
    add_row(g, BY_SLICES, (uint64_t)g->machine->measured.slices_part, 0);
    add_row(g, BY_SEVERAL_SLICES, UINT64_MAX, (uint64_t)(g->machine->units * g->machine->measured.slices_parts));
  }
  add_row(g, BY_SLICES, UINT64_MAX, 0);
  return true;
}

/* The best of those whose blocks store their shares of tiles' sums. */
static const Plan *stored_shares(const Guess *g) {
  const Plan *found = NULL;
  for (int i = 0; i < g->plans->list.n; i++) {
    const Plan *p = g->plans->list.at[i];
    if (!estimate_takes_tiles(p) || plan_tiled(p->root)->combine != COMBINE_PARTIAL) continue;
    if (!found || prefer_plan(p, found)) found = p;
  }
  return found;
}

/* Products of large tiles, whose extents go by the number of results. */
static void add_products_of_tiles(const Guess *g, const Plan *by_tiles, uint64_t shared) {
  if (estimate_takes_tiles(by_tiles) && guess_shared_rivals(g, by_tiles, stored_shares(g), UINT64_MAX)) return;
  if (shared) guess_tiles(g, by_tiles, (uint64_t)g->machine->measured.product_inner, 0, true);
  if (shared) guess_shared_tiles(g, g->best[BY_COPIES], UINT64_MAX, shared);
  guess_tiles(g, by_tiles, UINT64_MAX, shared, true);
}

/* Products that a CPU's threads have in registers: of a few results, or of a batch. */
static void add_held_products(const Guess *g) {
  const Figures *f = &g->machine->measured;
  PlanTiles t;
  const bool batch = plan_tiles(plan_work(g->best[BY_HELD]->root), &t) && t.rank > PLANE;
  add_row(g, BY_HELD, (uint64_t)f->held_inner, batch ? 0 : (uint64_t)f->held_results);
  if (!batch) add_row(g, BY_BLOCKS, (uint64_t)f->held_inner, 0);
}

/* Products, where ranges are of how many elements each of many results is made of, and of how many results there are:
 * blocks share the elements that a few results are made of, where these are many. */
static bool guess_for_products(const Guess *g) {
  if (signature_parts(g->operands, g->plans->list.at[0]->spectrum).results < 0) return false;
  const Figures *f = &g->machine->measured;
  const Plan *grid = g->best[BY_BLOCKS];
  const int before = g->to->rows.n;
  const bool tiles = grid && plan_tiled(grid->root), few = has_few_threads(g);
  const uint64_t shared = g->best[BY_COPIES] ? (uint64_t)(g->machine->units * f->product_results) : 0;
  if (grid && (estimate_takes_tiles(grid) || estimate_takes_batches(grid))) {
    add_products_of_tiles(g, grid, shared);
    return true;
  }
  if (grid && shared) {
    add_row(g, BY_BLOCKS, (uint64_t)f->product_inner, 0);
    add_row(g, BY_COPIES, UINT64_MAX, shared);
  }
  if (g->best[BY_HELD]) add_held_products(g);
  else if (tiles && few && g->best[BY_ONE_BLOCK]) {
    add_row(g, BY_ONE_BLOCK, (uint64_t)f->tiny_inner, (uint64_t)f->tiny_results);
    add_row(g, BY_BLOCKS, (uint64_t)f->tiny_inner, 0);
  }
  /* a matrix is small work to one alone; with tiles it is not */
  const int64_t alone = few ? f->product_alone : g->machine->vector_width;
  for (int by = BY_ONE_WARP; by <= BY_ONE_CLUSTER && !tiles && !g->best[BY_HELD] && g->to->rows.n == before; by++)
    add_row(g, (Workers)by, UINT64_MAX, grid ? (uint64_t)alone : 0);
  add_row(g, BY_BLOCKS, UINT64_MAX, 0);
  for (int by = BY_LANES; by <= BY_COPIES && g->to->rows.n == before; by++) add_row(g, (Workers)by, UINT64_MAX, 0);
  if (!g->best[BY_HELD] || g->to->rows.n > before + 1) return true;
  g->to->rows.at[before].up_to = UINT64_MAX; /* few plans were kept: it serves all that is left */
  g->to->rows.at[before].count = 0;
  return true;
}

/* Does each part go through rows of a container that all parts have, whatever its own elements are? */
static bool goes_through_common(const Plan *p) {
  const PlanNode *n = plan_work(p->root);
  if (!n->rule->codelet || !n->rule->explicit_count || !n->nkids) return false;
  const Tree *map = plan_map_of(n->rule->codelet);
  const Codelet *each = plan_work(n->kid[0])->rule->codelet;
  for (int i = 0; map && each && each->rounds && i < map->nkids && i < each->nparams; i++)
    if (each->params[i]->rank > 1 && map->kid[i]->op == OP_REF) return true;
  return false;
}

/* Elements of a row that a guess has copied to shared memory. */
enum { COPIED = 49 };

/* Parts that go through what all of them have, of so many elements each: a few are a block's each, of many each is a
 * lane's. How many elements a part has does not tell how much there is to do. Lanes take `jam' of the others at once;
 * blocks are small, so that there is one for each unit. */
static void add_lanes(const Guess *g, const Plan *p, uint64_t up_to, uint64_t count, int threads) {
  enum { JAM = 4, WIDEST = 16, MOST_LANES = 256 };
  guess_add(g, p, up_to, count);
  Tunables *set = guess_set(g);
  tunables_set(g->a, set, "threads", threads);
  if (p != g->best[BY_ROWS]) return;
  /* for elements of any type; else a variant has as much as it has room for */
  if (g->machine->shared_bytes_most > COPIED * WIDEST * MOST_LANES) tunables_set(g->a, set, plan_row_name, COPIED);
  if (plan_jams(p->root)) tunables_set(g->a, set, plan_jam_name, JAM);
}

/* The best of those where a part each is one worker's of so many lanes, which go through it together; by the text of a
 * lane (front/together.c). 1: a lane's alone; 0: a block's. */
static const Plan *of_together(const Guess *g, int64_t lanes) {
  const Plan *found = NULL;
  for (int i = 0; i < g->plans->list.n; i++) {
    const Plan *p = g->plans->list.at[i];
    const Level *worker = plan_worker_of_parts(p->root);
    const PlanNode *each = plan_work(p->root)->nkids ? plan_work(plan_work(p->root)->kid[0]) : NULL;
    const Codelet *c = each ? each->rule->codelet : NULL;
    if (!worker || !c || !c->together || each->rule->level != worker) continue;
    const bool fits = lanes ? worker->can.lanes == LANES_FIXED && worker->width_max == lanes : worker->can.shares;
    if (fits && (!found || prefer_plan(p, found))) found = p;
  }
  return found;
}

/* 10000 queries of 30 points of 64 floats take 28 us by 4 lanes each on an H200, 88 by lanes alone, 100 by warps; 10000
 * traces of matrices of 64 rows 14.7 by 8 lanes, 18.9 by lanes alone. */
static void add_common(const Guess *g, uint64_t up_to, Workers many, bool few_others) {
  enum { LANES_EACH = 256, FEW_LANES = 64, MANY_LANES = 128, FOUR = 4, EIGHT = 8 };
  const Arch *m = g->machine;
  const uint64_t some = (uint64_t)(m->units * LANES_EACH);
  const Plan *four = of_together(g, FOUR), *eight = of_together(g, EIGHT);
  if (!g->best[many]) return;
  add_row(g, BY_BLOCKS, up_to, (uint64_t)(m->units * g->machine->measured.parts_together));
  if (eight && !workers_have_rows(g->best[many])) {
    guess_add(g, eight, up_to, 0);
    return;
  }
  if (four && !few_others) guess_add(g, four, up_to, some);
  else add_lanes(g, g->best[many], up_to, some, FEW_LANES);
  add_lanes(g, g->best[many], up_to, 0, MANY_LANES);
}

static bool guess_for_common(const Guess *g) {
  bool any = false;
  for (int i = 0; i < g->plans->list.n; i++) any |= goes_through_common(g->plans->list.at[i]);
  if (!any || !g->best[BY_LANES] || !g->best[BY_BLOCKS] || has_few_threads(g)) return false;
  if (g->best[BY_ROWS]) {
    add_common(g, (uint64_t)g->machine->measured.plain_row, BY_LANES, false);
    add_common(g, COPIED, BY_ROWS, false);
  }
  add_common(g, UINT64_MAX, BY_LANES, false);
  return true;
}

/* Rows in shared memory, of so many elements at most: those that two of a multiprocessor's blocks have room for. */
static void add_copied_rows(const Guess *g, const Plan *copied) {
  static const int room[] = {35, 65, 97};
  enum { LANES = 128, BLOCKS = 2, BYTES = 400 }; /* longer rows are quicker by several lanes */
  if (!copied) return;
  for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
    const int64_t bytes = room[i] * g->type->bytes;
    if (bytes > BYTES || bytes * LANES * BLOCKS > g->machine->shared_bytes_most) break;
    guess_add(g, copied, (uint64_t)room[i], 0);
    tunables_set(g->a, guess_set(g), "threads", LANES);
    tunables_set(g->a, guess_set(g), plan_row_name, room[i]);
  }
}

/* The best of those with a step that gives its parts to such workers. */
static const Plan *step_by(const Guess *g, Workers by, int64_t lanes) {
  const Plan *found = NULL;
  for (int i = 0; i < g->plans->list.n; i++) {
    const Plan *p = g->plans->list.at[i];
    const PlanNode *rows = plan_is_of_one_block(plan_work(p->root)) ? NULL : plan_step_of_rows(p->root);
    const Level *worker = rows && plan_work(rows->kid[0])->rule->codelet ? plan_worker_of_parts(rows) : NULL;
    if (!worker || plan_spread(rows) || plan_slices(rows)) continue;
    const bool alone = worker->can.lanes == LANES_ONE, copied = plan_copies_rows(rows);
    const bool fits = by == BY_LANES || by == BY_ROWS ? alone && copied == (by == BY_ROWS)
                      : lanes ? worker->can.lanes == LANES_FIXED && worker->width_max == lanes : worker->can.shares;
    if (fits && !worker->can.reaches && (!found || prefer_plan(p, found))) found = p;
  }
  return found;
}

/* Plans by who has a row. */
typedef struct RowPlans { const Plan *alone, *copied, *few, *some, *warps, *blocks; } RowPlans;

static RowPlans row_plans(const Guess *g) {
  enum { FEW = 4, LANES = 8 };
  const int64_t vector = g->machine->vector_width;
  const Plan *warps = step_by(g, BY_WARPS, vector);
  if (!warps)
    return (RowPlans){g->best[BY_LANES], g->best[BY_ROWS], of_together(g, FEW), of_together(g, LANES),
                      of_together(g, vector), of_together(g, 0)};
  return (RowPlans){step_by(g, BY_LANES, 1), step_by(g, BY_ROWS, 1), step_by(g, BY_SUBWARPS, FEW),
                    step_by(g, BY_SUBWARPS, LANES), warps, step_by(g, BY_BLOCKS, 0)};
}

/* Rows of a CPU's steps: a lane has one while they are short, else all lanes of a thread. */
static bool guess_for_steps_of_rows(const Guess *g) {
  const Plan *alone = step_by(g, BY_LANES, 1), *threads = step_by(g, BY_BLOCKS, 0);
  if (!has_few_threads(g) || !alone || !threads) return false;
  guess_add(g, alone, (uint64_t)g->machine->measured.lane_part, 0);
  guess_add(g, threads, UINT64_MAX, 0);
  return true;
}

/* Rows whose lanes go through them together: 8 lanes each, a warp, a block. Rows that are only read are in shared
 * memory while they are short; else a lane alone reads, and writes, elements that lie apart from its neighbours'. On an
 * H200 200000 rows of 100 floats that are only read take 34 us by lanes from shared memory, 38 by 8 lanes, 101 by
 * warps; such that are written 71 by 8 lanes, 93 by warps; 60000 rows of 300 80 and 50. */
static bool guess_for_together(const Guess *g) {
  enum { ALONE = 16, WRITTEN_ALONE = 4, WRITTEN_BY_FEW = 12, READ = 512, WRITTEN = 256 };
  enum { MANY = 3072, LONG = 1 << 17, MOST_THREADS = 1024 };
  enum { ROWS_EACH = 16 }; /* of each unit: as many warps are not too few */
  const RowPlans by = row_plans(g);
  if (has_few_threads(g) || !by.warps || !by.blocks || !by.alone) return false;
  guess_add(g, by.alone, by.copied ? ALONE : WRITTEN_ALONE, 0);
  add_copied_rows(g, by.copied);
  if (by.few && !by.copied) guess_add(g, by.few, WRITTEN_BY_FEW, 0);
  if (by.some) guess_add(g, by.some, by.copied ? READ : WRITTEN, 0);
  guess_add(g, by.warps, (uint64_t)g->machine->measured.warp_part, 0);
  if (g->machine->measured.warp_part < MANY) {
    guess_add(g, by.blocks, MANY, (uint64_t)(g->machine->units * ROWS_EACH));
    guess_add(g, by.warps, MANY, 0);
  }
  guess_add(g, by.blocks, LONG, 0);
  guess_add(g, by.blocks, UINT64_MAX, (uint64_t)g->machine->units);
  tunables_set(g->a, guess_set(g), "threads", MOST_THREADS);
  guess_add(g, by.blocks, UINT64_MAX, 0);
  return true;
}

/* Rows that are longer than a warp's, of an operator of structs: to combine what a block's lanes have takes as long as
 * to read them, so warps have a row each where there are enough rows for them. */
static void add_long_of_structs(const Guess *g) {
  enum { LONGEST = 8192, ROWS_EACH = 16 }; /* elements; rows of each unit */
  if (!g->plans->list.at[0]->spectrum->states || has_few_threads(g) || !g->best[BY_WARPS] || g->held) return;
  if (!g->best[BY_BLOCKS] || g->machine->measured.warp_part >= LONGEST) return;
  add_row(g, BY_BLOCKS, LONGEST, (uint64_t)(g->machine->units * ROWS_EACH));
  add_row(g, BY_WARPS, LONGEST, 0);
}

/* Parts that a block holds in registers between steps. 1024 rows of 65536 floats take 90 us by steps on an H200, 64 by
 * states; 4096 rows of 4096 take 18 and 21. */
static void add_held(const Guess *g) {
  enum { HELD = 4096 }; /* elements */
  if (g->held) guess_add(g, g->held, HELD, 0);
}

/* Few rows, so long that one block would go through each for long: several have each, or clusters where there are some.
 * 16 rows of 2^20 floats take 117 us by a block each on an H200; the place of one's greatest element of 5 million 16 us
 * by several blocks and 122 by a cluster, of 100 rows of a million 227 and 154. */
static void add_few(const Guess *g, Workers many) {
  enum { LONG = 1 << 16, ROWS_SHARED = 8 }; /* of so many multiprocessors one */
  const Plan *share = workers_share_rows(g->plans), *few = share;
  const Plan *clusters = share && plan_combines_states(share->root) ? g->best[BY_CLUSTERS] : NULL;
  if (!share && !g->best[BY_SEVERAL]) few = g->best[BY_CLUSTERS];
  const bool longest = many == BY_SEVERAL || !g->best[BY_SEVERAL];
  const uint64_t up_to = longest ? UINT64_MAX : (uint64_t)g->machine->measured.block_part;
  const uint64_t units = (uint64_t)g->machine->units;
  if (!few || !g->best[many] || has_few_threads(g) || (few == g->best[many] && !clusters)) return;
  if (many == BY_BLOCKS) add_row(g, BY_BLOCKS, LONG, 0);
  if (clusters) guess_add(g, few, up_to, units / ROWS_SHARED);
  guess_add(g, clusters ? clusters : few, up_to, units);
}

/* The best of those that have a product among their steps, whose blocks share what results are made of, or do not. */
static const Plan *step_with_tiles(const Plans *plans, bool share) {
  const Plan *found = NULL;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    if (!plan_in_steps(plan_work(p->root)) || !estimate_takes_tiles(p)) continue;
    if (plan_adds_copies(plan_tiled(p->root)) == share && (!found || prefer_plan(p, found))) found = p;
  }
  return found;
}

/* The best of those where a part each is a block's, which combines what it computes. */
static const Plan *blocks_each(const Plans *plans) {
  const Plan *found = NULL;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    if (workers_of(p) != BY_BLOCKS || plan_in_steps(plan_work(p->root))) continue;
    if (!found || prefer_plan(p, found)) found = p;
  }
  return found;
}

static bool stores_results(const Guess *g) {
  const PartsGiven given = signature_parts(g->operands, g->plans->list.at[0]->spectrum);
  return given.parts >= 0 && given.elements >= 0 && given.results < 0;
}

/* The best of those whose tiles' results a block each combines, or a smaller worker. */
static const Plan *stored_best(const Plans *plans, bool by_blocks) {
  const Plan *found = NULL;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    const PlanNode *root = plan_work(p->root);
    if (!plan_in_steps(root) || !estimate_takes_tiles(p) || plan_adds_copies(plan_tiled(p->root))) continue;
    const Level *worker = plan_worker_of_parts(plan_work(root->kid[root->nkids - 1]));
    if (worker && worker->can.shares == by_blocks && (!found || prefer_plan(p, found))) found = p;
  }
  return found;
}

/* Parts whose results are stored by a product's tiles before they are combined, where ranges are of how many results
 * each part combines, and of how many parts there are. Of few results each lane, or block, combines what it computes;
 * and so many results as would not fit are not stored. */
static bool guess_for_stored(const Guess *g) {
  enum { FEW = 16, SOME = 32, SOME_PARTS = 8192, LEAST = 6, LONG = 14, MOST = 22, STORED = 30, LANES = 128 };
  const Plan *stored = stored_best(g->plans, false), *blocks = g->best[BY_BLOCKS];
  const Plan *lanes = g->best[g->best[BY_ROWS] ? BY_ROWS : BY_LANES], *of_long = stored_best(g->plans, true);
  if (!stores_results(g) || has_few_threads(g) || !stored) return false;
  add_common(g, FEW, g->best[BY_ROWS] ? BY_ROWS : BY_LANES, true);
  if (lanes) {
    guess_add(g, stored, SOME, SOME_PARTS);
    tunables_set(g->a, guess_set(g), "threads", LANES);
    add_lanes(g, lanes, SOME, 0, LANES);
  }
  for (int power = LEAST; power <= MOST; power += 2) {
    const uint64_t up_to = (uint64_t)1 << power;
    const uint64_t most = lanes ? (uint64_t)1 << (STORED - power) : 0; /* else nothing else serves them */
    guess_add(g, of_long && power >= LONG ? of_long : stored, up_to, most);
    tunables_set(g->a, guess_set(g), "threads", LANES);
    if (lanes) add_lanes(g, lanes, up_to, 0, LANES);
  }
  guess_add(g, lanes && blocks ? blocks : of_long ? of_long : stored, UINT64_MAX, 0);
  return true;
}

/* Steps one of which is a product: of few results, blocks share what they are made of; of more, tiles are as large as
 * there are results for. A call tells one size; matrices that are square have as many results. */
/* Has each result elements of its own of a container that has more dimensions? Tiles of them have nothing in common. */
static bool reads_once(const Spectrum *s) {
  const Codelet *c = s->codelets[0];
  int results = 0, read = 0;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *p = c->params[i];
    int *rank = p->writable ? &results : &read;
    if (p->atomic) return false;
    if (p->rank > *rank) *rank = p->rank;
  }
  return results >= 2 && read > results;
}

/* Has each of its parts rows of several axes, which lanes go through together (front/row_tiles.c)? */
static bool has_row_tiles(const Spectrum *s) {
  bool any = false;
  for (int i = 0; i < s->ncodelets; i++) {
    if (steps_any(s->codelets[i]) || s->codelets[i]->elements) return false;
    any |= s->codelets[i]->together;
  }
  return any;
}

/* The best of those whose workers have results one after another, each of all lanes of a vector together, or of a
 * block. */
static const Plan *of_lanes_together(const Guess *g, bool blocks) {
  const Plan *found = NULL;
  const int below = blocks ? 1 : 2; /* a block has vectors */
  for (int i = 0; i < g->plans->list.n; i++) {
    const Plan *p = g->plans->list.at[i];
    const PlanNode *grid = plan_work(p->root), *leaf = grid;
    int depth = 0;
    for (; leaf->nkids && leaf->rule->codelet; depth++) leaf = leaf->kid[0];
    const Codelet *c = leaf->nkids ? NULL : leaf->rule->codelet;
    if (depth != below || grid->rule->map != STEP_DISTRIBUTE || !c || c->kind != CLASS_COOPERATIVE) continue;
    if (!found || prefer_plan(p, found)) found = p;
  }
  return found;
}

static bool guess_for_results(const Guess *g) {
  const Spectrum *s = g->plans->list.at[0]->spectrum;
  const bool once = !has_few_threads(g) && reads_once(s), rows = !has_few_threads(g) && has_row_tiles(s);
  const Plan *together = once || rows ? of_lanes_together(g, rows) : NULL;
  if (together) guess_add(g, together, UINT64_MAX, 0);
  return together != NULL;
}

static bool guess_for_steps_with_tiles(const Guess *g) {
  const Plan *grid = g->best[BY_BLOCKS];
  if (!grid || !plan_in_steps(plan_work(grid->root))) return false;
  if (estimate_takes_batches(grid)) return guess_rivals(g, grid, UINT64_MAX);
  if (!estimate_takes_tiles(grid)) return false;
  enum { WITH_STEPS = 16 };
  const Plan *few = step_with_tiles(g->plans, true), *many = step_with_tiles(g->plans, false);
  if (!many) return false;
  if (guess_shared_rivals(g, many, stored_shares(g), UINT64_MAX)) return true;
  /* blocks that share sums leave the steps around to kernels of their own: only where there are few tiles at all */
  const uint64_t shared = (uint64_t)(g->machine->units * g->machine->measured.product_results / WITH_STEPS);
  if (few) guess_shared_tiles(g, few, shared, 0);
  guess_tiles(g, many, UINT64_MAX, few ? shared : 0, false);
  return true;
}

/* Loops in one another, of as many turns as sizes, numbers or conditions say. */
static int loops_deep(const Tree *t) {
  int deepest = 0;
  if (!t) return 0;
  for (int i = 0; i < t->nkids; i++) {
    const int below = loops_deep(t->kid[i]);
    if (below > deepest) deepest = below;
  }
  const Symbol *i;
  const Tree *end;
  int64_t turns;
  const bool few = t->op == OP_FOR && tree_counts(t, &i, &end) && tree_constant(end, &turns);
  return deepest + ((t->op == OP_FOR || t->op == OP_WHILE) && !few);
}

/* Is there more to do than there are elements: has a plain loop more loops in it than containers have dimensions? A few
 * workers would take long, however few elements there are. */
static bool does_more(const Spectrum *s) {
  const Codelet *c = s->codelets[0];
  int rank = 0;
  for (int i = 0; i < c->nparams; i++) rank = c->params[i]->rank > rank ? c->params[i]->rank : rank;
  return c->kind == CLASS_AUTONOMOUS && rank > 0 && loops_deep(c->body) > rank;
}

/* Is a dimension of what is stored as long as nothing says, or as another container than the first, or are there more
 * than that has? A call's size is that of the first: it does not tell how much there is to do. */
static bool stores_others(const Spectrum *s) {
  const Codelet *c = s->codelets[0];
  const Symbol *first = NULL;
  bool others = false;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *p = c->params[i];
    if (p->rank && !first) first = p;
    if (!p->rank || (!p->writable && !p->atomic) || p == first) continue;
    others |= p->rank > first->rank;
    if (p->atomic) continue;
    for (int d = 0; d < p->rank; d++) {
      bool related = false;
      for (int k = 0; k < SHAPE_SIZES; k++) related |= p->shape[d].of[k] == first && p->shape[d].said;
      others |= !related;
    }
  }
  return c->kind == CLASS_AUTONOMOUS && others;
}

/* Of more work than elements: a lane for each, where several would be a lane's, in more than one block. */
static const Plan *of_lanes_alone(const Guess *g) {
  const Plan *found = NULL;
  for (int i = 0; i < g->plans->list.n; i++) {
    const Plan *p = g->plans->list.at[i];
    if (workers_of(p) != BY_BLOCKS || plan_is_vectorised(p->root) || one_lane_alone(p)) continue;
    if (prefer_one_worker(p)) continue;
    if (!found || prefer_plan(p, found)) found = p;
  }
  return found ? found : g->best[BY_BLOCKS];
}

/* Of how long parts are, or of how many elements there are: the smallest workers that go through as many quickly. */
static bool guess_by_length(const Guess *g) {
  const Figures *f = &g->machine->measured;
  Table *t = g->to;
  bool parts = false, wide = false; /* are ranges of each part's elements? do several lanes have one? */
  for (int by = BY_LANES; by <= BY_WARPS; by++) parts |= g->best[by] != NULL;
  for (int by = BY_SUBWARPS; by <= BY_BLOCKS; by++) wide |= g->best[by] != NULL;
  const bool rows = parts && !wide && g->best[BY_ROWS];
  const int64_t limits[] = {[BY_ONE_WARP] = f->one_warp, [BY_ONE_BLOCK] = f->one_block,
                            [BY_ONE_CLUSTER] = f->one_cluster, [BY_LANES] = rows ? f->plain_row : f->lane_part,
                            [BY_ROWS] = INT64_MAX, [BY_SUBWARPS] = f->subwarp_part, [BY_WARPS] = f->warp_part,
                            [BY_BLOCKS] = f->block_part, [BY_SEVERAL] = INT64_MAX};
  const int first = t->rows.n;
  const Plan *grid = g->best[BY_BLOCKS];
  const PartsGiven given = signature_parts(g->operands, g->plans->list.at[0]->spectrum);
  /* how long parts are does not tell whether there are few elements in all */
  const bool of_parts = !parts && grid && (given.parts >= 0 || given.elements >= 0);
  const bool of_grid = (grid && plan_tiled(grid->root)) || of_parts;
  const bool steps = grid && plan_in_steps(plan_work(grid->root)), more = does_more(g->plans->list.at[0]->spectrum);
  const bool others = stores_others(g->plans->list.at[0]->spectrum);
  for (int by = of_grid ? BY_BLOCKS : parts ? BY_LANES : BY_ONE_WARP; by <= BY_SEVERAL; by++) {
    const bool alone = more && !steps && by == BY_BLOCKS && !has_few_threads(g);
    const Plan *p = alone ? of_lanes_alone(g) : g->best[by];
    if (by == BY_BLOCKS && parts) add_held(g);
    if (by == BY_BLOCKS && parts) add_long_of_structs(g);
    if (by >= BY_BLOCKS && parts) add_few(g, (Workers)by);
    if (by == BY_BLOCKS && parts && !has_few_threads(g) && guess_scans(g)) return true;
    /* in place of all lanes in steps; or of a GPU's, which promise less of a result */
    const bool few = p && (steps || !has_few_threads(g)) && one_lane_alone(p);
    const bool one = p && plan_is_of_one_block(plan_work(p->root));
    const int64_t limit = few ? f->lane_part : one ? f->one_block_steps : limits[by];
    if (by < BY_LANES && g->best[BY_BLOCKS] && (more || others)) continue;
    if (p && (by != BY_ROWS || rows)) guess_add(g, p, (uint64_t)limit, 0);
  }
  for (int by = BY_SEVERAL + 1; by <= BY_COPIES && t->rows.n == first; by++) /* few plans were kept */
    add_row(g, (Workers)by, UINT64_MAX, 0);
  if (t->rows.n > first) t->rows.at[t->rows.n - 1].up_to = UINT64_MAX; /* the largest serves all that is left */
  if (of_grid && t->rows.n == first + 1) guess_moves(g, grid);
  if (of_grid && t->rows.n == first + 1) guess_streams(g, grid);
  return true;
}

void guess_rows(Arena *a, const Plans *plans, const ElementType *type, Table *to) {
  /* What ranges are of differs: the first that knows the problem adds the rows. */
  static bool (*const guesses[])(const Guess *) = {guess_for_products, guess_for_stored, guess_for_common,
                                                   guess_for_results, guess_for_together,
                                                   guess_for_steps_of_rows, guess_for_threads,
                                                   guess_for_slices, guess_for_steps_with_tiles, guess_by_length};
  if (!plans->list.n) return;
  const Plan *any = plans->list.at[0];
  const Signature operands = signature_of(a, any->spectrum, TYPE_ELEM, any->spectrum->result);
  Guess g = {.a = a, .plans = plans, .machine = any->machine, .operands = &operands, .type = type, .to = to};
  for (int by = 0; by < WORKERS; by++) g.best[by] = workers_best(plans, (Workers)by);
  const Plan *each = stores_results(&g) ? blocks_each(plans) : NULL;
  if (each) g.best[BY_BLOCKS] = each; /* not stored, of which ranges of their own are */
  const Plan *whole = blocks_each(plans); /* beside a grid's steps, each of all parts */
  if (whole && plan_worker_of_parts(whole->root) && plan_in_steps(plan_work(g.best[BY_BLOCKS]->root)))
    g.best[BY_BLOCKS] = whole;
  const Plan *steps = g.best[BY_BLOCKS], *states = has_few_threads(&g) ? NULL : workers_combine_states(plans);
  if (steps && states && !plan_combines_states(steps->root)) {
    g.held = steps;
    g.best[BY_BLOCKS] = states;
  }
  bool known = false;
  for (size_t i = 0; i < sizeof guesses / sizeof *guesses && !known; i++) known = guesses[i](&g);
}
