/* predicate.c: a branch taken apart, so that a barrier can stand between its statements, outside of it.
 *
 *   if (c) { x = t[i]; t[j] = x; }   becomes   if (c) x = t[i];   if (c) t[j] = x;
 *   if (c) t[i] += t[j];             becomes   T v; if (c) v = t[j];   if (c) t[i] += v;
 *   if (c) for (..) { .. }           becomes   for (..) if (c) { .. } */
#include "passes/predicate.h"

#include <string.h>

#include "passes/access.h"

/* ---- names ---- */

Predication predication_begin(Arena *a, const Kernel *k, const Tree *body, Uniform *u) {
  return (Predication){.a = a, .kernel = k, .body = body, .uniform = u, .fresh = fresh_begin(a, k, body)};
}

static Symbol *fresh_local(Predication *p, const char *wanted, Type type, Variance v) {
  Symbol *s = symbol_new(p->a, SYMBOL_LOCAL, fresh_name(&p->fresh, wanted), type);
  uniform_add(p->uniform, s, v);
  return s;
}

/* ---- building ---- */

static Tree *declare(Predication *p, Symbol *s, Tree *init, SourceRange where) {
  Tree *t = tree_new(p->a, OP_DECLARE, TYPE_VOID, where, init ? 1 : 0);
  t->symbol = s;
  if (init) t->kid[0] = init;
  return t;
}

static Tree *assign(Predication *p, Tree *place, Tree *value, SourceRange where) {
  Tree *t = tree_binary(p->a, OP_ASSIGN, TYPE_VOID, place, value);
  t->where = where;
  t->compound = 0;
  return t;
}

static Tree *guarded(Predication *p, Tree *condition, Tree *statement) {
  Tree *kids[2] = {condition, statement->op == OP_SEQ ? statement : tree_seq(p->a, &statement, 1)};
  Tree *t = tree_new(p->a, OP_IF, TYPE_VOID, statement->where, 2);
  memcpy(t->kid, kids, sizeof kids);
  return t;
}

static TreeList *remembered(Predication *p, const Tree *t) {
  for (int i = 0; i < p->done.n; i++)
    if (p->done.at[i] == t) return &p->parts.at[i];
  return NULL;
}

static TreeList remember(Predication *p, const Tree *t, TreeList parts) {
  vec_push(p->a, &p->done, t);
  vec_push(p->a, &p->parts, parts);
  return parts;
}

/* ---- one statement in two ---- */

static Tree *with_value(Predication *p, const Tree *t, Tree *place, Tree *value, bool compound) {
  Tree *kids[8] = {place, value};
  for (int i = 2; i < t->nkids; i++) kids[i] = t->kid[i];
  Tree *copy = tree_with_kids(p->a, t, kids, t->nkids);
  if (!compound) copy->compound = 0;
  return copy;
}

TreeList predicate_split(Predication *p, const Tree *t, bool whole) {
  TreeList *before = remembered(p, t);
  if (before) return *before;
  TreeList parts = {0};
  Tree *place = t->kid[0], *value = t->kid[1];
  bool compound = t->op == OP_ATOMIC || t->compound != 0;
  if (place->op == OP_INDEX && access_any(place->kid[1])) {
    Symbol *at = fresh_local(p, "position", place->kid[1]->type, VARIES_LANE);
    vec_push(p->a, &parts, declare(p, at, place->kid[1], t->where));
    Tree *kids[2] = {place->kid[0], tree_ref(p->a, at)};
    place = tree_with_kids(p->a, place, kids, 2);
  }
  if (whole && t->op == OP_ASSIGN && compound) { /* even what it adds to is another lane's to change */
    value = tree_binary(p->a, t->compound, place->type, place, value);
    compound = false;
  }
  Symbol *s = fresh_local(p, "value", value->type, VARIES_LANE);
  vec_push(p->a, &parts, declare(p, s, value, t->where));
  vec_push(p->a, &parts, with_value(p, t, place, tree_ref(p->a, s), compound));
  return remember(p, t, parts);
}

/* ---- branches ---- */

typedef struct Assigned { const Tree *value; bool yes; } Assigned;

static bool assigns_operand(void *context, const Tree *t) {
  Assigned *c = context;
  const Tree *place = t->op == OP_ASSIGN ? t->kid[0] : NULL;
  if (place && place->op == OP_INDEX) place = place->kid[0];
  if (place && place->op == OP_REF && tree_mentions(c->value, place->symbol)) c->yes = true;
  return !c->yes;
}

