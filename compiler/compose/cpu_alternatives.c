/* cpu_alternatives.c: alternatives of a CPU's threads to the plain way through a map's parts: lanes whose rows are
 * transposed, rows that are taken several at once, half vectors. */
#include "compose/search.h"

/* Those from the first on that hold vectors in registers. */
static PlanNodes in_slots(Arena *a, const PlanNodes *nodes, int first) {
  PlanNodes of = {0};
  for (int i = first; i < nodes->n; i++)
    if (plan_reads_in_slots(nodes->at[i])) vec_push(a, &of, nodes->at[i]);
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
  const PlanNodes of = in_slots(a, kids, 0);
  for (int i = 0; i < of.n && plan_lines_share(r->codelet); i++) {
    if (prune_cost(of.at[i]) > prune_cost(prune_cheapest(&of))) continue;
    PlanNode *n = plan_map(a, r, of.at[i], NULL, COMBINE_NONE);
    n->traversal = TRAVERSE_JAMMED;
    vec_push(a, to, n);
  }
}

int cpu_alternatives_of_rows(Arena *a, const Arch *m, const Rule *r, const PlanNodes *kids, PlanNodes *to) {
  const int before = to->n;
  if (!r->level->can.launched || !r->below->can.copies) return 0;
  if (r->map == STEP_SPLIT) add_transposed(a, m, r, kids, to);
  if (r->map == STEP_DISTRIBUTE) add_jammed(a, r, kids, to);
  return to->n - before;
}

/* A view's elements are computed of several arrays, most often, and runs of memory that are read side by side may come
 * faster so. */
int cpu_alternatives_of_halves(Arena *a, const Arch *m, const Rule *r, int widest, int first, PlanNodes *to) {
  const int64_t half = m->measured.half_bytes;
  const bool larger = m->vector_bytes > half && widest <= half;
  if (!larger || r->owns || r->map != STEP_DISTRIBUTE || r->below->can.lanes != LANES_ONE) return 0;
  const PlanNodes of = in_slots(a, to, first);
  if (!of.n) return 0;
  PlanNode *n = arena_one(a, PlanNode);
  *n = *prune_cheapest(&of);
  n->traversal = TRAVERSE_HALVES;
  vec_push(a, to, n);
  return 1;
}
