/* spool.c: one file, written from beginning to end, read anywhere. It has no name, so that it goes with the process. */
#include "support/spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Spool {
  int file;
  uint64_t end;
};

Spool *spool_new(void) {
  const char *base = getenv("TMPDIR");
  char path[4096];
  int n = snprintf(path, sizeof path, "%s/tgc-spool-XXXXXX", base && *base ? base : "/tmp");
  if (n < 0 || (size_t)n >= sizeof path) {
    errno = ENAMETOOLONG;
    return NULL;
  }
  int file = mkstemp(path);
  if (file < 0) return NULL;
  unlink(path);
  Spool *s = calloc(1, sizeof *s);
  if (!s) abort(); /* memory exhausted: as in arena.h */
  s->file = file;
  return s;
}

void spool_end(Spool *s) {
  if (!s) return;
  close(s->file);
  free(s);
}

bool spool_append(Spool *s, const char *text, size_t n, Spooled *to) {
  if (!to->spool) *to = (Spooled){s, s->end, 0};
  for (size_t done = 0; done < n;) {
    ssize_t wrote = pwrite(s->file, text + done, n - done, (off_t)(s->end + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    done += (size_t)wrote;
  }
  s->end += n;
  to->length += n;
  return true;
}

bool spool_add(Spool *s, const char *text, size_t n, Spooled *to) {
  *to = (Spooled){0};
  return spool_append(s, text, n, to);
}

char *spool_read(Arena *a, Spooled from) {
  char *text = arena_alloc(a, from.length + 1);
  for (size_t done = 0; done < from.length;) {
    ssize_t got = pread(from.spool->file, text + done, from.length - done, (off_t)(from.at + done));
    if (got < 0 && errno == EINTR) continue;
    if (got == 0) errno = EIO; /* shorter than what was written */
    if (got <= 0) return NULL;
    done += (size_t)got;
  }
  return text;
}
