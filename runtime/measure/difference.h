// difference.h: two arrays of the device's memory, compared there.
#ifndef MEASURE_DIFFERENCE_H
#define MEASURE_DIFFERENCE_H

#include <cuda_runtime.h>

#include <cstdint>

// Lowers *at, in device memory, to the least byte where the arrays differ; both are aligned to 8 bytes.
void first_difference(const void *x, const void *y, uint64_t bytes, unsigned long long *at, cudaStream_t stream);

#endif
