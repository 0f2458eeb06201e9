/* atomics.h: atomics as the machine and the element types have them. */
#ifndef TGC_PASSES_ATOMICS_H
#define TGC_PASSES_ATOMICS_H

#include "arch/arch.h"
#include "ir/element.h"
#include "ir/program.h"

/* Has the machine an instruction (or a toolkit function; a CPU, OpenMP) for this atomic on this type? */
bool atomic_is_native(const Arch *m, AtomicOp op, Type type);

/* Do lanes of a warp that come to one word at once share an instruction? Memory takes those to one word one by one. */
bool atomic_is_shared(const Arch *m, AtomicOp op, Scope scope, Type type);

/* Block scope becomes device scope where the machine has no scopes (before sm_60); subtraction becomes the addition of
 * the negative; sets Program.helpers for what one of the types lacks,
 * or does together. */
void pass_atomics(Arena *a, Program *p, const Arch *m, const ElementType **types, int ntypes);

#endif
