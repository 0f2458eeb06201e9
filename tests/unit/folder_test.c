/* folder_test.c: the output folder is written whole or not at all, and what is not ours stays. */
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
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "emit/emit.h"

#define MANIFEST(files) "{\"version\": 1, \"generator\": \"tgc\", \"variants\": [" files "]}\n"

typedef struct Place {
  Arena *a;
  char *root;     /* a fresh folder */
  const char *out; /* root/out, not there yet */
  Diagnostics *d;
} Place;

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *f) {
  (void)s;
  (void)kind;
  (void)f;
  return remove(path);
}

static int set_up(void **state) {
  Arena *a = arena_new();
  Place *p = arena_one(a, Place);
  p->a = a;
  p->root = arena_strdup(a, "/tmp/tgc-folder-XXXXXX");
  if (!mkdtemp(p->root)) return -1;
  p->out = arena_printf(a, "%s/out", p->root);
  p->d = diagnostics_new(a);
  *state = p;
  return 0;
}

static int tear_down(void **state) {
  Place *p = *state;
  nftw(p->root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  arena_free(p->a);
  return 0;
}

static const char *in_out(Place *p, const char *name) { return arena_printf(p->a, "%s/%s", p->out, name); }

static void put_text(Place *p, const char *name, const char *text) {
  FILE *f = fopen(in_out(p, name), "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static void assert_text(Place *p, const char *name, const char *text) {
  SourceFile *f = source_read(p->a, in_out(p, name));
  if (!f) fail_msg("%s is not there", name);
  assert_string_equal(f->text, text);
}

static bool there(const char *path) {
  struct stat s;
  return lstat(path, &s) == 0;
}

/* How many names a folder holds. */
static int names_in(const char *dir) {
  DIR *d = opendir(dir);
  assert_non_null(d);
  int n = 0;
  while (readdir(d)) n++;
  closedir(d);
  return n - 2;
}

static OutputFile file(const char *path, const char *text) { return (OutputFile){.path = path, text, strlen(text)}; }

static bool write_three(Place *p, const char *header, const char *variant) {
  OutputFile files[] = {
    file("sum.h", header), file("variants/aa.cu", variant),
    file("manifest.json", MANIFEST("{\"file\": \"variants/aa.cu\"}"))};
  return folder_write(p->a, p->out, files, 3, p->d);
}

static void assert_refused(Place *p, bool ok, const char *said) {
  assert_false(ok);
  assert_true(p->d->errors >= 1);
  const char *message = p->d->list.at[p->d->list.n - 1].message;
  if (!strstr(message, said)) fail_msg("said `%s', not `%s'", message, said);
}

/* ---- it goes well ---- */

static void makes_the_folder_and_those_above(void **state) {
  Place *p = *state;
  p->out = arena_printf(p->a, "%s/a/b/out", p->root);
  assert_true(write_three(p, "head", "text"));
  assert_text(p, "sum.h", "head");
  assert_text(p, "variants/aa.cu", "text");
  assert_int_equal(names_in(p->out), 3);
  assert_int_equal(names_in(arena_printf(p->a, "%s/a/b", p->root)), 1); /* nothing is left beside it */
  struct stat s;
  mode_t mask = umask(0);
  umask(mask);
  assert_int_equal(stat(in_out(p, "sum.h"), &s), 0);
  assert_int_equal(s.st_mode & 0777, 0666 & ~mask);
}

static void takes_a_trailing_slash(void **state) {
  Place *p = *state;
  const char *plain = p->out;
  p->out = arena_printf(p->a, "%s//./", plain);
  assert_true(write_three(p, "head", "text"));
  p->out = plain;
  assert_text(p, "sum.h", "head");
}

static void writes_into_an_empty_folder(void **state) {
  Place *p = *state;
  assert_int_equal(mkdir(p->out, 0755), 0);
  assert_true(write_three(p, "head", "text"));
  assert_int_equal(names_in(p->out), 3);
}

static void leaves_the_same_text_alone(void **state) {
  Place *p = *state;
  assert_true(write_three(p, "head", "text"));
  struct timespec old[2] = {{1000000000, 0}, {1000000000, 0}};
  utimensat(AT_FDCWD, in_out(p, "sum.h"), old, 0);
  utimensat(AT_FDCWD, in_out(p, "variants/aa.cu"), old, 0);
  utimensat(AT_FDCWD, p->out, old, 0);
  assert_true(write_three(p, "head", "text"));
  struct stat s;
  stat(p->out, &s);
  assert_int_equal(s.st_mtime, 1000000000); /* nothing to do: nothing done */
  assert_true(write_three(p, "head", "texT"));
  stat(in_out(p, "sum.h"), &s);
  assert_int_equal(s.st_mtime, 1000000000);
  stat(in_out(p, "variants/aa.cu"), &s);
  assert_true(s.st_mtime > 1000000000);
  assert_text(p, "variants/aa.cu", "texT");
  assert_int_equal(names_in(p->out), 3);
}

static void keeps_what_is_the_users(void **state) {
  Place *p = *state;
  assert_true(write_three(p, "head", "text"));
  put_text(p, "notes.txt", "mine");
  put_text(p, "variants/mine.cu", "mine too");
  OutputFile files[] = {file("sum.h", "head 2"), file("variants/bb.cu", "other"),
                        file("manifest.json", MANIFEST("{\"file\": \"variants/bb.cu\"}"))};
  assert_true(folder_write(p->a, p->out, files, 3, p->d));
  assert_text(p, "sum.h", "head 2");
  assert_text(p, "notes.txt", "mine");
  assert_text(p, "variants/mine.cu", "mine too");
  assert_text(p, "variants/bb.cu", "other");
  assert_false(there(in_out(p, "variants/aa.cu"))); /* of an earlier run, no longer made */
  assert_int_equal(names_in(p->out), 4);
}

static void removes_nothing_outside_variants(void **state) {
  Place *p = *state;
  assert_true(write_three(p, "head", "text"));
  put_text(p, "keep.txt", "mine");
  put_text(p, "../beside.cu", "mine");
  put_text(p, "manifest.json",
           MANIFEST("{\"file\": \"keep.txt\"}, {\"file\": \"variants/../keep.txt\"}, {\"file\": \"variants/..\"},"
                                        "{\"file\": \"../beside.cu\"}, {\"file\": 3}, 4"));
  assert_true(write_three(p, "head", "text"));
  assert_text(p, "keep.txt", "mine");
  assert_text(p, "../beside.cu", "mine");
}

/* The number of a process that has ended. */
static long dead_pid(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  assert_true(child > 0);
  assert_int_equal(waitpid(child, NULL, 0), child);
  return (long)child;
}

static const char *stage_of(Place *p, long pid, const char *below) {
  return arena_printf(p->a, ".tgc-%ld-0%s", pid, below);
}

static void sweeps_up_after_killed_runs(void **state) {
  Place *p = *state;
  assert_true(write_three(p, "head", "text"));
  const long dead = dead_pid();
  assert_int_equal(mkdir(in_out(p, stage_of(p, dead, "")), 0755), 0);
  put_text(p, stage_of(p, dead, "/left"), "x");
  assert_int_equal(mkdir(in_out(p, ".tgc-1-0"), 0755), 0); /* of a process that lives */
  const char *const users[] = {".tgc-notes", ".tgc-", stage_of(p, dead, "-notes"), stage_of(p, dead, ".old"),
                               arena_printf(p->a, ".tgc-%ld", dead)};
  for (size_t i = 0; i < sizeof users / sizeof *users; i++)
    assert_int_equal(mkdir(in_out(p, users[i]), 0755), 0);
  assert_true(write_three(p, "head", "other"));
  assert_false(there(in_out(p, stage_of(p, dead, ""))));
  assert_true(there(in_out(p, ".tgc-1-0")));
  for (size_t i = 0; i < sizeof users / sizeof *users; i++)
    if (!there(in_out(p, users[i]))) fail_msg("%s is gone", users[i]);
}

static void an_interrupted_first_run_may_be_repeated(void **state) {
  Place *p = *state;
  assert_int_equal(mkdir(p->out, 0755), 0);
  assert_int_equal(mkdir(in_out(p, ".tgc-1-0"), 0755), 0); /* all that the folder holds */
  assert_true(write_three(p, "head", "text"));
  const char *beside = arena_printf(p->a, "../.out%s", stage_of(p, dead_pid(), ""));
  assert_int_equal(mkdir(in_out(p, beside), 0755), 0);
  assert_true(write_three(p, "head", "other"));
  assert_false(there(in_out(p, beside)));
}

static void notes_alone_are_the_users(void **state) {
  Place *p = *state;
  assert_int_equal(mkdir(p->out, 0755), 0);
  put_text(p, ".tgc-notes", "mine");
  assert_refused(p, write_three(p, "head", "text"), "holds files that tgc did not make");
}

/* The machine stopped between two renames: what the journal tells is undone before anything else. */
static void undoes_what_a_machine_left_half_done(void **state) {
  Place *p = *state;
  assert_true(write_three(p, "head", "text"));
  struct stat before, after;
  assert_int_equal(stat(in_out(p, "manifest.json"), &before), 0);
  const long dead = dead_pid();
  assert_int_equal(mkdir(in_out(p, stage_of(p, dead, "")), 0755), 0);
  assert_int_equal(mkdir(in_out(p, stage_of(p, dead, "/old")), 0755), 0);
  assert_int_equal(mkdir(in_out(p, stage_of(p, dead, "/new")), 0755), 0);
  put_text(p, stage_of(p, dead, "/moves"),
           "old/0\tmanifest.json\nold/1\tsum.h\nnew/sum.h\tsum.h\nnew/added.h\tadded.h\nnew/later.h\tlater.h\n"
           "new/manifest.json\tmanifest.json\nold/9\t../victim\nnew/x\t../victim\nnew/../../../victim\tsum.h\n"
           "/new\t/\nnew/y\nold/\t\n\t\n");
  put_text(p, "../victim", "mine");
  put_text(p, stage_of(p, dead, "/old/9"), "evil");
  assert_int_equal(rename(in_out(p, "manifest.json"), in_out(p, stage_of(p, dead, "/old/0"))), 0);
  assert_int_equal(rename(in_out(p, "sum.h"), in_out(p, stage_of(p, dead, "/old/1"))), 0);
  put_text(p, "sum.h", "half");
  put_text(p, "added.h", "half");
  put_text(p, "later.h", "the user's"); /* not moved in yet: the name was free, and the user took it */
  put_text(p, stage_of(p, dead, "/new/later.h"), "half");
  put_text(p, stage_of(p, dead, "/new/manifest.json"), "half");
  assert_true(write_three(p, "head", "text"));
  assert_int_equal(stat(in_out(p, "manifest.json"), &after), 0);
  assert_int_equal(before.st_ino, after.st_ino); /* the old file came back, and is what it should be */
  assert_text(p, "sum.h", "head");
  assert_text(p, "later.h", "the user's");
  assert_text(p, "../victim", "mine");
  assert_false(there(in_out(p, "added.h")));
  assert_false(there(in_out(p, stage_of(p, dead, ""))));
}

/* ---- two processes, and killed ones ---- */

enum { MANY = 8 };

/* A generation of files: each holds the same letter, and the variant that it alone has. */
static bool write_generation(Place *p, char letter) {
  OutputFile files[MANY];
  char *text = arena_printf(p->a, "%c", letter), *own = arena_printf(p->a, "variants/v%c.cu", letter);
  for (int i = 0; i < MANY - 2; i++) files[i] = file(arena_printf(p->a, "variants/f%d.cu", i), text);
  files[MANY - 2] = file(own, text);
  Buffer manifest = buffer_new(p->a);
  for (int i = 0; i < MANY - 1; i++) buffer_printf(&manifest, "%s{\"file\": \"%s\"}", i ? ", " : "", files[i].path);
  files[MANY - 1] = file("manifest.json", arena_printf(p->a, MANIFEST("%s"), manifest.text));
  return folder_write(p->a, p->out, files, MANY, p->d);
}

/* Which generation the folder has, when nobody is moving files: all of it, and nothing of another. */
static char generation(Place *p) {
  int lock = open(p->out, O_RDONLY | O_DIRECTORY);
  assert_true(lock >= 0);
  assert_int_equal(flock(lock, LOCK_SH), 0);
  SourceFile *first = source_read(p->a, in_out(p, "variants/f0.cu"));
  if (!first) fail_msg("the first file is not there");
  const char letter = first->text[0], *manifest = source_read(p->a, in_out(p, "manifest.json"))->text;
  for (int i = 0; i < MANY - 2; i++)
    assert_text(p, arena_printf(p->a, "variants/f%d.cu", i), arena_printf(p->a, "%c", letter));
  assert_non_null(strstr(manifest, arena_printf(p->a, "variants/v%c.cu", letter)));
  assert_true(there(in_out(p, arena_printf(p->a, "variants/v%c.cu", letter))));
  assert_int_equal(names_in(in_out(p, "variants")), MANY - 1);
  close(lock);
  return letter;
}

static pid_t writer(Place *p, const char *letters, int rounds) {
  pid_t child = fork();
  if (child != 0) return child;
  setpgid(0, 0);
  signal(SIGINT, SIG_DFL); /* a shell's background jobs ignore it, and their children with them */
  bool ok = true;
  for (int i = 0; ok && (rounds == 0 || i < rounds); i++) ok = write_generation(p, letters[i % (int)strlen(letters)]);
  _exit(ok ? 0 : 1);
}

static void a_killed_writer_leaves_old_or_new(void **state) {
  Place *p = *state;
  enum { ROUNDS = 40 };
  static const int signals[] = {SIGKILL, SIGTERM, SIGINT};
  assert_true(write_generation(p, 'a'));
  put_text(p, ".tgc-notes", "mine");
  put_text(p, "notes.txt", "mine");
  assert_int_equal(mkdir(in_out(p, "mine"), 0755), 0);
  put_text(p, "mine/file", "mine");
  int seen[2] = {0, 0};
  srand(1);
  for (int i = 0; i < ROUNDS; i++) {
    pid_t child = writer(p, "ba", 0);
    assert_true(child > 0);
    setpgid(child, child);
    usleep((useconds_t)(rand() % 120000));
    assert_int_equal(kill(-child, signals[i % 3]), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    char letter = generation(p);
    assert_true(letter == 'a' || letter == 'b');
    seen[letter - 'a']++;
  }
  assert_true(seen[0] > 0 && seen[1] > 0);
  assert_true(write_generation(p, 'c')); /* the next run ends what they left */
  assert_int_equal(generation(p), 'c');
  assert_text(p, ".tgc-notes", "mine");
  assert_text(p, "notes.txt", "mine");
  assert_text(p, "mine/file", "mine");
  assert_int_equal(names_in(p->out), 5); /* and variants, manifest.json */
  assert_int_equal(names_in(p->root), 1);
}

static void two_writers_wait_for_each_other(void **state) {
  Place *p = *state;
  enum { ROUNDS = 20 };
  pid_t one = writer(p, "ab", ROUNDS), other = writer(p, "cd", ROUNDS); /* the folder is made by one of them */
  int status[2];
  waitpid(one, &status[0], 0);
  waitpid(other, &status[1], 0);
  assert_int_equal(status[0], 0);
  assert_int_equal(status[1], 0);
  generation(p);
  assert_int_equal(names_in(p->out), 2);
  assert_int_equal(names_in(p->root), 1);
}

/* ---- it is refused ---- */

static void refuses_a_folder_that_is_not_ours(void **state) {
  Place *p = *state;
  assert_int_equal(mkdir(p->out, 0755), 0);
  put_text(p, "thesis.tex", "years of work");
  assert_refused(p, write_three(p, "head", "text"), "holds files that tgc did not make");
  assert_non_null(p->d->list.at[0].hint);
  static const char *const others[] = {"{\"name\": \"web app\"}", "{ no json", "[]", "{\"generator\": 3}"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    put_text(p, "manifest.json", others[i]);
    p->d = diagnostics_new(p->a);
    assert_refused(p, write_three(p, "head", "text"), "is not a manifest of tgc");
    assert_text(p, "manifest.json", others[i]);
  }
  assert_int_equal(names_in(p->out), 2);
}

static void refuses_what_stands_in_the_way(void **state) {
  Place *p = *state;
  const char *out = p->out;
  p->out = p->root;
  put_text(p, "out", "a file");
  p->out = out;
  assert_refused(p, write_three(p, "head", "text"), "is a file, not a folder");
  p->out = arena_printf(p->a, "%s/deeper", out);
  assert_refused(p, write_three(p, "head", "text"), "Not a directory");
  p->out = out;
  unlink(p->out);
  assert_int_equal(symlink("nowhere", p->out), 0);
  assert_refused(p, write_three(p, "head", "text"), "symbolic link to nothing");
  unlink(p->out);
  assert_refused(p, folder_write(p->a, "", NULL, 0, p->d), "no name");
  assert_refused(p, folder_write(p->a, "/proc/none/out", NULL, 0, p->d), "cannot make the folder");
}

static void refuses_links_and_folders_inside(void **state) {
  Place *p = *state;
  assert_true(write_three(p, "head", "text"));
  put_text(p, "precious", "far away");
  unlink(in_out(p, "sum.h"));
  assert_int_equal(symlink("precious", in_out(p, "sum.h")), 0);
  assert_refused(p, write_three(p, "new", "new"), "is a symbolic link");
  assert_text(p, "precious", "far away");
  assert_text(p, "variants/aa.cu", "text");
  unlink(in_out(p, "sum.h"));
  assert_int_equal(mkdir(in_out(p, "sum.h"), 0755), 0);
  assert_refused(p, write_three(p, "new", "new"), "is in the way");
  assert_text(p, "variants/aa.cu", "text");
  rmdir(in_out(p, "sum.h"));
  nftw(in_out(p, "variants"), remove_one, 16, FTW_DEPTH | FTW_PHYS);
  assert_int_equal(symlink("/tmp", in_out(p, "variants")), 0);
  assert_refused(p, write_three(p, "new", "new"), "is a symbolic link");
}

static void follows_a_link_to_the_folder(void **state) {
  Place *p = *state;
  assert_int_equal(mkdir(arena_printf(p->a, "%s/real", p->root), 0755), 0);
  assert_int_equal(symlink("real", p->out), 0);
  assert_true(write_three(p, "head", "text"));
  assert_true(there(arena_printf(p->a, "%s/real/sum.h", p->root)));
}

/* ---- it fails midway ---- */

static const char *much(Place *p) {
  char *text = arena_alloc(p->a, 200001);
  memset(text, 'x', 200000);
  return text;
}

/* No file may grow beyond 100 kB: write fails as it does on a full disk. */
static struct rlimit limit_files(void) {
  struct rlimit before, small;
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &before);
  small = before;
  small.rlim_cur = 100000;
  setrlimit(RLIMIT_FSIZE, &small);
  return before;
}

static void leaves_nothing_when_the_disk_is_full(void **state) {
  Place *p = *state;
  p->out = arena_printf(p->a, "%s/a/b/out", p->root);
  const char *text = much(p);
  struct rlimit before = limit_files();
  bool ok = write_three(p, "head", text);
  setrlimit(RLIMIT_FSIZE, &before);
  assert_refused(p, ok, "a/b/out/variants/aa.cu': File too large");
  assert_int_equal(names_in(p->root), 0);
}

static void leaves_what_was_there_when_the_disk_is_full(void **state) {
  Place *p = *state;
  assert_true(write_three(p, "head", "text"));
  const char *text = much(p);
  struct rlimit before = limit_files();
  bool ok = write_three(p, "new", text);
  setrlimit(RLIMIT_FSIZE, &before);
  assert_refused(p, ok, "variants/aa.cu': File too large");
  assert_text(p, "sum.h", "head");
  assert_text(p, "variants/aa.cu", "text");
  assert_int_equal(names_in(p->out), 3);
}

/* The last file of all cannot be moved in: those before it go back. */
static void puts_back_what_was_moved(void **state) {
  Place *p = *state;
  assert_true(write_three(p, "head", "text"));
  put_text(p, "sum.cu", "user's");
  assert_int_equal(chmod(in_out(p, "variants"), 0555), 0);
  OutputFile files[] = {file("sum.h", "new"), file("check/reference.cc", "new"), file("variants/aa.cu", "new"),
                        file("manifest.json", MANIFEST("{\"file\": \"variants/aa.cu\"}"))};
  bool ok = folder_write(p->a, p->out, files, 4, p->d);
  chmod(in_out(p, "variants"), 0755);
  assert_refused(p, ok, "cannot replace");
  assert_text(p, "sum.h", "head");
  assert_text(p, "sum.cu", "user's");
  assert_text(p, "variants/aa.cu", "text");
  assert_false(there(in_out(p, "check")));
  assert_int_equal(names_in(p->out), 4);
}

static void says_so_when_it_may_not_write(void **state) {
  Place *p = *state;
  assert_int_equal(chmod(p->root, 0555), 0);
  bool ok = write_three(p, "head", "text");
  chmod(p->root, 0755);
  assert_refused(p, ok, "Permission denied");
  assert_int_equal(names_in(p->root), 0);
  assert_true(write_three(p, "head", "text"));
  assert_int_equal(chmod(p->out, 0555), 0);
  bool same = write_three(p, "head", "text"), other = write_three(p, "head 2", "text");
  chmod(p->out, 0755);
  assert_true(same); /* nothing to write */
  assert_refused(p, other, "Permission denied");
  assert_text(p, "sum.h", "head");
}

int main(void) {
  /* The superuser may write everywhere: as anyone else the tests of what is forbidden mean something. */
  uid_t self = geteuid();
  if (self == 0 && seteuid(65534) != 0) return 1;
#define WITH_PLACE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
  const struct CMUnitTest tests[] = {
    WITH_PLACE(makes_the_folder_and_those_above), WITH_PLACE(takes_a_trailing_slash),
    WITH_PLACE(writes_into_an_empty_folder),      WITH_PLACE(leaves_the_same_text_alone),
    WITH_PLACE(keeps_what_is_the_users),          WITH_PLACE(removes_nothing_outside_variants),
    WITH_PLACE(sweeps_up_after_killed_runs),      WITH_PLACE(an_interrupted_first_run_may_be_repeated),
    WITH_PLACE(notes_alone_are_the_users),        WITH_PLACE(undoes_what_a_machine_left_half_done),
    WITH_PLACE(a_killed_writer_leaves_old_or_new), WITH_PLACE(two_writers_wait_for_each_other),
    WITH_PLACE(refuses_a_folder_that_is_not_ours),
    WITH_PLACE(refuses_what_stands_in_the_way),   WITH_PLACE(refuses_links_and_folders_inside),
    WITH_PLACE(follows_a_link_to_the_folder),     WITH_PLACE(leaves_nothing_when_the_disk_is_full),
    WITH_PLACE(leaves_what_was_there_when_the_disk_is_full), WITH_PLACE(puts_back_what_was_moved),
    WITH_PLACE(says_so_when_it_may_not_write),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  prctl(PR_SET_DUMPABLE, 1); /* the leak checker looks at this process from another, when it ends */
  return seteuid(self) == 0 ? failed : 1;
}
