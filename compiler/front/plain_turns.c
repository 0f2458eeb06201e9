/* plain_turns.c: loops that count, so that each turn says what it does.
 *
 *     unsigned i = 0;                             for (unsigned i = 0; i < n; ++i)
 *     while (i < n) { ..; ++i; }            >       ..
 *
 *     T last = 0;                                 for (i = 0; i < n; ++i)
 *     for (i = 0; i < n; ++i) {             >       if ((i > 0 ? x[i - 1] : 0) * x[i] < 0) ++changes;
 *       if (last * x[i] < 0) ++changes;
 *       last = x[i];
 *     }
 *
 * A variable that a turn leaves to the next one alone is what that turn's text says of the element before. It is for
 * what is the same wherever it is computed: elements as they are, whole numbers, and comparisons. */
#include "front/plain_turns.h"

#include "front/divide.h"
#include "front/loop_sums.h"
#include "front/loops.h"
#include "front/turn_values.h"
#include "ir/build.h"

typedef DivideStatements Statements;

static int times_assigned(const Tree *t, const Symbol *s) {
  int n = t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && t->kid[0]->symbol == s;
  for (int i = 0; i < t->nkids; i++) n += t->kid[i] ? times_assigned(t->kid[i], s) : 0;
  return n;
}

/* ---- while ---- */

static bool continues(const Tree *t) {
  if (t->op == OP_CONTINUE) return true;
  for (int i = 0; i < t->nkids && t->op != OP_FOR && t->op != OP_WHILE; i++)
    if (t->kid[i] && continues(t->kid[i])) return true;
  return false;
}

/* The declaration of what the loop counts; -1: it does not count, or others know of that number. */
static int counter_of(const Tree *seq, int at) {
  const Tree *loop = seq->kid[at], *body = loop->kid[1];
  const Tree *step = body->op == OP_SEQ && body->nkids ? body->kid[body->nkids - 1] : NULL;
  int64_t by;
  if (!step || step->op != OP_ASSIGN || (step->compound != OP_ADD && step->compound != OP_SUB)) return -1;
  if (step->kid[0]->op != OP_REF || !tree_constant(step->kid[1], &by)) return -1;
  const Symbol *s = step->kid[0]->symbol;
  if (times_assigned(seq, s) != 1 || !tree_mentions(loop->kid[0], s) || continues(body)) return -1;
  int declared = -1;
  for (int i = 0; i < seq->nkids; i++) {
    const Tree *t = seq->kid[i];
    if (i != at && tree_mentions(t, s)) return -1;
    if (t->op == OP_DECLARE && t->symbol == s && t->nkids && loop_is_number(s)) declared = i;
  }
  return declared < at ? declared : -1;
}

static Tree *as_for(Arena *a, const Tree *declare, const Tree *loop) {
  const Tree *body = loop->kid[1];
  Tree *t = tree_new(a, OP_FOR, TYPE_VOID, loop->where, 4);
  t->kid[0] = (Tree *)declare;
  t->kid[1] = loop->kid[0];
  t->kid[2] = body->kid[body->nkids - 1];
  t->kid[3] = tree_with_kids(a, body, body->kid, body->nkids - 1);
  return t;
}

static Tree *without_while(void *context, Arena *a, Tree *t) {
  (void)context;
  for (int i = 0; t->op == OP_SEQ && i < t->nkids; i++) {
    const int declared = t->kid[i]->op == OP_WHILE ? counter_of(t, i) : -1;
    if (declared < 0) continue;
    Statements all = {0};
    for (int k = 0; k < t->nkids; k++)
      if (k != declared) vec_push(a, &all, k == i ? as_for(a, t->kid[declared], t->kid[i]) : t->kid[k]);
    Tree *made = tree_seq(a, all.at, all.n);
    made->where = t->where;
    return without_while(NULL, a, made);
  }
  return t;
}

/* ---- what a turn leaves to the next ---- */

/* One such variable: which statement of the loop's body assigns to it, what, and what it begins as. */
typedef struct Left { const Symbol *of; int at; Tree *is; const Tree *start; } Left;

