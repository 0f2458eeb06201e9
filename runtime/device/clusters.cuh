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

// The same shared-memory location in that block of the cluster.
template <typename E> __device__ __forceinline__ E *in_block(E *place, int rank) {
  return (E *)__cluster_map_shared_rank(place, (unsigned)rank);
}
