/* interleave.c: an interleaved reduction, as a nest: of neighbouring parts whose elements stand side by side, as those of
 * a matrix's rows do whose columns are contiguous. Each lane has 16 bytes of them, and a block's warps have a slice of
 * all of these parts each.
 *
 *              warp 0          warp 1
 *     lane 0   | . . . . . . . | . . . . . . . |
 *              | . . . . . . . | . . . . . . . |   16 bytes of parts a lane, so many slots
 *     lane 1   | . . . . . . . | . . . . . . . |
 *              | . . . . . . . | . . . . . . . |
 *                `loads' elements of each at once
 *
 *     slices warp
 *       n loop x unroll              whole rounds, then a last one
 *         slots wide, or unroll      16 bytes, or where these are not aligned, or do not end where the parts do, every
 *                                    32nd part's element: of a block's parts a lane has every 32nd then
 *       n loop x unroll x slots      the codelet's loop body
 *       slots unroll                 results go to shared memory
 *     join slices                    by a lane for each part */
#include "lower/realise.h"

static Tree *number(Lowering *l, int64_t n) { return tree_int(l->a, TYPE_INT, n); }
static Tree *lanes_of_warp(Lowering *l) { return number(l, l->plan->machine->vector_width); }

static View *of_line(Lowering *l, Environment *e, const Tree *t) {
  return t->op == OP_ROWS || t->op == OP_COLUMNS ? inline_view(l, e, t->kid[0]) : NULL;
}

/* ---- the parts ---- */

View *interleave_memory(Lowering *l, const Regroup *r, Environment *e) {
  for (int i = 0; i < r->map->nkids; i++) {
    View *v = of_line(l, e, r->map->kid[i]);
    if (v) return v;
  }
  lowering_fail(l, r->map->where, "the map has no parts");
  return NULL;
}

static Tree *parts_of_block(Lowering *l, Type t) { return build_mul(l->a, lanes_of_warp(l), build_width(l->a, t)); }

Tree *interleave_parts(Lowering *l, const View *memory) {
  return lowering_size(l, "block_parts", parts_of_block(l, memory ? memory->source.base->type : TYPE_ELEM));
}

static Tree *is_multiple(Arena *a, Tree *x, Tree *of) {
  return build_compare(a, OP_EQ, tree_binary(a, OP_REM, TYPE_INDEX, x, of), build_index(a, 0));
}

/* Are all 16 bytes of neighbouring parts' elements at multiples of 16 bytes, and does none lie half outside? */
static Symbol *wide_flag(Lowering *l, Type type, const Regroup *r, Environment *e) {
  Arena *a = l->a;
  Tree *width = build_width(a, type), *when = is_multiple(a, r->parts, width);
  for (int i = 0; i < r->map->nkids; i++) {
    const Tree *t = r->map->kid[i];
    const View *v = of_line(l, e, t);
    if (!v || v->source.base->type != type) continue;
    Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, v->source.base, v->begin));
    when = build_both(a, when, build_compare(a, OP_EQ, ahead, build_index(a, 0)));
    Tree *apart = t->op == OP_ROWS ? v->plane.column_step : v->plane.row_step;
    if (!tree_equal(apart, r->parts)) when = build_both(a, when, is_multiple(a, apart, width));
  }
  return when_flag(l, "wide", when);
}

NestAxis *interleave_slots(Lowering *l, const Regroup *r, Environment *e, Tree **first) {
  Arena *a = l->a;
  NestValue *memory = nest_value(a, "parts", NEST_MEMORY);
  memory->view = interleave_memory(l, r, e);
  const Type type = memory->view->source.base->type;
  Tree *per = tree_ref(a, lowering_fixed(l, "per", TYPE_INT, build_width(a, type))), *lane = build_lane(a, OP_LANE);
  Tree *wide = tree_ref(a, wide_flag(l, type, r, e));
  *first = tree_ref(a, lowering_fixed(l, "first", TYPE_INT, build_choice(a, wide, build_mul(a, lane, per), lane)));
  NestAxis *slots = nest_dimension(a, "slots", ROLE_MAP, number(l, 0), per);
  slots->binding = BINDING_WIDE;
  slots->dim->aligned_by = memory;
  return slots;
}

