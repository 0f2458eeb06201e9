/* Rows, transposed: element k of all rows is a vector.
 *
 * mutant: not transposed: lane * (apart) + line => line * (apart) + lane
 * mutant: no distance: lane * (apart) + line => lane * threads + line
 */
#include "rows.h"

#include "cpu_test.h"

bool test(void) {
  enum { APART = threads + 3 };
  float from[threads * APART], to[threads * threads];
  for (int i = 0; i < threads * APART; i++) from[i] = (float)i;
  LOAD_ROWS_ANY(to, from, APART);
  for (int row = 0; row < threads; row++)
    for (int k = 0; k < threads; k++)
      if (to[k * threads + row] != from[row * APART + k]) return false;
  return true;
}
