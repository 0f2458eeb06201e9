/* joins.c: how the results of a map's workers become one.
 *
 *   below the grid   lanes' results are a container of registers, warps' one of shared memory; or all accumulate one
 *                    variable there, atomically
 *   atomic           blocks accumulate where the result goes, which a kernel before has filled with the identity
 *   pushes           the leaders of a cluster's blocks store theirs in the shared memory of the first one, which alone
 *                    goes on: there is no workspace, and nothing is sent to memory that all would have to wait for
 *   next launch      blocks leave their results in the workspace
 *   ticket           so they do, and count themselves in; the last one to arrive sees what all have stored
 *   posts            each block counts itself in when it begins, while its loads are under way. The last one to begin
 *                    waits for each block's result, which comes with a mark in the same word, so that nothing else need
 *                    be ordered. All that it waits for have begun, and wait for nobody: however the blocks are put on
 *                    the machine, they get through. One trip to memory and back is left of the ticket's three
 *
 * Requires a value that is partial over the map's workers. Keeps: behind the join it is whole. */
#include "ir/operator.h"
#include "lower/maps.h"

static Tree *blocks_of(const Map *m) { return m->workers->dim->end; }

NestWay joins_way(const PlanNode *n) {
  if (n->rule->slides) return WAY_CHAIN;
  if (n->combine == COMBINE_ATOMIC) return WAY_ATOMIC;
  if (n->rule->level->real == REAL_CLUSTER) return WAY_PUSH;
  if (n->rule->level->real != REAL_GRID) return WAY_CODELET;
  const SyncKind how = plan_sync(n);
  return how == SYNC_POST ? WAY_POST : how == SYNC_TICKET ? WAY_TICKET : WAY_LAUNCH;
}

/* ---- where results go ---- */

static bool is_of_grid(const Map *m) { return m->node->rule->level->real == REAL_GRID; }

/* What holds results: memory of the grid's or of a loop's own; what a block shares; or a variable of each worker. */
static NestValue *results_of(const Map *m, NestWay way, Type type) {
  Lowering *l = m->l;
  Program *p = l->program;
  const bool atomic = way == WAY_ATOMIC, loop = m->workers->at != NULL;
  Tree *many = atomic ? build_index(l->a, 1) : m->workers->dim->end, *room = atomic ? NULL : many;
  Tree *stored = m->e.private && is_of_grid(m) ? build_mul(l->a, many, build_index(l->a, 2)) : many; /* and what stands
                                                                                           before them */
  Symbol *memory = loop ? lowering_array(l, "part", type, many) : NULL;
  if (is_of_grid(m) && atomic) memory = m->to->place->kid[0]->symbol;
  else if (is_of_grid(m)) {
    const bool posts = way == WAY_POST;
    memory = posts && p->posts ? p->posts : lowering_pointer(l, posts ? "posts" : "partial", posts ? TYPE_ULONG : type);
    *(posts ? &p->posts : &p->partial) = memory;
    if (!posts) program_add_array(l->a, p, memory, stored);
  } else if (way == WAY_PUSH) room = build_index(l->a, l->plan->sizes.at[m->node->axis.size].tunable.max);
  const bool lanes = !memory && way == WAY_CODELET && m->sub.level->real != REAL_WARP;
  NestValue *v = nest_shared(l->a, NULL, atomic ? "total" : "parts", type, room);
  if (memory || lanes)
    v = nest_value(l->a, memory ? memory->name : "part", loop || lanes ? NEST_REGISTERS : NEST_MEMORY);
  v->view = view_new(l, lanes ? (View){.size = many} : view_of_memory(l, memory ? memory : v->symbol, many));
  if (v->symbol && atomic) v->is = operator_identity(l->a, m->node->rule->codelet->spectrum->op, type);
  return v;
}

void joins_declare(Map *m, NestWay way) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const bool grid = is_of_grid(m);
  Tree *worker = m->workers->number ? m->workers->number : m->workers->at;
  NestValue *v = m->results = results_of(m, way, m->node->kid[0]->rule->spectrum->result);
  if (way != WAY_ATOMIC) nest_keep(a, v, m->workers);
  nest_partial(a, v, m->workers);
  if (way == WAY_ATOMIC)
    m->each = (Destination){.kind = TO_ATOMIC,
                            .place = grid ? m->to->place : v->now,
                            .scope = grid ? SCOPE_DEVICE : SCOPE_BLOCK,
                            .atomic = operator_atomic_of_map(m->node->rule->codelet)};
  else if (!v->view->source.base) m->each = (Destination){.kind = TO_REGISTER, .value = v};
  else m->each = (Destination){.kind = way == WAY_POST ? TO_POST : way == WAY_PUSH ? TO_FIRST_BLOCK : TO_PLACE,
                               .place = build_element(a, v->view->source.base, worker)};
  if (!m->e.private || !grid) return;
  m->e.private_view = view_new(l, *v->view);
  m->e.private_view->begin = blocks_of(m);
  m->e.private_view->end = build_mul(a, blocks_of(m), build_index(a, 2));
}

