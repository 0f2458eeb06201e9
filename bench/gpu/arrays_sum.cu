// arrays_sum.cu: the sum of all elements, against cub::DeviceReduce::Sum, in graphs. `tgc bench' compares other ways to
// call, types and operators.
#include <atomic>

#include "arrays_sum.h"

namespace arrays {
namespace {

class Sum : public Workload {
 public:
  explicit Sum(const std::vector<int> &exponents) {
    spectrum = TEXT(SPECTRUM);
    type = TEXT(TYPE);
    add_odd_sizes(checked);
    add_powers(timed, exponents, 6, 29, sizeof(Element), 0);
    add_ours(candidates, [this](auto f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) { return f(w, b, in_.at(p), n_, out_.at(p), s); };
    });
    add_peers<SumPeer>(candidates, [this](SumPeer *f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) { return f(w, b, in_.at(p), n_, out_.at(p), s); };
    });
  }

  void lay_out(const Shape &shape, int places) override {
    n_ = shape.n;
    in_.lay_out(turns(n_, shape.offset, places));
    out_.lay_out(turns(1, shape.offset, places));
    std::vector<std::atomic<long long>> sums(places);
    in_parts(n_, places, [&](int p, uint64_t, uint64_t begin, uint64_t end) {
      long long sum = 0;
      for (uint64_t i = begin; i < end; i++) sum += in_.number(p, i);
      sums[p] += sum;
    });
    for (int p = 0; p < places; p++) *out_.expected(p) = (Result)(sums[p] * (double)scale_of<Element>());
    out_.upload_expected();
  }
  void poison(cudaStream_t s) override { out_.poison(s); }
  uint64_t wrong(int places, cudaStream_t s) override { return out_.wrong(places, s); }

 private:
  uint64_t n_ = 0;
  Input<Element> in_{-15, 15, 1}; // their sums are exact in float, in any order
  Output<Result> out_;
};

} // namespace

Workload *make_workload(const std::vector<int> &exponents) { return new Sum(exponents); }

} // namespace arrays
