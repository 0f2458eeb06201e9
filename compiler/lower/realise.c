/* realise.c: nests as statements, in lockstep form: what is done with an element is stages.c's.
 *
 * Requires a nest that nest_verify takes, whose axes' pieces tails.c has made. Keeps what each lane computes, and the order
 * of what is named. Breaks nothing: the nest stays as it is, but for the symbols that its values get.
 *
 *   loop       for (; position ..; position += stride): pieces of a dimension go on from one another's position
 *   unroll     for (k = 0; k < extent; ++k), written out
 *   workers    no text: each has its number
 *   wide       no text: a copy below it is one access of 16 bytes
 *   guard      workers' is around all that they do, other axes' around each stage (stages.c) */
#include "ir/operator.h"
#include "lower/block.h"
#include "lower/stages.h"

static void node(Realising *r, const NestNode *n);

static void kids(Realising *r, const NestNode *n) {
  for (int i = 0; i < n->kids.n; i++) node(r, n->kids.at[i]);
}

/* ---- homes ---- */

/* The tail of the written-out axis that a tile is filled by. */
static NestTail filled_with(const NestNode *n) {
  if (n->kind == NEST_AXIS && n->axis->binding == BINDING_UNROLL) return n->axis->tail;
  return n->kids.n ? filled_with(n->kids.at[0]) : TAIL_NONE;
}

static bool fills(const NestNode *n, const NestValue *v) {
  if (n->kind == NEST_STAGE) return n->stage->kind == STAGE_COPY && n->stage->at.at[0].value == v;
  for (int i = 0; i < n->kids.n; i++)
    if (fills(n->kids.at[i], v)) return true;
  return false;
}

/* T wide[..], all the operator's identity. */
static void fill_identity(Realising *r, const Spectrum *s, Symbol *tile) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Block b;
  const int names = l->now.names.n;
  Symbol *k = block_counter(l, "s", TYPE_INT);
  block_open(l, &b);
  const bool lifted = tile->type == TYPE_STORED;
  Tree *identity = operator_identity(a, s->op, lifted ? TYPE_ELEM : tile->type);
  if (lifted) identity = tree_unary(a, OP_CAST, TYPE_STORED, identity);
  lowering_add(l, build_assign(a, build_element(a, tile, tree_ref(a, k)), identity));
  block_close_unrolled(l, &b, k, tile->length);
  l->now.names.n = names;
}

static void declare_tile(Realising *r, NestValue *v, NestTail tail) {
  Lowering *l = r->l;
  Tree *length = nest_extent(v->kept.at[0]);
  for (int i = 1; i < v->kept.n; i++) length = build_mul(l->a, length, nest_extent(v->kept.at[i]));
  v->symbol = symbol_new(l->a, SYMBOL_LOCAL, v->name, v->type ? v->type : v->of->view->source.base->type);
  v->symbol->name = lowering_name(l, v->name);
  v->symbol->array = v->symbol->writable = true;
  v->symbol->length = length;
  lowering_add(l, build_declare(l->a, v->symbol, NULL));
  if (tail == TAIL_IDENTITY) fill_identity(r, v->kept.at[0]->dim->op, v->symbol);
}

/* Values begin to live: tiles are declared, each with what fills it, which the first kids do: how many of these. A tile of
 * another type than its memory's is declared with all else that lives here. */
static int begin_homes(Realising *r, const NestNode *n) {
  int done = 0;
  for (int i = 0; i < n->home.n; i++) {
    NestValue *v = n->home.at[i];
    if (v->is) {
      v->symbol->name = lowering_name(r->l, v->name);
      lowering_add(r->l, build_declare(r->l->a, v->symbol, v->is));
    }
    if (!v->of) continue; /* variables that a stage or a join declares, or kept.c has */
    const bool filled = !v->type && done < n->kids.n && fills(n->kids.at[done], v);
    const bool another = filled && i + 1 < n->home.n && fills(n->kids.at[done], n->home.at[i + 1]);
    declare_tile(r, v, filled ? filled_with(n->kids.at[done]) : TAIL_NONE);
    if (another) continue;
    if (filled) node(r, n->kids.at[done++]);
    if (filled && r->ahead) lowering_name(r->l, "k"); /* its counter's name stays taken where the parts are */
  }
  return done;
}

