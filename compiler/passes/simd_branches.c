/* simd_branches.c: branches that some lanes take, around loops that these run alike, for the simd pass.
 *
 *     if (k < columns) {                          T accum = 0;
 *       T accum = 0;                              for (i = 0; i < rows; ++i)
 *       for (i = 0; i < rows; ++i)          ->      if (k < columns) accum += A[k + i * leading];
 *         accum += A[k + i * leading];            if (k < columns) y[k] = accum;
 *       y[k] = accum;
 *     }
 *
 * All lanes run the loop together, so that a vector loads what those in the branch read. Else each lane would go
 * through it by itself, and of columns in memory each would touch every row's cache line again. */
#include "ir/build.h"
#include "passes/along.h"
#include "passes/predicate.h"
#include "passes/simd.h"

typedef struct Branch {
  Arena *a;
  const Uniform *uniform;
  Tree *condition;
  const Tree *body;
  TreeList *to;
} Branch;

/* Does any lane's iteration follow from something of its own? */
static bool runs_alike(const Uniform *u, const Tree *loop) {
  const Tree *init = loop->kid[0];
  if (loop->op != OP_FOR || !init || init->op != OP_DECLARE || !init->nkids || !loop->kid[1] || !loop->kid[2])
    return false;
  if (tree_contains(loop->kid[3], OP_BREAK) || tree_contains(loop->kid[3], OP_CONTINUE)) return false;
  if (tree_contains(init, OP_INDEX) || tree_contains(loop->kid[1], OP_INDEX)) return false;
  return uniform_of_loop(u, loop) < VARIES_LANE && uniform_of(u, init->kid[0]) < VARIES_LANE;
}

typedef struct Asked { const Branch *b; bool stays; } Asked;

static bool find_unsteady(void *context, const Tree *t) {
  Asked *q = context;
  if (t->op == OP_INDEX || t->op == OP_APPLY || t->op == OP_LIFT || t->op == OP_STATE) q->stays = false;
  if (t->op == OP_REF && !t->symbol->constant) q->stays &= !tree_assigns(q->b->body, t->symbol);
  return q->stays;
}

/* Is the condition the same wherever in the branch it is asked, and asked quickly? */
static bool asks_again(const Branch *b) {
  Asked q = {b, b->condition->nkids == 2};
  for (int i = 0; q.stays && i < b->condition->nkids; i++) q.stays = b->condition->kid[i]->nkids <= 2;
  tree_visit(b->condition, find_unsteady, &q);
  return q.stays;
}

static bool is_free(const Tree *value) {
  static const Op costly[] = {OP_INDEX, OP_DIV, OP_REM, OP_APPLY, OP_LIFT, OP_STATE};
  for (size_t i = 0; i < sizeof costly / sizeof *costly; i++)
    if (tree_contains(value, costly[i])) return false;
  return true;
}

static void under(Branch *b, Tree *t);

static void under_loop(Branch *b, Tree *t) {
  TreeList inner = {0}, *outer = b->to;
  b->to = &inner;
  under(b, t->kid[3]);
  b->to = outer;
  Tree *copy = tree_with_kids(b->a, t, t->kid, t->nkids);
  copy->kid[3] = tree_seq(b->a, inner.at, inner.n);
  vec_push(b->a, b->to, copy);
}

/* What a variable begins with is computed by all lanes, where that reads nothing that is not there. */
static void under_declaration(Branch *b, Tree *t) {
  const bool same = t->nkids && uniform_of(b->uniform, t->kid[0]) < VARIES_LANE && !tree_contains(t->kid[0], OP_INDEX);
  if (!t->nkids || same || is_free(t->kid[0])) {
    vec_push(b->a, b->to, t);
    return;
  }
  t->symbol->constant = false;
  vec_push(b->a, b->to, build_declare(b->a, t->symbol, NULL));
  vec_push(b->a, b->to, build_if(b->a, b->condition, build_assign(b->a, tree_ref(b->a, t->symbol), t->kid[0])));
}

static void under(Branch *b, Tree *t) {
  if (t->op == OP_SEQ)
    for (int i = 0; i < t->nkids; i++) under(b, t->kid[i]);
  else if (t->op == OP_COMMENT) vec_push(b->a, b->to, t);
  else if (t->op == OP_DECLARE) under_declaration(b, t);
  else if (t->op == OP_FOR && runs_alike(b->uniform, t)) under_loop(b, t);
  else vec_push(b->a, b->to, build_if(b->a, b->condition, t));
}

/* Is one of its statements a loop that lanes run alike? What is deeper stays under conditions of its own. */
static bool has_loop(const Uniform *u, const Tree *t) {
  if (t->op == OP_FOR) return runs_alike(u, t);
  for (int i = 0; t->op == OP_SEQ && i < t->nkids; i++)
    if (has_loop(u, t->kid[i])) return true;
  return false;
}

/* What is read is far apart for neighbouring lanes: each goes through its own by itself. */
typedef struct Apart { const Symbol *own; bool any; } Apart;

static bool find_apart(void *context, const Tree *t) {
  Apart *x = context;
  if (t->op == OP_INDEX && along_is_memory(t)) x->any |= along_of(t->kid[1], x->own) == ALONG_OTHERWISE;
  return !x->any;
}

static bool reads_apart(const Branch *b) {
  const Tree *own = b->condition->kid[0];
  Apart x = {own->op == OP_REF ? own->symbol : NULL, own->op != OP_REF};
  if (!x.any) tree_visit(b->body, find_apart, &x);
  return x.any;
}

/* Are there arrays, of which each lane has one? */
static bool find_array(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_DECLARE && t->symbol->array;
  return !*found;
}

Tree *simd_branch_in_loops(Arena *a, const Uniform *uniform, const Tree *branch) {
  TreeList all = {0};
  Branch b = {a, uniform, branch->kid[0], branch->kid[1], &all};
  bool arrays = false;
  tree_visit(b.body, find_array, &arrays);
  if (arrays || !has_loop(uniform, b.body) || (branch->nkids > 2 && branch->kid[2]) || !asks_again(&b)) return NULL;
  if (reads_apart(&b)) return NULL;
  under(&b, branch->kid[1]);
  return tree_seq(a, all.at, all.n);
}
