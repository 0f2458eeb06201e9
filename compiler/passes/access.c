/* access.c: accesses to shared memory, who makes them, and whose may meet.
 *
 * An index is taken apart as  factor * WARP + rest.  When the rests of two accesses lie closer together than the
 * factor, lanes of different warps never meet: each warp keeps to its own slice. Of an array that a codelet has at a
 * warp that is known without: no index of the codelet's leaves the array, and each warp has one.
 *
 * Buffers that a loop goes through by turns, at  (k % 2) * 1024 + thread, are told apart by what k has moved since. */
#include "passes/access.h"

/* ---- gathering ---- */

static Variance atom_variance(const Gather *g, const Atom *x) {
  switch (x->kind) {
    case ATOM_LANE: return VARIES_LANE;
    case ATOM_WARP: return VARIES_WARP;
    case ATOM_BLOCK: case ATOM_CLUSTER: case ATOM_RANK: return VARIES_BLOCK;
    case ATOM_CONSTANT: return VARIES_NOT;
    case ATOM_SYMBOL: {
      Tree ref = {.op = OP_REF, .type = x->symbol->type, .symbol = (Symbol *)x->symbol};
      return uniform_of(g->uniform, &ref);
    }
    case ATOM_TREE: return x->tree ? uniform_of(g->uniform, x->tree) : VARIES_LANE;
    case ATOM_TREE_REST: return VARIES_LANE;
  }
  return VARIES_LANE;
}

/* The terms of x that are, or are not, the same for all lanes; the constant goes with those that are not. */
static Linear terms(Gather *g, const Linear *x, bool varying) {
  Linear r = {arena_many(g->a, Term, x->n), 0, varying ? x->constant : 0};
  for (int i = 0; i < x->n; i++)
    if ((atom_variance(g, &x->term[i].atom) > VARIES_BLOCK) == varying) r.term[r.n++] = x->term[i];
  return r;
}

static int64_t factor_of(const Linear *x, AtomKind kind) {
  for (int i = 0; i < x->n; i++)
    if (x->term[i].atom.kind == kind) return x->term[i].factor;
  return 0;
}

static Linear without(Gather *g, const Linear *x, AtomKind kind) {
  Linear r = {arena_many(g->a, Term, x->n), 0, x->constant};
  for (int i = 0; i < x->n; i++)
    if (x->term[i].atom.kind != kind) r.term[r.n++] = x->term[i];
  return r;
}

static bool all_uniform(Gather *g, const Linear *x) {
  for (int i = 0; i < x->n; i++)
    if (atom_variance(g, &x->term[i].atom) > VARIES_BLOCK) return false;
  return true;
}

/* Bounds of x that every lane knows: what is left of x when its lanes are at their least, or when a fact about
 * them is used: k <= 0 makes x = (x - k) + k <= x - k. */
static void find_bounds(Gather *g, Access *x) {
  Linear low = {arena_many(g->a, Term, x->index.n), 0, x->index.constant}, high = low;
  high.term = arena_many(g->a, Term, x->index.n);
  bool has_low = true, has_high = true;
  for (int i = 0; i < x->index.n; i++) {
    Term t = x->index.term[i];
    if (atom_variance(g, &t.atom) <= VARIES_BLOCK) {
      low.term[low.n++] = t;
      high.term[high.n++] = t;
      continue;
    }
    int64_t least = t.factor > 0 ? t.atom.range.lo : t.atom.range.hi,
            most = t.factor > 0 ? t.atom.range.hi : t.atom.range.lo;
    if (least <= INT32_MIN || least >= INT32_MAX || __builtin_mul_overflow(least, t.factor, &least) ||
        __builtin_add_overflow(low.constant, least, &low.constant))
      has_low = false;
    if (most <= INT32_MIN || most >= INT32_MAX || __builtin_mul_overflow(most, t.factor, &most) ||
        __builtin_add_overflow(high.constant, most, &high.constant))
      has_high = false;
  }
  if (has_low) vec_push(g->a, &x->below, low);
  if (has_high) vec_push(g->a, &x->above, high);
  Linear none = {0};
  for (int i = 0; i < g->facts->known.n; i++) {
    Linear k = g->facts->known.at[i], minus = facts_difference(g->facts, &none, &k);
    Linear above = facts_difference(g->facts, &x->index, &k), below = facts_difference(g->facts, &x->index, &minus);
    if (all_uniform(g, &above)) vec_push(g->a, &x->above, above);
    if (all_uniform(g, &below)) vec_push(g->a, &x->below, below);
  }
}

