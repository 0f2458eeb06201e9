// layout_test.cc: which bits of a result count: those of each member, but a NaN's and, where either will do, a zero's
// sign.
#include "layout.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

namespace check {

const char *const operation = "user";
const bool zeros_have_signs = true;
const bool numbers_alone = false;

struct Pair { float low; int place; double high[2]; };
static const Member members[] = {{FLOAT, "low", offsetof(Pair, low), 1}, {INT, "place", offsetof(Pair, place), 1},
                                 {DOUBLE, "high", offsetof(Pair, high), 2}};
static const Layout layout = {sizeof(Pair), members, 3};
static int failures;

template <typename T>
static void expect(bool same, const char *what, const Type &t, const T &x, const T &y, bool any_zero = false) {
  if (same_bits_or_nan(t, &x, &y, any_zero) == same) return;
  fprintf(stderr, "%s: %s\n", what, same ? "not the same" : "the same");
  failures++;
}

static int run() {
  const Type pair = {STRUCT, &layout};
  const float quiet = nanf(""), other = -nanf("7");
  const double wide = nan("");
  const Pair plain = {1, 2, {3, 4}}, lost = {quiet, 2, {3, 4}}, lost_otherwise = {other, 2, {3, 4}};
  expect(true, "a struct and itself", pair, plain, plain);
  expect(true, "two NaN in a member", pair, lost, lost_otherwise);
  expect(true, "two NaN in an array", pair, Pair{1, 2, {3, wide}}, Pair{1, 2, {3, -wide}});
  expect(false, "a NaN and a number", pair, lost, plain);
  expect(false, "another integer beside two NaN", pair, lost, Pair{other, 3, {3, 4}});
  expect(false, "another number beside two NaN", pair, lost, Pair{other, 2, {3, 5}});
  expect(false, "zeros of two signs", pair, Pair{0, 2, {3, 4}}, Pair{-0.0f, 2, {3, 4}});
  expect(true, "zeros of two signs, of which either will do", pair, Pair{0, 2, {3, 4}}, Pair{-0.0f, 2, {3, 4}}, true);
  expect(false, "integers of two signs", pair, Pair{1, -2147483647 - 1, {3, 4}}, Pair{1, 0, {3, 4}}, true);
  expect(true, "two NaN", FLOAT, quiet, other);
  expect(false, "NaN and infinity", FLOAT, quiet, INFINITY);
  const float complex[2][2] = {{quiet, 1}, {other, 1}}, imaginary[2] = {other, 2};
  expect(true, "complex NaN", CFLOAT, complex[0], complex[1]);
  expect(false, "another imaginary part", CFLOAT, complex[0], imaginary);
  const uint16_t half[] = {0x7e00, 0xfe01, 0x7c00, 0x3c00};
  expect(true, "two NaN of 16 bits", HALF, half[0], half[1]);
  expect(false, "NaN and infinity of 16 bits", HALF, half[0], half[2]);
  expect(false, "two numbers of 16 bits", HALF, half[2], half[3]);
  return failures;
}

} // namespace check

int main() { return check::run() ? 1 : 0; }