static bool changed_by(const Tree *value, const Tree *body) {
  Assigned c = {value, false};
  if (body) tree_visit(body, assigns_operand, &c);
  return c.yes;
}

static bool count_node(void *context, const Tree *t) {
  (void)t;
  ++*(int *)context;
  return true;
}

/* May the condition be asked again for each statement? */
static bool repeatable(const Tree *condition, const Tree *branch) {
  int nodes = 0;
  tree_visit(condition, count_node, &nodes);
  if (nodes > 4 || tree_contains(condition, OP_INDEX) || access_any(condition)) return false;
  return !changed_by(condition, branch->kid[1]) && !(branch->nkids > 2 && changed_by(condition, branch->kid[2]));
}

typedef struct Parts {
  Predication *p;
  Scope scope;
  TreeList hoisted, list;
  const Tree *culprit;
} Parts;

static void under(Parts *to, Tree *condition, Tree *t);

static void under_each(Parts *to, Tree *condition, const Tree *body) {
  if (body->op != OP_SEQ) { under(to, condition, (Tree *)body); return; }
  for (int i = 0; i < body->nkids; i++) under(to, condition, body->kid[i]);
}

static bool same_name(const Predication *p, const Symbol *s) {
  int n = 0;
  for (int i = 0; i < p->fresh.names.n; i++) n += strcmp(p->fresh.names.at[i], s->name) == 0;
  return n > 1;
}

typedef struct Renaming { const Symbol *from; Symbol *to; } Renaming;

static Tree *rename_ref(void *context, Arena *a, Tree *t) {
  Renaming *r = context;
  if ((t->op != OP_REF && t->op != OP_DECLARE) || t->symbol != r->from) return t;
  Tree *copy = tree_with_kids(a, t, t->kid, t->nkids);
  copy->symbol = r->to;
  return copy;
}

/* Is every name of the header its own variable or something that the body leaves alone? */
static bool header_for_all(const Tree *loop) {
  if (loop->op != OP_FOR || !loop->kid[0] || !loop->kid[1] || !loop->kid[2]) return false;
  if (loop->kid[0]->op != OP_DECLARE || !loop->kid[0]->nkids) return false;
  const Tree *step = loop->kid[2];
  if (step->op != OP_ASSIGN || step->kid[0]->op != OP_REF || step->kid[0]->symbol != loop->kid[0]->symbol) return false;
  if (tree_contains(loop->kid[3], OP_BREAK) || tree_contains(loop->kid[3], OP_CONTINUE)) return false;
  for (int i = 0; i < 3; i++)
    if (access_any(loop->kid[i]) || tree_contains(loop->kid[i], OP_INDEX) || changed_by(loop->kid[i], loop->kid[3]))
      return false;
  Tree own = {.op = OP_REF, .symbol = loop->kid[0]->symbol};
  return !changed_by(&own, loop->kid[3]);
}

static bool alike(Parts *to, const Tree *loop) {
  Variance v = uniform_of_loop(to->p->uniform, loop);
  return v <= (to->scope == SCOPE_WARP ? VARIES_WARP : to->scope == SCOPE_BLOCK ? VARIES_BLOCK : VARIES_NOT);
}

static Tree *loop_under(Parts *to, Tree *condition, Tree *loop) {
  if (!header_for_all(loop) || !alike(to, loop) || changed_by(condition, loop->kid[3])) {
    to->culprit = loop;
    return loop;
  }
  Parts inner = {.p = to->p, .scope = to->scope};
  under_each(&inner, condition, loop->kid[3]);
  if (inner.culprit) to->culprit = inner.culprit;
  for (int i = 0; i < inner.list.n; i++) vec_push(to->p->a, &inner.hoisted, inner.list.at[i]);
  Tree *kids[4] = {loop->kid[0], loop->kid[1], loop->kid[2], tree_seq(to->p->a, inner.hoisted.at, inner.hoisted.n)};
  return tree_with_kids(to->p->a, loop, kids, 4);
}

