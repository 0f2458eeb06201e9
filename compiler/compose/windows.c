/* windows.c: what a lane of a stencil reads is a window: its own elements, and those around them. Neighbouring elements
 * read most of it again, so that a lane that has several of them loads it to registers once (lower/windows.c).
 *
 *     grid.tiled
 *       block.tiled/all!windowed     of each tile each lane has a rectangle
 *         thread.serial                y(i, j) = x(i, j + 1) + x(i + 1, j) + ..
 *
 * Registers have no addresses: what is read around an element is as far from it as a constant, or an inner loop that is
 * written out, says. So each index of a window is that of a lane's element, and what is ahead of it. */
#include "compose/search.h"

static bool has_halo(const PlanTiles *t, int param) {
  bool has = false;
  for (int d = 0; d < t->leaf->rule->codelet->params[param]->rank && d < MOST_DIMENSIONS; d++) {
    const TileCut *x = &t->cut[param][d];
    has |= (x->lanes && x->lanes->op == OP_HALO) || (x->grid && x->grid->op == OP_HALO);
  }
  return has;
}

/* Is an operand cut as what is written is, in each dimension? */
static bool is_cut(const PlanTiles *t, int param) {
  const Symbol *s = t->leaf->rule->codelet->params[param];
  if (!s->rank || s->rank > MOST_DIMENSIONS || param == t->written || s->writable || s->atomic) return false;
  for (int d = 0; d < s->rank; d++)
    if (!t->cut[param][d].lanes || !plan_cut_is_tiles(tree_cut(t->cut[param][d].lanes))) return false;
  return true;
}

bool plan_tile_is_window(const PlanTiles *t, int param) { return is_cut(t, param) && has_halo(t, param); }

/* Which dimension of what is written that loop goes over; its rank: none. */
static int own_dimension(const PlanTiles *t, const Symbol *loop) {
  int own = 0;
  while (own < t->rank && t->loops[t->own[own]].index != loop) own++;
  return own;
}

typedef struct Own { const PlanTiles *t; int param; bool any, ok; } Own;

static bool find_own(void *context, const Tree *x) {
  Own *o = context;
  const PlanTiles *t = o->t;
  if (x->op != OP_INDEX || x->kid[0]->op != OP_REF ||
      x->kid[0]->symbol != t->leaf->rule->codelet->params[o->param])
    return true;
  o->any = true;
  for (int d = 0; d < x->nkids - 1; d++) {
    const Tree *index = tree_uncast(x->kid[1 + d]);
    const int own = index->op == OP_REF ? own_dimension(t, index->symbol) : t->rank;
    o->ok &= own < t->rank && tree_cut(t->cut[t->written][own].lanes) == tree_cut(t->cut[o->param][d].lanes);
  }
  return o->ok;
}

bool plan_tile_is_own(const PlanTiles *t, int param) {
  Own o = {t, param, false, true};
  if (!is_cut(t, param) || has_halo(t, param)) return false;
  tree_visit(t->body, find_own, &o);
  return o.any && o.ok;
}

typedef struct Indices { const PlanTiles *t; bool ok; } Indices;

/* Is each index of a window a lane's, and what is ahead of it? */
static bool find_index(void *context, const Tree *x) {
  Indices *all = context;
  const Codelet *c = all->t->leaf->rule->codelet;
  all->ok &= x->op != OP_SIZE;
  for (int i = 0; x->op == OP_INDEX && i < c->nparams; i++) {
    if (x->kid[0]->op != OP_REF || x->kid[0]->symbol != c->params[i] || !plan_tile_is_window(all->t, i)) continue;
    for (int d = 0; d < x->nkids - 1; d++) {
      const int own = own_dimension(all->t, plan_tile_ahead_of(all->t, x->kid[1 + d]));
      all->ok &= own < all->t->rank &&
                 tree_cut(all->t->cut[all->t->written][own].lanes) == tree_cut(all->t->cut[i][d].lanes);
    }
  }
  return all->ok;
}

/* Is it assigned, in either case of a condition? */
static bool assigns(const Tree *x, const Symbol *s) {
  bool any = false;
  for (int i = 0; x->op == OP_SEQ && i < x->nkids; i++) any |= assigns(x->kid[i], s);
  if (x->op == OP_IF) return x->nkids == 3 && x->kid[2] && assigns(x->kid[1], s) && assigns(x->kid[2], s);
  const bool one = x->op == OP_ASSIGN && !x->compound && x->kid[0]->op == OP_INDEX;
  return any || (one && x->kid[0]->kid[0]->symbol == s);
}

