// arrays_dot.cu: the dot product, against cub::DeviceReduce::TransformReduce, and thrust::inner_product, which waits.
#include "arrays_dot.h"

namespace arrays {
namespace {

class Dot : public Workload {
 public:
  explicit Dot(const std::vector<int> &exponents) {
    spectrum = TEXT(SPECTRUM);
    type = TEXT(TYPE);
    add_odd_sizes(checked);
    add_powers(timed, exponents, 15, 28, 2 * sizeof(Element), 0);
    add_ours(candidates, [this](auto f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        return f(w, b, x_.at(p), n_, y_.at(p), out_.at(p), s);
      };
    });
    add_peers<DotPeer>(candidates, [this](DotPeer *f) -> Call {
      return [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        return f(w, b, x_.at(p), y_.at(p), n_, out_.at(p), s);
      };
    });
    for (const auto &peer : peers<WaitingDotPeer>()) {
      const auto f = peer.call;
      Candidate waiting = library(peer.name.c_str(), [this, f](void *w, size_t *b, int p, cudaStream_t s) {
        *b = 1;
        return w ? f(x_.at(p), y_.at(p), n_, &sum_, s) : cudaSuccess;
      });
      waiting.deliver = [this](int p, cudaStream_t s) {
        CUDA(cudaMemcpyAsync(out_.at(p), &sum_, sizeof sum_, cudaMemcpyHostToDevice, s));
        CUDA(cudaStreamSynchronize(s));
      };
      candidates.push_back(waiting);
    }
  }

  void lay_out(const Shape &shape, int places) override {
    n_ = shape.n;
    x_.lay_out(turns(n_, shape.offset, places));
    y_.lay_out(turns(n_, shape.offset ? 4 - shape.offset : 0, places));
    out_.lay_out(turns(1, shape.offset, places));
    const double scale = (double)scale_of<Element>() * scale_of<Element>();
    for (int p = 0; p < places; p++) {
      const int16_t *x = x_.numbers.data() + x_.at_turns.begin(p), *y = y_.numbers.data() + y_.at_turns.begin(p);
      long long sum = 0;
      if (n_ < 1 << 18) sum = products(x, y, 0, n_);
      else {
        enum { PART = 1 << 16 };
        std::vector<long long> parts(n_ / PART + 1);
        in_parallel(parts.size(), [&](uint64_t begin, uint64_t end) {
          for (uint64_t i = begin; i < end; i++)
            parts[i] = products(x, y, std::min<uint64_t>(n_, i * PART), std::min<uint64_t>(n_, (i + 1) * PART));
        });
        for (long long part : parts) sum += part;
      }
      *out_.expected(p) = (Result)(sum * scale);
    }
    out_.upload_expected();
  }
  void poison(cudaStream_t s) override { out_.poison(s); }
  uint64_t wrong(int places, cudaStream_t s) override { return out_.wrong(places, s); }

 private:
  uint64_t n_ = 0;
  Result sum_ = 0; // what thrust's last call gave
  Input<Element> x_{-15, 15, 1}, y_{-15, 15, 2}; // their products' sums are exact up to 2^28 elements
  Output<Result> out_;

  static long long products(const int16_t *x, const int16_t *y, uint64_t begin, uint64_t end) {
    long long sum = 0;
    for (uint64_t i = begin; i < end; i++) sum += x[i] * y[i];
    return sum;
  }
};

} // namespace

Workload *make_workload(const std::vector<int> &exponents) { return new Dot(exponents); }

} // namespace arrays
