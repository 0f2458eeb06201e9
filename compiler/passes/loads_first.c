/* loads_first.c: a loop of a lane that reads elements and stores others: eight turns load before the first one stores.
 *
 *     for (j = 0; j < n; ++j)              for (j = 0; j + 8 <= n; j += 8) {
 *       out[b + j] = in[at[j]] * x;          T value[8];
 *                                    ->      for (s = 0; s < 8; ++s)   // unrolled
 *                                              value[s] = in[at[j + s]] * x;
 *                                            for (s = 0; s < 8; ++s)   // unrolled
 *                                              out[b + j + s] = value[s];
 *                                          }
 *                                          .. and the same for what is left, each turn if there is one
 *
 * As far as the CUDA compiler knows a store may change what the next turn loads: so each turn waited for its own load,
 * where a lane can have eight under way. Lanes of rows that are no multiples of what lanes have together have seven
 * turns, and eight: one by one they took 153 us of 8191 x 8193 floats on an H200, where a copy takes 129.
 *
 * Some turns have no value before the first store: one goes on from the one before, `sum += in[j]; out[j] = sum'; a
 * quotient is a call to nvcc, which moves no load across it; the place is loaded, too, `out[at[j]] += in[j]'. There the
 * elements alone are loaded first, and then the turns stand as they were; sixteen of those that go on, whose lanes are
 * few, and of which the next round's lines come to the cache meanwhile. On an H200 sums down the columns of 8192 x 8192
 * floats took 3159 us as they were, 392 by sixteen loads, 244 so.
 *
 * A loop may begin anywhere and go by any step, `for (j = thread; j < n; j += threads)'. One that stores nothing, but
 * adds up, is written out eight times.
 *
 * Requires: kernel form, of a GPU; loops stand as they will be. Kernels that move 16 bytes at once stay as they are.
 * Keeps: every value, to the last bit, and the order of stores. What a loop stores to it reads nowhere, but for the
 * element that it stores.
 * Breaks: nothing. */
#include "passes/loads_first.h"

#include "ir/build.h"
#include "passes/along.h"
#include "passes/fresh.h"
#include "passes/predicate.h"

enum {
  TURNS = 8,        /* loads of a lane under way */
  MANY_TURNS = 16,  /* .. of one whose turns go on from one another */
  MOST_NODES = 120, /* of a turn's text: what computes more waits for that */
  MOST_STORES = 4,
  MOST_LOADS = 4    /* that are kept by themselves */
};

typedef struct LoadsFirst {
  Arena *a;
  Fresh fresh;
} LoadsFirst;

/* What a turn loads, where a condition holds; NULL: always. */
typedef struct Load { const Tree *load, *when; } Load;

typedef struct Turn {
  Arena *a;
  const Symbol *index;
  const Tree *end, *store[MOST_STORES];
  const Tree *from, *step; /* NULL: from 0 on, each */
  int nstores, nodes, loads;
  const Tree *guard;   /* stores are made where this holds; NULL: always */
  VEC(const Symbol *) locals; /* known within a turn alone; of loads by themselves those that it assigns, too */
  VEC(Load) alone;     /* elements that are loaded by themselves */
  bool goes_on;        /* from the turn before */
  bool slow;           /* does a turn divide? */
  bool by_place;       /* does a turn store where it has loaded? */
  bool fits;
} Turn;

/* ---- which loops ---- */

static bool is_number(Op op) {
  return (op >= OP_INT && op <= OP_MAX) || (op >= OP_EXP && op <= OP_FMA) || op == OP_FUSED;
}

static bool mentions_local(const Turn *x, const Tree *t) {
  for (int i = 0; i < x->locals.n; i++)
    if (tree_mentions(t, x->locals.at[i])) return true;
  return false;
}