typedef struct Reads { const Symbol *of; bool any; } Reads;

static bool find_reads(void *context, const Tree *x) {
  Reads *r = context;
  const bool assigned = x->op == OP_ASSIGN && !x->compound && x->kid[0]->op == OP_INDEX;
  r->any |= x->op == OP_REF && x->symbol == r->of;
  if (assigned && x->kid[0]->kid[0]->symbol == r->of) tree_visit(x->kid[1], find_reads, r); /* its indices are loops' */
  return !r->any && !(assigned && x->kid[0]->kid[0]->symbol == r->of);
}

/* Is all of what is written computed by the body, and nothing of it read? */
static bool assigns_all(const PlanTiles *t) {
  const Codelet *c = t->leaf->rule->codelet;
  bool all = true;
  for (int i = 0; i < c->nparams && all; i++) {
    Reads r = {c->params[i], false};
    if (i != t->written && !t->also[i]) continue;
    tree_visit(t->body, find_reads, &r);
    all = !r.any && assigns(t->body, r.of);
  }
  return all;
}

bool plan_tiles_have_windows(const PlanTiles *t) {
  const Codelet *c = t->leaf->rule->codelet;
  bool any = false;
  if (t->multiplies || t->packs || t->loop || c->params[t->written]->atomic || plan_tiles_share(t)) return false;
  for (int d = 0; d < t->rank; d++)
    if (!plan_cut_is_tiles(tree_cut(t->cut[t->written][d].lanes))) return false;
  for (int i = 0; i < c->nparams; i++) {
    any |= plan_tile_is_window(t, i);
    if (has_halo(t, i) && !plan_tile_is_window(t, i)) return false;
  }
  Indices all = {t, true};
  tree_visit(t->body, find_index, &all);
  return any && all.ok && (t->reduces || assigns_all(t));
}

bool plan_tiles_hold_windows(const PlanTiles *t) {
  return t->block->traversal == TRAVERSE_WINDOWED || t->block->traversal == TRAVERSE_STREAMED;
}

int plan_tiles_stream(const PlanTiles *t) {
  enum { FEWEST_ROWS = 4 }; /* windows of fewer rows come as fast at once */
  const Codelet *c = t->leaf->rule->codelet;
  const int along = c->params[t->written]->by_columns ? t->rank - 1 : 0;
  bool any = false;
  for (int i = 0; i < c->nparams && t->rank >= PLANE; i++)
    for (int d = 0; plan_tile_is_window(t, i) && d < c->params[i]->rank; d++) {
      const Tree *lanes = t->cut[i][d].lanes;
      int64_t more;
      if (lanes->op != OP_HALO || tree_cut(lanes) != tree_cut(t->cut[t->written][along].lanes)) continue;
      any |= t->rank > PLANE || !plan_tile_halo(lanes, &more) || more >= FEWEST_ROWS;
    }
  return any ? along : -1;
}

/* Or does it come to shared memory (tiles.c)? */
bool plan_tile_is_staged(const PlanTiles *t, int param) {
  const Symbol *s = t->leaf->rule->codelet->params[param];
  const bool line = s->rank < PLANE && (t->rank < PLANE || plan_tile_panelled(t, param) < 0);
  if (line || param == t->written || s->writable || s->atomic) return false;
  bool again = false;
  int lanes = 0;
  for (int d = 0; d < s->rank; d++) {
    const TileCut *x = &t->cut[param][d];
    int64_t more;
    if (!x->lanes && !plan_tile_halo(x->grid, &more)) return false; /* of any width */
    if (!x->panel && (!x->grid || plan_tile_is_share(t, tree_cut(x->grid)))) return false; /* of any length */
    again |= plan_tile_has_halo(x);
    lanes += x->lanes != NULL;
  }
  const TileCut *beside = &t->cut[param][s->by_columns ? 0 : s->rank - 1];
  return again || lanes < t->rank || !beside->lanes || !plan_tile_lanes(t, tree_cut(beside->lanes));
}

bool plan_tile_keeps_halo(const PlanTiles *t, int param) {
  if (plan_tiles_hold_windows(t)) return plan_tile_is_window(t, param);
  return t->block->traversal >= TRAVERSE_STAGED && plan_tile_is_staged(t, param);
}
