// data.h: the elements that variants are run on, and what counts as the right result.
#ifndef TGC_CHECK_DATA_H
#define TGC_CHECK_DATA_H

#include <vector>

#include "harness.h"

namespace check {

// Exact data: every result is exact in the element's type, whatever the order. Real data: reals, floating types only.
enum Data { EXACT, REAL };

inline bool is_floating(Kind k) { return k == HALF || k == FLOAT || k == DOUBLE; }
size_t bytes_of(Kind k);
inline const char *data_name(Data d) { return d == EXACT ? "exact" : "real"; }

struct Elements {
  std::vector<char> bytes;  // n of the kind
  double magnitude;         // the sum of their absolute values
};
// special: in real data for selections, NaNs and both zeros, whose order must not matter.
Elements make_elements(Kind kind, uint64_t n, Data data, uint64_t seed, bool special);

// The reference's result and how far from it a variant's may be: 0 for integers, selections and exact data; else
// (n - 1) eps sum|x|, which bounds the error of any order of additions.
struct Expected {
  Kind kind;       // of the reference's result
  char value[8];
  double tolerance;
  bool own_known;
  char own[8];     // the bits of the sequential codelet in the variants' accumulator
};
Expected expect(const Reference &r, const Elements &e, uint64_t n, Data data, Kind result);
bool is_right(const Expected &want, Kind result, const void *got);
// The value in decimal, enough digits to tell any two apart.
void print_value(char *to, size_t size, Kind k, const void *value);

} // namespace check

#endif
