/* choose.c: a first guess at which variant serves which sizes. Measurement replaces it. */
#include "compose/choose.h"

/* Elements that one block of 256 lanes reads in about the time that a second kernel's launch takes. */
enum { ONE_BLOCK_LIMIT = 8192 };

static bool one_block(const Plan *p) { return p->root->rule->codelet == NULL; }

/* Lanes that read neighbouring elements share a transaction: strided over threads under tiled over blocks. */
static int locality(const PlanNode *n) {
  int score = 0;
  if (n->axis.level && n->rule->level->prefer == TILING_STRIDED && n->nkids && n->rule->codelet)
    score += n->rule->map == STEP_SPLIT ? 2 : 1;
  for (int i = 0; i < n->nkids; i++) score += locality(n->kid[i]);
  return score;
}

static int depth(const PlanNode *n) {
  int most = 0;
  for (int i = 0; i < n->nkids; i++) {
    int d = depth(n->kid[i]);
    if (d > most) most = d;
  }
  return most + 1;
}

static bool computes_serially_at_the_block(const PlanNode *n) {
  if (!n->rule->codelet && n->rule->level->depth > 0) return true;
  for (int i = 0; i < n->nkids; i++)
    if (computes_serially_at_the_block(n->kid[i])) return true;
  return false;
}

/* Higher is better. */
static int64_t score(const Plan *p) {
  int64_t s = 0;
  s = s * 2 + (p->determinism != DETERMINISM_NOT_GUARANTEED);
  s = s * 2 + !computes_serially_at_the_block(p->root);
  s = s * 2 + (p->category == CATEGORY_SHUFFLE);
  s = s * 16 + locality(p->root);
  s = s * 16 + (15 - depth(p->root));
  return s;
}

static int best(const Plans *plans, bool want_one_block) {
  int found = -1;
  int64_t most = -1;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    if (one_block(p) != want_one_block) continue;
    int64_t s = score(p);
    if (s > most) { most = s; found = i; }
  }
  return found;
}

Choices choose_by_size(Arena *a, const Plans *plans) {
  Choices c = {0};
  int small = best(plans, true), large = best(plans, false);
  if (small >= 0 && large >= 0) {
    Choice row = {ONE_BLOCK_LIMIT, small};
    vec_push(a, &c.rows, row);
  }
  Choice rest = {0, large >= 0 ? large : small};
  vec_push(a, &c.rows, rest);
  return c;
}
