/* prepare.c: words, then codelets, then edits of their text (prepare.h). */
#include "prepare.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- text that grows ---- */

typedef struct Text { char *at; size_t n, room; } Text;

static void put(Text *t, const char *from, size_t n) {
  if (n > SIZE_MAX / 4) abort(); /* which compilers ask for */
  if (t->n + n + 1 > t->room) {
    t->room = 2 * (t->n + n + 1);
    t->at = realloc(t->at, t->room);
    if (!t->at) abort();
  }
  if (n) memcpy(t->at + t->n, from, n);
  t->at[t->n += n] = '\0';
}

static void say_list(Text *t, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  const int n = vsnprintf(NULL, 0, format, list);
  char *line = malloc((size_t)n + 1);
  if (!line) abort();
  vsnprintf(line, (size_t)n + 1, format, again);
  put(t, line, (size_t)n);
  free(line);
  va_end(again);
}

__attribute__((format(printf, 2, 3))) static void say(Text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  say_list(t, format, list);
  va_end(list);
}

#define MORE(list, count) \
  ((list) = ((count) & ((count) - 1)) == 0 ? grown((list), sizeof *(list) * (size_t)((count) ? 2 * (count) : 1)) : (list))
static void *grown(void *list, size_t bytes) {
  void *more = realloc(list, bytes);
  if (!more) abort();
  return more;
}

/* ---- words ---- */

typedef enum WordKind { WORD_NAME, WORD_NUMBER, WORD_TEXT, WORD_SIGN, WORD_END } WordKind;
typedef struct Word {
  WordKind kind;
  const char *at;
  int length, line;
  int mate; /* of a bracket: the other one; -1 */
} Word;

/* An edit of a file's text: so many bytes there are replaced. Those at one place stand in the order that they were made. */
typedef struct Edit { const char *at; size_t length; char *text; int order; } Edit;

typedef struct Codelet {
  PreparedCodelet is;
  int first, template_first, template_end; /* words: of all of it; of `template <..>', if there is one, or -1 */
  int result_first, name, open, close;     /* of the result's type; of the parameters' parentheses */
  int body, end;                           /* of the braces; -1: a declaration */
  bool has_coop;
  Word *local; /* names of parameters and variables, sorted */
  int nlocals;
  const char *tag;
  int tag_length;
} Codelet;

typedef struct File {
  const PrepareFile *is;
  Word *word;
  int n;
  Codelet *codelet;
  int ncodelets;
  Edit *edit;
  int nedits;
} File;

typedef struct Preparation {
  File *file;
  int nfiles;
  char **spectrum; /* names, each once */
  int nspectra;
  char *error;
  int point;       /* the last one in a cooperative body */
  int depth;       /* statements in statements there */
  int place;       /* the last shared variable */
} Preparation;

static bool is(const Word *w, const char *text) {
  size_t n = strlen(text);
  return w->kind != WORD_END && (size_t)w->length == n && memcmp(w->at, text, n) == 0;
}
static bool same(const Word *x, const Word *y) {
  return x->kind == y->kind && x->length == y->length && memcmp(x->at, y->at, (size_t)x->length) == 0;
}
static bool begins(const Word *w, const char *text) {
  size_t n = strlen(text);
  return w->kind == WORD_NAME && (size_t)w->length >= n && memcmp(w->at, text, n) == 0;
}
static bool is_one_of(const Word *w, const char *const *list) {
  for (; *list; list++)
    if (is(w, *list)) return true;
  return false;
}

static void fail(Preparation *p, const File *f, int line, const char *what) {
  if (p->error) return;
  Text t = {0};
  say(&t, "%s:%d: %s", f->is->name, line, what);
  p->error = t.at;
}

static void add_word(File *f, WordKind kind, const char *at, const char *end, int line) {
  MORE(f->word, f->n);
  f->word[f->n++] = (Word){kind, at, (int)(end - at), line, -1};
}

/* Past blanks, comments and lines of the preprocessor; NULL: a comment does not end. */
static const char *skip(const char *s, const char *end, int *line, bool *fresh) {
  while (s < end) {
    if (*s == '\n') { ++*line; *fresh = true; s++; }
    else if (isspace((unsigned char)*s)) s++;
    else if (s + 1 < end && s[0] == '/' && s[1] == '/') {
      for (; s < end && *s != '\n'; s++) { /* a line that ends in a backslash goes on */
        size_t n = *s != '\\' ? 0 : s + 1 < end && s[1] == '\n' ? 1 : s + 2 < end && s[1] == '\r' && s[2] == '\n' ? 2 : 0;
        s += n;
        *line += n > 0;
      }
    }
    else if (s + 1 < end && s[0] == '/' && s[1] == '*') {
      const char *close = s + 2;
      while (close + 1 < end && !(close[0] == '*' && close[1] == '/')) { if (*close == '\n') ++*line; close++; }
      if (close + 1 >= end) return NULL;
      s = close + 2;
    } else if (*s == '#' && *fresh) {
      while (s < end && *s != '\n') { if (*s == '\\' && s + 1 < end && s[1] == '\n') { ++*line; s++; } s++; }
    } else break;
  }
  return s;
}

static const char *sign_end(const char *s, const char *end) {
  static const char *const signs[] = {"<<=", ">>=", "::", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=",
                                      "==", "!=", "<=", ">=", "&&", "||", "<<", NULL}; /* `>>' closes templates too */
  for (int i = 0; signs[i]; i++) {
    size_t n = strlen(signs[i]);
    if ((size_t)(end - s) >= n && memcmp(s, signs[i], n) == 0) return s + n;
  }
  return s + 1;
}

