/* outside.c: tgc tune and tgc bench, which are programs of their own: what runs on the machine that is measured needs
 * no libclang, and the comparison with other libraries is a Python script. Both get the arguments in canonical
 * spelling. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "driver/verbs.h"
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

int verb_tune(Arena *a, const TuneArguments *given) {
  char self[4096];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - sizeof "-tune");
  if (n > 0) {
    memcpy(self + n, "-tune", sizeof "-tune");
    run(a, self, NULL, "tune", given);
  }
  run(a, "tgc-tune", NULL, "tune", given);
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
