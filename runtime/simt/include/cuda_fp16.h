// cuda_fp16.h: __half for kernels that run on the CPU: 16 bits in memory, computed with in float.
#ifndef TGC_SIMT_CUDA_FP16_H
#define TGC_SIMT_CUDA_FP16_H

struct __half {
  _Float16 value;
  __half() = default;
  template <typename N>
  explicit __half(N number) : value((_Float16)number) {}
  operator float() const { return (float)value; }
};

inline float __half2float(__half h) { return (float)h.value; }
inline __half __float2half(float f) { return __half(f); }

#endif
