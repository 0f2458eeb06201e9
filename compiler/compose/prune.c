/* prune.c: which rules and candidates come first, and which are dropped (MICRO IV-B).
 *
 * Rules are ordered as Fig. 8 compares them, parallelism first. Candidates are ordered by what their nodes are expected
 * to cost: the figure's criteria once more, with weights. Measurement, not this order, picks the winner; the order only
 * decides what is measured. Of complete plans keep.c says which are kept. */
#include <stdlib.h>
#include "compose/search.h"

/* ---- rules: Fig. 8 ---- */

static bool distributes(const Rule *r) {
  return r->map == STEP_DISTRIBUTE || r->map == STEP_SPLIT || r->map == STEP_SPREAD || r->map == STEP_SLICE ||
         r->map == STEP_EQUAL || r->map == STEP_BOUNDED;
}
static bool computes(const Rule *r) { return r->codelet && r->codelet->kind != CLASS_COMPOUND; }
static bool vectorizes(const Rule *r) { return r->codelet && r->codelet->kind == CLASS_COOPERATIVE; }

static bool matches(const Rule *r, const Level *l) {
  return l->prefer == TILING_ANY || r->tiling == l->prefer;
}

#define PREFER(condition1, condition2) \
  if ((condition1) != (condition2)) return (condition1) ? -1 : 1

int prune_compare(const Rule *r1, const Rule *r2, const Level *level, bool last_iteration) {
  if (!last_iteration) {
    PREFER(distributes(r1), distributes(r2));
    if (distributes(r1)) {
      PREFER(matches(r1, level), matches(r2, level));
    } else {
      PREFER(vectorizes(r1), vectorizes(r2));
    }
  } else { /* another distribution is undesirable */
    PREFER(computes(r1), computes(r2));
    if (computes(r1)) {
      PREFER(vectorizes(r1), vectorizes(r2));
    }
  }
  PREFER(r1->tunable, r2->tunable);
  return 0;
}

/* ---- candidates ---- */

enum { /* weights: how much worse a node makes a candidate */
  COST_NODE = 1,
  COST_MISMATCH = 6,   /* lanes that read far apart */
  COST_GRID_MISMATCH = 2,
  COST_IDLE = 5,       /* one worker acts for all */
  COST_ONE_WARP = 1,   /* a warp: enough for a small container */
  COST_ONE_LANE = 8,   /* and goes through many elements alone */
  COST_LAUNCH = 3,     /* a second kernel, and a third */
  COST_VECTORISED = -4,     /* loads in flight, 16 bytes each */
  COST_FINE = 4,       /* one element a lane: too little work between two synchronisations */
  COST_LOOP = 8,
  COST_SHARED = 2,     /* exchanges through shared memory */
  COST_CONTENTION = 2, /* lanes queue for one word */
  COST_COMPUTED = 1,   /* they are computed for each reading, */
  COST_GATHERED = 4    /* or gathered */
};

/* Do lanes that stand together read far apart? A vector's own map strides over its lanes: vectors take tiles. A CPU's
 * lanes that contribute by place iterate, each with rows of its own. */
static bool reads_strided(const PlanNode *n) {
  const Rule *r = n->rule;
  if (plan_privatises_rows(r) && r->level->can.copies) return r->tiling != TILING_ADJACENT;
  bool by_vectors = r->map == STEP_DISTRIBUTE && r->below->can.lanes == LANES_FIXED;
  return by_vectors ? r->tiling != TILING_ADJACENT : !matches(r, r->level);
}

/* What a part is read for twice that is not copied: of a view each time anew
 * (bench/notes/cpus.md has figures). */
static int cost_of_view(const PlanNode *n) {
  const PlanNode *to = n->kid[0];
  bool twice = to->rule->slides && to->nkids > 1 && to->traversal == TRAVERSE_PLAIN;
  if (!twice || !plan_applies_to_view(n->rule)) return 0;
  return tree_contains(n->rule->codelet->body, OP_GATHER) ? COST_GATHERED : COST_COMPUTED;
}

