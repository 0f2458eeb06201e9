/* loop_steps.c: loops that stand one after another, each of which adds up numbers or stores elements,
 *
 *     T sum = 0;
 *     for (i ..) for (j ..) sum += A(i, j) * A(i, j);
 *     T scale = 1 / sqrt(sum);
 *     for (i ..) for (j ..) A(i, j) = A(i, j) * scale;
 *     return sum;
 *
 * as steps. A number that a loop adds up is a container of one element; what is computed from it, also by `if (n > 0)
 * mean = sum / n;', is computed again where a later loop, or the result, needs it:
 *
 *     Array<1, T> sums(1);
 *     norm_begin(sums);              sums[0] = 0;
 *     norm_sums(A, sums);            for (i ..) for (j ..) sums[0] += A(i, j) * A(i, j);
 *     norm_loop(A, sums);            T scale = 1 / sqrt(sums[0]); for (i ..) ..
 *     return sums[0];
 *
 * A loop whose turns know nothing of one another may stand around all of it, where matrices have its variable as their
 * last index: then there is a number for each turn, and each step has that loop.
 *
 *     for (j ..) { T sum = 0; for (i ..) sum += X(i, j); for (i ..) Y(i, j) = X(i, j) / sum; }
 *
 *     Array<1, T> sums(X.Size(1));   .. for (j ..) for (i ..) sums[j] += X(i, j);
 *
 * Or a loop that counts turns, each of which goes on from what the one before has stored, is one around steps: a step
 * that asks for the counter is given it.
 *
 *     for (k = 0; k < turns; ++k) { for (i ..) y[i] = f(x[i - 1], x[i + 1], k); for (i ..) x[i] = y[i]; }
 *
 * Rows are divided so as well, where nothing else gives several lanes a row: loops that store parts of it.
 *
 * Statements that store outside of loops, out[0] = sum, are a step, too.
 *
 * So each step is a spectrum of one loop, or of two, which contributions.c and stores.c divide, each by what it goes
 * through: rows in one, columns in the next. It is for codelets that are alone in their spectrum, and that nothing else
 * divides. */
#include "front/loop_steps.h"

#include <string.h>

#include "front/accumulation.h"
#include "front/carried.h"
#include "front/divide.h"
#include "front/independent.h"
#include "front/loop_sums.h"
#include "front/loops.h"
#include "front/recurrences.h"
#include "front/row_sums.h"
#include "front/searches.h"
#include "front/shifted.h"
#include "front/step_spectra.h"
#include "ir/build.h"
#include "ir/operator.h"
#include "ir/steps.h"

static bool refuse(LoopSteps *x) { return x->ok = false; }

/* ---- numbers ---- */

static Tree *value_of(const LoopSteps *x, const Symbol *s) {
  for (int i = x->values.n - 1; i >= 0; i--)
    if (x->values.at[i].of == s) return x->values.at[i].is;
  return NULL;
}

static bool find_number_of_nodes(void *context, const Tree *t) {
  (void)t;
  return ++*(int *)context, true;
}

/* Values are written where they are used: `x = x + x;' doubles what the next line says. NULL: it is not known. */
static void set_value(LoopSteps *x, const Symbol *of, Tree *is) {
  enum { MOST_NODES = 500 };
  int nodes = 0;
  if (is) tree_visit(is, find_number_of_nodes, &nodes);
  if (nodes > MOST_NODES) refuse(x);
  vec_push(x->a, &x->values, ((Value){of, is}));
}

static Tree *with_value(void *context, Arena *a, Tree *t) {
  LoopSteps *x = context;
  /* an element may change before it is needed */
  if (t->op == OP_INDEX && (t->kid[0]->op != OP_REF || t->kid[0]->symbol->writable)) refuse(x);
  if (t->op != OP_REF || t->symbol->kind != SYMBOL_LOCAL || t->symbol->rank || t->symbol == x->each) return t;
  if (step_counter(x, t->symbol)) return t;
  Tree *is = value_of(x, t->symbol);
  if (!is) refuse(x);
  return is ? tree_clone(a, is) : t;
}

/* The expression by the caller's numbers, sizes and sums. */
static Tree *by_values(LoopSteps *x, const Tree *t) { return tree_rewrite(x->a, tree_clone(x->a, t), with_value, x); }

/* ---- a loop ---- */

static bool is_sum(const LoopSteps *x, int first, const Symbol *s) {
  for (int i = first; i < x->sums.n; i++)
    if (x->sums.at[i].of == s) return true;
  return false;
}

