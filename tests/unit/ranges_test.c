/* ranges_test.c: from measurements to the rows of a table (compiler/tune/ranges.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tune/tune.h"

static TunedVariant a = {.id = "a"}, b = {.id = "b"};

typedef struct Sizes { Arena *arena; SizeFindings at[16]; int n; } Sizes;

static void at(Sizes *s, uint64_t n) { s->at[s->n++].at.n = n; }

/* `spread': of the graph's time, between the quartiles. */
static void configured(Sizes *s, TunedVariant *v, const char *set, double graph, double stream, double spread) {
  Timing in_graph = {graph, graph * (1 - spread / 2), graph * (1 + spread / 2)}, on_stream = {stream, stream, stream};
  Finding f = {.candidate = {.variant = v}, .mode = {in_graph, on_stream, {-1, -1, -1}}};
  assert_true(tunables_parse(s->arena, set, &f.candidate.set));
  vec_push(s->arena, &s->at[s->n - 1].list, f);
}
static void found(Sizes *s, TunedVariant *v, double graph, double stream) {
  configured(s, v, "", graph, stream, 0);
}

static const Folder gpu = {.spectrum = "sum"};

static Table rows_for(Sizes *s, Objective o) {
  Table t = {0};
  ranges_add(s->arena, &gpu, &t, "float", 0, s->at, s->n, o);
  for (int i = 0; i < t.rows.n; i++) {
    assert_string_equal(t.rows.at[i].type, "float");
    assert_true(i == 0 || t.rows.at[i].up_to > t.rows.at[i - 1].up_to);
  }
  if (t.rows.n) assert_true(t.rows.at[t.rows.n - 1].up_to == UINT64_MAX);
  return t;
}

/* The variants in order of size, "ab". */
static void serve(Sizes *s, Objective o, const char *ids) {
  Table t = rows_for(s, o);
  assert_int_equal(t.rows.n, strlen(ids));
  for (int i = 0; i < t.rows.n; i++) assert_int_equal(t.rows.at[i].variant[0], ids[i]);
}

static void nothing_gives_no_row(void **state) {
  (void)state;
  Sizes s = {.arena = arena_new()};
  serve(&s, OBJECTIVE_ALL, "");
  at(&s, 64);
  at(&s, 128);
  serve(&s, OBJECTIVE_ALL, "");
  found(&s, &a, -1, -1);
  serve(&s, OBJECTIVE_ALL, "");
  arena_free(s.arena);
}

static void border_is_the_geometric_mean(void **state) {
  (void)state;
  static const struct { uint64_t before, after, border; } cases[] = {
      {64, 256, 128}, {64, 96, 78}, {1, 2, 1}, {0, 64, 0}, {(uint64_t)1 << 38, (uint64_t)1 << 40, (uint64_t)1 << 39}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Sizes s = {.arena = arena_new()};
    at(&s, cases[i].before);
    found(&s, &a, 1, 1);
    at(&s, cases[i].after);
    found(&s, &a, 2, 2);
    found(&s, &b, 1, 1);
    Table t = rows_for(&s, OBJECTIVE_ALL);
    assert_int_equal(t.rows.n, 2);
    assert_true(t.rows.at[0].up_to == cases[i].border);
    arena_free(s.arena);
  }
}

/* The border lies next to the last size that the variant won, not the first; sizes without findings do not count. */
static void border_is_beside_the_last_win(void **state) {
  (void)state;
  Sizes s = {.arena = arena_new()};
  at(&s, 4);
  found(&s, &a, 1, 1);
  at(&s, 16);
  found(&s, &a, 1, 1);
  at(&s, 32);
  at(&s, 64);
  found(&s, &b, 1, 1);
  Table t = rows_for(&s, OBJECTIVE_ALL);
  assert_int_equal(t.rows.n, 2);
  assert_true(t.rows.at[0].up_to == 32);
  assert_non_null(strstr(t.rows.at[0].comment, "at 4: 1.00 us in a graph, 1.00 on a stream"));
  arena_free(s.arena);
}

static void second_size(Sizes *s, double slower, double spread) {
  *s = (Sizes){.arena = arena_new()};
  at(s, 64);
  found(s, &a, 1, 1);
  at(s, 128);
  found(s, &a, slower, slower);
  configured(s, &b, "", 1, 1, spread);
}

