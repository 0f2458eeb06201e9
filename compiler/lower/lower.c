/* lower.c: a plan's nodes as kernels and the host's part.
 *
 * Each node is lowered at a place (which lanes run it), on a view (the container as they see it), towards a
 * destination (where the place's leader puts the result). Grid nodes become kernels and launches; the nodes
 * below become statements of the kernel that is open. */
#include "lower/lower.h"

#include <string.h>

#include "lower/lowering.h"
#include "passes/kernel_passes.h"

/* ---- services for the other files ---- */

const char *lowering_name(Lowering *l, const char *wanted) {
  const char *name = wanted;
  for (int suffix = 2;; suffix++) {
    bool taken = false;
    for (int i = 0; i < l->names.n && !taken; i++) taken = strcmp(l->names.at[i], name) == 0;
    for (int i = 0; i < l->shared.n && !taken; i++) taken = strcmp(l->shared.at[i]->symbol->name, name) == 0;
    if (!taken) break;
    name = arena_printf(l->a, "%s%d", wanted, suffix);
  }
  vec_push(l->a, &l->names, name);
  return name;
}

void lowering_add(Lowering *l, Tree *statement) { vec_push(l->a, l->to, statement); }

void lowering_comment(Lowering *l, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  lowering_add(l, build_comment(l->a, arena_vprintf(l->a, fmt, ap)));
  va_end(ap);
}

const char *lowering_source(Lowering *l, const Codelet *c) {
  if (!c->where.file) return c->tag;
  const char *path = c->where.file->path, *slash = strrchr(path, '/');
  int line, column;
  source_position(c->where.file, c->where.begin, &line, &column);
  return arena_printf(l->a, "%s (%s:%d)", c->tag, slash ? slash + 1 : path, line);
}

Symbol *lowering_shared(Lowering *l, const char *name, Type type, Tree *length) {
  Symbol *s = symbol_new(l->a, SYMBOL_SHARED, lowering_name(l, name), type);
  s->array = length != NULL;
  s->length = length;
  vec_push(l->a, &l->shared, build_declare(l->a, s, NULL));
  return s;
}

void lowering_deliver(Lowering *l, const Place *p, Tree *value, Destination *to) {
  Arena *a = l->a;
  if (to->kind == TO_REGISTER) {
    if (value->op == OP_REF && value->symbol->kind == SYMBOL_LOCAL && !value->symbol->array) {
      to->value = value->symbol;
      return;
    }
    to->value = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, to->name), value->type);
    lowering_add(l, build_declare(a, to->value, value));
    return;
  }
  Tree *store;
  if (to->kind == TO_PLACE) store = build_assign(a, to->place, value);
  else {
    store = tree_new(a, OP_ATOMIC, TYPE_VOID, (SourceRange){0}, 2);
    store->kid[0] = to->place;
    store->kid[1] = value;
    store->number = to->atomic;
    store->scope = to->scope;
  }
  lowering_add(l, p->leader ? build_if(a, p->leader, store) : store);
}

static bool fail(Lowering *l, SourceRange where, const char *what) {
  if (!l->failed) diagnostics_add(l->d, DIAG_ERROR, where, NULL, "cannot lower %s: %s", l->plan->text, what);
  l->failed = true;
  return false;
}

/* ---- places ---- */

static Tree *lane_is_first(Lowering *l, Op lane) {
  return build_compare(l->a, OP_EQ, build_lane(l->a, lane), tree_int(l->a, TYPE_INT, 0));
}

static Tree *vector_width(Lowering *l) { return tree_int(l->a, TYPE_INT, l->plan->machine->vector_width); }

static Tree *warps_of_block(Lowering *l) { return build_div(l->a, tree_ref(l->a, l->threads), vector_width(l)); }

static Place place_at(Lowering *l, const Level *level) {
  Arena *a = l->a;
  switch (level->real) {
    case REAL_BLOCK:
      return (Place){level, build_lane(a, OP_THREAD), tree_ref(a, l->threads), NULL, lane_is_first(l, OP_THREAD), true};
    case REAL_WARP:
      return (Place){level, build_lane(a, OP_LANE), vector_width(l),
                     build_mul(a, build_lane(a, OP_WARP), vector_width(l)), lane_is_first(l, OP_LANE), false};
    default:
      return (Place){level, tree_int(a, TYPE_INT, 0), tree_int(a, TYPE_INT, 1), NULL, NULL, false};
  }
}

