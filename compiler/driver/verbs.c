/* verbs.c: what verbs have in common: how they print, and what they say of wrong usage. */
#include "driver/verbs.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "support/terminal.h"

int verbs_misuse(const char *verb, const char *why) { return command_misuse(command_by_name(verb), why); }

int verbs_print(const Buffer *b) {
  if (fwrite(b->text, 1, b->length, stdout) == b->length && fflush(stdout) == 0) return STATUS_DONE;
  if (errno != EPIPE) fprintf(stderr, "tgc: error: cannot write to standard output: %s\n", strerror(errno));
  return STATUS_FAILED;
}

int verbs_print_foreign(Buffer *b) {
  for (size_t i = 0; i < b->length; i++) {
    const unsigned char c = (unsigned char)b->text[i];
    if ((c < ' ' && c != '\n' && c != '\t') || c == 127) b->text[i] = '?';
  }
  return verbs_print(b);
}

void verbs_say(const Diagnostics *d, const char *color, bool quiet) {
  Diagnostics errors = {.arena = d->arena};
  for (int i = 0; quiet && i < d->list.n; i++)
    if (d->list.at[i].level == DIAG_ERROR) vec_push(d->arena, &errors.list, d->list.at[i]);
  diagnostics_print(quiet ? &errors : d, stderr, 0, terminal_color(color, STDERR_FILENO));
}

const char *verbs_folder(Arena *a, const char *dir) {
  size_t n = strlen(dir);
  while (n > 1 && dir[n - 1] == '/') n--;
  return arena_strndup(a, dir, n);
}
