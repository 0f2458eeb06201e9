/* folder.c: the generated folder: what its manifest says, and its tables replaced. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "support/manifest.h"
#include "support/manifest_file.h"
#include "tune/tune.h"

/* ---- reading ---- */

static const char *string_of(Arena *a, const json_t *j, const char *key) {
  const char *s = json_string_value(json_object_get(j, key));
  return s ? arena_strdup(a, s) : "";
}

static Tunable tunable(const json_t *variant, const char *name) {
  const json_t *all = json_object_get(variant, KEY_TUNABLES);
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *t = json_array_get(all, i);
    const char *its = json_string_value(json_object_get(t, KEY_NAME));
    if (!its || strcmp(its, name) != 0) continue;
    return (Tunable){.preset = json_integer_value(json_object_get(t, KEY_DEFAULT)), .min = json_integer_value(json_object_get(t, KEY_MIN)),
                     .max = json_integer_value(json_object_get(t, KEY_MAX)), .multiple = json_integer_value(json_object_get(t, KEY_MULTIPLE)),
                     .present = true};
  }
  return (Tunable){0};
}

static TunedVariant variant(Arena *a, const json_t *j) {
  return (TunedVariant){.id = string_of(a, j, KEY_ID), .plan = string_of(a, j, KEY_PLAN), .text_hash = string_of(a, j, KEY_TEXT_HASH),
                        .file = string_of(a, j, KEY_FILE), .macro = string_of(a, j, KEY_CONFIGURATIONS_MACRO),
                        .determinism = string_of(a, j, KEY_DETERMINISM), .threads = tunable(j, "threads"),
                        .loads = tunable(j, "loads"), .blocks = tunable(j, "blocks")};
}

/* Names go into texts that are compiled, and into paths. */
static bool is_name(const char *s) { return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0'; }

static bool impossible(const char *dir, const char *what, const char *value, Diagnostics *d) {
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "the manifest of `%s' has the %s `%s'", dir, what, value);
  return false;
}

static bool sound(const Folder *f, Diagnostics *d) {
  if (!is_name(f->spectrum)) return impossible(f->dir, "impossible spectrum", f->spectrum, d);
  if (f->compute <= 0) return impossible(f->dir, "machine, for which nvcc has no name,", f->machine, d);
  for (int i = 0; i < f->ntypes; i++)
    if (!is_name(f->types[i])) return impossible(f->dir, "impossible type", f->types[i], d);
  for (int i = 0; i < f->nvariants; i++) {
    const TunedVariant *v = &f->variants[i];
    if (!is_name(v->id)) return impossible(f->dir, "impossible variant", v->id, d);
    if (!is_name(v->macro)) return impossible(f->dir, "impossible macro", v->macro, d);
    if (!is_name(v->text_hash)) return impossible(f->dir, "impossible hash", v->text_hash, d);
    if (strpbrk(v->file, "\"\\\n") || strstr(v->file, "..")) return impossible(f->dir, "impossible file", v->file, d);
  }
  return true;
}

bool folder_read(Arena *a, const char *dir, Folder *f, Diagnostics *d) {
  json_t *j = manifest_read(a, dir, d);
  if (!j) return false;
  const json_t *variants = json_object_get(j, KEY_VARIANTS), *types = json_object_get(j, KEY_TYPES);
  *f = (Folder){.dir = dir, .spectrum = string_of(a, j, KEY_SPECTRUM), .machine = string_of(a, j, KEY_MACHINE), .operation = string_of(a, j, KEY_OPERATOR)};
  sscanf(f->machine, "sm_%d", &f->compute);
  f->types = arena_many(a, const char *, json_array_size(types));
  for (size_t i = 0; i < json_array_size(types); i++) f->types[f->ntypes++] = arena_strdup(a, json_string_value(json_array_get(types, i)));
  f->variants = arena_many(a, TunedVariant, json_array_size(variants));
  for (size_t i = 0; i < json_array_size(variants); i++) f->variants[f->nvariants++] = variant(a, json_array_get(variants, i));
  json_decref(j);
  return sound(f, d);
}

