/* placement.c: how workers read what is theirs (MICRO V). A CPU's threads: from the cache, or a copy; rows transposed,
 * or several at once; by half vectors. A GPU's lanes: tiles in registers and shared memory. */
#include "compose/search.h"
#include "ir/signature.h"

static bool copies(const PlanNode *n) {
  return n->traversal == TRAVERSE_COPYING || n->traversal == TRAVERSE_TRANSPOSED;
}

const PlanNode *plan_placed(const PlanNode *root) {
  const PlanNode *copying = plan_find(root, copies);
  return copying ? copying : plan_work(root);
}

/* ---- rows ---- */

/* A container, or what a function makes of its elements: the same for all parts. */
static bool is_whole(const Tree *t) {
  bool all = t->op == OP_TRANSFORM;
  for (int i = 0; all && i < t->nkids; i++) all = t->kid[i]->op == OP_REF && t->kid[i]->symbol->rank > 0;
  return all || (t->op == OP_REF && t->symbol->rank > 0);
}

/* Of the first map of rows(A) or columns(A) before all else: does A have these one behind the other, or are their
 * elements apart? And of all arguments. */
static bool find_lines(void *context, const Tree *t) {
  PlanLines *found = context;
  for (int i = 0; t->op == OP_MAP && i < t->nkids; i++) {
    const Tree *of = t->kid[i];
    const bool line = (of->op == OP_ROWS || of->op == OP_COLUMNS) && of->kid[0]->op == OP_REF;
    const bool contiguous = line && of->kid[0]->symbol->by_columns == (of->op == OP_COLUMNS);
    const bool whole = is_whole(of);
    found->ragged |= of->op == OP_PARTITION && tree_sequence(of->kid[2])->nkids == 4;
    if (i == 0 && line && !found->strided && !found->contiguous) {
      found->contiguous = contiguous;
      found->strided = !contiguous;
    }
    found->whole |= whole;
    found->others |= line ? contiguous : !whole;
  }
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_lines, found);
  return true;
}

PlanLines plan_lines(const Codelet *map) {
  PlanLines found = {0};
  tree_visit(map->body, find_lines, &found);
  return found;
}

/* All uses of a container: is one of them anything but in[i], or its size? */
typedef struct Uses { const Symbol *in, *i; bool others; } Uses;

static bool find_others(void *context, const Tree *t) {
  Uses *u = context;
  if (tree_is_extent(t)) return false;
  bool element = t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol == u->in;
  if (element && t->nkids == 2 && t->kid[1]->op == OP_REF && t->kid[1]->symbol == u->i) return false;
  if (t->op == OP_REF && t->symbol == u->in) u->others = true;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_others, u);
  return true;
}

bool plan_uses_elements(const Tree *t, const Symbol *in, const Symbol *i) {
  Uses uses = {in, i, false};
  tree_visit(t, find_others, &uses);
  return !uses.others;
}

/* for (i = 0; i < in.Size(); ++i), which reads in[i]. */
static bool takes_in_order(const Tree *t, const Symbol *in) {
  const Symbol *i;
  const Tree *end;
  if (!tree_counts(t, &i, &end)) return false;
  const Tree *body = t->kid[3];
  return end->op == OP_SIZE && end->kid[0]->op == OP_REF && end->kid[0]->symbol == in &&
         plan_uses_elements(body, in, i) && !tree_assigns(body, i) && !tree_contains(body, OP_BREAK) &&
         !tree_contains(body, OP_CONTINUE);
}

bool plan_rows_transpose(const Codelet *map, const Codelet *by) {
  if (!plan_lines(map).contiguous || !by || by->kind != CLASS_AUTONOMOUS || !by->nparams) return false;
  if (!by->params[0]->rank || by->params[0]->writable) return false;
  int loops = 0;
  for (int i = 0; i < by->body->nkids; i++) {
    const Tree *t = by->body->kid[i];
    if (takes_in_order(t, by->params[0])) loops++;
    else if (!plan_uses_elements(t, by->params[0], NULL)) return false;
  }
  return loops == 1;
}

const PlanNode *plan_step_of_rows(const PlanNode *root) {
  const PlanNode *steps = plan_work(root);
  for (int i = 0; plan_in_steps(steps) && i < steps->nkids; i++) {
    const PlanNode *n = plan_work(steps->kid[i]);
    if (!n->rule->codelet || !n->rule->explicit_count) continue;
    const Tree *map = plan_map_of(n->rule->codelet);
    if (map && signature_goes_together(map->spectrum)) return n;
  }
  return NULL;
}

/* ---- alternatives ---- */