/* Most elements that a node at `level` can serve, as an expression; NULL: any number. */
static Tree *serves(Lowering *l, const PlanNode *n, const Level *level) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  if (!c) return serves(l, n->kid[0], level->sub);
  if (c->kind == CLASS_AUTONOMOUS) return NULL;
  if (c->kind == CLASS_COOPERATIVE) return place_at(l, level).lanes;
  const Level *below = n->axis.second ? n->axis.second : n->axis.level;
  Tree *part = n->rule->map == STEP_SERIALIZE ? NULL : serves(l, n->kid[0], below);
  if (!part) return NULL;
  Tree *parts = below->real == REAL_WARP ? warps_of_block(l) : place_at(l, level).lanes;
  if (level->real == REAL_BLOCK && below->real == REAL_WARP && build_is(part, l->plan->machine->vector_width))
    return tree_ref(a, l->threads); /* threads / 32 warps of 32 */
  return build_mul(a, parts, part);
}

/* ---- below the grid ---- */

/* Moves what the lanes hold into shared memory: one lane's element is another's to read (a relayout). */
static View spill(Lowering *l, const Place *p, const View *in) {
  Arena *a = l->a;
  Symbol *parts = lowering_shared(l, "parts", in->register_of->type, tree_ref(a, l->threads));
  lowering_add(l, build_assign(a, build_element(a, parts, build_lane(a, OP_THREAD)), tree_ref(a, in->register_of)));
  Tree *begin = p->first ? p->first : build_index(a, 0);
  return (View){.base = parts, .begin = begin, .end = build_add(a, begin, in->count), .step = build_index(a, 1),
                .size = in->count};
}

static void lower_devolve(Lowering *l, const PlanNode *n, const Place *p, View *in, Destination *to) {
  Arena *a = l->a;
  View memory = in->register_of ? spill(l, p, in) : *in;
  const Level *sub = p->level->sub;
  Place below = place_at(l, sub);
  Tree *one = sub->real == REAL_WARP ? lane_is_first(l, OP_WARP) : p->leader;
  lowering_comment(l, "%s > %s: one %s acts for all", p->level->name, sub->name, sub->name);
  Statements inner = {0}, *outer = l->to;
  int names = l->names.n;
  l->to = &inner;
  lowering_node(l, n->kid[0], &below, &memory, to);
  l->to = outer;
  l->names.n = names;
  lowering_add(l, one ? build_if(a, one, tree_seq(a, inner.at, inner.n)) : tree_seq(a, inner.at, inner.n));
}

static void lower_compute(Lowering *l, const PlanNode *n, const Place *p, View *in, Destination *to) {
  const Codelet *c = n->rule->codelet;
  const Form *form = n->shuffled ? &c->shuffled : &c->plain;
  View view = *in;
  bool lanes_differ = c->kind == CLASS_AUTONOMOUS || !inline_reads_own_lane(c, form);
  if (view.register_of && lanes_differ) view = spill(l, p, in);
  lowering_comment(l, "%s: %s%s", p->level->name, lowering_source(l, c),
                   n->shuffled ? ", exchanging registers" : "");
  inline_codelet(l, c, form, p, &view, to);
}

/* The partition of a compound codelet's map, wherever its text wrote it. */
typedef struct FindPartition { const Tree *found; } FindPartition;

static bool find_partition(void *context, const Tree *t) {
  FindPartition *f = context;
  if (t->op == OP_PARTITION) f->found = t;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_MAP) tree_visit(t->symbol->init, find_partition, f);
  return !f->found;
}

static const Tree *sequence_of(const Tree *t) {
  return t->op == OP_REF && t->symbol->kind == SYMBOL_SEQUENCE ? t->symbol->init : t;
}

/* What a compound codelet's text says for one choice of workers: its locals are declared where statements go now;
 * the sequences of its partition come back in kernel form. */
typedef struct Regroup { const Tree *start, *inc, *end; Tree *parts; } Regroup;

