/* operator.h: the operators of reductions: what is known of each stands in one row of a table (operator.c).
 *
 * Of floats the maximum and the minimum are exact: a NaN gives way to any number, and +0 is more than -0. max() and
 * min() keep to that on every machine, and so do the device functions that stand for atomics. */
#ifndef TGC_IR_OPERATOR_H
#define TGC_IR_OPERATOR_H

#include "ir/tree.h"

/* Do values of a floating, or of an integer type give the same bits in whatever order it is applied to them? */
bool operator_is_exact(OperatorKind op, bool floating);
/* The atomic that accumulates by it; ATOMIC_NONE: there is none. */
AtomicOp operator_atomic(OperatorKind op);
/* The atomic by which a compound codelet accumulates its map's results, `m.atomicAdd()'; ATOMIC_NONE: by none. */
AtomicOp operator_atomic_of_map(const Codelet *c);
/* Does a codelet of the spectrum compare elements, as `x > best ? x : best' does? Of floats such a selection keeps -0
 * or +0, and a NaN or not, as the order has it. The comparison, or NULL. */
const Tree *operator_compared(const Spectrum *s);

/* Its identity as a tree of that type; is it one, also under casts? */
Tree *operator_identity(Arena *a, OperatorKind op, Type type);
bool operator_is_identity(OperatorKind op, const Tree *t);
const char *operator_name(OperatorKind op);  /* "add" */
const char *operator_word(OperatorKind op);  /* "Sum": as codelets and users call it */
const char *operator_suffix(Arena *a, const char *word); /* "_arg_max" of ArgMax */
OperatorKind operator_by_name(const char *word); /* OPERATOR_NONE: there is none of that word */
Op operator_op(OperatorKind op);             /* the op that applies it */
OperatorKind operator_of(Op op);             /* OPERATOR_NONE for one that is no monoid's */
OperatorKind operator_of_atomic(AtomicOp op);
/* Is the statement `x op= y', `x = x op y' or `x = y op x' for a variable x, by the operator of a monoid? Gives y; else
 * NULL. */
const Tree *operator_accumulated(const Tree *t, OperatorKind *op);

#endif
