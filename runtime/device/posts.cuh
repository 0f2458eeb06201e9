// posts.cuh: each block posts its result in words of its own; the block that began last collects them.
#include "alone.cuh"
// ---- pasted from here on ----

// Counts a block as it begins. True for the last of `blocks`: all others are running or done. Resets the counter to 0.
__device__ __forceinline__ bool begins_last(unsigned *begun, unsigned blocks) {
  return atomicInc(begun, blocks - 1) == blocks - 1;
}

// 64-bit loads and stores that bypass the L1 cache and are never torn.
#ifdef __CUDA_ARCH__
__device__ __forceinline__ void put_word(unsigned long long *to, unsigned long long word) { *(volatile unsigned long long *)to = word; }
__device__ __forceinline__ unsigned long long get_word(unsigned long long *from) { return *(volatile unsigned long long *)from; }
#else
__device__ inline void put_word(unsigned long long *to, unsigned long long word) { atomicExch(to, word); }
__device__ inline unsigned long long get_word(unsigned long long *from) { return atomicCAS(from, 0ull, 0ull); }
#endif

// Posts a result for the collecting block: 32 bits per word, below a mark that says the word is valid.
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

// Waits for a result, reads it, and clears its words for the next call.
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
