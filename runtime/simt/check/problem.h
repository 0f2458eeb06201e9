// problem.h: what a variant is called with: sizes, arrays and numbers for any list of operands; and what is right.
#ifndef TGC_CHECK_PROBLEM_H
#define TGC_CHECK_PROBLEM_H

#include <string>

#include "data.h"

namespace check {

// The sizes of one problem, by operand.
typedef std::vector<uint64_t> Sizes;

// Those of about n elements: of one free size it is n; of several a handful: 1 x n, n x 1, square; rows that lie as
// close as they can, and three elements apart; of matrices one for loads of 16 bytes, where all fits but one.
// `whole': all arrays are to begin at a boundary.
struct Shape {
  Sizes sizes;
  bool whole;
};
std::vector<Shape> shapes_of(const Operands &operands, uint64_t n, uint64_t most_parts);
// "n = 33"; "rows = 1, columns = 33, leading = 36"
std::string shape_text(const Operands &operands, const Sizes &sizes);
// How far an array reaches in memory, in elements.
uint64_t extent_of(const Operands &operands, int array, const Sizes &sizes);
// "out", "y[17]", "A[3][5]": element number i of an array, as it lies in memory.
std::string position_text(const Operands &operands, int array, const Sizes &sizes, uint64_t i);

// "axpy.cdl:7", the line of a codelet that is being run (lines.cc); "": no tool can tell.
std::string codelet_line();

// An array's bytes, or a number's.
typedef std::vector<char> Bytes;

struct Problem {
  const Operands *operands;
  const Parameter *types;      // of the variant
  Sizes sizes;
  bool whole;                  // a whole Shape
  uint64_t n;                  // elements of its largest array
  Data data;
  std::vector<Bytes> values;   // by operand; what the variant finds there; empty: an array that is only written
  double magnitude;            // of the first array: the sum of its absolute values
};
Problem make_problem(const Operands &operands, const Entry &e, const Reference &r, const Shape &shape, Data data,
                     uint64_t seed);

// What the arrays that are written have to hold, by operand.
struct Results {
  struct Array {
    Type type = INT;                // of the reference
    Bytes value, own;               // own: in the variant's type; empty: not known
    std::vector<double> tolerance;  // by element
  };
  std::vector<Array> arrays;
  std::string impossible; // why there is nothing to compare with; "" mostly
};
Results results_of(const Problem &p, const Reference &r);

// The elements of a queue, which come in any order, in a certain one: as many as its counter says, of these types.
void sort_queue(const Problem &p, int array, const Type &type, const Bytes &counter, const Type &counts, Bytes *at);

// The first element that is not right; -1: none.
int64_t first_wrong(const Problem &p, const Results &want, int array, const Bytes &got);
// The first whose bits differ, but for NaNs', and with any_zero for the sign of a zero.
// With tolerances, only of elements whose tolerance is 0: what is rounded may be rounded otherwise.
int64_t first_other(const Problem &p, int array, const Bytes &x, const Bytes &y, bool any_zero,
                    const std::vector<double> *tolerance);

// The operands of a reduction, `in, n, out'.
extern const Operands reduction;
bool is_reduction(const Operands &operands);

} // namespace check

#endif
