// cuComplex.h: complex numbers as C's functions have them, for kernels that run on the CPU: memory and no arithmetic.
#ifndef TGC_SIMT_CUCOMPLEX_H
#define TGC_SIMT_CUCOMPLEX_H

struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) double2 {
  double x, y;
};
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;

#endif