static int cost_here(const PlanNode *n) {
  const Rule *r = n->rule;
  const Codelet *c = r->codelet;
  if (!c) {
    if (r->level->can.lanes == LANES_SEPARATE) return 0; /* one block combines, or reads a small container */
    const PlanNode *kid = n->kid[0];
    if (r->below->can.factor) return 0;
    bool alone = kid->rule->codelet && kid->rule->codelet->kind == CLASS_AUTONOMOUS;
    bool vector = r->below->can.lanes == LANES_FIXED && (kid->rule->codelet || kid->rule->below->can.factor);
    return (vector ? COST_ONE_WARP : COST_IDLE) + (alone ? COST_ONE_LANE : 0);
  }
  if (plan_applies(n)) return cost_of_view(n);
  if (plan_in_steps(n)) return plan_is_persistent(n) ? -1 : 0; /* one launch, in place of one an iteration */
  if (c->kind == CLASS_COMPOUND) {
    if (r->map == STEP_SPREAD) return COST_LAUNCH;
    if (r->map == STEP_SLICE) return COST_VECTORISED;
    if (r->map == STEP_EQUAL) return 2 * COST_LAUNCH; /* where shares begin, and parts' pieces */
    if (r->map == STEP_BOUNDED) /* a launch for long parts; or one block goes through one alone */
      return COST_LAUNCH + (n->traversal == TRAVERSE_IN_BLOCK ? COST_ONE_LANE : 0);
    const TraversalLabels *by = &traversal_labels[n->traversal];
    if (!by->besides) return by->cost;
    if (r->slides) return r->level->can.exchanges ? COST_VECTORISED : 0; /* rows in registers; tiles */
    int cost = by->cost + (r->map == STEP_SERIALIZE ? COST_LOOP : r->privatises ? COST_VECTORISED : 0);
    if (n->axis.level->can.holds) cost += COST_VECTORISED;
    const bool staged = n->traversal >= TRAVERSE_STAGED; /* lanes copy together */
    if (!staged && reads_strided(n)) cost += r->level->can.launched ? COST_GRID_MISMATCH : COST_MISMATCH;
    if (r->map != STEP_SERIALIZE && n->kid[0]->rule->codelet && vectorizes(n->kid[0]->rule)) cost += COST_FINE;
    if (n->combine == COMBINE_SPECTRUM && r->level->can.launched && !plan_goes_on(n))
      cost += COST_LAUNCH * (n->nkids - 1);
    if (n->combine == COMBINE_PARTIAL) cost += COST_LAUNCH;
    if (n->combine == COMBINE_ATOMIC && !r->level->can.launched) cost += COST_CONTENTION;
    if (contributions_share(n)) cost += COST_CONTENTION;
    return cost;
  }
  if (c->kind == CLASS_AUTONOMOUS || n->shuffled) return 0;
  return c->plain.shared_arrays == 0 ? COST_CONTENTION : COST_SHARED;
}

int prune_cost(const PlanNode *n) {
  int cost = (plan_applies(n) ? 0 : COST_NODE) + cost_here(n);
  for (int i = 0; i < n->nkids; i++) cost += prune_cost(n->kid[i]);
  return cost;
}

typedef struct Ranked { int cost, place; PlanNode *node; } Ranked; /* place: in the order of Fig. 8 */

static int by_cost(const void *x, const void *y) {
  const Ranked *a = x, *b = y;
  if (a->cost != b->cost) return a->cost < b->cost ? -1 : 1;
  return a->place < b->place ? -1 : a->place > b->place;
}

/* Which construct stands out in a candidate: candidates of each kind are kept. */
typedef enum Kind {
  KIND_PLAIN, KIND_MAP_ATOMIC, KIND_SHARED_ATOMIC, KIND_OWN, KIND_OWN_BY_VECTORS, KIND_SHUFFLE, KIND_DEVOLVED, KINDS
} Kind;

static Kind kind_of(const PlanNode *n) {
  const Codelet *c = n->rule->codelet;
  Kind kind = n->combine == COMBINE_ATOMIC ? KIND_MAP_ATOMIC : KIND_PLAIN;
  if (c && c->kind == CLASS_COOPERATIVE)
    kind = n->shuffled && c->shuffled.shuffles ? KIND_SHUFFLE
         : c->plain.shared_atomics             ? KIND_SHARED_ATOMIC
                                               : KIND_PLAIN;
  if (plan_privatises_rows(n->rule)) kind = plan_private_by_vector(n->rule) ? KIND_OWN_BY_VECTORS : KIND_OWN;
  for (int i = 0; i < n->nkids; i++) {
    Kind k = kind_of(n->kid[i]);
    if (k > kind) kind = k;
  }
  return kind;
}

/* Work that is left to one worker is a kind of its own: the best for a small container, whatever it does. */
static Kind kind_of_candidate(const PlanNode *n) {
  return n->rule->codelet || n->rule->level->depth == 0 ? kind_of(n) : KIND_DEVOLVED;
}

