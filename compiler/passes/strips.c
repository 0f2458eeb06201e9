/* strips.c: a loop whose iterations each compute an element by loops of their own, by vectors of neighbouring elements.
 *
 *     for (j = 0; j < n; ++j) {               for (j = 0; j + 64 <= n; j += 64) {
 *       T sum = 0;                              T sum[64];
 *       for (a = 0; a < m; ++a)         ->      for each lane of 64: sum[lane] = 0;
 *         sum += in[j + a] * w[a];              for (a = 0; a < m; ++a)
 *       out[j] = sum;                             for each lane of 64: sum[lane] += in[j + lane + a] * w[a];
 *     }                                         for each lane of 64: out[j + lane] = sum[lane];
 *                                             }
 *                                             .. and the same of one vector, for what is left
 *
 * Requires: kernel form behind the simd pass, of a CPU. Keeps: every value, to the last bit: an element's operations
 * stay in their order. Breaks: nothing.
 * Compilers vectorise the innermost loop, which sums up one element in its order, or none. Where elements are written
 * alone, the last vector begins early enough to be whole, and some are computed twice; where they are contributed to, a
 * loop of single ones does what is left. What is read has to lie side by side for neighbours, or be the same for all:
 * else vectors would be gathered. */
#include "passes/strips.h"

#include "ir/build.h"
#include "passes/along.h"
#include "passes/fresh.h"
#include "passes/in_order.h"
#include "passes/predicate.h"

enum { VECTORS = 4 }; /* at once: additions take as many cycles */

typedef VEC(const Symbol *) SymbolList;
typedef VEC(const Tree *) PlaceList;

typedef struct Strips {
  Arena *a;
  const Kernel *kernel;
  Fresh fresh;
} Strips;

/* ---- which loops ---- */

/* A loop, and what was found in its body. */
typedef struct Found {
  Arena *a;
  const Symbol *index;
  const Tree *end;
  SymbolList locals, inner; /* declared in its body: variables; of loops */
  PlaceList loads;
  const Tree *store;        /* the element that it writes */
  bool reads;               /* .. and reads, too */
  bool fits;
} Found;

static bool is_among(const SymbolList *l, const Symbol *s) {
  for (int i = 0; i < l->n; i++)
    if (l->at[i] == s) return true;
  return false;
}

static bool mentions_any(const Tree *t, const SymbolList *l) {
  for (int i = 0; i < l->n; i++)
    if (tree_mentions(t, l->at[i])) return true;
  return false;
}

static bool look(void *context, const Tree *t);

static void look_into_loop(Found *f, const Tree *t) {
  const Symbol *index;
  const Tree *end;
  f->fits &= tree_counts(t, &index, &end) && t->unroll == UNROLL_FREE;
  if (!f->fits) return;
  f->fits = !tree_mentions(end, f->index) && !tree_contains(end, OP_INDEX) && !mentions_any(end, &f->locals);
  vec_push(f->a, &f->inner, index);
  tree_visit(t->kid[3], look, f);
}

static void look_at_assignment(Found *f, const Tree *t) {
  const Tree *place = t->kid[0];
  if (place->op == OP_REF) f->fits &= is_among(&f->locals, place->symbol);
  else if (!along_is_memory(place) || (f->store && !tree_equal(place, f->store))) f->fits = false;
  else f->store = place;
  if (t->compound) tree_visit(place, look, f);
  tree_visit(t->kid[1], look, f);
}

/* What vectors compute as elements do. */
static bool is_plain(Op op) {
  static const Op more[] = {OP_SQRT, OP_FABS, OP_FMA, OP_EXP, OP_EXP2, OP_EXPM1, OP_TANH, OP_LOG, OP_FUSED, OP_SEQ,
                            OP_COMMENT};
  bool plain = op >= OP_INT && op <= OP_MAX;
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) plain |= op == more[i];
  return plain;
}

static bool look(void *context, const Tree *t) {
  Found *f = context;
  if (!f->fits) return false;
  switch (t->op) {
    case OP_FOR: look_into_loop(f, t); return false;
    case OP_ASSIGN: look_at_assignment(f, t); return false;
    case OP_DECLARE:
      f->fits &= t->symbol->kind == SYMBOL_LOCAL && !t->symbol->array;
      vec_push(f->a, &f->locals, t->symbol);
      return true;
    case OP_INDEX:
      f->fits &= along_is_memory(t) && !mentions_any(t->kid[1], &f->locals) && !tree_contains(t->kid[1], OP_INDEX);
      vec_push(f->a, &f->loads, t);
      return false;
    default: f->fits &= is_plain(t->op); return true;
  }
}

