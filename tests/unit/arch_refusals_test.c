/* arch_refusals_test.c: machines that are refused, each with a place and what would do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"
#include "machines.h"
#include "support/buffer.h"

/* The shipped Pascal with `from` replaced by `to`. */
static const char *edited(Fixture *f, const char *from, const char *to) {
  return machines_edited(f, "sm_60", from, to);
}

/* Where an error is underlined. */
static const char *underlined(Fixture *f, const Diagnostic *e) {
  assert_non_null(e->where.file);
  assert_true(e->where.begin < e->where.end && e->where.end <= e->where.file->size);
  return arena_strndup(f->a, e->where.file->text + e->where.begin, e->where.end - e->where.begin);
}

typedef struct Refusal {
  const char *from, *to;  /* the edit */
  const char *message;    /* part of what is said */
  const char *underlined; /* where; NULL: not looked at */
  const char *hint;       /* part of it; NULL: not looked at */
} Refusal;

static void check_refusals(void **state, const char *machine, const Refusal *all, size_t n) {
  for (size_t i = 0; i < n; i++) {
    Fixture *f = *state;
    const Refusal *r = &all[i];
    f->d = diagnostics_new(f->a);
    const char *text = machines_edited(f, machine, r->from, r->to);
    Arch *m = machines_parse(f, text, strlen(text));
    const Diagnostic *e = machines_error(f->d, r->message);
    if (m || !e) {
      diagnostics_print(f->d, stderr, 0, false);
      fail_msg("`%s' -> `%s': wanted the error \"%s\"", r->from, r->to, r->message);
    }
    if (r->underlined) assert_string_equal(underlined(f, e), r->underlined);
    if (r->hint && (!e->hint || !strstr(e->hint, r->hint)))
      fail_msg("\"%s\": the hint is \"%s\"", e->message, e->hint ? e->hint : "(none)");
  }
}

#define CHECK_REFUSALS_OF(machine, table) check_refusals(state, machine, table, sizeof(table) / sizeof *(table))
#define CHECK_REFUSALS(table) CHECK_REFUSALS_OF("sm_60", table)

static void test_bad_shapes(void **state) {
  static const Refusal all[] = {
      {"vector_width:", "vectr_width:", "unknown key `vectr_width'", "vectr_width",
       "`vector_width'"},
      {"vector_width:", "vectr_width:", "`vector_width' is missing", NULL, NULL},
      {"    prefer: strided", "    tint: red", "unknown key `tint'", "tint",
       "there are name, letter"},
      {"vector_width: 32", "vector_width: wide", "wants a whole number", "wide", "digits"},
      {"vector_width: 32", "vector_width: 040", "wants a whole number", "040", NULL},
      {"vector_width: 32", "vector_width: 3.5", "wants a whole number", "3.5", NULL},
      {"vector_width: 32", "vector_width: 99999999999", "too large", "99999999999", NULL},
      {"grid_max: 2147483647", "grid_max: 99999999999999999999", "too large", NULL, NULL},
      {"vector_width: 32", "vector_width: [32]", "`vector_width' is a list", "[32]", NULL},
      {"title: Pascal (Tesla P100)", "title:", "`title' is empty", NULL, NULL},
      {"title: Pascal (Tesla P100)", "title: {a: b}", "`title' is a mapping", "{a: b}", NULL},
      {"title: Pascal (Tesla P100)", "title: \"a\\0b\"", "NUL byte", NULL, NULL},
      {"title: Pascal (Tesla P100)", "title: a\ntitle: b", "`title' is given twice", "title", NULL},
      {"family: cuda", "family: cudo", "`family' cannot be `cudo'", "cudo", "`cuda'"},
      {"prefer: adjacent", "prefer: sideways", "cannot be `sideways'", "sideways",
       "any, adjacent, strided"},
      {"realised: warp", "realised: wrap", "cannot be `wrap'", "wrap", "`warp'"},
      {"    realised: warp\n", "", "`realised' is missing", NULL, NULL},
      {"[shuffle,", "[shuffel,", "cannot be `shuffel'", "shuffel", "`shuffle'"},
      {"[shuffle,", "[shuffle, shuffle,", "`shuffle' is listed twice", "shuffle", NULL},
      {"capability: [vector]", "capability: vector", "wants a list", "vector", "in brackets"},
      {"sync: [__syncwarp()]", "sync: __syncwarp()", "`sync' wants a list", "__syncwarp()",
       "in brackets"},
      {"width: {min: 1, max: 32, default: 8}", "width: 8", "wants keys", "8", NULL},
      {"  units: 56\n", "", "`units' is missing in `limits'", NULL, NULL},
  };
  CHECK_REFUSALS(all);
}

