/* interleave.c: an interleaved reduction, as a nest: of neighbouring parts whose elements stand side by side, as those
 * of a matrix's rows do whose columns are contiguous. Each lane has 16 bytes of them, and a block's warps have a slice
 * of all of these parts each.
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
 *     join slices                    by a lane for each part
 *
 * Requires parts whose elements of the same number lie side by side. Keeps: each element of a part is met once.
 * Breaks their grouping. */
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

/* Are all 16 bytes of neighbouring parts' elements at multiples of 16 bytes, and does none lie half outside? */
static Symbol *wide_flag(Lowering *l, Type type, const Regroup *r, Environment *e) {
  Arena *a = l->a;
  Tree *width = build_width(a, type), *when = build_is_multiple(a, r->parts, width);
  for (int i = 0; i < r->map->nkids; i++) {
    const Tree *t = r->map->kid[i];
    const View *v = of_line(l, e, t);
    if (!v || v->source.base->type != type) continue;
    Tree *ahead = tree_unary(a, OP_TO_ALIGNED, TYPE_INDEX, build_element(a, v->source.base, v->begin));
    when = build_both(a, when, build_compare(a, OP_EQ, ahead, build_index(a, 0)));
    Tree *apart = t->op == OP_ROWS ? v->plane.column_step : v->plane.row_step;
    if (!tree_equal(apart, r->parts)) when = build_both(a, when, build_is_multiple(a, apart, width));
  }
  return when_flag(l, "wide", when);
}

NestAxis *interleave_vector(Lowering *l, const Regroup *r, Environment *e, Tree **first) {
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
  NestAxis *warp, *iteration;  /* the slices; iterations of the block, */
  NestAxis *parts;        /* in which each lane has some of these */
  NestValue *shared;      /* the slices' results */
  Destination *to;
} Interleaved;

static Type type_of(const Opened *o) { return o->wide->dim->aligned_by->view->source.base->type; }

/* Of codelets that slots do not run side by side: one slot's part after another. */
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
  v->view->source.base =
      lowering_shared(l, "slices", x->o.plan->rule->spectrum->result, build_mul(l->a, threads, width));
  v->view->begin = build_lane(l->a, OP_THREAD);
  v->view->step = threads;
  return v;
}

static Tree *part_of(Arena *a, Op op, Tree *of, Tree *by) { return tree_binary(a, op, TYPE_INT, of, by); }

/* Number `part' of the block's parts in all slices: the results of one lane of each warp, in one slot. */
static View *slices_of(const Interleaved *x, NestNode *home, Tree *part) {
  Lowering *l = x->o.l;
  Arena *a = l->a;
  Tree *per = x->o.kept.slots, *lanes = lanes_of_warp(l), *wide = tree_ref(a, l->now.kernel->flag);
  Tree *slot = build_choice(a, wide, part_of(a, OP_REM, part, per), part_of(a, OP_DIV, part, lanes));
  Tree *lane = build_choice(a, wide, part_of(a, OP_DIV, part, per), part_of(a, OP_REM, part, lanes));
  Tree *threads = x->shared->view->step;
  Tree *begin = nest_number(a, home, "begin", TYPE_INT, build_mul(a, slot, threads))->now;
  return view_new(l, (View){.source.base = x->shared->view->source.base,
                            .begin = build_add(a, begin, lane),
                            .step = lanes,
                            .size = x->warp->dim->end,
                            .end = build_add(a, begin, threads)});
}

/* Each part's results are combined by one lane. */
static NestNode *combined(const Interleaved *x, NestNode *home, Tree *at) {
  Lowering *l = x->o.l;
  Arena *a = l->a;
  Tree *part = nest_number(a, home, "part", TYPE_INDEX, build_add(a, x->iteration->at, at))->now;
  const Arguments of_all = lowering_of(slices_of(x, home, at));
  Destination *to = arena_one(a, Destination);
  *to = *x->to;
  to->place = build_with(a, to->place, x->parts->at->symbol, part);
  Place lane = *x->o.place;
  lane.leader = tails_part_exists(l, part, x->parts->dim->end);
  NestNode *made = open_plan(l, x->o.plan->kid[1], &lane, &of_all, to);
  nest_access(a, made, x->shared, USE_READ);
  return made;
}

static NestNode *nest_of(Interleaved *x, bool iterations) {
  Lowering *l = x->o.l;
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *slices = nest_node(a, NEST_SEQ, NULL);
  NestValue *results = nest_value(a, "results", NEST_REGISTERS);
  results->view = arena_one(a, View);
  nest_keep(a, results, x->o.slot);
  vec_push(a, &slices->home, results);
  if (iterations) open_iterations(&x->o, x->warp, slices, results);
  else one_by_one(x, slices, results);
  x->shared = shared_results(x);
  vec_push(a, &all->home, x->shared);
  nest_add(a, slices, nest_over(a, x->o.slot, open_copy(a, x->shared, results)));
  nest_add(a, all, nest_over(a, x->warp, slices));
  NestAxis *j = nest_dimension(a, "parts", ROLE_MAP, number(l, 0), parts_of_block(l, type_of(&x->o)));
  Tree *at = nest_count(a, j, "j", TYPE_INT);
  NestAxis *lane = nest_split_workers(a, j, "lane", tree_ref(a, l->now.threads), "thread", build_lane(a, OP_THREAD));
  NestNode *each = nest_over(a, lane, NULL);
  nest_add(a, each, combined(x, each, at));
  nest_add(a, all, nest_join(a, x->shared, x->warp, WAY_CODELET, nest_over(a, j, each)));
  all->opened = &x->o;
  return all;
}

NestNode *interleave_open(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Place *p = &w->place;
  const Codelet *c = n->kid[0]->rule->codelet;
  Interleaved *x = arena_one(a, Interleaved);
  *x = (Interleaved){.to = w->to, .iteration = nest_above(l->nest, BINDING_LOOP)};
  x->parts = nest_above(l->nest, BINDING_IN_STEP);
  Tree *warps = build_div(a, tree_ref(a, l->now.threads), lanes_of_warp(l));
  x->warp = nest_workers(a, "slices", ROLE_REDUCE, warps, n->rule->below->name, build_lane(a, OP_WARP));
  lowering_comment(l, "%s: %s, one slice per %s", p->level->name, lowering_source(l, n->rule->codelet),
                   n->rule->below->name);
  Environment e = inline_environment(l, n->rule->codelet, &w->in, NULL, p);
  Regroup r = lowering_regroup(l, n, &e, warps);
  if (l->failed) return NULL;
  Arguments slice = lowering_parts(l, &r, &e, x->warp->number, "slice");
  x->o = (Opened){.l = l, .plan = n, .place = p, .how = BY_PARTS, .kept.codelet = c};
  x->o.wide = nest_above(l->nest, BINDING_WIDE);
  x->o.slot = nest_again(a, x->o.wide, "s", BINDING_UNROLL, TAIL_REPEAT);
  x->o.element = symbol_new(a, SYMBOL_LOCAL, "element", TYPE_INDEX);
  const bool iterations = vectorise(&x->o, &slice);
  x->o.kept.slots = x->o.wide->dim->end;
  lowering_comment(l, "%s: %s%s", p->level->name, lowering_source(l, c),
                   iterations ? ", on 16 bytes of neighbouring parts" : "");
  return nest_of(x, iterations);
}
