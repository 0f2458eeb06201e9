/* select.h: minimum and maximum.
 *
 * NaN is ignored, as on GPUs. Of -0 and 0, which compare equal, the first is returned: to order them would cost
 * twice the rest.
 *
 *   OF_TYPE        NAME, for a fixed TYPE
 *   REAL           .. that has NaN
 *   OF_ELEMENTS    for T: OF(NAME), and OF(PLAIN), where x is never NaN; NONE(x), a macro of the text: is x NaN?
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