bool access_is_exposed(const Gather *g, const Symbol *s) {
  for (int i = 0; i < g->exposed->n; i++)
    if (g->exposed->at[i] == s) return true;
  return false;
}

/* ---- rows of which a lane has columns ---- */

/* Is it for (i = THREAD; ..; i += threads), or of a warp (i = LANE; ..; i += 32), and i changed by that step alone? */
void access_note_stride(Arena *a, const Kernel *k, const Tree *loop, SymbolList *block, SymbolList *warp) {
  enum { LANES = 32 };
  const Tree *init = loop->kid[0], *step = loop->kid[2];
  if (loop->op != OP_FOR || !init || !step || init->op != OP_DECLARE || !init->nkids || step->op != OP_ASSIGN) return;
  const Tree *by = step->kid[1];
  int64_t lanes;
  const bool of_block = init->kid[0]->op == OP_THREAD && by->op == OP_REF && by->symbol == k->threads;
  const bool of_warp = init->kid[0]->op == OP_LANE && tree_constant(by, &lanes) && lanes == LANES;
  if ((!of_block && !of_warp) || step->compound != OP_ADD) return;
  if (step->kid[0]->op != OP_REF || step->kid[0]->symbol != init->symbol || init->symbol->type == TYPE_BOOL) return;
  if (!tree_assigns(loop->kid[3], init->symbol)) vec_push(a, of_block ? block : warp, init->symbol);
}

static int64_t divisor(int64_t x, int64_t y) {
  while (y) {
    const int64_t rest = x % y;
    x = y;
    y = rest;
  }
  return x < 0 ? -x : x;
}

static bool is_strided(const SymbolList *all, const Atom *x) {
  for (int i = 0; i < all->n && x->kind == ATOM_SYMBOL; i++)
    if (all->at[i] == x->symbol) return true;
  return false;
}

/* Is it  row * length + d,  d from a lane to that and multiples of the block's size? Of rows of no length, d alone. */
static Columns columns_of(Gather *g, const Linear *index) {
  Columns c = {.length = index->constant};
  const Term *own = NULL;
  for (int i = 0; i < index->n; i++) {
    const Term *x = &index->term[i];
    const bool strided = is_strided(g->strided, &x->atom) || is_strided(g->strided_by_warp, &x->atom);
    if (!own && x->factor == 1 && strided) own = x;
    else c.length = divisor(c.length, x->factor);
  }
  if (!own) return (Columns){0};
  Linear d = {(Term *)own, 1, 0};
  const Range r = facts_range(g->facts, &d);
  c.length = c.length < 0 ? -c.length : c.length;
  c.most = r.hi;
  c.any = r.lo >= 0;
  c.of_warp = is_strided(g->strided_by_warp, &own->atom);
  return c;
}

/* Of different lanes; `warp': of one warp. */
static bool other_columns(const Columns *x, const Columns *y, bool warp) {
  if (!warp && (x->of_warp || y->of_warp)) return false;
  const int64_t length = divisor(x->length, y->length);
  return x->any && y->any && (!length || (x->most < length && y->most < length));
}

/* ---- buffers by turns ---- */

static int64_t modulo(int64_t x, int64_t count) { return (x % count + count) % count; }

