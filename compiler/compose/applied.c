/* applied.c: does a codelet that applies a spectrum to a view compute what the sequential codelet does, in its order?
 *
 *   T dot(x, y) { return sum(transform(mul<T>, zip(x, y))); }      beside      accum += x[i] * y[i];
 *
 * Only the plain case is proved: both the sequential codelet and that of the applied spectrum go from the first element
 * to the last, start alike and accumulate alike, and the view's element is the loop's term. Whatever else a view is,
 * reversed, gathered, of other terms, may round otherwise. */
#include "compose/search.h"
#include "ir/function.h"

/* for (i = 0; i < over.Size(); ++i) result op= term; */
typedef struct Loop {
  const Tree *loop;    /* the statement */
  const Symbol *index, *over, *result;
  const Tree *start, *term;
  Op op;
} Loop;

static const Tree *only(const Tree *t) { return t->op == OP_SEQ && t->nkids == 1 ? only(t->kid[0]) : t; }

/* What a variable that is declared in the codelet's body and never assigned stands for. */
static const Tree *meant(const Codelet *c, const Tree *t) {
  const Tree *value = t->op == OP_REF && !tree_assigns(c->body, t->symbol) ? tree_declared(c->body, t->symbol) : NULL;
  return value ? value : t;
}

static bool read_header(const Codelet *c, const Tree *loop, Loop *l) {
  const Tree *size;
  if (!tree_counts(loop, &l->index, &size)) return false;
  size = meant(c, size);
  if (size->op != OP_SIZE || size->kid[0]->op != OP_REF || size->kid[0]->symbol->rank != 1) return false;
  l->over = size->kid[0]->symbol;
  return true;
}

static bool read_iteration(const Tree *body, Loop *l) {
  if (body->op != OP_ASSIGN || body->kid[0]->op != OP_REF) return false;
  l->result = body->kid[0]->symbol;
  l->op = body->compound;
  l->term = body->kid[1];
  if (body->compound == 0) { /* result = max(result, term) */
    if ((l->term->op != OP_MAX && l->term->op != OP_MIN) || !tree_equal(l->term->kid[0], body->kid[0])) return false;
    l->op = l->term->op;
    l->term = l->term->kid[1];
  }
  return !tree_mentions(l->term, l->result);
}

/* A body of declarations, one loop, and the return of what it accumulates. */
static bool read_loop(const Codelet *c, Loop *l) {
  *l = (Loop){0};
  for (int i = 0; i < c->body->nkids; i++) {
    const Tree *t = c->body->kid[i];
    const bool ends = i == c->body->nkids - 1;
    if (t->op == OP_DECLARE) continue;
    if (t->op == OP_FOR && !l->loop) {
      l->loop = t;
      if (!read_header(c, t, l) || !read_iteration(only(t->kid[3]), l)) return false;
    } else if (!ends || t->op != OP_RETURN || !t->nkids || !l->loop || t->kid[0]->op != OP_REF ||
               t->kid[0]->symbol != l->result) {
      return false;
    }
  }
  l->start = l->loop ? tree_declared(c->body, l->result) : NULL;
  return l->start != NULL;
}

/* A view's element where the sequential codelet's loop is, in that one's symbols. */
typedef struct Terms { Arena *a; const Codelet *of, *reference; const Loop *loop; bool has_over; } Terms;

/* The sequential codelet's parameter that is this one; NULL: none is. */
static Symbol *same_parameter(const Terms *x, const Tree *t) {
  for (int i = 0; t->op == OP_REF && i < x->of->nparams && i < x->reference->nparams; i++)
    if (x->of->params[i] == t->symbol) return x->reference->params[i];
  return NULL;
}

/* NULL: not known. */
static Tree *term_of(Terms *x, const Tree *view) {
  if (view->op == OP_TRANSFORM && view->nkids <= MOST_OPERANDS) {
    Tree *arguments[MOST_OPERANDS];
    for (int i = 0; i < view->nkids; i++)
      if (!(arguments[i] = term_of(x, view->kid[i]))) return NULL;
    return function_apply(x->a, view->spectrum, arguments, view->nkids);
  }
  Symbol *same = same_parameter(x, view->op == OP_REPEAT ? view->kid[0] : view);
  if (!same || same->rank != (view->op != OP_REPEAT)) return NULL;
  if (view->op == OP_REPEAT) return tree_ref(x->a, same);
  x->has_over |= same == x->loop->over;
  Tree *t = tree_new(x->a, OP_INDEX, same->type, (SourceRange){0}, 2);
  t->kid[0] = tree_ref(x->a, same);
  t->kid[1] = tree_ref(x->a, (Symbol *)x->loop->index);
  return t;
}

static bool proved(Arena *a, const Codelet *c, const Codelet *reference) {
  const Tree *body = only(c->body);
  const Tree *call = body->op == OP_RETURN && body->nkids ? body->kid[0] : NULL;
  if (!call || call->op != OP_CALL || call->nkids != 1) return false;
  const Codelet *applied = spectrum_reference(call->spectrum);
  Loop loop, inner;
  if (!applied || !read_loop(reference, &loop) || !read_loop(applied, &inner)) return false;
  const Tree *own = inner.term;
  const bool plain = own->op == OP_INDEX && own->nkids == 2 && own->kid[0]->op == OP_REF &&
                     own->kid[0]->symbol == inner.over && own->kid[1]->op == OP_REF &&
                     own->kid[1]->symbol == inner.index;
  if (!plain || inner.op != loop.op || !tree_equal(inner.start, loop.start)) return false;
  Terms x = {a, c, reference, &loop, false};
  const Tree *term = term_of(&x, call->kid[0]);
  return term && x.has_over && tree_equal(term, loop.term);
}

bool applied_as_reference(const Codelet *c, const Codelet *reference) {
  Arena *a = arena_new();
  const bool yes = proved(a, c, reference);
  arena_free(a);
  return yes;
}
