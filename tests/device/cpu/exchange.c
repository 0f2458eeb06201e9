/* The lanes of a vector take each other's elements: one by one, as one vector, as two halves.
 *
 * mutant: halves exchanged: lanes_moved, LIST low, LIST high => lanes_moved, LIST high, LIST low
 * mutant: the low half twice: lanes_given[1], LIST high => lanes_given[1], LIST low
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
  const long long places[threads] = {0, -1, 2, 3LL << 40, 4, 5, 6, 7};
  long long moved[threads], own[threads];
  memcpy(own, places, sizeof own);
  EXCHANGE_8(moved, own, (1, 0, 7, 2), (2, 6, 4, 5));
  for (int i = 0; i < threads; i++)
    if (moved[i] != places[whose[i]] || any[i] != from[whose[i]] || four[i] != any[i] || eight[i] != any[i]) return false;
  return true;
}
