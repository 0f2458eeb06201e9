/* arch_test.c: machines read, refused with a place, cut down to levels, and listed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/listing.h"

typedef struct Fixture {
  Arena *a;
  Diagnostics *d;
} Fixture;

static int set_up(void **state) {
  Fixture *f = malloc(sizeof *f);
  f->a = arena_new();
  f->d = diagnostics_new(f->a);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  Fixture *f = *state;
  arena_free(f->a);
  free(f);
  return 0;
}

static const char *in_source(Fixture *f, const char *path) {
  const char *root = getenv("TGC_SOURCE_DIR");
  return arena_printf(f->a, "%s/%s", root ? root : ".", path);
}

static Arch *load(Fixture *f, const char *path) {
  Arch *m = arch_load(f->a, in_source(f, path), NULL, f->d);
  if (!m) diagnostics_print(f->d, stderr, 0, false);
  assert_non_null(m);
  assert_int_equal(f->d->errors, 0);
  return m;
}

static Arch *shipped(Fixture *f, const char *name) {
  return load(f, arena_printf(f->a, "archspec/%s.yaml", name));
}

static void check_width(const Level *l, int64_t min, int64_t max, int64_t preset,
                        int64_t multiple) {
  assert_int_equal(l->width_min, min);
  assert_int_equal(l->width_max, max);
  assert_int_equal(l->width_default, preset);
  assert_int_equal(l->width_multiple, multiple);
}

/* ---- what is shipped ---- */

static void test_pascal(void **state) {
  Arch *m = shipped(*state, "sm_60");
  assert_string_equal(m->name, "sm_60");
  assert_string_equal(m->family, "cuda");
  assert_int_equal(m->compute, 60);
  assert_int_equal(m->vector_width, 32);
  assert_int_equal(m->units, 56);
  assert_int_equal(m->threads_unit, 2048);
  assert_int_equal(m->threads_block, 1024);
  assert_int_equal(m->shared_bytes_block, 49152);
  assert_int_equal(m->grid_max, INT32_MAX);
  assert_true(m->can.shuffle && m->can.shuffle_sync && m->can.atomic_block_scope);
  assert_true(m->can.atomic_add_double && m->can.shared_atomic_native);
  assert_false(m->can.independent_threads || m->can.cluster || m->can.reduce_sync);

  static const struct {
    const char *name, *letter;
    unsigned capability;
    Realisation real;
    Tiling prefer;
    const char *sync;
  } levels[] = {
      {"grid", "G", CAP_NONE, REAL_GRID, TILING_ADJACENT, "terminate/launch"},
      {"block", "B", CAP_VECTOR, REAL_BLOCK, TILING_STRIDED, "__syncthreads()"},
      {"warp", "W", CAP_VECTOR, REAL_WARP, TILING_STRIDED, "__syncwarp()"},
      {"thread", "T", CAP_SCALAR, REAL_THREAD, TILING_ANY, "close loop"},
      {"ilp", "I", CAP_SCALAR, REAL_SLOTS, TILING_ANY, NULL},
  };
  assert_int_equal(m->nlevels, 5);
  for (int i = 0; i < 5; i++) {
    const Level *l = &m->levels[i];
    assert_string_equal(l->name, levels[i].name);
    assert_string_equal(l->letter, levels[i].letter);
    assert_int_equal(l->capability, levels[i].capability);
    assert_int_equal(l->real, levels[i].real);
    assert_int_equal(l->prefer, levels[i].prefer);
    assert_int_equal(l->depth, i);
    assert_ptr_equal(l->sub, i < 4 ? l + 1 : NULL);
    assert_int_equal(l->nsync, i == 0 ? 2 : levels[i].sync ? 1 : 0);
    if (levels[i].sync) assert_string_equal(l->sync[0].name, levels[i].sync);
    if (levels[i].sync) assert_int_equal(l->sync[0].kind, SYNC_PLAIN);
    if (i == 0) assert_int_equal(l->sync[1].kind, SYNC_TICKET);
    assert_null(l->launches);
  }
  check_width(&m->levels[0], 1, INT32_MAX, 448, 1);
  check_width(&m->levels[1], 1, 32, 8, 1);
  check_width(&m->levels[2], 32, 32, 32, 32);
  check_width(&m->levels[4], 1, 1, 1, 1);
  assert_ptr_equal(arch_level(m, "warp"), &m->levels[2]);
  assert_ptr_equal(arch_level(m, "W"), &m->levels[2]);
  assert_null(arch_level(m, "cluster"));
}

