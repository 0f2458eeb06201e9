/* search.c: all plans for a spectrum on a machine (MICRO IV-A, Fig. 7).
 *
 * Fig. 7 expands every compose of every candidate, iteration by iteration, and takes all combinations. What a
 * compose(s, L) can become depends on where it stands (Context) and on the iterations that are left, on nothing else:
 * equal subproblems are expanded once and shared, and a candidate is a choice among their expansions. Each subproblem's
 * candidates are pruned before they are combined, as Fig. 7 prunes between iterations. */
#include <stdlib.h>
#include <string.h>

#include "compose/search.h"
#include "ir/monoid.h"
#include "ir/signature.h"
#include "ir/operator.h"
#include "passes/codelet_passes.h"

/* Candidates that one subproblem passes on, by default and with `--keep all'; second kernels a first one is
 * paired with; plans that are kept, and more of them where there are clusters. */
enum { BEAM = 48, BEAM_ALL = 160, SECOND_KERNELS = 4, SECOND_KERNELS_ALL = 12, KEEP = 48, KEEP_MORE_WITH_CLUSTERS = 4 };

typedef struct Subproblem {
  const Spectrum *spectrum;
  const Level *level;
  Context context;
  int left;
  PlanNodes found;
} Subproblem;

typedef struct Reason { const char *why; int count; } Reason;

typedef struct Search {
  Arena *a;
  const Spectrum *s;
  const Arch *m;
  Diagnostics *d;
  Rules rules;
  int beam, seconds, iterations;
  bool trace, all;
  VEC(Subproblem) known;
  VEC(Reason) reasons;
  CodeletFates fates;
  VEC(Buffer) traces; /* by iteration, from 0 */
  int considered;
} Search;

static const PlanNodes *expand(Search *x, const Spectrum *s, const Level *l, Context c, int left);

static void count_reason(Search *x, const char *why, int n) {
  for (int i = 0; i < x->reasons.n; i++)
    if (strcmp(x->reasons.at[i].why, why) == 0) { x->reasons.at[i].count += n; return; }
  Reason r = {why, n};
  vec_push(x->a, &x->reasons, r);
}

/* ---- expansion ---- */

static void add(Search *x, PlanNodes *to, PlanNode *n) {
  vec_push(x->a, to, n);
  x->considered++;
}

static void expand_compute(Search *x, const Rule *r, PlanNodes *to) {
  if (!r->level->can.factor) add(x, to, plan_node(x->a, r));
  if (r->codelet->kind == CLASS_COOPERATIVE && r->codelet->shuffled.body) {
    PlanNode *n = plan_node(x->a, r);
    n->shuffled = true;
    add(x, to, n);
  }
}

/* Iterations that are left below a rule: one for itself, and one for each optional level that it passes over, so that
 * the same is composed there whichever way it is reached. Work comes to a factor besides, and none has to pass it. */
static int left_below(const Rule *r, int left) {
  if (!r->below || r->parts == r->level) return left - 1;
  for (const Level *l = r->level->sub; l && l != r->below; l = l->sub) left -= !l->can.factor;
  return left - 1;
}

/* Has the spectrum a codelet that applies another one as it is? */
static bool has_application(const Search *x, const Spectrum *s) {
  for (int i = 0; i < x->rules.list.n; i++)
    if (x->rules.list.at[i]->spectrum == s && plan_rule_applies(x->rules.list.at[i])) return true;
  return false;
}

static void expand_devolve(Search *x, const Rule *r, Context c, int left, PlanNodes *to) {
  Context below = {.bound = c.bound == BOUND_VECTOR ? BOUND_VECTOR : BOUND_NONE, .vector = c.vector,
                   .combination = c.combination && spectrum_is_scan(r->spectrum),
                   .devolved = has_application(x, r->spectrum),
                   .few = c.few || (c.combination && r->level->can.lanes == LANES_APART), .apart = c.apart,
                   .computed = c.computed};
  const PlanNodes *kids = expand(x, r->spectrum, r->below, below, left_below(r, left));
  for (int i = 0; i < kids->n; i++) add(x, to, plan_devolve(x->a, r, kids->at[i]));
}

/* A codelet that applies a spectrum as it is: whatever that can become here. */
static void expand_application(Search *x, const Rule *r, Context c, int left, PlanNodes *to) {
  if (r->level->can.launched && level_below(r->level)->can.copies) c.computed |= plan_applies_to_view(r);
  const PlanNodes *kids = expand(x, rule_composed(r, 0), r->level, c, left - 1);
  for (int i = 0; i < kids->n; i++) add(x, to, plan_devolve(x->a, r, kids->at[i]));
}

