/* uris.h: files as editors name them: "file:///home/a/b%20c.cdl". */
#ifndef TGC_LSP_URIS_H
#define TGC_LSP_URIS_H

#include "support/arena.h"

/* The path of a file's URI; of any other, its text stands for one. */
const char *uri_path(Arena *a, const char *uri);
/* The URI of a path, which is made absolute by the current folder. */
const char *uri_of(Arena *a, const char *path);

#endif
