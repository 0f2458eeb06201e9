/* if_convert.c: what only some lanes of a vector accumulate, accumulated by all of them.
 *
 *     for each lane:                          T some[8];
 *       if (i + lane < n)               ->    for each lane: some[lane] = i + lane < n ? in[i + lane] : -(T)0;
 *         accum[lane] += in[i + lane];        for each lane: accum[lane] += some[lane];
 *
 * Requires: kernel form behind the simd pass. Keeps: every value, to the last bit. Breaks: nothing.
 * What some lanes store is stored under a mask, and who then reads the whole vector waits until that is in the cache:
 * longer than a sum of a few vectors takes. Loads under a mask cost nothing. The other lanes take what changes nothing:
 * of sums -0, since 0 would turn a -0; of the least, the greatest and what else is the same twice the lane's own.
 *
 *     accum[lane] += x[i + lane] > 0 ? x[i + lane] * y[i + lane] : 0;
 *
 * reads y under a mask, and while it does, GCC 12 keeps no sum in a register: each turn waits for the store of the one
 * before. Where a function has the condition its arguments are there either way, and are read first:
 *
 *     const T x2 = x[i + lane], y2 = y[i + lane];
 *     accum[lane] += x2 > 0 ? x2 * y2 : 0;
 *
 * Variables that lanes set under a condition, such as a greatest element and its place, are set by all of them:
 *
 *     if (x[i + lane] > best[lane]) {        const T best2 = x[i + lane] > best[lane] ? x[i + lane] : best[lane];
 *       best[lane] = x[i + lane];            const Index place2 = x[i + lane] > best[lane] ? i + lane : place[lane];
 *       place[lane] = i + lane;        ->    best[lane] = best2;
 *     }                                      place[lane] = place2; */
#include "passes/if_convert.h"

#include "ir/build.h"
#include "ir/operator.h"
#include "passes/fresh.h"

typedef VEC(Tree *) Statements;

typedef struct Blend {
  const Kernel *kernel;
  Fresh fresh;
} Blend;

/* accum[lane] = accum[lane] + value, where condition */
typedef struct Guarded {
  Tree *condition, *set, *own, *value;
  OperatorKind op;
} Guarded;

static Tree *only(Tree *t) {
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  return t;
}

/* accum[lane], or accum[.. + lane], of an array that is the thread's: it is there for every lane. */
static bool is_own(const Tree *place) {
  if (place->op != OP_INDEX || place->kid[0]->op != OP_REF) return false;
  const Tree *at = place->kid[1];
  if (at->op == OP_ADD) at = at->kid[1];
  if (at->op != OP_LANE) return false;
  return place->kid[0]->symbol->kind == SYMBOL_LOCAL && place->kid[0]->symbol->array;
}

/* Does a loop over one vector's lanes do nothing but accumulate in an element of each lane's own, under a condition?
 * With an operator of the user's lanes take turns, and each stores by itself in any case. */
static bool is_guarded(const Tree *t, Guarded *g) {
  const Tree *guard = t->op == OP_LANES && t->vectors == 0 ? only(t->kid[0]) : NULL;
  if (!guard || guard->op != OP_IF || (guard->nkids > 2 && guard->kid[2])) return false;
  Tree *set = only(guard->kid[1]);
  if (set->op != OP_ASSIGN || !is_own(set->kid[0])) return false;
  *g = (Guarded){.condition = guard->kid[0], .set = set, .own = set->kid[0], .value = set->kid[1]};
  g->op = operator_of(set->compound);
  if (!set->compound && g->value->nkids == 2 && tree_equal(g->value->kid[0], g->own)) {
    g->op = operator_of(g->value->op);
    g->value = g->value->kid[1];
  }
  return g->op != OPERATOR_NONE && g->op != OPERATOR_USER;
}

/* What the operator leaves a lane's own at, whatever that is. */
static Tree *idle(Arena *a, const Guarded *g) {
  const Type type = g->own->type;
  Tree *identity = operator_identity(a, g->op, type);
  switch (g->op) {
    case OPERATOR_ADD: return tree_unary(a, OP_NEG, type, identity);
    case OPERATOR_MUL: case OPERATOR_XOR: return identity;
    default: return g->own;
  }
}

static Symbol *array_of(Blend *b, Arena *a, Type type) {
  Symbol *made = symbol_new(a, SYMBOL_LOCAL, fresh_name(&b->fresh, "some"), type);
  made->array = made->writable = true;
  made->length = tree_int(a, TYPE_INT, kernel_vector(b->kernel));
  return made;
}

static Tree *for_all(Arena *a, const Tree *lanes, Tree *statement) {
  Tree *body = tree_seq(a, &statement, 1);
  return tree_with_kids(a, lanes, &body, 1);
}

