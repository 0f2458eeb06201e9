/* example_output.c: an Output made by hand, for the tests of what is printed from one. */
#include "example_output.h"

#include <string.h>

#include "ir/build.h"
#include "ir/nest.h"

static const char source[] = "line one\nT serial() {}\nT tree() {}\nT tiled() {}\n";

static SourceRange place(const SourceFile *f, const char *what) {
  unsigned at = (unsigned)(strstr(source, what) - source);
  return (SourceRange){f, at, at + (unsigned)strlen(what)};
}

static Codelet *codelet(Arena *a, Spectrum *s, const char *tag, CodeletClass kind, const SourceFile *f) {
  Codelet *c = arena_one(a, Codelet);
  c->spectrum = s;
  c->tag = tag;
  c->letter = (char)('a' + s->ncodelets);
  c->params = arena_one(a, Symbol *);
  c->params[c->nparams++] = symbol_new(a, SYMBOL_PARAM, "in", TYPE_ELEM);
  c->params[0]->rank = 1;
  c->body = tree_seq(a, NULL, 0);
  c->kind = kind;
  c->where = place(f, tag);
  s->codelets[s->ncodelets++] = c;
  return c;
}

static Arch *machine(Arena *a) {
  static SyncWay grid_sync = {.name = "terminate/launch"}, block_sync = {.name = "__syncthreads()"};
  Arch *m = arena_one(a, Arch);
  m->name = "sm_60";
  m->title = "Pascal (Tesla P100)";
  m->family = "cuda";
  m->compute = 60;
  m->nlevels = 3;
  m->vector_width = 32;
  m->levels = arena_many(a, Level, 3);
  m->levels[0] = (Level){.name = "grid", .letter = "G", .sub = &m->levels[1], .real = REAL_GRID,
                         .sync = &grid_sync, .nsync = 1};
  m->levels[1] = (Level){.name = "block", .letter = "B", .capability = CAP_VECTOR, .sub = &m->levels[2], .depth = 1,
                         .real = REAL_BLOCK, .sync = &block_sync, .nsync = 1};
  m->levels[2] = (Level){.name = "thread", .letter = "T", .capability = CAP_SCALAR, .depth = 2, .real = REAL_THREAD};
  arch_derive(m);
  return m;
}

static Rule *rule(Arena *a, const char *name, const Spectrum *s, const Codelet *c, const Level *level, StepKind map) {
  Rule *r = arena_one(a, Rule);
  r->name = name;
  r->spectrum = s;
  r->codelet = c;
  r->level = level;
  r->map = map;
  r->steps = arena_many(a, Step, 2);
  if (map == STEP_DISTRIBUTE) r->steps[r->nsteps++] = (Step){.kind = STEP_SYNC, .level = level};
  r->steps[r->nsteps++] = (Step){.kind = map, .level = level, .spectrum = s, .codelet = c};
  return r;
}

static PlanNode *node(Arena *a, const Rule *r, Combine combine, PlanNode *first, PlanNode *second) {
  PlanNode *n = arena_one(a, PlanNode);
  n->rule = r;
  n->combine = combine;
  if (first) n->kid[n->nkids++] = first;
  if (second) n->kid[n->nkids++] = second;
  if (r->level->sub) n->axis = (Axis){.level = r->level->sub, .real = r->level->sub->real};
  return n;
}

static Plan *plan(Arena *a, const Spectrum *s, const Arch *m, PlanNode *root) {
  Plan *p = arena_one(a, Plan);
  p->root = root;
  p->spectrum = s;
  p->machine = m;
  SizeVar size = {.tunable = {.name = "blocks", .min = 32, .max = 1024, .value = 256, .multiple = 32}};
  vec_push(a, &p->sizes, size);
  return p;
}

/* ---- programs ---- */

static Tree *statement(Arena *a, Op op, Scope scope) {
  Tree *t = tree_new(a, op, TYPE_VOID, (SourceRange){0}, 0);
  t->scope = scope;
  return t;
}

static Tree *declare(Arena *a, Symbol *s) {
  Tree *t = tree_new(a, OP_DECLARE, TYPE_VOID, (SourceRange){0}, 0);
  t->symbol = s;
  return t;
}

