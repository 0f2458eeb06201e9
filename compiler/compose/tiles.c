/* tiles.c: of a block's part that is cut in several dimensions, can a lane hold what it contributes to in registers,
 * and can what lanes read again be staged in shared memory (MICRO V)?
 *
 *     grid.tiled             tiles of so many elements, by dimension
 *       block.tiled/all      of which each lane has a rectangle
 *         thread.panels/loop   .. panel after panel; or no loop
 *           thread.serial        for (i ..) for (j ..) for (k ..) C(i, j) += A(i, k) * B(k, j)
 *
 * or, where a matrix unit multiplies, each warp has a rectangle:
 *
 *     grid.tiled
 *       block.tiled
 *         warp.panels/loop
 *           warp.unit            mma(A, B, C)
 *
 * A codelet may compute each element in a variable, and store it,
 *
 *     for (i ..) for (j ..) { T s = 0; for (k ..) for (l ..) s += w(k, l) * a(i + k, j + l); out(i, j) = s; }
 *
 * which is then what a lane holds of it. Or the body computes an element by loops of its own, of constant bounds:
 *
 *     for (i ..) for (j ..) { T s = a(i, j); for (k = 0; k < 3; ++k) s = max(s, a(i + k, j)); out(i, j) = s; }
 *
 * It can where the last codelet is loops around one body, which changes one
 * container, an element for each iteration of two of the loops, or three: then iterations of these may go in any order,
 * those of
 * the others in theirs, and each element is what it was.
 * Loops over what lanes have each are written out, so that a tile must have the same extents everywhere; where a
 * part has fewer elements a lane computes some that nobody stores, from the part's last elements: loads stay within it.
 * Hence what is read is indexed by such a loop's variable, and a constant, or the others' variables, alone. */
#include <string.h>

#include "compose/search.h"

/* ---- the codelet's loops ---- */

static const Tree *only(const Tree *t) {
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  return t;
}

typedef struct Values { const PlanTiles *t; bool ok; } Values;

/* Is it made of constants, numbers of the caller's, what is declared of these ahead, and the variable? */
static bool find_value(void *context, const Tree *t) {
  Values *v = context;
  static const Op never[] = {OP_INDEX, OP_SIZE, OP_CALL, OP_APART, OP_ASSIGN};
  for (size_t i = 0; i < sizeof never / sizeof *never; i++) v->ok &= t->op != never[i];
  if (t->op != OP_REF) return v->ok;
  bool known = t->symbol == v->t->sum || (t->symbol->kind == SYMBOL_PARAM && !t->symbol->rank);
  for (int i = 0; i < v->t->nahead; i++) known |= v->t->ahead[i]->symbol == t->symbol;
  v->ok &= known;
  return v->ok;
}

static bool is_value(const PlanTiles *t, const Tree *x) {
  Values v = {t, true};
  tree_visit(x, find_value, &v);
  return v.ok;
}

static bool is_variable(const Tree *t) {
  return t->op == OP_DECLARE && t->nkids && t->symbol->kind == SYMBOL_LOCAL && !t->symbol->array;
}

/* What follows declarations of constants; NULL: others are there. */
static const Tree *past_declarations(const Codelet *c, PlanTiles *t) {
  const Tree *x = only(c->body);
  if (x->op != OP_SEQ || !x->nkids) return x;
  for (int i = 0; i < x->nkids - 1; i++) {
    if (!is_variable(x->kid[i]) || tree_assigns(x, x->kid[i]->symbol) || !is_value(t, x->kid[i]->kid[0])) return NULL;
    t->ahead = x->kid;
    t->nahead = i + 1;
  }
  return only(x->kid[x->nkids - 1]);
}

/* The loops that compute an element in a variable; else `x'. */
static const Tree *of_variable(PlanTiles *t, const Tree *x) {
  enum { DECLARED, COMPUTED, STORED, STATEMENTS };
  if (x->op != OP_SEQ || x->nkids != STATEMENTS || !is_variable(x->kid[DECLARED])) return x;
  const Tree *store = x->kid[STORED];
  if (only(x->kid[COMPUTED])->op != OP_FOR || store->op != OP_ASSIGN || store->compound) return x;
  const bool constant = is_value(t, x->kid[DECLARED]->kid[0]);
  t->sum = x->kid[DECLARED]->symbol;
  t->begin = x->kid[DECLARED]->kid[0];
  t->end = store;
  if (constant && is_value(t, store->kid[1]) && store->kid[1]->type == t->sum->type) return only(x->kid[COMPUTED]);
  t->sum = NULL;
  return x;
}

