// arrays_cuda.h: arrays.h for what a GPU's folder has: CUDA's complex numbers are structs.
#ifndef MEASURE_ARRAYS_CUDA_H
#define MEASURE_ARRAYS_CUDA_H

#include <cuComplex.h>

#include "arrays.h"

template <>
struct Made<cuFloatComplex> {
  template <typename V>
  static cuFloatComplex of(V v) { return {(float)v, 0}; }
};
template <>
struct Made<cuDoubleComplex> {
  template <typename V>
  static cuDoubleComplex of(V v) { return {(double)v, 0}; }
};

#endif