/* What a CPU's file says, and what it stands for. */
static void test_avx2(void **state) {
  Arch *m = shipped(*state, "avx2");
  assert_true(m->is_cpu);
  assert_string_equal(m->family, "cpu");
  assert_int_equal(m->compute, 0);
  assert_int_equal(m->vector_width, 8);
  assert_int_equal(m->vector_bytes, 32);
  assert_int_equal(m->l1_bytes, 32768);
  assert_int_equal(m->l2_bytes, 524288);
  assert_int_equal(m->l3_bytes, 33554432);
  assert_int_equal(m->units, 8);
  assert_int_equal(m->threads_block, 8);
  assert_int_equal(m->threads_unit, 16); /* two threads a core, a vector each */
  assert_int_equal(m->shared_bytes_block, 524288);
  assert_int_equal(m->grid_max, INT32_MAX);
  assert_null(m->detected);
  static const struct {
    const char *name, *letter, *sync;
    unsigned capability;
    Realisation real;
    Tiling prefer;
  } levels[] = {
      {"process", "P", "barrier/join", CAP_NONE, REAL_GRID, TILING_ADJACENT},
      {"thread", "T", "lockstep", CAP_VECTOR, REAL_BLOCK, TILING_STRIDED},
      {"lane", "L", "close loop", CAP_SCALAR, REAL_THREAD, TILING_STRIDED},
      {"ilp", "I", NULL, CAP_SCALAR, REAL_SLOTS, TILING_ANY},
  };
  assert_int_equal(m->nlevels, 4);
  for (int i = 0; i < 4; i++) {
    const Level *l = &m->levels[i];
    assert_string_equal(l->name, levels[i].name);
    assert_string_equal(l->letter, levels[i].letter);
    assert_int_equal(l->capability, levels[i].capability);
    assert_int_equal(l->real, levels[i].real);
    assert_int_equal(l->prefer, levels[i].prefer);
    assert_int_equal(l->nsync, i == 0 ? 2 : levels[i].sync ? 1 : 0);
    if (levels[i].sync) assert_string_equal(l->sync[0].name, levels[i].sync);
  }
  assert_int_equal(m->levels[0].sync[1].kind, SYNC_CHAIN);
  check_width(&m->levels[0], 1, 1024, 16, 1);
  check_width(&m->levels[1], 8, 8, 8, 8);
}

/* The lanes share what is near their thread, and never more than its stack takes. */
static void test_memory_of_a_thread(void **state) {
  assert_int_equal(shipped(*state, "neon")->shared_bytes_block, 1 << 20);
  assert_int_equal(shipped(*state, "avx512")->shared_bytes_block, 1 << 20); /* of 1.25 MB */
  Arch *small = load(*state, "tests/specs/cpu.yaml");
  assert_int_equal(small->shared_bytes_block, 1 << 18);
  assert_int_equal(small->threads_unit, 8);
}