/* Loops of constant bounds, which go from 0 on. */
static bool find_within(void *context, const Tree *x) {
  Values *v = context;
  PlanTiles *t = (PlanTiles *)v->t;
  const Tree *end;
  int64_t number;
  if (x->op != OP_FOR || !v->ok) return v->ok;
  v->ok = t->nwithin < MOST_LOOPS && tree_counts(x, &t->within[t->nwithin], &end) &&
          tree_constant(tree_uncast(end), &number) && !tree_assigns(x->kid[3], t->within[t->nwithin]);
  t->nwithin++;
  return v->ok;
}

static bool find_loops(const Codelet *c, PlanTiles *t) {
  const Tree *x = past_declarations(c, t), *end;
  while (x && x->op == OP_FOR && t->nloops < MOST_LOOPS) {
    TileLoop *loop = &t->loops[t->nloops++];
    int64_t number;
    if (!tree_counts(x, &loop->index, &end)) return false;
    loop->end = tree_uncast(end);
    const Tree *of = loop->end->op == OP_SIZE ? loop->end->kid[0] : NULL;
    if (of && of->op == OP_REF && of->symbol->kind == SYMBOL_PARAM) loop->of = of->symbol;
    else if (!tree_constant(loop->end, &number)) return false;
    loop->dimension = loop->end->dimension;
    x = only(x->kid[3]);
    if (!t->sum) x = of_variable(t, x);
  }
  if (!x) return false;
  t->body = x;
  static const Op never[] = {OP_WHILE, OP_BREAK, OP_CONTINUE, OP_RETURN, OP_CALL, OP_MAP, OP_PARTS, OP_ATOMIC,
                             OP_APART};
  for (size_t i = 0; i < sizeof never / sizeof *never; i++)
    if (tree_contains(x, never[i])) return false;
  for (int i = 0; i < t->nloops; i++)
    if (tree_assigns(x, t->loops[i].index)) return false;
  Values within = {t, true};
  tree_visit(x, find_within, &within);
  return t->nloops > 0 && within.ok;
}

/* Have all containers one dimension? */
static bool are_lines(const Codelet *c) {
  bool all = true;
  for (int i = 0; i < c->nparams; i++) all &= c->params[i]->rank <= 1;
  return all;
}

static int parameter(const Codelet *c, const Symbol *s) {
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i] == s) return i;
  return -1;
}

static int loop_of(const PlanTiles *t, const Tree *index) {
  index = tree_uncast(index);
  for (int i = 0; index->op == OP_REF && i < t->nloops; i++)
    if (t->loops[i].index == index->symbol) return i;
  return -1;
}

typedef struct Uses { PlanTiles *t; const Codelet *codelet; bool ok; } Uses;

/* All places that are assigned to have the same indices; of containers that have one type, if there are several. */
static bool finds_place(Uses *u, const Tree *place) {
  PlanTiles *p = u->t;
  const int to = parameter(u->codelet, place->kid[0]->symbol), rank = place->nkids - 1;
  const bool first = p->written < 0;
  if (first) p->written = to;
  if (first) p->rank = rank;
  bool same = rank == p->rank && rank <= MOST_DIMENSIONS;
  for (int d = 0; d < rank && same; d++) {
    if (first) p->own[d] = loop_of(p, place->kid[1 + d]);
    same = p->own[d] == loop_of(p, place->kid[1 + d]);
  }
  const Symbol *one = u->codelet->params[p->written], *other = u->codelet->params[to];
  if (one == other) return same;
  p->also[to] = p->several = true;
  return same && other->type == one->type && !other->atomic && !one->atomic && other->by_columns == one->by_columns;
}

/* Containers' elements and sizes are used, by an index for each dimension; what is assigned to is one element of one of
 * them, or a local. */
