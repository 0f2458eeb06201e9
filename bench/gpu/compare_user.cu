// compare_user.cu: one element type under an operator of the user's: data as `tgc check' makes them, results by the
// operator on the host, and those that compete: the generated library, and CUB with the same operator, if it commutes:
// CUB's reduction is for such alone.
//
// Compiled once for each type, with -DSPECTRUM_HEADER="reduce_arg_max.h" -DSPECTRUM=reduce_arg_max -DTYPE=float.
#include "ours.h"

#include <cub/device/device_reduce.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/transform_output_iterator.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <type_traits>
#include <vector>

#include "measure/operands.h"

#include "check/types.h"

#include "check/operator.h"

namespace {

typedef PASTE(SPECTRUM, _operator)::PASTE(Of_, TYPE) Operator;
typedef Operator::Element Element;
typedef Operator::State State;
typedef Operator::Result Result;

const measure::Operands operands = measure::of_user<Operator>(TEXT(TYPE), DISPATCH);

enum { CHUNK = 1 << 16 }; // elements

void in_parallel(uint64_t n, const std::function<void(uint64_t)> &work) {
  std::atomic<uint64_t> next{0};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < std::max(1u, std::thread::hardware_concurrency()); t++)
    threads.emplace_back([&] {
      for (uint64_t i; (i = next++) < n;) work(i);
    });
  for (std::thread &t : threads) t.join();
}

uint64_t chunks_of(uint64_t n) { return (n + CHUNK - 1) / CHUNK; }

void fill(void *in, uint64_t n) {
  in_parallel(chunks_of(n), [=](uint64_t k) {
    const check::Data data = check::is_floating(operands.reference.element) ? check::REAL : check::EXACT;
    const check::Reference &r = operands.reference;
    const check::Elements e = check::make_elements(r.element, r.example, CHUNK, data, k + 1);
    const uint64_t have = std::min<uint64_t>(CHUNK, n - k * CHUNK);
    CUDA(cudaMemcpy((Element *)in + k * CHUNK, e.bytes.data(), have * sizeof(Element), cudaMemcpyHostToDevice));
  });
}

// A state a chunk; neighbours are combined, in order: one long chain would round more than what is measured.
void reference(const void *in, uint64_t n, uint64_t stride, int places, Value *results) {
  const uint64_t chunks = chunks_of(n);
  std::vector<Value> states(chunks * places);
  in_parallel(states.size(), [&](uint64_t i) {
    const uint64_t place = i / chunks, from = i % chunks * CHUNK, have = std::min<uint64_t>(CHUNK, n - from);
    const Element *const begin = (const Element *)in + place * stride + from;
    std::vector<char> elements(have * sizeof(Element));
    CUDA(cudaMemcpy(elements.data(), begin, elements.size(), cudaMemcpyDeviceToHost));
    operands.part(elements.data(), have, from, states[i].bytes);
  });
  for (int p = 0; p < places; p++) {
    Value *const of_place = &states[p * chunks];
    for (uint64_t apart = 1; apart < chunks; apart *= 2)
      for (uint64_t i = 0; i + apart < chunks; i += 2 * apart)
        operands.combine(of_place[i].bytes, of_place[i + apart].bytes);
    operands.finish(of_place->bytes, results[p].bytes);
  }
}

bool right(const void *result, const Value &want, uint64_t n) {
  return check::is_close(operands.result, want.bytes, result, check::users_tolerance(n));
}

// ---- CUB ----

struct Combine {
  [[maybe_unused]] __host__ __device__ State operator()(State a, State b) const { return Operator::op(a, b); }
};
struct Lift {
  [[maybe_unused]] __host__ __device__ State operator()(Element x) const { return Operator::lift(x, 0); }
};
struct LiftAt {
  const Element *in;
  [[maybe_unused]] __host__ __device__ State operator()(long long i) const { return Operator::lift(in[i], i); }
};
struct Finish {
  [[maybe_unused]] __host__ __device__ Result operator()(State a) const { return Operator::finish(a); }
};

auto elements(const void *in) {
  if constexpr (Operator::takes_place)
    return thrust::make_transform_iterator(thrust::make_counting_iterator(0ll), LiftAt{(const Element *)in});
  else if constexpr (std::is_same<Element, State>::value) return (const Element *)in;
  else return thrust::make_transform_iterator((const Element *)in, Lift());
}

auto finished(void *out) {
  if constexpr (std::is_same<State, Result>::value) return (Result *)out;
  else return thrust::make_transform_output_iterator((Result *)out, Finish());
}

Contender cub_reduce() {
  Contender c = {"cub"};
  c.call = [](void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t stream) {
    return cub::DeviceReduce::Reduce(workspace, *bytes, elements(in), finished(out), (int64_t)n, Combine(),
                                     Operator::id(), stream);
  };
  return c;
}

// CUB's other way to lift, which may load several elements at a time.
Contender cub_transform() {
  Contender c = {"cub-transform"};
  c.call = [](void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t stream) {
    return cub::DeviceReduce::TransformReduce(workspace, *bytes, (const Element *)in, finished(out), (int64_t)n,
                                              Combine(), Lift(), Operator::id(), stream);
  };
  return c;
}

template <typename In, typename Out> ElementType element_type(Dispatch<In, Out> dispatch) {
  static_assert(sizeof(In) == sizeof(Element) && sizeof(Out) == sizeof(Result), "C's structs are laid out alike");
  ElementType t = {TEXT(TYPE), sizeof(In), sizeof(Out), fill, reference, right};
  t.contenders = {ours(dispatch)};
  if constexpr (Operator::commutes) t.contenders.push_back(cub_reduce());
  if constexpr (Operator::commutes && !Operator::takes_place && !std::is_same<Element, State>::value)
    t.contenders.push_back(cub_transform());
  t.variants = variants<In, Out>();
  return t;
}

} // namespace

ElementType PASTE(element_type_, TYPE)() { return element_type(DISPATCH); }
