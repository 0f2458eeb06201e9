/* add_up.c: what a lane's loops contribute to a place is added up first, and contributed once.
 *
 *     for (i ..)                           for (j ..) {
 *       for (j ..)                           T own = 0;
 *         atomicAdd(&g[j], x[i * m + j]);    for (i ..)
 *                                              own += x[i * m + j];
 *                                            atomicAdd(&g[j], own);
 *                                          }
 *
 * An atomic for each element of a matrix whose columns are added up took 20 times as long as reading it on an H200.
 * Of loops that do nothing else, those by which the place changes come first, and the others stand inside.
 *
 * Loops that do more beside it, `{ T d = x[i] - y[i]; if (d > 0) atomicAdd(&g[0], d * d); }', stay as they are, and
 * what they contribute to a place that none of them changes is added up in the same way.
 *
 * A place that nobody else contributes to is held in a register meanwhile: what else is read could lie there, as far as
 * the CUDA compiler knows, which would store each sum.
 *
 *     for (k ..)                           T own = C[i];
 *       C[i] = min(C[i], x[k]);            for (k ..)
 *                                            own = min(own, x[k]);
 *                                          C[i] = own;
 *
 * Requires: kernel form, of a GPU. Keeps: what is accumulated, by an operator that takes the terms in any order.
 * Breaks: nothing; nobody reads meanwhile what is accumulated into. */
#include "passes/add_up.h"

#include "ir/build.h"
#include "ir/operator.h"
#include "passes/fresh.h"

enum { DEEPEST = 4 };

typedef struct AddingUp { Arena *a; Fresh fresh; } AddingUp;

/* Loops that do nothing but the next one, the innermost nothing but contribute. */
typedef struct Loops {
  const Tree *loop[DEEPEST];
  int n;
  const Tree *atomic;
} Loops;

static bool counts(const Tree *t) {
  return t->op == OP_FOR && t->kid[0] && t->kid[0]->op == OP_DECLARE && t->kid[0]->nkids && t->kid[1] && t->kid[2];
}

static const Symbol *counter_of(const Tree *loop) { return loop->kid[0]->symbol; }

static bool heads_mention(const Tree *loop, const Symbol *s) {
  return tree_mentions(loop->kid[0]->kid[0], s) || tree_mentions(loop->kid[1], s) || tree_mentions(loop->kid[2], s);
}

static bool is_number(Type t) { return t == TYPE_ELEM || t == TYPE_FLOAT || t == TYPE_DOUBLE || type_is_whole(t); }

/* Into memory, by an operator that takes numbers in any order. Whoever wants to know what was there, or appends, is no
 * contributor. */
bool add_up_contributes(const Tree *t) {
  if (t->op != OP_ATOMIC || t->nkids != 2 || t->kid[0]->op != OP_INDEX || t->kid[0]->nkids != 2) return false;
  const OperatorKind kind = operator_of_atomic(t->atomic);
  if (kind == OPERATOR_NONE || kind == OPERATOR_USER || t->atomic == ATOMIC_SUB) return false;
  const Tree *memory = t->kid[0]->kid[0];
  return memory->op == OP_REF && is_number(memory->symbol->type) && !tree_contains(t->kid[0]->kid[1], OP_INDEX) &&
         !tree_mentions(t->kid[1], memory->symbol);
}

/* `C[i] += v', `C[i] = min(C[i], v)', of the grid's memory, which v does not read. */
static bool keeps(const Tree *t) {
  if (t->op != OP_ASSIGN || t->kid[0]->op != OP_INDEX || t->kid[0]->nkids != 2) return false;
  const Tree *place = t->kid[0], *memory = place->kid[0], *v = t->kid[1];
  const bool extreme = !t->compound && (v->op == OP_MIN || v->op == OP_MAX) && tree_equal(v->kid[0], place);
  if (memory->op != OP_REF || memory->symbol->kind != SYMBOL_PARAM || !is_number(memory->symbol->type) ||
      tree_contains(place->kid[1], OP_INDEX) || (t->compound != OP_ADD && !extreme))
    return false;
  return !tree_mentions(extreme ? v->kid[1] : v, memory->symbol);
}

static bool loops_of(const Tree *t, Loops *to) {
  *to = (Loops){0};
  while (counts(t) && to->n < DEEPEST && t->kid[3]->op == OP_SEQ && t->kid[3]->nkids == 1) {
    to->loop[to->n++] = t;
    t = t->kid[3]->kid[0];
  }
  to->atomic = t;
  if (to->n == 0 || (!add_up_contributes(t) && !keeps(t))) return false;
  for (int i = 0; i < to->n; i++)
    for (int k = 0; k < to->n; k++)
      if (heads_mention(to->loop[k], counter_of(to->loop[i])) && i != k) return false;
  return true;
}

static Tree *around(Arena *a, const Tree *loop, Tree **statements, int n) {
  Tree *kids[] = {loop->kid[0], loop->kid[1], loop->kid[2], tree_seq(a, statements, n)};
  return tree_with_kids(a, loop, kids, 4);
}

