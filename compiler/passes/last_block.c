/* last_block.c: steps that are small beside the one before them -> what the last block of that one does.
 *
 *     for (k = 0; k < n; ++k) {             const bool few = ..;            they have a few blocks at most
 *       launch(clear, sums);                if (few && 0 < n) launch(clear, sums);
 *       launch(update, points, sums);       for (k = 0; k < n; ++k) {
 *       launch(move, sums, centres);          const bool more = k + 1 < n;
 *     }                                       if (!few) launch(clear, sums);
 *                                             launch(update, points, sums, few, more, ..);
 *                                             if (!few) launch(move, sums, centres);
 *                                           }
 *
 *     update:  ..                           its text as it was
 *              if (few) {
 *                arrives = thread == 0 && arrives_last(..);    the last block sees what all have stored
 *                if (any_of_block(arrives)) {
 *                  move's blocks, one after another
 *                  if (more) clear's, for the next iteration
 *                }
 *              }
 *
 * A launch costs as much as microseconds of work, and a grid of one block leaves the machine idle. Steps
 * that follow a large one, and those that the next iteration begins with, are done so where they have few blocks, which
 * the host sees. Only a step that has to do with fewer containers, and whose blocks do not become more as those of the
 * one before it do, is taken: else the large case, launched as it was, would carry text that it never comes to.
 *
 * Where launches may overlap (dependent_launch.c) this gains nothing, and is not done: blocks wait until memory has
 * what they added before they are counted, and the last one waits for memory three times more. A turn of k-means took
 * 43.8 us on an H200 with one launch and with three, and smaller ones 32.9 us in place of 29.5.
 *
 * Requires: kernel form; whole blocks come to the end of a kernel's text; steps that wait for no other block, and have
 * no shared memory.
 * Keeps: what each block of each step computes, and that steps come one after another.
 * Breaks: kernels of a loop may do what its next iteration begins with; their pointers are not `__restrict__'. */
#include "passes/last_block.h"

#include <string.h>

#include "ir/build.h"
#include "passes/fresh.h"

enum { FEW_BLOCKS = 4 };

typedef VEC(Tree *) TreeList;
typedef VEC(const Symbol *) Sizes;

typedef struct LastBlock {
  Arena *a;
  Program *program;
  Fresh names; /* the host's */
} LastBlock;

/* A large step, and what its last block does: behind it in the same iteration, and ahead of the next one. */
typedef struct Leading {
  LastBlock *pass;
  const Tree *launch, *loop; /* loop NULL: there is none, and nothing is ahead */
  TreeList behind, ahead;    /* launches */
  Fresh fresh;
  Symbol *few, *more;        /* the kernel's parameters, and the host's; few NULL: they always are */
} Leading;

/* ---- which steps ---- */

static Tree *launch_of(Tree *t) {
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  return t->op == OP_LAUNCH ? t : NULL;
}

static bool find_own(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED;
  return !*found;
}

/* May its text be followed by another one's, or follow it? */
static bool is_plain(const Kernel *k) {
  static const Op waits[] = {OP_RETURN, OP_ARRIVE, OP_BEGIN, OP_COLLECT, OP_TICKET, OP_LOOK_BACK, OP_PRIOR_TOTAL,
                             OP_RANK, OP_CLUSTER_ID, OP_SCANNER, OP_MEET, OP_DISPERSE, OP_GRID_DIM};
  for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
    if (tree_contains(k->body, waits[i])) return false;
  return !k->cluster && !k->kept && !k->unless && !k->takers && !k->together;
}

static const Tree *declared_as(const Tree *sizes, const Symbol *s) {
  for (int i = 0; i < sizes->nkids; i++)
    if (sizes->kid[i]->op == OP_DECLARE && sizes->kid[i]->symbol == s && sizes->kid[i]->nkids)
      return sizes->kid[i]->kid[0];
  return NULL;
}

