/* own_elements.c: loops that go on from the element that the turn before has stored,
 *
 *     if (n > 0) y[0] = x[0];                       T y_now = 0;
 *     for (i = 1; i < n; ++i)                       for (i = 0; i < n; ++i) {
 *       y[i] = a * y[i - 1] + b * x[i];               y_now = i == 0 ? x[i] : a * y_now + b * x[i];
 *                                                     y[i] = y_now;
 *                                                   }
 *
 * as loops that go on with a number, which may be scanned (linear_turns.c). A loop from 0 on says itself what its first
 * turn begins with: y[i] = i > 0 ? a * y[i - 1] : x[i]. */
#include "front/own_elements.h"

#include "front/divide.h"
#include "front/loops.h"
#include "ir/build.h"

typedef struct Own {
  Arena *a;
  const Codelet *codelet;
  LoopHead head;
  const Tree *loop;
  const Symbol *of;  /* the container */
  Symbol *now;       /* its element of this turn, or of the turn before */
  int stores, reads;
  bool ok;
} Own;

static bool is_element(const Own *x, const Tree *t, int64_t before) {
  int64_t by;
  if (t->op != OP_INDEX || t->nkids != 2 || !tree_is_symbol(t->kid[0], x->of)) return false;
  const Tree *at = tree_uncast(t->kid[1]);
  if (!before) return tree_is_symbol(at, x->head.index);
  return at->op == OP_SUB && tree_is_symbol(at->kid[0], x->head.index) && tree_constant(at->kid[1], &by) &&
         by == before;
}

/* The container that is stored at i, and read at i - 1. */
static bool find_container(void *context, const Tree *t) {
  Own *x = context;
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_INDEX && t->kid[0]->nkids == 2 && t->kid[0]->kid[0]->op == OP_REF &&
      tree_is_symbol(tree_uncast(t->kid[0]->kid[1]), x->head.index)) {
    if (x->of && x->of != t->kid[0]->kid[0]->symbol) x->ok = false;
    x->of = t->kid[0]->kid[0]->symbol;
  }
  return true;
}

static Tree *read_before(void *context, Arena *a, Tree *t) {
  Own *x = context;
  if (!is_element(x, t, 1)) return t;
  x->reads++;
  return tree_ref(a, x->now);
}

/* Each way through it stores the element once. */
static Tree *stored(Own *x, Tree *t) {
  if (t->op == OP_ASSIGN && is_element(x, t->kid[0], 0)) {
    x->stores++;
    x->ok &= !t->compound;
    Tree *made = build_assign(x->a, tree_ref(x->a, x->now), t->kid[1]);
    made->where = t->where;
    return made;
  }
  if (t->op != OP_IF || !tree_mentions(t, x->of)) return t;
  x->ok &= t->nkids == 3;
  Tree *kids[3] = {t->kid[0]};
  const int before = x->stores;
  for (int k = 1; k < t->nkids && x->ok; k++) {
    x->stores = before;
    Tree **all = arena_many(x->a, Tree *, t->kid[k]->nkids);
    for (int i = 0; i < t->kid[k]->nkids; i++) all[i] = stored(x, t->kid[k]->kid[i]);
    x->ok &= x->stores == before + 1;
    kids[k] = tree_seq(x->a, all, t->kid[k]->nkids);
  }
  return x->ok ? tree_with_kids(x->a, t, kids, 3) : t;
}

typedef struct First { const Own *own; bool ok; } First;

/* Elements number 0, of the first turn, as those of the turn at hand. */
static Tree *of_first(void *context, Arena *a, Tree *t) {
  First *f = context;
  int64_t at;
  if (t->op != OP_INDEX) return t;
  f->ok &= t->nkids == 2 && !tree_is_symbol(t->kid[0], f->own->of) && tree_constant(t->kid[1], &at) && at == 0;
  return f->ok ? build_element(a, t->kid[0]->symbol, tree_ref(a, (Symbol *)f->own->head.index)) : t;
}

/* `y[0] = v;', also if there is an element; what v is in a turn. NULL: it is not that. */
static Tree *first_of(const Own *x, const Tree *t) {
  int64_t at;
  if (t->op == OP_IF && t->nkids == 2 && t->kid[1]->nkids == 1 && tree_is_extent(tree_uncast(t->kid[0]->kid[0])) &&
      tree_constant(t->kid[0]->kid[1], &at) && (t->kid[0]->op == OP_GT || t->kid[0]->op == OP_NE) && at == 0)
    t = t->kid[1]->kid[0];
  if (t->op != OP_ASSIGN || t->compound || t->kid[0]->op != OP_INDEX || t->kid[0]->nkids != 2) return NULL;
  if (!tree_is_symbol(t->kid[0]->kid[0], x->of) || !tree_constant(t->kid[0]->kid[1], &at) || at) return NULL;
  First f = {x, true};
  Tree *made = tree_rewrite(x->a, tree_clone(x->a, t->kid[1]), of_first, &f);
  return f.ok ? made : NULL;
}

