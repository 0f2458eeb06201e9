/* persist.c: a loop whose steps are kernels -> one kernel, which stays until the loop has ended.
 *
 *     for (k = 0; k < n; ++k) {                          the host's, of launches
 *       launch(leave ..); if (left[0] != 0) break;
 *       launch(blocks, threads, step, ..);
 *     }
 *
 *     for (k = 0; k < n; ++k) {                          every block's
 *       const bool last = comes_last(met);               all have come: what they stored is there
 *       if (last) { leave's text }                       by one thread, before the others go on
 *       go_on(met, last);
 *       if (left[0] != 0) break;
 *       for (step_block = block; step_block < blocks; step_block += gridDim.x) { step's text, of that block }
 *     }
 *     disperse(met);
 *
 * The launch takes no more blocks than the machine runs at once. Each of them has several of a step's in turn, as the
 * grid would; blocks of a step that share memory with the next one of theirs are a barrier apart. Before a step all
 * blocks meet, if it reads what one since the last meeting stores, or stores what that reads. A step of one
 * thread is done while they meet, by the one that comes last; what a loop's end depends on is decided so, once for all.
 *
 * Requires: kernel form; kernels of a TOGETHER that do not wait for another block, and have the same lanes a block.
 * Keeps: what each block of each step computes, and that steps come one after another.
 * Breaks: nothing; flags, which the texts of a step are compiled for, are parameters. */
#include "passes/persist.h"

#include <string.h>

#include "ir/build.h"
#include "passes/predicate.h"

typedef struct Flag { const Symbol *from; Symbol *to; Tree *when; } Flag;

/* What steps have to do with memory: what they store to, and all that they mention; `any': what is not known. */
typedef struct Touched { VEC(const Symbol *) stored, seen; bool any; } Touched;

typedef struct Persist {
  Arena *a;
  const Kernel *first;          /* a step's, of many threads; NULL: none is met yet */
  Tree *met, *blocks;           /* blocks: the most that a step has; NULL: none yet */
  VEC(const Symbol *) counters; /* of loops */
  VEC(Flag) flags;
  VEC(const char *) names;      /* that are taken */
  Touched since;                /* the last meeting */
  VEC(Symbol *) passing;        /* shared memory that one step after another has */
  const Kernel *unfit;          /* it cannot be a part; NULL: all can */
} Persist;

static bool note_name(void *context, const Tree *t) {
  Persist *p = context;
  if (t->op == OP_REF || t->op == OP_DECLARE) vec_push(p->a, &p->names, t->symbol->name);
  if (t->op == OP_LAUNCH) tree_visit(t->kernel->body, note_name, p);
  return true;
}

static const char *fresh(Persist *p, const char *wanted) {
  const char *name = wanted;
  for (int i = 0, number = 2; i < p->names.n; i++)
    if (strcmp(p->names.at[i], name) == 0) {
      name = arena_printf(p->a, "%s%d", wanted, number++);
      i = -1;
    }
  vec_push(p->a, &p->names, name);
  return name;
}

static bool counts(const Persist *p, const Tree *t) {
  for (int i = 0; i < p->counters.n; i++)
    if (tree_mentions(t, p->counters.at[i])) return true;
  return false;
}

/* ---- one step ---- */

typedef struct InPart { Persist *p; Tree *block, *blocks; } InPart;

/* A block of the step's grid, in place of one of the kernel's. */
static Tree *in_part(void *context, Arena *a, Tree *t) {
  const InPart *x = context;
  if (t->op == OP_BLOCK_ID && x->block) return tree_clone(a, x->block);
  if (t->op == OP_GRID_DIM) return tree_clone(a, x->blocks);
  for (int i = 0; t->op == OP_REF && i < x->p->flags.n; i++)
    if (x->p->flags.at[i].from == t->symbol) return tree_ref(a, x->p->flags.at[i].to);
  return t;
}

static bool find_shared(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_ARRIVE || (t->op == OP_BARRIER && t->scope > SCOPE_WARP) ||
            (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED && !t->symbol->passing);
  return !*found;
}

static bool is_unfit(const Persist *p, const Kernel *k) {
  static const Op waits[] = {OP_RETURN, OP_BEGIN, OP_COLLECT, OP_TICKET, OP_LOOK_BACK, OP_PRIOR_TOTAL, OP_RANK,
                             OP_CLUSTER_ID, OP_SCANNER};
  for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
    if (tree_contains(k->body, waits[i])) return true;
  return k->cluster || k->kept || k->unless || (k->threads && p->first && p->first->threads != k->threads);
}

typedef struct Touching { Arena *a; Touched *to; } Touching;

static void add_symbol(Arena *a, const Symbol *s, Touched *to, bool stored) {
  if (stored) vec_push(a, &to->stored, s);
  vec_push(a, &to->seen, s);
}

