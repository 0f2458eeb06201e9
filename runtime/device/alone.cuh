// alone.cuh: what a file of this folder needs beside itself when it is compiled alone; tgc pastes none of it.
#ifndef TGC_DEVICE_ALONE_CUH
#define TGC_DEVICE_ALONE_CUH

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#include <limits>

typedef long long Index; // sizes and positions

#endif
