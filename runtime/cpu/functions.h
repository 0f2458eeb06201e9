/* functions.h: mathematical functions for the lanes of a vector. C's library takes one number at a time; these have no
 * branches, tables or calls, so that a loop over lanes becomes vector instructions. x is split into a power of two and
 * the rest, of which the function is a polynomial with the least error there. Results are off by less than 2 units in
 * the last place, of lane_tanh by less than 3, with and without fused multiply-adds.
 *
 *   SINGLE                    of float, not of double
 *   EXP EXP2 EXPM1 TANH LOG   which there are; TANH takes EXPM1
 */
#include "alone.h"
#ifndef EXP
#include "compilers.h"
#define SINGLE 1
#define EXP 1
#define EXP2 1
#define EXPM1 1
#define TANH 1
#define LOG 1
#endif
// ---- pasted from here on ----
#if SINGLE

// Functions of lanes, of floats: without branches or calls, so that compilers make vector instructions of them.
static inline unsigned bits_of_lanef(float x) { unsigned bits; memcpy(&bits, &x, sizeof bits); return bits; }
static inline float lane_of_bitsf(unsigned bits) { float x; memcpy(&x, &bits, sizeof x); return x; }
#if EXP

// e to the power of x: 2^n times that of the rest.
static inline float lane_expf(float x) {
  const float within = x > 89 ? 89 : x < -104 ? -104 : x; // beyond is infinity, and 0
  const float rounded = FUSED_FLOAT(within, 0x1.715476p+0f, 0x1.8p+23f), n = rounded - 0x1.8p+23f;
  const float rest = FUSED_FLOAT(n, -0x1.7f7d1cp-20f, FUSED_FLOAT(n, -0x1.62e4p-1f, within));
  float y = FUSED_FLOAT(0x1.6d110ap-10f, rest, 0x1.120b6ep-7f);
  y = FUSED_FLOAT(y, rest, 0x1.55551ap-5f);
  y = FUSED_FLOAT(y, rest, 0x1.5554dcp-3f);
  y = FUSED_FLOAT(y, rest, 0x1p-1f);
  y = 1 + FUSED_FLOAT(y, rest * rest, rest);
  const int power = (int)(bits_of_lanef(rounded) - 0x4b400000u), half = power >> 1; // two factors, since n may be 128
  return y * lane_of_bitsf((unsigned)(half + 127) << 23) * lane_of_bitsf((unsigned)(power - half + 127) << 23);
}
#endif
#if EXP2

// 2 to the power of x: 2^n times that of the rest.
static inline float lane_exp2f(float x) {
  const float within = x > 129 ? 129 : x < -150 ? -150 : x; // beyond is infinity, and 0
  const float rounded = within + 0x1.8p+23f, rest = (within - (rounded - 0x1.8p+23f)) * 0x1.62e43p-1f;
  float y = FUSED_FLOAT(0x1.6d110ap-10f, rest, 0x1.120b6ep-7f);
  y = FUSED_FLOAT(y, rest, 0x1.55551ap-5f);
  y = FUSED_FLOAT(y, rest, 0x1.5554dcp-3f);
  y = FUSED_FLOAT(y, rest, 0x1p-1f);
  y = 1 + FUSED_FLOAT(y, rest * rest, rest);
  const int power = (int)(bits_of_lanef(rounded) - 0x4b400000u), half = power >> 1; // two factors: n may be 129
  return y * lane_of_bitsf((unsigned)(half + 127) << 23) * lane_of_bitsf((unsigned)(power - half + 127) << 23);
}
#endif
#if EXPM1

