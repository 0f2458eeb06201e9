/* front.c: a codelet file as a Unit, by libclang.
 *
 *   scan        what is refused outright; where the bodies are
 *   outline     one parse of the text without bodies: which functions there are
 *   bodies      one parse a body, the others masked (several definitions of one function are no C++),
 *               a generic codelet instantiated for a stand-in of T, and for every element type of the user's
 *   checks      index types, classes, operators, coverage */
#include "front/front.h"

#include <string.h>

#include "front/complaints.h"
#include "front/convert.h"
#include "front/index_types.h"
#include "front/scan.h"

extern const char front_prelude_text[];

#define MAIN_FILE "/tgc/main.cdl"
#define PRELUDE_FILE "/tgc/prelude.h"
#define OUTLINE_FILE "/tgc/outline.h"

enum { MOST_BODIES = 500, LARGEST_FILE = 4 << 20 };

/* A function of the file, as the outline shows it. */
typedef struct Function {
  const char *name, *signature;
  bool generic, codelet;
  SourceRange where; /* its name */
  unsigned end;      /* offset behind its declaration */
  int body;          /* index into the scan's bodies, or -1 */
} Function;

typedef struct Front {
  Arena *a;
  const SourceFile *file;
  const char **types; /* the user's element types, in C's words */
  int ntypes;
  Diagnostics *d;
  Scan scan;
  const char *outline; /* the text without bodies */
  CXIndex index;
  Unit *unit;
  VEC(Function) functions;
} Front;

static CXTranslationUnit parse(Front *f, const char *text, bool with_outline) {
  const char *arguments[] = {"-xc++", "-std=c++17", "-nostdinc", "-nostdinc++", "-ferror-limit=0", "-w",
                             "-fspell-checking", "-fno-exceptions", "-fbracket-depth=2048",
                             "-include", PRELUDE_FILE, "-include", OUTLINE_FILE};
  int n = (int)(sizeof arguments / sizeof *arguments);
  struct CXUnsavedFile files[] = {{MAIN_FILE, text, strlen(text)},
                                  {PRELUDE_FILE, front_prelude_text, strlen(front_prelude_text)},
                                  {OUTLINE_FILE, f->outline, strlen(f->outline)}};
  CXTranslationUnit tu = NULL;
  enum CXErrorCode code = clang_parseTranslationUnit2(f->index, MAIN_FILE, arguments, with_outline ? n : n - 2, files,
                                                      with_outline ? 3 : 2, CXTranslationUnit_None, &tu);
  if (code != CXError_Success || !tu) {
    diagnostics_add(f->d, DIAG_ERROR, (SourceRange){f->file, 0, 0}, NULL, "the parser gave up on this file");
    return NULL;
  }
  return tu;
}

static bool in_main_file(const Front *f, CXCursor cursor, unsigned *offset) {
  if (!clang_Location_isFromMainFile(clang_getCursorLocation(cursor))) return false;
  CXFile file;
  clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, offset);
  return *offset < f->file->size;
}

/* ---- the outline ---- */

static int body_behind(const Front *f, unsigned end) {
  for (int i = 0; i < f->scan.bodies.n; i++) {
    unsigned begin = f->scan.bodies.at[i].begin;
    if (begin < end) continue;
    for (unsigned k = end; k < begin; k++)
      if (!strchr(" \t\r\n", f->file->text[k])) return -1;
    return i;
  }
  return -1;
}

static void refuse(Front *f, SourceRange where, const char *hint, const char *message) {
  diagnostics_add(f->d, DIAG_ERROR, where, hint, "%s", message);
}

static const char *without_namespace(Arena *a, const char *text) {
  Buffer b = buffer_new(a);
  for (const char *at; (at = strstr(text, "tgc::")) != NULL; text = at + 5) buffer_putn(&b, text, (size_t)(at - text));
  buffer_puts(&b, text);
  return b.text;
}

/* `T (Array<1, T>)' of a template has its parameter's own name in it; all templates are compared under one. */
static const char *signature_of(Front *f, CXCursor cursor, bool generic) {
  CXCursor parameter = clang_getNullCursor();
  Cursors k = convert_children(f->a, cursor);
  int parameters = 0;
  for (int i = 0; i < k.n; i++) {
    enum CXCursorKind kind = clang_getCursorKind(k.at[i]);
    if (kind == CXCursor_TemplateTypeParameter) { parameter = k.at[i]; parameters++; }
    if (kind == CXCursor_NonTypeTemplateParameter || kind == CXCursor_TemplateTemplateParameter) parameters += 2;
  }
  CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
  const char *text = without_namespace(f->a, convert_text(f->a, clang_getTypeSpelling(type)));
  if (!generic) return text;
  return parameters == 1 && clang_getCursorKind(parameter) == CXCursor_TemplateTypeParameter
           ? arena_printf(f->a, "template %s", text)
           : NULL;
}

