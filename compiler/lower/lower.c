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
#include "lower/block.h"
#include "lower/maps.h"

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

Symbol *lowering_fixed(Lowering *l, const char *name, Type type, Tree *value) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->constant = true;
  lowering_add(l, build_declare(l->a, s, value));
  return s;
}

Tree *lowering_size(Lowering *l, const char *name, Tree *value) {
  return tree_ref(l->a, lowering_fixed(l, name, TYPE_INDEX, value));
}

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

Symbol *lowering_pointer(Lowering *l, const char *name, Type type) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->pointer = s->writable = true;
  return s;
}

Symbol *lowering_array(Lowering *l, const char *name, Type type, Tree *length) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->array = s->writable = true;
  s->length = length;
  lowering_add(l, build_declare(l->a, s, NULL));
  return s;
}

void lowering_deliver(Lowering *l, const Place *p, Tree *value, Destination *to) {
  Arena *a = l->a;
  if (to->kind == TO_NOWHERE) return;
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
  else if (to->kind == TO_POST)
    store = build_tree(a, OP_POST, TYPE_VOID, (Tree *[]){to->place->kid[0], to->place->kid[1], value}, 3);
  else if (to->kind == TO_FIRST_BLOCK) store = tree_binary(a, OP_PUSH, TYPE_VOID, to->place, value);
  else {
    store = build_tree(a, OP_ATOMIC, TYPE_VOID, (Tree *[]){to->place, value}, 2);
    store->number = to->atomic;
    store->scope = to->scope;
  }
  lowering_add(l, p->leader ? build_if(a, p->leader, store) : store);
}

