// data.cc: data and expected results.
#include "data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <algorithm>
#include <limits>

namespace check {

size_t bytes_of(const Type &t) {
  static const size_t bytes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8, 8, 16}; // in Kind's order
  return t.layout ? t.layout->bytes : bytes[t.kind];
}

static bool operation_is(const char *name) { return strcmp(operation, name) == 0; }
static bool selects() { return operation_is("max") || operation_is("min"); }
static bool users() { return operation_is("user") || operation_is("rounded"); }
static bool bitwise() { return operation_is("and") || operation_is("or") || operation_is("xor"); }

bool takes_specials() { return !operation_is("rounded") && !numbers_alone; }

struct Random {
  uint64_t state;
  uint64_t next() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545F4914F6CDD1Dull;
  }
  int64_t between(int64_t low, int64_t high) { return low + (int64_t)(next() % (uint64_t)(high - low + 1)); }
  double real() { return (double)(next() >> 11) * 0x1p-53; }
};

// Selections: one element beats all others, at a place that the seed draws, ends included; all lie on the side of zero
// where a start from 0 shows. Sums: |x| <= 8, so that a million of them are exact in a float. Products: 1 and -1.
static double exact_value(Random &r, bool is_signed, bool is_byte, uint64_t i, uint64_t best) {
  if (is_byte && operation_is("max")) return is_signed ? (double)r.between(-100, -50) + (i == best ? 40 : 0)
                                                       : (double)r.between(0, 100) + (i == best ? 120 : 0);
  if (is_byte && operation_is("min")) return (double)r.between(50, 100) - (i == best ? 40 : 0);
  if (operation_is("max")) return is_signed ? (double)r.between(-1000000, -1000) + (i == best ? 1000000 : 0)
                                            : (double)r.between(0, 1000) + (i == best ? 5000 : 0);
  if (operation_is("min")) return (double)r.between(1000, 1000000) - (i == best ? 999 : 0);
  if (operation_is("mul")) return is_signed ? (r.next() & 1 ? 1 : -1) : 1;
  return (double)(is_signed ? r.between(-8, 8) : r.between(0, 8));
}

// What special data are, another with each seed and size. The rest are exact. INFINITE has infinities of one sign, so
// that a sum is one, too; of LOST all is NaN, or the infinity that a selection begins with, or each one of the two.
enum Special { ZEROS, NEGATIVE_ZEROS, ONE_NAN, INFINITE, MIXED, LOST, SPECIALS };

static Special special_of(uint64_t n, uint64_t seed) { return (Special)((n + seed) % SPECIALS); }

static double lost_value(uint64_t n, uint64_t kind) {
  if (n / SPECIALS % 3 == 0 || (n / SPECIALS % 3 == 1 && kind % 2)) return NAN;
  return operation_is("max") ? -INFINITY : INFINITY;
}

// Selections: the zeros are what is selected, and which of them is.
static double special_value(Random &r, Special what, uint64_t n, bool is_best, double exact) {
  const uint64_t kind = r.next() >> 32;
  switch (what) {
    case ZEROS: return kind % 4 ? -0.0 : 0.0;
    case NEGATIVE_ZEROS: return -0.0;
    case ONE_NAN: return is_best ? NAN : exact;
    case INFINITE: return is_best || kind % 64 == 0 ? (n % 4 < 2 ? INFINITY : -INFINITY) : exact;
    case LOST: return lost_value(n, kind);
    default: break;
  }
  if (kind % 16 == 0) return NAN;
  if (kind % 4 == 0) return kind % 64 == 4 ? 0.0 : -0.0;
  if (kind % 64 == 1) return kind % 128 == 1 ? INFINITY : -INFINITY;
  return operation_is("max") ? -1 - r.real() : operation_is("min") ? 1 + r.real() : exact;
}

// Sums: neighbours nearly cancel, so that the result is small beside what it is added up from, and another order shows.
static double real_value(Random &r, uint64_t n, uint64_t i, double previous) {
  if (operation_is("mul")) return 1 + (r.real() - 0.5) / (double)n;
  if (i % 2 && operation_is("add")) return (r.real() - 0.5) * 0x1p-8 - previous;
  return (r.real() - 0.3) * exp2((double)r.between(-6, 6));
}

template <typename T>
constexpr bool is_signed = std::numeric_limits<T>::is_signed;
template <>
constexpr bool is_signed<__half> = true;
template <>
constexpr bool is_signed<__nv_bfloat16> = true;

// Of `and' and `or' some eight elements have one bit that counts: if many had, no single one would be missed.
static uint64_t bits_value(Random &r, uint64_t n, unsigned width) {
  uint64_t bits = r.next();
  if (operation_is("xor")) return bits;
  bits = (bits >> 32) % n < 8 ? 1ull << bits % width : 0;
  return operation_is("and") ? ~bits : bits;
}