/* Where the combination of a map's results stands. */
static Context combination_context(const Search *x, const Rule *r) {
  Context c = {.combination = true};
  const Level *l = r->level;
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

/* The same with copies of the codelet's own container, so that lanes that contribute to one element meet less often. */
static void add_copies(Search *x, const PlanNode *n, PlanNodes *to) {
  static const int copies[] = {8, 32};
  for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
    PlanNode *more = arena_one(x->a, PlanNode);
    *more = *n;
    more->copies = copies[i];
    add(x, to, more);
  }
}

static bool is_of_elements(void *context, const Tree *t) {
  bool *found = context;
  if (t->op == OP_PARTITION && t->kid[2]->op == OP_REF && t->kid[2]->symbol->init)
    *found |= t->kid[2]->symbol->init->nkids == 4;
  else if (t->op == OP_PARTITION) *found |= t->kid[2]->nkids == 4;
  return !*found;
}

/* Scans of parts are cut into tiles when the grid is launched: how long the parts are is to be known then. */
static bool may_be_shared(const Rule *given, const Spectrum *part) {
  if (!spectrum_is_scan(part)) return true;
  bool of_elements = false;
  tree_visit(given->codelet->body, is_of_elements, &of_elements);
  return !of_elements && tree_contains(given->codelet->body, OP_PARTITION) &&
         prune_tiling(given->codelet) == TILING_ADJACENT;
}

/* Are the results of a map of many parts stored as they are, in a container that the codelet has for nothing else? */
static bool stores_results(const Rule *given, const Spectrum *part) {
  const Tree *body = given->codelet->body, *store = NULL;
  for (int i = 0; i < body->nkids; i++)
    if (body->kid[i]->op == OP_MAP_TO) store = body->kid[i];
  const Tree *to = store ? store->kid[1] : NULL;
  if (!to || to->op != OP_REF || to->symbol->type != part->result) return false;
  for (int i = 0; i < body->nkids; i++)
    if (body->kid[i] != store && !plan_uses_elements(body->kid[i], to->symbol, NULL)) return false;
  return true;
}

/* Why a part is not copied before it is read, once for its total and once for its scan; NULL: it is. */
static const char *copy_refused(const Search *x, Context c) {
  const Figures *f = &x->m->measured;
  if (x->s->widest * f->copy_vectors * x->m->vector_width > f->copy_bytes)
    return arena_printf(x->a, "a copy of more than %d KB on a thread's stack", (int)(f->copy_bytes >> 10));
  return c.computed || x->all ? NULL : "a copy of what lies in memory, which the cache has the second time";
}

/* A slide over a process's threads, whose tiles are of any size: each tile's total first, by one of the best few, then
 * its scan. */
static void expand_chain(Search *x, const Rule *r, Context c, const PlanNodes *scans, int sync, int left, PlanNodes *to) {
  enum { TOTALS = 2 };
  const Spectrum *total = rules_total(r->codelet);
  if (!total) return;
  PlanNodes some = {0};
  const PlanNodes *totals = expand(x, total, r->parts, (Context){0}, left_below(r, left));
  for (int k = 0; k < totals->n; k++) vec_push(x->a, &some, totals->at[k]);
  int dropped = 0;
  prune_candidates(x->a, &some, TOTALS, &dropped);
  if (dropped) count_reason(x, "totals of a part beyond the best few", dropped);
  for (int i = 0; i < scans->n; i++)
    for (int k = 0; k < some.n; k++) {
      PlanNode *n = plan_map(x->a, r, scans->at[i], some.at[k], COMBINE_NONE);
      n->sync = sync;
      add(x, to, n);
    }
  const char *no_copy = copy_refused(x, c);
  if (no_copy) count_reason(x, no_copy, 1);
  if (no_copy || !some.n) return;
  PlanNode *n = plan_map(x->a, r, prune_cheapest(scans), prune_cheapest(&some), COMBINE_NONE);
  n->sync = sync;
  n->placement = PLACEMENT_COPYING;
  add(x, to, n);
}

/* Does a warp slide over its rows of a tile, of which each lane scans 16 bytes? */
static bool has_rows(const PlanNode *tile, bool slides) {
  slides |= tile->rule->slides;
  return tile->nkids > 0 ? has_rows(tile->kid[0], slides) : slides && tile->rule->level->can.lanes == LANES_ONE;
}

