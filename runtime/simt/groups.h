// groups.h: what products of a group of four warps take: boxes of an array that are copied to shared memory (PTX:
// cp.async.bulk.tensor, 128-byte swizzle, mbarriers), and the products (PTX: wgmma.m64nNk16, m64nNk32 of bytes, and two of m64nNk8). Both are
// made some time between their call and the wait for them.
#ifndef TGC_SIMT_GROUPS_H
#define TGC_SIMT_GROUPS_H

#include <math.h>
#include <string.h>

#include "kernels.h"

namespace simt {

// What the driver asks of a tensor map: of sizes, of what is between beginnings.
inline bool is_box_size(int64_t many) { return many > 0 && many <= int64_t(1) << 32; }
inline bool is_box_stride(uint64_t bytes) { return bytes % 16 == 0 && bytes < uint64_t(1) << 40; }

template <typename E>
bool make_boxes(Boxes *to, const E *from, int64_t length, int64_t lines, int64_t matrices, int64_t apart,
                int64_t matrix_apart, int of_box) {
  *to = {from, length, lines, matrices, apart, matrix_apart, of_box};
  return (uintptr_t)from % 16 == 0 && of_box > 0 && of_box <= 256 && is_box_size(length) && is_box_size(lines) &&
         is_box_size(matrices) && is_box_stride((uint64_t)apart * sizeof(E)) &&
         is_box_stride((uint64_t)matrix_apart * sizeof(E));
}

template <typename E>
bool make_boxes(Boxes *to, const E *from, int64_t length, int64_t lines, int64_t apart, int of_box) {
  return make_boxes(to, from, length, lines, 1, apart, 0, of_box);
}

// A place in boxes that begin there: 16 bytes of each line of 128 are exchanged by three bits of the line's address.
template <typename E> E *in_boxes(E *from, int lines, int x, int y) {
  constexpr int of_line = 128 / sizeof(E);
  const uintptr_t at = (uintptr_t)from + ((size_t)(x / of_line) * lines + y) * 128 + x % of_line * sizeof(E);
  return (E *)(at ^ (at >> 7 & 7) << 4);
}

template <typename E> void copy_boxes(const PanelCopy &c) {
  const Boxes &b = c.boxes;
  for (int m = 0; m < c.matrices; m++)
    for (int y = 0; y < c.lines; y++)
      for (int x = 0; x < c.length; x++) {
        const int64_t i = c.x + x, j = c.y + y, k = c.z + m;
        const bool exists = i >= 0 && j >= 0 && k >= 0 && i < b.length && j < b.lines && k < b.matrices;
        E *place = in_boxes((E *)c.to + (size_t)m * c.length * c.lines, c.lines, x, y);
        *place = exists ? ((const E *)b.from)[k * b.matrix_apart + j * b.apart + i] : E(0);
      }
}

// By the calling lane.
template <typename E>
void ask_for_boxes(E *to, const Boxes &boxes, int64_t x, int64_t y, int64_t z, int buffer, int length, int lines,
                   int matrices) {
  static_assert(sizeof(E) <= 2 || sizeof(E) == 4, "a line of a box has bytes, elements of two bytes, or words");
  copy_later({copy_boxes<E>, to, boxes, x, y, z, length, lines, matrices}, buffer);
}

template <typename E>
void ask_for_boxes(E *to, const Boxes &boxes, int64_t x, int64_t y, int buffer, int length, int lines) {
  ask_for_boxes(to, boxes, x, y, 0, buffer, length, lines, 1);
}

template <typename E>
void copy_by_boxes(E *to, const Boxes &boxes, int64_t x, int64_t y, int64_t z, int buffer, int length, int lines,
                   int matrices) {
  if (!current->index.x) ask_for_boxes(to, boxes, x, y, z, buffer, length, lines, matrices);
}

template <typename E>
void copy_by_boxes(E *to, const Boxes &boxes, int64_t x, int64_t y, int buffer, int length, int lines) {
  copy_by_boxes(to, boxes, x, y, 0, buffer, length, lines, 1);
}

template <bool adds, typename E> void make_delivery(const Delivery &d) {
  constexpr int of_line = 128 / sizeof(E);
  for (int y = 0; y < d.lines && d.y + y < d.boxes.lines; y++)
    for (int x = 0; x < of_line && d.x + x < d.boxes.length; x++) {
      E *to = (E *)d.boxes.from + (d.y + y) * d.boxes.apart + d.x + x;
      const E from = *in_boxes((E *)d.from, d.lines, x, y);
      if (adds) atomicAdd(to, from);
      else *to = from;
    }
}

// By the calling lane.
template <bool adds, typename E> void deliver_box(const Boxes &to, const E *from, int64_t x, int64_t y, int lines) {
  deliver_later({make_delivery<adds, E>, to, from, x, y, lines});
}

// 16 bytes, by the lane, zeros behind those that exist.
template <typename E> void copy_chunk(E *to, const E *from, int exist) {
  before_wide(to);
  for (int i = 0; i < (int)(16 / sizeof(E)); i++) to[i] = i < exist ? from[i] : E(0);
  note_copies();
}

// What an instruction makes of an element of shared memory, or of a register: of a tf32 the first 10 bits behind the point.
template <typename S, typename E> S cut(const E &element) {
  if constexpr (sizeof(E) == 4) {
    unsigned word;
    memcpy(&word, &element, sizeof word);
    word &= ~0x1fffu;
    S x;
    memcpy(&x, &word, sizeof x);
    return element != element ? NAN : x;
  } else return (S)element;
}

// Two neighbours in two rows of C. What the lane alone has is not looked at: it is most of a check's time.
template <typename S, int depth>
__attribute__((no_sanitize("thread"), noinline)) void add_products(S *c, const S (&a)[2][depth], const S (&b)[2][depth]) {
  for (int e = 0; e < 4; e++)
    for (int k = 0; k < depth; k++) c[e] += a[e / 2][k] * b[e % 2][k];
}

// A lane's elements of C: of each 8 columns two neighbours in two rows.
template <int columns, bool along_a, bool along_b, typename S, typename E>
void multiply_elements(const GroupProduct &p) {
  constexpr int depth = sizeof(E) == 1 ? 32 : 16;
  S a[2][depth], b[2][depth];
  S *c = (S *)p.c;
  for (int r = 0; r < 2; r++)
    for (int k = 0; k < depth; k++) {
      const int row = p.row + 8 * r;
      E from;
      if (p.words[0]) memcpy((void *)&from, &p.words[k % 4][k / 4 * 2 + r], sizeof from);
      else from = *in_boxes((const E *)p.a, p.lines_a, along_a ? k : row, along_a ? row : k);
      a[r][k] = cut<S>(from);
    }
  for (int j = 0; j < columns / 8; j++) {
    for (int q = 0; q < 2; q++)
      for (int k = 0; k < depth; k++) {
        const int column = 8 * j + p.column + q;
        b[q][k] = cut<S>(*in_boxes((const E *)p.b, p.lines_b, along_b ? k : column, along_b ? column : k));
      }
    add_products(c + 4 * j, a, b);
  }
}

template <int columns, bool along_a, bool along_b, typename S, typename E>
void multiply_group(S *c, const E *a, const E *b, int lines_a, int lines_b, int line = __builtin_LINE()) {
  static_assert(columns % 8 == 0 && columns <= 256, "the columns that one product has");
  static_assert(sizeof(E) == 2 || (along_a && along_b), "words and bytes lie along the inner dimension");
  const int lane = current->index.x % 32, warp = current->index.x / 32 % 4;
  multiply_later({multiply_elements<columns, along_a, along_b, S, E>, c, a, b, lines_a, lines_b, 16 * warp + lane / 4,
                  2 * (lane % 4), {}},
                 line);
}

// The same of A from registers, which are read as late.
template <int columns, bool along_b, typename S, typename E>
void multiply_group(S *c, const unsigned *words, const E *b, int lines_b, int line = __builtin_LINE()) {
  static_assert(along_b, "words lie along the inner dimension, or come from registers");
  GroupProduct p = {multiply_elements<columns, true, along_b, S, E>, c, nullptr, b, 0, lines_b, 0,
                    2 * ((int)current->index.x % 4), {}};
  for (unsigned i = 0; i < 4; i++)
    p.words[i] = (const unsigned *)collective(SHUFFLE, 0xffffffffu, (uint64_t)(uintptr_t)words,
                                              current->index.x % 32 / 4 * 4 + i, 32, line);
  multiply_later(p, line);
}

} // namespace simt

#endif
