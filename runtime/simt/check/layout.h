// layout.h: values that are structs of numbers, member by member.
#ifndef TGC_CHECK_LAYOUT_H
#define TGC_CHECK_LAYOUT_H

#include "harness.h"

namespace check {

size_t bytes_of(const Type &t);

// The members of a struct; of a number one, itself.
const Member *members_of(const Type &t, int *count);

bool same_bits(const Type &t, const void *x, const void *y);
// The same bits, member by member; a NaN has no certain ones: which of two operands' it has, and its sign, is the
// machine's choice. With any_zero a zero may be of either sign.
bool same_bits_or_nan(const Type &t, const void *x, const void *y, bool any_zero);
// Integers are the same; floating members differ by no more than `relative' times their epsilon, of 1 or of what is
// wanted.
bool is_close(const Type &t, const void *want, const void *got, double relative);
// "{3, 0.5}"
void print_members(char *to, size_t size, const Type &t, const void *value);
// Random members: small integers, reals from -1 to 1.
void fill_members(char *to, const Type &t, uint64_t (*random)(void *), void *state);

// Bits of the bytes that no member has.
uint64_t padding_of(const Layout &l);

double number_at(Kind k, const void *at);
int64_t integer_at(Kind k, const void *at);

} // namespace check

#endif