static void read_words(Preparation *p, File *f) {
  const char *s = f->is->text, *end = s + f->is->length;
  int line = 1;
  bool fresh = true;
  const char *nul = f->is->length ? memchr(s, '\0', f->is->length) : NULL; /* in comments, too */
  if (nul) {
    for (; s < nul; s++) line += *s == '\n';
    return fail(p, f, line, "a character that no codelet has");
  }
  while ((s = skip(s, end, &line, &fresh)) != NULL && s < end) {
    const char *from = s;
    fresh = false;
    if (isalpha((unsigned char)*s) || *s == '_') {
      while (s < end && (isalnum((unsigned char)*s) || *s == '_')) s++;
      add_word(f, WORD_NAME, from, s, line);
    } else if (isdigit((unsigned char)*s) || (*s == '.' && s + 1 < end && isdigit((unsigned char)s[1]))) {
      while (s < end && (isalnum((unsigned char)*s) || *s == '.' || (*s == '\'' && s + 1 < end && isalnum((unsigned char)s[1])) ||
                         ((*s == '+' || *s == '-') && strchr("eEpP", s[-1])))) s++;
      add_word(f, WORD_NUMBER, from, s, line);
    } else if (*s == '"' || *s == '\'') {
      for (s++; s < end && *s != *from && *s != '\n'; s++)
        if (*s == '\\' && s + 1 < end) s++;
      if (s >= end || *s != *from) return fail(p, f, line, "a text does not end");
      add_word(f, WORD_TEXT, from, ++s, line);
    } else if (*s == '\0' || (unsigned char)*s >= 0x80 || strchr("`@$", *s)) {
      return fail(p, f, line, "a character that no codelet has");
    } else {
      s = sign_end(s, end);
      add_word(f, WORD_SIGN, from, s, line);
    }
  }
  if (!s) return fail(p, f, line, "a comment does not end");
  add_word(f, WORD_END, end, end, line);
}

enum { DEEPEST = 256 }; /* brackets, and statements in statements */

static void match_brackets(Preparation *p, File *f) {
  int open[DEEPEST], depth = 0;
  for (int i = 0; i < f->n && !p->error; i++) {
    const Word *w = &f->word[i];
    if (w->kind != WORD_SIGN || w->length != 1) continue;
    if (strchr("([{", *w->at)) {
      if (depth == DEEPEST) fail(p, f, w->line, "brackets in brackets in brackets: more than 256");
      else open[depth++] = i;
    }
    else if (strchr(")]}", *w->at)) {
      const char wanted = *w->at == ')' ? '(' : *w->at == ']' ? '[' : '{';
      if (depth == 0 || *f->word[open[depth - 1]].at != wanted) {
        fail(p, f, w->line, "a bracket that was not opened");
        break;
      }
      int mate = open[--depth];
      f->word[mate].mate = i;
      f->word[i].mate = mate;
    }
  }
  if (depth && !p->error) fail(p, f, f->word[open[depth - 1]].line, "a bracket that is not closed");
}

/* The word behind a template's arguments, `i' being its `<'; -1: they do not end. */
static int behind_arguments(const File *f, int i) {
  int depth = 0;
  for (; f->word[i].kind != WORD_END; i++) {
    const Word *w = &f->word[i];
    if (w->mate > i) i = w->mate;
    else if (is(w, "<")) depth++;
    else if (is(w, ">") && --depth == 0) return i + 1;
    else if (is(w, ";") || is(w, "{") || is(w, "}")) return -1;
  }
  return -1;
}

/* ---- edits ---- */

static void edit(File *f, const char *at, size_t length, char *text) {
  MORE(f->edit, f->nedits);
  f->edit[f->nedits] = (Edit){at, length, text, f->nedits};
  f->nedits++;
}

__attribute__((format(printf, 4, 5))) static void replace(File *f, int first, int last, const char *format, ...) {
  const char *from = f->word[first].at, *to = f->word[last].at + f->word[last].length;
  Text t = {0};
  va_list list;
  va_start(list, format);
  say_list(&t, format, list);
  va_end(list);
  for (const char *s = from; s < to; s++)
    if (*s == '\n') put(&t, "\n", 1); /* lines stay where they are */
  edit(f, from, (size_t)(to - from), t.at);
}

__attribute__((format(printf, 3, 4))) static void insert(File *f, const char *at, const char *format, ...) {
  Text t = {0};
  va_list list;
  va_start(list, format);
  say_list(&t, format, list);
  va_end(list);
  edit(f, at, 0, t.at);
}
static const char *before(const File *f, int word) { return f->word[word].at; }
static const char *behind(const File *f, int word) { return f->word[word].at + f->word[word].length; }

static int by_place(const void *x, const void *y) {
  const Edit *a = x, *b = y;
  if (a->at != b->at) return a->at < b->at ? -1 : 1;
  return !a->length != !b->length ? (a->length ? 1 : -1) : a->order - b->order; /* what is inserted comes first */
}

/* ---- codelets ---- */

static bool is_note(const Word *w) { return begins(w, "__"); }

static void note_spectrum(Preparation *p, const char *name) {
  for (int i = 0; i < p->nspectra; i++)
    if (strcmp(p->spectrum[i], name) == 0) return;
  MORE(p->spectrum, p->nspectra);
  p->spectrum[p->nspectra++] = strdup(name);
}

static char *copy(const Word *w) {
  char *s = malloc((size_t)w->length + 1);
  if (!s) abort();
  memcpy(s, w->at, (size_t)w->length);
  s[w->length] = '\0';
  return s;
}

/* Between `first' and the word at `stop', a codelet's head: its notes, result, name and parameters. False: it has none. */
static bool read_head(Preparation *p, File *f, Codelet *c, int first, int stop) {
  int at = first;
  c->result_first = -1;
  c->name = -1;
  for (; at < stop; at++) {
    const Word *w = &f->word[at];
    if (is(w, "__coop")) c->has_coop = true;
    if (is(w, "__tag") && is(&f->word[at + 1], "(") && f->word[at + 1].mate == at + 3) {
      c->tag = f->word[at + 2].at;
      c->tag_length = f->word[at + 2].length;
    }
    if (is_note(w) || is(w, "static") || is(w, "inline")) {
      if (is(&f->word[at + 1], "(") && f->word[at + 1].mate > 0) at = f->word[at + 1].mate;
      continue;
    }
    if (c->result_first < 0) c->result_first = at;
    if (is(w, "(")) {
      c->open = at;
      c->close = w->mate;
      c->name = at - 1;
      break;
    }
  }
  if (c->name <= c->result_first || c->result_first < 0 || f->word[c->name].kind != WORD_NAME || c->close >= stop) {
    fail(p, f, f->word[first].line, "a codelet without a result, a name or parameters");
    return false;
  }
  return true;
}

static void name_codelet(Codelet *c, const File *f) {
  Text t = {0};
  c->is.spectrum = copy(&f->word[c->name]);
  c->is.line = f->word[c->name].line;
  c->is.file = f->is->name;
  if (c->tag) say(&t, "%s__%.*s", c->is.spectrum, c->tag_length, c->tag);
  else say(&t, "%s__%d", c->is.spectrum, c->is.line);
  c->is.name = t.at;
}

