// reduction.cu: what reductions are measured on: in, n elements, and one result. An input rotates over more memory than
// the L2 holds from 256 KiB on; its values, and what is right, are numbers.cu's or folder.cu's.
#include "measure.h"

#include <algorithm>
#include <cstdio>

namespace {

typedef cudaError_t (*Function)(const Configuration *, void *, size_t *, const void *, uint64_t, void *, cudaStream_t);

class Reduction : public Subject {
public:
  void prepare(const AnyType &t, const Request &r, size_t l2) {
    type_ = &t;
    n_ = r.n;
    op_ = r.op;
    need_input(l2);
    const size_t cold = 256 << 10;
    stride_ = (n_ + 127) / 128 * 128 + 128;
    places_ = std::max<uint64_t>(1, std::min<uint64_t>(n_ * t.element < cold ? 16 : 1 << 20,
                                                       in_bytes_ / (stride_ * t.element)));
  }

  uint64_t places() const override { return places_; }

  cudaError_t call(void *function, const Configuration &c, void *workspace, size_t *bytes, uint64_t place,
                   cudaStream_t stream) override {
    return ((Function)function)(&c, workspace, bytes, (const char *)in_ + place * stride_ * type_->element, n_, out_,
                                stream);
  }

  void reset(cudaStream_t stream) override { CHECK(cudaMemsetAsync(out_, 0xA5, MOST_RESULT, stream)); }

  std::string difference(cudaStream_t stream) override {
    char got[MOST_RESULT];
    CHECK(cudaMemcpyAsync(got, out_, type_->result, cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    return type_->compare(op_, n_, got);
  }

private:
  void need_input(size_t l2) {
    const size_t bytes = std::max<size_t>(4 * l2, n_ * type_->element + 4096);
    if (!out_) CHECK(cudaMalloc(&out_, 256));
    if (bytes > in_bytes_) {
      if (in_) CHECK(cudaFree(in_));
      in_ = nullptr;
      in_bytes_ = 0;
      CHECK(cudaMalloc(&in_, bytes));
      in_bytes_ = bytes;
      filled_.clear();
    }
    if (filled_ == type_->name) return;
    std::printf("data\n");
    type_->make(in_, in_bytes_ / type_->element);
    CHECK(cudaDeviceSynchronize());
    filled_ = type_->name;
    std::printf("made\n");
  }

  const AnyType *type_ = nullptr;
  std::string op_, filled_; // filled: the type whose values the input holds
  void *in_ = nullptr, *out_ = nullptr;
  size_t in_bytes_ = 0;
  uint64_t n_ = 0, places_ = 1, stride_ = 0;
};

} // namespace

Subject &subject_of(const Request &r, size_t l2_bytes) {
  static Reduction only;
  const AnyType *t = find_type(r.type, r.op);
  if (!t) throw Failure{"launch", "no type " + r.type};
  only.prepare(*t, r, l2_bytes);
  return only;
}
