/* simd_names.c: names behind the simd pass. Blocks that were taken apart leave their variables side by side: those of
 * one name get names of their own. */
#include <string.h>

#include "passes/simd.h"

typedef struct Named { Arena *a; VEC(Symbol *) all; } Named;

static bool note_named(void *context, const Tree *t) {
  Named *n = context;
  if (t->op == OP_DECLARE || t->op == OP_REF) vec_push(n->a, &n->all, t->symbol);
  return true;
}

static bool is_named(const Named *n, const char *name) {
  for (int i = 0; i < n->all.n; i++)
    if (strcmp(n->all.at[i]->name, name) == 0) return true;
  return false;
}

static bool tell_apart(void *context, const Tree *t) {
  Named *everywhere = context, here = {.a = everywhere->a};
  for (int i = 0; t->op == OP_SEQ && i < t->nkids; i++) {
    if (t->kid[i]->op != OP_DECLARE) continue;
    Symbol *s = t->kid[i]->symbol;
    const char *name = s->name;
    for (int k = 2; is_named(&here, name) || (name != s->name && is_named(everywhere, name)); k++)
      name = arena_printf(here.a, "%s%d", s->name, k);
    s->name = name;
    vec_push(here.a, &here.all, s);
  }
  return true;
}

void simd_tell_apart(Arena *a, Tree *body) {
  Named named = {.a = a};
  tree_visit(body, note_named, &named);
  tree_visit(body, tell_apart, &named);
}
