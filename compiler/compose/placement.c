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

/* A map of rows(A) or columns(A) before all else: does A have these one behind the other, or are their elements apart? */
typedef struct Lines { bool contiguous, apart; } Lines;

static bool find_lines(void *context, const Tree *t) {
  Lines *found = context;
  const Tree *of = t->op == OP_MAP && t->nkids ? t->kid[0] : NULL;
  if (of && (of->op == OP_ROWS || of->op == OP_COLUMNS) && of->kid[0]->op == OP_REF) {
    found->contiguous = of->kid[0]->symbol->by_columns == (of->op == OP_COLUMNS);
    found->apart = !found->contiguous;
  }
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_lines, found);
  return !found->contiguous && !found->apart;
}

static Lines lines_of(const Codelet *map) {
  Lines found = {false, false};
  tree_visit(map->body, find_lines, &found);
  return found;
}

bool plan_lines_apart(const Codelet *map) { return lines_of(map).apart; }

/* Is there an argument that is the whole of a container? */
static bool find_whole(void *context, const Tree *t) {
  bool *whole = context;
  for (int i = 0; t->op == OP_MAP && i < t->nkids; i++)
    *whole |= t->kid[i]->op == OP_REF && t->kid[i]->symbol->rank > 0;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_whole, whole);
  return !*whole;
}

bool plan_lines_share(const Codelet *map) {
  bool whole = false;
  tree_visit(map->body, find_whole, &whole);
  return whole && lines_of(map).contiguous;
}

/* Is one of the parts neither a line whose elements lie apart nor the whole of a container? */
static bool find_others_than_lines(void *context, const Tree *t) {
  bool *others = context;
  for (int i = 0; t->op == OP_MAP && i < t->nkids; i++) {
    const Tree *of = t->kid[i];
    bool line = (of->op == OP_ROWS || of->op == OP_COLUMNS) && of->kid[0]->op == OP_REF;
    if (line ? of->kid[0]->symbol->by_columns == (of->op == OP_COLUMNS) : of->op != OP_REF || !of->symbol->rank)
      *others = true;
  }
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_others_than_lines, others);
  return true;
}

bool plan_lines_beside(const Codelet *map) {
  bool others = false;
  tree_visit(map->body, find_others_than_lines, &others);
  return plan_lines_apart(map) && !others;
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

static const Symbol *assigned_by_one(const Tree *t) {
  int64_t one;
  bool step = t && t->op == OP_ASSIGN && t->compound == OP_ADD && t->kid[0]->op == OP_REF &&
              ((tree_constant(t->kid[1], &one) && one == 1) || t->kid[1]->op == OP_STRIDE);
  return step ? t->kid[0]->symbol : NULL;
}

/* for (i = 0; i < in.Size(); ++i), which reads in[i]. */
static bool takes_in_order(const Tree *t, const Symbol *in) {
  int64_t zero;
  if (t->op != OP_FOR || !t->kid[0] || t->kid[0]->op != OP_DECLARE || !t->kid[1] || t->kid[1]->op != OP_LT) return false;
  const Tree *init = t->kid[0], *end = t->kid[1]->kid[1], *body = t->kid[3];
  bool counts = init->nkids && tree_constant(init->kid[0], &zero) && zero == 0 &&
                assigned_by_one(t->kid[2]) == init->symbol && t->kid[1]->kid[0]->op == OP_REF &&
                t->kid[1]->kid[0]->symbol == init->symbol;
  bool all = end->op == OP_SIZE && end->kid[0]->op == OP_REF && end->kid[0]->symbol == in;
  return counts && all && plan_uses_elements(body, in, init->symbol) && !tree_assigns(body, init->symbol) &&
         !tree_contains(body, OP_BREAK) && !tree_contains(body, OP_CONTINUE);
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
