/* container.c: a compound codelet's own containers: `Array<1, T> c(n)', `Array<2, T> c(n, m)'. */
#include "front/convert.h"

bool convert_is_sized(CXCursor init) {
  if (clang_getCursorKind(init) != CXCursor_CallExpr || clang_Cursor_getNumArguments(init) < 1) return false;
  CXCursor f = clang_getCursorReferenced(init);
  return clang_getCursorKind(f) == CXCursor_Constructor && !clang_CXXConstructor_isCopyConstructor(f) &&
         !clang_CXXConstructor_isMoveConstructor(f);
}

Tree *convert_extents(Converter *c, CXCursor v, int rank, CXCursor init) {
  static const char *const such[] = {"Array<1, T> c(n);", "Array<2, T> c(n, m);", "Array<3, T> c(n, m, k);",
                                     "Array<4, T> c(n, m, k, l);"};
  const int n = clang_Cursor_getNumArguments(init);
  if (n != rank) {
    convert_refuse(c, v, such[rank - 1], "a container of %s has a size for each of them",
                   convert_dimensions(c->a, rank));
    return NULL;
  }
  if (rank == 1) return convert_expression(c, clang_Cursor_getArgument(init, 0));
  Tree *t = tree_new(c->a, OP_EXTENTS, TYPE_INDEX, convert_range(c, init), n);
  for (int i = 0; i < n; i++)
    if (!(t->kid[i] = convert_expression(c, clang_Cursor_getArgument(init, (unsigned)i)))) return NULL;
  return t;
}
