/* lines.c: offsets and places. A line ends with LF, CR LF or CR. */
#include "lsp/lines.h"

Lines lines_of(Arena *a, const char *text, size_t size) {
  Lines l = {.text = text, .size = size};
  vec_push(a, &l.starts, 0);
  for (size_t i = 0; i < size; i++)
    if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == size || text[i + 1] != '\n'))) vec_push(a, &l.starts, i + 1);
  return l;
}

static size_t line_at(const Lines *l, size_t offset) {
  size_t low = 0, high = (size_t)l->starts.n;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    if (l->starts.at[middle] <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/* UTF-16 code units of the character that begins with a byte; 0: none begins there. */
static int units(char byte) {
  const unsigned char c = (unsigned char)byte;
  return (c & 0xc0) == 0x80 ? 0 : c >= 0xf0 ? 2 : 1;
}

LinesPlace lines_place(const Lines *l, size_t offset) {
  if (offset > l->size) offset = l->size;
  const size_t line = line_at(l, offset);
  LinesPlace at = {(long long)line, 0};
  for (size_t i = l->starts.at[line]; i < offset; i++) at.character += units(l->text[i]);
  return at;
}

size_t lines_offset(const Lines *l, LinesPlace at) {
  if (at.line < 0) return 0;
  if (at.line >= l->starts.n) return l->size;
  size_t i = l->starts.at[at.line];
  for (long long left = at.character; i < l->size && l->text[i] != '\n' && l->text[i] != '\r'; i++) {
    const int n = units(l->text[i]);
    if (n && left < n) break;
    left -= n;
  }
  return i;
}

static json_t *place_json(LinesPlace at) {
  return json_pack("{s:I, s:I}", "line", (json_int_t)at.line, "character", (json_int_t)at.character);
}

json_t *lines_range(const Lines *l, SourceSpan at) {
  size_t begin = at.begin < l->size ? at.begin : l->size, end = at.end < l->size ? at.end : l->size;
  while (begin > 0 && begin < l->size && !units(l->text[begin])) begin--;
  if (end <= begin && begin < l->size && l->text[begin] != '\n') end = begin + 1;
  while (end < l->size && !units(l->text[end])) end++;
  if (end < begin) end = begin;
  return json_pack("{s:o, s:o}", "start", place_json(lines_place(l, begin)), "end", place_json(lines_place(l, end)));
}
