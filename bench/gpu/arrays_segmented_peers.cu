// arrays_segmented_peers.cu: cub::DeviceSegmentedReduce, which is told where each segment begins and ends, or, from
// CUB 3.1 on, that all are as long.
#include <cub/device/device_segmented_reduce.cuh>
#include <cub/version.cuh>

#include "arrays_segments_peers.h"

namespace arrays {
namespace {

cudaError_t by_begins(void *w, size_t *b, const Element *in, uint64_t n, uint64_t m, uint64_t size,
                      const long long *offsets, Result *out, cudaStream_t s) {
  const auto elements = read_by_libraries(in);
  if constexpr (by_offsets)
    return cub::DeviceSegmentedReduce::Sum(w, *b, elements, out, (int64_t)m, offsets, offsets + 1, s);
  else {
    const auto begin = computed_begins(n, size);
    return cub::DeviceSegmentedReduce::Sum(w, *b, elements, out, (int64_t)m, begin, begin + 1, s);
  }
}
const AddPeer<SegmentsPeer> offsets_added(peer_name("CUB", CUB_VERSION, "offsets"), by_begins);

#if CUB_VERSION >= 300100
cudaError_t of_one_size(void *w, size_t *b, const Element *in, uint64_t, uint64_t m, uint64_t size, const long long *,
                        Result *out, cudaStream_t s) {
  return cub::DeviceSegmentedReduce::Sum(w, *b, read_by_libraries(in), out, (int64_t)m, (int)size, s);
}
struct AddFixed { // a caller who has offsets does not know that all segments are as long
  AddFixed() {
    if (!by_offsets) AddPeer<SegmentsPeer>(peer_name("CUB", CUB_VERSION, "fixed-size"), of_one_size);
  }
};
const AddFixed fixed_added;
#endif

} // namespace
} // namespace arrays
