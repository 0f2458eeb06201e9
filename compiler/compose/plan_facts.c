/* plan_facts.c: a plan's nodes, and what others ask of them. */
#include "compose/search.h"

const char plan_longest_name[] = "longest", plan_unit_name[] = "unit_k", plan_row_name[] = "row_k";
const char plan_jam_name[] = "jam", plan_own_name[] = "own_k";

/* ---- nodes ---- */

PlanNode *plan_node(Arena *a, const Rule *r) {
  PlanNode *n = arena_one(a, PlanNode);
  n->rule = r;
  return n;
}

/* `steps': what becomes of each of the rule's spectra. */
PlanNode *plan_steps(Arena *a, const Rule *r, PlanNode *const *steps, int n) {
  PlanNode *made = plan_node(a, r);
  for (int i = 0; i < n; i++) made->kid[made->nkids++] = steps[i];
  return made;
}

/* Devolve, and a codelet that applies a spectrum as it is. */
PlanNode *plan_devolve(Arena *a, const Rule *r, PlanNode *kid) {
  PlanNode *n = plan_node(a, r);
  n->kid[0] = kid;
  n->nkids = 1;
  return n;
}

/* Index into every plan's sizes of the width of a map over workers of a level; 0 is the lanes of a block. */
static int size_of(const Level *l) { return 1 + l->depth; }

PlanNode *plan_map(Arena *a, const Rule *r, PlanNode *mapped, PlanNode *combination, Combine how) {
  PlanNode *n = plan_node(a, r);
  const Level *l = r->level;
  n->kid[n->nkids++] = mapped;
  if (combination) n->kid[n->nkids++] = combination;
  n->combine = how;
  n->axis.level = r->map == STEP_SERIALIZE ? l : r->below;
  n->axis.second = r->map == STEP_SPLIT ? r->parts : NULL;
  n->axis.real = r->map == STEP_SERIALIZE ? REAL_LOOP : r->below->real;
  n->axis.size = size_of(r->map == STEP_SPREAD ? r->below : l);
  return n;
}

bool plan_privatises_rows(const Rule *r) { return r->privatises && r->spectrum->cuts; }

bool plan_private_by_vector(const Rule *r) {
  return plan_privatises_rows(r) && r->map == STEP_DISTRIBUTE && r->parts->can.lanes == LANES_FIXED &&
         !r->parts->can.factor;
}

bool plan_rule_applies(const Rule *r) {
  return r->codelet && r->codelet->kind == CLASS_COMPOUND && r->map == STEP_COMPUTE && !r->in_steps;
}

bool plan_in_steps(const PlanNode *n) { return n->rule->in_steps; }

bool plan_applies(const PlanNode *n) { return plan_rule_applies(n->rule); }

bool plan_applies_to_view(const Rule *r) {
  const Tree *body = r->codelet->body;
  return plan_rule_applies(r) && (tree_contains(body, OP_TRANSFORM) || tree_contains(body, OP_GENERATE) ||
                                  tree_contains(body, OP_GATHER));
}

const PlanNode *plan_work(const PlanNode *n) {
  while (plan_applies(n)) n = n->kid[0];
  return n;
}

const PlanNode *plan_work_of_step(const PlanNode *n) {
  for (n = plan_work(n); plan_in_steps(n) && n->nkids == 1;) n = plan_work(n->kid[0]);
  return n;
}

bool plan_is_one_cluster(const PlanNode *root) {
  root = plan_work(root);
  return !root->rule->codelet && root->rule->below->can.reaches;
}

bool plan_adds_copies(const PlanNode *n) { return n->combine == COMBINE_PARTIAL || n->combine == COMBINE_CLUSTER; }

bool plan_is_one_vector(const PlanNode *root) {
  root = plan_work(root);
  const PlanNode *block = root->rule->codelet ? NULL : plan_work(root->kid[0]);
  return block && !block->rule->codelet && block->rule->below->can.lanes == LANES_FIXED;
}

const Level *plan_worker_of_parts(const PlanNode *root) {
  root = plan_work(root);
  const Rule *r = root->rule;
  if (!r->codelet || !r->explicit_count) return NULL;
  if (r->map == STEP_SPLIT || r->map == STEP_BOUNDED) return r->parts;
  const Rule *part = plan_work(root->kid[0])->rule;
  return part->codelet ? r->parts : part->below;
}

