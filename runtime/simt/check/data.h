// data.h: the elements that variants are run on, and what counts as the right result.
#ifndef TGC_CHECK_DATA_H
#define TGC_CHECK_DATA_H

#include <vector>

#include "layout.h"

namespace check {

// Exact data: every result is exact in the element's type, whatever the order. Real data: reals, floating types only.
enum Data { EXACT, REAL };

inline bool is_floating(const Type &t) { return t.kind >= HALF; }
inline bool is_complex(const Type &t) { return t.kind == CFLOAT || t.kind == CDOUBLE; }
inline const char *data_name(Data d) { return d == EXACT ? "exact" : "real"; }

struct Elements {
  std::vector<char> bytes;  // n of the kind
  double magnitude;         // the sum of their absolute values
};
// specials: in real data for selections, NaNs and both zeros, whose order must not matter; of few elements nothing but
// NaNs and infinities.
Elements make_elements(const Reference &r, uint64_t n, Data data, uint64_t seed, bool specials);

// The reference's result and how far from it a variant's may be, each part of a complex one by itself: 0 for integers,
// selections and exact data; else (n - 1) eps sum|x|, which bounds the error of any order of additions. Of a user's operator
// that rounds, 64 sqrt(n) eps for each floating member, relative where it is greater than 1.
struct Expected {
  Type type;       // of the reference's result
  alignas(MOST_BYTES) char value[MOST_BYTES];
  double tolerance;
  bool own_known;
  alignas(MOST_BYTES) char own[MOST_BYTES];     // the bits of the sequential codelet in the variants' accumulator
};
Expected expect(const Reference &r, const Elements &e, uint64_t n, Data data, const Type &result);
bool is_right(const Expected &want, const Type &result, const void *got);
// The value in decimal, enough digits to tell any two apart.
void print_value(char *to, size_t size, const Type &t, const void *value);

} // namespace check

#endif
