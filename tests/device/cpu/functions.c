/* Functions of lanes beside those of C's library for wider numbers: at numbers of all sizes,
 * and where a result leaves its type.
 *
 * mutant: too soon infinite: x > 89 ? 89 : x < -104 => x > 88 ? 88 : x < -104
 * mutant: too soon zero: x < -746 ? -746 => x < -740 ? -740
 * mutant: one factor: half = power >> 1; // two factors, since n may be 128 => half = 0;
 * mutant: of 2 too soon infinite: x > 129 ? 129 => x > 127 ? 127
 * mutant: of another base: * 0x1.62e42fefa39efp-1 => * 0x1.62e43p-1
 * mutant: of 2 too soon zero: x < -1075 ? -1075 => x < -1070 ? -1070
 * mutant: a number off: y = FUSED_FLOAT(y, rest, 0x1.5554dcp-3f); => y = FUSED_FLOAT(y, rest, 0x1.5454dcp-3f);
 * mutant: a rest lost: FUSED_DOUBLE(n, -0x1.3de6af278ece6p-42, FUSED => FUSED_DOUBLE(0, 0, FUSED
 * mutant: no sign of zero: return fabs(x) < 0x1p-80 ? x : 2 => return 2
 * mutant: not up to one: fabsf(x) > 10 ? 20 => fabsf(x) > 8 ? 16
 * mutant: no sign: return copysign(y / (y + 2), x); => return y / (y + 2);
 * mutant: of tiny numbers: (tiny ? 1075 : 1023) => (tiny ? 1023 : 1023)
 * mutant: of negative numbers: x == 0 ? -INFINITY : NAN => -INFINITY
 * mutant: of infinity: x < (double)INFINITY ? y : x => y
 */
#include "compilers.h"
#define SINGLE 1
#define EXP 1
#define EXP2 1
#define EXPM1 1
#define TANH 1
#define LOG 1
#include "functions.h"
#undef SINGLE
#define SINGLE 0
#include "functions.h"

#include "cpu_test.h"

// Is y what it should be, but for so many units in the last place, of numbers with so many bits and the least exponent?
static bool near(long double y, long double right, int bits, int least, long double most) {
  if (isnan(right)) return isnan(y);
  if (isinf(right) || right == 0) return y == right && !signbit(y) == !signbit(right);
  const int exponent = ilogbl(right);
  const bool beyond = exponent >= 2 - least; // of what the type has no number for
  if (beyond) return isinf(y) && (y > 0) == (right > 0);
  return fabsl(y - right) <= most * ldexpl(1, (exponent < least ? least : exponent) + 1 - bits);
}

static bool float_is_right(float x) {
  return near(lane_expf(x), expl(x), 24, -126, 2) && near(lane_expm1f(x), expm1l(x), 24, -126, 2) &&
         near(lane_exp2f(x), exp2l(x), 24, -126, 2) &&
         near(lane_tanhf(x), tanhl(x), 24, -126, 3) && near(lane_logf(x), logl(x), 24, -126, 2);
}

static bool double_is_right(double x) {
  return near(lane_exp(x), expl(x), 53, -1022, 2) && near(lane_expm1(x), expm1l(x), 53, -1022, 2) &&
         near(lane_exp2(x), exp2l(x), 53, -1022, 2) &&
         near(lane_tanh(x), tanhl(x), 53, -1022, 3) && near(lane_log(x), logl(x), 53, -1022, 2);
}

bool test(void) {
  static const double some[] = {0.0, -0.0, 1, INFINITY, -INFINITY, NAN, 88.6, 88.8, -103.5, -87.5, 709.5, 711,
                                -744.5, -708.5, 127.9, 128, -148.5, 1023.9, 1024, -1074.4, 0x1p-1074, 0x1p-149, 0x1.8p-1023, 8.5, 9, 0.3465,
                                -0.3466, 1e300, -1e300};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    if (!float_is_right((float)some[i]) || !double_is_right(some[i])) return false;
  uint64_t state = 1;
  for (int i = 0; i < 2000; i++) { // of all bits, and of the sizes that are usual
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double usual = (double)(int64_t)state * 0x1p-59;
    if (!float_is_right(lane_of_bitsf((unsigned)(state >> 32))) || !double_is_right(lane_of_bits(state))) return false;
    if (!float_is_right((float)usual) || !double_is_right(usual)) return false;
  }
  return true;
}
