/* open.c: leaves of a plan as nests: loops over containers that lie as runs in memory.
 *
 *   register slots  lanes read 16 bytes each, several loads in flight; each element of a load is a slot's, which runs the
 *                   codelet with variables of its own, in registers. What the slots return is a container of results: it is
 *                   the cover of the strided codelet, with a grain of 16 bytes
 *   of a CPU        a load is a vector, of which a lane has one element: its slots are the vectors in flight
 *   one lane alone  has a run to itself: the same loads, its elements in their order, one set of variables
 *
 * Several containers that are aligned with one another are read so at once, and what a container is computed from; those
 * that are written are stored 16 bytes at a time too. The first one's address says where 16 bytes begin; of the others it
 * may be another place.
 *
 * Requires that runs_fit takes the codelet. */
#include "lower/realise.h"

static Tree *per_load(const Opened *o) { return build_width(o->l->a, o->runs.at[0].value->view->source.base->type); }

static Opened opened(Lowering *l, const PlanNode *n, const Codelet *c, const Place *p, const Arguments *in) {
  Opened o = {.l = l, .plan = n, .place = p, .kept = kept_of(l, c, in, p)};
  runs_of(l, c, o.kept.loop, in, &o.runs);
  return o;
}

/* ---- axes ---- */

static NestAxis *dimension_of(const Opened *o) {
  const bool in_step = o->l->plan->machine->is_cpu;
  const View *in = o->kept.in;
  const Spectrum *s = o->plan->rule->spectrum;
  NestAxis *x = nest_dimension(o->l->a, "n", o->kept.result ? ROLE_REDUCE : ROLE_MAP, in->spread->dim->origin, in->end);
  x->name = "i";
  x->unroll = in_step ? UNROLL_FREE : UNROLL_NONE;
  x->dim->op = o->kept.result ? s : NULL;
  return x;
}

static NestAxis *lanes_of(const Opened *o, NestAxis *of) {
  const NestAxis *spread = o->kept.in->spread;
  return nest_split_workers(o->l->a, of, "lane", spread->extent, o->place->level->name, spread->number);
}

/* Rounds of loads, each of 16 bytes a lane. */
static void cut_by_loads(Opened *o, Tree *per, Tree *loads, bool alone) {
  Arena *a = o->l->a;
  o->rounds = dimension_of(o);
  o->rounds->tail = TAIL_PEEL;
  o->rounds->dim->aligned_by = o->runs.at[0].value;
  if (!alone) o->lane = lanes_of(o, o->rounds);
  o->wide = nest_split(a, alone ? o->rounds : o->lane, "wide", per, BINDING_WIDE);
  o->load = nest_split(a, o->rounds, "k", loads, BINDING_UNROLL);
  o->slot = nest_again(a, o->wide, "s", BINDING_UNROLL, TAIL_NONE);
}

/* Rounds of vectors, a slot each. */
static void cut_by_vectors(Opened *o, Tree *loads) {
  o->rounds = dimension_of(o);
  o->rounds->tail = TAIL_PEEL;
  o->lane = lanes_of(o, o->rounds);
  o->lane->binding = BINDING_IN_STEP;
  o->load = o->slot = nest_split(o->l->a, o->rounds, "s", loads, BINDING_UNROLL);
  o->load->tail = TAIL_PEEL;
}

/* ---- values and stages ---- */

static void accumulate(Opened *o, bool kept) {
  Arena *a = o->l->a;
  if (!o->kept.result) return;
  o->accumulator = nest_value(a, o->kept.codelet->tag, NEST_REGISTERS);
  if (o->lane) nest_partial(a, o->accumulator, o->lane);
  if (!kept) return;
  nest_keep(a, o->accumulator, o->slot);
  nest_partial(a, o->accumulator, o->slot);
}

NestNode *open_plan(Lowering *l, const PlanNode *n, NestValue *value, NestUse use) {
  const Codelet *c = n->rule->codelet;
  NestNode *made = value ? nest_stage(l->a, STAGE_PLAN, NULL) : nest_node(l->a, NEST_PLAN, NULL);
  made->kind = NEST_PLAN;
  made->comment = c ? lowering_source(l, c) : "one acts for all";
  made->plan = n;
  if (value) nest_access(l->a, made, value, use);
  return made;
}

