/* manifest_test.c: what manifest.json says of an output, and that it is read back. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/manifest_file.h"
#include "support/manifest.h"
#include "example_output.h"

static json_t *emitted(Arena *a, const Output *o) {
  Buffer b = buffer_new(a);
  emit_manifest(&b, o);
  json_error_t e;
  json_t *j = json_loadb(b.text, b.length, JSON_REJECT_DUPLICATES, &e);
  assert_non_null(j);
  return j;
}

static const json_t *variant(const json_t *j, size_t i) { return json_array_get(json_object_get(j, "variants"), i); }
static const char *string(const json_t *j, const char *key) { return json_string_value(json_object_get(j, key)); }
static json_int_t number(const json_t *j, const char *key) { return json_integer_value(json_object_get(j, key)); }
static const json_t *item(const json_t *j, const char *key, size_t i) {
  return json_array_get(json_object_get(j, key), i);
}

static void says_what_it_is_of(void **state) {
  (void)state;
  Arena *a = arena_new();
  json_t *j = emitted(a, example_output(a));
  assert_int_equal(number(j, "version"), 1);
  assert_string_equal(string(j, "generator"), "tgc");
  assert_string_equal(string(j, "spectrum"), "sum");
  assert_string_equal(string(j, "operator"), "add");
  assert_string_equal(string(j, "source"), "sum.cdl");
  assert_string_equal(string(j, "machine"), "sm_60");
  assert_string_equal(string(j, "family"), "cuda");
  assert_string_equal(string(variant(j, 0), "file"), "variants/aa11bb22.cu");
  assert_int_equal(json_array_size(json_object_get(j, "types")), 2);
  assert_string_equal(json_string_value(item(j, "types", 1)), "double");
  assert_int_equal(number(item(j, "dispatch", 0), "up_to"), 4096);
  assert_true(json_is_null(json_object_get(item(j, "dispatch", 1), "up_to")));
  assert_string_equal(string(item(j, "dispatch", 1), "variant"), "aa33cc44");
  json_decref(j);
  arena_free(a);
}

static void says_that_it_is_of_a_cpu(void **state) {
  (void)state;
  Arena *a = arena_new();
  json_t *j = emitted(a, example_cpu_output(a));
  assert_string_equal(string(j, "machine"), "avx2");
  assert_string_equal(string(j, "family"), "cpu");
  assert_string_equal(string(variant(j, 0), "file"), "variants/aa11bb22.c");
  json_decref(j);
  arena_free(a);
}

static void counts_what_kernels_hold(void **state) {
  (void)state;
  Arena *a = arena_new();
  json_t *j = emitted(a, example_output(a));
  const json_t *first = variant(j, 0), *second = variant(j, 1), *k = item(first, "launches", 0);
  assert_int_equal(number(first, "kernels"), 2);
  assert_string_equal(string(k, "name"), "sum_block");
  assert_int_equal(number(k, "threads"), 256);
  /* an int, then eight elements at their own alignment */
  assert_int_equal(number(json_object_get(k, "shared_bytes"), "int"), 4 + 8 * 4);
  assert_int_equal(number(json_object_get(k, "shared_bytes"), "double"), 8 + 8 * 8);
  assert_int_equal(number(json_object_get(item(first, "launches", 1), "shared_bytes"), "double"), 0);
  assert_int_equal(number(json_object_get(first, "barriers"), "block"), 2);
  assert_int_equal(number(json_object_get(first, "barriers"), "warp"), 0);
  assert_int_equal(number(first, "shuffles"), 0);
  assert_int_equal(json_array_size(json_object_get(first, "atomics")), 0);
  assert_string_equal(string(first, "workspace"), "16 + blocks * sizeof(T)");

  assert_int_equal(number(second, "shuffles"), 1);
  assert_int_equal(number(json_object_get(second, "barriers"), "warp"), 1);
  assert_int_equal(json_array_size(json_object_get(second, "atomics")), 2);
  const json_t *shared = item(second, "atomics", 0), *global = item(second, "atomics", 1);
  assert_string_equal(string(shared, "op"), "add");
  assert_string_equal(string(shared, "scope"), "block");
  assert_string_equal(string(shared, "space"), "shared");
  assert_int_equal(number(shared, "count"), 1);
  assert_string_equal(string(global, "scope"), "device");
  assert_string_equal(string(global, "space"), "global");
  assert_int_equal(number(global, "count"), 2);
  assert_true(json_is_null(json_object_get(second, "workspace")));
  json_decref(j);
  arena_free(a);
}

