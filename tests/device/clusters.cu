// Every block of a cluster puts its number into the first block's shared memory, and takes the sum from there.
//
// mutant: another block: (place, (unsigned)rank) => (place, (unsigned)rank ^ 1)
// mutant: no clusters: clusterDim.x = (unsigned)blocks => clusterDim.x = 1
#include "device_test.h"

#include "clusters.cuh"

enum { CLUSTER = 4 };

static __device__ void meet() {
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
}

__global__ void sum(int *out) {
  __shared__ int parts[CLUSTER];
  __shared__ int total;
  meet();
  const int rank = __clusterRelativeBlockRank();
  *in_block(&parts[rank], 0) = (int)blockIdx.x + 1;
  meet();
  total = rank;
  for (int i = 0; i < CLUSTER && rank == 0; i++) total += parts[i];
  meet();
  out[blockIdx.x] = *in_block(&total, 0) + *in_block(&total, CLUSTER - 1);
  meet();
}

int main() {
  return each_seed([] {
    int *out = zeroed<int>(2 * CLUSTER);
    cudaLaunchAttribute how = in_clusters(CLUSTER);
    const cudaLaunchConfig_t grid = {dim3(2 * CLUSTER), dim3(1), 0, nullptr, &how, 1};
    if (cudaLaunchKernelEx(&grid, sum, out) != cudaSuccess) return false;
    bool right = true;
    for (int i = 0; i < 2 * CLUSTER; i++) right &= out[i] == (i < CLUSTER ? 10 : 26) + CLUSTER - 1;
    return right;
  });
}
