/* mentions.c: names and what they stand for, by clang's annotated tokens. */
#include "front/mentions.h"

#include <clang-c/Index.h>
#include <stdlib.h>
#include <string.h>

#include "front/convert.h"

void mentions_begin(Mentions *m, Arena *a, size_t size) {
  *m = (Mentions){.arena = a, .by_offset = arena_many(a, int, size + 1), .seen = arena_many(a, bool, size + 1)};
}

static void mention(Mentions *m, SourceSpan at, int of) {
  if (m->seen[at.begin]) return;
  m->seen[at.begin] = true;
  Mention one = {at, of};
  vec_push(m->arena, &m->list, one);
}

static int declare(Mentions *m, Declared d) {
  int *index = &m->by_offset[d.at.begin];
  if (*index) { /* known from the outline, which has no bodies and no tags */
    Declared *before = &m->declared.at[*index - 1];
    if (d.extent.end > before->extent.end) before->extent = d.extent;
    if (d.tag) before->tag = d.tag;
    before->defined |= d.defined;
    return *index - 1;
  }
  vec_push(m->arena, &m->declared, d);
  *index = m->declared.n;
  mention(m, d.at, *index - 1);
  return *index - 1;
}

void mentions_macro(Mentions *m, const SourceFile *f, SourceSpan name) {
  Declared d = {.kind = MENTION_MACRO, .at = name, .extent = name};
  d.name = arena_strndup(m->arena, f->text + name.begin, name.end - name.begin);
  while (d.extent.begin > 0 && f->text[d.extent.begin - 1] != '\n') d.extent.begin--;
  while (d.extent.end < f->size && f->text[d.extent.end] != '\n') d.extent.end++;
  declare(m, d);
}

/* ---- one text ---- */

typedef struct Reader {
  Mentions *m;
  const SourceFile *f;
  CXTranslationUnit tu;
  const char *const *names; /* of the texts whose places are the file's */
} Reader;

/* The offset of a place in the user's text; false: it lies elsewhere. */
static bool offset_of(const Reader *r, CXSourceLocation l, unsigned *offset) {
  CXFile file;
  clang_getFileLocation(l, &file, NULL, NULL, offset);
  if (!file || *offset > r->f->size) return false;
  CXString name = clang_getFileName(file);
  const char *text = clang_getCString(name);
  const bool own = text && (strcmp(text, r->names[0]) == 0 || strcmp(text, r->names[1]) == 0);
  clang_disposeString(name);
  return own;
}

static bool kind_of(CXCursor c, MentionKind *kind) {
  switch (clang_getCursorKind(c)) {
    case CXCursor_FunctionDecl: case CXCursor_FunctionTemplate: *kind = MENTION_CODELET; return true;
    case CXCursor_ParmDecl: *kind = MENTION_PARAMETER; return true;
    case CXCursor_VarDecl: *kind = MENTION_VARIABLE; return true;
    case CXCursor_TemplateTypeParameter: *kind = MENTION_TYPE_PARAMETER; return true;
    case CXCursor_StructDecl: case CXCursor_ClassDecl: case CXCursor_ClassTemplate: case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl: case CXCursor_TypeAliasDecl: *kind = MENTION_STRUCT; return true;
    case CXCursor_FieldDecl: *kind = MENTION_FIELD; return true;
    case CXCursor_CXXMethod: *kind = MENTION_FUNCTION; return true;
    case CXCursor_EnumConstantDecl: *kind = MENTION_CONSTANT; return true;
    default: return false;
  }
}

