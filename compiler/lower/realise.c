/* realise.c: nests as statements, in lockstep form: what is done with an element is stages.c's.
 *
 * A plan's node in it is opened when the text comes to it, since positions are expressions in names that the text
 * before has declared; then it goes on with what it was opened into.
 *
 * Requires a nest that nest_verify takes, whose axes' pieces tails.c has made. Keeps what each lane computes, and the
 * order of what is named. Breaks nothing: the nest stays as it is, but for the symbols that its values get, and what is
 * opened.
 *
 *   loop       for (; position ..; position += stride): pieces of a dimension go on from one another's position
 *   unroll     for (k = 0; k < extent; ++k), written out
 *   workers    no text: each has its number
 *   wide       no text: a copy below it is one access of 16 bytes
 *   guard      workers' is around all that they do, other axes' around each stage (stages.c)
 *   first      likewise */
#include "ir/operator.h"
#include "lower/scan.h"
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
  Symbol *k = block_open_counted(l, &b, "s");
  const bool lifted = tile->type == TYPE_STORED;
  Tree *identity = operator_identity(a, s->op, lifted ? TYPE_ELEM : tile->type);
  if (lifted) identity = tree_unary(a, OP_CAST, TYPE_STORED, identity);
  lowering_add(l, build_assign(a, build_element(a, tile, tree_ref(a, k)), identity));
  block_close_unrolled(l, &b, k, tile->length);
}

static void declare_tile(Realising *r, NestValue *v, NestTail tail) {
  Lowering *l = r->l;
  Tree *length = nest_extent(r->l->a, v->kept.at[0]);
  for (int i = 1; i < v->kept.n; i++) length = build_mul(l->a, length, nest_extent(r->l->a, v->kept.at[i]));
  v->symbol = symbol_new(l->a, SYMBOL_LOCAL, v->name, v->type ? v->type : v->of->view->source.base->type);
  v->symbol->name = lowering_name(l, v->name);
  v->symbol->array = v->symbol->writable = true;
  v->symbol->length = length;
  lowering_add(l, build_declare(l->a, v->symbol, NULL));
  if (tail == TAIL_IDENTITY) fill_identity(r, v->kept.at[0]->dim->op, v->symbol);
}

/* What a block shares, or a pointer that a call is given; one lane sets a variable to what it begins as. */
static void declare_given(Lowering *l, NestValue *v) {
  Arena *a = l->a;
  v->symbol->name = lowering_name(l, v->name);
  if (v->space == NEST_SHARED && !v->symbol->handed) vec_push(a, &l->now.shared, build_declare(a, v->symbol, NULL));
  if (!v->is) return;
  vec_push(a, &l->now.start,
           build_if(a, lowering_is_first(l, OP_THREAD), build_assign(a, tree_ref(a, v->symbol), v->is)));
}

/* Values begin to live: tiles are declared, each with what fills it, which the first kids do: how many of these. A tile
 * of another type than its memory's is declared with all else that lives here. */
