/* moving.c: does a plan only store elements, each once, of loops that have nothing between them?
 *
 * Then blocks may be more than run at a time: they follow one another, and no multiprocessor waits for another's last.
 * Of 8192 x 8192 floats, 1024 blocks took 143 us on an H200, and 32768 131; but where there is more to do ahead of the
 * first element, blocks of few elements take longer: patches of 3 x 3 134 and 201. Where there is something between the
 * loops, each part does that again; what contributes does so once more for each.
 *
 * Requires a plan. Keeps all: it only looks. */
#include "compose/search.h"

/* The statements inside of loops that have nothing else around them, but conditions; the innermost loop's variable. */
static const Tree *innermost(const Tree *t, const Symbol **index) {
  const Tree *end;
  for (;;) {
    if (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
    else if (t->op == OP_IF && t->nkids == 2 && tree_contains(t->kid[1], OP_FOR)) t = t->kid[1];
    else if (t->op == OP_FOR && tree_counts(t, index, &end)) t = t->kid[3];
    else return t;
  }
}

typedef struct Moves { const Symbol *along; bool any, all; } Moves;

static bool find_store(void *context, const Tree *t) {
  Moves *m = context;
  if (t->op == OP_FOR || t->op == OP_WHILE) m->all = false;
  if (t->op != OP_ASSIGN || t->kid[0]->op != OP_INDEX) return true;
  const Tree *place = t->kid[0];
  const int last = place->kid[0]->op == OP_REF && place->kid[0]->symbol->by_columns ? 1 : place->nkids - 1;
  m->any = true;
  m->all &= m->along && tree_mentions(place->kid[last], m->along);
  return true;
}

/* Of a map over cuts: of one dimension lanes have neighbours in any case. */
static bool moves_rows(const PlanNode *n) {
  const Tree *map = n->rule->codelet ? plan_map_of(n->rule->codelet) : NULL;
  int most = 0;
  for (int i = 0; map && i < map->nkids; i++) {
    const int cuts = tree_cuts(map->kid[i]);
    if (cuts > most) most = cuts;
  }
  if (most < PLANE || n->combine != COMBINE_NONE) return false;
  while (n->nkids) n = n->kid[0];
  const Codelet *c = n->rule->codelet;
  if (!c || c->kind != CLASS_AUTONOMOUS) return false;
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i]->atomic) return false;
  Moves m = {NULL, false, true};
  const Tree *inside = innermost(c->body, &m.along);
  tree_visit(inside, find_store, &m);
  return m.any && m.all;
}

bool plan_moves_rows(const PlanNode *root) {
  const PlanNode *work = plan_work(root);
  if (!plan_in_steps(work)) return moves_rows(work);
  bool all = work->nkids > 0;
  for (int i = 0; i < work->nkids && all; i++) all = plan_moves_rows(work->kid[i]);
  return all;
}
