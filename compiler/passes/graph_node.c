/* graph_node.c: a loop of the host that a kernel ends -> one that may be a node of a graph, which repeats an iteration.
 *
 *     launch(enter ..)                                  left[0] = 0
 *     for (k = 0; k < n; ++k) {
 *       launch(leave .. k, left)                        left[0] = ..
 *       launch(blocks, threads, step, .. k, left)
 *       ask(left[0], k + 1)
 *     }
 *
 *     launch(enter ..)                                  left[0] = 0; left[1] = -1
 *     loop_node(left[0], n) for (k = 0; k < n; ++k) {
 *       launch(leave .. left)                           k = left[1] + 1; left[1] = k; left[0] = ..
 *       launch(blocks, threads, step, .. left)          k = left[1]
 *       end_node()
 *       ask(left[0], k + 1)
 *     }
 *
 * A node of a graph repeats the launches of one iteration as they are: their arguments cannot be the loop's number,
 * which kernels find in memory instead, beside the word that they ask for anyway (leave.c).
 *
 * Requires: kernel form; kernels of the loop that ask whether it has ended (Kernel.unless), of which the first one
 * launched has one thread; a loop from 0 on, by 1, whose number is an argument of kernels and nothing else; room for
 * two words.
 * Keeps: what each kernel computes.
 * Breaks: nothing. */
#include "passes/graph_node.h"

#include "ir/build.h"

typedef VEC(Tree *) TreeList;

typedef struct Loop {
  const Tree *first;  /* the launch that comes first in an iteration */
  Symbol *number;     /* of the iteration */
  const Tree *ended;  /* the word */
  bool fits;
} Loop;

static Symbol *array_of(const Tree *element) { return element->kid[0]->symbol; }

/* The statements of the host that only look at how many iterations there were. */
static bool only_counts(const Tree *t) {
  return t->op == OP_ASK || t->op == OP_GIVE_UP || (t->op == OP_IF && tree_contains(t, OP_GIVE_UP));
}

static void look_at(Loop *x, const Tree *t) {
  if (t->op == OP_ASK) x->ended = t->kid[0];
  if (only_counts(t)) return;
  x->fits &= t->op != OP_LOOP_NODE && (t->op != OP_REF || t->symbol != x->number);
  if (t->op == OP_LAUNCH) {
    if (!x->first) x->first = t;
    x->fits &= t->kernel->unless != NULL;
  }
  for (int i = 0; i < t->nkids; i++) {
    const bool handed = t->op == OP_LAUNCH && i >= 2 && t->kid[i]->op == OP_REF;
    if (t->kid[i] && !handed) look_at(x, t->kid[i]);
  }
}

/* The loop's parts, if it can be a node. */
static Loop loop_of(const Tree *t) {
  const Tree *from = t->kid[0], *to = t->kid[1], *by = t->kid[2];
  Loop x = {.fits = t->op == OP_FOR && from->op == OP_DECLARE && build_is(from->kid[0], 0) && to->op == OP_LT &&
                    by->op == OP_ASSIGN && by->compound == OP_ADD && build_is(by->kid[1], 1)};
  if (!x.fits) return x;
  x.number = from->symbol;
  look_at(&x, t->kid[3]);
  x.fits &= x.ended && x.first && !x.first->kernel->threads && build_is(x.first->kid[0], 1) &&
            !tree_mentions(to->kid[1], x.number);
  return x;
}

typedef struct Instead { const Symbol *of; Symbol *is; } Instead;

static Tree *instead(void *context, Arena *a, Tree *t) {
  const Instead *x = context;
  return t->op == OP_REF && t->symbol == x->of ? tree_ref(a, x->is) : t;
}

/* Kernels find the number of the iteration in memory: the first one, which counts, and those that had it as an
 * argument. */
