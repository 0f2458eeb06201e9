/* min and max in C++: NaN counts for nothing, and -0 is less than +0.
 *
 * mutant: zeros alike: return x == 0 && y == 0 ? -(-x - y) : y < x => return y < x
 * mutant: the greater zero: return x == 0 && y == 0 ? x + y : x < y => return x < y
 * mutant: none: y < x || x != x ? y => y < x ? y
 */
#include "extremes.h"

#include <math.h>

#include "cpu_test.h"

bool test(void) {
  return signbit(::min<double>(0.0, -0.0)) && signbit(::min<double>(-0.0, 0.0)) && !signbit(::max<double>(-0.0, 0.0)) &&
         !signbit(::max<double>(0.0, -0.0)) && ::min<double>(NAN, 1) == 1 && ::max<double>(1, NAN) == 1 &&
         ::max<double>(NAN, 1) == 1 && ::min(3, -3) == -3 && ::max(3, -3) == 3;
}
