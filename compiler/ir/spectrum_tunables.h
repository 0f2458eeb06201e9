/* spectrum_tunables.h: the tunables of codelets' own. */
#ifndef TGC_IR_SPECTRUM_TUNABLES_H
#define TGC_IR_SPECTRUM_TUNABLES_H

#include "ir/tree.h"

typedef VEC(const Spectrum *) Spectra;

/* The spectrum, and all that its codelets apply, those that these apply, .. */
Spectra spectrum_applied(Arena *a, const Spectrum *s);

/* The tunables of its codelets' own, and of all that they apply, in order. One name is one tunable: codelets that have
 * the same have it together. */
Tunables spectrum_tunables(Arena *a, const Spectrum *s);

#endif
