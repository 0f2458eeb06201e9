/* opening.c: a plan's node as a nest, whatever node it is. Those that have no file of their own are opened here:
 *
 *     devolve     workers thread(..), first    one worker of the level below acts for all; of sub-warps each does
 *                   the plan of that              the same
 *     compute     codelet                      by the lanes of a place
 *     apply       the plan of the spectrum that the codelet applies as it is; steps.c: those that it applies
 *                 one after another
 *     a grid's devolve                         a kernel of one block
 *
 * Requires a node that composition has made. Keeps the order of the text: what lanes hold in registers, and others are
 * to read, goes to shared memory before all else. */
#include "front/cuts.h"
#include "lower/realise.h"

/* ---- below the grid ---- */

static bool holds_registers(const Arguments *in) {
  for (int i = 0; i < in->n; i++)
    if (in->at[i].view && in->at[i].view->source.register_of) return true;
  return false;
}

/* The same on what the lanes hold in shared memory: one lane's element is another's to read (a relayout). */
static NestNode *in_memory(Lowering *l, const PlanNode *n, const Work *w) {
  Arena *a = l->a;
  NestNode *all = nest_node(a, NEST_SEQ, NULL);
  Arguments memory = w->in;
  Tree *threads = tree_ref(a, l->now.threads), *begin = w->place.first ? w->place.first : build_index(a, 0);
  for (int i = 0; i < memory.n; i++) {
    View *held = memory.at[i].view;
    if (!held || !held->source.register_of) continue;
    View *v =
        view_new(l, view_of_memory(l, lowering_shared(l, "parts", held->source.register_of->type, threads), threads));
    NestNode *copy = nest_stage(a, STAGE_NUMBER, NULL);
    nest_access(a, copy, open_memory(a, v->source.base->name, v), USE_WRITE);
    nest_access(a, copy, open_memory(a, held->source.register_of->name, held), USE_READ);
    NestAxis *lane = nest_workers(a, "lanes", ROLE_MAP, threads, "thread", build_lane(a, OP_THREAD));
    nest_add(a, all, nest_over(a, lane, copy));
    v = memory.at[i].view = view_new(l, *v);
    v->begin = begin;
    v->size = held->size;
    v->end = build_add(a, begin, held->size);
  }
  nest_add(a, all, open_plan(l, n, &w->place, &memory, w->to));
  return all;
}

static NestNode *devolve(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  const Level *sub = n->rule->below;
  Place below = lowering_place(l, sub);
  Tree *number = w->place.lane, *many = w->place.lanes, *one = w->place.leader;
  const bool all = sub->real == REAL_SUBWARP; /* no lane misses an exchange then */
  if (sub->real == REAL_WARP || all) lowering_workers(l, sub, &number, &many);
  if (sub->real == REAL_WARP) one = build_compare(a, OP_EQ, number, tree_int(a, TYPE_INT, 0));
  if (all) below.leader = w->place.leader;
  NestAxis *workers = nest_workers(a, "workers", ROLE_MAP, many, sub->name, number);
  workers->tail = all || !one ? TAIL_ALL : TAIL_FIRST;
  workers->exists = all ? NULL : one;
  NestNode *made = nest_over(a, workers, open_plan(l, n->kid[0], &below, &w->in, w->to));
  const char *who = all ? "each does the same" : arena_printf(a, "one %s acts for all", sub->name);
  made->comment = arena_printf(a, "%s > %s: %s", w->place.level->name, sub->name, who);
  return made;
}

/* What a codelet is given, for those who look at the nest. */
static void add_accesses(Lowering *l, NestNode *stage, const Codelet *c, const Arguments *in) {
  for (int i = 0; i < c->nparams && i < in->n; i++) {
    View *v = in->at[i].view;
    if (!v) continue;
    const Symbol *base = v->source.register_of ? v->source.register_of : v->source.base;
    const bool written = c->params[i]->writable || c->params[i]->atomic;
    nest_access(l->a, stage, open_memory(l->a, base ? base->name : "view", v), written ? USE_WRITE : USE_READ);
  }
}

static NestNode *compute(Lowering *l, const PlanNode *n, Work *w) {
  const Codelet *c = n->rule->codelet;
  w->form = n->shuffled ? &c->shuffled : &c->plain;
  const bool lanes_differ = c->kind == CLASS_AUTONOMOUS || !inline_reads_own_lane(c, w->form);
  if (lanes_differ && holds_registers(&w->in)) return in_memory(l, n, w);
  if (c->rows && !c->rows->carry && unit_rows_serve(l, c, &w->in)) return unit_rows_open(l, n, w);
  NestNode *made = open_alone(l, n, w);
  if (made) return made;
  made = nest_stage(l->a, STAGE_WHOLE, c);
  made->work = w;
  made->comment = arena_printf(l->a, "%s: %s%s", w->place.level->name, lowering_source(l, c),
                               n->shuffled ? ", exchanging registers" : "");
  add_accesses(l, made, c, &w->in);
  View *container = lowering_container(&w->in);
  if (c->kind == CLASS_COOPERATIVE && !c->rounds && container) { /* composition gives it no more */
    const Bounded size = {view_size(l, container), w->place.lanes};
    vec_push(l->a, &l->now.kernel->bounded, size);
  }
  if (c->rows && c->rows->columns) return nest_when(l->a, w->place.leader, made, NULL); /* a lane alone */
  return made;
}

