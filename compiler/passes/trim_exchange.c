/* trim_exchange.c: exchanges of a warp do no more than their result needs.
 *
 * Requires: kernel form behind the barrier pass (an exchange keeps no lane from what it stores).
 * Keeps: what lane 0 of every warp computes, to the last bit (but a -0.0 or a NaN that met the identity before may now
 * stay).
 * Breaks: what other lanes hold after an exchange, which nothing reads.
 *
 *     val = partial[lane];                                     // the identity from threads / 32 on
 *     for (int offset = 16; offset > 0; offset /= 2) {   ->    for (int offset = half_of(threads / 32); ..
 *       T other = shuffle_down(val, offset);
 *       val += lane + offset < 32 ? other : 0;           ->      val += other;
 *
 * In the second step of a block's reduction only as many lanes as the block has warps hold a value. Of 256
 * threads, two of five rounds go. */
#include "passes/trim_exchange.h"

#include "ir/operator.h"
#include "passes/collective.h"

typedef struct Narrow {
  Arena *a;
  const Kernel *kernel;
  const Tree *body;
  Diagnostics *d;
} Narrow;

/* ---- where the variable got its value ---- */

static bool contains(const Tree *t, const Tree *at) {
  if (!t || t == at) return t == at;
  for (int i = 0; i < t->nkids; i++)
    if (contains(t->kid[i], at)) return true;
  return false;
}

/* The last statement of t before `at' that sets s, `at' being in t; NULL: none does. A loop around `at' may have set it
 * in an earlier turn, a branch in some lanes only: then it is that loop or branch. */
static const Tree *set_before(const Tree *t, const Tree *at, const Symbol *s) {
  int i = 0;
  while (i < t->nkids && !contains(t->kid[i], at)) i++;
  if (i == t->nkids) return NULL;
  const Tree *inside = set_before(t->kid[i], at, s);
  if (inside) return inside;
  if (t->op == OP_FOR || t->op == OP_WHILE) return t;
  for (int k = i - 1; t->op == OP_SEQ && k >= 0; k--) {
    const Tree *before = t->kid[k];
    if ((before->op == OP_DECLARE && before->symbol == s) || tree_assigns(before, s)) return before;
  }
  return NULL;
}

static const Tree *value_given(const Tree *t) {
  if (!t) return NULL;
  if (t->op == OP_DECLARE) return t->nkids ? t->kid[0] : NULL;
  return t->op == OP_ASSIGN && !t->compound ? t->kid[1] : NULL;
}

/* ---- arrays with an element a warp ---- */

typedef struct Stores { const Symbol *array; OperatorKind op; bool only_by_warps; } Stores;

/* Beside identities only array[warp] may be stored to; the array may be read by element, and used in no other way. */
static bool check_stores(void *context, const Tree *t) {
  Stores *s = context;
  bool stores = (t->op == OP_ASSIGN || t->op == OP_ATOMIC) && tree_is_element_of(t->kid[0], s->array);
  if (stores || tree_is_element_of(t, s->array)) {
    bool identity = t->op == OP_ASSIGN && !t->compound && operator_is_identity(s->op, t->kid[1]);
    if (stores && !identity && t->kid[0]->kid[1]->op != OP_WARP) s->only_by_warps = false;
    tree_visit(stores ? t->kid[0]->kid[1] : t->kid[1], check_stores, s);
    if (stores) tree_visit(t->kid[1], check_stores, s);
    return false;
  }
  static const Op others[] = {OP_LOAD_WIDE,   OP_LOAD_SEVERAL, OP_LOAD_A,         OP_LOAD_B,
                              OP_COPY_AHEAD,  OP_COPY_ROWS,    OP_COPY_PANEL,     OP_COPY_CHUNK,
                              OP_AWAIT_PANEL, OP_MULTIPLY_GROUP, OP_AWAIT_PRODUCTS, OP_AWAIT_COPIES,
                              OP_LOAD_WORDS,  OP_ADDRESS,      OP_ARRIVE,         OP_LOAD_RUN};
  bool elsewhere = t->op == OP_PUSH && tree_mentions(t->kid[0], s->array);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) elsewhere |= t->op == others[i];
  if (elsewhere ? tree_mentions(t, s->array) : t->op == OP_REF && t->symbol == s->array) s->only_by_warps = false;
  return true;
}

