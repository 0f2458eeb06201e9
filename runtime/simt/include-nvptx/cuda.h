// cuda.h: the driver's names of tensor maps, for texts that clang compiles without the toolkit (cuda_runtime.h).
#ifndef TGC_NVPTX_CUDA_H
#define TGC_NVPTX_CUDA_H

#include <stdint.h>

#define __grid_constant__ __attribute__((annotate("grid_constant")))

typedef struct alignas(64) CUtensorMap_st {
  uint64_t opaque[16];
} CUtensorMap;
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef enum CUresult { CUDA_SUCCESS } CUresult;
typedef enum CUtensorMapDataType {
  CU_TENSOR_MAP_DATA_TYPE_UINT16 = 1,
  CU_TENSOR_MAP_DATA_TYPE_INT32 = 3,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT32 = 7
} CUtensorMapDataType;
typedef enum CUtensorMapInterleave { CU_TENSOR_MAP_INTERLEAVE_NONE } CUtensorMapInterleave;
typedef enum CUtensorMapSwizzle { CU_TENSOR_MAP_SWIZZLE_128B = 3 } CUtensorMapSwizzle;
typedef enum CUtensorMapL2promotion { CU_TENSOR_MAP_L2_PROMOTION_L2_256B = 3 } CUtensorMapL2promotion;
typedef enum CUtensorMapFloatOOBfill { CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE } CUtensorMapFloatOOBfill;
typedef enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess } cudaDriverEntryPointQueryResult;
enum { cudaEnableDefault };
#define CUDART_VERSION 13000
int cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version, unsigned long long flags,
                                     cudaDriverEntryPointQueryResult *result);

#endif
