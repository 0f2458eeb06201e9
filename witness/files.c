/* files.c: what `#include "sum.cdl"' names is read too (files.h). */
#include "files.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEEPEST_FILE = 32, MOST_FILES = 200, MOST_BYTES = 1 << 26 };

typedef struct Reader {
  Files *to;
  struct { dev_t device; ino_t inode; } seen[MOST_FILES];
  int nseen;
} Reader;

__attribute__((format(printf, 2, 3))) static void fail(Reader *r, const char *format, ...) {
  va_list list;
  va_start(list, format);
  if (!r->to->error && vasprintf(&r->to->error, format, list) < 0) abort();
  va_end(list);
}

__attribute__((format(printf, 1, 2))) static char *say(const char *format, ...) {
  char *text;
  va_list list;
  va_start(list, format);
  if (vasprintf(&text, format, list) < 0) abort();
  va_end(list);
  return text;
}

static char *read_all(const char *path, size_t *length) {
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  size_t room = 0;
  *length = 0;
  while (f && !ferror(f) && !feof(f)) {
    if (*length > MOST_BYTES) { /* no codelets, but a device */
      errno = EFBIG;
      free(text), text = NULL;
      break;
    }
    if (*length + 65536 > room) text = realloc(text, room = 2 * room + 65536);
    if (!text) abort();
    *length += fread(text + *length, 1, room - *length, f);
  }
  if (f && ferror(f)) free(text), text = NULL;
  if (f) fclose(f);
  return text;
}

/* ---- directives ---- */

static const char *skip(const char *s, const char *end) {
  while (s < end) {
    if (isspace((unsigned char)*s)) s++;
    else if (end - s > 1 && s[0] == '/' && s[1] == '/') {
      while (s < end && *s != '\n') s += *s == '\\' && s + 1 < end ? 2 : 1;
    } else if (end - s > 1 && s[0] == '/' && s[1] == '*') {
      for (s += 2; end - s > 1 && !(s[0] == '*' && s[1] == '/');) s++;
      s = end - s > 1 ? s + 2 : end;
    } else break;
  }
  return s < end ? s : end;
}

/* The name in an #include at `s', and what follows its line; NULL: there is none. */
static const char *include_at(const char *s, const char *end, const char **name, int *length) {
  if (s >= end || *s != '#') return NULL;
  for (s++; s < end && (*s == ' ' || *s == '\t');) s++;
  if (end - s < 7 || memcmp(s, "include", 7) != 0) return NULL;
  for (s += 7; s < end && (*s == ' ' || *s == '\t');) s++;
  if (s >= end || *s != '"') return NULL;
  *name = ++s;
  while (s < end && *s != '"' && *s != '\n') s++;
  *length = (int)(s - *name);
  while (s < end && *s != '\n') s++;
  return s;
}

/* ---- files ---- */

static bool is_new(Reader *r, const struct stat *s) {
  for (int i = 0; i < r->nseen; i++)
    if (r->seen[i].device == s->st_dev && r->seen[i].inode == s->st_ino) return false;
  if (r->nseen == MOST_FILES) return fail(r, "more than 200 files"), false;
  r->seen[r->nseen].device = s->st_dev;
  r->seen[r->nseen++].inode = s->st_ino;
  return true;
}

/* A path of a shipped codelet file, which need not exist; the caller's. */
static char *shipped(const char *name) {
  const char *data = getenv("TGC_DATA_DIR");
  if (data) return say("%s/codelets/%s", data, name);
  char self[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(self, '/');
  if (slash) *slash = '\0';
  char *path = say("%s/" TGC_DATA_FROM_BIN "/codelets/%s", self, name);
  if (access(path, R_OK) == 0) return path;
  free(path);
  return say(TGC_SOURCE_DIR "/codelets/%s", name);
}

static void read_file(Reader *r, const char *path, int depth);

static void follow(Reader *r, const char *path, const char *name, int depth) {
  struct stat s;
  const size_t n = strlen(name);
  if (name[0] == '/' || strstr(name, "..") || n < 5 || strcmp(name + n - 4, ".cdl") != 0)
    return fail(r, "%s: `%s' is not the name of a codelet file beside it, or of a shipped one", path, name);
  const char *slash = strrchr(path, '/');
  char *found = say("%.*s%s", slash ? (int)(slash - path + 1) : 0, path, name);
  if (stat(found, &s) != 0) {
    free(found);
    found = shipped(name);
  }
  if (stat(found, &s) != 0 || !S_ISREG(s.st_mode)) fail(r, "%s: cannot find `%s'", path, name);
  else if (depth == DEEPEST_FILE) fail(r, "%s: too many files that include one another", path);
  else if (is_new(r, &s)) read_file(r, found, depth + 1);
  free(found);
}

static void read_file(Reader *r, const char *path, int depth) {
  size_t length;
  char *text = read_all(path, &length);
  if (!text) return fail(r, "cannot read `%s': %s", path, strerror(errno));
  const char *name, *end = text + length, *next;
  int n;
  for (const char *s = skip(text, end); !r->to->error && (next = include_at(s, end, &name, &n)); s = skip(next, end)) {
    char *own = say("%.*s", n, name);
    follow(r, path, own, depth);
    free(own);
  }
  r->to->at = realloc(r->to->at, sizeof *r->to->at * (size_t)(r->to->n + 1));
  if (!r->to->at) abort();
  r->to->at[r->to->n++] = (PrepareFile){say("%s", path), text, length};
}

Files files_read(char *const *paths, int n) {
  Files files = {0};
  Reader r = {.to = &files};
  for (int i = 0; i < n && !files.error; i++) {
    struct stat s;
    if (stat(paths[i], &s) != 0) fail(&r, "cannot read `%s': %s", paths[i], strerror(errno));
    else if (is_new(&r, &s)) read_file(&r, paths[i], 0);
  }
  return files;
}

void files_free(Files *f) {
  for (int i = 0; i < f->n; i++) free((void *)f->at[i].name), free((void *)f->at[i].text);
  free(f->at);
  free(f->error);
}
