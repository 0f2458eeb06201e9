/* expand.c: what a rule can become where it applies: all candidates of Devolve, Compute, and of a map over the level
 * below. */
#include "compose/expand.h"
#include "ir/handed.h"
#include "ir/signature.h"

static void expand_compute(Search *x, const Site *at) {
  const Rule *r = at->rule;
  if (!r->level->can.factor) expand_add(x, at->to, plan_node(x->a, r));
  if (r->codelet->kind == CLASS_COOPERATIVE && r->codelet->shuffled.body) {
    PlanNode *n = plan_node(x->a, r);
    n->shuffled = true;
    expand_add(x, at->to, n);
  }
}

static void expand_devolve(Search *x, const Site *at) {
  const Rule *r = at->rule;
  const Context c = at->context;
  Context below = {.bound = c.bound == BOUND_VECTOR ? BOUND_VECTOR : BOUND_NONE, .vector = c.vector,
                   .combination = c.combination && spectrum_is_scan(r->spectrum),
                   .devolved = expand_has_application(x, r->spectrum),
                   .few = c.few || (c.combination && r->level->can.lanes == LANES_SEPARATE), .strided = c.strided,
                   .computed = c.computed, .handed = c.handed, .private = c.private, .apart = c.apart};
  const PlanNodes *kids = expand(x, r->spectrum, r->below, below, expand_left(at));
  for (int i = 0; i < kids->n; i++) expand_add(x, at->to, plan_devolve(x->a, r, kids->at[i]));
}

/* A codelet that applies a spectrum as it is: whatever that can become here. */
static void expand_application(Search *x, const Site *at) {
  const Rule *r = at->rule;
  Context c = at->context;
  c.apart |= !natives_see_memory(r->codelet);
  if (r->level->can.launched && level_below(r->level)->can.copies) {
    c.computed |= plan_applies_to_view(r);
    c.handed |= handed_of(r->codelet).container != NULL;
  } else if (r->level->can.launched) c.scattered |= expand_scatters(r->codelet);
  const PlanNodes *kids = expand(x, rule_composed(r, 0), r->level, c, at->left - 1);
  for (int i = 0; i < kids->n; i++) expand_add(x, at->to, plan_devolve(x->a, r, kids->at[i]));
}

/* Where the combination of a map's results stands. */
static Context combination_context(const Search *x, const Rule *r) {
  const Level *l = r->level;
  Context c = {.combination = true, .apart = !l->can.launched}; /* else what is combined is in memory */
  if (l->can.lanes == LANES_TUNED) {
    bool over_vectors = r->map == STEP_DISTRIBUTE && r->below->can.lanes == LANES_FIXED;
    bool few = x->m->threads_block <= (int64_t)x->m->vector_width * x->m->vector_width;
    c.bound = over_vectors && few ? BOUND_VECTOR : BOUND_LANES;
  } else if (l->can.lanes == LANES_FIXED || (l->can.reaches && l->width_max <= x->m->vector_width)) {
    c.bound = BOUND_VECTOR;
    c.vector = l->width_max;
  }
  return c;
}

/* A map with its lanes' rows in shared memory. */
static void add_rows(Search *x, const PlanNode *n, PlanNodes *to) {
  for (Traversal how = TRAVERSE_ROWS; how <= TRAVERSE_RUN; how++) {
    PlanNode *rows = placement_in_rows(x->a, x->m, n, how);
    if (rows) expand_add(x, to, rows);
  }
}

/* The same with copies of the codelet's own container, so that lanes that contribute to one element meet less often. */
static void add_copies(Search *x, const PlanNode *n, PlanNodes *to) {
  static const int copies[] = {8, 32}, each[] = {COPIES_OF_WARPS};
  const bool vectors = plan_private_by_vector(n->rule);
  for (size_t i = 0; i < (vectors ? 1 : sizeof copies / sizeof *copies); i++) {
    PlanNode *more = arena_one(x->a, PlanNode);
    *more = *n;
    more->copies = vectors ? each[i] : copies[i];
    expand_add(x, to, more);
    add_rows(x, more, to);
  }
}

/* Where each part of a map stands. */
static Context part_context(const Search *x, const Site *at) {
  const Rule *r = at->rule;
  const Context c = at->context;
  const Level *l = r->level, *below = r->parts;
  const bool chain = r->slides && l->can.launched && l->can.few; /* its parts are of any size */
  const bool cuts = r->spectrum->cuts && tree_contains(r->codelet->body, OP_PARTS); /* several dimensions: parts are as
                                                                                       workers go */
  const bool parts = !cuts && (l->can.launched || (c.adaptive && r->map == STEP_DISTRIBUTE));
  const PlanLines lines = plan_lines(r->codelet);
  const bool given = r->explicit_count && l->can.launched, lanes = below->can.lanes == LANES_ONE;
  return (Context){.adaptive = parts && !r->explicit_count && !chain,
                   .private = c.private || r->privatises,
                   .segment = c.segment || (r->explicit_count && (below->can.factor || lanes)),
                   .spread = given && spread_is_possible(r, rule_composed(r, 0)),
                   .adds = given && spread_stores_results(r, rule_composed(r, 0)),
                   .interleaved = given && lanes && !x->m->one_vector && lines.strided && !lines.others,
                   .serialized = c.serialized || r->map == STEP_SERIALIZE,
                   .strided = c.strided || (x->m->one_vector && r->explicit_count && lines.strided),
                   .tile = c.tile || (r->slides && !chain), .row = c.row || (c.tile && r->slides), .few = c.few,
                   .tile_part = expand_multiplies(x, r->spectrum) && (l->can.launched || c.tile_part),
                   .computed = c.computed, .handed = c.handed, .apart = c.apart || !natives_stay_together(r, x->m)};
}

