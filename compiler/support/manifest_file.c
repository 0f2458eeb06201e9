/* manifest_file.c: manifest.json read back, and checked against one table. */
#include "support/manifest_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "support/manifest.h"

/* ---- what each key holds ---- */

typedef enum Kind {
  END, STRING, INTEGER, /* one value */
  STRINGS,              /* an array of strings */
  OBJECT, OBJECTS,      /* one, or an array of them, with fields of their own */
  STRINGS_BY_TYPE, INTEGERS_BY_TYPE /* an object with one value an element type */
} Kind;

typedef struct Field Field;
struct Field {
  const char *key;
  Kind kind;
  bool nullable;       /* it may be null, or missing, as in folders that were written before there was such a key */
  const Field *fields; /* OBJECT, OBJECTS; a row of END ends them */
};

static const Field dispatch_fields[] = {
  {KEY_TYPE, STRING, false, NULL}, {KEY_UP_TO, INTEGER, true, NULL}, {KEY_COUNT, INTEGER, true, NULL},
  {KEY_WHEN, STRINGS, true, NULL}, {KEY_TURN, INTEGER, true, NULL},
  {KEY_VARIANT, STRING, false, NULL}, {0}}; /* and the members of a configuration */

static const Field parts_fields[] = {
  {KEY_COUNT, STRING, true, NULL}, {KEY_LESS, INTEGER, false, NULL}, {KEY_EACH, STRING, true, NULL},
  {KEY_RESULTS, STRING, true, NULL}, {0}};

static const Field kernel_fields[] = {
  {KEY_NAME, STRING, false, NULL}, {KEY_NOTE, STRING, true, NULL}, {KEY_THREADS, INTEGER, false, NULL},
  {KEY_SHARED_BYTES, INTEGERS_BY_TYPE, false, NULL}, {0}};

static const Field choice_fields[] = {
  {KEY_LEVEL, STRING, true, NULL}, {KEY_CODELET, STRING, true, NULL}, {KEY_WHAT, STRING, false, NULL},
  {KEY_CHOICE, STRING, false, NULL}, {0}};

static const Field atomic_fields[] = {
  {KEY_OP, STRING, false, NULL}, {KEY_SCOPE, STRING, false, NULL}, {KEY_SPACE, STRING, false, NULL},
  {KEY_COUNT, INTEGER, false, NULL}, {0}};

static const Field barrier_fields[] = {{KEY_WARP, INTEGER, false, NULL}, {KEY_BLOCK, INTEGER, false, NULL}, {0}};

static const Field tunable_fields[] = {
  {KEY_NAME, STRING, false, NULL}, {KEY_WHAT, STRING, true, NULL}, {KEY_DEFAULT, INTEGER, false, NULL},
  {KEY_MIN, INTEGER, false, NULL}, {KEY_MAX, INTEGER, true, NULL}, {KEY_MULTIPLE, INTEGER, false, NULL},
  {KEY_BIND, STRING, false, NULL}, {0}};

static const Field codelet_fields[] = {
  {KEY_TAG, STRING, false, NULL}, {KEY_LINE, INTEGER, false, NULL}, {KEY_SOURCE, STRING, true, NULL},
  {KEY_CLASS, STRING, false, NULL}, {0}};