NestNode *open_copy(Arena *a, NestValue *to, NestValue *from) {
  NestNode *stage = nest_stage(a, STAGE_COPY, NULL);
  nest_access(a, stage, to, USE_WRITE);
  nest_access(a, stage, from, USE_READ);
  return stage;
}

static NestNode *over(const Opened *o, NestAxis *load, NestAxis *lane, NestAxis *elements, NestNode *stage) {
  Arena *a = o->l->a;
  NestNode *inner = nest_over(a, elements, stage);
  return nest_over(a, load, lane ? nest_over(a, lane, inner) : inner);
}

static NestValue *tile_of(const Opened *o, const char *name, NestValue *memory, NestAxis *load, NestAxis *wide) {
  NestValue *tile = nest_value(o->l->a, name, NEST_REGISTERS);
  tile->of = memory;
  nest_keep(o->l->a, tile, load);
  nest_keep(o->l->a, tile, wide);
  return tile;
}

/* A round: what is read is copied to registers, 16 bytes at a time, and what is written from there. `ahead': tiles that are
 * filled already, by run; NULL: there are none. */
static NestNode *round_of(const Opened *o, NestValue *const *ahead) {
  Arena *a = o->l->a;
  NestNode *round = nest_over(a, o->rounds, NULL);
  NestValue **tiles = arena_many(a, NestValue *, o->runs.n);
  for (int i = 0; i < o->runs.n; i++) {
    const Run *x = &o->runs.at[i];
    tiles[i] = ahead && ahead[i] ? ahead[i] : tile_of(o, "wide", x->value, o->load, o->wide);
    if (ahead && ahead[i]) continue;
    vec_push(a, &round->home, tiles[i]);
    if (x->read) nest_add(a, round, over(o, o->load, o->lane, o->wide, open_copy(a, tiles[i], x->value)));
  }
  nest_add(a, round, over(o, o->load, o->lane, o->slot, runs_stage(o, tiles)));
  for (int i = 0; i < o->runs.n; i++) {
    const Run *x = &o->runs.at[i];
    if (x->written) nest_add(a, round, over(o, o->load, o->lane, o->wide, open_copy(a, x->value, tiles[i])));
  }
  return round;
}

/* A round of vectors: compilers move whole ones, at any address. Where the container is a copy that is yet to be made,
 * each element is copied before it is used. */
static NestNode *round_of_vectors(const Opened *o) {
  Arena *a = o->l->a;
  View *in = o->kept.in;
  NestNode *lane = nest_over(a, o->lane, NULL);
  if (in->source.kind == VIEW_MEMORY && in->source.copying) {
    NestValue *from = open_memory(a, "original", (View *)in->source.copying->from);
    nest_add(a, lane, open_copy(a, open_memory(a, in->source.base->name, in), from));
  }
  nest_add(a, lane, runs_stage(o, NULL));
  return nest_over(a, o->rounds, nest_over(a, o->load, lane));
}

/* ---- parts that are one round ---- */

/* Is the run the same for all parts, and loaded as the first one is? */
static bool is_same(const Opened *o, const Run *x) {
  const NestValue *v = x->value, *first = o->runs.at[0].value;
  return runs_are_given(o->kept.in->spread->dim->origin) && (!v->begin || runs_are_given(v->begin)) && !x->written &&
         v->view->source.base->type == first->view->source.base->type;
}