/* A pointer that the kernel is given; `known' by an earlier kernel, NULL: it is not. */
static Symbol *given(Map *m, NestNode *home, const char *name, Type type, Symbol *known) {
  NestValue *v = nest_value(m->l->a, name, NEST_MEMORY);
  v->symbol = known ? known : symbol_new(m->l->a, SYMBOL_LOCAL, name, type);
  v->symbol->pointer = v->symbol->writable = true;
  vec_push(m->l->a, &home->home, v);
  return v->symbol;
}

/* The leader of each block has a value; all its lanes, where it is shared, get it. */
static void set_by_leader(Map *m, NestNode *to, NestValue *v, Tree *value) {
  Arena *a = m->l->a;
  NestNode *sync = nest_add(a, to, nest_sync(a, build_if(a, m->place.leader, build_assign(a, v->now, value))));
  nest_access(a, sync, v, USE_WRITE);
}

void joins_begin(Map *m, NestNode *parts) {
  Arena *a = m->l->a;
  if (m->each.kind != TO_POST) return;
  m->l->program->arrived = given(m, parts, "begun", TYPE_UINT, m->l->program->arrived);
  m->begun_last = nest_number(a, parts, "begun_last", TYPE_BOOL, tree_int(a, TYPE_BOOL, 0));
  m->begun_last->symbol->constant = false;
  Tree *begin = tree_binary(a, OP_BEGIN, TYPE_BOOL, tree_ref(a, m->l->program->arrived), blocks_of(m));
  set_by_leader(m, parts, m->begun_last, begin);
}

/* ---- all of them ---- */

/* What makes one of a container of results. */
static NestNode *combined(Map *m, const PlanNode *n, NestValue *results) {
  Lowering *l = m->l;
  const bool next = joins_way(m->node) == WAY_LAUNCH;
  const Arguments of_all = next && m->e.private ? lowering_called(l, &m->e, lowering_call(m->e.codelet), results->view)
                                            : lowering_of(results->view);
  const Place place = next ? lowering_place(l, m->node->rule->level) : m->place;
  NestNode *made = open_plan(l, n, &place, &of_all, m->to);
  nest_access(l->a, made, results, USE_READ);
  return made;
}

/* Its leader has stored the block's own result and now counts it in: what is stored before is seen by the last one. */
static NestNode *by_ticket(Map *m, const PlanNode *n) {
  Arena *a = m->l->a;
  NestNode *made = nest_node(a, NEST_SEQ, "the last block to arrive combines the results");
  Symbol *arrived = m->l->program->arrived = given(m, made, "arrived", TYPE_UINT, m->l->program->arrived);
  NestValue *last = nest_shared(a, made, "last", TYPE_BOOL, NULL);
  set_by_leader(m, made, last, tree_binary(a, OP_ARRIVE, TYPE_BOOL, tree_ref(a, arrived), blocks_of(m)));
  nest_add(a, made, nest_when(a, last->now, combined(m, n, m->results), NULL));
  return made;
}

/* Every lane takes its share of the results into shared memory; there they are a container like any other. */
static NestNode *collect(Map *m, NestValue *parts) {
  Lowering *l = m->l;
  Arena *a = l->a;
  NestAxis *x = nest_dimension(a, "results", ROLE_MAP, build_index(a, 0), blocks_of(m));
  Tree *i = nest_count(a, x, "i", TYPE_INDEX);
  NestAxis *lane = nest_split_workers(a, x, "lane", m->place.lanes, m->place.level->name, m->place.lane);
  Tree *taken = tree_binary(a, OP_COLLECT, parts->symbol->type, tree_ref(a, l->program->posts), i);
  NestNode *store = nest_sync(a, build_assign(a, build_element(a, parts->symbol, i), taken));
  nest_access(a, store, parts, USE_WRITE);
  nest_access(a, store, m->results, USE_READ);
  return nest_over(a, x, nest_over(a, lane, store));
}

