/* open.c: leaves of a plan as nests: loops that vectorise.c takes. Several containers that are aligned with one another
 * are read 16 bytes at a time at once, and what a container is computed from; those that are written are stored so too.
 * The first one's address says where 16 bytes begin; of the others it may be another place.
 *
 * Requires a loop that vectorise.c takes. Keeps each element's use. Breaks the order between slots, where there are
 * several. */
#include "lower/realise.h"

static Tree *per_load(const Opened *o) { return build_width(o->l->a, o->runs.at[0].value->view->source.base->type); }

/* ---- values and stages ---- */

/* `apart': workers that find a result each; NULL: there are none. */
static void accumulate(Opened *o, NestAxis *apart) {
  Arena *a = o->l->a;
  if (!o->kept.result) return;
  o->accumulator = nest_value(a, o->kept.codelet->tag, NEST_REGISTERS);
  if (apart) nest_partial(a, o->accumulator, apart);
  if (o->kept.row) nest_keep(a, o->accumulator, o->kept.row);
  if (o->how == BY_ONE_LANE || o->how == BY_ELEMENTS) return;
  nest_keep(a, o->accumulator, o->slot);
  if (o->how != BY_PARTS) nest_partial(a, o->accumulator, o->slot);
}

static NestNode *over(const Opened *o, NestAxis *load, NestAxis *lane, NestAxis *elements, NestNode *stage) {
  Arena *a = o->l->a;
  NestNode *inner = elements == load ? stage : nest_over(a, elements, stage);
  return nest_over(a, load, lane ? nest_over(a, lane, inner) : inner);
}

/* `wide' NULL: of an element a load. */
static NestValue *tile_of(const Opened *o, const char *name, NestValue *memory, NestAxis *load, NestAxis *wide) {
  NestValue *tile = nest_value(o->l->a, name, NEST_REGISTERS);
  tile->of = memory;
  nest_keep(o->l->a, tile, load);
  if (wide) nest_keep(o->l->a, tile, wide);
  return tile;
}

static NestValue *tile_of_run(const Opened *o, NestValue *memory) {
  if (o->how == BY_ROWS) return tile_of(o, "row", memory, o->load, NULL);
  if (o->how != BY_PARTS) return tile_of(o, "wide", memory, o->load, o->wide);
  const bool interleaved = memory->view->source.interleaved;
  return tile_of(o, interleaved ? "wide" : "same", memory, o->load, interleaved ? o->slot : NULL);
}

/* What is read of a run; of parts, by a load, 16 bytes of neighbours, or each one's element; or one, the same for
 * all. */
static NestNode *load_of(const Opened *o, NestValue *tile, NestValue *memory) {
  Arena *a = o->l->a;
  NestNode *copy = open_copy(a, tile, memory);
  if (o->how == BY_ROWS) return nest_over(a, o->wide, copy);
  if (o->how != BY_PARTS) return over(o, o->load, o->lane, o->wide ? o->wide : o->load, copy);
  if (!memory->view->source.interleaved) return copy;
  NestNode *apart = nest_over(a, o->slot, copy);
  if (memory->view->source.base->type != o->wide->dim->aligned_by->view->source.base->type)
    return apart; /* more, or fewer, are 16 bytes */
  NestNode *wide = nest_over(a, o->wide, open_copy(a, tile, memory));
  return nest_when(a, tree_ref(a, o->l->now.kernel->flag), wide, apart);
}

/* A round: what is read is copied to registers, 16 bytes at a time, and what is written from there; parts' loads all at
 * once. `ahead': tiles that are filled already, by run; NULL: there are none. `stored': when stores are made; NULL:
 * always. */
