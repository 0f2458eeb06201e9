/* tile_steps.c: a lane's elements of each step of the inner dimension come to registers while the step before is
 * computed, and those of a panel's first step while the last one of the panel before is (tiles.c).
 *
 *     wait for the first panel; load its first step
 *     loop over whole panels
 *       copies of a panel ahead, 16 bytes each
 *       steps but the last      load the next one; some of the copies by elements; compute
 *                               (a warp's products, four steps and more: with these copies ahead of the second one)
 *       wait for the next panel; load its first step
 *       compute the last step
 *     steps of what is left of the last panel
 *
 * So lanes go on from one panel to the next without waiting for shared memory. The barrier behind the wait also says
 * that all lanes have what they need of the panel before: the copies that follow may take its place.
 *
 * Lanes without an element compute, too: a branch would keep copies, loads and what is computed apart, and takes 3% to
 * 10% more.
 *
 * Requires panels of rows and columns, of an even number of steps, that are copied ahead, and a codelet that reads each
 * of their elements at its loops' own indices. Keeps: each element's contributions come in the codelet's order. */
#include "lower/tiles.h"

enum { COPIES = 2 };

/* The codelet's only loop that lanes do not share: over a panel's elements; -1: there are others. */
static int inner_loop(const Tiles *t) {
  int found = -1;
  for (int i = 0; i < t->plan.nloops; i++) {
    if (plan_tile_dimension(&t->plan, i) >= 0) continue;
    if (found >= 0 || !t->plan.loops[i].of) return -1;
    found = i;
  }
  return found;
}

bool tile_steps_fit(const Tiles *t) {
  const int inner = t->panels ? inner_loop(t) : -1;
  if (!t->stages || t->plan.groups || t->plan.rank != PLANE) return false;
  if (!t->plan.reduces || inner < 0) return false;
  if (t->plan.multiplies) return !t->quads;
  for (int i = 0; i < t->codelet->nparams; i++) {
    const int by = plan_tile_panelled(&t->plan, i);
    if (!plan_tile_is_staged(&t->plan, i)) continue;
    for (int d = 0; d < tiles_rank(t, i); d++)
      if (tiles_loops(t, i, d) != (d == by ? 1 << inner : 0)) return false;
  }
  return true;
}

/* Elements of a copy; from one of the lane's to the next in a dimension, 0: of steps. */
static Tree *elements_of(const Tiles *t, int param, Tree **step) {
  Arena *a = t->l->a;
  Tree *all = tree_int(a, TYPE_INT, 1);
  for (int d = tiles_rank(t, param) - 1; d >= 0; d--) {
    const LaneTile *lane = tiles_lane(t, param, d);
    step[d] = lane ? all : tree_int(a, TYPE_INT, 0);
    if (lane) all = build_mul(a, lane->each, all);
  }
  return all;
}

/* How many copies a lane makes of a panel. */
static void count_copies(Tiles *t) {
  Arena *a = t->l->a;
  if (t->plan.multiplies) return;
  Tree *all = NULL;
  for (int i = 0; i < t->codelet->nparams; i++) {
    Staged *s = &t->staged[i];
    if (!s->first) continue;
    Tree *many = nest_extent(a, s->rounds);
    s->before = all ? all : tree_int(a, TYPE_INT, 0);
    all = all ? build_add(a, all, many) : many;
  }
  if (all) t->copies = tiles_at_head(t, "copies", all);
}

/* Where nothing bounds a lane's registers, ptxas 13.0 computes all places of copies by elements ahead of the loop, 255
 * registers for any tile: with two blocks of 128 lanes at work rows at any address took 0.70 of cuBLAS' speed. Three
 * have room where a lane has 256 bytes of results, or fewer. Of aligned rows there are fewer copies, and a bound costs
 * up to 4%. */