static void test_every_shipped_machine(void **state) {
  Fixture *f = *state;
  static const char *const names[] = {"sm_35", "sm_52", "sm_60", "sm_70",  "sm_75", "sm_80",
                                      "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};
  int n = 0;
  const char *dir = in_source(f, "archspec"), **found = arch_names(f->a, dir, &n);
  assert_null(found[n]);
  int next = 0, cpus = 0;
  for (int i = 0; i < n; i++) {
    Arch *m = arch_load(f->a, found[i], dir, f->d);
    assert_non_null(m);
    if (next < 11 && strcmp(found[i], names[next]) == 0) next++;
    if (m->is_cpu) {
      assert_int_equal(m->vector_bytes, 4 * m->vector_width);
      assert_int_equal(m->levels[0].width_default % m->units, 0); /* every core has as many threads */
      assert_int_equal(m->threads_unit * m->units, m->levels[0].width_default * m->vector_width);
      assert_false(arch_posts(m));
      cpus++;
      continue;
    }
    assert_string_equal(m->name, arena_printf(f->a, "sm_%d", m->compute));
    assert_int_equal(m->can.independent_threads, m->compute >= 70);
    assert_int_equal(m->can.atomic_block_scope, m->compute >= 60);
    assert_int_equal(m->can.atomic_add_double, m->compute >= 60);
    assert_int_equal(m->can.shared_atomic_native, m->compute >= 50);
    assert_int_equal(m->can.reduce_sync, m->compute >= 80);
    assert_int_equal(m->can.cluster, m->compute >= 90);
    assert_int_equal(arch_posts(m), m->compute >= 70);
    assert_int_equal(m->levels[0].nsync, m->compute >= 70 ? 3 : 2);
    if (arch_posts(m)) assert_string_equal(m->levels[0].sync[2].name, "posted results");
    /* the default grid fills the machine once with blocks of the default width */
    int64_t threads = m->levels[1].width_default * m->vector_width;
    assert_int_equal(m->levels[0].width_default, m->units * (m->threads_unit / threads));
  }
  assert_int_equal(next, 11); /* all of them, in this order */
  assert_int_equal(cpus, 3);
  assert_int_equal(f->d->errors, 0);
}

static void test_the_papers_machines(void **state) {
  Arch *cpu = load(*state, "tests/specs/micro-cpu.yaml"),
       *gpu = load(*state, "tests/specs/micro-gpu.yaml");
  assert_int_equal(cpu->nlevels, 2);
  assert_string_equal(cpu->levels[0].letter, "P");
  assert_int_equal(cpu->levels[0].capability, CAP_NONE);
  assert_string_equal(cpu->levels[0].sync[0].name, "barrier/join");
  assert_int_equal(cpu->levels[1].capability, CAP_SCALAR);
  assert_null(cpu->levels[1].sub);
  assert_int_equal(gpu->nlevels, 3);
  assert_string_equal(gpu->levels[0].sync[0].name, "terminate/launch");
  assert_int_equal(gpu->levels[1].capability, CAP_VECTOR);
  assert_string_equal(gpu->levels[2].letter, "T");
}

/* What the model must hold beyond what is shipped. */
static void test_other_chains(void **state) {
  Arch *c = load(*state, "tests/specs/cluster.yaml");
  assert_int_equal(c->nlevels, 6);
  assert_int_equal(c->levels[1].real, REAL_CLUSTER);
  assert_int_equal(c->levels[0].nsync, 2);
  assert_string_equal(c->levels[0].sync[1].name, "last-block ticket");

  Arch *s = load(*state, "tests/specs/subwarps.yaml");
  const Level *warp = arch_level(s, "warp"), *eight = arch_level(s, "warp/8");
  assert_int_equal(eight->real, REAL_SUBWARP);
  assert_int_equal(eight->width_max, 8);
  assert_true(eight->optional);
  assert_ptr_equal(warp->sub, arch_level(s, "VH"));
  assert_ptr_equal(level_below(warp), arch_level(s, "thread"));
  assert_ptr_equal(level_below(eight), arch_level(s, "thread"));
  Fixture *f = *state;
  Diagnostics *apart = diagnostics_new(f->a);
  assert_non_null(arch_with_levels(f->a, s, "grid,block,warp,warp/4,thread", apart));
  assert_null(arch_with_levels(f->a, s, "grid,block,warp/8,thread", apart));
  assert_int_equal(apart->errors, 1);

  Arch *d = load(*state, "tests/specs/dynamic.yaml");
  assert_ptr_equal(arch_level(d, "thread")->launches, arch_level(d, "grid"));

  Arch *p = load(*state, "tests/specs/cpu.yaml");
  assert_int_equal(p->compute, 0);
  assert_int_equal(p->levels[0].real, REAL_GRID); /* parts that a GPU's levels have, too */
  assert_int_equal(p->levels[1].real, REAL_BLOCK);
  assert_int_equal(p->levels[2].real, REAL_THREAD);
  check_width(&p->levels[0], 1, 0, 8, 1); /* as many as there are */
  check_width(&p->levels[1], 8, 8, 8, 1); /* the default is the least */
}

static void test_the_users_machine(void **state) {
  Arch *m = load(*state, "examples/machines/rtx_3070.yaml");
  assert_string_equal(m->name, "rtx_3070");
  assert_int_equal(m->units, 46);
}

/* The page quotes the example as it is. */
static void test_documentation_quotes_the_example(void **state) {
  Fixture *f = *state;
  SourceFile *page = source_read(f->a, in_source(f, "docs/machines.md"));
  SourceFile *example = source_read(f->a, in_source(f, "examples/machines/rtx_3070.yaml"));
  assert_non_null(page);
  assert_non_null(example);
  assert_non_null(strstr(page->text, example->text));
}

/* ---- what is refused ---- */

static const Diagnostic *find_error(const Diagnostics *d, const char *message) {
  for (int i = 0; i < d->list.n; i++)
    if (d->list.at[i].level == DIAG_ERROR && strstr(d->list.at[i].message, message))
      return &d->list.at[i];
  return NULL;
}

static Arch *parse(Fixture *f, const char *text, size_t size) {
  SourceFile *s = arena_one(f->a, SourceFile);
  *s = (SourceFile){.path = "user.yaml", .text = arena_strndup(f->a, text, size), .size = size};
  memcpy((char *)s->text, text, size); /* NUL bytes too */
  return arch_parse(f->a, s, f->d);
}

/* A shipped machine with `from` replaced by `to`. */
static const char *edited_machine(Fixture *f, const char *name, const char *from, const char *to) {
  SourceFile *s = source_read(f->a, in_source(f, arena_printf(f->a, "archspec/%s.yaml", name)));
  assert_non_null(s);
  char *at = strstr(s->text, from);
  if (!at) fail_msg("the spec has no `%s'", from);
  return arena_printf(f->a, "%.*s%s%s", (int)(at - s->text), s->text, to, at + strlen(from));
}

/* The shipped Pascal with `from` replaced by `to`. */
static const char *edited(Fixture *f, const char *from, const char *to) {
  return edited_machine(f, "sm_60", from, to);
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
    const char *text = edited_machine(f, machine, r->from, r->to);
    Arch *m = parse(f, text, strlen(text));
    const Diagnostic *e = find_error(f->d, r->message);
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
      {"name: warp", "name: Warp 1", "will not do as a level's name", "Warp 1", NULL},
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
      {"realised: slots", "realised: slots\n    sync: [a]", "nobody below it to synchronise", NULL,
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
      {warp, FACTOR("warp/8", "{min: 4, max: 4}"), "will not do as a sub-warp's name", "warp/8", "`name: warp/4'"},
      {warp, FACTOR("eighth", "{min: 8, max: 8}"), "will not do as a sub-warp's name", "eighth", "`name: warp/8'"},
      {"realised: warp", "realised: subwarp", "stands below no warp", "subwarp", NULL},
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
      {"{min: 32, max: 32,", "{min: 32, max: 64,", "a warp has 32 lanes", NULL, "max: 32"},
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
      {"[shuffle, shuffle_sync", "[shuffle_sync", "does not go without `shuffle'", "shuffle_sync",
       NULL},
      {"name: sm_60", "name: ../sm", "will not do as a machine's name", "../sm", NULL},
      {"title: Pascal", "title: \"\\e[31m\"\n#", "control character", NULL, NULL},
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
      {"vector_width: 8", "vector_width: 16", "a thread's vector has 16 lanes", NULL, "{min: 16, max: 16}"},
      {"vector_bytes: 32", "vector_bytes: 16", "vectors of 16 bytes have 4 lanes", "16", "32 bits"},
      {"vector_bytes: 32", "vector_bytes: 0", "vector_bytes 0 is impossible", "0", "AVX2"},
      {"{min: 8, max: 8,", "{min: 8, max: 16,", "a thread's vector has 8 lanes", NULL, "{min: 8, max: 8}"},
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
  const char *text = edited_machine(f, "avx2", "l3_bytes: 33554432", "l3_bytes: 0");
  assert_non_null(parse(f, text, strlen(text)));
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
    assert_null(parse(f, all[i].text, all[i].size));
    const Diagnostic *e = find_error(f->d, all[i].message);
    if (!e) fail_msg("case %zu: no error with \"%s\"", i, all[i].message);
    assert_non_null(e->where.file);
    assert_true(e->where.begin <= all[i].size);
  }
}

/* A place is in bytes, whatever stands before it, and errors are told together. */
static void test_places(void **state) {
  Fixture *f = *state;
  const char *text =
      edited(f, "title: Pascal (Tesla P100)", "title: \xC3\x84\xE2\x82\xAC \xF0\x9F\x98\x80");
  text = arena_printf(f->a, "\xEF\xBB\xBF%s\nfoo: 1\nbar: 2\n", text);
  assert_null(parse(f, text, strlen(text)));
  assert_int_equal(f->d->errors, 2);
  assert_string_equal(underlined(f, find_error(f->d, "`foo'")), "foo");
  const Diagnostic *bar = find_error(f->d, "`bar'");
  assert_string_equal(underlined(f, bar), "bar");
  int line, column, lines = 1;
  for (const char *s = text; *s; s++) lines += *s == '\n';
  source_position(bar->where.file, bar->where.begin, &line, &column);
  assert_int_equal(line, lines - 1);
  assert_int_equal(column, 1);
}

static void test_many_errors_end(void **state) {
  Fixture *f = *state;
  Buffer b = buffer_new(f->a);
  for (int i = 0; i < 5000; i++) buffer_printf(&b, "k%d: 1\n", i);
  assert_null(parse(f, b.text, b.length));
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
    assert_null(arch_load(f->a, in_source(f, all[i].path), NULL, f->d));
    const Diagnostic *e = find_error(f->d, all[i].message);
    assert_non_null(e);
    assert_non_null(e->hint);
    assert_string_equal(e->where.file->path, in_source(f, all[i].path));
  }
  assert_null(arch_load(f->a, "/dev/zero", NULL, f->d));
  assert_non_null(find_error(f->d, "not a regular file"));
  size_t size = 1 << 20;
  char *big = arena_alloc(f->a, size);
  memset(big, '#', size);
  assert_null(parse(f, big, size));
  assert_non_null(find_error(f->d, "too many"));
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
    assert_null(arch_load(f->a, all[i].name, in_source(f, "archspec"), f->d));
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
      arch_load(f->a, "cpu", in_source(f, "tests/specs"), f->d)); /* it names itself test-cpu */
  assert_non_null(find_error(f->d, "names itself `test-cpu'"));
}

