/* merge.c: what two files define alike is defined once: functions and structs that differ in blanks and comments at
 * most. The first stays. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "front/scan.h"
#include "support/buffer.h"
#include "support/hash.h"

typedef struct Definition {
  Body where;
  const SourcePart *part;
  const char *words; /* its text, blanks only where words would run together otherwise */
  uint64_t hash;
} Definition;

typedef VEC(Definition) Definitions;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Would they be another word or sign without a blank between? */
static bool run_together(char x, char y) {
  static const char signs[] = "+-*/%&|^<>=!:.'\"";
  return (is_word(x) && is_word(y)) || (strchr(signs, x) && strchr(signs, y));
}

static const char *words_of(Arena *a, const char *text, Body b) {
  Buffer to = buffer_new(a);
  bool apart = false;
  for (unsigned i = b.begin; i < b.end;) {
    if (text[i] == '/' && text[i + 1] == '/') {
      while (i < b.end && text[i] != '\n') i += text[i] == '\\' ? 2 : 1;
      apart = true;
    } else if (text[i] == '/' && text[i + 1] == '*') {
      for (i += 2; i < b.end && !(text[i] == '*' && text[i + 1] == '/');) i++;
      i += 2;
      apart = true;
    } else if (isspace((unsigned char)text[i])) {
      apart = true;
      i++;
    } else {
      if (apart && to.length && run_together(to.text[to.length - 1], text[i])) buffer_puts(&to, " ");
      apart = false;
      buffer_putn(&to, text + i++, 1);
    }
  }
  return to.text;
}

static void add(Arena *a, const SourceFile *f, const Scan *s, Body b, Definitions *to) {
  if (memchr(s->text + b.begin, '#', b.end - b.begin)) return; /* it does more than to define */
  Definition x = {b, source_part(f, b.begin), words_of(a, s->text, b), 0};
  if (!x.words) return;
  x.hash = hash_text(HASH_START, x.words);
  vec_push(a, to, x);
}

static int by_hash(const void *p, const void *q) {
  const Definition *x = p, *y = q;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return x->where.begin < y->where.begin ? -1 : x->where.begin > y->where.begin;
}

/* Blank, and in no list. */
static void take_out(Scan *s, Body b) {
  scan_blank(s->text, b);
#define WITHOUT(list)                                                                               \
  do {                                                                                              \
    int n = 0;                                                                                      \
    for (int i = 0; i < (list).n; i++)                                                              \
      if ((list).at[i].begin < b.begin || (list).at[i].begin >= b.end) (list).at[n++] = (list).at[i]; \
    (list).n = n;                                                                                   \
  } while (0)
  WITHOUT(s->bodies);
  WITHOUT(s->declarations);
  WITHOUT(s->natives);
  WITHOUT(s->structs);
#undef WITHOUT
}

void scan_merge(Arena *a, const SourceFile *f, Scan *s) {
  Definitions all = {0};
  for (int i = 0, body = 0; i < s->declarations.n; i++) {
    Body b = s->declarations.at[i];
    while (body < s->bodies.n && s->bodies.at[body].begin < b.begin) body++;
    if (body < s->bodies.n && s->bodies.at[body].end <= b.end) add(a, f, s, b, &all);
  }
  for (int i = 0; i < s->structs.n; i++) add(a, f, s, s->structs.at[i], &all);
  if (all.n) qsort(all.at, (size_t)all.n, sizeof *all.at, by_hash);
  for (int i = 1, first = 0; i < all.n; i++) {
    const Definition *x = &all.at[first], *y = &all.at[i];
    if (x->hash != y->hash || strcmp(x->words, y->words) != 0) first = i;
    else if (x->part != y->part) take_out(s, y->where);
  }
}
