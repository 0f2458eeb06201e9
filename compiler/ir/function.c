/* function.c: a function applied is its expression with arguments for parameters. */
#include "ir/function.h"

bool function_is(const Spectrum *s) {
  if (!s->ncodelets || s->codelets[0]->nparams == 0) return false;
  const Codelet *c = s->codelets[0];
  for (int i = 0; i < c->nparams; i++)
    if (c->params[i]->rank) return false;
  return true;
}

typedef struct Application {
  const Codelet *function;
  Tree **arguments;
} Application;

static Tree *substitute(void *context, Arena *a, Tree *t) {
  const Application *x = context;
  if (t->op == OP_COND && !t->present) { /* arguments are values that there are */
    t = tree_with_kids(a, t, t->kid, t->nkids);
    t->present = true;
  }
  for (int i = 0; t->op == OP_REF && i < x->function->nparams; i++)
    if (x->function->params[i] == t->symbol) return x->arguments[i];
  return t;
}

/* An argument as the parameter takes it. Sizes and positions are 64 bits wide already. */
static Tree *converted(Arena *a, Tree *t, const Symbol *to) {
  return t->type == to->type || to->type == TYPE_INDEX ? t : tree_unary(a, OP_CAST, to->type, t);
}

Tree *function_apply(Arena *a, const Spectrum *function, Tree **arguments, int n) {
  const Codelet *c = function->codelets[0];
  if (n != c->nparams) return NULL;
  Application x = {c, arena_many(a, Tree *, n)};
  for (int i = 0; i < n; i++) x.arguments[i] = converted(a, arguments[i], c->params[i]);
  return tree_rewrite(a, tree_clone(a, c->body->kid[0]->kid[0]), substitute, &x);
}
