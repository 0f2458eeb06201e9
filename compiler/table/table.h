/* table.h: which variant, in which configuration, serves which size: what measurement found, as text.
 *
 *   # sum, measured on NVIDIA H200, driver 13.0, CUDA 13.0, 2026-11-21
 *   # type  up_to    variant   threads loads blocks
 *   float   64       53feb26c  32      4     0       # 0.58 us in a graph, 2.15 on a stream
 *   float   inf      929423e7  256     4     528
 *
 * One row a line, fields between blanks, `#' begins a comment. Rows of a type are in ascending order of size and end
 * with `inf'. 0 stands for a variant's own value. Tunables of codelets' own stand behind the usual ones, by name:
 *
 *   float   inf      929423e7  256     4     528  stages=3 tile_m=8
 *
 * The same text is written by the tuner, shipped with the compiler, and read by generated libraries at run time.
 *
 * Where each of many rows or segments has a result, sizes are the elements of each, and a row may be for no more than
 * so many results. Rows of one size are in ascending order of these; the last of them says no number, and takes the
 * rest:
 *
 *   float   16x4096  53feb26c  32      4     0       # up to 16 elements each, and up to 4096 results
 *   float   16       d79e0a23  256     4     0       # up to 16 elements each, of any number of them
 *   float   inf      929423e7  256     4     528
 *
 * So every shape is in one row: the first one that has room for both.
 *
 * Words behind the size say what else a row asks of a call (table/conditions.h). Rows of a type that ask for the same
 * stand together, in ascending order of size, and ahead of those that ask for less of it; they need not serve all
 * sizes. The rows that ask for nothing come last, and serve what is left:
 *
 *   half    512x4096,aligned  7ccbca4f  128   0     0     # for calls whose matrices have aligned rows
 *   half    inf,aligned       594bbc35  128   0     132
 *   half    512,tall          d79e0a23  64    0     0     # of any alignment, and results with many rows, few columns
 *   half    inf               851b6590  128   0     0
 *
 * A call is served by the first row that has room for its size and asks for nothing that the call is not.
 *
 * Several rows with the same room and the same conditions are rivals, if they say what a multiprocessor takes for one
 * of their tiles, in any unit, the same for all of them:
 *
 *   float   inf,aligned,turn=3650  d9d168f5  256  0  0  tile_m=128 tile_n=256
 *   float   inf,aligned,turn=1040  d9d168f5  128  0  0  tile_m=64 tile_n=128
 *
 * Of them a call is served by the one by which the multiprocessor with the most tiles is done first: whether tiles
 * fill the last turn depends on both sides of the results, which no total tells. Such a row says how many threads a
 * block has, and all extents of its tiles; with a number of blocks, that these share tiles' sums. */
#ifndef TGC_TABLE_TABLE_H
#define TGC_TABLE_TABLE_H

#include <stdint.h>

#include "support/buffer.h"
#include "support/diagnostics.h"
#include "support/tunables.h"
#include "table/conditions.h"

typedef struct TableRow {
  const char *type, *variant;
  uint64_t up_to;       /* elements; UINT64_MAX: any number */
  uint64_t count;       /* results that have so many elements each; 0: any number */
  unsigned when;        /* what it asks of a call beside its size: bits of table/conditions.h */
  int64_t turn;         /* what one of its tiles takes, beside those of its rivals; 0: it has none */
  Tunables set;         /* what the variant's tunables are set to */
  const char *comment;  /* or NULL */
} TableRow;

typedef struct Table {
  const char *heading;  /* the first line that is a comment alone, without `# ', and not the columns' names; or NULL */
  VEC(TableRow) rows;
  const char *unused;   /* why rows that were measured are not among these, "`float': ..";
                           NULL: none are left out */
} Table;

/* The heading of a table that was not measured, and what a guessed row's comment begins with. */
#define TABLE_GUESS "A guess from the machine's figures, not measured on this machine: run `tgc tune'."
#define TABLE_GUESSED_ROW "guess: "

/* Where the rows of these types come from, in words: "measured on NVIDIA H200, ..", "not measured on this machine: run
 * `tgc tune'", or both with the types that were not. `guessed', if given: how many of the types were not. */
const char *table_origin(Arena *a, const Table *t, const char *const *types, int ntypes, int *guessed);

/* The paragraph of NAME.h that says so, and its first words; the tuner replaces it. */
#define TABLE_ORIGIN " * Dispatch by size ("
void table_print_origin(Buffer *to, const char *name, const char *origin);

/* Reads a table. False, with located errors in `d', for text that is none: an unknown field, a row out of order, a size
 * or a type that has no last row, an unknown condition. What it keeps is in `a' or of `f'. */
bool table_read(Arena *a, const SourceFile *f, Table *t, Diagnostics *d);

/* What stands ahead of a row's `turn', among the conditions. Are two rows rivals? */
#define TABLE_TURN "turn="
bool table_rivals(const TableRow *x, const TableRow *y);

/* Prints one, in columns; reading that gives it back. */
void table_print(Buffer *to, const Table *t);
/* A row's size as it stands there: "64", "16x4096", "inf", "512x4096,aligned". */
const char *table_size(Arena *a, const TableRow *r);
/* The row of a type that serves so many elements each, of so many results, where a call meets these conditions; NULL:
 * the type has none. */
const TableRow *table_row(const Table *t, const char *type, uint64_t n, uint64_t count, unsigned like);
/* All conditions that rows ask for. */
unsigned table_conditions(const Table *t);

/* The configurations that a variant's text is compiled for, " C(512, 2) C(256, 4)": its own first, then those that the
 * table names. `own': the tunables that it is compiled for, in its order. */
void table_print_configurations(Buffer *to, const Table *t, const char *variant, const Tunables *own);

/* What a library's text has around its ranges. */
#define TABLE_BEGIN "// table: begin"
#define TABLE_END "// table: end"

/* What a range of a library's text names: a variant's function, in CUDA; the variant, in C. */
typedef enum RangesOf { RANGES_OF_FUNCTIONS, RANGES_OF_VARIANTS } RangesOf;

/* A library whose text has ranges. */
typedef struct Ranged {
  const char *spectrum, *const *types;
  int ntypes;
  RangesOf of;
  bool by_shape;    /* do ranges have a number of results? Then they also say how many of one size there are from each
                       on: who looks for another size passes over them */
  bool conditions;  /* do they say what they ask of a call beside its size? Then also how many ask for the same */
  bool turns;       /* do they say what a tile takes? */
  Tunables members; /* of the library's struct of configurations */
} Ranged;

/* The rows of its types as arrays of its text (NAME.cu, NAME.c), marks included (ranges_text.c). */
void table_print_ranges(Buffer *to, const Ranged *of, const Table *t);

#endif
