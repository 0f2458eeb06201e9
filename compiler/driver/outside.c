/* outside.c: tgc tune and tgc bench, which are programs of their own: what runs on the machine that is measured needs
 * no libclang, and the comparison with other libraries is a Python script. Both get the arguments in canonical
 * spelling. The spectra of a folder of several are tuned, or compared, one after the other. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "driver/verbs.h"
#include "support/manifest_file.h"
#include "support/paths.h"

/* Runs `program', with `first' (or NULL) ahead of the arguments; returns when that failed. */
static void run(Arena *a, const char *program, const char *first, const char *verb, const void *arguments) {
  int n;
  const char **words = command_words(a, command_by_name(verb), arguments, &n);
  const char **argv = arena_many(a, const char *, n + 3);
  int count = 0;
  argv[count++] = program;
  if (first) argv[count++] = first;
  memcpy(argv + count, words, (size_t)(n + 1) * sizeof *words); /* with the NULL at the end */
  execvp(program, (char *const *)argv);
}

/* A verb's program: it takes this process's place, or the function returns. */
typedef struct Program { const char *name, *hint; void (*run)(Arena *a, const void *given); } Program;

/* Beside this program, or in the PATH. */
static void run_tune(Arena *a, const void *given) {
  char self[4096];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - sizeof "-tune");
  if (n > 0) {
    memcpy(self + n, "-tune", sizeof "-tune");
    run(a, self, NULL, "tune", given);
  }
  run(a, "tgc-tune", NULL, "tune", given);
}

static const char bench_script[] = "bench/bench.py";

static void run_bench(Arena *a, const void *given) {
  run(a, "python3", path_of_data(a, bench_script), "bench", given);
}

static const Program tuning = {"tgc-tune", ", which is installed beside tgc", run_tune};
static const Program comparing = {"python3", ", which `tgc bench' needs", run_bench};

static int cannot_run(const Program *p, const char *why) {
  fprintf(stderr, "tgc: error: cannot run `%s'%s%s%s\n", p->name, p->hint, why ? ": " : "", why ? why : "");
  return STATUS_FAILED;
}

/* In a process of its own: its exit status. An interruption is for that one, which then ends. */
static int wait_for(Arena *a, const Program *p, const void *given) {
  int status;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL);
    p->run(a, given);
    _exit(127);
  }
  signal(SIGINT, SIG_IGN);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 127) return WEXITSTATUS(status);
  if (child > 0 && WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  return cannot_run(p, NULL);
}

/* What comes before the output of the i-th folder: with --json all are an array. */
static void put_folder(const char *folder, int i, bool json, bool quiet) {
  if (json) fputs(i ? ",\n" : "[\n", stdout);
  else if (!quiet) printf("%s\n", folder);
}

static int tune_each(Arena *a, const TuneArguments *given, const char *dir) {
  const char **folders;
  Diagnostics *d = diagnostics_new(a);
  const int n = manifest_folders(a, dir, &folders, d);
  int status = n ? STATUS_DONE : STATUS_FAILED;
  for (int i = 0; i < n && status == STATUS_DONE; i++) {
    TuneArguments one = *given;
    one.operands = (CommandOperands){&folders[i], 1};
    put_folder(folders[i], i, given->json != NULL, given->quiet != NULL);
    status = wait_for(a, &tuning, &one);
  }
  if (given->json && status == STATUS_DONE) puts("]");
  verbs_say(d, given->color, given->quiet != NULL);
  return status;
}

/* One that is not compared does not keep the others from it, unless their records are to be one text. */
static int bench_each(Arena *a, const BenchArguments *given, const char *dir) {
  const char **folders;
  Diagnostics *d = diagnostics_new(a);
  const int n = manifest_folders(a, dir, &folders, d);
  int status = n ? STATUS_DONE : STATUS_FAILED;
  for (int i = 0; i < n && (status == STATUS_DONE || (status == STATUS_FAILED && !given->json)); i++) {
    BenchArguments one = *given;
    one.operands = (CommandOperands){&folders[i], 1};
    const char *name = strrchr(folders[i], '/');
    if (given->build) one.build = arena_printf(a, "%s%s", given->build, name ? name : folders[i]);
    put_folder(folders[i], i, given->json != NULL, given->quiet != NULL);
    const int ended = wait_for(a, &comparing, &one);
    if (ended != STATUS_DONE) status = ended;
  }
  if (given->json && status == STATUS_DONE) puts("]");
  verbs_say(d, given->color, given->quiet != NULL);
  return status;
}

int verb_tune(Arena *a, const TuneArguments *given) {
  const char *dir = verbs_folder(a, given->operands.at[0]);
  if (manifest_is_of_spectra(a, dir)) return tune_each(a, given, dir);
  run_tune(a, given);
  return cannot_run(&tuning, strerror(errno));
}

int verb_bench(Arena *a, const BenchArguments *given) {
  if (!path_of_data(a, bench_script)) {
    fprintf(stderr, "tgc: error: cannot find the script `%s'\nhint: TGC_DATA_DIR names the folder that it is in\n",
            bench_script);
    return STATUS_FAILED;
  }
  const char *dir = verbs_folder(a, given->operands.at[0]);
  if (manifest_is_of_spectra(a, dir)) return bench_each(a, given, dir);
  run_bench(a, given);
  return cannot_run(&comparing, strerror(errno));
}
