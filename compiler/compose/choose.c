/* choose.c: a first guess at which variant serves which sizes. Measurement replaces it. */
#include "compose/choose.h"

#include "compose/estimate.h"
#include "compose/prefer.h"
#include "compose/search.h"
#include "ir/signature.h"

#include <string.h>

typedef enum Use {
  ONE_WARP, ONE_BLOCK, ONE_CLUSTER, LANES, ROWS, SUBWARPS, WARPS, GRID, SPREAD, OF_CLUSTERS, SLICES, SPREAD_SLICES,
  JAMMED, THREE_KERNELS, EQUAL, PARTIAL, HELD
} Use;

static Use use_of(const Plan *p) {
  if (plan_is_equal(p->root)) return EQUAL; /* how long parts are on average does not tell how much they differ */
  if (plan_slices(p->root)) return plan_spread(p->root) ? SPREAD_SLICES : SLICES;
  if (plan_spread(p->root)) return SPREAD;
  if (plan_work(p->root)->traversal == TRAVERSE_JAMMED) return JAMMED;
  const Level *worker = plan_worker_of_parts(p->root);
  if (worker && worker->can.lanes == LANES_ONE) return plan_copies_rows(p->root) ? ROWS : LANES;
  if (worker && worker->can.lanes == LANES_FIXED) return worker->can.factor ? SUBWARPS : WARPS;
  if (worker && worker->can.reaches) return OF_CLUSTERS; /* how long parts are does not tell: it takes that they are
                                                            few */
  if (plan_adds_copies(plan_work(p->root))) return PARTIAL;
  if (plan_scans_twice(p->root)) return THREE_KERNELS; /* everything is read twice: by measurement alone */
  if (plan_is_of_one_block(plan_work(p->root))) return ONE_BLOCK;
  if (p->machine->levels[0].can.few && plan_has_tiles(plan_work(p->root)) &&
      plan_work(p->root)->kid[0]->traversal == TRAVERSE_HELD)
    return HELD;
  if (plan_work(p->root)->rule->codelet) return GRID;
  return plan_is_one_cluster(p->root) ? ONE_CLUSTER : plan_is_one_vector(p->root) ? ONE_WARP : ONE_BLOCK;
}

/* Does one lane do all that a worker of several has to do with a part? */
static bool one_lane_acts(const Plan *p) {
  const PlanNode *root = plan_work(p->root), *n = root;
  if (!root->rule->codelet || !root->rule->explicit_count) return false;
  for (n = n->kid[0]; !n->rule->codelet && n->nkids; n = n->kid[0]) {}
  return n != root->kid[0] && n->rule->level->can.lanes == LANES_ONE;
}

/* -1: none has that use; of several lanes, one that leaves parts to one of them is none. */
static int best(const Plans *plans, Use use) {
  int found = -1;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    if (use_of(p) != use || (use != LANES && use != ROWS && one_lane_acts(p))) continue;
    if (found < 0 || prefer_plan(p, plans->list.at[found])) found = i;
  }
  return found;
}

/* Does one lane of a CPU's thread go through a part alone? */
static bool leaves_to_one(const Plan *p) {
  const PlanNode *n = plan_work(p->root);
  bool alone = false;
  if (!p->machine->levels[0].can.few) return false;
  while (n->nkids) {
    n = plan_work(n->kid[0]);
    alone |= !n->rule->codelet;
  }
  return alone;
}

static PartsSuited suits(const Plan *p) {
  const Use use = use_of(p);
  const bool cpu = p->machine->levels[0].can.few;
  if (plan_is_bounded(p->root)) return SUITS_ANY;
  if (use == EQUAL) return cpu && !leaves_to_one(p) ? SUITS_LONG : SUITS_ANY;
  return use == LANES || use == SUBWARPS || leaves_to_one(p) ? SUITS_SHORT : SUITS_LONG;
}

