/* dispatch.h: a table as the manifest's `dispatch' (support/manifest.h). */
#ifndef TGC_TABLE_DISPATCH_H
#define TGC_TABLE_DISPATCH_H

#include <jansson.h>

#include "table/table.h"

/* The rows as an array of objects, each with all `members' of a configuration; the caller owns it. Memory exhaustion
 * ends the process, as in an arena. */
json_t *table_dispatch(const Table *t, const Tunables *members);

/* Conditions as an array of their words; what an array of words means. */
json_t *conditions_array(unsigned when);
unsigned conditions_of_array(const json_t *array);

#endif
