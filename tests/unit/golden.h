/* golden.h: text against a file that holds what is expected; TGC_UPDATE=1 writes the files anew. */
#ifndef TGC_TESTS_GOLDEN_H
#define TGC_TESTS_GOLDEN_H

#include "support/diagnostics.h"

/* The path of a file of the source tree. */
const char *golden_path(Arena *a, const char *relative);

/* Fails the running test, showing both, when `text` is not what the file (relative to the source tree) holds. */
void golden_compare(Arena *a, const char *relative, const char *text);

/* All errors, warnings and notes, and the remarks asked for, as they would be printed. */
const char *golden_diagnostics(Arena *a, const Diagnostics *d, unsigned remarks);

/* The files of a folder that end in `ending`, sorted; relative to the source tree. */
const char **golden_files(Arena *a, const char *folder, const char *ending, int *count);

/* A source file whose path, as diagnostics show it, is its name alone. */
SourceFile *golden_source(Arena *a, const char *relative);
/* Codelets with what they include; NULL after errors. */
SourceFile *golden_codelets(Arena *a, const char *relative, Diagnostics *d);

#endif
