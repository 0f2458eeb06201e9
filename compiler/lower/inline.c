/* inline.c: a codelet's body as statements for the lanes of one place.
 *
 * Names are renamed where they would clash; the container becomes positions in memory; a loop over all of the
 * container becomes a loop over its positions; shared variables move to the head of the kernel. The text stays
 * in lockstep semantics: the barrier pass makes it right on lanes that run apart. */
#include "ir/operator.h"
#include "ir/signature.h"
#include "lower/lowering.h"


static const Binding *binding(const Environment *e, const Symbol *s) {
  for (int i = e->bound.n - 1; i >= 0; i--)
    if (e->bound.at[i].from == s) return &e->bound.at[i];
  return NULL;
}

void inline_bind(Lowering *l, Environment *e, const Symbol *from, Tree *to, Tree *offset) {
  Binding b = {from, to, offset};
  vec_push(l->a, &e->bound, b);
}

Environment inline_environment(Lowering *l, const Codelet *c, const Arguments *in, const Tree *body, const Place *p) {
  Environment e = {.codelet = c, .arguments = *in, .body = body, .place = p};
  for (int i = 0; i < c->nparams && i < in->n; i++) {
    if (!in->at[i].view) inline_bind(l, &e, c->params[i], in->at[i].number, NULL);
    else if (!e.container) {
      e.container = c->params[i];
      e.view = in->at[i].view;
    }
  }
  return e;
}

/* What a parameter stands for; NULL: it is no container of the codelet's. */
static View *view_of(const Environment *e, const Symbol *s) {
  if (s == e->container) return e->view;
  if (s == e->own) return e->own_view;
  for (int i = 0; e->codelet && i < e->codelet->nparams; i++)
    if (e->codelet->params[i] == s) return e->arguments.at[i].view;
  return NULL;
}

View *inline_view(Lowering *l, Environment *e, const Tree *t) {
  View *of[MOST_OPERANDS], *made;
  switch (t->op) {
    case OP_REF: return view_of(e, t->symbol);
    case OP_TRANSFORM:
      for (int i = 0; i < t->nkids; i++)
        if (!(of[i] = inline_view(l, e, t->kid[i]))) return NULL;
      return view_transform(l, t->spectrum, of, t->nkids);
    case OP_TAKE: {
      View *whole = inline_view(l, e, t->kid[0]);
      if (!whole) return NULL;
      made = arena_one(l->a, View);
      *made = *whole;
      Tree *size = view_size(l, whole);
      made->size = build_min(l->a, inline_expression(l, e, t->kid[1]), size);
      made->end = build_add(l->a, whole->begin, build_mul(l->a, made->size, whole->step));
      return made;
    }
    case OP_REPEAT: case OP_IOTA: case OP_GENERATE: {
      made = arena_one(l->a, View);
      Tree *size = inline_expression(l, e, t->kid[t->nkids - 1]);
      *made = view_of_memory(l, NULL, size);
      made->kind = t->op == OP_REPEAT ? VIEW_REPEAT : t->op == OP_IOTA ? VIEW_IOTA : VIEW_GENERATE;
      if (t->op == OP_GENERATE) made->function = t->spectrum;
      else made->number = inline_expression(l, e, t->kid[0]);
      return made;
    }
    case OP_GATHER: {
      View *positions = inline_view(l, e, t->kid[1]);
      of[0] = inline_view(l, e, t->kid[0]);
      if (!of[0] || !positions) return NULL;
      of[1] = positions;
      made = view_transform(l, NULL, &positions, 1);
      made->kind = VIEW_GATHER;
      made->of[1] = made->of[0];
      made->of[0] = of[0];
      made->nof = 2;
      return made;
    }
    default: return NULL;
  }
}

/* ---- expressions ---- */

typedef struct Rewriting {
  Lowering *l;
  Environment *e;
} Rewriting;

