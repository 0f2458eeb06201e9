// numbers.cu: random numbers under add, max and min: made on the device, with a reference of the host's.
//
// Sums of floating elements are compared in double, within what the order of additions may change, each part of a
// complex one by itself; all else exactly.
#include "measure.h"

#include <cuComplex.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <thread>
#include <vector>

static __host__ __device__ inline uint64_t scrambled(uint64_t i) {
  i += 0x9E3779B97F4A7C15ull;
  i = (i ^ (i >> 30)) * 0xBF58476D1CE4E5B9ull;
  i = (i ^ (i >> 27)) * 0x94D049BB133111EBull;
  return i ^ (i >> 31);
}

// Integers take all values; floating ones lie in [0.5, 1.5), so that a sum's condition is 1 and a missing element
// shows.
template <typename E>
static __host__ __device__ inline E value_at(uint64_t i) { return (E)scrambled(i); }
template <>
__host__ __device__ inline float value_at<float>(uint64_t i) { return 0.5f + (float)(scrambled(i) >> 40) * 0x1p-24f; }
template <>
__host__ __device__ inline double value_at<double>(uint64_t i) { return 0.5 + (double)(scrambled(i) >> 12) * 0x1p-52; }
template <>
__host__ __device__ inline __half value_at<__half>(uint64_t i) {
  return __float2half(0.5f + (float)(scrambled(i) >> 54) * 0x1p-10f);
}

template <>
__host__ __device__ inline __nv_bfloat16 value_at<__nv_bfloat16>(uint64_t i) {
  return __float2bfloat16(0.5f + (float)(scrambled(i) >> 57) * 0x1p-7f);
}
template <>
__host__ __device__ inline cuFloatComplex value_at<cuFloatComplex>(uint64_t i) {
  return make_cuFloatComplex(value_at<float>(2 * i), value_at<float>(2 * i + 1));
}
template <>
__host__ __device__ inline cuDoubleComplex value_at<cuDoubleComplex>(uint64_t i) {
  return make_cuDoubleComplex(value_at<double>(2 * i), value_at<double>(2 * i + 1));
}

template <typename E>
__global__ void fill(E *to, uint64_t n) {
  for (uint64_t i = blockIdx.x * (uint64_t)blockDim.x + threadIdx.x; i < n; i += (uint64_t)gridDim.x * blockDim.x)
    to[i] = value_at<E>(i);
}

// E: an element; R: a result; A: what the reference accumulates in.
template <typename E, typename R, typename A>
struct Type {
  static void make(void *to, uint64_t n) { fill<<<1024, 256>>>((E *)to, n); }

  static A combine(const std::string &op, A x, A y) {
    return op == "max" ? (A)std::max((R)x, (R)y) : op == "min" ? (A)std::min((R)x, (R)y) : x + y;
  }

  static A part(const std::string &op, uint64_t from, uint64_t to) {
    A all = (A)(double)0;
    if (op != "add" && from < to) all = (A)(R)value_at<E>(from);
    for (uint64_t i = from; i < to; i++) all = combine(op, all, (A)(R)value_at<E>(i));
    return all;
  }

  static A reference(const std::string &op, uint64_t n) {
    static std::map<std::pair<std::string, uint64_t>, A> known;
    const auto key = std::make_pair(op, n);
    const auto found = known.find(key);
    if (found != known.end()) return found->second;
    const uint64_t least = 1 << 16, most = std::max(1u, std::thread::hardware_concurrency());
    const uint64_t parts = std::max<uint64_t>(1, std::min(most, n / least));
    std::vector<A> results(parts);
    std::vector<std::thread> threads;
    for (uint64_t p = 0; p < parts; p++)
      threads.emplace_back([&, p] { results[p] = part(op, n * p / parts, n * (p + 1) / parts); });
    for (std::thread &t : threads) t.join();
    A all = results[0];
    for (uint64_t p = 1; p < parts; p++) all = combine(op, all, results[p]);
    return known[key] = all;
  }

  // What differs, or "".
  static std::string compare(const std::string &op, uint64_t n, const void *got) {
    const A want = reference(op, n);
    R r;
    std::memcpy(&r, got, sizeof r);
    const double chain = 16 + 2 * std::log2((double)n + 1) + (double)n / 32768;
    const double eps = sizeof(R) == 8 ? 0x1p-53 : 0x1p-24;
    const bool floating = std::is_floating_point<R>::value;
    const bool cancels = std::is_integral<E>::value; // numbers of both signs
    const double size = cancels ? (double)n * (double)std::numeric_limits<E>::max() : std::fabs((double)want);
    const bool same = floating && op == "add"
                          ? std::fabs((double)r - (double)want) <= eps * chain * size
                          : (A)r == want;
    if (same) return "";
    char text[160];
    std::snprintf(text, sizeof text, "n = %llu: got %.17g, want %.17g", (unsigned long long)n, (double)r, (double)want);
    return text;
  }
};

