/* hoist.c: positions that are the same for every lane of a grid are computed once, by the launcher.
 *
 * Requires: kernel form; every kernel has one LAUNCH in the program's host part.
 * Keeps: every value; a constant of the kernel that only its parameters decide becomes one more parameter.
 * Breaks: nothing.
 *
 * A kernel that takes a microsecond spends a tenth of it on 64-bit divisions and minima before its first load. Only
 * what costs more than reading a parameter is worth the move: divisions, minima, alignments, and what is made of
 * them. */
#include "passes/hoist.h"

#include "passes/predicate.h"

typedef struct Hoisted { const Symbol *from; Symbol *to; Tree *value; } Hoisted;

typedef struct Hoist {
  Arena *keep;                 /* what outlives the passes */
  const Kernel *kernel;
  VEC(Hoisted) moved;          /* in their order */
  VEC(const Tree *) constants; /* declarations whose value is known when the text is compiled */
} Hoist;

static const Hoisted *moved(const Hoist *h, const Symbol *s) {
  for (int i = 0; i < h->moved.n; i++)
    if (h->moved.at[i].from == s) return &h->moved.at[i];
  return NULL;
}

static const Tree *constant(const Hoist *h, const Symbol *s) {
  for (int i = 0; i < h->constants.n; i++)
    if (h->constants.at[i]->symbol == s) return h->constants.at[i]->kid[0];
  return NULL;
}

static bool is_parameter(const Hoist *h, const Symbol *s) {
  for (int i = 0; i < h->kernel->nparams; i++)
    if (h->kernel->params[i] == s) return true;
  return false;
}

/* What the launcher can know of a value: nothing; all, and so can the compiler of the text; all, but only when it
 * runs. */
typedef enum Known { UNKNOWN, AT_COMPILE, AT_LAUNCH } Known;

static bool is_flag(const Kernel *k, const Symbol *s) {
  bool flag = s == k->flag;
  for (int i = 0; i < MOST_CASES; i++) flag |= s == k->cases[i];
  return flag;
}

static Known known(const Hoist *h, const Tree *t) {
  switch (t->op) {
    case OP_INT: case OP_BOOL: case OP_WIDTH: case OP_ORDER_SIZE: return AT_COMPILE;
    case OP_REF:
      if (moved(h, t->symbol)) return AT_LAUNCH;
      if (constant(h, t->symbol)) return AT_COMPILE;
      if (t->symbol->kind == SYMBOL_CONSTANT) return is_flag(h->kernel, t->symbol) ? UNKNOWN : AT_COMPILE;
      return is_parameter(h, t->symbol) && !t->symbol->pointer ? AT_LAUNCH : UNKNOWN;
    case OP_TO_ALIGNED: { /* of an address: the memory is not read */
      const Tree *place = t->kid[0];
      bool address = place->op == OP_INDEX && place->kid[0]->op == OP_REF && place->kid[0]->symbol->pointer &&
                     is_parameter(h, place->kid[0]->symbol) && known(h, place->kid[1]);
      return address ? AT_LAUNCH : UNKNOWN;
    }
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_REM: case OP_MIN: case OP_MAX: case OP_CAST:
    case OP_COND: case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE: {
      Known all = AT_COMPILE;
      for (int i = 0; i < t->nkids; i++) {
        Known k = known(h, t->kid[i]);
        if (k == UNKNOWN) return UNKNOWN;
        if (k > all) all = k;
      }
      return all;
    }
    default: return UNKNOWN;
  }
}

static bool is_costly(const Tree *t) {
  return tree_contains(t, OP_DIV) || tree_contains(t, OP_REM) || tree_contains(t, OP_MIN) || tree_contains(t, OP_MAX) ||
         tree_contains(t, OP_TO_ALIGNED);
}

/* In the host's words: moved names are the host's, the kernel's compile-time constants their values. */
static Tree *in_host_words(void *context, Arena *a, Tree *t) {
  const Hoist *h = context;
  if (t->op != OP_REF) return t;
  const Hoisted *m = moved(h, t->symbol);
  if (m) return tree_ref(a, m->to);
  const Tree *value = constant(h, t->symbol);
  return value ? tree_clone(a, value) : t;
}

/* In the kernel's: moved names are its parameters. */
static Tree *in_kernel_words(void *context, Arena *a, Tree *t) {
  const Hoisted *m = t->op == OP_REF ? moved(context, t->symbol) : NULL;
  return m ? tree_ref(a, m->to) : t;
}