/* ---- fewer levels ---- */

static void test_levels(void **state) {
  Fixture *f = *state;
  Arch *full = shipped(f, "sm_60"), *m = arch_with_levels(f->a, full, "grid,block,thread", f->d);
  assert_non_null(m);
  assert_int_equal(m->nlevels, 3);
  for (int i = 0; i < 3; i++) {
    assert_int_equal(m->levels[i].depth, i);
    assert_ptr_equal(m->levels[i].sub, i < 2 ? &m->levels[i + 1] : NULL);
  }
  check_width(&m->levels[0], 1, INT32_MAX, 448, 1);
  check_width(&m->levels[1], 32, 1024, 256, 32);
  check_width(&m->levels[2], 1, 1, 1, 1);
  assert_int_equal(m->levels[2].nsync, 0);
  assert_string_equal(m->levels[1].sync[0].name, "__syncthreads()");
  assert_int_equal(full->nlevels, 5); /* as it was */
  check_width(&full->levels[1], 1, 32, 8, 1);
  assert_ptr_equal(full->levels[1].sub, &full->levels[2]);

  Arch *two = arch_with_levels(f->a, full, "W,thread", f->d);
  assert_non_null(two);
  check_width(&two->levels[0], 32, 32, 32, 32);

  Arch *gt = arch_with_levels(f->a, full, "grid,thread", f->d);
  assert_non_null(gt);
  check_width(&gt->levels[0], 32, (int64_t)INT32_MAX * 1024, 448 * 256, 32);
  assert_int_equal(f->d->errors, 0);
}

