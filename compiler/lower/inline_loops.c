/* inline_loops.c: what can be told of a codelet's loop before it is inlined: does it go through the container, and does
 * its body use more than the element at hand? And does a body read each lane's own element alone? */
#include "lower/inline.h"

typedef struct ContainerUse {
  const Environment *e;
  const Symbol *index;
  bool only_elements; /* so far: of what is gone through nothing is used but the element at hand */
  bool counts;        /* so far: the index itself is used */
} ContainerUse;

/* How many elements there are is no matter of positions, nor is the element at hand. Others are, where a container is a
 * part: in[0] is not the element at position 0. */
static bool element_use(void *context, const Tree *t) {
  ContainerUse *u = context;
  if (tree_is_extent(t)) return false;
  bool element = t->op == OP_INDEX && t->nkids == 2 && t->kid[0]->op == OP_REF;
  const View *v = element ? inline_container(u->e, t->kid[0]->symbol) : NULL;
  if (v && t->kid[1]->op == OP_REF && t->kid[1]->symbol == u->index && view_aligned(v, u->e->view)) return false;
  if (t->op != OP_REF) return true;
  if (t->symbol == u->index) u->counts = true;
  v = inline_container(u->e, t->symbol);
  if (v && view_aligned(v, u->e->view) && !inline_is_whole(v)) u->only_elements = false;
  return true;
}

/* Is it `for (i = 0; i < in.Size(); ++i)`? */
static bool goes_through(Lowering *l, Environment *e, const Tree *t) {
  const View *v = e->view;
  if (!v || v->source.register_of || v->line.counted || v->plane.columns || v->by_position) return false;
  const Symbol *i;
  const Tree *end;
  return tree_counts(t, &i, &end) && tree_equal(inline_expression(l, e, (Tree *)end), view_size(l, e->view));
}

static ContainerUse use_of(Lowering *l, Environment *e, const Tree *t) {
  if (!goes_through(l, e, t)) return (ContainerUse){.counts = true};
  ContainerUse u = {e, t->kid[0]->symbol, true, false};
  tree_visit(t->kid[3], element_use, &u);
  return u;
}

bool inline_takes_elements(Lowering *l, Environment *e, const Tree *t) { return use_of(l, e, t).only_elements; }

bool inline_loops_over_container(Lowering *l, Environment *e, const Tree *t) {
  const ContainerUse u = use_of(l, e, t);
  return u.only_elements && !u.counts;
}

bool inline_is_own_number(const Tree *body, const Tree *index) {
  if (index->op == OP_VECTOR_THREAD) return true;
  const Tree *value = index->op == OP_REF ? tree_declared(body, index->symbol) : NULL;
  return value && value->op == OP_VECTOR_THREAD && !tree_assigns(body, index->symbol);
}

typedef struct OwnLane { const Symbol *container; const Tree *body; bool yes; } OwnLane;

static bool own_lane(void *context, const Tree *t) {
  OwnLane *o = context;
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol == o->container &&
      !inline_is_own_number(o->body, t->kid[1]))
    o->yes = false;
  return true;
}

bool inline_reads_own_lane(const Codelet *c, const Form *form) {
  OwnLane o = {c->params[0], form->body, true};
  tree_visit(form->body, own_lane, &o);
  return o.yes;
}