static bool look_at_value(void *context, const Tree *t) {
  Turn *x = context;
  x->nodes++;
  x->loads += along_is_memory(t) && tree_mentions(t->kid[1], x->index);
  x->fits &= t->op == OP_INDEX ? t->nkids == 2 && t->kid[0]->op == OP_REF : is_number(t->op);
  return x->fits;
}

/* Where a turn stores is known ahead of what it loads. */
static void look_at_store(Turn *x, const Tree *t) {
  const Tree *place = t->kid[0];
  x->fits &= along_is_memory(place) && x->nstores < MOST_STORES && !tree_contains(place->kid[1], OP_INDEX) &&
             !mentions_local(x, place) && (t->op == OP_ASSIGN || t->nkids == 2);
  if (!x->fits) return;
  x->store[x->nstores++] = t;
  tree_visit(place->kid[1], look_at_value, x);
  tree_visit(t->kid[1], look_at_value, x);
}

static void look_at_statement(Turn *x, const Tree *t, bool last) {
  if (t->op == OP_COMMENT) return;
  if (t->op == OP_IF && t->nkids == 2 && last && !x->guard && !x->nstores) { /* which turns store is known, too */
    const Tree *then = t->kid[1];
    x->guard = t->kid[0];
    x->fits &= !tree_contains(x->guard, OP_INDEX) && !mentions_local(x, x->guard);
    if (x->fits) tree_visit(x->guard, look_at_value, x);
    const int n = then->op == OP_SEQ ? then->nkids : 1;
    for (int i = 0; i < n && x->fits; i++)
      look_at_statement(x, then->op == OP_SEQ ? then->kid[i] : then, i == n - 1);
    return;
  }
  if (t->op == OP_DECLARE) { /* all of them stand before the stores */
    x->fits &= t->symbol->kind == SYMBOL_LOCAL && !t->symbol->array && t->nkids && !x->nstores;
    if (x->fits) tree_visit(t->kid[0], look_at_value, x);
    vec_push(x->a, &x->locals, t->symbol);
    return;
  }
  const bool stores = t->op == OP_ATOMIC || (t->op == OP_ASSIGN && t->kid[0]->op == OP_INDEX);
  if (!stores || (t->op == OP_ATOMIC && !last)) x->fits = false;
  else look_at_store(x, t);
}

static Tree *as_sequence(Arena *a, Tree *body) { return body->op == OP_SEQ ? body : tree_seq(a, &body, 1); }

/* A turn's statements, without the condition around stores. */
static Tree *statements_of(const Turn *x, Tree *body) {
  TreeList all = {0};
  body = as_sequence(x->a, body);
  for (int i = 0; i < body->nkids; i++) {
    Tree *t = body->kid[i], *then = t->op == OP_IF ? as_sequence(x->a, t->kid[1]) : NULL;
    for (int k = 0; then && k < then->nkids; k++) vec_push(x->a, &all, then->kid[k]);
    if (!then) vec_push(x->a, &all, t);
  }
  return tree_seq(x->a, all.at, all.n);
}

/* Does the loop read what it stores to, but for the element at hand, which no other turn stores? */
static bool reads_stored(const Turn *x, const Tree *body) {
  for (int i = 0; i < x->nstores; i++) {
    const Tree *place = x->store[i]->kid[0];
    const Symbol *memory = place->kid[0]->symbol;
    for (int k = 0; k < body->nkids; k++) {
      const Tree *t = body->kid[k];
      if (t->op == OP_COMMENT) continue;
      if (tree_mentions(t->op == OP_DECLARE ? t->kid[0] : t->kid[1], memory)) return true;
    }
    int64_t step;
    const Tree *moves = x->store[i]->compound ? along_step(x->a, place->kid[1], x->index) : NULL;
    const bool own = x->store[i]->op == OP_ASSIGN && x->store[i]->compound;
    if (own && (x->nstores > 1 || !moves || !tree_constant(moves, &step) || !step)) return true;
  }
  return false;
}

