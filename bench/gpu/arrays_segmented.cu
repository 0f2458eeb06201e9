// arrays_segmented.cu: the sums of neighbouring segments of one size, against cub::DeviceSegmentedReduce, which is told
// where each begins and ends. Halves are added up as floats, on both sides.
#include <cub/device/device_segmented_reduce.cuh>
#include <cuda_fp16.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "arrays_ours.h"

namespace arrays {
namespace {

using Element = Ours::Element<2>;
using Result = Ours::Element<5>;

struct ToResult {
  __host__ __device__ Result operator()(Element e) const { return (Result)e; }
};
struct BeginOf { // where a segment begins, which is where the one before it ends
  uint64_t n, size;
  __host__ __device__ int64_t operator()(int64_t segment) const {
    const uint64_t begin = segment * size;
    return (int64_t)(begin < n ? begin : n);
  }
};

Shape segments(uint64_t n, uint64_t size, int offset = 0) {
  Shape s;
  s.n = n;
  s.k = size;
  s.m = (n + size - 1) / size;
  s.offset = offset;
  s.in_table = false;
  s.read = sizeof(Element) * (double)n;
  s.written = sizeof(Result) * (double)s.m;
  s.name = std::to_string(n) + " by " + std::to_string(size) + (offset ? "+" + std::to_string(offset) : "");
  return s;
}

class Segmented : public Workload {
 public:
  explicit Segmented(const std::vector<int> &exponents) {
    spectrum = TEXT(SPECTRUM);
    type = TEXT(TYPE);
    static const uint64_t sizes[][2] = {{0, 5},      {1, 1},       {1, 100},      {1000, 1},      {1000, 7},
                                        {4097, 33},  {65536, 16},  {65537, 32},   {100003, 256},  {100000, 1000},
                                        {300001, 4096}, {300001, 65537}, {1048576, 1024}, {300001, 1000000}};
    for (const auto &s : sizes)
      for (int offset : {0, 1}) checked.push_back(segments(s[0], s[1], offset));
    for (int k : exponents) {
      if (k < 4 || k > 24) continue;
      timed.push_back(segments(1ull << 28, 1ull << k));
      timed.back().group = "2^28 by";
      timed.back().name = "2^" + std::to_string(k);
    }
    add_ours(candidates, [this](auto f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        return f(w, b, in_.at(p), shape_.n, shape_.k, out_.at(p), shape_.m, s);
      };
    });
    candidates.push_back(library("cub", [this](void *w, size_t *b, int p, cudaStream_t s) {
      const auto begin = thrust::make_transform_iterator(thrust::make_counting_iterator<int64_t>(0),
                                                         BeginOf{shape_.n, shape_.k});
      const int64_t count = (int64_t)shape_.m;
      if constexpr (std::is_same<Element, Result>::value)
        return cub::DeviceSegmentedReduce::Sum(w, *b, in_.at(p), out_.at(p), count, begin, begin + 1, s);
      else
        return cub::DeviceSegmentedReduce::Sum(w, *b, thrust::make_transform_iterator(in_.at(p), ToResult()),
                                               out_.at(p), count, begin, begin + 1, s);
    }));
  }

  void lay_out(const Shape &shape, int places) override {
    shape_ = shape;
    in_.lay_out(turns(shape.n, shape.offset, places));
    out_.lay_out(turns(shape.m, shape.offset ? 4 - shape.offset : 0, places));
    for (int p = 0; p < places; p++) {
      const int16_t *in = in_.numbers.data() + in_.at_turns.begin(p);
      Result *expected = out_.expected(p);
      const uint64_t n = shape.n, size = shape.k;
      in_parallel(shape.m, [=](uint64_t begin, uint64_t end) {
        for (uint64_t s = begin; s < end; s++) {
          long long sum = 0;
          for (uint64_t i = s * size; i < std::min(n, (s + 1) * size); i++) sum += in[i];
          expected[s] = (Result)(sum * (double)scale_of<Element>());
        }
      });
    }
    out_.upload_expected();
  }
  void poison(cudaStream_t s) override { out_.poison(s); }
  uint64_t wrong(int places, cudaStream_t s) override { return out_.wrong(places, s); }

 private:
  Shape shape_;
  Input<Element> in_{-127, 127, 1};
  Output<Result> out_;
};

} // namespace

Workload *make_workload(const std::vector<int> &exponents) { return new Segmented(exponents); }

} // namespace arrays
