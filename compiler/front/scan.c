/* scan.c: what can be told of a codelet file without parsing it. */
#include "front/scan.h"

#include <ctype.h>
#include <string.h>

/* What nests deeper, be it by brackets, a long chain of operators or one of `else if', would exhaust the parser's
 * stack. */
enum { DEEPEST = 200, LONGEST_STATEMENT = 600, MOST_ELSES = 500, MOST_MACROS = 4000, LONGEST_MACRO = 200 };

enum { NONE = 0xffffffffu };

typedef struct Span { unsigned begin, end; } Span;

typedef struct Scanner {
  Arena *a;
  const SourceFile *f;
  Scan *out;
  Diagnostics *d;
  unsigned at;
  unsigned tokens; /* of the statement so far: words, brackets and other characters each count */
  unsigned elses;  /* of the body so far */
  unsigned statement; /* where the top-level declaration at hand begins; NONE before its first character */
  bool in_struct;  /* it is a struct's */
  bool in_directive;
  int part;        /* of several files, the next to begin */
  VEC(Span) macros, macro_words; /* names that are defined, words in their texts */
  bool ok;
} Scanner;

static void refuse(Scanner *s, unsigned begin, unsigned end, const char *hint, const char *message) {
  diagnostics_add(s->d, DIAG_ERROR, (SourceRange){s->f, begin, end}, hint, "%s", message);
  s->ok = false;
}

