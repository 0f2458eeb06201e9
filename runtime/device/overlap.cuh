// overlap.cuh: programmatic dependent launch: a grid begins while the previous one in the stream still runs.
#include "alone.cuh"
// ---- pasted from here on ----

// Lets a grid be put on the machine while the one before it in the stream still runs ..
inline cudaLaunchAttribute may_begin_early() {
  cudaLaunchAttribute early = {};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  return early;
}

// .. and here it waits for that one, and for all that was stored before. The kernel's pointers are not __restrict__:
// loads from what never changes while it runs might be moved up over this.
__device__ __forceinline__ void after_earlier_grids() {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}
