/* fit.c: blocks, and tiles, as large as their shared memory allows. Arrays of states grow with the lanes; where those
 * of the widest state are more than a block may have, the block has fewer lanes. So have tiles smaller extents at
 * most.
 *
 * Requires a program whose kernels are written. Keeps what these compute. Breaks: tunables have smaller maxima. */
#include "lower/lowering.h"

/* Of a block that takes all steps: an array that one step after another has, and which step has had it last. */
typedef struct InTurns { Type type; int64_t length; int step; } InTurns;
typedef struct Turns { VEC(InTurns) all; int step; } Turns;

typedef struct Taken {
  const Symbol *last;  /* of what the launch asks for */
  Lowering *l;
  int64_t threads, bytes;
  const Tree *body;
  bool narrow;         /* elements are the narrowest, else the widest */
  const Symbol *other; /* a constant that is `of_other', the others the least they can be; NULL: each is its preset, but
                          lanes */
  int64_t of_other;
  Turns *turns;        /* NULL: arrays are in one kernel each */
} Taken;

static int64_t bytes_of(const Taken *k, Type t) { return spectrum_bytes(k->l->plan->spectrum, t, k->narrow); }

/* Elements in 16 bytes. */
static int64_t width_of(const Taken *k, Type t) {
  const int64_t bytes = bytes_of(k, t);
  return bytes > 0 && bytes < 16 ? 16 / bytes : 1;
}

static Tree *with_threads(void *context, Arena *a, Tree *t) {
  Taken *k = context;
  if (t->op == OP_WIDTH) return tree_int(a, TYPE_INT, width_of(k, t->element));
  const Tree *is = t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL ? tree_declared(k->body, t->symbol) : NULL;
  if (is) return tree_rewrite(a, (Tree *)is, with_threads, k);
  if (t->op != OP_REF || t->symbol->kind != SYMBOL_CONSTANT) return t;
  if (t->symbol == k->other) return tree_int(a, t->type, k->of_other);
  if (t->symbol == k->l->now.threads) return tree_int(a, t->type, k->threads);
  const Program *p = k->l->program;
  for (int i = 0; i < p->nconstants; i++)
    if (p->constants[i].symbol == t->symbol) {
      const Tunable *of = &p->constants[i].tunable;
      return tree_int(a, t->type, k->other ? of->min : of->value);
    }
  return t;
}

static void add_array(Taken *k, const Symbol *s) {
  int64_t length = 1;
  Tree *all = s->array ? tree_rewrite(k->l->a, s->length, with_threads, k) : NULL;
  if (all && !tree_constant(all, &length)) length = 0;
  for (int i = 0; all && k->turns && i < k->turns->all.n; i++) {
    InTurns *x = &k->turns->all.at[i];
    if (x->type != s->type || x->length != length || x->step == k->turns->step) continue;
    x->step = k->turns->step;
    return;
  }
  if (all && k->turns) vec_push(k->l->a, &k->turns->all, ((InTurns){s->type, length, k->turns->step}));
  k->bytes += length * bytes_of(k, s->type);
}

static bool add(void *context, const Tree *t) {
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED) add_array(context, t->symbol);
  return true;
}

static int64_t taken_by(Lowering *l, const Kernel *of, int64_t threads, const Symbol *other, int64_t value) {
  int64_t most = 0;
  for (int narrow = 0; narrow < 2; narrow++) {
    Taken k = {.l = l, .threads = threads, .body = of->body, .narrow = narrow, .other = other, .of_other = value};
    tree_visit(of->body, add, &k);
    for (int n = 0; n < of->nparams; n++)
      if (of->params[n]->handed) add_array(&k, of->params[n]);
    if (k.bytes > most) most = k.bytes;
  }
  return most;
}

/* All kernels, as steps of one block. */
static int64_t taken_in_turns(Lowering *l, int64_t threads, const Symbol *other, int64_t value) {
  int64_t most = 0;
  for (int narrow = 0; narrow < 2; narrow++) {
    Turns turns = {.step = 0};
    int64_t bytes = 0;
    for (; turns.step < l->program->nkernels; turns.step++) {
      const Kernel *of = l->program->kernels[turns.step];
      Taken k = {.l = l, .threads = threads, .body = of->body, .narrow = narrow, .other = other, .of_other = value,
                 .turns = &turns};
      tree_visit(of->body, add, &k);
      bytes += k.bytes;
    }
    if (bytes > most) most = bytes;
  }
  return most;
}

/* The most that a kernel takes with so many lanes a block, and a constant of that value. Those of one that stays are
 * its parts. */
static int64_t taken(Lowering *l, int64_t threads, const Symbol *other, int64_t value) {
  const bool together = plan_is_persistent(plan_work(l->plan->root));
  int64_t most = 0, all = 0;
  if (plan_is_of_one_block(plan_work(l->plan->root))) return taken_in_turns(l, threads, other, value);
  for (int i = 0; i < l->program->nkernels; i++) {
    const int64_t bytes = taken_by(l, l->program->kernels[i], threads, other, value);
    if (bytes > most) most = bytes;
    all += bytes;
  }
  return together ? all : most;
}