/* By so many buffers as a constant says, not less than `count': offsets stay as they are. */
static int64_t offset_of(const Ring *r, int64_t x) { return r->by ? x : modulo(x, r->count); }

/* Is it (counter + offset) % count, of what is not negative? */
static bool is_turn(Gather *g, const Atom *x, Ring *r) {
  enum { MOST_BUFFERS = 64 };
  const Tree *t = x->kind == ATOM_TREE ? x->tree : NULL;
  int64_t count;
  if (!t || (t->op != OP_REM && t->op != OP_AND)) return false;
  const Symbol *by_symbol = t->kid[1]->op == OP_REF ? t->kid[1]->symbol : NULL;
  const Symbol *constant = by_symbol && by_symbol->kind == SYMBOL_CONSTANT ? by_symbol : NULL;
  if (constant && t->op == OP_REM) count = constant->min;
  else if (!tree_constant(t->kid[1], &count)) return false;
  if (t->op == OP_AND && (count & (count + 1))) return false;
  if (t->op == OP_AND) count++;
  Linear by = facts_linear(g->facts, t->kid[0]);
  if (facts_range(g->facts, &by).lo < 0) return false;
  for (int i = 0; constant && i < by.n; i++) /* all of it is no turn */
    if ((by.term[i].atom.kind == ATOM_CONSTANT || by.term[i].atom.kind == ATOM_SYMBOL) &&
        by.term[i].atom.symbol == constant)
      by.term[i--] = by.term[--by.n];
  if (count < 2 || count > MOST_BUFFERS || by.n != 1 || by.term[0].factor != 1 || by.term[0].atom.kind != ATOM_SYMBOL)
    return false;
  *r = (Ring){.counter = by.term[0].atom.symbol, .time = by.term[0].atom.time, .by = constant, .count = count};
  r->offset = offset_of(r, by.constant);
  return true;
}

/* Is it  buffer * turn,  of a symbol that keeps to its buffers? The turn is in *turn. */
static bool is_buffer(const Atom *x, const Tree *buffer, Atom *turn) {
  const Tree *t = x->kind == ATOM_TREE ? x->tree : NULL;
  if (!t || !buffer || t->op != OP_MUL) return false;
  for (int i = 0; i < 2; i++)
    if (tree_equal(t->kid[1 - i], buffer)) {
      *turn = (Atom){.kind = ATOM_TREE, .tree = t->kid[i]};
      return true;
    }
  return false;
}

static Ring ring_of(Gather *g, const Symbol *s, const Linear *index) {
  for (int i = 0; i < index->n; i++) {
    Term *x = &index->term[i];
    Atom turn;
    Ring r;
    if (x->factor == 1 && is_buffer(&x->atom, s->buffer, &turn) && is_turn(g, &turn, &r)) {
      r.factor = 1;
      return r;
    }
    if (x->factor <= 0 || !is_turn(g, &x->atom, &r)) continue;
    r.factor = x->factor;
    Linear own = {x, 1, 0}, rest = facts_difference(g->facts, index, &own);
    Range within = facts_range(g->facts, &rest);
    if (within.lo >= 0 && within.hi < r.factor) return r;
  }
  return (Ring){0};
}

static bool other_buffer(const Ring *x, const Ring *y) {
  const bool same = x->counter && x->counter == y->counter && x->time == y->time && x->by == y->by &&
                    x->count == y->count;
  const int64_t apart = x->offset > y->offset ? x->offset - y->offset : y->offset - x->offset;
  return same && x->factor == y->factor && apart > 0 && apart < x->count;
}

bool access_equal(const Access *x, const Access *y) {
  return x->at == y->at && x->write == y->write && x->ring.counter == y->ring.counter &&
         x->ring.offset == y->ring.offset && x->ring.carried == y->ring.carried;
}

/* Unsigned counters wrap around: at a multiple of the count where that is a power of two. */
static bool wraps_evenly(const Ring *r) {
  return r->counter->type != TYPE_UINT || (!r->by && (r->count & (r->count - 1)) == 0);
}

