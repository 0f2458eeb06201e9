/* prior.h: which containers a computation changes, and which it only fills. */
#ifndef TGC_IR_PRIOR_H
#define TGC_IR_PRIOR_H

#include "ir/tree.h"

/* Does the result depend on what this parameter holds before the call? True of one that is accumulated into, or that
 * the defining codelet reads; false of one that it only assigns to. True if the text does not show it. */
bool prior_matters(const Spectrum *s, int param);

#endif
