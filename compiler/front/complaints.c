/* complaints.c: clang's diagnostics as ours: the same place and range, a hint where the mistake is a frequent one. */
#include "front/complaints.h"

#include <ctype.h>
#include <string.h>

#include "front/convert.h"
#include "support/nearest.h"

int complaints_count(CXTranslationUnit tu) {
  int errors = 0;
  for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
    CXDiagnostic x = clang_getDiagnostic(tu, i);
    errors += clang_getDiagnosticSeverity(x) >= CXDiagnostic_Error;
    clang_disposeDiagnostic(x);
  }
  return errors;
}

typedef struct Reader {
  Arena *a;
  const SourceFile *file;
  const Wordings *general; /* or NULL */
} Reader;

/* The offset in the user's file; false when the place is elsewhere. */
static bool offset_in(const Reader *r, CXSourceLocation l, unsigned *offset) {
  CXFile f;
  clang_getFileLocation(l, &f, NULL, NULL, offset);
  if (!f || *offset > r->file->size) return false;
  const char *name = convert_text(r->a, clang_getFileName(f));
  return strcmp(name, "/tgc/main.cdl") == 0;
}

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* The word or character at an offset. */
static SourceRange token_at(const Reader *r, unsigned begin) {
  unsigned end = begin;
  while (end < r->file->size && word_char(r->file->text[end])) end++;
  return (SourceRange){r->file, begin, end > begin ? end : begin + 1};
}

static bool place(const Reader *r, CXDiagnostic x, SourceRange *where) {
  unsigned at;
  if (!offset_in(r, clang_getDiagnosticLocation(x), &at)) return false;
  *where = token_at(r, at);
  for (unsigned i = 0; i < clang_getDiagnosticNumRanges(x); i++) {
    CXSourceRange range = clang_getDiagnosticRange(x, i);
    unsigned begin, end;
    if (offset_in(r, clang_getRangeStart(range), &begin) && offset_in(r, clang_getRangeEnd(range), &end) &&
        begin <= at && at < end)
      *where = (SourceRange){r->file, begin, end};
  }
  return true;
}

/* An error inside the prelude happened on behalf of some line of the user's. */
static bool place_by_notes(const Reader *r, CXDiagnostic x, SourceRange *where) {
  CXDiagnosticSet notes = clang_getChildDiagnostics(x);
  for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
    CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
    if (place(r, note, where)) return true;
  }
  return false;
}

/* What C and C++ have, and a codelet file has otherwise; and what shipped files have. */
static const struct { const char *word, *hint; } of_c[] = {
    {"sum", "`#include \"common/sum_steps.cdl\"' has it"},
    {"greatest", "`#include \"common/max_steps.cdl\"' has it"},
    {"abs", "fabs(x) of real numbers; of others `x < 0 ? -x : x`"},
    {"std", "leave out `std::'; the language has min, max, fabs, sqrt, exp and others"},
    {"size_t", "`long' has 64 bits"},
    {"fmin", "min(a, b)"},
    {"fmax", "max(a, b)"},
};

/* For a word that stands where an operator is named, `reduce<Word, T>': behind the `<' of what is applied, with `,'
 * behind it. Only names of types, of which `Array' is one, begin otherwise. */
static const char *hint_for_operator(const Reader *r, SourceRange where, const char *word) {
  static const char *const operators[] = {"Sum", "Product", "Max", "Min", "And", "Or", "Xor", "ArgMax", "ArgMin",
                                          "MaxNan", "MinNan", "ArgMaxNan", "ArgMinNan", "Moments", "ReproducibleSum"};
  const char *text = r->file->text;
  unsigned before = where.begin;
  size_t behind = where.end;
  while (before > 0 && isspace((unsigned char)text[before - 1])) before--;
  while (isspace((unsigned char)text[behind])) behind++;
  if (before < 2 || text[before - 1] != '<' || !word_char(text[before - 2]) || text[behind] != ',') return NULL;
  for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
    if (strcmp(word, operators[i]) == 0) return "`#include \"reduce.cdl\"' has it";
  const char *near = nearest_name(word, operators, (int)(sizeof operators / sizeof *operators));
  if (near) return arena_printf(r->a, "did you mean `%s'?", near);
  return "an operator: Sum, Product, Max, Min, And, Or, Xor, one of \"reduce.cdl\", as ArgMin, or a "
         "`struct __monoid(associative, ..)' of your own";
}

