/* simd_origins.c: loops whose lanes begin and end apart by the same, for the simd pass.
 *
 *     for (i = min(first + lane, end + lane); i < min(last + lane, end + lane); i += step)   accum += in[i];
 *
 * goes through as many elements in each lane, though no two lanes agree on i. So it is
 *
 *     for (i = min(first, end); i < min(last, end); i += step)   accum += in[i + lane];
 *
 * which all lanes run together, and which vectors load at once. */
#include "ir/build.h"
#include "passes/predicate.h"
#include "passes/simd.h"

typedef struct Origins {
  Arena *a;
  const Uniform *uniform;
  const Tree *body;
  VEC(const Symbol *) taken; /* constants that loops were begun, or ended, by */
} Origins;

/* Is a variable assigned to, elsewhere than in a loop's step? Else it is the same throughout a loop's body. */
typedef struct Changes { const Symbol *symbol; bool found; } Changes;

static bool find_change(void *context, const Tree *t) {
  Changes *c = context;
  c->found |= t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && t->kid[0]->symbol == c->symbol;
  if (t->op != OP_FOR) return !c->found;
  tree_visit(t->kid[3], find_change, c);
  return false;
}

typedef struct Stays { const Origins *o; bool all; } Stays;

static bool find_unsteady(void *context, const Tree *t) {
  Stays *s = context;
  s->all &= t->op != OP_INDEX && t->op != OP_SHUFFLE;
  if (t->op != OP_REF || t->symbol->constant) return s->all;
  Changes c = {t->symbol, false};
  tree_visit(s->o->body, find_change, &c);
  s->all &= !c.found;
  return s->all;
}

typedef struct Declared { const Symbol *symbol; Tree *value; } Declared;

static bool find_value(void *context, const Tree *t) {
  Declared *d = context;
  if (t->op == OP_DECLARE && t->symbol == d->symbol && t->nkids) d->value = t->kid[0];
  return !d->value;
}

/* What a constant that differs from lane to lane is declared to be; NULL: that is not the same any more. */
static Tree *value_of(const Origins *o, const Symbol *s) {
  Declared d = {s, NULL};
  if (!s->constant || s->array || s->pointer) return NULL;
  tree_visit(o->body, find_value, &d);
  Stays stays = {o, true};
  if (d.value) tree_visit(d.value, find_unsteady, &stays);
  return stays.all ? d.value : NULL;
}

/* A position as what differs from lane to lane (NULL: nothing), and what is the same for all. */
typedef struct Split { Tree *own, *same; } Split;

static Split split(Origins *o, Tree *t) {
  Arena *a = o->a;
  if (uniform_of(o->uniform, t) < VARIES_LANE) return (Split){NULL, t};
  Tree *value = t->op == OP_REF ? value_of(o, t->symbol) : NULL;
  if (value) vec_push(a, &o->taken, t->symbol);
  if (value) return split(o, value);
  if (t->op != OP_ADD && t->op != OP_MIN) return (Split){t, build_index(a, 0)};
  const Split x = split(o, t->kid[0]), y = split(o, t->kid[1]);
  if (t->op == OP_ADD) {
    Tree *own = x.own && y.own ? build_add(a, x.own, y.own) : x.own ? x.own : y.own;
    return (Split){own, build_add(a, x.same, y.same)};
  }
  if (!x.own || !y.own || !tree_equal(x.own, y.own)) return (Split){t, build_index(a, 0)};
  return (Split){x.own, build_min(a, x.same, y.same)};
}

static Tree *each_loop(void *context, Arena *a, Tree *t) {
  Origins *o = context;
  const Tree *init = t->op == OP_FOR ? t->kid[0] : NULL;
  const Tree *condition = init ? t->kid[1] : NULL, *step = init ? t->kid[2] : NULL;
  if (!init || !condition || !step || init->op != OP_DECLARE || !init->nkids) return t;
  Symbol *i = init->symbol;
  const bool ends = condition->op == OP_LT && condition->kid[0]->op == OP_REF && condition->kid[0]->symbol == i;
  if (!ends || i->type != TYPE_INDEX || step->op != OP_ASSIGN || step->compound != OP_ADD) return t;
  if (uniform_of(o->uniform, step->kid[1]) == VARIES_LANE || tree_assigns(t->kid[3], i)) return t;
  const Split begin = split(o, init->kid[0]), end = split(o, condition->kid[1]);
  if (!begin.own || !end.own || !tree_equal(begin.own, end.own)) return t;
  Symbol *all = arena_one(a, Symbol);
  *all = *i;
  Tree *at = tree_ref(a, all), *copy = tree_with_kids(a, t, t->kid, t->nkids);
  copy->kid[0] = build_declare(a, all, begin.same);
  copy->kid[1] = build_compare(a, OP_LT, at, end.same);
  copy->kid[2] = tree_with_kids(a, step, (Tree *[]){at, step->kid[1]}, 2);
  copy->kid[3] = build_with(a, t->kid[3], i, build_add(a, at, build_cast(a, TYPE_INDEX, begin.own)));
  return copy;
}

/* Constants that nobody reads any more. */
static Tree *without_taken(void *context, Arena *a, Tree *t) {
  const Origins *o = context;
  TreeList left = {0};
  for (int i = 0; t->op == OP_SEQ && i < t->nkids; i++) {
    bool idle = false;
    for (int k = 0; t->kid[i]->op == OP_DECLARE && k < o->taken.n; k++)
      idle |= o->taken.at[k] == t->kid[i]->symbol && !tree_mentions(o->body, t->kid[i]->symbol);
    if (!idle) vec_push(a, &left, t->kid[i]);
  }
  return left.n < t->nkids && t->op == OP_SEQ ? tree_seq(a, left.at, left.n) : t;
}

Tree *simd_common_origins(Arena *a, const Uniform *uniform, Tree *body) {
  Origins o = {.a = a, .uniform = uniform, .body = body};
  Tree *made = tree_rewrite_statements(a, body, each_loop, &o);
  o.body = made;
  return o.taken.n ? tree_rewrite_statements(a, made, without_taken, &o) : made;
}