/* A loop from anywhere on by any step, which nothing in it changes. */
static bool counts_on(const Tree *t, Turn *x) {
  const Tree *init = t->kid[0], *condition = t->kid[1], *step = t->kid[2];
  if (!init || !condition || !step || init->op != OP_DECLARE || !init->nkids) return false;
  x->index = init->symbol;
  x->from = init->kid[0];
  const bool counted = condition->op == OP_LT && condition->kid[0]->op == OP_REF && step->op == OP_ASSIGN &&
                       step->compound == OP_ADD && step->kid[0]->op == OP_REF && x->index->type == TYPE_INDEX;
  if (!counted || condition->kid[0]->symbol != x->index || step->kid[0]->symbol != x->index) return false;
  x->end = condition->kid[1];
  x->step = step->kid[1];
  return !tree_contains(x->step, OP_INDEX) && !tree_contains(x->from, OP_INDEX) && !tree_mentions(x->step, x->index);
}

static bool counts(Arena *a, const Tree *t, Turn *x) {
  *x = (Turn){.a = a, .fits = t->op == OP_FOR && t->unroll == UNROLL_FREE};
  if (!x->fits || (!tree_counts(t, &x->index, &x->end) && !counts_on(t, x))) return false;
  return !tree_contains(x->end, OP_INDEX) && !tree_mentions(x->end, x->index);
}

static bool loads_first(Arena *a, const Tree *t, Turn *x) {
  if (!counts(a, t, x)) return false;
  const Tree *body = as_sequence(a, t->kid[3]);
  for (int i = 0; i < body->nkids && x->fits; i++) look_at_statement(x, body->kid[i], i == body->nkids - 1);
  return x->fits && x->nstores && x->loads && x->nodes <= MOST_NODES && !reads_stored(x, statements_of(x, t->kid[3]));
}

/* ---- loops whose elements are loaded by themselves ---- */

/* An element that is known where a turn begins; also one that is the same for all turns, which a store may hold up. */
static void keep_load(Turn *x, const Tree *t, const Tree *when) {
  bool found = false;
  x->fits &= t->nkids == 2 && !mentions_local(x, t) &&
             (!when || (!mentions_local(x, when) && !tree_contains(when, OP_INDEX)));
  for (int i = 0; i < x->alone.n; i++)
    found |= tree_equal(x->alone.at[i].load, t) && tree_equal(x->alone.at[i].when, when);
  for (int i = 0; i < x->alone.n && !found; i++) x->fits &= !tree_equal(x->alone.at[i].load, t);
  if (!found) vec_push(x->a, &x->alone, ((Load){t, when}));
}

static const Tree *and_also(Arena *a, const Tree *when, const Tree *more) {
  return when ? tree_binary(a, OP_LAND, more->type, (Tree *)when, (Tree *)more) : more;
}

static void look_for_loads(Turn *x, const Tree *t, const Tree *when) {
  Arena *a = x->a;
  x->nodes++;
  if (along_is_memory(t)) {
    x->nodes--;
    tree_visit(t, look_at_value, x);
    if (x->fits) keep_load(x, t, when);
    return;
  }
  x->fits &= t->op == OP_INDEX ? t->nkids == 2 && t->kid[0]->op == OP_REF : is_number(t->op);
  x->fits &= (t->op != OP_LAND && t->op != OP_LOR) || !tree_contains(t->kid[1], OP_INDEX);
  x->slow |= t->op == OP_DIV && t->type != TYPE_INDEX && t->type != TYPE_INT;
  if (!x->fits) return;
  if (t->op != OP_COND) {
    for (int i = 0; i < t->nkids; i++) look_for_loads(x, t->kid[i], when);
    return;
  }
  const Tree *other = tree_unary(a, OP_NOT, t->kid[0]->type, t->kid[0]);
  look_for_loads(x, t->kid[0], when);
  look_for_loads(x, t->kid[1], and_also(a, when, t->kid[0]));
  look_for_loads(x, t->kid[2], and_also(a, when, other));
}

