/* expand_equal.c: parts of very different lengths, whose elements are cut in equal shares (merge): each of a grid's
 * blocks has as many elements and ends of parts as the others, wherever parts begin and end.
 *
 *     elements   | a a a | b | c c c c c c c c c c c c | d | e e |
 *     blocks     |    0    |    1    |    2    |    3    |
 *
 * A block copies the elements of its share to shared memory; there a worker each reduces what the share has of a part.
 * What is all of a part is its result. Of a part that goes on in other shares each block has a piece, and pieces are
 * combined in their order, by a kernel more.
 *
 * Requires parts that follow one another, as offsets have them, and a reduction of an element each of them. */
#include "compose/expand.h"
#include "ir/monoid.h"

static bool same_sequence(const Tree *x, const Tree *y) { return tree_equal(tree_sequence(x), tree_sequence(y)); }

/* offsets[i] to offsets[i + 1], every element: each part begins where the one before ends. */
static bool follow_one_another(const Tree *partition) {
  const Tree *start = tree_sequence(partition->kid[2]), *inc = tree_sequence(partition->kid[3]);
  const Tree *end = tree_sequence(partition->kid[4]);
  int64_t first, second, one, by;
  if (start->nkids != 4 || end->nkids != 4 || inc->nkids != 1 || !tree_equal(start->kid[0], end->kid[0])) return false;
  if (!tree_constant(inc->kid[0], &one) || one != 1 || !tree_equal(start->kid[2], end->kid[2])) return false;
  return tree_constant(start->kid[2], &by) && by == 1 && tree_constant(start->kid[1], &first) &&
         tree_constant(end->kid[1], &second) && second == first + 1;
}

typedef struct FindMaps { const Tree *map; int maps; } FindMaps;

static bool find_maps(void *context, const Tree *t) {
  FindMaps *f = context;
  if (t->op == OP_MAP) {
    f->map = t;
    f->maps++;
  }
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_maps, f);
  return t->op != OP_MAP;
}

/* The codelet's one map, whose containers are cut alike, or the same for all parts. NULL: it is another one. */
static const Tree *map_of_runs(const Codelet *c) {
  FindMaps f = {NULL, 0};
  tree_visit(c->body, find_maps, &f);
  const Tree *first = NULL;
  if (f.maps != 1) return NULL;
  for (int i = 0; i < f.map->nkids; i++) {
    const Tree *t = f.map->kid[i];
    if (t->op == OP_ROWS || t->op == OP_COLUMNS || t->op == OP_ELEMENTS || t->op == OP_PARTS) return NULL;
    if (t->op != OP_PARTITION) continue;
    if (!first && !follow_one_another(t)) return NULL;
    for (int k = 1; first && k < 5; k++)
      if (!same_sequence(first->kid[k], t->kid[k])) return NULL;
    if (!first) first = t;
  }
  return first ? f.map : NULL;
}

/* Is element i of that view a function of elements i of parts alone, wherever the part lies? `part': by parameter. */
static bool is_by_element(const Codelet *c, const Tree *t, const bool *part) {
  switch (t->op) {
    case OP_REF:
      for (int i = 0; i < c->nparams && i < MOST_OPERANDS; i++)
        if (c->params[i] == t->symbol) return part[i];
      return false;
    case OP_GATHER: /* of what is the same for all parts */
      return t->kid[0]->op == OP_REF && !is_by_element(c, t->kid[0], part) && is_by_element(c, t->kid[1], part);
    case OP_TRANSFORM: case OP_ZIP:
      for (int i = 0; i < t->nkids; i++)
        if (!is_by_element(c, t->kid[i], part)) return false;
      return t->nkids > 0;
    default: return false;
  }
}

/* A reduction of one container, of which it asks nothing but elements. */
static bool reduces_one(const Spectrum *s) {
  const Codelet *any = s->codelets[0];
  return s->op != OPERATOR_NONE && any->nparams == 1 && any->params[0]->rank == 1 && s->result != TYPE_VOID &&
         !(s->monoid && s->monoid->lifts_place);
}

/* What the codelet applies as it is to a view by element; NULL: it does anything else. */
static const Spectrum *applied_by_element(const Codelet *c, const bool *part) {
  if (c->kind != CLASS_COMPOUND || c->body->nkids != 1 || c->body->kid[0]->op != OP_RETURN) return NULL;
  const Tree *call = c->body->kid[0]->nkids ? c->body->kid[0]->kid[0] : NULL;
  if (!call || call->op != OP_CALL || call->nkids != 1 || !is_by_element(c, call->kid[0], part)) return NULL;
  return reduces_one(call->spectrum) ? call->spectrum : NULL;
}

