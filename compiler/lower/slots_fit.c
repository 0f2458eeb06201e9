/* slots_fit.c: what can be read and written 16 bytes at a time: a loop over containers that lie as runs in memory, side by
 * side where there are several. */
#include "lower/slots.h"

bool slots_take_apart(const Codelet *c, const Tree **loop, const Tree **result) {
  const Tree *b = c->plain.body ? c->plain.body : c->body;
  *loop = *result = NULL;
  for (int i = 0; i < b->nkids; i++) {
    const Tree *t = b->kid[i];
    if (t->op == OP_DECLARE && !*loop && !t->symbol->array) continue;
    if (t->op == OP_FOR && !*loop) { *loop = t; continue; }
    if (t->op == OP_RETURN && *loop && t->nkids && i == b->nkids - 1) { *result = t->kid[0]; continue; }
    return false;
  }
  if (!*loop || (!*result && c->spectrum->result != TYPE_VOID)) return false;
  const Tree *body = (*loop)->kid[3];
  return !tree_contains(body, OP_BREAK) && !tree_contains(body, OP_CONTINUE) && !tree_contains(body, OP_FOR) &&
         !tree_contains(body, OP_WHILE) && !tree_contains(body, OP_DECLARE);
}

bool slots_is_given(const Tree *t) {
  const SymbolKind kind = t->op == OP_REF ? t->symbol->kind : SYMBOL_LOCAL;
  if (t->op == OP_REF) return kind == SYMBOL_CONSTANT || (kind == SYMBOL_PARAM && !t->symbol->pointer);
  if (t->op != OP_INT && t->nkids == 0) return false;
  for (int i = 0; i < t->nkids; i++)
    if (!slots_is_given(t->kid[i])) return false;
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
  u->read |= t->number != 0;
  tree_visit(t->kid[1], find_use, u);
  return false;
}

static bool add_leaves(Lowering *l, View *v, Tree *before, const Use *use, Leaves *to);

static bool add_inner_leaves(Lowering *l, const View *v, Tree *before, const Use *use, Leaves *to) {
  for (int i = v->kind == VIEW_GATHER; i < v->nof; i++) /* what is gathered lies anywhere */
    if (!add_leaves(l, v->of[i], before, use, to)) return false;
  return true;
}

/* Adds the memory that a view's elements come from; false where it does not lie element by element. Within another view
 * elements stand `before' further on; NULL: it is the outermost, and a position is one of its own. */
static bool add_leaves(Lowering *l, View *v, Tree *before, const Use *use, Leaves *to) {
  if (before && v->nof && !build_is(v->step, 1)) return false;
  switch (v->kind) {
    case VIEW_TRANSFORM:
    case VIEW_GATHER:
      return add_inner_leaves(l, v, before ? build_add(l->a, before, v->begin) : build_index(l->a, 0), use, to);
    case VIEW_MEMORY: {
      bool own = l->plan->machine->is_cpu && v->base && v->base->kind == SYMBOL_SHARED; /* a thread's own copy */
      if (!v->base || !(v->base->pointer || own) || v->columns || (before && !build_is(v->step, 1))) return false;
      Leaf leaf = {.view = v, .begin = before ? build_add(l->a, before, v->begin) : NULL, .read = use->read,
                   .written = use->written};
      vec_push(l->a, to, leaf);
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

bool slots_leaves(Lowering *l, const Codelet *c, const Tree *loop, const Arguments *in, Leaves *to) {
  const View *first = lowering_container(in);
  for (int i = 0; i < c->nparams; i++) {
    Use use = {.container = c->params[i]};
    tree_visit(loop->kid[3], find_use, &use);
    View *v = in->at[i].view;
    if (!v || (!use.read && !use.written)) continue;
    if (c->params[i]->atomic) continue; /* contributed to, wherever */
    if (!view_aligned(v, first) || !add_leaves(l, v, NULL, &use, to)) return false;
  }
  for (int i = 1; i < to->n; i++)
    if (!in_16_bytes(to->at[i].view->base->type, to->at[0].view->base->type)) return false;
  return to->n > 0;
}

bool slots_share(const Tree *body, const Tree *declaration) {
  return declaration->symbol->type == TYPE_INDEX && !tree_assigns(body, declaration->symbol);
}

bool slots_loop_is(const Lowering *l, const Codelet *c, const Tree *loop, const Arguments *in, LoopTest *test) {
  const Tree *body = c->plain.body ? c->plain.body : c->body;
  const View *first = lowering_container(in);
  Lowering trial = *l;
  Statements nowhere = {0};
  trial.to = &nowhere;
  View view = *first;
  Arguments tried = *in;
  for (int i = 0; i < tried.n; i++)
    if (tried.at[i].view == first) tried.at[i].view = &view;
  Environment e = inline_environment(&trial, c, &tried, body, NULL);
  for (int i = 0; i < body->nkids && body->kid[i]->op == OP_DECLARE; i++)
    if (slots_share(body, body->kid[i])) inline_declaration(&trial, &e, body->kid[i]);
  return test(&trial, &e, loop);
}

bool slots_go_through(const Lowering *l, const Codelet *c, const Arguments *in) {
  const Tree *loop, *result;
  const View *first = lowering_container(in);
  if (!first || !first->from || l->program->element == TYPE_BOOL || !slots_take_apart(c, &loop, &result)) return false;
  Lowering trial = *l;
  Leaves leaves = {0};
  if (!slots_leaves(&trial, c, loop, in, &leaves)) return false;
  for (int i = 0; i < leaves.n && l->there; i++) /* stores of whole rounds, by workers that have no part */
    if (leaves.at[i].written) return false;
  return slots_loop_is(l, c, loop, in, inline_loops_over_container);
}

Arguments slots_of(Lowering *l, const Place *p, const Arguments *in) {
  Arguments made = *in;
  View *first = lowering_container(in);
  if (!first || first->from || first->register_of || !p->level || p->level->real != REAL_THREAD) return made;
  if (l->plan->machine->is_cpu || !first->step || !build_is(first->step, 1)) return made;
  View *alone = arena_one(l->a, View);
  *alone = *first;
  alone->from = first->begin;
  alone->worker = build_index(l->a, 0);
  alone->workers = build_index(l->a, 1);
  for (int i = 0; i < made.n; i++)
    if (made.at[i].view == first) made.at[i].view = alone;
  return made;
}

bool slots_fit(const Lowering *l, const PlanNode *n, const Arguments *in) {
  const Codelet *c = n->kid[0]->rule->codelet;
  return c && c->kind == CLASS_AUTONOMOUS && slots_go_through(l, c, in);
}