static void bound_registers(Tiles *t) {
  enum { RESIDENT_LANES = 384, VECTORS = 16 };
  Arena *a = t->l->a;
  if (t->plan.multiplies) return;
  Tree *results = build_mul(a, t->of[0].each, t->of[1].each);
  Tree *most = build_mul(a, tree_int(a, TYPE_INT, VECTORS), build_width(a, t->memory->view->source.base->type));
  t->l->now.kernel->resident_lanes = RESIDENT_LANES;
  Tree *few = build_compare(a, OP_LE, tiles_outside(t, results), most);
  t->l->now.kernel->resident_when = t->wide ? build_both(a, tree_unary(a, OP_NOT, TYPE_BOOL, t->wide), few) : few;
}

void tile_steps_hold(Tiles *t, NestNode *home) {
  Arena *a = t->l->a;
  count_copies(t);
  bound_registers(t);
  for (int i = 0; i < t->codelet->nparams; i++)
    if (t->staged[i].value)
      tiles_hold_part(t, home, i, nest_unrolled(a, "copy", tree_int(a, TYPE_INT, COPIES)));
}

const TileStep *tile_steps_of(const Tiles *t, const NestStage *stage) {
  for (int i = 0; i < t->steps.n; i++)
    if (t->steps.at[i].stage == stage) return &t->steps.at[i];
  return NULL;
}

/* ---- nodes ---- */

static NestNode *remember(Tiles *t, NestNode *stage, TileStep step) {
  step.stage = stage->stage;
  vec_push(t->l->a, &t->steps, step);
  return stage;
}

/* A lane's elements of a step, of all operands. */
static void load(Tiles *t, NestNode *to, TileStep step) {
  Arena *a = t->l->a;
  for (int i = 0; i < t->codelet->nparams; i++) {
    Staged *s = &t->staged[i];
    if (!s->value) continue;
    nest_add(a, to, tiles_load_part(t, remember(t, open_copy(a, s->fragment, s->value), step), i));
  }
}

static void compute(Tiles *t, NestNode *to, TileStep step) {
  Arena *a = t->l->a;
  NestNode *all = nest_stage(a, STAGE_CODELET, t->codelet);
  nest_access(a, all, t->held, USE_ACCUMULATE);
  for (int i = 0; i < t->codelet->nparams; i++) {
    if (i == t->plan.written || !tiles_operand(t, i)) continue;
    NestValue *from = t->staged[i].value ? t->staged[i].fragment : tiles_memory(t, i);
    nest_access(a, all, from, USE_READ);
  }
  all = remember(t, all, step);
  for (int d = t->plan.rank - 1; d >= 0; d--) all = nest_over(a, t->axis[t->plan.own[d]], all);
  nest_add(a, to, all);
}

static Tree *number(const Tiles *t, int64_t value) { return tree_int(t->l->a, TYPE_INT, value); }

/* Until a panel is there, for all lanes. */
static void await(Tiles *t, NestNode *to, Tree *panel) {
  Arena *a = t->l->a;
  Tree *kids[1 + MOST_OPERANDS] = {build_sub(a, t->stages, number(t, COPIES))};
  int n = 1;
  for (int i = 0; i < t->codelet->nparams; i++) {
    const Staged *s = &t->staged[i];
    Tree *turn = tree_binary(a, OP_REM, TYPE_INT, panel, t->stages);
    if (s->value) kids[n++] = build_element(a, s->value->symbol, build_mul(a, turn, s->buffer));
  }
  Tree *wait = tree_new(a, OP_AWAIT_COPIES, TYPE_VOID, (SourceRange){0}, n);
  for (int i = 0; i < n; i++) wait->kid[i] = kids[i];
  nest_add(a, to, nest_sync(a, wait));
}

/* Nobody overwrites what others have yet to load of the first panel. */
static void meet(Tiles *t, NestNode *to) {
  Tree *barrier = tree_new(t->l->a, OP_BARRIER, TYPE_VOID, (SourceRange){0}, 0);
  barrier->scope = SCOPE_BLOCK;
  nest_add(t->l->a, to, nest_sync(t->l->a, barrier));
}

void tile_steps_begin(Tiles *t, NestNode *to) {
  await(t, to, number(t, 0));
  load(t, to, (TileStep){.panel = number(t, 0), .number = number(t, 0), .copy = number(t, 0)});
  meet(t, to);
}

