/* monoid.c: what follows from an operator's declared properties. */
#include "ir/monoid.h"

bool spectrum_commutes(const Spectrum *s) { return !s->monoid || s->monoid->commutative; }
