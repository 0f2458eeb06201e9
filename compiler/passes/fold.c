/* fold.c: what is decided at compile time goes.
 *
 * Requires: kernel form, before or behind the barrier pass.
 * Keeps: the value of every expression that is left, floating ones to the last bit; the order of statements; names.
 * Breaks: nothing. Folding twice changes nothing more.
 *
 * A walk in program order carries what is known about integers (facts.c) into branches and loops. tidy.c then takes
 * out the variables that nothing reads; both repeat until nothing changes. */
#include "passes/kernel_passes.h"

#include <string.h>

#include "passes/facts.h"
#include "passes/tidy.h"

enum { MOST_ROUNDS = 16 };

typedef VEC(Tree *) TreeList;

typedef struct Fold {
  Arena *a;
  Facts facts;
  const Tree *body; /* the kernel's, as this round found it */
} Fold;

/* ---- expressions ---- */

static Tree *boolean(Fold *f, bool value) {
  Tree *t = tree_int(f->a, TYPE_BOOL, value);
  t->op = OP_BOOL;
  return t;
}

static bool is_number(const Tree *t, int64_t number) { return t->op == OP_INT && t->number == number; }

static bool fits(Type t, int64_t x) {
  switch (t) {
    case TYPE_INT: return x >= INT32_MIN && x <= INT32_MAX;
    case TYPE_UINT: return x >= 0 && x <= UINT32_MAX;
    case TYPE_ULONG: return x >= 0;
    case TYPE_LONG: case TYPE_INDEX: return true;
    default: return false;
  }
}

/* x, as a value of the type that the whole expression had. */
static Tree *as(Fold *f, Tree *x, Type type) {
  if (x->type == type) return x;
  if (x->op == OP_INT && fits(type, x->number)) return tree_int(f->a, type, x->number);
  return NULL;
}

static Tree *or_else(Tree *x, Tree *t) { return x ? x : t; }


/* The lane, the warp or the thread by another expression? */
static Tree *as_lane(Fold *f, Tree *t) {
  if (t->type != TYPE_INT || t->nkids != 2) return t;
  Linear x = facts_linear(&f->facts, t);
  if (x.constant || x.n < 1 || x.n > 2) return t;
  static const Op single[] = {[ATOM_LANE] = OP_LANE, [ATOM_WARP] = OP_WARP};
  bool plain = x.n == 1 && x.term[0].factor == 1 && x.term[0].atom.kind <= ATOM_WARP;
  if (plain) return tree_new(f->a, single[x.term[0].atom.kind], TYPE_INT, t->where, 0);
  if (x.n != 2) return t;
  int lane = x.term[0].atom.kind == ATOM_LANE ? 0 : 1;
  bool thread = x.term[lane].atom.kind == ATOM_LANE && x.term[lane].factor == 1 &&
                x.term[!lane].atom.kind == ATOM_WARP && x.term[!lane].factor == 32;
  return thread ? tree_new(f->a, OP_THREAD, TYPE_INT, t->where, 0) : t;
}

/* (x + 3) - 1 is x + 2 */
static Tree *gather_constants(Fold *f, Tree *t) {
  Tree *x = t->kid[0];
  bool sums = (x->op == OP_ADD || x->op == OP_SUB) && x->type == t->type && !type_is_unsigned(t->type);
  if (!sums || t->kid[1]->op != OP_INT || x->kid[1]->op != OP_INT) return t;
  int64_t inner = x->op == OP_ADD ? x->kid[1]->number : -x->kid[1]->number, sum;
  int64_t outer = t->op == OP_ADD ? t->kid[1]->number : -t->kid[1]->number;
  if (__builtin_add_overflow(inner, outer, &sum) || !fits(t->type, sum) || sum == INT64_MIN) return t;
  if (sum == 0) return or_else(as(f, x->kid[0], t->type), t);
  Tree *kids[2] = {x->kid[0], tree_int(f->a, t->kid[1]->type, sum < 0 ? -sum : sum)};
  Tree *r = tree_with_kids(f->a, t, kids, 2);
  r->op = sum < 0 ? OP_SUB : OP_ADD;
  return r;
}