static bool find_uses(void *context, const Tree *t) {
  Uses *u = context;
  if (t->op == OP_SIZE) return false;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_PARAM && t->symbol->rank) u->ok = false;
  const Tree *place = t->op == OP_ASSIGN ? t->kid[0] : NULL;
  if (t->op == OP_DECLARE && t->symbol->array) u->ok = false;
  if (place && place->op == OP_INDEX && place->kid[0]->op == OP_REF && place->kid[0]->symbol->kind == SYMBOL_PARAM) {
    u->ok &= finds_place(u, place);
  }
  if (t->op != OP_INDEX || t->kid[0]->op != OP_REF || t->kid[0]->symbol->kind != SYMBOL_PARAM) return true;
  for (int i = 1; i < t->nkids; i++) tree_visit(t->kid[i], find_uses, u);
  return false;
}

/* Is what is written read at the same element alone? */
static bool find_other_element(void *context, const Tree *t) {
  Uses *u = context;
  const Symbol *written = u->codelet->params[u->t->written];
  if (t->op != OP_INDEX || t->kid[0]->op != OP_REF || t->kid[0]->symbol != written) return true;
  for (int d = 0; d < u->t->rank; d++) u->ok &= loop_of(u->t, t->kid[1 + d]) == u->t->own[d];
  return true;
}

static bool writes_one_element(const Codelet *c, PlanTiles *t) {
  Uses u = {t, c, true};
  t->written = -1;
  tree_visit(t->body, find_uses, &u);
  if (t->sum && (!u.ok || t->written >= 0)) return false;
  if (t->sum) tree_visit(t->end, find_uses, &u);
  if (!u.ok || t->written < 0 || t->rank < (are_lines(c) ? 1 : PLANE) || t->rank > MOST_DIMENSIONS) return false;
  for (int d = 0; d < t->rank; d++) {
    if (t->own[d] < 0) return false;
    for (int k = 0; k < d; k++)
      if (t->own[k] == t->own[d]) return false;
  }
  t->row = t->own[t->rank < PLANE ? 0 : t->rank - PLANE];
  t->column = t->own[t->rank - 1];
  tree_visit(t->body, find_other_element, &u);
  if (t->sum && (tree_mentions(t->body, c->params[t->written]) || c->params[t->written]->atomic ||
                 c->params[t->written]->type != t->sum->type))
    return false;
  t->reduces = t->nloops > t->rank;
  return u.ok && !(t->several && (t->reduces || t->sum));
}

/* ---- cuts ---- */

static bool find_map(void *context, const Tree *t) {
  const Tree **found = context;
  if (t->op == OP_MAP && !*found) *found = t;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_map, context);
  return !*found;
}

const Tree *plan_map_of(const Codelet *c) {
  const Tree *found = c->by_cuts;
  if (!found) tree_visit(c->body, find_map, &found);
  return found;
}

static bool is_cut(const Symbol *cut, const Tree *map, const Codelet *c, const Tree *size) {
  if (size->op != OP_SIZE || size->kid[0]->op != OP_REF || parameter(c, size->kid[0]->symbol) < 0) return false;
  for (int i = 0; i < map->nkids; i++)
    if (map->kid[i]->op == OP_PARTS && map->kid[i]->kid[0]->symbol == size->kid[0]->symbol &&
        tree_cut(map->kid[i]->kid[1 + size->dimension]) == cut)
      return true;
  return false;
}

static const Tree *sequence(const Tree *t) { return t->op == OP_REF && t->symbol->init ? t->symbol->init : t; }

/* cut(p, sequence(0, 1, p), sequence(p), sequence(n)): every p-th. */
static bool is_strided(const Symbol *cut, const Tree *map, const Codelet *c) {
  if (cut->init->nkids != 4) return false;
  const Tree *start = sequence(cut->init->kid[1]), *inc = sequence(cut->init->kid[2]);
  const Tree *end = sequence(cut->init->kid[3]);
  const Symbol *parts = tree_uncast(cut->init->kid[0])->symbol;
  int64_t first, step;
  if (start->nkids != 3 || inc->nkids != 1 || end->nkids != 1) return false;
  if (!tree_constant(start->kid[0], &first) || first || !tree_constant(start->kid[1], &step) || step != 1) return false;
  return tree_is_symbol(start->kid[2], parts) && tree_is_symbol(inc->kid[0], parts) &&
         is_cut(cut, map, c, tree_uncast(end->kid[0]));
}

