/* nest_verify.c: is a nest what nest.h promises? Runs on every nest before it is realised, so that an edit's mistake is
 * named, not emitted. */
#include <string.h>

#include "ir/nest.h"

typedef struct Found { const NestValue *value; const NestAxis *by; } Found;

typedef struct Check {
  Arena *a;
  Diagnostics *d;
  VEC(const NestAxis *) path;     /* above the node at hand */
  int own;                        /* .. of these, from where on: what joins has what iterations found, and goes through
                                     none */
  const NestNode *above;          /* the whole nest */
  VEC(const NestValue *) living;  /* whose home is above it */
  VEC(const NestJoin *) joined;   /* before it, in the order of the text */
  VEC(const NestValue *) written; /* likewise: numbers and totals that a stage or a join has given */
  VEC(const NestAxis *) scanned;  /* whose iterations' totals stages find */
  VEC(Found) found;               /* by one worker alone, before */
  bool ok;
} Check;

static void fault(Check *c, const char *name, const char *what) {
  if (c->ok) diagnostics_internal(c->d, (SourceRange){0}, "nest: %s: `%s'", what, name);
  c->ok = false;
}

/* ---- cover ---- */

/* A product: a constant, what it is divided by, and all else. */
typedef struct Product { int64_t constant, divisor; VEC(const Tree *) factors; } Product;

/* Does the division leave nothing? A block's threads are whole warps. */
static bool divides(const Tree *t, int64_t *by) {
  return t->op == OP_DIV && t->kid[0]->op == OP_REF && tree_constant(t->kid[1], by) && *by > 0 &&
         t->kid[0]->symbol->multiple % *by == 0;
}

static void multiply(Arena *a, Product *p, const Tree *t) {
  int64_t constant;
  if (t->op == OP_MUL) {
    multiply(a, p, t->kid[0]);
    multiply(a, p, t->kid[1]);
  } else if (divides(t, &constant)) {
    p->divisor *= constant;
    multiply(a, p, t->kid[0]);
  } else if (tree_constant(t, &constant)) p->constant *= constant;
  else vec_push(a, &p->factors, t);
}

static bool equals(Arena *a, const Product *p, const Tree *t) {
  Product q = {.constant = 1, .divisor = 1};
  multiply(a, &q, t);
  if (q.constant * p->divisor != p->constant * q.divisor || q.factors.n != p->factors.n) return false;
  bool *taken = arena_many(a, bool, p->factors.n);
  for (int i = 0; i < q.factors.n; i++) {
    int k = 0;
    while (k < p->factors.n && (taken[k] || !tree_equal(q.factors.at[i], p->factors.at[k]))) k++;
    if (k == p->factors.n) return false;
    taken[k] = true;
  }
  return true;
}

static bool is_one(const NestAxis *x) {
  int64_t extent;
  return x->extent && tree_constant(x->extent, &extent) && extent == 1;
}

/* The axes of one dimension above a stage are a mixed radix. */
static void check_cover(Check *c, const NestDim *dim) {
  VEC(const NestAxis *) axes = {0};
  for (int i = c->own; i < c->path.n; i++)
    if (c->path.at[i]->dim == dim) vec_push(c->a, &axes, c->path.at[i]);
  if (axes.n == 1 && axes.at[0]->binding >= BINDING_HOST) return; /* its iterations are no elements */
  Product reached = {.constant = 1, .divisor = 1};
  bool whole = false;
  for (int n = 0; n < axes.n; n++) {
    const NestAxis **found = NULL;
    for (int i = 0; i < axes.n; i++) {
      if (!axes.at[i] || !equals(c->a, &reached, axes.at[i]->stride)) continue;
      if (!found || is_one(axes.at[i])) found = &axes.at[i]; /* one that changes nothing comes before the one that
                                                                does */
    }
    if (!found || whole) { fault(c, dim->name, "elements are left out or met twice"); return; }
    const NestAxis *next = *found;
    *found = NULL;
    whole = !next->extent;
    if (!whole) multiply(c->a, &reached, next->extent);
  }
  for (const NestNode *n = c->above; n && !whole; n = n->above) /* of an axis that is sunk, the rest is around the
                                                                   nest */
    whole = n->kind == NEST_AXIS && n->axis->dim == dim && !n->axis->extent && equals(c->a, &reached, n->axis->stride);
  if (!whole) fault(c, dim->name, "no axis goes as far as the dimension");
}

static bool is_in_order(const NestAxis *x) { return x->binding == BINDING_LOOP || x->binding == BINDING_UNROLL; }

static bool is_workers(const NestAxis *x) { return x->binding == BINDING_WORKERS || x->binding == BINDING_IN_STEP; }

