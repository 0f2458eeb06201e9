/* choose.c: a first guess at which variant serves which sizes. Measurement replaces it. */
#include "compose/choose.h"

#include "compose/search.h"

/* Elements that a warp, and a block, alone go through in less time than more of them need to come together
 * (bench/results: measured on an H200). */
enum { ONE_WARP_LIMIT = 2048, ONE_BLOCK_LIMIT = 32768 };

typedef enum Use { ONE_WARP, ONE_BLOCK, GRID } Use;

static Use use_of(const Plan *p) { return p->root->rule->codelet ? GRID : plan_is_one_warp(p->root) ? ONE_WARP : ONE_BLOCK; }

/* The same result in every run before everything else; then what the search expects to cost least. */
static bool better(const Plan *p, const Plan *q) {
  bool same_p = p->determinism != DETERMINISM_NOT_GUARANTEED, same_q = q->determinism != DETERMINISM_NOT_GUARANTEED;
  if (same_p != same_q) return same_p;
  return prune_cost(p->root) < prune_cost(q->root);
}

static int best(const Plans *plans, Use use) {
  int found = -1;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    if (use_of(p) != use) continue;
    if (found < 0 || better(p, plans->list.at[found])) found = i;
  }
  return found;
}

Choices choose_by_size(Arena *a, const Plans *plans) {
  static const int64_t limits[] = {ONE_WARP_LIMIT, ONE_BLOCK_LIMIT, 0};
  Choices c = {0};
  int last = -1;
  for (int use = ONE_WARP; use <= GRID; use++) {
    int plan = best(plans, (Use)use);
    if (plan < 0) continue;
    Choice row = {limits[use], plan};
    vec_push(a, &c.rows, row);
    last = plan;
  }
  if (last >= 0) c.rows.at[c.rows.n - 1].limit = 0; /* the largest serves all that is left */
  return c;
}