static Kernel *kernel(Arena *a, const char *name, const char *note, Symbol *threads, Tree **body, int n) {
  Kernel *k = arena_one(a, Kernel);
  k->name = name;
  k->note = note;
  k->threads = threads;
  k->body = tree_seq(a, body, n);
  return k;
}

static Program *program(Arena *a, const Spectrum *s, const char *id, int nkernels) {
  Program *p = arena_one(a, Program);
  p->nest = nest_node(a, NEST_OPEN, "grid.tiled");
  nest_add(a, p->nest, nest_kernel(a, &(NestKernel){.name = "blocks", .blocks = build_index(a, 4)}));
  p->name = "sum";
  p->id = id;
  p->generic = true;
  p->element = p->result = TYPE_ELEM;
  p->signature = signature_of(a, s, TYPE_ELEM, TYPE_ELEM);
  p->constants = arena_one(a, ProgramConstant);
  p->nconstants = 1;
  p->constants[0] = (ProgramConstant){.symbol = symbol_new(a, SYMBOL_CONSTANT, "threads", TYPE_INT),
                                      .tunable = {.name = "threads", .value = 256, .min = 32, .max = 1024,
                                                  .multiple = 32, .what = "lanes of a block"}};
  p->kernels = arena_many(a, Kernel *, nkernels);
  p->sizes = tree_seq(a, NULL, 0);
  p->launches = tree_seq(a, NULL, 0);
  return p;
}

/* T parts[threads / 32]; int flag; two block barriers */
static Program *two_kernels(Arena *a, const Spectrum *s) {
  Program *p = program(a, s, "aa11bb22", 2);
  Symbol *threads = p->constants[0].symbol;
  Symbol *parts = symbol_new(a, SYMBOL_SHARED, "parts", TYPE_ELEM);
  Symbol *flag = symbol_new(a, SYMBOL_SHARED, "flag", TYPE_INT);
  parts->array = true;
  parts->length = tree_binary(a, OP_DIV, TYPE_INT, tree_ref(a, threads), tree_int(a, TYPE_INT, 32));
  Tree *body[] = {declare(a, flag), declare(a, parts), statement(a, OP_BARRIER, SCOPE_BLOCK),
                  statement(a, OP_BARRIER, SCOPE_BLOCK)};
  p->kernels[p->nkernels++] = kernel(a, "sum_block", NULL, threads, body, 4);
  p->kernels[p->nkernels++] = kernel(a, "sum_one_block", "One block acts for the grid.", threads, NULL, 0);
  Symbol *blocks = symbol_new(a, SYMBOL_LOCAL, "blocks", TYPE_INDEX);
  p->workspace_head = WORKSPACE_COUNTER;
  p->partial = symbol_new(a, SYMBOL_LOCAL, "partial", TYPE_ELEM);
  program_add_array(a, p, p->partial, tree_ref(a, blocks));
  p->needs_workspace = true;
  return p;
}

/* One shuffle, a warp barrier, an add to shared memory, two to the result. */
static Program *with_shuffles(Arena *a, const Spectrum *s) {
  Program *p = program(a, s, "aa33cc44", 1);
  Symbol *value = symbol_new(a, SYMBOL_LOCAL, "value", TYPE_ELEM);
  Symbol *total = symbol_new(a, SYMBOL_SHARED, "total", TYPE_ELEM);
  Symbol *out = symbol_new(a, SYMBOL_PARAM, "out", TYPE_ELEM);
  out->pointer = true;
  Tree *shuffle = tree_binary(a, OP_SHUFFLE, TYPE_ELEM, tree_ref(a, value), tree_int(a, TYPE_INT, 16));
  Tree *place = tree_binary(a, OP_INDEX, TYPE_ELEM, tree_ref(a, out), tree_int(a, TYPE_INT, 0));
  Tree *body[6] = {declare(a, total), statement(a, OP_BARRIER, SCOPE_WARP)};
  for (int i = 2; i < 5; i++) {
    body[i] = tree_new(a, OP_ATOMIC, TYPE_VOID, (SourceRange){0}, 2);
    body[i]->atomic = ATOMIC_ADD;
    body[i]->scope = i == 2 ? SCOPE_BLOCK : SCOPE_DEVICE;
    body[i]->kid[0] = i == 2 ? tree_ref(a, total) : place;
    body[i]->kid[1] = i == 2 ? shuffle : tree_ref(a, value);
  }
  p->kernels[p->nkernels++] = kernel(a, "sum_block", NULL, p->constants[0].symbol, body, 5);
  return p;
}