/* The `most' cheapest of them, in any order; returns how many others there were. */
static int take_cheapest(PlanNodes *nodes, int most) {
  const int all = nodes->n;
  while (nodes->n > most) {
    int worst = 0;
    for (int i = 1; i < nodes->n; i++)
      if (prune_cost(nodes->at[i]) > prune_cost(nodes->at[worst])) worst = i;
    nodes->at[worst] = nodes->at[--nodes->n];
  }
  return all > most ? all - most : 0;
}

/* The tiles of all parts that are scanned, over the grid's blocks, whichever way they learn what stands before them. */
static void expand_tiles(Search *x, const Rule *r, int left, PlanNodes *to) {
  enum { BEST = 2 };
  PlanNodes tiles = {0};
  const PlanNodes *kids = expand(x, rule_composed(r, 0), r->parts, (Context){.tile = true}, left_below(r, left));
  for (int i = 0; i < kids->n; i++)
    if (has_rows(kids->at[i], false)) vec_push(x->a, &tiles, kids->at[i]);
  int dropped = kids->n - tiles.n;
  dropped += take_cheapest(&tiles, BEST);
  if (dropped) count_reason(x, "tiles of parts beyond the best few", dropped);
  for (int i = 0; i < tiles.n; i++)
    for (int sync = 0; sync < r->below->nsync; sync++) {
      if (r->below->sync[sync].kind == SYNC_PLAIN) continue;
      PlanNode *n = plan_map(x->a, r, tiles.at[i], NULL, COMBINE_NONE);
      n->sync = sync;
      add(x, to, n);
    }
}

/* Why workers of one vector do not share a part so: there are few of them, and the whole vector goes through a worker's
 * piece side by side, of one part or of neighbouring ones. NULL: they do. */
static const char *spread_refused(const Search *x, const Rule *r, Context c) {
  const bool lanes = r->parts->can.lanes == LANES_ONE;
  if (!x->m->one_vector || lanes == c.apart) return NULL;
  return lanes ? "lanes that share their parts with other threads': what lies side by side is one part's"
               : "threads that share a part: what lies side by side is of neighbouring parts";
}

/* What combines the results of pieces of neighbouring parts, as slices; NULL: nothing does. */
static PlanNode *cheapest_sliced(Search *x, const Rule *r, Context c, int left) {
  PlanNodes sliced = {0};
  if (!c.beside) return NULL;
  const Context slices = {.segment = c.segment, .beside = true};
  const PlanNodes *all = expand(x, rule_composed(r, 1), r->parts, slices, left - 1);
  for (int i = 0; i < all->n; i++)
    if (all->at[i]->rule->map == STEP_SLICE) vec_push(x->a, &sliced, all->at[i]);
  return prune_cheapest(&sliced);
}

/* Does the map's codelet have its results added up atomically, and may they be? At that level, `kids' candidates. */
static bool accumulates(Search *x, const Rule *r, const Level *l, int kids) {
  MapChoice choice = pass_map_atomics(r->codelet, x->d);
  if (!choice.atomic || choice.op == ATOMIC_NONE) return false;
  const char *refused = refuse_atomics(r->spectrum, l);
  if (refused) count_reason(x, refused, kids);
  return !refused;
}

/* .. where a part's result is stored, by the grid's blocks? */
static bool spread_accumulates(Search *x, const Rule *r, Context c, int kids) {
  const char *no = r->below->can.few ? "atomics for the few threads of a process that share a part"
                   : !c.adds       ? "atomics for parts' results that are not stored as they are"
                                   : NULL;
  if (no) count_reason(x, no, kids);
  return !no && accumulates(x, r, &x->m->levels[0], kids);
}

/* The cheapest piece in slices, whose warps read side by side, and the cheapest of the others: their results are added
 * up atomically. */
static void add_accumulating(Search *x, const Rule *r, const PlanNodes *pieces, PlanNodes *to) {
  PlanNodes of[2] = {0};
  for (int i = 0; i < pieces->n; i++) {
    const Rule *piece = pieces->at[i]->rule;
    const bool sliced = piece->map == STEP_SLICE;
    if (!sliced || prune_tiling(piece->codelet) == TILING_STRIDED) vec_push(x->a, &of[sliced], pieces->at[i]);
  }
  for (int sliced = 0; sliced < 2; sliced++)
    if (of[sliced].n) add(x, to, plan_map(x->a, r, prune_cheapest(&of[sliced]), NULL, COMBINE_ATOMIC));
}