static void look_at_going_on(Turn *x, const Tree *t) {
  if (t->op == OP_COMMENT) return;
  const bool gives = t->op == OP_ATOMIC && t->nkids == 2 && t->atomic >= ATOMIC_ADD && t->atomic <= ATOMIC_XOR;
  const bool stores = (t->op == OP_ASSIGN || gives) && along_is_memory(t->kid[0]);
  const bool declares = t->op == OP_DECLARE && t->nkids && !t->symbol->array && t->symbol->kind == SYMBOL_LOCAL;
  const bool assigns = t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && t->kid[0]->symbol->kind == SYMBOL_LOCAL &&
                       !t->kid[0]->symbol->array && !t->kid[0]->symbol->pointer;
  x->fits &= (stores && x->nstores < MOST_STORES) || declares || assigns;
  if (!x->fits) return;
  x->goes_on |= assigns;
  if (stores) {
    x->store[x->nstores++] = t;
    x->by_place |= tree_contains(t->kid[0]->kid[1], OP_INDEX);
    look_for_loads(x, t->kid[0]->kid[1], NULL);
  }
  look_for_loads(x, t->kid[declares ? 0 : 1], NULL);
}

/* What a turn knows only when the one before has ended, and what it declares. */
static void late_names(Turn *x, const Tree *body) {
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    const bool assigns = t->op == OP_ASSIGN && t->kid[0]->op == OP_REF;
    if (t->op == OP_DECLARE || assigns) vec_push(x->a, &x->locals, assigns ? t->kid[0]->symbol : t->symbol);
  }
}

/* Can elements be loaded by themselves, before turns that go on from one another, or that take long? */
static bool loads_alone(Arena *a, const Tree *t, Turn *x) {
  if (!counts(a, t, x)) return false;
  const Tree *body = as_sequence(a, t->kid[3]);
  late_names(x, body);
  x->fits &= !mentions_local(x, x->end) && (!x->step || !mentions_local(x, x->step));
  for (int i = 0; i < body->nkids && x->fits; i++) look_at_going_on(x, body->kid[i]);
  for (int i = 0; i < x->nstores; i++) {
    const Symbol *memory = x->store[i]->kid[0]->kid[0]->symbol;
    for (int k = 0; k < x->alone.n; k++) x->fits &= !tree_mentions(x->alone.at[k].load, memory);
  }
  return x->fits && x->nstores && x->loads && x->alone.n <= MOST_LOADS && x->nodes <= MOST_NODES &&
         (x->goes_on || x->slow || x->by_place) && !reads_stored(x, body);
}

/* Is all that a turn does to add to variables of the lane, by what it loads? */
static bool adds_up(Arena *a, const Tree *t) {
  Turn x = {.a = a, .fits = t->op == OP_FOR && t->unroll == UNROLL_FREE};
  if (!x.fits || !tree_counts(t, &x.index, &x.end) || tree_contains(x.end, OP_INDEX)) return false;
  const Tree *body = as_sequence(a, t->kid[3]);
  for (int i = 0; i < body->nkids && x.fits; i++) {
    const Tree *s = body->kid[i];
    if (s->op == OP_COMMENT) continue;
    x.fits = (s->op == OP_DECLARE && s->nkids && !s->symbol->array) || (s->op == OP_ASSIGN && s->kid[0]->op == OP_REF);
    if (x.fits) tree_visit(s->op == OP_DECLARE ? s->kid[0] : s->kid[1], look_at_value, &x);
  }
  return x.fits && x.loads && x.nodes <= MOST_NODES;
}

/* ---- eight turns ---- */

static Tree *written_out(Arena *a, Symbol *s, int turns, Tree *body) {
  Tree *t = build_for(a, s, tree_int(a, TYPE_INT, 0), tree_int(a, TYPE_INT, turns), tree_int(a, TYPE_INT, 1), body);
  t->unroll = UNROLL_ALL;
  return t;
}