static void winner_stays_within_the_noise(void **state) {
  (void)state;
  static const struct { double slower, spread; const char *ids; } cases[] = {
      {1.009, 0, "a"}, {1.011, 0, "ab"},       /* at least 1% */
      {1.018, 0.02, "a"}, {1.022, 0.02, "ab"}, /* the spread of the best */
      {1.029, 0.5, "a"}, {1.031, 0.5, "ab"}};  /* at most 3% */
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Sizes s;
    second_size(&s, cases[i].slower, cases[i].spread);
    serve(&s, OBJECTIVE_ALL, cases[i].ids);
    arena_free(s.arena);
  }
}

/* Many small losses do not add up to a large one: each is held against the best of its size. */
static void noise_does_not_creep(void **state) {
  (void)state;
  Sizes s = {.arena = arena_new()};
  for (int i = 0; i < 12; i++) {
    at(&s, (uint64_t)64 << i);
    found(&s, &a, 1 + 0.005 * i, 1 + 0.005 * i);
    found(&s, &b, i ? 1 : 2, i ? 1 : 2);
  }
  serve(&s, OBJECTIVE_ALL, "ab");
  arena_free(s.arena);
}

static void objective_decides(void **state) {
  (void)state;
  Sizes s = {.arena = arena_new()};
  at(&s, 64);
  found(&s, &a, 1, 3);
  found(&s, &b, 2, 1);
  serve(&s, OBJECTIVE_GRAPH, "a");
  serve(&s, OBJECTIVE_STREAM, "b");
  serve(&s, OBJECTIVE_ALL, "b"); /* sqrt(3) against sqrt(2) */
  s.at[0].list.at[0].mode[MODE_SYNC] = (Timing){4, 4, 4};
  s.at[0].list.at[1].mode[MODE_SYNC] = (Timing){7, 7, 7};
  serve(&s, OBJECTIVE_ALL, "a"); /* the third root of 12 against that of 14 */
  arena_free(s.arena);
}

static void configurations_are_candidates(void **state) {
  (void)state;
  Sizes s = {.arena = arena_new()};
  at(&s, 64);
  configured(&s, &a, "threads=128 loads=4", 1, 1, 0);
  configured(&s, &a, "threads=256 loads=4", 2, 2, 0);
  at(&s, 128);
  configured(&s, &a, "threads=128 loads=4", 2, 2, 0);
  configured(&s, &a, "threads=128 loads=4 blocks=264", 1, 1, 0);
  Table t = rows_for(&s, OBJECTIVE_ALL);
  assert_int_equal(t.rows.n, 2);
  assert_int_equal(tunables_value(&t.rows.at[0].set, "threads"), 128);
  assert_int_equal(tunables_value(&t.rows.at[0].set, "blocks"), 0);
  assert_int_equal(tunables_value(&t.rows.at[1].set, "blocks"), 264);
  arena_free(s.arena);
}

static void failed_findings_never_win(void **state) {
  (void)state;
  Sizes s = {.arena = arena_new()};
  at(&s, 64);
  found(&s, &a, 0, 0);
  found(&s, &a, 0.1, -1);
  found(&s, &b, 5, 5);
  serve(&s, OBJECTIVE_ALL, "b");
  arena_free(s.arena);
}

/* Turns on a stream that are a tenth apart tell nothing of a tenth between two candidates; turns that agree do. */
static void what_turns_do_not_tell_apart_is_equal(void **state) {
  (void)state;
  for (int apart = 0; apart <= 1; apart++) {
    Sizes s = {.arena = arena_new()};
    at(&s, 1024);
    found(&s, &a, 0.92, 1.9);
    found(&s, &b, 0.90, 2.1);
    for (int i = 0; i < 2; i++) {
      Finding *f = &s.at[0].list.at[i];
      f->worst[MODE_GRAPH] = f->mode[MODE_GRAPH].median * 1.001;
      f->worst[MODE_STREAM] = f->mode[MODE_STREAM].median * (apart ? 1.12 : 1.001);
    }
    serve(&s, OBJECTIVE_ALL, apart ? "b" : "a");
    arena_free(s.arena);
  }
}

/* One thread is a little faster than all, where memory is slow for a while: within the noise all serve; beyond it, one.
 */