/* A part that several of the grid's workers share: what each does with its piece, and what combines the results. */
static void expand_spread(Search *x, const Rule *r, Context c, int left, PlanNodes *to) {
  enum { OF_BLOCKS = 4, OF_LANES = 2, OF_THREADS = 3, OF_THREADS_LANES = 1 }; /* of few workers the last two */
  PlanNodes pieces = {0};
  const char *no_spread = spread_refused(x, r, c);
  if (no_spread) {
    count_reason(x, no_spread, 1);
    return;
  }
  if (r->slides) {
    expand_tiles(x, r, left, to);
    return;
  }
  const Context piece = {.segment = c.segment, .apart = c.apart, .beside = c.beside};
  const PlanNodes *kids = expand(x, rule_composed(r, 0), r->parts, piece, left_below(r, left));
  for (int i = 0; i < kids->n; i++) vec_push(x->a, &pieces, kids->at[i]);
  int dropped = 0;
  const int most[2][2] = {{OF_LANES, OF_BLOCKS}, {OF_THREADS_LANES, OF_THREADS}};
  prune_candidates(x->a, &pieces, most[r->below->can.few][r->parts->can.shares], &dropped);
  if (dropped) count_reason(x, "pieces of a part beyond the best few", dropped);
  const Context few = {.few = true};
  PlanNode *by_blocks = prune_cheapest(expand(x, rule_composed(r, 1), rule_composes_at(r, 1), few, left - 1));
  PlanNode *by_slices = cheapest_sliced(x, r, c, left);
  for (int i = 0; i < pieces.n; i++) {
    PlanNode *combination = pieces.at[i]->rule->map == STEP_SLICE ? by_slices : by_blocks;
    if (combination) add(x, to, plan_map(x->a, r, pieces.at[i], combination, COMBINE_SPECTRUM));
  }
  if (spread_accumulates(x, r, c, pieces.n)) add_accumulating(x, r, &pieces, to);
}

/* The cheapest way for one lane to go through a container: a codelet; NULL: there is none. */
static PlanNode *cheapest_alone(Search *x, const Rule *r, int which, int left) {
  const PlanNodes *all = expand(x, rule_composed(r, which), r->level, (Context){.segment = true}, left - 1);
  PlanNodes codelets = {0};
  for (int i = 0; i < all->n; i++)
    if (!all->at[i]->nkids) vec_push(x->a, &codelets, all->at[i]);
  return prune_cheapest(&codelets);
}

/* Neighbouring parts that the lanes of each of a block's warps have, a slice of all of them a warp. */
static void expand_slices(Search *x, const Rule *r, int left, PlanNodes *to) {
  PlanNode *each = cheapest_alone(x, r, 0, left), *combination = cheapest_alone(x, r, 1, left);
  if (each && combination) add(x, to, plan_map(x->a, r, each, combination, COMBINE_SPECTRUM));
}

/* Those with rows, where there are some; else all. */
static PlanNodes with_rows(Search *x, const PlanNodes *scans) {
  PlanNodes made = {0};
  for (int i = 0; i < scans->n; i++)
    if (has_rows(scans->at[i]->kid[0], false)) vec_push(x->a, &made, scans->at[i]);
  return made.n ? made : *scans;
}

/* Parts of a container that are summed up, and scanned from what stands before each, tile by tile. */
static void expand_scan_twice(Search *x, const Rule *r, int left, PlanNodes *to) {
  enum { SUMS = 1, SUMS_ALL = 2, SCANS = 1 };
  const Context of_sums = {.combination = true, .few = true}, part = {0};
  PlanNodes sums = {0}, scans = {0};
  const PlanNodes *kids = expand(x, rule_composed(r, 0), r->parts, part, left_below(r, left));
  for (int i = 0; i < kids->n; i++)
    if (kids->at[i]->rule->codelet) vec_push(x->a, &sums, kids->at[i]);
  int dropped = kids->n - sums.n;
  dropped += take_cheapest(&sums, x->all ? SUMS_ALL : SUMS);
  if (dropped) count_reason(x, "sums of a grid's parts beyond the best few", dropped);
  PlanNodes between = {0}; /* there may be more workers than one vector has lanes */
  kids = expand(x, rule_composed(r, 1), r->level, of_sums, left - 1);
  for (int i = 0; i < kids->n; i++)
    if (!x->m->one_vector || plan_serves_any(kids->at[i])) vec_push(x->a, &between, kids->at[i]);
  kids = expand(x, rule_composed(r, 2), r->parts, part, left_below(r, left));
  for (int i = 0; i < kids->n; i++)
    if (kids->at[i]->rule->slides) vec_push(x->a, &scans, kids->at[i]);
  dropped = kids->n;
  if (!x->all) {
    scans = with_rows(x, &scans);
    take_cheapest(&scans, SCANS);
  }
  dropped -= scans.n;
  if (dropped) count_reason(x, "scans of a grid's parts beyond the best few", dropped);
  for (int i = 0; i < sums.n && between.n; i++)
    for (int k = 0; k < scans.n; k++) {
      PlanNode *n = plan_map(x->a, r, sums.at[i], prune_cheapest(&between), COMBINE_SPECTRUM);
      n->kid[n->nkids++] = scans.at[k];
      while (plan_goes_on(n)) n->sync++; /* grids that end */
      add(x, to, n);
    }
}