/* `T scale = ..' before the loop, of each variable that it reads and does not add up. */
typedef struct Before { LoopSteps *steps; const Tree *loop; int first; DivideStatements all; } Before;

static bool find_read(void *context, const Tree *t) {
  Before *b = context;
  const Symbol *s = t->op == OP_REF ? t->symbol : NULL;
  if (!s || s->kind != SYMBOL_LOCAL || s->rank || s == b->steps->each || loop_declares(b->loop, s) ||
      is_sum(b->steps, b->first, s) || step_counter(b->steps, s))
    return true;
  for (int i = 0; i < b->all.n; i++)
    if (b->all.at[i]->symbol == s) return true;
  Tree *is = value_of(b->steps, s);
  if (!is) return refuse(b->steps);
  vec_push(b->steps->a, &b->all, build_declare(b->steps->a, (Symbol *)s, tree_clone(b->steps->a, is)));
  return true;
}

/* Its number, or that of the turn. */
static Tree *element_of(Arena *a, const LoopSteps *x, Symbol *container) {
  return build_element(a, container, x->each ? tree_ref(a, (Symbol *)x->each) : tree_int(a, TYPE_INDEX, 0));
}

/* The statements of a step, in the loop that is around all of it. */
static Tree *in_turns(const LoopSteps *x, Tree *body) {
  if (!x->around) return body;
  Tree *loop = divide_loop(x->a, (Symbol *)x->each, tree_clone(x->a, x->size), body);
  loop->where = x->around->where;
  loop->kid[3] = body;
  return tree_seq(x->a, &loop, 1);
}

typedef struct Places { LoopSteps *steps; int first; } Places;

/* `sums[0] = v + sums[0]' as the contribution `sums[0] += v'. */
static Tree *contributed(Arena *a, Tree *t, AtomicOp by) {
  Tree *to = t->kid[0], *v = t->kid[1];
  if (!t->compound) v = v->kid[tree_equal(v->kid[0], to) ? 1 : 0];
  const Op op = operator_op(operator_of_atomic(by));
  const bool selects = by == ATOMIC_MAX || by == ATOMIC_MIN;
  Tree *made = build_assign(a, to, selects ? tree_binary(a, op, to->type, tree_clone(a, to), v) : v);
  if (!selects) made->compound = op;
  made->where = t->where;
  return made;
}

static Tree *placed(void *context, Arena *a, Tree *t) {
  const Places *p = context;
  for (int i = p->first; i < p->steps->sums.n; i++) {
    const Sum *sum = &p->steps->sums.at[i];
    if (t->op == OP_REF && sum->of == t->symbol) return element_of(a, p->steps, sum->container);
    if (t->op == OP_ASSIGN && tree_is_element_of(t->kid[0], sum->container)) return contributed(a, t, sum->by);
  }
  return t;
}

/* `Array<1, T> sums(1);', and a step that stores what they begin at. */
static void begin_sums(LoopSteps *x, int first) {
  Arena *a = x->a;
  DivideStatements all = {0};
  Symbol *i = x->each ? (Symbol *)x->each : symbol_new(a, SYMBOL_LOCAL, "i", TYPE_INDEX);
  if (!x->each) i->declared = TYPE_UINT, i->writable = true;
  for (int k = first; k < x->sums.n; k++) {
    Sum *sum = &x->sums.at[k];
    Symbol *s = symbol_new(a, SYMBOL_LOCAL, arena_printf(a, "%s_sum", sum->of->name), sum->of->type);
    for (int n = 2, before = 0; before < k; before++) /* each has a name of its own */
      if (strcmp(x->sums.at[before].container->name, s->name) == 0)
        s->name = arena_printf(a, "%s_sum%d", sum->of->name, n++), before = -1;
    s->declared = sum->of->declared;
    s->rank = 1;
    s->writable = true;
    s->where = sum->of->where;
    s->length = x->size ? tree_clone(a, x->size) : tree_int(a, TYPE_INDEX, 1);
    sum->container = s;
    Tree *begin = tree_clone(a, value_of(x, sum->of));
    vec_push(a, &all, tree_binary(a, OP_ASSIGN, TYPE_VOID, build_element(a, s, tree_ref(a, i)), begin));
    set_value(x, sum->of, element_of(a, x, s));
  }
  Tree *body = tree_seq(a, all.at, all.n);
  Tree *loop = divide_loop(a, i, divide_size(a, x->sums.at[first].container, 0), body);
  loop->kid[3] = body;
  vec_push(a, &x->steps, ((Step){"begin", tree_seq(a, &loop, 1), first, x->sums.n - first, true, NULL}));
}

