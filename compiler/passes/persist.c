/* persist.c: a loop whose steps are kernels -> one kernel, which stays until the loop has ended.
 *
 *     for (k = 0; k < n; ++k) {                          the host's, of launches
 *       launch(leave ..); if (left[0] != 0) break;
 *       launch(blocks, threads, step, ..);
 *     }
 *
 *     for (k = 0; k < n; ++k) {                          every block's
 *       meet(met, due);                                  all have come: what they stored is there
 *       if (many[0] == 0) break;                         what leave would have told them
 *       const Index filled = many[0];
 *       if (filled != 0)                                 else there is nothing to do, as all of them know
 *         for (step_block = block; step_block < blocks; step_block += gridDim.x) { step's text, of that block }
 *     }
 *     disperse(met, due);
 *
 * So do the kernels right before it, if blocks of the same lanes can be theirs: a meeting takes less time than a
 * launch.
 *
 * The launch takes no more blocks than the machine runs at once. Each of them has several of a step's in turn, as the
 * grid would; blocks of a step that share memory with the next one of theirs are a barrier apart. Where blocks meet is
 * meetings.c's. A step of one thread is done while they meet, by the one that comes last; but what a loop's end depends
 * on each block finds out by itself, where it can, and so whether there is anything to do in a step (agreed.c).
 *
 * All kernels of a sequence of steps may be one, too, of one block: it has all blocks of each step in turn, and what is
 * a meeting else is a barrier. A step's shared memory is the next one's as well.
 *
 * A loop that a condition alone ends is counted, too: where it gives up, so does the kernel, and the word by which the
 * loop is left, which one thread sets to 1 otherwise, stays 0.
 *
 * Requires: kernel form; kernels of a TOGETHER that do not wait for another block, and have the same lanes a block.
 * Keeps: what each block of each step computes, and that steps come one after another.
 * Breaks: nothing; flags, which the texts of a step are compiled for, are parameters. */
#include "passes/persist.h"

#include <string.h>

#include "ir/build.h"
#include "passes/agreed.h"
#include "passes/fresh.h"
#include "passes/meetings.h"

/* Of a multiprocessor's, where lanes follow what memory says: they wait for it most of the time, and more registers
 * each would leave room for fewer of them. */
enum { RESIDENT_LANES = 1024 };

typedef struct Flag { const Symbol *from; Symbol *to; Tree *when; } Flag;

/* A number in the kernel's text, statement `number' of it: where it is 0, the text does nothing; -1: there is none. */
typedef struct Work { const Kernel *of; int number; } Work;

