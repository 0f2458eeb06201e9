/* lower.c: a plan as a program, and its nodes below the grid as statements of the kernel that is open.
 *
 * Each node is lowered at a place (which lanes run it), on a view (the container as they see it), towards a
 * destination (where the place's leader puts the result). Grid nodes, which become kernels and launches, are
 * grid.c's. */
#include "lower/lower.h"

#include <string.h>

#include "ir/monoid.h"
#include "ir/names.h"
#include "ir/operator.h"
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
  const char *path = source_path(c->where.file, c->where.begin), *slash = strrchr(path, '/');
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
  if (to->kind == TO_PLACE && to->place->type == TYPE_FINAL) value = tree_unary(a, OP_FINISH, TYPE_FINAL, value);
  if (to->kind == TO_PLACE) store = build_assign(a, to->place, value);
  else if (to->kind == TO_POST) {
    store = tree_new(a, OP_POST, TYPE_VOID, (SourceRange){0}, 3);
    store->kid[0] = to->place->kid[0];
    store->kid[1] = to->place->kid[1];
    store->kid[2] = value;
  } else if (to->kind == TO_FIRST_BLOCK) store = tree_binary(a, OP_PUSH, TYPE_VOID, to->place, value);
  else {
    store = tree_new(a, OP_ATOMIC, TYPE_VOID, (SourceRange){0}, 2);
    store->kid[0] = to->place;
    store->kid[1] = value;
    store->number = to->atomic;
    store->scope = to->scope;
  }
  lowering_add(l, p->leader ? build_if(a, p->leader, store) : store);
}

