/* expand_spread.c: parts of many that several workers share: those of a grid (spread), or a block's warps (slices). */
#include "compose/expand.h"
#include "ir/operator.h"
#include "ir/signature.h"

static bool is_of_elements(void *context, const Tree *t) {
  bool *found = context;
  if (t->op == OP_PARTITION && t->kid[2]->op == OP_REF && t->kid[2]->symbol->init)
    *found |= t->kid[2]->symbol->init->nkids == 4;
  else if (t->op == OP_PARTITION) *found |= t->kid[2]->nkids == 4;
  return !*found;
}

/* Scans of parts are cut into tiles when the grid is launched: how long the parts are is to be known then. */
bool spread_is_possible(const Rule *given, const Spectrum *part) {
  if (!spectrum_is_scan(part)) return true;
  bool of_elements = false;
  tree_visit(given->codelet->body, is_of_elements, &of_elements);
  return !of_elements && tree_contains(given->codelet->body, OP_PARTITION) &&
         given->tiling == TILING_ADJACENT;
}

/* Are the results of a map of many parts stored as they are, in a container that the codelet has for nothing else? */
bool spread_stores_results(const Rule *given, const Spectrum *part) {
  const Tree *body = given->codelet->body, *store = NULL;
  for (int i = 0; i < body->nkids; i++)
    if (body->kid[i]->op == OP_MAP_TO) store = body->kid[i];
  const Tree *to = store ? store->kid[1] : NULL;
  if (!to || to->op != OP_REF || to->symbol->type != part->result) return false;
  for (int i = 0; i < body->nkids; i++)
    if (body->kid[i] != store && !plan_uses_elements(body->kid[i], to->symbol, NULL)) return false;
  return true;
}

/* Why workers of one vector do not share a part so: there are few of them, and the whole vector goes through a worker's
 * piece side by side, of one part or of neighbouring ones. NULL: they do. */
static const char *spread_refused(const Search *x, const Rule *r, Context c) {
  const bool lanes = r->parts->can.lanes == LANES_ONE;
  if (!x->m->one_vector || lanes == c.strided) return NULL;
  return lanes ? "lanes that share parts with other threads, where a part's elements are contiguous"
               : "threads that share a part, where contiguous elements belong to adjacent parts";
}

/* What combines the results of pieces of neighbouring parts, as slices; NULL: nothing does. */
static PlanNode *cheapest_sliced(Search *x, const Site *at) {
  PlanNodes sliced = {0};
  if (!at->context.interleaved) return NULL;
  const Context slices = {.segment = at->context.segment, .interleaved = true};
  const PlanNodes *all = expand(x, rule_composed(at->rule, 1), at->rule->parts, slices, at->left - 1);
  for (int i = 0; i < all->n; i++)
    if (all->at[i]->rule->map == STEP_SLICE) vec_push(x->a, &sliced, all->at[i]);
  return prune_cheapest(&sliced);
}

/* .. where a part's result is stored, by the grid's blocks? */
static bool spread_accumulates(Search *x, const Rule *r, Context c, int kids) {
  const char *no = r->below->can.few ? "atomics for the few threads of a process that share a part"
                   : !c.adds       ? "atomics for parts' results that are not stored as they are"
                                   : NULL;
  if (no) trace_reason(x, no, kids);
  return !no && expand_accumulates(x, r, &x->m->levels[0], kids);
}

/* The cheapest piece in slices, whose warps read side by side, and the cheapest of the others: their results are added
 * up atomically. */
static void add_accumulating(Search *x, const Rule *r, const PlanNodes *pieces, PlanNodes *to) {
  PlanNodes of[2] = {0};
  for (int i = 0; i < pieces->n; i++) {
    const Rule *piece = pieces->at[i]->rule;
    const bool sliced = piece->map == STEP_SLICE;
    if (!sliced || piece->tiling == TILING_STRIDED) vec_push(x->a, &of[sliced], pieces->at[i]);
  }
  for (int sliced = 0; sliced < 2; sliced++)
    if (of[sliced].n) expand_add(x, to, plan_map(x->a, r, prune_cheapest(&of[sliced]), NULL, COMBINE_ATOMIC));
}

/* A part that several of the grid's workers share: what each does with its piece, and what combines the results. */
void expand_spread(Search *x, const Site *at) {
  enum { OF_BLOCKS = 4, OF_LANES = 2, OF_THREADS = 3, OF_THREADS_LANES = 1 }; /* of few workers the last two */
  const Rule *r = at->rule;
  const Context c = at->context;
  const char *no_spread = spread_refused(x, r, c);
  if (no_spread) {
    trace_reason(x, no_spread, 1);
    return;
  }
  if (r->slides) {
    expand_tiles(x, at);
    return;
  }
  const Context piece = {.segment = c.segment, .strided = c.strided, .interleaved = c.interleaved};
  const PlanNodes *kids = expand(x, rule_composed(r, 0), r->parts, piece, expand_left(at));
  const int most[2][2] = {{OF_LANES, OF_BLOCKS}, {OF_THREADS_LANES, OF_THREADS}};
  const PlanNodes pieces = expand_best(x, kids, most[r->below->can.few][r->parts->can.shares],
                                       "pieces of a part beyond the best few", 1);
  const Context few = {.few = true};
  PlanNode *by_blocks = prune_cheapest(expand(x, rule_composed(r, 1), rule_composes_at(r, 1), few, at->left - 1));
  PlanNode *by_slices = cheapest_sliced(x, at);
  for (int i = 0; i < pieces.n; i++) {
    PlanNode *combination = pieces.at[i]->rule->map == STEP_SLICE ? by_slices : by_blocks;
    if (combination) expand_add(x, at->to, plan_map(x->a, r, pieces.at[i], combination, COMBINE_SPECTRUM));
  }
  if (spread_accumulates(x, r, c, pieces.n)) add_accumulating(x, r, &pieces, at->to);
}

/* The cheapest way for one lane to go through a container: a codelet; NULL: there is none. */
static PlanNode *cheapest_alone(Search *x, const Site *at, int which) {
  const Rule *r = at->rule;
  const Context part = {.segment = true, .apart = true};
  const PlanNodes *all = expand(x, rule_composed(r, which), r->level, part, at->left - 1);
  PlanNodes codelets = {0};
  for (int i = 0; i < all->n; i++)
    if (!all->at[i]->nkids) vec_push(x->a, &codelets, all->at[i]);
  return prune_cheapest(&codelets);
}

/* Neighbouring parts that the lanes of each of a block's warps have, a slice of all of them a warp. */
void expand_slices(Search *x, const Site *at) {
  PlanNode *each = cheapest_alone(x, at, 0), *combination = cheapest_alone(x, at, 1);
  if (each && combination) expand_add(x, at->to, plan_map(x->a, at->rule, each, combination, COMBINE_SPECTRUM));
}