/* ---- the nest ---- */

typedef struct Interleaved {
  Opened o;
  const Place *place;
  NestAxis *warp, *turn;  /* the slices; turns of the block, */
  NestAxis *parts;        /* in which each lane has some of these */
  NestValue *shared;      /* the slices' results */
  Tree *warps;
  Destination *to;
} Interleaved;

static Type type_of(const Opened *o) { return o->wide->dim->aligned_by->view->source.base->type; }

/* Finds the memory that elements come from, one after the other; what is gathered lies anywhere. */
static void find_runs(Opened *o, View *v, Tree *at) {
  Arena *a = o->l->a;
  Tree *there = build_add(a, v->begin, build_mul(a, at, v->step));
  for (int i = v->source.kind == VIEW_GATHER; i < v->source.nof; i++) find_runs(o, v->source.of[i], there);
  if (v->source.kind != VIEW_MEMORY) return;
  Run made = {.value = nest_value(a, v->source.base->name, NEST_MEMORY), .read = true};
  made.value->view = v;
  made.value->begin = there;
  vec_push(a, &o->runs, made);
}

/* Can slots take turns: does the codelet go through its containers once, element by element, and write to none? */
static bool takes_turns(const Opened *o) {
  const Codelet *c = o->kept.codelet;
  const Tree *loop, *result;
  if (o->l->program->element == TYPE_BOOL || !o->kept.in || !kept_take_apart(c, &loop, &result)) return false;
  for (int i = 0; i < c->nparams; i++) {
    const Symbol *p = c->params[i];
    if (p->rank && (p->writable || p->atomic)) return false;
    for (int k = 0; p->rank && k < o->kept.body->nkids; k++) {
      const Tree *t = o->kept.body->kid[k];
      if (!plan_uses_elements(t == loop ? t->kid[3] : t, p, t == loop ? t->kid[0]->symbol : NULL)) return false;
    }
  }
  return kept_loop_is(o->l, c, loop, &o->kept.shared.arguments, inline_takes_elements);
}

/* What a turn takes of a run: 16 bytes of neighbouring parts, or each part's element; or one, the same for all. */
static NestNode *load_of(const Opened *o, NestValue *tile, NestValue *memory) {
  Lowering *l = o->l;
  NestNode *copy = open_copy(l->a, tile, memory);
  if (!memory->view->source.beside) return copy;
  NestNode *apart = nest_over(l->a, o->slot, copy);
  if (memory->view->source.base->type != type_of(o)) return apart; /* more, or fewer, are 16 bytes */
  NestNode *wide = nest_over(l->a, o->wide, open_copy(l->a, tile, memory));
  return nest_when(l->a, tree_ref(l->a, l->now.kernel->flag), wide, apart);
}

static NestNode *round_of(const Opened *o) {
  Arena *a = o->l->a;
  NestNode *round = nest_over(a, o->rounds, NULL), *loads = nest_over(a, o->load, NULL);
  NestNode *stage = nest_stage(a, STAGE_CODELET, o->kept.codelet);
  for (int i = 0; i < o->runs.n; i++) {
    NestValue *memory = o->runs.at[i].value;
    NestValue *tile = nest_value(a, memory->view->source.beside ? "wide" : "same", NEST_REGISTERS);
    tile->of = memory;
    nest_keep(a, tile, o->load);
    if (memory->view->source.beside) nest_keep(a, tile, o->slot);
    vec_push(a, &round->home, tile);
    nest_add(a, loads, load_of(o, tile, memory));
    nest_access(a, stage, tile, USE_READ);
  }
  nest_access(a, stage, o->accumulator, USE_ACCUMULATE);
  nest_add(a, round, loads);
  nest_add(a, round, nest_over(a, o->load, nest_over(a, o->slot, stage)));
  return round;
}

