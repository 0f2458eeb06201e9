/* folder.c: the generated folder: what its manifest says, and its tables replaced. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "emit/emit.h"
#include "support/hash.h"
#include "support/manifest.h"
#include "support/manifest_file.h"
#include "table/dispatch.h"
#include "tune/tune.h"

static bool cannot(const char *what, const char *path, Diagnostics *d) {
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot %s `%s': %s", what, path, strerror(errno));
  return false;
}

/* ---- reading ---- */

static const char *string_of(Arena *a, const json_t *j, const char *key) {
  const char *s = json_string_value(json_object_get(j, key));
  return s ? arena_strdup(a, s) : "";
}

static const int64_t *even_of(Arena *a, const Folder *f, const json_t *by_type) {
  if (!json_is_object(by_type)) return NULL;
  int64_t *even = arena_many(a, int64_t, f->ntypes);
  for (int i = 0; i < f->ntypes; i++) even[i] = json_integer_value(json_object_get(by_type, f->types[i]));
  return even;
}

/* The types that a variant has functions for. */
static void read_types(Arena *a, const json_t *functions, TunedVariant *v) {
  const char *type;
  json_t *value;
  v->types = arena_many(a, const char *, json_object_size(functions));
  json_object_foreach((json_t *)functions, type, value) v->types[v->ntypes++] = arena_strdup(a, type);
}

static TunedVariant variant(Arena *a, const Folder *f, const json_t *j) {
  TunedVariant v = {.id = string_of(a, j, KEY_ID), .plan = string_of(a, j, KEY_PLAN),
                    .file = string_of(a, j, KEY_FILE), .macro = string_of(a, j, KEY_CONFIGURATIONS_MACRO),
                    .determinism = string_of(a, j, KEY_DETERMINISM), .tunables = manifest_tunables(a, j),
                    .compiled = manifest_compiled(a, j),
                    .even = even_of(a, f, json_object_get(j, KEY_EVEN))};
  read_types(a, json_object_get(j, KEY_FUNCTIONS), &v);
  return v;
}

/* Names go into texts that are compiled, and into paths. */
static bool is_name(const char *s) {
  return *s && s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] == '\0';
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-";

/* variants/NAME: inside the folder, and in a text between quotes. */
static bool is_variants_file(const char *s) {
  static const char folder[] = "variants/";
  if (strncmp(s, folder, sizeof folder - 1) != 0) return false;
  s += sizeof folder - 1;
  return *s && *s != '.' && s[strspn(s, letters)] == '\0';
}

/* Options go to the compiler, whose others load plugins and run programs: only those that name a CPU or its vectors. */
static bool is_option(const char *s, size_t n) {
  static const char *const with_value[] = {"-march=", "-mcpu=", "-mtune=", "-mprefer-vector-width=", "-mavx", NULL};
  static const char *const alone[] = {"-mfma", "-mf16c", NULL};
  for (const char *const *o = alone; *o; o++)
    if (n == strlen(*o) && strncmp(s, *o, n) == 0) return true;
  for (const char *const *o = with_value; *o; o++)
    if (strncmp(s, *o, strlen(*o)) == 0)
      return n > strlen(*o) && strspn(s + strlen(*o), letters) == n - strlen(*o);
  return false;
}

static bool are_options(const char *s) {
  for (; *(s += strspn(s, " ")); s += strcspn(s, " "))
    if (!is_option(s, strcspn(s, " "))) return false;
  return true;
}

static bool impossible(const char *dir, const char *what, const char *value, Diagnostics *d) {
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "the manifest of `%s' has the %s `%s'", dir, what, value);
  return false;
}

static bool are_names(const Folder *f, const Tunables *t, Diagnostics *d) {
  for (int i = 0; i < t->n; i++)
    if (!is_name(t->at[i].name)) return impossible(f->dir, "invalid tunable", t->at[i].name, d);
  return true;
}

static bool sound(const Folder *f, Diagnostics *d) {
  if (!is_name(f->spectrum)) return impossible(f->dir, "invalid spectrum", f->spectrum, d);
  if (*f->operation && !is_name(f->operation)) return impossible(f->dir, "invalid operator", f->operation, d);
  if (!are_options(f->options)) return impossible(f->dir, "invalid compiler options", f->options, d);
  if (!f->cpu && f->compute <= 0) return impossible(f->dir, "machine, for which nvcc has no name,", f->machine, d);
  for (int i = 0; i < f->ntypes; i++)
    if (!is_name(f->types[i])) return impossible(f->dir, "invalid type", f->types[i], d);
  for (int i = 0; i < f->nvariants; i++) {
    const TunedVariant *v = &f->variants[i];
    if (!is_name(v->id)) return impossible(f->dir, "invalid variant", v->id, d);
    if (!is_name(v->macro)) return impossible(f->dir, "invalid macro", v->macro, d);
    if (!is_variants_file(v->file)) return impossible(f->dir, "invalid file", v->file, d);
    if (!are_names(f, &v->tunables, d)) return false;
  }
  return are_names(f, &f->members, d);
}