bool lowering_fail(Lowering *l, SourceRange where, const char *what) {
  if (!l->failed) diagnostics_add(l->d, DIAG_ERROR, where, NULL, "%s", what);
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

/* What the lanes hold in registers, in memory. */
static Arguments in_memory(Lowering *l, const Place *p, const Arguments *in) {
  Arguments made = *in;
  for (int i = 0; i < in->n; i++) {
    if (!in->at[i].view || !in->at[i].view->register_of) continue;
    made.at[i].view = view_new(l, spill(l, p, in->at[i].view));
  }
  return made;
}

static void lower_devolve(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arguments memory = in_memory(l, p, in);
  const Level *sub = n->rule->below;
  Place below = lowering_place(l, sub);
  Tree *one = sub->real == REAL_WARP ? lane_is_first(l, OP_WARP) : p->leader;
  const char *who = arena_printf(l->a, "one %s acts for all", sub->name);
  if (sub->real == REAL_SUBWARP) { /* no lane misses an exchange when all do it; the first one's result counts */
    one = NULL;
    below.leader = p->leader;
    who = "each does the same";
  }
  lowering_comment(l, "%s > %s: %s", p->level->name, sub->name, who);
  Block b;
  block_open(l, &b);
  lowering_node(l, n->kid[0], &below, &memory, to);
  block_close_guarded(l, &b, one);
}

static void lower_compute(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  const Codelet *c = n->rule->codelet;
  const Form *form = n->shuffled ? &c->shuffled : &c->plain;
  bool lanes_differ = c->kind == CLASS_AUTONOMOUS || !inline_reads_own_lane(c, form);
  Arguments read = lanes_differ ? in_memory(l, p, in) : *in;
  if (open_alone(l, n, p, &read, to)) return;
  lowering_comment(l, "%s: %s%s", p->level->name, lowering_source(l, c),
                   n->shuffled ? ", exchanging registers" : "");
  if (c->kind == CLASS_COOPERATIVE && lowering_container(&read)) { /* composition gives it no more */
    const Bounded size = {view_size(l, lowering_container(&read)), p->lanes};
    vec_push(l->a, &l->kernel->bounded, size);
  }
  inline_codelet(l, c, form, p, &read, to);
}

View *lowering_stored(Lowering *l, Environment *e) {
  const Tree *body = e->codelet->body;
  for (int i = 0; i < body->nkids; i++) {
    if (body->kid[i]->op != OP_MAP_TO) continue;
    View *out = inline_view(l, e, body->kid[i]->kid[1]);
    if (!out) lowering_fail(l, body->kid[i]->where, "this is no container here");
    return out;
  }
  return NULL;
}

Destination lowering_own_place(Lowering *l, Environment *e, Tree *worker) {
  const View *out = lowering_stored(l, e);
  return (Destination){.kind = out ? TO_PLACE : TO_NOWHERE, .place = out ? view_element(l, out, worker) : NULL};
}

/* Of places of a level in a block: this one's number, and how many there are. */
void lowering_workers(Lowering *l, const Level *level, Tree **own, Tree **many) {
  Arena *a = l->a;
  Tree *width = tree_int(a, TYPE_INT, level->width_max);
  switch (level->real) {
    case REAL_WARP: *own = build_lane(a, OP_WARP); *many = warps_of_block(l); break;
    case REAL_SUBWARP:
      *own = build_div(a, build_lane(a, OP_THREAD), width);
      *many = build_div(a, tree_ref(a, l->threads), width);
      break;
    case REAL_THREAD: *own = build_lane(a, OP_THREAD); *many = tree_ref(a, l->threads); break;
    default: *own = build_index(a, 0); *many = build_index(a, 1); break;
  }
}

/* A map that no mechanism of its own has. */
static void lower_map(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Arguments memory = in_memory(l, p, in);
  const bool slots = n->axis.real == REAL_SLOTS;
  if (slots && open_slots(l, n, p, &memory, to)) return;
  (slots || n->rule->map == STEP_SERIALIZE ? maps_lower_loop : maps_lower)(l, n, p, &memory, to);
}

static void lower_compound(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  if (plan_applies(n)) {
    Arguments inner = lowering_applied(l, n->rule->codelet, p, in);
    lowering_node(l, n->kid[0], p, &inner, to);
  } else if (n->rule->slides) scan_lower(l, n, p, in, to);
  else if (n->rule->owns) privatise_lower(l, n, p, in, to);
  else if (n->rule->level->real == REAL_CLUSTER) cluster_lower_part(l, n, in, to);
  else if (n->rule->map == STEP_SPREAD) grid_parts_lower_piece(l, n, p, in, to);
  else if (n->rule->map == STEP_SLICE) interleave_lower(l, n, p, in, to);
  else lower_map(l, n, p, in, to);
}

static void lower_if_there(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  Block b;
  Tree *there = l->there;
  block_open(l, &b);
  l->there = NULL;
  lowering_node(l, n, p, in, to);
  l->there = there;
  block_close_guarded(l, &b, there);
}

void lowering_node(Lowering *l, const PlanNode *n, const Place *p, Arguments *in, Destination *to) {
  if (l->failed) return;
  const Codelet *c = n->rule->codelet;
  if (l->there && n->rule->spectrum->result == TYPE_VOID && p->level && p->level->real == REAL_THREAD) {
    lower_if_there(l, n, p, in, to); /* lanes that work alone and only write need not repeat anything */
    return;
  }
  if (!c) lower_devolve(l, n, p, in, to);
  else if (c->kind == CLASS_COMPOUND) lower_compound(l, n, p, in, to);
  else lower_compute(l, n, p, in, to);
}

/* Names for operands that the text has not for something else: in, n and out are kept for the first of such names. */
static void name_operands(Lowering *l, Signature *s) {
  static const char *const usual[] = {"in", "n", "out"};
  bool given[sizeof usual / sizeof *usual] = {false};
  for (int i = 0; i < s->n; i++) {
    Symbol *symbol = s->at[i].symbol;
    bool kept = false;
    for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
      if (strcmp(symbol->name, usual[k]) == 0 && !given[k]) given[k] = kept = true;
    if (!kept) symbol->name = lowering_name(l, symbol->name);
  }
}

/* The first container of T, or what the spectrum is of instead. */
static Type element_of(const Spectrum *s) {
  const Codelet *any = s->codelets[0];
  for (int i = 0; i < any->nparams; i++)
    if (any->params[i]->type == TYPE_ELEM) return s->lifted ? TYPE_STORED : TYPE_ELEM;
  for (int i = 0; i < any->nparams; i++)
    if (any->params[i]->rank) return any->params[i]->type;
  return any->params[0]->type;
}

/* A program with its parameters, and names that it may not use. */
static Program *new_program(Arena *a, Lowering *l, const Spectrum *s, const char *name, const char *id) {
  static const char *const kernels[] = {"blocks", "one_block", "one_cluster", "clusters", "identity", "sums", "parts"};
  const Codelet *any = s->codelets[0];
  Program *program = arena_one(a, Program);
  program->name = name;
  program->id = id;
  program->generic = any->generic;
  program->element = element_of(s);
  program->result = s->result;
  program->monoid = s->monoid;
  bool finishes = s->monoid && s->monoid->finishes;
  program->signature = signature_of(a, s, program->element, finishes ? TYPE_FINAL : program->result);
  for (int i = 0; names_taken[i]; i++) vec_push(a, &l->names, names_taken[i]);
  name_operands(l, &program->signature);
  for (int i = 0; i < program->signature.n; i++) {
    const Operand *o = &program->signature.at[i];
    if (i == program->signature.result) program->out = o->symbol;
    else if (o->kind == OPERAND_ARRAY && !program->in) {
      program->in = o->symbol;
      program->n = program->signature.at[o->size[0]].symbol;
    }
  }
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
    vec_push(a, &l->names, arena_printf(a, "%s_%s", name, kernels[i]));
  l->program = program;
  return program;
}

static Tree *operand(Lowering *l, const Program *p, int which) {
  return which < 0 ? build_index(l->a, 1) : tree_ref(l->a, p->signature.at[which].symbol);
}

/* The host function's operands as the root's arguments. */
static Arguments whole_input(Lowering *l, const Program *p) {
  Arguments made = {.n = 0};
  const Signature *s = &p->signature;
  for (int i = 0; i < s->n; i++) {
    const Operand *o = &s->at[i];
    if (i == s->result || (o->kind == OPERAND_SIZE && o->param->rank)) continue;
    Argument *x = &made.at[made.n++];
    *x = (Argument){0};
    if (o->kind != OPERAND_ARRAY) {
      x->number = tree_ref(l->a, o->symbol);
      continue;
    }
    x->view = view_new(l, view_of_memory(l, o->symbol, operand(l, p, o->size[0])));
    if (o->param->rank < 2) continue;
    Tree *apart = operand(l, p, o->size[2]), *one = build_index(l->a, 1);
    x->view->columns = operand(l, p, o->size[1]);
    x->view->row_step = o->param->by_columns ? one : apart;
    x->view->column_step = o->param->by_columns ? apart : one;
  }
  return made;
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
  program->nest = l.nest = nest_node(a, NEST_PLAN, plan->text);
  l.nest->plan = plan->root;
  const char *lanes = plan->machine->is_cpu ? "lanes of a vector" : "lanes of a block";
  l.threads = lowering_constant(&l, "threads", lanes, &plan->sizes.at[0], TYPE_INT)->symbol;

  Statements sizes = {0}, launches = {0};
  program->workspace_head = WORKSPACE_COUNTER;
  program->widest = plan->spectrum->widest;
  program->half_bytes = (int)plan->machine->measured.half_bytes;
  if (arch_posts(plan->machine)) program->workspace_head += posting_bytes(plan->spectrum->widest);
  Arguments all = whole_input(&l, program);
  Tree *place = program->out ? build_element(a, program->out, build_index(a, 0)) : NULL;
  grid_lower(&l, plan->root, &all, place, &sizes, &launches);
  if (l.failed || !lowering_fit(&l)) return NULL;
  program->sizes = tree_seq(a, sizes.at, sizes.n);
  program->launches = tree_seq(a, launches.at, launches.n);
  return program;
}