static const Field variant_fields[] = {{KEY_ID, STRING, false, NULL},
                                       {KEY_PLAN, STRING, false, NULL},
                                       {KEY_LETTER, STRING, true, NULL},
                                       {KEY_CATEGORY, STRING, false, NULL},
                                       {KEY_DETERMINISM, STRING, false, NULL},
                                       {KEY_DETERMINISM_WHY, STRING, true, NULL},
                                       {KEY_BATCH_INVARIANT_WHY, STRING, true, NULL},
                                       {KEY_KERNELS, INTEGER, false, NULL},
                                       {KEY_LAUNCHES, OBJECTS, false, kernel_fields},
                                       {KEY_LEVELS, STRINGS, false, NULL},
                                       {KEY_CHOICES, OBJECTS, false, choice_fields},
                                       {KEY_ATOMICS, OBJECTS, false, atomic_fields},
                                       {KEY_SHUFFLES, INTEGER, false, NULL},
                                       {KEY_BARRIERS, OBJECT, false, barrier_fields},
                                       {KEY_EVEN, INTEGERS_BY_TYPE, true, NULL},
                                       {KEY_WORKSPACE, STRING, true, NULL},
                                       {KEY_TUNABLES, OBJECTS, false, tunable_fields},
                                       {KEY_FEATURES, STRINGS, true, NULL},
                                       {KEY_CONFIGURATIONS_MACRO, STRING, false, NULL},
                                       {KEY_TEXT_HASH, STRING, false, NULL},
                                       {KEY_CODELETS, OBJECTS, false, codelet_fields},
                                       {KEY_TREE, STRINGS, false, NULL},
                                       {KEY_NEST, STRINGS, true, NULL},
                                       {KEY_DOT, STRING, false, NULL},
                                       {KEY_FILE, STRING, false, NULL},
                                       {KEY_FUNCTIONS, STRINGS_BY_TYPE, false, NULL},
                                       {0}};

static const Field manifest_fields[] = {
  {KEY_SPECTRUM, STRING, false, NULL}, {KEY_OPERATOR, STRING, true, NULL}, {KEY_SOURCE, STRING, false, NULL},
  {KEY_MACHINE, STRING, false, NULL}, {KEY_FAMILY, STRING, true, NULL}, {KEY_OPTIONS, STRING, true, NULL},
  {KEY_WORKSPACE_HEAD, INTEGER, false, NULL}, {KEY_TYPES, STRINGS, false, NULL},
  {KEY_EXACT, STRINGS, true, NULL}, {KEY_PARTS, OBJECT, true, parts_fields},
  {KEY_CONDITIONS, STRINGS, true, NULL}, {KEY_CONFIGURATION, STRINGS, true, NULL},
  {KEY_DISPATCH, OBJECTS, false, dispatch_fields}, {KEY_VARIANTS, OBJECTS, false, variant_fields}, {0}};

/* Of a folder of several machines, in place of all that. */
static const Field machine_fields[] = {
  {KEY_MACHINE, STRING, false, NULL}, {KEY_COMPUTE, INTEGER, false, NULL}, {KEY_FOLDER, STRING, false, NULL}, {0}};

static const Field machines_fields[] = {
  {KEY_SPECTRUM, STRING, false, NULL}, {KEY_SOURCE, STRING, false, NULL}, {KEY_TYPES, STRINGS, false, NULL},
  {KEY_MACHINES, OBJECTS, false, machine_fields}, {0}};

/* .. and of one of several spectra. */
static const Field spectrum_fields[] = {{KEY_SPECTRUM, STRING, false, NULL}, {KEY_FOLDER, STRING, false, NULL}, {0}};

static const Field spectra_fields[] = {{KEY_SPECTRUM, STRING, false, NULL},
                                       {KEY_SOURCE, STRING, false, NULL},
                                       {KEY_SPECTRA, OBJECTS, false, spectrum_fields},
                                       {0}};

/* Of check/codelets.json. */
static const Field file_fields[] = {{KEY_NAME, STRING, false, NULL}, {KEY_TEXT, STRINGS, false, NULL}, {0}};

static const Field remark_fields[] = {
  {KEY_FILE, STRING, false, NULL}, {KEY_LINE, INTEGER, false, NULL}, {KEY_PASS, STRING, true, NULL},
  {KEY_KIND, STRING, false, NULL}, {KEY_MESSAGE, STRING, false, NULL}, {0}};

static const Field codelets_fields[] = {
  {KEY_FILES, OBJECTS, false, file_fields}, {KEY_REMARKS, OBJECTS, false, remark_fields}, {0}};

/* ---- checking ---- */