static Tree *find_number(Arena *a, const Loop *x, const Tree *launch) {
  Kernel *k = launch->kernel;
  TreeList kids = {0}, body = {0};
  VEC(Symbol *) params = {0};
  bool asks = launch == x->first;
  for (int i = 0; i < 2; i++) vec_push(a, &kids, launch->kid[i]);
  for (int i = 0; i < k->nparams; i++) {
    const Tree *given = launch->kid[2 + i];
    const bool number = given->op == OP_REF && given->symbol == x->number;
    asks |= number;
    if (number) continue;
    vec_push(a, &kids, launch->kid[2 + i]);
    vec_push(a, &params, k->params[i]);
  }
  if (!asks) return tree_with_kids(a, launch, kids.at, kids.n);
  Tree *counted = build_element(a, array_of(k->unless), build_index(a, 1));
  Tree *is = build_cast(a, x->number->type, counted);
  Instead by = {x->number, symbol_new(a, SYMBOL_LOCAL, x->number->name, x->number->type)};
  by.is->constant = true;
  if (launch == x->first) is = build_add(a, is, tree_int(a, x->number->type, 1));
  vec_push(a, &body, build_declare(a, by.is, is));
  if (launch == x->first)
    vec_push(a, &body, build_assign(a, tree_clone(a, counted), build_cast(a, TYPE_INT, tree_ref(a, by.is))));
  for (int i = 0; i < k->body->nkids; i++) vec_push(a, &body, tree_rewrite(a, k->body->kid[i], instead, &by));
  k->body = tree_seq(a, body.at, body.n);
  k->params = params.at;
  k->nparams = params.n;
  return tree_with_kids(a, launch, kids.at, kids.n);
}

typedef struct Within { Arena *a; const Loop *loop; } Within;

static Tree *within(const Within *w, Tree *t) {
  if (t->op == OP_LAUNCH) return find_number(w->a, w->loop, t);
  if (only_counts(t)) return t;
  if (t->op != OP_SEQ && t->op != OP_IF && t->op != OP_FOR) return t;
  TreeList kids = {0};
  for (int i = 0; i < t->nkids; i++) {
    if (t->kid[i] && t->kid[i]->op == OP_ASK)
      vec_push(w->a, &kids, build_tree(w->a, OP_END_NODE, TYPE_VOID, NULL, 0));
    vec_push(w->a, &kids, t->kid[i] ? within(w, t->kid[i]) : NULL);
  }
  return tree_with_kids(w->a, t, kids.at, kids.n);
}

/* The kernel that notes that the loop has not ended notes that there was no iteration. */
static bool enter(Arena *a, const Loop *x, const Tree *t) {
  if (t->op != OP_LAUNCH) return (t->op == OP_SEQ || t->op == OP_IF) && t->nkids && enter(a, x, t->kid[t->nkids - 1]);
  Kernel *k = t->kernel;
  for (int i = 0; i < k->nparams; i++) {
    const Tree *given = t->kid[2 + i];
    if (k->threads || k->unless || given->op != OP_REF || given->symbol != array_of(x->ended)) continue;
    TreeList body = {0};
    for (int s = 0; s < k->body->nkids; s++) vec_push(a, &body, k->body->kid[s]);
    vec_push(a, &body, build_assign(a, build_element(a, k->params[i], build_index(a, 1)), tree_int(a, TYPE_INT, -1)));
    k->body = tree_seq(a, body.at, body.n);
    return true;
  }
  return false;
}

static Tree *as_nodes(Arena *a, Tree *t) {
  if (t->op != OP_SEQ && t->op != OP_IF && t->op != OP_FOR) return t;
  Tree **kids = arena_many(a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) {
    kids[i] = t->kid[i] ? as_nodes(a, t->kid[i]) : NULL;
    if (t->op != OP_SEQ || !i || kids[i]->op != OP_FOR) continue;
    const Loop x = loop_of(kids[i]);
    if (!x.fits || !enter(a, &x, kids[i - 1])) continue;
    const Within w = {a, &x};
    Tree *const parts[] = {tree_clone(a, x.ended), tree_clone(a, kids[i]->kid[1]->kid[1]), within(&w, kids[i])};
    kids[i] = build_tree(a, OP_LOOP_NODE, TYPE_VOID, parts, 3);
  }
  return tree_with_kids(a, t, kids, t->nkids);
}

void pass_graph_node(Arena *a, Program *p) { p->launches = as_nodes(a, p->launches); }
