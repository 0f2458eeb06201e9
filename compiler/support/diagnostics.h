/* diagnostics.h: what the compiler says, gathered as values and printed by main.
 *
 *   sum.cdl:14:9: error: `in' is read-only here
 *      14 |   in[0] = 3;
 *         |   ^~~~~
 *   hint: declare the parameter `__mutable'
 */
#ifndef TGC_SUPPORT_DIAGNOSTICS_H
#define TGC_SUPPORT_DIAGNOSTICS_H

#include <stdbool.h>
#include <stdio.h>

#include "support/arena.h"

/* Where, in a text made of several files, one of them begins. */
typedef struct SourcePart {
  const char *path;
  unsigned begin;
  int order;      /* in which they were met: a file comes before those that it includes, which stand before it */
  const char *by; /* "gemv.cdl:3", where it is included; NULL: the user gave it */
} SourcePart;

/* Bytes [begin, end) of a text. */
typedef struct SourceSpan { unsigned begin, end; } SourceSpan;

/* `#include "sum.cdl"', and the path of the file that it leads to; or `#include <immintrin.h>', a header of the
 * compiler's that the text is made for, which stays as it is: its name. */
typedef struct SourceInclude {
  SourceSpan at;
  const char *path;
  const char *header; /* NULL: it is a codelet file */
} SourceInclude;

/* A file of source text, or several that are read as one; `text` has a NUL behind its `size` bytes. */
typedef struct SourceFile {
  const char *path;  /* of several that the user gave: all names, with commas */
  const char *text;
  size_t size;
  SourcePart *parts; /* of several, in order; else NULL */
  int nparts;
  SourceInclude *includes; /* the directives that were followed (front/include.h) */
  int nincludes;
} SourceFile;

/* Bytes [begin, end) of a file; file NULL means "no place in particular". */
typedef struct SourceRange {
  const SourceFile *file;
  unsigned begin, end;
} SourceRange;

typedef enum DiagnosticLevel { DIAG_ERROR, DIAG_WARNING, DIAG_REMARK, DIAG_NOTE } DiagnosticLevel;

/* A remark says what a pass did (passed) or why it did not (missed). */
typedef enum RemarkKind { REMARK_NONE, REMARK_PASSED, REMARK_MISSED } RemarkKind;

typedef struct Diagnostic {
  DiagnosticLevel level;
  SourceRange where;
  const char *message;
  const char *hint; /* or NULL */
  const char *pass; /* of a remark: the pass's name, e.g. "shuffle"; else NULL */
  RemarkKind remark;
  bool internal;    /* an error of tgc's own, whatever it was given */
} Diagnostic;

typedef struct Diagnostics {
  Arena *arena;
  VEC(Diagnostic) list;
  int errors; /* how many of them are errors */
} Diagnostics;

Diagnostics *diagnostics_new(Arena *a);

/* Adds one. A repeat of an earlier one (same level, place and message) is dropped. `hint` may be NULL. */
void diagnostics_add(Diagnostics *d, DiagnosticLevel level, SourceRange where, const char *hint,
                     const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void diagnostics_remark(Diagnostics *d, RemarkKind kind, const char *pass, SourceRange where,
                        const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* An error "internal: ..": tgc's own fault, not that of what it was given. */
void diagnostics_internal(Diagnostics *d, SourceRange where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool diagnostics_have_internal(const Diagnostics *d);

/* Adds to `to' all that `from' has, as if it had been said there. */
void diagnostics_join(Diagnostics *to, const Diagnostics *from);

/* Line and column, from 1, of a byte offset, in the file that it lies in. Columns count bytes; a tab is one. */
void source_position(const SourceFile *f, unsigned offset, int *line, int *column);
/* That file's path. */
const char *source_path(const SourceFile *f, unsigned offset);
/* The part that an offset lies in; NULL: the file is of one piece. */
const SourcePart *source_part(const SourceFile *f, unsigned offset);
/* Its beginning; of several, that of the first that the user gave: where to say what is true of the whole. */
SourceRange source_whole(const SourceFile *f);
/* "line 12", or "line 12 of sum.cdl" if that is not the file that `from' lies in. */
const char *source_line(Arena *a, const SourceFile *f, unsigned offset, unsigned from);

/* Reads a file whole. NULL, with errno set, when it cannot be read. */
SourceFile *source_read(Arena *a, const char *path);

/* Where files' texts come from, if not from the disk: an editor has some that are not saved yet. `read' is as
 * source_read. */
typedef struct SourceReader {
  SourceFile *(*read)(const void *context, Arena *a, const char *path);
  const void *context;
} SourceReader;

/* Prints errors, warnings and notes in order of addition, and remarks when asked for
 * (remarks = 0 none, REMARK_PASSED, REMARK_MISSED or both or-ed). */
void diagnostics_print(const Diagnostics *d, FILE *to, unsigned remarks, bool colour);

#endif
