/* inline_shared.c: a codelet's shared variables, at the head of the kernel, and what they hold when it begins. */
#include "ir/operator.h"
#include "lower/inline.h"

/* A shared array is sized by the lanes: in.Size() elements means one a lane. */
static Tree *shared_length(void *context, Arena *a, Tree *t) {
  const Environment *e = context;
  (void)a;
  if (t->op == OP_SIZE || t->op == OP_COOP_DIM) return e->place->lanes;
  return t;
}

/* Has an array of that length an element for each lane and no more, however many lanes there are? */
static bool one_a_lane(const Place *p, const Tree *length) {
  int64_t constant;
  return tree_equal(length, p->lanes) || (tree_constant(length, &constant) && constant <= p->width);
}

/* Is every element that is read surely written before? Sufficient: the first statement that touches the array is a
 * store by every lane to its own element, and there are no others. */
static bool written_first(const Tree *body, const Symbol *s) {
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    if (t->op == OP_DECLARE && t->symbol == s) continue;
    if (!tree_mentions(t, s)) continue;
    return s->array && t->op == OP_ASSIGN && t->compound == 0 && t->kid[0]->op == OP_INDEX &&
           t->kid[0]->kid[0]->op == OP_REF && t->kid[0]->kid[0]->symbol == s &&
           inline_is_own_number(body, t->kid[0]->kid[1]) && !tree_mentions(t->kid[1], s);
  }
  return true;
}

/* The lanes set a shared variable to the operator's identity before the codelet's work (CGO Listing 3). */
static void initialise(Lowering *l, const Codelet *c, Symbol *s) {
  Arena *a = l->a;
  Tree *identity = operator_identity(a, c->spectrum->op, s->type);
  Tree *thread = build_lane(a, OP_THREAD);
  Tree *total = s->array ? s->length : tree_int(a, TYPE_INT, 1);
  if (!s->array) {
    vec_push(a, &l->now.start, build_if(a, build_compare(a, OP_EQ, thread, tree_int(a, TYPE_INT, 0)),
                                    build_assign(a, tree_ref(a, s), identity)));
    return;
  }
  Tree *store = build_assign(a, build_element(a, s, thread), identity);
  int64_t constant;
  if (total->op == OP_REF && total->symbol == l->now.threads) vec_push(a, &l->now.start, store);
  else if (tree_constant(total, &constant) && constant <= l->plan->machine->vector_width)
    vec_push(a, &l->now.start, build_if(a, build_compare(a, OP_LT, thread, total), store));
  else {
    Symbol *i = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "i"), TYPE_INT);
    l->now.names.n--;
    Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, (SourceRange){0}, 4);
    Tree *body = build_assign(a, build_element(a, s, tree_ref(a, i)), identity);
    loop->kid[0] = build_declare(a, i, thread);
    loop->kid[1] = build_compare(a, OP_LT, tree_ref(a, i), total);
    loop->kid[2] = build_assign(a, tree_ref(a, i), tree_ref(a, l->now.threads));
    loop->kid[2]->compound = OP_ADD;
    loop->kid[3] = tree_seq(a, &body, 1);
    vec_push(a, &l->now.start, loop);
  }
}

/* The same where each vector has its own: its lanes see to that alone, since those of other vectors may be in another
 * iteration of the loop that is being written. `length': of an array, elements a vector; NULL: one variable. */
static void initialise_own(Lowering *l, const Codelet *c, const Environment *e, Symbol *s, Tree *vector, Tree *length) {
  enum { MOST_ROUNDS = 16 };
  Arena *a = l->a;
  Tree *identity = operator_identity(a, c->spectrum->op, s->type), *lane = e->place->lane, *width = e->place->lanes;
  if (!length) {
    Tree *first = build_compare(a, OP_EQ, lane, tree_int(a, TYPE_INT, 0));
    vec_push(a, &l->now.start, build_if(a, first, build_assign(a, build_element(a, s, vector), identity)));
    return;
  }
  Tree *slice = build_mul(a, vector, length);
  int64_t constant;
  if (tree_equal(length, width)) {
    vec_push(a, &l->now.start, build_assign(a, build_element(a, s, inline_slice_index(l, slice, lane)), identity));
  } else if (tree_constant(length, &constant) && constant <= MOST_ROUNDS * e->place->width) {
    for (int64_t from = 0; from < constant; from += e->place->width) { /* apart from one another: all run all of them */
      Tree *own = build_add(a, lane, tree_int(a, TYPE_INT, from));
      Tree *store = build_assign(a, build_element(a, s, inline_slice_index(l, slice, own)), identity);
      bool whole = from + e->place->width <= constant;
      vec_push(a, &l->now.start, whole ? store : build_if(a, build_compare(a, OP_LT, own, length), store));
    }
  } else {
    Symbol *i = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "i"), TYPE_INT);
    l->now.names.n--;
    Tree *store = build_assign(a, build_element(a, s, inline_slice_index(l, slice, tree_ref(a, i))), identity);
    vec_push(a, &l->now.start, build_for(a, i, lane, length, width, tree_seq(a, &store, 1)));
  }
}

static void declare_shared(Lowering *l, Environment *e, const Codelet *c, const Tree *body, Symbol *s) {
  Arena *a = l->a;
  Tree *length = NULL;
  if (s->array) {
    length = tree_rewrite(a, s->length, shared_length, e);
    length = inline_expression(l, e, length);
  }
  bool slices = !e->place->vectors; /* one place a vector: every vector gets its own */
  Tree *width = tree_int(a, TYPE_INT, e->place->width), *vectors = build_div(a, tree_ref(a, l->now.threads), width);
  bool factor = e->place->level && e->place->level->real == REAL_SUBWARP;
  Tree *vector = factor ? build_div(a, build_lane(a, OP_THREAD), width) : build_lane(a, OP_WARP);
  Tree *total = length;
  if (slices) total = length ? build_mul(a, length, vectors) : vectors;
  if (slices && build_is(length ? length : vectors, e->place->width)) total = tree_ref(a, l->now.threads);
  Symbol *shared = lowering_shared(l, s->name, s->type, total);
  shared->atomic = s->atomic;
  shared->slices = slices;
  shared->exclusive = s->exclusive;
  bool covered = !length || one_a_lane(e->place, length);
  if (!s->exclusive && (!covered || !written_first(body, s))) {
    if (slices) initialise_own(l, c, e, shared, vector, length);
    else initialise(l, c, shared);
  }
  if (!slices) inline_bind(l, e, s, tree_ref(a, shared), NULL);
  else if (!s->array) inline_bind(l, e, s, build_element(a, shared, vector), NULL);
  else inline_bind(l, e, s, tree_ref(a, shared), build_mul(a, vector, length));
}

typedef struct SharedList { Lowering *l; Environment *e; const Codelet *c; const Tree *body; } SharedList;

static bool declare_each_shared(void *context, const Tree *t) {
  SharedList *s = context;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED) declare_shared(s->l, s->e, s->c, s->body, t->symbol);
  return true;
}

void inline_shared(Lowering *l, Environment *e, const Codelet *c, const Tree *body) {
  SharedList shared = {l, e, c, body};
  tree_visit(body, declare_each_shared, &shared);
}
