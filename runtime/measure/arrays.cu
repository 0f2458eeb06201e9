// arrays.cu: what spectra with operands of any sort are measured on: those of arrays.cc, taken to the device.
//
//   sets     | operands of place 0 | operands of place 1 | ..    as many as are more than the L2 holds, from 256 KiB on
//   as_was   | what is written, as it is before a call |
//   wanted   | what the sequential codelet makes of it |
//
// All are in one allocation. A set's arrays lie one behind the other, at multiples of 256 bytes. Results are compared
// on the device, bit for bit: the data are small whole numbers, whose sums are exact in any order.
#include "measure.h"

#include <algorithm>
#include <cstdio>
#include <memory>

#include "arrays.h"
#include "difference.h"

namespace {

const uint64_t alignment = 256;

uint64_t aligned(uint64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

class Arrays : public Subject {
public:
  Arrays(const Entry &entry, const Request &r, size_t l2) : entry_(entry), n_(r.n), count_(r.count), calls_(r.calls) {
    Problem p(entry, r.n, r.n * r.count, r.calls);
    lay_out(p, l2);
    const cudaError_t error = cudaMalloc((void **)&memory_, bytes_);
    if (error != cudaSuccess) memory_ = nullptr;
    must(error, "memory for the operands");
    first_ = (unsigned long long *)(memory_ + bytes_ - alignment);
    for (const Array &a : arrays_) // what the sequential codelet left
      if (a.written) copy_in(wanted(a), p.slots()[a.operand].pointer, a.bytes);
    p.reset();
    for (const Array &a : arrays_) {
      copy_in(memory_ + a.at, p.slots()[a.operand].pointer, a.bytes);
      if (a.written) copy_in(as_was(a), p.slots()[a.operand].pointer, a.bytes);
    }
    for (uint64_t i = 1; i < places_; i++)
      must(cudaMemcpy(memory_ + i * set_, memory_, set_, cudaMemcpyDeviceToDevice), "copies of the operands");
    CHECK(cudaDeviceSynchronize());
    for (uint64_t i = 0; i < places_; i++) {
      slots_.insert(slots_.end(), p.slots(), p.slots() + operand_count);
      for (const Array &a : arrays_) slots_[i * operand_count + a.operand].pointer = memory_ + i * set_ + a.at;
    }
  }
  ~Arrays() { cudaFree(memory_); }

  bool is(const Entry &e, const Request &r) const {
    return &e == &entry_ && r.n == n_ && r.count == count_ && r.calls == calls_;
  }

  uint64_t places() const override { return places_; }

  cudaError_t call(void *function, const Configuration &c, void *workspace, size_t *bytes, uint64_t place,
                   cudaStream_t stream) override {
    return (cudaError_t)entry_.call_on_stream(function, &c, workspace, bytes, &slots_[place * operand_count], stream);
  }

  void reset(cudaStream_t stream) override {
    for (const Array &a : arrays_)
      if (a.written) CHECK(cudaMemcpyAsync(memory_ + a.at, as_was(a), a.bytes, cudaMemcpyDeviceToDevice, stream));
  }

  std::string difference(cudaStream_t stream) override {
    unsigned long long at;
    for (const Array &a : arrays_) {
      if (!a.written || (operands[a.operand].holds == QUEUE && is_same_queue(a))) continue;
      CHECK(cudaMemsetAsync(first_, 0xFF, sizeof at, stream));
      first_difference(memory_ + a.at, wanted(a), a.bytes, first_, stream);
      CHECK(cudaGetLastError());
      CHECK(cudaMemcpyAsync(&at, first_, sizeof at, cudaMemcpyDeviceToHost, stream));
      CHECK(cudaStreamSynchronize(stream));
      if (at != ~0ull && !is_close(a)) return where(a, at);
    }
    return "";
  }

private:
  // An array of a set: bytes behind the set's beginning; of a written one bytes behind that of the written ones alone.
  struct Array {
    int operand;
    bool written;
    uint64_t bytes, at, among_written;
  };

  // Of results that are rounded: on the host.
  bool is_close(const Array &a) const {
    const Parameter &p = entry_.parameters[a.operand];
    if (!rounds) return false;
    std::vector<char> got(a.bytes), want(a.bytes);
    must(cudaMemcpy(got.data(), memory_ + a.at, a.bytes, cudaMemcpyDeviceToHost), "results");
    must(cudaMemcpy(want.data(), wanted(a), a.bytes, cudaMemcpyDeviceToHost), "results");
    Fill f;
    f.n = a.bytes / p.bytes;
    f.count = n_;
    return p.right(want.data(), got.data(), f);
  }

  // .. and in any order.
  bool is_same_queue(const Array &a) const {
    const int by = operands[a.operand].into;
    for (const Array &counter : arrays_) {
      if (counter.operand != by || !counter.written) continue;
      std::vector<char> got(a.bytes), want(a.bytes), many(counter.bytes);
      must(cudaMemcpy(got.data(), memory_ + a.at, a.bytes, cudaMemcpyDeviceToHost), "results");
      must(cudaMemcpy(want.data(), wanted(a), a.bytes, cudaMemcpyDeviceToHost), "results");
      must(cudaMemcpy(many.data(), wanted(counter), counter.bytes, cudaMemcpyDeviceToHost), "results");
      const uint64_t each = entry_.parameters[a.operand].bytes;
      return same_queue(want.data(), got.data(), many.data(), entry_.parameters[by].bytes, a.bytes / each, each);
    }
    return false;
  }

  char *as_was(const Array &a) const { return memory_ + places_ * set_ + a.among_written; }
  char *wanted(const Array &a) const { return as_was(a) + written_; }

  static void copy_in(void *to, const void *from, uint64_t bytes) {
    if (bytes) must(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "the operands");
  }

  void lay_out(const Problem &p, size_t l2) {
    const uint64_t cold = 256 << 10, most = 4096;
    for (int i = 0; i < operand_count; i++) {
      if (operands[i].kind != ARRAY) continue;
      const Array a = {i, operands[i].written, p.bytes_of(i), set_, written_};
      arrays_.push_back(a);
      set_ += aligned(a.bytes + 1); // nobody's array is another's
      if (a.written) written_ += aligned(a.bytes + 1);
    }
    size_t left = 0, all = 0;
    CHECK(cudaMemGetInfo(&left, &all));
    const uint64_t room = left / 10 * 9, fixed = 2 * written_ + alignment;
    if (set_ + fixed > room) throw Failure{"launch", "memory for " + std::to_string(set_ >> 20) + " MiB is not there"};
    places_ = std::min<uint64_t>(set_ < cold ? 16 : 4 * l2 / set_ + 1, most);
    places_ = std::max<uint64_t>(1, std::min(places_, (room - fixed) / set_));
    bytes_ = places_ * set_ + fixed;
  }

  std::string where(const Array &a, uint64_t at) const {
    const uint64_t each = entry_.parameters[a.operand].bytes;
    return "n = " + std::to_string(n_) + (count_ ? ", " + std::to_string(count_) + " of them" : "") + ": " +
           operands[a.operand].name + "[" + std::to_string(at / each) + "] is not the sequential codelet's";
  }

  const Entry &entry_;
  const uint64_t n_, count_;
  const std::string calls_;
  std::vector<Array> arrays_;
  std::vector<Slot> slots_; // of every place
  uint64_t set_ = 0, written_ = 0, places_ = 1, bytes_ = 0; // bytes of a set, of what is written, of all
  char *memory_ = nullptr;
  unsigned long long *first_ = nullptr;
};

} // namespace

Subject &subject_of(const Request &r, size_t l2_bytes) {
  static std::unique_ptr<Arrays> last;
  const Entry *entry = std::find_if(entries, entries + entry_count, [&](const Entry &e) { return r.type == e.type; });
  if (entry == entries + entry_count) throw Failure{"launch", "no type " + r.type};
  if (last && last->is(*entry, r)) return *last;
  last.reset();
  std::printf("data\n");
  last.reset(new Arrays(*entry, r, l2_bytes));
  std::printf("made\n");
  return *last;
}
