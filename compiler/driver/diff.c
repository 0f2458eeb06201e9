/* diff.c: two manifests side by side, and the files that they name. */
#include "driver/diff.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/manifest.h"
#include "support/manifest_file.h"
#include "table/dispatch.h"

typedef struct Sides {
  Arena *a;
  Diagnostics *d;
  const json_t *one, *other;
  FolderDiff *to;
} Sides;

static const char *string_of(const json_t *j, const char *key) { return json_string_value(json_object_get(j, key)); }

static void add(Sides *s, Differences *to, const char *where, const char *one, const char *other) {
  Difference x = {where, one ? arena_strdup(s->a, one) : NULL, other ? arena_strdup(s->a, other) : NULL};
  vec_push(s->a, to, x);
}

/* ---- facts ---- */

/* A value in words: a string as it is, an array of strings with commas. */
static const char *words(Arena *a, const json_t *j) {
  if (!j || json_is_null(j)) return "none";
  if (json_is_string(j)) return arena_strdup(a, json_string_value(j));
  if (json_is_integer(j)) return arena_printf(a, "%lld", (long long)json_integer_value(j));
  Buffer b = buffer_new(a);
  for (size_t i = 0; i < json_array_size(j); i++) {
    const char *one = json_string_value(json_array_get(j, i));
    buffer_printf(&b, "%s%s", i ? "," : "", one ? one : "..");
  }
  return b.length ? b.text : "none";
}

static void facts(Sides *s) {
  static const char *const keys[] = {KEY_SPECTRUM, KEY_OPERATOR, KEY_MACHINE, KEY_FAMILY,
                                     KEY_OPTIONS,  KEY_TYPES,    KEY_EXACT,   KEY_WORKSPACE_HEAD};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
    const char *one = words(s->a, json_object_get(s->one, keys[i])),
               *other = words(s->a, json_object_get(s->other, keys[i]));
    if (strcmp(one, other) != 0) add(s, &s->to->facts, keys[i], one, other);
  }
}

/* ---- variants and texts ---- */

static const json_t *variant_of(const json_t *manifest, const char *id) {
  const json_t *all = json_object_get(manifest, KEY_VARIANTS);
  for (size_t i = 0; i < json_array_size(all); i++)
    if (strcmp(string_of(json_array_get(all, i), KEY_ID), id) == 0) return json_array_get(all, i);
  return NULL;
}

/* Do two files hold the same? One that only one side has differs. */
static bool same_file(Sides *s, const char *name) {
  const SourceFile *f[2];
  const char *const dirs[] = {s->to->one, s->to->other};
  for (int i = 0; i < 2; i++) f[i] = source_read(s->a, arena_printf(s->a, "%s/%s", dirs[i], name));
  if (!f[0] || !f[1]) return !f[0] && !f[1];
  return f[0]->size == f[1]->size && memcmp(f[0]->text, f[1]->text, f[0]->size) == 0;
}

static bool is_plain_path(const char *s) { return *s && *s != '/' && !strstr(s, ".."); }

static bool variants(Sides *s) {
  const json_t *all = json_object_get(s->one, KEY_VARIANTS);
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *v = json_array_get(all, i), *same = variant_of(s->other, string_of(v, KEY_ID));
    const char *id = arena_strdup(s->a, string_of(v, KEY_ID)), *file = arena_strdup(s->a, string_of(v, KEY_FILE));
    if (!is_plain_path(file)) {
      diagnostics_add(s->d, DIAG_ERROR, (SourceRange){0}, "compile it again with this tgc",
                      "`%s/%s' names the invalid file `%.100s'", s->to->one, MANIFEST_FILE, file);
      return false;
    }
    if (!same) add(s, &s->to->variants, id, string_of(v, KEY_PLAN), NULL);
    else if (strcmp(file, string_of(same, KEY_FILE)) == 0 && !same_file(s, file)) add(s, &s->to->texts, file, "", "");
  }
  const json_t *others = json_object_get(s->other, KEY_VARIANTS);
  for (size_t i = 0; i < json_array_size(others); i++) {
    const json_t *v = json_array_get(others, i);
    if (!variant_of(s->one, string_of(v, KEY_ID)))
      add(s, &s->to->variants, arena_strdup(s->a, string_of(v, KEY_ID)), NULL, string_of(v, KEY_PLAN));
  }
  return true;
}

/* What is compiled beside the variants; the dispatch differs wherever these do, and is told apart below. */
static void library_files(Sides *s) {
  static const char *const endings[] = {".h", ".cu", ".c", ".cc", "_from.cu", "_counted.cu"};
  const char *name = string_of(s->one, KEY_SPECTRUM);
  if (!is_plain_path(name) || strchr(name, '/') || strcmp(name, string_of(s->other, KEY_SPECTRUM)) != 0) return;
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    const char *file = arena_printf(s->a, "%s%s", name, endings[i]);
    if (!same_file(s, file)) add(s, &s->to->texts, file, "", "");
  }
}

/* ---- the dispatch ---- */

/* A row's size; rows of a type are in ascending order. */
typedef struct Border { uint64_t up_to, count; } Border;

static Border border_of(const json_t *row) {
  const json_t *up_to = json_object_get(row, KEY_UP_TO), *count = json_object_get(row, KEY_COUNT);
  return (Border){json_is_integer(up_to) ? (uint64_t)json_integer_value(up_to) : UINT64_MAX,
                  json_is_integer(count) ? (uint64_t)json_integer_value(count) : UINT64_MAX};
}

/* The row of a type that serves so many elements, of so many parts, where a call meets these conditions; NULL: there is
 * none. */
