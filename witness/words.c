/* words.c: text that grows; a file as words and brackets; edits of it. */
#include "preparation.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

void text_put(Text *t, const char *from, size_t n) {
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
  text_put(t, line, (size_t)n);
  free(line);
  va_end(again);
}

void text_say(Text *t, const char *format, ...) {
  va_list list;
  va_start(list, format);
  say_list(t, format, list);
  va_end(list);
}

void *words_grown(void *list, size_t bytes) {
  void *more = realloc(list, bytes);
  if (!more) abort();
  return more;
}

void words_fail(Preparation *p, const File *f, int line, const char *what) {
  if (p->error) return;
  Text t = {0};
  text_say(&t, "%s:%d: %s", f->is->name, line, what);
  p->error = t.at;
}

static void add_word(File *f, WordKind kind, const char *at, const char *end, int line) {
  MORE(f->word, f->n);
  f->word[f->n++] = (Word){kind, at, (int)(end - at), line, -1};
}

static void edit(File *f, const char *at, size_t length, char *text);

/* A line of the preprocessor. One that includes a file becomes blank: who calls has that file too. */
static const char *skip_directive(File *f, const char *s, const char *end, int *line) {
  const char *from = s, *word = s + 1;
  while (word < end && (*word == ' ' || *word == '\t')) word++;
  const bool includes = end - word >= 7 && memcmp(word, "include", 7) == 0;
  while (s < end && *s != '\n') {
    if (*s == '\\' && s + 1 < end && s[1] == '\n') { ++*line; s++; }
    s++;
  }
  if (includes) {
    Text blank = {0};
    text_put(&blank, "", 0);
    for (const char *at = from; at < s; at++)
      if (*at == '\n') text_put(&blank, "\n", 1);
    edit(f, from, (size_t)(s - from), blank.at);
  }
  return s;
}

