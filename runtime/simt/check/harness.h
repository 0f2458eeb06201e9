// harness.h: what `tgc check' compiles beside the variants: tables of them, run by harness.cc.
#ifndef TGC_CHECK_HARNESS_H
#define TGC_CHECK_HARNESS_H

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <tuple>
#include <type_traits>
#include <utility>

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
#ifdef TGC_NATIVE // a CPU's own
template <>
struct KindOf<_Float16> { static constexpr Kind kind = HALF; };
template <>
struct KindOf<__complex__ float> { static constexpr Kind kind = CFLOAT; };
template <>
struct KindOf<__complex__ double> { static constexpr Kind kind = CDOUBLE; };
#endif

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

// ---- operands: what a spectrum's functions take besides a workspace and a stream ----

enum OperandKind { ARRAY, SIZE, NUMBER };
// Of an array: data; how many elements stand from each of another array's positions on, or up to where; ascending
// positions in another, from 0 to all its elements; positions in another; no two the same.
enum Holds { DATA, QUEUE, COUNTER, RUN_LENGTHS, RUN_ENDS, OFFSETS, INDICES, PLACES };
enum Means { NO_SIZE, ELEMENTS, ROWS, COLUMNS, LEADING, COUNT };

// One of them, as manifest.json has it. Operands are named by their number; -1: none.
struct Operand {
  const char *name;
  OperandKind kind;
  int sizes[7];     // of an array: elements, or rows, columns and the distance between rows; of more dimensions, the
                    // elements of each and the distances in each but the last; none: one element
  bool by_columns;  // its columns are contiguous, not its rows
  bool read, written;
  Holds holds;
  int into;
  Means means;      // of a size
  int factors[2];   // it is the product of these ..
  int times, plus;  // .. times that, plus that; times 0: it is free
  int addend, more; // .. and plus `more' times this one
  int every = 0, low = 0, high = 0; // of positions: element e is for those from every * e + low to every * e + high
};
struct Operands {
  const Operand *at;
  int count;
};

// What is passed for one of them.
union Slot {
  const void *pointer;
  uint64_t size;
  alignas(MOST_BYTES) char number[MOST_BYTES];
};

// .. and what the C function has there: of an array the type of its elements.
struct Parameter {
  OperandKind kind;
  Type type;
};
template <typename T>
struct Passed {
  static constexpr Parameter parameter() { return {NUMBER, type_of<T>()}; }
  static T from(const Slot &s) {
    T value;
    memcpy(&value, s.number, sizeof value);
    return value;
  }
};
template <>
struct Passed<uint64_t> {
  static constexpr Parameter parameter() { return {SIZE, UINT64}; }
  static uint64_t from(const Slot &s) { return s.size; }
};
template <typename T>
struct Passed<T *> {
  static constexpr Parameter parameter() { return {ARRAY, type_of<std::remove_const_t<T>>()}; }
  static T *from(const Slot &s) { return (T *)s.pointer; }
};

// ---- functions ----

// What a variant returns: an error of CUDA's, and its last parameter is a stream; or one of errno.h, and there is none.
#ifdef TGC_NATIVE
typedef int Error;
enum { STREAMS = 0 };
#else
typedef cudaError_t Error;
enum { STREAMS = 1 };
#endif

// What its tunables are set to; 0: the variant's own. `whole': one of those compiled, whose other members the folder's
// text knows; NULL: they are 0.
struct Configuration {
  int threads, loads;
  int64_t blocks;
  const void *whole = nullptr;
};

// A function of a variant, for one element type.
struct Entry {
  const char *variant, *type;
  Promise promise;
  const Parameter *parameters;
  int count;
  Error (*run)(const Configuration &c, void *workspace, size_t *workspace_bytes, const Slot *operands);
  const void *configurations; // those compiled, the variant's own first; zeros end them; NULL: not known
  size_t each;                // bytes of one
};

// The i-th of those compiled; zeros where there are no more, or none is known.
inline Configuration compiled(const Entry &e, int i) {
  struct { int threads, loads; int64_t blocks; } usual; // with these a folder's struct begins
  if (!e.configurations) return {0, 0, 0};
  const char *at = (const char *)e.configurations + (size_t)i * e.each;
  memcpy(&usual, at, sizeof usual);
  return {usual.threads, usual.loads, usual.blocks, at};
}

// The sequential codelet for one element type. What it accumulates in a floating type is double, or complex double, in
// the arrays that it writes and the numbers that it takes, whatever the variants' are. Its bits are `own's, whose types
// are the variants'; NULL: they are not known.
struct Reference {
  const char *type;
  Type element, result;                               // of the first operand and of the last
  void (*run)(const void *in, uint64_t n, void *out); // of operands in, n, out; NULL: it has others
  void (*own)(const Slot *operands);
  void (*example)(unsigned random, void *to); // an element of the user's; NULL: there is no such function
  void (*call)(const Slot *operands);         // any operands
  const Parameter *parameters;
  int count;
  const Operands *operands;                   // NULL: in, n, out
  void (*bound)(const Slot *operands); // as `call', but how far a variant may be from that; NULL: it is not known
};

