/* depfile.c: `--depfile FILE', as compilers' -MF. */
#include "driver/depfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "support/buffer.h"

/* A path as make and ninja read it. */
static void put_path(Buffer *to, const char *path, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (strchr(" #\\", path[i])) buffer_puts(to, "\\");
    if (path[i] == '$') buffer_puts(to, "$");
    buffer_putn(to, path + i, 1);
  }
}

bool depfile_write(Arena *a, const SourceFile *read, const char *path, Diagnostics *d) {
  const size_t n = strlen(path), target = n > 2 && strcmp(path + n - 2, ".d") == 0 ? n - 2 : n;
  Buffer b = buffer_new(a);
  put_path(&b, path, target);
  buffer_puts(&b, ":");
  for (int i = 0; i < (read->nparts ? read->nparts : 1); i++) {
    const char *file = read->nparts ? read->parts[i].path : read->path;
    buffer_puts(&b, " ");
    put_path(&b, file, strlen(file));
  }
  buffer_puts(&b, "\n");
  FILE *f = fopen(path, "w");
  bool ok = f && fwrite(b.text, 1, b.length, f) == b.length;
  ok = (!f || fclose(f) == 0) && ok;
  if (!ok) diagnostics_add(d, DIAG_ERROR, (SourceRange){0}, NULL, "cannot write `%s': %s", path, strerror(errno));
  return ok;
}