/* One after the other: templates, structs, codelets. What is none of these is left as it is. */
static void read_codelets(Preparation *p, File *f) {
  for (int i = 0; f->word[i].kind != WORD_END && !p->error;) {
    Codelet c = {.first = i, .template_first = -1, .body = -1};
    int at = i;
    if (is(&f->word[at], "template")) {
      if (!is(&f->word[at + 1], "<")) return fail(p, f, f->word[at].line, "a template without arguments");
      int next = behind_arguments(f, at + 1);
      if (next < 0) return fail(p, f, f->word[at].line, "a template's arguments do not end");
      c.template_first = at;
      c.template_end = next - 1;
      int names = 0;
      for (int k = at; k < next; k++) names += is(&f->word[k], "typename") || is(&f->word[k], "class");
      c.is.generic = names == 1;
      c.is.operators = names > 1;
      at = next;
    }
    bool codelet = false, structure = false;
    int stop = at;
    for (; f->word[stop].kind != WORD_END && !is(&f->word[stop], "{") && !is(&f->word[stop], ";"); stop++) {
      codelet |= is(&f->word[stop], "__codelet");
      structure |= is(&f->word[stop], "struct");
      if (f->word[stop].mate > stop) stop = f->word[stop].mate;
    }
    const bool body = is(&f->word[stop], "{");
    int last = body ? f->word[stop].mate : stop;
    if (codelet && !structure) {
      if (f->word[stop].kind == WORD_END) return fail(p, f, f->word[i].line, "a codelet without a body");
      if (!read_head(p, f, &c, at, stop)) return;
      c.body = body ? stop : -1;
      c.end = last;
      name_codelet(&c, f);
      note_spectrum(p, c.is.spectrum);
      MORE(f->codelet, f->ncodelets);
      f->codelet[f->ncodelets++] = c;
    } else if (body && is(&f->word[last + 1], ";")) {
      last++;
    }
    if (f->word[stop].kind == WORD_END) return;
    i = last + 1;
  }
}

/* ---- what sort a codelet is ---- */

static bool is_spectrum(const Preparation *p, const Word *w) {
  if (w->kind != WORD_NAME) return false;
  for (int i = 0; i < p->nspectra; i++)
    if (is(w, p->spectrum[i])) return true;
  return false;
}

/* Is the word a variable's name in its declaration: `T sum = 0', `Map map(..)'? */
static bool is_declared_here(const File *f, const Codelet *c, int at) {
  if (at <= c->body + 1) return false;
  const Word *type = &f->word[at - 1], *next = &f->word[at + 1];
  const bool typed = (type->kind == WORD_NAME && !is(type, "return") && !is(type, "else")) || is(type, ">");
  return typed && (is(next, "=") || is(next, ";") || is(next, "(") || is(next, "[") || is(next, "{") || is(next, ","));
}

static int by_name(const void *x, const void *y) {
  const Word *a = x, *b = y;
  const int order = memcmp(a->at, b->at, (size_t)(a->length < b->length ? a->length : b->length));
  return order ? order : a->length - b->length;
}

static void find_locals(const File *f, Codelet *c) {
  for (int i = c->open + 1; i < c->end; i++) {
    const Word *w = &f->word[i];
    const bool parameter = i < c->close && w->kind == WORD_NAME && (is(w + 1, ",") || i + 1 == c->close);
    if (!parameter && !(w->kind == WORD_NAME && is_declared_here(f, c, i))) continue;
    MORE(c->local, c->nlocals);
    c->local[c->nlocals++] = *w;
  }
  if (c->nlocals) qsort(c->local, (size_t)c->nlocals, sizeof *c->local, by_name);
}

static bool is_local(const Codelet *c, const Word *name) {
  return c->nlocals && bsearch(name, c->local, (size_t)c->nlocals, sizeof *c->local, by_name);
}

static bool applies(const Preparation *p, const File *f, const Codelet *c, int at) {
  const Word *w = &f->word[at], *last = &f->word[at - 1];
  return is_spectrum(p, w) && !is(last, ".") && !is(last, "->") && !is(last, "::") && !is_local(c, w);
}

/* A spectrum of numbers alone is a function. */
static bool is_function(const File *f, const Codelet *c) {
  for (int i = c->open + 1; i < c->close; i++)
    if (is(&f->word[i], "Array")) return false;
  return true;
}

static bool is_function_name(const Preparation *p, const Word *name) {
  for (int k = 0; k < p->nfiles; k++)
    for (int i = 0; i < p->file[k].ncodelets; i++)
      if (is(name, p->file[k].codelet[i].is.spectrum)) return is_function(&p->file[k], &p->file[k].codelet[i]);
  return false;
}

static void classify(const Preparation *p, const File *f, Codelet *c) {
  static const char *const lanes[] = {"Vector", "coopIdx", "coopDim", NULL};
  static const char *const primitives[] = {"partition", "Map", "rows", "columns", "elements", "slide", "transform", "gather",
                                           "repeat", "iota", "generate", "take", NULL};
  bool coop = c->has_coop, compound = false;
  find_locals(f, c);
  for (int i = c->body + 1; i < c->end; i++) {
    coop |= is_one_of(&f->word[i], lanes) || begins(&f->word[i], "__shared");
    compound |= is_one_of(&f->word[i], primitives) || (applies(p, f, c, i) && !is_function_name(p, &f->word[i]));
  }
  c->is.kind = is_function(f, c) ? PREPARED_FUNCTION : coop ? PREPARED_COOPERATIVE
               : compound        ? PREPARED_COMPOUND : PREPARED_AUTONOMOUS;
}

/* Codelets that cut their container and apply their own spectrum to its parts have no end of their own. */
static bool applies_itself(const File *f, const Codelet *c) {
  for (int i = c->body + 1; i < c->end; i++)
    if (same(&f->word[i], &f->word[c->name]) && !is_local(c, &f->word[i])) return true;
  return false;
}

static Codelet *applied_codelet(Preparation *p, const char *spectrum, File **of) {
  Codelet *found = NULL;
  for (int sort = 0; sort < 2 && !found; sort++)
    for (int k = 0; k < p->nfiles && !found; k++)
      for (int i = 0; i < p->file[k].ncodelets && !found; i++) {
        Codelet *c = &p->file[k].codelet[i];
        const bool right = sort == 0 ? c->is.kind <= PREPARED_AUTONOMOUS
                                     : c->is.kind == PREPARED_COMPOUND && !applies_itself(&p->file[k], c);
        if (c->body >= 0 && right && strcmp(c->is.spectrum, spectrum) == 0) *of = &p->file[k], found = c;
      }
  return found;
}

/* ---- positions ---- */

/* Whole numbers of a codelet's own and its parameters: the words of a type, and whether a name is a position's. Of one
 * name, all are or none. */