template <typename T>
static void fill(Elements &e, uint64_t n, Data data, Random &r, uint64_t best, Special special) {
  T *to = (T *)e.bytes.data();
  const Type type = KindOf<T>::kind;
  for (uint64_t i = 0; i < n; i++) {
    if (bitwise()) {
      to[i] = (T)bits_value(r, n, 8 * sizeof(T));
      continue;
    }
    double value = data == REAL ? real_value(r, n, i, i ? (double)to[i - 1] : 0)
                                : exact_value(r, is_signed<T>, sizeof(T) == 1, i, best);
    if (data == SPECIAL && is_floating(type)) value = special_value(r, special, n, i == best, value);
    to[i] = (T)value;
    e.magnitude += fabs((double)to[i]);
  }
}

// Both parts alike; exact factors are 1, -1, i and -i.
template <typename C, typename R>
static void fill_complex(Elements &e, uint64_t n, Data data, Random &r) {
  C *to = (C *)e.bytes.data();
  const bool turns = operation_is("mul") && data != REAL;
  for (uint64_t i = 0; i < n; i++) {
    double x = data != REAL ? exact_value(r, true, false, i, n) : real_value(r, n, 0, 0);
    double y = data != REAL ? exact_value(r, true, false, i, n) : real_value(r, n, 0, 0);
    if (operation_is("mul") && data == REAL) y -= 1;
    if (turns) (r.next() & 1 ? x : y) = 0;
    to[i] = {(R)x, (R)y};
    e.magnitude += fabs(x) + fabs(y);
  }
}

// The user's own elements, or random members.
static void fill_structs(Elements &e, const Type &element, void (*example)(unsigned, void *), uint64_t n, Random &r) {
  for (uint64_t i = 0; i < n; i++) {
    char *to = e.bytes.data() + i * bytes_of(element);
    if (example) example((unsigned)(r.next() >> 32), to);
    else fill_members(to, element, [](void *random) { return ((Random *)random)->next(); }, &r);
  }
}

Elements make_elements(const Type &element, void (*example)(unsigned, void *), uint64_t n, Data data, uint64_t seed) {
  const Special special = special_of(n, seed);
  Elements e = {std::vector<char>(n * bytes_of(element) + 1), 0};
  Random r = {seed * 0x9E3779B97F4A7C15ull + n * 77 + 1};
  for (int i = 0; i < 4; i++) r.next();
  uint64_t best = n == 0 || seed % 3 == 2 ? 0 : seed % 3 == 1 ? n - 1 : r.next() % n;
  if (example || element.layout) return fill_structs(e, element, example, n, r), e;
  switch (element.kind) {
    case STRUCT: break;
    case INT8: fill<signed char>(e, n, data, r, best, special); break;
    case UINT8: fill<unsigned char>(e, n, data, r, best, special); break;
    case INT16: fill<short>(e, n, data, r, best, special); break;
    case UINT16: fill<unsigned short>(e, n, data, r, best, special); break;
    case INT: fill<int>(e, n, data, r, best, special); break;
    case UINT: fill<unsigned>(e, n, data, r, best, special); break;
    case INT64: fill<long long>(e, n, data, r, best, special); break;
    case UINT64: fill<unsigned long long>(e, n, data, r, best, special); break;
    case HALF: fill<__half>(e, n, data, r, best, special); break;
    case BFLOAT16: fill<__nv_bfloat16>(e, n, data, r, best, special); break;
    case FLOAT: fill<float>(e, n, data, r, best, special); break;
    case DOUBLE: fill<double>(e, n, data, r, best, special); break;
    case CFLOAT: fill_complex<cuFloatComplex, float>(e, n, data, r); break;
    case CDOUBLE: fill_complex<cuDoubleComplex, double>(e, n, data, r); break;
  }
  return e;
}

template <typename T>
static void replace_nan(char *bytes, uint64_t n) {
  for (T *x = (T *)bytes; x < (T *)bytes + n; x++)
    if ((double)*x != (double)*x) *x = (T)0.0f;
}

void without_nan(const Type &element, char *bytes, uint64_t n) {
  if (element.layout) return;
  if (element.kind == HALF) replace_nan<__half>(bytes, n);
  if (element.kind == BFLOAT16) replace_nan<__nv_bfloat16>(bytes, n);
  if (element.kind == FLOAT) replace_nan<float>(bytes, n);
  if (element.kind == DOUBLE) replace_nan<double>(bytes, n);
}

// ---- positions ----

