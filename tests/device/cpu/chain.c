/* A chained scan of one number a tile, by threads that take the tiles in turn; more tiles than there are words.
 *
 * mutant: two for a tile: #pragma omp atomic capture\n => \n
 * mutant: passed on too early: own->before = COMBINE(before, total);\n  #pragma omp atomic write seq_cst\n  own->passed = (unsigned long long)tile + 1; => \n  #pragma omp atomic write seq_cst\n  own->passed = (unsigned long long)tile + 1;\n  own->before = COMBINE(before, total);
 * mutant: not in order: #pragma omp atomic write seq_cst\n => \n
 * mutant: of the tile before: passed < (unsigned long long)tile; => passed + 1 < (unsigned long long)tile;
 * mutant: nothing is cleared: OF(word)(tickets, i)->passed = 0 => ;
 */
#include "chain.h"

#include <stdlib.h>

#include "cpu_test.h"

enum { TILES_OF_IT = 150, SUMS = TILES_OF_IT + 1 };

bool test(void) {
  unsigned long long *tickets = aligned_alloc(128, first_word + words * sizeof(OF(Word)));
  float before[SUMS] = {0};
  bool right = true;
  memset(tickets, 0xff, first_word + words * sizeof(OF(Word)));
  for (int call = 0; call < 2; call++) {
    OF(clear)(tickets, TILES_OF_IT);
    for (int i = 0; i < words; i++) right &= OF(word)(tickets, i)->passed == 0;
    #pragma omp parallel num_threads(4)
    {
      #pragma omp barrier /* else the first thread has done all before the last begins */
      for (Index tile; (tile = next_tile(tickets)) < TILES_OF_IT; rest())
        before[tile] = OF(chain)(tickets, tile, (float)call, (float)(tile % 5));
    }
    float sum = (float)call;
    for (int i = 0; i < TILES_OF_IT; sum += (float)(i++ % 5)) right &= before[i] == sum;
  }
  free(tickets);
  return right;
}