static void body(Realising *r, const NestNode *n) {
  for (int i = begin_homes(r, n); i < n->kids.n; i++) node(r, n->kids.at[i]);
}

/* ---- axes ---- */

/* A list of statements that begins with shared variables' initial values: they begin anew with each iteration. */
typedef struct Body { Block block; Statements start; } Body;

static void body_open(Realising *r, Body *b) {
  b->start = r->l->now.start;
  r->l->now.start = (Statements){0};
  block_open(r->l, &b->block);
}

static void body_end(Realising *r, Body *b) {
  Statements all = r->l->now.start;
  for (int i = 0; i < b->block.inner.n; i++) vec_push(r->l->a, &all, b->block.inner.at[i]);
  b->block.inner = all;
  r->l->now.start = b->start;
}

static void pieces(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  const NestDim *dim = n->axis->dim;
  r->bounds = tails_bounds(l, dim, r->o ? r->o->kept.in : NULL);
  Symbol *at = block_counter(l, n->axis->name, TYPE_INDEX);
  lowering_add(l, build_declare(l->a, at, tails_origin(l, dim, &r->bounds)));
  r->at = tree_ref(l->a, at);
  kids(r, n);
  r->at = NULL;
}

/* One iteration, of an axis that has no other: from where this worker begins. */
static void only_iteration(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  Tree *own = tails_origin(l, n->axis->dim, &(Bounds){0});
  r->at = r->ahead ? own : tree_ref(l->a, lowering_fixed(l, "i", TYPE_INDEX, own));
  body(r, n);
  r->at = NULL;
}

/* One more iteration behind the whole ones. */
static void last_iteration(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  const NestAxis *axis = n->axis;
  if (!tails_in_step(axis->dim)) tails_declare_left(l, axis->dim, &r->bounds, r->at);
  Body b;
  if (axis->tail == TAIL_GUARD) body_open(r, &b);
  body(r, n);
  if (axis->tail != TAIL_GUARD) return;
  body_end(r, &b);
  block_close_guarded(l, &b.block, tails_exists(l, axis, &r->bounds, r->at, NULL));
}

/* A loop that counts by itself: positions, or iterations. What its nests want done ahead of it stands before it. */
static void counting(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  NestAxis *axis = n->axis;
  const int names = l->now.names.n;
  Symbol *at = axis->many ? axis->number->symbol
                          : symbol_new(l->a, SYMBOL_LOCAL, axis->name, axis->counter ? axis->counter : TYPE_INDEX);
  at->name = lowering_name(l, axis->name);
  Body b;
  body_open(r, &b);
  if (axis->many) stages_enter(r, axis, axis->number);
  else r->at = axis->at = tree_ref(l->a, at);
  body(r, n);
  if (axis->many) stages_leave(r, r->above.n - 1);
  else r->at = axis->at = NULL;
  body_end(r, &b);
  block_close(l, &b.block);
  if (axis->dim->axes.n > 1 || axis->dim->role == ROLE_SCAN) l->now.names.n = names; /* a loop of one lane keeps its counter's name to itself */
  for (int i = 0; i < axis->before.n; i++) {
    Tree *t = axis->before.at[i];
    lowering_add(l, t);
    if (t->op == OP_DECLARE) vec_push(l->a, &l->now.names, t->symbol->name);
  }
  Tree *inner = tree_seq(l->a, b.block.inner.at, b.block.inner.n), *first = axis->first;
  if (!first) first = axis->many ? tree_int(l->a, at->type, 0) : tails_origin(l, axis->dim, &(Bounds){0});
  Tree *end = axis->many ? axis->many : axis->dim->end, *step = axis->many ? tree_int(l->a, at->type, 1) : axis->stride;
  Tree *made = build_for(l->a, at, first, end, step, inner);
  made->unroll = axis->unroll;
  if (axis->next) made->kid[2] = build_assign(l->a, axis->number, axis->next);
  const bool any = axis->many && !axis->extent && axis->tail == TAIL_IDENTITY; /* of those that exchange together */
  if (any) made->kid[1] = tree_unary(l->a, OP_ANY, TYPE_BOOL, made->kid[1]);
  lowering_add(l, made);
}