static bool has(const Sizes *of, const Symbol *s) {
  for (int i = 0; i < of->n; i++)
    if (of->at[i] == s) return true;
  return false;
}

/* Sizes of operands that a number of the host's is made of; false: it is made of something else, too. */
static bool add_sizes(const LastBlock *p, const Tree *t, Sizes *to) {
  if (t->op == OP_REF && t->symbol->kind != SYMBOL_CONSTANT) {
    const Signature *s = &p->program->signature;
    for (int i = 0; i < s->n; i++)
      if (s->at[i].symbol == t->symbol) {
        if (!has(to, t->symbol)) vec_push(p->a, to, t->symbol);
        return true;
      }
    const Tree *is = declared_as(p->program->sizes, t->symbol);
    return is && add_sizes(p, is, to);
  }
  for (int i = 0; i < t->nkids; i++)
    if (!add_sizes(p, t->kid[i], to)) return false;
  return true;
}

static bool is_large(const Tree *launch) {
  return launch->kernel->threads && is_plain(launch->kernel) && !build_is(launch->kid[0], 1);
}

static int arrays(const Kernel *k) {
  int n = 0;
  for (int i = 0; i < k->nparams; i++) n += k->params[i]->pointer;
  return n;
}

/* Does a step have few blocks, whatever makes the leading one's more? It has to do with fewer containers, or one thread
 * does it. */
static bool follows(const LastBlock *p, const Tree *leading, const Tree *step) {
  const Kernel *k = step->kernel, *large = leading->kernel;
  bool shares = false;
  tree_visit(k->body, find_own, &shares);
  if (shares || !is_plain(k) || k->flag || k->cases[0] || (k->threads && k->threads != large->threads)) return false;
  if (!k->threads) return true;
  if (arrays(k) >= arrays(large)) return false;
  Sizes own = {0}, theirs = {0};
  if (!add_sizes(p, step->kid[0], &own) || !add_sizes(p, leading->kid[0], &theirs)) return false;
  for (int i = 0; i < theirs.n; i++)
    if (!has(&own, theirs.at[i])) return true;
  return false;
}

/* ---- the kernel ---- */

/* What a text is in the next iteration. */
static Tree *in_next(const Leading *x, Tree *text) {
  Arena *a = x->pass->a;
  Symbol *counter = x->loop->kid[0]->symbol;
  Tree *next = build_add(a, tree_ref(a, counter), tree_clone(a, x->loop->kid[2]->kid[1]));
  return build_with(a, text, counter, next);
}

static Tree *block_instead(void *context, Arena *a, Tree *t) {
  return t->op == OP_BLOCK_ID ? tree_clone(a, context) : t;
}

static Tree *is_first(Arena *a) {
  return build_compare(a, OP_EQ, build_lane(a, OP_THREAD), tree_int(a, TYPE_INT, 0));
}

static Tree *barrier(Arena *a) {
  Tree *t = tree_new(a, OP_BARRIER, TYPE_VOID, (SourceRange){0}, 0);
  t->scope = SCOPE_BLOCK;
  return t;
}

/* Lanes' own names in the leading kernel make room for the host's. */
static void make_room(Leading *x, Symbol *const *hosts, int n) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < x->fresh.symbols.n; k++) {
      Symbol *s = (Symbol *)x->fresh.symbols.at[k];
      if (s != hosts[i] && strcmp(s->name, hosts[i]->name) == 0) s->name = fresh_name(&x->fresh, s->name);
    }
}

/* The step's blocks, one after another. */
static Tree *blocks_of(Leading *x, const Tree *launch) {
  Arena *a = x->pass->a;
  const Kernel *k = launch->kernel;
  make_room(x, k->params, k->nparams);
  Tree *text = tree_clone(a, k->body);
  if (!k->threads) return build_if(a, is_first(a), text);
  if (build_is(launch->kid[0], 1)) return tree_rewrite(a, text, block_instead, build_index(a, 0));
  Symbol *block = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->fresh, "step_block"), TYPE_INDEX);
  block->writable = true;
  text = tree_rewrite(a, text, block_instead, tree_ref(a, block));
  return build_for(a, block, build_index(a, 0), tree_clone(a, launch->kid[0]), build_index(a, 1), text);
}