static Regroup regroup(Lowering *l, const PlanNode *n, Environment *e, Tree *parts) {
  const Codelet *c = n->rule->codelet;
  FindPartition f = {NULL};
  tree_visit(c->body, find_partition, &f);
  if (!f.found) { fail(l, c->where, "the codelet has no partition"); return (Regroup){0}; }
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    if (t->op != OP_DECLARE) continue;
    if (t->symbol->kind == SYMBOL_TUNABLE) {
      Binding b = {t->symbol, parts, NULL};
      vec_push(l->a, &e->bound, b);
    } else if (t->symbol->kind == SYMBOL_LOCAL) inline_declaration(l, e, t);
  }
  return (Regroup){inline_expression(l, e, (Tree *)sequence_of(f.found->kid[2])),
                   inline_expression(l, e, (Tree *)sequence_of(f.found->kid[3])),
                   inline_expression(l, e, (Tree *)sequence_of(f.found->kid[4])),
                   inline_expression(l, e, f.found->kid[1])};
}

/* A map as a loop of this lane: the parts one after another, their results in an array of its own. */
static void lower_loop(Lowering *l, const PlanNode *n, const Place *p, View *in, Destination *to) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  int64_t count = l->plan->sizes.at[n->axis.size].preset;
  Tree *parts = build_index(a, count);
  Environment e = {.container = c->params[0], .view = in, .place = p};
  lowering_comment(l, "%s: %s, %lld parts one after another", p->level->name, lowering_source(l, c), (long long)count);
  Regroup r = regroup(l, n, &e, parts);
  if (l->failed) return;
  Symbol *results = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "part"), l->program->result);
  results->array = true;
  results->length = parts;
  lowering_add(l, build_declare(a, results, NULL));
  Symbol *k = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "k"), TYPE_INT);
  Statements inner = {0}, *outer = l->to;
  int names = l->names.n;
  l->to = &inner;
  View part = view_part(l, in, tree_ref(a, k), r.parts, r.start, r.inc, r.end, "part");
  Destination each = {.kind = TO_PLACE, .place = build_element(a, results, tree_ref(a, k))};
  Place below = place_at(l, n->axis.level);
  lowering_node(l, n->kid[0], &below, &part, &each);
  l->to = outer;
  l->names.n = names;
  Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, (SourceRange){0}, 4);
  loop->kid[0] = build_declare(a, k, tree_int(a, TYPE_INT, 0));
  loop->kid[1] = build_compare(a, OP_LT, tree_ref(a, k), parts);
  loop->kid[2] = build_assign(a, tree_ref(a, k), tree_int(a, TYPE_INT, 1));
  loop->kid[2]->number = OP_ADD;
  loop->kid[3] = tree_seq(a, inner.at, inner.n);
  lowering_add(l, loop);
  View all = {.base = results, .begin = build_index(a, 0), .end = parts, .step = build_index(a, 1), .size = parts};
  lowering_node(l, n->kid[1], p, &all, to);
}

static void lower_compound(Lowering *l, const PlanNode *n, const Place *p, View *in, Destination *to) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  View memory = in->register_of ? spill(l, p, in) : *in;
  if (n->axis.real == REAL_SLOTS && slots_fit(l, n, &memory)) {
    slots_lower(l, n, p, &memory, to);
    return;
  }
  if (n->rule->map == STEP_SERIALIZE || n->axis.real == REAL_SLOTS) {
    lower_loop(l, n, p, &memory, to);
    return;
  }
  const Level *below = n->axis.second ? n->axis.second : n->axis.level;
  bool over_warps = below->real == REAL_WARP;
  Tree *worker = over_warps ? build_lane(a, OP_WARP) : p->lane;
  Tree *parts = over_warps ? warps_of_block(l) : p->lanes;

  Environment e = {.container = c->params[0], .view = &memory, .place = p};
  lowering_comment(l, "%s > %s: %s, one part a %s", p->level->name, below->name, lowering_source(l, c), below->name);
  Regroup r = regroup(l, n, &e, parts);
  if (l->failed) return;
  View part = view_part(l, &memory, worker, r.parts, r.start, r.inc, r.end, below->name);
  Place sub = place_at(l, below);

  if (n->combine == COMBINE_ATOMIC) {
    Symbol *total = lowering_shared(l, "total", l->program->result, NULL);
    vec_push(a, &l->start,
             build_if(a, lane_is_first(l, OP_THREAD),
                      build_assign(a, tree_ref(a, total), operator_identity(a, c->spectrum->op, total->type))));
    Destination each = {.kind = TO_ATOMIC, .place = tree_ref(a, total), .scope = SCOPE_BLOCK,
                        .atomic = c->spectrum->op == OPERATOR_MAX ? ATOMIC_MAX
                                  : c->spectrum->op == OPERATOR_MIN ? ATOMIC_MIN : ATOMIC_ADD};
    lowering_node(l, n->kid[0], &sub, &part, &each);
    lowering_deliver(l, p, tree_ref(a, total), to);
  } else if (over_warps) {
    Symbol *results = lowering_shared(l, "parts", l->program->result, parts);
    Destination each = {.kind = TO_PLACE, .place = build_element(a, results, worker)};
    lowering_node(l, n->kid[0], &sub, &part, &each);
    View all = {.base = results, .begin = build_index(a, 0), .end = parts, .step = build_index(a, 1), .size = parts};
    lowering_node(l, n->kid[1], p, &all, to);
  } else {
    Destination each = {.kind = TO_REGISTER, .name = "part"};
    lowering_node(l, n->kid[0], &sub, &part, &each);
    if (l->failed) return;
    View all = {.register_of = each.value, .count = parts};
    lowering_node(l, n->kid[1], p, &all, to);
  }
}