/* What whole iterations leave, by slot 0: an element a worker, in turns where there may be more of them. */
static void ends(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  const NestDim *of = n->axis->dim->ends_of;
  const NestAxis *lane = n->kids.at[0]->axis;
  const bool turns = n->axis->until != UNTIL_ONCE;
  const int names = l->now.names.n;
  Tree *here = r->at, *head = tails_head(l, of, &r->bounds);
  Symbol *e = turns ? block_counter(l, n->axis->name, TYPE_INT) : NULL;
  Block all, mine;
  block_open(l, &all);
  r->at = tails_end(l, of, &r->bounds, turns ? tree_ref(l->a, e) : lane->number, head);
  block_open(l, &mine);
  kids(r, n->kids.at[0]);
  block_close_guarded(l, &mine, tails_end_exists(l, of, r->at));
  block_close(l, &all);
  r->at = here;
  Tree *inner = tree_seq(l->a, all.inner.at, all.inner.n), *many = tails_many_ends(l, of, &r->bounds, head);
  Tree *made = turns ? build_for(l->a, e, lane->number, many, lane->extent, inner) : NULL;
  if (made) {
    made->unroll = UNROLL_NONE;
    lowering_add(l, made);
  }
  for (int i = 0; !turns && i < all.inner.n; i++) lowering_add(l, all.inner.at[i]);
  l->now.names.n = names;
}

static void loop(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  const NestAxis *axis = n->axis;
  if (axis->dim->ends_of) { ends(r, n); return; }
  if (axis->until == UNTIL_ONCE && !r->at) { only_iteration(r, n); return; }
  if (axis->until == UNTIL_ONCE) { last_iteration(r, n); return; }
  if (!r->at) { counting(r, n); return; }
  const Symbol *many = tails_many(l, axis, &r->bounds);
  if (axis->dim->role == ROLE_ORDER && axis->until == UNTIL_END) { /* copied rows keep their names: a body may have any */
    lowering_name(l, "row");
    lowering_name(l, "k");
  }
  Body b;
  body_open(r, &b);
  body(r, n);
  body_end(r, &b);
  block_close_onward(l, &b.block, r->at, tails_goes_on(l, axis, &r->bounds, r->at, many), axis->stride, axis->unroll);
}

static void unrolled(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  Block b, c;
  const int names = l->now.names.n;
  const bool skips = n->axis->tail == TAIL_SKIP;
  const int depth = r->above.n;
  Symbol *k = block_counter(l, n->axis->name, TYPE_INT);
  Tree *number = tree_ref(l->a, k), *many = nest_extent(n->axis);
  const NestAxis *with = n->kids.at[0]->kind == NEST_AXIS ? n->kids.at[0]->axis : NULL;
  block_open(l, &b);
  if (skips) block_open(l, &c);
  if (with && with->binding == BINDING_CODELET) {
    stages_enter_both(r, n->axis, with, number);
    many = build_mul(l->a, many, with->extent);
  } else stages_enter(r, n->axis, number);
  body(r, n);
  stages_leave(r, depth);
  if (skips) block_close_guarded(l, &c, tails_exists(l, n->axis, &r->bounds, r->at, number));
  block_close_unrolled(l, &b, k, many);
  l->now.names.n = names;
}

static void workers(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  const NestAxis *axis = n->axis;
  Block b;
  /* a plan's tail is its own to see to: it knows what its codelets do there */
  const bool guarded = axis->tail == TAIL_GUARD && n->kids.at[0]->kind != NEST_PLAN;
  if (guarded) block_open(l, &b);
  stages_enter(r, axis, axis->number);
  Tree *here = r->at;
  if (axis->at) r->at = axis->at;
  body(r, n);
  r->at = here;
  stages_leave(r, r->above.n - 1);
  if (guarded) block_close_guarded(l, &b, tails_exists(l, axis, &r->bounds, r->at, axis->number));
}

