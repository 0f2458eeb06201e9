/* depfile.h: which codelet files a compilation read, for a build tool. */
#ifndef TGC_DRIVER_DEPFILE_H
#define TGC_DRIVER_DEPFILE_H

#include "support/diagnostics.h"

/* Writes to `path' a rule as make reads it: "TARGET: gemv.cdl dot.cdl", TARGET being the path without its ".d". False
 * after an error in `d'. */
bool depfile_write(Arena *a, const SourceFile *read, const char *path, Diagnostics *d);

#endif
