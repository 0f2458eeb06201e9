/* compilers.h: what C compilers are told, and how, so that they do what was meant.
 *
 *   COPYING          loops that copy stay loops
 *   SINGLE_POINTER   arrays share a pointer
 *   UNSEEN           unseen. Beside an array of the same function that is read at places which are not known, GCC 12 keeps
 *                    what a loop accumulates in memory
 *   FOR_CALLS        FOR_EACH_CALL: a kernel's flag is known where it is called
 *   FUSED            FUSED_FLOAT, FUSED_DOUBLE: one instruction, if there is one; a call of a function would cost more than
 *                    it saves
 */
#include "alone.h"
#ifndef UNSEEN
#define COPYING 1
#define SINGLE_POINTER 1
#define UNSEEN 1
#define FOR_CALLS 1
#define FUSED 1
#endif
// ---- pasted from here on ----
#if COPYING

// Loops that copy stay loops: what GCC copies by itself goes by halves of a vector, and whoever reads the whole
// waits for them.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns")
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
