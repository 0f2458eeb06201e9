/* guess_rows.h: rows of a guess: of a plan, and of what its tiles are (guess_rows.c). Which plans, guess.c decides. */
#ifndef TGC_COMPOSE_GUESS_ROWS_H
#define TGC_COMPOSE_GUESS_ROWS_H

#include "compose/choose.h"
#include "compose/workers.h"
#include "ir/signature.h"

/* A type's rows, while they are found. */
typedef struct Guess {
  Arena *a;
  const Plans *plans;
  const Plan *best[WORKERS]; /* of the plans that leave the work to these; NULL: none does */
  const Plan *held;          /* a block's that reads a part again for each step, unless registers hold it, where another
                                reads it once, by states: that is BY_BLOCKS; NULL: there are not both */
  const Arch *machine;
  const Signature *operands;
  const ElementType *type;
  Table *to;
} Guess;

/* Adds the row of a plan that serves up to so many elements, of so many results; 0: of any number. */
void guess_add(const Guess *g, const Plan *p, uint64_t up_to, uint64_t count);
/* What the tunables of the row that was added last are set to. */
Tunables *guess_set(const Guess *g);
/* Do calls tell the sides of the results that the plan's tiles are cut of? Then tiles are rivals, which this adds:
 * whether they fill the last turn of all multiprocessors, and whether results have as many columns, is known then. */
bool guess_rivals(const Guess *g, const Plan *p, uint64_t elements);
/* .. and, of products, tiles of which blocks share what results are made of, as rivals of those; false: nothing was
 * added, as no plan stores the shares, or calls do not tell sides. */
bool guess_shared_rivals(const Guess *g, const Plan *p, const Plan *sharing, uint64_t elements);
/* Rows of a plan's tiles by the number of results, from `above' on. `by_both': a call tells how many elements each
 * result is made of, too, and the rows serve up to `elements'; else its one size stands for the number of results. */
void guess_tiles(const Guess *g, const Plan *p, uint64_t elements, uint64_t above, bool by_both);
/* A few results, of whose elements blocks share: small tiles, so that there are several blocks for each unit. */
void guess_shared_tiles(const Guess *g, const Plan *p, uint64_t elements, uint64_t results);
/* Tiles of moved elements, in place of the row that was added last: as long each way as rows have 256 bytes of floats;
 * shorter along what is read of doubles, or where rows begin anywhere, as two tiles share more lines that are written
 * then; of few columns, or few rows, as many of these as there may be. On an H200 transposing 8191 x 8193 floats runs
 * at 0.90 of a copy so, 0.83 by squares; of 7 rows at 0.87, 0.24 by squares. */
void guess_moves(const Guess *g, const Plan *p);
/* A streamed window, which was added last, is for rows that begin at multiples of 16 bytes; elsewhere its planes come
 * element by element, and windows of all planes at once are faster: of seven points 0.67 of a copy and 0.51 to 0.60. */
void guess_streams(const Guess *g, const Plan *p);

/* Parts that are scanned, from those on that are a block's each: few and long ones several blocks share. A block of an
 * H200 goes through 5.6 floats a nanosecond, all of them through 400: up to as many parts as there are multiprocessors
 * are quicker shared, if they are long enough for what blocks wait for one another. 16 rows of 2^20 floats take 47 us
 * so, 187 by a block each, 64 of 2^18 46 and 61, 256 of 2^16 47 and 41
 * (bench/results/nvidia-h200/2026-11-27-moves-5.txt). False: nothing was added, as no plan shares them. */
bool guess_scans(const Guess *g);

#endif
