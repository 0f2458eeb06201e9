/* prefer.c: which of two plans that use the machine alike is likelier to be fast, or better for another reason.
 *
 * A list of measures, the first of which to differ decides (measures, below). A new reason to prefer a plan is a
 * function of one plan that says how much, and a row at its place in the order. */
#include "compose/prefer.h"

#include "compose/search.h"
#include "ir/handed.h"
#include "ir/steps.h"

/* Parts of a given number are a block's each, of which one warp acts for all. */
static int idles_in_parts(const Plan *p) {
  const PlanNode *root = plan_work(p->root), *n = root;
  if (p->machine->levels[0].can.few || !root->rule->codelet || !root->rule->explicit_count || !root->nkids) return 0;
  int idle = 0;
  for (n = root->kid[0]; !n->rule->codelet && n->nkids; n = n->kid[0]) idle++;
  return idle;
}

static bool is_cut(const Tree *t) { return t->op == OP_DECLARE && t->symbol->kind == SYMBOL_CUT; }

/* How many dimensions are divided where sums of a matrix's lines are contributed to, a number for each: of few lines
 * there are too few for a grid, if each is one block's. */
static int shares_lines(const PlanNode *n) {
  const Codelet *c = plan_work(n)->rule->codelet;
  bool lines = false, matrix = false, other = false;
  for (int i = 0; c && i < c->nparams; i++) {
    const Symbol *s = c->params[i];
    lines |= s->atomic && s->rank == 1;
    other |= s->atomic && (s->rank > 1 || atomic_stores(s->atomic));
    matrix |= !s->atomic && s->rank > 1;
  }
  int cuts = 0;
  for (int i = 0; lines && matrix && !other && i < c->body->nkids; i++) cuts += is_cut(c->body->kid[i]);
  return cuts;
}

static int shares_sums(const Plan *p) {
  const PlanNode *root = plan_work(p->root);
  if (p->machine->levels[0].can.few) return 0;
  if (!plan_in_steps(root)) return shares_lines(root);
  int n = 0;
  for (int i = 0; i < root->nkids; i++) n += shares_lines(root->kid[i]);
  return n;
}

/* Does a CPU's thread hand a scan's results on one by one? Lanes in step would each take all branches of who has them
 * (on an AVX2 machine 8 times as long at 2^19 elements). */
static int hands_on_alone(const Plan *p) {
  const PlanNode *n = p->root;
  if (!p->machine->levels[0].can.few || !plan_applies(n) || !handed_of(n->rule->codelet).container) return false;
  while (n->nkids) n = n->kid[0];
  return n->rule->codelet->kind == CLASS_AUTONOMOUS;
}

/* Has one of its steps tiles, in registers or in caches, that elements are read for once and used often? */
static int steps_with_tiles(const Plan *p) { return plan_in_steps(plan_work(p->root)) && plan_tiled(p->root); }

bool prefer_one_worker(const Plan *p) {
  const PlanNode *root = p->root;
  bool alone = plan_in_steps(root);
  for (int i = 0; i < root->nkids && alone; i++) alone = !plan_work(root->kid[i])->rule->codelet;
  return alone;
}

/* In how many of a GPU's steps that make one number of a container does one worker act for the grid? What it goes
 * through may be long, whatever is wanted of sums' bits: of a million elements two dots in each of 50 turns of
 * conjugate gradients took 26.7 ms so on an H200, and 5.6 by the grid. */
static int numbers_by_one_worker(const Plan *p) {
  const PlanNode *root = plan_work(p->root);
  int found = 0;
  if (!plan_in_steps(root) || p->machine->levels[0].can.few || plan_is_of_one_block(root)) return 0;
  const Steps steps = steps_of(root->rule->codelet);
  for (int i = 0; i < root->nkids && i < steps.n; i++)
    found += steps.call[i]->spectrum && steps.call[i]->spectrum->result != TYPE_VOID &&
             !plan_work(root->kid[i])->rule->codelet;
  return found;
}

/* Is the first container that a step is given as long as the text says? Then that is few elements. */
static bool is_of_few(const Tree *call) {
  int64_t n;
  for (int i = 0; i < call->nkids; i++) {
    const Tree *x = call->kid[i];
    const bool counted = (x->op == OP_IOTA || x->op == OP_REPEAT) && x->nkids > 1;
    const Tree *size = counted ? x->kid[x->nkids - 1] : x->op == OP_REF && x->symbol->rank ? x->symbol->length : NULL;
    if (size && tree_constant(size, &n)) return true;
    if (counted || x->op != OP_REF || x->symbol->rank) return false;
  }
  return true;
}

/* In how many of a GPU's other steps does one worker act for the grid? There may be many elements: components of a
 * graph of 10^6 vertices took 14.1 ms on an H200 where one block did one of five steps, and 0.9 where none did. */