static void test_bad_chains(void **state) {
  static const Refusal all[] = {
      {"name: warp", "name: block", "a second level named `block'", "block", NULL},
      {"letter: W", "letter: B", "the same letter `B'", "B", NULL},
      {"letter: W", "letter: w1", "capital letters", "w1", NULL},
      {"name: warp", "name: Warp 1", "is not a valid level name", "Warp 1", NULL},
      {"subordinate: warp", "subordinate: wrap", "there is no level `wrap'", "wrap", "`warp'"},
      {"subordinate: warp", "subordinate: sheet-of-lanes", "there is no level", NULL, "add it"},
      {"subordinate: warp", "subordinate: grid", "cycle: block > grid > block", "grid",
       "launches: grid"},
      {"subordinate: warp", "subordinate: block", "cycle: block > block", "block", NULL},
      {"realised: slots", "realised: slots\n    subordinate: grid",
       "cycle: ilp > grid > block > warp > thread > ilp", "grid", NULL},
      {"subordinate: warp", "subordinate: thread", "passes over the level `warp'", "thread", NULL},
      {"    subordinate: warp\n", "", "`block' has no subordinate", NULL, "`subordinate: warp'"},
      {"realised: slots", "realised: slots\n    launches: grid", "only a hardware thread", "grid",
       NULL},
      {"realised: thread", "realised: thread\n    launches: warp", "`warp' is no grid", "warp",
       NULL},
      {"realised: thread", "realised: thread\n    launches: gird", "no level `gird'", "gird",
       "`grid'"},
      {"    sync: [__syncwarp()]\n", "", "no way to synchronise", NULL, NULL},
      {"sync: [__syncwarp()]", "sync: [x, x]", "`x' is listed twice", "x", NULL},
      {"sync: [__syncwarp()]", "sync: [__syncwarp(), posted results]", "`posted results' is for a grid's blocks",
       "posted results", NULL},
      {"sync: [__syncthreads()]", "sync: [last-block ticket]", "`block' is no grid", "last-block ticket", NULL},
      {"sync: [__syncthreads()]", "sync: [chained]", "`block' is no process", "chained", NULL},
      {"sync: [__syncwarp()]", "sync: [\"a\\nb\"]", "control character", NULL, NULL},
      {"realised: slots", "realised: slots\n    sync: [a]", "no level below it to synchronise", NULL,
       NULL},
      {"realised: slots", "realised: slots\n    width: {max: 4}", "it has no width", NULL, NULL},
      {"realised: warp", "realised: grid", "cannot be realised so", "grid", NULL},
      {"realised: block", "realised: cluster", "none is realised as a block", NULL, NULL},
      {"capability: [scalar]\n    realised: slots", "realised: slots",
       "nothing can compute at `ilp'", NULL, NULL},
      {"family: cuda", "family: cpu", "a cpu has no such thing for `grid'", "grid", NULL},
      {"family: cuda", "family: cpu", "only a machine of family cuda has a compute", "6.0", NULL},
  };
  CHECK_REFUSALS(all);
}

