/* include.h: a codelet file together with those that it includes, as one text. */
#ifndef TGC_FRONT_INCLUDE_H
#define TGC_FRONT_INCLUDE_H

#include "support/diagnostics.h"

/* Reads the files, and what they include by `#include "sum.cdl"', each once:
 *
 *   where     only comments may come before an #include
 *   looked up beside the file that includes it, then among the shipped codelets; its name leads nowhere else
 *   order     each file stands whole in the text, behind those that it includes, so that no file's macros reach what
 *             it includes
 *   bounds    files in files, how many, and their bytes in all
 *
 * `reader': whom to ask for texts; NULL: the disk. One file that includes nothing stays what it is. Paths are shown
 * without bytes that a terminal obeys. NULL after errors in `d'. */
SourceFile *include_read(Arena *a, const char *const *paths, int n, const SourceReader *reader, Diagnostics *d);
/* The same of files that are read already. */
SourceFile *include_follow(Arena *a, SourceFile *const *files, int n, Diagnostics *d);
/* The file, and behind it a shipped one that includes nothing and that it does not name. NULL: there is no such one. */
SourceFile *include_shipped(Arena *a, const SourceFile *file, const char *name);

#endif