static void take_apart(Blend *b, Arena *a, const Tree *lanes, const Guarded *g, Statements *to) {
  Symbol *array = array_of(b, a, g->own->type);
  Tree *declare = tree_new(a, OP_DECLARE, TYPE_VOID, g->set->where, 0);
  declare->symbol = array;
  Tree *some = tree_binary(a, OP_INDEX, array->type, tree_ref(a, array), build_lane(a, OP_LANE));
  Tree *chosen = tree_new(a, OP_COND, array->type, g->set->where, 3);
  chosen->kid[0] = g->condition;
  chosen->kid[1] = g->value;
  chosen->kid[2] = idle(a, g);
  Tree *take = tree_binary(a, OP_ASSIGN, TYPE_VOID, some, chosen);
  Tree *value = g->set->compound ? some : tree_with_kids(a, g->set->kid[1], (Tree *[]){g->own, some}, 2);
  Tree *accumulate = tree_with_kids(a, g->set, (Tree *[]){g->own, value}, 2);
  take = for_all(a, lanes, take);
  accumulate = for_all(a, lanes, accumulate);
  vec_push(a, to, declare);
  vec_push(a, to, take);
  vec_push(a, to, accumulate);
}

/* A loop that does nothing else but add to the same place: one statement, so that compilers keep that in a register
 * throughout. */
static Tree *in_one(Arena *a, Tree *loop) {
  const Tree *body = loop->kid[3], *step = loop->kid[2];
  if (body->op != OP_SEQ || body->nkids != 3 || body->kid[0]->op != OP_DECLARE || !body->kid[0]->symbol->array)
    return loop;
  const Tree *take = body->kid[1], *accumulate = body->kid[2];
  if (take->op != OP_LANES || accumulate->op != OP_LANES) return loop;
  const Tree *set = only(take->kid[0]), *add = only(accumulate->kid[0]);
  const bool plain = set->op == OP_ASSIGN && !set->compound && set->kid[1]->op == OP_COND && add->op == OP_ASSIGN;
  if (!plain || set->kid[0]->op != OP_INDEX || set->kid[0]->kid[0]->symbol != body->kid[0]->symbol) return loop;
  const Tree *counts = step && step->op == OP_ASSIGN ? step->kid[0] : NULL;
  if (!counts || counts->op != OP_REF || tree_mentions(add->kid[0], counts->symbol)) return loop;
  Tree *value = add->kid[1];
  if (add->compound && tree_equal(value, set->kid[0])) value = set->kid[1];
  else if (!add->compound && value->nkids == 2 && tree_equal(value->kid[1], set->kid[0]))
    value = tree_with_kids(a, value, (Tree *[]){value->kid[0], set->kid[1]}, 2);
  else return loop;
  Tree *statement = for_all(a, accumulate, tree_with_kids(a, add, (Tree *[]){add->kid[0], value}, 2));
  Tree *copy = tree_with_kids(a, loop, loop->kid, loop->nkids);
  copy->kid[3] = tree_seq(a, &statement, 1);
  return copy;
}

/* ---- variables that are set under a condition ---- */

enum { MOST_SET = 4 };

typedef struct Sets {
  Tree *condition, *at[MOST_SET];
  int n;
} Sets;

static bool find_others(void *context, const Tree *t) {
  static const Op more[] = {OP_INDEX, OP_LANE, OP_SQRT, OP_FABS, OP_FMA, OP_FUSED};
  bool plain = t->op >= OP_INT && t->op <= OP_MAX && t->type < TYPE_STRUCT;
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) plain |= t->op == more[i];
  if (!plain) *(bool *)context = true;
  return plain;
}

/* Is it made of numbers alone, so that it may be said twice? */
static bool is_plain(const Tree *t) {
  bool others = false;
  tree_visit(t, find_others, &others);
  return !others;
}

/* Does a loop over one vector's lanes do nothing but set elements of each lane's own, under conditions on what one of
 * them is? So they have begun with something. None is set by what another one is by then. */
static bool sets_under_condition(Arena *a, const Tree *lanes, Sets *x) {
  Tree *t = lanes->vectors == 0 ? only(lanes->kid[0]) : NULL;
  *x = (Sets){0};
  for (; t && t->op == OP_IF && (t->nkids == 2 || !t->kid[2]); t = only(t->kid[1]))
    x->condition = x->condition ? build_both(a, x->condition, t->kid[0]) : t->kid[0];
  if (!t || !x->condition || !is_plain(x->condition)) return false;
  const int n = t->op == OP_SEQ ? t->nkids : 1;
  bool asks = false;
  for (int i = 0; i < n; i++) {
    Tree *set = t->op == OP_SEQ ? t->kid[i] : t;
    if (set->op == OP_COMMENT) continue;
    if (set->op != OP_ASSIGN || set->compound || !is_own(set->kid[0]) || x->n == MOST_SET) return false;
    if (set->kid[0]->type >= TYPE_STRUCT || !is_plain(set->kid[1])) return false;
    for (int k = 0; k < x->n; k++)
      if (tree_mentions(set->kid[1], x->at[k]->kid[0]->kid[0]->symbol)) return false;
    asks |= tree_mentions(x->condition, set->kid[0]->kid[0]->symbol);
    x->at[x->n++] = set;
  }
  return asks;
}