/* The best of those that are not taken, of that use if it is one; -1: there is none. */
static int best_left(const Plans *plans, const bool *taken, int use, bool alone) {
  int found = -1;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    if (taken[i] || (use >= 0 && (use_of(p) != (Use)use || leaves_to_one(p) != alone))) continue;
    if (found < 0 || prefer_plan(p, plans->list.at[found])) found = i;
  }
  return found;
}

const PlanCandidate *choose_order(Arena *a, const Plans *plans) {
  static const Use uses[] = {EQUAL, EQUAL, LANES, ROWS, SUBWARPS, WARPS, GRID, JAMMED, SLICES, SPREAD,
                             SPREAD_SLICES, OF_CLUSTERS, THREE_KERNELS, PARTIAL, ONE_CLUSTER, ONE_BLOCK, ONE_WARP};
  enum { USES = sizeof uses / sizeof *uses };
  const int n = plans->list.n;
  PlanCandidate *all = arena_many(a, PlanCandidate, n + 1);
  bool *taken = arena_many(a, bool, n + 1);
  for (int count = 0, k = 0; count < n; k++) {
    const int next = best_left(plans, taken, k < 2 * USES ? (int)uses[k / 2] : -1, k % 2 == 0);
    if (next < 0) continue;
    taken[next] = true;
    all[count++] = (PlanCandidate){plans->list.at[next]->id, suits(plans->list.at[next])};
  }
  return all;
}

/* Does one lane do everything? */
static bool one_lane_alone(const Plan *p) {
  const PlanNode *n = plan_work(p->root);
  while (!n->rule->codelet && n->nkids) n = n->kid[0];
  return n != plan_work(p->root) && n->rule->level->can.lanes == LANES_ONE;
}

/* The rows of one type that are guessed. */
typedef struct Guess {
  Arena *a;
  const Plans *plans;
  const Figures *figures; /* the machine's */
  const char *type;
  int64_t bytes; /* of an element */
  Table *to;
} Guess;

static void add_plan(const Guess *g, const Plan *p, uint64_t up_to, uint64_t count) {
  TableRow row = {.type = g->type, .up_to = up_to, .count = count, .variant = p->id,
                  .comment = arena_printf(g->a, TABLE_GUESSED_ROW "%s", p->text)};
  int64_t many;
  const char *rows = plan_packed_rows(p, g->bytes, &many);
  if (rows) tunables_set(g->a, &row.set, rows, many);
  vec_push(g->a, &g->to->rows, row);
}

static void add_row(const Guess *g, Use use, uint64_t up_to, uint64_t count) {
  int plan = best(g->plans, use);
  if (plan >= 0) add_plan(g, g->plans->list.at[plan], up_to, count);
}

/* Rows of a plan's tiles by the number of results, from `above' on. `by_both': a call tells how many elements each
 * result is made of, too, and the rows serve up to `elements'; else its one size stands for the number of results. */
static void add_tiles(const Guess *g, const Plan *p, uint64_t elements, uint64_t above, bool by_both) {
  enum { LEAST = 1 << 14, CLASSES = 24 }; /* two sizes for each power of 2 */
  const int largest = estimate_tile(p, g->bytes, 0);
  uint64_t results = LEAST;
  int tile = -1;
  for (int i = 0; i <= CLASSES; i++) {
    const uint64_t power = (uint64_t)LEAST << (i / 2), now = i % 2 ? power + power / 2 : power;
    const int best_now = i == CLASSES ? largest : estimate_tile(p, g->bytes, now);
    if (i > 0 && best_now != tile && results > above) {
      add_plan(g, p, by_both ? elements : results, by_both ? results : 0);
      estimate_set(g->a, p, tile, &g->to->rows.at[g->to->rows.n - 1].set);
    }
    tile = best_now;
    results = now;
  }
  add_plan(g, p, elements, 0);
  estimate_set(g->a, p, largest, &g->to->rows.at[g->to->rows.n - 1].set);
}

