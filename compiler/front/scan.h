/* scan.h: a codelet file's text before libclang sees it: what is refused outright, and where the bodies are. */
#ifndef TGC_FRONT_SCAN_H
#define TGC_FRONT_SCAN_H

#include "support/diagnostics.h"

/* A top-level { .. } of the text, braces included. */
typedef struct Body { unsigned begin, end; } Body;

typedef struct Scan {
  char *text;        /* a copy of the file's text, same length, `Vector v();' without its parentheses */
  VEC(Body) bodies;  /* function bodies, in order */
} Scan;

/* Refuses, with places: NUL bytes, brackets nested beyond reason or unbalanced, directives that read files. */
bool scan_source(Arena *a, const SourceFile *f, Scan *out, Diagnostics *d);

/* A copy of the scanned text in which every body but number `keep` (-1: every body) is `;' and blanks; places stay. */
char *scan_masked(Arena *a, const SourceFile *f, const Scan *s, int keep);

#endif
