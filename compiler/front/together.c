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
#include "front/selects.h"
#include "ir/build.h"
#include "ir/monoid.h"
#include "ir/operator.h"

typedef struct Together {
  Arena *a;
  const Codelet *alone;
  Symbol *best;        /* what it accumulates, */
  const Tree *combine; /* by this statement, */
  const Tree *none;    /* from this on: the operator's identity; */
  bool begins;         /* .. it has something else when the loop begins */
  const Tree *parts;   /* how many parts there are */
  const Tree *around;  /* the loops around the one that lanes share, and that one itself */
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

/* The innermost of loops that stand in one another, and nothing beside them: the one whose turns lanes share. */
static const Tree *innermost(const Tree *t) {
  const Tree *body = t->op == OP_FOR ? t->kid[3] : NULL;
  return body && body->op == OP_SEQ && body->nkids == 1 && body->kid[0]->op == OP_FOR ? innermost(body->kid[0]) : t;
}

/* Is it the turn's own element, by its last index? The others, of several dimensions, do not change in the loop. */
static bool is_own_element(const Tree *t, const Tree *loop, const Symbol *index) {
  const Tree *at = tree_uncast(t->kid[t->nkids - 1]);
  bool own = at->op == OP_REF && at->symbol == index;
  for (int d = 1; d + 1 < t->nkids; d++) {
    const Tree *other = tree_uncast(t->kid[d]);
    own &= other->op == OP_REF && other->symbol != index && !declares(loop, other->symbol);
  }
  return own;
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

typedef struct Assigned { const Symbol *of; const Tree *but; bool found; } Assigned;

static bool find_assigned(void *context, const Tree *t) {
  Assigned *x = context;
  x->found |= t->op == OP_ASSIGN && t != x->but && t->kid[0]->op == OP_REF && t->kid[0]->symbol == x->of;
  return !x->found;
}

/* Where lanes begin: with the identity, whatever the variable has by then. */
static bool finds_start(Together *x, const Tree *body, OperatorKind op) {
  const Tree *start = tree_declared(x->alone->body, x->best);
  Assigned other = {x->best, x->combine, false};
  tree_visit(body, find_assigned, &other);
  const bool identity = start && (start->op == OP_IDENTITY || operator_is_identity(op, start));
  x->begins = !identity || other.found;
  x->none = identity ? start : operator_op(op) ? operator_identity(x->a, op, x->best->type) : NULL;
  return start && x->none && x->best->kind == SYMBOL_LOCAL;
}

typedef struct Mentions { const Symbol *of; int n; } Mentions;

static bool count_mentions(void *context, const Tree *t) {
  Mentions *m = context;
  m->n += t->op == OP_REF && t->symbol == m->of;
  return true;
}

static int mentions(const Tree *t, const Symbol *of) {
  Mentions m = {of, 0};
  tree_visit(t, count_mentions, &m);
  return m.n;
}

/* What is done last in each turn, or in some of them: `if (v > 0) sum += v;'. */
static const Tree *last_of(const Tree *t) {
  while ((t->op == OP_SEQ && t->nkids) || (t->op == OP_IF && t->nkids == 2)) t = t->kid[t->nkids - 1];
  return t;
}

/* Every part's result is combined, once, as the last thing that is done with it; perhaps under a condition. */
static bool reads_loop(Together *x, const Unit *u, const Tree *all, const Tree *t) {
  const Symbol *i;
  const Tree *end, *body = t->op == OP_FOR ? t->kid[3] : NULL;
  OperatorKind op;
  if (!body || !tree_counts(t, &i, &end) || body->op != OP_SEQ || !body->nkids) return false;
  const Tree *meant = end->op == OP_REF && !tree_assigns(x->alone->body, end->symbol)
                          ? tree_declared(x->alone->body, end->symbol) : NULL;
  x->parts = meant ? meant : end;
  if (x->parts->op != OP_SIZE || x->parts->kid[0]->op != OP_REF) return false;
  const Tree *combine = last_of(body), *by = operator_accumulated(combine, &op);
  if (!by || tree_mentions(by, combine->kid[0]->symbol)) return false;
  x->best = combine->kid[0]->symbol;
  x->combine = combine;
  Outside o = {body, x->best, false};
  for (int k = 0; k < body->nkids; k++)
    tree_visit(body->kid[k], find_outside, &o);
  o.found |= mentions(body, x->best) != mentions(combine, x->best);
  return !o.found && finds_start(x, all, op) && commutes(u, combine);
}

/* .. or does it store elements, each turn its own, which nothing is added up in? */
typedef struct Own { const Tree *body; const Symbol *index; bool stores, other; } Own;

static bool find_own(void *context, const Tree *t) {
  Own *o = context;
  const Symbol *of = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  if (t->op == OP_BREAK || t->op == OP_CONTINUE || t->op == OP_RETURN || t->op == OP_ATOMIC) o->other = true;
  if (of && of->writable && of->kind == SYMBOL_PARAM) {
    o->stores = true;
    o->other |= !is_own_element(t, o->body, o->index);
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

/* .. or does it keep the greatest or the least of its turns', and what goes with it? */
static bool chooses_loop(Together *x, Selects *of, const Tree *t) {
  const Symbol *i;
  const Tree *end;
  if (t->op != OP_FOR || !tree_counts(t, &i, &end) || !selects_find(t, of)) return false;
  const Tree *meant = end->op == OP_REF && !tree_assigns(x->alone->body, end->symbol)
                          ? tree_declared(x->alone->body, end->symbol) : NULL;
  x->parts = meant ? meant : end;
  return x->parts->op == OP_SIZE && x->parts->kid[0]->op == OP_REF;
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
  Tree *whole = tree_clone(a, x->around ? x->around : loop), *t = (Tree *)innermost(whole);
  t->kid[0]->kid[0] = lanes(a, OP_VECTOR_THREAD);
  t->kid[1]->kid[1] = tree_clone(a, x->parts);
  t->kid[2] = build_assign(a, t->kid[2]->kid[0], lanes(a, OP_COOP_DIM));
  t->kid[2]->compound = OP_ADD;
  return whole;
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
  Symbol *before = symbol_new(a, SYMBOL_LOCAL, arena_printf(a, "before%s", of), x->best->type);
  before->declared = x->best->declared;
  if (x->begins) {
    vec_push(a, to, build_declare(a, before, tree_ref(a, x->best)));
    vec_push(a, to, build_assign(a, tree_ref(a, x->best), tree_clone(a, x->none)));
  }
  vec_push(a, to, own_parts(x, loop));
  vec_push(a, to, build_assign(a, build_element(a, of_lanes, lanes(a, OP_VECTOR_THREAD)), tree_ref(a, x->best)));
  vec_push(a, to, exchanged(x, of_lanes));
  vec_push(a, to, of_vectors(x, partial));
  if (!last) {
    Symbol *whole = shared(x, to, arena_printf(a, "whole%s", of), tree_int(a, TYPE_INT, 1));
    vec_push(a, to, of_all(x, whole));
  }
  if (x->begins) vec_push(a, to, combined(x, tree_ref(a, before)));
}

/* A variable that lanes exchange: in the place of the one that the loop accumulates. */
static Symbol *exchange_by(Together *x, DivideStatements *to, const char *name, Type type, OperatorKind by) {
  Arena *a = x->a;
  Symbol *s = x->best = symbol_new(a, SYMBOL_LOCAL, name, type);
  s->declared = type;
  s->writable = true;
  x->none = operator_identity(a, by, type);
  x->combine = build_assign(a, tree_ref(a, s), tree_binary(a, operator_op(by), type, tree_ref(a, s), tree_ref(a, s)));
  vec_push(a, to, build_declare(a, s, tree_clone(a, x->none)));
  return s;
}

/* Lanes of a vector, and vectors, have the greatest, or least, of what each has in the variable. */
static void add_exchange(Together *x, DivideStatements *to, const char *of) {
  Arena *a = x->a;
  Symbol *of_lanes = shared(x, to, arena_printf(a, "lanes%s", of), lanes(a, OP_COOP_DIM));
  Symbol *partial = shared(x, to, arena_printf(a, "partial%s", of), lanes(a, OP_VECTOR_MAX));
  Symbol *whole = shared(x, to, arena_printf(a, "whole%s", of), tree_int(a, TYPE_INT, 1));
  vec_push(a, to, build_assign(a, build_element(a, of_lanes, lanes(a, OP_VECTOR_THREAD)), tree_ref(a, x->best)));
  vec_push(a, to, exchanged(x, of_lanes));
  vec_push(a, to, of_vectors(x, partial));
  vec_push(a, to, of_all(x, whole));
}

/* The loop's turn: with `turn = j' in the place of what is chosen beside the best; all of it, where j is that turn. */
static Tree *turn_of(Arena *a, const Tree *loop, const Selects *of, Symbol *turn, bool all) {
  const Tree *body = loop->kid[3];
  const Tree *then = of->chosen->kid[1];
  Tree **kids = arena_many(a, Tree *, body->nkids + then->nkids + 1);
  int n = 0;
  Symbol *i = loop->kid[0]->symbol;
  if (all) kids[n++] = build_declare(a, i, tree_ref(a, turn));
  for (int k = 0; k + 1 < body->nkids; k++) kids[n++] = body->kid[k];
  Tree *note = build_assign(a, tree_ref(a, turn), tree_ref(a, i));
  Tree *best = NULL;
  for (int k = 0; k < then->nkids; k++)
    if (then->kid[k]->kid[0]->symbol == of->best) best = then->kid[k];
  for (int k = 0; all && k < then->nkids; k++) kids[n++] = then->kid[k];
  Tree *of_turn[] = {best, note};
  if (!all) kids[n++] = build_if(a, of->chosen->kid[0], tree_seq(a, of_turn, 2));
  Tree *made = tree_seq(a, kids, n);
  made->where = body->where;
  return made;
}

/* Lanes look for the best of their own turns. Then all know which value is the best, and which turn of those that have
 * it wins; and each does that turn once more. */
static void add_choice(Together *x, DivideStatements *to, const Tree *loop, const Selects *of, int number) {
  Arena *a = x->a;
  const char *more = number ? arena_printf(a, "%d", number + 1) : "";
  const OperatorKind by = of->last ? OPERATOR_MAX : OPERATOR_MIN, of_best = of->greatest ? OPERATOR_MAX : OPERATOR_MIN;
  Together turns = *x;
  Symbol *turn = exchange_by(&turns, to, arena_printf(a, "turn%s", more), TYPE_LONG, by);
  Tree *of_own[] = {loop->kid[0], loop->kid[1], loop->kid[2], turn_of(a, loop, of, turn, false)};
  x->around = NULL;
  vec_push(a, to, own_parts(x, tree_with_kids(a, loop, of_own, 4)));
  Symbol *most = exchange_by(x, to, arena_printf(a, "most%s", more), of->best->type, of_best);
  Tree *found = tree_binary(a, OP_NE, TYPE_BOOL, tree_ref(a, turn), tree_clone(a, turns.none));
  vec_push(a, to, build_if(a, found, build_assign(a, tree_ref(a, most), tree_ref(a, of->best))));
  add_exchange(x, to, arena_printf(a, "_%s", most->name));
  Tree *less = tree_binary(a, OP_NE, TYPE_BOOL, tree_ref(a, of->best), tree_ref(a, most));
  vec_push(a, to, build_if(a, less, build_assign(a, tree_ref(a, turn), tree_clone(a, turns.none))));
  add_exchange(&turns, to, arena_printf(a, "_%s", turn->name));
  vec_push(a, to, build_if(a, tree_clone(a, found), tree_clone(a, turn_of(a, loop, of, turn, true))));
}

/* The statements that are done last in each turn, or in some of them; all of a loop's, or those of an `if'. */
static const Tree *last_statements(const Tree *loop) {
  const Tree *t = loop->kid[3];
  while (t->op == OP_SEQ && t->nkids) {
    const Tree *last = t->kid[t->nkids - 1];
    if (last->op != OP_IF || last->nkids != 2 || last->kid[1]->op != OP_SEQ) break;
    t = last->kid[1];
  }
  return t;
}

/* How many variables does the loop accumulate in, by the last statements, behind variables of its own? */
static int several(const Tree *loop) {
  OperatorKind op;
  const Tree *last = last_statements(loop);
  int n = 0;
  if (last->op != OP_SEQ) return 0;
  while (n < last->nkids && operator_accumulated(last->kid[last->nkids - 1 - n], &op)) n++;
  for (const Tree *t = loop->kid[3];; t = t->kid[t->nkids - 1]->kid[1]) {
    for (int i = 0; i < t->nkids - (t == last ? n : 1); i++)
      if (t->kid[i]->op != OP_DECLARE) return 0;
    if (t == last) break;
  }
  for (int i = last->nkids - n; i < last->nkids; i++)
    if (mentions(loop, last->kid[i]->kid[0]->symbol) != mentions(last->kid[i], last->kid[i]->kid[0]->symbol)) return 0;
  return n;
}

/* The statements with one of those that accumulate, of `first' and those behind it. */
static Tree *with_one(Arena *a, const Tree *t, const Tree *last, int first, int one) {
  if (t != last) {
    Tree **kids = arena_many(a, Tree *, t->nkids), *choice = t->kid[t->nkids - 1];
    for (int i = 0; i < t->nkids - 1; i++) kids[i] = t->kid[i];
    Tree *of[] = {choice->kid[0], with_one(a, choice->kid[1], last, first, one)};
    kids[t->nkids - 1] = tree_with_kids(a, choice, of, 2);
    return tree_seq(a, kids, t->nkids);
  }
  Tree **kids = arena_many(a, Tree *, first + 1);
  for (int i = 0; i < first; i++) kids[i] = t->kid[i];
  kids[first] = t->kid[first + one];
  return tree_seq(a, kids, first + 1);
}

/* The loops, with another body of the innermost one. */
static Tree *with_body(Arena *a, const Tree *t, const Tree *inner, Tree *body) {
  Tree *kids[] = {t->kid[0], t->kid[1], t->kid[2], body};
  if (t != inner) {
    Tree *below = with_body(a, t->kid[3]->kid[0], inner, body);
    kids[3] = tree_seq(a, &below, 1);
  }
  return tree_with_kids(a, t, kids, 4);
}

/* A loop for each variable that one accumulates in: what it reads is in a cache the next time. */
static Tree *one_by_one(Arena *a, const Tree *body) {
  DivideStatements all = {0};
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    const Tree *inner = innermost(t);
    const int n = inner->op == OP_FOR ? several(inner) : 0;
    const Tree *last = n > 1 ? last_statements(inner) : NULL;
    if (n < 2) vec_push(a, &all, (Tree *)t);
    for (int k = 0; n > 1 && k < n; k++) {
      Tree *with = with_one(a, inner->kid[3], last, last->nkids - n, k);
      vec_push(a, &all, tree_clone(a, with_body(a, t, inner, with)));
    }
  }
  Tree *made = tree_seq(a, all.at, all.n);
  made->where = body->where;
  return made;
}

/* Elements of what is stored are those of the loop's turn: the same lane has them in all loops. `ends': it stands
 * behind all loops. */
typedef struct Stored { const Tree *loop; const Symbol *index; bool ends, other; } Stored;

static bool find_other(void *context, const Tree *t) {
  Stored *s = context;
  if (s->ends && t->op == OP_ASSIGN && !t->compound && t->kid[0]->op == OP_INDEX) {
    tree_visit(t->kid[1], find_other, s);
    return false;
  }
  const Symbol *of = t->op == OP_INDEX && t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  if (!of || of->kind != SYMBOL_PARAM || !of->writable) return !s->other;
  s->other |= !s->loop || !is_own_element(t, s->loop, s->index);
  return !s->other;
}

/* What is stored behind all loops nobody reads: it is the row's result. */
static bool keeps_to_lanes(const Tree *body) {
  int loops = body->nkids;
  while (loops > 0 && body->kid[loops - 1]->op != OP_FOR) loops--;
  for (int i = 0; i < body->nkids; i++) {
    const Symbol *index = NULL;
    const Tree *t = body->kid[i], *loop = t->op == OP_FOR ? innermost(t) : NULL, *end;
    if (loop && !tree_counts(loop, &index, &end)) return false;
    Stored s = {loop ? loop->kid[3] : NULL, index, i >= loops, false};
    tree_visit(t, find_other, &s);
    if (s.other) return false;
  }
  return true;
}

Codelet *together_made(Arena *a, const Unit *u, const Codelet *alone) {
  const Tree *body = one_by_one(a, alone->body);
  if (!keeps_to_lanes(body)) return NULL;
  DivideStatements all = {0};
  int loops = 0, made = 0;
  for (int i = 0; i < body->nkids; i++) loops += body->kid[i]->op == OP_FOR;
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i], *loop = innermost(t);
    Together x = {.a = a, .alone = alone, .around = t};
    Selects of;
    if (t->op != OP_FOR) {
      vec_push(a, &all, (Tree *)t);
      continue;
    }
    made++;
    if (stores_loop(&x, loop)) vec_push(a, &all, own_parts(&x, loop));
    else if (loop == t && chooses_loop(&x, &of, t)) add_choice(&x, &all, t, &of, made - 1);
    else if (reads_loop(&x, u, body, loop)) add_loop(&x, &all, loop, made - 1, made == loops);
    else return NULL;
  }
  if (!made) return NULL;
  Codelet *k = arena_one(a, Codelet);
  *k = *alone;
  k->tag = "together";
  k->together = true;
  k->body = tree_seq(a, all.at, all.n);
  k->body->where = body->where;
  return k;
}
