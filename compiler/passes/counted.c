/* counted.c: the number of elements, read on the device.
 *
 *   kernel(whole_tile, n, in, out)        kernel(in, out, count, most, p)
 *                                           after_earlier_grids();
 *                                           const Index n = *count < most ? *count : most;
 *                                           const Index tile = .., whole_tile = ..;
 *
 * Requires: kernel form, after all passes.
 * Keeps: the bodies' statements and names: what the host computed from n is declared under the same name at the head.
 * Breaks: nothing. How many blocks there are stays the host's, from the most elements there may be: with fewer, later
 * blocks find their parts empty, as they do where tiles are rounded up. A kernel's flag `once', the host's too, says
 * that each part is one round: parts are never larger than those of `most'. */
#include "passes/counted.h"

#include "ir/build.h"

typedef VEC(Symbol *) Symbols;
typedef VEC(const Tree *) Declarations;

typedef struct Counting {
  Arena *a;
  const Program *program;
  Program *made;
  Declarations sizes;  /* the host's, ahead of the launch that is looked at */
  Symbols grid;        /* those that say how many blocks there are: they stay */
} Counting;

static bool is_among(const Symbols *all, const Symbol *s) {
  for (int i = 0; i < all->n; i++)
    if (all->at[i] == s) return true;
  return false;
}

static void add_once(Arena *a, Symbols *all, Symbol *s) {
  if (!is_among(all, s)) vec_push(a, all, s);
}

static const Tree *declaration(const Counting *c, const Symbol *s) {
  for (int i = 0; i < c->sizes.n; i++)
    if (c->sizes.at[i]->symbol == s) return c->sizes.at[i];
  return NULL;
}

static bool changes(const Counting *c, const Tree *t);

/* Does the host compute it from n? */
static bool depends(const Counting *c, const Symbol *s) {
  if (s == c->program->n) return true;
  if (is_among(&c->grid, s)) return false;
  const Tree *d = declaration(c, s);
  return d && d->nkids && changes(c, d->kid[0]);
}

static bool changes(const Counting *c, const Tree *t) {
  if (t->op == OP_REF) return depends(c, t->symbol);
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && changes(c, t->kid[i])) return true;
  return false;
}

/* Is it known when the text is compiled? */
static bool is_fixed(const Counting *c, const Tree *t) {
  if (t->op == OP_REF) {
    const Tree *d = declaration(c, t->symbol);
    if (d) return !is_among(&c->grid, t->symbol) && d->nkids && is_fixed(c, d->kid[0]);
    for (int i = 0; i < c->program->nconstants; i++)
      if (c->program->constants[i].symbol == t->symbol) return !c->program->constants[i].tunable.at_launch;
    return false;
  }
  for (int i = 0; i < t->nkids; i++)
    if (!is_fixed(c, t->kid[i])) return false;
  return true;
}

typedef struct Needs {
  Counting *c;
  Symbols declared; /* again, in the kernel */
  Symbols passed;   /* as parameters */
} Needs;

static bool need(void *context, const Tree *t);

static void need_symbol(Needs *n, Symbol *s) {
  Counting *c = n->c;
  if (s == c->program->n || is_among(&n->declared, s)) return;
  const Tree *d = declaration(c, s);
  if (depends(c, s) || (d && d->nkids && is_fixed(c, d->kid[0]) && !is_among(&c->grid, s))) {
    add_once(c->a, &n->declared, s);
    tree_visit(d->kid[0], need, n);
  } else if (s->kind != SYMBOL_CONSTANT || !is_fixed(c, tree_ref(c->a, s))) add_once(c->a, &n->passed, s);
}

static bool need(void *context, const Tree *t) {
  if (t->op == OP_REF) need_symbol(context, t->symbol);
  return true;
}

static Symbol *parameter(Arena *a, const char *name, Type type, bool pointer) {
  Symbol *s = symbol_new(a, SYMBOL_PARAM, name, type);
  s->pointer = s->constant = pointer;
  return s;
}

/* *count, but not more than `most'. */
static Tree *declare_n(Arena *a, Symbol *n, Symbol *count, Symbol *most) {
  Tree *there = build_element(a, count, build_index(a, 0));
  Tree *least = tree_new(a, OP_COND, TYPE_INDEX, (SourceRange){0}, 3);
  least->kid[0] = build_compare(a, OP_LT, there, build_cast(a, TYPE_ULONG, tree_ref(a, most)));
  least->kid[1] = build_cast(a, TYPE_INDEX, tree_clone(a, there));
  least->kid[2] = tree_ref(a, most);
  return build_declare(a, n, least);
}

static Tree *without_wait(void *context, Arena *a, Tree *t) {
  (void)context;
  if (t->op != OP_SEQ) return t;
  VEC(Tree *) left = {0};
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i]->op != OP_AFTER_GRIDS) vec_push(a, &left, t->kid[i]);
  return tree_seq(a, left.at, left.n);
}

/* The head of the kernel: waits, reads the number, and computes what the host computed from it. */
static Tree *with_head(Needs *needs, const Kernel *k, Symbol *count, Symbol *most) {
  Arena *a = needs->c->a;
  VEC(Tree *) all = {0};
  const Tree *body = tree_rewrite(a, k->body, without_wait, NULL);
  int first = 0;
  while (first < body->nkids && body->kid[first]->op == OP_DECLARE && body->kid[first]->symbol->kind == SYMBOL_SHARED)
    vec_push(a, &all, body->kid[first++]);
  if (k->overlaps) vec_push(a, &all, tree_new(a, OP_AFTER_GRIDS, TYPE_VOID, (SourceRange){0}, 0));
  vec_push(a, &all, declare_n(a, needs->c->program->n, count, most));
  for (int i = 0; i < needs->c->sizes.n; i++) {
    const Tree *d = needs->c->sizes.at[i];
    if (is_among(&needs->declared, d->symbol)) vec_push(a, &all, build_declare(a, d->symbol, tree_clone(a, d->kid[0])));
  }
  for (int i = first; i < body->nkids; i++) vec_push(a, &all, body->kid[i]);
  return tree_seq(a, all.at, all.n);
}

