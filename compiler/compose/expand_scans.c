/* expand_scans.c: maps whose parts learn what stands before them: slides over workers, and scans of sums. */
#include "compose/expand.h"
#include "ir/handed.h"
#include "ir/signature.h"

/* Why a part is not copied before it is read, once for its total and once for its scan; NULL: it is. */
static const char *copy_refused(const Search *x, Context c) {
  const Figures *f = &x->m->measured;
  if (x->s->widest * f->copy_vectors * x->m->vector_width > f->copy_bytes)
    return arena_printf(x->a, "a copy of more than %d KB on a thread's stack", (int)(f->copy_bytes >> 10));
  return c.computed || x->all ? NULL : "a copy of data in memory, which is cached the second time";
}

/* Tiles are of any size. Each tile's total first, by one of the best few, then its scan. */
void expand_chained_scan(Search *x, const Site *at, const PlanNodes *scans, int sync) {
  enum { TOTALS = 2 };
  const Rule *r = at->rule;
  const Spectrum *total = rules_total(r->codelet);
  if (!total) return;
  const PlanNodes *totals = expand(x, total, r->parts, (Context){0}, expand_left(at));
  const PlanNodes some = expand_best(x, totals, TOTALS, "totals of a part beyond the best few", 1);
  for (int i = 0; i < scans->n; i++)
    for (int k = 0; k < some.n; k++) {
      PlanNode *n = plan_map(x->a, r, scans->at[i], some.at[k], COMBINE_NONE);
      n->sync = sync;
      expand_add(x, at->to, n);
    }
  const char *no_copy = copy_refused(x, at->context);
  if (no_copy) trace_reason(x, no_copy, 1);
  if (no_copy || !some.n) return;
  PlanNode *n = plan_map(x->a, r, prune_cheapest(scans), prune_cheapest(&some), COMBINE_NONE);
  n->sync = sync;
  n->traversal = TRAVERSE_COPYING;
  expand_add(x, at->to, n);
}

/* Does a warp slide over its rows of a tile, of which each lane scans 16 bytes? */
static bool has_rows(const PlanNode *tile, bool slides) {
  slides |= tile->rule->slides;
  if (tile->rule->codelet && tile->rule->codelet->rows) return true; /* .. or its matrix unit does */
  return tile->nkids > 0 ? has_rows(tile->kid[0], slides) : slides && tile->rule->level->can.lanes == LANES_ONE;
}

/* `if (..) out[place] = ..;' */
static bool stores_to(const Tree *t, const Symbol *place) {
  const Tree *then = t->op == OP_IF && t->nkids == 2 ? t->kid[1] : NULL;
  while (then && then->op == OP_SEQ && then->nkids) then = then->kid[0];
  const Tree *to = then && then->op == OP_ASSIGN ? then->kid[0] : NULL;
  return to && to->op == OP_INDEX && to->kid[0]->op == OP_REF && to->kid[0]->symbol->atomic == ATOMIC_ONCE &&
         to->kid[1]->op == OP_REF && to->kid[1]->symbol == place;
}

bool expand_scatters(const Codelet *c) {
  const Handed h = handed_of(c);
  const bool excludes = h.container && spectrum_excludes(h.call->spectrum);
  const Codelet *to = excludes ? spectrum_reference(h.map->spectrum) : NULL;
  const Symbol *place = NULL;
  for (int i = 0; to && i < h.map->nkids; i++)
    if (h.map->kid[i]->op == OP_ELEMENTS && h.map->kid[i]->kid[0]->op == OP_REF &&
        h.map->kid[i]->kid[0]->symbol == h.container)
      place = to->params[i];
  for (int i = 0; place && i < to->body->nkids; i++)
    if (stores_to(to->body->kid[i], place)) return true;
  return false;
}

void expand_compacted(Search *x, const Site *at, const PlanNode *n, const PlanNodes *tiles) {
  PlanNodes rows = {0}; /* else a lane has one place or two */
  for (int i = 0; i < tiles->n; i++)
    if (has_rows(tiles->at[i], false)) vec_push(x->a, &rows, tiles->at[i]);
  if (!rows.n || n->kid[0] != prune_cheapest(&rows)) return;
  PlanNode *made = arena_one(x->a, PlanNode);
  *made = *n;
  made->traversal = TRAVERSE_COMPACTED;
  expand_add(x, at->to, made);
}