static NestNode *round_of(const Opened *o, NestValue *const *ahead, Tree *stored) {
  Arena *a = o->l->a;
  NestNode *round = nest_over(a, o->rounds, NULL), *loads = o->how == BY_PARTS ? nest_over(a, o->load, NULL) : NULL;
  NestValue **tiles = arena_many(a, NestValue *, o->runs.n);
  for (int i = 0; i < o->runs.n; i++) {
    const Run *x = &o->runs.at[i];
    tiles[i] = ahead && ahead[i] ? ahead[i] : tile_of_run(o, x->value);
    if (ahead && ahead[i]) continue;
    vec_push(a, &round->home, tiles[i]);
    if (x->read) nest_add(a, loads ? loads : round, load_of(o, tiles[i], x->value));
  }
  if (loads) nest_add(a, round, loads);
  nest_add(a, round, over(o, o->load, o->lane, o->slot, vectorise_stage(o, tiles)));
  for (int i = 0; i < o->runs.n; i++) {
    const Run *x = &o->runs.at[i];
    if (!x->written) continue;
    NestNode *store = over(o, o->load, o->lane, o->wide, open_copy(a, x->value, tiles[i]));
    nest_add(a, round, stored ? nest_when(a, stored, store, NULL) : store);
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
  nest_add(a, lane, vectorise_stage(o, NULL));
  return nest_over(a, o->rounds, nest_over(a, o->load, lane));
}

/* ---- parts that are one round ---- */

static Tree *as_flag(Lowering *l, Symbol *flag) { return flag ? tree_ref(l->a, flag) : NULL; }

/* Is the run the same for all parts, and loaded as the first one is? */
static bool is_same(const Opened *o, const Run *x) {
  const NestValue *v = x->value, *first = o->runs.at[0].value;
  return runs_are_known(o->kept.in->spread->dim->origin) && (!v->begin || runs_are_known(v->begin)) && !x->written &&
         v->view->source.base->type == first->view->source.base->type;
}

/* Loads, before all parts, of what is the same for them: its tiles, by run, go to `tiles'. NULL: nothing is. */
static NestNode *load_ahead(const Opened *o, Tree *even, NestValue **tiles) {
  Lowering *l = o->l;
  Arena *a = l->a;
  int first = 0;
  while (first < o->runs.n && !is_same(o, &o->runs.at[first])) first++;
  if (first == o->runs.n) return NULL;
  NestNode *all = nest_node(a, NEST_AHEAD, NULL);
  NestAxis *once = vectorise_dimension(o), *lane = vectorise_lanes(o, once);
  Statements *here = l->to;
  l->to = &nest_above(l->nest, BINDING_LOOP)->before;
  Tree *width = tree_ref(a, lowering_fixed(l, "width", TYPE_INT, per_load(o)));
  l->to = here;
  NestAxis *wide = nest_split(a, lane, "wide", width, BINDING_WIDE);
  NestAxis *load = nest_split(a, once, "k", o->load->extent, BINDING_UNROLL);
  once->until = UNTIL_ONCE;
  once->tail = TAIL_NONE;
  for (int i = first; i < o->runs.n; i++) {
    if (!is_same(o, &o->runs.at[i])) continue;
    tiles[i] = tile_of(o, "same", o->runs.at[i].value, load, wide);
    vec_push(a, &all->home, tiles[i]);
    NestNode *each = over(o, load, lane, wide, open_copy(a, tiles[i], o->runs.at[i].value));
    nest_add(a, all, nest_when(a, even, nest_over(a, once, each), NULL));
  }
  return all;
}

/* Loads, at the round's beginning, of a run that steps hold: 16 bytes at a time, and then each element as codelets
 * compute with it. */
static void hold(const Opened *o, NestNode *round, int *first, NestValue *tile, NestValue *memory) {
  Arena *a = o->l->a;
  const bool lifts = tile->symbol->type != memory->view->source.base->type;
  NestValue *wide = lifts ? tile_of_run(o, memory) : tile;
  NestNode *loads[] = {load_of(o, wide, memory),
                       lifts ? over(o, o->load, o->lane, o->slot, open_copy(a, tile, wide)) : NULL};
  if (lifts) vec_push(a, &round->home, wide);
  for (int n = 0; n < 1 + lifts; n++, ++*first) {
    nest_add(a, round, loads[n]);
    for (int i = round->kids.n - 1; i > *first; i--) round->kids.at[i] = round->kids.at[i - 1];
    round->kids.at[*first] = loads[n];
  }
}

/* Where a run of the part at hand begins: of a worker that has none, one of the last part. */
static Tree *of_last_part(Lowering *l, Tree *begin) {
  const NestAxis *parts = lowering_axis_of_parts(l);
  if (!tree_mentions(begin, parts->at->symbol)) return begin;
  return build_with(l->a, begin, parts->at->symbol, tails_or_last_part(l, parts->at, parts->dim->end));
}

/* May workers that have no part do what others do, as long as they store nothing? Then no condition stands around what
 * is computed, and compilers compute once what two steps have in common. */
static bool may_repeat(const Opened *o, const NestAxis *parts) {
  const Codelet *c = o->kept.codelet;
  if (!held_by(o) || build_is(parts->number, 0)) return false; /* all have one */
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i]->rank && c->params[i]->atomic) return false;
  return true;
}