static int begin_homes(Realising *r, const NestNode *n) {
  int done = 0;
  for (int i = 0; i < n->home.n; i++) {
    NestValue *v = n->home.at[i];
    if (v->space != NEST_REGISTERS) {
      if (v->symbol) declare_given(r->l, v);
    } else if (v->is) {
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
  const NestDim *of = r->counted;
  r->at = tree_ref(l->a, at);
  r->counted = NULL;
  kids(r, n);
  r->at = NULL;
  r->counted = of;
}

/* One iteration, of an axis that has no other: from where this worker begins. */
static void only_iteration(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  Tree *own = tails_origin(l, n->axis->dim, &(Bounds){0});
  r->at = r->ahead ? own : tree_ref(l->a, lowering_fixed(l, "i", TYPE_INDEX, own));
  r->bounds = (Bounds){0};
  if (n->axis->tail == TAIL_GUARD) tails_declare_left(l, n->axis->dim, &r->bounds, r->at);
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
  const bool named = !axis->many && axis->at; /* what the nest knows of it is known behind it: the name stays taken */
  if (!axis->many && !named) nest_count(l->a, axis, axis->name, TYPE_INDEX);
  Symbol *at = axis->many ? axis->number->symbol : axis->at->symbol;
  at->name = lowering_name(l, axis->name);
  Tree *around = r->at;
  const NestDim *of = r->counted;
  Body b;
  body_open(r, &b);
  if (axis->many) iterations_enter(r, axis, axis->number);
  else {
    r->at = axis->at;
    r->counted = axis->dim;
  }
  body(r, n);
  if (axis->many) iterations_leave(r, r->above.n - 1);
  r->at = around;
  r->counted = of;
  if (!axis->many && !named) axis->at = NULL;
  body_end(r, &b);
  block_close(l, &b.block);
  if (!named && (axis->dim->axes.n > 1 || axis->dim->role == ROLE_SCAN)) l->now.names.n = names;
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
  const bool iterations = n->axis->until != UNTIL_ONCE;
  Tree *here = r->at, *head = tails_head(l, of, &r->bounds);
  const int names = l->now.names.n;
  Symbol *e = iterations ? block_counter(l, n->axis->name, TYPE_INT) : NULL;
  Block all, mine;
  block_open(l, &all);
  r->at = tails_end(l, of, &r->bounds, iterations ? tree_ref(l->a, e) : lane->number, head);
  block_open(l, &mine);
  kids(r, n->kids.at[0]);
  block_close_guarded(l, &mine, tails_end_exists(l, of, r->at));
  const int known = iterations ? names : l->now.names.n; /* behind it, where it is no loop's body */
  block_close(l, &all);
  r->at = here;
  Tree *inner = tree_seq(l->a, all.inner.at, all.inner.n), *many = tails_many_ends(l, of, &r->bounds, head);
  Tree *made = iterations ? build_for(l->a, e, lane->number, many, lane->extent, inner) : NULL;
  if (made) {
    made->unroll = UNROLL_NONE;
    lowering_add(l, made);
  }
  for (int i = 0; !iterations && i < all.inner.n; i++) lowering_add(l, all.inner.at[i]);
  l->now.names.n = known;
}

static void loop(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  const NestAxis *axis = n->axis;
  if (axis->dim->ends_of) { ends(r, n); return; }
  if (axis->until == UNTIL_ONCE && !r->at) { only_iteration(r, n); return; }
  if (axis->until == UNTIL_ONCE) { last_iteration(r, n); return; }
  if (!r->at || (r->counted && r->counted != axis->dim)) { counting(r, n); return; }
  const Symbol *many = tails_many(l, axis, &r->bounds);
  if (axis->dim->role == ROLE_ORDER && axis->until == UNTIL_END) { /* copied rows keep their names: a body may have
                                                                      any */
    lowering_name(l, "row");
    lowering_name(l, "k");
  }
  Body b;
  body_open(r, &b);
  body(r, n);
  body_end(r, &b);
  block_close_onward(l, &b.block, r->at, tails_goes_on(l, axis, &r->bounds, r->at, many), axis->stride, axis->unroll);
}

static Tree *jammed_loop(Arena *a, const NestAxis *axis, const Statements *of) {
  Tree *zero = tree_int(a, TYPE_INT, 0), *one = tree_int(a, TYPE_INT, 1);
  Tree *made = build_for(a, axis->at->symbol, zero, axis->extent, one, tree_seq(a, of->at, of->n));
  made->unroll = UNROLL_JAM;
  return made;
}

/* Parts that a nest below may take together: what is written behind that nest stands in the last loop. */
static void jammed(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  NestAxis *axis = n->axis;
  const Statements around = axis->before; /* it is sunk into a loop that goes ahead of it */
  Body b;
  axis->before = (Statements){0};
  if (!axis->at) axis->at = tree_ref(l->a, block_counter(l, axis->name, TYPE_INT));
  body_open(r, &b);
  axis->here = &b.block.inner;
  body(r, n);
  axis->here = NULL;
  body_end(r, &b);
  block_close(l, &b.block);
  if (!around.n && !axis->before.n)
    diagnostics_remark(l->d, REMARK_MISSED, "jam", (SourceRange){0},
                       "parts go one by one: their loops are not the same");
  for (int i = 0; i < axis->before.n; i++) lowering_add(l, axis->before.at[i]);
  axis->before = around;
  lowering_add(l, jammed_loop(l->a, axis, &b.block.inner));
}

static void together(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  NestAxis *axis = n->axis;
  Statements *here = axis->here;
  if (here->n) vec_push(l->a, &axis->before, jammed_loop(l->a, axis, here));
  *here = (Statements){0};
  l->to = &axis->before;
  axis->here = NULL;
  kids(r, n);
  l->to = axis->here = here;
}

static void unrolled(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  Block b, c;
  const bool skips = n->axis->tail == TAIL_SKIP;
  const int depth = r->above.n;
  Symbol *k = block_open_counted(l, &b, n->axis->name);
  if (n->axis->at) { /* nest_count's, which statements have */
    n->axis->at->symbol->name = k->name;
    k = n->axis->at->symbol;
  }
  Tree *number = tree_ref(l->a, k), *many = nest_extent(l->a, n->axis);
  const NestAxis *with = n->kids.at[0]->kind == NEST_AXIS ? n->kids.at[0]->axis : NULL;
  if (skips) block_open(l, &c);
  if (with && with->binding == BINDING_CODELET) {
    iterations_enter_both(r, n->axis, with, number);
    many = build_mul(l->a, many, with->extent);
  } else iterations_enter(r, n->axis, number);
  body(r, n);
  iterations_leave(r, depth);
  if (skips) block_close_guarded(l, &c, tails_exists(l, n->axis, &r->bounds, r->at, number));
  block_close_counted(l, &b, k, many, n->axis->unroll == UNROLL_FEW ? UNROLL_FEW : UNROLL_ALL);
}

static void workers(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  const NestAxis *axis = n->axis;
  Block b;
  if (axis->bytes) l->now.kernel->step_bytes = axis->bytes;
  if (in_step_applies(n)) {
    InStep t;
    in_step_begin(l, &t, n, r->at);
    body(r, n);
    in_step_end(l, &t, n);
    return;
  }
  const bool acts = axis->tail == TAIL_FIRST || axis->tail == TAIL_ALL, guarded = acts || axis->tail == TAIL_GUARD;
  if (guarded) block_open(l, &b);
  iterations_enter(r, axis, axis->number);
  Tree *here = r->at;
  if (axis->at) r->at = axis->at;
  body(r, n);
  r->at = here;
  iterations_leave(r, r->above.n - 1);
  Tree *exists = !guarded || acts ? axis->exists : tails_exists(l, axis, &r->bounds, r->at, axis->number);
  if (guarded) block_close_guarded(l, &b, exists);
}

/* The iteration that the loops above have come to, if there is one. */
static void skewed(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  const NestAxis *axis = n->axis;
  Block b;
  block_open(l, &b);
  Tree *number = axis->number;
  if (number->op != OP_REF) number = tree_ref(l->a, lowering_fixed(l, axis->name, TYPE_INT, number));
  iterations_enter(r, axis->skewed, number);
  body(r, n);
  iterations_leave(r, r->above.n - 1);
  block_close_guarded(l, &b, axis->exists);
}

/* ---- nodes ---- */

static void when(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  Arena *a = l->a;
  Block b, c;
  const bool then = !nest_is_nothing(n->kids.at[0]), otherwise = !nest_is_nothing(n->kids.at[1]);
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
  if (n->axis) { together(r, n); return; }
  Statements *here = r->l->to;
  r->l->to = &nest_above(r->l->nest, BINDING_LOOP)->before;
  r->ahead = true;
  const int done = begin_homes(r, n);
  r->ahead = false;
  r->l->to = here;
  for (int i = done; i < n->kids.n; i++) node(r, n->kids.at[i]);
}

/* What kid 1 does is known once it is written. */
static void unless(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  Statements later = {0}, *here = l->to;
  l->to = &later;
  node(r, n->kids.at[1]);
  l->to = here;
  const int names = l->now.names.n;
  if (!*n->made) node(r, n->kids.at[0]);
  else if (n->comment) lowering_comment(l, "%s", n->comment);
  l->now.names.n = names;
  for (int i = 0; i < later.n; i++) lowering_add(l, later.at[i]);
}

static void kernel(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  Statements does = {0}, *here = l->to;
  const int names = l->now.names.n;
  kernel_open(l, n->kernel);
  l->to = &does;
  if (n->comment) lowering_comment(l, "%s", n->comment);
  body(r, n);
  l->now.names.n = names;
  l->to = here;
  kernel_close(l, n->kernel, &does);
  if (n->kernel->leaves && (l->plan->machine->is_cpu || n->kernel->leaves->binding == BINDING_GRID)) {
    Tree *out = build_tree(l->a, OP_BREAK, TYPE_VOID, NULL, 0), *left = n->kernel->leaves->left;
    Tree *is = build_compare(l->a, OP_NE, left, tree_int(l->a, TYPE_INT, 0));
    vec_push(l->a, &l->now.launches, build_if(l->a, is, tree_seq(l->a, &out, 1)));
  }
}

/* A part is cut now that its worker has come to it. */
static void hand(Lowering *l, Work *w) {
  const Part *x = &w->part;
  w->in = lowering_parts(l, x->cut, x->e, x->which, x->who);
  if (l->failed) return;
  if (x->exists) tails_empty(l, x->cut, &w->in, x->exists);
  if (!w->block) return;
  NestKernel *k = lowering_kernel(l);
  k->part = open_memory(l->a, "part", lowering_container(&w->in));
  k->part->begin = x->from;
  k->most = x->most;
}

/* A plan's node. What it is opened into knows nothing of where the loops above are. */
static void open(Lowering *l, NestNode *n) {
  if (n->work->part.cut && !l->failed) hand(l, n->work);
  NestNode *made = l->failed ? NULL : open_node(l, n->plan, n->work);
  if (made) realise(l, made);
}

/* Behind the last iteration of a loop that has no other end. */
static void give_up(Lowering *l, const NestAxis *x, Tree *iterations) {
  Arena *a = l->a;
  Tree *last = build_compare(a, OP_EQ, iterations, x->dim->end);
  Tree *out = build_tree(a, OP_GIVE_UP, TYPE_VOID, NULL, 0);
  vec_push(a, &l->now.launches, build_if(a, last, tree_seq(a, &out, 1)));
}

/* What ends an iteration of a loop that kernels may end. On a GPU the host learns of it behind some iterations: kernels
 * that it launched meanwhile do nothing. */
static void end_of_iteration(Lowering *l, const NestAxis *x) {
  Arena *a = l->a;
  Tree *iterations = build_add(a, build_div(a, build_sub(a, x->at, x->dim->origin), x->stride), build_index(a, 1));
  if (!l->plan->machine->is_cpu)
    vec_push(a, &l->now.launches, build_tree(a, OP_ASK, TYPE_VOID, (Tree *[]){x->left, iterations}, 2));
  if (x->endless) give_up(l, x, iterations);
}

/* The sizes of what is launched are the same in each iteration, and are declared before. */
static void launches(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const NestAxis *x = n->axis;
  const Statements around = l->now.launches;
  const Tree *left = l->now.left;
  l->now.launches = (Statements){0};
  if (x->left && !l->plan->machine->is_cpu) l->now.left = x->left;
  body(r, n);
  if (x->left) end_of_iteration(l, x);
  l->now.left = left;
  Tree *inner = tree_seq(a, l->now.launches.at, l->now.launches.n);
  l->now.launches = around;
  vec_push(a, &l->now.launches, build_for(a, x->at->symbol, x->dim->origin, x->dim->end, x->stride, inner));
}

/* Whether loops in the kernel that have no other end gave up. */
static void ask_for_ends(Lowering *l, const NestNode *n) {
  if (n->kind == NEST_AXIS && n->axis->endless)
    vec_push(l->a, &l->now.launches, build_tree(l->a, OP_ASK_END, TYPE_VOID, (Tree *[]){n->axis->left}, 1));
  for (int i = 0; i < n->kids.n; i++) ask_for_ends(l, n->kids.at[i]);
}

/* A loop of a grid that stays: the outermost one is one launch, of what is written as launches here (persist.c).
 * Without a position it is no loop: all steps, by one block, which has no word to meet others at. */
static void stays(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  Arena *a = l->a;
  const NestAxis *x = n->axis;
  const NestNode *above = n->above;
  while (above && !(above->kind == NEST_AXIS && above->axis->binding == BINDING_GRID)) above = above->above;
  const Statements around = l->now.launches;
  l->now.launches = (Statements){0};
  body(r, n);
  if (x->endless) give_up(l, x, build_add(a, x->at, build_index(a, 1)));
  Tree *inner = tree_seq(a, l->now.launches.at, l->now.launches.n);
  l->now.launches = around;
  Tree *loop = x->at ? build_for(a, x->at->symbol, x->dim->origin, x->dim->end, x->stride, inner) : inner;
  Program *p = l->program;
  if (!p->met && !above && x->at) p->met = lowering_pointer(l, "met", TYPE_UINT);
  Tree *kids[] = {x->at && !above ? tree_ref(a, p->met) : tree_int(a, TYPE_UINT, 0), loop};
  vec_push(a, &l->now.launches, above ? loop : build_tree(a, OP_TOGETHER, TYPE_VOID, kids, 2));
  if (!above) ask_for_ends(l, n);
}

static void axis(Realising *r, const NestNode *n) {
  switch (n->axis->binding) {
    case BINDING_LOOP: loop(r, n); break;
    case BINDING_HOST: launches(r, n); break;
    case BINDING_GRID: stays(r, n); break;
    case BINDING_UNROLL: (n->axis->unroll == UNROLL_JAM ? jammed : unrolled)(r, n); break;
    case BINDING_WIDE: case BINDING_CODELET: body(r, n); break;
    case BINDING_SKEWED: skewed(r, n); break;
    case BINDING_WORKERS: case BINDING_IN_STEP: workers(r, n); break;
  }
}

static void node(Realising *r, const NestNode *n) {
  Lowering *l = r->l;
  NestNode *around = l->nest;
  Opened *of = r->o;
  /* or its comment is no text's */
  const bool own = n->kind == NEST_OPEN || n->kind == NEST_KERNEL || n->kind == NEST_UNLESS;
  if (l->failed) return;
  l->nest = (NestNode *)n;
  if (n->opened) r->o = n->opened;
  if (n->comment && !own) lowering_comment(l, "%s", n->comment);
  switch (n->kind) {
    case NEST_SEQ: body(r, n); break;
    case NEST_PIECES: pieces(r, n); break;
    case NEST_WHEN: when(r, n); break;
    case NEST_AHEAD: ahead(r, n); break;
    case NEST_UNLESS: unless(r, n); break;
    case NEST_AXIS:
      if (n->axis->many) counting(r, n);
      else axis(r, n);
      break;
    case NEST_STAGE: stages_write(r, n); break;
    case NEST_JOIN:
      if (r->o && r->o->scan) carry_join(r->o->scan, n);
      else kids(r, n);
      break;
    case NEST_OPEN: open(l, l->nest); break;
    case NEST_KERNEL: kernel(r, n); break;
  }
  l->nest = around;
  r->o = of;
}

void realise(Lowering *l, NestNode *nest) {
  Realising r = {.l = l};
  if (l->nest) nest_add(l->a, l->nest, nest);
  l->failed |= !nest_verify(nest, l->d);
  if (!l->failed) node(&r, nest);
}
