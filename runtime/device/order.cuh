// order.cuh: numbers as unsigned ones of the same order, bit by bit: what a sort by digits reads.
//   ORDER_BITS order_bits
#include "alone.cuh"
#ifndef ORDER_BITS
#define ORDER_BITS 1
#endif
// ---- pasted from here on ----
#if ORDER_BITS

// An unsigned number of as many bits, with x's place in the order of its type: the sign is turned round, and of floating
// numbers below 0 all other bits too. -0 is less than 0, and NaN is beyond the infinities, by its sign and its bits.
__device__ __forceinline__ unsigned in_order(unsigned x) { return x; }
__device__ __forceinline__ unsigned in_order(int x) { return (unsigned)x ^ 0x80000000u; }
__device__ __forceinline__ unsigned in_order(float x) {
  const unsigned bits = __float_as_uint(x);
  return bits ^ ((unsigned)((int)bits >> 31) | 0x80000000u);
}
__device__ __forceinline__ unsigned long long in_order(unsigned long long x) { return x; }
__device__ __forceinline__ unsigned long long in_order(long long x) {
  return (unsigned long long)x ^ 0x8000000000000000ull;
}
__device__ __forceinline__ unsigned long long in_order(double x) {
  const long long bits = __double_as_longlong(x);
  return (unsigned long long)bits ^ ((unsigned long long)(bits >> 63) | 0x8000000000000000ull);
}

// Of that number `many' bits, from number `from' on, which is below their number.
template <typename T>
__device__ __forceinline__ unsigned order_bits(T x, int from, int many) {
  return (unsigned)(in_order(x) >> from) & ((1u << many) - 1u);
}
#endif