static void expand_map(Search *x, const Rule *r, Context c, int left, PlanNodes *to) {
  if (rule_scans_twice(r) && r->level->can.launched) {
    expand_scan_twice(x, r, left, to);
    return;
  }
  if (r->map == STEP_SPREAD) {
    expand_spread(x, r, c, left, to);
    return;
  }
  if (r->map == STEP_SLICE) {
    expand_slices(x, r, left, to);
    return;
  }
  const Level *l = r->level;
  const Level *below = r->parts;
  bool chain = r->slides && l->can.launched && l->can.few; /* one worker after the other: its parts are of any size */
  bool adaptive = l->can.launched || (c.adaptive && r->map == STEP_DISTRIBUTE);
  Context part = {.adaptive = adaptive && !r->given && !chain,
                  .private = c.private || r->owns,
                  .segment = c.segment || (r->given && (below->can.factor || below->can.lanes == LANES_ONE)),
                  .spread = r->given && l->can.launched && may_be_shared(r, rule_composed(r, 0)),
                  .adds = r->given && l->can.launched && stores_results(r, rule_composed(r, 0)),
                  .beside = r->given && l->can.launched && below->can.lanes == LANES_ONE && !x->m->one_vector &&
                            plan_lines_beside(r->codelet),
                  .serialized = c.serialized || r->map == STEP_SERIALIZE,
                  .apart = c.apart || (x->m->one_vector && r->given && plan_lines_apart(r->codelet)),
                  .tile = c.tile || (r->slides && !chain), .row = c.row || (c.tile && r->slides), .few = c.few,
                  .computed = c.computed};
  const PlanNodes *mapped = expand(x, rule_composed(r, 0), below, part, left_below(r, left));
  MapChoice choice = pass_map_atomics(r->codelet, x->d);
  bool place_for_atomics = l->can.launched || l->can.shares;
  PlanNodes kids = *mapped; /* the array may move when more subproblems are met; the nodes stay */
  if (place_for_atomics && accumulates(x, r, l, kids.n))
    for (int i = 0; i < kids.n; i++) add(x, to, plan_map(x->a, r, kids.at[i], NULL, COMBINE_ATOMIC));
  if (!choice.spectrum) return;
  const Spectrum *combines = rule_composed(r, 1);
  if (!combines) { /* nothing is returned, or the results are stored as they are */
    x->considered += ways_through_rows(x->a, x->m, r, &kids, to);
    bool blocks = r->slides && l->can.launched;
    for (int i = 0; i < kids.n; i++)
      for (int sync = 0; sync < (blocks ? l->nsync : 1); sync++) {
        if (blocks && l->sync[sync].kind == SYNC_PLAIN) continue;
        if (blocks && l->sync[sync].kind == SYNC_CHAIN) {
          if (i == 0) expand_chain(x, r, c, &kids, sync, left, to);
          continue;
        }
        PlanNode *n = plan_map(x->a, r, kids.at[i], NULL, COMBINE_NONE);
        n->sync = sync;
        add(x, to, n);
      }
    return;
  }
  Context behind = r->owns ? (Context){.private = true} : combination_context(x, r);
  PlanNodes combinations = *expand(x, combines, l, behind, left - 1);
  if (l->can.launched) { /* a second kernel of each kind for every first one */
    int dropped = 0;
    PlanNodes some = {0};
    for (int k = 0; k < combinations.n; k++) vec_push(x->a, &some, combinations.at[k]);
    prune_candidates(x->a, &some, x->seconds, &dropped);
    if (dropped) count_reason(x, "second kernels beyond the best few", dropped * kids.n);
    combinations = some;
  }
  const int first = to->n;
  for (int i = 0; i < kids.n; i++)
    for (int k = 0; k < combinations.n; k++)
      for (int sync = 0; sync < (l->nsync ? l->nsync : 1); sync++) { /* each way to synchronise is a variation */
        if (sync < l->nsync && l->sync[sync].kind == SYNC_CHAIN) continue; /* of slides */
        PlanNode *n = plan_map(x->a, r, kids.at[i], combinations.at[k], COMBINE_SPECTRUM);
        n->sync = sync;
        n->copies = 1;
        /* There are so many places for posts, and no more: blocks that each serve a few elements may be many. */
        if (plan_sync(n) == SYNC_POST && !plan_serves_any(kids.at[i])) continue;
        if (sync == 0 || plan_goes_on(n)) add(x, to, n);
        if (r->owns) add_copies(x, n, to);
      }
  if (c.computed) x->considered += ways_by_halves(x->a, x->m, r, x->s->widest, first, to);
}