/* ---- nodes ---- */

static void when(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Block b, c;
  const bool then = n->kids.at[0]->kids.n > 0, otherwise = n->kids.at[1]->kids.n > 0;
  block_open(l, &b);
  node(r, n->kids.at[0]);
  block_close(l, &b);
  block_open(l, &c);
  r->otherwise = true;
  node(r, n->kids.at[1]);
  r->otherwise = false;
  block_close(l, &c);
  Tree *x = tree_seq(a, b.inner.at, b.inner.n), *y = tree_seq(a, c.inner.at, c.inner.n);
  if (then && otherwise) lowering_add(l, build_either(a, n->when, x, y));
  else if (then) lowering_add(l, build_if(a, n->when, x));
  else lowering_add(l, build_if(a, tree_unary(a, OP_NOT, TYPE_BOOL, n->when), y));
}

static void ahead(Realising *r, const NestNode *n) {
  Statements *here = r->l->to;
  r->l->to = &nest_above(r->l->nest, BINDING_LOOP)->before;
  r->ahead = true;
  const int done = begin_homes(r, n);
  r->ahead = false;
  r->l->to = here;
  for (int i = done; i < n->kids.n; i++) node(r, n->kids.at[i]);
}

static void kernel(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  const NestKernel *k = n->kernel;
  Statements body = {0};
  Kernel *made = kernel_open(l, k->name, k->note);
  made->cluster = k->cluster;
  if (k->alone) made->threads = NULL;
  const int names = l->now.names.n;
  Statements launch = {0};
  l->to = &body;
  if (n->comment) lowering_comment(l, "%s", n->comment);
  kids(r, n);
  l->now.names.n = names;
  Tree *threads = k->alone ? build_index(l->a, 1) : tree_ref(l->a, l->now.threads);
  kernel_close(l, &body, k->when ? &launch : r->by->launches, k->blocks, threads);
  if (k->when) vec_push(l->a, r->by->launches, build_if(l->a, k->when, launch.at[0]));
}

/* What a plan's node or a join does; nests that it opens stand below it. */
static void call(Realising *r, NestNode *n) {
  Lowering *l = r->l;
  NestNode *around = l->nest;
  l->nest = n->kind == NEST_PLAN ? n : n->kind == NEST_JOIN && n->kids.n ? n->kids.at[0] : around;
  r->by->call(r->by->context, n, r->at);
  l->nest = around;
}

static void node(Realising *r, const NestNode *n) {
  if (n->comment && n->kind != NEST_PLAN && n->kind != NEST_KERNEL) lowering_comment(r->l, "%s", n->comment);
  switch (n->kind) {
    case NEST_SEQ: body(r, n); break;
    case NEST_PIECES: pieces(r, n); break;
    case NEST_WHEN: when(r, n); break;
    case NEST_AHEAD: ahead(r, n); break;
    case NEST_AXIS:
      if (n->axis->many) counting(r, n);
      else if (n->axis->binding == BINDING_LOOP) loop(r, n);
      else if (n->axis->binding == BINDING_UNROLL) unrolled(r, n);
      else if (n->axis->binding == BINDING_WIDE || n->axis->binding == BINDING_CODELET) body(r, n);
      else workers(r, n);
      break;
    case NEST_STAGE: stages_write(r, n->stage); break;
    case NEST_JOIN:
      if (n->kids.n && n->kids.at[0]->kind != NEST_PLAN) { kids(r, n); break; }
      /* fallthrough */
    case NEST_PLAN: call(r, (NestNode *)n); break;
    case NEST_KERNEL: kernel(r, n); break;
  }
}

void realise(Lowering *l, Opened *o, NestNode *nest, const Carrying *by) {
  Realising r = {.l = l, .o = o, .by = by};
  nest_add(l->a, l->nest, nest);
  l->failed |= !nest_verify(nest, l->d);
  if (l->failed) return;
  node(&r, nest);
}