/* What each slot's part gives, into `results': the codelet in turns of all slots. */
static void in_turns(Interleaved *x, NestNode *to, NestValue *results) {
  Opened *o = &x->o;
  Lowering *l = o->l;
  Arena *a = l->a;
  Tunable size = l->plan->sizes.at[1 + o->plan->rule->level->depth].tunable;
  size.value = l->plan->machine->measured.loads_alone;
  Tree *loads = tree_ref(a, lowering_constant(l, &size, "16-byte loads in flight", TYPE_INT)->symbol);
  kept_declare(&o->kept);
  o->rounds = nest_dimension(a, "n", ROLE_REDUCE, build_index(a, 0), view_size(l, o->kept.in));
  o->rounds->name = "i";
  o->rounds->unroll = UNROLL_NONE;
  o->rounds->tail = TAIL_PEEL;
  o->load = nest_split(a, o->rounds, "k", loads, BINDING_UNROLL);
  o->load->tail = TAIL_SKIP;
  o->accumulator = nest_value(a, o->kept.codelet->tag, NEST_REGISTERS);
  nest_keep(a, o->accumulator, o->slot);
  nest_partial(a, o->accumulator, x->warp);
  vec_push(a, &to->home, o->accumulator);
  nest_add(a, to, tails_peel(o, round_of(o), &(Peeling){0}));
  NestNode *result = nest_stage(a, STAGE_RESULT, o->kept.codelet);
  nest_access(a, result, results, USE_WRITE);
  nest_access(a, result, o->accumulator, USE_READ);
  nest_add(a, to, result);
}

/* The same for codelets that slots do not run side by side. */
static void one_by_one(Interleaved *x, NestNode *to, NestValue *results) {
  Lowering *l = x->o.l;
  Arena *a = l->a;
  Symbol *part = lowering_array(l, "part", x->o.plan->rule->spectrum->result, x->o.kept.slots);
  *results->view = view_of_memory(l, part, part->length);
  NestNode *stage = nest_stage(a, STAGE_WHOLE, x->o.kept.codelet);
  nest_access(a, stage, results, USE_WRITE);
  for (int i = 0; i < x->o.runs.n; i++) nest_access(a, stage, x->o.runs.at[i].value, USE_READ);
  nest_add(a, to, nest_over(a, x->o.slot, stage));
}

/* The slices' results: those of each slot side by side with those of all the block's lanes. */
static NestValue *shared_results(Interleaved *x) {
  Lowering *l = x->o.l;
  Tree *threads = tree_ref(l->a, l->now.threads), *width = build_width(l->a, type_of(&x->o));
  NestValue *v = nest_value(l->a, "slices", NEST_SHARED);
  v->view = arena_one(l->a, View);
  nest_keep(l->a, v, x->o.slot);
  nest_keep(l->a, v, x->warp);
  nest_partial(l->a, v, x->warp);
  v->view->source.base = lowering_shared(l, "slices", x->o.plan->rule->spectrum->result, build_mul(l->a, threads, width));
  v->view->begin = build_lane(l->a, OP_THREAD);
  v->view->step = threads;
  return v;
}

static NestNode *nest_of(Interleaved *x, bool turns) {
  Lowering *l = x->o.l;
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *slices = nest_node(a, NEST_SEQ, NULL);
  NestValue *results = nest_value(a, "results", NEST_REGISTERS);
  results->view = arena_one(a, View);
  nest_keep(a, results, x->o.slot);
  vec_push(a, &slices->home, results);
  (turns ? in_turns : one_by_one)(x, slices, results);
  x->shared = shared_results(x);
  vec_push(a, &all->home, x->shared);
  nest_add(a, slices, nest_over(a, x->o.slot, open_copy(a, x->shared, results)));
  nest_add(a, all, nest_over(a, x->warp, slices));
  NestAxis *j = nest_dimension(a, "parts", ROLE_MAP, number(l, 0), parts_of_block(l, type_of(&x->o)));
  j->name = "j";
  j->counter = TYPE_INT;
  NestAxis *lane = nest_split_workers(a, j, "lane", tree_ref(a, l->now.threads), "thread", build_lane(a, OP_THREAD));
  NestNode *part = open_plan(l, x->o.plan->kid[1], x->shared, USE_READ);
  nest_add(a, all, nest_join(a, x->shared, x->warp, WAY_CODELET, nest_over(a, j, nest_over(a, lane, part))));
  return all;
}