static Symbol *new_index(LoadsFirst *p, const char *name, Type type) {
  Symbol *s = symbol_new(p->a, SYMBOL_LOCAL, name, type);
  s->writable = true;
  return s;
}

/* Statements in the turn at hand, where their condition holds; `some': if there is such a turn. */
static Tree *in_turn(LoadsFirst *p, const Turn *x, TreeList *statements, Tree *turn, bool some) {
  Arena *a = p->a;
  Tree *all = tree_seq(a, statements->at, statements->n);
  if (x->guard) all = build_if(a, (Tree *)x->guard, all);
  all = build_with(a, tree_clone(a, all), x->index, turn);
  if (some) all = build_if(a, build_compare(a, OP_LT, tree_clone(a, turn), tree_clone(a, x->end)), all);
  return as_sequence(a, all);
}

/* The turn so many after that at hand. */
static Tree *turn_after(Arena *a, const Turn *x, Tree *at, Tree *many) {
  many = build_cast(a, x->index->type, many);
  return build_add(a, tree_clone(a, at), x->step ? build_mul(a, many, tree_clone(a, x->step)) : many);
}

/* The greatest multiple of so many that is no more than the end. */
static Tree *whole(Arena *a, const Turn *x, int many) {
  Tree *by = build_cast(a, x->index->type, tree_int(a, TYPE_INT, many));
  return build_mul(a, build_div(a, tree_clone(a, x->end), by), by);
}

/* A loop by several turns at once: its variable, and what it goes on by. */
typedef struct Several {
  Symbol *wide, *loading, *storing;
  Tree *at, *in, *out; /* the first of the turns, and that which is loaded, or stored */
  int turns;
} Several;

static Several several_of(LoadsFirst *p, const Turn *x, Symbol *wide, int turns) {
  Arena *a = p->a;
  Several v = {.turns = turns, .wide = wide ? wide : new_index(p, x->index->name, x->index->type)};
  v.loading = new_index(p, fresh_name(&p->fresh, "s"), TYPE_INT);
  v.storing = new_index(p, v.loading->name, TYPE_INT);
  v.at = tree_ref(a, v.wide);
  v.in = turn_after(a, x, v.at, tree_ref(a, v.loading));
  v.out = turn_after(a, x, v.at, tree_ref(a, v.storing));
  return v;
}

/* `some': of fewer turns than all. */
static Tree *onward(LoadsFirst *p, const Turn *x, const Several *v, TreeList *all, bool some) {
  Arena *a = p->a;
  Tree *end = (Tree *)x->end, *many = turn_after(a, x, v->at, tree_int(a, TYPE_INT, v->turns));
  Tree *last = x->step ? turn_after(a, x, v->at, tree_int(a, TYPE_INT, v->turns - 1)) : many;
  Tree *fits = build_compare(a, x->step || some ? OP_LT : OP_LE, some ? v->at : last, end);
  return build_onward(a, v->at, fits, many->kid[1], tree_seq(a, all->at, all->n), UNROLL_NONE);
}

static Symbol *values_of(LoadsFirst *p, TreeList *all, Type type, int turns) {
  Symbol *value = symbol_new(p->a, SYMBOL_LOCAL, fresh_name(&p->fresh, "value"), type);
  value->array = value->writable = true;
  value->length = tree_int(p->a, TYPE_INT, turns);
  vec_push(p->a, all, build_declare(p->a, value, NULL));
  return value;
}

