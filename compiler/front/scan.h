/* scan.h: a codelet file's text before libclang sees it: what is refused outright, and where the bodies are. */
#ifndef TGC_FRONT_SCAN_H
#define TGC_FRONT_SCAN_H

#include "support/diagnostics.h"

/* A stretch of the text: a top-level { .. }, braces included, or a struct's declaration. */
typedef struct Body { unsigned begin, end; } Body;

typedef struct Scan {
  char *text;        /* a copy of the file's text, same length, `Vector v();' without its parentheses */
  VEC(Body) bodies;  /* function bodies, in order */
  VEC(Body) declarations; /* whole ones of functions, with their bodies or to `;', in order */
  VEC(Body) natives; /* .. of these, `inline' and `static' functions, whose bodies are the C compiler's (native.h) */
  VEC(Body) structs; /* whole declarations of structs, from `template' or `struct' to `;' */
  VEC(Body) macros;  /* names that are defined */
} Scan;

/* Refuses, with places: NUL bytes, brackets nested beyond reason or unbalanced, directives that read files other than
 * those that were followed (include.h); of several files, what begins in one and ends in another. */
bool scan_source(Arena *a, const SourceFile *f, Scan *out, Diagnostics *d);

/* Of several files: what is defined alike in two is taken out where it stands again (merge.c). */
void scan_merge(Arena *a, const SourceFile *f, Scan *s);

/* A copy of the scanned text in which every body is `;' and blanks; places stay. */
char *scan_masked(Arena *a, const SourceFile *f, const Scan *s);

/* Makes all of a stretch blank but the ends of its lines. */
void scan_blank(char *text, Body b);

#endif
