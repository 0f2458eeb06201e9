/* keep.c: which plans are kept of all that are complete, so that there is one for each size and machine among them.
 *
 * Most are taken in turn: the cheapest of each category and use of the grid that is left. What would come late so, or
 * never, and is the fastest somewhere has a share of the number that is kept, or comes beside it (shares, beside). */
#include <stdlib.h>

#include "compose/search.h"

/* How a plan uses the grid: how its blocks' results are combined, who has each of many parts, whether several share
 * one, and accumulate its result, whether a block's warps do, or one block or cluster alone; or a cluster for each of
 * many parts; or for steps. */
typedef enum GridUse {
  USE_ATOMIC, USE_TICKET, USE_POST, USE_TWO_KERNELS, USE_SPREAD, USE_SPREAD_LANES, USE_SLICES, USE_LANES, USE_WARPS,
  USE_SPREAD_ATOMIC, USE_EQUAL, USE_BOUNDED, USE_ONE_BLOCK, USE_ONE_WARP, USE_CLUSTER,
  USES,
  USE_THREE_KERNELS = USES, USE_STEPS /* do not iterate: a few are kept besides */
} GridUse;

static GridUse use_of(const PlanNode *root) {
  const PlanNode *work = plan_work(root);
  const Level *worker = plan_worker_of_parts(work);
  if (plan_is_one_cluster(work) || (worker && worker->can.reaches)) return USE_CLUSTER;
  if (plan_in_steps(work)) return USE_STEPS;
  if (!work->rule->codelet) return plan_is_one_vector(work) ? USE_ONE_WARP : USE_ONE_BLOCK;
  if (work->combine == COMBINE_ATOMIC) return USE_ATOMIC;
  if (plan_accumulates_pieces(work)) return USE_SPREAD_ATOMIC;
  if (plan_scans_twice(work)) return USE_THREE_KERNELS;
  if (plan_is_equal(work)) return USE_EQUAL;
  if (plan_is_bounded(work)) return USE_BOUNDED;
  if (plan_slices(work)) return USE_SLICES;
  if (plan_spread(work)) return plan_spread(work)->rule->level->can.shares ? USE_SPREAD : USE_SPREAD_LANES;
  if (worker && worker->can.lanes <= LANES_FIXED) return worker->can.lanes == LANES_ONE ? USE_LANES : USE_WARPS;
  if (work->rule->slides) return plan_slides_by(work) == SYNC_TICKET ? USE_TICKET : USE_POST;
  static const GridUse uses[] = {[SYNC_PLAIN] = USE_TWO_KERNELS, [SYNC_TICKET] = USE_TICKET, [SYNC_POST] = USE_POST};
  return uses[plan_sync(work)];
}

/* How a grid's tiles are placed, and whether blocks contribute to copies, and where these are; 0: it has none. */
enum { PLACINGS = 3 };
static int placing_of(const PlanNode *root) {
  const PlanNode *tiled = plan_tiled(root);
  if (plan_copies_rows(root)) return PLACINGS * (plan_copies_a_run(root) ? TRAVERSE_RUN : TRAVERSE_ROWS);
  if (plan_is_flat(root)) return PLACINGS * TRAVERSE_FLAT;
  if (!tiled) return 0;
  const int where = tiled->combine == COMBINE_PARTIAL ? 1 : tiled->combine == COMBINE_CLUSTER ? 2 : 0;
  return PLACINGS * (int)tiled->kid[0]->traversal + where;
}

PlanNodes keep_by_use(Arena *a, const PlanNodes *of, int each) {
  PlanNodes best = {0};
  for (int use = 0; use <= USE_STEPS; use++)
    for (int placing = 0; placing < PLACINGS * (TRAVERSE_PRODUCED + 1); placing++) {
      PlanNodes alike = {0};
      for (int i = 0; i < of->n; i++)
        if (use_of(of->at[i]) == (GridUse)use && placing_of(of->at[i]) == placing) vec_push(a, &alike, of->at[i]);
      prune_candidates(a, &alike, each);
      for (int i = 0; i < alike.n; i++) vec_push(a, &best, alike.at[i]);
    }
  return best;
}

static bool parts_of_factors(const PlanNode *n) {
  const Level *worker = plan_is_equal(n) || plan_is_bounded(n) ? NULL : plan_worker_of_parts(n);
  return worker && worker->can.factor;
}