static void store_position(const Type &element, char *to, uint64_t at) {
  float f = (float)at;
  double d = (double)at;
  switch (element.kind) {
    case FLOAT: memcpy(to, &f, sizeof f); break;
    case DOUBLE: memcpy(to, &d, sizeof d); break;
    case HALF: case BFLOAT16: case CFLOAT: case CDOUBLE: case STRUCT: memset(to, 0, bytes_of(element)); break;
    default: memcpy(to, &at, bytes_of(element)); // little endian
  }
}

static uint64_t position_at(const Type &element, const char *from) {
  float f;
  double d;
  uint64_t at = 0;
  switch (element.kind) {
    case FLOAT: memcpy(&f, from, sizeof f); return (uint64_t)f;
    case DOUBLE: memcpy(&d, from, sizeof d); return (uint64_t)d;
    case HALF: case BFLOAT16: case CFLOAT: case CDOUBLE: case STRUCT: return 0;
    default: memcpy(&at, from, bytes_of(element)); return at;
  }
}

std::vector<char> make_runs(const Type &element, uint64_t n, const Type &start, const std::vector<char> &starts,
                            uint64_t all, bool ends, uint64_t seed) {
  enum { LONGEST = 80 }; // but of the first, which has all that there are
  Random r = {seed * 0x9E3779B97F4A7C15ull + n * 77 + 1};
  for (int i = 0; i < 4; i++) r.next();
  std::vector<char> bytes(n * bytes_of(element) + 1);
  for (uint64_t i = 0; i < n && (i + 1) * bytes_of(start) <= starts.size(); i++) {
    const uint64_t from = position_at(start, starts.data() + i * bytes_of(start)), left = all > from ? all - from : 0;
    const uint64_t length = i == 0 ? left : std::min<uint64_t>(left, r.next() % LONGEST);
    store_position(element, bytes.data() + i * bytes_of(element), ends ? from + length : length);
  }
  return bytes;
}

std::vector<char> make_positions(const Type &element, uint64_t n, const Positions &of, bool ascending, bool different,
                                 uint64_t seed) {
  const uint64_t most = of.many;
  Random r = {seed * 0x9E3779B97F4A7C15ull + n * 77 + 1};
  for (int i = 0; i < 4; i++) r.next();
  std::vector<uint64_t> at(n);
  for (uint64_t &x : at) x = most == 0 ? 0 : r.next() % (ascending ? most + 1 : most);
  if (different && n <= most) { // the first n of all positions, shuffled
    std::vector<uint64_t> all(most);
    for (uint64_t i = 0; i < most; i++) all[i] = i;
    for (uint64_t i = 0; i < n; i++) std::swap(all[i], all[i + r.next() % (most - i)]);
    std::copy_n(all.begin(), n, at.begin());
  }
  if (!ascending && !different && most) { // the first and the last, where what is off by one leaves the array
    for (uint64_t i = 0; i < n; i += 16) at[i + r.next() % std::min<uint64_t>(16, n - i)] = i % 32 ? 0 : most - 1;
  }
  if (ascending && n) {
    at[0] = 0;
    if (n > 1) at[1] = most;
    std::sort(at.begin(), at.end());
  }
  for (uint64_t &x : at) x = of.first + of.apart * x;
  std::vector<char> bytes(n * bytes_of(element) + 1);
  for (uint64_t i = 0; i < n; i++) store_position(element, bytes.data() + i * bytes_of(element), at[i]);
  return bytes;
}

// ---- results ----

static bool is_single(const Type &t) { return t.kind == FLOAT || t.kind == CFLOAT; }

// A floating result, or one of the two parts of a complex one.
static double as_double(const Type &t, const void *value, int part = 0) {
  float f;
  double d;
  if (is_single(t)) return memcpy(&f, (const char *)value + part * sizeof f, sizeof f), f;
  return memcpy(&d, (const char *)value + part * sizeof d, sizeof d), d;
}

double greatest_part(const Type &t, const void *value) {
  if (t.layout) return 0;
  if (t.kind != FLOAT && t.kind != DOUBLE && !is_complex(t))
    return integer_at(t.kind, value) ? std::numeric_limits<double>::infinity() : 0;
  return is_complex(t) ? fmax(as_double(t, value), as_double(t, value, 1)) : as_double(t, value);
}

double users_tolerance(uint64_t n) { return operation_is("rounded") ? 64 * sqrt((double)n) : 0; }

static double epsilon_of(const Type &result) {
  return is_single(result) ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
}

double tolerance_of(const Type &reference, const void *want, const Type &result, uint64_t n, Data data,
                    double magnitude) {
  if (users()) return users_tolerance(n);
  if (!is_floating(result) || data != REAL || selects() || n < 2) return 0;
  if (operation_is("mul")) { // a complex product is four, and two additions
    magnitude = fabs(as_double(reference, want)) * 2;
    if (is_complex(result)) magnitude = 2 * magnitude + 4 * fabs(as_double(reference, want, 1));
  }
  return (double)(n - 1) * epsilon_of(result) * magnitude;
}