static void test_launches_without_grids(void **state) {
  Fixture *f = *state;
  Arch *full = load(f, "tests/specs/dynamic.yaml");
  Arch *with = arch_with_levels(f->a, full, "grid,block,thread", f->d);
  assert_ptr_equal(with->levels[2].launches, &with->levels[0]);
  Arch *without = arch_with_levels(f->a, full, "block,thread", f->d);
  assert_null(without->levels[1].launches);
}

static void test_bad_levels(void **state) {
  static const struct {
    const char *levels, *message, *hint;
  } all[] = {
      {"grid,blok,thread", "no level `blok'", "`block'"},
      {"grid,elephant", "no level `elephant'", "grid,block,warp"},
      {"thread,grid", "`grid' stands above `thread'", "from the top"},
      {"grid,grid,thread", "named twice", NULL},
      {"grid,,thread", "empty name", NULL},
      {"", "empty name", NULL},
      {"grid,thread,", "empty name", NULL},
      {"grid", "nothing can compute at `grid'", "scalar"},
      {"grid,block", "nothing can compute at `block'", "scalar"},
  };
  Fixture *f = *state;
  Arch *full = shipped(f, "sm_60");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    f->d = diagnostics_new(f->a);
    assert_null(arch_with_levels(f->a, full, all[i].levels, f->d));
    const Diagnostic *e = find_error(f->d, all[i].message);
    if (!e) fail_msg("`%s': no error with \"%s\"", all[i].levels, all[i].message);
    if (all[i].hint) assert_non_null(strstr(e->hint, all[i].hint));
  }
}