/* What is wrong with a sub-warp, of which `edited' texts have none: it is put in below the warp. */
static void test_factors_of_a_warp(void **state) {
#define FACTOR(name, width) \
  "subordinate: " name "\n    sync: [__syncwarp()]\n    prefer: strided\n    realised: warp\n" \
  "    width: {min: 32, max: 32, default: 32, multiple: 32}\n" \
  "  - name: " name "\n    letter: V\n    capability: [vector]\n    subordinate: thread\n" \
  "    sync: [__syncwarp()]\n    realised: subwarp\n    width: " width "\n"
  static const char warp[] = "subordinate: thread\n    sync: [__syncwarp()]\n    prefer: strided\n    realised: warp\n"
                             "    width: {min: 32, max: 32, default: 32, multiple: 32}\n";
  static const Refusal all[] = {
      {warp, FACTOR("warp/8", "{min: 6, max: 6}"), "a power of two below 32", NULL, "{min: 8, max: 8}"},
      {warp, FACTOR("warp/8", "{min: 4, max: 8}"), "a power of two below 32", NULL, NULL},
      {warp, FACTOR("warp/32", "{min: 32, max: 32}"), "a power of two below 32", NULL, NULL},
      {warp, FACTOR("warp/8", "{min: 4, max: 4}"), "is not a valid sub-warp name", "warp/8", "`name: warp/4'"},
      {warp, FACTOR("eighth", "{min: 8, max: 8}"), "is not a valid sub-warp name", "eighth", "`name: warp/8'"},
      {"realised: warp", "realised: subwarp", "there is no warp above", "subwarp", NULL},
  };
  CHECK_REFUSALS(all);
#undef FACTOR
}

static void test_impossible_sizes(void **state) {
  static const Refusal all[] = {
      {"{min: 1, max: 32, default: 8}", "{min: 0, max: 32, default: 8}", "a width of 0", "0", NULL},
      {"{min: 1, max: 32, default: 8}", "{min: 1, max: 0, default: 8}", "a width of 0", "0", NULL},
      {"{min: 1, max: 32, default: 8}", "{min: -4, max: 32, default: 8}", "a width of -4", "-4",
       NULL},
      {"{min: 1, max: 32, default: 8}", "{min: 16, max: 8, default: 8}", "min 16 is above max 8",
       "16", NULL},
      {"{min: 1, max: 32, default: 8}", "{min: 1, max: 32, default: 33}", "default 33 is outside",
       "33", NULL},
      {"{min: 1, max: 32, default: 8}", "{min: 4, max: 32, default: 2}", "default 2 is outside",
       "2", NULL},
      {"{min: 1, max: 32, default: 8}", "{min: 4, max: 32, default: 6, multiple: 4}",
       "no multiple of 4", "6", NULL},
      {"{min: 1, max: 32, default: 8}", "{min: 1, max: 33, default: 8}", "1056 threads is more",
       "33", NULL},
      {"{min: 1, max: 32, default: 8}", "{min: 1, default: 8}", "wider than a block's 1024", NULL,
       NULL},
      {"{min: 1, max: 32, default: 8}", "{min: 1, max: 9999999999999, default: 8}", "is impossible",
       NULL, NULL},
      {"    width: {min: 1, max: 32, default: 8}\n", "", "`width' is missing in `block'", NULL,
       NULL},
      {"{min: 32, max: 32,", "{min: 32, max: 64,", "a warp has exactly 32 lanes", NULL, "max: 32"},
      {"vector_width: 32", "vector_width: 24", "not a power of two", "24", NULL},
      {"vector_width: 32", "vector_width: 0", "vector width is 0", "0", NULL},
      {"vector_width: 32", "vector_width: -32", "vector width is -32", "-32", NULL},
      {"units: 56", "units: 0", "units 0 is impossible", "0", NULL},
      {"units: 56", "units: -1", "units -1 is impossible", "-1", NULL},
      {"threads_block: 1024", "threads_block: 512", "1024 threads is more than the machine's 512",
       "32", NULL},
      {"threads_unit: 2048", "threads_unit: 512", "fewer threads than a block", "512", NULL},
      {"shared_bytes_block: 49152", "shared_bytes_block: 65536", "is impossible", "65536", "49152"},
      {"grid_max: 2147483647", "grid_max: 65535", "at most 65535 blocks", "2147483647", NULL},
      {"compute: 6.0", "compute: 6", "not a compute capability", "6", NULL},
      {"compute: 6.0", "compute: 2.1", "not a compute capability", "2.1", NULL},
      {"compute: 6.0\n", "", "needs its compute capability", NULL, NULL},
      {"compute: 6.0", "compute: 5.2", "has no `atomic_block_scope'", "atomic_block_scope", NULL},
      {"compute: 6.0", "compute: 7.0", "run independently", NULL, "independent_threads"},
      {"[shuffle, shuffle_sync", "[shuffle_sync", "requires `shuffle'", "shuffle_sync",
       NULL},
      {"name: sm_60", "name: ../sm", "is not a valid machine name", "../sm", NULL},
      {"title: Pascal", "title: \"\\e[31m\"\n#", "control character", NULL, NULL},
      {"title: Pascal", "tune: a b\ntitle: Pascal", "`a b' is not a valid name of a CPU", "a b", NULL},
      {"title: Pascal", "tune: zen\ntitle: Pascal", "`tune' is for machines of family cpu", "zen", NULL},
      {"title: Pascal", "tables: ../x\ntitle: Pascal", "`../x' is not a valid folder name for tables", "../x", NULL},
  };
  CHECK_REFUSALS(all);
}