/* Past blanks, comments and lines of the preprocessor; NULL: a comment does not end. */
static const char *skip(File *f, const char *s, const char *end, int *line, bool *fresh) {
  while (s < end) {
    if (*s == '\n') { ++*line; *fresh = true; s++; }
    else if (isspace((unsigned char)*s)) s++;
    else if (s + 1 < end && s[0] == '/' && s[1] == '/') {
      for (; s < end && *s != '\n'; s++) { /* a line that ends in a backslash goes on */
        const bool goes_on = *s == '\\' && s + 1 < end, crlf = goes_on && s + 2 < end && s[1] == '\r' && s[2] == '\n';
        const size_t n = crlf ? 2 : goes_on && s[1] == '\n' ? 1 : 0;
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
      s = skip_directive(f, s, end, line);
    } else break;
  }
  return s;
}

static const char *sign_end(const char *s, const char *end) {
  static const char *const signs[] = {"<<=", ">>=", "::", "->", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=",
                                      "^=", "==", "!=", "<=", ">=", "&&", "||", "<<",
                                      NULL}; /* `>>' closes templates too */
  for (int i = 0; signs[i]; i++) {
    size_t n = strlen(signs[i]);
    if ((size_t)(end - s) >= n && memcmp(s, signs[i], n) == 0) return s + n;
  }
  return s + 1;
}

void words_read(Preparation *p, File *f) {
  const char *s = f->is->text, *end = s + f->is->length;
  int line = 1;
  bool fresh = true;
  const char *nul = f->is->length ? memchr(s, '\0', f->is->length) : NULL; /* in comments, too */
  if (nul) {
    for (; s < nul; s++) line += *s == '\n';
    return words_fail(p, f, line, "a character that no codelet has");
  }
  while ((s = skip(f, s, end, &line, &fresh)) != NULL && s < end) {
    const char *from = s;
    fresh = false;
    if (isalpha((unsigned char)*s) || *s == '_') {
      while (s < end && (isalnum((unsigned char)*s) || *s == '_')) s++;
      add_word(f, WORD_NAME, from, s, line);
    } else if (isdigit((unsigned char)*s) || (*s == '.' && s + 1 < end && isdigit((unsigned char)s[1]))) {
      while (s < end && (isalnum((unsigned char)*s) || *s == '.' ||
                         (*s == '\'' && s + 1 < end && isalnum((unsigned char)s[1])) ||
                         ((*s == '+' || *s == '-') && strchr("eEpP", s[-1])))) s++;
      add_word(f, WORD_NUMBER, from, s, line);
    } else if (*s == '"' || *s == '\'') {
      for (s++; s < end && *s != *from && *s != '\n'; s++)
        if (*s == '\\' && s + 1 < end) s++;
      if (s >= end || *s != *from) return words_fail(p, f, line, "a text does not end");
      add_word(f, WORD_TEXT, from, ++s, line);
    } else if (*s == '\0' || (unsigned char)*s >= 0x80 || strchr("`@$", *s)) {
      return words_fail(p, f, line, "a character that no codelet has");
    } else {
      s = sign_end(s, end);
      add_word(f, WORD_SIGN, from, s, line);
    }
  }
  if (!s) return words_fail(p, f, line, "a comment does not end");
  add_word(f, WORD_END, end, end, line);
}

void words_match_brackets(Preparation *p, File *f) {
  int open[DEEPEST], depth = 0;
  for (int i = 0; i < f->n && !p->error; i++) {
    const Word *w = &f->word[i];
    if (w->kind != WORD_SIGN || w->length != 1) continue;
    if (strchr("([{", *w->at)) {
      if (depth == DEEPEST) words_fail(p, f, w->line, "brackets in brackets in brackets: more than 256");
      else open[depth++] = i;
    }
    else if (strchr(")]}", *w->at)) {
      const char wanted = *w->at == ')' ? '(' : *w->at == ']' ? '[' : '{';
      if (depth == 0 || *f->word[open[depth - 1]].at != wanted) {
        words_fail(p, f, w->line, "a bracket that was not opened");
        break;
      }
      int mate = open[--depth];
      f->word[mate].mate = i;
      f->word[i].mate = mate;
    }
  }
  if (depth && !p->error) words_fail(p, f, f->word[open[depth - 1]].line, "a bracket that is not closed");
}

/* The word behind a template's arguments, `i' being its `<'; -1: they do not end. */
int words_behind_arguments(const File *f, int i) {
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

char *words_copy(const Word *w) {
  char *s = malloc((size_t)w->length + 1);
  if (!s) abort();
  memcpy(s, w->at, (size_t)w->length);
  s[w->length] = '\0';
  return s;
}

int words_by_name(const void *x, const void *y) {
  const Word *a = x, *b = y;
  const int order = memcmp(a->at, b->at, (size_t)(a->length < b->length ? a->length : b->length));
  return order ? order : a->length - b->length;
}

/* ---- edits ---- */

static void edit(File *f, const char *at, size_t length, char *text) {
  MORE(f->edit, f->nedits);
  f->edit[f->nedits] = (Edit){at, length, text, f->nedits};
  f->nedits++;
}

void edit_replace(File *f, int first, int last, const char *format, ...) {
  const char *from = f->word[first].at, *to = f->word[last].at + f->word[last].length;
  Text t = {0};
  va_list list;
  va_start(list, format);
  say_list(&t, format, list);
  va_end(list);
  for (const char *s = from; s < to; s++)
    if (*s == '\n') text_put(&t, "\n", 1); /* lines stay where they are */
  edit(f, from, (size_t)(to - from), t.at);
}

void edit_insert(File *f, const char *at, const char *format, ...) {
  Text t = {0};
  va_list list;
  va_start(list, format);
  say_list(&t, format, list);
  va_end(list);
  edit(f, at, 0, t.at);
}
int edit_by_place(const void *x, const void *y) {
  const Edit *a = x, *b = y;
  if (a->at != b->at) return a->at < b->at ? -1 : 1;
  return !a->length != !b->length ? (a->length ? 1 : -1) : a->order - b->order; /* what is inserted comes first */
}
