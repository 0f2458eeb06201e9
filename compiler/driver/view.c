/* view.c: what an output folder holds, as the facts of its page; and the page. */
#include "driver/view.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ir/element.h"
#include "support/manifest.h"
#include "support/manifest_file.h"
#include "table/table.h"

extern const char view_page_text[], view_style_text[], view_model_text[], view_filter_text[], view_plan_text[],
    view_code_text[], view_plot_text[], view_measured_text[], view_variant_text[], view_main_text[];
extern const char view_chart_text[]; /* Chart.js, or nothing (cmake/chart.cmake) */

typedef struct Viewing {
  Arena *a;
  Diagnostics *d;
  ViewPool *pool;
  const char *database; /* or NULL */
  json_t *folders;
} Viewing;

static const char *string_of(const json_t *j, const char *key) { return json_string_value(json_object_get(j, key)); }

static bool refuse(Viewing *x, const char *message) {
  diagnostics_add(x->d, DIAG_ERROR, (SourceRange){0}, "compile it again with this tgc", "%s", message);
  return false;
}

/* ---- variants ---- */

/* Keys whose values many variants have, and those that the page does not need. */
static const char *const pooled[] = {KEY_CATEGORY, KEY_DETERMINISM, KEY_DETERMINISM_WHY, KEY_BATCH_INVARIANT_WHY,
                                     KEY_LAUNCHES, KEY_LEVELS, KEY_ATOMICS, KEY_BARRIERS, KEY_WORKSPACE, KEY_TUNABLES,
                                     KEY_CODELETS},
                  *const each_pooled[] = {KEY_CHOICES, KEY_TREE},
                  *const left_out[] = {KEY_DOT, KEY_TEXT_HASH, KEY_FUNCTIONS, KEY_EVEN, KEY_CONFIGURATIONS_MACRO};

static bool put_text(Viewing *x, const char *dir, json_t *v) {
  const char *file = string_of(v, KEY_FILE);
  if (!manifest_is_variants_file(file))
    return refuse(x, arena_printf(x->a, "`%s/%s' names the invalid file `%.100s'", dir, MANIFEST_FILE, file));
  const char *path = arena_printf(x->a, "%s/%s", dir, file);
  const SourceFile *f = source_read(x->a, path);
  if (!f) return refuse(x, arena_printf(x->a, "cannot read `%s': %s", path, strerror(errno)));
  if (strlen(f->text) != f->size) return refuse(x, arena_printf(x->a, "`%s' is not a text", path));
  json_object_set_new(v, KEY_TEXT, view_pool_text(x->pool, v, f->text));
  return true;
}

static void put_nest(Viewing *x, json_t *v) {
  const json_t *lines = json_object_get(v, KEY_NEST);
  Buffer text = buffer_new(x->a);
  for (size_t i = 0; i < json_array_size(lines); i++)
    buffer_printf(&text, "%s\n", json_string_value(json_array_get(lines, i)));
  json_object_set_new(v, KEY_NEST, view_pool_text(x->pool, v, text.length ? text.text : ""));
}

static bool put_variant(Viewing *x, const char *dir, const json_t *from, json_t *to) {
  json_t *v = json_copy((json_t *)from);
  json_array_append_new(to, v);
  for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++) json_object_del(v, left_out[i]);
  for (size_t i = 0; i < sizeof pooled / sizeof *pooled; i++) {
    json_t *value = json_object_get(v, pooled[i]);
    json_object_set_new(v, pooled[i], view_pool_value(x->pool, value ? json_incref(value) : json_null()));
  }
  for (size_t i = 0; i < sizeof each_pooled / sizeof *each_pooled; i++) {
    const json_t *values = json_object_get(v, each_pooled[i]);
    json_t *numbers = json_array();
    for (size_t k = 0; k < json_array_size(values); k++)
      json_array_append_new(numbers, view_pool_value(x->pool, json_incref(json_array_get(values, k))));
    json_object_set_new(v, each_pooled[i], numbers);
  }
  put_nest(x, v);
  return put_text(x, dir, v);
}

/* ---- the table ---- */

