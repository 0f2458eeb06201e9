/* inline.c: a codelet's body as statements for the lanes of one place.
 *
 * A loop over all of the container becomes a loop over its positions. The text stays in lockstep semantics: the barrier
 * pass makes it right on lanes that run apart.
 *
 * Requires one of a codelet's forms, plain or shuffled. Keeps its lockstep semantics. */
#include "lower/handed.h"
#include "lower/inline.h"

#include "ir/operator.h"

/* The body of a loop or branch as a statement list of its own. */
static Tree *nested(Lowering *l, Environment *e, const Tree *t, Destination *to) {
  Statements inner = {0}, *outer = l->to;
  int names = l->now.names.n;
  Tree *size = e->view ? e->view->size : NULL; /* a variable of the branch may come to stand for it there */
  l->to = &inner;
  inline_statements(l, e, t, to);
  l->to = outer;
  l->now.names.n = names;
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
  loop->kid[2]->compound = OP_ADD;
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
  loop->kid[2]->compound = OP_ADD;
  if (v->spread && l->plan && l->plan->machine->is_cpu) {
    vector_loop(l, e, t, i, to);
    return;
  }
  bool registers = v->source.base && v->source.base->kind == SYMBOL_LOCAL && v->source.base->array;
  if (registers) loop->unroll = UNROLL_ALL; /* its elements are registers */
  loop->kid[3] = at_position(l, e, t, tree_ref(a, i), to);
  lowering_add(l, loop);
}

/* `x += carry' of a scan that begins at nothing. */
static bool adds_nothing(const Environment *e, const Tree *t) {
  const Spectrum *s = e->codelet ? e->codelet->spectrum : NULL;
  return s && t->compound && t->compound == operator_op(s->op) && inline_carries_nothing(e, t->kid[1]);
}

/* `bins[i] += x' on a container to which all only contribute (__accum). What is written once is stored. */
static bool contributes(const Tree *t) {
  const Tree *place = t->kid[0];
  return place->op == OP_INDEX && place->kid[0]->op == OP_REF && place->kid[0]->symbol->kind == SYMBOL_PARAM &&
         place->kid[0]->symbol->atomic && place->kid[0]->symbol->atomic != ATOMIC_ONCE;
}

static void contribute(Lowering *l, Environment *e, const Tree *t) {
  Tree *place = inline_expression(l, e, t->kid[0]), *value = inline_expression(l, e, t->kid[1]);
  AtomicOp op = t->kid[0]->kid[0]->symbol->atomic;
  if (place->op == OP_SEE_ANY) place = place->kid[0];
  const View *to = inline_container(e, t->kid[0]->kid[0]->symbol);
  const bool alone = !l->plan || (to && to->plane.alone && e->codelet->kind == CLASS_AUTONOMOUS); /* the reference is */
  bool selects = op != ATOMIC_ANY && t->compound == 0 && value->nkids == 2; /* bins[i] = max(bins[i], x) */
  if (selects) value = tree_equal(value->kid[0], place) ? value->kid[1] : value->kid[0];
  Tree *atomic = tree_binary(l->a, OP_ATOMIC, TYPE_VOID, place, value);
  atomic->atomic = op;
  bool shared = place->op == OP_INDEX && place->kid[0]->symbol->kind == SYMBOL_SHARED;
  atomic->scope = shared ? SCOPE_BLOCK : SCOPE_DEVICE;
  Tree *kids[] = {place, inline_expression(l, e, t->kid[1])};
  lowering_add(l, alone ? tree_with_kids(l->a, t, kids, 2) : atomic);
}

static bool writes_to_parameter(const Tree *t) {
  if (t->op == OP_NATIVELY) return true;
  const Tree *place = t->kid[0];
  return place->op == OP_INDEX && place->kid[0]->op == OP_REF && place->kid[0]->symbol->kind == SYMBOL_PARAM;
}

