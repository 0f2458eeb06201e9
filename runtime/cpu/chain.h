/* chain.h: a chained scan: threads take the tiles in order, and each tile passes its inclusive prefix on to the next.
 *
 *   TILES           next_tile, and the layout of the workspace: HEAD bytes, then WORDS words
 *   CHAIN           OF(chain) of one element type; a word is padded by SPACE bytes, so that no two share a cache line
 *   COMBINE(x, y)   the scan's operator
 *   TOTAL           what a tile's total is
 */
#include "alone.h"
#ifndef TILES
#define TILES 1
#define CHAIN 1
#endif
#ifndef TOTAL
#define TOTAL T
#endif
#ifndef COMBINE
#define COMBINE(x, y) x + y
#define HEAD 128
#define WORDS 64
#define SPACE 112
#endif
// ---- pasted from here on ----
#if TILES

// How many have taken a tile that was nobody's.
static inline Index next_tile(unsigned long long *tickets) {
  unsigned long long tile;
  #pragma omp atomic capture
  tile = tickets[0]++;
  return (Index)tile;
}

// A workspace: the next tile, and behind it so many words with which tiles pass on what stands before the next.
enum { first_word = HEAD, words = WORDS };
#endif
#if CHAIN
// What a tile passes on: how many have done so, and what stands before the next. One thread alone
// looks at it: it lies in lines of the cache that have no other's.
typedef struct OF(Word) {
  unsigned long long passed;
  TOTAL before;
  char apart[SPACE];
} OF(Word);

static OF(Word) *OF(word)(unsigned long long *tickets, Index tile) {
  return (OF(Word) *)((char *)tickets + first_word) + tile % words;
}

// No tile has passed on anything yet.
static void OF(clear)(unsigned long long *tickets, Index tiles) {
  tickets[0] = 0;
  for (Index i = 0; i < min_index(tiles, words); ++i) OF(word)(tickets, i)->passed = 0;
}

// Waits for what stands before the tile, `first' before the first one; passes on what stands before the next.
static TOTAL OF(chain)(unsigned long long *tickets, Index tile, TOTAL first, TOTAL total) {
  TOTAL before = first;
  if (tile > 0) {
    const OF(Word) *last = OF(word)(tickets, tile - 1);
    unsigned long long passed = 0;
    for (int look = 0; passed < (unsigned long long)tile; look += look < 1000) {
      if (look == 1000) rest();
      #pragma omp atomic read seq_cst
      passed = last->passed;
    }
    before = last->before;
  }
  OF(Word) *own = OF(word)(tickets, tile);
  own->before = COMBINE(before, total);
  #pragma omp atomic write seq_cst
  own->passed = (unsigned long long)tile + 1;
  return before;
}

#endif
