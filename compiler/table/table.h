/* table.h: which variant, in which configuration, serves which size: what measurement found, as text.
 *
 *   # sum, measured on NVIDIA H200, driver 13.0, CUDA 13.0, 2026-11-21
 *   # type  up_to    variant   threads loads blocks
 *   float   64       53feb26c  32      4     0       # 0.58 us in a graph, 2.15 on a stream
 *   float   inf      929423e7  256     4     528
 *
 * One row a line, fields between blanks, `#' begins a comment. Rows of a type are in ascending order of size and end
 * with `inf'. 0 stands for a variant's own value. The same text is written by the tuner, shipped with the compiler, and
 * read by generated libraries at run time. */
#ifndef TGC_TABLE_TABLE_H
#define TGC_TABLE_TABLE_H

#include <stdint.h>

#include "support/buffer.h"
#include "support/diagnostics.h"

typedef struct TableRow {
  const char *type, *variant;
  uint64_t up_to;       /* elements; UINT64_MAX: any number */
  int threads, loads;
  int64_t blocks;
  const char *comment;  /* or NULL */
} TableRow;

typedef struct Table {
  const char *heading;  /* the first line that is a comment alone, without `# ', and not the columns' names; or NULL */
  VEC(TableRow) rows;
} Table;

/* Reads a table. False, with located errors in `d', for text that is none: an unknown field, a row out of order, a type
 * that has no last row. What it keeps is in `a' or of `f'. */
bool table_read(Arena *a, const SourceFile *f, Table *t, Diagnostics *d);

/* Prints one, in columns; reading that gives it back. */
void table_print(Buffer *to, const Table *t);

/* The configurations that a variant's text is compiled for, " C(512, 2) C(256, 4)": its own first, then those that the
 * table names. */
void table_print_configurations(Buffer *to, const Table *t, const char *variant, int threads, int loads,
                                bool has_loads);

/* What a library's text has around its ranges. */
#define TABLE_BEGIN "// table: begin"
#define TABLE_END "// table: end"

/* What a range of a library's text names: a variant's function, in CUDA; the variant, in C. */
typedef enum RangesOf { RANGES_OF_FUNCTIONS, RANGES_OF_VARIANTS } RangesOf;

/* The rows of these types as arrays of a library's text (NAME.cu, NAME.c), marks included (ranges_text.c). */
void table_print_ranges(Buffer *to, const char *spectrum, const char *const *types, int ntypes, const Table *t,
                        RangesOf of);

#endif
