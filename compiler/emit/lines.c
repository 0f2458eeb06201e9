/* lines.c: `--line': a line that comes from a codelet is said to be there, the line behind it to be where it is.
 *
 * Requires #line directives right before the lines that they are about, as printer.c writes them. Keeps all other
 * lines. The text is named __BASE_FILE__, the file that is compiled, under whatever name the compiler was given:
 * neither where the folder is nor what it is called is in the text. */
#include <string.h>

#include "emit/variant.h"

static const char directive[] = "#line ", pragma[] = "#pragma ";

static bool begins_with(const char *line, const char *word) {
  return strncmp(line, word, strlen(word)) == 0;
}

/* Behind the end of a line, and of those that a backslash continues it by. */
static const char *line_end(const char *at) {
  while (*at) {
    const char *end = at + strcspn(at, "\n");
    const bool goes_on = end > at && end[-1] == '\\';
    at = *end ? end + 1 : end;
    if (!goes_on) break;
  }
  return at;
}

typedef struct Lines {
  Buffer *to;
  int n; /* how many there are */
} Lines;

static void put(Lines *x, const char *begin, const char *end) {
  buffer_putn(x->to, begin, (size_t)(end - begin));
  for (const char *at = begin; at < end; at++) x->n += *at == '\n';
}

/* The codelet's line whose directive begins at `at'; a pragma goes with the statement that it is for. Returns what is
 * behind it. */
static const char *put_codelet_line(Lines *x, const char *at) {
  const char *line = line_end(at), *end = line_end(line);
  put(x, at, end);
  if (!begins_with(line + strspn(line, " "), pragma)) return end;
  put(x, at, line);
  line = end;
  put(x, line, line_end(line));
  return line_end(line);
}

void emit_lines_back(Buffer *text) {
  const char *at = text->text;
  Buffer all = buffer_new(text->arena);
  Lines x = {&all, 0};
  while (*at) {
    if (!begins_with(at, directive)) {
      const char *end = line_end(at);
      put(&x, at, end);
      at = end;
      continue;
    }
    at = put_codelet_line(&x, at);
    if (!*at || begins_with(at, directive)) continue;
    buffer_printf(&all, "%s%d __BASE_FILE__\n", directive, x.n + 2);
    x.n++;
  }
  *text = all;
}
