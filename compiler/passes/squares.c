/* squares.c: what is read along one dimension and written along another goes by squares, which are transposed in
 * registers.
 *
 *     for (i = 0; i < m; ++i)              for (j = 0; j + 16 <= n; j += 16)
 *       for (j = 0; j < n; ++j)              for (i = 0; i + 16 <= m; i += 16) {
 *         B[j * b + i] = A[i * a + j];  ->     T square[256];
 *                                              LOAD_ROWS(square, A + (i * a + j), a);
 *                                              for (line = 0; line < 16; ++line)
 *                                                for each lane:
 *                                                  B[(j + line) * b + i + lane] = square[16 * line + lane];
 *                                            }
 *                                          .. and what is left as it was
 *
 * Requires: kernel form behind the simd pass, of a CPU. Keeps: every value: iterations write an element each, and read
 * others. Breaks: nothing.
 * Either order of the two loops goes through memory in steps of a row, for each of which a cache line, of as many
 * elements as the square has, comes and goes. A square uses lines whole, both ways, whatever the distance of rows:
 * where that is a power of two they would meet in the same few places of a cache. A band of rows is gone through square
 * by square, so that the pages of what is read serve more than once. */
#include "passes/squares.h"

#include "ir/build.h"
#include "passes/along.h"
#include "passes/fresh.h"
#include "passes/predicate.h"

enum { BAND = 16 }; /* squares, one below the other */

typedef struct Squares {
  Arena *a;
  const Kernel *kernel;
  Fresh fresh;
} Squares;

/* Two loops around a store. `side': along which of them, 0 the outer one, its neighbours lie side by side. */
typedef struct Pair {
  const Symbol *index[2];
  const Tree *end[2], *store;
  int side;
  TreeList crossing; /* loads whose neighbours lie so along the other one */
  bool fits;
} Pair;

static Tree *only(Tree *t) {
  while (t->op == OP_SEQ && t->nkids == 1) t = t->kid[0];
  return t;
}

typedef struct Look { Arena *a; Pair *p; } Look;

static bool look(void *context, const Tree *t) {
  Look *l = context;
  Pair *p = l->p;
  const Symbol *own = p->index[p->side], *other = p->index[!p->side];
  if (t->op == OP_INDEX) {
    p->fits &= along_is_memory(t) && t->kid[0]->symbol != p->store->kid[0]->symbol;
    p->fits = p->fits && !tree_contains(t->kid[1], OP_INDEX);
    if (!p->fits || along_of(t->kid[1], own) != ALONG_OTHERWISE) return false;
    p->fits = along_of(t->kid[1], other) == ALONG_ONE && along_step(l->a, t->kid[1], own);
    vec_push(l->a, &p->crossing, (Tree *)t);
    return false;
  }
  p->fits &= (t->op >= OP_INT && t->op <= OP_MAX) || t->op == OP_SQRT || t->op == OP_FABS || t->op == OP_FUSED;
  return p->fits;
}

static bool goes_by_squares(Arena *a, Tree *outer, Pair *p) {
  *p = (Pair){.fits = true};
  if (!tree_counts(outer, &p->index[0], &p->end[0]) || outer->unroll != UNROLL_FREE) return false;
  Tree *inner = only(outer->kid[3]);
  if (!tree_counts(inner, &p->index[1], &p->end[1]) || inner->unroll != UNROLL_FREE) return false;
  Tree *store = only(inner->kid[3]);
  if (store->op != OP_ASSIGN || store->compound || !along_is_memory(store->kid[0])) return false;
  for (int i = 0; i < 2; i++)
    if (tree_contains(p->end[i], OP_INDEX) || tree_mentions(p->end[i], p->index[0])) return false;
  p->store = store->kid[0];
  p->side = along_of(p->store->kid[1], p->index[1]) == ALONG_ONE;
  if (along_of(p->store->kid[1], p->index[p->side]) != ALONG_ONE) return false;
  if (along_of(p->store->kid[1], p->index[!p->side]) == ALONG_NOT) return false;
  if (tree_contains(p->store->kid[1], OP_INDEX)) return false;
  Look l = {a, p};
  tree_visit(store->kid[1], look, &l);
  return p->fits && p->crossing.n > 0;
}

/* ---- a square ---- */

/* .. that begins at those two: its copies, and the line at hand. */
typedef struct Square {
  const Squares *x;
  const Pair *of;
  Tree *at[2], *line;
  Symbol **copies;
} Square;

static Tree *vector(const Squares *x) { return tree_int(x->a, TYPE_INT, kernel_vector(x->kernel)); }

static Tree *at_corner(const Square *s, Tree *t) {
  t = build_with(s->x->a, t, s->of->index[0], s->at[0]);
  return build_with(s->x->a, t, s->of->index[1], s->at[1]);
}

static Tree *on_line(void *context, Arena *a, Tree *t) {
  const Square *s = context;
  Tree *lane = build_lane(a, OP_LANE);
  if (t->op == OP_INDEX)
    for (int i = 0; i < s->of->crossing.n; i++)
      if (t == s->of->crossing.at[i])
        return build_element(a, s->copies[i], build_add(a, build_mul(a, s->line, vector(s->x)), lane));
  return t;
}

static Tree *at_lane(void *context, Arena *a, Tree *t) {
  const Square *s = context;
  if (t->op != OP_REF) return t;
  const int side = s->of->side;
  Tree *lane = build_cast(a, TYPE_INDEX, build_lane(a, OP_LANE));
  if (t->symbol == s->of->index[side]) return build_add(a, s->at[side], lane);
  return t->symbol == s->of->index[!side] ? build_add(a, s->at[!side], build_cast(a, TYPE_INDEX, s->line)) : t;
}

