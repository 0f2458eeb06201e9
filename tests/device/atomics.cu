// Each way to do an atomic, from two blocks at once on the same places.
//
// mutant: lost update: if (found == before) return;\n  }\n}\n#elif BY_BITS => return;\n  }\n}\n#elif BY_BITS
// mutant: lost state: if (found == before) return;\n  }\n}\n#elif BY_PARTS => return;\n  }\n}\n#elif BY_PARTS
// mutant: a plain read: WORD found = SWAP(word, 0, 0); => WORD found = *word;
// mutant: one part: FUNCTION(&place->im, value.im); => FUNCTION(&place->im, 0);
// mutant: a plain store: #if NATIVE\n__device__ __forceinline__ void FUNCTION(TYPE *place, TYPE value) {\n  HARDWARE(place, value); => #if NATIVE\n__device__ __forceinline__ void FUNCTION(TYPE *place, TYPE value) {\n  *place += value;
// mutant: no bits: #endif\n  HARDWARE(place, value); => #endif\n  *place = value;
#include "device_test.h"

#define FIRST 1
#define USER_WORDS 1
#define NATIVE 0
#define UNSIGNED 0
#define BY_SWAP 1
#define BY_BITS 0
#define BY_PARTS 0
#define USER 0
#define FUNCTION atomic_total
#define HARDWARE none
#define SWAP atomicCAS
#define TYPE float
#define COMBINE(found, value) found + value
#define WORD unsigned
#define BITS(x) __float_as_uint(x)
#define VALUE(x) __uint_as_float(x)
#include "atomics.cuh"
#undef FIRST
#undef USER_WORDS
#define FIRST 0
#define USER_WORDS 0

#undef FUNCTION
#undef HARDWARE
#define FUNCTION atomic_add
#define HARDWARE atomicAdd
#undef BY_SWAP
#undef NATIVE
#define BY_SWAP 0
#define NATIVE 1
#include "atomics.cuh" // atomic_add of float
#undef NATIVE
#define NATIVE 0

#undef TOGETHER
#undef FUNCTION
#undef HARDWARE
#undef TYPE
#define TOGETHER 1
#define REDUCE __reduce_or_sync
#define FUNCTION atomic_or
#define HARDWARE atomicOr
#define TYPE unsigned
#include "atomics.cuh"
#undef TOGETHER
#undef FUNCTION
#undef HARDWARE
#define TOGETHER 0
#define FUNCTION atomic_add
#define HARDWARE atomicAdd

#undef UNSIGNED
#undef TYPE
#define UNSIGNED 1
#define TYPE long long
#include "atomics.cuh"
#undef UNSIGNED
#define UNSIGNED 0

struct Pair { float re, im; };
#undef BY_PARTS
#undef TYPE
#define BY_PARTS 1
#define TYPE Pair
#include "atomics.cuh"
#undef BY_PARTS
#define BY_PARTS 0

struct Product { // of 8 bytes
  int a, b;
  static __device__ Product op(Product x, Product y) { return {x.a + y.a, x.b + y.b}; }
};
#undef USER
#undef FUNCTION
#undef TYPE
#undef WORD
#undef COMBINE
#define USER 1
#define FUNCTION atomic_op
#define TYPE T
#define WORD typename Word<sizeof(T)>::type
#define COMBINE(found, value) M::op(found, value)
#include "atomics.cuh"

__global__ void all(float *total, float *sum, long long *whole, Pair *pair, Product *product, unsigned *bits) {
  const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  atomic_total(total, (float)i);
  atomic_add(sum, 1.0f);
  atomic_add(whole, (1ll << 33) - i);
  atomic_add(pair, Pair{1, 2});
  atomic_op<Product>(product, Product{1, -i});
  atomic_or(&bits[i / 32], 1u << i % 32);
}

int main() {
  return each_seed([] {
    enum { N = 128 };
    float *total = zeroed<float>(1), *sum = zeroed<float>(1);
    long long *whole = zeroed<long long>(1);
    Pair *pair = zeroed<Pair>(1);
    Product *product = zeroed<Product>(1);
    unsigned *bits = zeroed<unsigned>(N / 32);
    if (!launched(all, 2, N / 2, total, sum, whole, pair, product, bits)) return false;
    for (int i = 0; i < N / 32; i++)
      if (bits[i] != 0xffffffff) return false;
    return *total == N * (N - 1) / 2 && *sum == N && *whole == N * (1ll << 33) - N * (N - 1) / 2 && pair->re == N && pair->im == 2 * N &&
           product->a == N && product->b == -N * (N - 1) / 2;
  });
}