typedef struct Applicable { VEC(const Rule *) list; } Applicable;

/* Insertion sort: stable, and a level has few rules. */
static void sort_rules(Applicable *rules, const Level *l, bool last) {
  for (int i = 1; i < rules->list.n; i++)
    for (int k = i; k > 0 && prune_compare(rules->list.at[k], rules->list.at[k - 1], l, last) < 0; k--) {
      const Rule *r = rules->list.at[k];
      rules->list.at[k] = rules->list.at[k - 1];
      rules->list.at[k - 1] = r;
    }
}

static Buffer *trace_of(Search *x, int left) {
  int iteration = x->iterations - left;
  while (x->traces.n <= iteration) vec_push(x->a, &x->traces, buffer_new(x->a));
  return &x->traces.at[iteration];
}

static const char *describe(const Search *x, const Spectrum *s, const Level *l, Context c) {
  const char *results = c.bound == BOUND_LANES    ? ", a map's results, one a lane"
                        : c.bound == BOUND_VECTOR ? ", a map's results, a vector at most"
                                                  : ", a map's results";
  const char *of = c.combination             ? results
                   : c.bound == BOUND_VECTOR ? ", a vector at most"
                   : l->depth == 0           ? ""
                   : c.adaptive              ? ", a part"
                                             : ", any container";
  const char *in = c.serialized ? ", serialized" : "";
  return arena_printf(x->a, "compose(%s, %s)%s%s", s->name, l->letter, of, in);
}

static bool same_context(const Context *a, const Context *b) {
  return a->bound == b->bound && a->adaptive == b->adaptive && a->combination == b->combination &&
         a->serialized == b->serialized && a->devolved == b->devolved && a->private == b->private &&
         a->segment == b->segment && a->spread == b->spread && a->adds == b->adds && a->beside == b->beside &&
         a->tile == b->tile && a->row == b->row && a->few == b->few && a->apart == b->apart && a->vector == b->vector &&
         a->computed == b->computed;
}

static const PlanNodes *expand(Search *x, const Spectrum *s, const Level *l, Context c, int left) {
  for (int i = 0; i < x->known.n; i++) {
    const Subproblem *k = &x->known.at[i];
    if (k->spectrum == s && k->level == l && k->left == left && same_context(&k->context, &c))
      return &x->known.at[i].found;
  }
  Applicable rules = {0};
  Buffer why = buffer_new(x->a);
  for (int i = 0; i < x->rules.list.n && left > 0; i++) {
    const Rule *r = x->rules.list.at[i];
    if (r->spectrum != s || r->level != l) continue;
    const char *reason = refuse_rule(r, l, c, left);
    fates_note(x->a, &x->fates, r->codelet, reason);
    if (!reason) { vec_push(x->a, &rules.list, r); continue; }
    count_reason(x, reason, 1);
    if (x->trace) buffer_printf(&why, "      not %s: %s\n", r->name, reason);
  }
  sort_rules(&rules, l, left == 1);
  if (x->trace) {
    Buffer *t = trace_of(x, left);
    buffer_printf(t, "  %s:", describe(x, s, l, c));
    for (int i = 0; i < rules.list.n; i++) buffer_printf(t, " %s", rules.list.at[i]->name);
    buffer_printf(t, "%s\n%s", rules.list.n ? "" : " no rule applies", why.text);
  }
  PlanNodes found = {0};
  for (int i = 0; i < rules.list.n; i++) {
    const Rule *r = rules.list.at[i];
    if (!r->codelet) expand_devolve(x, r, c, left, &found);
    else if (plan_rule_applies(r)) expand_application(x, r, c, left, &found);
    else if (r->codelet->kind == CLASS_COMPOUND) expand_map(x, r, c, left, &found);
    else expand_compute(x, r, &found);
  }
  int dropped = 0;
  prune_candidates(x->a, &found, l->depth == 0 && !c.combination ? 0 : x->beam, &dropped);
  if (dropped) {
    const char *why = arena_printf(x->a, "beyond the best %d of compose(%s, %s)", x->beam, s->name, l->letter);
    count_reason(x, why, dropped);
    if (x->trace) buffer_printf(trace_of(x, left), "      kept the best %d of %d\n", found.n, found.n + dropped);
  }
  Subproblem made = {s, l, c, left, found};
  vec_push(x->a, &x->known, made);
  return &x->known.at[x->known.n - 1].found;
}