/* What each row comes to, stored. What the rows need of before is a row's own text. */
static void add_rows(LoopSteps *x, const RowSums *r, const LoopSums *of) {
  Arena *a = x->a;
  const int first = x->sums.n;
  Before before = {.steps = x, .loop = r->rows, .first = first};
  tree_visit(r->rows, find_read, &before);
  for (int i = 0; i < r->rows->kid[3]->nkids; i++) vec_push(a, &before.all, r->rows->kid[3]->kid[i]);
  Tree *loop = tree_with_kids(a, r->rows, (Tree *[]){r->rows->kid[0], r->rows->kid[1], r->rows->kid[2], NULL}, 4);
  loop->kid[3] = tree_seq(a, before.all.at, before.all.n);
  loop->kid[3]->where = loop->where;
  for (int i = 0; i < of->n; i++)
    vec_push(a, &x->sums, ((Sum){.of = r->each[i], .container = r->each[i], .rows = r->turns}));
  Tree *body = tree_seq(a, &loop, 1);
  body->where = loop->where;
  vec_push(a, &x->steps, ((Step){"rows", body, first, of->n, true, NULL}));
}

static void add_loop(LoopSteps *x, const Tree *t);

/* A scan of what a loop carries from turn to turn; then the loop of the rest. */
static void add_carried(LoopSteps *x, const Carried *c) {
  Arena *a = x->a;
  const int first = x->sums.n;
  Before before = {.steps = x, .loop = c->scan, .first = first};
  tree_visit(c->scan, find_read, &before);
  if (!x->ok) return;
  vec_push(a, &before.all, c->scan);
  if (c->each) vec_push(a, &x->sums, ((Sum){.of = c->each, .container = c->each, .rows = c->turns}));
  Tree *body = tree_seq(a, before.all.at, before.all.n);
  body->where = c->scan->where;
  vec_push(a, &x->steps, ((Step){"carried", body, first, x->sums.n - first, true, NULL}));
  x->loops++;
  if (c->rest) add_loop(x, c->rest);
  set_value(x, c->of, carried_last(a, c, value_of(x, c->of)));
}

/* The container of the codelet's own that the loop stores elements of; -1: none. */
static int own_stored(const LoopSteps *x, const Tree *t) {
  for (int i = 0; i < x->sums.n; i++)
    if (x->sums.at[i].container == x->sums.at[i].of && x->sums.at[i].rows && step_stores(t, x->sums.at[i].of)) return i;
  return -1;
}

/* `keys[i] = ..', by a loop that adds up nothing. */
static void add_own(LoopSteps *x, const Tree *t, int own) {
  Before before = {.steps = x, .loop = t, .first = x->sums.n};
  tree_visit(t, find_read, &before);
  vec_push(x->a, &before.all, tree_clone(x->a, (Tree *)t));
  Tree *body = tree_seq(x->a, before.all.at, before.all.n);
  body->where = t->where;
  vec_push(x->a, &x->steps, ((Step){"keys", body, own, 1, true, NULL}));
  x->loops++;
}

/* A loop; or statements that store. */
static void add_loop(LoopSteps *x, const Tree *t) {
  const int own = own_stored(x, t);
  LoopSums none;
  if (own >= 0 && !x->around && loop_sums_find(t, &none) && !none.n) {
    add_own(x, t, own);
    return;
  }
  if (own >= 0) refuse(x);
  if (x->rows) t = shifted_by_places(x->a, t);
  LoopSums found;
  RowSums rows;
  Carried carried;
  const bool sums = loop_sums_find(t, &found) && (found.n || found.stores);
  if (!sums && carried_find(x, t, &carried)) {
    add_carried(x, &carried);
    return;
  }
  if (!sums) {
    refuse(x);
    return;
  }
  if (row_sums_find(x, t, &found, &rows)) {
    add_rows(x, &rows, &found);
    t = rows.sums;
    loop_sums_find(t, &found);
  }
  const int first = x->sums.n;
  const bool adds = found.n > 0;
  for (int i = 0; i < found.n; i++) {
    const AtomicOp by = operator_atomic(found.at[i].op);
    if (!by || by == ATOMIC_USER || operator_op(operator_of_atomic(by)) == OP_MUL || !value_of(x, found.at[i].of))
      refuse(x);
    vec_push(x->a, &x->sums, ((Sum){.of = found.at[i].of, .by = by}));
  }
  Before before = {.steps = x, .loop = t, .first = first};
  tree_visit(t, find_read, &before);
  if (!x->ok) return;
  if (adds) begin_sums(x, first);
  Places places = {x, first};
  vec_push(x->a, &before.all, tree_rewrite(x->a, tree_clone(x->a, t), placed, &places));
  Tree *body = in_turns(x, tree_seq(x->a, before.all.at, before.all.n));
  body->where = t->where;
  vec_push(x->a, &x->steps, ((Step){adds ? "sums" : "loop", body, first, x->sums.n - first, false, NULL}));
  x->loops++;
}