static int steps_by_one_worker(const Plan *p) {
  const PlanNode *root = plan_work(p->root);
  int found = 0;
  if (!plan_in_steps(root) || p->machine->levels[0].can.few || plan_is_of_one_block(root)) return 0;
  const Steps steps = steps_of(root->rule->codelet);
  for (int i = 0; i < root->nkids && i < steps.n; i++)
    found += !plan_work(root->kid[i])->rule->codelet && !is_of_few(steps.call[i]);
  return found;
}

static int has_one_worker(const Plan *p) { return prefer_one_worker(p); }

static bool node_owns_rows(const PlanNode *n) { return plan_privatises_rows(n->rule); }

/* Has a GPU's block each part, of which one of its vectors does all, while the others wait? */
static int leaves_vectors_idle(const Plan *p) {
  const PlanNode *root = plan_work(p->root);
  if (!root->rule->codelet || !root->rule->explicit_count || p->machine->lanes_in_order) return 0;
  const PlanNode *each = root->kid[0];
  return root->rule->map == STEP_DISTRIBUTE && !each->rule->codelet && each->nkids > 0;
}

/* Do blocks add to rows of their own first? All points of a few clusters would meet in the common ones. */
static int owns_rows(const Plan *p) { return plan_find(p->root, node_owns_rows) != NULL; }

static int copies_of(const PlanNode *n) {
  int most = n->copies;
  for (int i = 0; i < n->nkids; i++) {
    const int below = copies_of(n->kid[i]);
    if (below > most) most = below;
  }
  return most;
}

/* Copies of rows that blocks own: their lanes meet less often, and there is one where so many do not fit. */
static int copies_of_rows(const Plan *p) { return owns_rows(p) ? copies_of(p->root) : 0; }

/* Do a CPU's lanes go through parts together in one of the steps? A lane that contributes by place works alone: labels
 * and sums in one pass take twice as long on an AVX2 machine as labels by all lanes, and then sums. */
static int steps_by_lanes(const Plan *p) {
  const PlanNode *root = plan_work(p->root);
  bool found = false;
  for (int i = 0; plan_in_steps(root) && p->machine->lanes_in_order && i < root->nkids; i++) {
    const Level *worker = plan_worker_of_parts(root->kid[i]);
    found |= worker && worker->can.lanes == LANES_ONE;
  }
  return found;
}

/* Does it read elements by their positions, or store by place? */
static bool gathers_or_scatters(const PlanNode *n) {
  bool found = false;
  for (; n; n = n->nkids ? n->kid[0] : NULL) {
    const Codelet *c = n->rule->codelet;
    found |= c && tree_contains(c->body, OP_GATHER);
    for (int i = 0; c && i < c->nparams && !n->nkids; i++) found |= atomic_stores(c->params[i]->atomic);
  }
  return found;
}

static bool has_idle_slots(const PlanNode *n) {
  const PlanNode *work = plan_work(n);
  const Level *worker = plan_worker_of_parts(work);
  return worker && worker->can.lanes == LANES_ONE && plan_is_vectorised(work) && gathers_or_scatters(work);
}

/* Steps, or the one that there is, in which each of a CPU's lanes goes through a part by register slots, and elements
 * are gathered or stored by place. Slots are for loads in flight of elements side by side; these go one by one, and
 * short parts end before all slots have one: a breadth-first search, and a sparse matrix's rows, take twice as long. */
static int idle_slots(const Plan *p) {
  const PlanNode *root = plan_work(p->root);
  int found = 0;
  if (!p->machine->lanes_in_order) return 0;
  if (!plan_in_steps(root)) return has_idle_slots(root);
  for (int i = 0; i < root->nkids; i++) found += has_idle_slots(root->kid[i]);
  return found;
}

/* Other lanes would each go through a part alone, and of steps nothing tells how long parts are. */
static int steps_in_rounds(const Plan *p) {
  return plan_in_steps(plan_work(p->root)) && !p->machine->lanes_in_order ? plan_in_rounds(p->root) : 0;
}

/* Of lines of a container that steps have between them: how many there are at least, where its text says so. */
typedef struct KnownLines { const Codelet *map; const Tree *call; int64_t n; } KnownLines;

static bool count_lines(void *context, const Tree *t) {
  KnownLines *x = context;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, count_lines, x);
  for (int i = 0; t->op == OP_MAP && i < t->nkids && !x->n; i++) {
    const Tree *of = t->kid[i];
    if ((of->op != OP_ROWS && of->op != OP_COLUMNS) || of->kid[0]->op != OP_REF) continue;
    for (int k = 0; k < x->map->nparams && k < x->call->nkids; k++) {
      const Tree *given = x->call->kid[k];
      const bool own = given->op == OP_REF && given->symbol->kind == SYMBOL_LOCAL && given->symbol->rank == 2;
      if (x->map->params[k] != of->kid[0]->symbol || !own) continue;
      if (!tree_constant(symbol_extent(given->symbol, of->op == OP_COLUMNS), &x->n)) x->n = 0;
    }
  }
  return true;
}

