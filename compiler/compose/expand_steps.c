/* expand_steps.c: spectra that a codelet applies one after another, all by the same workers.
 *
 *     block.steps=(block.strided/all(..; block.tree); block.view=block.strided/all(..; block.tree);
 *     block.strided/all(..))
 *
 * What one step can become says little of the others, and all combinations would be too many. So one step leads, the
 * one that can become most, of those in a loop that a condition ends, where there is one: with each of its best few go
 * those of the other steps that are composed most like it. What workers read in one step they then read in the next,
 * and one wide load serves as another does.
 *
 * A grid's steps are kernels. Those of a loop may be one (grid.steps!persistent=(..)): launched once, its blocks wait
 * for one another between the steps. All of them may be one, of one block, for few elements, with barriers between the
 * steps (grid.steps!one_block=(..)). */
#include <ctype.h>
#include <string.h>

#include "compose/prefer.h"
#include "compose/expand.h"
#include "ir/signature.h"
#include "ir/steps.h"

/* A part of one container that is there as a whole for each step: of what is known of the codelet that is all that is
 * left. */
static Context step_context(const Search *x, const Site *at) {
  const Rule *r = at->rule;
  Context c = at->context;
  c.apart |= !natives_see_memory(r->codelet);
  if (r->level->can.launched) return c;
  /* the only step: what is behind it comes when its pieces are combined. A CPU's few threads have a part each */
  const bool alone = !rule_composed(r, 1) && r->level->can.shares && !x->m->levels[0].can.few;
  return (Context){.serialized = c.serialized, .private = c.private, .segment = c.segment, .strided = c.strided,
                   .computed = c.computed, .apart = true, .spread = c.spread && alone};
}