/* Are parts of one of the map's arguments lines in memory, one behind the other? */
static bool has_lines(const Codelet *map) {
  const Tree *t = plan_map_of(map);
  for (int i = 0; t && i < t->nkids; i++) {
    const Tree *of = t->kid[i];
    if ((of->op == OP_ROWS || of->op == OP_COLUMNS) && of->kid[0]->op == OP_REF &&
        of->kid[0]->symbol->by_columns == (of->op == OP_COLUMNS))
      return true;
  }
  return false;
}

/* Lanes of a block that each have a row, whose elements lie side by side, and work alone: the block's rows are copied
 * to shared memory together, in the order of memory, before each lane goes through its own, however often. As one run
 * only where copies are made while lanes go on. */
PlanNode *placement_in_rows(Arena *a, const Arch *m, const PlanNode *map, Traversal how) {
  const Rule *r = map->rule;
  const Codelet *each = map->nkids ? map->kid[0]->rule->codelet : NULL;
  const bool lanes = r->explicit_count && r->parts->can.lanes == LANES_ONE && r->map == STEP_SPLIT;
  const bool shares = m->shared_bytes_block > 0 && !m->one_vector && (how == TRAVERSE_ROWS || m->can.async_copy);
  if (!lanes || !shares || !each || each->kind != CLASS_AUTONOMOUS || !has_lines(r->codelet)) return NULL;
  if (!each->nparams || !each->params[0]->rank || each->params[0]->writable) return NULL;
  for (int i = 1; i < each->nparams; i++) /* a copy has not what is written meanwhile, where a call is in place */
    if (each->params[i]->rank && each->params[i]->writable && !each->params[i]->atomic) return NULL;
  PlanNode *n = arena_one(a, PlanNode);
  *n = *map;
  n->traversal = how;
  return n;
}

/* Those from the first on that hold vectors in registers. */
static PlanNodes vectorised_nodes(Arena *a, const PlanNodes *nodes, int first) {
  PlanNodes of = {0};
  for (int i = first; i < nodes->n; i++)
    if (plan_is_vectorised(nodes->at[i])) vec_push(a, &of, nodes->at[i]);
  return of;
}

/* A map over rows, one a lane, of which blocks are copied and transposed. */
static void add_transposed(Arena *a, const Arch *m, const Rule *r, const PlanNodes *kids, PlanNodes *to) {
  enum { FEWEST_LANES = 4 };
  for (int i = 0; i < kids->n && m->vector_width >= FEWEST_LANES; i++) {
    if (!plan_rows_transpose(r->codelet, kids->at[i]->rule->codelet)) continue;
    PlanNode *n = plan_map(a, r, kids->at[i], NULL, COMBINE_NONE);
    n->traversal = TRAVERSE_TRANSPOSED;
    vec_push(a, to, n);
  }
}

/* A map over rows, one a thread at a time, that are taken several at once: the cheapest of those that hold much in
 * registers. */
static void add_jammed(Arena *a, const Rule *r, const PlanNodes *kids, PlanNodes *to) {
  const PlanNodes of = vectorised_nodes(a, kids, 0);
  const PlanLines lines = plan_lines(r->codelet);
  for (int i = 0; i < of.n && (lines.contiguous && lines.whole); i++) {
    if (prune_cost(of.at[i]) > prune_cost(prune_cheapest(&of))) continue;
    PlanNode *n = plan_map(a, r, of.at[i], NULL, COMBINE_NONE);
    n->traversal = TRAVERSE_JAMMED;
    vec_push(a, to, n);
  }
}

int placement_of_rows(Arena *a, const Arch *m, const Rule *r, const PlanNodes *kids, PlanNodes *to) {
  const int before = to->n;
  if (!r->level->can.launched || !r->below->can.copies) return 0;
  if (r->map == STEP_SPLIT) add_transposed(a, m, r, kids, to);
  if (r->map == STEP_DISTRIBUTE) add_jammed(a, r, kids, to);
  return to->n - before;
}

/* Of what lanes hold, a maximum or minimum begins as what is in memory, since no identity is one for NaN, too: others
 * may not contribute to it there meanwhile. */
static bool selects(const PlanTiles *t) {
  const AtomicOp by = t->leaf->rule->codelet->params[t->written]->atomic;
  return t->reduces && (by == ATOMIC_MAX || by == ATOMIC_MIN);
}

/* Are all operands that are staged cut by panels? */
static bool in_panels(const PlanTiles *t) {
  bool all = t->loop != NULL;
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++)
    if (plan_tile_is_staged(t, i)) all &= plan_tile_panelled(t, i) >= 0;
  return all;
}

/* Do so many operands' elements lie one after another along what is added up, as groups take them of that size? */
static bool are_along(const PlanTiles *t, int bytes) {
  int along = 0, all = 0;
  const Codelet *c = t->leaf->rule->codelet;
  for (int i = 0; i < c->nparams; i++)
    if (plan_tile_is_staged(t, i)) {
      all++;
      along += plan_tile_panelled(t, i) == !c->params[i]->by_columns;
    }
  return bytes == GROUP_HALF || (t->rank == PLANE && (bytes == GROUP_BYTE ? along == all : along > 0));
}

