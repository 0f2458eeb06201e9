/* threads.c: how many lanes a block may have, by what its plan makes them do, and how many it begins with. */
#include "compose/search.h"

/* So many lanes does a block have at most whose vectors' results go to one vector, an element a lane; 0: any. */
static int64_t vectors_limit(const PlanNode *n) {
  bool over_vectors = n->rule->level->can.lanes == LANES_TUNED && n->combine == COMBINE_SPECTRUM &&
                      n->axis.level->can.exchanges;
  if (!over_vectors || n->axis.second) return 0;
  const PlanNode *by = n->kid[1];
  while (!by->rule->codelet) by = by->kid[0];
  const Level *level = by->rule->level;
  return level->can.lanes == LANES_FIXED ? n->axis.level->width_max * level->width_max : 0;
}

/* The cooperative codelet that the lanes of a block run; NULL: the node is none of it. */
static const Codelet *run_by_block(const PlanNode *n) {
  const Codelet *c = n->rule->codelet;
  return c && c->kind == CLASS_COOPERATIVE && n->rule->level->can.lanes == LANES_TUNED ? c : NULL;
}

static int64_t lanes_limit(const PlanNode *n) {
  const Codelet *c = run_by_block(n);
  int64_t limit = c ? c->lanes_max : vectors_limit(n);
  for (int i = 0; i < n->nkids; i++) {
    int64_t k = lanes_limit(n->kid[i]);
    if (k && (!limit || k < limit)) limit = k;
  }
  return limit;
}

/* For which numbers of lanes are the block's cooperative codelets right? Those that are for any are left out. */
typedef VEC(NumberList) Served;

static void note_served(Arena *a, const PlanNode *n, Served *to) {
  const Codelet *c = run_by_block(n);
  if (c && c->lanes.n) vec_push(a, to, c->lanes);
  for (int i = 0; i < n->nkids; i++) note_served(a, n->kid[i], to);
}

static bool serve(const Served *all, int64_t lanes) {
  for (int i = 0; i < all->n; i++)
    if (!number_list_has(all->at[i], lanes)) return false;
  return true;
}

/* Leaves the numbers for which all are: all multiples of one, or those that are listed. */
static bool keep_right(Arena *a, const Plan *p, Tunable *t) {
  VEC(int64_t) right = {0};
  Served served = {0};
  int64_t preset = 0, all = 0;
  note_served(a, p->root, &served);
  if (!served.n) return true;
  for (int64_t lanes = t->min; lanes <= t->max; lanes += t->multiple, all++) {
    if (!serve(&served, lanes)) continue;
    if (lanes <= t->value || !preset) preset = lanes;
    vec_push(a, &right, lanes);
  }
  if (right.n == all) return true;
  if (!right.n) return false;
  bool multiples = true;
  for (int i = 0; i < right.n; i++) multiples &= right.at[i] == (i + 1) * right.at[0];
  if (multiples) t->multiple = right.at[0];
  else t->among = (NumberList){right.at, right.n};
  t->value = preset;
  t->min = right.at[0];
  t->max = right.at[right.n - 1];
  return true;
}

/* A warp alone needs no other lanes; where loads are 16 bytes, or one block does everything, more lanes keep more
 * loads in flight. A block that is one vector (no figure) has that vector's. */
static int64_t lanes_wanted(const Plan *p, const Figures *f) {
  const PlanNode *work = plan_work(p->root);
  if (!f->threads || plan_is_one_vector(p->root)) return p->machine->vector_width;
  return !work->rule->codelet || plan_is_vectorised(work) ? f->threads_wide : f->threads;
}

/* Lanes of a block to begin with. */
bool threads_first(Arena *a, const Plan *p, SizeVar *v) {
  enum { WARP = 32 };
  const Arch *m = p->machine;
  Tunable *t = &v->tunable;
  const int64_t all = lanes_wanted(p, &m->measured);
  int64_t limit = plan_is_one_vector(p->root) ? m->vector_width : lanes_limit(p->root);
  int64_t wanted = limit && all > limit ? limit : all;
  t->max = limit && limit < m->threads_block ? limit : m->threads_block;
  t->value = (wanted < t->max ? wanted : t->max) / m->vector_width * m->vector_width;
  const bool everywhere = m->vector_width == WARP && all == lanes_wanted(p, m->usual);
  v->source = everywhere && wanted <= t->max ? SOURCE_CONSTANT : SOURCE_MACHINE;
  return keep_right(a, p, t);
}
