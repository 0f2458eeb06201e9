/* row_tiles.c: rows of several axes: loops around a text whose own loops several lanes can go through,
 *
 *     for (n ..) for (c ..) {
 *       T mean = 0;
 *       for (k ..) for (l ..) mean += x(n, c, k, l);
 *       for (k ..) for (l ..) y(n, c, k, l) = x(n, c, k, l) - mean / count;
 *     }
 *
 * Parts are tiles of n and c, as stores.c cuts them. A lane that has a tile of its own would go through its rows one
 * element after another; here lanes have each row between them (together.c), the turns of its innermost loops:
 *
 *     for (n ..) for (c ..) { T mean = 0; for (k ..) for (l = coopIdx(); ..; l += coopDim()) ..; lanes exchange; .. }
 *
 * What is stored outside of a row's loops the first lane stores. Rows of matrices are each_row.c's. */
#include "front/row_tiles.h"

#include "front/together.h"
#include "ir/build.h"

typedef struct Copies { const Codelet *from, *to; } Copies;

static Tree *of_copies(void *context, Arena *a, Tree *t) {
  const Copies *c = context;
  const int p = t->op == OP_REF ? divide_place(c->from, t->symbol) : -1;
  return p >= 0 ? tree_ref(a, c->to->params[p]) : t;
}

static Tree *only(Tree *t) {
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  return t;
}

/* The loop whose body is a row's text: the innermost of those over tiles, n of them; NULL: they do not stand so. */
static Tree *row_loop(const Divisible *x, Tree *body) {
  Tree *t = only(body);
  for (int n = 0; t->op == OP_FOR; t = only(t->kid[3])) {
    bool tile = false;
    for (int i = 0; i < x->nloops; i++)
      tile |= x->loop[i].dimension >= 0 && x->loop[i].head.index == t->kid[0]->symbol;
    if (!tile || ++n > x->ndimensions) return NULL;
    if (n == x->ndimensions) return t;
  }
  return NULL;
}

typedef struct Stores { bool any; } Stores;

static bool find_store(void *context, const Tree *t) {
  Stores *s = context;
  s->any |= t->op == OP_ASSIGN && t->kid[0]->op == OP_INDEX && t->kid[0]->kid[0]->op == OP_REF &&
            t->kid[0]->kid[0]->symbol->kind == SYMBOL_PARAM;
  return !s->any;
}

/* A statement of a row that stores, outside of its loops: the first lane's. */
static Tree *by_first(Arena *a, Tree *t) {
  Stores s = {false};
  if (t->op != OP_FOR) tree_visit(t, find_store, &s);
  if (!s.any) return t;
  Tree *lane = tree_new(a, OP_VECTOR_THREAD, TYPE_INT, (SourceRange){0}, 0);
  Tree *first = tree_binary(a, OP_EQ, TYPE_BOOL, lane, tree_int(a, TYPE_INT, 0));
  return build_if(a, first, tree_seq(a, &t, 1));
}

void row_tiles_add(Arena *a, Unit *u, const Divisible *x) {
  const Codelet *c = x->codelet;
  bool planes = false;
  for (int p = 0; p < c->nparams; p++) planes |= c->params[p]->rank > 2;
  Codelet *k = divide_codelet(a, c, c->spectrum, divide_tag(a, c->spectrum, "together"));
  Copies copies = {c, k};
  Divisible found = *x;
  Tree *body = (Tree *)x->body;
  Tree *loop = planes ? row_loop(&found, body) : NULL;
  if (!loop || loop->kid[3]->op != OP_SEQ) return;
  /* the row's text by itself, which knows its numbers */
  Codelet row = *k;
  Tree *text = tree_rewrite(a, tree_clone(a, loop->kid[3]), of_copies, &copies);
  for (int i = 0; i < text->nkids; i++) text->kid[i] = by_first(a, text->kid[i]);
  row.body = text;
  Codelet *together = together_made(a, u, &row);
  if (!together) return;
  DivideStatements ahead = {0}, each = {0};
  for (int i = 0; i < together->body->nkids; i++) {
    Tree *t = together->body->kid[i];
    if (t->op == OP_DECLARE && t->symbol->kind == SYMBOL_SHARED) vec_push(a, &ahead, t);
    else vec_push(a, &each, t);
  }
  /* the loops over tiles around it: with their own variables, that the text has */
  Tree *made = tree_seq(a, each.at, each.n), *loops[MOST_RANK];
  int n = 0;
  for (Tree *t = only(body); t->op == OP_FOR && n < x->ndimensions; t = only(t->kid[3])) loops[n++] = t;
  while (n-- > 0) {
    Tree *head[] = {loops[n]->kid[0], loops[n]->kid[1], loops[n]->kid[2], made};
    Tree *t = tree_with_kids(a, loops[n], head, 4);
    made = tree_seq(a, &t, 1);
  }
  vec_push(a, &ahead, tree_rewrite(a, tree_clone(a, made), of_copies, &copies));
  together->tag = k->tag;
  together->spectrum = c->spectrum;
  together->body = tree_seq(a, ahead.at, ahead.n);
  together->body->where = c->body->where;
  divide_add(a, c->spectrum, together);
}
