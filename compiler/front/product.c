/* product.c: `mma(A, B, C)', C += A B of whole containers: what a level with a matrix unit computes. In a codelet's
 * tree it is the loops that it stands for,
 *
 *     for (i ..) for (j ..) for (k ..) C(i, j) += A(i, k) * B(k, j)
 *
 * or, of a batch of matrices, C(b, i, j) += A(b, i, k) * B(b, k, j) for each b; one of A and B may be the same for all:
 * so that all that looks at loops, shapes and uses sees an ordinary product; only who may compute it differs
 * (Codelet.matrix). */
#include "front/convert.h"
#include "front/front.h"
#include "ir/operator.h"

enum { A_OF_PRODUCT, B_OF_PRODUCT, C_OF_PRODUCT, OPERANDS, PLANE = 2 };

/* Three parameters of two dimensions, or of a batch of such, C one that is added to, all of one type. */
static bool operands(Converter *c, CXCursor call, Tree **of) {
  static const char form[] = "mma(A, B, C): C += A B, of three parameters of two dimensions";
  for (int i = 0; i < OPERANDS; i++) {
    CXCursor at = clang_Cursor_getArgument(call, (unsigned)i);
    if (!(of[i] = convert_expression(c, at))) return false;
    if (of[i]->op == OP_REF && of[i]->symbol->kind == SYMBOL_PARAM && of[i]->symbol->rank >= PLANE) continue;
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

/* Are A's columns said to be as many as B's rows, and C's rows and columns as A's rows and B's columns? */
static bool sizes_agree(Converter *c, CXCursor call, Tree **of) {
  const Symbol *A = of[A_OF_PRODUCT]->symbol, *B = of[B_OF_PRODUCT]->symbol, *C = of[C_OF_PRODUCT]->symbol;
  const int a = A->rank - PLANE, b = B->rank - PLANE, to = C->rank - PLANE;
  const bool inner = shape_is_same(A, a + 1, B, b), rows = shape_is_same(A, a, C, to);
  if (inner && rows && shape_is_same(B, b + 1, C, to + 1)) return true;
  if (!inner && shape_is_same(A, a + 1, B, b + 1))
    convert_refuse(c, call,
                   "`__by_columns __shape(A.Size(1), _) const Array<2, T> B': a matrix by rows is its transpose by "
                   "columns",
                   "a matrix unit multiplies rows of `%s' by columns of `%s', which has as many columns as `%s'",
                   A->name, B->name, A->name);
  else
    convert_refuse(c, call,
                   "declare sizes that agree: `__shape(A.Size(1), _) const Array<2, T> B, __shape(A.Size(0), "
                   "B.Size(1)) __accum(Add) Array<2, T> C'",
                   "a matrix unit multiplies matrices whose sizes are not said to fit: `%s' and `%s'",
                   inner && rows ? B->name : A->name, inner ? C->name : B->name);
  return false;
}

static Tree *element(Converter *c, Tree *of, Symbol *batch, Symbol *row, Symbol *column) {
  Symbol *const at[] = {batch, row, column};
  const int rank = of->symbol->rank;
  Tree *t = tree_new(c->a, OP_INDEX, of->symbol->type, (SourceRange){0}, 1 + rank);
  t->kid[0] = tree_ref(c->a, of->symbol);
  for (int d = 0; d < rank; d++) t->kid[1 + d] = tree_ref(c->a, at[d + 1 + PLANE - rank]);
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
  if (!operands(c, call, of) || !sizes_agree(c, call, of)) return NULL;
  Symbol *b = convert_index_named(c, "b"), *i = convert_index_named(c, "i"), *j = convert_index_named(c, "j"),
         *k = convert_index_named(c, "k");
  Tree *product = tree_binary(c->a, OP_MUL, of[A_OF_PRODUCT]->symbol->type, element(c, of[A_OF_PRODUCT], b, i, k),
                              element(c, of[B_OF_PRODUCT], b, k, j));
  Tree *add = tree_binary(c->a, OP_ASSIGN, TYPE_VOID, element(c, of[C_OF_PRODUCT], b, i, j), product);
  add->compound = OP_ADD;
  const int rank = of[C_OF_PRODUCT]->symbol->rank;
  Tree *inner = convert_loop(c, k, of[A_OF_PRODUCT], of[A_OF_PRODUCT]->symbol->rank - 1, add);
  inner = convert_loop(c, j, of[C_OF_PRODUCT], rank - 1, inner);
  inner = convert_loop(c, i, of[C_OF_PRODUCT], rank - PLANE, inner);
  if (rank > PLANE) inner = convert_loop(c, b, of[C_OF_PRODUCT], 0, inner);
  Tree *all = convert_at(c, inner, call);
  c->product = all;
  return all;
}

/* By which operators elements are accumulated: by addition; the first other one. */
typedef struct Accumulated { OperatorKind other; bool adds; } Accumulated;

static bool note_accumulated(void *context, const Tree *t) {
  Accumulated *x = context;
  if (t->op != OP_ASSIGN || !tree_contains(t->kid[1], OP_INDEX)) return true;
  const Tree *value = t->kid[1];
  OperatorKind by = operator_of(t->compound ? t->compound : value->op);
  if (by == OPERATOR_NONE) return true;
  if (!t->compound && !tree_equal(value->kid[0], t->kid[0]) && !tree_equal(value->kid[1], t->kid[0])) return true;
  if (by == OPERATOR_ADD) x->adds = true;
  else if (x->other == OPERATOR_NONE) x->other = by;
  return true;
}

bool front_products_add(const Spectrum *s, Diagnostics *d) {
  const Codelet *one = spectrum_reference(s);
  Accumulated x = {0};
  if (!one || one->matrix) return true;
  tree_visit(one->body, note_accumulated, &x);
  if (x.other == OPERATOR_NONE || x.adds) return true;
  for (int i = 0; i < s->ncodelets; i++)
    if (s->codelets[i]->matrix) {
      diagnostics_add(d, DIAG_ERROR, s->codelets[i]->where,
                      "leave it out: no matrix unit computes this; lanes and shuffles do, by the other codelets",
                      "a matrix unit adds up products, and `%s' of `%s' accumulates by %s", one->tag, s->name,
                      operator_name(x.other));
      return false;
    }
  return true;
}

/* Its mma() alone, of all that it is given. */
bool convert_is_product_alone(Converter *c, const Codelet *k, CXCursor function) {
  enum { OPERANDS = 3 };
  if (k->body->nkids != 1 || k->body->kid[0] != c->product)
    convert_refuse(c, function, "put it into a separate codelet: `{ mma(A, B, C); }'",
                   "`mma' is not the only statement of its codelet");
  else if (!c->rows && k->nparams != OPERANDS)
    convert_refuse(c, function, "a spectrum of A, B and C alone",
                   "`mma' takes exactly the parameters of its codelet, and this codelet has %d",
                   k->nparams);
  return !c->failed;
}
