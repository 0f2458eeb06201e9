/* joins.c: how the results of a map's workers become one.
 *
 *   below the grid   lanes' results are a container of registers, warps' one of shared memory; or all accumulate one
 *                    variable there, atomically
 *   atomic           blocks accumulate where the result goes, which a kernel before has filled with the identity
 *   pushes           the leaders of a cluster's blocks store theirs in the shared memory of the first one, which alone goes
 *                    on: there is no workspace, and nothing is sent to memory that all would have to wait for
 *   next launch      blocks leave their results in the workspace
 *   ticket           so they do, and count themselves in; the last one to arrive sees what all have stored
 *   posts            each block counts itself in when it begins, while its loads are under way. The last one to begin waits
 *                    for each block's result, which comes with a mark in the same word, so that nothing else need be
 *                    ordered. All that it waits for have begun, and wait for nobody: however the blocks are put on the
 *                    machine, they get through. One trip to memory and back is left of the ticket's three */
#include "ir/operator.h"
#include "lower/block.h"
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

static void declare_total(Map *m) {
  Lowering *l = m->l;
  Arena *a = l->a;
  const Codelet *c = m->node->rule->codelet;
  Symbol *total = lowering_shared(l, "total", m->node->kid[0]->rule->spectrum->result, NULL);
  Tree *identity = operator_identity(a, c->spectrum->op, total->type);
  Tree *first = build_compare(a, OP_EQ, build_lane(a, OP_THREAD), tree_int(a, TYPE_INT, 0));
  vec_push(a, &l->now.start, build_if(a, first, build_assign(a, tree_ref(a, total), identity)));
  m->each = (Destination){.kind = TO_ATOMIC, .place = tree_ref(a, total), .scope = SCOPE_BLOCK,
                          .atomic = operator_atomic_of_map(c)};
}

void joins_declare(Map *m, NestWay way) {
  Lowering *l = m->l;
  Arena *a = l->a;
  Program *p = l->program;
  Tree *worker = m->workers->number;
  if (way == WAY_ATOMIC && is_of_grid(m))
    m->each = (Destination){.kind = TO_ATOMIC, .place = m->to->place, .scope = SCOPE_DEVICE,
                            .atomic = operator_atomic_of_map(m->node->rule->codelet)};
  else if (way == WAY_ATOMIC) declare_total(m);
  else if (way == WAY_POST) {
    p->posts = lowering_pointer(l, "posts", TYPE_ULONG);
    m->each = (Destination){.kind = TO_POST, .place = build_element(a, p->posts, worker)};
  } else if (way == WAY_PUSH) {
    Tree *most = build_index(a, l->plan->sizes.at[m->node->axis.size].tunable.max);
    Symbol *parts = lowering_shared(l, "parts", m->node->kid[0]->rule->spectrum->result, most);
    m->each = (Destination){.kind = TO_FIRST_BLOCK, .place = build_element(a, parts, worker)};
  } else if (way != WAY_CODELET) {
    p->partial = lowering_pointer(l, "partial", m->node->kid[0]->rule->spectrum->result);
    m->each = (Destination){.kind = TO_PLACE, .place = build_element(a, p->partial, worker)};
  } else if (m->sub.level->real == REAL_WARP) {
    Symbol *results = lowering_shared(l, "parts", m->node->kid[0]->rule->spectrum->result, m->workers->dim->end);
    m->each = (Destination){.kind = TO_PLACE, .place = build_element(a, results, worker)};
  } else m->each = (Destination){.kind = TO_REGISTER, .name = "part"};
  if (is_of_grid(m) && way != WAY_ATOMIC) p->workspace_elements = way == WAY_POST ? build_index(a, 0) : blocks_of(m);
  if (!m->e.own || !is_of_grid(m)) return;
  p->workspace_elements = build_mul(a, blocks_of(m), build_index(a, 2)); /* sums, and what stands before them */
  m->e.own_view = view_new(l, view_of_memory(l, p->partial, blocks_of(m)));
  m->e.own_view->begin = blocks_of(m);
  m->e.own_view->end = p->workspace_elements;
}