/* Does it suit a step of one block, which has parts one after another: lanes that go through many lines alone, else all
 * lanes in rounds? Sorting 2048 keys takes 32 us so, and 495 where the block goes through 256 short lines in rounds. */
static bool suits_one_block(const PlanNode *step, const Tree *call, int64_t many) {
  const PlanNode *n = plan_work(step);
  while (!n->rule->codelet && n->nkids) n = plan_work(n->kid[0]);
  KnownLines lines = {n->rule->codelet, call, 0};
  if (lines.map) tree_visit(lines.map->body, count_lines, &lines);
  if (lines.n < many) return plan_in_rounds(step) > 0;
  const Level *worker = plan_worker_of_parts(n);
  return worker && worker->can.lanes == LANES_ONE;
}

static int steps_of_one_block(const Plan *p) {
  const PlanNode *root = plan_work(p->root);
  int found = 0;
  if (!plan_is_of_one_block(root)) return 0;
  const Steps steps = steps_of(root->rule->codelet);
  for (int i = 0; i < root->nkids && i < steps.n; i++)
    found += suits_one_block(root->kid[i], steps.call[i], p->machine->vector_width);
  return found;
}

int prefer_side_by_side(const PlanNode *step) {
  enum { WELL = 3, BY_BLOCKS = 2 };
  const PlanNode *work = plan_work(step), *spread = plan_spread(work), *of_one = work;
  const Level *worker = plan_worker_of_parts(work);
  while (!of_one->rule->codelet && of_one->nkids) of_one = of_one->kid[0];
  if (!of_one->rule->explicit_count) return WELL;
  if (of_one != work) return 0;
  if (!plan_lines(work->rule->codelet).strided)
    return !spread && worker && worker->can.lanes == LANES_FIXED && !worker->can.factor ? WELL : 0;
  const bool slices = plan_slices(work) != NULL;
  return (spread && (slices || !spread->rule->level->can.shares) ? BY_BLOCKS : 0) + slices;
}

/* How well all of a grid's steps read side by side: these are kernels, each with workers of its own. */
static int steps_side_by_side(const Plan *p) {
  const PlanNode *root = plan_work(p->root);
  int n = 0;
  for (int i = 0; plan_in_steps(root) && root->rule->level->can.launched && i < root->nkids; i++)
    n += prefer_side_by_side(root->kid[i]);
  return n;
}

/* Has each lane a tile of two dimensions, which it goes through alone? */
static int lanes_have_tiles(const Plan *p) {
  const PlanNode *n = plan_work(p->root);
  if (plan_in_steps(n) || plan_tiled(n)) return false;
  while (n->nkids) n = n->kid[0];
  const Codelet *c = n->rule->codelet;
  int rank = 0;
  for (int i = 0; c && c->kind == CLASS_AUTONOMOUS && i < c->nparams; i++)
    if (c->params[i]->rank > rank) rank = c->params[i]->rank;
  return rank > 1;
}

/* Do lanes read panels that are copied ahead by rectangles, 16 bytes at once, and not by elements? 1024^3 floats take
 * 62 us so, and a scaled product by elements 149. */
static int reads_by_rectangles(const Plan *p) {
  const PlanNode *tiled = plan_tiled(p->root), *block = tiled ? tiled->kid[0] : NULL;
  return block && block->traversal >= TRAVERSE_PREFETCHED && block->rule->tiling == TILING_ADJACENT;
}

/* Do lanes hold what lies around their elements in registers? On an H200 five points take 0.85 to 0.98 of a copy's
 * bandwidth so, 0.54 by tiles in shared memory; nine 0.78 and 0.40, seven of three dimensions 0.49 and 0.37. Plane by
 * plane is faster: seven points 0.88, all at once 0.72. Row by row only measurement tells: 5 x 5 weights 0.75 and
 * 0.73, on rows that are not aligned 0.66 and 0.61; 7 x 7 0.53 and 0.59, 0.49 and 0.44. */
static int holds_windows(const Plan *p) {
  const PlanNode *tiled = plan_tiled(p->root);
  const Traversal how = tiled ? tiled->kid[0]->traversal : TRAVERSE_PLAIN;
  PlanTiles t;
  if (how == TRAVERSE_STREAMED) return plan_tiles(tiled, &t) && t.rank > PLANE ? 3 : 1;
  return how == TRAVERSE_WINDOWED ? 2 : 0;
}