bool plan_cut_is_tiles(const Symbol *cut) { return cut->init->nkids == 2; }

bool plan_cuts_one_dimension(const Codelet *c) {
  const Tree *map = plan_map_of(c);
  const Symbol *one = NULL;
  for (int i = 0; map && i < map->nkids; i++)
    for (int d = 1; map->kid[i]->op == OP_PARTS && d < map->kid[i]->nkids; d++) {
      const Symbol *cut = tree_cut(map->kid[i]->kid[d]);
      if (cut && one && cut != one) return false;
      if (cut) one = cut;
    }
  return one != NULL;
}

bool plan_cut_has_extent(const Codelet *c, const Symbol *cut) {
  const Tree *map = plan_map_of(c);
  if (!map || !plan_cut_is_tiles(cut)) return false;
  bool written = plan_cuts_one_dimension(c);
  for (int i = 0; i < map->nkids; i++)
    for (int d = 1; map->kid[i]->op == OP_PARTS && d < map->kid[i]->nkids; d++)
      if (tree_cut(map->kid[i]->kid[d]) == cut) {
        const Symbol *of = map->spectrum->codelets[0]->params[i];
        written |= of->writable || of->atomic;
      }
  return written;
}

/* A size that `__shape' says is a constant. */
static bool number_of(const Tree *t, int64_t *number) {
  int64_t left, right;
  t = tree_uncast(t);
  if (tree_constant(t, number)) return true;
  if (t->op == OP_SIZE && t->kid[0]->op == OP_REF) {
    const ShapeRule *r = &t->kid[0]->symbol->shape[t->dimension];
    *number = r->plus;
    return r->said && !r->of[0] && !r->of[SHAPE_ADDEND];
  }
  if ((t->op != OP_ADD && t->op != OP_SUB) || !number_of(t->kid[0], &left) || !number_of(t->kid[1], &right))
    return false;
  *number = t->op == OP_ADD ? left + right : left - right;
  return true;
}

bool plan_tile_halo(const Tree *cut, int64_t *more) {
  int64_t before, after;
  *more = 0;
  if (!cut || cut->op != OP_HALO) return true;
  if (!number_of(cut->kid[1], &before) || !number_of(cut->kid[2], &after)) return false;
  *more = before + after;
  return true;
}

enum { BY_GRID, BY_LANES, BY_PANELS };

/* One map more between the last codelet's parameters and the problem's: what stands for parameter number i, and its
 * cuts. */
static bool follow(PlanTiles *t, const PlanNode *n, int by, int nparams) {
  const Codelet *c = n->rule->codelet;
  const Tree *map = c->kind == CLASS_COMPOUND ? plan_map_of(c) : NULL;
  if (!map) return false;
  for (int i = 0; i < nparams; i++) {
    const Tree *x = t->param[i] < map->nkids ? map->kid[t->param[i]] : NULL;
    const bool parts = x && x->op == OP_PARTS;
    const Tree *of = parts ? x->kid[0] : x;
    if (!of || of->op != OP_REF || (t->param[i] = parameter(c, of->symbol)) < 0) return false;
    for (int d = 0; parts && d < x->nkids - 1; d++) {
      const Symbol *cut = tree_cut(x->kid[1 + d]);
      int64_t more;
      if (!cut) continue;
      if (!plan_tile_halo(x->kid[1 + d], &more) && (!t->reduces || t->loop)) return false;
      if (!plan_cut_is_tiles(cut) && (by != BY_LANES || t->multiplies || !is_strided(cut, map, c))) return false;
      TileCut *of_it = &t->cut[i][d];
      const Tree **at[] = {[BY_GRID] = &of_it->grid, [BY_LANES] = &of_it->lanes, [BY_PANELS] = &of_it->panel};
      *at[by] = x->kid[1 + d];
    }
  }
  return true;
}

