// arrays_segments_peers.h: the iterators that libraries read segments through.
#ifndef BENCH_ARRAYS_SEGMENTS_PEERS_H
#define BENCH_ARRAYS_SEGMENTS_PEERS_H

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "arrays_segments.h"

namespace arrays {
namespace {

struct ToResult {
  __host__ __device__ Result operator()(Element e) const { return (Result)e; }
};

// Halves become floats as they are read, as they do in ours.
auto read_by_libraries(const Element *in) {
  if constexpr (std::is_same<Element, Result>::value) return in;
  else return thrust::make_transform_iterator(in, ToResult());
}
auto computed_begins(uint64_t n, uint64_t size) {
  return thrust::make_transform_iterator(thrust::make_counting_iterator<int64_t>(0), BeginOf{n, size});
}

} // namespace
} // namespace arrays

#endif