// The tables: one file of variants and one of references is linked with each harness.
extern const Entry entries[];
extern const int entry_count;
extern const Reference references[];
extern const int reference_count;
extern const char *const operation; // "add" .. "xor"; "user", "rounded": an operator of the user's; "" when unknown
extern const Layout *const states[]; // what variants of users' operators exchange, as far as it is structs; then NULL
// So many bytes of a workspace are zero before a call, and after it; INT_MAX: all are zero before the first call.
extern const size_t workspace_head;
// Does the sign of a zero count? Not where plans may sum, hence add +0, or a CPU selects (docs/reference/output.md).
extern const bool zeros_have_signs;
extern const bool numbers_alone; // no NaN and no infinity among the data: loops are combined by laws of numbers

// Sets a member that a configuration of the variants' may have; does it have that?
#define CHECK_MEMBER(name) \
  template <typename C> \
  auto set_##name(C *c, int64_t wanted, int) -> decltype((void)c->name, true) { \
    c->name = (decltype(c->name))wanted; \
    return true; \
  } \
  template <typename C> \
  bool set_##name(C *, int64_t, long) { return false; }
CHECK_MEMBER(blocks)
CHECK_MEMBER(threads)
CHECK_MEMBER(loads)
#undef CHECK_MEMBER

// A function behind one signature; its types come from the function itself, so nobody has to spell them.
template <typename F, F function>
struct Erased;
// The last of A may be a stream.
template <typename C, typename... A, Error (*function)(const C *, void *, size_t *, A...)>
struct Erased<Error (*)(const C *, void *, size_t *, A...), function> {
  static constexpr int count = (int)sizeof...(A) - STREAMS;
  template <size_t I>
  using Operand = Passed<std::tuple_element_t<I, std::tuple<A...>>>;
  template <typename I>
  struct Table;
  template <size_t... I>
  struct Table<std::index_sequence<I...>> {
    static constexpr Parameter parameters[] = {Operand<I>::parameter()...};
  };
  template <size_t... I>
  static Error call(const C *c, void *workspace, size_t *bytes, const Slot *operands, std::index_sequence<I...>) {
    if constexpr (STREAMS) return function(c, workspace, bytes, Operand<I>::from(operands[I])..., nullptr);
    else return function(c, workspace, bytes, Operand<I>::from(operands[I])...);
  }
  static Error run(const Configuration &wanted, void *workspace, size_t *bytes, const Slot *operands) {
    constexpr auto all = std::make_index_sequence<count>();
    if constexpr (std::is_void<C>::value) { // it has none
      return call(nullptr, workspace, bytes, operands, all);
    } else {
      C configuration = wanted.whole ? *(const C *)wanted.whole : C();
      const bool blocks = set_blocks(&configuration, wanted.blocks, 0),
                 threads = set_threads(&configuration, wanted.threads, 0),
                 loads = set_loads(&configuration, wanted.loads, 0);
      return call(blocks || threads || loads ? &configuration : nullptr, workspace, bytes, operands, all);
    }
  }
  static constexpr Entry entry(const char *variant, const char *type, Promise promise,
                               const void *configurations, size_t each) {
    return {variant, type, promise,        Table<std::make_index_sequence<count>>::parameters,
            count,   run,  configurations, each};
  }
};
template <typename F, F function>
struct Reduction { static constexpr void (*run)(const void *, uint64_t, void *) = nullptr; };
template <typename E, typename R, void (*function)(const E *, uint64_t, R *)>
struct Reduction<void (*)(const E *, uint64_t, R *), function> {
  static void run(const void *in, uint64_t n, void *out) { function((const E *)in, n, (R *)out); }
};
template <typename... A, void (*function)(A...)>
struct Erased<void (*)(A...), function> {
  static constexpr int count = (int)sizeof...(A);
  static constexpr Parameter parameters[] = {Passed<A>::parameter()...};
  template <size_t... I>
  static void call(const Slot *operands, std::index_sequence<I...>) {
    function(Passed<A>::from(operands[I])...);
  }
  static void run(const Slot *operands) { call(operands, std::make_index_sequence<count>()); }
  static constexpr Reference reference(const char *type, void (*own)(const Slot *),
                                       void (*example)(unsigned, void *), const Operands *operands) {
    return {type, parameters[0].type, parameters[count - 1].type, Reduction<void (*)(A...), function>::run, own,
            example, run, parameters, count, operands, nullptr};
  }
};
template <typename E, void (*function)(unsigned, E *)>
struct Erased<void (*)(unsigned, E *), function> {
  static void run(unsigned random, void *to) { function(random, (E *)to); }
};

constexpr Reference bounded(Reference r, void (*bound)(const Slot *)) {
  r.bound = bound;
  return r;
}

} // namespace check

#define CHECK_VARIANT(variant, type, promise, function) \
  check::Erased<decltype(&function), &function>::entry(variant, type, promise, nullptr, 0)
// .. that lists its configurations.
#define CHECK_CONFIGURED(variant, type, promise, function, configurations) \
  check::Erased<decltype(&function), &function>::entry(variant, type, promise, configurations, sizeof *configurations)
// Whose tables are of other operands than in, n, out says so ahead of its references.
#ifndef CHECK_OPERANDS
#define CHECK_OPERANDS nullptr
#endif
#define CHECK_REFERENCE(type, function, own, example) \
  check::Erased<decltype(&function), &function>::reference(type, own, example, CHECK_OPERANDS)
// .. that says how far from it a variant may be.
#define CHECK_BOUNDED(type, function, bound, own, example) \
  check::bounded(check::Erased<decltype(&function), &function>::reference(type, own, example, CHECK_OPERANDS), bound)
#define CHECK_OWN(function) &check::Erased<decltype(&function), &function>::run

#endif
