/* signature.h: what a spectrum's C function takes besides its workspace and its stream (design, section 7).
 *
 * The codelet's parameters in their order, a single one by the name `in'; behind a container come its sizes, unless it
 * is declared to have as many elements as one before it (__like); last comes the place of the result, where there is
 * one:
 *
 *   T sum(const Array<1, T> in)                     in, n, out
 *   T dot(const Array<1, T> x, __like(x) .. y)      x, n, y, out
 *   void saxpy(T a, const Array<1, T> x, .. y)      a, x, n, y
 *   void gemv(const Array<2, T> A, .. x, .. y)      A, rows, columns, leading, x, y
 *
 * A size that `__shape' says more of than that it is another one is passed all the same, and held to that rule. */
#ifndef TGC_IR_SIGNATURE_H
#define TGC_IR_SIGNATURE_H

#include "ir/tree.h"

/* OPERAND_ARRAY: a pointer to elements in the device's memory. OPERAND_SIZE: 64 bits; how many elements, rows or
 * columns a container has, or how far its rows (__by_columns: its columns) lie apart; of more dimensions, how many
 * elements each has, and how far neighbours lie apart in each but the last. OPERAND_NUMBER: by value. */
typedef enum OperandKind { OPERAND_ARRAY, OPERAND_SIZE, OPERAND_NUMBER } OperandKind;

enum { MOST_SIZES = 2 * MOST_RANK - 1 }; /* of a container: rows, columns, leading; of one dimension: elements */

/* What a size has to be: times * factor[0] * factor[1] + more * addend + plus, of operands; -1: no such factor, more 0:
 * no addend. Not said: anything. */
typedef struct SizeRule {
  bool said;
  int64_t times, plus;
  int factor[2];
  int64_t more;
  int addend;
} SizeRule;

typedef struct Operand {
  OperandKind kind;
  Symbol *symbol;      /* of the host function; its type is TYPE_STORED, TYPE_FINAL or TYPE_INDEX where that applies */
  const Symbol *param; /* the codelet's parameter that it is, or whose size; NULL: the result */
  bool read, written;  /* an array's elements */
  int dim;             /* OPERAND_SIZE: of which dimension; from the container's rank on, the distance between
                          neighbours in dimension 0, 1, .. but the last; of columns in a container by columns */
  SizeRule rule;       /* OPERAND_SIZE */
  int size[MOST_SIZES]; /* OPERAND_ARRAY: which operands are its sizes; -1: none. All -1: one element */
} Operand;

typedef struct Signature {
  Operand *at;
  int n;
  int result; /* which operand the result goes to; -1: the spectrum returns nothing */
} Signature;

/* The signature of a spectrum that has a codelet; `element' is what containers of T have in memory, `result' what the
 * result is stored as. */
Signature signature_of(Arena *a, const Spectrum *s, Type element, Type result);

/* How many dimensions an array has; 0: it is one element. */
int operand_rank(const Operand *x);

/* The operand that is this parameter (dim -1), or its size; NULL: there is none. */
const Operand *signature_operand(const Signature *s, const Symbol *param, int dim);

/* How the text of a codelet says into how many parts it cuts the work: segments, rows. `parts' is the size that is so
 * many, and `less' fewer; or each part has `elements' of them; or both are said, where each of so many parts combines
 * that many results, which are stored. Or `elements' is the one size that the container
 * `results' has not, whose elements several workers may contribute to: each is made of so many (a matrix product's
 * inner dimension). Of steps it is the rows that one of them has, whose results stay between them. -1: it is not that
 * one; all: no codelet says it. */
typedef struct PartsGiven { int parts, elements, results; int64_t less; } PartsGiven;
PartsGiven signature_parts(const Signature *s, const Spectrum *spectrum);
/* Can several lanes go through what one lane of that spectrum does by a loop (front/together.c)? */
bool signature_goes_together(const Spectrum *s);
/* The results whose sides calls tell, and no size that they are picked by: the one container of several dimensions that
 * is written; NULL: there is none. */
const Operand *signature_results(const Signature *s, const Spectrum *spectrum);

/* Is it `T scan(in, T carry, out)' by a known operator: a spectrum whose results are those of all beginnings, begun at
 * carry? Is each without its own element? */
bool spectrum_is_scan(const Spectrum *s);
bool spectrum_excludes(const Spectrum *s);

/* Is it `T f(const Array<1, T> in)': in, n, out? */
bool signature_is_reduction(const Signature *s);

#endif
