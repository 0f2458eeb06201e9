/* manifest_file.h: manifest.json read back. support/manifest.h says what is in it. */
#ifndef TGC_SUPPORT_MANIFEST_FILE_H
#define TGC_SUPPORT_MANIFEST_FILE_H

#include <jansson.h>

#include "support/buffer.h"
#include "support/diagnostics.h"

/* The manifest of the folder `dir`, every key that support/manifest.h lists present and of its type, so that
 * a reader need not look again; the caller gives it back with json_decref. NULL after an error in `d`: no
 * such file, no JSON (with line and column), made by no tgc or by one of another version, a key that is
 * missing or wrong (with its path, "variants[3].launches[0].threads"). */
json_t *manifest_read(Arena *a, const char *dir, Diagnostics *d);

/* Prints one as the file has it. */
void manifest_print(Buffer *to, const json_t *manifest);

#endif
