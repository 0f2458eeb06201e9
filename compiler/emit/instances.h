/* instances.h: a kernel's template, and its instances. */
#ifndef TGC_EMIT_INSTANCES_H
#define TGC_EMIT_INSTANCES_H

#include "ir/program.h"

/* template <typename T, int threads, bool once>, on a line of its own; of a kernel that is none, nothing. */
void instances_head(Buffer *to, const Program *p, const Kernel *k);

/* sum_blocks<..>, or a choice between its instances, by the launcher's flags. */
void instances_choose(Buffer *to, const Program *p, const Kernel *k);

#endif