/* warp * 32 + lane is the thread's number. */
static Tree *slice_index(Lowering *l, const Binding *b, Tree *index) {
  const Tree *offset = b->offset;
  bool by_warps = offset->op == OP_MUL && offset->kid[0]->op == OP_WARP && build_is(offset->kid[1], 32);
  if (by_warps && index->op == OP_LANE) return build_lane(l->a, OP_THREAD);
  if (by_warps && (index->op == OP_ADD || index->op == OP_SUB) && index->kid[0]->op == OP_LANE)
    return tree_binary(l->a, index->op, index->type, build_lane(l->a, OP_THREAD), index->kid[1]);
  return build_add(l->a, b->offset, index);
}

static Tree *element(Rewriting *r, Tree *t) {
  const Symbol *array = t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  const View *v = array ? view_of(r->e, array) : NULL;
  if (v && t->nkids == 3) {
    Tree *row = build_mul(r->l->a, t->kid[1], v->row_step), *column = build_mul(r->l->a, t->kid[2], v->column_step);
    View at = {.base = v->base, .begin = v->begin, .step = build_index(r->l->a, 1)};
    return view_element(r->l, &at, build_add(r->l->a, row, column));
  }
  if (v) return view_element(r->l, v, t->kid[1]);
  for (int i = r->e->bound.n - 1; array && i >= 0; i--) { /* the REF is renamed by now */
    const Binding *b = &r->e->bound.at[i];
    if (b->offset && b->to->op == OP_REF && b->to->symbol == array)
      return build_element(r->l->a, b->to->symbol, slice_index(r->l, b, t->kid[1]));
  }
  return t;
}

/* Is it the carry, before or after it is replaced, of a scan that begins at nothing? A 0 that the codelet's text adds
 * otherwise is added: it makes 0 of a float's -0. */
static bool carries_nothing(const Environment *e, const Tree *t) {
  const Spectrum *s = e->codelet ? e->codelet->spectrum : NULL;
  const Symbol *carry = s && spectrum_is_scan(s) ? e->codelet->params[1] : NULL;
  const Binding *b = carry ? binding(e, carry) : NULL;
  while (t->op == OP_CAST && b && t != b->to) t = t->kid[0];
  return b && (t == b->to || (t->op == OP_REF && t->symbol == carry)) && operator_is_identity(s->op, b->to);
}

/* The identity and x combined are x. */
static Tree *without_identity(const Environment *e, Tree *t) {
  const Spectrum *s = e->codelet ? e->codelet->spectrum : NULL;
  if (!s || t->type != s->result || t->nkids != 2 || t->op != operator_op(s->op)) return t;
  for (int i = 0; i < 2; i++)
    if (carries_nothing(e, t->kid[i])) return t->kid[1 - i];
  return t;
}

static Tree *rewrite(void *context, Arena *a, Tree *t) {
  Rewriting *r = context;
  const Place *p = r->e->place;
  switch (t->op) {
    case OP_REF: {
      const Binding *b = binding(r->e, t->symbol);
      return b ? b->to : t;
    }
    case OP_SIZE: {
      View *v = t->kid[0]->op == OP_REF ? view_of(r->e, t->kid[0]->symbol) : NULL;
      if (!v) return t;
      return t->number == 1 ? v->columns : view_size(r->l, v);
    }
    case OP_STRIDE: return build_index(a, 1);
    case OP_INDEX: return element(r, t);
    case OP_VECTOR_SIZE: /* blocks are whole vectors */
    case OP_VECTOR_MAX: return tree_int(a, TYPE_INT, p->width);
    case OP_VECTOR_THREAD: return p->lane;
    case OP_VECTOR_LANE: return p->vectors ? build_lane(a, OP_LANE) : p->lane;
    case OP_VECTOR_ID: return p->vectors ? build_lane(a, OP_WARP) : tree_int(a, TYPE_INT, 0);
    case OP_COOP_DIM: return p->lanes;
    case OP_ADD:
      if (type_is_whole(t->type) && build_is(t->kid[1], 0)) return t->kid[0];
      break;
    default: break;
  }
  return without_identity(r->e, t);
}

Tree *inline_expression(Lowering *l, Environment *e, Tree *t) {
  Rewriting r = {l, e};
  return tree_rewrite(l->a, t, rewrite, &r);
}

/* ---- declarations ---- */