typedef struct Reading {
  Arena *a;
  Diagnostics *d;
  const char *path;
  const SourceFile *file;
} Reading;

static bool refuse(Reading *r, const char *hint, const char *message) {
  diagnostics_add(r->d, DIAG_ERROR, (SourceRange){0}, hint, "%s", message);
  return false;
}

static bool wanted(Reading *r, const char *where, const char *what, const json_t *found) {
  return refuse(r, NULL, arena_printf(r->a, "`%s': %s%s: wanted %s", r->path, where, found ? "" : " is missing", what));
}

static bool check_fields(Reading *r, const json_t *object, const Field *fields, const char *where);

static bool check_each(Reading *r, const json_t *array, const Field *f, const char *where) {
  if (!json_is_array(array)) return wanted(r, where, "an array", array);
  for (size_t i = 0; i < json_array_size(array); i++) {
    const json_t *one = json_array_get(array, i);
    const char *at = arena_printf(r->a, "%s[%zu]", where, i);
    if (f->kind == STRINGS && !json_is_string(one)) return wanted(r, at, "a string", one);
    if (f->kind == OBJECTS && !check_fields(r, one, f->fields, at)) return false;
  }
  return true;
}

static bool check_by_type(Reading *r, json_t *object, const Field *f, const char *where) {
  const char *key;
  json_t *value;
  if (!json_is_object(object)) return wanted(r, where, "an object", object);
  json_object_foreach(object, key, value) {
    bool right = f->kind == STRINGS_BY_TYPE ? json_is_string(value) : json_is_integer(value);
    const char *what = f->kind == STRINGS_BY_TYPE ? "a string" : "a whole number";
    if (!right) return wanted(r, arena_printf(r->a, "%s.%s", where, key), what, value);
  }
  return true;
}

static bool check_field(Reading *r, json_t *value, const Field *f, const char *where) {
  if (f->nullable && (!value || json_is_null(value))) return true;
  switch (f->kind) {
    case STRING: return json_is_string(value) || wanted(r, where, "a string", value);
    case INTEGER: return json_is_integer(value) || wanted(r, where, "a whole number", value);
    case OBJECT: return check_fields(r, value, f->fields, where);
    case STRINGS: case OBJECTS: return check_each(r, value, f, where);
    default: return check_by_type(r, value, f, where);
  }
}

static bool check_fields(Reading *r, const json_t *object, const Field *fields, const char *where) {
  if (!json_is_object(object)) return wanted(r, where, "an object", object);
  for (const Field *f = fields; f->kind != END; f++) {
    const char *at = *where ? arena_printf(r->a, "%s.%s", where, f->key) : f->key;
    if (!check_field(r, json_object_get(object, f->key), f, at)) return false;
  }
  return true;
}

/* Every row of the dispatch has all members of a configuration. */
static bool check_configurations(Reading *r, const json_t *manifest) {
  const json_t *rows = json_object_get(manifest, KEY_DISPATCH);
  const Tunables members = manifest_members(r->a, manifest);
  for (size_t i = 0; i < json_array_size(rows); i++)
    for (int k = 0; k < members.n; k++) {
      const json_t *value = json_object_get(json_array_get(rows, i), members.at[k].name);
      if (json_is_integer(value)) continue;
      return wanted(r, arena_printf(r->a, "%s[%zu].%s", KEY_DISPATCH, i, members.at[k].name), "a whole number", value);
    }
  return true;
}

static bool check_version(Reading *r, const json_t *j) {
  const char *generator = json_string_value(json_object_get(j, KEY_GENERATOR));
  const json_t *version = json_object_get(j, KEY_VERSION);
  if (!generator || strcmp(generator, MANIFEST_GENERATOR) != 0)
    return refuse(r, NULL, arena_printf(r->a, "`%s' is not a manifest of tgc", r->path));
  if (!json_is_integer(version)) return wanted(r, KEY_VERSION, "a whole number", version);
  if (json_integer_value(version) == MANIFEST_VERSION) return true;
  return refuse(r, "write the folder again with this tgc",
                arena_printf(r->a, "`%s' is of version %lld, and this tgc reads version %d", r->path,
                             (long long)json_integer_value(version), MANIFEST_VERSION));
}

