/* early.c: a codelet that returns before its end, as one that returns there alone.
 *
 *     if (x.Size() == 0) return 0;             T sum = 0;
 *     T sum = 0;                          >    for (i ..) sum += x[i];
 *     for (i ..) sum += x[i];                  return x.Size() == 0 ? 0 : sum / x.Size();
 *     return sum / x.Size();
 *
 * What stands behind it is done only where the condition does not hold, if that can be told: loops that go through the
 * container that has no element do nothing; numbers that read no element and divide nothing are computed for nothing.
 *
 *     for (i ..) if (x[i] == v) return i;      bool found = false; long result = 0;
 *     return -1;                          >    for (i ..) if (x[i] == v) { result = i; found = true; break; }
 *                                              return found ? result : -1;
 *
 * The condition, and what is returned, is evaluated where the text ends: so it is made of what nothing changes. */
#include "front/early.h"

#include "front/divide.h"
#include "front/loop_sums.h"
#include "front/loops.h"
#include "ir/build.h"

typedef DivideStatements Statements;

/* What has ended the text: the conditions, in their order, and what is returned then. */
typedef struct Early {
  Arena *a;
  const Codelet *codelet;
  Tree *ended;        /* one of the conditions holds; NULL: there was none */
  const Tree *none;   /* .. which says that this size is 0; NULL: it says something else */
  VEC(Tree *) tests;
  VEC(Tree *) results;
  Statements all;
  bool ok;
} Early;

/* ---- conditions ---- */

typedef struct Fixed { const Codelet *codelet; bool ok; } Fixed;

static bool find_changing(void *context, const Tree *t) {
  Fixed *f = context;
  f->ok &= !divide_never(t) && t->op != OP_ASSIGN;
  if (t->op == OP_INDEX) f->ok &= t->kid[0]->op == OP_REF && !t->kid[0]->symbol->writable;
  if (t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL)
    f->ok &= loop_is_number(t->symbol) && !tree_assigns(f->codelet->body, t->symbol);
  return f->ok;
}

static bool is_fixed(const Early *x, const Tree *t) {
  Fixed f = {x->codelet, true};
  tree_visit(t, find_changing, &f);
  return f.ok;
}

/* What a variable that nothing changes was declared to be. */
static const Tree *meant(const Early *x, const Tree *t) {
  t = tree_uncast(t);
  const Tree *is = t->op == OP_REF && !tree_assigns(x->codelet->body, t->symbol)
                     ? tree_declared(x->codelet->body, t->symbol) : NULL;
  return is ? meant(x, is) : t;
}

/* `x.Size() == 0': the size. */
static const Tree *says_none(const Early *x, const Tree *test) {
  const Tree *size = NULL;
  if (test->op == OP_NOT) size = test->kid[0];
  else if ((test->op == OP_EQ || test->op == OP_LE) && build_is(tree_uncast(test->kid[1]), 0)) size = test->kid[0];
  else if (test->op == OP_LT && build_is(tree_uncast(test->kid[1]), 1)) size = test->kid[0];
  size = size ? meant(x, size) : NULL;
  if (size && size->op == OP_NE && build_is(tree_uncast(size->kid[1]), 0)) size = meant(x, size->kid[0]);
  return size && size->op == OP_SIZE ? size : NULL;
}

static Tree *negated(Arena *a, Tree *t) { return tree_unary(a, OP_NOT, TYPE_BOOL, tree_clone(a, t)); }

static void end_at(Early *x, Tree *test, Tree *result) {
  Arena *a = x->a;
  x->none = x->ended ? NULL : says_none(x, test);
  vec_push(a, &x->tests, test);
  vec_push(a, &x->results, result);
  Tree *now = tree_clone(a, test);
  x->ended = x->ended ? tree_binary(a, OP_LOR, TYPE_BOOL, x->ended, now) : now;
}

/* ---- what stands behind ---- */

/* Where it may not be evaluated for nothing. */
static bool may_fail(const Tree *t) {
  return tree_contains(t, OP_INDEX) || tree_contains(t, OP_DIV) || tree_contains(t, OP_REM);
}