static const Symbol *loop_cut(const PlanTiles *t, int loop, bool *lanes) {
  const Codelet *c = t->leaf->rule->codelet;
  *lanes = false;
  if (!t->loops[loop].of) return NULL;
  const TileCut *x = &t->cut[parameter(c, t->loops[loop].of)][t->loops[loop].dimension];
  *lanes = x->lanes != NULL;
  return x->lanes ? tree_cut(x->lanes) : x->panel ? tree_cut(x->panel) : NULL;
}

int plan_tile_dimension(const PlanTiles *t, int loop) {
  int d = t->rank - 1;
  while (d >= 0 && t->own[d] != loop) d--;
  return d;
}

/* Each dimension by a lane's cut or a panel's at most, lanes' within a tile's; what is written by lanes alone. Panels
 * by one cut: there is one loop over them. */
static bool cuts_fit(const PlanTiles *t) {
  const Codelet *c = t->leaf->rule->codelet;
  const Symbol *panels = NULL;
  for (int i = 0; i < c->nparams; i++) {
    if (c->params[i]->rank == 1 && t->rank > 1 && (t->multiplies || t->packs)) return false;
    for (int d = 0; d < c->params[i]->rank; d++) {
      const TileCut *x = &t->cut[i][d];
      if (x->panel && panels && panels != tree_cut(x->panel)) return false;
      if (x->panel) panels = tree_cut(x->panel);
      if ((x->lanes && (x->panel || !x->grid)) || (x->panel && x->panel->op == OP_HALO)) return false;
      const bool stored = i == t->written || t->also[i];
      if (stored && (!x->lanes || x->panel || x->lanes->op == OP_HALO || x->grid->op == OP_HALO)) return false;
      if (t->also[i] && tree_cut(x->lanes) != tree_cut(t->cut[t->written][d].lanes)) return false;
    }
  }
  for (int i = 0; i < t->nloops; i++) {
    bool lanes;
    const Symbol *cut = loop_cut(t, i, &lanes);
    const int d = plan_tile_dimension(t, i);
    if (lanes != (d >= 0) || (d >= 0 && cut != tree_cut(t->cut[t->written][d].lanes))) return false;
  }
  for (int d = 0; d < t->rank; d++)
    for (int k = 0; k < d; k++)
      if (tree_cut(t->cut[t->written][k].lanes) == tree_cut(t->cut[t->written][d].lanes)) return false;
  return true;
}

bool plan_tiles_move(const PlanTiles *t) {
  bool halo = false;
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++)
    for (int d = 0; d < t->leaf->rule->codelet->params[i]->rank && d < MOST_DIMENSIONS; d++)
      halo |= plan_tile_has_halo(&t->cut[i][d]);
  return !halo && !t->loop && !t->reduces && !t->sum && t->block && t->block->traversal == TRAVERSE_STAGED;
}

bool plan_tile_is_above(const PlanTiles *t, const Symbol *cut) {
  bool above = false;
  for (int d = 0; d < t->rank - PLANE; d++) above |= tree_cut(t->cut[t->written][d].grid) == cut;
  return above;
}

bool plan_tile_is_share(const PlanTiles *t, const Symbol *cut) {
  bool of_grid = false, of_lanes = false;
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++)
    for (int d = 0; d < MOST_DIMENSIONS; d++) {
      const TileCut *x = &t->cut[i][d];
      if (!x->grid || tree_cut(x->grid) != cut) continue;
      of_grid = true;
      of_lanes |= x->lanes != NULL;
    }
  return of_grid && !of_lanes;
}

/* How many cuts are shares. */
static int count_shares(const PlanTiles *t) {
  const Symbol *one = NULL;
  int many = 0;
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++)
    for (int d = 0; d < MOST_DIMENSIONS; d++) {
      const Symbol *cut = t->cut[i][d].grid ? tree_cut(t->cut[i][d].grid) : NULL;
      if (!cut || cut == one || !plan_tile_is_share(t, cut)) continue;
      one = cut;
      many++;
    }
  return many;
}

bool plan_tiles_share(const PlanTiles *t) { return count_shares(t) > 0; }

bool plan_tiles_meet(const PlanTiles *t) { return t->reduces && count_shares(t) == 1; }

int plan_tile_panelled(const PlanTiles *t, int param) {
  int d = MOST_DIMENSIONS - 1;
  while (d >= 0 && !t->cut[param][d].panel) d--;
  return d;
}

