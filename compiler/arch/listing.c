/* listing.c: the table of `tgc archs`.
 *
 *     name    title                      levels     has
 *     sm_60   Pascal (Tesla P100)        G>B>W>T>I  shuffles, block atomics,
 *                                                   double atomics */
#include "arch/listing.h"

#include <string.h>

#include "arch/spec.h"

enum { GAP = 2, TITLE_MOST = 30, NARROWEST = 12 };

typedef struct Cell {
  const char **words; /* a line takes as many as fit; no word is wider than its column, but for the last column's */
  int n;
} Cell;

typedef struct Row {
  Cell name, title, levels, has;
} Row;

/* Characters, which are as wide as columns in the scripts that titles are written in. */
static int width_of(const char *s) {
  int n = 0;
  for (; *s; s++) n += ((unsigned char)*s & 0xC0) != 0x80;
  return n;
}

/* How many bytes of a word have so many columns; 0: all. */
static size_t piece(const char *word, size_t n, int most) {
  size_t at = 0;
  for (int taken = 0; at < n; at++)
    if (((unsigned char)word[at] & 0xC0) != 0x80 && most && taken++ == most) break;
  return at;
}

/* Words; those wider than `most' in pieces, unless that is 0. */
static Cell split(Arena *a, const char *text, int most) {
  VEC(const char *) words = {0};
  for (;;) {
    text += strspn(text, " ");
    const size_t n = piece(text, strcspn(text, " "), most);
    if (n == 0) break;
    vec_push(a, &words, arena_strndup(a, text, n));
    text += n;
  }
  return (Cell){words.at, words.n};
}

static const char *letters(Arena *a, const Arch *m) {
  const char *s = "";
  for (int i = 0; i < m->nlevels; i++)
    s = arena_printf(a, "%s%s%s", s, i ? ">" : "", m->levels[i].letter);
  return s;
}

static Cell abilities(Arena *a, const Arch *m) {
  VEC(const char *) words = {0};
#define WORDS(field, from, needs, shown) \
  if (m->can.field && (shown)) vec_push(a, &words, (const char *)(shown));
  SPEC_INSTRUCTIONS(WORDS)
#undef WORDS
  if (m->nmatrix) vec_push(a, &words, "matrix units");
  for (int i = 0; i + 1 < words.n; i++) words.at[i] = arena_printf(a, "%s,", words.at[i]);
  return (Cell){words.at, words.n};
}

/* How wide the column has to be: as the cell, but no wider than `most' unless a word is; 0: as the cell. */
static int widest(const Cell *c, int so_far, int most) {
  int n = 0, word = 0;
  for (int i = 0; i < c->n; i++) {
    const int w = width_of(c->words[i]);
    n += w + (i > 0);
    if (w > word) word = w;
  }
  if (most && n > most) n = word > most ? word : most;
  return n > so_far ? n : so_far;
}

/* One line's worth of a cell, from word `from`; returns the word after it. */
static int put_line(Buffer *to, const Cell *c, int from, int width, bool pad) {
  int used = 0, i = from;
  for (; i < c->n; i++) {
    const char *w = c->words[i];
    int n = width_of(w);
    if (i > from && width && used + 1 + n > width) break;
    if (i > from) buffer_puts(to, " ");
    buffer_puts(to, w);
    used += n + (i > from);
  }
  if (pad) buffer_fill(to, ' ', width - used + GAP);
  return i;
}

static void trim(Buffer *b) {
  while (b->length && b->text[b->length - 1] == ' ') b->text[--b->length] = '\0';
}

static void put_row(Buffer *to, const Row *r, const int *widths) {
  const Cell *cells[] = {&r->name, &r->title, &r->levels, &r->has};
  int at[4] = {0};
  do {
    for (int k = 0; k < 4; k++) at[k] = put_line(to, cells[k], at[k], widths[k], k < 3);
    trim(to);
    buffer_puts(to, "\n");
  } while (at[0] < r->name.n || at[1] < r->title.n || at[2] < r->levels.n || at[3] < r->has.n);
}

/* "G grid, B block, ..": every pair of letter and name among the machines, once. */
static void put_legend(Buffer *to, Arena *a, const Arch **machines, int n, int columns) {
  VEC(const char *) said = {0};
  for (int i = 0; i < n; i++)
    for (int k = 0; k < machines[i]->nlevels; k++) {
      const char *pair =
          arena_printf(a, "%s %s", machines[i]->levels[k].letter, machines[i]->levels[k].name);
      int j = 0;
      while (j < said.n && strcmp(said.at[j], pair) != 0) j++;
      if (j == said.n) vec_push(a, &said, pair);
    }
  int used = 0;
  for (int i = 0; i < said.n; i++) {
    int w = width_of(said.at[i]) + 2;
    if (i && columns && used + w > columns) {
      buffer_puts(to, "\n");
      used = 0;
    }
    buffer_printf(to, "%s%s", said.at[i], i + 1 < said.n ? ", " : "");
    used += w;
    if (i + 1 < said.n && columns && used + width_of(said.at[i + 1]) + 2 > columns) trim(to);
  }
  buffer_puts(to, "\n");
}

void arch_print_table(Buffer *to, const Arch **machines, int n, int columns) {
  Arena *a = to->arena;
  if (n == 0) {
    buffer_puts(to, "no machines\n");
    return;
  }
  Row *rows = arena_many(a, Row, n + 1);
  rows[0] = (Row){split(a, "name", 0), split(a, "title", 0), split(a, "levels", 0), split(a, "has", 0)};
  int widths[4] = {4, 5, 6, 0};
  for (int i = 0; i < n; i++) {
    Row *r = &rows[i + 1];
    const Arch *m = machines[i];
    *r = (Row){split(a, m->name, 0), split(a, m->title, columns ? TITLE_MOST : 0), split(a, letters(a, m), 0),
               abilities(a, m)};
    widths[0] = widest(&r->name, widths[0], 0);
    widths[1] = widest(&r->title, widths[1], columns ? TITLE_MOST : 0);
    widths[2] = widest(&r->levels, widths[2], 0);
  }
  const int left = columns - widths[0] - widths[1] - widths[2] - 3 * GAP;
  widths[3] = !columns ? 0 : left > NARROWEST ? left : NARROWEST;
  for (int i = 0; i <= n; i++) put_row(to, &rows[i], widths);
  buffer_puts(to, "\n");
  put_legend(to, a, machines, n, columns);
}
