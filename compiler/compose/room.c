/* room.c: does a block's shared memory have room for the smallest tiles that a plan can have? What has none is no
 * plan, so that others take its place among those that are kept (search.c).
 *
 * Padding is left out: lower/fit.c, which knows it, makes presets and extents smaller where they do not fit, and
 * refuses what is left. */
#include <inttypes.h>
#include <string.h>

#include "compose/search.h"

static const Tunable *tunable_of(const Plan *p, const char *name) {
  for (int i = 0; i < p->sizes.n; i++)
    if (strcmp(p->sizes.at[i].tunable.name, name) == 0) return &p->sizes.at[i].tunable;
  return NULL;
}

static int64_t least(Arena *a, const Plan *p, const Tree *cut) {
  const Tunable *t = tunable_of(p, plan_tile_name(a, tree_cut(cut)));
  return t ? t->min : 1;
}

static int64_t bytes_of(const Plan *p, Type t) {
  const int64_t bytes = spectrum_bytes(p->spectrum, t, false);
  return bytes > 0 ? bytes : 1;
}

/* Of an operand of the leaf's: the copies that a block has of its part, each as small as can be. */
static int64_t least_copies(Arena *a, const Plan *p, const PlanTiles *t, int param) {
  enum { PREFETCHED = 2 };
  const Symbol *s = t->leaf->rule->codelet->params[param];
  const bool panelled = plan_tile_panelled(t, param) >= 0;
  const Tunable *stages = panelled ? tunable_of(p, plan_tile_stages_name) : NULL;
  const bool ahead = panelled && t->block->traversal == TRAVERSE_PREFETCHED;
  int64_t all = bytes_of(p, s->type) * (stages ? stages->min : ahead ? PREFETCHED : 1);
  for (int d = 0; d < s->rank; d++) {
    const TileCut *x = &t->cut[param][d];
    if (x->panel || x->grid) all *= least(a, p, x->panel ? x->panel : x->grid);
  }
  return all;
}

bool plan_has_room(Arena *a, const Plan *p, const char **why) {
  const Arch *m = p->machine;
  const PlanNode *work = plan_tiled(p->root);
  PlanTiles t;
  if (!work || !plan_tiles(work, &t) || t.packs || t.block->traversal < TRAVERSE_STAGED) return true;
  const bool asks = t.multiplies || t.block->traversal == TRAVERSE_PIPED; /* as lower/fit.c has it */
  const int64_t room = asks ? m->shared_bytes_most : m->shared_bytes_block;
  int64_t all = 0;
  const Codelet *leaf = t.leaf->rule->codelet;
  Buffer of = buffer_new(a);
  for (int i = 0; i < leaf->nparams; i++) {
    if (!plan_tile_is_staged(&t, i)) continue;
    const int64_t bytes = least_copies(a, p, &t, i);
    buffer_printf(&of, "%s%" PRId64 " of `%s'", all ? ", " : "", bytes, leaf->params[i]->name);
    all += bytes;
  }
  if (room <= 0 || all <= room) return true;
  *why = arena_printf(a, "its tiles take %" PRId64 " bytes of shared memory at least (%s), and a block has %" PRId64,
                      all, of.text, room);
  return false;
}