const Spectrum *equal_reduction(const Rule *given) {
  const Codelet *c = given->codelet;
  const Tree *map = c && given->explicit_count && !given->slides ? map_of_runs(c) : NULL;
  bool part[MOST_OPERANDS] = {false};
  if (!map || !rule_composed(given, 0)) return NULL;
  const Spectrum *s = map->spectrum;
  if (reduces_one(s)) return s;
  for (int i = 0; i < map->nkids && i < MOST_OPERANDS; i++) part[i] = map->kid[i]->op == OP_PARTITION;
  for (int i = 0; i < s->ncodelets; i++) {
    const Spectrum *found = applied_by_element(s->codelets[i], part);
    if (found) return found;
  }
  return NULL;
}

/* What combines pieces, of which each worker has another number: lanes exchange registers, since a block's workers do
 * not meet there, or one lane does it. A process' threads wait for nobody. */
static PlanNode *combination(Search *x, const Site *at, bool few) {
  const Context pieces = {.few = true};
  const PlanNodes *all = expand(x, rule_composed(at->rule, 1), rule_composes_at(at->rule, 1), pieces, at->left - 1);
  PlanNodes fit = {0};
  for (int i = 0; i < all->n; i++) {
    PlanNode *n = all->at[i];
    const bool one = !n->rule->codelet && !n->kid[0]->nkids, lanes = n->nkids > 1 && n->kid[1]->shuffled;
    if (few || one || lanes) vec_push(x->a, &fit, n);
  }
  return prune_cheapest(&fit);
}

void expand_equal(Search *x, const Site *at) {
  const Rule *r = at->rule;
  const Spectrum *reduction = rule_composed(r, 1);
  const bool factor = r->parts->can.factor, lanes = r->parts->can.lanes == LANES_ONE, few = r->level->can.few;
  const Context piece = {.segment = factor || lanes, .few = !few};
  const PlanNodes *kids = expand(x, rule_composed(r, 0), r->parts, piece, expand_left(at));
  PlanNodes reducing[2] = {0}; /* by all lanes, by one: a process has no workers below threads for short parts */
  for (int i = 0; i < kids->n; i++) {
    const PlanNode *work = plan_work(kids->at[i]);
    const bool one = few && !work->rule->codelet;
    if (work->rule->spectrum != reduction || (one && work->kid[0]->nkids)) continue;
    vec_push(x->a, &reducing[one], kids->at[i]);
  }
  PlanNode *by = combination(x, at, few);
  for (int i = 0; i < 2; i++) {
    PlanNode *each = prune_cheapest(&reducing[i]);
    if (reducing[i].n > 1) trace_reason(x, "pieces of equal shares beyond the best", reducing[i].n - 1);
    if (each && by) expand_add(x, at->to, plan_map(x->a, r, each, by, COMBINE_SPECTRUM));
  }
}

/* The cheapest that reduces a part of any length, in an order that depends neither on who comes first nor on where it
 * begins in memory: without atomics or 16-byte loads, of which a short part has few. */
static PlanNode *reducing_any(Search *x, const PlanNodes *all, const Spectrum *reduction) {
  PlanNodes fit = {0};
  for (int i = 0; i < all->n; i++) {
    const PlanNode *work = plan_work(all->at[i]);
    const bool shared = work->rule->map == STEP_SPREAD || work->rule->map == STEP_SLICE;
    const bool in_order = work->combine != COMBINE_ATOMIC && !plan_is_vectorised(all->at[i]);
    if (!shared && in_order && work->rule->spectrum == reduction && plan_serves_any(all->at[i]))
      vec_push(x->a, &fit, all->at[i]);
  }
  return prune_cheapest(&fit);
}

/* .. whose longer ones are all lanes' of the block that met them: there is one kernel, and no queue in memory. */
static void add_in_block(Search *x, const Site *at, PlanNode *each, const Spectrum *reduction) {
  const Context alone = {.segment = false};
  const PlanNodes *all = expand(x, rule_composed(at->rule, 0), at->rule->below, alone, expand_left(at));
  PlanNode *of_long = reducing_any(x, all, reduction);
  if (!of_long) return;
  PlanNode *n = plan_map(x->a, at->rule, each, of_long, COMBINE_SPECTRUM);
  n->traversal = TRAVERSE_IN_BLOCK;
  expand_add(x, at->to, n);
}

void expand_bounded(Search *x, const Site *at) {
  const Rule *r = at->rule;
  const Spectrum *reduction = rule_composed(r, 1);
  const bool factor = r->parts->can.factor, lanes = r->parts->can.lanes == LANES_ONE;
  const Context part = {.segment = factor || lanes}, piece = {.segment = false};
  const PlanNodes *kids = expand(x, rule_composed(r, 0), r->parts, part, expand_left(at));
  PlanNode *each = reducing_any(x, kids, reduction);
  PlanNode *by = combination(x, at, false);
  const PlanNodes *pieces = expand(x, rule_composed(r, 2), rule_composes_at(r, 2), piece, expand_left(at));
  PlanNode *of_long = reducing_any(x, pieces, reduction);
  if (!each || !by || !of_long) return;
  PlanNode *n = plan_map(x->a, r, each, by, COMBINE_SPECTRUM);
  n->kid[n->nkids++] = of_long;
  expand_add(x, at->to, n);
  add_in_block(x, at, each, reduction);
}
