/* launch.c: kernels and the host's numbers: where a kernel begins and ends, a program's tunables, words for a level's
 * workers, and tiles, which are rounded up to whole grains where blocks read 16 bytes at a time. */
#include <string.h>

#include "lower/lowering.h"

/* ---- kernels ---- */

/* Steps of a grid have kernels each, which may be of one kind. */
static const char *name_of_kernel(Lowering *l, const char *name) {
  const Program *p = l->program;
  const char *wanted = arena_printf(l->a, "%s_%s", p->name, name), *found = wanted;
  for (int i = 0, number = 2; i < p->nkernels; i++)
    if (strcmp(p->kernels[i]->name, found) == 0) {
      found = arena_printf(l->a, "%s%d", wanted, number++);
      i = -1;
    }
  return found;
}

void kernel_open(Lowering *l, const NestKernel *how) {
  Kernel *k = l->now.kernel = arena_one(l->a, Kernel);
  k->name = name_of_kernel(l, how->name);
  k->note = how->note;
  k->threads = how->alone ? NULL : l->now.threads;
  k->cluster = how->cluster;
  k->takers = how->takers;
  k->unless = l->now.left;
  k->vector = l->plan->machine->vector_width;
  const int64_t half = l->plan->machine->is_cpu ? l->plan->machine->measured.half_bytes : 0;
  if (half && l->plan->machine->vector_bytes > half && l->program->widest <= half) k->stream_bytes = (int)half;
  l->now.shared = l->now.start = (Statements){0};
}

typedef struct FreeNames { Lowering *l; VEC(Symbol *) declared, used; } FreeNames;

static bool note_names(void *context, const Tree *t) {
  FreeNames *f = context;
  if (t->op == OP_DECLARE) {
    vec_push(f->l->a, &f->declared, t->symbol);
    if (t->symbol->length) tree_visit(t->symbol->length, note_names, f);
  }
  if (t->op == OP_REF && t->symbol->kind != SYMBOL_CONSTANT) {
    for (int i = 0; i < f->declared.n; i++)
      if (f->declared.at[i] == t->symbol) return true;
    for (int i = 0; i < f->used.n; i++)
      if (f->used.at[i] == t->symbol) return true;
    vec_push(f->l->a, &f->used, t->symbol);
  }
  return true;
}

/* What the kernel's text mentions of the numbers that kernels compute for themselves, as declarations; `f' has the
 * names that these are made of, and no longer theirs. */
static void add_numbers(Lowering *l, FreeNames *f, Statements *to) {
  Statements last_first = {0};
  for (int i = l->now.numbers.n - 1; i >= 0; i--) {
    const Computed *x = &l->now.numbers.at[i];
    int k = 0;
    while (k < f->used.n && f->used.at[k] != x->symbol) k++;
    if (k == f->used.n || !x->is) continue;
    for (; k + 1 < f->used.n; k++) f->used.at[k] = f->used.at[k + 1];
    f->used.n--;
    vec_push(l->a, &last_first, build_declare(l->a, x->symbol, x->is));
    tree_visit(x->is, note_names, f);
  }
  for (int i = last_first.n - 1; i >= 0; i--) vec_push(l->a, to, last_first.at[i]);
}

/* A flag stands over the whole text, and may be asked for when names of blocks before are free again. */
static void name_flag(Lowering *l, const FreeNames *f, Symbol *flag) {
  const char *wanted = flag->name;
  for (int i = 0, suffix = 2; i < f->declared.n; i++)
    if (f->declared.at[i] != flag && strcmp(f->declared.at[i]->name, flag->name) == 0) {
      flag->name = arena_printf(l->a, "%s%d", wanted, suffix++);
      i = -1;
    }
}

