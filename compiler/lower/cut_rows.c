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
