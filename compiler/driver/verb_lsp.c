/* verb_lsp.c: tgc lsp: a language server on standard input and output. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "driver/analyse.h"
#include "driver/verbs.h"

enum { SECONDS = 30, MOST_SECONDS = 3600 };

int verb_lsp(Arena *a, const LspArguments *given) {
  const char *file = "";
  const CompileArguments all = {.operands = {&file, 1}, .arch = given->arch ? given->arch : "cpu",
                                .types = given->types, .operation = given->operation};
  Options o;
  const char *why = options_read(a, &all, &o);
  const int seconds = given->timeout ? atoi(given->timeout) : SECONDS;
  if (!why && (seconds < 1 || seconds > MOST_SECONDS)) why = "`--timeout' is a number of seconds, from 1 to 3600";
  if (!why && strchr(o.arch, ',')) why = "`--arch' names one machine here";
  if (why) return verbs_misuse("lsp", why);
  const LspAnalyser by = {analyse, &o, seconds};
  return lsp_serve(&by, STDIN_FILENO, STDOUT_FILENO);
}