/* Lanes, vectors and caches of a CPU go together; a GPU's limits are none of its. */
static void test_bad_cpus(void **state) {
  static const Refusal all[] = {
      {"vector_width: 8", "vector_width: 6", "not a power of two", "6", NULL},
      {"vector_width: 8", "vector_width: 0", "vector width is 0", "0", NULL},
      {"vector_width: 8", "vector_width: 16", "vectors of 32 bytes have 8 lanes, and vector_width is 16", "32",
       "32 bits"},
      {"vector_width: 8", "vector_width: 16", "a thread's vector has exactly 16 lanes", NULL, "{min: 16, max: 16}"},
      {"vector_bytes: 32", "vector_bytes: 16", "vectors of 16 bytes have 4 lanes", "16", "32 bits"},
      {"vector_bytes: 32", "vector_bytes: 0", "vector_bytes 0 is impossible", "0", "AVX2"},
      {"{min: 8, max: 8,", "{min: 8, max: 16,", "a thread's vector has exactly 8 lanes", NULL, "{min: 8, max: 8}"},
      {"  cores: 8\n", "", "`cores' is missing in `limits'", NULL, NULL},
      {"  l1_bytes: 32768\n", "", "`l1_bytes' is missing in `limits'", NULL, "one core"},
      {"  l2_bytes: 524288\n", "", "`l2_bytes' is missing in `limits'", NULL, NULL},
      {"  l3_bytes: 33554432\n", "", "`l3_bytes' is missing in `limits'", NULL, "0 where there is none"},
      {"  vector_bytes: 32\n", "", "`vector_bytes' is missing in `limits'", NULL, NULL},
      {"limits:\n  cores: 8\n  l1_bytes: 32768\n  l2_bytes: 524288\n  l3_bytes: 33554432\n  vector_bytes: 32\n", "",
       "a machine of family cpu needs the key `limits'", "cpu", NULL},
      {"cores: 8", "cores: 0", "cores 0 is impossible", "0", NULL},
      {"cores: 8", "cores: -8", "cores -8 is impossible", "-8", NULL},
      {"cores: 8", "cors: 8", "unknown key `cors'", "cors", "`cores'"},
      {"cores: 8", "cores: many", "wants a whole number", "many", NULL},
      {"l1_bytes: 32768", "l1_bytes: 32K", "wants a whole number", "32K", NULL},
      {"l2_bytes: 524288", "l2_bytes: 16384", "a level-2 cache below the level-1 cache's 32768 bytes", "16384", NULL},
      {"l3_bytes: 33554432", "l3_bytes: 65536", "a level-3 cache below", "65536", "0 where"},
      {"l3_bytes: 33554432", "l3_bytes: -1", "l3_bytes -1 is impossible", "-1", NULL},
      {"cores: 8", "cores: 8\n  units: 8", "`units' is a limit of family cuda", "8", NULL},
      {"realised: thread", "realised: block", "a cpu has no such thing for `thread'", "block", "host, thread"},
      {"family: cpu", "family: cpu\ncompute: 6.0", "only a machine of family cuda", "6.0", NULL},
  };
  static const Refusal gpu[] = {
      {"  units: 56", "  units: 56\n  cores: 56", "`cores' is a limit of family cpu", "56", NULL}};
  CHECK_REFUSALS_OF("avx2", all);
  CHECK_REFUSALS(gpu);
  Fixture *f = *state;
  f->d = diagnostics_new(f->a);
  const char *text = machines_edited(f, "avx2", "l3_bytes: 33554432", "l3_bytes: 0");
  assert_non_null(machines_parse(f, text, strlen(text)));
}