static NestNode *by_posts(Map *m, const PlanNode *n) {
  Lowering *l = m->l;
  Arena *a = l->a;
  NestNode *made = nest_node(a, NEST_SEQ, "the last block to begin combines the results"),
           *all = nest_node(a, NEST_SEQ, NULL);
  NestValue *last = nest_shared(a, made, "last", TYPE_BOOL, NULL);
  Tree *most = build_index(a, posting_blocks(l->plan->spectrum->widest));
  NestValue *parts = nest_shared(a, made, "parts", m->node->kid[0]->rule->spectrum->result, most);
  parts->view = view_new(l, view_of_memory(l, parts->symbol, blocks_of(m)));
  set_by_leader(m, made, last, m->begun_last->now);
  nest_add(a, all, collect(m, parts));
  nest_add(a, all, combined(m, n, parts));
  nest_add(a, made, nest_when(a, last->now, all, NULL));
  return made;
}

/* The barrier pass finds the barriers. */
static NestNode *by_pushes(Map *m, const PlanNode *n) {
  Arena *a = m->l->a;
  const char *block = m->sub.level->name, *cluster = m->node->rule->level->name;
  NestNode *made = nest_node(a, NEST_SEQ, arena_printf(a, "%s > %s: the first %s acts for all", cluster, block, block));
  Tree *first = build_compare(a, OP_EQ, m->workers->number, tree_int(a, TYPE_INT, 0));
  nest_add(a, made, nest_when(a, first, combined(m, n, m->results), NULL));
  return made;
}

NestNode *joins_by(Map *m, NestWay way) {
  const bool one_block = way == WAY_TICKET || way == WAY_POST;
  if (way == WAY_ATOMIC) return NULL;
  if (m->node->combine == COMBINE_PARTIAL) return partial_add(m);
  const PlanNode *n = one_block || way == WAY_PUSH ? m->node->kid[1]->kid[0] : m->node->kid[1];
  if (one_block && lowering_serves(m->l, n, m->place.level)) {
    lowering_fail(m->l, m->l->plan->spectrum->where, "one block cannot serve any number of results so");
    return nest_node(m->l->a, NEST_SEQ, NULL);
  }
  return way == WAY_TICKET ? by_ticket(m, n) : way == WAY_POST ? by_posts(m, n) : way == WAY_PUSH ? by_pushes(m, n)
                                                                                        : combined(m, n, m->results);
}

/* ---- what stands before parts that were summed up ---- */

/* Does the codelet return what the spectrum that it calls gives? */
static bool returns_total(const Codelet *c) {
  const Tree *last = c->body->nkids ? c->body->kid[c->body->nkids - 1] : NULL;
  const Tree *value = last && last->op == OP_RETURN && last->nkids ? last->kid[0] : NULL;
  if (value && value->op == OP_REF) value = tree_declared(c->body, value->symbol);
  return value && value->op == OP_CALL;
}

bool joins_carried(Map *m) {
  const Codelet *c = m->node->rule->codelet;
  m->e.private = rules_private_container(c);
  return (m->e.private && (!m->to->place || returns_total(c))) ||
         lowering_fail(m->l, c->where, "it is not said what becomes of the sums of the parts");
}

/* Its leader clears what the block had of the workspace: words of grids that slide lie there, which are zero or of
 * earlier calls. A process has none of these. */
NestNode *joins_open_again(Lowering *l, const PlanNode *n, Work *w) {
  Map *m = w->begun;
  Arena *a = l->a;
  Symbol *partial = l->program->partial;
  NestNode *made = nest_node(a, NEST_SEQ, NULL);
  for (int i = 0; i < w->in.n && !l->plan->machine->is_cpu; i++) {
    if (m->again.map->kid[i]->op != OP_ELEMENTS) continue;
    Tree *own = m->workers->number, *zero = tree_int(a, partial->type, 0);
    NestValue *before = nest_shared(a, made, "before", partial->type, NULL);
    Tree *steps[] = {build_assign(a, before->now, w->in.at[i].number),
                     build_assign(a, build_element(a, partial, own), zero),
                     build_assign(a, build_element(a, partial, build_add(a, blocks_of(m), own)), zero)};
    NestNode *sync = nest_add(a, made, nest_sync(a, build_if(a, m->place.leader, tree_seq(a, steps, 3))));
    sync->comment = arena_printf(a, "the %s's own words of the workspace are left zero", m->place.level->name);
    nest_access(a, sync, before, USE_WRITE);
    w->in.at[i].number = before->now;
  }
  nest_add(a, made, open_plan(l, n, &w->place, &w->in, w->to));
  return made;
}
