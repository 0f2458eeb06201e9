/* conditions.h: what a row of a table may ask of a call beside its size. Words behind the size say it:
 *
 *   half    512x12582912,aligned     7ccbca4f  256  0  0  # rows of both factors begin at multiples of 16 bytes
 *   half    inf,tall                 594bbc35  128  0  0  # results with at least 16 times as many rows as columns
 *   half    inf                      851b6590  128  0  0  # all others
 *
 * The first row that fits serves a call: rows that ask for more stand ahead of those that ask for less. What calls can
 * tell depends on their operands (emit/conditions.c); libraries evaluate it at each call. */
#ifndef TGC_TABLE_CONDITIONS_H
#define TGC_TABLE_CONDITIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "support/buffer.h"

/* Conditions as bits, the same in libraries (runtime/library/ranges.h). */
enum { ROWS_ALIGNED = 1, RESULTS_TALL = 2, RESULTS_WIDE = 4, CONDITION_UNKNOWN = 1 << 30 /* no call meets it */ };

/* Results are tall, or wide, from so many times as many rows as columns on, or the other way round. */
enum { CONDITION_SKEW = 16 };

typedef struct RowCondition {
  const char *word;     /* in tables */
  const char *constant; /* in a library's text */
  unsigned bit;
} RowCondition;

enum { ROW_CONDITIONS = 3 };
extern const RowCondition row_conditions[ROW_CONDITIONS];

/* "aligned,tall"; nothing for no conditions. */
void conditions_print(Buffer *to, unsigned when, const char *between);
/* .. as a library's text has them: "ROWS_ALIGNED | RESULTS_TALL", "0". */
void conditions_print_constants(Buffer *to, unsigned when);

/* The condition of that word; 0: there is none. */
unsigned condition_by_word(const char *s, size_t n);

/* Can one call meet all of them? */
bool conditions_agree(unsigned when);

#endif
