/* lower.h: a plan with its codelets -> kernel form. */
#ifndef TGC_LOWER_LOWER_H
#define TGC_LOWER_LOWER_H

#include "compose/plan.h"
#include "ir/program.h"

/* The program of one variant: kernels in lockstep semantics (no barriers yet) and the host's part. Its C names begin
 * with `name'. NULL, with an error in `d`, for what cannot be lowered. Everything is in `a`; plan and name must outlive
 * it. */
Program *lower_plan(Arena *a, const Plan *plan, const char *name, Diagnostics *d);

/* The sequential codelet of a spectrum: an autonomous one, or one that applies a spectrum which has one; NULL: none. */
const Codelet *lower_sequential_codelet(const Spectrum *s);

/* A spectrum's sequential codelet as one loop over all of `in`: a program with one kernel that one lane runs. For
 * the reference that variants are checked against. */
Program *lower_sequential(Arena *a, const Spectrum *s, const Codelet *c, Diagnostics *d);

#endif
