/* diagnostics.c: gathering what the compiler has to say, and printing it with the source line. */
#include "support/diagnostics.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/buffer.h"

Diagnostics *diagnostics_new(Arena *a) {
  Diagnostics *d = arena_one(a, Diagnostics);
  d->arena = a;
  return d;
}

static void add(Diagnostics *d, Diagnostic one) {
  for (int i = 0; i < d->list.n; i++) {
    const Diagnostic *o = &d->list.at[i];
    if (o->level == one.level && o->where.file == one.where.file && o->where.begin == one.where.begin &&
        strcmp(o->message, one.message) == 0)
      return;
  }
  vec_push(d->arena, &d->list, one);
  if (one.level == DIAG_ERROR) d->errors++;
}

void diagnostics_add(Diagnostics *d, DiagnosticLevel level, SourceRange where, const char *hint, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const char *message = arena_vprintf(d->arena, fmt, ap);
  va_end(ap);
  add(d, (Diagnostic){level, where, message, hint ? arena_strdup(d->arena, hint) : NULL, NULL, REMARK_NONE, false});
}

void diagnostics_remark(Diagnostics *d, RemarkKind kind, const char *pass, SourceRange where, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const char *message = arena_vprintf(d->arena, fmt, ap);
  va_end(ap);
  add(d, (Diagnostic){DIAG_REMARK, where, message, NULL, pass, kind, false});
}

void diagnostics_internal(Diagnostics *d, SourceRange where, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  const char *message = arena_printf(d->arena, "internal: %s", arena_vprintf(d->arena, fmt, ap));
  va_end(ap);
  add(d, (Diagnostic){DIAG_ERROR, where, message, NULL, NULL, REMARK_NONE, true});
}

bool diagnostics_have_internal(const Diagnostics *d) {
  for (int i = 0; i < d->list.n; i++)
    if (d->list.at[i].internal) return true;
  return false;
}

void diagnostics_join(Diagnostics *to, const Diagnostics *from) {
  for (int i = 0; i < from->list.n; i++) {
    Diagnostic one = from->list.at[i];
    one.message = arena_strdup(to->arena, one.message);
    if (one.hint) one.hint = arena_strdup(to->arena, one.hint);
    add(to, one);
  }
}

const SourcePart *source_part(const SourceFile *f, unsigned offset) {
  const SourcePart *found = f->parts;
  for (int i = 1; i < f->nparts; i++)
    if (f->parts[i].begin <= offset) found = &f->parts[i];
  return found;
}

const char *source_path(const SourceFile *f, unsigned offset) {
  const SourcePart *part = source_part(f, offset);
  return part ? part->path : f->path;
}

SourceRange source_whole(const SourceFile *f) {
  SourceRange whole = {f, 0, 0};
  for (int i = 0; i < f->nparts; i++)
    if (f->parts[i].order == 0) whole.begin = whole.end = f->parts[i].begin;
  return whole;
}

const char *source_line(Arena *a, const SourceFile *f, unsigned offset, unsigned from) {
  int line, column;
  source_position(f, offset, &line, &column);
  if (source_part(f, offset) == source_part(f, from)) return arena_printf(a, "line %d", line);
  return arena_printf(a, "line %d of %s", line, source_path(f, offset));
}

void source_position(const SourceFile *f, unsigned offset, int *line, int *column) {
  if (offset > f->size) offset = (unsigned)f->size;
  const SourcePart *part = source_part(f, offset);
  const char *start = f->text + (part ? part->begin : 0), *at = f->text + offset, *end;
  for (*line = 1; (end = memchr(start, '\n', (size_t)(at - start))) != NULL; start = end + 1) ++*line;
  *column = (int)(at - start) + 1;
}

SourceFile *source_read(Arena *a, const char *path) {
  FILE *f = fopen(path, "rb");
  if (!f) return NULL;
  struct stat s;
  const bool known = fstat(fileno(f), &s) == 0;
  if (known && S_ISDIR(s.st_mode)) {
    fclose(f);
    errno = EISDIR;
    return NULL;
  }
  size_t size = 0, capacity = 1 << 16;
  if (known && S_ISREG(s.st_mode) && s.st_size >= 1 << 16 && s.st_size < 1 << 30) capacity = (size_t)s.st_size + 1;
  char *text = arena_alloc(a, capacity + 1);
  for (size_t n; (n = fread(text + size, 1, capacity - size, f)) > 0;) {
    size += n;
    if (size < capacity) continue;
    if (capacity >= ((size_t)1 << 30)) {
      fclose(f);
      errno = EFBIG;
      return NULL;
    }
    char *grown = arena_alloc(a, capacity * 2 + 1);
    memcpy(grown, text, size);
    text = grown;
    capacity *= 2;
  }
  int failed = ferror(f) ? errno : 0;
  fclose(f);
  if (failed) {
    errno = failed;
    return NULL;
  }
  text[size] = '\0';
  SourceFile *file = arena_one(a, SourceFile);
  file->path = arena_strdup(a, path);
  file->text = text;
  file->size = size;
  return file;
}