static bool goes_by_strips(Arena *a, const Tree *t, Found *f) {
  *f = (Found){.a = a, .fits = t->unroll == UNROLL_FREE};
  if (!f->fits || !tree_counts(t, &f->index, &f->end) || tree_contains(f->end, OP_INDEX)) return false;
  tree_visit(t->kid[3], look, f);
  if (!f->fits || !f->store || !f->inner.n || tree_assigns(t->kid[3], f->index)) return false;
  const Tree *to = f->store->kid[1];
  f->fits = along_of(to, f->index) == ALONG_ONE && !mentions_any(to, &f->inner) && !mentions_any(to, &f->locals);
  for (int i = 0; i < f->loads.n; i++) {
    const Tree *from = f->loads.at[i];
    const bool own = from->kid[0]->symbol == f->store->kid[0]->symbol;
    f->reads |= own;
    f->fits &= own ? tree_equal(from, f->store) : along_of(from->kid[1], f->index) != ALONG_OTHERWISE;
  }
  return f->fits;
}

/* ---- a strip ---- */

/* A variable of the loop's body: in how many runs of statements between loops is it used? */
typedef struct Local { const Symbol *from; Symbol *to; int run; bool several; } Local;

typedef struct Strip {
  Strips *x;
  const Found *of;
  Tree *at;              /* its first element */
  int vectors, run;
  VEC(Local) locals;
} Strip;

static Local *local_of(const Strip *s, const Symbol *symbol) {
  for (int i = 0; i < s->locals.n; i++)
    if (s->locals.at[i].from == symbol) return &s->locals.at[i];
  return NULL;
}

static bool note_local(void *context, const Tree *t) {
  Strip *s = context;
  if (t->op == OP_DECLARE) vec_push(s->x->a, &s->locals, ((Local){.from = t->symbol, .run = s->run}));
  Local *l = t->op == OP_REF ? local_of(s, t->symbol) : NULL;
  if (l) l->several |= l->run != s->run;
  return true;
}

static void note_runs(Strip *s, const Tree *seq) {
  for (int i = 0; i < seq->nkids; i++) {
    const Tree *t = seq->kid[i];
    const bool apart = t->op == OP_FOR || t->op == OP_SEQ;
    s->run += apart;
    if (apart) note_runs(s, t->op == OP_FOR ? t->kid[3] : t);
    else tree_visit(t, note_local, s);
    s->run += apart;
  }
}

static Tree *lanes_of(const Strip *s) {
  return tree_int(s->x->a, TYPE_INT, kernel_vector(s->x->kernel) * s->vectors);
}

static Tree *of_lane(void *context, Arena *a, Tree *t) {
  const Strip *s = context;
  if (t->op != OP_REF) return t;
  Tree *lane = build_lane(a, OP_LANE);
  if (t->symbol == s->of->index) return build_add(a, s->at, build_cast(a, TYPE_INDEX, lane));
  const Local *l = local_of(s, t->symbol);
  return l && l->to ? build_element(a, l->to, lane) : t;
}

static bool only_comments(const TreeList *l) {
  bool all = true;
  for (int i = 0; i < l->n; i++) all &= l->at[i]->op == OP_COMMENT;
  return all;
}

/* A run of statements, for all lanes. */
static void end_run(Strip *s, TreeList *run, TreeList *to) {
  Arena *a = s->x->a;
  Tree *body = tree_seq(a, run->at, run->n);
  if (only_comments(run)) {
    for (int i = 0; i < run->n; i++) vec_push(a, to, run->at[i]);
  } else {
    Tree *lanes = tree_new(a, OP_LANES, TYPE_VOID, (SourceRange){0}, 1);
    lanes->kid[0] = body;
    lanes->vectors = s->vectors > 1 ? -s->vectors : 0;
    vec_push(a, to, lanes);
  }
  *run = (TreeList){0};
}

static Tree *statements(Strip *s, Tree *seq) {
  Arena *a = s->x->a;
  TreeList to = {0}, run = {0};
  for (int i = 0; i < seq->nkids; i++) {
    Tree *t = seq->kid[i];
    if (t->op == OP_FOR || t->op == OP_SEQ) {
      end_run(s, &run, &to);
      Tree *copy = tree_with_kids(a, t, t->kid, t->nkids);
      if (t->op == OP_FOR) copy->kid[3] = statements(s, t->kid[3]);
      else copy = statements(s, t);
      vec_push(a, &to, copy);
      continue;
    }
    const Local *l = t->op == OP_DECLARE ? local_of(s, t->symbol) : NULL;
    Tree *made = t;
    if (l && l->to) {
      if (!t->nkids) continue;
      made = build_assign(a, tree_ref(a, t->symbol), t->kid[0]);
    }
    vec_push(a, &run, tree_rewrite(a, made, of_lane, s));
  }
  end_run(s, &run, &to);
  return tree_seq(a, to.at, to.n);
}

