// clusters.cuh: thread block clusters and their distributed shared memory.
#include "alone.cuh"
// ---- pasted from here on ----

// Launch attribute: this many neighbouring blocks form a cluster.
inline cudaLaunchAttribute in_clusters(Index blocks) {
  cudaLaunchAttribute cluster = {};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = (unsigned)blocks;
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  return cluster;
}

// The same shared-memory location in the cluster's first block.
template <typename E> __device__ __forceinline__ E *in_first_block(E *place) {
  return (E *)__cluster_map_shared_rank(place, 0);
}
