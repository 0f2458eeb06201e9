/* carried.c: numbers that a loop carries from turn to turn, and has other uses for,
 *
 *     for (i ..) {                                for (i ..) { peak = max(peak, x[i]); peak_each[i] = peak; }
 *       peak = max(peak, x[i]);
 *       worst = max(worst, peak - x[i]);          for (i ..) worst = max(worst, peak_each[i] - x[i]);
 *     }
 *
 * as scans of their own (recurrences.c), and loops of the rest, which can be divided as any others. What is read before
 * the turn changes it is what the turn before has stored: i > 0 ? peak_each[i - 1] : peak. A loop that only stores what
 * the number comes to, in a container of the caller's, is such a scan as it stands. */
#include "front/carried.h"

#include "front/divide.h"
#include "front/loop_sums.h"
#include "front/loops.h"
#include "front/recurrence_parts.h"
#include "ir/build.h"

typedef struct Loop { const LoopSteps *steps; const Tree *tree, *body; LoopHead head; } Loop;

/* ---- what a turn changes ---- */

/* Numbers of before the loop that a statement changes. */
typedef struct Changed { const Tree *loop; const Symbol *only; int n; bool stores; } Changed;

static bool find_changed(void *context, const Tree *t) {
  Changed *c = context;
  if (t->op != OP_ASSIGN) return true;
  const Tree *to = t->kid[0];
  if (to->op != OP_REF) c->stores = true;
  else if (!loop_declares(c->loop, to->symbol) && to->symbol != c->only) c->only = to->symbol, c->n++;
  return true;
}

static Changed changed_by(const Loop *l, const Tree *t) {
  Changed c = {.loop = l->tree};
  tree_visit(t, find_changed, &c);
  return c;
}

/* ---- as codelets of their own ---- */

/* Could it be scanned, beginning with any number, with its results in `each'? */
static bool is_scan(const Loop *l, const Tree *loop, Symbol *of, Symbol *each) {
  Arena *a = l->steps->a;
  Codelet alone = *l->steps->codelet;
  if (alone.nparams == MOST_OPERANDS) return false;
  Symbol **params = arena_many(a, Symbol *, alone.nparams + 1);
  for (int i = 0; i < alone.nparams; i++) params[i] = alone.params[i];
  if (each) params[alone.nparams++] = each;
  alone.params = params;
  Tree *parts[] = {build_declare(a, of, tree_int(a, of->type, 0)), (Tree *)loop};
  alone.body = tree_seq(a, parts, 2);
  return recurrences_fit(a, &alone, l->steps->real);
}

static Symbol *container_of(const Loop *l, const Symbol *of) {
  Arena *a = l->steps->a;
  Symbol *size = l->head.end->kid[0]->symbol, *s = symbol_new(a, SYMBOL_PARAM, NULL, of->type);
  s->name = arena_printf(a, "%s_each", of->name);
  s->declared = of->declared;
  s->rank = 1;
  s->writable = true;
  s->where = of->where;
  s->shape[0] = (ShapeRule){.said = true, .times = 1, .of = {size}, .dim = {l->head.end->dimension}};
  return s;
}

/* The loop with other statements. */
static Tree *with_statements(const Loop *l, const DivideStatements *all) {
  Arena *a = l->steps->a;
  Tree *body = tree_seq(a, all->at, all->n);
  body->where = l->body->where;
  Tree *kids[] = {l->tree->kid[0], l->tree->kid[1], l->tree->kid[2], body};
  return tree_clone(a, tree_with_kids(a, l->tree, kids, 4));
}

/* ---- the rest ---- */

/* What stands for the number: what this turn has stored, or the turn before. */
typedef struct Stands { const Loop *loop; const Symbol *of; Symbol *each; bool before; } Stands;

static Tree *as_stored(void *context, Arena *a, Tree *t) {
  const Stands *s = context;
  Symbol *i = (Symbol *)s->loop->head.index;
  if (!tree_is_symbol(t, s->of)) return t;
  if (!s->before) return build_element(a, s->each, tree_ref(a, i));
  Tree *later = build_compare(a, OP_GT, tree_ref(a, i), tree_int(a, TYPE_INDEX, 0));
  Tree *last = tree_binary(a, OP_SUB, TYPE_INDEX, tree_ref(a, i), tree_int(a, TYPE_INDEX, 1));
  return build_choice(a, later, build_element(a, s->each, last), tree_ref(a, (Symbol *)s->of));
}

/* Variables of the turn that a statement needs stand before it. */
static bool is_needed(const DivideStatements *by, const Symbol *s) {
  for (int i = 0; i < by->n; i++)
    if (tree_mentions(by->at[i], s)) return true;
  return false;
}

