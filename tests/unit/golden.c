#include "golden.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "front/include.h"
#include "support/buffer.h"

const char *golden_path(Arena *a, const char *relative) {
  const char *root = getenv("TGC_SOURCE_DIR");
  return arena_printf(a, "%s/%s", root ? root : ".", relative);
}

void golden_compare(Arena *a, const char *relative, const char *text) {
  const char *path = golden_path(a, relative);
  if (getenv("TGC_UPDATE")) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return;
  }
  SourceFile *expected = source_read(a, path);
  if (!expected) fail_msg("no file %s; the text is:\n%s", relative, text);
  if (strcmp(expected->text, text) != 0)
    fail_msg("%s differs.\n--- expected\n%s\n--- got\n%s", relative, expected->text, text);
}

const char *golden_diagnostics(Arena *a, const Diagnostics *d, unsigned remarks) {
  char *text = NULL;
  size_t size = 0;
  FILE *f = open_memstream(&text, &size);
  diagnostics_print(d, f, remarks, false);
  fclose(f);
  const char *copy = arena_strndup(a, text, size);
  free(text);
  return copy;
}

static int by_name(const void *x, const void *y) { return strcmp(*(const char *const *)x, *(const char *const *)y); }

const char **golden_files(Arena *a, const char *folder, const char *ending, int *count) {
  VEC(const char *) names = {0};
  DIR *d = opendir(golden_path(a, folder));
  assert_non_null(d);
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    size_t n = strlen(e->d_name), k = strlen(ending);
    if (n > k && strcmp(e->d_name + n - k, ending) == 0)
      vec_push(a, &names, arena_printf(a, "%s/%s", folder, e->d_name));
  }
  closedir(d);
  qsort(names.at, (size_t)names.n, sizeof *names.at, by_name);
  *count = names.n;
  return names.at;
}

static const char *last_part(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

SourceFile *golden_codelets(Arena *a, const char *relative, Diagnostics *d) {
  SourceFile *f = source_read(a, golden_path(a, relative));
  if (!f) fail_msg("cannot read %s", relative);
  SourceFile *all = include_follow(a, &f, 1, d);
  f->path = last_part(f->path);
  if (!all) return NULL;
  all->path = f->path;
  for (int i = 0; i < all->nparts; i++) all->parts[i].path = last_part(all->parts[i].path);
  return all;
}

SourceFile *golden_source(Arena *a, const char *relative) {
  const size_t n = strlen(relative);
  if (n > 4 && strcmp(relative + n - 4, ".cdl") == 0) {
    Diagnostics *d = diagnostics_new(a);
    SourceFile *f = golden_codelets(a, relative, d);
    if (!f) fail_msg("%s", golden_diagnostics(a, d, 0));
    return f;
  }
  SourceFile *f = source_read(a, golden_path(a, relative));
  if (!f) fail_msg("cannot read %s", relative);
  f->path = last_part(relative);
  return f;
}