// e to the power of x, less 1: 2^n - 1, and 2^n times that of the rest.
static inline float lane_expm1f(float x) {
  const float within = x > 89 ? 89 : x < -20 ? -20 : x; // beyond is infinity, and -1
  const float rounded = FUSED_FLOAT(within, 0x1.715476p+0f, 0x1.8p+23f), n = rounded - 0x1.8p+23f;
  const float rest = FUSED_FLOAT(n, -0x1.7f7d1cp-20f, FUSED_FLOAT(n, -0x1.62e4p-1f, within));
  float y = FUSED_FLOAT(0x1.6d110ap-10f, rest, 0x1.120b6ep-7f);
  y = FUSED_FLOAT(y, rest, 0x1.55551ap-5f);
  y = FUSED_FLOAT(y, rest, 0x1.5554dcp-3f);
  y = FUSED_FLOAT(y, rest, 0x1p-1f);
  y = FUSED_FLOAT(y, rest * rest, rest);
  const float scale = lane_of_bitsf((bits_of_lanef(rounded) - 0x4b400000u + 126) << 23); // half of 2^n: n may be 128
  return fabsf(x) < 0x1p-40f ? x : 2 * FUSED_FLOAT(scale, y, scale - 0.5f);
}
#endif
#if TANH

// The hyperbolic tangent: (e^2x - 1) / (e^2x + 1), of what x is without its sign.
static inline float lane_tanhf(float x) {
  const float y = lane_expm1f(fabsf(x) > 10 ? 20 : 2 * fabsf(x));
  return copysignf(y / (y + 2), x);
}
#endif
#if LOG

// The natural logarithm: n times that of 2, and that of 1 + f, by f / (2 + f).
static inline float lane_logf(float x) {
  const bool tiny = x < 0x1p-126f;
  const unsigned root = 0x3f3504f3; // bits of the root of 1/2
  const unsigned bits = bits_of_lanef(tiny ? x * 0x1p+23f : x) - root + 0x3f800000u;
  const float n = (float)((int)(bits >> 23) - (tiny ? 150 : 127)), f = lane_of_bitsf((bits & 0x7fffffu) + root) - 1;
  const float s = f / (2 + f), z = s * s, half = 0.5f * f * f;
  float y = FUSED_FLOAT(0x1.ddcf72p-3f, z, 0x1.245c4p-2f);
  y = FUSED_FLOAT(y, z, 0x1.9999ecp-2f);
  y = FUSED_FLOAT(y, z, 0x1.555556p-1f);
  y = f + FUSED_FLOAT(s, FUSED_FLOAT(y, z, half), FUSED_FLOAT(n, 0x1.7f7d1cp-20f, -half));
  y = FUSED_FLOAT(n, 0x1.62e4p-1f, y);
  return x > 0 ? x < INFINITY ? y : x : x == 0 ? -INFINITY : NAN;
}
#endif
#else

// Functions of lanes, of doubles: without branches or calls, so that compilers make vector instructions of them.
static inline uint64_t bits_of_lane(double x) { uint64_t bits; memcpy(&bits, &x, sizeof bits); return bits; }
static inline double lane_of_bits(uint64_t bits) { double x; memcpy(&x, &bits, sizeof x); return x; }
#if EXP || EXP2 || EXPM1

// (e^x - 1 - x) / x^2 of an x up to half of log 2, of either sign.
static inline double lane_exp_rest(double x) {
  double y = FUSED_DOUBLE(0x1.af38a9b0ec855p-26, x, 0x1.289185613a3d6p-22);
  y = FUSED_DOUBLE(y, x, 0x1.71de0dae63bb3p-19);
  y = FUSED_DOUBLE(y, x, 0x1.a019b90d2ae7ap-16);
  y = FUSED_DOUBLE(y, x, 0x1.a01a01a7c41d5p-13);
  y = FUSED_DOUBLE(y, x, 0x1.6c16c1788bd9p-10);
  y = FUSED_DOUBLE(y, x, 0x1.11111111109b3p-7);
  y = FUSED_DOUBLE(y, x, 0x1.5555555553d63p-5);
  y = FUSED_DOUBLE(y, x, 0x1.5555555555556p-3);
  return FUSED_DOUBLE(y, x, 0.5);
}
#endif
#if EXP

// e to the power of x: 2^n times that of the rest.
static inline double lane_exp(double x) {
  const double within = x > 710 ? 710 : x < -746 ? -746 : x; // beyond is infinity, and 0
  const double rounded = FUSED_DOUBLE(within, 0x1.71547652b82fep+0, 0x1.8p+52), n = rounded - 0x1.8p+52;
  const double rest = FUSED_DOUBLE(n, -0x1.3de6af278ece6p-42, FUSED_DOUBLE(n, -0x1.62e42fefa3p-1, within));
  const double y = 1 + FUSED_DOUBLE(lane_exp_rest(rest), rest * rest, rest);
  const int power = (int)(unsigned)bits_of_lane(rounded), half = power >> 1; // two factors, since n may be 1024
  return y * lane_of_bits((uint64_t)(half + 1023) << 52) * lane_of_bits((uint64_t)(power - half + 1023) << 52);
}
#endif
#if EXP2

