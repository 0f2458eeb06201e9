// matrix.h: mma.sync, of the shapes m16n8 and m8n8: C += A B, whose elements the lanes of a warp hold as the PTX ISA says,
// "Matrix fragments for mma.m16n8k16" and the like; of halves m8n8k4 too, which is a product in each quad pair of lanes.
#ifndef TGC_SIMT_MATRIX_H
#define TGC_SIMT_MATRIX_H

#include <math.h>
#include <string.h>

#include <type_traits>

#include "kernels.h"

namespace simt {

// The nearest number with 10 bits behind the point; of two as near the one further from 0 (PTX: cvt.rna.tf32.f32).
inline float to_tf32(float x) {
  enum { DROPPED = 13 };
  unsigned word;
  memcpy(&word, &x, sizeof word);
  if (x - x == 0) word += 1u << (DROPPED - 1); // infinities and NaN stay
  word &= ~0u << DROPPED;
  if (x != x) word |= 1u << 22;
  memcpy(&x, &word, sizeof word);
  return x;
}

// An element as the unit multiplies it. What a tf32 that was not rounded is there, PTX leaves open.
template <typename S, typename E> S multiplied(const E &element) {
  if constexpr (sizeof(S) == 4 && sizeof(E) == 4) {
    const float x = element;
    return x == x && x != to_tf32(x) ? NAN : x;
  } else return (S)element;
}

// What an instruction adds up in: halves are rounded when it is done, their products and sums up to there are exact.
template <typename S> using Adds = std::conditional_t<sizeof(S) < 4, double, S>;

// Which lane holds an element, and as which of its own. Several elements of a row of A, or a column of B, are in a register
// of 32 bits.
struct Held { int lane, number; };
inline Held of_a(int row, int k, int m, int packed) {
  const int group = row % 8, in_group = k / packed % 4, half = row / 8, block = k / (4 * packed);
  return {4 * group + in_group, (block * (m / 8) + half) * packed + k % packed};
}
inline Held of_b(int k, int column, int packed) {
  return {4 * column + k / packed % 4, k / (4 * packed) * packed + k % packed};
}
inline Held of_c(int row, int column) { return {4 * (row % 8) + column / 2, row / 8 * 2 + column % 2}; }

template <typename S, typename E, int m, int depth>
void multiply_lanes(const Product *const *lanes) {
  constexpr int packed = sizeof(E) < 4 ? 4 / sizeof(E) : 1;
  for (int row = 0; row < m; row++)
    for (int column = 0; column < 8; column++) {
      const Held c = of_c(row, column);
      S &to = ((S *)lanes[c.lane]->c)[c.number];
      Adds<S> sum = (Adds<S>)to;
      for (int k = 0; k < depth; k++) {
        const Held a = of_a(row, k, m, packed), b = of_b(k, column, packed);
        sum += multiplied<Adds<S>>(((const E *)lanes[a.lane]->a)[a.number]) *
               multiplied<Adds<S>>(((const E *)lanes[b.lane]->b)[b.number]);
      }
      if constexpr (sizeof(S) < 4) to = (S)(float)(_Float16)sum;
      else to = sum;
    }
}

template <typename E, int m, int depth, typename S>
void multiply(S *c, const void *a, const void *b, int line = __builtin_LINE()) {
  const Product own = {c, a, b, multiply_lanes<S, E, m, depth>};
  collective(PRODUCT, 0xffffffffu, (uint64_t)&own, 0, 32, line);
}

// m8n8k4 of halves, A by rows, B by columns, in each quad pair: lanes 4 * pair to 4 * pair + 3, and those 16 further on.
inline int of_pair(int pair, int number) { return 4 * pair + number % 4 + number / 4 * 16; }
inline Held of_c_in_pair(int pair, int row, int column) {
  return {of_pair(pair, row / 4 * 4 + column / 2 % 2 * 2 + row % 2), column / 4 * 4 + row / 2 % 2 * 2 + column % 2};
}

template <typename S, typename E> void multiply_pairs(const Product *const *lanes) {
  for (int pair = 0; pair < 4; pair++)
    for (int row = 0; row < 8; row++)
      for (int column = 0; column < 8; column++) {
        const Held c = of_c_in_pair(pair, row, column);
        S &sum = ((S *)lanes[c.lane]->c)[c.number];
        for (int k = 0; k < 4; k++)
          sum += (S)((const E *)lanes[of_pair(pair, row)]->a)[k] * (S)((const E *)lanes[of_pair(pair, column)]->b)[k];
      }
}

template <typename E, typename S> void multiply_quads(S *c, const void *a, const void *b, int line = __builtin_LINE()) {
  const Product own = {c, a, b, multiply_pairs<S, E>};
  collective(PRODUCT, 0xffffffffu, (uint64_t)&own, 0, 32, line);
}

} // namespace simt

#endif