static bool goes_through_none(const Early *x, const Tree *t) {
  LoopHead head;
  int64_t begin;
  return x->none && t->op == OP_FOR && loops_head(x->a, t, &head) && head.step > 0 &&
         tree_constant(head.begin, &begin) && begin >= 0 && tree_equal(meant(x, head.end), x->none);
}

static void add_guarded(Early *x, Tree *t) {
  Arena *a = x->a;
  const bool number = t->op == OP_ASSIGN && t->kid[0]->op == OP_REF;
  if (!x->ended || goes_through_none(x, t) || (number && !may_fail(t->kid[1]))) {
    vec_push(a, &x->all, t);
    return;
  }
  if (t->op == OP_DECLARE) {
    if (t->nkids && may_fail(t->kid[0])) {
      Tree *nothing = tree_int(a, t->kid[0]->type, 0);
      if (nothing->type == TYPE_BOOL) nothing->op = OP_BOOL;
      t = tree_with_kids(a, t, (Tree *[]){build_choice(a, tree_clone(a, x->ended), nothing, t->kid[0])}, 1);
    }
    x->ok &= t->symbol->kind == SYMBOL_LOCAL;
    vec_push(a, &x->all, t);
    return;
  }
  Tree *made = build_if(a, negated(a, x->ended), t->op == OP_SEQ ? t : tree_seq(a, &t, 1));
  made->where = t->where;
  vec_push(a, &x->all, made);
}

/* ---- loops ---- */

/* A loop that returns: where it does, a variable has what, and it is left. */
typedef struct Leaving { Arena *a; Symbol *found, *result; } Leaving;

static Tree *set(const Leaving *x, Symbol *s, Tree *value, SourceRange where) {
  Tree *t = build_assign(x->a, tree_ref(x->a, s), value);
  t->where = where;
  return t;
}

static Tree *leave(const Leaving *x, SourceRange where) { return tree_new(x->a, OP_BREAK, TYPE_VOID, where, 0); }

static Tree *truth(Arena *a, bool is) {
  Tree *t = tree_int(a, TYPE_BOOL, is);
  t->op = OP_BOOL;
  return t;
}

static Tree *leaving(const Leaving *x, Tree *t) {
  Arena *a = x->a;
  if (!tree_contains(t, OP_RETURN)) return t;
  if (t->op != OP_SEQ) {
    Tree *kids[MOST_OPERANDS];
    for (int i = 0; i < t->nkids; i++) kids[i] = t->kid[i] ? leaving(x, t->kid[i]) : NULL;
    return tree_with_kids(a, t, kids, t->nkids);
  }
  Statements all = {0};
  for (int i = 0; i < t->nkids; i++) {
    Tree *s = t->kid[i];
    if (s->op == OP_RETURN) {
      if (x->result) vec_push(a, &all, set(x, x->result, build_cast(a, x->result->type, s->kid[0]), s->where));
      vec_push(a, &all, set(x, x->found, truth(a, true), s->where));
      vec_push(a, &all, leave(x, s->where));
      break;
    }
    vec_push(a, &all, leaving(x, s));
    const bool loop = s->op == OP_FOR || s->op == OP_WHILE;
    Tree *out = loop && tree_contains(s, OP_RETURN) ? leave(x, s->where) : NULL;
    if (out) vec_push(a, &all, build_if(a, tree_ref(a, x->found), tree_seq(a, &out, 1)));
  }
  Tree *made = tree_seq(a, all.at, all.n);
  made->where = t->where;
  return made;
}

static Symbol *local(Early *x, const char *name, Type type, Type declared, Tree *init, SourceRange where) {
  Symbol *s = symbol_new(x->a, SYMBOL_LOCAL, name, type);
  s->declared = declared;
  s->writable = true;
  s->where = where;
  Tree *t = build_declare(x->a, s, init);
  t->where = where;
  vec_push(x->a, &x->all, t);
  return s;
}