/* What stands behind the rows of NAME.table, in the order of the manifest's rows; null where they are not the same. */
static bool put_table(Viewing *x, const char *dir, const json_t *manifest, json_t *to) {
  const char *path = arena_printf(x->a, "%s/%s.table", dir, string_of(manifest, KEY_SPECTRUM));
  if (strchr(string_of(manifest, KEY_SPECTRUM), '/') || access(path, F_OK) != 0) {
    json_object_set_new(to, "table", json_null());
    return true;
  }
  const SourceFile *f = source_read(x->a, path);
  if (!f) return refuse(x, arena_printf(x->a, "cannot read `%s': %s", path, strerror(errno)));
  Table t = {0};
  if (!table_read(x->a, f, &t, x->d)) return false;
  const json_t *rows = json_object_get(manifest, KEY_DISPATCH);
  json_t *notes = json_array();
  for (size_t i = 0; i < json_array_size(rows); i++) {
    const char *type = string_of(json_array_get(rows, i), KEY_TYPE), *note = NULL;
    int before = 0, at = 0; /* rows of the type */
    for (size_t k = 0; k < i; k++) before += strcmp(string_of(json_array_get(rows, k), KEY_TYPE), type) == 0;
    for (int k = 0; k < t.rows.n; k++)
      if (strcmp(t.rows.at[k].type, type) == 0 && at++ == before) note = t.rows.at[k].comment;
    json_array_append_new(notes, manifest_text(x->a, note));
  }
  json_object_set_new(to, "table",
                      json_pack("{s:o, s:o}", "heading", manifest_text(x->a, t.heading), "notes", notes));
  return true;
}

/* ---- bytes ---- */

static bool is_of_elements(const json_t *manifest, const char *size) {
  const json_t *all = json_object_get(manifest, KEY_OPERANDS);
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *x = json_array_get(all, i);
    const char *name = string_of(x, KEY_NAME), *means = string_of(x, KEY_MEANS);
    if (name && means && strcmp(name, size) == 0) return strcmp(means, "elements") == 0;
  }
  return false;
}

/* How often each element is read or written, in arrays of as many as the call is for: of the element type, and of what
 * it is accumulated in. */
typedef struct Moved { int elements, accumulators; } Moved;

/* Nothing: there are other arrays. */
static Moved times_moved(const json_t *manifest) {
  const json_t *all = json_object_get(manifest, KEY_OPERANDS);
  Moved times = {0};
  for (size_t i = 0; i < json_array_size(all); i++) {
    const json_t *x = json_array_get(all, i), *sizes = json_object_get(x, KEY_SIZES);
    const char *kind = string_of(x, KEY_KIND), *type = string_of(x, KEY_TYPE), *size;
    if (!kind || strcmp(kind, "array") != 0 || json_array_size(sizes) == 0) continue;
    size = json_string_value(json_array_get(sizes, 0));
    if (json_array_size(sizes) > 1 || !size || !is_of_elements(manifest, size) || !type ||
        (strcmp(type, "element") != 0 && strcmp(type, "result") != 0 && strcmp(type, "accumulator") != 0))
      return (Moved){0};
    const bool written = json_is_true(json_object_get(x, KEY_WRITTEN));
    *(strcmp(type, "accumulator") == 0 ? &times.accumulators : &times.elements) +=
        written + (!written || json_is_true(json_object_get(x, KEY_IN_PLACE)));
  }
  return times;
}

static json_t *bytes(const json_t *manifest) {
  const json_t *types = json_object_get(manifest, KEY_TYPES);
  const Moved times = times_moved(manifest);
  json_t *all = json_object();
  for (size_t i = 0; i < json_array_size(types); i++) {
    const char *name = json_string_value(json_array_get(types, i));
    const ElementType *e = element_by_name(name);
    const int moved = e ? times.elements * e->bytes + times.accumulators * element_accumulator(e)->bytes : 0;
    if (moved) json_object_set_new(all, name, json_integer(moved));
  }
  return all;
}

/* ---- a folder of one machine ---- */

static bool put_measured(Viewing *x, const char *dir, const json_t *manifest, json_t *to) {
  const char *path = x->database ? x->database : arena_printf(x->a, "%s/tune.db", dir);
  json_t *measured = x->database || access(path, F_OK) == 0 ? view_measured(x->a, path, manifest, x->d) : json_null();
  if (measured) json_object_set_new(to, "measured", measured);
  return measured != NULL;
}

static bool put_codelets(Viewing *x, const char *dir, json_t *to) {
  json_t *read = manifest_read_codelets(x->a, dir, x->d);
  if (read) json_object_update(to, read);
  json_decref(read);
  return read != NULL;
}

