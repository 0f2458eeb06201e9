// folder.cu: any operator but add, max and min: data as `tgc check' makes them, and the results that the folder's own
// text gives on the host.
//
// The input is made in chunks, several at a time, and so is its reference: a state a chunk, which are combined
// pairwise, in order. One long chain would be no reference at all where an operator rounds: a float that counts ends
// at 2^24. The chunks' states stay, so that a size costs little once a larger one was made.
#include "measure.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "operands.h"

using measure::Operands;

namespace {

enum { CHUNK = 1 << 16 }; // elements

struct State { alignas(check::MOST_BYTES) char bytes[check::MOST_BYTES] = {}; };

bool operation_is(const char *name) { return std::strcmp(check::operation, name) == 0; }

// ---- two states of a built-in operator ----

uint64_t combined(uint64_t x, uint64_t y) {
  return operation_is("and") ? x & y : operation_is("or") ? x | y : operation_is("xor") ? x ^ y : x * y;
}

void combine_integers(State &left, const State &right) {
  uint64_t x, y; // the low bytes of a product are those of the low bytes' product
  std::memcpy(&x, left.bytes, sizeof x);
  std::memcpy(&y, right.bytes, sizeof y);
  x = combined(x, y);
  std::memcpy(left.bytes, &x, sizeof x);
}

// Factors, each a complex number.
void combine_reals(State &left, const State &right, bool is_complex) {
  double x[2], y[2];
  std::memcpy(x, left.bytes, sizeof x);
  std::memcpy(y, right.bytes, sizeof y);
  const double product[2] = {is_complex ? x[0] * y[0] - x[1] * y[1] : x[0] * y[0], x[0] * y[1] + x[1] * y[0]};
  std::memcpy(left.bytes, product, is_complex ? sizeof product : sizeof *product);
}

// ---- one element type ----

struct Folder {
  const Operands &o;
  std::vector<State> chunks; // of those that were made
  std::map<uint64_t, check::Expected> known;

  explicit Folder(const Operands &operands) : o(operands) {}

  check::Elements elements(uint64_t chunk) const {
    const bool reals = check::is_floating(o.reference.element) && !operation_is("mul"); // of those exact products are
    return check::make_elements(o.reference.element, o.reference.example, CHUNK, reals ? check::REAL : check::EXACT,
                                chunk + 1);
  }

  State part(const check::Elements &e, uint64_t n, uint64_t chunk) const {
    State s;
    if (o.part) o.part(e.bytes.data(), n, chunk * CHUNK, s.bytes);
    else o.reference.run(e.bytes.data(), n, s.bytes);
    return s;
  }

  void combine(State &left, const State &right) const {
    if (o.combine) o.combine(left.bytes, right.bytes);
    else if (check::is_floating(o.reference.result)) combine_reals(left, right, check::is_complex(o.reference.result));
    else combine_integers(left, right);
  }

  // Each chunk's elements to the device, and its state.
  void make(void *to, uint64_t n) {
    const uint64_t bytes = check::bytes_of(o.reference.element), all = (n + CHUNK - 1) / CHUNK;
    const uint64_t before = chunks.size();
    if (all > before) chunks.resize(all);
    std::atomic<uint64_t> next{0};
    std::atomic<int> error{cudaSuccess};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); t++)
      threads.emplace_back([&] {
        for (uint64_t k; (k = next++) < all && error == cudaSuccess;) {
          const check::Elements e = elements(k);
          const uint64_t have = std::min<uint64_t>(CHUNK, n - k * CHUNK);
          const cudaError_t copied = cudaMemcpy((char *)to + k * CHUNK * bytes, e.bytes.data(), have * bytes,
                                                cudaMemcpyHostToDevice);
          if (copied != cudaSuccess) error = copied;
          if (k >= before) chunks[k] = part(e, CHUNK, k);
        }
      });
    for (std::thread &t : threads) t.join();
    if (error != cudaSuccess) chunks.resize(before); // some were left out
    must((cudaError_t)error.load(), "the input");
  }

  // Of the first n elements.
  State reduced(uint64_t n) const {
    std::vector<State> states(chunks.begin(), chunks.begin() + (std::ptrdiff_t)(n / CHUNK));
    if (n % CHUNK || n == 0) states.push_back(part(elements(n / CHUNK), n % CHUNK, n / CHUNK));
    for (size_t left = states.size(); left > 1; left = (left + 1) / 2)
      for (size_t i = 0; i < left; i += 2) {
        State both = states[i];
        if (i + 1 < left) combine(both, states[i + 1]);
        states[i / 2] = both;
      }
    return states[0];
  }

  const check::Expected &expected(uint64_t n) {
    const auto found = known.find(n);
    if (found != known.end()) return found->second;
    const State s = reduced(n);
    check::Expected want = {o.finish ? o.result : o.reference.result, {0}, check::users_tolerance(n), false, {0}};
    if (o.finish) o.finish(s.bytes, want.value);
    else std::memcpy(want.value, s.bytes, sizeof want.value);
    return known.emplace(n, want).first->second;
  }

  std::string compare(uint64_t n, const void *result) {
    State got;
    std::memcpy(got.bytes, result, check::bytes_of(o.result));
    const check::Expected &want = expected(n);
    if (check::is_right(want, o.result, got.bytes)) return "";
    char g[200], w[200];
    check::print_value(g, sizeof g, o.result, got.bytes);
    check::print_value(w, sizeof w, want.type, want.value);
    return "n = " + std::to_string(n) + ": got " + g + ", want " + w;
  }
};

} // namespace

const AnyType *find_type(const std::string &name, const std::string &) {
  static std::map<std::string, AnyType> made;
  for (int i = 0; i < measure::operand_count; i++) {
    const Operands &o = measure::operands[i];
    if (name != o.reference.type) continue;
    AnyType &t = made[name];
    if (!t.name) {
      const auto f = std::make_shared<Folder>(o);
      t = {o.reference.type, check::bytes_of(o.reference.element), check::bytes_of(o.result),
           [f](void *to, uint64_t n) { f->make(to, n); },
           [f](const std::string &, uint64_t n, const void *got) { return f->compare(n, got); }};
    }
    return &t;
  }
  return nullptr;
}