static void note_function(Front *f, CXCursor cursor, unsigned at, bool generic) {
  Converter c = {.a = f->a, .file = f->file, .d = f->d};
  Function x = {.generic = generic};
  x.name = convert_text(f->a, clang_getCursorSpelling(cursor));
  x.where = (SourceRange){f->file, at, at + (unsigned)strlen(x.name)};
  x.end = convert_range(&c, cursor).end;
  x.body = body_behind(f, x.end);
  x.codelet = convert_qualities(&c, cursor).codelet != NULL;
  x.signature = signature_of(f, cursor, generic);
  if (!x.codelet) {
    refuse(f, x.where, "write `__codelet' before it", "a function that is not a codelet");
    return;
  }
  if (!x.signature) {
    refuse(f, x.where, "template <typename T>", "a generic codelet has one type parameter");
    return;
  }
  for (int i = 0; i < f->functions.n; i++) {
    const Function *other = &f->functions.at[i];
    if (strcmp(other->name, x.name) != 0) continue;
    if (strcmp(other->signature, x.signature) != 0) {
      int line, column;
      source_position(f->file, other->where.begin, &line, &column);
      diagnostics_add(f->d, DIAG_ERROR, x.where, "codelets of one spectrum share one signature",
                      "`%s' is `%s' here and `%s' on line %d", x.name, x.signature, other->signature, line);
    }
    break;
  }
  vec_push(f->a, &f->functions, x);
}

static enum CXChildVisitResult outline_visit(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  Front *f = data;
  unsigned at;
  if (!in_main_file(f, cursor, &at)) return CXChildVisit_Continue;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate)
    note_function(f, cursor, at, kind == CXCursor_FunctionTemplate);
  else if (clang_isDeclaration(kind) || kind == CXCursor_StaticAssert) {
    if (kind == CXCursor_UnexposedDecl) return CXChildVisit_Continue; /* a stray `;' */
    Converter c = {.a = f->a, .file = f->file, .d = f->d};
    refuse(f, convert_range(&c, cursor),
           kind == CXCursor_VarDecl ? "a constant can be a #define"
                                    : "remove it, or make it part of a codelet",
           "a codelet file holds codelets only");
  }
  return CXChildVisit_Continue;
}

static bool read_outline(Front *f) {
  CXTranslationUnit tu = parse(f, f->outline, false);
  if (!tu) return false;
  int before = f->d->errors;
  complaints_add(f->a, tu, f->file, (SourceRange){f->file, 0, 0}, f->d);
  if (f->d->errors == before) clang_visitChildren(clang_getTranslationUnitCursor(tu), outline_visit, f);
  clang_disposeTranslationUnit(tu);
  if (f->d->errors > before) return false;
  for (int i = 0; i < f->scan.bodies.n; i++) {
    bool owned = false;
    for (int k = 0; k < f->functions.n && !owned; k++) owned = f->functions.at[k].body == i;
    Body b = f->scan.bodies.at[i];
    if (!owned) refuse(f, (SourceRange){f->file, b.begin, b.begin + 1}, NULL, "these braces belong to no codelet");
  }
  return f->d->errors == before;
}

/* ---- bodies ---- */

/* The text of one body's parse: the other bodies masked, and behind it what makes clang instantiate the codelet. */
static const char *with_probes(Front *f, const Function *x, const char *stand_in) {
  Buffer b = buffer_new(f->a);
  buffer_puts(&b, scan_masked(f->a, f->file, &f->scan, x->body));
  if (!x->generic) return b.text;
  buffer_puts(&b, "\n");
  if (stand_in) buffer_printf(&b, "static auto *tgc_stand_in = &%s<%s>;\n", x->name, stand_in);
  for (int i = 0; i < f->ntypes; i++)
    buffer_printf(&b, "static auto *tgc_check_%d = &%s<%s>;\n", i, x->name, f->types[i]);
  return b.text;
}

typedef struct Find { const Front *f; const Function *x; CXCursor found; } Find;

static enum CXChildVisitResult find_visit(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  Find *f = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  unsigned at;
  if (!f->x->generic) {
    if (kind == CXCursor_FunctionDecl && clang_isCursorDefinition(cursor) && in_main_file(f->f, cursor, &at) &&
        at == f->x->where.begin)
      f->found = cursor;
    return CXChildVisit_Continue;
  }
  if (kind != CXCursor_VarDecl) return CXChildVisit_Continue;
  CXString s = clang_getCursorSpelling(cursor);
  bool probe = strcmp(clang_getCString(s), "tgc_stand_in") == 0;
  clang_disposeString(s);
  if (!probe) return CXChildVisit_Continue;
  CXCursor at_cursor = clang_Cursor_getVarDeclInitializer(cursor);
  for (int depth = 0; depth < 8; depth++) {
    CXCursor function = clang_getCursorReferenced(at_cursor);
    if (clang_getCursorKind(function) == CXCursor_FunctionDecl) {
      CXCursor definition = clang_getCursorDefinition(function);
      f->found = clang_Cursor_isNull(definition) ? function : definition;
      break;
    }
    Cursors k = convert_children(f->f->a, at_cursor);
    if (!k.n) break;
    at_cursor = k.at[k.n - 1];
  }
  return CXChildVisit_Break;
}