static bool with_factors(const PlanNode *n) { return plan_uses_factor(n) || parts_of_factors(n); }

typedef struct Ranked { int cost, place; const PlanNode *node; Plan *plan; } Ranked; /* place: as it was composed */

static int by_cost(const void *x, const void *y) {
  const Ranked *a = x, *b = y;
  if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

/* ---- what does not take its turn ---- */

/* Each of these says which kind of its own a plan is, of which a few are kept; -1: none. */

/* A sub-warp combines results, of small containers, whose time that is. */
static int with_factor(const Ranked *r) {
  const GridUse use = use_of(r->node);
  return use >= USE_ONE_BLOCK && use < USES && plan_uses_factor(r->node) ? (int)use : -1;
}

/* Parts go to sub-warps: a kind for each kind of these. */
static int with_parts_of_factors(const Ranked *r) {
  return parts_of_factors(r->node) ? plan_work(r->node)->rule->parts->depth : -1;
}

/* Everything is read twice. */
static int with_three_kernels(const Ranked *r) { return use_of(r->node) == USE_THREE_KERNELS ? 0 : -1; }

/* A grid's steps: a kind for each use that they make of it, or for each way to place the tiles of one. */
static int with_steps(const Ranked *r) {
  const PlanNode *work = plan_work(r->node);
  if (use_of(work) != USE_STEPS || plan_steps_by(work)) return -1;
  if (plan_tiled(work)) return USE_STEPS + placing_of(work);
  for (int i = 0; i < work->nkids; i++)
    if (plan_work(work->kid[i])->rule->codelet) return (int)use_of(work->kid[i]);
  return USE_ONE_BLOCK;
}

/* Steps whose loops are kernels that stay. */
static int with_persistent(const Ranked *r) { return plan_is_persistent(plan_work(r->node)) ? 0 : -1; }

/* Steps in which several blocks have each part. */
static int with_shared_parts(const Ranked *r) { return plan_shares_steps(r->node) ? 0 : -1; }

/* Steps that are one kernel of one block, for few elements: a kind for each number of steps that go round by round, up
 * to a most. */
static int with_one_block(const Ranked *r) {
  const int rounds = plan_in_rounds(r->node), most = (int)USES - 1;
  return !plan_is_of_one_block(plan_work(r->node)) ? -1 : rounds < most ? rounds : most;
}

/* A scan's map stores through shared memory. */
static int with_compaction(const Ranked *r) { return plan_compacts(r->node) ? (int)use_of(r->node) : -1; }

/* A block has the long ones of its parts itself: a kind for each kind of workers. */
static int with_long_parts_in_block(const Ranked *r) {
  return plan_is_bounded_in_block(r->node) ? plan_work(r->node)->rule->parts->depth : -1;
}

/* A matrix unit multiplies rows. */
static int with_unit(const Ranked *r) { return plan_multiplies_rows(r->node) ? (int)use_of(r->node) : -1; }

/* A matrix unit multiplies tiles, or a CPU's threads have them: each way to place them has sizes at which it is the
 * fastest. */
static int with_unit_tiles(const Ranked *r) {
  const bool tiles = plan_multiplies(r->node) || (r->plan->machine->levels[0].can.few && plan_tiled(r->node));
  return tiles && use_of(r->node) != USE_STEPS ? placing_of(r->node) : -1;
}

int keep_units(const Plans *plans) {
  enum { MOST_UNITS = 8 };
  int units = 0;
  for (int i = 0; i < plans->list.n; i++) units += plan_multiplies_rows(plans->list.at[i]->root);
  return units < MOST_UNITS ? units : MOST_UNITS;
}

static bool is_kept(const Plans *plans, const Plan *p) {
  for (int i = 0; i < plans->list.n; i++)
    if (plans->list.at[i] == p) return true;
  return false;
}

typedef struct Besides {
  int one_in; /* there is room for one of so many plans that are kept */
  int each;   /* of a kind, at most; 0: any number */
  int (*kind_of)(const Ranked *r);
} Besides;

enum { STEPS_A_USE = 2, UNITS_A_USE = 2 };

/* Of the number that is kept. */
static const Besides shares[] = {
    {25, 1, with_factor},
    {9, KEEP_PARTS_OF_A_FACTOR, with_parts_of_factors},
    {25, 0, with_three_kernels},
};

/* Beside it: a machine that can do so has all plans of one that cannot. */
static const Besides beside[] = {
    {7, 1, with_unit_tiles},
    {3, 0, with_persistent},
    {3, 2, with_one_block},
    {25, 1, with_compaction},
    {9, 1, with_long_parts_in_block},
    {25, 1, with_shared_parts},
};

/* Plans in the order of their costs, and those that are kept. */
typedef struct Keeping {
  Arena *a;
  const Ranked *list;
  int n;
  Plans *to;
} Keeping;

/* The cheapest that are not kept yet, `room' of them. */
static void keep_some(const Keeping *k, int room, const Besides *which) {
  enum { MOST_KINDS = USE_STEPS + PLACINGS * (TRAVERSE_PRODUCED + 1) }; /* uses and placements, or levels */
  int kept[MOST_KINDS] = {0};
  for (int i = 0; i < k->n && room > 0; i++) {
    const Ranked *r = &k->list[i];
    const bool may = which->kind_of == with_unit || !plan_multiplies_rows(r->node);
    const int kind = may ? which->kind_of(r) : -1;
    if (kind < 0 || (kept[kind]++ >= which->each && which->each) || is_kept(k->to, r->plan)) continue;
    vec_push(k->a, &k->to->list, r->plan);
    room--;
  }
}

/* Does it take its turn? */
static bool is_usual(const PlanNode *n) {
  return !with_factors(n) && !plan_multiplies_rows(n) && !plan_compacts(n) && !plan_is_bounded_in_block(n);
}

/* In turn, the best of each category and use that is left, until so many are kept. Plans of one block or cluster, for
 * small containers, every few rounds, but of what slides. */
static void keep_in_turn(const Keeping *k, int keep, bool slides) {
  enum { CATEGORIES = CATEGORY_SHUFFLE + 1, SMALL_EVERY = 4 };
  const int small_every = slides ? 1 : SMALL_EVERY;
  int next[CATEGORIES][USES] = {{0}};
  for (int round = 0; k->to->list.n < keep; round++)
    for (int use = 0; use < USES; use++)
      for (int c = CATEGORIES - 1; c >= 0 && k->to->list.n < keep; c--) {
        if (use >= USE_ONE_BLOCK && round % small_every) continue;
        int *at = &next[c][use];
        for (; *at < k->n; ++*at) {
          const Ranked *r = &k->list[*at];
          if (is_usual(r->node) && r->plan->category == (Category)c && use_of(r->node) == (GridUse)use) break;
        }
        if (*at < k->n) vec_push(k->a, &k->to->list, k->list[(*at)++].plan);
      }
}

void keep_plans(Arena *a, Plans *plans, int keep) {
  enum { ONE_IN_STEPS = 6, ONE_IN_UNITS = 7 };
  if (keep < 0) return;
  const int n = plans->list.n, all = keep;
  int usual = 0, units = keep_units(plans);
  const bool slides = n > 0 && plan_work(plans->list.at[0]->root)->rule->slides;
  Ranked *list = arena_many(a, Ranked, n);
  for (int i = 0; i < n; i++) {
    Plan *p = plans->list.at[i];
    list[i] = (Ranked){prune_cost(p->root), i, p->root, p};
    usual += is_usual(p->root) && use_of(p->root) < USES;
  }
  qsort(list, (size_t)n, sizeof *list, by_cost);
  if (units > keep / ONE_IN_UNITS) units = usual ? keep / ONE_IN_UNITS : keep;
  keep -= units;
  plans->list.n = 0;
  const Keeping k = {a, list, n, plans};
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) keep_some(&k, keep / shares[i].one_in, &shares[i]);
  Besides steps = {ONE_IN_STEPS, usual ? STEPS_A_USE : 0, with_steps};
  keep_some(&k, usual ? (keep + ONE_IN_STEPS / 2) / ONE_IN_STEPS : keep, &steps);
  const int taken = plans->list.n + usual;
  keep_in_turn(&k, keep < taken ? keep : taken, slides);
  /* where others leave room */
  for (steps.each = STEPS_A_USE; plans->list.n < keep && steps.each <= keep; steps.each *= 2)
    keep_some(&k, keep - plans->list.n, &steps);
  keep_some(&k, units, &(Besides){ONE_IN_UNITS, UNITS_A_USE, with_unit});
  for (size_t i = 0; i < sizeof beside / sizeof *beside; i++) keep_some(&k, all / beside[i].one_in, &beside[i]);
}
