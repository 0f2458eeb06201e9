/* explain_test.c: tgc explain, on a folder whose manifest is printed from an example. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/driver.h"
#include "example_output.h"

typedef struct Place {
  Arena *a;
  char *dir;
  const char *out, *err; /* what the last call printed */
} Place;

static const char *in_dir(Place *p, const char *name) { return arena_printf(p->a, "%s/%s", p->dir, name); }

static void put_text(Place *p, const char *name, const char *text) {
  FILE *f = fopen(in_dir(p, name), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static const char *read_text(Place *p, const char *name) {
  SourceFile *f = source_read(p->a, in_dir(p, name));
  assert_non_null(f);
  return f->text;
}

static int set_up(void **state) {
  Arena *a = arena_new();
  Place *p = arena_one(a, Place);
  p->a = a;
  p->dir = arena_strdup(a, "/tmp/tgc-explain-XXXXXX");
  if (!mkdtemp(p->dir)) return -1;
  Buffer b = buffer_new(a);
  emit_manifest(&b, example_output(a));
  put_text(p, "manifest.json", b.text);
  *state = p;
  return 0;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *f) {
  (void)s;
  (void)kind;
  (void)f;
  return remove(path);
}

static int tear_down(void **state) {
  Place *p = *state;
  nftw(p->dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  arena_free(p->a);
  return 0;
}

/* Sends a stream to a file; gives back the descriptor to restore. */
static int redirect(FILE *stream, const char *path) {
  fflush(stream);
  int saved = dup(fileno(stream)), fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  assert_true(saved >= 0 && fd >= 0);
  dup2(fd, fileno(stream));
  close(fd);
  return saved;
}

static void restore(FILE *stream, int saved) {
  fflush(stream);
  clearerr(stream);
  dup2(saved, fileno(stream));
  close(saved);
}

static int explain_into(Place *p, const char *out, int n, const char **words) {
  char *argv[8] = {(char *)"tgc", (char *)"explain"};
  for (int i = 0; i < n; i++) argv[2 + i] = (char *)words[i];
  int saved_out = redirect(stdout, out), saved_err = redirect(stderr, in_dir(p, "err"));
  int status = driver_main(2 + n, argv);
  restore(stdout, saved_out);
  restore(stderr, saved_err);
  p->err = read_text(p, "err");
  return status;
}

static int explain(Place *p, int n, const char **words) {
  int status = explain_into(p, in_dir(p, "printed"), n, words);
  p->out = read_text(p, "printed");
  return status;
}

#define EXPLAIN(p, ...) \
  explain(p, sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *[]){__VA_ARGS__})

static void assert_has(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("`%s' is not in:\n%s", part, text);
}

/* The manifest with the first `from` replaced. */
static void edit(Place *p, const char *from, const char *to) {
  const char *text = read_text(p, "manifest.json"), *at = strstr(text, from);
  assert_non_null(at);
  put_text(p, "manifest.json", arena_printf(p->a, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)));
}

static void tells_all_of_a_variant(void **state) {
  Place *p = *state;
  assert_int_equal(EXPLAIN(p, "aa33cc44", p->dir), 0);
  assert_string_equal(p->err, "");
  assert_has(p->out, "sum, variant aa33cc44 (m): shuffle\nfrom sum.cdl for sm_60; types int, double\n"
                     "chosen for 4097 elements and more\n");
  assert_has(p->out, "\nplan\n  grid.tiled!atomic(block.tree+shuffle)\n");
  assert_has(p->out, "\nchoices\n  grid   tiled  map              distributed over the blocks\n"
                     "  grid   tiled  combination      atomics, as results come\n"
                     "  grid   tiled  synchronisation  terminate/launch\n"
                     "  block  tree   exchange         shuffles\n");
  assert_has(p->out, "\nkernels\n  sum_block  256 threads per block\n");
  assert_has(p->out,
             "\nmemory\n  shared     sum_block, per block: 4 bytes (int), 8 bytes (double)\n  workspace  none\n");
  assert_has(p->out, "  atomics    1 add on shared memory, block scope; 2 add on global memory, device scope\n"
                     "  shuffles   1\n  barriers   0 per block, 1 per warp\n");
  assert_has(p->out, "\ndeterminism\n  not_guaranteed: atomics on floating elements come in any order\n");
  assert_has(p->out, "\ncodelets\n  tiled  compound     sum.cdl:4\n  tree   cooperative  sum.cdl:3\n");
  assert_has(p->out, "\ntunables\n  threads = 256, compiled  lanes of a block: 32 to 1024, a multiple of 32\n");
  assert_has(p->out, arena_printf(p->a, "\ntext\n  %s/variants/aa33cc44.cu\n  sum_aa33cc44_int\n", p->dir));
}

/* A CPU's threads have the parts of blocks. */
static void tells_of_a_cpu_in_its_words(void **state) {
  Place *p = *state;
  edit(p, "\"family\": \"cuda\"", "\"family\": \"cpu\"");
  assert_int_equal(EXPLAIN(p, "aa33cc44", p->dir), 0);
  assert_has(p->out, "\nkernels\n  sum_block  256 lanes per thread\n");
  assert_has(p->out, "\nmemory\n  private    sum_block, per thread: 4 bytes (int), 8 bytes (double)\n");
  assert_has(p->out,
             "  private    1 add to a thread's accumulator, by its lanes in turn\n  atomics    2 add by several threads\n"
             "  shuffles   1 of a vector's lanes\n");
}

static void tells_a_workspace(void **state) {
  Place *p = *state;
  assert_int_equal(EXPLAIN(p, "aa11bb22", p->dir), 0);
  assert_has(p->out, "sum, variant aa11bb22: baseline\n");
  assert_has(p->out, "chosen for 0 to 4096 elements\n");
  assert_has(p->out, "workspace  16 + blocks * sizeof(T) bytes\n");
  assert_has(p->out, "  sum_one_block  256 threads per block; One block acts for the grid.\n");
  assert_has(p->out, "  atomics    none\n");
}

static void takes_letters_and_beginnings(void **state) {
  Place *p = *state;
  assert_int_equal(EXPLAIN(p, "m", p->dir), 0);
  assert_has(p->out, "variant aa33cc44");
  assert_int_equal(EXPLAIN(p, "aa1", p->dir), 0);
  assert_has(p->out, "variant aa11bb22");
  assert_int_equal(EXPLAIN(p, "aa", p->dir), 1);
  assert_has(p->err, "`aa' is ambiguous: the ids of 2 variants begin with it\nhint: aa11bb22, aa33cc44\n");
  assert_string_equal(p->out, "");
}

static void a_whole_id_wins(void **state) {
  Place *p = *state;
  edit(p, "\"id\": \"aa33cc44\"", "\"id\": \"aa11bb2233\"");
  assert_int_equal(EXPLAIN(p, "aa11bb22", p->dir), 0);
  assert_has(p->out, "variant aa11bb22:");
  assert_int_equal(EXPLAIN(p, "aa11bb2", p->dir), 1);
}

static void groups_types_of_a_size(void **state) {
  Place *p = *state;
  edit(p, "\"double\": 8", "\"double\": 4");
  assert_int_equal(EXPLAIN(p, "m", p->dir), 0);
  assert_has(p->out, "per block: 4 bytes (int, double)\n");
}

static void names_the_nearest(void **state) {
  Place *p = *state;
  assert_int_equal(EXPLAIN(p, "aa33cc45", p->dir), 1);
  assert_has(p->err, "has no variant `aa33cc45'\nhint: did you mean `aa33cc44'?\n");
  assert_int_equal(EXPLAIN(p, "zzzz", p->dir), 1);
  assert_has(p->err, "hint: its variants: aa");
}

static void reports_the_manifest(void **state) {
  Place *p = *state;
  put_text(p, "manifest.json", "{\"version\": 1,\n \"generator\": tgc}\n");
  assert_int_equal(EXPLAIN(p, "m", p->dir), 1);
  assert_has(p->err, "manifest.json:2:");
  assert_has(p->err, "is no JSON");
  unlink(in_dir(p, "manifest.json"));
  assert_int_equal(EXPLAIN(p, "m", p->dir), 1);
  assert_has(p->err, "cannot read `");
  assert_has(p->err, "No such file or directory");
}

static void looks_in_out(void **state) {
  Place *p = *state;
  assert_int_equal(mkdir(in_dir(p, "out"), 0755), 0);
  assert_int_equal(rename(in_dir(p, "manifest.json"), in_dir(p, "out/manifest.json")), 0);
  char here[4096];
  assert_non_null(getcwd(here, sizeof here));
  assert_int_equal(chdir(p->dir), 0);
  int status = EXPLAIN(p, "m"), with_slash = EXPLAIN(p, "m", "out//");
  assert_int_equal(chdir(here), 0);
  assert_int_equal(status, 0);
  assert_int_equal(with_slash, 0);
  assert_has(p->out, "\n  out/variants/aa33cc44.cu\n");
}

static void tells_misuse(void **state) {
  Place *p = *state;
  assert_int_equal(explain(p, 0, NULL), 2);
  assert_has(p->err, "tgc: error: no variant given");
  assert_int_equal(EXPLAIN(p, "m", p->dir, "more"), 2);
  assert_has(p->err, "too many arguments: `more'");
  assert_int_equal(EXPLAIN(p, "m", "--dott"), 2);
  assert_has(p->err, "unknown option `--dott'");
  assert_int_equal(EXPLAIN(p, "m", "--svg"), 2);
  assert_int_equal(EXPLAIN(p, "m", "--svg="), 2);
  assert_int_equal(EXPLAIN(p, "m", "--svg", "a", "--svg=b"), 2);
  assert_int_equal(EXPLAIN(p, "m", ""), 2);
  assert_int_equal(EXPLAIN(p, "--help"), 0);
  assert_has(p->out, "--svg FILE");
}

static void passes_no_control_characters(void **state) {
  Place *p = *state;
  edit(p, "atomics on floating", "\\u001b[2Jatomics on floating");
  assert_int_equal(EXPLAIN(p, "m", p->dir), 0);
  assert_has(p->out, "?[2Jatomics on floating");
}

static void notices_a_full_disk(void **state) {
  Place *p = *state;
  if (access("/dev/full", W_OK) != 0) skip();
  assert_int_equal(explain_into(p, "/dev/full", 2, (const char *[]){"m", p->dir}), 1);
  assert_has(p->err, "cannot write to standard output");
}

/* ---- pictures ---- */

static void prints_dot(void **state) {
  Place *p = *state;
  assert_int_equal(EXPLAIN(p, "m", p->dir, "--dot"), 0);
  assert_has(p->out, "digraph");
  assert_null(strstr(p->out, "determinism"));
}

static void prints_the_nest(void **state) {
  Place *p = *state;
  assert_int_equal(EXPLAIN(p, "m", p->dir, "--nest"), 0);
  assert_string_equal(p->out, "plan grid.tiled\n  kernel blocks, blocks 4\n");
  edit(p, "\"nest\": [", "\"older\": [");
  edit(p, "\"nest\": [", "\"older\": [");
  assert_int_equal(EXPLAIN(p, "m", p->dir, "--nest"), 0);
  assert_string_equal(p->out, "");
}

/* A `dot' of our own in front of the PATH, or a PATH without any. */
static void with_path(Place *p, const char *script) {
  if (script) {
    put_text(p, "dot", script);
    chmod(in_dir(p, "dot"), 0755);
  }
  setenv("PATH", script ? arena_printf(p->a, "%s:/usr/bin:/bin", p->dir) : "/nowhere", 1);
}

static void draws(void **state) {
  Place *p = *state;
  const char *path = arena_strdup(p->a, getenv("PATH")), *svg = in_dir(p, "plan.svg");
  with_path(p, "#!/bin/sh\ncat >\"$3\"\necho \"$1\" >>\"$3\"\n");
  assert_int_equal(EXPLAIN(p, "m", p->dir, "--svg", svg), 0);
  assert_string_equal(p->out, "");
  assert_has(read_text(p, "plan.svg"), "digraph");
  assert_has(read_text(p, "plan.svg"), "-Tsvg\n");
  with_path(p, "#!/bin/sh\necho half >\"$3\"\nexit 3\n");
  assert_int_equal(EXPLAIN(p, "m", p->dir, "--svg", svg), 1);
  assert_has(p->err, "did not draw");
  assert_has(read_text(p, "plan.svg"), "digraph"); /* the one before is whole */
  with_path(p, NULL);
  assert_int_equal(EXPLAIN(p, "m", p->dir, arena_printf(p->a, "--svg=%s", in_dir(p, "other.svg"))), 1);
  assert_has(p->err, "needs Graphviz");
  assert_int_not_equal(access(in_dir(p, "other.svg"), F_OK), 0);
  assert_int_equal(EXPLAIN(p, "m", p->dir, "--svg", in_dir(p, "none/plan.svg")), 1);
  assert_has(p->err, "cannot write `");
  setenv("PATH", path, 1);
  DIR *d = opendir(p->dir);
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d));) assert_null(strstr(e->d_name, ".tgc-")); /* nothing half done is left */
  closedir(d);
}

int main(void) {
  signal(SIGPIPE, SIG_IGN); /* as main does */
#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
  const struct CMUnitTest tests[] = {
    WITH_PLACE(tells_all_of_a_variant), WITH_PLACE(tells_a_workspace), WITH_PLACE(takes_letters_and_beginnings),
    WITH_PLACE(a_whole_id_wins),        WITH_PLACE(groups_types_of_a_size), WITH_PLACE(names_the_nearest),
    WITH_PLACE(reports_the_manifest), WITH_PLACE(looks_in_out), WITH_PLACE(tells_of_a_cpu_in_its_words),
    WITH_PLACE(tells_misuse),           WITH_PLACE(passes_no_control_characters), WITH_PLACE(notices_a_full_disk),
    WITH_PLACE(prints_dot),             WITH_PLACE(draws),
    WITH_PLACE(prints_the_nest),             WITH_PLACE(draws),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
