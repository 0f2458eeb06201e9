/* arch_test.c: machines read, cut down to levels, and listed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "arch/listing.h"
#include "golden.h"
#include "machines.h"

static void check_width(const Level *l, int64_t min, int64_t max, int64_t preset,
                        int64_t multiple) {
  assert_int_equal(l->width_min, min);
  assert_int_equal(l->width_max, max);
  assert_int_equal(l->width_default, preset);
  assert_int_equal(l->width_multiple, multiple);
}

/* ---- what is shipped ---- */

static void test_pascal(void **state) {
  Arch *m = machines_shipped(*state, "sm_60");
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
    assert_int_equal(l->nsync, i == 0 ? 4 : levels[i].sync ? 1 : 0);
    if (levels[i].sync) assert_string_equal(l->sync[0].name, levels[i].sync);
    if (levels[i].sync) assert_int_equal(l->sync[0].kind, SYNC_PLAIN);
    if (i == 0) assert_int_equal(l->sync[1].kind, SYNC_TICKET);
    if (i == 0) assert_int_equal(l->sync[2].kind, SYNC_TOGETHER);
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
  Arch *m = machines_shipped(*state, "avx2");
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
  assert_int_equal(machines_shipped(*state, "neon")->shared_bytes_block, 1 << 20);
  assert_int_equal(machines_shipped(*state, "avx512")->shared_bytes_block, 1 << 20); /* of 1.25 MB */
  Arch *small = machines_load(*state, "tests/specs/cpu.yaml");
  assert_int_equal(small->shared_bytes_block, 1 << 18);
  assert_int_equal(small->threads_unit, 8);
}

static void test_every_shipped_machine(void **state) {
  Fixture *f = *state;
  static const char *const names[] = {"sm_35", "sm_52", "sm_60", "sm_70",  "sm_75", "sm_80",
                                      "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};
  int n = 0;
  const char *dir = golden_path(f->a, "archspec"), **found = arch_names(f->a, dir, &n);
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
    assert_int_equal(m->levels[0].nsync, m->compute >= 70 ? 5 : m->compute >= 60 ? 4 : 3);
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
  Arch *cpu = machines_load(*state, "tests/specs/micro-cpu.yaml"),
       *gpu = machines_load(*state, "tests/specs/micro-gpu.yaml");
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
  Arch *c = machines_load(*state, "tests/specs/cluster.yaml");
  assert_int_equal(c->nlevels, 6);
  assert_int_equal(c->levels[1].real, REAL_CLUSTER);
  assert_int_equal(c->levels[0].nsync, 2);
  assert_string_equal(c->levels[0].sync[1].name, "last-block ticket");

  Arch *s = machines_load(*state, "tests/specs/subwarps.yaml");
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

  Arch *d = machines_load(*state, "tests/specs/dynamic.yaml");
  assert_ptr_equal(arch_level(d, "thread")->launches, arch_level(d, "grid"));

  Arch *p = machines_load(*state, "tests/specs/cpu.yaml");
  assert_int_equal(p->compute, 0);
  assert_int_equal(p->levels[0].real, REAL_GRID); /* parts that a GPU's levels have, too */
  assert_int_equal(p->levels[1].real, REAL_BLOCK);
  assert_int_equal(p->levels[2].real, REAL_THREAD);
  check_width(&p->levels[0], 1, 0, 8, 1); /* as many as there are */
  check_width(&p->levels[1], 8, 8, 8, 1); /* the default is the least */
}

static void test_the_users_machine(void **state) {
  Arch *m = machines_load(*state, "examples/machines/rtx_3070.yaml");
  assert_string_equal(m->name, "rtx_3070");
  assert_int_equal(m->units, 46);
}

/* The page quotes the example as it is. */
static void test_documentation_quotes_the_example(void **state) {
  Fixture *f = *state;
  SourceFile *page = source_read(f->a, golden_path(f->a, "docs/reference/machines.md"));
  SourceFile *example = source_read(f->a, golden_path(f->a, "examples/machines/rtx_3070.yaml"));
  assert_non_null(page);
  assert_non_null(example);
  assert_non_null(strstr(page->text, example->text));
}

/* ---- fewer levels ---- */

static void test_levels(void **state) {
  Fixture *f = *state;
  Arch *full = machines_shipped(f, "sm_60"), *m = arch_with_levels(f->a, full, "grid,block,thread", f->d);
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
  Arch *full = machines_load(f, "tests/specs/dynamic.yaml");
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
      {"thread,grid", "`grid' is above `thread'", "from the top"},
      {"grid,grid,thread", "named twice", NULL},
      {"grid,,thread", "empty name", NULL},
      {"", "empty name", NULL},
      {"grid,thread,", "empty name", NULL},
      {"grid", "nothing can compute at `grid'", "scalar"},
      {"grid,block", "nothing can compute at `block'", "scalar"},
  };
  Fixture *f = *state;
  Arch *full = machines_shipped(f, "sm_60");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    f->d = diagnostics_new(f->a);
    assert_null(arch_with_levels(f->a, full, all[i].levels, f->d));
    const Diagnostic *e = machines_error(f->d, all[i].message);
    if (!e) fail_msg("`%s': no error with \"%s\"", all[i].levels, all[i].message);
    if (all[i].hint) assert_non_null(strstr(e->hint, all[i].hint));
  }
}

/* ---- the table ---- */

static void test_table(void **state) {
  Fixture *f = *state;
  const char *title = "One unusually-long-word-that-no-column-of-a-table-can-hold";
  const char *text = machines_edited(f, "sm_60", "Pascal (Tesla P100)", title);
  const Arch *machines[] = {machines_shipped(f, "sm_35"), machines_shipped(f, "sm_90"),
                            machines_load(f, "tests/specs/cluster.yaml"), machines_load(f, "tests/specs/cpu.yaml"),
                            machines_parse(f, text, strlen(text))};
  Buffer b = buffer_new(f->a);
  arch_print_table(&b, machines, 5, 80);
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
  Buffer wide = buffer_new(f->a); /* a line each, whole */
  arch_print_table(&wide, machines, 5, 0);
  assert_non_null(strstr(wide.text, title));
  Buffer none = buffer_new(f->a);
  arch_print_table(&none, NULL, 0, 80);
  assert_string_equal(none.text, "no machines\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      MACHINE_TEST(test_pascal),
      MACHINE_TEST(test_avx2),
      MACHINE_TEST(test_memory_of_a_thread),
      MACHINE_TEST(test_every_shipped_machine),
      MACHINE_TEST(test_the_papers_machines),
      MACHINE_TEST(test_other_chains),
      MACHINE_TEST(test_the_users_machine),
      MACHINE_TEST(test_documentation_quotes_the_example),
      MACHINE_TEST(test_levels),
      MACHINE_TEST(test_launches_without_grids),
      MACHINE_TEST(test_bad_levels),
      MACHINE_TEST(test_table)};
  return cmocka_run_group_tests_name("arch", tests, NULL, NULL);
}
