// arrays_map.cu: what is computed element by element, z = x + y and y = a x + y, against thrust::transform and
// cub::DeviceTransform. Which one it is, the function's first operand tells.
#include "arrays_map.h"

namespace arrays {
namespace {

class Map : public Workload {
 public:
  explicit Map(const std::vector<int> &exponents) {
    spectrum = TEXT(SPECTRUM);
    type = TEXT(TYPE);
    add_odd_sizes(checked);
    add_powers(timed, exponents, 15, 28, 2 * sizeof(Element), sizeof(Element));
    add_ours(candidates, [this](auto f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        if constexpr (scaled) return f(w, b, a_, x_.at(p), n_, out_.at(p), s);
        else return f(w, b, x_.at(p), n_, y_.at(p), out_.at(p), s);
      };
    });
    add_peers<MapPeer>(candidates, [this](MapPeer *f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        return f(w, b, Add{a_}, x_.at(p), y_at(p), n_, out_.at(p), s);
      };
    });
  }

  void lay_out(const Shape &shape, int places) override {
    n_ = shape.n;
    x_.lay_out(turns(n_, shape.offset, places));
    y_.lay_out(turns(n_, shape.offset ? 1 : 0, places));
    out_.lay_out(turns(n_, shape.offset ? 4 - shape.offset : 0, places), scaled);
    if (scaled) {
      fill([this](int p, uint64_t i) { return y_.number(p, i) / 64.0; });
      out_.upload_begin();
    }
    fill([this](int p, uint64_t i) { return ((scaled ? a_ : 1) * x_.number(p, i) + y_.number(p, i)) / 64.0; });
    out_.upload_expected();
  }
  void poison(cudaStream_t s) override { out_.poison(s); }
  uint64_t wrong(int places, cudaStream_t s) override { return out_.wrong(places, s); }

 private:
  const Element a_ = 0.5f; // a x + y is exact, also when many calls have added to y
  uint64_t n_ = 0;
  Input<Element> x_{-127, 127, 1}, y_{-127, 127, 2};
  Output<Element> out_;

  const Element *y_at(int place) const { return scaled ? out_.at(place) : y_.at(place); }
  template <typename Value> void fill(Value value) {
    for (int p = 0; p < out_.at_turns.places; p++) {
      Element *expected = out_.expected(p);
      if (n_ < 1 << 16) for (uint64_t i = 0; i < n_; i++) expected[i] = (Element)value(p, i);
      else in_parallel(n_, [=](uint64_t b, uint64_t e) {
        for (uint64_t i = b; i < e; i++) expected[i] = (Element)value(p, i);
      });
    }
  }
};

} // namespace

Workload *make_workload(const std::vector<int> &exponents) { return new Map(exponents); }

} // namespace arrays