static const char *text_of(Arena *a, const PlanNode *n) {
  Buffer text = buffer_new(a);
  plan_put(&text, plan_work(n));
  return text.text;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* How far two texts are the same, by whole words: `split' is no more like `strided' than `tiled' is. */
static size_t alike(const char *x, const char *y) {
  size_t n = 0;
  while (x[n] && x[n] == y[n]) n++;
  while (n > 0 && in_word(x[n - 1]) && (in_word(x[n]) || in_word(y[n]))) n--;
  return n;
}

PlanNode *expand_most_like(Arena *a, const PlanNodes *of, const PlanNode *as) {
  const char *text = text_of(a, as);
  PlanNode *best = NULL;
  size_t most = 0;
  for (int i = 0; i < of->n; i++) {
    const size_t n = alike(text_of(a, of->at[i]), text);
    if (best && (n < most || (n == most && prune_cost(of->at[i]) >= prune_cost(best)))) continue;
    best = of->at[i];
    most = n;
  }
  return best;
}

/* Of a grid, whose steps are kernels: those of which another one can be the next. Grids that slide keep words in the
 * workspace which are theirs alone. */
static PlanNodes of_grid(Search *x, const PlanNodes *of) {
  PlanNodes left = {0};
  for (int i = 0; i < of->n; i++) {
    const PlanNode *work = plan_work(of->at[i]), *split = plan_spread(work);
    const bool slides = work->rule->slides || (split && split->rule->slides);
    if (!slides) vec_push(x->a, &left, of->at[i]);
  }
  return left;
}

/* One block takes all steps in one kernel, and not one after another by itself. */
static bool one_block(PlanNode *const *steps, int n) {
  for (int i = 0; i < n; i++)
    if (plan_work(steps[i])->rule->codelet) return false;
  return true;
}

static bool any_tiles(const PlanNodes *of) {
  for (int i = 0; i < of->n; i++)
    if (plan_tiled(of->at[i])) return true;
  return false;
}

/* Extents of tiles are tuned for the whole plan: of one step alone. */
static PlanNodes without_tiles(Arena *a, const PlanNodes *of) {
  PlanNodes left = {0};
  for (int i = 0; i < of->n; i++)
    if (!plan_tiled(of->at[i])) vec_push(a, &left, of->at[i]);
  return left;
}

/* Does it wait for other blocks, or take a block's shared memory for itself? Arrays for all of a block's lanes, for
 * rounds, are one beside another in a kernel whose steps wait for other blocks; one block's steps have them in turn. */
static bool wants_a_launch(const PlanNode *n, bool one_block) {
  const Rule *r = n->rule;
  if (plan_sync(n) == SYNC_POST || r->slides || r->privatises || n->traversal >= TRAVERSE_ROWS) return true;
  if (r->codelet && r->codelet->rounds && !one_block) return true;
  if (r->level->can.reaches || (r->below && r->below->can.reaches)) return true; /* a cluster */
  for (int i = 0; i < n->nkids; i++)
    if (wants_a_launch(n->kid[i], one_block)) return true;
  return false;
}

/* A way to synchronise by which kernels of a grid's steps are one: SYNC_TOGETHER, those of each loop; SYNC_ONE_BLOCK,
 * all of them. -1: the machine has none, or a step cannot be a part of one. */
static int sync_of_one(const Rule *r, PlanNode *const *steps, int n, SyncKind kind) {
  const Level *l = r->level;
  const bool all = kind == SYNC_ONE_BLOCK;
  int way = -1;
  for (int i = 0; i < l->nsync; i++)
    if (l->sync[i].kind == kind) way = i;
  if (way < 0 || !l->can.launched || (!all && !steps_staying(r->codelet, -1))) return -1;
  for (int i = 0; i < n; i++) {
    const bool part = all || steps_staying(r->codelet, i);
    if (part && (wants_a_launch(steps[i], all) || (all ? plan_tiled(steps[i]) != NULL : plan_multiplies(steps[i]))))
      return -1;
  }
  return way;
}

/* Were these very steps composed before? */
static bool is_known(const Site *at, PlanNode *const *steps, int n) {
  for (int i = 0; i < at->to->n; i++) {
    const PlanNode *other = at->to->at[i];
    bool same = other->rule == at->rule;
    for (int k = 0; k < n && same; k++) same = other->kid[k] == steps[k];
    if (same) return true;
  }
  return false;
}

static void add_steps(Search *x, const Site *at, PlanNode *const *steps, int n) {
  if (is_known(at, steps, n)) return;
  PlanNode *made = plan_steps(x->a, at->rule, steps, n);
  expand_add(x, at->to, made);
  for (SyncKind kind = SYNC_TOGETHER; kind <= SYNC_ONE_BLOCK; kind++) {
    const int way = sync_of_one(at->rule, steps, n, kind);
    if (way < 0) continue;
    PlanNode *one = arena_one(x->a, PlanNode);
    *one = *made;
    one->sync = way;
    expand_add(x, at->to, one);
  }
}

/* The best for each use of the grid; of strided parts that a block's warps share, also those that several blocks do. */
static PlanNodes ways(Search *x, const PlanNodes *of) {
  PlanNodes best = keep_by_use(x->a, of, 1), shared = {0};
  for (int i = 0; i < of->n; i++)
    if (plan_slices(of->at[i]) && plan_spread(of->at[i])) vec_push(x->a, &shared, of->at[i]);
  if (shared.n) vec_push(x->a, &best, prune_cheapest(&shared));
  return best;
}

static bool serves_better(const PlanNode *n, const PlanNode *than) {
  const bool all = plan_work(n)->rule->codelet, all_than = plan_work(than)->rule->codelet;
  const int rounds = plan_in_rounds(n) - plan_in_rounds(than);
  const int more = rounds ? rounds : prefer_side_by_side(n) - prefer_side_by_side(than);
  return all != all_than ? all : more != 0 ? more > 0 : prune_cost(n) < prune_cost(than);
}

/* What serves a step by itself: all workers, rather than one for all; a block's that go through a part round by round;
 * those that read side by side; the cheapest. */
static PlanNode *own_way(const PlanNodes *of) {
  PlanNode *best = of->at[0];
  for (int i = 1; i < of->n; i++)
    if (!plan_tiled(of->at[i]) && (plan_tiled(best) || serves_better(of->at[i], best))) best = of->at[i];
  return best;
}

/* The cheapest of those where a part each is a block's: rows may be long, and few. NULL: none is. */
static PlanNode *by_blocks(const PlanNodes *of) {
  PlanNode *best = NULL;
  for (int i = 0; i < of->n; i++) {
    const PlanNode *work = plan_work(of->at[i]);
    const Level *worker = plan_worker_of_parts(work);
    if (!worker || !worker->can.shares || plan_spread(work) || worker->can.reaches) continue;
    if (!best || prune_cost(of->at[i]) < prune_cost(best)) best = of->at[i];
  }
  return best;
}

/* Steps as they are but for one, which is taken in each other way that it has; and with it those behind that apply what
 * it applies. `leads': a step that goes with all blocks of the others alone, and stays as it is; -1: there is none. */
static void vary(Search *x, const Site *at, const PlanNodes *of, PlanNode *const *as, int n, int leads) {
  PlanNode *steps[MOST_STEPS];
  for (int k = 0; k < n; k++) {
    const Spectrum *applied = rule_composed(at->rule, k);
    bool before = k == leads;
    for (int s = 0; s < k && leads < 0; s++) before |= rule_composed(at->rule, s) == applied;
    const PlanNodes each = before ? (PlanNodes){0} : ways(x, &of[k]);
    for (int i = 0; i < each.n; i++) {
      PlanNode *way = each.at[i];
      if (as[k] == way || plan_tiled(way) || (leads >= 0 && !plan_work(way)->rule->codelet)) continue;
      for (int s = 0; s < n; s++) {
        const bool same = leads < 0 && s > k && rule_composed(at->rule, s) == applied;
        steps[s] = s == k ? way : same ? expand_most_like(x->a, &of[s], way) : as[s];
      }
      if (!one_block(steps, n)) add_steps(x, at, steps, n);
    }
  }
}

/* A grid's steps are kernels, and each may use the grid in its own way: rows go to warps, and columns to lanes. Of few
 * steps the best for each use of the leading one, with what is composed most like it; of any, each in the way that
 * serves it by itself. Both also with another way for one step. */
static void vary_steps(Search *x, const Site *at, const PlanNodes *of, int n, int leads) {
  enum { CROSSED = 3 };
  PlanNode *steps[MOST_STEPS];
  const PlanNodes leading = n <= CROSSED ? ways(x, &of[leads]) : (PlanNodes){0};
  for (int i = 0; i < leading.n; i++) {
    PlanNode *lead = leading.at[i];
    if (plan_tiled(lead) || !plan_work(lead)->rule->codelet) continue;
    for (int s = 0; s < n; s++) steps[s] = s == leads ? lead : expand_most_like(x->a, &of[s], lead);
    vary(x, at, of, steps, n, leads);
  }
  for (int s = 0; s < n; s++) steps[s] = own_way(&of[s]);
  if (!one_block(steps, n)) add_steps(x, at, steps, n);
  vary(x, at, of, steps, n, -1);
}

static int copies_of(const PlanNode *n) {
  int most = n->copies;
  for (int i = 0; i < n->nkids; i++) {
    const int below = copies_of(n->kid[i]);
    if (below > most) most = below;
  }
  return most;
}

/* What serves a step by itself, with as many copies of what a block's lanes contribute to as there are. On an H200 the
 * mean of what 8192 rows come to takes 99 us with the rows where all lanes add to one element, 79 with 32 copies. */
static PlanNode *with_copies(const PlanNodes *of) {
  PlanNode *own = own_way(of), *best = own;
  const PlanNode *at = plan_work(own);
  const Rule *grid = at->rule, *block = at->nkids ? plan_work(at->kid[0])->rule : NULL;
  for (int i = 0; i < of->n && block && copies_of(own); i++) {
    const PlanNode *work = plan_work(of->at[i]);
    if (work->rule != grid || plan_work(work->kid[0])->rule != block || plan_tiled(of->at[i])) continue;
    const int more = copies_of(of->at[i]) - copies_of(best);
    if (more > 0 || (more == 0 && prune_cost(of->at[i]) < prune_cost(best))) best = of->at[i];
  }
  return best;
}

/* A step with parts that several lanes can go through together: in each way to give them to workers, since how long
 * parts are decides. Other steps each in the way that serves it by itself. */
static void vary_workers(Search *x, const Site *at, const PlanNodes *of, int n) {
  PlanNode *steps[MOST_STEPS];
  for (int k = 0; k < n; k++) {
    PlanNodes best = {0};
    for (int i = 0; i < of[k].n; i++) {
      PlanNode *way = of[k].at[i];
      const Level *worker = plan_worker_of_parts(way);
      const Rule *each = worker ? plan_work(plan_work(way)->kid[0])->rule : NULL; /* no codelet: one worker for all */
      const Tree *map = each && each->codelet ? plan_map_of(plan_work(way)->rule->codelet) : NULL;
      if (!map || !signature_goes_together(map->spectrum) || plan_tiled(way)) continue;
      int same = 0;
      while (same < best.n && (plan_worker_of_parts(best.at[same]) != worker ||
                               plan_copies_rows(best.at[same]) != plan_copies_rows(way)))
        same++;
      if (same == best.n) vec_push(x->a, &best, way);
      else if (prune_cost(way) < prune_cost(best.at[same])) best.at[same] = way;
    }
    for (int i = 0; i < best.n; i++) {
      for (int s = 0; s < n; s++) steps[s] = s == k ? best.at[i] : with_copies(&of[s]);
      if (!one_block(steps, n)) add_steps(x, at, steps, n);
    }
  }
}

/* The cheapest of those where several blocks have each part, whose lanes read side by side. NULL: there is none. */
static PlanNode *by_several(const PlanNodes *of) {
  PlanNode *best = NULL;
  for (int i = 0; i < of->n; i++) {
    const PlanNode *spread = plan_spread(of->at[i]);
    const bool blocks = spread && spread->rule->level->can.shares && spread->combine != COMBINE_ATOMIC;
    if (!blocks || spread->rule->slides || plan_slices(of->at[i])) continue;
    if (!best || prune_cost(of->at[i]) < prune_cost(best)) best = of->at[i];
  }
  return best;
}

/* Few long parts: in each step that has parts several blocks have each. */
static void vary_shares(Search *x, const Site *at, const PlanNodes *of, int n) {
  PlanNode *steps[MOST_STEPS];
  int shared = 0;
  for (int k = 0; k < n; k++) {
    PlanNode *several = by_several(&of[k]);
    steps[k] = several ? several : own_way(&of[k]);
    shared += several != NULL;
  }
  if (shared > 0 && !x->m->levels[0].can.few) add_steps(x, at, steps, n);
}

void expand_steps(Search *x, const Site *at) {
  enum { LEADING = 12, LEADING_ALL = 48, A_USE = 4 };
  const Rule *r = at->rule;
  const bool grid = r->level->can.launched;
  const bool needless = grid && !steps_own(r->codelet) && !steps_repeat(r->codelet); /* where a block could take all */
  PlanNodes of[MOST_STEPS];
  PlanNode *steps[MOST_STEPS];
  int n = rule_steps(r, STEP_COMPOSE), leads = 0;
  for (int i = 0; i < n; i++) {
    of[i] = *expand(x, rule_composed(r, i), r->level, step_context(x, at), at->left - 1);
    if (grid) of[i] = of_grid(x, &of[i]);
    if (!of[i].n) return;
    const int turns = steps_is_searching(r->codelet, i) - steps_is_searching(r->codelet, leads);
    const int tiles = grid ? any_tiles(&of[i]) - any_tiles(&of[leads]) : 0; /* others go without */
    if (turns > 0 || (turns == 0 && (tiles ? tiles > 0 : of[i].n > of[leads].n))) leads = i;
  }
  for (int i = 0; i < n && grid; i++)
    if (i != leads && !(of[i] = without_tiles(x->a, &of[i])).n) return;
  const int most = x->all ? LEADING_ALL : LEADING;
  const PlanNodes leading = grid ? keep_by_use(x->a, &of[leads], x->all ? LEADING : A_USE)
                                 : expand_best(x, &of[leads], most, "steps beyond the best few", 1);
  for (int i = 0; i < leading.n; i++) {
    PlanNode *lead = leading.at[i];
    const bool tiled = grid && plan_tiled(lead); /* kernels of their own, which are tuned otherwise */
    for (int k = 0; k < n; k++)
      steps[k] = k == leads ? lead : tiled ? own_way(&of[k]) : expand_most_like(x->a, &of[k], lead);
    if (!needless || !one_block(steps, n)) add_steps(x, at, steps, n);
    for (int k = 0; tiled && k < n; k++) {
      PlanNode *as = steps[k], *each = k == leads ? NULL : by_blocks(&of[k]);
      if (each) steps[k] = each;
      if (each) add_steps(x, at, steps, n);
      steps[k] = as;
    }
  }
  if (!grid) return;
  vary_steps(x, at, of, n, leads);
  vary_workers(x, at, of, n);
  vary_shares(x, at, of, n);
}
