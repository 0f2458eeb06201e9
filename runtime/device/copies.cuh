// copies.cuh: copies to shared memory that are made while the lane goes on (PTX: cp.async, from sm_80 on).
#include "alone.cuh"
// ---- pasted from here on ----

// A copy of `many` neighbouring elements, of 16 bytes or one element, to shared memory, or zeros if they do not exist. It is
// there behind await_copies(). Elements of less than four bytes are copied at once.
template <int many, typename E> __device__ __forceinline__ void copy_ahead(E *to, const E *from, bool exist) {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  constexpr int bytes = many * (int)sizeof(E);
  if constexpr (bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
                 "r"(exist ? 16 : 0)
                 : "memory");
  } else if constexpr (bytes == 4 || bytes == 8) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"((unsigned)__cvta_generic_to_shared(to)), "l"(from),
                 "n"(bytes), "r"(exist ? bytes : 0)
                 : "memory");
  } else {
#pragma unroll
    for (int i = 0; i < many; ++i)
      to[i] = exist ? from[i] : E(0);
  }
#else // tgc check's executor
  simt::copy_ahead(to, from, many, exist);
#endif
}

// This lane's copies since the last call are a group.
__device__ __forceinline__ void close_copies() {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  asm volatile("cp.async.commit_group;" ::: "memory");
#else
  simt::close_copies();
#endif
}

// Waits until no more than so many of this lane's groups are still being copied.
template <int groups> __device__ __forceinline__ void await_copies() {
#if defined(__CUDACC__) || defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
#else
  simt::await_copies(groups);
#endif
}
