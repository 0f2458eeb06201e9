/* outside.c: tgc tune and tgc bench, which are programs of their own: what runs on the machine that is measured needs
 * no libclang, and the comparison with other libraries is a Python script. Both get the arguments in canonical
 * spelling. The spectra of a folder of several are tuned one after the other. */
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

/* Beside this program, or in the PATH. */
static void run_tune(Arena *a, const TuneArguments *given) {
  char self[4096];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - sizeof "-tune");
  if (n > 0) {
    memcpy(self + n, "-tune", sizeof "-tune");
    run(a, self, NULL, "tune", given);
  }
  run(a, "tgc-tune", NULL, "tune", given);
}

/* In a process of its own: its exit status. An interruption is for that one, which then ends. */
static int wait_for_tune(Arena *a, const TuneArguments *given) {
  int status;
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGINT, SIG_DFL);
    run_tune(a, given);
    _exit(127);
  }
  signal(SIGINT, SIG_IGN);
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) != 127) return WEXITSTATUS(status);
  if (child > 0 && WIFSIGNALED(status)) return 128 + WTERMSIG(status);
  fprintf(stderr, "tgc: error: cannot run `tgc-tune', which is installed beside tgc\n");
  return STATUS_FAILED;
}

/* With --json an array of what each prints. */
static int tune_each(Arena *a, const TuneArguments *given, const char *dir) {
  const char **folders;
  Diagnostics *d = diagnostics_new(a);
  const int n = manifest_folders(a, dir, &folders, d);
  int status = n ? STATUS_DONE : STATUS_FAILED;
  for (int i = 0; i < n && status == STATUS_DONE; i++) {
    TuneArguments one = *given;
    one.operands = (CommandOperands){&folders[i], 1};
    if (given->json) fputs(i ? ",\n" : "[\n", stdout);
    else if (!given->quiet) printf("%s\n", folders[i]);
    status = wait_for_tune(a, &one);
  }
  if (given->json && status == STATUS_DONE) puts("]");
  verbs_say(d, given->color, given->quiet != NULL);
  return status;
}

int verb_tune(Arena *a, const TuneArguments *given) {
  const char *dir = verbs_folder(a, given->operands.at[0]);
  if (manifest_is_of_spectra(a, dir)) return tune_each(a, given, dir);
  run_tune(a, given);
  fprintf(stderr, "tgc: error: cannot run `tgc-tune', which is installed beside tgc: %s\n", strerror(errno));
  return STATUS_FAILED;
}

int verb_bench(Arena *a, const BenchArguments *given) {
  const char *script = path_of_data(a, "bench/bench.py");
  if (!script) {
    fprintf(stderr,
            "tgc: error: cannot find the script `bench/bench.py'\nhint: TGC_DATA_DIR names the folder that it is in\n");
    return STATUS_FAILED;
  }
  run(a, "python3", script, "bench", given);
  fprintf(stderr, "tgc: error: cannot run `python3': %s\n", strerror(errno));
  return STATUS_FAILED;
}