/* What is stored by a lane of the line at hand, its loads across from the copies. */
static Tree *replaced(const Square *s, Tree *t) {
  Arena *a = s->x->a;
  Tree *made = on_line((void *)s, a, t);
  if (made != t) return made;
  if (!t->nkids) return at_lane((void *)s, a, t);
  Tree *copy = tree_with_kids(a, t, t->kid, t->nkids);
  for (int i = 0; i < t->nkids; i++) copy->kid[i] = replaced(s, t->kid[i]);
  return copy;
}

static Tree *square(Squares *x, const Pair *p, Tree *store, Symbol *const *first) {
  Arena *a = x->a;
  Square s = {.x = x, .of = p, .at = {tree_ref(a, first[0]), tree_ref(a, first[1])},
              .copies = arena_many(a, Symbol *, p->crossing.n)};
  TreeList all = {0};
  Symbol *line = symbol_new(a, SYMBOL_LOCAL, fresh_name(&x->fresh, "line"), TYPE_INT);
  s.line = tree_ref(a, line);
  for (int i = 0; i < p->crossing.n; i++) {
    Tree *from = p->crossing.at[i];
    const char *name = fresh_name(&x->fresh, "square");
    Symbol *copy = s.copies[i] = symbol_new(a, SYMBOL_LOCAL, name, from->kid[0]->symbol->type);
    copy->array = copy->writable = true;
    copy->length = build_mul(a, vector(x), vector(x));
    vec_push(a, &all, build_declare(a, copy, NULL));
    Tree *kids[] = {tree_ref(a, copy), at_corner(&s, from), along_step(a, from->kid[1], p->index[p->side])};
    vec_push(a, &all, build_tree(a, OP_LOAD_ROWS, TYPE_VOID, kids, 3));
  }
  Tree *lanes = tree_new(a, OP_LANES, TYPE_VOID, (SourceRange){0}, 1);
  Tree *place = tree_rewrite(a, store->kid[0], at_lane, &s);
  Tree *made = build_assign(a, place, replaced(&s, store->kid[1]));
  lanes->kid[0] = tree_seq(a, &made, 1);
  vec_push(a, &all, build_for(a, line, tree_int(a, TYPE_INT, 0), vector(x), tree_int(a, TYPE_INT, 1),
                              tree_seq(a, &lanes, 1)));
  return tree_seq(a, all.at, all.n);
}

/* ---- the loops ---- */

static Symbol *variable(Squares *x, const char *name) {
  Symbol *s = symbol_new(x->a, SYMBOL_LOCAL, fresh_name(&x->fresh, name), TYPE_INDEX);
  return s;
}

static Tree *constant(Squares *x, TreeList *to, const char *name, Tree *value) {
  Symbol *s = variable(x, name);
  s->constant = true;
  vec_push(x->a, to, build_declare(x->a, s, value));
  return tree_ref(x->a, s);
}

/* The two loops from there on. */
static Tree *rest(Arena *a, const Tree *outer, Tree *from, Tree *end, Tree *inner_from) {
  Tree *t = tree_with_kids(a, outer, outer->kid, outer->nkids), *in = only(outer->kid[3]);
  Tree *own = tree_with_kids(a, in, in->kid, in->nkids);
  own->kid[0] = build_declare(a, in->kid[0]->symbol, inner_from);
  t->kid[0] = build_declare(a, outer->kid[0]->symbol, from);
  t->kid[1] = build_compare(a, OP_LT, tree_ref(a, outer->kid[0]->symbol), end);
  t->kid[3] = tree_seq(a, &own, 1);
  return t;
}

static Tree *by_squares(Squares *x, const Pair *p, Tree *outer) {
  Arena *a = x->a;
  TreeList all = {0};
  Tree *store = only(only(outer->kid[3])->kid[3]), *whole[2], *step = build_index(a, kernel_vector(x->kernel));
  Symbol *first[2];
  for (int i = 0; i < 2; i++) {
    const char *name = p->index[i]->name;
    Tree *squares = build_mul(a, build_div(a, (Tree *)p->end[i], step), step);
    whole[i] = constant(x, &all, arena_printf(a, "%s_whole", name), squares);
    first[i] = variable(x, arena_printf(a, "%s_first", name));
  }
  const int side = p->side;
  Symbol *band = variable(x, "band");
  Tree *height = build_index(a, BAND * kernel_vector(x->kernel)), *from = tree_ref(a, band);
  Tree *end = build_min(a, build_add(a, from, height), whole[side]);
  Tree *loops = build_for(a, first[side], from, end, step, square(x, p, store, first));
  loops = build_for(a, first[!side], build_index(a, 0), whole[!side], step, tree_seq(a, &loops, 1));
  vec_push(a, &all, build_for(a, band, build_index(a, 0), whole[side], height, tree_seq(a, &loops, 1)));
  vec_push(a, &all, rest(a, outer, build_index(a, 0), whole[0], whole[1]));
  vec_push(a, &all, rest(a, outer, whole[0], (Tree *)p->end[0], build_index(a, 0)));
  return tree_seq(a, all.at, all.n);
}

static Tree *each_loop(void *context, Arena *a, Tree *t) {
  Squares *x = context;
  Pair p;
  const bool own = t->op == OP_FOR && !tree_contains(t, OP_LANE); /* not a lane's among others */
  return own && goes_by_squares(a, t, &p) ? by_squares(x, &p, t) : t;
}

Tree *pass_squares(Arena *a, const Kernel *k, Tree *body) {
  if (tree_contains(body, OP_CHAIN)) return body; /* other threads store meanwhile */
  Squares x = {a, k, fresh_begin(a, k, body)};
  return tree_rewrite_statements(a, body, each_loop, &x);
}
