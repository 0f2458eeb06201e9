/* verb_view.c: tgc view [DIR]: writes the page of a folder. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "driver/verbs.h"
#include "driver/view.h"

/* The page appears under its name when it is whole. */
static bool write_page(Arena *a, const char *path, const Buffer *page, Diagnostics *d) {
  const char *part = arena_printf(a, "%s.tgc-%ld", path, (long)getpid());
  const int fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
  bool ok = f && fwrite(page->text, 1, page->length, f) == page->length && fflush(f) == 0;
  int error = errno;
  if (f && fclose(f) != 0 && ok) {
    ok = false;
    error = errno;
  }
  if (ok && rename(part, path) != 0) {
    ok = false;
    error = errno;
  }
  if (ok) return true;
  if (fd >= 0) unlink(part);
  diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, "`-o' names another file", "cannot write `%s': %s", path,
                  strerror(error));
  return false;
}

int verb_view(Arena *a, const ViewArguments *given) {
  const char *dir = verbs_folder(a, given->operands.at[0]);
  const char *out = given->out ? given->out : arena_printf(a, "%s/view.html", dir);
  Diagnostics *d = diagnostics_new(a);
  Buffer page = buffer_new(a), said = buffer_new(a);
  const bool ok = view_page(a, dir, given->database, &page, d) && write_page(a, out, &page, d);
  if (!given->quiet) buffer_printf(&said, "%s\n", out);
  const int status = ok ? verbs_print_foreign(&said) : STATUS_FAILED;
  verbs_say(d, given->color, given->quiet != NULL);
  return status;
}