/* A round of which steps hold some runs in registers: those that are not there yet are loaded first. */
static NestNode *held_round(Opened *o, NestValue **tiles, Tree *stored) {
  Arena *a = o->l->a;
  Held *h = held_by(o);
  Runs own = {0}; /* the rounds that are not even have their runs as they were */
  if (!h) return round_of(o, tiles, NULL);
  vec_copy(a, &own, &o->runs);
  o->runs = own;
  for (int i = 0; i < o->runs.n; i++) {
    NestValue *aligned = arena_one(a, NestValue);
    *aligned = *o->runs.at[i].value;
    aligned->aligned |= held_has(h, &o->runs.at[i]);
    o->runs.at[i].value = aligned;
    if (!tiles[i]) tiles[i] = held_tile(o, h, i, o->load, o->wide);
    if (stored && aligned->begin && !o->runs.at[i].written) aligned->begin = of_last_part(o->l, aligned->begin);
  }
  NestNode *round = round_of(o, tiles, stored);
  int first = 0;
  for (int i = 0; i < o->runs.n; i++)
    if (tiles[i] && held_is_loaded(h, tiles[i])) hold(o, round, &first, tiles[i], o->runs.at[i].value);
  return round;
}

/* A warp, or less, goes through part after part, of which each is one whole round of loads: nothing lies before the
 * first multiple of 16 bytes then, nothing is left behind the last, and no loop goes round. Such instructions are most
 * of what is done there. And of what is the same for all parts, the vector that a matrix's rows are multiplied by, a
 * lane needs the same elements every time: it loads them once. */
static NestNode *even_round(const Opened *o, Tree *even, NestTail tail) {
  Lowering *l = o->l;
  Arena *a = l->a;
  const bool whole = tail == TAIL_NONE; /* all loads are there; else as many as rows have */
  const char *less = "every part is less than a round, of loads at multiples of 16 bytes";
  NestNode *all = nest_node(a, NEST_SEQ, whole ? "every part is one round, at multiples of 16 bytes" : less);
  NestValue **tiles = arena_many(a, NestValue *, o->runs.n);
  NestNode *ahead = whole ? load_ahead(o, even, tiles) : NULL;
  Opened once = *o;
  once.rounds = nest_again(a, o->rounds, "i", BINDING_LOOP, tail);
  once.rounds->until = UNTIL_ONCE;
  once.load = nest_again(a, o->load, "k", BINDING_UNROLL, tail);
  const NestAxis *own = lowering_axis_of_parts(l);
  NestAxis *parts = nest_workers(a, "parts", ROLE_MAP, own->dim->end, o->place->level->name, own->at);
  parts->tail = TAIL_GUARD;
  const bool repeats = whole && may_repeat(o, own);
  NestNode *part = held_round(&once, tiles, repeats ? tails_part_exists(l, own->at, own->dim->end) : NULL);
  if (!repeats && (whole || own->tail != TAIL_EMPTY)) part = nest_over(a, parts, part); /* empty ones have no loads */
  if (ahead) { /* its tiles live as long as the parts are gone through */
    nest_add(a, ahead, part);
    part = ahead;
  }
  nest_add(a, all, part);
  return all;
}

/* ---- parts that are less than a round ---- */

/* A row that is no longer than a round, at any address: lanes take turns at its elements, each by itself. Steps
 * hold them as they hold a whole round. */
