// arrays_map.cu: what is computed element by element, z = x + y and y = a x + y, against thrust::transform and
// cub::DeviceTransform. Which one it is, the function's first operand tells.
#include <cub/device/device_transform.cuh>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include "arrays_ours.h"

namespace arrays {
namespace {

constexpr bool scaled = std::is_arithmetic<Ours::At<2>>::value; // a comes first
using Element = Ours::Element<scaled ? 3 : 2>;

struct Add {
  Element a;
  __host__ __device__ Element operator()(Element x, Element y) const { return scaled ? a * x + y : x + y; }
};

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
    add_library(Add{a_});
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
  void add_library(Add f) {
    candidates.push_back(library("thrust", [this, f](void *w, size_t *b, int p, cudaStream_t s) {
      *b = 1;
      if (w) thrust::transform(thrust::cuda::par_nosync.on(s), x_.at(p), x_.at(p) + n_, y_at(p), out_.at(p), f);
      return cudaGetLastError();
    }));
    candidates.push_back(library("cub", [this, f](void *w, size_t *b, int p, cudaStream_t s) {
      *b = 1;
      const auto inputs = ::cuda::std::make_tuple((const Element *)x_.at(p), y_at(p));
      return w ? cub::DeviceTransform::Transform(inputs, out_.at(p), (int)n_, f, s) : cudaSuccess;
    }));
  }
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
