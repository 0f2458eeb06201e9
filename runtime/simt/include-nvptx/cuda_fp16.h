// cuda_fp16.h: __half, as far as generated text uses it: made from a float, read as one.
#ifndef TGC_NVPTX_CUDA_FP16_H
#define TGC_NVPTX_CUDA_FP16_H

#include "cuda_runtime.h"

struct __half {
  unsigned short bits;
  __half() = default;
  __device__ explicit __half(float f) { asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(f)); }
  __device__ operator float() const {
    float f;
    asm("cvt.f32.f16 %0, %1;" : "=f"(f) : "h"(bits));
    return f;
  }
};

#endif
