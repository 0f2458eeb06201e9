/* agreed.c: numbers that all lanes of a grid have alike, and steps that do nothing where one of them is 0.
 *
 *     const Index filled = min_index(many[0], n);      memory that nobody stores to meanwhile: all read the same
 *     for (i = ..; i < filled; ..) queue[i] ..         nothing happens where it is 0
 *
 * Whether a step does nothing then is not told by its form: the number is set to 0, and the text is folded. What is
 * left must store to no memory but its block's own.
 *
 * Requires: kernel form, as each step's kernel stands. */
#include "passes/agreed.h"

#include "ir/build.h"
#include "passes/kernel_passes.h"

static bool declares(const Tree *t, const Symbol *s) { return t->op == OP_DECLARE && t->symbol == s; }

static bool is_given(const Symbol *s, const TreeList *all) {
  for (int i = 0; i < all->n; i++)
    if (declares(all->at[i], s)) return true;
  return false;
}

/* A parameter, a constant or the counter of a loop around the kernel is not declared in it. */
static bool has_alike(const Tree *t, const TreeList *declares, const TreeList *other) {
  switch (t->op) {
    case OP_INT: case OP_FLOAT: case OP_BOOL: case OP_LIMIT: case OP_WIDTH: case OP_ORDER_SIZE:
      return true;
    case OP_REF: return !t->symbol->array && !t->symbol->pointer && t->symbol->kind != SYMBOL_SHARED &&
                        (is_given(t->symbol, declares) || !is_given(t->symbol, other));
    case OP_INDEX:
      if (t->nkids != 2 || t->kid[0]->op != OP_REF || !t->kid[0]->symbol->pointer) return false;
      return has_alike(t->kid[1], declares, other);
    case OP_ADD: case OP_SUB: case OP_MUL: case OP_DIV: case OP_REM: case OP_SHL: case OP_SHR: case OP_AND: case OP_OR:
    case OP_XOR: case OP_LT: case OP_LE: case OP_GT: case OP_GE: case OP_EQ: case OP_NE: case OP_LAND: case OP_LOR:
    case OP_NEG: case OP_NOT: case OP_BNOT: case OP_COND: case OP_CAST: case OP_MIN: case OP_MAX: break;
    default:
      if (!op_function(t->op)) return false;
  }
  for (int i = 0; i < t->nkids; i++)
    if (!has_alike(t->kid[i], declares, other)) return false;
  return true;
}

bool agreed(const Tree *t, const TreeList *declares) { return has_alike(t, declares, &(TreeList){0}); }

typedef struct All { Arena *a; TreeList declares; } All;

static bool note_declared(void *context, const Tree *t) {
  All *all = context;
  if (t->op == OP_DECLARE) vec_push(all->a, &all->declares, (Tree *)t);
  return true;
}

TreeList agreed_numbers(Arena *a, const Tree *body) {
  All all = {.a = a};
  TreeList found = {0};
  tree_visit(body, note_declared, &all);
  for (int i = 0; i < body->nkids; i++) {
    Tree *t = body->kid[i];
    if (t->op == OP_DECLARE && t->nkids && t->symbol->constant && has_alike(t->kid[0], &found, &all.declares))
      vec_push(a, &found, t);
  }
  return found;
}

static bool is_own(const Tree *place) {
  while (place->op == OP_INDEX) place = place->kid[0];
  return place->op == OP_REF && !place->symbol->pointer;
}

typedef struct Doing { const Tree *text; bool any; } Doing;

static bool is_set(const Tree *t, const Symbol *s) {
  bool found = t->op == OP_ASSIGN && t->kid[0]->op == OP_REF && t->kid[0]->symbol == s;
  for (int i = 0; i < t->nkids && !found; i++) found = t->kid[i] && is_set(t->kid[i], s);
  return found;
}

/* A sum that nothing is added to. */
static bool adds_nothing(const Tree *text, const Tree *t) {
  const Tree *sum = t->op == OP_ADD_OF_BLOCK ? t->kid[1] : NULL;
  return sum && (build_is(sum, 0) || (sum->op == OP_REF && !is_set(text, sum->symbol)));
}

static bool find_doing(void *context, const Tree *t) {
  static const Op nothing[] = {OP_SEQ, OP_DECLARE, OP_IF, OP_FOR, OP_BREAK, OP_CONTINUE, OP_COMMENT, OP_BARRIER};
  Doing *d = context;
  bool does = op_is_statement(t->op) || t->op == OP_CLAIM || t->op == OP_ADDRESS;
  for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) does &= t->op != nothing[i];
  bool own = t->op == OP_ASSIGN && is_own(t->kid[0]);
  own |= t->op == OP_APPEND_HELD || adds_nothing(d->text, t); /* of what was appended */
  d->any |= does && !own;
  return !d->any;
}

static Tree *zero(void *context, Arena *a, Tree *t) {
  return t->op == OP_REF && t->symbol == context ? tree_int(a, t->type, 0) : t;
}

static bool reads(const Tree *t) { return tree_contains(t, OP_INDEX); }

int agreed_work(Arena *a, const Kernel *k) {
  const TreeList numbers = agreed_numbers(a, k->body);
  for (int i = 0; i < k->body->nkids; i++) {
    const Tree *t = k->body->kid[i];
    if (t->op != OP_DECLARE || !is_given(t->symbol, &numbers) || !type_is_whole(t->symbol->type) || !reads(t->kid[0]))
      continue;
    Tree *copy = tree_clone(a, k->body);
    Doing d = {.text = pass_fold(a, k, tree_rewrite(a, copy, zero, copy->kid[i]->symbol))};
    tree_visit(d.text, find_doing, &d);
    if (!d.any) return i;
  }
  return -1;
}
