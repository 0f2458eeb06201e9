/* tunables_test.c: numbers by name, as a vector (support/tunables.h). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "support/tunables.h"

static const char *printed(Arena *a, const Tunables *t) {
  Buffer b = buffer_new(a);
  tunables_print(&b, t);
  return b.length ? b.text : "";
}

static Tunables parsed(Arena *a, const char *text) {
  Tunables t = {0};
  assert_true(tunables_parse(a, text, &t));
  return t;
}

/* The usual ones first, then others by name, however they are set. */
static void are_in_order(void **state) {
  (void)state;
  Arena *a = arena_new();
  static const char *const orders[] = {"loads=4 threads=256 stages=2 tile_m=8 blocks=7",
                                       "tile_m=8 blocks=7 stages=2 loads=4 threads=256",
                                       "  threads=256   loads=4 blocks=7 stages=2 tile_m=8 "};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    const Tunables t = parsed(a, orders[i]);
    assert_string_equal(printed(a, &t), "threads=256 loads=4 blocks=7 stages=2 tile_m=8");
  }
  arena_free(a);
}

static void finds_and_sets(void **state) {
  (void)state;
  Arena *a = arena_new();
  Tunables t = parsed(a, "threads=32 tile_m=8");
  assert_int_equal(tunables_value(&t, "tile_m"), 8);
  assert_int_equal(tunables_value(&t, "tile"), 0);
  assert_null(tunables_find(&t, "tile_mm"));
  Tunables copy = tunables_copy(a, &t);
  tunables_set(a, &copy, "tile_m", 16);
  tunables_set(a, &copy, "loads", 2);
  assert_string_equal(printed(a, &t), "threads=32 tile_m=8");
  assert_string_equal(printed(a, &copy), "threads=32 loads=2 tile_m=16");
  tunables_set(a, &copy, "tile_m", 0);
  assert_string_equal(printed(a, &copy), "threads=32 loads=2"); /* 0: the variant's own */
  arena_free(a);
}

static void compares(void **state) {
  (void)state;
  Arena *a = arena_new();
  static const struct { const char *x, *y; bool same; } rows[] = {
      {"", "", true},           {"", "loads=0", true},         {"loads=0 tile=0", "blocks=0", true},
      {"tile=8", "tile=8", true}, {"tile=8", "tile=4", false}, {"tile=8", "", false},
      {"tile=8 loads=1", "tile=8", false}, {"tile=8", "tiles=8", false}, {"loads=2 tile=8", "tile=8 loads=2", true}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const Tunables x = parsed(a, rows[i].x), y = parsed(a, rows[i].y);
    assert_int_equal(tunables_equal(&x, &y), rows[i].same);
    assert_int_equal(tunables_equal(&y, &x), rows[i].same);
  }
  arena_free(a);
}

static void refuses(void **state) {
  (void)state;
  Arena *a = arena_new();
  static const char *const texts[] = {"tile",
                                      "tile=",
                                      "=8",
                                      "tile=x",
                                      "tile=-1",
                                      "tile=8x",
                                      "8=8",
                                      "tile=8,loads=2",
                                      "tile=8 tile=8",
                                      "tile = 8",
                                      "tile=99999999999999999999",
                                      "ti-le=8"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Tunables t = {0};
    assert_false(tunables_parse(a, texts[i], &t));
  }
  arena_free(a);
}

static void has_members(void **state) {
  (void)state;
  Arena *a = arena_new();
  const Tunables own = parsed(a, "tile_m=8 stages=3"), members = tunables_members(a, &own);
  const Tunables none = tunables_members(a, &(Tunables){0});
  Buffer b = buffer_new(a);
  tunables_print_names(&b, &members, ", ");
  assert_string_equal(b.text, "threads, loads, blocks, stages, tile_m");
  assert_int_equal(none.n, USUAL_TUNABLES);
  for (int i = 0; i < members.n; i++) assert_int_equal(members.at[i].value, 0);
  for (int i = 0; i < members.n; i++)
    assert_int_equal(members.at[i].at_launch, strcmp(members.at[i].name, "blocks") == 0);
  const Tunables compiled = tunables_compiled(a, &members);
  assert_int_equal(compiled.n, members.n - 1);
  arena_free(a);
}

static void has_ranges(void **state) {
  (void)state;
  static const int64_t some[] = {1, 2, 3, 4, 8};
  const Tunable lanes = {.name = "threads", .min = 32, .max = 1024, .multiple = 32},
                blocks = {.name = "blocks", .min = 2, .at_launch = true},
                stages = {.name = "stages", .min = 1, .max = 4, .among = {some, 5}},
                one = {.name = "one", .min = 8, .max = 8};
  static const struct { int64_t number; bool lanes, blocks, stages;
  } rows[] = {{1, false, false, true}, {2, false, true, true},   {3, false, true, true},    {8, false, true, false},
              {32, true, true, false}, {33, false, true, false}, {1024, true, true, false}, {2048, false, true, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(tunable_takes(&lanes, rows[i].number), rows[i].lanes);
    assert_int_equal(tunable_takes(&blocks, rows[i].number), rows[i].blocks);
    assert_int_equal(tunable_takes(&stages, rows[i].number), rows[i].stages);
  }
  assert_int_equal(tunable_below(&lanes, 1024), 992);
  assert_int_equal(tunable_below(&stages, 4), 3);
  Arena *a = arena_new();
  const struct { const Tunable *of; const char *text; } words[] = {
      {&lanes, "32 to 1024, a multiple of 32"}, {&blocks, "at least 2"}, {&stages, "1, 2, 3 or 4"}, {&one, "8"}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    Buffer b = buffer_new(a);
    tunable_print_range(&b, words[i].of);
    assert_string_equal(b.text, words[i].text);
  }
  arena_free(a);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(are_in_order), cmocka_unit_test(finds_and_sets), cmocka_unit_test(compares),
      cmocka_unit_test(refuses),      cmocka_unit_test(has_members),    cmocka_unit_test(has_ranges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