/* The hashes of the texts as they are: they are the user's, who may have edited them since they were written. */
static bool hash_texts(Arena *a, Folder *f, Diagnostics *d) {
  Arena *texts = arena_new();
  bool ok = true;
  for (int i = 0; i < f->nvariants; i++) {
    TunedVariant *v = &f->variants[i];
    const char *path = arena_printf(a, "%s/%s", f->dir, v->file);
    SourceFile *s = source_read(texts, path);
    if (s) v->text_hash = arena_strdup(a, hash_code(texts, s->text));
    else ok = cannot("read", path, d);
    arena_reset(texts);
  }
  arena_free(texts);
  return ok;
}

static const char **texts_of(Arena *a, const json_t *list, int *n) {
  const char **texts = arena_many(a, const char *, json_array_size(list));
  for (size_t i = 0; i < json_array_size(list); i++)
    texts[(*n)++] = arena_strdup(a, json_string_value(json_array_get(list, i)));
  return texts;
}

bool folder_is_exact(const Folder *f, const char *type) {
  for (int i = 0; i < f->nexact; i++)
    if (strcmp(f->exact[i], type) == 0) return true;
  return false;
}

/* A GPU's reductions are called as such: their data are made on the device. */
static bool read_operands(Arena *a, const json_t *j, Folder *f, Diagnostics *d) {
  const char *family = json_string_value(json_object_get(j, KEY_FAMILY));
  f->cpu = family && strcmp(family, "cpu") == 0;
  f->by_shape = json_is_object(json_object_get(j, KEY_PARTS));
  f->conditions = conditions_of_array(json_object_get(j, KEY_CONDITIONS)) & ~(unsigned)CONDITION_UNKNOWN;
  f->rounds = json_is_true(json_object_get(j, KEY_ROUNDS));
  if (!f->cpu && manifest_is_reduction(j)) return true;
  f->operands = operands_read(a, f->dir, j, d);
  return f->operands != NULL;
}

/* What a variant's file ends in is what the library's does. */
static const char *suffix_of(const Folder *f) {
  const char *dot = f->nvariants ? strrchr(f->variants[0].file, '.') : NULL;
  return dot && f->cpu ? dot + 1 : "cu";
}

bool folder_read(Arena *a, const char *dir, Folder *f, Diagnostics *d) {
  json_t *j = manifest_read(a, dir, d);
  if (!j) return false;
  const json_t *variants = json_object_get(j, KEY_VARIANTS);
  *f = (Folder){.dir = dir, .spectrum = string_of(a, j, KEY_SPECTRUM), .machine = string_of(a, j, KEY_MACHINE),
                .operation = string_of(a, j, KEY_OPERATOR), .options = string_of(a, j, KEY_OPTIONS)};
  if (!f->options || !*f->options) f->options = "-march=native"; /* from before there was such a key */
  sscanf(f->machine, "sm_%d", &f->compute);
  f->types = texts_of(a, json_object_get(j, KEY_TYPES), &f->ntypes);
  f->exact = texts_of(a, json_object_get(j, KEY_EXACT), &f->nexact);
  f->members = manifest_members(a, j);
  f->variants = arena_many(a, TunedVariant, json_array_size(variants));
  for (size_t i = 0; i < json_array_size(variants); i++)
    f->variants[f->nvariants++] = variant(a, f, json_array_get(variants, i));
  const bool known = read_operands(a, j, f, d);
  json_decref(j);
  f->suffix = suffix_of(f);
  return known && sound(f, d) && hash_texts(a, f, d);
}

const char *folder_function(Arena *a, const Folder *f, const TunedVariant *v, const char *type) {
  return arena_printf(a, "%s_%s_%s", f->spectrum, v->id, type);
}

/* ---- rewriting ---- */

/* What the files will hold: nothing is written before all of them are known. */
typedef struct Rewriting {
  Arena *a;
  const Folder *f;
  const Table *table;
  Diagnostics *d;
  VEC(OutputFile) texts; /* paths in the folder */
} Rewriting;