static Symbol *renamed(Lowering *l, Environment *e, Symbol *s) {
  Symbol *copy = arena_one(l->a, Symbol);
  *copy = *s;
  copy->name = lowering_name(l, s->name);
  if (s->length) copy->length = inline_expression(l, e, s->length);
  inline_bind(l, e, s, tree_ref(l->a, copy), NULL);
  return copy;
}

/* A shared array is sized by the lanes: in.Size() elements means one a lane. */
static Tree *shared_length(void *context, Arena *a, Tree *t) {
  const Environment *e = context;
  (void)a;
  if (t->op == OP_SIZE || t->op == OP_COOP_DIM) return e->place->lanes;
  return t;
}

/* Is it the lane's own number, by whatever name: `ThreadId()', or a variable declared to be that and never assigned? */
static bool own_number(const Tree *body, const Tree *index) {
  if (index->op == OP_VECTOR_THREAD) return true;
  if (index->op != OP_REF) return false;
  bool declared = false;
  for (int i = 0; i < body->nkids; i++) {
    const Tree *t = body->kid[i];
    if (t->op == OP_DECLARE && t->symbol == index->symbol) declared = t->nkids && t->kid[0]->op == OP_VECTOR_THREAD;
  }
  return declared && !tree_assigns(body, index->symbol);
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
    return s->array && t->op == OP_ASSIGN && t->number == 0 && t->kid[0]->op == OP_INDEX &&
           t->kid[0]->kid[0]->op == OP_REF && t->kid[0]->kid[0]->symbol == s &&
           own_number(body, t->kid[0]->kid[1]) && !tree_mentions(t->kid[1], s);
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
    vec_push(a, &l->start, build_if(a, build_compare(a, OP_EQ, thread, tree_int(a, TYPE_INT, 0)),
                                    build_assign(a, tree_ref(a, s), identity)));
    return;
  }
  Tree *store = build_assign(a, build_element(a, s, thread), identity);
  int64_t constant;
  if (total->op == OP_REF && total->symbol == l->threads) vec_push(a, &l->start, store);
  else if (tree_constant(total, &constant) && constant <= l->plan->machine->vector_width)
    vec_push(a, &l->start, build_if(a, build_compare(a, OP_LT, thread, total), store));
  else {
    Symbol *i = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "i"), TYPE_INT);
    l->names.n--;
    Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, (SourceRange){0}, 4);
    Tree *body = build_assign(a, build_element(a, s, tree_ref(a, i)), identity);
    loop->kid[0] = build_declare(a, i, thread);
    loop->kid[1] = build_compare(a, OP_LT, tree_ref(a, i), total);
    loop->kid[2] = build_assign(a, tree_ref(a, i), tree_ref(a, l->threads));
    loop->kid[2]->number = OP_ADD;
    loop->kid[3] = tree_seq(a, &body, 1);
    vec_push(a, &l->start, loop);
  }
}

/* The same where each vector has its own: its lanes see to that alone, since those of other vectors may be in another
 * turn of the loop that is being written. `length': of an array, elements a vector; NULL: one variable. */