static char peek(const Scanner *s, unsigned ahead) {
  return s->at + ahead < s->f->size ? s->f->text[s->at + ahead] : '\0';
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Past one comment, string or character; false where none begins. */
static bool skip_inert(Scanner *s) {
  const char *t = s->f->text;
  if (peek(s, 0) == '/' && peek(s, 1) == '/') {
    while (s->at < s->f->size && t[s->at] != '\n') s->at += t[s->at] == '\\' && s->at + 1 < s->f->size ? 2 : 1;
    return true;
  }
  if (peek(s, 0) == '/' && peek(s, 1) == '*') {
    unsigned begin = s->at;
    for (s->at += 2; s->at < s->f->size && !(peek(s, 0) == '*' && peek(s, 1) == '/'); s->at++) continue;
    if (s->at >= s->f->size) refuse(s, begin, begin + 2, "end it with `*/'", "this comment never ends");
    s->at = s->at + 2 > s->f->size ? (unsigned)s->f->size : s->at + 2;
    return true;
  }
  char quote = peek(s, 0);
  if (quote != '"' && quote != '\'') return false;
  if (quote == '\'' && s->at > 0 && isalnum((unsigned char)t[s->at - 1])) { /* 1'000 */
    s->at++;
    return true;
  }
  if (quote == '"' && s->at > 0 && t[s->at - 1] == 'R')
    refuse(s, s->at - 1, s->at + 1, "codelets have no use for strings",
           "raw strings are not supported in a codelet file");
  for (s->at++; s->at < s->f->size && t[s->at] != quote && t[s->at] != '\n'; s->at++)
    if (t[s->at] == '\\') s->at++;
  if (s->at < s->f->size) s->at++;
  return true;
}

static unsigned word_at(const Scanner *s, unsigned at) {
  unsigned end = at;
  while (end < s->f->size && is_word(s->f->text[end])) end++;
  return end;
}

static unsigned skip_blanks(const Scanner *s, unsigned at) {
  while (at < s->f->size && isspace((unsigned char)s->f->text[at])) at++;
  return at;
}

/* `#define NAME text': a constant, and no way to write much with little. A macro whose text names a macro, or that
 * takes arguments, can double and double again. The words of all texts are kept; check_macros compares them with the
 * names. */
static void definition(Scanner *s, unsigned at) {
  while (s->f->text[at] == ' ' || s->f->text[at] == '\t') at++;
  Span name = {at, word_at(s, at)};
  Body macro = {name.begin, name.end};
  vec_push(s->a, &s->macros, name);
  vec_push(s->a, &s->out->macros, macro);
  at = name.end;
  if (at < s->f->size && s->f->text[at] == '(')
    refuse(s, name.begin, at + 1, "write a constant, or write it out",
           "a macro with arguments is not supported in a codelet file");
  unsigned end = at;
  while (end < s->f->size && s->f->text[end] != '\n' && s->f->text[end] != '\\') end++;
  if (end < s->f->size && s->f->text[end] == '\\')
    refuse(s, end, end + 1, "write it on one line", "a macro that goes on in the next line");
  if (end - at > LONGEST_MACRO)
    refuse(s, name.begin, name.end, "at most 200 characters", "the text of this macro is too long");
  for (unsigned i = at; i < end;) {
    unsigned next = word_at(s, i);
    Span word = {i, next};
    if (next > i) vec_push(s->a, &s->macro_words, word);
    i = next > i ? next : i + 1;
  }
}

static bool same_text(const Scanner *s, Span x, Span y) {
  return x.end - x.begin == y.end - y.begin &&
         strncmp(s->f->text + x.begin, s->f->text + y.begin, x.end - x.begin) == 0;
}

static void check_macros(Scanner *s) {
  if (s->macros.n > MOST_MACROS) {
    Span m = s->macros.at[MOST_MACROS];
    refuse(s, m.begin, m.end, "at most 4000", "too many macros");
    return;
  }
  for (int i = 0; i < s->macro_words.n; i++)
    for (int k = 0; k < s->macros.n; k++)
      if (same_text(s, s->macro_words.at[i], s->macros.at[k])) {
        refuse(s, s->macro_words.at[i].begin, s->macro_words.at[i].end, "write its text here",
               "a macro inside a macro's text is not supported");
        return;
      }
}

/* Is an #include here, whose file stands before this one? It becomes blank. */
static bool included(Scanner *s) {
  for (int i = 0; i < s->f->nincludes; i++) {
    const SourceSpan span = s->f->includes[i].at;
    if (span.begin != s->at) continue;
    scan_blank(s->out->text, (Body){span.begin, span.end});
    s->at = span.end;
    return true;
  }
  return false;
}

/* `#word': only what cannot read another file. */
static void directive(Scanner *s) {
  static const char *const allowed[] = {"define", "undef", "if", "ifdef", "ifndef", "else", "elif", "endif", "error",
                                        "warning", "pragma", "line"};
  unsigned begin = s->at;
  s->in_directive = true;
  if (included(s)) return;
  s->at++;
  while (peek(s, 0) == ' ' || peek(s, 0) == '\t') s->at++;
  unsigned end = word_at(s, s->at);
  bool known = end == s->at && (peek(s, 0) == '\n' || peek(s, 0) == '#');
  for (size_t i = 0; i < sizeof allowed / sizeof *allowed && !known; i++)
    known = strlen(allowed[i]) == end - s->at && strncmp(allowed[i], s->f->text + s->at, end - s->at) == 0;
  if (end - s->at == 7 && strncmp("include", s->f->text + s->at, 7) == 0)
    refuse(s, begin, end, "move it up; a file is read once, whoever includes it",
           "only comments may come before an #include");
  else if (!known)
    refuse(s, begin, end > begin + 1 ? end : begin + 1, "`#include \"sum.cdl\"', #define and #if are",
           "this directive is not allowed in a codelet file");
  if (known && end - s->at == 6 && strncmp("define", s->f->text + s->at, 6) == 0) definition(s, end);
  s->at = end > s->at ? end : s->at + 1;
}

/* `Vector v();' declares a function in C++; here it is a variable. */
static void vector_variable(Scanner *s, unsigned end) {
  unsigned name = skip_blanks(s, end), name_end = word_at(s, name);
  unsigned open = skip_blanks(s, name_end), close = skip_blanks(s, open + 1), semicolon = skip_blanks(s, close + 1);
  const char *t = s->f->text;
  if (name_end == name || semicolon >= s->f->size || t[open] != '(' || t[close] != ')' || t[semicolon] != ';') return;
  s->out->text[open] = s->out->text[close] = ' ';
}

static void word(Scanner *s) {
  unsigned end = word_at(s, s->at);
  const char *t = s->f->text + s->at;
  unsigned n = end - s->at;
  if (n == 4 && strncmp(t, "else", 4) == 0 && ++s->elses == MOST_ELSES)
    refuse(s, s->at, end, "at most 500 in one codelet", "too many branches");
  if (n == 6 && strncmp(t, "Vector", 6) == 0) vector_variable(s, end);
  if ((n == 13 && strncmp(t, "__has_include", 13) == 0) || (n == 18 && strncmp(t, "__has_include_next", 18) == 0) ||
      (n == 11 && strncmp(t, "__has_embed", 11) == 0))
    refuse(s, s->at, end, "include it, or do without it",
           "looking for other files is not allowed");
  s->at = end;
}

/* The bracket at s->at closes nothing; the last one open, if any, may tell why. */
static void refuse_closing(Scanner *s, const unsigned *last_open) {
  const char *hint = "remove it, or open one before it";
  if (last_open) {
    int line, column;
    source_position(s->f, *last_open, &line, &column);
    hint = arena_printf(s->a, "the last one open is `%c' on line %d", s->f->text[*last_open], line);
  }
  refuse(s, s->at, s->at + 1, hint, "this bracket closes nothing");
}

static void refuse_open(Scanner *s, unsigned at, const char *message) {
  const char open = s->f->text[at];
  const char *hint = open == '(' ? "close it with `)'" : open == '[' ? "close it with `]'" : "close it with `}'";
  refuse(s, at, at + 1, hint, message);
}

/* What stands at the top level, character by character: where declarations begin and end, which are of structs. */
static void top_level(Scanner *s, char c) {
  if (s->statement == NONE) s->statement = s->at;
  if (c == 's' && word_at(s, s->at) - s->at == 6 && strncmp(s->f->text + s->at, "struct", 6) == 0) s->in_struct = true;
  if (c != ';') return;
  Body b = {s->statement, s->at + 1};
  if (s->in_struct) vec_push(s->a, &s->out->structs, b);
  else vec_push(s->a, &s->out->declarations, b);
  s->statement = NONE;
  s->in_struct = false;
}

/* Does the declaration at hand begin with `inline' or `static'? */
static bool is_native(const Scanner *s) {
  const char *t = s->f->text + s->statement;
  const unsigned n = word_at(s, s->statement) - s->statement;
  return n == 6 && (strncmp(t, "inline", 6) == 0 || strncmp(t, "static", 6) == 0);
}

static void count_token(Scanner *s) {
  if (++s->tokens == LONGEST_STATEMENT)
    refuse(s, s->at, s->at + 1, "split it into several", "this statement is too long");
}

/* Where a file begins, whatever the one before it began has ended. */
static void check_part(Scanner *s, const unsigned *open, int depth) {
  if (s->part >= s->f->nparts || s->at < s->f->parts[s->part].begin) return;
  const unsigned begin = s->f->parts[s->part++].begin;
  if (s->at > begin)
    refuse(s, begin - 1, begin, "end it there", "a comment or a line continues past the end of its file");
  else if (depth > 0) refuse_open(s, open[depth - 1], "its file never closes this bracket");
  else if (s->statement != NONE)
    refuse(s, s->statement, s->statement + 1, NULL, "a declaration that its file does not end");
}

bool scan_source(Arena *a, const SourceFile *f, Scan *out, Diagnostics *d) {
  *out = (Scan){.text = arena_strndup(a, f->text, f->size)};
  Scanner s = {.a = a, .f = f, .out = out, .d = d, .statement = NONE, .ok = true};
  const char *nul = memchr(f->text, '\0', f->size);
  if (nul) {
    unsigned at = (unsigned)(nul - f->text);
    refuse(&s, at, at + 1, "is it a text file?", "a NUL byte");
    return false;
  }
  unsigned open[DEEPEST];
  int depth = 0, braces = 0;
  bool line_start = true;
  while (s.at < f->size && s.ok) {
    check_part(&s, open, depth);
    if (!s.ok || skip_inert(&s)) continue;
    char c = f->text[s.at];
    if (c == '\n') {
      if (s.in_directive) s.tokens = 0;
      s.in_directive = false;
      line_start = true;
      s.at++;
      continue;
    }
    if (isspace((unsigned char)c)) { s.at++; continue; }
    if (c == '\\' && peek(&s, 1) == '\n') {
      if (line_start) refuse(&s, s.at, s.at + 1, NULL, "a line may not begin with a continued one");
      s.at += 2;
      continue;
    }
    if ((c == '#' && line_start) || (c == '%' && peek(&s, 1) == ':') ||
        (c == '?' && peek(&s, 1) == '?' && peek(&s, 2) == '=')) {
      if (c != '#') refuse(&s, s.at, s.at + 2, "write #", "digraphs and trigraphs are not allowed");
      else directive(&s);
      line_start = false;
      continue;
    }
    line_start = false;
    count_token(&s);
    if (depth == 0 && !s.in_directive) top_level(&s, c);
    if (is_word(c)) { word(&s); continue; }
    if (strchr("([{", c)) {
      if (depth == DEEPEST) { refuse(&s, s.at, s.at + 1, "at most 200 deep", "brackets are nested too deep"); break; }
      if (c == '{' && braces++ == 0 && !s.in_struct) {
        Body b = {s.at, s.at};
        vec_push(a, &out->bodies, b);
      }
      open[depth++] = s.at;
    } else if (strchr(")]}", c)) {
      static const char opening[] = "([{", closing[] = ")]}";
      if (depth == 0 || f->text[open[depth - 1]] != opening[strchr(closing, c) - closing]) {
        refuse_closing(&s, depth > 0 ? &open[depth - 1] : NULL);
        break;
      }
      depth--;
      if (c == '}' && --braces == 0 && !s.in_struct) {
        out->bodies.at[out->bodies.n - 1].end = s.at + 1;
        Body b = {s.statement, s.at + 1};
        vec_push(a, &out->declarations, b);
        if (is_native(&s)) vec_push(a, &out->natives, b);
        s.statement = NONE;
      }
    }
    if (c == '{' || c == '}' || (c == ';' && (depth == 0 || f->text[open[depth - 1]] == '{'))) s.tokens = 0;
    if (braces == 0) s.elses = 0;
    s.at++;
  }
  if (s.ok) check_macros(&s);
  if (s.ok && depth > 0) refuse_open(&s, open[depth - 1], "this bracket is never closed");
  return s.ok;
}

void scan_blank(char *text, Body b) {
  for (unsigned k = b.begin; k < b.end; k++)
    if (text[k] != '\n') text[k] = ' ';
}

char *scan_masked(Arena *a, const SourceFile *f, const Scan *s) {
  char *text = arena_strndup(a, s->text, f->size);
  for (int i = 0; i < s->bodies.n; i++) {
    scan_blank(text, s->bodies.at[i]);
    text[s->bodies.at[i].begin] = ';';
  }
  return text;
}