double wide_tolerance_of(const Type &reference, const void *want, const void *absolute, const Type &result, uint64_t n,
                         Data data, double largest) {
  if (users()) return users_tolerance(n);
  if (!is_floating(result) || reference.layout || selects()) return 0;
  double magnitude = fabs(as_double(reference, want)), of_parts = fabs(as_double(reference, absolute));
  if (is_complex(result)) {
    magnitude += fabs(as_double(reference, want, 1));
    of_parts = 2 * (of_parts + fabs(as_double(reference, absolute, 1)));
  }
  if (data != REAL) return 4 * epsilon_of(result) * magnitude;
  return (double)(n + 1) * epsilon_of(result) * fmax(fmax(magnitude, of_parts), largest);
}

bool is_right(const Type &reference, const void *want, double tolerance, const Type &result, const void *got) {
  if (users()) return is_close(result, want, got, tolerance);
  if (tolerance == std::numeric_limits<double>::infinity()) return true;
  if (!is_floating(reference) || reference.layout) return same_bits(result, want, got);
  if (zeros_have_signs && !is_complex(result) && tolerance == 0 && as_double(reference, want) == 0 &&
      as_double(result, got) == 0)
    return signbit(as_double(reference, want)) == signbit(as_double(result, got));
  for (int part = 0; part <= is_complex(result); part++) {
    double w = as_double(reference, want, part), g = as_double(result, got, part);
    if (is_single(result) && tolerance == 0) w = (double)(float)w;
    if (!(g == w || fabs(g - w) <= tolerance || (g != g && w != w))) return false;
  }
  return true;
}

bool is_right(const Expected &want, const Type &result, const void *got) {
  return is_right(want.type, want.value, want.tolerance, result, got);
}

template <typename F, typename T>
static void widen(const void *in, void *out, uint64_t n) {
  for (uint64_t i = 0; i < n; i++) ((T *)out)[i] = (T)((const F *)in)[i];
}

bool convert(const Type &from, const void *in, const Type &to, void *out, uint64_t n) {
  if (from.kind == to.kind && bytes_of(from) == bytes_of(to)) memcpy(out, in, n * bytes_of(from));
  else if (from.kind == FLOAT && to.kind == DOUBLE) widen<float, double>(in, out, n);
  else if (from.kind == CFLOAT && to.kind == CDOUBLE) widen<float, double>(in, out, 2 * n);
  else return false;
  return true;
}

template <typename T>
static double absolute(void *values, uint64_t n) {
  T *x = (T *)values;
  double greatest = 0;
  for (uint64_t i = 0; i < n; i++) {
    if ((double)x[i] < 0) x[i] = (T)-(double)x[i];
    greatest = fmax(greatest, (double)x[i]);
  }
  return greatest;
}

double make_absolute(const Type &t, void *values, uint64_t n) {
  switch (t.kind) {
    case INT8: return absolute<signed char>(values, n);
    case INT16: return absolute<short>(values, n);
    case INT: return absolute<int>(values, n);
    case INT64: return absolute<long long>(values, n);
    case HALF: return absolute<__half>(values, n);
    case BFLOAT16: return absolute<__nv_bfloat16>(values, n);
    case FLOAT: return absolute<float>(values, n);
    case DOUBLE: return absolute<double>(values, n);
    case CFLOAT: return absolute<float>(values, 2 * n);
    case CDOUBLE: return absolute<double>(values, 2 * n);
    default: return 0;
  }
}

void print_value(char *to, size_t size, const Type &t, const void *value) {
  Kind k = t.kind;
  int i;
  unsigned u;
  long long l;
  unsigned long long v;
  switch (k) {
    case STRUCT: print_members(to, size, t, value); break;
    case INT8: case UINT8: case INT16: case UINT16:
      snprintf(to, size, "%lld", (long long)integer_at(k, value));
      break;
    case INT: memcpy(&i, value, 4); snprintf(to, size, "%d", i); break;
    case UINT: memcpy(&u, value, 4); snprintf(to, size, "%u", u); break;
    case INT64: memcpy(&l, value, 8); snprintf(to, size, "%lld", l); break;
    case UINT64: memcpy(&v, value, 8); snprintf(to, size, "%llu", v); break;
    case CFLOAT: case CDOUBLE:
      snprintf(to, size, "%.*g%+.*gi", k == CFLOAT ? 9 : 17, as_double(k, value), k == CFLOAT ? 9 : 17,
               as_double(k, value, 1));
      break;
    default: snprintf(to, size, "%.*g", k == FLOAT ? 9 : 17, as_double(k, value));
  }
}

} // namespace check
