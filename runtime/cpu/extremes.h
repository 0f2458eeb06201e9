/* extremes.h: C++: CUDA's min and max for a user's operator, with the rules for NaN and signed zeros of
 * docs/reference/language.md. */
// ---- pasted from here on ----

// The lesser and the greater of two: of NaN and a number the number, and -0 is less than +0.
template <typename T> static inline T min(T x, T y) {
  return x == 0 && y == 0 ? -(-x - y) : y < x || x != x ? y : x;
}
template <typename T> static inline T max(T x, T y) {
  return x == 0 && y == 0 ? x + y : x < y || x != x ? y : x;
}