/* Figures that were measured are a machine's own, and what is left out is the usual one. */
static void test_bad_figures(void **state) {
  static const char figures[] = "measured:\n  threads: 512\n  loads: 4\n";
  static const Refusal gpu[] = {
      {"limits:", "measured:\n  thread: 512\nlimits:", "unknown key `thread'", "thread", "`threads'"},
      {"limits:", "measured:\n  threads: 0\nlimits:", "threads 0 is impossible", "0", NULL},
      {"limits:", "measured:\n  threads: 2048\nlimits:", "threads 2048 is impossible", "2048", NULL},
      {"limits:", "measured:\n  loads: two\nlimits:", "wants a whole number", "two", NULL},
      {"limits:", "measured:\n  loads: 2\n  loads: 4\nlimits:", "`loads'", NULL, NULL},
      {"limits:", "measured:\n  half_bytes: 32\nlimits:", "`half_bytes' is a figure of family cpu", "32", NULL},
      {"limits:", "measured: 5\nlimits:", "wants", "5", NULL}};
  static const Refusal cpu[] = {
      {"limits:", "measured:\n  one_warp: 32\nlimits:", "`one_warp' is a figure of family cuda", "32", NULL},
      {"limits:", "measured:\n  half_bytes: 2\nlimits:", "half_bytes 2 is impossible", "2", NULL},
      {"limits:", "measured:\n  tile_vectors: 64\n  tile_fewest: 65\nlimits:",
       "a tile of at least 65 vectors, and at most 64", "65", NULL},
      {"limits:", "measured:\n  tile_vectors: 64\nlimits:", "a tile of at least 128 vectors, and at most 64", NULL,
       NULL}};
  CHECK_REFUSALS(gpu);
  CHECK_REFUSALS_OF("avx2", cpu);
  Fixture *f = *state;
  f->d = diagnostics_new(f->a);
  const char *text = edited(f, "limits:", arena_printf(f->a, "%slimits:", figures));
  const Arch *m = machines_parse(f, text, strlen(text));
  assert_int_equal(m->measured.threads, 512);
  assert_int_equal(m->measured.loads, 4);
  assert_int_equal(m->usual->loads, 2);
  assert_int_equal(m->measured.one_warp, m->usual->one_warp);
}

static void test_not_a_machine(void **state) {
  static const struct {
    const char *text;
    size_t size;
    const char *message;
  } all[] = {
      {"", 0, "empty"},
      {"# nothing\n", 10, "empty"},
      {"name: x\0y\n", 10, "NUL byte"},
      {"\xFF\xFE"
       "a",
       3, "UTF-16"},
      {"title: \xC3\x28\n", 10, "not YAML"},
      {"name: [a\nb: c\n", 14, "not YAML"},
      {"\tname: x\n", 9, "not YAML"},
      {"just text\n", 10, "a machine wants keys"},
      {"- a\n", 4, "a machine wants keys"},
      {"name: x\n---\nname: y\n", 20, "second document"},
      {"levels: &a [*a]\n", 16, "wants keys"},
      {"levels: []\n", 11, "no entry"},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    Fixture *f = *state;
    f->d = diagnostics_new(f->a);
    assert_null(machines_parse(f, all[i].text, all[i].size));
    const Diagnostic *e = machines_error(f->d, all[i].message);
    if (!e) fail_msg("case %zu: no error with \"%s\"", i, all[i].message);
    assert_non_null(e->where.file);
    assert_true(e->where.begin <= all[i].size);
  }
}

