// arrays.h: operands of any sort, for the measuring processes: what a folder's functions take, its element types, their
// data.
//
// `tgc tune' writes a table of the first two (operands[], entries[]); arrays.cc makes what is measured on, in the
// host's memory; of a GPU arrays.cu takes it to the device. A function's parameters are those of the folder's
// sequential codelet, NAME_sequential_TYPE, so nobody has to spell them.
#ifndef MEASURE_ARRAYS_H
#define MEASURE_ARRAYS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "failure.h"

// ---- operands: what a spectrum's functions take besides a workspace, as manifest.json has them ----

enum Kind { ARRAY, SIZE, NUMBER };
// Of an array: data; a queue, in any order, and what counts its elements; lengths and ends of what begins at another's
// positions; ascending positions in another; positions in
// another.
enum Holds { DATA, QUEUE, COUNTER, RUN_LENGTHS, RUN_ENDS, OFFSETS, INDICES, PLACES };
enum Means { NO_SIZE, ELEMENTS, ROWS, COLUMNS, LEADING, COUNT };

// Operands are named by their number; -1: none.
struct Operand {
  const char *name;
  Kind kind;
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
  int every = 0, low = 0, high = 0; // of positions: an element e stands for every * e + low to every * e + high; 0: for e
};

// What is passed for one of them.
union Slot {
  void *pointer;
  uint64_t size;
  alignas(16) char number[16];
};

// ---- data ----

// How an array is filled: small whole numbers, whose sums are exact in any order, or what suits another operator.
// Every value follows from its place alone, so all threads fill at a time, each what it will read.
struct Fill {
  std::string operation; // "add" .. "xor"; "": not known
  Holds holds = DATA;
  uint64_t n = 0, most = 0, seed = 0; // most: positions are so many, or ascend to it
  uint64_t first = 0, apart = 1;      // .. from there on, each so far from the next one
  uint64_t count = 0;                 // elements of the whole problem
};

// Are results rounded even where operands are small whole numbers? A quotient is, or an exponential.
extern const bool rounds;

// Where they are, none may be off by more than 64 sqrt(n) units in the last place of the greatest.
template <typename T>
static bool is_close(const T *want, const T *got, const Fill &f) {
  double greatest = 0, most = 0;
  for (uint64_t i = 0; i < f.n; i++)
    if (std::isfinite((double)want[i])) greatest = std::max(greatest, std::fabs((double)want[i]));
  most = 64 * std::sqrt((double)std::max<uint64_t>(f.count, 1)) * (double)std::numeric_limits<T>::epsilon() * greatest;
  for (uint64_t i = 0; i < f.n; i++)
    if (want[i] != got[i] && !(std::fabs((double)want[i] - (double)got[i]) <= most) &&
        !(want[i] != want[i] && got[i] != got[i]))
      return false;
  return true;
}

// Have two queues, of so much room, the same elements, in any order? As many as the counter says.
bool same_queue(const char *x, const char *y, const char *counter, uint64_t counter_bytes, uint64_t room, uint64_t each);

static inline uint64_t scrambled(uint64_t i) {
  i += 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  i = (i ^ (i >> 27)) * 0x94D049BB133111EBull;
  return i ^ (i >> 31);
}

// A number as a T; structs that stand for numbers have one of their own (arrays_cuda.h).
template <typename T>
struct Made {
  template <typename V>
  static T of(V v) { return (T)v; }
};

// T may be a complex type of C's or a half, which are numbers to the compiler and to no trait.
template <typename T>
static inline T value_at(const Fill &f, uint64_t i) {
  const uint64_t h = scrambled(i + (f.seed << 48));
  constexpr bool whole = std::is_integral<T>::value, without_sign = std::is_unsigned<T>::value;
  if (f.holds == OFFSETS) return Made<T>::of(f.n > 1 ? f.most * i / (f.n - 1) : 0);
  if (f.holds == COUNTER) return Made<T>::of(0);
  if (f.holds == PLACES) return Made<T>::of(f.first + (f.most ? i * 2654435761u % f.most : 0) * f.apart); // a prime number
  if (f.holds == RUN_LENGTHS || f.holds == RUN_ENDS) { // `seed', `first' and `most' are those of the positions
    const uint64_t from = f.first + (f.most ? h % f.most : 0), left = f.first + f.most - from;
    const uint64_t length = std::min<uint64_t>(left, (h >> 32) % 64);
    return Made<T>::of(f.holds == RUN_ENDS ? from + length : length);
  }
  if (f.holds == INDICES) return Made<T>::of(f.first + (f.most ? h % f.most : 0));
  if constexpr (whole) {
    const bool rare = h % 65536 == 0; // with more of them nothing but the operator's last word would be left
    if (f.operation == "and") return rare ? (T)~(T)(1 + (h >> 60)) : (T)~(T)0;
    if (f.operation == "or") return rare ? (T)(1 + (h >> 60)) : (T)0;
    if (f.operation == "xor" || f.operation == "max" || f.operation == "min") return (T)h;
    if (f.operation == "mul" && without_sign) return (T)(h | 1);
  }
  if (f.operation == "max" || f.operation == "min") return Made<T>::of((float)(int)(1 + h % 2047));
  if (f.operation == "mul") return Made<T>::of((float)(h % 2 ? 1 : -1));
  if constexpr (without_sign) return (T)(f.n < 1 << 22 ? h % 4 : h % 64 == 0); // also in a float its sum is exact
  return Made<T>::of((float)(int)(h % 2 ? 1 + h / 2 % 2 : -1 - (int)(h / 2 % 2)));
}