/* Of a panel: elements, or what a warp multiplies at once of each. */
static Tree *steps_of(const Tiles *t) {
  if (!t->plan.multiplies) return t->panel;
  return build_div(t->l->a, t->panel, tiles_of_fragment(t, t->fragment.inner));
}

/* Has each panel surely an even number of what a warp multiplies at once? */
static bool even_steps(const Tiles *t) {
  const Tree *inner = tiles_of_fragment(t, t->fragment.inner);
  const Tunable *panel = &program_constant(t->l->program, t->panel->symbol->name)->tunable;
  return inner->op == OP_INT && panel->min % (COPIES * inner->number) == 0;
}

/* May a panel's last step be in the copy that the next panel's first one comes to? Then it is computed before. NULL: it
 * never is. */
static Tree *in_first_copy(const Tiles *t, Tree *copy) {
  if (!t->plan.multiplies || even_steps(t)) return NULL;
  return build_compare(t->l->a, OP_EQ, copy, number(t, 0));
}

bool tile_steps_copy_within(const Tiles *t) { return t->stepwise && t->plan.multiplies && even_steps(t); }

/* The step that copies ahead stand before. Loads of the next one then do not wait for the copies' addresses, which pays
 * where other steps are left to hide these. */
static Tree *step_of_copies(const Tiles *t) {
  enum { MANY = 4 };
  Arena *a = t->l->a;
  return build_choice(a, build_compare(a, OP_GE, steps_of(t), number(t, MANY)), number(t, 1), number(t, 0));
}

/* ---- copies by elements ---- */

/* Of so many steps the first has copies: all of a panel's at once would fill the queue that shared memory is read by,
 * too, and in each step their addresses take registers. */
enum { APART = 4 };

/* Are they copied so? NULL: always. */
static Tree *narrow_of(const Tiles *t) {
  return t->wide ? tree_unary(t->l->a, OP_NOT, TYPE_BOOL, t->wide) : NULL;
}

Tree *tile_steps_turn(const Realising *r, const Tiles *t, int param) {
  Arena *a = r->l->a;
  const Staged *s = &t->staged[param];
  Tree *own = build_add(a, s->before, iterations_number(r, s->rounds)), *apart = number(t, APART);
  Tree *turn = build_div(a, build_mul(a, own, build_div(a, t->panel, apart)), t->copies);
  return build_compare(a, OP_EQ, turn, build_div(a, t->at_step->number, apart));
}

/* Those of a step, of the panel that is copied ahead. */
static void copy_some(Tiles *t, NestNode *to, Tree *step) {
  Arena *a = t->l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  for (int i = 0; i < t->codelet->nparams; i++) {
    const Staged *s = &t->staged[i];
    if (!s->first) continue;
    NestNode *copy = remember(t, open_copy(a, s->value, s->next), (TileStep){.number = step});
    nest_add(a, all, nest_over(a, s->rounds, nest_over(a, s->lane, copy)));
  }
  Tree *when = build_is_multiple(a, step, number(t, APART)), *narrow = narrow_of(t);
  nest_add(a, to, nest_when(a, narrow ? build_both(a, narrow, when) : when, all, NULL));
}

void tile_steps_go_through(Tiles *t, NestNode *to, NestNode *copies_ahead) {
  Arena *a = t->l->a;
  Tree *most = build_sub(a, steps_of(t), number(t, 1));
  NestAxis *x = nest_dimension(a, "step", ROLE_ORDER, build_index(a, 0), most);
  x->unroll = UNROLL_ALL;
  Tree *own = nest_count(a, x, "step", TYPE_INT), *next = build_add(a, own, number(t, 1)), *copies = number(t, COPIES);
  NestNode *each = nest_node(a, NEST_SEQ, NULL);
  TileStep step = {.panel = t->panel_number, .number = next, .copy = tree_binary(a, OP_REM, TYPE_INT, next, copies)};
  if (copies_ahead)
    nest_add(a, each, nest_when(a, build_compare(a, OP_EQ, own, step_of_copies(t)), copies_ahead, NULL));
  load(t, each, step);
  if (t->copies) copy_some(t, each, own);
  step.number = own;
  step.copy = tree_binary(a, OP_REM, TYPE_INT, own, copies);
  compute(t, each, step);
  nest_add(a, to, nest_over(a, x, each));
  if (!t->copies) return;
  Tree *narrow = narrow_of(t);
  NestNode *close = nest_sync(a, tree_new(a, OP_CLOSE_COPIES, TYPE_VOID, (SourceRange){0}, 0));
  nest_add(a, to, narrow ? nest_when(a, narrow, close, NULL) : close);
}