static bool put_folder(Viewing *x, const char *dir, const char *path) {
  static const char *const facts[] = {KEY_SPECTRUM, KEY_OPERATOR, KEY_SOURCE, KEY_MACHINE, KEY_FAMILY,
                                      KEY_OPTIONS, KEY_TYPES, KEY_EXACT, KEY_DISPATCH};
  json_t *manifest = manifest_read(x->a, dir, x->d);
  if (!manifest) return false;
  json_t *to = json_object(), *variants = json_array();
  json_array_append_new(x->folders, to);
  json_object_set_new(to, "path", manifest_text(x->a, path));
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    json_object_set(to, facts[i], json_object_get(manifest, facts[i]));
  const Tunables members = manifest_members(x->a, manifest);
  json_t *names = json_array();
  for (int i = 0; i < members.n; i++) json_array_append_new(names, json_string(members.at[i].name));
  json_object_set_new(to, KEY_CONFIGURATION, names);
  json_object_set_new(to, "bytes", bytes(manifest));
  json_object_set_new(to, KEY_VARIANTS, variants);
  const json_t *all = json_object_get(manifest, KEY_VARIANTS);
  bool ok = put_codelets(x, dir, to) && put_table(x, dir, manifest, to) && put_measured(x, dir, manifest, to);
  for (size_t i = 0; ok && i < json_array_size(all); i++) ok = put_variant(x, dir, json_array_get(all, i), variants);
  json_decref(manifest);
  return ok;
}

/* A folder of one, or of several machines or spectra, each in a folder of its own. */
static bool put_folders(Viewing *x, const char *dir, const char *path) {
  const char **folders;
  const int n = manifest_folders(x->a, dir, &folders, x->d);
  if (n == 1 && strcmp(folders[0], dir) == 0) return put_folder(x, dir, path);
  bool ok = n > 0;
  for (int i = 0; ok && i < n; i++) {
    const char *name = strrchr(folders[i], '/') + 1;
    ok = put_folder(x, folders[i], *path ? arena_printf(x->a, "%s/%s", path, name) : name);
  }
  return ok;
}

/* ---- the page ---- */

/* JSON that can stand in an HTML script: nothing in it ends the script, or begins a comment or a tag. These characters
 * stand in its strings alone. */
static void put_facts(Buffer *to, const json_t *facts) {
  char *text = json_dumps(facts, JSON_COMPACT);
  if (!text) abort(); /* memory exhausted: as in arena.h */
  for (const char *at = text; *at;) {
    const size_t n = strcspn(at, "<>&");
    buffer_putn(to, at, n);
    at += n;
    if (*at) buffer_printf(to, "\\u%04x", (unsigned)*at++);
  }
  free(text);
}

static void put_scripts(Buffer *to) {
  const char *const scripts[] = {view_model_text, view_filter_text, view_plan_text, view_code_text,
                                 view_plot_text, view_measured_text, view_variant_text, view_main_text};
  for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) buffer_puts(to, scripts[i]);
}

/* The library that draws plots, where there is something to be drawn: it is larger than most pages without it. */
static void put_chart(Buffer *to, const json_t *facts) {
  const json_t *folders = json_object_get(facts, "folders");
  bool measured = false;
  for (size_t i = 0; i < json_array_size(folders); i++)
    measured = measured || json_is_object(json_object_get(json_array_get(folders, i), "measured"));
  if (measured && *view_chart_text) buffer_printf(to, "<script id=\"chart\">\n%s</script>\n", view_chart_text);
}

/* The template with its places filled. */
static void put_page(Buffer *to, const json_t *facts) {
  static const char *const places[] = {"@STYLE@", "@CHART@", "@FACTS@", "@SCRIPTS@"};
  const char *at = view_page_text;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    const char *place = strstr(at, places[i]);
    buffer_putn(to, at, (size_t)(place - at));
    at = place + strlen(places[i]);
    if (i == 0) buffer_puts(to, view_style_text);
    else if (i == 1) put_chart(to, facts);
    else if (i == 2) put_facts(to, facts);
    else put_scripts(to);
  }
  buffer_puts(to, at);
}

bool view_page(Arena *a, const char *dir, const char *database, Buffer *page, Diagnostics *d) {
  Viewing x = {a, d, view_pool_new(a), database, json_array()};
  const bool ok = put_folders(&x, dir, "");
  json_t *facts = json_pack("{s:o, s:s}", "folders", x.folders, "version", TGC_VERSION);
  if (ok) {
    view_pool_put(x.pool, facts);
    put_page(page, facts);
  }
  json_decref(facts);
  view_pool_free(x.pool);
  return ok;
}