/* Parses one body. T's stand-in is long double, which no codelet's text may use; a codelet that only makes sense for
 * integers gets a 128-bit one. */
static CXTranslationUnit parse_body(Front *f, const Function *x) {
  static const char *const stand_ins[] = {"long double", "__int128"};
  if (!x->generic) return parse(f, with_probes(f, x, NULL), true);
  for (int i = 0; i < 2; i++) {
    CXTranslationUnit tu = parse(f, with_probes(f, x, stand_ins[i]), true);
    if (!tu || complaints_count(tu) == 0) return tu;
    clang_disposeTranslationUnit(tu);
  }
  CXTranslationUnit tu = parse(f, with_probes(f, x, NULL), true);
  if (!tu || complaints_count(tu) > 0) return tu;
  clang_disposeTranslationUnit(tu);
  return parse(f, with_probes(f, x, stand_ins[0]), true);
}

static void add_codelet(Front *f, Codelet *k) {
  Spectrum *s = k->spectrum;
  Codelet **more = arena_many(f->a, Codelet *, s->ncodelets + 1);
  for (int i = 0; i < s->ncodelets; i++) more[i] = s->codelets[i];
  more[s->ncodelets++] = k;
  s->codelets = more;
}

static void read_body(Front *f, const Function *x) {
  CXTranslationUnit tu = parse_body(f, x);
  if (!tu) return;
  if (complaints_count(tu) > 0) {
    complaints_add(f->a, tu, f->file, x->where, f->d);
  } else {
    Find find = {f, x, clang_getNullCursor()};
    clang_visitChildren(clang_getTranslationUnitCursor(tu), find_visit, &find);
    if (clang_Cursor_isNull(find.found)) refuse(f, x->where, NULL, "this codelet cannot be read");
    else {
      Converter c = {.a = f->a, .file = f->file, .unit = f->unit, .d = f->d, .tu = tu};
      Codelet *k = convert_codelet(&c, find.found, x->generic);
      if (k) {
        front_index_types(f->a, k);
        add_codelet(f, k);
      }
    }
  }
  clang_disposeTranslationUnit(tu);
}

/* Spectra that are declared but have no codelet are spectra all the same; classify.c tells the user. */
static void add_declared(Front *f) {
  for (int i = 0; i < f->functions.n; i++) {
    const Function *x = &f->functions.at[i];
    if (unit_spectrum(f->unit, x->name)) continue;
    Spectrum *s = arena_one(f->a, Spectrum);
    s->name = x->name;
    s->where = x->where;
    Spectrum **more = arena_many(f->a, Spectrum *, f->unit->nspectra + 1);
    for (int k = 0; k < f->unit->nspectra; k++) more[k] = f->unit->spectra[k];
    more[f->unit->nspectra++] = s;
    f->unit->spectra = more;
  }
}

static bool read_bodies(Front *f) {
  int before = f->d->errors;
  for (int i = 0; i < f->functions.n; i++)
    if (f->functions.at[i].body >= 0) read_body(f, &f->functions.at[i]);
  add_declared(f);
  return f->d->errors == before;
}

/* ---- all of it ---- */

static bool check(Front *f) {
  Unit *u = f->unit;
  if (!front_classify(f->a, u, f->d)) return false;
  bool ok = true;
  for (int i = 0; i < u->nspectra; i++) {
    Spectrum *s = u->spectra[i];
    s->op = front_operator(s, f->d);
    for (int k = 0; k < s->ncodelets; k++)
      if (s->codelets[k]->kind == CLASS_COMPOUND && !front_coverage(s->codelets[k], f->d)) ok = false;
  }
  return ok;
}

static bool read(Front *f) {
  if (f->file->size > LARGEST_FILE) {
    refuse(f, (SourceRange){f->file, 0, 0}, "at most 4 MB", "the file is too large");
    return false;
  }
  if (!scan_source(f->a, f->file, &f->scan, f->d)) return false;
  if (f->scan.bodies.n > MOST_BODIES) {
    Body b = f->scan.bodies.at[MOST_BODIES];
    refuse(f, (SourceRange){f->file, b.begin, b.begin + 1}, "split the file", "more than 500 codelets in one file");
    return false;
  }
  f->outline = scan_masked(f->a, f->file, &f->scan, -1);
  if (!read_outline(f)) return false;
  if (f->functions.n == 0) {
    refuse(f, (SourceRange){f->file, 0, 0}, "a codelet is a function marked `__codelet'", "the file has no codelet");
    return false;
  }
  return read_bodies(f) && check(f);
}

Unit *front_parse(Arena *a, const SourceFile *file, const char **types, int ntypes, Diagnostics *d) {
  Front f = {.a = a, .file = file, .types = types, .ntypes = ntypes, .d = d};
  f.unit = arena_one(a, Unit);
  f.unit->file = file;
  f.index = clang_createIndex(0, 0);
  bool ok = read(&f);
  clang_disposeIndex(f.index);
  return ok ? f.unit : NULL;
}
