// arrays_histogram.cu: how often each of 256 numbers occurs, against cub::DeviceHistogram::HistogramEven. Ours adds to
// the bins, so that zeroing them, which CUB's does by itself, is part of a call.
#include <mutex>

#include "arrays_histogram.h"

namespace arrays {
namespace {

class Histogram : public Workload {
 public:
  explicit Histogram(const std::vector<int> &exponents) {
    spectrum = TEXT(SPECTRUM);
    type = TEXT(TYPE);
    for (const char *group : {"uniform", "one bin"}) {
      std::vector<Shape> odd, powers;
      add_odd_sizes(odd);
      add_powers(powers, exponents, 8, 28, sizeof(Element), 0);
      const bool uniform = group[0] == 'u';
      for (Shape &s : odd) {
        s.group = group;
        s.m = s.offset == 1 ? BINS + 45 : BINS; // those beyond stay empty
        if (uniform || (s.n > 1000 && s.offset == 0)) checked.push_back(s);
      }
      for (Shape &s : powers) {
        s.group = group;
        s.m = BINS;
        s.in_table = uniform;
        timed.push_back(s);
      }
    }
    add_ours(candidates, [this](auto f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        if (w) {
          const cudaError_t error = cudaMemsetAsync(out_.at(p), 0, bins_ * sizeof(Result), s);
          if (error != cudaSuccess) return error;
        }
        return f(w, b, in().at(p), n_, out_.at(p), bins_, s);
      };
    });
    add_peers<HistogramPeer>(candidates, [this](HistogramPeer *f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) { return f(w, b, in().at(p), n_, out_.at(p), s); };
    });
  }

  void lay_out(const Shape &shape, int places) override {
    uniform_ = shape.group[0] == 'u';
    n_ = shape.n;
    bins_ = shape.m;
    in().lay_out(turns(n_, shape.offset, places));
    out_.lay_out(turns(bins_, shape.offset ? 4 - shape.offset : 0, places));
    for (int p = 0; p < places; p++) std::fill_n(out_.expected(p), bins_, 0);
    std::mutex adding;
    in_parts(n_, places, [&](int p, uint64_t, uint64_t begin, uint64_t end) {
      std::vector<Result> count(bins_);
      const int16_t *numbers = in().numbers.data() + in().at_turns.begin(p);
      for (uint64_t i = begin; i < end; i++) count[numbers[i]]++;
      const std::lock_guard<std::mutex> alone(adding);
      for (uint64_t bin = 0; bin < bins_; bin++) out_.expected(p)[bin] += count[bin];
    });
    out_.upload_expected();
  }
  void poison(cudaStream_t s) override { out_.poison(s); }
  uint64_t wrong(int places, cudaStream_t s) override { return out_.wrong(places, s); }

 private:
  uint64_t n_ = 0, bins_ = 0;
  bool uniform_ = true;
  Input<Element> uniform_numbers_{0, BINS - 1, 1}, one_number_{77, 77, 2};
  Output<Result> out_;

  Input<Element> &in() { return uniform_ ? uniform_numbers_ : one_number_; }
};

} // namespace

Workload *make_workload(const std::vector<int> &exponents) { return new Histogram(exponents); }

} // namespace arrays