/* Eight turns' values, and then their stores. */
static Tree *by_turns(LoadsFirst *p, const Turn *x, Tree *t, Symbol *wide, bool some) {
  Arena *a = p->a;
  const Several v = several_of(p, x, wide, TURNS);
  Tree *body = statements_of(x, t->kid[3]);
  TreeList all = {0}, loads = {0}, stores = {0};
  for (int i = 0, n = 0; i < body->nkids; i++) {
    Tree *s = body->kid[i];
    if (s->op == OP_COMMENT || s->op == OP_DECLARE) {
      vec_push(a, &loads, s);
      continue;
    }
    Symbol *value = values_of(p, &all, x->store[n++]->kid[0]->type, v.turns);
    vec_push(a, &loads, build_assign(a, build_element(a, value, tree_ref(a, v.loading)), s->kid[1]));
    Tree *kids[] = {s->kid[0], build_element(a, value, tree_ref(a, v.storing))};
    vec_push(a, &stores, tree_with_kids(a, s, kids, 2));
  }
  vec_push(a, &all, written_out(a, v.loading, v.turns, in_turn(p, x, &loads, v.in, some)));
  vec_push(a, &all, written_out(a, v.storing, v.turns, in_turn(p, x, &stores, v.out, some)));
  return onward(p, x, &v, &all, some);
}

/* Elements that were loaded by themselves, in a turn's text. */
static Tree *with_loaded(Arena *a, const Turn *x, Symbol **loaded, Symbol *turn, Tree *t) {
  if (!t) return NULL;
  for (int i = 0; i < x->alone.n; i++)
    if (tree_equal(t, x->alone.at[i].load)) return build_element(a, loaded[i], tree_ref(a, turn));
  if (!t->nkids) return t;
  Tree **kids = arena_many(a, Tree *, (size_t)t->nkids);
  for (int i = 0; i < t->nkids; i++) kids[i] = with_loaded(a, x, loaded, turn, t->kid[i]);
  return tree_with_kids(a, t, kids, t->nkids);
}

/* Do a load's turns read far from one another? Then each reads a line of its own, of which the next round's can come to
 * the cache meanwhile: it takes no registers. */
static bool reads_apart(Arena *a, const Turn *x, const Load *l) {
  const Tree *place = l->load->kid[1];
  int64_t step;
  const Tree *moves = l->when || tree_contains(place, OP_INDEX) ? NULL : along_step(a, place, x->index);
  return moves && !tree_constant(moves, &step);
}

/* The next round's elements, if there is a whole one. */
static void fetch_next(LoadsFirst *p, const Turn *x, const Several *v, TreeList *to) {
  Arena *a = p->a;
  TreeList fetches = {0};
  Tree *many = tree_int(a, TYPE_INT, v->turns), *round = turn_after(a, x, v->at, many);
  for (int i = 0; i < x->alone.n; i++) {
    if (!reads_apart(a, x, &x->alone.at[i])) continue;
    vec_push(a, &fetches, tree_unary(a, OP_FETCH_AHEAD, TYPE_VOID, tree_clone(a, x->alone.at[i].load)));
  }
  if (!fetches.n || !x->goes_on) return;
  Symbol *ahead = new_index(p, v->loading->name, TYPE_INT);
  Tree *turn = turn_after(a, x, round, tree_ref(a, ahead));
  Tree *last = turn_after(a, x, v->at, tree_int(a, TYPE_INT, 2 * v->turns - 1));
  Tree *all = written_out(a, ahead, v->turns, in_turn(p, x, &fetches, turn, false));
  vec_push(a, to, build_if(a, build_compare(a, OP_LT, last, tree_clone(a, x->end)), as_sequence(a, all)));
}