static void initialise_own(Lowering *l, const Codelet *c, const Environment *e, Symbol *s, Tree *vector, Tree *length) {
  enum { MOST_ROUNDS = 16 };
  Arena *a = l->a;
  Tree *identity = operator_identity(a, c->spectrum->op, s->type), *lane = e->place->lane, *width = e->place->lanes;
  if (!length) {
    Tree *first = build_compare(a, OP_EQ, lane, tree_int(a, TYPE_INT, 0));
    vec_push(a, &l->start, build_if(a, first, build_assign(a, build_element(a, s, vector), identity)));
    return;
  }
  const Binding slice = {.offset = build_mul(a, vector, length)};
  int64_t constant;
  if (tree_equal(length, width)) {
    vec_push(a, &l->start, build_assign(a, build_element(a, s, slice_index(l, &slice, lane)), identity));
  } else if (tree_constant(length, &constant) && constant <= MOST_ROUNDS * e->place->width) {
    for (int64_t from = 0; from < constant; from += e->place->width) { /* apart from one another: all run all of them */
      Tree *own = build_add(a, lane, tree_int(a, TYPE_INT, from));
      Tree *store = build_assign(a, build_element(a, s, slice_index(l, &slice, own)), identity);
      bool whole = from + e->place->width <= constant;
      vec_push(a, &l->start, whole ? store : build_if(a, build_compare(a, OP_LT, own, length), store));
    }
  } else {
    Symbol *i = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, "i"), TYPE_INT);
    l->names.n--;
    Tree *store = build_assign(a, build_element(a, s, slice_index(l, &slice, tree_ref(a, i))), identity);
    vec_push(a, &l->start, build_for(a, i, lane, length, width, tree_seq(a, &store, 1), UNROLL_FREE));
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
  Tree *width = tree_int(a, TYPE_INT, e->place->width), *vectors = build_div(a, tree_ref(a, l->threads), width);
  bool factor = e->place->level && e->place->level->real == REAL_SUBWARP;
  Tree *vector = factor ? build_div(a, build_lane(a, OP_THREAD), width) : build_lane(a, OP_WARP);
  Tree *total = length;
  if (slices) total = length ? build_mul(a, length, vectors) : vectors;
  if (slices && build_is(length ? length : vectors, e->place->width)) total = tree_ref(a, l->threads);
  Symbol *shared = lowering_shared(l, s->name, s->type, total);
  shared->atomic = s->atomic;
  shared->slices = slices;
  bool covered = !length || one_a_lane(e->place, length);
  if (!covered || !written_first(body, s)) {
    if (slices) initialise_own(l, c, e, shared, vector, length);
    else initialise(l, c, shared);
  }
  if (!slices) inline_bind(l, e, s, tree_ref(a, shared), NULL);
  else if (!s->array) inline_bind(l, e, s, build_element(a, shared, vector), NULL);
  else inline_bind(l, e, s, tree_ref(a, shared), build_mul(a, vector, length));
}

void inline_declaration(Lowering *l, Environment *e, const Tree *t) {
  Tree *init = t->nkids ? inline_expression(l, e, t->kid[0]) : NULL;
  /* const Index len = n; says nothing new */
  bool fixed = !tree_assigns(e->body, t->symbol);
  /* it stays what it is now */
  bool lasting = init && (t->kid[0]->op != OP_REF || !tree_assigns(e->body, t->kid[0]->symbol));
  bool alias = fixed && lasting && t->symbol->type == TYPE_INDEX && (init->op == OP_REF || init->op == OP_INT);
  if (alias) { inline_bind(l, e, t->symbol, init, NULL); return; }
  Symbol *s = renamed(l, e, t->symbol);
  Tree *declare = build_declare(l->a, s, init);
  declare->where = t->where;
  lowering_add(l, declare);
  /* A variable that holds the container's size stands for it from here on. */
  if (init && fixed && e->view && !e->view->register_of && e->view->size && tree_equal(init, e->view->size) &&
      s->type == TYPE_INDEX)
    e->view->size = tree_ref(l->a, s);
}

/* ---- statements ---- */

typedef struct ContainerUse {
  const Environment *e;
  const Symbol *index;
  bool only_elements; /* so far: of what is gone through nothing is used but the element at hand */
  bool counts;        /* so far: the index itself is used */
} ContainerUse;

/* All of memory that its container has: there a position is an element's number. */
static bool is_whole(const View *v) {
  return v->kind == VIEW_MEMORY && v->base && v->base->pointer && !v->spread && !v->columns && build_is(v->begin, 0) &&
         build_is(v->step, 1);
}

/* How many elements there are is no matter of positions, nor is the element at hand. Others are, where a container is a
 * part: in[0] is not the element at position 0. */
static bool element_use(void *context, const Tree *t) {
  ContainerUse *u = context;
  if (t->op == OP_SIZE) return false;
  bool element = t->op == OP_INDEX && t->nkids == 2 && t->kid[0]->op == OP_REF;
  const View *v = element ? view_of(u->e, t->kid[0]->symbol) : NULL;
  if (v && t->kid[1]->op == OP_REF && t->kid[1]->symbol == u->index && view_aligned(v, u->e->view)) return false;
  if (t->op != OP_REF) return true;
  if (t->symbol == u->index) u->counts = true;
  v = view_of(u->e, t->symbol);
  if (v && view_aligned(v, u->e->view) && !is_whole(v)) u->only_elements = false;
  return true;
}

