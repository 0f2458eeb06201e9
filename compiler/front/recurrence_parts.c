/* recurrence_parts.c: loops that go on from element to element: what stands before them, what they count, and what a
 * turn adds as a function of elements, of which a view is made. */
#include "front/recurrence_parts.h"

#include "front/loop_sums.h"
#include "ir/build.h"

/* ---- reading ---- */

static Tree *as_known(void *context, Arena *a, Tree *t) {
  const Recurrence *x = context;
  (void)a;
  for (int i = x->known.n - 1; i >= 0 && t->op == OP_REF; i--)
    if (x->known.at[i].name == t->symbol) return x->known.at[i].is ? x->known.at[i].is : t;
  return t;
}

Tree *recurrence_without_names(Recurrence *x, const Tree *t) { return tree_rewrite(x->a, (Tree *)t, as_known, x); }

bool recurrence_is_scanned_type(Type t) {
  static const Type types[] = {TYPE_ELEM, TYPE_INT, TYPE_UINT, TYPE_LONG, TYPE_ULONG, TYPE_FLOAT, TYPE_DOUBLE};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (t == types[i]) return true;
  return false;
}

/* The container that is declared to have so many elements, of those that the loop stores, or reads, in turn. */
typedef struct Counted { const Codelet *codelet; const LoopHead *head; Symbol *found; int64_t n; } Counted;

static bool find_counted(void *context, const Tree *t) {
  Counted *c = context;
  const Symbol *s = t->op == OP_INDEX && t->nkids == 2 && t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
  if (!s || !tree_is_symbol(tree_uncast(t->kid[1]), c->head->index) || divide_place(c->codelet, s) < 0) return true;
  const ShapeRule *r = &s->shape[0];
  if (r->said && !r->times && !r->of[0] && r->plus == c->n) c->found = (Symbol *)s;
  return true;
}

void recurrence_end_as_size(Arena *a, const Codelet *c, const Tree *loop, LoopHead *head) {
  Counted counted = {.codelet = c, .head = head};
  if (!tree_constant(head->end, &counted.n)) return;
  tree_visit(loop->kid[3], find_counted, &counted);
  if (counted.found) head->end = divide_size(a, counted.found, 0);
}

bool recurrence_counts_elements(Recurrence *x) {
  const Tree *end = x->head.end;
  int64_t begin;
  if (!tree_constant(x->head.begin, &begin) || begin != 0 || x->head.step != 1) return false;
  return end->op == OP_SIZE && end->kid[0]->op == OP_REF && end->kid[0]->symbol->rank == 1 &&
         divide_place(x->codelet, end->kid[0]->symbol) >= 0;
}

int recurrence_reads_numbers(Recurrence *x, const Tree *body) {
  int at = 0;
  for (; body->op == OP_SEQ && at < body->nkids && body->kid[at]->op == OP_DECLARE; at++) {
    const Tree *t = body->kid[at];
    if (!t->nkids || !loop_is_number(t->symbol) || tree_contains(t->kid[0], OP_INDEX)) return -1;
    Tree *is = recurrence_without_names(x, t->kid[0]);
    const bool state = tree_assigns(body, t->symbol);
    if (state && x->state) return -1;
    if (state) x->state = t->symbol, x->begin = is;
    else vec_push(x->a, &x->known, ((Known){t->symbol, is}));
  }
  return x->state && at < body->nkids ? at : -1;
}

/* ---- what a turn adds, as a function of elements ---- */

Tree *recurrence_parameter(Function *f, Tree *given, const char *name, Type type) {
  Arena *a = f->of->a;
  for (int i = 0; i < f->n; i++)
    if (tree_equal(f->given[i], given)) return tree_ref(a, f->params[i]);
  if (f->n == MOST_OPERANDS) {
    f->ok = false;
    return given;
  }
  Symbol *s = symbol_new(a, SYMBOL_PARAM, name, type);
  s->declared = type == TYPE_INDEX ? TYPE_LONG : type;
  f->given[f->n] = given;
  f->params[f->n++] = s;
  return tree_ref(a, s);
}

Tree *recurrence_size(const Recurrence *x) { return divide_size(x->a, x->head.end->kid[0]->symbol, 0); }

Tree *recurrence_positions(const Recurrence *x) {
  return tree_binary(x->a, OP_IOTA, TYPE_INDEX, tree_int(x->a, TYPE_INDEX, 0), recurrence_size(x));
}

bool recurrence_is_as_long(const Recurrence *x, const Symbol *s) {
  return s->rank == 1 && shape_is_same(s, 0, x->head.end->kid[0]->symbol, 0);
}

