/* include.c: files that include files (include.h). */
#include "front/include.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "support/buffer.h"
#include "support/paths.h"

enum { DEEPEST = 32, MOST_FILES = 200, LONGEST_NAME = 200, MOST_BYTES = 4 << 20 };

typedef struct Identity { dev_t device; ino_t inode; } Identity;

typedef struct Includer {
  Arena *a;
  Diagnostics *d;
  Buffer text;
  VEC(SourcePart) parts;
  VEC(SourceInclude) includes;
  const SourceReader *reader; /* NULL: the disk */
  VEC(Identity) seen;
  int depth;
} Includer;

/* A file at hand. */
typedef struct Input {
  const SourceFile *file; /* as it is shown */
  const char *path;       /* as it is opened */
} Input;

/* `#include "name"', or <name>, a header's, in offsets of its file. */
typedef struct Directive { SourceSpan all, name; bool header; } Directive;

/* Generated text has it in comments, in #line, in JSON. */
static const char *harmless(Arena *a, const char *path) {
  char *name = arena_strdup(a, path);
  for (char *s = name; *s; s++)
    if ((unsigned char)*s < ' ' || *s == 127 || *s == '"' || *s == '\\') *s = '?';
  return name;
}

static bool refuse(Includer *x, const SourceFile *f, SourceSpan at, const char *hint, const char *message) {
  diagnostics_add(x->d, DIAG_ERROR, (SourceRange){f, at.begin, at.end}, hint, "%s", message);
  return false;
}

/* ---- directives ---- */

static char byte_at(const SourceFile *f, unsigned at) { return at < f->size ? f->text[at] : '\0'; }

/* Past blanks and comments, and, if lines may end, these. One that never ends is left to scan.c. */
static unsigned skip(const SourceFile *f, unsigned at, bool lines) {
  while (at < f->size) {
    const char c = byte_at(f, at), next = byte_at(f, at + 1);
    if (c == '\n' ? lines : isspace((unsigned char)c)) at++;
    else if (c == '/' && next == '/') {
      while (at < f->size && f->text[at] != '\n') at += f->text[at] == '\\' && at + 1 < f->size ? 2 : 1;
    } else if (c == '/' && next == '*') {
      unsigned end = at + 2;
      while (end < f->size && !(f->text[end] == '*' && byte_at(f, end + 1) == '/')) end++;
      if (end >= f->size || (!lines && memchr(f->text + at, '\n', end - at))) return at;
      at = end + 2;
    } else break;
  }
  return at;
}

/* `<immintrin.h>', and no codelet file? */
static bool is_header(const SourceFile *f, unsigned at) {
  unsigned end = at;
  if (byte_at(f, at) != '<') return false;
  while (end < f->size && f->text[end] != '>' && f->text[end] != '\n') end++;
  return end < 4 || strncmp(f->text + end - 4, ".cdl", 4) != 0;
}

/* Is there an #include? Then `to' has it, or an error was told: *ok is false. */
static bool read_directive(Includer *x, const SourceFile *f, unsigned at, Directive *to, bool *ok) {
  static const char word[] = "include";
  *ok = true;
  to->all.begin = at;
  if (byte_at(f, at) != '#') return false;
  for (at++; byte_at(f, at) == ' ' || byte_at(f, at) == '\t';) at++;
  if (f->size - at < sizeof word - 1 || memcmp(f->text + at, word, sizeof word - 1) != 0) return false;
  at += sizeof word - 1;
  if (isalnum((unsigned char)byte_at(f, at)) || byte_at(f, at) == '_') return false;
  at = skip(f, at, false);
  to->name.begin = to->name.end = at + 1;
  to->header = is_header(f, at);
  const char quote = to->header ? '>' : '"';
  if (to->header || byte_at(f, at) == quote)
    while (to->name.end < f->size && f->text[to->name.end] != quote && f->text[to->name.end] != '\n') to->name.end++;
  const bool closed = to->name.end > at + 1 && byte_at(f, to->name.end) == quote;
  to->all.end = closed ? skip(f, to->name.end + 1, false) : at;
  if (closed && (to->all.end >= f->size || f->text[to->all.end] == '\n')) return true;
  *ok = refuse(x, f, (SourceSpan){to->all.end, to->all.end + 1}, "write `#include \"sum.cdl\"', on a line of its own",
               closed ? "unexpected text after the file's name"
                      : "`#include' takes the name of a codelet file in quotes");
  return true;
}