/* Is it `for (i = 0; i < in.Size(); ++i)`? */
bool inline_goes_through(Lowering *l, Environment *e, const Tree *t) {
  if (!e->view || e->view->register_of || e->view->counted || e->view->columns || e->view->by_position) return false;
  const Tree *init = t->kid[0], *condition = t->kid[1], *step = t->kid[2];
  if (!init || !condition || !step || init->op != OP_DECLARE || !init->nkids || !build_is(init->kid[0], 0))
    return false;
  const Symbol *i = init->symbol;
  if (condition->op != OP_LT || condition->kid[0]->op != OP_REF || condition->kid[0]->symbol != i) return false;
  if (step->op != OP_ASSIGN || step->number != OP_ADD || step->kid[0]->op != OP_REF || step->kid[0]->symbol != i)
    return false;
  if (!(build_is(step->kid[1], 1) || step->kid[1]->op == OP_STRIDE)) return false;
  return tree_equal(inline_expression(l, e, condition->kid[1]), view_size(l, e->view));
}

bool inline_takes_elements(Lowering *l, Environment *e, const Tree *t) {
  if (!inline_goes_through(l, e, t)) return false;
  ContainerUse u = {e, t->kid[0]->symbol, true, false};
  tree_visit(t->kid[3], element_use, &u);
  return u.only_elements;
}

/* .. with i used for nothing but in[i]? */
bool inline_loops_over_container(Lowering *l, Environment *e, const Tree *t) {
  if (!inline_goes_through(l, e, t)) return false;
  ContainerUse u = {e, t->kid[0]->symbol, true, false};
  tree_visit(t->kid[3], element_use, &u);
  return u.only_elements && !u.counts;
}

/* The body of a loop or branch as a statement list of its own. */
static Tree *nested(Lowering *l, Environment *e, const Tree *t, Destination *to) {
  Statements inner = {0}, *outer = l->to;
  int names = l->names.n;
  Tree *size = e->view ? e->view->size : NULL; /* a variable of the branch may come to stand for it there */
  l->to = &inner;
  inline_statements(l, e, t, to);
  l->to = outer;
  l->names.n = names;
  if (e->view) e->view->size = size;
  return tree_seq(l->a, inner.at, inner.n);
}

/* One statement inlined, as a value: a part of a for header. */
static Tree *header(Lowering *l, Environment *e, const Tree *t) {
  if (!t) return NULL;
  if (!op_is_statement(t->op)) return inline_expression(l, e, (Tree *)t);
  Statements inner = {0}, *outer = l->to;
  l->to = &inner;
  inline_statements(l, e, t, NULL);
  l->to = outer;
  return inner.n ? inner.at[0] : NULL;
}


void inline_by_position(Lowering *l, Environment *e, const View *v, Tree *place) {
  for (int i = 0; i < e->arguments.n; i++) {
    View *old = e->arguments.at[i].view;
    if (!old || old->columns || !view_aligned(old, v)) continue;
    View *at = arena_one(l->a, View);
    *at = view_like(&(View){.begin = build_index(l->a, 0), .end = old->end, .step = build_index(l->a, 1)}, old);
    at->size = view_size(l, old); /* of another length, perhaps: elements and positions are counted apart */
    at->place = place;
    e->arguments.at[i].view = at;
    at->by_position = !is_whole(old);
    if (old == e->view) e->view = at;
  }
}

/* The loop's body on the element at a position. */
static Tree *at_position(Lowering *l, Environment *e, const Tree *t, Tree *position, Destination *to) {
  Environment inner = *e;
  inline_by_position(l, &inner, e->view, NULL);
  inline_bind(l, &inner, t->kid[0]->symbol, position, NULL);
  return nested(l, &inner, t->kid[3], to);
}