void lowering_node(Lowering *l, const PlanNode *n, const Place *p, View *in, Destination *to) {
  if (l->failed) return;
  const Codelet *c = n->rule->codelet;
  if (!c) lower_devolve(l, n, p, in, to);
  else if (c->kind == CLASS_COMPOUND) lower_compound(l, n, p, in, to);
  else lower_compute(l, n, p, in, to);
}

/* ---- the grid ---- */

static Kernel *open_kernel(Lowering *l, const char *what, const char *note) {
  Kernel *k = arena_one(l->a, Kernel);
  k->name = arena_printf(l->a, "%s_%s", l->program->spectrum, what);
  k->note = note;
  k->threads = l->threads;
  l->kernel = k;
  l->shared = l->start = (Statements){0};
  return k;
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

/* Ends the kernel: its parameters are the host's names that its body uses; launches it. */
static void close_kernel(Lowering *l, Statements *body, Statements *launches, Tree *blocks, Tree *threads) {
  Arena *a = l->a;
  Kernel *k = l->kernel;
  Statements all = {0};
  for (int i = 0; i < l->shared.n; i++) vec_push(a, &all, l->shared.at[i]);
  for (int i = 0; i < l->start.n; i++) vec_push(a, &all, l->start.at[i]);
  for (int i = 0; i < body->n; i++) vec_push(a, &all, body->at[i]);
  k->body = tree_seq(a, all.at, all.n);
  FreeNames f = {.l = l};
  tree_visit(k->body, note_names, &f);
  k->params = f.used.at;
  k->nparams = f.used.n;
  Program *program = l->program;
  Kernel **kernels = arena_many(a, Kernel *, program->nkernels + 1);
  for (int i = 0; i < program->nkernels; i++) kernels[i] = program->kernels[i];
  kernels[program->nkernels++] = k;
  program->kernels = kernels;
  Tree *launch = tree_new(a, OP_LAUNCH, TYPE_VOID, (SourceRange){0}, 2 + k->nparams);
  launch->kernel = k;
  launch->kid[0] = blocks;
  launch->kid[1] = threads;
  for (int i = 0; i < k->nparams; i++) launch->kid[2 + i] = tree_ref(a, k->params[i]);
  vec_push(a, launches, launch);
  l->kernel = NULL;
}

/* The accumulator that blocks add to starts at the identity. */
static void launch_identity(Lowering *l, Statements *launches, Tree *place) {
  Arena *a = l->a;
  open_kernel(l, "identity", "The accumulator starts at the operator's identity.")->threads = NULL;
  Statements body = {0};
  vec_push(a, &body, build_assign(a, place, operator_identity(a, l->plan->spectrum->op, l->program->result)));
  close_kernel(l, &body, launches, build_index(a, 1), build_index(a, 1));
}

ProgramConstant *lowering_constant(Lowering *l, const char *name, const char *what, const SizeVar *v, Type type) {
  Program *p = l->program;
  for (int i = 0; i < p->nconstants; i++)
    if (strcmp(p->constants[i].symbol->name, name) == 0) return &p->constants[i];
  ProgramConstant *grown = arena_many(l->a, ProgramConstant, p->nconstants + 1);
  for (int i = 0; i < p->nconstants; i++) grown[i] = p->constants[i];
  ProgramConstant *c = &grown[p->nconstants++];
  p->constants = grown;
  c->symbol = symbol_new(l->a, SYMBOL_CONSTANT, name, type);
  c->symbol->min = v->min;
  c->symbol->max = v->max;
  c->symbol->multiple = v->multiple;
  c->symbol->constant = true;
  c->value = v->preset;
  c->min = v->min;
  c->max = v->max;
  c->multiple = v->multiple;
  c->what = what;
  return c;
}

/* ---- grain: elements that stay together ---- */

/* One 16-byte load of every lane of a block, in elements. */
static Tree *declare_grain(Lowering *l) {
  Arena *a = l->a;
  Tree *width = tree_new(a, OP_WIDTH, TYPE_INT, (SourceRange){0}, 0);
  width->number = l->program->element;
  Symbol *grain = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "grain"), TYPE_INT);
  grain->constant = true;
  lowering_add(l, build_declare(a, grain, build_mul(a, tree_ref(a, l->threads), width)));
  return tree_ref(a, grain);
}