/* Its parameters are the host's names that its body uses. */
void kernel_close(Lowering *l, const NestKernel *how, const Statements *body) {
  Arena *a = l->a;
  Kernel *k = l->now.kernel;
  const Statements *lists[] = {&l->now.shared, &l->now.start, body};
  Statements all = {0}, step = {0};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < lists[i]->n; j++) vec_push(a, &all, lists[i]->at[j]);
  FreeNames f = {.l = l};
  for (int i = 0; i < all.n; i++) tree_visit(all.at[i], note_names, &f);
  Statements whole = {0};
  add_numbers(l, &f, &whole);
  if (k->unless) tree_visit(k->unless, note_names, &f);
  for (int i = 0; i < all.n; i++) vec_push(a, &whole, all.at[i]);
  k->body = tree_seq(a, whole.at, whole.n);
  if (k->flag) name_flag(l, &f, k->flag);
  for (int i = 0; i < MOST_CASES && k->cases[i]; i++) name_flag(l, &f, k->cases[i]);
  k->params = f.used.at;
  k->nparams = f.used.n;
  Program *program = l->program;
  Kernel **kernels = arena_many(a, Kernel *, program->nkernels + 1);
  for (int i = 0; i < program->nkernels; i++) kernels[i] = program->kernels[i];
  kernels[program->nkernels++] = k;
  program->kernels = kernels;
  if (k->flag) vec_push(a, &step, build_declare(a, k->flag, k->flag_when));
  for (int i = 0; i < MOST_CASES && k->cases[i]; i++)
    vec_push(a, &step, build_declare(a, k->cases[i], k->cases_when[i]));
  Tree *launch = tree_new(a, OP_LAUNCH, TYPE_VOID, (SourceRange){0}, 2 + k->nparams);
  launch->kernel = k;
  launch->kid[0] = how->blocks;
  launch->kid[1] = k->threads ? tree_ref(a, k->threads) : build_index(a, 1);
  for (int i = 0; i < k->nparams; i++) launch->kid[2 + i] = tree_ref(a, k->params[i]);
  vec_push(a, &step, launch);
  Tree *steps = tree_seq(a, step.at, step.n);
  vec_push(a, &l->now.launches, how->when ? build_if(a, how->when, steps) : steps);
  l->now.kernel = NULL;
}

static ProgramConstant *add_constant(Lowering *l, const Tunable *v) {
  Program *p = l->program;
  ProgramConstant *grown = arena_many(l->a, ProgramConstant, p->nconstants + 1);
  for (int i = 0; i < p->nconstants; i++) grown[i] = p->constants[i];
  ProgramConstant *c = &grown[p->nconstants++];
  p->constants = grown;
  c->tunable = *v;
  return c;
}

static void narrow(ProgramConstant *c, const Tunable *to) {
  if (to->max <= 0 || (c->tunable.max > 0 && c->tunable.max <= to->max)) return;
  c->symbol->max = c->tunable.max = to->max;
  if (c->tunable.value > to->max) c->tunable.value = to->max;
}

const ProgramConstant *lowering_constant(Lowering *l, const Tunable *v, const char *what, Type type) {
  ProgramConstant *known = (ProgramConstant *)program_constant(l->program, v->name);
  if (known) { /* another step's may be more */
    narrow(known, v);
    return known;
  }
  ProgramConstant *c = add_constant(l, v);
  c->tunable.what = what;
  c->symbol = symbol_new(l->a, SYMBOL_CONSTANT, v->name, type);
  c->symbol->min = v->min;
  c->symbol->max = v->max;
  c->symbol->multiple = v->multiple;
  c->symbol->constant = true;
  return c;
}

Tree *lowering_tunable(Lowering *l, const char *name) {
  for (int i = 1 + l->plan->machine->nlevels; i < l->plan->sizes.n; i++) {
    const Tunable *v = &l->plan->sizes.at[i].tunable;
    if (strcmp(v->name, name) == 0) return tree_ref(l->a, lowering_constant(l, v, v->what, TYPE_INT)->symbol);
  }
  return build_index(l->a, 1);
}

/* Codelets' own tunables that the program uses: what stands for them in its text is theirs. */
static bool note_own(void *context, const Tree *t) {
  Lowering *l = context;
  const Plan *plan = l->plan;
  if (t->op == OP_DECLARE && t->symbol->length) tree_visit(t->symbol->length, note_own, l);
  if (t->op != OP_REF || t->symbol->kind != SYMBOL_CONSTANT) return true;
  for (int i = 1 + plan->machine->nlevels; i < plan->sizes.n; i++)
    if (strcmp(plan->sizes.at[i].tunable.name, t->symbol->name) == 0 && !program_constant(l->program, t->symbol->name))
      add_constant(l, &plan->sizes.at[i].tunable)->symbol = t->symbol;
  return true;
}