static NestNode *short_round(Opened *o, Held *h) {
  Lowering *l = o->l;
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, "the part is no longer than a round: element by element");
  Opened few = *o;
  few.rounds = vectorise_dimension(o);
  few.rounds->until = UNTIL_ONCE;
  few.rounds->tail = TAIL_GUARD;
  few.lane = vectorise_lanes(o, few.rounds);
  o->item = few.item = nest_split(a, few.rounds, "k", build_mul(a, o->load->extent, o->wide->extent), BINDING_UNROLL);
  few.item->tail = TAIL_GUARD;
  NestNode *round = nest_add(a, all, nest_over(a, few.rounds, NULL));
  NestValue **tiles = arena_many(a, NestValue *, o->runs.n);
  for (int i = 0; i < o->runs.n; i++) {
    const Run *x = &o->runs.at[i];
    NestValue *held = held_tile(o, h, i, few.item, NULL);
    const bool lifts = held && held->symbol->type != x->value->view->source.base->type;
    NestValue *item = held && !lifts ? held : tile_of(o, "item", x->value, few.item, NULL);
    tiles[i] = held ? held : item;
    if (held && !held_is_loaded(h, held)) continue;
    if (item != held) vec_push(a, &round->home, item);
    if (x->read) nest_add(a, round, over(o, few.item, few.lane, few.item, open_copy(a, item, x->value)));
    if (lifts) nest_add(a, round, over(o, few.item, few.lane, few.item, open_copy(a, held, item)));
  }
  nest_add(a, round, over(o, few.item, few.lane, few.item, vectorise_stage(o, tiles)));
  for (int i = 0; i < o->runs.n; i++)
    if (o->runs.at[i].written)
      nest_add(a, round, over(o, few.item, few.lane, few.item, open_copy(a, o->runs.at[i].value, tiles[i])));
  return all;
}

/* .. where it is so, as the launcher knows, or else the worker: the other nest where it is not. */
static NestNode *short_or(Opened *o, NestNode *other) {
  Arena *a = o->l->a;
  Held *h = held_by(o);
  const View *in = o->kept.in;
  Tree *lanes = in->spread->extent, *width = per_load(o);
  Tree *round = build_mul(a, build_mul(a, lanes, o->load->extent), width);
  bool held = false;
  if (h && h->round && !(tree_equal(h->round, round) && tree_equal(h->lanes, lanes))) return other;
  for (int i = 0; h && when_has_all(o) && i < o->runs.n; i++) held |= held_tile(o, h, i, o->load, o->wide) != NULL;
  if (!held) return other;
  NestNode *apart = short_round(o, h);
  h->round = round;
  h->lanes = lanes;
  Tree *own = build_sub(a, in->end, in->spread->dim->origin);
  if (!h->less) return nest_when(a, build_compare(a, OP_LE, own, round), apart, other);
  NestNode *any = nest_when(a, as_flag(o->l, h->less), apart, other);
  Tree *wide = as_flag(o->l, h->wide);
  return wide ? nest_when(a, wide, even_round(o, wide, TAIL_GUARD), any) : any;
}

/* ---- parts that are taken together ---- */

static bool mention(const Statements *s, const Symbol *part) {
  for (int i = 0; i < s->n; i++)
    if (tree_mentions(s->at[i], part)) return true;
  return false;
}

/* Do all parts have the numbers that the codelet declares? */
static bool have_numbers(Lowering *l, Environment *e, const Tree *loop) {
  (void)e;
  (void)loop;
  return !mention(l->to, nest_above(l->nest, BINDING_UNROLL)->at->symbol);
}

/* The axis of a CPU's parts that are taken together, where this loop is the same for all of them, and what a part does
 * before it is of no matter to it: comments, and numbers that all have, which go ahead of these. NULL: there is
 * none. */
static NestAxis *parts_together(const Opened *o) {
  Lowering *l = o->l;
  const Kept *k = &o->kept;
  NestAxis *row = nest_above(l->nest, BINDING_UNROLL);
  const NestDim *n = o->rounds->dim;
  if (!row || l->to != row->here || row->before.n || !k->result || k->in->source.copying) return NULL;
  const Symbol *part = row->at->symbol;
  Statements rest = {0}, common = {0};
  for (int i = 0; i < row->here->n; i++) {
    Tree *t = row->here->at[i];
    const bool number = t->op == OP_DECLARE && t->symbol->constant;
    if (t->op != OP_COMMENT && !number) return NULL;
    vec_push(l->a, number ? &common : &rest, t);
  }
  if (tree_mentions(n->origin, part) || tree_mentions(n->end, part) || mention(&common, part) ||
      !kept_loop_is(k, have_numbers))
    return NULL;
  *row->here = rest;
  row->before = common;
  return row;
}