/* Adjacent tiles of whole grains: the tile is rounded up, so that only the last one has a ragged end. They cover what the
 * smaller ones covered: starts and ends are clipped to the container. */
static void keep_grain(Lowering *l, Regroup *r, Tree *grain) {
  Arena *a = l->a;
  const Tree *start = r->start, *end = r->end;
  bool adjacent = start->nkids == 3 && end->nkids == 3 && r->inc->nkids == 1 && build_is(r->inc->kid[0], 1) &&
                  build_is(start->kid[0], 0) && tree_equal(start->kid[1], end->kid[0]) && tree_equal(end->kid[0], end->kid[1]);
  if (!adjacent) return;
  Symbol *whole = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "whole_tile"), TYPE_INDEX);
  whole->constant = true;
  lowering_add(l, build_declare(a, whole, build_mul(a, build_ceil_div(a, start->kid[1], grain), grain)));
  Tree *first[] = {start->kid[0], tree_ref(a, whole), start->kid[2]}, *last[] = {tree_ref(a, whole), tree_ref(a, whole), end->kid[2]};
  Tree **kids = arena_many(a, Tree *, 6);
  for (int i = 0; i < 3; i++) { kids[i] = first[i]; kids[3 + i] = last[i]; }
  r->start = tree_with_kids(a, start, kids, 3);
  r->end = tree_with_kids(a, end, kids + 3, 3);
}

/* The last block to arrive combines what all have left in memory. Its leader has stored the block's own result and now
 * counts it in: what is stored before is seen by the last one. */
static void combine_by_ticket(Lowering *l, const PlanNode *n, const Place *block, View *all, Symbol *blocks, Tree *place) {
  Arena *a = l->a;
  if (serves(l, n->kid[0], block->level)) {
    fail(l, l->plan->spectrum->where, "one block cannot serve any number of results so");
    return;
  }
  Symbol *arrived = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "arrived"), TYPE_UINT);
  arrived->pointer = true;
  l->program->arrived = arrived;
  Symbol *last = lowering_shared(l, "last", TYPE_BOOL, NULL);
  Tree *arrive = tree_binary(a, OP_ARRIVE, TYPE_BOOL, tree_ref(a, arrived), tree_ref(a, blocks));
  lowering_comment(l, "the last block to arrive combines the results");
  lowering_add(l, build_if(a, block->leader, build_assign(a, tree_ref(a, last), arrive)));
  Statements inner = {0}, *outer = l->to;
  int names = l->names.n;
  l->to = &inner;
  Destination to = {.kind = TO_PLACE, .place = place};
  lowering_node(l, n->kid[0], block, all, &to);
  l->to = outer;
  l->names.n = names;
  lowering_add(l, build_if(a, tree_ref(a, last), tree_seq(a, inner.at, inner.n)));
}

