/* lines.h: places of a text as bytes, as the compiler has them, and as lines and UTF-16 code units, as editors have
 * them. */
#ifndef TGC_LSP_LINES_H
#define TGC_LSP_LINES_H

#include <jansson.h>

#include "support/diagnostics.h"

typedef struct Lines {
  const char *text;
  size_t size;
  VEC(size_t) starts; /* of each line; there is one at least */
} Lines;

/* From 0 on. */
typedef struct LinesPlace { long long line, character; } LinesPlace;

Lines lines_of(Arena *a, const char *text, size_t size);
LinesPlace lines_place(const Lines *l, size_t offset);
/* The nearest offset there is, at the beginning of a character. */
size_t lines_offset(const Lines *l, LinesPlace at);
/* {"start": {"line", "character"}, "end"}: one character at least is in it, where there is one. */
json_t *lines_range(const Lines *l, SourceSpan at);

#endif
