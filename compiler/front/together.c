/* together.c: what combines the results of given parts, by lanes that take every so many parts each.
 *
 *   State best = id();                          what one lane does (alone.c) ..
 *   for (i = coopIdx(); i < centres.Size(0); i += coopDim()) { .. best = op(best, lift(d, i)); }
 *   lanes[coopIdx()] = best;                    .. of its own parts; then lanes of a vector exchange what they have
 *   for (bit = MaxSize() / 2; bit > 0; bit /= 2) {
 *     best = op(best, lanes[coopIdx() ^ bit]);
 *     lanes[coopIdx()] = best;
 *   }
 *   if (coopDim() > MaxSize()) ..               and vectors, by the first of them
 *   return best.place;
 *
 * Lanes combine in another order than one lane does: the operator has to commute. */
#include "front/together.h"

#include "front/divide.h"
#include "ir/build.h"
#include "ir/monoid.h"
#include "ir/operator.h"

typedef struct Together {
  Arena *a;
  const Codelet *alone;
  Symbol *best;        /* what it accumulates, */
  const Tree *combine; /* by this statement, */
  const Tree *none;    /* from this on: the operator's identity */
  const Tree *parts;   /* how many parts there are */
} Together;

/* ---- is it such a loop? ---- */

static bool commutes(const Unit *u, const Tree *combine) {
  if (combine->compound || combine->kid[1]->op != OP_APPLY) return true;
  const Type t = combine->kid[1]->type;
  const Monoid *m = t >= TYPE_STATE && t < TYPE_STATE + 2 * MOST_STATES ? u->states[t - TYPE_STATE].monoid : u->monoid;
  return m && m->commutative;
}

static bool declares(const Tree *t, const Symbol *s) {
  bool does = t && t->op == OP_DECLARE && t->symbol == s;
  for (int i = 0; t && i < t->nkids && !does; i++) does = declares(t->kid[i], s);
  return does;
}

/* Is nothing else assigned there that is declared before the loop? */
typedef struct Outside { const Tree *body; const Symbol *best; bool found; } Outside;

static bool find_outside(void *context, const Tree *t) {
  Outside *o = context;
  if (t->op == OP_BREAK || t->op == OP_CONTINUE || t->op == OP_RETURN) o->found = true;
  if (t->op != OP_ASSIGN) return true;
  const Symbol *s = t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  if (!s || (s != o->best && !declares(o->body, s))) o->found = true;
  return true;
}

/* Every part's result is combined, once, as the last thing that is done with it. */
static bool reads_loop(Together *x, const Unit *u, const Tree *t) {
  const Symbol *i;
  const Tree *end, *body = t->op == OP_FOR ? t->kid[3] : NULL;
  OperatorKind op;
  if (!body || !tree_counts(t, &i, &end) || body->op != OP_SEQ || !body->nkids) return false;
  const Tree *meant = end->op == OP_REF && !tree_assigns(x->alone->body, end->symbol)
                          ? tree_declared(x->alone->body, end->symbol) : NULL;
  x->parts = meant ? meant : end;
  if (x->parts->op != OP_SIZE || x->parts->kid[0]->op != OP_REF) return false;
  const Tree *combine = body->kid[body->nkids - 1], *by = operator_accumulated(combine, &op);
  if (!by || tree_mentions(by, combine->kid[0]->symbol)) return false;
  x->best = combine->kid[0]->symbol;
  x->combine = combine;
  Outside o = {body, x->best, false};
  for (int k = 0; k < body->nkids; k++)
    tree_visit(body->kid[k], find_outside, &o);
  for (int k = 0; k + 1 < body->nkids; k++) o.found |= tree_mentions(body->kid[k], x->best);
  x->none = tree_declared(x->alone->body, x->best);
  const bool starts = x->none && (x->none->op == OP_IDENTITY || operator_is_identity(op, x->none));
  return !o.found && starts && commutes(u, combine);
}

/* .. or does it store elements, each turn its own, which nothing is added up in? */
typedef struct Own { const Tree *body; const Symbol *index; bool stores, other; } Own;

static bool find_own(void *context, const Tree *t) {
  Own *o = context;
  const Symbol *of = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  if (t->op == OP_BREAK || t->op == OP_CONTINUE || t->op == OP_RETURN || t->op == OP_ATOMIC) o->other = true;
  if (of && of->writable && of->kind == SYMBOL_PARAM) {
    const Tree *at = t->kid[1];
    while (at->op == OP_CAST) at = at->kid[0];
    o->stores = true;
    o->other |= t->nkids != 2 || at->op != OP_REF || at->symbol != o->index;
  }
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && !declares(o->body, t->kid[0]->symbol)) o->other = true;
  return !o->other;
}