// Complex numbers: sums only, a part at a time.
template <typename C, typename P, typename ResultPart, typename A>
struct ComplexType {
  static void make(void *to, uint64_t n) { fill<<<1024, 256>>>((C *)to, n); }

  static std::string compare(const std::string &op, uint64_t n, const void *got) {
    if (op != "add") return "complex numbers have no order";
    static std::map<uint64_t, std::pair<A, A>> known;
    if (!known.count(n)) {
      A x = 0, y = 0;
      for (uint64_t i = 0; i < n; i++) {
        x += (A)value_at<P>(2 * i);
        y += (A)value_at<P>(2 * i + 1);
      }
      known[n] = {x, y};
    }
    ResultPart parts[2];
    std::memcpy(parts, got, sizeof parts);
    const double chain = 16 + 2 * std::log2((double)n + 1) + (double)n / 32768;
    const double eps = sizeof(ResultPart) == 8 ? 0x1p-53 : 0x1p-24;
    for (int p = 0; p < 2; p++) {
      const double want = (double)(p ? known[n].second : known[n].first);
      if (std::fabs((double)parts[p] - want) <= eps * chain * std::fabs(want)) continue;
      char text[160];
      std::snprintf(text, sizeof text, "n = %llu, part %d: got %.17g, want %.17g", (unsigned long long)n, p,
                    (double)parts[p], want);
      return text;
    }
    return "";
  }
};

template <typename E, typename R, typename A>
static AnyType any(const char *name) {
  return {name, sizeof(E), sizeof(R), Type<E, R, A>::make, Type<E, R, A>::compare};
}

template <typename C, typename P, typename ResultPart, typename A>
static AnyType complex(const char *name) {
  typedef ComplexType<C, P, ResultPart, A> Type;
  return {name, sizeof(C), 2 * sizeof(ResultPart), Type::make, Type::compare};
}

// A small integer in what it is accumulated in: its own, and two of those that E:A names.
#define LIFTED(E, name, own, A)                                                          \
  any<E, own, A>(name), any<E, long long, uint64_t>(name "_int64"), any<E, double, long double>(name "_double")

static const AnyType types[] = {
    any<int, int, uint32_t>("int"),        any<unsigned, unsigned, uint32_t>("uint"),
    any<long long, long long, uint64_t>("int64"), any<unsigned long long, unsigned long long, uint64_t>("uint64"),
    any<float, float, double>("float"),    any<double, double, long double>("double"),
    any<__half, float, double>("half"),    any<__nv_bfloat16, float, double>("bfloat16"),
    LIFTED(signed char, "int8", int, uint32_t),
    LIFTED(unsigned char, "uint8", unsigned, uint32_t),
    LIFTED(short, "int16", int, uint32_t),
    LIFTED(unsigned short, "uint16", unsigned, uint32_t),
    any<signed char, float, double>("int8_float"),     any<short, float, double>("int16_float"),
    any<unsigned char, float, double>("uint8_float"),  any<unsigned short, float, double>("uint16_float"),
    any<unsigned char, int, uint32_t>("uint8_int"),    any<unsigned short, int, uint32_t>("uint16_int"),
    any<unsigned char, unsigned long long, uint64_t>("uint8_uint64"),
    any<unsigned short, unsigned long long, uint64_t>("uint16_uint64"),
    any<int, long long, uint64_t>("int_int64"),        any<int, double, long double>("int_double"),
    any<unsigned, unsigned long long, uint64_t>("uint_uint64"),
    any<unsigned, long long, uint64_t>("uint_int64"),  any<unsigned, double, long double>("uint_double"),
    any<__half, double, long double>("half_double"),        any<__nv_bfloat16, double, long double>("bfloat16_double"),
    any<float, double, long double>("float_double"),
    complex<cuFloatComplex, float, float, double>("cfloat"),
    complex<cuFloatComplex, float, double, double>("cfloat_cdouble"),
    complex<cuDoubleComplex, double, double, long double>("cdouble"),
};

const AnyType *find_type(const std::string &name, const std::string &op) {
  if (op != "add" && op != "max" && op != "min") throw Failure{"launch", "no operator " + op};
  for (const AnyType &each : types)
    if (name == each.name) return &each;
  return nullptr;
}