/* ---- the nests ---- */

static NestNode *vectorised_by_loads(Opened *o, Tree *loads) {
  Lowering *l = o->l;
  vectorise_cut(o, o->kept.slots, loads);
  accumulate(o, o->lane);
  Tree *even = as_flag(l, when_even(o));
  /* Where warps have many parts each instruction counts, and a part may be whole rounds; else how long it all takes. */
  const bool hurry = !(lowering_axis_of_parts(l) && o->place->level->real >= REAL_WARP);
  NestNode *once = even ? even_round(o, even, TAIL_NONE) : NULL;
  const Peeling how = {.never = as_flag(l, when_once(o)), .hurry = hurry};
  NestNode *any = short_or(o, tails_peel(o, round_of(o, NULL, NULL), &how));
  return even ? nest_when(l->a, even, once, any) : any;
}

static NestNode *vectorised_by_vectors(Opened *o, Tree *loads) {
  vectorise_cut(o, NULL, loads);
  o->kept.row = parts_together(o);
  accumulate(o, o->lane);
  const Peeling how = {.none_left = as_flag(o->l, when_whole(o))};
  NestNode *work = tails_peel(o, round_of_vectors(o), &how);
  return o->kept.row ? nest_sink(o->l->a, work, o->kept.row, o->lane) : work;
}

/* A leaf's nest: the codelet's variables, its work, and what becomes of what it gives: a plan combines what the slots
 * gave, or it is delivered as it is. */
static NestNode *leaf(const Opened *o, NestNode *work, const PlanNode *combines, Destination *to) {
  Lowering *l = o->l;
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL), *begin = nest_stage(a, STAGE_BEGIN, o->kept.codelet);
  Opened *kept = all->opened = arena_one(a, Opened);
  *kept = *o;
  nest_add(a, all, begin);
  nest_add(a, all, work);
  if (!o->accumulator) return all;
  vec_push(a, &all->home, o->accumulator);
  nest_access(a, begin, o->accumulator, USE_WRITE);
  if (!combines) {
    nest_add(a, all, open_deliver(l, o->place, o->accumulator, to));
    return all;
  }
  NestNode *by = nest_node(a, NEST_SEQ, NULL), *result = nest_add(a, by, nest_stage(a, STAGE_RESULT, o->kept.codelet));
  NestValue *results = open_memory(a, "results", arena_one(a, View));
  const Arguments of_all = lowering_of(results->view);
  nest_access(a, result, results, USE_WRITE);
  nest_access(a, result, o->accumulator, USE_READ);
  nest_access(a, nest_add(a, by, open_plan(l, combines, o->place, &of_all, to)), results, USE_READ);
  nest_add(a, all, nest_join(a, o->accumulator, o->slot, WAY_CODELET, by));
  return all;
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

NestNode *open_vectorised(Lowering *l, const PlanNode *n, Work *w) {
  const Codelet *c = n->kid[0]->rule->codelet;
  const Place *p = &w->place;
  const Arguments own = for_one_lane(l, p, &w->in);
  const bool cpu = l->plan->machine->is_cpu;
  Opened o = {.l = l, .plan = n, .place = p, .how = cpu ? BY_VECTORS : BY_LOADS, .kept.codelet = c};
  if (!c || !vectorise(&o, &own)) return NULL;
  Tunable size = l->plan->sizes.at[n->axis.size].tunable;
  /* Each of several parts has so many: enough are in flight, and no more are registers. */
  if (lowering_work(l)->traversal == TRAVERSE_JAMMED) {
    size.value = 1;
    size.max = 4;
  }
  const char *what = cpu ? "vectors in flight" : "16-byte loads in flight";
  Tree *loads = tree_ref(l->a, lowering_constant(l, &size, what, TYPE_INT)->symbol);
  diagnostics_remark(l->d, REMARK_PASSED, "slots", n->rule->codelet->where,
                     "`%s' in register slots: %s of `%s', several "
                     "in flight",
                     c->tag, cpu ? "vectors" : "16-byte loads", o.runs.at[0].value->name);
  lowering_comment(l, "%s > %s: %s, each with its register slots; %s", p->level->name, n->axis.level->name,
                   lowering_source(l, n->rule->codelet), lowering_source(l, c));
  o.kept.slots = cpu ? loads : tree_ref(l->a, lowering_fixed(l, "per", TYPE_INT, per_load(&o)));
  NestNode *work = cpu ? vectorised_by_vectors(&o, loads) : vectorised_by_loads(&o, loads);
  return leaf(&o, work, o.kept.result ? n->kid[1] : NULL, w->to);
}

