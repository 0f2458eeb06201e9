/* lane_sums.c: what the lanes of a vector contribute to a place, summed up by each lane first.
 *
 *     for (; i + 16 <= n; i += 16)            T own = 0;
 *       if (x[i + lane] > 0)                  for (; i + 16 <= n; i += 16)
 *         atomicAdd(&s[0], x[i + lane]);        if (x[i + lane] > 0)
 *     if (i + lane < n)                  ->       own += x[i + lane];
 *       if (x[i + lane] > 0)                  if (i + lane < n)
 *         atomicAdd(&s[0], x[i + lane]);        if (x[i + lane] > 0)
 *                                                 own += x[i + lane];
 *                                             .. own += what other lanes have, from half of the vector away to 1
 *                                             if (lane == 0) atomicAdd(&s[0], own);
 *
 * Requires: kernel form behind the barrier pass, of blocks that are one vector. Keeps: what is accumulated, by an
 * operator that takes the terms in any order; not how often it is rounded. Breaks: nothing; nobody reads meanwhile what
 * is accumulated into.
 * Else the lanes take turns, since all of them write one place: a sum of four million conditional terms took ten times
 * as long as reading them. Loops and what is left behind them are taken together, so that lanes are combined once. */
#include "passes/lane_sums.h"

#include "ir/build.h"
#include "ir/operator.h"
#include "passes/add_up.h"
#include "passes/fresh.h"
#include "passes/uniform.h"

typedef VEC(Tree *) Statements;

typedef struct LaneSums {
  Arena *a;
  const Kernel *kernel;
  Uniform uniform;
  Fresh fresh;
} LaneSums;

/* ---- what is contributed to ---- */

static bool is_to(const Tree *t, const Tree *to) {
  return add_up_contributes(t) && t->atomic == to->atomic && tree_equal(t->kid[0], to->kid[0]);
}

/* Of a statement: how often it contributes to the place of `to', and mentions its memory at all; does it exchange, or
 * change what the place is? */
typedef struct Uses { const Tree *to; const Symbol *memory; int contributions, mentions; bool stops; } Uses;

static bool find_uses(void *context, const Tree *t) {
  Uses *u = context;
  const Tree *place = u->to->kid[0]->kid[1];
  u->stops |= t->op == OP_BARRIER || t->op == OP_SHUFFLE;
  if (t->op == OP_FOR) u->stops |= t->unroll == UNROLL_VECTORS || t->unroll == UNROLL_STREAMS;
  if (t->op == OP_DECLARE) u->stops |= tree_mentions(place, t->symbol);
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_REF) u->stops |= tree_mentions(place, t->kid[0]->symbol);
  u->contributions += is_to(t, u->to);
  u->mentions += t->op == OP_REF && t->symbol == u->memory;
  return true;
}

static Uses uses_of(const Tree *t, const Tree *to) {
  Uses u = {.to = to, .memory = to->kid[0]->kid[0]->symbol};
  tree_visit(t, find_uses, &u);
  u.stops |= u.mentions != u.contributions;
  return u;
}

/* Something that differs from lane to lane. */
typedef struct Differs { const LaneSums *x; bool found; } Differs;

static bool find_differing(void *context, const Tree *t) {
  Differs *d = context;
  d->found |= t->op == OP_THREAD || t->op == OP_LANE;
  d->found |= t->op == OP_REF && uniform_of(&d->x->uniform, t) == VARIES_LANE;
  return !d->found;
}

typedef struct Looks { const LaneSums *x; const Tree *loop, *found; } Looks;

static bool find_place(void *context, const Tree *t) {
  Looks *l = context;
  if (!l->found && add_up_contributes(t) && uniform_of(&l->x->uniform, t->kid[0]->kid[1]) < VARIES_LANE &&
      !uses_of(l->loop, t).stops)
    l->found = t;
  return !l->found;
}

/* A contribution whose place is one throughout the loop, which takes lanes to different elements; NULL: none is. */
static const Tree *place_of(const LaneSums *x, const Tree *loop) {
  Looks l = {x, loop, NULL};
  Differs d = {x, false};
  if (loop->op != OP_FOR || !tree_contains(loop, OP_ATOMIC)) return NULL;
  tree_visit(loop, find_differing, &d);
  if (d.found) tree_visit(loop, find_place, &l);
  return l.found;
}