typedef struct Persist {
  Arena *a;
  const Kernel *first;          /* a step's, of many threads; NULL: none is met yet */
  Meetings meetings;
  Tree *blocks;                 /* the most that a step has; NULL: none yet */
  VEC(const Symbol *) counters; /* of loops */
  VEC(Flag) flags;
  VEC(const char *) names;      /* that are taken */
  VEC(const char *) beside;     /* .. by numbers that stand before their steps */
  VEC(Work) work;               /* of kernels, once it was looked for */
  VEC(Symbol *) passing;        /* shared memory that one step after another has */
  const Kernel *unfit;          /* it cannot be a part; NULL: all can */
  bool endless;                 /* of the loop at hand: a condition alone ends it, and the host asks whether it did */
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

/* The same, where other texts have had it for themselves: steps' numbers stand side by side. */
static const char *own_name(Persist *p, const char *wanted) {
  for (int i = 0; i < p->beside.n; i++)
    if (strcmp(p->beside.at[i], wanted) == 0) wanted = fresh(p, wanted);
  vec_push(p->a, &p->beside, wanted);
  return wanted;
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

static bool of_one_block(const Persist *p) { return !p->meetings.met; }

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

typedef struct Handing { Persist *p; int n; VEC(const Symbol *) from; VEC(Symbol *) to; } Handing;

static bool find_local(void *context, const Tree *t) {
  bool *found = context;
  *found |= t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL;
  return !*found;
}

/* Shared memory that a step leaves empty is the next one's, too; of one block, whose steps have barriers between them,
 * all that is as long in each text. */
static bool is_handed_on(const Persist *p, const Symbol *s) {
  bool local = false;
  if (of_one_block(p) && s->kind == SYMBOL_SHARED && s->array && !s->passing) tree_visit(s->length, find_local, &local);
  else return s->passing;
  return !local;
}

static bool hand_on(void *context, const Tree *t) {
  Handing *h = context;
  if (t->op != OP_DECLARE || !is_handed_on(h->p, t->symbol)) return true;
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
      if (t->kid[i]->op != OP_DECLARE || !is_handed_on(h->p, t->kid[i]->symbol)) vec_push(a, &left, t->kid[i]);
    return left.n == t->nkids ? t : tree_seq(a, left.at, left.n);
  }
  for (int i = 0; t->op == OP_REF && i < h->from.n; i++)
    if (h->from.at[i] == t->symbol) return tree_ref(a, h->to.at[i]);
  return t;
}

/* The step's text, with shared memory that was another's. */
static Tree *with_shared(Persist *p, Tree *text) {
  Handing handing = {.p = p};
  tree_visit(text, hand_on, &handing);
  return handing.to.n ? tree_rewrite(p->a, text, handed_on, &handing) : text;
}

/* The blocks of a step, by those that there are; `shares': one has shared memory that the next one has too. */
static void add_blocks(Persist *p, TreeList *to, const Tree *launch, Tree *text, bool shares) {
  Arena *a = p->a;
  const bool one = build_is(launch->kid[0], 1), alone = of_one_block(p);
  Tree *blocks = launch->kid[0];
  Symbol *block = symbol_new(a, SYMBOL_LOCAL, one ? "" : fresh(p, "step_block"), TYPE_INDEX);
  block->writable = true;
  InPart in = {p, one ? build_index(a, 0) : tree_ref(a, block), blocks};
  text = tree_rewrite(a, text, in_part, &in);
  if (shares && !one) {
    Tree *barrier = tree_new(a, OP_BARRIER, TYPE_VOID, (SourceRange){0}, 0);
    barrier->scope = SCOPE_BLOCK;
    text = tree_seq(a, (Tree *[]){text, barrier}, 2);
  }
  Tree *mine = alone ? build_index(a, 0) : build_lane(a, OP_BLOCK_ID);
  Tree *grid = build_cast(a, TYPE_INDEX, tree_new(a, OP_GRID_DIM, TYPE_INT, (SourceRange){0}, 0));
  if (alone) grid = build_index(a, 1);
  vec_push(a, to, one && alone ? text
                  : one ? build_if(a, build_compare(a, OP_EQ, mine, build_index(a, 0)), text)
                      : build_for(a, block, mine, tree_clone(a, blocks), grid, text));
  if (one || alone) return; /* as many there are in any case */
  Tree *most = counts(p, blocks) ? build_index(a, INT32_MAX) : tree_clone(a, blocks);
  p->blocks = p->blocks && !tree_equal(p->blocks, most) ? build_max(a, p->blocks, most) : most;
}

/* ---- steps that all blocks know to do nothing ---- */

static int work_of(Persist *p, const Kernel *k) {
  for (int i = 0; i < p->work.n; i++)
    if (p->work.at[i].of == k) return p->work.at[i].number;
  const Work found = {k, agreed_work(p->a, k)};
  vec_push(p->a, &p->work, found);
  return found.number;
}

static bool is_needed(const TreeList *by, const Symbol *s) {
  for (int i = 0; i < by->n; i++)
    if (tree_mentions(by->at[i]->kid[0], s)) return true;
  return false;
}

/* The number, and those that it is made of, stand before the step, which comes under the condition that it is not 0. */
static Tree *take_out(Persist *p, TreeList *to, Tree **text, int number) {
  Arena *a = p->a;
  const TreeList all = agreed_numbers(a, *text);
  TreeList out = {0}, left = {0};
  Tree *work = (*text)->kid[number];
  vec_push(a, &out, work);
  for (int i = all.n - 1; i >= 0; i--)
    if (all.at[i] != work && is_needed(&out, all.at[i]->symbol)) vec_push(a, &out, all.at[i]);
  for (int i = 0; i < (*text)->nkids; i++) {
    bool taken = false;
    for (int k = 0; k < out.n; k++) taken |= out.at[k] == (*text)->kid[i];
    if (!taken) vec_push(a, &left, (*text)->kid[i]);
  }
  *text = tree_seq(a, left.at, left.n);
  TreeList numbers = {0};
  for (int i = out.n - 1; i >= 0; i--) vec_push(a, &numbers, out.at[i]);
  const Tree *reads = tree_seq(a, numbers.at, numbers.n);
  meetings_before(&p->meetings, to, reads);
  for (int i = 0; i < numbers.n; i++) {
    numbers.at[i]->symbol->name = own_name(p, numbers.at[i]->symbol->name);
    vec_push(a, to, numbers.at[i]);
  }
  meetings_behind(&p->meetings, to, reads);
  return build_compare(a, OP_NE, tree_ref(a, work->symbol), tree_int(a, work->symbol->type, 0));
}

static void add_part(Persist *p, TreeList *to, const Tree *launch) {
  Arena *a = p->a;
  const Kernel *k = launch->kernel;
  if (is_unfit(p, k)) p->unfit = k;
  if (k->note) vec_push(a, to, build_comment(a, k->note));
  Tree *text = tree_clone(a, k->body);
  if (!k->threads && of_one_block(p)) {
    text = build_if(a, build_compare(a, OP_EQ, build_lane(a, OP_THREAD), tree_int(a, TYPE_INT, 0)), text);
    meetings_before(&p->meetings, to, text);
    vec_push(a, to, text);
    meetings_behind(&p->meetings, to, text);
    return;
  }
  if (!k->threads) {
    Symbol *last = symbol_new(a, SYMBOL_LOCAL, fresh(p, "last"), TYPE_BOOL);
    last->constant = true;
    meetings_add(&p->meetings, to, text, last);
    return;
  }
  if (!p->first) p->first = k;
  const int number = work_of(p, k);
  Tree *when = number >= 0 ? take_out(p, to, &text, number) : NULL;
  const Meetings around = meetings_copy(&p->meetings);
  TreeList does = {0};
  TreeList *into = when ? &does : to;
  bool shares = false;
  tree_visit(text, find_shared, &shares);
  text = with_shared(p, text);
  meetings_before(&p->meetings, into, text);
  add_blocks(p, into, launch, text, shares);
  /* else its blocks' barrier lies behind each of them */
  if (!of_one_block(p) || !shares || build_is(launch->kid[0], 1)) meetings_behind(&p->meetings, into, text);
  if (!when) return;
  vec_push(a, to, build_if(a, when, tree_seq(a, does.at, does.n)));
  meetings_may_be(&p->meetings, &around);
}

/* ---- whether a loop ends ---- */

/* One thread would store a number that the loop is left by, which all blocks have: each decides for itself. */
static bool add_decision(Persist *p, TreeList *to, const Tree *launch, const Tree *leaves) {
  Arena *a = p->a;
  const Tree *text = launch->kernel->body;
  const TreeList numbers = agreed_numbers(a, text);
  Tree *store = NULL;
  int others = 0;
  for (int i = 0; i < text->nkids; i++)
    if (text->kid[i]->op == OP_ASSIGN) store = text->kid[i];
    else others += text->kid[i]->op != OP_COMMENT;
  const Tree *asks = leaves->kid[0];
  if (launch->kernel->threads || !store || store->compound || others != numbers.n || !agreed(store->kid[1], &numbers) ||
      asks->op != OP_NE || !build_is(asks->kid[1], 0) || !tree_equal(asks->kid[0], store->kid[0]))
    return false;
  Tree *is = store->kid[1];
  for (int i = numbers.n - 1; i >= 0; i--) is = build_with(a, is, numbers.at[i]->symbol, numbers.at[i]->kid[0]);
  is = tree_clone(a, is);
  meetings_before(&p->meetings, to, is);
  const bool truth = is->op == OP_CAST && is->kid[0]->type == TYPE_BOOL;
  Tree *ends = truth ? is->kid[0] : build_compare(a, OP_NE, is, tree_int(a, is->type, 0));
  Tree *first = build_compare(a, OP_EQ, build_lane(a, OP_THREAD), tree_int(a, TYPE_INT, 0));
  if (!of_one_block(p))
    first = build_both(a, build_compare(a, OP_EQ, build_lane(a, OP_BLOCK_ID), build_index(a, 0)), first);
  Tree *notes = build_if(a, first, build_assign(a, tree_clone(a, asks->kid[0]), tree_int(a, TYPE_INT, 1)));
  Tree *out = tree_clone(a, leaves->kid[1]->kid[0]), *both[] = {notes, out};
  vec_push(a, to, build_if(a, ends, p->endless ? tree_seq(a, both, 2) : tree_seq(a, &out, 1)));
  meetings_behind(&p->meetings, to, is);
  return true;
}

/* ---- the loop ---- */

/* A flag that the launcher computes becomes a parameter, or, where it differs by turns, a number of the kernel's. */
static void add_flag(Persist *p, TreeList *to, const Tree *declare) {
  Arena *a = p->a;
  Symbol *s = symbol_new(a, SYMBOL_LOCAL, fresh(p, declare->symbol->name), declare->symbol->type);
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

static bool is_leave(const Tree *t) {
  return t->op == OP_IF && t->kid[1]->nkids == 1 && t->kid[1]->kid[0]->op == OP_BREAK;
}

/* The outermost loop: what was done since the last meeting in one turn is so when the next one begins. So the text is
 * made again until that adds nothing. */
static Tree *turns(Persist *p, const Tree *body) {
  const Persist begun = *p;
  Meetings entry = meetings_copy(&p->meetings);
  for (;;) {
    const int known = entry.open.n + entry.asked.n + entry.any;
    *p = begun;
    p->meetings = meetings_copy(&entry);
    if (!of_one_block(p)) p->meetings.sites = 0; /* all have met before the loop */
    Tree *made = whole(p, body);
    const Meetings behind = meetings_copy(&p->meetings);
    meetings_may_be(&entry, &behind);
    entry.asked = behind.asked;
    if (entry.open.n + entry.asked.n + entry.any == known) return made;
  }
}

/* Is it so in itself, and not for a loop in it? */
static bool gives_up(const Tree *loop) {
  const Tree *body = loop->kid[3], *last = body->nkids ? body->kid[body->nkids - 1] : NULL;
  return last && last->op == OP_IF && tree_contains(last, OP_GIVE_UP);
}

static void add_loop(Persist *p, TreeList *to, const Tree *t) {
  vec_push(p->a, &p->counters, t->kid[0]->symbol);
  const bool outermost = p->counters.n == 1, around = p->endless;
  p->endless = gives_up(t);
  if (!outermost) p->meetings.any = true; /* what the turn before did */
  Tree *body = outermost ? turns(p, t->kid[3]) : whole(p, t->kid[3]);
  p->meetings.any = true;
  p->endless = around;
  vec_push(p->a, to, tree_with_kids(p->a, t, (Tree *[]){t->kid[0], t->kid[1], t->kid[2], body}, 4));
}

static void add_each(Persist *p, TreeList *to, const Tree *t) {
  for (int i = 0; i < t->nkids; i++) {
    const Tree *launch = t->kid[i], *next = i + 1 < t->nkids ? t->kid[i + 1] : NULL;
    while (launch->op == OP_SEQ && launch->nkids == 1) launch = launch->kid[0];
    if (launch->op == OP_LAUNCH && next && is_leave(next) && add_decision(p, to, launch, next)) i++;
    else add(p, to, t->kid[i]);
  }
}

static void add(Persist *p, TreeList *to, const Tree *t) {
  Arena *a = p->a;
  switch (t->op) {
    case OP_SEQ: add_each(p, to, t); break;
    case OP_DECLARE: add_flag(p, to, t); break;
    case OP_LAUNCH: add_part(p, to, t); break;
    case OP_FOR: add_loop(p, to, t); break;
    case OP_GIVE_UP: /* all blocks do: out of the one loop that they stay for, to where they disperse */
      vec_push(a, to, build_tree(a, of_one_block(p) ? OP_RETURN : OP_BREAK, TYPE_VOID, NULL, 0));
      break;
    case OP_IF:
      if (is_leave(t) && of_one_block(p)) {
        meetings_before(&p->meetings, to, t->kid[0]);
        vec_push(a, to, tree_clone(a, t));
        meetings_behind(&p->meetings, to, t->kid[0]);
      } else if (is_leave(t)) vec_push(a, to, tree_clone(a, t));
      else {
        const Meetings around = meetings_copy(&p->meetings);
        Tree *then = whole(p, t->kid[1]);
        meetings_may_be(&p->meetings, &around);
        vec_push(a, to, build_if(a, tree_clone(a, t->kid[0]), then));
      }
      break;
    default: vec_push(a, to, tree_clone(a, t)); break;
  }
}

/* ---- the kernel ---- */

/* In the place of the loop's kernels stands the one. */
static void take_kernels(Program *program, const Tree *loop, Kernel *by) {
  int n = 0;
  for (int i = 0; i < program->nkernels; i++) {
    Kernel *k = program->kernels[i];
    if (!tree_launches(loop, k)) program->kernels[n++] = k;
    else if (by) {
      program->kernels[n++] = by;
      by = NULL;
    }
  }
  program->nkernels = n;
}

static const char *name_of(Arena *a, const Program *program, const char *of) {
  const char *name = arena_printf(a, "%s_%s", program->name, of);
  for (int i = 0, number = 2; i < program->nkernels; i++)
    if (strcmp(program->kernels[i]->name, name) == 0) {
      name = arena_printf(a, "%s_%s%d", program->name, of, number++);
      i = -1;
    }
  return name;
}

static Symbol *number_of_blocks(Persist *p, const char *name) {
  Symbol *s = symbol_new(p->a, SYMBOL_LOCAL, fresh(p, name), TYPE_UINT);
  s->writable = true;
  return s;
}

/* The lanes of a block of the loop's. */
static bool find_threads(void *context, const Tree *t) {
  const Symbol **threads = context;
  if (t->op == OP_LAUNCH && t->kernel->threads && !*threads) *threads = t->kernel->threads;
  return !*threads;
}

/* How many of the statements right before the loop are launches that the kernel can make unnecessary. */
static int launches_before(const Persist *p, const Tree *all, int at) {
  const Symbol *threads = NULL;
  int n = 0;
  tree_visit(all->kid[at]->kid[1], find_threads, &threads);
  for (; n < at && threads; n++) {
    const Tree *t = all->kid[at - 1 - n];
    bool shares = false;
    while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
    if (t->op != OP_LAUNCH || t->kernel->threads != threads || is_unfit(p, t->kernel)) break;
    tree_visit(t->kernel->body, find_shared, &shares);
    if (shares) break;
  }
  return n;
}

/* Is a meeting the first that a loop does, if it does anything? */
static bool meets_first(const Tree *t, bool outermost) {
  int64_t first, end;
  if (t->op == OP_SEQ) {
    int i = 0;
    while (i < t->nkids && t->kid[i]->op == OP_COMMENT) i++;
    return i < t->nkids && meets_first(t->kid[i], outermost);
  }
  if (t->op != OP_FOR) return t->op == OP_MEET;
  const bool some = tree_constant(t->kid[0]->kid[0], &first) && tree_constant(t->kid[1]->kid[1], &end) && first < end;
  return (outermost || some) && meets_first(t->kid[3], false);
}

/* The host's declarations, and its launch; `before': launches that come first. */
static Tree *one_launch(Persist *p, Program *program, const Tree *before, const Tree *loop) {
  Arena *a = p->a;
  TreeList host = {0}, body = {0}, whole_text = {0};
  tree_visit(before, note_name, p);
  tree_visit(loop, note_name, p);
  Meetings *m = &p->meetings;
  m->due = number_of_blocks(p, "due");
  m->since = number_of_blocks(p, "since");
  add(p, &body, before);
  TreeList meeting = {0}, rest = {0};
  meetings_add(m, &meeting, NULL, NULL);
  add(p, &rest, loop);
  Tree *turns = tree_seq(a, rest.at, rest.n);
  if (before->nkids && !meets_first(turns, true)) vec_push(a, &body, meeting.at[0]);
  vec_push(a, &body, turns);
  if (m->met) {
    Tree *kids[] = {tree_clone(a, m->met), tree_ref(a, m->due)};
    vec_push(a, &body, build_tree(a, OP_DISPERSE, TYPE_VOID, kids, 2));
    vec_push(a, &whole_text, build_declare(a, m->due, tree_int(a, TYPE_UINT, 0)));
  }
  if (m->asked.n) vec_push(a, &whole_text, build_declare(a, m->since, tree_int(a, TYPE_UINT, 0)));
  for (int i = 0; i < p->passing.n; i++) vec_push(a, &whole_text, build_declare(a, p->passing.at[i], NULL));
  for (int i = 0; i < body.n; i++) vec_push(a, &whole_text, body.at[i]);
  Kernel *k = arena_one(a, Kernel);
  *k = (Kernel){.name = name_of(a, program, m->met ? "turns" : "steps"),
                .threads = p->first ? p->first->threads : NULL, .together = m->met, .goes_on = !m->met,
                .vector = p->first ? p->first->vector : 0, .body = tree_seq(a, whole_text.at, whole_text.n),
                .note = m->met ? "All turns of a loop: its blocks run at once, and wait for one another before each "
                                 "step."
                               : "All steps, by one block: its lanes wait for one another between them."};
  if (tree_contains(k->body, OP_SEE_ANY)) k->resident_lanes = RESIDENT_LANES;
  const Symbols used = fresh_used(a, k->body);
  k->params = used.at;
  k->nparams = used.n;
  for (int i = 0; i < p->flags.n; i++)
    if (p->flags.at[i].when) vec_push(a, &host, build_declare(a, p->flags.at[i].to, p->flags.at[i].when));
  Tree *launch = tree_new(a, OP_LAUNCH, TYPE_VOID, (SourceRange){0}, 2 + k->nparams);
  launch->kernel = k;
  launch->kid[0] = p->blocks ? p->blocks : build_index(a, 1); /* of one block, there is no more */
  launch->kid[1] = k->threads ? tree_ref(a, k->threads) : build_index(a, 1);
  for (int i = 0; i < k->nparams; i++) launch->kid[2 + i] = tree_ref(a, k->params[i]);
  vec_push(a, &host, launch);
  take_kernels(program, before, NULL);
  take_kernels(program, loop, k);
  return tree_seq(a, host.at, host.n);
}

static Tree *together(Arena *a, Program *program, const Tree *before, const Tree *t, const Kernel **unfit) {
  Persist p = {.a = a, .meetings = {.a = a, .met = t->kid[0]->op == OP_INT ? NULL : t->kid[0]}};
  Tree *made = one_launch(&p, program, before, t->kid[1]);
  if (p.unfit) *unfit = p.unfit;
  return made;
}

/* The program's statements, with those loops as launches. */
static Tree *in_one(Arena *a, Program *program, Tree *t, const Kernel **unfit) {
  if (t->op == OP_TOGETHER) return together(a, program, tree_seq(a, NULL, 0), t, unfit);
  if (t->op != OP_SEQ && t->op != OP_IF && t->op != OP_FOR) return t;
  const Persist none = {.a = a};
  TreeList kids = {0};
  for (int i = 0; i < t->nkids; i++) {
    const bool loop = t->op == OP_SEQ && t->kid[i]->op == OP_TOGETHER && t->kid[i]->kid[0]->op == OP_REF;
    const int before = loop ? launches_before(&none, t, i) : 0;
    kids.n -= before;
    Tree *first = tree_seq(a, &t->kid[i - before], before);
    vec_push(a, &kids, loop           ? together(a, program, first, t->kid[i], unfit)
                       : t->kid[i]    ? in_one(a, program, t->kid[i], unfit)
                                      : NULL);
  }
  return t->op == OP_SEQ ? tree_seq(a, kids.at, kids.n) : tree_with_kids(a, t, kids.at, kids.n);
}

bool pass_persist(Arena *a, Program *program, Diagnostics *d) {
  if (!tree_contains(program->launches, OP_TOGETHER)) return true;
  const Kernel *unfit = NULL;
  program->launches = in_one(a, program, program->launches, &unfit);
  if (unfit)
    diagnostics_internal(d, (SourceRange){0}, "persist: %s cannot be a part of a kernel that stays", unfit->name);
  return !unfit;
}
