/* paths.c: where the compiler finds its own files at run time. */
#include "support/paths.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef TGC_SOURCE_DIR
#define TGC_SOURCE_DIR "."
#endif
#ifndef TGC_DATA_FROM_BIN
#define TGC_DATA_FROM_BIN "../share/tgc"
#endif

static const char *under(Arena *a, const char *base, const char *folder) {
  const char *path = arena_printf(a, "%s/%s", base, folder);
  return access(path, R_OK) == 0 ? path : NULL;
}

const char *path_of_data(Arena *a, const char *folder) {
  const char *base = getenv("TGC_DATA_DIR"), *found;
  if (base) return under(a, base, folder);
  char self[4096];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n > 0) {
    self[n] = '\0';
    char *slash = strrchr(self, '/');
    if (slash) *slash = '\0';
    found = under(a, arena_printf(a, "%s/%s", self, TGC_DATA_FROM_BIN), folder);
    if (found) return found;
  }
  return under(a, TGC_SOURCE_DIR, folder);
}

bool path_is_same(const char *one, const char *other) {
  struct stat x, y;
  if (strcmp(one, other) == 0) return true;
  return stat(one, &x) == 0 && stat(other, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