static void lower_grid(Lowering *l, const PlanNode *n, View *in, Tree *place, Statements *sizes, Statements *launches) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  const Level *grid = n->rule->level;
  Statements body = {0};
  if (!c) { /* one block acts for the grid */
    if (serves(l, n->kid[0], grid->sub)) {
      fail(l, l->plan->spectrum->where, "one block cannot serve any number of elements so");
      return;
    }
    open_kernel(l, "one_block", "One block acts for the grid.");
    int names = l->names.n;
    l->to = &body;
    Place block = place_at(l, grid->sub);
    Destination to = {.kind = TO_PLACE, .place = place};
    lowering_node(l, n->kid[0], &block, in, &to);
    l->names.n = names;
    close_kernel(l, &body, launches, build_index(a, 1), tree_ref(a, l->threads));
    return;
  }
  if (c->kind != CLASS_COMPOUND || n->rule->map != STEP_DISTRIBUTE || grid->sub->real != REAL_BLOCK) {
    fail(l, c->where, "a grid only distributes over its blocks or leaves the work to one");
    return;
  }

  /* the host: how many blocks, and the codelet's own sizes */
  const SizeVar *v = &l->plan->sizes.at[n->axis.size];
  Tree *served = serves(l, n->kid[0], grid->sub), *size = view_size(l, in);
  l->to = sizes;
  lowering_comment(l, "%s > %s: %s, one part a %s", grid->name, grid->sub->name, lowering_source(l, c), grid->sub->name);
  Symbol *p = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "p"), TYPE_INDEX);
  p->constant = true;
  Tree *grain = served || !plan_reads_in_slots(n->kid[0]) ? NULL : declare_grain(l);
  Tree *each = served ? served : grain ? grain : tree_ref(a, l->threads);
  Tree *wanted = build_max(a, build_ceil_div(a, size, each), build_index(a, 1));
  if (!served) {
    ProgramConstant *most = lowering_constant(l, "blocks", "most blocks of a grid", v, TYPE_INDEX);
    wanted = build_min(a, wanted, tree_ref(a, most->symbol));
  }
  lowering_add(l, build_declare(a, p, wanted));
  if (served) { /* n may ask for more blocks than a grid can have */
    Tree *refuse = tree_new(a, OP_RETURN, TYPE_VOID, (SourceRange){0}, 0);
    lowering_add(l, build_if(a, build_compare(a, OP_GT, tree_ref(a, p), build_index(a, l->plan->machine->grid_max)), refuse));
  }
  Environment e = {.container = c->params[0], .view = in, .place = NULL};
  Regroup r = regroup(l, n, &e, tree_ref(a, p));
  if (l->failed) return;
  if (grain) keep_grain(l, &r, grain);

  bool atomic = n->combine == COMBINE_ATOMIC;
  Destination to = {.kind = TO_ATOMIC, .place = place, .scope = SCOPE_DEVICE,
                    .atomic = l->plan->spectrum->op == OPERATOR_MAX ? ATOMIC_MAX
                              : l->plan->spectrum->op == OPERATOR_MIN ? ATOMIC_MIN : ATOMIC_ADD};
  if (atomic) launch_identity(l, launches, place);
  else {
    Symbol *partial = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "partial"), l->program->result);
    partial->pointer = true;
    l->program->partial = partial;
    l->program->workspace_elements = tree_ref(a, p);
    to.kind = TO_PLACE;
    to.place = build_element(a, partial, build_lane(a, OP_BLOCK_ID));
  }

  open_kernel(l, "blocks", atomic ? "Each block reduces its part and adds it to the accumulator."
                           : plan_has_ticket(n) ? "Each block reduces its part; the last one combines the results."
                                                : "Each block reduces its part.");
  int names = l->names.n;
  l->to = &body;
  lowering_comment(l, "%s > %s: %s, one part a %s", grid->name, grid->sub->name, lowering_source(l, c), grid->sub->name);
  View part = view_part(l, in, build_lane(a, OP_BLOCK_ID), r.parts, r.start, r.inc, r.end, grid->sub->name);
  Place block = place_at(l, grid->sub);
  lowering_node(l, n->kid[0], &block, &part, &to);
  View all = {.base = l->program->partial, .begin = build_index(a, 0), .end = tree_ref(a, p), .step = build_index(a, 1),
              .size = tree_ref(a, p)};
  if (plan_has_ticket(n)) combine_by_ticket(l, n->kid[1], &block, &all, p, place);
  l->names.n = names;
  close_kernel(l, &body, launches, tree_ref(a, p), tree_ref(a, l->threads));

  if (!atomic && !plan_has_ticket(n) && !l->failed) {
    lower_grid(l, n->kid[1], &all, place, sizes, launches);
  }
}