typedef struct Whole { int first, last; Word name; bool wide; } Whole;
typedef struct Wholes { Whole *at; int n; } Wholes; /* sorted by name, then by place */

static bool is_whole_type(const Word *w) {
  static const char *const types[] = {"unsigned", "int", "long", "short", "signed", NULL};
  return is_one_of(w, types);
}

static int by_whole(const void *x, const void *y) {
  const Whole *a = x, *b = y;
  const int order = by_name(&a->name, &b->name);
  return order ? order : a->first - b->first;
}

static void find_wholes(const File *f, const Codelet *c, Wholes *to) {
  for (int i = c->open + 1; i < c->end; i++) {
    if (!is_whole_type(&f->word[i]) || is(&f->word[i - 1], "<")) continue;
    if (i > c->close && is(&f->word[i - 1], "(") && !is(&f->word[i - 2], "for")) continue; /* a cast */
    int first = i;
    while (is_whole_type(&f->word[i])) i++;
    const Word *next = &f->word[i + 1];
    if (f->word[i].kind != WORD_NAME) continue;
    if (!(is(next, "=") || is(next, ";") || is(next, ",") || is(next, ")"))) continue;
    int last = i - 1;
    MORE(to->at, to->n);
    to->at[to->n++] = (Whole){first, last, f->word[i], false};
    for (int k = i; i > c->close && !is(&f->word[k], ";") && f->word[k].kind != WORD_END; k++) { /* int i = 0, n = .. */
      if (f->word[k].mate > k) k = f->word[k].mate;
      else if (is(&f->word[k], ",") && f->word[k + 1].kind == WORD_NAME) {
        MORE(to->at, to->n);
        to->at[to->n++] = (Whole){first, last, f->word[k + 1], false};
      }
    }
  }
  if (to->n) qsort(to->at, (size_t)to->n, sizeof *to->at, by_whole);
}

/* The first one of a word's name, which says whether all are positions; NULL: it is none. */
static Whole *whole_of(const File *f, Wholes *all, int word) {
  int low = 0, high = all->n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (by_name(&all->at[middle].name, &f->word[word]) < 0) low = middle + 1;
    else high = middle;
  }
  return low < all->n && same(&all->at[low].name, &f->word[word]) ? &all->at[low] : NULL;
}

static bool is_position(const File *f, Wholes *all, int i) {
  static const char *const sizes[] = {"Size", "size", "Stride", "MaxSize", "LaneId", "VectorId", "ThreadId", "coopIdx",
                                      "coopDim", "Index", NULL};
  const Word *w = &f->word[i];
  if (w->kind != WORD_NAME) return false;
  if (is_one_of(w, sizes)) return true;
  const Whole *x = whole_of(f, all, i);
  return x && x->wide && !is(&f->word[i - 1], ".");
}

/* Where the brackets that begin at word i end, if it is an index or a call's arguments, which are others' affair; else i. */
static int behind_others(const File *f, int first, int i) {
  const Word *w = &f->word[i], *callee = &f->word[i - 1];
  const bool call = is(w, "(") && i > first && callee->kind == WORD_NAME && !is(callee, "return");
  return w->mate > i && (is(w, "[") || call) ? w->mate : i;
}

/* From `first' to `last', one expression or statement without brackets around it: is there a position, or a call that gives
 * one? */
static bool has_position(const File *f, Wholes *all, int first, int last) {
  for (int i = first; i <= last; i = behind_others(f, first, i) + 1)
    if (is_position(f, all, i) || (behind_others(f, first, i) > i && is(&f->word[i], "(") && is_position(f, all, i - 1)))
      return true;
  return false;
}

/* What is compared with a position or given one is a position, too. */
static bool widen_run(const File *f, Wholes *all, int first, int last) {
  static const char *const joins[] = {"=", "+=", "-=", "*=", "/=", "%=", "<", ">", "<=", ">=", "==", "!=", NULL};
  bool joined = false, changed = false;
  for (int i = first; i <= last; i = behind_others(f, first, i) + 1) joined |= is_one_of(&f->word[i], joins);
  if (!joined || !has_position(f, all, first, last)) return false;
  for (int i = first; i <= last; i = behind_others(f, first, i) + 1) {
    Whole *x = f->word[i].kind == WORD_NAME ? whole_of(f, all, i) : NULL;
    if (x && !x->wide) x->wide = changed = true;
  }
  return changed;
}

/* The word behind the `=' in `first' to `last', if there is one; else `first'. */
static int behind_assignment(const File *f, int first, int last) {
  for (int i = first; i <= last; i = behind_others(f, first, i) + 1)
    if (is(&f->word[i], "=")) return i + 1;
  return first;
}

/* Once through a body, run by run: expressions and statements up to what parts them. Of `n = c ? a : b', c is a run of its
 * own, and n is given a and b. */
static bool widen_body(const File *f, const Codelet *c, Wholes *all) {
  static const char *const parts[] = {";", "{", "}", "?", ":", "&&", "||", ",", NULL}, *const heads[] = {"for", "if", NULL};
  bool changed = false;
  int first = c->body + 1, given = -1; /* the n of `n = c ? ..' */
  for (int i = first; i <= c->end; i++) {
    const Word *w = &f->word[i];
    const bool opens = is(w, "(") && is_one_of(&f->word[i - 1], heads);
    const bool closes = is(w, ")") && w->mate > 0 && is_one_of(&f->word[w->mate - 1], heads);
    if (!opens && !closes && !is_one_of(w, parts)) continue;
    if (is(w, "?")) {
      const int behind_name = behind_assignment(f, first, i - 1);
      if (behind_name >= first + 2) given = behind_name - 2;
      first = behind_name;
    }
    if (i > first && !opens) {
      Whole *x = given >= 0 && !is(w, "?") ? whole_of(f, all, given) : NULL;
      if (x && !x->wide && has_position(f, all, first, i - 1)) x->wide = changed = true;
      changed |= widen_run(f, all, first, i - 1);
    }
    if (!is(w, "?") && !is(w, ":") && !is(w, "&&") && !is(w, "||")) given = -1;
    first = i + 1;
  }
  for (int i = c->body + 1; i < c->end; i++) /* conditions in parentheses of their own */
    if (is(&f->word[i], "(") && f->word[i].mate > i + 1 && !is_one_of(&f->word[i - 1], heads))
      changed |= widen_run(f, all, i + 1, f->word[i].mate - 1);
  return changed;
}

