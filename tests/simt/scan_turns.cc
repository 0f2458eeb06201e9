// scan_turns.cc: a scan's variants by turns in one workspace, on the CPU executor: the words that one call leaves there
// are those of an earlier call to the next one, of another type, for other elements, in another number of tiles.
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vector>

#include "inclusive_scan.h"
#include "simt.h"

static int complaints;
static uint64_t state = 88172645463325252ull;

static uint64_t below(uint64_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 11) % n;
}

constexpr uint64_t most = 20000, OFFSETS = 100;

struct Workspace {
  void *place;
  size_t bytes;
};

template <typename T> struct Calls {
  typedef cudaError_t (*Run)(const inclusive_scan_configuration *, void *, size_t *, const T *, uint64_t, T *,
                             cudaStream_t);
  Run inclusive_scan_variant::*run;
  T *in, *out;

  void one(const inclusive_scan_variant &v, uint64_t n, const Workspace &w) {
    size_t need = 0, bytes = w.bytes;
    const T *from = in + below(OFFSETS); // other elements, at another alignment
    simt::poison(out);
    cudaError_t error = (v.*run)(nullptr, nullptr, &need, from, n, out, nullptr);
    bool right = error == cudaSuccess && need <= bytes;
    if (right) right = (v.*run)(nullptr, w.place, &bytes, from, n, out, nullptr) == cudaSuccess;
    T sum = 0;
    for (uint64_t i = 0; right && i < n; i++) right = out[i] == (sum += from[i]);
    for (const simt::Report &r : simt::reports) printf("%s\n", simt::describe(r).c_str());
    if (right && simt::reports.empty()) return;
    printf("FAILED: %s, n = %llu\n", v.plan, (unsigned long long)n);
    simt::reports.clear();
    complaints++;
  }
};

template <typename T> static Calls<T> calls(typename Calls<T>::Run inclusive_scan_variant::*run) {
  Calls<T> c = {run, (T *)simt::place((most + OFFSETS) * sizeof(T), 0), (T *)simt::place(most * sizeof(T), 0)};
  for (uint64_t i = 0; i < most + OFFSETS; i++) c.in[i] = (T)below(100);
  simt::freeze(c.in);
  return c;
}

/* Variants that keep sums there, which no number tells from words, leave a workspace as it was: all zero. */
static void leave_it_clear(Calls<int> &calls, const Workspace &w) {
  int found = 0;
  for (int i = 0; i < inclusive_scan_variant_count; i++) {
    const inclusive_scan_variant &v = inclusive_scan_variants[i];
    if (!strstr(v.plan, "reduce_scan_scan")) continue;
    found++;
    calls.one(v, most, w);
    for (size_t k = 0; k < w.bytes; k++) {
      if (((const char *)w.place)[k] == 0) continue;
      printf("FAILED: %s leaves byte %zu of the workspace\n", v.plan, k);
      complaints++;
      break;
    }
  }
  if (!found) printf("FAILED: no variant keeps sums in the workspace\n");
  complaints += !found;
}

int main(int argc, char **argv) {
  const int turns = argc > 1 ? atoi(argv[1]) : 60;
  size_t bytes = 0;
  for (int i = 0; i < inclusive_scan_variant_count; i++) {
    size_t need = 0;
    if (inclusive_scan_variants[i].run_int64(nullptr, nullptr, &need, nullptr, most, nullptr, nullptr) == cudaSuccess)
      bytes = need > bytes ? need : bytes;
  }
  Workspace w = {simt::place(bytes, 0), bytes};
  if (inclusive_scan_workspace_init(w.place, w.bytes, nullptr) != cudaSuccess) return 1;
  Calls<int> narrow = calls<int>(&inclusive_scan_variant::run_int);
  Calls<long long> wide = calls<long long>(&inclusive_scan_variant::run_int64);
  leave_it_clear(narrow, w);
  for (int i = 0; i < turns && complaints < 5; i++) {
    const inclusive_scan_variant &v = inclusive_scan_variants[below((uint64_t)inclusive_scan_variant_count)];
    const uint64_t n = below(4) ? below(most) : below(64);
    if (below(2)) narrow.one(v, n, w);
    else wide.one(v, n, w);
  }
  printf("%d turns of %d variants, %d complaints\n", turns, inclusive_scan_variant_count, complaints);
  return complaints > 0;
}