/* A map whose results nobody combines: nothing is returned, or they are stored as they are. */
static void expand_uncombined(Search *x, const Site *at, const PlanNodes *kids) {
  const Rule *r = at->rule;
  const Level *l = r->level;
  x->considered += placement_of_rows(x->a, x->m, r, kids, at->to);
  const bool cuts = r->spectrum->cuts || (r->codelet && r->codelet->by_cuts);
  if (r->level->can.launched && cuts) x->considered += placement_of_tiles(x->a, x->m, r, kids, at->to);
  bool blocks = r->slides && l->can.launched;
  for (int i = 0; i < kids->n; i++)
    for (int sync = 0; sync < (blocks ? l->nsync : 1); sync++) {
      if (blocks && (l->sync[sync].kind == SYNC_PLAIN || l->sync[sync].kind >= SYNC_TOGETHER)) continue;
      if (blocks && l->sync[sync].kind == SYNC_CHAIN) {
        if (i == 0) expand_chained_scan(x, at, kids, sync);
        continue;
      }
      if (l->can.launched && plan_multiplies(kids->at[i])) continue; /* of what is staged alone */
      PlanNode *n = plan_map(x->a, r, kids->at[i], NULL, COMBINE_NONE);
      n->sync = sync;
      expand_add(x, at->to, n);
      add_rows(x, n, at->to);
      PlanNode *flat = expand_flat(x->a, x->m, n);
      if (flat) expand_add(x, at->to, flat);
      if (blocks && at->context.scattered) expand_compacted(x, at, n, kids);
    }
}

/* What combines a map's results; of a grid a few for every one of so many maps: second kernels. */
static PlanNodes combinations_of(Search *x, const Site *at, int maps) {
  const Rule *r = at->rule;
  Context behind = r->privatises ? (Context){.private = true} : combination_context(x, r);
  const PlanNodes *all = expand(x, rule_composed(r, 1), r->level, behind, at->left - 1);
  return r->level->can.launched ? expand_best(x, all, x->seconds, "second kernels beyond the best few", maps) : *all;
}

/* What merges the further containers of a codelet's own: as the first one is. */
static bool add_merges(Search *x, const Site *at, PlanNode *n) {
  const Context behind = {.private = true};
  for (int i = 2; rule_composed(at->rule, i); i++) {
    const PlanNodes *of = expand(x, rule_composed(at->rule, i), at->rule->level, behind, at->left - 1);
    if (!of->n) return false;
    n->kid[n->nkids++] = expand_most_like(x->a, of, n->kid[1]);
  }
  return true;
}

/* One of a map's candidates, and what combines its results, by each way to synchronise. */
static void expand_combined(Search *x, const Site *at, PlanNode *kid, PlanNode *combination) {
  const Rule *r = at->rule;
  const Level *l = r->level;
  for (int sync = 0; sync < (l->nsync ? l->nsync : 1); sync++) {
    if (sync < l->nsync && l->sync[sync].kind == SYNC_CHAIN) continue; /* of slides */
    if (sync < l->nsync && l->sync[sync].kind >= SYNC_TOGETHER) continue; /* of steps */
    PlanNode *n = plan_map(x->a, r, kid, combination, COMBINE_SPECTRUM);
    n->sync = sync;
    n->copies = 1;
    if (r->privatises && !add_merges(x, at, n)) return;
    /* There are so many places for posts, and no more: blocks that each serve a few elements may be many. */
    if (plan_sync(n) == SYNC_POST && !plan_serves_any(kid)) continue;
    if (sync == 0 || plan_goes_on(n)) expand_add(x, at->to, n);
    if (!r->privatises) continue;
    add_rows(x, n, at->to);
    add_copies(x, n, at->to);
  }
}

static void expand_regroup(Search *x, const Site *at) {
  const Rule *r = at->rule;
  const Level *l = r->level;
  PlanNodes *to = at->to;
  const PlanNodes *mapped = expand(x, rule_composed(r, 0), r->parts, part_context(x, at), expand_left(at));
  PlanNodes kids = *mapped; /* the array may move when more subproblems are met; the nodes stay */
  if ((l->can.launched || l->can.shares) && expand_accumulates(x, r, l, kids.n))
    for (int i = 0; i < kids.n; i++) expand_add(x, to, plan_map(x->a, r, kids.at[i], NULL, COMBINE_ATOMIC));
  if (!r->codelet->results.spectrum) return;
  if (!rule_composed(r, 1)) {
    expand_uncombined(x, at, &kids);
    return;
  }
  const PlanNodes combinations = combinations_of(x, at, kids.n);
  const int first = to->n;
  for (int i = 0; i < kids.n; i++)
    for (int k = 0; k < combinations.n; k++) expand_combined(x, at, kids.at[i], combinations.at[k]);
  if (at->context.computed) x->considered += placement_by_halves(x->a, x->m, r, x->s->widest, first, to);
}

static void expand_map(Search *x, const Site *at) {
  const Rule *r = at->rule;
  if (rule_scans_twice(r) && r->level->can.launched) expand_scan_twice(x, at);
  else if (r->map == STEP_SPREAD) expand_spread(x, at);
  else if (r->map == STEP_SLICE) expand_slices(x, at);
  else if (r->map == STEP_EQUAL) expand_equal(x, at);
  else if (r->map == STEP_BOUNDED) expand_bounded(x, at);
  else expand_regroup(x, at);
}

void expand_rule(Search *x, const Site *at) {
  const Codelet *c = at->rule->codelet;
  if (!c) expand_devolve(x, at);
  else if (at->rule->in_steps) expand_steps(x, at);
  else if (plan_rule_applies(at->rule)) expand_application(x, at);
  else if (c->kind == CLASS_COMPOUND) expand_map(x, at);
  else expand_compute(x, at);
}