/* Integers only: a float's -0.0 and NaN make x + 0 and x * 0 something else. */
static Tree *integer_rules(Fold *f, Tree *t) {
  Tree *x = t->kid[0], *y = t->nkids > 1 ? t->kid[1] : NULL;
  Tree *zero = tree_int(f->a, t->type, 0);
  switch (t->op) {
    case OP_ADD:
      if (is_number(y, 0)) return or_else(as(f, x, t->type), t);
      if (is_number(x, 0)) return or_else(as(f, y, t->type), t);
      return as_lane(f, gather_constants(f, t));
    case OP_SUB:
      if (is_number(y, 0)) return or_else(as(f, x, t->type), t);
      if (tree_equal(x, y) && !tree_contains(x, OP_SHUFFLE)) return zero;
      return as_lane(f, gather_constants(f, t));
    case OP_MUL:
      if ((is_number(x, 0) && !tree_contains(y, OP_SHUFFLE)) || (is_number(y, 0) && !tree_contains(x, OP_SHUFFLE)))
        return zero;
      return t;
    case OP_DIV: return is_number(y, 1) ? or_else(as(f, x, t->type), t) : as_lane(f, t);
    case OP_REM: return is_number(y, 1) && !tree_contains(x, OP_SHUFFLE) ? zero : as_lane(f, t);
    case OP_SHL: case OP_SHR: case OP_OR: case OP_XOR:
      if (is_number(y, 0)) return or_else(as(f, x, t->type), t);
      if (t->op != OP_SHL && t->op != OP_SHR && is_number(x, 0)) return or_else(as(f, y, t->type), t);
      return as_lane(f, t);
    case OP_AND: return as_lane(f, t);
    case OP_MIN: case OP_MAX: {
      if (type_is_unsigned(t->type)) return t;
      Tree le = {.op = OP_LE, .type = TYPE_BOOL, .nkids = 2, .kid = t->kid};
      Tree ge = {.op = OP_GE, .type = TYPE_BOOL, .nkids = 2, .kid = t->kid};
      bool first = facts_decide(&f->facts, t->op == OP_MIN ? &le : &ge) == 1;
      bool second = facts_decide(&f->facts, t->op == OP_MIN ? &ge : &le) == 1;
      Tree *kept = first ? x : second ? y : NULL, *lost = first ? y : x;
      if (!kept || tree_contains(lost, OP_SHUFFLE)) return t;
      return or_else(as(f, kept, t->type), t);
    }
    default: return t;
  }
}

static bool integers(const Tree *t) {
  for (int i = 0; i < t->nkids; i++)
    if (!facts_is_integer(t->kid[i]->type)) return false;
  return t->nkids > 0;
}

static Tree *opposite(Fold *f, Tree *t) {
  static const Op other[OP_COUNT] = {[OP_LT] = OP_GE, [OP_LE] = OP_GT, [OP_GT] = OP_LE,
                                     [OP_GE] = OP_LT, [OP_EQ] = OP_NE, [OP_NE] = OP_EQ};
  if (t->op == OP_NOT && t->kid[0]->type == TYPE_BOOL) return t->kid[0];
  if (other[t->op] && integers(t)) { /* a NaN is neither less nor not less */
    Tree *r = tree_with_kids(f->a, t, t->kid, t->nkids);
    r->op = other[t->op];
    return r;
  }
  return tree_unary(f->a, OP_NOT, TYPE_BOOL, t);
}

static Tree *logic_rules(Fold *f, Tree *t) {
  if (t->op == OP_NOT) {
    Tree *r = opposite(f, t->kid[0]);
    return r->op == OP_NOT ? t : r;
  }
  if (t->op == OP_LAND || t->op == OP_LOR)
    for (int i = 0; i < 2; i++) {
      Tree *x = t->kid[i], *rest = t->kid[!i];
      if (x->op != OP_BOOL) continue;
      bool neutral = x->number == (t->op == OP_LAND);
      if (neutral && rest->type == TYPE_BOOL) return rest;
      if (!neutral && !tree_contains(rest, OP_SHUFFLE)) return x;
    }
  return t;
}