static bool malformed(Reading *r, const json_error_t *e, const char *what) {
  unsigned at = e->position > 0 ? (unsigned)e->position : 0;
  if (at > r->file->size) at = (unsigned)r->file->size;
  SourceRange where = {r->file, at ? at - 1 : 0, at ? at : 1};
  diagnostics_add(r->d, DIAG_ERROR, where, "compile it again with this tgc", "%s no JSON: %s", what, e->text);
  return false;
}

/* The file as far as it is the same of one machine and of several. */
static json_t *read_any(Reading *r, const char *dir) {
  Arena *a = r->a;
  r->path = arena_printf(a, "%s/%s", dir, MANIFEST_FILE);
  r->file = source_read(a, r->path);
  if (!r->file) {
    refuse(r, arena_printf(a, "`tgc FILE.cdl --arch NAME -o %s' writes that folder", dir),
           arena_printf(a, "cannot read `%s': %s", r->path, strerror(errno)));
    return NULL;
  }
  json_error_t error;
  json_t *j = json_loadb(r->file->text, r->file->size, JSON_REJECT_DUPLICATES, &error);
  if (j ? check_version(r, j) : malformed(r, &error, "the manifest is")) return j;
  json_decref(j);
  return NULL;
}

json_t *manifest_read_codelets(Arena *a, const char *dir, Diagnostics *d) {
  Reading r = {.a = a, .d = d, .path = arena_printf(a, "%s/%s", dir, CODELETS_FILE)};
  r.file = source_read(a, r.path);
  if (!r.file && errno == ENOENT) return json_object();
  if (!r.file) {
    refuse(&r, NULL, arena_printf(a, "cannot read `%s': %s", r.path, strerror(errno)));
    return NULL;
  }
  json_error_t error;
  json_t *j = json_loadb(r.file->text, r.file->size, JSON_REJECT_DUPLICATES, &error);
  if (j ? check_fields(&r, j, codelets_fields, "") : malformed(&r, &error, "the codelets are")) return j;
  json_decref(j);
  return NULL;
}

bool manifest_is_folder_name(const char *name) {
  return name && *name && *name != '.' && !strpbrk(name, "/\\\"");
}

/* What there are several of; NULL: the folder is of one machine and one spectrum. */
static const json_t *several_of(const json_t *j) {
  const json_t *machines = json_object_get(j, KEY_MACHINES);
  return machines ? machines : json_object_get(j, KEY_SPECTRA);
}

/* The machines' or spectra's folders, each behind `before', or NULL after an error. */
static const char **folders_of(Reading *r, const json_t *j, const char *before) {
  const json_t *several = several_of(j);
  const bool machines = json_object_get(j, KEY_MACHINES) != NULL;
  if (!check_fields(r, j, machines ? machines_fields : spectra_fields, "")) return NULL;
  const char **all = arena_many(r->a, const char *, json_array_size(several) + 1);
  for (size_t i = 0; i < json_array_size(several); i++) {
    const char *name = json_string_value(json_object_get(json_array_get(several, i), KEY_FOLDER));
    if (!manifest_is_folder_name(name)) {
      refuse(r, "compile it again with this tgc",
             arena_printf(r->a, "`%s' has the invalid folder `%s'", r->path, name));
      return NULL;
    }
    all[i] = arena_printf(r->a, "%s/%s", before, name);
  }
  if (json_array_size(several)) return all;
  refuse(r, "compile it again with this tgc",
         arena_printf(r->a, "`%s' has no %s", r->path, machines ? "machine" : "spectrum"));
  return NULL;
}

