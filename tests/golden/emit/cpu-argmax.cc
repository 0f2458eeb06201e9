// reduce, variant dea8e9b0: process>thread.strided(lane.strided(ilp.serial; lane.serial); thread.tree+shuffle)
// Made by tgc from reduce.cdl for avx2; this text is yours.
//
// shuffle, 1 kernel, determinism sequential: the operator gives the same bits in any order
// batch-invariant: the operator gives the same bits in any order
//
//   process: one thread acts for all (P1)
//     thread: regroups by `strided', over its lanes (T4)
//       each part: lane: regroups by `strided', over its register slots (L4)
//         each part: ilp: computes by `serial' (I2)
//         results: lane: computes by `serial' (L2)
//       results: thread: computes by `tree', exchanging registers (T5)
//
// codelets
//   strided      reduce.cdl:174
//   serial       reduce.cdl:152
//   tree         reduce.cdl:185
#ifndef TYPE

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#else
#define omp_get_num_procs() 1
#define omp_get_max_threads() 1
#endif
#include <limits>
#define restrict __restrict__ // C's word

// Loops that copy stay loops: what GCC copies by itself goes by halves of a vector, and whoever reads the whole
// waits for them. Nobody asks for errno after a root.
#if defined __GNUC__ && !defined __clang__
#pragma GCC optimize("no-tree-loop-distribute-patterns", "no-math-errno")
#endif

// The configurations that are compiled, C(threads, loads); the first is the variant's own.
//   threads: lanes per vector, 8
//   loads: vectors in flight, 1 to 16
#ifndef REDUCE_ARG_MAX_DEA8E9B0_CONFIGURATIONS
#define REDUCE_ARG_MAX_DEA8E9B0_CONFIGURATIONS(C) C(8, 2)
#endif

#ifndef REDUCE_ARG_MAX_CONFIGURATION
#define REDUCE_ARG_MAX_CONFIGURATION
/* What a variant's tunables are set to; a member that is 0: the variant's own. */
typedef struct reduce_arg_max_configuration {
  int threads, loads;
  int64_t blocks;
} reduce_arg_max_configuration;
#endif
#ifndef REDUCE_ARG_MAX_STRUCTS
#define REDUCE_ARG_MAX_STRUCTS
typedef struct reduce_arg_max_State_float {
  float value;
  long long place;
} reduce_arg_max_State_float;
#endif

namespace reduce_arg_max_dea8e9b0 {

typedef long long Index; // sizes and positions
enum { threads = 8 }; // lanes per vector

// The lowest and highest value of a type: infinities where it has them.
template <typename T> constexpr T lowest_value = std::numeric_limits<T>::has_infinity
                                                  ? -std::numeric_limits<T>::infinity()
                                                  : std::numeric_limits<T>::lowest();
template <typename T> constexpr T highest_value = std::numeric_limits<T>::has_infinity
                                                     ? std::numeric_limits<T>::infinity()
                                                     : std::numeric_limits<T>::max();
template <typename T> constexpr T lowest() { return lowest_value<T>; }
template <typename T> constexpr T highest() { return highest_value<T>; }

// The operator, as reduce.cdl has it.
template <typename T>
struct ArgMax {
  struct State {
    T value;
    long long place;
  };
  static State id() { return {lowest<T>(), -1}; }
  static State op(State a, State b) {
    bool first = b.place < 0 || (a.place >= 0 && a.place < b.place);
    return a.value > b.value || (a.value == b.value && first) ? a : b;
  }
  static State lift(T x, long long place) { return x == x ? State{x, place} : id(); }
};

// Each lane takes another one's element: whose, say the lists of the first half of the lanes, and of the second.
#define LIST(...) __VA_ARGS__
#define EXCHANGE_ANY(to, from, low, high) do { \
    static const unsigned char whose[threads] = {LIST low, LIST high}; \
    for (int lane = 0; lane < threads; ++lane) (to)[lane] = (from)[whose[lane]]; \
  } while (0)
