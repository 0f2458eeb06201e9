/* host_test.c: hosts made up of files, what is found out about them, and the machines that they make. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <ftw.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/host.h"
#include "support/buffer.h"

typedef struct Host {
  Arena *a;
  char *root;
  Diagnostics *d;
} Host;

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *f) {
  (void)s;
  (void)kind;
  (void)f;
  return remove(path);
}

static int set_up(void **state) {
  Arena *a = arena_new();
  Host *h = arena_one(a, Host);
  *h = (Host){.a = a, .root = arena_strdup(a, "/tmp/tgc-host-XXXXXX"), .d = diagnostics_new(a)};
  *state = h;
  return mkdtemp(h->root) ? 0 : -1;
}

static int tear_down(void **state) {
  Host *h = *state;
  nftw(h->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  arena_free(h->a);
  return 0;
}

/* ---- making hosts up ---- */

static void put(Host *h, const char *path, const char *text) {
  char *full = arena_printf(h->a, "%s/%s", h->root, path);
  for (char *slash = full + strlen(h->root) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
    *slash = '\0';
    mkdir(full, 0777);
  }
  FILE *f = fopen(full, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void put_cpu(Host *h, int cpu, const char *what, const char *text) {
  put(h, arena_printf(h->a, "sys/devices/system/cpu/cpu%d/%s", cpu, what), arena_printf(h->a, "%s\n", text));
}

static void put_cache(Host *h, int cpu, int index, const char *level, const char *type, const char *size,
                      const char *shared) {
  put_cpu(h, cpu, arena_printf(h->a, "cache/index%d/level", index), level);
  put_cpu(h, cpu, arena_printf(h->a, "cache/index%d/type", index), type);
  put_cpu(h, cpu, arena_printf(h->a, "cache/index%d/size", index), size);
  put_cpu(h, cpu, arena_printf(h->a, "cache/index%d/shared_cpu_list", index), shared);
}

static void put_online(Host *h, const char *list) {
  put(h, "sys/devices/system/cpu/online", arena_printf(h->a, "%s\n", list));
}

static const char x86_64[] = "fpu vme sse sse2 ht", avx2[] = "fpu sse2 fma avx avx2",
                  avx512[] = "fpu sse2 fma avx avx2 avx512f avx512dq avx512cd avx512bw avx512vl",
                  avx512f[] = "fpu sse2 fma avx avx2 avx512f avx512cd avx512er avx512pf";

static void put_cpuinfo(Host *h, const char *model, const char *const *flags, int threads) {
  Buffer b = buffer_new(h->a);
  for (int i = 0; i < threads; i++) {
    buffer_printf(&b, "processor\t: %d\nvendor_id\t: Made Up\nmodel\t\t: 1\n", i);
    if (model) buffer_printf(&b, "model name\t: %s\n", model);
    buffer_printf(&b, "flags\t\t: %s\nbugs\t\t: avx512f\n\n", flags[i]);
  }
  put(h, "proc/cpuinfo", b.text);
}

/* Two cores of two threads each, numbered as they often are: 0 and 2 share one, 1 and 3 the other. */
static void put_two_cores(Host *h, const char *flags) {
  static const char *const cores[] = {"0,2", "1,3"};
  const char *all[] = {flags, flags, flags, flags};
  put_online(h, "0-3");
  put_cpuinfo(h, "Made(R) Up(TM) CPU 99  Gold @ 2.00GHz", all, 4);
  for (int i = 0; i < 4; i++) {
    put_cpu(h, i, "topology/thread_siblings_list", cores[i % 2]);
    put_cache(h, i, 0, "1", "Data", "48K", cores[i % 2]);
    put_cache(h, i, 1, "1", "Instruction", "16K", cores[i % 2]);
    put_cache(h, i, 2, "2", "Unified", "2048K", "0-3");
    put_cache(h, i, 3, "3", "Unified", "32768K", "0-3");
  }
}

static Arch *machine(Host *h, const HostFacts *f) {
  Arch *m = host_arch(h->a, f, h->d);
  if (!m) diagnostics_print(h->d, stderr, 0, false);
  assert_non_null(m);
  assert_int_equal(h->d->list.n, 0);
  assert_string_equal(m->name, "cpu");
  assert_true(m->is_cpu);
  return m;
}

/* ---- what is found out ---- */

static void test_a_host(void **state) {
  Host *h = *state;
  put_two_cores(h, avx2);
  HostFacts f = host_facts(h->a, h->root, NULL);
  assert_string_equal(f.model, "Made Up CPU 99 Gold");
  assert_int_equal(f.vectors, HOST_AVX2);
  assert_int_equal(f.threads, 4);
  assert_int_equal(f.cores, 2);
  assert_int_equal(f.l1_bytes, 48 << 10);
  assert_int_equal(f.l2_bytes, 1 << 20); /* a core's half of it */
  assert_int_equal(f.l3_bytes, 32 << 20); /* once, whoever shares it */
  Arch *m = machine(h, &f);
  assert_string_equal(m->title, "x86-64 with AVX2 (Made Up CPU 99 Gold, 2 cores)");
  assert_non_null(strstr(m->source, "Made Up CPU 99 Gold: 4 hardware threads"));
  assert_null(strstr(m->source, "assumed"));
  assert_string_equal(m->detected, host_spec(h->a, &f));
  assert_string_equal(m->tables, "avx2-made-up-cpu-99-gold-4-l1-48k-l2-1024k");
}

/* Compilers that do not know a Xeon do not know that it gathers. */
static void test_gathers(void **state) {
  static const struct { const char *vendor, *flags; bool tuned; } all[] = {
      {"GenuineIntel", "fpu sse2 fma avx2 avx512f avx512dq avx512bw avx512vl avx512_fp16", true},
      {"GenuineIntel", avx512, false}, {"AuthenticAMD", "fpu sse2 fma avx2 avx512f avx512_fp16", false}};
  Host *h = *state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    put(h, "proc/cpuinfo", arena_printf(h->a, "processor : 0\nvendor_id : %s\nflags : %s\n", all[i].vendor, all[i].flags));
    const HostFacts f = host_facts(h->a, h->root, "0");
    const Arch *m = machine(h, &f);
    assert_true(all[i].tuned ? m->tune && strcmp(m->tune, "sapphirerapids") == 0 : !m->tune);
    assert_int_equal(m->measured.ragged_part, all[i].tuned ? 8 : 32);
  }
}

static void test_affinity(void **state) {
  static const struct { const char *usable; int threads, cores; } all[] = {
      {"0-3", 4, 2}, {"0,2", 2, 1}, {"0,1", 2, 2}, {"3", 1, 1}, {"1-3", 3, 2}, {"2-99", 2, 2},
      {"64", 1, 1} /* which the files do not know: the files are wrong */, {"rubbish", 4, 2}, {"3-1", 4, 2}};
  Host *h = *state;
  put_two_cores(h, avx2);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    HostFacts f = host_facts(h->a, h->root, all[i].usable);
    assert_int_equal(f.threads, all[i].threads);
    assert_int_equal(f.cores, all[i].cores);
    Arch *m = machine(h, &f);
    assert_int_equal(m->units, all[i].cores);
    assert_int_equal(m->levels[0].width_default, all[i].threads);
    if (i < 6) assert_int_equal(f.l3_bytes, 32 << 20);
  }
}