static void among_equals_threads_are_woken(void **state) {
  (void)state;
  for (int apart = 0; apart <= 1; apart++) {
    Sizes s = {.arena = arena_new()};
    at(&s, 1 << 24);
    found(&s, &a, 3173, 3173);
    found(&s, &b, 3200, 3200);
    for (int i = 0; i < 2; i++) {
      Finding *f = &s.at[0].list.at[i];
      f->worst[MODE_GRAPH] = f->mode[MODE_GRAPH].median * (apart ? 1.001 : 1.02);
    }
    s.at[0].list.at[1].waiting = 0.1;
    serve(&s, OBJECTIVE_GRAPH, apart ? "a" : "b");
    arena_free(s.arena);
  }
}

/* Threads come in where they gain more than it costs, now and then, to wake them. */
static void threads_must_gain_what_waking_costs(void **state) {
  (void)state;
  Sizes s = {.arena = arena_new()};
  for (int i = 0; i < 3; i++) {
    at(&s, (uint64_t)1024 << i);
    found(&s, &a, 2 << i, 2 << i);
    found(&s, &b, 1 << i, 1 << i);
    s.at[i].list.at[1].waiting = 1.5;
  }
  serve(&s, OBJECTIVE_GRAPH, "ab");
  Table t = rows_for(&s, OBJECTIVE_GRAPH);
  assert_true(t.rows.at[0].up_to < 2048);
  arena_free(s.arena);
}

/* On a CPU a call has one time. Lanes go unnamed. */
static void rows_of_a_cpu(void **state) {
  (void)state;
  static const Folder folder = {.cpu = true};
  static Tunable compiled[] = {{.name = "threads", .min = 8, .max = 8}, {.name = "loads", .min = 1, .max = 16}};
  TunedVariant vectors = {.id = "v", .compiled = {.at = compiled, .n = 2}};
  Sizes s = {.arena = arena_new()};
  at(&s, 64);
  configured(&s, &vectors, "threads=8 loads=4 blocks=1", 1, -1, 0);
  Table t = {0};
  ranges_add(s.arena, &folder, &t, "float", 0, s.at, s.n, OBJECTIVE_GRAPH);
  assert_int_equal(t.rows.n, 1);
  assert_int_equal(tunables_value(&t.rows.at[0].set, "threads"), 0);
  assert_int_equal(tunables_value(&t.rows.at[0].set, "loads"), 4);
  assert_int_equal(tunables_value(&t.rows.at[0].set, "blocks"), 1);
  assert_string_equal(t.rows.at[0].comment, "at 64: 1.000 us");
  arena_free(s.arena);
}

/* ---- shapes ---- */

static const Folder segments = {.spectrum = "segmented_sum", .by_shape = true};

static void at_shape(Sizes *s, uint64_t n, uint64_t count, TunedVariant *best, TunedVariant *other) {
  s->at[s->n++].at = (Shape){.n = n, .count = count};
  found(s, best, 1, 1);
  found(s, other, 2, 2);
}

/* The rows as "16x64 a, 16 b, inf a". */
static const char *shape_rows(Sizes *s) {
  Table t = {0};
  Buffer text = buffer_new(s->arena);
  ranges_add(s->arena, &segments, &t, "float", 0, s->at, s->n, OBJECTIVE_ALL);
  for (int i = 0; i < t.rows.n; i++)
    buffer_printf(&text, "%s%s %s", i ? ", " : "", table_size(s->arena, &t.rows.at[i]), t.rows.at[i].variant);
  return text.length ? text.text : "";
}

/* A band for each size, cut between numbers of parts at their geometric means; bands that are alike are one. */
static void shapes_are_bands(void **state) {
  (void)state;
  Sizes s = {.arena = arena_new()};
  at_shape(&s, 4, 1, &a, &b);
  at_shape(&s, 16, 1, &a, &b);
  at_shape(&s, 256, 1, &b, &a);
  at_shape(&s, 4, 256, &b, &a);
  at_shape(&s, 16, 256, &b, &a);
  at_shape(&s, 256, 256, &b, &a);
  assert_string_equal(shape_rows(&s), "64x16 a, 64 b, inf b");
  arena_free(s.arena);
}