NestNode *open_alone(Lowering *l, const PlanNode *n, Work *w) {
  const Codelet *c = n->rule->codelet;
  const Place *p = &w->place;
  const View *first = lowering_container(&w->in);
  const bool gathers =
      vectorise_gathers(&w->in) && p->level && p->level->real == REAL_THREAD && !l->plan->machine->is_cpu;
  if (!first || (!gathers && (!lowering_axis_of_parts(l) || first->spread))) return NULL;
  const Arguments own = for_one_lane(l, p, &w->in);
  Opened o = {.l = l, .plan = n, .place = p, .how = gathers ? BY_ELEMENTS : BY_ONE_LANE, .kept.codelet = c};
  if (!vectorise(&o, &own)) return NULL;
  const Tunable *size = &l->plan->sizes.at[1 + p->level->depth].tunable;
  const char *what = gathers ? "elements in flight" : "16-byte loads in flight";
  Tree *loads = tree_ref(l->a, lowering_constant(l, size, what, TYPE_INT)->symbol);
  const char *how = gathers ? "several elements at once" : "16 bytes at a time";
  lowering_comment(l, "%s: %s, %s", p->level->name, lowering_source(l, c), how);
  vectorise_cut(&o, gathers ? NULL : tree_ref(l->a, lowering_fixed(l, "per", TYPE_INT, per_load(&o))), loads);
  accumulate(&o, o.lane);
  return leaf(&o, tails_peel(&o, round_of(&o, NULL, NULL), &(Peeling){0}), NULL, w->to);
}

void open_iterations(Opened *o, NestAxis *slices, NestNode *to, NestValue *results) {
  Lowering *l = o->l;
  Arena *a = l->a;
  Tunable size = l->plan->sizes.at[1 + o->plan->rule->level->depth].tunable;
  size.value = l->plan->machine->measured.loads_alone;
  Tree *loads = tree_ref(a, lowering_constant(l, &size, "16-byte loads in flight", TYPE_INT)->symbol);
  kept_declare(&o->kept);
  vectorise_cut(o, NULL, loads);
  accumulate(o, slices);
  vec_push(a, &to->home, o->accumulator);
  nest_add(a, to, tails_peel(o, round_of(o, NULL, NULL), &(Peeling){0}));
  NestNode *result = nest_stage(a, STAGE_RESULT, o->kept.codelet);
  nest_access(a, result, results, USE_WRITE);
  nest_access(a, result, o->accumulator, USE_READ);
  nest_add(a, to, result);
}

/* Of a CPU, whose lanes have a row each: as many elements as there are lanes are copied, and transposed; what is left
 * of the rows is read where it lies.
 *
 *     for (; i + 8 <= columns; i += 8) {
 *       T row[8];                                    lane 0: | A(0, i) A(0, i + 1) ..
 *       load_rows(row, A[first + i], apart);         lane 1: | A(1, i) A(1, i + 1) ..
 *       for (int k = 0; k < 8; ++k) .. row[k] .. */
NestNode *open_rows(Lowering *l, Environment *e, const Tree *loop) {
  Arena *a = l->a;
  Opened *kept = arena_one(a, Opened), o = {.l = l, .place = e->place, .how = BY_ROWS, .element = loop->kid[0]->symbol};
  o.kept = (Kept){.l = l, .codelet = e->codelet, .loop = loop, .in = e->view, .shared = *e};
  const Run run = {.value = open_memory(a, e->view->source.base->name, e->view), .read = true};
  vec_push(a, &o.runs, run);
  vectorise_cut(&o, NULL, tree_int(a, TYPE_INT, l->plan->machine->vector_width));
  NestNode *pieces = tails_peel(&o, round_of(&o, NULL, NULL), &(Peeling){0});
  *kept = o;
  pieces->opened = kept;
  return pieces;
}
