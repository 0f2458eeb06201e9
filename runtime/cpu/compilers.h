/* compilers.h: pragmas, attributes and builtins of C compilers.
 *
 *   COPYING          copy loops are not turned into calls of memcpy, and nobody asks for errno
 *   NO_TRAPS         lanes without an element may compute: what functions of lanes need, whose choices are no branches
 *                    then. GCC 12 makes no vectors of a maximum that passes over NaN so
 *   SINGLE_POINTER   no induction variable for each array
 *   UNSEEN           unseen: hides that an array is a local one. Otherwise GCC 12 keeps accumulators in memory beside a local
 *                    array that is read at unknown indices
 *   FOR_CALLS        FOR_EACH_CALL: inlined, as the caller knows the kernel's flag
 *   APART_FROM_CALLS APART: not inlined, since GCC 12 forgets of inlined functions which of their arrays overlap
 *   FUSED            FUSED_FLOAT, FUSED_DOUBLE: fused multiply-add if there is an instruction; fma() would be slower
 */
#include "alone.h"
#ifndef UNSEEN
#define COPYING 1
#define NO_TRAPS 1
#define SINGLE_POINTER 1
#define UNSEEN 1
#define FOR_CALLS 1
#define APART_FROM_CALLS 1
#define FUSED 1
#endif
// ---- pasted from here on ----
#if COPYING

// Loops that copy stay loops: what GCC copies by itself goes by halves of a vector, and whoever reads the whole
// waits for them. Nobody asks for errno after a root.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns", "no-math-errno")
#endif
#endif
#if NO_TRAPS
// Nobody asks which exceptions a function of lanes has raised: it computes both sides of a choice.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-trapping-math")
#endif
#endif
#if SINGLE_POINTER
// With a pointer for each array GCC 12 reads their lines out of order, which costs a twentieth of what an L2 gives.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-ivopts")
#endif
#endif
#if UNSEEN

// An array of a function's own, which compilers take for any other.
static inline void *unseen(void *volatile array) { return array; }
#endif
#if FOR_CALLS

// A function that is compiled for each of its calls: their flag, true or false, decides what there is of it.
#ifdef __GNUC__
#define FOR_EACH_CALL inline __attribute__((always_inline))
#else
#define FOR_EACH_CALL inline
#endif
#endif
#if APART_FROM_CALLS

// A function of its own: compilers know of its arrays that they do not overlap, and keep in registers what they can.
#ifdef __GNUC__
#define APART __attribute__((noinline))
#else
#define APART
#endif
#endif
#if FUSED

// x * y + z, rounded once where the machine has an instruction for it.
#define FUSED_NOT(x, y, z) ((x) * (y) + (z))
#if (defined __GNUC__ || defined __clang__) && (defined __FMA__ || defined __ARM_FEATURE_FMA)
#define FUSED_FLOAT __builtin_fmaf
#define FUSED_DOUBLE __builtin_fma
#else
#define FUSED_FLOAT FUSED_NOT
#define FUSED_DOUBLE FUSED_NOT
#endif
#endif