static bool same_length(const Tree *x, const Tree *y) {
  int64_t a, b;
  return tree_equal(x, y) || (tree_constant(x, &a) && tree_constant(y, &b) && a == b);
}

/* array[index] = identity; alone or as the only statement of a SEQ. */
static bool sets_identity(const Tree *t, const Stores *s, const Tree **index) {
  if (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  if (t->op != OP_ASSIGN || t->compound || !tree_is_element_of(t->kid[0], s->array)) return false;
  if (!operator_is_identity(s->op, t->kid[1])) return false;
  *index = t->kid[0]->kid[1];
  return true;
}

static bool is_threads(const Kernel *k, const Tree *t) {
  return k->threads && t->op == OP_REF && t->symbol == k->threads;
}

/* Has the block at least so many lanes? */
static bool has_lanes(const Kernel *k, const Tree *length) {
  int64_t constant;
  return is_threads(k, length) || (k->threads && tree_constant(length, &constant) && constant <= k->threads->min);
}

/* Does t, which all lanes of the block run, set every element of the array to the identity? */
static bool clears(const Kernel *k, const Tree *t, const Stores *s) {
  const Tree *index, *length = s->array->length;
  if (t->op == OP_IF) {
    const Tree *c = t->kid[0];
    bool each = t->nkids == 2 && c->op == OP_LT && c->kid[0]->op == OP_THREAD && same_length(c->kid[1], length);
    return each && has_lanes(k, length) && sets_identity(t->kid[1], s, &index) && index->op == OP_THREAD;
  }
  if (t->op == OP_FOR) {
    const Tree *init = t->kid[0], *c = t->kid[1], *step = t->kid[2];
    bool from = init && init->op == OP_DECLARE && init->nkids && init->kid[0]->op == OP_THREAD;
    bool to = from && c && c->op == OP_LT && c->kid[0]->op == OP_REF && c->kid[0]->symbol == init->symbol &&
              same_length(c->kid[1], length);
    bool by = to && step && step->op == OP_ASSIGN && step->compound == OP_ADD && step->kid[0]->op == OP_REF &&
              step->kid[0]->symbol == init->symbol && is_threads(k, step->kid[1]);
    return by && sets_identity(t->kid[3], s, &index) && index->op == OP_REF && index->symbol == init->symbol;
  }
  return has_lanes(k, length) && sets_identity(t, s, &index) && index->op == OP_THREAD;
}

/* Is the array cleared by a statement that every lane of the block runs before `at'? */
static bool cleared_before(const Kernel *k, const Tree *seq, const Tree *at, const Stores *s) {
  for (int i = 0; i < seq->nkids; i++) {
    const Tree *t = seq->kid[i];
    if (t->op == OP_SEQ ? cleared_before(k, t, at, s) : clears(k, t, s)) return true;
    if (contains(t, at)) return false;
  }
  return false;
}

/* ---- lanes that hold something ---- */

static Tree *warps(const Narrow *n) {
  return tree_binary(n->a, OP_DIV, TYPE_INT, tree_ref(n->a, n->kernel->threads), tree_int(n->a, TYPE_INT, 32));
}

/* Made of numbers and the block's size? */
static bool is_fixed(const Kernel *k, const Tree *t) {
  if (t->op == OP_INT || is_threads(k, t)) return true;
  bool arithmetic = t->op == OP_ADD || t->op == OP_SUB || t->op == OP_MUL || t->op == OP_DIV;
  return arithmetic && is_fixed(k, t->kid[0]) && is_fixed(k, t->kid[1]);
}

/* So many lanes, from 0 on, may hold another value than the identity when the loop begins; or NULL and the reason. */
static Tree *lanes_in_use(const Narrow *n, const Collective *c, const char **why) {
  const Tree *value = value_given(set_before(n->body, c->loop, c->value));
  *why = "every lane may hold a value";
  if (!value || kernel_is_one_vector(n->kernel)) return NULL; /* where one lane acts for all, it exchanges nothing */
  bool guarded = value->op == OP_COND && value->kid[0]->op == OP_LT &&
                 (value->kid[0]->kid[0]->op == OP_THREAD || value->kid[0]->kid[0]->op == OP_LANE);
  if (guarded) {
    Tree *limit = value->kid[0]->kid[1];
    if (!operator_is_identity(c->op, value->kid[2])) {
      *why = "where the guard fails the value is not the identity";
      return NULL;
    }
    if (!is_fixed(n->kernel, limit)) { *why = "how many lanes hold a value is known only when it runs"; return NULL; }
    return limit;
  }
  bool element = value->op == OP_INDEX && value->kid[0]->op == OP_REF && value->kid[0]->symbol->kind == SYMBOL_SHARED &&
                 (value->kid[1]->op == OP_LANE || value->kid[1]->op == OP_THREAD);
  if (!element || !n->kernel->threads) return NULL;
  Stores s = {value->kid[0]->symbol, c->op, true};
  tree_visit(n->body, check_stores, &s);
  if (!s.only_by_warps) { *why = "the array's elements are written by others than one warp each"; return NULL; }
  if (!cleared_before(n->kernel, n->body, c->loop, &s)) {
    *why = "the array does not surely begin as the identity";
    return NULL;
  }
  return warps(n);
}

/* ---- rewriting ---- */

/* Half of the power of two that so many lanes are rounded up to. */
static Tree *half_of(Arena *a, Tree *lanes) {
  int64_t count, half = 1;
  if (!tree_constant(lanes, &count)) return tree_unary(a, OP_HALF, TYPE_INT, lanes);
  while (2 * half < count) half *= 2;
  return tree_int(a, TYPE_INT, count < 2 ? 0 : half);
}

static bool is_less(const Tree *half, int64_t widest) {
  return half->op == OP_HALF ? widest == 16 : half->number < widest;
}

/* The loop with `half' for its widest offset. */
static Tree *starting_at(Arena *a, const Tree *loop, const Collective *c, Tree *half) {
  Tree *kids[4] = {loop->kid[0], loop->kid[1], loop->kid[2], loop->kid[3]};
  if (c->rises) {
    Tree *range[2] = {kids[1]->kid[0], half};
    kids[1] = tree_with_kids(a, kids[1], range, 2);
    kids[1]->op = OP_LE;
  } else kids[0] = tree_with_kids(a, kids[0], &half, 1);
  return tree_with_kids(a, loop, kids, 4);
}

/* What the guard keeps out never reaches lane 0. */
static Tree *without_guard(void *context, Arena *a, Tree *t) {
  (void)a;
  const Collective *c = context;
  if (t->op == OP_IF) return t->kid[1];
  return t->op == OP_COND && t->kid[1]->op == OP_REF && t->kid[1]->symbol == c->other ? t->kid[1] : t;
}

static void passed(const Narrow *n, const Collective *c, const Tree *half) {
  if (half) {
    Buffer b = buffer_new(n->d->arena);
    tree_print(&b, half, 0);
    diagnostics_remark(n->d, REMARK_PASSED, "trim-exchange", c->loop->where,
                       "the exchange of `%s' begins with %s: no other lanes hold a value", c->value->name, b.text);
  }
  if (c->guarded)
    diagnostics_remark(n->d, REMARK_PASSED, "trim-exchange", c->loop->where,
                       "only lane 0 of the exchange of `%s' is read: it needs no guard", c->value->name);
}

static Tree *narrowed(void *context, Tree *loop) {
  Narrow *n = context;
  Collective c;
  const char *why;
  bool is_one = collective_recognise(loop, kernel_vector(n->kernel), &c, &why);
  if (!is_one && !why) return loop;
  if (is_one && !collective_is_for_leader(n->body, &c)) why = "another lane than lane 0 has its result read";
  if (why) {
    diagnostics_remark(n->d, REMARK_MISSED, "trim-exchange", loop->where, "not narrowed: %s", why);
    return loop;
  }
  Tree *lanes = lanes_in_use(n, &c, &why), *half = lanes ? half_of(n->a, lanes) : NULL;
  if (half && !is_less(half, c.widest)) {
    half = NULL;
    why = "it is as narrow already";
  }
  if (!half) diagnostics_remark(n->d, REMARK_MISSED, "trim-exchange", loop->where, "not narrowed: %s", why);
  passed(n, &c, half);
  if (half) loop = starting_at(n->a, loop, &c, half);
  return c.guarded ? tree_rewrite(n->a, loop, without_guard, &c) : loop;
}

Tree *pass_trim_exchange(Arena *a, const Kernel *k, Tree *body, Diagnostics *d) {
  Narrow n = {a, k, body, d};
  return collective_each(a, body, narrowed, &n);
}