static Tree *strip(Strips *x, const Found *f, Tree *body, Tree *at, int vectors) {
  Arena *a = x->a;
  Strip s = {.x = x, .of = f, .at = at, .vectors = vectors};
  TreeList all = {0};
  note_runs(&s, body);
  for (int i = 0; i < s.locals.n; i++) {
    Local *l = &s.locals.at[i];
    if (!l->several) continue;
    l->to = arena_one(a, Symbol);
    *l->to = *l->from;
    l->to->array = l->to->writable = true;
    l->to->constant = false;
    l->to->length = lanes_of(&s);
    vec_push(a, &all, build_declare(a, l->to, NULL));
  }
  Tree *rest = statements(&s, body);
  for (int i = 0; i < rest->nkids; i++) vec_push(a, &all, rest->kid[i]);
  return tree_seq(a, all.at, all.n);
}

/* ---- the loop ---- */

static Symbol *copy_of(Strips *x, const Symbol *s) {
  Symbol *made = arena_one(x->a, Symbol);
  *made = *s;
  return made;
}

/* for (j = from; condition; j += step) */
static Tree *loop(Strips *x, Symbol *j, Tree *from, Tree *condition, int step, Tree *body) {
  Arena *a = x->a;
  Tree *t = build_onward(a, tree_ref(a, j), condition, build_index(a, step), body, UNROLL_FREE);
  t->kid[0] = build_declare(a, j, from);
  return t;
}

static Tree *whole(Arena *a, Tree *end, int many) {
  return build_mul(a, build_div(a, end, build_index(a, many)), build_index(a, many));
}

static Tree *by_strips(Strips *x, const Found *f, Tree *t) {
  Arena *a = x->a;
  const int vector = kernel_vector(x->kernel), many = VECTORS * vector;
  Tree *end = (Tree *)f->end, *body = t->kid[3], *seq = body->op == OP_SEQ ? body : tree_seq(a, &body, 1);
  TreeList out = {0};
  if (end->op != OP_REF && end->op != OP_INT) {
    Symbol *s = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->fresh, "end"), TYPE_INDEX);
    s->constant = true;
    vec_push(a, &out, build_declare(a, s, end));
    end = tree_ref(a, s);
  }
  Symbol *wide = copy_of(x, f->index), *one = copy_of(x, f->index);
  Tree *at = tree_ref(a, wide);
  Tree *fits = build_compare(a, OP_LE, build_add(a, at, build_index(a, many)), end);
  vec_push(a, &out, loop(x, wide, build_index(a, 0), fits, many, strip(x, f, seq, at, VECTORS)));
  at = tree_ref(a, one);
  Tree *single = build_index(a, vector);
  if (f->reads) {
    fits = build_compare(a, OP_LE, build_add(a, at, single), end);
    vec_push(a, &out, loop(x, one, whole(a, end, many), fits, vector, strip(x, f, seq, at, 1)));
    Tree *rest = tree_with_kids(a, t, t->kid, t->nkids);
    rest->kid[0] = build_declare(a, t->kid[0]->symbol, whole(a, end, vector));
    vec_push(a, &out, rest);
    return tree_seq(a, out.at, out.n);
  }
  Symbol *first = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->fresh, "first"), TYPE_INDEX);
  first->constant = true;
  fits = build_both(a, build_compare(a, OP_LT, at, end), build_compare(a, OP_GE, end, single));
  Tree *of_one = strip(x, f, seq, tree_ref(a, first), 1);
  TreeList inside = {0};
  vec_push(a, &inside, build_declare(a, first, build_min(a, at, build_sub(a, end, single))));
  for (int i = 0; i < of_one->nkids; i++) vec_push(a, &inside, of_one->kid[i]);
  vec_push(a, &out, loop(x, one, whole(a, end, many), fits, vector, tree_seq(a, inside.at, inside.n)));
  vec_push(a, &out, build_if(a, build_compare(a, OP_LT, end, single), tree_seq(a, &t, 1)));
  return tree_seq(a, out.at, out.n);
}

static Tree *each_loop(void *context, Arena *a, Tree *t) {
  Strips *x = context;
  Found f;
  Tree *made = in_order_statement(a, x->kernel, t);
  if (made != t) return tree_rewrite_statements(a, made, each_loop, x);
  const bool own = t->op == OP_FOR && !tree_contains(t, OP_LANE); /* not a lane's among others */
  return own && goes_by_strips(a, t, &f) ? by_strips(x, &f, t) : t;
}

Tree *pass_strips(Arena *a, const Kernel *k, Tree *body) {
  if (tree_contains(body, OP_CHAIN)) return body; /* other threads store meanwhile */
  Strips x = {a, k, fresh_begin(a, k, body)};
  return tree_rewrite_statements(a, body, each_loop, &x);
}