static void tells_the_plan(void **state) {
  (void)state;
  Arena *a = arena_new();
  json_t *j = emitted(a, example_output(a));
  const json_t *first = variant(j, 0), *second = variant(j, 1), *t = item(first, "tunables", 0);
  assert_true(json_is_null(json_object_get(first, "letter")));
  assert_string_equal(string(second, "letter"), "m");
  assert_string_equal(string(second, "category"), "shuffle");
  assert_string_equal(string(second, "determinism"), "not_guaranteed");
  assert_true(json_is_true(json_object_get(first, "batch_invariant")));
  assert_true(json_is_false(json_object_get(second, "batch_invariant")));
  assert_string_equal(string(second, "batch_invariant_why"), "the result depends on the order of arrival");
  assert_int_equal(json_array_size(json_object_get(j, "exact")), 1);
  assert_string_equal(json_string_value(json_array_get(json_object_get(j, "exact"), 0)), "int");
  assert_string_equal(string(t, "bind"), "compile");
  assert_int_equal(number(t, "max"), 1024);
  assert_int_equal(number(t, "multiple"), 32);
  assert_int_equal(json_array_size(json_object_get(first, "codelets")), 2); /* the tree stands in the plan twice */
  assert_string_equal(string(item(first, "codelets", 1), "tag"), "tree");
  assert_int_equal(number(item(first, "codelets", 1), "line"), 3);
  assert_string_equal(string(item(first, "codelets", 1), "class"), "cooperative");
  assert_int_equal(json_array_size(json_object_get(first, "levels")), 2);
  assert_string_equal(string(first, "file"), "variants/aa11bb22.cu");
  assert_string_equal(string(json_object_get(first, "functions"), "double"), "sum_aa11bb22_double");
  bool atomics = false, shuffles = false, launch = false;
  for (size_t i = 0; i < json_array_size(json_object_get(second, "choices")); i++) {
    const json_t *c = item(second, "choices", i);
    atomics |= strcmp(string(c, "what"), "combination") == 0 && strstr(string(c, "choice"), "atomics");
    shuffles |= strcmp(string(c, "what"), "exchange") == 0 && strstr(string(c, "choice"), "shuffles");
    launch |= strcmp(string(c, "what"), "synchronisation") == 0 && strcmp(string(c, "choice"), "terminate/launch") == 0;
  }
  assert_true(atomics && shuffles && launch);
  json_decref(j);
  arena_free(a);
}

static void a_split_names_both_levels(void **state) {
  (void)state;
  Arena *a = arena_new();
  Output *o = example_output(a);
  const Level *levels = o->machine->levels;
  Plan split = *o->variants[1].plan;
  PlanNode root = *split.root;
  Rule rule = *root.rule;
  rule.map = STEP_SPLIT;
  root.rule = &rule;
  root.axis = (Axis){.level = &levels[1], .second = &levels[2], .real = REAL_BLOCK};
  split.root = &root;
  o->variants[1].plan = &split;
  json_t *j = emitted(a, o);
  const json_t *v = variant(j, 1);
  assert_int_equal(json_array_size(json_object_get(v, "levels")), 3);
  assert_string_equal(json_string_value(item(v, "levels", 2)), "thread");
  assert_string_equal(string(item(v, "choices", 0), "choice"), "split over the blocks and their threads");
  json_decref(j);
  arena_free(a);
}