const char *folder_function(Arena *a, const Folder *f, const TunedVariant *v, const char *type) {
  return arena_printf(a, "%s_%s_%s", f->spectrum, v->id, type);
}

/* ---- rewriting ---- */

static bool cannot(const char *what, const char *path, Diagnostics *d) {
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot %s `%s': %s", what, path, strerror(errno));
  return false;
}

/* The file whole or not at all. */
static bool replace(Arena *a, const char *path, const char *text, size_t n, Diagnostics *d) {
  const char *beside = arena_printf(a, "%s.%ld", path, (long)getpid());
  FILE *file = fopen(beside, "wb");
  if (!file) return cannot("write", beside, d);
  bool ok = fwrite(text, 1, n, file) == n;
  ok = fflush(file) == 0 && fsync(fileno(file)) == 0 && ok;
  ok = fclose(file) == 0 && ok;
  if (ok && rename(beside, path) == 0) return true;
  cannot("write", path, d);
  unlink(beside);
  return false;
}

static bool rewrite_ranges(Arena *a, const Folder *f, const Table *t, Diagnostics *d) {
  const char *path = arena_printf(a, "%s/%s.cu", f->dir, f->spectrum);
  SourceFile *s = source_read(a, path);
  if (!s) return cannot("read", path, d);
  const char *begin = strstr(s->text, TABLE_BEGIN), *end = begin ? strstr(begin, TABLE_END) : NULL;
  if (!end) {
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "let tgc write the folder again", "`%s' has no table between `%s' and `%s'", path, TABLE_BEGIN, TABLE_END);
    return false;
  }
  Buffer b = buffer_new(a);
  buffer_putn(&b, s->text, (size_t)(begin - s->text));
  table_print_ranges(&b, f->spectrum, f->types, f->ntypes, t);
  buffer_puts(&b, end + strlen(TABLE_END) + (end[strlen(TABLE_END)] == '\n'));
  return replace(a, path, b.text, b.length, d);
}

static bool rewrite_configurations(Arena *a, const Folder *f, const TunedVariant *v, const Table *t, Diagnostics *d) {
  const char *path = arena_printf(a, "%s/%s", f->dir, v->file), *start = arena_printf(a, "#define %s(C) ", v->macro);
  SourceFile *s = source_read(a, path);
  if (!s) return cannot("read", path, d);
  const char *line = strstr(s->text, start), *end = line ? strchr(line, '\n') : NULL;
  if (!end) {
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "let tgc write the folder again", "`%s' does not define `%s'", path, v->macro);
    return false;
  }
  Buffer b = buffer_new(a);
  buffer_putn(&b, s->text, (size_t)(line - s->text) + strlen(start) - 1);
  table_print_configurations(&b, t, v->id, (int)v->threads.preset, (int)v->loads.preset, v->loads.present);
  buffer_puts(&b, end);
  if (b.length == s->size && memcmp(b.text, s->text, s->size) == 0) return true;
  return replace(a, path, b.text, b.length, d);
}

static bool rewrite_dispatch(Arena *a, const Folder *f, const Table *t, Diagnostics *d) {
  json_t *j = manifest_read(a, f->dir, d);
  if (!j) return false;
  Buffer b = buffer_new(a);
  json_object_set_new(j, KEY_DISPATCH, table_dispatch(t));
  manifest_print(&b, j);
  json_decref(j);
  return replace(a, arena_printf(a, "%s/%s", f->dir, MANIFEST_FILE), b.text, b.length, d);
}

bool folder_rewrite(Arena *a, const Folder *f, const Table *t, Diagnostics *d) {
  for (int i = 0; i < f->nvariants; i++)
    if (!rewrite_configurations(a, f, &f->variants[i], t, d)) return false;
  if (!rewrite_ranges(a, f, t, d) || !rewrite_dispatch(a, f, t, d)) return false;
  Buffer b = buffer_new(a);
  table_print(&b, t);
  return replace(a, arena_printf(a, "%s/%s.table", f->dir, f->spectrum), b.text, b.length, d);
}
