// posts.cuh: each block posts its result in words of its own; the block that began last collects them.
#include "alone.cuh"
// ---- pasted from here on ----

// Counts a block in as it begins. True for the last of `blocks`: all others run, or have run. The counter is at zero again.
__device__ __forceinline__ bool begins_last(unsigned *begun, unsigned blocks) {
  return atomicInc(begun, blocks - 1) == blocks - 1;
}

// A word is there or is not, whole: loads and stores that pass the L1 cache by and are not torn.
#ifdef __CUDA_ARCH__
__device__ __forceinline__ void put_word(unsigned long long *to, unsigned long long word) { *(volatile unsigned long long *)to = word; }
__device__ __forceinline__ unsigned long long get_word(unsigned long long *from) { return *(volatile unsigned long long *)from; }
#else
__device__ inline void put_word(unsigned long long *to, unsigned long long word) { atomicExch(to, word); }
__device__ inline unsigned long long get_word(unsigned long long *from) { return atomicCAS(from, 0ull, 0ull); }
#endif

// Puts a result where the collecting block looks for it: 32 bits a word, a mark above them.
template <typename E> __device__ __forceinline__ void post(unsigned long long *posts, Index place, E value) {
  const int words = sizeof(E) / sizeof(unsigned);
  union {
    E value;
    unsigned word[words];
  } bits;
  bits.value = value;
#pragma unroll
  for (int k = 0; k < words; ++k)
    put_word(&posts[place * words + k], 1ull << 32 | bits.word[k]);
}

// Waits for a result, takes it, and leaves its place empty for the next call.
template <typename E> __device__ __forceinline__ E collect(unsigned long long *posts, Index place) {
  const int words = sizeof(E) / sizeof(unsigned);
  union {
    E value;
    unsigned word[words];
  } bits;
#pragma unroll
  for (int k = 0; k < words; ++k) {
    unsigned long long word = get_word(&posts[place * words + k]);
    while (word >> 32 == 0)
      word = get_word(&posts[place * words + k]);
    put_word(&posts[place * words + k], 0);
    bits.word[k] = (unsigned)word;
  }
  return bits.value;
}