bool plan_is_equal(const PlanNode *root) { return plan_work(root)->rule->map == STEP_EQUAL; }

bool plan_is_bounded(const PlanNode *root) { return plan_work(root)->rule->map == STEP_BOUNDED; }

bool plan_is_bounded_in_block(const PlanNode *root) {
  return plan_is_bounded(root) && plan_work(root)->traversal == TRAVERSE_IN_BLOCK;
}

const PlanNode *plan_spread(const PlanNode *root) {
  root = plan_work(root);
  if (!root->rule->codelet || !root->rule->explicit_count || root->nkids == 0) return NULL;
  const PlanNode *part = plan_work_of_step(root->kid[0]);
  return part->rule->map == STEP_SPREAD ? part : NULL;
}

bool plan_shares_steps(const PlanNode *root) {
  const PlanNode *work = plan_work(root);
  int parts = 0;
  if (!plan_in_steps(work) || !work->rule->level->can.launched || plan_steps_by(work)) return false;
  for (int i = 0; i < work->nkids; i++) {
    const PlanNode *step = plan_work(work->kid[i]), *spread = plan_spread(step);
    if (spread && !spread->rule->level->can.shares) return false;
    if (!spread && (!step->rule->codelet || step->rule->explicit_count)) return false;
    parts += spread != NULL;
  }
  return parts > 0;
}

bool plan_accumulates_pieces(const PlanNode *root) {
  const PlanNode *spread = plan_spread(root);
  return spread && spread->combine == COMBINE_ATOMIC;
}

bool plan_scans_twice(const PlanNode *root) {
  enum { SUMS_THEIR_SCAN_AND_PARTS = 3 };
  root = plan_work(root);
  return !plan_in_steps(root) && !plan_is_bounded(root) && root->nkids == SUMS_THEIR_SCAN_AND_PARTS;
}

const PlanNode *plan_slices(const PlanNode *root) {
  const PlanNode *n = plan_work(root);
  if (!n->rule->codelet || !n->rule->explicit_count || n->nkids == 0) return NULL;
  n = plan_work(n->kid[0]);
  if (n->rule->map == STEP_SPREAD) n = plan_work(n->kid[0]);
  return n->rule->map == STEP_SLICE ? n : NULL;
}

bool plan_uses_factor(const PlanNode *n) {
  if (n->rule->explicit_count && n->rule->parts->can.factor) return false;
  if (n->rule->level->can.factor) return true;
  for (int i = 0; i < n->nkids; i++)
    if (plan_uses_factor(n->kid[i])) return true;
  return false;
}

/* ---- what any node below does ---- */

const PlanNode *plan_find(const PlanNode *n, bool (*is)(const PlanNode *)) {
  const PlanNode *found = is(n) ? n : NULL;
  for (int i = 0; i < n->nkids && !found; i++) found = plan_find(n->kid[i], is);
  return found;
}

static bool has_state(const PlanNode *n) { return type_is_state(n->rule->spectrum->result); }

bool plan_combines_states(const PlanNode *root) { return plan_find(root, has_state) != NULL; }

static bool bounds(const PlanNode *n) { return n->rule->map == STEP_BOUNDED; }
static bool multiplies(const PlanNode *n) {
  return n->rule->codelet && n->rule->codelet->matrix && !n->rule->codelet->rows;
}
static bool multiplies_rows(const PlanNode *n) { return n->rule->codelet && n->rule->codelet->rows; }
static bool adds_columns(const PlanNode *n) { return multiplies_rows(n) && n->rule->codelet->rows->columns; }
static bool copies_a_run(const PlanNode *n) { return n->traversal == TRAVERSE_RUN; }
static bool is_flat(const PlanNode *n) { return n->traversal == TRAVERSE_FLAT; }
static bool compacts(const PlanNode *n) { return n->traversal == TRAVERSE_COMPACTED; }
static bool is_bulk(const PlanNode *n) { return n->traversal >= TRAVERSE_BULK; }
static bool holds(const PlanNode *n) { return n->axis.level && n->axis.level->can.holds; }
bool plan_in_rows(const PlanNode *n) { return n->traversal == TRAVERSE_ROWS || n->traversal == TRAVERSE_RUN; }