/* The launch of a kernel that reads the number itself; that of another as it was. */
static Tree *counted_launch(Counting *c, const Tree *launch) {
  Arena *a = c->a;
  const Kernel *k = launch->kernel;
  Needs needs = {.c = c};
  bool any = false;
  for (int i = 0; i < k->nparams; i++) any |= depends(c, k->params[i]);
  Kernel *made = arena_one(a, Kernel);
  *made = *k;
  c->made->kernels[c->made->nkernels++] = made;
  Tree *t = tree_with_kids(a, launch, launch->kid, launch->nkids);
  t->kernel = made;
  if (!any) return t;

  for (int i = 0; i < k->nparams; i++) need_symbol(&needs, k->params[i]);
  Symbol *count = parameter(a, "count", TYPE_ULONG, true), *most = parameter(a, "most", TYPE_INDEX, false);
  made->body = with_head(&needs, k, count, most);
  made->nparams = needs.passed.n + 2;
  made->params = arena_many(a, Symbol *, made->nparams);
  Tree **kids = arena_many(a, Tree *, made->nparams + 2);
  kids[0] = launch->kid[0];
  kids[1] = launch->kid[1];
  for (int i = 0; i < needs.passed.n; i++) {
    made->params[i] = needs.passed.at[i];
    kids[2 + i] = tree_ref(a, needs.passed.at[i]);
  }
  made->params[needs.passed.n] = count;
  made->params[needs.passed.n + 1] = most;
  kids[2 + needs.passed.n] = tree_ref(a, c->made->count);
  kids[3 + needs.passed.n] = tree_ref(a, c->program->n);
  t = tree_with_kids(a, t, kids, made->nparams + 2);
  t->kernel = made;
  return t;
}

static void note_sizes(Counting *c, const Tree *t) {
  if (t->op == OP_DECLARE && t->nkids && t->symbol->kind != SYMBOL_CONSTANT) vec_push(c->a, &c->sizes, t);
}

static void note_grid(Counting *c, const Tree *t) {
  if (t->op == OP_LAUNCH && t->kid[0]->op == OP_REF) add_once(c->a, &c->grid, t->kid[0]->symbol);
  for (int i = 0; i < t->nkids; i++)
    if (t->op == OP_SEQ) note_grid(c, t->kid[i]);
}

static Tree *host_part(Counting *c, const Tree *seq);

/* A loop around steps. */
static Tree *loop_of_host(Counting *c, const Tree *loop) {
  Tree *kids[] = {loop->kid[0], loop->kid[1], loop->kid[2], host_part(c, loop->kid[3])};
  return tree_with_kids(c->a, loop, kids, loop->nkids);
}

/* The host's part: its steps, each its sizes and a launch, in their order. */
static Tree *host_part(Counting *c, const Tree *seq) {
  Tree **kids = arena_many(c->a, Tree *, seq->nkids);
  int before = c->sizes.n;
  for (int i = 0; i < seq->nkids; i++) {
    const Tree *t = seq->kid[i];
    note_sizes(c, t);
    kids[i] = t->op == OP_LAUNCH ? counted_launch(c, t)
              : t->op == OP_SEQ  ? host_part(c, t)
              : t->op == OP_FOR  ? loop_of_host(c, t)
                                 : seq->kid[i];
  }
  c->sizes.n = before;
  return tree_seq(c->a, kids, seq->nkids);
}

/* The statements without declarations that none of the later ones, of `then' and of the workspace of `p' (NULL: none)
 * mentions: kernels have made them their own. */
static Tree *without_unused(Arena *a, const Tree *seq, const Tree *then, const Program *p) {
  Tree **left = arena_many(a, Tree *, seq->nkids);
  int n = seq->nkids;
  for (int i = seq->nkids - 1; i >= 0; i--) {
    Tree *t = seq->kid[i];
    bool used = t->op != OP_DECLARE || (then && tree_mentions(then, t->symbol)) ||
                t->symbol->kind == SYMBOL_CONSTANT;
    for (int k = 0; p && k < p->workspace.n && !used; k++)
      used = tree_mentions(p->workspace.at[k].elements, t->symbol);
    for (int k = n; k < seq->nkids && !used; k++) used = tree_mentions(left[k], t->symbol);
    if (used) left[--n] = t->op == OP_SEQ ? without_unused(a, t, NULL, NULL) : t;
  }
  return tree_seq(a, left + n, seq->nkids - n);
}

Program *counted_program(Arena *a, const Program *p) {
  Counting c = {.a = a, .program = p, .made = arena_one(a, Program)};
  *c.made = *p;
  c.made->count = parameter(a, "count", TYPE_ULONG, true);
  c.made->kernels = arena_many(a, Kernel *, p->nkernels);
  c.made->nkernels = 0;
  note_grid(&c, p->launches);
  for (int i = 0; i < p->sizes->nkids; i++) note_sizes(&c, p->sizes->kid[i]);
  c.made->launches = without_unused(a, host_part(&c, p->launches), NULL, NULL);
  c.made->sizes = without_unused(a, p->sizes, c.made->launches, p);
  return c.made;
}