/* `elements': the stage is met by each of them; else by each worker: it is one number's. */
static void check_path(Check *c, bool elements) {
  for (int i = c->own; i < c->path.n; i++) {
    const NestAxis *x = c->path.at[i];
    bool first = true;
    for (int k = c->own; k < i; k++) {
      const NestAxis *y = c->path.at[k];
      first &= y->dim != x->dim;
      int64_t one; /* of workers of which there is one alone */
      const bool several = x->number && !tree_constant(x->number, &one);
      if (several && y->number && tree_equal(x->number, y->number)) fault(c, x->name, "its workers have another axis");
    }
    /* its ends are met instead */
    for (int k = c->own; k < c->path.n; k++) first &= c->path.at[k]->dim->ends_of != x->dim;
    if (first && elements) check_cover(c, x->dim);
  }
}

/* ---- roles, homes and joins ---- */

/* The same factor of a dimension, or the same workers. */
static bool is_same(const NestAxis *x, const NestAxis *y) {
  if (x == y) return true;
  if (x->number && y->number) return tree_equal(x->number, y->number);
  return x->dim == y->dim && tree_equal(x->stride, y->stride) && tree_equal(x->extent, y->extent);
}

static bool holds(NestAxis *const *axes, int n, const NestAxis *x) {
  for (int i = 0; i < n; i++)
    if (is_same(axes[i], x)) return true;
  return false;
}

static bool is_joined(const Check *c, const NestValue *v, const NestAxis *over) {
  for (int i = 0; i < c->joined.n; i++)
    if (c->joined.at[i]->from == v && is_same(c->joined.at[i]->over, over)) return true;
  return false;
}

static bool is_above(const Check *c, const NestAxis *x) {
  for (int i = 0; i < c->path.n; i++)
    if (c->path.at[i] == x) return true;
  return false;
}

/* What a worker that acts for all has in registers is nobody else's. */
static void check_first(Check *c, const NestAccess *at) {
  const NestValue *v = at->value;
  for (int i = 0; at->use == USE_READ && i < c->found.n; i++)
    if (c->found.at[i].value == v && !is_above(c, c->found.at[i].by)) fault(c, v->name, "one worker alone has it");
  for (int i = 0; at->use != USE_READ && v->space == NEST_REGISTERS && i < c->path.n; i++) {
    const Found by = {v, c->path.at[i]};
    if (by.by->tail == TAIL_FIRST) vec_push(c->a, &c->found, by);
  }
}

static void check_access(Check *c, const NestAccess *at) {
  const NestValue *v = at->value;
  if (v->space != NEST_MEMORY) {
    bool lives = false;
    for (int i = 0; i < c->living.n; i++) lives |= c->living.at[i] == v;
    if (!lives) fault(c, v->name, "it is used outside of its home");
  } else if (!v->view) fault(c, v->name, "memory without a container");
  bool written = v->view || v->of || v->is || at->use != USE_READ;
  for (int i = 0; i < c->written.n; i++) written |= c->written.at[i] == v;
  if (!written) fault(c, v->name, "it is read before anything gives it");
  if (at->use != USE_READ) vec_push(c->a, &c->written, v);
  check_first(c, at);
  for (int i = 0; at->use == USE_READ && i < v->partial.n; i++)
    if (holds(v->kept.at, v->kept.n, v->partial.at[i]) && !is_joined(c, v, v->partial.at[i]))
      fault(c, v->name, "it is read while it is partial");
  for (int i = c->own; at->use == USE_ACCUMULATE && i < c->path.n; i++) {
    const NestAxis *x = c->path.at[i];
    if (x->dim->role == ROLE_SCAN && (is_workers(x) || is_in_order(x))) vec_push(c->a, &c->scanned, x);
    const bool apart = is_workers(x) || holds(v->kept.at, v->kept.n, x);
    if (x->dim->role == ROLE_REDUCE && apart && !holds(v->partial.at, v->partial.n, x))
      fault(c, v->name, "nothing says that it is partial over workers' or copies' shares");
  }
}