// One element by its place, and whether results are right; own.h has those of structs.
template <typename T, typename = void>
struct Elements {
  static void fill_one(T *to, const Fill &f, uint64_t i) { *to = value_at<T>(f, i); }
  static bool right(const void *want, const void *got, const Fill &f) {
    if (std::memcmp(want, got, f.n * sizeof(T)) == 0) return true;
    if constexpr (std::is_floating_point<T>::value) return rounds && is_close((const T *)want, (const T *)got, f);
    return false;
  }
};

template <typename T>
static void fill(void *to, const Fill &f) {
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < f.n; i++) Elements<T>::fill_one((T *)to + i, f, i);
}
template <typename T>
static void two(char *to) {
  const T value = Made<T>::of(2);
  std::memcpy(to, &value, sizeof value);
}

// ---- functions behind one signature ----

struct Parameter {
  Kind kind;
  size_t bytes;                            // of an array's element, of a number
  void (*fill)(void *to, const Fill &how); // an array
  void (*number)(char *to);
  bool (*right)(const void *want, const void *got, const Fill &how); // an array that is written
};

template <typename T>
struct Passed {
  static constexpr Parameter parameter() { return {NUMBER, sizeof(T), nullptr, two<T>, nullptr}; }
  static T from(const Slot &s) {
    T value;
    std::memcpy(&value, s.number, sizeof value);
    return value;
  }
};
template <>
struct Passed<uint64_t> {
  static constexpr Parameter parameter() { return {SIZE, sizeof(uint64_t), nullptr, nullptr, nullptr}; }
  static uint64_t from(const Slot &s) { return s.size; }
};
template <typename T>
struct Passed<T *> {
  typedef std::remove_const_t<T> E;
  static constexpr Parameter parameter() { return {ARRAY, sizeof(E), fill<E>, nullptr, Elements<E>::right}; }
  static T *from(const Slot &s) { return (T *)s.pointer; }
};

struct Entry {
  const char *type;
  const Parameter *parameters;
  int count;
  int (*call)(void *function, const Configuration *c, void *workspace, size_t *workspace_bytes, const Slot *operands);
  int (*call_on_stream)(void *function, const Configuration *c, void *workspace, size_t *workspace_bytes,
                        const Slot *operands, void *stream);
  // So many calls of the folder's public function; the first error ends them.
  int (*call_library)(void *function, void *workspace, size_t *workspace_bytes, const Slot *operands, uint64_t calls);
  void (*sequential)(const Slot *operands);
};