/* ---- the loop as two ---- */

/* The statements up to number `at', of which that one needs all: the scan of its number. */
static bool scan_of(const Loop *l, int at, const Symbol *of, Symbol *each, DivideStatements *scan) {
  Arena *a = l->steps->a;
  DivideStatements last = {0};
  vec_push(a, &last, l->body->kid[at]);
  for (int i = at - 1; i >= 0; i--) {
    const Tree *t = l->body->kid[i];
    if (t->op == OP_DECLARE && !tree_assigns(l->body, t->symbol) && is_needed(&last, t->symbol))
      vec_push(a, &last, l->body->kid[i]);
  }
  for (int i = last.n - 1; i >= 0; i--) vec_push(a, scan, last.at[i]);
  Tree *value = tree_ref(a, (Symbol *)of);
  vec_push(a, scan, build_assign(a, build_element(a, each, tree_ref(a, (Symbol *)l->head.index)), value));
  return true;
}

static bool splits(const Loop *l, int at, Carried *found) {
  Arena *a = l->steps->a;
  const Changed c = changed_by(l, l->body->kid[at]);
  if (c.n != 1 || c.stores || !loop_is_number(c.only)) return false;
  for (int i = 0; i < l->body->nkids; i++)
    if (i != at && tree_assigns(l->body->kid[i], c.only)) return false;
  DivideStatements scan = {0}, rest = {0};
  Symbol *each = container_of(l, c.only);
  Stands s = {l, c.only, each, true};
  if (!scan_of(l, at, c.only, each, &scan)) return false;
  Tree *copy = tree_clone(a, (Tree *)l->body);
  for (int i = 0; i < copy->nkids; i++) {
    s.before = i < at;
    if (i != at) vec_push(a, &rest, tree_rewrite(a, copy->kid[i], as_stored, &s));
  }
  Tree *loop = with_statements(l, &scan);
  if (!is_scan(l, loop, (Symbol *)c.only, each)) return false;
  *found = (Carried){(Symbol *)c.only, each, each, loop, NULL, l->head.end};
  each->kind = SYMBOL_LOCAL; /* of the codelet of the steps */
  each->length = tree_clone(a, l->head.end);
  each->shape[0] = (ShapeRule){.said = false};
  const Changed other = changed_by(l, tree_seq(a, rest.at, rest.n));
  if (other.n || other.stores) found->rest = with_statements(l, &rest);
  return true;
}

/* Does it store what one number comes to, and nothing else? */
static bool is_alone(const Loop *l, Carried *found) {
  const Changed c = changed_by(l, l->body);
  if (c.n != 1 || !c.stores || !loop_is_number(c.only)) return false;
  *found = (Carried){(Symbol *)c.only, NULL, NULL, (Tree *)l->tree, NULL, l->head.end};
  for (int i = 0; i < l->body->nkids; i++) {
    const Tree *t = l->body->kid[i];
    if (t->op == OP_ASSIGN && t->kid[0]->op == OP_INDEX && tree_is_symbol(t->kid[1], c.only))
      found->stored = t->kid[0]->kid[0]->symbol;
  }
  return is_scan(l, l->tree, (Symbol *)c.only, NULL);
}

bool carried_find(const LoopSteps *x, const Tree *loop, Carried *found) {
  Loop l = {.steps = x, .tree = loop, .body = loop->op == OP_FOR ? loop->kid[3] : NULL};
  if (x->around || !l.body || l.body->op != OP_SEQ || !loops_head(x->a, loop, &l.head)) return false;
  recurrence_end_as_size(x->a, x->codelet, loop, &l.head);
  if (l.head.end->op != OP_SIZE || l.head.end->kid[0]->op != OP_REF) return false;
  if (divide_place(x->codelet, l.head.end->kid[0]->symbol) < 0) return false;
  if (is_alone(&l, found)) return true;
  for (int i = 0; i < l.body->nkids; i++)
    if (splits(&l, i, found)) return true;
  return false;
}

Tree *carried_last(Arena *a, const Carried *c, const Tree *begin) {
  if (!c->stored) return NULL;
  Tree *size = tree_clone(a, c->turns), *any = build_compare(a, OP_GT, size, tree_int(a, TYPE_INDEX, 0));
  Tree *last = tree_binary(a, OP_SUB, TYPE_INDEX, tree_clone(a, size), tree_int(a, TYPE_INDEX, 1));
  return build_choice(a, any, build_element(a, c->stored, last), tree_clone(a, begin));
}
