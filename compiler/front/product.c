/* product.c: `mma(A, B, C)', C += A B of whole containers: what a level with a matrix unit computes. In a codelet's
 * tree it is the loops that it stands for,
 *
 *     for (i ..) for (j ..) for (k ..) C(i, j) += A(i, k) * B(k, j)
 *
 * so that all that looks at loops, shapes and uses sees an ordinary product; only who may compute it differs
 * (Codelet.matrix). */
#include "front/convert.h"

enum { A_OF_PRODUCT, B_OF_PRODUCT, C_OF_PRODUCT, OPERANDS };

/* Three parameters of two dimensions, C one that is added to, all of one type. */
static bool operands(Converter *c, CXCursor call, Tree **of) {
  static const char form[] = "mma(A, B, C): C += A B, of three parameters of two dimensions";
  for (int i = 0; i < OPERANDS; i++) {
    CXCursor at = clang_Cursor_getArgument(call, (unsigned)i);
    if (!(of[i] = convert_expression(c, at))) return false;
    if (of[i]->op == OP_REF && of[i]->symbol->kind == SYMBOL_PARAM && of[i]->symbol->rank == 2) continue;
    convert_refuse(c, at, form, "a matrix unit multiplies a codelet's parameters, whole");
    return false;
  }
  const Symbol *to = of[C_OF_PRODUCT]->symbol;
  if (to->atomic != ATOMIC_ADD) {
    convert_refuse(c, clang_Cursor_getArgument(call, C_OF_PRODUCT), "declare it `__accum(Add) Array<2, T>'",
                   "a matrix unit adds to `%s'", to->name);
    return false;
  }
  if (of[A_OF_PRODUCT]->symbol == to || of[B_OF_PRODUCT]->symbol == to)
    convert_refuse(c, call, form, "`%s' is read and added to", to->name);
  else if (of[A_OF_PRODUCT]->symbol == of[B_OF_PRODUCT]->symbol)
    convert_refuse(c, call, form, "`%s' is both factors: a tile has some of its rows, and other columns",
                   of[A_OF_PRODUCT]->symbol->name);
  else
    return true;
  return false;
}

static Tree *element(Converter *c, Tree *of, Symbol *row, Symbol *column) {
  Tree *t = tree_new(c->a, OP_INDEX, of->symbol->type, (SourceRange){0}, 3);
  t->kid[0] = tree_ref(c->a, of->symbol);
  t->kid[1] = tree_ref(c->a, row);
  t->kid[2] = tree_ref(c->a, column);
  return t;
}

Tree *convert_loop(Converter *c, Symbol *i, Tree *of, int dimension, Tree *body) {
  Tree *begin = tree_unary(c->a, OP_DECLARE, TYPE_VOID, tree_int(c->a, TYPE_INDEX, 0));
  begin->symbol = i;
  Tree *size = tree_unary(c->a, OP_SIZE, TYPE_INDEX, tree_ref(c->a, of->symbol));
  size->dimension = dimension;
  Tree *step = tree_binary(c->a, OP_ASSIGN, TYPE_VOID, tree_ref(c->a, i), tree_int(c->a, TYPE_INDEX, 1));
  step->compound = OP_ADD;
  Tree *t = tree_new(c->a, OP_FOR, TYPE_VOID, (SourceRange){0}, 4);
  t->kid[0] = begin;
  t->kid[1] = tree_binary(c->a, OP_LT, TYPE_BOOL, tree_ref(c->a, i), size);
  t->kid[2] = step;
  t->kid[3] = tree_seq(c->a, &body, 1);
  return t;
}

Symbol *convert_index_named(Converter *c, const char *name) {
  Symbol *s = symbol_new(c->a, SYMBOL_LOCAL, name, TYPE_INDEX);
  s->declared = TYPE_UINT;
  s->writable = true;
  return s;
}

Tree *convert_product(Converter *c, CXCursor call) {
  Tree *of[OPERANDS];
  if (!operands(c, call, of)) return NULL;
  Symbol *i = convert_index_named(c, "i"), *j = convert_index_named(c, "j"), *k = convert_index_named(c, "k");
  Tree *product = tree_binary(c->a, OP_MUL, of[A_OF_PRODUCT]->symbol->type, element(c, of[A_OF_PRODUCT], i, k),
                              element(c, of[B_OF_PRODUCT], k, j));
  Tree *add = tree_binary(c->a, OP_ASSIGN, TYPE_VOID, element(c, of[C_OF_PRODUCT], i, j), product);
  add->compound = OP_ADD;
  Tree *inner = convert_loop(c, k, of[A_OF_PRODUCT], 1, add);
  inner = convert_loop(c, j, of[C_OF_PRODUCT], 1, inner);
  Tree *all = convert_at(c, convert_loop(c, i, of[C_OF_PRODUCT], 0, inner), call);
  c->product = all;
  return all;
}
