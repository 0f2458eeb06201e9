/* Numbers as unsigned ones of the same order, by parts of that.
 *
 * mutant: the sign stays: FROM((BITS)x ^ (BITS)1 << (8 * sizeof(BITS) - 1), from, many) => FROM((BITS)x, from, many)
 * mutant: numbers below 0 rise: bits & sign ? ~(BITS)0 : sign => sign
 * mutant: one bit less: (1u << many) - 1u => (1u << (many - 1)) - 1u
 * mutant: always the lowest bits: x >> from => x
 */
#include "order.h"
#undef UNSIGNED
#undef SIGNED
#undef REAL
#undef NAME
#undef TYPE
#define UNSIGNED 0
#define SIGNED 1
#define REAL 0
#define NAME bits_of_int
#define TYPE int
#include "order.h"
#undef SIGNED
#undef REAL
#undef NAME
#undef TYPE
#define SIGNED 0
#define REAL 1
#define NAME bits_of_float
#define TYPE float
#include "order.h"

#include "cpu_test.h"

static bool ints(void) {
  const int x[] = {INT_MIN, -257, -256, -1, 0, 1, 255, 256, 65536, INT_MAX};
  unsigned before = 0;
  bool rises = true;
  for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
    const unsigned place = bits_of_int(x[i], 0, 8) | bits_of_int(x[i], 8, 8) << 8 | bits_of_int(x[i], 16, 16) << 16;
    rises &= i == 0 || place > before;
    before = place;
  }
  return rises;
}

static bool floats(void) {
  const float x[] = {-NAN, -INFINITY, -2, -1, -0.0f, 0, 1e-40f, 1, 1.0000001f, 2, INFINITY, NAN};
  unsigned before = 0;
  bool rises = true;
  for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
    const unsigned place = bits_of_float(x[i], 0, 16) | bits_of_float(x[i], 16, 16) << 16;
    rises &= i == 0 || place > before;
    before = place;
  }
  return rises;
}

bool test(void) { return ints() && floats() && order_bits_uint(0xabcdu, 4, 8) == 0xbcu; }
