// cpu.h: what the parts of the measuring process for CPUs share: a folder's operands, its element types, their data.
//
// `tgc tune' writes a table of both (operands[], entries[]); cpu.cc measures, cpu_data.cc makes what is measured on,
// cpu_machine.cc says where. `tgc bench' (bench/cpu) takes the last two as well. A function's parameters are those of
// the folder's sequential codelet, NAME_sequential_TYPE, so nobody has to spell them.
#ifndef MEASURE_CPU_H
#define MEASURE_CPU_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

struct Failure { std::string kind, text; };

// ---- the machine ----

struct Machine {
  std::string name, compiler;       // "gcc 12.2"
  std::string caches, governor;     // "L1 48K, L2 1024K, L3 32768K"; "" where they cannot be read
  int processors, threads, nodes;   // that the process may use; that OpenMP takes; memories
  uint64_t last_cache, memory;      // bytes
  double meeting, waking;           // microseconds: all threads, to begin and end together; where they have slept
};
Machine this_machine();

// ---- time ----

double now_us();

// How a call is timed, by `tgc tune' as by `tgc bench': one after the other on the same data, by threads that are awake.
// What went before has left the threads asleep and the caches with other data, so calls go ahead that do not count.
template <typename Call>
static double time_of(Call &&call, uint64_t calls) {
  const double begin = now_us();
  for (uint64_t i = 0; i < calls; i++) call();
  return (now_us() - begin) / (double)calls;
}

template <typename Call>
static void warm_up(Call &&call) {
  const double wake_us = 200, begin = now_us();
  do call();
  while (now_us() - begin < wake_us);
}

// As many calls as take about that long, and no fewer than one.
template <typename Call>
static uint64_t calls_for(Call &&call, double us) {
  warm_up(call);
  for (uint64_t calls = 1;; calls *= 4) {
    const double each = time_of(call, calls);
    if (each * (double)calls >= us / 8 || calls >= 1 << 22) return std::max<uint64_t>(1, us / std::max(each, 1e-3));
  }
}

struct Configuration {
  int threads, loads;
  int64_t blocks;
};

// ---- operands: what a spectrum's functions take besides a workspace, as manifest.json has them ----

enum Kind { ARRAY, SIZE, NUMBER };
// Of an array: data; ascending positions in another; positions in another.
enum Holds { DATA, OFFSETS, INDICES };
enum Means { NO_SIZE, ELEMENTS, ROWS, COLUMNS, LEADING, COUNT };

// Operands are named by their number; -1: none.
struct Operand {
  const char *name;
  Kind kind;
  int sizes[3];     // of an array: elements, or rows, columns and the distance between rows; none: one element
  bool by_columns;  // its columns are contiguous, not its rows
  bool read, written;
  Holds holds;
  int into;
  Means means;      // of a size
  int factors[2];   // it is the product of these ..
  int plus;         // .. plus that; no factors: it is free
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
  uint64_t n = 0, most = 0, seed = 0; // most: positions are below it, or ascend to it
};

static inline uint64_t scrambled(uint64_t i) {
  i += 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  i = (i ^ (i >> 27)) * 0x94D049BB133111EBull;
  return i ^ (i >> 31);
}

// T may be a complex type of C's or a half, which are numbers to the compiler and to no trait.
template <typename T>
static inline T value_at(const Fill &f, uint64_t i) {
  const uint64_t h = scrambled(i + (f.seed << 48));
  constexpr bool whole = std::is_integral<T>::value, without_sign = std::is_unsigned<T>::value;
  if (f.holds == OFFSETS) return (T)(f.n > 1 ? f.most * i / (f.n - 1) : 0);
  if (f.holds == INDICES) return (T)(f.most ? h % f.most : 0);
  if constexpr (whole) {
    const bool rare = h % 65536 == 0; // with more of them nothing but the operator's last word would be left
    if (f.operation == "and") return rare ? (T)~(T)(1 + (h >> 60)) : (T)~(T)0;
    if (f.operation == "or") return rare ? (T)(1 + (h >> 60)) : (T)0;
    if (f.operation == "xor" || f.operation == "max" || f.operation == "min") return (T)h;
    if (f.operation == "mul" && without_sign) return (T)(h | 1);
  }
  if (f.operation == "max" || f.operation == "min") return (T)(float)(int)(1 + h % 2047);
  if (f.operation == "mul") return (T)(float)(h % 2 ? 1 : -1);
  if constexpr (without_sign) return (T)(f.n < 1 << 22 ? h % 4 : h % 64 == 0); // also in a float its sum is exact
  return (T)(float)(int)(h % 2 ? 1 + h / 2 % 2 : -1 - (int)(h / 2 % 2));
}