/* Does it lead to nothing but a codelet file below the folder that it is looked for in? */
static bool check_name(Includer *x, const SourceFile *f, const Directive *at, const char *name) {
  const size_t n = at->name.end - at->name.begin;
  const char *why = NULL, *hint = "the name of a codelet file in the folder of this file, or of a shipped one";
  if (n > LONGEST_NAME) why = "this name is too long";
  for (size_t i = 0; i < n && !why; i++) {
    const unsigned char c = (unsigned char)f->text[at->name.begin + i];
    if (c < ' ' || c == 127 || c == '\\') why = "this is no name of a file";
  }
  if (!why && name[0] == '/') why = "a file that is included has no absolute path";
  for (const char *s = name; !why && s; s = strchr(s, '/')) {
    s += *s == '/';
    if (strncmp(s, "..", 2) == 0 && (s[2] == '/' || !s[2])) {
      why = "a file that is included lies below the folder of the one that includes it";
      hint = "move it there, or give both files to tgc";
    }
  }
  if (!why && (n < 5 || strcmp(name + n - 4, ".cdl") != 0)) {
    why = "this is no codelet file";
    hint = "codelets include codelet files only: \"sum.cdl\"";
  }
  return !why || refuse(x, f, at->name, hint, why);
}

/* ---- files ---- */

static bool is_new(Includer *x, const struct stat *s) {
  for (int i = 0; i < x->seen.n; i++)
    if (x->seen.at[i].device == s->st_dev && x->seen.at[i].inode == s->st_ino) return false;
  Identity one = {s->st_dev, s->st_ino};
  vec_push(x->a, &x->seen, one);
  return true;
}

static bool read_input(Includer *x, const Input *in, int order, const char *by);

/* The path of a file that is included; NULL after an error. */
static const char *find(Includer *x, const Input *in, const Directive *at, const char *name, struct stat *s) {
  const char *slash = strrchr(in->path, '/');
  const char *beside = arena_printf(x->a, "%.*s%s", slash ? (int)(slash - in->path + 1) : 0, in->path, name);
  const char *folder = path_of_data(x->a, "codelets");
  const char *shipped = folder ? arena_printf(x->a, "%s/%s", folder, name) : NULL;
  const char *found = stat(beside, s) == 0 ? beside : shipped && stat(shipped, s) == 0 ? shipped : NULL;
  if (!found) {
    const char *hint = shipped ? arena_printf(x->a, "looked for `%s' and `%s'", beside, shipped)
                               : arena_printf(x->a, "looked for `%s'; there is no folder of shipped codelets", beside);
    refuse(x, in->file, at->name, hint, arena_printf(x->a, "cannot find `%s'", name));
    return NULL;
  }
  if (S_ISREG(s->st_mode)) return found;
  refuse(x, in->file, at->name, arena_printf(x->a, "it is `%s'", found),
         S_ISDIR(s->st_mode) ? "this is a folder" : "this is no file of text");
  return NULL;
}

static SourceFile *read_text(const Includer *x, const char *path) {
  return x->reader ? x->reader->read(x->reader->context, x->a, path) : source_read(x->a, path);
}

/* *leads_to: the file's path, where there is one. */
static bool follow(Includer *x, const Input *in, const Directive *at, const char **leads_to) {
  Arena *a = x->a;
  const char *name = arena_strndup(a, in->file->text + at->name.begin, at->name.end - at->name.begin);
  struct stat s;
  if (!check_name(x, in->file, at, name)) return false;
  if (x->depth == DEEPEST)
    return refuse(x, in->file, at->name, "at most 32", "too many files that include one another");
  if (x->seen.n == MOST_FILES) return refuse(x, in->file, at->name, "at most 200", "too many files are included");
  const char *path = find(x, in, at, name, &s);
  if (!path) return false;
  *leads_to = path;
  const int order = x->seen.n;
  if (!is_new(x, &s)) return true;
  if ((uintmax_t)s.st_size + x->text.length > MOST_BYTES)
    return refuse(x, in->file, at->name, "at most 4 MB", "the files are too large together");
  SourceFile *f = read_text(x, path);
  if (!f) return refuse(x, in->file, at->name, NULL, arena_printf(a, "cannot read `%s': %s", path, strerror(errno)));
  f->path = harmless(a, path);
  int line, column;
  source_position(in->file, at->all.begin, &line, &column);
  Input own = {f, path};
  x->depth++;
  const bool ok = read_input(x, &own, order, arena_printf(a, "%s:%d", in->file->path, line));
  x->depth--;
  return ok;
}

/* The header of that name: generated text includes it, so it is a plain path, of letters, digits and `_-./'. */
static bool header_named(Includer *x, const SourceFile *f, const Directive *at, const char **header) {
  const size_t n = at->name.end - at->name.begin;
  const char *name = arena_strndup(x->a, f->text + at->name.begin, n);
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./";
  *header = name;
  if (n <= LONGEST_NAME && strspn(name, plain) == n && name[0] != '/' && !strstr(name, "..")) return true;
  return refuse(x, f, at->name, "`#include <immintrin.h>'", "this is no name of a header");
}

