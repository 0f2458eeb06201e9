/* nest.c: nests are made, and edited: what changes an axis is here, so that a dimension stays covered. */
#include "ir/nest.h"

#include "ir/build.h"

NestNode *nest_node(Arena *a, NestKind kind, const char *comment) {
  NestNode *n = arena_one(a, NestNode);
  n->kind = kind;
  n->comment = comment;
  return n;
}

NestNode *nest_add(Arena *a, NestNode *to, NestNode *kid) {
  vec_push(a, &to->kids, kid);
  kid->above = to;
  return kid;
}

NestNode *nest_over(Arena *a, NestAxis *axis, NestNode *kid) {
  NestNode *n = nest_node(a, NEST_AXIS, NULL);
  n->axis = axis;
  if (kid) nest_add(a, n, kid);
  return n;
}

NestNode *nest_stage(Arena *a, StageKind kind, const Codelet *c) {
  NestNode *n = nest_node(a, NEST_STAGE, NULL);
  n->stage = arena_one(a, NestStage);
  n->stage->kind = kind;
  n->stage->codelet = c;
  return n;
}

NestNode *nest_operate(Arena *a, StageKind kind, OperatorKind op, NestValue *to, NestValue *from) {
  NestNode *n = nest_stage(a, kind, NULL);
  n->stage->op = op;
  nest_access(a, n, to, USE_WRITE);
  if (from) nest_access(a, n, from, USE_READ);
  return n;
}

void nest_access(Arena *a, NestNode *stage, NestValue *value, NestUse use) {
  if (!stage->stage) stage->stage = arena_one(a, NestStage);
  const NestAccess access = {.value = value, .use = use};
  vec_push(a, &stage->stage->at, access);
}

NestNode *nest_join(Arena *a, NestValue *from, NestAxis *over, NestWay way, NestNode *by) {
  NestNode *n = nest_node(a, NEST_JOIN, NULL);
  n->join = arena_one(a, NestJoin);
  *n->join = (NestJoin){.from = from, .over = over, .way = way};
  if (by) nest_add(a, n, by);
  return n;
}

NestNode *nest_kernel(Arena *a, const NestKernel *k) {
  NestNode *n = nest_node(a, NEST_KERNEL, NULL);
  n->kernel = arena_one(a, NestKernel);
  *n->kernel = *k;
  return n;
}

NestNode *nest_when(Arena *a, Tree *flag, NestNode *then, NestNode *otherwise) {
  NestNode *n = nest_node(a, NEST_WHEN, NULL);
  n->when = flag;
  nest_add(a, n, then ? then : nest_node(a, NEST_SEQ, NULL));
  nest_add(a, n, otherwise ? otherwise : nest_node(a, NEST_SEQ, NULL));
  return n;
}

NestValue *nest_value(Arena *a, const char *name, NestSpace space) {
  NestValue *v = arena_one(a, NestValue);
  v->name = name;
  v->space = space;
  return v;
}

NestValue *nest_number(Arena *a, NestNode *home, const char *name, Type type, Tree *is) {
  NestValue *v = nest_value(a, name, NEST_REGISTERS);
  vec_push(a, &home->home, v);
  v->is = is;
  v->symbol = symbol_new(a, SYMBOL_LOCAL, name, type);
  v->symbol->constant = true;
  v->now = tree_ref(a, v->symbol);
  return v;
}

NestValue *nest_shared(Arena *a, NestNode *home, const char *name, Type type, Tree *length) {
  NestValue *v = nest_value(a, name, NEST_SHARED);
  if (home) vec_push(a, &home->home, v);
  v->symbol = symbol_new(a, SYMBOL_SHARED, name, type);
  v->symbol->array = length != NULL;
  v->symbol->length = length;
  v->now = length ? NULL : tree_ref(a, v->symbol);
  return v;
}

NestNode *nest_sync(Arena *a, Tree *statement) {
  NestNode *n = nest_stage(a, STAGE_SYNC, NULL);
  n->stage->sync = statement;
  return n;
}

NestAxis *nest_dimension(Arena *a, const char *name, NestRole role, Tree *origin, Tree *end) {
  NestDim *d = arena_one(a, NestDim);
  *d = (NestDim){.name = name, .role = role, .origin = origin, .end = end};
  NestAxis *axis = arena_one(a, NestAxis);
  *axis = (NestAxis){.name = name, .dim = d, .stride = build_index(a, 1), .tail = TAIL_CLIP};
  vec_push(a, &d->axes, axis);
  return axis;
}