void access_carry(Accesses *all, const Symbol *counter, int64_t time, int64_t step) {
  for (int i = 0; i < all->n; i++) {
    Ring *r = &all->at[i].ring;
    if (!r->counter || r->counter != counter) continue;
    if (r->time != time || !step || !wraps_evenly(r)) { *r = (Ring){0}; continue; }
    r->offset = offset_of(r, r->offset - step);
    if (r->offset >= r->count || r->offset <= -r->count) { /* it is not known of how many turns */
      *r = (Ring){0};
      continue;
    }
    r->carried = true;
  }
}

void access_carried(Accesses *all, const Symbol *counter, int64_t time) {
  for (int i = 0; i < all->n; i++)
    if (all->at[i].ring.carried && all->at[i].ring.counter == counter) all->at[i].ring.time = time;
}

void access_leave(Accesses *all, const Symbol *counter) {
  for (int i = 0; i < all->n; i++)
    if (all->at[i].ring.counter == counter) all->at[i].ring = (Ring){0};
}

/* ---- gathering them ---- */

static void add(Gather *g, const Tree *at, bool write, AtomicOp atomic, Accesses *to) {
  Access x = {.at = at, .write = write, .atomic = atomic};
  x.symbol = at->op == OP_INDEX ? at->kid[0]->symbol : at->symbol;
  x.exposed = access_is_exposed(g, x.symbol);
  if (at->op == OP_INDEX) x.index = facts_linear(g->facts, at->kid[1]);
  Linear rest = without(g, &x.index, ATOM_WARP), varying = terms(g, &rest, true);
  x.ring = ring_of(g, x.symbol, &x.index);
  x.columns = columns_of(g, &x.index);
  x.position = facts_range(g->facts, &x.index);
  x.in_warp = facts_range(g->facts, &rest);
  x.varying = facts_range(g->facts, &varying);
  x.lane = facts_value(g->facts, &(Tree){.op = OP_LANE, .type = TYPE_INT});
  x.warp = facts_value(g->facts, &(Tree){.op = OP_WARP, .type = TYPE_INT});
  find_bounds(g, &x);
  vec_push(g->a, to, x);
}

static bool is_shared(const Tree *t) {
  if (t->op == OP_INDEX) t = t->kid[0];
  return t->op == OP_REF && t->symbol->kind == SYMBOL_SHARED;
}

void access_loads(Gather *g, const Tree *t, Accesses *to) {
  if (!t) return;
  int mark = facts_mark(g->facts);
  switch (t->op) {
    case OP_REF:
      if (is_shared(t)) add(g, t, false, ATOMIC_NONE, to);
      return;
    case OP_INDEX:
      if (is_shared(t)) add(g, t, false, ATOMIC_NONE, to);
      access_loads(g, t->kid[1], to);
      return;
    case OP_PULL: /* of whichever block */
      add(g, t->kid[0], false, ATOMIC_NONE, to);
      to->at[to->n - 1].remote = true;
      access_loads(g, t->kid[0]->kid[1], to);
      access_loads(g, t->kid[1], to);
      return;
    case OP_COND: case OP_LAND: case OP_LOR: /* what comes second comes on a condition */
      access_loads(g, t->kid[0], to);
      facts_assume(g->facts, t->kid[0], t->op != OP_LOR);
      access_loads(g, t->kid[1], to);
      facts_release(g->facts, mark);
      if (t->op != OP_COND) return;
      facts_assume(g->facts, t->kid[0], false);
      access_loads(g, t->kid[2], to);
      facts_release(g->facts, mark);
      return;
    default:
      for (int i = 0; i < t->nkids; i++) access_loads(g, t->kid[i], to);
  }
}

void access_store(Gather *g, const Tree *place, AtomicOp atomic, Accesses *to) {
  if (is_shared(place)) add(g, place, true, atomic, to);
}