/* Loads, before all parts, of what is the same for them: its tiles, by run, go to `tiles'. NULL: nothing is. */
static NestNode *load_ahead(const Opened *o, Tree *even, NestValue **tiles) {
  Lowering *l = o->l;
  Arena *a = l->a;
  NestNode *all = NULL;
  NestAxis *once = dimension_of(o), *lane = lanes_of(o, once), *wide = NULL, *load = NULL;
  for (int i = 0; i < o->runs.n; i++) {
    if (!is_same(o, &o->runs.at[i])) continue;
    if (!all) {
      Statements *here = l->to;
      l->to = &nest_above(l->nest, BINDING_LOOP)->before;
      wide = nest_split(a, lane, "wide", tree_ref(a, lowering_fixed(l, "width", TYPE_INT, per_load(o))), BINDING_WIDE);
      l->to = here;
      load = nest_split(a, once, "k", o->load->extent, BINDING_UNROLL);
      once->until = UNTIL_ONCE;
      once->tail = TAIL_NONE;
      all = nest_node(a, NEST_AHEAD, NULL);
    }
    tiles[i] = tile_of(o, "same", o->runs.at[i].value, load, wide);
    vec_push(a, &all->home, tiles[i]);
    NestNode *each = over(o, load, lane, wide, open_copy(a, tiles[i], o->runs.at[i].value));
    nest_add(a, all, nest_when(a, even, nest_over(a, once, each), NULL));
  }
  return all;
}

/* A warp, or less, goes through part after part, of which each is one whole round of loads: nothing lies before the first
 * multiple of 16 bytes then, nothing is left behind the last, and no loop goes round. Such instructions are most of what is
 * done there. And of what is the same for all parts, the vector that a matrix's rows are multiplied by, a lane needs the
 * same elements every time: it loads them once. */
static NestNode *even_round(const Opened *o, Tree *even) {
  Lowering *l = o->l;
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, "every part is one round, at multiples of 16 bytes");
  NestValue **tiles = arena_many(a, NestValue *, o->runs.n);
  NestNode *ahead = load_ahead(o, even, tiles);
  Opened once = *o;
  once.rounds = nest_again(a, o->rounds, "i", BINDING_LOOP, TAIL_NONE);
  once.rounds->until = UNTIL_ONCE;
  once.load = nest_again(a, o->load, "k", BINDING_UNROLL, TAIL_NONE);
  const NestAxis *own = lowering_axis_of_parts(l);
  NestAxis *parts = nest_workers(a, "parts", ROLE_MAP, own->dim->end, o->place->level->name, own->at);
  parts->tail = TAIL_GUARD;
  NestNode *part = nest_over(a, parts, round_of(&once, tiles));
  if (ahead) { /* its tiles live as long as the parts are gone through */
    nest_add(a, ahead, part);
    part = ahead;
  }
  nest_add(a, all, part);
  return all;
}

/* ---- what identities do ---- */

/* Is the loop's body `x op= in[i]' or `x = max(x, in[i])' with the spectrum's operator? Then an identity changes
 * nothing. */
static bool absorbs_identity(const Opened *o, const Spectrum *spectrum) {
  const Codelet *c = o->kept.codelet;
  const View *in = o->kept.in;
  if (o->runs.n != 1 || in->source.kind != VIEW_MEMORY || (spectrum->lacks_identity && in->source.base->type == TYPE_STORED))
    return false;
  static const struct { OperatorKind kind; Op op; bool compound; } forms[] = {
      {OPERATOR_ADD, OP_ADD, true}, {OPERATOR_MUL, OP_MUL, true}, {OPERATOR_AND, OP_AND, true},
      {OPERATOR_OR, OP_OR, true}, {OPERATOR_XOR, OP_XOR, true}, {OPERATOR_MAX, OP_MAX, false},
      {OPERATOR_MIN, OP_MIN, false}, {OPERATOR_USER, OP_APPLY, false}};
  const Tree *t = o->kept.loop->kid[3];
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  if (t->op != OP_ASSIGN || t->kid[0]->op != OP_REF) return false;
  const Tree *element = t->kid[1];
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    if (forms[i].kind != spectrum->op) continue;
    if (forms[i].compound && t->compound != forms[i].op) return false;
    if (!forms[i].compound) {
      if (t->compound || element->op != forms[i].op || !tree_equal(element->kid[0], t->kid[0])) return false;
      element = element->kid[1];
    }
    return element->op == OP_INDEX && element->kid[0]->op == OP_REF && element->kid[0]->symbol == c->params[0];
  }
  return false;
}

/* ---- the nests ---- */

static Tree *as_flag(Lowering *l, Symbol *flag) { return flag ? tree_ref(l->a, flag) : NULL; }

