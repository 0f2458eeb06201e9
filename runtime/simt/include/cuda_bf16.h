// cuda_bf16.h: __nv_bfloat16 for kernels that run on the CPU: the upper half of a float in memory, computed with in
// float.
#ifndef TGC_SIMT_CUDA_BF16_H
#define TGC_SIMT_CUDA_BF16_H

struct __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  // To the nearest, of two as near to the one whose last bit is 0.
  template <typename N>
  explicit __nv_bfloat16(N number) {
    const float f = (float)number;
    unsigned word;
    __builtin_memcpy(&word, &f, sizeof word);
    const bool is_nan = f != f;
    bits = (unsigned short)((is_nan ? word | 1u << 22 : word + 0x7fff + (word >> 16 & 1)) >> 16);
  }
  operator float() const {
    const unsigned word = (unsigned)bits << 16;
    float f;
    __builtin_memcpy(&f, &word, sizeof f);
    return f;
  }
};

inline float __bfloat162float(__nv_bfloat16 b) { return (float)b; }
inline __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }

#endif
