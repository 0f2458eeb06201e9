/* front.c: a codelet file as a Unit, by libclang.
 *
 *   scan        what is refused outright; where the bodies are
 *   outline     one parse of the text without bodies: which functions there are
 *   operator    which one the codelets are compiled with; of a user's, its types, by one more parse
 *   bodies      one parse a body, the others masked (mask.c),
 *               a generic codelet instantiated for a stand-in of T, and for every element type of the user's
 *   checks      index types, classes, operators, coverage */
#include "front/front.h"
#include "ir/function.h"
#include "ir/operator.h"

#include <string.h>

#include "front/alone.h"
#include "front/complaints.h"
#include "front/early.h"
#include "front/elements.h"
#include "front/extract.h"
#include "front/front_parts.h"
#include "front/include.h"
#include "front/index_types.h"
#include "front/native.h"
#include "front/plain_turns.h"
#include "front/signature.h"
#include "front/stored.h"

extern const char front_prelude_text[];

#define MAIN_FILE "/tgc/main.cdl"
#define PRELUDE_FILE "/tgc/prelude.h"
#define OUTLINE_FILE "/tgc/outline.h"

enum { MOST_BODIES = 2000, LARGEST_FILE = 4 << 20 };

CXTranslationUnit front_clang(Front *f, const char *text, const char *outline) {
  const char *warnings = outline ? "-w" : "-Wno-everything"; /* the outline's only bodies are those of structs */
  const char *arguments[] = {"-xc++", "-std=c++17", "-nostdinc", "-nostdinc++", "-ferror-limit=0", warnings,
                             "-fspell-checking", "-fno-exceptions", "-fbracket-depth=2048",
                             "-Werror=return-type", "-include", PRELUDE_FILE, outline ? "-include" : "-DTGC_OUTLINE",
                             OUTLINE_FILE};
  int n = (int)(sizeof arguments / sizeof *arguments) - (outline ? 0 : 1);
  struct CXUnsavedFile files[] = {{MAIN_FILE, text, strlen(text)},
                                  {PRELUDE_FILE, f->prelude, strlen(f->prelude)},
                                  {OUTLINE_FILE, outline, outline ? strlen(outline) : 0}};
  CXTranslationUnit tu = NULL;
  enum CXErrorCode code = clang_parseTranslationUnit2(f->index, MAIN_FILE, arguments, n, files, outline ? 3 : 2,
                                                      CXTranslationUnit_None, &tu);
  if (code != CXError_Success || !tu) {
    diagnostics_add(f->d, DIAG_ERROR, source_whole(f->file), NULL, "the parser gave up on this file");
    return NULL;
  }
  return tu;
}

