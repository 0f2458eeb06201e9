/* main.c: tgc-witness FILE.cdl ..: codelets as C++ that language.h executes, for a program of one's own.
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

int main(int argc, char **argv) {
  if (argc < 2 || strcmp(argv[1], "--help") == 0) {
    printf("tgc-witness FILE.cdl ..: prints the codelets as C++ that <tgc/witness/language.h> executes\n");
    return argc < 2 ? 2 : 0;
  }
  PrepareFile *files = calloc((size_t)argc, sizeof *files);
  if (!files) return 1;
  for (int i = 1; i < argc; i++) {
    size_t length;
    char *text = read_all(argv[i], &length);
    if (!text) {
      fprintf(stderr, "tgc-witness: cannot read `%s': %s\n", argv[i], strerror(errno));
      return 1;
    }
    files[i - 1] = (PrepareFile){argv[i], text, length};
  }
  Prepared p = prepare(files, argc - 1);
  if (p.error) fprintf(stderr, "%s\n", p.error);
  else
    printf("// Made by tgc-witness: codelets as they are, executed one after the other.\n#pragma once\n"
           "#include \"language.h\"\n#include \"lanes.h\"\n\nnamespace codelets {\nusing namespace ::tgc;\n"
           "typedef float Float;\ntypedef double Double;\n%s\n} // namespace codelets\n", p.text);
  const int status = p.error ? 1 : fflush(stdout) == 0 ? 0 : 1;
  prepared_free(&p);
  for (int i = 1; i < argc; i++) free((void *)files[i - 1].text);
  free(files);
  return status;
}