static bool becomes(Rewriting *r, const char *path, Buffer text) {
  OutputFile t = {.path = path, .text = text.text, .length = text.length};
  vec_push(r->a, &r->texts, t);
  return true;
}

static bool lacks(Rewriting *r, const char *message) {
  diagnostics_add(r->d, DIAG_ERROR, (SourceRange){0}, "compile it again with this tgc", "%s", message);
  return false;
}

static bool rewrite_ranges(Rewriting *r) {
  const Folder *f = r->f;
  const char *name = arena_printf(r->a, "%s.%s", f->spectrum, f->suffix);
  const char *path = arena_printf(r->a, "%s/%s", f->dir, name);
  SourceFile *s = source_read(r->a, path);
  if (!s) return cannot("read", path, r->d);
  const char *begin = strstr(s->text, TABLE_BEGIN), *end = begin ? strstr(begin, TABLE_END) : NULL;
  if (!end)
    return lacks(r, arena_printf(r->a, "`%s' has no table between `%s' and `%s'", path, TABLE_BEGIN, TABLE_END));
  Buffer b = buffer_new(r->a);
  buffer_putn(&b, s->text, (size_t)(begin - s->text));
  const Ranged ranged = {.spectrum = f->spectrum, .types = f->types, .ntypes = f->ntypes,
                         .of = f->cpu ? RANGES_OF_VARIANTS : RANGES_OF_FUNCTIONS, .by_shape = f->by_shape,
                         .conditions = f->conditions != 0, .members = f->members};
  table_print_ranges(&b, &ranged, r->table);
  buffer_puts(&b, end + strlen(TABLE_END) + (end[strlen(TABLE_END)] == '\n'));
  return becomes(r, name, b);
}

static bool rewrite_configurations(Rewriting *r, const TunedVariant *v) {
  const char *path = arena_printf(r->a, "%s/%s", r->f->dir, v->file);
  const char *start = arena_printf(r->a, "#define %s(C) ", v->macro);
  SourceFile *s = source_read(r->a, path);
  if (!s) return cannot("read", path, r->d);
  const char *line = strstr(s->text, start), *end = line ? strchr(line, '\n') : NULL;
  if (!end) return lacks(r, arena_printf(r->a, "`%s' does not define `%s'", path, v->macro));
  Buffer b = buffer_new(r->a);
  buffer_putn(&b, s->text, (size_t)(line - s->text) + strlen(start) - 1);
  table_print_configurations(&b, r->table, v->id, &v->compiled);
  buffer_puts(&b, end);
  if (b.length == s->size && memcmp(b.text, s->text, s->size) == 0) return true;
  return becomes(r, v->file, b);
}

/* The header's paragraph about the table, if it has one. */
static bool rewrite_header(Rewriting *r) {
  const Folder *f = r->f;
  const char *name = arena_printf(r->a, "%s.h", f->spectrum);
  SourceFile *s = source_read(r->a, arena_printf(r->a, "%s/%s", f->dir, name));
  const char *begin = s ? strstr(s->text, TABLE_ORIGIN) : NULL, *end = begin ? strstr(begin, "\n *\n") : NULL;
  if (!end) return true;
  Buffer b = buffer_new(r->a);
  buffer_putn(&b, s->text, (size_t)(begin - s->text));
  table_print_origin(&b, f->spectrum, table_origin(r->a, r->table, f->types, f->ntypes, NULL));
  buffer_puts(&b, end + 1);
  return becomes(r, name, b);
}

/* The manifest's dispatch. */
static bool rewrite_manifest(Rewriting *r) {
  json_t *j = manifest_read(r->a, r->f->dir, r->d);
  if (!j) return false;
  /* memory exhausted: as in arena.h */
  if (json_object_set_new(j, KEY_DISPATCH, table_dispatch(r->table, &r->f->members)) != 0) abort();
  Buffer b = buffer_new(r->a);
  manifest_print(&b, j);
  json_decref(j);
  return becomes(r, MANIFEST_FILE, b);
}

bool folder_rewrite(Arena *a, const Folder *f, const Table *t, Diagnostics *d) {
  Rewriting r = {.a = a, .f = f, .table = t, .d = d};
  for (int i = 0; i < f->nvariants; i++)
    if (!rewrite_configurations(&r, &f->variants[i])) return false;
  if (!rewrite_ranges(&r) || !rewrite_header(&r) || !rewrite_manifest(&r)) return false;
  Buffer b = buffer_new(a);
  table_print(&b, t);
  becomes(&r, arena_printf(a, "%s.table", f->spectrum), b);
  return folder_replace(a, f->dir, r.texts.at, r.texts.n, d);
}