#if defined __clang__ || (defined __GNUC__ && __GNUC__ >= 12)
#define EXCHANGE_4(to, from, low, high) do { \
    typedef __typeof__(*(to)) Element; \
    typedef Element Vector __attribute__((vector_size(threads * sizeof(Element)))); \
    Vector lanes_moved; \
    memcpy(&lanes_moved, from, sizeof lanes_moved); \
    lanes_moved = __builtin_shufflevector(lanes_moved, lanes_moved, LIST low, LIST high); \
    memcpy(to, &lanes_moved, sizeof lanes_moved); \
  } while (0)
#define EXCHANGE_8(to, from, low, high) do { \
    typedef __typeof__(*(to)) Element; \
    typedef Element Vector __attribute__((vector_size(threads / 2 * sizeof(Element)))); \
    Vector lanes_moved[2], lanes_given[2]; \
    memcpy(lanes_given, from, sizeof lanes_given); \
    lanes_moved[0] = __builtin_shufflevector(lanes_given[0], lanes_given[1], LIST low); \
    lanes_moved[1] = __builtin_shufflevector(lanes_given[0], lanes_given[1], LIST high); \
    memcpy(to, lanes_moved, sizeof lanes_moved); \
  } while (0)
#else
#define EXCHANGE_4 EXCHANGE_ANY
#define EXCHANGE_8 EXCHANGE_ANY
#endif

// A function that is compiled for each of its calls: their flag, true or false, decides what there is of it.
#ifdef __GNUC__
#define FOR_EACH_CALL inline __attribute__((always_inline))
#else
#define FOR_EACH_CALL inline
#endif

// What follows is included for each type, and for each number of vectors in flight that a configuration has:
// OF(name) is a function's name there.
#define JOIN_(x, y) x##_##y
#define JOIN(x, y) JOIN_(x, y)
#define JOIN3(x, y, z) JOIN(JOIN(x, y), z)
#define OF(name) JOIN3(name, TYPE, loads)
#define HAS_1(THREADS, LOADS) || LOADS == 1
#define HAS_2(THREADS, LOADS) || LOADS == 2
#define HAS_4(THREADS, LOADS) || LOADS == 4
#define HAS_8(THREADS, LOADS) || LOADS == 8
#define HAS_16(THREADS, LOADS) || LOADS == 16

#define TYPE float
#define M ArgMax<float>
#define E float
#define T ArgMax<float>::State
#define EXCHANGE EXCHANGE_ANY
#include "dea8e9b0.cc"
#undef TYPE
#undef M
#undef E
#undef T
#undef EXCHANGE

extern "C" int reduce_arg_max_dea8e9b0_float(const reduce_arg_max_configuration *c, void *workspace, size_t *workspace_bytes, const float *in, uint64_t n, reduce_arg_max_State_float *out) {
  return configured_float(c, workspace, workspace_bytes, in, (Index)n, (ArgMax<float>::State *)out);
}

#define ROW(THREADS, LOADS) {THREADS, LOADS, 0},
// Those that were compiled; zeros end them.
extern "C" const reduce_arg_max_configuration reduce_arg_max_dea8e9b0_configurations[];
const reduce_arg_max_configuration reduce_arg_max_dea8e9b0_configurations[] = {REDUCE_ARG_MAX_DEA8E9B0_CONFIGURATIONS(ROW) {0, 0, 0}};
#undef ROW

} // namespace reduce_arg_max_dea8e9b0

#elif !defined loads // one type

#if 0 REDUCE_ARG_MAX_DEA8E9B0_CONFIGURATIONS(HAS_1)
#define loads 1
#include "dea8e9b0.cc"
#undef loads
#endif
#if 0 REDUCE_ARG_MAX_DEA8E9B0_CONFIGURATIONS(HAS_2)
#define loads 2
#include "dea8e9b0.cc"
#undef loads
#endif
#if 0 REDUCE_ARG_MAX_DEA8E9B0_CONFIGURATIONS(HAS_4)
#define loads 4
#include "dea8e9b0.cc"
#undef loads
#endif
#if 0 REDUCE_ARG_MAX_DEA8E9B0_CONFIGURATIONS(HAS_8)
#define loads 8
#include "dea8e9b0.cc"
#undef loads
#endif
#if 0 REDUCE_ARG_MAX_DEA8E9B0_CONFIGURATIONS(HAS_16)
#define loads 16
#include "dea8e9b0.cc"
#undef loads
#endif