static NestNode *compound(Lowering *l, const PlanNode *n, Work *w) {
  if (n->rule->slides) return scan_open(l, n, w);
  if (n->rule->privatises) return privatise_open(l, n, w);
  if (n->rule->level->real == REAL_CLUSTER) return cluster_open(l, n, w);
  if (n->traversal == TRAVERSE_PACKED || (n->traversal == TRAVERSE_HELD && n->rule->level->can.copies))
    return packed_open(l, n, w);
  if (n->traversal == TRAVERSE_WINDOWED || n->traversal == TRAVERSE_STREAMED) return windows_open(l, n, w);
  if (n->traversal >= TRAVERSE_HELD) return tiles_open(l, n, w);
  if (n->rule->map == STEP_SPREAD) return grid_parts_open_piece(l, n, w);
  if (n->rule->map == STEP_SLICE) return interleave_open(l, n, w);
  if (holds_registers(&w->in)) return in_memory(l, n, w);
  NestNode *slots = n->axis.real == REAL_SLOTS ? open_vectorised(l, n, w) : NULL;
  if (slots) return slots;
  return n->axis.real == REAL_SLOTS || n->rule->map == STEP_SERIALIZE ? maps_open_loop(l, n, w) : maps_open(l, n, w);
}

/* ---- the grid ---- */

/* A kernel of one block. */
static NestNode *by_one_block(Lowering *l, const PlanNode *n, Work *w) {
  Arena *a = l->a;
  View *container = lowering_container(&w->in);
  const char *name = n->rule->below->name;
  const Place block = lowering_place(l, n->rule->below);
  steps_demand(l, n->kid[0], &w->in);
  NestKernel k = {.name = arena_printf(a, "one_%s", name),
                  .blocks = build_index(a, 1),
                  .most = view_size(l, container)};
  k.note = arena_printf(a, "One %s works for the whole %s.", name, n->rule->level->name);
  k.part = open_memory(a, "part", container);
  k.part->begin = container->begin;
  NestNode *made = nest_kernel(a, &k);
  nest_add(a, made, open_plan(l, n->kid[0], &block, &w->in, w->to));
  return made;
}

/* Of the sums of parts there are no more than the block serves (maps.c). */
static bool is_of_sums(const Lowering *l, const PlanNode *n) {
  const PlanNode *root = lowering_work(l);
  return plan_scans_twice(root) && n == root->kid[1];
}

static NestNode *grid(Lowering *l, const PlanNode *n, Work *w) {
  const Rule *r = n->rule;
  const PlanNode *split = plan_spread(n);
  if (plan_is_one_cluster(n)) return open_plan(l, n->kid[0], &w->place, &w->in, w->to);
  if (r->level->real == REAL_CLUSTER) return cluster_open(l, n, w);
  if (!r->codelet && !is_of_sums(l, n) && lowering_serves(l, n->kid[0], r->below)) {
    lowering_fail(l, l->plan->spectrum->where, "one block cannot serve any number of elements so");
    return NULL;
  }
  if (!r->codelet) return by_one_block(l, n, w);
  if (r->explicit_count && r->below->real == REAL_CLUSTER) return cluster_open_parts(l, n, w);
  if (r->codelet->kind != CLASS_COMPOUND || r->below->real != REAL_BLOCK ||
      (r->map != STEP_DISTRIBUTE && !r->explicit_count)) {
    lowering_fail(l, r->codelet->where, "a grid only distributes over its blocks or leaves the work to one");
    return NULL;
  }
  if (r->map == STEP_EQUAL) return equal_open(l, n, w);
  if (r->map == STEP_BOUNDED) return bounded_open(l, n, w);
  if (r->slides) return (plan_slides_by(n) == SYNC_CHAIN ? chained_scan_open : scan_open_grid)(l, n, w);
  if (r->explicit_count) return (split && split->rule->slides ? scan_open_parts : grid_parts_open)(l, n, w);
  const bool cuts = cuts_any(lowering_map(r->codelet)) || plan_has_tiles(n);
  return (cuts ? grid_cuts_open : maps_open_grid)(l, n, w);
}

/* ---- any node ---- */

NestNode *open_node(Lowering *l, const PlanNode *n, Work *w) {
  const Codelet *c = n->rule->codelet;
  if (w->again) return w->again(l, n, w);
  Tree *there =
      n->rule->spectrum->result == TYPE_VOID && w->place.level->real == REAL_THREAD ? lowering_there(l) : NULL;
  if (there) /* lanes that work alone and only write need not repeat anything */
    return nest_when(l->a, there, open_plan(l, n, &w->place, &w->in, w->to), NULL);
  if (plan_applies(n)) {
    const Arguments inner = lowering_applied(l, c, &w->place, &w->in);
    return l->failed ? NULL : open_plan(l, n->kid[0], &w->place, &inner, w->to);
  }
  if (w->place.level->real == REAL_GRID) return plan_in_steps(n) ? steps_open(l, n, w) : grid(l, n, w);
  if (!c) return holds_registers(&w->in) ? in_memory(l, n, w) : devolve(l, n, w);
  if (plan_in_steps(n)) return holds_registers(&w->in) ? in_memory(l, n, w) : steps_open(l, n, w);
  return c->kind == CLASS_COMPOUND ? compound(l, n, w) : compute(l, n, w);
}