static void add_loop(Early *x, Tree *t) {
  Arena *a = x->a;
  const Type type = x->codelet->spectrum->result;
  Leaving l = {.a = a, .found = local(x, "found", TYPE_BOOL, TYPE_BOOL, truth(a, false), t->where)};
  Tree *none = tree_int(a, type, 0);
  if (type == TYPE_BOOL) none->op = OP_BOOL;
  if (type != TYPE_VOID) l.result = local(x, "result", type, type, none, t->where);
  add_guarded(x, leaving(&l, t));
  end_at(x, tree_ref(a, l.found), l.result ? tree_ref(a, l.result) : NULL);
}

/* ---- all of it ---- */

/* `if (..) return ..;' */
static bool is_end(const Early *x, const Tree *t) {
  const Tree *then = t->op == OP_IF && t->nkids == 2 ? t->kid[1] : NULL;
  const Tree *last = then && then->op == OP_SEQ && then->nkids == 1 ? then->kid[0] : NULL;
  return last && last->op == OP_RETURN && is_fixed(x, t->kid[0]) && (!last->nkids || is_fixed(x, last->kid[0]));
}

static void add_return(Early *x, Tree *t) {
  Arena *a = x->a;
  if (!t->nkids) return;
  const Type type = x->codelet->spectrum->result;
  Tree *value = t->kid[0]->type == type ? t->kid[0] : build_cast(a, type, t->kid[0]);
  for (int i = x->tests.n - 1; i >= 0; i--) {
    Tree *early = x->results.at[i];
    if (early->type != type) early = build_cast(a, type, early);
    value = build_choice(a, tree_clone(a, x->tests.at[i]), early, value);
  }
  Tree *made = tree_unary(a, OP_RETURN, TYPE_VOID, value);
  made->where = t->where;
  vec_push(a, &x->all, made);
}

static Tree *without(Arena *a, const Codelet *c) {
  Early x = {.a = a, .codelet = c, .ok = true};
  const Tree *body = c->body;
  for (int i = 0; i < body->nkids && x.ok; i++) {
    Tree *t = body->kid[i];
    const bool last = i == body->nkids - 1, loop = t->op == OP_FOR || t->op == OP_WHILE;
    if (t->op == OP_RETURN) x.ok = last, add_return(&x, t);
    else if (!tree_contains(t, OP_RETURN)) add_guarded(&x, t);
    else if (is_end(&x, t)) end_at(&x, t->kid[0], t->kid[1]->kid[0]->nkids ? t->kid[1]->kid[0]->kid[0] : NULL);
    else if (loop) add_loop(&x, t);
    else x.ok = false;
  }
  if (!x.ok) return NULL;
  Tree *made = tree_seq(a, x.all.at, x.all.n);
  made->where = body->where;
  return made;
}

/* A return that is not the last statement. */
static bool returns_early(const Tree *body) {
  for (int i = 0; i < body->nkids; i++)
    if (tree_contains(body->kid[i], OP_RETURN) && (body->kid[i]->op != OP_RETURN || i < body->nkids - 1)) return true;
  return false;
}

typedef struct Lanes { bool any; } Lanes;

/* What one lane does not do. */
static bool find_lanes(void *context, const Tree *t) {
  Lanes *l = context;
  l->any |= t->op != OP_RETURN && t->op != OP_ATOMIC && divide_never(t);
  return !l->any;
}

void early_returns(Arena *a, Unit *u) {
  for (int i = 0; i < u->nspectra; i++)
    for (int k = 0; k < u->spectra[i]->ncodelets; k++) {
      Codelet *c = u->spectra[i]->codelets[k];
      Lanes lanes = {false};
      if (!c->body || c->body->op != OP_SEQ || !returns_early(c->body)) continue;
      tree_visit(c->body, find_lanes, &lanes);
      const bool ends = c->spectrum->result == TYPE_VOID || c->body->kid[c->body->nkids - 1]->op == OP_RETURN;
      Tree *made = lanes.any || !ends ? NULL : without(a, c);
      if (made) c->body = made;
    }
}
