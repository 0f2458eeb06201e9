/* before.c: what became slower since the table that the folder had.
 *
 * Rows of a measured table say in their comments what served a shape in which time. If the same device was tuned again,
 * and the best candidate at that shape now takes over 3% longer, the shape is named: the compiler writes worse texts
 * than it did, or the machine was busy. bench/slower.py compares records and tables in the same way. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune.h"

static const double slower = 1.03;

/* The best time at a shape that the table names as `where'; infinite: it was not measured now. */
static double best_at(Arena *a, const SizeFindings *findings, int n, const char *where) {
  double best = INFINITY;
  for (int i = 0; i < n; i++) {
    if (strcmp(shape_text(a, findings[i].at), where) != 0) continue;
    for (int k = 0; k < findings[i].list.n; k++) {
      const double us = findings[i].list.at[k].mode[MODE_GRAPH].median;
      if (us > 0 && us < best) best = us;
    }
  }
  return best;
}

/* How far a printed time may be from what was measured: half of its last digit. */
static double rounding(const char *digits) {
  const char *point = strchr(digits, '.');
  return 0.5 * pow(10, point ? -(double)strlen(point + 1) : 0);
}

void before_compare(Arena *a, const Table *before, const char *device, const char *type, const SizeFindings *findings,
                    int n, Diagnostics *d) {
  const char *same = arena_printf(a, "measured on %s", device);
  if (!before->heading || !strstr(before->heading, same)) return;
  for (int i = 0; i < before->rows.n; i++) {
    const TableRow *r = &before->rows.at[i];
    char where[64], digits[32];
    if (strcmp(r->type, type) != 0 || !r->comment) continue;
    if (sscanf(r->comment, "at %63[^:]: %31[0-9.] us", where, digits) != 2) continue;
    const double us = atof(digits), now = best_at(a, findings, n, where);
    if (isinf(now) || now <= (us + rounding(digits)) * slower) continue;
    diagnostics_add(d, DIAG_WARNING, (SourceRange){0}, NULL,
                    "%s at %s is slower than in the table before: %.4g us, now %.4g us (%.2fx)", type, where, us, now,
                    now / us);
  }
}
