/* A call's range, of sizes and of shapes.
 *
 * variant: -DBY_SHAPE=0
 * variant: -DBY_SHAPE=1
 * variant: -DBY_SHAPE=0 -DCONDITIONS=1
 * variant: -DBY_SHAPE=1 -DCONDITIONS=1
 * variant: -DBY_SHAPE=0 -DCONDITIONS=1 -DTURNS=1
 * variant: -DBY_SHAPE=1 -DCONDITIONS=1 -DTURNS=1
 * mutant: always the first of rivals: found = r + 1, least => least
 * mutant: the last that is quicker than the first: found = r + 1, least = time => found = r + 1
 * mutant: those of another room: && r[1].up_to == r->up_to => && true
 * mutant: those of other counts: && r[1].count == r->count => && true
 * mutant: behind the last one: r->past > 1 && => true &&
 * mutant: tiles that are not full: quotient_up(sides[d], extent) => sides[d] / extent
 * mutant: turns that are not full: quotient_up(tiles * shares, UNITS) => tiles * shares / UNITS
 * mutant: quotients of whole numbers, too, up to the next: whole < q ? whole + 1 => whole <= q ? whole + 1
 * mutant: as if nothing waited: waits = 48.0 => waits = 0.0
 * mutant: nobody shares: blocks >= 2 * tiles => false
 * mutant: shares of all: if (c.blocks > 0 && shares < 2) return 1e300; => ;
 * mutant: shares of less than four panels: if (each < 4 * panel) each = 4 * panel; => ;
 * mutant: shares that cost nothing: ADDED : 0 => 0 : 0
 * mutant: shares as long as all: (most + waits) * (each => (most + waits) * (sides[RANK]
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

#if TURNS
#if BY_SHAPE
#define ROW(UP_TO, COUNT, ROWS, WHEN, PAST) UP_TO, COUNT, ROWS, WHEN, PAST, &example_variants[0]
#else
#define ROW(UP_TO, COUNT, ROWS, WHEN, PAST) UP_TO, WHEN, PAST, &example_variants[0]
#endif

// The number of threads of the range that serves results of these sides, each a sum of so many elements, of those from
// number `first' on.
static int first_of_sums(const Range *ranges, int first, uint64_t rows, uint64_t columns, uint64_t elements) {
  const uint64_t sides[] = {rows, columns, elements};
  return first_of_rivals(ranges + first, sides)->c.threads;
}

static int first_by(const Range *ranges, int first, uint64_t rows, uint64_t columns) {
  return first_of_sums(ranges, first, rows, columns, 1000);
}

// Tiles are squares of as many rows as a range loads; there are four multiprocessors.
static bool rivals(void) {
  static const Range ranges[] = {{ROW(8, 10, 3, ROWS_ALIGNED, 5), {1, 8, 0}, 640},
                                 {ROW(8, 10, 2, ROWS_ALIGNED, 4), {96, 4, 0}, 200},
                                 {ROW(8, 10, 1, ROWS_ALIGNED, 3), {48, 2, 0}, 60},
                                 {ROW(8, 20, 1, ROWS_ALIGNED, 2), {32, 4, 0}, 3},
                                 {ROW(9, 20, 1, ROWS_ALIGNED, 1), {5, 4, 0}, 1},
                                 {ROW(9, 20, 1, 0, 3), {6, 4, 0}, 1},
                                 {ROW(UINT64_MAX, UINT64_MAX, 2, 0, 2), {48, 16, 0}, 100},
                                 {ROW(UINT64_MAX, UINT64_MAX, 1, 0, 1), {49, 16, 4}, 90}};
#if BY_SHAPE
  // 4, 16, 64 tiles of 8, 4, 2 rows: 640 * (1 + 48), 200 * (4 + .5), 60 * (16 + 1); one alone: 200 * 1.5, 60 * 2
  const bool room = first_by(ranges, 0, 16, 16) == 96 && first_by(ranges, 0, 4, 4) == 48;
#else
  const bool room = first_by(ranges, 0, 16, 16) == 32; // four of up to 8 elements
#endif
  return room && first_by(ranges, 4, 8, 8) == 5 && first_by(ranges, 6, 16, 16) == 49 &&
         first_by(ranges, 6, 64, 16) == 48 && first_by(ranges, 6, 17, 33) == 48 &&
         first_of_sums(ranges, 6, 16, 16, 300) == 49 &&
         first_of_sums(ranges, 6, 16, 16, 100) == 48 && // four panels of 16 are two shares: 100 * 2 * 100, 90 * 2 * 128
         first_of_sums(ranges, 6, 16, 16, 64) == 48;    // .. or nothing is shared
}
#endif

bool test(void) {
#if TURNS
  if (!rivals()) return false;
#endif
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