static Symbol *parameter(Arena *a, const char *name, Type type, bool pointer) {
  Symbol *s = symbol_new(a, SYMBOL_PARAM, name, type);
  s->pointer = pointer;
  return s;
}

/* A program with its parameters, and names that it may not use. */
static Program *new_program(Arena *a, Lowering *l, const Spectrum *s, const char *id) {
  static const char *const taken[] = {
      /* the text's own: parameters, constants, types, functions; E and sequential are the reference's */
      "in", "n", "out", "workspace", "workspace_bytes", "stream", "error", "args", "need", "block", "thread", "lane", "warp",
      "threads", "blocks", "loads", "T", "E", "Index", "run", "sequential", "least", "greatest", "lowest", "highest",
      "atomic_add", "atomic_max", "atomic_min", "atomic_add_block", "atomic_max_block", "atomic_min_block",
      /* CUDA's and C++'s that the text uses, and words that compilers define as macros */
      "min", "max", "atomicAdd", "atomicSub", "atomicMax", "atomicMin", "atomicAdd_block", "atomicSub_block", "atomicMax_block",
      "atomicMin_block", "threadIdx", "blockIdx", "blockDim", "gridDim", "dim3", "size_t", "uint64_t", "std", "cudaError_t",
      "cudaStream_t", "cudaLaunchKernel", "cudaSuccess", "cudaErrorInvalidValue", "NULL", "assert", "errno", "linux", "unix"};
  static const char *const kernels[] = {"blocks", "one_block", "identity"};
  const Codelet *any = s->codelets[0];
  Program *program = arena_one(a, Program);
  program->spectrum = s->name;
  program->id = id;
  program->generic = any->generic;
  program->element = any->params[0]->type;
  program->result = s->result;
  program->in = parameter(a, "in", program->element, true);
  program->in->constant = true;
  program->n = parameter(a, "n", TYPE_INDEX, false);
  program->out = parameter(a, "out", program->result, true);
  for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) vec_push(a, &l->names, taken[i]);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    vec_push(a, &l->names, arena_printf(a, "%s_%s", s->name, kernels[i]));
  l->program = program;
  return program;
}

static View whole_input(Arena *a, const Program *p) {
  return (View){.base = p->in, .begin = build_index(a, 0), .end = tree_ref(a, p->n), .step = build_index(a, 1),
                .size = tree_ref(a, p->n)};
}

Program *lower_plan(Arena *a, const Plan *plan, Diagnostics *d) {
  Lowering l = {.a = a, .d = d, .plan = plan};
  Program *program = new_program(a, &l, plan->spectrum, plan->id);
  l.threads = lowering_constant(&l, "threads", "lanes of a block", &plan->sizes.at[0], TYPE_INT)->symbol;

  Statements sizes = {0}, launches = {0};
  View all = whole_input(a, program);
  lower_grid(&l, plan->root, &all, build_element(a, program->out, build_index(a, 0)), &sizes, &launches);
  if (l.failed) return NULL;
  program->sizes = tree_seq(a, sizes.at, sizes.n);
  program->launches = tree_seq(a, launches.at, launches.n);
  return program;
}

Program *lower_sequential(Arena *a, const Spectrum *s, const Codelet *c, Diagnostics *d) {
  Lowering l = {.a = a, .d = d};
  Program *program = new_program(a, &l, s, "sequential");
  Statements body = {0}, launches = {0};
  Place one = {.lane = tree_int(a, TYPE_INT, 0), .lanes = tree_int(a, TYPE_INT, 1)};
  View all = whole_input(a, program);
  Destination to = {.kind = TO_PLACE, .place = build_element(a, program->out, build_index(a, 0))};
  open_kernel(&l, "sequential", NULL);
  l.to = &body;
  inline_codelet(&l, c, &c->plain, &one, &all, &to);
  close_kernel(&l, &body, &launches, build_index(a, 1), build_index(a, 1));
  Kernel *k = program->kernels[0];
  k->body = pass_fold(a, k, k->body);
  return program;
}
