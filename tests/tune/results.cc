// results.cc: what runtime/measure/folder.cu takes for right, held against a folder's sequential codelet; "device"
// memory is the host's. For each size a line: `N ok', or what differs; then for each byte of the result whether it
// counts: 1 where a bit that is turned over in it is found, else 0. -DSEQUENTIAL=reduce_xor_sequential_int.
#include <cstdio>
#include <cstring>
#include <vector>

#include "measure/measure.h"

extern "C" void SEQUENTIAL(const void *in, uint64_t n, void *out);

extern "C" {
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind) {
  return std::memcpy(to, from, n), cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t) { return "an error"; }
}

static bool is_right(const AnyType &t, uint64_t n, const char *result) { return t.compare("", n, result).empty(); }

int main(int, char **argv) {
  const AnyType *t = find_type(argv[1], argv[2]);
  if (!t || find_type("nonsense", argv[2])) return 2;
  const uint64_t most = 200000, more = 300000;
  std::vector<char> in(more * t->element), first(most * t->element);
  t->make(first.data(), most);
  t->make(in.data(), more);
  if (std::memcmp(in.data(), first.data(), first.size()) != 0) return 3;
  for (uint64_t n : {0, 1, 2, 1000, 65535, 65536, 65537, 131072, 200000, 300000}) {
    alignas(32) char result[MOST_RESULT] = {};
    SEQUENTIAL(in.data(), n, result);
    const std::string what = t->compare(argv[2], n, result);
    std::printf("%llu %s ", (unsigned long long)n, what.empty() ? "ok" : what.c_str());
    for (size_t i = 0; i < t->result; i++) {
      result[i] ^= 0x40;
      std::printf("%d", !is_right(*t, n, result));
      result[i] ^= 0x40;
    }
    std::printf("\n");
  }
  return 0;
}