/* ---- the whole ---- */

static int by_category(const void *x, const void *y) {
  const Plan *a = *(Plan *const *)x, *b = *(Plan *const *)y;
  if (a->category != b->category) return a->category < b->category ? -1 : 1;
  return strcmp(a->text, b->text);
}

static void write_report(Search *x, const Plans *plans, SearchReport *report) {
  report->considered = x->considered;
  report->kept = plans->list.n;
  report->pruned = buffer_new(x->a);
  buffer_printf(&report->pruned, "%d candidates considered, %d plans complete, %d kept\n", report->considered,
                report->complete, report->kept);
  for (int i = 0; i < x->reasons.n; i++)
    buffer_printf(&report->pruned, "%8d  %s\n", x->reasons.at[i].count, x->reasons.at[i].why);
  report->trace = buffer_new(x->a);
  for (int i = 0; i < x->traces.n; i++)
    buffer_printf(&report->trace, "iteration %d\n%s", i + 1, x->traces.at[i].text);
}

/* So many that the plans of a machine without its optional levels are among them, and those without atomics for parts
 * that are shared. With sub-warps there is one more for one block, and one for a cluster; of many parts that sub-warps
 * have, a few for each kind of sub-warp. There is one more for scans in three kernels. */
static int default_keep(const Arch *m, const Plans *plans) {
  int clusters = 0, subwarps = 0, of_parts = 0;
  for (int i = 0; i < m->nlevels; i++) {
    clusters |= m->levels[i].can.reaches;
    if (!m->levels[i].can.factor) continue;
    subwarps = 1;
    of_parts += PRUNE_PARTS_OF_A_SUBWARP;
  }
  bool have_parts = false, have_three = false;
  int accumulating = 0;
  for (int i = 0; i < plans->list.n; i++) {
    const Level *worker = plan_worker_of_parts(plans->list.at[i]->root);
    have_parts |= worker && worker->can.factor;
    have_three |= plan_scans_twice(plans->list.at[i]->root);
    accumulating += plan_accumulates_pieces(plans->list.at[i]->root);
  }
  return KEEP + accumulating + clusters * KEEP_MORE_WITH_CLUSTERS + subwarps * (1 + clusters) +
         (have_parts ? of_parts : 0) + (have_three ? PRUNE_OF_THREE_KERNELS : 0);
}

/* Enough for every level on the way down, and to regroup at two of them. */
static int default_iterations(const Arch *m) {
  int levels = 0;
  for (int i = 0; i < m->nlevels; i++) levels += !m->levels[i].can.factor;
  return levels + 2;
}

static bool no_plan(Search *x, SearchReport *report) {
  const char *hint =
      x->iterations < x->m->nlevels
          ? arena_printf(x->a, "%d iteration%s not reach the lowest of %d levels", x->iterations,
                         x->iterations == 1 ? " does" : "s do", x->m->nlevels)
          : "some codelet must compute at every level that work is left to; `--trace' says what was tried";
  diagnostics_add(x->d, DIAG_ERROR, x->s->where, hint, "no plan for `%s' on %s completes", x->s->name, x->m->name);
  write_report(x, &(Plans){0}, report);
  return false;
}

/* Leaves out plans that do not keep what is asked for. */
static bool keep_promise(Search *x, Plans *plans, Determinism least) {
  int all = plans->list.n;
  Determinism most = DETERMINISM_NOT_GUARANTEED;
  plans->list.n = 0;
  for (int i = 0; i < all; i++) {
    Plan *p = plans->list.at[i];
    if (p->determinism > most) most = p->determinism;
    if (p->determinism >= least) plans->list.at[plans->list.n++] = p;
  }
  if (plans->list.n < all) count_reason(x, "less deterministic than `--determinism' asks for", all - plans->list.n);
  if (plans->list.n) return true;
  diagnostics_add(x->d, DIAG_ERROR, x->s->where,
                  arena_printf(x->a, "the most that one keeps is %s; `tgc explain' tells why", determinism_name(most)),
                  "no plan for `%s' on %s is %s", x->s->name, x->m->name, determinism_name(least));
  return false;
}