/* Lines whose elements lie apart, up to so many of each; those of more than `few' lines, many vectors at a time. */
static void add_lines(const Guess *g, uint64_t up_to, uint64_t few) {
  const PlanNode *each = plan_work(plan_work(g->plans->list.at[best(g->plans, LANES)]->root)->kid[0]);
  const bool by_vectors = each->rule->codelet && each->rule->codelet->kind == CLASS_AUTONOMOUS;
  if (by_vectors) add_row(g, LANES, up_to, few);
  add_row(g, LANES, up_to, 0);
  if (by_vectors) tunables_set(g->a, &g->to->rows.at[g->to->rows.n - 1].set, "loads", g->figures->lines_loads);
}

/* Many parts for a CPU's threads. Where neighbouring parts' elements lie side by side, lanes go through them, however
 * many elements they have; else a thread goes through a part, unless that is short, and through several long ones at
 * once: short ones come from memory faster one after another. Threads share parts that are too few for them, where
 * there is enough of each. Before: that there are lanes' plans. */
static void guess_for_threads(const Guess *g) {
  const Plans *plans = g->plans;
  const Figures *f = g->figures;
  const Plan *by_lanes = plans->list.at[best(plans, LANES)];
  const Arch *m = by_lanes->machine;
  const uint64_t threads = (uint64_t)m->units, lanes = (uint64_t)m->vector_width;
  if (plan_lines(plan_work(by_lanes->root)->rule->codelet).strided) {
    const uint64_t vectors = threads * lanes, many = vectors * (uint64_t)f->lines_many;
    if (best(plans, SPREAD) >= 0) add_lines(g, (uint64_t)f->lines_short, many);
    add_row(g, SPREAD, UINT64_MAX, vectors * (uint64_t)f->lines_shared);
    add_lines(g, UINT64_MAX, many);
    return;
  }
  const bool jams = best(plans, JAMMED) >= 0, whole = jams || best(plans, GRID) >= 0;
  add_row(g, LANES, whole ? (uint64_t)f->lane_part : UINT64_MAX, 0);
  if (!whole) return;
  const Use of_long = jams ? JAMMED : GRID;
  if (jams) add_row(g, GRID, lanes * (uint64_t)f->rows_jammed, 0);
  if (best(plans, SPREAD) >= 0) add_row(g, of_long, lanes * (uint64_t)f->rows_shared, 0);
  add_row(g, SPREAD, UINT64_MAX, threads * (uint64_t)f->rows_parts);
  add_row(g, of_long, UINT64_MAX, 0);
}

/* Many parts whose elements stand side by side with those of their neighbours, for the slices of a GPU's warps: several
 * blocks share parts that are too few for all of them. Before: that there are such plans. */
static void guess_for_slices(const Guess *g) {
  const Arch *m = g->plans->list.at[0]->machine;
  if (best(g->plans, SPREAD_SLICES) >= 0) {
    add_row(g, SLICES, (uint64_t)g->figures->slices_part, 0);
    add_row(g, SPREAD_SLICES, UINT64_MAX, (uint64_t)(m->units * g->figures->slices_parts));
  }
  add_row(g, SLICES, UINT64_MAX, 0);
}

/* Are ranges of how many elements each of many results is made of, and of how many results there are? */
static bool is_of_products(const Plan *p, Arena *a) {
  const Signature s = signature_of(a, p->spectrum, TYPE_ELEM, p->spectrum->result);
  return signature_parts(&s, p->spectrum).results >= 0;
}

/* Are ranges of how many elements each of many parts has? */
static bool is_of_parts(const Plan *p, Arena *a) {
  const Signature s = signature_of(a, p->spectrum, TYPE_ELEM, p->spectrum->result);
  const PartsGiven parts = signature_parts(&s, p->spectrum);
  return parts.parts >= 0 || parts.elements >= 0;
}

/* Results that are far more rows than columns, or columns than rows: tiles as the plan has them, no wider than high.
 * Wide ones would be empty for the most part. */