/* Could C's conversions between signed and unsigned change what tree_constant works out? */
static bool safe_constants(const Tree *t) {
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i]->op == OP_INT && t->kid[i]->number < 0)
      for (int j = 0; j < t->nkids; j++)
        if (type_is_unsigned(t->kid[j]->type)) return false;
  return !(type_is_unsigned(t->type) && t->op == OP_BNOT);
}

static Tree *rules(Fold *f, Tree *t) {
  if (t->op == OP_INT || t->op == OP_BOOL || t->op == OP_FLOAT || t->op == OP_REF || t->op == OP_INDEX) return t;
  int64_t value;
  if (t->nkids && facts_is_integer(t->type) && integers(t) && safe_constants(t) && tree_constant(t, &value)) {
    if (t->type == TYPE_BOOL) return boolean(f, value != 0);
    if (fits(t->type, value)) return tree_int(f->a, t->type, value);
  }
  if (t->type == TYPE_BOOL && t->nkids && t->op != OP_CAST && t->op != OP_SHUFFLE && !tree_contains(t, OP_SHUFFLE)) {
    int decided = facts_decide(&f->facts, t);
    if (decided >= 0) return boolean(f, decided);
  }
  if (t->op == OP_NOT || t->op == OP_LAND || t->op == OP_LOR) return logic_rules(f, t);
  if (t->op == OP_COND) {
    if (t->kid[0]->op == OP_BOOL) return or_else(as(f, t->kid[t->kid[0]->number ? 1 : 2], t->type), t);
    if (tree_equal(t->kid[1], t->kid[2]) && !tree_contains(t, OP_SHUFFLE)) return or_else(as(f, t->kid[1], t->type), t);
    return t;
  }
  if (t->op == OP_CAST) return or_else(as(f, t->kid[0], t->type), t);
  if (t->op == OP_MUL && is_number(t->kid[1], 1))
    return or_else(as(f, t->kid[0], t->type), t); /* exact on floats too */
  if (t->op == OP_MUL && is_number(t->kid[0], 1)) return or_else(as(f, t->kid[1], t->type), t);
  if (facts_is_integer(t->type) && integers(t)) return integer_rules(f, t);
  return t;
}

static Tree *expression(Fold *f, Tree *t) {
  Tree *r = t;
  int mark = facts_mark(&f->facts);
  bool choice = t->op == OP_COND || t->op == OP_LAND || t->op == OP_LOR;
  for (int i = 0; i < t->nkids; i++) {
    if (choice && i) {
      facts_release(&f->facts, mark);
      facts_assume(&f->facts, r->kid[0], t->op == OP_LOR ? false : t->op == OP_LAND || i == 1);
    }
    Tree *k = expression(f, t->kid[i]);
    if (k == t->kid[i]) continue;
    if (r == t) r = tree_with_kids(f->a, t, t->kid, t->nkids);
    r->kid[i] = k;
  }
  facts_release(&f->facts, mark);
  return rules(f, r);
}

/* ---- statements ---- */

static void statement(Fold *f, Tree *t, TreeList *to);

static Tree *body(Fold *f, const Tree *t) {
  TreeList out = {0};
  if (t->op == OP_SEQ)
    for (int i = 0; i < t->nkids; i++) {
      statement(f, t->kid[i], &out);
      Op last = out.n ? out.at[out.n - 1]->op : OP_SEQ;
      if (last == OP_BREAK || last == OP_CONTINUE || last == OP_RETURN) break; /* nothing behind it runs */
    }
  else statement(f, (Tree *)t, &out);
  Tree *r = tree_seq(f->a, out.at, out.n);
  r->where = t->where;
  return t->op == OP_SEQ && tree_equal(r, t) ? (Tree *)t : r;
}

/* Nothing but comments? */
static bool empty(const Tree *t) {
  if (t->op == OP_COMMENT) return true;
  if (t->op != OP_SEQ) return false;
  for (int i = 0; i < t->nkids; i++)
    if (!empty(t->kid[i])) return false;
  return true;
}

typedef struct Named { const Tree *of; const char *name; int n; } Named;

