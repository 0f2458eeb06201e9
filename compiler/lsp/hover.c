/* hover.c: what is shown of a name: how it is declared, what a codelet is, and the comment above it. */
#include <ctype.h>
#include <string.h>

#include "ir/operator.h"
#include "lsp/report.h"
#include "support/buffer.h"

enum { LONGEST = 2000, MOST_TAGS = 40 };

/* ---- declarations ---- */

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Where the qualifiers before a declaration begin: `__like(x) __mutable' before `Array<1, T> y'. */
static unsigned with_qualifiers(const char *text, unsigned at) {
  for (;;) {
    unsigned i = at;
    while (i > 0 && isspace((unsigned char)text[i - 1])) i--;
    if (i > 0 && text[i - 1] == ')') {
      int depth = 0;
      do {
        i--;
        depth += text[i] == ')' ? 1 : text[i] == '(' ? -1 : 0;
      } while (i > 0 && depth > 0);
    }
    unsigned word = i;
    while (word > 0 && is_word(text[word - 1])) word--;
    if (i - word < 3 || text[word] != '_' || text[word + 1] != '_') return at;
    at = word;
  }
}

/* A declaration's text without its body, blanks and ends of lines as they are. */
static const char *declaration(const Report *r, const Declared *d) {
  const char *text = r->of->file->text;
  unsigned begin = with_qualifiers(text, d->extent.begin), end = d->extent.end;
  const bool body = d->kind == MENTION_CODELET || d->kind == MENTION_STRUCT || d->kind == MENTION_OPERATOR ||
                    d->kind == MENTION_FUNCTION;
  for (unsigned i = d->at.begin; body && i < end; i++)
    if (text[i] == '{' || text[i] == ';') end = i;
  while (end > begin && isspace((unsigned char)text[end - 1])) end--;
  if (end - begin > LONGEST) end = begin + LONGEST;
  return arena_strndup(r->a, text + begin, end - begin);
}

/* ---- comments ---- */

static unsigned line_start(const char *text, unsigned at) {
  while (at > 0 && text[at - 1] != '\n') at--;
  return at;
}

/* The text of a line of a comment, without what makes it one. */
static void put_comment_line(Buffer *to, const char *line, size_t n) {
  while (n > 0 && (isspace((unsigned char)line[n - 1]) || line[n - 1] == '/' || line[n - 1] == '*')) n--;
  size_t i = 0;
  while (i < n && (isspace((unsigned char)line[i]) || line[i] == '/' || line[i] == '*')) i++;
  buffer_putn(to, line + i, n - i);
  buffer_puts(to, "\n");
}

/* The lines of comment right above a declaration. */
static const char *comment_above(const Report *r, const Declared *d) {
  const char *text = r->of->file->text;
  const unsigned end = line_start(text, with_qualifiers(text, d->extent.begin));
  const SourcePart *part = source_part(r->of->file, end);
  unsigned begin = end;
  for (bool block = false; begin > (part ? part->begin : 0);) {
    const unsigned line = line_start(text, begin - 1);
    unsigned first = line, last = begin - 1;
    while (first < last && isspace((unsigned char)text[first])) first++;
    while (last > first && isspace((unsigned char)text[last - 1])) last--;
    const bool single = last - first >= 2 && strncmp(text + first, "//", 2) == 0;
    const bool closes = last - first >= 2 && strncmp(text + last - 2, "*/", 2) == 0;
    if (!single && !block && !(closes && (text[first] == '/' || text[first] == '*'))) break;
    block = (block || closes) && !(last - first >= 2 && strncmp(text + first, "/*", 2) == 0);
    if (end - line > LONGEST) break;
    begin = line;
  }
  Buffer b = buffer_new(r->a);
  for (unsigned at = begin; at < end;) {
    const char *stop = memchr(text + at, '\n', end - at);
    const unsigned next = stop ? (unsigned)(stop - text) + 1 : end;
    put_comment_line(&b, text + at, next - at - (stop != NULL));
    at = next;
  }
  return b.text;
}

/* ---- codelets ---- */

static const Spectrum *spectrum_of(const Report *r, const Declared *d) {
  return r->of->unit && d->kind == MENTION_CODELET ? unit_spectrum(r->of->unit, d->name) : NULL;
}

const char *hover_class(const Report *r, const Declared *d) {
  static const char *const classes[] = {[CLASS_AUTONOMOUS] = "autonomous codelet",
                                        [CLASS_COOPERATIVE] = "cooperative codelet",
                                        [CLASS_COMPOUND] = "compound codelet"};
  if (d->kind == MENTION_OPERATOR) return "operator";
  const Spectrum *s = spectrum_of(r, d);
  for (int i = 0; s && i < s->ncodelets; i++)
    if (s->codelets[i]->where.begin == d->at.begin) return classes[s->codelets[i]->kind];
  return d->kind == MENTION_CODELET && !d->defined ? "spectrum" : NULL;
}

static void put_spectrum(Buffer *to, const Report *r, const Declared *d) {
  const Spectrum *s = spectrum_of(r, d);
  if (!s) return;
  const char *is = hover_class(r, d);
  if (is && d->defined) buffer_printf(to, "\n%c%s", toupper((unsigned char)is[0]), is + 1);
  if (is && d->defined && d->tag) buffer_printf(to, " `%s`", d->tag);
  if (is && d->defined) buffer_puts(to, ". ");
  buffer_printf(to, "%sSpectrum `%s`", is && d->defined ? "" : "\n", s->name);
  if (s->op != OPERATOR_NONE) buffer_printf(to, ", a reduction by `%s`", operator_name(s->op));
  if (s->ncodelets > 1) buffer_puts(to, ": ");
  for (int i = 0; i < s->ncodelets && i < MOST_TAGS && s->ncodelets > 1; i++)
    buffer_printf(to, "%s`%s`", i ? ", " : "", s->codelets[i]->tag);
  buffer_puts(to, ".\n");
}

const char *hover_of(const Report *r, const Declared *d) {
  Buffer b = buffer_new(r->a);
  buffer_printf(&b, "```cdl\n%s\n```\n", declaration(r, d));
  put_spectrum(&b, r, d);
  const bool documented = d->kind == MENTION_CODELET || d->kind == MENTION_STRUCT || d->kind == MENTION_OPERATOR ||
                          d->kind == MENTION_FUNCTION || d->kind == MENTION_MACRO;
  if (documented) buffer_printf(&b, "\n%s", comment_above(r, d));
  return b.text;
}
