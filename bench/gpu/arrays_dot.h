// arrays_dot.h: what the workload of dot products calls of a library.
#ifndef BENCH_ARRAYS_DOT_H
#define BENCH_ARRAYS_DOT_H

#include "arrays_ours.h"

namespace arrays {

using Element = Ours::Element<2>;
using Result = Ours::Element<5>;
typedef cudaError_t DotPeer(void *workspace, size_t *bytes, const Element *x, const Element *y, uint64_t n, Result *out,
                            cudaStream_t);
// Waits, and gives its result to the host.
typedef cudaError_t WaitingDotPeer(const Element *x, const Element *y, uint64_t n, Result *result, cudaStream_t);

} // namespace arrays

#endif