/* Does the place change from one iteration of the loop to the next? */
static bool moves(const Loops *l, int i) { return tree_mentions(l->atomic->kid[0], counter_of(l->loop[i])); }

static Tree *runs(Arena *a, const Tree *loop) {
  return build_with(a, loop->kid[1], counter_of(loop), loop->kid[0]->kid[0]);
}

static Tree *added_up(AddingUp *p, const Loops *l) {
  Arena *a = p->a;
  const Tree *place = l->atomic->kid[0], *outermost = NULL;
  const OperatorKind kind = operator_of_atomic(l->atomic->atomic);
  const Type type = place->kid[0]->symbol->type;
  for (int i = l->n; i-- > 0;)
    if (!moves(l, i)) outermost = l->loop[i];
  if (!outermost) return NULL;
  Symbol *own = symbol_new(a, SYMBOL_LOCAL, fresh_name(&p->fresh, "own"), type);
  own->writable = true;
  const bool plain = kind == OPERATOR_ADD; /* own += value */
  Tree *sum = plain ? l->atomic->kid[1] : tree_binary(a, operator_op(kind), type, tree_ref(a, own), l->atomic->kid[1]);
  Tree *does = build_assign(a, tree_ref(a, own), sum);
  does->compound = plain ? OP_ADD : 0;
  does->where = l->atomic->where;
  for (int i = l->n; i-- > 0;)
    if (!moves(l, i)) does = around(a, l->loop[i], &does, 1);
  Tree *given[] = {l->atomic->kid[0], tree_ref(a, own)};
  Tree *contributed = tree_with_kids(a, l->atomic, given, 2);
  Tree *all[] = {build_declare(a, own, operator_identity(a, kind, type)), does,
                 build_if(a, runs(a, outermost), tree_seq(a, &contributed, 1))}, *made = NULL;
  for (int i = l->n; i-- > 0;)
    if (moves(l, i)) made = made ? around(a, l->loop[i], &made, 1) : around(a, l->loop[i], all, 3);
  return made ? made : tree_seq(a, all, 3);
}

/* The innermost loops by which the place does not change, with the place in a register. */
static Tree *kept(AddingUp *p, const Loops *l) {
  Arena *a = p->a;
  const Tree *assign = l->atomic, *place = assign->kid[0];
  int inner = l->n;
  while (inner > 0 && !moves(l, inner - 1)) inner--;
  if (inner == l->n) return NULL;
  Symbol *own = symbol_new(a, SYMBOL_LOCAL, fresh_name(&p->fresh, "own"), place->kid[0]->symbol->type);
  own->writable = true;
  Tree *v = assign->kid[1];
  if (!assign->compound) v = tree_binary(a, v->op, v->type, tree_ref(a, own), v->kid[1]);
  Tree *given[] = {tree_ref(a, own), v}, *does = tree_with_kids(a, assign, given, 2);
  for (int i = l->n; i-- > inner;) does = around(a, l->loop[i], &does, 1);
  Tree *all[] = {build_declare(a, own, tree_clone(a, place)), does,
                 build_assign(a, tree_clone(a, place), tree_ref(a, own))};
  Tree *made = inner ? around(a, l->loop[inner - 1], all, 3) : tree_seq(a, all, 3);
  for (int i = inner - 1; i-- > 0;) made = around(a, l->loop[i], &made, 1);
  return made;
}

/* ---- loops that do more ---- */

/* A place that a loop contributes to, wherever it does, and that is the same in all of its turns. */
typedef struct Place { const Tree *atomic; Symbol *own; int times; } Place;
enum { MOST_PLACES = 4 };
typedef struct Within { AddingUp *p; const Tree *loop; Place at[MOST_PLACES]; int n; } Within;

typedef struct Changes { const Tree *loop; bool found; } Changes;

static bool declares(const Tree *t, const Symbol *s) {
  bool does = t && t->op == OP_DECLARE && t->symbol == s;
  for (int i = 0; t && i < t->nkids && !does; i++) does = declares(t->kid[i], s);
  return does;
}

static bool find_changed(void *context, const Tree *t) {
  Changes *c = context;
  c->found |= t->op == OP_REF && (declares(c->loop, t->symbol) || tree_assigns(c->loop, t->symbol));
  return !c->found;
}

/* How often something happens: defer.c adds that up for a whole block. */
static bool counts_turns(const Tree *t) {
  int64_t number;
  return t->atomic == ATOMIC_ADD && type_is_whole(t->kid[0]->type) && tree_constant(t->kid[1], &number);
}

static bool find_place(void *context, const Tree *t) {
  Within *w = context;
  if (!add_up_contributes(t) || counts_turns(t)) return true;
  for (int i = 0; i < w->n; i++)
    if (w->at[i].atomic->atomic == t->atomic && tree_equal(w->at[i].atomic->kid[0], t->kid[0])) {
      w->at[i].times++;
      return true;
    }
  Changes c = {w->loop, false};
  tree_visit(t->kid[0]->kid[1], find_changed, &c);
  if (!c.found && w->n < MOST_PLACES) w->at[w->n++] = (Place){t, NULL, 1};
  return true;
}

