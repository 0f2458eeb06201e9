// data.h: the elements that variants are run on, and what counts as the right result.
#ifndef TGC_CHECK_DATA_H
#define TGC_CHECK_DATA_H

#include <vector>

#include "layout.h"

namespace check {

// Exact data: every result is exact in the element's type, whatever the order. Floating types only: real data, reals;
// special data, exact ones among which there are NaNs, infinities and zeros of both signs.
enum Data { EXACT, REAL, SPECIAL };

// Are there special data? An operator that rounds keeps its laws among numbers alone.
bool takes_specials();
inline bool is_floating(const Type &t) { return t.kind >= HALF; }
inline bool is_complex(const Type &t) { return t.kind == CFLOAT || t.kind == CDOUBLE; }
inline const char *data_name(Data d) { return d == EXACT ? "exact" : d == REAL ? "real" : "special"; }

struct Elements {
  std::vector<char> bytes;  // n of the kind
  double magnitude;         // the sum of their absolute values
};
Elements make_elements(const Type &element, void (*example)(unsigned, void *), uint64_t n, Data data, uint64_t seed);
// What results are combined with begins as a number: a NaN that meets but NaNs in a minimum may stay, or become the
// identity.
void without_nan(const Type &element, char *bytes, uint64_t n);
// Positions: `many', from `first' on, each `apart' from the next one.
struct Positions { uint64_t first, many, apart; };
// n of them: ascending from the first to behind the last, any, or all different.
std::vector<char> make_positions(const Type &element, uint64_t n, const Positions &of, bool ascending, bool different,
                                 uint64_t seed);
// n lengths, or ends, of what begins at these positions among `all'.
std::vector<char> make_runs(const Type &element, uint64_t n, const Type &start, const std::vector<char> &starts,
                            uint64_t all, bool ends, uint64_t seed);

// The reference's result and how far from it a variant's may be, each part of a complex one by itself.
struct Expected {
  Type type;       // of the reference's result
  alignas(MOST_BYTES) char value[MOST_BYTES];
  double tolerance;
  bool own_known;
  alignas(MOST_BYTES) char own[MOST_BYTES];     // the bits of the sequential codelet in the variants' accumulator
};
// .. of a reduction: 0 for integers, selections and exact data; else (n - 1) eps sum|x|, which bounds the error of any
// order of additions. Of a user's operator that rounds, 64 sqrt(n) eps for each floating member, relative where it is
// greater than 1.
double tolerance_of(const Type &reference, const void *want, const Type &result, uint64_t n, Data data,
                    double magnitude);
// .. of what is made of several operands: a few eps of the value in exact data; in real data n eps of the greatest of
// the value, what the sequential codelet makes of the operands' absolute values, and `largest', that of these.
double wide_tolerance_of(const Type &reference, const void *want, const void *absolute, const Type &result, uint64_t n,
                         Data data, double largest);
// A bound as a number: of the two of a complex one the greater; 0: of what is not rounded.
double greatest_part(const Type &t, const void *value);
double users_tolerance(uint64_t n); // of an operator of the user's
bool is_right(const Expected &want, const Type &result, const void *got);
bool is_right(const Type &reference, const void *want, double tolerance, const Type &result, const void *got);
// The value in decimal, enough digits to tell any two apart.
void print_value(char *to, size_t size, const Type &t, const void *value);


// n of them as another type has them: floats in double, what is the same as it is. False: it has not.
bool convert(const Type &from, const void *in, const Type &to, void *out, uint64_t n);
// Their absolute values, each part of a complex one by itself, in place; the greatest of them.
double make_absolute(const Type &t, void *values, uint64_t n);

} // namespace check

#endif
