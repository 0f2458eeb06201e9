// harness.h: what `tgc check' compiles beside the variants: tables of them, run by harness.cc.
#ifndef TGC_CHECK_HARNESS_H
#define TGC_CHECK_HARNESS_H

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

namespace check {

enum Kind { INT8, UINT8, INT16, UINT16, INT, UINT, INT64, UINT64, HALF, BFLOAT16, FLOAT, DOUBLE, CFLOAT, CDOUBLE };

template <typename T>
struct KindOf;
template <>
struct KindOf<signed char> { static constexpr Kind kind = INT8; };
template <>
struct KindOf<unsigned char> { static constexpr Kind kind = UINT8; };
template <>
struct KindOf<short> { static constexpr Kind kind = INT16; };
template <>
struct KindOf<unsigned short> { static constexpr Kind kind = UINT16; };
template <>
struct KindOf<int> { static constexpr Kind kind = INT; };
template <>
struct KindOf<unsigned> { static constexpr Kind kind = UINT; };
template <>
struct KindOf<long long> { static constexpr Kind kind = INT64; };
template <>
struct KindOf<unsigned long long> { static constexpr Kind kind = UINT64; };
template <>
struct KindOf<__half> { static constexpr Kind kind = HALF; };
template <>
struct KindOf<__nv_bfloat16> { static constexpr Kind kind = BFLOAT16; };
template <>
struct KindOf<float> { static constexpr Kind kind = FLOAT; };
template <>
struct KindOf<double> { static constexpr Kind kind = DOUBLE; };
template <>
struct KindOf<cuFloatComplex> { static constexpr Kind kind = CFLOAT; };
template <>
struct KindOf<cuDoubleComplex> { static constexpr Kind kind = CDOUBLE; };

enum { MOST_BYTES = 16 }; // of a result

// A function of a variant, for one element type, in the variant's own configuration.
struct Entry {
  const char *variant, *type;
  bool repeats; // it promises the same bits in every run
  Kind element, result;
  cudaError_t (*run)(void *workspace, size_t *workspace_bytes, const void *in, uint64_t n, void *out,
                     cudaStream_t stream);
};

// The sequential codelet for one element type; `result' is double, or complex double, for floating ones.
struct Reference {
  const char *type;
  Kind element, result;
  void (*run)(const void *in, uint64_t n, void *out);
};

// The tables: one file of variants and one of references is linked with each harness.
extern const Entry entries[];
extern const int entry_count;
extern const Reference references[];
extern const int reference_count;
extern const char *const operation; // "add" .. "xor"; "" when unknown
extern const size_t workspace_head; // so many bytes of a workspace are zero before a call, and after it

// A function behind one signature; its types come from the function itself, so nobody has to spell them.
template <typename F, F function>
struct Erased;
template <typename C, typename E, typename R,
          cudaError_t (*function)(const C *, void *, size_t *, const E *, uint64_t, R *, cudaStream_t)>
struct Erased<cudaError_t (*)(const C *, void *, size_t *, const E *, uint64_t, R *, cudaStream_t), function> {
  static cudaError_t run(void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t stream) {
    return function(nullptr, workspace, bytes, (const E *)in, n, (R *)out, stream);
  }
  static constexpr Entry entry(const char *variant, const char *type, bool repeats) {
    return {variant, type, repeats, KindOf<E>::kind, KindOf<R>::kind, run};
  }
};
template <typename E, typename R, void (*function)(const E *, uint64_t, R *)>
struct Erased<void (*)(const E *, uint64_t, R *), function> {
  static void run(const void *in, uint64_t n, void *out) { function((const E *)in, n, (R *)out); }
  static constexpr Reference reference(const char *type) { return {type, KindOf<E>::kind, KindOf<R>::kind, run}; }
};

} // namespace check

#define CHECK_VARIANT(variant, type, repeats, function) \
  check::Erased<decltype(&function), &function>::entry(variant, type, repeats)
#define CHECK_REFERENCE(type, function) check::Erased<decltype(&function), &function>::reference(type)

#endif
