// bits.cuh: bit casts between numbers and integers, for users' operators.
//
//   BITS_OF, FLOAT_OF_BITS, DOUBLE_OF_BITS   the functions of those names
#include "alone.cuh"
#include <string.h>
#ifndef BITS_OF
#define BITS_OF 1
#define FLOAT_OF_BITS 1
#define DOUBLE_OF_BITS 1
#endif
// ---- pasted from here on ----
#if BITS_OF || FLOAT_OF_BITS || DOUBLE_OF_BITS

// The bits of a number, and back.
#endif
#if BITS_OF
__host__ __device__ inline unsigned bits_of(float x) { unsigned u; memcpy(&u, &x, 4); return u; }
__host__ __device__ inline unsigned long long bits_of(double x) { unsigned long long u; memcpy(&u, &x, 8); return u; }
#endif
#if FLOAT_OF_BITS
__host__ __device__ inline float float_of_bits(unsigned u) { float x; memcpy(&x, &u, 4); return x; }
#endif
#if DOUBLE_OF_BITS
__host__ __device__ inline double double_of_bits(unsigned long long u) { double x; memcpy(&x, &u, 8); return x; }
#endif