/* Those that add what others contributed, or are steps before and behind, share less. */
static const Kernel *kernel_of_tiles(Lowering *l) {
  const int64_t threads = program_constant(l->program, l->now.threads->name)->tunable.value;
  const Kernel *found = l->program->kernels[0];
  for (int i = 1; i < l->program->nkernels; i++)
    if (taken_by(l, l->program->kernels[i], threads, NULL, 0) > taken_by(l, found, threads, NULL, 0))
      found = l->program->kernels[i];
  return found;
}

/* Smaller presets, one after the other, where those of a wide type do not fit together. */
static void shrink_presets(Lowering *l, int64_t room) {
  const int64_t threads = program_constant(l->program, l->now.threads->name)->tunable.value;
  bool less = true;
  while (less && taken(l, threads, NULL, 0) > room) {
    less = false;
    for (int i = l->program->nconstants - 1; i >= 0 && !less; i--) {
      Tunable *t = &l->program->constants[i].tunable;
      less = l->program->constants[i].symbol != l->now.threads && t->among.n && t->value > t->min;
      if (less) t->value = tunable_below(t, t->value);
    }
  }
}

/* Extents of tiles, each for itself, up to what fits beside the least that the others can be. */
static void fit_tiles(Lowering *l, int64_t room) {
  const int64_t threads = program_constant(l->program, l->now.threads->name)->tunable.value;
  for (int i = 0; i < l->program->nconstants; i++) {
    ProgramConstant *c = &l->program->constants[i];
    Tunable *t = &c->tunable;
    while (c->symbol != l->now.threads && t->among.n && t->max > t->value &&
           taken(l, threads, c->symbol, t->max) > room) {
      t->max = tunable_below(t, t->max);
      t->among.n--;
    }
    c->symbol->max = t->max;
  }
}

/* A length in terms of the program's constants. */
static Tree *by_constants(void *context, Arena *a, Tree *t) {
  Taken *k = context;
  const Tree *is = t->op == OP_REF && t->symbol->kind == SYMBOL_LOCAL ? tree_declared(k->body, t->symbol) : NULL;
  return is ? tree_rewrite(a, (Tree *)is, by_constants, k) : t;
}

static bool note(void *context, const Tree *t) {
  Taken *k = context;
  if (t->op != OP_DECLARE || t->symbol->kind != SYMBOL_SHARED) return true;
  Program *p = k->l->program;
  Arena *a = k->l->a;
  Symbol *s = t->symbol;
  const bool large = s->aligned || !plan_compacts(k->l->plan->root); /* else declared beside it */
  if (p->asks_for_shared && s->array && large) {
    s->asked = true;
    s->behind = k->last;
    k->last = s;
  }
  Tree *length = s->array ? tree_rewrite(a, s->length, by_constants, k) : tree_int(a, TYPE_INT, 1);
  p->shared[p->nshared++] = (SharedArray){s->type, length};
  return true;
}

/* Which configurations have a type of these extents together is not known before the types are. */
static void note_shared(Lowering *l, int64_t room) {
  enum { MOST_ARRAYS = 2 * MOST_OPERANDS };
  Program *p = l->program;
  p->shared = arena_many(l->a, SharedArray, MOST_ARRAYS);
  p->most_shared = room;
  const Kernel *of = kernel_of_tiles(l);
  if (room > l->plan->machine->shared_bytes_block) p->asks_for_shared = of;
  Taken k = {.l = l, .body = of->body};
  tree_visit(k.body, note, &k);
}

bool lowering_fit(Lowering *l) {
  const Arch *m = l->plan->machine;
  const PlanNode *work = plan_tiled(l->plan->root);
  const bool rows = plan_copies_rows(l->plan->root) || plan_compacts(l->plan->root);
  const bool asks = rows || (work && (plan_multiplies(work) || work->kid[0]->traversal == TRAVERSE_PIPED));
  const int64_t room = asks ? m->shared_bytes_most : m->shared_bytes_block;
  const bool tiles = room > 0 && (work || rows);
  if (tiles) shrink_presets(l, room);
  for (int i = 0; i < l->program->nconstants && room > 0; i++) {
    ProgramConstant *c = &l->program->constants[i];
    Tunable *t = &c->tunable;
    if (c->symbol != l->now.threads) continue;
    while (t->max > t->min && taken(l, t->max, NULL, 0) > room) t->max = tunable_below(t, t->max);
    if (t->value > t->max) t->value = t->max;
    c->symbol->max = t->max;
    if (taken(l, t->max, NULL, 0) > room)
      return lowering_fail(l, l->plan->spectrum->where, "its states are more than a block's shared memory");
  }
  if (tiles) {
    fit_tiles(l, room);
    note_shared(l, room);
  }
  return true;
}
