/* context.c: what every file of lower/ writes with: names, statements, comments, shared memory, results, places and
 * their workers; nodes of nests that many files make, and what nodes above say. */
#include <string.h>

#include "ir/names.h"
#include "lower/lowering.h"

const char *lowering_name(Lowering *l, const char *wanted) {
  const char *name = wanted;
  for (int suffix = 2;; suffix++) {
    bool taken = name_is_taken(name);
    for (int i = 0; i < l->now.names.n && !taken; i++) taken = strcmp(l->now.names.at[i], name) == 0;
    for (int i = 0; i < l->now.shared.n && !taken; i++) taken = strcmp(l->now.shared.at[i]->symbol->name, name) == 0;
    if (!taken) break;
    name = arena_printf(l->a, "%s%d", wanted, suffix);
  }
  vec_push(l->a, &l->now.names, name);
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

bool lowering_is_computed(const Lowering *l, const Tree *t) {
  for (int i = 0; i < l->now.numbers.n; i++)
    if (tree_mentions(t, l->now.numbers.at[i].symbol)) return true;
  return false;
}

Tree *lowering_number(Lowering *l, const char *name, Type type, Tree *value) {
  Symbol *s = symbol_new(l->a, SYMBOL_LOCAL, lowering_name(l, name), type);
  s->constant = true;
  vec_push(l->a, &l->now.numbers, ((Computed){.symbol = s, .is = value}));
  return tree_ref(l->a, s);
}

Tree *lowering_count(Lowering *l, const char *name, Tree *value, Tree *most) {
  for (int i = 0; i < l->now.numbers.n; i++) {
    const Computed *x = &l->now.numbers.at[i];
    if (x->most && tree_equal(x->is, value)) return tree_ref(l->a, x->symbol);
  }
  Tree *made = lowering_number(l, name, TYPE_INDEX, value);
  l->now.numbers.at[l->now.numbers.n - 1].most = most;
  return made;
}

static Tree *of_host(void *context, Arena *a, Tree *t) {
  Lowering *l = context;
  for (int i = 0; t->op == OP_REF && i < l->now.numbers.n; i++) {
    const Computed *x = &l->now.numbers.at[i];
    if (x->symbol == t->symbol && x->most) return tree_rewrite(a, x->most, of_host, l);
  }
  return t;
}

Tree *lowering_of_host(Lowering *l, Tree *value) { return value ? tree_rewrite(l->a, value, of_host, l) : NULL; }

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
  vec_push(l->a, &l->now.shared, build_declare(l->a, s, NULL));
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
  if (!to || to->kind == TO_NOWHERE) return;
  if (to->kind == TO_REGISTER) {
    NestValue *v = to->value;
    const bool has_name = value->op == OP_REF && value->symbol->kind == SYMBOL_LOCAL && !value->symbol->array;
    v->symbol = has_name ? value->symbol : symbol_new(a, SYMBOL_LOCAL, lowering_name(l, v->name), value->type);
    if (!has_name) lowering_add(l, build_declare(a, v->symbol, value));
    v->now = tree_ref(a, v->symbol);
    if (v->view) v->view->source.register_of = v->symbol;
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
    store->atomic = to->atomic;
    store->scope = to->scope;
  }
  lowering_add(l, p->leader ? build_if(a, p->leader, store) : store);
}

bool lowering_fail(Lowering *l, SourceRange where, const char *what) {
  if (!l->failed) diagnostics_add(l->d, DIAG_ERROR, where, NULL, "%s", what);
  l->failed = true;
  return false;
}

void lowering_refuse_where(Lowering *l, Tree *condition) {
  Tree *refuse = tree_new(l->a, OP_RETURN, TYPE_VOID, (SourceRange){0}, 0);
  lowering_add(l, build_if(l->a, condition, refuse));
}

/* ---- places ---- */

Tree *lowering_is_first(Lowering *l, Op lane) {
  return build_compare(l->a, OP_EQ, build_lane(l->a, lane), tree_int(l->a, TYPE_INT, 0));
}

static Tree *vector_width(Lowering *l) { return tree_int(l->a, TYPE_INT, l->plan->machine->vector_width); }

static Tree *warps_of_block(Lowering *l) { return build_div(l->a, tree_ref(l->a, l->now.threads), vector_width(l)); }