/* ---- a loop around steps ---- */

/* What a turn does to what stands before the loop. */
typedef struct Turn { const Tree *loop; const Symbol *counter; bool stores, by_counter, carries; } Turn;

static bool find_changes(void *context, const Tree *t) {
  Turn *x = context;
  if (t->op != OP_ASSIGN) return true;
  const Tree *to = t->kid[0];
  if (to->op == OP_REF) x->carries |= !loop_declares(x->loop, to->symbol);
  if (to->op != OP_INDEX) return true;
  x->stores = true;
  for (int i = 1; i < to->nkids; i++) x->by_counter |= tree_mentions(to->kid[i], x->counter);
  return true;
}

/* Can it be divided, by itself? Then what it only reads is as in its own spectrum. */
static bool divides(const LoopSteps *x, const Tree *loop) {
  Codelet alone = *x->codelet;
  Independent all;
  LoopSums sums;
  Symbol **copies = arena_many(x->a, Symbol *, alone.nparams + 1);
  if (loop_sums_find(loop, &sums) && sums.n > 0 && !sums.stores) return true;
  for (int i = 0; i < alone.nparams; i++) {
    copies[i] = divide_parameter(x->a, x->codelet, copies, x->codelet->params[i]);
    copies[i]->writable &= step_stores(loop, x->codelet->params[i]);
  }
  Renaming r = {x, copies, NULL, NULL};
  Tree *only = tree_rewrite(x->a, tree_clone(x->a, loop), step_renamed, &r);
  alone.params = copies;
  alone.body = tree_seq(x->a, &only, 1);
  return independent_find(x->a, &alone, &all);
}

/* Turns that store the same elements again and again, by loops that can be divided. A number that lasts from one turn
 * to the next is in no container. */
static bool repeats(const LoopSteps *x, const Tree *t) {
  StepLoop is;
  const Tree *body = t->kid[3];
  if (x->around || !steps_loop(t, &is) || !is.counter || body->op != OP_SEQ) return false;
  Turn turn = {.loop = t, .counter = is.counter};
  tree_visit(body, find_changes, &turn);
  bool any = false, all = true;
  for (int i = 0; i < body->nkids; i++) {
    if (body->kid[i]->op != OP_FOR) continue;
    any = true;
    all &= repeats(x, body->kid[i]) || divides(x, body->kid[i]);
  }
  return turn.stores && !turn.by_counter && !turn.carries && any && all;
}

static void read_statements(LoopSteps *x, const Tree *seq);

static void add_turns(LoopSteps *x, const Tree *t) {
  const Symbol *s = t->kid[0]->symbol;
  Symbol *is = symbol_new(x->a, SYMBOL_LOCAL, s->name, s->type);
  is->declared = s->declared;
  is->writable = true;
  vec_push(x->a, &x->counters, ((Counter){s, is}));
  Tree *head[] = {by_values(x, t->kid[0]->kid[0]), by_values(x, t->kid[1]), by_values(x, t->kid[2])};
  vec_push(x->a, &x->steps, ((Step){.turns = tree_with_kids(x->a, t, head, 3)}));
  read_statements(x, t->kid[3]);
  if (x->result) refuse(x);
  vec_push(x->a, &x->steps, ((Step){.what = NULL}));
  x->loops++;
}

/* ---- the text ---- */

/* `if': the number changes where this holds; NULL: always. */
static void assign(LoopSteps *x, const Tree *t, const Tree *if_) {
  const Symbol *s = t->op == OP_ASSIGN && t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  if (!s || !loop_is_number(s)) {
    refuse(x);
    return;
  }
  Tree *v = by_values(x, t->kid[1]), *before = t->compound || if_ ? value_of(x, s) : NULL;
  if ((t->compound || if_) && !before) refuse(x);
  if (!x->ok) return;
  if (t->compound) v = tree_binary(x->a, t->compound, s->type, tree_clone(x->a, before), v);
  if (v->type != s->type) v = build_cast(x->a, s->type, v);
  set_value(x, s, if_ ? build_choice(x->a, tree_clone(x->a, if_), v, tree_clone(x->a, before)) : v);
}

