// failures.cc: every runtime call of a generated library fails once, on the CPU executor (bench/gpu/failures.h).
#include "gpu/failures.h"

#include "simt.h"

int main() {
  constexpr uint64_t most = 20000;
  static const uint64_t sizes[] = {0, 1, 1025, 3000, most - 3};
  Failures f;
  f.unseen = [] {
    for (const simt::Report &r : simt::reports) std::printf("%s\n", simt::describe(r).c_str());
    const bool none = simt::reports.empty();
    simt::reports.clear();
    return none;
  };
  simt::options.hooked = false;
  simt::options.refuses = injection_refuses;
  for (const Type &t : all_types(most)) {
    Bench b(t);
    fail_init(b, t.entries[0], &f);
    for (size_t i = 0; i < t.entries.size(); i++)
      for (uint64_t n : sizes)
        if (i < t.library || n == 1025 || n == most - 3) fail_each(b, t.entries[i], t.solve(t, n % 4, n - n % 4), &f);
    std::printf("%-8s %zu functions\n", t.name, t.entries.size());
    simt::release_all();
  }
  std::printf("%ld calls failed, %ld refused, %ld complaints\n", f.injected, f.refused, f.complaints);
  return f.complaints != 0;
}
