// arrays_segmented.cu: the sums of neighbouring segments, of one size or by offsets, against
// cub::DeviceSegmentedReduce. Halves are added up as floats, on both sides.
#include "arrays_segments.h"

namespace arrays {
namespace {

class Segmented : public Workload {
 public:
  explicit Segmented(const std::vector<int> &exponents) {
    spectrum = TEXT(SPECTRUM);
    type = TEXT(TYPE);
    add_segments(checked, timed, exponents, false);
    add_ours(candidates, [this](auto f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        if constexpr (by_offsets)
          return f(w, b, in_.at(p), shape_.n, begins_.at(), shape_.m + 1, out_.at(p), shape_.m, s);
        else return f(w, b, in_.at(p), shape_.n, shape_.k, out_.at(p), shape_.m, s);
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
    out_.lay_out(turns(shape.m, shape.offset ? 4 - shape.offset : 0, places));
    begins_.lay_out(shape);
    const long long *begins = begins_.host();
    for (int p = 0; p < places; p++) {
      const int16_t *in = in_.numbers.data() + in_.at_turns.begin(p);
      Result *expected = out_.expected(p);
      in_parallel(shape.m, [=](uint64_t begin, uint64_t end) {
        for (uint64_t s = begin; s < end; s++) {
          long long sum = 0;
          for (long long i = begins[s]; i < begins[s + 1]; i++) sum += in[i];
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
  Begins begins_;
  Input<Element> in_{-127, 127, 1};
  Output<Result> out_;
};

} // namespace

Workload *make_workload(const std::vector<int> &exponents) { return new Segmented(exponents); }

} // namespace arrays