/* The loop's statements, by the number. */
static Tree *turns_of(Own *x, Tree *first) {
  Arena *a = x->a;
  DivideStatements all = {0};
  const Tree *copy = tree_clone(a, x->loop), *body = copy->kid[3];
  x->head.index = copy->kid[0]->symbol;
  if (first) first = build_with(a, first, x->loop->kid[0]->symbol, tree_ref(a, (Symbol *)x->head.index));
  for (int i = 0; i < body->nkids && x->ok; i++) {
    const int before = x->stores;
    Tree *t = stored(x, body->kid[i]);
    if (x->stores > before && first) {
      x->ok &= t->op == OP_ASSIGN;
      Tree *begins = build_compare(a, OP_EQ, tree_ref(a, (Symbol *)x->head.index), tree_int(a, TYPE_INDEX, 0));
      if (x->ok) t->kid[1] = build_choice(a, begins, first, t->kid[1]);
    }
    vec_push(a, &all, tree_rewrite(a, t, read_before, x));
    if (x->stores > before)
      vec_push(a, &all, build_assign(a, build_element(a, (Symbol *)x->of, tree_ref(a, (Symbol *)x->head.index)),
                                     tree_ref(a, x->now)));
  }
  Tree *begin = tree_unary(a, OP_DECLARE, TYPE_VOID, tree_int(a, TYPE_INDEX, 0));
  begin->symbol = (Symbol *)x->head.index;
  Tree *kids[] = {begin, copy->kid[1], copy->kid[2], tree_seq(a, all.at, all.n)};
  return tree_with_kids(a, copy, kids, 4);
}

/* Is it read but where the turn before has stored it? */
static bool is_read(const Own *x, const Tree *t) {
  if (t->op == OP_ASSIGN && t->kid[0]->op == OP_INDEX && tree_is_symbol(t->kid[0]->kid[0], x->of))
    return is_read(x, t->kid[1]);
  if (t->op == OP_INDEX && tree_is_symbol(t->kid[0], x->of)) return true;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && is_read(x, t->kid[i])) return true;
  return false;
}

const Tree *own_elements_as_number(Arena *a, const Codelet *c, const Tree *body) {
  Own x = {.a = a, .codelet = c, .ok = true};
  int at = 0;
  int64_t begin;
  if (body->op != OP_SEQ) return body;
  while (at < body->nkids && body->kid[at]->op == OP_DECLARE) at++;
  const int ahead = at;
  if (at + 1 < body->nkids && body->kid[at]->op != OP_FOR) at++;
  if (at >= body->nkids || body->kid[at]->op != OP_FOR || body->kid[at]->kid[3]->op != OP_SEQ) return body;
  x.loop = body->kid[at];
  if (!loops_head(a, x.loop, &x.head) || !tree_constant(x.head.begin, &begin) || begin != (at > ahead)) return body;
  tree_visit(x.loop->kid[3], find_container, &x);
  if (!x.of || !x.ok || divide_place(c, x.of) < 0 || x.of->rank != 1) return body;
  Tree *first = at > ahead ? first_of(&x, body->kid[ahead]) : NULL;
  if (at > ahead && !first) return body;
  x.now = symbol_new(a, SYMBOL_LOCAL, arena_printf(a, "%s_now", x.of->name), x.of->type);
  x.now->declared = x.of->declared;
  x.now->writable = true;
  Tree *loop = turns_of(&x, first);
  if (!x.ok || x.stores != 1 || !x.reads || is_read(&x, loop->kid[3])) return body;
  DivideStatements all = {0};
  for (int i = 0; i < ahead; i++) vec_push(a, &all, body->kid[i]);
  vec_push(a, &all, build_declare(a, x.now, tree_int(a, x.now->type, 0)));
  vec_push(a, &all, loop);
  for (int i = at + 1; i < body->nkids; i++) vec_push(a, &all, body->kid[i]);
  Tree *made = tree_seq(a, all.at, all.n);
  made->where = body->where;
  return made;
}
