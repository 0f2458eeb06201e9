// entries.h: the functions of a generated library behind one signature, and problems whose results are known.
//
// Compiled with -DSPECTRUM_HEADER="sum.h" -DSPECTRUM=sum, one -DTYPE_<name> for each type of the folder, and
// -DPRODUCTS where the operator is a product.
#ifndef TGC_BENCH_ENTRIES_H
#define TGC_BENCH_ENTRIES_H

#include SPECTRUM_HEADER

#include <cuda_fp16.h>
#include <stdint.h>

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define NAMED2(a) #a
#define NAMED(a) NAMED2(a)

// n elements from `at' on, and what they give.
struct Problem {
  uint64_t at, n;
  double real;     // of floating types
  uint64_t number; // of the others: its bits
};

struct Entry {
  std::string name;
  bool own_workspace; // the caller's; else one from the pool
  std::function<cudaError_t(void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t stream)>
      call;
};

struct Type {
  const char *name;
  size_t bytes, result_bytes;
  std::vector<char> elements; // on the host
  std::vector<Entry> entries; // the library's own first, `library' of them, then the variants'
  size_t library;
  Problem (*solve)(const Type &t, uint64_t at, uint64_t n);
  bool (*right)(const Problem &p, const void *result);
};

inline uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

// Small whole numbers: their sums are exact in every type and every order.
inline int small(uint64_t i) {
#ifdef PRODUCTS
  return mixed(i) & 1 ? 1 : -1;
#else
  return (int)(mixed(i) % 17) - 8;
#endif
}

// ---- one signature ----

template <typename E, typename R>
Entry entry(const std::string &name,
            cudaError_t (*f)(void *, size_t *, const E *, uint64_t, R *, cudaStream_t)) {
  return {name, true, [f](void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t stream) {
            return f(workspace, bytes, (const E *)in, n, (R *)out, stream);
          }};
}

template <typename E, typename R>
Entry entry(const std::string &name, cudaError_t (*f)(const E *, uint64_t, R *, cudaStream_t)) {
  return {name, false, [f](void *, size_t *, const void *in, uint64_t n, void *out, cudaStream_t stream) {
            return f((const E *)in, n, (R *)out, stream);
          }};
}

template <typename C, typename E, typename R>
Entry entry(const std::string &name,
            cudaError_t (*f)(const C *, void *, size_t *, const E *, uint64_t, R *, cudaStream_t)) {
  return {name, true, [f](void *workspace, size_t *bytes, const void *in, uint64_t n, void *out, cudaStream_t stream) {
            return f(nullptr, workspace, bytes, (const E *)in, n, (R *)out, stream);
          }};
}

// ---- types ----

template <typename E, typename A, void (*reference)(const E *, uint64_t, A *)>
Problem solve(const Type &t, uint64_t at, uint64_t n) {
  A result;
  reference((const E *)t.elements.data() + at, n, &result);
  return {at, n, (double)result, std::is_integral<A>::value ? (uint64_t)result : 0};
}

template <typename R> bool right(const Problem &p, const void *result) {
  const R got = *(const R *)result;
  return std::is_integral<R>::value ? got == (R)p.number : got == (R)p.real;
}

template <typename E, typename R>
Type make_type(const char *name, uint64_t most, std::vector<Entry> entries,
               Problem (*solve)(const Type &, uint64_t, uint64_t)) {
  Type t = {name, sizeof(E), sizeof(R), std::vector<char>(most * sizeof(E)), entries, entries.size(), solve, right<R>};
  for (uint64_t i = 0; i < most; i++) ((E *)t.elements.data())[i] = (E)(float)small(i);
  return t;
}

template <typename F> struct Of; // of a library's function: what it takes and gives
template <typename E, typename R> struct Of<cudaError_t (*)(void *, size_t *, const E *, uint64_t, R *, cudaStream_t)> {
  typedef E Element;
  typedef R Result;
};
template <typename F> struct Given; // by a reference
template <typename E, typename A> struct Given<void (*)(const E *, uint64_t, A *)> { typedef A Type; };

// The element types as the folder's reference.cc has them.
#define REFERENCE(type, E, A) extern "C" void PASTE(SPECTRUM, _reference_##type)(const E *in, uint64_t n, A *out);
#ifdef TYPE_int
REFERENCE(int, int, int)
#endif
#ifdef TYPE_uint
REFERENCE(uint, unsigned, unsigned)
#endif
#ifdef TYPE_int64
REFERENCE(int64, long long, long long)
#endif
#ifdef TYPE_uint64
REFERENCE(uint64, unsigned long long, unsigned long long)
#endif
#ifdef TYPE_half
REFERENCE(half, __half, double)
#endif
#ifdef TYPE_float
REFERENCE(float, float, double)
#endif
#ifdef TYPE_double
REFERENCE(double, double, double)
#endif

// A function of the library for a type: sum_float, sum_float_async. A new one has a line in ADD_TYPE; a new signature
// an overload of entry() above.
#define FUNCTION(type, suffix) entry(NAMED(PASTE(SPECTRUM, _##type##suffix)), PASTE(SPECTRUM, _##type##suffix))

#define ADD_TYPE(type)                                                                                        \
  {                                                                                                           \
    typedef Of<decltype(&PASTE(SPECTRUM, _##type))> F;                                                        \
    typedef Given<decltype(&PASTE(SPECTRUM, _reference_##type))>::Type A;                                     \
    Type t = make_type<F::Element, F::Result>(                                                                \
        #type, most,                                                                                          \
        {                                                                                                     \
            FUNCTION(type, ),                                                                                 \
            FUNCTION(type, _async),                                                                           \
        },                                                                                                    \
        solve<F::Element, A, PASTE(SPECTRUM, _reference_##type)>);                                            \
    for (int i = 0; i < PASTE(SPECTRUM, _variant_count); i++) /* but those for other types */                 \
      if (PASTE(SPECTRUM, _variants)[i].run_##type)                                                           \
        t.entries.push_back(entry(std::string(PASTE(SPECTRUM, _variants)[i].id) + "_" #type,                  \
                                  PASTE(SPECTRUM, _variants)[i].run_##type));                                 \
    all.push_back(std::move(t));                                                                              \
  }

// All types of the folder, each with `most' elements.
inline std::vector<Type> all_types(uint64_t most) {
  std::vector<Type> all;
#ifdef TYPE_int
  ADD_TYPE(int)
#endif
#ifdef TYPE_uint
  ADD_TYPE(uint)
#endif
#ifdef TYPE_int64
  ADD_TYPE(int64)
#endif
#ifdef TYPE_uint64
  ADD_TYPE(uint64)
#endif
#ifdef TYPE_half
  ADD_TYPE(half)
#endif
#ifdef TYPE_float
  ADD_TYPE(float)
#endif
#ifdef TYPE_double
  ADD_TYPE(double)
#endif
  return all;
}

inline cudaError_t workspace_init(void *workspace, size_t bytes, cudaStream_t stream) {
  return PASTE(SPECTRUM, _workspace_init)(workspace, bytes, stream);
}

#endif