static bool stores_loop(Together *x, const Tree *t) {
  const Symbol *i;
  const Tree *end;
  if (t->op != OP_FOR || !tree_counts(t, &i, &end)) return false;
  const Tree *meant = end->op == OP_REF && !tree_assigns(x->alone->body, end->symbol)
                          ? tree_declared(x->alone->body, end->symbol) : NULL;
  x->parts = meant ? meant : end;
  Own o = {t->kid[3], i, false, false};
  tree_visit(t->kid[3], find_own, &o);
  return o.stores && !o.other && x->parts->op == OP_SIZE && x->parts->kid[0]->op == OP_REF;
}

/* ---- the text ---- */

static Tree *lanes(Arena *a, Op op) { return tree_new(a, op, TYPE_INT, (SourceRange){0}, 0); }

static Symbol *shared(const Together *x, DivideStatements *to, const char *name, Tree *length) {
  Symbol *s = symbol_new(x->a, SYMBOL_SHARED, name, x->best->type);
  s->declared = s->type;
  s->array = s->writable = s->exclusive = true; /* it is stored before it is read, and starts with no value */
  s->length = length;
  vec_push(x->a, to, build_declare(x->a, s, NULL));
  return s;
}

/* best = op(best, other) */
static Tree *combined(const Together *x, Tree *other) {
  Arena *a = x->a;
  Tree *t = tree_clone(a, x->combine), **value = &t->kid[1];
  if (t->compound) *value = other;
  else (*value)->kid[(*value)->kid[0]->op != OP_REF || (*value)->kid[0]->symbol != x->best ? 0 : 1] = other;
  return t;
}

/* Each lane of a vector has at last what all of them have. */
static Tree *exchanged(const Together *x, Symbol *in) {
  Arena *a = x->a;
  Symbol *bit = symbol_new(a, SYMBOL_LOCAL, "bit", TYPE_INT);
  bit->declared = TYPE_INT;
  bit->writable = true;
  Tree *other = tree_binary(a, OP_XOR, TYPE_INT, lanes(a, OP_VECTOR_THREAD), tree_ref(a, bit));
  Tree *const each[] = {combined(x, build_element(a, in, other)),
                        build_assign(a, build_element(a, in, lanes(a, OP_VECTOR_THREAD)), tree_ref(a, x->best))};
  Tree *t = tree_new(a, OP_FOR, TYPE_VOID, x->alone->where, 4);
  Tree *half = tree_binary(a, OP_DIV, TYPE_INT, lanes(a, OP_VECTOR_MAX), tree_int(a, TYPE_INT, 2));
  t->kid[0] = build_declare(a, bit, half);
  t->kid[1] = tree_binary(a, OP_GT, TYPE_BOOL, tree_ref(a, bit), tree_int(a, TYPE_INT, 0));
  t->kid[2] = build_assign(a, tree_ref(a, bit), tree_int(a, TYPE_INT, 2));
  t->kid[2]->compound = OP_DIV;
  t->kid[3] = tree_seq(a, (Tree **)each, 2);
  return t;
}

/* The first vector combines what the vectors have. */
static Tree *of_vectors(const Together *x, Symbol *in) {
  Arena *a = x->a;
  Tree *place = build_element(a, in, lanes(a, OP_VECTOR_ID));
  Tree *put = build_assign(a, place, tree_ref(a, x->best)), *zero = tree_int(a, TYPE_INT, 0);
  Tree *lane = lanes(a, OP_VECTOR_LANE), *most = lanes(a, OP_VECTOR_MAX);
  Tree *there = tree_binary(a, OP_LT, TYPE_BOOL, tree_binary(a, OP_MUL, TYPE_INT, lane, most), lanes(a, OP_COOP_DIM));
  Tree *value = tree_new(a, OP_COND, x->best->type, (SourceRange){0}, 3);
  value->kid[0] = there;
  value->kid[1] = build_element(a, in, lanes(a, OP_VECTOR_LANE));
  value->kid[2] = tree_clone(a, x->none);
  Tree *const first[] = {build_assign(a, tree_ref(a, x->best), value),
                         build_assign(a, build_element(a, in, lanes(a, OP_VECTOR_THREAD)), tree_ref(a, x->best)),
                         exchanged(x, in)};
  Tree *is_first = tree_binary(a, OP_EQ, TYPE_BOOL, lanes(a, OP_VECTOR_LANE), zero);
  Tree *of_first = tree_binary(a, OP_EQ, TYPE_BOOL, lanes(a, OP_VECTOR_ID), tree_clone(a, zero));
  Tree *const all[] = {build_if(a, is_first, tree_seq(a, &put, 1)),
                       build_if(a, of_first, tree_seq(a, (Tree **)first, 3))};
  Tree *several = tree_binary(a, OP_GT, TYPE_BOOL, lanes(a, OP_COOP_DIM), lanes(a, OP_VECTOR_MAX));
  return build_if(a, several, tree_seq(a, (Tree **)all, 2));
}