static const Symbol *base_of(const Tree *place) {
  while (place->op == OP_INDEX || place->op == OP_SEE_ANY) place = place->kid[0];
  return place->op == OP_REF ? place->symbol : NULL;
}

static bool touch(void *context, const Tree *t) {
  static const Op known[] = {OP_SEQ, OP_DECLARE, OP_IF, OP_FOR, OP_WHILE, OP_BREAK, OP_CONTINUE, OP_COMMENT, OP_BARRIER,
                             OP_LOAD_WIDE, OP_APPEND_HELD};
  Touching *x = context;
  const bool stores = t->op == OP_ASSIGN || t->op == OP_ATOMIC || t->op == OP_STORE_WIDE || t->op == OP_CLAIM;
  bool is_known = stores || !op_is_statement(t->op);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= t->op == known[i];
  if (!is_known || t->op == OP_ADDRESS) x->to->any = true;
  const Symbol *to = stores ? base_of(t->kid[0]) : NULL;
  if (stores && !to) x->to->any = true;
  for (int i = 4; t->op == OP_APPEND_HELD && i < 6; i++) add_symbol(x->a, base_of(t->kid[i]), x->to, true);
  if (to && to->pointer) add_symbol(x->a, to, x->to, true);
  for (int i = 2; t->op == OP_ATOMIC && i < t->nkids; i++) /* a queue */
    if (t->kid[i]->op == OP_INDEX) add_symbol(x->a, base_of(t->kid[i]), x->to, true);
  if (t->op == OP_REF && t->symbol->pointer) add_symbol(x->a, t->symbol, x->to, false);
  return true;
}

static bool share(const Touched *x, const Touched *y) {
  for (int i = 0; i < x->stored.n; i++)
    for (int k = 0; k < y->seen.n; k++)
      if (x->stored.at[i] == y->seen.at[k]) return true;
  return false;
}

/* Has nothing since the last meeting to do with what the step stores, nor stored what it reads? */
static bool is_apart(Persist *p, const Tree *text) {
  Touched own = {.any = false};
  Touching x = {p->a, &own};
  tree_visit(text, touch, &x);
  const bool alone = !own.any && !share(&own, &p->since) && !share(&p->since, &own);
  const bool apart = !p->since.any && (!p->since.seen.n || alone);
  if (!apart) p->since = (Touched){.any = false};
  for (int i = 0; i < own.stored.n; i++) vec_push(p->a, &p->since.stored, own.stored.at[i]);
  for (int i = 0; i < own.seen.n; i++) vec_push(p->a, &p->since.seen, own.seen.at[i]);
  return apart;
}

static void meet(Persist *p, TreeList *to, Tree *alone) {
  Arena *a = p->a;
  Tree *comes = tree_unary(a, OP_COMES_LAST, TYPE_BOOL, tree_clone(a, p->met));
  Tree *last = comes;
  if (alone) {
    Symbol *s = symbol_new(a, SYMBOL_LOCAL, fresh(p, "last"), TYPE_BOOL);
    s->constant = true;
    vec_push(a, to, build_declare(a, s, comes));
    vec_push(a, to, build_if(a, tree_ref(a, s), alone));
    last = tree_ref(a, s);
  }
  vec_push(a, to, build_tree(a, OP_GO_ON, TYPE_VOID, (Tree *[]){tree_clone(a, p->met), last}, 2));
}

typedef struct Handing { Persist *p; int n; VEC(const Symbol *) from; VEC(Symbol *) to; } Handing;

/* Shared memory that a step leaves empty is the next one's, too. */
static bool hand_on(void *context, const Tree *t) {
  Handing *h = context;
  if (t->op != OP_DECLARE || !t->symbol->passing) return true;
  VEC(Symbol *) all = {0};
  vec_copy(h->p->a, &all, &h->p->passing);
  Symbol *found = NULL;
  for (int i = 0; i < all.n && !found; i++) {
    bool taken = all.at[i]->type != t->symbol->type || !tree_equal(all.at[i]->length, t->symbol->length);
    for (int k = 0; k < h->to.n; k++) taken |= h->to.at[k] == all.at[i];
    if (!taken) found = all.at[i];
  }
  if (!found) {
    found = arena_one(h->p->a, Symbol);
    *found = *t->symbol;
    found->name = fresh(h->p, t->symbol->name);
    vec_push(h->p->a, &h->p->passing, found);
  }
  vec_push(h->p->a, &h->from, t->symbol);
  vec_push(h->p->a, &h->to, found);
  return true;
}