/* A text for parts of exactly one size serves that size alone; what is best without it the sizes around. */
static void even_parts_have_a_band_of_their_own(void **state) {
  (void)state;
  static const int64_t every_32[] = {32};
  static const char *types[] = {"float"};
  TunedVariant even = {.id = "e", .even = every_32};
  Folder f = segments;
  f.types = types;
  f.ntypes = 1;
  Sizes s = {.arena = arena_new()};
  const uint64_t counts[] = {1, 256};
  for (int k = 0; k < 2; k++) {
    s.at[s.n++].at = (Shape){.n = 32, .count = counts[k]};
    configured(&s, &even, "loads=1", k ? 1 : 3, k ? 1 : 3, 0);
    found(&s, &a, 2, 2);
    s.at[s.n++].at = (Shape){.n = 128, .count = counts[k]};
    configured(&s, &even, "loads=1", 1, 1, 0); /* no part is a round here: it serves all sizes */
    found(&s, &a, 2, 2);
  }
  Table t = {0};
  Buffer text = buffer_new(s.arena);
  ranges_add(s.arena, &f, &t, "float", 0, s.at, s.n, OBJECTIVE_ALL);
  for (int i = 0; i < t.rows.n; i++)
    buffer_printf(&text, "%s%s %s", i ? ", " : "", table_size(s.arena, &t.rows.at[i]), t.rows.at[i].variant);
  assert_string_equal(text.text, "31 a, 32x16 a, 32 e, 64 a, inf e");
  s.at[s.n++].at = (Shape){.n = 256, .count = 65536}; /* there are not as many of 32: they are served as 256 of them are */
  found(&s, &b, 1, 1);
  t = (Table){0};
  text = buffer_new(s.arena);
  ranges_add(s.arena, &f, &t, "float", 0, s.at, s.n, OBJECTIVE_ALL);
  for (int i = 0; i < t.rows.n && t.rows.at[i].up_to <= 32; i++)
    buffer_printf(&text, "%s%s %s", i ? ", " : "", table_size(s.arena, &t.rows.at[i]), t.rows.at[i].variant);
  assert_string_equal(text.text, "31x4096 a, 31 b, 32x16 a, 32 e");
  Tunables four = {0}, two = {0};
  tunables_set(s.arena, &four, "loads", 4);
  tunables_set(s.arena, &two, "loads", 2);
  const Candidate there = {&even, four}, elsewhere = {&even, two}, without = {&a, four};
  assert_true(candidate_is_even(&f, "float", &there, 128));
  assert_false(candidate_is_even(&f, "float", &elsewhere, 128));
  assert_false(candidate_is_even(&f, "float", &without, 128));
  assert_false(candidate_is_even(&f, "half", &there, 128));
  arena_free(s.arena);
}

/* What was not measured goes with the nearest: few large parts with few, many small ones with many; more elements than
 * were measured with the most of parts as large. */
static void shapes_between(void **state) {
  (void)state;
  Sizes s = {.arena = arena_new()};
  at_shape(&s, 16, 65536, &a, &b);
  at_shape(&s, 65536, 16, &b, &a);
  assert_string_equal(shape_rows(&s), "1024 a, inf b");
  at_shape(&s, 16, 16, &b, &a);
  assert_string_equal(shape_rows(&s), "1024x1024 b, 1024 a, inf b");
  arena_free(s.arena);
  Sizes none = {.arena = arena_new()};
  none.at[none.n++].at = (Shape){.n = 16, .count = 16};
  assert_string_equal(shape_rows(&none), "");
  arena_free(none.arena);
}

static void shapes_are_read(void **state) {
  (void)state;
  static const char *const none[] = {"", "16", "16x", "x16", "0x16", "16x0", "16x16,", "16x16x16", "2^41x1", "16 x 16",
                                     "16x16,16", "4..2x1", "-1x1"};
  Arena *arena = arena_new();
  Shapes s = {0};
  assert_true(shapes_of(arena, "2^4..2^5x8..16,64x1,16x8", true, &s));
  assert_int_equal(s.n, 5);
  static const struct { uint64_t n, count; } wanted[] = {{64, 1}, {16, 8}, {32, 8}, {16, 16}, {32, 16}};
  for (int i = 0; i < s.n; i++) {
    assert_int_equal(s.at[i].n, wanted[i].n);
    assert_int_equal(s.at[i].count, wanted[i].count);
  }
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
    Shapes x = {0};
    if (shapes_of(arena, none[i], true, &x)) fail_msg("`%s' is no list of shapes", none[i]);
  }
  arena_free(arena);
}

