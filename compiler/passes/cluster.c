/* cluster.c: a cluster's barriers in halves, each as early or as late as it can stand.
 *
 * Requires: kernel form with its barriers.
 * Keeps: what is ordered before what; statements in their order.
 * Breaks: no barrier of a cluster's scope is left: they are CLUSTER_ARRIVE and CLUSTER_WAIT.
 *
 *   barrier(cluster)                    is  arrive; wait
 *   .. barrier(cluster); push           is  arrive(relaxed); .. wait; push     all blocks begin meanwhile
 *   .. barrier(cluster); if (c) { .. }  is  arrive; if (c) { wait; .. }        who has nothing left to do does not wait
 *
 * The second is the first barrier of a kernel, behind which nothing but work on the block's own memory lies: it orders
 * the beginning of the blocks, no memory. The third is the last one, with one branch behind it and nothing more: the
 * first block's, which has to wait, as others store to its memory until then. */
#include "passes/kernel_passes.h"

#include "passes/access.h"
#include "passes/predicate.h"

static bool is_barrier(const Tree *t) { return t->op == OP_BARRIER && t->scope == SCOPE_CLUSTER; }

static Tree *half(Arena *a, const Tree *barrier, Op op, bool relaxed) {
  Tree *t = tree_new(a, op, TYPE_VOID, barrier->where, 0);
  t->relaxed = relaxed;
  return t;
}

typedef struct Exposed { SymbolList symbols; Arena *a; bool mentioned; } Exposed;

static bool find_pushed(void *context, const Tree *t) {
  Exposed *e = context;
  if (t->op == OP_PUSH || t->op == OP_PULL) vec_push(e->a, &e->symbols, t->kid[0]->kid[0]->symbol);
  return true;
}

static bool find_mention(void *context, const Tree *t) {
  Exposed *e = context;
  for (int i = 0; t->op == OP_REF && i < e->symbols.n; i++) e->mentioned |= e->symbols.at[i] == t->symbol;
  e->mentioned |= is_barrier(t);
  return !e->mentioned;
}

/* The place of the first barrier, when nothing before it touches what other blocks store to; else -1. */
static int first_barrier(Exposed *e, const Tree *body) {
  for (int i = 0; i < body->nkids; i++) {
    if (is_barrier(body->kid[i])) return i;
    tree_visit(body->kid[i], find_mention, e);
    if (e->mentioned) return -1;
  }
  return -1;
}

/* Is it `if (rank == 0) ..', with no other branch? */
static bool is_of_first_block(const Tree *t) {
  int64_t number;
  if (t->op != OP_IF || t->nkids > 2) return false;
  const Tree *c = t->kid[0];
  return c->op == OP_EQ && c->kid[0]->op == OP_RANK && tree_constant(c->kid[1], &number) && number == 0;
}

/* The place of a last barrier that only a branch of the first block follows, else -1. */
static int last_barrier(const Tree *body) {
  int last = body->nkids - 1;
  while (last > 0 && body->kid[last]->op == OP_COMMENT) last--;
  if (last <= 0 || !is_of_first_block(body->kid[last])) return -1;
  int barrier = last - 1;
  while (barrier > 0 && body->kid[barrier]->op == OP_COMMENT) barrier--;
  return is_barrier(body->kid[barrier]) ? barrier : -1;
}

static Tree *in_halves(void *context, Arena *a, Tree *t) {
  (void)context;
  TreeList all = {0};
  if (t->op != OP_SEQ) return t;
  bool found = false;
  for (int i = 0; i < t->nkids; i++) {
    found |= is_barrier(t->kid[i]);
    if (!is_barrier(t->kid[i])) { vec_push(a, &all, t->kid[i]); continue; }
    vec_push(a, &all, half(a, t->kid[i], OP_CLUSTER_ARRIVE, false));
    vec_push(a, &all, half(a, t->kid[i], OP_CLUSTER_WAIT, false));
  }
  return found ? tree_with_kids(a, t, all.at, all.n) : t;
}

/* `wait; ..' in a branch. */
static Tree *waiting_branch(Arena *a, const Tree *branch, const Tree *barrier) {
  TreeList inner = {0};
  vec_push(a, &inner, half(a, barrier, OP_CLUSTER_WAIT, false));
  const Tree *then = branch->kid[1];
  if (then->op != OP_SEQ) vec_push(a, &inner, (Tree *)then);
  for (int i = 0; then->op == OP_SEQ && i < then->nkids; i++) vec_push(a, &inner, then->kid[i]);
  Tree *kids[2] = {branch->kid[0], tree_seq(a, inner.at, inner.n)};
  return tree_with_kids(a, branch, kids, 2);
}

static bool is_head(const Tree *t) { return t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED; }

Tree *pass_cluster(Arena *a, Tree *body) {
  Exposed e = {.a = a};
  tree_visit(body, find_pushed, &e);
  int first = first_barrier(&e, body), last = last_barrier(body);
  if (last == first) last = -1;
  TreeList all = {0};
  bool begun = first < 0;
  for (int i = 0; i < body->nkids; i++) {
    Tree *t = body->kid[i];
    if (!begun && (!is_head(t) || i == first)) {
      vec_push(a, &all, half(a, body->kid[first], OP_CLUSTER_ARRIVE, true));
      begun = true;
    }
    if (i == first) t = half(a, t, OP_CLUSTER_WAIT, false);
    else if (i == last) t = half(a, t, OP_CLUSTER_ARRIVE, false);
    else if (last >= 0 && i > last && t->op == OP_IF) t = waiting_branch(a, t, body->kid[last]);
    vec_push(a, &all, t);
  }
  Tree *r = first < 0 && last < 0 ? body : tree_with_kids(a, body, all.at, all.n);
  return tree_rewrite(a, r, in_halves, NULL);
}