static void is_the_same_every_time(void **state) {
  (void)state;
  Arena *a = arena_new(), *b = arena_new();
  Buffer x = buffer_new(a), y = buffer_new(b);
  emit_manifest(&x, example_output(a));
  emit_manifest(&y, example_output(b));
  assert_string_equal(x.text, y.text);
  assert_null(strstr(x.text, "/some/where"));
  assert_int_equal(x.text[x.length - 1], '\n');
  arena_free(a);
  arena_free(b);
}

static void bears_a_name_that_is_no_utf8(void **state) {
  (void)state;
  Arena *a = arena_new();
  Output *o = example_output(a);
  SourceFile odd = *o->file;
  odd.path = "s\xffm.cdl";
  o->file = &odd;
  json_t *j = emitted(a, o);
  assert_string_equal(string(j, "source"), "s?m.cdl");
  json_decref(j);
  arena_free(a);
}

/* ---- every key is documented ---- */

static const char *source_file(Arena *a, const char *path) {
  SourceFile *f = source_read(a, arena_printf(a, "%s/%s", getenv("TGC_SOURCE_DIR"), path));
  assert_non_null(f);
  return f->text;
}

static void check_keys(Arena *a, json_t *j, const char *header, const char *page) {
  const char *key;
  json_t *value;
  json_object_foreach(j, key, value) {
    if (!strstr(header, arena_printf(a, "\"%s\"", key))) fail_msg("manifest.h does not name %s", key);
    if (!strstr(page, arena_printf(a, "`%s`", key))) fail_msg("docs/reference/output.md does not tell of %s", key);
    if (strcmp(key, "shared_bytes") == 0 || strcmp(key, "functions") == 0) continue; /* these are keyed by type */
    check_keys(a, json_is_array(value) ? json_array_get(value, 0) : value, header, page);
  }
}

static void documents_every_key(void **state) {
  (void)state;
  Arena *a = arena_new();
  json_t *j = emitted(a, example_output(a));
  const char *header = source_file(a, "compiler/support/manifest.h");
  const char *page = source_file(a, "docs/reference/output.md");
  check_keys(a, j, header, page);
  check_keys(a, json_array_get(json_object_get(j, "variants"), 1), header, page); /* the one with atomics */
  json_decref(j);
  arena_free(a);
}

/* ---- reading back ---- */