/* ---- the text ---- */

/* What a lane has: a variable; or one for each of the vectors that a loop has in flight, since additions wait for one
 * another. */
typedef struct Own { const Tree *to; Symbol *own; Tree *at; OperatorKind kind; } Own;

static Tree *own_of(Arena *a, const Own *o) {
  return o->own->array ? build_element(a, o->own, tree_clone(a, o->at)) : tree_ref(a, o->own);
}

/* own = own op value */
static Tree *accumulated(Arena *a, const Own *o, Tree *value, SourceRange where) {
  const bool plain = o->kind == OPERATOR_ADD;
  Tree *v = plain ? value : tree_binary(a, operator_op(o->kind), o->own->type, own_of(a, o), value);
  Tree *t = build_assign(a, own_of(a, o), v);
  t->compound = plain ? OP_ADD : 0;
  t->where = where;
  return t;
}

static Tree *into_own(void *context, Arena *a, Tree *t) {
  const Own *o = context;
  return is_to(t, o->to) ? accumulated(a, o, t->kid[1], t->where) : t;
}

/* for (s = 0; s < loads; ++s), of a constant that the text is compiled with: how many vectors are in flight. */
static Tree *in_flight(const Tree *t) {
  const Symbol *s;
  const Tree *end;
  const bool counts = t->op == OP_FOR && t->kid[0] && tree_counts(t, &s, &end);
  return counts && end->op == OP_REF && end->symbol->kind == SYMBOL_CONSTANT ? (Tree *)end : NULL;
}

typedef struct Flight { const Tree *to; Tree *vectors; } Flight;

static bool find_flight(void *context, const Tree *t) {
  Flight *f = context;
  Tree *vectors = in_flight(t);
  if (vectors && !f->vectors && uses_of(t, f->to).contributions) f->vectors = vectors;
  return !f->vectors;
}

static Tree *into_vectors(void *context, Arena *a, Tree *t) {
  Own *o = context;
  Tree *vectors = in_flight(t);
  if (!vectors || vectors->symbol != o->own->length->symbol) return t;
  Own one = *o;
  one.at = tree_ref(a, t->kid[0]->symbol);
  return tree_rewrite(a, t, into_own, &one);
}

/* for (s = first; s < length; ++s), around that statement. */
static Tree *of_vectors(Arena *a, const Own *o, Symbol *s, int first, Tree *statement) {
  Tree *body = tree_seq(a, &statement, 1);
  return build_for(a, s, tree_int(a, TYPE_INT, first), tree_clone(a, o->own->length), tree_int(a, TYPE_INT, 1), body);
}

static Symbol *counter(LaneSums *x) {
  Symbol *s = symbol_new(x->a, SYMBOL_LOCAL, fresh_name(&x->fresh, "s"), TYPE_INT);
  s->writable = true;
  return s;
}

static void begin(LaneSums *x, Own *o, const Flight *f, Statements *to) {
  Arena *a = x->a;
  Tree *none = operator_identity(a, o->kind, o->own->type);
  if (!f->vectors) {
    vec_push(a, to, build_declare(a, o->own, none));
    return;
  }
  Symbol *s = counter(x);
  o->own->array = true;
  o->own->length = tree_clone(a, f->vectors);
  vec_push(a, to, build_declare(a, o->own, NULL));
  vec_push(a, to, of_vectors(a, o, s, 0, build_assign(a, build_element(a, o->own, tree_ref(a, s)), none)));
}

/* A lane's variable is what all that it has come to. */
static void combine_vectors(LaneSums *x, Own *o, Statements *to) {
  Arena *a = x->a;
  Symbol *s = counter(x), *all = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->fresh, "all"), o->own->type);
  all->writable = true;
  Own whole = *o;
  whole.own = all;
  vec_push(a, to, build_declare(a, all, own_of(a, o)));
  Tree *one = build_element(a, o->own, tree_ref(a, s));
  vec_push(a, to, of_vectors(a, o, s, 1, accumulated(a, &whole, one, o->to->where)));
  *o = whole;
}

/* The first lane has what all have, and contributes it. What no lane has changed is left out, where it might be told
 * from nothing: a NaN gives way to any number. */