static bool is_integer(const Symbol *s) {
  return !s->array && !s->pointer && (s->type == TYPE_INT || s->type == TYPE_INDEX);
}

/* Takes what can go out of the statements that surely run once, in their order. */
static Tree *take_out(Hoist *h, Arena *a, Tree *seq) {
  TreeList left = {0};
  for (int i = 0; i < seq->nkids; i++) {
    Tree *t = seq->kid[i];
    if (t->op == OP_SEQ) { vec_push(a, &left, take_out(h, a, t)); continue; }
    bool candidate = t->op == OP_DECLARE && t->nkids && t->symbol->constant && is_integer(t->symbol);
    Known k = candidate ? known(h, t->kid[0]) : UNKNOWN;
    if (k == AT_COMPILE) { /* which may be made of others */
      Tree *value = tree_rewrite(h->keep, tree_clone(h->keep, t->kid[0]), in_host_words, h);
      vec_push(h->keep, &h->constants, tree_with_kids(h->keep, t, &value, 1));
    }
    if (k != AT_LAUNCH || !is_costly(t->kid[0])) { vec_push(a, &left, t); continue; }
    Hoisted m = {.from = t->symbol, .to = arena_one(h->keep, Symbol)};
    *m.to = *t->symbol;
    m.value = tree_rewrite(h->keep, tree_clone(h->keep, t->kid[0]), in_host_words, h);
    vec_push(h->keep, &h->moved, m);
  }
  return tree_seq(a, left.at, left.n);
}

/* The statements among which the kernel's launch stands, and its place there. */
static Tree *launch_of(Tree *host, const Kernel *k, int *at) {
  for (int i = 0; i < host->nkids; i++) {
    Tree *t = host->kid[i];
    *at = i;
    if (t->op == OP_LAUNCH && t->kernel == k) return host;
    Tree *found = t->op == OP_SEQ || t->op == OP_IF ? launch_of(t, k, at) : NULL;
    if (found) return found;
  }
  return NULL;
}

/* Declares the moved names before the launch; those that the kernel still mentions become its parameters. */
static void give(Hoist *h, Kernel *k, Tree *around, int at) {
  Arena *a = h->keep;
  Tree *launch = around->kid[at];
  Tree **statements = arena_many(a, Tree *, around->nkids + h->moved.n);
  int n = 0, extra = 0;
  for (int i = 0; i < at; i++) statements[n++] = around->kid[i];
  for (int i = 0; i < h->moved.n; i++) {
    Tree *declare = tree_new(a, OP_DECLARE, TYPE_VOID, (SourceRange){0}, 1);
    declare->symbol = h->moved.at[i].to;
    declare->kid[0] = h->moved.at[i].value;
    statements[n++] = declare;
    if (tree_mentions(k->body, h->moved.at[i].to)) extra++;
  }
  Tree **kids = arena_many(a, Tree *, launch->nkids + extra);
  Symbol **params = arena_many(a, Symbol *, k->nparams + extra);
  int nkids = launch->nkids, nparams = k->nparams;
  for (int i = 0; i < nkids; i++) kids[i] = launch->kid[i];
  for (int i = 0; i < nparams; i++) params[i] = k->params[i];
  for (int i = 0; i < h->moved.n; i++) {
    Symbol *s = h->moved.at[i].to;
    if (!tree_mentions(k->body, s)) continue;
    kids[nkids++] = tree_ref(a, s);
    params[nparams++] = s;
  }
  launch->kid = kids;
  launch->nkids = nkids;
  k->params = params;
  k->nparams = nparams;
  for (int i = at; i < around->nkids; i++) statements[n++] = around->kid[i];
  around->kid = statements;
  around->nkids = n;
}

void pass_hoist(Arena *a, Arena *keep, Program *p) {
  for (int i = 0; i < p->nkernels; i++) {
    Kernel *k = p->kernels[i];
    Hoist h = {.keep = keep, .kernel = k};
    int at;
    Tree *around = p->launches ? launch_of(p->launches, k, &at) : NULL;
    if (!around) continue;
    k->body = take_out(&h, a, k->body);
    if (!h.moved.n) continue;
    k->body = tree_rewrite(a, k->body, in_kernel_words, &h);
    give(&h, k, around, at);
  }
}