void joins_begin(Map *m) {
  Lowering *l = m->l;
  Arena *a = l->a;
  if (m->each.kind != TO_POST) return;
  l->program->arrived = lowering_pointer(l, "begun", TYPE_UINT);
  m->begun_last = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "begun_last"), TYPE_BOOL);
  Tree *begin = tree_binary(a, OP_BEGIN, TYPE_BOOL, tree_ref(a, l->program->arrived), blocks_of(m));
  lowering_add(l, build_declare(a, m->begun_last, tree_int(a, TYPE_BOOL, 0)));
  lowering_add(l, build_if(a, m->place.leader, build_assign(a, tree_ref(a, m->begun_last), begin)));
}

/* ---- one block goes on ---- */

/* What one block does with the results of all. */
static void by_one_block(Map *m, const PlanNode *n, View *all, Tree *which, Tree *before) {
  Lowering *l = m->l;
  Block b;
  Arguments of_all = lowering_of(all);
  block_open(l, &b);
  if (before) lowering_add(l, before);
  lowering_node(l, n, &m->place, &of_all, m->to);
  block_close_guarded(l, &b, which);
}

/* Its leader has stored the block's own result and now counts it in: what is stored before is seen by the last one. */
static void by_ticket(Map *m, const PlanNode *n) {
  Lowering *l = m->l;
  Arena *a = l->a;
  View all = view_of_memory(l, l->program->partial, blocks_of(m));
  l->program->arrived = lowering_pointer(l, "arrived", TYPE_UINT);
  Symbol *last = lowering_shared(l, "last", TYPE_BOOL, NULL);
  Tree *arrive = tree_binary(a, OP_ARRIVE, TYPE_BOOL, tree_ref(a, l->program->arrived), blocks_of(m));
  lowering_comment(l, "the last block to arrive combines the results");
  lowering_add(l, build_if(a, m->place.leader, build_assign(a, tree_ref(a, last), arrive)));
  by_one_block(m, n, &all, tree_ref(a, last), NULL);
}

/* Every lane takes its share of the results into shared memory; there they are a container like any other. */
static Tree *collect(Map *m, Symbol *parts) {
  Lowering *l = m->l;
  Arena *a = l->a;
  Symbol *i = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "i"), TYPE_INDEX);
  Tree *taken = tree_binary(a, OP_COLLECT, parts->type, tree_ref(a, l->program->posts), tree_ref(a, i));
  Tree *store = build_assign(a, build_element(a, parts, tree_ref(a, i)), taken);
  return build_for(a, i, m->place.lane, blocks_of(m), m->place.lanes, store);
}

static void by_posts(Map *m, const PlanNode *n) {
  Lowering *l = m->l;
  Arena *a = l->a;
  Symbol *last = lowering_shared(l, "last", TYPE_BOOL, NULL);
  Tree *most = build_index(a, posting_blocks(l->plan->spectrum->widest));
  Symbol *parts = lowering_shared(l, "parts", l->program->result, most);
  View all = view_of_memory(l, parts, blocks_of(m));
  lowering_comment(l, "the last block to begin combines the results");
  lowering_add(l, build_if(a, m->place.leader, build_assign(a, tree_ref(a, last), tree_ref(a, m->begun_last))));
  by_one_block(m, n, &all, tree_ref(a, last), collect(m, parts));
}

/* The barrier pass finds the barriers. */
static void by_pushes(Map *m, const PlanNode *n) {
  Lowering *l = m->l;
  const char *block = m->sub.level->name;
  View all = view_of_memory(l, m->each.place->kid[0]->symbol, l->now.kernel->cluster);
  lowering_comment(l, "%s > %s: the first %s acts for all", m->node->rule->level->name, block, block);
  by_one_block(m, n, &all, build_compare(l->a, OP_EQ, m->workers->number, tree_int(l->a, TYPE_INT, 0)), NULL);
}

/* ---- what stands before parts that were summed up ---- */

/* Does the codelet return what the spectrum that it calls gives? */
static bool returns_total(const Codelet *c) {
  const Tree *last = c->body->nkids ? c->body->kid[c->body->nkids - 1] : NULL;
  const Tree *value = last && last->op == OP_RETURN && last->nkids ? last->kid[0] : NULL;
  for (int i = 0; value && value->op == OP_REF && i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op == OP_DECLARE && t->symbol == value->symbol) value = t->nkids ? t->kid[0] : NULL;
  }
  return value && value->op == OP_CALL;
}

