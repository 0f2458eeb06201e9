// arrays_map_peers.cu: thrust::transform and cub::DeviceTransform.
#include <cub/device/device_transform.cuh>
#include <cub/version.cuh>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#include <thrust/version.h>

#include "arrays_map.h"

namespace arrays {
namespace {

cudaError_t by_thrust(void *w, size_t *b, Add f, const Element *x, const Element *y, uint64_t n, Element *out,
                      cudaStream_t s) {
  *b = 1;
  if (w) thrust::transform(thrust::cuda::par_nosync.on(s), x, x + n, y, out, f);
  return cudaGetLastError();
}
const AddPeer<MapPeer> thrust_added(peer_name("thrust", THRUST_VERSION), by_thrust);

cudaError_t by_cub(void *w, size_t *b, Add f, const Element *x, const Element *y, uint64_t n, Element *out,
                   cudaStream_t s) {
  *b = 1;
  return w ? cub::DeviceTransform::Transform(::cuda::std::make_tuple(x, y), out, (int)n, f, s) : cudaSuccess;
}
const AddPeer<MapPeer> cub_added(peer_name("CUB", CUB_VERSION), by_cub);

} // namespace
} // namespace arrays
