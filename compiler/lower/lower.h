/* lower.h: a plan with its codelets -> kernel form. */
#ifndef TGC_LOWER_LOWER_H
#define TGC_LOWER_LOWER_H

#include "compose/plan.h"
#include "ir/program.h"

/* The program of one variant: kernels in lockstep semantics (no barriers yet) and the host's part. Its C names begin
 * with `name'. NULL, with an error in `d`, for what cannot be lowered. Everything is in `a`; plan and name must outlive
 * it. */
Program *lower_plan(Arena *a, const Plan *plan, const char *name, Diagnostics *d);

#endif