static Variant with_text(Arena *a, const Output *o, const Plan *plan, const Program *program) {
  Variant v = {.plan = plan, .program = program, .types = o->types, .ntypes = o->ntypes, .text = buffer_new(a)};
  buffer_printf(&v.text, "// a head\n\nnamespace sum_%s {\n} // namespace\n", plan->id);
  return v;
}

Output *example_output(Arena *a) {
  Output *o = arena_one(a, Output);
  SourceFile *f = arena_one(a, SourceFile);
  *f = (SourceFile){.path = "/some/where/sum.cdl", .text = source, .size = sizeof source - 1};
  Spectrum *s = arena_one(a, Spectrum);
  s->name = "sum";
  s->result = TYPE_ELEM;
  s->op = OPERATOR_ADD;
  s->codelets = arena_many(a, Codelet *, 3);
  Codelet *serial = codelet(a, s, "serial", CLASS_AUTONOMOUS, f), *tree = codelet(a, s, "tree", CLASS_COOPERATIVE, f),
          *tiled = codelet(a, s, "tiled", CLASS_COMPOUND, f);
  (void)serial;
  tree->plain.shared_arrays = 1;
  tree->shuffled.shuffles = 1;
  Arch *m = machine(a);
  const Level *grid = &m->levels[0], *block = &m->levels[1];
  Rule *over_grid = rule(a, "G3", s, tiled, grid, STEP_DISTRIBUTE);
  Rule *in_block = rule(a, "B2", s, tree, block, STEP_COMPUTE);

  Plan *first = plan(a, s, m, node(a, over_grid, COMBINE_SPECTRUM, node(a, in_block, COMBINE_NONE, NULL, NULL),
                                   node(a, in_block, COMBINE_NONE, NULL, NULL)));
  first->text = "grid.tiled(block.tree, block.tree)";
  first->id = "aa11bb22";
  first->category = CATEGORY_BASELINE;
  first->determinism = DETERMINISM_GPU_TO_GPU;
  first->determinism_why = "every width is a constant or follows from n";
  first->batch_invariant = true;
  first->batch_invariant_why = "the order follows from n";
  first->kernels = 2;

  PlanNode *shuffled = node(a, in_block, COMBINE_NONE, NULL, NULL);
  shuffled->shuffled = true;
  Plan *second = plan(a, s, m, node(a, over_grid, COMBINE_ATOMIC, shuffled, NULL));
  second->text = "grid.tiled!atomic(block.tree+shuffle)";
  second->id = "aa33cc44";
  second->letter = "m";
  second->category = CATEGORY_SHUFFLE;
  second->determinism = DETERMINISM_NOT_GUARANTEED;
  second->determinism_why = "atomics on floating elements come in any order";
  second->batch_invariant_why = "the result depends on the order of arrival";
  second->kernels = 1;

  o->file = f;
  o->spectrum = s;
  o->name = s->name;
  o->machine = m;
  o->types = arena_many(a, const ElementType *, 2);
  o->types[o->ntypes++] = element_by_name("int");
  o->types[o->ntypes++] = element_by_name("double");
  o->variants = arena_many(a, Variant, 2);
  o->variants[o->nvariants++] = with_text(a, o, first, two_kernels(a, s));
  o->variants[o->nvariants++] = with_text(a, o, second, with_shuffles(a, s));
  TableRow rows[] = {{.type = "int", .up_to = 4096, .variant = "aa11bb22"},
                     {.type = "int", .up_to = UINT64_MAX, .variant = "aa33cc44"},
                     {.type = "double", .up_to = UINT64_MAX, .variant = "aa33cc44"}};
  tunables_parse(a, "threads=512 blocks=56", &rows[2].set);
  for (int i = 0; i < 3; i++) vec_push(a, &o->table.rows, rows[i]);
  return o;
}

Output *example_cpu_output(Arena *a) {
  Output *o = example_output(a);
  Arch *m = arena_one(a, Arch);
  *m = *o->machine;
  m->name = "avx2";
  m->family = "cpu";
  m->is_cpu = true;
  m->compute = 0;
  o->machine = m;
  return o;
}
