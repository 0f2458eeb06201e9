// segments.cc: a program of a generated library of segmented_scan, int and double, on the CPU's executor, which watches
// it: segments of `size' elements, or of offsets, whichever the library is of. Every variant in two widths of the grid,
// and the function that picks one, with segments that are empty, of one element, long and short ones side by side.
//
//   segments TYPES SEED..   TYPES is `int', `double' or `int,double'; for every SEED: the same segments in another
//   order
//                           of blocks and lanes, at another address
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "segmented_scan.h"
#include "simt.h"

static int failed;

struct Case {
  std::string name;
  uint64_t n, size;
  std::vector<long long> offsets;
};

template <typename T> using Call = std::function<cudaError_t(void *, size_t *, const T *, T *, const Case &)>;
typedef segmented_scan_configuration Configuration;

// Of segments of one length.
template <typename T> using BySize = cudaError_t (*)(const Configuration *, void *, size_t *, const T *, uint64_t,
                                                     uint64_t, T *, cudaStream_t);
template <typename T> static Call<T> call(BySize<T> run, const Configuration *c) {
  return [=](void *w, size_t *bytes, const T *in, T *out, const Case &s) {
    return run(c, w, bytes, in, s.n, s.size, out, nullptr);
  };
}
template <typename T>
static Call<T> call(cudaError_t (*run)(void *, size_t *, const T *, uint64_t, uint64_t, T *, cudaStream_t)) {
  return [=](void *w, size_t *bytes, const T *in, T *out, const Case &s) {
    return run(w, bytes, in, s.n, s.size, out, nullptr);
  };
}

// Of segments by offsets.
static const long long *device(const std::vector<long long> &offsets) {
  if (offsets.empty()) return nullptr;
  long long *place = (long long *)simt::place(offsets.size() * sizeof *place, 0);
  std::copy(offsets.begin(), offsets.end(), place);
  simt::freeze(place);
  return place;
}
template <typename T> using ByOffsets = cudaError_t (*)(const Configuration *, void *, size_t *, const T *, uint64_t,
                                                        const long long *, uint64_t, T *, cudaStream_t);
template <typename T> static Call<T> call(ByOffsets<T> run, const Configuration *c) {
  return [=](void *w, size_t *bytes, const T *in, T *out, const Case &s) {
    return run(c, w, bytes, in, s.n, device(s.offsets), s.offsets.size(), out, nullptr);
  };
}
template <typename T>
static Call<T> call(cudaError_t (*run)(void *, size_t *, const T *, uint64_t, const long long *, uint64_t, T *,
                                       cudaStream_t)) {
  return [=](void *w, size_t *bytes, const T *in, T *out, const Case &s) {
    return run(w, bytes, in, s.n, device(s.offsets), s.offsets.size(), out, nullptr);
  };
}

static std::vector<Case> cases(BySize<int>) {
  std::vector<Case> all;
  for (uint64_t n : {0, 1, 33, 1025})
    for (uint64_t size : {uint64_t(0), uint64_t(1), uint64_t(7), uint64_t(33), uint64_t(257), n, n + 1,
                          (uint64_t(1) << 32) + 2, uint64_t(INT64_MAX)})
      all.push_back({"size", n, size, {}});
  return all;
}

static std::vector<Case> cases(ByOffsets<int>) {
  std::vector<Case> all = {
      {"no offsets", 5, 0, {}},
      {"no segments", 5, 0, {0}},
      {"one of nothing", 0, 0, {0, 0}},
      {"many of nothing", 0, 0, std::vector<long long>(300, 0)},
      {"nothing at the beginning", 40, 0, {0, 0, 0, 0, 40}},
      {"nothing at the end", 40, 0, {0, 33, 40, 40, 40, 40}},
      {"nothing between", 40, 0, {0, 1, 1, 1, 2, 20, 20, 40}},
      {"nothing but the last", 1025, 0, {0, 0, 0, 0, 0, 0, 0, 1025}},
      {"nothing but the first", 1025, 0, {0, 1025, 1025, 1025, 1025}},
      {"one", 2500, 0, {0, 2500}},
      {"begins late, ends early", 500, 0, {7, 9, 300, 300, 411}},
      {"nothing, in the middle", 500, 0, {77, 77, 77}},
      {"beyond the end", 100, 0, {0, 50, 90, 130, 200}},
      {"all beyond the end", 3, 0, {5, 9, 14}},
      {"side by side", 2213, 0, {0, 1, 2, 2, 1002, 1003, 1003, 1035, 1066, 1099, 1100, 2200, 2201, 2213}},
  };
  Case ones = {"ones", 700, 0, {0}}, skewed = {"skewed", 0, 0, {0}};
  for (long long i = 1; i <= 700; i++) ones.offsets.push_back(i);
  uint32_t draw = 12345;
  for (int i = 0; i < 200; i++) {
    draw = draw * 1664525 + 1013904223;
    const int lengths[] = {0, 0, 1, 1, 2, 3, 5, 8, 9, 31, 32, 33, 64, 0, 1, 300};
    skewed.offsets.push_back(skewed.offsets.back() + lengths[draw >> 28]);
  }
  skewed.n = (uint64_t)skewed.offsets.back();
  all.push_back(ones), all.push_back(skewed);
  return all;
}