/* Of several machines or spectra: which to name. */
static bool say_which(Reading *r, const json_t *j, const char *dir) {
  const bool machines = json_object_get(j, KEY_MACHINES) != NULL;
  const char **folders = folders_of(r, j, dir);
  if (!folders) return false;
  Buffer b = buffer_new(r->a);
  buffer_printf(&b, "name one %s's folder: ", machines ? "machine" : "spectrum");
  for (int i = 0; folders[i]; i++) buffer_printf(&b, "%s%s", i ? ", " : "", folders[i]);
  return refuse(r, b.text, arena_printf(r->a, "`%s' is of several %s", dir, machines ? "machines" : "spectra"));
}

json_t *manifest_read(Arena *a, const char *dir, Diagnostics *d) {
  Reading r = {.a = a, .d = d};
  json_t *j = read_any(&r, dir);
  if (!j) return NULL;
  bool several = several_of(j) != NULL;
  if (several ? say_which(&r, j, dir) : check_fields(&r, j, manifest_fields, "") && check_configurations(&r, j))
    return j;
  json_decref(j);
  return NULL;
}

bool manifest_is_of_spectra(Arena *a, const char *dir) {
  json_t *j = json_load_file(arena_printf(a, "%s/%s", dir, MANIFEST_FILE), 0, NULL);
  const bool is = json_object_get(j, KEY_SPECTRA) != NULL;
  json_decref(j);
  return is;
}

int manifest_folders(Arena *a, const char *dir, const char ***folders, Diagnostics *d) {
  Reading r = {.a = a, .d = d};
  json_t *j = read_any(&r, dir);
  if (!j) return 0;
  int n = 0;
  if (several_of(j)) {
    *folders = folders_of(&r, j, dir);
    while (*folders && (*folders)[n]) n++;
  } else {
    *folders = arena_many(a, const char *, 2);
    (*folders)[n++] = dir;
  }
  json_decref(j);
  return n;
}

bool manifest_is_variants_file(const char *s) {
  static const char folder[] = "variants/";
  if (strncmp(s, folder, sizeof folder - 1) != 0) return false;
  s += sizeof folder - 1;
  return manifest_is_folder_name(s) && strlen(s) < 200;
}

bool manifest_is_reduction(const json_t *manifest) {
  const json_t *operands = json_object_get(manifest, KEY_OPERANDS), *result = json_array_get(operands, 2);
  if (!operands) return true; /* of before there were others */
  const json_t *sizes = json_object_get(result, KEY_SIZES);
  return json_array_size(operands) == 3 && json_array_size(sizes) == 0;
}

/* ---- tunables ---- */

static const char *name_of(Arena *a, const json_t *name) {
  const char *s = json_string_value(name);
  return arena_strdup(a, s ? s : "");
}

Tunables manifest_members(Arena *a, const json_t *manifest) {
  const json_t *names = json_object_get(manifest, KEY_CONFIGURATION);
  Tunables own = {0};
  for (size_t i = 0; i < json_array_size(names); i++) tunables_set(a, &own, name_of(a, json_array_get(names, i)), 0);
  return tunables_members(a, &own);
}

Tunables manifest_configuration(Arena *a, const Tunables *members, const json_t *row) {
  Tunables set = {0};
  for (int i = 0; i < members->n; i++) {
    const char *name = members->at[i].name;
    tunables_set(a, &set, name, json_integer_value(json_object_get(row, name)));
  }
  return set;
}

static Tunable tunable_of(Arena *a, const json_t *from) {
  const json_t *values = json_object_get(from, KEY_VALUES);
  const int n = (int)json_array_size(values);
  const char *bind = json_string_value(json_object_get(from, KEY_BIND));
  int64_t *among = arena_many(a, int64_t, n);
  for (int i = 0; i < n; i++) among[i] = json_integer_value(json_array_get(values, (size_t)i));
  return (Tunable){.name = name_of(a, json_object_get(from, KEY_NAME)),
                   .value = json_integer_value(json_object_get(from, KEY_DEFAULT)),
                   .min = json_integer_value(json_object_get(from, KEY_MIN)),
                   .max = json_integer_value(json_object_get(from, KEY_MAX)),
                   .multiple = json_integer_value(json_object_get(from, KEY_MULTIPLE)),
                   .among = {among, n}, .at_launch = bind && strcmp(bind, "launch") == 0};
}