/* Adds the files that it includes, then itself. */
static bool read_input(Includer *x, const Input *in, int order, const char *by) {
  const SourceFile *f = in->file;
  VEC(SourceInclude) own = {0};
  bool ok = true, well;
  Directive at;
  for (unsigned from = skip(f, 0, true); read_directive(x, f, from, &at, &well); from = skip(f, at.all.end, true)) {
    if (!well) return false;
    if (own.n == MOST_FILES) return refuse(x, f, at.all, "at most 200", "too many files are included");
    SourceInclude one = {.at = at.all};
    if (at.header) ok &= header_named(x, f, &at, &one.header);
    else ok &= follow(x, in, &at, &one.path);
    vec_push(x->a, &own, one);
  }
  SourcePart part = {f->path, (unsigned)x->text.length, order, by};
  for (int i = 0; i < own.n; i++) {
    const SourceSpan at = own.at[i].at;
    SourceInclude one = {{part.begin + at.begin, part.begin + at.end}, own.at[i].path, own.at[i].header};
    vec_push(x->a, &x->includes, one);
  }
  vec_push(x->a, &x->parts, part);
  buffer_putn(&x->text, f->text, f->size);
  if (x->text.length && x->text.text[x->text.length - 1] != '\n') buffer_puts(&x->text, "\n");
  return ok;
}

static SourceFile *follow_all(Includer *x, SourceFile *const *files, int n) {
  Arena *a = x->a;
  Buffer names = buffer_new(a);
  bool ok = true;
  for (int i = 0; i < n; i++) {
    struct stat s;
    const int order = x->seen.n;
    Identity none = {0};
    if (stat(files[i]->path, &s) != 0) vec_push(a, &x->seen, none); /* a text in memory */
    else if (!is_new(x, &s)) continue;                            /* an earlier one includes it */
    Input in = {files[i], files[i]->path};
    files[i]->path = harmless(a, in.path);
    const char *slash = strrchr(files[i]->path, '/');
    buffer_printf(&names, "%s%s", i ? ", " : "", slash ? slash + 1 : files[i]->path);
    ok &= read_input(x, &in, order, NULL);
  }
  if (!ok) return NULL;
  if (x->parts.n == 1 && !x->includes.n) return files[0];
  SourceFile *all = arena_one(a, SourceFile);
  *all = (SourceFile){.path = n == 1 ? files[0]->path : names.text, .text = x->text.length ? x->text.text : "",
                      .size = x->text.length, .parts = x->parts.at, .nparts = x->parts.n, .includes = x->includes.at,
                      .nincludes = x->includes.n};
  return all;
}

SourceFile *include_follow(Arena *a, SourceFile *const *files, int n, Diagnostics *d) {
  Includer x = {.a = a, .d = d, .text = buffer_new(a)};
  return follow_all(&x, files, n);
}

/* A shipped one of that name; NULL: there is none. */
static const char *shipped_one(Arena *a, const char *path) {
  return strchr(path, '/') ? NULL : path_of_data(a, arena_printf(a, "codelets/%s", path));
}

SourceFile *include_read(Arena *a, const char *const *paths, int n, const SourceReader *reader, Diagnostics *d) {
  Includer x = {.a = a, .d = d, .text = buffer_new(a), .reader = reader};
  SourceFile **files = arena_many(a, SourceFile *, n);
  for (int i = 0; i < n; i++) {
    files[i] = read_text(&x, paths[i]);
    if (files[i]) continue;
    const char *why = strerror(errno), *shipped = shipped_one(a, paths[i]);
    diagnostics_add(d, DIAG_ERROR, (SourceRange){0},
                    shipped ? arena_printf(a, "the shipped one is `%s'", shipped)
                            : "give the path of a codelet file, as in `tgc codelets/sum.cdl --arch sm_60 --list'",
                    "cannot read `%s': %s", paths[i], why);
    return NULL;
  }
  return follow_all(&x, files, n);
}

SourceFile *include_shipped(Arena *a, const SourceFile *file, const char *name) {
  const char *folder = path_of_data(a, "codelets");
  const char *path = folder ? arena_printf(a, "%s/%s", folder, name) : NULL;
  SourceFile *more = path ? source_read(a, path) : NULL;
  if (!more || file->size + more->size > MOST_BYTES) return NULL;
  Buffer text = buffer_new(a);
  buffer_putn(&text, file->text, file->size);
  if (text.length && text.text[text.length - 1] != '\n') buffer_puts(&text, "\n");
  SourceFile *all = arena_one(a, SourceFile);
  const int n = file->nparts ? file->nparts : 1;
  *all = *file;
  all->nparts = n + 1;
  all->parts = arena_many(a, SourcePart, n + 1);
  for (int i = 0; i < n; i++) all->parts[i] = file->nparts ? file->parts[i] : (SourcePart){.path = file->path};
  all->parts[n] = (SourcePart){harmless(a, path), (unsigned)text.length, n, file->path};
  buffer_putn(&text, more->text, more->size);
  all->text = text.text;
  all->size = text.length;
  return all;
}
