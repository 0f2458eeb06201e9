/* columns.c: `--columns': a line of a header, or of a variant's text, that is too long goes on in the next one, four
 * columns further in.
 *
 * It is parted where fewest brackets are open, there behind a comma before an operator, and as late as fits. Strings,
 * comments and directives stay whole (tools read the configurations, a line); so does what has no place to part it.
 *
 * Keeps the text: with a line's end and the blanks behind it as one blank it is what it was. */
#include <string.h>

#include "emit/emit.h"

enum { FURTHER = 4 };

/* Behind a string, or a character, which begins there. */
static const char *string_end(const char *at, const char *end) {
  const char quote = *at++;
  while (at < end && *at != quote) at += *at == '\\' ? 2 : 1;
  return at < end ? at + 1 : end;
}

/* How badly a line ends with what stands before a blank: commas, semicolons and assignments best, words worst. */
static int reluctance(const char *begin, const char *blank) {
  enum { LIST, LOGIC, SUMS, OPERATORS, WORDS };
  const char last = blank > begin ? blank[-1] : ' ';
  if (strchr(",;{=?:", last)) return LIST;
  if (strchr("&|", last)) return LOGIC;
  if (strchr("+-", last)) return SUMS;
  return strchr("*/%<>", last) ? OPERATORS : WORDS;
}

/* The blank to part a line at, of which so many columns fit; else the first one behind them. NULL: there is none. */
static const char *place_to_part(const char *begin, const char *end, int room) {
  enum { DEEPER = 8, SHORT = 64 }; /* of lines that would be half empty */
  const char *best = NULL, *first = begin + strspn(begin, " ");
  int depth = 0, least = 0;
  for (const char *at = first; at < end;) {
    if (*at == '"' || *at == '\'') { at = string_end(at, end); continue; }
    if (strchr("([{", *at)) depth++;
    if (strchr(")]}", *at)) depth--;
    if (*at == ' ') {
      const bool fits = at - begin <= room;
      const int cost = depth * DEEPER + reluctance(first, at) + (at - begin < room / 2 ? SHORT : 0);
      if (!fits && best) return best;
      if (!best || cost <= least) best = at, least = cost;
      if (!fits) return best;
    }
    at++;
  }
  return best;
}

/* Where its comment begins, and blanks before it; else its end. A line within a comment begins with an asterisk. */
static const char *code_end(const char *begin, const char *end) {
  const char *at = begin + strspn(begin, " ");
  if (at[0] == '*' && at[1] == ' ') return begin;
  while (at < end && !(at[0] == '/' && (at[1] == '/' || at[1] == '*')))
    at = *at == '"' || *at == '\'' ? string_end(at, end) : at + 1;
  while (at > begin && at < end && at[-1] == ' ') at--;
  return at;
}

static void fold_line(Buffer *to, int columns, const char *begin, const char *end) {
  const int indent = (int)strspn(begin, " ") + FURTHER;
  const char *code = code_end(begin, end);
  int before = 0; /* columns in front of what is left */
  while (before + (code - begin) > columns) {
    const char *part = place_to_part(begin, code, columns - before);
    if (!part || part + 1 >= code) break;
    buffer_putn(to, begin, (size_t)(part - begin));
    buffer_printf(to, "\n%*s", indent, "");
    begin = part + 1;
    before = indent;
  }
  buffer_putn(to, begin, (size_t)(end - begin));
}

void emit_in_columns(Buffer *text, int columns) {
  Buffer all = buffer_new(text->arena);
  bool directive = false;
  for (const char *at = text->text; *at;) {
    const char *end = at + strcspn(at, "\n");
    directive |= at[strspn(at, " ")] == '#';
    if (directive) buffer_putn(&all, at, (size_t)(end - at));
    else fold_line(&all, columns, at, end);
    directive &= end > at && end[-1] == '\\'; /* it goes on */
    if (*end) buffer_putn(&all, end++, 1);
    at = end;
  }
  *text = all;
}
