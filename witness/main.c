/* main.c: tgc-witness [--namespace NAME] FILE.cdl ..: codelets as C++ that language.h executes, for a program of the
 * user's own (docs/explanations/witness.md).
 *
 *   tgc-witness sum.cdl > sum.hh;  #include "sum.hh";  codelets::sum__tiled<int>(..) */
#include <stdio.h>
#include <string.h>

#include "files.h"

static const char USAGE[] =
    "tgc-witness [--namespace NAME] FILE.cdl ..: prints the codelets as C++ that tgc/witness/language.h executes\n"
    "  --namespace NAME  what they are in; `codelets\' where it is left out\n";

static void print_header(const char *name, const Prepared *p) {
  printf("// Made by tgc-witness: codelets as they are, executed one after the other.\n#pragma once\n"
         "#include \"language.h\"\n#include \"lanes.h\"\n\nnamespace %s {\nusing namespace ::tgc;\nusing ::tgc::pow;\nusing ::tgc::fma;\n"
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
  Files files = files_read(argv + first, argc - first);
  int status = 1;
  if (files.error) {
    fprintf(stderr, "tgc-witness: %s\n", files.error);
  } else {
    Prepared p = prepare(files.at, files.n);
    if (p.error) fprintf(stderr, "%s\n", p.error);
    else print_header(name, &p);
    status = !p.error && fflush(stdout) == 0 ? 0 : 1;
    prepared_free(&p);
  }
  files_free(&files);
  return status;
}
