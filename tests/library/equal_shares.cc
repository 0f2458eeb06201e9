// equal_shares.cc: a program of a generated library of segmented_sum by offsets, int and double, on the CPU's executor,
// which watches it: every variant whose blocks have equal shares of the elements, or whose workers have parts of bounded
// lengths, in each configuration that it is compiled for. Segments that are empty, at either end, by the thousand; one that has all elements; longer than several
// blocks' shares, of shares' own lengths; elements in no segment; offsets beyond the end, and such as do not ascend, of
// which it only matters that nothing outside is touched.
//
//   equal_shares SEED..   for every SEED: the same segments in another order of blocks and lanes, at another address
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "segmented_sum.h"
#include "simt.h"

static int failed, runs;

struct Case {
  std::string name;
  uint64_t n;
  std::vector<long long> offsets;
  bool ascend = true;
};

static Case lengths(const char *name, const std::vector<long long> &of) {
  Case made = {name, 0, {0}};
  for (long long length : of) made.offsets.push_back(made.offsets.back() + length);
  made.n = (uint64_t)made.offsets.back();
  return made;
}

static std::vector<long long> repeated(long long length, int many) { return std::vector<long long>(many, length); }

static std::vector<Case> cases() {
  std::vector<Case> all = {
      {"no segments", 5, {0}},
      {"no segments of nothing", 0, {0}},
      {"one of nothing", 0, {0, 0}},
      {"many of nothing", 0, repeated(0, 900)},
      {"many of nothing, of something", 40, repeated(0, 900)},
      {"nothing at the beginning", 40, {0, 0, 0, 0, 40}},
      {"nothing at the end", 40, {0, 33, 40, 40, 40, 40}},
      {"nothing but the last", 1025, {0, 0, 0, 0, 0, 0, 0, 1025}},
      {"nothing but the first", 1025, {0, 1025, 1025, 1025, 1025}},
      {"one", 2500, {0, 2500}},
      {"begins late, ends early", 500, {7, 9, 300, 300, 411}},
      {"begins very late", 900, {700, 710, 900}},
      {"ends very early", 900, {0, 10, 30}},
      {"nothing, in the middle", 500, {77, 77, 77}},
      {"beyond the end", 100, {0, 50, 90, 130, 200}},
      {"all beyond the end", 3, {5, 9, 14}},
      {"side by side", 2213, {0, 1, 2, 2, 1002, 1003, 1003, 1035, 1066, 1099, 1100, 2200, 2201, 2213}},
      {"descending", 300, {0, 200, 100, 250, 30, 300, 0}, false},
      {"below zero", 300, {-9, 20, -300, 100}, false},
  };
  all.push_back(lengths("ones", repeated(1, 700)));
  for (long long length : {30, 31, 32, 33, 63, 64, 127, 128, 256})
    all.push_back(lengths("alike", repeated(length, 9))); // shares, and a part's end more or less
  std::vector<long long> skewed;
  uint32_t draw = 12345;
  for (int i = 0; i < 200; i++) {
    draw = draw * 1664525 + 1013904223;
    const int some[] = {0, 0, 1, 1, 2, 3, 5, 8, 9, 31, 32, 33, 64, 0, 1, 300};
    skewed.push_back(some[draw >> 28]);
  }
  all.push_back(lengths("skewed", skewed));
  std::vector<long long> gap = repeated(0, 1500);
  gap[700] = 400;
  all.push_back(lengths("one long one among thousands of nothing", gap));
  std::vector<long long> several = repeated(3, 100);
  for (int i = 0; i < 60; i++) several[(size_t)(i * 37 % 100)] = 40 + i * i % 900;
  several[50] = 9000;
  all.push_back(lengths("many long ones, one much longer", several));
  return all;
}

template <typename T> static T *placed(const std::vector<T> &from, size_t offset) {
  T *to = (T *)simt::place(from.size() * sizeof(T) + from.empty(), offset * sizeof(T));
  std::copy(from.begin(), from.end(), to);
  return to;
}

template <typename T, typename Run>
static void one(Run run, const segmented_sum_configuration *c, const char *plan, const Case &s, size_t offset) {
  const uint64_t segments = s.offsets.size() - 1;
  std::vector<T> in(s.n), want(segments), spoilt(segments, (T)-77777);
  for (uint64_t i = 0; i < s.n; i++) in[i] = (T)((i * 7 + 3) % 11) - 4;
  for (uint64_t k = 0; k < segments && s.ascend; k++)
    for (uint64_t i = (uint64_t)s.offsets[k]; i < (uint64_t)s.offsets[k + 1] && i < s.n; i++) want[k] += in[i];
  T *x = placed(in, offset), *out = placed(spoilt, offset / 2);
  const std::vector<long long> &offsets = s.offsets;
  long long *at = placed(offsets, 0);
  if (s.n > 0) simt::freeze(x);
  simt::freeze(at);
  size_t bytes = 0;
  cudaError_t error = run(c, nullptr, &bytes, x, s.n, at, offsets.size(), out, segments, nullptr);
  void *w = simt::place(bytes, 0);
  if (error == cudaSuccess) error = segmented_sum_workspace_init(w, bytes, nullptr);
  for (int twice = 0; twice < 2 && error == cudaSuccess; twice++)
    error = run(c, w, &bytes, x, s.n, at, offsets.size(), out, segments, nullptr);
  const uint64_t differs = s.ascend ? std::mismatch(want.begin(), want.end(), out).first - want.begin() : segments;
  runs++;
  std::vector<std::string> reports;
  for (const simt::Report &r : simt::reports) { // where offsets do not ascend several may be the first in a share
    const std::string text = simt::describe(r);
    if (s.ascend || text.compare(0, 5, "race:") != 0) reports.push_back(text);
  }
  const bool runs_on = error == cudaSuccess || (!s.ascend && reports.empty());
  if (!runs_on || differs < segments || !reports.empty()) {
    ++failed;
    std::printf("%s, %d threads, %d loads: %s, n = %llu: error %d", plan, c->threads, c->loads, s.name.c_str(),
                (unsigned long long)s.n, (int)error);
    if (differs < segments)
      std::printf(", out[%llu] is %g, not %g", (unsigned long long)differs, (double)out[differs], (double)want[differs]);
    std::printf("\n");
  }
  for (const std::string &r : reports) std::printf("    %s\n", r.c_str());
  simt::reports.clear();
  simt::release_all();
}

int main(int argc, char **argv) {
  const std::vector<Case> all = cases();
  for (int i = 1; i < argc && failed < 20; i++) {
    const uint64_t seed = std::strtoull(argv[i], nullptr, 10);
    simt::options.seed = seed;
    for (int v = 0; v < segmented_sum_variant_count; v++) {
      const segmented_sum_variant &variant = segmented_sum_variants[v];
      if (!std::strstr(variant.plan, "/equal-") && !std::strstr(variant.plan, "/bounded-")) continue;
      for (const segmented_sum_configuration *c = variant.configurations; c->threads; c++)
        for (const Case &s : all) {
          one<int>(variant.run_int, c, variant.plan, s, seed % 4);
          if (&s - all.data() >= (int)all.size() - 3) one<double>(variant.run_double, c, variant.plan, s, seed % 4);
        }
    }
  }
  std::printf("%d failed\n", failed);
  return failed > 0 || runs == 0;
}
