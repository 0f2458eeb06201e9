// turns.cc: a generated library's variants by turns in one workspace, on the CPU executor: whatever one leaves there
// must do for any other, of another type, for fewer elements, in another configuration. Two workspaces serve in
// between, and calls that take theirs from the pool.
#include <cuda_runtime_api.h>
#include <stdio.h>

#include <algorithm>
#include <vector>

#include "simt.h"
#include "sum.h"

static int complaints;
static uint64_t state = 1;

static uint64_t below(uint64_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 11) % n;
}

static void expect(bool right, const char *what, const char *id, uint64_t n) {
  for (const simt::Report &r : simt::reports) printf("%s\n", simt::describe(r).c_str());
  if (right && simt::reports.empty()) return;
  printf("FAILED: %s: %s, n = %llu\n", what, id, (unsigned long long)n);
  simt::reports.clear();
  complaints++;
}

constexpr uint64_t most = 40000;
constexpr size_t head = 16 + 2048 * 16; // zero before a call, and after it

struct Workspace {
  void *place = nullptr;
  size_t bytes = 0;
};

template <typename T> struct Calls {
  typedef cudaError_t (*Run)(const sum_configuration *, void *, size_t *, const T *, uint64_t, T *, cudaStream_t);
  Run sum_variant::*run;
  cudaError_t (*any)(void *, size_t *, const T *, uint64_t, T *, cudaStream_t);
  cudaError_t (*async)(const T *, uint64_t, T *, cudaStream_t);
  T *in = nullptr, *out = nullptr;

  void make() {
    in = (T *)simt::place(most * sizeof(T), 0);
    for (uint64_t i = 0; i < most; i++) in[i] = (T)(i % 7);
    simt::freeze(in);
    out = (T *)simt::place(sizeof(T), 0);
  }
  bool is_right(cudaError_t error, uint64_t n) const {
    T sum = 0;
    for (uint64_t i = 0; i < n; i++) sum += (T)(i % 7);
    return error == cudaSuccess && *out == sum;
  }
  void one(const sum_variant &v, const sum_configuration &c, uint64_t n, const Workspace &w) {
    size_t need = 0, bytes = w.bytes;
    cudaError_t error = (v.*run)(&c, nullptr, &need, in, n, out, nullptr);
    expect(error == cudaSuccess && need <= bytes, "the query", v.id, n);
    simt::poison(out);
    error = (v.*run)(&c, w.place, &bytes, in, n, out, nullptr);
    expect(is_right(error, n), "a variant in the workspace of others", v.id, n);
    const char *begin = (const char *)w.place;
    expect(std::all_of(begin, begin + head, [](char b) { return b == 0; }), "the workspace's head", v.id, n);
  }
  void dispatched(uint64_t n, const Workspace &w) {
    size_t bytes = w.bytes;
    simt::poison(out);
    expect(is_right(any(w.place, &bytes, in, n, out, nullptr), n), "what serves the size", "", n);
    simt::poison(out);
    expect(is_right(async(in, n, out, nullptr), n), "without a workspace of one's own", "", n);
  }
};

int main() {
  Calls<int> ints = {&sum_variant::run_int, sum_int, sum_int_async};
  Calls<double> doubles = {&sum_variant::run_double, sum_double, sum_double_async};
  ints.make();
  doubles.make();
  Workspace workspaces[2];
  for (Workspace &w : workspaces) {
    w.bytes = head + 4096 * sizeof(double);
    w.place = simt::place(w.bytes, 0);
    expect(sum_workspace_init(w.place, w.bytes, nullptr) == cudaSuccess, "the workspace's beginning", "", 0);
  }
  static const uint64_t sizes[] = {0, 1, 33, 5000, 20001, most};
  static const int64_t blocks[] = {0, 0, 1, 3, 2048};
  for (int i = 0; i < 300; i++) {
    const sum_variant &v = sum_variants[below((uint64_t)sum_variant_count)];
    const sum_configuration c = {0, 0, v.configurations[0].blocks ? blocks[below(5)] : 0};
    const Workspace &w = workspaces[below(2)];
    const uint64_t n = sizes[below(6)];
    simt::options.seed = (uint64_t)i + 1;
    if (below(2)) ints.one(v, c, n, w);
    else doubles.one(v, c, n, w);
    if (i % 8) continue;
    ints.dispatched(n, w);
    doubles.dispatched(n, w);
  }
  printf(complaints ? "%d complaints\n" : "all as expected\n", complaints);
  return complaints ? 1 : 0;
}