const Symbol *plan_tile_panels(const PlanTiles *t) {
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++)
    for (int d = 0; d < MOST_DIMENSIONS; d++)
      if (t->cut[i][d].panel) return tree_cut(t->cut[i][d].panel);
  return NULL;
}

/* ---- what is read ---- */

/* How far ahead of an element it is: by a constant, or as far as one of the inner loops is. */
static bool is_ahead(const PlanTiles *p, const Tree *t) {
  int64_t plus;
  t = tree_uncast(t);
  if (tree_constant(t, &plus)) return plus >= 0;
  if (t->op == OP_ADD) return is_ahead(p, t->kid[0]) && is_ahead(p, t->kid[1]);
  for (int i = 0; t->op == OP_REF && i < p->nwithin; i++)
    if (p->within[i] == t->symbol) return true;
  const int loop = loop_of(p, t);
  return loop >= 0 && plan_tile_dimension(p, loop) < 0;
}

/* i, or i + 1, or i + k. */
const Symbol *plan_tile_ahead_of(const PlanTiles *p, const Tree *t) {
  t = tree_uncast(t);
  if (t->op == OP_REF) return t->symbol;
  if (t->op != OP_ADD) return NULL;
  for (int i = 0; i < 2; i++)
    if (is_ahead(p, t->kid[1 - i])) return plan_tile_ahead_of(p, t->kid[i]);
  return NULL;
}

static bool index_stays(const PlanTiles *t, const Tree *index, const Symbol *cut) {
  for (int i = 0; i < t->nloops; i++) {
    bool lanes;
    const Symbol *by = loop_cut(t, i, &lanes);
    if (!lanes || !tree_mentions(index, t->loops[i].index)) continue;
    if (plan_tile_ahead_of(t, index) != t->loops[i].index || by != cut)
      return false;
  }
  return true;
}

static bool find_leaving(void *context, const Tree *t) {
  Uses *u = context;
  if (t->op != OP_INDEX || t->kid[0]->op != OP_REF || t->kid[0]->symbol->kind != SYMBOL_PARAM) return true;
  const int of = parameter(u->codelet, t->kid[0]->symbol);
  for (int d = 0; d < t->nkids - 1; d++) {
    const Tree *lanes = u->t->cut[of][d].lanes;
    u->ok &= index_stays(u->t, t->kid[1 + d], lanes ? tree_cut(lanes) : NULL);
  }
  return true;
}

static bool stays_within(const Codelet *c, PlanTiles *t) {
  Uses u = {t, c, true};
  tree_visit(t->body, find_leaving, &u);
  return u.ok;
}

/* ---- the plan ---- */

bool plan_has_tiles(const PlanNode *grid) {
  const PlanNode *block = grid->nkids ? grid->kid[0] : NULL;
  return block && block->traversal >= TRAVERSE_PACKED;
}

const PlanNode *plan_tiled(const PlanNode *root) {
  root = plan_work(root);
  if (!plan_in_steps(root)) return plan_has_tiles(root) ? root : NULL;
  for (int i = 0; i < root->nkids && root->rule->level->can.launched; i++) {
    const PlanNode *found = plan_tiled(root->kid[i]);
    if (found) return found;
  }
  return NULL;
}

/* Cuts have names of their own, and no tunable has one of these. */
static bool names_differ(const PlanTiles *t) {
  VEC(const Symbol *) cuts = {0};
  Arena *a = arena_new();
  bool apart = true;
  for (int i = 0; i < t->leaf->rule->codelet->nparams; i++)
    for (int d = 0; d < MOST_DIMENSIONS; d++) {
      const Tree *of[] = {t->cut[i][d].grid, t->cut[i][d].panel};
      for (int k = 0; k < 2; k++) {
        const Symbol *cut = of[k] ? tree_cut(of[k]) : NULL;
        bool known = !cut;
        for (int n = 0; n < cuts.n && cut; n++) {
          known |= cuts.at[n] == cut;
          apart &= cuts.at[n] == cut || strcmp(cuts.at[n]->name, cut->name) != 0;
        }
        if (!known) vec_push(a, &cuts, cut);
      }
    }
  const Tunables own = t->grid->rule->spectrum->tunables;
  for (int i = 0; i < own.n; i++) apart &= strcmp(own.at[i].name, plan_tile_workers_name(t->multiplies)) != 0;
  for (int i = 0; i < own.n; i++) apart &= strcmp(own.at[i].name, plan_tile_stages_name) != 0;
  for (int i = 0; i < own.n; i++)
    for (int n = 0; n < cuts.n; n++) apart &= strcmp(own.at[i].name, plan_tile_name(a, cuts.at[n])) != 0;
  arena_free(a);
  return apart;
}

