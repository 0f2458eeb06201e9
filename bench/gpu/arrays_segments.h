// arrays_segments.h: what the workloads of segments share: their shapes, where segments begin, what they call of a
// library. Segments are of one size, or ours is told by offsets where each begins; then those that are checked are of
// many sizes, 0 among them.
#ifndef BENCH_ARRAYS_SEGMENTS_H
#define BENCH_ARRAYS_SEGMENTS_H

#include <cuda_fp16.h>

#include "arrays_ours.h"

namespace arrays {

constexpr bool by_offsets = std::is_pointer<Ours::At<4>>::value; // what follows the elements and their number
using Element = Ours::Element<2>;
using Result = Ours::Element<by_offsets ? 6 : 5>;

// n elements in m segments of `size', or, with by_offsets, between offsets[i] and offsets[i + 1].
typedef cudaError_t SegmentsPeer(void *workspace, size_t *bytes, const Element *in, uint64_t n, uint64_t m,
                                 uint64_t size, const long long *offsets, Result *out, cudaStream_t);

struct BeginOf { // where a segment begins, which is where the one before it ends
  uint64_t n, size;
  __host__ __device__ int64_t operator()(int64_t segment) const {
    const uint64_t begin = segment * size;
    return (int64_t)(begin < n ? begin : n);
  }
};

// Where each segment begins, and the last one ends; also in the device's memory.
class Begins {
 public:
  void lay_out(const Shape &s) {
    all_.resize(s.m + 1);
    long long *all = all_.data();
    const BeginOf begin_of = {s.n, s.k};
    if (s.group == UNEVEN) uneven(s.n, s.k, &all_);
    else in_parallel(s.m + 1, [=](uint64_t begin, uint64_t end) {
      for (uint64_t i = begin; i < end; i++) all[i] = begin_of((int64_t)i);
    });
    if (!by_offsets) return;
    memory_.need(all_.size() * sizeof(long long));
    CUDA(cudaMemcpy(memory_.at(), all, all_.size() * sizeof(long long), cudaMemcpyHostToDevice));
  }
  const long long *host() const { return all_.data(); }
  const long long *at() const { return (const long long *)memory_.at(); }

  // Segments of 0 to 2 * size elements that n are divided into.
  static void uneven(uint64_t n, uint64_t size, std::vector<long long> *to) {
    to->assign(1, 0);
    for (uint64_t at = 0; at < n; to->push_back((long long)at))
      at = std::min(n, at + scrambled(to->size()) % (2 * size + 1));
  }
  static constexpr const char *UNEVEN = "uneven";

 private:
  std::vector<long long> all_;
  Memory memory_;
};

// written: elements of the result; 0: one a segment.
inline Shape segments(uint64_t n, uint64_t size, uint64_t written, int offset = 0, const char *group = "") {
  Shape s;
  s.group = group;
  s.n = n;
  s.k = size;
  s.m = (n + size - 1) / size;
  if (s.group == Begins::UNEVEN) {
    std::vector<long long> begins;
    Begins::uneven(n, size, &begins);
    s.m = begins.size() - 1;
  }
  s.offset = offset;
  s.in_table = false;
  s.read = sizeof(Element) * (double)n + (by_offsets ? sizeof(long long) * (double)(s.m + 1) : 0);
  s.written = sizeof(Result) * (double)(written ? written : s.m);
  s.name = std::to_string(n) + " by " + std::to_string(size) + (offset ? "+" + std::to_string(offset) : "");
  return s;
}

// scans: a result for each element, not for each segment. The largest that are checked have something for a lane, a
// warp and a block each.
inline void add_segments(std::vector<Shape> &checked, std::vector<Shape> &timed, const std::vector<int> &exponents,
                         bool scans) {
  static const uint64_t sizes[][2] = {
      {0, 5},        {1, 1},         {1, 100},        {1000, 1},         {1000, 7},       {4097, 33},
      {65536, 16},   {65537, 32},    {100003, 256},   {100000, 1000},    {300001, 4096},  {300001, 65537},
      {1048576, 16}, {1048576, 512}, {1048576, 1024}, {1048576, 131072}, {300001, 1000000}};
  for (const auto &s : sizes)
    for (int offset : {0, 1}) {
      checked.push_back(segments(s[0], s[1], scans ? s[0] : 0, offset));
      if (by_offsets && s[0] > 1) checked.push_back(segments(s[0], s[1], scans ? s[0] : 0, offset, Begins::UNEVEN));
    }
  for (int k : exponents) {
    if (k < 4 || k > 24) continue;
    const uint64_t n = 1ull << 28;
    timed.push_back(segments(n, 1ull << k, scans ? n : 0, 0, "2^28 by"));
    timed.back().name = "2^" + std::to_string(k);
    timed.back().key = 1ull << k;
    timed.back().in_table = !by_offsets; // which have the names of those of one size
  }
}

} // namespace arrays

#endif
