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
 * where a lane can have eight under way. A loop that stores nothing, but adds up, is written out eight times. Lanes of
 * rows that are no multiples of what lanes have together have seven turns, and eight: one by one they took 153 us of
 * 8191 x 8193 floats on an H200, where a copy takes 129.
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
  MOST_NODES = 120, /* of a turn's text: what computes more waits for that */
  MOST_STORES = 4
};

typedef struct LoadsFirst {
  Arena *a;
  Fresh fresh;
} LoadsFirst;

typedef struct Turn {
  Arena *a;
  const Symbol *index;
  const Tree *end, *store[MOST_STORES];
  int nstores, nodes, loads;
  const Tree *guard;   /* stores are made where this holds; NULL: always */
  VEC(const Symbol *) locals;
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

static bool loads_first(Arena *a, const Tree *t, Turn *x) {
  *x = (Turn){.a = a, .fits = t->op == OP_FOR && t->unroll == UNROLL_FREE};
  if (!x->fits || !tree_counts(t, &x->index, &x->end) || tree_contains(x->end, OP_INDEX)) return false;
  const Tree *body = as_sequence(a, t->kid[3]);
  for (int i = 0; i < body->nkids && x->fits; i++) look_at_statement(x, body->kid[i], i == body->nkids - 1);
  return x->fits && x->nstores && x->loads && x->nodes <= MOST_NODES && !reads_stored(x, statements_of(x, t->kid[3]));
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

/* The greatest multiple of so many that is no more than the end. */
static Tree *whole(Arena *a, const Turn *x, int many) {
  Tree *by = build_cast(a, x->index->type, tree_int(a, TYPE_INT, many));
  return build_mul(a, build_div(a, tree_clone(a, x->end), by), by);
}

/* The loop by eight turns at once, from one on; `some': of fewer than eight. */
static Tree *by_turns(LoadsFirst *p, const Turn *x, Tree *t, Tree *from, bool some) {
  Arena *a = p->a;
  const int turns = TURNS;
  Tree *body = statements_of(x, t->kid[3]), *end = (Tree *)x->end;
  Symbol *wide = new_index(p, x->index->name, x->index->type);
  Symbol *loading = new_index(p, fresh_name(&p->fresh, "s"), TYPE_INT);
  Symbol *storing = new_index(p, loading->name, TYPE_INT);
  Tree *at = tree_ref(a, wide), *many = build_cast(a, x->index->type, tree_int(a, TYPE_INT, turns));
  Tree *in = build_add(a, at, build_cast(a, x->index->type, tree_ref(a, loading)));
  Tree *out = build_add(a, at, build_cast(a, x->index->type, tree_ref(a, storing)));
  TreeList all = {0}, loads = {0}, stores = {0};
  for (int i = 0, n = 0; i < body->nkids; i++) {
    Tree *s = body->kid[i];
    if (s->op == OP_COMMENT || s->op == OP_DECLARE) {
      vec_push(a, &loads, s);
      continue;
    }
    Symbol *value = symbol_new(a, SYMBOL_LOCAL, fresh_name(&p->fresh, "value"), x->store[n++]->kid[0]->type);
    value->array = value->writable = true;
    value->length = tree_int(a, TYPE_INT, turns);
    vec_push(a, &all, build_declare(a, value, NULL));
    vec_push(a, &loads, build_assign(a, build_element(a, value, tree_ref(a, loading)), s->kid[1]));
    Tree *kids[] = {s->kid[0], build_element(a, value, tree_ref(a, storing))};
    vec_push(a, &stores, tree_with_kids(a, s, kids, 2));
  }
  vec_push(a, &all, written_out(a, loading, turns, in_turn(p, x, &loads, in, some)));
  vec_push(a, &all, written_out(a, storing, turns, in_turn(p, x, &stores, out, some)));
  Tree *fits = some ? build_compare(a, OP_LT, at, end) : build_compare(a, OP_LE, build_add(a, at, many), end);
  Tree *several = build_onward(a, at, fits, many, tree_seq(a, all.at, all.n), UNROLL_NONE);
  several->kid[0] = build_declare(a, wide, from);
  return several;
}

static Tree *first_loads(LoadsFirst *p, const Turn *x, Tree *t) {
  Arena *a = p->a;
  Tree *none = build_cast(a, x->index->type, tree_int(a, TYPE_INT, 0));
  return tree_seq(a, (Tree *[]){by_turns(p, x, t, none, false), by_turns(p, x, t, whole(a, x, TURNS), true)}, 2);
}

static Tree *each_loop(void *context, Arena *a, Tree *t) {
  LoadsFirst *p = context;
  Turn x;
  if (t->op != OP_FOR) return t;
  if (loads_first(a, t, &x)) return first_loads(p, &x, t);
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