/* `if (n > 0) mean = mean / n;': each number is what it was where the condition, which is of before, fails. */
static void choose(LoopSteps *x, const Tree *t) {
  Tree *condition = by_values(x, t->kid[0]), *other = tree_unary(x->a, OP_NOT, TYPE_BOOL, condition);
  for (int k = 1; k < t->nkids; k++)
    for (int i = 0; i < t->kid[k]->nkids && x->ok; i++) assign(x, t->kid[k]->kid[i], k == 1 ? condition : other);
}

typedef struct Elements { const LoopSteps *steps; bool any; } Elements;

static bool find_element(void *context, const Tree *t) {
  Elements *e = context;
  e->any |= t->op == OP_INDEX && (t->kid[0]->op != OP_REF || t->kid[0]->symbol->kind == SYMBOL_PARAM);
  return !e->any;
}

typedef struct Changes { const Tree *in; bool numbers; } Changes;

static bool find_number(void *context, const Tree *t) {
  Changes *c = context;
  c->numbers |= t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && !loop_declares(c->in, t->kid[0]->symbol);
  return !c->numbers;
}

/* Does it store elements, and leave numbers as they are? */
static bool is_store(const Tree *t) {
  Changes c = {t, false};
  if (tree_contains(t, OP_FOR) || (t->op != OP_IF && (t->op != OP_ASSIGN || t->kid[0]->op != OP_INDEX))) return false;
  tree_visit(t, find_number, &c);
  return !c.numbers;
}

/* Statements that store, one after another: one step. */
static int add_stores(LoopSteps *x, const Tree *seq, int i) {
  int n = 1;
  while (!x->around && i + n < seq->nkids && is_store(seq->kid[i + n])) n++;
  Tree *all = tree_seq(x->a, seq->kid + i, n);
  all->where = seq->kid[i]->where;
  add_loop(x, n == 1 ? seq->kid[i] : all);
  return n;
}

/* What steps return is computed by none of them: an element that is in it is read by a step, which stores it. */
static void store_result(LoopSteps *x) {
  const Type type = x->codelet->spectrum->result;
  Symbol *s = symbol_new(x->a, SYMBOL_LOCAL, "result", type);
  s->declared = type;
  if (type_is_whole(type) && type != TYPE_INT && type != TYPE_UINT) refuse(x); /* positions, perhaps */
  set_value(x, s, x->result);
  vec_push(x->a, &x->sums, ((Sum){.of = s}));
  begin_sums(x, x->sums.n - 1);
  x->result = tree_clone(x->a, value_of(x, s));
}

static void read_statements(LoopSteps *x, const Tree *seq) {
  for (int i = 0; i < seq->nkids && x->ok;) {
    const Tree *t = seq->kid[i++];
    if (x->result) refuse(x);
    else if (t->op == OP_FOR && repeats(x, t)) add_turns(x, t);
    else if (t->op == OP_FOR || (t->op == OP_IF && tree_contains(t, OP_FOR))) add_loop(x, t);
    else if (is_store(t)) i += add_stores(x, seq, i - 1) - 1;
    else if (t->op == OP_ASSIGN) assign(x, t, NULL);
    else if (t->op == OP_IF) choose(x, t);
    else if (t->op == OP_RETURN && t->nkids) x->result = by_values(x, t->kid[0]);
    else if (t->op == OP_DECLARE && t->symbol->rank == 1 && t->symbol->length)
      vec_push(x->a, &x->sums, ((Sum){.of = t->symbol, .container = t->symbol, .rows = t->symbol->length}));
    else if (t->op != OP_DECLARE || !loop_is_number(t->symbol) || !t->nkids) refuse(x);
    else set_value(x, t->symbol, by_values(x, t->kid[0]));
  }
  Elements of = {x, false};
  if (x->result) tree_visit(x->result, find_element, &of);
  if (of.any && x->ok) store_result(x);
}