/* What the names of a text that was parsed stand for, for an editor that asks. */
static void note_mentions(const Front *f, CXTranslationUnit tu) {
  static const char *const names[] = {MAIN_FILE, OUTLINE_FILE};
  if (f->mentions) mentions_add(f->mentions, tu, f->file, names);
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

/* A signature in the codelet's own words. */
static const char *shown(Arena *a, const Function *x) {
  return x->generic && x->element ? signature_shown(a, x->signature, x->operators, x->element) : x->signature;
}

static void note_function(Front *f, CXCursor cursor, unsigned at, bool generic) {
  Converter c = {.a = f->a, .file = f->file, .d = f->d};
  Function x = {.generic = generic};
  x.name = convert_text(f->a, clang_getCursorSpelling(cursor));
  x.where = (SourceRange){f->file, at, at + (unsigned)strlen(x.name)};
  x.end = convert_range(&c, cursor).end;
  x.body = body_behind(f, x.end);
  x.codelet = convert_qualities(&c, cursor).codelet != NULL;
  if (!x.codelet && native_is_at(&f->scan, at)) {
    native_read(&c, &f->scan, cursor, f->unit->natives);
    return;
  }
  int parameters;
  x.signature = signature_text(f->a, cursor, generic, &parameters, &x.element);
  x.operators = parameters == 2;
  if (!x.codelet) {
    refuse(f, x.where, "write `__codelet' before it", "a function that is not a codelet");
    return;
  }
  if (!x.signature) {
    refuse(f, x.where, "template <typename T>, template <typename M, typename T>",
           "a generic codelet has one type parameter, or an operator and one");
    return;
  }
  for (int i = 0; i < f->functions.n; i++) {
    const Function *other = &f->functions.at[i];
    if (strcmp(other->name, x.name) != 0) continue;
    if (strcmp(other->signature, x.signature) != 0)
      diagnostics_add(f->d, DIAG_ERROR, x.where, "codelets of one spectrum share one signature",
                      "`%s' is `%s' here and `%s' on %s", x.name, shown(f->a, &x), shown(f->a, other),
                      source_line(f->a, f->file, other->where.begin, x.where.begin));
    break;
  }
  vec_push(f->a, &f->functions, x);
}

static void note_struct(Front *f, CXCursor cursor) {
  Converter c = {.a = f->a, .file = f->file, .d = f->d};
  Struct x;
  if (!monoid_read_struct(&c, &f->scan, cursor, &x)) return;
  vec_push(f->a, &f->structs, x);
}

static enum CXChildVisitResult outline_visit(CXCursor cursor, CXCursor parent, CXClientData data) {
  (void)parent;
  Front *f = data;
  unsigned at;
  if (!in_main_file(f, cursor, &at)) return CXChildVisit_Continue;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate)
    note_function(f, cursor, at, kind == CXCursor_FunctionTemplate);
  else if ((kind == CXCursor_StructDecl || kind == CXCursor_ClassTemplate) && clang_isCursorDefinition(cursor))
    note_struct(f, cursor);
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
  CXTranslationUnit tu = front_clang(f, f->outline, NULL);
  if (!tu) return false;
  note_mentions(f, tu);
  int before = f->d->errors;
  complaints_add(f->a, tu, f->file, source_whole(f->file), NULL, f->d);
  if (f->d->errors == before) clang_visitChildren(clang_getTranslationUnitCursor(tu), outline_visit, f);
  clang_disposeTranslationUnit(tu);
  if (f->d->errors > before) return false;
  for (int i = 0; i < f->structs.n; i++)
    for (int k = 0; k < f->functions.n; k++)
      if (strcmp(f->structs.at[i].name, f->functions.at[k].name) == 0)
        refuse(f, f->structs.at[i].where, "give it another", "a codelet of the file already has this name");
  for (int i = 0; i < f->scan.bodies.n; i++) {
    bool owned = false;
    for (int k = 0; k < f->functions.n && !owned; k++) owned = f->functions.at[k].body == i;
    Body b = f->scan.bodies.at[i];
    owned |= native_is_at(&f->scan, b.begin);
    if (!owned) refuse(f, (SourceRange){f->file, b.begin, b.begin + 1}, NULL, "these braces belong to no codelet");
  }
  return f->d->errors == before;
}

/* ---- bodies ---- */

/* `&reduce<ArgMax<float>, decltype(ArgMax<float>::id())>': the codelet for an element type, or for its stand-in. */
static const char *instance(Front *f, const Function *x, const char *element) {
  if (!x->operators) return arena_printf(f->a, "&%s<%s>", x->name, element);
  if (!f->over->monoid) return arena_printf(f->a, "&%s<%s, %s>", x->name, f->over->word, element);
  const char *m = monoid_instance(f->a, f->over->monoid, element);
  return arena_printf(f->a, "&%s<%s, decltype(%s::id())>", x->name, m, m);
}

/* Parses one body, and behind it what makes clang instantiate the codelet, if it is generic: for a stand-in of the
 * element type, unless it is NULL, and for so many of the user's types. */