bool lowering_fail(Lowering *l, SourceRange where, const char *what) {
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

Place lowering_place(Lowering *l, const Level *level) {
  Arena *a = l->a;
  int width = l->plan->machine->vector_width;
  Tree *thread = build_lane(a, OP_THREAD), *none = tree_int(a, TYPE_INT, 0);
  switch (level->real) {
    case REAL_BLOCK:
      return (Place){level, thread, tree_ref(a, l->threads), NULL, lane_is_first(l, OP_THREAD), width, true};
    case REAL_WARP:
      return (Place){level, build_lane(a, OP_LANE), vector_width(l),
                     build_mul(a, build_lane(a, OP_WARP), vector_width(l)), lane_is_first(l, OP_LANE), width, false};
    case REAL_SUBWARP: {
      Tree *lanes = tree_int(a, TYPE_INT, level->width_max);
      Tree *lane = tree_binary(a, OP_REM, TYPE_INT, build_lane(a, OP_LANE), lanes);
      Tree *first = build_mul(a, build_div(a, thread, lanes), lanes);
      return (Place){level, lane, lanes, first, build_compare(a, OP_EQ, lane, none), (int)level->width_max, false};
    }
    default: return (Place){level, none, tree_int(a, TYPE_INT, 1), NULL, NULL, width, false};
  }
}

Tree *lowering_serves(Lowering *l, const PlanNode *n, const Level *level) {
  Arena *a = l->a;
  const Codelet *c = n->rule->codelet;
  if (plan_serves_any(n)) return NULL;
  if (!c) return lowering_serves(l, n->kid[0], n->rule->below);
  if (c->kind == CLASS_COOPERATIVE) return lowering_place(l, level).lanes;
  const Level *below = n->axis.second ? n->axis.second : n->axis.level;
  Tree *part = lowering_serves(l, n->kid[0], below);
  Tree *parts = below->real == REAL_WARP ? warps_of_block(l) : lowering_place(l, level).lanes;
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
  const Level *sub = n->rule->below;
  Place below = lowering_place(l, sub);
  Tree *one = sub->real == REAL_WARP ? lane_is_first(l, OP_WARP) : p->leader;
  const char *who = arena_printf(a, "one %s acts for all", sub->name);
  if (sub->real == REAL_SUBWARP) { /* no lane misses an exchange when all do it; the first one's result counts */
    one = NULL;
    below.leader = p->leader;
    who = "each does the same";
  }
  lowering_comment(l, "%s > %s: %s", p->level->name, sub->name, who);
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


Regroup lowering_regroup(Lowering *l, const PlanNode *n, Environment *e, Tree *parts) {
  const Codelet *c = n->rule->codelet;
  FindPartition f = {NULL};
  tree_visit(c->body, find_partition, &f);
  if (!f.found) { lowering_fail(l, c->where, "the codelet has no partition"); return (Regroup){0}; }
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
  Regroup r = lowering_regroup(l, n, &e, parts);
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
  Place below = lowering_place(l, n->axis.level);
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
  Regroup r = lowering_regroup(l, n, &e, parts);
  if (l->failed) return;
  View part = view_part(l, &memory, worker, r.parts, r.start, r.inc, r.end, below->name);
  Place sub = lowering_place(l, below);

  if (n->combine == COMBINE_ATOMIC) {
    Symbol *total = lowering_shared(l, "total", l->program->result, NULL);
    vec_push(a, &l->start,
             build_if(a, lane_is_first(l, OP_THREAD),
                      build_assign(a, tree_ref(a, total), operator_identity(a, c->spectrum->op, total->type))));
    Destination each = {.kind = TO_ATOMIC, .place = tree_ref(a, total), .scope = SCOPE_BLOCK,
                        .atomic = operator_atomic(c->spectrum->op)};
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

static Symbol *parameter(Arena *a, const char *name, Type type, bool pointer) {
  Symbol *s = symbol_new(a, SYMBOL_PARAM, name, type);
  s->pointer = pointer;
  return s;
}

/* A program with its parameters, and names that it may not use. */
static Program *new_program(Arena *a, Lowering *l, const Spectrum *s, const char *name, const char *id) {
  static const char *const kernels[] = {"blocks", "one_block", "one_cluster", "identity"};
  const Codelet *any = s->codelets[0];
  Program *program = arena_one(a, Program);
  program->name = name;
  program->id = id;
  program->generic = any->generic;
  program->element = s->lifted && any->params[0]->type == TYPE_ELEM ? TYPE_STORED : any->params[0]->type;
  program->result = s->result;
  program->monoid = s->monoid;
  program->in = parameter(a, "in", program->element, true);
  program->in->constant = true;
  program->n = parameter(a, "n", TYPE_INDEX, false);
  bool finishes = s->monoid && s->monoid->finishes;
  program->out = parameter(a, "out", finishes ? TYPE_FINAL : program->result, true);
  for (int i = 0; names_taken[i]; i++) vec_push(a, &l->names, names_taken[i]);
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    vec_push(a, &l->names, arena_printf(a, "%s_%s", name, kernels[i]));
  l->program = program;
  return program;
}

static View whole_input(Arena *a, const Program *p) {
  return (View){.base = p->in, .begin = build_index(a, 0), .end = tree_ref(a, p->n), .step = build_index(a, 1),
                .size = tree_ref(a, p->n)};
}

int posting_blocks(int result_bytes) {
  int most = POSTED_BYTES / (result_bytes > 0 ? result_bytes : 1);
  return most < POSTING_BLOCKS ? most : POSTING_BLOCKS;
}

int posting_bytes(int result_bytes) {
  enum { WORD = 8, CARRIED = 4, FEWEST = 2 };
  int words = (result_bytes + CARRIED - 1) / CARRIED, bytes = posting_blocks(result_bytes) * WORD;
  bytes *= words > FEWEST ? words : FEWEST;
  return (bytes + WORKSPACE_COUNTER - 1) / WORKSPACE_COUNTER * WORKSPACE_COUNTER;
}

Program *lower_plan(Arena *a, const Plan *plan, const char *name, Diagnostics *d) {
  Lowering l = {.a = a, .d = d, .plan = plan};
  Program *program = new_program(a, &l, plan->spectrum, name, plan->id);
  l.threads = lowering_constant(&l, "threads", "lanes of a block", &plan->sizes.at[0], TYPE_INT)->symbol;

  Statements sizes = {0}, launches = {0};
  program->workspace_head = WORKSPACE_COUNTER;
  if (arch_posts(plan->machine)) program->workspace_head += posting_bytes(plan->spectrum->widest);
  View all = whole_input(a, program);
  grid_lower(&l, plan->root, &all, build_element(a, program->out, build_index(a, 0)), &sizes, &launches);
  if (l.failed || !lowering_fit(&l)) return NULL;
  program->sizes = tree_seq(a, sizes.at, sizes.n);
  program->launches = tree_seq(a, launches.at, launches.n);
  return program;
}

Program *lower_sequential(Arena *a, const Spectrum *s, const Codelet *c, Diagnostics *d) {
  Lowering l = {.a = a, .d = d};
  Program *program = new_program(a, &l, s, s->name, "sequential");
  Statements body = {0}, launches = {0};
  Place one = {.lane = tree_int(a, TYPE_INT, 0), .lanes = tree_int(a, TYPE_INT, 1), .width = 1};
  View all = whole_input(a, program);
  Destination to = {.kind = TO_PLACE, .place = build_element(a, program->out, build_index(a, 0))};
  kernel_open(&l, "sequential", NULL);
  l.to = &body;
  inline_codelet(&l, c, &c->plain, &one, &all, &to);
  kernel_close(&l, &body, &launches, build_index(a, 1), build_index(a, 1));
  Kernel *k = program->kernels[0];
  k->body = pass_fold(a, k, k->body);
  return program;
}