static void add_square_tiles(const Guess *g, unsigned when, uint64_t shared) {
  const int before = g->to->rows.n;
  if (shared) add_row(g, GRID, (uint64_t)g->figures->product_inner, 0);
  if (shared) add_row(g, PARTIAL, UINT64_MAX, shared);
  add_row(g, GRID, UINT64_MAX, 0);
  for (int i = before; i < g->to->rows.n; i++) g->to->rows.at[i].when = when;
}

/* Products: blocks share the elements that a few results are made of, where these are many. */
static void guess_for_products(const Guess *g) {
  const Figures *f = g->figures;
  const Plans *plans = g->plans;
  const int grid = best(plans, GRID), before = g->to->rows.n;
  const Arch *m = plans->list.at[0]->machine;
  /* a matrix is small work to one alone */
  const bool tiles = grid >= 0 && plan_tiled(plans->list.at[grid]->root);
  const Plan *by_tiles = grid >= 0 && estimate_takes_tiles(plans->list.at[grid]) ? plans->list.at[grid] : NULL;
  const uint64_t shared = best(plans, PARTIAL) < 0 ? 0 : (uint64_t)(m->units * f->product_results);
  if (by_tiles) {
    add_square_tiles(g, RESULTS_TALL, shared);
    add_square_tiles(g, RESULTS_WIDE, shared);
    if (shared) add_tiles(g, by_tiles, (uint64_t)f->product_inner, 0, true);
    if (shared) add_row(g, PARTIAL, UINT64_MAX, shared);
    add_tiles(g, by_tiles, UINT64_MAX, shared, true);
    return;
  }
  if (grid >= 0 && shared) {
    add_row(g, GRID, (uint64_t)f->product_inner, 0);
    add_row(g, PARTIAL, UINT64_MAX, shared);
  }
  const bool few = m->levels[0].can.few;
  const int held = best(plans, HELD);
  if (held >= 0) {
    PlanTiles t;
    const bool batch = plan_tiles(plan_work(plans->list.at[held]->root), &t) && t.rank > PLANE;
    add_row(g, HELD, (uint64_t)f->held_inner, batch ? 0 : (uint64_t)f->held_results);
    if (!batch) add_row(g, GRID, (uint64_t)f->held_inner, 0);
  } else if (tiles && few && best(plans, ONE_BLOCK) >= 0) {
    add_row(g, ONE_BLOCK, (uint64_t)f->tiny_inner, (uint64_t)f->tiny_results);
    add_row(g, GRID, (uint64_t)f->tiny_inner, 0);
  }
  const int64_t alone = few ? f->product_alone : m->vector_width;
  for (int use = ONE_WARP; use <= ONE_CLUSTER && !tiles && held < 0 && g->to->rows.n == before; use++)
    add_row(g, (Use)use, UINT64_MAX, grid < 0 ? 0 : (uint64_t)alone);
  add_row(g, GRID, UINT64_MAX, 0);
  for (int use = LANES; use <= PARTIAL && g->to->rows.n == before; use++) add_row(g, (Use)use, UINT64_MAX, 0);
  if (held < 0 || g->to->rows.n > before + 1) return;
  g->to->rows.at[before].up_to = UINT64_MAX; /* few plans were kept: it serves all that is left */
  g->to->rows.at[before].count = 0;
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
static void add_common(const Guess *g, uint64_t up_to, Use many) {
  enum { LANES_EACH = 256, FEW_LANES = 64, MANY_LANES = 128, JAM = 4, WIDEST = 16, MOST_LANES = 256 };
  const Arch *m = g->plans->list.at[0]->machine;
  const int plan = best(g->plans, many);
  if (plan < 0) return;
  /* for elements of any type; else a variant has as much as it has room for */
  const bool room = m->shared_bytes_most > COPIED * WIDEST * MOST_LANES;
  add_row(g, GRID, up_to, (uint64_t)(m->units * g->figures->parts_together));
  for (int few = 1; few >= 0; few--) {
    add_row(g, many, up_to, few ? (uint64_t)(m->units * LANES_EACH) : 0);
    Tunables *set = &g->to->rows.at[g->to->rows.n - 1].set;
    tunables_set(g->a, set, "threads", few ? FEW_LANES : MANY_LANES);
    if (many != ROWS) continue;
    if (room) tunables_set(g->a, set, plan_row_name, COPIED);
    if (plan_jams(g->plans->list.at[plan]->root)) tunables_set(g->a, set, plan_jam_name, JAM);
  }
}

static void guess_for_common(const Guess *g) {
  if (best(g->plans, ROWS) >= 0) {
    add_common(g, (uint64_t)g->figures->plain_row, LANES);
    add_common(g, COPIED, ROWS);
  }
  add_common(g, UINT64_MAX, LANES);
}

static bool any_goes_through_common(const Plans *plans) {
  bool any = false;
  for (int i = 0; i < plans->list.n; i++) any |= goes_through_common(plans->list.at[i]);
  return any && best(plans, LANES) >= 0 && best(plans, GRID) >= 0 && !plans->list.at[0]->machine->levels[0].can.few;
}

/* Rows that are longer than a warp's, of an operator of structs: to combine what a block's lanes have takes as long as
 * to read them, so warps have a row each where there are enough rows for them. */
static void add_long_of_structs(const Guess *g) {
  enum { LONGEST = 8192, ROWS_EACH = 16 }; /* elements; rows of each unit */
  const Plan *p = g->plans->list.at[0];
  if (!p->spectrum->states || p->machine->levels[0].can.few || best(g->plans, WARPS) < 0) return;
  if (best(g->plans, GRID) < 0 || g->figures->warp_part >= LONGEST) return;
  add_row(g, GRID, LONGEST, (uint64_t)(p->machine->units * ROWS_EACH));
  add_row(g, WARPS, LONGEST, 0);
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

/* Steps one of which is a product: of few results, blocks share what they are made of; of more, tiles are as large as
 * there are results for. A call tells one size; matrices that are square have as many results. */
static bool guess_for_steps_with_tiles(const Guess *g) {
  const Plans *plans = g->plans;
  const int grid = best(plans, GRID);
  if (grid < 0 || !estimate_takes_tiles(plans->list.at[grid]) || !plan_in_steps(plan_work(plans->list.at[grid]->root)))
    return false;
  const Plan *few = step_with_tiles(plans, true), *many = step_with_tiles(plans, false);
  if (!many) return false;
  const uint64_t shared = (uint64_t)(many->machine->units * g->figures->product_results);
  if (few) add_plan(g, few, shared, 0);
  add_tiles(g, many, UINT64_MAX, few ? shared : 0, false);
  return true;
}

static void guess(const Guess *g) {
  const Plans *plans = g->plans;
  if (plans->list.n && is_of_products(plans->list.at[0], g->a)) {
    guess_for_products(g);
    return;
  }
  if (any_goes_through_common(plans)) {
    guess_for_common(g);
    return;
  }
  const Figures *f = g->figures;
  Table *t = g->to;
  bool parts = false, wide = false; /* are ranges of each part's elements? do several lanes have one? */
  for (int use = LANES; use <= WARPS; use++) parts |= best(plans, (Use)use) >= 0;
  for (int use = SUBWARPS; use <= GRID; use++) wide |= best(plans, (Use)use) >= 0;
  const bool rows = parts && !wide && best(plans, ROWS) >= 0;
  const int64_t limits[] = {[ONE_WARP] = f->one_warp,   [ONE_BLOCK] = f->one_block,   [ONE_CLUSTER] = f->one_cluster,
                            [LANES] = rows ? f->plain_row : f->lane_part,
                            [ROWS] = INT64_MAX,          [SUBWARPS] = f->subwarp_part, [WARPS] = f->warp_part,
                            [GRID] = f->block_part,      [SPREAD] = INT64_MAX};
  if (best(plans, LANES) >= 0 && plans->list.at[0]->machine->levels[0].can.few) {
    guess_for_threads(g);
    return;
  }
  if (best(plans, SLICES) >= 0) {
    guess_for_slices(g);
    return;
  }
  if (guess_for_steps_with_tiles(g)) return;
  int first = t->rows.n;
  const int grid = best(plans, GRID);
  const bool tiles = grid >= 0 && plan_tiled(plans->list.at[grid]->root);
  /* how long parts are does not tell whether there are few elements in all */
  const bool of_grid = tiles || (!parts && grid >= 0 && is_of_parts(plans->list.at[0], g->a));
  const bool steps = grid >= 0 && plan_in_steps(plan_work(plans->list.at[grid]->root));
  const bool cpu = plans->list.n && plans->list.at[0]->machine->levels[0].can.few;
  for (int use = of_grid ? GRID : parts ? LANES : ONE_WARP; use <= SPREAD; use++) {
    const int alone = best(plans, (Use)use);
    if (use == GRID && parts) add_long_of_structs(g);
    /* in place of all lanes in steps; or of a GPU's, which promise less of a result */
    const bool few = alone >= 0 && (steps || !cpu) && one_lane_alone(plans->list.at[alone]);
    const bool one = alone >= 0 && plan_is_of_one_block(plan_work(plans->list.at[alone]->root));
    const int64_t limit = few ? f->lane_part : one ? f->one_block_steps : limits[use];
    if (use != ROWS || rows) add_row(g, (Use)use, (uint64_t)limit, 0);
  }
  for (int use = SPREAD + 1; use <= PARTIAL && t->rows.n == first; use++) /* few plans were kept */
    add_row(g, (Use)use, UINT64_MAX, 0);
  if (t->rows.n > first) t->rows.at[t->rows.n - 1].up_to = UINT64_MAX; /* the largest serves all that is left */
}

/* ---- what was measured ---- */

static bool has_type(const Table *t, const char *type) {
  for (int i = 0; i < t->rows.n; i++)
    if (strcmp(t->rows.at[i].type, type) == 0) return true;
  return false;
}

/* The type whose measurements serve: its own, or that of the same size that is added by as many instructions. Integers
 * serve for integers only: their tables hold variants whose order of additions is not fixed. */
static const char *stand_in(const Table *t, const char *type) {
  static const char *const alike[][2] = {
      {"uint", "int"}, {"int", "uint"}, {"uint64", "int64"}, {"int64", "uint64"}, {"int8", "uint8"}, {"uint8", "int8"},
      {"int16", "uint16"}, {"uint16", "int16"}, {"bfloat16", "half"}, {"half", "bfloat16"}, {"cfloat", "double"}};
  if (has_type(t, type)) return type;
  for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
    if (strcmp(alike[i][0], type) == 0 && has_type(t, alike[i][1])) return alike[i][1];
  return NULL;
}

static bool take_measured(Arena *a, const MeasuredTable *measured, const char *type, Table *t, Diagnostics *d) {
  const char *from = measured ? stand_in(measured->table, type) : NULL;
  int before = t->rows.n;
  for (int i = 0; from && i < measured->table->rows.n; i++) {
    TableRow r = measured->table->rows.at[i];
    if (strcmp(r.type, from) != 0) continue;
    const char *why = measured->why_not(measured->context, &r);
    if (why) {
      diagnostics_remark(d, REMARK_MISSED, "choose", (SourceRange){0}, "the measured table is not used for `%s': %s",
                         type, why);
      t->rows.n = before;
      return false;
    }
    r.type = type;
    vec_push(a, &t->rows, r);
  }
  return from != NULL;
}

Table choose_by_size(Arena *a, const Plans *plans, const ElementType *const *types, int ntypes,
                     const MeasuredTable *measured, Diagnostics *d) {
  Table t = {.heading = TABLE_GUESS};
  bool any = false;
  for (int i = 0; i < ntypes; i++) {
    if (take_measured(a, measured, types[i]->name, &t, d)) any = true;
    else guess(&(Guess){a, plans, &plans->list.at[0]->machine->measured, types[i]->name, types[i]->bytes, &t});
  }
  if (any) t.heading = measured->table->heading;
  return t;
}
