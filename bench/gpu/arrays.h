// arrays.h: what the benchmark of spectra whose results are arrays consists of. A workload, one arrays_*.cu, knows a
// folder's operands, what is expected of them, and which libraries do the same; arrays.cu has them compete.
//
// Operands lie in turns, so that successive calls find nothing in the L2 that an earlier one left there:
//
//   |  place 0: offset, n elements  | guard |  place 1: ..          | guard | ..
//   0                                      stride                         2 * stride
//
// What no call may write holds a pattern, and is compared like the results.
#ifndef BENCH_ARRAYS_H
#define BENCH_ARRAYS_H

#include <memory>

#include "measure.h"

namespace arrays {

// Where successive calls find their n elements.
struct Turns {
  uint64_t n, offset, stride;
  int places;
  uint64_t begin(int place) const { return place * stride + offset; }
  uint64_t all() const { return places * stride; }
};

enum { GUARD = 64, POISON = 0x7f };

inline Turns turns(uint64_t n, int offset, int places) {
  return {n, (uint64_t)offset, (n + offset + GUARD - 1) / GUARD * GUARD + GUARD, places};
}

// Device memory that goes when it is no longer held.
class Memory {
 public:
  Memory() = default;
  explicit Memory(size_t bytes) { need(bytes); }
  ~Memory() { cudaFree(at_); }
  Memory(const Memory &) = delete;
  void *at() const { return at_; }
  // At least so many bytes; what it held is lost where it grows.
  void need(size_t bytes) {
    if (bytes <= bytes_) return;
    CUDA(cudaFree(at_));
    CUDA(cudaMalloc(&at_, bytes));
    bytes_ = bytes;
  }

 private:
  void *at_ = nullptr;
  size_t bytes_ = 0;
};

// A grid of so many blocks. `early': it may be put on the machine while the one before it still runs.
template <typename... P, typename... A>
cudaError_t launch(void (*kernel)(P...), unsigned blocks, int threads, cudaStream_t stream, bool early, A... operands) {
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  const cudaLaunchConfig_t grid = {dim3(blocks), dim3(threads), 0, stream, &attribute, early ? 1u : 0u};
  return cudaLaunchKernelEx(&grid, kernel, P(operands)...);
}

// A size of the operands.
struct Shape {
  std::string group;         // "" or what the shapes of one row of sizes have in common
  std::string name;          // "2^20"
  uint64_t n = 0, key = 0;   // elements; what the table of ranges is keyed by, where it is not these
  uint64_t m = 0, k = 0;     // the workload's own: columns and leading, the size of a segment, bins
  double read = 0, written = 0; // bytes that a call cannot do without
  int offset = 0;            // elements that the operands lie past an aligned address: not the same for each
  bool in_table = true;
};

// One call on the operands of a place. Without a workspace it says how many bytes one needs.
typedef std::function<cudaError_t(void *workspace, size_t *bytes, int place, cudaStream_t)> Call;

enum class Role { variant, ours, library, bound };

// One of those that compete.
struct Candidate {
  Role role = Role::library;
  std::string name;          // of a library or a bound; "ours": the public function, by its dispatch
  std::string id, plan, determinism;
  int threads = 0, loads = 0;
  long long blocks = 0;
  Call call;
  std::function<Call(long long blocks)> with_blocks; // the same variant on so many blocks
  cudaError_t (*init)(void *, size_t, cudaStream_t) = nullptr;
  std::function<void(int place, cudaStream_t)> deliver; // of a call that waits and hands its result to the host: puts
                                                        // it where the others put theirs, for the comparison
  bool waits() const { return (bool)deliver; }
};

class Workload {
 public:
  virtual ~Workload() = default;
  const char *spectrum, *type;
  std::vector<Shape> checked, timed;
  std::vector<Candidate> candidates;     // ours and the libraries; they serve the shape that was laid out last
  virtual void lay_out(const Shape &, int places) = 0; // the operands, and what is expected of them
  virtual void poison(cudaStream_t) = 0;               // results as they are before the first call
  // How many elements of the first places, each called once, are not what they should be.
  virtual uint64_t wrong(int places, cudaStream_t) = 0;
};

// exponents: the powers of two that were asked for, ascending.
Workload *make_workload(const std::vector<int> &exponents);

} // namespace arrays

#endif