/* Those that use a sub-warp behind the others, each sorted by cost; returns how many others there are. */
static int rank_candidates(Ranked *list, const PlanNodes *candidates) {
  int others = 0, at = 0;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < candidates->n; i++)
      if (plan_uses_factor(candidates->at[i]) == (pass == 1))
        list[at++] = (Ranked){prune_cost(candidates->at[i]), i, candidates->at[i]};
    if (pass == 0) others = at;
  }
  qsort(list, (size_t)others, sizeof *list, by_cost);
  qsort(list + others, (size_t)(at - others), sizeof *list, by_cost);
  return others;
}

/* The best `most' of a sorted list, of each kind in turn. */
static void take_by_kind(Arena *a, PlanNodes *to, const Ranked *list, int n, int most) {
  int next[KINDS] = {0};
  while (to->n < most)
    for (int kind = 0; kind < KINDS && to->n < most; kind++) {
      int *at = &next[kind];
      while (*at < n && kind_of_candidate(list[*at].node) != (Kind)kind) ++*at;
      if (*at < n) { vec_push(a, to, list[*at].node); ++*at; }
    }
}

/* Do several workers of the grid, or of a block, share a part? Or may they? */
static bool is_shared(const PlanNode *n) {
  const StepKind map = plan_work_of_step(n)->rule->map;
  return map == STEP_SPREAD || map == STEP_SLICE || map == STEP_EQUAL || map == STEP_BOUNDED;
}

/* May its lanes hold what they contribute to, and stage what they read, once the grid has tiles? Its cost does not say
 * how much less that is. */
static bool may_have_tiles(const PlanNode *n) {
  if (!n->rule->spectrum->cuts || !n->rule->level->can.shares) return false;
  const bool packs = n->rule->level->can.copies && n->rule->map == STEP_DISTRIBUTE &&
                     n->kid[0]->rule->map == STEP_SERIALIZE && n->rule->parts->can.lanes == LANES_ONE;
  if (n->rule->level->can.copies && !packs) return false;
  if (n->rule->map != STEP_SPLIT && !packs) return n->rule->map == STEP_DISTRIBUTE && plan_multiplies(n);
  const PlanNode *kid = n->kid[0];
  if (kid->rule->map == STEP_SERIALIZE && kid->rule->codelet && plan_cuts_one_dimension(kid->rule->codelet))
    kid = kid->kid[0];
  return kid->rule->codelet && kid->rule->codelet->kind == CLASS_AUTONOMOUS;
}

/* Candidates with sub-warps are kept besides: a machine that has sub-warps has all plans of one that has not. So are
 * parts that several workers share, which are for few parts, and of which there are few; lanes' tiles; and what a
 * matrix unit computes, so that a machine that has one has all plans of one that has not. */
int prune_candidates(Arena *a, PlanNodes *candidates, int most) {
  enum { OTHERS_A_SUBWARP = 12 };
  PlanNodes shared = {0};
  int n = 0;
  for (int i = 0; i < candidates->n; i++)
    if (is_shared(candidates->at[i]) || may_have_tiles(candidates->at[i]) || plan_multiplies_rows(candidates->at[i]))
      vec_push(a, &shared, candidates->at[i]);
    else candidates->at[n++] = candidates->at[i];
  candidates->n = n;
  Ranked *list = arena_many(a, Ranked, n);
  int others = rank_candidates(list, candidates), subwarps = n - others;
  if (most > 0 && subwarps > most / OTHERS_A_SUBWARP) subwarps = most / OTHERS_A_SUBWARP;
  candidates->n = 0;
  if (most > 0 && others > most) take_by_kind(a, candidates, list, others, most);
  else for (int i = 0; i < others; i++) vec_push(a, candidates, list[i].node);
  for (int i = 0; i < subwarps; i++) vec_push(a, candidates, list[others + i].node);
  const int dropped = n - candidates->n;
  for (int i = 0; i < shared.n; i++) vec_push(a, candidates, shared.at[i]);
  return dropped;
}

PlanNode *prune_cheapest(const PlanNodes *nodes) {
  PlanNode *found[2] = {NULL}; /* without a matrix unit; with one */
  for (int i = 0; i < nodes->n; i++) {
    PlanNode **best = &found[plan_multiplies_rows(nodes->at[i])];
    if (!*best || prune_cost(nodes->at[i]) < prune_cost(*best)) *best = nodes->at[i];
  }
  return found[0] ? found[0] : found[1];
}
