/* paths.h: where the compiler finds its own files at run time. */
#ifndef TGC_SUPPORT_PATHS_H
#define TGC_SUPPORT_PATHS_H

#include "support/arena.h"

/* A folder of the installation: "archspec", "runtime/simt". Looks in $TGC_DATA_DIR, then beside the source it was built
 * from, then in ../share/tgc of the executable. NULL when it is nowhere. */
const char *path_of_data(Arena *a, const char *folder);

#endif
