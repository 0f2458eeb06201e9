// Every block of a cluster puts its number into the last block's shared memory.
//
// mutant: the first block: __cluster_map_shared_rank(place, (unsigned)rank) => __cluster_map_shared_rank(place, 0)
// mutant: no clusters: clusterDim.x = (unsigned)blocks => clusterDim.x = 1
#include "device_test.h"

#include "clusters.cuh"

enum { CLUSTER = 4 };

__global__ void sum(int *out) {
  __shared__ int parts[CLUSTER];
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  const int rank = __clusterRelativeBlockRank();
  *in_block(&parts[rank], CLUSTER - 1) = (int)blockIdx.x + 1;
  __cluster_barrier_arrive();
  __cluster_barrier_wait();
  if (rank < CLUSTER - 1) return;
  int total = 0;
  for (int i = 0; i < CLUSTER; i++) total += parts[i];
  out[blockIdx.x / CLUSTER] = total;
}

int main() {
  return each_seed([] {
    int *out = zeroed<int>(2);
    cudaLaunchAttribute how = in_clusters(CLUSTER);
    const cudaLaunchConfig_t grid = {dim3(2 * CLUSTER), dim3(1), 0, nullptr, &how, 1};
    return cudaLaunchKernelEx(&grid, sum, out) == cudaSuccess && out[0] == 1 + 2 + 3 + 4 && out[1] == 5 + 6 + 7 + 8;
  });
}
