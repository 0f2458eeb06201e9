/* view_pool.c: what is repeated in a page is in it once. Hundreds of variants share most of their lines, and whole
 * functions: 500 variants of sum, 5 MB of text, are a page of 0.9 MB. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "driver/view.h"
#include "support/manifest.h"
#include "support/manifest_file.h"

/* Values in the order in which they were met, and their numbers by their text. */
typedef struct Numbered { json_t *at, *by_text; } Numbered;

struct ViewPool {
  Arena *a;
  Numbered values, lines, paragraphs;
};

static Numbered numbered(void) { return (Numbered){json_array(), json_object()}; }

static void numbered_free(Numbered *n) {
  json_decref(n->at);
  json_decref(n->by_text);
}

static json_t *number_of(Numbered *n, const char *text, json_t *value) {
  json_t *known = json_object_get(n->by_text, text);
  if (known) {
    json_decref(value);
    return json_incref(known);
  }
  json_t *number = json_integer((json_int_t)json_array_size(n->at));
  json_array_append_new(n->at, value);
  json_object_set(n->by_text, text, number);
  return number;
}

ViewPool *view_pool_new(Arena *a) {
  ViewPool *p = arena_one(a, ViewPool);
  *p = (ViewPool){a, numbered(), numbered(), numbered()};
  return p;
}

void view_pool_free(ViewPool *p) {
  numbered_free(&p->values);
  numbered_free(&p->lines);
  numbered_free(&p->paragraphs);
}

static json_t *by_dump(Numbered *n, json_t *value) {
  char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
  if (!text) abort(); /* memory exhausted: as in arena.h */
  json_t *number = number_of(n, text, value);
  free(text);
  return number;
}

json_t *view_pool_value(ViewPool *p, json_t *value) { return by_dump(&p->values, value); }

/* What tells the lines of one variant from the same lines of another. */
typedef struct OwnNames { const char *at[3]; } OwnNames;

static OwnNames own_names(Arena *a, const json_t *variant) {
  const char *id = json_string_value(json_object_get(variant, KEY_ID));
  char *capitals = arena_strdup(a, id);
  for (char *c = capitals; *c; c++) *c = (char)toupper((unsigned char)*c);
  return (OwnNames){{id, capitals, json_string_value(json_object_get(variant, KEY_PLAN))}};
}

static json_t *line(ViewPool *p, const OwnNames *names, const char *begin, size_t n) {
  const char *text = arena_strndup(p->a, begin, n);
  Buffer b = buffer_new(p->a);
  for (const char *at = text; *at;) {
    int own = -1;
    for (int i = 0; i < 3 && own < 0; i++)
      if (*names->at[i] && strncmp(at, names->at[i], strlen(names->at[i])) == 0) own = i;
    if (own < 0) buffer_putn(&b, at++, 1);
    else {
      buffer_printf(&b, "%c", own + 1);
      at += strlen(names->at[own]);
    }
  }
  json_t *value = manifest_text(p->a, b.text);
  return number_of(&p->lines, json_string_value(value), value);
}

/* Two blank lines on end make a paragraph without lines, so that all lines keep their numbers. */
json_t *view_pool_text(ViewPool *p, const json_t *variant, const char *text) {
  const OwnNames names = own_names(p->a, variant);
  json_t *all = json_array(), *paragraph = json_array();
  for (const char *at = text; *at;) {
    const size_t n = strcspn(at, "\n");
    if (n) json_array_append_new(paragraph, line(p, &names, at, n));
    else {
      json_array_append_new(all, by_dump(&p->paragraphs, paragraph));
      paragraph = json_array();
    }
    at += n + (at[n] == '\n');
  }
  json_array_append_new(all, by_dump(&p->paragraphs, paragraph));
  return all;
}

void view_pool_put(ViewPool *p, json_t *to) {
  json_object_set(to, "pool", p->values.at);
  json_object_set(to, "lines", p->lines.at);
  json_object_set(to, "paragraphs", p->paragraphs.at);
}