static CXTranslationUnit parse_for(Front *f, const Function *x, const char *stand_in, int ntypes, bool all) {
  Masked m = masks_for(f->masks, x->where.begin, f->scan.bodies.at[x->body], all, x->operators);
  if (!x->generic) return front_clang(f, m.text->text, m.outline);
  buffer_puts(m.text, "\n");
  if (stand_in) buffer_printf(m.text, "static auto *tgc_stand_in = %s;\n", instance(f, x, stand_in));
  for (int i = 0; i < ntypes; i++)
    buffer_printf(m.text, "static auto *tgc_check_%d = %s;\n", i, instance(f, x, f->types[i]));
  return front_clang(f, m.text->text, m.outline);
}

static CXTranslationUnit parse_with(Front *f, const Function *x, const char *stand_in, bool all) {
  return parse_for(f, x, stand_in, f->ntypes, all);
}

/* What is wrong with a generic codelet whatever its element type is, in its own words: what clang says for both
 * stand-ins, which no codelet's text may name. An operator of the file's own has a state, which is no parameter. */
static Wordings general_wordings(Front *f, const Function *x) {
  static const char *const stand_ins[] = {STAND_IN, STAND_IN_WHOLE};
  Wordings each[2] = {{0}}, both = {0};
  if (!x->element || (x->operators && f->over->monoid)) return both;
  for (int i = 0; i < 2; i++) {
    CXTranslationUnit tu = parse_for(f, x, stand_ins[i], 0, true);
    if (!tu) return both;
    complaints_wordings(f->a, tu, f->file, stand_ins[i], x->element, &each[i]);
    clang_disposeTranslationUnit(tu);
  }
  for (int i = 0; i < each[0].n; i++)
    for (int k = 0; k < each[1].n; k++) {
      const Wording *one = &each[0].at[i], *other = &each[1].at[k];
      if (one->at != other->at || strcmp(one->message, other->message) != 0) continue;
      vec_push(f->a, &both, *one);
      break;
    }
  return both;
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

/* The parse without complaints, of those for each stand-in; else NULL. */
static CXTranslationUnit parse_well(Front *f, const Function *x, bool all) {
  static const char *const stand_ins[] = {STAND_IN, STAND_IN_WHOLE};
  for (int i = 0; i < (x->generic ? 2 : 1); i++) {
    CXTranslationUnit tu = parse_with(f, x, stand_ins[i], all);
    if (!tu || complaints_count(tu) == 0) return tu;
    clang_disposeTranslationUnit(tu);
  }
  return NULL;
}

/* Parses one body. T's stand-in is long double, which no codelet's text may use; a codelet that only makes sense for
 * integers gets a 128-bit one. Complaints are made where all functions are known: it may be that one is meant, or that
 * a macro names it. */
static CXTranslationUnit parse_body(Front *f, const Function *x) {
  for (int all = 0; all < 2; all++) {
    CXTranslationUnit tu = parse_well(f, x, all);
    if (tu) return tu;
  }
  CXTranslationUnit tu = parse_with(f, x, NULL, true);
  if (!tu || complaints_count(tu) > 0) return tu;
  clang_disposeTranslationUnit(tu);
  return parse_with(f, x, STAND_IN, true);
}

static void add_codelet(Front *f, Codelet *k) {
  Spectrum *s = k->spectrum;
  Codelet **more = arena_many(f->a, Codelet *, s->ncodelets + 1);
  for (int i = 0; i < s->ncodelets; i++) more[i] = s->codelets[i];
  more[s->ncodelets++] = k;
  s->codelets = more;
}

static Instantiate instantiate;

/* `instance': it is read once more, as this spectrum's; NULL: it is not. */
static void read_body(Front *f, const Function *x, Spectrum *instance) {
  const int before = f->d->errors;
  CXTranslationUnit tu = parse_body(f, x);
  if (!tu) return;
  if (!instance) note_mentions(f, tu);
  if (complaints_count(tu) > 0) {
    const Wordings general = general_wordings(f, x);
    complaints_add(f->a, tu, f->file, x->where, &general, f->d);
  } else {
    Find find = {f, x, clang_getNullCursor()};
    clang_visitChildren(clang_getTranslationUnitCursor(tu), find_visit, &find);
    if (clang_Cursor_isNull(find.found)) refuse(f, x->where, NULL, "this codelet cannot be read");
    else {
      Converter c = {.a = f->a, .file = f->file, .unit = f->unit, .d = f->d, .tu = tu, .instance = instance,
                     .instantiate = instantiate, .front = f, .over = x->operators ? f->over : NULL};
      Codelet *k = convert_codelet(&c, find.found, x->generic);
      if (k) {
        k->spectrum->operators = x->operators;
        const Type type = instance ? instance->instance_type : TYPE_ELEM;
        k->spectrum->monoid = !x->operators ? NULL : type_is_state(type) ? f->unit->states[type - TYPE_STATE].monoid
                                                                         : f->over->monoid;
        vec_push(f->a, &f->written, front_written(f->a, k));
        front_index_types(f->a, k);
        add_codelet(f, k);
      }
    }
  }
  Spectrum *s = instance ? instance : unit_spectrum(f->unit, x->name);
  if (s && f->d->errors > before) s->refused = true;
  clang_disposeTranslationUnit(tu);
}

/* Its codelets, which may apply it or one another, are read once for each type and operator. */
static Spectrum *instantiate(Front *f, Spectrum *generic, Type type, const char *word, SourceRange where) {
  const Operation *over = word ? operations_named(f, word, where) : NULL;
  if (word && !over) return NULL;
  for (int i = 0; i < f->unit->nspectra; i++) {
    Spectrum *s = f->unit->spectra[i];
    const bool same = s->instance_over == (over ? over->word : NULL);
    if (s->instance_of == generic && s->instance_type == type && same) return s;
  }
  const char *suffix = over ? operator_suffix(f->a, over->word) : "", *name = generic->name;
  if (over) name = arena_printf(f->a, "%s%s", name, suffix);
  if (over && over->monoid && !type_is_state(type)) {
    const Type state = operations_state(f, over, type, where);
    const Spectrum *inner = state == TYPE_COUNT ? NULL : instantiate(f, generic, state, word, where);
    Spectrum *s = inner ? states_wrap(f, inner, over, type, name, where) : NULL;
    if (!s) return NULL;
    s->instance_of = generic;
    s->instance_type = type;
    s->instance_over = over->word;
    return s;
  }
  if (type_is_state(type)) name = arena_printf(f->a, "%s_states", name);
  Spectrum *s = unit_add(f->a, f->unit, name, generic->where);
  s->instance_of = generic;
  s->instance_type = type;
  s->instance_over = over ? over->word : NULL;
  const Operation *before = f->over;
  f->over = over;
  for (int i = 0; i < f->functions.n && !generic->refused; i++) {
    const Function *x = &f->functions.at[i];
    if (x->body >= 0 && strcmp(x->name, generic->name) == 0) read_body(f, x, s);
  }
  f->over = before;
  return s;
}

/* An operator of bits is for files that are compiled for integers alone. */
static bool can_apply(const Front *f, OperatorKind op) {
  bool real = f->any_types;
  for (int i = 0; i < f->ntypes; i++) real |= front_is_real(f->types[i]);
  return !real || (op != OPERATOR_AND && op != OPERATOR_OR && op != OPERATOR_XOR);
}

/* The text of scans over operators is read where a loop asks for one (front_read). */
static Spectrum *scan_of(void *context, const char *name, OperatorKind op, Type type, SourceRange where) {
  Front *f = context;
  Spectrum *generic = unit_spectrum(f->unit, name);
  const bool total = strcmp(name, "total_over") == 0;
  f->wants_totals |= !generic && total;
  f->wants_scans |= !generic && !total;
  if (!generic || !generic->operators || !can_apply(f, op)) return NULL;
  return instantiate(f, generic, type, operator_word(op), where);
}

/* Of states, over an operator of the shipped text; NULL, too, where files name as many operators as there may be. */
static Spectrum *scan_of_states(void *context, const char *name, const char *word, Type type, SourceRange where) {
  Front *f = context;
  Spectrum *generic = unit_spectrum(f->unit, name);
  f->wants_scans |= !generic;
  const Operation *over = generic && generic->operators ? operations_named(f, word, where) : NULL;
  if (!over || !operations_have_room(f, over, type)) return NULL;
  const Type state = operations_state(f, over, type, where);
  return state == TYPE_COUNT ? NULL : instantiate(f, generic, state, word, where);
}

static ScanText scan_text(Front *f) {
  bool real = true;
  for (int i = 0; i < f->ntypes; i++) real &= front_is_real(f->types[i]);
  return (ScanText){f, scan_of, scan_of_states, real};
}

/* Spectra stand in the order of their first declarations, whoever calls whom, those of a file before those of the files
 * that it includes. One that is declared but has no codelet
 * is a spectrum all the same; classify.c tells the user. */
static void add_declared(Front *f) {
  const int nfiles = f->file->nparts ? f->file->nparts : 1;
  for (int i = 0; i < nfiles * f->functions.n; i++) {
    const Function *x = &f->functions.at[i % f->functions.n];
    if (unit_spectrum(f->unit, x->name)) continue;
    if (f->file->nparts && source_part(f->file, x->where.begin)->order != i / f->functions.n) continue;
    unit_add(f->a, f->unit, x->name, x->where)->operators = x->operators && !f->over;
  }
}

/* Functions behind the other spectra: the first spectrum is what is compiled. Without what is over operators, where no
 * operator is asked for: those that codelets name have spectra of their own. */
static void put_functions_last(Front *f) {
  Unit *u = f->unit;
  Spectrum **sorted = arena_many(f->a, Spectrum *, u->nspectra);
  int n = 0;
  for (int functions = 0; functions < 2; functions++)
    for (int i = 0; i < u->nspectra; i++)
      if (function_is(u->spectra[i]) == functions && !(u->spectra[i]->operators && !u->spectra[i]->ncodelets))
        sorted[n++] = u->spectra[i];
  u->spectra = sorted;
  u->nspectra = n;
}

static bool read_bodies(Front *f) {
  int before = f->d->errors;
  f->prelude = native_prelude(f->a, front_prelude_text, f->unit->natives);
  add_declared(f);
  f->masks = masks_new(f->a, f->file, &f->scan, f->outline);
  for (int i = 0; i < f->functions.n; i++) {
    const Function *x = &f->functions.at[i];
    masks_add(f->masks, x->name, x->where.begin, x->operators ? operations_declaration(f, x) : NULL);
  }
  for (int i = 0; i < f->functions.n; i++)
    if (f->functions.at[i].body >= 0 && (f->over || !f->functions.at[i].operators))
      read_body(f, &f->functions.at[i], NULL);
  plain_turns(f->a, f->unit);
  early_returns(f->a, f->unit);
  stored_add(f->a, f->unit);
  const ScanText text = scan_text(f);
  elements_divide(f->a, f->unit, &text, f->d);
  alone_add(f->a, f->unit);
  extract_maps(f->a, f->unit, f->d);
  put_functions_last(f);
  const NativeFile natives = {f->a, f->file, &f->scan, f->unit, f->types, f->ntypes, !f->any_types, f->d};
  if (f->d->errors > before || !native_check(&natives, f->index)) return false;
  front_index_parameters(f->a, f->unit);
  bool ok = true;
  for (int i = 0; i < f->written.n; i++) ok &= front_wraps(f->a, &f->written.at[i], f->d);
  return ok;
}

/* ---- all of it ---- */

static bool check(Front *f) {
  Unit *u = f->unit;
  bool real = false;
  for (int i = 0; i < f->ntypes; i++) real |= front_is_real(f->types[i]);
  if (!front_classify(f->a, u, f->d)) return false;
  bool ok = true;
  for (int i = 0; i < u->nspectra; i++) {
    Spectrum *s = u->spectra[i];
    s->op = front_operator(s, real, f->d);
    ok &= front_products_add(s, f->d);
    for (int k = 0; k < s->ncodelets; k++)
      if (s->codelets[k]->kind == CLASS_COMPOUND && !front_coverage(s->codelets[k], f->d)) ok = false;
  }
  return ok;
}

static void begin_mentions(Front *f) {
  if (!f->mentions) return;
  mentions_begin(f->mentions, f->a, f->file->size);
  for (int i = 0; i < f->scan.macros.n; i++)
    mentions_macro(f->mentions, f->file, (SourceSpan){f->scan.macros.at[i].begin, f->scan.macros.at[i].end});
}

/* What an editor that gave no operator has to know. */
static void note_outline(Front *f) {
  Mentions *m = f->mentions;
  if (!m) return;
  m->read = true;
  m->operators = operations_any(f);
  m->codelets = f->functions.n;
  for (int i = 0; i < f->structs.n; i++)
    if (f->structs.at[i].monoid) vec_push(f->a, &m->monoids, f->structs.at[i].name);
}

static bool read(Front *f) {
  if (f->file->size > LARGEST_FILE) {
    refuse(f, source_whole(f->file), "at most 4 MB", "the file is too large");
    return false;
  }
  if (!scan_source(f->a, f->file, &f->scan, f->d)) return false;
  if (f->file->nparts) scan_merge(f->a, f->file, &f->scan);
  if (f->scan.bodies.n > MOST_BODIES) {
    Body b = f->scan.bodies.at[MOST_BODIES];
    refuse(f, (SourceRange){f->file, b.begin, b.begin + 1}, "split the file", "more than 2000 codelets in one file");
    return false;
  }
  f->outline = scan_masked(f->a, f->file, &f->scan);
  begin_mentions(f);
  if (!read_outline(f)) return false;
  note_outline(f);
  if (f->functions.n == 0) {
    refuse(f, source_whole(f->file), "a codelet is a function marked `__codelet'", "the file has no codelet");
    return false;
  }
  return operations_choose(f) && read_bodies(f) && check(f);
}

Unit *front_parse(Arena *a, const SourceFile *file, const char **types, int ntypes, const char *operation,
                  Diagnostics *d) {
  return front_read(a, file, &(FrontRequest){types, ntypes, operation, NULL, NULL, false}, d);
}

static Unit *read_file(Arena *a, const SourceFile *file, const FrontRequest *r, Diagnostics *d,
                       const SourceFile **more) {
  Front f = {.a = a, .file = file, .types = r->types, .ntypes = r->ntypes, .operation = r->operation,
             .spectrum = r->spectrum, .d = d,
             .mentions = r->mentions, .any_types = r->any_types};
  f.unit = arena_one(a, Unit);
  f.unit->file = file;
  f.unit->natives = arena_one(a, Natives);
  native_read_headers(a, file, f.unit->natives);
  f.prelude = front_prelude_text;
  f.index = clang_createIndex(0, 0);
  bool ok = read(&f);
  clang_disposeIndex(f.index);
  *more = NULL;
  if (ok && f.wants_scans) *more = include_shipped(a, file, "common/scans_over.cdl");
  if (ok && f.wants_totals) *more = include_shipped(a, *more ? *more : file, "common/totals_over.cdl");
  return ok ? f.unit : NULL;
}

/* What a loop is scanned by stands in a shipped file: the text is read once more, with that behind it; where names of
 * the two clash, loops stay as they are. An editor asks about its own text alone. */
Unit *front_read(Arena *a, const SourceFile *file, const FrontRequest *r, Diagnostics *d) {
  Diagnostics *first = diagnostics_new(a);
  const SourceFile *more, *none;
  Unit *u = read_file(a, file, r, first, &more);
  Diagnostics *again = diagnostics_new(a);
  Unit *scanned = more && !r->mentions ? read_file(a, more, r, again, &none) : NULL;
  diagnostics_join(d, scanned ? again : first);
  return scanned ? scanned : u;
}