static Tree *handed_on(void *context, Arena *a, Tree *t) {
  const Handing *h = context;
  if (t->op == OP_SEQ) {
    TreeList left = {0};
    for (int i = 0; i < t->nkids; i++)
      if (t->kid[i]->op != OP_DECLARE || !t->kid[i]->symbol->passing) vec_push(a, &left, t->kid[i]);
    return left.n == t->nkids ? t : tree_seq(a, left.at, left.n);
  }
  for (int i = 0; t->op == OP_REF && i < h->from.n; i++)
    if (h->from.at[i] == t->symbol) return tree_ref(a, h->to.at[i]);
  return t;
}

/* All blocks of a step, by those that there are. */
static void add_part(Persist *p, TreeList *to, const Tree *launch) {
  Arena *a = p->a;
  const Kernel *k = launch->kernel;
  if (is_unfit(p, k)) p->unfit = k;
  if (k->note) vec_push(a, to, build_comment(a, k->note));
  Tree *text = tree_clone(a, k->body);
  if (!k->threads) {
    p->since = (Touched){.any = false};
    meet(p, to, text);
    return;
  }
  if (!p->first) p->first = k;
  if (!is_apart(p, text)) meet(p, to, NULL);
  const bool one = build_is(launch->kid[0], 1);
  Tree *blocks = launch->kid[0];
  Symbol *block = symbol_new(a, SYMBOL_LOCAL, one ? "" : fresh(p, "step_block"), TYPE_INDEX);
  block->writable = true;
  InPart in = {p, one ? build_index(a, 0) : tree_ref(a, block), blocks};
  text = tree_rewrite(a, text, in_part, &in);
  bool shares = false;
  tree_visit(text, find_shared, &shares);
  Handing handing = {.p = p};
  tree_visit(text, hand_on, &handing);
  if (handing.to.n) text = tree_rewrite(a, text, handed_on, &handing);
  if (shares && !one) {
    Tree *barrier = tree_new(a, OP_BARRIER, TYPE_VOID, (SourceRange){0}, 0);
    barrier->scope = SCOPE_BLOCK;
    text = tree_seq(a, (Tree *[]){text, barrier}, 2);
  }
  Tree *mine = build_lane(a, OP_BLOCK_ID);
  Tree *grid = build_cast(a, TYPE_INDEX, tree_new(a, OP_GRID_DIM, TYPE_INT, (SourceRange){0}, 0));
  vec_push(a, to, one ? build_if(a, build_compare(a, OP_EQ, mine, build_index(a, 0)), text)
                      : build_for(a, block, mine, tree_clone(a, blocks), grid, text));
  if (one) return; /* as many there are in any case */
  Tree *most = counts(p, blocks) ? build_index(a, INT32_MAX) : tree_clone(a, blocks);
  p->blocks = p->blocks && !tree_equal(p->blocks, most) ? build_max(a, p->blocks, most) : most;
}

/* ---- the loop ---- */

/* A flag that the launcher computes becomes a parameter, or, where it differs by turns, a number of the kernel's. */
static void add_flag(Persist *p, TreeList *to, const Tree *declare) {
  Arena *a = p->a;
  Symbol *s = symbol_new(a, SYMBOL_LOCAL, fresh(p, declare->symbol->name), TYPE_BOOL);
  s->constant = true;
  const Flag f = {declare->symbol, s, tree_clone(a, declare->kid[0])};
  vec_push(a, &p->flags, f);
  if (!counts(p, f.when)) return;
  vec_push(a, to, build_declare(a, s, f.when));
  p->flags.at[p->flags.n - 1].when = NULL;
}

static void add(Persist *p, TreeList *to, const Tree *t);

static Tree *whole(Persist *p, const Tree *t) {
  TreeList all = {0};
  add(p, &all, t);
  return tree_seq(p->a, all.at, all.n);
}

static void add(Persist *p, TreeList *to, const Tree *t) {
  Arena *a = p->a;
  switch (t->op) {
    case OP_SEQ:
      for (int i = 0; i < t->nkids; i++) add(p, to, t->kid[i]);
      break;
    case OP_DECLARE: add_flag(p, to, t); break;
    case OP_LAUNCH: add_part(p, to, t); break;
    case OP_FOR: {
      vec_push(a, &p->counters, t->kid[0]->symbol);
      p->since.any = true; /* what the turn before did */
      Tree *body = whole(p, t->kid[3]);
      p->since.any = true;
      vec_push(a, to, tree_with_kids(a, t, (Tree *[]){t->kid[0], t->kid[1], t->kid[2], body}, 4));
      break;
    }
    case OP_IF:
      if (t->kid[1]->nkids == 1 && t->kid[1]->kid[0]->op == OP_BREAK) vec_push(a, to, tree_clone(a, t));
      else {
        Tree *then = whole(p, t->kid[1]);
        p->since.any = true; /* or not, where it does not hold */
        vec_push(a, to, build_if(a, tree_clone(a, t->kid[0]), then));
      }
      break;
    default: vec_push(a, to, tree_clone(a, t)); break;
  }
}

/* ---- the kernel ---- */

