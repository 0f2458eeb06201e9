/* documents.c: open texts. A text lives in an arena of its own, which an edit replaces. */
#include "lsp/documents.h"

#include <string.h>

#include "lsp/uris.h"

enum { MOST_OPEN = 1000 };

Document *documents_find(const Documents *all, const char *uri) {
  for (int i = 0; i < all->all.n; i++)
    if (all->all.at[i]->open && strcmp(all->all.at[i]->uri, uri) == 0) return all->all.at[i];
  return NULL;
}

/* A text, and the names that go with it, of which it may be made. */
typedef struct Parts {
  const char *before, *inserted, *after;
  size_t nbefore, ninserted, nafter;
} Parts;

static void set_text(Documents *all, Document *d, const char *uri, Parts p) {
  Arena *own = arena_new();
  const size_t size = p.nbefore + p.ninserted + p.nafter;
  char *text = arena_alloc(own, size + 1);
  if (p.nbefore) memcpy(text, p.before, p.nbefore);
  if (p.ninserted) memcpy(text + p.nbefore, p.inserted, p.ninserted);
  if (p.nafter) memcpy(text + p.nbefore + p.ninserted, p.after, p.nafter);
  d->uri = arena_strdup(own, uri);
  d->path = uri_path(own, uri);
  d->lines = lines_of(own, text, size);
  if (d->own) arena_free(d->own); /* only now: the text was made of it */
  d->own = own;
  d->generation = ++all->edits;
  d->changed = true;
}

Document *documents_open(Documents *all, const char *uri, const char *text, size_t size) {
  Document *d = documents_find(all, uri);
  int open = 0;
  for (int i = 0; i < all->all.n; i++) {
    open += all->all.at[i]->open;
    if (!d && !all->all.at[i]->open) d = all->all.at[i];
  }
  if (!d && open >= MOST_OPEN) return NULL;
  if (!d) {
    d = arena_one(all->arena, Document);
    vec_push(all->arena, &all->all, d);
  }
  d->open = true;
  set_text(all, d, uri, (Parts){.inserted = text, .ninserted = size});
  return d;
}

static bool place(const json_t *range, const char *which, LinesPlace *to) {
  const json_t *at = json_object_get(range, which), *line = json_object_get(at, "line"),
               *character = json_object_get(at, "character");
  if (!json_is_integer(line) || !json_is_integer(character)) return false;
  *to = (LinesPlace){json_integer_value(line), json_integer_value(character)};
  return true;
}

static bool edit(Documents *all, Document *d, const json_t *change) {
  const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
  if (!json_is_string(text)) return false;
  Parts p = {.inserted = json_string_value(text), .ninserted = json_string_length(text)};
  if (range && !json_is_null(range)) {
    LinesPlace from, to;
    if (!place(range, "start", &from) || !place(range, "end", &to)) return false;
    const Lines *l = &d->lines;
    p.before = l->text;
    p.nbefore = lines_offset(l, from);
    const size_t end = lines_offset(l, to);
    p.after = l->text + (end > p.nbefore ? end : p.nbefore);
    p.nafter = l->size - (size_t)(p.after - l->text);
  }
  set_text(all, d, d->uri, p);
  return true;
}

void documents_edit(Documents *all, Document *d, const json_t *changes) {
  for (size_t i = 0; i < json_array_size(changes); i++)
    if (!edit(all, d, json_array_get(changes, i))) return;
}

void documents_close(Document *d) {
  json_decref(d->report);
  json_decref(d->reads);
  if (d->own) arena_free(d->own);
  *d = (Document){0};
}

void documents_end(Documents *all) {
  for (int i = 0; i < all->all.n; i++) documents_close(all->all.at[i]);
}
