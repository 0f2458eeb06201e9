/* buffer.c: text under construction, growing in an arena. */
#include "support/buffer.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

Buffer buffer_new(Arena *a) { return (Buffer){.arena = a, .text = ""}; }

static char *room(Buffer *b, size_t more) {
  if (b->length + more + 1 > b->capacity) {
    size_t wanted = b->capacity ? b->capacity * 2 : 256;
    while (wanted < b->length + more + 1) wanted *= 2;
    char *grown = arena_alloc(b->arena, wanted);
    if (b->length) memcpy(grown, b->text, b->length);
    b->text = grown;
    b->capacity = wanted;
  }
  return b->text + b->length;
}

void buffer_putn(Buffer *b, const char *s, size_t n) {
  memcpy(room(b, n), s, n);
  b->length += n;
  b->text[b->length] = '\0';
}

void buffer_puts(Buffer *b, const char *s) { buffer_putn(b, s, strlen(s)); }

void buffer_fill(Buffer *b, char c, int n) {
  if (n <= 0) return;
  memset(room(b, (size_t)n), c, (size_t)n);
  b->length += (size_t)n;
  b->text[b->length] = '\0';
}

void buffer_printf(Buffer *b, const char *fmt, ...) {
  va_list ap, again;
  va_start(ap, fmt);
  va_copy(again, ap);
  const size_t left = b->capacity - b->length; /* most texts fit, and are made once */
  const int n = vsnprintf(left ? b->text + b->length : NULL, left, fmt, ap);
  if (n > 0 && (size_t)n >= left) vsnprintf(room(b, (size_t)n), (size_t)n + 1, fmt, again);
  if (n > 0) b->length += (size_t)n;
  va_end(again);
  va_end(ap);
}

void buffer_put_paragraph(Buffer *b, const char *before, const char *words) {
  size_t column = 0;
  while (*words) {
    const size_t n = strcspn(words, " ");
    const bool breaks = column && column + 1 + n > PARAGRAPH_WIDTH;
    if (breaks) buffer_puts(b, "\n");
    if (breaks) column = 0;
    buffer_puts(b, column ? " " : before);
    buffer_putn(b, words, n);
    column += (column ? 1 : strlen(before)) + n;
    words += n + (words[n] == ' ');
  }
  buffer_puts(b, "\n");
}

const char *text_replaced(Arena *a, const char *text, const char *from, const char *to) {
  Buffer b = buffer_new(a);
  for (const char *at; (at = strstr(text, from)) != NULL; text = at + strlen(from)) {
    buffer_putn(&b, text, (size_t)(at - text));
    buffer_puts(&b, to);
  }
  buffer_puts(&b, text);
  return b.text;
}
