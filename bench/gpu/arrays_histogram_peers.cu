// arrays_histogram_peers.cu: cub::DeviceHistogram::HistogramEven.
#include <cub/device/device_histogram.cuh>
#include <cub/version.cuh>

#include "arrays_histogram.h"

namespace arrays {
namespace {

cudaError_t even(void *w, size_t *b, const Element *in, uint64_t n, Result *out, cudaStream_t s) {
  return cub::DeviceHistogram::HistogramEven(w, *b, in, (int *)out, BINS + 1, 0, (int)BINS, (int)n, s);
}
const AddPeer<HistogramPeer> added(peer_name("CUB", CUB_VERSION), even);

} // namespace
} // namespace arrays