/* What a codelet file can say, for a word that clang does not know. */
static const char *hint_for_word(const Reader *r, SourceRange where) {
  static const char *const words[] = {"__codelet", "__coop", "__tag", "__env", "__mutable", "__tunable", "__shared",
                                "__shared_atomicAdd", "__shared_atomicSub", "__shared_atomicMax", "__shared_atomicMin",
                                "__atomicAdd", "__atomicSub", "__atomicMax", "__atomicMin", "Array", "Vector", "Map",
                                "Sequence", "sequence", "partition", "__like", "__shape", "__accum", "__append",
                                 "__by_columns", "slide",
                                "Cut", "tiles", "cut", "halo", "whole",
                                "rows", "columns", "elements", "zip", "template", "typename", "coopIdx", "coopDim",
                                "lowest", "highest", "return", "unsigned", "double", "float", "const"};
  const char *word = arena_strndup(r->a, r->file->text + where.begin, where.end - where.begin);
  if (!word_char(word[0])) return NULL;
  for (size_t i = 0; i < sizeof of_c / sizeof *of_c; i++)
    if (strcmp(word, of_c[i].word) == 0) return of_c[i].hint;
  const char *of_operators = hint_for_operator(r, where, word);
  if (of_operators) return of_operators;
  int nviews;
  const ViewRow *views = op_views(&nviews);
  VEC(const char *) all = {0};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) vec_push(r->a, &all, words[i]);
  for (int i = 0; i < nviews; i++) vec_push(r->a, &all, views[i].name);
  for (int i = 0; i < all.n; i++)
    if (strcmp(word, all.at[i]) == 0) return NULL;
  const char *near = nearest_name(word, all.at, all.n);
  if (near) return arena_printf(r->a, "did you mean `%s'?", near);
  if (strncmp(word, "_mm", 3) == 0 || (strncmp(word, "__", 2) == 0 && islower((unsigned char)word[2])))
    return "intrinsics stand in `inline' functions of the file, which codelets with __env call; qualifiers are "
           "__codelet, __coop, __tag, __env, __mutable, __tunable, __shared and its atomic forms";
  if (strncmp(word, "__", 2) == 0)
    return "the qualifiers are __codelet, __coop, __tag, __env, __mutable, __tunable, __shared and its atomic forms";
  return NULL;
}

/* What clang would write there: "write `;'". */
static const char *hint_by_fix(const Reader *r, CXDiagnostic x) {
  if (clang_getDiagnosticNumFixIts(x) != 1) return NULL;
  CXSourceRange range;
  const char *text = convert_text(r->a, clang_getDiagnosticFixIt(x, 0, &range));
  unsigned begin;
  if (!*text || strlen(text) > 40 || !offset_in(r, clang_getRangeStart(range), &begin)) return NULL;
  return arena_printf(r->a, "write `%s'", text);
}

/* clang asks "..; did you mean 'accum'?" behind its message; here that is the hint. */
static const char *split_question(const Reader *r, const char **message) {
  static const char asks[] = "; did you mean '";
  const char *question = strstr(*message, asks);
  if (!question) return NULL;
  const char *word = question + sizeof asks - 1, *end = strchr(word, '\'');
  if (!end) return NULL;
  const char *hint = strncmp(word, "tgc::", 5) == 0
                       ? NULL
                       : arena_printf(r->a, "did you mean `%.*s'?", (int)(end - word), word);
  *message = arena_strndup(r->a, *message, (size_t)(question - *message));
  return hint;
}