/* Of a CPU, where lanes are those of a vector: whole vectors one after another, then what is less than one.
 *
 *     Index i = from;
 *     for (; i + lanes <= end; i += lanes) .. in[i + lane] ..
 *     if (i + lane < end) .. in[i + lane] .. */
static void vector_loop(Lowering *l, Environment *e, const Tree *t, Symbol *i, Destination *to) {
  Arena *a = l->a;
  const View *v = e->view;
  Tree *own = build_add(a, tree_ref(a, i), v->spread->number);
  Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, t->where, 4);
  loop->kid[1] = build_compare(a, OP_LE, build_add(a, tree_ref(a, i), v->spread->extent), v->end);
  loop->kid[2] = build_assign(a, tree_ref(a, i), v->spread->extent);
  loop->kid[2]->number = OP_ADD;
  lowering_add(l, build_declare(a, i, v->spread->dim->origin));
  loop->kid[3] = at_position(l, e, t, own, to);
  lowering_add(l, loop);
  lowering_add(l, build_if(a, build_compare(a, OP_LT, own, v->end), at_position(l, e, t, own, to)));
}

/* for (Index i = begin; i < end; i += step), and in[i] is in[i]. */
static void position_loop(Lowering *l, Environment *e, const Tree *t, Destination *to) {
  Arena *a = l->a;
  const View *v = e->view;
  Symbol *i = symbol_new(a, SYMBOL_LOCAL, lowering_name(l, t->kid[0]->symbol->name), TYPE_INDEX);
  Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, t->where, 4);
  loop->kid[0] = build_declare(a, i, v->begin);
  loop->kid[1] = build_compare(a, OP_LT, tree_ref(a, i), v->end);
  loop->kid[2] = build_assign(a, tree_ref(a, i), v->step);
  loop->kid[2]->number = OP_ADD;
  if (v->spread && l->plan && l->plan->machine->is_cpu) {
    vector_loop(l, e, t, i, to);
    return;
  }
  bool registers = v->base && v->base->kind == SYMBOL_LOCAL && v->base->array;
  if (registers) loop->number = UNROLL_ALL; /* its elements are registers */
  loop->kid[3] = at_position(l, e, t, tree_ref(a, i), to);
  lowering_add(l, loop);
}

/* `x += carry' of a scan that begins at nothing. */
static bool adds_nothing(const Environment *e, const Tree *t) {
  const Spectrum *s = e->codelet ? e->codelet->spectrum : NULL;
  return s && t->number && t->number == (int64_t)operator_op(s->op) && carries_nothing(e, t->kid[1]);
}

/* `bins[i] += x' on a container to which all only contribute (__accum). */
static bool contributes(const Tree *t) {
  const Tree *place = t->kid[0];
  return place->op == OP_INDEX && place->kid[0]->op == OP_REF && place->kid[0]->symbol->kind == SYMBOL_PARAM &&
         place->kid[0]->symbol->atomic;
}

static void contribute(Lowering *l, Environment *e, const Tree *t) {
  Tree *place = inline_expression(l, e, t->kid[0]), *value = inline_expression(l, e, t->kid[1]);
  AtomicOp op = t->kid[0]->kid[0]->symbol->atomic;
  bool selects = t->number == 0 && value->nkids == 2; /* bins[i] = max(bins[i], x) */
  if (selects) value = tree_equal(value->kid[0], place) ? value->kid[1] : value->kid[0];
  Tree *atomic = tree_binary(l->a, OP_ATOMIC, TYPE_VOID, place, value);
  atomic->number = op;
  bool shared = place->op == OP_INDEX && place->kid[0]->symbol->kind == SYMBOL_SHARED;
  atomic->scope = shared ? SCOPE_BLOCK : SCOPE_DEVICE;
  Tree *kids[] = {place, inline_expression(l, e, t->kid[1])};
  lowering_add(l, l->plan ? atomic : tree_with_kids(l->a, t, kids, 2)); /* the reference is alone */
}

static bool writes_to_parameter(const Tree *t) {
  const Tree *place = t->kid[0];
  return place->op == OP_INDEX && place->kid[0]->op == OP_REF && place->kid[0]->symbol->kind == SYMBOL_PARAM;
}