/* libyaml would take minutes. */
static void test_nested_too_deeply(void **state) {
  Fixture *f = *state;
  static const struct { const char *open, *close; unsigned at; } all[] = {
      {"[", "", 64}, {"{a: ", "", 4 * 64}, {"- ", "", 2 * 64}, {"[", "]", 64}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    Buffer b = buffer_new(f->a);
    for (int k = 0; k < 50000; k++) buffer_puts(&b, all[i].open);
    for (int k = 0; k < 50000; k++) buffer_puts(&b, all[i].close);
    f->d = diagnostics_new(f->a);
    assert_null(machines_parse(f, b.text, b.length));
    const Diagnostic *e = machines_error(f->d, "nested too deeply");
    assert_non_null(e);
    assert_int_equal(e->where.begin, all[i].at);
  }
}

/* A place is in bytes, whatever stands before it, and errors are told together. */
static void test_places(void **state) {
  Fixture *f = *state;
  const char *text =
      edited(f, "title: Pascal (Tesla P100)", "title: \xC3\x84\xE2\x82\xAC \xF0\x9F\x98\x80");
  text = arena_printf(f->a, "\xEF\xBB\xBF%s\nfoo: 1\nbar: 2\n", text);
  assert_null(machines_parse(f, text, strlen(text)));
  assert_int_equal(f->d->errors, 2);
  assert_string_equal(underlined(f, machines_error(f->d, "`foo'")), "foo");
  const Diagnostic *bar = machines_error(f->d, "`bar'");
  assert_string_equal(underlined(f, bar), "bar");
  int line, column, lines = 1;
  for (const char *s = text; *s; s++) lines += *s == '\n';
  source_position(bar->where.file, bar->where.begin, &line, &column);
  assert_int_equal(line, lines - 1);
  assert_int_equal(column, 1);
}

static void test_bad_matrix_units(void **state) {
  static const Refusal all[] = {
      {"{elements: half, m: 16, n: 8, k: 16", "{elements: half, m: 16, n: 8, k: 12", "a matrix unit of 16 x 8 x 12", NULL,
       "k: 4, 8 or 16"},
      {"{elements: half, m: 16, n: 8", "{elements: half, m: 16, n: 16", "a matrix unit of 16 x 16 x 16", NULL, NULL},
      {"{elements: bfloat16, m", "{elements: half, m", "`half' has two matrix units", NULL, "one for each type"},
      {"{elements: half, warps: 4, m: 64,", "{elements: half, warps: 4, m: 16,", "a matrix unit of 16 x 256 x 16", NULL,
       "of 4 warps 64, 256 and 16, of tf32 8, of bytes 32"},
      {"{elements: half, warps: 4,", "{elements: half, warps: 2,", "a matrix unit of 64 x 256 x 16", NULL, NULL},
      {"{elements: half, m: 16,", "{elements: half,", "`m' is missing", NULL, NULL},
      {"capability: [vector, matrix]", "capability: [vector]", "no level has the matrix unit", NULL, "[vector, matrix]"},
      {"letter: B\n    capability: [vector]", "letter: B\n    capability: [vector, matrix]", "`block' has no matrix unit", NULL,
       "a warp's lanes"},
  };
  static const Refusal none[] = {
      {"letter: W\n    capability: [vector]", "letter: W\n    capability: [vector, matrix]",
       "the machine does not say which", NULL, NULL},
  };
  static const Refusal quads[] = {
      {"lanes: 8, m: 8", "lanes: 8, m: 16", "a matrix unit of 16 x 8 x 4", NULL, "of 8 lanes halves, 8, 8 and 4"},
      {"lanes: 8,", "lanes: 4,", "a matrix unit of 8 x 8 x 4", NULL, NULL},
      {"elements: half, lanes", "elements: bfloat16, lanes", "a matrix unit of 8 x 8 x 4", NULL, NULL},
      {"limits:\n", "  - {elements: double, m: 8, n: 8, k: 4, instruction: mma}\n\nlimits:\n",
       "a machine's products are of a warp's lanes, or of quad pairs'", NULL, "`lanes: 8' of each, or of none"},
  };
  CHECK_REFUSALS_OF("sm_90", all);
  CHECK_REFUSALS_OF("sm_70", quads);
  CHECK_REFUSALS(none);
}