typedef struct Mentions { const Symbol *of; int n; } Mentions;

static bool count_mentions(void *context, const Tree *t) {
  Mentions *m = context;
  m->n += t->op == OP_REF && t->symbol == m->of;
  return true;
}

static Tree *into_own(void *context, Arena *a, Tree *t) {
  const Within *w = context;
  for (int i = 0; i < w->n && add_up_contributes(t); i++) {
    const Place *x = &w->at[i];
    if (x->atomic->atomic != t->atomic || !tree_equal(x->atomic->kid[0], t->kid[0])) continue;
    const OperatorKind kind = operator_of_atomic(t->atomic);
    const bool plain = kind == OPERATOR_ADD;
    Tree *v = plain ? t->kid[1] : tree_binary(a, operator_op(kind), x->own->type, tree_ref(a, x->own), t->kid[1]);
    Tree *does = build_assign(a, tree_ref(a, x->own), v);
    does->compound = plain ? OP_ADD : 0;
    does->where = t->where;
    return does;
  }
  return t;
}

/* Is the first turn there, whatever is known when the kernel runs? */
static bool surely_runs(const Tree *loop) {
  int64_t from, to;
  const Tree *goes_on = loop->kid[1];
  const bool known = goes_on->op == OP_LT && goes_on->kid[0]->op == OP_REF &&
                     goes_on->kid[0]->symbol == counter_of(loop) && tree_constant(goes_on->kid[1], &to);
  return known && tree_constant(loop->kid[0]->kid[0], &from) && from < to;
}

/* The loop, between what is added up in its places' stead, and their contributions; NULL: it has no such place. */
static Tree *within(AddingUp *p, Tree *loop) {
  Arena *a = p->a;
  Within w = {.p = p, .loop = loop};
  VEC(Tree *) all = {0};
  if (!counts(loop) || !tree_contains(loop, OP_ATOMIC)) return NULL;
  if (tree_contains(loop, OP_BREAK)) return NULL; /* a search, which contributes once, or not at all */
  tree_visit(loop, find_place, &w);
  for (int i = 0; i < w.n; i++) {
    const Symbol *memory = w.at[i].atomic->kid[0]->kid[0]->symbol;
    Mentions m = {memory, 0};
    tree_visit(loop, count_mentions, &m);
    if (m.n != w.at[i].times) {
      w.at[i--] = w.at[--w.n]; /* other places of it are contributed to, too */
      continue;
    }
    const OperatorKind kind = operator_of_atomic(w.at[i].atomic->atomic);
    Symbol *own = w.at[i].own = symbol_new(a, SYMBOL_LOCAL, fresh_name(&p->fresh, "own"), memory->type);
    own->writable = true;
    vec_push(a, &all, build_declare(a, own, operator_identity(a, kind, memory->type)));
  }
  if (!w.n) return NULL;
  vec_push(a, &all, tree_rewrite(a, loop, into_own, &w));
  for (int i = 0; i < w.n; i++) {
    Tree *given[] = {tree_clone(a, w.at[i].atomic->kid[0]), tree_ref(a, w.at[i].own)};
    Tree *contributed = tree_with_kids(a, w.at[i].atomic, given, 2);
    vec_push(a, &all, surely_runs(loop) ? contributed : build_if(a, runs(a, loop), tree_seq(a, &contributed, 1)));
  }
  return tree_seq(a, all.at, all.n);
}

/* ---- the kernel's text ---- */

static Tree *through(AddingUp *p, Tree *t);

static Tree *sequence(AddingUp *p, Tree *t) {
  VEC(Tree *) all = {0};
  bool changed = false;
  for (int i = 0; i < t->nkids; i++) {
    Loops l;
    Tree *made = !loops_of(t->kid[i], &l) ? NULL : l.atomic->op == OP_ATOMIC ? added_up(p, &l) : kept(p, &l);
    if (!made) made = within(p, t->kid[i]);
    const bool several = made && made->op == OP_SEQ;
    for (int k = 0; several && k < made->nkids; k++) vec_push(p->a, &all, made->kid[k]);
    if (!several) vec_push(p->a, &all, made ? made : through(p, t->kid[i]));
    changed |= several || all.at[all.n - 1] != t->kid[i];
  }
  return changed ? tree_with_kids(p->a, t, all.at, all.n) : t;
}

/* From the outermost loops on. */
static Tree *through(AddingUp *p, Tree *t) {
  if (!t || (!tree_contains(t, OP_ATOMIC) && !tree_contains(t, OP_FOR))) return t;
  if (t->op == OP_SEQ) return sequence(p, t);
  Tree **kids = arena_many(p->a, Tree *, t->nkids + 1);
  bool changed = false;
  for (int i = 0; i < t->nkids; i++) changed |= (kids[i] = through(p, t->kid[i])) != t->kid[i];
  return changed ? tree_with_kids(p->a, t, kids, t->nkids) : t;
}

Tree *pass_add_up(Arena *a, const Kernel *k, Tree *body) {
  if (!k->threads) return body;
  AddingUp p = {a, fresh_begin(a, k, body)};
  return through(&p, body);
}