static NestNode *slots_by_loads(Opened *o, Tree *loads) {
  Lowering *l = o->l;
  cut_by_loads(o, o->kept.slots, loads, false);
  o->load->tail = absorbs_identity(o, o->plan->rule->spectrum) ? TAIL_IDENTITY : TAIL_GUARD;
  accumulate(o, true);
  Tree *even = as_flag(l, when_even(o));
  /* Where warps have many parts each instruction counts, and a part may be whole rounds; else how long it all takes. */
  const bool hurry = !(lowering_axis_of_parts(l) && o->place->level->real >= REAL_WARP);
  NestNode *once = even ? even_round(o, even) : NULL;
  const Peeling how = {.never = as_flag(l, when_once(o)), .hurry = hurry};
  NestNode *any = tails_peel(o, round_of(o, NULL), &how);
  return even ? nest_when(l->a, even, once, any) : any;
}

static NestNode *slots_by_vectors(Opened *o, Tree *loads) {
  cut_by_vectors(o, loads);
  accumulate(o, true);
  const Peeling how = {.none_left = as_flag(o->l, when_whole(o))};
  return tails_peel(o, round_of_vectors(o), &how);
}

/* What slots gave, as the container of what combines them. */
typedef struct Combining { Opened *o; Destination *to; } Combining;

static void combine(void *context, NestNode *join, Tree *at) {
  const Combining *c = context;
  View all = kept_results(&c->o->kept);
  Arguments of_all = lowering_of(&all);
  (void)at;
  lowering_node(c->o->l, join->kids.at[0]->plan, c->o->place, &of_all, c->to);
}

/* A leaf's nest, as it is checked, kept for those who ask to see it, and written out. */
static void carry_out(Opened *o, NestNode *work, const PlanNode *combines, Destination *to) {
  Lowering *l = o->l;
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *around = l->nest;
  if (o->accumulator) vec_push(a, &all->home, o->accumulator);
  nest_add(a, all, work);
  NestNode *by = combines ? open_plan(l, combines, NULL, USE_READ) : NULL;
  if (by) nest_add(a, all, nest_join(a, o->accumulator, o->slot, WAY_CODELET, by));
  Combining how = {o, to};
  l->nest = nest_add(a, around, open_plan(l, o->plan, NULL, USE_READ));
  kept_declare(&o->kept);
  realise(l, o, all, &(Carrying){.call = combine, .context = &how});
  l->nest = around;
}

/* The same container for one lane: all of its neighbouring elements are that lane's. */
static Arguments for_one_lane(Lowering *l, const Place *p, const Arguments *in) {
  Arguments made = *in;
  View *first = lowering_container(in);
  if (!first || first->spread || first->source.register_of || !p->level || p->level->real != REAL_THREAD) return made;
  if (l->plan->machine->is_cpu || !first->step || !build_is(first->step, 1)) return made;
  View *alone = view_new(l, *first);
  alone->spread = view_spread(l, first->begin, build_index(l->a, 0), build_index(l->a, 1));
  for (int i = 0; i < made.n; i++)
    if (made.at[i].view == first) made.at[i].view = alone;
  return made;
}

bool open_slots(Lowering *l, const PlanNode *n, const Place *p, const Arguments *in, Destination *to) {
  const Codelet *c = n->kid[0]->rule->codelet;
  const Arguments own = for_one_lane(l, p, in);
  if (!c || c->kind != CLASS_AUTONOMOUS || !runs_fit(l, c, &own)) return false;
  Opened o = opened(l, n, c, p, &own);
  Tunable size = l->plan->sizes.at[n->axis.size].tunable;
  const bool cpu = l->plan->machine->is_cpu;
  if (plan_jams(l->plan->root)) { /* each of several parts has so many: enough are in flight, and no more are registers */
    size.value = 1;
    size.max = 4;
  }
  const char *what = cpu ? "vectors in flight" : "16-byte loads in flight";
  Tree *loads = tree_ref(l->a, lowering_constant(l, &size, what, TYPE_INT)->symbol);
  diagnostics_remark(l->d, REMARK_PASSED, "slots", n->rule->codelet->where, "`%s' in register slots: %s of `%s', several "
                     "in flight", c->tag, cpu ? "vectors" : "16-byte loads", o.runs.at[0].value->name);
  lowering_comment(l, "%s > %s: %s, each with its register slots; %s", p->level->name, n->axis.level->name,
                   lowering_source(l, n->rule->codelet), lowering_source(l, c));
  o.kept.slots = cpu ? loads : tree_ref(l->a, lowering_fixed(l, "per", TYPE_INT, per_load(&o)));
  NestNode *work = cpu ? slots_by_vectors(&o, loads) : slots_by_loads(&o, loads);
  carry_out(&o, work, o.kept.result ? n->kid[1] : NULL, to);
  return true;
}

