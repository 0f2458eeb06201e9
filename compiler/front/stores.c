/* stores.c: loops that store each element of a container, of whatever they read,
 *
 *     for (i ..) for (j ..) B(i, j) = max(A(2 * i, 2 * j), w[j]);
 *
 * in parts (divisible.c). Which loops are cut, independent.c says; all others, that carry values perhaps, stay loops of
 * a part. */
#include "front/stores.h"

#include "front/independent.h"
#include "front/row_tiles.h"

static void divide(Arena *a, Unit *u, const Independent *x) {
  const DivisiblePart part = divisible_part(a, u, &x->loops, "at");
  if (!part.codelet) return;
  if (part.codelet == x->loops.codelet) row_tiles_add(a, u, &x->loops);
  divisible_add_cut(a, &part, "tiled", NULL, false);
  divisible_add_cut(a, &part, "strided", NULL, true);
}

void stores_divide(Arena *a, Unit *u, Diagnostics *d) {
  const int n = u->nspectra;
  for (int i = 0; i < n; i++) {
    Spectrum *s = u->spectra[i];
    Independent x;
    if (s->ncodelets != 1 || divide_is_shared_out(u, s)) continue;
    if (independent_find(a, s->codelets[0], &x)) divide(a, u, &x);
    else if (x.why && !divide_is_applied(u, s))
      diagnostics_remark(d, REMARK_MISSED, "loops", x.where->where.file ? x.where->where : s->codelets[0]->where,
                         "one lane does all of it: %s", x.why);
  }
}