/* The `most' cheapest of them, in any order; returns how many others there were. */
static int take_cheapest(PlanNodes *nodes, int most) {
  const int all = nodes->n;
  while (nodes->n > most) {
    int worst = 0;
    for (int i = 1; i < nodes->n; i++)
      if (prune_cost(nodes->at[i]) > prune_cost(nodes->at[worst])) worst = i;
    nodes->at[worst] = nodes->at[--nodes->n];
  }
  return all > most ? all - most : 0;
}

/* The tiles of all parts that are scanned, over the grid's blocks, whichever way they learn what stands before them. */
void expand_tiles(Search *x, const Site *at) {
  enum { BEST = 2 };
  const Rule *r = at->rule;
  PlanNodes tiles = {0}, units = {0};
  const PlanNodes *kids = expand(x, rule_composed(r, 0), r->parts, (Context){.tile = true}, expand_left(at));
  for (int i = 0; i < kids->n; i++)
    if (has_rows(kids->at[i], false))
      vec_push(x->a, plan_multiplies_rows(kids->at[i]) ? &units : &tiles, kids->at[i]);
  int dropped = kids->n - tiles.n - units.n;
  dropped += take_cheapest(&tiles, BEST) + take_cheapest(&units, 1);
  if (dropped) trace_reason(x, "tiles of parts beyond the best few", dropped);
  if (units.n) vec_push(x->a, &tiles, units.at[0]);
  for (int i = 0; i < tiles.n; i++)
    for (int sync = 0; sync < r->below->nsync; sync++) {
      const SyncKind kind = r->below->sync[sync].kind;
      if (kind == SYNC_PLAIN || kind >= SYNC_TOGETHER) continue;
      PlanNode *n = plan_map(x->a, r, tiles.at[i], NULL, COMBINE_NONE);
      n->sync = sync;
      expand_add(x, at->to, n);
    }
}

/* Those with rows, where there are some; else all. */
static PlanNodes with_rows(Search *x, const PlanNodes *scans) {
  PlanNodes made = {0};
  for (int i = 0; i < scans->n; i++)
    if (has_rows(scans->at[i]->kid[0], false)) vec_push(x->a, &made, scans->at[i]);
  return made.n ? made : *scans;
}

/* Parts of a container that are summed up, and scanned from what stands before each, tile by tile. */
void expand_scan_twice(Search *x, const Site *at) {
  enum { SUMS = 1, SUMS_ALL = 2, SCANS = 1 };
  const Rule *r = at->rule;
  const Context of_sums = {.combination = true, .few = true}, part = {0};
  PlanNodes sums = {0}, scans = {0}, units = {0};
  const PlanNodes *kids = expand(x, rule_composed(r, 0), r->parts, part, expand_left(at));
  for (int i = 0; i < kids->n; i++)
    if (kids->at[i]->rule->codelet) vec_push(x->a, &sums, kids->at[i]);
  int dropped = kids->n - sums.n;
  dropped += take_cheapest(&sums, x->all ? SUMS_ALL : SUMS);
  if (dropped) trace_reason(x, "sums of a grid's parts beyond the best few", dropped);
  PlanNodes between = {0}; /* there may be more workers than one vector has lanes */
  kids = expand(x, rule_composed(r, 1), r->level, of_sums, at->left - 1);
  for (int i = 0; i < kids->n; i++)
    if (!x->m->one_vector || plan_serves_any(kids->at[i])) vec_push(x->a, &between, kids->at[i]);
  kids = expand(x, rule_composed(r, 2), r->parts, part, expand_left(at));
  for (int i = 0; i < kids->n; i++)
    if (kids->at[i]->rule->slides) vec_push(x->a, plan_multiplies_rows(kids->at[i]) ? &units : &scans, kids->at[i]);
  dropped = kids->n;
  if (!x->all) {
    scans = with_rows(x, &scans);
    take_cheapest(&scans, SCANS);
    take_cheapest(&units, SCANS);
  }
  for (int i = 0; i < units.n; i++) vec_push(x->a, &scans, units.at[i]);
  dropped -= scans.n;
  if (dropped) trace_reason(x, "scans of a grid's parts beyond the best few", dropped);
  for (int i = 0; i < sums.n && between.n; i++)
    for (int k = 0; k < scans.n; k++) {
      PlanNode *n = plan_map(x->a, r, sums.at[i], prune_cheapest(&between), COMBINE_SPECTRUM);
      n->kid[n->nkids++] = scans.at[k];
      while (plan_goes_on(n)) n->sync++; /* grids that end */
      expand_add(x, at->to, n);
    }
}