static void add_steps(Leading *x, const TreeList *steps, bool next, TreeList *to) {
  Arena *a = x->pass->a;
  for (int i = 0; i < steps->n; i++) {
    if (to->n) vec_push(a, to, barrier(a));
    if (steps->at[i]->kernel->note) vec_push(a, to, build_comment(a, steps->at[i]->kernel->note));
    Tree *text = blocks_of(x, steps->at[i]);
    vec_push(a, to, next ? in_next(x, text) : text);
  }
}

static void go_on(Leading *x) {
  Arena *a = x->pass->a;
  Kernel *k = x->launch->kernel;
  Program *p = x->pass->program;
  TreeList does = {0}, next = {0}, all = {0}, body = {0};
  add_steps(x, &x->behind, false, &does);
  add_steps(x, &x->ahead, true, &next);
  if (next.n) {
    if (does.n) vec_push(a, &does, barrier(a));
    vec_push(a, &does, build_if(a, tree_ref(a, x->more), tree_seq(a, next.at, next.n)));
  }
  Tree *blocks = tree_new(a, OP_GRID_DIM, TYPE_INT, (SourceRange){0}, 0);
  Tree *arrives = tree_binary(a, OP_ARRIVE, TYPE_BOOL, tree_ref(a, p->arrived), blocks);
  Symbol *counted = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->fresh, "arrives"), TYPE_BOOL);
  Symbol *last = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->fresh, "last"), TYPE_BOOL);
  counted->constant = last->constant = true;
  vec_push(a, &all, barrier(a)); /* the block has stored all of its own */
  vec_push(a, &all, build_declare(a, counted, build_both(a, is_first(a), arrives)));
  vec_push(a, &all, build_declare(a, last, tree_unary(a, OP_ANY_OF_BLOCK, TYPE_BOOL, tree_ref(a, counted))));
  vec_push(a, &all, build_if(a, tree_ref(a, last), tree_seq(a, does.at, does.n)));
  for (int i = 0; i < k->body->nkids; i++) vec_push(a, &body, k->body->kid[i]);
  vec_push(a, &body, build_comment(a, "the last block to arrive does the steps behind it"));
  if (x->few) vec_push(a, &body, build_if(a, tree_ref(a, x->few), tree_seq(a, all.at, all.n)));
  for (int i = 0; i < all.n && !x->few; i++) vec_push(a, &body, all.at[i]);
  k->body = tree_seq(a, body.at, body.n);
  k->goes_on = true;
}

/* Its parameters are the host's names that it uses. */
static Tree *launched(const Leading *x) {
  Arena *a = x->pass->a;
  Kernel *k = x->launch->kernel;
  const Symbols used = fresh_used(a, k->body);
  k->params = used.at;
  k->nparams = used.n;
  Tree *launch = tree_new(a, OP_LAUNCH, TYPE_VOID, (SourceRange){0}, 2 + k->nparams);
  launch->kernel = k;
  for (int i = 0; i < 2; i++) launch->kid[i] = x->launch->kid[i];
  for (int i = 0; i < k->nparams; i++) launch->kid[2 + i] = tree_ref(a, k->params[i]);
  return launch;
}

/* ---- the host ---- */

/* No step has more than a few blocks; NULL: that is known. */
static Tree *are_few(const Leading *x) {
  Arena *a = x->pass->a;
  const TreeList *steps[] = {&x->behind, &x->ahead};
  Tree *all = NULL;
  for (int s = 0; s < 2; s++)
    for (int i = 0; i < steps[s]->n; i++) {
      const Tree *blocks = steps[s]->at[i]->kid[0];
      int64_t many;
      if (tree_constant(blocks, &many) && many <= FEW_BLOCKS) continue;
      Tree *few = build_compare(a, OP_LE, tree_clone(a, blocks), build_index(a, FEW_BLOCKS));
      all = all ? build_both(a, all, few) : few;
    }
  return all;
}