void lowering_local_constants(Lowering *l, const Tree *sizes, const Tree *launches) {
  for (int i = 0; i < l->program->nkernels; i++) tree_visit(l->program->kernels[i]->body, note_own, l);
  tree_visit(sizes, note_own, l);
  tree_visit(launches, note_own, l);
}

/* ---- words: a level's workers ---- */

const char *grid_plural(Lowering *l, const Level *level) { return arena_printf(l->a, "%ss", level->name); }

const char *grid_worded(Lowering *l, const char *sentence, const Level *level) {
  const char *at = strstr(sentence, "%s");
  return arena_printf(l->a, "%.*s%s%s", (int)(at - sentence), sentence, level->name, at + 2);
}

const Level *grid_level_of_blocks(const Lowering *l) {
  const Arch *m = l->plan->machine;
  int i = 0;
  while (i < m->nlevels - 1 && m->levels[i].real != REAL_BLOCK) i++;
  return &m->levels[i];
}

const char *grid_most_workers(Lowering *l) {
  return arena_printf(l->a, "maximum number of %ss", grid_level_of_blocks(l)->name);
}

/* ---- grain: elements that stay together ---- */

/* One 16-byte load of every lane of a block, in elements; on a CPU some vectors, which fill cache lines. Blocks that
 * stay for a loop's steps are there anyway: all of them have a share, of whole loads of a warp. */
Tree *grid_declare_grain(Lowering *l) {
  Arena *a = l->a;
  const Arch *m = l->plan->machine;
  Tree *width = m->is_cpu ? tree_int(a, TYPE_INT, m->measured.grain_vectors) : build_width(a, l->program->element);
  const bool stay = !m->is_cpu && plan_is_persistent(plan_work(l->plan->root));
  Tree *lanes = stay ? tree_int(a, TYPE_INT, m->vector_width) : tree_ref(a, l->now.threads);
  return tree_ref(a, lowering_fixed(l, "grain", TYPE_INT, build_mul(a, lanes, width)));
}

/* Elements that are worth another worker: one for each lane of a block; on a CPU, where a thread is woken, more. */
Tree *grid_enough_work(Lowering *l) {
  Tree *lanes = tree_ref(l->a, l->now.threads);
  const Arch *m = l->plan->machine;
  return m->is_cpu ? build_mul(l->a, lanes, tree_int(l->a, TYPE_INT, m->measured.thread_vectors)) : lanes;
}

static bool cuts_adjacent_tiles(const Regroup *r) {
  const Tree *start = r->start, *end = r->end;
  return start->nkids == 3 && end->nkids == 3 && r->inc->nkids == 1 && build_is(r->inc->kid[0], 1) &&
         build_is(start->kid[0], 0) && tree_equal(start->kid[1], end->kid[0]) && tree_equal(end->kid[0], end->kid[1]);
}

Tree *grid_tile(const Regroup *r) { return r->first && cuts_adjacent_tiles(r) ? r->start->kid[1] : NULL; }

/* Adjacent tiles of whole grains: the tile is rounded up, so that only the last one has a ragged end. They cover what
 * the smaller ones covered: starts and ends are clipped to the container. Returns a tile's elements; NULL for other
 * partitions. */
Tree *grid_keep_grain(Lowering *l, Regroup *r, Tree *grain) {
  Arena *a = l->a;
  const Tree *start = r->start, *end = r->end;
  if (!cuts_adjacent_tiles(r)) return NULL;
  Tree *whole = lowering_size(l, "whole_tile", build_mul(a, build_ceil_div(a, start->kid[1], grain), grain));
  whole->symbol->max = INT64_MAX / 4; /* and 0 at least */
  r->start = tree_with_kids(a, start, (Tree *[]){start->kid[0], whole, start->kid[2]}, 3);
  r->end = tree_with_kids(a, end, (Tree *[]){whole, whole, end->kid[2]}, 3);
  return whole;
}

void grid_refuse_above(Lowering *l, Tree *many, Tree *most) {
  lowering_refuse_where(l, build_compare(l->a, OP_GT, many, most));
}

