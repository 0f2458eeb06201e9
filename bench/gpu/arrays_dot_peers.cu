// arrays_dot_peers.cu: cub::DeviceReduce::TransformReduce, and thrust::inner_product, which waits.
#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/tuple.h>
#include <thrust/version.h>

#include "arrays_dot.h"

namespace arrays {
namespace {

struct Product {
  template <typename Pair> __host__ __device__ Result operator()(const Pair &p) const {
    return (Result)thrust::get<0>(p) * (Result)thrust::get<1>(p);
  }
};

cudaError_t by_cub(void *w, size_t *b, const Element *x, const Element *y, uint64_t n, Result *out, cudaStream_t s) {
  const auto pairs = thrust::make_zip_iterator(x, y);
  return cub::DeviceReduce::TransformReduce(w, *b, pairs, out, (int)n, ::cuda::std::plus<>(), Product(), (Result)0, s);
}
const AddPeer<DotPeer> cub_added(peer_name("CUB", CUB_VERSION), by_cub);

cudaError_t by_thrust(const Element *x, const Element *y, uint64_t n, Result *result, cudaStream_t s) {
  *result = thrust::inner_product(thrust::cuda::par_nosync.on(s), x, x + n, y, (Result)0);
  return cudaGetLastError();
}
const AddPeer<WaitingDotPeer> thrust_added(peer_name("thrust", THRUST_VERSION), by_thrust);

} // namespace
} // namespace arrays
