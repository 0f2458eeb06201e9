/* steps.h: compound codelets that apply spectra one after another. */
#ifndef TGC_FRONT_STEPS_H
#define TGC_FRONT_STEPS_H

#include "ir/tree.h"

/* Are the codelet's steps (ir/steps.h) such as can be composed? Errors say what stands between them that cannot, what
 * is not used, and where there are too many. */
bool front_steps(const Codelet *c, Diagnostics *d);

#endif