static void load_if(Tiles *t, NestNode *to, Tree *when, TileStep step) {
  NestNode *all = nest_node(t->l->a, NEST_SEQ, NULL);
  load(t, all, step);
  nest_add(t->l->a, to, nest_when(t->l->a, when, all, NULL));
}

void tile_steps_go_on(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  Tree *next = build_add(a, t->panel_number, number(t, 1)), *last = build_sub(a, steps_of(t), number(t, 1));
  const TileStep first = {.panel = next, .number = number(t, 0), .copy = number(t, 0)};
  Tree *copy = tree_binary(a, OP_REM, TYPE_INT, last, number(t, COPIES)), *late = in_first_copy(t, copy);
  await(t, to, next);
  if (late) meet(t, to);
  if (late) load_if(t, to, build_compare(a, OP_GT, copy, number(t, 0)), first);
  else load(t, to, first);
  compute(t, to, (TileStep){.panel = t->panel_number, .number = last, .copy = copy});
  if (late) load_if(t, to, late, first);
}

void tile_steps_end(Tiles *t, NestNode *to) {
  Arena *a = t->l->a;
  if (t->plan.multiplies) return; /* zeros are multiplied, too */
  NestAxis *x = nest_dimension(a, "step", ROLE_ORDER, build_index(a, 0), t->rest);
  x->unroll = UNROLL_NONE;
  const TileStep step = {.panel = t->full, .number = nest_count(a, x, "step", TYPE_INT), .copy = number(t, 0)};
  NestNode *each = nest_node(a, NEST_SEQ, NULL);
  load(t, each, step);
  compute(t, each, step);
  nest_add(a, to, nest_over(a, x, each));
}

/* ---- statements ---- */

View *tile_steps_view(Tiles *t, int param, const TileStep *step) {
  Arena *a = t->l->a;
  Tree *by[MOST_DIMENSIONS], *all = elements_of(t, param, by);
  View *made = tiles_in_memory(t, param);
  made->source.base = t->staged[param].fragment->symbol;
  made->begin = build_mul(a, step->copy, all);
  for (int d = 0; d < tiles_rank(t, param); d++) {
    *view_step_of(made, d) = by[d];
    made->plane.at[d] = NULL;
  }
  made->plane.alone = true;
  return made;
}

Tree *tile_steps_load(const Realising *r, Tiles *t, int param, const TileStep *step, Tree *buffer) {
  Arena *a = r->l->a;
  const Staged *s = &t->staged[param];
  Tree *by[MOST_DIMENSIONS], *to = build_mul(a, step->copy, elements_of(t, param, by)), *from = buffer;
  for (int d = 0; d < tiles_rank(t, param); d++) {
    const LaneTile *x = tiles_lane(t, param, d);
    if (!x) {
      from = build_add(a, from, build_mul(a, step->number, s->step[d]));
      continue;
    }
    Tree *own = iterations_number(r, t->axis[t->plan.own[x - t->of]]);
    Tree *apart = x->group ? build_add(a, build_mul(a, build_div(a, own, x->group), x->stride),
                                       tree_binary(a, OP_REM, TYPE_INT, own, x->group))
                           : build_mul(a, own, x->step);
    from = build_add(a, from, build_mul(a, build_add(a, x->first, apart), s->step[d]));
    to = build_add(a, to, build_mul(a, own, by[d]));
  }
  return build_assign(a, build_element(a, s->fragment->symbol, to), build_element(a, s->value->symbol, from));
}