/* The list is that of the process: one thread that it is bound to is all there is. */
static void test_the_process_itself(void **state) {
  Host *h = *state;
  cpu_set_t before, one;
  assert_int_equal(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) first++;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
  const char *list = host_affinity(h->a);
  Arch *m = arch_load(h->a, "cpu", h->root, h->d);
  sched_setaffinity(0, sizeof before, &before);
  assert_string_equal(list, arena_printf(h->a, "%d", first));
  assert_non_null(m);
  assert_int_equal(m->units, 1);
  assert_int_equal(m->levels[0].width_default, 1);
  HostFacts all = host_facts(h->a, "", host_affinity(h->a));
  assert_in_range(all.threads, 1, CPU_COUNT(&before)); /* fewer by a quota */
}

/* Who may use so much of their time, in groups of both versions, in a container and outside. */
static void test_quotas(void **state) {
  static const struct { const char *groups, *file[2], *text[2]; int threads, quota;
  } all[] = {
      {"0::/\n", {"cpu.max"}, {"max 100000\n"}, 4, 0},
      {"0::/\n", {"cpu.max"}, {"200000 100000\n"}, 2, 2},
      {"0::/\n", {"cpu.max"}, {"150000 100000\n"}, 2, 2}, /* one and a half are two */
      {"0::/\n", {"cpu.max"}, {"20000 100000\n"}, 1, 1},
      {"0::/\n", {"cpu.max"}, {"1600000 100000\n"}, 4, 16},
      {"0::/\n", {"cpu.max"}, {"200000 50000\n"}, 4, 4},
      {"0::/\n", {"cpu.max"}, {"nonsense\n"}, 4, 0},
      {"0::/\n", {"cpu.max"}, {"200000 0\n"}, 4, 0},
      {NULL, {"cpu.max"}, {"100000 100000\n"}, 1, 1},
      {"0::/a/b\n", {"a/b/cpu.max", "a/cpu.max"}, {"300000 100000\n", "100000 100000\n"}, 1, 1}, /* the one above */
      {"0::/a/b\n", {"a/b/cpu.max", "a/cpu.max"}, {"max 100000\n", "300000 100000\n"}, 3, 3},
      {"0::/a\n", {"other/cpu.max"}, {"100000 100000\n"}, 4, 0},
      {"9:memory:/m\n4:cpu,cpuacct:/a\n0::/\n",
       {"cpu/a/cpu.cfs_quota_us", "cpu/a/cpu.cfs_period_us"},
       {"250000\n", "100000\n"},
       3,
       3},
      {"4:cpuacct,cpu:/of/the/kernel\n",
       {"cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"},
       {"50000\n", "25000\n"},
       2,
       2},
      {"4:cpu:/\n", {"cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"}, {"-1\n", "100000\n"}, 4, 0},
      {"4:cpu:/\n", {"cpu/cpu.cfs_quota_us"}, {"100000\n"}, 4, 0},
      {"4:cpuset:/a\n", {"cpu/a/cpu.cfs_quota_us", "cpu/a/cpu.cfs_period_us"}, {"100000\n", "100000\n"}, 4, 0}};
  Host *h = *state;
  char *root = h->root;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    h->root = arena_printf(h->a, "%s/%zu", root, i);
    mkdir(h->root, 0777);
    put_two_cores(h, avx2);
    if (all[i].groups) put(h, "proc/self/cgroup", all[i].groups);
    for (int k = 0; k < 2 && all[i].file[k]; k++)
      put(h, arena_printf(h->a, "sys/fs/cgroup/%s", all[i].file[k]), all[i].text[k]);
    HostFacts f = host_facts(h->a, h->root, NULL);
    if (f.threads != all[i].threads || f.quota != all[i].quota)
      fail_msg("case %zu: %d threads, quota %d", i, f.threads, f.quota);
    assert_int_equal(f.cores, f.threads < 2 ? 1 : 2);
    Arch *m = machine(h, &f);
    assert_int_equal(m->levels[0].width_default, f.threads);
    const char *said = strstr(m->source, ", by its quota the time of");
    assert_int_equal(said != NULL, f.quota > 0);
  }
  h->root = root;
}

