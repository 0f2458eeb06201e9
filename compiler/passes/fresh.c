/* fresh.c: names that a kernel does not have yet. */
#include "passes/fresh.h"

#include <string.h>

static bool note_name(void *context, const Tree *t) {
  Fresh *f = context;
  if (t->op != OP_DECLARE && t->op != OP_REF) return true;
  for (int i = 0; i < f->symbols.n; i++)
    if (f->symbols.at[i] == t->symbol) return true;
  vec_push(f->a, &f->symbols, t->symbol);
  vec_push(f->a, &f->names, t->symbol->name);
  return true;
}

Fresh fresh_begin(Arena *a, const Kernel *k, const Tree *body) {
  Fresh f = {.a = a};
  static const char *const printed[] = {"block", "rank", "thread", "lane", "warp", "T", "Index"};
  for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) vec_push(a, &f.names, printed[i]);
  for (int i = 0; i < k->nparams; i++) {
    vec_push(a, &f.symbols, k->params[i]);
    vec_push(a, &f.names, k->params[i]->name);
  }
  tree_visit(body, note_name, &f);
  return f;
}

const char *fresh_name(Fresh *f, const char *wanted) {
  const char *name = wanted;
  for (int suffix = 2;; suffix++) {
    bool taken = false;
    for (int i = 0; i < f->names.n && !taken; i++) taken = strcmp(f->names.at[i], name) == 0;
    if (!taken) break;
    name = arena_printf(f->a, "%s%d", wanted, suffix);
  }
  vec_push(f->a, &f->names, name);
  return name;
}

typedef struct Used { Arena *a; VEC(Symbol *) declared; Symbols used; } Used;

static bool note_used(void *context, const Tree *t) {
  Used *n = context;
  if (t->op == OP_DECLARE) {
    vec_push(n->a, &n->declared, t->symbol);
    if (t->symbol->length) tree_visit(t->symbol->length, note_used, n);
  }
  if (t->op != OP_REF || t->symbol->kind == SYMBOL_CONSTANT) return true;
  for (int i = 0; i < n->declared.n; i++)
    if (n->declared.at[i] == t->symbol) return true;
  for (int i = 0; i < n->used.n; i++)
    if (n->used.at[i] == t->symbol) return true;
  vec_push(n->a, &n->used, t->symbol);
  return true;
}

Symbols fresh_used(Arena *a, const Tree *body) {
  Used n = {.a = a};
  tree_visit(body, note_used, &n);
  return n.used;
}