/* ---- printing ---- */

enum { MOST_ERRORS = 50, WIDEST = 100 };

static const char *const level_names[] = {"error", "warning", "remark", "note"};
static const char *const level_colours[] = {"\033[31m", "\033[35m", "\033[34m", "\033[36m"};

/* One byte of source as something a terminal may be shown. */
static char shown(char c) { return c == '\t' ? '\t' : (unsigned char)c < ' ' || c == 127 ? '?' : c; }

/* The line that the range begins in, cut around it, and the range underlined. */
static void print_source(const Diagnostic *d, FILE *to) {
  const SourceFile *f = d->where.file;
  unsigned begin = d->where.begin < f->size ? d->where.begin : (unsigned)f->size;
  unsigned start = begin, stop = begin;
  while (start > 0 && f->text[start - 1] != '\n') start--;
  while (stop < f->size && f->text[stop] != '\n') stop++;
  unsigned end = d->where.end < begin + 1 ? begin + 1 : d->where.end;
  if (end > stop) end = stop > begin ? stop : begin + 1;
  const bool cut = stop - start > WIDEST && begin - start > WIDEST * 2 / 3; /* what fits is shown whole */
  unsigned from = cut ? begin - WIDEST / 2 : start;
  unsigned upto = stop - from > WIDEST ? from + WIDEST : stop;
  if (end > upto) end = upto > begin ? upto : begin + 1;
  int line, column;
  source_position(f, begin, &line, &column);
  fprintf(to, "%5d | %s", line, from > start ? ".." : "");
  for (unsigned i = from; i < upto; i++) fputc(shown(f->text[i]), to);
  fprintf(to, "%s\n      | %s", upto < stop ? ".." : "", from > start ? "  " : "");
  for (unsigned i = from; i < begin; i++) fputc(f->text[i] == '\t' ? '\t' : ' ', to);
  fputc('^', to);
  for (unsigned i = begin + 1; i < end; i++) fputc('~', to);
  fputc('\n', to);
}

static void print_text(const char *text, FILE *to) {
  for (; *text; text++) fputc(*text == '\n' ? ' ' : shown(*text), to);
}

static void print_one(const Diagnostic *d, FILE *to, bool colour) {
  if (d->where.file) {
    int line, column;
    source_position(d->where.file, d->where.begin, &line, &column);
    print_text(source_path(d->where.file, d->where.begin), to);
    fprintf(to, ":%d:%d: ", line, column);
  } else fputs("tgc: ", to);
  fprintf(to, "%s%s:%s ", colour ? level_colours[d->level] : "", level_names[d->level], colour ? "\033[0m" : "");
  print_text(d->message, to);
  if (d->pass) fprintf(to, " [%s]", d->pass);
  fputc('\n', to);
  if (d->where.file && d->where.file->text) print_source(d, to);
  const SourcePart *part = d->where.file ? source_part(d->where.file, d->where.begin) : NULL;
  if (part && part->by && d->level == DIAG_ERROR) {
    fputs("included at ", to);
    print_text(part->by, to);
    fputc('\n', to);
  }
  if (!d->hint) return;
  fputs("hint: ", to);
  print_text(d->hint, to);
  fputc('\n', to);
}

void diagnostics_print(const Diagnostics *d, FILE *to, unsigned remarks, bool colour) {
  int errors = 0;
  for (int i = 0; i < d->list.n; i++) {
    const Diagnostic *o = &d->list.at[i];
    if (o->level == DIAG_REMARK && !(o->remark & remarks)) continue;
    if (o->level == DIAG_ERROR && ++errors > MOST_ERRORS) continue;
    print_one(o, to, colour);
  }
  if (errors > MOST_ERRORS) fprintf(to, "tgc: %d more errors are not shown\n", errors - MOST_ERRORS);
}
