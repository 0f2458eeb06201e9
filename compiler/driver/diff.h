/* diff.h: in what two output folders differ: variants, texts, the dispatch, measurements. */
#ifndef TGC_DRIVER_DIFF_H
#define TGC_DRIVER_DIFF_H

#include <jansson.h>

#include "support/buffer.h"
#include "support/diagnostics.h"

/* One difference. Texts that a side does not have are NULL. */
typedef struct Difference {
  const char *where; /* "variant 3fa9c1d2", "float, 313 to 443", "types", "sum.h" */
  const char *one, *other;
} Difference;

typedef VEC(Difference) Differences;

typedef struct FolderDiff {
  const char *one, *other;          /* the folders */
  Differences facts;                /* spectrum, machine, types, .. */
  Differences variants;             /* plans that only one of them has; one, other: the plan */
  Differences texts;                /* files that both have, with different text */
  Differences dispatch;             /* sizes that are served by another variant or configuration */
  Differences measured;             /* sizes whose best time differs by more than the noise */
  int sizes_measured;               /* that both have times of; -1: one of them has none */
} FolderDiff;

/* Compares two folders of one machine each, whose manifests are these. False after an error in `d'. */
bool diff_folders(Arena *a, const json_t *one, const json_t *other, FolderDiff *to, Diagnostics *d);
bool diff_any(const FolderDiff *f);

/* diff_measured.c: adds what the folders' databases of measurements (DIR/tune.db) differ in. */
bool diff_measurements(Arena *a, FolderDiff *to, Diagnostics *d);

#endif
