/* The lesser of two reals, of a fixed type and of T's: what is no number counts for nothing.
 *
 * mutant: a number for none: isnan(x) || BEFORE(y, x) => BEFORE(y, x)
 * mutant: none for a number: NONE(x) ? y : => false ? y :
 * mutant: the other: OF(PLAIN)(T x, T y) { return BEFORE(y, x) => OF(PLAIN)(T x, T y) { return BEFORE(x, y)
 * mutant: the greater: TYPE NAME(TYPE x, TYPE y) { return BEFORE(x, y) => TYPE NAME(TYPE x, TYPE y) { return BEFORE(y, x)
 */
#include "select.h"
#undef OF_TYPE
#undef OF_ELEMENTS
#undef REAL
#undef NAME
#undef TYPE
#define OF_TYPE 1
#define OF_ELEMENTS 0
#define REAL 0
#define NAME least_of_all
#define TYPE Index
#include "select.h"

#include "cpu_test.h"

bool test(void) {
  const double none = NAN;
  return min(2, 1) == 1 && min(1, 2) == 1 && min(none, 2) == 2 && min(2, none) == 2 && OF(min)((float)none, 2) == 2 &&
         OF(min)(2, (float)none) == 2 && OF(min)(3, 2) == 2 && OF(lesser)(1, 2) == 1 && least_of_all(5, -5) == -5;
}
