// arrays_sum.h: what the workload of sums calls of a library.
#ifndef BENCH_ARRAYS_SUM_H
#define BENCH_ARRAYS_SUM_H

#include "arrays_ours.h"

namespace arrays {

using Element = Ours::Element<2>;
using Result = Ours::Element<4>;
typedef cudaError_t SumPeer(void *workspace, size_t *bytes, const Element *in, uint64_t n, Result *out, cudaStream_t);

} // namespace arrays

#endif
