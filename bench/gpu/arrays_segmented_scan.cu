// arrays_segmented_scan.cu: the sums of all beginnings of neighbouring segments, of one size or by offsets, against
// cub::DeviceScan::InclusiveScanByKey, whose keys are the numbers of the segments, reckoned from where an element lies,
// and, where the toolkit has it, cub::DeviceSegmentedScan. Halves are added up as floats, on both sides.
#if __has_include(<cub/device/device_segmented_scan.cuh>)
#include <cub/device/device_segmented_scan.cuh>
#define HAS_SEGMENTED_SCAN 1
#else
#define HAS_SEGMENTED_SCAN 0
#endif
#include <cub/device/device_scan.cuh>

#include "arrays_segments.h"

namespace arrays {
namespace {

struct SegmentOf { // the sizes that are timed are powers of two
  int shift;
  __host__ __device__ uint32_t operator()(uint32_t i) const { return i >> shift; }
};

class SegmentedScan : public Workload {
 public:
  explicit SegmentedScan(const std::vector<int> &exponents) {
    spectrum = TEXT(SPECTRUM);
    type = TEXT(TYPE);
    add_segments(checked, timed, exponents, true);
    add_ours(candidates, [this](auto f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        if constexpr (by_offsets) return f(w, b, in_.at(p), shape_.n, begins_.at(), shape_.m + 1, out_.at(p), s);
        else return f(w, b, in_.at(p), shape_.n, shape_.k, out_.at(p), s);
      };
    });
    candidates.push_back(library("cub", [this](void *w, size_t *b, int p, cudaStream_t s) {
      int shift = 0;
      while (shape_.k >> (shift + 1)) shift++;
      const auto keys = thrust::make_transform_iterator(thrust::make_counting_iterator<uint32_t>(0), SegmentOf{shift});
      return cub::DeviceScan::InclusiveScanByKey(w, *b, keys, read_by_libraries(in_.at(p)), out_.at(p),
                                                 ::cuda::std::plus<>(), (uint32_t)shape_.n, ::cuda::std::equal_to<>(),
                                                 s);
    }));
#if HAS_SEGMENTED_SCAN
    candidates.push_back(library("cub-segmented", [this](void *w, size_t *b, int p, cudaStream_t s) {
      const auto in = read_by_libraries(in_.at(p));
      const int64_t count = (int64_t)shape_.m;
      if constexpr (by_offsets)
        return cub::DeviceSegmentedScan::InclusiveSegmentedSum(w, *b, in, out_.at(p), begins_.at(), begins_.at() + 1,
                                                               count, s);
      else {
        const auto begin = begins_for_libraries(shape_);
        return cub::DeviceSegmentedScan::InclusiveSegmentedSum(w, *b, in, out_.at(p), begin, begin + 1, count, s);
      }
    }));
#endif
  }

  void lay_out(const Shape &shape, int places) override {
    shape_ = shape;
    in_.lay_out(turns(shape.n, shape.offset, places));
    out_.lay_out(turns(shape.n, shape.offset ? 4 - shape.offset : 0, places));
    begins_.lay_out(shape);
    const long long *begins = begins_.host();
    for (int p = 0; p < places; p++) {
      const int16_t *in = in_.numbers.data() + in_.at_turns.begin(p);
      Result *expected = out_.expected(p);
      in_parallel(shape.m, [=](uint64_t begin, uint64_t end) {
        for (uint64_t s = begin; s < end; s++) {
          int sum = 0;
          for (long long i = begins[s]; i < begins[s + 1]; i++)
            expected[i] = (Result)((sum += in[i]) * scale_of<Element>());
        }
      });
    }
    out_.upload_expected();
  }
  void poison(cudaStream_t s) override { out_.poison(s); }
  uint64_t wrong(int places, cudaStream_t s) override { return out_.wrong(places, s); }

 private:
  Shape shape_;
  Begins begins_;
  Input<Element> in_{-127, 127, 1};
  Output<Result> out_;
};

} // namespace

Workload *make_workload(const std::vector<int> &exponents) { return new SegmentedScan(exponents); }

} // namespace arrays
