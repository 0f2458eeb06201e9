/* A call's range, of sizes and of shapes.
 *
 * variant: -DBY_SHAPE=0
 * variant: -DBY_SHAPE=1
 * variant: -DBY_SHAPE=0 -DCONDITIONS=1
 * variant: -DBY_SHAPE=1 -DCONDITIONS=1
 * mutant: one too far: while (n > r->up_to) ++r; => while (n >= r->up_to) ++r;
 * mutant: past its rows: r += r->rows => r += r->rows + 1
 * mutant: any count: while (count > r->count) ++r; => ;
 * mutant: whatever it asks: if (r->when & ~like) r += r->past; => if (false) ;
 * mutant: one that asks for the same: r += r->past => r += r->past + 1
 * mutant: not in use: OF_TYPE(in_use) = ranges; => ;
 */
#include "ranges.h"

#include "cpu_test.h"

const example_variant example_variants[2] = {{"a", NULL}, {"b", NULL}};

bool test(void) {
#if BY_SHAPE && CONDITIONS
  static const Range ranges[] = {{4, 10, 1, ROWS_ALIGNED | RESULTS_TALL, 1, &example_variants[0], {1, 0, 0}},
                                 {8, 10, 2, ROWS_ALIGNED, 2, &example_variants[0], {2, 0, 0}},
                                 {8, 20, 1, ROWS_ALIGNED, 1, &example_variants[0], {3, 0, 0}},
                                 {4, UINT64_MAX, 1, 0, 2, &example_variants[0], {4, 0, 0}},
                                 {UINT64_MAX, UINT64_MAX, 1, 0, 1, &example_variants[1], {5, 0, 0}}};
  const int both = ROWS_ALIGNED | RESULTS_TALL;
  USE_TYPE(ranges);
  return range_of(float_in_use, 4, 10, both)->c.threads == 1 && range_of(float_in_use, 4, 11, both)->c.threads == 3 &&
         range_of(float_in_use, 5, 10, both)->c.threads == 2 && range_of(float_in_use, 4, 10, ROWS_ALIGNED)->c.threads == 2 &&
         range_of(float_in_use, 4, 21, both)->c.threads == 4 && range_of(float_in_use, 5, 21, both)->c.threads == 5 &&
         range_of(float_in_use, 4, 1, RESULTS_TALL)->c.threads == 4 && range_of(float_in_use, 9, 1, both)->c.threads == 5 &&
         range_of(float_in_use, 5, 1, RESULTS_WIDE)->variant == &example_variants[1];
#elif CONDITIONS
  static const Range ranges[] = {{4, ROWS_ALIGNED, 1, &example_variants[0], {1, 0, 0}},
                                 {8, RESULTS_WIDE, 1, &example_variants[0], {2, 0, 0}},
                                 {4, 0, 2, &example_variants[0], {3, 0, 0}},
                                 {UINT64_MAX, 0, 1, &example_variants[1], {4, 0, 0}}};
  USE_TYPE(ranges);
  return range_of(float_in_use, 4, ROWS_ALIGNED)->c.threads == 1 && range_of(float_in_use, 5, ROWS_ALIGNED)->c.threads == 4 &&
         range_of(float_in_use, 5, ROWS_ALIGNED | RESULTS_WIDE)->c.threads == 2 && range_of(float_in_use, 0, 0)->c.threads == 3 &&
         range_of(float_in_use, UINT64_MAX, RESULTS_WIDE)->variant == &example_variants[1];
#elif BY_SHAPE
  static const Range ranges[] = {{4, 10, 2, &example_variants[0], {1, 0, 0}},
                                 {4, UINT64_MAX, 1, &example_variants[0], {2, 0, 0}},
                                 {UINT64_MAX, UINT64_MAX, 1, &example_variants[1], {3, 0, 0}}};
  USE_TYPE(ranges);
  return range_of(float_in_use, 4, 10)->c.threads == 1 && range_of(float_in_use, 1, 11)->c.threads == 2 &&
         range_of(float_in_use, 5, 1)->c.threads == 3 && range_of(float_in_use, 5, 1)->variant == &example_variants[1] &&
         range_of(float_in_use, UINT64_MAX, UINT64_MAX)->c.threads == 3;
#else
  static const Range ranges[] = {{4, &example_variants[0], {1, 0, 0}}, {UINT64_MAX, &example_variants[1], {2, 0, 0}}};
  USE_TYPE(ranges);
  return range_of(float_in_use, 0)->c.threads == 1 && range_of(float_in_use, 4)->c.threads == 1 &&
         range_of(float_in_use, 5)->c.threads == 2 && range_of(float_in_use, UINT64_MAX)->c.threads == 2;
#endif
}
