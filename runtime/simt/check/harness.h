// harness.h: what `tgc check' compiles beside the variants: tables of them, run by harness.cc.
#ifndef TGC_CHECK_HARNESS_H
#define TGC_CHECK_HARNESS_H

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#include <type_traits>

namespace check {

enum Kind { INT8, UINT8, INT16, UINT16, INT, UINT, INT64, UINT64, HALF, BFLOAT16, FLOAT, DOUBLE, CFLOAT, CDOUBLE,
            STRUCT };

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

enum { MOST_BYTES = 32 }; // of a result

// A user's struct: so many numbers of a kind at an offset.
struct Member {
  Kind kind;
  const char *name;
  int offset, count;
};
struct Layout {
  size_t bytes;
  const Member *members;
  int count;
};
struct Type {
  Kind kind;
  const Layout *layout; // of a STRUCT
  constexpr Type(Kind k, const Layout *l = nullptr) : kind(k), layout(l) {}
};
// KindOf of a user's struct has its layout.
template <typename T>
constexpr Type type_of() {
  if constexpr (KindOf<T>::kind == STRUCT) return {STRUCT, &KindOf<T>::layout};
  else return KindOf<T>::kind;
}

// What a variant promises, least first: the same bits in every run; in every run, at every address and on every
// machine, in its own configuration; those of the sequential codelet, in any configuration.
enum Promise { NOTHING, RUN_TO_RUN, GPU_TO_GPU, SEQUENTIAL };

// A function of a variant, for one element type; blocks: 0 for the variant's own configuration.
struct Entry {
  const char *variant, *type;
  Promise promise;
  Type element, result;
  cudaError_t (*run)(int blocks, void *workspace, size_t *workspace_bytes, const void *in, uint64_t n, void *out,
                     cudaStream_t stream);
};

// The sequential codelet for one element type; `result' is double, or complex double, for floating ones, whatever they
// are accumulated in. Its bits are `own's, which accumulates as variants do; NULL: they are not known.
struct Reference {
  const char *type;
  Type element, result;
  void (*run)(const void *in, uint64_t n, void *out);
  void (*own)(const void *in, uint64_t n, void *out);
  void (*example)(unsigned random, void *to); // an element of the user's; NULL: there is no such function
};

// The tables: one file of variants and one of references is linked with each harness.
extern const Entry entries[];
extern const int entry_count;
extern const Reference references[];
extern const int reference_count;
extern const char *const operation; // "add" .. "xor"; "user", "rounded": an operator of the user's; "" when unknown
extern const Layout *const state; // what variants of a user's operator exchange, a struct; NULL: numbers
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
    return {variant, type, promise, type_of<E>(), type_of<R>(), run};
  }
};
template <typename E, typename R, void (*function)(const E *, uint64_t, R *)>
struct Erased<void (*)(const E *, uint64_t, R *), function> {
  static void run(const void *in, uint64_t n, void *out) { function((const E *)in, n, (R *)out); }
  static constexpr Reference reference(const char *type, void (*own)(const void *, uint64_t, void *),
                                       void (*example)(unsigned, void *)) {
    return {type, type_of<E>(), type_of<R>(), run, own, example};
  }
};
template <typename E, void (*function)(unsigned, E *)>
struct Erased<void (*)(unsigned, E *), function> {
  static void run(unsigned random, void *to) { function(random, (E *)to); }
};

} // namespace check

#define CHECK_VARIANT(variant, type, promise, function) \
  check::Erased<decltype(&function), &function>::entry(variant, type, promise)
#define CHECK_REFERENCE(type, function, own, example) \
  check::Erased<decltype(&function), &function>::reference(type, own, example)
#define CHECK_OWN(function) &check::Erased<decltype(&function), &function>::run

#endif