/* The loop, of every coopDim()-th part from the lane's own number on. */
static Tree *own_parts(const Together *x, const Tree *loop) {
  Arena *a = x->a;
  Tree *t = tree_clone(a, loop);
  t->kid[0]->kid[0] = lanes(a, OP_VECTOR_THREAD);
  t->kid[1]->kid[1] = tree_clone(a, x->parts);
  t->kid[2] = build_assign(a, t->kid[2]->kid[0], lanes(a, OP_COOP_DIM));
  t->kid[2]->compound = OP_ADD;
  return t;
}

/* .. and all lanes have it, for what comes behind. */
static Tree *of_all(const Together *x, Symbol *in) {
  Arena *a = x->a;
  Tree *zero = tree_int(a, TYPE_INT, 0), *first = build_element(a, in, zero);
  Tree *put = build_assign(a, first, tree_ref(a, x->best));
  Tree *one = tree_binary(a, OP_EQ, TYPE_BOOL, lanes(a, OP_VECTOR_THREAD), tree_clone(a, zero));
  Tree *const all[] = {build_if(a, one, tree_seq(a, &put, 1)),
                       build_assign(a, tree_ref(a, x->best), tree_clone(a, first))};
  Tree *several = tree_binary(a, OP_GT, TYPE_BOOL, lanes(a, OP_COOP_DIM), lanes(a, OP_VECTOR_MAX));
  return build_if(a, several, tree_seq(a, (Tree **)all, 2));
}

/* A loop, and what lanes do to have its result: the first one, or if more is computed with it all of them. */
static void add_loop(Together *x, DivideStatements *to, const Tree *loop, int number, bool last) {
  Arena *a = x->a;
  const char *of = number ? arena_printf(a, "%d", number + 1) : "";
  Symbol *of_lanes = shared(x, to, arena_printf(a, "lanes%s", of), lanes(a, OP_COOP_DIM));
  Symbol *partial = shared(x, to, arena_printf(a, "partial%s", of), lanes(a, OP_VECTOR_MAX));
  vec_push(a, to, own_parts(x, loop));
  vec_push(a, to, build_assign(a, build_element(a, of_lanes, lanes(a, OP_VECTOR_THREAD)), tree_ref(a, x->best)));
  vec_push(a, to, exchanged(x, of_lanes));
  vec_push(a, to, of_vectors(x, partial));
  if (last) return;
  Symbol *whole = shared(x, to, arena_printf(a, "whole%s", of), tree_int(a, TYPE_INT, 1));
  vec_push(a, to, of_all(x, whole));
}

Codelet *together_made(Arena *a, const Unit *u, const Codelet *alone) {
  const Tree *body = alone->body;
  DivideStatements all = {0};
  int loops = 0, made = 0;
  for (int i = 0; i < body->nkids; i++) loops += body->kid[i]->op == OP_FOR;
  for (int i = 0; i < body->nkids; i++) {
    Together x = {.a = a, .alone = alone};
    if (body->kid[i]->op != OP_FOR) {
      vec_push(a, &all, body->kid[i]);
      continue;
    }
    made++;
    if (stores_loop(&x, body->kid[i])) {
      vec_push(a, &all, own_parts(&x, body->kid[i]));
      continue;
    }
    if (!reads_loop(&x, u, body->kid[i])) return NULL;
    add_loop(&x, &all, body->kid[i], made - 1, made == loops);
  }
  if (!made) return NULL;
  Codelet *k = arena_one(a, Codelet);
  *k = *alone;
  k->tag = "together";
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = body->where;
  return k;
}
