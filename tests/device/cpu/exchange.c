/* The lanes of a vector take each other's elements: one by one, as one vector, as two halves.
 *
 * mutant: halves exchanged: moved, moved, LIST low, LIST high => moved, moved, LIST high, LIST low
 * mutant: the low half twice: own[0], own[1], LIST high => own[0], own[1], LIST low
 * mutant: no exchange: (from)[whose[lane]] => (from)[lane]
 */
#include "exchange.h"

#include "cpu_test.h"

bool test(void) {
  const float from[threads] = {0, 10, 20, 30, 40, 50, 60, 70};
  static const int whose[threads] = {1, 0, 7, 2, 2, 6, 4, 5};
  float any[threads], four[threads], eight[threads];
  EXCHANGE_ANY(any, from, (1, 0, 7, 2), (2, 6, 4, 5));
  EXCHANGE_4(four, from, (1, 0, 7, 2), (2, 6, 4, 5));
  EXCHANGE_8(eight, from, (1, 0, 7, 2), (2, 6, 4, 5));
  for (int i = 0; i < threads; i++)
    if (any[i] != from[whose[i]] || four[i] != any[i] || eight[i] != any[i]) return false;
  return true;
}