static bool count_named(void *context, const Tree *t) {
  Named *c = context;
  if (t->op == OP_DECLARE && strcmp(t->symbol->name, c->name) == 0) c->n++;
  return true;
}

/* Can the statements of `t` move out of their braces? */
static bool names_are_unique(const Fold *f, const Tree *t) {
  for (int i = 0; i < t->nkids; i++) {
    if (t->kid[i]->op != OP_DECLARE) continue;
    Named c = {f->body, t->kid[i]->symbol->name, 0};
    tree_visit(f->body, count_named, &c);
    if (c.n > 1) return false;
  }
  return true;
}

/* A body whose condition is always true becomes part of the text around it. */
static void splice(Fold *f, Tree *t, TreeList *to) {
  if (t->op != OP_SEQ || !names_are_unique(f, t)) { vec_push(f->a, to, t); return; }
  for (int i = 0; i < t->nkids; i++) vec_push(f->a, to, t->kid[i]);
}

static Tree *with(Fold *f, Tree *t, Tree **kids, int n) {
  bool same = n == t->nkids;
  for (int i = 0; i < n && same; i++) same = kids[i] == t->kid[i];
  return same ? t : tree_with_kids(f->a, t, kids, n);
}

static void branch(Fold *f, Tree *t, TreeList *to) {
  Tree *condition = expression(f, t->kid[0]), *otherwise = t->nkids > 2 ? t->kid[2] : NULL;
  if (condition->op == OP_BOOL) {
    Tree *taken = condition->number ? t->kid[1] : otherwise;
    if (taken) splice(f, body(f, taken), to);
    return;
  }
  int mark = facts_mark(&f->facts);
  facts_assume(&f->facts, condition, true);
  Tree *then = body(f, t->kid[1]);
  facts_release(&f->facts, mark);
  facts_forget(&f->facts, t->kid[1]);
  if (otherwise) {
    facts_assume(&f->facts, condition, false);
    otherwise = body(f, otherwise);
    facts_release(&f->facts, mark);
    facts_forget(&f->facts, t->kid[2]);
    if (empty(otherwise)) otherwise = NULL;
  }
  bool pure = !tree_contains(condition, OP_SHUFFLE);
  if (otherwise && tree_equal(then, otherwise) && pure) { splice(f, then, to); return; }
  if (empty(then)) {
    if (!otherwise) {
      if (!pure) vec_push(f->a, to, with(f, t, (Tree *[]){condition, then}, 2));
      return;
    }
    then = otherwise;
    otherwise = NULL;
    condition = rules(f, opposite(f, condition));
  }
  vec_push(f->a, to, with(f, t, (Tree *[]){condition, then, otherwise}, otherwise ? 3 : 2));
}

static Tree *only(Fold *f, Tree *t) {
  TreeList out = {0};
  statement(f, t, &out);
  return out.n == 1 ? out.at[0] : t;
}

/* The value, if it is a minimum by what is known here. */
static const Tree *minimum(Fold *f, const Tree *t) {
  const Linear x = facts_linear(&f->facts, t);
  const bool one = x.n == 1 && !x.constant && x.term[0].factor == 1 && x.term[0].atom.kind == ATOM_TREE;
  return one && x.term[0].atom.tree->op == OP_MIN ? x.term[0].atom.tree : NULL;
}

/* `for (i = min(x, n); i < min(y, n); ++i)': whatever begins beyond n has no turn either way. */
static Tree *begin_as_it_is(Fold *f, Tree *declare, const Tree *condition) {
  const Tree *begin = minimum(f, declare->kid[0]), *end = condition->op == OP_LT ? minimum(f, condition->kid[1]) : NULL;
  if (!begin || !end || condition->kid[0]->op != OP_REF || condition->kid[0]->symbol != declare->symbol) return declare;
  if (!tree_equal(begin->kid[1], end->kid[1]) || begin->kid[0]->type != declare->symbol->type) return declare;
  return with(f, declare, (Tree *[]){begin->kid[0]}, 1);
}