/* The container whose element an assignment would store; NULL: it is none, or has memory. */
static const View *handed_on(const Environment *e, const Tree *t) {
  const Tree *place = t->kid[0];
  const bool element = place->op == OP_INDEX && place->kid[0]->op == OP_REF;
  const View *v = element ? inline_container(e, place->kid[0]->symbol) : NULL;
  return v && handed_is(v) ? v : NULL;
}

/* Assignments, atomics, breaks: expressions inside, nothing else. */
static void simple(Lowering *l, Environment *e, const Tree *t) {
  const View *handed = t->op == OP_ASSIGN ? handed_on(e, t) : NULL;
  if (handed) {
    handed_put(l, handed, inline_expression(l, e, t->kid[0]->kid[1]), inline_expression(l, e, t->kid[1]), NULL);
    return;
  }
  if (t->op == OP_ASSIGN && contributes(t)) { contribute(l, e, t); return; }
  if (t->op == OP_ASSIGN && adds_nothing(e, t)) return;
  Tree *copy = tree_with_kids(l->a, t, t->kid, t->nkids);
  for (int i = 0; i < t->nkids; i++) copy->kid[i] = inline_expression(l, e, t->kid[i]);
  lowering_add(l, copy);
}

/* A worker that has no part and repeats another one's writes nothing. */
static void if_there(Lowering *l, Environment *e, const Tree *t, Tree *there) {
  Statements inner = {0}, *outer = l->to;
  l->to = &inner;
  simple(l, e, t);
  l->to = outer;
  lowering_add(l, build_if(l->a, there, tree_seq(l->a, inner.at, inner.n)));
}

/* Does it go through a lane's own array, which is registers where the loop is written out? */
typedef struct OwnArray { const Symbol *i; bool found; } OwnArray;

static bool find_own_array(void *context, const Tree *t) {
  OwnArray *o = context;
  if (t->op == OP_INDEX && t->kid[0]->op == OP_REF && t->kid[0]->symbol->kind == SYMBOL_LOCAL &&
      t->kid[0]->symbol->array && tree_mentions(t->kid[1], o->i))
    o->found = true;
  return !o->found;
}

static bool goes_through_registers(const Tree *loop) {
  enum { MOST_REGISTERS = 64 };
  const Tree *end;
  int64_t many;
  OwnArray o = {NULL, false};
  if (!tree_counts(loop, &o.i, &end) || !tree_constant(end, &many) || many > MOST_REGISTERS) return false;
  tree_visit(loop->kid[3], find_own_array, &o);
  return o.found;
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
      int names = l->now.names.n, bound = e->bound.n;
      if (e->view && e->view->line.first && inline_takes_elements(l, e, t)) l->rows(l, e, t);
      else if (inline_loops_over_container(l, e, t)) position_loop(l, e, t, to);
      else {
        Tree *loop = tree_new(a, OP_FOR, TYPE_VOID, t->where, 4);
        for (int i = 0; i < 3; i++) loop->kid[i] = header(l, e, t->kid[i]);
        loop->unroll = goes_through_registers(t) ? UNROLL_ALL : t->unroll;
        loop->kid[3] = nested(l, e, t->kid[3], to);
        lowering_add(l, loop);
      }
      l->now.names.n = names;
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
    default: {
      const bool writes = t->op == OP_ASSIGN || t->op == OP_ATOMIC || t->op == OP_NATIVELY;
      Tree *there = writes && writes_to_parameter(t) ? lowering_there(l) : NULL;
      if (there) if_there(l, e, t, there);
      else simple(l, e, t);
    }
  }
}

void inline_statements(Lowering *l, Environment *e, const Tree *t, Destination *to) {
  if (t->op != OP_SEQ) { statement(l, e, t, to); return; }
  for (int i = 0; i < t->nkids; i++) statement(l, e, t->kid[i], to);
}

void inline_codelet(Lowering *l, const Codelet *c, const Form *form, const Place *p, Arguments *in, Destination *to) {
  Environment e = inline_environment(l, c, in, form->body, p);
  inline_shared(l, &e, c, form->body);
  inline_statements(l, &e, form->body, to);
}