/* Adds the statement, run by the lanes for which `condition` holds. */
static void under(Parts *to, Tree *condition, Tree *t) {
  Predication *p = to->p;
  switch (t->op) {
    case OP_COMMENT: vec_push(p->a, &to->list, t); return;
    case OP_SEQ: under_each(to, condition, t); return;
    case OP_DECLARE: {
      Tree *init = t->nkids ? t->kid[0] : NULL;
      vec_push(p->a, &to->hoisted, declare(p, t->symbol, NULL, t->where));
      if (init)
        vec_push(p->a, &to->list, guarded(p, condition, assign(p, tree_ref(p->a, t->symbol), init, t->where)));
      return;
    }
    case OP_IF:
      if (access_any(t)) {
        Variance v = uniform_of(p->uniform, t->kid[0]), outer = uniform_of(p->uniform, condition);
        Symbol *both = fresh_local(p, "active", TYPE_BOOL, v > outer ? v : outer);
        both->constant = true;
        Tree *and = tree_binary(p->a, OP_LAND, TYPE_BOOL, condition, t->kid[0]);
        vec_push(p->a, &to->list, declare(p, both, and, t->where));
        under_each(to, tree_ref(p->a, both), t->kid[1]);
        if (t->nkids < 3) return;
        Symbol *other = fresh_local(p, "active", TYPE_BOOL, v > outer ? v : outer);
        other->constant = true;
        Tree *not = tree_unary(p->a, OP_NOT, TYPE_BOOL, tree_ref(p->a, both));
        and = tree_binary(p->a, OP_LAND, TYPE_BOOL, condition, not);
        vec_push(p->a, &to->list, declare(p, other, and, t->where));
        under_each(to, tree_ref(p->a, other), t->kid[2]);
        return;
      }
      break;
    case OP_FOR: case OP_WHILE:
      if (access_any(t)) { vec_push(p->a, &to->list, loop_under(to, condition, t)); return; }
      break;
    default: break;
  }
  vec_push(p->a, &to->list, guarded(p, condition, t));
}

/* Declarations move out of their branch: names that others have too are changed first. */
typedef struct Unique { Predication *p; VEC(Renaming) renamings; } Unique;

static bool find_clash(void *context, const Tree *t) {
  Unique *u = context;
  if (t->op == OP_DECLARE && same_name(u->p, t->symbol)) {
    Symbol *copy = arena_one(u->p->a, Symbol);
    *copy = *t->symbol;
    copy->name = fresh_name(&u->p->fresh, t->symbol->name);
    Tree ref = {.op = OP_REF, .type = copy->type, .symbol = t->symbol};
    uniform_add(u->p->uniform, copy, uniform_of(u->p->uniform, &ref));
    Renaming r = {t->symbol, copy};
    vec_push(u->p->a, &u->renamings, r);
  }
  return true;
}

static bool simple(const Tree *t) { return t->op == OP_ASSIGN || t->op == OP_ATOMIC; }

TreeList predicate_branch(Predication *p, const Tree *branch, Scope scope, const Tree **culprit) {
  *culprit = NULL;
  TreeList *before = remembered(p, branch);
  if (before) return *before;
  Parts parts = {.p = p, .scope = scope};
  Tree *condition = branch->kid[0];
  const Tree *then = branch->kid[1], *only = then;
  if (then->op == OP_SEQ && then->nkids == 1) only = then->kid[0];

  bool named = !repeatable(condition, branch);
  if (named) {
    Symbol *s = fresh_local(p, "active", TYPE_BOOL, uniform_of(p->uniform, condition));
    s->constant = true;
    vec_push(p->a, &parts.list, declare(p, s, condition, branch->where));
    condition = tree_ref(p->a, s);
  }
  if (simple(only) && branch->nkids < 3 && !named) {
    TreeList halves = predicate_split(p, only, only->kid[1]->op == OP_REF);
    Tree *store = halves.at[halves.n - 1];
    for (int i = 0; i < halves.n - 1; i++) under(&parts, condition, halves.at[i]);
    under(&parts, condition, store);
  } else {
    Unique u = {.p = p};
    tree_visit(branch, find_clash, &u);
    Tree *whole = (Tree *)branch;
    for (int i = 0; i < u.renamings.n; i++) whole = tree_rewrite(p->a, whole, rename_ref, &u.renamings.at[i]);
    under_each(&parts, condition, whole->kid[1]);
    if (branch->nkids > 2) under_each(&parts, tree_unary(p->a, OP_NOT, TYPE_BOOL, condition), whole->kid[2]);
  }
  if (parts.culprit) {
    *culprit = parts.culprit;
    return (TreeList){0};
  }
  for (int i = 0; i < parts.list.n; i++) vec_push(p->a, &parts.hoisted, parts.list.at[i]);
  return remember(p, branch, parts.hoisted);
}
