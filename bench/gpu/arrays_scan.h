// arrays_scan.h: what the workload of scans calls of a library.
#ifndef BENCH_ARRAYS_SCAN_H
#define BENCH_ARRAYS_SCAN_H

#include "arrays_ours.h"

#ifndef EXCLUSIVE
#define EXCLUSIVE 0
#endif

namespace arrays {

using Element = Ours::Element<2>;
using Result = Ours::Element<4>;
typedef cudaError_t ScanPeer(void *workspace, size_t *bytes, const Element *in, uint64_t n, Result *out, cudaStream_t);

} // namespace arrays

#endif