static const json_t *serving(const json_t *manifest, const char *type, Border at, unsigned like) {
  const json_t *rows = json_object_get(manifest, KEY_DISPATCH);
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const json_t *row = json_array_get(rows, i);
    const Border b = border_of(row);
    if (conditions_of_array(json_object_get(row, KEY_WHEN)) & ~like) continue;
    if (strcmp(string_of(row, KEY_TYPE), type) == 0 && at.up_to <= b.up_to && at.count <= b.count) return row;
  }
  return NULL;
}

/* "53feb26c", with its configuration where it has one: "53feb26c (threads 32, loads 4)". */
static const char *choice(Arena *a, const json_t *manifest, const json_t *row) {
  if (!row) return "nothing";
  Buffer b = buffer_new(a);
  buffer_puts(&b, string_of(row, KEY_VARIANT));
  const Tunables members = manifest_members(a, manifest), set = manifest_configuration(a, &members, row);
  bool any = false;
  for (int i = 0; i < set.n; i++) {
    if (!set.at[i].value) continue;
    buffer_printf(&b, "%s%s %lld", any ? ", " : " (", set.at[i].name, (long long)set.at[i].value);
    any = true;
  }
  buffer_puts(&b, any ? ")" : "");
  return b.text;
}

static bool has_type(const json_t *manifest, const char *type) {
  const json_t *rows = json_object_get(manifest, KEY_DISPATCH);
  for (size_t i = 0; i < json_array_size(rows); i++)
    if (strcmp(string_of(json_array_get(rows, i), KEY_TYPE), type) == 0) return true;
  return false;
}

static int by_border(const void *x, const void *y) {
  const Border *a = x, *b = y;
  if (a->up_to != b->up_to) return a->up_to < b->up_to ? -1 : 1;
  return a->count < b->count ? -1 : a->count > b->count;
}

static const char *bound(Arena *a, uint64_t n) { return n == UINT64_MAX ? "inf" : arena_printf(a, "%" PRIu64, n); }

/* ", aligned and tall"; ", others" where there are such; "" where rows ask for nothing. */
static const char *calls_of(Arena *a, unsigned like, unsigned asked) {
  Buffer b = buffer_new(a);
  if (!asked) return "";
  buffer_puts(&b, like ? ", " : ", others");
  conditions_print(&b, like, " and ");
  return b.text;
}

/* .. of calls that meet some of the conditions that are asked for. The borders of both sides cut the sizes so that each
 * piece is served by one row of either. */
static void dispatch_of(Sides *s, const char *type, unsigned like, unsigned asked) {
  VEC(Border) all = {0};
  const json_t *const sides[] = {s->one, s->other};
  for (int k = 0; k < 2; k++) {
    const json_t *rows = json_object_get(sides[k], KEY_DISPATCH);
    for (size_t i = 0; i < json_array_size(rows); i++)
      if (strcmp(string_of(json_array_get(rows, i), KEY_TYPE), type) == 0)
        vec_push(s->a, &all, border_of(json_array_get(rows, i)));
  }
  if (all.n) qsort(all.at, (size_t)all.n, sizeof *all.at, by_border);
  uint64_t from = 0;
  for (int i = 0; i < all.n; i++) {
    const Border at = all.at[i];
    if (i && by_border(&all.at[i - 1], &at) == 0) continue;
    const char *one = choice(s->a, s->one, serving(s->one, type, at, like)),
               *other = choice(s->a, s->other, serving(s->other, type, at, like));
    const char *parts = at.count == UINT64_MAX ? "" : arena_printf(s->a, ", up to %" PRIu64 " of them", at.count);
    if (strcmp(one, other) != 0)
      add(s, &s->to->dispatch,
          arena_printf(s->a, "%s%s, %" PRIu64 " to %s%s", type, calls_of(s->a, like, asked), from,
                       bound(s->a, at.up_to), parts),
          one, other);
    if (at.count == UINT64_MAX && at.up_to != UINT64_MAX) from = at.up_to + 1;
  }
}

/* All that rows of either side ask for. */
static unsigned asked_for(const Sides *s, const char *type) {
  const json_t *const sides[] = {s->one, s->other};
  unsigned all = 0;
  for (int k = 0; k < 2; k++) {
    const json_t *rows = json_object_get(sides[k], KEY_DISPATCH);
    for (size_t i = 0; i < json_array_size(rows); i++)
      if (strcmp(string_of(json_array_get(rows, i), KEY_TYPE), type) == 0)
        all |= conditions_of_array(json_object_get(json_array_get(rows, i), KEY_WHEN));
  }
  return all & ~(unsigned)CONDITION_UNKNOWN;
}

static void dispatch(Sides *s) {
  const json_t *types = json_object_get(s->one, KEY_TYPES);
  for (size_t i = 0; i < json_array_size(types); i++) {
    const char *type = arena_strdup(s->a, json_string_value(json_array_get(types, i)));
    if (!has_type(s->one, type) || !has_type(s->other, type)) continue;
    const unsigned asked = asked_for(s, type);
    for (unsigned like = 0; like <= asked; like++)
      if (!(like & ~asked) && conditions_agree(like)) dispatch_of(s, type, like, asked);
  }
}

bool diff_folders(Arena *a, const json_t *one, const json_t *other, FolderDiff *to, Diagnostics *d) {
  Sides s = {a, d, one, other, to};
  facts(&s);
  if (!variants(&s)) return false;
  library_files(&s);
  dispatch(&s);
  return diff_measurements(a, to, d);
}

bool diff_any(const FolderDiff *f) {
  return f->facts.n || f->variants.n || f->texts.n || f->dispatch.n || f->measured.n;
}
