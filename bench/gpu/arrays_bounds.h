// arrays_bounds.h: what the memory allows: kernels that copy, or only read, as many bytes as a workload has to.
#ifndef BENCH_ARRAYS_BOUNDS_H
#define BENCH_ARRAYS_BOUNDS_H

#include <algorithm>

#include "arrays.h"

namespace arrays {

__device__ __forceinline__ void after_earlier_grids() {
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
}

template <int threads, int loads>
__global__ void __launch_bounds__(threads) copy_all(const uint4 *in, uint4 *out, uint64_t n) {
  after_earlier_grids();
  const uint64_t at = (uint64_t)blockIdx.x * (threads * loads) + threadIdx.x;
  uint4 item[loads];
#pragma unroll
  for (int i = 0; i < loads; i++)
    if (at + i * threads < n) item[i] = in[at + i * threads];
#pragma unroll
  for (int i = 0; i < loads; i++)
    if (at + i * threads < n) out[at + i * threads] = item[i];
}

template <int threads, int loads>
__global__ void __launch_bounds__(threads) read_all(const uint4 *in, uint4 *out, uint64_t n) {
  after_earlier_grids();
  const uint64_t at = (uint64_t)blockIdx.x * (threads * loads) + threadIdx.x;
  uint4 item[loads];
  unsigned seen = 0;
#pragma unroll
  for (int i = 0; i < loads; i++) item[i] = at + i * threads < n ? in[at + i * threads] : make_uint4(0, 0, 0, 0);
#pragma unroll
  for (int i = 0; i < loads; i++) seen ^= item[i].x ^ item[i].y ^ item[i].z ^ item[i].w;
  if (seen == 0x13579bdf) *out = item[0]; // so that the loads are wanted
}

// Kernels that move as many bytes as the workload has to, in memory of their own.
class Bounds {
 public:
  std::vector<Candidate> candidates;

  Bounds() {
    add<256, 1>("copy", copy_all<256, 1>);
    add<512, 4>("copy", copy_all<512, 4>);
    add<256, 2>("read", read_all<256, 2>);
    add<512, 4>("read", read_all<512, 4>);
  }
  void lay_out(const Shape &s, int places) {
    words_ = std::max<uint64_t>(2, (uint64_t)(s.read + s.written) / 16) / 2 * 2;
    stride_ = (words_ + 15) / 16 * 16;
    memory_.need(places * stride_ * 16);
  }

 private:
  uint64_t words_ = 0, stride_ = 0;
  Memory memory_;

  template <int threads, int loads> void add(const char *name, void (*kernel)(const uint4 *, uint4 *, uint64_t)) {
    Candidate c;
    c.role = Role::bound;
    c.name = name;
    c.call = [=](void *workspace, size_t *bytes, int place, cudaStream_t stream) {
      *bytes = 1;
      if (!workspace) return cudaSuccess;
      const bool copies = name[0] == 'c';
      const uint64_t n = copies ? words_ / 2 : words_;
      uint4 *at = (uint4 *)memory_.at() + place * stride_;
      const unsigned blocks = (unsigned)((n + threads * loads - 1) / (threads * loads));
      return launch(kernel, blocks, threads, stream, true, at, copies ? at + n : at, n);
    };
    candidates.push_back(c);
  }
};

} // namespace arrays

#endif