static Symbol *flag(LastBlock *p, const char *name) {
  Symbol *s = symbol_new(p->a, SYMBOL_LOCAL, fresh_name(&p->names, name), TYPE_BOOL);
  s->constant = true;
  return s;
}

/* A launch where steps are not few. */
static Tree *otherwise(const Leading *x, Tree *item) {
  Arena *a = x->pass->a;
  return build_if(a, tree_unary(a, OP_NOT, TYPE_BOOL, tree_ref(a, x->few)), item);
}

static bool is_in(const TreeList *of, const Tree *launch) {
  for (int i = 0; i < of->n; i++)
    if (of->at[i] == launch) return true;
  return false;
}

/* What the first iteration begins with. */
static void begin_loop(const Leading *x, TreeList *before) {
  Arena *a = x->pass->a;
  const Symbol *counter = x->loop->kid[0]->symbol;
  Tree *first = x->loop->kid[0]->kid[0], *any = build_with(a, x->loop->kid[1], counter, first);
  int64_t from, to;
  const bool surely = tree_constant(first, &from) && tree_constant(x->loop->kid[1]->kid[1], &to) && from < to;
  if (x->few) any = surely ? tree_ref(a, x->few) : build_both(a, tree_ref(a, x->few), any);
  TreeList all = {0};
  for (int i = 0; i < x->ahead.n; i++)
    vec_push(a, &all, build_with(a, x->ahead.at[i], counter, first));
  vec_push(a, before, build_if(a, any, tree_seq(a, all.at, all.n)));
}

/* Is another launch of these statements without a scope of its own? What it declares would stand beside this one's. */
static bool has_bare(const TreeList *items, int but) {
  for (int i = 0; i < items->n; i++)
    if (i != but && items->at[i]->op == OP_LAUNCH) return true;
  return false;
}

/* The statements with the large step and what its last block does, whose launches are left where they may be many. */
static TreeList with_leading(Leading *x, const TreeList *items, TreeList *before) {
  LastBlock *p = x->pass;
  Arena *a = p->a;
  TreeList made = {0};
  Tree *few = are_few(x);
  x->fresh = fresh_begin(a, x->launch->kernel, x->launch->kernel->body);
  if (few) vec_push(a, before, build_declare(a, x->few = flag(p, "few"), few));
  if (x->ahead.n) x->more = flag(p, "more");
  Symbol *own[] = {x->few ? x->few : x->more, x->more};
  if (own[0]) make_room(x, own, own[1] ? 2 : 1);
  if (x->ahead.n) begin_loop(x, before);
  if (!p->program->arrived) {
    p->program->arrived = symbol_new(a, SYMBOL_LOCAL, fresh_name(&p->names, "arrived"), TYPE_UINT);
    p->program->arrived->pointer = p->program->arrived->writable = true;
  }
  make_room(x, &p->program->arrived, 1);
  go_on(x);
  Tree *launch = launched(x);
  for (int i = 0; i < items->n; i++) {
    Tree *item = items->at[i], *of = launch_of(item);
    if (of == x->launch) {
      if (x->more) vec_push(a, &made, build_declare(a, x->more, in_next(x, x->loop->kid[1])));
      vec_push(a, &made, has_bare(items, i) ? tree_seq(a, &launch, 1) : launch);
    } else if (!of || (!is_in(&x->behind, of) && !is_in(&x->ahead, of))) vec_push(a, &made, item);
    else if (x->few) vec_push(a, &made, otherwise(x, item));
  }
  return made;
}

/* Steps from `from' on that may be done by the last block of the one before them. */
static void add_following(const LastBlock *p, const TreeList *items, int from, int end, const Tree *leading,
                          TreeList *to) {
  for (int i = from; i < end; i++) {
    Tree *step = launch_of(items->at[i]);
    if (!step || !follows(p, leading, step)) return;
    vec_push(p->a, to, step);
  }
}

