// arrays_scan_peers.cu: cub::DeviceScan.
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>

#include "arrays_scan.h"

namespace arrays {
namespace {

cudaError_t scan(void *w, size_t *b, const Element *in, uint64_t n, Result *out, cudaStream_t s) {
  return EXCLUSIVE ? cub::DeviceScan::ExclusiveSum(w, *b, in, out, (int)n, s)
                   : cub::DeviceScan::InclusiveSum(w, *b, in, out, (int)n, s);
}
const AddPeer<ScanPeer> added(peer_name("CUB", CUB_VERSION), scan);

} // namespace
} // namespace arrays