void access_store_wide(Gather *g, const Tree *place, Accesses *to) {
  if (!is_shared(place)) return;
  add(g, place, true, ATOMIC_NONE, to);
  to->at[to->n - 1].wide = true;
}

void access_push(Gather *g, const Tree *place, Accesses *to) {
  add(g, place, true, ATOMIC_NONE, to);
  to->at[to->n - 1].remote = true;
}

static bool find_shared(void *context, const Tree *t) {
  bool *found = context;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_SHARED) *found = true;
  return !*found;
}

bool access_any(const Tree *t) {
  bool found = false;
  tree_visit(t, find_shared, &found);
  return found;
}

/* ---- meeting ---- */

static bool one_value(Range x, Range y) { return x.lo == x.hi && y.lo == y.hi && x.lo == y.lo; }

/* |x - y| < distance for all of them? */
static bool within(Range x, Range y, int64_t distance) {
  if (x.lo <= RANGE_LOW || x.hi >= RANGE_HIGH || y.lo <= RANGE_LOW || y.hi >= RANGE_HIGH) return false;
  return x.hi - y.lo < distance && y.hi - x.lo < distance;
}

static bool same_terms(const Linear *x, const Linear *y) {
  if (x->n != y->n) return false;
  for (int i = 0; i < x->n; i++) {
    bool found = false;
    for (int j = 0; j < y->n && !found; j++)
      found = x->term[i].factor == y->term[j].factor && atom_equal(&x->term[i].atom, &y->term[j].atom);
    if (!found) return false;
  }
  return true;
}

static bool same_warp(Gather *g, const Access *x, const Access *y) {
  if (x->symbol->slices || one_value(x->warp, y->warp)) return true;
  int64_t slice = factor_of(&x->index, ATOM_WARP);
  if (slice <= 0 || factor_of(&y->index, ATOM_WARP) != slice) return false;
  if (within(x->in_warp, y->in_warp, slice)) return true;
  Linear ux = terms(g, &x->index, false), uy = terms(g, &y->index, false);
  return same_terms(&ux, &uy) && within(x->varying, y->varying, slice);
}

/* The index, with WARP's value in its place where only one warp is there: under `warp == 0', t[thread] is t[lane]. */
static Linear where_it_runs(Gather *g, const Access *x) {
  int64_t factor = factor_of(&x->index, ATOM_WARP);
  if (!factor || x->warp.lo != x->warp.hi) return x->index;
  Linear r = without(g, &x->index, ATOM_WARP);
  r.constant += factor * x->warp.lo;
  return r;
}

/* Of lanes of one warp. */
static bool same_lane(Gather *g, const Access *x, const Access *y) {
  if (one_value(x->lane, y->lane)) return true;
  Linear xi = where_it_runs(g, x), yi = where_it_runs(g, y);
  if (!factor_of(&xi, ATOM_LANE) || xi.constant != yi.constant || !same_terms(&xi, &yi)) return false;
  for (int i = 0; i < xi.n; i++) { /* nothing but LANE may differ between the lanes of a warp */
    const Atom *atom = &xi.term[i].atom;
    if (atom->kind != ATOM_LANE && atom_variance(g, atom) == VARIES_LANE) return false;
  }
  return true;
}

/* k * threads, of a type that does not wrap? */
static bool is_multiple_of_block(const Gather *g, const Atom *x) {
  const Symbol *threads = g->facts->kernel->threads;
  if (x->kind != ATOM_TREE || !x->tree || x->tree->op != OP_MUL || !threads) return false;
  if (x->tree->type == TYPE_UINT || x->tree->type == TYPE_ULONG) return false;
  for (int i = 0; i < 2; i++)
    if (x->tree->kid[i]->op == OP_REF && x->tree->kid[i]->symbol == threads) return true;
  return false;
}

