/* main.c: tgc-witness [--namespace NAME] FILE.cdl ..: codelets as C++ that language.h executes, for a program of one's own.
 *
 *   tgc-witness sum.cdl > sum.hh;  #include "sum.hh";  codelets::sum__tiled<int>(..) */
#include <ctype.h>
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

static bool is_name(const char *s) {
  if (!isalpha((unsigned char)*s)) return false;
  while (isalnum((unsigned char)*s) || *s == '_') s++;
  return *s == '\0';
}

int main(int argc, char **argv) {
  const char *within = "codelets";
  if (argc > 2 && strcmp(argv[1], "--namespace") == 0 && is_name(argv[2])) {
    within = argv[2];
    argc -= 2;
    argv += 2;
  }
  if (argc < 2 || argv[1][0] == '-') {
    const bool asked = argc > 1 && strcmp(argv[1], "--help") == 0;
    fprintf(asked ? stdout : stderr, "tgc-witness [--namespace NAME] FILE.cdl ..: prints the codelets as C++ that witness/language.h "
                                     "executes\n");
    return asked ? 0 : 2;
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
           "#include \"language.h\"\n#include \"lanes.h\"\n\nnamespace %s {\nusing namespace ::tgc;\n"
           "typedef float Float;\ntypedef double Double;\n%s\n} // namespace %s\n", within, p.text, within);
  const int status = p.error ? 1 : fflush(stdout) == 0 ? 0 : 1;
  prepared_free(&p);
  for (int i = 1; i < argc; i++) free((void *)files[i - 1].text);
  free(files);
  return status;
}