static void test_many_errors_end(void **state) {
  Fixture *f = *state;
  Buffer b = buffer_new(f->a);
  for (int i = 0; i < 5000; i++) buffer_printf(&b, "k%d: 1\n", i);
  assert_null(machines_parse(f, b.text, b.length));
  assert_true(f->d->errors > 10 && f->d->errors <= 60);
}

static void test_bad_files(void **state) {
  static const struct {
    const char *path, *message;
  } all[] = {
      {"archspec/", "it is a directory"},
      {"archspec/none.yaml", "No such file"},
      {"archspec/sm_60.yaml/x.yaml", "cannot read the machine"},
  };
  Fixture *f = *state;
  for (int i = 0; i < 3; i++) {
    f->d = diagnostics_new(f->a);
    assert_null(arch_load(f->a, golden_path(f->a, all[i].path), NULL, f->d));
    const Diagnostic *e = machines_error(f->d, all[i].message);
    assert_non_null(e);
    assert_non_null(e->hint);
    assert_string_equal(e->where.file->path, golden_path(f->a, all[i].path));
  }
  assert_null(arch_load(f->a, "/dev/zero", NULL, f->d));
  assert_non_null(machines_error(f->d, "not a regular file"));
  size_t size = 1 << 20;
  char *big = arena_alloc(f->a, size);
  memset(big, '#', size);
  assert_null(machines_parse(f, big, size));
  assert_non_null(machines_error(f->d, "too many"));
}

static void test_unknown_names(void **state) {
  static const struct {
    const char *name, *hint;
  } all[] = {{"sm_61", "`sm_60'"},
             {"sm60", "`sm_60'"},
             {"", "there are avx2, avx512, neon, sm_35"},
             {"elephantine", "neon, sm_35, sm_52"},
             {"elephantine", "and `cpu', which is this host"},
             {"cpus", "did you mean `cpu'?"}};
  Fixture *f = *state;
  for (int i = 0; i < 6; i++) {
    f->d = diagnostics_new(f->a);
    assert_null(arch_load(f->a, all[i].name, golden_path(f->a, "archspec"), f->d));
    assert_int_equal(f->d->errors, 1);
    const Diagnostic *e = &f->d->list.at[0];
    assert_non_null(strstr(e->message, all[i].name));
    if (i == 0)
      assert_non_null(strstr(e->hint, "did you mean `sm_")); /* several are as near */
    else
      assert_non_null(strstr(e->hint, all[i].hint));
  }
  f->d = diagnostics_new(f->a);
  assert_null(
      arch_load(f->a, "cpu", golden_path(f->a, "tests/specs"), f->d)); /* it names itself test-cpu */
  assert_non_null(machines_error(f->d, "names itself `test-cpu'"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      MACHINE_TEST(test_bad_shapes),
      MACHINE_TEST(test_bad_chains),
      MACHINE_TEST(test_factors_of_a_warp),
      MACHINE_TEST(test_impossible_sizes),
      MACHINE_TEST(test_bad_cpus),
      MACHINE_TEST(test_bad_figures),
      MACHINE_TEST(test_not_a_machine),
      MACHINE_TEST(test_nested_too_deeply),
      MACHINE_TEST(test_places),
      MACHINE_TEST(test_bad_matrix_units),
      MACHINE_TEST(test_many_errors_end),
      MACHINE_TEST(test_bad_files),
      MACHINE_TEST(test_unknown_names)};
  return cmocka_run_group_tests_name("arch refusals", tests, NULL, NULL);
}