static void statement(Lowering *l, Environment *e, const Tree *t, Destination *to);

/* A worker that has no part and repeats another one's writes nothing. */
static void if_there(Lowering *l, Environment *e, const Tree *t) {
  Statements inner = {0}, *outer = l->to;
  Tree *there = l->there;
  l->to = &inner;
  l->there = NULL;
  statement(l, e, t, NULL);
  l->there = there;
  l->to = outer;
  lowering_add(l, build_if(l->a, there, tree_seq(l->a, inner.at, inner.n)));
}

static void statement(Lowering *l, Environment *e, const Tree *t, Destination *to) {
  Arena *a = l->a;
  switch (t->op) {
    case OP_SEQ: inline_statements(l, e, t, to); break;
    case OP_DECLARE:
      if (t->symbol->kind != SYMBOL_SHARED) inline_declaration(l, e, t);
      break;
    case OP_RETURN: if (t->nkids) lowering_deliver(l, e->place, inline_expression(l, e, t->kid[0]), to); break;
    case OP_FOR: {
      int names = l->names.n, bound = e->bound.n;
      if (e->view && e->view->first_line && inline_takes_elements(l, e, t)) open_rows(l, e, t);
      else if (inline_loops_over_container(l, e, t)) position_loop(l, e, t, to);
      else {
        Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, t->where, 4);
        for (int i = 0; i < 3; i++) loop->kid[i] = header(l, e, t->kid[i]);
        loop->kid[3] = nested(l, e, t->kid[3], to);
        lowering_add(l, loop);
      }
      l->names.n = names;
      e->bound.n = bound;
      break;
    }
    case OP_IF: case OP_WHILE: {
      Tree *copy = tree_with_kids(a, t, t->kid, t->nkids);
      copy->kid[0] = inline_expression(l, e, t->kid[0]);
      for (int i = 1; i < t->nkids; i++) copy->kid[i] = nested(l, e, t->kid[i], to);
      lowering_add(l, copy);
      break;
    }
    case OP_ASSIGN:
      if (l->there && writes_to_parameter(t)) { if_there(l, e, t); break; }
      if (contributes(t)) { contribute(l, e, t); break; }
      if (adds_nothing(e, t)) break;
      /* fallthrough */
    default: { /* assignments, atomics, breaks: expressions inside, nothing else */
      Tree *copy = tree_with_kids(a, t, t->kid, t->nkids);
      for (int i = 0; i < t->nkids; i++) copy->kid[i] = inline_expression(l, e, t->kid[i]);
      lowering_add(l, copy);
    }
  }
}

void inline_statements(Lowering *l, Environment *e, const Tree *t, Destination *to) {
  if (t->op != OP_SEQ) { statement(l, e, t, to); return; }
  for (int i = 0; i < t->nkids; i++) statement(l, e, t->kid[i], to);
}

typedef struct SharedList { Lowering *l; Environment *e; const Codelet *c; const Tree *body; } SharedList;

static bool declare_each_shared(void *context, const Tree *t) {
  SharedList *s = context;
  if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED) declare_shared(s->l, s->e, s->c, s->body, t->symbol);
  return true;
}

void inline_codelet(Lowering *l, const Codelet *c, const Form *form, const Place *p, Arguments *in, Destination *to) {
  Environment e = inline_environment(l, c, in, form->body, p);
  SharedList shared = {l, &e, c, form->body};
  tree_visit(form->body, declare_each_shared, &shared);
  inline_statements(l, &e, form->body, to);
}

/* ---- questions about a body ---- */

typedef struct OwnLane { const Symbol *container; const Tree *body; bool yes; } OwnLane;

static bool own_lane(void *context, const Tree *t) {
  OwnLane *o = context;
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol == o->container &&
      !own_number(o->body, t->kid[1]))
    o->yes = false;
  return true;
}

bool inline_reads_own_lane(const Codelet *c, const Form *form) {
  OwnLane o = {c->params[0], form->body, true};
  tree_visit(form->body, own_lane, &o);
  return o.yes;
}