// The same in the configuration c; NULL: the variant's own.
static int JOIN(configured, TYPE)(const reduce_arg_max_configuration *c, void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out) {
  const reduce_arg_max_configuration own = {0, 0, 0};
  if (c == NULL) c = &own;
  if (c->threads && c->threads != threads) return ENOTSUP;
#define RUN(THREADS, LOADS) if (c->loads == 0 || c->loads == LOADS) return JOIN3(run, TYPE, LOADS)(workspace, workspace_bytes, in, n, out);
  REDUCE_ARG_MAX_DEA8E9B0_CONFIGURATIONS(RUN)
#undef RUN
  return ENOTSUP;
}

#else // one type, so many vectors in flight

// One thread works for the whole process.
static FOR_EACH_CALL void OF(reduce_arg_max_one_thread)(bool whole, Index n, const E *restrict in, T *restrict out) {
  // thread > lane: strided (reduce.cdl:174), one part per lane
  // lane > ilp: strided (reduce.cdl:174), each with its register slots; serial (reduce.cdl:152)
  T accum[loads * 8];
  for (int s = 0; s < loads; ++s) {
    #pragma omp simd
    for (int lane = 0; lane < 8; ++lane)
      accum[s * 8 + lane] = M::id();
  }
  Index i = 0;
  for (; i + 8 * loads <= n; i += 8 * loads) {
    for (int s = 0; s < loads; ++s) {
      for (int lane = 0; lane < 8; ++lane)
        accum[s * 8 + lane] = M::op(accum[s * 8 + lane], M::lift(in[i + s * 8 + lane], i + s * 8 + lane));
    }
  }
  if (!whole) {
    for (; i + 8 <= n; i += 8) {
      for (int lane = 0; lane < 8; ++lane)
        accum[lane] = M::op(accum[lane], M::lift(in[i + lane], i + lane));
    }
    if (i < n) {
      for (int lane = 0; lane < 8; ++lane) {
        if (i + lane < n)
          accum[lane] = M::op(accum[lane], M::lift(in[i + lane], i + lane));
      }
    }
  }
  // lane: serial (reduce.cdl:152)
  T accum2[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    accum2[lane] = M::id();
  for (Index i2 = 0; i2 < loads; ++i2) {
    for (int lane = 0; lane < 8; ++lane)
      accum2[lane] = M::op(accum2[lane], accum[i2 * 8 + lane]);
  }
  // thread: tree (reduce.cdl:185), exchanging registers
  T val[8];
  #pragma omp simd
  for (int lane = 0; lane < 8; ++lane)
    val[lane] = accum2[lane];
  {
    T other[8];
    EXCHANGE(other, val, (4, 5, 6, 7), (4, 5, 6, 7));
    for (int lane = 0; lane < 8; ++lane)
      val[lane] = M::op(val[lane], other[lane]);
  }
  {
    T other[8];
    EXCHANGE(other, val, (2, 3, 4, 5), (6, 7, 6, 7));
    for (int lane = 0; lane < 8; ++lane)
      val[lane] = M::op(val[lane], other[lane]);
  }
  {
    T other[8];
    EXCHANGE(other, val, (1, 2, 3, 4), (5, 6, 7, 7));
    for (int lane = 0; lane < 8; ++lane)
      val[lane] = M::op(val[lane], other[lane]);
  }
  out[0] = val[0];
}

// With no workspace: says how many bytes one needs. With one: does the work.
static int OF(run)(void *workspace, size_t *workspace_bytes, const E *in, Index n, T *out) {
  static_assert(threads >= 8 && threads <= 8 && threads % 8 == 0, "threads: lanes per vector, 8");
  static_assert(loads >= 1 && loads <= 16, "loads: vectors in flight, 1 to 16");
  if (n < 0 || n > PTRDIFF_MAX / 2 || workspace_bytes == NULL) return EINVAL;
  const size_t need = 1; // none, but never zero
  if (workspace == NULL) {
    *workspace_bytes = need;
    return 0;
  }
  if (*workspace_bytes < need) return EINVAL;
  {
    const bool whole = n >= (threads * loads) && (n % (threads * loads) == 0);
    whole ? OF(reduce_arg_max_one_thread)(true, n, in, out) : OF(reduce_arg_max_one_thread)(false, n, in, out);
  }
  return 0;
}

#endif