/* The iterations of a loop that the host alone counts. */
static bool is_counted(const Tree *loop) {
  return loop->kid[0] && loop->kid[0]->op == OP_DECLARE && loop->kid[0]->nkids && loop->kid[1]->op == OP_LT &&
         loop->kid[2]->op == OP_ASSIGN && loop->kid[2]->compound == OP_ADD;
}

/* One large step of the statements of a loop, or of all (loop NULL): number `at'; the last one that was looked at. */
static int lead(LastBlock *p, TreeList *items, int at, const Tree *loop, TreeList *before) {
  Tree *launch = launch_of(items->at[at]);
  if (!launch || !is_large(launch)) return at;
  Leading x = {.pass = p, .launch = launch, .loop = loop};
  add_following(p, items, at + 1, items->n, launch, &x.behind);
  if (loop && is_counted(loop) && at + 1 + x.behind.n == items->n) {
    add_following(p, items, 0, at, launch, &x.ahead);
    if (x.ahead.n < at) x.ahead.n = 0;
  }
  if (!x.behind.n && !x.ahead.n) return at;
  const int next = at + x.behind.n;
  *items = with_leading(&x, items, before);
  return x.more ? items->n : next;
}

static Tree *taken(LastBlock *p, Tree *t);

/* A loop's statements, or all; `before': what the host does ahead of them. */
static Tree *led(LastBlock *p, const Tree *seq, const Tree *loop, TreeList *before) {
  TreeList items = {0};
  for (int i = 0; i < seq->nkids; i++) {
    Tree *item = taken(p, seq->kid[i]);
    const bool grown = seq->kid[i]->op == OP_FOR && item->op == OP_SEQ; /* by what stands ahead of the loop */
    for (int n = 0; grown && n < item->nkids; n++) vec_push(p->a, &items, item->kid[n]);
    if (!grown) vec_push(p->a, &items, item);
  }
  for (int i = 0; i < items.n; i++) i = lead(p, &items, i, loop, before);
  return tree_seq(p->a, items.at, items.n);
}

static Tree *taken(LastBlock *p, Tree *t) {
  Arena *a = p->a;
  TreeList all = {0};
  if (t->op == OP_FOR && t->kid[3]->op == OP_SEQ && !tree_contains(t, OP_ASK) && !tree_contains(t, OP_BREAK)) {
    Tree *body = led(p, t->kid[3], t, &all);
    vec_push(a, &all, tree_with_kids(a, t, (Tree *[]){t->kid[0], t->kid[1], t->kid[2], body}, 4));
    return tree_seq(a, all.at, all.n);
  }
  if (t->op != OP_SEQ || launch_of(t)) return t;
  Tree *made = led(p, t, NULL, &all);
  if (!all.n) return made;
  vec_push(a, &all, made);
  return tree_seq(a, all.at, all.n);
}

/* Kernels that nobody launches any more are none of the program's. */
static void drop_kernels(Program *program) {
  int n = 0;
  for (int i = 0; i < program->nkernels; i++)
    if (tree_launches(program->launches, program->kernels[i])) program->kernels[n++] = program->kernels[i];
  program->nkernels = n;
}

void pass_last_block(Arena *a, Program *program, const Arch *m) {
  if (m->can.dependent_launch) return;
  if (program->words || program->tickets || program->posts) return;
  LastBlock p = {.a = a, .program = program};
  p.names = fresh_begin(a, &(Kernel){0}, tree_seq(a, (Tree *[]){program->sizes, program->launches}, 2));
  for (int i = 0; i < program->signature.n; i++) vec_push(a, &p.names.names, program->signature.at[i].symbol->name);
  program->launches = taken(&p, program->launches);
  program->needs_workspace |= program->arrived != NULL;
  drop_kernels(program);
}
