// arrays_segmented_scan.cu: prefix sums within neighbouring segments, of one size or by offsets, against
// cub::DeviceScan::InclusiveScanByKey and cub::DeviceSegmentedScan. Halves are added up as floats, on both sides.
#include "arrays_segments.h"

namespace arrays {
namespace {

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
    add_peers<SegmentsPeer>(candidates, [this](SegmentsPeer *f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        return f(w, b, in_.at(p), shape_.n, shape_.m, shape_.k, begins_.at(), out_.at(p), s);
      };
    });
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
