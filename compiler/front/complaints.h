/* complaints.h: clang's diagnostics as ours. */
#ifndef TGC_FRONT_COMPLAINTS_H
#define TGC_FRONT_COMPLAINTS_H

#include <clang-c/Index.h>

#include "support/diagnostics.h"

/* How many errors clang found. */
int complaints_count(CXTranslationUnit tu);

/* What clang says at an offset of a generic codelet, in words that hold for every element type. */
typedef struct Wording { unsigned at; const char *message; } Wording;
typedef VEC(Wording) Wordings;

/* Those of a parse for a stand-in of the element type: its name becomes the parameter's, "T". */
void complaints_wordings(Arena *a, CXTranslationUnit tu, const SourceFile *file, const char *stand_in,
                         const char *parameter, Wordings *to);

/* Adds clang's errors to `d`, at their places in the file; what lies outside of the file is told at `otherwise`. Where
 * `general` (may be NULL) has words for a place, they are said in place of those for one element type. */
void complaints_add(Arena *a, CXTranslationUnit tu, const SourceFile *file, SourceRange otherwise,
                    const Wordings *general, Diagnostics *d);

#endif
