/* order.h: numbers as unsigned ones of the same order, bit by bit: what a sort by digits reads.
 *
 * The sign is turned round, and of floating numbers below 0 all other bits too. -0 is less than 0, and NaN is beyond
 * the infinities, by its sign and its bits. Each function returns `many' bits of that number, from number `from' on,
 * which is below their number.
 *
 *   UNSIGNED BITS NAME     NAME, of the unsigned type BITS
 *   SIGNED TYPE FROM       NAME of TYPE, by FROM, the function of the unsigned type BITS of as many bits
 *   REAL                   .. a floating one
 */
#include "alone.h"
#ifndef NAME
#define UNSIGNED 1
#define SIGNED 0
#define REAL 0
#define NAME order_bits_uint
#define TYPE unsigned
#define BITS unsigned
#define FROM order_bits_uint
#endif
// ---- pasted from here on ----
#if UNSIGNED

static inline unsigned NAME(BITS x, int from, int many) { return (unsigned)(x >> from) & ((1u << many) - 1u); }
#endif
#if SIGNED

static inline unsigned NAME(TYPE x, int from, int many) {
  return FROM((BITS)x ^ (BITS)1 << (8 * sizeof(BITS) - 1), from, many);
}
#endif
#if REAL

static inline unsigned NAME(TYPE x, int from, int many) {
  const BITS sign = (BITS)1 << (8 * sizeof(BITS) - 1);
  BITS bits;
  memcpy(&bits, &x, sizeof bits);
  return FROM(bits ^ (bits & sign ? ~(BITS)0 : sign), from, many);
}
#endif
