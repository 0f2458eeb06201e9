/* build.c: making kernel-form expressions, tidied as they are made. */
#include "ir/build.h"

Tree *build_index(Arena *a, int64_t number) { return tree_int(a, TYPE_INDEX, number); }

bool build_is(const Tree *t, int64_t number) {
  int64_t value;
  return tree_constant(t, &value) && value == number;
}

/* Sizes and positions are 64 bits; lane numbers alone stay 32. */
static Type wider(const Tree *x, const Tree *y) {
  return x->type == TYPE_INDEX || y->type == TYPE_INDEX ? TYPE_INDEX : x->type;
}

static Tree *arithmetic(Arena *a, Op op, Tree *x, Tree *y) {
  Tree *t = tree_binary(a, op, wider(x, y), x, y);
  t->where = (SourceRange){0};
  int64_t value;
  return tree_constant(t, &value) ? tree_int(a, t->type, value) : t;
}

Tree *build_add(Arena *a, Tree *x, Tree *y) {
  if (build_is(x, 0)) return y;
  if (build_is(y, 0)) return x;
  if (y->op == OP_MUL && build_is(y->kid[1], -1)) return build_sub(a, x, y->kid[0]);
  return arithmetic(a, OP_ADD, x, y);
}

Tree *build_sub(Arena *a, Tree *x, Tree *y) {
  if (build_is(y, 0)) return x;
  return arithmetic(a, OP_SUB, x, y);
}

Tree *build_mul(Arena *a, Tree *x, Tree *y) {
  if (build_is(x, 1)) return y;
  if (build_is(y, 1)) return x;
  if (build_is(x, 0)) return x;
  if (build_is(y, 0)) return y;
  return arithmetic(a, OP_MUL, x, y);
}

Tree *build_div(Arena *a, Tree *x, Tree *y) {
  if (build_is(y, 1)) return x;
  return arithmetic(a, OP_DIV, x, y);
}

Tree *build_min(Arena *a, Tree *x, Tree *y) {
  return tree_equal(x, y) ? x : arithmetic(a, OP_MIN, x, y);
}

Tree *build_max(Arena *a, Tree *x, Tree *y) {
  return tree_equal(x, y) ? x : arithmetic(a, OP_MAX, x, y);
}

Tree *build_cast(Arena *a, Type type, Tree *x) { return tree_unary(a, OP_CAST, type, x); }

Tree *build_compare(Arena *a, Op op, Tree *x, Tree *y) {
  Tree *t = tree_binary(a, op, TYPE_BOOL, x, y);
  t->where = (SourceRange){0};
  return t;
}

Tree *build_tree(Arena *a, Op op, Type type, Tree *const *kids, int n) {
  Tree *t = tree_new(a, op, type, (SourceRange){0}, n);
  for (int i = 0; i < n; i++) t->kid[i] = kids[i];
  return t;
}

Tree *build_choice(Arena *a, Tree *condition, Tree *x, Tree *y) {
  return build_tree(a, OP_COND, x->type, (Tree *[]){condition, x, y}, 3);
}

Tree *build_both(Arena *a, Tree *x, Tree *y) { return tree_binary(a, OP_LAND, TYPE_BOOL, x, y); }

Tree *build_element(Arena *a, Symbol *array, Tree *position) {
  return tree_binary(a, OP_INDEX, array->type, tree_ref(a, array), position);
}

Tree *build_lane(Arena *a, Op op) {
  return tree_new(a, op, op == OP_BLOCK_ID ? TYPE_INDEX : TYPE_INT, (SourceRange){0}, 0);
}

Tree *build_width(Arena *a, Type type) {
  Tree *t = tree_new(a, OP_WIDTH, TYPE_INT, (SourceRange){0}, 0);
  t->element = type;
  return t;
}

Tree *build_declare(Arena *a, Symbol *s, Tree *init) {
  Tree *t = tree_new(a, OP_DECLARE, TYPE_VOID, (SourceRange){0}, init ? 1 : 0);
  t->symbol = s;
  if (init) t->kid[0] = init;
  return t;
}

Tree *build_assign(Arena *a, Tree *place, Tree *value) {
  Tree *t = tree_binary(a, OP_ASSIGN, TYPE_VOID, place, value);
  t->compound = 0;
  return t;
}

Tree *build_if(Arena *a, Tree *condition, Tree *then) {
  if (then->op != OP_SEQ) then = tree_seq(a, &then, 1);
  Tree *t = tree_new(a, OP_IF, TYPE_VOID, then->where, 2);
  t->kid[0] = condition;
  t->kid[1] = then;
  return t;
}

Tree *build_either(Arena *a, Tree *condition, Tree *then, Tree *otherwise) {
  Tree *t = tree_new(a, OP_IF, TYPE_VOID, then->where, 3);
  t->kid[0] = condition;
  t->kid[1] = then;
  t->kid[2] = otherwise;
  return t;
}

Tree *build_onward(Arena *a, Tree *at, Tree *condition, Tree *step, Tree *body, ForUnroll unroll) {
  Tree *t = tree_new(a, OP_FOR, TYPE_VOID, (SourceRange){0}, 4);
  t->kid[1] = condition;
  t->kid[2] = build_assign(a, at, step);
  t->kid[2]->compound = OP_ADD;
  t->kid[3] = body;
  t->unroll = unroll;
  return t;
}

Tree *build_for(Arena *a, Symbol *k, Tree *from, Tree *below, Tree *step, Tree *body) {
  Tree *at = tree_ref(a, k), *t = build_onward(a, at, build_compare(a, OP_LT, at, below), step, body, UNROLL_FREE);
  t->kid[0] = build_declare(a, k, from);
  return t;
}

Tree *build_comment(Arena *a, const char *text) {
  Tree *t = tree_new(a, OP_COMMENT, TYPE_VOID, (SourceRange){0}, 0);
  t->text = text;
  return t;
}

typedef struct Instead { const Symbol *symbol; Tree *number; } Instead;

static Tree *instead(void *context, Arena *a, Tree *t) {
  const Instead *x = context;
  if (t->op == OP_MUL && t->type == TYPE_INDEX) return build_mul(a, t->kid[0], t->kid[1]);
  if (t->op == OP_ADD && t->type == TYPE_INDEX) return build_add(a, t->kid[0], t->kid[1]);
  return t->op == OP_REF && t->symbol == x->symbol ? x->number : t;
}

Tree *build_with(Arena *a, Tree *t, const Symbol *symbol, Tree *number) {
  return tree_rewrite(a, tree_clone(a, t), instead, &(Instead){symbol, number});
}

Tree *build_is_multiple(Arena *a, Tree *x, Tree *of) {
  return build_compare(a, OP_EQ, tree_binary(a, OP_REM, x->type, x, of), tree_int(a, x->type, 0));
}

Tree *build_ceil_div(Arena *a, Tree *x, Tree *y) {
  if (build_is(y, 1)) return x;
  return build_div(a, build_sub(a, build_add(a, x, y), build_index(a, 1)), y);
}