/* ---- the table ---- */

static void test_table(void **state) {
  Fixture *f = *state;
  const char *title = "One unusually-long-word-that-no-column-of-a-table-can-hold";
  const char *text = edited(f, "Pascal (Tesla P100)", title);
  const Arch *machines[] = {shipped(f, "sm_35"), shipped(f, "sm_90"),
                            load(f, "tests/specs/cluster.yaml"), load(f, "tests/specs/cpu.yaml"),
                            parse(f, text, strlen(text))};
  Buffer b = buffer_new(f->a);
  arch_print_table(&b, machines, 5);
  for (const char *s = b.text; *s; s += strcspn(s, "\n") + 1) {
    size_t n = strcspn(s, "\n");
    assert_true(n <= 80);
    assert_true(n == 0 || s[n - 1] != ' ');
  }
  assert_non_null(strstr(b.text, "name"));
  assert_non_null(strstr(b.text, "sm_35     Kepler (Tesla K40c)"));
  assert_non_null(strstr(b.text, "G>C>B>W>T>I"));
  assert_non_null(strstr(b.text, "clusters\n"));
  assert_non_null(strstr(b.text, "G grid, B block, W warp, T thread, I ilp, C cluster"));
  Buffer none = buffer_new(f->a);
  arch_print_table(&none, NULL, 0);
  assert_string_equal(none.text, "no machines\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_pascal),
                                     TEST(test_avx2),
                                     TEST(test_memory_of_a_thread),
                                     TEST(test_every_shipped_machine),
                                     TEST(test_the_papers_machines),
                                     TEST(test_other_chains),
                                     TEST(test_the_users_machine),
                                     TEST(test_documentation_quotes_the_example),
                                     TEST(test_bad_shapes),
                                     TEST(test_bad_chains),
                                     TEST(test_factors_of_a_warp), TEST(test_impossible_sizes),
                                     TEST(test_bad_cpus),
                                     TEST(test_not_a_machine),
                                     TEST(test_places),
                                     TEST(test_many_errors_end),
                                     TEST(test_bad_files),
                                     TEST(test_unknown_names),
                                     TEST(test_levels),
                                     TEST(test_launches_without_grids),
                                     TEST(test_bad_levels),
                                     TEST(test_table)};
  return cmocka_run_group_tests_name("arch", tests, NULL, NULL);
}