static void test_vectors(void **state) {
  static const struct { const char *flags; HostVectors vectors; } all[] = {
      {x86_64, HOST_SSE2}, {avx2, HOST_AVX2}, {avx512, HOST_AVX512},
      {avx512f, HOST_AVX2},         /* of its parts, some alone */
      {"sse2 avx", HOST_SSE2},      /* whole numbers have 16 bytes */
      {"avx2_not sse22", HOST_NO_VECTORS}};
  Host *h = *state;
  put_online(h, "0");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    put_cpuinfo(h, NULL, &all[i].flags, 1);
    assert_int_equal(host_facts(h->a, h->root, NULL).vectors, all[i].vectors);
  }
  put(h, "proc/cpuinfo", "processor\t: 0\nBogoMIPS\t: 50.00\nFeatures\t: fp asimd evtstrm aes\nCPU part\t: 0xd0c\n\n");
  assert_int_equal(host_facts(h->a, h->root, NULL).vectors, HOST_NEON);
  put(h, "proc/cpuinfo", "processor\t: 0\nhart\t: 0\nisa\t: rv64imafdc\n");
  assert_int_equal(host_facts(h->a, h->root, NULL).vectors, HOST_NO_VECTORS);
}

/* Code that one usable thread cannot run, none is given. */
static void test_cores_that_differ(void **state) {
  Host *h = *state;
  const char *flags[] = {avx512, avx2, avx512};
  put_online(h, "0-2");
  put_cpuinfo(h, "Made Up", flags, 3);
  static const char *const l2[] = {"2048K", "512K", "2048K"}, *const self[] = {"0", "1", "2"};
  for (int i = 0; i < 3; i++) put_cache(h, i, 0, "2", "Unified", l2[i], self[i]);
  HostFacts f = host_facts(h->a, h->root, NULL);
  assert_int_equal(f.vectors, HOST_AVX2);
  assert_int_equal(f.l2_bytes, 512 << 10);
  f = host_facts(h->a, h->root, "0,2");
  assert_int_equal(f.vectors, HOST_AVX512);
  assert_int_equal(f.l2_bytes, 2 << 20);
  assert_int_equal(host_facts(h->a, h->root, "7").vectors, HOST_AVX2); /* numbered anew: the least of all */
}