static const char *write_manifest(Arena *a, const char *text) {
  char *dir = arena_strdup(a, "/tmp/tgc-manifest-XXXXXX");
  assert_non_null(mkdtemp(dir));
  FILE *f = fopen(arena_printf(a, "%s/manifest.json", dir), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
  return dir;
}

static void remove_manifest(Arena *a, const char *dir) {
  unlink(arena_printf(a, "%s/manifest.json", dir));
  rmdir(dir);
}

static void reads_what_it_writes(void **state) {
  (void)state;
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  emit_manifest(&b, example_output(a));
  const char *dir = write_manifest(a, b.text);
  Diagnostics *d = diagnostics_new(a);
  json_t *j = manifest_read(a, dir, d);
  assert_non_null(j);
  assert_int_equal(d->errors, 0);
  json_decref(j);
  remove_manifest(a, dir);
  arena_free(a);
}

/* The text with its first `from` replaced. */
static const char *replaced(Arena *a, const char *text, const char *from, const char *to) {
  const char *at = strstr(text, from);
  assert_non_null(at);
  return arena_printf(a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void refuses_what_is_wrong(void **state) {
  (void)state;
  static const struct { const char *from, *to, *said; } cases[] = {
    {"\"version\": 1", "\"version\": 2", "is of version 2"},
    {"\"version\": 1", "\"version\": \"1\"", "version: wanted a whole number"},
    {"\"generator\": \"tgc\"", "\"generator\": \"other\"", "is not a manifest of tgc"},
    {"\"threads\": 256", "\"threads\": null", "variants[0].launches[0].threads: wanted a whole number"},
    {"\"threads\": 256", "\"other\": 256", "variants[0].launches[0].threads is missing"},
    {"\"int\": 36", "\"int\": \"36\"", "variants[0].launches[0].shared_bytes.int: wanted a whole number"},
    {"\"plan\": \"grid", "\"plan\": 3, \"more\": \"grid", "variants[0].plan: wanted a string"},
    {"\"max\": 1024", "\"max\": \"1024\"", "variants[0].tunables[0].max: wanted a whole number"},
    {"\"spectrum\": \"sum\"", "\"spectrum\": \"sum\"]", "is no JSON"},
    {"\"spectrum\": \"sum\"", "\"spectrum\": \"sum\", \"spectrum\": \"sum\"", "is no JSON"},
  };
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  emit_manifest(&b, example_output(a));
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *dir = write_manifest(a, replaced(a, b.text, cases[i].from, cases[i].to));
    Diagnostics *d = diagnostics_new(a);
    assert_null(manifest_read(a, dir, d));
    assert_int_equal(d->errors, 1);
    if (!strstr(d->list.at[0].message, cases[i].said))
      fail_msg("said `%s', not `%s'", d->list.at[0].message, cases[i].said);
    remove_manifest(a, dir);
  }
  arena_free(a);
}

static json_t *files_of(char *text, size_t n) {
  FILE *f = fmemopen(text, n, "r");
  json_t *j = manifest_files(f);
  fclose(f);
  return j;
}

/* As it is printed, and by somebody else's program, with other blanks. */
static void lists_the_files_of_variants(void **state) {
  (void)state;
  Arena *a = arena_new();
  Buffer b = buffer_new(a);
  emit_manifest(&b, example_output(a));
  json_t *whole = json_loadb(b.text, b.length, 0, NULL);
  char *other = json_dumps(whole, JSON_INDENT(1));
  json_t *files[] = {files_of(b.text, b.length), files_of(other, strlen(other))};
  for (int i = 0; i < 2; i++) {
    assert_string_equal(string(files[i], "spectrum"), "sum");
    assert_int_equal(json_array_size(json_object_get(files[i], "variants")), 2);
    for (size_t k = 0; k < 2; k++)
      assert_string_equal(string(variant(files[i], k), "file"), string(variant(whole, k), "file"));
  }
  assert_int_equal(json_object_size(variant(files[0], 0)), 1); /* nothing else is kept */
  json_decref(files[0]);
  json_decref(files[1]);
  for (size_t n = 1; n + 1 < b.length; n++) assert_null(files_of(b.text, n)); /* all of it, or nothing */
  free(other);
  json_decref(whole);
  arena_free(a);
}

static void says_where_it_is_malformed(void **state) {
  (void)state;
  Arena *a = arena_new();
  const char *dir = write_manifest(a, "{\n  \"version\": 1,\n  oops\n}\n");
  Diagnostics *d = diagnostics_new(a);
  assert_null(manifest_read(a, dir, d));
  int line, column;
  assert_non_null(d->list.at[0].where.file);
  source_position(d->list.at[0].where.file, d->list.at[0].where.begin, &line, &column);
  assert_int_equal(line, 3);
  remove_manifest(a, dir);
  dir = write_manifest(a, "");
  assert_null(manifest_read(a, dir, d));
  remove_manifest(a, dir);
  assert_null(manifest_read(a, "/nowhere/at/all", d));
  assert_non_null(strstr(d->list.at[d->list.n - 1].message, "cannot read `/nowhere/at/all/manifest.json'"));
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
    cmocka_unit_test(says_what_it_is_of),      cmocka_unit_test(says_that_it_is_of_a_cpu),
    cmocka_unit_test(counts_what_kernels_hold),
    cmocka_unit_test(tells_the_plan),          cmocka_unit_test(a_split_names_both_levels),
    cmocka_unit_test(is_the_same_every_time),
    cmocka_unit_test(bears_a_name_that_is_no_utf8), cmocka_unit_test(documents_every_key),
    cmocka_unit_test(reads_what_it_writes),    cmocka_unit_test(refuses_what_is_wrong),
    cmocka_unit_test(lists_the_files_of_variants),
    cmocka_unit_test(says_where_it_is_malformed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