static void contribute(LaneSums *x, Own *o, Statements *to) {
  Arena *a = x->a;
  const Type type = o->own->type;
  if (o->own->array) combine_vectors(x, o, to);
  for (int by = kernel_vector(x->kernel) / 2; by > 0; by /= 2) {
    Symbol *other = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->fresh, "other"), type);
    other->constant = true;
    Tree *taken = tree_binary(a, OP_SHUFFLE, type, tree_ref(a, o->own), tree_int(a, TYPE_INT, by));
    taken->mode = SHUFFLE_DOWN;
    vec_push(a, to, build_declare(a, other, taken));
    vec_push(a, to, accumulated(a, o, tree_ref(a, other), o->to->where));
  }
  Tree *given[] = {tree_clone(a, o->to->kid[0]), tree_ref(a, o->own)};
  Tree *one = tree_with_kids(a, o->to, given, 2);
  if (o->kind == OPERATOR_MAX || o->kind == OPERATOR_MIN) {
    Tree *none = operator_identity(a, o->kind, type);
    one = build_if(a, tree_binary(a, OP_NE, TYPE_BOOL, tree_ref(a, o->own), none), tree_seq(a, &one, 1));
  }
  Tree *first = build_compare(a, OP_EQ, build_lane(a, OP_THREAD), tree_int(a, TYPE_INT, 0));
  vec_push(a, to, build_if(a, first, tree_seq(a, &one, 1)));
}

/* From the loop on, as far as nothing else is done with the place's memory. */
static int last_of_run(const Statements *all, int loop, const Tree *to) {
  int last = loop;
  for (int i = loop + 1; i < all->n; i++) {
    const Uses u = uses_of(all->at[i], to);
    if (u.stops) break;
    if (u.contributions) last = i;
  }
  return last;
}

static void take_run(LaneSums *x, Statements *all, int loop, const Tree *to) {
  Arena *a = x->a;
  const int last = last_of_run(all, loop, to);
  Own o = {to, NULL, build_index(a, 0), operator_of_atomic(to->atomic)};
  o.own = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->fresh, "own"), to->kid[0]->kid[0]->symbol->type);
  o.own->writable = true;
  Flight f = {to, NULL};
  for (int i = loop; i <= last; i++) tree_visit(all->at[i], find_flight, &f);
  Statements made = {0};
  for (int i = 0; i < loop; i++) vec_push(a, &made, all->at[i]);
  begin(x, &o, &f, &made);
  for (int i = loop; i <= last; i++) {
    Tree *t = all->at[i];
    if (o.own->array) t = tree_rewrite(a, t, into_vectors, &o);
    vec_push(a, &made, tree_rewrite(a, t, into_own, &o));
  }
  contribute(x, &o, &made);
  for (int i = last + 1; i < all->n; i++) vec_push(a, &made, all->at[i]);
  *all = made;
}

static Tree *through(LaneSums *x, Tree *t);

static Tree *sequence(LaneSums *x, Tree *t) {
  Statements all = {0};
  bool changed = false;
  for (int i = 0; i < t->nkids; i++) vec_push(x->a, &all, t->kid[i]);
  for (int i = 0; i < all.n; i++) {
    const Tree *to = place_of(x, all.at[i]);
    if (to) {
      take_run(x, &all, i, to);
      changed = true;
      continue; /* the loop is one further, and may contribute to other places */
    }
    Tree *inner = through(x, all.at[i]);
    changed |= inner != all.at[i];
    all.at[i] = inner;
  }
  return changed ? tree_with_kids(x->a, t, all.at, all.n) : t;
}

/* From the outermost loops on. */
static Tree *through(LaneSums *x, Tree *t) {
  if (!t || !tree_contains(t, OP_ATOMIC)) return t;
  if (t->op == OP_SEQ) return sequence(x, t);
  Tree **kids = arena_many(x->a, Tree *, t->nkids + 1);
  bool changed = false;
  for (int i = 0; i < t->nkids; i++) changed |= (kids[i] = through(x, t->kid[i])) != t->kid[i];
  return changed ? tree_with_kids(x->a, t, kids, t->nkids) : t;
}

Tree *pass_lane_sums(Arena *a, const Kernel *k, Tree *body) {
  if (!k->threads || !kernel_is_one_vector(k) || !tree_contains(body, OP_ATOMIC)) return body;
  LaneSums x = {.a = a, .kernel = k, .uniform = uniform_find(a, body), .fresh = fresh_begin(a, k, body)};
  return through(&x, body);
}
