/* select.h: the lesser and the greater of two numbers.
 *
 * Of reals the same as on GPUs, what is no number counts for nothing; but of -0 and 0, which compare equal, it is the
 * first: to tell them apart costs twice the rest.
 *
 *   OF_TYPE        of a type that is the same in the whole file: NAME, TYPE
 *   REAL           .. and that has NaN
 *   OF_ELEMENTS    of T's: OF(NAME), and OF(PLAIN), which takes x for a number; NONE(x), a macro of the
 *                text, says whether it is none
 *   BEFORE(a, b)   is a selected?
 */
#include "alone.h"
#ifndef OF_TYPE
#define OF_TYPE 1
#define REAL 1
#define OF_ELEMENTS 1
#endif
#ifndef NAME
#define NAME min
#define PLAIN lesser
#define TYPE double
#define BEFORE(a, b) a < b
#endif
// ---- pasted from here on ----
#if OF_TYPE

#if REAL
static inline TYPE NAME(TYPE x, TYPE y) { return isnan(x) || BEFORE(y, x) ? y : x; }
#else
static inline TYPE NAME(TYPE x, TYPE y) { return BEFORE(x, y) ? x : y; }
#endif
#endif
#if OF_ELEMENTS
// What is no number is left out; where x is surely one, that takes no more than a comparison.
static inline T OF(PLAIN)(T x, T y) { return BEFORE(y, x) ? y : x; }
static inline T OF(NAME)(T x, T y) { return NONE(x) ? y : OF(PLAIN)(x, y); }

#endif