template <typename F, F sequential>
struct Erased;
template <typename... A, void (*sequential)(A...)>
struct Erased<void (*)(A...), sequential> {
  static constexpr Parameter parameters[] = {Passed<A>::parameter()...};
  template <size_t... I>
  static void run(const Slot *s, std::index_sequence<I...>) { sequential(Passed<A>::from(s[I])...); }
  static void run(const Slot *s) { run(s, std::index_sequence_for<A...>()); }
  template <size_t... I>
  static int call(void *function, const Configuration *c, void *workspace, size_t *bytes, const Slot *s,
                  std::index_sequence<I...>) {
    typedef int (*Variant)(const Configuration *, void *, size_t *, A...);
    return ((Variant)function)(c, workspace, bytes, Passed<A>::from(s[I])...);
  }
  static int call(void *function, const Configuration *c, void *workspace, size_t *bytes, const Slot *s) {
    return call(function, c, workspace, bytes, s, std::index_sequence_for<A...>());
  }
  template <size_t... I>
  static int call_on_stream(void *function, const Configuration *c, void *workspace, size_t *bytes, const Slot *s,
                            void *stream, std::index_sequence<I...>) {
    typedef int (*Variant)(const Configuration *, void *, size_t *, A..., void *);
    return ((Variant)function)(c, workspace, bytes, Passed<A>::from(s[I])..., stream);
  }
  static int call_on_stream(void *function, const Configuration *c, void *workspace, size_t *bytes, const Slot *s,
                            void *stream) {
    return call_on_stream(function, c, workspace, bytes, s, stream, std::index_sequence_for<A...>());
  }
  template <size_t... I>
  static int call_library(void *function, void *workspace, size_t *bytes, const Slot *s, uint64_t calls,
                          std::index_sequence<I...>) {
    typedef int (*Function)(void *, size_t *, A...);
    int error = 0;
    for (uint64_t i = 0; i < calls && error == 0; i++)
      error = ((Function)function)(workspace, bytes, Passed<A>::from(s[I])...);
    return error;
  }
  static int call_library(void *function, void *workspace, size_t *bytes, const Slot *s, uint64_t calls) {
    return call_library(function, workspace, bytes, s, calls, std::index_sequence_for<A...>());
  }
  static constexpr Entry entry(const char *type) {
    return {type, parameters, (int)sizeof...(A), call, call_on_stream, call_library, run};
  }
};
#define MEASURE_TYPE(type, sequential) Erased<decltype(&sequential), &sequential>::entry(type)

// The tables of the folder.
extern const Operand operands[];
extern const int operand_count;
// Are sizes those of each row or segment? Then the operand that says how many there are and `less' more; -1: none. Or
// the container whose elements are made of so many each; -1: none.
struct Parts {
  bool any;
  int operand, less, results = -1; // tables that do not name it have none
};
extern const Parts parts;
extern const Entry entries[];
extern const int entry_count;
extern const char *const operation;

// ---- problems: operands of one size, and what is right ----

// Which conditions of a table's rows calls meet (compiler/table/conditions.h), as the tuner writes it: "aligned, not tall,
// not wide"; "": as they come. 1: it is met; -1: it is not.
struct Calls {
  int aligned = 0; // rows of what is only read begin at multiples of 16 bytes
  int skew = 0;    // 1: results are tall, -1: wide
  std::string text;
  Calls() {}
  explicit Calls(const std::string &said) : text(said) {
    aligned = word("aligned");
    skew = word("tall") > 0 ? 1 : word("wide") > 0 ? -1 : 0;
  }

private:
  int word(const char *name) const {
    const size_t at = text.find(name), lead = sizeof "not " - 1;
    if (at == std::string::npos) return 0;
    return at >= lead && text.compare(at - lead, lead, "not ") == 0 ? -1 : 1;
  }
};

class Problem {
public:
  // Of n elements; where every row or segment has a result, of so many rows of n elements each that there are about
  // `all' in them. Throws a Failure where the memory does not suffice.
  Problem(const Entry &entry, uint64_t n, uint64_t all, const std::string &calls = "");
  const Slot *slots() const { return slots_.data(); }
  const Entry &entry() const { return entry_; }
  bool is(const Entry &entry, uint64_t n, uint64_t all, const std::string &calls) const {
    return &entry == &entry_ && n == n_ && all == all_ && calls == calls_.text;
  }
  uint64_t bytes_of(int array) const { return arrays_[array].fill.n * entry_.parameters[array].bytes; }
  // What is written as it is before a call; all of it, where somebody wrote what is not his.
  void reset(bool inputs_too = false);
  // What differs from the sequential codelet's results, or "".
  std::string difference() const;

private:
  struct Release { void operator()(char *p) const; };
  typedef std::unique_ptr<char, Release> Bytes;
  struct Array {
    Bytes bytes, want; // want: of what is written
    Fill fill;
  };
  void choose_sizes();
  void choose_windows(uint64_t count);
  void choose_sides(uint64_t side);
  void choose_distances();
  uint64_t apart(int array, uint64_t line) const;
  uint64_t extent(int array) const;
  uint64_t stored(int array) const;
  bool same_appended(int queue) const;
  Bytes allocate(uint64_t bytes) const;

  const Entry &entry_;
  const uint64_t n_, all_;
  const Calls calls_;
  std::vector<Slot> slots_;
  std::vector<Array> arrays_;
};

#endif
