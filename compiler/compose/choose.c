/* choose.c: which variant serves which size: what was measured, else a guess (guess.c); and which of all plans is tried
 * first where a program selects while it runs. */
#include "compose/choose.h"

#include "compose/guess.h"
#include "compose/prefer.h"
#include "compose/workers.h"

#include <string.h>

/* Does one lane of a CPU's thread go through a part alone? */
static bool leaves_to_one(const Plan *p) {
  const PlanNode *n = plan_work(p->root);
  bool alone = false;
  if (!p->machine->levels[0].can.few) return false;
  while (n->nkids) {
    n = plan_work(n->kid[0]);
    alone |= !n->rule->codelet;
  }
  return alone;
}

static PartsSuited suits(const Plan *p) {
  const Workers by = workers_of(p);
  const bool cpu = p->machine->levels[0].can.few;
  if (plan_is_bounded(p->root)) return SUITS_ANY_BOUNDED;
  if (by == BY_SHARES) return cpu && !leaves_to_one(p) ? SUITS_LONG : SUITS_ANY;
  return by == BY_LANES || by == BY_SUBWARPS || leaves_to_one(p) ? SUITS_SHORT : SUITS_LONG;
}

static int64_t lanes_of_worker(const Plan *p) {
  const Level *worker = plan_worker_of_parts(p->root);
  if (!worker || p->machine->levels[0].can.few || worker->can.lanes > LANES_FIXED) return 0;
  return worker->can.lanes == LANES_FIXED ? worker->width_default : 1;
}

/* All steps by one block: sizes tell whether that is fast; where it is not, a single call takes hundreds of times as
 * long as the best one. */
static bool is_of_one_block(const Plan *p) { return plan_is_of_one_block(plan_work(p->root)); }

/* Does it load vectors of parts that begin anywhere, as those do that bounded plans have? Of what a warp's lanes, or
 * fewer, go through there are few whole 16 bytes then. */
static bool loads_few_vectors(const Plan *p, bool anywhere) {
  const Level *worker = plan_worker_of_parts(p->root);
  return anywhere && worker && worker->can.lanes <= LANES_FIXED && plan_is_vectorised(p->root);
}

static bool goes_before(const Plan *p, const Plan *q, bool anywhere) {
  if (is_of_one_block(p) != is_of_one_block(q)) return is_of_one_block(q);
  if (loads_few_vectors(p, anywhere) != loads_few_vectors(q, anywhere)) return loads_few_vectors(q, anywhere);
  return prefer_plan(p, q);
}

static bool begin_anywhere(const Plans *plans) {
  bool found = false;
  for (int i = 0; i < plans->list.n; i++) found |= plan_is_bounded(plans->list.at[i]->root);
  return found;
}

/* The best of those that are not taken: those workers', where a lane goes through a part `alone', or not. WORKERS: any.
 * -1: there is none. */
static int best_left(const Plans *plans, const bool *taken, Workers by, bool alone) {
  const bool anywhere = begin_anywhere(plans);
  int found = -1;
  for (int i = 0; i < plans->list.n; i++) {
    const Plan *p = plans->list.at[i];
    if (taken[i]) continue;
    if (by != WORKERS && (workers_of(p) != by || leaves_to_one(p) != alone || is_of_one_block(p))) continue;
    if (found < 0 || goes_before(p, plans->list.at[found], anywhere)) found = i;
  }
  return found;
}

const PlanCandidate *choose_order(Arena *a, const Plans *plans) {
  /* two of equal shares: what averages do not tell */
  static const Workers order[] = {BY_SHARES, BY_SHARES, BY_LANES, BY_ROWS, BY_SUBWARPS, BY_WARPS, BY_BLOCKS, BY_JAMMED,
                                  BY_SLICES, BY_SEVERAL, BY_SEVERAL_SLICES, BY_CLUSTERS, BY_THREE_KERNELS, BY_COPIES,
                                  BY_ONE_CLUSTER, BY_ONE_BLOCK, BY_ONE_WARP};
  enum { MANY = sizeof order / sizeof *order };
  const int n = plans->list.n;
  PlanCandidate *all = arena_many(a, PlanCandidate, n + 1);
  bool *taken = arena_many(a, bool, n + 1);
  for (int count = 0, k = 0; count < n; k++) {
    const int next = best_left(plans, taken, k < 2 * MANY ? order[k / 2] : WORKERS, k % 2 == 0);
    if (next < 0) continue;
    taken[next] = true;
    const Plan *p = plans->list.at[next];
    all[count++] = (PlanCandidate){p->id, suits(p), lanes_of_worker(p)};
  }
  return all;
}

/* ---- what was measured ---- */

static bool has_type(const Table *t, const char *type) {
  for (int i = 0; i < t->rows.n; i++)
    if (strcmp(t->rows.at[i].type, type) == 0) return true;
  return false;
}

/* The type whose measurements serve: its own, or that of the same size that is added by as many instructions. Integers
 * serve for integers only: their tables hold variants whose order of additions is not fixed. */
static const char *stand_in(const Table *t, const char *type) {
  static const char *const alike[][2] = {
      {"uint", "int"}, {"int", "uint"}, {"uint64", "int64"}, {"int64", "uint64"}, {"int8", "uint8"}, {"uint8", "int8"},
      {"int16", "uint16"}, {"uint16", "int16"}, {"bfloat16", "half"}, {"half", "bfloat16"}, {"cfloat", "double"}};
  if (has_type(t, type)) return type;
  for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
    if (strcmp(alike[i][0], type) == 0 && has_type(t, alike[i][1])) return alike[i][1];
  return NULL;
}

static bool take_measured(Arena *a, const MeasuredTable *measured, const char *type, Table *t, Diagnostics *d) {
  const char *from = measured ? stand_in(measured->table, type) : NULL;
  int before = t->rows.n;
  for (int i = 0; from && i < measured->table->rows.n; i++) {
    TableRow r = measured->table->rows.at[i];
    if (strcmp(r.type, from) != 0) continue;
    r.type = type;
    const char *why = measured->why_not(measured->context, &r);
    if (why) {
      diagnostics_remark(d, REMARK_MISSED, "choose", (SourceRange){0}, "the measured table is not used for `%s': %s",
                         type, why);
      if (!t->unused) t->unused = arena_printf(a, "`%s': %s", type, why);
      t->rows.n = before;
      return false;
    }
    vec_push(a, &t->rows, r);
  }
  return from != NULL;
}

Table choose_by_size(Arena *a, const Plans *plans, const ElementType *const *types, int ntypes,
                     const MeasuredTable *measured, Diagnostics *d) {
  Table t = {.heading = TABLE_GUESS};
  bool any = false;
  for (int i = 0; i < ntypes; i++) {
    if (take_measured(a, measured, types[i]->name, &t, d)) any = true;
    else guess_rows(a, plans, types[i], &t);
  }
  if (any) t.heading = measured->table->heading;
  return t;
}