static bool can_have_steps(const Spectrum *s) {
  const Codelet *c = s->ncodelets == 1 ? s->codelets[0] : NULL;
  if (!c || !c->body || c->nenv || c->matrix || c->native || c->elements || c->coop_declared || c->tunables.n ||
      s->operators || s->monoid || s->result >= TYPE_STRUCT)
    return false;
  bool any = false;
  for (int i = 0; i < c->nparams; i++) any |= c->params[i]->rank > 0;
  return any;
}

/* ---- a loop around all ---- */

typedef struct Lines { const Symbol *index; bool found; } Lines;

/* Is it the last index of a matrix? Then neighbouring turns read neighbouring elements. */
static bool find_lines(void *context, const Tree *t) {
  Lines *l = context;
  const Tree *last = tree_uncast(t->op == OP_INDEX && t->nkids > 2 ? t->kid[t->nkids - 1] : NULL);
  l->found |= last && last->op == OP_REF && last->symbol == l->index;
  return !l->found;
}

/* Does each of several loops, that are all there is beside numbers and stores, go along rows? */
static bool go_along(const Tree *seq) {
  int n = 0;
  for (int i = 0; i < seq->nkids; i++) {
    const Tree *t = seq->kid[i], *end;
    Lines lines = {NULL, false};
    if (t->op != OP_FOR) continue;
    if (!tree_counts(t, &lines.index, &end)) return false;
    tree_visit(t->kid[3], find_lines, &lines);
    if (!lines.found) return false;
    n++;
  }
  return n > 1;
}

/* The loop around all, of turns that know nothing of one another: columns; or rows. */
static bool find_around(LoopSteps *x, const Tree *body, bool rows) {
  Independent all;
  LoopHead head;
  int64_t begin;
  const Tree *t = body;
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  if (!loops_head(x->a, t, &head) || head.step != 1 || !tree_constant(head.begin, &begin) || begin) return false;
  if (head.end->op != OP_SIZE || head.end->kid[0]->op != OP_REF || t->kid[3]->op != OP_SEQ) return false;
  if (divide_place(x->codelet, head.end->kid[0]->symbol) < 0) return false;
  Lines lines = {head.index, false};
  tree_visit(t->kid[3], find_lines, &lines);
  if (rows ? lines.found || !go_along(t->kid[3]) : !lines.found) return false;
  if (!independent_find(x->a, x->codelet, &all)) return false;
  bool cut = false;
  for (int i = 0; i < all.loops.nloops; i++)
    cut |= all.loops.loop[i].head.index == head.index && all.loops.loop[i].dimension >= 0;
  x->around = t;
  x->each = head.index;
  x->size = head.end;
  return cut;
}

static bool divide_turns(Arena *a, Unit *u, Spectrum *s, bool rows) {
  LoopSteps x = {.a = a, .unit = u, .codelet = s->codelets[0], .ok = true};
  if (!find_around(&x, loops_sized(a, x.codelet), rows)) return false;
  x.rows = rows;
  read_statements(&x, x.around->kid[3]);
  const bool fits = x.ok && !x.result && (rows || x.sums.n) && step_spectra_fit(&x) && !divide_is_left(u, s);
  if (fits) step_spectra_add(&x, s);
  return fits;
}

/* Of one container, which codelets that cut it make plans of: they combine parts' results as results. */
static bool is_reduction(const Spectrum *s) {
  const Codelet *c = s->codelets[0];
  return s->result != TYPE_VOID && c->nparams == 1 && c->params[0]->rank == 1 && !accumulation_of(c).why;
}

void loop_steps_divide(Arena *a, Unit *u, bool real) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    Independent whole;
    if (!can_have_steps(s) || is_reduction(s) || recurrences_whole(a, s->codelets[0], real)) continue;
    LoopSteps x = {.a = a, .unit = u, .codelet = s->codelets[0], .real = real, .ok = true};
    const bool returns = s->result != TYPE_VOID;
    read_statements(&x, searches_as_sums(a, loops_sized(a, x.codelet)));
    const bool fits = x.ok && returns == (x.result != NULL) && x.loops > !returns && step_spectra_fit(&x);
    const bool steps = fits && (returns ? x.sums.n > 0 : !independent_find(a, x.codelet, &whole));
    if (steps && !divide_is_left(u, s)) step_spectra_add(&x, s);
    else if (!returns && !steps) divide_turns(a, u, s, false);
  }
}

bool loop_steps_divide_rows(Arena *a, Unit *u) {
  const int n = u->nspectra;
  bool any = false;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    if (can_have_steps(s) && s->result == TYPE_VOID && !is_reduction(s)) any |= divide_turns(a, u, s, true);
  }
  return any;
}