static void test_several_level_3_caches(void **state) {
  Host *h = *state;
  put_online(h, "0-3");
  static const char *const shared[] = {"0-1", "0-1", "2-3", "2-3"};
  for (int i = 0; i < 4; i++) put_cache(h, i, 3, "3", "Unified", "16M", shared[i]);
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) put_cache(h, i, k, "1", k ? "Instruction" : "Data", "32K", "");
  assert_int_equal(host_facts(h->a, h->root, NULL).l3_bytes, 32 << 20);
  assert_int_equal(host_facts(h->a, h->root, "1,3").l3_bytes, 32 << 20);
  assert_int_equal(host_facts(h->a, h->root, "2-3").l3_bytes, 16 << 20);
}

/* Nothing there, or nothing of sense: a machine all the same, and it says what was assumed. */
static void test_hosts_that_hide(void **state) {
  Host *h = *state;
  HostFacts f = host_facts(h->a, h->root, NULL);
  assert_int_equal(f.threads, 0);
  Arch *m = machine(h, &f);
  assert_int_equal(m->units, 1);
  assert_int_equal(m->vector_width, 4);
  assert_non_null(strstr(m->source, "assumed, since nothing tells them: vectors, threads, level-1 cache, level-2"));
  f = host_facts(h->a, h->root, "0-5"); /* no files, but an affinity */
  assert_int_equal(machine(h, &f)->units, 6);
  put_online(h, "0-1");
  put(h, "proc/cpuinfo", "\xff\xfe:\n:\nflags\nprocessor:\nmodel name : \t@ 2GHz\nflags : ");
  put_cache(h, 0, 0, "1", "Data", "none", "9");
  put_cache(h, 0, 1, "2", "Unified", "-4K", "0-99999999");
  put_cache(h, 1, 0, "1", "Data", "99999999999999999999K", "1");
  f = host_facts(h->a, h->root, NULL);
  assert_null(f.model);
  assert_int_equal(f.threads, 2);
  assert_int_equal(f.l1_bytes, 0);
  assert_int_equal(f.l2_bytes, 0);
  assert_string_equal(machine(h, &f)->title, "CPU of unknown vectors (2 cores)");
  assert_string_equal(machine(h, &f)->tables, "cpu"); /* nothing tells which was measured */
}

/* ---- machines from facts alone ---- */