static void loop(Fold *f, Tree *t, TreeList *to) {
  bool counts = t->op == OP_FOR;
  int asks = counts ? 1 : 0, last = t->nkids - 1;
  Tree *kids[4] = {t->kid[0], t->kid[1], counts ? t->kid[2] : NULL, counts ? t->kid[3] : NULL};
  if (counts && kids[0]) kids[0] = only(f, kids[0]);
  if (kids[asks] && facts_decide(&f->facts, kids[asks]) == 0 && !tree_contains(kids[asks], OP_SHUFFLE)) {
    if (counts && kids[0] && kids[0]->op != OP_DECLARE) vec_push(f->a, to, kids[0]);
    return;
  }
  const bool declares = counts && kids[0] && kids[0]->op == OP_DECLARE && kids[0]->nkids && kids[asks];
  if (declares && kernel_is_one_vector(f->facts.kernel)) /* a GPU's other warps hide what it takes */
    kids[0] = begin_as_it_is(f, kids[0], kids[asks]);
  facts_enter_loop(&f->facts, t);
  int mark = facts_mark(&f->facts);
  if (kids[asks]) {
    kids[asks] = expression(f, kids[asks]);
    facts_assume(&f->facts, kids[asks], true);
  }
  kids[last] = body(f, t->kid[last]);
  facts_release(&f->facts, mark);
  facts_forget(&f->facts, t->kid[last]);
  if (counts && kids[2]) kids[2] = only(f, kids[2]);
  facts_forget(&f->facts, t);
  bool own = counts && kids[0] && kids[0]->op == OP_DECLARE && kids[2] && kids[2]->op == OP_ASSIGN &&
             kids[2]->kid[0]->op == OP_REF && kids[2]->kid[0]->symbol == kids[0]->symbol;
  if (own && empty(kids[3])) return;
  vec_push(f->a, to, with(f, t, kids, t->nkids));
}

/* x = x, x += 0, x *= 1 */
static bool does_nothing(const Tree *t) {
  Tree *x = t->kid[0], *y = t->kid[1];
  if (t->compound == 0) return tree_equal(x, y);
  if ((t->compound == OP_MUL || t->compound == OP_DIV) && is_number(y, 1)) return true;
  bool sum = t->compound == OP_ADD || t->compound == OP_SUB || t->compound == OP_OR || t->compound == OP_XOR;
  return sum && facts_is_integer(x->type) && is_number(y, 0);
}

static void assignment(Fold *f, Tree *t, TreeList *to) {
  Tree *place = t->kid[0], *value = expression(f, t->kid[1]);
  if (place->op == OP_INDEX) place = with(f, place, (Tree *[]){place->kid[0], expression(f, place->kid[1])}, 2);
  Tree *kids[8] = {place, value};
  for (int i = 2; i < t->nkids; i++) kids[i] = expression(f, t->kid[i]);
  t = with(f, t, kids, t->nkids);
  if (t->op == OP_ASSIGN && does_nothing(t)) return;
  vec_push(f->a, to, t);
  if (place->op == OP_REF && t->op == OP_ASSIGN) facts_assign(&f->facts, place->symbol, t->compound ? NULL : value);
  else facts_forget(&f->facts, t);
}

static void statement(Fold *f, Tree *t, TreeList *to) {
  switch (t->op) {
    case OP_SEQ: splice(f, body(f, t), to); return;
    case OP_IF: branch(f, t, to); return;
    case OP_FOR: case OP_WHILE: loop(f, t, to); return;
    case OP_ASSIGN: case OP_ATOMIC: case OP_PUSH: assignment(f, t, to); return;
    case OP_DECLARE:
      if (t->nkids) t = with(f, t, (Tree *[]){expression(f, t->kid[0])}, 1);
      vec_push(f->a, to, t);
      facts_assign(&f->facts, t->symbol, t->nkids ? t->kid[0] : NULL);
      return;
    default: vec_push(f->a, to, t);
  }
}

Tree *pass_fold(Arena *a, const Kernel *k, Tree *t) {
  for (int round = 0; round < MOST_ROUNDS; round++) {
    Fold f = {a, facts_begin(a, k), t};
    Tree *r = tidy_locals(a, body(&f, t));
    if (tree_equal(r, t)) break;
    t = r;
  }
  return t;
}
