/* bench.c: tgc bench: the comparison with other libraries is a Python script that the compiler brings along. */
#include "driver/bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/paths.h"

enum { FAILED = 1 };

int verb_bench(int argc, char **argv) {
  Arena *a = arena_new();
  const char *script = path_of_data(a, "bench/bench.py");
  if (!script) {
    fprintf(stderr, "tgc bench: error: the script `bench/bench.py' is nowhere to be found\nhint: set TGC_DATA_DIR\n");
  } else {
    char **command = arena_many(a, char *, argc + 1); /* python3 SCRIPT in the places of tgc bench */
    command[0] = "python3";
    command[1] = (char *)script;
    for (int i = 2; i <= argc; i++) command[i] = argv[i]; /* with the NULL at the end */
    execvp(command[0], command);
    fprintf(stderr, "tgc bench: error: cannot run `python3': %s\n", strerror(errno));
  }
  arena_free(a);
  return FAILED;
}