static void test_machines(void **state) {
  static const struct { HostVectors vectors; int lanes; const char *title; } all[] = {
      {HOST_NO_VECTORS, 4, "CPU of unknown vectors"}, {HOST_SSE2, 4, "x86-64 with SSE2"},
      {HOST_NEON, 4, "Arm with NEON"}, {HOST_AVX2, 8, "x86-64 with AVX2"}, {HOST_AVX512, 16, "x86-64 with AVX-512"}};
  Host *h = *state;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    HostFacts f = {.vectors = all[i].vectors, .threads = 12, .cores = 6, .l1_bytes = 32 << 10, .l2_bytes = 1 << 19,
                   .l3_bytes = 1 << 25};
    Arch *m = machine(h, &f);
    assert_int_equal(m->vector_width, all[i].lanes);
    assert_int_equal(m->vector_bytes, 4 * all[i].lanes);
    assert_int_equal(m->levels[1].width_max, all[i].lanes);
    assert_int_equal(m->levels[1].width_min, all[i].lanes);
    assert_int_equal(m->threads_block, all[i].lanes);
    assert_int_equal(m->threads_unit, 2 * all[i].lanes); /* two threads a core */
    assert_int_equal(m->units, 6);
    assert_int_equal(m->shared_bytes_block, 1 << 19);
    assert_string_equal(m->title, arena_printf(h->a, "%s (6 cores)", all[i].title));
  }
}

static void test_odd_facts(void **state) {
  Host *h = *state;
  HostFacts f = {.model = "An unusually long name of a processor which nobody would put on a box",
                 .vectors = HOST_AVX2, .threads = 8192, .cores = 4096, .l1_bytes = 64 << 10, .l2_bytes = 16 << 10,
                 .l3_bytes = 1};
  Arch *m = machine(h, &f);
  assert_string_equal(m->title, "x86-64 with AVX2 (An unusually long name of a, 4096 cores)");
  assert_int_equal(m->levels[0].width_default, 8192);
  assert_int_equal(m->l2_bytes, 64 << 10);
  assert_int_equal(m->l3_bytes, 64 << 10);
  f = (HostFacts){.threads = 2, .cores = 5}; /* more cores than threads */
  assert_int_equal(machine(h, &f)->units, 2);
}

/* The levels are those of the CPUs that are shipped. */
static void test_levels_are_the_shipped_ones(void **state) {
  static const struct { const char *name; HostVectors vectors; } all[] = {
      {"avx2", HOST_AVX2}, {"avx512", HOST_AVX512}, {"neon", HOST_NEON}};
  Host *h = *state;
  const char *source = getenv("TGC_SOURCE_DIR");
  for (int i = 0; i < 3; i++) {
    Arch *shipped = arch_load(h->a, all[i].name, arena_printf(h->a, "%s/archspec", source ? source : "."), h->d);
    assert_non_null(shipped);
    HostFacts f = {.vectors = all[i].vectors, .threads = (int)shipped->levels[0].width_default,
                   .cores = (int)shipped->units, .l1_bytes = shipped->l1_bytes, .l2_bytes = shipped->l2_bytes,
                   .l3_bytes = shipped->l3_bytes};
    Arch *m = machine(h, &f);
    assert_int_equal(m->nlevels, shipped->nlevels);
    for (int k = 0; k < m->nlevels; k++) {
      const Level *x = &m->levels[k], *y = &shipped->levels[k];
      assert_string_equal(x->name, y->name);
      assert_string_equal(x->letter, y->letter);
      assert_int_equal(x->capability, y->capability);
      assert_int_equal(x->real, y->real);
      assert_int_equal(x->prefer, y->prefer);
      assert_int_equal(x->nsync, y->nsync);
      if (x->nsync) assert_string_equal(x->sync[0].name, y->sync[0].name);
      assert_int_equal(x->width_min, y->width_min);
      assert_int_equal(x->width_max, y->width_max);
      assert_int_equal(x->width_default, y->width_default);
      assert_int_equal(x->width_multiple, y->width_multiple);
    }
    assert_memory_equal(&m->can, &shipped->can, sizeof m->can);
    assert_int_equal(m->threads_unit, shipped->threads_unit);
    assert_int_equal(m->shared_bytes_block, shipped->shared_bytes_block);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(test_a_host),
                                     TEST(test_gathers),
                                     TEST(test_affinity),
                                     TEST(test_the_process_itself),
                                     TEST(test_quotas),
                                     TEST(test_vectors),
                                     TEST(test_cores_that_differ),
                                     TEST(test_several_level_3_caches),
                                     TEST(test_hosts_that_hide),
                                     TEST(test_machines),
                                     TEST(test_odd_facts),
                                     TEST(test_levels_are_the_shipped_ones)};
  return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}