/* Has it as many accesses as its kind takes, of the uses that it has? */
static void check_shape(Check *c, const NestStage *s) {
  static const struct { bool codelet, copies; int fewest, most; const char *what; } kinds[] = {
      [STAGE_CODELET] = {true, false, 1, 99, "a stage has accesses and nothing below it"},
      [STAGE_WHOLE] = {true, false, 0, 99, "a codelet on so many operands"},
      [STAGE_BEGIN] = {true, false, 0, 1, "a codelet's variables are one value"},
      [STAGE_RESULT] = {true, true, 2, 2, "a copy writes one value and reads another"},
      [STAGE_COPY] = {false, true, 2, 3, "a copy writes one value and reads another"},
      [STAGE_NUMBER] = {false, true, 2, 4, "a copy writes one value and reads another"},
      [STAGE_FILL] = {false, false, 1, 1, "a fill writes one value"},
      [STAGE_COMBINE] = {false, true, 2, 2, "a copy writes one value and reads another"},
      [STAGE_DELIVER] = {false, false, 1, 1, "one value is delivered"},
      [STAGE_SYNC] = {false, false, 0, 2, "one value is told"}};
  const int n = s->at.n;
  if (n < kinds[s->kind].fewest || n > kinds[s->kind].most) { fault(c, "stage", kinds[s->kind].what); return; }
  if (kinds[s->kind].codelet && !s->codelet) fault(c, "stage", "a stage without a codelet");
  if (kinds[s->kind].copies && (s->at.at[0].use != USE_WRITE || s->at.at[1].use != USE_READ))
    fault(c, "copy", kinds[s->kind].what);
  if (c->ok && s->kind == STAGE_COMBINE && !s->at.at[1].value->kept.n)
    fault(c, "combine", "what is combined has no copies");
  if (s->kind == STAGE_FILL && s->at.at[0].use != USE_WRITE) fault(c, "fill", kinds[s->kind].what);
  if (s->kind == STAGE_DELIVER && s->at.at[0].use != USE_READ) fault(c, "deliver", kinds[s->kind].what);
  if (s->kind == STAGE_SYNC && !s->sync) fault(c, "sync", "workers tell one another nothing");
}

static void check_accesses(Check *c, const NestStage *s) {
  for (int i = 0; c->ok && i < s->at.n; i++) check_access(c, &s->at.at[i]);
}

/* Does it copy what workers have put side by side, however much that is: no element of a dimension? */
static bool is_of_all(const NestStage *s) {
  return s->kind == STAGE_COPY && s->at.n == 2 && s->at.at[1].value->space == NEST_SHARED && !s->at.at[1].value->kept.n;
}

static void check_stage(Check *c, const NestNode *n) {
  if (!n->stage || n->kids.n) { fault(c, "stage", "a stage has accesses and nothing below it"); return; }
  check_shape(c, n->stage);
  /* one statement tells others something, or is a block's for all of its lanes */
  const bool elements = n->stage->kind != STAGE_DELIVER && n->stage->kind != STAGE_SYNC &&
                        !is_of_all(n->stage);
  if (n->stage->kind != STAGE_NUMBER) check_path(c, elements);
  check_accesses(c, n->stage);
}

/* What a plan's node will do. */
static void check_open(Check *c, const NestNode *n) {
  if (!n->plan) fault(c, "plan", "no plan's node");
  check_path(c, true);
  if (n->stage) check_accesses(c, n->stage);
}

/* Do the iterations of what it joins go through the join, each at its time? */
static bool is_within(NestWay way) { return way >= WAY_CARRY; }

static void check_scan(Check *c, const NestJoin *j) {
  const char *name = j->from->name;
  const bool scan = j->over->dim->role == ROLE_SCAN;
  if (scan != (j->to != NULL)) fault(c, name, "what stands before is a scan's, and all of these have it");
  if (!is_within(j->way)) return;
  if (is_in_order(j->over) != (j->way == WAY_CARRY)) fault(c, name, "a loop carries, workers ask one another");
  bool around = false;
  for (int i = c->own; i < c->path.n; i++) around |= is_same(c->path.at[i], j->over);
  if (!around) fault(c, name, "a join outside of the iterations that it is part of");
}

/* Does one of those that are joined act for all of them? */
static bool acts_for_others(const NestAxis *x, const NestAxis *over) {
  return x->tail == TAIL_FIRST && over->level && x->level && strcmp(over->level, x->level) == 0;
}

static void check_join(Check *c, const NestNode *n) {
  const bool alone = n->join && (n->join->way == WAY_ATOMIC || is_within(n->join->way));
  if (!n->join || n->kids.n != !alone) {
    fault(c, "join", "a join has a value, and one kid that combines, or a way that needs none");
    return;
  }
  const NestJoin *j = n->join;
  if (!holds(j->from->partial.at, j->from->partial.n, j->over))
    fault(c, j->from->name, "a join over what is not partial");
  if (holds(j->from->kept.at, j->from->kept.n, j->over) == alone)
    fault(c, j->from->name, "atomics join what is kept once, others what is kept apart");
  if (is_joined(c, j->from, j->over)) fault(c, j->from->name, "it is joined twice");
  for (int i = c->own; i < c->path.n; i++) {
    const NestAxis *x = c->path.at[i];
    if (is_same(x, j->over) && !is_within(j->way)) fault(c, x->name, "a join within what it joins");
    if (is_workers(x) && (x->tail == TAIL_GUARD || x->tail == TAIL_CLIP || acts_for_others(x, j->over)))
      fault(c, x->name, "workers miss the exchange of a join");
  }
  for (const NestNode *m = c->above; m; m = m->above) /* .. in a nest that this one was opened in */
    if (m->kind == NEST_AXIS && acts_for_others(m->axis, j->over))
      fault(c, m->axis->name, "workers miss the exchange of a join");
  check_scan(c, j);
  vec_push(c->a, &c->joined, j);
  if (j->to) vec_push(c->a, &c->written, j->to);
  if (j->all) vec_push(c->a, &c->written, j->all);
}

