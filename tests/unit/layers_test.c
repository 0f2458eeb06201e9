/* layers_test.c: the folders of the compiler include what lies below them, nothing beside or above. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <string.h>

#include "golden.h"

static const struct { const char *folder; int rank; } layers[] = {
    {"driver", 6}, {"tune", 6}, {"emit", 5}, {"lower", 5}, {"lsp", 5}, {"compose", 4}, {"passes", 4},
    {"front", 4},  {"table", 3}, {"ir", 2},   {"arch", 2},  {"command", 2}, {"support", 1}};
enum { LAYERS = sizeof layers / sizeof *layers };

/* Of the folder that a path starts with; 0: it is none of them. */
static int rank_of(const char *path) {
  for (int i = 0; i < LAYERS; i++) {
    size_t n = strlen(layers[i].folder);
    if (strncmp(path, layers[i].folder, n) == 0 && path[n] == '/') return layers[i].rank;
  }
  return 0;
}

/* Goes through the includes of a file of a folder; returns how many lead to other folders, all of them further down. */
static int check_includes(const char *folder, int rank, const char *name, const char *text) {
  static const char include[] = "\n#include \"";
  int down = 0;
  for (const char *at = text; (at = strstr(at, include));) {
    at += sizeof include - 1;
    const int below = rank_of(at);
    if (!below || (strncmp(at, folder, strlen(folder)) == 0 && at[strlen(folder)] == '/')) continue;
    if (below >= rank) fail_msg("%s/%s includes %.*s", folder, name, (int)strcspn(at, "\""), at);
    down++;
  }
  return down;
}

static int each_file(int (*check)(const char *, int, const char *, const char *), int layer) {
  Arena *a = arena_new();
  const char *folder = layers[layer].folder;
  DIR *d = opendir(golden_path(a, arena_printf(a, "compiler/%s", folder)));
  assert_non_null(d);
  int found = 0;
  for (struct dirent *e; (e = readdir(d));) {
    size_t n = strlen(e->d_name);
    if (n < 3 || (strcmp(e->d_name + n - 2, ".c") != 0 && strcmp(e->d_name + n - 2, ".h") != 0)) continue;
    const SourceFile *f = source_read(a, golden_path(a, arena_printf(a, "compiler/%s/%s", folder, e->d_name)));
    assert_non_null(f);
    found += check(folder, layers[layer].rank, e->d_name, f->text);
  }
  closedir(d);
  arena_free(a);
  return found;
}

static void test_includes_go_down(void **state) {
  (void)state;
  int down = 0;
  for (int i = 0; i < LAYERS; i++) down += each_file(check_includes, i);
  assert_true(down > 100);
}

/* How often a text names how levels are realised, or asks whether the machine is a CPU. */
static int count_names(const char *folder, int rank, const char *name, const char *text) {
  static const char *const names[] = {"REAL_", "is_cpu"};
  int n = 0;
  (void)folder, (void)rank, (void)name;
  for (int i = 0; i < 2; i++)
    for (const char *at = text; (at = strstr(at, names[i])); at++) n++;
  return n;
}

/* Composition asks levels what they can do; lowering knows what they are. */
static void test_composition_names_no_level(void **state) {
  (void)state;
  for (int i = 0; i < LAYERS; i++) {
    const int n = each_file(count_names, i);
    if (strcmp(layers[i].folder, "compose") == 0) assert_in_range(n, 0, 2);
    if (strcmp(layers[i].folder, "lower") == 0) assert_true(n > 2);
  }
}

/* What writes statements, but declarations. */
static int writes(const char *name) {
  static const char *const words[] = {"lowering_add(", "lowering_deliver(", "block_open(",       "block_close",
                                      "kernel_open(",  "inline_codelet(",   "inline_statements(", "realise("};
  Arena *a = arena_new();
  const char *text = source_read(a, golden_path(a, arena_printf(a, "compiler/lower/%s.c", name)))->text;
  int n = 0;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    for (const char *at = text; (at = strstr(at, words[i])); at++) n++;
  arena_free(a);
  return n;
}

/* A plan's node is opened into a nest, and that is written elsewhere. */
static void test_who_opens_writes_nothing(void **state) {
  (void)state;
  static const char *const open[] = {"opening", "maps", "joins", "cluster", "grid_parts", "shares",
                                     "interleave", "privatise", "scan", "scan_grid", "chained_scan", "open"};
  for (size_t i = 0; i < sizeof open / sizeof *open; i++)
    if (writes(open[i])) fail_msg("lower/%s.c writes", open[i]);
  assert_true(writes("realise") > 10 && writes("stages") > 10);
}

/* What all others call has no place in an order: it is not asked. */
static int says_requires(const char *folder, int rank, const char *name, const char *text) {
  static const char *const called[] = {"block.c",        "context.c",       "inline_loops.c", "inline_shared.c",
                                       "inline_values.c", "iterations.c",   "launch.c",       "parts.c",
                                       "tile_operands.c", "view.c"};
  (void)folder, (void)rank;
  const char *end = strstr(text, "*/"), *found = strstr(text, "Requires");
  if (!strstr(name, ".c")) return 0;
  for (size_t i = 0; i < sizeof called / sizeof *called; i++)
    if (strcmp(name, called[i]) == 0) return 0;
  if (!end || !found || found > end) fail_msg("lower/%s does not say what it requires", name);
  return 1;
}

static void test_lowering_says_what_it_requires(void **state) {
  (void)state;
  for (int i = 0; i < LAYERS; i++)
    if (strcmp(layers[i].folder, "lower") == 0) assert_true(each_file(says_requires, i) > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_includes_go_down),
                                     cmocka_unit_test(test_lowering_says_what_it_requires),
                                     cmocka_unit_test(test_composition_names_no_level),
                                     cmocka_unit_test(test_who_opens_writes_nothing)};
  return cmocka_run_group_tests_name("layers", tests, NULL, NULL);
}