/* A parameter of the function alone. */
static bool is_made(const Recurrence *x, const Tree *t) {
  return t->op == OP_REF && t->symbol->kind == SYMBOL_PARAM && divide_place(x->codelet, t->symbol) < 0;
}

Tree *recurrence_of_element(Function *f, Tree *t) {
  const Recurrence *x = f->of;
  Arena *a = x->a;
  if (!f->ok) return t;
  if (t->op == OP_INDEX) {
    Symbol *of = t->kid[0]->op == OP_REF ? t->kid[0]->symbol : NULL;
    f->ok = of && divide_place(x->codelet, of) >= 0 && recurrence_is_as_long(x, of) &&
            tree_is_symbol(t->kid[1], x->head.index);
    return f->ok ? recurrence_parameter(f, tree_ref(a, of), of->name, of->type) : t;
  }
  if (t->op == OP_FIELD || is_made(x, t)) return t; /* of what has been scanned */
  if (t->op == OP_REF && t->symbol == x->head.index)
    return recurrence_parameter(f, recurrence_positions(x), "at", TYPE_INDEX);
  if (t->op == OP_REF) {
    f->ok = t->symbol->kind == SYMBOL_PARAM && !t->symbol->rank;
    Tree *same = tree_binary(a, OP_REPEAT, t->type, tree_ref(a, t->symbol), recurrence_size(x));
    return recurrence_parameter(f, same, t->symbol->name, t->type);
  }
  f->ok = !divide_never(t) && t->op != OP_SIZE && !op_is_statement(t->op);
  Tree **kids = arena_many(a, Tree *, t->nkids);
  for (int i = 0; i < t->nkids; i++) kids[i] = recurrence_of_element(f, t->kid[i]);
  return tree_with_kids(a, t, kids, t->nkids);
}

Spectrum *recurrence_spectrum(const Recurrence *x, Spectrum *s, const Function *f, int more, Tree *text, Type result) {
  Arena *a = x->a;
  Codelet *k = arena_one(a, Codelet);
  s->result = result;
  *k = (Codelet){.spectrum = s, .tag = "serial", .generic = x->codelet->generic, .nparams = f->n + more,
                 .params = arena_many(a, Symbol *, f->n + more), .where = x->codelet->where,
                 .extent = x->codelet->extent};
  for (int i = 0; i < f->n; i++) k->params[i] = f->params[i];
  k->body = tree_seq(a, &text, 1);
  text->where = k->body->where = x->codelet->body->where;
  divide_add(a, s, k);
  return s;
}

Tree *recurrence_view(const Recurrence *x, Unit *u, const Spectrum *of, Tree *is, Type type) {
  Arena *a = x->a;
  Function f = {.of = x, .ok = true};
  Tree *value = recurrence_of_element(&f, is);
  if (!f.ok) return NULL;
  if (value->op == OP_REF && f.n == 1 && f.given[0]->op == OP_REF) return f.given[0];
  if (!f.n) recurrence_parameter(&f, recurrence_positions(x), "at", TYPE_INDEX);
  Tree *text = tree_unary(a, OP_RETURN, TYPE_VOID, value);
  Spectrum *s = recurrence_spectrum(x, divide_spectrum(a, u, of, "value"), &f, 0, text, type);
  Tree *view = tree_new(a, OP_TRANSFORM, type, x->codelet->body->where, f.n);
  view->spectrum = s;
  for (int i = 0; i < f.n; i++) view->kid[i] = f.given[i];
  return view;
}

/* ---- the codelet ---- */

Tree *recurrence_of_copies(void *context, Arena *a, Tree *t) {
  const Copies *c = context;
  const int p = t->op == OP_REF ? divide_place(c->of, t->symbol) : -1;
  return p >= 0 ? tree_ref(a, c->params[p]) : t;
}

Codelet *recurrence_codelet(const Recurrence *x, const DivideStatements *all, const char *tag) {
  Arena *a = x->a;
  Codelet *k = divide_codelet(a, x->codelet, x->codelet->spectrum, tag);
  const Copies copies = {x->codelet, k->params};
  for (int i = 0; i < all->n; i++) {
    all->at[i]->where = x->codelet->body->where;
    if (all->at[i]->op == OP_DECLARE && all->at[i]->symbol->length)
      all->at[i]->symbol->length = tree_rewrite(a, all->at[i]->symbol->length, recurrence_of_copies, (void *)&copies);
  }
  k->body = tree_rewrite(a, tree_seq(a, all->at, all->n), recurrence_of_copies, (void *)&copies);
  k->body->where = x->codelet->body->where;
  return k;
}