static Tree *set_by_all(Blend *b, Arena *a, const Tree *lanes, const Sets *x) {
  Statements all = {0};
  Symbol *values[MOST_SET];
  for (int i = 0; i < x->n; i++) {
    Tree *own = x->at[i]->kid[0];
    values[i] = symbol_new(a, SYMBOL_LOCAL, fresh_name(&b->fresh, own->kid[0]->symbol->name), own->type);
    values[i]->constant = true;
    vec_push(a, &all, build_declare(a, values[i], build_choice(a, x->condition, x->at[i]->kid[1], own)));
  }
  for (int i = 0; i < x->n; i++)
    vec_push(a, &all, tree_with_kids(a, x->at[i], (Tree *[]){x->at[i]->kid[0], tree_ref(a, values[i])}, 2));
  Tree *copy = tree_with_kids(a, lanes, lanes->kid, lanes->nkids);
  copy->kid[0] = tree_seq(a, all.at, all.n);
  return copy;
}

/* ---- loads that a condition masks ---- */

typedef struct Early {
  Blend *b;
  Arena *a;
  Statements loads, values; /* what is read early, and the variable that it is */
  Statements to;
} Early;

static bool is_load(const Tree *t) {
  return t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol->pointer;
}

/* Is one of the value's loads masked by a condition that none is masked by in the codelet? */
static bool is_masked(const Tree *t, bool masked) {
  if ((t->op == OP_COND && !t->present) || is_load(t)) return masked && is_load(t);
  bool found = false;
  for (int i = 0; i < t->nkids && !found; i++)
    found = t->kid[i] && is_masked(t->kid[i], masked || (t->op == OP_COND && i > 0));
  return found;
}

static Tree *read_early(Early *x, Tree *t) {
  if (t->op == OP_COND && !t->present) return t;
  if (is_load(t)) {
    for (int i = 0; i < x->loads.n; i++)
      if (tree_equal(x->loads.at[i], t)) return x->values.at[i];
    Symbol *s = symbol_new(x->a, SYMBOL_LOCAL, fresh_name(&x->b->fresh, t->kid[0]->symbol->name), t->type);
    s->constant = true;
    vec_push(x->a, &x->loads, t);
    vec_push(x->a, &x->values, tree_ref(x->a, s));
    vec_push(x->a, &x->to, build_declare(x->a, s, t));
    return tree_ref(x->a, s);
  }
  Tree **kids = arena_many(x->a, Tree *, t->nkids + 1);
  bool changed = false;
  for (int i = 0; i < t->nkids; i++) {
    kids[i] = t->kid[i] ? read_early(x, t->kid[i]) : NULL;
    changed |= kids[i] != t->kid[i];
  }
  return changed ? tree_with_kids(x->a, t, kids, t->nkids) : t;
}

/* Statements of lanes that do not depend on a condition themselves. */
static Tree *early_loads(Blend *b, Arena *a, Tree *lanes) {
  Tree *body = lanes->kid[0];
  Early x = {.b = b, .a = a};
  bool any = false;
  for (int i = 0; body->op == OP_SEQ && i < body->nkids; i++) {
    Tree *t = body->kid[i];
    if (t->op == OP_ASSIGN && is_own(t->kid[0]) && is_masked(t->kid[1], false)) {
      x.loads = x.values = (Statements){0};
      t = tree_with_kids(a, t, (Tree *[]){t->kid[0], read_early(&x, t->kid[1])}, 2);
      any = true;
    }
    vec_push(a, &x.to, t);
  }
  Tree *made = tree_seq(a, x.to.at, x.to.n);
  if (!any) return lanes;
  Tree *copy = tree_with_kids(a, lanes, lanes->kid, lanes->nkids);
  copy->kid[0] = made;
  return copy;
}

static Tree *convert(void *context, Arena *a, Tree *t) {
  Statements all = {0};
  bool any = false;
  if (t->op == OP_FOR) return in_one(a, t);
  Guarded one;
  Sets sets;
  if (t->op == OP_LANES && is_guarded(t, &one)) return t;
  if (t->op == OP_LANES && sets_under_condition(a, t, &sets)) return set_by_all(context, a, t, &sets);
  if (t->op == OP_LANES) return early_loads(context, a, t);
  for (int i = 0; t->op == OP_SEQ && i < t->nkids; i++) {
    Guarded g;
    if (is_guarded(t->kid[i], &g)) {
      take_apart(context, a, t->kid[i], &g, &all);
      any = true;
    } else vec_push(a, &all, t->kid[i]);
  }
  return any ? tree_seq(a, all.at, all.n) : t;
}

Tree *pass_if_convert(Arena *a, const Kernel *k, Tree *body) {
  Blend b = {.kernel = k, .fresh = fresh_begin(a, k, body)};
  return tree_rewrite(a, body, convert, &b);
}
