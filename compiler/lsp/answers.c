/* answers.c: answers from a report (report.h), and from the words of the language. While a text that is being typed
 * cannot be read, the last report that could be made stands in: then a name counts, not its place. */
#include "lsp/answers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "lsp/words.h"
#include "support/buffer.h"

/* ---- the name at a place ---- */

typedef struct Name {
  const Document *in;
  const char *text; /* "": there is none */
  LinesPlace at;    /* where it begins */
  bool member;      /* behind a dot, or `::' */
} Name;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static Name name_at(Arena *a, const Document *d, LinesPlace at) {
  const char *text = d->lines.text;
  size_t begin = lines_offset(&d->lines, at), end = begin;
  while (begin > 0 && is_word(text[begin - 1])) begin--;
  while (end < d->lines.size && is_word(text[end])) end++;
  Name n = {.in = d, .text = arena_strndup(a, text + begin, end - begin), .at = lines_place(&d->lines, begin)};
  while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) begin--;
  n.member = begin > 0 && (text[begin - 1] == '.' || (begin > 1 && strncmp(text + begin - 2, "::", 2) == 0));
  return n;
}

static long long number_at(const json_t *array, size_t i) { return json_integer_value(json_array_get(array, i)); }

static const json_t *declared_of(const Document *d, const json_t *mention) {
  return json_array_get(json_object_get(d->report, "declared"), (size_t)number_at(mention, 2));
}

static bool is_called(const json_t *declared, const char *name) {
  const char *text = json_string_value(json_object_get(declared, "name"));
  return text && strcmp(text, name) == 0;
}

/* The mention of a name; NULL: the text has none there. `nearest': the nearest line on which it is mentioned serves. */
static const json_t *mention_at(const Name *n, bool nearest) {
  const json_t *all = json_object_get(n->in->report, "mentions"), *best = NULL;
  long long distance = 0;
  for (size_t i = 0; i < json_array_size(all) && n->text[0]; i++) {
    const json_t *m = json_array_get(all, i);
    const long long apart = llabs(number_at(m, 0) - n->at.line);
    if (!nearest && (apart || number_at(m, 1) != n->at.character)) continue;
    if ((best && apart >= distance) || !is_called(declared_of(n->in, m), n->text)) continue;
    best = m;
    distance = apart;
  }
  return best;
}

/* What the name is declared as, in the file or by the language: one of the two, or none. */
typedef struct Meaning { const json_t *declared; const Word *word; } Meaning;

/* What depends on T has no declaration that clang knows: a struct's member of that name. */
static const json_t *member_called(const Document *d, const char *name) {
  const json_t *all = json_object_get(d->report, "declared");
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *x = json_array_get(all, i);
    const char *kind = json_string_value(json_object_get(x, "kind"));
    if (is_called(x, name) && (strcmp(kind, "field") == 0 || strcmp(kind, "function") == 0)) return x;
  }
  return NULL;
}

static Meaning meaning_of(const Name *n) {
  Meaning m = {0};
  if (!n->text[0]) return m;
  const json_t *exact = mention_at(n, false);
  if (exact) return (Meaning){declared_of(n->in, exact), NULL};
  m.word = word_called(n->text, n->member);
  if (m.word) return m;
  if (n->member) m.declared = member_called(n->in, n->text);
  else if (n->in->reported != n->in->generation && (exact = mention_at(n, true)))
    m.declared = declared_of(n->in, exact);
  return m;
}

/* The #include on the line; NULL: there is none. */
static const json_t *include_at(const Document *d, LinesPlace at) {
  const json_t *all = json_object_get(d->report, "includes");
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *x = json_array_get(all, i), *start = json_object_get(json_object_get(x, "range"), "start");
    if (json_integer_value(json_object_get(start, "line")) == at.line) return x;
  }
  return NULL;
}

/* ---- hover ---- */

static json_t *markdown(const char *text) {
  return json_pack("{s:{s:s, s:s}}", "contents", "kind", "markdown", "value", text);
}

static const char *word_text(Arena *a, const Word *w) {
  return arena_printf(a, "```cdl\n%s\n```\n%s\n", w->usage, w->meaning);
}