static void widen(File *f, Codelet *c) {
  Wholes all = {0};
  find_wholes(f, c, &all);
  for (int i = c->body + 1; i < c->end; i++) { /* what indexes a container */
    const Word *w = &f->word[i], *last = &f->word[i - 1];
    const bool index = is(w, "[") || (is(w, "(") && last->kind == WORD_NAME && is_local(c, last) && !is_declared_here(f, c, i - 1));
    for (int k = i + 1; index && k < w->mate; k++) {
      Whole *x = f->word[k].kind == WORD_NAME ? whole_of(f, &all, k) : NULL;
      if (x) x->wide = true;
    }
  }
  while (widen_body(f, c, &all)) continue;
  bool *done = calloc((size_t)(c->end - c->open), sizeof *done); /* `int a, b;': one type */
  if (!done) abort();
  for (int i = 0, named = 0; i < all.n; i++) {
    const Whole *x = &all.at[i];
    if (!same(&all.at[named].name, &x->name)) named = i;
    if (!all.at[named].wide || done[x->first - c->open]) continue;
    done[x->first - c->open] = true;
    replace(f, x->first, x->last, "Index");
  }
  free(done);
  free(all.at);
}

/* ---- what a codelet begins with ---- */

/* A parameter's name: the last word that is none of its notes. */
static int parameter_name(const File *f, int first, int end) {
  int name = -1;
  for (int i = first; i < end; i++) {
    if (f->word[i].mate > i) { i = f->word[i].mate; continue; }
    if (f->word[i].kind == WORD_NAME) name = i;
  }
  return name;
}

static void begin_with_shapes(File *f, const Codelet *c, int first, int end) {
  const int name = parameter_name(f, first, end);
  const char *at = behind(f, c->body);
  for (int i = first; i < end && name >= 0; i++) {
    if (!is_note(&f->word[i]) || !is(&f->word[i + 1], "(")) continue;
    const int open = i + 1, close = f->word[open].mate;
    Text inside = {0};
    put(&inside, behind(f, open), (size_t)(before(f, close) - behind(f, open)));
    for (char *s = inside.at; s && *s; s++)
      if (*s == '\n') *s = ' ';
    const Word *x = &f->word[name];
    if (is(&f->word[i], "__like")) insert(f, at, " ::tgc::shape_like(%.*s, %s);", x->length, x->at, inside.at ? inside.at : "");
    if (is(&f->word[i], "__accum"))
      insert(f, at, " %.*s.begin_at(::tgc::%s<typename std::decay_t<decltype(%.*s)>::Element>::id());", x->length, x->at,
             inside.at && strcmp(inside.at, "Sub") == 0 ? "Sum" : inside.at && strcmp(inside.at, "Add") == 0 ? "Sum" : inside.at,
             x->length, x->at);
    for (int k = open + 1, from = open + 1, d = 0; k <= close && is(&f->word[i], "__shape"); k++) {
      if (f->word[k].mate > k) { k = f->word[k].mate; continue; }
      if (k < close && !is(&f->word[k], ",")) continue;
      if (k > from && !(k == from + 1 && is(&f->word[from], "_")))
        insert(f, at, " ::tgc::shape(%.*s, %d, %.*s);", x->length, x->at, d, (int)(behind(f, k - 1) - before(f, from)), before(f, from));
      from = k + 1;
      d++;
    }
    free(inside.at);
    i = close;
  }
  bool container = false, written = false;
  for (int i = first; i < end; i++) {
    container |= is(&f->word[i], "Array");
    written |= is(&f->word[i], "const") || is(&f->word[i], "__mutable") || is(&f->word[i], "__accum");
  }
  if (container && !written) insert(f, before(f, first), "const ");
}

static void begin(File *f, const Codelet *c) {
  int first = c->open + 1;
  for (int i = first; i <= c->close; i++) {
    if (f->word[i].mate > i) { i = f->word[i].mate; continue; }
    if (is(&f->word[i], "<")) { /* Array<1, T> */
      int next = behind_arguments(f, i);
      if (next > 0) i = next - 1;
      continue;
    }
    if (i < c->close && !is(&f->word[i], ",")) continue;
    if (i > first && c->body >= 0) begin_with_shapes(f, c, first, i);
    first = i + 1;
  }
}

/* ---- bodies ---- */

static void rewrite_names(Preparation *p, File *f, const Codelet *c) {
  for (int i = c->open + 1; i < c->end; i++) {
    const Word *w = &f->word[i];
    if (is(w, "float")) replace(f, i, i, "Float");
    if (is(w, "double")) replace(f, i, i, "Double");
    if (i < c->body) continue;
    if (is(w, "Vector") && is(&f->word[i + 2], "(") && is(&f->word[i + 3], ")")) replace(f, i + 2, i + 3, "{}");
    if (is(w, "__tunable")) {
      int name = i + 1;
      while (is_whole_type(&f->word[name])) name++;
      replace(f, i, name - 1, "Index");
      insert(f, behind(f, name), " = ::tgc::tunable()");
    }
    if (!applies(p, f, c, i)) continue;
    int arguments = is(&f->word[i + 1], "<") ? behind_arguments(f, i + 1) : -1;
    insert(f, before(f, i), "apply_");
    if (arguments > 0) insert(f, behind(f, arguments - 1), "{}");
    else insert(f, behind(f, i), "<>{}");
  }
}

/* What shared variables of a spectrum start at, as its sequential codelet has it: the neutral value of what it
 * accumulates by. T: the variable's type. */
static const char *identity_of(Preparation *p, const char *spectrum) {
  File *f = NULL;
  const Codelet *c = applied_codelet(p, spectrum, &f);
  for (int i = c ? c->body + 1 : 0; c && i < c->end; i++) {
    const Word *w = &f->word[i], *next = &f->word[i + 1];
    if (c->is.operators && is(w, "M") && is(next, "::")) return "M::id()";
    if (c->is.kind != PREPARED_AUTONOMOUS) continue;
    if (is(w, "max") && is(next, "(")) return "::tgc::lowest<%s>()";
    if (is(w, "min") && is(next, "(")) return "::tgc::highest<%s>()";
    if (is(w, "*=")) return "%s(1)";
    if (is(w, "&=")) return "%s(-1)";
    if (is(w, "if") && is(next, "(")) { /* if (in[i] > best) best = in[i]; */
      for (int k = i + 2; k < f->word[i + 1].mate; k++) {
        const bool greater = is(&f->word[k], ">") || is(&f->word[k], ">=");
        if (!greater && !is(&f->word[k], "<") && !is(&f->word[k], "<=")) continue;
        const int close = f->word[i + 1].mate;
        const bool first = same(&f->word[i + 2], &f->word[close + 3 < c->end ? close + 3 : close]);
        return greater == first ? "::tgc::lowest<%s>()" : "::tgc::highest<%s>()";
      }
    }
  }
  return "%s(0)";
}

