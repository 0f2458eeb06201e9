/* complaints.h: clang's diagnostics as ours. */
#ifndef TGC_FRONT_COMPLAINTS_H
#define TGC_FRONT_COMPLAINTS_H

#include <clang-c/Index.h>

#include "support/diagnostics.h"

/* How many errors clang found. */
int complaints_count(CXTranslationUnit tu);

/* Adds clang's errors to `d`, at their places in the file; what lies outside of the file is told at `otherwise`. */
void complaints_add(Arena *a, CXTranslationUnit tu, const SourceFile *file, SourceRange otherwise, Diagnostics *d);

#endif
