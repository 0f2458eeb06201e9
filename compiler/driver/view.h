/* view.h: tgc view: an output folder as one HTML page, which needs nothing but a browser.
 *
 * The page is view/page.html with the style, the scripts and the folder's facts in their places. The facts are JSON:
 *   folders      one of each machine and spectrum: what its manifest says, and beside that
 *     path         "sm_90", "" of a folder of one
 *     files, remarks   of check/codelets.json
 *     table        {"heading"; "notes": the comments of its rows, in the dispatch's order}, or null
 *     bytes        by type: bytes that are moved for each element; no entry where the types do not tell
 *     measured     view_measured.c, or null
 *     variants     as in the manifest, but the values of the keys in view.c's `pooled' are numbers in `pool', those of
 *                  `each_pooled' arrays of these; `text' and `nest' are numbers in `paragraphs'
 *   pool         values that several variants have
 *   lines        all lines of texts, each once; \1 stands for the variant's id, \2 for that in capitals, \3 for its
 *                plan
 *   paragraphs   arrays of numbers in `lines' */
#ifndef TGC_DRIVER_VIEW_H
#define TGC_DRIVER_VIEW_H

#include <jansson.h>

#include "support/buffer.h"
#include "support/diagnostics.h"

/* The page of the folder `dir'. `database': the measurements to show; NULL: those of each machine's folder, tune.db, if
 * there are any. False after an error in `d'. */
bool view_page(Arena *a, const char *dir, const char *database, Buffer *page, Diagnostics *d);

/* view_measured.c: the measurements of a database that are of the variants' texts as they are. NULL after an error in
 * `d'. */
json_t *view_measured(Arena *a, const char *path, const json_t *manifest, Diagnostics *d);

/* view_pool.c: values that are stored once. */
typedef struct ViewPool ViewPool;
ViewPool *view_pool_new(Arena *a);
void view_pool_free(ViewPool *p);
/* The number of a value, whose reference it takes. */
json_t *view_pool_value(ViewPool *p, json_t *value);
/* The paragraphs of a variant's text, which blank lines separate, as an array of numbers. */
json_t *view_pool_text(ViewPool *p, const json_t *variant, const char *text);
/* Adds `pool', `lines' and `paragraphs' to the object. */
void view_pool_put(ViewPool *p, json_t *to);

#endif