constexpr int UNTOUCHED = -77777;

template <typename T> static std::vector<T> wanted(const std::vector<T> &in, const Case &s) {
  std::vector<T> out(s.n, (T)UNTOUCHED);
  auto scan = [&](uint64_t from, uint64_t to) {
    T sum = 0;
    for (uint64_t i = from; i < to && i < s.n; i++) out[i] = sum += in[i];
  };
  const uint64_t size = std::max<uint64_t>(1, std::min(s.size, s.n));
  for (size_t k = 1; k < s.offsets.size(); k++) scan((uint64_t)s.offsets[k - 1], (uint64_t)s.offsets[k]);
  for (uint64_t i = 0; s.name == "size" && i < s.n; i += size) scan(i, i + size);
  return out;
}

template <typename T> static void one(const Call<T> &run, const char *what, const Case &s, size_t offset) {
  std::vector<T> host(s.n);
  for (uint64_t i = 0; i < s.n; i++) host[i] = (T)((i * 7 + 3) % 11) - 4;
  T *in = (T *)simt::place(s.n * sizeof(T) + (s.n == 0), offset * sizeof(T));
  T *out = (T *)simt::place(s.n * sizeof(T) + (s.n == 0), offset / 2 * sizeof(T));
  std::copy(host.begin(), host.end(), in);
  std::fill(out, out + s.n, (T)UNTOUCHED);
  if (s.n > 0) simt::freeze(in);
  size_t bytes = 0;
  cudaError_t error = run(nullptr, &bytes, in, out, s);
  void *w = simt::place(bytes, 0);
  if (error == cudaSuccess) error = segmented_scan_workspace_init(w, bytes, nullptr);
  if (error == cudaSuccess) error = run(w, &bytes, in, out, s);
  const std::vector<T> want = wanted(host, s);
  const uint64_t at = std::mismatch(want.begin(), want.end(), out).first - want.begin();
  if (error != cudaSuccess || at < s.n || !simt::reports.empty()) {
    ++failed;
    std::printf("%s: %s, n = %llu, size = %llu: error %d", what, s.name.c_str(), (unsigned long long)s.n,
                (unsigned long long)s.size, (int)error);
    if (at < s.n) std::printf(", out[%llu] is %g, not %g", (unsigned long long)at, (double)out[at], (double)want[at]);
    std::printf("\n");
  }
  for (const simt::Report &r : simt::reports) std::printf("    %s\n", simt::describe(r).c_str());
  simt::reports.clear();
  simt::release_all();
}

template <typename T, typename Run, typename Pick>
static void type(Run segmented_scan_variant::*run, Pick pick, const std::vector<Case> &all, size_t offset) {
  for (const Case &s : all) one<T>(call<T>(pick), "the library", s, offset);
  const Configuration own = {0, 0, 0}, narrow = {0, 0, 2};
  for (int v = 0; v < segmented_scan_variant_count; v++)
    for (const Configuration *c : {&own, &narrow}) {
      const segmented_scan_variant &variant = segmented_scan_variants[v];
      if (!(variant.*run)) continue; /* it is for other types */
      const bool grid = variant.configurations[0].blocks != 0; /* else there is one block, and no number of them */
      for (const Case &s : all)
        if (c == &own || grid) one<T>(call<T>(variant.*run, c), variant.plan, s, offset);
    }
}

int main(int argc, char **argv) {
  const std::string types = argc > 1 ? argv[1] : "";
  for (int i = 2; i < argc && failed < 20; i++) {
    const uint64_t seed = std::strtoull(argv[i], nullptr, 10);
    simt::options.seed = seed;
    const std::vector<Case> all = cases(decltype(segmented_scan_variant::run_int){});
    if (types != "double") type<int>(&segmented_scan_variant::run_int, segmented_scan_int, all, seed % 4);
    if (types != "int") type<double>(&segmented_scan_variant::run_double, segmented_scan_double, all, (seed + 1) % 4);
  }
  std::printf("%d failed\n", failed);
  return failed > 0;
}
