/* paths.h: where the compiler finds its own files at run time. */
#ifndef TGC_SUPPORT_PATHS_H
#define TGC_SUPPORT_PATHS_H

#include <stdbool.h>

#include "support/arena.h"

/* A folder of the installation: "archspec", "runtime/simt". Looks in $TGC_DATA_DIR; without that in the executable's
 * prefix, wherever it was moved to (../share/tgc), then beside the source it was built from. NULL when it is
 * nowhere. */
const char *path_of_data(Arena *a, const char *folder);

/* Do two paths lead to one file? Also if they are the same, and there is none. */
bool path_is_same(const char *one, const char *other);

#endif