/* Does the spectrum combine nothing that somebody would have to know? One lane does all of it, or its codelets say by
 * which atomic. */
static bool says_all(const Search *x, const Spectrum *s) {
  bool all = true;
  for (int i = 0; i < s->ncodelets; i++) {
    const Codelet *c = s->codelets[i];
    MapChoice choice = c->kind == CLASS_COMPOUND ? pass_map_atomics(c, x->d) : (MapChoice){0};
    all &= c->kind == CLASS_AUTONOMOUS || (choice.atomic && !choice.spectrum);
  }
  return all;
}

/* The spectrum of which it is not known what it computes, though it is a reduction of one container and the one asked
 * for, or parts' results are combined by it. NULL: there is none. */
static const Spectrum *combines_unknown(const Search *x, const Spectrum *s) {
  bool reduces = s->result != TYPE_VOID && s->codelets[0]->nparams == 1 && !has_application(x, s);
  if (reduces && s->op == OPERATOR_NONE && !says_all(x, s)) return s;
  for (int i = 0; i < x->rules.list.n; i++) {
    const Rule *r = x->rules.list.at[i];
    bool combines = rule_composed(r, 0) == r->spectrum && (r->slides || rule_composed(r, 1) == r->spectrum);
    if (combines && r->spectrum->op == OPERATOR_NONE) return r->spectrum;
  }
  return NULL;
}

bool plan_search(Arena *a, const Spectrum *s, const Arch *m, const SearchOptions *o, Plans *out, SearchReport *report,
                 Diagnostics *d) {
  bool all = o->keep < 0;
  Search x = {.a = a, .s = s, .m = m, .d = d, .trace = o->trace, .all = all, .beam = all ? BEAM_ALL : BEAM,
              .seconds = all ? SECOND_KERNELS_ALL : SECOND_KERNELS};
  if (o->keep > KEEP) { x.beam = BEAM_ALL; x.seconds = SECOND_KERNELS_ALL; }
  x.iterations = o->iterations > 0 ? o->iterations : default_iterations(m);
  *out = (Plans){0};
  Rules program = rules_extract(a, s);
  x.rules = rules_specialise(a, &program, m);
  const Spectrum *unknown = o->space ? NULL : combines_unknown(&x, s);
  if (unknown) {
    diagnostics_add(d, DIAG_ERROR, unknown->where, "`--remarks' says what stands in the way",
                    "it is not known what `%s' computes, so that partial results cannot be combined", unknown->name);
    return false;
  }
  if (o->space && s->atom > REFUSE_WIDEST_ATOMIC) {
    diagnostics_add(d, DIAG_ERROR, s->where, "leave out `--space'", "the space `%s' is of atomics, and %s", o->space,
                    refuse_too_wide);
    return false;
  }
  if (o->space) {
    if (!space_plans(a, s, m, &x.rules, out, d)) return false;
    x.considered = out->list.n;
  } else {
    PlanNodes roots = *expand(&x, s, &m->levels[0], (Context){0}, x.iterations);
    for (int i = 0; i < roots.n; i++) {
      Plan *p = plan_finish(a, roots.at[i], s, m);
      if (p) vec_push(a, &out->list, p);
      else count_reason(&x, "no number of a block's lanes is right for all of its codelets", 1);
    }
  }
  report->complete = out->list.n;
  if (out->list.n == 0) return no_plan(&x, report);
  if (!keep_promise(&x, out, o->determinism)) return false;
  int keep = o->keep ? o->keep : o->space ? -1 : default_keep(m, out);
  const int promised = out->list.n;
  if (keep < 0 && o->limit && promised > o->limit) {
    keep = o->limit;
    diagnostics_add(d, DIAG_WARNING, (SourceRange){0}, arena_printf(a, "`--keep all --limit %d' keeps them all", promised),
                    "`%s' has %d plans on %s: `--keep all' keeps the best %d", s->name, promised, m->name, keep);
  }
  prune_plans(a, out, keep);
  plan_number(a, out);
  qsort(out->list.at, (size_t)out->list.n, sizeof *out->list.at, by_category);
  if (report->complete > out->list.n) count_reason(&x, "beyond what `--keep' asks for", report->complete - out->list.n);
  write_report(&x, out, report);
  if (!o->space) fates_report(a, m, &program, &x.fates, out, d);
  return true;
}
