/* signature.c: what codelets of one spectrum have in common. */
#include "front/signature.h"

#include <string.h>

#include "front/convert.h"

#define TEMPLATE "template " /* what a generic codelet's signature begins with */

const char *signature_text(Arena *a, CXCursor function, bool generic, int *parameters, const char **element) {
  Cursors k = convert_children(a, function);
  *parameters = 0;
  *element = NULL;
  for (int i = 0; i < k.n; i++) {
    enum CXCursorKind kind = clang_getCursorKind(k.at[i]);
    if (kind == CXCursor_TemplateTypeParameter) {
      const char *name = convert_text(a, clang_getCursorSpelling(k.at[i]));
      *element = *name ? name : NULL;
      ++*parameters;
    }
    if (kind == CXCursor_NonTypeTemplateParameter || kind == CXCursor_TemplateTemplateParameter) *parameters += 3;
  }
  CXType type = clang_getCanonicalType(clang_getCursorType(function));
  const char *text = text_replaced(a, convert_text(a, clang_getTypeSpelling(type)), "tgc::", "");
  if (!generic) return text;
  return *parameters == 1 || *parameters == 2 ? arena_printf(a, TEMPLATE "%s", text) : NULL;
}

const char *signature_shown(Arena *a, const char *text, bool operators, const char *element) {
  const char *last = operators ? "type-parameter-0-1" : "type-parameter-0-0";
  text = text_replaced(a, text + strlen(TEMPLATE), last, element);
  return operators ? text_replaced(a, text, "type-parameter-0-0", "M") : text;
}