/* ---- nodes ---- */

static void check(Check *c, const NestNode *n);

static void check_axis(Check *c, const NestNode *n) {
  const NestAxis *x = n->axis;
  if (!x || !n->kids.n) { fault(c, "axis", "an axis without iterations"); return; }
  const bool workers = is_workers(x), numbered = workers || x->binding == BINDING_SKEWED;
  if (x->dim->role == ROLE_ORDER && workers) fault(c, x->name, "what goes on in order is bound to workers");
  if ((numbered || x->many) != (x->number != NULL))
    fault(c, x->name, "workers and skewed axes have a number, others none");
  if ((x->left && x->binding < BINDING_HOST) || (x->endless && !x->left))
    fault(c, x->name, "a kernel ends a loop of the host's, and each that has no other end");
  const bool acts = x->tail == TAIL_FIRST;
  if (acts && (!workers || !x->exists)) fault(c, x->name, "one worker acts for all, and nothing says which");
  vec_push(c->a, &c->path, x);
}

static void check_kernel(Check *c, const NestNode *n) {
  if (!n->kernel || !n->kids.n) { fault(c, "kernel", "a kernel that does nothing"); return; }
  const NestAxis *loop = n->kernel->leaves;
  bool within = !loop;
  for (int i = 0; i < c->path.n; i++) within |= c->path.at[i] == loop;
  for (const NestNode *m = c->above; m; m = m->above) within |= m->kind == NEST_AXIS && m->axis == loop;
  if (!within || (loop && !loop->left)) fault(c, n->kernel->name, "it ends a loop that it is not in");
}

static void check_kids(Check *c, const NestNode *n) {
  const int path = c->path.n - (n->kind == NEST_AXIS), living = c->living.n;
  const int own = c->own;
  if (n->kind == NEST_JOIN) c->own = c->path.n;
  for (int i = 0; i < n->home.n; i++) {
    for (int k = 0; k < living; k++)
      if (c->living.at[k] == n->home.at[i]) fault(c, n->home.at[i]->name, "it has a home within its home");
    vec_push(c->a, &c->living, n->home.at[i]);
  }
  for (int i = 0; i < n->kids.n && c->ok; i++) {
    if (n->kids.at[i]) check(c, n->kids.at[i]);
    else fault(c, "node", "a kid is missing");
  }
  for (int i = 0; i < n->home.n && c->ok; i++) {
    const NestValue *v = n->home.at[i];
    for (int k = 0; k < v->partial.n; k++) {
      const NestAxis *over = v->partial.at[k];
      /* a lane's: the plan joins it */
      const bool own = v->space == NEST_REGISTERS && !holds(v->kept.at, v->kept.n, over);
      if (!own && !is_joined(c, v, over)) fault(c, v->name, "no join over what it is partial over");
    }
  }
  c->own = own;
  c->path.n = path;
  c->living.n = living;
}

static void check(Check *c, const NestNode *n) {
  switch (n->kind) {
    case NEST_AXIS: check_axis(c, n); break;
    case NEST_STAGE: check_stage(c, n); return;
    case NEST_JOIN: check_join(c, n); break;
    case NEST_WHEN: if (!n->when || n->kids.n != 2) fault(c, "when", "a flag has two cases"); break;
    case NEST_OPEN: check_open(c, n); break;
    case NEST_UNLESS:
      if (!n->made || n->kids.n != 2) fault(c, "unless", "it is not said when one of two is left out");
      break;
    case NEST_KERNEL: check_kernel(c, n); break;
    case NEST_PIECES: if (!n->axis) fault(c, "pieces", "no axis is in pieces"); break;
    case NEST_SEQ: case NEST_AHEAD: break;
  }
  if (c->ok) check_kids(c, n);
}

bool nest_verify(const NestNode *n, Diagnostics *d) {
  Check c = {.a = arena_new(), .d = d, .above = n->above, .ok = true};
  check(&c, n);
  for (int i = 0; i < c.scanned.n && c.ok; i++) {
    bool joined = false;
    for (int k = 0; k < c.joined.n; k++) joined |= is_same(c.joined.at[k]->over, c.scanned.at[i]);
    if (!joined) fault(&c, c.scanned.at[i]->name, "no join says what stands before each iteration of a scan");
  }
  arena_free(c.a);
  return c.ok;
}