/* Has each worker parts of up to so many elements? Nothing tells how long they are: a long one must not hold up all. */
/* Does it combine anything, or contribute to anything? */
static bool node_combines(const PlanNode *n) { return n->combine != COMBINE_NONE; }

bool prefer_one_lane(const Plan *p) {
  const PlanNode *root = plan_work(p->root), *n = root;
  if (!p->machine->levels[0].can.few || plan_in_steps(root) || plan_find(root, node_combines)) return false;
  if (root->rule->codelet && root->nkids) n = root->kid[0]; /* the process has threads */
  while (!n->rule->codelet && n->nkids) n = n->kid[0];
  const Codelet *c = n->rule->codelet;
  if (n == root || n->nkids || !c || c->kind != CLASS_AUTONOMOUS) return false;
  if (n->rule->level->can.lanes != LANES_ONE) return false;
  const Spectrum *s = root->rule->spectrum; /* of what is applied */
  bool cuts = s->cuts, writes = false;
  for (int i = 0; i < s->ncodelets; i++) cuts |= s->codelets[i]->by_cuts != NULL;
  for (int i = 0; i < c->nparams; i++) {
    if (c->params[i]->atomic) return false;
    writes |= c->params[i]->writable && c->params[i]->rank > 0;
  }
  return cuts && writes && (!root->rule->codelet || root->rule->tiling == TILING_ADJACENT);
}

static int goes_by_one_lane(const Plan *p) { return prefer_one_lane(p); }

static int bounds_parts(const Plan *p) { return plan_is_bounded(p->root); }

/* Does a matrix unit add up, or scan, rows? Where that is faster only measurement tells. */
static int multiplies_rows(const Plan *p) { return plan_multiplies_rows(p->root); }

/* Products of matrices are a matrix unit's where it takes the elements. */
static int multiplies(const Plan *p) { return plan_multiplies(p->root); }

static bool node_slides(const PlanNode *n) { return n->rule->slides; }

/* Do a GPU's lanes that scan a tile have an element each, which they exchange, in place of rows of 16 bytes? 256 rows
 * of 65536 floats took 214 us so on an H200, and 43 by rows. */
static int scans_by_elements(const Plan *p) {
  const PlanNode *n = p->machine->levels[0].can.few ? NULL : plan_find(p->root, node_slides);
  while (n && n->nkids) n = n->kid[0];
  return n && n->rule->codelet && n->rule->codelet->kind == CLASS_COOPERATIVE;
}

/* A state is several words for lanes to exchange, and more instructions for each element. Where registers hold a part
 * between steps nothing is read twice; longer ones guess.c gives to states. */
static int combines_states(const Plan *p) { return plan_combines_states(p->root); }

static int same_in_every_run(const Plan *p) { return p->determinism != DETERMINISM_NOT_GUARANTEED; }

static int expected_cost(const Plan *p) { return prune_cost(p->root); }

/* One thing that two plans may differ in: how much of it a plan has, and whether more of it is better. */
typedef struct Measure {
  int (*of)(const Plan *p);
  enum { LESS, MORE } better;
} Measure;

/* The first measure in which two plans differ decides. First what may go wrong whatever the machine is; then how many
 * workers have something to do; then what they do to one another's words, and what they read and how. The search's cost
 * is of nodes, whatever they read: it comes last but for what it does not see. */
static const Measure measures[] = {
    /* what is not known before a call */
    {bounds_parts, MORE},
    {multiplies_rows, LESS},
    {has_one_worker, LESS},
    {numbers_by_one_worker, LESS},
    {leaves_vectors_idle, LESS},
    {goes_by_one_lane, MORE},
    {lanes_have_tiles, LESS},
    {shares_sums, MORE},
    {same_in_every_run, MORE},
    /* workers that have nothing to do, or wait for others */
    {steps_of_one_block, MORE},
    {steps_in_rounds, MORE},
    {idles_in_parts, LESS},
    {hands_on_alone, MORE},
    /* words that many contribute to */
    {owns_rows, MORE},
    {copies_of_rows, MORE},
    {steps_by_lanes, MORE},
    /* what is read, and how often */
    {idle_slots, LESS},
    {steps_with_tiles, MORE},
    {holds_windows, MORE},
    {steps_side_by_side, MORE},
    /* instructions */
    {combines_states, LESS},
    {multiplies, MORE},
    {steps_by_one_worker, LESS},
    {scans_by_elements, LESS},
    {expected_cost, LESS},
    {reads_by_rectangles, MORE},
};

bool prefer_plan(const Plan *p, const Plan *q) {
  for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
    const int of_p = measures[i].of(p), of_q = measures[i].of(q);
    if (of_p != of_q) return (of_p > of_q) == (measures[i].better == MORE);
  }
  return false;
}