const PlanNode *plan_bounds(const PlanNode *n) { return plan_find(n, bounds); }
bool plan_multiplies(const PlanNode *n) { return plan_find(n, multiplies) != NULL; }
bool plan_multiplies_rows(const PlanNode *n) { return plan_find(n, multiplies_rows) != NULL; }
bool plan_multiplies_by_groups(const PlanNode *n) { return plan_find(n, is_bulk) != NULL; }
bool plan_tunes_unit(const PlanNode *n) { return plan_find(n, adds_columns) != NULL; }
bool plan_copies_rows(const PlanNode *n) { return plan_find(n, plan_in_rows) != NULL; }
bool plan_copies_a_run(const PlanNode *n) { return plan_find(n, copies_a_run) != NULL; }
bool plan_is_flat(const PlanNode *n) { return plan_find(n, is_flat) != NULL; }
bool plan_compacts(const PlanNode *n) { return plan_find(n, compacts) != NULL; }
bool plan_is_vectorised(const PlanNode *n) { return plan_find(n, holds) != NULL; }

/* Is there a loop in a loop? */
static bool find_nested(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_FOR && tree_contains(t->kid[3], OP_FOR);
  return !*found;
}

static bool jams(const PlanNode *n) {
  const Codelet *each = plan_in_rows(n) ? n->kid[0]->rule->codelet : NULL;
  bool found = false;
  if (each) tree_visit(each->body, find_nested, &found);
  for (int i = 0; each && i < each->nparams; i++)
    found |= each->params[i]->atomic == ATOMIC_ADD && each->params[i]->rank > 1;
  return found;
}

bool plan_jams(const PlanNode *n) { return plan_find(n, jams) != NULL; }

static bool owns_few_copies(const PlanNode *n) {
  enum { FEW_COPIES = 8 };
  return plan_in_rows(n) && n->rule->privatises && n->copies <= FEW_COPIES;
}

bool plan_tunes_own(const PlanNode *n) { return plan_find(n, owns_few_copies) != NULL; }

int plan_unit_span(const Spectrum *s) {
  enum { WIDE = 8 };
  return s->widest < WIDE ? 2 * MATRIX_K : MATRIX_K;
}

/* ---- how workers wait for each other ---- */

SyncKind plan_sync(const PlanNode *n) {
  const Level *l = n->rule->level;
  return n->combine == COMBINE_SPECTRUM && n->sync < l->nsync ? l->sync[n->sync].kind : SYNC_PLAIN;
}

int plan_in_rounds(const PlanNode *n) {
  int found = n->rule->codelet && n->rule->codelet->rounds && n->rule->level->can.lanes == LANES_TUNED;
  for (int i = 0; i < n->nkids; i++) found += plan_in_rounds(n->kid[i]);
  return found;
}

SyncKind plan_steps_by(const PlanNode *n) {
  const Level *l = n->rule->level;
  const SyncKind kind = plan_in_steps(n) && n->sync < l->nsync ? l->sync[n->sync].kind : SYNC_PLAIN;
  return kind >= SYNC_TOGETHER ? kind : SYNC_PLAIN;
}

bool plan_is_persistent(const PlanNode *n) { return plan_steps_by(n) == SYNC_TOGETHER; }

bool plan_is_of_one_block(const PlanNode *n) { return plan_steps_by(n) == SYNC_ONE_BLOCK; }

bool plan_slides_over_blocks(const PlanNode *n) {
  return n->rule->slides && (n->rule->level->can.launched || n->rule->map == STEP_SPREAD);
}

SyncKind plan_slides_by(const PlanNode *n) {
  return (n->rule->map == STEP_SPREAD ? n->rule->below : n->rule->level)->sync[n->sync].kind;
}

bool plan_serves_any(const PlanNode *n) {
  const Codelet *c = n->rule->codelet;
  if (plan_in_steps(n)) return true; /* so does each of its steps */
  if (c && c->kind != CLASS_COMPOUND) return c->kind == CLASS_AUTONOMOUS || c->rounds;
  return (c && n->rule->map == STEP_SERIALIZE) || plan_serves_any(n->kid[0]);
}

bool plan_goes_on(const PlanNode *n) { return plan_sync(n) != SYNC_PLAIN; }
