/* tidy.c: variables that the text can do without.
 *
 * Loads and shuffles have no effect but their value, and all lanes run the same text: what nothing reads can go. */
#include "passes/tidy.h"

typedef VEC(Tree *) TreeList;

/* How the body uses one variable. Places in the text are counted in order of reading. */
typedef struct Use {
  Symbol *symbol;
  int declared, reads, writes, last_write;
} Use;

typedef struct Uses {
  Arena *a;
  VEC(Use) list;
  int place;
} Uses;

static Use *use_of(Uses *u, Symbol *s) {
  for (int i = u->list.n - 1; i >= 0; i--)
    if (u->list.at[i].symbol == s) return &u->list.at[i];
  Use fresh = {.symbol = s, .declared = -1, .last_write = -1};
  vec_push(u->a, &u->list, fresh);
  return &u->list.at[u->list.n - 1];
}

static void count(Uses *u, const Tree *t, bool header) {
  if (!t) return;
  u->place++;
  if (t->op == OP_REF) { use_of(u, t->symbol)->reads++; return; }
  if (t->op == OP_ASSIGN) {
    const Tree *place = t->kid[0], *base = place->op == OP_INDEX ? place->kid[0] : place;
    if (place->op == OP_INDEX) count(u, place->kid[1], header);
    count(u, t->kid[1], header);
    if (base->op == OP_REF) {
      Use *x = use_of(u, base->symbol);
      x->writes++;
      x->last_write = u->place;
      x->reads += header; /* a loop keeps its variable */
    }
    return;
  }
  if (t->op == OP_DECLARE) {
    for (int i = 0; i < t->nkids; i++) count(u, t->kid[i], header);
    if (t->symbol->length) count(u, t->symbol->length, header);
    Use *x = use_of(u, t->symbol);
    x->declared = u->place;
    x->reads += header;
    return;
  }
  for (int i = 0; i < t->nkids; i++) count(u, t->kid[i], t->op == OP_FOR && i < 3);
}

static const Symbol *target(const Tree *t) {
  if (t->op != OP_ASSIGN) return NULL;
  const Tree *base = t->kid[0]->op == OP_INDEX ? t->kid[0]->kid[0] : t->kid[0];
  return base->op == OP_REF ? base->symbol : NULL;
}

static bool ours(const Symbol *s) { return s->kind == SYMBOL_LOCAL || s->kind == SYMBOL_SHARED; }

/* ---- variables that nothing reads ---- */

static bool is_unread(Uses *u, const Tree *t) {
  const Symbol *s = t->op == OP_DECLARE ? t->symbol : target(t);
  return s && ours(s) && use_of(u, (Symbol *)s)->reads == 0 && use_of(u, (Symbol *)s)->declared >= 0;
}

static Tree *drop_unread(void *context, Arena *a, Tree *t) {
  if (t->op != OP_SEQ) return t;
  TreeList kept = {0};
  for (int i = 0; i < t->nkids; i++)
    if (!is_unread(context, t->kid[i])) vec_push(a, &kept, t->kid[i]);
  return kept.n == t->nkids ? t : tree_with_kids(a, t, kept.at, kept.n);
}

/* ---- copies ---- */

/* T x = y; and from here on neither changes. */
static bool is_copy(Uses *u, const Tree *t) {
  if (t->op != OP_DECLARE || !t->nkids || t->kid[0]->op != OP_REF) return false;
  const Symbol *x = t->symbol, *y = t->kid[0]->symbol;
  bool plain = x->kind == SYMBOL_LOCAL && !x->array && x->type == y->type && !y->array && !y->pointer &&
               (y->kind == SYMBOL_LOCAL || y->kind == SYMBOL_PARAM);
  if (!plain) return false;
  const Use *of_x = use_of(u, (Symbol *)x);
  int declared = of_x->declared;
  return of_x->writes == 0 && of_x->reads > 0 && use_of(u, (Symbol *)y)->last_write < declared;
}

typedef struct Copy { const Symbol *from; Symbol *to; } Copy;

static Tree *replace(void *context, Arena *a, Tree *t) {
  const Copy *c = context;
  if (t->op != OP_REF || t->symbol != c->from) return t;
  Tree *r = tree_ref(a, c->to);
  r->where = t->where;
  return r;
}

typedef struct FindCopy { Uses *uses; const Tree *found; } FindCopy;

static bool find_copy(void *context, const Tree *t) {
  FindCopy *f = context;
  if (t->op == OP_SEQ)
    for (int i = 0; i < t->nkids && !f->found; i++)
      if (is_copy(f->uses, t->kid[i])) f->found = t->kid[i];
  return !f->found && op_is_statement(t->op);
}

/* ---- first values ---- */

/* T x = 0; .. x = v;  becomes  .. T x = v;  when only comments and declarations without x stand between. */
static Tree *merge_first(void *context, Arena *a, Tree *t) {
  (void)context;
  if (t->op != OP_SEQ) return t;
  for (int i = 0; i < t->nkids; i++) {
    const Tree *d = t->kid[i];
    if (d->op != OP_DECLARE || d->symbol->kind != SYMBOL_LOCAL || d->symbol->array) continue;
    int j = i + 1;
    while (j < t->nkids && (t->kid[j]->op == OP_COMMENT || t->kid[j]->op == OP_DECLARE) &&
           !tree_mentions(t->kid[j], d->symbol))
      j++;
    if (j == t->nkids) continue;
    const Tree *s = t->kid[j];
    bool first = s->op == OP_ASSIGN && s->compound == 0 && s->kid[0]->op == OP_REF && s->kid[0]->symbol == d->symbol &&
                 !tree_mentions(s->kid[1], d->symbol);
    if (!first) continue;
    TreeList out = {0};
    for (int k = 0; k < t->nkids; k++) {
      if (k == i) continue;
      if (k == j) {
        Tree *value = s->kid[1], *whole = tree_with_kids(a, d, &value, 1);
        whole->where = s->where;
        vec_push(a, &out, whole);
      } else vec_push(a, &out, t->kid[k]);
    }
    return tree_with_kids(a, t, out.at, out.n);
  }
  return t;
}

Tree *tidy_locals(Arena *a, Tree *body) {
  body = tree_rewrite_statements(a, body, merge_first, NULL);
  Uses u = {.a = a};
  count(&u, body, false);
  Tree *less = tree_rewrite_statements(a, body, drop_unread, &u);
  if (less != body) {
    u = (Uses){.a = a};
    count(&u, less, false);
    body = less;
  }
  FindCopy f = {&u, NULL};
  tree_visit(body, find_copy, &f);
  if (!f.found) return body;
  Copy c = {f.found->symbol, f.found->kid[0]->symbol};
  return tree_rewrite(a, body, replace, &c);
}
