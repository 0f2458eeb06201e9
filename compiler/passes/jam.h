/* jam.h: turns of a CPU's loop over parts, side by side. */
#ifndef TGC_PASSES_JAM_H
#define TGC_PASSES_JAM_H

#include "ir/program.h"

enum { JAMMED_PARTS = 4 };

/* Loops of k's body whose turns may go side by side (UNROLL_JAM) take JAMMED_PARTS of them at once, as long as there are
 * so many, and then one at a time; loops in which these cannot be told apart stay as they are, with a remark in `d'. The
 * result is in `a'. */
Tree *pass_jam(Arena *a, const Kernel *k, Tree *body, Diagnostics *d);

#endif