const char plan_tile_stages_name[] = "stages";

const char *plan_tile_workers_name(bool multiplies) { return multiplies ? "warps" : "lanes"; }

const char *plan_tile_halo_name(Arena *a, const TileCut *x) {
  int64_t more;
  const bool known = !x->lanes || plan_tile_halo(x->lanes, &more);
  return known ? NULL : arena_printf(a, "halo_%s", tree_cut(x->grid)->name);
}

const char *plan_tile_name(Arena *a, const Symbol *cut) { return arena_printf(a, "tile_%s", cut->name); }

bool plan_tiles(const PlanNode *grid, PlanTiles *t) {
  *t = (PlanTiles){.grid = grid};
  if (!grid->rule->level->can.launched || grid->rule->map != STEP_DISTRIBUTE) return false;
  if (grid->combine != COMBINE_NONE && !plan_adds_copies(grid)) return false;
  const PlanNode *n = t->block = grid->kid[0];
  t->multiplies = n->rule->map == STEP_DISTRIBUTE && plan_multiplies(n);
  t->groups = n->traversal >= TRAVERSE_BULK;
  t->produced = n->traversal == TRAVERSE_PRODUCED;
  t->packs = n->rule->level->can.copies && n->rule->map == STEP_DISTRIBUTE && n->rule->parts->can.lanes == LANES_ONE;
  const bool shares = n->rule->level->can.shares && (t->packs || !n->rule->level->can.copies);
  const bool maps = n->rule->map == STEP_SPLIT || t->multiplies || t->packs;
  if (!shares || !maps || n->combine != COMBINE_NONE) return false;
  n = n->kid[0];
  if (n->rule->codelet && n->rule->map == STEP_SERIALIZE) {
    t->loop = n;
    n = n->kid[0];
  }
  t->leaf = n;
  const Codelet *c = n->rule->codelet;
  if (!c || c->kind != CLASS_AUTONOMOUS || c->spectrum->result != TYPE_VOID) return false;
  if (t->loop && t->loop->combine != COMBINE_NONE) return false;
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i]->rank > MOST_DIMENSIONS) return false;
  if (t->multiplies && (!c->matrix || !t->loop || n->rule->level != t->block->rule->parts)) return false;
  if (!find_loops(c, t) || !writes_one_element(c, t)) return false;
  if (t->nwithin && (t->reduces || t->loop || t->multiplies || t->packs)) return false;
  for (int i = 0; i < c->nparams; i++) t->param[i] = i;
  if (t->loop && !follow(t, t->loop, BY_PANELS, c->nparams)) return false;
  if (!follow(t, t->block, BY_LANES, c->nparams)) return false;
  for (int i = 0; i < c->nparams; i++) t->of_block[i] = t->param[i];
  if ((t->packs && (t->rank < PLANE || t->sum)) || (t->multiplies && t->sum)) return false;
  if (!follow(t, grid, BY_GRID, c->nparams) || (t->sum && (t->loop || count_shares(t)))) return false;
  return cuts_fit(t) && stays_within(c, t) && names_differ(t);
}

/* ---- staging ---- */

int plan_tile_lanes(const PlanTiles *t, const Symbol *cut) {
  const Symbol *to = t->leaf->rule->codelet->params[t->written];
  const int last = to->by_columns ? 0 : t->rank - 1;
  return tree_cut(t->cut[t->written][last].lanes) == cut ? 1 : 0;
}

bool plan_tile_has_halo(const TileCut *x) {
  return (x->lanes && x->lanes->op == OP_HALO) || (x->grid && x->grid->op == OP_HALO);
}