/* ---- carrying it out ---- */

static Tree *part_of(Arena *a, Op op, Tree *of, Tree *by) { return tree_binary(a, op, TYPE_INT, of, by); }

/* Number `part' of the block's parts in all slices: the results of one lane of each warp, in one slot. */
static View slices_of(const Interleaved *x, Tree *part) {
  Lowering *l = x->o.l;
  Arena *a = l->a;
  Tree *per = x->o.kept.slots, *lanes = lanes_of_warp(l), *wide = tree_ref(a, l->now.kernel->flag);
  Tree *slot = build_choice(a, wide, part_of(a, OP_REM, part, per), part_of(a, OP_DIV, part, lanes));
  Tree *lane = build_choice(a, wide, part_of(a, OP_DIV, part, per), part_of(a, OP_REM, part, lanes));
  Tree *threads = x->shared->view->step;
  Tree *begin = tree_ref(a, lowering_fixed(l, "begin", TYPE_INT, build_mul(a, slot, threads)));
  return (View){.source.base = x->shared->view->source.base, .begin = build_add(a, begin, lane), .step = lanes,
                .size = x->warps,
                .end = build_add(a, begin, threads)};
}

/* Each part's results are combined by one lane. */
static void combine(void *context, NestNode *n, Tree *at) {
  Interleaved *x = context;
  Lowering *l = x->o.l;
  Tree *part = lowering_size(l, "part", build_add(l->a, x->turn->at, at));
  View all = slices_of(x, at);
  Arguments of_all = lowering_of(&all);
  Destination to = *x->to;
  to.place = build_with(l->a, to.place, x->parts->at->symbol, part);
  Place lane = *x->place;
  lane.leader = tails_part_exists(l, part, x->parts->dim->end);
  lowering_node(l, n->plan, &lane, &of_all, &to);
}

void interleave_lower(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arena *a = l->a;
  const Codelet *c = n->kid[0]->rule->codelet;
  Interleaved x = {.place = p, .to = to, .turn = nest_above(l->nest, BINDING_LOOP)};
  x.parts = nest_above(l->nest, BINDING_IN_STEP);
  x.warps = build_div(a, tree_ref(a, l->now.threads), lanes_of_warp(l));
  x.warp = nest_workers(a, "slices", ROLE_REDUCE, x.warps, n->rule->below->name, build_lane(a, OP_WARP));
  lowering_comment(l, "%s: %s, one slice a %s", p->level->name, lowering_source(l, n->rule->codelet),
                   n->rule->below->name);
  Environment e = inline_environment(l, n->rule->codelet, in, NULL, p);
  Regroup r = lowering_regroup(l, n, &e, x.warps);
  if (l->failed) return;
  Arguments slice = lowering_parts(l, &r, &e, x.warp->number, "slice");
  x.o = (Opened){.l = l, .plan = n, .place = p, .kept = kept_of(l, c, &slice, p)};
  x.o.wide = nest_above(l->nest, BINDING_WIDE);
  x.o.kept.slots = x.o.wide->dim->end;
  x.o.slot = nest_again(a, x.o.wide, "s", BINDING_UNROLL, TAIL_REPEAT);
  x.o.element = symbol_new(a, SYMBOL_LOCAL, "element", TYPE_INDEX);
  for (int i = 0; i < slice.n; i++)
    if (slice.at[i].view) find_runs(&x.o, slice.at[i].view, tree_ref(a, x.o.element));
  const bool turns = takes_turns(&x.o);
  lowering_comment(l, "%s: %s%s", p->level->name, lowering_source(l, c),
                   turns ? ", on 16 bytes of neighbouring parts" : "");
  realise(l, &x.o, nest_of(&x, turns), &(Carrying){.call = combine, .context = &x});
}