/* What is usual: from one part to many, and no more elements than a part of the memory has room for. */
static void shapes_are_usual(void **state) {
  (void)state;
  Arena *arena = arena_new();
  for (int large = 0; large < 2; large++) {
    const DeviceInfo device = {.memory_bytes = (uint64_t)1 << (large ? 37 : 24)};
    const uint64_t most = (uint64_t)1 << (large ? 26 : 18);
    Shapes s = {0}, sizes = {0}, few = {0};
    shapes_usual(arena, &segments, &device, &sizes, &s);
    bool one = false, many = false;
    for (int i = 0; i < s.n; i++) {
      assert_true(shape_elements(s.at[i]) <= most);
      one |= s.at[i].count == 1 && s.at[i].n == most;
      many |= s.at[i].n == 4 && s.at[i].count * 16 > most / 4;
    }
    assert_true(one && many);
    assert_in_range(s.n, 10, 80);
    assert_true(shapes_of(arena, "0,100", false, &sizes));
    shapes_usual(arena, &segments, &device, &sizes, &few);
    for (int i = 0; i < few.n; i++) assert_true(few.at[i].n == 100 || few.at[i].n == 1);
    assert_true(few.n > 2);
  }
  arena_free(arena);
}

/* On a CPU the same up to 2^24 elements; beyond only what has some of both. */
static void shapes_are_usual_on_a_cpu(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const DeviceInfo device = {.memory_bytes = UINT64_C(1) << 37};
  Folder cpu = segments;
  cpu.cpu = true;
  Shapes all = {0}, s = {0}, none = {0};
  shapes_usual(arena, &segments, &device, &none, &all);
  shapes_usual(arena, &cpu, &device, &none, &s);
  int kept = 0, large = 0;
  for (int i = 0; i < all.n; i++) {
    const Shape at = all.at[i];
    const bool is_large = shape_elements(at) > 1 << 24;
    if (is_large && (at.n < 64 || at.count < 64)) continue;
    assert_true(kept < s.n && s.at[kept].n == at.n && s.at[kept].count == at.count);
    kept++;
    large += is_large;
  }
  assert_int_equal(kept, s.n);
  assert_int_equal(large, 4);
  arena_free(arena);
}

/* ---- calls apart ---- */

static void calls_are_told_apart(void **state) {
  (void)state;
  Arena *arena = arena_new();
  const unsigned al = ROWS_ALIGNED, t = RESULTS_TALL, w = RESULTS_WIDE;
  Calls all[MOST_CALLS];
  assert_int_equal(calls_conditions("aligned"), al);
  assert_int_equal(calls_conditions("wide,aligned,tall"), al | t | w);
  static const char *const none[] = {"", "high", "aligned,", ",aligned", "aligned,aligned", "aligned tall", "Aligned"};
  for (size_t i = 0; i < sizeof none / sizeof *none; i++) assert_int_equal(calls_conditions(none[i]), 0);
  assert_int_equal(calls_apart(0, all), 1);
  assert_string_equal(calls_text(arena, all[0]), "");
  assert_int_equal(calls_apart(al, all), 2);
  assert_string_equal(calls_text(arena, all[0]), "aligned");
  assert_string_equal(calls_text(arena, all[1]), "not aligned");
  assert_int_equal(calls_apart(al | t | w, all), MOST_CALLS);
  static const char *const texts[] = {"aligned, tall, not wide", "aligned, not tall, wide", "aligned, not tall, not wide",
                                      "not aligned, tall, not wide", "not aligned, not tall, wide",
                                      "not aligned, not tall, not wide"};
  for (int i = 0; i < MOST_CALLS; i++) assert_string_equal(calls_text(arena, all[i]), texts[i]);
  assert_string_equal(shape_text(arena, (Shape){.n = 8, .count = 4, .calls = all[0]}), "8x4 aligned tall");
  assert_string_equal(shape_text(arena, (Shape){.n = 8, .count = 4, .calls = all[5]}), "8x4 others");
  Shapes shapes = {0};
  assert_true(shapes_of(arena, "8x16,8x64,8x4096", true, &shapes));
  assert_int_equal(calls_shapes(arena, &segments, &shapes, all[0]).n, 2); /* 16 results have no such sides */
  assert_int_equal(calls_shapes(arena, &segments, &shapes, all[2]).n, 3);
  arena_free(arena);
}

/* Rows of a table, "16 a, inf b"; with conditions "16,aligned a". */
static const char *all_rows(Arena *arena, const Table *t) {
  Buffer text = buffer_new(arena);
  for (int i = 0; i < t->rows.n; i++)
    buffer_printf(&text, "%s%s %s", i ? ", " : "", table_size(arena, &t->rows.at[i]), t->rows.at[i].variant);
  return text.length ? text.text : "";
}

