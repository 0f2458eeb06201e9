/* mask.c: the texts that one body is parsed from.
 *
 * A file of n codelets takes n parses, since several definitions of one function are no C++. Each has to cost what its
 * body does: were all the others' declarations in it, n codelets would take n * n (and clang, which compares the
 * annotations of a redeclaration with those of all before it, more than that). So
 *
 *   the text      has the one function, the others are blanks
 *   the outline   has structs and, of the functions that the body names, the first declaration
 *
 * Both are kept with all functions blank. What a parse needs is put in, and taken out before the next. Declarations
 * with a directive inside always stay as they are. */
#include "front/mask.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Name {
  const char *text, *named; /* named: of a function over operators, what those see of it that name one; NULL */
  int declaration; /* the first one, into scan->declarations */
} Name;

struct Masks {
  Arena *a;
  const SourceFile *f;
  const Scan *scan;
  const char *whole;  /* the outline */
  Buffer text;        /* the file's text without functions */
  char *outline;      /* the same of the outline, */
  Buffer behind;      /* and what follows it: what is seen by those that name operators */
  bool operators;     /* of the function at hand: it is over operators */
  VEC(Name) names;    /* sorted by bytes when `sorted' */
  bool sorted;
  VEC(Body) put;      /* what the last call put into the outline, */
  Body put_in_text;   /* and into the text: a declaration, or */
  bool put_body;      /* the body alone */
};

Masks *masks_new(Arena *a, const SourceFile *f, const Scan *s, const char *outline) {
  Masks *m = arena_one(a, Masks);
  *m = (Masks){.a = a, .f = f, .scan = s, .whole = outline, .text = buffer_new(a)};
  buffer_putn(&m->text, outline, f->size);
  for (int i = 0; i < s->structs.n; i++) scan_blank(m->text.text, s->structs.at[i]);
  m->outline = arena_strndup(a, outline, f->size);
  return m;
}

/* The declaration around an offset, or -1. */
static int declaration_at(const Masks *m, unsigned at) {
  int low = 0, high = m->scan->declarations.n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (m->scan->declarations.at[middle].end <= at) low = middle + 1;
    else high = middle;
  }
  return low < m->scan->declarations.n && m->scan->declarations.at[low].begin <= at ? low : -1;
}

/* Can it be taken out of the outline by itself? */
static bool is_alone(const Masks *m, Body b) { return !memchr(m->whole + b.begin, '#', b.end - b.begin); }

void masks_add(Masks *m, const char *name, unsigned at, const char *named) {
  int declaration = declaration_at(m, at);
  if (declaration < 0) return;
  Body b = m->scan->declarations.at[declaration];
  if (!is_alone(m, b)) return;
  scan_blank(m->text.text, b);
  scan_blank(m->outline, b);
  Name x = {name, named, declaration};
  vec_push(m->a, &m->names, x);
  m->sorted = false;
}

static int by_text(const void *x, const void *y) {
  const Name *a = x, *b = y;
  int order = strcmp(a->text, b->text);
  return order ? order : a->declaration - b->declaration;
}

/* Sorted, each name with its first declaration alone. */
static void sort_names(Masks *m) {
  if (m->names.n) qsort(m->names.at, (size_t)m->names.n, sizeof *m->names.at, by_text);
  int n = 0;
  for (int i = 0; i < m->names.n; i++)
    if (!n || strcmp(m->names.at[n - 1].text, m->names.at[i].text) != 0) m->names.at[n++] = m->names.at[i];
  m->names.n = n;
  m->sorted = true;
}

static void put_in_outline(Masks *m, const Name *name) {
  if (name->named && !m->operators) {
    if (!strstr(m->behind.text, name->named)) buffer_puts(&m->behind, name->named);
    return;
  }
  Body b = m->scan->declarations.at[name->declaration];
  memcpy(m->outline + b.begin, m->whole + b.begin, b.end - b.begin);
  vec_push(m->a, &m->put, b);
}

static const Name *find_name(const Masks *m, const char *word, size_t length) {
  int low = 0, high = m->names.n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    int order = strncmp(m->names.at[middle].text, word, length);
    if (order == 0 && m->names.at[middle].text[length]) order = 1;
    if (order == 0) return &m->names.at[middle];
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return NULL;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static void put_named(Masks *m, Body body) {
  const char *text = m->scan->text;
  for (unsigned at = body.begin, end; at < body.end; at = end) {
    for (end = at; end < body.end && is_word(text[end]);) end++;
    const Name *name = end > at ? find_name(m, text + at, end - at) : NULL;
    if (name) put_in_outline(m, name);
    if (end == at) end++;
  }
}

static void take_out(Masks *m) {
  for (int i = 0; i < m->put.n; i++) scan_blank(m->outline, m->put.at[i]);
  m->put.n = 0;
  m->text.length = m->f->size;
  m->text.text[m->text.length] = '\0';
  scan_blank(m->text.text, m->put_in_text);
  if (m->put_body) m->text.text[m->put_in_text.begin] = ';';
}

static void put_in_text(Masks *m, unsigned at, Body body) {
  int declaration = declaration_at(m, at);
  Body whole = declaration < 0 ? body : m->scan->declarations.at[declaration];
  m->put_body = declaration < 0 || !is_alone(m, whole);
  m->put_in_text = m->put_body ? body : whole;
  size_t length = m->put_in_text.end - m->put_in_text.begin;
  memcpy(m->text.text + m->put_in_text.begin, m->scan->text + m->put_in_text.begin, length);
}

Masked masks_for(Masks *m, unsigned at, Body body, bool all, bool operators) {
  if (!m->sorted) sort_names(m);
  m->operators = operators;
  m->behind = buffer_new(m->a);
  buffer_puts(&m->behind, "");
  take_out(m);
  put_in_text(m, at, body);
  if (!all) put_named(m, body);
  for (int i = 0; all && i < m->names.n; i++) put_in_outline(m, &m->names.at[i]);
  const char *outline = m->behind.length ? arena_printf(m->a, "%s\n%s", m->outline, m->behind.text) : m->outline;
  return (Masked){&m->text, outline};
}
