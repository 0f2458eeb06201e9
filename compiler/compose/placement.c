/* placement.c: where a CPU's threads read what is theirs (MICRO V): caching, copying, transposed copying. */
#include "compose/plan.h"

static const PlanNode *find_copying(const PlanNode *n) {
  if (n->traversal == TRAVERSE_COPYING || n->traversal == TRAVERSE_TRANSPOSED) return n;
  const PlanNode *found = NULL;
  for (int i = 0; i < n->nkids && !found; i++) found = find_copying(n->kid[i]);
  return found;
}

const PlanNode *plan_placed(const PlanNode *root) {
  const PlanNode *copying = find_copying(root);
  return copying ? copying : plan_work(root);
}

/* ---- rows ---- */

/* What a map is of. Does a matrix, the first one, have the rows or columns one behind the other, or are their elements apart? Is
 * there the whole of a container, and anything but that and rows whose elements lie apart? */
typedef struct Lines { bool contiguous, apart, whole, others; } Lines;

static bool find_lines(void *context, const Tree *t) {
  Lines *found = context;
  for (int i = 0; t->op == OP_MAP && i < t->nkids; i++) {
    const Tree *of = t->kid[i];
    const bool line = (of->op == OP_ROWS || of->op == OP_COLUMNS) && of->kid[0]->op == OP_REF;
    const bool contiguous = line && of->kid[0]->symbol->by_columns == (of->op == OP_COLUMNS);
    const bool whole = of->op == OP_REF && of->symbol->rank > 0, first = i == 0 && !found->contiguous && !found->apart;
    found->contiguous |= first && contiguous;
    found->apart |= first && line && !contiguous;
    found->whole |= whole;
    found->others |= contiguous || (!line && !whole);
  }
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_lines, found);
  return true;
}

static Lines lines_of(const Codelet *map) {
  Lines found = {0};
  tree_visit(map->body, find_lines, &found);
  return found;
}

bool plan_lines_apart(const Codelet *map) { return lines_of(map).apart; }

bool plan_lines_share(const Codelet *map) {
  const Lines lines = lines_of(map);
  return lines.whole && lines.contiguous;
}

bool plan_lines_beside(const Codelet *map) {
  const Lines lines = lines_of(map);
  return lines.apart && !lines.others;
}

/* All uses of a container: is one of them anything but in[i], or its size? */
typedef struct Uses { const Symbol *in, *i; bool others; } Uses;

static bool find_others(void *context, const Tree *t) {
  Uses *u = context;
  if (t->op == OP_SIZE || t->op == OP_STRIDE) return false;
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
  return end->op == OP_SIZE && end->kid[0]->op == OP_REF && end->kid[0]->symbol == in && plan_uses_elements(body, in, i) &&
         !tree_assigns(body, i) && !tree_contains(body, OP_BREAK) && !tree_contains(body, OP_CONTINUE);
}

bool plan_rows_transpose(const Codelet *map, const Codelet *by) {
  if (!lines_of(map).contiguous || !by || by->kind != CLASS_AUTONOMOUS || !by->nparams) return false;
  if (!by->params[0]->rank || by->params[0]->writable) return false;
  int loops = 0;
  for (int i = 0; i < by->body->nkids; i++) {
    const Tree *t = by->body->kid[i];
    if (takes_in_order(t, by->params[0])) loops++;
    else if (!plan_uses_elements(t, by->params[0], NULL)) return false;
  }
  return loops == 1;
}
