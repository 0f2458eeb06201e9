/* kernel_passes.h: passes over a kernel's body in kernel form: order between lanes, and tidiness. */
#ifndef TGC_PASSES_KERNEL_PASSES_H
#define TGC_PASSES_KERNEL_PASSES_H

#include "ir/program.h"

/* barriers.c. `body` is k's, in lockstep semantics: statement by statement, all lanes load, then all lanes store.
 * Returns a body that means the same when lanes run on their own, with a BARRIER between conflicting accesses to
 * shared memory, at the smallest scope that covers both. Splits statements and branches where a barrier has to
 * stand inside them: *apart; else barriers are all that is new. NULL, with an error in `d`, when lanes that exchange
 * data do not run together; remarks (pass "barrier") say what each barrier orders. Machines whose lanes run in lockstep
 * (before sm_70) get the same barriers: the text is compiled for later ones too. The result is in `a`. */
Tree *pass_barriers(Arena *a, const Kernel *k, Tree *body, bool *apart, Diagnostics *d);

/* cluster.c. `body' with a cluster's barriers in halves: every block arrives as early, and waits as late, as order
 * allows. Never fails. The result is in `a'. */
Tree *pass_cluster(Arena *a, Tree *body);

/* fold.c. `body` without what is decided at compile time: constants, conditions that the ranges of lane numbers and
 * block sizes settle, branches and loops that never run, locals that nothing reads. Values stay exactly the same,
 * floating ones too. Never fails; folding twice changes nothing more. The result is in `a`. */
Tree *pass_fold(Arena *a, const Kernel *k, Tree *body);

#endif