Place lowering_place(Lowering *l, const Level *level) {
  Arena *a = l->a;
  int width = l->plan->machine->vector_width;
  Tree *thread = build_lane(a, OP_THREAD), *none = tree_int(a, TYPE_INT, 0);
  switch (level->real) {
    case REAL_BLOCK:
      return (Place){level, thread, tree_ref(a, l->now.threads), NULL, lowering_is_first(l, OP_THREAD), width, true};
    case REAL_WARP:
      return (Place){level,
                     build_lane(a, OP_LANE),
                     vector_width(l),
                     build_mul(a, build_lane(a, OP_WARP), vector_width(l)),
                     lowering_is_first(l, OP_LANE),
                     width,
                     false};
    case REAL_SUBWARP: {
      Tree *lanes = tree_int(a, TYPE_INT, level->width_max);
      Tree *lane = tree_binary(a, OP_REM, TYPE_INT, build_lane(a, OP_LANE), lanes);
      Tree *first = build_mul(a, build_div(a, thread, lanes), lanes);
      return (Place){level, lane, lanes, first, build_compare(a, OP_EQ, lane, none), (int)level->width_max, false};
    }
    case REAL_CLUSTER: { /* its first block has what all combine */
      Tree *rank = build_lane(a, OP_RANK);
      Tree *first = build_both(a, build_compare(a, OP_EQ, rank, none), lowering_is_first(l, OP_THREAD));
      return (Place){level, none, tree_int(a, TYPE_INT, 1), NULL, first, width, false};
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
    return tree_ref(a, l->now.threads); /* threads / 32 warps of 32 */
  return build_mul(a, parts, part);
}

void lowering_workers(Lowering *l, const Level *level, Tree **own, Tree **many) {
  Arena *a = l->a;
  Tree *width = tree_int(a, TYPE_INT, level->width_max);
  switch (level->real) {
    case REAL_WARP: *own = build_lane(a, OP_WARP); *many = warps_of_block(l); break;
    case REAL_SUBWARP:
      *own = build_div(a, build_lane(a, OP_THREAD), width);
      *many = build_div(a, tree_ref(a, l->now.threads), width);
      break;
    case REAL_THREAD: *own = build_lane(a, OP_THREAD); *many = tree_ref(a, l->now.threads); break;
    default: *own = build_index(a, 0); *many = build_index(a, 1); break;
  }
}

/* ---- arguments ---- */

View *lowering_container(const Arguments *in) {
  for (int i = 0; i < in->n; i++)
    if (in->at[i].view) return in->at[i].view;
  return NULL;
}

Arguments lowering_of(View *v) { return (Arguments){.at = {{.view = v}}, .n = 1}; }

/* ---- the nest ---- */

const NestAxis *lowering_axis_of_parts(const Lowering *l) {
  const NestAxis *own = nest_above(l->nest, BINDING_IN_STEP);
  return own && own->at ? own : NULL;
}

/* Does a node below that one ask whether it is so, on the way up? */
static bool is_asked(const NestNode *n, const NestNode *axis, const Tree *condition) {
  while (n != axis && (n->kind != NEST_WHEN || n->when != condition)) n = n->above;
  return n != axis;
}

Tree *lowering_there(const Lowering *l) {
  for (const NestNode *n = l->nest; n; n = n->above) {
    if (n->kind != NEST_AXIS) continue;
    if (n->axis->dim->role == ROLE_SCAN) return NULL; /* there is nothing to scan for them */
    if (n->axis->tail == TAIL_REPEAT && n->axis->exists)
      return is_asked(l->nest, n, n->axis->exists) ? NULL : n->axis->exists;
  }
  return NULL;
}

bool lowering_apart(const Lowering *l) {
  for (const NestNode *n = l->nest; n; n = n->above)
    if (n->kind == NEST_AXIS && n->axis->tail == TAIL_REPEAT && n->axis->exists &&
        is_asked(l->nest, n, n->axis->exists))
      return true;
  return false;
}

NestKernel *lowering_kernel(const Lowering *l) {
  const NestNode *n = l->nest;
  while (n && n->kind != NEST_KERNEL) n = n->above;
  return n ? n->kernel : NULL;
}

/* The step at hand: the one of its nodes that is open. */
static const PlanNode *step_at_hand(const Lowering *l, const PlanNode *steps) {
  for (const NestNode *n = l->nest; n; n = n->above)
    for (int i = 0; n->kind == NEST_OPEN && i < steps->nkids; i++)
      if (n->plan == steps->kid[i]) return plan_work(n->plan);
  return NULL;
}

const PlanNode *lowering_work(const Lowering *l) {
  const PlanNode *found = plan_work(l->plan->root), *step = found;
  while (step && plan_in_steps(step) && step->rule->level->can.launched)
    if ((step = step_at_hand(l, step))) found = step;
  return found;
}

NestNode *open_plan(Lowering *l, const PlanNode *n, const Place *p, const Arguments *in, Destination *to) {
  const Codelet *c = n->rule->codelet;
  NestNode *made = nest_node(l->a, NEST_OPEN, c ? lowering_source(l, c) : "one acts for all");
  made->plan = n;
  made->work = arena_one(l->a, Work);
  made->work->place = *p;
  if (in) made->work->in = *in;
  made->work->to = to;
  return made;
}

NestNode *open_deliver(Lowering *l, const Place *p, NestValue *value, Destination *to) {
  NestNode *made = nest_stage(l->a, STAGE_DELIVER, NULL);
  nest_access(l->a, made, value, USE_READ);
  made->work = arena_one(l->a, Work);
  made->work->place = *p;
  made->work->to = to;
  return made;
}

NestValue *open_memory(Arena *a, const char *name, View *v) {
  NestValue *made = nest_value(a, name, NEST_MEMORY);
  made->view = v;
  return made;
}

NestNode *open_copy(Arena *a, NestValue *to, NestValue *from) {
  NestNode *stage = nest_stage(a, STAGE_COPY, NULL);
  nest_access(a, stage, to, USE_WRITE);
  nest_access(a, stage, from, USE_READ);
  return stage;
}

Tree *lowering_stride(Lowering *l, const Operand *o, int dimension) {
  const int rank = o->param->rank;
  if (dimension == (o->param->by_columns ? 0 : rank - 1)) return build_index(l->a, 1);
  return tree_ref(l->a, l->program->signature.at[o->size[rank + (rank > 2 ? dimension : 0)]].symbol);
}