/* The words from `first' to `last' as they stand, on one line; of `float' and `double' what stands for them. */
static char *copy_type(const File *f, int first, int last) {
  Text t = {0};
  put(&t, "", 0);
  for (int i = first; i <= last; i++) {
    const Word *w = &f->word[i];
    const char *const apart = i > first && w->kind == WORD_NAME && f->word[i - 1].kind == WORD_NAME ? " " : "";
    if (is(w, "float")) say(&t, "%sFloat", apart);
    else if (is(w, "double")) say(&t, "%sDouble", apart);
    else say(&t, "%s%.*s", apart, w->length, w->at);
  }
  return t.at;
}

/* The operation of `__shared_atomicAdd', `__shared __atomicAdd', `__shared_atomic(M)': Add, M; NULL: plain. `*i' is the
 * word behind. */
static char *shared_operation(const File *f, int *i) {
  char *operation = NULL;
  for (; is_note(&f->word[*i]); ++*i) {
    const Word *w = &f->word[*i];
    const char *atomic = memmem(w->at, (size_t)w->length, "atomic", 6);
    const bool list = is(&f->word[*i + 1], "(") && f->word[*i + 1].mate > *i + 2;
    if (atomic && w->at + w->length > atomic + 6) {
      const Word name = {WORD_NAME, atomic + 6, (int)(w->at + w->length - (atomic + 6)), w->line, -1};
      free(operation);
      operation = copy(&name);
    } else if (list) {
      free(operation);
      operation = copy_type(f, *i + 2, f->word[*i + 1].mate - 1);
    }
    if (is(&f->word[*i + 1], "(")) *i = f->word[*i + 1].mate;
  }
  return operation;
}

/* `__shared T a[n];', `__shared_atomicAdd T x;': the team's. Gives the word behind the declaration's name and size. */
static int shared_declaration(Preparation *p, File *f, const Codelet *c, int first) {
  static const char *const known[] = {"Add", "Sub", "Max", "Min", NULL};
  int name = first;
  char *operation = shared_operation(f, &name);
  const int type = name;
  while (f->word[name + 1].kind == WORD_NAME || is(&f->word[name + 1], "::")) name++;
  if (name == type || name >= c->end) {
    fail(p, f, f->word[first].line, "a shared variable without a type and a name");
    free(operation);
    return first + 1;
  }
  char *of = copy_type(f, type, name - 1);
  const int place = ++p->place;
  const Word *n = &f->word[name], *next = &f->word[name + 1];
  const bool array = is(next, "[");
  Text start = {0}; /* the type of it, and what it starts from */
  for (int i = 0; operation && known[i]; i++)
    if (strcmp(operation, known[i]) == 0) say(&start, "::tgc::%s<%s>", i == 0 ? "Sum" : known[i], of);
  if (operation && !start.at) say(&start, "%s", operation);
  if (!operation) say(&start, identity_of(p, c->is.spectrum), of);
  if (array && operation) replace(f, first, name, "::tgc::SharedAtomics<%s, %s> %.*s", start.at, of, n->length, n->at);
  else if (array) replace(f, first, name, "::tgc::SharedArray<%s> %.*s", of, n->length, n->at);
  else if (operation)
    replace(f, first, name, "::tgc::SharedAtomic<%s, %s> %.*s(%d)", start.at, of, n->length, n->at, place);
  else
    replace(f, first, name, "%s &%.*s = ::tgc::shared_variable<%s>(%d, %s)", of, n->length, n->at, of, place, start.at);
  if (array) {
    replace(f, name + 1, name + 1, "(%d, ", place);
    if (operation) replace(f, next->mate, next->mate, ")");
    else replace(f, next->mate, next->mate, ", %s)", start.at);
  }
  free(start.at);
  free(of);
  free(operation);
  return array ? next->mate + 1 : name + 1;
}

/* ---- cooperative bodies: a point ahead of each statement, and one between its reads and its writes ---- */

static int lockstep(Preparation *p, File *f, const Codelet *c, int i);

static int statement_end(const File *f, int i) {
  for (; !is(&f->word[i], ";") && f->word[i].kind != WORD_END; i++) {
    if (is(&f->word[i], "}")) break;
    if (f->word[i].mate > i) i = f->word[i].mate;
  }
  return i;
}

static bool is_shared_name(const File *f, const Codelet *c, int word) {
  for (int i = c->body + 1; i < word; i++)
    if (begins(&f->word[i], "__shared") && !memmem(f->word[i].at, (size_t)f->word[i].length, "atomic", 6) && !is_note(&f->word[i + 1])) {
      int k = i + 1;
      while (f->word[k + 1].kind == WORD_NAME || is(&f->word[k + 1], "::")) k++;
      if (same(&f->word[k], &f->word[word])) return true;
    }
  return false;
}

/* Does the index of what is written read the same container, `a[a[i]] = e'? */
static bool indexed_by_itself(const File *f, int first, int at) {
  for (int i = first + 1; i < at; i++)
    if (same(&f->word[i], &f->word[first])) return true;
  return false;
}

