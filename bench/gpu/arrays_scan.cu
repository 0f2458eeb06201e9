// arrays_scan.cu: the sums of all beginnings, against cub::DeviceScan. -DEXCLUSIVE=1: without the element itself.
#include <cub/device/device_scan.cuh>

#include "arrays_ours.h"

#ifndef EXCLUSIVE
#define EXCLUSIVE 0
#endif

namespace arrays {
namespace {

using Element = Ours::Element<2>;
using Result = Ours::Element<4>;

class Scan : public Workload {
 public:
  explicit Scan(const std::vector<int> &exponents) {
    spectrum = TEXT(SPECTRUM);
    type = TEXT(TYPE);
    add_odd_sizes(checked);
    add_powers(timed, exponents, 8, 29, sizeof(Element), sizeof(Result));
    add_ours(candidates, [this](auto f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) { return f(w, b, in_.at(p), n_, out_.at(p), s); };
    });
    candidates.push_back(library("cub", [this](void *w, size_t *b, int p, cudaStream_t s) {
      const int n = (int)n_;
      return EXCLUSIVE ? cub::DeviceScan::ExclusiveSum(w, *b, in_.at(p), out_.at(p), n, s)
                       : cub::DeviceScan::InclusiveSum(w, *b, in_.at(p), out_.at(p), n, s);
    }));
  }

  void lay_out(const Shape &shape, int places) override {
    n_ = shape.n;
    in_.lay_out(turns(n_, shape.offset, places));
    out_.lay_out(turns(n_, shape.offset ? 4 - shape.offset : 0, places));
    in_parallel(places, [this](uint64_t begin, uint64_t end) {
      for (uint64_t p = begin; p < end; p++) {
        Result *expected = out_.expected((int)p);
        double sum = 0;
        for (uint64_t i = 0; i < n_; i++) {
          const double before = sum;
          sum += in_.number((int)p, i) * (double)scale_of<Element>();
          expected[i] = (Result)(EXCLUSIVE ? before : sum);
        }
      }
    });
    out_.upload_expected();
  }
  void poison(cudaStream_t s) override { out_.poison(s); }
  uint64_t wrong(int places, cudaStream_t s) override { return out_.wrong(places, s); }

 private:
  uint64_t n_ = 0;
  Input<Element> in_{-127, 127, 1};
  Output<Result> out_;
};

} // namespace

Workload *make_workload(const std::vector<int> &exponents) { return new Scan(exponents); }

} // namespace arrays