/* The declaration that a name stands for there, as the file has it; -1: none of the file's. */
static int declared_by(const Reader *r, CXCursor c, const char *name) {
  Declared d = {.name = name};
  CXCursor pattern = clang_getSpecializedCursorTemplate(c);
  if (!clang_Cursor_isNull(pattern)) c = pattern;
  if (!kind_of(c, &d.kind) || !offset_of(r, clang_getCursorLocation(c), &d.at.begin)) return -1;
  d.at.end = d.at.begin + (unsigned)strlen(name);
  const bool spelled = d.at.end <= r->f->size && memcmp(r->f->text + d.at.begin, name, strlen(name)) == 0;
  if (!spelled) return -1; /* a macro has its name */
  CXSourceRange extent = clang_getCursorExtent(c);
  if (!offset_of(r, clang_getRangeStart(extent), &d.extent.begin) || d.extent.begin > d.at.begin) d.extent = d.at;
  if (!offset_of(r, clang_getRangeEnd(extent), &d.extent.end) || d.extent.end < d.at.end) d.extent.end = d.at.end;
  if (d.kind != MENTION_CODELET && d.kind != MENTION_STRUCT) return declare(r->m, d);
  Converter services = {.a = r->m->arena, .file = r->f};
  const Qualities q = convert_qualities(&services, c);
  if (d.kind == MENTION_CODELET) d.tag = q.tag ? arena_strdup(r->m->arena, q.tag) : NULL;
  if (d.kind == MENTION_CODELET) d.defined = clang_isCursorDefinition(c);
  if (q.monoid) d.kind = MENTION_OPERATOR;
  return declare(r->m, d);
}

/* What a token's cursor refers to, or declares. */
static CXCursor meant(CXCursor c) {
  if (clang_isDeclaration(clang_getCursorKind(c))) return c;
  CXCursor to = clang_getCursorReferenced(c);
  if (clang_getCursorKind(to) == CXCursor_OverloadedDeclRef && clang_getNumOverloadedDecls(to) > 0)
    to = clang_getOverloadedDecl(to, 0);
  return to;
}

static bool is_called(CXCursor c, const char *name) {
  CXString s = clang_getCursorSpelling(c);
  const char *text = clang_getCString(s);
  const bool yes = text && strcmp(text, name) == 0;
  clang_disposeString(s);
  return yes;
}

static int macro_called(const Mentions *m, const char *name) {
  for (int i = 0; i < m->declared.n; i++)
    if (m->declared.at[i].kind == MENTION_MACRO && strcmp(m->declared.at[i].name, name) == 0) return i;
  return -1;
}

static void add_token(const Reader *r, CXToken token, CXCursor cursor) {
  SourceSpan at;
  if (clang_getTokenKind(token) != CXToken_Identifier) return;
  if (!offset_of(r, clang_getTokenLocation(r->tu, token), &at.begin)) return;
  if (r->m->seen[at.begin] && !r->m->by_offset[at.begin]) return; /* a declaration may have a body by now */
  const char *name = convert_text(r->m->arena, clang_getTokenSpelling(r->tu, token));
  at.end = at.begin + (unsigned)strlen(name);
  if (at.end > r->f->size) return; /* behind the user's text */
  CXCursor to = meant(cursor);
  int of = is_called(to, name) ? declared_by(r, to, name) : macro_called(r->m, name);
  if (of >= 0) mention(r->m, at, of);
}

void mentions_add(Mentions *m, CXTranslationUnit tu, const SourceFile *f, const char *const names[2]) {
  Reader r = {m, f, tu, names};
  CXFile file = clang_getFile(tu, names[0]);
  CXSourceRange all = clang_getRange(clang_getLocationForOffset(tu, file, 0),
                                     clang_getLocationForOffset(tu, file, (unsigned)f->size));
  CXToken *tokens = NULL;
  unsigned n = 0;
  clang_tokenize(tu, all, &tokens, &n);
  CXCursor *cursors = calloc(n ? n : 1, sizeof *cursors);
  if (cursors && n) {
    clang_annotateTokens(tu, tokens, n, cursors);
    for (unsigned i = 0; i < n; i++) add_token(&r, tokens[i], cursors[i]);
  }
  free(cursors);
  clang_disposeTokens(tu, tokens, n);
}
