/* runs.c: what can be read and written 16 bytes at a time: a loop over containers that lie as runs in memory, side by
 * side where there are several; and the stage that goes through them. */
#include "lower/realise.h"

bool runs_are_given(const Tree *t) {
  const SymbolKind kind = t->op == OP_REF ? t->symbol->kind : SYMBOL_LOCAL;
  if (t->op == OP_REF) return kind == SYMBOL_CONSTANT || (kind == SYMBOL_PARAM && !t->symbol->pointer);
  if (t->op != OP_INT && t->nkids == 0) return false;
  for (int i = 0; i < t->nkids; i++)
    if (!runs_are_given(t->kid[i])) return false;
  return true;
}

static bool indexes(const Tree *t, const Symbol *array) {
  return t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol == array;
}

/* Is the container read in the loop: in more than `out[i] = ..'? Is it written? */
typedef struct Use { const Symbol *container; bool read, written; } Use;

static bool find_use(void *context, const Tree *t) {
  Use *u = context;
  if (indexes(t, u->container)) u->read = true;
  if (t->op != OP_ASSIGN || !indexes(t->kid[0], u->container)) return true;
  u->written = true;
  u->read |= t->compound != 0;
  tree_visit(t->kid[1], find_use, u);
  return false;
}

static bool add_memory(Lowering *l, View *v, Tree *before, const Use *use, Runs *to);

static bool add_inner(Lowering *l, const View *v, Tree *before, const Use *use, Runs *to) {
  for (int i = v->source.kind == VIEW_GATHER; i < v->source.nof; i++) /* what is gathered lies anywhere */
    if (!add_memory(l, v->source.of[i], before, use, to)) return false;
  return true;
}

/* Adds the memory that a view's elements come from; false where it does not lie element by element. Within another view
 * elements stand `before' further on; NULL: it is the outermost, and a position is one of its own. */
static bool add_memory(Lowering *l, View *v, Tree *before, const Use *use, Runs *to) {
  if (before && v->source.nof && !build_is(v->step, 1)) return false;
  switch (v->source.kind) {
    case VIEW_TRANSFORM:
    case VIEW_GATHER:
      return add_inner(l, v, before ? build_add(l->a, before, v->begin) : build_index(l->a, 0), use, to);
    case VIEW_MEMORY: {
      bool own = l->plan->machine->is_cpu && v->source.base && v->source.base->kind == SYMBOL_SHARED; /* a thread's own copy */
      if (!v->source.base || !(v->source.base->pointer || own) || v->plane.columns) return false;
      if (before && !build_is(v->step, 1)) return false;
      Run made = {nest_value(l->a, v->source.base->name, NEST_MEMORY), use->read, use->written};
      made.value->view = v;
      made.value->begin = before ? build_add(l->a, before, v->begin) : NULL;
      vec_push(l->a, to, made);
      return true;
    }
    default: return true;
  }
}

/* Are as many elements as 16 bytes hold of the first container once or several times 16 bytes of the other? What is
 * accumulated is no smaller than what is stored. */
static bool in_16_bytes(Type other, Type first) {
  return other == first || (first == TYPE_STORED && other == TYPE_ELEM);
}

bool runs_of(Lowering *l, const Codelet *c, const Tree *loop, const Arguments *in, Runs *to) {
  const View *first = lowering_container(in);
  for (int i = 0; i < c->nparams; i++) {
    Use use = {.container = c->params[i]};
    tree_visit(loop->kid[3], find_use, &use);
    View *v = in->at[i].view;
    if (!v || (!use.read && !use.written)) continue;
    if (c->params[i]->atomic) continue; /* contributed to, wherever */
    if (!view_aligned(v, first) || !add_memory(l, v, NULL, &use, to)) return false;
  }
  for (int i = 1; i < to->n; i++)
    if (!in_16_bytes(to->at[i].value->view->source.base->type, to->at[0].value->view->source.base->type)) return false;
  return to->n > 0;
}

bool runs_fit(const Lowering *l, const Codelet *c, const Arguments *in) {
  const Tree *loop, *result;
  const View *first = lowering_container(in);
  if (!first || !first->spread || l->program->element == TYPE_BOOL || !kept_take_apart(c, &loop, &result)) return false;
  Lowering trial = *l;
  Runs runs = {0};
  if (!runs_of(&trial, c, loop, in, &runs)) return false;
  const bool there = lowering_there(l) != NULL;
  for (int i = 0; i < runs.n && there; i++) /* stores of whole rounds, by workers that have no part */
    if (runs.at[i].written) return false;
  return kept_loop_is(l, c, loop, in, inline_loops_over_container);
}

NestNode *runs_stage(const Opened *o, NestValue *const *tiles) {
  Arena *a = o->l->a;
  NestNode *stage = nest_stage(a, STAGE_CODELET, o->kept.codelet);
  for (int i = 0; i < o->runs.n; i++) {
    const Run *x = &o->runs.at[i];
    NestValue *v = tiles ? tiles[i] : x->value;
    if (x->read) nest_access(a, stage, v, USE_READ);
    if (x->written) nest_access(a, stage, v, USE_WRITE);
  }
  if (o->accumulator) nest_access(a, stage, o->accumulator, USE_ACCUMULATE);
  return stage;
}