static void rows_ask_for_what_was_measured(void **state) {
  (void)state;
  Sizes s = {.arena = arena_new()};
  Table t = {0};
  at_shape(&s, 4, 1, &a, &b);
  at_shape(&s, 256, 1, &b, &a);
  ranges_add(s.arena, &segments, &t, "float", ROWS_ALIGNED, s.at, s.n, OBJECTIVE_ALL);
  ranges_add(s.arena, &segments, &t, "float", 0, s.at, s.n, OBJECTIVE_ALL);
  assert_string_equal(all_rows(s.arena, &t), "32,aligned a, inf,aligned b, 32 a, inf b");
  arena_free(s.arena);
}

/* Without conditions, what was measured replaces rows of aligned calls where the table has rows for others, too. */
static void rows_that_were_not_measured_stay(void **state) {
  (void)state;
  static const struct { const char *before, *after; unsigned replaced; } cases[] = {
      {"float inf a 0 0 0\n", "inf NEW", 0},
      {"float 8,aligned,tall a 0 0 0\nfloat inf,aligned b 0 0 0\nfloat 9,tall a 0 0 0\nfloat inf a 0 0 0\n",
       "8,aligned,tall a, inf,aligned NEW, 9,tall a, inf a", ROWS_ALIGNED},
      {"float 9,tall a 0 0 0\nfloat inf a 0 0 0\nint inf,tall b 0 0 0\nint inf b 0 0 0\n", "9,tall a, inf NEW", 0},
      {"float 9,tall gone 0 0 0\nfloat inf a 0 0 0\n", "inf NEW", 0},            /* no such variant any more */
      {"float 9,aligned a 0 0 0\nfloat inf gone 0 0 0\n", "inf NEW", 0},         /* nothing for others */
      {"float inf,aligned gone 0 0 0\nfloat inf,wide b 0 0 0\nfloat inf a 0 0 0\n", "inf,wide b, inf NEW", 0}};
  TunedVariant variants[] = {a, b};
  Folder f = {.spectrum = "gemm", .by_shape = true, .conditions = ROWS_ALIGNED | RESULTS_TALL | RESULTS_WIDE,
              .variants = variants, .nvariants = 2};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Arena *arena = arena_new();
    SourceFile file = {.path = "x.table", .text = (char *)cases[i].before, .size = strlen(cases[i].before)};
    Diagnostics *d = diagnostics_new(arena);
    Table before, t = {0};
    assert_true(table_read(arena, &file, &before, d));
    const unsigned replaced = rows_replaced(&f, &before, "float");
    assert_int_equal(replaced, cases[i].replaced);
    rows_keep(arena, &f, &before, "float", replaced, false, &t);
    vec_push(arena, &t.rows, ((TableRow){.type = "float", .variant = "NEW", .up_to = UINT64_MAX, .when = replaced}));
    rows_keep(arena, &f, &before, "float", replaced, true, &t);
    assert_string_equal(all_rows(arena, &t), cases[i].after);
    Buffer text = buffer_new(arena);
    table_print(&text, &t);
    SourceFile again = {.path = "y.table", .text = text.text, .size = text.length};
    assert_true(table_read(arena, &again, &before, d));
    arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_gives_no_row),          cmocka_unit_test(border_is_the_geometric_mean),
      cmocka_unit_test(border_is_beside_the_last_win), cmocka_unit_test(winner_stays_within_the_noise),
      cmocka_unit_test(noise_does_not_creep),          cmocka_unit_test(objective_decides),
      cmocka_unit_test(configurations_are_candidates), cmocka_unit_test(failed_findings_never_win),
      cmocka_unit_test(what_turns_do_not_tell_apart_is_equal),
      cmocka_unit_test(among_equals_threads_are_woken),
      cmocka_unit_test(threads_must_gain_what_waking_costs), cmocka_unit_test(rows_of_a_cpu),
      cmocka_unit_test(even_parts_have_a_band_of_their_own),
      cmocka_unit_test(shapes_are_bands),              cmocka_unit_test(shapes_between),
      cmocka_unit_test(shapes_are_read),               cmocka_unit_test(shapes_are_usual),
      cmocka_unit_test(shapes_are_usual_on_a_cpu), cmocka_unit_test(calls_are_told_apart),
      cmocka_unit_test(rows_ask_for_what_was_measured), cmocka_unit_test(rows_that_were_not_measured_stay)};
  return cmocka_run_group_tests_name("ranges", tests, NULL, NULL);
}