template <typename T>
static void fill(void *to, const Fill &f) {
#pragma omp parallel for schedule(static)
  for (uint64_t i = 0; i < f.n; i++) ((T *)to)[i] = value_at<T>(f, i);
}
template <typename T>
static void two(char *to) {
  const T value = (T)2;
  std::memcpy(to, &value, sizeof value);
}

// ---- functions behind one signature ----

struct Parameter {
  Kind kind;
  size_t bytes;                            // of an array's element, of a number
  void (*fill)(void *to, const Fill &how); // an array
  void (*number)(char *to);
};

template <typename T>
struct Passed {
  static constexpr Parameter parameter() { return {NUMBER, sizeof(T), nullptr, two<T>}; }
  static T from(const Slot &s) {
    T value;
    std::memcpy(&value, s.number, sizeof value);
    return value;
  }
};
template <>
struct Passed<uint64_t> {
  static constexpr Parameter parameter() { return {SIZE, sizeof(uint64_t), nullptr, nullptr}; }
  static uint64_t from(const Slot &s) { return s.size; }
};
template <typename T>
struct Passed<T *> {
  typedef std::remove_const_t<T> E;
  static constexpr Parameter parameter() { return {ARRAY, sizeof(E), fill<E>, nullptr}; }
  static T *from(const Slot &s) { return (T *)s.pointer; }
};

struct Entry {
  const char *type;
  const Parameter *parameters;
  int count;
  int (*call)(void *function, const Configuration *c, void *workspace, size_t *workspace_bytes, const Slot *operands);
  int (*call_library)(void *function, void *workspace, size_t *workspace_bytes, const Slot *operands);
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
  static int call_library(void *function, void *workspace, size_t *bytes, const Slot *s, std::index_sequence<I...>) {
    typedef int (*Function)(void *, size_t *, A...);
    return ((Function)function)(workspace, bytes, Passed<A>::from(s[I])...);
  }
  static int call_library(void *function, void *workspace, size_t *bytes, const Slot *s) {
    return call_library(function, workspace, bytes, s, std::index_sequence_for<A...>());
  }
  static constexpr Entry entry(const char *type) {
    return {type, parameters, (int)sizeof...(A), call, call_library, run};
  }
};
#define MEASURE_TYPE(type, sequential) Erased<decltype(&sequential), &sequential>::entry(type)

// The tables of the folder.
extern const Operand operands[];
extern const int operand_count;
// Are sizes those of each row or segment? Then the operand that says how many there are and `less' more; -1: none.
struct Parts {
  bool any;
  int operand, less;
};
extern const Parts parts;
extern const Entry entries[];
extern const int entry_count;
extern const char *const operation;

// ---- problems: operands of one size, and what is right ----

class Problem {
public:
  // Of n elements; where every row or segment has a result, of so many rows of n elements each that there are about
  // `all' in them. Throws a Failure where the memory does not suffice.
  Problem(const Entry &entry, uint64_t n, uint64_t all);
  const Slot *slots() const { return slots_.data(); }
  const Entry &entry() const { return entry_; }
  bool is(const Entry &entry, uint64_t n, uint64_t all) const { return &entry == &entry_ && n == n_ && all == all_; }
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
  uint64_t extent(int array) const;
  Bytes allocate(uint64_t bytes) const;

  const Entry &entry_;
  const uint64_t n_, all_;
  std::vector<Slot> slots_;
  std::vector<Array> arrays_;
};

#endif
