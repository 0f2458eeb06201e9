/* buffer.h: text under construction, growing in an arena. */
#ifndef TGC_SUPPORT_BUFFER_H
#define TGC_SUPPORT_BUFFER_H

#include "support/arena.h"

typedef struct Buffer {
  Arena *arena;
  char *text; /* NUL-terminated once anything was added; "" before */
  size_t length, capacity;
} Buffer;

/* An empty buffer whose storage belongs to `a`. */
Buffer buffer_new(Arena *a);
/* Add a string, n bytes, formatted text. */
void buffer_puts(Buffer *b, const char *s);
void buffer_putn(Buffer *b, const char *s, size_t n);
void buffer_printf(Buffer *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Adds `n` copies of `c`. */
void buffer_fill(Buffer *b, char c, int n);
/* The text with `to` wherever it has `from`. */
const char *text_replaced(Arena *a, const char *text, const char *from, const char *to);
/* Words as lines of at most PARAGRAPH_WIDTH characters, each behind `before`; a longer word has a line of its own. */
enum { PARAGRAPH_WIDTH = 122 };
void buffer_put_paragraph(Buffer *b, const char *before, const char *words);

#endif