/* `x = e': x = then(n, e); of what is shared `x += e': x = then(n, x + (e)). */
static void split_assignment(Preparation *p, File *f, const Codelet *c, int first, int end) {
  static const char *const assigns[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", NULL};
  int at = first;
  for (; at < end && !is_one_of(&f->word[at], assigns); at++)
    if (f->word[at].mate > at) at = f->word[at].mate;
  if (at >= end || at == first || at + 1 == end) return;
  const int point = ++p->point;
  const Word *w = &f->word[at];
  if (w->length > 1 && is_shared_name(f, c, first))
    replace(f, at, at, "= ::tgc::then(%d, (%.*s) %.*s (", point, (int)(behind(f, at - 1) - before(f, first)), before(f, first),
            w->length - 1, w->at);
  else insert(f, behind(f, at), " ::tgc::then(%d, %s", point, "(");
  insert(f, behind(f, end - 1), "))");
  if (!indexed_by_itself(f, first, at)) return;
  insert(f, before(f, first), "{ auto &&written = ");
  insert(f, behind(f, at - 1), "; written");
  insert(f, behind(f, end), " }");
}

static int lockstep_for(Preparation *p, File *f, const Codelet *c, int i) {
  const int open = i + 1, close = f->word[open].mate;
  int first = open + 1;
  while (first < close && !is(&f->word[first], ";")) first = f->word[first].mate > first ? f->word[first].mate + 1 : first + 1;
  int second = first + 1;
  while (second < close && !is(&f->word[second], ";")) second = f->word[second].mate > second ? f->word[second].mate + 1 : second + 1;
  if (second >= close) {
    fail(p, f, f->word[i].line, "a loop without a condition");
    return close + 1;
  }
  insert(f, behind(f, first), " ::tgc::step(%d), %s", ++p->point, second == first + 1 ? "true" : "(");
  if (second > first + 1) insert(f, before(f, second), ")");
  insert(f, behind(f, close), " {");
  const int next = lockstep(p, f, c, close + 1);
  insert(f, behind(f, next - 1), " ::tgc::step(%d); }", ++p->point);
  return next;
}

static int lockstep_if(Preparation *p, File *f, const Codelet *c, int i) {
  const int close = f->word[i + 1].mate;
  insert(f, behind(f, close), " {");
  int next = lockstep(p, f, c, close + 1);
  insert(f, behind(f, next - 1), " }");
  if (!is(&f->word[next], "else")) return next;
  insert(f, behind(f, next), " {");
  next = lockstep(p, f, c, next + 1);
  insert(f, behind(f, next - 1), " }");
  return next;
}

static bool declares(const File *f, int i) {
  while (is(&f->word[i], "const") || is(&f->word[i], "static")) i++;
  if (f->word[i].kind != WORD_NAME || is(&f->word[i], "return")) return false;
  for (i++; is(&f->word[i], "::") || is(&f->word[i], "<"); ) {
    if (is(&f->word[i], "<")) {
      i = behind_arguments(f, i);
      if (i < 0) return false;
    } else i += 2;
  }
  return f->word[i].kind == WORD_NAME;
}

static int lockstep_statement(Preparation *p, File *f, const Codelet *c, int i) {
  if (p->error) return i + 1;
  if (i >= c->end) {
    fail(p, f, f->word[i].line, "a statement is missing");
    return i + 1;
  }
  const Word *w = &f->word[i];
  if (is(w, "{")) {
    int at = i + 1;
    while (at < w->mate && !p->error) at = lockstep(p, f, c, at);
    return w->mate + 1;
  }
  if (is(w, ";")) return i + 1;
  insert(f, before(f, i), "::tgc::step(%d); ", ++p->point);
  const bool head = is(&f->word[i + 1], "(") && f->word[i + 1].mate > 0;
  if (is(w, "if") && head) return lockstep_if(p, f, c, i);
  if (is(w, "for") && head) return lockstep_for(p, f, c, i);
  if (is(w, "while") || is(w, "do") || is(w, "switch") || is(w, "goto")) {
    fail(p, f, w->line, "lanes know `if' and `for'");
    return i + 1;
  }
  if (begins(w, "__shared")) {
    const int end = statement_end(f, shared_declaration(p, f, c, i));
    return end + 1;
  }
  const int end = statement_end(f, i);
  if (!is(&f->word[end], ";")) {
    fail(p, f, w->line, "a statement does not end");
    return end + 1;
  }
  if (!is(w, "return") && !declares(f, i)) split_assignment(p, f, c, i, end);
  return end + 1;
}

/* The word behind the statement that begins at word i. */
static int lockstep(Preparation *p, File *f, const Codelet *c, int i) {
  if (++p->depth > 2 * DEEPEST) fail(p, f, f->word[i].line, "statements in statements in statements: more than 512");
  const int next = lockstep_statement(p, f, c, i);
  --p->depth;
  return next;
}

static void cooperate(Preparation *p, File *f, const Codelet *c) {
  char *result = copy_type(f, c->result_first, c->name - 1);
  insert(f, behind(f, c->body), " return ::tgc::together<%s>([=]() mutable -> %s {", result, result);
  free(result);
  p->point = 0;
  for (int i = c->body + 1; i < c->end && !p->error;) i = lockstep(p, f, c, i);
  insert(f, before(f, c->end), "}); ");
}

static void rewrite(Preparation *p, File *f, Codelet *c) {
  if (c->body < 0) { /* a declaration: its spectrum's codelets follow */
    for (int i = c->first; i <= c->end; i++) replace(f, i, i, "%s", "");
    return;
  }
  for (int i = c->first; i < c->open; i++)
    if (is_note(&f->word[i])) {
      const bool list = is(&f->word[i + 1], "(") && i + 1 != c->open;
      replace(f, i, list ? f->word[i + 1].mate : i, "%s", "");
      if (list) i = f->word[i + 1].mate;
    }
  if (is(&f->word[c->result_first], "float")) replace(f, c->result_first, c->result_first, "Float");
  if (is(&f->word[c->result_first], "double")) replace(f, c->result_first, c->result_first, "Double");
  replace(f, c->name, c->name, "%s", c->is.name);
  for (int i = c->open + 1; i < c->close; i++)
    if (is_note(&f->word[i])) {
      const bool list = is(&f->word[i + 1], "(") && f->word[i + 1].mate < c->close;
      const int last = list ? f->word[i + 1].mate : i;
      replace(f, i, last, "%s", "");
      i = last;
    }
  widen(f, c);
  begin(f, c);
  if (c->is.kind == PREPARED_COOPERATIVE) cooperate(p, f, c);
  rewrite_names(p, f, c);
}

/* Of operators: `struct __monoid(associative) Mine {'. */
static void rewrite_structs(File *f) {
  for (int i = 0; f->word[i].kind != WORD_END; i++)
    if (is(&f->word[i], "__monoid") && is(&f->word[i + 1], "(")) replace(f, i, f->word[i + 1].mate, "%s", "");
}

/* ---- the text ---- */

/* Edits of parts of what another edit replaces are left out. */
static void put_edited(Text *to, File *f, const char *from, const char *end) {
  const char *at = from;
  for (int i = 0; i < f->nedits; i++) {
    const Edit *e = &f->edit[i];
    if (e->at < at || e->at > end || (e->at == end && e->length)) continue;
    put(to, at, (size_t)(e->at - at));
    put(to, e->text, strlen(e->text));
    at = e->at + e->length;
  }
  if (at < end) put(to, at, (size_t)(end - at));
}

static bool ends_up_wide(const File *f, int i) {
  for (int k = 0; k < f->nedits; k++)
    if (f->edit[k].at == f->word[i].at && f->edit[k].length && strncmp(f->edit[k].text, "Index", 5) == 0) return true;
  return false;
}

/* The codelet's head, as a declaration: words alone, without notes. */
static void put_declaration(Text *to, const File *f, const Codelet *c) {
  if (c->template_first >= 0)
    put(to, before(f, c->template_first), (size_t)(behind(f, c->template_end) - before(f, c->template_first)));
  say(to, " ");
  for (int i = c->result_first; i <= c->close; i++) {
    const Word *w = &f->word[i];
    if (is_note(w) && i != c->name) {
      if (is(&f->word[i + 1], "(") && i + 1 != c->open) i = f->word[i + 1].mate;
    } else if (i == c->name) {
      say(to, "%s", c->is.name);
    } else if (i > c->open && ends_up_wide(f, i)) { /* a parameter that is a position */
      say(to, "Index ");
      while (is_whole_type(&f->word[i + 1])) i++;
    } else if (is(w, "float") || is(w, "double")) {
      say(to, is(w, "float") ? "Float " : "Double ");
    } else {
      say(to, "%.*s ", w->length, w->at);
    }
  }
  say(to, ";\n");
}

/* What stands for a spectrum that is applied: its sequential codelet, whatever its arguments are deduced to. */
static void put_applied(Text *to, Preparation *p, const char *spectrum) {
  File *f = NULL;
  Codelet *c = applied_codelet(p, spectrum, &f);
  if (!c) return;
  c->is.applied = true;
  put_declaration(to, f, c);
  say(to, "template <typename... Ts>\nstruct apply_%s {\n  template <typename... A>\n  auto operator()(const A &...a) const {\n",
      spectrum);
  if (c->template_first >= 0)
    say(to, "    if constexpr (sizeof...(Ts) > 0) return %s<Ts...>(a...);\n    else return %s(a...);\n", c->is.name, c->is.name);
  else say(to, "    return %s(a...);\n", c->is.name);
  say(to, "  }\n};\n");
}

static void put_line(Text *to, const File *f, int line) {
  say(to, "\n#line %d \"", line);
  for (const char *s = f->is->name; *s; s++) say(to, strchr("\"\\", *s) ? "\\%c" : "%c", *s == '\n' ? ' ' : *s);
  say(to, "\"\n");
}

/* Names that a codelet gives its own variables may be macros of C's headers: NAN, EINVAL. */
static void put_names(Text *to, const File *f) {
  for (int k = 0; k < f->ncodelets; k++) {
    const Codelet *c = &f->codelet[k];
    for (int i = c->open + 1; i < c->end && c->body >= 0; i++) {
      const Word *w = &f->word[i];
      const bool parameter = i < c->close && (is(&f->word[i + 1], ",") || i + 1 == c->close);
      if (w->kind == WORD_NAME && isupper((unsigned char)*w->at) && w->length > 1 && (parameter || is_declared_here(f, c, i)))
        say(to, "#undef %.*s\n", w->length, w->at);
    }
  }
}

static Prepared finish(Preparation *p) {
  Prepared out = {0};
  Text t = {0};
  put(&t, "", 0);
  for (int k = 0; k < p->nfiles; k++) put_names(&t, &p->file[k]);
  for (int i = 0; i < p->nspectra; i++) put_applied(&t, p, p->spectrum[i]);
  for (int k = 0; k < p->nfiles; k++) {
    File *f = &p->file[k];
    if (f->nedits) qsort(f->edit, (size_t)f->nedits, sizeof *f->edit, by_place);
    put_line(&t, f, 1);
    put_edited(&t, f, f->is->text, f->is->text + f->is->length);
    put(&t, "\n", 1);
    for (int i = 0; i < f->ncodelets; i++) {
      if (f->codelet[i].body < 0) continue;
      MORE(out.codelets, out.ncodelets);
      out.codelets[out.ncodelets++] = f->codelet[i].is;
      f->codelet[i].is.spectrum = f->codelet[i].is.name = NULL;
    }
  }
  out.text = t.at;
  out.length = t.n;
  return out;
}

static void drop(Preparation *p) {
  for (int k = 0; k < p->nfiles; k++) {
    File *f = &p->file[k];
    for (int i = 0; i < f->ncodelets; i++) {
      free(f->codelet[i].is.spectrum);
      free(f->codelet[i].is.name);
      free(f->codelet[i].local);
    }
    for (int i = 0; i < f->nedits; i++) free(f->edit[i].text);
    free(f->codelet);
    free(f->edit);
    free(f->word);
  }
  for (int i = 0; i < p->nspectra; i++) free(p->spectrum[i]);
  free(p->spectrum);
  free(p->file);
}

static void check_names(Preparation *p) {
  for (int k = 0; k < p->nfiles; k++)
    for (int i = 0; i < p->file[k].ncodelets; i++)
      for (int m = 0; m <= k; m++)
        for (int j = 0; j < (m < k ? p->file[m].ncodelets : i); j++) {
          const Codelet *x = &p->file[k].codelet[i], *y = &p->file[m].codelet[j];
          if (x->body >= 0 && y->body >= 0 && strcmp(x->is.name, y->is.name) == 0)
            fail(p, &p->file[k], x->is.line, "two codelets of one name");
        }
}

Prepared prepare(const PrepareFile *files, int n) {
  Preparation p = {.file = calloc((size_t)n + 1, sizeof *p.file), .nfiles = n};
  if (!p.file) abort();
  for (int i = 0; i < n; i++) p.file[i].is = &files[i];
  for (int i = 0; i < n && !p.error; i++) read_words(&p, &p.file[i]);
  for (int i = 0; i < n && !p.error; i++) match_brackets(&p, &p.file[i]);
  for (int i = 0; i < n && !p.error; i++) read_codelets(&p, &p.file[i]);
  if (!p.error) check_names(&p);
  for (int i = 0; i < n && !p.error; i++)
    for (int k = 0; k < p.file[i].ncodelets; k++)
      if (p.file[i].codelet[k].body >= 0) classify(&p, &p.file[i], &p.file[i].codelet[k]);
  for (int i = 0; i < n && !p.error; i++)
    for (int k = 0; k < p.file[i].ncodelets && !p.error; k++) rewrite(&p, &p.file[i], &p.file[i].codelet[k]);
  for (int i = 0; i < n && !p.error; i++) rewrite_structs(&p.file[i]);
  Prepared out = {0};
  if (!p.error) out = finish(&p);
  out.error = p.error;
  drop(&p);
  return out;
}

void prepared_free(Prepared *p) {
  for (int i = 0; i < p->ncodelets; i++) free(p->codelets[i].spectrum), free(p->codelets[i].name);
  free(p->codelets);
  free(p->text);
  free(p->error);
  *p = (Prepared){0};
}