/* Do groups of warps multiply all that the codelet is compiled for? Boxes are of rows and columns, which panels cut. */
static bool by_groups(const PlanTiles *t, const Arch *m) {
  const Codelet *c = t->leaf->rule->codelet;
  const Spectrum *s = c->spectrum;
  bool all = t->multiplies && s->elements.n > 0;
  for (int i = 0; i < c->nparams; i++)
    if (plan_tile_is_staged(t, i)) all &= plan_tile_panelled(t, i) >= c->params[i]->rank - PLANE;
  for (int i = 0; i < s->elements.n; i++) all &= arch_group_matrix(m, s->elements.at[i]) != NULL;
  return all && s->narrowest == s->broadest && are_along(t, s->narrowest);
}

/* A CPU's threads, whose panels are packed, or read where they lie. */
static PlanNode *packed(Arena *a, const Rule *r, const PlanNode *kid, Traversal how) {
  PlanNode *thread = arena_one(a, PlanNode);
  *thread = *kid;
  thread->traversal = how;
  return plan_map(a, r, thread, NULL, COMBINE_NONE);
}

/* Do a cluster's blocks add what they contribute to the same tile, of rows and columns? Where groups of warps multiply,
 * a tile is delivered otherwise. */
static bool meets_in_cluster(const Arch *m, const PlanTiles *t, Traversal how) {
  return arch_reaching(m) && plan_tiles_meet(t) && t->rank == PLANE && how == TRAVERSE_PIPED;
}

int placement_of_tiles(Arena *a, const Arch *m, const Rule *r, const PlanNodes *kids, PlanNodes *to) {
  const int before = to->n;
  for (int i = 0; i < kids->n; i++) {
    PlanTiles t;
    PlanNode *plain = plan_map(a, r, kids->at[i], NULL, COMBINE_NONE);
    if (!plan_tiles(plain, &t) || atomic_stores(t.leaf->rule->codelet->params[t.written]->atomic)) continue;
    if (t.packs && t.several) continue;
    if (t.packs) {
      if (plan_tiles_pack(&t)) vec_push(a, to, packed(a, r, kids->at[i], TRAVERSE_PACKED));
      if (plan_tiles_hold(&t)) vec_push(a, to, packed(a, r, kids->at[i], TRAVERSE_HELD));
      continue;
    }
    bool stages = false;
    for (int k = 0; k < t.leaf->rule->codelet->nparams; k++) stages |= plan_tile_is_staged(&t, k);
    for (Traversal how = TRAVERSE_HELD; how <= TRAVERSE_PRODUCED; how++) {
      if (how == TRAVERSE_HELD && (!t.reduces || t.multiplies || t.rank < PLANE)) continue;
      const bool windows = how == TRAVERSE_WINDOWED || how == TRAVERSE_STREAMED;
      if (windows ? !plan_tiles_have_windows(&t) : t.several) continue;
      if (how == TRAVERSE_STREAMED && plan_tiles_stream(&t) < 0) continue;
      if (how >= TRAVERSE_STAGED && !stages) continue;
      if (how == TRAVERSE_PREFETCHED && !t.loop) continue;
      if (how == TRAVERSE_PIPED && !(m->can.async_copy && in_panels(&t))) continue;
      if (how >= TRAVERSE_BULK && !(m->can.bulk_copy && in_panels(&t) && by_groups(&t, m))) continue;
      PlanNode *block = arena_one(a, PlanNode);
      *block = *kids->at[i];
      block->traversal = how;
      if (!(selects(&t) && contributions_share(plain))) vec_push(a, to, plan_map(a, r, block, NULL, COMBINE_NONE));
      if (plan_tiles_meet(&t)) vec_push(a, to, plan_map(a, r, block, NULL, COMBINE_PARTIAL));
      if (meets_in_cluster(m, &t, how)) vec_push(a, to, plan_map(a, r, block, NULL, COMBINE_CLUSTER));
    }
  }
  return to->n - before;
}

/* A view's elements are computed of several arrays, most often, and runs of memory that are read side by side may come
 * faster so. */
int placement_by_halves(Arena *a, const Arch *m, const Rule *r, int widest, int first, PlanNodes *to) {
  const int64_t half = m->measured.half_bytes;
  const bool larger = m->vector_bytes > half && widest <= half;
  if (!larger || r->privatises || r->map != STEP_DISTRIBUTE || r->below->can.lanes != LANES_ONE) return 0;
  const PlanNodes of = vectorised_nodes(a, to, first);
  if (!of.n) return 0;
  PlanNode *n = arena_one(a, PlanNode);
  *n = *prune_cheapest(&of);
  n->traversal = TRAVERSE_HALVES;
  vec_push(a, to, n);
  return 1;
}