typedef struct Names { Arena *a; VEC(Symbol *) declared, used; } Names;

static bool note_free(void *context, const Tree *t) {
  Names *n = context;
  if (t->op == OP_DECLARE) {
    vec_push(n->a, &n->declared, t->symbol);
    if (t->symbol->length) tree_visit(t->symbol->length, note_free, n);
  }
  if (t->op != OP_REF || t->symbol->kind == SYMBOL_CONSTANT) return true;
  for (int i = 0; i < n->declared.n; i++)
    if (n->declared.at[i] == t->symbol) return true;
  for (int i = 0; i < n->used.n; i++)
    if (n->used.at[i] == t->symbol) return true;
  vec_push(n->a, &n->used, t->symbol);
  return true;
}

static bool launches(const Tree *t, const Kernel *k) {
  if (t->op == OP_LAUNCH) return t->kernel == k;
  for (int i = 0; i < t->nkids; i++)
    if (t->kid[i] && launches(t->kid[i], k)) return true;
  return false;
}

/* In the place of the loop's kernels stands the one. */
static void take_kernels(Program *program, const Tree *loop, Kernel *by) {
  int n = 0;
  for (int i = 0; i < program->nkernels; i++) {
    Kernel *k = program->kernels[i];
    if (!launches(loop, k)) program->kernels[n++] = k;
    else if (by) {
      program->kernels[n++] = by;
      by = NULL;
    }
  }
  program->nkernels = n;
}

static const char *name_of(Arena *a, const Program *program) {
  const char *name = arena_printf(a, "%s_turns", program->name);
  for (int i = 0, number = 2; i < program->nkernels; i++)
    if (strcmp(program->kernels[i]->name, name) == 0) {
      name = arena_printf(a, "%s_turns%d", program->name, number++);
      i = -1;
    }
  return name;
}

/* The host's declarations, and its launch. */
static Tree *one_launch(Persist *p, Program *program, const Tree *loop) {
  Arena *a = p->a;
  TreeList host = {0}, body = {0};
  tree_visit(loop, note_name, p);
  add(p, &body, loop);
  vec_push(a, &body, tree_unary(a, OP_DISPERSE, TYPE_VOID, tree_clone(a, p->met)));
  TreeList whole_text = {0};
  for (int i = 0; i < p->passing.n; i++) vec_push(a, &whole_text, build_declare(a, p->passing.at[i], NULL));
  for (int i = 0; i < body.n; i++) vec_push(a, &whole_text, body.at[i]);
  Kernel *k = arena_one(a, Kernel);
  *k = (Kernel){.name = name_of(a, program), .threads = p->first ? p->first->threads : NULL, .together = true,
                .vector = p->first ? p->first->vector : 0, .body = tree_seq(a, whole_text.at, whole_text.n),
                .note = "All turns of a loop: its blocks run at once, and wait for one another before each step."};
  Names n = {.a = a};
  tree_visit(k->body, note_free, &n);
  k->params = n.used.at;
  k->nparams = n.used.n;
  for (int i = 0; i < p->flags.n; i++)
    if (p->flags.at[i].when) vec_push(a, &host, build_declare(a, p->flags.at[i].to, p->flags.at[i].when));
  Tree *launch = tree_new(a, OP_LAUNCH, TYPE_VOID, (SourceRange){0}, 2 + k->nparams);
  launch->kernel = k;
  launch->kid[0] = p->blocks ? p->blocks : build_index(a, 1);
  launch->kid[1] = k->threads ? tree_ref(a, k->threads) : build_index(a, 1);
  for (int i = 0; i < k->nparams; i++) launch->kid[2 + i] = tree_ref(a, k->params[i]);
  vec_push(a, &host, launch);
  take_kernels(program, loop, k);
  return tree_seq(a, host.at, host.n);
}

/* The program's statements, with those loops as launches. */
static Tree *in_one(Arena *a, Program *program, Tree *t, const Kernel **unfit) {
  if (t->op == OP_TOGETHER) {
    Persist p = {.a = a, .met = t->kid[0]};
    Tree *made = one_launch(&p, program, t->kid[1]);
    if (p.unfit) *unfit = p.unfit;
    return made;
  }
  if (t->op != OP_SEQ && t->op != OP_IF && t->op != OP_FOR) return t;
  Tree **kids = arena_many(a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) kids[i] = t->kid[i] ? in_one(a, program, t->kid[i], unfit) : NULL;
  return tree_with_kids(a, t, kids, t->nkids);
}

bool pass_persist(Arena *a, Program *program, Diagnostics *d) {
  if (!program->met) return true;
  const Kernel *unfit = NULL;
  program->launches = in_one(a, program, program->launches, &unfit);
  if (unfit)
    diagnostics_internal(d, (SourceRange){0}, "persist: %s cannot be a part of a kernel that stays", unfit->name);
  return !unfit;
}
