// cuda_bf16.h: __nv_bfloat16, as far as generated text uses it: made from a float, read as one.
#ifndef TGC_NVPTX_CUDA_BF16_H
#define TGC_NVPTX_CUDA_BF16_H

#include "cuda_runtime.h"

struct __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  __device__ explicit __nv_bfloat16(float f) {
    const unsigned word = (unsigned)__float_as_int(f);
    const bool is_nan = f != f;
    bits = (unsigned short)((is_nan ? word | 1u << 22 : word + 0x7fff + (word >> 16 & 1)) >> 16);
  }
  __device__ operator float() const { return __int_as_float((int)((unsigned)bits << 16)); }
};

#endif