typedef struct Rewording { const char *clang, *ours, *hint; } Rewording;
static const Rewording rewordings[] = {
    {"returns a const value", "this container is read-only here", "declare the parameter `__mutable', without const"},
    {"read-only", "this is read-only here", NULL},
    {"with const-qualified type", "this is const, so it cannot be assigned to", "leave out its `const'"},
    {"is not a structure or union", "this has no members", "only containers, as in Array<1, T>, vectors and maps have"},
    {"call to deleted function", "complex numbers have no order", "leave cfloat and cdouble out of `--types'"},
    {"incomplete type '__m", "a value of intrinsics in a codelet",
     "`inline' functions of the file have such; a codelet calls them with numbers and addresses: f(n, &x[0])"},
    {"incomplete return type '__m", "a function that returns a value of intrinsics is called by a codelet",
     "let it store what it computes: void f(double *to, ..)"},
    {"function declared 'noreturn'", NULL, NULL},
    {"non-void function does not return", "this function ends without a result", "return .. in every branch"},
    {"tgc::Map<void>", "this map has no results", "its spectrum returns nothing"},
    {"overloaded function could not be resolved", "more than one function of this name", NULL},
    {"call to 'max' is ambiguous", "the maximum of numbers of two types", "make them one: `T(0)', `long(0)'"},
    {"call to 'min' is ambiguous", "the minimum of numbers of two types", "make them one: `T(0)', `long(0)'"},
    {"call to object of type 'const Array<", "a container is called with a position for each dimension",
     "A(row, column), A(i, j, k); containers have one to four"},
    {"call to object of type 'Array<", "a container is called with a position for each dimension",
     "A(row, column), A(i, j, k); containers have one to four"},
    {"initializer of type '<overloaded function type>'", "the language has a function of this name",
     "give the spectrum another name"},
};

/* `tgc_elements::cfloat', as the prelude has it, is `cfloat' to the user. */
static const char *in_users_words(Arena *a, const char *message) {
  return text_replaced(a, message, "tgc_elements::", "");
}

/* An operator that one of the element types does not have. */
static const char *hint_for_operands(const char *message) {
  if (!strstr(message, "invalid operands to binary") && !strstr(message, "invalid argument type")) return NULL;
  if (strstr(message, "'cfloat'") || strstr(message, "'cdouble'") || strstr(message, "const cfloat'") ||
      strstr(message, "const cdouble'"))
    return "complex numbers have + - * / == and != only; `--types' says what T is";
  if (strstr(message, "float'") || strstr(message, "double'"))
    return "% & | ^ ~ << and >> are for integers; `--types' says what T is";
  return NULL;
}

/* What the prelude's functions are called with. */
static const char *hint_for_call(const char *message) {
  static const char call[] = "no matching function for call to '", map[] = "no matching constructor";
  static const struct { const char *name, *hint; } rows[] = {
      {"map'", "map(f<T>, ..), with partition(..), rows(A), columns(A), elements(x) or the same for all parts"},
      {"partition'", "partition(c, n, start, inc, end); partition(A, i, whole()), a cut for each dimension"},
      {"tiles'", "tiles(n, elements): a dimension of so many elements in n parts"},
      {"cut'", "cut(n, start, inc, end), with sequences"},
      {"halo'", "halo(i, before, after), of a cut and two numbers"},
      {"slide'", "slide(carry, sum<T>, scan<T>, partition(in, ..), partition(out, ..))"},
      {"sequence'", "sequence(a) or sequence(start, inc, end)"},
      {"rows'", "rows(A), of a container of two dimensions"},
      {"columns'", "columns(A), of a container of two dimensions"},
      {"zip'", "zip(x, y), of containers and views; repeat(a, n) makes a number one"}};
  const char *at = strstr(message, call);
  if (strstr(message, map) && strstr(message, "Map")) return rows[0].hint;
  for (size_t i = 0; at && i < sizeof rows / sizeof *rows; i++)
    if (strcmp(at + sizeof call - 1, rows[i].name) == 0) return rows[i].hint;
  int nviews;
  const ViewRow *views = op_views(&nviews);
  for (int i = 0; at && i < nviews; i++) {
    size_t n = strlen(views[i].name);
    if (strncmp(at + sizeof call - 1, views[i].name, n) == 0 && strcmp(at + sizeof call - 1 + n, "'") == 0)
      return views[i].call;
  }
  return NULL;
}