NestAxis *nest_unrolled(Arena *a, const char *name, Tree *many) {
  NestAxis *axis = nest_dimension(a, name, ROLE_MAP, build_index(a, 0), many);
  axis->binding = BINDING_UNROLL;
  axis->tail = TAIL_NONE;
  return axis;
}

NestAxis *nest_split(Arena *a, NestAxis *axis, const char *name, Tree *extent, NestBinding binding) {
  NestDim *d = axis->dim;
  NestAxis *made = arena_one(a, NestAxis);
  *made = (NestAxis){.name = name, .dim = d, .binding = binding, .extent = extent, .stride = axis->stride};
  int at = 0;
  while (d->axes.at[at] != axis) at++;
  for (int i = 0; i <= at; i++) d->axes.at[i]->stride = build_mul(a, d->axes.at[i]->stride, extent);
  vec_push(a, &d->axes, made);
  for (int i = d->axes.n - 1; i > at + 1; i--) d->axes.at[i] = d->axes.at[i - 1];
  d->axes.at[at + 1] = made;
  return made;
}

Tree *nest_count(Arena *a, NestAxis *axis, const char *name, Type type) {
  axis->name = name;
  return axis->at = tree_ref(a, symbol_new(a, SYMBOL_LOCAL, name, type));
}

static void sink(Arena *a, NestNode *n, NestAxis *axis, const NestAxis *lane) {
  for (int i = 0; i < n->kids.n; i++) {
    NestNode *kid = n->kids.at[i];
    if (kid->kind == NEST_AXIS && kid->axis->dim == lane->dim && kid->axis->binding == lane->binding) {
      n->kids.at[i] = nest_over(a, axis, kid);
      n->kids.at[i]->above = n;
    } else sink(a, kid, axis, lane);
  }
}

NestNode *nest_sink(Arena *a, NestNode *loops, NestAxis *axis, const NestAxis *lane) {
  NestNode *n = nest_node(a, NEST_AHEAD, NULL);
  n->axis = axis;
  nest_add(a, n, loops);
  sink(a, n, axis, lane);
  return n;
}

NestAxis *nest_above(const NestNode *n, NestBinding binding) {
  while (n && (n->kind != NEST_AXIS || n->axis->binding != binding)) n = n->above;
  return n ? n->axis : NULL;
}

Tree *nest_extent(Arena *a, const NestAxis *axis) {
  if (axis->rounds) return axis->rounds;
  return axis->extent ? axis->extent : build_ceil_div(a, axis->dim->end, axis->stride);
}

void nest_bind(NestAxis *axis, NestBinding binding, const char *level, Tree *number) {
  axis->binding = binding;
  axis->level = level;
  axis->number = number;
}

NestAxis *nest_workers(Arena *a, const char *name, NestRole role, Tree *many, const char *level, Tree *number) {
  NestAxis *axis = nest_dimension(a, name, role, build_index(a, 0), many);
  nest_bind(axis, BINDING_WORKERS, level, number);
  axis->tail = TAIL_NONE;
  return axis;
}

NestAxis *nest_split_workers(Arena *a, NestAxis *axis, const char *name, Tree *many, const char *level, Tree *number) {
  NestAxis *made = nest_split(a, axis, name, many, BINDING_WORKERS);
  nest_bind(made, BINDING_WORKERS, level, number);
  return made;
}

NestAxis *nest_again(Arena *a, const NestAxis *axis, const char *name, NestBinding binding, NestTail tail) {
  NestAxis *made = arena_one(a, NestAxis);
  *made = *axis;
  made->name = name;
  made->binding = binding;
  made->tail = tail;
  return made;
}

NestAxis *nest_skewed(Arena *a, const NestAxis *axis, Tree *number, Tree *exists) {
  NestAxis *made = nest_again(a, axis, axis->name, BINDING_SKEWED, TAIL_GUARD);
  made->skewed = axis;
  made->number = number;
  made->exists = exists;
  return made;
}

void nest_keep(Arena *a, NestValue *value, NestAxis *axis) { vec_push(a, &value->kept, axis); }

void nest_partial(Arena *a, NestValue *value, NestAxis *axis) { vec_push(a, &value->partial, axis); }