// 2 to the power of x: 2^n times that of the rest.
static inline double lane_exp2(double x) {
  const double within = x > 1025 ? 1025 : x < -1075 ? -1075 : x; // beyond is infinity, and 0
  const double rounded = within + 0x1.8p+52, rest = (within - (rounded - 0x1.8p+52)) * 0x1.62e42fefa39efp-1;
  const double y = 1 + FUSED_DOUBLE(lane_exp_rest(rest), rest * rest, rest);
  const int power = (int)(unsigned)bits_of_lane(rounded), half = power >> 1; // two factors, since n may be 1025
  return y * lane_of_bits((uint64_t)(half + 1023) << 52) * lane_of_bits((uint64_t)(power - half + 1023) << 52);
}
#endif
#if EXPM1

// e to the power of x, less 1: 2^n - 1, and 2^n times that of the rest.
static inline double lane_expm1(double x) {
  const double within = x > 710 ? 710 : x < -40 ? -40 : x; // beyond is infinity, and -1
  const double rounded = FUSED_DOUBLE(within, 0x1.71547652b82fep+0, 0x1.8p+52), n = rounded - 0x1.8p+52;
  const double rest = FUSED_DOUBLE(n, -0x1.3de6af278ece6p-42, FUSED_DOUBLE(n, -0x1.62e42fefa3p-1, within));
  const double y = FUSED_DOUBLE(lane_exp_rest(rest), rest * rest, rest);
  const double scale = lane_of_bits((bits_of_lane(rounded) + 1022) << 52); // half of 2^n: n may be 1024
  return fabs(x) < 0x1p-80 ? x : 2 * FUSED_DOUBLE(scale, y, scale - 0.5);
}
#endif
#if TANH

// The hyperbolic tangent: (e^2x - 1) / (e^2x + 1), of what x is without its sign.
static inline double lane_tanh(double x) {
  const double y = lane_expm1(fabs(x) > 20 ? 40 : 2 * fabs(x));
  return copysign(y / (y + 2), x);
}
#endif
#if LOG

// The natural logarithm: n times that of 2, and that of 1 + f, by f / (2 + f).
static inline double lane_log(double x) {
  const bool tiny = x < 0x1p-1022;
  const uint64_t root = 0x3fe6a09e667f3bcd; // bits of the root of 1/2
  const uint64_t bits = bits_of_lane(tiny ? x * 0x1p+52 : x) - root + 0x3ff0000000000000;
  const double n = (int)(bits >> 52) - (tiny ? 1075 : 1023), f = lane_of_bits((bits & 0xfffffffffffff) + root) - 1;
  const double s = f / (2 + f), z = s * s, half = 0.5 * f * f;
  double y = FUSED_DOUBLE(0x1.2b5900de53b32p-3, z, 0x1.39fe51a7c18f9p-3);
  y = FUSED_DOUBLE(y, z, 0x1.7462b51cb66b1p-3);
  y = FUSED_DOUBLE(y, z, 0x1.c71c62e3f11e6p-3);
  y = FUSED_DOUBLE(y, z, 0x1.2492492df281ap-2);
  y = FUSED_DOUBLE(y, z, 0x1.99999999952d7p-2);
  y = FUSED_DOUBLE(y, z, 0x1.5555555555558p-1);
  y = f + FUSED_DOUBLE(s, FUSED_DOUBLE(y, z, half), FUSED_DOUBLE(n, 0x1.3de6af278ece6p-42, -half));
  y = FUSED_DOUBLE(n, 0x1.62e42fefa3p-1, y);
  return x > 0 ? x < (double)INFINITY ? y : x : x == 0 ? -(double)INFINITY : (double)NAN;
}
#endif
#endif
