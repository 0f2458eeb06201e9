/* main.c: tgc-witness [--namespace NAME] FILE.cdl ..: codelets as C++ that language.h executes, for a program of the
 * user's own (docs/explanations/witness.md).
 *
 *   tgc-witness sum.cdl > sum.hh;  #include "sum.hh";  codelets::sum__tiled<int>(..) */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prepare.h"

static char *read_all(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  size_t room = 0;
  *length = 0;
  while (f && !ferror(f) && !feof(f)) {
    if (*length + 65536 > room) text = realloc(text, room = 2 * room + 65536);
    if (!text) break;
    *length += fread(text + *length, 1, room - *length, f);
  }
  if (f && ferror(f)) free(text), text = NULL;
  if (f) fclose(f);
  return text;
}

static const char USAGE[] =
    "tgc-witness [--namespace NAME] FILE.cdl ..: prints the codelets as C++ that tgc/witness/language.h executes\n"
    "  --namespace NAME  what they are in; `codelets\' where it is left out\n";

static void print_header(const char *name, const Prepared *p) {
  printf("// Made by tgc-witness: codelets as they are, executed one after the other.\n#pragma once\n"
         "#include \"language.h\"\n#include \"lanes.h\"\n\nnamespace %s {\nusing namespace ::tgc;\n"
         "typedef float Float;\ntypedef double Double;\n%s\n} // namespace %s\n",
         name, p->text, name);
}

int main(int argc, char **argv) {
  const char *name = "codelets";
  int first = 1;
  if (argc > 2 && strcmp(argv[1], "--namespace") == 0) name = argv[2], first = 3;
  if (first >= argc || argv[first][0] == '-') {
    const bool asked = argc > 1 && strcmp(argv[1], "--help") == 0;
    fputs(USAGE, asked ? stdout : stderr);
    return asked ? 0 : 2;
  }
  const int n = argc - first;
  PrepareFile *files = calloc((size_t)n, sizeof *files);
  if (!files) return 1;
  int read = 0, status = 1;
  for (; read < n; read++) {
    size_t length;
    char *text = read_all(argv[first + read], &length);
    if (!text) break;
    files[read] = (PrepareFile){argv[first + read], text, length};
  }
  if (read < n) {
    fprintf(stderr, "tgc-witness: cannot read `%s': %s\n", argv[first + read], strerror(errno));
  } else {
    Prepared p = prepare(files, n);
    if (p.error) fprintf(stderr, "%s\n", p.error);
    else print_header(name, &p);
    status = !p.error && fflush(stdout) == 0 ? 0 : 1;
    prepared_free(&p);
  }
  for (int i = 0; i < read; i++) free((void *)files[i].text);
  free(files);
  return status;
}
