// harness.h: what `tgc check' compiles beside the variants: tables of them, run by harness.cc.
#ifndef TGC_CHECK_HARNESS_H
#define TGC_CHECK_HARNESS_H

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

namespace check {

enum Kind { INT, UINT, INT64, UINT64, HALF, FLOAT, DOUBLE };

template <typename T>
struct KindOf;
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
struct KindOf<float> { static constexpr Kind kind = FLOAT; };
template <>
struct KindOf<double> { static constexpr Kind kind = DOUBLE; };

// What a variant promises, least first: the same bits in every run; in every run, at every address and on every
// machine, in its own configuration; those of the sequential codelet, in any configuration.
enum Promise { NOTHING, RUN_TO_RUN, GPU_TO_GPU, SEQUENTIAL };

// A function of a variant, for one element type; blocks: 0 for the variant's own configuration.
struct Entry {
  const char *variant, *type;
  Promise promise;
  Kind element, result;
  cudaError_t (*run)(int blocks, void *workspace, size_t *workspace_bytes, const void *in, uint64_t n, void *out,
                     cudaStream_t stream);
};

// The sequential codelet for one element type; `result' is double for floating elements, whatever they are accumulated
// in. Its bits are `own's, which accumulates as variants do; NULL: they are not known.
struct Reference {
  const char *type;
  Kind element, result;
  void (*run)(const void *in, uint64_t n, void *out);
  void (*own)(const void *in, uint64_t n, void *out);
};

// The tables: one file of variants and one of references is linked with each harness.
extern const Entry entries[];
extern const int entry_count;
extern const Reference references[];
extern const int reference_count;
extern const char *const operation; // "add" .. "xor"; "" when unknown
extern const size_t workspace_head; // so many bytes of a workspace are zero before a call, and after it

template <typename C, typename = void>
struct HasBlocks : std::false_type {};
template <typename C>
struct HasBlocks<C, std::void_t<decltype(C::blocks)>> : std::true_type {};

// A function behind one signature; its types come from the function itself, so nobody has to spell them.
template <typename F, F function>
struct Erased;
template <typename C, typename E, typename R,
          cudaError_t (*function)(const C *, void *, size_t *, const E *, uint64_t, R *, cudaStream_t)>
struct Erased<cudaError_t (*)(const C *, void *, size_t *, const E *, uint64_t, R *, cudaStream_t), function> {
  static cudaError_t run(int blocks, void *workspace, size_t *bytes, const void *in, uint64_t n, void *out,
                         cudaStream_t stream) {
    if constexpr (HasBlocks<C>::value) {
      C configuration = {};
      configuration.blocks = (decltype(configuration.blocks))blocks;
      return function(&configuration, workspace, bytes, (const E *)in, n, (R *)out, stream);
    } else {
      return function(nullptr, workspace, bytes, (const E *)in, n, (R *)out, stream);
    }
  }
  static constexpr Entry entry(const char *variant, const char *type, Promise promise) {
    return {variant, type, promise, KindOf<E>::kind, KindOf<R>::kind, run};
  }
};
template <typename E, typename R, void (*function)(const E *, uint64_t, R *)>
struct Erased<void (*)(const E *, uint64_t, R *), function> {
  static void run(const void *in, uint64_t n, void *out) { function((const E *)in, n, (R *)out); }
  static constexpr Reference reference(const char *type, void (*own)(const void *, uint64_t, void *)) {
    return {type, KindOf<E>::kind, KindOf<R>::kind, run, own};
  }
};

} // namespace check

#define CHECK_VARIANT(variant, type, promise, function) \
  check::Erased<decltype(&function), &function>::entry(variant, type, promise)
#define CHECK_REFERENCE(type, function, own) check::Erased<decltype(&function), &function>::reference(type, own)
#define CHECK_OWN(function) &check::Erased<decltype(&function), &function>::run

#endif
