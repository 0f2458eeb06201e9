// arrays_scan.cu: prefix sums, against cub::DeviceScan. -DEXCLUSIVE=1: without the element itself.
#include "arrays_scan.h"

namespace arrays {
namespace {

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
    add_peers<ScanPeer>(candidates, [this](ScanPeer *f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) { return f(w, b, in_.at(p), n_, out_.at(p), s); };
    });
  }

  void lay_out(const Shape &shape, int places) override {
    n_ = shape.n;
    in_.lay_out(turns(n_, shape.offset, places));
    out_.lay_out(turns(n_, shape.offset ? 4 - shape.offset : 0, places));
    std::vector<long long> sums(places * (PARTS + 1)); // of a place's parts; then of all before each
    in_parts(n_, places, [&](int p, uint64_t part, uint64_t begin, uint64_t end) {
      long long sum = 0;
      for (uint64_t i = begin; i < end; i++) sum += in_.number(p, i);
      sums[p * (PARTS + 1) + part + 1] = sum;
    });
    for (int p = 0; p < places; p++)
      for (int part = 0; part < PARTS; part++) sums[p * (PARTS + 1) + part + 1] += sums[p * (PARTS + 1) + part];
    in_parts(n_, places, [&](int p, uint64_t part, uint64_t begin, uint64_t end) {
      Result *expected = out_.expected(p);
      long long sum = sums[p * (PARTS + 1) + part];
      for (uint64_t i = begin; i < end; i++) {
        const long long before = sum;
        sum += in_.number(p, i);
        expected[i] = (Result)((EXCLUSIVE ? before : sum) * (double)scale_of<Element>());
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