/* A generic codelet fails in the same place once for each element type: the first tells. */
static bool told_already(const Diagnostics *d, SourceRange where) {
  for (int i = 0; i < d->list.n; i++) {
    const Diagnostic *x = &d->list.at[i];
    if (x->level == DIAG_ERROR && x->where.file == where.file && x->where.begin == where.begin) return true;
  }
  return false;
}

void complaints_wordings(Arena *a, CXTranslationUnit tu, const SourceFile *file, const char *stand_in,
                         const char *parameter, Wordings *to) {
  const Reader r = {a, file, NULL};
  for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
    CXDiagnostic x = clang_getDiagnostic(tu, i);
    Wording w;
    if (clang_getDiagnosticSeverity(x) >= CXDiagnostic_Error && offset_in(&r, clang_getDiagnosticLocation(x), &w.at)) {
      const char *said = in_users_words(a, convert_text(a, clang_getDiagnosticSpelling(x)));
      w.message = text_replaced(a, said, stand_in, parameter);
      vec_push(a, to, w);
    }
    clang_disposeDiagnostic(x);
  }
}

static const char *message_of(const Reader *r, CXDiagnostic x) {
  unsigned at;
  if (r->general && offset_in(r, clang_getDiagnosticLocation(x), &at))
    for (int i = 0; i < r->general->n; i++)
      if (r->general->at[i].at == at) return r->general->at[i].message;
  return in_users_words(r->a, convert_text(r->a, clang_getDiagnosticSpelling(x)));
}

static void add(const Reader *r, CXDiagnostic x, SourceRange otherwise, Diagnostics *d) {
  SourceRange where;
  if (!place(r, x, &where) && !place_by_notes(r, x, &where)) where = otherwise;
  const char *message = message_of(r, x);
  const char *hint = split_question(r, &message);
  for (size_t i = 0; i < sizeof rewordings / sizeof *rewordings; i++)
    if (strstr(message, rewordings[i].clang) && rewordings[i].ours) {
      message = rewordings[i].ours;
      hint = rewordings[i].hint;
      break;
    }
  bool unknown = strstr(message, "unknown") || strstr(message, "undeclared") || strstr(message, "expected") ||
                 strstr(message, "no template named") || strstr(message, "requires a type specifier");
  if (where.file && unknown && !hint) hint = hint_for_word(r, where);
  if (!hint) hint = hint_for_operands(message);
  if (!hint) hint = hint_for_call(message);
  if (!hint) hint = hint_by_fix(r, x);
  if (told_already(d, where)) return;
  diagnostics_add(d, DIAG_ERROR, where, hint, "%s", text_replaced(r->a, message, "tgc::", ""));
}

void complaints_add(Arena *a, CXTranslationUnit tu, const SourceFile *file, SourceRange otherwise,
                    const Wordings *general, Diagnostics *d) {
  Reader r = {a, file, general};
  for (unsigned i = 0; i < clang_getNumDiagnostics(tu); i++) {
    CXDiagnostic x = clang_getDiagnostic(tu, i);
    if (clang_getDiagnosticSeverity(x) >= CXDiagnostic_Error) add(&r, x, otherwise, d);
    clang_disposeDiagnostic(x);
  }
}