bool joins_own(Map *m) {
  const Codelet *c = m->node->rule->codelet;
  m->e.own = privatise_container(c);
  return (m->e.own && (!m->to->place || returns_total(c))) ||
         lowering_fail(m->l, c->where, "it is not said what becomes of the sums of the parts");
}

/* Its leader clears what the block had of the workspace: words of grids that slide lie there, which are zero or of earlier
 * calls. A process has none of these. */
void joins_take(Map *m, Arguments *part) {
  Lowering *l = m->l;
  Arena *a = l->a;
  Symbol *partial = l->program->partial;
  for (int i = 0; i < part->n && !l->plan->machine->is_cpu; i++) {
    if (m->again.map->kid[i]->op != OP_ELEMENTS) continue;
    Tree *own = m->workers->number, *zero = tree_int(a, partial->type, 0);
    Symbol *before = lowering_shared(l, "before", partial->type, NULL);
    Tree *steps[] = {build_assign(a, tree_ref(a, before), part->at[i].number),
                     build_assign(a, build_element(a, partial, own), zero),
                     build_assign(a, build_element(a, partial, build_add(a, blocks_of(m), own)), zero)};
    lowering_comment(l, "the %s's own words of the workspace are left zero", m->place.level->name);
    lowering_add(l, build_if(a, m->place.leader, tree_seq(a, steps, 3)));
    part->at[i].number = tree_ref(a, before);
  }
}

/* ---- all of them ---- */

/* Lanes' or warps' results are a container of the place around them. */
static void by_codelet(Map *m, const PlanNode *n) {
  Lowering *l = m->l;
  Tree *many = m->workers->dim->end;
  View all = {.source.register_of = m->each.value, .size = many};
  if (m->each.kind == TO_PLACE) all = view_of_memory(l, m->each.place->kid[0]->symbol, many);
  Arguments of_all = lowering_of(&all);
  lowering_node(l, n, &m->place, &of_all, m->to);
}

static void by_next_launch(Map *m, const PlanNode *n) {
  Lowering *l = m->l;
  View all = view_of_memory(l, l->program->partial, blocks_of(m));
  Arguments of_all = m->e.own ? lowering_called(l, &m->e, &all) : lowering_of(&all);
  if (m->e.own) grid_lower_one(l, n, &of_all, m->to->place, m->launches);
  else grid_lower(l, n, &of_all, m->to->place, m->sizes, m->launches);
}

/* Of a chain: what stands before the tile at hand, and behind it for the next one. */
static void by_chain(Map *m) {
  Arena *a = m->l->a;
  const Spectrum *s = m->node->rule->spectrum;
  Tree *kids[] = {tree_ref(a, m->l->program->tickets), m->workers->number, m->before, m->each.place};
  Tree *t = build_tree(a, OP_CHAIN, s->result, kids, 4);
  t->combines = s->op;
  m->before = tree_ref(a, lowering_fixed(m->l, "before", s->result, t));
}

void joins_combine(Map *m, const NestNode *join) {
  Lowering *l = m->l;
  const NestWay way = join->join->way;
  const PlanNode *n = join->kids.n ? join->kids.at[0]->plan : NULL;
  if (l->failed) return;
  const bool one_block = way == WAY_TICKET || way == WAY_POST;
  if (one_block && lowering_serves(l, n, m->place.level)) {
    lowering_fail(l, l->plan->spectrum->where, "one block cannot serve any number of results so");
    return;
  }
  switch (way) {
    case WAY_CODELET: by_codelet(m, n); break;
    case WAY_ATOMIC: if (!is_of_grid(m)) lowering_deliver(l, &m->place, m->each.place, m->to); break;
    case WAY_LAUNCH: by_next_launch(m, n); break;
    case WAY_TICKET: by_ticket(m, n); break;
    case WAY_POST: by_posts(m, n); break;
    case WAY_PUSH: by_pushes(m, n); break;
    case WAY_CHAIN: by_chain(m); break;
    default: break; /* no map's */
  }
}