bool open_alone(Lowering *l, const PlanNode *n, const Place *p, const Arguments *in, Destination *to) {
  const Codelet *c = n->rule->codelet;
  const View *first = lowering_container(in);
  if (!lowering_axis_of_parts(l) || !first || first->spread || c->kind != CLASS_AUTONOMOUS) return false;
  const Arguments own = for_one_lane(l, p, in);
  if (!runs_fit(l, c, &own)) return false;
  Opened o = opened(l, n, c, p, &own);
  const Tunable *size = &l->plan->sizes.at[1 + p->level->depth].tunable;
  Tree *loads = tree_ref(l->a, lowering_constant(l, size, "16-byte loads in flight", TYPE_INT)->symbol);
  lowering_comment(l, "%s: %s, 16 bytes at a time", p->level->name, lowering_source(l, c));
  cut_by_loads(&o, tree_ref(l->a, lowering_fixed(l, "per", TYPE_INT, per_load(&o))), loads, true);
  o.load->tail = TAIL_CLIP;
  accumulate(&o, false);
  carry_out(&o, tails_peel(&o, round_of(&o, NULL), &(Peeling){0}), NULL, to);
  if (o.kept.result) lowering_deliver(l, p, inline_expression(l, &o.kept.shared, (Tree *)o.kept.result), to);
  return true;
}

/* Of a CPU, whose lanes have a row each: as many elements as there are lanes are copied, and transposed; what is left of
 * the rows is read where it lies.
 *
 *     for (; i + 8 <= columns; i += 8) {
 *       T row[8];                                    lane 0: | A(0, i) A(0, i + 1) ..
 *       load_rows(row, A[first + i], apart);         lane 1: | A(1, i) A(1, i + 1) ..
 *       for (int k = 0; k < 8; ++k) .. row[k] .. */
void open_rows(Lowering *l, Environment *e, const Tree *loop) {
  Arena *a = l->a;
  Opened o = {.l = l, .place = e->place, .element = loop->kid[0]->symbol};
  o.kept = (Kept){.l = l, .codelet = e->codelet, .loop = loop, .in = e->view, .shared = *e};
  Run run = {.value = nest_value(a, e->view->source.base->name, NEST_MEMORY), .read = true};
  run.value->view = e->view;
  vec_push(a, &o.runs, run);
  o.rounds = nest_dimension(a, "n", ROLE_ORDER, build_index(a, 0), view_size(l, e->view));
  o.rounds->name = loop->kid[0]->symbol->name;
  o.rounds->tail = TAIL_PEEL;
  o.load = o.slot = nest_split(a, o.rounds, "k", tree_int(a, TYPE_INT, l->plan->machine->vector_width), BINDING_UNROLL);
  o.load->tail = TAIL_CLIP;
  o.wide = nest_again(a, o.load, "wide", BINDING_WIDE, TAIL_NONE);
  NestValue *row = nest_value(a, "row", NEST_REGISTERS);
  row->of = run.value;
  nest_keep(a, row, o.load);
  NestNode *round = nest_over(a, o.rounds, nest_over(a, o.wide, open_copy(a, row, run.value)));
  vec_push(a, &round->home, row);
  nest_add(a, round, nest_over(a, o.load, runs_stage(&o, &row)));
  realise(l, &o, tails_peel(&o, round, &(Peeling){0}), &(Carrying){.call = NULL});
}
