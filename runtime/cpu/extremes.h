/* extremes.h: in C++, what an operator of a user's finds in CUDA: min and max as docs/language.md has them, of numbers that
 * are none, and of zeros. */
// ---- pasted from here on ----

// The lesser and the greater of two: of NaN and a number the number, and -0 is less than +0.
template <typename T> static inline T min(T x, T y) {
  return x == 0 && y == 0 ? -(-x - y) : y < x || x != x ? y : x;
}
template <typename T> static inline T max(T x, T y) {
  return x == 0 && y == 0 ? x + y : x < y || x != x ? y : x;
}