json_t *answer_hover(const Document *d, LinesPlace at) {
  Arena *a = arena_new();
  const Name n = name_at(a, d, at);
  const Meaning m = meaning_of(&n);
  const json_t *include = include_at(d, at);
  const char *text = m.declared ? json_string_value(json_object_get(m.declared, "hover"))
                     : m.word   ? word_text(a, m.word)
                     : include  ? json_string_value(json_object_get(include, "path"))
                                : NULL;
  json_t *answer = text ? markdown(text) : json_null();
  arena_free(a);
  return answer;
}

/* ---- definition ---- */

json_t *answer_definition(const Document *d, LinesPlace at) {
  static const char start[] = "{s:o, s:{s:{s:i, s:i}, s:{s:i, s:i}}}";
  Arena *a = arena_new();
  const Name n = name_at(a, d, at);
  const json_t *include = include_at(d, at);
  json_t *answer;
  if (include) {
    json_t *to = json_pack(start, "uri", json_incref(json_object_get(include, "uri")), "range", "start", "line", 0,
                           "character", 0, "end", "line", 0, "character", 0);
    answer = json_pack("[o]", to);
  } else {
    const Meaning m = meaning_of(&n);
    json_t *places = json_object_get(m.declared, "places");
    answer = places ? json_incref(places) : json_null();
  }
  arena_free(a);
  return answer;
}

/* ---- highlights ---- */

json_t *answer_highlights(const Document *d, LinesPlace at) {
  enum { TEXT = 1 };
  Arena *a = arena_new();
  const Name n = name_at(a, d, at);
  const json_t *here = d->reported == d->generation ? mention_at(&n, false) : NULL;
  const json_t *all = json_object_get(d->report, "mentions");
  const bool codelet = here && strcmp(json_string_value(json_object_get(declared_of(d, here), "kind")), "codelet") == 0;
  json_t *answer = json_array();
  for (size_t i = 0; here && i < json_array_size(all); i++) {
    const json_t *m = json_array_get(all, i);
    const bool same = number_at(m, 2) == number_at(here, 2) || (codelet && is_called(declared_of(d, m), n.text));
    const long long line = number_at(m, 0), character = number_at(m, 1);
    if (same)
      json_array_append_new(answer, json_pack("{s:{s:{s:I, s:I}, s:{s:I, s:I}}, s:i}", "range", "start", "line",
                                              (json_int_t)line, "character", (json_int_t)character, "end", "line",
                                              (json_int_t)line, "character",
                                              (json_int_t)(character + (long long)strlen(n.text)), "kind", TEXT));
  }
  arena_free(a);
  return answer;
}

/* ---- symbols ---- */

json_t *answer_symbols(const Document *d) {
  json_t *symbols = json_object_get(d->report, "symbols");
  return symbols ? json_incref(symbols) : json_array();
}

/* ---- completion ---- */

static json_t *item(Arena *a, const Word *w) {
  enum { METHOD = 2, FUNCTION = 3, CLASS = 7, KEYWORD = 14, OPERATOR = 24 };
  static const int kinds[] = {[WORD_QUALIFIER] = KEYWORD, [WORD_TYPE] = CLASS, [WORD_FUNCTION] = FUNCTION,
                              [WORD_MEMBER] = METHOD,     [WORD_OPERATOR] = OPERATOR};
  return json_pack("{s:s, s:i, s:{s:s, s:s}}", "label", w->word, "kind", kinds[w->kind], "documentation", "kind",
                   "markdown", "value", word_text(a, w));
}

/* Names of the file, each once. */
static void add_names(const Document *d, json_t *to) {
  enum { FUNCTION = 3, VARIABLE = 6 };
  const json_t *all = json_object_get(d->report, "declared");
  json_t *seen = json_object();
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *x = json_array_get(all, i);
    const char *name = json_string_value(json_object_get(x, "name"));
    const char *kind = json_string_value(json_object_get(x, "kind"));
    if (json_object_get(seen, name)) continue;
    json_object_set_new(seen, name, json_true());
    json_array_append_new(to, json_pack("{s:s, s:i, s:s}", "label", name, "kind",
                                        strcmp(kind, "codelet") == 0 ? FUNCTION : VARIABLE, "detail", kind));
  }
  json_decref(seen);
}

json_t *answer_completion(const Document *d, LinesPlace at) {
  Arena *a = arena_new();
  const Name n = name_at(a, d, at);
  json_t *items = json_array();
  for (const Word *w = words; w->word; w++)
    if ((w->kind == WORD_MEMBER) == n.member) json_array_append_new(items, item(a, w));
  if (!n.member) add_names(d, items);
  arena_free(a);
  return items;
}
