// arrays.cc: what runtime/measure/arrays.cu measures on, with "device" memory that is the host's, and the sequential
// codelet for a variant. For each shape a line: `NxCOUNT places P ok', or what is wrong.
//
//   -DSPECTRUM=axpy -DSEQUENTIAL=axpy_sequential_float; arguments: the type, then shapes, n and count; CALLS in the
//   environment: which conditions of a table's rows calls meet. Behind it stand the sizes that the last call had.
//
// Of every place a call has to give what is right; after a reset again; and what is turned over in any byte of a result
// has to be told.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

#include "measure/arrays.h"
#include "measure/difference.h"
#include "measure/measure.h"

static uint64_t allocated;
static std::set<void *> written_to; // by calls
static std::string sizes;           // of the last call

extern "C" {
cudaError_t cudaMalloc(void **p, size_t n) { return allocated = n, *p = std::calloc(1, n), cudaSuccess; }
cudaError_t cudaFree(void *p) { return std::free(p), cudaSuccess; }
cudaError_t cudaMemcpy(void *to, const void *from, size_t n, cudaMemcpyKind) {
  return std::memmove(to, from, n), cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind k, cudaStream_t) {
  return cudaMemcpy(to, from, n, k);
}
cudaError_t cudaMemsetAsync(void *to, int byte, size_t n, cudaStream_t) {
  return std::memset(to, byte, n), cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t *left, size_t *all) { return *left = *all = (size_t)1 << 24, cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char *cudaGetErrorString(cudaError_t) { return "an error"; }
}

void first_difference(const void *x, const void *y, uint64_t bytes, unsigned long long *at, cudaStream_t) {
  for (uint64_t i = 0; i < bytes; i++)
    if (((const char *)x)[i] != ((const char *)y)[i]) {
      if (i < *at) *at = i;
      return;
    }
}

// A variant: it calls the sequential codelet, with the configuration's `loads' as the byte of the first written array
// that is turned over, plus one; 0: none.
template <typename F, F sequential> struct Variant;
template <typename... A, void (*sequential)(A...)> struct Variant<void (*)(A...), sequential> {
  template <typename T> static char *written(T *p) { return std::is_const<T>::value ? nullptr : (char *)p; }
  template <typename T> static char *written(T) { return nullptr; }
  static void add_size(uint64_t n) { sizes += " " + std::to_string(n); }
  template <typename T> static void add_size(T) {}
  static int run(const Configuration *c, void *workspace, size_t *bytes, A... a, void *) {
    *bytes = 1;
    if (!workspace) return 0;
    sizes.clear();
    (add_size(a), ...);
    sequential(a...);
    char *all[] = {written(a)...}, *first = nullptr;
    for (char *p : all)
      if (p && !first) first = p;
    written_to.insert(first);
    if (c->loads > 0) first[c->loads - 1] ^= 0x40;
    return 0;
  }
};
extern "C" decltype(SEQUENTIAL) SEQUENTIAL;

static std::string look(Subject &s, size_t bytes) {
  void *variant = (void *)Variant<decltype(&SEQUENTIAL), &SEQUENTIAL>::run;
  char workspace[8];
  size_t given = sizeof workspace;
  written_to.clear();
  for (int again = 0; again < 2; again++)
    for (uint64_t place = s.places(); place-- > 0;) { // the first place last: it is the one that is looked at
      if (place == 0) s.reset(nullptr);
      if (s.call(variant, {0, 0, 0}, workspace, &given, place, nullptr)) return "refused";
      const std::string what = place == 0 ? s.difference(nullptr) : "";
      if (!what.empty()) return what;
    }
  if (written_to.size() != s.places()) return "places are the same";
  for (int byte : {1, (int)(bytes + 1) / 2, (int)bytes}) {
    s.reset(nullptr);
    s.call(variant, {0, byte, 0}, workspace, &given, 0, nullptr);
    if (s.difference(nullptr).empty()) return "byte " + std::to_string(byte) + " does not count";
  }
  return "ok";
}

int main(int argc, char **argv) {
  for (int i = 2; i + 1 < argc; i += 2) {
    Request r = {};
    r.type = argv[1];
    r.n = std::strtoull(argv[i], nullptr, 10);
    r.count = std::strtoull(argv[i + 1], nullptr, 10);
    if (const char *calls = std::getenv("CALLS")) r.calls = calls;
    const size_t l2 = 1 << 20;
    try {
      Subject &s = subject_of(r, l2);
      if (&s != &subject_of(r, l2)) return 2;
      const std::string what = look(s, 4); // at least so many bytes are written
      std::printf("= %llux%llu places %llu bytes %llu %s\n", (unsigned long long)r.n, (unsigned long long)r.count,
                  (unsigned long long)s.places(), (unsigned long long)allocated, what.c_str());
      if (std::getenv("CALLS")) std::printf("sizes%s\n", sizes.c_str());
    } catch (const Failure &f) {
      std::printf("= %s: %s\n", f.kind.c_str(), f.text.c_str());
    }
  }
  return 0;
}
