/* What compilers are told changes nothing.
 *
 * mutant: another array: return array; => return (char *)array + 1;
 * mutant: another sum: ((x) * (y) + (z)) => ((x) * (y) - (z))
 * mutant: not for each call: FOR_EACH_CALL inline __attribute__((always_inline)) => FOR_EACH_CALL extern
 */
#include "compilers.h"

#include "cpu_test.h"

static FOR_EACH_CALL int twice(bool flag, int x) { return flag ? 2 * x : x; }

bool test(void) {
  int own[3] = {1, 2, 3}, *seen = (int *)unseen(own);
  return seen[2] == 3 && twice(true, 4) == 8 && twice(false, 4) == 4 && FUSED_NOT(2, 3, 4) == 10 &&
         FUSED_FLOAT(2.0f, 3.0f, 4.0f) == 10 && FUSED_DOUBLE(2.0, 3.0, 4.0) == 10;
}
