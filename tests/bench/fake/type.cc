// type.cc: stands in for bench/gpu/compare_type.cu: the same element type, its contenders on the CPU. FAKE_WRONG makes
// one result of ours wrong; FAKE_ERROR makes ours refuse more than 2^7 elements; FAKE_CRASH ends the program in the
// middle, FAKE_HANG never. FAKE_ALONE leaves the others out.
#include "measure.h"

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define TEXT2(a) #a
#define TEXT(a) TEXT2(a)

typedef TYPE T;

static void fill(void *in, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) ((T *)in)[i] = (T)((long long)(i * 2654435761u % 17) - 8);
}

static void reference(const void *in, uint64_t n, uint64_t stride, int places, Value *sums) {
  for (int p = 0; p < places; p++) {
    sums[p].number = 0;
    for (uint64_t i = 0; i < n; i++) sums[p].number += (long long)((const T *)in)[p * stride + i];
  }
}

static bool right(const void *result, const Value &sum, uint64_t) { return *(const T *)result == (T)sum.number; }

static Contender contender(const char *name) {
  Contender c = {name};
  const bool ours = c.name == "ours";
  c.call = [ours](void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t) {
    *bytes = 1;
    if (!workspace) return cudaSuccess;
    if (ours && std::getenv("FAKE_CRASH")) std::abort();
    while (ours && std::getenv("FAKE_HANG")) {}
    if (ours && std::getenv("FAKE_ERROR") && n > 128) return cudaErrorInvalidValue;
    fake_launch([=] {
      T sum = ours && std::getenv("FAKE_WRONG") && n == 256;
      for (uint64_t i = 0; i < n; i++) sum += ((const T *)in)[i];
      *(T *)out = sum;
    });
    return cudaSuccess;
  };
  return c;
}

ElementType PASTE(element_type_, TYPE)() {
  ElementType t = {TEXT(TYPE), sizeof(T), sizeof(T), fill, reference, right};
  t.contenders = {contender("ours")};
  if (std::getenv("FAKE_ALONE")) return t;
  t.contenders = {contender("ours"), contender("cub"), contender("thrust")};
  t.contenders[2].to_host = true;
  t.contenders[2].most = 256;
  t.variants = {contender("variant")};
  t.variants[0].what = ", \"id\": \"0123abcd\", \"threads\": 32, \"loads\": 1, \"blocks\": 0";
  return t;
}