/* Is the index THREAD, or THREAD and a multiple of the block's size? */
static bool own_by_stride(const Gather *g, const Linear *x) {
  if (x->constant) return false;
  if (factor_of(x, ATOM_LANE) == 1 && factor_of(x, ATOM_WARP) == 32) {
    for (int i = 0; i < x->n; i++) {
      const Atom *atom = &x->term[i].atom;
      if (atom->kind != ATOM_LANE && atom->kind != ATOM_WARP && !is_multiple_of_block(g, atom)) return false;
    }
    return true;
  }
  if (x->n != 1 || x->term[0].factor != 1 || x->term[0].atom.kind != ATOM_SYMBOL) return false;
  return is_strided(g->strided, &x->term[0].atom);
}

/* x is made by one lane alone, and y by each lane at a place of its own: is that lane's place the one of x? */
static bool meets_itself(Gather *g, const Access *x, const Access *y) {
  bool alone = x->lane.lo == x->lane.hi && x->warp.lo == x->warp.hi;
  if (!alone || factor_of(&y->index, ATOM_LANE) != 1 || factor_of(&y->index, ATOM_WARP) != 32) return false;
  Linear rest_x = without(g, &x->index, ATOM_WARP), rest_y = without(g, &y->index, ATOM_WARP);
  rest_x = without(g, &rest_x, ATOM_LANE);
  rest_y = without(g, &rest_y, ATOM_LANE);
  if (!all_uniform(g, &rest_x) || !all_uniform(g, &rest_y) || !same_terms(&rest_x, &rest_y)) return false;
  int64_t at = factor_of(&x->index, ATOM_LANE) * x->lane.lo + factor_of(&x->index, ATOM_WARP) * x->warp.lo;
  return at + rest_x.constant == x->lane.lo + 32 * x->warp.lo + rest_y.constant;
}

static bool always_below(Gather *g, const Access *x, const Access *y) {
  for (int i = 0; i < x->above.n; i++)
    for (int j = 0; j < y->below.n; j++) {
      Linear gap = facts_difference(g->facts, &y->below.at[j], &x->above.at[i]);
      if (facts_range(g->facts, &gap).lo > 0) return true;
    }
  return false;
}

static bool never_meet(Gather *g, const Access *x, const Access *y) {
  if (x->position.hi < y->position.lo || y->position.hi < x->position.lo) return true;
  return always_below(g, x, y) || always_below(g, y, x);
}

Scope access_conflict(Gather *g, const Access *x, const Access *y) {
  if (x->symbol != y->symbol || (!x->write && !y->write)) return SCOPE_NONE;
  if (x->remote || y->remote) return SCOPE_CLUSTER; /* from whichever block, and into one that may not have begun */
  if (x->block_ordered) return SCOPE_NONE;
  if (x->atomic && x->atomic == y->atomic) return SCOPE_NONE;
  if (x->write && y->write && x->symbol->exclusive) return SCOPE_NONE;
  const bool apart = other_buffer(&x->ring, &y->ring);
  if (apart && x->symbol->buffer) return SCOPE_NONE;
  if (x->wide || y->wide) return SCOPE_BLOCK; /* what is known of them is known of their first elements */
  const bool warp = same_warp(g, x, y);
  if (warp && (x->warp_ordered || same_lane(g, x, y))) return SCOPE_NONE;
  if (apart || (own_by_stride(g, &x->index) && own_by_stride(g, &y->index))) return SCOPE_NONE;
  if (other_columns(&x->columns, &y->columns, warp)) return SCOPE_NONE;
  if (meets_itself(g, x, y) || meets_itself(g, y, x)) return SCOPE_NONE;
  if (never_meet(g, x, y)) return SCOPE_NONE; /* last: it takes longest to find out */
  return warp ? SCOPE_WARP : SCOPE_BLOCK;
}

void access_leave_out_buffers(Accesses *x) {
  int n = 0;
  for (int i = 0; i < x->n; i++)
    if (!x->at[i].symbol->buffer) x->at[n++] = x->at[i];
  x->n = n;
}