static bool is_left(Arena *a, const Tree *body, const Tree *loop, const LoopHead *head, int at, Left *x) {
  const Tree *turn = loop->kid[3], *t = turn->kid[at];
  if (t->op != OP_ASSIGN || t->compound || t->kid[0]->op != OP_REF) return false;
  const Symbol *s = t->kid[0]->symbol;
  *x = (Left){.of = s, .at = at, .start = tree_declared(body, s)};
  if (!loop_is_number(s) || loop_declares(loop, s) || times_assigned(body, s) != 1 || !x->start) return false;
  x->is = turn_by_elements(a, turn, tree_clone(a, t->kid[1]));
  if (x->is->type != s->type) x->is = build_cast(a, s->type, x->is);
  if (!turn_is_exact(x->is) || !turn_is_own(loop, head->index, x->is)) return false;
  bool read = false;
  for (int i = 0; i < turn->nkids; i++) {
    if (i >= at && tree_mentions(turn->kid[i], s) && (i > at || tree_mentions(t->kid[1], s))) return false;
    read |= i < at && tree_mentions(turn->kid[i], s);
  }
  return read && turn_is_own(loop, head->index, x->start) && !tree_mentions(loop->kid[1], s);
}

/* Is the variable known to what stands outside of the loop, but for its declaration? */
static bool is_known_outside(const Tree *t, const Tree *loop, const Symbol *s) {
  if (t == loop) return false;
  if (t->op == OP_REF && t->symbol == s) return true;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && is_known_outside(t->kid[i], loop, s)) return true;
  return false;
}

static Tree *without_left(Arena *a, const Tree *body, const Tree *loop) {
  LoopHead head;
  Left x;
  const Tree *turn = loop->kid[3];
  if (turn->op != OP_SEQ || !loops_head(a, loop, &head) || head.step != 1) return NULL;
  for (int at = 1; at < turn->nkids; at++) {
    if (!is_left(a, body, loop, &head, at, &x) || is_known_outside(body, loop, x.of)) continue;
    Tree *index = tree_ref(a, (Symbol *)head.index), *one = build_index(a, 1);
    Tree *before = build_with(a, tree_clone(a, x.is), head.index, build_sub(a, index, one));
    Tree *ahead = build_with(a, tree_clone(a, x.is), head.index, build_sub(a, tree_clone(a, head.begin), one));
    if (!tree_equal(tree_uncast(ahead), tree_uncast(x.start))) {
      Tree *start = tree_clone(a, x.start);
      if (start->type != x.of->type) start = build_cast(a, x.of->type, start);
      before = build_choice(a, build_compare(a, OP_GT, tree_clone(a, index), tree_clone(a, head.begin)), before, start);
    }
    Statements all = {0};
    for (int i = 0; i < turn->nkids; i++)
      if (i != at) vec_push(a, &all, turn->kid[i]);
    Tree *made = tree_seq(a, all.at, all.n);
    made->where = turn->where;
    Tree *const kids[] = {loop->kid[0], loop->kid[1], loop->kid[2], build_with(a, made, x.of, before)};
    return tree_with_kids(a, loop, (Tree **)kids, 4);
  }
  return NULL;
}

/* Of the loops that stand in no other. */
static void leave_nothing(Arena *a, Codelet *c) {
  for (int i = 0; i < c->body->nkids; i++) {
    Tree *made = c->body->kid[i]->op == OP_FOR ? without_left(a, c->body, c->body->kid[i]) : NULL;
    if (!made) continue;
    Tree *body = tree_with_kids(a, c->body, c->body->kid, c->body->nkids);
    body->kid[i--] = made;
    c->body = body;
  }
}

static bool find_lanes(void *context, const Tree *t) {
  bool *any = context;
  *any |= t->op != OP_RETURN && t->op != OP_ATOMIC && divide_never(t);
  return !*any;
}

void plain_turns(Arena *a, Unit *u) {
  for (int i = 0; i < u->nspectra; i++) {
    Codelet *c = u->spectra[i]->ncodelets == 1 ? u->spectra[i]->codelets[0] : NULL;
    bool lanes = false;
    if (!c || !c->body || c->body->op != OP_SEQ) continue;
    tree_visit(c->body, find_lanes, &lanes);
    if (lanes) continue;
    c->body = tree_rewrite(a, c->body, without_while, NULL);
    leave_nothing(a, c);
  }
}
