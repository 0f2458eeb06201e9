/* cut_rows.c: which maps over cuts give blocks rows of elements, and how many workers a cut has (cuts.c).
 *
 * Requires a map over cuts. Keeps all: it only looks. */
#include "lower/cuts.h"

bool cuts_lanes_together(const PlanNode *n) {
  while (n->nkids) n = n->kid[0];
  return n->rule->codelet && n->rule->codelet->kind == CLASS_COOPERATIVE;
}

static bool has_cut(const Tree *x, const Symbol *cut) {
  bool found = false;
  for (int d = 1; x->op == OP_PARTS && d < x->nkids; d++) found |= tree_cut(x->kid[d]) == cut;
  return found;
}

bool cuts_take_rows(const PlanNode *n, int many, const Symbol *last) {
  const Tree *map = plan_map_of(n->rule->codelet);
  const PlanNode *leaf = n;
  while (leaf->nkids) leaf = leaf->kid[0];
  bool rows = map && !cuts_lanes_together(n) && leaf->rule->codelet && tree_loops(leaf->rule->codelet->body) <= many;
  for (int i = 0; rows && i < map->nkids; i++) {
    const Symbol *s = map->spectrum->codelets[0]->params[i];
    rows = !(s->writable || s->atomic) || tree_cuts(map->kid[i]) == many || !has_cut(map->kid[i], last);
  }
  return rows;
}

/* The variable that is the index of a dimension of what is stored; NULL: something else is. */
typedef struct FindIndex { const Symbol *container, *found; int dimension; } FindIndex;

static bool find_index(void *context, const Tree *t) {
  FindIndex *f = context;
  if (t->op != OP_INDEX || t->kid[0]->op != OP_REF || t->kid[0]->symbol != f->container) return !f->found;
  const Tree *at = f->dimension < t->nkids ? tree_uncast(t->kid[f->dimension]) : NULL;
  if (at && at->op == OP_REF) f->found = at->symbol;
  return false;
}

/* Does it move as the variable does? A quotient, or a remainder, comes back to where it was. */
static bool moves(const Tree *t, const Symbol *variable) {
  if (t->op == OP_REF) return t->symbol == variable;
  if (t->op == OP_DIV || t->op == OP_REM) return false;
  bool any = false;
  for (int i = 0; i < t->nkids; i++) any |= t->kid[i] && moves(t->kid[i], variable);
  return any;
}

typedef struct FindMoves { const Symbol *variable, *stored; bool reads, any; } FindMoves;

static bool find_moves(void *context, const Tree *t) {
  FindMoves *f = context;
  if (t->op != OP_INDEX || t->kid[0]->op != OP_REF || t->kid[0]->symbol == f->stored) return true;
  if (t->type == TYPE_INDEX) return true; /* which of the whole's turns it is (front/divisible.c) */
  for (int i = 1; i < t->nkids; i++) {
    f->reads |= tree_mentions(t->kid[i], f->variable);
    f->any |= moves(t->kid[i], f->variable);
    }
  return true;
}

static bool reads_again(const PlanNode *n, const Symbol *cut) {
  const Tree *map = plan_map_of(n->rule->codelet);
  const PlanNode *leaf = n;
  while (leaf->nkids) leaf = leaf->kid[0];
  const Codelet *c = leaf->rule->codelet;
  if (!map || !c || !c->body || c->spectrum != map->spectrum) return false;
  for (int i = 0; i < map->nkids && i < c->nparams; i++) {
    const Tree *x = map->kid[i];
    if (!c->params[i]->writable || x->op != OP_PARTS) continue;
    for (int d = 1; d < x->nkids; d++) {
      if (tree_cut(x->kid[d]) != cut) continue;
      FindIndex at = {c->params[i], NULL, d};
      tree_visit(c->body, find_index, &at);
      FindMoves f = {at.found, c->params[i], false, false};
      if (at.found) tree_visit(c->body, find_moves, &f);
          return f.reads && !f.any;
    }
  }
  return false;
}

int cuts_read_again(const PlanNode *n, int many, const Symbol *const *cuts, int rows) {
  for (int i = 0; i < many - 1; i++)
    if (i != rows && reads_again(n, cuts[i])) return i;
  return -1;
}

int cuts_turn(int k, int n, int again) {
  if (again < 0) return k;
  return k == n - 1 ? again : k + (k >= again);
}

int cuts_rows(int n, const Symbol *const *cuts, const Tree *map) {
  int found = n > 1 ? n - PLANE : 0;
  for (int i = map->nkids - 1; i >= 0 && n > PLANE; i--) {
    const Tree *x = map->kid[i];
    const Symbol *s = map->spectrum->codelets[0]->params[i];
    const int rank = x->op == OP_PARTS ? x->nkids - 1 : 0;
    const Symbol *unit = rank < PLANE ? NULL : tree_cut(x->kid[rank == PLANE && s->by_columns ? 1 : rank]);
    for (int k = 0; k < n - 1 && unit; k++)
      if (cuts[k] == unit) found = k;
  }
  return found;
}

int64_t cuts_share(int64_t workers, int cuts) {
  int64_t share = 1;
  if (cuts == 1) return workers;
  for (int64_t power = share; power < workers; power = share) { /* share ^ cuts */
    for (int i = 1; i < cuts; i++) power *= share;
    if (power >= workers || workers % (2 * share)) break;
    share *= 2;
  }
  return share;
}
