// arrays_histogram.h: what the workload of histograms calls of a library.
#ifndef BENCH_ARRAYS_HISTOGRAM_H
#define BENCH_ARRAYS_HISTOGRAM_H

#include "arrays_ours.h"

namespace arrays {

using Element = Ours::Element<2>;
using Result = Ours::Element<4>;
enum { BINS = 256 };
typedef cudaError_t HistogramPeer(void *workspace, size_t *bytes, const Element *in, uint64_t n, Result *out,
                                  cudaStream_t);

} // namespace arrays

#endif