Tunables manifest_tunables(Arena *a, const json_t *variant) {
  const json_t *all = json_object_get(variant, KEY_TUNABLES);
  Tunables to = {0};
  for (size_t i = 0; i < json_array_size(all); i++) {
    const Tunable one = tunable_of(a, json_array_get(all, i));
    vec_push(a, &to, one);
  }
  return to;
}

Tunables manifest_compiled(Arena *a, const json_t *variant) {
  const Tunables all = manifest_tunables(a, variant);
  return tunables_compiled(a, &all);
}

/* `"variants/ab.cu",' of a line as a variant that has nothing but that file; NULL: it is no string. */
static json_t *variant_of_file(const char *value) {
  json_error_t end;
  json_t *file = json_loads(value, JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &end);
  return file ? json_pack("{s:o}", KEY_FILE, file) : NULL;
}

/* As manifest_print has printed it: the variants last, each of their keys on a line that nothing else can be. NULL: it
 * is not so. */
static json_t *files_as_printed(FILE *f) {
  static const char begin[] = "  \"" KEY_VARIANTS "\": [\n", key[] = "      \"" KEY_FILE "\": ";
  Arena *a = arena_new();
  Buffer head = buffer_new(a);
  char *line = NULL;
  size_t room = 0;
  json_t *manifest = NULL;
  bool ended = false;
  for (ssize_t n; !ended && (n = getline(&line, &room, f)) >= 0;) {
    if (!manifest) buffer_putn(&head, line, (size_t)n);
    if (!manifest && strcmp(line, begin) == 0) {
      buffer_puts(&head, "]}");
      if (!(manifest = json_loadb(head.text, head.length, 0, NULL))) break;
    } else if (manifest && strncmp(line, key, sizeof key - 1) == 0)
      json_array_append_new(json_object_get(manifest, KEY_VARIANTS), variant_of_file(line + sizeof key - 1));
    ended = manifest && strcmp(line, "  ]\n") == 0;
  }
  ended = ended && getline(&line, &room, f) == 2 && strcmp(line, "}\n") == 0 && fgetc(f) == EOF;
  free(line);
  arena_free(a);
  if (ended) return manifest;
  json_decref(manifest);
  return NULL;
}

json_t *manifest_files(FILE *f) {
  json_t *manifest = files_as_printed(f);
  rewind(f);
  return manifest ? manifest : json_loadf(f, 0, NULL);
}

/* ---- texts ---- */

json_t *manifest_text(Arena *a, const char *s) {
  if (!s) return json_null();
  json_t *j = json_string(s);
  if (j) return j;
  char *ascii = arena_strdup(a, s);
  for (char *c = ascii; *c; c++)
    if ((unsigned char)*c > 126) *c = '?';
  return json_string(ascii);
}

json_t *manifest_lines(Arena *a, const char *s) {
  json_t *array = json_array();
  while (s && *s) {
    size_t n = strcspn(s, "\n");
    json_array_append_new(array, manifest_text(a, arena_strndup(a, s, n)));
    s += n + (s[n] == '\n');
  }
  return array;
}

static char *printed(const json_t *part) {
  char *text = json_dumps(part, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  if (!text) abort(); /* memory exhausted: as in arena.h */
  return text;
}

void manifest_print_inside(Buffer *to, const json_t *part, const char *indent) {
  char *text = printed(part), *line = text;
  for (char *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
    buffer_putn(to, line, (size_t)(end + 1 - line));
    buffer_puts(to, indent);
  }
  buffer_puts(to, line);
  free(text);
}

void manifest_print(Buffer *to, const json_t *manifest) {
  char *text = printed(manifest);
  buffer_puts(to, text);
  buffer_puts(to, "\n");
  free(text);
}