/* Several turns' elements, and then the turns. */
static Tree *by_elements(LoadsFirst *p, const Turn *x, Tree *t, Symbol *wide, bool some) {
  Arena *a = p->a;
  const Several v = several_of(p, x, wide, x->goes_on ? MANY_TURNS : TURNS);
  Tree *body = as_sequence(a, t->kid[3]);
  TreeList all = {0}, loads = {0}, turn = {0};
  Symbol *loaded[MOST_LOADS];
  for (int i = 0; i < x->alone.n; i++) {
    const Load *l = &x->alone.at[i];
    loaded[i] = values_of(p, &all, l->load->type, v.turns);
    Tree *keep = build_assign(a, build_element(a, loaded[i], tree_ref(a, v.loading)), (Tree *)l->load);
    vec_push(a, &loads, l->when ? build_if(a, (Tree *)l->when, keep) : keep);
  }
  for (int i = 0; i < body->nkids; i++) {
    Tree *s = body->kid[i];
    if (s->op == OP_COMMENT) continue;
    Tree *place = s->op == OP_DECLARE ? NULL : s->kid[0];
    Tree *value = with_loaded(a, x, loaded, v.storing, s->kid[s->op != OP_DECLARE]);
    if (place && place->op == OP_INDEX) {
      Tree *to[] = {place->kid[0], with_loaded(a, x, loaded, v.storing, place->kid[1])};
      place = tree_with_kids(a, place, to, 2);
    }
    vec_push(a, &turn, place ? tree_with_kids(a, s, (Tree *[]){place, value}, 2) : tree_with_kids(a, s, &value, 1));
  }
  if (!some) fetch_next(p, x, &v, &all);
  vec_push(a, &all, written_out(a, v.loading, v.turns, in_turn(p, x, &loads, v.in, some)));
  vec_push(a, &all, written_out(a, v.storing, v.turns, in_turn(p, x, &turn, v.out, some)));
  return onward(p, x, &v, &all, some);
}

typedef Tree *(*ByTurns)(LoadsFirst *p, const Turn *x, Tree *t, Symbol *wide, bool some);

/* Whole rounds of turns, and what is left. */
static Tree *in_rounds(LoadsFirst *p, const Turn *x, Tree *t, ByTurns by, int turns) {
  Arena *a = p->a;
  if (x->step) {
    Symbol *wide = new_index(p, x->index->name, x->index->type);
    Tree *first = build_declare(a, wide, (Tree *)x->from), *rounds = by(p, x, t, wide, false);
    return tree_seq(a, (Tree *[]){first, rounds, by(p, x, t, wide, true)}, 3);
  }
  Tree *rounds = by(p, x, t, NULL, false), *left = by(p, x, t, NULL, true);
  Tree *none = build_cast(a, x->index->type, tree_int(a, TYPE_INT, 0));
  rounds->kid[0] = build_declare(a, rounds->kid[2]->kid[0]->symbol, none);
  left->kid[0] = build_declare(a, left->kid[2]->kid[0]->symbol, whole(a, x, turns));
  return tree_seq(a, (Tree *[]){rounds, left}, 2);
}

static Tree *each_loop(void *context, Arena *a, Tree *t) {
  LoadsFirst *p = context;
  Turn x;
  if (t->op != OP_FOR) return t;
  if (loads_alone(a, t, &x)) return in_rounds(p, &x, t, by_elements, x.goes_on ? MANY_TURNS : TURNS);
  if (loads_first(a, t, &x)) return in_rounds(p, &x, t, by_turns, TURNS);
  if (!adds_up(a, t)) return t;
  Tree *several = tree_with_kids(a, t, t->kid, t->nkids);
  several->unroll = UNROLL_FEW;
  return several;
}

/* Are elements moved by 16 bytes? Then as many are under way as there are to be, and other loops are for edges: they
 * had better take no registers. */
static bool moves_wide(const Tree *body) {
  static const Op wide[] = {OP_LOAD_WIDE, OP_STORE_WIDE, OP_LOAD_SEVERAL, OP_LOAD_RUN, OP_COPY_AHEAD};
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++)
    if (tree_contains(body, wide[i])) return true;
  return false;
}

Tree *pass_loads_first(Arena *a, const Kernel *k, Tree *body) {
  if (!tree_contains(body, OP_FOR) || moves_wide(body)) return body;
  LoadsFirst p = {a, fresh_begin(a, k, body)};
  return tree_rewrite_statements(a, body, each_loop, &p);
}
